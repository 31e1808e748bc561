# SPDX-License-Identifier: MIT
"""How long a clip plays survives every conversion: every format that can be read to every one that can be written, and targets that are
played at one rate get frames of that rate.

Covers: deliver.c.
"""

import json

import testing
from testing import document, turn

BONES = [("ff7", -1, turn(0, 180)), ("root", 0, turn(0, 0)), ("bone_00", 1, turn(0, 0)), ("bone_01", 2, turn(0, 0, (0, 0, -100)))]
TARGETS = {"json": "x.json", "glb": "x.glb", "gltf": "x.gltf", "eza": "x.eza", "ewzanim": "x.ewzanim", "animbin": "x.animbin", "ff7": "x.a00"}
RATES = {"animbin": 60.0, "ff7": 15.0}  # those that the formats are played at


def frames(count):
    return [[turn(0, 180), turn(1, 3 * f, (f, 0, 0)), turn(2, 5 * f), turn(2, -4 * f, (0, 0, -100))] for f in range(count)]


class Durations(testing.Case):
    def clip(self, name, *words):
        """(frames, rate) of the only clip, as its file says or its player has it."""
        root = json.loads(self.ember("info", "--format", "json", name, *words).stdout)
        clip = root["files"][0]["clips"][0]
        return clip["frames"] if "frames" in clip else clip["frame_count"], clip["fps"]

    def seconds(self, name, *words):
        count, rate = self.clip(name, *words)
        return (count - 1) / rate

    def test_every_pair(self):
        self.write("rig.json", document(BONES, []))
        for rate, count in ((24, 25), (30, 61), (12.5, 26), (60, 31)):
            wanted = (count - 1) / rate
            self.write("s.json", document(BONES, [{"name": "walk", "fps": rate, "frames": frames(count)}]))
            for source, name in TARGETS.items():
                first = "from_" + name.replace("x", source)
                first = first if source != "ff7" else "from.a00"
                self.ember("convert", "-q", "s.json", "-o", first)
                stored = RATES.get(source, rate)
                say = ["--fps", str(stored)] if source == "ewzanim" else []  # it does not store its rate
                self.assertAlmostEqual(self.seconds(first, *say), wanted, delta=0.51 / stored, msg="json to " + source)
                for target, second in TARGETS.items():
                    second = "to_" + second if target != "ff7" else "to.a00"
                    skeleton = ["--skeleton", "rig.json"] if source in ("ewzanim", "eza", "animbin") else []
                    if say and target in RATES:
                        continue  # a rate that is given is the target's: below
                    self.ember("convert", "-q", first, *say, *skeleton, "-o", second)
                    out = RATES.get(target, stored)
                    again = ["--fps", str(out)] if target == "ewzanim" else []
                    self.assertAlmostEqual(self.seconds(second, *again), wanted, delta=0.51 / stored + 0.51 / out, msg="%s to %s at %g" % (source, target, rate))

    def test_a_rate_that_is_given_is_the_targets(self):
        self.write("s.json", document(BONES, [{"name": "walk", "fps": 30, "frames": frames(31)}]))
        self.ember("convert", "-q", "s.json", "-o", "s.glb")
        self.ember("convert", "-q", "s.glb", "--fps", "50", "-o", "pal.animbin")
        self.assertEqual(self.clip("pal.animbin", "--fps", "50"), (51, 50))
        self.ember("convert", "-q", "s.json", "--fps", "60", "-o", "same.animbin")
        self.assertEqual(self.clip("same.animbin"), (31, 60))

    def test_it_is_told_once(self):
        self.write("s.json", document(BONES, [{"name": n, "fps": 30, "frames": frames(31)} for n in ("a", "b")]))
        said = self.ember("convert", "s.json", "-o", "s.animbin").stderr.decode()
        self.assertEqual(said.count("2 clips are brought to 60 frames a second"), 1, said)
        self.assertEqual(self.clip("s.animbin"), (61, 60))

    def test_frames_of_the_targets_own_are_not_touched(self):
        self.write("s.json", document(BONES, [{"name": "walk", "fps": 15, "frames": frames(31)}]))
        self.ember("convert", "-q", "s.json", "-o", "s.a00")
        self.ember("convert", "-q", "s.a00", "-o", "t.json")
        self.ember("convert", "-q", "t.json", "-o", "u.a00")
        self.assertEqual(self.read("s.a00"), self.read("u.a00"))


if __name__ == "__main__":
    testing.keep_files_in_memory()
    testing.main()
