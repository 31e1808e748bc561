# SPDX-License-Identifier: MIT
"""FBX files of a described scene (fbx_scene.py): the documents of versions 7.x and 6100, in every container of fbx_bytes.py."""

import struct

from fbx_bytes import Binary, Rec, Text
from fbx_scene import PROPERTIES, Curve

LETTERS = "XYZ"
MODES = {"constant": 0x2, "next": 0x102, "linear": 0x4, "user": 0x408, "auto": 0x108, "tcb": 0x208}
# What is left out, with its sub-class in 7.x.
ODD = {"Constraint": ("Constraint", "Position From Positions"), "Camera": ("NodeAttribute", "Camera"), "Light": ("NodeAttribute", "Light"),
       "Nurbs": ("Geometry", "NurbsSurface"), "Cache": ("Cache", "")}


def make(scene, container):
    """The bytes of the scene's file."""
    return container.file(records(scene, container))


def records(scene, container):
    document = Old(scene) if container.version < 7000 else New(scene, container.version)
    return document.records()


def text(scene):
    return make(scene, Text(7400))


def binary(scene, **how):
    return make(scene, Binary(**how))


def S(value):
    return ("S", value)


def integer(name, value):
    return Rec(name, ("I", value))


def string(name, value):
    return Rec(name, S(value))


def flat(vectors):
    return [float(v) for vector in vectors for v in vector]


def columns(m):
    return [m[i][j] for j in range(4) for i in range(4)]


def header(scene, version, children=()):
    head = [integer("FBXHeaderVersion", 1004 if scene.tc is not None else 1003), integer("FBXVersion", version), string("Creator", "fbx_make")]
    if scene.tc is not None:
        head.append(Rec("OtherFlags", children=[integer("TCDefinition", scene.tc)]))
    return Rec("FBXHeaderExtension", children=head + list(children))


class Properties:
    """Lists of properties, in the style of a version."""

    def __init__(self, old):
        self.old = old

    def one(self, name, kind, *values):
        words = [S(name), S(kind)] + ([S("A")] if self.old else [S(""), S("A")])
        return Rec("Property" if self.old else "P", *words, *values)

    def of(self, *entries):
        return Rec("Properties60" if self.old else "Properties70", children=list(entries))

    def numbers(self, name, kind, value):
        values = value if isinstance(value, (tuple, list)) else (value,)
        letter = "I" if kind in ("enum", "bool", "int") else "L" if kind == "KTime" else "D"
        return self.one(name, kind, *[(letter, v) for v in values])

    def of_node(self, props):
        return [self.numbers(PROPERTIES[short][0], PROPERTIES[short][1], value) for short, value in props.items()]

    def settings(self, scene):
        found = []
        for name, (axis, sign) in zip(("Coord", "Up", "Front"), scene.axes):
            found += [self.numbers(name + "Axis", "int", axis), self.numbers(name + "AxisSign", "int", sign)]
        found += [self.numbers("UnitScaleFactor", "double", scene.unit), self.numbers("TimeMode", "enum", scene.time_mode)]
        if scene.custom_rate is not None:
            found.append(self.numbers("CustomFrameRate", "double", scene.custom_rate))
        return self.of(*found)

    def of_material(self, material):
        found = []
        if material.color is not None:
            found.append(self.numbers("DiffuseColor", "ColorRGB", material.color))
        if material.factor is not None:
            found.append(self.numbers("DiffuseFactor", "double", material.factor))
        return self.of(*found)


# ---- meshes, alike in both ----

def layer_element(kind, name, index_name, element):
    children = [integer("Version", 101), string("Name", ""), string("MappingInformationType", element.mapping),
                string("ReferenceInformationType", element.reference), Rec(name, ("d", flat(element.data)))]
    if element.index is not None:
        children.append(Rec(index_name, ("i", element.index)))
    return Rec(kind, ("I", 0), children=children)


def geometry(mesh):
    corners = [c if k + 1 < len(polygon) else -1 - c for polygon in mesh.polygons for k, c in enumerate(polygon)]
    found = [Rec("Vertices", ("d", flat(mesh.vertices))), Rec("PolygonVertexIndex", ("i", corners)), integer("GeometryVersion", 124)]
    for kind, name, index_name, element in (("LayerElementNormal", "Normals", "NormalsIndex", mesh.normals),
                                            ("LayerElementUV", "UV", "UVIndex", mesh.uvs), ("LayerElementColor", "Colors", "ColorIndex", mesh.colors)):
        if element is not None:
            found.append(layer_element(kind, name, index_name, element))
    if mesh.materials is not None:
        same = len(mesh.materials) == 1
        found.append(Rec("LayerElementMaterial", ("I", 0), children=[
            integer("Version", 101), string("Name", ""), string("MappingInformationType", "AllSame" if same else "ByPolygon"),
            string("ReferenceInformationType", "IndexToDirect"), Rec("Materials", ("i", mesh.materials))]))
    listed = [("LayerElementNormal", mesh.normals), ("LayerElementUV", mesh.uvs), ("LayerElementColor", mesh.colors),
              ("LayerElementMaterial", mesh.materials)]
    found.append(Rec("Layer", ("I", 0), children=[integer("Version", 100)] + [
        Rec("LayerElement", children=[string("Type", kind), integer("TypedIndex", 0)]) for kind, element in listed if element is not None]))
    return found


def cluster_records(cluster):
    found = [integer("Version", 100)]
    if cluster.indices:
        found += [Rec("Indexes", ("i", cluster.indices)), Rec("Weights", ("d", [float(w) for w in cluster.weights]))]
    if cluster.transform is not None:
        found.append(Rec("Transform", ("d", columns(cluster.transform))))
    if cluster.link is not None:
        found.append(Rec("TransformLink", ("d", columns(cluster.link))))
    return found


def texture_records(texture):
    return [string("Type", "TextureVideoClip"), integer("Version", 202), string("FileName", texture.filename),
            string("RelativeFilename", texture.relative)]


def video_records(texture):
    found = [string("Type", "Clip"), string("Filename", texture.video_filename), string("RelativeFilename", texture.video_relative)]
    if texture.content is not None:
        found.append(Rec("Content", ("R", texture.content)))
    return found


def extrapolation(curve):
    found = []
    for name, said in (("Pre-Extrapolation", curve.pre), ("Post-Extrapolation", curve.post)):
        if said is not None:
            children = [Rec("Type", ("C", said[0]))]
            if said[1] is not None:
                children.append(integer("Repetition", said[1]))
            found.append(Rec(name, children=children))
    return found


# ---- 7.x ----

def packed(low, high):
    """Two sixteenths of a word, seen as a float."""
    return struct.unpack("<f", struct.pack("<HH", low or 0, high or 0))[0]


def attributes(key):
    """Flags and four floats."""
    flags = MODES[key.kind] | (0x800 if key.broken else 0) | key.more_flags
    if key.kind == "auto":
        flags |= (0x1000 if key.clamp else 0) | (0x4000 if key.progressive else 0) | (0x2000 if key.independent else 0)
    if key.kind == "tcb":
        return flags, (*key.tcb, 0.0)
    right, left = key.weights
    flags |= (0x1000000 if right is not None else 0) | (0x2000000 if left is not None else 0)
    return flags, (key.right, key.left, packed(3333 if right is None else right, 3333 if left is None else left), 0.0)


class New:
    def __init__(self, scene, version):
        self.scene, self.version, self.properties = scene, version, Properties(False)
        self.objects, self.links, self.next = [], [], 1000
        self.ids = {}

    def add(self, thing, kind, group, name, sub, children):
        self.next += 1
        self.ids[thing] = self.next
        self.objects.append(Rec(kind, ("L", self.next), ("N", (group, name)), S(sub), children=children))
        return self.next

    def link(self, child, parent, prop=None):
        words = [S("OO" if prop is None else "OP"), ("L", self.number(child)), ("L", self.number(parent))]
        self.links.append(Rec("C", *words, *([] if prop is None else [S(prop)])))

    def number(self, thing):
        return thing if isinstance(thing, int) else 0 if thing is None else self.ids[thing]

    def records(self):
        scene = self.scene
        found = [header(scene, self.version)]
        if scene.settings:
            found.append(Rec("GlobalSettings", children=[integer("Version", 1000), self.properties.settings(scene)]))
        for node in scene.nodes:
            self.node(node)
        for mesh in scene.meshes:
            self.mesh(mesh)
        for material in scene.materials:
            self.material(material)
        for take in scene.takes:
            self.take(take)
        for name, count in scene.odd.items():
            self.odd(name, count)
        definitions = [integer("Version", 100), integer("Count", 1)]
        if scene.template is not None:
            template = Rec("PropertyTemplate", S("FbxNode"), children=[self.properties.of(*self.properties.of_node(scene.template))])
            definitions.append(Rec("ObjectType", S("Model"), children=[integer("Count", len(scene.nodes)), template]))
        found += [Rec("Definitions", children=definitions), Rec("Objects", children=self.objects), Rec("Connections", children=self.links)]
        listed = [take for take in scene.takes if take.where == "takes" and take.stop is not None]
        if listed:
            found.append(Rec("Takes", children=[string("Current", "")] + [
                Rec("Take", S(take.name), children=[Rec("LocalTime", ("L", take.start or 0), ("L", take.stop))]) for take in listed]))
        return found

    def node(self, node):
        self.add(node, "Model", "Model", node.name, node.kind, [integer("Version", 232), self.properties.of(*self.properties.of_node(node.props))])
        self.link(node, node.parent)
        if node.kind in ("LimbNode", "Limb", "Root"):
            attribute = self.add(("attribute", node), "NodeAttribute", "NodeAttribute", node.name, node.kind, [string("TypeFlags", "Skeleton")])
            self.link(attribute, node)

    def mesh(self, mesh):
        own = self.add(mesh, "Geometry", "Geometry", mesh.node.name, "Mesh", geometry(mesh))
        self.link(own, mesh.node)
        if mesh.clusters is not None:
            skin = self.add(("skin", mesh), "Deformer", "Deformer", "", "Skin", [integer("Version", 101), string("SkinningType", mesh.skinning)])
            self.link(skin, own)
            for cluster in mesh.clusters:
                number = self.add(cluster, "Deformer", "SubDeformer", "", "Cluster", cluster_records(cluster))
                self.link(number, skin)
                if cluster.bone is not None:
                    self.link(cluster.bone, number)
        for i in range(mesh.shapes):
            shape = self.add(("shape", mesh, i), "Deformer", "Deformer", "", "BlendShape", [integer("Version", 100)])
            self.link(shape, own)

    def material(self, material):
        own = self.add(material, "Material", "Material", material.name, "", [integer("Version", 102), self.properties.of_material(material)])
        for node in material.nodes:
            self.link(own, node)
        texture = material.texture
        if texture is None:
            return
        number = self.add(texture, "Texture", "Texture", texture.name, "", texture_records(texture))
        if texture.layered:
            layered = self.add(("layered", texture), "LayeredTexture", "LayeredTexture", "", "", [integer("LayeredTexture", 101)])
            self.link(number, layered)
            self.link(layered, own, texture.slot)
        else:
            self.link(number, own, texture.slot)
        video = self.add(("video", texture), "Video", "Video", texture.name, "Clip", video_records(texture))
        self.link(video, number)

    def curve(self, curve):
        keys = curve.keys
        made = [attributes(key) for key in keys]
        sets = []
        for attribute in made:
            if curve.runs and sets and sets[-1][0] == attribute:
                sets[-1][1] += 1
            else:
                sets.append([attribute, 1])
        children = [Rec("Default", ("D", 0.0)), integer("KeyVer", 4009), Rec("KeyTime", ("l", [key.time for key in keys])),
                    Rec("KeyValueFloat", ("f", [key.value for key in keys])), Rec("KeyAttrFlags", ("i", [flags for (flags, _), _ in sets])),
                    Rec("KeyAttrDataFloat", ("a", [v for (_, floats), _ in sets for v in floats])),
                    Rec("KeyAttrRefCount", ("i", [count for _, count in sets]))]
        return self.add(curve, "AnimationCurve", "AnimCurve", "", "", children + extrapolation(curve)) if curve not in self.ids else self.ids[curve]

    def take(self, take):
        span = []
        if take.where != "takes":
            prefix = "Local" if take.where == "local" else "Reference"
            for name, time in (("Start", take.start), ("Stop", take.stop)):
                if time is not None:
                    span.append(self.properties.numbers(prefix + name, "KTime", time))
        self.add(take, "AnimationStack", "AnimStack", take.name, "", [self.properties.of(*span)] if span else [])
        for layer in take.layers:
            values = [("Weight", "Number", float(layer.weight)), ("BlendMode", "enum", layer.mode),
                      ("RotationAccumulationMode", "enum", layer.rotation_mode), ("ScaleAccumulationMode", "enum", layer.scale_mode)]
            plain = layer.weight == 100 and not (layer.mode or layer.rotation_mode or layer.scale_mode)
            own = self.add(layer, "AnimationLayer", "AnimLayer", layer.name, "",
                           [] if plain else [self.properties.of(*[self.properties.numbers(*entry) for entry in values])])
            self.link(own, take)
            if layer.weight_curve is not None:
                self.curve_node(layer, layer, "Weight", "Weight", [layer.weight_curve], ["d|Weight"])
            for (node, short), parts in layer.curves.items():
                self.curve_node(layer, node, PROPERTIES[short][0], short.upper(), parts, ["d|" + letter for letter in LETTERS])

    def curve_node(self, layer, target, prop, name, parts, slots):
        values = [self.properties.numbers(slot, "Number", part) for slot, part in zip(slots, parts) if isinstance(part, float)]
        own = self.add((layer, target, prop), "AnimationCurveNode", "AnimCurveNode", name, "", [self.properties.of(*values)])
        self.link(own, layer)
        self.link(own, target, prop)
        for slot, part in zip(slots, parts):
            if isinstance(part, Curve):
                self.link(self.curve(part), own, slot)

    def odd(self, name, count):
        kind, sub = ODD[name]
        for i in range(count):
            own = self.add((name, i), kind, kind, "%s%d" % (name, i), sub, [integer("Version", 100)])
            if kind in ("NodeAttribute", "Geometry"):
                node = self.add((name, "node", i), "Model", "Model", "%s%d" % (name, i), sub, [self.properties.of()])
                self.link(own, node)
                self.link(node, 0)


# ---- 6100 ----

class Old:
    """Names tell objects apart; geometry, limbs and cameras are part of their model."""

    def __init__(self, scene):
        self.scene, self.properties, self.objects, self.links = scene, Properties(True), [], []
        assert not any(len(take.layers) > 1 for take in scene.takes), "6100 has one layer"

    def link(self, child, parent, kind="OO"):
        self.links.append(Rec("Connect", S(kind), ("N", child), ("N", parent)))

    def records(self):
        scene = self.scene
        for node in scene.nodes:
            self.node(node)
        for mesh in scene.meshes:
            self.skin(mesh)
        for material in scene.materials:
            self.material(material)
        if scene.settings:
            self.objects.append(Rec("GlobalSettings", children=[integer("Version", 1000), self.properties.settings(scene)]))
        takes = [string("Current", scene.takes[0].name if scene.takes else "")] + [self.take(take) for take in scene.takes]
        return [header(scene, 6100), Rec("Definitions", children=[integer("Version", 100)]), Rec("Objects", children=self.objects),
                Rec("Connections", children=self.links), Rec("Takes", children=takes)]

    def node(self, node):
        props = {**(self.scene.template or {}), **node.props}  # there are no templates
        children = [integer("Version", 232), self.properties.of(*self.properties.of_node(props))]
        for mesh in self.scene.meshes:
            if mesh.node is node:
                children += geometry(mesh)
        self.objects.append(Rec("Model", ("N", ("Model", node.name)), S(node.kind), children=children))
        self.link(("Model", node.name), ("Model", node.parent.name if node.parent else "Scene"))

    def skin(self, mesh):
        if mesh.clusters is None:
            return
        own = "Skin " + mesh.node.name
        self.objects.append(Rec("Deformer", ("N", ("Deformer", own)), S("Skin"), children=[integer("Version", 100)]))
        self.link(("Deformer", own), ("Model", mesh.node.name))
        for i, cluster in enumerate(mesh.clusters):
            name = "Cluster %s %d" % (mesh.node.name, i)
            self.objects.append(Rec("Deformer", ("N", ("SubDeformer", name)), S("Cluster"), children=cluster_records(cluster)))
            self.link(("SubDeformer", name), ("Deformer", own))
            if cluster.bone is not None:
                self.link(("Model", cluster.bone.name), ("SubDeformer", name))

    def material(self, material):
        self.objects.append(Rec("Material", ("N", ("Material", material.name)), S(""),
                                children=[integer("Version", 102), self.properties.of_material(material)]))
        for node in material.nodes:
            self.link(("Material", material.name), ("Model", node.name))
        texture = material.texture
        if texture is not None:
            self.objects.append(Rec("Texture", ("N", ("Texture", texture.name)), S(""), children=texture_records(texture)))
            self.objects.append(Rec("Video", ("N", ("Video", texture.name)), S("Clip"), children=video_records(texture)))
            self.link(("Video", texture.name), ("Texture", texture.name))
            for node in material.nodes:
                self.link(("Texture", texture.name), ("Model", node.name))

    def take(self, take):
        children = []
        if take.stop is not None:
            children.append(Rec("LocalTime", ("L", take.start or 0), ("L", take.stop)))
        by_node = {}
        for (node, short), parts in take.layers[0].curves.items():
            by_node.setdefault(node, {})[short] = parts
        for node, tracks in by_node.items():
            channels = [self.channel(short.upper(), [self.component(letter, part) for letter, part in zip(LETTERS, parts)])
                        for short, parts in tracks.items()]
            children.append(Rec("Model", ("N", ("Model", node.name)), children=[integer("Version", 1), self.channel("Transform", channels)]))
        return Rec("Take", S(take.name), children=children)

    @staticmethod
    def channel(name, children):
        return Rec("Channel", S(name), children=children)

    def component(self, letter, part):
        if not isinstance(part, Curve):
            return self.channel(letter, [Rec("Default", ("D", part if part is not None else 0.0))])
        keys = []
        for key in part.keys:
            keys += old_key(key)
        return self.channel(letter, [Rec("Default", ("D", 0.0)), integer("KeyVer", 4005), integer("KeyCount", len(part.keys)), Rec("Key", *keys)]
                            + extrapolation(part))


def old_key(key):
    """time, value, letters, and what they call for."""
    found = [("L", key.time), ("D", float(key.value))]
    if key.kind == "linear":
        return found + [("C", "L")]
    if key.kind in ("constant", "next"):
        return found + [("C", "C"), ("C", "s" if key.kind == "constant" else "n")]
    if key.kind == "auto":
        assert key.progressive and key.independent, "6100 has one kind of automatic tangent"
        return found + [("C", "U"), ("C", "a"), ("C", "n")]
    if key.kind == "tcb":
        return found + [("C", "U"), ("C", "t"), *[("D", float(v)) for v in key.tcb], ("C", "n")]
    found += [("C", "U"), ("C", "b" if key.broken else "s"), ("D", float(key.right)), ("D", float(key.left))]
    right, left = [None if w is None else ("D", w / 9999.0) for w in key.weights]
    letter = "a" if right and left else "r" if right else "l" if left else "n"
    return found + [("C", letter)] + [w for w in (right, left) if w]
