# SPDX-License-Identifier: MIT
"""File names in comments and in docs/design are names of files: `x.c`, `folder/x.c` and `x*.c` are somewhere in the tree. A part in capitals, as in
test_NAME.c, stands for any text."""
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1]).resolve()
sys.path.insert(0, str(root / "tests/helpers"))
import project # noqa: E402

TOPS = ("include", "src", "apps", "examples", "game", "demo", "bench", "fuzz", "tests", "tools", "cmake", "docs", "packaging")
SUFFIXES = (".c", ".h", ".inl", ".py", ".js", ".mjs")
# Names of files that are not the project's, and where they come from.
OTHERS = {
    "string.h": "the C library",
    "wasm-rt.h": "wabt",
    "GLES3/gl3.h": "OpenGL ES",
    "jpeglib.h": "libjpeg",
}
# Examples: files that a user might have. By the file that names them.
EXAMPLES = {
    "cmake/EmberEmbed.cmake": {"x.c", "a.h", "b.c", "h.h"},
    "tools/amalgamate": {"ember_core.h", "ember_core.c"},
    "tests/project/test_coverage.py": {"room/sign.h"},
    "tests/project/test_file_names.py": {"x.c", "x*.c", "folder/x.c"},
}
NAME = re.compile(r"(?<![\w/.*<>{}$-])(?:[\w*.-]+/)*[\w*-]+\.(?:c|h|inl|py|mjs|js)\b(?![\w/(-])")
C_TOKEN = re.compile(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", re.S)
SCRIPT_COMMENT = re.compile(r'""".*?"""|(?:^|(?<=\s))# [^\n]*', re.S | re.M)


def said(path):
    """What a file tells its readers: the comments of a source, all of a page; None for other files."""
    full = root / path
    if path.suffix in (".c", ".h", ".inl", ".js", ".mjs", ".rs"):
        return "\n".join(token for token in C_TOKEN.findall(full.read_text(encoding="utf-8")) if token.startswith("/"))
    if path.suffix in (".py", ".sh", ".cmake") or path.name == "CMakeLists.txt" or (path.suffix == "" and full.read_bytes().startswith(b"#!")):
        return "\n".join(SCRIPT_COMMENT.findall(full.read_text(encoding="utf-8")))
    return full.read_text(encoding="utf-8") if path.suffix == ".md" and path.parts[:2] == ("docs", "design") else None


def check_names_are_names_of_files():
    everything = list(project.files(root, *TOPS, suffixes=(*SUFFIXES, ".rs", ".sh", ".cmake", ".md", ".txt", "")))
    there = [path for path in everything if path.suffix in SUFFIXES]
    known, unused = {}, {(path, name) for path, names in EXAMPLES.items() for name in names} | {("", name) for name in OTHERS}
    for path in everything:
        for name in sorted(set(NAME.findall(said(path) or ""))):
            if re.search(r"[A-Z]{4,}", name) and name not in OTHERS:
                continue
            if name not in known:
                known[name] = any(other.match(name) for other in there)
            if known[name]:
                continue
            listed = ("", name) if name in OTHERS else (path.as_posix(), name)
            unused.discard(listed)
            if name not in OTHERS and name not in EXAMPLES.get(path.as_posix(), ()):
                yield f"{path}: {name}: there is no such file"
    assert len(known) > 50, known
    for path, name in sorted(unused):
        yield f"tests/project/test_file_names.py: {path or 'OTHERS'}: {name} needs no exception any more"


project.run_checks(globals())
