# SPDX-License-Identifier: MIT
"""ROMs in the other verbs: info lists, validate names what is damaged, convert takes out what went in.

Covers: rom_input.c, rom_model.c.
"""

import json
import os
import struct

import testing
from roms import WASM, Rom, png, tree, triangle
from testing import decode_record, ewzanim, hero

RED = png((255, 0, 0))


class Roms(testing.Case):
    def setUp(self):
        super().setUp()
        os.mkdir(self.path("assets"))
        self.write("hero.json", hero())
        self.ember("convert", "-q", "hero.json", "-o", "assets/hero.glb")
        tree(self, {"assets/jump.ewzanim": ewzanim(3, 4), "assets/odd.ewzanim": ewzanim(1, 2, bytes(range(32))), "assets/game.wasm": WASM, "assets/box.gltf": triangle(image=RED)[0],
                    "assets/notes.txt": b"notes", "assets/ember.json": '{"title": "Jump", "author": "Ann", "assets": {"hero.glb": {"clips": {"run": {"space": "local"}}}}}'})
        self.ember("build", "-q")
        self.rom = self.read("game.ewz")


class Info(Roms):
    def test_text(self):
        lines = self.ember("info", "game.ewz").stdout.decode().splitlines()
        self.assertEqual(lines[0], 'game.ewz: Emberware Z ROM (ewz), {:,} B, {} entries, "Jump" by Ann'.format(len(self.rom), len(Rom(self.rom).order)))
        rows = [line.split() for line in lines[1:]]
        self.assertIn(["game", "game", "8", "WASM", "module"], rows)
        self.assertIn(["data", "notes.txt", "5"], rows)
        self.assertIn(["texture", "box", str(len(RED)), "PNG"], rows)
        self.assertIn(["mesh", "box", "54", "3", "vertices,", "1", "triangles,", "static,", "texture", "box"], rows)
        walk = next(row for row in rows if row[0] == "hero/walk")
        self.assertEqual(walk[2:6] + walk[7:9] + walk[-2:], ["12", "3", "30", "0.40", "model", "lean", "step@3", "step@9"][:4] + ["model", "lean"] + ["step@3", "step@9"])
        jump = next(row for row in rows if row[0] == "jump")
        self.assertEqual((jump[4], jump[5]), ("(30)", "(0.10)"), "an .ewzanim says no rate")

    def test_json(self):
        info = self.ember_json("info", "game.ewz", "--format", "json", "--bones")["files"][0]
        self.assertEqual((info["format"], info["size"], info["game_title"], info["author"], info["clip_count"], info["mesh_count"], info["damaged"]),
                         ("ewz", len(self.rom), "Jump", "Ann", 5, 1, False))
        self.assertEqual(["%s:%s" % (e["kind"], e["id"]) for e in info["entries"]], Rom(self.rom).names())
        clips = {clip["name"]: clip for clip in info["clips"]}
        self.assertEqual((clips["hero/run"]["space"], clips["hero/run"]["squeezed"], clips["hero/walk"]["squeezed"]), ("local", "lean", "lean"))
        self.assertEqual([bone["name"] for bone in clips["hero/walk"]["bones"]], ["hip", "upper", "hand"])
        self.assertEqual(next(e for e in info["entries"] if e["kind"] == "mesh")["texture"], "box")
        self.assertIsNone(clips["jump"]["fps"])
        self.assertIsNone(clips["jump"]["max_error"])
        self.assertAlmostEqual(clips["hero/walk"]["max_error"], Rom(self.rom).clip("hero/walk")["error"], places=9)

    def ember_json(self, *words):
        return json.loads(self.ember(*words).stdout)

    def test_out_of_a_pipe_and_by_content(self):
        self.write("rom.bin", self.rom)
        for words, data in ((("rom.bin",), b""), (("-",), self.rom)):
            self.assertIn(b"Emberware Z ROM", self.ember("info", *words, data=data).stdout)

    def test_a_damaged_entry_is_named_and_the_others_listed(self):
        bad = bytearray(self.rom)
        bad[self.rom.index(b"notes", len(self.rom) - 64)] ^= 1
        self.write("bad.ewz", bytes(bad))
        result = self.ember("info", "bad.ewz", code=1)
        self.assertEqual(self.one_line(result), "ember: bad.ewz: data 'notes.txt' is damaged: its 5 bytes do not have their hash")
        self.assertIn(b"hero/walk", result.stdout)

    def test_what_is_no_rom(self):
        for data, says in ((b"", "not a ROM"), (b"hello", "not a ROM"), (self.rom[:100], "ROM truncated: 100 of"), (self.rom[:8] + b"\x09" + self.rom[9:], "the ROM is of version 9")):
            self.write("bad.ewz", data)
            for verb in (("info", "bad.ewz"), ("convert", "bad.ewz", "-o", "x.json")):
                self.assertIn(says, self.one_line(self.ember(*verb, code=1)))
            self.assertIn(says, self.ember("validate", "bad.ewz", code=1).stdout.decode())


class Validate(Roms):
    def test_a_whole_rom(self):
        for words in ((), ("--target", "ewz")):
            self.assertEqual(self.ember("validate", "game.ewz", *words).stdout.decode(), "game.ewz: a whole ROM, {:,} B of 16 MiB\n".format(len(self.rom)))
        self.ember("validate", "game.ewz", "assets/jump.ewzanim", code=2)

    def test_flipped_bytes_name_their_asset(self):
        rom = Rom(self.rom)
        ids = struct.unpack_from("<I", self.rom, 24)[0]
        for index, (kind, name) in enumerate(rom.order):
            offset, size = struct.unpack_from("<II", self.rom, 64 + 40 * index + 8)
            places = [64 + 40 * index + 13, 64 + 40 * index + 24, 64 + 40 * index + 33]
            places += [offset, offset + size // 2, offset + size - 1] if size else []
            places += [offset + size] if size % 16 and offset + size < len(self.rom) else []
            for place in places:
                self.flipped(place, "game.ewz:%s:%s: error ROM" % (kind, name))
        for place in range(0, 64, 5):
            self.flipped(place, "game.ewz: error ROM001: ")
        for place in range(ids, ids + 30, 7):
            self.flipped(place, "error ROM00")

    def flipped(self, place, says):
        bad = bytearray(self.rom)
        bad[place] ^= 1 << place % 8
        self.write("game.ewz", bytes(bad))
        result = self.ember("validate", "game.ewz", code=1)
        self.assertEqual(result.stderr, b"")
        self.assertIn(says, result.stdout.decode().splitlines()[0], place)

    def test_cut_roms(self):
        for size in list(range(0, len(self.rom), 211)) + [len(self.rom) - 1]:
            self.write("game.ewz", self.rom[:size])
            self.assertIn("error ROM001", self.ember("validate", "game.ewz", code=1).stdout.decode())

    def test_codes_in_json(self):
        self.write("game.ewz", self.rom[:-1] + bytes([self.rom[-1] ^ 1]))
        report = json.loads(self.ember("validate", "game.ewz", "--format", "json", code=1).stdout)["files"][0]
        self.assertEqual((report["format"], report["fits"], report["findings"][0]["code"], report["findings"][0]["clip"]), ("ewz", False, "ROM005", "data:notes.txt"))


class Convert(Roms):
    def test_clips_come_out_byte_for_byte(self):
        for clip in ("jump", "odd"):
            lines = self.ember("convert", "game.ewz", "--clip", clip, "-o", "out.ewzanim").stderr.decode().splitlines()
            self.assertIn("as in the ROM", lines[0])
            self.assertIn("its 1 mesh is not stored", lines[1])
            self.assertIn("the hierarchy, the rest pose, the rate, the loop flag and markers are in the ROM alone", lines[2])
            self.assertEqual(self.read("out.ewzanim"), self.read("assets/%s.ewzanim" % clip))
        self.assertEqual(self.ember("convert", "game.ewz", "--clip", "jump", "-o", "-", "--to", "ewzanim").stdout, self.read("assets/jump.ewzanim"))

    def one(self, result):
        lines = result.stderr.decode().splitlines()
        self.assertEqual(len(lines), 1, lines)
        return lines[0]

    def test_a_local_clip_stays_local(self):
        self.ember("convert", "-q", "game.ewz", "--clip", "hero/run", "-o", "run.ewzanim")
        self.ember("export", "-q", "animation", "assets/hero.glb", "--animation", "run", "--space", "local", "-o", "ref.ewzanim")
        self.assertEqual(len(self.read("run.ewzanim")), len(self.read("ref.ewzanim")))
        self.ember("convert", "-q", "run.ewzanim", "--source-space", "local", "--skeleton", "hero.json", "-o", "run.json")
        self.ember("convert", "-q", "ref.ewzanim", "--source-space", "local", "--skeleton", "hero.json", "-o", "ref.json")
        self.ember("diff", "--tolerance", "0.01", "run.json", "ref.json")
        self.ember("convert", "-q", "game.ewz", "--clip", "hero/run", "--space", "model", "-o", "model.ewzanim")
        data = self.read("model.ewzanim")
        hand = decode_record(data[4 + 32:4 + 48])
        self.assertAlmostEqual(hand[5], 1.9, places=2, msg="hip 1, upper 0.5 and hand 0.4 above each other")

    def test_all_of_them(self):
        self.ember("convert", "-q", "game.ewz", "--all", "-o", "out/{clip}.ewzanim", code=1)
        os.mkdir(self.path("out"))
        self.ember("convert", "-q", "game.ewz", "--all", "-o", "out/{clip}.ewzanim")
        self.assertEqual(sorted(os.listdir(self.path("out"))), ["hero_idle.ewzanim", "hero_run.ewzanim", "hero_walk.ewzanim", "jump.ewzanim", "odd.ewzanim"])
        self.ember("convert", "-q", "game.ewz", "--to", "ewzanim", "-o", "more/")
        self.assertEqual(sorted(os.listdir(self.path("more"))), sorted(os.listdir(self.path("out"))))

    def test_other_formats_have_bones_rate_loop_and_markers(self):
        self.ember("convert", "-q", "game.ewz", "--clip", "hero/walk", "--clip", "hero/idle", "-o", "out.json")
        model = self.read_json("out.json")
        self.assertEqual([bone["name"] for bone in model["bones"]], ["hip", "upper", "hand"])
        walk = next(clip for clip in model["clips"] if clip["name"] == "hero/walk")
        self.assertEqual((walk["fps"], walk["loop"], walk["space"], walk["frame_count"], [m["frame"] for m in walk["markers"]]), (30, True, "model", 12, [3, 9]))
        self.ember("convert", "-q", "game.ewz", "--clip", "hero/*", "-o", "out.glb", code=1)

    def test_entries_as_they_are(self):
        self.ember("convert", "-q", "game.ewz", "--entry", "texture:box", "-o", "box.png")
        self.assertEqual(self.read("box.png"), RED)
        self.ember("convert", "-q", "game.ewz", "--entry", "keyframes:jump", "-o", "jump.anything")
        self.assertEqual(self.read("jump.anything"), self.read("assets/jump.ewzanim"))
        os.mkdir(self.path("all"))
        self.ember("convert", "-q", "game.ewz", "--entry", "*:*o*", "--entry", "game:game", "-o", "all")
        self.assertEqual(sorted(name for name in os.listdir(self.path("all")) if len(name) != 16 or "." in name),
                         ["box.ewzmesh", "box.png", "game.wasm", "hero.ewzskel", "hero_idle.ewzanim", "hero_run.ewzanim", "hero_walk.ewzanim", "info", "notes.txt", "odd.ewzanim"])
        self.assertEqual(self.read("all/box.ewzmesh"), Rom(self.rom).payload("mesh", "box"))
        self.assertEqual(self.read("all/game.wasm"), WASM)

    def test_what_is_not_there(self):
        self.assertIn("no clip matches 'fly': the clips are hero/idle, hero/run, hero/walk, jump, odd", self.one(self.ember("convert", "game.ewz", "--clip", "fly", "-o", "x.json", code=1)))
        self.assertIn("no entry is called 'mesh:fly'", self.one(self.ember("convert", "game.ewz", "--entry", "mesh:fly", "-o", "x", code=1)))
        self.assertIn("entries for one file", self.one(self.ember("convert", "game.ewz", "--entry", "keyframes:*", "-o", "x", code=1)))
        self.assertIn("ewzanim holds one clip, here are 5", self.one(self.ember("convert", "game.ewz", "-o", "x.ewzanim", code=1)))
        for words in (("assets/jump.ewzanim", "-o", "x.json"), ("--fps", "3", "-o", "x.json"), ("--entry", "mesh:box", "--all", "-o", "x"), ("--entry", "mesh:box")):
            self.one_line(self.ember("convert", "game.ewz", *words, code=2))
        self.one_line(self.ember("convert", "assets/jump.ewzanim", "--entry", "mesh:box", "-o", "x", code=2))

    def test_nothing_damaged_is_written(self):
        rom = Rom(self.rom)
        for kind, name in (("keyframes", "odd"), ("rig", rom.linked("keyframes", "odd")[4:])):
            bad = bytearray(self.rom)
            offset = struct.unpack_from("<I", self.rom, 64 + 40 * rom.order.index((kind, name)) + 8)[0]
            bad[offset + 20] ^= 1
            self.write("bad.ewz", bytes(bad))
            line = self.one(self.ember("convert", "bad.ewz", "--clip", "odd", "-o", "x.ewzanim", code=1))
            self.assertIn("%s '%s' is damaged" % (kind, name), line)
            self.assertFalse(os.path.exists(self.path("x.ewzanim")))
            self.ember("convert", "-q", "bad.ewz", "--clip", "jump", "-o", "good.ewzanim")


if __name__ == "__main__":
    testing.main()
