# SPDX-License-Identifier: MIT
"""Squeezed blocks decoded by the book: written from docs/formats/squeeze.md alone, in integers and floats rounded by hand. Slow, and
without a thought for damaged blocks."""

import math
import re
import struct


def f32(x):
    """The nearest single. One rounding of a double's result is the single's own for + - * / and roots."""
    return struct.unpack("<f", struct.pack("<f", x))[0]


def u16(data, at):
    return struct.unpack_from("<H", data, at)[0]


def u32(data, at):
    return struct.unpack_from("<I", data, at)[0]


def ordered(half):
    value = half if half < 0x8000 else half ^ 0x7FFF
    return value - 65536 if value >= 0x8000 else value


def half_of_ordered(value):
    bits = value & 0xFFFF
    return bits if bits < 0x8000 else bits ^ 0x7FFF


def wrap16(value):
    return (value + 32768) % 65536 - 32768


def mix(low, high, weight):
    return (low * (16384 - weight) + high * weight + 8192) >> 14


# ---- rotations: (a, b, c, index) ----


def fields_of(code):
    return [code >> 22 & 1023, code >> 12 & 1023, code >> 2 & 1023], code & 3


def code_of(fields, index):
    return fields[0] << 22 | fields[1] << 12 | fields[2] << 2 | index


def axis(index, j):
    return j + 1 if j >= index else j


def quad_of(fields, index):
    quad = [0, 0, 0, 0]
    for j in range(3):
        quad[axis(index, j)] = 2 * fields[j] - 1023
    n = 2093058 - sum(u * u for u in quad)
    quad[index] = math.isqrt(n) if n > 0 else 0
    return quad


def quad_mix(low, high, weight):
    if sum(a * b for a, b in zip(low, high)) < 0:
        high = [-u for u in high]
    return [mix(a, b, weight) for a, b in zip(low, high)]


def quad_fields(quad, index):
    sign = -1 if quad[index] < 0 else 1
    return [min(1023, max(0, (sign * quad[axis(index, j)] + 1023) >> 1)) for j in range(3)]


# ---- the block ----


class Rig:
    def __init__(self, rest, parents, offsets):
        self.rest, self.parents, self.offsets = rest, parents, offsets  # 16 bytes, an index, three floats for each bone


class Tracks:
    """Modes and the constant frame."""

    def __init__(self, block, rig):
        bones = block[1]
        self.modes = list(block[5 : 5 + bones])
        self.constant = [bytearray(record) for record in rig.rest]
        at = 5 + bones
        for bone, mode in enumerate(self.modes):
            record = self.constant[bone]
            if mode & 32:
                record[0:4] = block[at : at + 4]
                at += 4
            for j in range(3):
                if mode & 64 and not mode & 2 << j:
                    record[4 + 2 * j : 6 + 2 * j] = block[at : at + 2]
                    at += 2
            if mode & 128:
                record[10:16] = block[at : at + 6]
                at += 6
        self.end = at

    def axes(self, bone, vector):
        """Which of three components move: vector 1 is the position, 2 the scale."""
        mode = self.modes[bone]
        return [bool(mode & 2 << j) for j in range(3)] if vector == 1 else [bool(mode & 16)] * 3

    def scalars(self):
        """(bone, byte of the record) of everything but rotations that moves."""
        return [(bone, 4 + 6 * (v - 1) + 2 * j) for bone in range(len(self.modes)) for v in (1, 2) for j in range(3) if self.axes(bone, v)[j]]

    def rotations(self):
        return [bone for bone, mode in enumerate(self.modes) if mode & 1]


def span_keys(frames, longest):
    count = -(-(frames - 1) // longest)
    return [k * (frames - 1) // count for k in range(count + 1)] if count else [0]


def node(low, high):
    middle = (low + high) >> 1
    return middle, ((middle - low) * 16384 + (high - low) // 2) // (high - low)


def decode(block, rig):
    """All frames, each the bytes of its records."""
    method, bones, frames = block[0], block[1], u16(block, 2)
    if bones == 0 or frames == 0:
        return [b""] * frames
    if method == 0:
        return [bytes(block[4 + 16 * bones * f : 4 + 16 * bones * (f + 1)]) for f in range(frames)]
    tracks = Tracks(block, rig)
    if not any(mode & 31 for mode in tracks.modes):
        return [b"".join(bytes(record) for record in tracks.constant)] * frames
    return Quick(block, tracks, frames).frames if method == 1 else Small(block, tracks, frames, rig).frames


# ---- quick ----


class Quick:
    def __init__(self, block, tracks, frames):
        self.block, self.tracks = block, tracks
        self.rotations, self.scalars = tracks.rotations(), tracks.scalars()
        keys, at = span_keys(frames, block[4]), tracks.end
        rows = {}
        for frame in keys:
            codes = [fields_of(u32(block, at + 4 * i)) for i in range(len(self.rotations))]
            at += 4 * len(codes)
            rows[frame] = codes, [wrap16(u16(block, at + 2 * i)) for i in range(len(self.scalars))]
            at += 2 * len(self.scalars)
        for k in range(len(keys) - 1):
            self.span(rows, keys[k], keys[k + 1], u32(block, at + 4 * k))
        self.frames = [self.frame(rows[f]) for f in range(frames)]

    def span(self, rows, first, last, at):
        steps = last - first
        levels = (steps - 1).bit_length()
        if levels == 0:
            return
        sizes = [u16(self.block, at + 2 * v) for v in range(levels)]
        at += 2 * levels
        rotations = [u16(self.block, at + 2 * i) for i in range(len(self.rotations))]
        at += 2 * len(rotations)
        scalars = list(self.block[at : at + len(self.scalars)])
        at += len(scalars)
        intervals = [(0, steps)]
        for level in range(levels):
            extra = [(slope * (levels - 1 - level) + 1) >> 1 for slope in range(4)]
            widths = [(bits >> 4 * j & 15) + extra[bits >> 12 & 3] for j in range(3) for bits in rotations]
            widths += [(bits & 31) + extra[bits >> 5] for bits in scalars]
            halves = []
            for low, high in intervals:
                if high - low < 2:
                    halves.append((low, high))
                    continue
                middle, weight = node(low, high)
                self.row(rows, first, low, high, middle, weight, at, widths, rotations, rows[first][0])
                at += sizes[level]
                halves += [(low, middle), (middle, high)]
            intervals = halves

    def row(self, rows, first, low, high, middle, weight, at, widths, rotations, key):
        bits = int.from_bytes(self.block[at:], "little") if len(self.block) - at < 4096 else int.from_bytes(self.block[at : at + 5000], "little")

        def take(width):
            nonlocal bits
            value = bits & ((1 << width) - 1)
            bits >>= width
            return value

        def residual(width):
            value = take(width)
            return value - (1 << width) if width and value >> (width - 1) else value

        indices = [take(2) if r >> 14 & 1 else key[i][1] for i, r in enumerate(rotations)]
        residuals = [residual(width) for width in widths]
        (low_codes, low_values), (high_codes, high_values) = rows[first + low], rows[first + high]
        codes = []
        for i, r in enumerate(rotations):
            if r >> 14 & 1:
                predicted = quad_fields(quad_mix(quad_of(*low_codes[i]), quad_of(*high_codes[i]), weight), indices[i])
            else:
                predicted = [mix(low_codes[i][0][j], high_codes[i][0][j], weight) for j in range(3)]
            codes.append(([(predicted[j] + residuals[j * len(rotations) + i]) % 1024 for j in range(3)], indices[i]))
        rest = residuals[3 * len(rotations) :]
        values = [wrap16(mix(a, b, weight) + r) for a, b, r in zip(low_values, high_values, rest)]
        rows[first + middle] = codes, values

    def frame(self, row):
        records = [bytearray(record) for record in self.tracks.constant]
        for bone, (fields, index) in zip(self.rotations, row[0]):
            struct.pack_into("<I", records[bone], 0, code_of(fields, index))
        for (bone, byte), value in zip(self.scalars, row[1]):
            struct.pack_into("<H", records[bone], byte, half_of_ordered(value))
        return b"".join(bytes(record) for record in records)


# ---- small: codes ----


def code_tables(path):
    """The tables of the document itself."""
    text = open(path, encoding="utf-8").read()
    numbers = lambda line: [int(n) for n in re.findall(r"\d+", line)]
    lines = text[text.index("TRIPLE_CLASS\n") :].split("\n")
    lengths = lambda start: [canonical(numbers(line.split(":")[1])) for line in lines[start : start + 8]]
    return numbers(lines[1]), lengths(3), lengths(lines.index("single codes, symbols 0 to 32") + 1)


def canonical(lengths):
    codes, code = {}, 0
    for length in range(1, max(lengths) + 1):
        for symbol, own in enumerate(lengths):
            if own == length:
                codes[length, code] = symbol
                code += 1
        code <<= 1
    return codes


class Bits:
    def __init__(self, block, at):
        self.block, self.at = block, 8 * at

    def take(self, count):
        value = 0
        for _ in range(count):
            value = value << 1 | self.block[self.at >> 3] >> (7 - (self.at & 7)) & 1
            self.at += 1
        return value

    def symbol(self, codes):
        code = length = 0
        while (length, code) not in codes:
            code = code << 1 | self.take(1)
            length += 1
        return codes[length, code]

    def golomb(self, parameter):
        zeros = 0
        while self.take(1) == 0:
            zeros += 1
        return (1 << (zeros + parameter) | self.take(zeros + parameter)) - (1 << parameter)

    def end(self):
        return (self.at + 7) // 8


def signed(number):
    return -(number + 1) // 2 if number & 1 else number // 2


# ---- small: predictions from the parent ----

UNIT = f32(1446.7405)
INVERSE = f32(1.0 / UNIT)


def add(*terms):
    total = terms[0]
    for term in terms[1:]:
        total = f32(total + term)
    return total


def mul(a, b):
    return f32(a * b)


def quat(fields, index):
    q, n = [0.0] * 4, 2093058
    for j in range(3):
        u = 2 * fields[j] - 1023
        q[axis(index, j)] = mul(float(u), INVERSE)
        n -= u * u
    q[index] = mul(f32(math.sqrt(n)), INVERSE) if n > 0 else 0.0
    return q


def product(a, b):
    (ax, ay, az, aw), (bx, by, bz, bw) = a, b
    return [
        add(mul(aw, bx), mul(ax, bw), mul(ay, bz), -mul(az, by)),
        add(mul(aw, by), -mul(ax, bz), mul(ay, bw), mul(az, bx)),
        add(mul(aw, bz), mul(ax, by), -mul(ay, bx), mul(az, bw)),
        add(mul(aw, bw), -mul(ax, bx), -mul(ay, by), -mul(az, bz)),
    ]


def turned(q, v):
    cross = lambda a, b: [f32(mul(a[(i + 1) % 3], b[(i + 2) % 3]) - mul(a[(i + 2) % 3], b[(i + 1) % 3])) for i in range(3)]
    t = [mul(2.0, x) for x in cross(q, v)]
    c = cross(q, t)
    return [f32(f32(v[i] + mul(q[3], t[i])) + c[i]) for i in range(3)]


def conjugate(q):
    return [-q[0], -q[1], -q[2], q[3]]


def half_value(half):
    exponent, fraction = half >> 10 & 31, half & 1023
    value = math.ldexp(fraction, -24) if exponent == 0 else math.ldexp(1024 + fraction, exponent - 25)
    return -value if half & 0x8000 else value


def nearest_half(value):
    if abs(value) >= 65504.0:
        half = 0x7BFF
    else:
        half = struct.unpack("<H", struct.pack("<e", abs(value)))[0]
    return half | (0x8000 if math.copysign(1.0, value) < 0 else 0)


# ---- small ----


class Bone:
    """A bone in a row: its record as numbers, and what the rows below look at."""

    def __init__(self, code, values):
        self.code, self.values = code, list(values)
        self.sizes, self.outlook = [0] * 9, [0] * 9
        self.q = self.position = self.local = self.place = None

    def note(self, at, residuals, above):
        for j in range(3):
            self.sizes[at + j] = min(abs(residuals[j]), 16383)
            self.outlook[at + j] = 2 * self.sizes[at + j] + (above.sizes[at + j] if above else self.sizes[at + j])

    def settle(self, parent):
        self.q = quat(*self.code)
        self.position = [half_value(half_of_ordered(v)) for v in self.values[:3]]
        if parent:
            self.local = product(conjugate(parent.q), self.q)
            self.place = turned(conjugate(parent.q), [f32(a - b) for a, b in zip(self.position, parent.position)])


class Small:
    tables = None

    def __init__(self, block, tracks, frames, rig):
        self.block, self.tracks, self.rig = block, tracks, rig
        self.bits = Bits(block, tracks.end)
        self.predictors = [(0, 0, 0)] * len(tracks.modes)
        if block[4] == 1:
            self.predictors = [self.predictor(bone) for bone in range(len(tracks.modes))]
        keys = span_keys(frames, 32)
        at = self.bits.end() + 4 * max(0, len(keys) - 2)
        table = [u32(block, self.bits.end() + 4 * k) for k in range(len(keys) - 2)]
        rest = self.settled([Bone(fields_of(u32(r, 0)), [ordered(u16(r, 4 + 2 * i)) for i in range(6)]) for r in tracks.constant])
        rows = {}
        rows[0], at = self.row(at, rest, rest, None, 0)
        for k in range(len(keys) - 1):
            assert k == 0 or at == table[k - 1]
            rows[keys[k + 1]], at = self.row(at, rows[0], rows[0], None, 0)
            at = self.tree(rows, keys[k], 0, keys[k + 1] - keys[k], rows[keys[k + 1]], at)
        assert at == len(block)
        self.frames = [self.frame(rows[f]) for f in range(frames)]

    def predictor(self, bone):
        mode, turns, moves, own = self.tracks.modes[bone], 0, 0, 0
        if self.rig.parents[bone] >= 0:
            turns = self.bits.take(1) if mode & 1 else 0
            moves = self.bits.take(1) if mode & 14 else 0
            own = self.bits.take(1) if moves else 0
        return turns, moves, own

    def settled(self, row):
        for bone, parent in zip(row, self.rig.parents):
            bone.settle(row[parent] if parent >= 0 else None)
        return row

    def tree(self, rows, first, low, high, above, at):
        if high - low < 2:
            return at
        middle, weight = node(low, high)
        left_size = None
        if middle - low >= 2:
            left_size = shift = 0
            while True:
                byte = self.block[at]
                at += 1
                left_size |= (byte & 127) << shift
                shift += 7
                if byte < 128:
                    break
        row, at = self.row(at, rows[first + low], rows[first + high], above, weight)
        rows[first + middle] = row
        left = at
        at = self.tree(rows, first, low, middle, row, at)
        assert left_size is None or at == left + left_size
        return self.tree(rows, first, middle, high, row, at)

    def row(self, at, low, high, above, weight):
        self.bits = Bits(self.block, at)
        out = [Bone(bone.code, bone.values) for bone in low]
        parents = [out[parent] if parent >= 0 else None for parent in self.rig.parents]
        ends = [(low[i], high[i], above[i] if above else None, parents[i]) for i in range(len(out))]
        for bone, mode in enumerate(self.tracks.modes):
            if mode & 1:
                self.rotation(out[bone], bone, ends[bone], weight)
            out[bone].settle(parents[bone])  # positions are still to come
        for vector in (1, 2):
            for bone in range(len(out)):
                if any(self.tracks.axes(bone, vector)):
                    self.vector(out[bone], bone, vector, ends[bone], weight)
                    out[bone].settle(parents[bone])
        return self.settled(out), self.bits.end()

    def expect(self, bone, vector, above, parent):
        axes = [True] * 3 if vector == 0 else self.tracks.axes(bone, vector)
        at = [3 * vector + j for j in range(3) if axes[j]]
        alike = parent and vector == 0 and self.tracks.modes[self.rig.parents[bone]] & 1
        alike = alike or (parent and vector == 1 and all(axes) and self.tracks.modes[self.rig.parents[bone]] & 14 == 14)
        expect = 2 * sum(above.outlook[i] for i in at) + (sum(parent.sizes[3 * vector : 3 * vector + 3]) if alike else sum(above.sizes[i] for i in at))
        return expect if len(at) == 3 else expect * 3 // 2 if len(at) == 2 else expect * 3

    def triple(self, expect):
        symbol = self.bits.symbol(self.tables[1][self.tables[0][expect]])
        return None if symbol == 27 else [symbol // 9 - 1, symbol // 3 % 3 - 1, symbol % 3 - 1]

    def single(self, outlook, expect):
        x = 2 * outlook + 3 * expect // 32
        symbol = self.bits.symbol(self.tables[2][sum(x >= limit for limit in (1, 32, 112, 320, 640, 1792, 7168))])
        if symbol == 32:
            return None
        if symbol < 4:
            return signed(symbol)
        plain = symbol // 2 - 1
        return signed((2 + symbol % 2 << plain) + self.bits.take(plain))

    def singles(self, above, at, axes, expect):
        out = []
        for j in range(3):
            out.append(self.single(above.outlook[at + j], expect) if axes[j] else 0)
            if out[0] is None:
                return None
        return out

    def rotation(self, me, bone, ends, weight):
        low, high, above, parent = ends
        expect = self.expect(bone, 0, above, parent) if above else 0
        quad, near = None, False
        margin = expect // 2 + 6
        if self.predictors[bone][0]:
            quad = self.parent_quad(low, high, parent, weight)
        elif low.code[1] != high.code[1]:
            quad = quad_mix(quad_of(*low.code), quad_of(*high.code), weight)
        if quad:
            order = sorted(range(4), key=lambda i: (abs(quad[i]), i))
            index, second = order[3], order[2]
            near = abs(quad[index]) - abs(quad[second]) < margin
            fields = quad_fields(quad, index)
        else:
            index = low.code[1]
            fields = [mix(low.code[0][j], high.code[0][j], weight) for j in range(3)]
            sizes = [abs(2 * f - 1023) for f in fields]
            largest = max(range(3), key=lambda j: (sizes[j], j))
            second = axis(index, largest)
            near = 2093058 - sum(s * s for s in sizes) < (sizes[largest] + margin) ** 2
        coded, residuals = index, None
        if above is None:
            coded, residuals = self.key_vector([True] * 3, index, 0)
        else:
            if near and self.bits.take(1):
                coded = self.bits.take(2) if self.bits.take(1) else second
            residuals = self.triple(expect) if expect < 39 else None
            residuals = residuals or self.singles(above, 0, [True] * 3, expect)
            if residuals is None:
                coded = self.bits.take(2)
                residuals = self.singles(above, 0, [True] * 3, expect)
        if coded != index:
            fields = quad_fields(quad or quad_of(fields, index), coded)
        me.code = [(f + r) % 1024 for f, r in zip(fields, residuals)], coded
        me.note(0, residuals, above)

    def parent_quad(self, low, high, parent, weight):
        part = mul(float(weight), 1.0 / 16384.0)
        rest = f32(1.0 - part)
        if add(*[mul(a, b) for a, b in zip(low.local, high.local)]) < 0.0:
            part = -part
        r = product(parent.q, [f32(mul(a, rest) + mul(b, part)) for a, b in zip(low.local, high.local)])
        n = add(*[mul(x, x) for x in r])
        scale = mul(UNIT, f32(1.875 - mul(n, f32(1.25 - mul(0.375, n)))))
        return [int(f32(x + (-0.5 if x < 0.0 else 0.5))) for x in (mul(y, scale) for y in r)]

    def key_vector(self, axes, index, more):
        residuals = [0, 0, 0]
        if self.bits.take(1):
            parameter = (0, 3, 5, 7)[self.bits.take(2)] + more
            if index is not None and self.bits.take(1):
                index = self.bits.take(2)
            residuals = [signed(self.bits.golomb(parameter)) if axes[j] else 0 for j in range(3)]
        return index, residuals

    def vector(self, me, bone, vector, ends, weight):
        low, high, above, parent = ends
        axes, at = self.tracks.axes(bone, vector), 3 * vector - 3
        _, moves, own = self.predictors[bone]
        if vector == 1 and moves:
            offset = self.rig.offsets[bone]
            if own:
                part = mul(float(weight), 1.0 / 16384.0)
                offset = [f32(mul(a, f32(1.0 - part)) + mul(b, part)) for a, b in zip(low.place, high.place)]
            predicted = [ordered(nearest_half(f32(p + t))) for p, t in zip(parent.position, turned(parent.q, offset))]
        else:
            predicted = [mix(low.values[at + j], high.values[at + j], weight) for j in range(3)]
        if above is None:
            _, residuals = self.key_vector(axes, None, 2)
        else:
            expect = self.expect(bone, vector, above, parent)
            residuals = self.triple(expect) if all(axes) and expect < 39 else None
            residuals = residuals or self.singles(above, at + 3, axes, expect)
        for j in range(3):
            if axes[j]:
                me.values[at + j] = wrap16(predicted[j] + residuals[j])
        me.note(at + 3, residuals, above)

    def frame(self, row):
        out = b""
        for mode, record, bone in zip(self.tracks.modes, self.tracks.constant, row):
            halves = struct.pack("<6H", *[half_of_ordered(v) for v in bone.values])
            out += struct.pack("<I", code_of(*bone.code)) + halves if mode & 31 else bytes(record)
        return out
