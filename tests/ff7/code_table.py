# SPDX-License-Identifier: MIT
"""The table of src/codec/ff7_table.h from the definition of the codes. Without arguments it prints the file; with the file's
path it checks that the file is what it should be."""
import sys

BITS = 10


def code(text):
    """(value, bits used) of the rotation code at the start of a string of bits; None where it is cut off or of type 7."""
    if not text:
        return None
    if text[0] == "0":
        return 0, 1
    if len(text) < 4 or text[1:4] == "111":
        return None
    kind = int(text[1:4], 2)
    if kind == 0:
        return -1, 4
    if len(text) < 4 + kind:
        return None
    value = int(text[4:4 + kind], 2)
    half = 1 << (kind - 1)
    return (value - 2 * half - half if value >= half else value + half), 4 + kind


def entry(index):
    """Up to three codes that are whole in the index's bits: the bits they take, how many they are, and their values."""
    text, used, values = format(index, f"0{BITS}b"), 0, []
    while len(values) < 3:
        found = code(text[used:])
        if found is None:
            break
        values.append(found[0] & 0xFFFF)
        used += found[1]
    return used | len(values) << 8 | sum(value << (16 + 16 * i) for i, value in enumerate(values))


def table():
    lines = ["/* Made by tests/ff7/code_table.py: for every ten bits the rotation codes that are whole in them, up to three. Bits 0 to 7: how",
             "   many bits they take; 8 to 15: how many they are; then their values, 16 bits each. All of it is 0 for type 7. */",
             "static const uint64_t ff7_codes[1024] = {"]
    entries = [entry(i) for i in range(1 << BITS)]
    for i in range(0, len(entries), 5):
        lines.append("    " + " ".join(f"0x{e:016x}," for e in entries[i:i + 5]))
    lines.append("};")
    return "\n".join(lines) + "\n"


if len(sys.argv) < 2:
    print(table(), end="")
else:
    with open(sys.argv[1], encoding="utf-8") as file:
        if file.read() != table():
            print(f"{sys.argv[1]} is not what code_table.py makes")
            sys.exit(1)
    print("1024 entries passed, 0 failed")
