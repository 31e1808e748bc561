# SPDX-License-Identifier: MIT
"""FBX's meshes through the command: polygons, layer elements in every mapping, geometric transforms, mirrors, skins with their odd cases; each
vertex of the glTF that comes out compared with where a control point is.
Covers: fbx_elements.c, fbx_materials.c, fbx_mesh.c, fbx_mesh_fill.c, fbx_polygons.c, fbx_skin.c, fbx_triangulate.c."""

import math

from fbx_bytes import Rec, Text
from fbx_check import BINARY, OLD, TEXT, FbxCase, main
from fbx_make import records
from fbx_scene import Cluster, Element, Layer, Material, Mesh, Node, Scene, Take, line, seconds
from fbx_truth import IDENTITY, Truth, inverse, moved, multiply

OLD_TEXT = Text(6100)
EVERY = (TEXT, BINARY, OLD, OLD_TEXT)
SQUARE = [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (1.0, 1.0, 0.0), (0.0, 1.0, 0.0)]


def area(points, triangles):
    total = 0.0
    for a, b, c in triangles:
        total += math.hypot(*cross_sum([points[a], points[b], points[c]])) / 2
    return total


def cross(u, v):
    return [u[(i + 1) % 3] * v[(i + 2) % 3] - u[(i + 2) % 3] * v[(i + 1) % 3] for i in range(3)]


def cross_sum(points):
    """Twice the area of a flat polygon, along its normal."""
    parts = [cross(a, b) for a, b in zip(points, points[1:] + points[:1])]
    return [sum(part[i] for part in parts) for i in range(3)]


class MeshCase(FbxCase):
    def attribute(self, document, name):
        """Of all primitives: (position, value) for each vertex."""
        found = []
        for mesh in document.json["meshes"]:
            for primitive in mesh["primitives"]:
                attributes = primitive["attributes"]
                if name in attributes:
                    found += list(zip(document.accessor(attributes["POSITION"]), document.accessor(attributes[name])))
        return found

    def triangles(self, document):
        found = []
        for mesh in document.json["meshes"]:
            for primitive in mesh["primitives"]:
                indices = [i[0] for i in document.accessor(primitive["indices"])]
                base = [tuple(p) for p in document.accessor(primitive["attributes"]["POSITION"])]
                found += [tuple(base[i] for i in indices[k:k + 3]) for k in range(0, len(indices), 3)]
        return found

    def flat(self, polygons, vertices=SQUARE, **more):
        """A mesh without a skin, in metres."""
        node = Node("thing", None, "Mesh")
        return Scene([node], meshes=[Mesh(node, vertices, polygons, **more)])


class Polygons(MeshCase):
    def test_a_quad_is_two_triangles(self):
        for container in EVERY:
            made = self.flat([[0, 1, 2, 3]])
            self.put(made, container)
            document, lines = self.glb()
            self.assertEqual(lines, [])
            self.assertEqual(len(self.triangles(document)), 2)
            self.check_points(self.points(document), SQUARE)

    def test_triangles_face_where_the_polygon_did(self):
        self.put(self.flat([[0, 1, 2, 3]]))
        for a, b, c in self.triangles(self.glb()[0]):
            self.assertGreater((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]), 0)

    def test_a_concave_quad_is_cut_where_it_is_concave(self):
        arrow = [(0.0, 0.0, 0.0), (2.0, 1.0, 0.0), (0.0, 2.0, 0.0), (0.5, 1.0, 0.0)]
        for start in range(4):
            self.put(self.flat([[(start + i) % 4 for i in range(4)]], arrow))
            found = self.triangles(self.glb()[0])
            points = [p for t in found for p in t]
            self.assertAlmostEqual(area(points, [(3 * i, 3 * i + 1, 3 * i + 2) for i in range(len(found))]), 1.5, 5)

    def test_ngons_keep_their_area(self):
        """A star, an L and a comb: fans would cover too much."""
        star = [(math.cos(i * math.pi / 5) * (1 if i % 2 else 0.4), math.sin(i * math.pi / 5) * (1 if i % 2 else 0.4), 0.0) for i in range(10)]
        ell = [(0.0, 0.0, 0.0), (3.0, 0.0, 0.0), (3.0, 1.0, 0.0), (1.0, 1.0, 0.0), (1.0, 3.0, 0.0), (0.0, 3.0, 0.0)]
        comb = [(0.0, 0.0, 0.0), (5.0, 0.0, 0.0), (5.0, 2.0, 0.0), (4.0, 2.0, 0.0), (4.0, 1.0, 0.0), (3.0, 1.0, 0.0), (3.0, 2.0, 0.0), (2.0, 2.0, 0.0),
                (2.0, 1.0, 0.0), (1.0, 1.0, 0.0), (1.0, 2.0, 0.0), (0.0, 2.0, 0.0)]
        for shape in (star, ell, comb):
            for points in (shape, [(y, 0.0, x) for x, y, _ in shape], [(x, y, x + 2 * y) for x, y, _ in shape]):
                self.put(self.flat([list(range(len(points)))], points))
                found = self.triangles(self.glb()[0])
                self.assertEqual(len(found), len(points) - 2)
                corners = [p for t in found for p in t]
                total = area(corners, [(3 * i, 3 * i + 1, 3 * i + 2) for i in range(len(found))])
                self.assertAlmostEqual(total, math.hypot(*cross_sum(points)) / 2, 4)

    def test_polygons_of_one_or_two_corners_are_dropped(self):
        for container in EVERY:
            self.put(self.flat([[0], [1, 2], [0, 1, 2]]), container)
            self.assertEqual(len(self.triangles(self.glb()[0])), 1)

    def test_a_corner_that_is_no_control_point_drops_its_polygon(self):
        self.put(self.flat([[0, 1, 77], [0, 1, 2]]))
        self.assertEqual(len(self.triangles(self.glb()[0])), 1)

    def test_a_list_without_an_end_drops_the_rest(self):
        made = self.flat([[0, 1, 2], [0, 2, 3]])
        found = records(made, BINARY)
        mesh = next(rec for rec in found if rec.name == "Objects").find("Geometry", "PolygonVertexIndex")
        mesh.props = [("i", [0, 1, -3, 0, 2, 3])]
        self.write("a.fbx", BINARY.file(found))
        self.assertEqual(len(self.triangles(self.glb()[0])), 1)

    def test_numbers_of_other_types(self):
        made = self.flat([[0, 1, 2, 3]], [(0.0, 0.0, 0.0), (2.0, 0.0, 0.0), (2.0, 2.0, 0.0), (0.0, 2.0, 0.0)])
        for letter in "filL":
            found = records(made, BINARY)
            vertices = next(rec for rec in found if rec.name == "Objects").find("Geometry", "Vertices")
            values = [v if letter == "f" else int(v) for v in vertices.props[0][1]]
            vertices.props = [("L", v) for v in values] if letter == "L" else [(letter, values)]
            self.write("a.fbx", BINARY.file(found))
            self.check_points(self.points(self.glb()[0]), made.meshes[0].vertices)


class Elements(MeshCase):
    """Two triangles of a square; an element of one kind in each mapping, which ones the corners get by hand."""

    POLYGONS = [[0, 1, 2], [0, 2, 3]]
    CORNERS = [0, 1, 2, 0, 2, 3]

    def mappings(self, data):
        """data: six different values. Element, and the value of each corner."""
        points = data[:4]
        shuffled = [5, 3, 1, 0, 2, 4]
        yield Element(data), data
        yield Element(data, index=shuffled), [data[i] for i in shuffled]
        yield Element(points, "ByVertice"), [points[c] for c in self.CORNERS]
        yield Element(points, "ByVertex"), [points[c] for c in self.CORNERS]
        yield Element(data, "ByVertice", index=[3, 4, 5, 0]), [data[(3, 4, 5, 0)[c]] for c in self.CORNERS]
        yield Element(data[:2], "ByPolygon"), [data[0]] * 3 + [data[1]] * 3
        yield Element(data, "ByPolygon", index=[4, 2]), [data[4]] * 3 + [data[2]] * 3
        yield Element(data[:1], "AllSame"), [data[0]] * 6
        yield Element(data, index=shuffled, reference="Index"), [data[i] for i in shuffled]

    def check_values(self, name, found, wanted):
        """found: (position, value). Each corner's value is at its place, and nothing else is."""
        wanted = {(tuple(SQUARE[c]), tuple(round(v, 4) for v in value)) for c, value in zip(self.CORNERS, wanted)}
        found = {(tuple(round(v, 4) + 0.0 for v in p), tuple(round(v, 4) + 0.0 for v in value)) for p, value in found}
        self.assertEqual(found, wanted, name)

    def test_uvs_run_downwards(self):
        data = [(0.125 * i, 0.25 + 0.0625 * i) for i in range(6)]
        for i, (element, corners) in enumerate(self.mappings(data)):
            for container in (TEXT, BINARY, OLD):
                with self.subTest(i=i):
                    self.put(self.flat(self.POLYGONS, uvs=element), container)
                    document, _ = self.glb()
                    self.check_values("uv", self.attribute(document, "TEXCOORD_0"), [(u, 1 - v) for u, v in corners])

    def test_normals(self):
        s = math.sqrt(0.5)
        data = [(0.0, 0.0, 1.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (s, s, 0.0), (0.0, s, s), (s, 0.0, s)]
        for i, (element, corners) in enumerate(self.mappings(data)):
            with self.subTest(i=i):
                self.put(self.flat(self.POLYGONS, normals=element))
                self.check_values("normal", self.attribute(self.glb()[0], "NORMAL"), corners)

    def test_colours(self):
        data = [(0.125 * i, 1.0 - 0.125 * i, 0.5, 1.0) for i in range(6)]
        for i, (element, corners) in enumerate(self.mappings(data)):
            with self.subTest(i=i):
                self.put(self.flat(self.POLYGONS, colors=element))
                found = self.attribute(self.glb()[0], "COLOR_0")
                near = [(p, [round(v * 8) / 8 if abs(v * 8 - round(v * 8)) < 0.05 else v for v in value]) for p, value in found]
                self.check_values("colour", near, corners)

    def test_an_index_out_of_range_is_no_reason_to_break(self):
        for bad in (-1, 6, 2 ** 31 - 1, -2 ** 31):
            self.put(self.flat(self.POLYGONS, uvs=Element([(0.5, 0.5)] * 6, index=[0, 1, bad, 3, 4, 5])))
            self.ember("convert", "a.fbx", "-o", "out.glb")

    def test_an_element_by_edge_or_of_no_kind_is_left_out(self):
        for mapping in ("ByEdge", "NoMappingInformation", "", "AllTheSame"):
            self.put(self.flat(self.POLYGONS, uvs=Element([(0.5, 0.5)] * 6, mapping)))
            self.assertEqual(self.attribute(self.glb()[0], "TEXCOORD_0"), [])

    def test_elements_that_are_too_short(self):
        for count in range(6):
            for mapping in ("ByPolygonVertex", "ByVertice", "ByPolygon", "AllSame"):
                self.put(self.flat(self.POLYGONS, normals=Element([(0.0, 0.0, 1.0)] * count, mapping), uvs=Element([(0.5, 0.5)] * count, mapping, index=[0] * count)))
                self.ember("convert", "a.fbx", "-o", "out.glb")


class Places(MeshCase):
    def placed(self, **more):
        top = Node("top", None, "Null", t=(0.5, 0.0, 0.0), r=(0.0, 30.0, 0.0))
        node = Node("thing", top, "Mesh", t=(0.0, 1.0, 0.0), r=(10.0, 20.0, 30.0), **more)
        child = Node("below", node, "Mesh", t=(0.0, 1.0, 0.0))
        return Scene([top, node, child], meshes=[Mesh(node, SQUARE, [[0, 1, 2, 3]], normals=Element([(0.0, 0.0, 1.0)], "AllSame")),
                                                 Mesh(child, [(0.1, 0.0, 0.0), (0.2, 0.0, 0.0), (0.1, 0.3, 0.0)], [[0, 1, 2]])])

    def check_placed(self, made, container=BINARY):
        self.put(made, container)
        truth = Truth(made)
        document, _ = self.glb()
        self.check_points(self.points(document), [p for mesh in made.meshes for p in truth.points(mesh)])
        return document

    def test_where_the_node_is(self):
        for container in EVERY:
            self.check_placed(self.placed(), container)

    def test_geometric_transforms_are_not_inherited(self):
        for container in EVERY:
            self.check_placed(self.placed(gt=(0.3, 0.0, 0.2), gr=(20.0, 45.0, -30.0), gs=(2.0, 0.5, 1.5), s=(1.0, 2.0, 0.5)), container)

    def test_axes_and_units(self):
        made = self.placed(gt=(0.3, 0.0, 0.2))
        made.unit, made.axes = 2.54, ((0, 1), (2, 1), (1, -1))
        self.check_placed(made)

    def test_mirrors_turn_triangles_round(self):
        made = self.placed(s=(-1.0, 1.0, 1.0))
        made.meshes.pop()
        document = self.check_placed(made)
        truth = Truth(made).worlds()[made.nodes[1]]
        front = [row[2] for row in truth[:3]]  # the square faces its node's z, mirrored or not
        points = self.points(document)
        indices = [i[0] for i in document.accessor(document.json["meshes"][0]["primitives"][0]["indices"])]
        normal = cross_sum([points[i] for i in indices[:3]])
        self.assertGreater(sum(x * y for x, y in zip(front, normal)), 0.0)

    def test_one_geometry_under_two_nodes(self):
        made = self.placed()
        found = records(made, BINARY)
        objects, links = [next(rec for rec in found if rec.name == name) for name in ("Objects", "Connections")]
        geometry = objects.find("Geometry").props[0][1]
        other = Node("other", None, "Mesh", t=(-2.0, 0.0, 0.0))
        twin = Scene([other])
        made_twin = next(rec for rec in records(twin, BINARY) if rec.name == "Objects").children[0]
        made_twin.props[0] = ("L", 77)
        objects.children.append(made_twin)
        links.children += [Rec("C", ("S", "OO"), ("L", 77), ("L", 0)), Rec("C", ("S", "OO"), ("L", geometry), ("L", 77))]
        self.write("a.fbx", BINARY.file(found))
        truth = Truth(made)
        wanted = [p for mesh in made.meshes for p in truth.points(mesh)] + [(x - 2.0, y, z) for x, y, z in SQUARE]
        self.check_points(self.points(self.glb()[0]), wanted)


class Skins(MeshCase):
    def rig(self, bones=3, where=IDENTITY, **node):
        """A strip along y, bones up to its end."""
        nodes = [Node("b0", None, t=(0.1, 0.0, 0.2), r=(0.0, 25.0, 0.0))]
        for i in range(1, bones):
            nodes.append(Node("b%d" % i, nodes[-1], t=(0.0, 0.5, 0.0), r=(0.0, 0.0, 5.0)))
        skin = Node("strip", None, "Mesh", **node)
        vertices = [(x, 0.5 * i, 0.0) for i in range(bones + 1) for x in (0.0, 0.3)]
        polygons = [[2 * i, 2 * i + 1, 2 * i + 3, 2 * i + 2] for i in range(bones)]
        curves = {(bone, "r"): [line([(0, 0.0), (1, 30.0)]), line([(0, bone.props["r"][1]), (1, 40.0)]), 0.0] for bone in nodes}
        made = Scene([*nodes, skin], [Take("a", [Layer(curves)], 0, seconds(1))])
        truth = Truth(made)
        worlds = {bone: truth.in_file(m) for bone, m in truth.worlds().items()}
        made.meshes.append(Mesh(skin, vertices, polygons, clusters=[]))
        for i, bone in enumerate(nodes):
            own = [k for k in range(2 * i, 2 * i + 4)]
            made.meshes[0].clusters.append(Cluster(bone, own, [0.25 + 0.1 * (k - 2 * i) for k in own], multiply(inverse(worlds[bone]), worlds[skin], where),
                                                   worlds[bone]))
        return made

    def check_skin(self, made, container=BINARY, still=False):
        self.put(made, container)
        document, lines = self.glb("a.fbx", "--fps", "30")
        truth, mesh, take = Truth(made), made.meshes[0], made.takes[0]
        self.check_points(self.points(document), truth.points(mesh))
        if not still:
            for frame in (0, 7, 30):
                self.check_points(self.points(document, 0, frame / 30), truth.points(mesh, take, seconds(frame / 30)))
        return document, lines

    def test_points_follow_their_bones_in_all_versions(self):
        for container in EVERY:
            with self.subTest(version=container.version):
                document, lines = self.check_skin(self.rig(), container)
                self.assertEqual(lines, [])
                self.assertEqual(len(document.json["skins"][0]["joints"]), 3)

    def test_in_another_unit_and_with_other_axes(self):
        made = self.rig()
        made.unit, made.axes = 1.0, ((0, 1), (2, 1), (1, -1))
        self.check_skin(made)

    def test_geometric_transforms_count_under_the_skin(self):
        self.check_skin(self.rig(gt=(0.2, 0.0, 0.1), gr=(0.0, 0.0, 15.0), gs=(1.0, 1.2, 1.0)))

    def test_more_than_four_influences_keep_the_largest(self):
        made = self.rig(bones=6)
        mesh = made.meshes[0]
        for i, cluster in enumerate(mesh.clusters):
            cluster.indices = list(range(len(mesh.vertices)))
            cluster.weights = [0.05 + 0.09 * ((i * 5 + k) % 6) for k in cluster.indices]
        _, lines = self.check_skin(made)
        self.assertTrue(any("strip" in line and ("four" in line or "4" in line) for line in lines), lines)

    def test_without_transform_the_bind_is_where_the_bone_and_mesh_are(self):
        made = self.rig(t=(0.0, 0.1, 0.0))
        for cluster in made.meshes[0].clusters:
            cluster.transform = None
        self.check_skin(made)
        for cluster in made.meshes[0].clusters:
            cluster.link = None
        self.check_skin(made)

    def test_a_transform_of_zeros_is_none(self):
        made = self.rig(t=(0.0, 0.1, 0.0))
        kept = [cluster.transform for cluster in made.meshes[0].clusters]
        self.assertTrue(all(kept))
        found = records(made, BINARY)
        for rec in next(rec for rec in found if rec.name == "Objects").all("Deformer"):
            for own in rec.all("Transform"):
                own.props = [("d", [0.0] * 16)]
        self.write("a.fbx", BINARY.file(found))
        for cluster in made.meshes[0].clusters:
            cluster.transform = None
        self.check_points(self.points(self.glb()[0]), Truth(made).points(made.meshes[0]))

    def test_points_without_weights_stay_with_the_mesh(self):
        made = self.rig()
        for cluster in made.meshes[0].clusters:
            cluster.indices, cluster.weights = [i for i in cluster.indices if i > 1], cluster.weights[-len([i for i in cluster.indices if i > 1]):]
        self.check_skin(made)

    def test_weights_that_do_not_sum_to_one(self):
        made = self.rig()
        for cluster in made.meshes[0].clusters:
            cluster.weights = [w * 3 for w in cluster.weights]
        self.check_skin(made)

    def test_a_bone_above_everything_that_no_cluster_names(self):
        made = self.rig()
        made.meshes[0].clusters.pop(0)
        for cluster in made.meshes[0].clusters:
            cluster.indices, cluster.weights = list(range(8)), [0.5] * 8
        self.check_skin(made)

    def test_a_cluster_without_a_bone_is_dropped(self):
        made = self.rig()
        made.meshes[0].clusters.append(Cluster(None, [0, 1], [1.0, 1.0], moved((5.0, 0.0, 0.0)), IDENTITY))
        self.put(made)
        document, _ = self.glb()
        made.meshes[0].clusters.pop()
        self.check_points(self.points(document), Truth(made).points(made.meshes[0]))

    def test_indices_out_of_range_and_lists_of_unequal_length(self):
        made = self.rig()
        made.meshes[0].clusters[0].indices = [0, 1, 99, -1, 2 ** 31 - 1]
        made.meshes[0].clusters[1].weights = [0.5]
        made.meshes[0].clusters[2].weights = [0.5] * 30
        self.put(made)
        self.ember("convert", "a.fbx", "-o", "out.glb")

    def test_bones_that_are_nulls(self):
        made = self.rig()
        for node in made.nodes[:-1]:
            node.kind = "Null"
        for container in (BINARY, OLD):
            self.check_skin(made, container)

    def test_dual_quaternions_are_taken_as_linear_with_a_warning(self):
        made = self.rig()
        made.meshes[0].skinning = "DualQuaternion"
        _, lines = self.check_skin(made)
        self.assertTrue(any("strip" in line for line in lines), lines)

    def test_a_mesh_whose_own_node_moves_is_warned_of(self):
        """It follows its joints alone, as glTF says."""
        made = self.rig()
        made.takes[0].layers[0].curves[made.nodes[-1], "t"] = [line([(0, 0.0), (1, 2.0)]), 0.0, 0.0]
        _, lines = self.check_skin(made)
        self.assertEqual(len([line for line in lines if "strip" in line]), 1, lines)

    def test_rigid_meshes_follow_the_bone_they_hang_on(self):
        made = self.rig()
        hand = Node("sword", made.nodes[2], "Mesh", t=(0.1, 0.0, 0.0), r=(0.0, 90.0, 0.0))
        made.nodes.append(hand)
        made.meshes.append(Mesh(hand, [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)], [[0, 1, 2]]))
        self.put(made)
        document, _ = self.glb("a.fbx", "--fps", "30")
        truth = Truth(made)
        for frame in (0, 12, 30):
            wanted = [p for mesh in made.meshes for p in truth.points(mesh, made.takes[0], seconds(frame / 30))]
            self.check_points(self.points(document, 0, frame / 30), wanted)


class Materials(MeshCase):
    def test_base_colour(self):
        for container in (TEXT, BINARY, OLD):
            made = self.flat([[0, 1, 2, 3]], materials=[0])
            made.materials.append(Material("m", made.nodes, (0.25, 0.5, 0.75), 0.5))
            self.put(made, container)
            self.ember("convert", "a.fbx", "-o", "out.gltf")
            factor = self.read_json("out.gltf")["materials"][0]["pbrMetallicRoughness"]["baseColorFactor"]
            for a, b in zip(factor, (0.125, 0.25, 0.375, 1.0)):
                self.assertAlmostEqual(a, b, 5)

    def test_a_colour_for_each_polygon(self):
        made = self.flat([[0, 1, 2], [0, 2, 3]], materials=[1, 0])
        made.materials += [Material("red", made.nodes, (1.0, 0.0, 0.0), 1.0), Material("blue", made.nodes, (0.0, 0.0, 1.0), 1.0)]
        self.put(made)
        document, _ = self.glb()
        found = {(tuple(p), tuple(round(v, 2) for v in c[:3])) for p, c in self.attribute(document, "COLOR_0")}
        self.assertIn(((1.0, 0.0, 0.0), (0.0, 0.0, 1.0)), found)
        self.assertIn(((0.0, 1.0, 0.0), (1.0, 0.0, 0.0)), found)

    def test_an_index_that_is_no_material(self):
        made = self.flat([[0, 1, 2], [0, 2, 3]], materials=[7, -3])
        made.materials.append(Material("red", made.nodes, (1.0, 0.0, 0.0)))
        self.put(made)
        self.ember("convert", "a.fbx", "-o", "out.glb")


if __name__ == "__main__":
    main()
