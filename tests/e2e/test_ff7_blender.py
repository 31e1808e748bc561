# SPDX-License-Identifier: MIT
"""Blender opens the glb of a generated pack with a skeleton: bones are where the game's composition has them, within a thousandth of the
model's size, upright; and what it exports again goes back into the pack, of which nothing has changed."""

import json
import os
import shutil
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
import ff7_model_packs as model_packs
import ff7_reference as reference
import testing

LIMIT = 1e-3


class Blender(testing.Case):
    def setUp(self):
        super().setUp()
        model_packs.give(self, 7)
        self.ember("convert", "-q", "rtda", "--skeleton", "rtaa", "-o", "cloud.glb")

    def test_bones_are_where_the_game_has_them(self):
        script = os.path.join(HERE, "blender_bones.py")
        testing.blender(self.folder, script, self.path("bones.json"), "15", self.path("cloud.glb"))
        read = json.loads(self.read("bones.json"))[self.path("cloud.glb")]
        self.assertEqual(len(read), 3)
        worst, compared = 0.0, 0
        for poses, index in zip(read, (0, 1, 3)):
            body, weapon = self.clips[index], self.clips[index + 4]
            for frame, bones in poses.items():
                at, hand = min(int(frame), len(body["positions"]) - 1), min(int(frame), len(weapon["positions"]) - 1)
                position = body["positions"][at]
                wanted = reference.heads(model_packs.BONES, position, body["rotations"][at])
                wanted = [[position[0], -position[1], -position[2]]] + wanted
                held = weapon["positions"][hand]
                wanted.append([held[0], -held[1], -held[2]])
                size = max(max(p[i] for p in wanted) - min(p[i] for p in wanted) for i in range(3))
                for node, (x, y, z) in enumerate(wanted, 1):
                    seen = [row[3] for row in bones[str(node)][:3]]
                    worst = max(worst, max(abs(a - b) for a, b in zip(seen, (x, -z, y))) / size)
                    compared += 1
        print("%d bone heads, off by at most %.2g of the size" % (compared, worst))
        self.assertGreater(compared, 60)
        self.assertLess(worst, LIMIT)

    def test_what_blender_exports_goes_back_unchanged(self):
        testing.blender(self.folder, os.path.join(HERE, "blender_back.py"), self.path("cloud.glb"), self.path("back.glb"))
        result = self.ember("convert", "back.glb", "--base", "rtda", "-o", "outda", "--to", "ff7")
        print(result.stderr.decode())
        self.assertEqual(model_packs.changed(self.data, self.read("outda")), [])
        self.assertEqual(self.read("outda"), self.data)


if __name__ == "__main__":
    if shutil.which("blender") is None:
        testing.skip("Blender is not installed")
    testing.main()
