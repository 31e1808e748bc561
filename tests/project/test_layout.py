# SPDX-License-Identifier: MIT
"""Folders and file names: few files in a folder, no name twice, and the tests of src/ROOM/FILE.c in tests/ROOM, where test_FILE*.c tests it or an opening
comment says `Covers: FILE.c`. Likewise the tests of apps/ember/verbs/VERB are tests/cli/test_VERB*.py."""
import collections
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1]).resolve()
sys.path.insert(0, str(root / "tests/helpers"))
import project # noqa: E402

MOST_FILES = 24
# Folders of tests/ that mirror none of src/: the command and the page, the project as seen from outside, and what tests share.
OTHER_TESTS = {"cli", "viewer", "e2e", "docs", "failing", "faults", "fuzz", "demo", "examples", "game", "golden", "install", "project", "fixtures", "helpers"}
# Folders of src/ whose tests are those of the folder above.
THROUGH = {
    "platform/posix": "a system's side of the interface",
    "engine/object/guest": "compiled into every game",
}
# Sources that are tested elsewhere, and where.
ELSEWHERE = {
    "src/base/freestanding.c": "tests/golden/run",          # only in builds without a C library
    "src/scene/show.c": "tests/cli/test_preview.py",        # what these three draw is looked at in pictures
    "src/scene/stage.c": "tests/cli/test_preview.py",
    "src/scene/textures.c": "tests/cli/test_preview.py",
    "src/engine/object/guest/shim.c": "tests/engine/test_traps.c",
}
# What no test runs.
UNTESTED = {
    "src/gpu/gpu_absent.c", # only in builds without EGL: every function fails
    "apps/ember/verbs/view/serve_absent.c", # the same without libmicrohttpd
}


def files(*tops, suffixes):
    return project.files(root, *tops, suffixes=suffixes)


def mirrored(folder):
    """The folder below tests/ for one below src/."""
    return str(pathlib.Path(folder).parent) if str(folder) in THROUGH else str(folder)


def check_folders_are_small():
    tops = ("include", "src", "apps", "examples", "game", "demo", "bench", "fuzz", "tests", "tools")
    count = collections.Counter(path.parent for path in files(*tops, suffixes=(".c", ".h", ".inl", ".py", ".js")))
    assert len(count) > 40, count
    for folder, number in sorted(count.items()):
        if number > MOST_FILES:
            yield f"{folder}: {number} source files, {MOST_FILES} at most"


def check_names_occur_once():
    """A debugger, a coverage report and an include each name a file without its folder."""
    found = collections.defaultdict(list)
    for path in files("include", "src", "apps", "examples", "demo", "bench", "fuzz", "tests", "game", suffixes=(".c", ".h", ".inl")):
        found[path.name].append(str(path))
    for name, paths in sorted(found.items()):
        if len(paths) > 1:
            yield f"{name} is there {len(paths)} times: {', '.join(paths)}"


def check_guards_name_their_room():
    """src/rom/rom_layout.h is guarded by EMBER_ROM_LAYOUT_H, src/format/json/json_in.h by EMBER_FORMAT_JSON_IN_H."""
    guarded = 0
    for path in files("src", suffixes=(".h",)):
        found = re.search(r"^#ifndef (\w+_H)\n#define (\w+)", (root / path).read_text(encoding="utf-8"), re.M)
        if not found: # a part of another file's text, or a table inside a function's file
            continue
        room = path.parts[1]
        wanted = f"EMBER_{room}_{path.stem.removeprefix(room + '_')}_H".upper()
        guarded += 1
        if found.groups() != (wanted, wanted):
            yield f"{path}: guarded by {found[1]}, not {wanted}"
    assert guarded > 50, guarded


def check_tests_mirror_sources():
    there = {mirrored(path.parent.relative_to("src")) for path in files("src", suffixes=(".c",))}
    tested = {str(path.parent.relative_to("tests")) for path in files("tests", suffixes=(".c", ".py")) if path.name.startswith("test_")}
    tested = {folder for folder in tested if folder.split("/")[0] not in OTHER_TESTS}
    for folder in sorted(there - tested):
        yield f"src/{folder} has no tests in tests/{folder}"
    for folder in sorted(tested - there):
        yield f"tests/{folder} has no sources in src/{folder}"
    for other in ("cli", "viewer", "demo", "examples", "game"):
        if not any((root / "tests" / other).glob("test_*")):
            yield f"tests/{other} is missing"
    for other in sorted(OTHER_TESTS):
        if not (root / "tests" / other).is_dir():
            yield f"tests/{other} is no folder"


def opening(path):
    text = (root / path).read_text(encoding="utf-8")
    found = re.match(r'(?:#![^\n]*\n)?(?:[^\n]*SPDX-License-Identifier[^\n]*\n)?(?:/\*(.*?)\*/|"""(.*?)"""|((?://[^\n]*\n)+))', text, re.S)
    return next(filter(None, found.groups()), "") if found else ""


def covers(path):
    """The sources that a test's opening comment lists, and what is wrong with the list."""
    text = opening(path)
    listed = re.search(r"Covers: ((?:\w+\.c,?\s+)*\w+\.c)\.", text)
    wrong = f"{path}: 'Covers:' lists files: a.c, b.c." if "Covers:" in text and not listed else None
    return re.findall(r"\w+\.c", listed[1]) if listed else [], wrong


def tests_below(*folders):
    return [path for path in files(*folders, suffixes=(".c", ".py", ".mjs")) if path.name.startswith("test_") or path.suffix == ".mjs"]


def check_every_source_has_its_tests():
    covered = collections.defaultdict(set) # by folder below tests/: the names that opening comments list
    stems = collections.defaultdict(list)
    for path in tests_below("tests"):
        folder = str(path.parent.relative_to("tests"))
        if folder.split("/")[0] in OTHER_TESTS:
            continue
        stems[folder].append(path.stem.removeprefix("test_"))
        names, wrong = covers(path)
        if wrong:
            yield wrong
        for name in names:
            covered[folder].add(name)
            if not any((root / "src" / below / name).is_file() for below in (folder, *THROUGH) if mirrored(below) == folder):
                yield f"{path}: covers {name}, which is not in src/{folder}"
    for path in files("src", suffixes=(".c",)):
        folder = mirrored(path.parent.relative_to("src"))
        tested = path.name in covered[folder] or any(stem.startswith(path.stem) for stem in stems[folder])
        if str(path) in ELSEWHERE:
            if tested:
                yield f"tests/project/test_layout.py: {path} needs no exception any more"
            if not (root / ELSEWHERE[str(path)]).exists():
                yield f"tests/project/test_layout.py: there is no {ELSEWHERE[str(path)]}"
        elif not tested and str(path) not in UNTESTED:
            yield f"{path}: no test_{path.stem}* in tests/{folder}, and no test there says that it covers {path.name}"


def check_every_app_has_its_tests():
    """tests/cli/test_VERB*.py tests all of apps/ember/verbs/VERB. The rest of the command and the page are covered by name."""
    covered = set()
    there = {path.name for path in files("apps", suffixes=(".c",))}
    for path in tests_below("tests/cli", "tests/viewer"):
        names, wrong = covers(path)
        if wrong:
            yield wrong
        covered.update(names)
        for name in names:
            if name not in there:
                yield f"{path}: covers {name}, which is not in apps"
    for path in files("apps", suffixes=(".c",)):
        verb = path.parent.name if path.parent.parent.name == "verbs" else None
        tested = verb is not None and any((root / "tests/cli").rglob(f"test_{verb}*.py"))
        if tested and path.name in covered:
            yield f"tests/cli/test_{verb}.py covers {path.name} by its name already"
        if not tested and path.name not in covered and str(path) not in UNTESTED:
            yield f"{path}: no test of tests/cli or tests/viewer says that it covers {path.name}"


def check_tests_are_listed_by_test_alone():
    """A list of a program's own names each test a second time, and one that is not in it never runs."""
    for path in files("tests", suffixes=(".c", ".h")):
        text = (root / path).read_text(encoding="utf-8")
        for name in ("cmocka_unit_test", "cmocka_run_group_tests"):
            if name in text and path.name not in ("testing.c", "testing.h"):
                yield f"{path}: {name}: use TEST() of tests/testing.h"


project.run_checks(globals())
