# SPDX-License-Identifier: MIT
"""A real character, skinned and with parts on bones, plays all of its clips from one ROM. Needs EMBER_CORPUS."""

import json
import os
import shutil
import sys

import pictures
import testing

PARADE = KNIGHT = None


class Knight(testing.Case):
    def test_the_knight_plays_all_its_clips(self):
        os.mkdir(self.path("assets"))
        shutil.copy(KNIGHT, self.path("assets/knight.glb"))
        shutil.copy(PARADE, self.path("assets/game.wasm"))
        self.ember("build", "assets", "-q", "-o", "first.ewz")
        rom = json.loads(self.ember("info", "--format", "json", "first.ewz").stdout)["files"][0]
        meshes = [entry["id"] for entry in rom["entries"] if entry["kind"] == "mesh"]
        clips = [entry["name"] for entry in rom["clips"]]
        frames = [entry["frame_count"] for entry in rom["clips"]]
        self.assertEqual(len(clips), 76)
        self.assertEqual(sum(1 for entry in rom["entries"] if "rigid on bone" in entry["what"]), 9)
        self.write("assets/parade.txt", "\n".join(["knight"] + meshes + [""] + clips))
        self.ember("build", "assets", "-q", "-o", "knight.ewz")
        # To the end of the last clip, which is the first one's beginning again.
        total = sum(frames)
        self.ember("run", "knight.ewz", "--headless", "--frames", str(total - 1), "-q", "--screenshot", "end.png", "--size", "320x180")
        self.ember("run", "knight.ewz", "--headless", "--frames", str(2 * total), "-q", "--screenshot", "again.png", "--size", "320x180")
        self.ember("run", "knight.ewz", "--headless", "--frames", str(total), "-q", "--screenshot", "begin.png", "--size", "320x180")
        self.assertEqual(self.read("begin.png"), self.read("again.png"))
        self.assertNotEqual(self.read("begin.png"), self.read("end.png"))
        picture = pictures.png(self.read("begin.png"))
        # Steel, skin and the red cape; nothing at the edges: no part flies off.
        self.assertGreater(picture.count(lambda r, g, b: 70 < r < 200 and abs(r - g) < 22 and abs(g - b) < 22), 1500)
        self.assertGreater(picture.count(lambda r, g, b: r > 170 and 90 < g < 190 and 60 < b < 160), 40)
        # Lean by default, and played alike by every engine, rolled back eight frames each time.
        self.assertEqual({clip["squeezed"] for clip in rom["clips"]}, {"lean"})
        self.assertLess(max(clip["max_error"] for clip in rom["clips"]), 0.0004)
        said = {self.ember("run", "knight.ewz", "--headless", "--frames", "300", "--synctest", "8", "--engine", engine).stdout for engine in ("interp", "object")}
        self.assertEqual(len(said), 1, said)
        for box in ((0, 0, 320, 3), (0, 0, 40, 180), (280, 0, 320, 180)):
            self.assertEqual(picture.count(lambda r, g, b: (r, g, b) != (0x30, 0x48, 0x5A), box), 0)


if __name__ == "__main__":
    PARADE = os.path.abspath(sys.argv.pop(2))
    KNIGHT = os.path.join(os.environ.get("EMBER_CORPUS", ""), "gltf", "Knight.glb")
    if not os.path.exists(KNIGHT):
        testing.skip("EMBER_CORPUS does not name a folder with the knight")
    testing.main()
