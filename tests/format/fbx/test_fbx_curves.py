# SPDX-License-Identifier: MIT
"""FBX's curves through the command: every kind of key and tangent, weights, what lies before the first and behind the last key, components
without a curve, both kinds of ticks; compared frame by frame with an evaluation of our own.
Covers: fbx_curves.c, fbx_tangents.c, fbx_old_keys.c."""

import itertools
import math

from fbx_bytes import Binary, Text
from fbx_check import BINARY, OLD, TEXT, FbxCase, main
from fbx_make import records
from fbx_scene import NEW_TICKS, TICKS, Curve, Key, Layer, Node, Scene, Take, line, seconds

OLD_TEXT = Text(6100)
VALUES = (0.0, 1.0, -0.5, 0.4, 0.4, 1.6)
TIMES = (0.0, 0.25, 0.4, 0.8, 0.9, 1.5)


def scene(curve, takes=None, more=None, start=0, stop=seconds(1.5), tc=None):
    """A bone that the curve moves along x, and one below it that it turns."""
    hip = Node("hip", t=(0.3, 1.0, 0.0))
    knee = Node("knee", hip, t=(0.0, -0.5, 0.1))
    angles = Curve([Key(k.time, k.value * 40, k.kind, k.right * 40 if k.kind != "auto" else k.right, k.left * 40 if k.kind != "auto" else k.left, k.weights,
                        k.tcb, k.clamp, k.progressive, k.independent, k.broken) for k in curve.keys], curve.pre, curve.post, curve.runs)
    curves = {(hip, "t"): [curve, 1.0, 0.0], (knee, "r"): [angles, 10.0, -5.0]}
    curves.update(more or {})
    return Scene([hip, knee], takes or [Take("Take 001", [Layer(curves)], start, stop)], tc=tc)


def keys(kind, **more):
    return [Key(seconds(t), v, kind, **more) for t, v in zip(TIMES, VALUES)]


class Kinds(FbxCase):
    def check_all(self, curve, old=True):
        made = scene(curve)
        made.frozen = True
        for container in (TEXT, BINARY) + ((OLD, OLD_TEXT) if old else ()):
            with self.subTest(container=container.version):
                self.check(made, container, fps=30.0)

    def test_linear(self):
        self.check_all(Curve(keys("linear")))

    def test_constant_holds_this_keys_value_and_next_that_of_the_next(self):
        self.check_all(Curve(keys("constant")))
        self.check_all(Curve(keys("next")))

    def test_user_tangents(self):
        self.check_all(Curve(keys("user", right=2.0, left=-1.5)))
        self.check_all(Curve(keys("user", right=-3.0, left=4.0, broken=True)))

    def test_weighted_tangents(self):
        for weights in ((2021, 7000), (None, 9000), (9000, None), (9899, 9899), (1, 9998), (1, 1)):
            with self.subTest(weights=weights):
                self.check_all(Curve(keys("user", right=1.0, left=2.0, weights=weights)))

    def test_automatic_tangents(self):
        self.check_all(Curve(keys("auto")), old=False)
        self.check_all(Curve(keys("auto", independent=True)), old=False)
        self.check_all(Curve(keys("auto", weights=(8000, 2000))), old=False)

    def test_clamped_tangents(self):
        self.check_all(Curve(keys("auto", clamp=True)), old=False)
        self.check_all(Curve(keys("auto", clamp=True, independent=True)), old=False)

    def test_progressively_clamped_tangents(self):
        self.check_all(Curve(keys("auto", progressive=True)), old=False)
        self.check_all(Curve(keys("auto", progressive=True, independent=True)))
        self.check_all(Curve(keys("auto", progressive=True, independent=True, weights=(5000, 6000))), old=False)

    def test_automatic_tangents_with_bias(self):
        for right, left in ((30.0, -30.0), (-60.0, 60.0), (40.0, 70.0), (700.0, -700.0), (-900.0, -20.0)):
            with self.subTest(right=right, left=left):
                self.check_all(Curve(keys("auto", right=right, left=left)), old=False)

    def test_tension_continuity_bias(self):
        for tcb in ((0.0, 0.0, 0.0), (0.5, 0.0, 0.0), (0.0, 0.7, 0.0), (0.0, 0.0, -0.8), (-0.3, 0.4, 0.9)):
            with self.subTest(tcb=tcb):
                self.check_all(Curve(keys("tcb", tcb=tcb)))

    def test_kinds_mixed_in_one_curve(self):
        kinds = (dict(kind="linear"), dict(kind="user", right=3.0, left=-2.0), dict(kind="constant"), dict(kind="auto", progressive=True, independent=True),
                 dict(kind="next"), dict(kind="user", right=-1.0, left=1.0, weights=(4000, 8000)))
        for start in range(len(kinds)):
            with self.subTest(start=start):
                chosen = [kinds[(start + i) % len(kinds)] for i in range(len(TIMES))]
                self.check_all(Curve([Key(seconds(t), v, **how) for t, v, how in zip(TIMES, VALUES, chosen)]))

    def test_flags_that_only_programs_windows_need_change_nothing(self):
        for flags in (0x80000, 0x10000, 0x300000, 0x380000, 0x10000000, 0x20000000):
            self.check(scene(Curve(keys("user", right=1.0, left=1.0, more_flags=flags))), TEXT)

    def test_runs_of_equal_attributes(self):
        mixed = keys("auto", progressive=True, independent=True)
        mixed[2].kind = "constant"
        for container in (TEXT, BINARY):
            self.check(scene(Curve(mixed, runs=True)), container)

    def test_values_of_one_curve_for_two_bones(self):
        made = scene(Curve(keys("user", right=2.0, left=-1.5)))
        curves = made.takes[0].layers[0].curves
        shared = curves[made.nodes[0], "t"][0]
        curves[made.nodes[1], "t"] = [0.0, shared, 0.1]
        for container in (TEXT, BINARY):
            self.check(made, container)


class Missing(FbxCase):
    def test_a_component_without_a_curve_has_the_curve_nodes_own_value(self):
        """Not the model's: that is (0.3, 1, 0)."""
        made = scene(Curve(keys("linear")))
        made.takes[0].layers[0].curves[made.nodes[0], "t"] = [Curve(keys("linear")), None, 0.7]
        self.check(made, BINARY)
        self.check(made, TEXT)

    def test_a_curve_without_keys(self):
        made = scene(Curve(keys("linear")))
        made.takes[0].layers[0].curves[made.nodes[0], "s"] = [Curve([]), Curve([]), Curve([])]
        found = records(made, BINARY)
        self.write("a.fbx", BINARY.file(found))
        self.ember("info", "a.fbx")

    def test_arrays_of_other_types(self):
        made = scene(Curve(keys("user", right=1.0, left=-1.0)))
        for letter in "df":
            found = records(made, BINARY)
            for curve in next(rec for rec in found if rec.name == "Objects").all("AnimationCurve"):
                curve.find("KeyValueFloat").props = [(letter, curve.find("KeyValueFloat").props[0][1])]
                curve.find("KeyAttrFlags").props = [("l", curve.find("KeyAttrFlags").props[0][1])]
            self.write("a.fbx", BINARY.file(found))
            form, _ = self.form("a.fbx", "--fps", "60", quiet=True)
            self.check_take(made, form, made.takes[0], 60)


class Outside(FbxCase):
    """A curve from 0.5 to 1 s in a take of 0 to 3 s."""

    LETTERS = "CKRMA"

    @staticmethod
    def made(pre, post, kind="user"):
        inner = Curve([Key(seconds(0.5), 0.2, kind, right=3.0, left=-2.0), Key(seconds(0.7), 0.9, kind, right=-2.0, left=1.0), Key(seconds(1.0), 0.6, kind)],
                      pre, post)
        still = line([(0.0, 0.0), (3.0, 0.01)])
        found = scene(inner, start=0, stop=seconds(3.0))
        found.takes[0].layers[0].curves[found.nodes[1], "t"] = [still, -0.5, 0.1]
        return found

    def test_every_kind_before_and_behind(self):
        for pre, post in itertools.product(self.LETTERS, repeat=2):
            with self.subTest(pre=pre, post=post):
                self.check(self.made((pre, -1), (post, -1)), BINARY, fps=17.0)

    def test_in_all_containers(self):
        for container in (TEXT, BINARY, OLD, OLD_TEXT):
            for letter in self.LETTERS:
                with self.subTest(letter=letter, version=container.version):
                    self.check(self.made((letter, None), (letter, None)), container, fps=17.0)

    def test_counted_rounds(self):
        for rounds in (0, 1, 2, 3):
            for letter in "RMA":
                with self.subTest(letter=letter, rounds=rounds):
                    self.check(self.made((letter, 0 if rounds == 0 else 1), (letter, rounds)), BINARY, fps=17.0)

    def test_an_unknown_letter_is_constant(self):
        self.check(self.made(("Z", -1), ("Z", -1)), BINARY, fps=17.0)

    def test_automatic_tangents_go_on_in_a_straight_line(self):
        self.check(self.made(("K", -1), ("K", -1), "auto"), BINARY, fps=17.0)

    def test_one_key_is_constant_whatever_is_said(self):
        for letter in self.LETTERS:
            found = self.made((letter, -1), (letter, -1))
            found.takes[0].layers[0].curves[found.nodes[0], "t"] = [Curve([Key(seconds(1.0), 0.4)], (letter, -1), (letter, -1)), 1.0, 0.0]
            self.check(found, BINARY, fps=10.0)


class Ticks(FbxCase):
    def test_the_ticks_of_newer_files(self):
        """A TCDefinition in the header, of a version that knows it, makes a second 141,120,000 ticks; 127 does not."""
        for tc, ticks in ((0, NEW_TICKS), (1, NEW_TICKS), (127, TICKS)):
            with self.subTest(tc=tc):
                curve = Curve([Key(seconds(t, ticks), v, "user", right=1.0, left=2.0) for t, v in zip(TIMES, VALUES)])
                self.check(scene(curve, stop=seconds(1.5, ticks), tc=tc), Binary(7700))
                self.check(scene(curve, stop=seconds(1.5, ticks), tc=tc), Text(7700))

    def test_steps_are_on_time_at_every_rate(self):
        """A step on a frame's own tick is there in that frame, and not one frame later by the last bit of a double."""
        for rate in (24.0, 30.0, 25.0, 60.0, 30000 / 1001):
            with self.subTest(rate=rate):
                points = [Key(int(round(i * TICKS / rate)), float(i % 7), "constant") for i in range(40)]
                made = scene(Curve(points), stop=points[-1].time)
                self.put(made)
                form, _ = self.form("a.fbx", "--fps", repr(rate), quiet=True)
                for i, frame in enumerate(form["clips"][0]["frames"]):
                    self.assertAlmostEqual(frame[0][4], float(i % 7), 5, "frame %d" % i)

    def test_keys_before_zero(self):
        curve = Curve([Key(seconds(t - 0.75), v, "user", right=1.0, left=2.0) for t, v in zip(TIMES, VALUES)])
        for container in (TEXT, BINARY, OLD):
            self.check(scene(curve, start=seconds(-0.75), stop=seconds(0.75)), container)

    def test_angles_of_many_turns(self):
        curve = Curve([Key(seconds(t), v * 60, "user", right=100.0, left=-200.0) for t, v in zip(TIMES, VALUES)])
        made = scene(curve)
        made.takes[0].layers[0].curves.pop((made.nodes[0], "t"))
        self.assertGreater(max(abs(k.value) for k in made.takes[0].layers[0].curves[made.nodes[1], "r"][0].keys), 3600)
        self.check(made, BINARY, fps=90.0)

    def test_few_keys_on_two_axes_are_no_slerp(self):
        """By hand: halfway between (0, 0, 0) and (90, 90, 0) an Euler curve is at (45, 45, 0)."""
        made = scene(line([(0, 0.0), (1, 0.0)]), stop=seconds(1))
        made.takes[0].layers[0].curves[made.nodes[1], "r"] = [line([(0, 0.0), (1, 90.0)]), line([(0, 0.0), (1, 90.0)]), 0.0]
        self.put(made)
        form, _ = self.form("a.fbx", "--fps", "2")
        q = form["clips"][0]["frames"][1][[bone["name"] for bone in form["bones"]].index("knee")][:4]
        s, c = math.sin(math.pi / 8), math.cos(math.pi / 8)
        wanted = (s * c, c * s, -s * s, c * c)  # y after x
        sign = 1 if q[3] > 0 else -1
        for a, b in zip(q, wanted):
            self.assertAlmostEqual(a * sign, b, 5)


if __name__ == "__main__":
    main()
