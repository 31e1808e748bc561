# SPDX-License-Identifier: MIT
"""Packs of a whole model, with motion as an artist makes it, in encodings that real tools leave behind."""

import math
import random
import struct

import ff7_reference as reference

BONES = [(-1, -120.0), (0, -80.0), (1, -60.0), (0, -70.0), (3, -90.0), (0, -70.0), (5, -90.0)]
CLIPS = 4


def smooth_clip(chance, kind, triples, frames):
    """Motion as an artist makes it: slow waves about a pose."""
    clip = reference.random_clip(chance, kind, triples, 1, 0)
    pose = [[chance.randrange(-700, 700) for _ in range(3)] for _ in range(triples)]
    wave = [[(chance.randrange(20, 300), chance.random() * 6) for _ in range(3)] for _ in range(triples)]
    positions, rotations = [], []
    for frame in range(frames):
        at = 2 * math.pi * frame / frames
        positions.append([round(30 * math.sin(at)), -400 + round(9 * math.cos(at)), frame])
        rotations.append([[round(value + size * math.sin(at + phase)) for value, (size, phase) in zip(triple, row)] for triple, row in zip(pose, wave)])
    size = (len(reference.write_values(positions, rotations, 0)) + 7) // 8
    return dict(clip, positions=positions, rotations=rotations, frames_field=frames, frames_short=frames, size_short=size)


def model_pack(seed=5):
    """(clips, bytes): a body with 7 bones, a weapon, empty slots, in odd encodings."""
    chance = random.Random(seed)
    clips = [smooth_clip(chance, "body", 8, 12), smooth_clip(chance, "body", 8, 20), reference.special_clip(chance, 8),
             reference.random_clip(chance, "body", 8, 9, 2), smooth_clip(chance, "weapon", 1, 12), smooth_clip(chance, "weapon", 1, 25),
             reference.special_clip(chance, 1), smooth_clip(chance, "weapon", 1, 5)]
    style = [{"slack": "1"}, {"masked": True}, {}, {"trailing": b"junk"}, {"slack": "01"}, {}, {}, {"masked": True, "slack": "1"}]
    chunks = [reference.write_chunk(clip, **more) for clip, more in zip(clips, style)]
    return clips, struct.pack("<I", len(chunks)) + b"".join(chunks)


def chunks_of(data):
    count, at, chunks = struct.unpack_from("<I", data)[0], 4, []
    for _ in range(count):
        size = 12 + struct.unpack_from("<I", data, at + 8)[0]
        chunks.append(data[at:at + size])
        at += size
    return chunks


def changed(before, after):
    return [i for i, (a, b) in enumerate(zip(chunks_of(before), chunks_of(after))) if a != b]


def give(case, seed=5):
    """Puts the pack and its skeleton into the test's folder; case.clips and case.data are what is in the pack."""
    case.clips, case.data = model_pack(seed)
    case.write("rtda", case.data)
    case.write("rtaa", reference.skeleton_file(BONES, CLIPS, 1, CLIPS))
