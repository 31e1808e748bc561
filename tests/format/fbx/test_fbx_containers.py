# SPDX-License-Identifier: MIT
"""FBX's containers through the command: one description as binary files of both widths and byte orders, with raw and compressed arrays, and as
text, of versions 6100 to 7700, is one model; and the liberties that writers of text take."""

import itertools
import math
import struct
import zlib

import fbx_bytes
from fbx_bytes import CONTAINERS, Binary, Rec, Text
from fbx_check import BINARY, TEXT, FbxCase, main
from fbx_make import make, records
from fbx_scene import Cluster, Curve, Element, Key, Layer, Material, Mesh, Node, Scene, Take, seconds
from fbx_truth import Truth, inverse, multiply


def everything():
    """Limbs that move by long curves of every kind that 6100 has too, and a skinned mesh."""
    hip = Node("Hüfte", t=(0.0, 1.0, 0.0), pre=(10.0, 0.0, 5.0), active=1, order=2)
    knee = Node("knee", hip, t=(0.0, -0.5, 0.1), s=(1.5, 1.5, 1.5), inherit=2)
    body = Node("body", None, "Mesh", gt=(0.0, 0.1, 0.0))
    kinds = [dict(kind="linear"), dict(kind="constant"), dict(kind="user", right=2.0, left=-1.0, weights=(2021, None)),
             dict(kind="auto", progressive=True, independent=True), dict(kind="next"), dict(kind="user", right=1.0, left=1.0)]
    long = Curve([Key(seconds(i / 60), math.sin(i / 9), **kinds[i % 6]) for i in range(200)])
    angles = Curve([Key(seconds(i / 60), 50 * math.cos(i / 11), "user", right=20.0, left=-10.0) for i in range(200)], ("R", -1), ("C", -1))
    take = Take("Gehen", [Layer({(hip, "t"): [long, 1.0, 0.0], (knee, "r"): [angles, 5.0, long]})], 0, seconds(2))
    made = Scene([hip, knee, body], [take])
    truth = Truth(made)
    worlds = {node: truth.in_file(m) for node, m in truth.worlds().items()}
    points = [(x / 10, y / 10, 0.0) for y in range(9) for x in range(9)]
    faces = [[9 * y + x, 9 * y + x + 1, 9 * y + x + 10, 9 * y + x + 9] for y in range(8) for x in range(8)]
    clusters = [Cluster(bone, list(range(40 * i, 40 * i + 41)), [1.0] * 41, multiply(inverse(worlds[bone]), worlds[body]), worlds[bone])
                for i, bone in enumerate((hip, knee))]
    made.meshes.append(Mesh(body, points, faces, uvs=Element([(x, y) for x, y, _ in points], "ByVertice"), materials=[0], clusters=clusters))
    made.materials.append(Material("skin", [body], (0.5, 0.25, 0.75), 1.0))
    return made


class Kinds(FbxCase):
    def test_every_container_gives_the_same_model(self):
        made, first = everything(), None
        made.frozen = True
        for name, container in CONTAINERS.items():
            with self.subTest(name):
                self.put(made, container)
                form, lines = self.form("a.fbx", "--fps", "60")
                self.assertEqual([line for line in lines if "body" not in line], [])
                self.check_take(made, form, made.takes[0], 60)
                document, _ = self.glb()
                points = self.points(document)
                self.check_points(points, Truth(made).points(made.meshes[0]))
                if first is None:
                    first = form, len(points)
                self.assertEqual(form["bones"], first[0]["bones"])
                self.assertEqual(len(points), first[1])
                numbers, wanted = [[v for frame in f["clips"][0]["frames"] for bone in frame for v in bone] for f in (form, first[0])]
                self.assertLess(max(abs(a - b) for a, b in zip(numbers, wanted)), 2e-5)

    def test_the_writer_writes_what_it_says(self):
        """The tests' own bytes, by a parser of their own: names, counts and nesting, and that compressing compresses."""
        made = everything()
        trees = []
        for container in (Binary(7400), Binary(7400, compress=True), Binary(7500), Binary(7400, big=True)):
            found = fbx_bytes.parse(make(made, container))
            trees.append([(rec.name, [child.name for child in rec.children or ()]) for rec in found])
        self.assertTrue(all(tree == trees[0] for tree in trees))
        self.assertLess(len(make(made, Binary(7400, compress=True))), len(make(made, Binary(7400))) * 0.7)

    def test_every_version_between(self):
        made = everything()
        made.frozen = True
        for version in (7000, 7100, 7200, 7300, 7600, 7700, 7800):
            for container in (Binary(version, compress=True), Text(version)):
                with self.subTest(version=version):
                    self.put(made, container)
                    form, _ = self.form("a.fbx", "--fps", "10")
                    self.check_take(made, form, made.takes[0], 10)

    def test_versions_that_are_too_old_are_refused_and_named(self):
        for version in (3000, 5000, 5800, 5999):
            for container in (Binary(version), Text(version)):
                found = records(everything(), Text(6100))
                found[0].find("FBXVersion").props = [("I", version)]
                self.refused(container.file(found), str(version) if isinstance(container, Text) else "", "version")

    def test_binary_files_that_say_3000_and_mean_5800(self):
        found = records(everything(), Text(6100))
        found[0].find("FBXVersion").props = [("I", 5800)]
        self.refused(Binary(3000).file(found), "5800")

    def test_a_version_that_nobody_knows(self):
        for version in (0, 1, 2 ** 31, 2 ** 32 - 1):
            done = self.run_ember("info", self.write("a.fbx", Binary(7400).file(records(everything(), BINARY))[:23] + struct.pack("<I", version) + bytes(500)))
            self.assertEqual(done.returncode, 1)
            self.one_line(done)

    def test_an_empty_scene(self):
        for container in CONTAINERS.values():
            self.put(Scene([]), container)
            done = self.run_ember("info", "a.fbx")
            self.assertIn(done.returncode, (0, 1))
            self.assertLessEqual(len(done.stderr.splitlines()), 2)


class TextFiles(FbxCase):
    """Changes that change nothing."""

    def setUp(self):
        super().setUp()
        hip = Node("hip", t=(0.0, 1.0, 0.0))
        knee = Node("knee", hip, t=(0.0, -0.5, 0.1))
        curve = Curve([Key(seconds(i / 20), math.sin(i), "user", right=1.0, left=2.0, weights=(5000, None)) for i in range(21)])
        self.scene = Scene([hip, knee], [Take("a", [Layer({(hip, "t"): [curve, 1.0, 0.0], (knee, "r"): [curve, 0.0, 20.0]})], 0, seconds(1))])
        self.text = make(self.scene, TEXT).decode()

    def check_text(self, text, quiet=True):
        self.assertNotEqual(text, self.text)
        self.write("a.fbx", text)
        form, lines = self.form("a.fbx", "--fps", "30", quiet=quiet)
        self.check_rest(self.scene, form)
        self.check_take(self.scene, form, self.scene.takes[0], 30)
        return lines

    def test_comments_and_empty_lines(self):
        self.check_text(self.text.replace("\n", " ; a comment: { \"\n\n\t; another }\n"))

    def test_line_ends_and_a_byte_order_mark(self):
        self.check_text(self.text.replace("\n", "\r\n"))
        self.check_text("\ufeff" + self.text)

    def test_commas_at_either_end_of_a_line(self):
        self.check_text(self.text.replace(",", "\n,\n"))
        self.check_text(self.text.replace(",", " , "))
        self.check_text(self.text.replace('C: "OO"', 'C: , "OO"'))

    def test_braces_anywhere(self):
        self.check_text(self.text.replace(" {\n", "\n{\n"))
        self.check_text(self.text.replace(" {\n", "{"))

    def test_a_count_is_a_hint_only(self):
        for said in ("*0", "*1", "*7", "*1000", "*99999999"):
            self.check_text(self.text.replace("*21", said))

    def test_the_version_by_the_first_comment(self):
        self.check_text(self.text.replace("\tFBXVersion: 7400\n", ""))

    def test_names_in_quotes(self):
        self.check_text(self.text + '"Transport Tool Settings": {\n\t"Name with: colon": 1\n}\n')

    def test_sections_in_another_order(self):
        parts = self.text.split("\n}\n")
        self.check_text("\n}\n".join([parts[0], parts[4], parts[3], parts[2], parts[1], *parts[5:]]))

    def test_sections_that_nobody_knows(self):
        self.check_text(self.text + "Unheard: 1,2.5,\"x\",Y {\n\tOf: *3 {\n\t\ta: 1,2,3\n\t}\n}\n")

    def test_numbers_of_other_shapes(self):
        self.check_text(self.text.replace("46186158000", "+46186158000"))
        self.check_text(self.text.replace(",1,", ",1.000000000000000000000000000000000,"))
        self.check_text(self.text.replace(",1,", ",1E+0,"))
        self.check_text(self.text.replace(",1,", ",0000000000000001,"))

    def test_numbers_that_are_none_are_zero_with_a_warning(self):
        for odd in ("1.#INF", "-1.#IND", "nan", "inf", "-nan(ind)", "1.#QNAN", "1e999"):
            self.write("a.fbx", self.text.replace('"Lcl Translation","Lcl Translation","","A",0,1,0', '"Lcl Translation","Lcl Translation","","A",%s,1,0' % odd))
            form, lines = self.form()
            self.assertEqual(form["bones"][0]["rest"][4:7], [0, 1, 0], odd)
            self.assertTrue(lines, odd)

    def test_attributes_as_floats_with_a_point(self):
        """A number without a point is the bits of a float; one with a point is a float."""
        bits = str(struct.unpack("<i", struct.pack("<f", 2.0))[0])
        self.check_text(self.text.replace(bits, "2.0"))

    def test_letters_without_quotes(self):
        self.check_text(self.text.replace("Objects:  {", "Objects:  {\n\tOdd: Y, T, W, Name_with-more\n"))


class BinaryFiles(FbxCase):
    def setUp(self):
        super().setUp()
        hip = Node("hip", t=(0.0, 1.0, 0.0))
        curve = Curve([Key(seconds(i / 20), math.sin(i), "user", right=1.0, left=2.0) for i in range(21)])
        self.scene = Scene([hip], [Take("a", [Layer({(hip, "t"): [curve, 1.0, 0.0]})], 0, seconds(1))])
        self.found = records(self.scene, BINARY)

    def check_found(self, container=BINARY):
        self.write("a.fbx", container.file(self.found))
        form, _ = self.form("a.fbx", "--fps", "30", quiet=True)
        self.check_take(self.scene, form, self.scene.takes[0], 30)

    def objects(self, name):
        return next(rec for rec in self.found if rec.name == "Objects").all(name)

    def test_arrays_of_every_numeric_type(self):
        for kind, container in itertools.product("fd", (BINARY, Binary(7400), Binary(7400, big=True))):
            for curve in self.objects("AnimationCurve"):
                values = curve.find("KeyValueFloat")
                values.props = [(kind, values.props[0][1])]
            self.check_found(container)

    def test_lists_of_single_values_in_place_of_arrays(self):
        for curve in self.objects("AnimationCurve"):
            curve.find("KeyTime").props = [("L", time) for time in curve.find("KeyTime").props[0][1]]
            curve.find("KeyValueFloat").props = [("F", v) for v in curve.find("KeyValueFloat").props[0][1]]
        self.check_found()

    def test_small_integers_where_large_ones_are_usual(self):
        for model in self.objects("Model"):
            model.find("Version").props = [("Y", 232)]
        self.check_found()

    def test_properties_of_unusual_types(self):
        self.objects("Model")[0].children += [Rec("Odd", ("raw", b"Z\x05"), ("B", 1), ("C", 65), ("R", b"\0\1\2"), ("b", [1, 0, 1])), Rec("Empty", children=[])]
        for container in (BINARY, Binary(7400), Binary(7500, big=True)):
            self.check_found(container)

    def test_records_that_nobody_knows(self):
        self.found.append(Rec("Unheard", ("I", 5), children=[Rec("Of", ("d", [1.0] * 100), children=[Rec("It", children=[])])]))
        self.check_found()

    def test_strings_with_zeros_in_them(self):
        self.objects("Model")[0].children.append(Rec("Odd", ("S", b"a\0b\0\1c")))
        self.check_found()

    def test_a_footer_may_be_missing_or_longer(self):
        data = BINARY.file(self.found)
        end = data.rindex(bytes(range(0xfa, 0xea, -1)))
        for changed in (data[:end], data + bytes(1000)):
            self.write("a.fbx", changed)
            form, _ = self.form("a.fbx", "--fps", "30")
            self.check_take(self.scene, form, self.scene.takes[0], 30)

    def test_zlib_at_every_level(self):
        for level in range(10):
            for curve in self.objects("AnimationCurve"):
                rec = curve.find("KeyTime")
                times = [int(key.time) for key in self.scene.takes[0].layers[0].curves[self.scene.nodes[0], "t"][0].keys]
                data = struct.pack("<%dq" % len(times), *times)
                stored = zlib.compress(data, level)
                rec.props = [("raw", b"l" + struct.pack("<III", len(times), 1, len(stored)) + stored)]
            self.check_found(Binary(7400))


if __name__ == "__main__":
    main()
