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
#define HOST_LIMIT ((size_t)768 << 20)        /* bytes of everything that a game may load */
#define HOST_CURSORS_LIMIT ((size_t)32 << 20) /* bytes of the clips' own cursors; others share one */
#define HOST_MAX_LOG 1024u
#define HOST_NO_BONES UINT32_MAX

/* The upper byte of a handle, so that a mesh is never taken for a clip; the rest counts from 1. Small numbers
   and negative ones are never handles. */
typedef enum host_kind {
    HOST_CLIP = 0x11,
    HOST_SKELETON = 0x22,
    HOST_MESH = 0x33,
    HOST_MODEL = 0x34, /* to games a mesh, too */
    HOST_DATA = 0x44
} host_kind;

typedef struct host_clip host_clip;

/* A form in which a clip's frames are stored; clip_frames.c has them. Frames are decoded when a game asks for
   them, and what was decoded before never shows in the result. `frame` is below the clip's count. Both return
   EMBER_E_MALFORMED where the stored bytes are damaged; `out` is not to be used then. */
typedef struct host_form {
    /* The frame's bones in the space that they are stored in; any numbers, unless the clip is known
       to be finite. */
    ember_status (*pose)(ember_transform *out, ember_console *c, host_clip *clip, uint32_t frame);
    /* The same between this frame and the next, in 1/65536; or NULL: two frames are mixed. */
    ember_status (*between)(ember_transform *out, ember_console *c, host_clip *clip, uint32_t frame,
                            uint32_t fraction);
    /* The frame's records, bone_count * record_size bytes. */
    ember_status (*records)(uint8_t *out, ember_console *c, host_clip *clip, uint32_t frame);
} host_form;

struct host_clip {
    const host_form       *form;
    const uint8_t         *records;     /* frame after frame; NULL where they are squeezed or lean */
    ember_squeeze_cursor   cursor;      /* of a squeezed clip; without memory: it uses the shared one */
    const ember_lean_clip *lean;        /* or NULL */
    ember_lean_cursor      lean_cursor; /* of a lean clip; without memory: every frame is read from nothing */
    ember_record           record;
    uint32_t               record_size;
    uint32_t               bone_count, frame_count;
    double                 fps; /* 0: not known */
    bool                   loop;
    bool                   local;    /* stored in the space of the parents, which are there then */
    bool                   composed; /* to games it is one in model space all the same */
    bool                   finite;   /* all numbers of all frames are; otherwise each frame is looked at */
    bool                   unloaded; /* part of the state */
    const int16_t         *parents;  /* or NULL */
    const ember_transform *rest;     /* or NULL; for record D */
    uint32_t               rest_count;
    const ember_rom_clip  *rom; /* names and markers; NULL for embedded clips */
};

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

/* Meshes that are drawn together: a model's parts, one after the other in the list of meshes. */
typedef struct host_model {
    uint32_t first, count;
} host_model;

/* The matrices of frames that were bound lately: four places for each number that a clip and a frame give,
   of which the one that was used least lately is taken. It is no part of the state. */
enum { HOST_CACHE_SETS = 16, HOST_CACHE_WAYS = 4 };
typedef struct host_cache {
    struct host_cached {
        uint32_t clip, frame; /* HOST_NO_BONES: nothing is here */
        uint32_t used;
    } keys[HOST_CACHE_SETS][HOST_CACHE_WAYS];
    uint32_t    clock;
    ember_mat34 matrices[HOST_CACHE_SETS][HOST_CACHE_WAYS][EMBER_MAX_BONES];
} host_cache;

/* Where the bones of a clip's frame are in this frame's draw list. */
typedef struct host_place {
    uint32_t clip, frame, first_bone;
    uint32_t list; /* the list's number; another one: the place is free */
} host_place;

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
    uint64_t              work; /* bytes: emberi_host_work */
    host_state            state;
    ember_mat34           stack[HOST_STACK_DEPTH];
    ember_mat34           bones[EMBER_MAX_BONES]; /* POSE_BONES */

    ember_arena arena; /* of everything loaded */
    size_t      cursors_size;
    /* host_clip, host_skeleton, ember_mesh, host_model, host_data */
    host_list   clips, skeletons, meshes, models, data;
    host_cache *cache; /* NULL before the first clip */

    struct host_shared_cursor {
        ember_squeeze_cursor cursor;
        void                *memory;
        size_t               size;
    } shared_cursor; /* of the clips that have none of their own */

    ember_draw_list list;
    ember_draw     *draws; /* what the list points to */
    ember_mat34    *drawn_bones;
    uint32_t        draws_capacity, drawn_bones_capacity;
    uint32_t        bones_at; /* where the current bones are in the list; HOST_NO_BONES: not yet */
    host_place     *places;   /* a table of places_capacity, a power of two, at most half full */
    uint32_t        places_capacity, places_count, list_number;

    ember_transform scratch[3][EMBER_MAX_BONES];
    char            text[512]; /* the last trap's */
};

/* Inside a host function: its name as games know it. */
#define HOST_NAME (__func__ + sizeof("emberi_host_") - 1)

/* ---- traps: all of them leave by the options' function and never come back ---- */

_Noreturn void emberi_host_trap(ember_console *c, const char *function, const char *format, ...)
    __attribute__((format(printf, 3, 4), cold));

/* ---- work ---- */

/* Notes that a function goes over so many bytes: of the game's memory, of an asset, of decoded bones. An
   engine that counts steps charges for them, so they follow from the game's state and the call's arguments
   alone, never from what is in a cache. */
static inline void emberi_host_work(ember_console *c, uint64_t size) { c->work += size; }

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

static inline host_clip *emberi_host_clip_of(ember_console *c, const char *function, uint32_t handle,
                                             const char *message)
{
    uint32_t   index = emberi_host_index(HOST_CLIP, handle);
    host_clip *clips = (host_clip *)c->clips.items;
    if (index >= c->clips.count || clips[index].unloaded)
        emberi_host_trap(c, function, "%s", message);
    return &clips[index];
}

/* v2's functions speak of keyframe handles, the draft's of clip handles. */
static inline host_clip *emberi_host_keyframes(ember_console *c, const char *function, uint32_t handle)
{
    return emberi_host_clip_of(c, function, handle, "invalid keyframe handle");
}
static inline host_clip *emberi_host_clip(ember_console *c, const char *function, uint32_t handle)
{
    return emberi_host_clip_of(c, function, handle, "invalid clip handle");
}

host_skeleton *emberi_host_skeleton(ember_console *c, const char *function, uint32_t handle);
/* What a mesh's handle stands for: one mesh, or all of a model's. */
host_model     emberi_host_meshes(ember_console *c, const char *function, uint32_t handle);
host_data     *emberi_host_data(ember_console *c, const char *function, uint32_t handle);

/* ---- the draw list ---- */

/* Forgets where the bones of frames are: a list begins. */
void emberi_host_no_places(ember_console *c);

/* ---- random numbers ---- */

uint64_t emberi_host_seeded(uint64_t seed);

/* ---- loading ---- */

/* Room for so many more items in the list; traps where no handle is left. */
void emberi_host_reserve(ember_console *c, const char *function, host_list *list, uint32_t more,
                         size_t item_size);
/* Traps outside init() and where no handle is left; then there is room for one more item in the list. */
void emberi_host_begin_load(ember_console *c, const char *function, host_list *list, size_t item_size);
/* Rewinds the arena and traps with the error's text. */
_Noreturn void  emberi_host_load_failed(ember_console *c, const char *function, ember_arena_mark mark,
                                        const ember_error *err);
/* The entry's payload is what was written, or it traps. */
void            emberi_host_verify(ember_console *c, const char *function, const ember_rom_entry *entry);
/* Traps with "KIND asset not found: ID", and with ids that are near. */
_Noreturn void  emberi_host_no_asset(ember_console *c, const char *function, ember_rom_kind kind,
                                     const char *kind_name, const char *id, uint32_t id_size);
/* The ROM's asset by a guest's id, its payload checked; or a trap. */
ember_rom_entry emberi_host_asset(ember_console *c, const char *function, ember_rom_kind kind,
                                  const char *kind_name, guest_in id, uint32_t id_size);

/* Of a screen of EMBER_CONSOLE_ASPECT; the angle is the vertical one. */
ember_mat44 emberi_host_perspective(float fov_degrees, float near, float far);

/* ---- clips ---- */

/* Records of 16 bytes in memory, those of the draft, squeezed ones; lean clips. */
extern const host_form emberi_host_form_records, emberi_host_form_draft, emberi_host_form_squeezed,
    emberi_host_form_lean;

/* The bones of one frame; out: bone_count transforms. Traps where the frame cannot be decoded, with
   nothing written. */
void emberi_host_pose(ember_transform *out, ember_console *c, const char *function, host_clip *clip,
                      uint32_t frame);
/* The same between two frames; what comes out need not be finite. */
void emberi_host_pose_between(ember_transform *out, ember_console *c, const char *function, host_clip *clip,
                              ember_sample_point point);
/* Its records; likewise. */
void emberi_host_records(uint8_t *out, ember_console *c, const char *function, host_clip *clip,
                         uint32_t frame);
/* Traps unless frame < frame_count. */
static inline void emberi_host_check_frame(ember_console *c, const char *function, const host_clip *clip,
                                           uint32_t frame)
{
    if (frame >= clip->frame_count)
        emberi_host_trap(c, function, "frame index %u >= frame_count %u", (unsigned)frame,
                         (unsigned)clip->frame_count);
}

/* The model-space matrices of one frame, from the cache or decoded into it. They stay until another frame is
   asked for. Traps as emberi_host_pose does, and where a composed bone is not finite. */
const ember_mat34 *emberi_host_frame_matrices(ember_console *c, const char *function, uint32_t clip,
                                              uint32_t frame);

/* ---- the current pose ---- */

void               emberi_host_no_pose(ember_console *c);
/* The matrices of the current pose, pose_bones of them; NULL where there is none. */
const ember_mat34 *emberi_host_pose_matrices(ember_console *c, const char *function);

/* A TRS from three places in guest memory; finite, the rotation not zero and made of unit length. */
ember_transform emberi_host_trs(ember_console *c, const char *function, guest_in position, guest_in rotation,
                                guest_in scale);
bool            emberi_host_matrix_is_finite(const ember_mat34 *m);
bool            emberi_host_matrices_are_finite(const ember_mat34 *m, uint32_t count);
bool            emberi_host_pose_is_finite(const ember_transform *pose, uint32_t count);
/* Traps unless the pose that a function computed is finite: what overflows becomes infinities, then NaNs. */
void            emberi_host_check_pose(ember_console *c, const char *function, const ember_transform *pose,
                                       uint32_t count);

#endif
