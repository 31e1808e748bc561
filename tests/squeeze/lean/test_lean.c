/* SPDX-License-Identifier: MIT */
/* Rigs and reading of lean clips: rules, cursors, loops, and clips whose bytes are written by hand.
   Covers: lean_rig.c, lean_rig_make.c, lean_open.c, lean_read.c. */
#define _POSIX_C_SOURCE 200809L /* posix_memalign */
#include "lean_made.h"

#include "base/bytes.h"
#include "squeeze/lean/lean_parts.h"

/* ---- by hand ---- */

/* A rig of one bone: A and C identity, position 1 2 3, shell 0.5, unit 2^1. */
static const uint8_t hand_rig[] = {1, 1, 0, 1, 0, 0, 0,    0x3f, 0, 0, 0, 0,    0, 0, 0,    0,
                                   0, 0, 0, 0, 0, 0, 0x80, 0x3f, 0, 0, 0, 0x40, 0, 0, 0x40, 0x40};

typedef struct hand_bits {
    uint8_t  data[64];
    uint32_t bit;
} hand_bits;

static void hand_put(hand_bits *bits, uint32_t value, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++, bits->bit++)
        bits->data[bits->bit / 8] |= (uint8_t)((value >> i & 1u) << (bits->bit % 8));
}

static void hand_align(hand_bits *bits) { bits->bit = (bits->bit + 7) / 8 * 8; }

/* Three frames in one block of two steps: x moves with keys 0 and 8 and one coefficient, of 2 bits with
   template 2; y is a constant component of 3 keys, z of 0. Step 8 of unit 1 is 2^(1 - 2) = 0.5. */
static hand_bits hand_clip(uint32_t coefficient)
{
    hand_bits b = {{0}, 0};
    hand_put(&b, 3, 16);
    hand_put(&b, 40u << 10 | 512, 16); /* error: 1536 * 2^-10 */
    hand_put(&b, 2, 8);                /* longest block */
    hand_put(&b, 0, 8);
    hand_put(&b, 2 << 2, 8); /* the position moves */
    hand_put(&b, 8, 7);      /* step */
    hand_put(&b, 3, 5);      /* bits of the smallest keys */
    hand_put(&b, 0, 3), hand_put(&b, 4, 5), hand_put(&b, 1, 1);
    hand_put(&b, 3, 3), hand_put(&b, 0, 5), hand_put(&b, 0, 1);
    hand_put(&b, 0, 3), hand_put(&b, 0, 5), hand_put(&b, 0, 1);
    hand_align(&b);
    hand_put(&b, 0, 4), hand_align(&b); /* rows of keys */
    hand_put(&b, 8, 4), hand_align(&b);
    hand_put(&b, b.bit / 8 + 4, 32); /* the block's offset */
    hand_put(&b, 2, 8);              /* template 2: two bits for z1 */
    hand_put(&b, coefficient, 2), hand_align(&b);
    b.bit += 64;
    return b;
}

static ember_vec3 hand_position(uint32_t coefficient, uint32_t frame, uint32_t fraction)
{
    static _Alignas(32) uint8_t memory[4096];
    const hand_bits             bits = hand_clip(coefficient);
    ember_lean_rig              rig;
    ember_lean_clip             clip;
    ember_transform             pose;
    assert_int_equal(ember_lean_rig_open(&rig, hand_rig, sizeof(hand_rig), NULL), EMBER_OK);
    assert_int_equal(ember_lean_open(&clip, bits.data, bits.bit / 8, &rig, memory, sizeof(memory), NULL),
                     EMBER_OK);
    assert_true(clip.error == 1.5f);
    assert_int_equal(ember_lean_sample(&pose, 1, &clip, frame, fraction), EMBER_OK);
    assert_true(pose.rotation.w == 1.0f && pose.scale.y == 1.0f);
    return pose.position;
}

TEST(a_clip_written_by_hand_decodes_as_computed_by_hand)
{
    /* keys are in steps of 0.5 * 0.625 = 0.3125 */
    assert_true(hand_position(1, 0, 0).x == 1.0f);
    assert_true(hand_position(1, 1, 0).x == 1.0f + 4 * 0.3125f);
    assert_true(hand_position(1, 2, 0).x == 1.0f + 8 * 0.3125f);
    assert_true(hand_position(1, 1, 0).y == 2.0f + 3 * 0.3125f);
    assert_true(hand_position(1, 1, 0).z == 3.0f);
    /* a field of 2 bits is less 1; sin(pi / 2) * sqrt(2 / 2) = 1, so one unit is one step of 0.5 */
    assert_true(hand_position(2, 1, 0).x == 1.0f + 4 * 0.3125f + 0.5f);
    assert_true(hand_position(3, 1, 0).x == 1.0f + 4 * 0.3125f + 1.0f);
    assert_true(hand_position(0, 1, 0).x == 1.0f + 4 * 0.3125f - 0.5f);
    assert_true(hand_position(3, 2, 0).x == 1.0f + 8 * 0.3125f);
    /* half-way between frames, and from the last to the first */
    assert_true(hand_position(1, 0, 32768).x == 1.0f + 2 * 0.3125f);
    assert_true(hand_position(1, 2, 32768).x == 1.0f + 4 * 0.3125f);
}

/* A bone that turns with four components, which are 0 in the middle of a block: 1 0 0 0 to -1 0 0 0. */
TEST(a_rotation_of_length_zero_comes_out_as_identity)
{
    static _Alignas(32) uint8_t memory[4096];
    hand_bits                   b = {{0}, 0};
    ember_lean_rig              rig;
    ember_lean_clip             clip;
    ember_transform             pose;
    hand_put(&b, 3, 16), hand_put(&b, 0, 16), hand_put(&b, 2, 8), hand_put(&b, 0, 8), hand_put(&b, 3, 8);
    hand_put(&b, 0, 7), hand_put(&b, 2, 5);
    hand_put(&b, 3, 2), hand_put(&b, 2, 5), hand_put(&b, 0, 1); /* x from -1 on */
    for (int k = 0; k < 3; k++)
        hand_put(&b, 0, 2), hand_put(&b, 0, 5), hand_put(&b, 0, 1);
    hand_align(&b);
    b.data[b.bit / 8 - 8 + 8] = 0;
    hand_put(&b, 2, 2), hand_align(&b); /* 1 */
    hand_put(&b, 0, 2), hand_align(&b); /* -1 */
    hand_put(&b, b.bit / 8 + 4, 32);
    b.bit += 64;
    assert_int_equal(ember_lean_rig_open(&rig, hand_rig, sizeof(hand_rig), NULL), EMBER_OK);
    /* the smallest min takes one bit */
    assert_int_equal(ember_lean_open(&clip, b.data, b.bit / 8, &rig, memory, sizeof(memory), NULL),
                     EMBER_E_MALFORMED);
    b = (hand_bits){{0}, 0};
    hand_put(&b, 3, 16), hand_put(&b, 0, 16), hand_put(&b, 2, 8), hand_put(&b, 0, 8), hand_put(&b, 3, 8);
    hand_put(&b, 0, 7), hand_put(&b, 1, 5);
    hand_put(&b, 1, 1), hand_put(&b, 2, 5), hand_put(&b, 0, 1);
    for (int k = 0; k < 3; k++)
        hand_put(&b, 0, 1), hand_put(&b, 0, 5), hand_put(&b, 0, 1);
    hand_align(&b);
    hand_put(&b, 2, 2), hand_align(&b);
    hand_put(&b, 0, 2), hand_align(&b);
    hand_put(&b, b.bit / 8 + 4, 32);
    b.bit += 64;
    assert_int_equal(ember_lean_open(&clip, b.data, b.bit / 8, &rig, memory, sizeof(memory), NULL), EMBER_OK);
    assert_int_equal(ember_lean_sample(&pose, 1, &clip, 0, 0), EMBER_OK);
    assert_true(pose.rotation.x == 1.0f && pose.rotation.w == 0.0f);
    assert_int_equal(ember_lean_sample(&pose, 1, &clip, 1, 0), EMBER_OK);
    assert_true(pose.rotation.x == 0.0f && pose.rotation.y == 0.0f && pose.rotation.z == 0.0f &&
                pose.rotation.w == 1.0f);
    assert_int_equal(ember_lean_sample(&pose, 1, &clip, 2, 0), EMBER_OK);
    assert_true(pose.rotation.x == -1.0f);
    /* the loop goes the near way: -1 and 1 are the same rotation */
    assert_int_equal(ember_lean_sample(&pose, 1, &clip, 2, 32768), EMBER_OK);
    assert_true(pose.rotation.x == -1.0f);
}

/* ---- cursors ---- */

static void check_cursor(lean_made_kind kind, uint32_t bones, uint32_t frames)
{
    lean_made         made;
    ember_lean_clip   clip;
    ember_lean_cursor cursor;
    test_random       random = {frames * 77 + 1};
    lean_made_make(&made, kind, bones, frames, 2, 1e-3f);
    void            *memory = lean_made_open(&clip, &made), *second = lean_made_cursor(&cursor, &clip);
    ember_transform *want = test_alloc(bones * sizeof(*want)), *have = test_alloc(bones * sizeof(*have));
    for (uint32_t i = 0; i < 400; i++) {
        /* in order, backwards, then anywhere */
        const uint32_t time = i < 150   ? i * 32768u
                              : i < 250 ? (250 - i) * 40000u
                                        : test_random_u32(&random) % (frames * 65536u);
        const uint32_t frame = (time >> 16) % frames, fraction = i % 5 == 0 ? 0 : time & 65535u;
        assert_int_equal(ember_lean_sample(want, bones, &clip, frame, fraction), EMBER_OK);
        memset(have, 0xcd, bones * sizeof(*have));
        assert_int_equal(ember_lean_cursor_sample(have, bones, &cursor, frame, fraction), EMBER_OK);
        assert_memory_equal(have, want, bones * sizeof(*have));
    }
    free(have);
    free(want);
    free(second);
    free(memory);
    lean_made_free(&made);
}

TEST(a_cursor_gives_the_same_bits_as_a_pose_from_nothing)
{
    for (int kind = 0; kind < LEAN_MADE_KINDS; kind++)
        check_cursor((lean_made_kind)kind, 19, 40);
    check_cursor(LEAN_MADE_SWAY, 9, 1);
    check_cursor(LEAN_MADE_SWAY, 9, 2);
    check_cursor(LEAN_MADE_SPIN, 1, 17);
}

/* Nlerp of two frames' poses, as ember/lean.h says of what lies between them. */
TEST(a_pose_between_frames_is_the_mix_of_both)
{
    lean_made       made;
    ember_lean_clip clip;
    ember_transform a[12], b[12], mixed[12], have[12];
    lean_made_make(&made, LEAN_MADE_SHEAR, 12, 40, 2, 1e-3f);
    void *memory = lean_made_open(&clip, &made);
    for (uint32_t f = 0; f < 40; f++) {
        assert_int_equal(ember_lean_sample(a, 12, &clip, f, 0), EMBER_OK);
        assert_int_equal(ember_lean_sample(b, 12, &clip, (f + 1) % 40, 0), EMBER_OK);
        const ember_lerp_job mix = {.out = mixed, .a = a, .b = b, .t = 0.25f, .bone_count = 12};
        assert_int_equal(ember_lerp_run(&mix), EMBER_OK);
        assert_int_equal(ember_lean_sample(have, 12, &clip, f, 16384), EMBER_OK);
        for (uint32_t bone = 0; bone < 12; bone++) {
            const float *p = &mixed[bone].rotation.x, *q = &have[bone].rotation.x;
            const float  sign = p[0] * q[0] + p[1] * q[1] + p[2] * q[2] + p[3] * q[3] < 0.0f ? -1.0f : 1.0f;
            for (int k = 0; k < 10; k++)
                assert_true(fabsf(p[k] - (k < 4 ? sign : 1.0f) * q[k]) < 2e-6f);
        }
    }
    free(memory);
    lean_made_free(&made);
}

/* Blocks are looked at when they are read: a damaged one keeps no other from being read. */
TEST(a_damaged_block_is_found_when_it_is_read)
{
    lean_made         made;
    ember_lean_clip   clip;
    ember_lean_cursor cursor;
    ember_transform   pose[4];
    ember_error       err = EMBER_ERROR_INIT;
    lean_made_make(&made, LEAN_MADE_SPIN, 4, 200, 2, 1e-3f);
    void              *memory = lean_made_open(&clip, &made);
    const lean_opened *opened = clip.parts;
    uint8_t *last = made.data + (opened->offsets - opened->data) + 4 * (size_t)opened->block_count - 4;
    emberi_put_u32(last, UINT32_MAX);
    free(memory);
    memory = lean_made_open(&clip, &made);
    void *second = lean_made_cursor(&cursor, &clip);
    assert_int_equal(ember_lean_sample(pose, 4, &clip, 0, 0), EMBER_OK);
    assert_int_equal(ember_lean_sample(pose, 4, &clip, 199, 0), EMBER_E_MALFORMED);
    assert_int_equal(ember_lean_cursor_sample(pose, 4, &cursor, 198, 1), EMBER_E_MALFORMED);
    assert_int_equal(ember_lean_cursor_sample(pose, 4, &cursor, 1, 1), EMBER_OK);
    assert_int_equal(ember_lean_check(&clip, &err), EMBER_E_MALFORMED);
    assert_true(err.frame > 150);
    free(second);
    free(memory);
    lean_made_free(&made);
}

/* ---- rules ---- */

TEST(sample_checks_every_rule)
{
    lean_made         made;
    ember_lean_clip   clip;
    ember_lean_cursor cursor;
    ember_transform   pose[4];
    lean_made_make(&made, LEAN_MADE_SWAY, 4, 10, 2, 1e-3f);
    void *memory = lean_made_open(&clip, &made), *second = lean_made_cursor(&cursor, &clip);
    assert_int_equal(ember_lean_sample(NULL, 4, &clip, 0, 0), EMBER_E_ARG);
    assert_int_equal(ember_lean_sample(pose, 3, &clip, 0, 0), EMBER_E_ARG);
    assert_int_equal(ember_lean_sample(pose, 4, &clip, 10, 0), EMBER_E_ARG);
    assert_int_equal(ember_lean_sample(pose, 4, &clip, 0, 65536), EMBER_E_ARG);
    assert_int_equal(ember_lean_sample(pose, 4, NULL, 0, 0), EMBER_E_ARG);
    assert_int_equal(ember_lean_cursor_sample(pose, 3, &cursor, 0, 0), EMBER_E_ARG);
    assert_int_equal(ember_lean_cursor_sample(pose, 4, &cursor, 10, 0), EMBER_E_ARG);
    assert_int_equal(ember_lean_cursor_sample(pose, 4, NULL, 0, 0), EMBER_E_ARG);
    assert_int_equal(ember_lean_cursor_init(&cursor, &clip, second, ember_lean_cursor_size(&clip) - 1),
                     EMBER_E_SPACE);
    assert_int_equal(ember_lean_cursor_init(&cursor, &clip, (uint8_t *)second + 1,
                                            ember_lean_cursor_size(&clip)),
                     EMBER_E_SPACE);
    assert_int_equal(ember_lean_cursor_init(&cursor, NULL, second, 0), EMBER_E_ARG);
    const size_t size = ember_lean_open_size(made.data, made.size, &made.rig);
    assert_int_equal(ember_lean_open(&clip, made.data, made.size, &made.rig, memory, size - 1, NULL),
                     EMBER_E_SPACE);
    assert_int_equal(ember_lean_open(&clip, made.data, made.size, &made.rig, (uint8_t *)memory + 4, size,
                                     NULL),
                     EMBER_E_SPACE);
    assert_int_equal(ember_lean_open(&clip, made.data, made.size, NULL, memory, size, NULL), EMBER_E_ARG);
    free(second);
    free(memory);
    lean_made_free(&made);
}

/* ---- rigs ---- */

static ember_status open_spoiled(size_t at, uint8_t value, size_t size)
{
    uint8_t        data[sizeof(hand_rig) + 1] = {0};
    ember_lean_rig rig;
    ember_error    err = EMBER_ERROR_INIT;
    memcpy(data, hand_rig, sizeof(hand_rig));
    data[at] = value;
    uint8_t           *exact = test_exact_copy(data, size);
    const ember_status status = ember_lean_rig_open(&rig, exact, size, &err);
    free(exact);
    assert_int_equal(err.status, status);
    return status;
}

TEST(rig_open_rejects_what_is_no_rig)
{
    assert_int_equal(open_spoiled(0, 1, sizeof(hand_rig)), EMBER_OK);
    assert_int_equal(open_spoiled(0, 2, sizeof(hand_rig)), EMBER_E_VERSION);
    assert_int_equal(open_spoiled(1, 0, sizeof(hand_rig)), EMBER_E_MALFORMED);
    assert_int_equal(open_spoiled(1, 2, sizeof(hand_rig)), EMBER_E_TRUNCATED);
    assert_int_equal(open_spoiled(2, 1, sizeof(hand_rig)), EMBER_E_TRUNCATED);
    assert_int_equal(open_spoiled(2, 2, sizeof(hand_rig)), EMBER_E_MALFORMED);
    assert_int_equal(open_spoiled(3, 33, sizeof(hand_rig)), EMBER_E_MALFORMED);
    assert_int_equal(open_spoiled(7, 0xbf, sizeof(hand_rig)), EMBER_E_MALFORMED); /* a negative shell */
    assert_int_equal(open_spoiled(9, 0x80, sizeof(hand_rig)), EMBER_E_MALFORMED); /* -32768 */
    assert_int_equal(open_spoiled(31, 0xff, sizeof(hand_rig)), EMBER_OK);
    assert_int_equal(open_spoiled(0, 1, sizeof(hand_rig) + 1), EMBER_E_MALFORMED);
    for (size_t size = 0; size < sizeof(hand_rig); size++)
        assert_int_equal(open_spoiled(0, 1, size), EMBER_E_TRUNCATED);
}

TEST(a_rig_remembers_what_most_clips_hold)
{
    ember_transform              frames[3][2];
    const ember_transform *const clips[3] = {frames[0], frames[1], frames[2]};
    const uint32_t               counts[3] = {2, 2, 2};
    ember_arena                  arena = ember_arena_growing(ember_heap(), 0);
    uint8_t                      out[64];
    ember_lean_rig               rig;
    for (int c = 0; c < 3; c++)
        for (int f = 0; f < 2; f++)
            frames[c][f] =
                (ember_transform){c == 0 ? (ember_quat){1, 0, 0, 0} : (ember_quat){0, 0.6f, 0, 0.8f},
                                  {c == 2 ? 7.0f : 5.0f, 0, 0},
                                  {2, 1, -1}};
    ember_lean_rig_job job = {.out = out,
                              .out_capacity = sizeof(out),
                              .clips = clips,
                              .frame_counts = counts,
                              .clip_count = 3,
                              .bone_count = 1,
                              .shell = 0.03f};
    assert_int_equal(ember_lean_rig_make(&job, &arena, NULL), EMBER_OK);
    assert_int_equal(job.out_size, 8 + 36);
    assert_int_equal(ember_lean_rig_open(&rig, out, job.out_size, NULL), EMBER_OK);
    assert_int_equal(rig.unit, 3); /* 7 is below 2^3 */
    const ember_transform rest = ember_lean_rig_rest(&rig, 0);
    assert_true(fabsf(rest.rotation.y - 0.6f) < 1e-4f && fabsf(rest.rotation.w - 0.8f) < 1e-4f);
    assert_true(rest.position.x == 5.0f && rest.scale.x == 2.0f && rest.scale.z == -1.0f);
    frames[1][1].scale.y = NAN;
    ember_error err = EMBER_ERROR_INIT;
    assert_int_equal(ember_lean_rig_make(&job, &arena, &err), EMBER_E_RANGE);
    assert_int_equal(err.clip, 1);
    assert_int_equal(err.frame, 1);
    assert_int_equal(err.bone, 0);
    job.out_capacity = ember_lean_rig_bound(1) - 1;
    assert_int_equal(ember_lean_rig_make(&job, &arena, NULL), EMBER_E_ARG);
    job = (ember_lean_rig_job){.out = out, .out_capacity = sizeof(out), .bone_count = 1};
    assert_int_equal(ember_lean_rig_make(&job, &arena, NULL), EMBER_E_ARG); /* no frame and no rest */
    job.rest = &ember_transform_identity;
    assert_int_equal(ember_lean_rig_make(&job, &arena, NULL), EMBER_OK);
    assert_int_equal(job.out_size, 8 + 24);
    ember_arena_free(&arena);
}
