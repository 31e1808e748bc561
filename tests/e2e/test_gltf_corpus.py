# SPDX-License-Identifier: MIT
"""Every clip of every model of EMBER_CORPUS, read by the library and by the sampler that was written from the specification: joints in
model space and in local space, and the vertices of all meshes."""

import math
import os
import struct

import gltf_compare as compare
import gltf_sampler as sampler

# Of the extent: what floats leave of it. The sampler itself is good to 1e-12 or so.
CLIP_LIMIT = 2e-6
MESH_LIMIT = 3e-6


def check_clips(path, options, fps):
    document = sampler.Document(path)
    read = compare.dump(path, *options)["model"]
    bones = document.bones(0)
    compare.check_bones(document, bones, read)
    animations = document.json.get("animations", [])
    if len(animations) != len(read["clips"]):
        raise AssertionError("%d clips, %d expected" % (len(read["clips"]), len(animations)))
    model = local = 0.0
    for animation, clip in zip(animations, read["clips"]):
        if "name" in animation and animation["name"] != clip["name"]:
            raise AssertionError("clip %s, %s expected" % (clip["name"], animation["name"]))
        result = compare.compare_clip(document, bones, clip, animation, read, fps)
        model, local = max(model, result.model), max(local, result.local)
    return len(animations), len(bones), model, local


# ---- meshes ----

def corners(document, primitive):
    """The vertices of a primitive's triangles, three each."""
    count = document.json["accessors"][primitive["attributes"]["POSITION"]]["count"]
    indices = [i[0] for i in document.accessor(primitive["indices"])] if "indices" in primitive else list(range(count))
    mode = primitive.get("mode", 4)
    if mode == 4:
        return indices[:len(indices) // 3 * 3]
    if mode == 5:
        return [indices[k] for i in range(len(indices) - 2) for k in (i, i + 1 + i % 2, i + 2 - i % 2)]
    return [indices[k] for i in range(len(indices) - 2) for k in (i + 1, i + 2, 0)]


def truth_corners(document, node, pose, bones):
    """World positions of all corners of a node's mesh, as the specification places them, and whether it is mirrored below its bone."""
    own = document.nodes[node]
    known, found = {}, []
    place = document.world(node, pose, known)
    mirrored = False
    if "skin" in own:
        skin = document.json["skins"][own["skin"]]
        binds = document.accessor(skin["inverseBindMatrices"]) if "inverseBindMatrices" in skin else [[1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]] * len(skin["joints"])
        palette = [sampler.multiply(document.world(joint, pose, known), sampler.from_columns(bind)) for joint, bind in zip(skin["joints"], binds)]
    else:
        above = next((n for n in [node, *document.ancestors(node)] if n in bones), None)
        base = document.world(above, pose, known) if above is not None else sampler.identity()
        mirrored = sampler.determinant(place) * sampler.determinant(base) < 0
    for primitive in document.json["meshes"][own["mesh"]]["primitives"]:
        attributes = primitive["attributes"]
        positions = document.accessor(attributes["POSITION"])
        skinned = "skin" in own and "JOINTS_0" in attributes
        joints = document.accessor(attributes["JOINTS_0"]) if skinned else None
        weights = document.accessor(attributes["WEIGHTS_0"]) if skinned else None
        placed = []
        for i, p in enumerate(positions):
            if not skinned:
                placed.append(sampler.point(place, p))
                continue
            total = sum(weights[i])
            mixed = [0.0, 0.0, 0.0]
            for joint, weight in zip(joints[i], weights[i]):
                if weight:
                    mixed = [a + weight / total * b for a, b in zip(mixed, sampler.point(palette[joint], p))]
            placed.append(mixed)
        order = corners(document, primitive)
        if mirrored:
            order = [order[i // 3 * 3 + (0, 2, 1)[i % 3]] for i in range(len(order))]
        found += [placed[i] for i in order]
    return found


def read_corners(mesh, model, binds):
    positions = [mesh["positions"][i:i + 3] for i in range(0, len(mesh["positions"]), 3)]
    if mesh["joints"]:
        palette = [sampler.multiply(m, [binds[i * 12:i * 12 + 4], binds[i * 12 + 4:i * 12 + 8], binds[i * 12 + 8:i * 12 + 12], [0, 0, 0, 1]])
                   for i, m in enumerate(model)]
        placed = []
        for i, p in enumerate(positions):
            weights = mesh["weights"][i * 4:i * 4 + 4]
            if abs(sum(weights) - 1) > 1e-6 or weights != sorted(weights, reverse=True):
                raise AssertionError("%s: weights %s" % (mesh["name"], weights))
            mixed = [0.0, 0.0, 0.0]
            for joint, weight in zip(mesh["joints"][i * 4:i * 4 + 4], weights):
                if weight:
                    mixed = [a + weight * b for a, b in zip(mixed, sampler.point(palette[joint], p))]
            placed.append(mixed)
    elif mesh["bone"] >= 0:
        placed = [sampler.point(model[mesh["bone"]], p) for p in positions]
    else:
        placed = positions
    return [placed[i] for i in mesh["indices"]]


def check_meshes(path):
    document = sampler.Document(path)
    read = compare.dump(path, "meshes")
    bones = document.bones(0)
    skins = document.json.get("skins", [])
    nodes = [i for i, node in enumerate(document.nodes) if "mesh" in node
             and ("skin" not in node or all(joint in bones for joint in skins[node["skin"]]["joints"]))]
    if len(nodes) != len(read["meshes"]):
        raise AssertionError("%d meshes, %d expected" % (len(read["meshes"]), len(nodes)))
    animations = document.json.get("animations", [])
    worst, vertices = 0.0, 0
    for which in sorted({0, len(animations) - 1}):
        clip = read["model"]["clips"][which]
        channels = document.channels(animations[which], bones)
        times = compare.frame_times(*document.times_of(channels), 30)
        frame = len(times) // 2
        pose = document.pose(channels, times[frame])
        model = compare.compose(read["model"]["bones"], clip["frames"][frame])
        for node, mesh in zip(nodes, read["meshes"]):
            wanted, got = truth_corners(document, node, pose, bones), read_corners(mesh, model, read["binds"])
            if len(wanted) != len(got):
                raise AssertionError("%s: %d corners, %d expected" % (mesh["name"], len(got), len(wanted)))
            extent = max(max(p[k] for p in wanted) - min(p[k] for p in wanted) for k in range(3))
            size = max(extent, max(abs(v) for p in wanted for v in p))
            worst = max(worst, max(math.dist(a, b) for a, b in zip(wanted, got)) / size)
            vertices += len(mesh["positions"]) // 3
    return len(nodes), vertices, worst


def run():
    failed = 0
    for path in compare.corpus():
        name = os.path.basename(path)
        try:
            # 30 is the default; 47 falls between nearly all keys.
            for options, fps in (((), 30.0), (("fps=47",), 47.0)):
                if fps != 30.0 and os.path.getsize(path) > 1000000:
                    continue
                clips, bones, model, local = check_clips(path, options, fps)
                good = model <= CLIP_LIMIT and local <= CLIP_LIMIT
                failed += not good
                print("%-24s %2g Hz  %2d clips  %3d bones  model %.1e  local %.1e of extent%s"
                      % (name, fps, clips, bones, model, local, "" if good else "  TOO FAR"))
            meshes, vertices, worst = check_meshes(path)
            failed += worst > MESH_LIMIT
            print("%-24s        %2d meshes  %5d vertices  %.1e of size%s" % (name, meshes, vertices, worst, "" if worst <= MESH_LIMIT else "  TOO FAR"))
        except (AssertionError, RuntimeError) as problem:
            failed += 1
            print("%-24s FAILED: %s" % (name, problem))
    return 1 if failed else 0


if __name__ == "__main__":
    compare.main(run)
