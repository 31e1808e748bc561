# SPDX-License-Identifier: MIT
"""FBX containers: a tree of records as binary bytes (32 or 64 bit, either byte order, arrays raw or compressed) or as text. Written from
the format alone; nothing here knows how the reader works."""

import base64
import re
import struct
import zlib

MAGIC = b"Kaydara FBX Binary  \0"
ARRAYS = {"i": "i", "l": "q", "f": "f", "d": "d", "b": "B", "a": "f"}
SINGLE = {"Y": "h", "I": "i", "L": "q", "F": "f", "D": "d", "C": "B", "B": "B"}


class Rec:
    """A record: its name, its properties as (type, value), and child records, or None for no list of children.

    Beside the types of binary files there are N, a class and a name in one string, and a, an array of floats that text stores as bits."""

    def __init__(self, name, *props, children=None):
        self.name, self.props, self.children = name, list(props), children
        self.count = None  # of properties, as the header has it; None: what is there

    def find(self, *path):
        """The first record below with these names, one level each."""
        at = self
        for name in path:
            at = next(child for child in at.children if child.name == name)
        return at

    def all(self, name):
        return [child for child in self.children or () if child.name == name]


def root(records):
    return Rec("", children=records)


# ---- binary ----

class Binary:
    def __init__(self, version=7400, big=False, compress=False):
        self.version, self.compress = version, compress
        self.order = ">" if big else "<"
        self.wide = version >= 7500

    def pack(self, letters, *values):
        return struct.pack(self.order + letters, *values)

    def text(self, value):
        data = value.encode("utf-8", "surrogateescape") if isinstance(value, str) else value
        return self.pack("I", len(data)) + data

    def array(self, kind, values):
        data = self.pack("%d%s" % (len(values), ARRAYS[kind]), *values)
        letter = b"f" if kind == "a" else kind.encode()
        if not self.compress:
            return letter + self.pack("III", len(values), 0, len(data)) + data
        stored = zlib.compress(data)
        return letter + self.pack("III", len(values), 1, len(stored)) + stored

    def property(self, kind, value):
        if kind == "N":
            group, name = value
            return b"S" + self.text(_utf8(name) + b"\0\1" + group.encode())
        if kind in "SR":
            return kind.encode() + self.text(value)
        if kind == "raw":
            return value
        if kind in ARRAYS:
            return self.array(kind, value)
        if kind == "C" and isinstance(value, str):
            value = ord(value)
        return kind.encode() + self.pack(SINGLE[kind], value)

    def record(self, rec, at):
        """Its bytes, for a record that begins at this offset."""
        name = rec.name.encode()
        header = 25 if self.wide else 13
        props = b"".join(self.property(*prop) for prop in rec.props)
        body, end = [name, props], at + header + len(name) + len(props)
        if rec.children is not None:
            for child in rec.children:
                body.append(self.record(child, end))
                end += len(body[-1])
            body.append(bytes(header))
            end += header
        words = self.pack("QQQ" if self.wide else "III", end, rec.count if rec.count is not None else len(rec.props), len(props))
        return words + bytes([len(name)]) + b"".join(body)

    def file(self, records):
        data = MAGIC + b"\x1a" + (b"\1" if self.order == ">" else b"\0") + self.pack("I", self.version)
        for rec in records:
            data += self.record(rec, len(data))
        data += bytes(25 if self.wide else 13)
        return data + bytes(range(0xfa, 0xea, -1)) + bytes(-len(data) % 16 + 4) + self.pack("I", self.version) + bytes(120) + bytes(16)


def _utf8(text):
    return text.encode("utf-8", "surrogateescape")


# ---- text ----

class Text:
    def __init__(self, version=7400, newline="\n"):
        self.version, self.newline, self.plain_lists = version, newline, version < 7000

    @staticmethod
    def quoted(text):
        if isinstance(text, bytes):
            text = text.decode("utf-8", "surrogateescape")
        return '"%s"' % text.replace('"', "&quot;").replace("\r", "&cr;").replace("\n", "&lf;")

    @staticmethod
    def number(kind, value):
        if kind in "FDfd":
            return "%.17g" % value
        if kind == "a":
            return str(struct.unpack("<i", struct.pack("<f", value))[0])
        return str(value)

    def value(self, kind, value):
        if kind == "N":
            return self.quoted("%s::%s" % value)
        if kind == "S":
            return self.quoted(value)
        if kind == "R":
            return self.quoted(base64.b64encode(value).decode())
        if kind == "C" and isinstance(value, str):
            return value
        return self.number(kind, value)

    def lines(self, rec, depth):
        tab = "\t" * depth
        words = []
        for kind, value in rec.props:
            if kind == "raw":
                raise ValueError("raw bytes have no text")
            if kind not in ARRAYS:
                words.append(self.value(kind, value))
            elif self.plain_lists:
                words += [self.number(kind, v) for v in value]
            else:
                return ["%s%s: *%d {" % (tab, rec.name, len(value)), "%s\ta: %s" % (tab, self.wrapped([self.number(kind, v) for v in value])), tab + "}"]
        head = "%s%s: %s" % (tab, rec.name, self.wrapped(words))
        if rec.children is None:
            return [head]
        return [head + " {"] + [line for child in rec.children for line in self.lines(child, depth + 1)] + [tab + "}"]

    @staticmethod
    def wrapped(words):
        """Joined with commas, in lines of bearable width that begin with a comma, as some programs write them."""
        return re.sub(r"((?:[^,]*,){40}[^,]*),", r"\1\n,", ",".join(words)) if len(words) > 40 else ",".join(words)

    def file(self, records):
        lines = ["; FBX %d.%d.0 project file" % (self.version // 1000, self.version // 100 % 10), "; ----------------", ""]
        for rec in records:
            lines += self.lines(rec, 0)
        return self.newline.join(lines + [""]).encode("utf-8", "surrogateescape")


CONTAINERS = {
    "binary 7400": Binary(7400),
    "binary 7400, compressed": Binary(7400, compress=True),
    "binary 7500": Binary(7500),
    "binary 7700, compressed": Binary(7700, compress=True),
    "binary 7400, big endian": Binary(7400, big=True),
    "binary 7500, big endian": Binary(7500, big=True, compress=True),
    "text 7400": Text(7400),
    "text 7700, CRLF": Text(7700, "\r\n"),
    "binary 6100": Binary(6100),
    "text 6100": Text(6100),
}


# ---- back again, for tests of this file and for changes to what it made ----

def parse(data):
    """The records of a binary file: what was written is what is there."""
    order = ">" if data[22] else "<"
    version = struct.unpack_from(order + "I", data, 23)[0]
    words, header = ("QQQ", 25) if version >= 7500 else ("III", 13)

    def one(at):
        end, count, size = struct.unpack_from(order + words, data, at)
        length = data[at + header - 1]
        if end == 0:
            return None, at + header
        start = at + header
        rec = Rec(data[start:start + length].decode())
        at = start + length
        rec.props = [("raw", data[at:at + size])] if size else []
        rec.count = count
        at += size
        if at < end:
            rec.children = []
            while True:
                child, at = one(at)
                if child is None:
                    break
                rec.children.append(child)
        assert at == end, (rec.name, at, end)
        return rec, at

    at, found = 27, []
    while True:
        rec, at = one(at)
        if rec is None:
            return found
        found.append(rec)
