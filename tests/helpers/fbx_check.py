# SPDX-License-Identifier: MIT
"""What the tests of the FBX reader share: writing a described scene, reading it by the command, and how far the result is from the truth."""

import json
import math
import os

import gltf_sampler
import testing
from fbx_bytes import Binary, Text
from fbx_make import make
from fbx_truth import Truth
from gltf_compare import compose

LIMIT = 1e-4  # of the extent of all nodes in all frames, and of the length of an axis
TEXT, BINARY, OLD = Text(7400), Binary(7500, compress=True), Binary(6100)


def main():
    testing.keep_files_in_memory()
    testing.main()


class FbxCase(testing.Case):
    def put(self, scene, container=BINARY, name="a.fbx"):
        return self.write(name, make(scene, container))

    def form(self, name="a.fbx", *options, quiet=False):
        """The file as Ember's clips, and what was said of it; what JSON does not store is another matter."""
        done = self.ember("convert", name, "--to", "json", "--space", "local", "-o", "-", *options)
        lines = [line for line in done.stderr.decode().splitlines() if not line.startswith("ember: standard output:")]
        if quiet:
            self.assertEqual(lines, [])
        return json.loads(done.stdout), lines

    def glb(self, name="a.fbx", *options):
        """The file as glTF, opened by the tests' own sampler, and the lines of warnings."""
        done = self.ember("convert", name, "-o", "out.glb", *options)
        document = gltf_sampler.Document(self.path("out.glb"))
        os.unlink(self.path("out.glb"))
        return document, [line for line in done.stderr.decode().splitlines() if ": warning: " in line]

    def refused(self, data, *words):
        """One clear line and exit 1, which has these words."""
        self.write("bad.fbx", data)
        line = self.one_line(self.ember("info", "bad.fbx", "--bones", code=1))
        self.assertTrue(line.startswith("ember: bad.fbx: "), line)
        for word in words:
            self.assertIn(word, line)
        return line

    # ---- poses ----

    def check_rest(self, scene, form, axes=True):
        truth = Truth(scene).worlds()
        self.check_poses(scene, form, [[bone["rest"] for bone in form["bones"]]], [truth], axes, "rest")

    def check_take(self, scene, form, take, fps, axes=True, clip=None):
        """Names, frames and every pose of a take."""
        clip = clip or next(clip for clip in form["clips"] if clip["name"] == take.name)
        poses = self.poses(scene, take, fps)
        self.assertEqual(clip["frame_count"], len(poses), "frames of %s" % take.name)
        self.assertAlmostEqual(clip["fps"], fps, 3)
        self.check_poses(scene, form, clip["frames"], poses, axes, take.name)

    @staticmethod
    def poses(scene, take, fps):
        truth = Truth(scene)
        if not scene.frozen:
            return [truth.worlds(take, time) for time in truth.times(take, fps)]
        if scene.frozen is True:
            scene.frozen = {}
        key = take.name, fps
        if key not in scene.frozen:
            scene.frozen[key] = [truth.worlds(take, time) for time in truth.times(take, fps)]
        return scene.frozen[key]

    def check_poses(self, scene, form, frames, wanted, axes, what):
        by_name = {node.name: node for node in scene.nodes}
        bones = [by_name[bone["name"]] for bone in form["bones"]]
        places = [[m[row][3] for m in pose.values()] for pose in wanted for row in range(3)]
        extent = max(max(values) - min(values) for values in places) or max(abs(v) for values in places for v in values) or 1.0
        unit = scene.unit / 100.0 if scene.settings else 0.01
        for number, (frame, pose) in enumerate(zip(frames, wanted)):
            for node, found in zip(bones, compose(form["bones"], frame)):
                want = pose[node]
                off = math.dist([row[3] for row in found[:3]], [row[3] for row in want[:3]]) / extent
                self.assertLess(off, LIMIT, "%s: %s is off in frame %d: %s, not %s" % (what, node.name, number, found, want))
                if axes:
                    self.check_axes(found, want, unit, "%s: axes of %s in frame %d: %s, not %s" % (what, node.name, number, found, want))

    def check_axes(self, found, want, unit, message):
        """The unit may be in a bone's scale or not: its axes have their lengths in metres, or in the file's unit."""
        best = math.inf
        for size in (1.0, unit):
            length = max(abs(want[r][c]) / unit * size for r in range(3) for c in range(3)) or 1.0
            best = min(best, max(abs(found[r][c] - want[r][c] / unit * size) for r in range(3) for c in range(3)) / length)
        self.assertLess(best, LIMIT, message)

    def check(self, scene, container=BINARY, fps=60.0, axes=True, quiet=True):
        """Writes, reads and compares the rest and all takes; returns the warnings."""
        self.put(scene, container)
        form, lines = self.form("a.fbx", "--fps", repr(fps), quiet=quiet)
        self.assertEqual(sorted(bone["name"] for bone in form["bones"]), sorted(node.name for node in scene.nodes))
        self.check_rest(scene, form, axes)
        for take in scene.takes:
            self.check_take(scene, form, take, fps, axes)
        return lines

    # ---- points ----

    def points(self, document, animation=None, time=0.0):
        """Every vertex of a glTF file in its place."""
        pose = {}
        if animation is not None:
            for channel in document.json["animations"][animation]["channels"]:
                target = channel["target"]
                sampler = document.json["animations"][animation]["samplers"][channel["sampler"]]
                pose.setdefault(target["node"], {})[target["path"]] = document.sample(sampler, target["path"], time)
        known, found = {}, []
        for number, node in enumerate(document.nodes):
            if "mesh" not in node:
                continue
            own = document.world(number, pose, known)
            skin = document.json["skins"][node["skin"]] if "skin" in node else None
            for primitive in document.json["meshes"][node["mesh"]]["primitives"]:
                found += self.primitive_points(document, primitive, own, skin, pose, known)
        return found

    def primitive_points(self, document, primitive, own, skin, pose, known):
        attributes = primitive["attributes"]
        positions = document.accessor(attributes["POSITION"])
        if skin is None or "JOINTS_0" not in attributes:
            return [gltf_sampler.point(own, p) for p in positions]
        binds = [gltf_sampler.from_columns(m) for m in document.accessor(skin["inverseBindMatrices"])]
        matrices = [gltf_sampler.multiply(document.world(joint, pose, known), bind) for joint, bind in zip(skin["joints"], binds)]
        found = []
        for p, joints, weights in zip(positions, document.accessor(attributes["JOINTS_0"]), document.accessor(attributes["WEIGHTS_0"])):
            places = [(w, gltf_sampler.point(matrices[int(j)], p)) for j, w in zip(joints, weights) if w > 0]
            total = sum(w for w, _ in places)
            found.append([sum(w * place[i] for w, place in places) / total for i in range(3)])
        return found

    def check_points(self, found, wanted, extent=None):
        """Every vertex is where a control point is, and every control point has a vertex. Each corner of a polygon may have its own."""
        extent = extent or max(max(p[i] for p in wanted) - min(p[i] for p in wanted) for i in range(3))
        for p in found:
            self.assertLess(min(math.dist(p, q) for q in wanted) / extent, LIMIT, "a vertex at %s" % (p,))
        for q in wanted:
            self.assertLess(min(math.dist(p, q) for p in found) / extent, LIMIT, "no vertex at %s" % (q,))
