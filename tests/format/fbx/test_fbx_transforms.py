# SPDX-License-Identifier: MIT
"""FBX's chain of transforms through the command: rotation orders, pre- and post-rotation, pivots, offsets, which of them count, inherit types,
axes and units, compared with matrices by FBX's own formula.
Covers: fbx_nodes.c, fbx_rig.c, fbx_settings.c, fbx_transform.c."""

import itertools

from fbx_check import BINARY, OLD, TEXT, FbxCase, main
from fbx_scene import USUAL_TEMPLATE, Key, Curve, Layer, Node, Scene, Take, line, seconds

TURN = (25.0, -40.0, 70.0)
LATE = 1.0


def wave(start, *values):
    return line([(LATE * i / (len(values) - 1), start + v) for i, v in enumerate(values)])


def swing():
    """Three angles that move with few keys: never to be joined by slerp."""
    return [wave(10.0, 0, 60, -30), wave(-20.0, 0, 45, 90), wave(5.0, 0, 80, 20)]


def limbs(middle, inherit=1, above=(1.0, 1.0, 1.0), template=None, take=True, **scene):
    """hip, middle with these properties, foot; the middle swings."""
    hip = Node("hip", t=(0.1, 1.0, 0.0), r=(0.0, 15.0, 0.0), s=above, inherit=1)
    knee = Node("knee", hip, t=(0.0, -0.5, 0.1), inherit=inherit, **middle)
    foot = Node("foot", knee, t=(0.05, -0.4, 0.0), r=(10.0, 0.0, 30.0), inherit=inherit)
    curves = {(hip, "t"): [wave(0.1, 0, 0.5), 1.0, 0.0], (knee, "r"): swing()}
    takes = [Take("Take 001", [Layer(curves)], 0, seconds(LATE))] if take else []
    return Scene([hip, knee, foot], takes, template=template, **scene)


class Rotations(FbxCase):
    def test_every_rotation_order(self):
        for order in range(6):
            with self.subTest(order=order):
                self.check(limbs(dict(order=order, active=1, r=TURN)))
                self.check(limbs(dict(order=order, active=1, r=TURN), take=False))

    def test_every_rotation_order_with_pre_and_post_rotation(self):
        for order in range(6):
            with self.subTest(order=order):
                self.check(limbs(dict(order=order, active=1, r=TURN, pre=(90.0, 10.0, -35.0), post=(0.0, 35.0, 110.0))))

    def test_pre_rotation_alone_and_post_rotation_alone(self):
        for name in ("pre", "post"):
            for still in (False, True):
                with self.subTest(name=name, still=still):
                    self.check(limbs({name: (40.0, -15.0, 25.0), "r": TURN, "active": 1}, take=not still))

    def test_a_spheric_order_is_taken_for_xyz_with_a_warning(self):
        scene = limbs(dict(order=6, active=1))
        self.put(scene)
        form, lines = self.form("a.fbx", "--fps", "60")
        scene.nodes[1].props["order"] = 0
        self.check_take(scene, form, scene.takes[0], 60)
        self.assertTrue(any("knee" in line for line in lines), lines)

    def test_rotations_are_continuous(self):
        scene = limbs({})
        scene.takes[0].layers[0].curves[scene.nodes[1], "r"] = [wave(0.0, 0, 720), 0.0, wave(0.0, 0, -540)]
        self.put(scene)
        form, _ = self.form("a.fbx", "--fps", "60")
        frames = form["clips"][0]["frames"]
        for before, after in zip(frames, frames[1:]):
            for a, b in zip(before, after):
                self.assertGreater(sum(x * y for x, y in zip(a[:4], b[:4])), 0.0)
        self.check_take(scene, form, scene.takes[0], 60)


class WhatCounts(FbxCase):
    EXTRAS = dict(order=3, pre=(90.0, 10.0, -35.0), post=(0.0, 35.0, 110.0), r=TURN)

    def test_without_rotation_active_order_and_extra_rotations_do_not_count(self):
        self.check(limbs(dict(active=0, **self.EXTRAS)))

    def test_they_count_where_neither_node_nor_template_speak_of_it(self):
        self.check(limbs(self.EXTRAS))
        self.check(limbs(self.EXTRAS), OLD)

    def test_a_template_decides_where_the_node_is_silent(self):
        self.check(limbs(self.EXTRAS, template=USUAL_TEMPLATE))
        self.check(limbs(dict(active=1, **self.EXTRAS), template=USUAL_TEMPLATE))
        self.check(limbs(self.EXTRAS, template={"active": 1, "inherit": 1}))

    def test_a_template_has_values_too(self):
        scene = limbs({}, template={"active": 1, "pre": (0.0, 0.0, 45.0), "order": 4, "rp": (0.0, 0.1, 0.0)})
        self.check(scene)

    def test_rotation_space_for_limit_only(self):
        self.check(limbs(dict(active=1, limit_only=1, **self.EXTRAS)))

    def test_the_last_of_two_entries_counts(self):
        scene = limbs(dict(r=TURN), take=False)
        scene.nodes[1].props.pop("r")
        from fbx_make import Properties, records
        made = records(scene, TEXT)
        own = Properties(False)
        model = [rec for rec in next(rec for rec in made if rec.name == "Objects").children if rec.name == "Model"][1]
        model.find("Properties70").children += [own.numbers("Lcl Rotation", "Lcl Rotation", (1.0, 2.0, 3.0)), own.numbers("Lcl Rotation", "Lcl Rotation", TURN)]
        self.write("a.fbx", TEXT.file(made))
        form, _ = self.form("a.fbx", quiet=True)
        scene.nodes[1].props["r"] = TURN
        self.check_rest(scene, form)


class Pivots(FbxCase):
    MOVES = {"rp": (0.0, 0.2, 0.3), "roff": (0.1, 0.0, -0.2), "sp": (0.3, -0.1, 0.0), "soff": (-0.1, 0.1, 0.15)}

    def test_each_alone(self):
        for name, value in self.MOVES.items():
            with self.subTest(name=name):
                self.check(limbs({name: value, "s": (2.0, 2.0, 2.0), "r": TURN}))

    def test_all_together_in_all_versions(self):
        for container in (TEXT, BINARY, OLD):
            self.check(limbs(dict(s=(1.5, 1.5, 1.5), r=TURN, order=5, active=1, pre=(10.0, 20.0, 30.0), post=(30.0, 5.0, 0.0), **self.MOVES)), container)

    def test_a_scale_that_moves_about_a_pivot(self):
        scene = limbs(dict(r=TURN, **self.MOVES))
        scene.takes[0].layers[0].curves[scene.nodes[1], "s"] = [wave(1.0, 0, 1, 0.5)] * 3
        self.check(scene)

    def test_an_uneven_scale_about_a_pivot(self):
        """The foot is sheared, and hangs where it should."""
        scene = limbs(dict(r=TURN, s=(2.0, 0.5, 1.0), **self.MOVES))
        scene.nodes.pop()
        self.check(scene)

    def test_mirrors(self):
        for scale in ((-1.0, 1.0, 1.0), (1.0, -1.0, 1.0), (-1.0, -1.0, -1.0)):
            with self.subTest(scale=scale):
                self.check(limbs(dict(r=TURN, s=scale)))


class Inheriting(FbxCase):
    def test_even_scale_in_all_types(self):
        for kind in (0, 1, 2):
            for container in (TEXT, OLD):
                with self.subTest(kind=kind):
                    self.check(limbs(dict(r=TURN, s=(1.5, 1.5, 1.5)), inherit=kind, above=(2.0, 2.0, 2.0)), container)

    def test_a_moving_even_scale(self):
        for kind in (0, 1, 2):
            with self.subTest(kind=kind):
                scene = limbs(dict(r=TURN), inherit=kind)
                curves = scene.takes[0].layers[0].curves
                curves[scene.nodes[0], "s"] = [wave(1.0, 0, 1, 0.5)] * 3
                curves[scene.nodes[1], "s"] = [wave(1.0, 0, -0.5, 0.5)] * 3
                self.check(scene)

    def test_uneven_scale_that_reaches_the_places_only(self):
        """Types 0 and 2 are not sheared by the parent's scale; translation, rotation and scale of a chain cannot hold all of it, but places."""
        for kind in (0, 2):
            with self.subTest(kind=kind):
                self.check(limbs(dict(r=TURN), inherit=kind, above=(2.0, 0.5, 1.5)), axes=False, quiet=False)

    def test_types_mixed_down_a_chain(self):
        for kinds in itertools.product((0, 1, 2), repeat=3):
            with self.subTest(kinds=kinds):
                nodes, parent = [], None
                for i, kind in enumerate((1, *kinds)):
                    parent = Node("n%d" % i, parent, t=(0.1, 0.5, 0.0), r=(0.0, 20.0 * i, 10.0), s=(1.0 + 0.25 * i,) * 3, inherit=kind)
                    nodes.append(parent)
                curves = {(nodes[0], "s"): [wave(1.0, 0, 1)] * 3, (nodes[1], "r"): swing(), (nodes[2], "s"): [wave(1.0, 1, 0)] * 3}
                self.check(Scene(nodes, [Take("a", [Layer(curves)], 0, seconds(LATE))]), fps=10)

    def test_shear_that_no_bone_can_hold_is_warned_of_with_its_place(self):
        scene = limbs(dict(r=TURN), inherit=2, above=(3.0, 1.0, 1.0))
        self.put(scene)
        _, lines = self.form()
        self.assertTrue(any("Take 001:foot:" in line and "sheared" in line for line in lines), lines)
        self.assertTrue(any("knee" in line and "rest pose is sheared" in line for line in lines), lines)


class Spaces(FbxCase):
    def test_all_axes(self):
        for axes in itertools.permutations(range(3)):
            for signs in itertools.product((1, -1), repeat=3):
                odd = sum(axes[i] > axes[j] for i in range(3) for j in range(i + 1, 3)) % 2
                if signs[0] * signs[1] * signs[2] * (-1) ** odd < 0:
                    continue  # a mirror: no program writes one
                with self.subTest(axes=axes, signs=signs):
                    self.check(limbs(dict(r=TURN), axes=tuple(zip(axes, signs))), fps=6)

    def test_units(self):
        for unit in (1.0, 2.54, 100.0, 0.1, 30.48):
            for container in (BINARY, OLD):
                with self.subTest(unit=unit):
                    self.check(limbs(dict(r=TURN), unit=unit), container, fps=6)

    def test_without_settings_it_is_centimetres_with_y_up(self):
        self.check(limbs(dict(r=TURN), settings=False), fps=6)

    def test_a_scale_option(self):
        scene = limbs(dict(r=TURN), unit=1.0)
        self.put(scene)
        form, _ = self.form("a.fbx", "--fps", "6", "--scale", "100", quiet=True)
        scene.unit = 100.0
        self.check_take(scene, form, scene.takes[0], 6)

    def test_a_unit_that_makes_no_sense_is_no_reason_to_break(self):
        for unit in (0.0, -1.0, 1e300, 1e-300):
            with self.subTest(unit=unit):
                self.put(limbs({}, unit=unit))
                done = self.run_ember("info", "a.fbx")
                self.assertIn(done.returncode, (0, 1), done.stderr)


class Constant(FbxCase):
    def test_a_curve_of_one_key(self):
        scene = limbs(dict(r=TURN))
        scene.takes[0].layers[0].curves[scene.nodes[2], "t"] = [Curve([Key(0, 0.3)]), Curve([Key(seconds(0.5), -0.2)]), 0.1]
        self.check(scene)


if __name__ == "__main__":
    main()
