# SPDX-License-Identifier: MIT
"""tools/coverage counts a header that two objects hold once, an object that never ran as not run, and fails below a limit."""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

root, compiler = sys.argv[1], sys.argv[2]

# One condition, of which each program takes another side.
HEADER = """static inline int room_sign(int number)
{
    if (number < 0)
        return -1;
    return 1;
}
"""
HALF = """#include "room/sign.h"
int main(int argc, char **argv)
{
    (void)argv;
    return room_sign(argc - %d) == %d ? 0 : 1;
}
"""
NEVER = """int room_never(int number);
int room_never(int number)
{
    if (number > 3)
        return 1;
    return 0;
}
"""


class Coverage(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        for name in ("tools", "src/room", "build"):
            os.makedirs(os.path.join(self.folder, name))
        shutil.copy(os.path.join(root, "tools/coverage"), os.path.join(self.folder, "tools/coverage"))
        self.write("src/room/sign.h", HEADER)
        self.write("first.c", HALF % (9, -1))
        self.write("second.c", HALF % (0, 1))
        self.write("src/room/never.c", NEVER)
        for name in ("first", "second"):
            self.do([compiler, "-O0", "--coverage", "-I../src", "-c", f"../{name}.c", "-o", f"{name}.o"])
            self.do([compiler, "--coverage", f"{name}.o", "-o", name])

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
            file.write(text)

    def do(self, words):
        subprocess.run(words, cwd=os.path.join(self.folder, "build"), check=True, capture_output=True)

    def count(self, *more):
        done = subprocess.run([sys.executable, "-B", "tools/coverage", "build", *more], cwd=self.folder, capture_output=True, text=True)
        rows = [line.split() for line in done.stdout.splitlines() if line.startswith("src ")]
        return done, [int(rows[0][i]) for i in (1, 3, 7, 9)] if rows else None

    def test_what_two_objects_run_is_counted_once(self):
        self.do(["./first"])
        self.assertEqual(self.count()[1], [3, 4, 1, 2])  # it does not come to the last line
        self.do(["./second"])
        done, figures = self.count()
        self.assertEqual((figures, done.returncode, done.stderr), ([4, 4, 2, 2], 0, ""))

    def test_what_never_ran_counts(self):
        self.do([compiler, "-O0", "--coverage", "-c", "../src/room/never.c", "-o", "never.o"])
        self.do(["./first"])
        self.do(["./second"])
        self.assertEqual(self.count()[1], [4, 8, 2, 4])

    def test_below_a_limit_it_fails(self):
        self.do(["./first"])
        self.do(["./second"])
        self.assertEqual(self.count("--lines", "100", "--branches", "100")[0].returncode, 0)
        self.do([compiler, "-O0", "--coverage", "-c", "../src/room/never.c", "-o", "never.o"])
        done, _ = self.count("--lines", "50", "--branches", "51")
        self.assertEqual((done.returncode, done.stderr), (1, "ember: the tests run 50.00 % of the branches of src/, 51 % are asked for\n"))
        self.assertEqual(self.count("--lines", "50", "--branches", "50")[0].returncode, 0)
        self.assertEqual(self.count("--lines", "51", "--branches", "50")[0].returncode, 1)

    def test_what_is_missing_is_shown(self):
        self.do(["./second"])
        shown = self.count("--missing", "src/room/sign.h")[0].stdout.splitlines()
        self.assertEqual([line.split(None, 2)[-1].strip() for line in shown], ["if (number < 0)", "return -1;"])
        self.assertEqual(self.count("--clear")[0].returncode, 0)
        self.assertEqual(self.count()[1], [0, 4, 0, 2])

    def test_nothing_to_count_is_an_error(self):
        shutil.rmtree(os.path.join(self.folder, "build"))
        os.makedirs(os.path.join(self.folder, "build"))
        done = self.count()[0]
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("no object that counts", done.stderr)


if __name__ == "__main__":
    if b"Free Software" not in subprocess.run([compiler, "--version"], capture_output=True).stdout or shutil.which("gcov") is None:
        print("skipped: gcov counts what gcc compiles")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1])
