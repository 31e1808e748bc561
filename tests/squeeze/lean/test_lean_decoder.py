# SPDX-License-Identifier: MIT
"""Lean clips of the library, decoded and measured by the independent decoder, keep their bound at 0.05, 0.1, 0.3, 1 and 3 mm: clips made for this, and every clip
of EMBER_CORPUS where it is set.

    test_lean_decoder.py SAMPLES_PROGRAM LEAN_MD"""
import concurrent.futures
import glob
import os
import struct
import subprocess
import sys
import tempfile

import lean_decoder

# Singles against doubles: what the decoder's rounding may add, in parts of how far out the bones are.
ROUNDING = 5e-7


def check(path, rows):
    """(clips, worst share of a bound, complaints)"""
    with open(path, "rb") as file:
        data = file.read()
    bones, frames, rig_size, count = struct.unpack_from("<4I", data)
    at = 16 + rig_size
    rig = lean_decoder.Rig(data[16:at])
    parents = struct.unpack_from(f"<{bones}i", data, at)
    at += 4 * bones
    numbers = struct.unpack_from(f"<{10 * bones * frames}f", data, at)
    at += 40 * bones * frames
    source, far = [], 0.0
    for f in range(frames):
        pose = []
        for bone in range(bones):
            t = numbers[10 * (f * bones + bone):10 * (f * bones + bone) + 10]
            pose.append((lean_decoder.unit(t[:4]), t[4:7], t[7:10]))
        source.append(lean_decoder.compose(pose, parents))
        far = max(far, max(abs(x) for bone in source[-1] for x in bone[3]))
    share, complaints = 0.0, []
    for _ in range(count):
        bound, size = struct.unpack_from("<fI", data, at)
        clip = lean_decoder.Clip(data[at + 8:at + 8 + size], rig, rows)
        at += 8 + size
        assert clip.frames == frames
        worst, seen = 0.0, 0
        for f, pose in clip.poses():
            worst = max(worst, max(lean_decoder.errors(source[f], lean_decoder.compose(pose, parents), rig.shell)))
            seen += 1
        if seen != frames or not worst <= clip.error + ROUNDING * far or not clip.error <= bound:
            complaints.append(f"{os.path.basename(path)}: off by {worst:g}, says {clip.error:g}, may be {bound:g}, {seen} of {frames} frames")
        share = max(share, worst / bound)
    assert at == len(data), path
    return count, share, complaints


def main():
    program, document = sys.argv[1:]
    rows = lean_decoder.templates(document)
    corpus = bool(os.environ.get("EMBER_CORPUS"))
    failed, clips, share = [], 0, 0.0
    for option in ([], ["--corpus"]) if corpus else ([],):
        with tempfile.TemporaryDirectory() as folder, concurrent.futures.ProcessPoolExecutor(2) as pool:
            subprocess.run([program, folder, *option], check=True)
            paths = sorted(glob.glob(f"{folder}/*.lean"))
            assert paths, "no samples were written"
            for count, most, complaints in pool.map(check, paths, [rows] * len(paths)):
                clips += count
                share = max(share, most)
                failed += complaints
    print("\n".join(failed), end="\n" if failed else "")
    print(f"{clips} clips{'' if corpus else ', none of EMBER_CORPUS, which is not set'}: the largest error is {share:.4f} of its bound")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
