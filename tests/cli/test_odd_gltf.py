# SPDX-License-Identifier: MIT
"""glTF files that are valid and unusual: roots without names, several scenes, meshes that cannot be read beside animations that can."""

import base64
import json
import os
import struct

import roms
import testing

TIMES, MOVE = struct.pack("<2f", 0, 1), struct.pack("<6f", 0, 0, 0, 0, 1, 0)
TRIANGLE = struct.pack("<9f", 0, 0, 0, 1, 0, 0, 0, 1, 0)


def document(nodes, animated, **more):
    """Nodes of which some move up by 1 within a second; accessor 2 is a triangle."""
    data = TIMES + MOVE + TRIANGLE
    return {"asset": {"version": "2.0"}, "nodes": nodes, "buffers": [{"byteLength": len(data), "uri": "data:application/octet-stream;base64," + base64.b64encode(data).decode()}],
            "bufferViews": [{"buffer": 0, "byteOffset": 0, "byteLength": 8}, {"buffer": 0, "byteOffset": 8, "byteLength": 24}, {"buffer": 0, "byteOffset": 32, "byteLength": 36}],
            "accessors": [{"bufferView": 0, "componentType": 5126, "count": 2, "type": "SCALAR", "min": [0], "max": [1]}, {"bufferView": 1, "componentType": 5126, "count": 2, "type": "VEC3"},
                          {"bufferView": 2, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 0]}],
            "animations": [{"name": "up", "samplers": [{"input": 0, "output": 1}], "channels": [{"sampler": 0, "target": {"node": node, "path": "translation"}} for node in animated]}],
            **more}


class Odd(testing.Case):
    def put(self, name, value):
        os.makedirs(os.path.dirname(self.path(name)) or ".", exist_ok=True)
        with open(self.path(name), "w") as file:
            json.dump(value, file)

    def ember(self, *words, code=0):
        result = self.run_ember(*words)
        self.assertEqual(result.returncode, code, result.stderr)
        return result.stdout.decode(), result.stderr.decode()

    def test_roots_without_names_are_read(self):
        self.put("in/two.gltf", document([{}, {}], [0, 1], scenes=[{"nodes": [0, 1]}], scene=0))
        self.ember("export", "animation", "in/two.gltf", "-o", "two.ewzanim")
        self.assertEqual(self.read("two.ewzanim")[:4], bytes([2, 0, 31, 0]))
        self.ember("convert", "in/two.gltf", "-o", "two.eza")
        self.ember("build", "in", "-o", "two.ewz")
        self.assertIn("  two      81      31      2", self.ember("info", "two.ewz")[0])

    BAD = {"broken": {"attributes": {"POSITION": 7}},
           "draco": {"attributes": {"POSITION": 3}, "extensions": {"KHR_draco_mesh_compression": {"bufferView": 2, "attributes": {"POSITION": 0}}}}}

    def bad(self, kind):
        made = document([{"name": "a", "mesh": 0}, {"name": "b", "mesh": 1}, {"name": "c", "mesh": 0}], [0],
                        meshes=[{"primitives": [self.BAD[kind]]}, {"primitives": [{"attributes": {"POSITION": 2}}]}])
        made["accessors"].append({"componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 0]})
        if kind == "draco":
            made.update(extensionsUsed=["KHR_draco_mesh_compression"], extensionsRequired=["KHR_draco_mesh_compression"])
        self.put("in/%s.gltf" % kind, made)
        return "in/%s.gltf" % kind

    def test_verbs_that_need_no_mesh_leave_bad_ones_out_with_one_line(self):
        for kind in self.BAD:
            path = self.bad(kind)
            out, err = self.ember("info", path)
            self.assertEqual(err.count("\n"), 1, err)
            self.assertIn("2 meshes cannot be read", err)
            self.assertIn("1 mesh", out)
            _, err = self.ember("export", "animation", path, "-o", kind + ".ewzanim")
            self.assertEqual(err.count("2 meshes cannot be read"), 1, err)
            self.ember("export", "skeleton", path, "-o", kind + ".ewzskel")
            self.ember("convert", path, "-o", kind + ".eza")
            self.assertNotEqual(self.ember("diff", path, path)[0], "")

    def test_verbs_that_need_meshes_refuse_bad_ones_and_say_which(self):
        for kind, word in (("broken", "accessor 7 of 4"), ("draco", "Draco")):
            path = self.bad(kind)
            for words in (("export", "mesh", path, "-o", "x.ewzmesh"), ("build", "in", "-o", "x.ewz")):
                _, err = self.ember(*words, code=1)
                self.assertIn("meshes[0].primitives[0]", err)
                self.assertIn(word, err)
            os.remove(self.path(path))

    def test_the_default_scene_counts(self):
        mesh = [{"primitives": [{"attributes": {"POSITION": 2}}]}]
        made = document([{"name": "here", "mesh": 0}, {"name": "there", "mesh": 0, "children": [2]}, {"name": "below", "mesh": 0}, {"name": "both", "mesh": 0}], [0, 1], meshes=mesh,
                        scenes=[{"nodes": [1, 3]}, {"nodes": [0, 3]}], scene=1)
        self.put("scenes.gltf", made)
        report = json.loads(self.ember("info", "scenes.gltf", "--format", "json")[0])["files"][0]
        self.assertEqual(report["mesh_count"], 2)
        self.assertIn("2 meshes are only in other scenes", self.ember("info", "scenes.gltf")[1])
        del made["scene"]  # then the first counts
        self.put("scenes.gltf", made)
        self.assertIn("1 mesh is only in other scenes", self.ember("info", "scenes.gltf")[1])

    def test_a_glb_without_meshes_gets_none(self):
        self.put("up.gltf", document([{"name": "a"}], [0]))
        self.ember("convert", "up.gltf", "-o", "up.glb")
        self.ember("convert", "up.glb", "-o", "again.gltf")
        self.assertNotIn("meshes", json.loads(self.read("again.gltf")))

    def test_what_a_glb_does_not_keep_of_another_is_said_in_one_line(self):
        """With another scale the model is not the document's any more. Counted by hand: one of two materials has more than a base colour, one of two images is a base colour."""
        image = "data:image/png;base64," + base64.b64encode(roms.png((1, 2, 3))).decode()
        made = document([{"name": "a", "mesh": 0, "extras": {"mine": 1}}, {"name": "eye", "camera": 0}], [0], cameras=[{"type": "perspective", "perspective": {"yfov": 1, "znear": 1}}],
                        materials=[{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}, {"name": "steel", "doubleSided": True, "normalTexture": {"index": 1}}],
                        images=[{"uri": image}, {"uri": image}], samplers=[{"wrapS": 33071}, {}, {}], textures=[{"source": 0, "sampler": 0}, {"source": 1}], extensionsUsed=["VENDOR_thing"],
                        meshes=[{"primitives": [{"attributes": {"POSITION": 2}, "material": material} for material in (0, 1)]}])
        self.put("rich.gltf", made)
        _, err = self.ember("convert", "rich.gltf", "--scale", "2", "-o", "rich.glb")
        lines = [line for line in err.splitlines() if "not kept" in line]
        self.assertEqual(len(lines), 1, err)
        for words in ("1 material but for its base colour", "1 image,", "3 texture samplers", "1 camera", "1 object's extras", "VENDOR_thing"):
            self.assertIn(words, lines[0])
        self.assertNotIn("not kept", self.ember("convert", "rich.glb", "-o", "again.glb")[1])

    def test_a_clip_of_a_rom_brings_its_meshes(self):
        self.put("in/hero.gltf", document([{"name": "a", "mesh": 0}], [0], meshes=[{"primitives": [{"attributes": {"POSITION": 2}}]}]))
        self.ember("build", "in", "-o", "game.ewz")
        self.ember("convert", "game.ewz", "-o", "hero.glb")
        report = json.loads(self.ember("info", "hero.glb", "--format", "json")[0])["files"][0]
        self.assertEqual((report["mesh_count"], len(report["clips"])), (1, 1))


if __name__ == "__main__":
    testing.main()
