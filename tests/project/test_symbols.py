"""No two files of the library define the same name: a linker takes the first from an archive and says nothing."""
import collections
import subprocess
import sys

nm, library = sys.argv[1:]
places = collections.defaultdict(list)
member = ""
for line in subprocess.run([nm, "-g", "--defined-only", library], check=True, capture_output=True, text=True).stdout.splitlines():
    words = line.split()
    if line.endswith(":"):
        member = line[:-1]
    elif len(words) == 3:
        places[words[2]].append(member)

twice = {name: members for name, members in places.items() if len(members) > 1}
foreign = sorted(name for name in places if not name.startswith(("ember_", "emberi_", "__")))
assert len(places) > 100, f"only {len(places)} names found"
for name, members in sorted(twice.items()):
    print(f"{name} is defined in {' and '.join(members)}")
for name in foreign:
    print(f"{name} is neither ember_ nor emberi_")
print(f"{len(places) - len(twice) - len(foreign)} passed, {len(twice) + len(foreign)} failed")
sys.exit(1 if twice or foreign else 0)
