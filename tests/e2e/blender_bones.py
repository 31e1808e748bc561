# SPDX-License-Identifier: MIT
"""blender -b --factory-startup --python-exit-code 3 --python blender_bones.py -- OUT.json FPS FILE.glb [FILE.glb ...]
Imports each file and writes, per clip, the matrices of all bones at three frames: the first, the middle, the last."""

import json
import sys

import bpy
import numpy

if "bool" not in vars(numpy):
    numpy.bool = bool  # Blender 3.4's importer still uses it, numpy 1.24 has it no more

from io_scene_gltf2.blender.imp.gltf2_blender_animation import BlenderAnimation  # noqa: E402
from io_scene_gltf2.blender.imp.gltf2_blender_gltf import BlenderGlTF  # noqa: E402

OUT, FPS = sys.argv[sys.argv.index("--") + 1:][:2]
FILES = sys.argv[sys.argv.index("--") + 3:]
KEPT = {}
create = BlenderGlTF._create


def create_and_keep(gltf):
    KEPT["gltf"] = gltf  # the importer's own table of nodes and bones
    return create(gltf)


BlenderGlTF._create = staticmethod(create_and_keep)
BlenderAnimation.restore_animation = staticmethod(lambda *_: None)  # no clip active: the rest pose stays readable


def bone_names(gltf):
    return {node: vnode.blender_bone_name for node, vnode in gltf.vnodes.items() if isinstance(node, int) and vnode.type == 1}


def read(path):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.fps, scene.render.fps_base = int(FPS), 1  # before the import: keys are placed at seconds times rate
    bpy.ops.import_scene.gltf(filepath=path, bone_heuristic="BLENDER")
    names = bone_names(KEPT["gltf"])
    armature = next(o for o in bpy.data.objects if o.type == "ARMATURE")
    moved = [o for o in bpy.data.objects if o.animation_data]
    rest = [(x, x.location.copy(), x.rotation_quaternion.copy(), x.scale.copy())
            for o in bpy.data.objects for x in [o, *(o.pose.bones if o.pose else [])]]
    result = []
    for animation in KEPT["gltf"].data.animations or []:
        for thing, location, rotation, scale in rest:  # what a clip does not key must not keep the last clip's value
            thing.location, thing.rotation_quaternion, thing.scale = location, rotation, scale
        for o in moved:
            o.animation_data.action = next((t.strips[0].action for t in o.animation_data.nla_tracks if t.name == animation.track_name), None)
        last = animation.extras["ember"]["frame_count"] - 1
        poses = {}
        for frame in sorted({0, last // 2, last}):
            scene.frame_set(frame)
            poses[frame] = {node: [list(row) for row in armature.matrix_world @ armature.pose.bones[name].matrix] for node, name in names.items()}
        result.append(poses)
    return result


with open(OUT, "w", encoding="utf-8") as out:
    json.dump({path: read(path) for path in FILES}, out)
