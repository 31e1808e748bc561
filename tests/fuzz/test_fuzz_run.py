# SPDX-License-Identifier: MIT
"""The program behind `make fuzz`, with targets that only act as if: what it prints, when it fails, and what it says of a finding."""

import os
import subprocess
import sys
import tempfile
import unittest

TOOL = os.path.abspath(sys.argv.pop(1))

QUIET = "echo '#9 DONE cov: 321 ft: 400 corp: 5/10b' >&2; echo 'stat::number_of_executed_units: 1234' >&2"
CRASH = """for a in "$@"; do case $a in -artifact_prefix=*) echo x >"${a#-artifact_prefix=}crash-1";; esac; done
echo 'fuzz: clips were lost on the way' >&2; echo 'stat::number_of_executed_units: 7' >&2; exit 77"""


class Runs(unittest.TestCase):
    def fuzz(self, targets, *arguments, seeds=""):
        """The tool over a build folder with these targets, each a shell script."""
        folder = tempfile.TemporaryDirectory(prefix="ember-test-")
        self.addCleanup(folder.cleanup)
        os.mkdir(folder.name + "/fuzz")
        scripts = {"fuzz_" + name: text for name, text in targets.items()}
        scripts["fuzz-seeds"] = seeds + "".join('mkdir -p "$1/%s"; echo a >"$1/%s/one"\n' % (name, name) for name in targets)
        for name, text in scripts.items():
            with open(folder.name + "/fuzz/" + name, "w") as file:
                file.write("#!/bin/sh\n" + text + "\n")
            os.chmod(folder.name + "/fuzz/" + name, 0o755)
        with open(folder.name + "/fuzz/targets", "w") as file:
            file.write("\n".join(targets) + "\n")
        self.folder = folder.name
        return subprocess.run([sys.executable, TOOL, folder.name, "--time", "1", *arguments], capture_output=True, text=True)

    def test_a_target_without_a_finding_is_one_line(self):
        done = self.fuzz({"one": QUIET, "two": QUIET})
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr, "")
        lines = done.stdout.splitlines()
        self.assertEqual(len(lines), 3)
        for part in ("one", "1,234 runs", "321 covered", "1 seeds"):
            self.assertIn(part, lines[1])

    def test_a_finding_fails_and_says_where_it_lies_and_how_to_run_it_again(self):
        done = self.fuzz({"one": CRASH, "two": QUIET})
        self.assertEqual(done.returncode, 1)
        self.assertIn("FOUND", done.stdout.splitlines()[1])
        self.assertIn("1,234 runs", done.stdout.splitlines()[2])  # the others run all the same
        self.assertIn("one: fuzz: clips were lost on the way", done.stderr)
        self.assertIn("replay: %s/fuzz/fuzz_one" % self.folder, done.stderr)
        self.assertIn("input:  %s/findings/one/crash-1" % self.folder, done.stderr)

    def test_a_target_that_runs_nothing_fails(self):
        self.assertEqual(self.fuzz({"one": "exit 0"}).returncode, 1)

    def test_seeds_that_cannot_be_made_fail(self):
        done = self.fuzz({"one": QUIET}, seeds="exit 1\n")
        self.assertEqual((done.returncode, done.stdout), (1, ""))

    def test_a_target_can_be_chosen_and_an_unknown_one_is_an_error(self):
        self.assertEqual(self.fuzz({"one": QUIET, "two": CRASH}, "one").returncode, 0)
        done = self.fuzz({"one": QUIET}, "three")
        self.assertEqual(done.returncode, 1)
        self.assertIn("no target is called three; there are: one", done.stderr)


unittest.main()
