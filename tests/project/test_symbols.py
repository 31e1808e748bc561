# SPDX-License-Identifier: MIT
"""The names of the libraries: no two files of one define the same name (a linker takes the first from an archive and says nothing), all begin with ember_ or
emberi_, and the shared library shows the public functions alone, each of which a public header declares.

test_symbols.py NM ROOT ARCHIVE... [SHARED.so]"""
import collections
import pathlib
import re
import subprocess
import sys

nm, root, *libraries = sys.argv[1:]
root = pathlib.Path(root)
declared = set()
for header in (root / "include/ember").glob("*.h"):
    text = re.sub(r"/\*.*?\*/", "", header.read_text(encoding="utf-8"), flags=re.S)
    declared |= set(re.findall(r"\b(ember_\w+)\(", text)) | set(re.findall(r"\bextern [^;]*?\b(ember_\w+)[;\[]", text))
# What native games call goes by other names in the library.
declared |= {f"ember_game_{name}" for name in re.findall(r"EMBER_GAME_CALL\((\w+)\)", (root / "game/ember_game.h").read_text(encoding="utf-8"))}
assert len(declared) > 100, f"only {len(declared)} names are declared"


def names_of(library, *options):
    """Each name that the library defines, with the members it stands in."""
    places, member = collections.defaultdict(list), ""
    for line in subprocess.run([nm, *options, "--defined-only", library], check=True, capture_output=True, text=True).stdout.splitlines():
        words = line.split()
        if line.endswith(":"):
            member = line[:-1]
        elif len(words) == 3 and words[1] != "A": # the name of a version is no symbol
            places[words[2]].append(member)
    return places


passed, faults, libraries_seen = 0, [], 0
for library in libraries:
    shared = pathlib.Path(library).suffix != ".a"
    places = names_of(library, *(["-D"] if shared else ["-g"]))
    name = pathlib.Path(library).name
    if len(places) < 5:
        faults.append(f"{name}: only {len(places)} names found")
    libraries_seen += 1
    for symbol, members in sorted(places.items()):
        if len(members) > 1:
            faults.append(f"{name}: {symbol} is defined in {' and '.join(members)}")
        elif shared and symbol not in declared:
            faults.append(f"{name}: {symbol} is shown, and no public header declares it")
        elif not shared and symbol.startswith("ember_") and symbol not in declared:
            faults.append(f"{name}: {symbol} is named like a public function, and no public header declares it")
        elif not symbol.startswith(("ember_", "emberi_", "__")):
            faults.append(f"{name}: {symbol} is neither ember_ nor emberi_")
        else:
            passed += 1
assert libraries_seen > 0, "no library to look at"
print("\n".join(faults))
print(f"{libraries_seen} libraries, {passed} passed, {len(faults)} failed")
sys.exit(1 if faults else 0)
