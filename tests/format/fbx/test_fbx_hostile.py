# SPDX-License-Identifier: MIT
"""FBX files that are cut, changed or nothing of the kind: one line and exit 1, or a model, whatever assimp makes of them. It runs in a
process of its own, so its crashes are lines too.
Covers: fbx_child.c."""

import glob
import os
import random
import re

import ascii_fbx
import exporting
import test_fbx_ascii

FOLDER = "/usr/share/assimp/models"
CHANGES = 60

# Debian's FBX files that must be refused, and a word of why.
BROKEN = {"FBX/transparentTest.fbx": "offset"}

# Bytes that are no FBX, or not one that anybody reads.
MADE = {
    "empty objects": (b"; FBX 7.4.0 project file\n", "FBX"),
    "only the name": (b"Kaydara FBX Binary  \0\x1a\0", "FBX"),
    "an old version": (b"Kaydara FBX Binary  \0\x1a\0" + (6100).to_bytes(4, "little") + bytes(64), "FBX"),
    "a block beyond the end": (b"Kaydara FBX Binary  \0\x1a\0" + (7400).to_bytes(4, "little") + b"\xff\xff\xff\x7f" * 3 + b"\x04Root", "FBX"),
    "nesting that ends assimp's stack": (b"; FBX 7.4.0 project file\n" + b"A: {\n" * 300000, "broke down"),
}


def one_line(done):
    lines = done.stderr.decode(errors="replace").splitlines()
    return done.returncode == 1 and len(lines) == 1 and lines[0].startswith("ember: ") and not done.stdout


def warnings_only(done):
    lines = done.stderr.decode(errors="replace").splitlines()
    return done.returncode == 0 and all(re.match(r"ember: .*: warning: ", line) for line in lines)


def changed(data, chance):
    """Some bytes other than they were, or the file cut."""
    data = bytearray(data)
    if chance.random() < 0.3:
        return bytes(data[:chance.randrange(len(data))])
    for _ in range(chance.choice((1, 3, 30))):
        at = chance.randrange(27, len(data))
        data[at] = chance.choice((0, 1, 0x7f, 0x80, 0xff, chance.randrange(256)))
    return bytes(data)


def seeds():
    found = [ascii_fbx.text(case["limbs"], test_fbx_ascii.FRAMES).encode() for case in list(test_fbx_ascii.CASES.values())[:1]]
    for name in ("animation_with_skeleton", "huesitos", "phong_cube"):
        path = "%s/FBX/%s.fbx" % (FOLDER, name)
        if os.path.exists(path):
            with open(path, "rb") as file:
                found.append(file.read())
    return found


def check_changed(folder):
    chance, failed, refused, broke = random.Random(20), 0, 0, 0
    path = os.path.join(folder, "changed.fbx")
    for data in seeds():
        for _ in range(CHANGES // 4):
            bytes_now = changed(data, chance)
            with open(path, "wb") as file:
                file.write(bytes_now)
            done = exporting.ember("info", path, "--bones")
            broke += b"broke down" in done.stderr or b"was stopped" in done.stderr
            refused += done.returncode == 1
            if not one_line(done) and not warnings_only(done):
                failed += 1
                print("exit %d: %s" % (done.returncode, done.stderr.decode(errors="replace")[:300]))
    print("changed files: %d refused, assimp broke down over %d of them, %d wrong" % (refused, broke, failed))
    return failed


def check_made(folder):
    failed = 0
    for name, (data, word) in MADE.items():
        path = os.path.join(folder, "made.fbx")
        with open(path, "wb") as file:
            file.write(data)
        done = exporting.ember("info", path)
        good = one_line(done) and word in done.stderr.decode()
        failed += not good
        print("%s: %s" % (name, done.stderr.decode().strip()) + ("" if good else "  WRONG"))
    return failed


def check_debian():
    failed, count = 0, 0
    for path in sorted(glob.glob(FOLDER + "/**/*.fbx", recursive=True) + glob.glob(FOLDER + "/**/*.FBX", recursive=True)):
        name = os.path.relpath(path, FOLDER)
        done = exporting.ember("info", path)
        good = one_line(done) and BROKEN[name] in done.stderr.decode() if name in BROKEN else warnings_only(done)
        failed += not good
        count += 1
        if not good:
            print("%s: exit %d: %s" % (name, done.returncode, done.stderr.decode(errors="replace").strip()))
    print("%d of Debian's files, %d wrong" % (count, failed))
    return failed


def check_no_half_file(folder):
    path, out = os.path.join(folder, "cut.fbx"), os.path.join(folder, "cut.glb")
    with open(path, "wb") as file:
        file.write(seeds()[0][:900])
    done = exporting.ember("convert", path, "-o", out)
    good = done.returncode == 1 and not os.path.exists(out)
    print("a cut file leaves nothing behind" + ("" if good else ": WRONG"))
    return not good


def run(folder):
    if not exporting.reads_fbx():
        exporting.skip("this build does not read FBX")
    failed = check_made(folder) + check_no_half_file(folder) + check_debian() + check_changed(folder)
    return 1 if failed else 0


if __name__ == "__main__":
    exporting.main(run)
