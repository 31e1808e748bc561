# SPDX-License-Identifier: MIT
"""Formats Markdown with one sentence per line. Only line breaks within paragraphs change, so the rendered page stays the same: tables,
code, headings, HTML, quotes, link definitions and front matter are kept."""
import re

ITEM = re.compile(r"( *)([-*+]|\d{1,9}[.)])( +)(?=\S)")
FENCE = re.compile(r" *(`{3,}|~{3,})")
RULE = re.compile(r" {0,3}([-*_])( *\1){2,} *$")
UNDERLINE = re.compile(r" *(=+|-+) *$")
TABLE_RULE = re.compile(r" *\|?( *:?-+:? *\|)+( *:?-+:? *)?$")

# Text that would begin another block at the start of a line, so that no line is broken before it.
BLOCK = re.compile(r"#{1,6}(\s|$)|[-*+](\s|$)|\d{1,9}[.)](\s|$)|>|\||`{3}|~{3}|<[A-Za-z/!?]|\[[^\]]+\]:|=+\s*$|-+\s*$|(\*\s*){3}$|(_\s*){3}$")

# No sentence ends inside of these, but for code with a full stop at its end: code, links, addresses in angle brackets.
OPAQUE = re.compile(r"(?P<code>(?<!`)(?P<ticks>`+)(?!`).*?(?<!`)(?P=ticks)(?!`))|!?\[(?:[^\[\]]|\[[^\[\]]*\])*\](?:\([^()]*(?:\([^()]*\)[^()]*)*\)|\[[^\]]*\])|<[^<> ]+>")
END = re.compile(r"[.?!][)\"'”’*_\]`]* +(?=[A-Z0-9À-ÖØ-Þ`\"'“‘(\[*_]|--|!\[)")
ABBREVIATION = re.compile(r"(?:^|[\s(\"'“‘*_\[])(?:e\.g|i\.e|vs|etc|cf|ca|approx|resp|al|incl|St|Mr|Mrs|Dr|Fig|Eq|Sec|Vol|pp?)\.$", re.I)
NUMBER_OF = re.compile(r"(?:^|[\s(])(?:no|nos|fig|sec|vol|ch)\.$", re.I)


def hide(text):
    """The text with the inside of opaque parts replaced by letters, but for a full stop at the end of code; the length stays the same."""
    def hidden(found):
        end = re.search(r"(?<=\w)\.`+$", found[0]) if found["code"] else None
        last = end[0] if end else found[0][-1]
        return found[0][0] + "x" * (len(found[0]) - 1 - len(last)) + last

    return OPAQUE.sub(hidden, text)


def sentences(text):
    shown, parts, start = hide(text), [], 0
    for found in END.finditer(shown):
        before = shown[start:found.start() + 1]
        follows = text[found.end():]
        if before.endswith("..") or ABBREVIATION.search(before) or BLOCK.match(follows):
            continue
        if NUMBER_OF.search(before) and follows[0].isdigit():
            continue
        part = text[start:found.end()].rstrip(" ")
        if re.fullmatch(r"\*\*[^*]+\*\*|__[^_]+__", part):
            continue # a heading within the paragraph
        parts.append(part)
        start = found.end()
    return [*parts, text[start:]]


def fold(lines, first, rest):
    """The lines of a paragraph, one sentence each, behind `first` and `rest`. Hard line breaks are kept."""
    out, words = [], []
    for number, line in enumerate(lines):
        hard = number + 1 < len(lines) and (line.endswith("  ") or line.endswith("\\"))
        words.append(line.lstrip(" ") if hard else line.strip(" "))
        if hard or number + 1 == len(lines):
            out += sentences(" ".join(words))
            words = []
    return [(rest if number else first) + line for number, line in enumerate(out)]


def opens_block(lines, at):
    """Whether this line ends a paragraph above it: it is blank or begins another block."""
    line = lines[at]
    text = line.lstrip(" ")
    if not text or FENCE.match(line) or re.match(r"#{1,6}(\s|$)|>|\|", text) or RULE.match(line):
        return True
    if text[0] == "<" and re.match(r"<(!--|/?[a-z][a-z0-9-]*[\s>/]|\?|![A-Z])", text, re.I) and not re.match(r"<https?:", text):
        return True
    return ITEM.match(line) is not None


def format_markdown(text):
    """The page with one sentence per line."""
    lines, out, at = text.split("\n"), [], 0
    inside = [] # columns at which the text of the open list items begins

    def keep(count=1):
        nonlocal at
        out.extend(lines[at:at + count])
        at += count

    if lines[0] == "---" and "---" in lines[1:]:
        keep(lines.index("---", 1) + 1)
    blank = True
    while at < len(lines):
        line = lines[at]
        if not line.strip():
            keep()
            blank = True
            continue
        indent = len(line) - len(line.lstrip(" "))
        while inside and indent < inside[-1]:
            inside.pop()
        base = inside[-1] if inside else 0
        after_blank, blank = blank, False
        fence = FENCE.match(line)
        if fence:
            end = at + 1
            while end < len(lines) and not re.match(rf" *{re.escape(fence[1][0])}{{{len(fence[1])},}} *$", lines[end]):
                end += 1
            keep(end + 1 - at)
            continue
        item = ITEM.match(line)
        if after_blank and indent >= base + 4 and not (item and inside):
            keep() # indented code
            blank = True
            continue
        if line.lstrip(" ").startswith("<!--"):
            end = at
            while end + 1 < len(lines) and "-->" not in lines[end]:
                end += 1
            keep(end + 1 - at)
            continue
        if RULE.match(line) or (opens_block(lines, at) and not item) or re.match(r" *\[[^\]]+\]: *\S", line):
            if line.lstrip(" ")[0] in "<>":
                while at < len(lines) and lines[at].strip():
                    keep() # HTML and quotes end at a blank line
            else:
                keep()
            continue
        if "|" in line and at + 1 < len(lines) and TABLE_RULE.match(lines[at + 1]):
            while at < len(lines) and lines[at].strip():
                keep()
            continue
        first = item[0] if item else line[:indent]
        if item:
            inside.append(len(first))
        body = [line[len(first):]]
        if item and re.match(r"(\|.*|#{1,6} .*|>.*|`{3}.*|~{3}.*|[-*+] .*)$", body[0]):
            keep()
            continue
        end = at + 1
        while end < len(lines) and not opens_block(lines, end) and not UNDERLINE.match(lines[end]):
            body.append(lines[end])
            end += 1
        if end < len(lines) and UNDERLINE.match(lines[end]) and not ITEM.match(lines[end]):
            keep(end + 1 - at) # an underlined heading
            continue
        out += fold(body, first, " " * len(first))
        at = end
    return "\n".join(out)
