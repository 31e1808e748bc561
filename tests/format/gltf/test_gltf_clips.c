/* SPDX-License-Identifier: MIT */
/* Clips from glTF: every kind of number and accessor, the three interpolations, and which frames a clip has.
   Expected values are worked out by hand from the specification's formulas.
   Covers: gltf_curve.c. */
#include "gltf_made.h"

#include "format/gltf/gltf.h"

#include <math.h>

#define NEAR(a, b) assert_true(fabs((double)(a) - (double)(b)) < 1e-6)

static void move_make(made *m, unsigned keys, const float *times, const float *values, const char *more)
{
    memset(m, 0, sizeof(*m));
    unsigned input = made_floats(m, "SCALAR", keys, times);
    unsigned output = made_floats(m, "VEC3", strstr(more, "CUBIC") != NULL ? keys * 3 : keys, values);
    channel_make(m, "translation", input, output, more);
}

static void turn_make(made *m, unsigned keys, const float *times, const float *values, const char *more)
{
    memset(m, 0, sizeof(*m));
    unsigned input = made_floats(m, "SCALAR", keys, times);
    unsigned output = made_floats(m, "VEC4", strstr(more, "CUBIC") != NULL ? keys * 3 : keys, values);
    channel_make(m, "rotation", input, output, more);
}

/* ---- interpolation ---- */

TEST(linear_is_linear)
{
    static const float times[2] = {0.0f, 1.0f}, values[6] = {0, 1, 2, 10, 1, -2};
    made               m;
    ember_arena        arena = ember_arena_growing(ember_heap(), 0);
    move_make(&m, 2, times, values, "");
    ember_clip clip = clip_of(&m, (ember_read_options){.path = NULL}, &arena);
    assert_int_equal(clip.frame_count, 31);
    assert_true(clip.fps == 30.0);
    NEAR(clip.frames[0].position.x, 0.0);
    NEAR(clip.frames[12].position.x, 4.0);
    NEAR(clip.frames[12].position.y, 1.0);
    NEAR(clip.frames[12].position.z, 0.4);
    NEAR(clip.frames[30].position.x, 10.0);
    /* What has no channel is as the node says. */
    assert_quat(clip.frames[12].rotation, 0, 0, 0, 1);
    NEAR(clip.frames[12].scale.y, 1.0);
    ember_arena_free(&arena);
}

/* A quarter turn about z: after a third of it 30 degrees, which a normalised mix would miss by 0.9. */
TEST(linear_rotations_turn_at_constant_speed)
{
    const float        half = (float)sqrt(0.5);
    static const float times[2] = {0.0f, 1.0f};
    made               m;
    ember_arena        arena = ember_arena_growing(ember_heap(), 0);
    for (int sign = -1; sign <= 1; sign += 2) {
        const float values[8] = {0, 0, 0, 1, 0, 0, (float)sign * half, (float)sign * half};
        turn_make(&m, 2, times, values, "");
        ember_clip clip = clip_of(&m, (ember_read_options){.path = NULL}, &arena);
        /* The other sign is the same rotation, and the short way goes there, without a jump. */
        assert_quat(clip.frames[10].rotation, 0, 0, 0.2588190451, 0.9659258263);
        assert_quat(clip.frames[30].rotation, 0, 0, 0.7071067812, 0.7071067812);
    }
    ember_arena_free(&arena);
}

/* Nearly no turn, and nearly a whole half turn. */
TEST(linear_rotations_hold_at_both_ends)
{
    static const float times[2] = {0.0f, 1.0f};
    const double       angles[2] = {1e-4, 3.1415};
    made               m;
    ember_arena        arena = ember_arena_growing(ember_heap(), 0);
    for (int i = 0; i < 2; i++) {
        const float values[8] = {0, 0, 0, 1, (float)sin(angles[i] / 2), 0, 0, (float)cos(angles[i] / 2)};
        turn_make(&m, 2, times, values, "");
        ember_clip clip = clip_of(&m, (ember_read_options){.path = NULL}, &arena);
        assert_true(fabs((double)clip.frames[6].rotation.x - sin(angles[i] / 10)) < 2e-8);
        NEAR(clip.frames[6].rotation.w, cos(angles[i] / 10));
    }
    ember_arena_free(&arena);
}

/* At the middle of a span of 2 s: 0.5 v0 + 2 * 0.125 b0 + 0.5 v1 - 2 * 0.125 a1 = 0.5 + 0.5 + 1.5 - 1. At a
   quarter: 27/32 v0 + 2 * 9/64 b0 + 5/32 v1 - 2 * 3/64 a1. */
TEST(cubicspline_is_the_specifications_polynomial)
{
    static const float times[2] = {1.0f, 3.0f};
    static const float values[18] = {99, 99, 99, 1, 0, 0, 2, 0, 0, 4, 0, 0, 3, 0, 0, 99, 99, 99};
    made               m;
    ember_arena        arena = ember_arena_growing(ember_heap(), 0);
    move_make(&m, 2, times, values, ",'interpolation':'CUBICSPLINE'");
    ember_clip clip = clip_of(&m, (ember_read_options){.fps = 4.0}, &arena);
    assert_int_equal(clip.frame_count, 9);
    NEAR(clip.frames[0].position.x, 1.0);
    NEAR(clip.frames[2].position.x, 27.0 / 32 + 9.0 / 16 + 15.0 / 32 - 3.0 / 8);
    NEAR(clip.frames[4].position.x, 1.5);
    NEAR(clip.frames[8].position.x, 3.0);
    ember_arena_free(&arena);
}

/* Without tangents the middle is the mean of the keys, brought back to length 1. */
TEST(cubicspline_rotations_are_normalised)
{
    static const float times[2] = {0.0f, 1.0f};
    static const float values[24] = {0, 0, 0, 0, 0,    0, 0, 1,    0, 0, 0, 0,
                                     0, 0, 0, 0, 0.6f, 0, 0, 0.8f, 0, 0, 0, 0};
    static const float opposite[24] = {0, 0, 0, 0, 0, 0, 0, 1,  0, 0, 0, 0,
                                       0, 0, 0, 0, 0, 0, 0, -1, 0, 0, 0, 0};
    made               m;
    ember_arena        arena = ember_arena_growing(ember_heap(), 0);
    turn_make(&m, 2, times, values, ",'interpolation':'CUBICSPLINE'");
    ember_clip clip = clip_of(&m, (ember_read_options){.fps = 2.0}, &arena);
    assert_int_equal(clip.frame_count, 3);
    assert_quat(clip.frames[1].rotation, 0.3 / sqrt(0.9), 0, 0, 0.9 / sqrt(0.9));
    /* Keys of opposite sign meet at zero; what comes out is a rotation all the same. */
    turn_make(&m, 2, times, opposite, ",'interpolation':'CUBICSPLINE'");
    clip = clip_of(&m, (ember_read_options){.fps = 2.0}, &arena);
    assert_quat(clip.frames[1].rotation, 0, 0, 0, 1);
    ember_arena_free(&arena);
}

/* Keys on every second frame of 30 a second, whose times are floats: no frame may show the key before. */
TEST(step_changes_on_the_frame_of_its_key)
{
    float       times[40], values[120] = {0};
    made        m;
    ember_arena arena = ember_arena_growing(ember_heap(), 0);
    for (unsigned i = 0; i < 40; i++) {
        times[i] = (float)((double)(i * 2) / 30.0);
        values[i * 3] = (float)i;
    }
    move_make(&m, 40, times, values, ",'interpolation':'STEP'");
    ember_clip clip = clip_of(&m, (ember_read_options){.path = NULL}, &arena);
    assert_int_equal(clip.frame_count, 79);
    for (unsigned i = 0; i < 79; i++)
        NEAR(clip.frames[i].position.x, i / 2);
    ember_arena_free(&arena);
}

/* ---- broken curves ---- */

TEST(broken_keys_are_refused)
{
    static const float times[3] = {0.0f, 0.5f, 0.5f}, back[3] = {0.0f, 0.5f, 0.25f},
                       good[3] = {0.0f, 0.5f, 1.0f}, values[12] = {0};
    const float        odd[3] = {0.0f, NAN, 1.0f}, far[9] = {0, 0, 0, INFINITY, 0, 0, 0, 0, 0};
    ember_read_options options = {.path = NULL};
    made               m;
    move_make(&m, 3, times, values, "");
    made_refuse(&m, options, EMBER_E_MALFORMED,
                "animations[0].samplers[0].input: key 2 at 0.5 s is not after key 1 at 0.5 s");
    move_make(&m, 3, back, values, "");
    made_refuse(&m, options, EMBER_E_MALFORMED, "key 2 at 0.25 s is not after key 1 at 0.5 s");
    move_make(&m, 3, odd, values, "");
    made_refuse(&m, options, EMBER_E_RANGE,
                "animations[0].samplers[0].input: the time of key 1 is not finite");
    move_make(&m, 3, good, far, "");
    made_refuse(&m, options, EMBER_E_RANGE, "a: n: frame 1: a number is not finite");
    turn_make(&m, 3, good, values, "");
    made_refuse(&m, options, EMBER_E_RANGE,
                "animations[0].samplers[0].output: the rotation of key 0 or the next has no length");

    memset(&m, 0, sizeof(m));
    unsigned input = made_floats(&m, "SCALAR", 3, good), four = made_floats(&m, "VEC3", 4, values);
    channel_make(&m, "translation", input, four, "");
    made_refuse(&m, options, EMBER_E_MALFORMED,
                "animations[0].samplers[0].output: 4 values, 3 keys and LINEAR need 3");
    m.rest[0] = '\0';
    channel_make(&m, "translation", input, four, ",'interpolation':'CUBICSPLINE'");
    made_refuse(&m, options, EMBER_E_MALFORMED, "4 values, 3 keys and CUBICSPLINE need 9");
    m.rest[0] = '\0';
    channel_make(&m, "rotation", input, four, "");
    made_refuse(&m, options, EMBER_E_MALFORMED,
                "animations[0].samplers[0].output: accessor 1 has 3 numbers an element, 4 expected");
    m.rest[0] = '\0';
    channel_make(&m, "translation", made_accessor(&m, "SCALAR", 5126, 0, ""), four, "");
    made_refuse(&m, options, EMBER_E_MALFORMED, "animations[0].samplers[0].input: no keys");
}

/* ---- which frames ---- */

static unsigned frames_of(float last, ember_read_options options)
{
    const float        times[2] = {0.0f, last};
    static const float values[6] = {0, 0, 0, 1, 0, 0};
    made               m;
    ember_arena        arena = ember_arena_growing(ember_heap(), 0);
    move_make(&m, 2, times, values, "");
    unsigned count = clip_of(&m, options, &arena).frame_count;
    ember_arena_free(&arena);
    return count;
}

/* round(duration * fps) + 1. */
TEST(duration_gives_the_frames)
{
    assert_int_equal(frames_of(1.0f, (ember_read_options){.path = NULL}), 31);
    assert_int_equal(frames_of(1.0f, (ember_read_options){.fps = 60}), 61);
    assert_int_equal(frames_of(1.01f, (ember_read_options){.path = NULL}), 31);
    assert_int_equal(frames_of(1.02f, (ember_read_options){.path = NULL}), 32);
    assert_int_equal(frames_of(0.5f, (ember_read_options){.fps = 1}), 2);
    assert_int_equal(frames_of(0.01f, (ember_read_options){.path = NULL}), 1);
}

/* A clip begins with its first key, and a last frame beyond the last key holds it. */
TEST(clips_begin_with_their_first_key)
{
    static const float times[2] = {1.0f, 1.49f}, values[6] = {5, 0, 0, 6, 0, 0};
    made               m;
    ember_arena        arena = ember_arena_growing(ember_heap(), 0);
    move_make(&m, 2, times, values, "");
    ember_clip clip = clip_of(&m, (ember_read_options){.fps = 10}, &arena);
    assert_int_equal(clip.frame_count, 6);
    NEAR(clip.frames[0].position.x, 5.0);
    NEAR(clip.frames[1].position.x, 5.0 + 0.1 / 0.49);
    NEAR(clip.frames[5].position.x, 6.0);
    ember_arena_free(&arena);
}

TEST(range_is_counted_from_the_first_key)
{
    static const float times[2] = {1.0f, 3.0f}, values[6] = {0, 0, 0, 2, 0, 0};
    made               m;
    ember_arena        arena = ember_arena_growing(ember_heap(), 0);
    move_make(&m, 2, times, values, "");
    ember_clip clip = clip_of(&m, (ember_read_options){.fps = 10, .start_s = 0.5, .end_s = 1.5}, &arena);
    assert_int_equal(clip.frame_count, 11);
    NEAR(clip.frames[0].position.x, 0.5);
    NEAR(clip.frames[10].position.x, 1.5);
    clip = clip_of(&m, (ember_read_options){.fps = 10, .end_s = 1.06}, &arena);
    assert_int_equal(clip.frame_count, 12);
    NEAR(clip.frames[10].position.x, 1.0);
    NEAR(clip.frames[11].position.x, 1.06); /* not beyond the range's end */
    clip = clip_of(&m, (ember_read_options){.fps = 10, .start_s = 1.5}, &arena);
    assert_int_equal(clip.frame_count, 6);
    NEAR(clip.frames[5].position.x, 2.0);
    made_refuse(&m, (ember_read_options){.start_s = 5}, EMBER_E_ARG,
                "it lasts 2 s and ends before the range begins");
    made_refuse(&m, (ember_read_options){.start_s = 2, .end_s = 1}, EMBER_E_ARG, "the range 2:1 is none");
    made_refuse(&m, (ember_read_options){.start_s = -1}, EMBER_E_ARG, "the range -1:0 is none");
    ember_arena_free(&arena);
}

TEST(loops_drop_a_last_frame_that_repeats_the_first)
{
    static const float times[3] = {0.0f, 0.5f, 1.0f}, there[9] = {1, 0, 0, 3, 0, 0, 1, 0, 0},
                       away[9] = {1, 0, 0, 3, 0, 0, 1.1f, 0, 0};
    made          m;
    fixture_notes notes;
    ember_arena   arena = ember_arena_growing(ember_heap(), 0);
    move_make(&m, 3, times, there, "");
    ember_clip clip = clip_of(&m, (ember_read_options){.fps = 10, .loop = true}, &arena);
    assert_true(clip.loop);
    assert_int_equal(clip.frame_count, 10);
    clip = clip_of(&m, (ember_read_options){.fps = 10}, &arena);
    assert_false(clip.loop);
    assert_int_equal(clip.frame_count, 11);
    move_make(&m, 3, times, away, "");
    clip =
        clip_of(&m, (ember_read_options){.fps = 10, .loop = true, .notes = fixture_listen(&notes)}, &arena);
    assert_true(clip.loop);
    assert_int_equal(clip.frame_count, 11);
    assert_non_null(strstr(notes.text, "W the last frame is not the first again"));
    ember_arena_free(&arena);
}

/* ---- the keys' own rate ---- */

static double rate_of(unsigned count, double step, unsigned skip, double start)
{
    double times[400];
    for (unsigned i = 0; i < count; i++)
        times[i] = (double)(float)(start + step * (i + skip * (i / 2)));
    return emberi_gltf_key_rate(times, count);
}

TEST(key_rate_is_found)
{
    static const double rates[] =
        {24, 25, 30, 60, 120, 10, 1, 0.5, 23.976023976023978, 29.97002997002997, 59.94005994005994, 400};
    for (size_t i = 0; i < sizeof(rates) / sizeof(rates[0]); i++) {
        for (unsigned skip = 0; skip < 3; skip++) {
            for (int late = 0; late < 3; late++) {
                double rate = rate_of(200, 1.0 / rates[i], skip, late * 7.25);
                if (!(fabs(rate / rates[i] - 1.0) < 1e-9))
                    fail_msg("%.9g for %.9g, %u, %d", rate, rates[i], skip, late);
            }
        }
    }
    /* Ten minutes: at their end gaps are 163 or 164 units of a float long, where 163.84 would be right. */
    static double many[60001];
    for (unsigned i = 0; i < 60001; i++)
        many[i] = (double)(float)(i / 100.0);
    assert_true(emberi_gltf_key_rate(many, 60001) == 100.0);
    double half[4] = {0.0, 1.0, 2.5, 0.0};
    assert_true(emberi_gltf_key_rate(half, 4) == 2.0);
    double odd[5] = {0.0, 0.1, 0.1234567, 1.0, 1.7654321}, few[3] = {0.0, 1.0, 2.3711}, one[1] = {3.0},
           same[2] = {3.0, 3.0};
    assert_true(emberi_gltf_key_rate(odd, 5) == 0.0);
    assert_true(emberi_gltf_key_rate(few, 3) == 0.0); /* 256 frames a second would be 0.0016 of a frame off */
    assert_true(emberi_gltf_key_rate(one, 1) == 0.0);
    assert_true(emberi_gltf_key_rate(same, 2) == 0.0);
    assert_true(emberi_gltf_key_rate(NULL, 0) == 0.0);
}

TEST(source_rate_keeps_every_key)
{
    static const float times[4] = {0.0f, 1.0f / 24, 3.0f / 24, 1.0f}, odd[4] = {0.0f, 0.1f, 0.1234567f, 1.0f};
    static const float values[12] = {0, 0, 0, 4, 0, 0, 7, 0, 0, 9, 0, 0};
    made               m;
    fixture_notes      notes;
    ember_arena        arena = ember_arena_growing(ember_heap(), 0);
    move_make(&m, 4, times, values, "");
    ember_clip clip =
        clip_of(&m, (ember_read_options){.fps = EMBER_FPS_SOURCE, .notes = fixture_listen(&notes)}, &arena);
    assert_true(clip.fps == 24.0);
    assert_int_equal(clip.frame_count, 25);
    NEAR(clip.frames[1].position.x, 4);
    NEAR(clip.frames[3].position.x, 7);
    assert_non_null(strstr(notes.text, "D keys at 24 frames a second"));
    move_make(&m, 4, odd, values, "");
    clip =
        clip_of(&m, (ember_read_options){.fps = EMBER_FPS_SOURCE, .notes = fixture_listen(&notes)}, &arena);
    assert_true(clip.fps == 30.0);
    assert_non_null(strstr(notes.text, "W its keys have no regular rate: sampled at 30"));
    ember_arena_free(&arena);
}

/* ---- which clips ---- */

/* Times far from the frames, forwards in large steps: every look-up lands on the right key. */
TEST(dense_keys_are_found)
{
    float       times[120], values[360] = {0};
    made        m;
    ember_arena arena = ember_arena_growing(ember_heap(), 0);
    for (unsigned i = 0; i < 120; i++) {
        times[i] = (float)i / 128.0f;
        values[i * 3] = (float)(i * i % 31);
    }
    for (unsigned fps = 1; fps <= 64; fps *= 2) {
        move_make(&m, 120, times, values, "");
        ember_clip clip = clip_of(&m, (ember_read_options){.fps = fps}, &arena);
        for (unsigned i = 0; i < clip.frame_count; i++) {
            unsigned key = i * 128 / fps < 119 ? i * 128 / fps : 119;
            NEAR(clip.frames[i].position.x, key * key % 31);
        }
    }
    ember_arena_free(&arena);
}

TEST(channels_that_move_no_bone_are_said)
{
    static const float times[2] = {0.0f, 1.0f}, values[6] = {0};
    made               m;
    fixture_notes      notes;
    ember_arena        arena = ember_arena_growing(ember_heap(), 0);
    memset(&m, 0, sizeof(m));
    unsigned t = made_floats(&m, "SCALAR", 2, times), v = made_floats(&m, "VEC3", 2, values);
    made_rest(&m,
              ",'nodes':[{'translation':[1,2,3]},{}],'skins':[{'joints':[0]}],'animations':[{'channels':["
              "{'sampler':0,'target':{'node':1,'path':'translation'}},{'sampler':0,'target':{'node':0,'path':"
              "'weights'}},"
              "{'sampler':0,'target':{'path':'pointer'}}],'samplers':[{'input':%u,'output':%u}]}]",
              t, v);
    ember_clip clip =
        clip_of(&m, (ember_read_options){.path = "x/walk.glb", .notes = fixture_listen(&notes)}, &arena);
    assert_string_equal(clip.name, "walk"); /* the file's, since it has none of its own */
    assert_int_equal(clip.frame_count, 1);
    NEAR(clip.frames[0].position.z, 3);
    assert_non_null(strstr(notes.text, "W 2 channels move no node (weights, pointers) and are ignored"));
    assert_non_null(
        strstr(notes.text, "W 1 channel moves nodes that are neither bones nor above one, and is ignored"));
    assert_non_null(strstr(notes.text, "W moves none of the bones: one frame of the rest pose"));
    ember_arena_free(&arena);
}

TEST(later_of_two_channels_counts)
{
    static const float times[2] = {0.0f, 1.0f}, long_times[2] = {0.0f, 5.0f}, values[6] = {7, 0, 0, 7, 0, 0},
                       others[6] = {0};
    made          m;
    fixture_notes notes;
    ember_arena   arena = ember_arena_growing(ember_heap(), 0);
    memset(&m, 0, sizeof(m));
    unsigned t = made_floats(&m, "SCALAR", 2, times), l = made_floats(&m, "SCALAR", 2, long_times);
    unsigned v = made_floats(&m, "VEC3", 2, values), o = made_floats(&m, "VEC3", 2, others);
    made_rest(&m,
              ",'nodes':[{}],'animations':[{'name':'','channels':[{'sampler':0,'target':{'node':0,'path':'"
              "translation'}},"
              "{'sampler':1,'target':{'node':0,'path':'translation'}}],'samplers':[{'input':%u,'output':%u},{"
              "'input':%u,'output':"
              "%u}]}]",
              l, o, t, v);
    ember_clip clip = clip_of(&m, (ember_read_options){.notes = fixture_listen(&notes)}, &arena);
    assert_string_equal(clip.name, "");
    assert_int_equal(clip.frame_count, 31);
    NEAR(clip.frames[30].position.x, 7);
    assert_non_null(strstr(notes.text, "W two channels move the same"));
    ember_arena_free(&arena);
}

TEST(odd_options_are_refused)
{
    static const float times[2] = {0.0f, 1.0f}, values[6] = {0};
    made               m;
    move_make(&m, 2, times, values, "");
    made_refuse(&m, (ember_read_options){.fps = 1e9}, EMBER_E_LIMIT,
                "a: 1000000001 frames (1 s), at most 1048576");
    made_refuse(&m, (ember_read_options){.skin = "x"}, EMBER_E_ARG, "no skin \"x\"; the file has no skins");
}
