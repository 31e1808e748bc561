/* SPDX-License-Identifier: MIT */
/* Clips made for the tests of squeezing: from still ones to pure noise, with half floats that are no numbers
   among them. */
#ifndef EMBER_TESTS_SQUEEZE_MADE_H
#define EMBER_TESTS_SQUEEZE_MADE_H

#include "testing.h"

#include "base/bytes.h"

typedef enum made_kind {
    MADE_NOISE,   /* every byte at random: no order to be found, NaN and infinities among the halves */
    MADE_SPARSE,  /* mostly small bytes, some of any size */
    MADE_DRIFT,   /* rarely a byte changes by one */
    MADE_PATTERN, /* a ramp that runs through all bytes */
    MADE_MOTION,  /* turning bones that change their largest component, positions that swing */
    MADE_SCALE,   /* the same with scales that change */
    MADE_STILL,   /* nothing moves, half of the bones are not at rest */
    MADE_KINDS
} made_kind;

typedef struct made_clip {
    uint32_t          bone_count, frame_count;
    uint8_t          *frames;
    uint8_t          *rest;
    int16_t          *parents;
    uint8_t          *offsets;
    ember_squeeze_rig rig;
} made_clip;

static inline ember_quat made_rotation(float phase, uint32_t bone)
{
    const float a = phase * (0.7f + 0.13f * (float)(bone % 7)), b = 1.1f * a + (float)bone;
    ember_quat  q = {a - (float)(int)a - 0.5f, (float)(bone % 5) * 0.3f - 0.6f, b - (float)(int)b - 0.3f,
                     0.8f - 0.5f * (a - (float)(int)a)};
    return q;
}

static inline void made_motion(uint8_t *record, uint32_t frame, uint32_t bone, bool scales)
{
    const float phase = (float)frame * 0.037f;
    const float swing =
        phase * (1.0f + (float)(bone % 3)) - (float)(int)(phase * (1.0f + (float)(bone % 3))) - 0.5f;
    ember_transform t = {.rotation = made_rotation(phase, bone % 4 == 3 ? 3 : bone),
                         .position = {(float)bone * 0.1f, bone % 2 != 0 ? swing * swing : 0.25f,
                                      bone % 3 != 0 ? -swing : 0.0f},
                         .scale = {1.0f, 1.0f, 1.0f}};
    if (bone % 4 == 3)
        t.rotation = (ember_quat){0.0f, 0.0f, 0.0f, 1.0f};
    if (scales && bone % 2 == 0)
        t.scale = (ember_vec3){1.0f + swing, 1.0f + swing, bone % 4 == 0 ? 1.0f + swing : 2.0f};
    assert_int_equal(ember_record_encode(record, EMBER_RECORD_EWZ, &t), EMBER_OK);
}

static inline uint8_t made_byte(test_random *random, made_kind kind, size_t i, const uint8_t *before)
{
    const uint32_t u = test_random_u32(random);
    switch (kind) {
    case MADE_NOISE:
        return (uint8_t)(u >> 24);
    case MADE_SPARSE:
        return (uint8_t)((u >> 24) & ((u >> 10 & 7u) == 0 ? 255u : 1u));
    case MADE_DRIFT:
        return (uint8_t)((before != NULL ? *before : 0u) + ((u & 63u) == 0 ? 1u : 0u));
    default:
        return (uint8_t)(i * 13 >> 5);
    }
}

static inline made_clip made_clip_make(made_kind kind, uint32_t bone_count, uint32_t frame_count,
                                       uint64_t seed)
{
    const size_t stride = (size_t)bone_count * 16, size = stride * frame_count;
    test_random  random = {seed * 2 + 1};
    made_clip    clip = {bone_count,
                         frame_count,
                         test_alloc(size),
                         test_alloc(stride),
                         test_alloc(bone_count * sizeof(int16_t)),
                         test_alloc((size_t)bone_count * 12),
                         {0}};
    for (uint32_t bone = 0; bone < bone_count; bone++) {
        clip.parents[bone] =
            (int16_t)(bone == 0 || bone % 11 == 10 ? -1 : (int)(test_random_u32(&random) % bone));
        made_motion(clip.rest + bone * 16u, 0, bone, false);
        for (uint32_t i = 0; i < 3; i++)
            emberi_put_u32(clip.offsets + 12 * (size_t)bone + 4 * i,
                           emberi_bits_of((float)bone * 0.1f - 1.0f));
    }
    for (uint32_t frame = 0; frame < frame_count; frame++)
        for (uint32_t bone = 0; bone < bone_count; bone++) {
            uint8_t *record = clip.frames + frame * stride + bone * 16u;
            if (kind == MADE_MOTION || kind == MADE_SCALE)
                made_motion(record, frame, bone, kind == MADE_SCALE);
            else if (kind == MADE_STILL)
                made_motion(record, bone % 2 != 0 ? 5 : 0, bone, bone % 4 == 0);
            else
                for (size_t i = 0; i < 16; i++)
                    record[i] = made_byte(&random, kind, frame * stride + bone * 16u + i,
                                          frame != 0 ? record + i - stride : NULL);
        }
    clip.rig = (ember_squeeze_rig){bone_count, clip.rest, clip.parents, clip.offsets, seed % 2 != 0};
    return clip;
}

static inline void made_clip_free(made_clip *clip)
{
    free(clip->frames);
    free(clip->rest);
    free(clip->parents);
    free(clip->offsets);
}

typedef struct made_block {
    uint8_t *data; /* exactly size bytes */
    size_t   size;
} made_block;

static inline made_block made_clip_squeeze(const made_clip *clip, ember_squeeze_method method)
{
    ember_arena       arena = ember_arena_growing(ember_heap(), 0);
    ember_squeeze_job job = {.out_capacity = ember_squeeze_bound(clip->bone_count, clip->frame_count),
                             .frames = clip->frames,
                             .frame_count = clip->frame_count,
                             .rig = &clip->rig,
                             .method = method};
    job.out = test_alloc(job.out_capacity);
    memset(job.out, 0xa5, job.out_capacity);
    assert_int_equal(ember_squeeze_encode(&job, &arena), EMBER_OK);
    assert_true(job.out_size <= job.out_capacity);
    made_block block = {test_exact_copy(job.out, job.out_size), job.out_size};
    free(job.out);
    ember_arena_free(&arena);
    return block;
}

/* A cursor in a block of exactly the size it asks for. */
static inline void *made_cursor(ember_squeeze_cursor *cursor, const ember_squeezed *block)
{
    const size_t size = ember_squeeze_cursor_size(block);
    void        *memory = NULL;
    assert_int_equal(posix_memalign(&memory, 16, size != 0 ? size : 16), 0);
    memset(memory, 0xcd, size);
    assert_int_equal(ember_squeeze_cursor_init(cursor, block, memory, size), EMBER_OK);
    return memory;
}

#endif
