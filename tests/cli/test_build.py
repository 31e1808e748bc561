# SPDX-License-Identifier: MIT
"""ember build: every asset of a folder in the ROM, the same bytes every time, only what changed exported again, everything that is wrong said."""

import json
import os
import resource
import shutil
import struct

import test_usage
import testing
from roms import WASM, Rom, png, tree, triangle
from testing import ARM, arm_frames, document, ewzanim, hero

RED, BLUE = png((255, 0, 0)), png((0, 0, 255))


class Build(testing.Case):
    def setUp(self):
        super().setUp()
        os.mkdir(self.path("assets"))
        self.write("hero.json", hero())
        self.ember("convert", "-q", "hero.json", "-o", "assets/Hero.glb")

    def config(self, **keys):
        self.write("assets/ember.json", json.dumps(keys))

    def build(self, *words, code=0):
        """The ROM, read independently, and what was said."""
        result = self.ember("build", *words, code=code)
        return Rom(self.read("game.ewz")) if code == 0 else None, result

    def lines(self, *words):
        """What a build that fails says; the ROM that was there stays."""
        self.write("game.ewz", b"old")
        before = self.files()
        result = self.ember("build", *words, code=1)
        self.assertEqual(self.read("game.ewz"), b"old")
        self.assertEqual([f for f in self.files() if "/.ember/" not in f], [f for f in before if "/.ember/" not in f])
        lines = result.stderr.decode().splitlines()
        for line in lines:
            self.assertTrue(line.startswith("ember: "), line)
        return lines

    def exported(self, *words):
        said = self.ember("build", "-v", *words).stderr.decode().splitlines()
        return [line.split(": ")[1] for line in said if ": exported:" in line], [line.split(": ")[1] for line in said if ": unchanged:" in line]


class Kinds(Build):
    def test_every_kind_of_file_finds_its_place(self):
        mesh, _ = triangle(image=RED)
        self.ember("export", "-q", "skeleton", "assets/Hero.glb", "-o", "assets/bones.ewzskel")
        tree(self, {"box.gltf": mesh})
        self.ember("export", "-q", "mesh", "box.gltf", "-o", "assets/box.ewzmesh")
        self.ember("convert", "-q", "hero.json", "--clip", "walk", "-o", "assets/draft.eza")
        tree(self, {"assets/game.wasm": WASM, "assets/Clips/Jump High.ewzanim": ewzanim(3, 4), "assets/sky.PNG": RED, "assets/levels/one.txt": b"level one",
                    "assets/empty": b"", "assets/.hidden": b"x", "assets/.dir/file": b"x"})
        rom, _ = self.build()
        self.assertEqual(rom.names(), [
            "info:info", "game:game", *rom.names("rig"), "skeleton:bones", "skeleton:hero", "mesh:box", "texture:sky", "keyframes:clips/jump-high", "keyframes:draft",
            "keyframes:hero/idle", "keyframes:hero/run", "keyframes:hero/walk", "data:empty", "data:levels/one.txt"])
        self.assertEqual(rom.payload("game", "game"), WASM)
        self.assertEqual(rom.payload("texture", "sky"), RED)
        self.assertEqual(rom.payload("data", "levels/one.txt"), b"level one")
        self.assertEqual(rom.payload("data", "empty"), b"")
        self.assertEqual(rom.payload("skeleton", "bones"), self.read("assets/bones.ewzskel"))
        self.assertEqual(rom.payload("mesh", "box"), self.read("assets/box.ewzmesh"))

    def test_clips_keep_rate_loop_markers_and_bones(self):
        rom, _ = self.build()
        walk = rom.clip("hero/walk")
        self.assertEqual((walk["bones"], walk["space"], walk["loop"], walk["markers"], walk["fps"]), (3, 1, 1, 2, 30.0))
        self.assertEqual(walk["method"], "lean", "they come as floats")
        self.assertEqual(rom.clip("hero/run")["loop"], 0)
        self.assertEqual(len(rom.names("rig")), 1)
        rig = rom.payload("rig", rom.names("rig")[0][4:])
        self.assertEqual(struct.unpack_from("<HBB", rig), (3, 1, 1 + 2 + 8))
        self.assertEqual(struct.unpack_from("<3h", rig, 16), (-1, 0, 1))
        for name in (b"hip\0", b"upper\0", b"hand\0"):
            self.assertIn(name, rig)

    def test_lossless_clips_are_what_export_writes(self):
        rom, _ = self.build("--error", "lossless")
        self.assertEqual((rom.version, rom.clip("hero/walk")["method"]), (1, 2), "small in model space")
        for clip in ("idle", "run", "walk"):
            self.ember("export", "-q", "animation", "assets/Hero.glb", "--animation", clip, "-o", "ref.ewzanim")
            self.ember("convert", "-q", "game.ewz", "--clip", "hero/" + clip, "-o", "out.ewzanim")
            self.assertEqual(self.read("out.ewzanim"), self.read("ref.ewzanim"))

    def test_bvh_is_exported_too(self):
        tree(self, {"assets/wave.bvh": "HIERARCHY\nROOT hip\n{\n OFFSET 0 0 0\n CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n"
                    " JOINT arm\n {\n  OFFSET 0 1 0\n  CHANNELS 3 Zrotation Xrotation Yrotation\n  End Site\n  {\n   OFFSET 0 1 0\n  }\n }\n}\n"
                    "MOTION\nFrames: 3\nFrame Time: 0.0333333\n0 0 0 0 0 0 0 0 0\n0 1 0 0 0 0 10 0 0\n0 2 0 0 0 0 20 0 0\n"})
        rom, _ = self.build()
        self.assertIn("keyframes:wave", rom.names())
        self.assertIn("skeleton:wave", rom.names())
        self.assertEqual(rom.clip("wave")["bones"], 2)

    def test_a_plain_mesh_file_is_packed(self):
        mesh, _ = triangle()
        tree(self, {"box.gltf": mesh})
        self.ember("export", "-q", "mesh", "box.gltf", "-o", "packed.ewzmesh")
        self.ember("export", "-q", "mesh", "box.gltf", "--unpacked", "-o", "assets/box.ewzmesh")
        rom, _ = self.build()
        self.assertEqual(rom.payload("mesh", "box"), self.read("packed.ewzmesh"))


class Meshes(Build):
    def test_single_meshes_go_by_their_file_and_several_by_their_names(self):
        one, _ = triangle()
        two, _ = triangle(names=("Left Arm", "Right Arm"))
        tree(self, {"assets/one.gltf": one, "assets/Two.gltf": two})
        rom, _ = self.build()
        self.assertEqual(rom.names("mesh"), ["mesh:one", "mesh:two/left-arm", "mesh:two/right-arm"])

    def test_textures_are_named_and_stored_once(self):
        with_red, _ = triangle(image=RED, names=("a", "b"))
        with_blue, _ = triangle(image="deep/blue.png")
        again, _ = triangle(image=RED)
        tree(self, {"assets/box.gltf": with_red, "assets/other.gltf": with_blue, "assets/third.gltf": again, "assets/deep/blue.png": BLUE})
        rom, _ = self.build()
        self.assertEqual(rom.names("texture"), ["texture:box", "texture:deep/blue"])
        self.assertEqual(rom.payload("texture", "box"), RED)
        for mesh, texture in (("box/a", "box"), ("box/b", "box"), ("third", "box"), ("other", "deep/blue")):
            self.assertEqual(rom.linked("mesh", mesh), "texture:" + texture)

    def test_a_mesh_without_a_texture_names_none(self):
        tree(self, {"assets/box.gltf": triangle()[0]})
        self.assertIsNone(self.build()[0].linked("mesh", "box"))

    def test_a_base_colour_goes_into_the_vertices(self):
        tree(self, {"assets/box.gltf": triangle(colour=[1, 0, 0.2, 1])[0]})
        data = self.build()[0].payload("mesh", "box")
        self.assertEqual(data[8] & 3, 3, "texture coordinates and colours")
        for vertex in range(3):
            self.assertEqual(data[12 + 16 * vertex + 12:][:4], bytes((255, 0, 51, 255)))

    def test_files_that_gltf_is_made_of_are_no_data(self):
        text, data = triangle(buffer="parts/tri%20angle.bin")
        tree(self, {"assets/box.gltf": text, "assets/parts/tri angle.bin": data, "assets/parts/free.bin": b"free"})
        self.assertEqual(self.build()[0].names("data"), ["data:parts/free.bin"])


class Again(Build):
    def setUp(self):
        super().setUp()
        self.ember("convert", "-q", "hero.json", "--clip", "walk", "-o", "assets/walker.glb")
        text, data = triangle(buffer="box.bin", image="skin.png")
        tree(self, {"assets/box.gltf": text, "assets/box.bin": data, "assets/skin.png": RED, "assets/jump.ewzanim": ewzanim(3, 4)})

    ALL = ["assets/Hero.glb", "assets/box.gltf", "assets/walker.glb"]

    def test_twice_gives_the_same_bytes(self):
        self.build()
        first = self.read("game.ewz")
        for words in ((), ("--no-cache",), ("-j", "1"), ("-j", "7", "--cache", "elsewhere")):
            self.build(*words)
            self.assertEqual(self.read("game.ewz"), first)
        self.assertEqual(len(os.listdir(self.path("elsewhere"))), 3 + 1, "one for the lean clips of the skeleton")

    def test_only_what_changed_is_exported_again(self):
        self.assertEqual(self.exported(), (self.ALL, []))
        self.assertEqual(self.exported(), ([], self.ALL))
        os.utime(self.path("assets/Hero.glb"))
        self.assertEqual(self.exported(), ([], self.ALL), "its content is the same")
        self.ember("convert", "-q", "hero.json", "--clip", "run", "-o", "assets/walker.glb")
        self.assertEqual(self.exported()[0], ["assets/walker.glb"])
        self.assertEqual(self.exported()[0], [])

    def test_a_file_beside_a_gltf_counts(self):
        self.build()
        self.write("assets/skin.png", BLUE)
        self.assertEqual(self.exported()[0], ["assets/box.gltf"])
        self.assertEqual(Rom(self.read("game.ewz")).payload("texture", "skin"), BLUE)

    def test_options_count(self):
        self.build()
        self.config(assets={"walker.glb": {"loop": False}})
        self.assertEqual(self.exported()[0], ["assets/walker.glb"])
        self.config(rate=15)
        self.assertEqual(self.exported()[0], self.ALL)

    def test_a_new_name_counts(self):
        self.build()
        os.rename(self.path("assets/walker.glb"), self.path("assets/runner.glb"))
        self.assertEqual(self.exported()[0], ["assets/runner.glb"])
        self.assertIn("keyframes:runner", Rom(self.read("game.ewz")).names())
        self.assertEqual(len(os.listdir(self.path("assets/.ember"))), 3 + 1, "what is not used is swept away")

    def test_a_damaged_cache_is_made_anew(self):
        self.build()
        good = self.read("game.ewz")
        for name in sorted(os.listdir(self.path("assets/.ember"))):
            path = "assets/.ember/" + name
            data = self.read(path)
            lean = ("data", "build") not in Rom(data).entries
            for broken in (data[:len(data) // 2], b"", data[:-40] + bytes([data[-40] ^ 1]) + data[-39:], data[:70] + bytes([data[70] ^ 8]) + data[71:]):
                self.write(path, broken)
                self.assertEqual(len(self.exported()[0]), 0 if lean else 1)
                self.assertEqual(self.read("game.ewz"), good)
                self.assertEqual(self.read(path), data)
        names = [n for n in sorted(os.listdir(self.path("assets/.ember")))
                 if ("data", "build") in Rom(self.read("assets/.ember/" + n)).entries]
        os.rename(self.path("assets/.ember/" + names[0]), self.path("assets/.ember/" + names[1]))
        self.assertEqual(len(self.exported()[0]), 2, "an entry under another's name is not taken for it")
        self.assertEqual(self.read("game.ewz"), good)

    def test_warnings_are_said_every_time(self):
        os.remove(self.path("assets/skin.png"))
        first = self.ember("build").stderr
        self.assertIn(b"skin.png", first)
        self.assertEqual(self.ember("build").stderr, first)

    def test_a_folder_that_cannot_be_written_is_no_failure(self):
        self.write("blocked", b"a file where the cache's folder would be")
        self.build("--cache", "blocked")
        self.assertEqual(self.read("blocked"), b"a file where the cache's folder would be")


class Config(Build):
    def clips(self, **options):
        self.config(assets={"Hero.glb": options})
        return self.build()[0]

    def test_title_and_author(self):
        self.config(title="Walk ä Mole", author="Ann")
        info = self.build()[0].payload("info", "info")
        self.assertEqual(info, struct.pack("<HHI", 12, 3, 0) + "Walk ä Mole\0Ann\0".encode())

    def test_ids(self):
        rom = self.clips(id="p1", clips={"walk": {"id": "stroll"}})
        self.assertEqual(rom.names("keyframes"), ["keyframes:p1/idle", "keyframes:p1/run", "keyframes:stroll"])
        self.assertEqual(rom.names("skeleton"), ["skeleton:p1"])

    def test_clips_to_take(self):
        self.assertEqual(self.clips(clips=["walk", "i*"]).names("keyframes"), ["keyframes:hero/idle", "keyframes:hero/walk"])
        self.assertEqual(self.clips(clips={"*": {"skip": True}, "run": {"skip": False}}).names("keyframes"), ["keyframes:hero/run"])
        self.assertEqual(self.clips(clips=False).names("keyframes"), [])
        self.assertEqual(self.clips(skeleton=False).names("skeleton"), [])

    def test_rate_loop_and_space(self):
        # walk is sampled from 12 frames at 30 a second, which loop: 11 steps in the file
        rom = self.clips(rate=60, clips={"walk": {"rate": 15}, "idle": {"loop": False}, "run": {"space": "local"}})
        self.assertEqual((rom.clip("hero/walk")["fps"], rom.clip("hero/idle")["fps"]), (15.0, 60.0))
        self.assertEqual((rom.clip("hero/walk")["loop"], rom.clip("hero/idle")["loop"]), (1, 0))
        self.assertEqual((rom.clip("hero/walk")["space"], rom.clip("hero/run")["space"]), (1, 2))
        self.assertEqual((rom.clip("hero/walk")["method"], rom.clip("hero/run")["method"]), ("lean", "lean"))
        self.assertEqual(len(rom.names("rig")), 2, "one rig per space")
        self.assertLess(rom.clip("hero/walk")["frames"], rom.clip("hero/idle")["frames"])

    def test_errors(self):
        # The arm is 1 m at rest from the hip to the hand; 0.02 % of that, unless somebody says otherwise.
        size = 1.0
        rom = self.clips(clips={"run": {"error": "0.003m"}, "idle": {"error": "lossless"}})
        self.assertLessEqual(rom.clip("hero/walk")["error"], 0.0002 * size * 1.001)
        self.assertTrue(0.0002 < rom.clip("hero/run")["error"] <= 0.003, rom.clip("hero/run"))
        self.assertEqual(rom.clip("hero/idle")["method"], 2)
        self.assertEqual(len(rom.names("rig")), 2, "one for records, one for lean clips")
        fine, coarse = self.clips(error="0.01mm"), self.clips(error="10mm")
        self.assertLessEqual(fine.clip("hero/walk")["error"], 0.00001)
        self.assertLess(len(coarse.payload("keyframes", "hero/walk")), len(fine.payload("keyframes", "hero/walk")))
        # What the command line says is what the top says; a file's own goes before.
        self.config(error="0.01mm", assets={"Hero.glb": {"clips": {"run": {"error": "1%"}}}})
        rom, _ = self.build("--error", "lossless")
        self.assertEqual((rom.clip("hero/walk")["method"], rom.clip("hero/run")["method"]), (2, "lean"))
        for bad in ("", "0mm", "-1mm", "1", "5mmm", "nan%", "0.5 mm", 3):
            self.config(error=bad)
            self.assertIn("error: must be a length", self.lines()[0])
        os.remove(self.path("assets/ember.json"))
        result = self.ember("build", "--error", "5", code=2)
        self.assertIn(b"--error takes a length", result.stderr)

    def test_errors_hold_by_diff(self):
        self.build("--error", "0.1mm")
        for clip in ("run", "walk"):
            self.ember("convert", "-q", "game.ewz", "--clip", "hero/" + clip, "-o", "out.json")
            self.ember("convert", "-q", "assets/Hero.glb", "--clip", clip, "-o", "ref.json")
            self.ember("diff", "--tolerance", "0.00011", "ref.json", "out.json")
            self.ember("diff", "--tolerance", "0.00001", "ref.json", "out.json", code=1)

    def test_an_error_that_cannot_be_kept_names_the_bone(self):
        # 50 km out, a single float has steps of 4 mm
        frames = arm_frames(4)
        for frame in frames:
            frame[2][4] = 50000.0
        self.write("assets/far.json", document(ARM, [{"name": "far", "fps": 30, "frames": frames}]))
        self.config(assets={"far.json": {"as": "export", "error": "0.1mm"}})
        _, result = self.build()
        self.assertRegex(result.stderr.decode(), r"far\.json:far:hand: warning: off by .* at frame \d+, more than the 0\.10 mm")

    def test_clips_of_files_share_a_rig(self):
        self.ember("convert", "-q", "hero.json", "--clip", "walk", "-o", "assets/stroll.glb")
        rom, _ = self.build()
        self.assertEqual(rom.linked("keyframes", "hero/walk"), rom.linked("keyframes", "stroll"))
        self.assertEqual(len(rom.names("rig")), 1)

    def test_squeezing(self):
        self.assertEqual({self.clips(squeeze=s).clip("hero/walk")["method"] for s in (False,)}, {0})
        self.assertEqual(self.clips(squeeze="quick").clip("hero/walk")["method"], 1)
        self.assertEqual(self.clips(squeeze=True).clip("hero/walk")["method"], 2)
        rom = self.clips(squeeze=False)
        self.ember("export", "-q", "animation", "assets/Hero.glb", "--animation", "walk", "-o", "ref.ewzanim")
        self.assertIn(self.read("ref.ewzanim")[4:], rom.payload("keyframes", "hero/walk"))

    def test_fit(self):
        sizes = {}
        for fit in ("closed", "plain"):
            self.clips(space="local", fit=fit, squeeze=False)
            self.ember("convert", "-q", "game.ewz", "--clip", "hero/walk", "-o", "out.ewzanim")
            self.ember("export", "-q", "animation", "assets/Hero.glb", "--animation", "walk", "--space", "local", "--fit", fit, "-o", "ref.ewzanim")
            self.assertEqual(self.read("out.ewzanim"), self.read("ref.ewzanim"))

    def test_later_patterns_go_over_earlier_ones(self):
        self.config(space="local", assets={"*.glb": {"space": "model", "loop": True}, "Hero.glb": {"loop": False}})
        rom, _ = self.build()
        self.assertEqual((rom.clip("hero/walk")["space"], rom.clip("hero/walk")["loop"]), (1, 0))

    def test_data_in_pieces(self):
        tree(self, {"assets/big.bin": bytes(range(10)), "assets/small.bin": b"abcd", "assets/whole.bin": bytes(9)})
        self.config(chunk=4, assets={"whole.bin": {"chunk": 100}})
        rom, _ = self.build()
        self.assertEqual(rom.names("data"), ["data:big.bin/0", "data:big.bin/1", "data:big.bin/2", "data:small.bin", "data:whole.bin"])
        self.assertEqual([rom.payload("data", "big.bin/%d" % i) for i in range(3)], [bytes(range(4)), bytes(range(4, 8)), bytes((8, 9))])

    def test_a_file_as_something_else(self):
        tree(self, {"assets/anim.json": document(ARM, [{"name": "nod", "fps": 20, "frames": arm_frames(5)}]), "assets/draft.eza": b"not checked"})
        self.config(assets={"anim.json": {"as": "export", "rate": "source"}, "draft.eza": {"as": "data"}})
        rom, _ = self.build()
        self.assertEqual(rom.clip("anim")["fps"], 20.0)
        self.assertEqual(rom.payload("data", "draft.eza"), b"not checked")

    def test_which_extensions_are_models_and_which_are_data(self):
        data = ("a.json", "b.obj", "boda", "c.animbin", "d.a00", "e.txt", "glb", "rtaa")
        tree(self, {f"assets/{name}": b"not checked" for name in data})
        self.assertEqual(self.build()[0].names("data"), [f"data:{name}" for name in data])
        for extension in ("ewzanim", "nczxanim", "ewzskel", "nczxskel", "ewzmesh", "nczxmesh", "png", "jpg", "jpeg", "eza", "glb", "vrm", "gltf", "fbx", "bvh", "Glb"):
            self.write(f"assets/x.{extension}", b"not one")
            # Clips without a skeleton are data, with a line that says so; the others are errors.
            lines = [line for line in self.lines() if "stored as data: its clips need a skeleton" not in line]
            self.assertIn(f"x.{extension}", lines[0])
            os.remove(self.path(f"assets/x.{extension}"))

    def test_a_local_keyframe_file_needs_bones(self):
        self.write("assets/jump.ewzanim", ewzanim(3, 4))
        self.config(assets={"jump.ewzanim": {"space": "local"}})
        self.assertIn("\"skeleton\"", self.lines()[0])
        self.config(assets={"jump.ewzanim": {"space": "local", "skeleton": "Hero.glb", "rate": 12, "loop": True}})
        rom, _ = self.build()
        self.assertEqual((rom.clip("jump")["space"], rom.clip("jump")["fps"], rom.clip("jump")["loop"]), (2, 12.0, 1))
        self.assertIn(b"upper\0", rom.payload("rig", rom.linked("keyframes", "jump")[4:]))

    def test_everything_wrong_with_it_is_said(self):
        self.write("assets/ember.json", json.dumps({"titel": "x", "rate": -1, "space": "world", "chunk": 1.5, "assets": {
            "Hero.glb": {"lop": True, "clips": {"walk": {"title": "x", "loop": 1}}, "squeeze": "fast"}}}))
        lines = self.lines()
        wanted = ["assets/ember.json: unknown key 'titel', did you mean 'title'?", "assets/ember.json: rate: must be frames a second, or \"source\"",
                  "assets/ember.json: space: must be one of model local", "assets/ember.json: chunk: must be a number of bytes",
                  "assets/ember.json: assets.Hero.glb: unknown key 'lop', did you mean 'loop'?",
                  "assets/ember.json: assets.Hero.glb.clips.walk: unknown key 'title'", "assets/ember.json: assets.Hero.glb.clips.walk.loop: must be true or false",
                  "assets/ember.json: assets.Hero.glb.squeeze: must be true, false, \"quick\" or \"small\""]
        self.assertEqual(len(lines), len(wanted))
        for want in wanted:
            self.assertTrue(any(line.startswith("ember: " + want) for line in lines), want)

    def test_it_must_be_json(self):
        self.write("assets/ember.json", b'{"rate": 30,\n "rate": }')
        self.assertRegex(self.lines()[0], r"ember.json: line 2, column 10: ")
        self.write("assets/ember.json", b'[1]')
        self.assertIn("must be an object", self.lines()[0])
        self.write("assets/ember.json", b'\xef\xbb\xbf{"title": "Marked"}')
        self.assertIn(b"Marked\0", self.build()[0].payload("info", "info"))

    def test_texts_ids_and_skins_are_checked_where_they_stand(self):
        self.config(title="x" * 1024, author="", scale=1e9, assets={"Hero.glb": {"skin": -1, "clips": {"walk": {"id": ""}}}})
        self.assertEqual(sorted(self.lines()), ["ember: assets/ember.json: " + text for text in (
            "assets.Hero.glb.clips.walk.id: must be 1 to 255 characters of A-Z a-z 0-9 _ . / -", "assets.Hero.glb.skin: must be a skin's name or number",
            "author: must be a text of 1 to 1023 bytes", "scale: must be a number above 0 and below 1e9", "title: must be a text of 1 to 1023 bytes")])
        self.config(title="x" * 1023, assets={"Hero.glb": {"skin": 0}})
        self.build()
        self.config(assets={"Hero.glb": {"skin": 7}})
        self.assertIn("assets/Hero.glb: ", self.lines()[0])

    def test_a_skeleton_is_a_file_of_the_folder(self):
        self.ember("export", "-q", "animation", "assets/Hero.glb", "-o", "assets/jump.ewzanim")
        self.write("outside.glb", self.read("assets/Hero.glb"))
        for path in ("../outside.glb", "/etc/passwd", "x/../../outside.glb", ".."):
            self.config(assets={"jump.ewzanim": {"skeleton": path}})
            self.assertEqual(self.lines(), ["ember: assets/ember.json: assets.jump.ewzanim.skeleton: must be a file of the folder, or true or false"])

    def test_what_it_speaks_of_must_be_there(self):
        self.config(assets={"Hero.glb": {"clips": ["walk", "fly"], "meshes": {"cape": {"id": "cape"}}}, "nobody.glb": {"skip": True}})
        lines = self.lines()
        self.assertTrue(any("ember: assets/ember.json: assets.nobody.glb: there is no such file" in line for line in lines), lines)
        self.assertTrue(any("clip 'fly', there is none" in line for line in lines), lines)
        self.assertTrue(any("mesh 'cape', there is none" in line for line in lines), lines)


class Failures(Build):
    def test_all_of_them_are_listed_and_the_old_rom_stays(self):
        tree(self, {"assets/short.ewzanim": ewzanim(3, 4)[:-1], "assets/zero.ewzanim": struct.pack("<BBH", 0, 0, 1), "assets/flags.ewzanim": ewzanim(1, 1, flags=4),
                    "assets/long.nczxanim": ewzanim(1, 1) + b"x", "assets/broken.glb": b"glTF\2\0\0\0", "assets/odd.ewzskel": b"1234567", "assets/odd.ewzmesh": b"x" * 12,
                    "assets/fake.png": b"GIF89a", "assets/game.wasm": b"not wasm", "assets/good.txt": b"good",
                    "assets/hero/walk.ewzanim": ewzanim(3, 2)})
        lines = self.lines()
        for want in ("assets/short.ewzanim: keyframes: animation data truncated: 195 of 196 bytes", "assets/zero.ewzanim: keyframes: invalid animation header: bone_count is 0",
                     "assets/flags.ewzanim: keyframes: invalid animation header: flags is 0x04, must be 0",
                     "assets/long.nczxanim: keyframes: animation data has 1 extra byte", "assets/broken.glb: ", "assets/odd.ewzskel: ", "assets/odd.ewzmesh: ",
                     "assets/fake.png: texture: neither a PNG nor a JPEG image", "assets/game.wasm: game: not a WASM module of version 1",
                     "assets/hero/walk.ewzanim: the keyframes id 'hero/walk' is also that of assets/Hero.glb:walk"):
            self.assertEqual(sum(line.startswith("ember: " + want) for line in lines), 1, (want, lines))
        self.assertEqual(len(lines), 10)

    def test_names_that_become_the_same_id(self):
        two, _ = triangle(names=("Left Arm", "left arm"))
        tree(self, {"assets/two.gltf": two, "assets/a b.txt": b"1", "assets/a-b.txt": b"2"})
        lines = self.lines()
        self.assertTrue(any("two.gltf:left arm: the mesh id 'two/left-arm' is also that of 'Left Arm': give #1 or #0 another" in line for line in lines), lines)
        self.assertTrue(any("assets/a-b.txt: the data id 'a-b.txt' is also that of assets/a b.txt" in line for line in lines), lines)
        self.assertEqual(len(lines), 2)
        os.remove(self.path("assets/two.gltf"))
        self.assertEqual(len(self.lines()), 1)

    def test_parts_of_one_name_are_told_apart_by_number(self):
        tree(self, {"assets/two.gltf": triangle(names=("arm", "arm"))[0]})
        self.assertIn("the mesh id 'two/arm' is also that of 'arm'", self.lines()[0])
        self.config(assets={"two.gltf": {"meshes": {"#1": {"id": "two/right"}}}})
        self.assertEqual(self.build()[0].names("mesh"), ["mesh:two/arm", "mesh:two/right"])
        self.config(assets={"two.gltf": {"meshes": ["#1"]}})
        self.assertEqual(self.build()[0].names("mesh"), ["mesh:two/arm"])

    def test_illegal_ids(self):
        self.config(assets={"Hero.glb": {"id": "Hero!"}})
        self.assertEqual(self.lines(), ["ember: assets/ember.json: assets.Hero.glb.id: must be 1 to 255 characters of A-Z a-z 0-9 _ . / -"])
        os.remove(self.path("assets/ember.json"))
        tree(self, {"assets/" + "/".join(["d" * 60] * 5) + ".txt": b"x"})
        self.assertIn("the id is not 1 to 255 characters of A-Z a-z 0-9 _ . / -", self.lines()[0])

    def test_files_that_cannot_be_read_are_said_beside_all_else(self):
        for name in ("gone.txt", "lost.glb", "sub"):
            os.symlink("/no/such/place", self.path("assets/" + name))
        self.write("assets/bad.png", b"GIF89a")
        self.config(assets={"lost.glb": {"rate": 30}})
        lines = self.lines()
        for want in ("assets/gone.txt: cannot open: No such file", "assets/lost.glb: cannot open: No such file", "assets/sub: cannot open: No such file",
                     "assets/bad.png: texture: neither"):
            self.assertEqual(sum(line.startswith("ember: " + want) for line in lines), 1, (want, lines))
        self.assertEqual(len(lines), 4)
        os.remove(self.path("assets/bad.png"))
        self.config(assets={name: {"skip": True} for name in ("gone.txt", "lost.glb", "sub")})
        self.build()

    def test_an_ember_json_that_cannot_be_read_is_not_as_good_as_none(self):
        os.symlink("/no/such/place", self.path("assets/ember.json"))
        self.assertEqual(self.lines(), ["ember: assets/ember.json: cannot open: No such file or directory"])

    def test_too_many_pieces(self):
        self.write("assets/map.bin", bytes(3 << 20))
        self.config(chunk=1)
        self.assertIn("assets/map.bin: would be 3145728 pieces of 1 B, a ROM has 65535 entries at most", self.lines()[0])
        tree(self, {"assets/map.bin": bytes(40000), "assets/other.bin": bytes(40000)})
        self.assertRegex(self.lines()[0], r"assets: the ROM would have 800\d\d entries, at most 65535 are possible")
        self.assertRegex(self.ember("build", code=1).stdout.decode(), r"(?m)^  map.bin +40,000 +640,000 +3\.8$")

    def test_many_pieces_take_no_time(self):
        data = bytes(i * 7 & 255 for i in range(60000))
        self.write("assets/map.bin", data)
        self.config(chunk=1)
        start = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        rom, _ = self.build()
        self.assertLess(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - start, 5.0)
        self.assertEqual(b"".join(rom.payload("data", "map.bin/%d" % i) for i in range(60000)), data)

    def test_more_than_16_mib(self):
        self.write("assets/big.bin", bytes(9 << 20))
        self.write("assets/bigger.bin", bytes(8 << 20))
        lines = self.lines()
        self.assertEqual(len(lines), 1)
        self.assertRegex(lines[0], r"the ROM would have 178\d\d\d\d\d bytes, \d+ more than the 16777216 it may have")
        table = self.ember("build", code=1).stdout.decode()
        self.assertRegex(table, r"(?m)^  bigger.bin +1 +8,388,608 +50\.0 *$")
        tree(self, {"assets/fake.png": b"GIF89a", "assets/A.txt": b"1", "assets/a.txt": b"2"})
        lines = self.lines()
        self.assertEqual(len(lines), 3)
        self.assertTrue(any("assets: the ROM would have 178" in line for line in lines), lines)
        self.assertEqual(self.ember("build", code=1).stdout, b"")
        for name in ("bigger.bin", "fake.png", "A.txt"):
            os.remove(self.path("assets/" + name))
        self.build()

    def test_no_folder_and_nothing_in_it(self):
        self.assertIn("assets/none: the folder cannot be read: No such file", self.lines("assets/none")[0])
        os.mkdir(self.path("empty"))
        self.assertIn("empty: there are no assets in it", self.lines("empty")[0])

    def test_a_place_that_cannot_be_written(self):
        result = self.ember("build", "-o", "no/such/game.ewz", code=1)
        self.assertIn("no/such/game.ewz", self.one_line(result))


class Report(Build):
    def test_the_table_adds_up(self):
        tree(self, {"assets/levels.txt": b"x" * 1000, "assets/jump.ewzanim": ewzanim(3, 4)})
        text = self.ember("build").stdout.decode()
        size = len(self.read("game.ewz"))
        self.assertTrue(text.startswith("game.ewz: {:,} B of 16 MiB, {:,} B left\n".format(size, (16 << 20) - size)), text)
        kinds, assets = text.split("  asset")
        rows = [line.split() for line in kinds.splitlines()[2:]]
        self.assertEqual(sum(int(row[-2].replace(",", "")) for row in rows), size)
        self.assertIn(["data", "1", "1,008", "0.0"], rows)
        self.assertRegex(assets, r"(?m)^  levels.txt +1 +1,008 +0\.0$")
        self.assertEqual(self.ember("build", "-q").stdout, b"")

    def test_the_output_is_no_asset(self):
        self.ember("build", "-o", "assets/game.ewz")
        first = self.read("assets/game.ewz")
        self.ember("build", "-o", "assets/game.ewz")
        self.assertEqual(self.read("assets/game.ewz"), first)

    def test_no_asset_is_written_over(self):
        self.config(title="x")
        tree(self, {"assets/levels/one.txt": b"level one", "assets/new": b""})
        before = {name: self.read("assets/" + name) for name in ("Hero.glb", "levels/one.txt", "ember.json")}
        for name in before:
            self.assertIn("assets/%s: is a file of the assets' folder and no ROM" % name, self.one_line(self.ember("build", "-o", "assets/" + name, code=1)))
        self.assertEqual({name: self.read("assets/" + name) for name in before}, before)
        self.ember("build", "-o", "assets/new")
        self.assertEqual(Rom(self.read("assets/new")).names("data"), ["data:levels/one.txt"])

    def test_to_standard_output(self):
        self.build()
        self.assertEqual(self.ember("build", "-o", "-").stdout, self.read("game.ewz"))


class Corpus(testing.Case):
    """Real models, where they are: EMBER_CORPUS."""

    def setUp(self):
        super().setUp()
        corpus = os.environ.get("EMBER_CORPUS", "")
        if not os.path.isdir(os.path.join(corpus, "gltf")):
            self.skipTest("EMBER_CORPUS is not set")
        shutil.copytree(os.path.join(corpus, "gltf"), self.path("assets"))

    def test_it_builds_lists_and_comes_out_again(self):
        self.ember("build")
        first = self.read("game.ewz")
        rom = Rom(first)
        self.assertEqual(sum(name.startswith("keyframes:knight/") for name in rom.names()), 76)
        self.assertEqual(sum(name.startswith("rig:") for name in rom.names()), 12)
        self.assertTrue(all(rom.clip(name[10:])["method"] == "lean" for name in rom.names("keyframes")))
        self.assertEqual(rom.linked("mesh", "fox"), "texture:fox")
        self.ember("build", "--no-cache")
        self.assertEqual(self.read("game.ewz"), first)
        self.ember("validate", "game.ewz")
        self.ember("info", "game.ewz")
        self.ember("build", "--error", "lossless")
        os.mkdir(self.path("out"))
        self.ember("export", "-q", "animation", "assets/RobotExpressive.glb", "--all", "-o", "out/{clip}.ewzanim")
        for name in os.listdir(self.path("out")):
            self.ember("convert", "-q", "game.ewz", "--clip", "robotexpressive/" + name[:-8].lower(), "-o", "one.ewzanim")
            self.assertEqual(self.read("one.ewzanim"), self.read("out/" + name), name)


class Bar(testing.Case):
    """A bar on a terminal where it takes long."""

    on_terminal = test_usage.Terminal.on_terminal

    def test_a_bar_for_a_build_that_takes_long(self):
        # A clip of 600,000 records, a dozen times: nobody squeezes that within half a second.
        tree(self, {"assets/0.ewzanim": struct.pack("<BBH", 100, 0, 6000) + 6000 * ewzanim(100, 1)[4:]})
        for i in range(1, 12):
            os.link(self.path("assets/0.ewzanim"), self.path("assets/%d.ewzanim" % i))
        shown, code = self.on_terminal("build", "assets", "--no-cache", "-j", "1")
        self.assertEqual(code, 0)
        self.assertRegex(shown, rb"\[#+\.*\] \d+/12")


if __name__ == "__main__":
    testing.main()
