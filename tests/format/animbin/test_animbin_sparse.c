/* SPDX-License-Identifier: MIT */
/* ANIMBIN's sparse keys: few of them, and the error measured by reading the file back. */
#include <math.h>

#include "animbin_bytes.h"

static file_bytes    file; /* too big for the stack of some systems */
static fixture_notes noise;

enum { BONES = 8, FRAMES = 120 };

static const int16_t parents[BONES] = {-1, 0, 1, 2, 2, 0, 5, 6}; /* two arms on a spine, and a leg */

typedef struct figure {
    ember_model     model;
    ember_clip      clip;
    ember_transform rest[BONES];
    ember_transform frames[BONES * FRAMES];
} figure;

static figure person;

static figure *figure_make(void)
{
    figure *p = &person;
    memset(p, 0, sizeof(*p));
    for (int b = 0; b < BONES; b++) {
        p->rest[b] = (ember_transform){{0, 0, 0, 1},
                                       {b == 4 ? 0.3f : 0.0f,
                                        b >= 5  ? -0.4f
                                        : b > 0 ? 0.4f
                                                : 1.0f,
                                        0},
                                       {1, 1, 1}};
        for (int f = 0; f < FRAMES; f++)
            p->frames[f * BONES + b] = p->rest[b];
    }
    p->model.skeleton = (ember_skeleton){.bone_count = BONES, .parents = parents, .rest = p->rest};
    p->model.clip_count = 1;
    p->model.clips = &p->clip;
    p->clip = (ember_clip){.name = "a",
                           .fps = 60,
                           .space = EMBER_SPACE_LOCAL,
                           .bone_count = BONES,
                           .frame_count = FRAMES,
                           .frames = p->frames};
    return p;
}

/* Swings of all bones, each in its own time, and a body that goes up and down. */
static figure *figure_dance(void)
{
    figure *p = figure_make();
    for (int f = 0; f < FRAMES; f++)
        for (int b = 0; b < BONES; b++) {
            float      turn = 6.2831853f * (float)f / (float)FRAMES;
            float      angle = 0.6f * sinf(turn * (float)(1 + b % 3) + (float)b);
            ember_vec3 axis = {b % 2 == 0 ? 1.0f : 0.2f, 0.3f, b % 3 == 0 ? 1.0f : 0.0f};
            p->frames[f * BONES + b].rotation = ember_quat_from_axis_angle(axis, angle);
            if (b == 0)
                p->frames[f * BONES].position.y += 0.1f * sinf(2.0f * turn);
        }
    return p;
}

typedef struct measured {
    double max, size;
    double everywhere; /* of points in all directions, not only the three that are compared */
    size_t keys, tracks;
} measured;

/* A good many directions, evenly over the sphere. */
enum { DIRECTIONS = 60 };

static void direction(double out[3], int i)
{
    double z = 1.0 - (2.0 * i + 1.0) / DIRECTIONS, turn = 2.399963 * i, around = sqrt(1.0 - z * z);
    out[0] = around * cos(turn);
    out[1] = around * sin(turn);
    out[2] = z;
}

/* How far the points at the shell around the bones, whose scales are all 1 here, are off in model space. */
static double measure_everywhere(const ember_model *a, const ember_model *b, double shell)
{
    double largest = 0.0;
    for (uint32_t frame = 0; frame < a->clips[0].frame_count; frame++) {
        ember_mat34 is[BONES], should_be[BONES];
        assert_int_equal(ember_clip_matrices(should_be, a, &a->clips[0], frame), EMBER_OK);
        assert_int_equal(ember_clip_matrices(is, b, &b->clips[0], frame), EMBER_OK);
        for (int bone = 0; bone < BONES; bone++)
            for (int i = 0; i < DIRECTIONS; i++) {
                double u[3], squared = 0.0;
                direction(u, i);
                for (int row = 0; row < 3; row++) {
                    double off = (double)is[bone].m[4 * row + 3] - (double)should_be[bone].m[4 * row + 3];
                    for (int k = 0; k < 3; k++)
                        off += ((double)is[bone].m[4 * row + k] - (double)should_be[bone].m[4 * row + k]) *
                               u[k] * shell;
                    squared += off * off;
                }
                largest = squared > largest ? squared : largest;
            }
    }
    return sqrt(largest);
}

static measured measure(const figure *p, const ember_write_options *asked)
{
    ember_arena        arena = test_arena();
    ember_error        err = EMBER_ERROR_INIT;
    ember_model        read;
    ember_read_options reading = {.skeleton = &p->model.skeleton, .animbin = asked->animbin};
    write_file(&file, &p->model, asked);
    read_file(&read, &file, &reading, &arena);
    ember_compare_job job = {.a_model = &p->model, .b_model = &read, .a = &p->clip, .b = &read.clips[0]};
    assert_int_equal(ember_compare_run(&job, &arena, &err), EMBER_OK);
    measured m = {.max = job.max,
                  .size = (double)job.size,
                  .everywhere = measure_everywhere(&p->model, &read, (double)job.used_shell),
                  .tracks = (size_t)(file.data[9 + 0x26] | file.data[9 + 0x27] << 8)};
    ember_arena_free(&arena);
    size_t at = 9 + 42;
    for (size_t i = 0; i < m.tracks; i++) {
        size_t keys = (size_t)(file.data[at + 2] | file.data[at + 3] << 8);
        at += 4 + keys * (file.data[at] == 0 ? 11u : 15u);
        m.keys += keys;
    }
    assert_int_equal(at, file.size);
    return m;
}

TEST(sparse_keys_of_what_stands_still_are_one_per_bone)
{
    const ember_write_options asked = {.animbin =
                                           &(ember_animbin_options){.keys = EMBER_ANIMBIN_KEYS_SPARSE}};
    measured                  m = measure(figure_make(), &asked);
    assert_int_equal(m.tracks, BONES);
    assert_int_equal(m.keys, BONES);
    assert_true(m.max == 0.0);
}

TEST(sparse_keys_of_an_even_turn_are_its_ends)
{
    const ember_write_options asked = {
        .animbin = &(ember_animbin_options){.keys = EMBER_ANIMBIN_KEYS_SPARSE, .tolerance = 0.002}};
    figure *p = figure_make();
    for (int f = 0; f < FRAMES; f++) {
        p->frames[f * BONES + 3].rotation =
            ember_quat_from_axis_angle((ember_vec3){0, 0, 1}, 1.5f * (float)f / (FRAMES - 1));
        p->frames[f * BONES + 4].position.x += (float)f / 100.0f;
    }
    measured m = measure(p, &asked);
    assert_int_equal(m.tracks, BONES + 1);
    assert_int_equal(m.keys, BONES + 1 + 2);
    assert_true(m.max <= 0.002);
}

/* The promise: whatever the tolerance, the file that was written is within it when it is read back. */
TEST(sparse_keys_keep_to_their_tolerance)
{
    static const double tolerances[] = {0.0006, 0.0015, 0.003, 0.01, 0.03, 0.1, 0.5};
    size_t              before = SIZE_MAX;
    for (size_t i = 0; i < sizeof(tolerances) / sizeof(tolerances[0]); i++) {
        for (int basis = 0; basis < 2; basis++) {
            const ember_write_options asked = {
                .animbin = &(ember_animbin_options){.keys = EMBER_ANIMBIN_KEYS_SPARSE,
                                                    .tolerance = tolerances[i],
                                                    .basis = (ember_animbin_basis)basis}};
            measured m = measure(figure_dance(), &asked);
            if (m.max > tolerances[i] || m.everywhere > tolerances[i])
                fail_msg("%g and %g are not within %g", m.max, m.everywhere, tolerances[i]);
            assert_true(m.keys <= before); /* more room never needs more keys here */
            before = basis == 1 ? m.keys : before;
        }
    }
    assert_true(before <= 4 * (BONES + 1)); /* half a metre of a figure of two: next to nothing */
}

TEST(sparse_keys_are_far_fewer_than_dense_ones)
{
    const ember_write_options sparse = {.animbin =
                                            &(ember_animbin_options){.keys = EMBER_ANIMBIN_KEYS_SPARSE}},
                              dense = {.animbin = &(ember_animbin_options){.keys = EMBER_ANIMBIN_KEYS_DENSE}};
    measured few = measure(figure_dance(), &sparse), all = measure(figure_dance(), &dense);
    assert_int_equal(all.keys, all.tracks * FRAMES);
    assert_true(few.keys * 3 < all.keys);
    assert_true(few.max <= few.size / 500.0);
    assert_true(all.max <= all.size / 1000.0);
}

TEST(sparse_keys_refuse_a_tolerance_that_rounding_alone_breaks)
{
    ember_error         err = EMBER_ERROR_INIT;
    ember_buffer        buffer = {.allocator = ember_heap()};
    ember_write_options options = {.format = EMBER_FORMAT_ANIMBIN,
                                   .animbin = &(ember_animbin_options){.keys = EMBER_ANIMBIN_KEYS_SPARSE,
                                                                       .tolerance = 1e-6}};
    assert_int_equal(ember_model_write(&buffer, &figure_dance()->model, &options, &err), EMBER_E_RANGE);
    assert_non_null(strstr(err.text, "within 1e-06 are not possible"));
    assert_int_equal(err.clip, 0);
    assert_int_equal(buffer.size, 0);
    ember_buffer_free(&buffer);
}

TEST(sparse_keys_say_how_many_and_how_good)
{
    const ember_write_options asked = {.animbin = &(ember_animbin_options){.keys = EMBER_ANIMBIN_KEYS_SPARSE},
                                       .notes = fixture_listen(&noise)};
    measure(figure_dance(), &asked);
    assert_non_null(strstr(noise.text, "keys in place of 1080, off by at most"));
}

/* A bone that turns where it moves: what is little at one side is much at the other, and no axis
   need point there. */
TEST(sparse_keys_hold_on_all_sides_of_a_bone)
{
    for (int side = -1; side <= 1; side += 2) {
        const ember_write_options asked = {
            .animbin = &(ember_animbin_options){.keys = EMBER_ANIMBIN_KEYS_SPARSE, .tolerance = 0.01}};
        figure *p = figure_make();
        for (int f = 0; f < FRAMES; f++) {
            float swing = sinf((float)f * 0.21f);
            p->frames[f * BONES + 7].rotation =
                ember_quat_from_axis_angle((ember_vec3){1, 1, 1}, 0.9f * swing * (float)side);
            p->frames[f * BONES + 7].position.x += 0.03f * swing;
            p->frames[f * BONES + 7].position.y -= 0.03f * swing;
        }
        measured m = measure(p, &asked);
        if (m.everywhere > 0.01)
            fail_msg("%g, and %g where it is compared", m.everywhere, m.max);
        assert_true(m.everywhere > m.max);
    }
}

TEST(sparse_keys_hold_for_any_motion)
{
    test_random random = {2024};
    for (int round = 0; round < 12; round++) {
        figure *p = figure_make();
        float   wild = round < 6 ? 0.05f : 1.0f; /* little moves, and tumbling at random */
        for (int i = 0; i < BONES * FRAMES; i++) {
            ember_quat q = {test_random_float(&random, -wild, wild), test_random_float(&random, -wild, wild),
                            test_random_float(&random, -wild, wild), round % 2 == 0 ? 1.0f : -1.0f};
            p->frames[i].rotation = ember_quat_normalize(q);
            if (round % 3 == 0)
                p->frames[i].position.x += test_random_float(&random, -0.1f, 0.1f);
        }
        const ember_write_options asked = {
            .animbin = &(ember_animbin_options){.keys = EMBER_ANIMBIN_KEYS_SPARSE, .tolerance = 0.02}};
        measured m = measure(p, &asked);
        if (m.max > 0.02 || m.everywhere > 0.02)
            fail_msg("round %d: %g, %g", round, m.max, m.everywhere);
    }
}
