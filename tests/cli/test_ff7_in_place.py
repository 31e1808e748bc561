# SPDX-License-Identifier: MIT
"""Verbs that would write over what they read: they refuse without --in-place, change a folder of packs all at once however they are
killed, and know packs that were interpolated before."""

import json
import os
import random
import shutil
import signal
import subprocess
import time

import ff7_model_packs as model_packs
import ff7_reference as reference
import testing
from ff7_model_packs import smooth_clip
from testing import ewzanim, hero


def pack(seed, clips=6, frames=14):
    chance = random.Random(seed)
    return reference.write([smooth_clip(chance, "body", 8, frames) for _ in range(clips)])


class InPlace(testing.Case):
    def refused(self, *words):
        before = {name: self.read(name) for name in self.files()}
        line = self.ember(*words, code=1).stderr.decode().splitlines()[-1]
        self.assertIn("--in-place", line)
        self.assertEqual({name: self.read(name) for name in self.files()}, before)

    def test_a_folder_comes_out_as_a_folder_without_a_slash(self):
        os.makedirs(self.path("packs"))
        model_packs.give(self)
        for name in ("rtda", "rsda"):
            self.write("packs/" + name, self.data)
        self.ember("ff7", "fps", "packs", "--to", "60", "-o", "b60")
        self.assertEqual(sorted(os.listdir(self.path("b60"))), ["rsda", "rtda"])
        self.write("file", "in the way")
        self.assertIn("folder", self.one_line(self.ember("ff7", "fps", "packs", "--to", "60", "-o", "file", code=2)))

    def test_every_verb_refuses_to_write_over_its_input(self):
        model_packs.give(self)
        self.write("otda", pack(3))
        os.mkdir(self.path("packs"))
        self.write("packs/rtda", self.data)
        os.symlink("rtda", self.path("linkda"))
        self.write("hero.json", hero())
        self.write("walk.ewzanim", ewzanim(2, 3))
        for words in (["fps", "rtda", "--to", "60"], ["repack", "rtda"], ["repair", "rtda"], ["remove", "rtda", "1"], ["extract", "rtda", "1"],
                      ["replace", "rtda", "1", "otda"], ["insert", "rtda", "1", "otda"], ["insert", "otda", "1", "rtda:3"]):
            self.refused("ff7", *words, "-o", "rtda")
        self.refused("ff7", "repack", "linkda", "-o", "rtda")
        self.refused("ff7", "repack", "packs", "-o", "packs/")
        self.refused("ff7", "fps", "packs", "--to", "60", "-o", "packs")
        self.refused("convert", "hero.json", "-o", "hero.json")
        self.refused("convert", "hero.json", "--to", "json", "-o", "./")
        self.refused("convert", "otda", "--base", "rtda", "-o", "rtda")
        self.refused("export", "animation", "walk.ewzanim", "-o", "walk.ewzanim")

    def test_in_place_does_it(self):
        model_packs.give(self)
        self.ember("ff7", "repack", "rtda", "-o", "new/")
        self.ember("ff7", "repack", "rtda", "-o", "rtda", "--in-place")
        self.assertEqual(self.read("rtda"), self.read("new/rtda"))
        self.write("hero.json", hero())
        self.ember("convert", "-q", "hero.json", "-o", "other.json")
        self.ember("convert", "-q", "hero.json", "-o", "hero.json", "--in-place")
        self.assertEqual(self.read("hero.json"), self.read("other.json"))


class Again(testing.Case):
    def frames(self, name):
        return [c["frames"] for c in json.loads(self.ember("ff7", "list", name, "--format", "json").stdout)["files"][0]["chunks"]]

    def test_a_pack_is_interpolated_once(self):
        for rate, factor in (("30", 2), ("60", 4)):
            self.write("aada", pack(5))
            self.ember("ff7", "fps", "aada", "--to", rate, "-o", "bbda")
            line = self.ember("ff7", "fps", "bbda", "--to", "60", "-o", "ccda", code=1).stderr.decode()
            self.assertIn("brought to %d fps before" % (15 * factor), line)
            self.assertFalse(os.path.exists(self.path("ccda")))
            self.ember("ff7", "fps", "bbda", "--to", "30", "--loop", "never", "-o", "ccda", "--again")
            self.assertEqual(self.frames("ccda"), [(n - 1) * 2 + 1 for n in self.frames("bbda")])
            os.unlink(self.path("ccda"))

    def test_real_motion_is_not_taken_for_interpolated(self):
        model_packs.give(self)
        self.ember("ff7", "fps", "rtda", "--to", "60", "-o", "xxda")
        chance = random.Random(2)
        for i in range(30):
            self.write("aada", reference.write(reference.random_pack(chance, 6, small=True, most_frames=12)))
            self.ember("ff7", "fps", "aada", "--to", "60", "-o", "bbda")

    def test_it_is_known_after_repack_and_repair_too(self):
        self.write("aada", pack(6))
        self.ember("ff7", "fps", "aada", "--to", "60", "-o", "bbda")
        self.ember("ff7", "repack", "bbda", "-o", "ccda")
        self.ember("ff7", "fps", "ccda", "--to", "60", "-o", "ddda", code=1)


class Killed(testing.Case):
    """A folder of packs holds the old ones or the new ones, and running again ends with the new ones."""

    COUNT = 24

    def setUp(self):
        super().setUp()
        self.old = pack(7, clips=8, frames=30)
        self.write("oneda", self.old)
        self.write("onda", self.old)
        self.ember("ff7", "fps", "onda", "--to", "60", "-o", "newda")
        self.new = self.read("newda")

    def fill(self):
        shutil.rmtree(self.path("packs"), ignore_errors=True)
        os.mkdir(self.path("packs"))
        for i in range(self.COUNT):
            self.write("packs/%c%cda" % (97 + i, 97), self.old)
        self.write("packs/readme", b"mine")

    def start(self):
        return subprocess.Popen([testing.EMBER, "ff7", "fps", "packs", "--to", "60", "-o", "packs", "--in-place", "-q"], cwd=self.folder, stderr=subprocess.DEVNULL)

    def kinds(self):
        found = set()
        for name in os.listdir(self.path("packs")):
            if name.endswith("da"):
                data = self.read("packs/" + name)
                found.add("old" if data == self.old else "new" if data == self.new else "bad")
        return found

    def test_a_killed_run_leaves_old_packs_and_the_next_one_finishes(self):
        self.fill()
        start = time.time()
        self.assertEqual(self.start().wait(), 0)
        whole = time.time() - start
        self.assertEqual(self.kinds(), {"new"})
        self.assertEqual(len(os.listdir(self.path("packs"))), self.COUNT + 1)
        chance, killed = random.Random(3), 0
        for _ in range(25):
            self.fill()
            run = self.start()
            time.sleep(chance.random() * whole)
            if run.poll() is None:
                run.send_signal(signal.SIGKILL)
                killed += 1
            run.wait()
            self.assertNotIn("bad", self.kinds())
            if self.kinds() != {"new"}:
                self.assertEqual(self.start().wait(), 0)
                self.assertEqual(self.kinds(), {"new"})
        self.assertGreater(killed, 5)

    def test_a_run_that_was_killed_while_it_moved_its_packs_is_finished(self):
        self.fill()
        os.mkdir(self.path("packs/.ember-stage"))
        names = sorted(name for name in os.listdir(self.path("packs")) if name.endswith("da"))
        for name in names[:10]:
            self.write("packs/" + name, self.new)
        for name in names[10:]:
            self.write("packs/.ember-stage/" + name, self.new)
        self.write("packs/.ember-stage/.done", b"brought to 60 fps")
        said = self.ember("ff7", "fps", "packs", "--to", "60", "-o", "packs", "--in-place").stderr.decode()
        self.assertIn("finished", said)
        self.assertEqual(self.kinds(), {"new"})
        self.assertFalse(os.path.exists(self.path("packs/.ember-stage")))

    def test_what_was_half_made_is_removed(self):
        self.fill()
        os.mkdir(self.path("packs/.ember-stage"))
        self.write("packs/.ember-stage/aada", b"half")
        self.ember("ff7", "fps", "packs", "--to", "60", "-o", "packs", "--in-place")
        self.assertEqual(self.kinds(), {"new"})
        self.assertFalse(os.path.exists(self.path("packs/.ember-stage")))


if __name__ == "__main__":
    testing.keep_files_in_memory()
    testing.main()
