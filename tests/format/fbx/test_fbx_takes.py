# SPDX-License-Identifier: MIT
"""FBX's takes through the command: several of them, which part of a take is the clip, rates, layers with modes and weights, files whose last key
is late, and animation without a skin on the skeleton of another file.
Covers: fbx_clips.c, fbx_layers.c, fbx_old_takes.c, fbx_stacks.c."""

import itertools
import os

from fbx_bytes import Text
from fbx_check import BINARY, OLD, TEXT, FbxCase, main
from fbx_scene import TICKS, Cluster, Curve, Key, Layer, Mesh, Node, Scene, Take, line, seconds
from fbx_truth import RATES, Truth, inverse, multiply

OLD_TEXT = Text(6100)


def rig():
    hip = Node("hip", t=(0.2, 1.0, 0.0))
    knee = Node("knee", hip, t=(0.0, -0.5, 0.1), r=(20.0, 0.0, 0.0))
    return hip, knee


def smooth(points):
    return Curve([Key(seconds(t), v, "user", right=1.0 - v, left=v - 0.5) for t, v in points])


def moving(hip, knee, first, last, more=0.0, **how):
    """Keys from `first` to `last`."""
    middle = first + (last - first) * 0.4
    return Layer({(hip, "t"): [smooth([(first, 0.0 + more), (middle, 0.6), (last, -0.4)]), 1.0, 0.0],
                  (knee, "r"): [line([(first, 0.0), (last, 90.0)]), line([(first, 30.0), (middle, -60.0), (last, 10.0)]), 5.0]}, **how)


class Several(FbxCase):
    def made(self):
        hip, knee = rig()
        return Scene([hip, knee], [Take("Armature|Walk", [moving(hip, knee, 0, 1)], 0, seconds(1)),
                                   Take("run", [moving(hip, knee, 0.5, 2, 0.3)], seconds(0.5), seconds(2)),
                                   Take("still at the knee", [Layer({(hip, "t"): [line([(0, 0.0), (1, 1.0)]), 0.5, 0.0]})], 0, seconds(1))])

    def test_each_is_a_clip_in_the_files_order(self):
        for container in (TEXT, BINARY, OLD, OLD_TEXT):
            with self.subTest(version=container.version):
                made = self.made()
                self.check(made, container)
                form, _ = self.form()
                self.assertEqual([clip["name"] for clip in form["clips"]], [take.name for take in made.takes])

    def test_one_can_be_chosen(self):
        made = self.made()
        self.put(made)
        form, _ = self.form("a.fbx", "--clip", "run", "--fps", "60")
        self.assertEqual([clip["name"] for clip in form["clips"]], ["run"])
        self.check_take(made, form, made.takes[1], 60)
        listed = self.ember("export", "animation", "a.fbx", "--list").stdout.decode()
        for take in made.takes:
            self.assertIn(take.name, listed)
        self.ember("export", "animation", "a.fbx", "--animation", "1", "-o", "one.json")
        self.assertEqual([clip["name"] for clip in self.read_json("one.json")["clips"]], ["run"])
        self.ember("export", "animation", "a.fbx", "--animation", "nothing", "-o", "two.json", code=1)

    def test_a_take_that_moves_nothing_is_no_clip(self):
        """As Mixamo writes one beside its own."""
        made = self.made()
        made.takes = [Take("Take 001", [Layer({})], 0, seconds(1))] + made.takes[:1]
        self.put(made)
        form, _ = self.form("a.fbx", "--fps", "60")
        self.assertEqual([clip["name"] for clip in form["clips"]], ["Armature|Walk"])

    def test_takes_of_one_name(self):
        made = self.made()
        for take in made.takes:
            take.name = "mixamo.com"
        self.put(made)
        form, _ = self.form("a.fbx", "--fps", "60")
        self.assertEqual(len(form["clips"]), 3)
        for take, clip in zip(made.takes, form["clips"]):
            self.check_take(made, form, take, 60, clip=clip)


class Spans(FbxCase):
    def check_span(self, start, stop, first, last, where="local", wanted=None, container=BINARY, warned=None):
        hip, knee = rig()
        made = Scene([hip, knee], [Take("a", [moving(hip, knee, first, last)], None if start is None else seconds(start),
                                        None if stop is None else seconds(stop), where)])
        if wanted is not None:  # what the truth makes of it, by hand
            self.assertEqual([round(t / TICKS, 6) for t in Truth(made).span(made.takes[0])], list(wanted))
        if warned is None:
            self.check(made, container)
            return
        lines = self.check(made, container, quiet=False)
        self.assertEqual(len([said for said in lines if "a.fbx:a: warning:" in said and warned in said]), 1, lines)

    def test_equal(self):
        self.check_span(0, 1, 0, 1, wanted=(0, 1))

    def test_keys_within_the_span(self):
        for container in (BINARY, TEXT, OLD):
            self.check_span(0, 3, 0.5, 1.5, wanted=(0.5, 1.5), container=container)

    def test_span_within_the_keys(self):
        for container in (BINARY, TEXT, OLD):
            self.check_span(0.5, 1.5, 0, 3, wanted=(0.5, 1.5), container=container)

    def test_overlapping(self):
        self.check_span(0.5, 2, 0, 1.5, wanted=(0.5, 1.5), warned="keys")
        self.check_span(0, 1.5, 0.5, 2, wanted=(0.5, 1.5), warned="keys")

    def test_apart(self):
        """The keys are what somebody made."""
        self.check_span(0, 0.5, 1, 2, wanted=(1, 2), warned="keys")
        self.check_span(3, 4, 1, 2, wanted=(1, 2), warned="keys")

    def test_without_a_start_it_is_zero(self):
        self.check_span(None, 1, -1, 2, wanted=(0, 1))

    def test_without_a_span_it_is_the_keys(self):
        for container in (BINARY, OLD):
            self.check_span(None, None, 0.25, 2, wanted=(0.25, 2), container=container)

    def test_the_reference_span_where_there_is_no_local_one(self):
        self.check_span(0.5, 1.5, 0, 3, where="reference", wanted=(0.5, 1.5))

    def test_the_list_of_takes_where_the_stack_says_nothing(self):
        self.check_span(0.5, 1.5, 0, 3, where="takes", wanted=(0.5, 1.5))

    def test_the_whole_span_where_a_curve_goes_on(self):
        for letter, rounds in (("R", -1), ("K", -1), ("M", 2), ("A", None)):
            hip, knee = rig()
            layer = moving(hip, knee, 0.5, 1)
            layer.curves[hip, "t"][0].post = (letter, rounds)
            made = Scene([hip, knee], [Take("a", [layer], 0, seconds(2.5))])
            self.assertEqual(Truth(made).span(made.takes[0]), (0, seconds(2.5)))
            with self.subTest(letter=letter):
                self.check(made, BINARY, fps=37)

    def test_not_where_it_goes_on_as_a_constant(self):
        for said in (("C", -1), ("R", 0), ("Z", -1)):
            hip, knee = rig()
            layer = moving(hip, knee, 0.5, 1)
            layer.curves[hip, "t"][0].post = said
            with self.subTest(said=said):
                self.check(Scene([hip, knee], [Take("a", [layer], 0, seconds(2.5))]), BINARY)

    def test_a_part_of_a_clip(self):
        hip, knee = rig()
        made = Scene([hip, knee], [Take("a", [moving(hip, knee, 0, 2)], 0, seconds(2))])
        self.put(made)
        self.ember("export", "animation", "a.fbx", "--range", "0.5:1.5", "--frame-rate", "30", "--space", "local", "-o", "part.json")
        made.takes[0].start, made.takes[0].stop = seconds(0.5), seconds(1.5)
        self.check_take(made, self.read_json("part.json"), made.takes[0], 30)


class LateKeys(FbxCase):
    """Mixamo's files: some curves have their last key 35,237 ticks behind the take's end, which is no frame of its own and must not be cut off."""

    LATE = 35237

    def made(self, kind):
        hip, knee = rig()
        stop = seconds(20 / 30)
        times = [int(round(i * TICKS / 30)) for i in range(20)]
        def curve(scale, end):
            how = dict(kind="auto", independent=True) if kind == "auto" else dict(kind=kind)
            return Curve([Key(t, scale * (i * 7 % 5) / 5, **how) for i, t in enumerate(times)] + [Key(end, scale * 2.0, **how)])
        curves = {(hip, "t"): [curve(1.0, stop), curve(0.5, stop + self.LATE), 0.0],
                  (knee, "r"): [curve(90.0, stop + self.LATE), curve(45.0, stop), curve(-70.0, stop + self.LATE)]}
        return Scene([hip, knee], [Take("mixamo.com", [Layer(curves)], 0, stop), Take("Take 001", [Layer({})], 0, stop)], unit=1.0)

    def test_the_last_frame_is_right(self):
        for kind in ("auto", "linear"):
            for fps in (30.0, 60.0):
                with self.subTest(kind=kind, fps=fps):
                    made = self.made(kind)
                    take = made.takes.pop()
                    self.assertEqual(Truth(made).times(made.takes[0], 30)[-1], seconds(20 / 30))
                    made.takes.append(take)
                    self.put(made)
                    form, _ = self.form("a.fbx", "--fps", repr(fps), quiet=True)
                    self.check_take(made, form, made.takes[0], fps)

    def test_the_last_frame_is_not_the_one_before(self):
        """By hand: linear, the last key is 2 at a tick so near the end that no float sees it."""
        self.put(self.made("linear"))
        form, _ = self.form("a.fbx", "--fps", "30")
        frames = form["clips"][0]["frames"]
        self.assertEqual(len(frames), 21)
        self.assertAlmostEqual(frames[-1][0][5], 0.01, 5)  # a metre is 100


class Rates(FbxCase):
    def test_source_is_the_files_time_mode(self):
        modes = [(mode, None) for mode in RATES] + [(14, 12.5), (14, 90.0)]
        for mode, custom in modes:
            for container in (BINARY, OLD):
                if mode == 12:
                    continue  # a thousand frames a second: of no use, and no harm
                with self.subTest(mode=mode, custom=custom, version=container.version):
                    hip, knee = rig()
                    made = Scene([hip, knee], [Take("a", [moving(hip, knee, 0, 1)], 0, seconds(1))], time_mode=mode, custom_rate=custom)
                    self.put(made, container)
                    self.ember("export", "animation", "a.fbx", "--frame-rate", "source", "--space", "local", "-o", "out.json")
                    self.check_take(made, self.read_json("out.json"), made.takes[0], Truth(made).file_rate())

    def test_thirty_is_the_default(self):
        hip, knee = rig()
        made = Scene([hip, knee], [Take("a", [moving(hip, knee, 0, 1)], 0, seconds(1))], time_mode=11)
        self.put(made)
        form, _ = self.form()
        self.check_take(made, form, made.takes[0], 30)

    def test_a_rate_that_no_machine_has_is_not_taken(self):
        for mode, custom in ((14, 0.0), (14, -5.0), (14, 1e300), (99, None), (-1, None)):
            hip, knee = rig()
            self.put(Scene([hip, knee], [Take("a", [moving(hip, knee, 0, 1)], 0, seconds(1))], time_mode=mode, custom_rate=custom))
            with self.subTest(mode=mode, custom=custom):
                done = self.run_ember("export", "animation", "a.fbx", "--frame-rate", "source", "-o", "out.json")
                self.assertIn(done.returncode, (0, 1), done.stderr)

    def test_a_take_of_years_is_refused(self):
        hip, knee = rig()
        self.put(Scene([hip, knee], [Take("a", [moving(hip, knee, 0, 1e7)], 0, seconds(1e7))]))
        line = self.one_line(self.ember("convert", "a.fbx", "-o", "out.json", code=1))
        self.assertIn("frames", line)
        self.assertEqual(self.files(), ["a.fbx"])


class Layers(FbxCase):
    """The second layer moves, turns and scales both bones, the first only some."""

    def made(self, order=0, **how):
        hip = Node("hip", t=(0.2, 1.0, 0.0), order=order, active=1, pre=(0.0, 20.0, 0.0))
        knee = Node("knee", hip, t=(0.0, -0.5, 0.1), r=(20.0, 40.0, 0.0), s=(1.5, 1.5, 1.5), order=order, active=1)
        first = Layer({(hip, "t"): [smooth([(0, 0.0), (1, 0.6)]), 1.0, 0.0], (hip, "r"): [line([(0, 0.0), (1, 60.0)]), 10.0, line([(0, 0.0), (1, -50.0)])],
                       (knee, "s"): [line([(0, 1.0), (1, 2.0)])] * 3})
        second = Layer({(hip, "t"): [line([(0, 0.1), (1, -0.3)]), smooth([(0, 0.3), (1, 0.2)]), 0.1],
                        (hip, "r"): [line([(0, 30.0), (1, 10.0)]), line([(0, -20.0), (1, 70.0)]), 15.0],
                        (knee, "r"): [line([(0, 0.0), (1, 45.0)]), line([(0, 30.0), (1, 0.0)]), 0.0],
                        (knee, "s"): [line([(0, 1.0), (1, 0.5)])] * 3}, "over", **how)
        return Scene([hip, knee], [Take("a", [first, second], 0, seconds(1))])

    def test_modes_weights_and_accumulation(self):
        for mode, weight, rotation, scale in itertools.product((0, 1, 2), (100.0, 30.0, 0.0), (0, 1), (0, 1)):
            with self.subTest(mode=mode, weight=weight, rotation=rotation, scale=scale):
                self.check(self.made(mode=mode, weight=weight, rotation_mode=rotation, scale_mode=scale), BINARY, fps=12)

    def test_the_order_of_the_node_counts(self):
        for order, mode in itertools.product((1, 3, 5), (0, 2)):
            with self.subTest(order=order, mode=mode):
                self.check(self.made(order, mode=mode, weight=60.0), BINARY, fps=12, quiet=False)

    def test_weights_that_move(self):
        for mode in (0, 2):
            self.check(self.made(mode=mode, weight_curve=line([(0, 0.0), (0.5, 100.0), (1, 20.0)])), BINARY, fps=12)
            self.check(self.made(mode=mode, weight_curve=line([(0, -50.0), (1, 150.0)])), TEXT, fps=12)

    def test_the_first_layers_mode_and_weight_do_not_count(self):
        made = self.made()
        made.takes[0].layers[0].weight, made.takes[0].layers[0].mode = 20.0, 2
        self.check(made, BINARY, fps=12)

    def test_three_layers_in_their_order(self):
        made = self.made(mode=0, weight=50.0)
        hip, knee = made.nodes
        made.takes[0].layers.append(Layer({(hip, "r"): [line([(0, 90.0), (1, 0.0)]), 0.0, 0.0], (knee, "t"): [0.1, line([(0, 0.0), (1, -0.6)]), 0.0]},
                                          "top", mode=2, weight=40.0))
        self.check(made, BINARY, fps=12)
        made.takes[0].layers[1], made.takes[0].layers[2] = made.takes[0].layers[2], made.takes[0].layers[1]
        self.check(made, BINARY, fps=12)

    def test_an_empty_second_layer_changes_nothing(self):
        made = self.made()
        made.takes[0].layers[1] = Layer({}, "empty", mode=2)
        self.check(made, BINARY, fps=12)


class OnAnotherSkeleton(FbxCase):
    def body(self):
        """A skinned body, at rest."""
        hip, knee = rig()
        skin = Node("body", None, "Mesh")
        made = Scene([hip, knee, skin], unit=1.0)
        rest = Truth(made)
        worlds = {node: rest.in_file(m) for node, m in rest.worlds().items()}
        clusters = [Cluster(node, [i, i + 1], [1.0, 1.0], multiply(inverse(worlds[node]), worlds[skin]), worlds[node]) for i, node in enumerate((hip, knee))]
        made.meshes.append(Mesh(skin, [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)], [[0, 1, 2]], clusters=clusters))
        return made

    def test_animation_without_a_skin(self):
        """As Mixamo's files `without skin`: the same limbs, no mesh."""
        self.put(self.body(), name="body.fbx")
        hip, knee = rig()
        moves = Scene([hip, knee], [Take("mixamo.com", [moving(hip, knee, 0, 1)], 0, seconds(1))], unit=1.0)
        self.put(moves, name="walk.fbx")
        self.ember("export", "animation", "walk.fbx", "--skeleton", "body.fbx", "--space", "local", "--frame-rate", "30", "-o", "out.json")
        form = self.read_json("out.json")
        self.assertEqual([bone["name"] for bone in form["bones"]], ["hip", "knee"])
        self.check_take(moves, form, moves.takes[0], 30)

    def test_a_build_and_a_conversion_of_animation_without_a_skin(self):
        """The body's bones are in another order, and it has one more: a build takes them, a conversion keeps the file's own."""
        hip, knee = rig()
        moves = Scene([hip, knee], [Take("mixamo.com", [moving(hip, knee, 0, 1)], 0, seconds(1))], unit=1.0)
        body = self.body()
        body.nodes.insert(1, Node("tail", body.nodes[0], t=(0.0, 0.1, 0.0)))
        os.mkdir(self.path("assets"))
        self.put(body, name="assets/body.fbx")
        self.put(moves, name="assets/walk.fbx")
        self.write("assets/ember.json", b'{"assets": {"walk.fbx": {"skeleton": "body.fbx"}}}')
        self.ember("build", "assets", "-o", "game.ewz")
        said = self.ember("info", "game.ewz").stdout.decode()
        self.assertIn("3 bones of 1 clip", said)
        self.assertEqual(self.ember("convert", "assets/walk.fbx", "--skeleton", "assets/body.fbx", "-o", "out.json").returncode, 0)
        form = self.read_json("out.json")
        self.check_take(moves, form, moves.takes[0], 30)

    def test_a_bone_that_the_skeleton_lacks_is_named(self):
        self.put(self.body(), name="body.fbx")
        hip, knee = rig()
        extra = Node("tail", hip)
        layer = moving(hip, knee, 0, 1)
        layer.curves[extra, "r"] = [line([(0, 0.0), (1, 50.0)]), 0.0, 0.0]
        self.put(Scene([hip, knee, extra], [Take("a", [layer], 0, seconds(1))], unit=1.0), name="walk.fbx")
        line_said = self.one_line(self.ember("export", "animation", "walk.fbx", "--skeleton", "body.fbx", "-o", "out.json", code=1))
        self.assertIn("tail", line_said)

    def test_the_skeleton_of_a_file_without_takes(self):
        self.put(self.body(), name="body.fbx")
        self.ember("export", "skeleton", "body.fbx", "-o", "body.ewzskel")
        form, _ = self.form("body.fbx")
        self.assertEqual([bone["name"] for bone in form["bones"]], ["hip", "knee"])
        self.assertEqual(form["clips"], [])


if __name__ == "__main__":
    main()
