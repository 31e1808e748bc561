# SPDX-License-Identifier: MIT
"""The WebAssembly specification's tests on Ember's engines, through Ember's own check. The tests are those in Debian's
source package of binaryen, which `make spec` brings; wabt's wast2json reads them. Each module becomes a game whose
`update` runs one call (wasm_bytes.py). Counted: what passed, and what was left out and why. NaNs that arithmetic makes
must be the canonical one, not just any. EMBER_SPEC_ENGINES="interp object" runs them on both engines."""

import collections
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

import testing
import wasm_bytes as wasm

RUNNER, SUITE = sys.argv[1], sys.argv[2]
ENGINES = os.environ.get("EMBER_SPEC_ENGINES", "interp").split()

TRAPS = {
    "integer divide by zero": "integer division by zero",
    "integer overflow": "integer overflow",
    "invalid conversion to integer": "a number that is not one",
    "out of bounds memory access": "memory access out of bounds",
    "out of bounds": "memory access out of bounds",
    "unreachable": "unreachable code",
    "indirect call": "an indirect call",
    "undefined element": "an indirect call",
    "uninitialized element": "an indirect call",
    "undefined": "an indirect call",
    "uninitialized": "an indirect call",
    "call stack exhausted": "calls inside each other",
}
TYPES = {"i32": wasm.I32, "i64": wasm.I64, "f32": wasm.F32, "f64": wasm.F64}
CANONICAL = {"f32": 0x7FC00000, "f64": 0x7FF8000000000000}

# What the console does not run, by the words with which Ember refuses it.
OUTSIDE = ["which the console does not", "tables, the console has one", "KiB of memory, the console has", "at most"]


# Modules that are made games before they are looked at, or that the console or later rules allow.
NOT_REFUSED = {
    "unknown memory": "a module without memory: the console's have one",
    "unknown function": "an index that the game around the module gives a meaning",
    "unknown type": "an index that the game around the module gives a meaning",
    "unknown global": "an index that the game around the module gives a meaning",
    "unknown table": "exports, of which the game keeps none",
    "duplicate export name": "exports, of which the game keeps none",
    "memory size must be at most": "the maximum of memory: the console has its own",
    "invalid result arity": "rules that are wider today (several results, index instead of a zero byte)",
    "zero flag expected": "rules that are wider today (several results, index instead of a zero byte)",
    "malformed UTF-8": "names of custom sections, which are not read",
}
# Calls whose result says how much memory there is: the console has 4 MiB.
WIDER = {("unreached-invalid.wast", 539): "a branch table in dead code to labels of unlike types, which is valid today"}
MORE_MEMORY = {("call.wast", 304), ("call_indirect.wast", 574), ("memory_grow.wast", 45), ("memory_grow.wast", 48), ("resizing.wast", 45)}


def modern(text):
    """Older names of the same thing: blocks had bare types, traps no text, and NaNs were assertions of their own."""
    text = re.sub(r"\((block|loop|if)((?: \$[\w-]+)?) (i32|i64|f32|f64)\b(?!\.)", r"(\1\2 (result \3)", text)
    text = re.sub(r'^(\(assert_trap \(invoke "[^"]*"[^"]*\)\))\)$', r'\1 "out of bounds memory access")', text, flags=re.MULTILINE)
    out, at = [], 0
    for match in re.finditer(r"\(assert_return_(canonical|arithmetic)_nan\s*", text):
        depth, end = 0, match.end()
        while True:
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
            if depth == 0:
                break
        action = text[match.end():end]
        name = re.search(r'"([^"]*)"', action).group(1)
        kind = re.findall(r'\(export "%s"\)[^\n]*\(result (f32|f64)\)' % re.escape(name), text[:match.start()])[-1]
        out += [text[at:match.start()], "(assert_return ", action, " (%s.const nan:canonical)" % kind]
        at = end
    return "".join(out) + text[at:]


class Runner:
    def __init__(self, engine, folder):
        self.engine, self.folder, self.number = engine, folder, 0
        self.child = subprocess.Popen([RUNNER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, line):
        self.child.stdin.write(line + "\n")
        self.child.stdin.flush()
        answer = self.child.stdout.readline().rstrip("\n")
        if not answer and self.child.poll() is not None:
            sys.exit("FAIL: the runner ended at: " + line)
        return answer

    def load(self, data):
        self.number += 1
        path = os.path.join(self.folder, "module%d.wasm" % self.number)
        with open(path, "wb") as file:
            file.write(data)
        return self.ask("load %s %s" % (self.engine, path))

    def close(self):
        self.child.stdin.close()
        self.child.wait()


class Suite:
    def __init__(self, runner):
        self.runner, self.passed, self.skipped, self.failed = runner, collections.Counter(), collections.Counter(), []
        self.game = None

    def fail(self, place, what):
        self.failed.append("%s: %s" % (place, what))

    def file(self, name, document, folder):
        commands, at = document["commands"], 0
        self.game = None
        while at < len(commands):
            command = commands[at]
            place = "%s:%d" % (name, command["line"])
            if command["type"] == "module":
                end = at + 1
                while end < len(commands) and commands[end]["type"] != "module":
                    end += 1
                self.module(place, command, commands[at + 1:end], folder)
                at += 1
                continue
            self.command(place, command, folder)
            at += 1

    def module(self, place, command, following, folder):
        """Loads it with all the calls that the following commands make."""
        self.game, self.calls, wanted = None, {}, []
        with open(os.path.join(folder, command["filename"]), "rb") as file:
            data = file.read()
        for other in following:
            action = other.get("action")
            if action and action.get("module", command.get("name")) == command.get("name"):
                try:
                    arguments = None if action["type"] == "get" else [
                        (TYPES[a["type"]], int(a["value"]) if a["value"].isdigit() else CANONICAL[a["type"]]) for a in action["args"]]
                except KeyError:
                    continue
                wanted.append((action["field"], arguments, id(other)))
        try:
            try:
                game = wasm.Game(data, [(n, a) for n, a, _ in wanted])
            except wasm.Bad as error:
                if str(error) not in ("no such export", "other arguments"):
                    raise
                game = wasm.Game(data, [])
                wanted = []
        except (wasm.Bad, KeyError, IndexError) as error:
            self.skipped["module with " + str(error).strip("'")] += 1
            return
        answer = self.runner.load(game.data)
        if answer != "ok":
            if any(part in answer for part in OUTSIDE):
                self.skipped["module outside of the console: " + answer[8:60]] += 1
            else:
                self.fail(place, answer)
            return
        self.game, self.passed["modules"] = game, self.passed["modules"] + 1
        self.calls = {key: i + game.has_start for i, (_, _, key) in enumerate(wanted)}
        if game.has_start:
            self.runner.ask("set %d 0" % game.first)
            if self.runner.ask("update") != "ok":
                self.fail(place, "its start function traps")

    def command(self, place, command, folder):
        kind = command["type"]
        if kind in ("assert_return", "action", "assert_trap", "assert_exhaustion"):
            if (place.split(":")[0], command["line"]) in MORE_MEMORY:
                self.skipped["call that wants more memory than the console has"] += 1
                return
            if self.game is None or id(command) not in self.calls:
                self.skipped["call into a module that was left out"] += 1
                return
            self.runner.ask("set %d %d" % (self.game.first, self.calls[id(command)]))
            answer = self.runner.ask("update")
            if kind in ("assert_return", "action"):
                self.returned(place, command, answer)
            elif not answer.startswith("trap " + next((t for start, t in TRAPS.items() if command["text"].startswith(start)), "?")):
                self.fail(place, "%s, not %s" % (answer, command["text"]))
            else:
                self.passed["traps"] += 1
        elif kind in ("assert_invalid", "assert_malformed"):
            self.refused(place, command, folder)
        else:
            self.skipped[kind] += 1

    def returned(self, place, command, answer):
        if answer != "ok":
            self.fail(place, answer)
            return
        for i, expected in enumerate(command.get("expected", []) if command["type"] == "assert_return" else []):
            got = int(self.runner.ask("get %d" % (self.game.first + 1 + i)))
            value = expected["value"]
            wanted = CANONICAL[expected["type"]] if value.startswith("nan") else int(value)
            sign = 1 << (31 if expected["type"] == "f32" else 63)
            # The sign of a NaN that abs, neg or copysign gave is the operand's.
            if got != wanted and not (value.startswith("nan") and got == wanted | sign and
                                      any(w in command["action"]["field"] for w in ("neg", "copysign", "abs"))):
                self.fail(place, "%s gives %#x, not %s" % (command["action"]["field"], got, value))
                return
        self.passed["calls"] += 1

    def refused(self, place, command, folder):
        if command["module_type"] != "binary":
            self.skipped["text that is malformed"] += 1
            return
        with open(os.path.join(folder, command["filename"]), "rb") as file:
            data = file.read()
        why = WIDER.get((place.split(":")[0], command["line"])) or next((why for text, why in NOT_REFUSED.items() if text in command["text"]), None)
        if why is not None:
            self.skipped[why] += 1
            return
        if command["type"] == "assert_invalid":
            try:
                data = wasm.Game(data, []).data
            except (wasm.Bad, KeyError, IndexError):
                self.skipped["invalid module with imports, or that begins otherwise"] += 1
                return
        answer = self.runner.load(data)
        self.game = None
        if answer == "ok":
            self.fail(place, "%s is not refused: %s" % (command["filename"], command["text"]))
        elif "does not export its memory" in answer or "exports none of init" in answer:
            self.fail(place, "%s is refused only for its exports: %s" % (command["filename"], command["text"]))
        else:
            self.passed[kind_of(command)] += 1


def kind_of(command):
    return "invalid modules" if command["type"] == "assert_invalid" else "malformed modules"


# Files about what the console does not run, or that test the text format; with the reason.
LEFT_OUT = re.compile(r"64\.wast$|\.fail\.wast$|^old_|^utf8-|^simd|^ref_|^br_on|^call_ref|^i31|^struct|^array|^tuples|^tags|"
                      r"^exception|^atomics|^elem_ref|^table_(get|set|grow|size)|^comments|^inline-module|^call_indirect_refnull|^linking")
INCLUDED_64 = re.compile(r"^(i64|f64)\.wast$")


def main():
    if not os.path.isdir(SUITE) or not os.listdir(SUITE):
        testing.skip("the specification's tests are not there: run `make spec`")
    if shutil.which("wast2json") is None:
        testing.skip("wast2json (wabt) is not installed")
    bad = False
    for engine in ENGINES:
        with tempfile.TemporaryDirectory() as folder:
            runner = Runner(engine, folder)
            suite = Suite(runner)
            for name in sorted(os.listdir(SUITE)):
                if LEFT_OUT.search(name) and not INCLUDED_64.search(name):
                    suite.skipped["file about what the console does not run, or about text"] += 1
                    continue
                with open(os.path.join(SUITE, name), encoding="utf-8") as file:
                    text = modern(file.read())
                with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                    file.write(text)
                out = os.path.join(folder, name + ".json")
                done = subprocess.run(["wast2json", "--enable-all", os.path.join(folder, name), "-o", out], capture_output=True)
                if done.returncode != 0:
                    suite.skipped["file that wast2json does not read"] += 1
                    print("not read: %s: %s" % (name, done.stderr.decode().split("\n")[0]))
                    continue
                with open(out, encoding="utf-8") as file:
                    suite.file(name, json.load(file), folder)
            runner.close()
            print("%s: %s pass" % (engine, ", ".join("%d %s" % (n, what) for what, n in sorted(suite.passed.items()))))
            for why, count in suite.skipped.most_common():
                print("  skipped %d: %s" % (count, why))
            for line in suite.failed:
                print("  FAIL " + line)
            bad = bad or bool(suite.failed) or suite.passed["calls"] < 5000
    sys.exit(1 if bad else 0)


main()
