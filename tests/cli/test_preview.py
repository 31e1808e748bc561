# SPDX-License-Identifier: MIT
"""`ember preview`: what the pictures show, of every kind of file, and that none needs a display."""

import base64
import json
import os
import struct
import sys

import pictures
import testing
from testing import IDENTITY, document, turn

BACKGROUND = (0x23, 0x28, 0x2F)


def arm(bend, frames=4, name="bend"):
    """Three bones in a row; the second turns by `bend` degrees from the first frame to the last."""
    rest = [("root", -1, IDENTITY), ("elbow", 0, turn(2, 0, (0, 1, 0))), ("tip", 1, turn(2, 0, (0, 1, 0)))]
    made = [[IDENTITY, turn(2, bend * i / max(frames - 1, 1), (0, 1, 0)), turn(2, 0, (0, 1, 0))] for i in range(frames)]
    return document(rest, [{"name": name, "frames": made, "fps": 10}])


def box_gltf():
    """A red box on a node that moves up by 2, as a .gltf with its buffer inside."""
    corners = [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
    faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    indices = [i for a, b, c, d in faces for i in (a, b, c, a, c, d)]
    data = b"".join(struct.pack("<3f", *c) for c in corners) + struct.pack("<36H", *indices)
    keys = len(data)
    data += struct.pack("<2f", 0, 1) + struct.pack("<6f", 0, 0, 0, 0, 2, 0)
    return json.dumps({
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0, "name": "box"}],
        "materials": [{"pbrMetallicRoughness": {"baseColorFactor": [1, 0.02, 0.02, 1]}}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1, "material": 0}]}],
        "animations": [{"name": "up", "samplers": [{"input": 2, "output": 3}], "channels": [{"sampler": 0, "target": {"node": 0, "path": "translation"}}]}],
        "buffers": [{"byteLength": len(data), "uri": "data:application/octet-stream;base64," + base64.b64encode(data).decode()}],
        "bufferViews": [{"buffer": 0, "byteLength": 96}, {"buffer": 0, "byteOffset": 96, "byteLength": 72}, {"buffer": 0, "byteOffset": keys, "byteLength": 8},
                        {"buffer": 0, "byteOffset": keys + 8, "byteLength": 24}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 8, "type": "VEC3", "min": [-1, -1, -1], "max": [1, 1, 1]},
            {"bufferView": 1, "componentType": 5123, "count": 36, "type": "SCALAR"},
            {"bufferView": 2, "componentType": 5126, "count": 2, "type": "SCALAR", "min": [0], "max": [1]},
            {"bufferView": 3, "componentType": 5126, "count": 2, "type": "VEC3"}]})


def is_red(r, g, b):
    return r > 90 and g < r // 3 and b < r // 3


def is_green(r, g, b):
    return g > 90 and r < g * 3 // 4 and b < g * 3 // 4


def is_bone(r, g, b):
    """The pale colour of bones without a side, in light or shade."""
    return r > 120 and g > 110 and b > 80 and r >= g >= b


class Preview(testing.Case):
    def picture(self, name):
        return pictures.png(self.read(name))

    def cells(self, picture, size, count):
        """The boxes of a sheet's pictures, as the command lays them out."""
        for i in range(count):
            left, top = 6 + i % 4 * (size + 6), 40 + i // 4 * (size + 6)
            yield left, top, left + size, top + size

    def test_a_sheet_has_eight_pictures_that_differ(self):
        self.write("arm.json", arm(90, frames=30))
        result = self.ember("preview", "arm.json", "-o", "sheet.png", "--size", "96x96")
        self.assertEqual(result.stdout, b"")
        picture = self.picture("sheet.png")
        self.assertEqual((picture.width, picture.height), (6 + 4 * 102, 40 + 2 * 102))
        seen = set()
        for box in self.cells(picture, 96, 8):
            self.assertGreater(picture.count(is_bone, box), 60)
            seen.add(b"".join(bytes(picture.rows[y][3 * box[0]:3 * box[2]]) for y in range(box[1], box[3] - 26)))
        self.assertEqual(len(seen), 8)

    def test_a_film_draws_what_moves(self):
        """A bone that stands still after a tenth of a film of 10 s: no more pictures than those, some for the way, and none for the rest."""
        frames = [[IDENTITY, turn(2, min(i, 30), (0, 1, 0)), turn(2, 0, (0, 1, 0))] for i in range(300)]
        self.write("still.json", document([("a", -1, IDENTITY), ("b", 0, turn(2, 0, (0, 1, 0))), ("c", 1, turn(2, 0, (0, 1, 0)))], [{"name": "w", "fps": 30, "frames": frames}]))
        said = self.ember("preview", "still.json", "-v", "--size", "64x64", "-o", "still.gif").stderr.decode()
        drawn = int(said.split(" of 300 pictures drawn")[0].split()[-1])
        self.assertLessEqual(drawn, 31)
        self.assertGreaterEqual(drawn, 20)

    def test_the_same_file_gives_the_same_bytes(self):
        self.write("arm.json", arm(40))
        for name in ("a.png", "b.png"):
            self.ember("preview", "arm.json", "-o", name, "--size", "64x64")
        self.assertEqual(self.read("a.png"), self.read("b.png"))

    def test_fewer_frames_than_pictures_are_all_there(self):
        self.write("arm.json", arm(40, frames=3))
        self.ember("preview", "arm.json", "-o", "sheet.png", "--size", "64x64")
        self.assertEqual(self.picture("sheet.png").width, 6 + 3 * 70)

    def test_a_mesh_moves_through_the_picture(self):
        self.write("box.gltf", box_gltf())
        self.ember("preview", "box.gltf", "-o", "sheet.png", "--size", "100x100", "--frames", "2", "--turn", "0", "--pitch", "0")
        picture = self.picture("sheet.png")
        heights = []
        for left, top, right, bottom in self.cells(picture, 100, 2):
            rows = [y - top for y in range(top, bottom - 26) for x in range(left, right) if is_red(*picture.at(x, y))]
            self.assertGreater(len(rows), 300)
            heights.append(sum(rows) / len(rows))
        # A box of 2 that moves up by 2 fills 4; of the 100 pixels 4 take 100 / 1.1 at its nearer side, so 2 take 40 to 46.
        self.assertGreater(heights[0] - heights[1], 30)
        self.assertLess(heights[0] - heights[1], 50)
        # All of it is in the picture: there is background around it.
        for left, top, right, bottom in self.cells(picture, 100, 2):
            self.assertEqual(sum(1 for y in range(top, bottom) if is_red(*picture.at(left, y)) or is_red(*picture.at(right - 1, y))), 0)
            self.assertEqual(sum(1 for x in range(left, right) if is_red(*picture.at(x, top))), 0)

    def test_every_kind_of_file_can_be_seen(self):
        self.write("arm.json", arm(60))
        self.write("box.gltf", box_gltf())
        self.write("arm.bvh", "HIERARCHY\nROOT hip\n{\n OFFSET 0 0 0\n CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n"
                   " JOINT knee\n {\n  OFFSET 0 1 0\n  CHANNELS 3 Zrotation Xrotation Yrotation\n  End Site\n  {\n   OFFSET 0 1 0\n  }\n }\n}\n"
                   "MOTION\nFrames: 2\nFrame Time: 0.1\n0 0 0 0 0 0 0 0 0\n0 0 0 0 0 0 50 0 0\n")
        self.write("tent.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 3 4\nf 1 4 2\nf 2 4 3\n")
        for name in ("arm.ewzanim", "arm.eza", "arm.glb", "arm.animbin"):
            self.ember("convert", "arm.json", "-q", "-o", name)
        self.ember("export", "skeleton", "arm.glb", "-q", "-o", "arm.ewzskel")
        for name in ("arm.json", "box.gltf", "arm.bvh", "tent.obj", "arm.ewzanim", "arm.eza", "arm.glb", "arm.animbin", "arm.ewzskel"):
            with self.subTest(name):
                self.ember("preview", name, "-o", "x.png", "--size", "64x64", "--frames", "2", "-q")
                picture = self.picture("x.png")
                box = next(self.cells(picture, 64, 1))
                lit = picture.count(lambda r, g, b: max(r, g, b) > 100, (box[0], box[1], box[2], box[3] - 28))
                self.assertGreater(lit, 6)  # three joints of a pixel or two at the least

    def test_a_skeleton_brings_parents_and_meshes(self):
        self.write("box.gltf", box_gltf())
        self.ember("convert", "box.gltf", "-q", "-o", "up.ewzanim")
        note = self.ember("preview", "up.ewzanim", "-o", "bare.png", "--size", "64x64", "--frames", "1")
        self.ember("preview", "up.ewzanim", "--skeleton", "box.gltf", "-o", "full.png", "--size", "64x64", "--frames", "1")
        self.assertEqual(self.picture("bare.png").count(is_red), 0)
        self.assertGreater(self.picture("full.png").count(is_red), 100)
        self.assertNotIn(b"error", note.stderr)

    def test_the_ends_of_bones_are_in_the_picture(self):
        self.write("arm.json", arm(0, frames=1))
        self.ember("preview", "arm.json", "-o", "x.png", "--size", "200x200", "--turn", "0", "--pitch", "0")
        picture = self.picture("x.png")
        left, top, right, _ = next(self.cells(picture, 200, 1))
        # A twentieth of the side is free above what is drawn, and the last bone goes on beyond its joint.
        self.assertEqual(picture.count(is_bone, (left, top, right, top + 8)), 0)
        self.assertGreater(picture.count(is_bone, (left, top + 8, right, top + 40)), 10)

    def test_a_name_that_would_leave_the_picture_stands_on_the_other_side(self):
        shift = turn(2, 0, (8, 0, 0))
        rest = [("a", -1, IDENTITY), ("elbow", 0, shift)]
        pictured = []
        for name, right in (("none", []), ("names", ["--names"])):
            self.write("arm.json", document(rest, [{"name": "still", "frames": [[IDENTITY, shift]], "fps": 10}]))
            self.ember("preview", "arm.json", "-o", name + ".png", "--size", "200x200", "--turn", "0", "--pitch", "0", *right)
            pictured.append(self.picture(name + ".png"))
        left, top, end, bottom = next(self.cells(pictured[1], 200, 1))
        changed = [x - left for y in range(top, bottom - 26) for x in range(left, end) if pictured[0].at(x, y) != pictured[1].at(x, y)]
        self.assertGreater(len(changed), 50)
        self.assertLess(max(changed), 197)

    def test_clips_of_a_rom_have_their_meshes(self):
        os.mkdir(self.path("assets"))
        self.write("assets/box.gltf", box_gltf())
        self.ember("build", "assets", "-q", "-o", "game.ewz")
        self.ember("preview", "game.ewz", "--clip", "b*", "-o", "x.png", "--size", "64x64", "--frames", "2")
        self.assertGreater(self.picture("x.png").count(is_red), 100)
        self.assertIn("the clips are", self.one_line(self.ember("preview", "game.ewz", "--clip", "down", "-o", "y.png", code=1)))

    def test_compare_is_green_where_nothing_is_off_and_red_where_it_is(self):
        self.write("a.json", arm(60))
        self.write("b.json", arm(60))
        self.write("c.json", arm(90))
        self.ember("preview", "a.json", "--compare", "b.json", "-o", "same.png", "--size", "160x160", "--frames", "4")
        self.ember("preview", "a.json", "--compare", "c.json", "-o", "off.png", "--size", "160x160", "--frames", "4")
        boxes = list(self.cells(None, 160, 4))
        same, off = self.picture("same.png"), self.picture("off.png")
        for box in boxes:
            self.assertGreater(same.count(is_green, box), 30)
            self.assertEqual(same.count(is_red, box), 0)
        self.assertEqual(off.count(is_red, boxes[0]), 0)  # both start straight
        self.assertGreater(off.count(is_red, boxes[3]), 8)

    def test_plot_shows_the_curves(self):
        self.write("a.json", arm(60))
        self.write("c.json", arm(90))
        self.ember("preview", "a.json", "--compare", "c.json", "--plot", "plot.png", "-q")
        self.assertEqual(self.files(), ["a.json", "c.json", "plot.png"])
        plot = self.picture("plot.png")
        self.assertEqual((plot.width, plot.height), (1280, 720))
        # The worst bone's curve is straight up to the right: low at the left end, at the top at the right one.
        def is_curve(r, g, b):
            return (r, g, b) == (0xD1, 0x38, 0x2C)
        self.assertGreater(plot.count(is_curve, (122, 600, 300, 664)), 20)
        self.assertGreater(plot.count(is_curve, (900, 60, 1012, 150)), 20)
        self.assertEqual(plot.count(is_curve, (122, 60, 300, 400)), 0)
        self.assertIn("--compare", self.one_line(self.ember("preview", "a.json", "--plot", "x.png", code=2)))

    def test_onion_shows_ghosts_of_both_sides(self):
        self.write("arm.json", arm(170, frames=32))
        for name, more in (("plain.png", []), ("onion.png", ["--onion"])):
            self.ember("preview", "arm.json", "-o", name, "--size", "128x128", "--frames", "3", *more)
        box = list(self.cells(None, 128, 3))[1]
        def bluish(r, g, b):
            return b > r + 35 and b > 90
        def brownish(r, g, b):
            return r > b + 35 and r > 80
        plain, onion = self.picture("plain.png"), self.picture("onion.png")
        self.assertGreater(onion.count(bluish, box), plain.count(bluish, box) + 20)
        self.assertGreater(onion.count(brownish, box), plain.count(brownish, box) + 20)

    def test_names_are_written_beside_the_joints(self):
        self.write("arm.json", arm(30))
        for name, more in (("plain.png", ["--bones"]), ("named.png", ["--names"])):
            self.ember("preview", "arm.json", "-o", name, "--size", "128x128", "--frames", "1", *more)
        def is_text(r, g, b):
            return (r, g, b) == (0xF2, 0xEF, 0xE6)
        box = next(self.cells(None, 128, 1))
        box = (box[0], box[1], box[2], box[3] - 28)
        self.assertEqual(self.picture("plain.png").count(is_text, box), 0)
        self.assertGreater(self.picture("named.png").count(is_text, box), 60)

    def test_films_play_at_the_clips_rate(self):
        self.write("arm.json", arm(60, frames=7))
        for name, more in (("film.gif", []), ("film.apng", []), ("moves.png", ["--animate"])):
            self.ember("preview", "arm.json", "-o", name, "--size", "64x48", *more)
        self.assertEqual(pictures.gif_frames(self.read("film.gif")), (64, 48, [10] * 7))
        frames = pictures.apng_frames(self.read("film.apng"))
        self.assertEqual(len(frames), 7)
        self.assertEqual(frames[0], (0.1, (0, 0, 64, 48)))
        self.assertEqual(self.read("film.apng"), self.read("moves.png"))
        self.ember("preview", "arm.json", "-o", "short.gif", "--size", "64x48", "--frames", "3")
        self.assertEqual(len(pictures.gif_frames(self.read("short.gif"))[2]), 3)

    def test_fast_clips_are_thinned_and_keep_their_length(self):
        rest = [("root", -1, IDENTITY), ("tip", 0, turn(2, 0, (0, 1, 0)))]
        made = [[turn(2, i, (0, 0, 0)), turn(2, 0, (0, 1, 0))] for i in range(121)]
        self.write("fast.json", document(rest, [{"name": "fast", "frames": made, "fps": 120}]))
        self.ember("preview", "fast.json", "-o", "fast.gif", "--size", "32x32")
        delays = pictures.gif_frames(self.read("fast.gif"))[2]
        self.assertEqual(len(delays), 31)
        self.assertEqual(sum(delays), 103)

    def test_a_long_walk_stays_in_the_picture(self):
        rest = [("root", -1, IDENTITY), ("head", 0, turn(2, 0, (0, 1, 0)))]
        made = [[turn(2, 0, (0, 0, 0.5 * i)), turn(2, 0, (0, 1, 0))] for i in range(60)]
        self.write("walk.json", document(rest, [{"name": "walk", "frames": made, "fps": 10}]))
        self.ember("preview", "walk.json", "-o", "walk.png", "--size", "96x96")
        picture = self.picture("walk.png")
        for box in self.cells(picture, 96, 8):
            self.assertGreater(picture.count(is_bone, (box[0], box[1], box[2], box[3] - 24)), 40)

    def test_numbers_that_cannot_be_seen_harm_nothing(self):
        rest = [("root", -1, IDENTITY), ("tip", 0, turn(2, 0, (0, 1, 0)))]
        for values in ((0, 3e38, -3e38), ("NaN", "Infinity", 0), (0, 1e-30, 0), (1e-38, 1e20, 5)):
            made = [[[0, 0, 0, 1, value, 0, 0, 1, 1, 1], turn(2, 0, (0, 1, 0))] for value in values]
            self.write("odd.json", document(rest, [{"name": "odd", "frames": made}]))
            for name, more in (("odd.png", ["--names", "--onion"]), ("odd.gif", ["--compare", "odd.json", "--plot", "plot.png"])):
                self.ember("preview", "odd.json", "-q", "-o", name, "--size", "32x32", *more)

    def test_mistakes_are_one_line(self):
        self.write("arm.json", arm(30))
        self.write("empty.json", document([], []))
        for words, says, code in (
                (["preview", "arm.json"], "-o FILE.png", 2),
                (["preview", "arm.json", "-o", "x.bmp"], ".png, .apng or .gif", 2),
                (["preview", "arm.json", "-o", "x.png", "--size", "10x10"], "--size is", 2),
                (["preview", "arm.json", "-o", "x.png", "--size", "99999x20"], "--size is", 2),
                (["preview", "arm.json", "-o", "x.png", "--frames", "0"], "--frames is", 2),
                (["preview", "arm.json", "-o", "x.png", "--turn", "east"], "--turn is", 2),
                (["preview", "arm.json", "-o", "x.png", "--up", "w"], "--up", 2),
                (["preview", "arm.json", "-o", "x.png", "--clip", "run"], "the clips are bend", 1),
                (["preview", "none.json", "-o", "x.png"], "none.json", 1),
                (["preview", "empty.json", "-o", "x.png"], "nothing to see", 1),
                (["preview", "arm.json", "-o", "no/such/folder/x.png"], "no/such/folder", 1)):
            with self.subTest(words):
                self.assertIn(says, self.one_line(self.ember(*words, code=code)))
        self.assertEqual(self.files(), ["arm.json", "empty.json"])

    def test_no_display_is_needed(self):
        self.write("arm.json", arm(30))
        self.ember("preview", "arm.json", "-o", "x.png", "--size", "32x32", env={"DISPLAY": "", "WAYLAND_DISPLAY": "", "XDG_RUNTIME_DIR": ""})

    def test_without_a_driver_one_line_says_what_to_install(self):
        self.write("arm.json", arm(30))
        for lack in ({"__EGL_VENDOR_LIBRARY_FILENAMES": "/nonexistent"}, {"LIBGL_DRIVERS_PATH": "/nonexistent"}):
            line = self.one_line(self.ember("preview", "arm.json", "-o", "x.png", code=1, env=lack))
            self.assertIn("apt-get install", line)
            self.assertIn("libgl1-mesa-dri", line)
        self.assertEqual(self.files(), ["arm.json"])


class Corpus(testing.Case):
    """Real characters, where EMBER_CORPUS names their folder."""

    def setUp(self):
        super().setUp()
        self.corpus = os.environ.get("EMBER_CORPUS", "")
        if not os.path.isdir(self.corpus):
            self.skipTest("EMBER_CORPUS is not set")

    def test_the_fox_is_orange_and_the_knight_is_grey(self):
        for name, holds in (("Fox.glb", lambda r, g, b: r > 150 and 60 < g < r * 3 // 4 and b < g // 2 + 20),
                            ("Knight.glb", lambda r, g, b: 90 < r < 190 and abs(r - g) < 25 and abs(g - b) < 25)):
            self.ember("preview", os.path.join(self.corpus, "gltf", name), "-q", "-o", "x.png", "--size", "128x128", "--frames", "1")
            picture = pictures.png(self.read("x.png"))
            self.assertGreater(picture.count(holds, (6, 40, 134, 140)), 700, name)


if __name__ == "__main__":
    try:
        import subprocess
        with open(os.devnull, "rb") as nothing:
            probe = subprocess.run([sys.argv[1], "preview", "-", "-o", os.devnull + ".png"], stdin=nothing, capture_output=True)
    except OSError as error:
        sys.exit(str(error))
    if b"cannot draw" in probe.stderr:
        testing.skip("this build has no renderer")
    testing.main()
