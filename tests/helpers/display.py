# SPDX-License-Identifier: MIT
"""A display without a screen, what is on it, and keys pressed in it: Xvfb, its framebuffer as a file, xdotool."""

import os
import shutil
import struct
import subprocess
import tempfile
import time


def missing():
    return [tool for tool in ("Xvfb", "xdotool") if shutil.which(tool) is None]


class Display:
    def __init__(self, width=1024, height=700):
        self.folder = tempfile.mkdtemp(prefix="ember-display-")
        reading, writing = os.pipe()
        self.server = subprocess.Popen(["Xvfb", "-displayfd", str(writing), "-screen", "0", "%dx%dx24" % (width, height), "-fbdir", self.folder, "-nolisten", "tcp",
                                        "-noreset"],
                                       pass_fds=[writing], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(writing)
        with os.fdopen(reading) as numbers:
            self.name = ":" + numbers.readline().strip()
        if self.name == ":":
            raise AssertionError("Xvfb does not start")

    def close(self):
        self.server.terminate()
        self.server.wait(10)
        shutil.rmtree(self.folder, ignore_errors=True)

    def tool(self, *words):
        return subprocess.run(["xdotool", *map(str, words)], env={**os.environ, "DISPLAY": self.name}, capture_output=True, text=True, timeout=60)

    def window(self, title, command, seconds=120):
        """The window of that title that the command opens, with the keyboard's attention."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if command.poll() is not None:
                raise AssertionError("it has ended: %s" % command.communicate()[1].decode(errors="replace"))
            found = self.tool("search", "--name", title).stdout.split()
            if found:
                self.tool("windowfocus", "--sync", found[0])
                return found[0]
            time.sleep(0.1)
        raise AssertionError("no window called %s" % title)

    def place(self, window):
        """left, top, width, height"""
        values = dict(line.split("=") for line in self.tool("getwindowgeometry", "--shell", window).stdout.split())
        return tuple(int(values[key]) for key in ("X", "Y", "WIDTH", "HEIGHT"))

    def key(self, name):
        self.tool("key", name)

    def picture(self, box):
        """Rows of (r, g, b) of the box left, top, width, height; the file is an XWD: a header in big-endian words, colours, pixels of four bytes."""
        with open(os.path.join(self.folder, "Xvfb_screen0"), "rb") as file:
            data = file.read()
        header = struct.unpack(">25I", data[:100])
        start, stride = header[0] + 12 * header[19], header[12]
        left, top, width, height = box
        rows = []
        for y in range(top, top + height):
            line = data[start + y * stride + 4 * left:start + y * stride + 4 * (left + width)]
            rows.append([(line[i + 2], line[i + 1], line[i]) for i in range(0, len(line), 4)])
        return rows

    def wait(self, box, holds, what, seconds=30):
        """The first picture that holds(rows)."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            rows = self.picture(box)
            if holds(rows):
                return rows
            time.sleep(0.05)
        raise AssertionError("waited in vain for " + what)
