/* SPDX-License-Identifier: MIT */
/* Every set of kernels that runs here gives the bits of the scalar one: for all counts up to 100, in place
   and out of place, with ordinary, tiny and huge numbers, at odd addresses, and without touching a byte that
   is not theirs.
   Covers: kern_avx2.c, kern_neon.c, kern_scalar.c, kern_sse2.c, kern_wasm.c, kernels_unorm8.c. */
#include "pose/poses.h"

#include "pose/kernels/kernels.h"

#define MOST 100
#define GUARD 64
#define GUARD_BYTE 0xa5

/* ---- blocks of memory ---- */

/* A copy that ends where its block ends, so that a sanitizer sees the first byte read beyond; `shift` spoils
   the alignment. */
typedef struct block {
    uint8_t *memory;
    void    *data;
} block;

static block block_copy(const void *data, size_t size, size_t shift)
{
    block b;
    b.memory = test_alloc(size + shift);
    b.data = b.memory + shift;
    memcpy(b.data, data, size);
    return b;
}

/* Something to write to, with guards on both sides. */
static block block_guarded(size_t size, size_t shift)
{
    block b;
    b.memory = test_alloc(GUARD + shift + size + GUARD);
    memset(b.memory, GUARD_BYTE, GUARD + shift + size + GUARD);
    b.data = b.memory + GUARD + shift;
    return b;
}

static void block_check_guards(const block *b, size_t size, const char *what)
{
    const uint8_t *data = b->data;
    for (size_t i = 0; i < GUARD; i++)
        if (data[-1 - (ptrdiff_t)i] != GUARD_BYTE || data[size + i] != GUARD_BYTE)
            fail_msg("%s wrote outside of its output, near byte %zu", what, i);
}

/* Equal bits; which NaN it is may differ where infinities were on the way, as that is the
   processor's choice. */
static void check_equal(const void *expected, const void *got, size_t size, test_kind kind, const char *what,
                        const char *isa, size_t count)
{
    if (memcmp(expected, got, size) == 0)
        return;
    for (size_t i = 0; i < size / 4; i++) {
        uint32_t a, b;
        memcpy(&a, (const uint8_t *)expected + 4 * i, 4);
        memcpy(&b, (const uint8_t *)got + 4 * i, 4);
        if (a != b && !(kind == TEST_HUGE && test_is_nan(a) && test_is_nan(b)))
            fail_msg("%s on %s, %zu bones, numbers of kind %d: float %zu is %08x, scalar has %08x", what, isa,
                     count, (int)kind, i, b, a);
    }
}

/* ---- what goes into the kernels ---- */

typedef struct inputs {
    ember_transform a[MOST], b[MOST], c[MOST], d[MOST], rest[MOST];
    uint8_t         frame[MOST * 16], next[MOST * 16];
    float           weights[MOST], mask[MOST], other_mask[MOST];
    ember_mat34     model[MOST], binds[MOST];
    int16_t         parents[MOST];
    ember_rig_step  rig_memory[2 * MOST]; /* begins with the steps */
    uint32_t        step_count;
    float           t;
} inputs;

static void inputs_fill(inputs *in, test_random *r, test_kind kind, size_t count)
{
    test_pose(r, kind, in->a, MOST);
    test_pose(r, kind, in->b, MOST);
    test_pose(r, kind, in->c, MOST);
    test_pose(r, kind, in->d, MOST);
    test_pose(r, kind, in->rest, MOST);
    test_frame(r, kind, in->frame, MOST);
    test_frame(r, kind, in->next, MOST);
    for (size_t i = 0; i < MOST; i++) {
        uint32_t dice = test_random_u32(r);
        in->weights[i] = dice % 5 == 0 ? (float)(dice / 5 % 2) : test_random_float(r, 0.0f, 1.0f);
        in->mask[i] = dice % 3 == 0 ? 0.0f : test_random_float(r, 0.0f, 2.0f);
        in->other_mask[i] = dice % 2 == 0 ? 0.0f : 1.0f;
    }
    test_numbers(r, kind, in->model[0].m, MOST * 12, -1.0f, 1.0f);
    test_numbers(r, kind, in->binds[0].m, MOST * 12, -1.0f, 1.0f);
    test_parents(r, in->parents, MOST);
    ember_rig rig;
    assert_int_equal(ember_rig_make(&rig, in->parents, (uint32_t)count, in->rig_memory,
                                    sizeof(in->rig_memory)),
                     EMBER_OK);
    assert_ptr_equal(rig.steps, in->rig_memory);
    in->step_count = rig.bone_count - rig.root_count;
    uint32_t dice = test_random_u32(r) % 7;
    in->t = dice == 0 ? 0.0f : dice == 1 ? 1.0f : test_random_float(r, 0.0f, 1.0f);
}

/* The same as exact blocks of `count` elements. */
typedef struct exact {
    block  a, b, c, d, rest, frame, next, weights, mask, other_mask, model, binds, parents, steps;
    size_t step_count;
    float  t;
} exact;

static exact exact_make(const inputs *in, size_t count, size_t shift)
{
    exact e;
    e.a = block_copy(in->a, count * sizeof(*in->a), shift);
    e.b = block_copy(in->b, count * sizeof(*in->b), shift);
    e.c = block_copy(in->c, count * sizeof(*in->c), shift);
    e.d = block_copy(in->d, count * sizeof(*in->d), shift);
    e.rest = block_copy(in->rest, count * sizeof(*in->rest), shift);
    e.frame = block_copy(in->frame, count * 16, shift / 4); /* bytes: any address */
    e.next = block_copy(in->next, count * 16, shift / 4);
    e.weights = block_copy(in->weights, count * 4, shift);
    e.mask = block_copy(in->mask, count * 4, shift);
    e.other_mask = block_copy(in->other_mask, count * 4, shift);
    e.model = block_copy(in->model, count * sizeof(*in->model), shift);
    e.binds = block_copy(in->binds, count * sizeof(*in->binds), shift);
    e.parents = block_copy(in->parents, count * 2, shift);
    e.steps = block_copy(in->rig_memory, in->step_count * sizeof(ember_rig_step), shift);
    e.step_count = in->step_count;
    e.t = in->t;
    return e;
}

static void exact_free(exact *e)
{
    block *all[] = {&e->a,       &e->b,    &e->c,          &e->d,     &e->rest,  &e->frame,   &e->next,
                    &e->weights, &e->mask, &e->other_mask, &e->model, &e->binds, &e->parents, &e->steps};
    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
        free(all[i]->memory);
}

/* ---- the kernels, all in one shape ---- */

typedef void (*run_function)(const emberi_kernels *k, void *out, exact *e, size_t n);

static void run_decode(const emberi_kernels *k, void *out, exact *e, size_t n)
{
    k->decode(out, e->frame.data, n);
}
static void run_decode_lerp(const emberi_kernels *k, void *out, exact *e, size_t n)
{
    k->decode_lerp(out, e->frame.data, e->next.data, e->t, n);
}
static void run_lerp(const emberi_kernels *k, void *out, exact *e, size_t n)
{
    k->lerp(out, e->a.data, e->b.data, e->t, n);
}
static void run_lerp_each(const emberi_kernels *k, void *out, exact *e, size_t n)
{
    k->lerp_each(out, e->a.data, e->b.data, e->weights.data, n);
}
static void run_slerp(const emberi_kernels *k, void *out, exact *e, size_t n)
{
    k->slerp(out, e->a.data, e->b.data, e->t, n);
}
static void run_slerp_each(const emberi_kernels *k, void *out, exact *e, size_t n)
{
    k->slerp_each(out, e->a.data, e->b.data, e->weights.data, n);
}

static void run_blend(const emberi_kernels *k, void *out, exact *e, size_t n)
{
    const ember_blend_layer layers[5] = {{e->c.data, 0.0f, NULL},
                                         {e->a.data, 0.5f, NULL},
                                         {e->b.data, 0.25f, NULL},
                                         {e->c.data, 0.0f, NULL},
                                         {e->d.data, 1.5f, NULL}};
    k->blend(out, layers, 5, 2.25f, n);
}

static void run_blend_one(const emberi_kernels *k, void *out, exact *e, size_t n)
{
    const ember_blend_layer layer = {e->a.data, 0.3f, NULL};
    k->blend(out, &layer, 1, 0.3f, n);
}

/* Few layers have kernels of their own, by their number. */
static void run_blend_of(const emberi_kernels *k, void *out, exact *e, size_t n, size_t layer_count,
                         bool masked)
{
    const float            *masks = masked ? e->mask.data : NULL;
    const ember_blend_layer layers[5] = {{e->a.data, 0.5f, masks},
                                         {e->b.data, 0.25f, NULL},
                                         {e->c.data, 1.5f, masks},
                                         {e->d.data, 0.125f, masks},
                                         {e->rest.data, 0.75f, NULL}};
    float                   total = 0.0f;
    for (size_t i = 0; i < layer_count; i++)
        total += layers[i].weight;
    if (masked)
        k->blend_masked(out, layers, layer_count, e->rest.data, n);
    else
        k->blend(out, layers, layer_count, total, n);
}

static void run_blend_2(const emberi_kernels *k, void *out, exact *e, size_t n)
{
    run_blend_of(k, out, e, n, 2, false);
}
static void run_blend_3(const emberi_kernels *k, void *out, exact *e, size_t n)
{
    run_blend_of(k, out, e, n, 3, false);
}
static void run_blend_4(const emberi_kernels *k, void *out, exact *e, size_t n)
{
    run_blend_of(k, out, e, n, 4, false);
}
static void run_blend_5(const emberi_kernels *k, void *out, exact *e, size_t n)
{
    run_blend_of(k, out, e, n, 5, false);
}
static void run_blend_masked_2(const emberi_kernels *k, void *out, exact *e, size_t n)
{
    run_blend_of(k, out, e, n, 2, true);
}
static void run_blend_masked_4(const emberi_kernels *k, void *out, exact *e, size_t n)
{
    run_blend_of(k, out, e, n, 4, true);
}
static void run_blend_masked_5(const emberi_kernels *k, void *out, exact *e, size_t n)
{
    run_blend_of(k, out, e, n, 5, true);
}

static void run_blend_masked(const emberi_kernels *k, void *out, exact *e, size_t n)
{
    const ember_blend_layer layers[3] = {{e->a.data, 0.5f, e->mask.data},
                                         {e->b.data, 0.0f, NULL},
                                         {e->c.data, 0.75f, e->other_mask.data}};
    k->blend_masked(out, layers, 3, e->rest.data, n);
}

static void run_additive_make(const emberi_kernels *k, void *out, exact *e, size_t n)
{
    k->additive_make(out, e->a.data, e->b.data, n);
}
static void run_additive(const emberi_kernels *k, void *out, exact *e, size_t n)
{
    k->additive(out, e->a.data, e->b.data, 2.0f * e->t - 0.5f, n);
}
static void run_additive_masked(const emberi_kernels *k, void *out, exact *e, size_t n)
{
    k->additive_masked(out, e->a.data, e->b.data, e->t, e->mask.data, n);
}
static void run_matrices(const emberi_kernels *k, void *out, exact *e, size_t n)
{
    k->matrices(out, e->a.data, n);
}
static void run_compose(const emberi_kernels *k, void *out, exact *e, size_t n)
{
    memcpy(out, e->model.data, n * sizeof(ember_mat34));
    k->compose(out, e->parents.data, n);
}
static void run_compose_steps(const emberi_kernels *k, void *out, exact *e, size_t n)
{
    memcpy(out, e->model.data, n * sizeof(ember_mat34));
    k->compose_steps(out, e->steps.data, e->step_count);
}
static void run_palette_rows(const emberi_kernels *k, void *out, exact *e, size_t n)
{
    k->palette(out, NULL, e->model.data, e->binds.data, n);
}
static void run_palette_columns(const emberi_kernels *k, void *out, exact *e, size_t n)
{
    k->palette(NULL, out, e->model.data, e->binds.data, n);
}
static void run_palette_both(const emberi_kernels *k, void *out, exact *e, size_t n)
{
    k->palette(out, (ember_mat44 *)(void *)((ember_mat34 *)out + n), e->model.data, e->binds.data, n);
}
static void run_columns(const emberi_kernels *k, void *out, exact *e, size_t n)
{
    k->columns(out, e->model.data, n);
}

static const struct {
    const char  *name;
    run_function run;
    size_t       size; /* of the output, per bone */
    /* inputs of the same type: where their blocks are in `exact`, plus 1; 0 ends the list */
    size_t       aliases[4];
} cases[] = {
#define ALIAS(field) (offsetof(exact, field) + 1)
    {"decode", run_decode, 40, {0}},
    {"decode_lerp", run_decode_lerp, 40, {0}},
    {"lerp", run_lerp, 40, {ALIAS(a), ALIAS(b)}},
    {"lerp_each", run_lerp_each, 40, {ALIAS(a), ALIAS(b)}},
    {"slerp", run_slerp, 40, {ALIAS(a), ALIAS(b)}},
    {"slerp_each", run_slerp_each, 40, {ALIAS(a), ALIAS(b)}},
    {"blend", run_blend, 40, {ALIAS(a), ALIAS(b), ALIAS(d)}},
    {"blend of one", run_blend_one, 40, {ALIAS(a)}},
    {"blend_masked", run_blend_masked, 40, {ALIAS(a), ALIAS(c), ALIAS(rest)}},
    {"blend of two", run_blend_2, 40, {ALIAS(a), ALIAS(b)}},
    {"blend of three", run_blend_3, 40, {ALIAS(a), ALIAS(b), ALIAS(c)}},
    {"blend of four", run_blend_4, 40, {ALIAS(a), ALIAS(b), ALIAS(c), ALIAS(d)}},
    {"blend of five", run_blend_5, 40, {ALIAS(a), ALIAS(b), ALIAS(d), ALIAS(rest)}},
    {"blend of two, masked", run_blend_masked_2, 40, {ALIAS(a), ALIAS(b), ALIAS(rest)}},
    {"blend of four, masked", run_blend_masked_4, 40, {ALIAS(a), ALIAS(c), ALIAS(d), ALIAS(rest)}},
    {"blend of five, masked", run_blend_masked_5, 40, {ALIAS(a), ALIAS(b), ALIAS(d), ALIAS(rest)}},
    {"additive_make", run_additive_make, 40, {ALIAS(a), ALIAS(b)}},
    {"additive", run_additive, 40, {ALIAS(a), ALIAS(b)}},
    {"additive_masked", run_additive_masked, 40, {ALIAS(a), ALIAS(b)}},
    {"matrices", run_matrices, 48, {0}},
    {"compose", run_compose, 48, {0}},
    {"compose_steps", run_compose_steps, 48, {0}},
    {"palette to rows", run_palette_rows, 48, {ALIAS(model), ALIAS(binds)}},
    {"palette to columns", run_palette_columns, 64, {0}},
    {"palette to both", run_palette_both, 112, {0}},
    {"columns", run_columns, 64, {0}},
};

#define CASE_COUNT (sizeof(cases) / sizeof(*cases))

/* ---- comparing ---- */

static void check_case(size_t which, const emberi_kernels *other, const inputs *in, test_kind kind,
                       size_t count, size_t shift)
{
    const char  *isa = ember_isa_name(other->isa), *name = cases[which].name;
    const size_t size = count * cases[which].size;
    block        expected = block_guarded(size, 0), got = block_guarded(size, shift);
    exact        e = exact_make(in, count, shift);
    cases[which].run(&emberi_kernels_scalar, expected.data, &e, count);
    cases[which].run(other, got.data, &e, count);
    check_equal(expected.data, got.data, size, kind, name, isa, count);
    block_check_guards(&expected, size, name);
    block_check_guards(&got, size, name);
    free(got.memory);
    for (size_t i = 0; i < 4 && cases[which].aliases[i] != 0; i++) {
        exact fresh = exact_make(in, count, shift);
        block alias = *(block *)(void *)((uint8_t *)&fresh + cases[which].aliases[i] - 1);
        cases[which].run(other, alias.data, &fresh, count);
        check_equal(expected.data, alias.data, size, kind, name, "(in place)", count);
        exact_free(&fresh);
    }
    exact_free(&e);
    free(expected.memory);
}

static void check_isa(ember_isa isa)
{
    static inputs         in;
    test_random           r = {12345};
    const emberi_kernels *other = emberi_kernels_for(isa);
    if (other == NULL) {
        print_message("%s does not run here\n", ember_isa_name(isa));
        skip();
    }
    assert_int_equal(other->isa, isa);
    for (size_t count = 1; count <= MOST; count++)
        for (int kind = 0; kind < TEST_KIND_COUNT; kind++) {
            inputs_fill(&in, &r, (test_kind)kind, count);
            for (size_t which = 0; which < CASE_COUNT; which++)
                check_case(which, other, &in, (test_kind)kind, count, count % 2 == 0 ? 0 : 4);
        }
}

/* The scalar set against itself: in place and out of place agree there, too. */
TEST(scalar_kernels_keep_their_promises) { check_isa(EMBER_ISA_SCALAR); }
TEST(sse2_kernels_have_the_bits_of_scalar) { check_isa(EMBER_ISA_SSE2); }
TEST(avx2_kernels_have_the_bits_of_scalar) { check_isa(EMBER_ISA_AVX2); }
TEST(neon_kernels_have_the_bits_of_scalar) { check_isa(EMBER_ISA_NEON); }

TEST(largest_byte_is_found_wherever_it_is)
{
    for (int isa = 0; isa < EMBER_ISA_COUNT; isa++) {
        const emberi_kernels *kernels = emberi_kernels_for((ember_isa)isa);
        if (kernels == NULL)
            continue;
        assert_int_equal(kernels->largest_byte(NULL, 0), 0);
        for (size_t count = 1; count <= 200; count++) {
            uint8_t *bytes = test_alloc(count);
            memset(bytes, 7, count);
            for (size_t at = 0; at < count; at++) {
                bytes[at] = 200;
                assert_int_equal(kernels->largest_byte(bytes, count), 200);
                bytes[at] = 7;
            }
            assert_int_equal(kernels->largest_byte(bytes, count), 7);
            free(bytes);
        }
    }
}

/* ---- what is compiled in and chosen ---- */

TEST(isa_names_are_those_of_the_environment)
{
    assert_string_equal(ember_isa_name(EMBER_ISA_SCALAR), "scalar");
    assert_string_equal(ember_isa_name(EMBER_ISA_SSE2), "sse2");
    assert_string_equal(ember_isa_name(EMBER_ISA_AVX2), "avx2");
    assert_string_equal(ember_isa_name(EMBER_ISA_NEON), "neon");
    assert_string_equal(ember_isa_name(EMBER_ISA_WASM), "wasm");
    assert_non_null(ember_isa_name(EMBER_ISA_COUNT));
}

TEST(isa_used_runs)
{
    assert_true(ember_isa_runs(EMBER_ISA_SCALAR));
    assert_true(ember_isa_runs(ember_isa_used()));
    assert_ptr_equal(emberi_kernels_used(), emberi_kernels_for(ember_isa_used()));
    assert_false(ember_isa_runs(EMBER_ISA_COUNT));
    assert_null(emberi_kernels_for(EMBER_ISA_COUNT));
}
