# SPDX-License-Identifier: MIT
"""WebAssembly modules as bytes: sections read and written, and a module made into a game whose `update` runs one of
many calls. Written from the specification's binary format, without any of Ember's code."""

I32, I64, F32, F64 = 0x7F, 0x7E, 0x7D, 0x7C
TYPE, IMPORT, FUNCTION, TABLE, MEMORY, GLOBAL, EXPORT, START, ELEMENT, CODE, DATA, DATA_COUNT = range(1, 13)
ORDER = [TYPE, IMPORT, FUNCTION, TABLE, MEMORY, GLOBAL, EXPORT, START, ELEMENT, DATA_COUNT, CODE, DATA]


class Bad(Exception):
    """The bytes are no module that this file understands."""


def u(value):
    out = bytearray()
    while True:
        byte = value & 0x7F
        value >>= 7
        out.append(byte | (0x80 if value else 0))
        if not value:
            return bytes(out)


def s(value):
    out = bytearray()
    while True:
        byte = value & 0x7F
        value >>= 7
        done = (value == 0 and not byte & 0x40) or (value == -1 and byte & 0x40)
        out.append(byte | (0 if done else 0x80))
        if done:
            return bytes(out)


def signed(value, bits):
    return value - (1 << bits) if value >> (bits - 1) else value


def vector(items):
    return u(len(items)) + b"".join(items)


def constant(kind, bits):
    if kind == I32:
        return b"\x41" + s(signed(bits, 32))
    if kind == I64:
        return b"\x42" + s(signed(bits, 64))
    return (b"\x43" + bits.to_bytes(4, "little")) if kind == F32 else (b"\x44" + bits.to_bytes(8, "little"))


# From a value of the type to its bits in an i64.
AS_BITS = {I32: b"\xad", I64: b"", F32: b"\xbc\xad", F64: b"\xbd"}


class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def byte(self):
        return self.take(1)[0]

    def take(self, size):
        if self.at + size > len(self.data):
            raise Bad("cut off")
        self.at += size
        return self.data[self.at - size:self.at]

    def u(self):
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 0x7F) << shift
            shift += 7
            if not byte & 0x80:
                return value
            if shift > 63:
                raise Bad("a number too long")

    def limits(self):
        start = self.at
        if self.byte() & 1:
            self.u()
        self.u()
        return self.data[start:self.at]


def sections(data):
    """The contents of each section by number; custom ones are left out."""
    if data[:8] != b"\0asm\1\0\0\0":
        raise Bad("no module")
    r, found = Reader(data), {}
    r.take(8)
    while r.at < len(data):
        number = r.byte()
        content = r.take(r.u())
        if number > DATA_COUNT or (number and number in found):
            raise Bad("a section twice, or of unknown kind")
        if number:
            found[number] = content
    return found


def items(content):
    """How many, and the bytes of all of them."""
    if content is None:
        return 0, b""
    r = Reader(content)
    count = r.u()
    return count, content[r.at:]


def types(found):
    r, out = Reader(found.get(TYPE, b"\0")), []
    for _ in range(r.u()):
        if r.byte() != 0x60:
            raise Bad("no function type")
        params = list(r.take(r.u()))
        out.append((params, list(r.take(r.u()))))
    return out


def globals_(found):
    """Type and whether it varies, of every global."""
    r, out = Reader(found.get(GLOBAL, b"\0")), []
    for _ in range(r.u()):
        out.append((r.byte(), r.byte()))
        opcode = r.byte()
        if opcode in (0x41, 0x42):
            while r.byte() & 0x80:
                pass
        elif opcode in (0x43, 0x44):
            r.take(4 if opcode == 0x43 else 8)
        else:
            raise Bad("a global that begins with another")
        if r.byte() != 0x0B:
            raise Bad("a global that begins with a sum")
    return out


def exports(found):
    r, out = Reader(found.get(EXPORT, b"\0")), {}
    for _ in range(r.u()):
        name = r.take(r.u()).decode("utf-8", "surrogateescape")
        out[name] = (r.byte(), r.u())
    return out


def write(found):
    out = bytearray(b"\0asm\1\0\0\0")
    for number in ORDER:
        if number in found:
            out += bytes([number]) + u(len(found[number])) + found[number]
    return bytes(out)


def more(found, number, added):
    count, content = items(found.get(number))
    found[number] = u(count + len(added)) + content + b"".join(added)
    return count


class Game:
    """A module as a game. Its `update` runs the call whose number is in a global; the results go to others."""

    def __init__(self, data, calls):
        """calls: (name, [(type, bits)...]) of functions, (name, None) of globals."""
        found = sections(data)
        if IMPORT in found and items(found[IMPORT])[0]:
            raise Bad("imports")
        self.types, self.globals, exported = types(found), globals_(found), exports(found)
        self.functions = []
        r = Reader(found.get(FUNCTION, b"\0"))
        for _ in range(r.u()):
            self.functions.append(self.types[r.u()])
        self.first = sum(varies for _, varies in self.globals)
        selector, self.results = len(self.globals), 0
        bodies = []
        if START in found:
            self.has_start = True
            bodies.append(b"\x10" + found.pop(START))
        else:
            self.has_start = False
        for name, arguments in calls:
            bodies.append(self.call(exported, name, arguments, selector + 1))
        made = [b"\x7f\x01\x41\x00\x0b"] + [b"\x7e\x01\x42\x00\x0b"] * max(self.results, 1)
        more(found, GLOBAL, made)
        plain = more(found, TYPE, [b"\x60\0\0"])
        count = len(self.functions)
        more(found, FUNCTION, [u(plain)] * (len(bodies) + 1))
        choose = b"".join(b"\x23" + u(selector) + b"\x41" + s(i) + b"\x46\x04\x40\x10" + u(count + i) + b"\x0f\x0b"
                          for i in range(len(bodies)))
        code = [b"\0" + body + b"\x0b" for body in bodies] + [b"\0" + choose + b"\x0b"]
        more(found, CODE, [u(len(body)) + body for body in code])
        if not items(found.get(MEMORY))[0]:
            found[MEMORY] = b"\x01\x00\x01"
        found[EXPORT] = vector([b"\x06memory\x02\x00", b"\x06update\x00" + u(count + len(bodies))])
        self.data = write(found)

    def call(self, exported, name, arguments, first_result):
        if name not in exported:
            raise Bad("no such export")
        kind, index = exported[name]
        if arguments is None:
            results, body = [self.globals[index][0]], b"\x23" + u(index)
        else:
            params, results = self.functions[index]
            if [t for t, _ in arguments] != params:
                raise Bad("other arguments")
            body = b"".join(constant(t, bits) for t, bits in arguments) + b"\x10" + u(index)
        self.results = max(self.results, len(results))
        for i in reversed(range(len(results))):
            body += AS_BITS[results[i]] + b"\x24" + u(first_result + i)
        return body
