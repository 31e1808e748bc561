# SPDX-License-Identifier: MIT
"""Formats C with clang-format, after two steps that it does badly itself: a comment that does not fit behind its code moves above the
line, and a comment that is too wide is wrapped without joining its paragraphs or adding stars."""
import re
import shutil
import subprocess

COLUMNS = 110
LEAST_LAST = 12 # columns of the last line of a comment, if the lines above have words to spare
VERSION = 14 # others format some lines differently
TOKEN = re.compile(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", re.S)
OFF = re.compile(r"(?:/\*\s*clang-format off\s*\*/|// clang-format off\n).*?(?:/\*\s*clang-format on\s*\*/|// clang-format on\n|\Z)", re.S)


class Failure(Exception):
    """One line for the user."""


def find_clang_format():
    for name in (f"clang-format-{VERSION}", "clang-format"):
        path = shutil.which(name)
        if path is None:
            continue
        said = subprocess.run([path, "--version"], capture_output=True, text=True, check=False).stdout
        found = re.search(r"version (\d+)", said)
        if found is not None and int(found[1]) == VERSION:
            return path
        raise Failure(f"{name} is version {found[1] if found else 'unknown'}, but the project is formatted by version {VERSION}: install clang-format-{VERSION}")
    raise Failure(f"clang-format is missing: install version {VERSION} (Debian bookworm: apt-get install clang-format)")


def comments(text):
    """Start and end of each block comment, and of its lines; not those in `clang-format off` and in macros of several lines."""
    off = [found.span() for found in OFF.finditer(text)]
    for found in TOKEN.finditer(text):
        start, end = found.span()
        if not found[0].startswith("/*") or any(a <= start < b for a, b in off):
            continue
        head, tail = text.rfind("\n", 0, start) + 1, text.find("\n", end)
        tail = len(text) if tail < 0 else tail
        if text[head:tail].rstrip().endswith("\\") or "\\\n" in found[0] or text[:head].endswith("\\\n"):
            continue
        yield start, end, head, tail


def width(text):
    return max(map(len, text.split("\n")))


def words_of(comment):
    lines = [re.sub(r"^\s*\* ", "", line).strip() for line in comment[2:-2].split("\n")]
    return " ".join(" ".join(lines).split())


def lift(text):
    """Moves comments behind code that are too wide or have several lines above the code; behind `} else {` into the block."""
    for start, end, head, tail in reversed(list(comments(text))):
        code = text[head:start].rstrip()
        if not code.strip() or text[end:tail].strip() or (width(text[head:tail]) <= COLUMNS and "\n" not in text[start:end]):
            continue
        indent = code[:len(code) - len(code.lstrip())]
        closes = code.lstrip().startswith(("}", "else"))
        if closes and not code.endswith("{"):
            continue
        comment = f"/* {words_of(text[start:end])} */"
        lines = [code, f"{indent}    {comment}"] if closes else [indent + comment, code]
        text = text[:head] + "\n".join(lines) + text[tail:]
    return text


def stands_alone(line):
    """Whether a line of a comment is laid out by hand: a row of a table, a drawing, an example."""
    return not line.strip() or line[0] == " " or re.search(r"\S {2,}\S", line) is not None or not re.search(r"[A-Za-z]", line)


def goes_on(line, follows, full):
    """Whether the line ends because it is full, so that the text goes on in the one that follows."""
    if stands_alone(line) or stands_alone(follows) or re.match(r"[-+*@] |\d+[.)] |[A-Z][a-z]+:", follows):
        return False
    room = full - len(line) - len(follows.split(" ", 1)[0])
    return room < (15 if line.endswith((".", ":", ";")) else 40)


def ends_badly(lines):
    """Whether one word is left for the last line of a text of several."""
    return len(lines) > 1 and " " not in lines[-1] and not stands_alone(lines[-1]) and not stands_alone(lines[-2])


def fill(text):
    """Wraps comments on lines of their own if they are too wide or leave one word for the last line, and removes stars if the text begins in the
    first line."""
    for start, end, head, tail in reversed(list(comments(text))):
        comment, column = text[start:end], start - head
        if text[head:start].strip() or text[end:tail].strip() or not comment.startswith("/* "):
            continue
        lines = comment[2:-2].rstrip().split("\n")
        starred = len(lines) > 1 and all(re.match(r"\s*\*( |$)", line) for line in lines[1:])
        cut = re.compile(r"^\s*\* ?" if starred else rf"^\s{{0,{column + 3}}}")
        lines = [lines[0].strip(), *(cut.sub("", line, count=1).rstrip() for line in lines[1:])]
        fits = not starred and width(text[head:tail]) <= COLUMNS and not any(re.match(r"\*[^ ]", line) for line in lines[1:])
        if fits and not ends_badly(lines):
            continue
        full = min(width("\n".join(lines)), 125 - column)
        paragraphs = [[lines[0]]]
        for line, follows in zip(lines, lines[1:]):
            if goes_on(line, follows, full):
                paragraphs[-1].append(follows)
            else:
                paragraphs.append([follows])
        out = []
        for number, paragraph in enumerate(paragraphs):
            room, spare = COLUMNS - column - 3, 3 if number == len(paragraphs) - 1 else 0
            if fits and number < len(paragraphs) - 1:
                out += paragraph
            elif stands_alone(paragraph[0]):
                out += wrap_row(paragraph[0], room, spare)
            else:
                out += wrap(" ".join(paragraph).split(), room, spare)
        indent = " " * (column + 3)
        body = "\n".join((indent + line).rstrip() if number else line for number, line in enumerate(out))
        text = f"{text[:start]}/* {body} */{text[end:]}"
    return text


def wrap_row(line, room, last):
    """Wraps a row of a table within its last column."""
    column = re.match(r"(?:.*\S {2,}| *)", line).end()
    if len(line) + last <= room:
        return [line]
    lines = wrap(line[column:].split(), room - column, last)
    return [line[:column] + lines[0], *(" " * column + more for more in lines[1:])]


def wrap(words, room, last):
    """Lines of at most `room` columns, the last of `last` less, and narrower ones if that saves the last from having one word."""
    lines = wrap_at(words, room, last)
    for narrower in range(room - 1, room // 2, -1):
        if not ends_badly(lines):
            break
        more = wrap_at(words, narrower, last)
        if len(more) == len(lines) and len(more[-1]) > LEAST_LAST:
            return more
    return lines


def wrap_at(words, room, last):
    """Lines of at most `room` columns, the last of `last` less. Only the first may begin with a star: clang-format takes others for decoration."""
    lines, line = [], []
    for at, word in enumerate(words):
        spare = last if at == len(words) - 1 else 0
        if line and len(" ".join([*line, word])) + spare > room:
            taken = [word]
            while taken[0].startswith("*") and len(line) > 1:
                taken.insert(0, line.pop())
            lines.append(" ".join(line))
            line = taken
        else:
            line.append(word)
    return [*lines, " ".join(line)]


def run(command, style, *words, text=None):
    return subprocess.run([command, f"--style=file:{style}", *map(str, words)], input=text, capture_output=True, text=True, check=False)


def clean(texts, style, command):
    """Which of these files, given as path and text, are formatted. One call checks all of them, because starting clang-format takes the time."""
    paths = [path for path, text in texts.items() if fill(lift(text)) == text]
    done = run(command, style, "--dry-run", "--ferror-limit=0", *paths) if paths else None
    if done is not None and done.returncode != 0:
        raise Failure(f"clang-format failed: {done.stderr.strip()}")
    wrong = set(re.findall(r"^(.*?):\d+:\d+: warning:", done.stderr, re.M)) if done is not None else set()
    return {path for path in paths if str(path) not in wrong}


def format_c(text, style, name, command):
    """The formatted text. clang-format breaks a string in one run and aligns its parts in the next, so it runs until nothing changes."""
    for _ in range(6):
        before = text
        done = run(command, style, f"--assume-filename={name}", text=fill(lift(text)))
        if done.returncode != 0:
            raise Failure(f"{name}: clang-format failed: {done.stderr.strip()}")
        text = done.stdout
        if text == before:
            break
    return text
