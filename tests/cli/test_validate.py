# SPDX-License-Identifier: MIT
"""`ember validate --target ewz`: every code is found where it should be, and nowhere else.

Covers: findings.c.
"""

import json
import os
import re
import struct

import testing
from testing import ARM, IDENTITY, arm_frames, document, ewzanim, hero, turn

IDENTITY_CODE = 0x80200803
ONE = 0x3C00


def record(code=IDENTITY_CODE, position=(0, 0, 0), scale=(ONE, ONE, ONE)):
    return struct.pack("<I6H", code, *position, *scale)


def one_bone(*transforms, name="clip", **more):
    return document([("root", -1, IDENTITY)], [{"name": name, "space": "model", "frames": [[t] for t in transforms], **more}])


class Validate(testing.Case):
    codes_seen = set()

    def found(self, name, data, *words, code=0):
        self.write(name, data)
        result = self.ember("validate", "--target", "ewz", "--format", "json", name, *words, code=code)
        self.assertEqual(result.stderr, b"")
        root = json.loads(result.stdout)
        self.assertEqual((root["format"], root["version"], root["target"]), ("ember-validate", 1, "ewz"))
        (file,) = root["files"]
        self.assertEqual(file["fits"], code == 0)
        self.assertEqual(file["errors"], sum(f["severity"] == "error" for f in file["findings"]))
        self.assertEqual(file["warnings"], sum(f["severity"] == "warning" for f in file["findings"]))
        text = self.ember("validate", "--target", "ewz", name, *words, code=code).stdout.decode().splitlines()
        self.assertEqual(len(text), len(file["findings"]) + (code == 0))
        for line, finding in zip(text, file["findings"]):
            self.assertIn(": %s %s: " % (finding["severity"], finding["code"]), line)
            self.codes_seen.add(finding["code"])
        return file["findings"]

    def only(self, expected, name, data, *words):
        """The only finding is this code; its number tells whether it is an error."""
        findings = self.found(name, data, *words, code=1 if expected < "EWZ100" else 0)
        self.assertEqual([finding["code"] for finding in findings], [expected], findings)
        return findings[0]

    def test_good_files_have_no_findings(self):
        self.assertEqual(self.found("a.ewzanim", ewzanim(3, 4)), [])
        self.assertEqual(self.found("a.ewzanim", ewzanim(255, 2)), [])
        self.assertEqual(self.found("hero.json", hero()), [])
        text = self.ember("validate", "--target", "ewz", "hero.json").stdout.decode()
        # 4, 12 and 8 frames of 3 bones, and a header each.
        self.assertEqual(text, "hero.json: fits ewz: 3 clips, 1,164 B of keyframes\n")

    def test_files_that_cannot_be_read(self):
        self.only("EWZ001", "x.json", b"{")
        self.only("EWZ001", "x.bin", b"what is this?")
        self.only("EWZ001", "x.eza", b"EWZA")

    def test_header_rules(self):
        good = ewzanim(2, 2)
        for size in range(4):
            self.only("EWZ002", "x.ewzanim", good[:size])
        self.only("EWZ003", "x.ewzanim", struct.pack("<BBH", 0, 0, 3))
        self.only("EWZ004", "x.ewzanim", struct.pack("<BBH", 3, 0, 0))
        self.only("EWZ005", "x.ewzanim", ewzanim(2, 2, flags=4))
        self.assertEqual([f["code"] for f in self.found("x.ewzanim", struct.pack("<BBH", 0, 1, 0), code=1)], ["EWZ003", "EWZ004", "EWZ005"])
        for size in range(4, len(good)):
            self.only("EWZ006", "x.ewzanim", good[:size])
        self.assertIn("3 extra bytes", self.only("EWZ007", "x.ewzanim", good + b"abc")["text"])

    def test_counts(self):
        self.only("EWZ008", "x.json", document(ARM, []))
        self.only("EWZ004", "x.json", document(ARM, [{"name": "none", "frames": []}]))
        bones = [("b%d" % i, -1, IDENTITY) for i in range(256)]
        self.only("EWZ010", "x.json", document(bones, [{"name": "many", "space": "model", "frames": [[IDENTITY] * 256]}]))
        long = json.loads(one_bone(IDENTITY))
        long["clips"][0]["frames"] *= 65536
        long["clips"][0]["frame_count"] = 65536
        self.only("EWZ011", "x.json", json.dumps(long))

    def test_a_clip_bigger_than_a_rom(self):
        frames = 16 * 1024 * 1024 // (255 * 16) + 1
        self.only("EWZ016", "x.ewzanim", ewzanim(255, frames, record() * (255 * frames)))
        self.assertEqual(self.found("x.ewzanim", ewzanim(255, frames - 1, record() * (255 * (frames - 1)))), [])

    def test_local_clips_without_parents(self):
        self.write("local.eza", struct.pack("<4sBBHHH4B", b"EWZA", 1, 0, 2, 1, 256, 0, 0, 0, 0) + 2 * record()[:10])
        with open(self.path("local.eza"), "rb") as file:
            self.only("EWZ009", "local.eza", file.read(), "--source-space", "local")
            file.seek(0)
            self.assertEqual(self.found("local.eza", file.read(), "--source-space", "local", "--space", "local"), [])

    def test_numbers_that_are_not_finite(self):
        for bad in (0x7C00, 0xFC00, 0x7E00):
            finding = self.only("EWZ012", "x.ewzanim", ewzanim(2, 2, record() * 3 + record(position=(0, bad, 0))))
            self.assertEqual((finding["clip"], finding["bone"], finding["frame"], finding["count"]), ("x", "bone 1", 1, 1))
        self.only("EWZ012", "x.ewzanim", ewzanim(1, 1, record(scale=(ONE, 0x7C00, ONE))))

    def test_numbers_beyond_half_floats(self):
        finding = self.only("EWZ013", "x.json", one_bone(IDENTITY, turn(0, 0, (0, 0, -65520)), turn(0, 0, (1e30, 0, 0))))
        self.assertEqual((finding["clip"], finding["bone"], finding["frame"], finding["count"]), ("clip", "root", 1, 2))
        self.only("EWZ014", "x.json", one_bone(turn(0, 0, scale=(1, 66000, 1))))
        # The largest that still rounds into range is only coarse.
        self.only("EWZ106", "x.json", one_bone(turn(0, 0, (65519, 0, 0))))

    def test_rotations(self):
        self.only("EWZ015", "x.json", one_bone([0, 0, 0, 0, 0, 0, 0, 1, 1, 1]))
        self.only("EWZ102", "x.json", one_bone([0, 0, 0, 1.02, 0, 0, 0, 1, 1, 1]))
        self.assertEqual(self.found("x.json", one_bone([0, 0, 0, 1.005, 0, 0, 0, 1, 1, 1])), [])
        self.only("EWZ110", "x.ewzanim", ewzanim(1, 1, record(code=0x80080003)))
        finding = self.only("EWZ101", "x.ewzanim", ewzanim(2, 1, record() + record(code=0xFFFFFFFF)))
        self.assertEqual((finding["bone"], finding["frame"]), ("bone 1", 0))
        # 1/sqrt(3) for each of three leaves nothing for the fourth, and is still a rotation.
        code = int((3**-0.5 * 2**0.5 + 1) * 511.5)
        self.assertEqual(self.found("x.ewzanim", ewzanim(1, 1, record(code=code << 22 | code << 12 | code << 2))), [])
        code += 3
        self.only("EWZ101", "x.ewzanim", ewzanim(1, 1, record(code=code << 22 | code << 12 | code << 2)))

    def test_scales(self):
        self.only("EWZ103", "x.ewzanim", ewzanim(1, 1, record(scale=(ONE, 0, ONE))))
        self.only("EWZ103", "x.json", one_bone(turn(0, 0, scale=(1, 1, 1e-9))))
        self.only("EWZ104", "x.json", one_bone(turn(0, 0, scale=(1, -1, 1))))

    def test_loops_that_repeat_their_first_frame(self):
        frames = [turn(0, 0), turn(0, 20), turn(0, 0)]
        self.only("EWZ105", "x.json", one_bone(*frames, loop=True))
        self.assertEqual(self.found("x.json", one_bone(*frames, loop=False)), [])
        self.assertEqual(self.found("x.json", one_bone(*frames[:2], loop=True)), [])
        self.assertEqual(self.found("x.json", one_bone(frames[0], loop=True)), [])

    def test_coarse_positions(self):
        finding = self.only("EWZ106", "x.json", one_bone(turn(0, 0, (0, 100, 0)), turn(0, 0, (0, -15.9, 0))))
        self.assertIn("100", finding["text"])
        self.assertIn("0.0625", finding["text"])  # between 64 and 128 halves are 2^-4 apart
        self.assertEqual(self.found("x.json", one_bone(turn(0, 0, (0, 15.99, 0)))), [])

    def test_shear(self):
        bent = [turn(0, 0, scale=(4, 1, 1)), turn(2, 45)]
        data = document([("a", -1, IDENTITY), ("b", 0, IDENTITY)], [{"name": "s", "frames": [bent]}])
        self.assertEqual(self.only("EWZ107", "x.json", data)["bone"], "b")
        self.assertEqual(self.found("x.json", data, "--space", "local"), [])

    def test_names(self):
        self.only("EWZ108", "x.json", one_bone(IDENTITY, name=""))
        twice = document(ARM, [{"name": "walk", "frames": arm_frames(2)}, {"name": "walk", "frames": arm_frames(3)}])
        self.only("EWZ109", "x.json", twice)

    def test_places_of_a_finding_in_text(self):
        self.write("x.json", one_bone(turn(0, 0, (1e6, 0, 0)), turn(0, 0, (1e6, 0, 0))))
        text = self.ember("validate", "--target", "ewz", "x.json", code=1).stdout.decode()
        self.assertRegex(text, r"^x\.json:clip:root: error EWZ013: .* \(frame 0 first, 2 in all\)\n$")

    def test_missing_files_are_said_and_do_not_stop_the_others(self):
        self.write("good.ewzanim", ewzanim(1, 1))
        result = self.ember("validate", "missing.ewzanim", "good.ewzanim", "--target", "ewz", code=1)
        self.assertIn("missing.ewzanim", self.one_line(result))
        self.assertIn(b"good.ewzanim: fits ewz", result.stdout)
        result = self.ember("validate", "missing.ewzanim", "--target", "ewz", "--format", "json", code=1)
        self.assertIn("error", json.loads(result.stdout)["files"][0])

    def test_targets(self):
        self.write("good.ewzanim", ewzanim(1, 1))
        self.assertIn("ewz", self.one_line(self.ember("validate", "good.ewzanim", code=2)))
        self.assertIn("ewz", self.one_line(self.ember("validate", "good.ewzanim", "--target", "psx", code=2)))

    def test_what_fits_can_be_written(self):
        """validate and convert agree."""
        for name, data, fits in (("a.json", hero(), True), ("b.json", one_bone(turn(0, 0, (65519, 0, 0))), True),
                                 ("c.json", one_bone(turn(0, 0, (65520, 0, 0))), False), ("d.json", one_bone([0] * 7 + [1, 1, 1]), False)):
            self.write(name, data)
            self.ember("validate", "--target", "ewz", name, code=0 if fits else 1)
            self.ember("convert", "-q", name, "-o", "{clip}.ewzanim", code=0 if fits else 1)

    @classmethod
    def tearDownClass(cls):
        """Runs last: the documentation lists exactly the codes that the tests have seen."""
        docs = os.path.join(os.path.dirname(__file__), "..", "..", "docs", "commands.md")
        with open(docs, encoding="utf-8") as file:
            listed = set(re.findall(r"^\| `?(EWZ\d+)", file.read(), re.MULTILINE))
        if not any(word.startswith("Validate.") for word in os.sys.argv[1:]):
            assert listed == cls.codes_seen, "in docs/commands.md, but not seen: %s; seen, but not listed: %s" % (
                sorted(listed - cls.codes_seen), sorted(cls.codes_seen - listed))

    def module(self, *imports):
        """A WASM module of plain functions: memory, init, and imports as (module, name, parameters, results) of types' letters."""
        types = {"i": 0x7F, "f": 0x7D, "l": 0x7E}
        text = lambda s: bytes([len(s)]) + s.encode()
        section = lambda number, body: bytes([number, len(body) & 127 | 128, len(body) >> 7]) + body
        vector = lambda items: bytes([len(items)]) + b"".join(items)
        code = lambda letters: vector([bytes([types[letter]]) for letter in letters])
        signatures = [b"\x60\0\0"] + [b"\x60" + code(a) + code(r) for _, _, a, r in imports]
        return (b"\0asm\1\0\0\0" + section(1, vector(signatures))
                + section(2, vector([text(m) + text(n) + bytes([0, i + 1]) for i, (m, n, _, _) in enumerate(imports)]))
                + section(3, b"\1\0") + section(5, b"\1\0\1") + section(7, vector([text("memory") + b"\2\0", text("init") + bytes([0, len(imports)])]))
                + section(10, b"\1\2\0\x0b"))

    def test_what_a_game_lacks_is_listed(self):
        good = [("env", "draw_mesh", "i", ""), ("env", "tick_count", "", "l"), ("env", "delta_time", "", "f")]
        self.write("good.wasm", self.module(*good))
        self.assertEqual(self.ember("validate", "good.wasm", "--target", "console").stdout, b"good.wasm: fits console: uses 3 of its functions\n")
        self.write("bad.wasm", self.module(("env", "keyframe_bnd", "ii", ""), *good, ("env", "zebra", "", ""), ("env", "random", "i", "i"),
                                           ("wasi", "exit", "i", "")))
        lines = self.ember("validate", "bad.wasm", "--target", "console", code=1).stdout.decode().splitlines()
        self.assertEqual([re.search(r"error (CON\d+): (.*)", line).groups() for line in lines], [
            ("CON002", "the game imports keyframe_bnd, which the console does not have; near: keyframe_bind"),
            ("CON002", "the game imports zebra, which the console does not have"),
            ("CON003", "the game imports random as (i32) -> i32, the console has it as () -> i32"),
            ("CON004", "the game imports wasi.exit: only functions of env are offered")])
        root = json.loads(self.ember("validate", "bad.wasm", "--target", "console", "--format", "json", code=1).stdout)
        self.assertEqual((root["target"], root["files"][0]["format"], root["files"][0]["errors"]), ("console", "wasm", 4))
        # The same when it is run, in one line.
        self.assertIn(b"does not have 3 of the game's imports: keyframe_bnd (near: keyframe_bind), zebra, wasi.exit",
                      self.ember("run", "bad.wasm", "--headless", code=1).stderr)

    def test_a_game_in_a_rom_is_looked_at(self):
        os.mkdir(os.path.join(self.folder, "assets"))
        self.write("assets/game.wasm", self.module(("env", "draw_mesh", "i", "")))
        self.ember("build", "assets", "-o", "game.ewz")
        self.assertIn(b"fits console: uses 1 of", self.ember("validate", "game.ewz", "--target", "console").stdout)
        self.write("assets/game.wasm", self.module(("env", "draw_mush", "i", "")))
        self.ember("build", "assets", "-o", "game.ewz")
        self.assertIn(b"near: draw_mesh", self.ember("validate", "game.ewz", "--target", "console", code=1).stdout)
        os.mkdir(os.path.join(self.folder, "none"))
        self.write("none/a.txt", b"text")
        self.ember("build", "none", "-o", "none.ewz")
        self.assertIn(b"CON005", self.ember("validate", "none.ewz", "--target", "console", code=1).stdout)

    def test_what_is_no_module_is_refused(self):
        self.write("no.wasm", b"text")
        self.assertIn(b"CON001", self.ember("validate", "no.wasm", "--target", "console", code=1).stdout)
        self.write("cut.wasm", self.module(("env", "draw_mesh", "i", ""))[:-3])
        self.assertIn(b"CON001", self.ember("validate", "cut.wasm", "--target", "console", code=1).stdout)

if __name__ == "__main__":
    testing.main()
