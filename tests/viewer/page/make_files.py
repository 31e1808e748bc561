# SPDX-License-Identifier: MIT
"""make_files.py BUILD OUT: the files that the page's tests open, one of each kind, and broken ones; all made by the project itself."""

import json
import os
import shutil
import struct
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "helpers"))
import fbx_make  # noqa: E402
import ff7_model_packs as model_packs  # noqa: E402
import ff7_reference as reference  # noqa: E402
import roms  # noqa: E402
from fbx_scene import Element, Layer, Material, Mesh, Node, Scene, Take, Texture, line  # noqa: E402

BVH = """HIERARCHY
ROOT hips
{
    OFFSET 0 0 0
    CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
    JOINT spine
    {
        OFFSET 0 2 0
        CHANNELS 3 Zrotation Xrotation Yrotation
        JOINT head
        {
            OFFSET 0 3 0
            CHANNELS 3 Zrotation Xrotation Yrotation
            End Site
            {
                OFFSET 0 1 0
            }
        }
    }
}
MOTION
Frames: 3
Frame Time: 0.0333333
0 1 0 0 0 0 10 0 0 0 5 0
0 1.1 0 5 0 0 20 0 0 0 10 0
0 1.2 0 10 0 0 30 5 0 0 15 0
"""


def split_glb(glb):
    """The document and its bytes as two files."""
    size = struct.unpack_from("<I", glb, 12)[0]
    document = json.loads(glb[20:20 + size])
    rest = glb[20 + size:]
    document["buffers"][0]["uri"] = "walker-bytes.bin"
    return json.dumps(document), rest[8:8 + struct.unpack_from("<I", rest)[0]]


def with_mesh(glb):
    """The same with a triangle that all of its bones' first one moves."""
    size = struct.unpack_from("<I", glb, 12)[0]
    document = json.loads(glb[20:20 + size])
    data = glb[28 + size:]
    data += bytes(-len(data) % 4)
    document["bufferViews"].append({"buffer": 0, "byteOffset": len(data), "byteLength": 36})
    document["accessors"].append({"bufferView": len(document["bufferViews"]) - 1, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 0]})
    document["meshes"] = [{"primitives": [{"attributes": {"POSITION": len(document["accessors"]) - 1}}]}]
    document["nodes"][document["scenes"][0]["nodes"][0]]["mesh"] = 0
    data += struct.pack("<9f", 0, 0, 0, 1, 0, 0, 0, 1, 0)
    document["buffers"][0]["byteLength"] = len(data)
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    return struct.pack("<4sII", b"glTF", 2, 28 + len(text) + len(data)) + struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(data), b"BIN\0") + data


def fbx_scene():
    """A bone that sways for a second, with a square on it whose image is elsewhere on the artist's machine, in other letters."""
    hips = Node("hips")
    spine = Node("spine", hips, t=(0.0, 1.0, 0.0))
    square = Node("square", spine, "Mesh")
    corners = [(-0.5, 0.0, 0.0), (0.5, 0.0, 0.0), (0.5, 1.0, 0.0), (-0.5, 1.0, 0.0)]
    mesh = Mesh(square, corners, [[0, 1, 2, 3]], uvs=Element([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)]), materials=[0])
    skin = Material("skin", [square], (1.0, 1.0, 1.0), 1.0, Texture("skin", "..\\maps\\SKIN.PNG", "C:\\art\\maps\\SKIN.PNG"))
    sway = Take("sway", [Layer({(spine, "r"): [0.0, 0.0, line([(0.0, -40.0), (1.0, 40.0)])]})])
    return Scene([hips, spine, square], [sway], [mesh], [skin])


def main(build, out):
    ember = os.path.abspath(os.path.join(build, "ember"))
    shutil.rmtree(out, ignore_errors=True)
    os.makedirs(os.path.join(out, "assets"))

    def write(name, data):
        with open(os.path.join(out, name), "wb") as file:
            file.write(data if isinstance(data, bytes) else data.encode())

    def read(name):
        with open(os.path.join(out, name), "rb") as file:
            return file.read()

    def run(*words):
        subprocess.run([ember, *words], cwd=out, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    subprocess.run([os.path.abspath(os.path.join(build, "bin", "demo-character")), os.path.abspath(os.path.join(out, "walker.json"))], check=True, stdout=subprocess.DEVNULL)
    run("convert", "walker.json", "-o", "walker.glb")
    run("convert", "walker.json", "--clip", "walk", "-o", "walk.ewzanim")
    run("convert", "walker.json", "--clip", "run", "-o", "run.ewzanim")
    run("convert", "walker.json", "--clip", "walk", "-o", "walk.eza")
    run("convert", "walker.json", "-o", "walker.animbin")
    run("export", "skeleton", "walker.glb", "-o", "walker.ewzskel")
    document, data = split_glb(read("walker.glb"))
    write("walker-parts.gltf", document)
    write("walker-bytes.bin", data)
    write("person.bvh", BVH)
    write("box.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 3 4\nf 1 4 2\nf 2 4 3\n")
    write("model.fbx", fbx_make.binary(fbx_scene(), compress=True))
    write("skin.png", roms.png((200, 20, 20)))
    write("rtda", model_packs.model_pack()[1])
    write("rtaa", reference.skeleton_file(model_packs.BONES, model_packs.CLIPS, 1, model_packs.CLIPS))
    shutil.copy(os.path.join(out, "walker.glb"), os.path.join(out, "assets"))
    run("build", "assets", "-o", "walker.ewz")
    os.makedirs(os.path.join(out, "other"))
    run("convert", "walker.json", "--clip", "walk", "--space", "local", "-o", "other/walk.ewzanim")
    # As many bones as the walker's, but others, and with a mesh.
    stick = json.loads(read("walker.json"))
    for i, bone in enumerate(stick["bones"]):
        bone.update(name="stick_%d" % i, parent=i - 1, rest=[0, 0, 0, 1, 0, 30, 0, 1, 1, 1])
    write("stick.json", json.dumps(stick))
    run("convert", "stick.json", "-o", "stick.glb")
    write("stick.glb", with_mesh(read("stick.glb")))
    robot = os.path.join(build, "games", "robot.ewz")
    if os.path.exists(robot):
        shutil.copy(robot, os.path.join(out, "robot.ewz"))

    write("empty.ewzanim", b"")
    write("short.ewzanim", read("walk.ewzanim")[:1000])
    write("long.eza", read("walk.eza") + b"x")
    write("short.glb", read("walker.glb")[:5000])
    write("comma.json", '{"format": "ember-clip",\n "version": 1,, }')
    write("twice.json", '{"format": "ember-clip", "version": 1, "version": 2}')
    write("surrogate.json", '{"format": "ember-clip", "a": "\\ud800"}')
    write("huge.json", '{"format": "ember-clip", "version": 1e999}')
    write("utf8.json", b'{"format": "ember-clip", "\xff": 1}')
    write("deep.json", '{"format": "ember-clip", "version": 1, "bones": ' + "[" * 5000)
    write("wrong.json", '{"format": "ember-clip", "version": 1, "bones": [{"name": "a", "parent": 7}], "clips": []}')
    write("comma.gltf", '{"asset": {"version": "2.0"},, "scenes": []}')
    write("alone.gltf", document.replace("walker-bytes.bin", "gone.bin"))
    write("short.bvh", BVH[:300])
    write("what.dat", bytes(range(256)))
    rom = bytearray(read("walker.ewz"))
    rom[40] ^= 0xFF
    write("damaged.ewz", bytes(rom))
    write("short.fbx", read("model.fbx")[:900])


if __name__ == "__main__":
    main(*sys.argv[1:])
