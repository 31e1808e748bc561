# SPDX-License-Identifier: MIT
"""Real models through ANIMBIN and back: how far off they are then. Needs EMBER_CORPUS and a build that reads glTF."""

import glob
import os
import re
import sys

import testing

# Made of clips that scale their bones, which ANIMBIN does not store.
SCALED = {"InterpolationTest.glb"}
# Of the model's size.
DENSE_LIMIT = 1e-3
SPARSE_LIMIT = 1.0 / 500


def models():
    folder = os.path.join(os.environ.get("EMBER_CORPUS", "."), "gltf")
    return sorted(glob.glob(os.path.join(folder, "*.glb")) + glob.glob(os.path.join(folder, "*", "*.gltf")))


class Corpus(testing.Case):
    def test_models_come_back(self):
        formats = self.ember("formats").stdout.decode().split()
        if not models() or "glb" not in formats:
            print("skipped: EMBER_CORPUS is not set, or this build does not read glTF")
            os._exit(77)
        self.assertEqual(self.through(models(), [], DENSE_LIMIT), [])
        self.assertEqual(self.through(models(), ["--keys", "sparse"], SPARSE_LIMIT), [])

    def test_what_is_too_coarse_at_the_default_unit_is_said_with_one_that_is_not(self):
        coarse = self.through(models(), [], DENSE_LIMIT, unit="4096")
        self.assertLess(len(coarse), len(models()))
        for path in coarse:
            said = self.ember("convert", path, "-o", "a.animbin").stderr.decode()
            units = set(re.findall(r"a unit of (\d+) is fine enough", said))
            self.assertEqual(len(units), 1, said)
            self.assertEqual(self.through([path], [], DENSE_LIMIT, unit=units.pop()), [])

    def through(self, paths, arguments, limit, unit="auto"):
        """The models that are off by more than the limit."""
        failed = []
        for path in paths:
            name = os.path.basename(path)
            info = testing.json.loads(self.ember("info", "--format", "json", path).stdout)["files"][0]
            if name in SCALED or not 0 < info["clip_count"] <= 255 or info["bone_count"] > 256:
                continue
            self.ember("convert", "-q", path, "-o", "a.animbin", "--unit", unit, *arguments)
            # To glTF where this build writes it.
            back = self.run_ember("convert", "-q", "a.animbin", "--skeleton", path, "-o", "back.glb", "--unit", unit)
            target = "back.glb"
            if back.returncode != 0:
                target = "back.json"
                self.ember("convert", "-q", "a.animbin", "--skeleton", path, "-o", target, "--unit", unit)
            # ANIMBIN is played at 60 frames a second, so that is what it stores.
            result = self.run_ember("diff", path, target, "--fps", "60", "--format", "json")
            pairs = testing.json.loads(result.stdout)["clips"]
            # Names of more than 31 bytes come back cut, so those clips do not meet.
            kept = [clip for clip in info["clips"] if len(clip["name"].encode()) <= 31]
            self.assertGreaterEqual(len(pairs), len(kept), name)
            for pair in pairs:
                self.assertEqual(pair["bone_count"], pair["a"]["bone_count"], name)
            # A single bone has no size: it is taken for a person of 1.8, as the shell is.
            worst = max(pair["max"] / (pair["size"] or 1.8) for pair in pairs)
            print("%-24s %3d clips  %-9s unit %-6s %.4f %% of the size, by way of %s" % (
                name, info["clip_count"], " ".join(arguments[1:]) or "dense", unit, 100 * worst, target))
            failed += [path] if worst > limit else []
        return failed


if __name__ == "__main__":
    testing.main()
