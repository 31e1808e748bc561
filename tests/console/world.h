/* SPDX-License-Identifier: MIT */
/* A little world in guest memory and in a ROM, with one thing of every kind loaded. Addresses are fixed, so
   that tables can name them. */
#ifndef EMBER_TEST_CONSOLE_WORLD_H
#define EMBER_TEST_CONSOLE_WORLD_H

#include "hosted.h"
#include "rom/rom_made.h"

/* Where things are in guest memory. */
enum {
    AT_KEYFRAMES = 0x100, /* .ewzanim of 2 bones and 3 frames */
    AT_CLIP = 0x200,      /* .eza of the same, record A, 15 fps, looping */
    AT_BINDS = 0x300,     /* 2 inverse binds: identity, and one that moves by (0, -1, 0) */
    AT_VERTICES = 0x400,  /* a triangle: 3 positions */
    AT_PACKED = 0x500,    /* the same, packed */
    AT_INDICES = 0x600,   /* 3 */
    AT_BONES = 0x700,     /* 2 matrices for set_bones: moved by (1, 2, 3) and (4, 5, 6) */
    AT_BONES_4X4 = 0x800, /* the same */
    AT_POSITION = 0x900,  /* 1, 2, 3 */
    AT_ROTATION = 0x910,  /* a quarter turn about y */
    AT_SCALE = 0x920,     /* 2, 2, 2 */
    AT_MATRIX = 0xa00,    /* 4x4: moved by (7, 8, 9) */
    AT_POSE = 0xb00,      /* 3 transforms: identity at (0, 1, 0), (1, 0, 0), (0, 0, 1) */
    AT_POSE_B = 0xc00,    /* 3 transforms at (0, 3, 0) */
    AT_WALK = 0xd00,      /* "walk" */
    AT_HERO = 0xd10,      /* "hero" */
    AT_LEVEL = 0xd20,     /* "levels/one.txt" */
    AT_CHEST = 0xd30,     /* "chest" */
    AT_OUT = 0x1000,
    AT_OUT_2 = 0x2000,
    AT_OUT_3 = 0x3000,
    WORLD_SIZE = 0x4000
};

#define WALK_FRAMES 5u /* of the ROM's "walk": 3 bones, local */
#define BOX_FRAMES 3u  /* of the embedded clips: 2 bones */

typedef struct world {
    host         h;
    made_content made;
    ember_buffer file;
    uint8_t     *aligned; /* the ROM's bytes */
    ember_rom   *rom;
    /* handles */
    uint32_t     keyframes, clip, walk, skeleton, hero_skeleton, mesh, skinned, data;
} world;

/* 2 bones, 3 frames: bone 0 at (frame, 0, 0), bone 1 at (frame, 1, 0); rotations identity as it is stored,
   scale 1. */
static inline void world_put_frames(uint8_t *out, ember_record record)
{
    size_t size = ember_record_size(record);
    for (uint32_t i = 0; i < 2 * BOX_FRAMES; i++) {
        ember_transform t = EMBER_TRANSFORM_IDENTITY;
        t.position = (ember_vec3){(float)(i / 2), (float)(i % 2), 0.0f};
        assert_int_equal(ember_record_encode(out + i * size, record, &t), EMBER_OK);
    }
}

static inline void world_fill(host *h)
{
    /* clang-format off: a bone after the other, with a mark between two */
    static const uint8_t  ewzanim[4] = {2, 0, BOX_FRAMES, 0};
    static const uint8_t  eza[16] = {'E', 'W', 'Z', 'A', 1, 3, 2, 0, BOX_FRAMES, 0, 0, 15, 0, 0, 0, 0};
    static const float    triangle[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    static const uint16_t packed[12] = {0, 0, 0, 0x3c00, 0x3c00, 0, 0, 0x3c00, 0, 0x3c00, 0, 0x3c00};
    static const uint16_t indices[3] = {0, 1, 2};
    static const float    trs[3][4] = {{1, 2, 3, 0}, {0, 0.70710678f, 0, 0.70710678f}, {2, 2, 2, 0}};
    static const float    matrix[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 7, 8, 9, 1};
    /* One bone per line. */
    /* clang-format off */
    static const float binds[24] = {
        1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0,
        1, 0, 0, 0, 1, 0, 0, 0, 1, 0, -1, 0,
    };
    static const float bones[24] = {
        1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 2, 3,
        1, 0, 0, 0, 1, 0, 0, 0, 1, 4, 5, 6,
    };
    static const float bones_4x4[32] = {
        1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 2, 3, 1,
        1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 4, 5, 6, 1,
    };
    static const float pose[30] = {
        0, 0, 0, 1, 0, 1, 0, 1, 1, 1,
        0, 0, 0, 1, 1, 0, 0, 1, 1, 1,
        0, 0, 0, 1, 0, 0, 1, 1, 1, 1,
    };
    static const float pose_b[30] = {
        0, 0, 0, 1, 0, 3, 0, 1, 1, 1,
        0, 0, 0, 1, 0, 3, 0, 1, 1, 1,
        0, 0, 0, 1, 0, 3, 0, 1, 1, 1,
    };
    /* clang-format on */
    host_put(h, AT_KEYFRAMES, ewzanim, sizeof(ewzanim));
    world_put_frames(h->memory + AT_KEYFRAMES + 4, EMBER_RECORD_EWZ);
    host_put(h, AT_CLIP, eza, sizeof(eza));
    world_put_frames(h->memory + AT_CLIP + 16, EMBER_RECORD_A);
    host_put(h, AT_BINDS, binds, sizeof(binds));
    host_put(h, AT_VERTICES, triangle, sizeof(triangle));
    host_put(h, AT_PACKED, packed, sizeof(packed));
    host_put(h, AT_INDICES, indices, sizeof(indices));
    host_put(h, AT_BONES, bones, sizeof(bones));
    host_put(h, AT_BONES_4X4, bones_4x4, sizeof(bones_4x4));
    host_put(h, AT_POSITION, trs, sizeof(trs));
    host_put(h, AT_MATRIX, matrix, sizeof(matrix));
    host_put(h, AT_POSE, pose, sizeof(pose));
    host_put(h, AT_POSE_B, pose_b, sizeof(pose_b));
    host_put(h, AT_WALK, "walk", 4);
    host_put(h, AT_HERO, "hero", 4);
    host_put(h, AT_LEVEL, "levels/one.txt", 14);
    host_put(h, AT_CHEST, "chest", 5);
}

#define KEYFRAMES_SIZE (4u + 2u * BOX_FRAMES * 16u)
#define CLIP_SIZE (16u + 2u * BOX_FRAMES * 12u)

/* A skinned triangle, unpacked: position, joints, weights; every vertex on bone 0 alone. */
static inline uint32_t world_load_skinned(host *h)
{
    uint8_t     *at = h->memory + AT_OUT;
    const float  weights[4] = {1, 0, 0, 0};
    const float *positions = (const float[9]){0, 0, 0, 1, 0, 0, 0, 1, 0};
    for (int i = 0; i < 3; i++, at += 32) {
        memcpy(at, positions + 3 * i, 12);
        memset(at + 12, 0, 4);
        memcpy(at + 16, weights, 16);
    }
    uint32_t mesh = emberi_host_load_mesh(h->c, AT_OUT, 3, 8);
    memset(h->memory + AT_OUT, 0, 96);
    return mesh;
}

/* A console with the ROM of what is made, and guest memory; nothing is loaded. */
static inline void world_open_made(world *w)
{
    ember_error err = EMBER_ERROR_INIT;
    w->file = made_rom(&w->made.content);
    w->aligned = aligned_alloc(16, (w->file.size + 15) / 16 * 16);
    assert_non_null(w->aligned);
    memcpy(w->aligned, w->file.data, w->file.size);
    if (ember_rom_open_memory(&w->rom, w->aligned, w->file.size, ember_heap(), &err) != EMBER_OK)
        fail_msg("%s", err.text);
    host_open(&w->h, w->rom);
    world_fill(&w->h);
}

static inline void world_open(world *w, ember_squeeze_method method)
{
    made_content_make(&w->made, method);
    world_open_made(w);
    w->keyframes = emberi_host_keyframes_load(w->h.c, AT_KEYFRAMES, KEYFRAMES_SIZE);
    w->clip = emberi_host_load_clip(w->h.c, AT_CLIP, CLIP_SIZE);
    w->walk = emberi_host_rom_keyframes(w->h.c, AT_WALK, 4);
    w->skeleton = emberi_host_load_skeleton(w->h.c, AT_BINDS, 2);
    w->hero_skeleton = emberi_host_rom_skeleton(w->h.c, AT_HERO, 4);
    w->mesh = emberi_host_load_mesh(w->h.c, AT_VERTICES, 3, 0);
    w->skinned = world_load_skinned(&w->h);
    w->data = emberi_host_load_data(w->h.c, AT_POSE, 100, 40);
}

/* With clips as they are, in the game's update. */
static inline void world_open_update(world *w)
{
    world_open(w, EMBER_SQUEEZE_RAW);
    host_phase(&w->h, EMBER_PHASE_UPDATE);
}

/* On to the game's render. */
static inline void world_render(world *w)
{
    host_phase(&w->h, EMBER_PHASE_UPDATE);
    host_phase(&w->h, EMBER_PHASE_RENDER);
}

static inline void world_open_render(world *w)
{
    world_open(w, EMBER_SQUEEZE_RAW);
    world_render(w);
}

static inline void world_close(world *w)
{
    host_close(&w->h);
    ember_rom_close(w->rom);
    free(w->aligned);
    ember_buffer_free(&w->file);
    made_content_free(&w->made);
}

/* The i-th float at an address. */
static inline float world_float(const world *w, uint32_t at, uint32_t i)
{
    float value;
    memcpy(&value, w->h.memory + at + i * 4, sizeof(value));
    return value;
}

/* Whether a pose is bound. */
static inline bool world_has_pose(world *w)
{
    HOST_TRY(&w->h, emberi_host_bone_get_world_trs(w->h.c, 0, AT_OUT, AT_OUT_2, AT_OUT_3));
    return w->h.text[0] == '\0';
}

#endif
