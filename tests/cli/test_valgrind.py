# SPDX-License-Identifier: MIT
"""Bad files under valgrind: no read beyond the end, nothing uninitialised, nothing left allocated."""

import os
import shutil
import struct
import subprocess
import sys

import testing
from testing import ewzanim, hero


class Valgrind(testing.Case):
    def clean(self, *words, code):
        result = subprocess.run(
            ["valgrind", "-q", "--error-exitcode=99", "--leak-check=full", "--errors-for-leak-kinds=definite,indirect", testing.EMBER, *words],
            cwd=self.folder, capture_output=True, timeout=300, env={**os.environ, "EMBER_ISA": "scalar"})
        self.assertEqual(result.returncode, code, "%s\n%s" % (words, result.stderr.decode(errors="replace")))

    def test_bad_keyframes(self):
        good = ewzanim(2, 2)
        for data in (b"", good[:1], good[:3], good[:4], good[:19], good[:-1], good + b"x", struct.pack("<BBH", 0, 0, 1),
                     struct.pack("<BBH", 1, 0, 0), ewzanim(1, 1, flags=9)):
            self.write("bad.ewzanim", data)
            self.clean("convert", "bad.ewzanim", "-o", "out.json", code=1)
        self.clean("validate", "bad.ewzanim", "--target", "ewz", code=1)

    def test_bad_json(self):
        for size in (0, 1, 60, 300, 700):
            self.write("bad.json", hero()[:size])
            self.clean("info", "bad.json", code=1)

    def test_good_files(self):
        self.write("hero.json", hero())
        self.clean("convert", "hero.json", "-o", "{clip}.ewzanim", code=0)
        self.clean("convert", "hero.json", "-o", "x.eza", "--clip", "run", "--record", "D", code=0)
        self.clean("diff", "hero.json", "walk.ewzanim", "--clip", "walk", "--frames", code=0)
        self.clean("info", "--format", "json", "--bones", "hero.json", "walk.ewzanim", code=0)
        self.clean("validate", "hero.json", "walk.ewzanim", "--target", "ewz", "--format", "json", code=0)
        self.clean("convert", "walk.ewzanim", "hero.json", "-o", "x.json", code=1)
        self.clean("convert", "--unknown", code=2)


if __name__ == "__main__":
    if shutil.which("valgrind") is None:
        testing.skip("there is no valgrind")
    with open(sys.argv[1], "rb") as command:
        if b"__asan_init" in command.read():
            testing.skip("the command is built with sanitizers")
    testing.main()
