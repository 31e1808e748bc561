/* SPDX-License-Identifier: MIT */
/* What lasts how long, time, random numbers, words, and snapshots. */
#include "console/world.h"

static bool has_pose(world *w)
{
    HOST_TRY(&w->h, emberi_host_bone_get_world_trs(w->h.c, 0, AT_OUT, AT_OUT_2, AT_OUT_3));
    return w->h.text[0] == '\0';
}

/* ---- lasting ---- */

static void a_bound_keyframe_lasts_until_it_is_changed_and_set_bones_until_the_frame_ends(void **state)
{
    world w;
    (void)state;
    world_open_update(&w);
    assert_false(has_pose(&w));
    emberi_host_keyframe_bind(w.h.c, w.keyframes, 1);
    host_phase(&w.h, EMBER_PHASE_RENDER);
    assert_true(has_pose(&w));
    host_phase(&w.h, EMBER_PHASE_UPDATE);
    assert_true(has_pose(&w));
    emberi_host_set_bones(w.h.c, AT_BONES, 2);
    host_phase(&w.h, EMBER_PHASE_RENDER);
    assert_true(has_pose(&w));
    host_phase(&w.h, EMBER_PHASE_RENDER); /* the same frame once more */
    assert_true(has_pose(&w));
    host_phase(&w.h, EMBER_PHASE_UPDATE);
    assert_false(has_pose(&w));
    /* A bone that was set stays with the bind that it changed. */
    emberi_host_keyframe_bind(w.h.c, w.keyframes, 1);
    emberi_host_bone_set_trs(w.h.c, 0, AT_POSITION, AT_ROTATION, AT_SCALE);
    host_phase(&w.h, EMBER_PHASE_UPDATE);
    assert_true(has_pose(&w));
    assert_true(world_float(&w, AT_OUT, 2) == 3.0f);
    world_close(&w);
}

static void a_bound_skeleton_lasts_until_it_is_changed(void **state)
{
    world w;
    (void)state;
    world_open_update(&w);
    emberi_host_skeleton_bind(w.h.c, w.hero_skeleton);
    emberi_host_keyframe_bind(w.h.c, w.walk, 0);
    host_phase(&w.h, EMBER_PHASE_UPDATE);
    host_phase(&w.h, EMBER_PHASE_RENDER);
    emberi_host_draw_mesh(w.h.c, w.skinned);
    emberi_host_skeleton_bind(w.h.c, 0);
    emberi_host_draw_mesh(w.h.c, w.skinned);
    ember_console_end(w.h.c);
    assert_int_equal(ember_console_draws(w.h.c)->draws[0].skeleton, 1);
    assert_int_equal(ember_console_draws(w.h.c)->draws[1].skeleton, -1);
    world_close(&w);
}

static void transform_stack_tint_and_bone_bind_start_anew_with_every_call(void **state)
{
    static const float identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    world              w;
    (void)state;
    world_open_update(&w);
    emberi_host_push_trs(w.h.c, AT_POSITION, AT_ROTATION, AT_SCALE);
    emberi_host_set_color(w.h.c, 0x12345678u);
    emberi_host_clear_color(w.h.c, 0x9abcdef0u);
    emberi_host_view_set(w.h.c, AT_MATRIX);
    emberi_host_bone_bind(w.h.c, 1);
    host_phase(&w.h, EMBER_PHASE_RENDER);
    emberi_host_draw_mesh(w.h.c, w.mesh);
    HOST_TRAPS(&w.h, emberi_host_transform_pop(w.h.c),
               "transform_pop: the transform stack is empty, in render, frame 1");
    ember_console_end(w.h.c);
    const ember_draw_list *list = ember_console_draws(w.h.c);
    assert_memory_equal(list->draws[0].transform.m, identity, sizeof(identity));
    assert_int_equal(list->draws[0].branch, EMBER_DRAW_STATIC);
    assert_int_equal(list->draws[0].color, 0xFFFFFFFFu);
    assert_int_equal(list->clear_color, 0x9abcdef0u); /* the camera and the background last */
    assert_true(list->view.m[3] == 7.0f);
    world_close(&w);
}

static void the_draw_list_starts_empty_with_every_render(void **state)
{
    world w;
    (void)state;
    world_open_update(&w);
    host_phase(&w.h, EMBER_PHASE_RENDER);
    emberi_host_set_bones(w.h.c, AT_BONES, 2);
    emberi_host_draw_mesh(w.h.c, w.skinned);
    host_phase(&w.h, EMBER_PHASE_RENDER); /* the bones still hold; they are put into the new list */
    emberi_host_draw_mesh(w.h.c, w.skinned);
    ember_console_end(w.h.c);
    const ember_draw_list *list = ember_console_draws(w.h.c);
    assert_int_equal(list->draw_count, 1);
    assert_int_equal(list->bone_count, 2);
    assert_true(list->bones[1].m[3] == 4.0f);
    world_close(&w);
}

/* ---- time, inputs, random numbers, words ---- */

static void time_follows_from_the_frame(void **state)
{
    world w;
    (void)state;
    world_open(&w, EMBER_SQUEEZE_RAW);
    assert_int_equal(emberi_host_frame(w.h.c), 0);
    assert_true(emberi_host_elapsed_time(w.h.c) == 0.0f);
    assert_true(emberi_host_delta_time(w.h.c) == 1.0f / 60.0f);
    for (int i = 0; i < 90; i++)
        host_phase(&w.h, EMBER_PHASE_UPDATE);
    host_phase(&w.h, EMBER_PHASE_RENDER);
    assert_int_equal(emberi_host_frame(w.h.c), 90);
    assert_int_equal(ember_console_frame(w.h.c), 90);
    assert_true(emberi_host_elapsed_time(w.h.c) == 1.5f);
    world_close(&w);
}

static void the_rate_of_updates_is_an_option(void **state)
{
    host                  h;
    ember_console        *c;
    ember_error           err = EMBER_ERROR_INIT;
    ember_console_options options = host_options(&h, NULL);
    static const double   bad[] = {-1.0, 1e9};
    (void)state;
    options.update_hz = 50.0;
    assert_int_equal(ember_console_create(&c, &options, &err), EMBER_OK);
    assert_true(emberi_host_delta_time(c) == 0.02f);
    ember_console_destroy(c);
    for (size_t i = 0; i < 2; i++) {
        options.update_hz = bad[i];
        assert_int_equal(ember_console_create(&c, &options, NULL), EMBER_E_ARG);
        assert_null(c);
    }
    options = host_options(&h, NULL);
    options.trap = NULL;
    assert_int_equal(ember_console_create(&c, &options, NULL), EMBER_E_ARG);
    ember_console_destroy(NULL);
}

static void inputs_are_those_of_the_last_update(void **state)
{
    static const uint32_t inputs[4] = {1, 0, 0x80000000u, 0xffffffffu};
    world                 w;
    (void)state;
    world_open(&w, EMBER_SQUEEZE_RAW);
    assert_int_equal(emberi_host_input_held(w.h.c, 0), 0);
    ember_console_end(w.h.c);
    ember_console_begin(w.h.c, EMBER_PHASE_UPDATE, inputs);
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(emberi_host_input_held(w.h.c, i), inputs[i]);
    HOST_TRAPS(&w.h, emberi_host_input_held(w.h.c, 4),
               "input_held: player 4 >= player_count 4, in update, frame 1");
    host_phase(&w.h, EMBER_PHASE_RENDER);
    assert_int_equal(emberi_host_input_held(w.h.c, 3), 0xffffffffu);
    world_close(&w);
}

/* The output of pcg32-demo, the generator's own check, which seeds with 42 and stream 54. */
static void random_numbers_are_pcg32s(void **state)
{
    static const uint32_t expected[6] = {0xa15c02b7u, 0x7b47f409u, 0xba1d3330u,
                                         0x83d2f293u, 0xbfa4784bu, 0xcbed606eu};
    world                 w;
    (void)state;
    world_open(&w, EMBER_SQUEEZE_RAW);
    for (int i = 0; i < 6; i++)
        assert_int_equal(emberi_host_random(w.h.c), expected[i]);
    world_close(&w);
}

static void logged_text_becomes_one_harmless_line(void **state)
{
    world w;
    (void)state;
    world_open_update(&w);
    static const char text[] = "a\tb\nc\x1b[31m \xc3\xa4 \xff \xc2\x9b!\n\r\n";
    host_put(&w.h, AT_OUT, text, sizeof(text) - 1);
    emberi_host_log(w.h.c, AT_OUT, sizeof(text) - 1);
    assert_string_equal(w.h.log, "a b c?[31m \xc3\xa4 ? ?!");
    emberi_host_log(w.h.c, 0, 0);
    assert_string_equal(w.h.log, "");
    memset(w.h.memory + AT_OUT, 'y', 5000);
    emberi_host_log(w.h.c, AT_OUT, 5000);
    assert_int_equal(strlen(w.h.log), 1024);
    assert_int_equal(w.h.log_count, 3);
    world_close(&w);
}

static void the_engines_own_traps_have_the_same_form(void **state)
{
    world w;
    (void)state;
    world_open_update(&w);
    HOST_TRAPS(&w.h, ember_console_trap(w.h.c, "integer division by zero"),
               "integer division by zero, in update, frame 1");
    assert_string_equal(w.h.function, "");
    world_close(&w);
}

/* ---- snapshots ---- */

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

static void a_restored_state_is_the_saved_one(void **state)
{
    world w;
    (void)state;
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

    ember_console_state_restore(w.h.c, before);
    uint8_t *again = saved(&w);
    assert_memory_equal(before, again, size);
    assert_int_equal(ember_console_hash(w.h.c), before_hash);
    emberi_host_clip_info(w.h.c, w.clip, AT_OUT); /* loaded again */
    emberi_host_read_data(w.h.c, w.data, 0, AT_OUT);
    assert_false(has_pose(&w));

    ember_console_state_restore(w.h.c, messed);
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

static void equal_states_have_equal_bytes_whatever_came_before(void **state)
{
    world a, b;
    (void)state;
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

static void the_hash_sees_what_is_drawn(void **state)
{
    world w;
    (void)state;
    world_open_update(&w);
    host_phase(&w.h, EMBER_PHASE_RENDER);
    uint64_t empty = ember_console_hash(w.h.c);
    emberi_host_draw_mesh(w.h.c, w.mesh);
    uint64_t one = ember_console_hash(w.h.c);
    assert_int_not_equal(empty, one);
    world_close(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bound_keyframe_lasts_until_it_is_changed_and_set_bones_until_the_frame_ends),
        cmocka_unit_test(a_bound_skeleton_lasts_until_it_is_changed),
        cmocka_unit_test(transform_stack_tint_and_bone_bind_start_anew_with_every_call),
        cmocka_unit_test(the_draw_list_starts_empty_with_every_render),
        cmocka_unit_test(time_follows_from_the_frame),
        cmocka_unit_test(the_rate_of_updates_is_an_option),
        cmocka_unit_test(inputs_are_those_of_the_last_update),
        cmocka_unit_test(random_numbers_are_pcg32s),
        cmocka_unit_test(logged_text_becomes_one_harmless_line),
        cmocka_unit_test(the_engines_own_traps_have_the_same_form),
        cmocka_unit_test(a_restored_state_is_the_saved_one),
        cmocka_unit_test(equal_states_have_equal_bytes_whatever_came_before),
        cmocka_unit_test(the_hash_sees_what_is_drawn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
