/* SPDX-License-Identifier: MIT */
/* BVH: the hierarchy, every order of channels, the rate, and what is wrong with broken files, by line and
   column. Expected poses are worked out by hand from the meaning of the channels.
   Covers: bvh_hierarchy.c. */
#include "format/bvh/bvh.h"
#include "format/fixture.h"

static const ember_read_options as_bvh = {.format = EMBER_FORMAT_BVH};

/* Two roots, a joint with three channels, one with none, tabs, and line ends of Windows. */
static const char small[] = "HIERARCHY\r\n"
                            "ROOT hips\r\n"
                            "{\r\n"
                            "\tOFFSET 1 2 3\r\n"
                            "\tCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\r\n"
                            "\tJOINT left leg\r\n"
                            "\t{\r\n"
                            "\t\tOFFSET 0.5 -1e1 .25\r\n"
                            "\t\tCHANNELS 3 Zrotation Xrotation Yrotation\r\n"
                            "\t\tEnd Site\r\n"
                            "\t\t{\r\n"
                            "\t\t\tOFFSET 0 -1 0\r\n"
                            "\t\t}\r\n"
                            "\t}\r\n"
                            "\tJOINT still{\r\n"
                            "\t\tOFFSET 0 1 0\r\n"
                            "\t}\r\n"
                            "}\r\n"
                            "ROOT prop\r\n"
                            "{\r\n"
                            "\tOFFSET 7 8 9\r\n"
                            "\tCHANNELS 1 Yposition\r\n"
                            "}\r\n"
                            "MOTION\r\n"
                            "Frames: 2\r\n"
                            "Frame Time: 0.033333\r\n"
                            "10 20 30 0 0 0\t0 0 0 5\r\n"
                            "-1 0 1.5e0 90 0 0\t90 90 0 +6.5\r\n";

/* The same rotation, whatever the sign. */
static void assert_turn(ember_quat q, float x, float y, float z, float w)
{
    float dot = q.x * x + q.y * y + q.z * z + q.w * w;
    assert_float_equal(dot < 0.0f ? -dot : dot, 1.0f, 1e-6f);
    float sign = dot < 0.0f ? -1.0f : 1.0f;
    assert_float_equal(q.x * sign, x, 1e-6f);
    assert_float_equal(q.y * sign, y, 1e-6f);
    assert_float_equal(q.z * sign, z, 1e-6f);
}

TEST(bvh_reads_hierarchy)
{
    ember_arena           arena = ember_arena_growing(ember_heap(), 0);
    ember_read_options    options = {.format = EMBER_FORMAT_BVH, .path = "/captures/walk.bvh"};
    ember_model           model = fixture_read_text(small, options, &arena);
    const ember_skeleton *s = &model.skeleton;
    assert_int_equal(s->bone_count, 4);
    assert_string_equal(s->names[0], "hips");
    assert_string_equal(s->names[1], "left leg");
    assert_string_equal(s->names[2], "still");
    assert_string_equal(s->names[3], "prop");
    assert_int_equal(s->parents[0], -1);
    assert_int_equal(s->parents[1], 0);
    assert_int_equal(s->parents[2], 0);
    assert_int_equal(s->parents[3], -1);
    assert_vec3(s->rest[0].position, 1, 2, 3);
    assert_vec3(s->rest[1].position, 0.5f, -10, 0.25f);
    assert_turn(s->rest[1].rotation, 0, 0, 0, 1);
    assert_null(s->inverse_binds);
    assert_int_equal(model.clip_count, 1);
    assert_string_equal(model.clips[0].name, "walk");
    assert_int_equal(model.clips[0].frame_count, 2);
    assert_true(model.clips[0].fps == 30.0);
    assert_int_equal(model.clips[0].space, EMBER_SPACE_LOCAL);
    ember_arena_free(&arena);
}

TEST(bvh_reads_motion)
{
    ember_arena            arena = ember_arena_growing(ember_heap(), 0);
    ember_model            model = fixture_read_text(small, as_bvh, &arena);
    const ember_transform *first = model.clips[0].frames, *second = first + 4;
    /* Position channels stand for the offset; without them the offset stands. */
    assert_vec3(first[0].position, 10, 20, 30);
    assert_vec3(second[0].position, -1, 0, 1.5f);
    assert_vec3(second[1].position, 0.5f, -10, 0.25f);
    assert_vec3(second[2].position, 0, 1, 0);
    assert_vec3(first[3].position, 7, 5, 9);
    assert_vec3(second[3].position, 7, 6.5f, 9);
    assert_turn(first[1].rotation, 0, 0, 0, 1);
    /* 90 degrees about z. */
    assert_turn(second[0].rotation, 0, 0, 0.70710678f, 0.70710678f);
    /* Rz(90) * Rx(90): z to -y to x, so the product is (.5 .5 .5 .5); the other order would be (.5 -.5 .5
       .5). */
    assert_turn(second[1].rotation, 0.5f, 0.5f, 0.5f, 0.5f);
    assert_vec3(second[1].scale, 1, 1, 1);
    ember_arena_free(&arena);
}

/* All orders of three rotations and a repeated one: the vector (1, 2, 3) goes through the last one
   listed first. */
TEST(bvh_turns_in_the_order_listed)
{
    static const char *const orders[] = {"XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX", "ZXZ"};
    for (size_t n = 0; n < sizeof(orders) / sizeof(orders[0]); n++) {
        char text[512];
        snprintf(text, sizeof(text),
                 "HIERARCHY ROOT a\n{ OFFSET 0 0 0 CHANNELS 3 %crotation %cROTATION %crotation "
                 "}\nMOTION\nFrames: 1\nFrame Time: "
                 "1\n90 90 90\n",
                 orders[n][0], orders[n][1], orders[n][2]);
        ember_arena arena = ember_arena_growing(ember_heap(), 0);
        ember_model model = fixture_read_text(text, as_bvh, &arena);
        float       v[3] = {1, 2, 3};
        for (int i = 2; i >= 0; i--) {
            int   axis = orders[n][i] - 'X', a = (axis + 1) % 3, b = (axis + 2) % 3;
            float old = v[a];
            v[a] = -v[b];
            v[b] = old;
        }
        assert_vec3(ember_quat_rotate(model.clips[0].frames[0].rotation, (ember_vec3){1, 2, 3}), v[0], v[1],
                    v[2]);
        ember_arena_free(&arena);
    }
}

TEST(bvh_takes_whole_turns_out)
{
    ember_arena arena = ember_arena_growing(ember_heap(), 0);
    ember_model model = fixture_read_text(
        "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n}\nMOTION\nFrames: 4\nFrame Time: 1\n"
        "90\n450\n-270\n36000090\n",
        as_bvh, &arena);
    for (int i = 0; i < 4; i++) {
        ember_quat q = model.clips[0].frames[i].rotation;
        /* Also one side for neighbouring frames. */
        assert_float_equal(q.x, 0.70710678f, 1e-6f);
        assert_float_equal(q.w, 0.70710678f, 1e-6f);
    }
    ember_arena_free(&arena);
}

TEST(bvh_keeps_rotations_on_one_side)
{
    ember_arena arena = ember_arena_growing(ember_heap(), 0);
    ember_model model = fixture_read_text(
        "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n}\nMOTION\nFrames: 3\nFrame Time: 1\n"
        "170\n190\n350\n",
        as_bvh, &arena);
    const ember_transform *f = model.clips[0].frames;
    for (int i = 1; i < 3; i++)
        assert_true(f[i].rotation.x * f[i - 1].rotation.x + f[i].rotation.w * f[i - 1].rotation.w >= 0.0f);
    ember_arena_free(&arena);
}

TEST(bvh_scales_lengths)
{
    ember_arena        arena = ember_arena_growing(ember_heap(), 0);
    ember_read_options options = {.format = EMBER_FORMAT_BVH, .scale = 0.01};
    ember_model        model = fixture_read_text(small, options, &arena);
    assert_vec3(model.skeleton.rest[1].position, 0.005f, -0.1f, 0.0025f);
    assert_vec3(model.clips[0].frames[0].position, 0.1f, 0.2f, 0.3f);
    assert_vec3(model.clips[0].frames[3].position, 0.07f, 0.05f, 0.09f);
    ember_arena_free(&arena);
}

/* Times as programs write them, and the rate they mean. */
TEST(bvh_knows_rates)
{
    static const struct {
        double time;
        int    digits;
        double fps;
    } known[] = {
        {.0083333, 7, 120.0},
        {0.00833333376795, 14, 120.0},
        {0.008333, 6, 120.0},
        {0.033333, 6, 30.0},
        {0.0333333, 7, 30.0},
        {0.033, 3, 30.0},
        {0.04, 2, 25.0},
        {0.0416667, 7, 24.0},
        {0.0417083, 7, 24.0 / 1.001},
        {0.033367, 6, 30.0 / 1.001},
        {0.0166833, 7, 60.0 / 1.001},
        {0.016666, 6, 60.0},
        {0.01, 2, 100.0},
        {0.010000, 6, 100.0},
        {0.08, 2, 12.5},
        {1.0, 0, 1.0},
        {2.5, 1, 0.4},
        {0.03125, 5, 32.0},
    };
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        double fps = emberi_bvh_rate(known[i].time, known[i].digits);
        if (!(fps - known[i].fps < 1e-9 && known[i].fps - fps < 1e-9))
            print_error("%g (%d digits): %.9g, wanted %.9g\n", known[i].time, known[i].digits, fps,
                        known[i].fps);
        assert_true(fps - known[i].fps < 1e-9 && known[i].fps - fps < 1e-9);
    }
}

static ember_model read_time(const char *time, ember_arena *arena, fixture_notes *notes, double fps)
{
    char               text[256];
    ember_read_options options = {.format = EMBER_FORMAT_BVH, .fps = fps, .notes = fixture_listen(notes)};
    snprintf(
        text, sizeof(text),
        "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n}\nMOTION\nFrames: 1\nFrame Time: %s\n1\n",
        time);
    return fixture_read_text(text, options, arena);
}

TEST(bvh_says_what_it_makes_of_odd_times)
{
    ember_arena   arena = ember_arena_growing(ember_heap(), 0);
    fixture_notes notes;
    assert_true(read_time("0", &arena, &notes, 0.0).clips[0].fps == 0.0);
    assert_non_null(strstr(notes.text, "W Frame Time is 0"));
    assert_true(read_time("-1", &arena, &notes, 0.0).clips[0].fps == 0.0);
    assert_true(read_time("0.033", &arena, &notes, 0.0).clips[0].fps == 30.0);
    assert_non_null(strstr(notes.text, "W Frame Time 0.033 is taken to mean 30"));
    assert_true(read_time("0.0333333", &arena, &notes, 0.0).clips[0].fps == 30.0);
    assert_int_equal(notes.count[EMBER_NOTE_WARNING], 0);
    assert_true(read_time("0.01", &arena, &notes, 24.0).clips[0].fps == 24.0);
    ember_arena_free(&arena);
}

TEST(bvh_drops_the_repeated_frame_of_a_loop)
{
    static const char text[] =
        "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 2 Xposition Xrotation\n}\nMOTION\nFrames: 3\n"
        "Frame Time: 1\n1 170\n2 190\n1 170\n";
    ember_arena              arena = ember_arena_growing(ember_heap(), 0);
    const ember_read_options options = {.format = EMBER_FORMAT_BVH, .loop = true};
    ember_model              model = fixture_read_text(text, options, &arena);
    assert_int_equal(model.clips[0].frame_count, 2);
    assert_true(model.clips[0].loop);
    model = fixture_read_text(text, as_bvh, &arena);
    assert_int_equal(model.clips[0].frame_count, 3);
    assert_false(model.clips[0].loop);
    ember_arena_free(&arena);
}

TEST(bvh_reads_a_skeleton_without_frames)
{
    ember_arena        arena = ember_arena_growing(ember_heap(), 0);
    fixture_notes      notes;
    ember_read_options options = {.format = EMBER_FORMAT_BVH, .notes = fixture_listen(&notes)};
    ember_model        model =
        fixture_read_text("HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\n}\nMOTION\nFrames: 0\nFrame Time: 1\n",
                          options, &arena);
    assert_int_equal(model.skeleton.bone_count, 1);
    assert_int_equal(model.clip_count, 0);
    assert_non_null(strstr(notes.text, "W a skeleton without frames"));
    ember_arena_free(&arena);
}

#define HEAD "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 2 Xrotation Yrotation\n}\nMOTION\n"

/* Some programs count their frames one short. */
TEST(bvh_leaves_out_frames_beyond_the_header)
{
    ember_arena        arena = ember_arena_growing(ember_heap(), 0);
    fixture_notes      notes;
    ember_read_options options = {.format = EMBER_FORMAT_BVH, .notes = fixture_listen(&notes)};
    ember_model model = fixture_read_text(HEAD "Frames: 1\nFrame Time: 1\n1 2\n3 4\n", options, &arena);
    assert_int_equal(model.clips[0].frame_count, 1);
    assert_non_null(strstr(notes.text, "W the header says 1 frame, there is 1 more, not read"));
    ember_arena_free(&arena);
}

static void refuse(const char *text, ember_status status, const char *message)
{
    fixture_refuse(text, strlen(text), as_bvh, status, message);
}

TEST(bvh_rejects_extra_bytes)
{
    refuse(HEAD "Frames: 1\nFrame Time: 1\n1 2 3\n", EMBER_E_MALFORMED,
           "bvh: line 10, column 5: the motion goes on after its 1 frames: by 1 numbers, a frame has 2");
    refuse(HEAD "Frames: 1\nFrame Time: 1\n1 2\nthe end\n", EMBER_E_MALFORMED,
           "bvh: line 11, column 1: \"the\" where the end of the file should be");
}

TEST(bvh_says_how_many_frames_are_missing)
{
    refuse(HEAD "Frames: 3\nFrame Time: 1\n1 2\n3 4\n5\n", EMBER_E_TRUNCATED,
           "the motion has 2 of 3 frames, and 1 of 2 numbers of the next");
    refuse(HEAD "Frames: 4000000000\nFrame Time: 1\n1 2\n3 4\n5\n", EMBER_E_TRUNCATED,
           "the motion has 2 of 4000000000 frames");
}

TEST(bvh_rejects_bad_header)
{
    refuse("", EMBER_E_TRUNCATED, "bvh: line 1, column 1: the file ends where HIERARCHY should be");
    refuse("MOTION\n", EMBER_E_MALFORMED, "\"MOTION\" where HIERARCHY should be");
    refuse("HIERARCHY\nMOTION\n", EMBER_E_MALFORMED,
           "bvh: line 2, column 1: \"MOTION\" where ROOT should be");
    refuse("HIERARCHY\nROOT a\n{\nOFFSET 0 0\n}\n", EMBER_E_MALFORMED,
           "bvh: line 5, column 1: \"}\" where a number of the OFFSET should be");
    refuse("HIERARCHY\nROOT a\n{\nOFFSET 0 0 nan\n}\n", EMBER_E_MALFORMED, "\"nan\" where a number");
    refuse("HIERARCHY\nROOT a\n{\nOFFSET 0 0 1e400\n}\n", EMBER_E_MALFORMED, "\"1e400\" where a number");
    refuse("HIERARCHY\nROOT a\n{\nOFFSET 0 0 1e39\n}\nMOTION\nFrames: 0\nFrame Time: 1\n", EMBER_E_RANGE,
           "a: bvh: its OFFSET is too far away");
    refuse("HIERARCHY\nROOT a\n{\nCHANNELS 0\n}\n", EMBER_E_MALFORMED, "a joint without an OFFSET");
    refuse("HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nOFFSET 0 0 0\n", EMBER_E_MALFORMED,
           "\"OFFSET\" where CHANNELS, JOINT, End Site or } should be");
    refuse("HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 7 Xposition", EMBER_E_MALFORMED,
           "7 channels, a joint has 0 to 6");
    refuse("HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS -1\n", EMBER_E_MALFORMED, "-1 channels");
    refuse("HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 1 Wposition\n", EMBER_E_MALFORMED,
           "bvh: line 5, column 12: \"Wposition\" where a channel");
    refuse("HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 2 Xposition Xposition\n", EMBER_E_MALFORMED,
           "a position channel is there twice");
    refuse("HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\nCHANNELS 1 Xrotation\n",
           EMBER_E_MALFORMED, "1 channels more");
    refuse("HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nEnd Sight\n", EMBER_E_MALFORMED,
           "\"Sight\" where Site should be");
    refuse("HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nROOT b\n", EMBER_E_MALFORMED, "\"ROOT\" where CHANNELS");
    refuse("HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\n}\nJOINT b\n", EMBER_E_MALFORMED,
           "\"JOINT\" where MOTION or ROOT should be");
    refuse("HIERARCHY\nROOT a\nOFFSET 0 0 0\n", EMBER_E_MALFORMED, "\"OFFSET\" where { should be");
    refuse(HEAD "Frame Time: 1\n", EMBER_E_MALFORMED, "\"Frame\" where Frames: should be");
    refuse(HEAD "Frames: 1.5\n", EMBER_E_MALFORMED, "\"1.5\" where the number of frames should be");
    refuse(HEAD "Frames: -1\n", EMBER_E_MALFORMED, "-1 frames");
    refuse(HEAD "Frames: 99999999999\n", EMBER_E_MALFORMED, "99999999999 frames");
    refuse(HEAD "Frames: 1\nFrame Rate: 1\n", EMBER_E_MALFORMED, "\"Rate:\" where Frame Time: should be");
    refuse(HEAD "Frames: 1\nFrame Time: fast\n", EMBER_E_MALFORMED,
           "\"fast\" where the seconds of a frame should be");
    refuse(HEAD "Frames: 1\nFrame Time: 1\n1 x2\n", EMBER_E_MALFORMED,
           "bvh: line 10, column 3: \"x2\" is not a number: value 2 of 2 in frame 0");
    refuse(HEAD "Frames: 1\nFrame Time: 1\n1 1e13\n", EMBER_E_RANGE, "a rotation by 1e+13 degrees");
    refuse("HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\n}\nMOTION\nFrames: 1\nFrame Time: 1\n", EMBER_E_MALFORMED,
           "1 frames, but no joint has channels");
}

/* The count of joints and their reading agree whatever joints are called. */
TEST(bvh_takes_any_name)
{
    ember_arena arena = ember_arena_growing(ember_heap(), 0);
    ember_model model = fixture_read_text("HIERARCHY ROOT MOTION\n{ OFFSET 0 0 0 JOINT ROOT JOINT {OFFSET 0 "
                                          "0 0} JOINT\n{OFFSET 0 0 0 } JOINT \xff\x01x\n"
                                          "{OFFSET 0 0 0 }}\nMOTION Frames:0 Frame Time:1",
                                          as_bvh, &arena);
    assert_int_equal(model.skeleton.bone_count, 4);
    assert_string_equal(model.skeleton.names[0], "MOTION");
    assert_string_equal(model.skeleton.names[1], "ROOT JOINT");
    assert_null(model.skeleton.names[2]);
    assert_string_equal(model.skeleton.names[3], "??x");
    ember_arena_free(&arena);
}

TEST(bvh_rejects_too_many_joints)
{
    static const char joint[] = "ROOT a{OFFSET 0 0 0 }\n";
    size_t            size = 10 + 32768 * (sizeof(joint) - 1);
    char             *text = test_alloc(size + 1);
    strcpy(text, "HIERARCHY\n");
    for (size_t i = 0; i < 32768; i++)
        memcpy(text + 10 + i * (sizeof(joint) - 1), joint, sizeof(joint));
    fixture_refuse(text, size, as_bvh, EMBER_E_LIMIT, "more than 32767 joints");
    free(text);
}

/* Numbers may lose their last digits and still be numbers; anything shorter is not a file. */
TEST(bvh_survives_every_prefix)
{
    size_t whole = strlen(small), last = (size_t)(strstr(small, "+6.5") - small);
    fixture_every_prefix((const uint8_t *)small, last + 1, as_bvh);
    for (size_t n = last + 2; n <= whole; n++)
        assert_int_equal(fixture_survive(small, n, as_bvh), EMBER_OK);
}

TEST(bvh_drops_the_t_pose_if_asked)
{
    ember_arena        arena = ember_arena_growing(ember_heap(), 0);
    fixture_notes      notes;
    ember_read_options options = as_bvh;
    options.notes = fixture_listen(&notes);
    options.bvh = &(ember_bvh_options){.drop_tpose = true};
    ember_model model = fixture_read_text(small, options, &arena);
    assert_int_equal(model.clips[0].frame_count, 1);
    assert_vec3(model.clips[0].frames[0].position, -1.0f, 0.0f, 1.5f);
    assert_non_null(strstr(notes.text, "D the first frame is the T-pose and is dropped"));

    /* Turned by 2 degrees in one joint, it is none; a root may be turned as it likes. */
    char turned[sizeof(small)];
    memcpy(turned, small, sizeof(small));
    char *first = strstr(turned, "\t0 0 0 5\r\n");
    memcpy(first, "\t0 2 0 5", 8);
    options.notes = fixture_listen(&notes);
    model = fixture_read_text(turned, options, &arena);
    assert_int_equal(model.clips[0].frame_count, 2);
    assert_non_null(strstr(notes.text, "W the first frame is no T-pose, it is kept"));
    memcpy(first - 5, "9 9 9\t0 0 0 5", 13);
    assert_int_equal(fixture_read_text(turned, options, &arena).clips[0].frame_count, 1);
    options.bvh = NULL;
    assert_int_equal(fixture_read_text(small, options, &arena).clips[0].frame_count, 2);
    ember_arena_free(&arena);
}

TEST(bvh_survives_every_failing_allocation)
{
    fixture_every_arena((const uint8_t *)small, strlen(small), as_bvh);
    fixture_every_allocation((const uint8_t *)small, strlen(small), as_bvh);
}

TEST(bvh_survives_damage) { fixture_damages(small, 11, as_bvh); }

TEST(bvh_is_told_by_its_first_word)
{
    static const char text[] = "\xef\xbb\xbf \n hierarchy\nROOT";
    assert_int_equal(ember_format_sniff(text, sizeof(text) - 1, "x.obj")->format, EMBER_FORMAT_BVH);
    assert_null(ember_format_sniff("HIERARCHYROOT", 13, NULL));
    assert_int_equal(ember_format_by_path("a/B.BVH")->format, EMBER_FORMAT_BVH);
    assert_false(ember_format_get(EMBER_FORMAT_BVH)->writes);
}
