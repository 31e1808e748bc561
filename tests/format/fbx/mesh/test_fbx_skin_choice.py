# SPDX-License-Identifier: MIT
"""--skin of files with several skins: whose joints are the bones, what becomes of the other meshes, and words that mean nothing."""

import os

from fbx_check import BINARY, OLD, TEXT, FbxCase, main
from fbx_scene import Cluster, Layer, Mesh, Node, Scene, Take, line, seconds
from fbx_truth import Truth, inverse, multiply

STRIP = [(x, 0.5 * i, 0.0) for i in range(3) for x in (0.0, 0.3)]
QUADS = [[0, 1, 3, 2], [2, 3, 5, 4]]


class OneSkin(FbxCase):
    def made(self):
        """Two figures, each with a tip that no cluster names; the second has a limb between its joints that is none."""
        nodes, meshes = [], []
        for who, x in (("cat", 0.0), ("dog", 2.0)):
            root = Node(who + " root", None, t=(x, 0.1, 0.0), r=(0.0, 20.0, 0.0))
            between = [Node(who + " neck", root, t=(0.0, 0.2, 0.0), r=(10.0, 0.0, 0.0))] if who == "dog" else []
            head = Node(who + " head", (between or [root])[-1], t=(0.0, 0.4, 0.0))
            nodes += [root, *between, head, Node(who + " tip", head, t=(0.0, 0.3, 0.0))]
            meshes.append((Node(who + " body", None, "Mesh"), [root, head]))
        nodes += [mesh for mesh, _ in meshes]
        curves = {(node, "r"): [line([(0, 0.0), (1, 40.0)]), node.props.get("r", (0.0, 0.0, 0.0))[1], line([(0, 0.0), (1, -25.0)])]
                  for node in nodes if node.kind == "LimbNode"}
        made = Scene(nodes, [Take("a", [Layer(curves)], 0, seconds(1))])
        truth = Truth(made)
        worlds = {node: truth.in_file(m) for node, m in truth.worlds().items()}
        for node, joints in meshes:
            clusters = [Cluster(joint, [2 * i, 2 * i + 1, 2 * i + 2, 2 * i + 3], [1.0, 0.5, 0.5, 1.0], multiply(inverse(worlds[joint]), worlds[node]), worlds[joint])
                        for i, joint in enumerate(joints)]
            made.meshes.append(Mesh(node, STRIP, QUADS, clusters=clusters))
        return made

    def check_skin(self, made, which, word, container):
        self.put(made, container)
        document, lines = self.glb("a.fbx", "--fps", "30", "--skin", word)
        mesh, take, truth = made.meshes[which], made.takes[0], Truth(made)
        joints = [document.nodes[joint]["name"] for joint in document.json["skins"][0]["joints"]]
        self.assertEqual(joints, [cluster.bone.name for cluster in mesh.clusters])
        self.assertEqual([node["name"] for node in document.nodes if "mesh" in node], [mesh.node.name])
        self.check_points(self.points(document), truth.points(mesh))
        for frame in (7, 30):
            self.check_points(self.points(document, 0, frame / 30), truth.points(mesh, take, seconds(frame / 30)))
        self.assertEqual(len([said for said in lines if "other" in said and "left out" in said]), 1, lines)

    def test_its_joints_are_the_bones(self):
        """Nothing else is: what lies between counts all the same."""
        for container in (BINARY, TEXT, OLD):
            for which, words in enumerate((("0", "cat body"), ("1", "dog body"))):
                for word in words:
                    with self.subTest(version=container.version, word=word):
                        self.check_skin(self.made(), which, word, container)

    def test_by_the_skins_own_name(self):
        self.check_skin(self.made(), 1, "Skin dog body", OLD)

    def test_without_it_all_limbs_are_bones(self):
        made = self.made()
        self.put(made)
        form, _ = self.form(quiet=True)
        self.assertEqual([bone["name"] for bone in form["bones"]], [node.name for node in made.nodes if node.kind == "LimbNode"])

    def test_a_mesh_whose_joints_are_bones_stays(self):
        made = self.made()
        twin = Node("cat coat", None, "Mesh")
        made.nodes.append(twin)
        made.meshes.append(Mesh(twin, STRIP, QUADS, clusters=made.meshes[0].clusters[:1]))
        self.put(made)
        document, _ = self.glb("a.fbx", "--skin", "cat body")
        self.assertEqual(sorted(node["name"] for node in document.nodes if "mesh" in node), ["cat body", "cat coat"])

    def test_every_verb_takes_it(self):
        made = self.made()
        self.put(made)
        self.ember("export", "skeleton", "a.fbx", "--skin", "1", "-o", "out.ewzskel")
        self.assertIn("2 bones", self.ember("info", "out.ewzskel").stdout.decode())
        self.assertIn("2 bones", self.ember("info", "a.fbx", "--skin", "1").stdout.decode())
        self.ember("preview", "a.fbx", "--skin", "1", "-o", "out.png")
        os.mkdir(self.path("assets"))
        self.write("assets/ember.json", b'{"assets": {"a.fbx": {"skin": 1}}}')
        self.put(made, name="assets/a.fbx")
        self.ember("build", "assets", "-o", "game.ewz")
        said = self.ember("info", "game.ewz").stdout.decode()
        self.assertIn("2 bones", said)
        self.assertNotIn("cat", said)

    def test_what_is_not_there_is_named(self):
        self.put(self.made())
        for word in ("2", "bird", "dog", "-1", "99999999999"):
            with self.subTest(word=word):
                said = self.one_line(self.ember("convert", "a.fbx", "--skin", word, "-o", "out.json", code=1))
                self.assertIn("dog body", said)
        self.put(Scene([Node("hip")]))
        self.assertIn("no skins", self.one_line(self.ember("convert", "a.fbx", "--skin", "0", "-o", "out.json", code=1)))

    def test_two_of_one_name_have_numbers(self):
        made = self.made()
        made.nodes[-1].name = made.nodes[-2].name = "body"
        self.put(made)
        self.assertIn("several", self.one_line(self.ember("convert", "a.fbx", "--skin", "body", "-o", "out.json", code=1)))


if __name__ == "__main__":
    main()
