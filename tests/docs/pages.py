# SPDX-License-Identifier: MIT
"""A page of the docs taken apart: its fences with what is said about them, its headings, its links, the files it names."""

import pathlib
import re
import unicodedata

MARKER = re.compile(r"^<!-- (not run|until ended|needs|exit): (.+?) -->$")
FENCE = re.compile(r"^(\s*)```(.*)$")
CODE = re.compile(r"(`+)(.+?)\1")
LINK = re.compile(r"\[(?:[^\[\]]|\[[^\]]*\]\([^)]*\))*\]\(([^()\s]+)\)")
# A path of the project, said in a code span or a comment: checked to be there.
PATH = re.compile(r"^(?:\.\./)*((?:apps|bench|cmake|demo|docs|fuzz|game|include|packaging|src|tests|tools)/[\w./-]*\w)$")


class Fence:
    def __init__(self, page, line, info):
        words = info.split()
        self.page, self.line = page, line
        self.language = words[0] if words else ""
        self.name = words[1] if len(words) > 1 else None  # the file that the text is to be saved as
        self.lines, self.markers = [], {}

    @property
    def text(self):
        return "\n".join(self.lines) + "\n"

    def place(self, offset=0):
        return f"{self.page.name}:{self.line + offset}"


def slug(heading, taken):
    """The anchor that a heading gets where Markdown is shown with them."""
    text = CODE.sub(r"\2", re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)).strip().lower()
    kept = "".join(c for c in text if c in "-_ " or unicodedata.category(c)[0] in "LN" or unicodedata.category(c) == "Mn")
    name = kept.replace(" ", "-")
    taken[name] = taken.get(name, -1) + 1
    return name if taken[name] == 0 else f"{name}-{taken[name]}"


class Page:
    """name is the path from the project's root."""

    def __init__(self, root, name):
        self.name, self.path = name, pathlib.Path(root, name)
        self.fences, self.anchors, self.links, self.paths, self.faults = [], set(), [], [], []
        self.parse(self.path.read_text(encoding="utf-8").splitlines())

    def parse(self, lines):
        fence, markers, taken = None, {}, {}
        for number, line in enumerate(lines, 1):
            found = FENCE.match(line)
            if fence is not None:
                if found and not found.group(2):
                    fence = None
                else:
                    fence.lines.append(line.removeprefix(indent))
                continue
            if found:
                indent, info = found.groups()
                fence = Fence(self, number, info)
                fence.markers, markers = markers, {}
                self.fences.append(fence)
                continue
            marker = MARKER.match(line.strip())
            if marker:
                markers[marker.group(1)] = marker.group(2)
                continue
            if line.strip():
                if markers:
                    self.faults.append(f"{self.name}:{number}: a marker that stands before no fence")
                markers = {}
            self.text(number, line, taken)
        if fence is not None:
            self.faults.append(f"{fence.place()}: a fence that does not end")

    def text(self, number, line, taken):
        heading = re.match(r"^#{1,6} +(.*?)(?: +#+)?$", line)
        if heading:
            self.anchors.add(slug(heading.group(1), taken))
        for _, code in CODE.findall(line):
            path = PATH.match(code)
            if path and not re.search(r"\b[A-Z]{3,}\b|_[A-Z]{3,}\b|^demo/out", path.group(1)):  # NAME stands for a name; demo/out is made
                self.paths.append((number, path.group(1)))
        plain = CODE.sub(lambda m: "x" * len(m.group(0)), line)
        for target in LINK.findall(plain):
            self.links.append((number, target))
        for target in re.findall(r"\[!\[[^\]]*\]\(([^()\s]+)\)\]", plain):
            self.links.append((number, target))


def commands(lines):
    """(offset, command) of a shell fence; lines that end in a backslash and here-documents are one command."""
    made, at = [], 0
    while at < len(lines):
        start, block = at, [lines[at]]
        here = re.search(r"<<-?\s*'?\"?(\w+)", lines[at])
        while lines[at].endswith("\\") and at + 1 < len(lines):
            at += 1
            block.append(lines[at])
        if here:
            while at + 1 < len(lines) and lines[at].strip() != here.group(1):
                at += 1
                block.append(lines[at])
        at += 1
        if block[0].strip() and not block[0].lstrip().startswith("#"):
            made.append((start + 1, "\n".join(block)))
    return made


def session(lines):
    """(offset, command, shown lines) of a fence with `$ ` before each command."""
    made = []
    for offset, line in enumerate(lines, 1):
        if line.startswith("$ "):
            made.append((offset, line[2:], []))
        elif made and made[-1][1].endswith("\\"):
            made[-1] = (made[-1][0], made[-1][1] + "\n" + line, [])
        elif made:
            made[-1][2].append(line)
    return made


def shown_fits(shown, output):
    """Whether the output is what the page shows: `…` stands for any text in a line, a line of it for any number of lines."""
    pattern = []
    for line in shown:
        if line.strip() == "…":
            pattern.append(r"(?:.*\n)*")
        else:
            pattern.append(".*".join(re.escape(part) for part in line.rstrip().split("…")) + r" *\n")
    return re.fullmatch("".join(pattern), output if output.endswith("\n") or not output else output + "\n") is not None
