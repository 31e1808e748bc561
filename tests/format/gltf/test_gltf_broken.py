# SPDX-License-Identifier: MIT
"""Debian's assimp-testmodels: glTF files that are broken on purpose give one line and no crash, the others are read."""

import glob
import os
import subprocess

import gltf_compare as compare

FOLDER = "/usr/share/assimp/models"

# What must be refused, and a word of why.
BROKEN = {
    "glTF2/BoxTextured-glTF-techniqueWebGL/BoxTextured.gltf": "KHR_technique_webgl",
    "glTF2/BoxWithInfinites-glTF-Binary/BoxWithInfinites.glb": "POSITION: vertex 0 is not finite",
    "glTF2/IndexOutOfRange/AllIndicesOutOfRange.gltf": "indices: vertex 65535 of 24",
    "glTF2/IndexOutOfRange/IndexOutOfRange.gltf": "indices: vertex 255 of 24",
    "glTF2/MissingBin/BoxTextured.gltf": "BoxTextured0.bin",
    "glTF2/RecursiveNodes/RecursiveNodes.gltf": "nodes[0]: the node is its own ancestor",
    "glTF2/SchemaFailures/sceneWrongType.gltf": "scene: not the number",
    "glTF2/TestNoRootNode/NoScene.gltf": "scene: not the number",
    "glTF2/draco/2CylinderEngine.gltf": "KHR_draco_mesh_compression",
    "glTF2/wrongTypes/badArray.gltf": "meshes[0].primitives: a list expected",
    "glTF2/wrongTypes/badExtension.gltf": "KHR_texture_transform: an object expected",
    "glTF2/wrongTypes/badNumber.gltf": "normalTexture: scale: a number expected",
    "glTF2/wrongTypes/badObject.gltf": "pbrMetallicRoughness: an object expected",
    "glTF2/wrongTypes/badString.gltf": "scenes[0].name: a text expected",
    "glTF2/wrongTypes/badUint.gltf": "the number of a texture expected",
    "glTF/BoxTextured-glTF-Binary/BoxTextured.glb": "version 1",
    "glTF/BoxTextured-glTF/BoxTextured.gltf": "glTF 1.0",
}


def run():
    files = sorted(path for kind in ("gltf", "glb") for path in glob.glob(FOLDER + "/glTF*/**/*." + kind, recursive=True))
    if not files:
        compare.skip("assimp-testmodels is not installed")
    failed, refused = 0, 0
    for path in files:
        name = os.path.relpath(path, FOLDER)
        done = subprocess.run([compare.DUMP, path, "meshes"], capture_output=True, timeout=120)
        lines = done.stderr.decode(errors="replace").splitlines()
        if name in BROKEN:
            good = done.returncode == 1 and len(lines) == 1 and BROKEN[name] in lines[0]
        elif name.startswith("glTF/"):
            good = done.returncode == 1 and len(lines) == 1
        else:
            good = done.returncode == 0 and not lines
        refused += done.returncode == 1
        if not good:
            failed += 1
            print("%s: exit %d: %s" % (name, done.returncode, " / ".join(lines[:3])))
    print("%d files, %d refused, %d wrong" % (len(files), refused, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    compare.main(run)
