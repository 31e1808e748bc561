/* SPDX-License-Identifier: MIT */
/* All kernels of lean clips give the same bits, from nothing and by a cursor; and the tables hold what their
   formulas say. Covers: lean_isa.c, lean_scalar.c, lean_sse2.c, lean_avx2.c, lean_bmi2.c, lean_neon.c,
   lean_wasm.c, lean_tables.c. */
#define _POSIX_C_SOURCE 200809L /* posix_memalign */
#include "lean_made.h"

#include "squeeze/lean/lean_kernels.h"

static const uint32_t fractions[] = {0, 1, 21845, 49807, 65535};

/* A pose by a set's cursor functions: both frames unpacked and mixed. */
static void pose_by_parts(ember_transform *out, const lean_kernels *kernels, const ember_lean_clip *clip,
                          uint32_t frame, uint32_t fraction)
{
    const lean_opened *opened = clip->parts;
    const uint32_t     next = fraction == 0 ? frame : (frame + 1) % clip->frame_count;
    const size_t       floats = (opened->group_count + 1) * 64;
    float             *memory = NULL;
    int16_t           *series = NULL;
    assert_int_equal(posix_memalign((void **)&memory, 32, floats * 3 * sizeof(float)), 0);
    assert_int_equal(posix_memalign((void **)&series, 32, (opened->slot_count + 1) * 32), 0);
    for (uint32_t i = 0; i < 2; i++) {
        lean_place place;
        assert_true(emberi_lean_locate(&place, clip, i == 0 ? frame : next, 0));
        kernels->unpack(series, memory, opened, &place);
        kernels->frame(memory + (1 + i) * floats, opened, series, memory, &place);
    }
    kernels->mix(out, opened, memory + floats, memory + 2 * floats, (float)fraction / 65536.0f, next < frame,
                 clip->bone_count);
    free(series);
    free(memory);
}

static void check_sets(lean_made_kind kind, uint32_t bones, uint32_t frames)
{
    lean_made       made;
    ember_lean_clip clip;
    lean_made_make(&made, kind, bones, frames, 2, 1e-3f);
    void            *memory = lean_made_open(&clip, &made);
    ember_transform *want = test_alloc(bones * sizeof(*want)), *have = test_alloc(bones * sizeof(*have));
    for (uint32_t f = 0; f < frames; f++)
        for (size_t i = 0; i < sizeof(fractions) / sizeof(fractions[0]); i++) {
            lean_place  place;
            const float t = (float)fractions[i] / 65536.0f;
            assert_true(emberi_lean_locate(&place, &clip, f, fractions[i]));
            emberi_lean_scalar.pose(want, clip.parts, &place, t, bones);
            const lean_kernels *kernels;
            for (uint32_t k = 0; (kernels = emberi_lean_kernels_at(k)) != NULL; k++) {
                memset(have, 0xcd, bones * sizeof(*have));
                kernels->pose(have, clip.parts, &place, t, bones);
                assert_memory_equal(have, want, bones * sizeof(*have));
                memset(have, 0xcd, bones * sizeof(*have));
                pose_by_parts(have, kernels, &clip, f, fractions[i]);
                assert_memory_equal(have, want, bones * sizeof(*have));
            }
        }
    free(have);
    free(want);
    free(memory);
    lean_made_free(&made);
}

TEST(all_sets_give_the_same_bits)
{
    for (int kind = 0; kind < LEAN_MADE_KINDS; kind++)
        check_sets((lean_made_kind)kind, 21, 35);
    for (uint32_t bones = 1; bones <= 17; bones++)
        check_sets(LEAN_MADE_NOISE, bones, 4);
    check_sets(LEAN_MADE_SWAY, 255, 18);
}

TEST(the_set_in_use_is_one_of_those_that_run)
{
    bool found = false;
    for (uint32_t i = 0; emberi_lean_kernels_at(i) != NULL; i++)
        found = found || emberi_lean_kernels_at(i) == emberi_lean_kernels_used();
    assert_true(found);
    assert_ptr_equal(emberi_lean_kernels_at(0), &emberi_lean_scalar);
    assert_null(emberi_lean_kernels_at(100));
}

TEST(sines_and_norms_are_what_their_formulas_say)
{
    for (int n = 1; n <= 16; n++) {
        assert_true(emberi_lean_norms[n] == (float)(sqrt(2.0 / n) / 16384.0));
        for (int f = 0; f <= n; f++)
            for (int j = 1; j <= 16; j++)
                assert_int_equal(emberi_lean_sines[n][f][j - 1],
                                 j < n ? (int)lround(16384.0 * sin(3.14159265358979323846 * j * f / n)) : 0);
    }
}

TEST(templates_have_room_for_their_fields)
{
    for (uint32_t i = 0; i < LEAN_TEMPLATES; i++) {
        const lean_template *t = &emberi_lean_templates[i];
        uint32_t             bits = 0;
        for (uint32_t j = 0; j < 16; j++) {
            const uint32_t width = t->code[j] & 31u, shift = t->code[j] >> 5;
            assert_int_equal(j % 4 == 0 ? t->start[j / 4] : bits, bits);
            bits += width;
            assert_true(width + shift <= 16);
            assert_int_equal(t->mask[j / 4] >> (16 * (j % 4)) & 0xffffu, ((1u << width) - 1u) << shift);
            assert_int_equal(t->bias[j], width == 0 ? 0 : ((1 << (width - 1)) - 1) << shift);
            assert_true(bits - t->start[j / 4] <= 56);
        }
        assert_int_equal(t->bits, bits);
    }
    assert_int_equal(emberi_lean_templates[0].bits, 0);
}

TEST(steps_fall_by_a_quarter_of_an_octave)
{
    for (uint32_t i = 0; i < LEAN_STEPS; i++)
        for (int32_t unit = -32; unit <= 32; unit += 8) {
            const double exact = pow(2.0, unit - (double)i / 4.0);
            assert_true(fabs((double)lean_step(i, unit) - exact) < exact * 1e-7);
        }
}
