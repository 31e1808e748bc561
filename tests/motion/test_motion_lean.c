/* SPDX-License-Identifier: MIT */
/* Motions of .ewzlean files: the poses that the file's reader gives at its frames, in either space, and
   errors for files and clips that are not there. */
#include <math.h>

#include "ember/motion.h"
#include "format/fixture.h"

#define FRAMES 40u

static ember_transform sway_frames[FRAMES * FIXTURE_BONES];

/* The chain's clip, and one that is longer than a block. */
static ember_buffer made_file(fixture_model *f)
{
    static ember_clip clips[2];
    fixture_fill(f);
    for (uint32_t i = 0; i < FRAMES * FIXTURE_BONES; i++) {
        const float angle = 0.6f * sinf(0.2f * (float)i);
        sway_frames[i] = f->rest[i % FIXTURE_BONES];
        sway_frames[i].rotation = (ember_quat){0.0f, sinf(angle / 2), 0.0f, cosf(angle / 2)};
    }
    clips[0] = clips[1] = f->clip;
    clips[1].name = "sway";
    clips[1].fps = 0.0;
    clips[1].loop = false;
    clips[1].marker_count = 0;
    clips[1].frames = sway_frames;
    clips[1].frame_count = FRAMES;
    f->model.clips = clips;
    f->model.clip_count = 2;
    return fixture_write(&f->model, (ember_write_options){.format = EMBER_FORMAT_EWZLEAN});
}

TEST(motion_from_ewzlean_gives_the_frames_that_the_reader_gives)
{
    fixture_model f;
    ember_arena   arena = ember_arena_growing(ember_heap(), 0);
    ember_buffer  file = made_file(&f);
    ember_model   read =
        fixture_read(file.data, file.size, (ember_read_options){.format = EMBER_FORMAT_EWZLEAN}, &arena);
    for (uint32_t c = 0; c < 2; c++) {
        const ember_clip *clip = &read.clips[c];
        ember_motion      motion;
        assert_int_equal(ember_motion_from_ewzlean(&motion, file.data, file.size, c == 0 ? NULL : "sway",
                                                   &arena, NULL),
                         EMBER_OK);
        assert_int_equal(motion.frame_count, clip->frame_count);
        assert_true(motion.fps == (c == 0 ? 24.0 : 30.0) && motion.loop == (c == 0));
        assert_int_equal(motion.space, EMBER_SPACE_LOCAL);
        assert_memory_equal(motion.parents, f.parents, sizeof(f.parents));
        motion.fps = 32.0; /* so that every frame is at a time that a double holds */
        for (uint32_t i = 0; i < clip->frame_count; i++) {
            ember_transform pose[FIXTURE_BONES];
            const uint32_t  frame = i * 7 % clip->frame_count;
            assert_int_equal(ember_motion_sample(&motion, pose, FIXTURE_BONES, frame / 32.0), EMBER_OK);
            assert_memory_equal(pose, clip->frames + (size_t)frame * FIXTURE_BONES, sizeof(pose));
        }
    }
    ember_arena_free(&arena);
    ember_buffer_free(&file);
}

TEST(motion_from_ewzlean_composes_where_model_space_is_wanted)
{
    fixture_model   f;
    ember_arena     arena = ember_arena_growing(ember_heap(), 0);
    ember_buffer    file = made_file(&f);
    ember_motion    motion;
    ember_mat34     local[FIXTURE_BONES], model[FIXTURE_BONES];
    ember_transform pose[FIXTURE_BONES];
    assert_int_equal(ember_motion_from_ewzlean(&motion, file.data, file.size, "sway", &arena, NULL),
                     EMBER_OK);
    assert_int_equal(ember_motion_sample(&motion, pose, FIXTURE_BONES, 0.77), EMBER_OK);
    assert_int_equal(ember_motion_matrices(&motion, local, pose), EMBER_OK);
    motion.space = EMBER_SPACE_MODEL;
    assert_int_equal(ember_motion_sample(&motion, pose, FIXTURE_BONES, 0.77), EMBER_OK);
    assert_int_equal(ember_motion_matrices(&motion, model, pose), EMBER_OK);
    for (uint32_t i = 0; i < FIXTURE_BONES; i++)
        for (int k = 0; k < 12; k++)
            assert_float_equal(local[i].m[k], model[i].m[k], 1e-5f);
    ember_arena_free(&arena);
    ember_buffer_free(&file);
}

TEST(motion_from_ewzlean_reports_what_it_cannot_open)
{
    fixture_model f;
    ember_arena   arena = ember_arena_growing(ember_heap(), 0);
    ember_buffer  file = made_file(&f);
    ember_error   err = EMBER_ERROR_INIT;
    ember_motion  motion;
    assert_int_equal(ember_motion_from_ewzlean(&motion, file.data, file.size, "jump", &arena, &err),
                     EMBER_E_ARG);
    assert_non_null(strstr(err.text, "jump"));
    assert_int_equal(ember_motion_from_ewzlean(&motion, NULL, 0, NULL, &arena, NULL), EMBER_E_TRUNCATED);
    /* the last clip is whole only with the file's last byte */
    for (fixture_prefix p = fixture_prefixes(file.data, file.size); fixture_prefix_next(&p);) {
        assert_int_not_equal(ember_motion_from_ewzlean(&motion, p.data, p.size, "sway", &arena, NULL),
                             EMBER_OK);
        assert_int_equal(motion.frame_count, 0);
        assert_int_equal(arena.total, 0);
    }
    ember_buffer_free(&file);
}

typedef struct opening {
    const ember_buffer *file;
} opening;

static ember_status open_in_arena(void *job, ember_arena *arena)
{
    const opening *o = job;
    ember_motion   motion;
    return ember_motion_from_ewzlean(&motion, o->file->data, o->file->size, "sway", arena, NULL);
}

TEST(motion_from_ewzlean_survives_every_arena_size)
{
    fixture_model f;
    ember_buffer  file = made_file(&f);
    opening       job = {&file};
    fixture_every_arena_size(open_in_arena, &job);
    ember_buffer_free(&file);
}
