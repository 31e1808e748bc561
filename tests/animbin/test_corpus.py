"""Real models through ANIMBIN and back: how far off they are then. Needs EMBER_CORPUS and a build that reads glTF."""

import glob
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cli"))

import testing

# Bones behind a scale of 100 have positions a hundred times smaller, for which FP12 is too coarse.
UNITS = {"RobotExpressive.glb": "1000000"}
# Made of clips that scale their bones, which ANIMBIN does not store.
SCALED = {"InterpolationTest.glb"}
# Of the model's size.
DENSE_LIMIT = 1e-3
SPARSE_LIMIT = 1.0 / 500


def models():
    return sorted(glob.glob(os.path.join(os.environ.get("EMBER_CORPUS", ""), "gltf", "*.glb")))


class Corpus(testing.Case):
    def test_models_come_back(self):
        formats = self.ember("formats").stdout.decode().split()
        if not models() or "glb" not in formats:
            print("skipped: EMBER_CORPUS is not set, or this build does not read glTF")
            os._exit(77)
        self.assertEqual(self.through(models(), [], DENSE_LIMIT), 0)
        self.assertEqual(self.through(models(), ["--keys", "sparse"], SPARSE_LIMIT), 0)

    def through(self, paths, arguments, limit):
        failed = 0
        for path in paths:
            name = os.path.basename(path)
            unit = ["--unit", UNITS.get(name, "4096")]
            info = testing.json.loads(self.ember("info", "--format", "json", path).stdout)["files"][0]
            if name in SCALED or not 0 < info["clip_count"] <= 255 or info["bone_count"] > 256:
                continue
            self.ember("convert", "-q", path, "-o", "a.animbin", *unit, *arguments)
            # To glTF where this build writes it.
            back = self.run_ember("convert", "-q", "a.animbin", "--skeleton", path, "-o", "back.glb", *unit)
            target = "back.glb"
            if back.returncode != 0:
                target = "back.json"
                self.ember("convert", "-q", "a.animbin", "--skeleton", path, "-o", target, *unit)
            result = self.run_ember("diff", path, target, "--format", "json")
            pairs = testing.json.loads(result.stdout)["clips"]
            # Names of more than 31 bytes come back cut, so those clips do not meet.
            kept = [clip for clip in info["clips"] if len(clip["name"].encode()) <= 31]
            self.assertGreaterEqual(len(pairs), len(kept), name)
            for pair in pairs:
                self.assertEqual(pair["bone_count"], pair["a"]["bone_count"], name)
            worst = max(pair["max"] / pair["size"] for pair in pairs if pair["size"] > 0)
            print("%-24s %3d clips  %-9s %.4f %% of the size, by way of %s" % (name, info["clip_count"], " ".join(arguments[1:]) or "dense", 100 * worst, target))
            failed += worst > limit
        return failed


if __name__ == "__main__":
    testing.main()
