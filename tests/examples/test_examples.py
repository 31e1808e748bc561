# SPDX-License-Identifier: MIT
"""test_examples.py EMBER EXAMPLES GLB-MAKER: every program of examples/ is short, runs, prints what plain arithmetic over the same file gives, and prints one line
where it cannot."""

import math
import os
import pathlib
import re
import struct
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(HERE.parent / "docs"))

import example_files  # noqa: E402
import testing  # noqa: E402
from gltf_sampler import from_trs, multiply, point  # noqa: E402

EXAMPLES, CHARACTER = pathlib.Path(sys.argv.pop(2)), sys.argv.pop(2)


def nlerp(a, b, t):
    sign = 1 if sum(x * y for x, y in zip(a, b)) >= 0 else -1
    mixed = [x + (sign * y - x) * t for x, y in zip(a, b)]
    length = math.sqrt(sum(x * x for x in mixed))
    return [x / length for x in mixed]


def mix(a, b, t):
    """Two poses of ten numbers a bone."""
    return [nlerp(p[:4], q[:4], t) + [x + (y - x) * t for x, y in zip(p[4:], q[4:])] for p, q in zip(a, b)]


def at(clip, time_s):
    place = time_s * clip["fps"]
    count = clip["frame_count"]
    place = place % count if clip["loop"] else min(max(place, 0), count - 1)
    frame = int(place)
    following = (frame + 1) % count if clip["loop"] else min(frame + 1, count - 1)
    return mix(clip["frames"][frame], clip["frames"][following], place - frame)


def composed(bones, pose):
    made = []
    for bone, t in zip(bones, pose):
        local = from_trs(t[4:7], t[:4], t[7:])
        made.append(local if bone["parent"] < 0 else multiply(made[bone["parent"]], local))
    return made


class Examples(testing.Case):
    def setUp(self):
        super().setUp()
        subprocess.run([CHARACTER, self.path("walker.json")], check=True, capture_output=True)
        self.ember("convert", "-q", "walker.json", "-o", "hero.glb")
        self.write("hero.glb", example_files.with_body(self.read("hero.glb")))
        self.ember("convert", "-q", "hero.glb", "-o", "hero.json")
        hero = self.read_json("hero.json")
        self.bones, self.clips = hero["bones"], {clip["name"]: clip for clip in hero["clips"]}

    def run_example(self, name, *words, code=0):
        # Short programs leave what they loaded to the end of the process, which is no leak to be found here.
        environment = {**os.environ, "ASAN_OPTIONS": "detect_leaks=0"}
        done = subprocess.run([EXAMPLES / f"example_{name}", *words], cwd=self.folder, env=environment, capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def numbers(self, text):
        return [float(n) for n in re.findall(r"-?\d+(?:\.\d+)?(?:e-?\d+)?", text)]

    def assert_near(self, got, expected, delta=6e-4):
        self.assertEqual(len(got), len(expected))
        for a, b in zip(got, expected):
            self.assertAlmostEqual(a, b, delta=delta)

    def test_every_program_is_short_and_built(self):
        sources = sorted(ROOT.glob("examples/*.c"))
        self.assertEqual({f"example_{path.stem}" for path in sources}, {name for name in os.listdir(EXAMPLES) if name.startswith("example_")})
        for path in sources:
            self.assertLess(len(path.read_text().splitlines()), 60, path.name)

    def test_the_first_program_has_15_lines_and_is_the_readme_s(self):
        lines = (ROOT / "examples/play_glb.c").read_text().splitlines()
        code = lines[next(i for i, line in enumerate(lines) if line.startswith("#include")):]
        self.assertLessEqual(len(code), 15)
        self.assertIn("```c play_glb.c\n" + "\n".join(code) + "\n```\n", (ROOT / "README.md").read_text())

    def test_the_guide_s_table_has_every_program_and_its_length(self):
        rows = dict(re.findall(r"^\| \[`(\w+\.c)`\]\(../../examples/\1\) \| (\d+) \|", (ROOT / "docs/guide/engines.md").read_text(), re.M))
        self.assertEqual({name: int(length) for name, length in rows.items()},
                         {path.name: len(path.read_text().splitlines()) for path in ROOT.glob("examples/*.c")})

    def test_play_glb(self):
        for words, clip in ((["walk"], "walk"), ([], next(iter(self.clips)))):
            done = self.run_example("play_glb", "hero.glb", *words)
            self.assert_near(self.numbers(done.stdout)[1:], at(self.clips[clip], 0.25)[0][4:7])

    def test_play_ewzanim(self):
        self.ember("convert", "-q", "hero.glb", "--clip", "walk", "-o", "walk.ewzanim")
        lines = self.run_example("play_ewzanim", "walk.ewzanim").stdout.splitlines()
        _, _, frames = struct.unpack_from("<BBH", self.read("walk.ewzanim"))
        self.assertEqual(len(lines), 2 * frames)  # 30 frames a second, twice as many pictures
        walk = self.clips["walk"]
        for i, line in enumerate(lines):
            self.assert_near(self.numbers(line)[1:], composed(self.bones, at(walk, i / 60))[0][0][3:] + [composed(self.bones, at(walk, i / 60))[0][k][3] for k in (1, 2)],
                             delta=2e-3)

    def test_play_rom(self):
        os.mkdir(self.path("assets"))
        os.rename(self.path("hero.glb"), self.path("assets/hero.glb"))
        self.ember("build", "-q", "assets", "-o", "hero.ewz")
        lines = self.run_example("play_rom", "hero.ewz", "hero/walk").stdout.splitlines()
        walk = self.clips["walk"]
        self.assertGreater(len(lines), 10)
        for i, line in enumerate(lines):
            last = composed(self.bones, at(walk, i / 60))[-1]
            self.assert_near(self.numbers(line)[1:], [last[k][3] for k in range(3)], delta=4e-3)

    def test_blend_and_skin(self):
        done = self.run_example("blend_and_skin", "hero.glb", "walk", "run")
        glb = self.read("hero.glb")
        size = struct.unpack_from("<I", glb, 12)[0]
        gltf, data = example_files.json.loads(glb[20:20 + size]), glb[28 + size:]

        def values(accessor, layout):
            view = gltf["bufferViews"][gltf["accessors"][accessor]["bufferView"]]
            return struct.unpack_from(layout, data, view.get("byteOffset", 0))

        attributes = gltf["meshes"][-1]["primitives"][0]["attributes"]
        vertex, joint = values(attributes["POSITION"], "<3f"), values(attributes["JOINTS_0"], "<4B")[0]
        skin = gltf["skins"][0]
        view = gltf["bufferViews"][gltf["accessors"][skin["inverseBindMatrices"]]["bufferView"]]
        columns = struct.unpack_from("<16f", data, view.get("byteOffset", 0) + 64 * joint)
        bind = [[columns[4 * c + r] for c in range(4)] for r in range(4)]
        name = gltf["nodes"][skin["joints"][joint]]["name"]
        bone = [b["name"] for b in self.bones].index(name)
        pose = mix(at(self.clips["walk"], 0.5), at(self.clips["run"], 0.3), 0.25)
        self.assert_near(self.numbers(done.stdout)[1:], point(multiply(composed(self.bones, pose)[bone], bind), vertex))

    def test_player(self):
        """Half a second of one clip, then half a second of another, the first quarter of it a fade."""
        done = self.run_example("player", "hero.glb", "walk", "run")
        self.assert_near(self.numbers(done.stdout.splitlines()[-1])[1:], at(self.clips["run"], 0.5)[0][4:7])

    def test_reach(self):
        done = self.run_example("reach", "hero.glb", "upper_arm.l", "forearm.l", "hand.l")
        self.assertEqual(done.stdout, "reached: the hand is at 0.100 1.200 0.400\n")

    def test_root_motion(self):
        done = self.run_example("root_motion", "hero.glb", "walk")
        walk = self.clips["walk"]
        first, last = (walk["frames"][i][0][4:7] for i in (0, -1))
        self.assert_near(self.numbers(done.stdout), [last[0] - first[0], 0.0, last[2] - first[2]])

    def test_convert_gives_the_command_s_bytes(self):
        for extension in ("ewzanim", "json", "glb"):
            done = self.run_example("convert", "hero.glb", "walk", f"mine.{extension}")
            its = self.ember("convert", "hero.glb", "--clip", "walk", "-o", f"its.{extension}")
            self.assertEqual(self.read(f"mine.{extension}"), self.read(f"its.{extension}"), extension)
            self.assertEqual(done.stderr != "", b"not stored" in its.stderr or b"are not" in its.stderr, its.stderr)
            self.assertEqual(done.stderr != "", extension != "glb")  # names, rate and meshes; meshes; nothing

    def test_errors_are_one_line(self):
        for name in ("play_glb", "play_ewzanim", "play_rom", "player", "blend_and_skin", "reach", "root_motion", "convert", "embed_game"):
            done = self.run_example(name, code=1)
            self.assertRegex(done.stderr, rf"^usage: {name} .+\n$")
        self.write("bad.glb", b"glTF\2\0\0\0")
        for words in (["play_glb", "bad.glb"], ["play_glb", "nowhere.glb"], ["play_glb", "hero.glb", "swim"], ["play_rom", "bad.glb", "x"], ["play_ewzanim", "bad.glb"]):
            done = self.run_example(*words, code=1)
            self.assertEqual((done.stdout, len(done.stderr.splitlines())), ("", 1), words)
        self.assertIn('"walk"', self.run_example("play_glb", "hero.glb", "swim", code=1).stderr)

    def test_embed_game(self):
        game = os.environ.get("EMBER_EXAMPLE_GAME", "")
        if not os.path.exists(game):
            self.skipTest("the example games were not built")
        done = self.run_example("embed_game", game)
        its = self.ember("run", game, "--headless", "--frames", "60", "--seed", "1")
        self.assertIn(re.search(r"[0-9a-f]{16}", done.stdout).group(), (its.stdout + its.stderr).decode())


if __name__ == "__main__":
    testing.main()
