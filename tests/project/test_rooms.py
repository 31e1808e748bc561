# SPDX-License-Identifier: MIT
"""Rooms include what ARCHITECTURE.md says they may, and nothing else; public headers are everybody's, those of libraries are the rooms' that need them."""
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
rows = re.findall(r"^\| `src/(\w+)` \| [^|]* \| ([^|]*)\| ([^|]*) \|$", (root / "ARCHITECTURE.md").read_text(encoding="utf-8"), re.M)
rooms = {name: set(allowed.split()) | {name, "ember"} for name, allowed, _ in rows}
there = {path.name for path in (root / "src").iterdir() if path.is_dir()}
assert rooms.keys() == there, f"ARCHITECTURE.md has {sorted(rooms.keys() ^ there)} too many or too few"

# Whose header says which library is used.
LIBRARIES = {"jansson.h": "jansson", "meshoptimizer.h": "meshoptimizer", "xxhash.h": "xxhash", "assimp/": "assimp", "png.h": "libpng", "gif_lib.h": "giflib", "jpeglib.h": "libjpeg",
             "EGL/": "EGL", "GLES3/": "GLES"}
# Compiled in from its header alone, so it is no dependency of those who link.
FREE = {("wasm", "xxhash")}
needs = {name: text for name, _, text in rows}
looked, failed = 0, 0
for room in sorted(rooms):
    for path in sorted((root / "src" / room).rglob("*.[chi]*")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            found = re.match(r'\s*#\s*include\s+(["<])([^">]+)[">]', line)
            if found is None:
                continue
            looked += 1
            kind, name = found.groups()
            other = name.split("/")[0]
            wrong = kind == '"' and "/" in name and other in there | {"ember"} and other not in rooms[room]
            library = next((title for start, title in LIBRARIES.items() if name.startswith(start)), None)
            wrong = wrong or (kind == "<" and library is not None and library not in needs[room] and (room, library) not in FREE)
            if wrong:
                failed += 1
                print(f"{path.relative_to(root)}:{number}: {room} may not include {name}")
assert looked > 200, f"only {looked} includes found"
print(f"{looked - failed} passed, {failed} failed")
sys.exit(1 if failed else 0)
