/* SPDX-License-Identifier: MIT */
/* Clips from local to model space and back: expected places by hand, what cannot be kept, what is refused. */
#include <math.h>

#include "fixtures/chain_model.h"
#include "model/space.h"

#define IDENTITY ((ember_transform)EMBER_TRANSFORM_IDENTITY)
#define HALF_TURN 0.70710678f /* sine and cosine of 45 degrees: the quaternion of a quarter turn */

static void close_to(ember_vec3 a, float x, float y, float z)
{
    assert_float_equal(a.x, x, 1e-6f);
    assert_float_equal(a.y, y, 1e-6f);
    assert_float_equal(a.z, z, 1e-6f);
}

/* A chain of three: each bone one unit along its parent's x, the first a quarter turn about z. */
static void fill_bent(fixture_model *f)
{
    fixture_fill(f);
    for (uint32_t i = 0; i < FIXTURE_BONES * FIXTURE_FRAMES; i++) {
        f->frames[i] = IDENTITY;
        f->frames[i].position.x = i % FIXTURE_BONES == 0 ? 0.0f : 1.0f;
        if (i % FIXTURE_BONES == 0)
            f->frames[i].rotation = (ember_quat){0.0f, 0.0f, HALF_TURN, HALF_TURN};
    }
}

TEST(a_local_clip_is_composed)
{
    ember_arena        arena = ember_arena_growing(ember_heap(), 0);
    ember_space_losses losses;
    fixture_model      f;
    ember_clip         out;
    fill_bent(&f);
    assert_int_equal(ember_clip_to_space(&out, &losses, &f.model, &f.clip, EMBER_SPACE_MODEL, &arena, NULL),
                     EMBER_OK);
    assert_int_equal(out.space, EMBER_SPACE_MODEL);
    close_to(out.frames[0].position, 0.0f, 0.0f, 0.0f);
    close_to(out.frames[1].position, 0.0f, 1.0f, 0.0f); /* x has become y */
    close_to(out.frames[2].position, 0.0f, 2.0f, 0.0f);
    assert_float_equal(out.frames[2].rotation.z, HALF_TURN, 1e-6f);
    assert_true(losses.shear < 1e-5f && losses.lost_count == 0);
    ember_arena_free(&arena);
}

TEST(there_and_back_is_where_it_was)
{
    ember_arena   arena = ember_arena_growing(ember_heap(), 0);
    fixture_model f;
    ember_clip    model, local;
    fill_bent(&f);
    assert_int_equal(ember_clip_to_space(&model, NULL, &f.model, &f.clip, EMBER_SPACE_MODEL, &arena, NULL),
                     EMBER_OK);
    assert_int_equal(ember_clip_to_space(&local, NULL, &f.model, &model, EMBER_SPACE_LOCAL, &arena, NULL),
                     EMBER_OK);
    for (uint32_t i = 0; i < FIXTURE_BONES * FIXTURE_FRAMES; i++)
        close_to(local.frames[i].position, f.frames[i].position.x, 0.0f, 0.0f);
    ember_arena_free(&arena);
}

TEST(a_clip_in_its_space_is_left_alone)
{
    ember_arena   arena = ember_arena_growing(ember_heap(), 0);
    fixture_model f;
    ember_clip    out;
    fill_bent(&f);
    f.frames[0].rotation = (ember_quat){0.0f, 0.0f, 0.0f, 0.0f}; /* not even looked at */
    assert_int_equal(ember_clip_to_space(&out, NULL, &f.model, &f.clip, EMBER_SPACE_LOCAL, &arena, NULL),
                     EMBER_OK);
    assert_ptr_equal(out.frames, f.frames);
    assert_int_equal(ember_clip_to_space(&out, NULL, &f.model, &f.clip, EMBER_SPACE_UNSTATED, &arena, NULL),
                     EMBER_OK);
    assert_ptr_equal(out.frames, f.frames);
    assert_int_equal(arena.total, 0);
}

/* The clip moves the first and the last bone; the one between keeps its rest, half a unit down y. */
TEST(bones_that_the_clip_does_not_have_keep_their_rest)
{
    static const uint16_t bones[2] = {0, 2};
    ember_arena           arena = ember_arena_growing(ember_heap(), 0);
    fixture_model         f;
    ember_clip            out;
    fill_bent(&f);
    f.clip.bones = bones;
    f.clip.bone_count = 2;
    f.clip.frame_count = 1;
    f.frames[1].position = (ember_vec3){0.0f, 3.0f, 0.0f};
    assert_int_equal(ember_clip_to_space(&out, NULL, &f.model, &f.clip, EMBER_SPACE_MODEL, &arena, NULL),
                     EMBER_OK);
    close_to(out.frames[1].position, -2.5f, 0.0f, 0.0f); /* 2.5 along y, turned by a quarter */
    ember_clip back;
    assert_int_equal(ember_clip_to_space(&back, NULL, &f.model, &out, EMBER_SPACE_LOCAL, &arena, NULL),
                     EMBER_OK);
    close_to(back.frames[1].position, 0.0f, 3.0f, 0.0f);
    ember_arena_free(&arena);
}

TEST(what_cannot_be_kept_is_counted)
{
    ember_arena        arena = ember_arena_growing(ember_heap(), 0);
    ember_space_losses losses;
    fixture_model      f;
    ember_clip         out;
    fill_bent(&f);
    f.clip.frame_count = 2;
    f.frames[FIXTURE_BONES].scale = (ember_vec3){4.0f, 1.0f, 1.0f}; /* the second frame's root */
    f.frames[FIXTURE_BONES + 1].rotation = (ember_quat){0.0f, 0.0f, 0.38268343f, 0.92387953f};
    assert_int_equal(ember_clip_to_space(&out, &losses, &f.model, &f.clip, EMBER_SPACE_MODEL, &arena, NULL),
                     EMBER_OK);
    assert_true(losses.shear > EMBER_SHEAR_LIMIT);
    assert_int_equal(losses.shear_frame, 1);
    assert_true(losses.shear_bone == 1 || losses.shear_bone == 2);

    fill_bent(&f);
    f.clip.space = EMBER_SPACE_MODEL;
    f.frames[FIXTURE_BONES + 0].scale = (ember_vec3){0.0f, 1.0f, 1.0f};
    assert_int_equal(ember_clip_to_space(&out, &losses, &f.model, &f.clip, EMBER_SPACE_LOCAL, &arena, NULL),
                     EMBER_OK);
    assert_int_equal(losses.lost_count, 1);
    assert_int_equal(losses.lost_bone, 1);
    assert_int_equal(losses.lost_frame, 1);
    ember_arena_free(&arena);
}

TEST(numbers_that_would_spoil_a_chain_are_refused)
{
    ember_arena   arena = ember_arena_growing(ember_heap(), 0);
    fixture_model f;
    ember_clip    out;
    ember_error   err = EMBER_ERROR_INIT;
    fill_bent(&f);
    f.frames[FIXTURE_BONES * 2 + 1].rotation = (ember_quat){0.0f, 0.0f, 0.0f, 0.0f};
    assert_int_equal(ember_clip_to_space(&out, NULL, &f.model, &f.clip, EMBER_SPACE_MODEL, &arena, &err),
                     EMBER_E_RANGE);
    assert_int_equal(err.clip, 0);
    assert_int_equal(err.bone, 1);
    assert_int_equal(err.frame, 2);
    assert_non_null(strstr(err.text, "no direction"));

    ember_error infinite = EMBER_ERROR_INIT;
    fill_bent(&f);
    f.frames[2].scale.y = (float)INFINITY;
    assert_int_equal(ember_clip_to_space(&out, NULL, &f.model, &f.clip, EMBER_SPACE_MODEL, &arena, &infinite),
                     EMBER_E_RANGE);
    assert_int_equal(infinite.bone, 2);
    ember_arena_free(&arena);
}

TEST(bones_of_which_only_the_number_is_known_cannot_change_space)
{
    ember_arena   arena = ember_arena_growing(ember_heap(), 0);
    fixture_model f;
    ember_clip    out;
    ember_error   err = EMBER_ERROR_INIT;
    fill_bent(&f);
    f.model.skeleton.names = NULL;
    f.model.skeleton.rest = NULL;
    f.parents[1] = f.parents[2] = -1;
    assert_int_equal(ember_clip_to_space(&out, NULL, &f.model, &f.clip, EMBER_SPACE_MODEL, &arena, &err),
                     EMBER_E_UNSUPPORTED);
    assert_non_null(strstr(err.text, "parents"));
    /* One bone has no parent to be known. */
    f.clip.bone_count = f.model.skeleton.bone_count = 1;
    assert_int_equal(ember_clip_to_space(&out, NULL, &f.model, &f.clip, EMBER_SPACE_MODEL, &arena, NULL),
                     EMBER_OK);
    ember_arena_free(&arena);
}

TEST(every_failing_allocation_is_reported)
{
    fixture_model f;
    fill_bent(&f);
    f.model.clip_count = 1;
    for (int space = EMBER_SPACE_MODEL; space <= EMBER_SPACE_LOCAL; space++) {
        f.clip.space = space == EMBER_SPACE_MODEL ? EMBER_SPACE_LOCAL : EMBER_SPACE_MODEL;
        bool done = false;
        for (size_t size = 0; !done && size < 16384; size += 16) {
            static uint8_t memory[16384];
            ember_arena    arena = ember_arena_fixed(memory, size);
            ember_error    err = EMBER_ERROR_INIT;
            ember_clip     out;
            ember_status   status =
                ember_clip_to_space(&out, NULL, &f.model, &f.clip, (ember_space)space, &arena, &err);
            assert_true(status == EMBER_OK || status == EMBER_E_NOMEM);
            assert_int_equal(err.status, status);
            done = status == EMBER_OK;
        }
        assert_true(done);
    }
}

/* A quarter turn about z, then twice as large, then along what was x: by hand. */
TEST(a_pose_is_composed_in_place)
{
    static const int16_t  parents[3] = {-1, 0, 1};
    const ember_transform pose[3] = {{{0, 0, HALF_TURN, HALF_TURN}, {1, 0, 0}, {2, 2, 2}},
                                     {{0, 0, 0, 1}, {1, 0, 0}, {0.5f, 0.5f, 0.5f}},
                                     {{0, 0, 0, 1}, {0, 3, 0}, {1, 1, 1}}};
    ember_transform       plain[3], mirrored[3];
    memcpy(plain, pose, sizeof(pose));
    emberi_pose_to_model(plain, parents, 3);
    close_to(plain[1].position, 1, 2, 0);
    close_to(plain[1].scale, 1, 1, 1);
    close_to(plain[2].position, -2, 2, 0);
    assert_float_equal(fabsf(plain[2].rotation.z), HALF_TURN, 1e-6f);
    /* the second bone sees x from the other side, and so does what hangs on it */
    memcpy(mirrored, pose, sizeof(pose));
    mirrored[1].scale.x = -0.5f;
    mirrored[2].position = (ember_vec3){1, 3, 0};
    emberi_pose_to_model(mirrored, parents, 3);
    close_to(mirrored[2].position, -2, 1, 0);
    ember_mat34 m = ember_mat34_from_transform(&mirrored[2]);
    const float expected[9] = {0, -1, 0, -1, 0, 0, 0, 0, 1};
    for (int row = 0; row < 3; row++)
        for (int k = 0; k < 3; k++)
            assert_float_equal(m.m[row * 4 + k], expected[row * 3 + k], 1e-6f);
}
