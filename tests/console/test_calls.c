/* SPDX-License-Identifier: MIT */
/* Every host function with every kind of bad argument, from one table: it traps with its own name, the export
   and the frame, and nothing has changed.
   The addresses of guest_memory.h are among them. Covers: guest.c. */
#include "rows.h"

/* ---- what must not change ---- */

typedef struct picture {
    uint8_t *state, *memory;
    size_t   state_size;
    uint64_t hash;
    uint32_t meshes, skeletons, clips;
} picture;

static picture picture_take(const world *w)
{
    picture p = {.state_size = ember_console_state_size(w->h.c), .hash = ember_console_hash(w->h.c)};
    p.state = test_alloc(p.state_size);
    ember_console_state_save(w->h.c, p.state);
    p.memory = test_exact_copy(w->h.memory, HOSTED_MEMORY);
    p.meshes = ember_console_mesh_count(w->h.c);
    p.skeletons = ember_console_skeleton_count(w->h.c);
    p.clips = ember_console_clip_count(w->h.c);
    return p;
}

static bool picture_equals(const picture *a, const picture *b)
{
    return a->state_size == b->state_size && memcmp(a->state, b->state, a->state_size) == 0 &&
           memcmp(a->memory, b->memory, HOSTED_MEMORY) == 0 && a->hash == b->hash && a->meshes == b->meshes &&
           a->skeletons == b->skeletons && a->clips == b->clips;
}

static void picture_free(picture *p)
{
    free(p->state);
    free(p->memory);
}

/* ---- one bad argument ---- */

/* In a function of its own, so that a trap cannot spoil its caller's variables. */
static __attribute__((noinline)) const char *try_call(world *w, const call_function *f,
                                                      const uint32_t arguments[CALL_MOST])
{
    uint32_t result;
    HOST_TRY(&w->h, assert_true(call_host(f, w->h.c, arguments, &result)));
    return w->h.text;
}

static void check_trap(world *w, const call_function *f, const row *r, const uint32_t arguments[CALL_MOST],
                       const char *expected)
{
    char        place[64], prefix[96];
    picture     before = picture_take(w);
    const char *phase = r->phase == INIT ? "init" : "render";
    snprintf(prefix, sizeof(prefix), "%s: %s", f->name, expected);
    snprintf(place, sizeof(place), ", in %s, frame %d", phase, r->phase == INIT ? 0 : 1);
    (void)try_call(w, f, arguments);
    if (w->h.text[0] == '\0')
        fail_msg("%s(0x%x, 0x%x, 0x%x, 0x%x, ...) did not trap", f->name, arguments[0], arguments[1],
                 arguments[2], arguments[3]);
    size_t size = strlen(w->h.text), tail = strlen(place);
    if (strncmp(w->h.text, prefix, strlen(prefix)) != 0 || size < tail ||
        strcmp(w->h.text + size - tail, place) != 0)
        fail_msg("expected \"%s...%s\", got \"%s\"", prefix, place, w->h.text);
    assert_string_equal(w->h.function, f->name);
    picture after = picture_take(w);
    if (!picture_equals(&before, &after))
        fail_msg("%s changed something before it trapped: %s", f->name, w->h.text);
    picture_free(&before);
    picture_free(&after);
}

static void check_values(world *w, const call_function *f, const row *r, unsigned i, const uint32_t *values,
                         size_t count, const char *expected)
{
    for (size_t k = 0; k < count; k++) {
        uint32_t arguments[CALL_MOST];
        row_arguments(w, r, 0, arguments);
        arguments[i] = values[k];
        check_trap(w, f, r, arguments, expected);
    }
}

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void check_handle(world *w, const call_function *f, const row *r, unsigned i)
{
    char           role = r->roles[i];
    bool           clip = role == 'k' || role == 'c' || role == 'u';
    const char    *message = role == 'k' || role == 'u' ? "invalid keyframe handle,"
                             : role == 'c'              ? "invalid clip handle,"
                             : role == 'm'              ? "invalid mesh handle,"
                             : role == 'd'              ? "invalid data handle,"
                                                        : "invalid skeleton handle,";
    const uint32_t bad[] = {1, 0x80000000u, 0xffffffffu, 0x7fffffffu, w->keyframes - 1, w->clip + 1000};
    const uint32_t none = 0;
    check_values(w, f, r, i, bad, COUNT(bad), message);
    if (role != 'z' && role != 'u')
        check_values(w, f, r, i, &none, 1, message);
    const uint32_t others[] = {w->keyframes, w->skeleton, w->mesh, w->data};
    const bool     same[] = {clip, role == 's' || role == 'z', role == 'm', role == 'd'};
    for (size_t k = 0; k < COUNT(others); k++)
        if (!same[k])
            check_values(w, f, r, i, &others[k], 1, message);
}

static void check_argument(world *w, const call_function *f, const row *r, unsigned i)
{
    static const uint32_t pointers[] = {0,           HOSTED_MEMORY, HOSTED_MEMORY - 1,
                                        0xffffffffu, 0xfffffff0u,   0x80000000u};
    static const uint32_t numbers[] = {0xffffffffu, 0x80000000u, 0x55555556u, 0x20000000u, 0x10000000u};
    static const uint32_t floats[] = {0x7fc00000u, 0x7f800000u, 0xff800000u};
    static const uint32_t any[] = {0, 1, 0x80000000u, 0xffffffffu};
    switch (r->roles[i]) {
    case 'p':
        check_values(w, f, r, i, pointers, COUNT(pointers), "WASM memory access violation: ");
        break;
    case 'n':
        check_values(w, f, r, i, numbers, COUNT(numbers), "");
        break;
    case 'f':
        check_values(w, f, r, i, floats, COUNT(floats), "");
        break;
    case 'v':
        for (size_t k = 0; k < COUNT(any); k++) {
            uint32_t arguments[CALL_MOST];
            row_arguments(w, r, 0, arguments);
            arguments[i] = any[k];
            assert_string_equal(try_call(w, f, arguments), "");
        }
        break;
    default:
        check_handle(w, f, r, i);
    }
}

/* ---- tests ---- */

TEST(every_function_has_a_row_that_fits_its_signature)
{
    assert_int_equal(sizeof(rows) / sizeof(rows[0]), CALL_COUNT);
    for (size_t i = 0; i < CALL_COUNT; i++) {
        const call_function *f = &call_functions[i];
        const row           *r = row_of(f);
        if (r == NULL)
            fail_msg("%s has no row", f->name);
        assert_int_equal(strlen(r->roles), call_argument_count(f));
        for (unsigned k = 0; k < strlen(r->roles); k++) {
            assert_non_null(strchr(ROLES, r->roles[k]));
            assert_true((r->roles[k] == 'f') == (f->signature[k] == 'f'));
        }
    }
}

TEST(every_function_runs_with_good_arguments_at_even_and_odd_addresses)
{
    for (size_t i = 0; i < CALL_COUNT; i++) {
        const row *r = row_of(&call_functions[i]);
        for (uint32_t shift = 0; shift <= 0x8001u; shift += 0x8001u) {
            world    w;
            uint32_t arguments[CALL_MOST];
            row_enter(&w, r);
            memmove(w.h.memory + 0x8001u, w.h.memory, WORLD_SIZE);
            row_arguments(&w, r, shift, arguments);
            assert_string_equal(try_call(&w, &call_functions[i], arguments), "");
            world_close(&w);
        }
    }
}

TEST(every_bad_argument_traps_and_changes_nothing)
{
    for (size_t i = 0; i < CALL_COUNT; i++) {
        const row *r = row_of(&call_functions[i]);
        for (unsigned k = 0; k < strlen(r->roles); k++) {
            world w;
            row_enter(&w, r);
            check_argument(&w, &call_functions[i], r, k);
            world_close(&w);
        }
    }
}

TEST(loading_outside_of_init_and_drawing_outside_of_render_trap)
{
    unsigned loads = 0;
    for (size_t i = 0; i < CALL_COUNT; i++) {
        const row *r = row_of(&call_functions[i]);
        if (r->phase == ANY)
            continue;
        world    w;
        uint32_t arguments[CALL_MOST];
        char     expected[96];
        world_open(&w, EMBER_SQUEEZE_RAW);
        row_arguments(&w, r, 0, arguments);
        host_phase(&w.h, EMBER_PHASE_UPDATE);
        snprintf(expected, sizeof(expected), "%s: only in %s(), in update, frame 1", r->name,
                 ember_phase_name(r->phase));
        assert_string_equal(try_call(&w, &call_functions[i], arguments), expected);
        host_phase(&w.h, r->phase == INIT ? EMBER_PHASE_RENDER : EMBER_PHASE_INIT);
        snprintf(expected, sizeof(expected), "%s: only in %s(), in %s, frame 1", r->name,
                 ember_phase_name(r->phase), r->phase == INIT ? "render" : "init");
        assert_string_equal(try_call(&w, &call_functions[i], arguments), expected);
        loads += r->phase == INIT ? 1 : 0;
        world_close(&w);
    }
    assert_int_equal(loads, 11);
}

TEST(numbers_in_memory_that_are_not_finite_trap)
{
    static const struct {
        const char *name;
        uint32_t    at; /* the float that is broken */
    } cases[] = {
        {"set_bones", AT_BONES + 23 * 4},
        {"set_bones_4x4", AT_BONES_4X4 + 31 * 4},
        {"set_bones_rows", AT_BONES + 23 * 4},
        {"load_skeleton", AT_BINDS + 5 * 4},
        {"load_mesh", AT_VERTICES + 8 * 4},
        {"transform_set_trs", AT_POSITION},
        {"push_trs", AT_ROTATION + 4},
        {"apply_trs", AT_SCALE + 8},
        {"bone_set_trs", AT_POSITION + 8},
        {"trs_lerp", AT_SCALE},
        {"transform_set", AT_MATRIX},
        {"view_set", AT_MATRIX + 15 * 4},
        {"projection_set", AT_MATRIX + 4},
        {"pose_blend", AT_POSE_B + 29 * 4},
        {"pose_compose", AT_POSE},
    };
    static const uint32_t bad[] = {0x7fc00000u, 0x7f800000u, 0xff800000u, 0x7f800001u};
    for (size_t i = 0; i < COUNT(cases); i++)
        for (size_t k = 0; k < CALL_COUNT; k++) {
            world      w;
            uint32_t   arguments[CALL_MOST];
            const row *r = row_of(&call_functions[k]);
            if (strcmp(call_functions[k].name, cases[i].name) != 0)
                continue;
            row_enter(&w, r);
            row_arguments(&w, r, 0, arguments);
            for (size_t b = 0; b < COUNT(bad); b++) {
                host_put(&w.h, cases[i].at, &bad[b], 4);
                check_trap(&w, &call_functions[k], r, arguments, "");
            }
            world_close(&w);
        }
}
