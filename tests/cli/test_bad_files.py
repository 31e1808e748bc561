# SPDX-License-Identifier: MIT
"""Files that are not what they say: one clear line that names the file, exit status 1, nothing written, old output untouched."""

import os
import struct
import subprocess

import testing
from testing import ewzanim, hero

GOOD = ewzanim(3, 2)
EZA = struct.pack("<4sBBHHH4B", b"EWZA", 1, 1, 2, 2, 30 * 256, 0, 0, 0, 0) + b"\x03\x08\x20\x80" + 6 * b"\0" + b"\0\x3c"
EZA = EZA + 3 * EZA[16:]


class BadFiles(testing.Case):
    def refused(self, name, *words, says=None):
        """Every reading verb refuses the file."""
        before = self.files()
        for old in (None, b"old"):
            if old:
                self.write("out.json", old)
            result = self.ember("convert", name, "-o", "out.json", *words, code=1)
            line = self.one_line(result)
            self.assertIn(os.fsdecode(name), line)
            if says:
                self.assertIn(says, line)
            self.assertEqual(result.stdout, b"")
            if old:
                self.assertEqual(self.read("out.json"), old)
                os.remove(self.path("out.json"))
            self.assertEqual(self.files(), before)
        result = self.ember("info", name, *words, code=1)
        self.assertIn(os.fsdecode(name), self.one_line(result))
        self.assertEqual(result.stdout, b"")
        return line

    def test_empty(self):
        self.refused(self.write("empty.ewzanim", b""), says="animation data truncated")
        self.refused(self.write("empty.eza", b""))
        self.refused(self.write("empty.json", b""))
        self.refused(self.write("empty", b""))

    def test_every_prefix(self):
        for size in range(len(GOOD)):
            self.refused(self.write("prefix.ewzanim", GOOD[:size]), says="animation data truncated")

    def test_every_prefix_of_the_draft(self):
        self.ember("info", self.write("good.eza", EZA))
        for size in range(len(EZA)):
            self.refused(self.write("prefix.eza", EZA[:size]), says="truncated")

    def test_every_prefix_of_json(self):
        text = hero().encode()[:400] + b" " * 4
        for size in range(0, len(text), 13):
            self.refused(self.write("prefix.json", text[:size]))

    def test_over_long(self):
        self.refused(self.write("long.ewzanim", GOOD + b"\0"), says="animation data has 1 extra byte")
        self.refused(self.write("long.ewzanim", GOOD + b"\0" * 16), says="animation data has 16 extra bytes")
        self.refused(self.write("long.eza", EZA + b"\0" * 3), says="animation data has 3 extra bytes")

    def test_bad_headers(self):
        self.refused(self.write("zero-bones.ewzanim", struct.pack("<BBH", 0, 0, 1)), says="invalid animation header")
        self.refused(self.write("zero-frames.ewzanim", struct.pack("<BBH", 1, 0, 0)), says="invalid animation header")
        self.refused(self.write("flags.ewzanim", ewzanim(1, 1, flags=1)), says="invalid animation header")
        self.refused(self.write("flags.ewzanim", ewzanim(1, 1, flags=128)), says="invalid animation header")

    def test_a_document_reads_only_regular_files_below_its_folder(self):
        document = '{"asset":{"version":"2.0"},"nodes":[{"mesh":0}],"buffers":[{"uri":"%s","byteLength":36}],"bufferViews":[{"buffer":0,"byteLength":36}],' \
                   '"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}],"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}]}'
        os.makedirs(self.path("in/sub"))
        self.write("secret.bin", bytes(36))
        self.write("in/real.bin", bytes(36))
        os.symlink("../secret.bin", self.path("in/link.bin"))
        os.symlink("..", self.path("in/up"))
        os.symlink("../real.bin", self.path("in/sub/inside.bin"))
        os.mkfifo(self.path("in/pipe.bin"))
        for uri, says in (("link.bin", "a link leads out of the document's folder"), ("up/secret.bin", "a link leads out"),
                          ("pipe.bin", "it is not a regular file"), ("sub", "it is not a regular file")):
            self.write("in/a.gltf", document % uri)
            line = self.one_line(self.ember("info", "in/a.gltf", code=1))
            self.assertIn(says, line)
        for uri in ("real.bin", "sub/inside.bin"):
            self.write("in/a.gltf", document % uri)
            self.ember("info", "in/a.gltf")
        os.symlink("in", self.path("linked"))  # where the folder itself lies does not matter
        self.write("in/a.gltf", document % "real.bin")
        self.ember("info", "linked/a.gltf")

    def test_not_files_of_ours(self):
        os.mkdir(self.path("folder.ewzanim"))
        self.refused("folder.ewzanim", says="folder")
        self.refused("missing.ewzanim", says="No such file")
        self.refused(self.write("picture.png", b"\x89PNG\r\n\x1a\n" + bytes(64)), says="not a kind of file")
        self.refused(self.write("noise", bytes(range(256))), says="not a kind of file")
        self.refused(self.write("other.json", b'{"format":"something-else","version":1}'))
        self.refused(self.write("list.json", b"[1,2,3]"))

    def test_a_wrong_kind_that_was_asked_for(self):
        self.refused(self.write("walk.ewzanim", GOOD), "--from", "json")
        self.refused(self.write("hero.json", hero()), "--from", "ewzanim")
        self.refused(self.write("hero.json", hero()), "--from", "eza")

    def test_odd_names_stay_on_one_line(self):
        for name in ("two\nlines.ewzanim", "tab\there.ewzanim", "red\x1b[31m.ewzanim", "-dash.ewzanim"):
            self.write(name, b"\1")
            result = self.ember("info", "--", name, code=1)
            line = self.one_line(result)
            self.assertNotIn("\x1b", line)
            self.assertIn(name[:2], line)
        name = b"not-\xff-utf8.ewzanim"
        self.write(os.fsdecode(name), b"\1")
        self.assertIn("not-\\xff-utf8.ewzanim", self.one_line(self.ember("info", name, code=1)))

    def test_bad_standard_input(self):
        for data in (b"", GOOD[:9], b"hello"):
            result = self.ember("convert", "-", "-o", "-", "--from", "ewzanim", "--to", "json", data=data, code=1)
            self.assertIn("standard input", self.one_line(result))
            self.assertEqual(result.stdout, b"")

    def test_one_bad_file_does_not_stop_the_others(self):
        self.write("a.ewzanim", GOOD)
        self.write("b.ewzanim", GOOD[:-1])
        self.write("c.ewzanim", GOOD)
        result = self.ember("info", "a.ewzanim", "b.ewzanim", "c.ewzanim", code=1)
        self.assertIn("b.ewzanim", self.one_line(result))
        self.assertIn(b"a.ewzanim:", result.stdout)
        self.assertIn(b"c.ewzanim:", result.stdout)
        result = self.ember("convert", "a.ewzanim", "b.ewzanim", "c.ewzanim", "-o", "{clip}.json", code=1)
        self.assertIn("b.ewzanim", self.one_line(result))
        self.assertEqual(self.files(), ["a.ewzanim", "a.json", "b.ewzanim", "c.ewzanim", "c.json"])

    def test_a_merge_with_a_bad_file_writes_nothing(self):
        self.write("a.ewzanim", GOOD)
        self.write("b.ewzanim", GOOD[:-1])
        self.one_line(self.ember("convert", "a.ewzanim", "b.ewzanim", "-o", "both.json", code=1))
        self.assertEqual(self.files(), ["a.ewzanim", "b.ewzanim"])

    def test_places_that_cannot_be_written(self):
        self.write("a.ewzanim", GOOD)
        self.assertIn("no/such/a.json", self.one_line(self.ember("convert", "a.ewzanim", "-o", "no/such/a.json", code=1)))
        self.write("file", b"x")
        self.one_line(self.ember("convert", "a.ewzanim", "-o", "file/", "--to", "json", code=1))
        self.assertEqual(self.files(), ["a.ewzanim", "file"])

    def test_full_disk(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("no /dev/full here")
        self.write("a.ewzanim", GOOD)
        with open("/dev/full", "wb") as full:
            result = subprocess.run([testing.EMBER, "info", "a.ewzanim"], cwd=self.folder, stdout=full, stderr=subprocess.PIPE)
        self.assertEqual(result.returncode, 1)
        self.assertIn(b"standard output", result.stderr)
        self.one_line(self.ember("convert", "a.ewzanim", "-o", "/dev/full", "--to", "json", code=1))

    def test_numbers_that_do_not_fit_the_target(self):
        far = testing.document(testing.ARM, [{"name": "far", "space": "model", "frames": [
            [testing.IDENTITY] * 3, [testing.IDENTITY, testing.turn(0, 0, (70000, 0, 0)), testing.IDENTITY]]}])
        self.write("far.json", far)
        line = self.one_line(self.ember("convert", "far.json", "-o", "far.ewzanim", code=1))
        self.assertIn("far.json:far:upper: frame 1: ", line)
        self.assertIn("70000", line)
        self.assertEqual(self.files(), ["far.json"])


if __name__ == "__main__":
    testing.main()
