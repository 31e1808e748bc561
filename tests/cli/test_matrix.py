# SPDX-License-Identifier: MIT
"""Every reader times every writer: what a file has is in what it becomes, or a line says that it is not.

What a file has is seen in the file: glTF and JSON documents are looked at as they are, other files through Ember's clip form, which says what their
reader found. Nothing here knows which format stores what. No line may come twice."""

import base64
import json
import math
import os
import re
import struct

import fbx_make
import ff7_model_packs
import roms
import testing
from fbx_scene import Layer, Node, Scene, Take, line, seconds

TARGETS = ("ewzanim", "eza", "ewzlean", "json", "animbin", "ewzskel", "ewzmesh", "gltf", "glb", "a00")

# A feature, and the words of a line that says it is lost; or of a line that refuses the whole.
WORDS = {"names": r"name", "hierarchy": r"hierarchy|parents", "rest": r"rest pose|rest", "binds": r"inverse bind", "rate": r"\brate\b", "loop": r"loop", "markers": r"marker",
         "scale": r"scale", "clips": r"clips?\b", "duration": r"duration|rate", "meshes": r"mesh", "skinned": r"mesh",
         "texture": r"mesh|texture|image", "materials": r"mesh|material", "samplers": r"mesh|sampler", "camera": r"mesh|camera", "extras": r"mesh|extras", "extension": r"mesh|VENDOR",
         "morphs": r"mesh|morph", "scenes": r"mesh|scene", "raw": r"values as"}

# What goes with a clip that is not stored.
OF_CLIPS = {"rate", "loop", "markers", "scale", "clips", "duration", "raw"}


class Glb:
    def __init__(self):
        self.bytes, self.views, self.accessors = b"", [], []

    def add(self, data, kind, component, count, **more):
        self.views.append({"buffer": 0, "byteOffset": len(self.bytes), "byteLength": len(data)})
        self.bytes += data + b"\0" * (-len(data) % 4)
        self.accessors.append({"bufferView": len(self.views) - 1, "componentType": component, "count": count, "type": kind, **more})
        return len(self.accessors) - 1

    def floats(self, rows, kind):
        return self.add(b"".join(struct.pack("<%df" % len(row), *row) for row in rows), kind, 5126, len(rows), min=[min(c) for c in zip(*rows)], max=[max(c) for c in zip(*rows)])


def everything():
    """A glTF document that has all of it: three bones of two skins, meshes of three kinds, two scenes, a morph target, materials, a camera, extras, an extension."""
    glb = Glb()
    corners = glb.floats([[0, 0, 0], [1, 0, 0], [0, 1, 0]], "VEC3")
    uvs = glb.floats([[0, 0], [1, 0], [0, 1]], "VEC2")
    joints = glb.add(bytes([0, 0, 0, 0] * 3), "VEC4", 5121, 3)
    weights = glb.floats([[1, 0, 0, 0]] * 3, "VEC4")
    binds = [glb.floats([[1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -y, 0, 1] for y in ys], "MAT4") for ys in ((0, 1), (1, 2))]
    times = glb.floats([[i / 10] for i in range(11)], "SCALAR")
    turns = glb.floats([[0, 0, math.sin(i / 20), math.cos(i / 20)] for i in range(11)], "VEC4")
    sizes = glb.floats([[1 + i / 10, 1, 1] for i in range(11)], "VEC3")
    skinned = {"attributes": {"POSITION": corners, "TEXCOORD_0": uvs, "JOINTS_0": joints, "WEIGHTS_0": weights}, "material": 0}
    plain = {"attributes": {"POSITION": corners}, "material": 1}
    animations = [{"name": name, "samplers": [{"input": times, "output": turns}, {"input": times, "output": sizes}],
                   "channels": [{"sampler": 0, "target": {"node": 1, "path": "rotation"}}, {"sampler": 1, "target": {"node": 2, "path": "scale"}}]} for name in ("wave", "nod")]
    data = "data:application/octet-stream;base64," + base64.b64encode(glb.bytes).decode()
    return {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0, 3, 4, 5, 7]}, {"nodes": [6]}], "extensionsUsed": ["VENDOR_thing"],
            "nodes": [{"name": "hip", "children": [1]}, {"name": "knee", "translation": [0, 1, 0], "children": [2]}, {"name": "foot", "translation": [0, 1, 0], "children": [8]},
                      {"name": "body", "mesh": 0, "skin": 0}, {"name": "boot", "mesh": 0, "skin": 1}, {"name": "floor", "mesh": 1}, {"name": "elsewhere", "mesh": 1},
                      {"name": "eye", "camera": 0, "extras": {"mine": 1}}, {"name": "spur", "mesh": 2}],
            "meshes": [{"primitives": [skinned]}, {"primitives": [plain]}, {"primitives": [{**plain, "targets": [{"POSITION": corners}]}]}],
            "skins": [{"joints": [0, 1], "inverseBindMatrices": binds[0]}, {"joints": [1, 2], "inverseBindMatrices": binds[1]}], "animations": animations,
            "materials": [{"name": "skin", "pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}, {"name": "steel", "doubleSided": True}],
            "images": [{"uri": "data:image/png;base64," + base64.b64encode(roms.png((9, 9, 9))).decode()}], "textures": [{"source": 0, "sampler": 0}], "samplers": [{"wrapS": 33071}],
            "cameras": [{"type": "perspective", "perspective": {"yfov": 1, "znear": 0.1}}],
            "buffers": [{"byteLength": len(glb.bytes), "uri": data}], "bufferViews": glb.views, "accessors": glb.accessors}


def clips():
    """The clip form of the same: with a loop flag, markers and a rate of its own."""
    def rest(y):
        return [0, 0, 0, 1, 0, y, 0, 1, 1, 1]
    frames = [[rest(0), [0, 0, math.sin(i / 20), math.cos(i / 20), 0, 1, 0, 1, 1, 1], [0, 0, 0, 1, 0, 1, 0, 1 + i / 10, 1, 1]] for i in range(10)]
    bones = [{"name": "hip", "parent": -1, "rest": rest(0)}, {"name": "knee", "parent": 0, "rest": rest(1)}, {"name": "foot", "parent": 1, "rest": rest(1)}]
    return {"format": "ember-clip", "version": 1, "bones": bones,
            "clips": [{"name": name, "fps": 20, "loop": True, "space": "local", "frame_count": 10, "frames": frames, "markers": [{"name": "step", "frame": 4}]} for name in ("wave", "nod")]}


BVH = """HIERARCHY
ROOT hip
{
OFFSET 0 0 0
CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
JOINT knee
{
OFFSET 0 1 0
CHANNELS 3 Zrotation Xrotation Yrotation
End Site
{
OFFSET 0 1 0
}
}
}
MOTION
Frames: 5
Frame Time: 0.05
""" + "".join("0 0 0 %d 0 0 0 %d 0\n" % (i, 5 * i) for i in range(5))

OBJ = "o box\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"


def fbx():
    """Two bones of which one turns, in the text form."""
    hip = Node("hip")
    knee = Node("knee", hip, t=(0.0, 100.0, 0.0))
    return fbx_make.text(Scene([hip, knee], [Take("wave", [Layer({(knee, "r"): [0.0, 0.0, line([(0, 0), (1, 40)])]})], 0, seconds(1))]))


class Matrix(testing.Case):
    def form(self, path):
        """What Ember reads of a file, as JSON and as its report."""
        info = json.loads(self.ember("info", path, "--format", "json").stdout)["files"][0]
        result = self.run_ember("convert", path, "-q", "-o", "form.json")
        form = json.loads(self.read("form.json")) if result.returncode == 0 else {"bones": [], "clips": []}
        return info, form

    def document(self, path):
        data = self.read(path)
        if path.endswith(".glb"):
            return json.loads(data[20:20 + struct.unpack_from("<I", data, 12)[0]])
        return json.loads(data) if path.endswith(".gltf") else {}

    def features(self, path):
        info, form = self.form(path)
        document = self.document(path)
        frames = [bone for clip in form["clips"] for frame in clip["frames"] for bone in frame]
        has = {"names": any(re.fullmatch(r"bone_\d+|", bone.get("name") or "") is None for bone in form["bones"]), "hierarchy": any(bone["parent"] >= 0 for bone in form["bones"]),
               "rest": any(bone.get("rest") not in (None, [0, 0, 0, 1, 0, 0, 0, 1, 1, 1]) for bone in form["bones"]),
               "rate": any(clip["fps"] for clip in info["clips"]), "loop": any(clip["loop"] for clip in info["clips"]), "markers": any(clip["markers"] for clip in info["clips"]),
               "scale": any(abs(value - 1) > 0.01 for bone in frames for value in bone[7:10]), "clips": info["clip_count"] > 0, "meshes": info["mesh_count"] > 0}
        # A picture of the bones, which Ember puts into documents without meshes, is no mesh of the model.
        pictures = [mesh.get("extras", {}).get("ember", {}).get("bone_shapes", False) for mesh in document.get("meshes", [])]
        skinned = [node for node in document.get("nodes", []) if "mesh" in node and "skin" in node and not pictures[node["mesh"]]]
        has.update(skinned=bool(skinned), texture=bool(document.get("textures")), samplers=bool(document.get("samplers")), camera=bool(document.get("cameras")),
                   materials=any(set(material) - {"pbrMetallicRoughness"} for material in document.get("materials", [])),
                   extras=any("extras" in node and "ember" not in node["extras"] for node in document.get("nodes", [])), extension="VENDOR_thing" in document.get("extensionsUsed", []),
                   morphs=any("targets" in primitive for mesh in document.get("meshes", []) for primitive in mesh["primitives"]), scenes=len(document.get("scenes", [])) > 1,
                   binds=path.endswith(".ewzskel") or any("inverseBindMatrices" in skin for skin in document.get("skins", [])), raw=any(clip.get("raw") for clip in form["clips"]))
        return {feature for feature, there in has.items() if there}, [round(clip["seconds"], 3) for clip in info["clips"]]

    def sources(self):
        self.write("all.gltf", json.dumps(everything()))
        self.write("clips.json", json.dumps(clips()))
        self.write("motion.bvh", BVH)
        self.write("box.obj", OBJ)
        for made, words in (("all.glb", ("all.gltf",)), ("clip.ewzanim", ("clips.json", "--clip", "wave")), ("clip.eza", ("clips.json", "--clip", "wave")),
                            ("clips.animbin", ("clips.json",)), ("clips.ewzlean", ("clips.json",)), ("bones.ewzskel", ("all.gltf",)), ("box.ewzmesh", ("box.obj",)), ("clips.glb", ("clips.json",))):
            self.ember("convert", *words, "-q", "-o", made)
        self.write("motion.fbx", fbx())
        ff7_model_packs.give(self)
        os.makedirs(self.path("rom"))
        self.write("rom/clips.gltf", json.dumps(everything()))
        self.ember("build", "rom", "--no-cache", "-q", "-o", "all.ewz")
        return ("motion.fbx", "rtda", "all.ewz", "all.gltf", "all.glb", "clips.json", "clips.glb", "motion.bvh", "box.obj", "clip.ewzanim", "clip.eza", "clips.animbin", "clips.ewzlean", "bones.ewzskel", "box.ewzmesh")

    def convert(self, source, target):
        """Where it went and what was said. A target for one clip or mesh takes the first."""
        words = ["convert", source, "-o", "out." + target]
        self.first = False
        result = self.run_ember(*words)
        if result.returncode != 0 and b"--clip" in result.stderr:
            result = self.run_ember(*words, "--clip", "0")
            self.first = True
        return result.returncode, result.stderr.decode().splitlines()

    def test_what_is_lost_is_said(self):
        rows, lost, repeated = [], [], []
        for source in self.sources():
            before, seconds = self.features(source)
            cells = []
            for target in TARGETS:
                code, lines = self.convert(source, target)
                said = "\n".join(lines)
                repeated += [(source, target, line) for line in set(lines) if lines.count(line) > 1]
                if code != 0:
                    self.assertEqual(len([line for line in lines if not re.search("warning|not kept|brought to|left out", line)]), 1, (source, target, lines))
                    cells.append("refused")
                    continue
                after, seconds_after = self.features("out." + target)
                gone = sorted(before - after)
                whole_time = [second for second in seconds if second][:1] if self.first else seconds  # of the clip that was chosen
                if seconds_after and whole_time and max(seconds_after) < max(whole_time) - 0.06:
                    gone.append("duration")
                whole = re.search(r"clips? (is|are) not stored", said) is not None
                silent = [feature for feature in gone if re.search(WORDS[feature], said) is None and not (whole and feature in OF_CLIPS)]
                lost += [(source, target, feature, lines) for feature in silent]
                cells.append("%d+ %ds" % (len(before & after), len(gone)) + "!" * len(silent))
                os.remove(self.path("out." + target))
            rows.append([source] + cells)
        print("what survives (+), what is said to be lost (s), and what is lost without a word (!)")
        for row in [["", *TARGETS]] + rows:
            print("  ".join("%-13s" % cell for cell in row))
        self.assertEqual(lost, [], "\n".join(map(str, lost)))
        self.assertEqual(repeated, [])


if __name__ == "__main__":
    testing.main()
