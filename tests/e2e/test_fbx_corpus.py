# SPDX-License-Identifier: MIT
"""FBX files of EMBER_CORPUS, from Maya, 3ds Max, MotionBuilder, Blender and Mixamo: every take, rest pose, mesh and texture against what
expected.json there says of them. It states its own form in `about`."""

import collections
import json
import math
import os

import fbx_check
import gltf_sampler
import testing
from gltf_compare import compose

FPS = 120  # of the samples
RIGHT, AXES, BOX = 1e-4, 1e-3, 1e-3

# How many there are at least, and how many of them may be wrong.
GOALS = {"takes": (63, 3), "rest": (80, 2), "motion": (44, 2), "textures": (4, 0)}


def wanted(row):
    """Position and three columns; of nodes without a place, or with no size, None."""
    if None in row:
        return None, None
    if len(row) == 3:
        return row, None
    if len(row) == 12:
        return row[:3], [row[3:6], row[6:9], row[9:12]]
    m = gltf_sampler.from_trs(row[:3], gltf_sampler.normalized(row[3:7]), row[7:10] if len(row) == 10 else (1, 1, 1))
    return row[:3], columns(m)


def columns(m):
    return [[m[i][k] for i in range(3)] for k in range(3)]


def is_sheared(row):
    return len(row) == 12


def box_of(points):
    return [min(p[i] for p in points) for i in range(3)] + [max(p[i] for p in points) for i in range(3)]


def union(boxes):
    boxes = [box for box in boxes if box and None not in box]
    return [min(b[i] for b in boxes) for i in range(3)] + [max(b[3 + i] for b in boxes) for i in range(3)] if boxes else None


def extent_of(entry):
    rows = entry["rest"] + [row for take in entry["takes"] for sample in take["samples"] for row in sample["pose"]]
    sides = [mesh["box"][3 + i] - mesh["box"][i] for mesh in entry["meshes"] if mesh["box"] and None not in mesh["box"] for i in range(3)]
    return max([1e-9] + sides + [abs(v) for row in rows if None not in row[:3] for v in row[:3]])


class Corpus(fbx_check.FbxCase):
    def setUp(self):
        super().setUp()
        self.counts, self.bad = collections.Counter(), []

    def mark(self, kind, good, what):
        self.counts[kind] += 1
        self.counts[kind, "right"] += bool(good)
        if not good:
            self.bad.append("%s: %s" % (kind, what))

    def pairs(self, entry, bones):
        """(bone, node) of one name that occurs once."""
        names = collections.Counter(node[0] for node in entry["nodes"])
        at = {node[0]: i for i, node in enumerate(entry["nodes"])}
        return [(i, at[bone["name"]]) for i, bone in enumerate(bones) if names[bone["name"]] == 1]

    def below_nothing(self, entry, take):
        """Nodes below one that has no size at some time: no transform reaches them."""
        gone = {i for sample in take["samples"] for i, row in enumerate(sample["pose"]) if len(row) == 3}
        found = set()
        for i in range(len(entry["nodes"])):
            above = entry["nodes"][i][1]
            while above >= 0:
                if above in gone:
                    found.add(i)
                above = entry["nodes"][above][1]
        return found

    def check_take_of(self, entry, take, form, extent):
        clip = next((clip for clip in form["clips"] if clip["name"] == take["name"]), None)
        if clip is None:
            return "no clip"
        start, end = take["clip"]
        fps = clip["fps"]
        if abs(clip["frame_count"] - 1 - (end - start) * fps) > 1.5:
            return "%d frames for %s s" % (clip["frame_count"], end - start)
        lost, first, worst = self.below_nothing(entry, take), {}, (0.0, 0.0, "")
        pairs = [(bone, node) for bone, node in self.pairs(entry, form["bones"]) if node not in lost]
        for sample in take["samples"]:
            begins, ends = take["keys"] if sample["start"] == "keys" else take["range"]
            frame = (begins + sample["t"] - start) * fps
            if begins + sample["t"] > ends + 1e-6 and end > ends + 1e-6:
                continue  # the last one shows the end, wherever between two frames that is
            if frame < -0.02 or frame > clip["frame_count"] - 0.5 or (abs(frame - round(frame)) > 0.02 and frame < clip["frame_count"] - 1):
                continue
            places = compose(form["bones"], clip["frames"][min(round(frame), clip["frame_count"] - 1)])
            for bone, node in pairs:
                row = sample["pose"][node]
                place, axes = wanted(row)
                if place is None:
                    continue
                off = math.dist(place, [places[bone][i][3] for i in range(3)]) / extent
                turn = 0.0
                if axes is not None and not is_sheared(row) and "limit" not in take:
                    found = columns(places[bone])
                    before, wanted_before = first.setdefault(bone, (found, axes))
                    for k in range(3):
                        a, b = math.hypot(*wanted_before[k]), math.hypot(*before[k])
                        if a > 1e-9 and b > 1e-12:
                            turn = max(turn, math.dist([v / b for v in found[k]], [v / a for v in axes[k]]))
                if off / RIGHT + turn / AXES > worst[0] / RIGHT + worst[1] / AXES:
                    worst = off, turn, "%s at %.4f s" % (entry["nodes"][node][0], sample["t"])
        return None if worst[0] < RIGHT and worst[1] < AXES else "%.1e, axes %.1e: %s" % worst

    def check_motion(self, entry, document, extent):
        """The meshes' box in the middle of each take, where it is known; of a file the worst."""
        worst = None
        for take in entry["takes"]:
            samples = [sample for sample in take["samples"] if sample.get("boxes")]
            number = next((i for i, a in enumerate(document.json.get("animations", [])) if a.get("name") == take["name"]), None)
            if not samples or number is None:
                continue
            off = math.inf
            for sample in samples:
                begins = take["keys"][0] if sample["start"] == "keys" else take["range"][0]
                points = self.points(document, number, begins + sample["t"] - take["clip"][0])
                off = min(off, max(abs(a - b) for a, b in zip(box_of(points), union(sample["boxes"]))) / extent)
            worst = max(worst or 0.0, off)
        if worst is not None:
            self.mark("motion", worst < BOX, "%s: box off by %.1e" % (entry["file"], worst))

    def check_meshes(self, entry, path):
        box = union([mesh["box"] for mesh in entry["meshes"]])
        if box is None:
            return
        document, _ = self.glb(path, "--fps", str(FPS))
        side = max(box[3 + i] - box[i] for i in range(3))
        points = self.points(document)
        off = max(abs(a - b) for a, b in zip(box_of(points), box)) / side if points else math.inf
        self.mark("rest", off < BOX, "%s: box off by %.1e" % (entry["file"], off))
        self.check_motion(entry, document, side)
        if any(mesh["textures"] for mesh in entry["meshes"]):
            self.mark("textures", document.json.get("images"), entry["file"])

    def check_file(self, entry, path):
        if "refused" in entry:
            done = self.run_ember("info", path)
            self.assertIn(done.returncode, (0, 1), done.stderr)
            return
        takes = [take for take in entry["takes"] if take["samples"]]
        done = self.run_ember("convert", path, "--to", "json", "--space", "local", "--fps", str(FPS), "--compact", "-o", "-")
        if done.returncode != 0 and b"frames" in done.stderr:
            done = self.run_ember("convert", path, "--to", "json", "--space", "local", "--compact", "-o", "-")
        if done.returncode != 0:
            for take in takes:
                self.mark("takes", False, "%s: %s" % (entry["file"], done.stderr.decode().strip()))
            if any(sample.get("boxes") for take in takes for sample in take["samples"]):
                self.mark("motion", False, entry["file"])
            if entry["meshes"]:
                self.mark("rest", False, entry["file"])
            return
        form, extent = json.loads(done.stdout), extent_of(entry)
        for take in takes:
            wrong = self.check_take_of(entry, take, form, extent)
            self.mark("takes", wrong is None, "%s %s: %s" % (entry["file"], take["name"], wrong))
            if wrong is not None:
                self.assertIn("warning", done.stderr.decode(), "%s %s is off without a word: %s" % (entry["file"], take["name"], wrong))
        self.check_meshes(entry, path)

    def test_every_file(self):
        folder = os.path.join(os.environ.get("EMBER_CORPUS", ""), "fbx")
        if not os.environ.get("EMBER_CORPUS") or not os.path.exists(os.path.join(folder, "expected.json")):
            self.skipTest("EMBER_CORPUS is not set, or has no FBX files")
        with open(os.path.join(folder, "expected.json"), encoding="utf-8") as file:
            entries = json.load(file)["files"]
        for entry in entries:
            with self.subTest(entry["file"]):
                self.check_file(entry, os.path.join(folder, entry["file"]))
        print("\n".join(self.bad))
        for kind, (least, wrong) in GOALS.items():
            print("%s: %d of %d right" % (kind, self.counts[kind, "right"], self.counts[kind]))
            self.assertGreaterEqual(self.counts[kind], least, kind)
            self.assertLessEqual(self.counts[kind] - self.counts[kind, "right"], wrong, kind)


if __name__ == "__main__":
    if not os.environ.get("EMBER_CORPUS"):
        testing.skip("EMBER_CORPUS is not set")
    fbx_check.main()
