# SPDX-License-Identifier: MIT
"""Khronos' glTF validator finds neither errors nor warnings in anything that is written. It is looked for in NODE_PATH and in
node_modules beside this file (npm install gltf-validator)."""

import glob
import json
import os
import shutil
import subprocess

import gltf_samples as samples

HERE = os.path.dirname(os.path.abspath(__file__))


def find_validator():
    places = os.environ.get("NODE_PATH", "").split(os.pathsep) + [os.path.join(HERE, "node_modules")]
    for place in places:
        if place and os.path.isdir(os.path.join(place, "gltf-validator")):
            return place
    return None


def run(program, folder):
    node, place = shutil.which("node") or shutil.which("nodejs"), find_validator()
    if node is None or place is None:
        samples.skip("no node" if node is None else "no gltf-validator in NODE_PATH or %s/node_modules" % HERE)
    samples.make(program, folder)
    files = samples.motion_files() + samples.model_files()
    if files:
        samples.make(program, folder, files)
    written = sorted(glob.glob(os.path.join(folder, "*.glb")) + glob.glob(os.path.join(folder, "*.gltf")))
    # A file that must fail, so that a validator that says nothing is not taken for a good one.
    broken = os.path.join(folder, "broken.gltf")
    with open(broken, "w", encoding="utf-8") as file:
        json.dump({"asset": {"version": "2.0"}, "nodes": [{"children": [0]}]}, file)
    result = subprocess.run([node, os.path.join(HERE, "validate.js"), *written, broken], capture_output=True, timeout=600,
                            env=dict(os.environ, NODE_PATH=place))
    reports = [json.loads(line) for line in result.stdout.decode().splitlines()]
    if len(reports) != len(written) + 1 or reports[-1]["errors"] == 0:
        print("the validator did not do its work: " + result.stderr.decode(errors="replace"))
        return 1
    bad = [report for report in reports[:-1] if report["errors"] or report["warnings"]]
    for report in bad:
        print(json.dumps(report))
    print("%d files, %d with errors or warnings" % (len(written), len(bad)))
    return 1 if bad else 0


samples.main(run)
