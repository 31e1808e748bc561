# SPDX-License-Identifier: MIT
"""`ember run --headless`: the example games, rollback, recorded inputs, draw lists, traps, and what is said where something is missing or wrong.

EMBER_GAMES is the folder of the built games, EMBER_WAT2WASM the assembler, EMBER_GAME_ROM the program that makes ROMs of the games' assets."""

import glob
import json
import os
import re
import subprocess
import unittest

import testing

GAMES = os.environ.get("EMBER_GAMES", "")
SAMPLES = sorted(glob.glob(os.path.join(GAMES, "*.ewz")))
# Memory, a global and random numbers, all by what is held.
COUNTER = """(global $g (mut i32) (i32.const 1))
    (func (export "update") (global.set $g (i32.add (i32.mul (global.get $g) (i32.const 31)) (call $held (i32.const 0))))
        (i32.store (i32.and (call $random) (i32.const 0xfffc)) (global.get $g)))"""

RESULT = re.compile(rb"^(\d+) frames?, (\d+) draws? in the last, hash ([0-9a-f]{16})\n$")

IMPORTS = '(import "env" "log" (func $log (param i32 i32))) (import "env" "frame" (func $frame (result i32))) (import "env" "random" (func $random (result i32)))'
IMPORTS += '(import "env" "input_held" (func $held (param i32) (result i32))) (memory (export "memory") 1)'


class Run(testing.Case):
    def setUp(self):
        super().setUp()
        self.env = {"XDG_CACHE_HOME": os.environ.get("EMBER_TEST_CACHE", self.path("cache"))}

    def game(self, body, name="game.wasm"):
        self.write("game.wat", "(module %s %s)" % (IMPORTS, body))
        subprocess.run([os.environ["EMBER_WAT2WASM"], self.path("game.wat"), "-o", self.path(name)], check=True)
        return name

    def play(self, game, *words, code=0):
        return self.ember("run", game, "--headless", *words, code=code, env=self.env)

    def hash(self, game, *words):
        result = RESULT.match(self.play(game, *words).stdout)
        self.assertTrue(result)
        return result.group(3)

    def line(self, result):
        """The one line that was said."""
        lines = result.stderr.decode().splitlines()
        self.assertEqual(len(lines), 1, lines)
        self.assertEqual(result.stdout, b"")
        return lines[0]

    # ---- the example games ----

    @unittest.skipUnless(SAMPLES, "the example games were not built: no clang or no lld")
    def test_every_example_passes_the_test_of_rollback(self):
        self.assertGreaterEqual(len(SAMPLES), 5)
        for game in SAMPLES:
            result = RESULT.match(self.play(game, "--frames", "600", "--synctest", "8", "--random-inputs").stdout)
            self.assertEqual(result.group(1), b"600", game)
            self.assertNotEqual(result.group(2), b"0", game)
            # It ends where it ends without the test.
            self.assertEqual(result.group(3), self.hash(game, "--frames", "600", "--random-inputs"), game)

    @unittest.skipUnless(SAMPLES, "the example games were not built: no clang or no lld")
    def test_ten_thousand_frames_take_no_more_memory_than_a_hundred(self):
        def peak(game, engine, frames):
            # On one engine: changing to the object takes memory of its own.
            words = ["run", game, "--headless", "--engine", engine, "--frames", str(frames)]
            process = subprocess.Popen([testing.EMBER, *words], stdout=subprocess.DEVNULL, env={**os.environ, **self.env})
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = status
            self.assertEqual(status, 0)
            return usage.ru_maxrss

        with open(testing.EMBER, "rb") as file:
            # KiB: pages come in clusters; the sanitizers keep what was freed for a while.
            allowed = 8192 if b"__asan_init" in file.read() else 512
        for game in SAMPLES:
            for engine in ("object", "interp"):
                peak(game, engine, 1)  # compiled
                few, many = peak(game, engine, 100), peak(game, engine, 10000)
                self.assertLess(many, few + allowed, (game, engine))

    @unittest.skipUnless(SAMPLES, "the example games were not built: no clang or no lld")
    def test_draw_lists_are_json(self):
        stamp = os.path.join(GAMES, "stamp.ewz")
        self.play(stamp, "--frames", "7", "--dump-draws", "draws.json")
        root = self.read_json("draws.json")
        self.assertEqual((root["format"], root["version"], len(root["frames"])), ("ember-draws", 1, 1))
        (frame,) = root["frames"]
        self.assertEqual((frame["frame"], len(frame["view"]), len(frame["projection"]), len(frame["draws"])), (7, 12, 16, 1))
        (draw,) = frame["draws"]
        # Twelve frames a second: frame 1 of the clip from the fifth update on.
        self.assertEqual((draw["branch"], draw["pose"], draw["clip"], draw["frame"], draw["skeleton"], draw["color"]), ("skinned", "clip", 0, 1, 0, "ffffffff"))
        self.assertEqual(draw["transform"], [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0])
        self.play(stamp, "--frames", "10", "--dump-draws", "draws.json", "--dump-every", "3")
        self.assertEqual([f["frame"] for f in self.read_json("draws.json")["frames"]], [3, 6, 9])
        result = self.play(stamp, "--frames", "2", "--dump-draws", "-")
        self.assertEqual(json.loads(result.stdout)["frames"][0]["frame"], 2)
        self.assertIn(b"2 frames, 1 draw in the last", result.stderr)

    @unittest.skipUnless(SAMPLES, "the example games were not built: no clang or no lld")
    def test_a_bare_module_takes_its_assets_from_a_rom(self):
        module, rom = os.path.join(GAMES, "stamp.wasm"), os.path.join(GAMES, "stamp.ewz")
        self.assertEqual(self.line(self.play(module, code=1)), "ember: %s: rom_mesh: mesh asset not found: player, in init, frame 0" % module)
        self.assertEqual(self.hash(module, "--rom", rom), self.hash(rom))
        self.assertIn("goes with a bare module", self.line(self.play(rom, "--rom", rom, code=2)))

    @unittest.skipUnless(SAMPLES, "the example games were not built: no clang or no lld")
    def test_a_rom_without_a_game_is_told(self):
        subprocess.run([os.environ["EMBER_GAME_ROM"], self.path("assets.ewz")], check=True)
        self.assertEqual(self.line(self.play("assets.ewz", code=1)), "ember: assets.ewz: there is no game in this ROM")

    @unittest.skipUnless(os.path.join(GAMES, "stamp_rust.ewz") in SAMPLES, "no rustc with wasm32-unknown-unknown")
    def test_the_same_game_in_rust_draws_the_same(self):
        for name in ("stamp", "stamp_rust"):
            self.play(os.path.join(GAMES, name + ".ewz"), "--frames", "100", "--dump-every", "1", "--dump-draws", name + ".json")
        self.assertEqual(self.read("stamp.json"), self.read("stamp_rust.json"))

    # ---- seeds and inputs ----

    def test_the_seed_is_the_games(self):
        game = self.game('(func (export "update") (i32.store (i32.const 8) (call $random)))')
        self.assertEqual(self.hash(game), self.hash(game, "--seed", "0"))
        self.assertNotEqual(self.hash(game), self.hash(game, "--seed", "1"))
        self.assertEqual(self.hash(game, "--seed", "7"), self.hash(game, "--seed", "7"))

    def test_what_was_recorded_comes_out_the_same(self):
        game = self.game('(func (export "update") (i32.store (i32.const 8) (i32.add (i32.mul (i32.load (i32.const 8)) (i32.const 31)) (i32.add (call $random) (call $held (i32.const 2))))))')
        hash = self.hash(game, "--frames", "200", "--random-inputs", "--seed", "5", "--record-input", "a.txt")
        self.assertNotEqual(hash, self.hash(game, "--frames", "200", "--seed", "5"))
        self.assertEqual(hash, self.hash(game, "--replay", "a.txt", "--record-input", "b.txt"))
        self.assertEqual(self.read("a.txt"), self.read("b.txt"))
        self.assertEqual(hash, self.hash(game, "--replay", "a.txt", "--synctest", "5"))
        # Fewer frames end elsewhere, which is no fault.
        self.assertNotEqual(hash, self.hash(game, "--replay", "a.txt", "--frames", "100"))
        self.assertIn(b"a.txt: has 200 frames, so no more are run", self.play(game, "--replay", "a.txt", "--frames", "300").stderr)

    def test_the_format_of_recordings(self):
        game = self.game('(func (export "update") (i32.store (i32.const 8) (i32.add (i32.load (i32.const 8)) (i32.shl (call $held (i32.const 1)) (call $frame)))))')
        # Written by hand: player 2 holds 1 in frames 2 and 3, player 1 holds 0x10 from 3 on. 1 << 2 and 1 << 3 make 12.
        self.write("a.txt", "ember-inputs 2\ngame 0000000000000000\nseed 3\n2 0 1 0 0\n3 10 1 0 0\n4 10 0 0 0\nend 5 0000000000000000\n")
        result = self.play(game, "--replay", "a.txt", "--record-input", "b.txt", code=1)
        first, second = result.stderr.decode().splitlines()
        self.assertEqual(first, "ember: a.txt: warning: was recorded with another game or another version of it")
        self.assertRegex(second, "^ember: a.txt: frame 5 ended differently than it was recorded ")
        again = self.read("b.txt").decode().splitlines()
        self.assertEqual(again[2:6], ["seed 3", "2 0 1 0 0", "3 10 1 0 0", "4 10 0 0 0"])
        self.assertRegex(again[6], "^end 5 [0-9a-f]{16}$")
        check = self.game('(func (export "update") (if (i32.eq (call $frame) (i32.const 5)) (then (call $log (i32.const 16) (i32.const 2))))'
                          '(i32.store (i32.const 8) (i32.add (i32.load (i32.const 8)) (i32.shl (call $held (i32.const 1)) (call $frame))))'
                          '(i32.store8 (i32.const 16) (i32.add (i32.const 48) (i32.div_u (i32.load (i32.const 8)) (i32.const 10))))'
                          '(i32.store8 (i32.const 17) (i32.add (i32.const 48) (i32.rem_u (i32.load (i32.const 8)) (i32.const 10)))))', "check.wasm")
        self.assertIn(b"\n12\n", self.run_ember("run", check, "--headless", "--replay", "a.txt", env=self.env).stderr)

    def test_a_short_recording_of_many_frames_takes_no_memory(self):
        game = self.game('(func (export "update"))')
        self.play(game)  # compiles it
        peaks = []
        for count in (10, 10000000):
            self.write("a.txt", "ember-inputs 2\ngame 0000000000000000\nseed 3\n%u 0 1 0 0\nend %u 0000000000000000\n" % (count - 1, count))
            words = [testing.EMBER, "run", game, "--headless", "-q", "--replay", "a.txt", "--frames", "3"]
            child = subprocess.Popen(words, cwd=self.folder, env={**os.environ, **self.env}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            _, status, usage = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
            self.assertEqual(child.returncode, 0)
            peaks.append(usage.ru_maxrss)
        self.assertLess(peaks[1] - peaks[0], 20 << 10, peaks)

    def test_bad_recordings_are_refused_by_line(self):
        game = self.game('(func (export "update"))')
        good = "ember-inputs 2\ngame 0000000000000000\nseed 3\n2 0 1 0 0\nend 5 0000000000000000\n"
        for old, new, line in (("ember-inputs 2", "ember-inputs 1", 1), ("game 0", "game x", 2), ("seed 3", "seed -3", 3), ("2 0 1 0 0", "2 0 1 0", 4), ("2 0 1 0 0", "2 0 1 0 0 0", 4),
                               ("2 0 1 0 0", "0 0 1 0 0", 4), ("2 0 1 0 0", "2 0 100000000 0 0", 4), ("2 0 1 0 0", "2 0 0x1 0 0", 4), ("2 0 1 0 0", "2  0 1 0 0", 4),
                               ("2 0 1 0 0", "3 0 0 0 0\n3 1 0 0 0", 5), ("2 0 1 0 0", "99999999999 0 0 0 0", 4), ("end 5", "end 1", 5), ("end 5 0000000000000000", "end 5 traps", 5), ("end 5", "end 99999999", 5),
                               ("end 5 0000000000000000\n", "", 5), ("end 5 0000000000000000\n", "end 5 0000000000000000", 5), ("end 5 0000000000000000\n", "end 5 0000000000000000\nmore\n", 6)):
            text = good.replace(old, new, 1)
            self.write("bad.txt", text)
            self.assertIn("bad.txt: line %d: " % line, self.line(self.play(game, "--replay", "bad.txt", code=1)), text)
        self.write("bad.txt", b"\0\1\2")
        self.line(self.play(game, "--replay", "bad.txt", code=1))
        self.line(self.play(game, "--replay", "missing.txt", code=1))

    def test_where_a_game_traps_nothing_is_written_but_what_led_there(self):
        game = self.game('(func (export "update") (if (i32.and (i32.eq (call $held (i32.const 0)) (i32.const 16)) (i32.ge_u (call $frame) (i32.const 3))) (then unreachable)))')
        before = set(self.files())
        self.write("a.txt", "ember-inputs 2\ngame 0000000000000000\nseed 3\n2 0 1 0 0\n4 10 0 0 0\nend 9 0000000000000000\n")
        first = self.play(game, "--replay", "a.txt", "--record-input", "b.txt", "--dump-draws", "d.json", code=1)
        self.assertEqual(set(self.files()) - before, {"a.txt", "b.txt"})
        recorded = self.read("b.txt").decode().splitlines()
        self.assertEqual(recorded[2:], ["seed 3", "2 0 1 0 0", "4 10 0 0 0", "end 4 trap"])
        # It leads there again; without the fault there is nothing to compare.
        self.assertEqual(self.line(self.play(game, "--replay", "b.txt", code=1)), first.stderr.decode().splitlines()[-1])
        self.assertRegex(self.line(self.play(game, "--replay", "b.txt", code=1)), "unreachable.* in update, frame 4$")
        mended = self.game('(func (export "update"))', "mended.wasm")
        self.assertEqual(RESULT.match(self.play(mended, "--replay", "b.txt").stdout).group(1), b"4")

    def test_random_inputs_press_buttons_that_there_are(self):
        game = self.game('(func (export "update") (if (i32.ge_u (call $held (i32.const 1)) (i32.const 0x4000)) (then unreachable)))')
        self.play(game, "--frames", "2000", "--random-inputs", "--record-input", "a.txt")
        held = [int(line.split()[2], 16) for line in self.read("a.txt").decode().splitlines()[3:-1]]
        every = 0
        for buttons in held:
            every |= buttons
        self.assertEqual(every, 0x3FFF)

    # ---- words ----

    def test_what_a_game_logs_is_said_once_even_if_frames_are_run_again(self):
        game = self.game('(data (i32.const 64) "hello \\1b[31m\\nthere") (func (export "update") (if (i32.eq (call $frame) (i32.const 3)) (then (call $log (i32.const 64) (i32.const 17)))))')
        for words in ((), ("--synctest", "4")):
            result = self.play(game, "--frames", "20", *words)
            self.assertEqual(result.stderr, b"hello ?[31m there\n")
        self.assertEqual(self.play(game, "-q").stderr, b"")

    def test_a_flood_of_logged_lines_is_cut(self):
        game = self.game('(data (i32.const 64) "hello") (func (export "update") (local $i i32) (if (i32.eq (call $frame) (i32.const 2)) (then (loop (call $log (i32.const 64) (i32.const 5))'
                         ' (br_if 0 (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1))) (i32.const 5000))))) (else (call $log (i32.const 64) (i32.const 5)))))')
        lines = self.play(game, "--frames", "3").stderr.splitlines()
        self.assertEqual(lines, [b"hello"] * 1001 + [b"ember: game.wasm: warning: logs more than 1000 lines in one frame; the others are left out", b"hello"])

    def test_a_trap_is_one_line(self):
        game = self.game('(func (export "render") (if (i32.eq (call $frame) (i32.const 3)) (then (call $log (i32.const -1) (i32.const 8)))))')
        self.assertEqual(self.line(self.play(game, code=1)), "ember: game.wasm: log: WASM memory access violation: 8 bytes at 0xffffffff, there are 65536, in render, frame 3")

    def test_an_endless_loop_is_stopped(self):
        game = self.game('(func (export "init") (loop (br 0)))')
        for engine in ("object", "interp", "auto"):
            self.assertEqual(self.line(self.play(game, "--watchdog", "0.1", "--engine", engine, code=1)),
                             "ember: game.wasm: the call took more than 0.1 s or 10000000 steps (an endless loop?), in init, frame 0")

    def test_broken_files_are_refused(self):
        whole = self.read(self.game('(func (export "update"))'))
        self.write("cut.wasm", whole[:-3])
        self.assertIn("cut.wasm: the module is cut off", self.line(self.play("cut.wasm", code=1)))
        self.write("text.wasm", "hello")
        self.assertIn("text.wasm: ", self.line(self.play("text.wasm", code=1)))
        self.line(self.play("missing.wasm", code=1))
        self.line(self.play(".", code=1))

    def test_standard_input_may_be_a_module(self):
        game = self.game('(func (export "update"))')
        result = self.ember("run", "-", "--headless", data=self.read(game), env=self.env)
        self.assertTrue(RESULT.match(result.stdout))

    def test_missing_programs_are_named_with_their_packages(self):
        game = self.game('(func (export "update"))')
        result = self.ember("run", game, "--headless", "--engine", "object", code=1, env={**self.env, "PATH": self.folder})
        self.assertEqual(self.line(result), "ember: game.wasm: wasm2c is needed to run games and is not installed: it is in the package wabt (apt-get install wabt)")

    def test_a_game_runs_without_any_program_installed(self):
        game = self.game('(func (export "update") (i32.store (i32.const 8) (i32.const 7)))')
        result = self.ember("run", game, "--headless", env={**self.env, "PATH": ""})
        self.assertEqual(RESULT.match(result.stdout).group(3), self.hash(game, "--engine", "object"))

    def test_engines_give_one_hash(self):
        game = self.game(COUNTER)
        hashes = {self.hash(game, "--frames", "600", "--random-inputs", "--synctest", "8", "--engine", engine) for engine in ("auto", "interp", "object")}
        self.assertEqual(len(hashes), 1)

    def test_a_saved_game_goes_on_where_it_was(self):
        game = self.game(COUNTER)
        whole = self.hash(game, "--frames", "50")
        for saving, loading in (("interp", "object"), ("object", "interp"), ("auto", "auto")):
            self.hash(game, "--frames", "20", "--save", "a.sav", "--engine", saving)
            self.assertEqual(self.hash(game, "--frames", "30", "--load", "a.sav", "--engine", loading), whole)
        self.assertEqual(self.read("a.sav")[:8], b"EMBERSAV")

    def test_a_file_that_is_no_state_of_this_game_is_refused(self):
        game = self.game(COUNTER)
        self.hash(game, "--save", "a.sav")
        good = self.read("a.sav")
        for bad, word in ((b"", "not a saved game"), (good[:100], "cut off"), (good[:8] + b"\x09" + good[9:], "another version"), (good[:-1] + bytes([good[-1] ^ 1]), "damaged"),
                          (good[:16] + b"12345678" + good[24:], "another game")):
            self.write("bad.sav", bad)
            line = self.line(self.play(game, "--load", "bad.sav", code=1))
            self.assertTrue(line.startswith("ember: bad.sav: "), line)
            self.assertIn(word, line)
        self.line(self.play(game, "--load", "missing.sav", code=1))
        self.line(self.play(game, "--load", "a.sav", "--record-input", "b.txt", code=2))
        self.line(self.play(game, "--engine", "jit", code=2))

    def test_a_recording_of_an_older_version_is_refused_by_name(self):
        game = self.game(COUNTER)
        self.write("a.txt", "ember-inputs 1\ngame 0000000000000000\nseed 3\nend 5 0000000000000000\n")
        self.assertIn("another version of Ember", self.line(self.play(game, "--replay", "a.txt", code=1)))

    def test_wrong_usage(self):
        game = self.game('(func (export "update"))')
        for words in (("--frames", "x"), ("--frames", "-1"), ("--synctest", "0"), ("--synctest", "121"), ("--seed", "1.5"), ("--watchdog", "0"), ("--watchdog", "1e30"), ("--dump-every", "2"),
                      ("--replay", "a", "--seed", "1"), ("--replay", "a", "--random-inputs")):
            self.line(self.play(game, *words, code=2))
        self.assertIn("--headless", self.line(self.ember("run", game, "--synctest", "4", code=2, env=self.env)))
        self.assertIn("--headless", self.line(self.ember("run", game, code=1, env={**self.env, "DISPLAY": "", "WAYLAND_DISPLAY": "", "SDL_VIDEODRIVER": ""})))
        self.assertEqual(RESULT.match(self.play(game, "--frames", "0").stdout).group(1), b"0")


if __name__ == "__main__":
    testing.main()
