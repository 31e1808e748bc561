# SPDX-License-Identifier: MIT
"""glTF to glTF keeps what Ember does not understand: the document before and after, compared without Ember.

Indices into accessors and views are followed to the bytes, so that only their order may differ. Animations are the model's and are sampled again; of
them only what moves other things than bones has to stay."""

import base64
import copy
import glob
import json
import math
import os
import struct

import roms
import testing

PNG, JPEG = roms.png((200, 30, 30)), b"\xff\xd8\xff\xe0" + b"not looked into" * 3


class Made:
    """A document and its one buffer."""

    def __init__(self):
        self.bytes, self.views, self.accessors = b"", [], []

    def view(self, data, **more):
        self.views.append({"buffer": 0, "byteOffset": len(self.bytes), "byteLength": len(data), **more})
        self.bytes += data + b"\0" * (-len(data) % 4)
        return len(self.views) - 1

    def floats(self, rows, kind, **more):
        data = b"".join(struct.pack("<%df" % len(row), *row) for row in rows)
        self.accessors.append({"bufferView": self.view(data, **more), "componentType": 5126, "count": len(rows), "type": kind,
                               "min": [min(c) for c in zip(*rows)], "max": [max(c) for c in zip(*rows)]})
        return len(self.accessors) - 1


def made_document():
    m = Made()
    times = m.floats([[i / 30] for i in range(31)], "SCALAR")
    turns = m.floats([[0, 0, math.sin(i / 60), math.cos(i / 60)] for i in range(31)], "VEC4")
    corners = m.floats([[0, 0, 0], [1, 0, 0], [0, 1, 0]], "VEC3", target=34962)
    uvs = [m.floats([[0, 0], [1, k], [0, 1]], "VEC2") for k in (0, 0.5)]
    m.accessors.append({"bufferView": m.view(bytes([0, 0, 0, 0] * 3)), "componentType": 5121, "count": 3, "type": "VEC4"})
    joints = len(m.accessors) - 1
    weights = m.floats([[1, 0, 0, 0]] * 3, "VEC4")
    binds = m.floats([[1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -y, 0, 1] for y in (0, 1)], "MAT4")
    shapes = m.floats([[0, 0, 0], [0.1, 0, 0], [0, 0.2, 0]], "VEC3")
    amounts = m.floats([[i / 30] for i in range(31)], "SCALAR")
    m.accessors.append({"componentType": 5126, "count": 3, "type": "VEC3",
                        "sparse": {"count": 1, "indices": {"bufferView": m.view(struct.pack("<H", 1)), "componentType": 5123},
                                   "values": {"bufferView": m.view(struct.pack("<3f", 0, 0, 1))}}})
    sparse = len(m.accessors) - 1
    skin = {"attributes": {"POSITION": corners, "TEXCOORD_0": uvs[0], "TEXCOORD_1": uvs[1], "JOINTS_0": joints, "WEIGHTS_0": weights, "_MINE": sparse}, "material": 1,
            "targets": [{"POSITION": shapes}], "extras": {"of": "a primitive"}}
    rigid = {"attributes": {"POSITION": corners, "TEXCOORD_0": uvs[0]}, "material": 0, "mode": 4}
    half = math.sqrt(0.5)
    document = {
        "asset": {"version": "2.0", "generator": "by hand", "copyright": "nobody", "extras": {"n": 9007199254740993}}, "scene": 1,
        "scenes": [{"name": "other", "nodes": [6]}, {"name": "main", "nodes": [0, 4, 5], "extras": [1, 2.5, None]}],
        "extensionsUsed": ["KHR_lights_punctual", "KHR_texture_transform", "KHR_materials_unlit"],
        "extensions": {"KHR_lights_punctual": {"lights": [{"type": "point", "intensity": 0.1}]}},
        "nodes": [{"name": "Armature", "rotation": [-half, 0, 0, half], "scale": [0.01, 0.01, 0.01], "children": [1, 3]},
                  {"name": "hip", "children": [2], "extras": {"ragdoll": True}}, {"name": "knee", "translation": [0, 1, 0], "extensions": {"VENDOR_physics": {"mass": 1e-7}}},
                  {"name": "body", "mesh": 0, "skin": 0, "weights": [0.25]}, {"name": "eye", "camera": 0, "matrix": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 2, 3, 1]},
                  {"name": "lamp", "extensions": {"KHR_lights_punctual": {"light": 0}}, "mesh": 1}, {"name": "elsewhere", "mesh": 1}],
        "meshes": [{"name": "Body", "primitives": [skin, rigid], "extras": {"targetNames": ["smile"]}}, {"primitives": [rigid]}],
        "skins": [{"name": "rig", "joints": [1, 2], "inverseBindMatrices": binds, "skeleton": 1, "extras": 7}],
        "cameras": [{"name": "close", "type": "perspective", "perspective": {"yfov": 0.7, "znear": 0.1}}],
        "materials": [{"name": "steel", "doubleSided": True, "alphaMode": "MASK", "alphaCutoff": 0.3, "extensions": {"KHR_materials_unlit": {}}},
                      {"name": "skin", "pbrMetallicRoughness": {"baseColorFactor": [0.5, 0.25, 1, 1], "roughnessFactor": 0.8, "baseColorTexture":
                                                                {"index": 0, "extensions": {"KHR_texture_transform": {"offset": [0.5, 0], "scale": [2, 2], "rotation": 0.3}}}},
                       "normalTexture": {"index": 1, "texCoord": 1, "scale": 0.9}, "emissiveFactor": [1, 0, 0]}],
        "textures": [{"source": 0, "sampler": 1}, {"source": 1, "name": "bumps"}, {"source": 2}],
        "samplers": [{"wrapS": 33071}, {"magFilter": 9728, "extras": {}}],
        "images": [{"uri": "textures/red%20skin.png", "name": "red"}, {"bufferView": m.view(JPEG), "mimeType": "image/jpeg"},
                   {"uri": "data:image/png;base64," + base64.b64encode(PNG).decode()}],
        "animations": [{"name": "wave", "extras": {"mood": "glad"}, "samplers": [{"input": times, "output": turns}, {"input": times, "output": amounts, "interpolation": "LINEAR"},
                                                                                 {"input": times, "output": turns}],
                        "channels": [{"sampler": 0, "target": {"node": 2, "path": "rotation"}}, {"sampler": 1, "target": {"node": 3, "path": "weights"}},
                                     {"sampler": 2, "target": {"node": 5, "path": "rotation"}, "extras": "turns"}]}]}
    document["bufferViews"], document["accessors"] = m.views, m.accessors
    document["buffers"] = [{"byteLength": len(m.bytes), "uri": "all.bin", "name": "everything"}]
    return document, m.bytes


class File:
    """A document with its bytes, as they are in the file and beside it."""

    def __init__(self, path):
        self.folder, chunk = os.path.dirname(path), b""
        with open(path, "rb") as file:
            data = file.read()
        if data[:4] == b"glTF":
            size = struct.unpack_from("<I", data, 12)[0]
            chunk, data = data[28 + size:], data[20:20 + size]
        self.json = json.loads(data)
        self.buffers = [self.load(b["uri"]) if "uri" in b else chunk for b in self.json.get("buffers", [])]

    def load(self, uri):
        if uri.startswith("data:"):
            return base64.b64decode(uri.split(",", 1)[1])
        with open(os.path.join(self.folder, uri.replace("%20", " ")), "rb") as file:
            return file.read()

    def view(self, index):
        view = dict(self.json["bufferViews"][index])
        at = view.pop("byteOffset", 0)
        return {**view, "buffer": self.buffers[view["buffer"]][at:at + view["byteLength"]]}

    def accessor(self, index):
        accessor = copy.deepcopy(self.json["accessors"][index])
        for place in (accessor, accessor.get("sparse", {}).get("indices", {}), accessor.get("sparse", {}).get("values", {})):
            if "bufferView" in place:
                place["bufferView"] = self.view(place["bufferView"])
        return accessor

    def plain(self):
        """The document with bytes in place of indices, without what belongs to clips and to the container."""
        out = copy.deepcopy(self.json)
        for mesh in out.get("meshes", []):
            for primitive in mesh["primitives"]:
                for attributes in [primitive["attributes"], *primitive.get("targets", [])]:
                    for name in attributes:
                        attributes[name] = self.accessor(attributes[name])
                if "indices" in primitive:
                    primitive["indices"] = self.accessor(primitive["indices"])
        for skin in out.get("skins", []):
            if "inverseBindMatrices" in skin:
                skin["inverseBindMatrices"] = self.accessor(skin["inverseBindMatrices"])
        for image in out.get("images", []):
            image["bytes"] = self.view(image.pop("bufferView"))["buffer"] if "bufferView" in image else self.load(image.pop("uri"))
            image.pop("mimeType", None)
        for key in ("animations", "accessors", "bufferViews", "buffers"):
            out.pop(key, None)
        out["asset"].pop("generator", None)
        return out

    def foreign(self, bones):
        """What the animations have beside the motion of these nodes."""
        found = []
        for animation in self.json.get("animations", []):
            extras = {key: value for key, value in animation.get("extras", {}).items() if key != "ember"}
            channels = []
            for channel in animation["channels"]:
                if channel["target"].get("node") in bones and channel["target"]["path"] != "weights":
                    continue
                sampler = animation["samplers"][channel["sampler"]]
                channels.append({**channel, "sampler": {**sampler, "input": self.accessor(sampler["input"]), "output": self.accessor(sampler["output"])}})
            found.append((animation.get("name"), extras, channels))
        return found


class Carried(testing.Case):
    def give(self, change=lambda document: None):
        document, data = made_document()
        change(document)
        os.makedirs(self.path("in/textures"), exist_ok=True)
        self.write("in/all.bin", data)
        self.write("in/textures/red skin.png", PNG)
        self.write("in/all.gltf", json.dumps(document))
        return self.path("in/all.gltf")

    def bones(self, path):
        self.ember("convert", path, "-q", "-o", "bones.json")
        return [bone["name"] for bone in self.read_json("bones.json")["bones"]]

    def same(self, a, b, bones):
        a, b = File(a), File(b)
        before, after = a.plain(), b.plain()
        for key in sorted(set(before) | set(after)):
            self.assertEqual(before.get(key), after.get(key), key)
        self.assertEqual(a.foreign(bones), b.foreign(bones))

    def test_nothing_of_a_document_is_lost(self):
        self.give()
        os.makedirs(self.path("out"))
        for out in ("out/all.glb", "out/all.gltf"):
            self.assertEqual(self.ember("convert", "in/all.gltf", "-o", out).stderr, b"")
            self.same(self.path("in/all.gltf"), self.path(out), (1, 2))
            self.ember("diff", "in/all.gltf", out, "--tolerance", "0.000001")
            self.same(self.path("in/all.gltf"), self.path(out), (1, 2))
            self.ember("convert", out, "-o", "out/again.glb")
            self.same(self.path("in/all.gltf"), self.path("out/again.glb"), (1, 2))
        self.assertEqual(File(self.path("out/all.glb")).json["asset"]["generator"].split()[0], "Ember")

    def test_the_keys_of_bones_are_stored_once(self):
        self.give()
        self.ember("convert", "in/all.gltf", "-o", "a.glb")
        self.ember("convert", "a.glb", "-o", "b.glb")
        self.assertEqual(os.path.getsize(self.path("a.glb")), os.path.getsize(self.path("b.glb")))

    def test_what_an_unknown_extension_names_stays_where_it_is(self):
        self.give(lambda d: d.update(extensionsUsed=d["extensionsUsed"] + ["VENDOR_accessors"], extensions={"VENDOR_accessors": {"accessor": 4, "view": 6, "node": 2}}))
        self.ember("convert", "in/all.gltf", "-o", "a.glb")
        before, after = File(self.path("in/all.gltf")), File(self.path("a.glb"))
        self.assertEqual(after.json["extensions"], before.json["extensions"])
        for index in range(len(before.json["accessors"])):
            self.assertEqual(before.accessor(index), after.accessor(index), index)
        for index in range(len(before.json["bufferViews"])):
            self.assertEqual(before.view(index), after.view(index), index)

    def test_a_clip_that_was_not_asked_for_is_gone(self):
        self.give(lambda d: d["animations"].append({**d["animations"][0], "name": "nod"}))
        self.ember("convert", "in/all.gltf", "--clip", "nod", "-o", "a.glb")
        self.assertEqual([animation["name"] for animation in File(self.path("a.glb")).json["animations"]], ["nod"])

    def test_bones_without_a_skin_stay_bones(self):
        def change(document):
            del document["skins"]
            del document["nodes"][3]["skin"]
            document["animations"][0]["channels"].append({"sampler": 0, "target": {"node": 1, "path": "rotation"}})
            document["animations"].append({**document["animations"][0], "name": "still", "channels": document["animations"][0]["channels"][:1]})
        self.give(change)
        self.ember("convert", "in/all.gltf", "-o", "a.glb")
        self.ember("convert", "in/all.gltf", "--clip", "still", "-o", "b.glb")
        self.assertEqual(self.bones("in/all.gltf"), ["hip", "knee", "lamp"])
        for path in ("a.glb", "b.glb"):
            self.assertEqual(self.bones(path), ["hip", "knee", "lamp"])

    def test_an_image_that_is_missing_is_named(self):
        self.give()
        os.remove(self.path("in/textures/red skin.png"))
        self.assertIn("red%20skin.png", self.one_line(self.ember("convert", "in/all.gltf", "-o", "a.glb")))
        self.assertEqual(File(self.path("a.glb")).json["images"][0]["uri"], "textures/red%20skin.png")

    def test_what_a_change_of_the_model_loses_is_said(self):
        self.give()
        said = self.ember("convert", "in/all.gltf", "--scale", "2", "-o", "a.glb").stderr.decode()
        for word in ("materials", "texture samplers", "camera", "extras", "KHR_lights_punctual", "morph"):
            self.assertIn(word, said)

    def test_channels_of_other_things_need_the_same_clock(self):
        def change(document):
            document["accessors"][0].update(bufferView=document["accessors"][0]["bufferView"], count=20, byteOffset=44, min=[11 / 30], max=[1])
            for accessor in (1, 8):
                document["accessors"][accessor].update(count=20)
        self.give(change)
        self.assertIn("2 channels", self.one_line(self.ember("convert", "in/all.gltf", "-o", "a.glb")))

    def test_two_files_keep_the_first_ones(self):
        path = self.give()
        self.write("in/b.gltf", self.read("in/all.gltf").replace(b"wave", b"nod"))
        self.ember("convert", "in/all.gltf", "in/b.gltf", "-o", "a.glb")
        self.assertEqual([animation["name"] for animation in File(self.path("a.glb")).json["animations"]], ["wave", "nod"])
        self.assertEqual(File(self.path("a.glb")).plain(), File(path).plain())

    def test_real_files(self):
        corpus = os.environ.get("EMBER_CORPUS")
        if corpus is None:
            self.skipTest("EMBER_CORPUS is not set")
        paths = sorted(glob.glob(os.path.join(corpus, "gltf", "**", "*.gl*"), recursive=True))
        self.assertNotEqual(paths, [])
        for path in paths:
            try:
                before = File(path).plain()
            except FileNotFoundError:
                continue  # images that the corpus does not have
            if self.run_ember("convert", path, "-q", "-o", "a.glb").returncode != 0:
                continue
            self.assertEqual(before, File(self.path("a.glb")).plain(), path)


if __name__ == "__main__":
    testing.main()
