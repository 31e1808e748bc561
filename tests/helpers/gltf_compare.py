# SPDX-License-Identifier: MIT
"""What the tests of the glTF reader share: running gltf_dump, and the distance between what it read and what the sampler says."""

import glob
import json
import math
import os
import subprocess
import sys

import gltf_sampler as sampler

from testing import skip  # noqa: E402

DUMP = None


def main(run):
    """Takes gltf_dump's path from the command line, runs the test, and ends with its verdict; 77 is "skipped"."""
    global DUMP
    if len(sys.argv) != 2:
        sys.exit("usage: %s PATH-OF-GLTF_DUMP" % sys.argv[0])
    DUMP = os.path.abspath(sys.argv[1])
    sys.exit(run())


def corpus():
    """The glTF files of the folder that EMBER_CORPUS names."""
    folder = os.environ.get("EMBER_CORPUS")
    if not folder:
        skip("EMBER_CORPUS is not set")
    found = sorted(glob.glob(os.path.join(folder, "gltf", "*.glb")) + glob.glob(os.path.join(folder, "gltf", "*", "*.gltf")))
    if not found:
        skip("no glTF files in " + folder)
    return found


def dump(path, *options):
    result = subprocess.run([DUMP, path, *options], capture_output=True, timeout=300)
    if result.returncode != 0:
        raise RuntimeError(result.stderr.decode(errors="replace").strip())
    return json.loads(result.stdout)


def matrix(values):
    """Of the clip form's ten numbers."""
    return sampler.from_trs(values[4:7], values[0:4], values[7:10])


def compose(bones, pose):
    """Model-space matrices of a local pose."""
    model = []
    for bone, values in zip(bones, pose):
        own = matrix(values)
        model.append(own if bone["parent"] < 0 else sampler.multiply(model[bone["parent"]], own))
    return model


def displacement(a, b, shell):
    """The largest way between three points on the axes of b, `shell` away, seen through two matrices."""
    worst = 0.0
    reach = shell / (abs(sampler.determinant(b)) ** (1 / 3) or 1.0)
    for axis in range(3):
        p = [reach if i == axis else 0.0 for i in range(3)]
        worst = max(worst, math.dist(sampler.point(a, p), sampler.point(b, p)))
    return worst


class Result:
    """Errors of one clip, as parts of the motion's extent."""

    def __init__(self):
        self.model = self.local = 0.0
        self.extent = 0.0


def frame_times(first, last, fps):
    count = int(math.floor((last - first) * fps + 0.5)) + 1
    return [min(first + i / fps, last) for i in range(count)]


def compare_clip(document, bones, clip, animation, read, fps):
    """The library's clip against the sampler's; raises where they are not even of one shape."""
    channels = document.channels(animation, bones)
    times = frame_times(*document.times_of(channels), fps)
    if clip["frame_count"] != len(times):
        raise AssertionError("%s: %d frames, %d expected" % (clip["name"], clip["frame_count"], len(times)))
    truth = []
    for time in times:
        pose, known = document.pose(channels, time), {}
        truth.append([document.world(bone, pose, known) for bone in bones])
    result = Result()
    origins = [[m[axis][3] for frame in truth for m in frame] for axis in range(3)]
    result.extent = max(max(values) - min(values) for values in origins) or 1.0
    shell = result.extent / 60
    parents = [bone["parent"] for bone in read["bones"]]
    last = None
    for frame, wanted in zip(clip["frames"], truth):
        for m, w in zip(compose(read["bones"], frame), wanted):
            result.model = max(result.model, displacement(m, w, shell) / result.extent)
        for i, values in enumerate(frame):
            want = wanted[i] if parents[i] < 0 else sampler.multiply(sampler.inverse(wanted[parents[i]]), wanted[i])
            # Below a scaled bone lengths are of another size.
            size = 1.0 if parents[i] < 0 else abs(sampler.determinant(wanted[parents[i]])) ** (1 / 3)
            result.local = max(result.local, displacement(matrix(values), want, shell / size) * size / result.extent)
            if last is not None and sum(a * b for a, b in zip(values[:4], last[i][:4])) < 0:
                raise AssertionError("%s: the rotation of bone %d changes its sign" % (clip["name"], i))
        last = frame
    return result


def check_bones(document, bones, read):
    """Names and parents."""
    order = {node: i for i, node in enumerate(bones)}
    if len(read["bones"]) != len(bones):
        raise AssertionError("%d bones, %d expected" % (len(read["bones"]), len(bones)))
    for i, node in enumerate(bones):
        parent = next((order[above] for above in document.ancestors(node) if above in order), -1)
        bone = read["bones"][i]
        if bone["parent"] != parent:
            raise AssertionError("bone %d has parent %d, %d expected" % (i, bone["parent"], parent))
        if "name" in document.nodes[node] and bone.get("name") != document.nodes[node]["name"]:
            raise AssertionError("bone %d is called %s" % (i, bone.get("name")))
