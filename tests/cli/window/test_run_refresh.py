# SPDX-License-Identifier: MIT
"""`ember run` in a window on displays of any speed: one render for each update, sixty updates a second, and recordings that end as without a window."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import display
import modules
import testing

GAMES = None
FRAMES = 40
REFRESH = ("30", "60", "144", "0", "7")  # pictures a second; 0 is without vsync


class Refresh(testing.Case):
    @classmethod
    def setUpClass(cls):
        cls.display = display.Display()
        cls.cache = tempfile.mkdtemp(prefix="ember-cache-")

    @classmethod
    def tearDownClass(cls):
        cls.display.close()
        shutil.rmtree(cls.cache, ignore_errors=True)

    def variables(self, refresh=None):
        variables = {**os.environ, "DISPLAY": self.display.name, "SDL_VIDEODRIVER": "x11", "XDG_CACHE_HOME": self.cache, "LP_NUM_THREADS": "1"}
        if "EMBER_TEST_PRELOAD" in os.environ:
            variables.update(LD_PRELOAD=os.environ["EMBER_TEST_PRELOAD"], ASAN_OPTIONS="verify_asan_link_order=0")
        return variables if refresh is None else {**variables, "EMBER_REFRESH": refresh}

    def start(self, refresh, *words):
        command = subprocess.Popen([testing.EMBER, "run", *words, "--size", "160x90"], cwd=self.folder, env=self.variables(refresh), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(lambda: (command.poll() is None and command.kill(), command.communicate()))
        return command

    def end(self, command):
        out, err = command.communicate(timeout=120)
        self.assertEqual(command.returncode, 0, err.decode(errors="replace"))
        return out.decode()

    def replays(self, game, recording, line):
        """The recording gives the window's line without a window."""
        result = subprocess.run([testing.EMBER, "run", game, "--headless", "--replay", recording], cwd=self.folder, env=self.variables(), capture_output=True, text=True, timeout=120)
        self.assertEqual((result.returncode, result.stdout), (0, line), result.stderr)

    def test_every_example_replays_without_a_window_at_every_refresh_rate(self):
        for name in sorted(os.listdir(GAMES)):
            if not name.endswith(".ewz"):
                continue
            game = os.path.join(GAMES, name)
            for refresh in REFRESH:
                with self.subTest(game=name, refresh=refresh):
                    line = self.end(self.start(refresh, game, "--frames", str(FRAMES), "--random-inputs", "--record-input", "held.txt"))
                    self.assertTrue(line.startswith("%d frames" % FRAMES), line)
                    self.replays(game, "held.txt", line)

    def test_render_runs_once_for_each_update(self):
        self.write("count.wasm", modules.counts_renders())
        for refresh in REFRESH:
            with self.subTest(refresh=refresh):
                self.end(self.start(refresh, "count.wasm", "--frames", str(FRAMES)))

    def test_paused_stepped_resized_and_stopped_it_replays(self):
        game = os.path.join(GAMES, "stamp.ewz")
        command = self.start("144", game, "--record-input", "held.txt")
        window = self.display.window("stamp.ewz", command)
        time.sleep(0.3)
        self.display.key("F2")
        time.sleep(0.5)
        for _ in range(5):
            self.display.key("F3")
            time.sleep(0.05)
        self.display.tool("windowsize", "--sync", window, 200, 150)
        time.sleep(0.3)
        self.display.key("F2")
        time.sleep(0.2)
        command.send_signal(signal.SIGSTOP)  # as long as a window is dragged, on systems that stop it then
        time.sleep(1)
        command.send_signal(signal.SIGCONT)
        time.sleep(0.3)
        self.display.key("Escape")
        line = self.end(command)
        self.replays(game, "held.txt", line)

    def test_slow_pictures_do_not_slow_the_game(self):
        """Two seconds of the game at seven pictures a second: were each picture one update, it would take 17 seconds."""
        self.write("count.wasm", modules.counts_renders())
        begin = time.monotonic()
        self.end(self.start("7", "count.wasm", "--frames", "120"))
        self.assertLess(time.monotonic() - begin, 8)


if __name__ == "__main__":
    GAMES = os.path.abspath(sys.argv.pop(2))
    if display.missing():
        testing.skip("there is no " + " and no ".join(display.missing()))
    if not os.path.exists(os.path.join(GAMES, "stamp.ewz")):
        testing.skip("the example games were not built")
    testing.main()
