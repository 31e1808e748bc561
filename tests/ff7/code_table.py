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
    """(packed values, bits used, how many values) of up to four codes that are whole in the index's bits."""
    text, packed, used, count = format(index, f"0{BITS}b"), 0, 0, 0
    while count < 4:
        found = code(text[used:])
        if found is None:
            break
        packed |= (found[0] & 0xFFFF) << (16 * count)
        used += found[1]
        count += 1
    return packed, used, count


def table():
    lines = ["/* Made by tests/ff7/code_table.py: for every ten bits the rotation codes that are whole in them, up to four: their values in 16",
             "   bits each, the first lowest; how many they are times 32, plus the bits they take. Both are 0 for type 7. */",
             "static const uint64_t ff7_values[1024] = {"]
    entries = [entry(i) for i in range(1 << BITS)]
    for i in range(0, len(entries), 5):
        lines.append("    " + " ".join(f"0x{e[0]:016x}," for e in entries[i:i + 5]))
    lines += ["};", "static const uint8_t ff7_steps[1024] = {"]
    for i in range(0, len(entries), 16):
        lines.append("    " + " ".join(f"0x{e[2] * 32 + e[1]:02x}," for e in entries[i:i + 16]))
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
