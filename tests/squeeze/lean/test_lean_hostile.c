/* SPDX-License-Identifier: MIT */
/* Damaged lean clips: cut at every length, with every byte changed, with many bytes changed. Each lies in a
   block of exactly its size, so that the sanitizers see the first byte read outside; whatever is read, it
   ends with an error or with finite numbers, and rotations have length 1. */
#define _POSIX_C_SOURCE 200809L /* posix_memalign */
#include "lean_made.h"

#include "squeeze/lean/lean_kernels.h"

static void check_pose(const ember_transform *pose, uint32_t bones)
{
    bool sound = true;
    for (uint32_t bone = 0; bone < bones; bone++) {
        const float *p = &pose[bone].rotation.x;
        for (int k = 0; k < 10; k++)
            sound = sound && p[k] - p[k] == 0.0f;
        sound = sound && fabsf(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3] - 1.0f) < 1e-4f;
    }
    assert_true(sound);
}

/* The same by all sets of kernels. */
static void check_sets(const ember_transform *want, const ember_lean_clip *clip, uint32_t frame,
                       uint32_t fraction)
{
    ember_transform have[8];
    lean_place      place;
    assert_true(emberi_lean_locate(&place, clip, frame, fraction));
    for (uint32_t i = 0; emberi_lean_kernels_at(i) != NULL; i++) {
        emberi_lean_kernels_at(i)->pose(have, clip->parts, &place, (float)fraction / 65536.0f,
                                        clip->bone_count);
        assert_true(memcmp(have, want, clip->bone_count * sizeof(*have)) == 0);
    }
}

/* Reads some frames, from nothing and by a cursor; how many failed, or UINT32_MAX if it does not open. */
static uint32_t read_all(const uint8_t *data, size_t size, const ember_lean_rig *rig, uint32_t every)
{
    uint8_t        *exact = test_exact_copy(data, size);
    const size_t    needed = ember_lean_open_size(exact, size, rig);
    void           *memory = NULL;
    ember_lean_clip clip;
    ember_error     err = EMBER_ERROR_INIT;
    ember_transform pose[8], again[8];
    uint32_t        failed = 0;
    assert_true(rig->bone_count <= 8);
    assert_int_equal(posix_memalign(&memory, 32, needed), 0);
    const ember_status status = ember_lean_open(&clip, exact, size, rig, memory, needed, &err);
    if (status != EMBER_OK) {
        assert_int_equal(err.status, status);
        assert_true(err.text[0] != '\0');
        failed = UINT32_MAX;
    } else {
        ember_lean_cursor cursor;
        void             *second = lean_made_cursor(&cursor, &clip);
        for (uint32_t frame = 0; frame < clip.frame_count && frame < 120; frame += every) {
            const uint32_t     fraction = frame % 3 * 20000;
            const ember_status one = ember_lean_sample(pose, 8, &clip, frame, fraction),
                               two = ember_lean_cursor_sample(again, 8, &cursor, frame, fraction);
            assert_true(one == EMBER_OK || one == EMBER_E_MALFORMED);
            if (one == EMBER_OK && two == EMBER_OK)
                assert_true(memcmp(pose, again, clip.bone_count * sizeof(*pose)) == 0);
            if (one == EMBER_OK) {
                check_pose(pose, clip.bone_count);
                if (clip.frame_count > 1 && frame % 21 == 0)
                    check_sets(pose, &clip, frame, fraction);
            }
            failed += one != EMBER_OK;
        }
        assert_true(failed == 0 || ember_lean_check(&clip, NULL) == EMBER_E_MALFORMED);
        free(second);
    }
    free(memory);
    free(exact);
    return failed;
}

static const struct {
    lean_made_kind kind;
    uint32_t       bones, frames;
} cases[] = {{LEAN_MADE_SWAY, 5, 12}, {LEAN_MADE_NOISE, 3, 40}, {LEAN_MADE_SHEAR, 4, 70},
             {LEAN_MADE_SPIN, 2, 33}, {LEAN_MADE_STILL, 4, 3},  {LEAN_MADE_SWAY, 1, 1},
             {LEAN_MADE_NOISE, 1, 2}, {LEAN_MADE_STEPS, 8, 20}};
#define CASES (sizeof(cases) / sizeof(cases[0]))

TEST(a_clip_cut_at_any_length_fails)
{
    for (size_t c = 0; c < CASES; c++) {
        lean_made made;
        lean_made_make(&made, cases[c].kind, cases[c].bones, cases[c].frames, 2, 2e-3f);
        assert_int_equal(read_all(made.data, made.size, &made.rig, 1), 0);
        for (size_t size = 0; size < made.size; size++)
            assert_true(read_all(made.data, size, &made.rig, 1) != 0);
        lean_made_free(&made);
    }
}

TEST(a_byte_more_fails)
{
    for (size_t c = 0; c < CASES; c++) {
        lean_made made;
        lean_made_make(&made, cases[c].kind, cases[c].bones, cases[c].frames, 2, 2e-3f);
        uint8_t *longer = test_alloc(made.size + 1);
        memcpy(longer, made.data, made.size);
        longer[made.size] = 0;
        assert_true(read_all(longer, made.size + 1, &made.rig, 1) != 0);
        free(longer);
        lean_made_free(&made);
    }
}

TEST(any_byte_may_be_changed_to_anything)
{
    lean_made made;
    lean_made_make(&made, LEAN_MADE_NOISE, 2, 5, 2, 2e-2f);
    for (size_t at = 0; at < made.size; at++) {
        const uint8_t before = made.data[at];
        for (uint32_t value = 0; value < 256; value++) {
            made.data[at] = (uint8_t)value;
            (void)read_all(made.data, made.size, &made.rig, 1);
        }
        made.data[at] = before;
    }
    lean_made_free(&made);
}

TEST(any_bit_may_be_flipped)
{
    for (size_t c = 0; c < CASES; c++) {
        lean_made made;
        lean_made_make(&made, cases[c].kind, cases[c].bones, cases[c].frames, 2, 2e-3f);
        for (size_t bit = 0; bit < made.size * 8; bit++) {
            made.data[bit / 8] ^= (uint8_t)(1u << bit % 8);
            (void)read_all(made.data, made.size, &made.rig, 5);
            made.data[bit / 8] ^= (uint8_t)(1u << bit % 8);
        }
        lean_made_free(&made);
    }
}

TEST(a_hundred_thousand_damaged_clips_do_no_harm)
{
    test_random random = {4711};
    uint32_t    opened = 0;
    for (uint32_t c = 0; c < 4; c++) {
        lean_made made;
        lean_made_make(&made, cases[c].kind, cases[c].bones, cases[c].frames, 2, 2e-3f);
        uint8_t *damaged = test_alloc(made.size);
        for (uint32_t i = 0; i < 25000; i++) {
            const uint32_t count = 1 + test_random_u32(&random) % 6;
            memcpy(damaged, made.data, made.size);
            for (uint32_t k = 0; k < count; k++) {
                /* most of them near the front, where the header is */
                const uint32_t range = test_random_u32(&random) % 2 != 0 ? (uint32_t)made.size : 40;
                damaged[test_random_u32(&random) % range % made.size] ^=
                    (uint8_t)(test_random_u32(&random) >> 24);
            }
            opened += read_all(damaged, made.size, &made.rig, 7) != UINT32_MAX;
        }
        free(damaged);
        lean_made_free(&made);
    }
    assert_true(opened > 1000);
}

/* ---- one clip, one form ---- */

/* A clip with spare bits behind header, keys and blocks, each of which has to be 0. */
TEST(spare_bits_and_padding_are_zero)
{
    lean_made made;
    uint32_t  found = 0;
    lean_made_make(&made, LEAN_MADE_SWAY, 5, 40, 2, 2e-3f);
    /* a bit that changes nothing that is decoded must not be free to change */
    ember_lean_clip clip;
    void           *memory = lean_made_open(&clip, &made);
    ember_transform want[40][5], have[5];
    for (uint32_t f = 0; f < 40; f++)
        assert_int_equal(ember_lean_sample(want[f], 5, &clip, f, 0), EMBER_OK);
    free(memory);
    for (size_t bit = 32; bit < made.size * 8; bit++) {
        made.data[bit / 8] ^= (uint8_t)(1u << bit % 8);
        const size_t size = ember_lean_open_size(made.data, made.size, &made.rig);
        assert_int_equal(posix_memalign(&memory, 32, size), 0);
        bool same = ember_lean_open(&clip, made.data, made.size, &made.rig, memory, size, NULL) == EMBER_OK &&
                    clip.frame_count == 40;
        for (uint32_t f = 0; f < 40 && same; f++)
            same = ember_lean_sample(have, 5, &clip, f, 0) == EMBER_OK &&
                   memcmp(have, want[f], sizeof(have)) == 0;
        found += same;
        free(memory);
        made.data[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
    /* what is left are bits of numbers that do not matter in float precision */
    assert_true(found <= made.size * 8 / 100);
    lean_made_free(&made);
}
