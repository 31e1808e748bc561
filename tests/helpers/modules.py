# SPDX-License-Identifier: MIT
"""WASM modules put together by hand, and recordings of inputs read by their description."""


def section(number, body):
    return bytes([number, len(body)]) + body


def traps_in_update():
    """memory and update, which is one `unreachable`."""
    def name(text):
        return bytes([len(text)]) + text.encode()
    return (b"\0asm\x01\0\0\0"
            + section(1, b"\x01\x60\0\0")  # a function without parameters and results
            + section(3, b"\x01\0")
            + section(5, b"\x01\x01\x01\x01")  # one page of memory
            + section(7, b"\x02" + name("memory") + b"\x02\0" + name("update") + b"\0\0")
            + section(10, b"\x01\x03\0\0\x0b"))


def read_inputs(text):
    """[[player 1, 2, 3, 4]] for each frame: a line `FRAME A B C D` (hexadecimal) says what is held from that frame on, the last line how many there are."""
    frames, held = [], [0, 0, 0, 0]
    for line in text.splitlines()[3:]:
        words = line.split()
        number = int(words[1]) + 1 if words[0] == "end" else int(words[0])
        while len(frames) + 1 < number:
            frames.append(held)
        if words[0] != "end":
            held = [int(word, 16) for word in words[1:5]]
    return frames
