# SPDX-License-Identifier: MIT
"""What the tests of exporting share: the command, a folder of their own, and poses of what the command read."""

import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
for room in ("gltf", "gltf_write", "cli"):
    sys.path.append(os.path.join(HERE, os.pardir, room))

import sampler  # noqa: E402  (found by the path above)

EMBER = None


def main(run):
    """Takes the command's path, gives the test a folder, and ends with its verdict; 77 is "skipped"."""
    global EMBER
    if len(sys.argv) != 2:
        sys.exit("usage: %s PATH-OF-EMBER" % sys.argv[0])
    EMBER = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory(prefix="ember-test-") as folder:
        sys.exit(run(folder))


def skip(why):
    print("skipped: " + why)
    sys.exit(77)


def ember(*words):
    return subprocess.run([EMBER, *words], capture_output=True, timeout=300)


def reads_fbx():
    for line in ember("formats").stdout.decode().splitlines():
        words = line.split()
        if words[:1] == ["fbx"]:
            return words[1] == "yes"
    return False


def read(path, *options):
    """The file as Ember's clips."""
    done = ember("convert", path, "-o", "-", "--to", "json", "-q", *options)
    if done.returncode != 0:
        raise RuntimeError(done.stderr.decode(errors="replace").strip())
    return json.loads(done.stdout)


def compose(bones, pose):
    """Model-space matrices of a local pose."""
    found = []
    for bone, v in zip(bones, pose):
        own = sampler.from_trs(v[4:7], v[0:4], v[7:10])
        found.append(own if bone["parent"] < 0 else sampler.multiply(found[bone["parent"]], own))
    return found
