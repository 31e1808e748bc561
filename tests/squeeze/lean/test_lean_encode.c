/* SPDX-License-Identifier: MIT */
/* The encoder of lean clips keeps its bound, on motion of every kind, and says so where it cannot. The error
   is measured by the test itself. Covers: lean_fit.c, lean_code.c, lean_write.c, lean_measure.c. */
#define _POSIX_C_SOURCE 200809L /* posix_memalign */
#include "lean_made.h"

#include <time.h>

static void check_bound(lean_made_kind kind, uint32_t bones, uint32_t frames, uint64_t seed, float max_error)
{
    lean_made       made;
    ember_lean_clip clip;
    lean_made_make(&made, kind, bones, frames, seed, max_error);
    void        *memory = lean_made_open(&clip, &made);
    const double error = lean_made_error(&made, &clip);
    assert_int_equal(clip.frame_count, frames);
    assert_int_equal(clip.bone_count, bones);
    assert_true(clip.error == made.job.error);
    assert_true(clip.error <= max_error);
    /* the two measurements differ by rounding alone */
    assert_true(error <= (double)clip.error * (1.0 + 1e-6) + 1e-9);
    assert_true(error >= (double)clip.error * 0.99 - 1e-9);
    assert_true(made.job.worst_bone < bones && made.job.worst_frame < frames);
    assert_int_equal(ember_lean_check(&clip, NULL), EMBER_OK);
    free(memory);
    lean_made_free(&made);
}

TEST(the_bound_is_kept_for_every_kind_of_motion)
{
    static const float bounds[] = {5e-5f, 1e-4f, 3e-4f, 1e-3f, 3e-3f};
    for (int kind = 0; kind < LEAN_MADE_KINDS; kind++)
        for (size_t i = 0; i < sizeof(bounds) / sizeof(bounds[0]); i++)
            for (uint64_t seed = 1; seed <= 2; seed++)
                check_bound((lean_made_kind)kind, 23, 50, seed, bounds[i]);
}

TEST(the_bound_is_kept_for_any_number_of_bones_and_frames)
{
    static const uint32_t frames[] = {1, 2, 3, 16, 17, 18, 33};
    static const uint32_t bones[] = {1, 2, 7, 8, 9, 255};
    for (size_t f = 0; f < sizeof(frames) / sizeof(frames[0]); f++)
        for (size_t b = 0; b < sizeof(bones) / sizeof(bones[0]); b++) {
            check_bound(LEAN_MADE_SWAY, bones[b], frames[f], 2, 1e-3f);
            check_bound(LEAN_MADE_SPIN, bones[b], frames[f], 1, 1e-3f);
        }
}

TEST(the_longest_clip_keeps_the_bound) { check_bound(LEAN_MADE_SWAY, 3, 65535, 2, 1e-3f); }

TEST(a_finer_bound_takes_more_bytes)
{
    size_t before = SIZE_MAX;
    for (float bound = 1e-4f; bound < 0.02f; bound *= 3.0f) {
        lean_made made;
        lean_made_make(&made, LEAN_MADE_SWAY, 20, 200, 2, bound);
        assert_true(made.size < before);
        before = made.size;
        lean_made_free(&made);
    }
}

/* One bone swings at the end of a long arm, as far as floats can tell and beyond. */
static ember_status encode_far(lean_made *made, float distance, float max_error)
{
    lean_made_source(made, LEAN_MADE_SWAY, 2, 40, 2);
    for (uint32_t f = 0; f < 40; f++)
        made->frames[2 * f + 1].position = (ember_vec3){distance, 0.0f, 0.0f};
    lean_made_rig(made);
    return lean_made_encode(made, max_error);
}

TEST(a_bone_far_out_names_itself_where_the_bound_cannot_be_kept)
{
    lean_made       made;
    ember_lean_clip clip;
    assert_int_equal(encode_far(&made, 50.0f, 1e-3f), EMBER_OK);
    lean_made_free(&made);
    assert_int_equal(encode_far(&made, 5e4f, 1e-5f), EMBER_E_RANGE);
    assert_int_equal(made.job.worst_bone, 1);
    assert_true(made.job.error > 1e-5f);
    /* what there is can be used, and is as good as it says */
    void *memory = lean_made_open(&clip, &made);
    assert_true(lean_made_error(&made, &clip) <= (double)clip.error * (1.0 + 1e-6));
    free(memory);
    lean_made_free(&made);
}

TEST(a_clip_can_be_encoded_against_the_rig_of_another)
{
    lean_made       other, made;
    ember_lean_clip clip;
    lean_made_make(&other, LEAN_MADE_SWAY, 12, 40, 2, 1e-3f);
    lean_made_source(&made, LEAN_MADE_SPIN, 12, 40, 2);
    made.rig_data = test_exact_copy(other.rig_data, other.rig.size);
    assert_int_equal(ember_lean_rig_open(&made.rig, made.rig_data, other.rig.size, NULL), EMBER_OK);
    assert_int_equal(lean_made_encode(&made, 1e-3f), EMBER_OK);
    void *memory = lean_made_open(&clip, &made);
    assert_true(lean_made_error(&made, &clip) <= 1e-3);
    free(memory);
    lean_made_free(&made);
    lean_made_free(&other);
}

TEST(the_same_input_gives_the_same_bytes)
{
    lean_made a, b;
    lean_made_make(&a, LEAN_MADE_SHEAR, 20, 60, 2, 1e-3f);
    lean_made_make(&b, LEAN_MADE_SHEAR, 20, 60, 2, 1e-3f);
    assert_int_equal(a.size, b.size);
    assert_memory_equal(a.data, b.data, a.size);
    lean_made_free(&a);
    lean_made_free(&b);
}

/* ---- rules ---- */

static ember_status run_broken(void (*spoil)(ember_lean_job *job, ember_transform *frames), ember_error *err)
{
    lean_made   made;
    ember_arena arena = ember_arena_growing(ember_heap(), 0);
    lean_made_make(&made, LEAN_MADE_SWAY, 4, 10, 2, 1e-3f);
    uint8_t       *out = test_alloc(ember_lean_bound(4, 10));
    ember_lean_job job = {.out = out,
                          .out_capacity = ember_lean_bound(4, 10),
                          .frames = made.frames,
                          .frame_count = 10,
                          .parents = made.parents,
                          .rig = &made.rig,
                          .max_error = 1e-3f};
    *err = (ember_error)EMBER_ERROR_INIT;
    spoil(&job, made.frames);
    const ember_status status = ember_lean_encode(&job, &arena, err);
    if (status != EMBER_OK)
        assert_int_equal(job.out_size, 0);
    free(out);
    ember_arena_free(&arena);
    lean_made_free(&made);
    return status;
}

static void spoil_nothing(ember_lean_job *job, ember_transform *frames) { (void)job, (void)frames; }
static void spoil_out(ember_lean_job *job, ember_transform *frames) { job->out = NULL, (void)frames; }
static void spoil_frames(ember_lean_job *job, ember_transform *frames) { job->frames = NULL, (void)frames; }
static void spoil_count(ember_lean_job *job, ember_transform *frames) { job->frame_count = 0, (void)frames; }
static void spoil_many(ember_lean_job *job, ember_transform *frames)
{
    job->frame_count = 65536, (void)frames;
}
static void spoil_zero(ember_lean_job *job, ember_transform *frames) { job->max_error = 0.0f, (void)frames; }
static void spoil_nan(ember_lean_job *job, ember_transform *frames) { job->max_error = NAN, (void)frames; }
static void spoil_space(ember_lean_job *job, ember_transform *frames)
{
    job->out_capacity = 40, (void)frames;
}
static void spoil_number(ember_lean_job *job, ember_transform *frames)
{
    (void)job;
    frames[4 * 7 + 2].position.y = INFINITY;
}
static void spoil_parents(ember_lean_job *job, ember_transform *frames)
{
    static const int16_t parents[4] = {-1, 2, 1, 0};
    (void)frames;
    job->parents = parents;
}

TEST(encode_checks_every_rule)
{
    ember_error err;
    assert_int_equal(run_broken(spoil_nothing, &err), EMBER_OK);
    assert_int_equal(run_broken(spoil_out, &err), EMBER_E_ARG);
    assert_int_equal(run_broken(spoil_frames, &err), EMBER_E_ARG);
    assert_int_equal(run_broken(spoil_count, &err), EMBER_E_ARG);
    assert_int_equal(run_broken(spoil_many, &err), EMBER_E_ARG);
    assert_int_equal(run_broken(spoil_zero, &err), EMBER_E_ARG);
    assert_int_equal(run_broken(spoil_nan, &err), EMBER_E_ARG);
    assert_int_equal(run_broken(spoil_parents, &err), EMBER_E_ARG);
    assert_int_equal(run_broken(spoil_space, &err), EMBER_E_SPACE);
    assert_int_equal(run_broken(spoil_number, &err), EMBER_E_RANGE);
    assert_int_equal(err.bone, 2);
    assert_int_equal(err.frame, 7);
}

TEST(encode_survives_every_failing_allocation)
{
    lean_made made;
    lean_made_make(&made, LEAN_MADE_MIRROR, 5, 20, 2, 1e-3f);
    uint8_t *out = test_alloc(ember_lean_bound(5, 20));
    for (size_t size = 0;; size += 64) {
        uint8_t           *memory = test_alloc(size);
        ember_arena        arena = ember_arena_fixed(memory, size);
        ember_lean_job     job = {.out = out,
                                  .out_capacity = ember_lean_bound(5, 20),
                                  .frames = made.frames,
                                  .frame_count = 20,
                                  .parents = made.parents,
                                  .rig = &made.rig,
                                  .max_error = 1e-3f};
        const ember_status status = ember_lean_encode(&job, &arena, NULL);
        free(memory);
        if (status == EMBER_OK)
            break;
        assert_int_equal(status, EMBER_E_NOMEM);
        assert_true(size < 1u << 20);
    }
    free(out);
    lean_made_free(&made);
}
