# SPDX-License-Identifier: MIT
"""`ember` with ANIMBIN: what its options do, what is said, and the player's limits.

Covers: animbin_options.c.
"""

import math
import os
import struct
import sys

import animbin_reference as reference
import testing
from testing import ARM, arm_frames, document, hero


def dense_track(joint, count):
    return {"type": 0, "joint": joint, "keys": [{"frame": i, "type": 0, "value": [4096, 0, 0, 0]} for i in range(count)]}


def animation(name="walk", length=4, tracks=(), markers=(), flags=1):
    return {"name": name, "flags": flags, "length": length, "tracks": list(tracks), "markers": list(markers)}


class Reading(testing.Case):
    def test_rate_is_60_or_what_is_asked_for(self):
        self.write("a.animbin", reference.write([animation()]))
        self.ember("convert", "-q", "a.animbin", "-o", "a.json")
        self.assertEqual(self.read_json("a.json")["clips"][0]["fps"], 60)
        self.ember("convert", "-q", "a.animbin", "-o", "a.json", "--fps", "50")
        self.assertEqual(self.read_json("a.json")["clips"][0]["fps"], 50)

    def test_skeleton_gives_names_parents_and_rest(self):
        self.write("a.animbin", reference.write([animation(tracks=[dense_track(1, 4)])]))
        self.write("rig.json", document(ARM, []))
        self.ember("convert", "-q", "a.animbin", "--skeleton", "rig.json", "-o", "a.json")
        made = self.read_json("a.json")
        self.assertEqual([bone["name"] for bone in made["bones"]], ["hip", "upper", "hand"])
        self.assertEqual([bone["parent"] for bone in made["bones"]], [-1, 0, 1])
        self.assertEqual(made["clips"][0]["frames"][2], [bone["rest"] for bone in made["bones"]])

    def test_the_keys_behind_a_frame_are_shown(self):
        turns = {"type": 0, "joint": 1, "keys": [{"frame": 0, "type": 0, "value": [4096, 0, 0, 0]}, {"frame": 5, "type": 0, "value": [2896, 0, -2896, 7]}]}
        moves = {"type": 1, "joint": 1, "keys": [{"frame": 3, "type": 1, "value": [100, -200, 70000]}]}
        self.write("a.animbin", reference.write([animation(length=9, tracks=[turns, moves])]))
        for frame, wanted in ((0, "rotation at 0: 4096 0 0 0"), (2, "rotation at 0: 4096 0 0 0"), (4, "rotation at 0: 4096 0 0 0, translation at 3: 100 -200 70000"),
                              (5, "rotation at 5: 2896 0 -2896 7, translation at 3: 100 -200 70000"), (8, "rotation at 5: 2896 0 -2896 7, translation at 3: 100 -200 70000")):
            lines = self.ember("info", "a.animbin", "--frame", str(frame)).stdout.decode().splitlines()
            self.assertTrue(lines[-1].endswith("  " + wanted), lines[-1])
            self.assertTrue(lines[-2].endswith("  -"), "a joint without keys: " + lines[-2])

    def test_broken_files_get_one_line_and_no_output(self):
        good = reference.write([animation(tracks=[dense_track(0, 4)])])
        for size in range(len(good)):
            self.write("a.animbin", good[:size])
            if size % 7 == 0:
                line = self.one_line(self.ember("convert", "-q", "a.animbin", "-o", "a.json", code=1))
                self.assertIn("a.animbin", line)
        self.assertEqual(self.files(), ["a.animbin"])

    def test_pre_release_layout_is_named(self):
        old = b"ANIMBIN\1\1" + b"WaveArm".ljust(32, b"\0") + struct.pack("<IHH", 1, 2, 1) + struct.pack("<BBH", 0, 7, 2)
        old += b"".join(struct.pack("<IB4h", i, 0, 32767, 0, 0, 0) for i in range(2)) + struct.pack("<H", 0)
        self.write("old.animbin", old)
        self.assertIn("before its release", self.one_line(self.ember("info", "old.animbin", code=1)))

    def test_a_small_file_stays_small(self):
        key = {"frame": 0, "type": 0, "value": [4096, 0, 0, 0]}
        self.write("a.animbin", reference.write([animation(length=65535, tracks=[{"type": 0, "joint": 9, "keys": [key]}])]))
        for words in (["info", "a.animbin"], ["convert", "a.animbin", "-o", "b.json"], ["diff", "a.animbin", "a.animbin"]):
            self.assertIn("65535 frames of 10 bones take 25 MiB, more than the limit of 6 MiB", self.ember(*words, code=1).stderr.decode())
        self.ember("convert", "-q", "a.animbin", "-o", "b.animbin", "--max-memory", "26")
        self.assertEqual(self.read("a.animbin"), self.read("b.animbin"))
        self.ember("validate", "a.animbin", "--target", "madnight")

    def test_unit_is_the_skeletons_if_asked_for(self):
        small = [(name, parent, rest[:4] + [p / 100 for p in rest[4:7]] + rest[7:]) for name, parent, rest in ARM]
        frames = [[t[:4] + [p / 100 for p in t[4:7]] + t[7:] for t in pose] for pose in arm_frames(4, 1.0)]
        frames[2][1][4] += 0.001
        self.write("arm.json", document(small, [{"name": "bend", "fps": 60, "frames": frames}]))
        said = self.ember("convert", "arm.json", "-o", "a.animbin", "--unit", "auto").stderr.decode()
        unit = float(said.split("by the skeleton, is ")[1].split(":")[0])
        self.assertEqual(math.log2(unit) % 1, 0)
        self.ember("convert", "-q", "a.animbin", "--skeleton", "arm.json", "--unit", "auto", "-o", "auto.json")
        self.ember("convert", "-q", "a.animbin", "--skeleton", "arm.json", "--unit", "%d" % unit, "-o", "number.json")
        self.assertEqual(self.read("auto.json"), self.read("number.json"))
        self.ember("diff", "arm.json", "a.animbin", "--skeleton", "arm.json", "--unit", "auto", "--tolerance", "0.00003")
        self.assertIn("needs a rest pose", self.one_line(self.ember("convert", "a.animbin", "--unit", "auto", "-o", "b.json", code=1)))

    def test_odd_keys_are_warned_of(self):
        track = dense_track(0, 4)
        track["keys"][1] = {"frame": 1, "type": 1, "value": [0, 0, 0]}
        self.write("a.animbin", reference.write([animation(tracks=[track])]))
        result = self.ember("convert", "a.animbin", "-o", "a.json")
        self.assertIn(b"a.animbin:walk: warning: 1 key is not of the type of its track", result.stderr)


class Writing(testing.Case):
    def test_all_clips_go_into_one_file(self):
        self.write("hero.json", hero())
        self.ember("convert", "-q", "hero.json", "-o", "hero.animbin")
        animations = reference.read(self.read("hero.animbin"))
        self.assertEqual([a["name"] for a in animations], ["idle", "walk", "run"])
        self.assertEqual([a["length"] for a in animations], [16, 24, 19])
        self.assertEqual([a["flags"] for a in animations], [1, 1, 0])
        self.assertEqual(animations[1]["markers"], [{"name": "step", "frame": 6}, {"name": "step", "frame": 18}])
        for made in animations:
            self.assertEqual([t["joint"] for t in made["tracks"]], [0, 1, 2])
            for track in made["tracks"]:
                self.assertEqual([key["frame"] for key in track["keys"]], list(range(made["length"])))

    def test_several_files_go_into_one(self):
        for i in range(3):
            self.write("c%d.animbin" % i, reference.write([animation("c%d" % i, tracks=[dense_track(i % 2 * 1, 4), dense_track(3, 4)])]))
        self.ember("convert", "-q", "c0.animbin", "c1.animbin", "c2.animbin", "-o", "all.animbin")
        animations = reference.read(self.read("all.animbin"))
        self.assertEqual([a["name"] for a in animations], ["c0", "c1", "c2"])
        self.assertEqual([t["joint"] for t in animations[1]["tracks"]], [1, 3])

    def test_model_space_is_brought_to_local(self):
        self.write("hero.json", hero())
        self.ember("convert", "-q", "hero.json", "--clip", "walk", "-o", "local.animbin")
        self.ember("convert", "-q", "hero.json", "--clip", "walk", "--space", "model", "-o", "model.json")
        self.ember("convert", "-q", "model.json", "-o", "back.animbin", "--translations", "never")
        local, back = (reference.read(self.read(name))[0] for name in ("local.animbin", "back.animbin"))
        for a, b in zip(local["tracks"], back["tracks"]):
            for x, y in zip(a["keys"], b["keys"]):
                self.assertLessEqual(max(abs(u - v) for u, v in zip(x["value"], y["value"])), 1, (x, y))

    def test_model_space_without_parents_is_an_error(self):
        self.write("a.ewzanim", testing.ewzanim(3, 2))
        self.assertIn("parents", self.one_line(self.ember("convert", "-q", "a.ewzanim", "-o", "a.animbin", code=1)))

    def test_sparse_keys_are_fewer_and_within_their_tolerance(self):
        self.write("arm.json", document(ARM, [{"name": "bend", "fps": 60, "frames": arm_frames(60, 1.0)}]))
        self.ember("convert", "-q", "arm.json", "-o", "dense.animbin")
        self.ember("convert", "-q", "arm.json", "-o", "sparse.animbin", "--keys", "sparse", "--tolerance", "0.002")
        self.assertLess(len(self.read("sparse.animbin")) * 5, len(self.read("dense.animbin")))
        self.ember("diff", "arm.json", "sparse.animbin", "--tolerance", "0.002")
        self.ember("diff", "arm.json", "sparse.animbin", "--tolerance", "0.00001", code=1)

    def test_long_names_are_cut_and_said(self):
        self.write("a.json", document(ARM, [{"name": "n" * 40, "frames": arm_frames(2)}]))
        result = self.ember("convert", "a.json", "-o", "a.animbin")
        self.assertIn(b"names have at most 31 bytes", result.stderr)
        self.assertEqual(reference.read(self.read("a.animbin"))[0]["name"], "n" * 31)

    def test_wrong_usage_is_told(self):
        self.write("a.json", hero())
        for words, part in [
            (["-o", "a.ewzanim", "--keys", "dense"], "--keys is for animbin"),
            (["-o", "b.json", "--target", "madnight"], "--target is for animbin"),
            (["-o", "a.animbin", "--keys", "thin"], "--keys is dense or sparse"),
            (["-o", "a.animbin", "--unit", "-3"], "--unit is a number above 0"),
            (["-o", "a.animbin", "--unit", "automatic"], "--unit is a number above 0 or auto"),
            (["-o", "a.animbin", "--max-memory", "1048577"], "--max-memory is at most 1048576 MiB"),
            (["-o", "a.animbin", "--basis", "y-up"], "--basis is same or psx"),
            (["-o", "a.animbin", "--space", "model"], "local space"),
            (["-o", "a.animbin", "--tolerance", "1"], "--keys sparse"),
            (["-o", "a.animbin", "--target", "madnight", "--keys", "sparse"], "does not interpolate"),
        ]:
            self.assertIn(part, self.one_line(self.ember("convert", "a.json", *words, code=2)))
        self.assertEqual(self.files(), ["a.json"])


class Madnight(testing.Case):
    def codes(self, name, code):
        result = self.ember("validate", name, "--target", "madnight", code=code)
        return [line.split(": ")[1].split()[1] for line in result.stdout.decode().splitlines() if " MAD" in line]

    def test_what_fits_is_said(self):
        self.write("a.animbin", reference.write([animation(length=30, tracks=[dense_track(j, 30) for j in range(15)])]))
        result = self.ember("validate", "a.animbin", "--target", "madnight")
        size = len(self.read("a.animbin"))
        self.assertEqual(result.stdout.decode(), "a.animbin: fits madnight: 1 clip, %s B of animbin\n" % format(size, ","))

    def test_limits_have_codes(self):
        self.write("a.animbin", reference.write([animation(length=31, tracks=[dense_track(j, 31) for j in range(16)],
                                                           markers=[{"name": "m", "frame": 0}] * 6)]))
        self.assertEqual(self.codes("a.animbin", 1), ["MAD005", "MAD004", "MAD006"])

    def test_files_are_judged_however_long_they_are(self):
        key = {"frame": 0, "type": 0, "value": [4096, 0, 0, 0]}
        self.write("a.animbin", reference.write([animation(length=65535, tracks=[{"type": 0, "joint": 255, "keys": [key]}])]))
        self.assertEqual(self.codes("a.animbin", 1), ["MAD006"])

    def test_markers_have_codes(self):
        data = reference.write([animation(markers=[{"name": "m" * 31, "frame": 1}, {"name": "late", "frame": 9}])])
        self.write("a.animbin", data.replace(b"m" * 31 + b"\0", b"m" * 32))
        self.assertEqual(self.codes("a.animbin", 1), ["MAD011", "MAD112"])

    def test_convert_warns_of_a_rate_that_no_console_has(self):
        self.write("arm.json", document(ARM, [{"name": "bend", "fps": 30, "frames": arm_frames(4, 1.0)}]))
        said = self.ember("convert", "arm.json", "-o", "arm.animbin", "--target", "madnight", "--fps", "30").stderr.decode()
        self.assertIn("warning: 30 frames a second will play at 60 or 50", said)

    def test_unreadable_files_have_a_code(self):
        self.write("a.animbin", b"ANIMBIN\1\1")
        self.assertEqual(self.codes("a.animbin", 1), ["MAD001"])

    def test_other_formats_are_judged_as_they_would_be_stored(self):
        self.write("hero.json", hero())
        self.assertEqual(self.codes("hero.json", 0), ["MAD107"] * 3)

    def test_json_report(self):
        self.write("a.animbin", reference.write([]))
        report = testing.json.loads(self.ember("validate", "a.animbin", "--target", "madnight", "--format", "json").stdout)
        self.assertEqual(report["target"], "madnight")
        self.assertEqual([f["code"] for f in report["files"][0]["findings"]], ["MAD111"])

    def test_convert_fits_clips_and_says_what_it_dropped(self):
        moving = [[t[:4] + [t[4] + 0.1 * i] + t[5:] for t in pose] for i, pose in enumerate(arm_frames(60, 1.0))]
        self.write("arm.json", document(ARM, [{"name": "bend", "fps": 60, "frames": moving}]))
        result = self.ember("convert", "arm.json", "-o", "arm.animbin", "--target", "madnight")
        self.assertIn(b"thinned evenly from 60 to 30 keys", result.stderr)
        self.assertIn(b"translations of 3 joints are dropped", result.stderr)
        made = reference.read(self.read("arm.animbin"))[0]
        self.assertEqual(made["length"], 60)
        self.assertEqual([(t["type"], len(t["keys"])) for t in made["tracks"]], [(0, 30)] * 3)
        frames = [key["frame"] for key in made["tracks"][0]["keys"]]
        self.assertEqual((frames[0], frames[-1]), (0, 59))
        self.assertLessEqual(max(b - a for a, b in zip(frames, frames[1:])), 3)
        self.assertEqual(set(self.codes("arm.animbin", 0)), {"MAD101"})

    def test_convert_says_why_it_cannot(self):
        bones = [("b%d" % i, i - 1, testing.IDENTITY) for i in range(16)]
        self.write("long.json", document(bones, [{"name": "a", "frames": [[testing.IDENTITY] * 16]}]))
        line = self.one_line(self.ember("convert", "-q", "long.json", "-o", "x.animbin", "--target", "madnight", code=1))
        self.assertIn("number 15", line)
        self.write("many.json", document(ARM, [{"name": "c%d" % i, "frames": arm_frames(1)} for i in range(6)]))
        line = self.one_line(self.ember("convert", "-q", "many.json", "-o", "x.animbin", "--target", "madnight", code=1))
        self.assertIn("6 clips", line)
        self.ember("convert", "-q", "many.json", "--clip", "c[0-4]", "-o", "x.animbin", "--target", "madnight")


class FewerBones(testing.Case):
    def test_a_rig_of_seventeen_becomes_one_of_fifteen(self):
        """A chain along y; every bone turns by 3 degrees but the 6th and the 11th, which hardly move and go."""
        def bend(i, frame):
            return testing.turn(2, frame * (0.01 if i in (6, 11) else 3), (0, 1 if i else 0, 0))
        bones = [("b%d" % i, i - 1, bend(i, 0)) for i in range(17)]
        self.write("rig.json", document(bones, [{"name": "wave", "fps": 60, "frames": [[bend(i, f) for i in range(17)] for f in range(4)]}]))
        said = self.ember("convert", "rig.json", "--max-bones", "15", "-v", "-o", "rig.animbin").stderr.decode()
        self.assertIn("2 of 17 bones are merged into their parents", said)
        self.assertIn("b6: merged into b5", said)
        self.assertIn("b11: merged into b10", said)
        self.ember("convert", "rig.json", "--max-bones", "15", "-q", "-o", "less.json")
        less = self.read_json("less.json")
        self.assertEqual([bone["name"] for bone in less["bones"]], ["b%d" % i for i in range(17) if i not in (6, 11)])
        self.assertAlmostEqual(less["bones"][6]["rest"][5], 2, places=5)
        self.assertEqual(self.one_line(self.ember("convert", "rig.json", "--max-bones", "0", "-o", "x.json", code=2)).count("--max-bones"), 1)
        self.ember("convert", "rig.json", "--max-bones", "17", "-o", "same.json")
        self.assertEqual(len(self.read_json("same.json")["bones"]), 17)


if __name__ == "__main__":
    testing.main()
