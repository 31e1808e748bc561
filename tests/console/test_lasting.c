/* SPDX-License-Identifier: MIT */
/* What lasts how long; time, random numbers and words.
   Covers: console.c, surroundings.c. */
#include "world.h"

/* ---- lasting ---- */

TEST(a_bound_keyframe_lasts_until_it_is_changed_and_set_bones_until_the_frame_ends)
{
    world w;
    world_open_update(&w);
    assert_false(world_has_pose(&w));
    emberi_host_keyframe_bind(w.h.c, w.keyframes, 1);
    host_phase(&w.h, EMBER_PHASE_RENDER);
    assert_true(world_has_pose(&w));
    host_phase(&w.h, EMBER_PHASE_UPDATE);
    assert_true(world_has_pose(&w));
    emberi_host_set_bones(w.h.c, AT_BONES, 2);
    host_phase(&w.h, EMBER_PHASE_RENDER);
    assert_true(world_has_pose(&w));
    host_phase(&w.h, EMBER_PHASE_RENDER); /* the same frame once more */
    assert_true(world_has_pose(&w));
    host_phase(&w.h, EMBER_PHASE_UPDATE);
    assert_false(world_has_pose(&w));
    /* A bone that was set stays with the bind that it changed. */
    emberi_host_keyframe_bind(w.h.c, w.keyframes, 1);
    emberi_host_bone_set_trs(w.h.c, 0, AT_POSITION, AT_ROTATION, AT_SCALE);
    host_phase(&w.h, EMBER_PHASE_UPDATE);
    assert_true(world_has_pose(&w));
    assert_true(world_float(&w, AT_OUT, 2) == 3.0f);
    world_close(&w);
}

TEST(a_bound_skeleton_lasts_until_it_is_changed)
{
    world w;
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

TEST(transform_stack_tint_and_bone_bind_start_anew_with_every_call)
{
    static const float identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    world              w;
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

TEST(the_draw_list_starts_empty_with_every_render)
{
    world w;
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

TEST(time_follows_from_the_frame)
{
    world w;
    world_open(&w, EMBER_SQUEEZE_RAW);
    assert_int_equal(emberi_host_frame(w.h.c), 0);
    assert_true(emberi_host_elapsed_time(w.h.c) == 0.0f);
    assert_true(emberi_host_delta_time(w.h.c) == 1.0f / 60.0f);
    for (int i = 0; i < 90; i++)
        host_phase(&w.h, EMBER_PHASE_UPDATE);
    host_phase(&w.h, EMBER_PHASE_RENDER);
    assert_int_equal(emberi_host_frame(w.h.c), 90);
    assert_int_equal(emberi_host_tick_count(w.h.c), 90);
    assert_int_equal(ember_console_frame(w.h.c), 90);
    assert_true(emberi_host_elapsed_time(w.h.c) == 1.5f);
    world_close(&w);
}

TEST(the_rate_of_updates_is_an_option)
{
    host                  h;
    ember_console        *c;
    ember_error           err = EMBER_ERROR_INIT;
    ember_console_options options = host_options(&h, NULL);
    static const double   bad[] = {-1.0, 1e9};
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

TEST(inputs_are_those_of_the_last_update)
{
    static const uint32_t inputs[4] = {1, 0, 0x80000000u, 0xffffffffu};
    world                 w;
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
TEST(random_numbers_are_pcg32s)
{
    static const uint32_t expected[6] = {0xa15c02b7u, 0x7b47f409u, 0xba1d3330u,
                                         0x83d2f293u, 0xbfa4784bu, 0xcbed606eu};
    world                 w;
    world_open(&w, EMBER_SQUEEZE_RAW);
    for (int i = 0; i < 6; i++)
        assert_int_equal(emberi_host_random(w.h.c), expected[i]);
    world_close(&w);
}

TEST(logged_text_becomes_one_harmless_line)
{
    world w;
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

TEST(the_engines_own_traps_have_the_same_form)
{
    world w;
    world_open_update(&w);
    HOST_TRAPS(&w.h, ember_console_trap(w.h.c, "integer division by zero"),
               "integer division by zero, in update, frame 1");
    assert_string_equal(w.h.function, "");
    world_close(&w);
}
