/* SPDX-License-Identifier: MIT */
/* Games linked into the program: their pointers go through the machine's memory, their traps come back as the
   console's, and snapshots hold their state.
   Covers: linked_calls.c, linked_machine.c. */
#include "console/world.h"

#include "../game/ember_game.h"
#include "console/functions.h"

/* ---- all functions ---- */

/* The symbols that ember_game.h's names stand for. This program does not link if one of them is missing. */
#define CALL_DECLARE(result, name, signature, parameters, arguments) \
    extern void call_##name(void) __asm__("ember_game_" #name);
#define CALL_ADDRESS(result, name, signature, parameters, arguments) call_##name,
EMBERI_HOST_FUNCTIONS(CALL_DECLARE)
static void (*const calls[])(void) = {EMBERI_HOST_FUNCTIONS(CALL_ADDRESS)};

TEST(every_function_of_the_console_can_be_linked)
{
    for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
        assert_true(calls[i] != NULL);
}

/* ---- a game that does what the test wants ---- */

static struct {
    void (*in_init)(void);
    void (*in_update)(void);
    void (*in_render)(void);
    uint32_t keyframes, clip, mesh, skeleton, data, count;
} game;

GAME_EXPORT(init)
{
    if (game.in_init != NULL)
        game.in_init();
}

GAME_EXPORT(update)
{
    game.count++;
    (void)game_random();
    if (game.in_update != NULL)
        game.in_update();
}

GAME_EXPORT(render)
{
    push_translate((float)game.count, 0.0f, 0.0f);
    if (game.mesh != 0)
        draw_mesh(game.mesh);
    if (game.in_render != NULL)
        game.in_render();
}

GAME(game, init, update, render)

/* The files of the little world, natively. */
static uint8_t        keyframes_file[KEYFRAMES_SIZE], clip_file[CLIP_SIZE];
static const float    triangle[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
static const float    binds[24] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, -1, 0};
static const uint16_t indices[3] = {0, 1, 2};

static void make_files(void)
{
    memcpy(keyframes_file, (const uint8_t[4]){2, 0, BOX_FRAMES, 0}, 4);
    world_put_frames(keyframes_file + 4, EMBER_RECORD_EWZ);
    memcpy(clip_file, (const uint8_t[16]){'E', 'W', 'Z', 'A', 1, 3, 2, 0, BOX_FRAMES, 0, 0, 15, 0, 0, 0, 0},
           16);
    world_put_frames(clip_file + 16, EMBER_RECORD_A);
}

static void load_all(void)
{
    game.keyframes = keyframes_load(keyframes_file, sizeof(keyframes_file));
    game.clip = load_clip(clip_file, sizeof(clip_file));
    game.mesh = load_mesh_indexed(triangle, 3, indices, 3, 0);
    game.skeleton = load_skeleton(binds, 2);
    game.data = load_data("hello, world", 12, 5);
}

typedef struct native {
    ember_machine *machine;
    ember_error    err;
    char           log[64];
} native;

static void keep_log(void *user, const char *text, size_t size)
{
    native *n = user;
    snprintf(n->log, sizeof(n->log), "%.*s", (int)size, text);
}

static void native_open(native *n, void (*in_init)(void), void (*in_update)(void))
{
    ember_machine_options options = {.allocator = ember_heap(), .seed = 42, .log = keep_log, .user = n};
    make_files();
    memset(n, 0, sizeof(*n));
    n->err = (ember_error)EMBER_ERROR_INIT;
    memset(&game, 0, sizeof(game));
    game.in_init = in_init;
    game.in_update = in_update;
    assert_int_equal(ember_machine_load_native(&n->machine, &ember_game_game, &options, &n->err), EMBER_OK);
}

static void native_run(native *n)
{
    static const uint32_t inputs[EMBER_CONSOLE_PLAYERS] = {0x80000001u, 2, 3, 4};
    if (ember_machine_init(n->machine, &n->err) != EMBER_OK ||
        ember_machine_update(n->machine, inputs, &n->err) != EMBER_OK ||
        ember_machine_render(n->machine, &n->err) != EMBER_OK)
        fail_msg("%s", n->err.text);
}

/* ---- marshalling ---- */

static void use_all(void)
{
    bone_transform   pose[2], other[2], sampled[2];
    clip_information info;
    uint8_t          records[3 * 24], chunk[8] = "........";
    float            p[3], q[4], s[3], matrices[24];
    char             name[4] = "abc";
    assert_int_equal(keyframes_bone_count(game.keyframes), 2);
    assert_int_equal(keyframes_frame_count(game.keyframes), BOX_FRAMES);
    keyframe_read(game.keyframes, 2, pose);
    assert_true(pose[1].position[0] == 2.0f && pose[1].position[1] == 1.0f && pose[1].scale[2] == 1.0f);
    keyframe_sample(game.keyframes, 0.5f, sampled);
    assert_true(sampled[0].position[0] == 0.5f);
    clip_info(game.clip, &info);
    assert_true(info.bone_count == 2 && info.frame_count == BOX_FRAMES && info.fps == 15.0f &&
                info.flags == 3);
    read_frames(game.clip, 2, 3, records);
    assert_memory_equal(records, clip_file + 16 + 48, 24);
    assert_memory_equal(records + 24, clip_file + 16, 48);
    read_frame(game.clip, 4, records);
    assert_memory_equal(records, clip_file + 16 + 24, 24);
    read_data(game.data, 2, chunk);
    assert_memory_equal(chunk, "ld......", 8);
    read_data(game.data, 0, chunk);
    assert_memory_equal(chunk, "hello...", 8);
    set_bones_from_clip(game.clip, 5);
    push_translate(10.0f, 0.0f, 0.0f);
    bone_get_world_trs(1, p, q, s);
    assert_true(p[0] == 12.0f && p[1] == 1.0f && p[2] == 0.0f);
    assert_float_equal(q[3], 1.0f, 1e-5);
    assert_float_equal(s[0], 1.0f, 1e-5);
    bone_set_trs(0, (const float[]){1, 2, 3}, (const float[]){0, 0, 0, 1}, (const float[]){2, 2, 2});
    bone_get_world_trs(0, p, q, s);
    assert_true(p[0] == 11.0f && p[1] == 2.0f && p[2] == 3.0f && s[1] == 2.0f);
    trs_lerp((const float[]){0, 0, 0}, (const float[]){0, 0, 0, 1}, (const float[]){1, 1, 1}, p, q, s, 0.5f,
             p, q, s);
    assert_true(p[0] == 5.5f && s[1] == 1.5f);
    keyframe_read(game.keyframes, 0, other);
    pose_blend(pose, pose, other, 0.5f, 2);
    assert_true(pose[1].position[0] == 1.0f);
    pose_compose(matrices, pose, 2, game.skeleton);
    assert_true(matrices[12 + 9] == 1.0f && matrices[12 + 10] == 1.0f);
    set_bones(matrices, 2);
    push_identity();
    bone_get_world_trs(1, p, q, s);
    assert_true(p[0] == 1.0f && p[1] == 1.0f);
    assert_int_equal(input_held(0), 0x80000001u);
    assert_int_equal(game_frame(), 1);
    assert_true(delta_time() == 1.0f / 60.0f && elapsed_time() == delta_time());
    assert_int_equal(bone_index(game.keyframes, name, 3), UINT32_MAX);
    assert_true(keyframes_fps(game.keyframes) == 30.0f && keyframes_loop(game.clip) == 1 &&
                keyframes_marker_count(game.clip) == 0);
    game_log(GAME_ID("all used"));
}

TEST(pointers_of_a_native_game_go_through_the_machines_memory)
{
    native n;
    native_open(&n, load_all, use_all);
    native_run(&n);
    assert_string_equal(n.log, "all used");
    const ember_draw_list *list = ember_console_draws(ember_machine_console(n.machine));
    assert_int_equal(list->draw_count, 1);
    assert_true(list->draws[0].transform.m[3] == 1.0f);
    ember_machine_unload(n.machine);
}

/* ---- transforms, camera, packed meshes: the rest of the header ---- */

static void load_packed(void)
{
    static const uint16_t halves[12] = {0, 0,      0, 0x3c00, 0x3c00, 0,
                                        0, 0x3c00, 0, 0x4000, 0,      0x3c00}; /* (0 0 0), (1 0 0), (0 2 0) */
    game.mesh = load_mesh_packed(halves, 3, 0);
    game.skeleton = load_mesh_indexed_packed(halves, 3, indices, 3, 0);
    load_all();
}

/* One draw after each of the functions, from identity. */
static void draw_turned(void)
{
    static const float moved[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 7, 8, 9, 1};
    push_identity();
    push_rotate_x(90.0f);
    draw_mesh(game.mesh);
    push_identity();
    push_rotate_z(90.0f);
    draw_mesh(game.mesh);
    push_identity();
    push_rotate(90.0f, 0.0f, 5.0f, 0.0f);
    draw_mesh(game.mesh);
    push_identity();
    push_scale(2.0f, 3.0f, 4.0f);
    draw_mesh(game.mesh);
    transform_set(moved);
    apply_trs((const float[]){1, 0, 0}, (const float[]){0, 0, 0, 1}, (const float[]){2, 2, 2});
    draw_mesh(game.mesh);
    clear_color(0x11223344u);
    projection_perspective(90.0f, 1.0f, 3.0f);
    unload_clip(game.clip);
    unload_data(game.data);
}

static void project_twice(void)
{
    projection_set((const float[]){2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 1});
}

static void unload_again(void) { unload_data(game.data); }

static void assert_rows(const ember_mat34 *m, const float *wanted)
{
    for (int i = 0; i < 12; i++)
        assert_float_equal(m->m[i], wanted[i], 1e-6);
}

TEST(transforms_of_a_native_game_are_those_of_the_header)
{
    static const float wanted[5][12] = {{1, 0, 0, 0, 0, 0, -1, 0, 0, 1, 0, 0},
                                        {0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0},
                                        {0, 0, 1, 0, 0, 1, 0, 0, -1, 0, 0, 0},
                                        {2, 0, 0, 0, 0, 3, 0, 0, 0, 0, 4, 0},
                                        {2, 0, 0, 8, 0, 2, 0, 8, 0, 0, 2, 9}};
    native             n;
    native_open(&n, load_packed, NULL);
    native_run(&n);
    ember_console    *console = ember_machine_console(n.machine);
    const ember_mesh *plain = ember_console_mesh(console, 0), *indexed = ember_console_mesh(console, 1);
    assert_int_equal(ember_console_mesh_count(console), 3);
    assert_true(plain->vertex_count == 3 && plain->positions[2].y == 2.0f && indexed->index_count == 3);
    game.in_render = draw_turned;
    assert_int_equal(ember_machine_render(n.machine, &n.err), EMBER_OK);
    const ember_draw_list *list = ember_console_draws(console);
    assert_int_equal(list->draw_count, 6); /* the first is render's own */
    for (int i = 0; i < 5; i++)
        assert_rows(&list->draws[1 + i].transform, wanted[i]);
    assert_int_equal(list->clear_color, 0x11223344u);
    assert_float_equal(list->projection.m[0], 9.0f / 16.0f, 1e-6);
    assert_float_equal(list->projection.m[5], 1.0f, 1e-6);
    assert_float_equal(list->projection.m[10], -2.0f, 1e-6); /* (far + near) / (near - far) */
    game.in_render = project_twice;
    assert_int_equal(ember_machine_render(n.machine, &n.err), EMBER_OK);
    assert_true(list->projection.m[0] == 2.0f && list->projection.m[10] == 2.0f &&
                list->projection.m[15] == 1.0f);
    game.in_render = unload_again;
    assert_int_equal(ember_machine_render(n.machine, &n.err), EMBER_E_TRAP);
    assert_string_equal(n.err.text, "unload_data: invalid data handle, in render, frame 1");
    ember_machine_unload(n.machine);
}

/* ---- traps ---- */

static void bad_handle(void) { keyframe_bind(7, 0); }
static void bad_frame(void)
{
    bone_transform out[2];
    keyframe_read(game.keyframes, 3, out);
}
static void null_out(void) { keyframe_read(game.keyframes, 0, NULL); }
static void null_in(void) { set_bones(NULL, 2); }
static void too_many(void) { set_bones(triangle, 0xffffffffu); }
static void too_large(void) { (void)keyframes_load(keyframes_file, 0xffffffffu); }
static void too_late(void) { (void)load_mesh(triangle, 3, 0); }
static void bad_format(void) { (void)load_mesh(triangle, 3, 0xffffffffu); }
static void too_many_frames(void) { read_frames(game.clip, 0, 0xffffffffu, keyframes_file); }
static void bad_chunk(void) { read_data(game.data, 9, keyframes_file); }
static void no_rom(void) { (void)rom_mesh(GAME_ID("player")); }

TEST(traps_of_a_native_game_are_the_consoles)
{
    static const struct {
        void (*in_init)(void), (*in_update)(void);
        const char *text;
    } cases[] = {
        {load_all, bad_handle, "keyframe_bind: invalid keyframe handle, in update, frame 1"},
        {load_all, bad_frame, "keyframe_read: frame index 3 >= frame_count 3, in update, frame 1"},
        {load_all, null_out, "keyframe_read: WASM memory access violation: null pointer, in update, frame 1"},
        {load_all, null_in, "set_bones: WASM memory access violation: null pointer, in update, frame 1"},
        {load_all, too_many, "set_bones: 4294967295 bones, at most 255 are possible, in update, frame 1"},
        {too_large, NULL,
         "keyframes_load: WASM memory access violation: 4294967295 bytes at 0x00400000, there are 4194304, "
         "in init, frame 0"},
        {bad_format, NULL, "load_mesh: unknown bits in the vertex format, in init, frame 0"},
        {no_rom, NULL, "rom_mesh: mesh asset not found: player, in init, frame 0"},
        {load_all, too_late, "load_mesh: only in init(), in update, frame 1"},
        {load_all, too_many_frames,
         "read_frames: WASM memory access violation: 103079215080 bytes at 0x00400000, there are 4194304, in "
         "update, frame 1"},
        {load_all, bad_chunk, "read_data: chunk index 9 >= chunk_count 3, in update, frame 1"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        native                n;
        static const uint32_t none[EMBER_CONSOLE_PLAYERS];
        native_open(&n, cases[i].in_init, cases[i].in_update);
        ember_status status = ember_machine_init(n.machine, &n.err);
        if (status == EMBER_OK)
            status = ember_machine_update(n.machine, none, &n.err);
        assert_int_equal(status, EMBER_E_TRAP);
        assert_string_equal(n.err.text, cases[i].text);
        ember_machine_unload(n.machine);
    }
}

/* ---- snapshots and life ---- */

TEST(a_native_game_goes_back_to_its_snapshot)
{
    static const uint32_t none[EMBER_CONSOLE_PLAYERS];
    native                n;
    ember_snapshot       *snapshot;
    native_open(&n, load_all, NULL);
    native_run(&n);
    assert_int_equal(ember_snapshot_create(&snapshot, ember_heap()), EMBER_OK);
    assert_int_equal(ember_machine_save(snapshot, n.machine), EMBER_OK);
    uint64_t before = ember_snapshot_hash(snapshot), first = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < 5; i++)
            assert_int_equal(ember_machine_update(n.machine, none, &n.err), EMBER_OK);
        assert_int_equal(ember_machine_render(n.machine, &n.err), EMBER_OK);
        assert_int_equal(game.count, 6);
        uint64_t hash = ember_console_hash(ember_machine_console(n.machine));
        assert_true(pass == 0 || hash == first);
        first = hash;
        assert_int_equal(ember_machine_restore(n.machine, snapshot), EMBER_OK);
        assert_int_equal(game.count, 1);
        assert_int_equal(ember_machine_save(snapshot, n.machine), EMBER_OK);
        assert_int_equal(ember_snapshot_hash(snapshot), before);
    }
    ember_snapshot_destroy(snapshot);
    ember_machine_unload(n.machine);
}

TEST(unloading_puts_the_games_memory_back)
{
    native n;
    native_open(&n, load_all, NULL);
    native_run(&n);
    assert_int_equal(game.count, 1);
    ember_machine_unload(n.machine);
    assert_int_equal(game.count, 0);
    assert_true(game.in_init == load_all);
}

TEST(a_game_need_not_have_all_exports)
{
    static const ember_native_game empty = {NULL, NULL, NULL, NULL, 0};
    static const ember_native_game broken = {NULL, NULL, NULL, NULL, 4};
    ember_machine_options          options = {.allocator = ember_heap()};
    native                         n = {.err = EMBER_ERROR_INIT};
    assert_int_equal(ember_machine_load_native(&n.machine, &empty, &options, &n.err), EMBER_OK);
    native_run(&n);
    assert_int_equal(ember_console_draws(ember_machine_console(n.machine))->draw_count, 0);
    ember_machine_unload(n.machine);
    assert_int_equal(ember_machine_load_native(&n.machine, &broken, &options, &n.err), EMBER_E_ARG);
    assert_null(n.machine);
}
