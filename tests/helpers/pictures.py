# SPDX-License-Identifier: MIT
"""Pictures read by their specifications, with zlib alone: what the tests of preview and run look at."""

import struct
import zlib


class Picture:
    """RGB pixels, the top row first."""

    def __init__(self, width, height, rows):
        self.width, self.height, self.rows = width, height, rows

    def at(self, x, y):
        return tuple(self.rows[y][3 * x:3 * x + 3])

    def count(self, holds, box=None):
        """How many pixels of the box (left, top, right, bottom) hold(r, g, b)."""
        left, top, right, bottom = box or (0, 0, self.width, self.height)
        return sum(1 for y in range(top, bottom) for x in range(left, right) if holds(*self.rows[y][3 * x:3 * x + 3]))


def chunks(data):
    assert data[:8] == b"\x89PNG\r\n\x1a\n", "not a PNG"
    at = 8
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + size]
        (check,) = struct.unpack(">I", data[at + 8 + size:at + 12 + size])
        assert check == zlib.crc32(kind + body), "%s has a wrong check" % kind
        yield kind, body
        at += 12 + size


def unfilter(raw, width, height):
    rows, before, at = [], bytes(3 * width), 0
    for _ in range(height):
        kind, line = raw[at], bytearray(raw[at + 1:at + 1 + 3 * width])
        for i in range(3 * width):
            left, up, corner = (line[i - 3] if i >= 3 else 0), before[i], (before[i - 3] if i >= 3 else 0)
            if kind == 1:
                guess = left
            elif kind == 2:
                guess = up
            elif kind == 3:
                guess = (left + up) // 2
            elif kind == 4:
                nearest = left + up - corner
                guess = min((left, up, corner), key=lambda v: abs(nearest - v))
            else:
                guess = 0
            line[i] = (line[i] + guess) & 255
        rows.append(line)
        before = line
        at += 1 + 3 * width
    return rows


def png(data):
    packed, size = b"", None
    for kind, body in chunks(data):
        if kind == b"IHDR":
            width, height, depth, color = struct.unpack(">IIBB", body[:10])
            assert (depth, color) == (8, 2), "not RGB of 8 bits"
            size = width, height
        elif kind == b"IDAT":
            packed += body
    return Picture(*size, unfilter(zlib.decompress(packed), *size))


def apng_frames(data):
    """[(seconds, box)] of an animated PNG, box being left, top, width, height."""
    found = []
    for kind, body in chunks(data):
        if kind == b"fcTL":
            _, width, height, left, top, number, parts = struct.unpack(">IIIIIHH", body[:24])
            found.append((number / parts, (left, top, width, height)))
    return found


def gif_frames(data):
    """(width, height, [hundredths of a second]) of a GIF, by its blocks."""
    assert data[:6] == b"GIF89a", data[:6]
    width, height, flags = struct.unpack("<HHB", data[6:11])
    at, delays = 13 + (3 << (flags & 7) + 1 if flags & 128 else 0), []
    while data[at] != 0x3B:
        if data[at] == 0x21:
            if data[at + 1] == 0xF9:
                delays.append(struct.unpack("<H", data[at + 4:at + 6])[0])
            at += 2
        elif data[at] == 0x2C:
            local = data[at + 9]
            at += 10 + (3 << (local & 7) + 1 if local & 128 else 0) + 1
        else:
            raise AssertionError("no such block: %d" % data[at])
        while data[at] != 0:
            at += 1 + data[at]
        at += 1
    assert at == len(data) - 1, "bytes behind the end"
    return width, height, delays
