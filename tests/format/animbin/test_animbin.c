/* SPDX-License-Identifier: MIT */
/* ANIMBIN read: files made by hand from the specification's tables.
   Covers: animbin_parse.c, animbin_read.c, animbin_sample.c, animbin_view.c. */
#include <math.h>

#include "animbin_bytes.h"

static const float HALF_TURN_ROOT = 0.70710678f;

static file_bytes file; /* too big for the stack of some systems */

/* ---- what is in a file ---- */

TEST(animbin_read_matches_golden)
{
    /* One animation "a", looping, 2 frames, one rotation track for joint 1 with a key on frame 0 (w = 0, x =
       4096) and one on frame 1 (w = 4096), one marker "m" on frame 1. */
    static const uint8_t golden[] = {
        'A', 'N', 'I', 'M', 'B', 'I',  'N',  1, 1, /* header */
        'a', 0,   0,   0,   0,   0,    0,    0, 0, 0, 0, 0, 0, 0, 0,    0,    0, 0, 0, 0, 0, 0, 0,
        0,   0,   0,   0,   0,   0,    0,    0, 0, 1, 0, 0, 0, 2, 0,    1,    0, 1, 0, 0, 1, 2, 0, /* track */
        0,   0,   0,   0,   0,   0x00, 0x10, 0, 0, 0, 0, 1, 0, 0, 0x00, 0x10, 0, 0, 0, 0, 0, 0,    /* keys */
        'm', 0,   0,   0,   0,   0,    0,    0, 0, 0, 0, 0, 0, 0, 0,    0,    0, 0, 0, 0, 0, 0, 0,
        0,   0,   0,   0,   0,   0,    0,    0, 0, 1, 0, /* marker */
    };
    ember_arena arena = test_arena();
    ember_model model;
    ember_error err = EMBER_ERROR_INIT;
    assert_int_equal(sizeof(golden), 9 + 42 + 4 + 2 * 11 + 34);
    assert_int_equal(ember_model_read(&model, golden, sizeof(golden), NULL, &arena, &err), EMBER_OK);
    assert_int_equal(model.format, EMBER_FORMAT_ANIMBIN);
    assert_int_equal(model.skeleton.bone_count, 2);
    assert_int_equal(model.clip_count, 1);
    const ember_clip *clip = &model.clips[0];
    assert_string_equal(clip->name, "a");
    assert_true(clip->loop);
    assert_int_equal(clip->space, EMBER_SPACE_LOCAL);
    assert_float_equal((float)clip->fps, 60.0f, 0.0f);
    assert_int_equal(clip->frame_count, 2);
    assert_quat(at(clip, 0, 0)->rotation, 0, 0, 0, 1);
    assert_quat(at(clip, 0, 1)->rotation, 1, 0, 0, 0);
    assert_quat(at(clip, 1, 1)->rotation, 0, 0, 0, 1);
    assert_int_equal(clip->marker_count, 1);
    assert_string_equal(clip->markers[0].name, "m");
    assert_int_equal(clip->markers[0].frame, 1);
    ember_arena_free(&arena);
}

TEST(animbin_is_told_by_its_magic)
{
    put_sample(&file);
    const ember_format_info *info = ember_format_sniff(file.data, file.size, "walk.json");
    assert_non_null(info);
    assert_int_equal(info->format, EMBER_FORMAT_ANIMBIN);
    assert_ptr_equal(ember_format_by_path("x/WALK.ANIMBIN"), info);
    assert_ptr_equal(ember_format_by_name("animbin"), info);
}

TEST(animbin_reads_a_file_without_animations)
{
    ember_arena arena = test_arena();
    ember_model model;
    put_header(&file, 0);
    read_file(&model, &file, NULL, &arena);
    assert_int_equal(model.clip_count, 0);
    assert_int_equal(model.skeleton.bone_count, 0);
    ember_arena_free(&arena);
}

TEST(animbin_keys_are_held_outside_and_interpolated_between)
{
    ember_arena arena = test_arena();
    ember_model model;
    put_header(&file, 1);
    put_animation(&file, "a", 0, 8, 2, 0);
    put_track(&file, 0, 0, 2); /* nothing to a quarter turn about z, on frames 2 and 6 */
    put_rotation(&file, 2, 4096, 0, 0, 0);
    put_rotation(&file, 6, 2896, 0, 0, 2896);
    put_track(&file, 1, 0, 2);
    put_translation(&file, 1, 4096, 0, -4096);
    put_translation(&file, 5, 4096, 8192, -12288);
    read_file(&model, &file, NULL, &arena);
    const ember_clip *clip = &model.clips[0];
    assert_quat(at(clip, 0, 0)->rotation, 0, 0, 0, 1);
    assert_quat(at(clip, 2, 0)->rotation, 0, 0, 0, 1);
    assert_quat(at(clip, 3, 0)->rotation, 0, 0, sinf(0.19634954f),
                cosf(0.19634954f)); /* a quarter of 45 degrees, which is half of 90 */
    assert_quat(at(clip, 4, 0)->rotation, 0, 0, 0.38268343f, 0.92387953f);
    assert_quat(at(clip, 6, 0)->rotation, 0, 0, HALF_TURN_ROOT, HALF_TURN_ROOT);
    assert_quat(at(clip, 7, 0)->rotation, 0, 0, HALF_TURN_ROOT, HALF_TURN_ROOT);
    assert_vec3(at(clip, 0, 0)->position, 1, 0, -1);
    assert_vec3(at(clip, 2, 0)->position, 1, 0.5f, -1.5f);
    assert_vec3(at(clip, 5, 0)->position, 1, 2, -3);
    assert_vec3(at(clip, 7, 0)->position, 1, 2, -3);
    assert_vec3(at(clip, 7, 0)->scale, 1, 1, 1);
    ember_arena_free(&arena);
}

TEST(animbin_interpolates_the_short_way_round)
{
    ember_arena arena = test_arena();
    ember_model model;
    put_header(&file, 1);
    put_animation(&file, "a", 0, 3, 1, 0);
    put_track(&file, 0, 0, 2);
    put_rotation(&file, 0, 4096, 0, 0, 0);
    put_rotation(&file, 2, -2896, 0, 0, -2896); /* the same quarter turn on the other side of the sphere */
    read_file(&model, &file, NULL, &arena);
    assert_quat(at(&model.clips[0], 1, 0)->rotation, 0, 0, 0.38268343f, 0.92387953f);
    ember_arena_free(&arena);
}

TEST(animbin_joints_without_a_track_keep_the_rest)
{
    static const int16_t         parents[] = {-1, 0, 1};
    static const char *const     names[] = {"root", NULL, "tip"};
    static const ember_transform rest[] = {{{0, 0, 0, 1}, {1, 2, 3}, {1, 1, 1}},
                                           {{0, 1, 0, 0}, {4, 5, 6}, {2, 2, 2}},
                                           {{0, 0, 1, 0}, {7, 8, 9}, {1, 1, 1}}};
    const ember_skeleton     skeleton = {.bone_count = 3, .parents = parents, .names = names, .rest = rest};
    const ember_read_options options = {.skeleton = &skeleton};
    ember_arena              arena = test_arena();
    ember_model              model;
    put_header(&file, 1);
    put_animation(&file, "a", 0, 2, 1, 0);
    put_track(&file, 0, 1, 1);
    put_rotation(&file, 0, 4096, 0, 0, 0);
    read_file(&model, &file, &options, &arena);
    assert_int_equal(model.skeleton.bone_count, 3);
    assert_string_equal(model.skeleton.names[2], "tip");
    assert_ptr_not_equal(model.skeleton.rest, rest);
    assert_int_equal(model.clips[0].bone_count, 3);
    assert_memory_equal(at(&model.clips[0], 1, 2), &rest[2], sizeof(rest[2]));
    assert_quat(at(&model.clips[0], 1, 1)->rotation, 0, 0, 0, 1); /* the track's, */
    assert_vec3(at(&model.clips[0], 1, 1)->position, 4, 5, 6);    /* and the rest's */
    assert_vec3(at(&model.clips[0], 1, 1)->scale, 2, 2, 2);
    ember_arena_free(&arena);
}

TEST(animbin_joint_beyond_the_skeleton_is_an_error)
{
    static const int16_t     parents[] = {-1, 0};
    const ember_skeleton     skeleton = {.bone_count = 2, .parents = parents};
    const ember_read_options options = {.skeleton = &skeleton};
    ember_arena              arena = test_arena();
    ember_model              model;
    ember_error              err = EMBER_ERROR_INIT;
    put_sample(&file);
    assert_int_equal(ember_model_read(&model, file.data, file.size, &options, &arena, &err), EMBER_E_LIMIT);
    assert_non_null(strstr(err.text, "joint 2"));
    assert_non_null(strstr(err.text, "2 bones"));
    ember_arena_free(&arena);
}

TEST(animbin_reads_the_highest_joint)
{
    ember_arena arena = test_arena();
    ember_model model;
    put_header(&file, 1);
    put_animation(&file, "a", 0, 1, 1, 0);
    put_track(&file, 0, 255, 1);
    put_rotation(&file, 0, 0, 0, 4096, 0);
    read_file(&model, &file, NULL, &arena);
    assert_int_equal(model.skeleton.bone_count, 256);
    assert_quat(at(&model.clips[0], 0, 255)->rotation, 0, 1, 0, 0);
    ember_arena_free(&arena);
}

/* ---- options ---- */

TEST(animbin_reads_at_the_rate_that_is_asked_for)
{
    const ember_read_options options = {.fps = 50.0};
    ember_arena              arena = test_arena();
    ember_model              model;
    put_sample(&file);
    read_file(&model, &file, &options, &arena);
    assert_float_equal((float)model.clips[1].fps, 50.0f, 0.0f);
    ember_arena_free(&arena);
}

TEST(animbin_unit_divides_lengths)
{
    const ember_read_options home = {.animbin = &(ember_animbin_options){.unit = 128.0}},
                             scaled = {.animbin = &(ember_animbin_options){.unit = 128.0}, .scale = 100.0};
    ember_arena arena = test_arena();
    ember_model model;
    put_header(&file, 1);
    put_animation(&file, "a", 0, 1, 1, 0);
    put_track(&file, 1, 0, 1);
    put_translation(&file, 0, 128, -64, 1280);
    read_file(&model, &file, &home, &arena);
    assert_vec3(at(&model.clips[0], 0, 0)->position, 1, -0.5f, 10);
    read_file(&model, &file, &scaled, &arena);
    assert_vec3(at(&model.clips[0], 0, 0)->position, 100, -50, 1000);
    ember_arena_free(&arena);
}

TEST(animbin_refuses_units_that_cannot_be)
{
    ember_read_options options = {.animbin = &(ember_animbin_options){.unit = -1.0}};
    ember_arena        arena = test_arena();
    ember_model        model;
    put_sample(&file);
    assert_int_equal(ember_model_read(&model, file.data, file.size, &options, &arena, NULL), EMBER_E_ARG);
    options.animbin = &(ember_animbin_options){.unit = (double)NAN};
    assert_int_equal(ember_model_read(&model, file.data, file.size, &options, &arena, NULL), EMBER_E_ARG);
    ember_arena_free(&arena);
}

TEST(animbin_psx_basis_turns_roots_only)
{
    static const int16_t     parents[] = {-1, 0};
    const ember_skeleton     skeleton = {.bone_count = 2, .parents = parents};
    const ember_read_options options = {.skeleton = &skeleton,
                                        .animbin =
                                            &(ember_animbin_options){.basis = EMBER_ANIMBIN_BASIS_PSX}};
    ember_arena              arena = test_arena();
    ember_model              model;
    put_header(&file, 1);
    put_animation(&file, "a", 0, 1, 3, 0);
    put_track(&file, 0, 0, 1);
    put_rotation(&file, 0, 2896, 2896, 0, 0);
    put_track(&file, 1, 0, 1);
    put_translation(&file, 0, 4096, 8192, 12288);
    put_track(&file, 0, 1, 1);
    put_rotation(&file, 0, 2896, 2896, 0, 0);
    read_file(&model, &file, &options, &arena);
    /* diag(1, -1, -1) undone: a point goes through the stored rotation, then y and z change sign. */
    const ember_transform *root = at(&model.clips[0], 0, 0);
    /* stored: y goes to z */
    ember_vec3             y = ember_quat_rotate(root->rotation, (ember_vec3){0, 1, 0});
    ember_vec3             x = ember_quat_rotate(root->rotation, (ember_vec3){1, 0, 0});
    assert_vec3(y, 0, 0, -1);
    assert_vec3(x, 1, 0, 0);
    assert_vec3(root->position, 1, -2, -3);
    assert_quat(at(&model.clips[0], 0, 1)->rotation, HALF_TURN_ROOT, 0, 0, HALF_TURN_ROOT);
    ember_arena_free(&arena);
}

/* ---- the raw part in JSON ---- */

TEST(animbin_raw_part_in_json_has_the_integers_as_stored)
{
    ember_arena         arena = test_arena();
    ember_model         model;
    ember_error         err = EMBER_ERROR_INIT;
    ember_buffer        json = {.allocator = ember_heap()};
    ember_write_options options = {.format = EMBER_FORMAT_JSON, .compact = true};
    put_header(&file, 1);
    put_animation(&file, "a", 0xfffffffeu, 2, 2, 0);
    put_track(&file, 0, 1, 2);
    put_rotation(&file, 0, 4096, 0, 0, 0);
    put_rotation(&file, 1, -4096, 1, -1, 0);
    put_track(&file, 1, 0, 1);
    put_translation(&file, 7, INT32_MIN, -1, INT32_MAX);
    read_file(&model, &file, NULL, &arena);
    assert_int_equal(ember_model_write(&json, &model, &options, &err), EMBER_OK);
    assert_true(ember_buffer_append(&json, "", 1));
    const char *wanted = "\"flags\":4294967294,\"length\":2,\"tracks\":["
                         "{\"type\":0,\"joint\":1,\"keys\":[{\"frame\":0,\"type\":0,\"value\":[4096,0,0,0]},"
                         "{\"frame\":1,\"type\":0,\"value\":[-4096,1,-1,0]}]},"
                         "{\"type\":1,\"joint\":0,\"keys\":[{\"frame\":7,\"type\":1,\"value\":[-2147483648,-"
                         "1,2147483647]}]}]}";
    if (strstr((const char *)json.data, wanted) == NULL)
        fail_msg("%s", (const char *)json.data);
    ember_buffer_free(&json);
    ember_arena_free(&arena);
}

static void refuse_raw(const char *raw, const char *part)
{
    char        text[1024];
    ember_arena arena = test_arena();
    ember_model model;
    ember_error err = EMBER_ERROR_INIT;
    snprintf(
        text, sizeof(text),
        "{\"format\":\"ember-clip\",\"version\":1,\"bones\":[],\"clips\":[{\"name\":\"a\",\"fps\":60,"
        "\"loop\":false,\"space\":"
        "\"local\",\"frame_count\":1,\"frames\":[[]],\"markers\":[],\"raw\":{\"format\":\"animbin\",%s}}]}",
        raw);
    assert_int_not_equal(ember_model_read(&model, text, strlen(text), NULL, &arena, &err), EMBER_OK);
    assert_says(err.text, part);
    ember_arena_free(&arena);
}

TEST(animbin_raw_part_from_json_obeys_the_files_rules)
{
    refuse_raw("\"length\":1,\"tracks\":[]", "raw.flags: missing");
    refuse_raw("\"flags\":0,\"length\":0,\"tracks\":[]", "raw.length");
    refuse_raw("\"flags\":0,\"length\":1,\"tracks\":3", "raw.tracks");
    refuse_raw("\"flags\":0,\"length\":1,\"tracks\":[{\"type\":0,\"joint\":256,\"keys\":[]}]",
               "raw.tracks[0].joint");
    refuse_raw("\"flags\":0,\"length\":1,\"tracks\":[{\"type\":2,\"joint\":0,\"keys\":[]}]",
               "raw.tracks[0].type");
    refuse_raw("\"flags\":0,\"length\":1,\"tracks\":[{\"type\":0,\"joint\":0,\"keys\":[{\"frame\":0,\"type\":"
               "0,\"value\":[1,2,3]}]}]",
               "3 numbers, must be 4");
    refuse_raw("\"flags\":0,\"length\":1,\"tracks\":[{\"type\":0,\"joint\":0,\"keys\":[{\"frame\":0,\"type\":"
               "0,\"value\":[1,2,3,"
               "32768]}]}]",
               "value[3]");
    refuse_raw("\"flags\":0,\"length\":1,\"tracks\":[{\"type\":0,\"joint\":0,\"keys\":[{\"frame\":0,\"type\":"
               "0,\"value\":[0,0,0,0]}]}]",
               "no direction");
    refuse_raw("\"flags\":0,\"length\":1,\"tracks\":[{\"type\":0,\"joint\":0,\"keys\":[{\"frame\":70000,"
               "\"type\":0,\"value\":[0,"
               "0,0,1]}]}]",
               "keys[0].frame");
}

TEST(animbin_keys_are_found_as_they_are_stored)
{
    static const struct {
        uint32_t joint;
        bool     translation;
        uint32_t frame;
        bool     there;
        uint32_t key_frame;
        int32_t  value[4];
    } list[] = {
        {0, false, 0, true, 0, {4096, 0, 0, 0}},
        {0, false, 2, true, 2, {3547, 0, 0, 2048}},
        {0, false, 99, true, 3, {2896, 0, 0, 2896}},
        {2, false, 0, false, 0, {0}}, /* the first is on frame 1 */
        {2, false, 2, true, 1, {2896, 2896, 0, 0}},
        {0, true, 1, true, 0, {0, 4096, -8192, 0}},
        {0, true, 3, true, 2, {8192, 4096, 70000, 0}},
        {2, true, 3, false, 0, {0}},
        {1, false, 3, false, 0, {0}},
        {9, false, 3, false, 0, {0}},
    };
    ember_arena arena = test_arena();
    ember_model model;
    put_sample(&file);
    assert_int_equal(ember_model_read(&model, file.data, file.size, NULL, &arena, NULL), EMBER_OK);
    ember_clip other = model.clips[0];
    other.raw = (ember_raw){.format = EMBER_FORMAT_UNKNOWN, .data = NULL};
    for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++) {
        ember_animbin_key key = {0, {0, 0, 0, 0}};
        assert_int_equal(ember_animbin_key_at(&key, &model.clips[0], list[i].joint, list[i].translation,
                                              list[i].frame),
                         list[i].there);
        assert_int_equal(key.frame, list[i].key_frame);
        for (int k = 0; k < (list[i].translation ? 3 : 4); k++)
            assert_int_equal(key.value[k], list[i].value[k]);
        assert_false(ember_animbin_key_at(&key, &other, list[i].joint, list[i].translation, list[i].frame));
    }
    ember_arena_free(&arena);
}
