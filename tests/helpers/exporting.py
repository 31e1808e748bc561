# SPDX-License-Identifier: MIT
"""What the tests of exporting share: the command, a folder of their own, and poses of what the command read."""

import json
import os
import subprocess
import sys
import tempfile

from gltf_compare import compose  # noqa: F401
from testing import skip  # noqa: F401

EMBER = None


def main(run):
    """Takes the command's path, gives the test a folder, and ends with its verdict; 77 is "skipped"."""
    global EMBER
    if len(sys.argv) != 2:
        sys.exit("usage: %s PATH-OF-EMBER" % sys.argv[0])
    EMBER = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory(prefix="ember-test-") as folder:
        sys.exit(run(folder))


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
