# SPDX-License-Identifier: MIT
"""Random modules that are valid and end soon, the same for the same number. A module's `update` takes a number from
address 0, calls one of its functions with arguments made from that number, and puts the result at address 8. Without
`nans`, a float passes a filter before its bits can be seen, so that engines whose NaNs differ give the same results."""

import random
import struct

from wasm_bytes import CODE, DATA, DATA_COUNT, ELEMENT, EXPORT, F32, F64, FUNCTION, GLOBAL, I32, I64, MEMORY, TABLE, TYPE, constant, s, u, vector, write

TYPES = [I32, I64, F32, F64]
LEAVES, MIDDLE, UPPER = 16, 6, 2
SPECIAL = [0, 1, 2, 0x7F, 0x80, 0xFF, 0x7FFF, 0x8000, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x3F800000, 0xBF800000, 0x7F800000, 0xFF800000,
           0x4F000000, 0xCF000000, 0x4B000000, 0x00000001, 0x7FFFFFFFFFFFFFFF, 0x8000000000000000, 0xFFFFFFFFFFFFFFFF, 0x3FF0000000000000,
           0xBFF0000000000000, 0x7FF0000000000000, 0xFFF0000000000000, 0x41E0000000000000, 0xC1E0000000000000, 0x43E0000000000000,
           0x3FE0000000000000, 0x0000000000000001]
UNARY = {
    I32: [(0x67, I32), (0x68, I32), (0x69, I32), (0x45, I32), (0x50, I64), (0xA7, I64), (0xC0, I32), (0xC1, I32), (0xA8, F32), (0xA9, F32), (0xAA, F64),
          (0xAB, F64), (0xBC, F32)],
    I64: [(0x79, I64), (0x7A, I64), (0x7B, I64), (0xAC, I32), (0xAD, I32), (0xC2, I64), (0xC3, I64), (0xC4, I64), (0xAE, F32), (0xAF, F32), (0xB0, F64),
          (0xB1, F64), (0xBD, F64)],
    F32: [(o, F32) for o in range(0x8B, 0x92)] + [(0xB2, I32), (0xB3, I32), (0xB4, I64), (0xB5, I64), (0xB6, F64), (0xBE, I32)],
    F64: [(o, F64) for o in range(0x99, 0xA0)] + [(0xB7, I32), (0xB8, I32), (0xB9, I64), (0xBA, I64), (0xBB, F32), (0xBF, I64)],
}
BINARY = {
    I32: [(o, I32) for o in range(0x6A, 0x79)] * 2 + [(o, I32) for o in range(0x46, 0x50)] + [(o, I64) for o in range(0x51, 0x5B)] +
         [(o, F32) for o in range(0x5B, 0x61)] + [(o, F64) for o in range(0x61, 0x67)],
    I64: [(o, I64) for o in range(0x7C, 0x8B)],
    F32: [(o, F32) for o in range(0x92, 0x99)],
    F64: [(o, F64) for o in range(0xA0, 0xA7)],
}
LOADS = {I32: [0x28, 0x2C, 0x2D, 0x2E, 0x2F], I64: [0x29, 0x30, 0x31, 0x32, 0x33, 0x34, 0x35], F32: [0x2A], F64: [0x2B]}
STORES = {I32: [0x36, 0x3A, 0x3B], I64: [0x37, 0x3C, 0x3D, 0x3E], F32: [0x38], F64: [0x39]}
SATURATING = {I32: [(0, F32), (1, F32), (2, F64), (3, F64)], I64: [(4, F32), (5, F32), (6, F64), (7, F64)]}
# Opcodes that show a float's bits: reinterpretations, and copysign, which shows its second operand's sign.
SHOWS_BITS = {0xBC: F32, 0xBD: F64, 0x98: F32, 0xA6: F64}


class Function:
    def __init__(self, module, level, params, result):
        self.m, self.r, self.level, self.params, self.result = module, module.r, level, params, result
        count = self.r.randint(2, 8)
        self.locals = params + [self.r.choice(TYPES) for _ in range(count)] + TYPES
        self.own = self.locals[len(params):]
        self.counters = 3
        self.first_counter = len(self.locals)
        self.locals = self.locals + [I32] * self.counters
        self.loops, self.depth, self.budget, self.calls = 0, 0, self.r.randint(20, 120), 0

    def local(self, kind):
        return u(self.r.choice([i for i, t in enumerate(self.locals[:self.first_counter]) if t == kind]))

    def filtered(self, kind, code):
        """The value, or the canonical NaN for any NaN."""
        if self.m.nans or kind not in (F32, F64):
            return code
        x = self.m.scratch[kind]
        one = constant(kind, 0x7FC00000 if kind == F32 else 0x7FF8000000000000)
        get = b"\x23" + u(x)
        return code + b"\x24" + u(x) + one + get + get + get + (b"\x5c" if kind == F32 else b"\x62") + b"\x1b"

    def constant(self, kind):
        r = self.r
        choice = r.random()
        if choice < 0.4:
            bits = r.choice(SPECIAL)
        elif choice < 0.8:
            bits = r.randint(-40, 40) & (2**64 - 1)
            if kind in (F32, F64):
                value = r.choice([r.randint(-100, 100), r.uniform(-10, 10), r.uniform(-1e10, 1e10)])
                bits = struct.unpack("<I", struct.pack("<f", value))[0] if kind == F32 else struct.unpack("<Q", struct.pack("<d", value))[0]
        else:
            bits = r.getrandbits(64)
        bits &= 2**32 - 1 if kind in (I32, F32) else 2**64 - 1
        if kind == F32 and bits & 0x7F800000 == 0x7F800000 and bits & 0x7FFFFF:
            bits = 0x7FC00000
        if kind == F64 and (bits >> 52) & 0x7FF == 0x7FF and bits & (2**52 - 1):
            bits = 0x7FF8000000000000
        return constant(kind, bits)

    def address(self, depth):
        code = self.expression(I32, depth - 1)
        if self.r.random() < 0.95:
            code += b"\x41" + s(0xFF8) + b"\x71"
        return code

    def offset(self):
        return u(0) + u(self.r.choice([0, 0, 1, 4, 8, 100, 70000 if self.r.random() < 0.1 else 16]))

    def expression(self, kind, depth):
        r = self.r
        self.budget -= 1
        if depth <= 0 or self.budget <= 0:
            return self.leaf(kind)
        choice = r.random()
        if choice < 0.34:
            opcode, operand = r.choice(BINARY[kind])
            x, y = self.expression(operand, depth - 1), self.expression(operand, depth - 1)
            if opcode in SHOWS_BITS:
                y = self.filtered(operand, y)
            return x + y + bytes([opcode])
        if choice < 0.48:
            opcode, operand = r.choice(UNARY[kind])
            x = self.expression(operand, depth - 1)
            return (self.filtered(operand, x) if opcode in SHOWS_BITS else x) + bytes([opcode])
        if choice < 0.52 and kind in SATURATING:
            opcode, operand = r.choice(SATURATING[kind])
            return self.expression(operand, depth - 1) + b"\xfc" + u(opcode)
        if choice < 0.64:
            return self.loaded(kind, depth)
        if choice < 0.69:
            return self.expression(kind, depth - 1) + self.expression(kind, depth - 1) + self.expression(I32, depth - 1) + b"\x1b"
        if choice < 0.76:
            return self.expression(kind, depth - 1) + b"\x22" + self.local(kind)
        if choice < 0.88:
            return self.block(kind, depth)
        if choice < 0.94 and self.level > 0 and self.calls < 3:
            return self.call(kind, depth)
        if choice < 0.96 and kind == I32:
            return r.choice([b"\x3f\x00", constant(I32, r.randint(0, 2)) + b"\x40\x00", b"\xfc\x10\x00"])
        return self.leaf(kind)

    def loaded(self, kind, depth):
        code = self.address(depth) + bytes([self.r.choice(LOADS[kind])]) + self.offset()
        return self.filtered(kind, code)

    def leaf(self, kind):
        choice = self.r.random()
        if choice < 0.55:
            return b"\x20" + self.local(kind)
        if choice < 0.65:
            return b"\x23" + u(self.r.choice(self.m.globals_of(kind)))
        return self.constant(kind)

    def block(self, kind, depth):
        r, choice = self.r, self.r.random()
        if choice < 0.25:
            condition = self.expression(I32, depth - 1)
            self.depth += 1
            then, other = self.body(depth - 1) + self.expression(kind, depth - 1), self.expression(kind, depth - 1)
            self.depth -= 1
            return condition + b"\x04" + bytes([kind]) + then + b"\x05" + other + b"\x0b"
        if choice < 0.55:
            self.depth += 1
            code = self.body(depth - 1) + self.expression(kind, depth - 1)
            if r.random() < 0.6:
                code += self.expression(I32, depth - 1) + b"\x0d\x00"
            if r.random() < 0.3:
                code += b"\x1a" + self.expression(kind, depth - 1) + b"\x0c\x00" + (b"\x1a" + self.leaf(kind) if r.random() < 0.3 else b"")
            self.depth -= 1
            return b"\x02" + bytes([kind]) + code + b"\x0b"
        if choice < 0.7:
            return self.table(kind, depth)
        if choice < 0.85:
            return self.several(kind, depth)
        return self.loop(kind, depth)

    def table(self, kind, depth):
        """br_table to three blocks inside each other; what is behind an end gives another value."""
        n = self.r.randint(1, 9)
        start = b"\x02" + bytes([kind])
        self.depth += 3
        code = self.expression(kind, depth - 1) + self.expression(I32, depth - 1) + (b"\x41\x0f\x71" if self.r.random() < 0.7 else b"")
        targets = b"".join(u(self.r.randint(0, 2)) for _ in range(n + 1))
        after = []
        for _ in range(2):
            self.depth -= 1
            after.append(b"\x1a" + self.expression(kind, depth - 2) if self.r.random() < 0.6 else b"")
        self.depth -= 1
        return start * 3 + code + b"\x0e" + u(n) + targets + b"\x0b" + after[0] + b"\x0b" + after[1] + b"\x0b"

    def several(self, kind, depth):
        """Two values through a block of a type of its own, out of it by a branch or by its end."""
        other = self.r.choice(TYPES)
        number = self.m.type([other, kind], [kind, other])
        x, y = self.local(kind), self.local(other)
        swap = b"\x21" + x + b"\x21" + y + b"\x20" + x + b"\x20" + y
        code = self.expression(other, depth - 1) + self.expression(kind, depth - 1) + b"\x02" + u(number) + swap
        self.depth += 1
        code += self.expression(I32, depth - 2) + b"\x0d\x00"
        if self.r.random() < 0.5:
            code += b"\x1a" + self.expression(other, depth - 2)
        self.depth -= 1
        return code + b"\x0b\x21" + y

    def loop(self, kind, depth):
        if self.loops >= self.counters:
            return self.leaf(kind)
        counter = u(self.first_counter + self.loops)
        self.loops += 1
        self.depth += 1
        body = self.body(depth - 1) + self.body(depth - 1)
        step = self.r.choice([b"\x20" + counter + b"\x41\x01\x6b\x22" + counter + b"\x0d\x00",
                              b"\x20" + counter + b"\x41\x7f\x6a\x22" + counter + b"\x41\x00\x4a\x0d\x00"])
        value = self.expression(kind, depth - 1)
        self.loops -= 1
        self.depth -= 1
        return constant(I32, self.r.randint(1, 6)) + b"\x21" + counter + b"\x03" + bytes([kind]) + body + value + b"\x21" + self.local(kind) + \
            step + b"\x20" + self.local(kind) + b"\x0b"

    def call(self, kind, depth):
        self.calls += 1
        pool = self.m.functions[:LEAVES] if self.level == 1 else self.m.functions[LEAVES:LEAVES + MIDDLE]
        fitting = [f for f in pool if f.result == kind]
        if not fitting:
            return self.leaf(kind)
        f = self.r.choice(fitting)
        arguments = b"".join(self.expression(t, depth - 2) for t in f.params)
        if self.level == 1 and self.r.random() < 0.4:
            index = self.m.functions.index(f) % 8 if self.r.random() < 0.8 else self.r.randint(0, 12)
            return arguments + constant(I32, index) + b"\x11" + u(self.m.type(f.params, [kind])) + b"\x00"
        return arguments + b"\x10" + u(self.m.functions.index(f))

    def body(self, depth):
        """Statements: nothing on the stack before and after."""
        code = b""
        for _ in range(self.r.randint(0, 3)):
            kind, choice = self.r.choice(TYPES), self.r.random()
            if self.budget <= 0:
                break
            if choice < 0.4:
                code += self.expression(kind, depth) + b"\x21" + self.local(kind)
            elif choice < 0.55:
                code += self.expression(kind, depth) + b"\x24" + u(self.r.choice(self.m.globals_of(kind)))
            elif choice < 0.85:
                code += self.address(depth) + self.filtered(kind, self.expression(kind, depth - 1)) + bytes([self.r.choice(STORES[kind])]) + self.offset()
            elif choice < 0.9:
                small = b"\x41" + s(0x3F) + b"\x71"
                code += self.address(depth) + self.address(depth) + self.expression(I32, depth - 2) + small
                code += self.r.choice([b"\xfc\x0a\x00\x00", b"\xfc\x0b\x00", b"\xfc\x08" + u(self.r.randint(0, 1)) + b"\x00"])
            elif choice < 0.92:
                code += b"\xfc\x09" + u(self.r.randint(0, 1)) if self.r.random() < 0.1 else b"\x01"
            elif choice < 0.93 and self.r.random() < 0.3:
                code += self.expression(I32, depth) + b"\x04\x40\x00\x0b"
            elif choice < 0.98:
                code += self.expression(self.result, depth - 1) + self.expression(I32, depth - 1) + b"\x0d" + u(self.depth) + b"\x1a"
            else:
                code += self.expression(kind, depth) + b"\x1a"
        return code

    def code(self):
        text = self.body(4) + self.body(4) + self.expression(self.result, 4) + b"\x0b"
        declared = vector([b"\x01" + bytes([t]) for t in self.locals[len(self.params):]])
        return declared + text


class Module:
    def __init__(self, seed, nans=False):
        self.r, self.nans, self.types = random.Random(seed), nans, []
        self.functions = []
        # Globals: two of each type, and one of each float type for the filter.
        self.kinds = TYPES * 2 + [F32, F64]
        self.scratch = {F32: 8, F64: 9}
        for level, count in ((0, LEAVES), (1, MIDDLE), (2, UPPER)):
            for _ in range(count):
                params = [self.r.choice(TYPES) for _ in range(self.r.randint(0, 4))]
                self.functions.append(Function(self, level, params, self.r.choice(TYPES)))
        self.codes = [f.code() for f in self.functions]
        self.data = self.bytes()

    def globals_of(self, kind):
        return [i for i, t in enumerate(self.kinds[:8]) if t == kind]

    def type(self, params, results):
        row = b"\x60" + vector([bytes([t]) for t in params]) + vector([bytes([t]) for t in results])
        if row not in self.types:
            self.types.append(row)
        return self.types.index(row)

    def argument(self):
        """A function (i64) -> i64: bits from a number, one time in four one of the special ones."""
        mix = b"\x20\x00\x20\x00\x42\x20\x88\x85" + b"\x42" + s(-0x61C8864680B583EB) + b"\x7e\x22\x00\x42\x1d\x88\x20\x00\x85\x21\x00"
        special = b"\x20\x00\x42\x03\x83\x50\x04\x40" + b"\x20\x00\x42\x02\x88\x42\x1f\x83\x42\x03\x86\xa7\x29\x00" + u(2048) + b"\x0f\x0b"
        return b"\x00" + mix + special + b"\x20\x00\x0b"

    def update(self, argument):
        """Chooses a function by the number, makes its arguments, keeps its result."""
        count, code = len(self.functions), b""
        for i, f in enumerate(self.functions):
            code += b"\x41\x00\x28\x00\x00" + constant(I32, count) + b"\x70" + constant(I32, i) + b"\x46\x04\x40\x41\x08"
            for k, t in enumerate(f.params):
                code += b"\x41\x00\x35\x00\x00" + constant(I64, 7919 + k * 104729) + b"\x7e" + constant(I64, k + 1) + b"\x7c\x10" + u(argument)
                code = f.filtered(t, code + {I32: b"\xa7", I64: b"", F32: b"\xa7\xbe", F64: b"\xbf"}[t])
            code += f.filtered(f.result, b"\x10" + u(i)) + {I32: b"\xad", I64: b"", F32: b"\xbc\xad", F64: b"\xbd"}[f.result] + b"\x37\x00\x00\x0b"
        return b"\x00" + code + b"\x0b"

    def bytes(self):
        function_types = [u(self.type(f.params, [f.result])) for f in self.functions]
        argument = len(self.functions)
        function_types += [u(self.type([I64], [I64])), u(self.type([], []))]
        codes = self.codes + [self.argument(), self.update(argument)]
        special = b"".join(v.to_bytes(8, "little") for v in SPECIAL)
        table = vector([u(i) for i in range(8)])
        return write({
            TYPE: vector(self.types),
            FUNCTION: vector(function_types),
            TABLE: b"\x01\x70\x00\x0a",
            MEMORY: b"\x01\x01\x01\x03",
            GLOBAL: vector([bytes([t, 1]) + constant(t, 0) + b"\x0b" for t in self.kinds]),
            EXPORT: vector([b"\x06memory\x02\x00", b"\x06update\x00" + u(argument + 1)]),
            ELEMENT: b"\x01\x00\x41\x00\x0b" + table,
            DATA_COUNT: b"\x03",
            CODE: vector([u(len(c)) + c for c in codes]),
            DATA: vector([b"\x01" + u(40) + bytes(range(40)), b"\x01" + u(9) + b"nine byte", b"\x00\x41" + s(2048) + b"\x0b" + u(len(special)) + special]),
        })
