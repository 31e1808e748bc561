/* SPDX-License-Identifier: MIT */
/* What ANIMBIN cannot hold: too much and too large is refused, names are cut, and what is lost is said.
   Covers: animbin_names.c. */
#include <math.h>

#include "animbin_rig.h"

static file_bytes    file, again; /* too big for the stack of some systems */
static fixture_notes noise;

/* ---- limits ---- */

TEST(animbin_refuses_more_than_255_animations)
{
    static ember_clip clips[256];
    rig              *r = rig_make(1);
    for (int i = 0; i < 256; i++)
        clips[i] = r->clip;
    r->model.clips = clips;
    r->model.clip_count = 256;
    refuse_model(&r->model, NULL, EMBER_E_LIMIT, "256 clips");
    r->model.clip_count = 255;
    write_file(&file, &r->model, NULL);
    assert_int_equal(file.data[8], 255);
}

TEST(animbin_refuses_more_than_65535_frames)
{
    ember_model      model;
    ember_transform *frames = calloc(65536, sizeof(*frames));
    int16_t          parents[1] = {-1};
    assert_non_null(frames);
    for (int i = 0; i < 65536; i++)
        frames[i].rotation.w = 1;
    ember_clip clip = {.name = "long",
                       .space = EMBER_SPACE_LOCAL,
                       .bone_count = 1,
                       .frame_count = 65536,
                       .frames = frames};
    model = (ember_model){.skeleton = {.bone_count = 1, .parents = parents}, .clip_count = 1, .clips = &clip};
    refuse_model(&model, NULL, EMBER_E_LIMIT, "65536 frames");
    clip.frame_count = 65535;
    ember_buffer        buffer = {.allocator = ember_heap()};
    ember_write_options options = {.format = EMBER_FORMAT_ANIMBIN};
    assert_int_equal(ember_model_write(&buffer, &model, &options, NULL), EMBER_OK);
    assert_int_equal(buffer.size, 9 + 42 + 4 + 65535 * 11);
    ember_buffer_free(&buffer);
    clip.frame_count = 0;
    refuse_model(&model, NULL, EMBER_E_LIMIT, "0 frames");
    free(frames);
}

TEST(animbin_refuses_bones_beyond_255)
{
    static int16_t         parents[257];
    static ember_transform frames[257];
    for (int i = 0; i < 257; i++) {
        parents[i] = -1;
        frames[i] = (ember_transform)EMBER_TRANSFORM_IDENTITY;
    }
    ember_clip  clip = {.name = "wide",
                        .space = EMBER_SPACE_LOCAL,
                        .bone_count = 257,
                        .frame_count = 1,
                        .frames = frames};
    ember_model model = {.skeleton = {.bone_count = 257, .parents = parents},
                         .clip_count = 1,
                         .clips = &clip};
    refuse_model(&model, NULL, EMBER_E_LIMIT, "this bone, number 256");
    clip.bone_count = 256;
    write_file(&file, &model, NULL);
    assert_int_equal(file.size, 9 + 42 + 256 * 15);
}

TEST(animbin_refuses_numbers_that_do_not_fit)
{
    const ember_animbin_options fine = {.unit = 1e9};
    rig                        *r = rig_make(2);
    r->frames[BONES].position.y = 600000.0f;
    refuse_model(&r->model, NULL, EMBER_E_RANGE, "frame 1");
    r->frames[BONES].position.y = 3.0f;
    refuse_model(&r->model, &fine, EMBER_E_RANGE, "does not fit 32 bits");
    r->frames[BONES].position.y = INFINITY;
    refuse_model(&r->model, NULL, EMBER_E_RANGE, "not finite");
    r->frames[BONES].position.y = 0;
    r->frames[BONES + 2].rotation = (ember_quat){0, 0, 0, 0};
    refuse_model(&r->model, NULL, EMBER_E_RANGE, "no direction");
    r->frames[BONES + 2].rotation = (ember_quat){0, NAN, 0, 1};
    refuse_model(&r->model, NULL, EMBER_E_RANGE, "not finite");
}

TEST(animbin_refuses_options_that_cannot_be)
{
    const ember_animbin_options unit = {.unit = -2.0}, keys = {.keys = (ember_animbin_keys)7},
                                basis = {.basis = (ember_animbin_basis)2};
    const ember_animbin_options tolerance = {.keys = EMBER_ANIMBIN_KEYS_SPARSE, .tolerance = -1.0};
    rig                        *r = rig_make(1);
    refuse_model(&r->model, &unit, EMBER_E_ARG, "unit");
    refuse_model(&r->model, &keys, EMBER_E_ARG, "option");
    refuse_model(&r->model, &basis, EMBER_E_ARG, "basis");
    refuse_model(&r->model, &tolerance, EMBER_E_ARG, "tolerance");
}

/* ---- names ---- */

static void assert_name(const uint8_t *field, const char *name)
{
    uint8_t wanted[32] = {0};
    memcpy(wanted, name, strlen(name));
    assert_memory_equal(field, wanted, 32);
}

TEST(animbin_shortens_names_so_that_they_still_differ)
{
    static const char *const names[] = {
        "0123456789abcdef0123456789abcdeX",
        "0123456789abcdef0123456789abcdeY",
        "0123456789abcdef0123456789abc~2",
        /* the character would be cut in two */
        "0123456789abcdef0123456789abcd\xc3\xa5",
        /* the same again is no other name */
        "0123456789abcdef0123456789abcdeX",
    };
    static ember_clip clips[5];
    rig              *r = rig_make(1);
    r->clip.bone_count = 0;
    for (int i = 0; i < 5; i++) {
        clips[i] = r->clip;
        clips[i].name = names[i];
    }
    r->model.clips = clips;
    r->model.clip_count = 5;
    write_file(&file, &r->model, NULL);
    assert_int_equal(file.size, 9 + 5 * 42);
    assert_name(file.data + 9 + 0 * 42, "0123456789abcdef0123456789abcde");
    assert_name(file.data + 9 + 1 * 42, "0123456789abcdef0123456789abc~3");
    assert_name(file.data + 9 + 2 * 42, "0123456789abcdef0123456789abc~2");
    assert_name(file.data + 9 + 3 * 42, "0123456789abcdef0123456789abcd");
    assert_name(file.data + 9 + 4 * 42, "0123456789abcdef0123456789abcde");
}

/* Twenty thousand names that are the same up to the 40th byte, among them the numbered ones that shortening
   would make: in no time, and no two alike. */
TEST(animbin_shortens_any_number_of_names)
{
    enum { MARKERS = 20000, WIDTH = 48 };
    char         *names = calloc(MARKERS, WIDTH);
    ember_marker *markers = calloc(MARKERS, sizeof(*markers));
    uint8_t      *seen = calloc(100000, 1);
    ember_buffer  buffer = {.allocator = ember_heap()};
    ember_error   err = EMBER_ERROR_INIT;
    rig          *r = rig_make(1);
    for (int i = 0; i < MARKERS; i++) {
        char tail[8];
        int  tail_size = snprintf(tail, sizeof(tail), "~%d", i + 2);
        if (i % 4 == 0)
            snprintf(names + i * WIDTH, WIDTH, "%.*s%s", 31 - tail_size, "0123456789abcdef0123456789abcdef",
                     tail);
        else
            snprintf(names + i * WIDTH, WIDTH, "0123456789abcdef0123456789abcdef01234567%d", i);
        markers[i] = (ember_marker){names + i * WIDTH, 0};
    }
    r->clip.bone_count = 0;
    r->clip.markers = markers;
    r->clip.marker_count = MARKERS;
    const ember_write_options asked = {.format = EMBER_FORMAT_ANIMBIN, .notes = fixture_listen(&noise)};
    assert_int_equal(ember_model_write(&buffer, &r->model, &asked, &err), EMBER_OK);
    assert_int_equal(buffer.size, 9 + 42 + MARKERS * 34);
    assert_non_null(strstr(noise.text, "14995 more names of markers are cut")); /* five of them are named */
    for (int i = 0; i < MARKERS; i++) {
        const char *name = (const char *)buffer.data + 9 + 42 + i * 34;
        assert_true(strlen(name) == 31);
        int number = strchr(name, '~') != NULL ? atoi(strchr(name, '~') + 1) : 0;
        assert_true(number >= 0 && number < 100000 && seen[number]++ == 0);
    }
    ember_buffer_free(&buffer);
    free(seen);
    free(markers);
    free(names);
}

TEST(animbin_writes_markers)
{
    static const ember_marker markers[] = {{"step", 1},
                                           {"a marker with a name of 33 bytes!", 0},
                                           {"a marker with a name of 33 bytes?", 0},
                                           {"step", 0}};
    rig                      *r = rig_make(2);
    r->clip.bone_count = 0;
    r->clip.markers = markers;
    r->clip.marker_count = 4;
    write_file(&file, &r->model, NULL);
    put_header(&again, 1);
    put_animation(&again, "a", 0, 2, 0, 4);
    put_marker(&again, "step", 1);
    put_marker(&again, "a marker with a name of 33 byte", 0);
    put_marker(&again, "a marker with a name of 33 by~2", 0);
    put_marker(&again, "step", 0);
    assert_same_file(&file, &again);
}

TEST(animbin_says_what_it_does_not_store)
{
    static const char *const  names[] = {"hip", "knee", "foot"};
    const ember_write_options asked = {.notes = fixture_listen(&noise)};
    rig                      *r = rig_make(1);
    r->model.skeleton.names = names;
    r->clip.fps = 30;
    write_file(&file, &r->model, &asked);
    assert_non_null(strstr(noise.text, "names of 3 bones"));
    assert_non_null(strstr(noise.text, "the rate"));
    assert_null(strstr(noise.text, "loop"));
}
