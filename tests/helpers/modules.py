# SPDX-License-Identifier: MIT
"""WASM modules put together by hand, and recordings of inputs read by their description."""


def section(number, body):
    return bytes([number, len(body)]) + body


def name(text):
    return bytes([len(text)]) + text.encode()


def traps_in_update():
    """memory and update, which is one `unreachable`."""
    return (b"\0asm\x01\0\0\0"
            + section(1, b"\x01\x60\0\0")  # a function without parameters and results
            + section(3, b"\x01\0")
            + section(5, b"\x01\x01\x01\x01")  # one page of memory
            + section(7, b"\x02" + name("memory") + b"\x02\0" + name("update") + b"\0\0")
            + section(10, b"\x01\x03\0\0\x0b"))


def counts_renders():
    """update traps where not exactly one render ran since the last update, render where no update did: they add to and take from one global."""
    def count(expected, after):
        # if (global != expected) unreachable; global = after;
        body = b"\0\x23\0\x41" + bytes([expected]) + b"\x47\x04\x40\0\x0b\x41" + bytes([after]) + b"\x24\0\x0b"
        return bytes([len(body)]) + body
    return (b"\0asm\x01\0\0\0"
            + section(1, b"\x01\x60\0\0")
            + section(3, b"\x02\0\0")
            + section(5, b"\x01\x01\x01\x01")
            + section(6, b"\x01\x7f\x01\x41\0\x0b")  # a number that changes, 0 at the start
            + section(7, b"\x03" + name("memory") + b"\x02\0" + name("update") + b"\0\0" + name("render") + b"\0\x01")
            + section(10, b"\x02" + count(0, 1) + count(1, 0)))


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
