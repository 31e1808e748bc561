/* SPDX-License-Identifier: MIT */
/* The object-space error against displacements that were worked out by hand. */
#include <math.h>

#include "fixtures/triangle.h"
#include "format/fixture.h"

/* Two models alike: a chain of three, each bone 1 above the one before, in local space; the box is 2 high. */
typedef struct pair {
    fixture_model a, b;
} pair;

static void stand(fixture_model *f)
{
    fixture_fill(f);
    for (uint32_t i = 0; i < FIXTURE_BONES * FIXTURE_FRAMES; i++)
        f->frames[i] =
            (ember_transform){{0, 0, 0, 1}, {0, i % FIXTURE_BONES == 0 ? 0.0f : 1.0f, 0}, {1, 1, 1}};
}

static ember_compare_job job_of(pair *p)
{
    stand(&p->a);
    stand(&p->b);
    return (
        ember_compare_job){.a_model = &p->a.model, .b_model = &p->b.model, .a = &p->a.clip, .b = &p->b.clip};
}

static void run(ember_compare_job *job)
{
    ember_arena arena = ember_arena_growing(ember_heap(), 0);
    ember_error err = EMBER_ERROR_INIT;
    assert_int_equal(ember_compare_run(job, &arena, &err), EMBER_OK);
    assert_int_equal(arena.total, 0);
    ember_arena_free(&arena);
}

static void is_near(double value, double wanted) { assert_true(fabs(value - wanted) < 1e-6); }

TEST(equal_clips_are_no_distance_apart)
{
    pair              p;
    ember_compare_job job = job_of(&p);
    run(&job);
    assert_true(job.max == 0.0 && job.mean == 0.0);
    assert_int_equal(job.bone_count, 3);
    assert_int_equal(job.frame_count, 4);
    assert_float_equal(job.size, 2.0f, 1e-6f);
    assert_float_equal(job.used_shell, 2.0f / 60.0f, 1e-6f);
}

TEST(a_shift_moves_a_bone_and_its_children)
{
    double            bone_max[3], bone_mean[3], frame_max[4];
    pair              p;
    ember_compare_job job = job_of(&p);
    job.bone_max = bone_max;
    job.bone_mean = bone_mean;
    job.frame_max = frame_max;
    p.b.frames[2 * 3 + 1].position.x = 0.5f; /* knee in frame 2 */
    run(&job);
    is_near(job.max, 0.5);
    assert_int_equal(job.max_frame, 2);
    assert_int_equal(job.max_bone, 1);
    is_near(bone_max[0], 0.0);
    is_near(bone_max[2], 0.5);
    is_near(bone_mean[1], 0.125);
    is_near(frame_max[1], 0.0);
    is_near(frame_max[2], 0.5);
    is_near(job.mean, 1.0 / 12.0); /* two bones of twelve are 0.5 off */
}

TEST(a_turn_is_measured_at_the_shell)
{
    pair              p;
    ember_compare_job job = job_of(&p);
    job.shell = 0.25f;
    /* The last bone half a turn about y: its x point goes from 0.25 to -0.25. */
    p.b.frames[2].rotation = (ember_quat){0, 1, 0, 0};
    run(&job);
    is_near(job.max, 0.5);
    assert_int_equal(job.max_bone, 2);
    assert_float_equal(job.used_shell, 0.25f, 0.0f);
    /* A quarter turn about y moves it by 0.25 * sqrt(2). */
    p.b.frames[2].rotation = (ember_quat){0, 0.70710678f, 0, 0.70710678f};
    run(&job);
    is_near(job.max, 0.25 * 1.41421356);
    /* Twice the size moves every point of the shell by its distance. */
    p.b.frames[2] = p.a.frames[2];
    p.b.frames[2].scale = (ember_vec3){2, 2, 2};
    run(&job);
    is_near(job.max, 0.25);
}

/* The last bone a hundred times as large in both, and turned by a right angle in one: its points still lie at
   the shell. */
TEST(a_bones_own_scale_does_not_move_its_points_out)
{
    pair              p;
    ember_compare_job job = job_of(&p);
    for (uint32_t frame = 0; frame < FIXTURE_FRAMES; frame++) {
        p.a.frames[frame * FIXTURE_BONES + 2].scale = (ember_vec3){100, 100, 100};
        p.b.frames[frame * FIXTURE_BONES + 2].scale = (ember_vec3){100, 100, 100};
        p.b.frames[frame * FIXTURE_BONES + 2].rotation = (ember_quat){0, 0, sqrtf(0.5f), sqrtf(0.5f)};
    }
    job.shell = 0.03f;
    run(&job);
    is_near(job.max, 0.03 * sqrt(2.0));
}

TEST(bones_match_by_name_where_both_have_names)
{
    static const char *const turned[3] = {"foot", "other", "hip"};
    double                   bone_max[3];
    pair                     p;
    ember_compare_job        job = job_of(&p);
    p.a.clip.space = p.b.clip.space = EMBER_SPACE_MODEL;
    p.b.model.skeleton.names = turned;
    for (int frame = 0; frame < 4; frame++) {
        p.b.frames[frame * 3 + 0] = p.a.frames[frame * 3 + 2];
        p.b.frames[frame * 3 + 2] = p.a.frames[frame * 3 + 0];
    }
    job.bone_max = bone_max;
    run(&job);
    assert_int_equal(job.bone_count, 2);
    assert_true(job.max == 0.0);
    assert_true(bone_max[1] == -1.0);
    /* By index, where one side has none or only made-up ones: hip and foot are then 1 apart. */
    p.b.model.skeleton.names = NULL;
    run(&job);
    assert_int_equal(job.bone_count, 3);
    is_near(job.max, 1.0);
    static const char *const made[3] = {"bone_0", "bone_1", "bone_2"};
    p.b.model.skeleton.names = made;
    run(&job);
    assert_int_equal(job.bone_count, 3);
}

/* A name that comes twice belongs to nobody, but in its own place; a bone without one is matched
   by its place. */
TEST(names_that_do_not_tell_are_no_match)
{
    pair              p;
    double            bone_max[FIXTURE_BONES];
    ember_compare_job job = job_of(&p);
    job.bone_max = bone_max;
    p.a.names[0] = "twice";
    p.b.names[1] = p.b.names[2] = "twice";
    p.b.names[0] = "other";
    p.a.names[2] = "twice"; /* as in b, there */
    run(&job);
    assert_int_equal(job.bone_count, 1);
    assert_true(bone_max[0] == -1.0 && bone_max[1] == -1.0 && bone_max[2] == 0.0);
    job = job_of(&p);
    job.bone_max = bone_max;
    p.a.names[1] = p.b.names[1] = NULL; /* both: the same place */
    p.a.names[2] = NULL;                /* only one of them: none */
    run(&job);
    assert_int_equal(job.bone_count, 2);
    assert_true(bone_max[0] == 0.0 && bone_max[1] == 0.0 && bone_max[2] == -1.0);
}

/* The size is that of the bones and of what hangs on them in the first frame, where it is then. */
TEST(meshes_count_for_the_size)
{
    static const ember_vec3 corners[3] = {{0, 0, 0}, {4, 0, 0}, {0, 1, 0}};
    static const uint16_t   joints[3][4] = {{2, 1, 0, 0}, {2, 0, 0, 0}, {0, 0, 0, 0}};
    static const float      weights[3][4] = {{0.5f, 0.5f, 0, 0}, {1, 0, 0, 0}, {1, 0, 0, 0}};
    static ember_mat34      binds[FIXTURE_BONES];
    ember_mesh              mesh = fixture_triangle();
    mesh.positions = corners;
    for (int kind = 0; kind < 4; kind++) {
        pair              p;
        ember_compare_job job = job_of(&p);
        p.a.model.meshes = &mesh;
        p.a.model.mesh_count = 1;
        mesh.bone = kind == 1 ? 2 : -1;
        mesh.joints = kind >= 2 ? joints : NULL;
        mesh.weights = kind >= 2 ? weights : NULL;
        for (uint32_t i = 0; i < FIXTURE_BONES; i++)
            binds[i] = (ember_mat34){{3, 0, 0, 0, 0, 3, 0, 0, 0, 0, 3, 0}};
        p.a.model.skeleton.inverse_binds = kind == 3 ? binds : NULL;
        /* It stands still, hangs on the third bone, is skinned: 4 wide each time. Inverse binds of three
           times make it 12. */
        run(&job);
        assert_float_equal(job.size, kind == 3 ? 12.0f : 4.0f, 1e-5f);
        /* A clip of the first bone alone has neither the bone nor the joints: what is on them
           does not count. */
        if (kind != 0) {
            job = (ember_compare_job){.a_model = &p.a.model,
                                      .b_model = &p.b.model,
                                      .a = &p.a.clip,
                                      .b = &p.b.clip};
            p.a.clip.bone_count = p.b.clip.bone_count = 1;
            for (uint32_t i = 0; i < FIXTURE_FRAMES; i++)
                p.a.frames[i].position.y = 0.0f;
            run(&job);
            assert_float_equal(job.size, kind == 3 ? 3.0f : kind == 2 ? 1.0f : 0.0f, 1e-5f);
        }
    }
}

TEST(clips_of_nothing_are_no_distance_apart)
{
    pair              p;
    ember_compare_job job = job_of(&p);
    p.a.clip.bone_count = p.b.clip.bone_count = 0;
    run(&job);
    assert_true(job.max == 0.0 && job.mean == 0.0 && job.bone_count == 0);
    job = job_of(&p);
    p.a.clip.frame_count = 0;
    run(&job);
    assert_true(job.max == 0.0 && job.mean == 0.0 && job.frame_count == 0 && job.bone_count == 3);
}

TEST(comparing_refuses_what_is_not_there)
{
    for (int missing = 0; missing < 4; missing++) {
        pair              p;
        ember_error       err = EMBER_ERROR_INIT;
        ember_arena       arena = ember_arena_growing(ember_heap(), 0);
        ember_compare_job job = job_of(&p);
        job.a_model = missing == 0 ? NULL : job.a_model;
        job.b_model = missing == 1 ? NULL : job.b_model;
        job.a = missing == 2 ? NULL : job.a;
        job.b = missing == 3 ? NULL : job.b;
        assert_int_equal(ember_compare_run(&job, &arena, &err), EMBER_E_ARG);
        assert_non_null(strstr(err.text, "two clips of two models"));
        ember_arena_free(&arena);
    }
}

TEST(clips_without_a_common_bone_are_an_error)
{
    static const char *const others[3] = {"x", "y", "z"};
    ember_arena              arena = ember_arena_growing(ember_heap(), 0);
    ember_error              err = EMBER_ERROR_INIT;
    pair                     p;
    ember_compare_job        job = job_of(&p);
    p.b.model.skeleton.names = others;
    assert_int_equal(ember_compare_run(&job, &arena, &err), EMBER_E_ARG);
    assert_string_equal(err.text, "the two clips have no bone in common");
    ember_arena_free(&arena);
}

TEST(the_shorter_clip_ends_the_comparison)
{
    double            frame_max[4];
    pair              p;
    ember_compare_job job = job_of(&p);
    p.b.clip.frame_count = 2;
    p.b.clip.marker_count = 0;
    job.frame_max = frame_max;
    run(&job);
    assert_int_equal(job.frame_count, 2);
    assert_true(frame_max[1] == 0.0 && frame_max[2] == -1.0);
}

TEST(what_is_not_finite_is_infinitely_far)
{
    pair              p;
    ember_compare_job job = job_of(&p);
    p.b.frames[5].position.x = NAN;
    run(&job);
    assert_true(isinf(job.max));
    assert_int_equal(job.max_frame, 1);
    /* The very same on both sides is no difference. */
    p.a.frames[5].position.x = NAN;
    run(&job);
    assert_true(job.max == 0.0);
    assert_float_equal(job.size, 2.0f, 1e-6f);
}

TEST(a_clip_without_size_is_measured_at_three_centimetres)
{
    pair              p;
    ember_compare_job job = job_of(&p);
    p.a.clip.bone_count = p.b.clip.bone_count = 1;
    p.a.clip.frame_count = p.b.clip.frame_count = 1;
    run(&job);
    assert_float_equal(job.size, 0.0f, 0.0f);
    assert_float_equal(job.used_shell, 0.03f, 1e-8f);
}

TEST(local_and_model_space_compare_as_the_same_motion)
{
    pair              p;
    ember_compare_job job = job_of(&p);
    p.b.clip.space = EMBER_SPACE_MODEL;
    for (uint32_t i = 0; i < 12; i++)
        p.b.frames[i].position.y = (float)(i % 3);
    run(&job);
    is_near(job.max, 0.0);
}

static ember_status compare_run(void *job, ember_arena *arena)
{
    ember_status status = ember_compare_run(job, arena, NULL);
    assert_int_equal(arena->used, 0);
    return status;
}

TEST(comparing_survives_every_failing_allocation)
{
    static const uint16_t bones[3] = {2, 1, 0};
    pair                  p;
    ember_compare_job     job = job_of(&p);
    p.a.clip.bones = p.b.clip.bones = bones;
    fixture_every_arena_size(compare_run, &job);
}

TEST(comparing_refuses_a_shell_that_is_none)
{
    ember_arena       arena = ember_arena_growing(ember_heap(), 0);
    pair              p;
    ember_compare_job job = job_of(&p);
    job.shell = -1.0f;
    assert_int_equal(ember_compare_run(&job, &arena, NULL), EMBER_E_ARG);
    job.shell = NAN;
    assert_int_equal(ember_compare_run(&job, &arena, NULL), EMBER_E_ARG);
    job.shell = 0.0f;
    job.b = NULL;
    assert_int_equal(ember_compare_run(&job, &arena, NULL), EMBER_E_ARG);
    ember_arena_free(&arena);
}
