# SPDX-License-Identifier: MIT
"""A plain description of what an FBX file can hold: nodes with every transform property, curves with every kind of key, layers, takes, meshes,
skins, materials and textures. fbx_make.py writes it, fbx_truth.py says where everything is."""

TICKS = 46186158000  # in a second
NEW_TICKS = 141120000  # in a second, where the header has a TCDefinition

# Short name: FBX's name, type, and what it is where neither the node nor a template has it.
PROPERTIES = {
    "t": ("Lcl Translation", "Lcl Translation", (0.0, 0.0, 0.0)),
    "r": ("Lcl Rotation", "Lcl Rotation", (0.0, 0.0, 0.0)),
    "s": ("Lcl Scaling", "Lcl Scaling", (1.0, 1.0, 1.0)),
    "roff": ("RotationOffset", "Vector3D", (0.0, 0.0, 0.0)),
    "rp": ("RotationPivot", "Vector3D", (0.0, 0.0, 0.0)),
    "pre": ("PreRotation", "Vector3D", (0.0, 0.0, 0.0)),
    "post": ("PostRotation", "Vector3D", (0.0, 0.0, 0.0)),
    "soff": ("ScalingOffset", "Vector3D", (0.0, 0.0, 0.0)),
    "sp": ("ScalingPivot", "Vector3D", (0.0, 0.0, 0.0)),
    "gt": ("GeometricTranslation", "Vector3D", (0.0, 0.0, 0.0)),
    "gr": ("GeometricRotation", "Vector3D", (0.0, 0.0, 0.0)),
    "gs": ("GeometricScaling", "Vector3D", (1.0, 1.0, 1.0)),
    "order": ("RotationOrder", "enum", 0),
    "active": ("RotationActive", "bool", 1),
    "limit_only": ("RotationSpaceForLimitOnly", "bool", 0),
    "inherit": ("InheritType", "enum", 1),
}

# What nearly all files have as the template of their models.
USUAL_TEMPLATE = {"active": 0, "inherit": 0, "order": 0}


def seconds(value, rate=TICKS):
    return int(round(value * rate))


class Node:
    """parent is a Node or None; more are the properties that the node itself has, by short name."""

    def __init__(self, name, parent=None, kind="LimbNode", **more):
        self.name, self.parent, self.kind, self.props = name, parent, kind, more
        assert set(more) <= set(PROPERTIES), more


class Key:
    """time in ticks. kind: constant, next, linear, user, auto, tcb; it is of the segment behind the key.

    right and left are the slopes at this key and at the next one, in units a second; of auto keys they are biases. weights are of this key
    and the next one, in 9999ths, or None each. tcb is (tension, continuity, bias)."""

    def __init__(self, time, value, kind="linear", right=0.0, left=0.0, weights=(None, None), tcb=None, clamp=False, progressive=False,
                 independent=False, broken=False, more_flags=0):
        self.time, self.value, self.kind, self.right, self.left, self.weights, self.tcb = time, value, kind, right, left, weights, tcb
        self.clamp, self.progressive, self.independent, self.broken, self.more_flags = clamp, progressive, independent, broken, more_flags


class Curve:
    """pre and post: (letter, repetition or None) or None for a curve that does not say."""

    def __init__(self, keys, pre=None, post=None, runs=False):
        self.keys, self.pre, self.post, self.runs = list(keys), pre, post, runs


def line(points, kind="linear", rate=TICKS, **more):
    """A curve through (seconds, value)."""
    return Curve([Key(seconds(t, rate), v, kind) for t, v in points], **more)


class Layer:
    """curves: (node, short name) to three of Curve or number (a component without a curve), or None (neither)."""

    def __init__(self, curves, name="BaseLayer", weight=100.0, weight_curve=None, mode=0, rotation_mode=0, scale_mode=0):
        self.curves, self.name, self.weight, self.weight_curve = curves, name, weight, weight_curve
        self.mode, self.rotation_mode, self.scale_mode = mode, rotation_mode, scale_mode


class Take:
    """start and stop in ticks, or None where the file does not say; where: local, reference or takes (the list of 7.x that 6100 left)."""

    def __init__(self, name, layers, start=None, stop=None, where="local"):
        self.name, self.layers, self.start, self.stop, self.where = name, layers, start, stop, where


class Element:
    """A layer element: data is a list of vectors; index is a list or None for Direct."""

    def __init__(self, data, mapping="ByPolygonVertex", index=None, reference=None):
        self.data, self.mapping, self.index = data, mapping, index
        self.reference = reference or ("Direct" if index is None else "IndexToDirect")


class Cluster:
    """indices and weights of control points; link and transform are 4x4 rows or None for a cluster without."""

    def __init__(self, bone, indices, weights, transform=None, link=None):
        self.bone, self.indices, self.weights, self.transform, self.link = bone, indices, weights, transform, link


class Mesh:
    """polygons are lists of control points. materials: indices a polygon, or None. clusters: None for a mesh without a skin."""

    def __init__(self, node, vertices, polygons, normals=None, uvs=None, colors=None, materials=None, clusters=None, skinning="Linear", shapes=0):
        self.node, self.vertices, self.polygons, self.normals, self.uvs, self.colors = node, vertices, polygons, normals, uvs, colors
        self.materials, self.clusters, self.skinning, self.shapes = materials, clusters, skinning, shapes


class Texture:
    def __init__(self, name, relative="", filename="", content=None, video_relative=None, video_filename=None, layered=False, slot="DiffuseColor"):
        self.name, self.relative, self.filename, self.content, self.layered, self.slot = name, relative, filename, content, layered, slot
        self.video_relative = relative if video_relative is None else video_relative
        self.video_filename = filename if video_filename is None else video_filename


class Material:
    """nodes: those it is connected to, in the order of the materials."""

    def __init__(self, name, nodes, color=None, factor=None, texture=None):
        self.name, self.nodes, self.color, self.factor, self.texture = name, nodes, color, factor, texture


Y_UP = ((0, 1), (1, 1), (2, 1))  # of Coord, Up and Front the axis and its sign


class Scene:
    """template: the properties of the models' template, None for a file without. odd: how often classes occur that are left out, as
    {"Constraint": 2}. tc: the header's TCDefinition or None."""

    def __init__(self, nodes, takes=(), meshes=(), materials=(), axes=Y_UP, unit=100.0, time_mode=6, custom_rate=None, template=None, odd=None,
                 tc=None, settings=True):
        self.nodes, self.takes, self.meshes, self.materials = list(nodes), list(takes), list(meshes), list(materials)
        self.axes, self.unit, self.time_mode, self.custom_rate = axes, unit, time_mode, custom_rate
        self.template, self.odd, self.tc, self.settings = template, odd or {}, tc, settings
        self.frozen = None  # set where it does not change any more, so that what is worked out once is kept
        self.ticks = NEW_TICKS if tc not in (None, 127) else TICKS
