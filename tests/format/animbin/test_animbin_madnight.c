/* SPDX-License-Identifier: MIT */
/* ANIMBIN for madnight's player: one test per rule, and clips fitted to what it holds.
   Covers: animbin_check.c, animbin_fit.c. */
#include "animbin_bytes.h"

static file_bytes    file, again; /* too big for the stack of some systems */
static fixture_notes noise;

/* ---- findings ---- */

typedef struct found {
    int           errors, warnings;
    char          codes[256]; /* each followed by a space */
    ember_finding last;
    char          clip[64], bone[64], text[256];
} found;

static void take(void *user, const ember_finding *finding)
{
    found *f = user;
    size_t used = strlen(f->codes);
    f->errors += finding->severity == EMBER_SEVERITY_ERROR;
    f->warnings += finding->severity == EMBER_SEVERITY_WARNING;
    snprintf(f->codes + used, sizeof(f->codes) - used, "%s ", finding->code);
    f->last = *finding;
    snprintf(f->clip, sizeof(f->clip), "%s", finding->clip != NULL ? finding->clip : "-");
    snprintf(f->bone, sizeof(f->bone), "%s", finding->bone != NULL ? finding->bone : "-");
    snprintf(f->text, sizeof(f->text), "%s", finding->text);
}

static found check_model(const ember_model *model)
{
    found                     f = {.errors = 0};
    ember_error               err = EMBER_ERROR_INIT;
    const ember_findings      findings = {take, &f};
    const ember_write_options options = {.format = EMBER_FORMAT_ANIMBIN};
    assert_int_equal(ember_animbin_check(model, &options, &findings, &err), EMBER_OK);
    return f;
}

static found check_bytes(void)
{
    found                f = {.errors = 0};
    ember_error          err = EMBER_ERROR_INIT;
    const ember_findings findings = {take, &f};
    uint32_t             clip_count = 99;
    uint8_t             *exact = test_exact_copy(file.data, file.size);
    if (ember_animbin_check_file(&clip_count, exact, file.size, NULL, &findings, &err) != EMBER_OK)
        fail_msg("not read: %s", err.text);
    assert_int_equal(clip_count, file.data[8]);
    free(exact);
    return f;
}

/* As bytes, and as what was read of them: the same is said of both. */
static found check_file(void)
{
    ember_arena arena = test_arena();
    ember_model model;
    read_file(&model, &file, NULL, &arena);
    found f = check_model(&model), same = check_bytes();
    assert_string_equal(f.codes, same.codes);
    assert_string_equal(f.text, same.text);
    assert_string_equal(f.bone, same.bone);
    assert_int_equal(f.last.count, same.last.count);
    assert_int_equal(f.last.frame, same.last.frame);
    ember_arena_free(&arena);
    return f;
}

/* One animation of `tracks` dense rotation tracks with `keys` keys. */
static void put_plain(int tracks, int keys, int markers)
{
    put_header(&file, 1);
    put_animation(&file, "a", 1, keys > 0 ? keys : 1, tracks, markers);
    for (int t = 0; t < tracks; t++) {
        put_track(&file, 0, (unsigned)t, keys);
        for (int k = 0; k < keys; k++)
            put_rotation(&file, k, 4096, 0, 0, 0);
    }
    for (int m = 0; m < markers; m++)
        put_marker(&file, "m", 0);
}

TEST(madnight_has_nothing_to_say_of_what_fits)
{
    put_plain(15, 30, 5);
    assert_string_equal(check_file().codes, "");
}

TEST(madnight_holds_5_animations)
{
    for (unsigned count = 5; count <= 6; count++) {
        put_header(&file, count);
        for (unsigned i = 0; i < count; i++) {
            const char name[2] = {(char)('a' + i), '\0'};
            put_animation(&file, name, 1, 1, 0, 0);
        }
        assert_string_equal(check_file().codes, count > 5 ? "MAD002 " : "");
    }
    put_header(&file, 0);
    assert_string_equal(check_file().codes, "MAD111 ");
}

TEST(madnight_holds_50_tracks)
{
    for (int count = 50; count <= 51; count++) {
        put_header(&file, 1);
        put_animation(&file, "a", 1, 1, count, 0);
        for (int t = 0; t < count; t++) {
            put_track(&file, 0, (unsigned)t % 15, 1);
            put_rotation(&file, 0, 4096, 0, 0, 0);
        }
        assert_string_equal(check_file().codes, count > 50 ? "MAD003 MAD105 " : "MAD105 ");
    }
}

TEST(madnight_holds_30_keys_a_track)
{
    put_plain(2, 31, 0);
    found f = check_file();
    assert_string_equal(f.codes, "MAD004 ");
    assert_int_equal(f.errors, 1);
    assert_string_equal(f.clip, "a");
    assert_string_equal(f.bone, "joint 0");
    assert_int_equal(f.last.count, 2);
}

TEST(madnight_holds_5_markers)
{
    put_plain(1, 1, 6);
    assert_string_equal(check_file().codes, "MAD005 ");
}

TEST(madnight_holds_15_bones)
{
    put_plain(16, 1, 0);
    found f = check_file();
    assert_string_equal(f.codes, "MAD006 ");
    assert_string_equal(f.bone, "joint 15");
}

TEST(madnight_trips_over_tracks_without_keys)
{
    put_plain(1, 0, 0);
    assert_string_equal(check_file().codes, "MAD007 ");
}

TEST(madnight_reads_on_behind_a_name_of_32_bytes)
{
    put_header(&file, 1);
    put_animation(&file, "0123456789abcdef0123456789abcdef", 1, 1, 0, 0);
    assert_string_equal(check_file().codes, "MAD008 ");
}

TEST(madnight_reads_on_behind_a_marker_of_32_bytes)
{
    put_header(&file, 1);
    put_animation(&file, "a", 1, 4, 0, 3);
    put_marker(&file, "0123456789abcdef0123456789abcde", 0);
    put_marker(&file, "0123456789abcdef0123456789abcdef", 2);
    put_marker(&file, "0123456789abcdef0123456789abcdeg", 3);
    found f = check_file();
    assert_string_equal(f.codes, "MAD011 ");
    assert_int_equal(f.errors, 1);
    assert_int_equal(f.last.frame, 2);
    assert_int_equal(f.last.count, 2);
    assert_non_null(strstr(f.text, "0123456789abcdef0123456789abcdef"));
    /* 32 bytes of which two are a control character, which becomes a single '?' when it is read. */
    put_header(&file, 1);
    put_animation(&file, "a", 1, 4, 0, 1);
    put_marker(&file, "0123456789abcdef0123456789abcd\xc2\x85", 0);
    assert_string_equal(check_bytes().codes, "MAD011 ");
}

TEST(madnight_never_reaches_markers_beyond_the_length)
{
    put_header(&file, 1);
    put_animation(&file, "a", 1, 4, 0, 3);
    put_marker(&file, "last", 3);
    put_marker(&file, "late", 4);
    put_marker(&file, "later", 65535);
    found f = check_bytes();
    assert_string_equal(f.codes, "MAD112 ");
    assert_int_equal(f.warnings, 1);
    assert_int_equal(f.last.frame, 4);
    assert_int_equal(f.last.count, 2);
    assert_string_equal(f.text, "marker \"late\", beyond the length of 4, is never reached");
}

/* Files that are far too much to be sampled are judged all the same. */
TEST(madnight_judges_files_of_any_length)
{
    put_header(&file, 1);
    put_animation(&file, "a", 1, 65535, 1, 0);
    put_track(&file, 0, 255, 1);
    put_rotation(&file, 0, 4096, 0, 0, 0);
    assert_string_equal(check_bytes().codes, "MAD006 ");
    file.data[9 + 42 + 1] = 14;
    assert_string_equal(check_bytes().codes, "");
}

TEST(madnight_says_why_a_file_cannot_be_read)
{
    static const int16_t parents[2] = {-1, 0};
    const ember_skeleton two = {.bone_count = 2, .parents = parents};
    found                f = {.errors = 0};
    const ember_findings findings = {take, &f};
    ember_error          err = EMBER_ERROR_INIT;
    uint32_t             clip_count = 99;
    put_plain(3, 1, 0);
    for (fixture_prefix p = fixture_prefixes(file.data, file.size); fixture_prefix_next(&p);) {
        err = (ember_error)EMBER_ERROR_INIT;
        assert_int_not_equal(ember_animbin_check_file(&clip_count, p.data, p.size, NULL, &findings, &err),
                             EMBER_OK);
        assert_true(err.text[0] != '\0');
        assert_int_equal(clip_count, 0);
    }
    err = (ember_error)EMBER_ERROR_INIT;
    assert_int_equal(ember_animbin_check_file(&clip_count, file.data, file.size, &two, &findings, &err),
                     EMBER_E_LIMIT);
    assert_non_null(strstr(err.text, "joint 2, but the skeleton has 2 bones"));
    assert_int_equal(ember_animbin_check_file(&clip_count, NULL, 0, NULL, &findings, NULL),
                     EMBER_E_TRUNCATED);
    assert_string_equal(f.codes, "");
}

TEST(madnight_trips_over_mixed_tracks)
{
    put_header(&file, 1);
    put_animation(&file, "a", 1, 1, 1, 0);
    put_track(&file, 0, 0, 2);
    put_rotation(&file, 0, 4096, 0, 0, 0);
    put_translation(&file, 0, 0, 0, 0);
    assert_string_equal(check_file().codes, "MAD009 MAD102 ");
}

TEST(madnight_steps_over_sparse_keys)
{
    put_header(&file, 1);
    put_animation(&file, "a", 1, 5, 1, 0);
    put_track(&file, 0, 2, 3);
    put_rotation(&file, 0, 4096, 0, 0, 0);
    put_rotation(&file, 1, 4000, 881, 0, 0);
    put_rotation(&file, 4, 4096, 0, 0, 0);
    found f = check_file();
    assert_string_equal(f.codes, "MAD101 ");
    assert_int_equal(f.warnings, 1);
    assert_int_equal(f.last.frame, 1);
    /* Two equal keys have nothing between them to miss. */
    put_header(&file, 1);
    put_animation(&file, "a", 1, 5, 1, 0);
    put_track(&file, 0, 2, 2);
    put_rotation(&file, 0, 4096, 0, 0, 0);
    put_rotation(&file, 4, 4096, 0, 0, 0);
    assert_string_equal(check_file().codes, "");
}

TEST(madnight_never_applies_translations)
{
    put_header(&file, 1);
    put_animation(&file, "a", 1, 1, 1, 0);
    put_track(&file, 1, 0, 1);
    put_translation(&file, 0, 1, 2, 3);
    assert_string_equal(check_file().codes, "MAD102 ");
}

TEST(madnight_goes_the_long_way_round)
{
    put_header(&file, 1);
    put_animation(&file, "a", 1, 2, 1, 0);
    put_track(&file, 0, 0, 2);
    put_rotation(&file, 0, 4096, 0, 0, 0);
    put_rotation(&file, 1, -4095, 90, 0, 0);
    found f = check_file();
    assert_string_equal(f.codes, "MAD103 ");
    assert_int_equal(f.last.frame, 1);
}

TEST(madnight_has_rules_for_odd_numbers)
{
    put_header(&file, 1);
    put_animation(&file, "a", 1, 1, 1, 0);
    put_track(&file, 0, 0, 1);
    put_rotation(&file, 0, 2048, 0, 0, 0);
    assert_string_equal(check_file().codes, "MAD104 ");
    put_header(&file, 1);
    put_animation(&file, "a", 1, 1, 1, 0);
    put_track(&file, 0, 0, 1);
    put_rotation(&file, 3, 4096, 0, 0, 0);
    assert_string_equal(check_file().codes, "MAD106 ");
    put_header(&file, 1);
    put_animation(&file, "a", 3, 1, 0, 0);
    assert_string_equal(check_file().codes, "MAD110 ");
    put_header(&file, 2);
    put_animation(&file, "a", 1, 1, 0, 0);
    put_animation(&file, "a", 1, 1, 0, 0);
    assert_string_equal(check_file().codes, "MAD108 ");
}

/* Models of other formats are looked at as they would be stored. */
TEST(madnight_judges_any_model)
{
    static const int16_t     parents[16] = {-1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14};
    static const char *const names[16] = {[15] = "tail"};
    static ember_transform   frames[16 * 40];
    for (int i = 0; i < 16 * 40; i++)
        frames[i] = (ember_transform)EMBER_TRANSFORM_IDENTITY;
    const ember_marker marker = {"a marker that is longer than 31 bytes", 3};
    ember_clip         clip = {.name = "a name that is longer than 31 bytes",
                               .fps = 30,
                               .markers = &marker,
                               .marker_count = 1,
                               .space = EMBER_SPACE_LOCAL,
                               .bone_count = 16,
                               .frame_count = 40,
                               .frames = frames};
    ember_model        model = {.skeleton = {.bone_count = 16, .parents = parents, .names = names},
                                .clip_count = 1,
                                .clips = &clip};
    found              f = check_model(&model);
    assert_string_equal(f.codes, "MAD109 MAD109 MAD107 MAD004 MAD006 ");
    assert_string_equal(f.bone, "tail");
    frames[5].rotation.w = 0;
    f = check_model(&model);
    assert_string_equal(f.codes, "MAD109 MAD010 MAD109 MAD107 ");
}

/* ---- fitting ---- */

static void fit_file(ember_model *out, ember_model *read, ember_arena *arena)
{
    ember_error               err = EMBER_ERROR_INIT;
    const ember_write_options options = {.notes = fixture_listen(&noise)};
    read_file(read, &file, NULL, arena);
    if (ember_animbin_fit(out, read, &options, arena, &err) != EMBER_OK)
        fail_msg("not fitted: %s", err.text);
    assert_int_equal(check_model(out).errors, 0);
}

static void refuse_fit(ember_status status, const char *part)
{
    ember_arena               arena = test_arena();
    ember_model               read, out;
    ember_error               err = EMBER_ERROR_INIT;
    const ember_write_options options = {.notes = fixture_listen(&noise)};
    read_file(&read, &file, NULL, &arena);
    assert_int_equal(ember_animbin_fit(&out, &read, &options, &arena, &err), status);
    assert_says(fixture_error_line(&err).text, part);
    assert_null(out.clips);
    ember_arena_free(&arena);
}

TEST(madnight_fit_leaves_what_fits_as_it_is)
{
    ember_arena arena = test_arena();
    ember_model read, out;
    put_plain(15, 30, 5);
    fit_file(&out, &read, &arena);
    assert_string_equal(noise.text, "");
    write_file(&again, &out, NULL);
    assert_same_file(&file, &again);
    ember_arena_free(&arena);
}

TEST(madnight_fit_thins_keys_evenly)
{
    ember_arena arena = test_arena();
    ember_model read, out;
    put_header(&file, 1);
    put_animation(&file, "a", 1, 59, 1, 0);
    put_track(&file, 0, 0, 59);
    for (int k = 0; k < 59; k++)
        put_rotation(&file, k, 4096, k, 0, 0);
    fit_file(&out, &read, &arena);
    assert_non_null(strstr(noise.text, "thinned evenly from 59 to 30 keys"));
    write_file(&again, &out, NULL);
    put_header(&file, 1);
    put_animation(&file, "a", 1, 59, 1, 0);
    put_track(&file, 0, 0, 30);
    for (int k = 0; k < 59; k += 2)
        put_rotation(&file, k, 4096, k, 0, 0);
    assert_same_file(&file, &again);
    ember_arena_free(&arena);
}

TEST(madnight_fit_keeps_the_keys_that_are_nearest_to_even)
{
    ember_arena arena = test_arena();
    ember_model read, out;
    put_header(&file, 1);
    put_animation(&file, "a", 1, 40, 1, 0);
    put_track(&file, 0, 0, 40);
    for (int k = 0; k < 40; k++)
        put_rotation(&file, k, 4096, k, 0, 0);
    fit_file(&out, &read, &arena);
    write_file(&again, &out, NULL);
    assert_int_equal(again.size, 9 + 42 + 4 + 30 * 11);
    for (int i = 0; i < 30; i++)
        assert_int_equal(again.data[9 + 42 + 4 + 11 * i], (int)(i * 39.0 / 29.0 + 0.5));
    ember_arena_free(&arena);
}

TEST(madnight_fit_drops_what_the_player_cannot_use)
{
    ember_arena arena = test_arena();
    ember_model read, out;
    put_header(&file, 1);
    put_animation(&file, "a", 7, 2, 6, 6);
    put_track(&file, 0, 1, 1);
    put_rotation(&file, 0, 0, 4096, 0, 0); /* overruled by the next */
    put_track(&file, 0, 1, 3);
    put_rotation(&file, 0, 4096, 0, 0, 0);
    put_rotation(&file, 1, -2048, 0, 0, 0); /* not unit, and of the other sign */
    put_rotation(&file, 9, 4096, 0, 0, 0);  /* never reached */
    put_track(&file, 1, 1, 1);
    put_translation(&file, 0, 1, 2, 3);
    put_track(&file, 1, 20, 1);
    put_translation(&file, 0, 1, 2, 3);
    put_track(&file, 0, 3, 0);
    put_track(&file, 1, 2, 2);
    put_rotation(&file, 0, 0, 4096, 0, 0);
    put_translation(&file, 0, 1, 2, 3);
    for (int m = 0; m < 6; m++)
        put_marker(&file, m < 5 ? "kept" : "lost", 1);
    fit_file(&out, &read, &arena);
    assert_non_null(strstr(noise.text, "translations of 3 joints are dropped"));
    assert_non_null(strstr(noise.text, "2 tracks are dropped"));
    assert_non_null(strstr(noise.text, "1 key is dropped: beyond the length of 2, never reached"));
    assert_non_null(strstr(noise.text, "1 marker is dropped, first \"lost\" on frame 1: the player holds 5"));
    write_file(&again, &out, NULL);
    put_header(&file, 1);
    put_animation(&file, "a", 1, 2, 2, 5);
    put_track(&file, 0, 1, 2);
    put_rotation(&file, 0, 4096, 0, 0, 0);
    put_rotation(&file, 1, 4096, 0, 0, 0);
    put_track(&file, 0, 2, 1);
    put_rotation(&file, 0, 0, 4096, 0, 0);
    for (int m = 0; m < 5; m++)
        put_marker(&file, "kept", 1);
    assert_same_file(&file, &again);
    ember_arena_free(&arena);
}

/* A key that is never reached but held from the start is brought to the start. */
TEST(madnight_fit_leaves_no_key_beyond_the_length)
{
    ember_arena arena = test_arena();
    ember_model read, out;
    put_header(&file, 1);
    put_animation(&file, "a", 1, 2, 1, 0);
    put_track(&file, 0, 1, 2);
    put_rotation(&file, 7, 0, 4096, 0, 0);
    put_rotation(&file, 9, 4096, 0, 0, 0);
    fit_file(&out, &read, &arena);
    write_file(&again, &out, NULL);
    assert_true(out.clips[0].frames[3].rotation.x == 1.0f);
    put_header(&file, 1);
    put_animation(&file, "a", 1, 2, 1, 0);
    put_track(&file, 0, 1, 1);
    put_rotation(&file, 0, 0, 4096, 0, 0);
    assert_same_file(&file, &again);
    assert_string_equal(check_file().codes, "");
    ember_arena_free(&arena);
}

/* Between two keys the player would wait: where there is room for it, what lies between is keyed. */
TEST(madnight_fit_keys_what_the_player_would_step_over)
{
    static const int sines[] = {0, 1060, 2048, 2896}; /* of 0, 15, 30 and 45 degrees; half turns by 0 to 90 */
    static const int cosines[] = {4096, 3956, 3547, 2896};
    ember_arena      arena = test_arena();
    ember_model      read, out;
    put_header(&file, 1);
    put_animation(&file, "a", 1, 4, 2, 0);
    put_track(&file, 0, 1, 2);
    put_rotation(&file, 0, 4096, 0, 0, 0);
    put_rotation(&file, 3, 2896, 0, 0, 2896);
    put_track(&file, 0, 2, 2);
    put_rotation(&file, 0, 4096, 0, 0, 0);
    put_rotation(&file, 3, 4096, 0, 0, 0);
    fit_file(&out, &read, &arena);
    assert_string_equal(noise.text, "W 1 track is keyed on every frame: the player does not interpolate\n");
    assert_string_equal(noise.clip, "a");
    write_file(&again, &out, NULL);
    put_header(&file, 1);
    put_animation(&file, "a", 1, 4, 2, 0);
    put_track(&file, 0, 1, 4);
    for (int frame = 0; frame < 4; frame++)
        put_rotation(&file, frame, cosines[frame], 0, 0, sines[frame]);
    put_track(&file, 0, 2, 2);
    put_rotation(&file, 0, 4096, 0, 0, 0);
    put_rotation(&file, 3, 4096, 0, 0, 0);
    assert_same_file(&file, &again);
    assert_string_equal(check_file().codes, "");
    ember_arena_free(&arena);
}

TEST(madnight_fit_warns_of_a_rate_that_no_console_has)
{
    static const double rates[] = {0, 50, 60, 30, 24};
    for (int i = 0; i < 5; i++) {
        ember_arena               arena = test_arena();
        ember_model               read, out;
        ember_error               err = EMBER_ERROR_INIT;
        const ember_read_options  reading = {.fps = rates[i]};
        const ember_write_options options = {.notes = fixture_listen(&noise)};
        put_plain(1, 2, 0);
        read_file(&read, &file, &reading, &arena);
        assert_int_equal(ember_animbin_fit(&out, &read, &options, &arena, &err), EMBER_OK);
        assert_int_equal(noise.count[EMBER_NOTE_WARNING], i < 3 ? 0 : 1);
        assert_true(i < 4 || strstr(noise.text, "24 frames a second will play at 60 or 50") != NULL);
        ember_arena_free(&arena);
    }
}

TEST(madnight_fit_says_why_it_cannot)
{
    put_plain(16, 1, 0);
    refuse_fit(EMBER_E_LIMIT, "number 15");
    put_header(&file, 6);
    for (int i = 0; i < 6; i++)
        put_animation(&file, "a", 1, 1, 0, 0);
    refuse_fit(EMBER_E_LIMIT, "6 clips, the player holds 5");
}
