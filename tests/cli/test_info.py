# SPDX-License-Identifier: MIT
"""`ember info` and `ember formats`: what they print, as text and as JSON.

Covers: table.c, text.c, json_text.c, values.c, cmd_formats.c.
"""

import json
import os
import struct
import unicodedata

import testing
from testing import ARM, IDENTITY, document, ewzanim, hero, turn


class Info(testing.Case):
    def json_of(self, *words, code=0):
        result = self.ember("info", "--format", "json", *words, code=code)
        root = json.loads(result.stdout)
        self.assertEqual((root["format"], root["version"]), ("ember-info", 1))
        return root["files"]

    def test_json_of_keyframes(self):
        self.write("walk.ewzanim", ewzanim(41, 33))
        self.assertEqual(self.json_of("walk.ewzanim"), [{
            "path": "walk.ewzanim", "format": "ewzanim", "title": "Emberware Z keyframes", "size": 21652,
            "bytes_per_bone_frame": 16.0029564, "bone_count": 41, "clip_count": 1, "mesh_count": 0,
            "clips": [{"index": 0, "name": "walk", "frame_count": 33, "bone_count": 41, "fps": None, "seconds": 1.06666667,
                       "loop": False, "space": "model", "markers": []}]}])

    def test_json_of_several_clips_and_bones(self):
        self.write("hero.json", hero())
        (file,) = self.json_of("--bones", "hero.json")
        self.assertEqual(file["size"], os.path.getsize(self.path("hero.json")))
        walk = file["clips"][1]
        self.assertEqual((walk["index"], walk["name"], walk["fps"], walk["loop"], walk["space"], walk["seconds"]), (1, "walk", 30, True, "local", 0.4))
        self.assertEqual(walk["markers"], [{"name": "step", "frame": 3}, {"name": "step", "frame": 9}])
        # Not looping: 8 frames are 7 steps of 1/24 s.
        self.assertAlmostEqual(file["clips"][2]["seconds"], 7 / 24, places=8)
        self.assertEqual([(bone["index"], bone["name"], bone["parent"]) for bone in file["bones"]],
                         [(0, "hip", -1), (1, "upper", 0), (2, "hand", 1)])
        self.assertEqual(file["bones"][2]["rest"], [0, 0, 0, 1, 0, 0.4, 0, 1, 1, 1])
        self.assertNotIn("bones", self.json_of("hero.json")[0])

    def test_json_tells_of_files_that_failed(self):
        self.write("good.ewzanim", ewzanim(1, 1))
        self.write("bad.ewzanim", b"\1")
        bad, good, missing = self.json_of("bad.ewzanim", "good.ewzanim", "missing", code=1)
        self.assertEqual((bad["path"], sorted(bad)), ("bad.ewzanim", ["error", "path"]))
        self.assertIn("truncated", bad["error"])
        self.assertEqual(good["clip_count"], 1)
        self.assertEqual(missing["path"], "missing")

    def test_text(self):
        self.write("hero.json", hero())
        self.write("walk.ewzanim", ewzanim(41, 33))
        text = self.ember("info", "walk.ewzanim").stdout.decode()
        self.assertEqual(text.splitlines(), [
            "walk.ewzanim: Emberware Z keyframes (ewzanim), 21,652 B, 41 bones, 1 clip, 16.0 B per bone and frame",
            "  #  clip  frames  bones   fps  seconds  loop  space  markers",
            "  0  walk      33     41  (30)   (1.07)  no    model  -",
        ])
        lines = self.ember("info", "hero.json", "--bones").stdout.decode().splitlines()
        self.assertRegex(lines[0], r"^hero\.json: .* \(json\), [\d,]+ B, 3 bones, 3 clips, [\d.]+ B per bone and frame$")
        self.assertEqual(lines[3].split(), ["1", "walk", "12", "3", "30", "0.40", "yes", "local", "step@3", "step@9"])
        self.assertEqual(lines[-1].split(), ["2", "hand", "1", "upper", "0", "0.4", "0", "0", "0", "0", "1", "1", "1", "1"])
        for line in lines:
            self.assertEqual(line, line.rstrip())

    def test_options_of_reading(self):
        self.write("walk.bin", ewzanim(2, 5))
        (file,) = self.json_of("walk.bin", "--from", "ewzanim", "--fps", "10", "--source-space", "local")
        self.assertEqual((file["clips"][0]["fps"], file["clips"][0]["seconds"], file["clips"][0]["space"]), (10, 0.4, "local"))
        self.assertEqual(self.json_of("walk.bin", "--space", "local")[0]["clips"][0]["space"], "local")

    def test_content_comes_before_the_extension(self):
        self.write("hero.ewzanim", hero())
        self.assertEqual(self.json_of("hero.ewzanim")[0]["format"], "json")
        self.write("draft.json", struct.pack("<4sBBHHH4B", b"EWZA", 1, 0, 1, 1, 256, 0, 0, 0, 0) + bytes(10))
        self.assertEqual(self.json_of("draft.json")[0]["format"], "eza")

    def test_names_with_anything_in_them_stay_in_their_row(self):
        names = ("new\nline", "\x1b[31mred", "ünïcödé", "", "tab\t", "你好", "\u202eeci", "\u2066in\u2069", "\u061c\u2028")
        self.write("n.json", document(ARM[:1], [{"name": name, "frames": [[IDENTITY]]} for name in names]))
        result = self.ember("info", "n.json", "--bones")
        self.assertNotIn(b"\x1b", result.stdout)
        lines = result.stdout.decode().splitlines()
        self.assertEqual(len(lines), 1 + 1 + len(names) + 1 + 1)
        # Characters that take two columns count twice.
        columns = {line.index("local") + sum(unicodedata.east_asian_width(c) == "W" for c in line) for line in lines[2:8]}
        self.assertEqual(len(columns), 1, "not aligned:\n" + "\n".join(lines))

    def test_paths_that_are_not_utf8(self):
        name = b"odd-\xfe.ewzanim"
        self.write(os.fsdecode(name), ewzanim(1, 1))
        self.assertIn(b"odd-\\xfe.ewzanim", self.ember("info", name).stdout)
        self.assertEqual(self.json_of(name)[0]["path"], "odd-\\xfe.ewzanim")

    def test_numbers_that_are_not_finite(self):
        # What a half float can hold, a JSON document of ours can hold too.
        self.write("x.ewzanim", ewzanim(1, 1, struct.pack("<I6H", 0x80200803, 0x7C00, 0xFC00, 0x7E00, 0x3C00, 0x3C00, 0x3C00)))
        result = self.ember("info", "x.ewzanim")
        self.assertIn("not finite", self.one_line(result))
        self.assertEqual(self.ember("info", "-q", "x.ewzanim").stderr, b"")


class Frame(testing.Case):
    def frame_of(self, *words):
        return json.loads(self.ember("info", "--format", "json", *words).stdout)["files"][0]["clips"]

    def test_stored_bits_of_a_record_and_what_they_mean(self):
        # A quarter turn about x as the specification packs it, a position of 1 2 -0.5 and scales of 1 in half floats.
        quarter = struct.pack("<I6H", 0xFFE00803, 0x3C00, 0x4000, 0xB800, 0x3C00, 0x3C00, 0x3C00)
        self.write("x.ewzanim", ewzanim(2, 2, struct.pack("<I6H", 0x80200803, 0, 0, 0, 0x3C00, 0x3C00, 0x3C00) * 3 + quarter))
        clip, = self.frame_of("x.ewzanim", "--frame", "1")
        first, second = clip["frame"]["bones"]
        self.assertEqual(clip["frame"]["frame"], 1)
        self.assertEqual(first["stored"], "80200803 0000 0000 0000 3c00 3c00 3c00")
        self.assertEqual(second["stored"], "ffe00803 3c00 4000 b800 3c00 3c00 3c00")
        # [.707107 0 0 .707107]: a quarter turn about x, within what 10 bits can say.
        for value, wanted in zip(second["degrees"], (90, 0, 0)):
            self.assertAlmostEqual(value, wanted, delta=0.3)
        self.assertEqual(second["transform"][4:], [1, 2, -0.5, 1, 1, 1])
        text = self.ember("info", "x.ewzanim", "--frame", "1").stdout.decode()
        self.assertIn("  frame 1 of x, in model space\n", text)
        self.assertRegex(text, r"\n +1  -     +9?[0-9.]+ .* 1\.0000  2\.0000  -0\.5000  1\.0000  1\.0000  1\.0000  ffe00803 3c00 4000 b800 3c00 3c00 3c00\n")

    def test_degrees_are_about_x_then_y_then_z(self):
        def then(a, b):
            """First a, then b."""
            ax, ay, az, aw = a
            bx, by, bz, bw = b
            return [bw * ax + bx * aw + by * az - bz * ay, bw * ay - bx * az + by * aw + bz * ax, bw * az + bx * ay - by * ax + bz * aw, bw * aw - bx * ax - by * ay - bz * az]

        for wanted in ((30, 0, 0), (0, 40, 0), (0, 0, -50), (0, 90, 0), (180, 0, 0), (30, 40, 50), (-100, 20, 170), (70, -90, 0)):
            x, y, z = (turn(axis, wanted[axis])[:4] for axis in range(3))
            self.write("turn.json", document([("a", -1, IDENTITY)], [dict(name="t", frames=[[then(then(x, y), z) + [0, 0, 0, 1, 1, 1]]])]))
            clip, = self.frame_of("turn.json", "--frame", "0")
            for value, right in zip(clip["frame"]["bones"][0]["degrees"], wanted):
                self.assertAlmostEqual(value, right, delta=0.03, msg=(wanted, clip["frame"]["bones"][0]))
            self.assertIsNone(clip["frame"]["bones"][0]["stored"])

    def test_one_clip_can_be_chosen_and_missing_frames_are_said(self):
        self.write("hero.json", hero())
        clips = self.frame_of("hero.json", "--frame", "2", "--clip", "walk")
        self.assertEqual(["frame" in clip for clip in clips], [clip["name"] == "walk" for clip in clips])
        result = self.ember("info", "hero.json", "--frame", "11", "--clip", "run", code=1)
        self.assertRegex(self.one_line(result), r"^ember: hero\.json:run: there is no frame 11: it has \d+$")
        self.ember("info", "hero.json", "--frame", "x", code=2)
        self.ember("info", "hero.json", "--clip", "walk", code=2)


class Formats(testing.Case):
    def test_lists_every_format(self):
        lines = self.ember("formats").stdout.decode().splitlines()
        names = [line.split()[0] for line in lines]
        for name in ("ewzanim", "eza", "json"):
            self.assertIn(name, names)
        self.assertIn("nczxanim", lines[names.index("ewzanim")])

    def test_says_how_many_clips_a_file_holds(self):
        rows = [line.split() for line in self.ember("formats").stdout.decode().splitlines()[1:]]
        clips = {count: {row[0] for row in rows if row[3] == count} for count in ("none", "one", "many")}
        self.assertEqual(clips["none"], {"obj", "ewzskel", "ewzmesh", "ff7aa"})
        self.assertEqual(clips["one"], {"ewzanim", "eza", "bvh"})
        self.assertEqual(clips["many"], {"json", "animbin", "gltf", "glb", "fbx", "ff7", "ewzlean"})


if __name__ == "__main__":
    testing.main()
