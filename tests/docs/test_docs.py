# SPDX-License-Identifier: MIT
"""test_docs.py ROOT BUILD CC [PAGE...]: does what the docs say. Every command in README, docs, `ember help VERB` and the manual is run in a folder with example files,
shown outputs are compared, programs compiled, JSON parsed, links followed. What is not run says why, and is counted."""

import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import example_files
from pages import Page, commands, session, shown_fits
from shell import Shell

LANGUAGES = ("sh", "console", "c", "cmake", "json", "rust", "text")
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]
# How a line of a text fence begins that should have been a command.
COMMAND = re.compile(r"^(\$ |(ember|ember-export|make|cmake|clang|cc|gcc|rustc|sudo|apt|git|pkg-config) )")
MAKE = """#!/bin/sh
# In the docs `make` is typed in the folder of the sources. Installing is done for real; what else there is is run elsewhere in CI, here it has to be there.
case "${{1-}}" in
install) exec {make} -C {root} -o all INSTALLED={log}.installed PREFIX="$HOME/prefix" "$@" ;;
uninstall) {make} -C {root} INSTALLED={log}.installed "$@" && test -z "$(find "$HOME/prefix" ! -type d -print | tee /dev/stderr)"; exit ;;
esac
{make} -C {root} -n "$@" >/dev/null && echo "make $*" >>{log}
"""


class Docs:
    def __init__(self, root, build, compiler, folder):
        self.root, self.build, self.compiler = (pathlib.Path(p).resolve() if i < 2 else p for i, p in enumerate((root, build, compiler)))
        self.folder = pathlib.Path(folder)
        self.prefix, self.examples, self.log = self.folder / "prefix", self.folder / "examples", self.folder / "make.log"
        self.faults, self.not_run, self.skipped = [], [], []
        self.counts = dict.fromkeys(("commands", "outputs", "programs", "documents", "links", "paths"), 0)

    def prepare(self):
        for name in ("bin", "examples", "pages"):
            (self.folder / name).mkdir()
        subprocess.run(["cmake", "--install", self.build, "--prefix", self.prefix], check=True, capture_output=True)
        library = next(self.prefix.glob("lib*/**/libember.a")).parent
        self.script("make", MAKE.format(make=shutil.which("make"), root=self.root, log=self.log))
        self.script("xdg-open", "#!/bin/sh\n")
        self.script("sudo", '#!/bin/sh\nexec "$@"\n')
        self.log.touch()
        self.env = {key: value for key, value in os.environ.items() if key not in ("DISPLAY", "WAYLAND_DISPLAY", "MAKEFLAGS", "MFLAGS", "MAKELEVEL", "EMBER_ISA")}
        self.env.update(PATH=f"{self.folder}/bin:{self.prefix}/bin:{self.env['PATH']}", PKG_CONFIG_PATH=str(library / "pkgconfig"), LD_LIBRARY_PATH=str(library),
                        CMAKE_PREFIX_PATH=str(self.prefix), NO_COLOR="1", LC_ALL="C.UTF-8", XDG_CACHE_HOME=str(self.folder / "cache"))
        self.libraries = subprocess.run(["pkg-config", "--libs", "ember"], env=self.env, check=True, capture_output=True, text=True).stdout.split()
        example_files.make(self.examples, self.root, self.build, self.prefix / "bin/ember")

    def script(self, name, text):
        path = self.folder / "bin" / name
        path.write_text(text, encoding="utf-8")
        path.chmod(0o755)

    def fault(self, text):
        self.faults.append(text)

    def needs(self, what):
        """Whether all the tools are there; of rustc, also the target for games."""
        for tool in what.split():
            if shutil.which(tool) is None:
                return False
            if tool == "rustc":
                target = subprocess.run(["rustc", "--print", "target-libdir", "--target", "wasm32-unknown-unknown"], capture_output=True, text=True).stdout.strip()
                if not list(pathlib.Path(target or "/nowhere").glob("libcore-*.rlib")):
                    return False
        return True

    # ---- a page ----

    def page(self, page):
        shell = Shell(self.folder / "pages" / page.name.replace("/", "_"), self.examples, self.env)
        for fault in page.faults:
            self.fault(fault)
        for fence in page.fences:
            self.fence(fence, shell)

    def fence(self, fence, shell):
        if fence.language not in LANGUAGES:
            self.fault(f"{fence.place()}: a fence of {fence.language or 'no language'}; known are {', '.join(LANGUAGES)}")
        elif "not run" in fence.markers:
            self.not_run.append(f"{fence.place()}: {fence.markers['not run']}")
        elif "needs" in fence.markers and not self.needs(fence.markers["needs"]):
            self.skipped.append(f"{fence.place()}: there is no {fence.markers['needs']} here")
        else:
            if fence.name is not None:
                path = pathlib.Path(shell.cwd, fence.name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(fence.text, encoding="utf-8")
            {"sh": self.commands, "console": self.session, "c": self.c, "json": self.json, "text": self.plain}.get(fence.language, lambda *_: None)(fence, shell)

    def commands(self, fence, shell):
        found = commands(fence.lines)
        for i, (offset, command) in enumerate(found):
            self.command(fence, offset, command, [], shell, last=i == len(found) - 1)

    def session(self, fence, shell):
        found = session(fence.lines)
        if not found:
            self.fault(f"{fence.place()}: a session without a command")
        for i, (offset, command, shown) in enumerate(found):
            self.command(fence, offset, command, shown, shell, last=i == len(found) - 1)

    def command(self, fence, offset, command, shown, shell, last):
        place = fence.place(offset)
        self.counts["commands"] += 1
        if "until ended" in fence.markers:
            running, output = shell.run_until_ended(command, self.display() if command.startswith("ember run") else None, len(shown))
            if not running:
                return self.fault(f"{place}: {command}\n  ended by itself:\n{output}")
        else:
            try:
                status, output = shell.run(command)
            except subprocess.TimeoutExpired:
                return self.fault(f"{place}: {command}\n  does not end")
            wanted = int(fence.markers.get("exit", "0")) if last else 0
            if status != wanted:
                return self.fault(f"{place}: {command}\n  exit status {status}, must be {wanted}:\n{output}")
        if shown:
            self.counts["outputs"] += 1
            if not shown_fits(shown, output):
                self.fault(f"{place}: {command}\n  shown is\n" + "\n".join(shown) + f"\n  but it says\n{output}")

    def display(self):
        """A screen that nobody sees, where there can be one."""
        if not hasattr(self, "screen"):
            self.screen = None
            if shutil.which("Xvfb"):
                read, write = os.pipe()
                self.xvfb = subprocess.Popen(["Xvfb", "-displayfd", str(write), "-screen", "0", "1280x800x24", "-nolisten", "tcp"], pass_fds=[write], stdout=subprocess.DEVNULL,
                                             stderr=subprocess.DEVNULL)
                os.close(write)
                with os.fdopen(read) as answer:
                    self.screen = ":" + answer.readline().strip()
        return self.screen

    def c(self, fence, shell):
        self.counts["programs"] += 1
        source = pathlib.Path(str(shell.home) + f".{fence.line}.c")
        source.write_text(fence.text, encoding="utf-8")
        if "ember_game.h" in fence.text:
            ways = [[self.compiler, "-fsyntax-only", f"-I{self.root}/include"], ["clang", "--target=wasm32", "-ffreestanding", "-fsyntax-only"]]
        elif re.search(r"\bmain\(", fence.text):
            ways = [[self.compiler, f"-I{self.root}/include", "-o", f"{source}.out"]]
        else:
            ways = [[self.compiler, "-c", f"-I{self.root}/include", "-o", f"{source}.o"]]
        for way in ways:
            link = self.libraries if way[-1].endswith(".out") else []
            done = subprocess.run([way[0], "-std=c11", *WARNINGS, *way[1:], f"-I{self.root}/game", source, *link], capture_output=True, text=True)
            if done.returncode != 0:
                self.fault(f"{fence.place()}: does not compile by {way[0]}:\n{done.stderr}")

    def json(self, fence, _):
        self.counts["documents"] += 1
        for text in (fence.text, "{" + fence.text + "}"):  # the second is for a part of an object
            try:
                return json.loads(text)
            except ValueError as error:
                reason = error
        return self.fault(f"{fence.place()}: {reason}")

    def plain(self, fence, _):
        for offset, line in enumerate(fence.lines, 1):
            if COMMAND.match(line):
                self.fault(f"{fence.place(offset)}: a command in a fence of text: {line}")

    # ---- what pages refer to ----

    def references(self, pages):
        by_path = {page.path: page for page in pages}
        for page in pages:
            for number, target in page.links:
                if re.match(r"[a-z]+:", target):
                    continue
                self.counts["links"] += 1
                name, _, anchor = target.partition("#")
                path = (page.path.parent / name).resolve() if name else page.path
                if not path.exists():
                    self.fault(f"{page.name}:{number}: a dead link, {target}")
                elif anchor and path in by_path and anchor not in by_path[path].anchors:
                    self.fault(f"{page.name}:{number}: a dead anchor, {target}")
            for number, name in page.paths:
                self.counts["paths"] += 1
                if not (self.root / name).exists():
                    self.fault(f"{page.name}:{number}: there is no {name}")
        found = {(page.path.parent / target.partition("#")[0]).resolve() for page in pages for _, target in page.links}
        for page in pages:
            if page.path not in found and page.name != "README.md":
                self.fault(f"{page.name}: no page leads to it")
        missing = [name for name in re.findall(r"[\w-]+", re.search(r"^\.PHONY:((?:.*\\\n)*.*)", (self.root / "Makefile").read_text(), re.M).group(1))
                   if not name.startswith("setup-") and name != "all" and f"`make {name}" not in (self.root / "CONTRIBUTING.md").read_text(encoding="utf-8")]
        for name in missing:
            self.fault(f"CONTRIBUTING.md: `make {name}` is not explained")
        # Sources name pages too.
        folders = ("include", "src", "apps", "examples", "game", "tests", "fuzz", "bench", "demo", "cmake", "tools", "packaging")
        sources = [path for folder in folders for path in sorted((self.root / folder).rglob("*")) if path.suffix in (".c", ".h", ".py", ".mjs", ".js", ".inl", ".txt")]
        for source in sources:
            name = source.relative_to(self.root)
            for path in set(re.findall(r"\bdocs/[\w./-]+\.md\b", source.read_text(encoding="utf-8", errors="replace"))):
                self.counts["paths"] += 1
                if not (self.root / path).exists():
                    self.fault(f"{name}: there is no {path}")

    def codes(self):
        """Every code of `ember validate` is explained, and none that there is not."""
        def find(folders, pattern, quote):
            texts = (path.read_text(encoding="utf-8") for folder in folders for path in (self.root / folder).rglob(pattern))
            return {code for text in texts for code in re.findall(quote + r"((?:EWZ|MAD|FF7|ROM)\d{3})\b", text)}
        said, known = find(("docs/formats", "docs"), "*.md", r"\b"), find(("src", "apps/ember"), "*.[ch]", '"')
        if len(known) < 50:
            self.fault(f"only {len(known)} codes found in the sources")
        for code in sorted(said ^ known):
            self.fault(f"{code} is {'not in the sources' if code in said else 'not in the docs'}")

    # ---- what the command itself says ----

    def own_words(self):
        """The examples of `ember help VERB` are those of the manual page, and work."""
        shell = Shell(self.folder / "pages" / "help", self.examples, self.env)
        status, text = shell.run("ember help")
        listed = next((part for part in text.split("\n\n") if part.startswith("  info ")), "")
        verbs = [verb for verb in re.findall(r"^  (\w+) ", listed, re.M) if verb != "help"]
        if status != 0 or len(verbs) < 8:
            return self.fault(f"ember help lists {len(verbs)} verbs:\n{text}")
        reference, examples = (self.root / "docs/commands.md").read_text(encoding="utf-8"), []
        for verb in verbs:
            _, text = shell.run(f"ember help {verb}")
            for option in re.findall(r"^ +(?:-\w, )?(--[\w-]+)", text, re.M):
                if not re.search(rf"(?<![\w-]){option}(?![\w-])", reference):
                    self.fault(f"docs/commands.md: {option} of ember {verb} is not explained")
            found = re.search(r"^example:\n((?: .*\n)+)", text, re.M)
            if found is None:
                self.fault(f"ember help {verb}: there is no example")
                continue
            examples += [line.strip() for line in found.group(1).splitlines() if line.strip()]
        manual = (self.prefix / "share/man/man1/ember.1").read_text(encoding="utf-8")
        printed = [line.replace("\\-", "-").replace("\\e", "\\").replace("\\&", "") for block in re.findall(r"^\.EX\n(.*?)^\.EE", manual, re.M | re.S)
                   for line in block.splitlines()]
        if sorted(printed) != sorted(examples):
            self.fault(f"the manual's examples are not those of the help: {set(printed) ^ set(examples)}")
        for line in examples:
            self.counts["commands"] += 1
            if line.startswith("ember view"):
                good, text = shell.run_until_ended(line, None, 1)
            else:
                status, text = shell.run(line)
                good = status == 0
            if not good:
                self.fault(f"ember help: {line}\n{text}")
        for page in self.root.glob("docs/man/*.[1-9]"):
            if ".EX" in page.read_text(encoding="utf-8"):
                self.fault(f"{page.name}: has examples, which nobody runs")

    def first_program(self):
        """README's program is short, and prints what a file made by hand holds: position 3E00, C000, 3400 as half floats."""
        page = Page(self.root, "README.md")
        programs = [fence for fence in page.fences if fence.language == "c"]
        if len(programs) != 1 or len(programs[0].lines) > 15:
            return self.fault(f"README.md: must have one program of at most 15 lines, has {[len(p.lines) for p in programs]}")
        here = self.folder / "first"
        here.mkdir()
        (here / "first.c").write_text(programs[0].text, encoding="utf-8")
        (here / "still.ewzanim").write_bytes(bytes.fromhex("01000200" + "03082080" "003E" "00C0" "0034" "003C003C003C" + "03082080" "003E" "00C0" "0034" "003C003C003C"))
        subprocess.run([self.compiler, "-std=c11", f"-I{self.root}/include", "first.c", *self.libraries, "-o", "first"], cwd=here, check=True)
        said = subprocess.run([here / "first", here / "still.ewzanim"], capture_output=True, text=True, cwd=here).stdout
        if said != "bone 0 is at 1.5 -2 0.25\n":
            self.fault(f"README.md: the program says {said!r} of a bone at 1.5 -2 0.25")
        return None


def main():
    root, build, compiler, *only = sys.argv[1:]
    os.chdir(root)
    names = sorted(str(p) for pattern in ("*.md", "docs/**/*.md") for p in pathlib.Path(".").glob(pattern))
    pages = [Page(pathlib.Path.cwd(), name) for name in names]
    with tempfile.TemporaryDirectory(prefix="ember-docs-") as folder:
        docs = Docs(root, build, compiler, folder)
        docs.prepare()
        if not only:
            docs.references(pages)
            docs.codes()
            docs.first_program()
        jobs = [lambda page=page: docs.page(page) for page in pages if not only or page.name in only]
        if not only:
            jobs.insert(0, docs.own_words)
        try:
            with concurrent.futures.ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
                for done in [pool.submit(job) for job in jobs]:
                    done.result()
        finally:
            if getattr(docs, "screen", None):
                docs.xvfb.terminate()
                docs.xvfb.wait()
        made = sorted(set(docs.log.read_text(encoding="utf-8").splitlines()))
    for fault in docs.faults:
        print("FAILED " + fault)
    for title, lines in (("not run", docs.not_run), ("skipped", docs.skipped), ("only looked for, as CI runs it by itself", made)):
        for line in lines:
            print(f"{title}: {line}")
    counts = docs.counts
    print(f"{counts['commands']} commands of {len(jobs)} pages run, {counts['outputs']} shown outputs compared, {counts['programs']} C programs compiled, "
          f"{counts['documents']} JSON texts parsed, {counts['links']} links and {counts['paths']} paths followed, {len(docs.not_run)} fences not run")
    if counts["commands"] == 0 or (not only and counts["links"] == 0):
        sys.exit("nothing was run: the docs are not where they were")
    print(f"{sum(counts.values()) - len(docs.faults)} passed, {len(docs.faults)} failed")
    sys.exit(1 if docs.faults else 0)


main()
