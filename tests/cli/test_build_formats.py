# SPDX-License-Identifier: MIT
"""ember build and export with the clips of all five specifications: an EWZA file under any name, packs of Final Fantasy VII and ANIMBIN
with a skeleton beside them or named in ember.json, and the words that version 2.0 misprints."""

import json
import os
import struct

import animbin_reference
import ff7_model_packs as model_packs
import roms
import testing
from roms import Rom, tree
from test_animbin import animation, dense_track
from testing import ARM, arm_frames, document, ewzanim, hero

MISPRINTS = (0x80080003, 0x80080000, 0x80080001, 0x80080002, 0xB6DB6DB3, 0xBFF00003, 0x49249243)
RIGHT = (0x80200803, 0x80200800, 0x80200801, 0x80200802, 0xDA769DA7, 0xFFE00803, 0x2589625B)


class Formats(testing.Case):
    def setUp(self):
        super().setUp()
        os.mkdir(self.path("assets"))
        model_packs.give(self)
        self.write("rig.json", document(ARM, []))
        self.ember("convert", "-q", "rig.json", "-o", "rig.ewzskel")

    def build(self, files, **config):
        tree(self, dict({"assets/" + name: data for name, data in files.items()}, **({"assets/ember.json": json.dumps(config).encode()} if config else {})))
        result = self.ember("build")
        return Rom(self.read("game.ewz")), result.stderr.decode()

    def animbin(self):
        return animbin_reference.write([animation("walk", 4, [dense_track(1, 4)]), animation("run", 3, [dense_track(2, 3)])])

    # ---- the draft ----

    def test_an_ewza_file_is_known_by_its_magic(self):
        self.write("hero.json", hero())
        self.ember("convert", "-q", "hero.json", "--clip", "walk", "-o", "walk.eza")
        clip = self.read("walk.eza")
        rom, _ = self.build({"a.ewzanim": clip, "b.bin": clip, "c": clip, "d.eza": clip, "e.bin": clip}, assets={"e.bin": {"as": "data"}})
        self.assertEqual(rom.names("keyframes", "data"), ["keyframes:a", "keyframes:b", "keyframes:c", "keyframes:d", "data:e.bin"])
        for name in "abcd":
            self.assertEqual(rom.clip(name), rom.clip("d"))

    # ---- version 2.0's table ----

    def test_exactly_the_seven_misprinted_words_are_found(self):
        scale = struct.pack("<6e", 0, 0, 0, 1, 1, 1)
        for wrong, right in zip(MISPRINTS, RIGHT):
            for word in (wrong, right, wrong ^ 4, wrong ^ 1 << 12):
                self.write("w.ewzanim", ewzanim(1, 1, struct.pack("<I", word) + scale))
                found = json.loads(self.ember("validate", "--target", "ewz", "--format", "json", "w.ewzanim").stdout)["files"][0]["findings"]
                expected = word in MISPRINTS
                self.assertEqual([f["code"] for f in found if f["code"] == "EWZ110"], ["EWZ110"] if expected else [], hex(word))
                _, said = self.build({"w.ewzanim": self.read("w.ewzanim")})
                self.assertEqual("EWZ110" in said, expected, hex(word))

    # ---- ANIMBIN ----

    def test_animbin_with_a_skeleton_beside_it_becomes_clips(self):
        rom, _ = self.build({"hero.animbin": self.animbin(), "hero.ewzskel": self.read("rig.ewzskel")})
        self.assertEqual(rom.names("skeleton", "keyframes", "data"), ["skeleton:hero", "keyframes:hero/run", "keyframes:hero/walk"])
        self.assertEqual(rom.clip("hero/walk")["bones"], 3)

    def test_animbin_with_a_model_beside_it_uses_its_bones(self):
        self.write("hero.json", document(ARM, [{"name": "idle", "frames": arm_frames(4)}, {"name": "jump", "frames": arm_frames(5)}]))
        self.ember("convert", "-q", "hero.json", "-o", "hero.glb")
        rom, _ = self.build({"hero.animbin": self.animbin(), "hero.glb": self.read("hero.glb")})
        self.assertEqual(rom.names("skeleton"), ["skeleton:hero"])
        self.assertEqual(rom.names("keyframes"), ["keyframes:hero/%s" % name for name in ("idle", "jump", "run", "walk")])

    def test_animbin_with_a_skeleton_that_ember_json_names_becomes_clips(self):
        rom, _ = self.build({"x.animbin": self.animbin(), "rig.ewzskel": self.read("rig.ewzskel")}, assets={"x.animbin": {"skeleton": "rig.ewzskel"}})
        self.assertEqual(rom.names("keyframes"), ["keyframes:x/run", "keyframes:x/walk"])

    def test_without_a_skeleton_it_is_data_and_that_is_said(self):
        rom, said = self.build({"x.animbin": self.animbin(), "yyda": self.data})
        self.assertEqual(rom.names("keyframes", "data"), ["data:x.animbin", "data:yyda"])
        self.assertEqual(said.count("need a skeleton"), 2)
        _, said = self.build({}, assets={"*": {"as": "data"}})
        self.assertEqual(said, "")

    # ---- Final Fantasy VII ----

    def test_a_pack_with_its_skeleton_beside_it_becomes_clips(self):
        rom, said = self.build({"rtda": self.data, "rtaa": self.read("rtaa")})
        kept = ["keyframes:rtda/%s_%02d" % (clip["kind"], i) for i, clip in enumerate(self.clips) if clip["kind"] != "special"]
        self.assertEqual(rom.names("skeleton", "keyframes", "data"), ["skeleton:rtda", *sorted(kept)])
        self.assertIn("2 empty slots are left out", said)
        self.assertEqual(rom.clip("rtda/body_00")["fps"], 30)

    def test_a_pack_with_the_skeleton_that_ember_json_names(self):
        rom, said = self.build({"x.a00": self.data, "rtaa": self.read("rtaa")}, assets={"x.a00": {"skeleton": "rtaa", "rate": "source", "space": "local"}})
        self.assertEqual(len(rom.names("keyframes")), 6)
        self.assertEqual((rom.clip("x/body_00")["frames"], rom.clip("x/body_00")["fps"], rom.clip("x/body_00")["space"]), (12, 15, 2))
        self.assertIn("2 empty slots are left out", said)

    # ---- export ----

    def test_export_writes_every_clip_with_frames(self):
        said = self.ember("export", "animation", "rtda", "--skeleton", "rtaa", "--all", "-o", "{clip}.ewzanim").stderr.decode()
        self.assertIn("2 empty slots are left out", said)
        self.assertEqual(len([f for f in self.files() if f.endswith(".ewzanim")]), 6)
        self.write("a.animbin", self.animbin())
        self.ember("export", "animation", "a.animbin", "--skeleton", "rig.ewzskel", "--all", "-o", "{clip}.ewzanim")
        self.assertEqual(struct.unpack_from("<BBH", self.read("walk.ewzanim"))[0], 3)


class Sound(testing.Case):
    def test_an_image_is_decoded_whole(self):
        os.makedirs(self.path("assets"))
        whole = roms.png((1, 2, 3))
        for data in (b"\x89PNG\r\n\x1a\n\0\0\0\r", whole[:-20], whole[:40] + b"\xff" + whole[41:], b"\xff\xd8\xff\xe0\0\x10JFIF"):
            self.write("assets/p.png", data)
            self.assertIn("assets/p.png: the image cannot be decoded", self.one_line(self.ember("build", "assets", "--no-cache", "-o", "g.ewz", code=1)))
        self.write("assets/p.png", whole)
        self.ember("build", "assets", "--no-cache", "-o", "g.ewz")
        self.ember("validate", "g.ewz")

    def test_what_is_said_of_a_skeleton_names_its_file(self):
        os.makedirs(self.path("assets"))
        self.write("assets/walk.ewzanim", testing.ewzanim(3, 2))
        rig = {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"name": "a", "children": [1]}, {"name": "b"}], "skins": [{"joints": [1, 0]}]}
        self.write("assets/rig.gltf", json.dumps(rig))
        self.write("assets/ember.json", json.dumps({"assets": {"walk.ewzanim": {"skeleton": "rig.gltf"}}}))
        done = self.ember("build", "assets", "--no-cache", "-o", "g.ewz", code=1)
        said = done.stderr.decode()
        self.assertIn("walk.ewzanim: warning: its skeleton rig.gltf: skin 0 lists", said)
        self.assertIn("walk.ewzanim: the clip has 3 bones, its skeleton rig.gltf has 2", said)
        self.assertEqual(done.stdout, b"")  # no table of what fills a ROM that is not there


if __name__ == "__main__":
    testing.main()
