# SPDX-License-Identifier: MIT
"""`ember export`: animations, skeletons and meshes of model files; values that are known beforehand, choices, and refusals."""

import base64
import json
import math
import os
import struct

import testing
from testing import decode_record

# Two joints, the second 2 above the first; 60 frames a second, the root goes along x by 0.5 a frame, the child turns about z by 1 degree.
BVH = """HIERARCHY
ROOT hips
{
  OFFSET 0 1 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT head
  {
    OFFSET 0 2 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET 0 1 0
    }
  }
}
MOTION
Frames: %d
Frame Time: 0.0166667
"""

OBJ = """o square
v 0 0 0
v 1 0 0
v 1 1 0
v 0 1 0
f 1 2 3 4
"""


def bvh(frames):
    return BVH % frames + "".join("%g 1 0 0 0 0 %g 0 0\n" % (i * 0.5, i) for i in range(frames))


def ewz(data):
    bones, flags, frames = struct.unpack("<BBH", data[:4])
    assert flags == 0 and len(data) == 4 + bones * frames * 16
    return [[decode_record(data[4 + 16 * (f * bones + b):][:16]) for b in range(bones)] for f in range(frames)]


def arm():
    """A triangle on a node that goes from x = 0 to x = 1 in a second."""
    buffer = struct.pack("<9f3H2x2f6f", 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 2, 0, 1, 0, 0, 0, 1, 0, 0)
    document = {
        "asset": {"version": "2.0"}, "nodes": [{"name": "arm", "children": [1]}, {"name": "sword", "mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 0]},
                      {"bufferView": 1, "componentType": 5123, "count": 3, "type": "SCALAR"},
                      {"bufferView": 2, "componentType": 5126, "count": 2, "type": "SCALAR", "min": [0], "max": [1]},
                      {"bufferView": 3, "componentType": 5126, "count": 2, "type": "VEC3"}],
        "bufferViews": [{"buffer": 0, "byteOffset": a, "byteLength": b} for a, b in ((0, 36), (36, 6), (44, 8), (52, 24))],
        "buffers": [{"byteLength": len(buffer), "uri": "data:application/octet-stream;base64," + base64.b64encode(buffer).decode()}],
        "animations": [{"channels": [{"sampler": 0, "target": {"node": 0, "path": "translation"}}], "samplers": [{"input": 2, "output": 3}]}]}
    return json.dumps(document)


class Export(testing.Case):
    def setUp(self):
        super().setUp()
        self.write("walk.bvh", bvh(9))
        self.write("square.obj", OBJ)

    def test_animation_is_sampled_at_30_in_model_space(self):
        result = self.ember("export", "animation", "walk.bvh", "-o", "walk.ewzanim")
        self.assertIn("walk.ewzanim  2 bones × 5 frames  164 B  max error", result.stderr.decode())
        frames = ewz(self.read("walk.ewzanim"))
        self.assertEqual(len(frames), 5)
        for i, (hips, head) in enumerate(frames):
            self.assertAlmostEqual(hips[4], i, places=2)
            self.assertAlmostEqual(head[4], i, places=2)
            self.assertAlmostEqual(head[5], 3, places=2)  # 1 and 2 above: model space
            self.assertAlmostEqual(2 * math.degrees(math.asin(head[2])), 2 * i, delta=0.28)

    def test_space_and_rate(self):
        self.ember("export", "animation", "walk.bvh", "-o", "local.ewzanim", "--space", "local", "--frame-rate", "source")
        frames = ewz(self.read("local.ewzanim"))
        self.assertEqual(len(frames), 9)
        self.assertAlmostEqual(frames[8][1][5], 2, places=2)
        self.assertAlmostEqual(frames[8][0][4], 4, places=2)
        self.ember("export", "animation", "walk.bvh", "-o", "slow.ewzanim", "--frame-rate", "15")
        self.assertEqual(len(ewz(self.read("slow.ewzanim"))), 3)

    def test_range(self):
        self.ember("export", "animation", "walk.bvh", "-o", "part.ewzanim", "--frame-rate", "source", "--range", "0.05:0.1")
        frames = ewz(self.read("part.ewzanim"))
        self.assertEqual([round(hips[4], 2) for hips, _ in frames], [1.5, 2.0, 2.5, 3.0])  # frames 3 to 6
        self.ember("export", "animation", "walk.bvh", "-o", "rest.ewzanim", "--frame-rate", "source", "--range", "0.1:")
        self.assertEqual(len(ewz(self.read("rest.ewzanim"))), 3)
        line = self.one_line(self.ember("export", "animation", "walk.bvh", "-o", "x.ewzanim", "--range", "7:8", code=1))
        self.assertIn("ends before --range begins", line)

    def test_a_range_that_loops_says_so(self):
        self.ember("export", "animation", "walk.bvh", "-o", "part.json", "--to", "json", "--range", "0:0.1", "--loop")
        self.assertTrue(self.read_json("part.json")["clips"][0]["loop"])

    def test_animations_that_are_not_asked_for_are_not_sampled(self):
        document = json.loads(arm())
        document["animations"].append(json.loads(json.dumps(document["animations"][0])))
        for index, name in enumerate(("short", "long")):
            document["animations"][index]["name"] = name
        times = struct.pack("<2f", 0, 1e6)
        document["buffers"].append({"byteLength": 8, "uri": "data:application/octet-stream;base64," + base64.b64encode(times).decode()})
        document["bufferViews"].append({"buffer": 1, "byteLength": 8})
        document["accessors"].append({"bufferView": 4, "componentType": 5126, "count": 2, "type": "SCALAR", "min": [0], "max": [1e6]})
        document["animations"][1]["samplers"][0]["input"] = 4
        self.write("arm.gltf", json.dumps(document))
        for words in (("animation", "--animation", "short"), ("animation",), ("skeleton",)):
            self.ember("export", words[0], "arm.gltf", "-o", "out.bin", "--to", "ewzskel" if words[0] == "skeleton" else "ewzanim", *words[1:])
        self.ember("convert", "arm.gltf", "--clip", "short", "-o", "out.json")
        self.assertEqual([clip["name"] for clip in self.read_json("out.json")["clips"]], ["short"])
        for words in (("export", "animation", "arm.gltf", "--animation", "long", "-o", "out.ewzanim"), ("convert", "arm.gltf", "-o", "out.json")):
            self.assertIn("30000001 frames (1e+06 s), at most 1048576", self.one_line(self.ember(*words, code=1)))

    def test_either_end_of_the_range_may_be_left_out(self):
        self.write("arm.gltf", arm())
        for words, count, first, last in (("0.5:", 16, 0.5, 1), (":0.5", 16, 0, 0.5), (":", 31, 0, 1)):
            self.ember("export", "animation", "arm.gltf", "-o", "part.ewzanim", "--range", words)
            frames = ewz(self.read("part.ewzanim"))
            self.assertEqual((len(frames), round(frames[0][0][4], 2), round(frames[-1][0][4], 2)), (count, first, last), words)
        self.ember("export", "animation", "walk.bvh", "-o", "part.ewzanim", "--frame-rate", "source", "--range", ":")
        self.assertEqual(len(ewz(self.read("part.ewzanim"))), 9)

    def test_files_in_a_folder_are_named_after_what_is_in_them(self):
        self.ember("export", "mesh", "square.obj", "-o", "out/")
        self.ember("export", "skeleton", "walk.bvh", "-o", "out/")
        self.ember("export", "skeleton", "walk.bvh", "-o", "bones_{clip}.ewzskel")
        self.assertEqual(self.files(), ["bones_walk.ewzskel", "out/square.ewzmesh", "out/walk.ewzskel", "square.obj", "walk.bvh"])

    def test_scale(self):
        self.ember("export", "animation", "walk.bvh", "-o", "small.ewzanim", "--scale", "0.5")
        self.assertAlmostEqual(ewz(self.read("small.ewzanim"))[4][1][5], 1.5, places=2)

    def test_list(self):
        rows = [line.split() for line in self.ember("export", "animation", "walk.bvh", "--list").stdout.decode().splitlines()]
        self.assertEqual(rows, [["#", "animation", "frames", "bones", "fps", "seconds"], ["0", "walk", "5", "2", "30", "0.13"]])
        self.assertEqual(self.files(), ["square.obj", "walk.bvh"])

    def test_all_goes_into_names_with_clip(self):
        self.ember("export", "animation", "walk.bvh", "--all", "-o", "out_{clip}.ewzanim")
        self.assertIn("out_walk.ewzanim", self.files())

    def test_error_report(self):
        self.ember("export", "animation", "walk.bvh", "-o", "walk.ewzanim", "--error-report", "report.json")
        report = self.read_json("report.json")
        (row,) = report["clips"]
        self.assertEqual((row["clip"], row["file"], row["bones"], row["frames"], row["bytes"], row["space"]),
                         ("walk", "walk.ewzanim", 2, 5, 164, "model"))
        self.assertTrue(0 < row["mean_error"] <= row["max_error"] < 0.05)

    def test_a_report_does_not_overwrite_other_files(self):
        before = self.read("walk.bvh")
        for report, out in (("x.ewzanim", "x.ewzanim"), ("walk.bvh", "x.ewzanim")):
            line = self.one_line(self.ember("export", "animation", "walk.bvh", "-o", out, "--error-report", report, code=2))
            self.assertIn("--error-report would overwrite '%s'" % report, line)
        self.assertIn("would overwrite '-'", self.one_line(self.ember("export", "animation", "walk.bvh", "-o", "-", "--to", "ewzanim",
                                                                      "--error-report", "-", code=2)))
        self.assertEqual(self.files(), ["square.obj", "walk.bvh"])
        self.assertEqual(self.read("walk.bvh"), before)

    def test_options_of_another_kind_are_refused(self):
        for kind, words, owner in (("mesh", ["--all"], "animation"), ("skeleton", ["--range", "0:1"], "animation"),
                                   ("animation", ["--unpacked"], "mesh"), ("skeleton", ["--mesh", "0"], "mesh"),
                                   ("skeleton", ["--list"], "animation and mesh")):
            line = self.one_line(self.ember("export", kind, "walk.bvh", "-o", "out/", *words, code=2))
            self.assertIn("%s is for export %s" % (words[0], owner), line)
        self.assertEqual(self.files(), ["square.obj", "walk.bvh"])

    def test_a_small_file_does_not_become_a_large_clip(self):
        """Two frames 60,000 s apart would be 1.8 million frames of two bones, 144 MB, out of a few hundred bytes."""
        self.write("slow.bvh", bvh(2).replace("0.0166667", "60000"))
        line = self.one_line(self.ember("export", "animation", "slow.bvh", "-o", "slow.ewzanim", code=1))
        self.assertRegex(line, "slow: 1800001 frames at 30 a second, too many for a file of [0-9]+ bytes")
        self.ember("export", "animation", "slow.bvh", "-o", "slow.ewzanim", "--frame-rate", "source")
        self.assertEqual(len(ewz(self.read("slow.ewzanim"))), 2)

    def test_the_same_as_ember_export(self):
        alias = os.path.join(os.path.dirname(testing.EMBER), "ember-export")
        self.ember("export", "animation", "walk.bvh", "-o", "a.ewzanim")
        command, testing.EMBER = testing.EMBER, alias
        try:
            self.ember("animation", "walk.bvh", "-o", "b.ewzanim")
        finally:
            testing.EMBER = command
        self.assertEqual(self.read("a.ewzanim"), self.read("b.ewzanim"))

    def test_skeleton(self):
        self.ember("export", "skeleton", "walk.bvh", "-o", "walk.ewzskel")
        data = self.read("walk.ewzskel")
        self.assertEqual(struct.unpack("<I", data[:4])[0], 2)
        info = json.loads(self.ember("info", "--format", "json", "--bones", "walk.ewzskel").stdout)
        self.assertIn("hips", json.dumps(info))

    def test_clips_on_another_files_bones(self):
        self.ember("export", "skeleton", "walk.bvh", "-o", "two.ewzskel")
        result = self.ember("export", "animation", "walk.bvh", "--skeleton", "two.ewzskel", "-v", "-o", "on.ewzanim")
        self.assertIn("bone 1 is the skeleton's 1", result.stderr.decode())
        self.write("other.bvh", bvh(3).replace("JOINT head", "JOINT skull"))
        line = self.one_line(self.ember("export", "animation", "other.bvh", "--skeleton", "two.ewzskel", "-o", "no.ewzanim", code=1))
        self.assertIn("the skeleton has none called: skull", line)
        self.ember("export", "mesh", "square.obj", "-o", "square.ewzmesh")
        line = self.one_line(self.ember("export", "animation", "walk.bvh", "--skeleton", "square.ewzmesh", "-o", "no.ewzanim", code=1))
        self.assertIn("square.ewzmesh: there are no bones with names in it", line)
        self.assertNotIn("no.ewzanim", self.files())

    def test_mesh(self):
        self.ember("export", "mesh", "square.obj", "-o", "square.ewzmesh")
        vertices, indices = struct.unpack("<II", self.read("square.ewzmesh")[:8])
        self.assertEqual((vertices, indices), (4, 6))
        self.ember("export", "mesh", "square.obj", "-o", "floats.ewzmesh", "--unpacked")
        self.assertEqual(len(self.read("floats.ewzmesh")), 12 + 4 * 12 + 6 * 2)
        rows = self.ember("export", "mesh", "square.obj", "--list").stdout.decode().splitlines()
        self.assertEqual(rows[1].split(), ["0", "square", "4", "2", "static"])

    def test_a_rigid_mesh_says_what_it_saves(self):
        """A box of 3 vertices on a moving node: without joints and weights, 8 bytes a vertex, or 20 as floats, are saved."""
        self.write("arm.gltf", arm())
        said = self.ember("export", "mesh", "arm.gltf", "-o", "sword.ewzmesh").stderr.decode()
        self.assertIn("sword.ewzmesh  3 vertices, 1 triangle, rigid on arm: 24 B less than skinned", said)
        said = self.ember("export", "mesh", "arm.gltf", "-o", "sword.ewzmesh", "--unpacked").stderr.decode()
        self.assertIn("rigid on arm: 60 B less than skinned", said)
        plain = len(self.read("sword.ewzmesh"))
        said = self.ember("export", "mesh", "arm.gltf", "-o", "sword.ewzmesh", "--unpacked", "--skinned").stderr.decode()
        self.assertNotIn("less than skinned", said)
        self.assertEqual(len(self.read("sword.ewzmesh")) - plain, 60)

    def test_the_t_pose_is_kept_or_dropped(self):
        self.ember("export", "animation", "walk.bvh", "--frame-rate", "source", "-o", "a.ewzanim")
        self.ember("export", "animation", "walk.bvh", "--frame-rate", "source", "--tpose", "keep", "-o", "b.ewzanim")
        self.assertEqual(self.read("a.ewzanim"), self.read("b.ewzanim"))
        self.assertIn("--tpose is keep or drop, not 'cut'",
                      self.one_line(self.ember("export", "animation", "walk.bvh", "--tpose", "cut", "-o", "c.ewzanim", code=2)))

    def test_obj_has_no_animation(self):
        line = self.one_line(self.ember("export", "animation", "square.obj", "-o", "x.ewzanim", code=1))
        self.assertIn("no animations in it: OBJ holds meshes only", line)

    def test_refusals(self):
        self.assertIn("animation, skeleton or mesh, not 'sound'", self.one_line(self.ember("export", "sound", "walk.bvh", "-o", "x", code=2)))
        self.assertIn("no animation matches 'run'",
                      self.one_line(self.ember("export", "animation", "walk.bvh", "--animation", "run", "-o", "x.ewzanim", code=1)))
        self.assertIn("--range is a:b", self.one_line(self.ember("export", "animation", "walk.bvh", "--range", "2:1", "-o", "x.ewzanim", code=2)))
        self.assertIn("ending in .ewzskel", self.one_line(self.ember("export", "skeleton", "walk.bvh", "-o", "x.json", code=2)))
        self.assertIn("there are no meshes in it", self.one_line(self.ember("export", "mesh", "walk.bvh", "-o", "x.ewzmesh", code=1)))
        self.ember("export", "animation", "nothing.glb", "-o", "x.ewzanim", code=1)
        self.assertEqual(self.files(), ["square.obj", "walk.bvh"])


if __name__ == "__main__":
    testing.main()
