# SPDX-License-Identifier: MIT
"""What is written is what was there: every frame of every sample, sampled from the .glb and the .gltf by the second implementation,
against the clip form. And how little is written: no channel of a bone that rests, no key that its neighbours imply."""

import os
import struct

import gltf_samples as samples
from gltf_samples import sampler

# Of the extent. A key that is left out may be off by 2.5e-7 of the largest value of its channel or 5e-7 radians, and so along a
# chain of bones.
LIMIT = 4e-6


def as_float(value):
    """Times are floats in the file: sampled beside them, a capture that jumps between two frames would show some of the jump."""
    return struct.unpack("<f", struct.pack("<f", value))[0]


def check_clip(document, form, clip, animation):
    fps = clip["fps"]
    channels = document.channels(animation, document.bones(0))
    count = clip["frame_count"]
    first, last = document.times_of(channels)
    if first != 0.0 or abs(last - (count - 1) / fps) > 1e-6 * max(last, 1.0):
        raise AssertionError("lasts from %g to %g, not to %g" % (first, last, (count - 1) / fps))
    frames = list(samples.poses(form, clip))
    size = samples.extent(frames)
    worst = 0.0
    for i, wanted in enumerate(frames):
        if count > 200 and i % 7 and i != count - 1:
            continue  # long captures: every seventh frame, or Python takes minutes
        pose = {}
        for (node, path), channel in channels.items():
            pose.setdefault(node, {})[path] = document.sample(channel, path, as_float(i / fps))
        known = {}
        for bone, matrix in enumerate(wanted):
            worst = max(worst, samples.distance(document.world(bone, pose, known), matrix, size))
    keys = sum(len(document.accessor(channel["input"])) for channel in channels.values())
    return worst, keys, len(channels)


def check_extras(clip, animation):
    extras = animation["extras"]["ember"]
    for key in ("loop", "space", "frame_count"):
        if extras[key] != clip[key]:
            raise AssertionError("%s is %r" % (key, extras[key]))
    if extras.get("markers", []) != clip["markers"] or extras.get("fps", clip["fps"]) != clip["fps"] or extras.get("bones") != clip.get("bones"):
        raise AssertionError("markers, rate or bones are %r" % extras)


def check_file(folder, name, extension):
    form = samples.clip_form(folder, name)
    document = sampler.Document(os.path.join(folder, name + extension))
    animations = document.json.get("animations", [])
    if len(animations) != len(form["clips"]):
        raise AssertionError("%d animations, %d clips" % (len(animations), len(form["clips"])))
    for bone, node in zip(form["bones"], document.nodes):
        if bone["name"] != node["name"]:
            raise AssertionError("bone %s is called %s" % (bone["name"], node["name"]))
    failed = 0
    for clip, animation in zip(form["clips"], animations):
        check_extras(clip, animation)
        worst, keys, channels = check_clip(document, form, clip, animation)
        most = 3 * len(form["bones"]) * clip["frame_count"]
        print("%s%s %s: %.2g of the extent, %d channels, %d keys of %d" % (name, extension, clip["name"], worst, channels, keys, most))
        failed |= not worst <= LIMIT
    return failed


# Channels and keys of the first clip: what must be there, and no more. Of the rig's walk: the hips' position bobs (31 keys), the thigh
# swings (31), the shin turns by 5 radians, which takes a key at least every 0.05 (31), the spine is held (1), the head's scale goes
# straight (2).
COUNTS = {"rig": (5, 96), "stills": (1, 2), "crowd": (300, None)}


def check_counts(folder):
    failed = 0
    for name, (channels, keys) in COUNTS.items():
        document = sampler.Document(os.path.join(folder, name + ".glb"))
        animation = document.json["animations"][0]
        found = sum(document.json["accessors"][s["input"]]["count"] for s in animation["samplers"])
        if len(animation["channels"]) != channels or keys not in (None, found):
            print("%s: %d channels and %d keys, %d and %s expected" % (name, len(animation["channels"]), found, channels, keys))
            failed = 1
        inputs = {s["input"] for s in animation["samplers"]}
        times = [tuple(t[0] for t in document.accessor(i)) for i in inputs]
        if len(set(times)) != len(times):
            print("%s: the same times are stored twice" % name)
            failed = 1
    return failed


def run(program, folder):
    failed = 0
    for name in samples.make(program, folder):
        for extension in (".glb", ".gltf"):
            failed |= check_file(folder, name, extension)
    failed |= check_counts(folder)
    files = samples.motion_files()
    if not files:
        print("no BVH files: EMBER_CORPUS is not set and assimp-testmodels are not installed")
    for path in files[:2]:
        for name in samples.make(program, folder, [path]):
            failed |= check_file(folder, name, ".glb")
    return failed


samples.main(run)
