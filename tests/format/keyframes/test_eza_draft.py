# SPDX-License-Identifier: MIT
"""Rotations of .eza files, held against the draft's own encoder and decoder, which are written here from its text in f32."""

import json
import math
import random
import struct

from testing import Case, f32, main

HEADER = struct.Struct("<4sBBHHH4s")
RECORDS = {"A": (12, 0, 1), "B": (10, 0, 0), "C": (16, 3, 1), "E": (20, 5, 1)}


HALF = f32(0.7071067811865476)
ENCODE_SCALE = f32(511.0 / HALF)
DECODE_SCALE = f32(HALF / 511.0)


def encode(q):
    size = [abs(v) for v in q]
    largest = max(range(4), key=lambda i: (size[i], i))  # max_by returns the last of equal ones
    sign = -1.0 if q[largest] < 0.0 else 1.0
    word = 0
    for i in range(4):
        if i == largest:
            continue
        scaled = f32(q[i] * sign * ENCODE_SCALE)
        whole = math.floor(abs(scaled))
        whole += 1 if abs(scaled) - whole >= 0.5 else 0
        whole = max(-511, min(511, whole if scaled >= 0 else -whole))
        word = word << 10 | whole + 512
    return word << 2 | largest


def decode(word):
    a, b, c = (f32(((word >> shift & 1023) - 512) * DECODE_SCALE) for shift in (22, 12, 2))
    total = f32(f32(f32(a * a) + f32(b * b)) + f32(c * c))
    out = [a, b, c]
    out.insert(word & 3, f32(math.sqrt(max(f32(1.0 - total), 0.0))))
    return out


def degrees_between(a, b):
    dot = abs(sum(x * y for x, y in zip(a, b)))
    length = math.sqrt(sum(x * x for x in a) * sum(x * x for x in b))
    return math.degrees(2 * math.acos(min(1.0, dot / length)))


def rotations(count):
    """Identity, ties, and random ones of unit length, each an f32."""
    random.seed(3)
    out = [[0, 0, 0, 1], [1, 0, 0, 0], [0.5, 0.5, 0.5, 0.5], [-0.5, 0.5, -0.5, 0.5], [HALF, 0, 0, HALF]]
    while len(out) < count:
        q = [random.gauss(0, 1) for _ in range(4)]
        length = math.sqrt(sum(v * v for v in q))
        out.append([v / length for v in q])
    return [[f32(v) for v in q] for q in out[:count]]


BONES, FRAMES = 40, 50
ALL = rotations(BONES * FRAMES)


class DraftFormula(Case):
    def draft_file(self, letter):
        size, code, flags = RECORDS[letter]
        data = HEADER.pack(b"EWZA", 1, flags, BONES, FRAMES, 15 * 256, bytes([code, 0, 0, 0]))
        rest = {"A": struct.pack("<4e", 1.5, -2, 0.25, 1), "B": struct.pack("<3e", 1.5, -2, 0.25),
                "C": struct.pack("<6e", 1.5, -2, 0.25, 1, 1, 1), "E": struct.pack("<4f", 1.5, -2, 0.25, 1)}[letter]
        self.assertEqual(len(rest) + 4, size)
        return data + b"".join(struct.pack("<I", encode(q)) + rest for q in ALL)

    def clip(self, space="model"):
        return {"format": "ember-clip", "version": 1, "bones": [{"name": "b%d" % i, "parent": -1} for i in range(BONES)],
                "clips": [{"name": "c", "fps": 15, "space": space, "frame_count": FRAMES,
                           "frames": [[q + [0, 0, 0, 1, 1, 1] for q in ALL[f * BONES:(f + 1) * BONES]] for f in range(FRAMES)]}]}

    def test_the_drafts_files_decode_as_the_draft_decodes_them(self):
        for letter in RECORDS:
            with self.subTest(letter):
                self.write("d.eza", self.draft_file(letter))
                self.ember("convert", "d.eza", "-o", "d.json")
                got = [bone[:4] for frame in self.read_json("d.json")["clips"][0]["frames"] for bone in frame]
                self.assertEqual(sum([f32(v) for v in g] != decode(encode(q)) for g, q in zip(got, ALL, strict=True)), 0)

    def test_identity_is_exact(self):
        self.write("d.eza", self.draft_file("A"))
        self.ember("convert", "d.eza", "-o", "d.json")
        self.assertEqual(self.read_json("d.json")["clips"][0]["frames"][0][0][:4], [0, 0, 0, 1])

    def test_what_is_written_is_what_the_drafts_encoder_gives(self):
        self.write("r.json", json.dumps(self.clip()))
        for letter, (size, _, _) in RECORDS.items():
            with self.subTest(letter):
                self.ember("convert", "r.json", "--record", letter, "-o", "r.eza")
                data = self.read("r.eza")[16:]
                words = [struct.unpack_from("<I", data, i * size)[0] for i in range(len(ALL))]
                self.assertEqual(sum(w != encode(q) for w, q in zip(words, ALL, strict=True)), 0)

    def test_a_draft_file_comes_back_byte_for_byte(self):
        for letter in RECORDS:
            with self.subTest(letter):
                self.write("d.eza", self.draft_file(letter))
                self.ember("convert", "d.eza", "--record", letter, "-o", "again.eza")
                self.assertTrue(self.read("again.eza") == self.read("d.eza"))

    def test_local_clips_are_fitted_with_the_drafts_codes(self):
        self.write("r.json", json.dumps(self.clip("local")))
        self.ember("convert", "r.json", "--record", "C", "--space", "local", "-o", "r.eza")
        data = self.read("r.eza")[16:]
        worst = max(degrees_between(decode(struct.unpack_from("<I", data, i * 16)[0]), q) for i, q in enumerate(ALL))
        self.assertLess(worst, 0.275)


if __name__ == "__main__":
    main()
