# SPDX-License-Identifier: MIT
"""FBX files of a few limbs, one for each of FBX's peculiarities, against matrices by FBX's own formula.
Covers: fbx_clips.c, fbx_convert.c, fbx_meshes.c, fbx_nodes.c, fbx_out.c, fbx_read.c, fbx_scene.c."""

import math
import os

import ascii_fbx
import exporting
from ascii_fbx import Limb

LIMIT = 2e-6  # of the reach of the chain
FRAMES = 12

# By axes, the matrix from the file's space to x right, y up, z to the front.
Y_UP = ((0, 1), (1, 1), (2, 1))
Z_UP = ((0, 1), (2, 1), (1, -1))


def swing(frame):
    return {"r": (30 * math.sin(frame / 3), 20 * math.cos(frame / 4), 5.0 * frame)}


def walk(frame):
    return {"t": (0.1 * frame, 1 + 0.05 * frame, 0.0), "r": (0.0, 3.0 * frame, 0.0)}


def grow(frame):
    return {"s": (1 + 0.1 * frame,) * 3, "r": (0.0, 0.0, 4.0 * frame)}


def stretch(frame):
    return {"s": (1 + 0.1 * frame, 1.0, 1.0)}


def chain(**kinds):
    """hip, knee, foot; what is said of one of them goes there."""
    base = {"hip": dict(t=(0.0, 1.0, 0.0), move=walk), "knee": dict(parent="hip", t=(0.0, -0.5, 0.1), move=swing),
            "foot": dict(parent="knee", t=(0.0, -0.4, 0.0), r=(10.0, 0.0, 0.0))}
    for name, more in kinds.items():
        base[name] = {**base[name], **more}
    return [Limb(name, **what) for name, what in base.items()]


CASES = {
    "plain": dict(limbs=chain()),
    "centimetres": dict(limbs=chain(), unit=1.0),
    "inches": dict(limbs=chain(), unit=2.54),
    "z up": dict(limbs=chain(), axes=Z_UP),
    "z up in centimetres": dict(limbs=chain(), axes=Z_UP, unit=1.0),
    "a take that begins late": dict(limbs=chain(), first=40),
    "PreRotation": dict(limbs=chain(knee=dict(pre=(40.0, 0.0, 25.0)))),
    "PreRotation of a still node": dict(limbs=chain(foot=dict(pre=(40.0, 0.0, 25.0)))),
    "PostRotation": dict(limbs=chain(knee=dict(post=(0.0, 35.0, 10.0)))),
    "PostRotation of a still node": dict(limbs=chain(foot=dict(post=(0.0, 35.0, 10.0)))),
    "both": dict(limbs=chain(hip=dict(pre=(90.0, 0.0, 0.0), post=(0.0, 20.0, 0.0)), knee=dict(pre=(0.0, 15.0, 0.0), post=(12.0, 0.0, -30.0)))),
    "a pivot that is turned around": dict(limbs=chain(knee=dict(pivot=(0.0, 0.2, 0.3)))),
    "scale that is inherited": dict(limbs=chain(hip=dict(s=(2.0, 2.0, 2.0)))),
    "InheritType 2": dict(limbs=chain(hip=dict(s=(2.0, 2.0, 2.0)), knee=dict(inherit=2))),
    "InheritType 2, uneven": dict(limbs=chain(hip=dict(s=(2.0, 0.5, 1.5), move=None), knee=dict(inherit=2, move=None), foot=dict(inherit=2))
                                  + [Limb("toe", parent="foot", t=(0.0, 0.0, 0.2), inherit=2, move=swing)]),
    "InheritType 2, moving scale": dict(limbs=chain(hip=dict(move=grow), knee=dict(inherit=2), foot=dict(inherit=2))),
}


def to_model(axes, unit, m):
    """A node's matrix in metres with y up. Its own axes keep the length they have in the file."""
    turn = [[0.0] * 4 for _ in range(3)] + [[0.0, 0.0, 0.0, 1.0]]
    for row, (axis, sign) in enumerate(axes):
        turn[row][axis] = float(sign)
    turned = ascii_fbx.multiply(turn, m)
    return [[turned[r][c] * (unit / 100 if c == 3 else 1.0) for c in range(4)] for r in range(3)] + [[0.0, 0.0, 0.0, 1.0]]


def check(folder, name, limbs, unit=100.0, axes=Y_UP, first=0):
    path = os.path.join(folder, name.replace(" ", "_") + ".fbx")
    with open(path, "w", encoding="utf-8") as file:
        file.write(ascii_fbx.text(limbs, FRAMES, unit, axes, first))
    form = exporting.read(path)
    names = [bone["name"] for bone in form["bones"]]
    if names != [limb.name for limb in limbs]:
        raise AssertionError("bones %s" % names)
    clip = form["clips"][0]
    if clip["name"] != "Take 001" or len(clip["frames"]) != FRAMES:
        raise AssertionError("clip %s with %d frames" % (clip["name"], len(clip["frames"])))
    reach, worst = 0.0, 0.0
    poses = [(exporting.compose(form["bones"], frame), ascii_fbx.world(limbs, i)) for i, frame in enumerate(clip["frames"])]
    if not any(limb.move for limb in limbs):
        raise AssertionError("nothing moves")
    poses.append((exporting.compose(form["bones"], [bone["rest"] for bone in form["bones"]]), ascii_fbx.world(limbs, None)))
    for found, wanted in poses:
        for m, limb in zip(found, limbs):
            want = to_model(axes, unit, wanted[limb.name])
            reach = max(reach, max(abs(want[r][3]) for r in range(3)))
            worst = max(worst, max(abs(m[r][3] - want[r][3]) for r in range(3)))
            worst = max(worst, max(abs(m[r][c] - want[r][c]) for r in range(3) for c in range(3)) * reach)
    good = worst <= LIMIT * reach
    print("%-32s %.1e of its reach%s" % (name, worst / reach, "" if good else "  TOO FAR"))
    return 0 if good else 1


def check_shear(folder):
    """A turned bone below one that is stretched has no place that translation, rotation and scale could give it: that is said."""
    path = os.path.join(folder, "stretched.fbx")
    with open(path, "w", encoding="utf-8") as file:
        file.write(ascii_fbx.text(chain(hip=dict(move=stretch), knee=dict(inherit=2)), FRAMES))
    said = exporting.ember("convert", path, "-o", os.path.join(folder, "stretched.json")).stderr.decode()
    good = "sheared by" in said and ":Take 001:knee:" in said
    print("a stretched parent                " + ("is said to shear" if good else "FAILED: " + said))
    return 0 if good else 1


def check_verbs(folder):
    """Every verb that takes models takes FBX; a ROM is built of several at once, each read in a process of its own."""
    assets = os.path.join(folder, "assets")
    os.makedirs(assets)
    for name in ("one", "two", "three", "four"):
        with open(os.path.join(assets, name + ".fbx"), "w", encoding="utf-8") as file:
            file.write(ascii_fbx.text(chain(), FRAMES))
    path = os.path.join(assets, "one.fbx")
    for words in (("info", path), ("convert", path, "-o", os.path.join(folder, "one.glb")), ("diff", path, os.path.join(folder, "one.glb")),
                  ("export", "animation", path, "-o", os.path.join(folder, "one.ewzanim")),
                  ("export", "skeleton", path, "-o", os.path.join(folder, "one.ewzskel")),
                  ("build", assets, "-j", "4", "--no-cache", "-o", os.path.join(folder, "game.ewz"))):
        done = exporting.ember(*words)
        if done.returncode != 0:
            print("%s FAILED: %s" % (words[0], done.stderr.decode()))
            return 1
    rom = exporting.ember("info", os.path.join(folder, "game.ewz")).stdout.decode()
    missing = [name for name in ("one", "two", "three", "four") if name not in rom]
    print("info, convert, diff, export, build" + (" FAILED: no %s in the ROM" % missing if missing else " take FBX"))
    return 1 if missing else 0


def run(folder):
    if not exporting.reads_fbx():
        exporting.skip("this build does not read FBX")
    failed = check_shear(folder) + check_verbs(folder)
    for name, case in CASES.items():
        try:
            failed += check(folder, name, **case)
        except (AssertionError, RuntimeError) as problem:
            failed += 1
            print("%-32s FAILED: %s" % (name, problem))
    return 1 if failed else 0


if __name__ == "__main__":
    exporting.main(run)
