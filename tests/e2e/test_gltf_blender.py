# SPDX-License-Identifier: MIT
"""Blender opens what is written, and its joints are at the first, the middle and the last frame of every clip where the clip form has
them, within 1e-4 of the extent."""

import json
import os
import shutil

import gltf_samples as samples
from gltf_samples import sampler

HERE = os.path.dirname(os.path.abspath(__file__))

LIMIT = 1e-4
MODELS = ("CesiumMan.glb", "Fox.glb", "KenneyCharacter.glb")  # a turned root; centimetres; bones without a skin

# From glTF's axes to Blender's: (x, y, z) becomes (x, -z, y).
TURN = [[1.0, 0.0, 0.0, 0.0], [0.0, 0.0, -1.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0]]


def bones_of(folder, fps, files):
    """Where Blender has the joints of these files."""
    out = os.path.join(folder, "bones.json")
    samples.blender(folder, os.path.join(HERE, "blender_bones.py"), out, str(fps), *files)
    with open(out, encoding="utf-8") as file:
        return json.load(file)


def check(folder, name, read):
    form = samples.clip_form(folder, name)
    failed = 0
    if len(read) != len(form["clips"]):
        print("%s: Blender sees %d clips of %d" % (name, len(read), len(form["clips"])))
        return 1
    for clip, poses in zip(form["clips"], read):
        frames = list(samples.poses(form, clip))
        size = samples.extent(frames)
        worst = 0.0
        for frame, bones in poses.items():
            for bone, matrix in enumerate(frames[int(frame)]):
                worst = max(worst, samples.distance(bones[str(bone)], sampler.multiply(TURN, matrix), size))
        print("%s %s: %.2g of the extent at frames %s" % (name, clip["name"], worst, ", ".join(poses)))
        failed |= not worst <= LIMIT
    return failed


def run(program, folder):
    if shutil.which("blender") is None:
        samples.skip("Blender is not installed")
    failed = 0
    # All at 30 frames per second, so that frames of the clips are frames of Blender's scene.
    names = [name for name in samples.make(program, folder) if name not in ("cloud", "stone", "crowd")]
    read = bones_of(folder, 30, [os.path.join(folder, name + ".glb") for name in names])
    for name in names:
        failed |= check(folder, name, read[os.path.join(folder, name + ".glb")])
    models = [path for path in samples.model_files() if os.path.basename(path) in MODELS]
    captures = [path for path in samples.motion_files() if "cmu_02" in path]
    for fps, files in ((30, models), (120, captures)):
        names = samples.make(program, folder, files) if files else []
        read = bones_of(folder, fps, [os.path.join(folder, name + ".glb") for name in names]) if names else {}
        for name in names:
            failed |= check(folder, name, read[os.path.join(folder, name + ".glb")])
    if not models or not captures:
        print("no models or no motion capture: EMBER_CORPUS is not set")
    return failed


samples.main(run)
