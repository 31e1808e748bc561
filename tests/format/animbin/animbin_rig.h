/* SPDX-License-Identifier: MIT */
/* A model by hand to write as ANIMBIN, and a look at the keys that come out of it. */
#ifndef EMBER_TEST_ANIMBIN_RIG_H
#define EMBER_TEST_ANIMBIN_RIG_H

#include "animbin_bytes.h"

enum { BONES = 3, MOST_FRAMES = 400 };

typedef struct rig {
    ember_model     model;
    ember_clip      clip;
    ember_transform frames[BONES * MOST_FRAMES];
    ember_transform rest[BONES];
    int16_t         parents[BONES];
} rig;

static inline ember_quat about_z(float degrees)
{
    return ember_quat_from_axis_angle((ember_vec3){0, 0, 1}, degrees * 3.14159265f / 180.0f);
}

/* Three sticks of length 1, one on top of the other, all at rest; the same ones each time. */
static inline rig *rig_make(uint32_t frame_count)
{
    static rig sticks;
    rig       *r = &sticks;
    memset(r, 0, sizeof(*r));
    for (int16_t i = 0; i < BONES; i++) {
        r->parents[i] = (int16_t)(i - 1);
        r->rest[i] = (ember_transform){{0, 0, 0, 1}, {0, i > 0 ? 1.0f : 0.0f, 0}, {1, 1, 1}};
        for (size_t f = 0; f < frame_count; f++)
            r->frames[f * BONES + (size_t)i] = r->rest[i];
    }
    r->model.skeleton = (ember_skeleton){.bone_count = BONES, .parents = r->parents, .rest = r->rest};
    r->model.clip_count = 1;
    r->model.clips = &r->clip;
    r->clip = (ember_clip){.name = "a",
                           .fps = 60.0,
                           .space = EMBER_SPACE_LOCAL,
                           .bone_count = BONES,
                           .frame_count = frame_count,
                           .frames = r->frames};
    return r;
}

static inline void refuse_model(const ember_model *model, const ember_animbin_options *asked,
                                ember_status status, const char *part)
{
    fixture_refuse_write(model, (ember_write_options){.format = EMBER_FORMAT_ANIMBIN, .animbin = asked},
                         status, part);
}

/* The bytes of track `index` of the first animation, all of whose tracks have `keys` keys. */
static inline const uint8_t *track_at(const file_bytes *f, size_t index, size_t rotations, size_t keys)
{
    size_t at = 9 + 42;
    for (size_t i = 0; i < index; i++)
        at += 4 + keys * (i < rotations ? 11u : 15u);
    assert_true(at < f->size);
    return f->data + at;
}

static inline int s16_at(const uint8_t *p) { return (int16_t)(p[0] | p[1] << 8); }

static inline int32_t s32_at(const uint8_t *p)
{
    return (int32_t)((uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24);
}

static inline void assert_rotation(const uint8_t *key, int frame, int w, int x, int y, int z)
{
    assert_int_equal(s16_at(key), frame);
    assert_int_equal(key[2], 0);
    assert_int_equal(s16_at(key + 3), w);
    assert_int_equal(s16_at(key + 5), x);
    assert_int_equal(s16_at(key + 7), y);
    assert_int_equal(s16_at(key + 9), z);
}

static inline void assert_translation(const uint8_t *key, int frame, int x, int y, int z)
{
    assert_int_equal(s16_at(key), frame);
    assert_int_equal(key[2], 1);
    assert_int_equal(s32_at(key + 3), x);
    assert_int_equal(s32_at(key + 7), y);
    assert_int_equal(s32_at(key + 11), z);
}

#endif
