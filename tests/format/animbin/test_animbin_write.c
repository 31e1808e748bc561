/* SPDX-License-Identifier: MIT */
/* ANIMBIN written from frames: which tracks there are, and which numbers are in their keys.
   Covers: animbin_dense.c, animbin_make.c. */
#include "animbin_rig.h"

static file_bytes    file, again; /* too big for the stack of some systems */
static fixture_notes noise;

/* ---- dense keys ---- */

TEST(animbin_rounds_to_nearest_or_truncates)
{
    const ember_write_options truncate = {.animbin =
                                              &(ember_animbin_options){.rounding = EMBER_ROUND_TRUNCATE}};
    rig                      *r = rig_make(1);
    r->frames[1].rotation = (ember_quat){-0.28f, 0, 0.96f, 0}; /* 1146.88 and 3932.16 */
    write_file(&file, &r->model, NULL);
    assert_int_equal(file.size, 9 + 42 + 3 * 15);
    assert_rotation(track_at(&file, 1, 3, 1) + 4, 0, 0, -1147, 0, 3932);
    write_file(&file, &r->model, &truncate);
    assert_rotation(track_at(&file, 1, 3, 1) + 4, 0, 0, -1146, 0, 3932);
}

TEST(animbin_truncates_each_value_for_itself)
{
    const ember_write_options truncate = {.animbin =
                                              &(ember_animbin_options){.rounding = EMBER_ROUND_TRUNCATE}};
    rig                      *r = rig_make(1);
    for (int i = 0; i < BONES; i++)
        r->frames[i].rotation = (ember_quat){0.28f, 0, 0, 0.96f};
    write_file(&file, &r->model, &truncate);
    for (size_t i = 0; i < BONES; i++) /* what a parent loses, its child does not make up for */
        assert_rotation(track_at(&file, i, 3, 1) + 4, 0, 3932, 1146, 0, 0);
}

TEST(animbin_writes_one_dense_rotation_track_per_bone)
{
    rig *r = rig_make(5);
    r->clip.loop = true;
    write_file(&file, &r->model, NULL);
    put_header(&again, 1);
    put_animation(&again, "a", 1, 5, 3, 0);
    for (unsigned joint = 0; joint < 3; joint++) {
        put_track(&again, 0, joint, 5);
        for (int frame = 0; frame < 5; frame++)
            put_rotation(&again, frame, 4096, 0, 0, 0);
    }
    assert_same_file(&file, &again);
}

TEST(animbin_rotations_keep_their_sign)
{
    rig *r = rig_make(4);
    r->frames[0 * BONES].rotation = (ember_quat){0, 0, 0, -1};
    r->frames[1 * BONES].rotation = (ember_quat){0, 0, 0.70710678f, 0.70710678f};
    r->frames[2 * BONES].rotation = (ember_quat){0, 0, -1, 0};
    r->frames[3 * BONES].rotation = (ember_quat){0, 0, 1, 0};
    write_file(&file, &r->model, NULL);
    const uint8_t *keys = track_at(&file, 0, 3, 4) + 4;
    assert_rotation(keys, 0, -4096, 0, 0, 0);
    assert_rotation(keys + 11, 1, -2896, 0, 0, -2896);
    assert_rotation(keys + 22, 2, 0, 0, 0, -4096);
    assert_rotation(keys + 33, 3, 0, 0, 0, -4096);
}

TEST(animbin_rotations_need_not_be_unit)
{
    rig *r = rig_make(1);
    r->frames[0].rotation = (ember_quat){0, 0, 7.0f, 24.0f};
    write_file(&file, &r->model, NULL);
    assert_rotation(track_at(&file, 0, 3, 1) + 4, 0, 3932, 0, 0, 1147);
}

TEST(animbin_translations_are_written_where_they_move)
{
    ember_write_options asked = {
        .animbin = &(ember_animbin_options){.translations = EMBER_ANIMBIN_TRANSLATIONS_KEPT}};
    rig *r = rig_make(2);
    r->frames[1 * BONES + 2].position.x = 0.25f;
    write_file(&file, &r->model, &asked);
    assert_int_equal(file.size, 9 + 42 + 3 * (4 + 22) + (4 + 30));
    const uint8_t *track = track_at(&file, 3, 3, 2);
    assert_int_equal(track[0], 1);
    assert_int_equal(track[1], 2);
    assert_translation(track + 4, 0, 0, 4096, 0);
    assert_translation(track + 4 + 15, 1, 1024, 4096, 0);

    asked.animbin = &(ember_animbin_options){.translations = EMBER_ANIMBIN_TRANSLATIONS_ALWAYS};
    write_file(&file, &r->model, &asked);
    assert_int_equal(file.size, 9 + 42 + 3 * (4 + 22) + 3 * (4 + 30));
    asked.animbin = &(ember_animbin_options){.translations = EMBER_ANIMBIN_TRANSLATIONS_NEVER};
    asked.notes = fixture_listen(&noise);
    write_file(&file, &r->model, &asked);
    assert_int_equal(file.size, 9 + 42 + 3 * (4 + 22));
    assert_non_null(strstr(noise.text, "motion from the rest position of 1 bone is not stored"));
}

/* Away from rest all the time is a move as well, for which one key will do. */
TEST(animbin_auto_translations_look_at_the_rest)
{
    rig *r = rig_make(2);
    r->frames[0 * BONES + 1].position.z = r->frames[1 * BONES + 1].position.z = 3.0f;
    write_file(&file, &r->model, NULL);
    assert_int_equal(file.size, 9 + 42 + 3 * (4 + 22) + (4 + 15));
    const uint8_t *track = track_at(&file, 3, 3, 2);
    assert_int_equal(track[2] | track[3] << 8, 1);
    assert_translation(track + 4, 0, 0, 4096, 3 * 4096);
}

/* Where nobody knows the rest a reader takes the origin, so whatever is elsewhere is stored. */
TEST(animbin_positions_without_a_rest_are_stored)
{
    ember_write_options asked = {.notes = fixture_listen(&noise)};
    rig                *r = rig_make(2);
    r->model.skeleton.rest = NULL;
    write_file(&file, &r->model, &asked);
    assert_int_equal(file.size, 9 + 42 + 3 * (4 + 22) + 2 * (4 + 15));
    assert_translation(track_at(&file, 3, 3, 2) + 4, 0, 0, 4096, 0);
    asked = (ember_write_options){.animbin = &(ember_animbin_options){.translations =
                                                                          EMBER_ANIMBIN_TRANSLATIONS_NEVER},
                                  .notes = fixture_listen(&noise)};
    write_file(&file, &r->model, &asked);
    assert_int_equal(file.size, 9 + 42 + 3 * (4 + 22));
    assert_non_null(
        strstr(noise.text, "the position of 2 bones is not stored: no translations were asked for"));
}

/* Keyed anew, a file without a skeleton gives the frames that it gave. */
TEST(animbin_still_positions_outlive_new_keys)
{
    static const ember_animbin_keys ways[] = {EMBER_ANIMBIN_KEYS_DENSE, EMBER_ANIMBIN_KEYS_SPARSE};
    for (int i = 0; i < 2; i++) {
        const ember_write_options asked = {.animbin = &(ember_animbin_options){.keys = ways[i]}};
        ember_arena               arena = test_arena();
        ember_model               before, after;
        put_header(&file, 1);
        put_animation(&file, "a", 0, 3, 2, 0);
        put_track(&file, 0, 0, 1);
        put_rotation(&file, 0, 4096, 0, 0, 0);
        put_track(&file, 1, 1, 1);
        put_translation(&file, 0, 100, -200, 300);
        read_file(&before, &file, NULL, &arena);
        write_file(&again, &before, &asked);
        read_file(&after, &again, NULL, &arena);
        assert_memory_equal(before.clips[0].frames, after.clips[0].frames, 6 * sizeof(ember_transform));
        assert_true(after.clips[0].frames[5].position.y == -200.0f / 4096.0f);
        ember_arena_free(&arena);
    }
}

TEST(animbin_psx_basis_turns_what_is_written)
{
    const ember_write_options asked = {.animbin = &(ember_animbin_options){.basis = EMBER_ANIMBIN_BASIS_PSX}};
    rig                      *r = rig_make(1);
    r->frames[0].position = (ember_vec3){1, 2, 3};
    r->frames[1].rotation = (ember_quat){0, 1, 0, 0};
    write_file(&file, &r->model, &asked);
    /* identity becomes the half turn about x itself */
    assert_rotation(track_at(&file, 0, 3, 1) + 4, 0, 0, 4096, 0, 0);
    assert_rotation(track_at(&file, 1, 3, 1) + 4, 0, 0, 0, 4096, 0);
    assert_translation(track_at(&file, 3, 3, 1) + 4, 0, 4096, -8192, -12288);
}

TEST(animbin_says_that_scales_are_lost)
{
    const ember_write_options asked = {.notes = fixture_listen(&noise)};
    rig                      *r = rig_make(2);
    r->frames[1 * BONES + 1].scale = (ember_vec3){1, 1.5f, 1};
    write_file(&file, &r->model, &asked);
    assert_non_null(strstr(noise.text, "the scale of 1 bone is not stored"));
}

/* ---- spaces and bones ---- */

TEST(animbin_brings_model_space_to_local_space)
{
    rig *r = rig_make(1);
    /* The root turned by a quarter, the others with it: in local space only the root turns. */
    r->clip.space = EMBER_SPACE_MODEL;
    r->frames[0] = (ember_transform){about_z(90), {0, 0, 0}, {1, 1, 1}};
    r->frames[1] = (ember_transform){about_z(90), {-1, 0, 0}, {1, 1, 1}};
    r->frames[2] = (ember_transform){about_z(90), {-2, 0, 0}, {1, 1, 1}};
    write_file(&file, &r->model, NULL);
    assert_int_equal(file.size, 9 + 42 + 3 * 15);
    assert_rotation(track_at(&file, 0, 3, 1) + 4, 0, 2896, 0, 0, 2896);
    assert_rotation(track_at(&file, 1, 3, 1) + 4, 0, 4096, 0, 0, 0);
    assert_rotation(track_at(&file, 2, 3, 1) + 4, 0, 4096, 0, 0, 0);
}

TEST(animbin_refuses_model_space_without_parents)
{
    rig *r = rig_make(1);
    r->clip.space = EMBER_SPACE_MODEL;
    r->parents[1] = r->parents[2] = -1;
    r->model.skeleton.names = NULL;
    r->model.skeleton.rest = NULL;
    refuse_model(&r->model, NULL, EMBER_E_UNSUPPORTED, "parents: name a skeleton that has them");
}

TEST(animbin_joints_are_the_skeletons_bones)
{
    static const uint16_t bones[] = {2, 0};
    rig                  *r = rig_make(1);
    r->clip.bones = bones;
    r->clip.bone_count = 2;
    r->frames[0] = r->rest[2];
    r->frames[0].rotation = (ember_quat){1, 0, 0, 0};
    r->frames[1] = r->rest[0];
    write_file(&file, &r->model, NULL);
    put_header(&again, 1);
    put_animation(&again, "a", 0, 1, 2, 0);
    put_track(&again, 0, 0, 1);
    put_rotation(&again, 0, 4096, 0, 0, 0);
    put_track(&again, 0, 2, 1);
    put_rotation(&again, 0, 0, 4096, 0, 0);
    assert_same_file(&file, &again);
}
