# SPDX-License-Identifier: MIT
"""What every test of the command starts with: running it, making files, and the formats' arithmetic done independently."""

import json
import math
import os
import random
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

EMBER = None


def main():
    """Takes the command's path from the command line and runs the calling script's tests."""
    global EMBER
    if len(sys.argv) < 2:
        sys.exit("usage: %s PATH-OF-EMBER [test...]" % sys.argv[0])
    EMBER = os.path.abspath(sys.argv.pop(1))
    unittest.main(module="__main__", verbosity=1)


def skip(why):
    """Ends the whole script; ctest takes 77 for "skipped"."""
    print("skipped: " + why)
    sys.exit(77)


def blender(home, script, *words):
    """Runs a script in Blender, or skips. It finds its Python by PATH; in an environment of its own it finds the one that has numpy."""
    command = ["env", "-i", "PATH=/usr/local/bin:/usr/bin:/bin", "HOME=" + home, "blender", "-b", "--factory-startup", "--python-exit-code", "3",
               "--python", script, "--", *words]
    done = subprocess.run(command, capture_output=True, timeout=1200)
    text = (done.stdout + done.stderr).decode(errors="replace")
    if "No module named 'numpy'" in text:
        skip("Blender has no numpy")
    if done.returncode != 0:
        raise RuntimeError(text[-2000:])


def keep_files_in_memory():
    """The command makes sure that every file reaches the disk, which is most of the time that thousands of them take."""
    if os.path.isdir("/dev/shm") and os.access("/dev/shm", os.W_OK):
        tempfile.tempdir = "/dev/shm"


class Case(unittest.TestCase):
    """A test in a folder of its own."""

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="ember-test-")
        self.addCleanup(shutil.rmtree, self.folder)

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, data):
        with open(self.path(name), "wb") as file:
            file.write(data if isinstance(data, bytes) else data.encode("utf-8", "surrogateescape"))
        return name

    def read(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def read_json(self, name):
        return json.loads(self.read(name).decode("utf-8"))

    def files(self):
        found = []
        for folder, _, names in os.walk(self.folder):
            found += [os.path.relpath(os.path.join(folder, name), self.folder) for name in names]
        return sorted(found)

    def run_ember(self, *words, data=b"", env=None):
        """Runs the command in the test's folder; words may be bytes."""
        variables = {key: value for key, value in os.environ.items() if key != "NO_COLOR"}
        variables.update(env or {})
        return subprocess.run([EMBER, *words], input=data, cwd=self.folder, env=variables, capture_output=True, timeout=120)

    def ember(self, *words, code=0, **more):
        """Runs the command and expects this exit status."""
        result = self.run_ember(*words, **more)
        self.assertEqual(result.returncode, code, "ember %s\n%s%s" % (words, result.stdout.decode(errors="replace"), result.stderr.decode(errors="replace")))
        return result

    def one_line(self, result):
        """The only line on standard error."""
        lines = result.stderr.decode("utf-8").splitlines()
        self.assertEqual(len(lines), 1, result.stderr)
        self.assertTrue(lines[0].startswith("ember: "), lines[0])
        return lines[0]


# ---- arithmetic in single precision: every operation rounded, computed in double ----

def f32(value):
    return struct.unpack("<f", struct.pack("<f", value))[0]


SCALE = f32(1.0 / 511.5)
SQRT2_INV = f32(0.70710678118654752)
COMPONENT = [f32(f32(f32(code * SCALE) - 1.0) * SQRT2_INV) for code in range(1024)]


def decode_rotation(packed):
    a, b, c = (COMPONENT[packed >> shift & 1023] for shift in (22, 12, 2))
    rest = f32(f32(f32(1.0 - f32(a * a)) - f32(b * b)) - f32(c * c))
    largest = f32(math.sqrt(max(rest, 0.0)))
    values = [a, b, c]
    values.insert(packed & 3, largest)
    return values


def encode_rotation(q):
    """v2's formula in double, for rotations that are not near a tie."""
    largest = max(range(4), key=lambda i: abs(q[i]))
    sign = -1.0 if q[largest] < 0 else 1.0
    codes = [int(math.floor((sign * q[i] * math.sqrt(2.0) + 1.0) * 511.5 + 0.5)) for i in range(4) if i != largest]
    a, b, c = (min(max(code, 0), 1023) for code in codes)
    return a << 22 | b << 12 | c << 2 | largest


def decode_record(data):
    """16 bytes to [qx,qy,qz,qw,px,py,pz,sx,sy,sz]."""
    packed, *halves = struct.unpack("<I6e", data)
    return decode_rotation(packed) + halves


def ewzanim(bones, frames, records=None, seed=1, flags=0):
    """A file; without records, of random rotations an encoder could have written, small positions and scale 1."""
    if records is None:
        chance = random.Random(seed)
        records = b"".join(
            struct.pack("<I6e", encode_rotation(random_rotation(chance)), *(chance.uniform(-2, 2) for _ in range(3)), 1.0, 1.0, 1.0)
            for _ in range(bones * frames)
        )
    return struct.pack("<BBH", bones, flags, frames) + records


def random_rotation(chance):
    while True:
        q = [chance.gauss(0, 1) for _ in range(4)]
        length = math.sqrt(sum(v * v for v in q))
        if length > 1e-3:
            return [v / length for v in q]


IDENTITY = [0, 0, 0, 1, 0, 0, 0, 1, 1, 1]


def turn(axis, degrees, position=(0, 0, 0), scale=(1, 1, 1)):
    """A transform that turns about x, y or z (0, 1, 2)."""
    q = [0.0, 0.0, 0.0, math.cos(math.radians(degrees) / 2)]
    q[axis] = math.sin(math.radians(degrees) / 2)
    return q + list(position) + list(scale)


def document(bones, clips):
    """A JSON clip document. bones: (name, parent, rest); clips: dicts with name and frames, other keys as they are."""
    made = []
    for clip in clips:
        entry = {"name": "clip", "fps": 30, "loop": False, "space": "local"}
        entry.update(clip)
        entry["frame_count"] = len(entry["frames"])
        made.append(entry)
    return json.dumps({
        "format": "ember-clip",
        "version": 1,
        "bones": [{"name": name, "parent": parent, "rest": rest} for name, parent, rest in bones],
        "clips": made,
    })


ARM = [("hip", -1, turn(2, 0, (0, 1, 0))), ("upper", 0, turn(2, 0, (0, 0.5, 0))), ("hand", 1, turn(2, 0, (0, 0.4, 0)))]


def arm_frames(count, speed=7.0):
    """Frames of a bending arm on ARM, in local space."""
    return [[turn(1, speed * i, (0, 1, 0)), turn(2, 3 * speed * i, (0, 0.5, 0)), turn(0, -speed * i, (0, 0.4, 0))] for i in range(count)]


def hero():
    """Three bones, three clips with rates, loops and markers."""
    return document(ARM, [
        {"name": "idle", "fps": 15, "loop": True, "frames": arm_frames(4, 1.0)},
        {"name": "walk", "fps": 30, "loop": True, "frames": arm_frames(12), "markers": [{"name": "step", "frame": 3}, {"name": "step", "frame": 9}]},
        {"name": "run", "fps": 24, "frames": arm_frames(8, 15.0)},
    ])
