# SPDX-License-Identifier: MIT
"""Debian's assimp-testmodels through the command: FBX and BVH with skeletons export, glTF that is broken on purpose gets one line of error."""

import json
import os

import exporting
import test_gltf_broken as test_broken

FOLDER = test_broken.FOLDER

# With a skeleton: bones, and frames at the rate of the keys, as the BVH files say and other importers count them in the FBX files.
SKELETONS = {
    "BVH/01_01.bvh": (31, 2752),
    "BVH/01_03.bvh": (31, 4511),
    "BVH/Boxing_Toes.bvh": (21, 3069),
    "FBX/animation_with_skeleton.fbx": (16, 21),  # 14 bones and two leaves, 20 steps of 1/24 s
    "FBX/huesitos.fbx": (11, 40),  # 9 and two, 39 of 1/25 s
}

# Broken in a mesh or its material alone: who wants animations does not look there, and is told that there are none.
MESHES = ("BoxWithInfinites", "AllIndicesOutOfRange", "IndexOutOfRange", "2CylinderEngine", "badArray", "badExtension", "badNumber", "badObject", "badUint")


def check_skeleton(folder, name, bones, frames):
    path, out = os.path.join(FOLDER, name), os.path.join(folder, os.path.basename(name))
    os.makedirs(out)
    report = os.path.join(out, "report.json")
    for space, limit in (("model", 0.0006), ("local", 0.0006)):
        done = exporting.ember("export", "animation", path, "--all", "-q", "--frame-rate", "source", "--space", space, "-o",
                               os.path.join(out, "{clip}.ewzanim"), "--error-report", report)
        if done.returncode != 0:
            raise AssertionError(done.stderr.decode(errors="replace").strip())
        with open(report, encoding="utf-8") as file:
            rows = json.load(file)["clips"]
        if [(row["bones"], row["frames"]) for row in rows] != [(bones, frames)]:
            raise AssertionError("%s" % [(row["bones"], row["frames"]) for row in rows])
        worst = max(row["max_error"] / row["size"] for row in rows)
        if worst > limit:
            raise AssertionError("off by %.4f %% in %s space" % (worst * 100, space))
    done = exporting.ember("export", "skeleton", path, "-q", "-o", os.path.join(out, "a.ewzskel"))
    if done.returncode != 0:
        raise AssertionError(done.stderr.decode(errors="replace").strip())
    return "%d bones, %d frames, at most %.4f %% off" % (bones, frames, worst * 100)


def check_broken(folder, name, word):
    """The last line is the error, and nothing is written; lines before it may be warnings."""
    in_mesh = any("/%s" % part in name for part in MESHES)
    for kind, want, more in (("animation", "there are no animations in it" if in_mesh else word, ["--all"]), ("mesh", word, [])):
        out = os.path.join(folder, "broken")
        os.makedirs(out, exist_ok=True)
        done = exporting.ember("export", kind, os.path.join(FOLDER, name), *more, "-o", os.path.join(out, "{clip}.ewzanim" if kind == "animation" else "a.ewzmesh"))
        lines = done.stderr.decode(errors="replace").splitlines()
        if done.returncode != 1 or not lines or want not in lines[-1] or not all(": warning: " in line for line in lines[:-1]):
            raise AssertionError("%s: exit %d: %s" % (kind, done.returncode, " / ".join(lines[:3])))
        if os.listdir(out):
            raise AssertionError("something is written")
    return lines[-1].split(": ", 2)[-1]


def run(folder):
    if not os.path.isdir(FOLDER):
        exporting.skip("assimp-testmodels is not installed")
    failed, fbx = 0, exporting.reads_fbx()
    work = [(name, check_skeleton, what) for name, what in SKELETONS.items() if fbx or not name.endswith(".fbx")]
    work += [(name, check_broken, (word,)) for name, word in test_broken.BROKEN.items()]
    for name, check, what in work:
        try:
            print("%s: %s" % (name, check(folder, name, *what)))
        except AssertionError as problem:
            failed += 1
            print("%s FAILED: %s" % (name, problem))
    return 1 if failed else 0


if __name__ == "__main__":
    exporting.main(run)
