# SPDX-License-Identifier: MIT
"""Stored integers edited in JSON's raw: they are written, with a line, for Final Fantasy VII and ANIMBIN; edited frames still count where
raw was left alone, and ANIMBIN's sparse keys survive JSON and glTF."""

import json

import animbin_reference
import ff7_model_packs as model_packs
import ff7_reference
import testing

SPARSE = {"name": "walk", "flags": 1, "length": 31, "markers": [], "tracks": [
    {"type": 0, "joint": 0, "keys": [{"frame": 0, "type": 0, "value": [4096, 0, 0, 0]}, {"frame": 30, "type": 0, "value": [2896, 0, -2896, 7]}]},
    {"type": 1, "joint": 0, "keys": [{"frame": 5, "type": 1, "value": [100, -200, 70000]}]}]}


class Raw(testing.Case):
    def edit(self, source, change, target, *words):
        """The file through JSON, with `change` made to the document."""
        self.ember("convert", "-q", source, *words, "-o", "edit.json")
        document = self.read_json("edit.json")
        change(document)
        self.write("edit.json", json.dumps(document))
        return self.ember("convert", "edit.json", "-o", target).stderr.decode()

    # ---- Final Fantasy VII ----

    def test_an_edited_triple_is_stored(self):
        model_packs.give(self)

        def change(document):
            document["clips"][0]["raw"]["rotations"][3][2][0] += 100
            document["clips"][1]["raw"]["positions"][5] = [1, 2, 3]
        said = self.edit("rtda", change, "xxda", "--skeleton", "rtaa")
        before, after = (ff7_reference.read(self.read(name)) for name in ("rtda", "xxda"))
        self.assertEqual(after[0]["rotations"][3][2][0] % 4096, (before[0]["rotations"][3][2][0] + 100) % 4096)
        self.assertEqual(after[1]["positions"][5], [1, 2, 3])
        self.assertEqual(said.count("raw values are stored (2 clips: body_00, body_01)"), 1)
        for one, other in zip(before[3:], after[3:]):
            self.assertEqual((one["positions"], one["rotations"]), (other["positions"], other["rotations"]))

    def test_edited_frames_are_stored_where_raw_was_left_alone(self):
        model_packs.give(self)

        def change(document):
            bones = [b["name"] for b in document["bones"]]
            clip = document["clips"][0]
            root = clip.get("bones", list(range(len(bones)))).index(bones.index("root"))
            clip["frames"][4][root][4] += 50
        said = self.edit("rtda", change, "xxda", "--skeleton", "rtaa")
        before, after = (ff7_reference.read(self.read(name))[0]["positions"] for name in ("rtda", "xxda"))
        self.assertEqual(after[4][0], before[4][0] + 50)
        self.assertNotIn("raw values", said)

    def test_what_nobody_edited_says_nothing(self):
        model_packs.give(self)
        said = self.edit("rtda", lambda document: None, "xxda", "--skeleton", "rtaa")
        self.assertNotIn("raw values", said)
        before, after = (ff7_reference.read(self.read(name)) for name in ("rtda", "xxda"))
        self.assertEqual([c["rotations"] for c in before], [c["rotations"] for c in after])

    # ---- ANIMBIN ----

    def test_an_edited_key_is_stored_and_the_others_stay_sparse(self):
        self.write("a.animbin", animbin_reference.write([SPARSE]))

        def change(document):
            document["clips"][0]["raw"]["tracks"][0]["keys"][1]["value"] = [0, 4096, 0, 0]
        said = self.edit("a.animbin", change, "b.animbin")
        wanted = json.loads(json.dumps(SPARSE))
        wanted["tracks"][0]["keys"][1]["value"] = [0, 4096, 0, 0]
        self.assertEqual(self.read("b.animbin"), animbin_reference.write([wanted]))
        self.assertEqual(said.count("raw values do not give its frames"), 1)

    def test_sparse_keys_survive_json_and_glb(self):
        self.write("a.animbin", animbin_reference.write([SPARSE]))
        for name in ("b.json", "b.glb"):
            self.ember("convert", "-q", "a.animbin", "-o", name)
            self.ember("convert", name, "-o", "b.animbin")
            self.assertEqual(self.read("b.animbin"), self.read("a.animbin"), name)

    def test_keys_that_are_lost_are_told(self):
        self.write("a.animbin", animbin_reference.write([SPARSE]))

        def change(document):
            document["clips"][0]["frames"][7][0][:4] = [1, 0, 0, 0]
        self.assertIn("3 keys it was read with are not kept", self.edit("a.animbin", change, "b.animbin"))


if __name__ == "__main__":
    testing.main()
