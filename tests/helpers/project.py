# SPDX-License-Identifier: MIT
"""What the tests of the project's own files share: the sources of a tree with or without git, and checks that list faults."""
import re
import sys


def files(root, *tops, suffixes):
    """The files below these folders that end so, by their paths from the root; without what `make demo` makes."""
    for top in tops:
        for path in sorted((root / top).rglob("*")):
            if path.suffix in suffixes and path.is_file() and "out" not in path.relative_to(root).parts:
                yield path.relative_to(root)


def generated(root):
    """The names that .gitattributes marks as generated tables."""
    return set(re.findall(r"^(\S+)\s+linguist-generated", (root / ".gitattributes").read_text(encoding="utf-8"), re.M))


def run_checks(names):
    """Runs every check_ function of a module's globals, prints the faults that each yields, and ends the script."""
    failed = 0
    checks = [(name, function) for name, function in names.items() if name.startswith("check_")]
    for name, function in checks:
        faults = list(function())
        failed += bool(faults)
        for fault in faults:
            print(f"{name.removeprefix('check_')}: {fault}")
    print(f"{len(checks) - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)
