# SPDX-License-Identifier: MIT
"""2,000 files of a second, independent reader and writer (animbin_reference.py), both ways through the command."""

import json
import math
import os
import random
import sys

import animbin_reference as reference
import testing

COUNT = 2000
BATCH = 250

testing.keep_files_in_memory()


def batches(names):
    return [names[i:i + BATCH] for i in range(0, len(names), BATCH)]


class Agreement(testing.Case):
    def make_files(self):
        chance = random.Random(20251011)
        files = []
        for i in range(COUNT):
            animations = reference.random_file(chance)
            files.append(("f%04d" % i, animations, reference.write(animations)))
            self.write("f%04d.animbin" % i, files[-1][2])
        return files

    def convert(self, names, folder, to):
        os.mkdir(self.path(folder))
        for batch in batches(names):
            self.ember("convert", "-q", *batch, "-o", folder + "/", "--to", to)

    def compare_clip(self, where, clip, animation, bone_count):
        self.assertEqual(clip["name"], animation["name"], where)
        self.assertEqual(clip["loop"], animation["flags"] & 1 == 1, where)
        self.assertEqual(clip["space"], "local", where)
        self.assertEqual(clip["fps"], 60, where)
        self.assertEqual(clip["frame_count"], animation["length"], where)
        self.assertEqual(clip["markers"], animation["markers"], where)
        raw = {"format": "animbin", "flags": animation["flags"], "length": animation["length"], "tracks": animation["tracks"]}
        self.assertRegex(clip["raw"].pop("check"), "^[0-9a-f]{16}$")
        self.assertEqual(clip["raw"], raw, where)
        for frame, (ours, theirs) in enumerate(zip(reference.frames(animation, bone_count), clip["frames"])):
            for bone, (a, b) in enumerate(zip(ours, theirs)):
                for x, y in zip(a, b):
                    if abs(x - y) > 1e-6 + 2e-7 * abs(x):
                        self.fail("%s frame %d bone %d: %s is not %s" % (where, frame, bone, b, a))

    def test_files_are_read_and_written_alike(self):
        files = self.make_files()
        for name, animations, data in files:
            self.assertEqual(len(data), reference.size(animations), name)
            self.assertEqual(reference.read(data), animations, name)
        self.convert([name + ".animbin" for name, _, _ in files], "json", "json")
        for name, animations, _ in files:
            document = self.read_json("json/%s.json" % name)
            self.assertEqual(len(document["clips"]), len(animations), name)
            joints = [track["joint"] for animation in animations for track in animation["tracks"]]
            self.assertEqual(len(document["bones"]), max(joints) + 1 if joints else 0, name)
            for clip, animation in zip(document["clips"], animations):
                self.compare_clip(name, clip, animation, len(document["bones"]))
        self.convert(["json/%s.json" % name for name, _, _ in files], "back", "animbin")
        for name, _, data in files:
            self.assertEqual(self.read("back/%s.animbin" % name), data, name)

    def test_files_are_copied_to_the_byte(self):
        files = self.make_files()
        self.convert([name + ".animbin" for name, _, _ in files], "copy", "animbin")
        for name, _, data in files:
            self.assertEqual(self.read("copy/%s.animbin" % name), data, name)


def settled(value):
    """Not so near to a half that single and double precision round it differently."""
    return abs(abs(value) % 1.0 - 0.5) > 0.01


def random_transform(chance, unit_length, moves):
    while True:
        q = reference.unit([chance.gauss(0, 1) for _ in range(4)])
        p = [chance.uniform(-3, 3) if moves else 0.0 for _ in range(3)]
        if all(settled(v * 4096) for v in q) and all(settled(v * unit_length) or v == 0.0 for v in p):
            return q + p + [1, 1, 1]


class Writing(testing.Case):
    """Clips that were never ANIMBIN: what is written is predicted to the byte."""

    def predict(self, count, arguments, **more):
        chance = random.Random(count)
        unit_length = more.get("unit_length", 4096.0)
        wanted = {}
        for i in range(count):
            bones, length = chance.randint(1, 4), chance.randint(1, 8)
            moves = [chance.random() < 0.5 for _ in range(bones)]
            frames = [[random_transform(chance, unit_length, moves[bone]) for bone in range(bones)] for _ in range(length)]
            markers = [{"name": "step", "frame": chance.randrange(length)} for _ in range(chance.randint(0, 2))]
            loop = chance.random() < 0.5
            name = "c%04d" % i
            wanted[name] = reference.write([reference.dense(name, loop, frames, markers, **more)])
            skeleton = [("bone_%d" % bone, -1, testing.IDENTITY) for bone in range(bones)]
            self.write(name + ".json", testing.document(skeleton, [
                {"name": name, "fps": 60, "loop": loop, "frames": frames, "markers": markers}]))
        os.mkdir(self.path("out"))
        for batch in batches(sorted(wanted)):
            self.ember("convert", "-q", *(name + ".json" for name in batch), "-o", "out/", "--to", "animbin", *arguments)
        for name, data in wanted.items():
            self.assertEqual(self.read("out/%s.animbin" % name), data, name)

    def test_dense_keys_are_rounded_to_nearest(self):
        self.predict(COUNT, [])

    def test_truncation_is_towards_zero(self):
        self.predict(200, ["--truncate"], rounding=math.trunc)

    def test_units_multiply_lengths(self):
        self.predict(201, ["--unit", "128"], unit_length=128.0)

    def test_translations_always(self):
        self.predict(202, ["--translations", "always"], translations="always")

    def test_translations_never(self):
        self.predict(203, ["--translations", "never"], translations="never")

    def test_psx_basis(self):
        self.predict(204, ["--basis", "psx"], basis="psx")


if __name__ == "__main__":
    testing.main()
