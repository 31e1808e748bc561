# SPDX-License-Identifier: MIT
"""The module imports nothing that the page's scripts do not define: a function that the linker did not find would stop the page."""

import os
import re
import sys
import unittest

FOLDER = sys.argv.pop(1)


def number(data, at):
    """An unsigned LEB128 and the place behind it."""
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at


def name(data, at):
    size, at = number(data, at)
    return data[at:at + size].decode(), at + size


def imports(data):
    """The names of the imported functions, by the layout of WebAssembly's binary format."""
    at, found = 8, []
    while at < len(data):
        kind = data[at]
        size, at = number(data, at + 1)
        if kind == 2:
            count, place = number(data, at)
            for _ in range(count):
                _, place = name(data, place)
                field, place = name(data, place)
                assert data[place] == 0, "only functions are imported"
                _, place = number(data, place + 1)
                found.append(field)
        at += size
    return found


class Imports(unittest.TestCase):
    def test_the_page_defines_what_the_module_imports(self):
        with open(os.path.join(FOLDER, "viewer.wasm"), "rb") as file:
            wanted = imports(file.read())
        scripts = [file for file in os.listdir(FOLDER) if file.endswith(".js")]
        text = "".join(open(os.path.join(FOLDER, file), encoding="utf-8").read() for file in scripts)
        defined = set(re.findall(r"\b(\w+)(?=\s*:|\s*\()", text))
        self.assertGreater(len(wanted), 50)
        self.assertEqual([field for field in wanted if field not in defined], [])


if __name__ == "__main__":
    unittest.main()
