# SPDX-License-Identifier: MIT
"""A second, independent reader and writer of Final Fantasy VII battle packs: bit by bit, on strings of 0 and 1, from the specification
and what is known of real files. And a generator of packs that goes through every code of the format.

A clip is {"kind", "bones_field", "frames_field", "frames_short", "size_short", "key", "positions", "rotations"}; a special one has
"bytes" and no frames. Values are what the game accumulates: signed, 16 bits."""

import math
import struct

EMPTY_SLOTS = (bytes([0x30, 0x1A, 0, 0]), bytes([0x0D, 0x0A, 0, 0]))


def s16(value):
    return (value + 0x8000) % 0x10000 - 0x8000


def signed(value, bits):
    return value - (1 << bits) if value >> (bits - 1) & 1 else value


# ---- reading ----

class Bits:
    def __init__(self, data):
        self.text = "".join(format(byte, "08b") for byte in data)
        self.at = 0

    def fixed(self, count):
        if self.at + count > len(self.text):
            raise EOFError
        value = int(self.text[self.at:self.at + count], 2) if count else 0
        self.at += count
        return signed(value, count)

    def position(self):
        return self.fixed(16) if self.fixed(1) else self.fixed(7)

    def rotation(self, key):
        if not self.fixed(1):
            return 0
        kind = self.fixed(3) & 7
        if kind == 0:
            return -1 << key
        if kind == 7:
            return self.fixed(12 - key) << key
        value = self.fixed(kind)
        half = 1 << (kind - 1)
        return (value - half if value < 0 else value + half) << key


def read_frame(bits, key, triples, before):
    if before is None:
        position = [bits.fixed(16) for _ in range(3)]
        rotations = [[bits.fixed(12 - key) << key for _ in range(3)] for _ in range(triples)]
    else:
        position = [s16(value + bits.position()) for value in before[0]]
        rotations = [[s16(value + bits.rotation(key)) for value in triple] for triple in before[1]]
    return position, rotations


def read_values(data, key, triples, most):
    """(frames, bits used): up to `most` whole frames."""
    bits, frames, used = Bits(data), [], 0
    while len(frames) < most:
        try:
            frames.append(read_frame(bits, key, triples, frames[-1] if frames else None))
        except EOFError:
            break
        used = bits.at
    return frames, used


def read_chunk(bones, dw_frames, payload):
    clip = {"bones_field": bones, "frames_field": dw_frames, "frames_short": 0, "size_short": 0, "key": 0, "positions": [], "rotations": []}
    if len(payload) < 11:
        return dict(clip, kind="special", bytes=payload)
    frames_short, size_short, key = struct.unpack_from("<HHB", payload)
    values, most = payload[5:5 + size_short], frames_short
    if frames_short == len(payload) - 5:  # the clip whose frame counter is missing
        frames_short, size_short, key, most = 0, frames_short, payload[2], 1 << 20
        values = payload[3:3 + size_short]
    choices = [1] if bones == 1 else [1, 2] if bones == 2 else [bones]
    for triples in choices:
        frames, used = read_values(values, key, triples, most)
        if (used + 7) // 8 == size_short and len(frames) in (frames_short, len(frames) if most > 65535 else -1):
            break
    return dict(clip, kind="weapon" if bones == 1 else "body", frames_short=frames_short, size_short=size_short, key=key,
                positions=[position for position, _ in frames], rotations=[rotations for _, rotations in frames])


def read(data):
    count, at, clips = struct.unpack_from("<I", data)[0], 4, []
    for _ in range(count):
        bones, frames, size = struct.unpack_from("<III", data, at)
        clips.append(read_chunk(bones, frames, data[at + 12:at + 12 + size]))
        at += 12 + size
    return clips


# ---- writing ----

def binary(value, bits):
    return format(value % (1 << bits), "0%db" % bits) if bits else ""


def position_code(change):
    change = s16(change)
    return "0" + binary(change, 7) if -64 <= change <= 63 else "1" + binary(change, 16)


def rotation_code(change, key, masked=False):
    """The shortest code of a change in the key's units; masked: as a common tool does, which loses the sign before it looks how
    large a change is, so that every negative one takes the long code."""
    change = signed(change % (1 << (12 - key)), 12 - key)
    if change == 0:
        return "0"
    if masked and change < 0:
        return "1111" + binary(change, 12 - key)
    if change == -1:
        return "1000"
    for kind in range(1, 7):
        half = 1 << (kind - 1)
        if half <= change < 2 * half:
            return "1" + binary(kind, 3) + binary(change - half, kind)
        if -2 * half <= change < -half:
            return "1" + binary(kind, 3) + binary(change + half, kind)
    return "1111" + binary(change, 12 - key)


def quantised(value, key):
    return math.floor(value / (1 << key) + 0.5)


def write_values(positions, rotations, key, masked=False):
    text = []
    for frame, (position, triples) in enumerate(zip(positions, rotations)):
        units = [quantised(value, key) for triple in triples for value in triple]
        if frame == 0:
            text += [binary(value, 16) for value in position] + [binary(value, 12 - key) for value in units]
        else:
            text += [position_code(value - old) for value, old in zip(position, positions[frame - 1])]
            text += [rotation_code(value - old, key, masked) for value, old in zip(units, before)]
        before = units
    return "".join(text)


def pack_bits(text, slack="0"):
    """Bytes of the bits; what is left of the last byte is filled from `slack`."""
    left = -len(text) % 8
    text += (slack * 8)[:left]
    return bytes(int(text[i:i + 8], 2) for i in range(0, len(text), 8))


def write_chunk(clip, key=None, masked=False, slack="0", trailing=None):
    if clip["kind"] == "special":
        return struct.pack("<III", clip["bones_field"], clip["frames_field"], len(clip["bytes"])) + clip["bytes"]
    key = clip["key"] if key is None else key
    values = pack_bits(write_values(clip["positions"], clip["rotations"], key, masked), slack)
    payload = struct.pack("<HHB", len(clip["positions"]), len(values), key) + values
    payload += bytes(-len(payload) % 4) if trailing is None else trailing
    return struct.pack("<III", clip["bones_field"], clip["frames_field"], len(payload)) + payload


def write(clips, **more):
    return struct.pack("<I", len(clips)) + b"".join(write_chunk(clip, **more) for clip in clips)


# ---- rotations and the skeleton ----

def multiply(a, b):
    return [a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1], a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
            a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3], a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]]


def axis(index, value):
    half = math.radians((value & 0xFFF) * 360 / 4096) / 2
    q = [0.0, 0.0, 0.0, math.cos(half)]
    q[index] = math.sin(half)
    return q


def quaternion(triple):
    """R = Ry Rx Rz."""
    return multiply(multiply(axis(1, triple[1]), axis(0, triple[0])), axis(2, triple[2]))


def rotate(q, v):
    return multiply(multiply(q, [*v, 0.0]), [-q[0], -q[1], -q[2], q[3]])[:3]


def skeleton_file(bones, body_clips, weapons=0, weapon_clips=0):
    """bones: (parent, length)."""
    head = struct.pack("<13i", 0, 0, 0, len(bones), 0, len(bones), 1, body_clips, 0, weapons, weapon_clips, 0, 0)
    return head + b"".join(struct.pack("<ifi", parent, length, 1) for parent, length in bones)


def heads(bones, position, triples):
    """Where the bones are, y up: T(position) R(triple 0), then per bone its rotation and T(0, 0, length) for its children."""
    place, turn, found = [], [], []
    root = quaternion(triples[0])
    for index, (parent, _) in enumerate(bones):
        at, above = (position, root) if parent < 0 else (place[parent], turn[parent])
        way = [0.0, 0.0, 0.0 if parent < 0 else bones[parent][1]]
        at = [a + b for a, b in zip(at, rotate(above, way))]
        place.append(at)
        turn.append(multiply(above, quaternion(triples[index + 1])) if len(triples) > 1 else above)
        found.append([at[0], -at[1], -at[2]])
    return found


# ---- generating ----

def random_change(chance, key):
    """A change in the key's units: every type as often as the others, and both ends of each."""
    kind = chance.randrange(10)
    if kind < 2:
        return 0
    if kind == 2:
        return -1
    if kind < 9:
        half = 1 << (kind - 3)
        value = chance.choice((half, 2 * half - 1, chance.randrange(half, 2 * half)))
        return value if chance.random() < 0.5 else -value - 1
    limit = 1 << (11 - key)
    return chance.choice((-limit, limit - 1, -65, 64, chance.randrange(-limit, limit)))


def random_position(chance):
    return chance.choice((0, -64, 63, -65, 64, -32768, 32767, chance.randrange(-64, 64), chance.randrange(-32768, 32768)))


def random_clip(chance, kind, triples, frames, key, small=False):
    """Values as they are read: they wrap at 16 bits and leave the first turn. small: changes as real clips have them."""
    positions = [[chance.randrange(-32768, 32768) for _ in range(3)]]
    limit = 1 << (11 - key)
    rotations = [[[chance.randrange(-limit, limit) << key for _ in range(3)] for _ in range(triples)]]

    def change():
        return chance.choice((0, 0, chance.randrange(-20, 21), chance.randrange(-60, 60))) if small else random_change(chance, key)

    for _ in range(frames - 1):
        positions.append([s16(value + (chance.randrange(-40, 40) if small else random_position(chance))) for value in positions[-1]])
        rotations.append([[s16(value + (change() << key)) for value in triple] for triple in rotations[-1]])
    bones = 1 if kind == "weapon" else 2 if triples == 1 else triples
    clip = {"kind": kind, "bones_field": bones, "frames_field": frames, "frames_short": frames, "key": key,
            "positions": positions, "rotations": rotations}
    return dict(clip, size_short=(len(write_values(positions, rotations, key)) + 7) // 8)


def special_clip(chance, bones):
    return {"kind": "special", "bones_field": bones, "frames_field": 1, "frames_short": 0, "size_short": 0, "key": 0, "positions": [],
            "rotations": [], "bytes": chance.choice(EMPTY_SLOTS)}


def random_pack(chance, clip_count, small=False, most_frames=9):
    """Clips of one model: body clips, then its weapon's if it has one; some slots empty. A single bone has one triple."""
    triples = chance.choice((1, 2, 3, 4, 7))
    triples = 3 if triples == 2 else triples
    weapons = chance.choice((0, 1)) * clip_count // 3

    def clip(kind, count):
        if chance.random() < 0.1:
            return special_clip(chance, 1 if kind == "weapon" else count + (count == 1))
        frames = chance.choice((1, 2, chance.randint(1, most_frames)))
        made = random_clip(chance, kind, count, frames, chance.choice((0, 0, 2, 4)), small)
        if count == 1 and kind == "body":
            made["frames_field"] = chance.choice((frames, frames * 2))  # single-bone models count otherwise
        return made

    return [clip("body", triples) for _ in range(clip_count - weapons)] + [clip("weapon", 1) for _ in range(weapons)]


def damaged_chunk(clip):
    """As the one clip of the game whose frame counter is missing: sSize, key, values, two bytes of padding; dwFrames is wrong."""
    values = pack_bits(write_values(clip["positions"], clip["rotations"], clip["key"]))
    payload = struct.pack("<HB", len(values), clip["key"]) + values + bytes(2)
    return struct.pack("<III", clip["bones_field"], 4, len(payload)) + payload
