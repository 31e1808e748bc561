/* SPDX-License-Identifier: MIT */
/* Decoding and sampling of 16-byte keyframes: the values of the specification, the codec's own bits on every
   path, every rule of the two jobs, and which frames a time falls on.
   Covers: sample.c. */
#include "poses.h"

#include "pose/kernels/kernels.h"

#define BONES 11

/* ---- the codec's bits ---- */

/* All kernels that run here against the codec, one record at a time. */
static void check_records(const uint8_t *records, size_t count)
{
    ember_transform *out = test_alloc(count * sizeof(*out));
    for (int isa = 0; isa < EMBER_ISA_COUNT; isa++) {
        const emberi_kernels *kernels = emberi_kernels_for((ember_isa)isa);
        if (kernels == NULL)
            continue;
        kernels->decode(out, records, count);
        for (size_t i = 0; i < count; i++) {
            ember_transform expected = ember_record_decode(records + 16 * i, EMBER_RECORD_EWZ, NULL);
            if (memcmp(&expected, &out[i], sizeof(expected)) != 0)
                fail_msg("%s decodes record %zu otherwise than the codec", ember_isa_name((ember_isa)isa), i);
        }
    }
    free(out);
}

static void put_half(uint8_t *record, unsigned slot, uint32_t half)
{
    record[4 + 2 * slot] = (uint8_t)half;
    record[5 + 2 * slot] = (uint8_t)(half >> 8);
}

/* Infinities and every NaN included: a signalling one becomes quiet and keeps its payload. */
TEST(decode_has_the_codecs_bits_for_every_half)
{
    const size_t count = 65536;
    uint8_t     *records = test_alloc(count * 16);
    memset(records, 0, count * 16);
    for (uint32_t half = 0; half < count; half++)
        for (unsigned slot = 0; slot < 6; slot++) /* each slot sees each half, beside others */
            put_half(records + 16 * half, slot, (half + slot * 10923u) & 0xffffu);
    check_records(records, count);
    free(records);
}

TEST(decode_has_the_codecs_bits_for_any_rotation)
{
    const size_t count = 300000;
    test_random  r = {99};
    uint8_t     *records = test_alloc(count * 16);
    for (size_t i = 0; i < count * 16; i++)
        records[i] = (uint8_t)test_random_u32(&r);
    memset(records, 0, 16);
    memset(records + 16, 0xff, 16);
    check_records(records, count);
    free(records);
}

/* A quiet NaN, a signalling one and both infinities by their bits, as F16C has them. */
TEST(decode_quiets_nans_on_every_path)
{
    static const uint32_t halves[6] = {0x7e01, 0x7d55, 0xfc01, 0x7c00, 0xfc00, 0x8001};
    static const uint32_t floats[6] = {0x7fc02000u, 0x7feaa000u, 0xffc02000u,
                                       0x7f800000u, 0xff800000u, 0xb3800000u};
    uint8_t               record[16] = {0x03, 0x08, 0x20, 0x80};
    ember_transform       out;
    for (unsigned slot = 0; slot < 6; slot++)
        put_half(record, slot, halves[slot]);
    for (int isa = 0; isa < EMBER_ISA_COUNT; isa++) {
        const emberi_kernels *kernels = emberi_kernels_for((ember_isa)isa);
        if (kernels == NULL)
            continue;
        kernels->decode(&out, record, 1);
        assert_memory_equal(&out.position, floats, sizeof(floats));
    }
}

/* ---- values by hand ---- */

TEST(decode_gives_the_values_of_the_specification)
{
    /* v2's identity; position 1 2 -3, scale 1 0.5 2 */
    static const uint8_t record[16] = {0x03, 0x08, 0x20, 0x80, 0x00, 0x3c, 0x00, 0x40,
                                       0x00, 0xc2, 0x00, 0x3c, 0x00, 0x38, 0x00, 0x40};
    ember_transform      out;
    ember_decode_job job = {.out = &out, .out_count = 1, .frame = record, .frame_size = 16, .bone_count = 1};
    assert_int_equal(ember_decode_run(&job), EMBER_OK);
    /* 512 of 0..1023: (512/511.5 - 1)/sqrt2 = 0.00069120, and the root of what three of them leave */
    assert_float_equal(out.rotation.x, 0.00069120f, 1e-7f);
    assert_float_equal(out.rotation.y, 0.00069120f, 1e-7f);
    assert_float_equal(out.rotation.z, 0.00069120f, 1e-7f);
    assert_float_equal(out.rotation.w, 0.99999928f, 1e-7f);
    assert_true(out.position.x == 1.0f && out.position.y == 2.0f && out.position.z == -3.0f);
    assert_true(out.scale.x == 1.0f && out.scale.y == 0.5f && out.scale.z == 2.0f);
}

static void frame_of(uint8_t record[16], ember_quat q, float x)
{
    ember_transform t = {q, {x, 0.0f, 0.0f}, {1.0f, 1.0f, 1.0f}};
    assert_int_equal(ember_record_encode(record, EMBER_RECORD_EWZ, &t), EMBER_OK);
}

static ember_transform mixed(const uint8_t a[16], const uint8_t b[16], float t)
{
    ember_transform  out;
    ember_decode_job job = {.out = &out,
                            .out_count = 1,
                            .frame = a,
                            .frame_size = 16,
                            .next = b,
                            .next_size = 16,
                            .t = t,
                            .bone_count = 1};
    assert_int_equal(ember_decode_run(&job), EMBER_OK);
    return out;
}

TEST(decode_mixes_two_frames)
{
    uint8_t a[16], b[16];
    frame_of(a, (ember_quat){0.0f, 0.0f, 0.0f, 1.0f}, 1.0f);
    frame_of(b, (ember_quat){0.0f, 0.0f, 0.70710678f, 0.70710678f}, 3.0f);
    ember_transform out = mixed(a, b, 0.25f);
    assert_true(out.position.x == 1.5f);
    /* The mean of 0.75 times w and 0.25 times a quarter turn about z, to length 1: z 0.18737, w 0.98229 */
    assert_float_equal(out.rotation.z, 0.18737f, 0.002f);
    assert_float_equal(out.rotation.w, 0.98229f, 0.002f);
}

/* These two are nearly the same rotation, stored with opposite signs, because the largest component is
   always positive. */
TEST(decode_mixes_the_short_way)
{
    uint8_t a[16], b[16];
    frame_of(a, (ember_quat){0.8f, -0.6f, 0.0f, 0.0f}, 0.0f);
    frame_of(b, (ember_quat){-0.6f, 0.8f, 0.0f, 0.0f}, 0.0f);
    ember_transform out = mixed(a, b, 0.5f);
    assert_float_equal(out.rotation.x, 0.70710678f, 0.002f);
    assert_float_equal(out.rotation.y, -0.70710678f, 0.002f);
}

/* Many frames, as a mix that normalises once more leaves most rotations as they are, too. */
TEST(decode_at_the_ends_is_the_frame_itself)
{
    test_random     r = {5};
    uint8_t         a[BONES * 16], b[BONES * 16];
    ember_transform mixed[BONES], alone[BONES];
    for (int round = 0; round < 100; round++) {
        test_frame(&r, TEST_SMALL, a, BONES);
        test_frame(&r, TEST_SMALL, b, BONES);
        ember_decode_job mix = {mixed, BONES, a, sizeof(a), b, sizeof(b), 0.0f, BONES};
        ember_decode_job one = {alone, BONES, a, sizeof(a), NULL, 0, 0.0f, BONES};
        assert_int_equal(ember_decode_run(&mix), EMBER_OK);
        assert_int_equal(ember_decode_run(&one), EMBER_OK);
        assert_memory_equal(mixed, alone, sizeof(alone));
        mix.t = 1.0f;
        one.frame = b;
        assert_int_equal(ember_decode_run(&mix), EMBER_OK);
        assert_int_equal(ember_decode_run(&one), EMBER_OK);
        assert_memory_equal(mixed, alone, sizeof(alone));
    }
}

/* ---- rules of the decode job ---- */

static ember_transform decode_out[BONES], decode_before[BONES];
static uint8_t         decode_frame[BONES * 16], decode_next[BONES * 16];

static ember_decode_job good_decode(void)
{
    memset(decode_out, 0x5a, sizeof(decode_out));
    memcpy(decode_before, decode_out, sizeof(decode_out));
    return (ember_decode_job){.out = decode_out,
                              .out_count = BONES,
                              .frame = decode_frame,
                              .frame_size = sizeof(decode_frame),
                              .next = decode_next,
                              .next_size = sizeof(decode_next),
                              .t = 0.5f,
                              .bone_count = BONES};
}

static void check_decode_refused(const ember_decode_job *job)
{
    assert_int_equal(ember_decode_run(job), EMBER_E_ARG);
    assert_memory_equal(decode_out, decode_before, sizeof(decode_out));
}

TEST(decode_accepts_what_the_rules_allow)
{
    ember_decode_job job = good_decode();
    assert_int_equal(ember_decode_run(&job), EMBER_OK);
    assert_memory_not_equal(decode_out, decode_before, sizeof(decode_out));
    job = (ember_decode_job){0}; /* no bones need nothing */
    assert_int_equal(ember_decode_run(&job), EMBER_OK);
}

TEST(decode_rejects_a_missing_output)
{
    ember_decode_job job = good_decode();
    job.out = NULL;
    check_decode_refused(&job);
}

TEST(decode_rejects_a_missing_frame)
{
    ember_decode_job job = good_decode();
    job.frame = NULL;
    check_decode_refused(&job);
}

TEST(decode_rejects_a_small_output)
{
    ember_decode_job job = good_decode();
    job.out_count = BONES - 1;
    check_decode_refused(&job);
}

TEST(decode_rejects_a_short_frame)
{
    ember_decode_job job = good_decode();
    job.frame_size = BONES * 16 - 1;
    check_decode_refused(&job);
}

TEST(decode_rejects_a_short_next_frame)
{
    ember_decode_job job = good_decode();
    job.next_size = BONES * 16 - 1;
    check_decode_refused(&job);
}

TEST(decode_rejects_a_weight_outside_of_0_to_1)
{
    static const float bad[] = {-0.001f, 1.001f, INFINITY, -INFINITY, NAN};
    ember_decode_job   job = good_decode();
    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
        job.t = bad[i];
        check_decode_refused(&job);
    }
    job.next = NULL; /* then the weight does not matter */
    assert_int_equal(ember_decode_run(&job), EMBER_OK);
}

/* ---- sampling ---- */

static void check_place(uint32_t frame_count, float fps, double time_s, bool loop, uint32_t frame,
                        uint32_t next, float t)
{
    ember_sample_point at = {77, 77, 7.0f};
    assert_int_equal(ember_sample_locate(&at, frame_count, fps, time_s, loop), EMBER_OK);
    if (at.frame != frame || at.next != next || fabsf(at.t - t) > 1e-6f)
        fail_msg("%g s of %u frames at %g fps: frames %u and %u, %g; expected %u and %u, %g", time_s,
                 frame_count, (double)fps, at.frame, at.next, (double)at.t, frame, next, (double)t);
}

TEST(sample_clamps_at_both_ends)
{
    check_place(4, 8.0f, 0.0, false, 0, 1, 0.0f);
    check_place(4, 8.0f, 0.0625, false, 0, 1, 0.5f);
    check_place(4, 8.0f, 0.125, false, 1, 2, 0.0f);
    check_place(4, 8.0f, 0.359375, false, 2, 3, 0.875f);
    check_place(4, 8.0f, 0.375, false, 3, 3, 0.0f);
    check_place(4, 8.0f, 0.376, false, 3, 3, 0.0f);
    check_place(4, 8.0f, 1e300, false, 3, 3, 0.0f);
    check_place(4, 8.0f, -0.01, false, 0, 1, 0.0f);
    check_place(4, 8.0f, -1e300, false, 0, 1, 0.0f);
    check_place(1, 30.0f, 0.5, false, 0, 0, 0.0f);
}

TEST(sample_loops_through_the_last_frame_to_the_first)
{
    check_place(4, 8.0f, 0.375, true, 3, 0, 0.0f);
    check_place(4, 8.0f, 0.4375, true, 3, 0, 0.5f);
    check_place(4, 8.0f, 0.5, true, 0, 1, 0.0f);
    check_place(4, 8.0f, 0.5625, true, 0, 1, 0.5f);
    check_place(4, 8.0f, 500.0625, true, 0, 1, 0.5f);
    check_place(4, 8.0f, -0.0625, true, 3, 0, 0.5f);
    check_place(4, 8.0f, -0.5, true, 0, 1, 0.0f);
    check_place(4, 8.0f, -0.625, true, 3, 0, 0.0f);
    check_place(1, 30.0f, 0.5, true, 0, 0, 0.0f);
}

/* So far out that a double cannot tell frames apart, any place in the clip will do. */
TEST(sample_survives_any_finite_time)
{
    static const double times[] = {1e15, 1e16, 1e18, 1.7e308, -1e15, -1e16, -1.7e308, 5e-324, -5e-324};
    for (size_t i = 0; i < sizeof(times) / sizeof(*times); i++)
        for (uint32_t frame_count = 1; frame_count < 70000; frame_count = frame_count * 3 + 1)
            for (int loop = 0; loop < 2; loop++)
                for (float fps = 1e-30f; fps < 1e35f; fps *= 1e8f) {
                    ember_sample_point at;
                    assert_int_equal(ember_sample_locate(&at, frame_count, fps, times[i], loop != 0),
                                     EMBER_OK);
                    assert_true(at.frame < frame_count && at.next < frame_count);
                    assert_true(at.t >= 0.0f && at.t <= 1.0f);
                }
}

TEST(sample_gives_the_pose_between_two_frames)
{
    const ember_quat identity = {0.0f, 0.0f, 0.0f, 1.0f};
    uint8_t          frames[3 * 16];
    ember_transform  out;
    for (int i = 0; i < 3; i++)
        frame_of(frames + 16 * i, identity, 10.0f * (float)i);
    ember_sample_job job = {.out = &out,
                            .out_count = 1,
                            .frames = frames,
                            .frames_size = sizeof(frames),
                            .bone_count = 1,
                            .frame_count = 3,
                            .fps = 10.0f,
                            .time_s = 0.05};
    assert_int_equal(ember_sample_run(&job), EMBER_OK);
    assert_float_equal(out.position.x, 5.0f, 1e-5f);
    job.time_s = 0.15;
    assert_int_equal(ember_sample_run(&job), EMBER_OK);
    assert_float_equal(out.position.x, 15.0f, 1e-5f);
    job.time_s = 7.0;
    assert_int_equal(ember_sample_run(&job), EMBER_OK);
    assert_true(out.position.x == 20.0f);
    job.loop = true;
    job.time_s = 0.25; /* half way from the last frame back to the first */
    assert_int_equal(ember_sample_run(&job), EMBER_OK);
    assert_float_equal(out.position.x, 10.0f, 1e-5f);
}

/* ---- rules of the sample job ---- */

static ember_sample_job good_sample(void)
{
    static uint8_t frames[3 * BONES * 16];
    memset(decode_out, 0x5a, sizeof(decode_out));
    memcpy(decode_before, decode_out, sizeof(decode_out));
    return (ember_sample_job){.out = decode_out,
                              .out_count = BONES,
                              .frames = frames,
                              .frames_size = sizeof(frames),
                              .bone_count = BONES,
                              .frame_count = 3,
                              .fps = 30.0f,
                              .time_s = 0.01};
}

static void check_sample_refused(const ember_sample_job *job)
{
    assert_int_equal(ember_sample_run(job), EMBER_E_ARG);
    assert_memory_equal(decode_out, decode_before, sizeof(decode_out));
}

TEST(sample_accepts_what_the_rules_allow)
{
    ember_sample_job job = good_sample();
    assert_int_equal(ember_sample_run(&job), EMBER_OK);
    assert_memory_not_equal(decode_out, decode_before, sizeof(decode_out));
}

TEST(sample_rejects_missing_buffers)
{
    ember_sample_job job = good_sample();
    job.out = NULL;
    check_sample_refused(&job);
    job = good_sample();
    job.frames = NULL;
    check_sample_refused(&job);
    assert_int_equal(ember_sample_locate(NULL, 1, 30.0f, 0.0, false), EMBER_E_ARG);
}

TEST(sample_rejects_no_bones)
{
    ember_sample_job job = good_sample();
    job.bone_count = 0;
    check_sample_refused(&job);
}

TEST(sample_rejects_no_frames)
{
    ember_sample_point at;
    ember_sample_job   job = good_sample();
    job.frame_count = 0;
    check_sample_refused(&job);
    assert_int_equal(ember_sample_locate(&at, 0, 30.0f, 0.0, false), EMBER_E_ARG);
}

TEST(sample_rejects_a_small_output)
{
    ember_sample_job job = good_sample();
    job.out_count = BONES - 1;
    check_sample_refused(&job);
}

TEST(sample_rejects_short_frames)
{
    ember_sample_job job = good_sample();
    job.frames_size--;
    check_sample_refused(&job);
    job = good_sample();
    job.frame_count = 4;
    check_sample_refused(&job);
    job.bone_count = job.frame_count = UINT32_MAX; /* the product does not fit 64 bits */
    job.out_count = UINT32_MAX;
    check_sample_refused(&job);
}

TEST(sample_rejects_a_rate_that_is_none)
{
    static const float bad[] = {0.0f, -30.0f, INFINITY, NAN};
    ember_sample_job   job = good_sample();
    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
        job.fps = bad[i];
        check_sample_refused(&job);
    }
}

TEST(sample_rejects_a_time_that_is_none)
{
    static const double bad[] = {INFINITY, -INFINITY, NAN};
    ember_sample_job    job = good_sample();
    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
        job.time_s = bad[i];
        check_sample_refused(&job);
    }
}
