# SPDX-License-Identifier: MIT
"""What holds for every verb: help with an example that works, suggestions, exit statuses, colours, quiet, bars.

Covers: main.c, args.c, manual.c, progress.c, say.c, cmd_completion.c.
"""

import os
import pty
import re
import select
import shlex
import subprocess
import threading
import time

import testing
from testing import ARM, arm_frames, document, ewzanim, hero

VERBS = ("info", "convert", "build", "diff", "validate", "formats")


class Help(testing.Case):
    def test_the_command_alone_tells_its_verbs(self):
        result = self.ember(code=2)
        self.assertEqual(result.stdout, b"")
        for words in (("--help",), ("help",), ("-h",)):
            text = self.ember(*words).stdout
            self.assertEqual(text, result.stderr)
            for verb in VERBS:
                self.assertRegex(text.decode(), r"(?m)^  %s +\w" % verb)

    def test_version(self):
        self.assertRegex(self.ember("--version").stdout.decode(), r"^ember \d+\.\d+\.\d+\n$")

    def test_every_verb_has_help_and_its_example_works(self):
        for verb in VERBS:
            text = self.ember(verb, "--help").stdout.decode()
            self.assertEqual(self.ember("help", verb).stdout.decode(), text)
            self.assertEqual(self.ember(verb, "-h").stdout.decode(), text)
            self.assertIn("usage: ember " + verb, text)
            example = re.search(r"example:\n  ember (.*)\n$", text).group(1)
            self.write("hero.json", hero())
            self.write("walk.json", document(ARM, [{"name": "walk", "frames": arm_frames(12)}]))
            self.ember("convert", "-q", "walk.json", "-o", "walk.ewzanim")
            os.makedirs(self.path("assets"), exist_ok=True)
            self.write("assets/walk.ewzanim", self.read("walk.ewzanim"))
            self.assertEqual(shlex.split(example)[0], verb)
            self.ember(*shlex.split(example))

    def test_help_fits_a_terminal_and_lists_every_option_once(self):
        for verb in VERBS:
            text = self.ember(verb, "--help").stdout.decode()
            options = re.findall(r"(?m)^  (?:-\w, |    )(--[\w-]+)", text)
            self.assertEqual(len(options), len(set(options)))
            self.assertIn("--help", options)
            for line in text.splitlines():
                self.assertLessEqual(len(line), 130, line)


class Usage(testing.Case):
    def usage(self, *words, says=()):
        result = self.ember(*words, code=2)
        line = self.one_line(result)
        self.assertEqual(result.stdout, b"")
        for part in says:
            self.assertIn(part, line)
        return line

    def setUp(self):
        super().setUp()
        self.write("a.ewzanim", ewzanim(2, 2))

    def test_unknown_verbs_get_a_suggestion(self):
        self.usage("cnvert", says=["'cnvert'", "did you mean 'convert'?"])
        self.usage("inof", says=["did you mean 'info'?"])
        self.usage("valid", says=["did you mean 'validate'?"])
        self.assertNotIn("did you mean", self.usage("xyzzy-nothing"))
        self.usage("help", "dif", says=["did you mean 'diff'?"])

    def test_unknown_options_get_a_suggestion(self):
        self.usage("info", "a.ewzanim", "--formt", "json", says=["'--formt'", "did you mean '--format'?"])
        self.usage("info", "a.ewzanim", "--bone", says=["did you mean '--bones'?"])
        self.usage("info", "a.ewzanim", "-bones", says=["did you mean '--bones'?"])
        self.usage("convert", "a.ewzanim", "--skel=x", "-o", "b.json", says=["'--skel'", "did you mean '--skeleton'?"])
        self.usage("convert", "a.ewzanim", "--outptu", "b.json", says=["did you mean '--output'?"])
        self.usage("diff", "a.ewzanim", "a.ewzanim", "--tolerence", "1", says=["did you mean '--tolerance'?"])
        self.assertNotIn("did you mean", self.usage("info", "a.ewzanim", "--zzzzzzz"))
        self.usage("info", "a.ewzanim", "-x", says=["'-x'"])

    def test_values(self):
        self.usage("info", "a.ewzanim", "--format", "yaml", says=["text or json", "'yaml'"])
        self.usage("info", "a.ewzanim", "--format", says=["--format needs a value"])
        self.usage("info", "a.ewzanim", "--from", "ewzanin", says=["did you mean 'ewzanim'?"])
        self.usage("info", "a.ewzanim", "--bones=yes", says=["--bones takes no value"])
        self.usage("info", "--source-space", "world", "a.ewzanim", says=["model or local"])
        self.usage("convert", "--space", "world", "a.ewzanim", "-o", "b.ewzanim", says=["model or local"])
        for fps in ("0", "-3", "x", "nan", "inf", "1e999", "30fps", ""):
            self.usage("convert", "a.ewzanim", "-o", "b.json", "--fps=" + fps, says=["--fps"])
        self.usage("convert", "a.ewzanim", "-o", "--to", "json", says=["-o needs a value"])
        self.usage("convert", "a.ewzanim", "-o", "b.json", "--record", "A", says=["--record is for eza"])
        self.usage("convert", "a.ewzanim", "-o", "b.eza", "--record", "F", says=["A, B, C, D or E"])
        self.usage("convert", "a.ewzanim", "-o", "b.eza", "--compact", says=["--compact is for json"])
        self.usage("convert", "a.ewzanim", "-o", "b.json", "--all", "--clip", "0", says=["--all", "--clip"])
        self.assertEqual(self.files(), ["a.ewzanim"])

    def test_what_is_missing(self):
        self.usage("info", says=["a file"])
        self.usage("convert", "a.ewzanim", says=["-o"])
        self.usage("convert", "-o", "b.json", says=["input"])
        self.usage("convert", "a.ewzanim", "-o", "-", says=["--to"])
        self.usage("convert", "a.ewzanim", "-o", "b.unknown", says=["--to"])
        self.usage("convert", "a.ewzanim", "-o", "", says=["-o"])
        self.usage("info", "", says=["empty"])
        self.usage("convert", "-", "-", "-o", "b.json", says=["standard input"])
        self.usage("formats", "x", says=["'x'"])
        self.usage("--quiet", "info", "a.ewzanim", says=["after"])

    def test_ways_to_write_options(self):
        for words in (("-o", "b.json"), ("-ob.json",), ("--output", "b.json"), ("--output=b.json",), ("-qo", "b.json"), ("-vo", "b.json", "-q")):
            self.ember("convert", "a.ewzanim", *words)
            self.assertEqual(self.read_json("b.json")["format"], "ember-clip")
            os.remove(self.path("b.json"))
        self.write("--bones", ewzanim(1, 1))
        self.assertIn(b"--bones: ", self.ember("info", "--", "--bones").stdout)
        self.write("-x.ewzanim", ewzanim(1, 1))
        self.usage("info", "-x.ewzanim", says=["write './-x.ewzanim'"])


class Terminal(testing.Case):
    """On a terminal there are colours and a bar; in a pipe, or with NO_COLOR, there are none."""

    def on_terminal(self, *words, env=None):
        """Runs the command with a terminal for both outputs; what it showed and its exit status."""
        master, slave = pty.openpty()
        variables = {key: value for key, value in os.environ.items() if key != "NO_COLOR"}
        variables.update({"TERM": "xterm"}, **(env or {}))
        process = subprocess.Popen([testing.EMBER, *words], cwd=self.folder, stdin=subprocess.DEVNULL, stdout=slave, stderr=slave, env=variables)
        os.close(slave)
        shown = b""
        end = time.time() + 120
        while time.time() < end:
            ready, _, _ = select.select([master], [], [], 1)
            try:
                part = os.read(master, 65536) if ready else b""
            except OSError:
                break
            if ready and not part:
                break
            shown += part
        os.close(master)
        return shown, process.wait()

    def setUp(self):
        super().setUp()
        self.write("good.ewzanim", ewzanim(2, 2))
        self.write("bad.ewzanim", b"\1")

    def test_colours(self):
        for words in (("info", "bad.ewzanim"), ("info", "good.ewzanim"), ("validate", "bad.ewzanim", "--target", "ewz")):
            shown, _ = self.on_terminal(*words)
            self.assertIn(b"\x1b[", shown, words)
            for env in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
                shown, _ = self.on_terminal(*words, env=env)
                self.assertNotIn(b"\x1b", shown, words)
                self.assertIn(b".ewzanim", shown)
            shown, _ = self.on_terminal(*words, env={"NO_COLOR": ""})
            self.assertIn(b"\x1b[", shown, "an empty NO_COLOR is none")
            result = self.run_ember(*words)
            self.assertNotIn(b"\x1b", result.stdout + result.stderr)

    def slowly(self, name, data):
        """A pipe that gives its data only after a while."""
        path = self.path(name)
        if not os.path.exists(path):
            os.mkfifo(path)

        def feed():
            with open(path, "wb") as pipe:
                time.sleep(0.8)
                pipe.write(data)

        thread = threading.Thread(target=feed)
        thread.start()
        self.addCleanup(thread.join)
        return name

    def test_a_bar_for_long_work_only(self):
        data = ewzanim(2, 2)
        quick = [self.write("%d.ewzanim" % i, data) for i in range(3)]
        shown, code = self.on_terminal("convert", *quick, "-o", "{clip}.json")
        self.assertEqual((shown, code), (b"", 0))
        shown, code = self.on_terminal("convert", self.slowly("slow.ewzanim", data), *quick, "-o", "{clip}.json")
        self.assertEqual(code, 0)
        self.assertRegex(shown, rb"\[#+\.*\] \d/4")
        self.assertTrue(shown.endswith(b"\r\x1b[K"), "the bar stays behind: %r" % shown)
        shown, code = self.on_terminal("convert", "-q", self.slowly("slow.ewzanim", data), *quick, "-o", "{clip}.json")
        self.assertEqual((shown, code), (b"", 0))
        result = self.ember("convert", self.slowly("slow.ewzanim", data), *quick, "-o", "{clip}.json")
        self.assertEqual(result.stderr, b"")


if __name__ == "__main__":
    testing.main()
