# SPDX-License-Identifier: MIT
"""No run of six lines of code stands in two places, outside of tests and of generated tables. Blank lines, comments, lone punctuation, rows of numbers and
includes do not count, and white space is folded."""
import collections
import pathlib
import re
import sys
import tempfile

root = pathlib.Path(sys.argv[1]).resolve()
sys.path.insert(0, str(root / "tests/helpers"))
import project # noqa: E402

RUN = 6
TOPS = ("include", "src", "apps", "examples", "game", "demo", "bench", "fuzz", "tools")
SUFFIXES = (".c", ".h", ".inl", ".py", ".js", ".mjs", ".rs", "")
QUOTED = r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\''
COMMENT = {"c": rf"{QUOTED}|/\*.*?\*/|//[^\n]*", "py": rf'"""(?:.*?)"""|{QUOTED}|#[^\n]*'}
SKIPPED = re.compile(r"\s*#\s*include\b|\s*import\b|\s*from\s+\S+\s+import\b|\s*use\s+\w+::")
ROW = re.compile(r"[\W\d_]*(?:0[xX][0-9a-fA-F.]+[\W\dpPuUlLf_]*)*$") # punctuation and numbers alone


def code_lines(path, text):
    """(number, code) of every line that counts."""
    script = path.suffix == ".py" or text.startswith("#!")
    if script and "python" not in text.split("\n", 1)[0] and path.suffix == "":
        return []
    blank = lambda found: found.group() if found.group()[0] in "\"'" and not found.group().startswith('"""') else re.sub(r"[^\n]", "", found.group())
    text = re.sub(COMMENT["py" if script else "c"], blank, text, flags=re.S)
    lines = ((number, " ".join(line.split())) for number, line in enumerate(text.split("\n"), 1))
    return [(number, line) for number, line in lines if not ROW.match(line) and not SKIPPED.match(line)]


def sources(tree, tables):
    for path in project.files(tree, *TOPS, suffixes=SUFFIXES):
        if path.name not in tables and (path.suffix or path.parts[0] == "tools"):
            yield path, (tree / path).read_text(encoding="utf-8")


def duplicates(tree, tables):
    """Where every run stands that stands twice, each as long as it is; and the count of files."""
    files = {path: code_lines(path, text) for path, text in sources(tree, tables)}
    seen = collections.defaultdict(list)
    found, reported = [], set()
    for path, lines in files.items():
        for i in range(len(lines) - RUN + 1):
            key = tuple(line for _, line in lines[i:i + RUN])
            for other, k in seen[key]:
                if (other == path and i - k < RUN) or (other, k, path, i) in reported:
                    continue
                length, there = RUN, files[other]
                while i + length < len(lines) and k + length < len(there) and lines[i + length][1] == there[k + length][1]:
                    length += 1
                reported.update((other, k + step, path, i + step) for step in range(length - RUN + 1))
                found.append(f"{other}:{there[k][0]}-{there[k + length - 1][0]} stands again at {path}:{lines[i][0]}-{lines[i + length - 1][0]}")
            seen[key].append((path, i))
    return found, len(files)


def check_nothing_stands_twice():
    found, count = duplicates(root, project.generated(root))
    assert count > 400, count
    yield from found


def check_a_repeated_run_is_found():
    """In a tree of its own: six lines are too many, five are not; layout, comments, tables and tests do not matter."""
    run = [f"call_{i}(a, b);" for i in range(RUN)]
    spread = "/* why */\n" + "\n\n".join("    " + line.replace(", ", ",  \t") + " // why" for line in run) + "\n"
    cases = (("src/b.c", spread, 1), ("src/b.c", "\n".join(run[1:]), 0), ("tests/b.c", "\n".join(run), 0), ("src/table.h", "\n".join(run), 0),
             ("src/b.c", "\n".join([*run[:3], "other();", *run[3:]]), 0))
    for name, text, wanted in cases:
        with tempfile.TemporaryDirectory() as folder:
            tree = pathlib.Path(folder).resolve()
            for path, content in (("src/a.c", "int first;\n" + "\n".join(run) + "\nint last;\n"), (name, text)):
                (tree / path).parent.mkdir(parents=True, exist_ok=True)
                (tree / path).write_text(content, encoding="utf-8")
            found, _ = duplicates(tree, {"table.h"})
            if len(found) != wanted:
                yield f"{name}: {len(found)} runs are found, not {wanted}: {found}"


project.run_checks(globals())
