# SPDX-License-Identifier: MIT
"""Packs whose headers do not say what is stored: the frame counter is missing, with any number of bytes behind the values, or counts
fewer frames than are there. All whole frames are read and repaired packs keep them."""

import json
import random
import struct

import ff7_reference as reference
import testing

FRAMES = 33


class Counts(testing.Case):
    def setUp(self):
        super().setUp()
        self.clips = [reference.random_clip(random.Random(seed), "body", 7, FRAMES, key, small=True) for seed, key in ((7, 0), (8, 2), (9, 4))]

    def raws(self, name, *words):
        self.ember("convert", name, "--from", "ff7", *words, "-o", "out.json")
        return [clip["raw"] for clip in self.read_json("out.json")["clips"]]

    def pack(self, name, chunks):
        self.write(name, struct.pack("<I", len(chunks)) + b"".join(chunks))

    def bare(self, clip, spare, junk=0):
        """The damaged chunk, with so many bytes behind its values."""
        values = reference.pack_bits(reference.write_values(clip["positions"], clip["rotations"], clip["key"]))
        payload = struct.pack("<HB", len(values), clip["key"]) + values + bytes([junk]) * spare
        return struct.pack("<III", clip["bones_field"], 4, len(payload)) + payload

    def assert_whole(self, raw, clip):
        self.assertEqual(len(raw["positions"]), FRAMES)
        self.assertEqual((raw["positions"], raw["rotations"]), (clip["positions"], clip["rotations"]))

    def test_a_missing_counter_is_seen_whatever_follows_the_values(self):
        for clip in self.clips:
            for spare in range(7):
                with self.subTest(key=clip["key"], spare=spare):
                    good = reference.write_chunk(clip)
                    self.pack("xxda", [good, self.bare(clip, spare), good])
                    for raw in self.raws("xxda"):
                        self.assert_whole(raw, clip)
                    self.ember("ff7", "repair", "xxda", "-o", "yyda")
                    mended = reference.read(self.read("yyda"))[1]
                    self.assertEqual((mended["frames_short"], mended["frames_field"]), (FRAMES, FRAMES))
                    self.assertEqual((mended["positions"], mended["rotations"]), (clip["positions"], clip["rotations"]))

    def test_frames_beyond_the_counter_are_read_and_kept(self):
        clip = self.clips[0]
        for short, field in ((10, 10), (10, FRAMES), (1, 1)):
            with self.subTest(short=short, field=field):
                chunk = bytearray(reference.write_chunk(clip))
                struct.pack_into("<I", chunk, 4, field)
                struct.pack_into("<H", chunk, 12, short)
                self.pack("xxda", [bytes(chunk)])
                self.assert_whole(self.raws("xxda")[0], clip)
                said = self.ember("convert", "xxda", "--from", "ff7", "-o", "out.json").stderr.decode()
                self.assertIn("%d frames are counted, but there are bits for %d" % (short, FRAMES), said)
                self.assertEqual(json.loads(self.ember("ff7", "list", "xxda", "--format", "json").stdout)["files"][0]["chunks"][0]["frames"], FRAMES)
                self.ember("ff7", "repair", "xxda", "-o", "yyda")
                self.assertEqual(len(reference.read(self.read("yyda"))[0]["positions"]), FRAMES)

    def test_an_ordinary_chunk_is_never_taken_for_a_damaged_one(self):
        chance = random.Random(4)
        for _ in range(40):
            clips = reference.random_pack(chance, 8, small=True, most_frames=40)
            self.write("xxda", reference.write(clips))
            chunks = json.loads(self.ember("ff7", "list", "xxda", "--format", "json").stdout)["files"][0]["chunks"]
            self.assertEqual([c["frames"] for c in chunks], [len(c["positions"]) for c in clips])


if __name__ == "__main__":
    testing.main()
