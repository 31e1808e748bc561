# SPDX-License-Identifier: MIT
"""The command behind shim.c: runs it again and again, with one thing going wrong in each run."""

import os
import shutil
import struct
import subprocess
import tempfile

KINDS = ("alloc", "open", "read", "write", "sync", "close", "rename", "look", "folder", "thread", "change")
SHOWN = 8
ANSWER = struct.Struct("<4iQQQ%dQ%dQ" % (SHOWN, len(KINDS)))

# What can go wrong, and which calls count for it: the table `hows` of shim.c.
FAILURES = {"alloc": "alloc", "alloc-on": "alloc", "open": "open", "read": "read", "write": "write", "write-full": "write", "sync": "sync", "close": "close",
            "rename": "rename", "look": "look", "folder": "folder", "thread": "thread"}
HARMLESS = {"read-short": "read", "read-interrupt": "read", "write-short": "write", "write-interrupt": "write"}
ENDS = {"kill-before": "change", "kill-after": "change", "term-before": "change"}


class Run:
    """What came of one: code (minus the signal that ended it), out, err, counts by kind, peak bytes (of all, and of Ember alone), blocks that were left."""


def room(inside=None):
    """A folder that costs no disk, where there is one."""
    return tempfile.mkdtemp(prefix="ember-faults-", dir=inside or ("/dev/shm" if os.access("/dev/shm", os.W_OK) else None))


class Server:
    def __init__(self, ember, shim, inside=None):
        self.room = room(inside)
        variables = {key: value for key, value in os.environ.items() if not key.startswith(("EMBER_", "ASAN_", "UBSAN_"))}
        variables.update(LD_PRELOAD=os.path.abspath(shim), NO_COLOR="1", LIBGL_ALWAYS_SOFTWARE="1")
        requests, answers = os.pipe(), os.pipe()

        def place():
            os.dup2(requests[0], 30)
            os.dup2(answers[1], 40)
            os.dup2(30, 3)
            os.dup2(40, 4)
            os.close(30)
            os.close(40)

        self.process = subprocess.Popen([os.path.abspath(ember)], env=variables, stdin=subprocess.DEVNULL, close_fds=False, preexec_fn=place, cwd=self.room)
        os.close(requests[0])
        os.close(answers[1])
        self.requests, self.answers = requests[1], answers[0]

    def close(self):
        os.close(self.requests)
        self.process.wait()
        os.close(self.answers)
        shutil.rmtree(self.room)

    def run(self, folder, words, how="", named=False, out=None):
        out_path, err_path = out or os.path.join(self.room, "out"), os.path.join(self.room, "err")
        request = b"".join(os.fsencode(word) + b"\0" for word in (folder, out_path, err_path, how, "named" if named else "", *words))
        os.write(self.requests, struct.pack("<I", len(request)) + request)
        data = b""
        while len(data) < ANSWER.size:
            more = os.read(self.answers, ANSWER.size - len(data))
            if not more:
                raise RuntimeError("the shim's server has ended")
            data += more
        values = ANSWER.unpack(data)
        run = Run()
        run.code = os.waitstatus_to_exitcode(values[0])
        if run.code == 99:
            raise RuntimeError("the shim does not know %r" % how)
        run.is_closed, run.left_by_exit, run.peak, run.own_peak, run.live = bool(values[1]), bool(values[2]), values[4], values[5], values[6]
        run.callers = [address for address in values[7:7 + SHOWN] if address]
        run.counts = dict(zip(KINDS, values[7 + SHOWN:]))
        run.out = b"" if out else read(out_path)
        run.err = read(err_path).decode("utf-8", "replace")
        return run


def read(path):
    with open(path, "rb") as file:
        return file.read()


def tree(folder):
    """Every file below by its path, and what it holds; of folders the path alone."""
    found = {}
    for entry in os.scandir(folder):
        if entry.is_dir(follow_symlinks=False):
            found[entry.name + "/"] = None
            found.update((entry.name + "/" + name, data) for name, data in tree(entry.path).items())
        else:
            found[entry.name] = read(entry.path)
    return found
