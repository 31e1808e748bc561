/* SPDX-License-Identifier: MIT */
/* A good call of every host function: in which phase, with which arguments, and what kind each of them is. */
#ifndef EMBER_TEST_CONSOLE_ROWS_H
#define EMBER_TEST_CONSOLE_ROWS_H

#include "call.h"
#include "world.h"

/* What an argument is; the letters of a row's `roles`. A handle of the wrong kind, of nothing or of 2^31
   traps with the kind's message. */
#define ROLES                                          \
    "p" /* a guest address of at least two bytes */    \
    "k" /* keyframes, v2's */                          \
    "c" /* a clip, the draft's */                      \
    "s" /* a skeleton */                               \
    "z" /* a skeleton, or 0 for none */                \
    "u" /* keyframes, or 0 for none */                 \
    "m" /* a mesh */                                   \
    "d" /* data */                                     \
    "n" /* a number that cannot be as large as 2^31 */ \
    "f" /* a float that must be finite */              \
    "v" /* any number */

typedef struct row {
    const char *name;
    ember_phase phase; /* NONE: any, tried in render */
    const char *roles;
    uint32_t    arguments[CALL_MOST];
} row;

#define INIT EMBER_PHASE_INIT
#define RENDER EMBER_PHASE_RENDER
#define ANY EMBER_PHASE_NONE
#define ONE 0x3f800000u /* 1.0f */
/* Handles, which are known only once the world is there. */
#define KEYFRAMES 0xf0000001u
#define CLIP 0xf0000002u
#define WALK 0xf0000003u
#define SKELETON 0xf0000004u
#define HERO 0xf0000005u
#define MESH 0xf0000006u
#define DATA 0xf0000007u

static const row rows[] = {
    {"keyframes_load", INIT, "pn", {AT_KEYFRAMES, KEYFRAMES_SIZE}},
    {"rom_keyframes", INIT, "pn", {AT_WALK, 4}},
    {"keyframes_bone_count", ANY, "k", {KEYFRAMES}},
    {"keyframes_frame_count", ANY, "k", {KEYFRAMES}},
    {"keyframe_read", ANY, "knp", {KEYFRAMES, 2, AT_OUT}},
    {"keyframe_bind", ANY, "un", {KEYFRAMES, 2}},
    {"set_bones", ANY, "pn", {AT_BONES, 2}},
    {"set_bones_4x4", ANY, "pn", {AT_BONES_4X4, 2}},
    {"set_bones_rows", ANY, "pn", {AT_BONES, 2}},
    {"load_skeleton", INIT, "pn", {AT_BINDS, 2}},
    {"rom_skeleton", INIT, "pn", {AT_HERO, 4}},
    {"skeleton_bind", ANY, "z", {SKELETON}},
    {"load_mesh", INIT, "pnn", {AT_VERTICES, 3, 0}},
    {"load_mesh_packed", INIT, "pnn", {AT_PACKED, 3, 0}},
    {"load_mesh_indexed", INIT, "pnpnn", {AT_VERTICES, 3, AT_INDICES, 3, 0}},
    {"load_mesh_indexed_packed", INIT, "pnpnn", {AT_PACKED, 3, AT_INDICES, 3, 0}},
    {"rom_mesh", INIT, "pn", {AT_HERO, 4}},
    {"draw_mesh", RENDER, "m", {MESH}},
    {"load_clip", INIT, "pn", {AT_CLIP, CLIP_SIZE}},
    {"clip_info", ANY, "cp", {CLIP, AT_OUT}},
    {"unload_clip", ANY, "c", {CLIP}},
    {"set_bones_from_clip", ANY, "cv", {CLIP, 1}},
    {"read_frame", ANY, "cvp", {CLIP, 1, AT_OUT}},
    {"read_frames", ANY, "cvnp", {CLIP, 1, 5, AT_OUT}},
    {"load_data", INIT, "pnv", {AT_POSE, 100, 40}},
    {"read_data", ANY, "dnp", {DATA, 1, AT_OUT}},
    {"unload_data", ANY, "d", {DATA}},
    {"rom_data", ANY, "pnpn", {AT_LEVEL, 14, AT_OUT, 5}},
    {"rom_data_len", ANY, "pn", {AT_LEVEL, 14}},
    {"bone_bind", ANY, "n", {1}},
    {"transform_set_trs", ANY, "ppp", {AT_POSITION, AT_ROTATION, AT_SCALE}},
    {"push_trs", ANY, "ppp", {AT_POSITION, AT_ROTATION, AT_SCALE}},
    {"apply_trs", ANY, "ppp", {AT_POSITION, AT_ROTATION, AT_SCALE}},
    {"transform_pop", ANY, "", {0}},
    {"bone_get_world_trs", ANY, "nppp", {1, AT_OUT, AT_OUT_2, AT_OUT_3}},
    {"bone_set_trs", ANY, "nppp", {1, AT_POSITION, AT_ROTATION, AT_SCALE}},
    {"trs_lerp",
     ANY,
     "ppppppfppp",
     {AT_POSITION, AT_ROTATION, AT_SCALE, AT_POSITION, AT_ROTATION, AT_SCALE, ONE, AT_OUT, AT_OUT_2,
      AT_OUT_3}},
    {"transform_set", ANY, "p", {AT_MATRIX}},
    {"push_identity", ANY, "", {0}},
    {"push_translate", ANY, "fff", {ONE, ONE, ONE}},
    {"push_rotate_x", ANY, "f", {ONE}},
    {"push_rotate_y", ANY, "f", {ONE}},
    {"push_rotate_z", ANY, "f", {ONE}},
    {"push_rotate", ANY, "ffff", {ONE, ONE, ONE, ONE}},
    {"push_scale", ANY, "fff", {ONE, ONE, ONE}},
    {"push_scale_uniform", ANY, "f", {ONE}},
    {"view_set", ANY, "p", {AT_MATRIX}},
    {"projection_set", ANY, "p", {AT_MATRIX}},
    {"projection_perspective", ANY, "fff", {0x42700000u /* 60 */, ONE, 0x42c80000u /* 100 */}},
    {"set_color", ANY, "v", {0}},
    {"clear_color", ANY, "v", {0}},
    {"delta_time", ANY, "", {0}},
    {"elapsed_time", ANY, "", {0}},
    {"frame", ANY, "", {0}},
    {"tick_count", ANY, "", {0}},
    {"log", ANY, "pn", {AT_LEVEL, 14}},
    {"input_held", ANY, "n", {3}},
    {"random", ANY, "", {0}},
    {"keyframe_sample", ANY, "kfp", {KEYFRAMES, ONE, AT_OUT}},
    {"pose_blend", ANY, "pppfn", {AT_OUT, AT_POSE, AT_POSE_B, ONE, 3}},
    {"pose_compose", ANY, "ppns", {AT_OUT, AT_POSE, 3, HERO}},
    {"keyframes_fps", ANY, "k", {KEYFRAMES}},
    {"keyframes_loop", ANY, "k", {KEYFRAMES}},
    {"keyframes_marker_count", ANY, "k", {KEYFRAMES}},
    {"keyframes_marker", ANY, "knpn", {WALK, 1, AT_OUT, 8}},
    {"bone_index", ANY, "kpn", {WALK, AT_CHEST, 5}},
};

static inline const row *row_of(const call_function *f)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if (strcmp(rows[i].name, f->name) == 0)
            return &rows[i];
    return NULL;
}

static inline uint32_t row_argument(const world *w, uint32_t value)
{
    const uint32_t handles[] = {0,           w->keyframes,     w->clip, w->walk,
                                w->skeleton, w->hero_skeleton, w->mesh, w->data};
    return value >= KEYFRAMES && value <= DATA ? handles[value - 0xf0000000u] : value;
}

static inline void row_arguments(const world *w, const row *r, uint32_t shift, uint32_t out[CALL_MOST])
{
    for (unsigned i = 0; i < CALL_MOST; i++) {
        out[i] = row_argument(w, r->arguments[i]);
        if (i < strlen(r->roles) && r->roles[i] == 'p')
            out[i] += shift;
    }
}

/* The world in the row's phase, with a pose bound and something on the stack, so that every
   valid call is one. */
static inline void row_enter(world *w, const row *r)
{
    world_open(w, EMBER_SQUEEZE_RAW);
    if (r->phase != INIT) {
        host_phase(&w->h, EMBER_PHASE_UPDATE);
        host_phase(&w->h, EMBER_PHASE_RENDER);
    }
    emberi_host_keyframe_bind(w->h.c, w->keyframes, 1);
    emberi_host_push_trs(w->h.c, AT_POSITION, AT_ROTATION, AT_SCALE);
}

#endif
