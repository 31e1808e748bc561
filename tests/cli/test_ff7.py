# SPDX-License-Identifier: MIT
"""ember ff7 and validate --target ff7: chunks listed and moved by number, packs interpolated, repacked and repaired, alone and by the folder.

Covers: ff7_options.c.
"""

import json
import os
import random
import struct
import sys

import ff7_model_packs as model_packs
import ff7_reference as reference
import testing
from ff7_model_packs import BONES, CLIPS, chunks_of, smooth_clip


def pack_of(chunks, count=None):
    return struct.pack("<I", len(chunks) if count is None else count) + b"".join(chunks)


class Packs(testing.Case):
    def setUp(self):
        super().setUp()
        model_packs.give(self)
        other = random.Random(9)
        self.other = pack_of([reference.write_chunk(smooth_clip(other, "body", 8, 5)), reference.write_chunk(smooth_clip(other, "body", 8, 6), masked=True)])
        self.write("otda", self.other)


class Editing(Packs):
    def test_list_gives_every_chunk_in_order(self):
        root = json.loads(self.ember("ff7", "list", "rtda", "--format", "json").stdout)
        chunks = root["files"][0]["chunks"]
        self.assertEqual([c["kind"] for c in chunks], [c["kind"] for c in self.clips])
        self.assertEqual([c["frames"] for c in chunks], [len(c["positions"]) for c in self.clips])
        self.assertEqual([c["bytes"] for c in chunks], [len(c) for c in chunks_of(self.data)])
        self.assertEqual(chunks[0]["with"], 4)
        self.assertEqual(chunks[5]["with"], 1)
        self.assertIsNone(chunks[2]["with"])
        self.assertIn("special", self.ember("ff7", "list", "rtda").stdout.decode())

    def test_extract_copies_the_chunks_named(self):
        self.ember("ff7", "extract", "rtda", "1", "4-5", "-o", "some.a00")
        chunks = chunks_of(self.data)
        self.assertEqual(self.read("some.a00"), pack_of([chunks[1], chunks[4], chunks[5]]))

    def test_extract_of_all_is_the_pack(self):
        self.ember("ff7", "extract", "rtda", "0-7", "-o", "some.a00")
        self.assertEqual(self.read("some.a00"), self.data)

    def test_replace_changes_one_chunk(self):
        self.ember("ff7", "replace", "rtda", "1", "otda:1", "-o", "new")
        chunks = chunks_of(self.data)
        chunks[1] = chunks_of(self.other)[1]
        self.assertEqual(self.read("new"), pack_of(chunks))
        self.ember("ff7", "replace", "rtda", "0", "otda", "-o", "rtda", "--in-place")
        self.assertEqual(chunks_of(self.read("rtda"))[0], chunks_of(self.other)[0])

    def test_replacing_by_other_bones_is_warned_of(self):
        self.write("weda", pack_of([reference.write_chunk(smooth_clip(random.Random(1), "body", 5, 4))]))
        self.assertIn("5 triples a frame", self.one_line_with(self.ember("ff7", "replace", "rtda", "1", "weda", "-o", "new"), "warning"))

    def one_line_with(self, result, word):
        lines = [line for line in result.stderr.decode().splitlines() if word in line]
        self.assertEqual(len(lines), 1, result.stderr)
        return lines[0]

    def test_remove_moves_the_others_up_and_says_so(self):
        result = self.ember("ff7", "remove", "rtda", "1-2", "-o", "new")
        chunks = chunks_of(self.data)
        self.assertEqual(self.read("new"), pack_of(chunks[:1] + chunks[3:]))
        self.assertIn(b"--slot", result.stderr)

    def test_remove_can_leave_empty_slots(self):
        result = self.ember("ff7", "remove", "rtda", "0", "--slot", "-o", "new")
        made = chunks_of(self.read("new"))
        self.assertEqual(made[0][8:], bytes([4, 0, 0, 0, 0x30, 0x1A, 0, 0]))
        self.assertEqual(made[1:], chunks_of(self.data)[1:])
        self.assertNotIn(b"warning", result.stderr)

    def test_removing_the_last_warns_of_nothing(self):
        self.assertNotIn(b"warning", self.ember("ff7", "remove", "rtda", "7", "-o", "new").stderr)

    def test_insert_puts_it_before_a_chunk_or_at_the_end(self):
        chunks, one = chunks_of(self.data), chunks_of(self.other)[0]
        self.ember("ff7", "insert", "rtda", "2", "otda", "-o", "new")
        self.assertEqual(self.read("new"), pack_of(chunks[:2] + [one] + chunks[2:]))
        self.ember("ff7", "insert", "rtda", "8", "otda", "-o", "new")
        self.assertEqual(self.read("new"), pack_of(chunks + [one]))

    def test_wrong_numbers_are_one_line_and_nothing_is_written(self):
        for words, text in ((("extract", "rtda", "8"), "there is no chunk 8, the last is 7"),
                            (("extract", "rtda", "x"), "'x' is not a chunk's number"),
                            (("remove", "rtda", "5-3"), "'5-3' runs backwards"),
                            (("insert", "rtda", "9", "otda"), "there is no chunk 9, the last is 8"),
                            (("replace", "rtda", "0", "otda:2"), "there is no chunk 2, the last is 1"),
                            (("replace", "rtda", "0", "none"), "none")):
            self.assertIn(text, self.one_line(self.ember("ff7", *words, "-o", "new", code=1)))
            self.assertFalse(os.path.exists(self.path("new")))

    def test_insert_in_the_middle_says_that_numbers_move(self):
        self.one_line_with(self.ember("ff7", "insert", "rtda", "2", "otda", "-o", "new"), "later chunks have other numbers now")
        self.assertNotIn(b"warning", self.ember("ff7", "insert", "rtda", "8", "rtda:7", "-o", "new").stderr)

    def test_what_is_odd_about_the_whole_pack_is_said(self):
        chunks = chunks_of(self.data)
        self.write("moda", pack_of(chunks, 20))
        self.write("tada", self.data + b"19 bytes of nothing")
        self.assertIn("20 chunks are counted, 8 are there", self.ember("ff7", "list", "moda").stdout.decode())
        self.assertIn("19 bytes follow the last chunk", self.ember("ff7", "list", "tada").stdout.decode())
        self.assertEqual(json.loads(self.ember("ff7", "list", "tada", "--format", "json").stdout)["files"][0]["bytes_behind"], 19)
        for words in (("replace", "moda", "0", "otda"), ("repack", "moda"), ("fps", "moda", "--to", "30"), ("repair", "moda")):
            self.one_line_with(self.ember("ff7", *words, "-o", "new"), "20 c")
        for words, fate in ((("remove", "tada", "7"), "kept"), (("repair", "tada"), "kept"), (("fps", "tada", "--to", "30"), "kept"),
                            (("repack", "tada"), "dropped"), (("extract", "tada", "7"), "dropped")):
            self.one_line_with(self.ember("ff7", *words, "-o", "new"), "19 bytes follow the last chunk: " + fate)
            self.assertEqual(self.read("new").endswith(b"19 bytes of nothing"), fate == "kept", words)

    def test_a_last_chunk_that_is_cut_is_not_mended_in_silence(self):
        self.write("cuda", self.data[:-40])
        for words in (("remove", "cuda", "0", "--slot"), ("repack", "cuda"), ("fps", "cuda", "--to", "30")):
            self.one_line_with(self.ember("ff7", *words, "-o", "new"), "chunk 7: the file ends in it")

    def test_other_files_are_left_alone(self):
        self.ember("convert", "rtda", "--skeleton", "rtaa", "-o", "cloud.glb")
        self.write("notes.txt", b"What I have to do with this pack before I give it to anybody else.\n" * 9)
        self.write("null.a00", bytes(4) + b"behind no chunk at all")
        for name, text in (("cloud.glb", "is glb, not a pack"), ("notes.txt", "not a pack"), ("null.a00", "not a pack")):
            before = self.read(name)
            for words in (("repack", name), ("repair", name), ("fps", name, "--to", "60"), ("remove", name, "0")):
                self.assertIn(text, self.one_line(self.ember("ff7", *words, "-o", name, "--in-place", code=1)))
            self.assertEqual(self.read(name), before)
            self.assertIn(text, self.one_line(self.ember("convert", "cloud.glb", "--base", name, "-o", "new.a00", code=1)))
        self.assertFalse(os.path.exists(self.path("new.a00")))

    def test_a_skeleton_is_no_pack(self):
        self.assertIn("is a skeleton, not a pack", self.one_line(self.ember("ff7", "list", "rtaa", code=1)))

    def test_wrong_usage(self):
        for words in ((), ("lst", "rtda"), ("list",), ("extract", "rtda", "1"), ("extract", "rtda", "-o", "new"),
                      ("fps", "rtda", "-o", "new"), ("fps", "rtda", "--to", "20", "-o", "new"), ("repack", "rtda"),
                      ("list", "rtda", "--slot"), ("fps", "rtda", "--to", "30", "--loop", "maybe", "-o", "new")):
            self.one_line(self.ember("ff7", *words, code=2))
        self.assertIn("did you mean 'list'", self.one_line(self.ember("ff7", "lst", "rtda", code=2)))


class WholePacks(Packs):
    def test_fps_makes_body_and_weapon_as_long_as_each_other_allows(self):
        self.ember("ff7", "fps", "rtda", "--to", "60", "--loop", "never", "-o", "fast")
        made = reference.read(self.read("fast"))
        for clip, new in zip(self.clips, made):
            if clip["kind"] != "special":
                count = len(clip["positions"])
                self.assertEqual(len(new["positions"]), (count - 1) * 4 + 1)
                for i in range(count):
                    self.assertEqual(new["positions"][4 * i], clip["positions"][i])

    def test_loops_are_seen_by_their_seam(self):
        self.ember("ff7", "fps", "rtda", "--to", "30", "-o", "fast")
        made = reference.read(self.read("fast"))
        self.assertEqual(len(made[0]["positions"]), 24)  # a wave that runs into its start: z alone jumps back, by frames
        self.assertEqual(len(made[4]["positions"]), 24)  # its weapon

    def test_a_loop_by_number(self):
        self.ember("ff7", "fps", "rtda", "--to", "30", "--loop", "1", "-o", "fast")
        made = reference.read(self.read("fast"))
        self.assertEqual(len(made[1]["positions"]), 40)
        self.assertEqual(len(made[0]["positions"]), 23)

    def test_a_loop_that_is_no_body_clip_is_an_error(self):
        for number in ("99", "2", "5"):
            self.assertIn("there is no body clip " + number, self.one_line(self.ember("ff7", "fps", "rtda", "--to", "30", "--loop", number, "-o", "fast", code=1)))
        self.assertFalse(os.path.exists(self.path("fast")))
        result = self.ember("ff7", "fps", "rtda", "otda", "--to", "30", "--loop", "3", "-o", "fast/")
        self.assertIn(b"otda: warning: there is no body clip 3", result.stderr)
        self.assertNotIn(b"rtda: warning", result.stderr)

    def test_two_packs_of_one_name_do_not_overwrite_each_other(self):
        for folder in ("a", "b"):
            os.mkdir(self.path(folder))
            self.write(folder + "/xxda", self.data)
        for inputs in (("a", "b"), ("a/xxda", "b/xxda")):
            self.assertIn("has the name of", self.one_line(self.ember("ff7", "repack", *inputs, "-o", "out/", code=1)))
        self.assertFalse(os.path.exists(self.path("out")))

    def test_repack_names_what_it_leaves_broken(self):
        self.write("bada", pack_of(chunks_of(self.data) + [reference.damaged_chunk(smooth_clip(random.Random(2), "body", 8, 33))]))
        self.assertIn(b"body_08: warning: its frame counter is missing", self.ember("ff7", "repack", "bada", "-o", "new").stderr)

    def test_repack_keeps_every_value_in_fewer_bytes(self):
        result = self.ember("ff7", "repack", "rtda", "-o", "less")
        self.assertLess(len(self.read("less")), len(self.data))
        self.assertIn(b"1 pack repacked", result.stderr)
        for clip, new in zip(reference.read(self.data), reference.read(self.read("less"))):
            self.assertEqual(new["positions"], clip["positions"])
            self.assertEqual([[[v & 0xFFF for v in t] for t in f] for f in new["rotations"]], [[[v & 0xFFF for v in t] for t in f] for f in clip["rotations"]])

    def test_repacking_unclassified_negatives_saves_a_quarter(self):
        chance = random.Random(3)
        clips = [smooth_clip(chance, "body", 23, 30) for _ in range(8)]
        self.write("masked", reference.write(clips, masked=True))
        self.ember("ff7", "repack", "masked", "-o", "less")
        saved = 1 - len(self.read("less")) / len(self.read("masked"))
        print("repacking saves %.1f %%" % (100 * saved))
        self.assertGreaterEqual(saved, 0.25)
        self.assertEqual(self.read("less"), reference.write(clips))

    def test_repair_mends_the_damaged_clip(self):
        clip = smooth_clip(random.Random(2), "body", 8, 33)
        chunks = chunks_of(self.data)
        self.write("bada", pack_of(chunks + [reference.damaged_chunk(clip)]))
        result = self.ember("ff7", "repair", "bada", "-o", "good")
        made = chunks_of(self.read("good"))
        self.assertEqual(made[:8], chunks)
        self.assertEqual(made[8], reference.write_chunk(clip))
        self.assertIn(b"1 chunk repaired", result.stderr)
        self.assertIn("FF7007", self.ember("validate", "--target", "ff7", "bada", code=1).stdout.decode() + self.run_ember("validate", "--target", "ff7", "bada").stderr.decode())
        self.ember("validate", "--target", "ff7", "good")

    def test_a_folder_at_once(self):
        os.mkdir(self.path("battle"))
        for name in ("aada", "AbDA", "x.a00"):
            self.write("battle/" + name, self.data)
        self.write("battle/aaaa", reference.skeleton_file(BONES, CLIPS, 1, CLIPS))
        self.write("battle/notes.txt", b"no pack")
        self.write("battle/brda", b"\x01\0\0\0")
        result = self.ember("ff7", "repack", "battle", "-o", "out/", code=1)
        self.assertEqual(sorted(os.listdir(self.path("out"))), ["AbDA", "aada", "x.a00"])
        words = result.stderr.decode()
        self.assertIn("brda", words)
        self.assertIn("3 packs repacked", words)
        self.assertIn("1 pack was left alone", words)
        one = self.path("alone")
        self.ember("ff7", "repack", "battle/x.a00", "-o", one)
        with open(one, "rb") as file:
            self.assertEqual(file.read(), self.read("out/x.a00"))

    def test_several_packs_need_a_folder(self):
        self.ember("ff7", "repack", "rtda", "otda", "-o", "file", code=2)
        self.assertFalse(os.path.exists(self.path("file")))

    def test_a_pack_may_be_written_over_itself(self):
        self.ember("ff7", "repack", "rtda", "-o", "less")
        self.ember("ff7", "repack", "rtda", "-o", "rtda", "--in-place")
        self.assertEqual(self.read("rtda"), self.read("less"))

    def test_what_is_cut_is_left_as_it_was(self):
        self.write("cuda", self.data[:3])
        self.write("old", b"old")
        self.one_line(self.ember("ff7", "repair", "cuda", "-o", "old", code=1))
        self.assertEqual(self.read("old"), b"old")


class Validating(Packs):
    def test_a_pack_in_order_fits(self):
        self.write("goda", reference.write(self.clips))
        out = self.ember("validate", "--target", "ff7", "goda").stdout.decode()
        self.assertIn("fits ff7: 8 clips", out)

    def test_cut_packs_do_not_fit(self):
        self.write("cuda", self.data[:-40])
        self.ember("validate", "--target", "ff7", "cuda", code=1)
        findings = json.loads(self.ember("validate", "--target", "ff7", "cuda", "--format", "json", code=1).stdout)["files"][0]["findings"]
        self.assertIn("FF7002", [f["code"] for f in findings])

    def test_other_files_are_no_packs(self):
        self.write("x.json", b'{"format":"ember-clip","version":1,"bones":[],"clips":[]}')
        findings = json.loads(self.ember("validate", "--target", "ff7", "x.json", "--format", "json", code=1).stdout)["files"][0]["findings"]
        self.assertEqual([f["code"] for f in findings], ["FF7000"])


testing.main()
