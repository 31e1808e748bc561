# SPDX-License-Identifier: MIT
"""The files that the docs' commands speak of, made from nothing: a hero with a body, clips, battle packs, a small model for the PlayStation, a game."""

import json
import math
import os
import pathlib
import random
import shutil
import struct
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "helpers"))

import ff7_model_packs as model_packs  # noqa: E402
import ff7_reference as reference  # noqa: E402
from testing import document, turn  # noqa: E402

GAME = """#include "ember_game.h"
static uint32_t mesh, clip;
GAME_EXPORT(init)
{
    mesh = rom_mesh(GAME_ID("hero"));
    clip = rom_keyframes(GAME_ID("hero/walk"));
    skeleton_bind(rom_skeleton(GAME_ID("hero")));
}
GAME_EXPORT(render)
{
    keyframe_bind(clip, game_frame() / 2 % keyframes_frame_count(clip));
    draw_mesh(mesh);
}
"""
FACES = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]


def boxes(gltf, data, thickness=0.07):
    """positions, normals, joints, indices: a box from every joint of the first skin to each of its children, where the inverse binds say they are."""
    skin, place, positions, normals, joints, indices = gltf["skins"][0], {}, [], [], [], []
    binds = gltf["bufferViews"][gltf["accessors"][skin["inverseBindMatrices"]]["bufferView"]].get("byteOffset", 0)
    for joint, node in enumerate(skin["joints"]):
        m = struct.unpack_from("<16f", data, binds + 64 * joint)
        place[node] = [-sum(m[4 * row + k] * m[12 + k] for k in range(3)) for row in range(3)]
    for joint, node in enumerate(gltf["skins"][0]["joints"]):
        for child in gltf["nodes"][node].get("children", []) if joint else []:  # what hangs on the root stands on the ground, not in a box
            ends = list(zip(place[node], place[child]))
            sides = [(min(e) - thickness / 2, max(e) + thickness / 2) for e in ends]
            corners = [(x, y, z) for x in sides[0] for y in sides[1] for z in sides[2]]
            for axis, face in enumerate(FACES):
                indices += [len(positions) + i for i in (0, 1, 2, 0, 2, 3)]
                positions += [corners[i] for i in face]
                normals += [[(-1, 1)[axis % 2] if i == axis // 2 else 0 for i in range(3)]] * 4
                joints += [joint] * 4
    return positions, normals, joints, indices


def with_body(glb):
    """The file with a skinned mesh of boxes."""
    size = struct.unpack_from("<I", glb, 12)[0]
    gltf, data = json.loads(glb[20:20 + size]), bytearray(glb[28 + size:])
    positions, normals, joints, indices = boxes(gltf, data)
    count, axes = len(positions), list(zip(*positions))

    def accessor(values, layout, kind, component, **more):
        data.extend(b"\0" * (-len(data) % 4))
        blob = b"".join(struct.pack(layout, *v) for v in values)
        gltf["bufferViews"].append({"buffer": 0, "byteOffset": len(data), "byteLength": len(blob)})
        data.extend(blob)
        gltf["accessors"].append({"bufferView": len(gltf["bufferViews"]) - 1, "componentType": component, "count": len(values), "type": kind, **more})
        return len(gltf["accessors"]) - 1

    attributes = {"POSITION": accessor(positions, "<3f", "VEC3", 5126, min=[min(a) for a in axes], max=[max(a) for a in axes]), "NORMAL": accessor(normals, "<3f", "VEC3", 5126),
                  "JOINTS_0": accessor([(j, 0, 0, 0) for j in joints], "<4B", "VEC4", 5121), "WEIGHTS_0": accessor([(1, 0, 0, 0)] * count, "<4f", "VEC4", 5126)}
    meshes, materials = gltf.setdefault("meshes", []), gltf.setdefault("materials", [])
    materials.append({"pbrMetallicRoughness": {"baseColorFactor": [0.8, 0.45, 0.2, 1]}})
    meshes.append({"name": "body", "primitives": [{"attributes": attributes, "indices": accessor([(i,) for i in indices], "<H", "SCALAR", 5123), "material": len(materials) - 1}]})
    gltf["nodes"].append({"name": "body", "mesh": len(meshes) - 1, "skin": 0})
    gltf["scenes"][0]["nodes"].append(len(gltf["nodes"]) - 1)
    data.extend(b"\0" * (-len(data) % 4))
    gltf["buffers"][0]["byteLength"] = len(data)
    text = json.dumps(gltf).encode()
    text += b" " * (-len(text) % 4)
    return struct.pack("<4sIII4s", b"glTF", 2, 28 + len(text) + len(data), len(text), b"JSON") + text + struct.pack("<I4s", len(data), b"BIN\0") + data


def imp():
    """Thirteen bones and two clips at 60 frames a second: what a PlayStation player takes."""
    bones = [("hips", -1, turn(0, 0, (0, 0.9, 0))), ("chest", 0, turn(0, 0, (0, 0.3, 0))), ("head", 1, turn(0, 0, (0, 0.3, 0)))]
    for side, x in (("L", 0.2), ("R", -0.2)):
        base = len(bones)
        bones += [(f"arm.{side}", 1, turn(0, 0, (x, 0.2, 0))), (f"hand.{side}", base, turn(0, 0, (0, -0.45, 0))), (f"thigh.{side}", 0, turn(0, 0, (x / 2, 0, 0))),
                  (f"shin.{side}", base + 2, turn(0, 0, (0, -0.4, 0))), (f"foot.{side}", base + 3, turn(0, 0, (0, -0.4, 0)))]

    def frame(phase, swing):
        made = []
        for name, _, rest in bones:
            side = -1 if name.endswith("R") else 1
            angle = {"arm": -side * swing, "thigh": side * swing, "shin": swing / 2, "chest": swing / 8}.get(name.split(".")[0], 0) * math.sin(2 * math.pi * phase)
            made.append(turn(0, angle, rest[4:7]))
        return made

    return document(bones, [{"name": name, "fps": 60, "loop": True, "frames": [frame(i / count, swing) for i in range(count)]} for name, swing, count in (("walk", 30, 60), ("idle", 4, 90))])


def make(folder, root, build, ember):
    """All of them, in a folder that is there. `ember` is the command."""
    folder, build = pathlib.Path(folder), pathlib.Path(build)

    def run(*words):
        subprocess.run([str(w) for w in words], cwd=folder, check=True, capture_output=True, timeout=120)

    def write(name, data):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data if isinstance(data, bytes) else data.encode())

    for program in sorted(pathlib.Path(root, "examples").glob("*.c")):
        shutil.copy(program, folder)
    run(build / "bin/demo-character", "walker.json")
    shutil.copy(folder / "walker.json", folder / "hero.json")
    run(ember, "convert", "-q", "walker.json", "-o", "hero.glb")
    write("hero.glb", with_body((folder / "hero.glb").read_bytes()))
    run(ember, "convert", "-q", "walker.json", "--clip", "walk", "-o", "walk.json")
    run(ember, "convert", "-q", "hero.json", "--clip", "walk", "-o", "walk.ewzanim")
    run(ember, "convert", "-q", "hero.json", "--clip", "run", "-o", "run.ewzanim")
    shutil.copy(folder / "hero.glb", folder / "walk.glb")
    write("imp.json", imp())
    run(ember, "convert", "-q", "imp.json", "-o", "imp.glb")
    (folder / "imp.json").unlink()

    # A battle pack with its skeleton, another of the same model, and a folder of both.
    chance = random.Random(9)
    _, pack = model_packs.model_pack()
    other = [reference.write_chunk(model_packs.smooth_clip(chance, "body", 8, frames)) for frames in (5, 6)]
    bones = reference.skeleton_file(model_packs.BONES, model_packs.CLIPS, 1, model_packs.CLIPS)
    for name, data in (("rtda", pack), ("otda", struct.pack("<I", len(other)) + b"".join(other)), ("rtaa", bones), ("otaa", bones)):
        write(name, data)
        write(f"battle/{name}", data)

    # A folder of assets, and games where they can be built: one of the examples, and one for the hero.
    write("assets/hero.glb", (folder / "hero.glb").read_bytes())
    write("assets/levels/one.txt", "ground 0\n")
    if (build / "games/stamp.ewz").exists():
        shutil.copy(build / "games/stamp.ewz", folder / "game.ewz")
        write("hero.c", GAME)
        run("clang", "--target=wasm32", "-O2", "-ffreestanding", "-nostdlib", f"-I{root}/game", "-Wl,--no-entry,--stack-first,-z,stack-size=65536", "-o", "assets/game.wasm", "hero.c")
        (folder / "hero.c").unlink()
