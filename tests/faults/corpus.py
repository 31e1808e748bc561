# SPDX-License-Identifier: MIT
"""One small file of every format, made by the project itself: what the faults are replayed over."""

import json
import os
import struct
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(1, os.path.join(HERE, "..", "helpers"))

import ff7_model_packs as model_packs
import ff7_reference as ff7
from fbx_bytes import Binary
from fbx_make import make as make_fbx
from fbx_scene import Layer, Node, Scene, Take, line, seconds
import roms
import testing

BVH = """HIERARCHY
ROOT hip
{
  OFFSET 0 1 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT knee
  {
    OFFSET 0 -0.5 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET 0 -0.5 0
    }
  }
}
MOTION
Frames: 3
Frame Time: 0.0333333
0 1 0 0 0 0 0 0 0
0 1.1 0 5 0 0 10 0 0
0 1 0.2 0 5 0 20 0 0
"""

OBJ = "o body\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nvt 0 0\nvn 0 0 1\nf 1/1/1 2/1/1 4/1/1 3/1/1\n"


def clips():
    """Three bones in a chain, two clips, a marker."""
    bones = [("hip", -1, testing.IDENTITY), ("knee", 0, testing.turn(0, 0, (0, -0.5, 0))), ("foot", 1, testing.turn(0, 0, (0, -0.5, 0)))]

    def frames(count):
        return [[testing.turn(2, 3.0 * i, (0, 1, 0.1 * i)), testing.turn(0, 5.0 * i, (0, -0.5, 0)), testing.turn(0, -4.0 * i, (0, -0.5, 0))] for i in range(count)]

    return testing.document(bones, [{"name": "walk", "frames": frames(4), "markers": [{"name": "step", "frame": 2}]}, {"name": "run", "frames": frames(3), "loop": True}])


def limbs():
    """Two limbs that swing, as FBX."""
    hip = Node("hip")
    knee = Node("knee", hip, t=(0.0, -0.5, 0.0))
    curves = {(node, "r"): [line([(0, 0.0), (0.1, 15.0)]), 0.0, line([(0, 0.0), (0.1, 6.0)])] for node in (hip, knee)}
    return make_fbx(Scene([hip, knee], [Take("swing", [Layer(curves)], 0, seconds(0.1))]), Binary(7500, compress=True))


def make(folder, ember):
    """Fills the folder. The names of the files that this build cannot make are returned."""
    def put(name, data):
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(data if isinstance(data, bytes) else data.encode())

    def run(*words):
        subprocess.run([os.path.abspath(ember), *words], cwd=folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    _, pack = model_packs.model_pack()
    text, binary = roms.triangle(buffer="body.bin", image=roms.png((200, 100, 50)))
    put("a.json", clips())
    put("a.bvh", BVH)
    put("a.obj", OBJ)
    put("rtda", pack)
    put("rtaa", ff7.skeleton_file(model_packs.BONES, model_packs.CLIPS, 1, model_packs.CLIPS))
    put("body.gltf", text)
    put("body.bin", binary)
    put("a.fbx", limbs())
    run("convert", "a.json", "-o", "a.glb")
    run("convert", "a.json", "-o", "a.gltf")
    run("convert", "a.json", "-o", "a.animbin")
    run("convert", "a.json", "--clip", "walk", "-o", "a.ewzanim")
    run("convert", "a.json", "--clip", "walk", "-o", "a.eza")
    run("convert", "a.json", "-o", "a.ewzlean")
    run("export", "skeleton", "a.glb", "-o", "a.ewzskel")
    run("export", "mesh", "body.gltf", "-o", "body.ewzmesh")
    put("assets/game.wasm", roms.WASM)
    put("assets/texture.png", roms.png((1, 2, 3)))
    put("assets/table.dat", bytes(range(64)))
    put("assets/ember.json", json.dumps({"title": "Faults"}))
    for name in ("a.glb", "body.gltf", "body.bin", "a.ewzanim", "a.ewzskel", "body.ewzmesh"):
        with open(os.path.join(folder, name), "rb") as file:
            put("assets/" + name.replace("a.ewz", "b.ewz").replace("body.ewz", "bodies.ewz"), file.read())
    run("build", "assets", "-o", "a.ewz", "--no-cache")
    try:
        run("info", "a.fbx")
    except subprocess.CalledProcessError:
        os.remove(os.path.join(folder, "a.fbx"))
        return ["a.fbx"]
    return []
