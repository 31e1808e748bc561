# SPDX-License-Identifier: MIT
"""The Rust module has every function of the console, with its signature, and no other."""
import re
import sys

root = sys.argv[1]
rust = open(f"{root}/game/rust/ember_game.rs").read()
listed = open(f"{root}/src/console/functions.h").read().replace("\\\n", "")

wanted = {name: signature for name, signature in re.findall(r'X\(\s*\w+,\s*(\w+),\s*"([if]*>[ifl]?)"', listed)}
assert len(wanted) > 60, len(wanted)

raw = re.search(r'extern "C" \{(.*?)\n    \}', rust, re.S).group(1)
found = {}
for name, parameters, result in re.findall(r"pub fn (\w+)\(([^)]*)\)\s*(?:->\s*(\w+))?\s*;", raw):
    types = [p.split(":")[1].strip() for p in parameters.split(",") if ":" in p]
    letters = "".join("f" if t == "f32" else "i" for t in types)
    found[name] = letters + ">" + {"": "", "u32": "i", "u64": "l", "f32": "f"}[result]

failed = 0
for name in sorted(wanted.keys() | found.keys()):
    if wanted.get(name) != found.get(name):
        failed += 1
        print(f"{name}: the console has {wanted.get(name)}, ember_game.rs {found.get(name)}")
    if name in found and not re.search(rf"^pub (unsafe )?fn {name}\(", rust, re.M):
        failed += 1
        print(f"{name}: no function with slices")
sys.exit(1 if failed else 0)
