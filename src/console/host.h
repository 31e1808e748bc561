/* SPDX-License-Identifier: MIT */
/* The console's inside: what a game has loaded, the state that a snapshot holds, and the few checks that
   every host function begins with. Games are hostile: a handle becomes an object in the functions named after
   its kind, an address a pointer in guest_memory.h, and nowhere else. */
#ifndef EMBER_CONSOLE_HOST_H
#define EMBER_CONSOLE_HOST_H

#include "console/functions.h"
#include "ember/pose.h"

#define HOST_STACK_DEPTH 64u
#define HOST_MAX_HANDLES 65535u /* of each kind */
#define HOST_MAX_DRAWS 65536u   /* in one frame, as the next one */
#define HOST_MAX_DRAWN_BONES (1u << 20)
#define HOST_CLIPS_LIMIT ((size_t)256 << 20) /* bytes of all clips, decoded */
#define HOST_LIMIT ((size_t)768 << 20)       /* of everything that a game may load */
#define HOST_MAX_LOG 1024u
#define HOST_NO_BONES UINT32_MAX

/* The upper byte of a handle, so that a mesh is never taken for a clip; the rest counts from 1. Small numbers
   and negative ones are never handles. */
typedef enum host_kind {
    HOST_CLIP = 0x11,
    HOST_SKELETON = 0x22,
    HOST_MESH = 0x33,
    HOST_DATA = 0x44
} host_kind;

typedef struct host_clip {
    const uint8_t         *records;  /* frame after frame, as they were stored */
    const ember_mat34     *matrices; /* model space, frame after frame */
    ember_record           record;
    uint32_t               record_size;
    uint32_t               bone_count, frame_count;
    double                 fps; /* 0: not known */
    bool                   loop;
    bool                   unloaded; /* part of the state */
    const int16_t         *parents;  /* or NULL */
    const ember_transform *rest;     /* or NULL; for record D */
    uint32_t               rest_count;
    const ember_rom_clip  *rom; /* names and markers; NULL for embedded clips */
} host_clip;

typedef struct host_skeleton {
    uint32_t               bone_count;
    const ember_mat34     *inverse_binds;
    const int16_t         *parents; /* or NULL: every bone is a root */
    const ember_transform *rest;    /* or NULL */
} host_skeleton;

typedef struct host_data {
    const uint8_t *bytes;
    uint32_t       size, chunk_size, chunk_count;
    bool           unloaded; /* part of the state */
} host_data;

/* Things of one kind in the order of loading. */
typedef struct host_list {
    void    *items;
    uint32_t count, capacity;
} host_list;

/* What a snapshot holds beside the stack and the bones; plain numbers without padding, so that equal states
   have equal bytes. */
typedef struct host_state {
    uint64_t    frame; /* updates begun */
    uint64_t    random;
    ember_mat34 transform, view;
    ember_mat44 projection;
    uint32_t    color, clear_color;
    uint32_t    inputs[EMBER_CONSOLE_PLAYERS];
    int32_t     skeleton;  /* -1: none */
    int32_t     bone;      /* bone_bind's, -1: none */
    uint32_t    pose;      /* an ember_draw_pose */
    int32_t     pose_clip; /* CLIP: it. BONES: the clip that they were taken from, -1: set_bones' */
    uint32_t    pose_frame;
    uint32_t    pose_bones; /* how many the pose has */
    uint32_t    depth;      /* of the stack */
    uint32_t    reserved;   /* 0 */
} host_state;

struct ember_console {
    ember_console_options options;
    uint8_t              *memory;
    uint32_t              memory_size;
    ember_phase           phase;
    float                 delta_time;
    host_state            state;
    ember_mat34           stack[HOST_STACK_DEPTH];
    ember_mat34           bones[EMBER_MAX_BONES]; /* POSE_BONES */

    ember_arena arena; /* of everything loaded */
    size_t      clips_size;
    host_list   clips, skeletons, meshes, data; /* host_clip, host_skeleton, ember_mesh, host_data */

    ember_draw_list list;
    ember_draw     *draws; /* what the list points to */
    ember_mat34    *drawn_bones;
    uint32_t        draws_capacity, drawn_bones_capacity;
    uint32_t        bones_at; /* where the current bones are in the list; HOST_NO_BONES: not yet */

    ember_transform scratch[3][EMBER_MAX_BONES];
    char            text[512]; /* the last trap's */
};

/* Inside a host function: its name as games know it. */
#define HOST_NAME (__func__ + sizeof("emberi_host_") - 1)

/* ---- traps: all of them leave by the options' function and never come back ---- */

_Noreturn void emberi_host_trap(ember_console *c, const char *function, const char *format, ...)
    __attribute__((format(printf, 3, 4), cold));

/* ---- handles ---- */

static inline uint32_t emberi_host_handle(host_kind kind, uint32_t index)
{
    return (uint32_t)kind << 24 | (index + 1);
}
/* The index, below 2^32 whatever the handle is: callers compare it with a count. */
static inline uint32_t emberi_host_index(host_kind kind, uint32_t handle)
{
    return handle - ((uint32_t)kind << 24) - 1;
}

/* v2's functions speak of keyframe handles, the draft's of clip handles. */
host_clip     *emberi_host_keyframes(ember_console *c, const char *function, uint32_t handle);
host_clip     *emberi_host_clip(ember_console *c, const char *function, uint32_t handle);
host_skeleton *emberi_host_skeleton(ember_console *c, const char *function, uint32_t handle);
ember_mesh    *emberi_host_mesh(ember_console *c, const char *function, uint32_t handle);
host_data     *emberi_host_data(ember_console *c, const char *function, uint32_t handle);

/* ---- random numbers ---- */

uint64_t emberi_host_seeded(uint64_t seed);

/* ---- loading ---- */

/* Traps outside init() and where no handle is left; then there is room for one more item in the list. */
void emberi_host_begin_load(ember_console *c, const char *function, host_list *list, size_t item_size);
/* Rewinds the arena and traps with the error's text. */
_Noreturn void  emberi_host_load_failed(ember_console *c, const char *function, ember_arena_mark mark,
                                        const ember_error *err);
/* The ROM's asset by a guest's id, its payload checked; traps with "KIND asset not found: ID". */
ember_rom_entry emberi_host_asset(ember_console *c, const char *function, ember_rom_kind kind,
                                  const char *kind_name, uint32_t id, uint32_t id_size);

/* Of a screen of EMBER_CONSOLE_ASPECT; the angle is the vertical one. */
ember_mat44 emberi_host_perspective(float fov_degrees, float near, float far);

/* ---- clips ---- */

/* The bones of one frame; out: bone_count transforms. */
void emberi_host_decode(ember_transform *out, const host_clip *clip, uint32_t frame);
/* Traps unless frame < frame_count. */
void emberi_host_check_frame(ember_console *c, const char *function, const host_clip *clip, uint32_t frame);

/* ---- the current pose ---- */

void emberi_host_no_pose(ember_console *c);

/* A TRS from three places in guest memory; finite, the rotation not zero and made of unit length. */
ember_transform emberi_host_trs(ember_console *c, const char *function, uint32_t position, uint32_t rotation,
                                uint32_t scale);
bool            emberi_host_matrix_is_finite(const ember_mat34 *m);

#endif
