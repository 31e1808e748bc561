# SPDX-License-Identifier: MIT
"""The library's squeezed blocks, decoded by the independent decoder: squeeze_samples writes blocks and what was squeezed to a folder.

    test_squeeze_decoder.py SAMPLES_PROGRAM SQUEEZE_MD"""

import glob
import os
import struct
import subprocess
import sys
import tempfile

import squeeze_decoder


def read_sample(path):
    data = open(path, "rb").read()
    bones, frames, has_parents, has_offsets, size = struct.unpack_from("<5I", data)
    at = 20

    def take(count):
        nonlocal at
        at += count
        return data[at - count : at]

    rest = take(16 * bones)
    parents = list(struct.unpack("<%dh" % bones, take(2 * bones)))
    offsets = struct.unpack("<%df" % (3 * bones), take(12 * bones))
    expected = take(16 * bones * frames)
    block = take(size)
    assert at == len(data), path
    offsets = [x if -131072.0 <= x <= 131072.0 else 0.0 for x in offsets] if has_offsets else [0.0] * 3 * bones
    rig = squeeze_decoder.Rig([rest[16 * b : 16 * b + 16] for b in range(bones)], parents if has_parents else [-1] * bones,
                              [offsets[3 * b : 3 * b + 3] for b in range(bones)])
    return block, rig, expected, frames


def main():
    program, document = sys.argv[1:]
    squeeze_decoder.Small.tables = squeeze_decoder.code_tables(document)
    compared = {0: 0, 1: 0, 2: 0}
    with_parents = 0
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([program, folder], check=True)
        for path in sorted(glob.glob(os.path.join(folder, "*.sample"))):
            block, rig, expected, frames = read_sample(path)
            got = squeeze_decoder.decode(block, rig)
            name = os.path.basename(path)
            if len(got) != frames or b"".join(got) != expected:
                wrong = [f for f in range(frames) if got[f] != expected[f * len(got[f]) : (f + 1) * len(got[f])]]
                sys.exit("%s: frames %s of %d differ" % (name, wrong[:5], frames))
            compared[block[0]] += frames
            with_parents += frames if block[0] == 2 and len(block) > 4 and block[4] == 1 else 0
    print("frames that agree: raw %d, quick %d, small %d, of them with parents %d" % (compared[0], compared[1], compared[2], with_parents))
    assert min(compared.values()) > 100 and with_parents > 100, "too few samples"


main()
