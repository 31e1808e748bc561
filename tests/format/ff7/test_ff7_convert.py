# SPDX-License-Identifier: MIT
"""Packs through the command: to glTF and back into the pack, to the other formats, and what is said on the way."""

import json
import math
import os
import random
import struct
import sys

import ff7_model_packs as model_packs
import ff7_reference as reference
import testing
from ff7_model_packs import changed, chunks_of, smooth_clip

class Glb:
    def __init__(self, data):
        size = struct.unpack_from("<I", data, 12)[0]
        self.document = json.loads(data[20:20 + size])
        self.bin = bytearray(data[28 + size:])

    def bytes(self):
        text = json.dumps(self.document).encode()
        text += b" " * (-len(text) % 4)
        return (struct.pack("<4sIII4s", b"glTF", 2, 28 + len(text) + len(self.bin), len(text), b"JSON") + text +
                struct.pack("<I4s", len(self.bin), b"BIN\0") + bytes(self.bin))

    def keys(self, clip, bone, path):
        """(number of keys, offset of the first value) of a channel."""
        node = next(i for i, node in enumerate(self.document["nodes"]) if node.get("name") == bone)
        animation = next(a for a in self.document["animations"] if a["name"] == clip)
        channel = next(c for c in animation["channels"] if c["target"] == {"node": node, "path": path})
        accessor = self.document["accessors"][animation["samplers"][channel["sampler"]]["output"]]
        view = self.document["bufferViews"][accessor["bufferView"]]
        return accessor["count"], view.get("byteOffset", 0) + accessor.get("byteOffset", 0)

    def turn(self, clip, bone, key, degrees):
        count, at = self.keys(clip, bone, "rotation")
        q = struct.unpack_from("<4f", self.bin, at + 16 * key)
        half = math.radians(degrees) / 2
        struct.pack_into("<4f", self.bin, at + 16 * key, *reference.multiply(q, [0, math.sin(half), 0, math.cos(half)]))
        return count


class Gltf(testing.Case):
    def setUp(self):
        super().setUp()
        model_packs.give(self)
        os.mkdir(self.path("out"))

    def to_glb(self, *more):
        self.ember("convert", "rtda", "--skeleton", "rtaa", "-o", "cloud.glb", *more)
        return Glb(self.read("cloud.glb"))

    def back(self, *more):
        return self.ember("convert", "cloud.glb", "--base", "rtda", "-o", "out/rtda", *more)

    def test_bodies_and_weapons_are_paired(self):
        glb = self.to_glb()
        self.assertEqual([a["name"] for a in glb.document["animations"]], ["body_00", "body_01", "body_03"])
        for animation, frames in zip(glb.document["animations"], (12, 25, 9)):
            nodes = {glb.document["nodes"][c["target"]["node"]]["name"] for c in animation["channels"]}
            self.assertIn("weapon", nodes)
            self.assertIn("bone_06", nodes)
            extras = animation["extras"]["ember"]
            self.assertEqual((extras["fps"], extras["frame_count"]), (15, frames))
            self.assertEqual(extras["raw"]["kind"], "body")
            self.assertEqual(extras["raw"]["weapon"]["kind"], "weapon")
        raw = glb.document["animations"][1]["extras"]["ember"]["raw"]
        self.assertEqual(raw["rotations"], self.clips[1]["rotations"])
        self.assertEqual(raw["weapon"]["positions"], self.clips[5]["positions"])

    def test_one_parent_turns_everything_upright(self):
        nodes = self.to_glb().document["nodes"]
        self.assertEqual(nodes[0]["name"], "ff7")
        self.assertEqual(nodes[0]["rotation"], [1, 0, 0, 0])
        self.assertEqual([nodes[i]["name"] for i in nodes[0]["children"]], ["root", "weapon"])
        self.assertEqual(nodes[3]["translation"], [0, 0, -120])

    def test_what_has_not_changed_comes_back_byte_for_byte(self):
        self.to_glb()
        self.back()
        self.assertEqual(self.read("out/rtda"), self.data)

    def test_so_it_does_without_extras(self):
        glb = self.to_glb()
        for animation in glb.document["animations"]:
            del animation["extras"]
        self.write("cloud.glb", glb.bytes())
        self.back()
        self.assertEqual(self.read("out/rtda"), self.data)

    def test_so_it_does_in_other_units(self):
        self.to_glb("--scale", "0.01")
        self.back("--scale", "100")
        self.assertEqual(self.read("out/rtda"), self.data)

    def test_and_with_joints_in_another_order(self):
        glb = self.to_glb()
        skin = glb.document["skins"][0]
        count = len(skin["joints"])
        accessor = glb.document["accessors"][skin["inverseBindMatrices"]]
        at = glb.document["bufferViews"][accessor["bufferView"]].get("byteOffset", 0) + accessor.get("byteOffset", 0)
        rows = [bytes(glb.bin[at + 64 * i:at + 64 * i + 64]) for i in range(count)]
        order = list(range(count))
        random.Random(1).shuffle(order)
        skin["joints"] = [skin["joints"][i] for i in order]
        for i, old in enumerate(order):
            glb.bin[at + 64 * i:at + 64 * i + 64] = rows[old]
        for animation in glb.document["animations"]:
            del animation["extras"]
        self.write("cloud.glb", glb.bytes())
        self.back()
        self.assertEqual(self.read("out/rtda"), self.data)

    def test_values_are_exact_without_a_base(self):
        self.to_glb()
        self.ember("convert", "cloud.glb", "-o", "out/rtda", "-q")
        clips = reference.read(self.read("out/rtda"))
        self.assertEqual(len(clips), len(self.clips))  # empty slots keep the others' numbers
        for clip, was in zip(clips, self.clips):
            self.assertEqual(clip["kind"], was["kind"])
            self.assertEqual(clip["positions"], was["positions"])
            self.assertEqual([[[v & 4095 for v in t] for t in f] for f in clip["rotations"]], [[[v & 4095 for v in t] for t in f] for f in was["rotations"]])

    def test_an_edit_of_one_bone_in_one_frame_changes_only_that_clip(self):
        glb = self.to_glb()
        self.assertEqual(glb.turn("body_01", "bone_02", 7, 10.0), 21)  # 20 frames, and the end of the weapon's longer clip
        self.write("cloud.glb", glb.bytes())
        self.back()
        self.assertEqual(changed(self.data, self.read("out/rtda")), [1])
        made, was = reference.read(self.read("out/rtda"))[1], self.clips[1]
        self.assertEqual(made["positions"], was["positions"])
        for frame, (a, b) in enumerate(zip(made["rotations"], was["rotations"])):
            for triple, (x, y) in enumerate(zip(a, b)):
                if (frame, triple) != (7, 3):
                    self.assertEqual(x, y, (frame, triple))
        before, after = reference.quaternion(was["rotations"][7][3]), reference.quaternion(made["rotations"][7][3])
        cosine = abs(sum(x * y for x, y in zip(before, after)))
        self.assertAlmostEqual(math.degrees(2 * math.acos(cosine)), 10.0, delta=0.1)
        # On the branch of the frame before: no value jumps by a turn or half of one.
        for x, y in zip(made["rotations"][7][3], made["rotations"][6][3]):
            self.assertLess(abs(x - y), 700)

    def test_an_edit_of_the_weapon_changes_the_weapon_only(self):
        glb = self.to_glb()
        self.assertGreater(glb.turn("body_00", "weapon", 3, 5.0), 3)
        self.write("cloud.glb", glb.bytes())
        self.back()
        self.assertEqual(changed(self.data, self.read("out/rtda")), [4])

    def test_an_edit_behind_the_end_of_the_body_is_not_lost(self):
        """The weapon's clip is longer: the body held still there, and now it does not."""
        glb = self.to_glb()
        glb.turn("body_01", "bone_02", 20, 40.0)
        self.write("cloud.glb", glb.bytes())
        self.back()
        self.assertEqual(changed(self.data, self.read("out/rtda")), [1])
        made = reference.read(self.read("out/rtda"))[1]
        self.assertEqual(len(made["positions"]), 25)
        self.assertEqual(made["rotations"][:20], self.clips[1]["rotations"])
        cosine = abs(sum(x * y for x, y in zip(*(reference.quaternion(made["rotations"][i][3]) for i in (19, 24)))))
        self.assertAlmostEqual(math.degrees(2 * math.acos(cosine)), 40.0, delta=0.1)

    def test_bodies_keep_their_length_where_the_weapon_is_gone(self):
        glb = self.to_glb()
        body_only = struct.pack("<I", 4) + b"".join(chunks_of(self.data)[:4])
        self.write("boda", body_only)
        self.ember("convert", "cloud.glb", "--base", "boda", "-o", "out/boda")
        self.assertEqual(self.read("out/boda"), body_only)
        node = next(i for i, node in enumerate(glb.document["nodes"]) if node.get("name") == "weapon")
        for animation in glb.document["animations"]:
            animation["channels"] = [c for c in animation["channels"] if c["target"]["node"] != node]
        glb.document["skins"][0]["joints"].remove(node)
        del glb.document["skins"][0]["inverseBindMatrices"]
        self.write("cloud.glb", glb.bytes())
        self.back()
        self.assertEqual(self.read("out/rtda"), self.data)

    def test_a_base_of_another_model_is_warned_of(self):
        self.to_glb()
        chance = random.Random(8)
        self.write("onda", reference.write([smooth_clip(chance, "body", 1, 5), smooth_clip(chance, "body", 1, 5)]))
        result = self.ember("convert", "cloud.glb", "--base", "onda", "-o", "out/onda")
        self.assertIn(b"warning: the pack's clip has 1 triples a frame, the model's bones need 8", result.stderr)
        self.assertIn(b"(2 clips: body_00, body_01)", result.stderr)

    def test_an_edit_in_place_keeps_the_rest_of_a_rounded_clip(self):
        """Clip 3 has a key of 2; an edited clip takes 0 unless asked."""
        glb = self.to_glb()
        glb.turn("body_03", "bone_00", 0, 90.0)
        self.write("cloud.glb", glb.bytes())
        self.back()
        self.assertEqual(reference.read(self.read("out/rtda"))[3]["key"], 0)
        self.back("--key", "4")
        clip = reference.read(self.read("out/rtda"))[3]
        self.assertEqual(clip["key"], 4)
        self.assertEqual(changed(self.data, self.read("out/rtda")), [3])

    def test_a_clip_that_the_base_does_not_have_is_said(self):
        glb = self.to_glb()
        glb.document["animations"][0]["name"] = "jump"
        glb.document["animations"][1]["name"] = "body_99"
        self.write("cloud.glb", glb.bytes())
        result = self.back()
        self.assertIn(b"body_99: warning: the base has no clip of that name: left out", result.stderr)
        self.assertEqual(self.read("out/rtda"), self.data)

    def test_two_clips_for_one_chunk_are_an_error(self):
        glb = self.to_glb()
        glb.document["animations"][0]["name"] = "body_01.001"
        self.write("cloud.glb", glb.bytes())
        result = self.ember("convert", "cloud.glb", "--base", "rtda", "-o", "out/rtda", code=1)
        self.assertIn("body_01: there is another clip for chunk 1", self.one_line(result))
        self.assertEqual(os.listdir(self.path("out")), [])

    def test_options_are_for_packs_only(self):
        self.one_line(self.ember("convert", "rtda", "-o", "x.json", "--key", "2", code=2))
        self.one_line(self.ember("convert", "rtda", "-o", "x.json", "--base", "rtda", code=2))
        self.one_line(self.ember("convert", "rtda", "-o", "out/rtda", "--key", "3", code=2))


class Others(testing.Case):
    def setUp(self):
        super().setUp()
        model_packs.give(self, 6)

    def test_a_clip_that_is_cut_before_its_first_frame_goes_through_json(self):
        self.write("cuda", self.data[:-40])
        self.ember("convert", "cuda", "--skeleton", "rtaa", "-o", "cut.json", "-q")
        self.assertEqual(bytes.fromhex(self.read_json("cut.json")["clips"][7]["raw"]["bytes"]), self.data[-52:-40])
        for source, more in (("cut.json", ()), ("cuda", ("--skeleton", "rtaa"))):
            self.ember("convert", source, *more, "-o", "back.a00", "-q")
            self.assertEqual(chunks_of(self.read("back.a00"))[7][12:], self.data[-52:-40])

    def test_packs_are_told_by_content_and_by_name(self):
        self.write("unknown", self.data)
        self.assertIn(b"(ff7)", self.ember("info", "unknown", "-q").stdout)
        self.write("skeleton", self.read("rtaa"))
        self.assertIn(b"(ff7aa)", self.ember("info", "skeleton").stdout)
        for name in ("axda", "AXDA", "b.a00"):
            self.write(name, self.data[:300])
            self.assertIn(b"(ff7)", self.ember("info", name).stdout)
        self.one_line(self.ember("info", self.write("cut", self.data[:300]), code=1))

    def test_without_a_skeleton_there_is_a_chain_and_a_warning(self):
        result = self.ember("convert", "rtda", "-o", "x.json")
        self.assertIn("no skeleton is given", self.one_line(result))
        self.assertEqual([bone["parent"] for bone in self.read_json("x.json")["bones"]], [-1, 0, 1, 2, 3, 4, 5, 6, 7, 0])

    def test_every_chunk_is_a_clip(self):
        self.ember("convert", "rtda", "--skeleton", "rtaa", "-o", "x.json")
        clips = self.read_json("x.json")["clips"]
        self.assertEqual([clip["name"] for clip in clips], ["body_00", "body_01", "special_02", "body_03", "weapon_04", "weapon_05", "special_06", "weapon_07"])
        self.assertEqual(clips[2]["frame_count"], 0)
        self.assertEqual(bytes.fromhex(clips[2]["raw"]["bytes"]), self.clips[2]["bytes"])

    def test_json_goes_back_into_the_pack(self):
        self.ember("convert", "rtda", "--skeleton", "rtaa", "-o", "x.json")
        self.ember("convert", "x.json", "--base", "rtda", "-o", "yyda")
        self.assertEqual(self.read("yyda"), self.data)
        document = self.read_json("x.json")
        document["clips"][0]["frames"][3][4][:4] = [0.6, 0, 0, 0.8]
        self.write("x.json", json.dumps(document))
        self.ember("convert", "x.json", "--base", "rtda", "-o", "yyda")
        self.assertEqual(changed(self.data, self.read("yyda")), [0])

    def test_single_bones_turn_once(self):
        chance = random.Random(3)
        clip = smooth_clip(chance, "body", 1, 6)
        self.write("sgda", reference.write([clip]))
        self.write("sgaa", reference.skeleton_file([(-1, -50.0)], 1))
        self.ember("convert", "sgda", "--skeleton", "sgaa", "-o", "s.json")
        document = self.read_json("s.json")
        self.assertEqual([bone["name"] for bone in document["bones"]], ["ff7", "root", "bone_00"])
        self.assertEqual(document["clips"][0]["bones"], [0, 1])
        self.ember("convert", "s.json", "-o", "ttda", "-q")
        self.assertEqual(self.read("ttda"), reference.write([clip]))

    def test_other_formats_are_reached(self):
        self.ember("convert", "-q", "rtda", "--skeleton", "rtaa", "--clip", "1", "-o", "one.ewzanim")
        self.assertEqual(len(self.read("one.ewzanim")), 4 + 9 * 20 * 16)
        self.ember("convert", "-q", "rtda", "--skeleton", "rtaa", "-o", "all.animbin")
        self.assertEqual(self.read("all.animbin")[:7], b"ANIMBIN")
        result = self.ember("convert", "rtda", "--skeleton", "rtaa", "--clip", "1", "-o", "one.glb")
        self.assertEqual(result.stderr, b"")

    def test_keys_round_all_clips(self):
        self.ember("convert", "rtda", "--skeleton", "rtaa", "--key", "4", "-o", "zzda")
        for clip, was in zip(reference.read(self.read("zzda")), self.clips):
            if clip["kind"] == "special":
                continue
            self.assertEqual(clip["key"], 4)
            self.assertEqual(clip["positions"], was["positions"])
            for a, b in zip(clip["rotations"], was["rotations"]):
                for x, y in ((x, y) for p, q in zip(a, b) for x, y in zip(p, q)):
                    self.assertLessEqual(abs((x - y + 2048) % 4096 - 2048), 8)

    def test_truncated_packs_give_what_is_there(self):
        self.write("rtda", self.data[:len(self.data) - 40])
        result = self.ember("convert", "rtda", "--skeleton", "rtaa", "-o", "x.json")
        self.assertIn(b"weapon_07: warning: the file ends in it", result.stderr)
        self.assertLess(self.read_json("x.json")["clips"][7]["frame_count"], 5)
        self.write("rtda", self.data[:14])
        self.assertIn("rtda", self.one_line(self.ember("info", "rtda", code=1)))


if __name__ == "__main__":
    testing.main()
