# SPDX-License-Identifier: MIT
"""Models of EMBER_CORPUS to .ewzanim in local space and back to .glb: `ember diff` finds no more between the two than storing cost, and finds
that much."""

import json
import os

import exporting
import gltf_sampler as sampler

MODELS = {"CesiumMan.glb": 0, "Fox.glb": 1, "Knight.glb": 20, "RiggedFigure.glb": 0, "KenneyCharacter.glb": 2, "RobotExpressive.glb": 3}


def must(*words):
    done = exporting.ember(*words)
    if done.returncode != 0:
        raise AssertionError("%s: %s" % (" ".join(words[:2]), done.stderr.decode(errors="replace").strip()))
    return done


def check(folder, path, number):
    clip, bones, back, report = (os.path.join(folder, name) for name in ("a.ewzanim", "a.ewzskel", "back.glb", "report.json"))
    must("export", "animation", path, "--animation", str(number), "--space", "local", "-q", "-o", clip, "--error-report", report)
    must("export", "skeleton", path, "-q", "-o", bones)
    must("convert", clip, "--source-space", "local", "--skeleton", bones, "--fps", "30", "-q", "-o", back)
    with open(report, encoding="utf-8") as file:
        (row,) = json.load(file)["clips"]
    # The same clip, whatever it is called now.
    names = [animation.get("name", "") for animation in sampler.Document(path).json["animations"]]
    options = ("--shell", "%.9g" % (row["size"] / 60), *(("--clip", names[number]) if len(names) > 1 else ()))
    done = exporting.ember("diff", path, back, "--tolerance", "%.9g" % (row["max_error"] * 1.01), *options)
    if done.returncode != 0:
        raise AssertionError("diff finds more than %g: %s" % (row["max_error"], (done.stdout + done.stderr).decode()))
    if exporting.ember("diff", path, back, "--tolerance", "%.9g" % (row["max_error"] * 0.99), *options).returncode != 1:
        raise AssertionError("diff finds less than %g" % row["max_error"])
    return row["max_error"] / row["size"]


def run(folder):
    corpus = os.environ.get("EMBER_CORPUS")
    if not corpus:
        exporting.skip("EMBER_CORPUS is not set")
    failed = 0
    for name, number in MODELS.items():
        try:
            print("%-20s %.4f %% of its size" % (name, check(folder, os.path.join(corpus, "gltf", name), number) * 100))
        except AssertionError as problem:
            failed += 1
            print("%-20s FAILED: %s" % (name, problem))
    return 1 if failed else 0


if __name__ == "__main__":
    exporting.main(run)
