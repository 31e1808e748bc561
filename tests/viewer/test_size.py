# SPDX-License-Identifier: MIT
"""The page is small: what a browser loads, compressed as web servers do it, is 355 KB at the most.
Of these the tables of the two squeezed forms, small and lean, take some 60 KB: when one of them goes, so does the difference to 300."""

import gzip
import os
import sys
import unittest

FOLDER = sys.argv.pop(1)
LIMIT = 355 * 1000


class Size(unittest.TestCase):
    def test_the_whole_page_is_355_kb_compressed(self):
        sizes = {name: len(gzip.compress(open(os.path.join(FOLDER, name), "rb").read(), 9)) for name in sorted(os.listdir(FOLDER))}
        for name, size in sizes.items():
            print("%8d %s" % (size, name))
        self.assertIn("viewer.wasm", sizes)
        self.assertIn("index.html", sizes)
        print("%8d in all" % sum(sizes.values()))
        self.assertLessEqual(sum(sizes.values()), LIMIT)

    def test_the_page_asks_nobody_else(self):
        for name in os.listdir(FOLDER):
            if not name.endswith(".wasm"):
                text = open(os.path.join(FOLDER, name), encoding="utf-8").read()
                self.assertNotIn("http://", text, name)
                self.assertNotIn("https://", text, name)


if __name__ == "__main__":
    unittest.main()
