# SPDX-License-Identifier: MIT
"""For 1,000 random .ewzanim files, `ember convert` gives exactly the f32 values of v2's formula, computed here without the library."""

import math
import random
import struct

import testing
from testing import decode_record, ewzanim

FILES = 1000
PER_CALL = 125


def random_half(chance):
    """Bits of all classes alike: zeros, denormals, normals, infinities, NaN."""
    kind = chance.randrange(8)
    if kind == 0:
        bits = 0
    elif kind == 1:
        bits = chance.randrange(1, 0x400)
    elif kind == 2:
        bits = chance.choice((0x7C00, 0x7BFF, 0x0400, 0x0001, 0x03FF, 0x3C00))
    elif kind == 3:
        bits = 0x7C00 | chance.randrange(1, 0x400)
    else:
        bits = chance.randrange(0x400, 0x7C00)
    return bits | chance.randrange(2) << 15


def random_file(chance):
    bones, frames = chance.randint(1, 9), chance.randint(1, 6)
    if chance.randrange(100) == 0:
        bones = 255
    # Any bits are a rotation, also those that no encoder writes.
    records = b"".join(
        struct.pack("<I6H", chance.getrandbits(32), *(random_half(chance) for _ in range(6))) for _ in range(bones * frames)
    )
    return bones, frames, ewzanim(bones, frames, records)


def same(text, expected):
    """A number of the JSON document against an f32: the same bits, the sign of zero too; NaN and infinities are words."""
    if math.isnan(expected):
        return text == "NaN"
    if math.isinf(expected):
        return text == ("Infinity" if expected > 0 else "-Infinity")
    return not isinstance(text, str) and struct.pack("<f", text) == struct.pack("<f", expected)


class Formula(testing.Case):
    def test_the_arithmetic_here_gives_the_specified_values(self):
        # round trips of the corrected test vectors: code, decoded within a step of 1/511.5/sqrt(2)
        for code, q in ((0x80200803, (0, 0, 0, 1)), (0x80200800, (1, 0, 0, 0)), (0xDA769DA7, (0.5, 0.5, 0.5, 0.5)),
                        (0xFFE00803, (0.707107, 0, 0, 0.707107)), (0x2589625B, (-0.5, -0.5, -0.5, 0.5))):
            for got, expected in zip(testing.decode_rotation(code), q):
                self.assertLess(abs(got - expected), 0.0015)
        self.assertEqual(decode_record(struct.pack("<I6H", 0x80200803, 0x3C00, 0x4000, 0xC000, 0x3C00, 0x3800, 1))[4:],
                         [1.0, 2.0, -2.0, 1.0, 0.5, 2.0**-24])

    def test_convert_gives_the_formulas_values(self):
        chance = random.Random(20251)
        for start in range(0, FILES, PER_CALL):
            batch = {}
            for i in range(start, start + PER_CALL):
                bones, frames, data = random_file(chance)
                name = self.write("clip%04d.%s" % (i, chance.choice(("ewzanim", "nczxanim"))), data)
                batch[name] = (bones, frames, data)
            self.ember("convert", "-q", *batch, "-o", "{clip}.json")
            for name, (bones, frames, data) in batch.items():
                self.check(name, bones, frames, data)

    def check(self, name, bones, frames, data):
        document = self.read_json(name.split(".")[0] + ".json")
        self.assertEqual((document["format"], document["version"]), ("ember-clip", 1))
        self.assertEqual(len(document["bones"]), bones)
        (clip,) = document["clips"]
        self.assertEqual((clip["name"], clip["space"], clip["frame_count"]), (name.split(".")[0], "model", frames))
        self.assertEqual(len(clip["frames"]), frames)
        at = 4
        for frame in clip["frames"]:
            self.assertEqual(len(frame), bones)
            for bone in frame:
                expected = decode_record(data[at : at + 16])
                at += 16
                self.assertEqual(len(bone), 10)
                if not all(map(same, bone, expected)):
                    self.fail("%s: byte %d: %r, expected %r" % (name, at - 16, bone, expected))
        self.assertEqual(at, len(data))


if __name__ == "__main__":
    testing.main()
