/* SPDX-License-Identifier: MIT */
/* The console's part of a snapshot: saved, restored and hashed. */
#include "console/host.h"
#include "world.h"

static void mess_up(world *w)
{
    ember_console *c = w->h.c;
    emberi_host_keyframe_bind(c, w->walk, 3);
    emberi_host_bone_set_trs(c, 1, AT_POSITION, AT_ROTATION, AT_SCALE);
    emberi_host_skeleton_bind(c, w->hero_skeleton);
    emberi_host_push_trs(c, AT_POSITION, AT_ROTATION, AT_SCALE);
    emberi_host_push_translate(c, 1, 1, 1);
    emberi_host_bone_bind(c, 9);
    emberi_host_set_color(c, 1);
    emberi_host_clear_color(c, 2);
    emberi_host_view_set(c, AT_MATRIX);
    emberi_host_projection_set(c, AT_MATRIX);
    emberi_host_unload_clip(c, w->clip);
    emberi_host_unload_data(c, w->data);
    (void)emberi_host_random(c);
}

static uint8_t *saved(const world *w)
{
    uint8_t *state = test_alloc(ember_console_state_size(w->h.c));
    ember_console_state_save(w->h.c, state);
    return state;
}

TEST(a_restored_state_is_the_saved_one)
{
    world w;
    world_open_update(&w);
    size_t   size = ember_console_state_size(w.h.c);
    uint8_t *before = saved(&w);
    uint64_t before_hash = ember_console_hash(w.h.c);
    mess_up(&w);
    uint8_t *messed = saved(&w);
    uint64_t messed_hash = ember_console_hash(w.h.c);
    assert_memory_not_equal(before, messed, size);
    assert_int_not_equal(before_hash, messed_hash);
    uint32_t next = emberi_host_random(w.h.c);

    assert_int_equal(ember_console_state_restore(w.h.c, before), EMBER_OK);
    uint8_t *again = saved(&w);
    assert_memory_equal(before, again, size);
    assert_int_equal(ember_console_hash(w.h.c), before_hash);
    emberi_host_clip_info(w.h.c, w.clip, AT_OUT); /* loaded again */
    emberi_host_read_data(w.h.c, w.data, 0, AT_OUT);
    assert_false(world_has_pose(&w));

    assert_int_equal(ember_console_state_restore(w.h.c, messed), EMBER_OK);
    free(again);
    again = saved(&w);
    assert_memory_equal(messed, again, size);
    assert_int_equal(ember_console_hash(w.h.c), messed_hash);
    assert_int_equal(emberi_host_random(w.h.c), next);
    emberi_host_transform_pop(w.h.c);
    HOST_TRAPS(&w.h, emberi_host_clip_info(w.h.c, w.clip, AT_OUT),
               "clip_info: invalid clip handle, in update, frame 1");
    free(before);
    free(messed);
    free(again);
    world_close(&w);
}

TEST(equal_states_have_equal_bytes_whatever_came_before)
{
    world a, b;
    world_open_update(&a);
    world_open_update(&b);
    for (int i = 0; i < 9; i++)
        emberi_host_push_trs(a.h.c, AT_POSITION, AT_ROTATION, AT_SCALE);
    for (int i = 0; i < 9; i++)
        emberi_host_transform_pop(a.h.c);
    emberi_host_set_bones(a.h.c, AT_POSE, 2);
    emberi_host_keyframe_bind(a.h.c, a.keyframes, 1);
    emberi_host_keyframe_bind(b.h.c, b.keyframes, 1);
    uint8_t *one = saved(&a), *two = saved(&b);
    assert_memory_equal(one, two, ember_console_state_size(a.h.c));
    assert_int_equal(ember_console_hash(a.h.c), ember_console_hash(b.h.c));
    free(one);
    free(two);
    world_close(&a);
    world_close(&b);
}

TEST(the_hash_sees_what_is_drawn)
{
    world w;
    world_open_update(&w);
    host_phase(&w.h, EMBER_PHASE_RENDER);
    uint64_t empty = ember_console_hash(w.h.c);
    emberi_host_draw_mesh(w.h.c, w.mesh);
    uint64_t one = ember_console_hash(w.h.c);
    assert_int_not_equal(empty, one);
    world_close(&w);
}

/* One number of a good state that cannot be: it is refused, and the console is as before. */
TEST(a_state_that_cannot_be_is_refused)
{
    static const struct {
        size_t   at;
        uint32_t value;
    } bad[] = {
        {offsetof(host_state, skeleton), 2},
        {offsetof(host_state, skeleton), (uint32_t)-2},
        {offsetof(host_state, bone), 255},
        {offsetof(host_state, bone), (uint32_t)-2},
        {offsetof(host_state, pose), 3},
        {offsetof(host_state, pose), EMBER_DRAW_POSE_NONE}, /* with a clip */
        {offsetof(host_state, pose_clip), 3},
        {offsetof(host_state, pose_clip), (uint32_t)-1},
        {offsetof(host_state, pose_clip), (uint32_t)-2},
        {offsetof(host_state, pose_clip), 1}, /* unloaded, and of other counts */
        {offsetof(host_state, pose_frame), WALK_FRAMES},
        {offsetof(host_state, pose_bones), 2},
        {offsetof(host_state, pose_bones), 4},
        {offsetof(host_state, depth), HOST_STACK_DEPTH + 1},
        {offsetof(host_state, reserved), 1},
        {offsetof(host_state, transform), 0x7fc00000u},
        {offsetof(host_state, view) + 44, 0x7f800000u},
        {offsetof(host_state, projection) + 60, 0xff800000u},
        {sizeof(host_state), 0x7fc00001u},                                     /* the stack */
        {sizeof(host_state) + (HOST_STACK_DEPTH + 255) * 48 - 4, 0x7fc00000u}, /* the last bone */
    };
    world w;
    world_open_update(&w);
    emberi_host_unload_clip(w.h.c, w.clip);
    emberi_host_keyframe_bind(w.h.c, w.walk, 3);
    size_t   size = ember_console_state_size(w.h.c);
    uint8_t *good = saved(&w);
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]) + 1; i++) {
        uint8_t *odd = test_exact_copy(good, size);
        if (i < sizeof(bad) / sizeof(bad[0]))
            memcpy(odd + bad[i].at, &bad[i].value, 4);
        else
            odd[size - 1] = 2; /* whether data was unloaded */
        if (ember_console_state_restore(w.h.c, odd) != EMBER_E_ARG)
            fail_msg("number %zu is taken", i);
        uint8_t *after = saved(&w);
        assert_memory_equal(after, good, size);
        free(after);
        free(odd);
    }
    assert_int_equal(ember_console_state_restore(w.h.c, good), EMBER_OK);
    free(good);
    world_close(&w);
}
