# SPDX-License-Identifier: MIT
"""`ember run` in a window, on a display without a screen: it shows the game, obeys keys, takes pictures, shows why a game stopped, and ends clean."""

import glob
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import display
import modules
import pictures
import testing

ROBOT = None
PANEL_TEXT = (0xF2, 0xEF, 0xE6)
TRAP_TEXT = (0xFF, 0xB4, 0xA8)


def colors(rows):
    return {color for row in rows for color in row}


class Window(testing.Case):
    @classmethod
    def setUpClass(cls):
        cls.display = display.Display()
        cls.cache = tempfile.mkdtemp(prefix="ember-cache-")  # one for all, so that a game is compiled once

    @classmethod
    def tearDownClass(cls):
        cls.display.close()
        shutil.rmtree(cls.cache, ignore_errors=True)

    def variables(self):
        variables = {**os.environ, "DISPLAY": self.display.name, "SDL_VIDEODRIVER": "x11", "XDG_CACHE_HOME": self.cache, "LP_NUM_THREADS": "1"}
        if "EMBER_TEST_PRELOAD" in os.environ:
            variables.update(LD_PRELOAD=os.environ["EMBER_TEST_PRELOAD"], ASAN_OPTIONS="verify_asan_link_order=0")
        return variables

    def start(self, game, *words):
        """The running command and the place of its window on the display."""
        command = subprocess.Popen([testing.EMBER, "run", game, "--size", "480x270", *words], cwd=self.folder, env=self.variables(), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(self.stop, command)
        place = self.display.place(self.display.window(os.path.basename(game), command))
        self.assertEqual(place[2:], (480, 270))
        return command, place

    def stop(self, command):
        """Whatever became of the test."""
        if command.poll() is None:
            command.kill()
        command.communicate()

    def end(self, command, code=0):
        self.display.key("Escape")
        out, err = command.communicate(timeout=60)
        self.assertEqual(command.returncode, code, err.decode(errors="replace"))
        return out, err.decode()

    def test_it_shows_the_game_obeys_keys_and_ends_clean(self):
        command, place = self.start(ROBOT, "--record-input", "held.txt")
        first = self.display.wait(place, lambda rows: len(colors(rows)) > 30, "the robot")
        self.display.wait(place, lambda rows: rows != first, "it to move")
        # A picture of the size of the window, by its key.
        self.display.key("F12")
        saved = self.until(lambda: [path for path in glob.glob(self.path("robot-*.png")) if os.path.getsize(path)])
        picture = pictures.png(self.read(os.path.basename(saved[0])))
        self.assertEqual((picture.width, picture.height), (480, 270))
        self.assertGreater(len({picture.at(x, y) for x in range(0, 480, 3) for y in range(0, 270, 3)}), 15)
        # The overlay, in the upper left corner.
        corner = (place[0], place[1], 480, 60)
        self.display.key("F1")
        self.display.wait(corner, lambda rows: PANEL_TEXT in colors(rows), "the overlay")
        self.display.key("F1")
        self.display.wait(corner, lambda rows: PANEL_TEXT not in colors(rows), "the overlay to go")
        # Paused it stands still; a step moves it on.
        self.display.key("F2")
        time.sleep(0.5)
        still = self.display.picture(place)
        time.sleep(0.4)
        self.assertEqual(still, self.display.picture(place))
        for _ in range(10):
            self.display.key("F3")
            time.sleep(0.05)
        self.display.wait(place, lambda rows: rows != still, "the steps")
        self.display.key("F2")
        # A key of player 1 and one of player 2, held for a while.
        for key in ("z", "Left", "k"):
            self.display.tool("keydown", key)
        time.sleep(0.4)
        for key in ("z", "Left", "k"):
            self.display.tool("keyup", key)
        time.sleep(0.2)
        out, err = self.end(command)
        self.assertIn(os.path.basename(saved[0]), err)
        held = self.held("held.txt")
        self.assertTrue(any(frame[0] & (1 << 4) and frame[0] & (1 << 2) and frame[1] == 1 << 1 for frame in held), held)
        self.assertEqual(held[0], [0, 0, 0, 0])
        self.assertGreater(len(held), 30)
        self.assertIn("%d frames" % len(held), out.decode())

    def until(self, holds, seconds=30):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            found = holds()
            if found:
                return found
            time.sleep(0.05)
        raise AssertionError("waited in vain")

    def held(self, name):
        """[[player 1, 2, 3, 4]] by frame, of a recording: docs/formats/inputs.md."""
        return modules.read_inputs(self.read(name).decode())

    def test_it_keeps_its_shape_when_the_window_changes(self):
        command, place = self.start(ROBOT)
        self.display.wait(place, lambda rows: len(colors(rows)) > 30, "the robot")
        window = self.display.window(os.path.basename(ROBOT), command)
        self.display.tool("windowsize", "--sync", window, 400, 400)
        place = self.until(lambda: (lambda now: now if now[2:] == (400, 400) else None)(self.display.place(window)))
        # 16 : 9 in 400 x 400 is 400 x 225, with 87 black rows above and below.
        def boxed(rows):
            return colors(rows[:80]) == {(0, 0, 0)} == colors(rows[-80:]) and len(colors(rows[95:300])) > 20
        self.display.wait(place, boxed, "black above and below")
        self.end(command)

    def test_it_ends_after_the_frames_that_were_asked_for(self):
        command, _ = self.start(ROBOT, "--frames", "20", "--screenshot", "last.png")
        out, err = command.communicate(timeout=60)
        self.assertEqual(command.returncode, 0, err)
        self.assertEqual(out, b"")
        self.assertIn(b"20 frames", err)
        self.assertEqual(pictures.png(self.read("last.png")).width, 480)

    def test_a_trap_is_shown_and_said(self):
        self.write("trap.wasm", modules.traps_in_update())
        command, place = self.start("trap.wasm", "--record-input", "held.txt")
        self.display.wait(place, lambda rows: TRAP_TEXT in colors(rows), "the message")
        time.sleep(0.3)
        self.assertIsNone(command.poll())  # it stays
        self.assertTrue(self.read("held.txt").endswith(b"\nend 1 trap\n"))  # and what led there is kept already
        _, err = self.end(command, code=1)
        self.assertIn("unreachable", err)
        self.assertEqual(len(err.splitlines()), 1)

    def test_a_trap_ends_a_window_that_was_to_end_by_itself(self):
        self.write("trap.wasm", modules.traps_in_update())
        done = subprocess.run([testing.EMBER, "run", "trap.wasm", "--frames", "20", "--screenshot", "last.png"], cwd=self.folder, env=self.variables(), capture_output=True, timeout=60)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        self.assertNotIn("last.png", self.files())

    def test_closing_the_window_ends_it(self):
        command, place = self.start(ROBOT)
        self.display.wait(place, lambda rows: len(colors(rows)) > 30, "the robot")
        command.send_signal(signal.SIGTERM)
        command.communicate(timeout=60)
        self.assertEqual(command.returncode, -signal.SIGTERM)  # SDL does not swallow it

    def test_without_a_display_one_line_says_so(self):
        nothing = {"DISPLAY": "", "WAYLAND_DISPLAY": "", "XDG_RUNTIME_DIR": "", "SDL_VIDEODRIVER": ""}
        for more in ({}, {"DISPLAY": ":4711"}, {"DISPLAY": ":4711", "SDL_VIDEODRIVER": "x11"}):
            result = self.run_ember("run", ROBOT, "--frames", "600", env={**nothing, **more})
            self.assertEqual(result.returncode, 1)
            self.assertIn("--headless", self.one_line(result))


if __name__ == "__main__":
    ROBOT = os.path.abspath(sys.argv.pop(2))
    if display.missing():
        testing.skip("there is no " + " and no ".join(display.missing()))
    if not os.path.exists(ROBOT):
        testing.skip("the example games were not built")
    testing.main()
