/* SPDX-License-Identifier: MIT */
/* Every function that a game may import from "env", once: what the engine checks signatures with, binds calls
   through and the tests walk over. A function's host side is emberi_host_NAME(ember_console *, ...) with
   32-bit numbers and floats as parameters; guest addresses are numbers. */
#ifndef EMBER_CONSOLE_FUNCTIONS_H
#define EMBER_CONSOLE_FUNCTIONS_H

#include <ember/console.h>

/* Guest addresses, as parameters: of bytes that the function reads, and of bytes that it writes. A function
   takes all of its spans (emberi_host_span) before it writes into the first. */
typedef uint32_t guest_in;
typedef uint32_t guest_out;

/* X(result, name, signature, parameters, arguments): result is void, uint32_t, uint64_t or float; the
   signature's letters are i (i32), f (f32) and, as a result only, l (i64); the result's letter stands
   behind '>'. */
/* clang-format off */
#define EMBERI_HOST_FUNCTIONS(X) \
    /* keyframes: v2 */ \
    X(uint32_t, keyframes_load, "ii>i", (ember_console *c, guest_in data, uint32_t size), (c, data, size)) \
    X(uint32_t, rom_keyframes, "ii>i", (ember_console *c, guest_in id, uint32_t id_size), (c, id, id_size)) \
    X(uint32_t, keyframes_bone_count, "i>i", (ember_console *c, uint32_t clip), (c, clip)) \
    X(uint32_t, keyframes_frame_count, "i>i", (ember_console *c, uint32_t clip), (c, clip)) \
    X(void, keyframe_read, "iii>", (ember_console *c, uint32_t clip, uint32_t frame, guest_out out), \
      (c, clip, frame, out)) \
    X(void, keyframe_bind, "ii>", (ember_console *c, uint32_t clip, uint32_t frame), (c, clip, frame)) \
    X(void, set_bones, "ii>", (ember_console *c, guest_in matrices, uint32_t count), (c, matrices, count)) \
    X(void, set_bones_4x4, "ii>", (ember_console *c, guest_in matrices, uint32_t count), \
      (c, matrices, count)) \
    X(void, set_bones_rows, "ii>", (ember_console *c, guest_in matrices, uint32_t count), \
      (c, matrices, count)) \
    /* skeletons and meshes */ \
    X(uint32_t, load_skeleton, "ii>i", (ember_console *c, guest_in matrices, uint32_t count), \
      (c, matrices, count)) \
    X(uint32_t, rom_skeleton, "ii>i", (ember_console *c, guest_in id, uint32_t id_size), (c, id, id_size)) \
    X(void, skeleton_bind, "i>", (ember_console *c, uint32_t skeleton), (c, skeleton)) \
    X(uint32_t, load_mesh, "iii>i", \
      (ember_console *c, guest_in data, uint32_t vertex_count, uint32_t format), \
      (c, data, vertex_count, format)) \
    X(uint32_t, load_mesh_packed, "iii>i", \
      (ember_console *c, guest_in data, uint32_t vertex_count, uint32_t format), \
      (c, data, vertex_count, format)) \
    X(uint32_t, load_mesh_indexed, "iiiii>i", \
      (ember_console *c, guest_in data, uint32_t vertex_count, guest_in indices, uint32_t index_count, \
       uint32_t format), \
      (c, data, vertex_count, indices, index_count, format)) \
    X(uint32_t, load_mesh_indexed_packed, "iiiii>i", \
      (ember_console *c, guest_in data, uint32_t vertex_count, guest_in indices, uint32_t index_count, \
       uint32_t format), \
      (c, data, vertex_count, indices, index_count, format)) \
    X(uint32_t, rom_mesh, "ii>i", (ember_console *c, guest_in id, uint32_t id_size), (c, id, id_size)) \
    X(void, draw_mesh, "i>", (ember_console *c, uint32_t mesh), (c, mesh)) \
    /* clips and data: the draft */ \
    X(uint32_t, load_clip, "ii>i", (ember_console *c, guest_in data, uint32_t size), (c, data, size)) \
    X(void, clip_info, "ii>", (ember_console *c, uint32_t clip, guest_out out), (c, clip, out)) \
    X(void, unload_clip, "i>", (ember_console *c, uint32_t clip), (c, clip)) \
    X(void, set_bones_from_clip, "ii>", (ember_console *c, uint32_t clip, uint32_t frame), \
      (c, clip, frame)) \
    X(void, read_frame, "iii>", (ember_console *c, uint32_t clip, uint32_t frame, guest_out out), \
      (c, clip, frame, out)) \
    X(void, read_frames, "iiii>", \
      (ember_console *c, uint32_t clip, uint32_t first, uint32_t count, guest_out out), \
      (c, clip, first, count, out)) \
    X(uint32_t, load_data, "iii>i", (ember_console *c, guest_in data, uint32_t size, uint32_t chunk_size), \
      (c, data, size, chunk_size)) \
    X(void, read_data, "iii>", (ember_console *c, uint32_t handle, uint32_t index, guest_out out), \
      (c, handle, index, out)) \
    X(void, unload_data, "i>", (ember_console *c, uint32_t handle), (c, handle)) \
    X(uint32_t, rom_data, "iiii>i", \
      (ember_console *c, guest_in id, uint32_t id_size, guest_out out, uint32_t out_size), \
      (c, id, id_size, out, out_size)) \
    X(uint32_t, rom_data_len, "ii>i", (ember_console *c, guest_in id, uint32_t id_size), (c, id, id_size)) \
    /* rigid meshes and transforms by parts */ \
    X(void, bone_bind, "i>", (ember_console *c, uint32_t bone), (c, bone)) \
    X(void, transform_set_trs, "iii>", \
      (ember_console *c, guest_in position, guest_in rotation, guest_in scale), \
      (c, position, rotation, scale)) \
    X(void, push_trs, "iii>", (ember_console *c, guest_in position, guest_in rotation, guest_in scale), \
      (c, position, rotation, scale)) \
    X(void, apply_trs, "iii>", (ember_console *c, guest_in position, guest_in rotation, guest_in scale), \
      (c, position, rotation, scale)) \
    X(void, transform_pop, ">", (ember_console *c), (c)) \
    X(void, bone_get_world_trs, "iiii>", \
      (ember_console *c, uint32_t bone, guest_out position, guest_out rotation, guest_out scale), \
      (c, bone, position, rotation, scale)) \
    X(void, bone_set_trs, "iiii>", \
      (ember_console *c, uint32_t bone, guest_in position, guest_in rotation, guest_in scale), \
      (c, bone, position, rotation, scale)) \
    X(void, trs_lerp, "iiiiiifiii>", \
      (ember_console *c, guest_in a_position, guest_in a_rotation, guest_in a_scale, guest_in b_position, \
       guest_in b_rotation, guest_in b_scale, float t, guest_out position, guest_out rotation, \
       guest_out scale), \
      (c, a_position, a_rotation, a_scale, b_position, b_rotation, b_scale, t, position, rotation, scale)) \
    /* the current transform, the camera */ \
    X(void, transform_set, "i>", (ember_console *c, guest_in matrix), (c, matrix)) \
    X(void, push_identity, ">", (ember_console *c), (c)) \
    X(void, push_translate, "fff>", (ember_console *c, float x, float y, float z), (c, x, y, z)) \
    X(void, push_rotate_x, "f>", (ember_console *c, float degrees), (c, degrees)) \
    X(void, push_rotate_y, "f>", (ember_console *c, float degrees), (c, degrees)) \
    X(void, push_rotate_z, "f>", (ember_console *c, float degrees), (c, degrees)) \
    X(void, push_rotate, "ffff>", (ember_console *c, float degrees, float x, float y, float z), \
      (c, degrees, x, y, z)) \
    X(void, push_scale, "fff>", (ember_console *c, float x, float y, float z), (c, x, y, z)) \
    X(void, push_scale_uniform, "f>", (ember_console *c, float s), (c, s)) \
    X(void, view_set, "i>", (ember_console *c, guest_in matrix), (c, matrix)) \
    X(void, projection_set, "i>", (ember_console *c, guest_in matrix), (c, matrix)) \
    X(void, projection_perspective, "fff>", (ember_console *c, float fov_degrees, float near, float far), \
      (c, fov_degrees, near, far)) \
    X(void, set_color, "i>", (ember_console *c, uint32_t rgba), (c, rgba)) \
    X(void, clear_color, "i>", (ember_console *c, uint32_t rgba), (c, rgba)) \
    /* the rest of the machine */ \
    X(float, delta_time, ">f", (ember_console *c), (c)) \
    X(float, elapsed_time, ">f", (ember_console *c), (c)) \
    X(uint32_t, frame, ">i", (ember_console *c), (c)) \
    X(uint64_t, tick_count, ">l", (ember_console *c), (c)) \
    X(void, log, "ii>", (ember_console *c, guest_in text, uint32_t size), (c, text, size)) \
    X(uint32_t, input_held, "i>i", (ember_console *c, uint32_t player), (c, player)) \
    X(uint32_t, random, ">i", (ember_console *c), (c)) \
    /* beyond the specifications: poses on the host */ \
    X(void, keyframe_sample, "ifi>", (ember_console *c, uint32_t clip, float frame, guest_out out), \
      (c, clip, frame, out)) \
    X(void, pose_blend, "iiifi>", \
      (ember_console *c, guest_out out, guest_in a, guest_in b, float t, uint32_t count), \
      (c, out, a, b, t, count)) \
    X(void, pose_compose, "iiii>", \
      (ember_console *c, guest_out out_matrices, guest_in pose, uint32_t count, uint32_t skeleton), \
      (c, out_matrices, pose, count, skeleton)) \
    X(float, keyframes_fps, "i>f", (ember_console *c, uint32_t clip), (c, clip)) \
    X(uint32_t, keyframes_loop, "i>i", (ember_console *c, uint32_t clip), (c, clip)) \
    X(uint32_t, keyframes_marker_count, "i>i", (ember_console *c, uint32_t clip), (c, clip)) \
    X(uint32_t, keyframes_marker, "iiii>i", \
      (ember_console *c, uint32_t clip, uint32_t index, guest_out name, uint32_t name_size), \
      (c, clip, index, name, name_size)) \
    X(uint32_t, bone_index, "iii>i", (ember_console *c, uint32_t clip, guest_in name, uint32_t name_size), \
      (c, clip, name, name_size))
/* clang-format on */

#define EMBERI_HOST_DECLARE(result, name, signature, parameters, arguments) \
    result emberi_host_##name parameters;
EMBERI_HOST_FUNCTIONS(EMBERI_HOST_DECLARE)
#undef EMBERI_HOST_DECLARE

#endif
