# SPDX-License-Identifier: MIT
"""A second reader and sampler of glTF 2.0, written from its specification in plain double precision, with no thought of speed. It knows
nothing of the library: the tests beside it compare the two."""

import base64
import json
import math
import os
import struct
import urllib.parse

COMPONENTS = {5120: ("b", 127.0), 5121: ("B", 255.0), 5122: ("h", 32767.0), 5123: ("H", 65535.0), 5125: ("I", None), 5126: ("f", None)}
WIDTH = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT2": 4, "MAT3": 9, "MAT4": 16}


# ---- matrices: lists of four rows ----

def identity():
    return [[1.0 if row == column else 0.0 for column in range(4)] for row in range(4)]


def multiply(a, b):
    return [[sum(a[row][k] * b[k][column] for k in range(4)) for column in range(4)] for row in range(4)]


def from_columns(values):
    return [[values[column * 4 + row] for column in range(4)] for row in range(4)]


def from_trs(t, q, s):
    x, y, z, w = q
    r = [[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
         [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
         [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]]
    return [[r[row][column] * s[column] for column in range(3)] + [t[row]] for row in range(3)] + [[0.0, 0.0, 0.0, 1.0]]


def inverse(m):
    """Gauss and Jordan, with the largest pivot."""
    rows = [list(m[i]) + identity()[i] for i in range(4)]
    for column in range(4):
        pivot = max(range(column, 4), key=lambda i: abs(rows[i][column]))
        rows[column], rows[pivot] = rows[pivot], rows[column]
        rows[column] = [value / rows[column][column] for value in rows[column]]
        for i in range(4):
            if i != column:
                factor = rows[i][column]
                rows[i] = [a - factor * b for a, b in zip(rows[i], rows[column])]
    return [row[4:] for row in rows]


def point(m, p):
    return [m[row][0] * p[0] + m[row][1] * p[1] + m[row][2] * p[2] + m[row][3] for row in range(3)]


def determinant(m):
    return (m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0])
            + m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]))


def normalized(q):
    length = math.sqrt(sum(v * v for v in q))
    return [v / length for v in q]


# ---- the document ----

class Document:
    def __init__(self, path):
        with open(path, "rb") as file:
            data = file.read()
        self.folder = os.path.dirname(path)
        self.binary = None
        if data[:4] == b"glTF":
            size = struct.unpack_from("<I", data, 12)[0]
            self.json = json.loads(data[20:20 + size])
            if len(data) > 20 + size:
                length = struct.unpack_from("<I", data, 20 + size)[0]
                self.binary = data[28 + size:28 + size + length]
        else:
            self.json = json.loads(data.decode("utf-8-sig"))
        self.nodes = self.json.get("nodes", [])
        self.parent = {child: i for i, node in enumerate(self.nodes) for child in node.get("children", [])}
        self.buffers = {}
        self.cache = {}

    def buffer(self, index):
        if index not in self.buffers:
            uri = self.json["buffers"][index].get("uri")
            if uri is None:
                self.buffers[index] = self.binary
            elif uri.startswith("data:"):
                self.buffers[index] = base64.b64decode(uri.split(",", 1)[1])
            else:
                with open(os.path.join(self.folder, urllib.parse.unquote(uri)), "rb") as file:
                    self.buffers[index] = file.read()
        return self.buffers[index]

    def view(self, index, count, letter, width, offset, stride):
        view = self.json["bufferViews"][index]
        if "EXT_meshopt_compression" in view.get("extensions", {}):
            raise ValueError("compressed")
        data = self.buffer(view["buffer"])
        size = struct.calcsize("<" + letter) * width
        step = stride and view.get("byteStride", 0) or size
        start = view.get("byteOffset", 0) + offset
        return [list(struct.unpack_from("<%d%s" % (width, letter), data, start + i * step)) for i in range(count)]

    def accessor(self, index):
        """Its elements, each a list of numbers; only shapes without padding inside."""
        if index in self.cache:
            return self.cache[index]
        accessor = self.json["accessors"][index]
        letter, most = COMPONENTS[accessor["componentType"]]
        width = WIDTH[accessor["type"]]
        if "bufferView" in accessor:
            values = self.view(accessor["bufferView"], accessor["count"], letter, width, accessor.get("byteOffset", 0), True)
        else:
            values = [[0] * width for _ in range(accessor["count"])]
        sparse = accessor.get("sparse")
        if sparse:
            indices = sparse["indices"]
            places = self.view(indices["bufferView"], sparse["count"], COMPONENTS[indices["componentType"]][0], 1, indices.get("byteOffset", 0), False)
            new = self.view(sparse["values"]["bufferView"], sparse["count"], letter, width, sparse["values"].get("byteOffset", 0), False)
            for place, value in zip(places, new):
                values[place[0]] = value
        if accessor.get("normalized"):
            values = [[max(v / most, -1.0) for v in value] for value in values]
        self.cache[index] = values
        return values

    # ---- poses ----

    def local(self, node, pose):
        """A node's own matrix; pose holds what an animation says of it."""
        own = self.nodes[node]
        said = pose.get(node, {})
        if "matrix" in own and not said:
            return from_columns(own["matrix"])
        return from_trs(said.get("translation", own.get("translation", [0.0, 0.0, 0.0])),
                        normalized(said.get("rotation", own.get("rotation", [0.0, 0.0, 0.0, 1.0]))),
                        said.get("scale", own.get("scale", [1.0, 1.0, 1.0])))

    def world(self, node, pose, known):
        if node not in known:
            own = self.local(node, pose)
            above = self.parent.get(node)
            known[node] = own if above is None else multiply(self.world(above, pose, known), own)
        return known[node]

    # ---- animations ----

    def ancestors(self, node):
        while node in self.parent:
            node = self.parent[node]
            yield node

    def bones(self, skin):
        """The skin's joints as they are listed; without a skin, animated nodes and what lies between them, by number."""
        skins = self.json.get("skins", [])
        if skins:
            return skins[skin]["joints"]
        animated = {channel["target"]["node"] for animation in self.json.get("animations", []) for channel in animation["channels"]
                    if channel["target"]["path"] in ("translation", "rotation", "scale") and "node" in channel["target"]}
        found = set(animated)
        for node in animated:
            line = list(self.ancestors(node))
            highest = max((i for i, above in enumerate(line) if above in animated), default=-1)
            found.update(line[:highest + 1])
        return sorted(found)

    def channels(self, animation, bones):
        """(node, path, sampler) of all channels that move the bones, themselves or by a node above."""
        count = set(bones)
        for bone in bones:
            count.update(self.ancestors(bone))
        found = {}
        for channel in animation["channels"]:
            target = channel["target"]
            if target.get("node") in count and target["path"] in ("translation", "rotation", "scale"):
                found[target["node"], target["path"]] = animation["samplers"][channel["sampler"]]
        return found

    def times_of(self, channels):
        """From the first key to the last."""
        keys = [self.accessor(sampler["input"]) for sampler in channels.values()]
        if not keys:
            return 0.0, 0.0
        return min(times[0][0] for times in keys), max(times[-1][0] for times in keys)

    def sample(self, sampler, path, time):
        times = self.accessor(sampler["input"])
        values = self.accessor(sampler["output"])
        mode = sampler.get("interpolation", "LINEAR")
        cubic = mode == "CUBICSPLINE"

        def key(i):
            value = values[i * 3 + 1] if cubic else values[i]
            return normalized(value) if path == "rotation" else value

        # Not the specification's, but this exporter's: a frame that misses a step only by the rounding of times is on it.
        reach = time + (1e-7 + abs(time) * 5e-7 if mode == "STEP" else 0.0)
        if reach < times[0][0]:
            return key(0)
        # The last key that is not later.
        low, high = 0, len(times)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if times[middle][0] <= reach else (low, middle)
        if low == len(times) - 1 or mode == "STEP":
            return key(low)
        span = times[low + 1][0] - times[low][0]
        t = (time - times[low][0]) / span
        if cubic:
            _, v0, b0 = values[low * 3:low * 3 + 3]
            a1, v1, _ = values[low * 3 + 3:low * 3 + 6]
            value = [(2 * t ** 3 - 3 * t ** 2 + 1) * v0[i] + span * (t ** 3 - 2 * t ** 2 + t) * b0[i]
                     + (-2 * t ** 3 + 3 * t ** 2) * v1[i] + span * (t ** 3 - t ** 2) * a1[i] for i in range(len(v0))]
            return normalized(value) if path == "rotation" else value
        if path == "rotation":
            return slerp(key(low), key(low + 1), t)
        return [(1 - t) * a + t * b for a, b in zip(values[low], values[low + 1])]

    def pose(self, channels, time):
        pose = {}
        for (node, path), sampler in channels.items():
            pose.setdefault(node, {})[path] = self.sample(sampler, path, time)
        return pose


def slerp(a, b, t):
    """Appendix C.4 of the specification."""
    d = sum(x * y for x, y in zip(a, b))
    angle = math.acos(min(abs(d), 1.0))
    sign = 1.0 if d >= 0 else -1.0
    if angle < 1e-3:
        # acos has no digits left here; the arc is its chord.
        return normalized([(1 - t) * x + t * sign * y for x, y in zip(a, b)])
    return [math.sin(angle * (1 - t)) / math.sin(angle) * x + sign * math.sin(angle * t) / math.sin(angle) * y for x, y in zip(a, b)]
