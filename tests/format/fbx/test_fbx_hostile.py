# SPDX-License-Identifier: MIT
"""FBX files that nobody wrote with care, or somebody with too much of it: each is read, or refused with one clear line and exit 1, in little time
and memory; nothing is left behind."""

import glob
import os
import sys
import random
import re
import resource
import struct
import subprocess
import time
import zlib

import testing
from fbx_bytes import MAGIC, Binary, Rec, Text
from fbx_check import BINARY, TEXT, FbxCase, main
from fbx_make import make, records
from fbx_scene import Cluster, Curve, Element, Key, Layer, Material, Mesh, Node, Scene, Take, Texture, line, seconds
from fbx_truth import IDENTITY

SECONDS = 20  # on any machine, under any load; what goes wrong takes for ever
MEMORY = 400 << 20  # of address space in all, whatever a file says


def small(**more):
    """A scene with one of everything."""
    hip = Node("hip", t=(0.0, 1.0, 0.0))
    knee = Node("knee", hip, t=(0.0, -0.5, 0.1), pre=(10.0, 20.0, 30.0), active=1)
    body = Node("body", None, "Mesh")
    curve = Curve([Key(seconds(i / 10), float(i % 3), "user", right=1.0, left=2.0) for i in range(11)], ("R", 2), ("M", -1))
    layers = [Layer({(hip, "t"): [curve, 1.0, 0.0], (knee, "r"): [line([(0, 0.0), (1, 90.0)]), 0.0, 20.0]}),
              Layer({(knee, "r"): [line([(0, 0.0), (1, 10.0)]), 0.0, 0.0]}, "over", 50.0, mode=2)]
    mesh = Mesh(body, [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (1.0, 1.0, 0.0), (0.0, 1.0, 0.0)], [[0, 1, 2, 3]], normals=Element([(0.0, 0.0, 1.0)] * 4),
                uvs=Element([(0.5, 0.5)], index=[0] * 4), materials=[0], clusters=[Cluster(hip, [0, 1], [1.0, 1.0], IDENTITY, IDENTITY),
                                                                                     Cluster(knee, [2, 3], [1.0, 0.5], IDENTITY, IDENTITY)])
    material = Material("skin", [body], (1.0, 0.5, 0.0), 1.0, Texture("t", "t.png", "t.png", b"\x89PNG"))
    return Scene([hip, knee, body], [Take("a", layers, 0, seconds(1))], [mesh], [material], **more)


def limited():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


# A sanitizer reserves more address space than any machine has.
ASAN = b"__asan_init" in open(os.path.realpath(sys.argv[1]), "rb").read() if len(sys.argv) > 1 and os.path.exists(sys.argv[1]) else False


class HostileCase(FbxCase):
    def survive(self, data, code=None, what=""):
        """Reads it, and says so; 1 is one line, 0 has nothing but warnings."""
        self.write("bad.fbx", data)
        started = time.monotonic()
        done = subprocess.run([testing.EMBER, "convert", "bad.fbx", "-o", "out.json"], cwd=self.folder, capture_output=True, timeout=SECONDS * 3,
                              preexec_fn=None if ASAN else limited)
        took = time.monotonic() - started
        lines = done.stderr.decode("utf-8").splitlines()
        told = "%s: exit %d: %s" % (what, done.returncode, lines[:4])
        self.assertIn(done.returncode, (0, 1) if code is None else (code,), told)
        self.assertLess(took, SECONDS, told)
        if done.returncode == 1:
            self.assertEqual(len(lines), 1, told)
            self.assertTrue(lines[0].startswith("ember: bad.fbx:"), told)
            self.assertEqual(self.files(), ["bad.fbx"], told)
        else:
            self.assertTrue(all(re.match(r"ember: (bad\.fbx|out\.json)[:/]", said) for said in lines), told)
            os.unlink(self.path("out.json"))
        self.assertFalse(any(ord(c) < 32 for said in lines for c in said), told)
        return done.returncode, lines

    def refuse(self, data, *words, what=""):
        _, lines = self.survive(data, 1, what)
        for word in words:
            self.assertIn(word.lower(), lines[0].lower(), what)

    def section(self, found, name):
        return next(rec for rec in found if rec.name == name)

    def objects(self, found, name):
        return self.section(found, "Objects").all(name)

    def link(self, found, *ids, kind="OO", more=()):
        self.section(found, "Connections").children.append(Rec("C", ("S", kind), ("L", ids[0]), ("L", ids[1]), *more))


class Cut(HostileCase):
    def test_at_every_kind_of_place(self):
        chance = random.Random(18)
        for container in (Binary(7400), BINARY, TEXT, Binary(6100), Text(6100)):
            made = small()
            if container.version < 7000:
                made.takes[0].layers.pop()
            data = make(made, container)
            places = sorted({0, 1, 20, 21, 22, 23, 26, 27, 28, 39, 40, *(chance.randrange(len(data)) for _ in range(30)), len(data) - 200})
            for at in places:
                self.survive(data[:at], what="cut at %d" % at)

    def test_half_a_file_is_refused(self):
        for container in (Binary(7400), BINARY, TEXT):
            data = make(small(), container)
            self.refuse(data[:len(data) // 2])

    def test_nothing_of_the_kind(self):
        for data in (b"", b"\0" * 100, b"Kaydara", MAGIC, MAGIC + b"\x1a\0", MAGIC + b"\x1a\0" + struct.pack("<I", 7400), b"; FBX 7.4.0 project file\n",
                     b"{" * 1000, b"}" * 1000, b"\xff" * 1000, b"A:" * 1000, b"\"" * 1000, b"*" * 1000):
            self.survive(data)


class Changed(HostileCase):
    def test_bytes_changed_at_random(self):
        chance = random.Random(20)
        for container in (Binary(7400), BINARY, TEXT, Binary(6100)):
            made = small()
            if container.version < 7000:
                made.takes[0].layers.pop()
            data = make(made, container)
            for i in range(25):
                changed = bytearray(data)
                for _ in range(chance.choice((1, 3, 30))):
                    changed[chance.randrange(27, len(changed))] = chance.choice((0, 1, 0x7f, 0x80, 0xff, chance.randrange(256)))
                self.survive(bytes(changed), what="change %d" % i)


class Records(HostileCase):
    """Binary records whose words are wrong, one at a time. The first record begins at 27."""

    def test_offsets_that_lead_back_ahead_or_nowhere(self):
        for container in (Binary(7400), Binary(7500), Binary(7400, big=True)):
            data = make(small(), container)
            letters = container.order + ("Q" if container.wide else "I")
            for end in (0, 1, 26, 27, 28, 30, 40, 100, len(data) - 1, len(data) + 1, 2 ** 31, 2 ** 32 - 1, 2 ** 63, 2 ** 64 - 1):
                if end < 2 ** (64 if container.wide else 32):
                    changed = bytearray(data)
                    struct.pack_into(letters, changed, 27, end)
                    self.survive(bytes(changed), what="end %d" % end)

    def test_a_record_that_is_its_own_child(self):
        data = bytearray(make(small(), Binary(7400)))
        at = data.index(b"Objects") - 13
        for inner in (b"Model", b"Geometry"):
            child = data.index(inner, at) - 13
            changed = bytearray(data)
            struct.pack_into("<I", changed, child, at)  # ends where its parent begins
            self.refuse(bytes(changed))

    def test_counts_of_properties_and_their_length(self):
        for container in (Binary(7400), Binary(7500)):
            data = make(small(), container)
            size = 8 if container.wide else 4
            for place in (1, 2):
                for value in (0, 1, 255, 2 ** 31, 2 ** 32 - 1, 2 ** 63, 2 ** 64 - 1):
                    if value < 2 ** (8 * size):
                        changed = bytearray(data)
                        at = data.index(b"Version") - 1 - 3 * size
                        struct.pack_into("<Q" if container.wide else "<I", changed, at + place * size, value)
                        self.survive(bytes(changed), what="word %d is %d" % (place, value))

    def test_strings_longer_than_the_file(self):
        for length in (0, 100000, 2 ** 31, 2 ** 32 - 1):
            data = bytearray(make(small(), Binary(7400)))
            at = data.index(b"fbx_make") - 4
            struct.pack_into("<I", data, at, length)
            self.survive(bytes(data), what="length %d" % length)

    def test_types_that_do_not_exist(self):
        for letter in (b"\0", b"X", b"\xff", b"s", b"*"):
            data = make(small(), Binary(7400))
            self.refuse(data.replace(b"S\x08\0\0\0fbx_make", letter + b"\x08\0\0\0fbx_make"))

    def test_depth(self):
        for container in (Binary(7400), Binary(7500)):
            for depth, code in ((30, 0), (100, None), (900, 1)):
                found, inner = records(small(), container), None
                for _ in range(depth):
                    inner = Rec("Deep", children=[inner] if inner else [])
                found.append(inner)
                self.survive(container.file(found), code, "depth %d" % depth)

    def test_a_million_empty_records(self):
        rec = Binary(7400).record(Rec("A"), 0)
        data = bytearray(MAGIC + b"\x1a\0" + struct.pack("<I", 7400))
        for i in range(300000):
            data += struct.pack("<I", 27 + (i + 1) * len(rec)) + rec[4:]
        self.survive(bytes(data) + bytes(13))


class Arrays(HostileCase):
    def array(self, letter, count, encoding, stored, length=None):
        """The vertices of the mesh are this."""
        found = records(small(), Binary(7400))
        raw = letter.encode() + struct.pack("<III", count, encoding, len(stored) if length is None else length) + stored
        self.objects(found, "Geometry")[0].find("Vertices").props = [("raw", raw)]
        return Binary(7400).file(found)

    def test_zip_bombs(self):
        """Far more numbers than so many bytes can become; and as many as they can."""
        self.refuse(self.array("d", 2 ** 28, 1, zlib.compress(bytes(1000))))
        self.refuse(self.array("d", 2 ** 32 - 1, 1, zlib.compress(bytes(1000))))
        self.refuse(self.array("d", 2 ** 29, 1, b""))
        bomb = zlib.compress(bytes(200 << 20), 9)
        self.survive(self.array("d", (200 << 20) // 8, 1, bomb), what="200 MiB in %d bytes" % len(bomb))
        self.refuse(self.array("d", 10, 1, bomb))
        self.refuse(self.array("d", 10, 1, zlib.compress(bytes(79))))
        self.refuse(self.array("d", 10, 1, zlib.compress(bytes(81))))

    def test_many_bombs(self):
        bomb = zlib.compress(bytes(10 << 20), 9)
        found = records(small(), Binary(7400))
        raw = b"d" + struct.pack("<III", (10 << 20) // 8, 1, len(bomb)) + bomb
        self.objects(found, "Geometry")[0].children += [Rec("Vertices", ("raw", raw)) for _ in range(60)]
        self.survive(Binary(7400).file(found), what="60 times 10 MiB")

    def test_streams_that_are_none(self):
        good = zlib.compress(struct.pack("<12d", *range(12)))
        for stored in (b"", b"\0", b"\xff" * 50, good[:-1], good[:10], good[:2] + b"\x06" + good[3:], good + b"more", b"\x78\x01\x01\xff\xff\0\0", good[::-1],
                       zlib.compress(struct.pack("<12d", *range(12)))[2:]):
            self.survive(self.array("d", 12, 1, stored), what="stream %r" % stored[:8])
        damaged = bytearray(good)
        damaged[-1] ^= 1  # the checksum
        self.survive(self.array("d", 12, 1, bytes(damaged)))

    def test_counts_that_are_not_what_is_stored(self):
        raw = struct.pack("<12d", *range(12))
        for count in (0, 1, 11, 13, 2 ** 29, 2 ** 30, 2 ** 31, 2 ** 32 - 1):
            self.survive(self.array("d", count, 0, raw), what="count %d" % count)
        for length in (0, 95, 97, 2 ** 31, 2 ** 32 - 1):
            self.refuse(self.array("d", 12, 0, raw, length), what="length %d" % length)
        for encoding in (2, 3, 2 ** 32 - 1):
            self.refuse(self.array("d", 12, encoding, raw), what="encoding %d" % encoding)


class TextFiles(HostileCase):
    def test_what_does_not_end(self):
        text = make(small(), TEXT).decode()
        for data in (text.rstrip().rstrip("}"), text[:text.index('"Model::hip"') + 5], text + '"', text + 'A: "', text + "A: {", text + "A: *5 {", text + "A: *5 { a: 1,",
                     text + "A: *", text + "A", text + "A:", text + "A: 1,", text + ",", text + ";", text + "}", text + "\0", text + "A: &quot", text + 'A: "&quot'):
            self.survive(data, what=data[-20:])
        self.refuse(text[:text.index("Connections:")] + 'A: "')

    def test_counts_beyond_all_bounds(self):
        text = make(small(), TEXT).decode()
        for count in ("0", "-1", "1000000000", "4294967295", "9223372036854775807", "18446744073709551616", "9" * 400, "x", ""):
            self.survive(re.sub(r"\*\d+", "*" + count, text), what="*" + count)

    def test_numbers_of_any_length(self):
        text = make(small(), TEXT).decode()
        for number in ("9" * 100000, "0." + "0" * 100000 + "1", "1e" + "9" * 1000, "-" * 1000, "1.2.3.4", "0x10", "--5", "1e", "+", ".", "1e5000", "-1e-5000"):
            self.survive(text.replace(",0.5,", ",%s," % number).replace(": 1.0", ": " + number) + "A: %s\n" % number, what=number[:20])

    def test_depth(self):
        text = make(small(), TEXT).decode()
        for depth, code in ((30, 0), (100, None), (5000, 1), (300000, 1)):
            self.survive(text + "A: {\n" * depth + "}\n" * depth, code, "depth %d" % depth)
            self.survive(text + "A: {\n" * depth, what="open %d" % depth)

    def test_zeros_and_other_bytes(self):
        data = make(small(), TEXT)
        for byte in (b"\0", b"\xff", b"\x80", b"\x1a", b"\r", b"{", b"}", b'"', b":", b"*", b","):
            for at in (10, len(data) // 3, len(data) // 2, len(data) - 5):
                self.survive(data[:at] + byte + data[at:], what="%r at %d" % (byte, at))

    def test_a_name_of_a_megabyte(self):
        text = make(small(), TEXT).decode()
        self.survive(text.replace("Model::hip", "Model::" + "h" * 1000000))
        self.survive(text + "A" * 1000000 + ": 1\n")
        self.survive(text + "; " + "c" * 1000000)


class Graphs(HostileCase):
    def test_parents_in_a_circle(self):
        for length in (1, 2, 3, 50):
            nodes = [Node("n%d" % i) for i in range(length)]
            made = Scene(nodes, [Take("a", [Layer({(nodes[0], "r"): [line([(0, 0.0), (1, 40.0)]), 0.0, 0.0]})], 0, seconds(1))])
            found = records(made, BINARY)
            ids = [rec.props[0][1] for rec in self.objects(found, "Model")]
            self.section(found, "Connections").children = [link for link in self.section(found, "Connections").children if link.props[2][1] != 0]
            for a, b in zip(ids, ids[1:] + ids[:1]):
                self.link(found, a, b)
            self.survive(BINARY.file(found), what="a circle of %d" % length)

    def test_a_circle_beside_good_nodes(self):
        found = records(small(), BINARY)
        hip, knee, _ = [rec.props[0][1] for rec in self.objects(found, "Model")]
        self.link(found, hip, knee)
        self.link(found, hip, hip)
        self.survive(BINARY.file(found))

    def test_a_circle_in_old_files(self):
        made = small()
        made.takes[0].layers.pop()
        text = make(made, Text(6100)).decode()
        self.survive(text.replace('Connect: "OO","Model::hip","Model::Scene"', 'Connect: "OO","Model::hip","Model::knee"'))
        self.survive(text.replace("Model::knee", "Model::hip"))

    def test_everything_joined_with_everything(self):
        found = records(small(), BINARY)
        ids = [rec.props[0][1] for rec in self.section(found, "Objects").children] + [0]
        for a in ids:
            for b in ids:
                self.link(found, a, b)
                self.link(found, a, b, kind="OP", more=[("S", "Lcl Rotation")])
                self.link(found, a, b, kind="OP", more=[("S", "d|X")])
                self.link(found, a, b, kind="OP", more=[("S", "DiffuseColor")])
        self.survive(BINARY.file(found))

    def test_ids_that_occur_twice(self):
        found = records(small(), BINARY)
        for rec in self.section(found, "Objects").children:
            rec.props[0] = ("L", 5)
        self.survive(BINARY.file(found))
        found = records(small(), BINARY)
        models = self.objects(found, "Model")
        models[1].props[0] = models[0].props[0]
        self.survive(BINARY.file(found))
        self.section(found, "Objects").children *= 3
        self.survive(BINARY.file(found))

    def test_ten_thousand_ids_that_collide(self):
        """Multiples of a large power of two, of a golden number, and all in one row."""
        for step in (1 << 20, 1 << 32, 1 << 48, 0x9E3779B97F4A7C15, 1):
            found = records(small(), Binary(7400))
            model = self.objects(found, "Model")[0]
            for i in range(10000):
                number = (i + 7) * step % 2 ** 64 - 2 ** 63
                self.section(found, "Objects").children.append(Rec("Model", ("L", number), *model.props[1:], children=[]))
                self.link(found, number, 1001)
            self.survive(Binary(7400).file(found), what="step %d" % step)

    def test_ten_thousand_names_that_are_one(self):
        made = small()
        made.takes[0].layers.pop()
        found = records(made, Binary(6100))
        model = self.objects(found, "Model")[0]
        self.section(found, "Objects").children += [model] * 3000
        self.survive(Binary(6100).file(found))

    def test_a_chain_of_ten_thousand_nodes(self):
        parent, nodes = None, []
        for i in range(10000):
            parent = Node("n%d" % i, parent, t=(0.0, 0.001, 0.0))
            nodes.append(parent)
        made = Scene(nodes, [Take("a", [Layer({(nodes[5], "r"): [line([(0, 0.0), (0.1, 40.0)]), 0.0, 0.0]})], 0, seconds(0.1))])
        self.survive(make(made, Binary(7400)))

    def test_a_curve_node_for_everything(self):
        found = records(small(), BINARY)
        node = self.objects(found, "AnimationCurveNode")[0].props[0][1]
        for rec in self.section(found, "Objects").children:
            for name in ("Lcl Translation", "Lcl Rotation", "Lcl Scaling", "RotationOrder", "Weight", "Visibility", "d|X"):
                self.link(found, node, rec.props[0][1], kind="OP", more=[("S", name)])
        self.survive(BINARY.file(found))


class Values(HostileCase):
    ODD = (float("nan"), float("inf"), float("-inf"), 1e300, -1e300, 1e-300, 3e38, 0.0)

    def test_transforms(self):
        for short in ("t", "r", "s", "pre", "post", "rp", "roff", "sp", "soff", "gt", "gr", "gs"):
            for odd in self.ODD:
                made = small()
                for node in made.nodes:
                    node.props[short] = (odd, 1.0, odd)
                self.survive(make(made, BINARY), what="%s %r" % (short, odd))

    def test_enumerations(self):
        for short in ("order", "inherit", "active"):
            for odd in (-1, 3, 6, 7, 255, 2 ** 31 - 1, -2 ** 31):
                made = small()
                made.nodes[1].props[short] = odd
                self.survive(make(made, BINARY), what="%s %d" % (short, odd))

    def test_settings(self):
        for odd in self.ODD:
            self.survive(make(small(unit=odd), BINARY), what="unit %r" % odd)
        for axes in (((0, 0), (0, 0), (0, 0)), ((5, 1), (-1, 1), (9, 7)), ((0, 1), (0, 1), (0, 1)), ((0, 1), (1, 1), (2, -1)), ((2 ** 31 - 1, -2 ** 31),) * 3):
            self.survive(make(small(axes=axes), BINARY), what="axes %r" % (axes,))

    def test_vertices_weights_and_matrices(self):
        for odd in self.ODD:
            made = small()
            made.meshes[0].vertices[1] = (odd, odd, odd)
            self.survive(make(made, BINARY), what="vertex %r" % odd)
            made = small()
            made.meshes[0].clusters[0].weights = [odd, -1.0]
            self.survive(make(made, BINARY), what="weight %r" % odd)
            made = small()
            made.meshes[0].clusters[0].transform = [[odd] * 4] * 4
            made.meshes[0].clusters[1].link = [[odd] * 4] * 4
            made.meshes[0].clusters[1].transform = None
            self.survive(make(made, BINARY), what="matrix %r" % odd)

    def test_keys(self):
        for odd in (float("nan"), float("inf"), float("-inf"), 3e38, -3e38):
            for field in ("value", "right", "left"):
                for kind in ("linear", "user", "auto", "constant"):
                    made = small()
                    for key in made.takes[0].layers[0].curves[made.nodes[0], "t"][0].keys[2:5]:
                        key.kind = kind
                        setattr(key, field, odd)
                    self.survive(make(made, BINARY), what="%s %s %r" % (kind, field, odd))

    def test_times_that_do_not_rise(self):
        for times in ([0, 5, 3, 8], [0, 0, 0, 0], [8, 7, 6, 5], [0, 1, 1, 2], [-2 ** 63, 0, 1, 2 ** 63 - 1], [2 ** 63 - 1] * 4, [-2 ** 63, 2 ** 63 - 1, 0, 0]):
            made = small()
            curve = made.takes[0].layers[0].curves[made.nodes[0], "t"][0]
            curve.keys = curve.keys[:4]
            for key, number in zip(curve.keys, times):
                key.time = number if abs(number) > 100 else seconds(number / 8)
            for pre in (None, ("R", -1), ("M", 3), ("A", 2 ** 31 - 1), ("K", -1)):
                curve.pre = curve.post = pre
                self.survive(make(made, BINARY), what="times %s" % times)

    def test_spans(self):
        for start, stop in ((0, 0), (5, 0), (-2 ** 63, 2 ** 63 - 1), (2 ** 63 - 1, -2 ** 63), (0, 2 ** 63 - 1), (0, 1)):
            made = small()
            made.takes[0].start, made.takes[0].stop = start, stop
            self.survive(make(made, BINARY), what="%d to %d" % (start, stop))

    def test_runs_of_attributes(self):
        for counts in ([0], [-1], [5], [100], [2 ** 31 - 1], [-2 ** 31], [1] * 40, [], [5, 6, 7], [0, 11], [2 ** 31 - 1, 2 ** 31 - 1, 13]):
            found = records(small(), BINARY)
            for curve in self.objects(found, "AnimationCurve"):
                curve.find("KeyAttrRefCount").props = [("i", counts)]
            self.survive(BINARY.file(found), what="counts %s" % counts)

    def test_arrays_of_unequal_length(self):
        for name in ("KeyTime", "KeyValueFloat", "KeyAttrFlags", "KeyAttrDataFloat", "KeyAttrRefCount"):
            for size in (0, 1, 3, 100):
                found = records(small(), BINARY)
                for curve in self.objects(found, "AnimationCurve"):
                    kind, values = curve.find(name).props[0]
                    curve.find(name).props = [(kind, (values * 100)[:size])]
                self.survive(BINARY.file(found), what="%d of %s" % (size, name))

    def test_flags_of_every_bit(self):
        for bit in range(32):
            found = records(small(), BINARY)
            for curve in self.objects(found, "AnimationCurve"):
                rec = curve.find("KeyAttrFlags")
                rec.props = [("i", [(flags ^ 1 << bit) - (1 << 32 if (flags ^ 1 << bit) >= 1 << 31 else 0) for flags in rec.props[0][1]])]
            self.survive(BINARY.file(found), what="bit %d" % bit)

    def test_old_keys(self):
        made = small()
        made.takes[0].layers.pop()
        text = make(made, Text(6100)).decode()
        for old, new in ((",U,s,", ",U,"), (",U,s,", ",U,t,"), (",U,s,", ",U,?,"), (",U,s,", ",X,s,"), (",n,", ",a,"), (",n,", ","), (",n,", ",9,"),
                         ("KeyCount: 11", "KeyCount: 1000000000"), ("KeyCount: 11", "KeyCount: -1"), ("KeyCount: 11", "KeyCount: 3"), ("KeyVer: 4005", "KeyVer: 4001"),
                         ("KeyVer: 4005", "KeyVer: -1")):
            self.assertIn(old, text)
            self.survive(text.replace(old, new), what="%s to %s" % (old, new))

    def test_polygons(self):
        for corners in ([], [-1], [-1] * 50, [0] * 50, list(range(4)) * 5000, [-2 ** 31], [2 ** 31 - 1, -1], [0, 0, -1], [0, 0, 0, -1], [0, 1, 2, 3] * 300 + [-1]):
            found = records(small(), BINARY)
            self.objects(found, "Geometry")[0].find("PolygonVertexIndex").props = [("i", corners)]
            self.survive(BINARY.file(found), what="corners %s" % corners[:4])

    def test_one_polygon_of_very_many_corners(self):
        """Ear clipping costs more than its corners: it must not cost their square for ever."""
        count = 30000
        found = records(small(), BINARY)
        mesh = self.objects(found, "Geometry")[0]
        mesh.find("Vertices").props = [("d", [v for i in range(count) for v in (float(i % 173), float(i * 7919 % 331), float(i % 7))])]
        mesh.find("PolygonVertexIndex").props = [("i", list(range(count - 1)) + [-count])]
        self.survive(BINARY.file(found))


class Others(HostileCase):
    def test_a_failed_file_leaves_nothing_behind(self):
        self.write("cut.fbx", make(small(), BINARY)[:900])
        self.one_line(self.ember("convert", "cut.fbx", "-o", "cut.glb", code=1))
        self.assertEqual(self.files(), ["cut.fbx"])

    def test_a_limit_of_memory(self):
        self.write("a.fbx", make(small(), BINARY))
        found = records(small(), BINARY)
        self.objects(found, "Geometry")[0].find("Vertices").props = [("d", [0.5] * 600000)]
        self.write("big.fbx", Binary(7400).file(found))
        self.ember("info", "a.fbx", "--max-memory", "16")
        self.assertIn("memory", self.one_line(self.ember("info", "big.fbx", "--max-memory", "1", code=1)))

    def test_the_corpus_of_broken_files(self):
        folder = os.environ.get("EMBER_CORPUS")
        paths = sorted(glob.glob(os.path.join(folder, "fbx", "hostile", "*"))) if folder else []
        if not paths:
            self.skipTest("EMBER_CORPUS is not set, or has no hostile FBX files")
        for path in paths:
            with open(path, "rb") as file:
                self.survive(file.read(), what=os.path.basename(path))

    def test_the_models_of_debian(self):
        """As many as there are, whatever is in them."""
        folder = "/usr/share/assimp/models"
        paths = sorted(path for ext in ("fbx", "FBX") for path in glob.glob("%s/**/*.%s" % (folder, ext), recursive=True))
        if not paths:
            self.skipTest("Debian's assimp-testmodels are not installed")
        for path in paths:
            with open(path, "rb") as file:
                self.survive(file.read(), what=os.path.basename(path))


if __name__ == "__main__":
    main()
