# SPDX-License-Identifier: MIT
"""Commands of a page, run one after the other in a folder of its own, as a reader would who copies them."""

import os
import pathlib
import shutil
import signal
import subprocess
import time

LIMIT_S = 120


class Shell:
    """A folder with copies of the example files; folder and variables last from one command to the next."""

    def __init__(self, folder, examples, env):
        self.home = pathlib.Path(folder)
        shutil.copytree(examples, self.home, symlinks=True, dirs_exist_ok=True)
        self.cwd, self.env = str(self.home), dict(env, HOME=str(self.home))
        self.state = str(self.home) + ".state"

    def script(self, command):
        return f"set -euo pipefail\n{command}\n{{ pwd; env -0; }} >{self.state}\n"

    def keep(self):
        """Takes over where the command left the shell."""
        if not os.path.exists(self.state):
            return
        with open(self.state, encoding="utf-8", errors="surrogateescape") as file:
            self.cwd, rest = file.read().split("\n", 1)
        self.env = dict(pair.split("=", 1) for pair in rest.split("\0") if "=" in pair)
        os.remove(self.state)

    def run(self, command):
        """(exit status, output) of both channels together."""
        done = subprocess.run(["bash", "-c", self.script(command)], cwd=self.cwd, env=self.env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=LIMIT_S)
        self.keep()
        return done.returncode, done.stdout.decode("utf-8", "replace")

    def run_until_ended(self, command, display, wanted_lines, seconds=4.0):
        """For what runs until it is ended: (still running when it was, output). It is ended by what Ctrl+C sends, once it has said
        as many lines as the page shows, or, where the page shows none, after a while."""
        log = self.state + ".log"
        env = dict(self.env, **({"DISPLAY": display} if display else {}))
        with open(log, "wb") as out:
            child = subprocess.Popen(["bash", "-c", "exec " + command], cwd=self.cwd, env=env, stdin=subprocess.DEVNULL, stdout=out,
                                     stderr=subprocess.STDOUT, start_new_session=True)
            begin, running = time.monotonic(), True
            while running and time.monotonic() - begin < (seconds if not wanted_lines else LIMIT_S):
                time.sleep(0.05)
                running = child.poll() is None
                if wanted_lines and pathlib.Path(log).read_bytes().count(b"\n") >= wanted_lines:
                    break
            if running:
                os.killpg(child.pid, signal.SIGINT)
                try:
                    child.wait(10)
                except subprocess.TimeoutExpired:
                    os.killpg(child.pid, signal.SIGKILL)
                    child.wait()
        output = pathlib.Path(log).read_text(encoding="utf-8", errors="replace")
        os.remove(log)
        return running, output
