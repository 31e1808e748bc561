/* SPDX-License-Identifier: MIT */
/* ANIMBIN written with units other than 1/4096, and what rounding costs.
   Covers: animbin_measure.c. */
#include <math.h>

#include "animbin_rig.h"

static file_bytes    file; /* too big for the stack of some systems */
static fixture_notes noise;

/* ---- chains ---- */

static float off(const ember_model *model, const ember_clip *clip, const ember_write_options *asked)
{
    ember_arena        arena = test_arena();
    ember_error        err = EMBER_ERROR_INIT;
    ember_model        read;
    ember_read_options reading = {.skeleton = &model->skeleton};
    reading.animbin = asked->animbin;
    write_file(&file, model, asked);
    read_file(&read, &file, &reading, &arena);
    ember_compare_job job = {.a_model = model, .b_model = &read, .a = clip, .b = &read.clips[0]};
    assert_int_equal(ember_compare_run(&job, &arena, &err), EMBER_OK);
    assert_int_equal(job.frame_count, clip->frame_count);
    ember_arena_free(&arena);
    return (float)(job.max / (double)job.size);
}

enum { CHAIN = 12, CHAIN_FRAMES = 60 };

static ember_transform chain_frames[CHAIN * CHAIN_FRAMES];

TEST(animbin_fits_bones_against_their_parents)
{
    static int16_t         parents[CHAIN];
    static ember_transform rest[CHAIN];
    test_random            random = {4711};
    for (int16_t i = 0; i < CHAIN; i++) {
        parents[i] = (int16_t)(i - 1);
        rest[i] = (ember_transform){{0, 0, 0, 1}, {0, i > 0 ? 0.2f : 0.0f, 0}, {1, 1, 1}};
    }
    for (int i = 0; i < CHAIN * CHAIN_FRAMES; i++) {
        ember_quat q = {test_random_float(&random, -0.2f, 0.2f), test_random_float(&random, -0.2f, 0.2f),
                        test_random_float(&random, -0.2f, 0.2f), 1};
        chain_frames[i] = rest[i % CHAIN];
        chain_frames[i].rotation = ember_quat_normalize(q);
    }
    const ember_clip          clip = {.name = "a",
                                      .fps = 60,
                                      .space = EMBER_SPACE_LOCAL,
                                      .bone_count = CHAIN,
                                      .frame_count = CHAIN_FRAMES,
                                      .frames = chain_frames};
    const ember_model         model = {.skeleton = {.bone_count = CHAIN, .parents = parents, .rest = rest},
                                       .clip_count = 1,
                                       .clips = &clip};
    const ember_write_options closed = {.fit = EMBER_FIT_CLOSED}, plain = {.fit = EMBER_FIT_PLAIN};
    float                     with = off(&model, &clip, &closed), without = off(&model, &clip, &plain);
    assert_true(with < 0.5e-3f);
    assert_true(without > 1.5f * with);
}

/* Positions behind a scale of 100, as some exporters leave them, are too small for FP12. */
TEST(animbin_warns_where_rounding_costs_much)
{
    ember_write_options asked = {.notes = fixture_listen(&noise)};
    rig                *r = rig_make(2);
    r->rest[0].scale = (ember_vec3){100, 100, 100};
    r->rest[1].position.y = r->rest[2].position.y = 0.01f;
    for (int i = 0; i < 2 * BONES; i++)
        r->frames[i] = r->rest[i % BONES];
    r->frames[BONES + 1].position.y = 0.0131f;
    write_file(&file, &r->model, &asked);
    assert_int_equal(noise.count[EMBER_NOTE_WARNING], 1);
    assert_non_null(strstr(noise.text, "of the model's size"));
    /* Half a unit times the scale of 100 is to be no more than an 8000th of the size of 2: 200000 and more
       will do. */
    assert_non_null(strstr(noise.text, "; a unit of 262144 is fine enough"));
    asked.animbin = &(ember_animbin_options){.unit = 262144};
    asked.notes = fixture_listen(&noise);
    write_file(&file, &r->model, &asked);
    assert_int_equal(noise.count[EMBER_NOTE_WARNING], 0);
    assert_non_null(strstr(noise.text, "max error"));
}

/* ---- units ---- */

TEST(animbin_unit_multiplies_lengths)
{
    const ember_write_options asked = {.animbin = &(ember_animbin_options){.unit = 128.0}},
                              truncate = {.animbin =
                                              &(ember_animbin_options){.unit = 128.0,
                                                                       .rounding = EMBER_ROUND_TRUNCATE}};
    rig *r = rig_make(1);
    r->frames[0].position = (ember_vec3){1.0f, -0.005f, 1000.0f}; /* -0.64 stored */
    write_file(&file, &r->model, &asked);
    assert_translation(track_at(&file, 3, 3, 1) + 4, 0, 128, -1, 128000);
    write_file(&file, &r->model, &truncate);
    assert_translation(track_at(&file, 3, 3, 1) + 4, 0, 128, 0, 128000);
}

/* The same skeleton says the same unit to whoever writes and reads. */
TEST(animbin_unit_can_be_by_the_skeleton)
{
    ember_arena         arena = test_arena();
    ember_model         model;
    ember_write_options asked = {.animbin = &(ember_animbin_options){.unit = EMBER_ANIMBIN_UNIT_AUTO},
                                 .notes = fixture_listen(&noise)};
    rig                *r = rig_make(2);
    r->frames[BONES + 1].position.y = 1.5f;
    write_file(&file, &r->model, &asked); /* 2 in size: 2000 would do, and 4096 it is */
    assert_translation(track_at(&file, 3, 3, 2) + 4 + 15, 1, 0, 6144, 0);
    assert_int_equal(noise.count[EMBER_NOTE_WARNING], 0);

    for (int i = 0; i < BONES; i++)
        r->rest[i].position.y *= 0.01f;
    for (int i = 0; i < 2 * BONES; i++)
        r->frames[i].position.y *= 0.01f;
    asked.notes = fixture_listen(&noise);
    write_file(&file, &r->model, &asked); /* 0.02 in size: 200000 at the least */
    assert_translation(track_at(&file, 3, 3, 2) + 4 + 15, 1, 0, 3932, 0);
    assert_non_null(strstr(noise.text, "the unit, by the skeleton, is 262144"));
    const ember_read_options reading = {.skeleton = &r->model.skeleton,
                                        .animbin = &(ember_animbin_options){.unit = EMBER_ANIMBIN_UNIT_AUTO}};
    read_file(&model, &file, &reading, &arena);
    assert_true(model.clips[0].frames[BONES + 1].position.y == 3932.0f / 262144.0f);
    ember_arena_free(&arena);
}

TEST(animbin_unit_by_the_skeleton_needs_a_rest)
{
    const ember_animbin_options asked = {.unit = EMBER_ANIMBIN_UNIT_AUTO};
    const ember_read_options    reading = {.animbin = &asked};
    ember_arena                 arena = test_arena();
    ember_model                 model;
    ember_error                 err = EMBER_ERROR_INIT;
    rig                        *r = rig_make(1);
    write_file(&file, &r->model, NULL);
    assert_int_equal(ember_model_read(&model, file.data, file.size, &reading, &arena, &err), EMBER_E_ARG);
    assert_non_null(strstr(err.text, "needs a rest pose"));
    r->model.skeleton.rest = NULL;
    refuse_model(&r->model, &asked, EMBER_E_ARG, "needs a rest pose");
    ember_arena_free(&arena);
}

/* Rests that nobody would make: the unit stays one that positions can be stored with. */
TEST(animbin_unit_by_the_skeleton_stays_within_reason)
{
    static const float sizes[] = {0.0f, 1e-30f, 1e-6f, 1e6f, 1e30f, INFINITY, NAN};
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
        for (size_t k = 0; k < sizeof(sizes) / sizeof(sizes[0]); k++) {
            const ember_write_options asked = {.animbin =
                                                   &(ember_animbin_options){.unit = EMBER_ANIMBIN_UNIT_AUTO}};
            rig                      *r = rig_make(1);
            r->rest[0].scale = (ember_vec3){sizes[k], sizes[k], sizes[k]};
            r->rest[1].position = (ember_vec3){sizes[i], 0, 0};
            r->frames[1].position.x = 1.0f;
            write_file(&file, &r->model, &asked);
        }
    /* Far away, with something small on it whose scale alone would ask for a unit of 2^26, with which 100
       does not fit. */
    const ember_write_options asked = {.animbin = &(ember_animbin_options){.unit = EMBER_ANIMBIN_UNIT_AUTO}};
    rig                      *r = rig_make(2);
    r->rest[1] = (ember_transform){{0, 0, 0, 1}, {100, 0, 0}, {1e6f, 1e6f, 1e6f}};
    r->rest[2].position.y = 1e-6f;
    for (int i = 0; i < 2 * BONES; i++)
        r->frames[i] = r->rest[i % BONES];
    r->frames[1].position.x = 150.0f;
    write_file(&file, &r->model, &asked);
}
