/* SPDX-License-Identifier: MIT */
/* Every host function with every kind of bad argument, from one table: it traps with its own name, the export
   and the frame, and nothing has changed.
   The addresses of guest_memory.h are among them. Covers: guest.c. */
#include "call.h"
#include "world.h"

/* What an argument is; the letters of a row's `roles`. A handle of the wrong kind, of nothing or of 2^31
   traps with the kind's message. */
#define ROLES                                          \
    "p" /* a guest address of at least two bytes */    \
    "k" /* keyframes, v2's */                          \
    "c" /* a clip, the draft's */                      \
    "s" /* a skeleton */                               \
    "z" /* a skeleton, or 0 for none */                \
    "m" /* a mesh */                                   \
    "d" /* data */                                     \
    "n" /* a number that cannot be as large as 2^31 */ \
    "f" /* a float that must be finite */              \
    "v" /* any number */

typedef struct row {
    const char *name;
    ember_phase phase; /* NONE: any, tried in render */
    const char *roles;
    uint32_t    arguments[CALL_MOST];
} row;

#define INIT EMBER_PHASE_INIT
#define RENDER EMBER_PHASE_RENDER
#define ANY EMBER_PHASE_NONE
#define ONE 0x3f800000u /* 1.0f */
/* Handles, which are known only once the world is there. */
#define KEYFRAMES 0xf0000001u
#define CLIP 0xf0000002u
#define WALK 0xf0000003u
#define SKELETON 0xf0000004u
#define HERO 0xf0000005u
#define MESH 0xf0000006u
#define DATA 0xf0000007u

static const row rows[] = {
    {"keyframes_load", INIT, "pn", {AT_KEYFRAMES, KEYFRAMES_SIZE}},
    {"rom_keyframes", INIT, "pn", {AT_WALK, 4}},
    {"keyframes_bone_count", ANY, "k", {KEYFRAMES}},
    {"keyframes_frame_count", ANY, "k", {KEYFRAMES}},
    {"keyframe_read", ANY, "knp", {KEYFRAMES, 2, AT_OUT}},
    {"keyframe_bind", ANY, "kn", {KEYFRAMES, 2}},
    {"set_bones", ANY, "pn", {AT_BONES, 2}},
    {"set_bones_4x4", ANY, "pn", {AT_BONES_4X4, 2}},
    {"set_bones_rows", ANY, "pn", {AT_BONES, 2}},
    {"load_skeleton", INIT, "pn", {AT_BINDS, 2}},
    {"rom_skeleton", INIT, "pn", {AT_HERO, 4}},
    {"skeleton_bind", ANY, "z", {SKELETON}},
    {"load_mesh", INIT, "pnn", {AT_VERTICES, 3, 0}},
    {"load_mesh_packed", INIT, "pnn", {AT_PACKED, 3, 0}},
    {"load_mesh_indexed", INIT, "pnpnn", {AT_VERTICES, 3, AT_INDICES, 3, 0}},
    {"load_mesh_indexed_packed", INIT, "pnpnn", {AT_PACKED, 3, AT_INDICES, 3, 0}},
    {"rom_mesh", INIT, "pn", {AT_HERO, 4}},
    {"draw_mesh", RENDER, "m", {MESH}},
    {"load_clip", INIT, "pn", {AT_CLIP, CLIP_SIZE}},
    {"clip_info", ANY, "cp", {CLIP, AT_OUT}},
    {"unload_clip", ANY, "c", {CLIP}},
    {"set_bones_from_clip", ANY, "cv", {CLIP, 1}},
    {"read_frame", ANY, "cvp", {CLIP, 1, AT_OUT}},
    {"read_frames", ANY, "cvnp", {CLIP, 1, 5, AT_OUT}},
    {"load_data", INIT, "pnv", {AT_POSE, 100, 40}},
    {"read_data", ANY, "dnp", {DATA, 1, AT_OUT}},
    {"unload_data", ANY, "d", {DATA}},
    {"rom_data", ANY, "pnpn", {AT_LEVEL, 14, AT_OUT, 5}},
    {"rom_data_len", ANY, "pn", {AT_LEVEL, 14}},
    {"bone_bind", ANY, "n", {1}},
    {"transform_set_trs", ANY, "ppp", {AT_POSITION, AT_ROTATION, AT_SCALE}},
    {"push_trs", ANY, "ppp", {AT_POSITION, AT_ROTATION, AT_SCALE}},
    {"apply_trs", ANY, "ppp", {AT_POSITION, AT_ROTATION, AT_SCALE}},
    {"transform_pop", ANY, "", {0}},
    {"bone_get_world_trs", ANY, "nppp", {1, AT_OUT, AT_OUT_2, AT_OUT_3}},
    {"bone_set_trs", ANY, "nppp", {1, AT_POSITION, AT_ROTATION, AT_SCALE}},
    {"trs_lerp",
     ANY,
     "ppppppfppp",
     {AT_POSITION, AT_ROTATION, AT_SCALE, AT_POSITION, AT_ROTATION, AT_SCALE, ONE, AT_OUT, AT_OUT_2,
      AT_OUT_3}},
    {"transform_set", ANY, "p", {AT_MATRIX}},
    {"push_identity", ANY, "", {0}},
    {"push_translate", ANY, "fff", {ONE, ONE, ONE}},
    {"push_rotate_x", ANY, "f", {ONE}},
    {"push_rotate_y", ANY, "f", {ONE}},
    {"push_rotate_z", ANY, "f", {ONE}},
    {"push_rotate", ANY, "ffff", {ONE, ONE, ONE, ONE}},
    {"push_scale", ANY, "fff", {ONE, ONE, ONE}},
    {"push_scale_uniform", ANY, "f", {ONE}},
    {"view_set", ANY, "p", {AT_MATRIX}},
    {"projection_set", ANY, "p", {AT_MATRIX}},
    {"projection_perspective", ANY, "fff", {0x42700000u /* 60 */, ONE, 0x42c80000u /* 100 */}},
    {"set_color", ANY, "v", {0}},
    {"clear_color", ANY, "v", {0}},
    {"delta_time", ANY, "", {0}},
    {"elapsed_time", ANY, "", {0}},
    {"frame", ANY, "", {0}},
    {"log", ANY, "pn", {AT_LEVEL, 14}},
    {"input_held", ANY, "n", {3}},
    {"random", ANY, "", {0}},
    {"keyframe_sample", ANY, "kfp", {KEYFRAMES, ONE, AT_OUT}},
    {"pose_blend", ANY, "pppfn", {AT_OUT, AT_POSE, AT_POSE_B, ONE, 3}},
    {"pose_compose", ANY, "ppns", {AT_OUT, AT_POSE, 3, HERO}},
    {"keyframes_fps", ANY, "k", {KEYFRAMES}},
    {"keyframes_loop", ANY, "k", {KEYFRAMES}},
    {"keyframes_marker_count", ANY, "k", {KEYFRAMES}},
    {"keyframes_marker", ANY, "knpn", {WALK, 1, AT_OUT, 8}},
    {"bone_index", ANY, "kpn", {WALK, AT_CHEST, 5}},
};

static const row *row_of(const call_function *f)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if (strcmp(rows[i].name, f->name) == 0)
            return &rows[i];
    return NULL;
}

static uint32_t row_argument(const world *w, uint32_t value)
{
    const uint32_t handles[] = {0,           w->keyframes,     w->clip, w->walk,
                                w->skeleton, w->hero_skeleton, w->mesh, w->data};
    return value >= KEYFRAMES && value <= DATA ? handles[value - 0xf0000000u] : value;
}

static void row_arguments(const world *w, const row *r, uint32_t shift, uint32_t out[CALL_MOST])
{
    for (unsigned i = 0; i < CALL_MOST; i++) {
        out[i] = row_argument(w, r->arguments[i]);
        if (i < strlen(r->roles) && r->roles[i] == 'p')
            out[i] += shift;
    }
}

/* The world in the row's phase, with a pose bound and something on the stack, so that every
   valid call is one. */
static void enter(world *w, const row *r)
{
    world_open(w, EMBER_SQUEEZE_RAW);
    if (r->phase != INIT) {
        host_phase(&w->h, EMBER_PHASE_UPDATE);
        host_phase(&w->h, EMBER_PHASE_RENDER);
    }
    emberi_host_keyframe_bind(w->h.c, w->keyframes, 1);
    emberi_host_push_trs(w->h.c, AT_POSITION, AT_ROTATION, AT_SCALE);
}

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
    bool           clip = role == 'k' || role == 'c';
    const char    *message = role == 'k'   ? "invalid keyframe handle,"
                             : role == 'c' ? "invalid clip handle,"
                             : role == 'm' ? "invalid mesh handle,"
                             : role == 'd' ? "invalid data handle,"
                                           : "invalid skeleton handle,";
    const uint32_t bad[] = {1, 0x80000000u, 0xffffffffu, 0x7fffffffu, w->keyframes - 1, w->clip + 1000};
    const uint32_t none = 0;
    check_values(w, f, r, i, bad, COUNT(bad), message);
    if (role != 'z')
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
            enter(&w, r);
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
            enter(&w, r);
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
            enter(&w, r);
            row_arguments(&w, r, 0, arguments);
            for (size_t b = 0; b < COUNT(bad); b++) {
                host_put(&w.h, cases[i].at, &bad[b], 4);
                check_trap(&w, &call_functions[k], r, arguments, "");
            }
            world_close(&w);
        }
}
