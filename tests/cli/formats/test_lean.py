# SPDX-License-Identifier: MIT
"""Files of lean clips through the command: --error, what is stated and what is measured, and every verb that reads them. Covers: lean_options.c."""

import json
import math

import testing

BONES = ["hip", "spine", "head"]
FRAMES = 50


def clip(name, speed):
    frames = []
    for f in range(FRAMES):
        time = f / 30
        angles = [0.5 * math.sin(speed * time + bone) for bone in range(3)]
        frames.append([[math.sin(a / 2), 0, 0, math.cos(a / 2), 0.3 * time if bone == 0 else 0, 0.6, 0, 1, 1, 1] for bone, a in enumerate(angles)])
    return {"name": name, "fps": 30, "loop": False, "space": "local", "frame_count": FRAMES, "frames": frames, "markers": []}


MODEL = {"format": "ember-clip", "version": 1, "bones": [{"name": name, "parent": i - 1, "rest": [0, 0, 0, 1, 0, 0.6, 0, 1, 1, 1]} for i, name in enumerate(BONES)],
         "clips": [clip("walk", 3), clip("run", 7)]}


def turn(a, b):
    """The product of two quaternions x, y, z, w."""
    return [a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1], a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
            a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3], a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]]


def rotate(q, v):
    return turn(turn(q, [*v, 0]), [-q[0], -q[1], -q[2], q[3]])[:3]


def points(frame, shell):
    """Of a chain without scales: each bone's place and three points around it."""
    q, at, out = [0, 0, 0, 1], [0, 0, 0], []
    for bone in frame:
        at = [x + y for x, y in zip(at, rotate(q, bone[4:7]))]
        q = turn(q, bone[:4])
        out += [at] + [[x + shell * y for x, y in zip(at, rotate(q, axis))] for axis in ((1, 0, 0), (0, 1, 0), (0, 0, 1))]
    return out


def error(a, b, shell):
    return max(math.dist(p, q) for one, two in zip(a, b) for p, q in zip(points(one, shell), points(two, shell)))


class Lean(testing.Case):
    def setUp(self):
        super().setUp()
        self.write("a.json", json.dumps(MODEL))

    def clips(self, path):
        return json.loads(self.ember("info", path, "--format", "json").stdout)["files"][0]["clips"]

    def measure(self, path):
        """The largest error over both clips, measured here; the shell is a 60th of the size."""
        self.ember("convert", path, "-q", "-o", "back.json")
        back = json.loads(self.read("back.json"))["clips"]
        height = [points(c["frames"][0], 0) for c in MODEL["clips"]]
        size = max(max(max(p[k] for p in first) - min(p[k] for p in first) for k in range(3)) for first in height)
        return max(error(one["frames"], two["frames"], size / 60) for one, two in zip(MODEL["clips"], back)), size

    def test_the_error_is_kept_and_stated(self):
        sizes = []
        for word, bound in (("3mm", 0.003), ("0.05cm", 0.0005), ("0.0001m", 0.0001), ("1e-2mm", 0.00001)):
            self.ember("convert", "a.json", "--error", word, "-o", "x.ewzlean")
            measured, _ = self.measure("x.ewzlean")
            stated = [c["error"] for c in self.clips("x.ewzlean")]
            self.assertLessEqual(measured, max(stated) + 2e-7, word)  # the source becomes single precision
            self.assertLessEqual(max(stated), bound, word)
            self.assertGreater(measured, 0.05 * bound, word)
            sizes.append(len(self.read("x.ewzlean")))
        self.assertEqual(sizes, sorted(sizes))

    def test_percent_is_of_the_size_and_the_default(self):
        self.ember("convert", "a.json", "-o", "x.ewzlean")
        _, size = self.measure("x.ewzlean")
        self.assertLessEqual(max(c["error"] for c in self.clips("x.ewzlean")), 0.0002 * size)
        default = self.read("x.ewzlean")
        self.ember("convert", "a.json", "--error", "0.02%", "-o", "x.ewzlean")
        self.assertEqual(self.read("x.ewzlean"), default)
        self.ember("convert", "a.json", "--error", "1%", "-o", "x.ewzlean")
        self.assertLess(len(self.read("x.ewzlean")), len(default))

    def test_bad_errors_are_usage(self):
        for word in ("1", "mm", "0mm", "-1mm", "1 inch", "nan%", "1m%", ""):
            result = self.run_ember("convert", "a.json", "--error", word, "-o", "x.ewzlean")
            self.assertEqual(result.returncode, 2, word)
            self.assertIn(b"--error", result.stderr)
        result = self.run_ember("convert", "a.json", "--error", "1mm", "-o", "x.glb")
        self.assertEqual(result.returncode, 2)
        self.assertIn(b"not for glb", result.stderr)
        result = self.run_ember("convert", "a.json", "--space", "model", "-o", "x.ewzlean")
        self.assertEqual(result.returncode, 2)

    def test_info_prints_the_stated_error(self):
        self.ember("convert", "a.json", "--error", "1mm", "-o", "x.ewzlean")
        text = self.ember("info", "x.ewzlean").stdout.decode()
        self.assertRegex(text, r"error")
        self.assertRegex(text, r"walk .* local +0\.\d+ mm")
        self.assertNotIn("error", self.ember("info", "a.json").stdout.decode())

    def test_every_verb_reads_it(self):
        self.ember("convert", "a.json", "--error", "1mm", "-o", "x.ewzlean")
        self.ember("diff", "a.json", "x.ewzlean", "--tolerance", "0.0011")
        self.assertEqual(self.run_ember("diff", "a.json", "x.ewzlean", "--tolerance", "0.00001").returncode, 1)
        self.ember("validate", "x.ewzlean", "--target", "ewz")
        self.ember("convert", "x.ewzlean", "-q", "-o", "x.glb")
        self.assertEqual([c["name"] for c in self.clips("x.glb")], ["walk", "run"])
        self.ember("export", "animation", "x.ewzlean", "--animation", "run", "-q", "-o", "run.ewzanim")
        self.assertEqual(self.clips("run.ewzanim")[0]["frame_count"], FRAMES)

    def test_export_puts_all_in_one_file(self):
        self.ember("convert", "a.json", "-q", "-o", "a.glb")
        self.ember("export", "animation", "a.glb", "--all", "--error", "0.5mm", "-q", "-o", "x.ewzlean")
        self.assertEqual([(c["name"], c["space"]) for c in self.clips("x.ewzlean")], [("walk", "local"), ("run", "local")])
        self.assertLessEqual(max(c["error"] for c in self.clips("x.ewzlean")), 0.0005)
        self.assertEqual(self.run_ember("export", "skeleton", "a.glb", "--error", "1mm", "-o", "x.ewzskel").returncode, 2)


if __name__ == "__main__":
    testing.main()
