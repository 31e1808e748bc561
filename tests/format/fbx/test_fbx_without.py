# SPDX-License-Identifier: MIT
"""What a build without assimp says when it is asked for FBX.
Covers: fbx_sniff.c."""

import os

import exporting


def run(folder):
    if exporting.reads_fbx():
        exporting.skip("this build reads FBX")
    path = os.path.join(folder, "a.fbx")
    with open(path, "w", encoding="utf-8") as file:
        file.write("; FBX 7.4.0 project file\n")
    failed = 0
    for words in (("info", path), ("convert", path, "-o", os.path.join(folder, "a.glb")),
                  ("export", "animation", path, "-o", os.path.join(folder, "a.ewzanim")), ("info", "--from", "fbx", path)):
        done = exporting.ember(*words)
        said = done.stderr.decode().splitlines()
        good = done.returncode == 1 and len(said) == 1 and "this build does not read FBX: " in said[0]
        failed += not good
        print("%s: %s" % (words[0], " / ".join(said)) + ("" if good else "  WRONG"))
    formats = exporting.ember("formats").stdout.decode()
    failed += "without assimp" not in formats
    return 1 if failed else 0


if __name__ == "__main__":
    exporting.main(run)
