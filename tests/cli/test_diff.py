# SPDX-License-Identifier: MIT
"""`ember diff`: errors that are known beforehand, clips that belong together, tolerances and exit statuses."""

import json
import struct

import testing
from testing import ARM, IDENTITY, arm_frames, document, ewzanim, hero, turn

BONES = [("a", -1, IDENTITY), ("b", -1, IDENTITY)]


def still(*positions, name="clip", **more):
    """One frame per pair of positions of the two bones, in model space."""
    return {"name": name, "space": "model", "frames": [[turn(0, 0, p) for p in pair] for pair in positions], **more}


class Diff(testing.Case):
    def setUp(self):
        super().setUp()
        base = [((0, 0, 0), (1, 0, 0))] * 4
        self.write("a.json", document(BONES, [still(*base)]))
        moved = [((0, 0, 0), (1, 0, 0)), ((0, 0.001, 0), (1, 0, 0)), ((0, 0, 0), (1, 0, 0.004)), ((0, 0, 0), (1, 0, 0.002))]
        self.write("b.json", document(BONES, [still(*moved)]))

    def json_of(self, *words, code=0):
        root = json.loads(self.ember("diff", "--format", "json", *words, code=code).stdout)
        self.assertEqual((root["format"], root["version"]), ("ember-diff", 1))
        return root

    def test_json(self):
        root = self.json_of("a.json", "b.json")
        self.assertEqual((root["a"], root["b"], root["tolerance"], root["passed"], root["only_a"], root["only_b"]),
                         ("a.json", "b.json", None, True, [], []))
        (clip,) = root["clips"]
        self.assertEqual(clip["a"], {"clip": "clip", "bone_count": 2, "frame_count": 4})
        self.assertEqual((clip["bone_count"], clip["frame_count"], clip["max_bone"], clip["max_frame"]), (2, 4, 1, 2))
        self.assertAlmostEqual(clip["max"], 0.004, places=6)
        # Means: over both bones and all frames; by bone; the worst of each frame.
        self.assertAlmostEqual(clip["mean"], 0.007 / 8, places=6)
        self.assertEqual([bone["name"] for bone in clip["bones"]], ["b", "a"])
        self.assertAlmostEqual(clip["bones"][0]["mean"], 0.006 / 4, places=6)
        for got, expected in zip(clip["frame_max"], (0, 0.001, 0.004, 0.002)):
            self.assertAlmostEqual(got, expected, places=6)
        # The bones lie 1 apart: a sixtieth of that.
        self.assertAlmostEqual(clip["shell"], 1 / 60, places=6)
        self.assertAlmostEqual(clip["size"], 1.0, places=6)

    def test_text(self):
        lines = self.ember("diff", "a.json", "b.json", "--frames").stdout.decode().splitlines()
        self.assertEqual(lines[0], "a.json:clip and b.json:clip")
        self.assertEqual(lines[1].split(), "max error 4.00 mm at b frame 2".split())
        self.assertEqual(lines[2].split(), "mean error 0.88 mm".split())
        self.assertEqual([line.split() for line in lines[4:7]], [["bone", "max", "mean"], ["b", "4.00", "mm", "1.50", "mm"], ["a", "1.00", "mm", "0.25", "mm"]])
        self.assertEqual([line.split() for line in lines[7:]],
                         [["frame", "max"], ["0", "0", "mm"], ["1", "1.00", "mm"], ["2", "4.00", "mm"], ["3", "2.00", "mm"]])

    def test_no_difference(self):
        text = self.ember("diff", "a.json", "a.json", "--tolerance", "0").stdout.decode()
        self.assertIn("no difference: 2 bones, 4 frames", text)

    def test_turns_count_by_the_shell(self):
        self.write("a.json", document(BONES[:1], [{"name": "t", "space": "model", "frames": [[IDENTITY]]}]))
        self.write("b.json", document(BONES[:1], [{"name": "t", "space": "model", "frames": [[turn(2, 90)]]}]))
        for shell in (0.5, 2.0):
            clip = self.json_of("a.json", "b.json", "--shell", str(shell))["clips"][0]
            self.assertAlmostEqual(clip["max"], shell * 2**0.5, places=6)

    def test_tolerance(self):
        self.ember("diff", "a.json", "b.json", "--tolerance", "0.0041")
        result = self.ember("diff", "a.json", "b.json", "--tolerance", "0.0039", code=1)
        self.assertIn("above the tolerance", self.one_line(result))
        self.assertFalse(self.json_of("a.json", "b.json", "--tolerance", "0.0039", code=1)["passed"])
        self.ember("diff", "a.json", "b.json")
        for wrong in ("-1", "x", "nan", "", "1mm"):
            self.one_line(self.ember("diff", "a.json", "b.json", "--tolerance=" + wrong, code=2))

    def test_different_counts_are_said_and_fail_with_a_tolerance(self):
        self.write("short.json", document(BONES, [still(((0, 0, 0), (1, 0, 0)), ((0, 0, 0), (1, 0, 0)))]))
        result = self.ember("diff", "a.json", "short.json")
        self.assertIn("frames: 4 and 2, 2 compared", result.stdout.decode())
        self.assertEqual(result.stderr, b"")
        self.assertIn("frames", self.one_line(self.ember("diff", "a.json", "short.json", "--tolerance", "1", code=1)))
        self.write("fewer.json", document(BONES[:1], [{"name": "clip", "space": "model", "frames": [[IDENTITY]] * 4}]))
        result = self.ember("diff", "a.json", "fewer.json")
        self.assertIn("bones: 2 and 1, 1 compared", result.stdout.decode())
        self.assertIn("only in A", self.ember("diff", "a.json", "fewer.json", "--bones").stdout.decode())
        self.one_line(self.ember("diff", "a.json", "fewer.json", "--tolerance", "1", code=1))
        self.assertIsNone(self.json_of("a.json", "fewer.json")["clips"][0]["bones"][1]["max"])

    def test_bones_that_have_nothing_in_common(self):
        self.write("other.json", document([("x", -1, IDENTITY)], [{"name": "clip", "space": "model", "frames": [[IDENTITY]]}]))
        self.assertIn("other.json", self.one_line(self.ember("diff", "a.json", "other.json", code=1)))

    def test_clips_are_matched_by_name(self):
        clips = [still(((0, 0, 0), (i, 0, 0)), name=name) for i, name in enumerate(("x", "y", "z"))]
        self.write("a.json", document(BONES, clips))
        self.write("b.json", document(BONES, clips[::-1]))
        root = self.json_of("a.json", "b.json", "--tolerance", "0")
        self.assertEqual([(clip["a"]["clip"], clip["b"]["clip"]) for clip in root["clips"]], [("x", "x"), ("y", "y"), ("z", "z")])
        self.write("b.json", document(BONES, clips[:2]))
        root = self.json_of("a.json", "b.json", code=1)
        self.assertEqual((len(root["clips"]), root["only_a"], root["only_b"]), (2, ["z"], []))
        root = self.json_of("b.json", "a.json", code=1)
        self.assertEqual((root["only_a"], root["only_b"]), ([], ["z"]))

    def test_clips_are_matched_in_order_where_no_name_meets(self):
        self.write("b.json", document(BONES, [still(((0, 0, 0), (1, 0, 0)), name="other")]))
        self.assertEqual(len(self.json_of("a.json", "b.json")["clips"]), 1)

    def test_clips_are_chosen(self):
        self.write("hero.json", hero())
        self.ember("convert", "-q", "hero.json", "-o", "w.ewzanim", "--clip", "walk")
        self.assertLess(self.json_of("hero.json", "w.ewzanim", "--clip", "walk", "--tolerance", "0.002")["clips"][0]["max"], 0.002)
        self.assertLess(self.json_of("w.ewzanim", "hero.json", "--clip-b", "1")["clips"][0]["max"], 0.002)
        self.assertGreater(self.json_of("hero.json", "hero.json", "--clip", "walk", "--clip-b", "run")["clips"][0]["max"], 0.01)
        line = self.one_line(self.ember("diff", "hero.json", "w.ewzanim", "--clip", "jump", code=1))
        self.assertIn("idle, walk, run", line)

    def test_local_keyframes_take_the_other_files_skeleton(self):
        self.write("walk.json", document(ARM, [{"name": "walk", "frames": arm_frames(12)}]))
        self.ember("convert", "-q", "walk.json", "-o", "walk.ewzanim", "--space", "local")
        self.ember("diff", "walk.json", "walk.ewzanim", "--source-space", "local", "--tolerance", "0.01")
        self.ember("diff", "walk.ewzanim", "walk.json", "--source-space", "local", "--tolerance", "0.01")
        # Read as model space it is another motion altogether.
        self.ember("diff", "walk.json", "walk.ewzanim", "--tolerance", "0.1", code=1)

    def test_two_files_are_needed(self):
        self.one_line(self.ember("diff", "a.json", code=2))
        self.one_line(self.ember("diff", "a.json", "a.json", "a.json", code=2))
        self.one_line(self.ember("diff", "-", "-", code=2))
        self.one_line(self.ember("diff", "a.json", "missing.json", code=1))

    def test_standard_input(self):
        data = ewzanim(2, 2)
        self.write("x.ewzanim", data)
        self.ember("diff", "x.ewzanim", "-", "--tolerance", "0", data=data)

    def test_numbers_that_are_not_finite_are_infinitely_far(self):
        bad = ewzanim(1, 1, struct.pack("<I6H", 0x80200803, 0x7E00, 0, 0, 0x3C00, 0x3C00, 0x3C00))
        good = ewzanim(1, 1, struct.pack("<I6H", 0x80200803, 0, 0, 0, 0x3C00, 0x3C00, 0x3C00))
        self.write("bad.ewzanim", bad)
        self.write("good.ewzanim", good)
        self.ember("diff", "-q", "good.ewzanim", "bad.ewzanim", "--tolerance", "1e9", code=1)
        self.assertEqual(self.json_of("-q", "good.ewzanim", "bad.ewzanim", code=1)["clips"][0]["max"], "Infinity")


if __name__ == "__main__":
    testing.main()
