# SPDX-License-Identifier: MIT
"""Random modules on the interpreter, the object engine and V8: the same results, kinds of traps and memory after every
call. A few in every run; EMBER_RANDOM_CALLS=1000000 runs as many calls on each engine. V8's NaNs have other bits, so
the modules filter them; modules that do not are compared on Ember's two engines once both follow the NaN rule."""

import collections
import os
import shutil
import subprocess
import sys
import tempfile

import random_modules
import testing

RUNNER, V8 = sys.argv[1], os.path.join(os.path.dirname(os.path.abspath(__file__)), "v8_runner.mjs")
CALLS = int(os.environ.get("EMBER_RANDOM_CALLS", "6000"))
EACH = 3000 if CALLS <= 6000 else 10000  # calls of a module: its compilation is what takes the time
FIRST = int(os.environ.get("EMBER_RANDOM_SEED", "1"))


def lines(command, text):
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit("FAIL: %s: %s" % (" ".join(command), done.stderr[-1000:]))
    return done.stdout.split("\n")


def run(engine, path):
    if engine == "v8":
        return lines(["node", V8], "%s %d\n" % (path, EACH))
    answer = lines([RUNNER], "load %s %s\ncalls 0 %d\nmemory\n" % (engine, path, EACH))
    if answer[0] != "ok":
        sys.exit("FAIL: %s: %s" % (engine, answer[0]))
    return answer[1:]


def same(ours, v8):
    """V8 does not tell a NaN from a number that is too large."""
    return ours == v8 or (v8[:1] == "c" and ours[:1] in "no" and ours[1:] == v8[1:])


def main():
    engines = ["interp", "object"]
    if shutil.which("node") is not None:
        engines.append("v8")
    if shutil.which("wasm2c") is None:
        testing.skip("wasm2c (wabt) is not installed")
    kinds, modules = collections.Counter(), max(1, CALLS // EACH)
    with tempfile.TemporaryDirectory() as folder:
        for number in range(modules):
            path = os.path.join(folder, "random.wasm")
            with open(path, "wb") as file:
                file.write(random_modules.Module(FIRST + number).data)
            answers = {engine: run(engine, path) for engine in engines}
            for engine in engines[1:]:
                for i, (ours, theirs) in enumerate(zip(answers["interp"], answers[engine])):
                    if not same(ours, theirs):
                        sys.exit("FAIL: module %d, call %d: interp %s, %s %s" % (FIRST + number, i, ours, engine, theirs))
            kinds.update(line[:1] for line in answers["interp"][:EACH])
    if not 0.2 < kinds["-"] / sum(kinds.values()) < 0.95:
        sys.exit("FAIL: too many calls trap, or too few: %s" % kinds)
    print("%d modules, %d calls on each of %s: no difference (returned %d, trapped %d)" %
          (modules, modules * EACH, ", ".join(engines), kinds["-"], sum(kinds.values()) - kinds["-"]))


main()
