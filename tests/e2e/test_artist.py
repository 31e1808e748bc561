# SPDX-License-Identifier: MIT
"""Files as artists leave them, made by Blender on the spot: actions from frame 1, forced sampling off, an armature scaled by 0.01, bones and a vertex
without weights, FBX with leaf bones and both kinds of takes; and what gltfpack makes of them. Each is exported, and its bones and vertices
are where Blender itself has them, or where the specification puts what Blender wrote."""

import json
import math
import os
import shutil
import subprocess

import exporting  # first: it knows where the others are
import gltf_compare as compare
import gltf_sampler as sampler
import test_gltf_corpus as test_corpus
import testing

HERE = os.path.dirname(os.path.abspath(__file__))

# Of the puppet's extent: floats, FBX's angles in degrees.
LIMIT = 1e-5
CLIPS = {"Nod": 25, "Reach": 41}

# File: whose truth, how far off, and what is said about it.
FILES = {
    "sampled.glb": ("as it is", LIMIT, None),
    "exact.fbx": ("as it is", LIMIT, None),
    "units.fbx": ("as it is", LIMIT, None),
    "z_up.fbx": ("as it is", LIMIT, None),
    "default.fbx": ("as it is", 2e-3, "called ..._end: Blender adds them unless Add Leaf Bones is off"),  # keys simplified by Blender
    "alone.glb": ("a vertex alone", LIMIT, None),
    "alone.fbx": ("a vertex alone", LIMIT, "no weights and follow"),  # unlike glTF's, Blender's FBX has no bone for it
    "small.glb": ("small", LIMIT, None),
    "small.fbx": ("small", LIMIT, None),
}


def make_puppet(folder):
    """Blender makes the files, and says where everything is in them."""
    testing.blender(folder, os.path.join(HERE, "blender_puppet.py"), folder)
    with open(os.path.join(folder, "truth.json"), encoding="utf-8") as file:
        return json.load(file)


def to_gltf(p):
    """From Blender's axes, z up, to y up."""
    return [p[0], p[2], -p[1]]


def extent(frames):
    points = [to_gltf(p) for frame in frames for p in frame["bones"].values()] + [to_gltf(p) for p in frames[0]["Skin"]]
    return max(max(p[axis] for p in points) - min(p[axis] for p in points) for axis in range(3))


def farthest(truth_points, points):
    """The largest distance of any of the first to the nearest of the second; both sets are small."""
    return max(min(math.dist(to_gltf(a), b) for b in points) for a in truth_points)


def check_export(folder, name):
    """The three exports work; the animations have the frames of their actions."""
    path, out = os.path.join(folder, name), os.path.join(folder, name + ".out")
    os.makedirs(out)
    done = exporting.ember("export", "animation", path, "--all", "-o", os.path.join(out, "{clip}.ewzanim"))
    said = done.stderr.decode()
    for what in (done, exporting.ember("export", "skeleton", path, "-o", os.path.join(out, "a.ewzskel")),
                 exporting.ember("export", "mesh", path, "--mesh", "Skin", "-o", os.path.join(out, "a.ewzmesh"))):
        if what.returncode != 0:
            raise AssertionError(what.stderr.decode().strip())
    for clip, frames in CLIPS.items():
        with open(os.path.join(out, clip + ".ewzanim"), "rb") as file:
            data = file.read(4)
        if int.from_bytes(data[2:4], "little") != frames:
            raise AssertionError("%s has %d frames, not %d" % (clip, int.from_bytes(data[2:4], "little"), frames))
    return said, sorted(os.listdir(out))


def check_bones(form, truth):
    """The bones' places in all frames of both clips, of the extent."""
    worst = 0.0
    for clip in form["clips"]:
        if clip["name"] not in CLIPS:
            continue
        frames = truth[clip["name"]]
        size = extent(frames)
        for pose, wanted in zip(clip["frames"], frames):
            known = {bone["name"]: m for bone, m in zip(form["bones"], exporting.compose(form["bones"], pose))}
            for name, place in wanted["bones"].items():
                worst = max(worst, math.dist([known[name][axis][3] for axis in range(3)], to_gltf(place)) / size)
    return worst


def check_vertices(path, folder, truth):
    """Skin and prop, in the middle of each clip, through the file that the command writes of it."""
    again = os.path.join(folder, "again.glb")
    done = exporting.ember("convert", path, "-o", again, "-q")
    if done.returncode != 0:
        raise AssertionError(done.stderr.decode().strip())
    document, worst = sampler.Document(again), 0.0
    bones = set(document.bones(0))
    for animation in document.json["animations"]:
        if animation["name"] not in CLIPS:
            continue
        frames = truth[animation["name"]]
        middle = len(frames) // 2
        channels = document.channels(animation, bones)
        pose = document.pose(channels, document.times_of(channels)[0] + middle / 30)
        for index, node in enumerate(document.nodes):
            if "mesh" in node:
                points = test_corpus.truth_corners(document, index, pose, bones)
                worst = max(worst, farthest(frames[middle][node["name"]], points) / extent(frames))
    return worst


def check_curves(folder):
    """Sparse keys with tangents are not what Blender shows, but what it wrote: the specification's sampler is the judge."""
    path = os.path.join(folder, "curves.glb")
    document = sampler.Document(path)
    if not any(s.get("interpolation") == "CUBICSPLINE" for a in document.json["animations"] for s in a["samplers"]):
        raise AssertionError("there are no curves in it")
    bones, read, worst = document.bones(0), exporting.read(path), 0.0
    for animation, clip in zip(document.json["animations"], read["clips"]):
        result = compare.compare_clip(document, bones, clip, animation, read, 30.0)
        worst = max(worst, result.model)
    check_export(folder, "curves.glb")
    return worst


def check_packed(folder, truth):
    """gltfpack keeps the names of bones and clips, and counts time from 0."""
    failed = 0
    for number, (mode, limit) in enumerate((((), 1e-3), (("-c",), 1e-3), (("-cc",), 3e-3))):
        name = "packed%d.glb" % number
        packed = os.path.join(folder, name)
        subprocess.run(["gltfpack", "-i", os.path.join(folder, "sampled.glb"), "-o", packed, "-kn", *mode], check=True, capture_output=True)
        form = exporting.read(packed)
        done = exporting.ember("export", "animation", packed, "--all", "-q", "-o", os.path.join(folder, name + "-{clip}.ewzanim"))
        worst = check_bones(form, truth)
        good = worst <= limit and done.returncode == 0 and {clip["name"] for clip in form["clips"]} == set(CLIPS)
        failed += not good
        print("%-14s bones %.1e of the extent%s" % ("gltfpack " + " ".join(mode), worst, "" if good else "  WRONG " + done.stderr.decode()))
    return failed


def check(folder, name, truth, limit, words):
    said, files = check_export(folder, name)
    if words and words not in said:
        raise AssertionError("nothing is said of it: " + said)
    if name == "default.fbx" and not {"Puppet|Nod.ewzanim", "Puppet|Reach.ewzanim"} <= set(files):
        raise AssertionError("takes of both kinds expected: %s" % files)
    bones = check_bones(exporting.read(os.path.join(folder, name)), truth)
    vertices = check_vertices(os.path.join(folder, name), folder, truth) if name != "alone.fbx" else 0.0
    good = bones <= limit and vertices <= limit
    print("%-14s bones %.1e, vertices %.1e of the extent%s" % (name, bones, vertices, "" if good else "  TOO FAR"))
    return not good


def run(folder):
    if shutil.which("blender") is None:
        exporting.skip("Blender is not installed")
    truth, failed = make_puppet(folder), 0
    for name, (whose, limit, words) in FILES.items():
        if name.endswith(".fbx") and not exporting.reads_fbx():
            print("%-14s skipped: this build does not read FBX" % name)
            continue
        try:
            failed += check(folder, name, truth[whose], limit, words)
        except (AssertionError, RuntimeError) as problem:
            failed += 1
            print("%-14s FAILED: %s" % (name, problem))
    worst = check_curves(folder)
    failed += worst > LIMIT
    print("%-14s bones %.1e of the extent from its curves%s" % ("curves.glb", worst, "" if worst <= LIMIT else "  TOO FAR"))
    if shutil.which("gltfpack"):
        failed += check_packed(folder, truth["as it is"])
    else:
        print("gltfpack: skipped, it is not installed")
    return 1 if failed else 0


if __name__ == "__main__":
    exporting.main(run)
