# SPDX-License-Identifier: MIT
"""10,000 clips of a second, independent reader and writer (tests/helpers/ff7_reference.py), both ways through the command."""

import json
import os
import random
import sys

import ff7_reference as reference
import testing

PACKS = 25
CLIPS = 400

testing.keep_files_in_memory()


def raw_of(clip):
    raw = {"format": "ff7", "kind": clip["kind"], "key": clip["key"], "bones_field": clip["bones_field"],
           "frames_field": clip["frames_field"], "frames_short": clip["frames_short"], "size_short": clip["size_short"],
           "positions": clip["positions"], "rotations": clip["rotations"]}
    return dict(raw, bytes=clip["bytes"].hex()) if "bytes" in clip else raw


def frames_of(clip):
    """The model's frames: the turned parent, the root, the bones of a chain; of a weapon the parent and the weapon."""
    top = [1, 0, 0, 0, 0, 0, 0, 1, 1, 1]
    for position, triples in zip(clip["positions"], clip["rotations"]):
        frame = [top, reference.quaternion(triples[0]) + position + [1, 1, 1]]
        for index, triple in enumerate(triples[1:]):
            frame.append(reference.quaternion(triple) + [0, 0, -100 if index else 0] + [1, 1, 1])
        yield frame


def bones_of(clips):
    count = max([len(clip["rotations"][0]) for clip in clips if clip["kind"] == "body" and clip["rotations"]] + [1]) - 1
    bones = [{"name": "ff7", "parent": -1, "rest": [1, 0, 0, 0, 0, 0, 0, 1, 1, 1]}, {"name": "root", "parent": 0, "rest": testing.IDENTITY}]
    for index in range(count):
        bones.append({"name": "bone_%02d" % index, "parent": index + 1, "rest": [0, 0, 0, 1, 0, 0, -100 if index else 0, 1, 1, 1]})
    if any(clip["kind"] == "weapon" for clip in clips):
        bones.append({"name": "weapon", "parent": 0, "rest": testing.IDENTITY})
    return bones


def document_of(clips):
    bones = bones_of(clips)
    made = []
    for index, clip in enumerate(clips):
        moved = list(range(1 + len(clip["rotations"][0]))) if clip["rotations"] else []
        made.append({"name": "%s_%02d" % (clip["kind"], index), "fps": 15, "loop": False, "space": "local", "frame_count": len(clip["positions"]),
                     "bones": [0, len(bones) - 1] if clip["kind"] == "weapon" else moved, "frames": list(frames_of(clip)), "markers": [],
                     "raw": raw_of(clip)})
    return {"format": "ember-clip", "version": 1, "bones": bones, "clips": made}


class Agreement(testing.Case):
    def compare(self, where, document, clips):
        wanted = document_of(clips)
        self.assertEqual([bone["name"] for bone in document["bones"]], [bone["name"] for bone in wanted["bones"]], where)
        self.assertEqual([bone["parent"] for bone in document["bones"]], [bone["parent"] for bone in wanted["bones"]], where)
        self.assertEqual(len(document["clips"]), len(clips), where)
        for index, (ours, theirs) in enumerate(zip(wanted["clips"], document["clips"])):
            place = "%s clip %d" % (where, index)
            self.assertRegex(theirs["raw"].pop("check"), "^[0-9a-f]{16}$")
            self.assertEqual(theirs["raw"].pop("index"), index, place)
            for key in ("name", "fps", "loop", "space", "frame_count", "raw"):
                self.assertEqual(theirs[key], ours[key], place)
            self.assertEqual(theirs.get("bones", list(range(len(document["bones"])))), ours["bones"], place)
            for a, b in zip((v for f in ours["frames"] for t in f for v in t), (v for f in theirs["frames"] for t in f for v in t)):
                if abs(a - b) > 3e-7:
                    self.fail("%s: %s is not %s" % (place, b, a))

    def test_clips_are_read_written_and_copied_alike(self):
        chance = random.Random(19970131)
        packs = {}
        for i in range(PACKS):
            clips = reference.random_pack(chance, CLIPS)
            style = {"masked": i % 3 == 2, "slack": ("0", "1", "01")[i % 3]}
            if i % 4 == 3:
                style["trailing"] = bytes(chance.randrange(256) for _ in range(chance.randrange(9)))
            data = reference.write(clips, **style) + (b"junk behind the last chunk" if i % 5 == 4 else b"")
            if style["masked"]:
                clips = reference.read(data)
            packs["p%02d" % i] = clips, data
            self.write("p%02d.a00" % i, data)
        self.assertEqual(sum(len(clips) for clips, _ in packs.values()), 10000)
        for folder, to in (("json", "json"), ("copy", "ff7")):
            os.mkdir(self.path(folder))
            self.ember("convert", "-q", *(name + ".a00" for name in packs), "-o", folder + "/", "--to", to, "--from", "ff7")
        for name, (clips, data) in packs.items():
            self.assertEqual(self.read("copy/%s.a00" % name), data, name)
            self.compare(name, self.read_json("json/%s.json" % name), clips)

        os.mkdir(self.path("made"))
        os.mkdir(self.path("back"))
        for name, (clips, _) in packs.items():
            self.write("made/%s.json" % name, json.dumps(document_of(clips)))
        self.ember("convert", "-q", *("made/%s.json" % name for name in packs), "-o", "back/", "--to", "ff7")
        for name, (clips, _) in packs.items():
            for clip in clips:
                clip["frames_field"] = max(len(clip["positions"]), 1)
            self.assertEqual(self.read("back/%s.a00" % name), reference.write(clips), name)


if __name__ == "__main__":
    testing.main()
