# SPDX-License-Identifier: MIT
"""Where the nodes, frames and points of a described FBX scene are, in doubles, from FBX's own rules: the chain of transforms, inherit types,
rotation orders, curves with all tangents, extrapolation, layers, spans, skins. Nothing here knows how the reader works."""

import math

from fbx_scene import PROPERTIES, Curve

ORDERS = ("XYZ", "XZY", "YZX", "YXZ", "ZXY", "ZYX")
RATES = {0: 30.0, 1: 120.0, 2: 100.0, 3: 60.0, 4: 50.0, 5: 48.0, 6: 30.0, 7: 30.0, 8: 30000 / 1001, 9: 30000 / 1001, 10: 25.0, 11: 24.0, 12: 1000.0,
         13: 24000 / 1001, 15: 96.0, 16: 72.0, 17: 60000 / 1001}
THIRD = 1.0 / 3.0


# ---- matrices: rows of four ----

def multiply(*factors):
    a = factors[0]
    for b in factors[1:]:
        a = [[sum(a[i][k] * b[k][j] for k in range(4)) for j in range(4)] for i in range(4)]
    return a


def moved(t):
    return [[1.0, 0.0, 0.0, t[0]], [0.0, 1.0, 0.0, t[1]], [0.0, 0.0, 1.0, t[2]], [0.0, 0.0, 0.0, 1.0]]


def scaled(s):
    return [[s[0], 0.0, 0.0, 0.0], [0.0, s[1], 0.0, 0.0], [0.0, 0.0, s[2], 0.0], [0.0, 0.0, 0.0, 1.0]]


IDENTITY = scaled((1.0, 1.0, 1.0))


def turned_about(axis, degrees):
    m = [row[:] for row in IDENTITY]
    j, k = (axis + 1) % 3, (axis + 2) % 3
    m[j][j] = m[k][k] = math.cos(math.radians(degrees))
    m[k][j] = math.sin(math.radians(degrees))
    m[j][k] = -m[k][j]
    return m


def turned(degrees, order=0):
    """XYZ: a point goes through x first."""
    m = IDENTITY
    for letter in ORDERS[order]:
        axis = "XYZ".index(letter)
        m = multiply(turned_about(axis, degrees[axis]), m)
    return m


def transposed(m):
    return [[m[j][i] for j in range(4)] for i in range(4)]


def inverse(m):
    """Of an affine matrix, by cofactors."""
    a = [row[:3] for row in m[:3]]
    c = [[a[(j + 1) % 3][(i + 1) % 3] * a[(j + 2) % 3][(i + 2) % 3] - a[(j + 1) % 3][(i + 2) % 3] * a[(j + 2) % 3][(i + 1) % 3] for j in range(3)]
         for i in range(3)]
    d = sum(a[0][k] * c[k][0] for k in range(3))
    r = [[c[i][j] / d for j in range(3)] for i in range(3)]
    return [r[i] + [-sum(r[i][k] * m[k][3] for k in range(3))] for i in range(3)] + [[0.0, 0.0, 0.0, 1.0]]


def point(m, p):
    return [m[i][0] * p[0] + m[i][1] * p[1] + m[i][2] * p[2] + m[i][3] for i in range(3)]


# ---- quaternions, for layers ----

def quaternion(degrees, order):
    q = (0.0, 0.0, 0.0, 1.0)
    for letter in ORDERS[order]:
        axis = "XYZ".index(letter)
        half = math.radians(degrees[axis]) / 2
        turn = [0.0, 0.0, 0.0, math.cos(half)]
        turn[axis] = math.sin(half)
        q = times(turn, q)
    return q


def times(a, b):
    ax, ay, az, aw = a
    bx, by, bz, bw = b
    return (aw * bx + ax * bw + ay * bz - az * by, aw * by - ax * bz + ay * bw + az * bx, aw * bz + ax * by - ay * bx + az * bw,
            aw * bw - ax * bx - ay * by - az * bz)


def slerp(a, b, t):
    d = sum(x * y for x, y in zip(a, b))
    if d < 0:
        b, d = [-v for v in b], -d
    angle = math.acos(min(d, 1.0))
    if angle < 1e-9:
        return tuple(b)
    u, v = math.sin(angle * (1 - t)) / math.sin(angle), math.sin(angle * t) / math.sin(angle)
    return tuple(u * x + v * y for x, y in zip(a, b))


def matrix_of(q):
    x, y, z, w = q
    return [[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w), 0.0], [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w), 0.0],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y), 0.0], [0.0, 0.0, 0.0, 1.0]]


# ---- curves ----

def tangents(curve, rate):
    if not hasattr(curve, "known"):
        curve.known = made_tangents(curve, rate)
    return curve.known


def made_tangents(curve, rate):
    """Of each key (left slope, left weight, right slope, right weight), in units a second."""
    keys, found = curve.keys, []
    left, left_weight = 0.0, THIRD
    for i, key in enumerate(keys):
        before, after = keys[i - 1] if i else None, keys[i + 1] if i + 1 < len(keys) else None
        right_weight, next_weight = [THIRD if w is None else w / 9999.0 for w in key.weights]
        right, next_left = key.right, key.left
        if key.kind in ("constant", "next"):
            right = next_left = 0.0
            right_weight = next_weight = THIRD
        elif key.kind == "linear":
            right = next_left = (after.value - key.value) * rate / (after.time - key.time) if after else 0.0
            right_weight = next_weight = THIRD
        elif key.kind == "auto":
            left, right = automatic(before, key, after, left_weight, right_weight, rate)
        elif key.kind == "tcb":
            left, right = tcb(before, key, after, rate)
        found.append((left, left_weight, right, right_weight))
        left, left_weight = next_left, next_weight
    return found


def tcb(before, key, after, rate):
    (t, c, b), f = key.tcb, 0.5 if before and after else 1.0
    a_slope = (key.value - before.value) * rate / (key.time - before.time) if before else 0.0
    b_slope = (after.value - key.value) * rate / (after.time - key.time) if after else 0.0
    return (f * (1 - t) * ((1 + b) * (1 - c) * a_slope + (1 - b) * (1 + c) * b_slope),
            f * (1 - t) * ((1 + b) * (1 + c) * a_slope + (1 - b) * (1 - c) * b_slope))


def biased(m, bias, a, b):
    w = abs(bias) / 100.0
    goal = b if bias > 0 else a
    out = m * (1 - w) + goal * w
    if w > 5:
        towards = goal - m
        out += math.copysign(40 * (w - 5) ** 2, bias if abs(towards) < 1e-5 else towards)
    return out


def automatic(before, key, after, left_weight, right_weight, rate):
    """Left and right slope of a key with automatic tangents."""
    near = [n for n in (before, after) if n is not None]
    if len(near) < 2:
        if not near or key.progressive or key.clamp and abs(near[0].value - key.value) < 1e-3:
            return 0.0, 0.0
        slope = (near[0].value - key.value) * rate / (near[0].time - key.time)
        if key.independent:
            return slope, slope
        bias = key.right if after else -before.left  # at an end only what is beyond 500 counts
        slope += math.copysign(40 * max(abs(bias) / 100 - 5, 0) ** 2, bias)
        return slope, slope
    to_left, to_right = (key.time - before.time) / rate, (after.time - key.time) / rate
    a, b = (key.value - before.value) / to_left, (after.value - key.value) / to_right
    m = (after.value - before.value) / (to_left + to_right)
    if key.clamp and min(abs(n.value - key.value) for n in near) < 1e-3:
        return 0.0, 0.0
    left = right = m
    if not key.independent:
        d = to_left / (to_left + to_right)
        m = m / 2 + (a * (1 - d) + b * d) / 2
        right_bias, left_bias = key.right, -before.left
        if abs(right_bias + before.left) < 1e-4:
            left_bias = right_bias
        left, right = biased(m, left_bias, a, b), biased(m, right_bias, a, b)
    if key.progressive:
        left, right = [progressive(v, (key.value - before.value) / (left_weight * to_left), (after.value - key.value) / (right_weight * to_right))
                       for v in (left, right)]
    return left, right


def progressive(m, most_left, most_right):
    sign = 1.0 if m >= 0 else -1.0
    return sign * max(0.0, min(abs(m), sign * most_left, sign * most_right))


def bezier(a, b, c, d, s):
    r = 1 - s
    return r * r * r * a + 3 * r * r * s * b + 3 * r * s * s * c + s * s * s * d


def inside(curve, time, rate):
    """Between the first and the last key; time in ticks, not necessarily whole."""
    keys = curve.keys
    i = max(k for k, key in enumerate(keys) if key.time <= time)
    if i + 1 == len(keys):
        return keys[i].value
    a, b = keys[i], keys[i + 1]
    if a.kind == "constant":
        return a.value
    if a.kind == "next":
        return b.value if time > a.time else a.value
    span, part = (b.time - a.time) / rate, (time - a.time) / (b.time - a.time)
    if a.kind == "linear":
        return a.value + (b.value - a.value) * part
    all_tangents = tangents(curve, rate)
    _, _, right, right_weight = all_tangents[i]
    left, left_weight, _, _ = all_tangents[i + 1]
    low, high = 0.0, 1.0
    for _ in range(56):
        middle = (low + high) / 2
        low, high = (middle, high) if bezier(0.0, right_weight, 1 - left_weight, 1.0, middle) <= part else (low, middle)
    return bezier(a.value, a.value + right * right_weight * span, b.value - left * left_weight * span, b.value, low)


def value(curve, time, rate):
    keys = curve.keys
    first, last = keys[0], keys[-1]
    if first.time <= time <= last.time:
        return inside(curve, time, rate)
    is_before = time < first.time
    kind, rounds = (curve.pre if is_before else curve.post) or ("C", None)
    end, span = first if is_before else last, last.time - first.time
    if kind not in "KRMA" or rounds == 0 or span == 0:
        return end.value
    away = first.time - time if is_before else time - last.time
    if kind == "K":
        slope = tangents(curve, rate)[0][2] if is_before else tangents(curve, rate)[-1][0]
        return end.value + slope * (-away if is_before else away) / rate
    if rounds is not None and rounds > 0 and away >= rounds * span:
        turn, phase = rounds - 1, span
    else:
        turn, phase = away // span, away % span
    backwards = kind == "M" and turn % 2 == 0
    at = last.time - phase if is_before != backwards else first.time + phase
    more = (turn + 1) * (last.value - first.value) if kind == "A" else 0.0
    return inside(curve, at, rate) + (-more if is_before else more)


# ---- the pose ----

class Truth:
    def __init__(self, scene):
        self.scene, self.rate = scene, scene.ticks

    def own(self, node, short):
        if short in node.props:
            return node.props[short]
        return (self.scene.template or {}).get(short, PROPERTIES[short][2])

    def order(self, node):
        return 0 if not self.own(node, "active") or self.own(node, "limit_only") else self.own(node, "order")

    def of_layer(self, layer, node, short, time):
        """Three components, or None where the layer says nothing of this property."""
        parts = layer.curves.get((node, short))
        if parts is None:
            return None
        return [value(part, time, self.rate) if isinstance(part, Curve) and part.keys else part if isinstance(part, float) else 0.0 for part in parts]

    def animated(self, node, short, take, time):
        now = list(self.own(node, short))
        for i, layer in enumerate(take.layers if take else ()):
            b = self.of_layer(layer, node, short, time)
            if b is not None:
                now = b if i == 0 else self.mixed(layer, node, short, now, b, time)
        return now

    def mixed(self, layer, node, short, a, b, time):
        w = (value(layer.weight_curve, time, self.rate) if layer.weight_curve else layer.weight) / 100.0
        w = 0.0 if w < 0 else 1.0 if w > 0.99999 else w
        if layer.mode == 1:
            return b
        if short == "r" and layer.rotation_mode == 0:
            order = self.order(node)
            one, two = a if len(a) == 4 else quaternion(a, order), quaternion(b, order)
            q = times(one, slerp((0.0, 0.0, 0.0, 1.0), two, w)) if layer.mode == 0 else slerp(one, two, w)
            return q
        if short == "s" and layer.scale_mode == 0:
            grown = [math.copysign(abs(y) ** w, y) for y in b]
            if layer.mode == 0:
                return [x * y for x, y in zip(a, grown)]
            return [math.copysign(abs(x) ** (1 - w), x) * y for x, y in zip(a, grown)]
        return [x + w * y if layer.mode == 0 else x * (1 - w) + w * y for x, y in zip(a, b)]

    def rotation(self, node, r):
        """Rpre, R and Rpost; r is angles, or a quaternion that layers made."""
        own = matrix_of(r) if len(r) == 4 else turned(r, self.order(node))
        if not self.own(node, "active") or self.own(node, "limit_only"):
            return own
        return multiply(turned(self.own(node, "pre")), own, transposed(turned(self.own(node, "post"))))

    def worlds(self, take=None, time=0):
        """By node: the matrix to metres with x right, y up, z to the front. Parents must come before children."""
        above, found = self.to_metres(), {}
        for node in self.scene.nodes:
            self.place(found, node, take, time)
        return {node: multiply(above, parts[0]) for node, parts in found.items()}

    def place(self, found, node, take, time):
        """Adds the node's world, the same without its own scale, and the scale that it hands on."""
        t, r, s = [self.animated(node, short, take, time) for short in "trs"]
        turn = self.rotation(node, r)
        own = {short: self.own(node, short) for short in ("roff", "rp", "soff", "sp")}
        local = multiply(moved(t), moved(own["roff"]), moved(own["rp"]), turn, moved([-v for v in own["rp"]]), moved(own["soff"]), moved(own["sp"]),
                         scaled(s), moved([-v for v in own["sp"]]))
        place = [local[i][3] for i in range(3)]
        kind = self.own(node, "inherit") if node.parent else 1
        world, plain, handed, _ = found[node.parent] if node.parent else (IDENTITY, IDENTITY, (1.0,) * 3, (1.0,) * 3)
        if kind == 1:
            found[node] = multiply(world, local), multiply(world, moved(place), turn), tuple(s), (1.0,) * 3
            return
        taken = handed if kind == 0 else found[node.parent][3]
        mine = tuple(x * y for x, y in zip(s, taken))
        without = multiply(plain, moved([x * y for x, y in zip(place, handed)]), turn)
        found[node] = multiply(without, scaled(mine)), without, mine, taken

    def to_metres(self):
        m = [[0.0] * 4 for _ in range(3)] + [[0.0, 0.0, 0.0, 1.0]]
        unit = self.scene.unit / 100.0 if self.scene.settings else 0.01
        for row, (axis, sign) in enumerate(self.scene.axes):
            m[row][axis] = sign * unit
        return m

    # ---- spans ----

    def curves(self, take):
        return [part for layer in take.layers for parts in layer.curves.values() for part in parts if isinstance(part, Curve) and part.keys]

    def span(self, take):
        """First and last tick of the clip: the span of the take cut to its keys, whole where a curve goes on beyond them."""
        curves = self.curves(take)
        first, last = min(c.keys[0].time for c in curves), max(c.keys[-1].time for c in curves)
        if take.stop is None:
            return first, last
        start, stop = take.start or 0, take.stop
        goes_on = any(len(c.keys) > 1 and end and end[0] in "KRMA" and end[1] != 0 for c in curves for end in (c.pre, c.post))
        if goes_on:
            return start, stop
        return (first, last) if stop < first or start > last else (max(start, first), min(stop, last))

    def times(self, take, fps):
        first, last = self.span(take)
        count = int(math.floor((last - first) * fps / self.rate + 0.5)) + 1
        return [min(int(round(first + i * self.rate / fps)), last) for i in range(count)]

    def file_rate(self):
        return self.scene.custom_rate if self.scene.time_mode == 14 else RATES[self.scene.time_mode]

    # ---- points ----

    def geometry(self, node):
        return multiply(moved(self.own(node, "gt")), turned(self.own(node, "gr")), scaled(self.own(node, "gs")))

    def points(self, mesh, take=None, time=0, most=4):
        """Every control point in metres. Of more than `most` influences the largest count."""
        rest, now = self.worlds(), self.worlds(take, time)
        below = self.geometry(mesh.node)
        shares = [[] for _ in mesh.vertices]
        for cluster in mesh.clusters or ():
            for i, w in zip(cluster.indices, cluster.weights):
                shares[i].append((w, cluster))
        found = []
        for v, share in zip(mesh.vertices, shares):
            share = sorted((s for s in share if s[0] > 0), key=lambda s: -s[0])[:most]
            total = sum(w for w, _ in share)
            if total == 0:
                found.append(point(multiply(now[mesh.node], below), v))
                continue
            p = [0.0, 0.0, 0.0]
            for w, cluster in share:
                if cluster.transform is not None:
                    bind = cluster.transform
                else:
                    link = cluster.link if cluster.link is not None else self.in_file(rest[cluster.bone])
                    bind = multiply(inverse(link), self.in_file(rest[mesh.node]))
                p = [x + w / total * y for x, y in zip(p, point(multiply(now[cluster.bone], bind, below), v))]
            found.append(p)
        return found

    def in_file(self, world):
        return multiply(inverse(self.to_metres()), world)
