"""`ember ff7` and `ember validate --target ff7`."""

import os
import random
import struct
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cli"))

import model_packs
import reference
import testing
from model_packs import changed, chunks_of


class Verbs(testing.Case):
    def setUp(self):
        super().setUp()
        self.clips, self.data = model_packs.model_pack(9)
        self.write("rtda", self.data)
        self.chunks = chunks_of(self.data)
        os.mkdir(self.path("out"))

    def pack_of(self, *chunks):
        return struct.pack("<I", len(chunks)) + b"".join(chunks)

    def test_list_tells_every_chunk(self):
        lines = self.ember("ff7", "list", "rtda").stdout.decode().splitlines()
        self.assertEqual(lines[0], "rtda: 8 clips, %d B" % len(self.data))
        self.assertEqual([line.split()[1] for line in lines[2:]], [clip["kind"] for clip in self.clips])
        self.assertEqual([int(line.split()[3]) for line in lines[2:]], [len(clip["positions"]) for clip in self.clips])

    def test_clips_are_taken_out(self):
        self.ember("ff7", "extract", "rtda", "3", "0", "-o", "x.a00")
        self.assertEqual(self.read("x.a00"), self.pack_of(self.chunks[3], self.chunks[0]))

    def test_clips_are_removed(self):
        self.ember("ff7", "remove", "rtda", "2", "6", "-o", "x.a00")
        self.assertEqual(self.read("x.a00"), self.pack_of(*(self.chunks[i] for i in (0, 1, 3, 4, 5, 7))))

    def test_clips_are_replaced(self):
        other, data = model_packs.model_pack(10)
        self.write("sada", data)
        self.ember("ff7", "replace", "rtda", "1", "sada", "-o", "x.a00")
        self.assertEqual(changed(self.data, self.read("x.a00")), [1])
        self.assertEqual(chunks_of(self.read("x.a00"))[1], chunks_of(data)[1])
        self.ember("ff7", "replace", "rtda", "1", "sada", "0", "-o", "x.a00")
        self.assertEqual(chunks_of(self.read("x.a00"))[1], chunks_of(data)[0])
        self.write("one.a00", self.pack_of(chunks_of(data)[3]))
        self.ember("ff7", "replace", "rtda", "1", "one.a00", "-o", "x.a00")
        self.assertEqual(chunks_of(self.read("x.a00"))[1], chunks_of(data)[3])

    def test_clips_are_inserted(self):
        self.write("one.a00", self.pack_of(self.chunks[3]))
        for at in (0, 4, 8):
            self.ember("ff7", "insert", "rtda", str(at), "one.a00", "-o", "x.a00")
            self.assertEqual(self.read("x.a00"), self.pack_of(*self.chunks[:at], self.chunks[3], *self.chunks[at:]))

    def test_numbers_that_are_not_there_are_an_error(self):
        for words in (("extract", "rtda", "8"), ("remove", "rtda", "x"), ("replace", "rtda", "8", "rtda"), ("insert", "rtda", "9", "rtda"),
                      ("replace", "rtda", "1", "rtda", "8")):
            self.assertIn("they are 0 to", self.one_line(self.ember("ff7", *words, "-o", "x.a00", code=1)))
        self.assertNotIn("x.a00", self.files())

    def test_wrong_words_are_usage(self):
        for words in (("ff7",), ("ff7", "list"), ("ff7", "eat", "rtda"), ("ff7", "repack", "rtda"), ("ff7", "extract", "rtda", "-o", "x"),
                      ("ff7", "fps", "rtda", "-o", "x"), ("ff7", "fps", "rtda", "--to", "50", "-o", "x"), ("ff7", "repack", "rtda", "--to", "30", "-o", "x"),
                      ("ff7", "repack", "rtda", "rtda", "-o", "x"), ("ff7", "fps", "rtda", "--to", "30", "--loop", "x", "-o", "x")):
            self.one_line(self.ember(*words, code=2))

    def test_repacking_says_what_it_saves(self):
        chance = random.Random(1)
        clips = [reference.random_clip(chance, "body", 20, 30, 0, small=True) for _ in range(4)]
        self.write("bbda", reference.write(clips, masked=True))
        result = self.ember("ff7", "repack", "bbda", "rtda", "-o", "out/")
        self.assertEqual(self.read("out/bbda"), reference.write(clips))
        self.assertEqual([clip["rotations"] for clip in reference.read(self.read("out/rtda"))], [clip["rotations"] for clip in reference.read(self.data)])
        before, after = (sum(len(self.read(folder + name)) for name in ("bbda", "rtda")) for folder in ("", "out/"))
        self.assertIn("2 packs, 7 of 12 clips changed, %s B before, %s B after" % (format(before, ","), format(after, ",")), result.stderr.decode())
        self.assertLess(len(self.read("out/bbda")), 0.75 * len(self.read("bbda")))

    def test_repair_says_what_it_did(self):
        broken = bytearray(self.data)
        broken[4 + 12] = 30  # frames counted in the first clip, of which 12 are there
        damaged = reference.damaged_chunk(self.clips[1])
        self.write("rtda", bytes(broken[:4]) + bytes(broken[4:4 + len(self.chunks[0])]) + damaged + b"".join(self.chunks[2:]))
        result = self.ember("ff7", "repair", "rtda", "-o", "out/")
        self.assertIn(b"body_00: warning: 30 frames are counted, 12 are there: counted anew", result.stderr)
        self.assertIn(b"body_01: warning: its frame counter is missing: 20 frames are there, 4 in the chunk's header: the counter is put in", result.stderr)
        self.assertEqual(reference.read(self.read("out/rtda"))[1]["rotations"], self.clips[1]["rotations"])
        self.assertEqual(chunks_of(self.read("out/rtda"))[2:], self.chunks[2:])
        again = self.ember("ff7", "repair", "out/rtda", "-o", "x.a00")
        self.assertIn(b"0 of 8 clips changed", again.stderr)
        self.assertEqual(self.read("x.a00"), self.read("out/rtda"))

    def test_more_frames_keep_those_that_are_there(self):
        self.write("rtaa", reference.skeleton_file(model_packs.BONES, 4, 1, 4))
        for rate, factor in (("30", 2), ("60", 4)):
            for loop in ("never", "0"):
                self.ember("ff7", "fps", "rtda", "--to", rate, "--loop", loop, "--skeleton", "rtaa", "-o", "x.a00")
                for index, (made, was) in enumerate(zip(reference.read(self.read("x.a00")), reference.read(self.data))):
                    frames = len(was["positions"])
                    if was["kind"] == "special":
                        self.assertEqual(made["bytes"], was["bytes"])
                        continue
                    self.assertEqual(len(made["positions"]), frames * factor if loop == "0" and index in (0, 4) else (frames - 1) * factor + 1)
                    self.assertEqual(made["positions"][::factor][:frames], was["positions"])
                    self.assertEqual([[[v & 4095 for v in t] for t in f] for f in made["rotations"][::factor][:frames]],
                                     [[[v & 4095 for v in t] for t in f] for f in was["rotations"]])

    def test_folders_are_done_at_once(self):
        os.mkdir(self.path("set"))
        os.mkdir(self.path("set/yyda"))
        for name in ("aada", "bbda", "c.a00", "aaaa", "notes.txt"):
            self.write("set/" + name, self.data)
        result = self.ember("ff7", "repair", "set", "-o", "out/")
        self.assertEqual(sorted(os.listdir(self.path("out"))), ["aada", "bbda", "c.a00"])
        self.assertIn(b"3 packs, 0 of 24 clips changed", result.stderr)
        self.assertEqual(self.ember("ff7", "list", "set/").stdout.count(b"8 clips"), 3)
        self.one_line(self.ember("ff7", "repair", "set", "-o", "one", code=2))
        self.one_line(self.ember("ff7", "repair", "out/nothing/", "-o", "out/", code=1))

    def test_a_bad_pack_among_good_ones_is_one_line(self):
        self.write("bad", b"\x05")
        result = self.ember("ff7", "repack", "bad", "rtda", "-o", "out/", code=1)
        self.assertEqual(os.listdir(self.path("out")), ["rtda"])
        self.assertIn(b"ember: bad:", result.stderr)


class Validate(testing.Case):
    def test_findings_decide(self):
        _, data = model_packs.model_pack(11)
        self.write("rtda", data)
        result = self.ember("validate", "--target", "ff7", "rtda")
        self.assertIn(b"FF7011", result.stdout)
        self.assertIn(b"fits ff7: 8 clips", result.stdout)
        self.write("rtda", data[:-30])
        result = self.ember("validate", "--target", "ff7", "rtda", code=1)
        self.assertIn(b"weapon_07: error FF7002", result.stdout)
        self.write("rtda", b"abc")
        self.assertIn(b"error FF7000", self.ember("validate", "--target", "ff7", "rtda", code=1).stdout)


if __name__ == "__main__":
    testing.main()
