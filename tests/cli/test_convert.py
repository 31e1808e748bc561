# SPDX-License-Identifier: MIT
"""`ember convert`: bytes that survive, names of outputs, choosing and merging clips, spaces, what is said about it.

Covers: input.c, output.c, pick.c, deliver.c.
"""

import json
import math
import os
import random
import struct
import subprocess

import testing
from testing import ARM, IDENTITY, arm_frames, document, ewzanim, hero, turn

RECORD_SIZES = {"A": 12, "B": 10, "C": 16, "D": 8, "E": 20}


def rotate(q, v):
    x, y, z, w = q
    tx, ty, tz = 2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])
    return [v[0] + w * tx + y * tz - z * ty, v[1] + w * ty + z * tx - x * tz, v[2] + w * tz + x * ty - y * tx]


def multiply(a, b):
    ax, ay, az, aw = a
    bx, by, bz, bw = b
    return [aw * bx + ax * bw + ay * bz - az * by, aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw, aw * bw - ax * bx - ay * by - az * bz]


def compose(pose, parents):
    """Model-space (rotation, position) of a local pose without scale, in double."""
    model = []
    for transform, parent in zip(pose, parents):
        q, p = list(transform[:4]), list(transform[4:7])
        if parent >= 0:
            pq, pp = model[parent]
            p = [a + b for a, b in zip(pp, rotate(pq, p))]
            q = multiply(pq, q)
        model.append((q, p))
    return model


class RoundTrips(testing.Case):
    def test_keyframes_through_json_are_the_same_bytes(self):
        chance = random.Random(7)
        names = []
        for i in range(60):
            bones, frames = chance.randint(1, 40), chance.randint(1, 12)
            records = b"".join(
                struct.pack("<I6e", testing.encode_rotation(testing.random_rotation(chance)), *(chance.uniform(-100, 100) for _ in range(3)),
                            *(chance.uniform(-4, 4) for _ in range(3)))
                for _ in range(bones * frames))
            names.append(self.write("clip%d.ewzanim" % i, ewzanim(bones, frames, records)))
        self.ember("convert", "-q", *names, "-o", "{clip}.json")
        os.mkdir(self.path("back"))
        self.ember("convert", "-q", *(name.replace("ewzanim", "json") for name in names), "-o", "back", "--to", "ewzanim")
        for name in names:
            self.assertEqual(self.read(name), self.read("back/" + name), name)

    def test_all_rotations_codes_of_an_encoder_come_back(self):
        # Neighbours of ties, where the plain formula may choose another component than the code that was read.
        codes = []
        for a in (0, 1, 511, 512, 873, 1022, 1023):
            for b in (0, 512, 873, 1023):
                for c in (149, 512, 1023):
                    parts = [(v / 511.5 - 1) / math.sqrt(2) for v in (a, b, c)]
                    if sum(v * v for v in parts) <= 1.0:
                        codes += [a << 22 | b << 12 | c << 2 | index for index in range(4)]
        records = b"".join(struct.pack("<I6e", code, 0, 0, 0, 1, 1, 1) for code in codes)
        self.write("codes.ewzanim", ewzanim(len(codes), 1, records))
        self.ember("convert", "-q", "codes.ewzanim", "-o", "codes.json")
        self.ember("convert", "-q", "codes.json", "-o", "back.ewzanim")
        self.assertEqual(self.read("codes.ewzanim"), self.read("back.ewzanim"))

    def test_all_five_draft_records(self):
        self.write("hero.json", hero())
        for letter, size in RECORD_SIZES.items():
            self.ember("convert", "-q", "hero.json", "--clip", "walk", "-o", "walk.eza", "--record", letter)
            data = self.read("walk.eza")
            self.assertEqual(len(data), 16 + 3 * 12 * size, letter)
            magic, version, flags, bones, frames, fps = struct.unpack("<4sBBHHH", data[:12])
            self.assertEqual((magic, version, flags & 2, bones, frames, fps), (b"EWZA", 1, 2, 3, 12, 30 * 256))
            self.assertEqual(data[12], {"A": 0, "B": 0, "C": 3, "D": 4, "E": 5}[letter])
            self.assertEqual(flags & 1, 0 if letter in "BD" else 1)
            # Through JSON and back: D needs the rest pose to be read, the others stand alone.
            skeleton = ("--skeleton", "hero.json")
            self.ember("convert", "-q", "walk.eza", "-o", "again.json", *skeleton)
            again = self.read_json("again.json")
            self.assertEqual((again["clips"][0]["fps"], again["clips"][0]["loop"]), (30, True))
            self.ember("convert", "-q", "again.json", "-o", "again.eza", "--record", letter)
            self.assertEqual(self.read("again.eza"), data, letter)

    def test_the_smallest_record_is_chosen(self):
        for scale, size in (((1, 1, 1), 10), ((2, 2, 2), 12), ((1, 2, 3), 16)):
            self.write("s.json", document(ARM[:1], [{"name": "s", "frames": [[turn(0, 20, (1, 2, 3), scale)]]}]))
            self.ember("convert", "-q", "s.json", "-o", "s.eza")
            self.assertEqual(len(self.read("s.eza")), 16 + size)

    def test_standard_input_and_output(self):
        data = ewzanim(4, 3)
        text = self.ember("convert", "-q", "-", "--from", "ewzanim", "-o", "-", "--to", "json", data=data).stdout
        self.assertEqual(json.loads(text)["clips"][0]["frame_count"], 3)
        back = self.ember("convert", "-", "-o", "-", "--to", "ewzanim", data=text)
        self.assertEqual(back.stdout, data)
        self.assertIn("standard output  4 bones × 3 frames  196 B  exact", back.stderr.decode())
        self.assertEqual(self.files(), [])

    def test_in_place(self):
        data = ewzanim(4, 3)
        self.write("x.ewzanim", data)
        self.ember("convert", "-q", "x.ewzanim", "-o", "x.ewzanim", "--in-place")
        self.assertEqual(self.read("x.ewzanim"), data)
        self.assertEqual(self.files(), ["x.ewzanim"])

    def test_the_same_input_gives_the_same_bytes(self):
        self.write("hero.json", hero())
        for target in ("json", "ewzanim", "eza"):
            for folder in ("one", "two"):
                self.ember("convert", "-q", "hero.json", "-o", folder + "/", "--to", target)
        ones = [name for name in self.files() if name.startswith("one/")]
        self.assertEqual(len(ones), 7)
        for name in ones:
            self.assertEqual(self.read(name), self.read(name.replace("one/", "two/")), name)

    def test_kernels_do_not_change_the_bytes(self):
        self.write("hero.json", hero())
        self.ember("convert", "-q", "hero.json", "-o", "{clip}.ewzanim")
        self.ember("convert", "-q", "hero.json", "-o", "scalar-{clip}.ewzanim", env={"EMBER_ISA": "scalar"})
        for clip in ("idle", "walk", "run"):
            self.assertEqual(self.read(clip + ".ewzanim"), self.read("scalar-%s.ewzanim" % clip))

    def test_compact_json_has_one_line_and_the_same_content(self):
        self.write("hero.json", hero())
        self.ember("convert", "-q", "hero.json", "-o", "long.json")
        self.ember("convert", "-q", "hero.json", "-o", "short.json", "--compact")
        self.assertEqual(self.read("short.json").rstrip(b"\n").count(b"\n"), 0)
        self.assertGreater(self.read("long.json").count(b"\n"), 20)
        self.assertEqual(self.read_json("short.json"), self.read_json("long.json"))

    def test_a_decimal_comma_changes_nothing(self):
        made = subprocess.run(["sh", "-c", "localedef -i de_DE -f UTF-8 ./de_DE.UTF-8"], cwd=self.folder, capture_output=True)
        if made.returncode != 0 or not os.path.isdir(self.path("de_DE.UTF-8")):
            self.skipTest("no locale with a decimal comma can be made here: " + made.stderr.decode(errors="replace").strip())
        # With LOCPATH set the C library keeps a copy of it for good, which a build with sanitizers would report as our leak.
        self.write("libc.txt", "leak:argz_add_sep\n")
        comma = {"LOCPATH": self.folder, "LC_ALL": "de_DE.UTF-8",
                 "LSAN_OPTIONS": "suppressions=%s:print_suppressions=0" % self.path("libc.txt")}
        seen = subprocess.run(["locale", "decimal_point"], env={**os.environ, **comma}, capture_output=True)
        self.assertEqual(seen.stdout.strip(), b",", "the locale does not work, so the test would prove nothing")
        self.write("hero.json", hero())
        for words in (("info", "--bones", "hero.json"), ("info", "--format", "json", "hero.json"),
                      ("convert", "hero.json", "-o", "-", "--to", "json", "--fps", "29.97"),
                      ("convert", "hero.json", "-o", "-", "--clip", "run", "--to", "ewzanim"),
                      ("diff", "hero.json", "hero.json", "--tolerance", "0.5", "--format", "json")):
            plain, with_comma = self.ember(*words, env={"LC_ALL": "C"}), self.ember(*words, env=comma)
            self.assertEqual(plain.stdout, with_comma.stdout, words)
            self.assertEqual(plain.stderr, with_comma.stderr, words)


class Names(testing.Case):
    def names_of(self, *clips):
        """Files made of clips with these names."""
        self.write("in.json", document(ARM, [{"name": name, "frames": arm_frames(2, 1 + i)} for i, name in enumerate(clips)]))
        os.mkdir(self.path("out"))
        result = self.ember("convert", "in.json", "-o", "out/{clip}.ewzanim")
        return [name[len("out/"):] for name in self.files() if name.startswith("out/")], result.stderr.decode()

    def test_nasty_clip_names_stay_in_the_folder(self):
        names, _ = self.names_of("../../escape", "/etc/passwd", "..", ".", "", "a/b", "-", "x" * 300, "ü" * 200, "*", "a b\"'$(c)")
        self.assertEqual(len(names), 11)
        for name in names:
            self.assertNotIn("/", name)
            self.assertLessEqual(len(name.encode()), 255)
        # "." and ".." both become "_", and the second of them "__2".
        for name in (".._.._escape", "_etc_passwd", "a_b", "-", "*", "a b\"'$(c)", "clip", "_", "__2"):
            self.assertIn(name + ".ewzanim", names)
        self.assertEqual([name for name in self.files() if not name.startswith("out/")], ["in.json"])

    def test_names_that_meet_get_numbers_and_a_note(self):
        names, said = self.names_of("walk", "walk", "walk_2", "walk", "a/b", "a_b")
        self.assertEqual(sorted(names), sorted(name + ".ewzanim" for name in ("walk", "walk_2", "walk_2_2", "walk_3", "a_b", "a_b_2")))
        self.assertIn("ember: in.json:walk: the name is taken, written as out/walk_2.ewzanim", said)

    def test_a_clip_called_dash_is_a_file(self):
        self.write("in.json", document(ARM, [{"name": "-", "frames": arm_frames(1)}]))
        result = self.ember("convert", "-q", "in.json", "-o", "{clip}", "--to", "ewzanim")
        self.assertEqual(result.stdout, b"")
        self.assertEqual(self.files(), ["-", "in.json"])

    def test_the_mark_may_come_twice(self):
        self.write("hero.json", hero())
        self.ember("convert", "-q", "hero.json", "-o", "{clip}-{clip}.json", "--clip", "run")
        self.assertEqual(self.files(), ["hero.json", "run-run.json"])

    def test_folders(self):
        self.write("hero.json", hero())
        self.write("solo.json", document(ARM, [{"name": "Take 001", "frames": arm_frames(3)}]))
        self.ember("convert", "-q", "hero.json", "solo.json", "-o", "new/deep/", "--to", "ewzanim")
        self.assertEqual([name for name in self.files() if name.startswith("new")],
                         ["new/deep/idle.ewzanim", "new/deep/run.ewzanim", "new/deep/solo.ewzanim", "new/deep/walk.ewzanim"])
        self.ember("convert", "-q", "hero.json", "solo.json", "-o", "new", "--to", "json")
        self.assertEqual(len(self.read_json("new/hero.json")["clips"]), 3)
        self.assertEqual(len(self.read_json("new/solo.json")["clips"]), 1)
        result = self.ember("convert", "hero.json", "-o", "new", code=2)
        self.assertIn("--to", self.one_line(result))

    def test_files_of_one_name_in_a_folder_get_numbers(self):
        for folder in ("a", "b"):
            os.mkdir(self.path(folder))
            self.write(folder + "/x.ewzanim", ewzanim(2, 2, seed=ord(folder)))
        said = self.ember("convert", "a/x.ewzanim", "b/x.ewzanim", "-o", "out/", "--to", "json").stderr.decode()
        self.assertEqual([name for name in self.files() if name.startswith("out")], ["out/x.json", "out/x_2.json"])
        self.assertIn("out/x_2.json", said)

    def test_an_input_is_not_overwritten_before_it_is_read(self):
        self.write("a.json", document(ARM, [{"name": "b", "frames": arm_frames(2)}]))
        self.write("b.json", document(ARM, [{"name": "c", "frames": arm_frames(3)}]))
        before = self.read("b.json")
        result = self.ember("convert", "-q", "a.json", "b.json", "-o", "{clip}.json", code=1)
        self.assertIn("b.json", self.one_line(result))
        self.assertEqual(self.read("b.json"), before)
        self.assertEqual(self.files(), ["a.json", "b.json", "c.json"])

    def test_odd_file_names(self):
        for name in ("with space.ewzanim", "quote'\".ewzanim", "ünï.ewzanim", "new\nline.ewzanim", "{clip.ewzanim", "%s%n.ewzanim", "-v.ewzanim"):
            self.write(name, ewzanim(2, 2))
            self.ember("convert", "-q", "-o", "out.json", "--", name)
            self.assertEqual(self.read_json("out.json")["clips"][0]["frame_count"], 2)
            self.ember("convert", "-q", "out.json", "-o", "./" + name)
            self.assertEqual(self.read(name), ewzanim(2, 2))


class Choosing(testing.Case):
    def setUp(self):
        super().setUp()
        self.write("hero.json", hero())

    def chosen(self, *words):
        self.ember("convert", "-q", "hero.json", "-o", "out.json", *words)
        return [clip["name"] for clip in self.read_json("out.json")["clips"]]

    def test_by_name_number_and_glob(self):
        self.assertEqual(self.chosen(), ["idle", "walk", "run"])
        self.assertEqual(self.chosen("--all"), ["idle", "walk", "run"])
        self.assertEqual(self.chosen("--clip", "run"), ["run"])
        self.assertEqual(self.chosen("--clip", "1"), ["walk"])
        self.assertEqual(self.chosen("--clip", "[iw]*"), ["idle", "walk"])
        self.assertEqual(self.chosen("--clip", "run", "--clip=0", "--clip", "r*"), ["idle", "run"])

    def test_a_name_that_is_a_number_or_a_glob_means_itself(self):
        self.write("hero.json", document(ARM, [{"name": name, "frames": arm_frames(1)} for name in ("1", "x", "*")]))
        self.assertEqual(self.chosen("--clip", "1"), ["1"])
        self.assertEqual(self.chosen("--clip", "*"), ["*"])
        self.assertEqual(self.chosen("--clip", "2"), ["*"])

    def test_no_match_lists_the_names(self):
        for word in ("jump", "3", "z*"):
            for out in ("out.json", "{clip}.json"):
                line = self.one_line(self.ember("convert", "hero.json", "-o", out, "--clip", word, code=1))
                self.assertIn("idle, walk, run", line)
                self.assertIn(word, line)
        self.assertEqual(self.files(), ["hero.json"])

    def test_one_clip_formats_ask_which(self):
        line = self.one_line(self.ember("convert", "hero.json", "-o", "out.ewzanim", code=1))
        for word in ("hero.json", "idle, walk, run", "--clip", "{clip}"):
            self.assertIn(word, line)
        self.assertEqual(self.files(), ["hero.json"])
        self.ember("convert", "-q", "hero.json", "-o", "out.ewzanim", "--clip", "walk")
        self.assertEqual(self.read("out.ewzanim")[:4], struct.pack("<BBH", 3, 0, 12))

    def test_merging_files_with_the_same_bones(self):
        self.ember("convert", "-q", "hero.json", "-o", "{clip}.json")
        self.ember("convert", "-q", "idle.json", "walk.json", "run.json", "-o", "again.json")
        self.ember("convert", "-q", "hero.json", "-o", "straight.json")
        self.assertEqual(self.read("again.json"), self.read("straight.json"))

    def test_merging_files_with_other_bones_fails(self):
        self.write("more.json", document(ARM + [("finger", 2, IDENTITY)], [{"name": "x", "frames": [[IDENTITY] * 4]}]))
        self.assertIn("4 bones", self.one_line(self.ember("convert", "hero.json", "more.json", "-o", "out.json", code=1)))
        other = [("hip", -1, IDENTITY), ("leg", 0, IDENTITY), ("hand", 1, IDENTITY)]
        self.write("other.json", document(other, [{"name": "x", "frames": [[IDENTITY] * 3]}]))
        self.assertIn("leg", self.one_line(self.ember("convert", "hero.json", "other.json", "-o", "out.json", code=1)))
        moved = [("hip", -1, IDENTITY), ("upper", 0, IDENTITY), ("hand", 0, IDENTITY)]
        self.write("moved.json", document(moved, [{"name": "x", "frames": [[IDENTITY] * 3]}]))
        self.assertIn("parent", self.one_line(self.ember("convert", "hero.json", "moved.json", "-o", "out.json", code=1)))
        self.write("bare.ewzanim", ewzanim(3, 2))
        self.assertIn("--skeleton", self.one_line(self.ember("convert", "hero.json", "bare.ewzanim", "-o", "out.json", code=1)))
        self.assertNotIn("out.json", self.files())
        self.ember("convert", "-q", "hero.json", "bare.ewzanim", "-o", "out.json", "--skeleton", "hero.json")
        self.assertEqual([clip["name"] for clip in self.read_json("out.json")["clips"]], ["idle", "walk", "run", "bare"])


class Spaces(testing.Case):
    def setUp(self):
        super().setUp()
        self.frames = arm_frames(12)
        self.write("walk.json", document(ARM, [{"name": "walk", "frames": self.frames}]))

    def near(self, got, expected, limit):
        """A transform of the output against (rotation, position)."""
        q, p = expected
        sign = 1 if sum(a * b for a, b in zip(got[:4], q)) >= 0 else -1
        for a, b in zip(got[:7], [sign * v for v in q] + list(p)):
            self.assertLess(abs(a - b), limit)

    def test_local_to_model_is_the_composed_pose(self):
        self.ember("convert", "-q", "walk.json", "-o", "model.json", "--space", "model")
        clip = self.read_json("model.json")["clips"][0]
        self.assertEqual(clip["space"], "model")
        for frame, pose in zip(clip["frames"], self.frames):
            for got, expected in zip(frame, compose(pose, [-1, 0, 1])):
                self.near(got, expected, 2e-6)

    def test_keyframes_are_in_model_space_unless_asked(self):
        self.ember("convert", "-q", "walk.json", "-o", "model.ewzanim")
        self.ember("convert", "-q", "walk.json", "-o", "local.ewzanim", "--space", "local")
        for name, poses in (("model", [compose(pose, [-1, 0, 1]) for pose in self.frames]),
                            ("local", [[(t[:4], t[4:7]) for t in pose] for pose in self.frames])):
            data = self.read(name + ".ewzanim")
            for i, (q, p) in enumerate(expected for pose in poses for expected in pose):
                self.near(testing.decode_record(data[4 + 16 * i : 20 + 16 * i]), (q, p), 0.004)

    def test_verbose_compares_the_fits_where_the_format_has_them(self):
        for name, space, compared in (("a.ewzanim", "local", True), ("a.eza", "local", True), ("a.eza", "model", False)):
            said = self.ember("convert", "-v", "walk.json", "-o", name, "--space", space).stderr.decode()
            self.assertEqual("with --fit plain the max error would be" in said, compared, said)

    def test_model_and_back_is_where_it_was(self):
        self.ember("convert", "-q", "walk.json", "-o", "model.json", "--space", "model")
        self.ember("convert", "-q", "model.json", "-o", "local.json", "--space", "local")
        clip = self.read_json("local.json")["clips"][0]
        self.assertEqual(clip["space"], "local")
        for frame, pose in zip(clip["frames"], self.frames):
            for got, expected in zip(frame, pose):
                self.near(got, (expected[:4], expected[4:7]), 5e-6)

    def test_rotations_keep_their_sign_from_frame_to_frame(self):
        self.write("spin.json", document(ARM[:1], [{"name": "spin", "frames": [[turn(1, 20 * i)] for i in range(40)]}]))
        self.ember("convert", "-q", "spin.json", "-o", "model.json", "--space", "model")
        frames = self.read_json("model.json")["clips"][0]["frames"]
        for a, b in zip(frames, frames[1:]):
            self.assertGreater(sum(x * y for x, y in zip(a[0][:4], b[0][:4])), 0)

    def test_local_keyframes_need_a_skeleton(self):
        self.ember("convert", "-q", "walk.json", "-o", "local.ewzanim", "--space", "local")
        line = self.one_line(self.ember("convert", "local.ewzanim", "--source-space", "local", "--space", "model", "-o", "x.json", code=1))
        self.assertIn("--skeleton", line)
        self.ember("convert", "-q", "local.ewzanim", "--source-space", "local", "--space", "model", "-o", "x.json", "--skeleton", "walk.json")
        document = self.read_json("x.json")
        self.assertEqual([bone["name"] for bone in document["bones"]], ["hip", "upper", "hand"])
        for frame, pose in zip(document["clips"][0]["frames"], self.frames):
            for got, expected in zip(frame, compose(pose, [-1, 0, 1])):
                self.near(got, expected, 0.01)

    def test_a_format_without_clips_ignores_the_space(self):
        self.ember("convert", "-q", "walk.json", "-o", "walk.eza")
        self.ember("convert", "-q", "walk.eza", "-o", "plain.ewzskel")
        self.ember("convert", "-q", "walk.eza", "--space", "local", "-o", "asked.ewzskel")
        self.assertEqual(self.read("asked.ewzskel"), self.read("plain.ewzskel"))

    def test_the_source_space_is_for_files_that_do_not_say(self):
        self.assertIn("--source-space", self.one_line(self.ember("convert", "walk.json", "--source-space", "model", "-o", "out.json", code=1)))

    def test_shear_is_warned_of(self):
        bent = [turn(0, 0, scale=(4, 1, 1)), turn(2, 45)]
        self.write("shear.json", document([("a", -1, IDENTITY), ("b", 0, IDENTITY)], [{"name": "s", "frames": [bent]}]))
        said = self.ember("convert", "shear.json", "-o", "s.ewzanim").stderr.decode()
        self.assertIn("ember: s.ewzanim:b: warning: ", said)
        self.assertIn("shear", said)
        self.assertNotIn("shear", self.ember("convert", "walk.json", "-o", "w.ewzanim").stderr.decode())

    def test_a_parent_of_scale_zero_is_warned_of(self):
        flat = [turn(0, 0, scale=(0, 1, 1)), turn(2, 45, (1, 2, 3))]
        self.write("flat.json", document([("a", -1, IDENTITY), ("b", 0, IDENTITY)], [{"name": "s", "space": "model", "frames": [flat]}]))
        said = self.ember("convert", "flat.json", "-o", "s.json", "--space", "local").stderr.decode()
        self.assertIn("ember: s.json:s:b: warning: ", said)


class Saying(testing.Case):
    def setUp(self):
        super().setUp()
        self.write("hero.json", hero())

    def test_the_line_about_an_output(self):
        said = self.ember("convert", "hero.json", "--clip", "walk", "-o", "walk.ewzanim").stderr.decode().splitlines()
        self.assertEqual(len(said), 2)
        self.assertRegex(said[0], r"^ember: walk\.ewzanim: names of 3 bones.*2 markers.*rate.* not stored$")
        self.assertRegex(said[1], r"^walk\.ewzanim  3 bones × 12 frames  580 B  max error \d+\.\d\d mm at (hip|upper|hand) frame \d+$")

    def test_the_measured_error_is_right(self):
        """Against the bytes decoded here: the farthest of three points at a sixtieth of the model's size from each bone."""
        said = self.ember("convert", "hero.json", "--clip", "run", "-o", "run.ewzanim").stderr.decode().splitlines()[-1]
        shown = float(said.split("max error ")[1].split(" mm")[0]) / 1000
        data = self.read("run.ewzanim")
        models = [compose(pose, [-1, 0, 1]) for pose in arm_frames(8, 15.0)]
        spots = [p for model in models for _, p in model]
        shell = max(max(p[k] for p in spots) - min(p[k] for p in spots) for k in range(3)) / 60
        worst = 0.0
        for i, (q, p) in enumerate(pair for model in models for pair in model):
            record = testing.decode_record(data[4 + 16 * i : 20 + 16 * i])
            length = math.sqrt(sum(v * v for v in record[:4]))
            for axis in range(3):
                point = [shell if k == axis else 0.0 for k in range(3)]
                a = [u + v for u, v in zip(p, rotate(q, point))]
                b = [u + v for u, v in zip(record[4:7], rotate([v / length for v in record[:4]], point))]
                worst = max(worst, math.dist(a, b))
        self.assertLess(abs(shown - worst), 0.00002)

    def test_an_exact_copy_is_called_exact(self):
        self.write("x.ewzanim", ewzanim(2, 2))
        self.assertIn("exact", self.ember("convert", "x.ewzanim", "-o", "y.nczxanim").stderr.decode())

    def test_quiet_says_nothing_and_verbose_more(self):
        self.assertEqual(self.ember("convert", "-q", "hero.json", "-o", "{clip}.ewzanim").stderr, b"")
        said = self.ember("convert", "-v", "hero.json", "-o", "{clip}.ewzanim").stderr.decode()
        self.assertTrue(said.endswith("3 files written\n"), said)
        self.assertEqual(self.ember("convert", "hero.json", "-o", "x.json").stderr, b"")
        self.assertIn("x.json  3 clips", self.ember("convert", "-v", "hero.json", "-o", "x.json").stderr.decode())

    def test_rotations_of_any_length_mean_the_same(self):
        child = turn(0, 0, (0, 1, 0))
        for length in (0.1, 0.7, 1.01, 2.0, 1e-30, 1e30):
            long = turn(0, 60)
            long[:4] = [length * part for part in long[:4]]
            self.write("x.json", document(ARM[:2], [{"frames": [[long, child]]}]))
            self.ember("convert", "-q", "x.json", "-o", "m.json", "--space", "model")
            first, second = self.read_json("m.json")["clips"][0]["frames"][0]
            for got, expected in zip(first[:4] + first[7:] + second[4:7], [0.5, 0, 0, math.sqrt(0.75), 1, 1, 1, 0, 0.5, math.sqrt(0.75)]):
                self.assertAlmostEqual(got, expected, places=5)
            for space in ("model", "local"):
                said = self.ember("convert", "x.json", "-o", "x.ewzanim", "--space", space).stderr.decode()
                self.assertRegex(said, r"max error 0\.\d+ mm|exact")  # measured against what the rotation means

    def test_what_cannot_change_its_space_is_refused(self):
        broken = turn(0, 0)
        for part, value, says in ((0, "NaN", "not finite"), (4, "Infinity", "not finite"), (3, 0, "no direction")):
            bad = list(broken)
            bad[part] = value
            self.write("x.json", document(ARM[:2], [{"frames": [[turn(0, 0), turn(0, 0)], [bad, turn(0, 0, (0, 1, 0))]]}]))
            result = self.ember("convert", "-q", "x.json", "-o", "x.ewzanim", code=1)
            self.assertIn("x.json:clip:%s: frame 1: " % ARM[0][0], self.one_line(result))
            self.assertIn(says, self.one_line(result))
            self.assertNotIn("x.ewzanim", self.files())

    def test_descriptors_are_written_to_as_they_are(self):
        self.write("x.ewzanim", ewzanim(1, 1))
        self.assertEqual(len(self.ember("convert", "-q", "x.ewzanim", "-o", "/dev/fd/1", "--to", "ewzanim").stdout), 20)
        with open(self.path("log"), "w+b") as log:
            log.write(b"kept\n")
            log.flush()
            subprocess.run([testing.EMBER, "convert", "-q", "x.ewzanim", "-o", "/dev/stdout", "--to", "ewzanim"], stdout=log,
                           cwd=self.folder, check=True)
        self.assertEqual(self.read("log")[:5], b"kept\n")
        self.assertEqual(len(self.read("log")), 25)

    def test_a_file_over_the_systems_limit_is_an_error(self):
        self.write("x.ewzanim", ewzanim(20, 50))
        result = subprocess.run(["sh", "-c", 'ulimit -f 8; exec "$0" convert -q x.ewzanim -o x.json', testing.EMBER], cwd=self.folder,
                                capture_output=True)
        self.assertEqual((result.returncode, self.one_line(result)), (1, "ember: x.json: cannot write: File too large"))
        self.assertEqual(self.files(), [name for name in self.files() if not name.endswith("tmp") and name != "x.json"])

    def test_a_rate_can_be_given(self):
        self.write("x.ewzanim", ewzanim(2, 5))
        self.ember("convert", "-q", "x.ewzanim", "-o", "x.json", "--fps", "12.5")
        self.assertEqual(self.read_json("x.json")["clips"][0]["fps"], 12.5)


if __name__ == "__main__":
    testing.main()
