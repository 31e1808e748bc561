# SPDX-License-Identifier: MIT
"""blender -b --factory-startup --python-exit-code 3 --python blender_puppet.py -- FOLDER
A puppet as an artist might leave it, exported in the ways that trouble readers, and truth.json: where Blender itself has its bones and its
skin. Actions begin at frame 1, as Blender's scenes do; some bones carry no weights, one vertex follows no bone; a box hangs on a hand; one bone
turns in Euler angles; a scale moves."""

import json
import math
import os
import sys

import bpy
from mathutils import Euler, Vector

FOLDER = sys.argv[sys.argv.index("--") + 1]
SCENE = None

# Name, parent, head, tail: metres, z up.
BONES = [
    ("ground", None, (0, 0, 0), (0, 0.3, 0)),
    ("hips", "ground", (0, 0, 0.9), (0, 0, 1.1)),
    ("spine", "hips", (0, 0, 1.1), (0, 0.02, 1.5)),
    ("head", "spine", (0, 0.02, 1.5), (0, 0, 1.8)),
    ("arm.l", "spine", (0.2, 0, 1.45), (0.5, 0.05, 1.4)),
    ("hand.l", "arm.l", (0.5, 0.05, 1.4), (0.7, 0, 1.4)),
    ("arm.r", "spine", (-0.2, 0, 1.45), (-0.5, 0.05, 1.4)),
    ("hand.r", "arm.r", (-0.5, 0.05, 1.4), (-0.7, 0, 1.4)),
    ("leg.l", "hips", (0.1, 0, 0.9), (0.1, -0.02, 0.1)),
    ("leg.r", "hips", (-0.1, 0, 0.9), (-0.1, -0.02, 0.1)),
]
UNWEIGHTED = ("ground", "hand.l")

# Frame: {bone: (degrees, place, scale)}; None: not keyed.
ACTIONS = {
    "Nod": {1: {"head": ((0, 0, 0), None, None), "arm.l": ((0, 0, 0), None, None), "hips": (None, (0, 0, 0), None)},
            9: {"head": ((35, 10, 0), None, None), "arm.l": ((0, 40, 20), None, None)},
            25: {"head": ((-20, 0, 30), None, None), "arm.l": ((10, -70, 0), None, None), "hips": (None, (0.1, 0.05, -0.2), None)}},
    "Reach": {1: {"arm.r": ((0, 0, 0), None, None), "spine": ((0, 0, 0), None, (1, 1, 1)), "ground": (None, (0, 0, 0), None)},
              16: {"arm.r": ((60, -30, 45), None, None), "spine": ((15, 0, -10), None, (1.2, 1.2, 1.2))},
              41: {"arm.r": ((-50, 20, 0), None, None), "spine": ((0, 25, 0), None, (0.9, 0.9, 0.9)), "ground": (None, (0.3, 0.6, 0), None)}},
}
LAST = {"Nod": 25, "Reach": 41}


def make_armature():
    rig = bpy.data.objects.new("Puppet", bpy.data.armatures.new("Puppet"))
    SCENE.collection.objects.link(rig)
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="EDIT")
    for name, parent, head, tail in BONES:
        bone = rig.data.edit_bones.new(name)
        bone.head, bone.tail = head, tail
        if parent:
            bone.parent = rig.data.edit_bones[parent]
    bpy.ops.object.mode_set(mode="OBJECT")
    for bone in rig.pose.bones:
        bone.rotation_mode = "XYZ" if bone.name == "head" else "QUATERNION"
    return rig


def make_object(name, vertices, faces):
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(vertices, [], faces)
    mesh.update()
    made = bpy.data.objects.new(name, mesh)
    SCENE.collection.objects.link(made)
    return made


BOX = [(0, 1, 2, 3), (7, 6, 5, 4), (0, 4, 5, 1), (1, 5, 6, 2), (2, 6, 7, 3), (3, 7, 4, 0)]


def make_skin(rig):
    """A box along every bone that has weights; its ends share them with the bone's parent."""
    vertices, faces, groups = [], [], []
    for name, parent, head, tail in BONES:
        if name in UNWEIGHTED:
            continue
        start, end = Vector(head), Vector(tail)
        side = (end - start).orthogonal().normalized() * 0.06
        across = side.cross((end - start).normalized())
        base = len(vertices)
        for at, share in ((start, 0.3), (end, 0.0)):
            for corner in (side + across, across - side, -side - across, side - across):
                vertices.append(at + corner)
                shared = share if parent and parent not in UNWEIGHTED else 0.0
                groups.append({name: 1 - shared, **({parent: shared} if shared else {})})
        faces += [tuple(base + i for i in face) for face in BOX]
    skin = make_object("Skin", [tuple(v) for v in vertices], faces)
    for i, weights in enumerate(groups):
        for group, weight in weights.items():
            (skin.vertex_groups.get(group) or skin.vertex_groups.new(name=group)).add([i], weight, "REPLACE")
    skin.parent = rig
    skin.modifiers.new("Armature", "ARMATURE").object = rig
    return skin


def make_prop(rig):
    prop = make_object("Torch", [(x * 0.03, y * 0.03, z * 0.4) for z in (0, 1) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))], BOX)
    prop.parent, prop.parent_type, prop.parent_bone = rig, "BONE", "hand.r"
    prop.location = (0.02, -0.05, 0.01)
    return prop


def rest(rig):
    for bone in rig.pose.bones:
        bone.location, bone.scale = (0, 0, 0), (1, 1, 1)
        bone.rotation_quaternion, bone.rotation_euler = (1, 0, 0, 0), (0, 0, 0)


def make_actions(rig):
    rig.animation_data_create()
    for name, frames in ACTIONS.items():
        rest(rig)
        action = bpy.data.actions.new(name)
        action.use_fake_user = True
        rig.animation_data.action = action
        for frame, keys in frames.items():
            for bone_name, (degrees, place, scale) in keys.items():
                bone = rig.pose.bones[bone_name]
                if degrees is not None:
                    angles = Euler([math.radians(v) for v in degrees])
                    bone.rotation_euler, bone.rotation_quaternion = angles, angles.to_quaternion()
                    bone.keyframe_insert("rotation_euler" if bone.rotation_mode == "XYZ" else "rotation_quaternion", frame=frame)
                if place is not None:
                    bone.location = place
                    bone.keyframe_insert("location", frame=frame)
                if scale is not None:
                    bone.scale = scale
                    bone.keyframe_insert("scale", frame=frame)
        rig.animation_data.action = None
        track = rig.animation_data.nla_tracks.new()
        track.name = name
        track.strips.new(name, 1, action)
    rest(rig)


def truth(rig, skin, prop):
    """By action, for every frame from the first key to the last: bones' matrices, and the vertices of skin and prop in the world."""
    found = {}
    muted = [track.mute for track in rig.animation_data.nla_tracks]
    for track in rig.animation_data.nla_tracks:
        track.mute = True
    for name in ACTIONS:
        rest(rig)
        rig.animation_data.action = bpy.data.actions[name]
        frames = []
        for frame in range(1, LAST[name] + 1):
            SCENE.frame_set(frame)
            graph = bpy.context.evaluated_depsgraph_get()
            points = []
            for thing in (skin, prop):
                seen = thing.evaluated_get(graph)
                points.append([list(seen.matrix_world @ v.co) for v in seen.to_mesh().vertices])
                seen.to_mesh_clear()
            frames.append({"bones": {bone.name: list((rig.matrix_world @ bone.matrix).translation) for bone in rig.pose.bones},
                           "Skin": points[0], "Torch": points[1]})
        found[name] = frames
    rig.animation_data.action = None
    for track, mute in zip(rig.animation_data.nla_tracks, muted):
        track.mute = mute
    rest(rig)
    SCENE.frame_set(1)
    return found


def gltf(name, **options):
    bpy.ops.export_scene.gltf(filepath=os.path.join(FOLDER, name), export_format="GLB", **options)


def fbx(name, **options):
    bpy.ops.export_scene.fbx(filepath=os.path.join(FOLDER, name), **options)


bpy.ops.wm.read_factory_settings(use_empty=True)
SCENE = bpy.context.scene
SCENE.render.fps, SCENE.render.fps_base = 30, 1.0
SCENE.frame_start, SCENE.frame_end = 1, 250
RIG = make_armature()
SKIN, PROP = make_skin(RIG), make_prop(RIG)
make_actions(RIG)
TRUTH = {"as it is": truth(RIG, SKIN, PROP)}

EXACT = {"add_leaf_bones": False, "bake_anim_use_nla_strips": True, "bake_anim_use_all_actions": False, "bake_anim_simplify_factor": 0.0}
gltf("sampled.glb")
gltf("curves.glb", export_force_sampling=False)
fbx("exact.fbx", **EXACT)
fbx("units.fbx", apply_scale_options="FBX_SCALE_UNITS", **EXACT)
fbx("z_up.fbx", axis_forward="Y", axis_up="Z", **EXACT)
fbx("default.fbx")

lonely = SKIN.vertex_groups[0].index
for group in list(SKIN.data.vertices[0].groups):
    SKIN.vertex_groups[group.group].remove([0])
TRUTH["a vertex alone"] = truth(RIG, SKIN, PROP)
gltf("alone.glb")
fbx("alone.fbx", **EXACT)
SKIN.vertex_groups[lonely].add([0], 1.0, "REPLACE")

RIG.scale, RIG.rotation_euler = (0.01, 0.01, 0.01), (math.pi / 2, 0, 0)
bpy.context.view_layer.update()
TRUTH["small"] = truth(RIG, SKIN, PROP)
gltf("small.glb")
fbx("small.fbx", **EXACT)

with open(os.path.join(FOLDER, "truth.json"), "w", encoding="utf-8") as file:
    json.dump(TRUTH, file)
