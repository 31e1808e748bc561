# SPDX-License-Identifier: MIT
"""tools/format lays out C, Markdown, licence lines and blanks, --check reports what is not, and no page's text changes."""
import os
import pathlib
import re
import shutil
import stat
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(sys.argv[1]).resolve()
FORMAT = ROOT / "tools/format"
sys.path.insert(0, str(ROOT / "tools"))
import format_markdown # noqa: E402

C_LINE = "/* SPDX-License-Identifier: MIT */\n"


def have_clang_format():
    for name in ("clang-format-14", "clang-format"):
        if shutil.which(name):
            return "version 14." in subprocess.run([name, "--version"], capture_output=True, text=True, check=False).stdout
    return False


def run(*words, path=None):
    environment = {**os.environ, "PATH": path} if path else None
    return subprocess.run([sys.executable, "-B", FORMAT, *map(str, words)], capture_output=True, text=True, check=False, env=environment)


class Folder(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp()).resolve()
        self.addCleanup(shutil.rmtree, self.folder)

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path

    def rewritten(self, name, text):
        """What the tool makes of a file, with the result found to be in order."""
        path = self.write(name, text)
        done = run(path)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        result = path.read_text(encoding="utf-8")
        self.assertEqual(run("--check", path).returncode, 0, result)
        return result


class Sources(Folder):
    HAND = C_LINE + "int  twice( int x )\n{\n  int y=2 * x;\n      return y;\n}\n"

    def test_check_reports_the_first_line_and_changes_nothing(self):
        path = self.write("a.c", self.HAND)
        done = run("--check", path)
        self.assertEqual(done.returncode, 1)
        self.assertIn(f"ember: {path}:2: not formatted (run make format)\n", done.stdout)
        self.assertEqual(done.stdout.count("not formatted"), 1)
        self.assertEqual(path.read_text(encoding="utf-8"), self.HAND)

    def test_c_is_laid_out(self):
        self.assertEqual(self.rewritten("a.c", self.HAND), C_LINE + "int twice(int x)\n{\n    int y = 2 * x;\n    return y;\n}\n")

    def test_short_functions_stay_on_one_line(self):
        self.assertEqual(self.rewritten("a.c", C_LINE + "int one(void)\n{\n    return 1;\n}\n"), C_LINE + "int one(void) { return 1; }\n")

    def test_a_comment_without_room_goes_above_its_line(self):
        said = " ".join(["word"] * 20)
        text = C_LINE + f"struct pair {{\n    int first; /* short */\n    int second; /* {said} */\n}};\n"
        self.assertEqual(self.rewritten("a.h", text), C_LINE + f"struct pair {{\n    int first; /* short */\n    /* {said} */\n    int second;\n}};\n")

    def test_a_wide_comment_is_wrapped_without_stars_and_keeps_its_paragraphs(self):
        full = " ".join(["four"] * 26) # 129 columns
        text = C_LINE + f"/* {full}\n   {full}\n   Ends here.\n   Another thought.\n   Rules: none.\n\n     a  b   a table\n   *out is last. */\nint x;\n"
        line = " ".join(["four"] * 21) # 104 and 3 before it
        expected = f"/* {line}\n   {line}\n   {' '.join(['four'] * 10)} Ends here.\n   Another thought.\n   Rules: none.\n\n     a  b   a table\n   *out is last. */\nint x;\n"
        self.assertEqual(self.rewritten("a.h", text), C_LINE + expected)

    def test_a_comment_does_not_leave_one_word_for_its_last_line(self):
        full = " ".join(["four"] * 21) # 104 and 3 before it
        text = C_LINE + f"/* First.\n\n   {full}\n   last. */\nint x;\n"
        expected = C_LINE + f"/* First.\n\n   {' '.join(['four'] * 19)}\n   four four last. */\nint x;\n"
        self.assertEqual(self.rewritten("a.h", text), expected)
        short = C_LINE + "/* One of\n   two. */\nint x;\n"
        table = C_LINE + "/* Rows:\n     one  two\n     three */\nint x;\n"
        self.assertEqual(self.rewritten("a.h", short), C_LINE + "/* One of two. */\nint x;\n")
        self.assertEqual(self.rewritten("a.h", table), table)

    def test_a_wide_row_of_a_table_is_wrapped_within_its_column(self):
        said = " ".join(["four"] * 22) # 109 columns, of which 90 fit
        text = C_LINE + f"/* Rows:\n\n     one    {said}\n     two    more\n\n   End. */\nint x;\n"
        wrapped = f"{' '.join(['four'] * 19)}\n{' ' * 12}four four four"
        self.assertEqual(self.rewritten("a.h", text), text.replace(said, wrapped))

    def test_what_is_off_stays(self):
        text = C_LINE + "/* clang-format off */\nint  a[] = {1,\n  2}; /* one\n two */\n/* clang-format on */\n"
        self.assertEqual(self.rewritten("a.c", text), text)

    def test_what_is_off_by_a_line_comment_stays(self):
        text = C_LINE + "// clang-format off\nint  a[] = {1,\n  2}; /* one\n two */\n// clang-format on\n"
        self.assertEqual(self.rewritten("a.c", text), text)

    def test_a_comment_behind_else_goes_into_the_block(self):
        said = " ".join(["word"] * 19)
        text = C_LINE + f"int f(int x)\n{{\n    if (x) {{\n        x++;\n        x *= 2;\n    }} else {{ /* {said} */\n        x--;\n        x *= 3;\n    }}\n    return x;\n}}\n"
        self.assertEqual(self.rewritten("a.c", text), text.replace(f"{{ /* {said} */\n", f"{{\n        /* {said} */\n"))

    def test_a_line_that_stays_too_wide_fails(self):
        name = "n" * 120
        path = self.write("a.c", C_LINE + f"int {name};\n")
        for words in ([path], ["--check", path]):
            done = run(*words)
            self.assertEqual(done.returncode, 1)
            self.assertIn(f"ember: {path}:2: 125 columns, at most 110\n", done.stdout)

    def test_generated_tables_are_left_alone(self):
        marked = re.findall(r"^(\S+)\s+linguist-generated", (ROOT / ".gitattributes").read_text(encoding="utf-8"), re.M)
        self.assertNotEqual(marked, [])
        table = "int table[]={" + ",".join("1" for _ in range(200)) + "};\n"
        (self.folder / marked[0]).write_text(table, encoding="utf-8")
        self.write("b.c", C_LINE + "int b;\n")
        done = run("--check", self.folder)
        self.assertEqual((done.returncode, done.stdout), (0, "format: 1 files, 0 findings\n"))

    def test_folders_are_searched_but_for_what_git_ignores(self):
        for name in ("build_one.c", "verbs/build/two.c", "build/three.c", "build-asan/four.h", "node_modules/five.js"):
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
            self.write(name, self.HAND)
        shutil.copy(ROOT / ".gitignore", self.folder)
        for git in (False, True) if shutil.which("git") else (False,):
            with self.subTest(git=git):
                if git:
                    subprocess.run(["git", "init", "-q"], cwd=self.folder, check=True)
                done = run("--check", self.folder)
                self.assertEqual(re.findall(r"^ember: (\S+?):\d", done.stdout, re.M), [f"{self.folder}/build_one.c", f"{self.folder}/verbs/build/two.c"])

    def test_a_folder_that_the_repository_around_it_ignores_is_walked(self):
        if not shutil.which("git"):
            self.skipTest("git is missing")
        subprocess.run(["git", "init", "-q"], cwd=self.folder, check=True)
        self.write(".gitignore", "*\n")
        inner = self.folder / "inner"
        inner.mkdir()
        self.write("inner/a.c", self.HAND)
        done = run("--check", inner)
        self.assertEqual((done.returncode, done.stdout), (1, f"ember: {inner}/a.c:2: not formatted (run make format)\nformat: 1 files, 1 findings\n"))

    def test_nothing_to_format_is_reported(self):
        done = run("--check", self.folder)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (1, "", "ember: there is nothing to format\n"))

    def test_a_file_that_is_not_utf_8_is_reported(self):
        path = self.folder / "a.py"
        path.write_bytes(b"# SPDX-License-Identifier: MIT\nname = '\xe9'\n")
        other = self.write("b.c", self.HAND)
        done = run("--check", self.folder)
        self.assertEqual((done.returncode, done.stderr), (1, ""))
        self.assertEqual(done.stdout, f"ember: {path}: not UTF-8\nember: {other}:2: not formatted (run make format)\nformat: 2 files, 2 findings\n")

    def test_sources_get_a_licence_line(self):
        cases = {"a.py": ('"""Doc."""\n', '# SPDX-License-Identifier: MIT\n"""Doc."""\n'),
                 "b.js": ("let x;\n", "// SPDX-License-Identifier: MIT\nlet x;\n"),
                 "run": ("#!/bin/sh\nset -eu\n", "#!/bin/sh\n# SPDX-License-Identifier: MIT\nset -eu\n"),
                 "CMakeLists.txt": ("project(x)\n", "# SPDX-License-Identifier: MIT\nproject(x)\n"),
                 "d.css": (":root {}\n", C_LINE + ":root {}\n"),
                 "e.html": ("<!doctype html>\n<p>\n", "<!doctype html>\n<!-- SPDX-License-Identifier: MIT -->\n<p>\n"),
                 "c.h": ("/* What. */\nint x;\n", C_LINE + "/* What. */\nint x;\n")}
        for name, (text, expected) in cases.items():
            with self.subTest(name):
                path = self.write(name, text)
                done = run("--check", path)
                self.assertEqual(done.returncode, 1)
                self.assertIn(f'ember: {path}:1: no line "SPDX-License-Identifier: MIT" (run make format)\n', done.stdout)
                self.assertEqual(self.rewritten(name, text), expected)

    def test_another_version_of_clang_format_is_refused(self):
        path = self.write("a.c", self.HAND)
        tools = self.folder / "bin"
        tools.mkdir()
        for words, said in ((None, "clang-format is missing: install version 14"), ("echo clang-format version 15.0.7", "is version 15, but the project is formatted by version 14")):
            with self.subTest(said):
                if words:
                    fake = tools / "clang-format"
                    fake.write_text(f"#!/bin/sh\n{words}\n", encoding="utf-8")
                    fake.chmod(fake.stat().st_mode | stat.S_IXUSR)
                done = run("--check", path, path=str(tools))
                self.assertEqual(done.returncode, 1)
                self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
                self.assertIn(said, done.stderr)


# Files of each kind with a first line that is right.
KINDS = {"a.c": C_LINE, "b.py": "# SPDX-License-Identifier: MIT\n", "c.js": "// SPDX-License-Identifier: MIT\n", "d.md": "# Title\n", "CMakeLists.txt": "# SPDX-License-Identifier: MIT\n",
         "e.cmake": "# SPDX-License-Identifier: MIT\n", "f.sh": "#!/bin/sh\n# SPDX-License-Identifier: MIT\n", "g.json": "{}\n", "h.html": "<!doctype html>\n<!-- SPDX-License-Identifier: MIT -->\n",
         "i.css": C_LINE, "Makefile": "# SPDX-License-Identifier: MIT\n"}


class Blanks(Folder):
    def test_every_kind_of_text_ends_its_lines_with_a_line_feed_alone(self):
        for made, spoil in (("no last line feed", lambda text: text[:-1]), ("two last line feeds", lambda text: text + "\n"), ("carriage returns", lambda text: text.replace("\n", "\r\n")),
                            ("a blank at the end", lambda text: text[:-1] + " \n"), ("a tab at the end", lambda text: text[:-1] + "\t\n")):
            with self.subTest(made):
                for name, text in KINDS.items():
                    (self.folder / name).write_bytes(spoil(text).encode("utf-8"))
                done = run("--check", self.folder)
                self.assertEqual(done.returncode, 1)
                self.assertEqual(sorted(re.findall(r"^ember: (\S+?):\d+: not formatted", done.stdout, re.M)), sorted(str(self.folder / name) for name in KINDS))
                self.assertEqual({name: (self.folder / name).read_bytes() for name in KINDS}, {name: spoil(text).encode("utf-8") for name, text in KINDS.items()})
                self.assertEqual(run(self.folder).returncode, 0)
                self.assertEqual({name: (self.folder / name).read_bytes() for name in KINDS}, {name: text.encode("utf-8") for name, text in KINDS.items()})

    def test_tabs_before_text_become_blanks(self):
        self.assertEqual(self.rewritten("g.json", '{\n\t"a": 1\n}\n'), '{\n    "a": 1\n}\n')
        rule = KINDS["Makefile"] + "all:\n\techo\n"
        self.assertEqual(self.rewritten("Makefile", rule), rule)

    def test_tabs_behind_text_are_reported(self):
        path = self.write("g.json", '{"a\tb": 1}\n')
        for words in ([path], ["--check", path]):
            done = run(*words)
            self.assertEqual(done.returncode, 1)
            self.assertIn(f"ember: {path}:1: a tab behind text: write \\t or blanks\n", done.stdout)
        self.assertEqual(path.read_text(encoding="utf-8"), '{"a\tb": 1}\n')

    def test_two_blanks_break_a_line_of_a_page(self):
        self.assertEqual(self.rewritten("d.md", "One  \ntwo.   \nThree.  \n"), "One  \ntwo.  \nThree.\n")


# What is written, and what it becomes.
PAGES = {
    "sentences": ("One two. Three\nfour? Five! Six.\n", "One two.\nThree four?\nFive!\nSix.\n"),
    "no break within a sentence": ("One\ntwo\nthree.\n", "One two three.\n"),
    "abbreviations": ("See e.g. Ember, i.e. This, vs. That, etc. Done. Next.\n", "See e.g. Ember, i.e. This, vs. That, etc. Done.\nNext.\n"),
    "numbers": ("It is 1.5 wide. No. 3 is not. No. That is.\n", "It is 1.5 wide.\nNo. 3 is not.\nNo.\nThat is.\n"),
    "names of files": ("In foo.c and a.b. Then\nmore.\n", "In foo.c and a.b.\nThen more.\n"),
    "an ellipsis": ("Wait ... There it is. And.\n", "Wait ... There it is.\nAnd.\n"),
    "code": ("Call `a. B` now. `c` is next.\n", "Call `a. B` now.\n`c` is next.\n"),
    "code that ends a sentence": ("It says `Covers: a.c.` The tests are here. See `a.b.` (One.) In `..` There is `x.` so.\n",
                                  "It says `Covers: a.c.`\nThe tests are here.\nSee `a.b.`\n(One.)\nIn `..` There is `x.` so.\n"),
    "code of two ticks": ("Say ``a. ` B`` so. End.\n", "Say ``a. ` B`` so.\nEnd.\n"),
    "links": ("See [One. Two](x.md). [Three](y.md) too. (Four.) Five.\n", "See [One. Two](x.md).\n[Three](y.md) too.\n(Four.)\nFive.\n"),
    "quotes and emphasis": ('He said "no." *Then* he went.\n', 'He said "no."\n*Then* he went.\n'),
    "a heading in the text": ("**Memory.** Nothing is kept. Ever.\n", "**Memory.** Nothing is kept.\nEver.\n"),
    "options": ("It ends. --all is next.\n", "It ends.\n--all is next.\n"),
    "a small letter does not begin a sentence": ("It ends. then not.\n", "It ends. then not.\n"),
    "what would begin a list does not begin a line": ("We had 3. 4. And more. - Then.\n", "We had 3. 4.\nAnd more. - Then.\n"),
    "items": ("- One. Two\n  three. Four.\n- Five\nsix.\n", "- One.\n  Two three.\n  Four.\n- Five six.\n"),
    "numbered items": ("10. One. Two.\n11. Three.\n", "10. One.\n    Two.\n11. Three.\n"),
    "items within items": ("- One. Two.\n  - Three. Four\n    five.\n\n    Six. Seven.\n", "- One.\n  Two.\n  - Three.\n    Four five.\n\n    Six.\n    Seven.\n"),
    "a fence in an item": ("- One. Two:\n  ```sh\n  a. B\n  c\n  ```\n  Three. Four.\n", "- One.\n  Two:\n  ```sh\n  a. B\n  c\n  ```\n  Three.\n  Four.\n"),
    "fences": ("```text\nOne. Two\nthree.\n```\nFour. Five.\n", "```text\nOne. Two\nthree.\n```\nFour.\nFive.\n"),
    "indented code": ("One.\n\n    a. B\n    c\n\nTwo. Three.\n", "One.\n\n    a. B\n    c\n\nTwo.\nThree.\n"),
    "headings": ("# One. Two\n\nOne. Two\n========\n\nThree. Four.\n", "# One. Two\n\nOne. Two\n========\n\nThree.\nFour.\n"),
    "tables": ("| a | b |\n|---|---|\n| One. Two | c |\n", "| a | b |\n|---|---|\n| One. Two | c |\n"),
    "tables without edges": ("a | b\n--- | ---\nOne. Two | c\n", "a | b\n--- | ---\nOne. Two | c\n"),
    "HTML": ("<!-- One. Two\nthree. -->\n<p>One. Two\nthree.</p>\n", "<!-- One. Two\nthree. -->\n<p>One. Two\nthree.</p>\n"),
    "quotations": ("> One. Two\n> three.\n\nFour. Five.\n", "> One. Two\n> three.\n\nFour.\nFive.\n"),
    "definitions of links": ("[a]: b.md 'One. Two'\n[c]: d.md\n", "[a]: b.md 'One. Two'\n[c]: d.md\n"),
    "front matter": ("---\ntitle: One. Two\nmore: Three. Four\n---\nFive. Six.\n", "---\ntitle: One. Two\nmore: Three. Four\n---\nFive.\nSix.\n"),
    "hard breaks": ("One. Two  \nthree.\\\nFour.\n", "One.\nTwo  \nthree.\\\nFour.\n"),
}


def collapsed(text):
    """The blocks of a page, each with its white space made single spaces; fences as they are."""
    blocks, fenced, goes_on = [], False, False
    for line in text.split("\n"):
        fence = line.lstrip().startswith(("```", "~~~"))
        if fenced or fence:
            blocks.append(line)
            fenced, goes_on = fenced != fence, False
        elif not line.strip():
            blocks.append("")
            goes_on = False
        elif goes_on and not re.match(r"\s*([-*+] |\d+[.)] |#|\||>|<)", line):
            blocks[-1] += " " + " ".join(line.split())
        else:
            blocks.append(" ".join(line.split()))
            goes_on = not line.startswith(("#", "|"))
    return blocks


class Pages(Folder):
    def test_one_sentence_per_line(self):
        for name, (text, expected) in PAGES.items():
            with self.subTest(name):
                self.assertEqual(format_markdown.format_markdown(text), expected)
                self.assertEqual(format_markdown.format_markdown(expected), expected)

    def test_check_reports_the_line_of_a_page(self):
        path = self.write("a.md", "# Title\n\nOne.\nTwo. Three.\n")
        done = run("--check", path)
        self.assertEqual((done.returncode, done.stdout), (1, f"ember: {path}:4: not formatted (run make format)\nformat: 1 files, 1 findings\n"))
        self.assertEqual(self.rewritten("a.md", "# Title\n\nOne.\nTwo. Three.\n"), "# Title\n\nOne.\nTwo.\nThree.\n")

    def test_no_page_of_the_project_changes_its_text(self):
        pages = [path for path in ROOT.rglob("*.md") if not re.search(r"^(build[^/]*|demo/out)/|(^|/)node_modules/", path.relative_to(ROOT).as_posix())]
        self.assertGreater(len(pages), 20)
        for path in pages:
            with self.subTest(str(path.relative_to(ROOT))):
                text = path.read_text(encoding="utf-8")
                result = format_markdown.format_markdown(text)
                self.assertEqual(collapsed(result), collapsed(text))
                self.assertEqual(format_markdown.format_markdown(result), result)


if not have_clang_format():
    print("skipped: clang-format 14 is missing")
    sys.exit(77)
unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
