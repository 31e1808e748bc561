# SPDX-License-Identifier: MIT
"""--take of files with several takes and layers: one take alone, one layer of a take by itself, what is listed, and words that mean nothing."""

import json
import os

from fbx_check import BINARY, OLD, TEXT, FbxCase, main
from fbx_scene import Layer, Node, Scene, Take, line, seconds


def moving(hip, knee, last):
    return Layer({(hip, "t"): [line([(0, 0.0), (last, -0.4)]), 1.0, 0.0], (knee, "r"): [line([(0, 0.0), (last, 90.0)]), line([(0, 30.0), (last, 10.0)]), 5.0]})


class OneLayer(FbxCase):
    """TAKE:LAYER is the layer as if the take had no other."""

    def made(self):
        hip = Node("hip", t=(0.2, 1.0, 0.0))
        knee = Node("knee", hip, t=(0.0, -0.5, 0.1), r=(20.0, 0.0, 0.0))
        first = Layer({(hip, "t"): [line([(0, 0.0), (1, 0.6)]), 1.0, 0.0], (hip, "r"): [line([(0, 0.0), (1, 60.0)]), 0.0, 0.0]})
        over = Layer({(hip, "r"): [line([(0.25, 30.0), (0.75, 10.0)]), line([(0.25, -20.0), (0.75, 70.0)]), 15.0],
                      (knee, "s"): [line([(0.25, 1.0), (0.75, 0.5)])] * 3}, "over", mode=2, weight=30.0)
        top = Layer({(knee, "r"): [line([(0, 0.0), (1, 90.0)]), 0.0, 0.0]}, "top: hand")
        walk = Take("Armature|Walk: fast", [first, over, top], 0, seconds(1))
        run = Take("run", [moving(hip, knee, 0.5), Layer({(knee, "r"): [line([(0, 5.0), (0.5, 0.0)]), 0.0, 0.0]}, "over", mode=0)], 0, seconds(0.5))
        return Scene([hip, knee], [Take("empty", [Layer({})]), walk, run])

    def check_alone(self, made, take, layer, form, fps=24):
        wanted = Take("%s:%s" % (take.name, layer.name), [Layer(layer.curves)], take.start, take.stop)
        self.assertEqual([clip["name"] for clip in form["clips"]], [wanted.name])
        self.check_take(Scene(made.nodes, [wanted]), form, wanted, fps)

    def test_each_is_what_the_take_would_be_without_the_others(self):
        made = self.made()
        for container in (BINARY, TEXT):
            self.put(made, container)
            for take in made.takes[1:]:
                for number, layer in enumerate(take.layers):
                    for word in (layer.name, str(number)):
                        with self.subTest(take=take.name, layer=layer.name, word=word):
                            form, _ = self.form("a.fbx", "--fps", "24", "--take", "%s:%s" % (take.name, word), quiet=True)
                            self.check_alone(made, take, layer, form)

    def test_a_take_alone_has_all_its_layers(self):
        made = self.made()
        self.put(made)
        for word, take in (("run", made.takes[2]), ("1", made.takes[2]), ("Armature|Walk: fast", made.takes[1]), ("0", made.takes[1])):
            form, _ = self.form("a.fbx", "--fps", "24", "--take", word)
            self.assertEqual([clip["name"] for clip in form["clips"]], [take.name])
            self.check_take(made, form, take, 24)

    def test_every_verb_that_compares_or_writes_clips_takes_it(self):
        made = self.made()
        self.put(made)
        self.ember("export", "animation", "a.fbx", "--take", "run:over", "--space", "local", "--frame-rate", "24", "-o", "out.json")
        self.check_alone(made, made.takes[2], made.takes[2].layers[1], self.read_json("out.json"))
        self.assertIn("run:over", self.ember("info", "a.fbx", "--take", "run:over").stdout.decode())
        same = ("diff", "a.fbx", "out.json", "--fps", "24", "--tolerance", "1e-5", "--take")
        self.ember(*same, "run:over")
        self.ember(*same, "run", code=1)
        self.ember("preview", "a.fbx", "--take", "run:over", "-o", "out.png")
        self.ember("export", "skeleton", "a.fbx", "--take", "run:over", "-o", "out.ewzskel", code=2)

    def test_a_build_takes_it(self):
        made = self.made()
        os.mkdir(self.path("assets"))
        self.put(made, name="assets/a.fbx")
        self.write("assets/ember.json", json.dumps({"assets": {"a.fbx": {"take": "run:over"}}}).encode())
        self.ember("build", "assets", "-o", "game.ewz")
        said = self.ember("info", "game.ewz").stdout.decode()
        self.assertIn("2 bones of 1 clip", said)  # which has the file's name
        self.assertIn(" 16 ", said)  # frames in half a second
        self.write("assets/ember.json", json.dumps({"assets": {"a.fbx": {"take": "nothing"}}}).encode())
        self.assertIn("nothing", self.ember("build", "assets", "-o", "game.ewz", code=1).stderr.decode())

    def test_layers_are_listed(self):
        self.put(self.made())
        said = self.ember("info", "a.fbx").stdout.decode()
        self.assertIn("layers of 0: BaseLayer, over, top: hand", said)
        self.assertIn("layers of 1: BaseLayer, over", said)
        listed = self.ember("export", "animation", "a.fbx", "--list").stdout.decode()
        self.assertIn("BaseLayer, over, top: hand", listed)
        clips = json.loads(self.ember("info", "a.fbx", "--format", "json").stdout)["files"][0]["clips"]
        self.assertEqual([clip["layers"] for clip in clips], [["BaseLayer", "over", "top: hand"], ["BaseLayer", "over"]])

    def test_one_layer_is_not_listed(self):
        made = self.made()
        made.takes = [Take("run", made.takes[2].layers[:1], 0, seconds(0.5))]
        self.put(made)
        for words in (("info", "a.fbx"), ("info", "a.fbx", "--format", "json"), ("export", "animation", "a.fbx", "--list")):
            self.assertNotIn("layer", self.ember(*words).stdout.decode())

    def test_what_is_not_there_is_named(self):
        self.put(self.made())
        for word in ("walk", "run:", "run:none", "run:7", "2", ":over", "empty", "empty:0"):
            with self.subTest(word=word):
                said = self.one_line(self.ember("convert", "a.fbx", "--take", word, "-o", "out.json", code=1))
                for name in ("run", "over", "Armature"):
                    self.assertIn(name, said)
                self.assertEqual(self.files(), ["a.fbx"])

    def test_two_of_one_name_have_numbers(self):
        made = self.made()
        for take in made.takes[1:]:
            take.name = "mixamo.com"
        self.put(made)
        self.assertIn("several", self.one_line(self.ember("convert", "a.fbx", "--take", "mixamo.com:over", "-o", "out.json", code=1)))
        form, _ = self.form("a.fbx", "--fps", "24", "--take", "1:over")
        self.check_alone(made, made.takes[2], made.takes[2].layers[1], form)

    def test_version_6_has_one_layer(self):
        made = self.made()
        made.takes = [Take("run", made.takes[2].layers[:1], 0, seconds(0.5))]
        self.put(made, OLD)
        for word in ("run", "run:0", "0"):
            form, _ = self.form("a.fbx", "--fps", "24", "--take", word)
            self.check_take(made, form, made.takes[0], 24)

    def test_other_formats_have_no_takes(self):
        self.put(self.made())
        self.ember("convert", "a.fbx", "-o", "a.glb")
        for words in (("convert", "a.glb", "-o", "b.json"), ("info", "a.glb"), ("export", "animation", "a.glb", "-o", "b.json"), ("diff", "a.glb", "a.glb"),
                      ("preview", "a.glb", "-o", "b.png")):
            self.assertIn("FBX", self.one_line(self.ember(*words, "--take", "run", code=1)))


if __name__ == "__main__":
    main()
