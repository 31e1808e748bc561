# SPDX-License-Identifier: MIT
"""Files of src/ that say "Made by tools/NAME" are, byte for byte, what tools/NAME prints; .gitattributes marks them, and nothing else, as generated; and every
maker in tools/ has its file."""
import pathlib
import re
import subprocess
import sys

root = pathlib.Path(sys.argv[1]).resolve()
sys.path.insert(0, str(root / "tests/helpers"))
import project # noqa: E402

passed = failed = 0
used, names = set(), set()
for path in sorted((root / "src").rglob("*")):
    found = re.match(rb"(?:/\* SPDX-License-Identifier: MIT \*/\n)?/\* Made by tools/([\w-]+)", path.read_bytes()) if path.suffix in (".c", ".h", ".inl") else None
    if not found:
        continue
    name = found[1].decode()
    used.add(name)
    names.add(path.name)
    if b"SPDX" not in found[0]:
        failed += 1
        print(f"{path.relative_to(root)}: no line \"SPDX-License-Identifier: MIT\" at the top")
    made = subprocess.run([sys.executable, "-B", root / "tools" / name], stdout=subprocess.PIPE, check=True).stdout
    if made == path.read_bytes():
        passed += 1
    else:
        failed += 1
        print(f"{path.relative_to(root)} is not what tools/{name} prints")
for name in sorted(names ^ project.generated(root)):
    failed += 1
    print(f".gitattributes: {name} is not marked linguist-generated" if name in names else f".gitattributes: {name} names no generator")
for path in sorted((root / "tools").glob("make-*")):
    if path.name not in used:
        failed += 1
        print(f"tools/{path.name}: no file of src/ says that it made it")
assert passed + failed > 0, "no generated file found"
print(f"{passed} passed, {failed} failed")
sys.exit(1 if failed else 0)
