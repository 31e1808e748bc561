# SPDX-License-Identifier: MIT
"""Pictures and films of games without a window."""

import os
import sys

import modules
import pictures
import testing

GAMES = None
BACKGROUND = (0x20, 0x26, 0x2E)


class Run(testing.Case):
    def game(self, name):
        return os.path.join(GAMES, name + ".ewz")

    def run_game(self, name, *words, code=0):
        return self.ember("run", self.game(name), "--headless", *words, code=code, env={"LP_NUM_THREADS": "1"})

    def test_a_screenshot_shows_the_robot_and_the_swordsman(self):
        result = self.run_game("robot", "--frames", "30", "--screenshot", "robot.png", "--size", "320x180")
        self.assertEqual(result.stdout, b"")
        picture = pictures.png(self.read("robot.png"))
        self.assertEqual((picture.width, picture.height), (320, 180))
        self.assertEqual(picture.at(2, 2), picture.at(317, 177))
        background = picture.at(2, 2)
        # The arm's orange on the left, the pale figure on the right, and nothing above or below them.
        self.assertGreater(picture.count(lambda r, g, b: r > 150 and b < r * 3 // 4, (60, 20, 140, 150)), 100)
        self.assertGreater(picture.count(lambda r, g, b: min(r, g, b) > 110, (170, 40, 230, 150)), 100)
        self.assertEqual(picture.count(lambda r, g, b: (r, g, b) != background, (0, 165, 320, 180)), 0)

    def test_a_preview_of_a_clip_has_the_meshes_of_its_own_model(self):
        def is_orange(r, g, b):
            return r > 120 and b < r * 3 // 5
        for clip, orange in (("idle", False), ("robot-arm", True)):
            note = self.ember("preview", self.game("robot"), "--clip", clip, "-o", clip + ".png", "--size", "160x160", "--frames", "1").stderr.decode()
            self.assertIn("of 6 meshes are left out", note)
            picture = pictures.png(self.read(clip + ".png"))
            self.assertEqual(picture.count(is_orange, (6, 40, 166, 200)) > 200, orange, clip)
            self.assertGreater(picture.count(lambda r, g, b: min(r, g, b) > 90, (6, 40, 166, 170)), 200, clip)

    def test_the_same_frames_give_the_same_picture(self):
        for name in ("a.png", "b.png"):
            self.run_game("crowd", "--frames", "10", "--seed", "5", "--screenshot", name, "--size", "160x90")
        self.assertEqual(self.read("a.png"), self.read("b.png"))
        self.run_game("crowd", "--frames", "12", "--seed", "5", "--screenshot", "c.png", "--size", "160x90")
        self.assertNotEqual(self.read("a.png"), self.read("c.png"))

    def test_films_have_thirty_pictures_a_second(self):
        self.run_game("robot", "--frames", "20", "--record", "film.gif", "--size", "160x90")
        self.run_game("robot", "--frames", "20", "--record", "film.png", "--size", "160x90")
        width, height, delays = pictures.gif_frames(self.read("film.gif"))
        self.assertEqual((width, height, len(delays), sum(delays)), (160, 90, 10, 33))
        frames = pictures.apng_frames(self.read("film.png"))
        self.assertEqual(len(frames), 10)
        self.assertAlmostEqual(sum(seconds for seconds, _ in frames), 1 / 3, places=3)

    def test_all_examples_can_be_seen(self):
        for name in ("stamp", "crossfade", "draft", "raw", "robot", "crowd"):
            with self.subTest(name):
                self.run_game(name, "--frames", "5", "--screenshot", name + ".png", "--size", "160x90")
                picture = pictures.png(self.read(name + ".png"))
                background = picture.at(1, 1)
                self.assertGreater(picture.count(lambda r, g, b: (r, g, b) != background), 100)

    def test_mistakes_are_one_line_and_leave_no_file(self):
        self.write("trap.wasm", modules.traps_in_update())
        robot = self.game("robot")
        for words, says, code in (
                (["run", robot, "--headless", "--record", "film.avi"], "films are", 2),
                (["run", robot, "--headless", "--screenshot", "x.png", "--size", "5x5"], "--size is", 2),
                (["run", robot, "--record", "film.gif"], "--headless", 2),
                (["run", robot, "--headless", "--screenshot", "x.bmp"], "screenshots are .png", 2),
                (["run", robot, "--headless", "--frames", "1", "--screenshot", "no/such/x.png"], "no/such", 1),
                (["run", "trap.wasm", "--headless", "--screenshot", "x.png"], "unreachable", 1)):
            with self.subTest(words):
                self.assertIn(says, self.one_line(self.ember(*words, code=code, env={"XDG_CACHE_HOME": self.folder + "/cache"})))
        line = self.one_line(self.ember("run", robot, "--headless", "--screenshot", "x.png", code=1, env={"__EGL_VENDOR_LIBRARY_FILENAMES": "/nonexistent"}))
        self.assertIn("libgl1-mesa-dri", line)
        self.assertEqual([name for name in self.files() if not name.startswith("cache")], ["trap.wasm"])


if __name__ == "__main__":
    GAMES = os.path.abspath(sys.argv.pop(2))
    if not os.path.exists(os.path.join(GAMES, "robot.ewz")):
        testing.skip("the example games were not built")
    testing.main()
