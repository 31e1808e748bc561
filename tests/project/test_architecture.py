# SPDX-License-Identifier: MIT
"""ARCHITECTURE.md says what is so: rooms and their folders, what each may include and needs, archives and what is in them, every name in backquotes, what a
format, a verb and a host function consist of, and the rules that can be read off the sources. test_layout.py looks at folders and file names."""
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1]).resolve()
sys.path.insert(0, str(root / "tests/helpers"))
import project # noqa: E402

page = (root / "ARCHITECTURE.md").read_text(encoding="utf-8")


def text_of(path):
    return (root / path).read_text(encoding="utf-8")


def sources(*tops, suffixes=(".c", ".h", ".inl")):
    """The C files below these folders, by their paths from the root."""
    return list(project.files(root, *tops, suffixes=suffixes))


def code_of(path):
    """A C file's lines without comments, and without what is inside of quotes."""
    keep = lambda found: re.sub(r"[^\n]", "", found.group()) if found.group().startswith("/*") else found.group()[0] * 2
    return re.sub(r'/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', keep, text_of(path), flags=re.S).splitlines()


def section(title):
    found = re.search(rf"^## {title}\n(.*?)(?=^## |\Z)", page, re.M | re.S)
    assert found, f"ARCHITECTURE.md has no section '{title}'"
    return found.group(1)


def rows_of(text, columns):
    """The rows of a table whose first cell is in backquotes."""
    return re.findall(r"^\| `([^`|]+)`" + r" \| ?([^|]*?) ?" * (columns - 1) + r"\|$", text, re.M)


ROOMS = {name: (set(may.split()), needs) for name, _, may, needs in rows_of(section("Rooms"), 4)}
ARCHIVES = {name: set(rooms.split()) for name, rooms, _ in rows_of(section("Rooms"), 3)}


def short(room):
    """A room as the table's third column calls it."""
    return room.removeprefix("src/")


# ---- rooms ----

def check_rooms_are_folders():
    there = {f"{top}/{path.name}" for top in ("src", "apps") for path in (root / top).iterdir() if path.is_dir()} | {"examples", "game", "demo", "bench", "fuzz"}
    for room in sorted(there ^ ROOMS.keys()):
        yield f"ARCHITECTURE.md: {room} is " + ("not in the table of rooms" if room in there else "no folder")
    for room, (may, _) in ROOMS.items():
        for other in sorted(may - {short(name) for name in ROOMS} - {"tests"}):
            yield f"ARCHITECTURE.md: {room} may include {other}, which is no room"


def room_of(path):
    parts = path.parts
    return "public" if parts[0] == "include" else "/".join(parts[:2]) if parts[0] in ("src", "apps") else parts[0]


def resolved(path, name):
    """The project's file that an include means, or None."""
    for folder in (path.parent, room_of(path), "src", "include", "apps/ember", "apps/viewer", "tests", "demo", "game/assets", "game"):
        found = (root / folder / name).resolve()
        if found.is_file() and found.is_relative_to(root):
            return found.relative_to(root)
    return None


def includes():
    """(file, line, its room, name, the project's file or None) of every include below the rooms."""
    for room in ROOMS:
        for path in sources(room):
            for number, line in enumerate(text_of(path).splitlines(), 1):
                found = re.match(r'\s*#\s*include\s+(["<])([^">]+)[">]', line)
                if found:
                    own = found[1] == '"' or found[2].startswith("ember/")
                    yield path, number, room, found[2], resolved(path, found[2]) if own else None


def check_rooms_include_what_they_may():
    used = {room: set() for room in ROOMS}
    looked = 0
    for path, number, room, name, file in includes():
        looked += 1
        other = room_of(file) if file else "public"
        if other in (room, "public"):
            continue
        used[room].add(short(other))
        if short(other) not in ROOMS[room][0]:
            yield f"{path}:{number}: {room} may not include {name}"
    assert looked > 500, f"only {looked} includes found"
    for room, (may, _) in ROOMS.items():
        for other in sorted(may - used[room]):
            yield f"ARCHITECTURE.md: {room} includes nothing of {other}"


COMPILER = set("float.h iso646.h limits.h stdalign.h stdarg.h stdbool.h stddef.h stdint.h stdnoreturn.h arm_neon.h cpuid.h emmintrin.h immintrin.h wasm_simd128.h".split())
LIBC = set("assert.h complex.h ctype.h errno.h fenv.h inttypes.h locale.h math.h setjmp.h signal.h stdatomic.h stdio.h stdlib.h string.h threads.h time.h "
           "uchar.h wchar.h wctype.h".split())
LIBRARIES = {"meshoptimizer.h": "meshoptimizer", "xxhash.h": "xxhash", "png.h": "libpng", "zlib.h": "zlib",
             "gif_lib.h": "giflib", "jpeglib.h": "libjpeg", "EGL/": "EGL", "GLES3/": "GLES", "SDL.h": "SDL2", "microhttpd.h": "libmicrohttpd"}


def hosted_only(path, number):
    """Whether the line before says that a freestanding build does not see this one."""
    return text_of(path).splitlines()[number - 2].strip() == "#if defined(__STDC_HOSTED__) && __STDC_HOSTED__"


def check_rooms_need_what_they_say():
    used = {room: set() for room in ROOMS}
    for path, number, room, name, file in includes():
        if file is not None or name.startswith("ember/") or name in COMPILER:
            continue
        need = next((title for start, title in LIBRARIES.items() if name.startswith(start)), "libc" if name in LIBC else "the system")
        used[room].add(need)
        needs = ROOMS[room][1]
        if need == "libc" and (re.search(r"libc(?! in)|the system", needs) or f"`{path.name}`" in needs or hosted_only(path, number)):
            continue
        if need == "libc" or need not in needs:
            yield f"{path}:{number}: {room} needs {need} for <{name}>, which ARCHITECTURE.md does not say"
    for room, (_, needs) in ROOMS.items():
        for need in set(LIBRARIES.values()) | {"the system"}:
            if re.search(rf"\b{need}\b", needs) and need not in used[room]:
                yield f"ARCHITECTURE.md: {room} does not need {need}"


def check_core_stays_freestanding():
    """What the table says of the core's rooms is what the text says of the core."""
    for room in ("src/codec", "src/pose", "src/squeeze"):
        if ROOMS[room][1] != "nothing":
            yield f"ARCHITECTURE.md: {room} needs {ROOMS[room][1]}, but core and what builds on it alone need nothing"


def check_rooms_are_targets():
    for room in ROOMS:
        if room.startswith("src/") and not re.search(rf"^\s*ember_room\({short(room)}\b", text_of(f"{room}/CMakeLists.txt"), re.M):
            yield f"{room}/CMakeLists.txt: no ember_room({short(room)}"


def check_archives_hold_their_rooms():
    cmake = "\n".join(text_of(path) for path in [pathlib.Path("CMakeLists.txt"), *sources("src", suffixes=(".txt",))])
    lists = {"ember_objects": re.search(r"set\(rooms ([\w ]+)\)", cmake)[1].split()}
    there = {}
    for target, content in re.findall(r"add_library\((ember-[\w]+) STATIC ([^)]*)\)", cmake):
        rooms = lists["ember_objects"] if "${ember_objects}" in content else re.findall(r"TARGET_OBJECTS:ember_(\w+)", content)
        name = re.search(rf"set_target_properties\({target} PROPERTIES OUTPUT_NAME (\w+)", cmake)
        there["lib" + (name[1] if name else target)] = set(rooms) - {"hosted"} # the part of base that needs a C library
    for name in sorted(there.keys() ^ ARCHIVES.keys()):
        yield f"ARCHITECTURE.md: {name} is " + ("not in the table of archives" if name in there else "no archive")
    for name in sorted(there.keys() & ARCHIVES.keys()):
        if there[name] != ARCHIVES[name]:
            yield f"ARCHITECTURE.md: {name} is made of {' '.join(sorted(there[name]))}"


# ---- names in backquotes ----

HEADERS = "\n".join(text_of(path) for path in sources("include", "src", "apps", "game", suffixes=(".h",)))
FILES = sorted(str(path.relative_to(root)) for path in root.rglob("*") if not {".git", "out"} & set(path.parts) and not str(path.relative_to(root)).startswith("build"))


def is_there(name):
    """Whether there is what a name in backquotes names: a command, a make target, a path (or the end of one), a word of a header, an archive. NAME and VERB
    stand for any word."""
    if name.startswith("ember "):
        return f"extern const app_verb verb_{name.split()[1]};" in HEADERS
    if name.startswith("make "):
        return re.search(rf"^{name[5:]}:", text_of("Makefile"), re.M)
    if ": " in name: # what a message looks like
        return True
    pattern = re.sub(r"NAME|VERB|FOLDER", r"\\w+", re.escape(name.rstrip("/")))
    if "/" in name or re.search(r"\.\w+$", name):
        return any(re.search(rf"(^|/){pattern}$", path) for path in FILES) or name in ARCHIVES
    return re.search(rf"\b{pattern}\b", HEADERS) or name in ARCHIVES or (root / name).is_dir()


def check_names_in_backquotes_exist():
    names = set(re.findall(r"(?<!`)`([^`\n]+)`(?!`)", page))
    assert len(names) > 80, f"only {len(names)} names found"
    for name in sorted(names):
        if not is_there(name):
            yield f"ARCHITECTURE.md: there is no `{name}`"


# ---- adding something ----

def check_formats_have_their_parts():
    listed = re.findall(r"FORMAT\((\w+)\)", text_of("src/format/formats.h").split("EMBERI_FORMATS(FORMAT)")[1])
    build = text_of("src/format/CMakeLists.txt")
    fuzz = text_of("fuzz/CMakeLists.txt")
    fuzzed = set(re.findall(r"ember_fuzz\((\w+)", fuzz)) | set(" ".join(re.findall(r"foreach\(format ([^)]*)\)", fuzz)).split())
    tables = {}
    for folder in sorted(path for path in (root / "src/format").iterdir() if path.is_dir()):
        own = [name for path in sources(folder.relative_to(root)) for name in re.findall(r"^const emberi_format_ops emberi_(\w+)_ops = \{", text_of(path), re.M)]
        if not own:
            yield f"src/format/{folder.name}: no emberi_format_ops"
        if f"ember_format({folder.name} " not in build:
            yield f"src/format/CMakeLists.txt: no ember_format({folder.name}"
        if not list((root / "tests/format" / folder.name).glob("test_*")):
            yield f"tests/format/{folder.name}: no tests"
        tables.update((name, folder.name) for name in own)
    for name in sorted(set(listed) ^ tables.keys()):
        yield f"src/format/formats.h: {name} has " + ("no table in a folder of src/format" if name in listed else "no line here")
    numbers = re.findall(r"EMBER_FORMAT_(\w+)", re.search(r"typedef enum ember_format \{(.*?)EMBER_FORMAT_COUNT", text_of("include/ember/model.h"), re.S)[1])
    for name in sorted({name.lower() for name in numbers} - {"unknown"} ^ set(listed)):
        yield f"include/ember/model.h, src/format/formats.h: only one of them has {name}"
    for name, folder in sorted(tables.items()):
        if not any((root / "docs/formats" / f"{stem}.md").is_file() for stem in (name, folder)):
            yield f"docs/formats: neither {name}.md nor {folder}.md"
        if name not in fuzzed:
            yield f"fuzz/CMakeLists.txt: no target for {name}"


def check_verbs_have_their_parts():
    declared = set(re.findall(r"extern const app_verb verb_(\w+);", text_of("apps/ember/verbs/verbs.h")))
    table = set(re.findall(r"&verb_(\w+),", text_of("apps/ember/main.c")))
    built = set(re.findall(r"ember_verb\((\w+) cmd_\1\b", text_of("apps/ember/CMakeLists.txt")))
    described = set(re.findall(r"^## (\w+)$", text_of("docs/commands.md"), re.M))
    for verb in sorted(path.name for path in (root / "apps/ember/verbs").iterdir() if path.is_dir()):
        if not (root / f"apps/ember/verbs/{verb}/cmd_{verb}.c").is_file():
            yield f"apps/ember/verbs/{verb}: no cmd_{verb}.c"
        for where, names in (("apps/ember/verbs/verbs.h", declared), ("apps/ember/main.c", table), ("apps/ember/CMakeLists.txt", built), ("docs/commands.md", described)):
            if verb not in names:
                yield f"{where}: no {verb}"


def check_host_functions_have_a_body():
    bodies = "\n".join(text_of(path) for path in sources("src/console", suffixes=(".c",)))
    names = re.findall(r'X\(\w+, (\w+), "', text_of("src/console/functions.h"))
    assert len(names) > 60, names
    for name in names:
        if not re.search(rf"\bemberi_host_{name}\(ember_console", bodies):
            yield f"src/console: no emberi_host_{name}"


# ---- rules ----

# Rooms that bytes of files and games come into.
READERS = ("src/codec", "src/squeeze", "src/model", "src/format", "src/rom", "src/image", "src/console", "src/engine", "src/scene", "apps")
# What looks like reading numbers out of bytes, and is not.
NOT_FILES = {
    "src/format/gltf/write/gltf_write.c": "base64 of what is written",
    "src/format/gltf/write/gltf_write_meshes.c": "vectors of the model as rows of floats",
    "src/format/ff7/ff7_clip.c": "triples of the model as rows of numbers",
    "src/image/gif.c": "sizes of its own frames",
    "src/engine/interp/interp_handlers.h": "a game's memory, on little-endian machines alone",
    "src/engine/object/object_cache.c": "the cache's own file, hashed as a whole",
    "src/engine/object/guest/shim.c": "the host's table of functions, in the game's object",
}


def check_numbers_come_out_of_bytes_in_one_place():
    wider = r"(?:u?int(?:16|32|64)_t|float|double|struct \w+)"
    patterns = (r"\]\s*<<\s*(?:8|16|24|32|40|48|56)\b(?!\s*\*)",                 # put together by shifts
                rf"\(const {wider} ?\*\)|\*\({wider} ?\*\)",                     # seen as another type
                r"\b(?:memcpy|memmove|emberi_copy)\(&\w[\w.>-]*, *[^,]*\b(?:data|bytes|at|cursor|p)\b")  # copied over a number
    used = set()
    for path in sources(*READERS):
        for number, line in enumerate(code_of(path), 1):
            if any(re.search(pattern, line) for pattern in patterns):
                used.add(str(path))
                if str(path) not in NOT_FILES:
                    yield f"{path}:{number}: a number out of bytes without src/base/bytes.h: {line.strip()}"
    for path in sorted(NOT_FILES.keys() - used):
        yield f"tests/project/test_architecture.py: {path} needs no exception any more"


def check_library_never_prints():
    for path in sources("src"):
        for number, line in enumerate(code_of(path), 1):
            # ember_file_write("-") writes to standard output because it was asked to, behind what the program has written there.
            if re.search(r"\b(v?f?printf|f?puts|f?putc|putchar|fwrite|perror|psignal)\(|\bstderr\b|\bstdout\b", re.sub(r"format\(printf,|fflush\(stdout\)", "", line)):
                yield f"{path}:{number}: the library prints: {line.strip()}"


def check_guest_addresses_become_pointers_in_one_place():
    for path in sources("src/console"):
        for number, line in enumerate(code_of(path), 1):
            if path.name != "guest_memory.h" and re.search(r"->memory\s*(\+|\[)|&\w+->memory\[", line):
                yield f"{path}:{number}: a game's address becomes a pointer outside of src/console/guest_memory.h: {line.strip()}"


def check_examples_include_their_header_alone():
    for path in sources("game/examples"):
        names = re.findall(r'^\s*#\s*include\s+["<]([^">]+)', text_of(path), re.M)
        if names != ["ember_game.h"]:
            yield f"{path}: games include ember_game.h alone, not {names}"


def check_flags_keep_the_bits():
    for flag in ("-ffp-contract=off", "-fno-math-errno"):
        if flag not in text_of("cmake/EmberRoom.cmake"):
            yield f"cmake/EmberRoom.cmake: no {flag}"


# ---- what runs ----

def check_the_workflow_runs_what_ci_runs():
    own = re.findall(r"^step make (.+?)(?: #.*)?$", text_of(".ci/run"), re.M)
    public = re.findall(r"^          - (.+)$", text_of(".github/workflows/ci.yml"), re.M)
    own, public = " ".join(own).split(), " ".join(public).split() # a job may run several targets
    assert len(own) > 10, own
    if own != public:
        yield f".github/workflows/ci.yml: not the targets of .ci/run: {set(own) ^ set(public) or 'the order'}"


project.run_checks(globals())
