# SPDX-License-Identifier: MIT
"""ANIMBIN, read and written a second time: from the specification's tables alone, in Python, sharing nothing with the library.

A file is a list of animations, each a dictionary {"name", "flags", "length", "tracks", "markers"}; a track is {"type", "joint",
"keys"}, a key {"frame", "type", "value"} with the integers as stored, a marker {"name", "frame"}.
"""

import math
import struct

ROTATION, TRANSLATION = 0, 1
VALUE = {ROTATION: struct.Struct("<4h"), TRANSLATION: struct.Struct("<3i")}


# ---- bytes ----

def write_name(name):
    data = name.encode("utf-8")
    assert len(data) <= 31
    return data.ljust(32, b"\0")


def write(animations):
    out = [b"ANIMBIN", struct.pack("<BB", 1, len(animations))]
    for animation in animations:
        out.append(write_name(animation["name"]))
        out.append(struct.pack("<IHHH", animation["flags"], animation["length"], len(animation["tracks"]), len(animation["markers"])))
        for track in animation["tracks"]:
            out.append(struct.pack("<BBH", track["type"], track["joint"], len(track["keys"])))
            for key in track["keys"]:
                out.append(struct.pack("<HB", key["frame"], key["type"]) + VALUE[key["type"]].pack(*key["value"]))
        for marker in animation["markers"]:
            out.append(write_name(marker["name"]) + struct.pack("<H", marker["frame"]))
    return b"".join(out)


class Cursor:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, layout):
        layout = struct.Struct(layout) if isinstance(layout, str) else layout
        values = layout.unpack_from(self.data, self.at)
        self.at += layout.size
        return values

    def name(self):
        return self.take("32s")[0].split(b"\0")[0].decode("utf-8")


def read(data):
    cursor = Cursor(data)
    magic, version, count = cursor.take("<7sBB")
    assert magic == b"ANIMBIN" and version == 1
    animations = []
    for _ in range(count):
        name = cursor.name()
        flags, length, track_count, marker_count = cursor.take("<IHHH")
        tracks = []
        for _ in range(track_count):
            kind, joint, key_count = cursor.take("<BBH")
            keys = []
            for _ in range(key_count):
                frame, key_type = cursor.take("<HB")
                keys.append({"frame": frame, "type": key_type, "value": list(cursor.take(VALUE[key_type]))})
            tracks.append({"type": kind, "joint": joint, "keys": keys})
        markers = []
        for _ in range(marker_count):
            marker = cursor.name()
            markers.append({"name": marker, "frame": cursor.take("<H")[0]})
        animations.append({"name": name, "flags": flags, "length": length, "tracks": tracks, "markers": markers})
    assert cursor.at == len(data), "not at the end of the file"
    return animations


def size(animations):
    """By the formula, not by writing."""
    total = 9
    for animation in animations:
        total += 42 + 34 * len(animation["markers"])
        for track in animation["tracks"]:
            total += 4 + sum(11 if key["type"] == ROTATION else 15 for key in track["keys"])
    return total


# ---- what the keys mean ----

def unit(q):
    length = math.sqrt(sum(v * v for v in q))
    return [v / length for v in q]


def slerp(a, b, t):
    dot = sum(x * y for x, y in zip(a, b))
    if dot < 0:
        b, dot = [-v for v in b], -dot
    angle = math.acos(min(dot, 1.0))
    if angle < 1e-9:
        return unit([x + (y - x) * t for x, y in zip(a, b)])
    return [(math.sin((1 - t) * angle) * x + math.sin(t * angle) * y) / math.sin(angle) for x, y in zip(a, b)]


def value_at(keys, frame):
    """Held before the first and behind the last key, interpolated between."""
    def decode(key):
        return unit(key["value"]) if key["type"] == ROTATION else [v / 4096 for v in key["value"]]

    before = [key for key in keys if key["frame"] <= frame]
    after = [key for key in keys if key["frame"] > frame]
    if not before:
        return decode(after[0])
    if not after or before[-1]["frame"] == frame:
        return decode(before[-1])
    a, b = before[-1], after[0]
    t = (frame - a["frame"]) / (b["frame"] - a["frame"])
    if a["type"] == ROTATION:
        return slerp(decode(a), decode(b), t)
    return [x + (y - x) * t for x, y in zip(decode(a), decode(b))]


def frames(animation, bone_count):
    """[qx, qy, qz, qw, px, py, pz, sx, sy, sz] per bone and frame; of several tracks for one thing the last counts."""
    channels = {}
    for track in animation["tracks"]:
        for kind in (ROTATION, TRANSLATION):
            keys = [key for key in track["keys"] if key["type"] == kind]
            if keys:
                channels[track["joint"], kind] = keys
    out = []
    for frame in range(animation["length"]):
        pose = []
        for bone in range(bone_count):
            rotation, position = [1, 0, 0, 0], [0, 0, 0]
            if (bone, ROTATION) in channels:
                rotation = value_at(channels[bone, ROTATION], frame)
            if (bone, TRANSLATION) in channels:
                position = value_at(channels[bone, TRANSLATION], frame)
            pose.append(rotation[1:] + rotation[:1] + position + [1, 1, 1])
        out.append(pose)
    return out


# ---- from frames to dense keys ----

def nearest(value):
    return int(math.floor(abs(value) + 0.5)) * (1 if value >= 0 else -1)


def psx(transform):
    """diag(1, -1, -1) in front: a half turn about x."""
    x, y, z, w, px, py, pz = transform[:7]
    return [w, -z, y, -x, px, -py, -pz] + list(transform[7:])


def dense(name, loop, frames_of_bones, markers, rounding=nearest, unit_length=4096.0, translations="auto", basis=None):
    """The animation of bones without parents, whose rest is identity."""
    tracks = []
    bones = range(len(frames_of_bones[0]))
    turned = [[psx(t) if basis == "psx" else t for t in pose] for pose in frames_of_bones]
    for bone in bones:
        keys, before = [], None
        for frame, pose in enumerate(turned):
            x, y, z, w = unit(pose[bone][:4])
            value = [rounding(v * 4096.0) for v in (w, x, y, z)]
            if before is not None and sum(a * b for a, b in zip(value, before)) < 0:
                value = [-v for v in value]
            keys.append({"frame": frame, "type": ROTATION, "value": value})
            before = value
        tracks.append({"type": ROTATION, "joint": bone, "keys": keys})
    for bone in bones:
        moves = any(abs(v) * unit_length > 0.5 for pose in frames_of_bones for v in pose[bone][4:7])
        if translations == "never" or (translations == "auto" and not moves):
            continue
        keys = [{"frame": frame, "type": TRANSLATION, "value": [rounding(v * unit_length) for v in pose[bone][4:7]]}
                for frame, pose in enumerate(turned)]
        tracks.append({"type": TRANSLATION, "joint": bone, "keys": keys})
    return {"name": name, "flags": 1 if loop else 0, "length": len(frames_of_bones), "tracks": tracks, "markers": markers}


# ---- files by chance ----

NAMES = ["walk", "run", "Idle", "", "jump up", "läuft", "歩く", "x" * 31, "a\"b\\c", "{clip}"]


def random_rotation(chance):
    q = unit([chance.gauss(0, 1) for _ in range(4)])
    kind = chance.random()
    if kind < 0.6:
        return [nearest(v * 4096) for v in q]
    if kind < 0.9:
        return [int(v * 4096) for v in q]
    if kind < 0.95:
        return chance.choice([[4096, 0, 0, 0], [0, 4096, 0, 0], [-2896, 0, 2896, 0], [2048, -2048, 2048, -2048]])
    return [chance.randint(-32768, 32767) for _ in range(3)] + [chance.randint(1, 32767)]


def random_key(chance, frame, kind):
    if kind == ROTATION:
        return {"frame": frame, "type": kind, "value": random_rotation(chance)}
    reach = chance.choice([10, 5000, 2 ** 31 - 1])
    return {"frame": frame, "type": kind, "value": [chance.randint(-reach - 1 if reach > 5000 else -reach, reach) for _ in range(3)]}


def random_track(chance, length):
    kind = chance.randint(0, 1)
    late = length + (5 if chance.random() < 0.1 else 0)
    if chance.random() < 0.5:
        numbers = range(length)
    else:
        numbers = sorted(chance.sample(range(late), chance.randint(0, min(late, 6))))
    keys = []
    mixed = chance.random() < 0.1
    for frame in numbers:
        keys.append(random_key(chance, frame, chance.randint(0, 1) if mixed else kind))
    return {"type": kind, "joint": chance.choice([0, 1, 2, 3, 5, 14]), "keys": keys}


def random_animation(chance):
    length = chance.randint(1, 10)
    return {
        "name": chance.choice(NAMES),
        "flags": chance.choice([0, 1, 1, 1, 2, 0xFFFFFFFF, chance.getrandbits(32)]),
        "length": length,
        "tracks": [random_track(chance, length) for _ in range(chance.randint(0, 5))],
        "markers": [{"name": chance.choice(NAMES), "frame": chance.randrange(length)} for _ in range(chance.choice([0, 0, 1, 3]))],
    }


def random_file(chance):
    """Whatever a reader has to understand, apart from pre-release rotations."""
    animations = [random_animation(chance) for _ in range(chance.choice([0, 1, 1, 1, 2, 4]))]
    return animations
