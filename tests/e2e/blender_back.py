# SPDX-License-Identifier: MIT
"""blender -b --factory-startup --python-exit-code 3 --python blender_back.py -- IN.glb OUT.glb
Imports a file in a scene of 15 frames per second and exports it again, as a modder would who has changed nothing."""

import sys

import bpy
import numpy

if "bool" not in vars(numpy):
    numpy.bool = bool  # Blender 3.4's importer still uses it, numpy 1.24 has it no more

IN, OUT = sys.argv[sys.argv.index("--") + 1:]
bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.context.scene.render.fps = 15
bpy.ops.import_scene.gltf(filepath=IN)
bpy.ops.export_scene.gltf(filepath=OUT, export_format="GLB", export_animations=True, export_optimize_animation_size=False, export_extras=True)
