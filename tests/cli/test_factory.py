# SPDX-License-Identifier: MIT
"""The rigid proposal's factory: ten machines of three parts, 3,000 vertices and 30 bones. What a ROM saves against the same factory skinned, part by part, and
that both draw the same."""

import json
import math
import os
import re
import shutil
import struct
import subprocess

import testing

HEADER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "game")
MACHINES, PARTS, SIDE = 10, 3, 10
BONES, VERTICES = MACHINES * PARTS, SIDE * SIDE


class Glb:
    """A document and its buffer, as they grow."""

    def __init__(self):
        self.bytes, self.views, self.accessors = b"", [], []

    def add(self, data, kind, component, count, bounds=None):
        self.views.append({"buffer": 0, "byteOffset": len(self.bytes), "byteLength": len(data)})
        self.bytes += data + b"\0" * (-len(data) % 4)
        self.accessors.append({"bufferView": len(self.views) - 1, "componentType": component, "count": count, "type": kind, **(bounds or {})})
        return len(self.accessors) - 1

    def floats(self, rows, kind):
        bounds = {"min": [min(c) for c in zip(*rows)], "max": [max(c) for c in zip(*rows)]}
        return self.add(b"".join(struct.pack("<%df" % len(row), *row) for row in rows), kind, 5126, len(rows), bounds)

    def write(self, path, document):
        document = {"asset": {"version": "2.0"}, **document, "bufferViews": self.views, "accessors": self.accessors, "buffers": [{"byteLength": len(self.bytes)}]}
        text = json.dumps(document).encode()
        text += b" " * (-len(text) % 4)
        with open(path, "wb") as file:
            file.write(struct.pack("<III", 0x46546C67, 2, 28 + len(text) + len(self.bytes)) + struct.pack("<II", len(text), 0x4E4F534A) + text
                       + struct.pack("<II", len(self.bytes), 0x004E4942) + self.bytes)


def tube():
    """Positions, normals, texture coordinates and triangles of a part."""
    rows = [(row, 2 * math.pi * column / (SIDE - 1), column) for row in range(SIDE) for column in range(SIDE)]
    corners = [row * SIDE + column for row in range(SIDE - 1) for column in range(SIDE - 1)]
    return ([[0.3 * math.cos(a), 0.1 * row, 0.3 * math.sin(a)] for row, a, _ in rows], [[math.cos(a), 0, math.sin(a)] for _, a, _ in rows],
            [[column / (SIDE - 1), row / (SIDE - 1)] for row, _, column in rows], [n for c in corners for n in (c, c + SIDE, c + SIDE + 1, c, c + SIDE + 1, c + 1)])


def factory(path, skinned):
    """Every part turns on the one below it. Rigid: one mesh, on 30 nodes. Skinned: a mesh for each part, all weights (1, 0, 0, 0), in the model's axes."""
    glb, nodes, meshes, binds = Glb(), [], [], []
    positions, normals, uvs, indices = tube()
    times = glb.floats([[i / 30] for i in range(31)], "SCALAR")
    animation = {"name": "work", "samplers": [], "channels": []}

    def mesh(moved, joints):
        attributes = {"POSITION": glb.floats([[x + moved[0], y + moved[1], z] for x, y, z in positions], "VEC3"), "NORMAL": glb.floats(normals, "VEC3"),
                      "TEXCOORD_0": glb.floats(uvs, "VEC2")}
        if joints is not None:
            attributes["JOINTS_0"] = glb.add(bytes([joints, 0, 0, 0]) * VERTICES, "VEC4", 5121, VERTICES)
            attributes["WEIGHTS_0"] = glb.floats([[1, 0, 0, 0]] * VERTICES, "VEC4")
        meshes.append({"name": "part", "primitives": [{"attributes": attributes, "indices": glb.add(struct.pack("<%dH" % len(indices), *indices), "SCALAR", 5123, len(indices))}]})
        return len(meshes) - 1

    for machine in range(MACHINES):
        for part in range(PARTS):
            number = len(nodes)
            angles = [math.radians(10 * math.sin(i / 5) * (part + 1)) / 2 for i in range(31)]
            rotations = glb.floats([[0, math.sin(a), 0, math.cos(a)] if part == 1 else [0, 0, math.sin(a), math.cos(a)] for a in angles], "VEC4")
            animation["samplers"].append({"input": times, "output": rotations})
            animation["channels"].append({"sampler": number, "target": {"node": number, "path": "rotation"}})
            nodes.append({"name": "m%dp%d" % (machine, part), "translation": [2.0 * machine, 0, 0] if part == 0 else [0, 1.0, 0]})
            if part + 1 < PARTS:
                nodes[number]["children"] = [number + 1]
            binds.append([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -2.0 * machine, -1.0 * part, 0, 1])
    roots = [machine * PARTS for machine in range(MACHINES)]
    document = {"nodes": nodes, "meshes": meshes, "animations": [animation], "scene": 0}
    if skinned:
        document["skins"] = [{"joints": list(range(BONES)), "inverseBindMatrices": glb.floats(binds, "MAT4")}]
        for number in range(BONES):
            roots.append(len(nodes))
            nodes.append({"name": "s" + nodes[number]["name"], "mesh": mesh((2.0 * (number // PARTS), 1.0 * (number % PARTS)), number), "skin": 0})
    else:
        one = mesh((0, 0), None)
        for number in range(BONES):
            nodes[number]["mesh"] = one
    glb.write(path, {**document, "scenes": [{"nodes": roots}]})


GAME = """
#include "ember_game.h"
static uint32_t meshes[30], clip;
GAME_EXPORT(init)
{
    for (uint32_t i = 0; i < 30; i++) {
        char id[] = "factory/%sm0p0";
        uint32_t size = sizeof(id) - 1;
        id[size - 3] = (char)('0' + i / 3);
        id[size - 1] = (char)('0' + i %% 3);
        meshes[i] = rom_mesh(id, size);
    }
    clip = rom_keyframes(GAME_ID("factory"));
    %s
}
GAME_EXPORT(render)
{
    static const float view[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -9, -1.5f, -12, 1};
    view_set(view);
    keyframe_bind(clip, game_frame() %% keyframes_frame_count(clip));
    for (uint32_t i = 0; i < 30; i++)
        draw_mesh(meshes[i]);
}
"""


class Factory(testing.Case):
    def build(self, name, skinned):
        os.makedirs(self.path(name))
        factory(self.path(name + "/factory.glb"), skinned)
        result = self.run_ember("build", name, "-o", name + ".ewz", "--no-cache")
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout.decode(), os.path.getsize(self.path(name + ".ewz"))

    def rows(self, table):
        return {match[0].strip(): int(match[1].replace(",", "")) for match in re.findall(r"^  ([a-z:, ]+?) {2,}.* ([\d,]+)$", table, re.M)}

    def test_a_rigid_factory_saves_what_the_table_says(self):
        rigid_table, rigid = self.build("rigid", False)
        skinned_table, skinned = self.build("skinned", True)
        # A part packed: header, 100 vertices of position 8, uv 4 and normal 4, 486 indices; then to a multiple of 16.
        part = 12 + VERTICES * 16 + 2 * 486
        part += -part % 16
        saved = {"meshes stored once": (BONES - 1) * part, "rigid: no weights": BONES * VERTICES * 8, "rigid: no inverse binds": BONES * 48}
        rows = self.rows(rigid_table)
        for what, size in saved.items():
            self.assertEqual(rows[what], size, rigid_table)
            print("%-26s %7d B" % (what, size))
        self.assertNotIn("saved", skinned_table)
        print("%-26s %7d B of %d B skinned; the proposal counts 61,920 B with plain weights" % ("the whole ROM saves", skinned - rigid, skinned))
        # The parts are all of it, but for the rest of the skeleton's entry and its row.
        self.assertGreaterEqual(skinned - rigid, sum(saved.values()))
        self.assertLess(skinned - rigid, sum(saved.values()) + 2048)
        self.assertGreater(skinned - rigid, 61920)
        self.assertEqual(self.run_ember("validate", "rigid.ewz").returncode, 0)

    def test_a_skeleton_that_is_asked_for_is_there(self):
        os.makedirs(self.path("asked"))
        factory(self.path("asked/factory.glb"), False)
        for name, text, wanted in (("ember.json", {}, False), ("ember.json", {"assets": {"factory.glb": {"skeleton": True}}}, True),
                                   ("ember.json", {"space": "local"}, True)):
            with open(self.path("asked/" + name), "w") as file:
                json.dump(text, file)
            result = self.run_ember("build", "asked", "-o", "asked.ewz")
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertEqual("skeleton" in self.run_ember("info", "asked.ewz").stdout.decode(), wanted, text)

    def test_both_draw_the_same(self):
        if not all(map(shutil.which, ("clang", "wasm-ld", "wasm2c"))):
            self.skipTest("there is no clang for games")
        pictures = {}
        for name, skinned, more in (("rigid", False, ""), ("skinned", True, 'skeleton_bind(rom_skeleton(GAME_ID("factory")));')):
            os.makedirs(self.path(name))
            factory(self.path(name + "/factory.glb"), skinned)
            with open(self.path("game.c"), "w") as file:
                file.write(GAME % ("s" if skinned else "", more))
            subprocess.run(["clang", "--target=wasm32", "-O1", "-ffreestanding", "-nostdlib", "-mbulk-memory", "-I" + HEADER, "-Wl,--no-entry,--stack-first", "-o",
                            self.path(name + "/game.wasm"), self.path("game.c")], check=True)
            self.assertEqual(self.run_ember("build", name, "-o", name + ".ewz").returncode, 0)
            result = self.run_ember("run", name + ".ewz", "--headless", "--frames", "7", "--dump-draws", name + ".json", env={"XDG_CACHE_HOME": self.path("cache")})
            self.assertEqual(result.returncode, 0, result.stderr)
            pictures[name] = json.loads(self.read(name + ".json"))["frames"][0]["draws"]
        self.assertEqual([draw["branch"] for draw in pictures["rigid"]], ["rigid"] * BONES)
        self.assertEqual([draw["bone"] for draw in pictures["rigid"]], list(range(BONES)))
        self.assertEqual([draw["branch"] for draw in pictures["skinned"]], ["skinned"] * BONES)
        self.assertEqual(len({draw["frame"] for draw in pictures["rigid"] + pictures["skinned"]}), 1)


if __name__ == "__main__":
    testing.main()
