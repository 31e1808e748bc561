# SPDX-License-Identifier: MIT
"""Small FBX 7.4 files as text: limbs, curves with a key on every frame, and where the specification puts their nodes. Written for the tests
beside it; nothing here knows how the reader works."""

import math

TICKS = 46186158000  # in a second
RATE = 30
STILL = (0.0, 0.0, 0.0)
ONES = (1.0, 1.0, 1.0)


class Limb:
    """A node. `move` gives translation, rotation (degrees, XYZ) and scale at a frame; any of them may be missing."""

    def __init__(self, name, parent=None, t=STILL, r=STILL, s=ONES, pre=STILL, post=STILL, inherit=1, pivot=STILL, move=None):
        self.name, self.parent, self.inherit, self.move = name, parent, inherit, move
        self.t, self.r, self.s, self.pre, self.post, self.pivot = t, r, s, pre, post, pivot

    def at(self, frame):
        moved = self.move(frame) if self.move and frame is not None else {}
        return moved.get("t", self.t), moved.get("r", self.r), moved.get("s", self.s)


# ---- where the nodes are: T * Rp * Rpre * R * Rpost^-1 * Rp^-1 * S ----

def multiply(a, b):
    return [[sum(a[i][k] * b[k][j] for k in range(4)) for j in range(4)] for i in range(4)]


def diagonal(x, y, z):
    return [[x, 0, 0, 0], [0, y, 0, 0], [0, 0, z, 0], [0, 0, 0, 1.0]]


def moved(t):
    return [[1, 0, 0, t[0]], [0, 1, 0, t[1]], [0, 0, 1, t[2]], [0, 0, 0, 1.0]]


def turned(degrees):
    """x first, then y, then z."""
    (sx, cx), (sy, cy), (sz, cz) = [(math.sin(math.radians(a)), math.cos(math.radians(a))) for a in degrees]
    x = [[1, 0, 0, 0], [0, cx, -sx, 0], [0, sx, cx, 0], [0, 0, 0, 1.0]]
    y = [[cy, 0, sy, 0], [0, 1, 0, 0], [-sy, 0, cy, 0], [0, 0, 0, 1.0]]
    z = [[cz, -sz, 0, 0], [sz, cz, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1.0]]
    return multiply(z, multiply(y, x))


def transposed(m):
    return [[m[j][i] for j in range(4)] for i in range(4)]


def world(limbs, frame):
    """By name: the matrix from the node to the file's space."""
    found = {}
    for limb in limbs:
        t, r, s = limb.at(frame)
        rotation = multiply(multiply(turned(limb.pre), turned(r)), transposed(turned(limb.post)))
        rotation = multiply(multiply(moved(limb.pivot), rotation), moved([-v for v in limb.pivot]))
        linear = multiply(rotation, diagonal(*s))
        if limb.parent and limb.inherit == 2:  # the parent's own scale moves the node, but does not scale it
            above = next(l for l in limbs if l.name == limb.parent).at(frame)[2]
            linear = multiply(diagonal(*[1 / v for v in above]), linear)
        own = multiply(moved(t), linear)
        found[limb.name] = multiply(found[limb.parent], own) if limb.parent else own
    return found


# ---- the file ----

def vector(name, kind, value):
    return '\t\t\tP: "%s", "%s", "", "A",%.9g,%.9g,%.9g' % ((name, kind) + tuple(value))


def model(number, limb):
    lines = ['\tNodeAttribute: %d, "NodeAttribute::%s", "LimbNode" {' % (number + 500, limb.name), '\t\tTypeFlags: "Skeleton"', "\t}",
             '\tModel: %d, "Model::%s", "LimbNode" {' % (number, limb.name), "\t\tVersion: 232", "\t\tProperties70:  {"]
    if limb.pre != STILL or limb.post != STILL or limb.pivot != STILL:
        lines.append('\t\t\tP: "RotationActive", "bool", "", "",1')
    for name, value, still in (("PreRotation", limb.pre, STILL), ("PostRotation", limb.post, STILL), ("RotationPivot", limb.pivot, STILL)):
        if value != still:
            lines.append(vector(name, "Vector3D", value))
    lines.append('\t\t\tP: "InheritType", "enum", "", "",%d' % limb.inherit)
    lines += [vector("Lcl Translation", "Lcl Translation", limb.t), vector("Lcl Rotation", "Lcl Rotation", limb.r),
              vector("Lcl Scaling", "Lcl Scaling", limb.s), "\t\t}", "\t\tShading: Y", '\t\tCulling: "CullingOff"', "\t}"]
    return lines


def curve(number, values, first):
    times = ",".join(str((first + i) * TICKS // RATE) for i in range(len(values)))
    return ['\tAnimationCurve: %d, "AnimCurve::", "" {' % number, "\t\tDefault: %.9g" % values[0], "\t\tKeyVer: 4008",
            "\t\tKeyTime: *%d {\n\t\t\ta: %s\n\t\t}" % (len(values), times),
            "\t\tKeyValueFloat: *%d {\n\t\t\ta: %s\n\t\t}" % (len(values), ",".join("%.9g" % v for v in values)),
            "\t\tKeyAttrFlags: *1 {\n\t\t\ta: 4\n\t\t}", "\t\tKeyAttrDataFloat: *4 {\n\t\t\ta: 0,0,0,0\n\t\t}",
            "\t\tKeyAttrRefCount: *1 {\n\t\t\ta: %d\n\t\t}" % len(values), "\t}"]


def animation(limbs, frames, first):
    objects, links = [], []
    start, stop = first * TICKS // RATE, (first + frames - 1) * TICKS // RATE
    objects += ['\tAnimationStack: 9000, "AnimStack::Take 001", "" {', "\t\tProperties70:  {",
                '\t\t\tP: "LocalStart", "KTime", "Time", "",%d' % start, '\t\t\tP: "LocalStop", "KTime", "Time", "",%d' % stop, "\t\t}", "\t}",
                '\tAnimationLayer: 9001, "AnimLayer::BaseLayer", "" {', "\t}"]
    links.append('\tC: "OO",9001,9000')
    for i, limb in enumerate(limbs):
        for k, (short, name) in enumerate((("t", "Lcl Translation"), ("r", "Lcl Rotation"), ("s", "Lcl Scaling"))):
            if not limb.move or short not in limb.move(0):
                continue
            node = 10000 + i * 100 + k * 10
            objects += ['\tAnimationCurveNode: %d, "AnimCurveNode::%s", "" {' % (node, short.upper()), "\t\tProperties70:  {",
                        "".join('\t\t\tP: "d|%s", "Number", "", "A",0\n' % axis for axis in "XYZ") + "\t\t}", "\t}"]
            links += ['\tC: "OO",%d,9001' % node, '\tC: "OP",%d,%d, "%s"' % (node, 1000 + i, name)]
            for axis in range(3):
                objects += curve(node + 1 + axis, [limb.move(f)[short][axis] for f in range(frames)], first)
                links.append('\tC: "OP",%d,%d, "d|%s"' % (node + 1 + axis, node, "XYZ"[axis]))
    return objects, links


def text(limbs, frames=0, unit=100.0, axes=((0, 1), (1, 1), (2, 1)), first=0):
    """axes: of Coord, Up and Front the axis and its sign. unit: centimetres."""
    settings = "".join('\t\tP: "%sAxis", "int", "Integer", "",%d\n\t\tP: "%sAxisSign", "int", "Integer", "",%d\n' % (name, axis, name, sign)
                       for name, (axis, sign) in zip(("Coord", "Up", "Front"), axes))
    objects, links = [], []
    numbers = {limb.name: 1000 + i for i, limb in enumerate(limbs)}
    for limb in limbs:
        number = numbers[limb.name]
        objects += model(number, limb)
        links += ['\tC: "OO",%d,%d' % (number, numbers.get(limb.parent, 0)), '\tC: "OO",%d,%d' % (number + 500, number)]
    if frames:
        more, joined = animation(limbs, frames, first)
        objects, links = objects + more, links + joined
    return "\n".join(["; FBX 7.4.0 project file", "FBXHeaderExtension:  {", "\tFBXHeaderVersion: 1003", "\tFBXVersion: 7400", "}",
                      "GlobalSettings:  {", "\tVersion: 1000", "\tProperties70:  {", settings +
                      '\t\tP: "UnitScaleFactor", "double", "Number", "",%.9g' % unit, '\t\tP: "TimeMode", "enum", "", "",6', "\t}", "}",
                      "Definitions:  {", "\tVersion: 100", "}", "Objects:  {", *objects, "}", "Connections:  {", *links, "}", ""])
