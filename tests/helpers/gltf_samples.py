# SPDX-License-Identifier: MIT
"""What the tests of the glTF writer share: making the samples, and the poses that their clip form says they have."""

import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile

import gltf_sampler as sampler  # the second reader and sampler of glTF, written from its specification
from testing import blender, skip  # noqa: F401

ASSIMP = "/usr/share/assimp/models/BVH"


def main(run):
    """Takes the path of gltf_samples, makes the samples in a folder of their own, runs the test; 77 is "skipped"."""
    if len(sys.argv) != 2:
        sys.exit("usage: %s PATH-OF-GLTF_SAMPLES" % sys.argv[0])
    folder = tempfile.mkdtemp(prefix="ember-gltf-")
    try:
        sys.exit(run(os.path.abspath(sys.argv[1]), folder))
    finally:
        shutil.rmtree(folder)


def make(program, folder, files=()):
    """The samples, or these files, as NAME.glb, NAME.gltf and NAME.json; returns the names."""
    before = set(os.listdir(folder))
    subprocess.run([program, folder, *files], check=True, timeout=600)
    return sorted(name[:-4] for name in set(os.listdir(folder)) - before if name.endswith(".glb"))


def motion_files():
    """The BVH files of EMBER_CORPUS and of Debian's assimp-testmodels, as far as they are there."""
    folders = [ASSIMP]
    if os.environ.get("EMBER_CORPUS"):
        folders.append(os.path.join(os.environ["EMBER_CORPUS"], "bvh"))
    return sorted(path for folder in folders for path in glob.glob(os.path.join(folder, "*.bvh")))


def model_files():
    """The .glb files of EMBER_CORPUS."""
    folder = os.environ.get("EMBER_CORPUS")
    return sorted(glob.glob(os.path.join(folder, "gltf", "*.glb"))) if folder else []


def clip_form(folder, name):
    with open(os.path.join(folder, name + ".json"), encoding="utf-8") as file:
        return json.load(file)


def matrix(values):
    return sampler.from_trs(values[4:7], sampler.normalized(values[0:4]), values[7:10])


def poses(form, clip):
    """Of each frame the model-space matrix of every bone; bones that the clip does not move rest."""
    bones = form["bones"]
    places = clip.get("bones", list(range(len(bones))))
    for frame in clip["frames"]:
        model = []
        for i, bone in enumerate(bones):
            moved = i in places
            own = matrix(frame[places.index(i)] if moved else bone["rest"])
            above = bone["parent"] >= 0 and not (moved and clip["space"] == "model")
            model.append(sampler.multiply(model[bone["parent"]], own) if above else own)
        yield model


def extent(frames):
    """The largest coordinate of any joint in any frame."""
    return max([abs(m[row][3]) for model in frames for m in model for row in range(3)] + [1e-9])


def distance(a, b, size):
    """The largest difference of two matrices: axes as they are, positions as a part of `size`."""
    axes = max(abs(a[row][column] - b[row][column]) for row in range(3) for column in range(3))
    return max(axes, max(abs(a[row][3] - b[row][3]) for row in range(3)) / size)
