/* SPDX-License-Identifier: MIT */
/* Closed-loop quantisation of local clips: errors do not add up down a chain, what was stored once is stored
   again as it was, and a mirrored bone keeps its signs. Errors are measured by ember_compare_run, which has
   tests of its own. */
#include "testing.h"

#define CHAIN 20u
#define FRAMES 40u

typedef struct chain {
    int16_t         parents[CHAIN];
    ember_transform rest[CHAIN];
    ember_transform frames[FRAMES * CHAIN];
    ember_clip      clip;
    ember_model     model;
} chain;

/* One bone after the other, 0.25 long, each turning by random angles. */
static void chain_make(chain *c, ember_vec3 scale)
{
    test_random random = {0xc4a1};
    for (uint32_t i = 0; i < CHAIN; i++) {
        c->parents[i] = (int16_t)((int)i - 1);
        c->rest[i] = (ember_transform)EMBER_TRANSFORM_IDENTITY;
    }
    for (uint32_t i = 0; i < FRAMES * CHAIN; i++) {
        ember_vec3 axis = {test_random_float(&random, -1, 1), test_random_float(&random, -1, 1),
                           test_random_float(&random, -1, 1)};
        c->frames[i].rotation = ember_quat_from_axis_angle(axis, test_random_float(&random, -0.5f, 0.5f));
        c->frames[i].position =
            (ember_vec3){0.0f, i % CHAIN == 0 ? 1.0f : 0.25f, test_random_float(&random, -0.01f, 0.01f)};
        c->frames[i].scale = scale;
    }
    c->clip = (ember_clip){.name = "chain",
                           .fps = 30.0,
                           .space = EMBER_SPACE_LOCAL,
                           .bone_count = CHAIN,
                           .frame_count = FRAMES,
                           .frames = c->frames};
    c->model = (ember_model){.format = EMBER_FORMAT_JSON,
                             .skeleton = {CHAIN, c->parents, NULL, c->rest, NULL},
                             .clip_count = 1,
                             .clips = &c->clip};
}

static ember_buffer chain_write(const ember_model *model, ember_fit fit)
{
    ember_buffer        out = {.allocator = ember_heap()};
    ember_error         err = EMBER_ERROR_INIT;
    ember_write_options options = {.format = EMBER_FORMAT_EWZANIM, .space = EMBER_SPACE_LOCAL, .fit = fit};
    assert_int_equal(ember_model_write(&out, model, &options, &err), EMBER_OK);
    return out;
}

static ember_model chain_read(const ember_buffer *file, const ember_model *source, ember_arena *arena)
{
    ember_model        model;
    ember_error        err = EMBER_ERROR_INIT;
    ember_read_options options = {.format = EMBER_FORMAT_EWZANIM,
                                  .space = EMBER_SPACE_LOCAL,
                                  .skeleton = &source->skeleton};
    assert_int_equal(ember_model_read(&model, file->data, file->size, &options, arena, &err), EMBER_OK);
    return model;
}

static double chain_error(const ember_model *source, ember_fit fit)
{
    ember_arena       arena = ember_arena_growing(ember_heap(), 0);
    ember_buffer      file = chain_write(source, fit);
    ember_model       stored = chain_read(&file, source, &arena);
    ember_error       err = EMBER_ERROR_INIT;
    ember_compare_job job = {.a_model = source, .b_model = &stored, .a = source->clips, .b = stored.clips};
    assert_int_equal(ember_compare_run(&job, &arena, &err), EMBER_OK);
    ember_buffer_free(&file);
    ember_arena_free(&arena);
    return job.max / (double)job.size;
}

TEST(closed_loop_keeps_errors_from_adding_up)
{
    chain c;
    chain_make(&c, (ember_vec3){1.0f, 1.0f, 1.0f});
    double closed = chain_error(&c.model, EMBER_FIT_CLOSED), plain = chain_error(&c.model, EMBER_FIT_PLAIN);
    print_message("largest error of the size: closed loop %.4f %%, plain %.4f %%\n", closed * 100.0,
                  plain * 100.0);
    assert_true(closed * 5.0 < plain);
    /* A bone's own rounding and nothing else: 0.16 degrees at a shell of 1/60, and half a step of the largest
       coordinate there is. */
    assert_true(closed < 0.16 / 57.3 / 60.0 * 1.5 + 0.0005 / 5.0);
}

TEST(what_was_stored_once_is_stored_again_as_it_was)
{
    static const ember_vec3 scales[] = {{1.0f, 1.0f, 1.0f}, {0.9f, 1.1f, 1.0f}, {-1.0f, 1.0f, 1.0f}};
    for (size_t i = 0; i < sizeof(scales) / sizeof(scales[0]); i++) {
        chain c;
        chain_make(&c, scales[i]);
        ember_arena  arena = ember_arena_growing(ember_heap(), 0);
        ember_buffer first = chain_write(&c.model, EMBER_FIT_CLOSED);
        ember_model  stored = chain_read(&first, &c.model, &arena);
        ember_buffer second = chain_write(&stored, EMBER_FIT_CLOSED);
        assert_int_equal(first.size, second.size);
        assert_memory_equal(first.data, second.data, first.size);
        ember_buffer_free(&first);
        ember_buffer_free(&second);
        ember_arena_free(&arena);
    }
}

TEST(a_mirrored_bone_keeps_its_signs)
{
    chain c;
    chain_make(&c, (ember_vec3){1.0f, -1.0f, 1.0f});
    assert_true(chain_error(&c.model, EMBER_FIT_CLOSED) * 5.0 < chain_error(&c.model, EMBER_FIT_PLAIN));
    ember_arena  arena = ember_arena_growing(ember_heap(), 0);
    ember_buffer file = chain_write(&c.model, EMBER_FIT_CLOSED);
    ember_model  stored = chain_read(&file, &c.model, &arena);
    for (uint32_t i = 0; i < FRAMES * CHAIN; i++) {
        ember_vec3 scale = stored.clips[0].frames[i].scale;
        assert_true(scale.x > 0.99f && scale.y < -0.99f && scale.z > 0.99f);
    }
    ember_buffer_free(&file);
    ember_arena_free(&arena);
}

TEST(a_parent_of_no_size_leaves_its_children_as_they_are)
{
    chain c;
    chain_make(&c, (ember_vec3){1.0f, 1.0f, 1.0f});
    for (uint32_t frame = 0; frame < FRAMES; frame++)
        c.frames[frame * CHAIN + 3].scale = (ember_vec3){0.0f, 0.0f, 0.0f};
    ember_arena  arena = ember_arena_growing(ember_heap(), 0);
    ember_buffer file = chain_write(&c.model, EMBER_FIT_CLOSED);
    ember_model  stored = chain_read(&file, &c.model, &arena);
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        ember_vec3 child = stored.clips[0].frames[frame * CHAIN + 4].position;
        assert_true(child.y == 0.25f && child.x == 0.0f);
    }
    ember_buffer_free(&file);
    ember_arena_free(&arena);
}

TEST(bones_out_of_range_are_named)
{
    chain c;
    chain_make(&c, (ember_vec3){1.0f, 1.0f, 1.0f});
    c.frames[7 * CHAIN + 5].position.x = 70000.0f;
    ember_buffer        out = {.allocator = ember_heap()};
    ember_error         err = EMBER_ERROR_INIT;
    ember_write_options options = {.format = EMBER_FORMAT_EWZANIM, .space = EMBER_SPACE_LOCAL};
    assert_int_equal(ember_model_write(&out, &c.model, &options, &err), EMBER_E_RANGE);
    assert_int_equal(err.bone, 5);
    assert_int_equal(err.frame, 7);
    assert_int_equal(out.size, 0);
    ember_buffer_free(&out);
}
