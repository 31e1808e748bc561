# SPDX-License-Identifier: MIT
"""The names of the libraries: no two files of one define the same name (a linker takes the first from an archive and says nothing), all begin with ember_ or
emberi_, and the shared library exports exactly what the headers mark with EMBER_API. A header of the library marks all that it declares; those of the archives
that have no shared library mark nothing.

test_symbols.py NM ROOT ARCHIVE... [SHARED.so]"""
import collections
import pathlib
import re
import subprocess
import sys

nm, root, *libraries = sys.argv[1:]
root = pathlib.Path(root)
ARCHIVES = {"console.h", "draw.h", "image.h", "machine.h", "renderer.h"}  # of libember-console and the others that are archives alone
faults, declared, exported = [], set(), set()
for header in (root / "include/ember").glob("*.h"):
    text = re.sub(r"/\*.*?\*/|^\s*#.*?(?<!\\)$", "", header.read_text(encoding="utf-8"), flags=re.S | re.M)
    text = text.replace('extern "C" {', "")
    while re.search(r"\{[^{}]*\}", text):  # structs, enums and inline functions, the inner ones first
        text = re.sub(r"\{[^{}]*\}", ";", text)
    for statement in text.split(";"):
        found = re.search(r"\b(ember_\w+)\s*\(", statement) or re.search(r"^\s*extern\b.*\b(ember_\w+)\s*$", statement, re.S)
        if found is None or re.search(r"\b(typedef|static)\b|\(\*", statement):
            continue
        declared.add(found.group(1))
        if "EMBER_API" in statement:
            exported.add(found.group(1))
        if ("EMBER_API" in statement) == (header.name in ARCHIVES):
            faults.append(f"{header.name}: {found.group(1)} is {'marked' if header.name in ARCHIVES else 'not marked'} with EMBER_API")
assert len(exported) > 150, f"only {len(exported)} names are exported"
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


passed, libraries_seen = 0, 0
for library in libraries:
    shared = pathlib.Path(library).suffix != ".a"
    places = names_of(library, *(["-D"] if shared else ["-g"]))
    name = pathlib.Path(library).name
    if len(places) < 5:
        faults.append(f"{name}: only {len(places)} names found")
    if shared:
        faults += [f"{name}: {symbol} is marked with EMBER_API, and the library does not export it" for symbol in sorted(exported - set(places))]
    libraries_seen += 1
    for symbol, members in sorted(places.items()):
        if len(members) > 1:
            faults.append(f"{name}: {symbol} is defined in {' and '.join(members)}")
        elif shared and symbol not in exported:
            faults.append(f"{name}: {symbol} is exported, and no public header marks it")
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
