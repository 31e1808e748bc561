# SPDX-License-Identifier: MIT
"""FBX through the command: names of nodes and takes, which nodes are bones, what is left out and said so, and every verb that takes
models. Covers: fbx_connections.c, fbx_document.c, fbx_objects.c, fbx_read.c."""

import os

from fbx_bytes import Rec, Text
from fbx_check import BINARY, OLD, TEXT, FbxCase, main
from fbx_make import records
from fbx_scene import Cluster, Layer, Mesh, Node, Scene, Take, line, seconds
from fbx_truth import IDENTITY

OLD_TEXT = Text(6100)


def turning(*nodes):
    return [Take("Take 001", [Layer({(node, "r"): [line([(0, 0.0), (1, 40.0)]), 0.0, 0.0] for node in nodes})], 0, seconds(1))]


class Names(FbxCase):
    def test_colons_unicode_and_quotes(self):
        names = ["mixamorig:Hips", "a::b", "Model::odd", "Knöchel", "左足", "with space", 'say "hi"', "a&b", "Ω|pipe", "semi;colon", "{brace}", "x" * 300]
        for container in (TEXT, BINARY, OLD, OLD_TEXT):
            chosen = [name for name in names if container.version >= 7000 or not name.startswith("Model::")]
            nodes = [Node(name, t=(0.0, 0.1 * i, 0.0)) for i, name in enumerate(chosen)]
            made = Scene(nodes, turning(*nodes))
            self.put(made, container)
            form, _ = self.form()
            with self.subTest(version=container.version):
                self.assertEqual([bone["name"] for bone in form["bones"]], chosen)
                self.check_rest(made, form)

    def test_two_nodes_of_one_name_are_two_bones(self):
        """Their ids tell them apart, so neither takes the other's motion."""
        hip = Node("hip", t=(0.0, 1.0, 0.0))
        left, right = Node("leg", hip, t=(0.2, 0.0, 0.0)), Node("leg", hip, t=(-0.2, 0.0, 0.0))
        made = Scene([hip, left, right], [Take("a", [Layer({(left, "t"): [line([(0, 0.2), (1, 0.5)]), 0.0, 0.0],
                                                            (right, "t"): [line([(0, -0.2), (1, -0.9)]), 0.0, 0.0]})], 0, seconds(1))])
        self.put(made)
        form, _ = self.form("a.fbx", "--fps", "1")
        last = form["clips"][0]["frames"][1]
        self.assertEqual(len(form["bones"]), 3)
        self.assertAlmostEqual(last[1][4], 0.5, 5)
        self.assertAlmostEqual(last[2][4], -0.9, 5)

    def test_bytes_that_are_no_utf8_do_not_break(self):
        nodes = [Node("bad\udcff\udc80name"), Node("ctrl\x07\x1b[31m"), Node("")]
        for container in (TEXT, BINARY):
            self.put(Scene(nodes, turning(*nodes)), container)
            self.ember("info", "a.fbx", "--bones")
            self.ember("convert", "a.fbx", "-o", "out.glb")

    def test_control_characters_reach_no_terminal(self):
        nodes = [Node("hip\x1b[31m\x07", s=(3.0, 1.0, 1.0))]
        nodes.append(Node("knee\x1b]0;x\x07", nodes[0], r=(20.0, 30.0, 40.0)))
        self.put(Scene(nodes, turning(*nodes)))
        done = self.ember("info", "a.fbx", "--bones")
        for text in (done.stdout, done.stderr, self.ember("convert", "a.fbx", "-o", "out.glb").stderr):
            self.assertNotIn(b"\x1b", text)
            self.assertNotIn(b"\x07", text)


class Bones(FbxCase):
    def names(self, made, container=BINARY):
        self.put(made, container)
        return [bone["name"] for bone in self.form()[0]["bones"]]

    def test_limbs_of_every_kind(self):
        root = Node("root", None, "Root")
        limb = Node("limb", root, "Limb")
        end = Node("end", limb, "LimbNode")
        for container in (BINARY, OLD):
            self.assertEqual(self.names(Scene([root, limb, end], turning(limb)), container), ["root", "limb", "end"])
            self.assertEqual(self.names(Scene([root, limb, end]), container), ["root", "limb", "end"])

    def test_without_limbs_the_nodes_that_move(self):
        top, middle, box, other = Node("top", None, "Null"), Node("middle", None, "Null"), Node("box", None, "Mesh"), Node("other", None, "Null")
        middle.parent, box.parent = top, middle
        self.assertEqual(self.names(Scene([top, middle, box, other], turning(top, box))), ["top", "middle", "box"])

    def test_what_a_skin_names_whatever_it_is(self):
        null, limb, mesh = Node("null", None, "Null"), Node("limb"), Node("mesh", None, "Mesh")
        limb.parent = null
        made = Scene([null, limb, mesh], turning(limb))
        made.meshes.append(Mesh(mesh, [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)], [[0, 1, 2]],
                                clusters=[Cluster(node, [i], [1.0], IDENTITY, IDENTITY) for i, node in enumerate((null, limb, limb))]))
        self.assertEqual(sorted(self.names(made)), ["limb", "null"])

    def test_a_child_listed_before_its_parent(self):
        hip, knee = Node("hip", t=(0.0, 1.0, 0.0)), Node("knee", t=(0.0, -0.5, 0.0))
        knee.parent = hip
        made = Scene([hip, knee], turning(hip, knee))
        found = records(made, BINARY)
        objects = next(rec for rec in found if rec.name == "Objects")
        objects.children.reverse()
        next(rec for rec in found if rec.name == "Connections").children.reverse()
        self.write("a.fbx", BINARY.file(found))
        form, _ = self.form("a.fbx", "--fps", "30")
        self.assertEqual([bone["parent"] for bone in form["bones"]], [-1, 0])
        self.check_take(made, form, made.takes[0], 30)

    def test_a_node_with_two_parents_takes_the_first_with_a_warning(self):
        one, two = Node("one", t=(1.0, 0.0, 0.0)), Node("two", t=(2.0, 0.0, 0.0))
        child = Node("child", one, t=(0.0, 1.0, 0.0))
        made = Scene([one, two, child], turning(one, two, child))
        found = records(made, BINARY)
        links = next(rec for rec in found if rec.name == "Connections")
        first = next(link for link in links.children if link.props[1][1] == 1005)
        links.children.append(Rec("C", ("S", "OO"), first.props[1], ("L", 1003)))
        self.write("a.fbx", BINARY.file(found))
        form, lines = self.form("a.fbx", "--fps", "30")
        self.check_take(made, form, made.takes[0], 30)
        self.assertTrue(any("child" in said for said in lines), lines)

    def test_links_to_what_does_not_exist_are_skipped(self):
        hip = Node("hip")
        made = Scene([hip], turning(hip))
        found = records(made, BINARY)
        links = next(rec for rec in found if rec.name == "Connections")
        links.children += [Rec("C", ("S", kind), ("L", a), ("L", b), ("S", "d|X")) for kind in ("OO", "OP", "PP", "PO", "??")
                           for a, b in ((5, 1001), (1001, 5), (5, 6), (-1, 1001))]
        self.write("a.fbx", BINARY.file(found))
        form, _ = self.form("a.fbx", "--fps", "30", quiet=True)
        self.check_take(made, form, made.takes[0], 30)


class Losses(FbxCase):
    def test_what_is_left_out_is_one_line_each_with_its_count(self):
        hip = Node("hip")
        for name, word in (("Constraint", "constraint"), ("Camera", "camera"), ("Light", "light"), ("Nurbs", "NURBS"), ("Cache", "cache")):
            for count in (1, 3):
                with self.subTest(name=name, count=count):
                    self.put(Scene([hip], turning(hip), odd={name: count}))
                    _, lines = self.form()
                    said = [said for said in lines if word.lower() in said.lower()]
                    self.assertEqual(len(said), 1, lines)
                    self.assertIn(str(count), said[0].split("a.fbx")[1])

    def test_blend_shapes(self):
        hip, mesh = Node("hip"), Node("face", None, "Mesh")
        made = Scene([hip, mesh], turning(hip), meshes=[Mesh(mesh, [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)], [[0, 1, 2]], shapes=2)])
        self.put(made)
        _, lines = self.form()
        self.assertTrue(any("blend shape" in said and "2" in said.split("a.fbx")[1] for said in lines), lines)

    def test_a_plain_file_is_read_in_silence(self):
        hip = Node("hip")
        for container in (TEXT, BINARY, OLD, OLD_TEXT):
            self.put(Scene([hip], turning(hip)), container)
            self.form(quiet=True)

    def test_quiet_is_quiet(self):
        hip = Node("hip")
        self.put(Scene([hip], turning(hip), odd={"Camera": 2}))
        self.assertEqual(self.ember("convert", "a.fbx", "-q", "-o", "out.glb").stderr, b"")


class Verbs(FbxCase):
    def test_every_verb_takes_fbx(self):
        hip = Node("hip", t=(0.0, 1.0, 0.0))
        knee = Node("knee", hip, t=(0.0, -0.5, 0.0))
        os.mkdir(self.path("assets"))
        for name in ("one", "two", "three", "four"):
            self.put(Scene([hip, knee], turning(hip, knee)), name="assets/%s.fbx" % name)
        path = "assets/one.fbx"
        for words in (("info", path), ("convert", path, "-o", "one.glb"), ("diff", path, "one.glb"), ("export", "animation", path, "-o", "one.ewzanim"),
                      ("export", "skeleton", path, "-o", "one.ewzskel"), ("build", "assets", "-j", "4", "--no-cache", "-o", "game.ewz")):
            self.ember(*words)
        rom = self.ember("info", "game.ewz").stdout.decode()
        for name in ("one", "two", "three", "four"):
            self.assertIn(name, rom)

    def test_it_is_known_by_its_bytes_under_any_name_and_on_standard_input(self):
        hip = Node("hip")
        for container in (TEXT, BINARY, OLD, OLD_TEXT):
            self.put(Scene([hip], turning(hip)), container, "thing.dat")
            self.assertIn("fbx", self.ember("info", "thing.dat").stdout.decode().lower())
            self.assertIn(b"hip", self.ember("convert", "-", "--to", "json", "-o", "-", data=self.read("thing.dat")).stdout)

    def test_formats_lists_it(self):
        line_said = next(said for said in self.ember("formats").stdout.decode().splitlines() if said.startswith("fbx "))
        self.assertEqual(line_said.split()[1:3], ["yes", "no"])

    def test_the_same_file_gives_the_same_bytes(self):
        hip = Node("hip")
        self.put(Scene([hip], turning(hip)))
        self.ember("convert", "a.fbx", "-o", "one.glb")
        self.ember("convert", "a.fbx", "-o", "two.glb")
        self.assertEqual(self.read("one.glb"), self.read("two.glb"))


if __name__ == "__main__":
    main()
