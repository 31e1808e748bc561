# SPDX-License-Identifier: MIT
"""Nothing is lost in silence: foreign rigs and packs, bones that are not compared, lines that would be repeated, findings of many files.

Covers: findings.c, say.c.
"""

import json
import os
import random

import ff7_model_packs as model_packs
import ff7_reference as reference
import testing
from ff7_model_packs import chunks_of, smooth_clip
from testing import ARM, IDENTITY, arm_frames, document, turn


def chain(*names):
    return [(name, i - 1, turn(2, 0, (0, 0.1, 0))) for i, name in enumerate(names)]


def moving(count, frames=4):
    return [[turn(2, 5 * f + b, (0, 0.1, 0)) for b in range(count)] for f in range(frames)]


class ForeignRigs(testing.Case):
    def test_a_bone_called_root_is_not_enough_for_a_pack(self):
        self.write("k.json", document(chain("root", "hips", "spine", "head"), [{"fps": 15, "frames": moving(4)}]))
        line = self.one_line(self.ember("convert", "k.json", "-o", "k.a00", code=1))
        self.assertIn("only 1 of its 4 bones", line)
        self.assertEqual(self.files(), ["k.json"])

    def test_a_few_bones_more_are_told(self):
        self.write("k.json", document(chain("ff7", "root", "bone_00", "bone_01", "cape"), [{"frames": moving(5)}]))
        said = self.ember("convert", "k.json", "-o", "k.a00").stderr.decode()
        self.assertIn("1 of its 5 bones are not called as those of a pack are", said)


class Comparing(testing.Case):
    def test_bones_that_move_and_are_not_compared_fail(self):
        self.write("a.json", document(chain("root", "hips"), [{"frames": moving(2)}]))
        self.write("b.json", document(chain("root", "tail"), [{"frames": moving(2)}]))
        self.write("c.json", document(chain("root"), [{"frames": [[f[0]] for f in moving(2)]}]))
        for other in ("b.json", "c.json"):
            self.assertIn("not all was compared: 1 bones of a.json", self.ember("diff", "a.json", other, code=1).stderr.decode())
        self.assertIn("and 1 of a.json", self.ember("diff", "c.json", "a.json", code=1).stderr.decode())

    def test_bones_that_stand_still_need_not_be_compared(self):
        frames = [[f[0], turn(2, 0, (0, 0.1, 0))] for f in moving(2)]
        self.write("a.json", document(chain("root", "hips"), [{"frames": frames}]))
        self.write("c.json", document(chain("root"), [{"frames": [[f[0]] for f in frames]}]))
        self.ember("diff", "a.json", "c.json")

    def test_numbers_that_are_not_finite_fail(self):
        text = document(chain("root"), [{"frames": [[["NaN", 0, 0, 1, 0, 0, 0, 1, 1, 1]]]}])
        self.write("nan.json", text)
        self.assertIn("not finite", self.ember("diff", "nan.json", "nan.json", code=1).stderr.decode())

    def test_lengths_of_packs_are_units(self):
        model_packs.give(self)
        self.ember("ff7", "repack", "rtda", "-o", "xxda")
        other = [dict(clip) for clip in self.clips]
        other[0]["positions"] = [[x + 10, y, z] for x, y, z in other[0]["positions"]]
        self.write("yyda", reference.write(other))
        text = self.ember("diff", "rtda", "yyda", "--clip", "body_00").stdout.decode()
        self.assertIn("max error   10 units", text)
        self.assertNotIn(" mm", text)
        self.assertIn(" units at ", self.ember("convert", "rtda", "--skeleton", "rtaa", "--clip", "body_00", "-o", "x.ewzanim").stderr.decode())


class Lines(testing.Case):
    def test_what_is_the_same_of_every_clip_is_one_line(self):
        self.write("a.json", document(ARM, [{"name": "c%d" % i, "fps": 60, "frames": arm_frames(4)} for i in range(14)]))
        lines = self.ember("convert", "a.json", "-o", "a.animbin").stderr.decode().splitlines()
        self.assertEqual(len([line for line in lines if "hierarchy" in line]), 1, lines)
        self.assertEqual(len([line for line in lines if "14 clips" in line]), 1, lines)

    def test_formats_that_cannot_be_written_are_not_offered(self):
        self.write("a.json", document(ARM, [{"frames": arm_frames(2)}]))
        line = self.one_line(self.ember("convert", "a.json", "--to", "nix", "-o", "x", code=2))
        self.assertIn("animbin", line)
        for name in ("bvh", "fbx", "obj", "ff7aa"):
            self.assertNotIn(name, line)

    def test_a_zero_rotation_is_refused_in_local_space_too(self):
        self.write("a.json", document(chain("root", "hips"), [{"frames": [[IDENTITY, [0, 0, 0, 0, 0, 0, 0, 1, 1, 1]]]}]))
        for words in (["--space", "local"], ["--space", "local", "--fit", "plain"], []):
            self.assertIn("hips", self.one_line(self.ember("convert", "a.json", *words, "-o", "a.ewzanim", code=1)))


class Packs(testing.Case):
    def test_putting_a_glb_back_lists_what_has_changed(self):
        model_packs.give(self)
        self.ember("convert", "-q", "rtda", "--skeleton", "rtaa", "-o", "x.json")
        said = self.ember("convert", "x.json", "--base", "rtda", "-o", "same.a00").stderr.decode()
        self.assertIn("0 of 8 clips have changed", said)
        root = self.read_json("x.json")
        bones = [b["name"] for b in root["bones"]]
        for i in (1, 5):
            clip = root["clips"][i]
            at = clip.get("bones", list(range(len(bones)))).index(bones.index("root" if i == 1 else "weapon"))
            clip["frames"][2][at][4] += 40
        self.write("x.json", json.dumps(root))
        said = self.ember("convert", "x.json", "--base", "rtda", "-o", "new.a00").stderr.decode()
        self.assertIn("2 of 8 clips have changed: body_01, weapon_05", said)
        self.assertEqual(model_packs.changed(self.data, self.read("new.a00")), [1, 5])

    def test_clips_keep_their_numbers_without_a_base(self):
        """The glb has neither the empty slots nor the weapon clips by themselves; the game finds clips by number."""
        model_packs.give(self)
        self.ember("convert", "-q", "rtda", "--skeleton", "rtaa", "-o", "cloud.glb")
        said = self.ember("convert", "cloud.glb", "-o", "new.a00").stderr.decode()
        self.assertIn("clips keep their numbers", said)
        before, after = reference.read(self.data), reference.read(self.read("new.a00"))
        self.assertEqual([c["kind"] for c in after], [c["kind"] for c in before])
        self.assertEqual([c["positions"] for c in after], [c["positions"] for c in before])
        self.assertEqual([c["rotations"] for c in after], [c["rotations"] for c in before])

    def test_clips_without_numbers_are_told(self):
        model_packs.give(self)
        self.ember("convert", "-q", "rtda", "--skeleton", "rtaa", "-o", "x.json")
        root = self.read_json("x.json")
        root["clips"][0]["name"] = "jump"
        root["clips"][0]["raw"] = {}
        self.write("x.json", json.dumps(root))
        self.assertIn("numbered in their order", self.ember("convert", "x.json", "-o", "new.a00").stderr.decode())

    def test_findings_of_many_packs_are_grouped(self):
        chance = random.Random(3)
        os.mkdir(self.path("p"))
        names = ["p/%c%cda" % (97 + i // 26, 97 + i % 26) for i in range(40)]
        for name in names:
            self.write(name, b"".join([(6).to_bytes(4, "little")] + [reference.write_chunk(smooth_clip(chance, "body", 4, 5), trailing=b"junkjunk") for _ in range(6)]))
        broken = bytearray(self.read(names[7]))
        broken[4 + 12:4 + 14] = b"\x63\x00"
        self.write(names[7], bytes(broken))
        lines = self.ember("validate", "--target", "ff7", *names, code=1).stdout.decode().splitlines()
        self.assertTrue(any(line.startswith(names[7] + ":body_00: error FF7004") for line in lines), lines)
        self.assertEqual(len([line for line in lines if "FF7011" in line]), 1, lines[-5:])
        self.assertIn("FF7011: 240 warnings in 40 files", lines[-1] + lines[-2])
        self.assertEqual(self.ember("validate", "--target", "ff7", *names, "-v", code=1).stdout.decode().count("FF7011"), 240)
        one = self.ember("validate", "--target", "ff7", names[0]).stdout.decode()
        self.assertEqual(one.count("FF7011"), 1)
        self.assertIn("and 5 more", one)


if __name__ == "__main__":
    testing.main()
