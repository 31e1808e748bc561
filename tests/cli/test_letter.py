# SPDX-License-Identifier: MIT
"""Options that would do nothing or harm are refused, foreign files are named for what they are, and many clips of one name take no more than their number.
Covers: cmd_completion.c, output.c."""

import base64
import json
import struct
import subprocess
import time

import roms
import testing


def same_names(count):
    data = struct.pack("<2f6f", 0, 1, 0, 0, 0, 0, 1, 0)
    animation = {"name": "a", "samplers": [{"input": 0, "output": 1}], "channels": [{"sampler": 0, "target": {"node": 0, "path": "translation"}}]}
    return json.dumps({"asset": {"version": "2.0"}, "nodes": [{"name": "n"}], "buffers": [{"byteLength": 32, "uri": "data:application/octet-stream;base64," + base64.b64encode(data).decode()}],
                       "bufferViews": [{"buffer": 0, "byteOffset": 0, "byteLength": 8}, {"buffer": 0, "byteOffset": 8, "byteLength": 24}],
                       "accessors": [{"bufferView": 0, "componentType": 5126, "count": 2, "type": "SCALAR", "min": [0], "max": [1]}, {"bufferView": 1, "componentType": 5126, "count": 2, "type": "VEC3"}],
                       "animations": [animation] * count})


class Letter(testing.Case):
    def refused(self, *words, code=2):
        return self.one_line(self.ember(*words, code=code))

    def test_options_that_do_nothing_are_refused(self):
        self.write("a.gltf", same_names(1))
        self.assertIn("--source-space", self.refused("convert", "a.gltf", "--source-space", "model", "-o", "a.eza", code=1))
        self.assertIn("--compare", self.refused("preview", "a.gltf", "--clip-b", "a", "-o", "a.png"))
        self.write("m.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
        self.assertIn("--unpacked", self.refused("export", "mesh", "m.obj", "--unpacked", "-o", "m.nczxmesh"))
        self.assertIn("a.png", self.refused("run", "a.wasm", "--headless", "--screenshot", "a.png", "--record", "a.png"))

    def test_roms_of_others_are_named(self):
        for name, data, word in (("a.nczx", b"NCZX" + bytes(60), "Nethercore"), ("b.ewz", b"EWZ\0" + bytes(60), "first Emberware")):
            self.write(name, data)
            for words in (("info",), ("run", "--headless"), ("convert", "-o", "x.json")):
                self.assertIn(word, self.refused(*words, name, code=1))

    def test_capitals_are_for_those_who_ask(self):
        files = {"assets/Box.ewzmesh": None, "assets/ember.json": json.dumps({"assets": {"Box.ewzmesh": {"id": "My/Box"}}})}
        self.write("m.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
        roms.tree(self, {name: text for name, text in files.items() if text is not None})
        self.ember("convert", "-q", "m.obj", "-o", "assets/Box.ewzmesh")
        self.ember("convert", "-q", "m.obj", "--to", "ewzmesh", "-o", "assets/other.nczmesh")
        self.ember("build")
        self.assertEqual(roms.Rom(self.read("game.ewz")).names("mesh"), ["mesh:My/Box", "mesh:other"])

    def test_thousands_of_clips_of_one_name_take_no_more_than_their_number(self):
        testing.keep_files_in_memory()
        took = []
        for count in (500, 2000):
            self.write("same.gltf", same_names(count))
            begin = time.monotonic()
            self.ember("convert", "-q", "same.gltf", "--to", "ewzanim", "-o", "out%d/" % count)
            took.append(time.monotonic() - begin)
            self.assertEqual(len([name for name in self.files() if name.startswith("out%d/" % count)]), count)
        self.assertIn("out2000/a_2000.ewzanim", self.files())
        self.assertLess(took[1], 10 * took[0] + 2)  # four times as many, with room for a busy machine

    def test_completion_knows_values_sub_verbs_and_help(self):
        script = self.ember("completion", "bash").stdout.decode()
        for typed, wanted in ((["ember", "help", "co"], {"convert", "completion"}), (["ember", "export", "an"], {"animation"}), (["ember", "convert", "--space", "mo"], {"model"}),
                              (["ember", "ff7", "rep"], {"replace", "repack", "repair"})):
            words = script + "\nCOMP_WORDS=(%s)\nCOMP_CWORD=%d\n_ember\nprintf '%%s\\n' \"${COMPREPLY[@]}\"\n" % (" ".join(typed), len(typed) - 1)
            done = subprocess.run(["bash", "-c", words], capture_output=True, text=True)
            self.assertEqual(set(done.stdout.split()), wanted, done.stderr)


if __name__ == "__main__":
    testing.main()
