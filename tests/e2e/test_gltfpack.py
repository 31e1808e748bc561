# SPDX-License-Identifier: MIT
"""The models of EMBER_CORPUS as gltfpack leaves them: quantised, compressed, and compressed with filters. The quantised ones are compared
with the sampler on the packed file itself, all of them with the model they came from."""

import os
import shutil
import subprocess
import tempfile

import gltf_compare as compare
import gltf_sampler as sampler
import test_gltf_corpus as test_corpus

# How gltfpack is called, and how far it may be from its source, of the extent. Its filter keeps 12 bits of a rotation, which adds up
# along a chain; with all 16 it is as near as without a filter.
MODES = [((), 1e-3), (("-c",), 1e-3), (("-cc",), 3e-3), (("-cc", "-ar", "16", "-at", "24"), 1e-3)]


def compare_with_source(document, packed):
    """The largest error of bones with the same name, of all clips; gltfpack samples at 30 Hz from the first key."""
    names = {node.get("name"): i for i, node in enumerate(document.nodes)}
    skins = document.json.get("skins", [])
    clips = {clip["name"]: clip for clip in packed["clips"]}
    worst, bones_seen, clips_seen = 0.0, 0, 0
    for animation in document.json.get("animations", []):
        clip = clips.get(animation.get("name")) or (packed["clips"][0] if len(packed["clips"]) == 1 else None)
        if clip is None:
            continue
        bones = document.bones(0)
        channels = document.channels(animation, bones)
        first, last = document.times_of(channels)
        times = compare.frame_times(first, last, 30)[:clip["frame_count"]]
        if len(clip["frames"]) not in (len(times), len(times) + 1):
            raise AssertionError("%s: %d frames, %d expected" % (clip["name"], len(clip["frames"]), len(times)))
        pairs = [(i, skins[0]["joints"][i] if skins else names.get(bone["name"])) for i, bone in enumerate(packed["bones"])]
        pairs = [(i, node) for i, node in pairs if node is not None]
        if not pairs:
            continue
        truth = []
        for time in times:
            pose, known = document.pose(channels, time), {}
            truth.append([document.world(node, pose, known) for _, node in pairs])
        origins = [[m[axis][3] for frame in truth for m in frame] for axis in range(3)]
        extent = max(max(values) - min(values) for values in origins) or 1.0
        for frame, wanted in zip(clip["frames"], truth):
            model = compare.compose(packed["bones"], frame)
            for (i, _), w in zip(pairs, wanted):
                worst = max(worst, compare.displacement(model[i], w, extent / 60) / extent)
        bones_seen, clips_seen = len(pairs), clips_seen + 1
    return clips_seen, bones_seen, worst


def run():
    if not shutil.which("gltfpack"):
        compare.skip("there is no gltfpack")
    failed = 0
    for path in compare.corpus():
        document = sampler.Document(path)
        # Few of the 76 clips are enough to see what packing does.
        document.json["animations"] = document.json["animations"][:6]
        plain = None
        for mode, limit in MODES:
            name = "%s %s" % (os.path.basename(path), " ".join(mode))
            with tempfile.TemporaryDirectory(prefix="ember-test-") as folder:
                packed = os.path.join(folder, "packed.glb")
                done = subprocess.run(["gltfpack", "-i", path, "-o", packed, "-kn", *mode], capture_output=True)
                if done.returncode != 0:
                    print("%-38s gltfpack refuses it" % name)
                    continue
                try:
                    exact = 0.0
                    if not mode and os.path.getsize(path) < 1000000:
                        exact = max(test_corpus.check_clips(packed, (), 30.0)[2:] + test_corpus.check_meshes(packed)[2:])
                    read = compare.dump(packed)["model"]
                    if mode == ("-c",) and read != plain:
                        raise AssertionError("the compressed file is not the plain one")
                    plain = read
                    clips, bones, worst = compare_with_source(document, read)
                    named = any("name" in node for node in document.nodes)
                    good = worst <= limit and exact <= test_corpus.MESH_LIMIT and (bones > 0 or not named)
                    failed += not good
                    print("%-38s %d clips  %3d bones  %.1e of extent from the source, %.1e from the file%s"
                          % (name, clips, bones, worst, exact, "" if good else "  TOO FAR"))
                except (AssertionError, RuntimeError) as problem:
                    failed += 1
                    print("%-38s FAILED: %s" % (name, problem))
    return 1 if failed else 0


if __name__ == "__main__":
    compare.main(run)
