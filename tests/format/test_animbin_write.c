/* ANIMBIN written: what was read comes back to the byte, what was not read is keyed as asked. */
#include <math.h>

#include "format/animbin_bytes.h"
#include "format/fixture.h"

static file_bytes file, again; /* too big for the stack of some systems */
static heard      noise;

/* ---- models by hand ---- */

enum { BONES = 3, MOST_FRAMES = 400 };

typedef struct rig {
    ember_model     model;
    ember_clip      clip;
    ember_transform frames[BONES * MOST_FRAMES];
    ember_transform rest[BONES];
    int16_t         parents[BONES];
} rig;

static rig sticks;

static ember_quat about_z(float degrees)
{
    return ember_quat_from_axis_angle((ember_vec3){0, 0, 1}, degrees * 3.14159265f / 180.0f);
}

/* Three sticks of length 1, one on top of the other, all at rest. */
static rig *rig_make(uint32_t frame_count)
{
    rig *r = &sticks;
    memset(r, 0, sizeof(*r));
    for (int16_t i = 0; i < BONES; i++) {
        r->parents[i] = (int16_t)(i - 1);
        r->rest[i] = (ember_transform){{0, 0, 0, 1}, {0, i > 0 ? 1.0f : 0.0f, 0}, {1, 1, 1}};
        for (size_t f = 0; f < frame_count; f++)
            r->frames[f * BONES + (size_t)i] = r->rest[i];
    }
    r->model.skeleton = (ember_skeleton){.bone_count = BONES, .parents = r->parents, .rest = r->rest};
    r->model.clip_count = 1;
    r->model.clips = &r->clip;
    r->clip = (ember_clip){.name = "a",
                           .fps = 60.0,
                           .space = EMBER_SPACE_LOCAL,
                           .bone_count = BONES,
                           .frame_count = frame_count,
                           .frames = r->frames};
    return r;
}

static void refuse_model(const ember_model *model, const ember_animbin_options *asked, ember_status status, const char *part)
{
    ember_error         err = EMBER_ERROR_INIT;
    ember_buffer        buffer = {.allocator = ember_heap()};
    ember_write_options options = {.format = EMBER_FORMAT_ANIMBIN};
    if (asked != NULL)
        options.animbin = *asked;
    assert_int_equal(ember_model_write(&buffer, model, &options, &err), status);
    if (strstr(err.text, part) == NULL)
        fail_msg("'%s' does not say '%s'", err.text, part);
    assert_int_equal(buffer.size, 0);
    ember_buffer_free(&buffer);
}

/* The bytes of track `index` of the first animation, all of whose tracks have `keys` keys. */
static const uint8_t *track_at(const file_bytes *f, size_t index, size_t rotations, size_t keys)
{
    size_t at = 9 + 42;
    for (size_t i = 0; i < index; i++)
        at += 4 + keys * (i < rotations ? 11u : 15u);
    assert_true(at < f->size);
    return f->data + at;
}

static int s16_at(const uint8_t *p)
{
    return (int16_t)(p[0] | p[1] << 8);
}

static int32_t s32_at(const uint8_t *p)
{
    return (int32_t)((uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24);
}

static void assert_rotation(const uint8_t *key, int frame, int w, int x, int y, int z)
{
    assert_int_equal(s16_at(key), frame);
    assert_int_equal(key[2], 0);
    assert_int_equal(s16_at(key + 3), w);
    assert_int_equal(s16_at(key + 5), x);
    assert_int_equal(s16_at(key + 7), y);
    assert_int_equal(s16_at(key + 9), z);
}

static void assert_translation(const uint8_t *key, int frame, int x, int y, int z)
{
    assert_int_equal(s16_at(key), frame);
    assert_int_equal(key[2], 1);
    assert_int_equal(s32_at(key + 3), x);
    assert_int_equal(s32_at(key + 7), y);
    assert_int_equal(s32_at(key + 11), z);
}

/* ---- what was read ---- */

static void animbin_roundtrips(void **state)
{
    ember_arena arena = test_arena();
    ember_model model;
    (void)state;
    put_sample(&file);
    read_file(&model, &file, NULL, &arena);
    write_file(&again, &model, NULL);
    assert_same_file(&file, &again);

    put_header(&file, 0);
    read_file(&model, &file, NULL, &arena);
    write_file(&again, &model, NULL);
    assert_same_file(&file, &again);
    ember_arena_free(&arena);
}

/* Keys of mixed types, beyond the length, of odd lengths; tracks without keys and for the same joint; no bones at all. */
static void animbin_roundtrips_what_is_odd(void **state)
{
    ember_arena arena = test_arena();
    ember_model model;
    (void)state;
    put_header(&file, 2);
    put_animation(&file, "odd", 0xdeadbeefu, 3, 5, 0);
    put_track(&file, 0, 4, 3);
    put_translation(&file, 0, 1, 2, 3);
    put_rotation(&file, 1, 1, 2, 3, 4);
    put_translation(&file, 60000, INT32_MIN, 0, INT32_MAX);
    put_track(&file, 1, 4, 1);
    put_rotation(&file, 2, -32768, 32767, 0, 1);
    put_track(&file, 0, 4, 0);
    put_track(&file, 1, 1, 0);
    put_track(&file, 0, 9, 1);
    put_rotation(&file, 65535, 4096, 0, 0, 0);
    put_animation(&file, "", 0, 65535, 0, 1);
    put_marker(&file, "", 65534);
    const ember_read_options reading = {.memory_limit = (size_t)32 << 20};
    read_file(&model, &file, &reading, &arena);
    write_file(&again, &model, NULL);
    assert_same_file(&file, &again);
    ember_arena_free(&arena);
}

static void animbin_roundtrips_under_every_unit_and_basis(void **state)
{
    const ember_animbin_options ways[] = {
        {.unit = 128.0}, {.basis = EMBER_ANIMBIN_BASIS_PSX}, {.unit = 3.7, .basis = EMBER_ANIMBIN_BASIS_PSX}};
    (void)state;
    put_sample(&file);
    for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
        ember_arena         arena = test_arena();
        ember_model         model;
        ember_read_options  reading = {.animbin = ways[i]};
        ember_write_options writing = {.animbin = ways[i]};
        read_file(&model, &file, &reading, &arena);
        write_file(&again, &model, &writing);
        assert_same_file(&file, &again);
        ember_arena_free(&arena);
    }
}

static void animbin_roundtrips_through_json(void **state)
{
    ember_arena         arena = test_arena();
    ember_model         model;
    ember_error         err = EMBER_ERROR_INIT;
    ember_buffer        json = {.allocator = ember_heap()};
    ember_write_options options = {.format = EMBER_FORMAT_JSON};
    (void)state;
    put_sample(&file);
    read_file(&model, &file, NULL, &arena);
    assert_int_equal(ember_model_write(&json, &model, &options, &err), EMBER_OK);
    assert_int_equal(ember_model_read(&model, json.data, json.size, NULL, &arena, &err), EMBER_OK);
    write_file(&again, &model, NULL);
    assert_same_file(&file, &again);
    ember_buffer_free(&json);
    ember_arena_free(&arena);
}

/* A name, the loop flag and markers may change without the keys being made anew. */
static void animbin_keeps_keys_of_frames_that_nobody_touched(void **state)
{
    ember_arena arena = test_arena();
    ember_model model;
    (void)state;
    put_sample(&file);
    read_file(&model, &file, NULL, &arena);
    ember_clip clip = model.clips[1];
    model.clips = &clip;
    model.clip_count = 1;
    clip.name = "new";
    clip.loop = true;
    write_file(&again, &model, NULL);

    put_header(&file, 1);
    put_animation(&file, "new", 0x80000001u, 2, 1, 0);
    put_track(&file, 0, 1, 1);
    put_rotation(&file, 0, -2048, 2048, -2048, 2048);
    assert_same_file(&file, &again);
    ember_arena_free(&arena);
}

static void animbin_keys_frames_anew_that_were_touched(void **state)
{
    ember_arena arena = test_arena();
    ember_model model;
    (void)state;
    put_sample(&file);
    read_file(&model, &file, NULL, &arena);
    ember_clip       clip = model.clips[0];
    size_t           count = (size_t)clip.bone_count * clip.frame_count;
    ember_transform *frames = EMBER_PUSH(&arena, ember_transform, count);
    memcpy(frames, clip.frames, count * sizeof(*frames));
    frames[3 * clip.bone_count + 1].rotation = (ember_quat){1, 0, 0, 0};
    clip.frames = frames;
    model.clips = &clip;
    model.clip_count = 1;
    write_file(&again, &model, NULL);
    /* Four keys each for three joints, and for the one that moves. */
    assert_int_equal(again.size, 9 + 42 + 3 * (4 + 4 * 11) + (4 + 4 * 15) + 2 * 34);
    assert_rotation(track_at(&again, 1, 3, 4) + 4 + 2 * 11, 2, 4096, 0, 0, 0);
    assert_rotation(track_at(&again, 1, 3, 4) + 4 + 3 * 11, 3, 0, 4096, 0, 0);
    assert_translation(track_at(&again, 3, 3, 4) + 4 + 1 * 15, 1, 4096, 4096, 30904);
    ember_arena_free(&arena);
}

static void animbin_keys_a_clip_anew_that_was_cut(void **state)
{
    ember_arena arena = test_arena();
    ember_model model;
    (void)state;
    put_sample(&file);
    read_file(&model, &file, NULL, &arena);
    ember_clip clip = model.clips[0];
    clip.frame_count = 2;
    clip.marker_count = 0;
    model.clips = &clip;
    model.clip_count = 1;
    write_file(&again, &model, NULL);
    assert_int_equal(again.size, 9 + 42 + 3 * (4 + 2 * 11) + (4 + 2 * 15));
    ember_arena_free(&arena);
}

/* Numbers that were stored once are stored again as they were, though their lengths are not quite 4096. */
static void animbin_stores_again_what_it_once_decoded(void **state)
{
    ember_arena arena = test_arena();
    ember_model model;
    test_random random = {77};
    (void)state;
    put_header(&file, 1);
    put_animation(&file, "a", 0, 200, 1, 0);
    put_track(&file, 0, 0, 200);
    double before[4] = {1, 0, 0, 0};
    for (int i = 0; i < 200; i++) {
        double q[4], length = 0, dot = 0;
        for (int k = 0; k < 4; k++) {
            q[k] = (double)test_random_float(&random, -1, 1);
            length += q[k] * q[k];
            dot += q[k] * before[k];
        }
        for (int k = 0; k < 4; k++)
            before[k] = q[k] *= (dot < 0 ? -4096.0 : 4096.0) / sqrt(length);
        if (i % 2 == 0) /* rounded and truncated, as both kinds of writers leave them */
            put_rotation(&file, i, (int)lround(q[0]), (int)lround(q[1]), (int)lround(q[2]), (int)lround(q[3]));
        else
            put_rotation(&file, i, (int)q[0], (int)q[1], (int)q[2], (int)q[3]);
    }
    read_file(&model, &file, NULL, &arena);
    ember_clip clip = model.clips[0];
    clip.raw = (ember_raw){EMBER_FORMAT_UNKNOWN, NULL};
    model.clips = &clip;
    write_file(&again, &model, NULL);
    assert_same_file(&file, &again);
    ember_arena_free(&arena);
}

/* ---- dense keys ---- */

static void animbin_rounds_to_nearest_or_truncates(void **state)
{
    const ember_write_options truncate = {.animbin = {.rounding = EMBER_ROUND_TRUNCATE}};
    rig                      *r = rig_make(1);
    (void)state;
    r->frames[1].rotation = (ember_quat){-0.28f, 0, 0.96f, 0}; /* 1146.88 and 3932.16 */
    write_file(&file, &r->model, NULL);
    assert_int_equal(file.size, 9 + 42 + 3 * 15);
    assert_rotation(track_at(&file, 1, 3, 1) + 4, 0, 0, -1147, 0, 3932);
    write_file(&file, &r->model, &truncate);
    assert_rotation(track_at(&file, 1, 3, 1) + 4, 0, 0, -1146, 0, 3932);
}

static void animbin_truncates_each_value_for_itself(void **state)
{
    const ember_write_options truncate = {.animbin = {.rounding = EMBER_ROUND_TRUNCATE}};
    rig                      *r = rig_make(1);
    (void)state;
    for (int i = 0; i < BONES; i++)
        r->frames[i].rotation = (ember_quat){0.28f, 0, 0, 0.96f};
    write_file(&file, &r->model, &truncate);
    for (size_t i = 0; i < BONES; i++) /* what a parent loses, its child does not make up for */
        assert_rotation(track_at(&file, i, 3, 1) + 4, 0, 3932, 1146, 0, 0);
}

static void animbin_writes_one_dense_rotation_track_per_bone(void **state)
{
    rig *r = rig_make(5);
    (void)state;
    r->clip.loop = true;
    write_file(&file, &r->model, NULL);
    put_header(&again, 1);
    put_animation(&again, "a", 1, 5, 3, 0);
    for (unsigned joint = 0; joint < 3; joint++) {
        put_track(&again, 0, joint, 5);
        for (int frame = 0; frame < 5; frame++)
            put_rotation(&again, frame, 4096, 0, 0, 0);
    }
    assert_same_file(&file, &again);
}

static void animbin_rotations_keep_their_sign(void **state)
{
    rig *r = rig_make(4);
    (void)state;
    r->frames[0 * BONES].rotation = (ember_quat){0, 0, 0, -1};
    r->frames[1 * BONES].rotation = (ember_quat){0, 0, 0.70710678f, 0.70710678f};
    r->frames[2 * BONES].rotation = (ember_quat){0, 0, -1, 0};
    r->frames[3 * BONES].rotation = (ember_quat){0, 0, 1, 0};
    write_file(&file, &r->model, NULL);
    const uint8_t *keys = track_at(&file, 0, 3, 4) + 4;
    assert_rotation(keys, 0, -4096, 0, 0, 0);
    assert_rotation(keys + 11, 1, -2896, 0, 0, -2896);
    assert_rotation(keys + 22, 2, 0, 0, 0, -4096);
    assert_rotation(keys + 33, 3, 0, 0, 0, -4096);
}

static void animbin_rotations_need_not_be_unit(void **state)
{
    rig *r = rig_make(1);
    (void)state;
    r->frames[0].rotation = (ember_quat){0, 0, 7.0f, 24.0f};
    write_file(&file, &r->model, NULL);
    assert_rotation(track_at(&file, 0, 3, 1) + 4, 0, 3932, 0, 0, 1147);
}

static void animbin_translations_are_written_where_they_move(void **state)
{
    ember_write_options asked = {.animbin = {.translations = EMBER_ANIMBIN_TRANSLATIONS_KEPT}};
    rig                *r = rig_make(2);
    (void)state;
    r->frames[1 * BONES + 2].position.x = 0.25f;
    write_file(&file, &r->model, &asked);
    assert_int_equal(file.size, 9 + 42 + 3 * (4 + 22) + (4 + 30));
    const uint8_t *track = track_at(&file, 3, 3, 2);
    assert_int_equal(track[0], 1);
    assert_int_equal(track[1], 2);
    assert_translation(track + 4, 0, 0, 4096, 0);
    assert_translation(track + 4 + 15, 1, 1024, 4096, 0);

    asked.animbin.translations = EMBER_ANIMBIN_TRANSLATIONS_ALWAYS;
    write_file(&file, &r->model, &asked);
    assert_int_equal(file.size, 9 + 42 + 3 * (4 + 22) + 3 * (4 + 30));
    asked.animbin.translations = EMBER_ANIMBIN_TRANSLATIONS_NEVER;
    asked.notes = ears(&noise);
    write_file(&file, &r->model, &asked);
    assert_int_equal(file.size, 9 + 42 + 3 * (4 + 22));
    assert_non_null(strstr(noise.text, "motion from the rest position of 1 bone is not stored"));
}

/* Away from rest all the time is a move as well, for which one key will do. */
static void animbin_auto_translations_look_at_the_rest(void **state)
{
    rig *r = rig_make(2);
    (void)state;
    r->frames[0 * BONES + 1].position.z = r->frames[1 * BONES + 1].position.z = 3.0f;
    write_file(&file, &r->model, NULL);
    assert_int_equal(file.size, 9 + 42 + 3 * (4 + 22) + (4 + 15));
    const uint8_t *track = track_at(&file, 3, 3, 2);
    assert_int_equal(track[2] | track[3] << 8, 1);
    assert_translation(track + 4, 0, 0, 4096, 3 * 4096);
}

/* Where nobody knows the rest a reader takes the origin, so whatever is elsewhere is stored. */
static void animbin_positions_without_a_rest_are_stored(void **state)
{
    ember_write_options asked = {.notes = ears(&noise)};
    rig                *r = rig_make(2);
    (void)state;
    r->model.skeleton.rest = NULL;
    write_file(&file, &r->model, &asked);
    assert_int_equal(file.size, 9 + 42 + 3 * (4 + 22) + 2 * (4 + 15));
    assert_translation(track_at(&file, 3, 3, 2) + 4, 0, 0, 4096, 0);
    asked = (ember_write_options){.animbin = {.translations = EMBER_ANIMBIN_TRANSLATIONS_NEVER}, .notes = ears(&noise)};
    write_file(&file, &r->model, &asked);
    assert_int_equal(file.size, 9 + 42 + 3 * (4 + 22));
    assert_non_null(strstr(noise.text, "the position of 2 bones is not stored: no translations were asked for"));
}

/* Keyed anew, a file without a skeleton gives the frames that it gave. */
static void animbin_still_positions_outlive_new_keys(void **state)
{
    static const ember_animbin_keys ways[] = {EMBER_ANIMBIN_KEYS_DENSE, EMBER_ANIMBIN_KEYS_SPARSE};
    (void)state;
    for (int i = 0; i < 2; i++) {
        const ember_write_options asked = {.animbin = {.keys = ways[i]}};
        ember_arena               arena = test_arena();
        ember_model               before, after;
        put_header(&file, 1);
        put_animation(&file, "a", 0, 3, 2, 0);
        put_track(&file, 0, 0, 1);
        put_rotation(&file, 0, 4096, 0, 0, 0);
        put_track(&file, 1, 1, 1);
        put_translation(&file, 0, 100, -200, 300);
        read_file(&before, &file, NULL, &arena);
        write_file(&again, &before, &asked);
        read_file(&after, &again, NULL, &arena);
        assert_memory_equal(before.clips[0].frames, after.clips[0].frames, 6 * sizeof(ember_transform));
        assert_true(after.clips[0].frames[5].position.y == -200.0f / 4096.0f);
        ember_arena_free(&arena);
    }
}

static void animbin_unit_multiplies_lengths(void **state)
{
    const ember_write_options asked = {.animbin = {.unit = 128.0}},
                              truncate = {.animbin = {.unit = 128.0, .rounding = EMBER_ROUND_TRUNCATE}};
    rig *r = rig_make(1);
    (void)state;
    r->frames[0].position = (ember_vec3){1.0f, -0.005f, 1000.0f}; /* -0.64 stored */
    write_file(&file, &r->model, &asked);
    assert_translation(track_at(&file, 3, 3, 1) + 4, 0, 128, -1, 128000);
    write_file(&file, &r->model, &truncate);
    assert_translation(track_at(&file, 3, 3, 1) + 4, 0, 128, 0, 128000);
}

static void animbin_psx_basis_turns_what_is_written(void **state)
{
    const ember_write_options asked = {.animbin = {.basis = EMBER_ANIMBIN_BASIS_PSX}};
    rig                      *r = rig_make(1);
    (void)state;
    r->frames[0].position = (ember_vec3){1, 2, 3};
    r->frames[1].rotation = (ember_quat){0, 1, 0, 0};
    write_file(&file, &r->model, &asked);
    assert_rotation(track_at(&file, 0, 3, 1) + 4, 0, 0, 4096, 0, 0); /* identity becomes the half turn about x itself */
    assert_rotation(track_at(&file, 1, 3, 1) + 4, 0, 0, 0, 4096, 0);
    assert_translation(track_at(&file, 3, 3, 1) + 4, 0, 4096, -8192, -12288);
}

static void animbin_says_that_scales_are_lost(void **state)
{
    const ember_write_options asked = {.notes = ears(&noise)};
    rig                      *r = rig_make(2);
    (void)state;
    r->frames[1 * BONES + 1].scale = (ember_vec3){1, 1.5f, 1};
    write_file(&file, &r->model, &asked);
    assert_non_null(strstr(noise.text, "the scale of 1 bone is not stored"));
}

/* ---- chains ---- */

static float off(const ember_model *model, const ember_clip *clip, const ember_write_options *asked)
{
    ember_arena        arena = test_arena();
    ember_error        err = EMBER_ERROR_INIT;
    ember_model        read;
    ember_read_options reading = {.skeleton = &model->skeleton};
    reading.animbin = asked->animbin;
    write_file(&file, model, asked);
    read_file(&read, &file, &reading, &arena);
    ember_compare_job job = {.a_model = model, .b_model = &read, .a = clip, .b = &read.clips[0]};
    assert_int_equal(ember_compare_run(&job, &arena, &err), EMBER_OK);
    assert_int_equal(job.frame_count, clip->frame_count);
    ember_arena_free(&arena);
    return (float)(job.max / (double)job.size);
}

enum { CHAIN = 12, CHAIN_FRAMES = 60 };

static ember_transform chain_frames[CHAIN * CHAIN_FRAMES];

static void animbin_fits_bones_against_their_parents(void **state)
{
    static int16_t         parents[CHAIN];
    static ember_transform rest[CHAIN];
    test_random            random = {4711};
    for (int16_t i = 0; i < CHAIN; i++) {
        parents[i] = (int16_t)(i - 1);
        rest[i] = (ember_transform){{0, 0, 0, 1}, {0, i > 0 ? 0.2f : 0.0f, 0}, {1, 1, 1}};
    }
    for (int i = 0; i < CHAIN * CHAIN_FRAMES; i++) {
        ember_quat q = {test_random_float(&random, -0.2f, 0.2f), test_random_float(&random, -0.2f, 0.2f),
                        test_random_float(&random, -0.2f, 0.2f), 1};
        chain_frames[i] = rest[i % CHAIN];
        chain_frames[i].rotation = ember_quat_normalize(q);
    }
    const ember_clip  clip = {.name = "a",
                              .fps = 60,
                              .space = EMBER_SPACE_LOCAL,
                              .bone_count = CHAIN,
                              .frame_count = CHAIN_FRAMES,
                              .frames = chain_frames};
    const ember_model model = {
        .skeleton = {.bone_count = CHAIN, .parents = parents, .rest = rest}, .clip_count = 1, .clips = &clip};
    const ember_write_options closed = {.fit = EMBER_FIT_CLOSED}, plain = {.fit = EMBER_FIT_PLAIN};
    (void)state;
    float with = off(&model, &clip, &closed), without = off(&model, &clip, &plain);
    assert_true(with < 0.5e-3f);
    assert_true(without > 1.5f * with);
}

/* Positions behind a scale of 100, as some exporters leave them, are too small for FP12. */
static void animbin_warns_where_rounding_costs_much(void **state)
{
    ember_write_options asked = {.notes = ears(&noise)};
    rig                *r = rig_make(2);
    (void)state;
    r->rest[0].scale = (ember_vec3){100, 100, 100};
    r->rest[1].position.y = r->rest[2].position.y = 0.01f;
    for (int i = 0; i < 2 * BONES; i++)
        r->frames[i] = r->rest[i % BONES];
    r->frames[BONES + 1].position.y = 0.0131f;
    write_file(&file, &r->model, &asked);
    assert_int_equal(noise.count[EMBER_NOTE_WARNING], 1);
    assert_non_null(strstr(noise.text, "of the model's size"));
    /* Half a unit times the scale of 100 is to be no more than an 8000th of the size of 2: 200000 and more will do. */
    assert_non_null(strstr(noise.text, "; a unit of 262144 is fine enough"));
    asked.animbin.unit = 262144;
    asked.notes = ears(&noise);
    write_file(&file, &r->model, &asked);
    assert_int_equal(noise.count[EMBER_NOTE_WARNING], 0);
    assert_non_null(strstr(noise.text, "max error"));
}

/* The same skeleton says the same unit to whoever writes and reads. */
static void animbin_unit_can_be_by_the_skeleton(void **state)
{
    ember_arena         arena = test_arena();
    ember_model         model;
    ember_write_options asked = {.animbin = {.unit = EMBER_ANIMBIN_UNIT_AUTO}, .notes = ears(&noise)};
    rig                *r = rig_make(2);
    (void)state;
    r->frames[BONES + 1].position.y = 1.5f;
    write_file(&file, &r->model, &asked); /* 2 in size: 2000 would do, and 4096 it is */
    assert_translation(track_at(&file, 3, 3, 2) + 4 + 15, 1, 0, 6144, 0);
    assert_int_equal(noise.count[EMBER_NOTE_WARNING], 0);

    for (int i = 0; i < BONES; i++)
        r->rest[i].position.y *= 0.01f;
    for (int i = 0; i < 2 * BONES; i++)
        r->frames[i].position.y *= 0.01f;
    asked.notes = ears(&noise);
    write_file(&file, &r->model, &asked); /* 0.02 in size: 200000 at the least */
    assert_translation(track_at(&file, 3, 3, 2) + 4 + 15, 1, 0, 3932, 0);
    assert_non_null(strstr(noise.text, "the unit, by the skeleton, is 262144"));
    const ember_read_options reading = {.skeleton = &r->model.skeleton, .animbin = {.unit = EMBER_ANIMBIN_UNIT_AUTO}};
    read_file(&model, &file, &reading, &arena);
    assert_true(model.clips[0].frames[BONES + 1].position.y == 3932.0f / 262144.0f);
    ember_arena_free(&arena);
}

static void animbin_unit_by_the_skeleton_needs_a_rest(void **state)
{
    const ember_animbin_options asked = {.unit = EMBER_ANIMBIN_UNIT_AUTO};
    const ember_read_options    reading = {.animbin = asked};
    ember_arena                 arena = test_arena();
    ember_model                 model;
    ember_error                 err = EMBER_ERROR_INIT;
    rig                        *r = rig_make(1);
    (void)state;
    write_file(&file, &r->model, NULL);
    assert_int_equal(ember_model_read(&model, file.data, file.size, &reading, &arena, &err), EMBER_E_ARG);
    assert_non_null(strstr(err.text, "needs a rest pose"));
    r->model.skeleton.rest = NULL;
    refuse_model(&r->model, &asked, EMBER_E_ARG, "needs a rest pose");
    ember_arena_free(&arena);
}

/* Rests that nobody would make: the unit stays one that positions can be stored with. */
static void animbin_unit_by_the_skeleton_stays_within_reason(void **state)
{
    static const float sizes[] = {0.0f, 1e-30f, 1e-6f, 1e6f, 1e30f, INFINITY, NAN};
    (void)state;
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
        for (size_t k = 0; k < sizeof(sizes) / sizeof(sizes[0]); k++) {
            const ember_write_options asked = {.animbin = {.unit = EMBER_ANIMBIN_UNIT_AUTO}};
            rig                      *r = rig_make(1);
            r->rest[0].scale = (ember_vec3){sizes[k], sizes[k], sizes[k]};
            r->rest[1].position = (ember_vec3){sizes[i], 0, 0};
            r->frames[1].position.x = 1.0f;
            write_file(&file, &r->model, &asked);
        }
    /* Far away, with something small on it whose scale alone would ask for a unit of 2^26, with which 100 does not fit. */
    const ember_write_options asked = {.animbin = {.unit = EMBER_ANIMBIN_UNIT_AUTO}};
    rig                      *r = rig_make(2);
    r->rest[1] = (ember_transform){{0, 0, 0, 1}, {100, 0, 0}, {1e6f, 1e6f, 1e6f}};
    r->rest[2].position.y = 1e-6f;
    for (int i = 0; i < 2 * BONES; i++)
        r->frames[i] = r->rest[i % BONES];
    r->frames[1].position.x = 150.0f;
    write_file(&file, &r->model, &asked);
}

/* ---- spaces and bones ---- */

static void animbin_brings_model_space_to_local_space(void **state)
{
    rig *r = rig_make(1);
    (void)state;
    /* The root turned by a quarter, the others with it: in local space only the root turns. */
    r->clip.space = EMBER_SPACE_MODEL;
    r->frames[0] = (ember_transform){about_z(90), {0, 0, 0}, {1, 1, 1}};
    r->frames[1] = (ember_transform){about_z(90), {-1, 0, 0}, {1, 1, 1}};
    r->frames[2] = (ember_transform){about_z(90), {-2, 0, 0}, {1, 1, 1}};
    write_file(&file, &r->model, NULL);
    assert_int_equal(file.size, 9 + 42 + 3 * 15);
    assert_rotation(track_at(&file, 0, 3, 1) + 4, 0, 2896, 0, 0, 2896);
    assert_rotation(track_at(&file, 1, 3, 1) + 4, 0, 4096, 0, 0, 0);
    assert_rotation(track_at(&file, 2, 3, 1) + 4, 0, 4096, 0, 0, 0);
}

static void animbin_refuses_model_space_without_parents(void **state)
{
    rig *r = rig_make(1);
    (void)state;
    r->clip.space = EMBER_SPACE_MODEL;
    r->parents[1] = r->parents[2] = -1;
    refuse_model(&r->model, NULL, EMBER_E_UNSUPPORTED, "have no parents");
}

static void animbin_joints_are_the_skeletons_bones(void **state)
{
    static const uint16_t bones[] = {2, 0};
    rig                  *r = rig_make(1);
    (void)state;
    r->clip.bones = bones;
    r->clip.bone_count = 2;
    r->frames[0] = r->rest[2];
    r->frames[0].rotation = (ember_quat){1, 0, 0, 0};
    r->frames[1] = r->rest[0];
    write_file(&file, &r->model, NULL);
    put_header(&again, 1);
    put_animation(&again, "a", 0, 1, 2, 0);
    put_track(&again, 0, 0, 1);
    put_rotation(&again, 0, 4096, 0, 0, 0);
    put_track(&again, 0, 2, 1);
    put_rotation(&again, 0, 0, 4096, 0, 0);
    assert_same_file(&file, &again);
}

/* ---- limits ---- */

static void animbin_refuses_more_than_255_animations(void **state)
{
    static ember_clip clips[256];
    rig              *r = rig_make(1);
    (void)state;
    for (int i = 0; i < 256; i++)
        clips[i] = r->clip;
    r->model.clips = clips;
    r->model.clip_count = 256;
    refuse_model(&r->model, NULL, EMBER_E_LIMIT, "256 clips");
    r->model.clip_count = 255;
    write_file(&file, &r->model, NULL);
    assert_int_equal(file.data[8], 255);
}

static void animbin_refuses_more_than_65535_frames(void **state)
{
    ember_model      model;
    ember_transform *frames = calloc(65536, sizeof(*frames));
    int16_t          parents[1] = {-1};
    assert_non_null(frames);
    for (int i = 0; i < 65536; i++)
        frames[i].rotation.w = 1;
    ember_clip clip = {.name = "long", .space = EMBER_SPACE_LOCAL, .bone_count = 1, .frame_count = 65536, .frames = frames};
    model = (ember_model){.skeleton = {.bone_count = 1, .parents = parents}, .clip_count = 1, .clips = &clip};
    (void)state;
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

static void animbin_refuses_bones_beyond_255(void **state)
{
    static int16_t         parents[257];
    static ember_transform frames[257];
    for (int i = 0; i < 257; i++) {
        parents[i] = -1;
        frames[i] = (ember_transform)EMBER_TRANSFORM_IDENTITY;
    }
    ember_clip  clip = {.name = "wide", .space = EMBER_SPACE_LOCAL, .bone_count = 257, .frame_count = 1, .frames = frames};
    ember_model model = {.skeleton = {.bone_count = 257, .parents = parents}, .clip_count = 1, .clips = &clip};
    (void)state;
    refuse_model(&model, NULL, EMBER_E_LIMIT, "number 256");
    clip.bone_count = 256;
    write_file(&file, &model, NULL);
    assert_int_equal(file.size, 9 + 42 + 256 * 15);
}

static void animbin_refuses_numbers_that_do_not_fit(void **state)
{
    const ember_animbin_options fine = {.unit = 1e9};
    rig                        *r = rig_make(2);
    (void)state;
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

static void animbin_refuses_options_that_cannot_be(void **state)
{
    const ember_animbin_options unit = {.unit = -2.0}, keys = {.keys = (ember_animbin_keys)7},
                                basis = {.basis = (ember_animbin_basis)2};
    const ember_animbin_options tolerance = {.keys = EMBER_ANIMBIN_KEYS_SPARSE, .tolerance = -1.0};
    rig                        *r = rig_make(1);
    (void)state;
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

static void animbin_shortens_names_so_that_they_still_differ(void **state)
{
    static const char *const names[] = {
        "0123456789abcdef0123456789abcdeX", "0123456789abcdef0123456789abcdeY",
        "0123456789abcdef0123456789abc~2",  "0123456789abcdef0123456789abcd\xc3\xa5", /* the character would be cut in two */
        "0123456789abcdef0123456789abcdeX",                                           /* the same again is no other name */
    };
    static ember_clip clips[5];
    rig              *r = rig_make(1);
    (void)state;
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

/* Twenty thousand names that are the same up to the 40th byte, among them the numbered ones that shortening would make: in no
   time, and no two alike. */
static void animbin_shortens_any_number_of_names(void **state)
{
    enum { MARKERS = 20000, WIDTH = 48 };
    char         *names = calloc(MARKERS, WIDTH);
    ember_marker *markers = calloc(MARKERS, sizeof(*markers));
    uint8_t      *seen = calloc(100000, 1);
    ember_buffer  buffer = {.allocator = ember_heap()};
    ember_error   err = EMBER_ERROR_INIT;
    rig          *r = rig_make(1);
    (void)state;
    for (int i = 0; i < MARKERS; i++) {
        char tail[8];
        int  tail_size = snprintf(tail, sizeof(tail), "~%d", i + 2);
        if (i % 4 == 0)
            snprintf(names + i * WIDTH, WIDTH, "%.*s%s", 31 - tail_size, "0123456789abcdef0123456789abcdef", tail);
        else
            snprintf(names + i * WIDTH, WIDTH, "0123456789abcdef0123456789abcdef01234567%d", i);
        markers[i] = (ember_marker){names + i * WIDTH, 0};
    }
    r->clip.bone_count = 0;
    r->clip.markers = markers;
    r->clip.marker_count = MARKERS;
    const ember_write_options asked = {.format = EMBER_FORMAT_ANIMBIN, .notes = ears(&noise)};
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

static void animbin_writes_markers(void **state)
{
    static const ember_marker markers[] = {
        {"step", 1}, {"a marker with a name of 33 bytes!", 0}, {"a marker with a name of 33 bytes?", 0}, {"step", 0}};
    rig *r = rig_make(2);
    (void)state;
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

static void animbin_says_what_it_does_not_store(void **state)
{
    static const char *const  names[] = {"hip", "knee", "foot"};
    const ember_write_options asked = {.notes = ears(&noise)};
    rig                      *r = rig_make(1);
    (void)state;
    r->model.skeleton.names = names;
    r->clip.fps = 30;
    write_file(&file, &r->model, &asked);
    assert_non_null(strstr(noise.text, "names of 3 bones"));
    assert_non_null(strstr(noise.text, "the rate"));
    assert_null(strstr(noise.text, "loop"));
}

/* ---- memory ---- */

static void animbin_survives_every_failing_allocation(void **state)
{
    (void)state;
    put_sample(&file);
    fixture_every_allocation(file.data, file.size, (ember_read_options){.path = NULL});
}

static void animbin_survives_every_arena_size(void **state)
{
    (void)state;
    put_sample(&file);
    fixture_every_arena(file.data, file.size, (ember_read_options){.path = NULL});
}

/* Of keys that are kept, that are made, and that are sought. */
static void animbin_survives_every_output_size(void **state)
{
    ember_arena arena = test_arena();
    ember_model model;
    (void)state;
    put_sample(&file);
    read_file(&model, &file, NULL, &arena);
    for (int keys = EMBER_ANIMBIN_KEYS_KEPT; keys <= EMBER_ANIMBIN_KEYS_SPARSE; keys++) {
        ember_write_options options = {.format = EMBER_FORMAT_ANIMBIN, .animbin = {.keys = (ember_animbin_keys)keys}};
        fixture_every_output_size(&model, options);
    }
    ember_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(animbin_roundtrips),
        cmocka_unit_test(animbin_roundtrips_what_is_odd),
        cmocka_unit_test(animbin_roundtrips_under_every_unit_and_basis),
        cmocka_unit_test(animbin_roundtrips_through_json),
        cmocka_unit_test(animbin_keeps_keys_of_frames_that_nobody_touched),
        cmocka_unit_test(animbin_keys_frames_anew_that_were_touched),
        cmocka_unit_test(animbin_keys_a_clip_anew_that_was_cut),
        cmocka_unit_test(animbin_stores_again_what_it_once_decoded),
        cmocka_unit_test(animbin_rounds_to_nearest_or_truncates),
        cmocka_unit_test(animbin_truncates_each_value_for_itself),
        cmocka_unit_test(animbin_writes_one_dense_rotation_track_per_bone),
        cmocka_unit_test(animbin_rotations_keep_their_sign),
        cmocka_unit_test(animbin_rotations_need_not_be_unit),
        cmocka_unit_test(animbin_translations_are_written_where_they_move),
        cmocka_unit_test(animbin_auto_translations_look_at_the_rest),
        cmocka_unit_test(animbin_positions_without_a_rest_are_stored),
        cmocka_unit_test(animbin_still_positions_outlive_new_keys),
        cmocka_unit_test(animbin_unit_multiplies_lengths),
        cmocka_unit_test(animbin_psx_basis_turns_what_is_written),
        cmocka_unit_test(animbin_says_that_scales_are_lost),
        cmocka_unit_test(animbin_fits_bones_against_their_parents),
        cmocka_unit_test(animbin_warns_where_rounding_costs_much),
        cmocka_unit_test(animbin_unit_can_be_by_the_skeleton),
        cmocka_unit_test(animbin_unit_by_the_skeleton_needs_a_rest),
        cmocka_unit_test(animbin_unit_by_the_skeleton_stays_within_reason),
        cmocka_unit_test(animbin_brings_model_space_to_local_space),
        cmocka_unit_test(animbin_refuses_model_space_without_parents),
        cmocka_unit_test(animbin_joints_are_the_skeletons_bones),
        cmocka_unit_test(animbin_refuses_more_than_255_animations),
        cmocka_unit_test(animbin_refuses_more_than_65535_frames),
        cmocka_unit_test(animbin_refuses_bones_beyond_255),
        cmocka_unit_test(animbin_refuses_numbers_that_do_not_fit),
        cmocka_unit_test(animbin_refuses_options_that_cannot_be),
        cmocka_unit_test(animbin_shortens_names_so_that_they_still_differ),
        cmocka_unit_test(animbin_shortens_any_number_of_names),
        cmocka_unit_test(animbin_writes_markers),
        cmocka_unit_test(animbin_says_what_it_does_not_store),
        cmocka_unit_test(animbin_survives_every_failing_allocation),
        cmocka_unit_test(animbin_survives_every_arena_size),
        cmocka_unit_test(animbin_survives_every_output_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
