# SPDX-License-Identifier: MIT
"""A decoder of lean clips and a measurement of their error, in double precision, written from docs/formats/lean.md."""
import math
import re
import struct

STEPS = (1.0, 0.84089642, 0.70710678, 0.59460356)


def templates(document):
    """Rows of (width, shift), from the page's list."""
    with open(document, encoding="utf-8") as file:
        body = re.search(r"## Templates\n.*?```text\n(.*?)```", file.read(), re.S)[1]
    rows = []
    for word in body.split():
        widths, _, shifts = word.partition("+")
        rows.append([(int(digit, 17), int(shifts[j]) if shifts and j < 4 else 0) for j, digit in enumerate(widths)])
    assert len(rows) == 256
    return rows


class Bits:
    def __init__(self, data, at):
        self.number, self.left, self.used = int.from_bytes(data[at:], "little"), 8 * (len(data) - at), 0

    def take(self, count):
        value = self.number >> self.used & ((1 << count) - 1)
        self.used += count
        assert self.used <= self.left
        return value

    def signed(self, count):
        value = self.take(count)
        return value - (1 << count) if count and value >> (count - 1) else value

    def bytes_used(self):
        return (self.used + 7) // 8


def mul(a, b):
    return (a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1], a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
            a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3], a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2])


def unit(q):
    length = math.sqrt(sum(x * x for x in q))
    return tuple(x / length for x in q) if length > 1e-15 else (0.0, 0.0, 0.0, 1.0)


class Rig:
    def __init__(self, data):
        version, self.count, scales, self.unit, self.shell = struct.unpack_from("<BBBbf", data)
        assert version == 1 and len(data) == 8 + self.count * (36 if scales else 24)
        self.bones = []
        for bone in range(self.count):
            at = 8 + bone * (36 if scales else 24)
            numbers = struct.unpack_from("<6h3f", data, at)
            scale = struct.unpack_from("<3f", data, at + 24) if scales else (1.0, 1.0, 1.0)
            turns = []
            for k in (0, 3):
                v = numbers[k:k + 3]
                turns.append(unit((*(x / 32767 for x in v), math.sqrt(max(0, 32767 ** 2 - sum(x * x for x in v))) / 32767)))
            self.bones.append((turns[0], turns[1], numbers[6:9], scale))


CLASSES = ((0, 2, 3), (0, 3, 4), (2, 2, 3), (4, 2, 3), (0, 1, 3), (2, 1, 3), (4, 1, 3)) # shift in the mode, its value, components


class Clip:
    def __init__(self, data, rig, rows):
        self.rig, self.data, self.rows = rig, data, rows
        self.frames, stored, self.longest, method = struct.unpack_from("<HHBB", data)
        assert method == 0 and data[-8:] == bytes(8)
        self.error = (1024 + stored % 1024) * 2.0 ** (stored // 1024 - 50) if stored else 0.0
        modes = data[6:6 + rig.count]
        bits = Bits(data, 6 + rig.count)
        self.tracks, self.constants = [], []
        for index, (shift, value, components) in enumerate(CLASSES):
            for bone in range(rig.count):
                if modes[bone] >> shift & 3 != value:
                    continue
                i, width = bits.take(7), bits.take(5)
                step = 2.0 ** -(i >> 2) * STEPS[i & 3] * (2.0 ** rig.unit if shift == 2 else 1.0)
                parts = [(bits.signed(width), *((bits.take(5), bits.take(1)) if index < 4 else (0, 0))) for _ in range(components)]
                (self.tracks if index < 4 else self.constants).append((bone, shift // 2, step, parts))
        at = 6 + rig.count + bits.bytes_used()
        self.blocks = -(-(self.frames - 1) // self.longest)
        self.key_size = (sum(width for track in self.tracks for _, width, _ in track[3]) + 7) // 8
        self.keys = at
        self.offsets = at + self.key_size * (self.blocks + 1 if self.blocks else 0)
        self.still = [{0: (0.0, 0.0, 0.0), 1: (0.0, 0.0, 0.0), 2: (0.0, 0.0, 0.0)} for _ in range(rig.count)]
        for bone, kind, step, parts in self.constants:
            self.still[bone][kind] = tuple(step * 0.625 * low for low, _, _ in parts)

    def row(self, index):
        bits = Bits(self.data[:self.keys + (index + 1) * self.key_size], self.keys + index * self.key_size)
        return [[low + bits.take(width) for low, width, _ in track[3]] for track in self.tracks]

    def block(self, index):
        """All frames of a block but the last: of each the values of each bone."""
        first, last = index * (self.frames - 1) // self.blocks, (index + 1) * (self.frames - 1) // self.blocks
        steps = last - first
        start = struct.unpack_from("<I", self.data, self.offsets + 4 * index)[0]
        active = sum(part[2] for track in self.tracks for part in track[3])
        ids = iter(self.data[start:start + active])
        end = struct.unpack_from("<I", self.data, self.offsets + 4 * index + 4)[0] if index + 1 < self.blocks else len(self.data) - 8
        bits = Bits(self.data[:end], start + active)
        row_a, row_b = self.row(index), self.row(index + 1)
        out = [[dict(values) for values in self.still] for _ in range(steps + 1)]
        norm = math.sqrt(2 / steps) / 16384
        for t, (bone, kind, step, parts) in enumerate(self.tracks):
            columns = []
            for k, (_, _, is_active) in enumerate(parts):
                z = []
                if is_active:
                    for width, shift in self.rows[next(ids)]:
                        value = (bits.take(width) - (1 << (width - 1)) + 1) << shift if width else 0
                        z.append((value + 32768) % 65536 - 32768)
                a, b = row_a[t][k], row_b[t][k]
                column = []
                for f in range(steps + 1):
                    total = sum(x * math.floor(16384 * math.sin(math.pi * (j * f % (2 * steps)) / steps) + 0.5) for j, x in enumerate(z, 1) if j < steps and x)
                    column.append(step * 0.625 * (a + (b - a) * f / steps) + step * norm * total)
                columns.append(column)
            for f in range(steps + 1):
                out[f][bone][kind] = tuple(column[f] for column in columns)
        assert bits.bytes_used() + start + active == end, "a block has another length"
        return first, out

    def pose(self, values):
        """(rotation, position, scale) of each bone."""
        out = []
        for (a, c, position, scale), own in zip(self.rig.bones, values):
            r = own[0]
            if len(r) == 3:
                s = sum(x * x for x in r)
                r = (*(2 * x / (1 + s) for x in r), (1 - s) / (1 + s))
            out.append((unit(mul(mul(a, r), c)), [x + y for x, y in zip(own[1], position)], [x + y for x, y in zip(own[2], scale)]))
        return out

    def poses(self):
        if self.blocks == 0:
            yield 0, self.pose(self.still)
        for index in range(self.blocks):
            first, frames = self.block(index)
            for f, values in enumerate(frames if index + 1 == self.blocks else frames[:-1]):
                yield first + f, self.pose(values)


def compose(pose, parents):
    """Columns x, y, z and the place of each bone in model space."""
    out = []
    for bone, ((x, y, z, w), p, s) in enumerate(pose):
        local = [[(1 - 2 * (y * y + z * z)) * s[0], 2 * (x * y + z * w) * s[0], 2 * (x * z - y * w) * s[0]],
                 [2 * (x * y - z * w) * s[1], (1 - 2 * (x * x + z * z)) * s[1], 2 * (y * z + x * w) * s[1]],
                 [2 * (x * z + y * w) * s[2], 2 * (y * z - x * w) * s[2], (1 - 2 * (x * x + y * y)) * s[2]], list(p)]
        if parents[bone] >= 0:
            up = out[parents[bone]]
            local = [[up[0][i] * v[0] + up[1][i] * v[1] + up[2][i] * v[2] for i in range(3)] for v in local]
            local[3] = [local[3][i] + up[3][i] for i in range(3)]
        out.append(local)
    return out


def errors(source, decoded, shell):
    """The largest distance of each bone: of its place and the points around it."""
    for want, have in zip(source, decoded):
        off = [have[3][i] - want[3][i] for i in range(3)]
        worst = math.hypot(*off)
        for axis in range(3):
            length = math.hypot(*want[axis])
            if length > 0:
                worst = max(worst, math.hypot(*(off[i] + (have[axis][i] - want[axis][i]) * shell / length for i in range(3))))
        yield worst
