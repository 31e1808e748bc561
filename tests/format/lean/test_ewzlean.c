/* SPDX-License-Identifier: MIT */
/* .ewzlean: a file by hand, what comes back of a model that was written, and how far it may be off.
   Covers: ewzlean_read.c, ewzlean_write.c. */
#include <math.h>

#include "ember/format_options.h"
#include "format/lean/ewzlean_made.h"

/* 40 frames of the chain, swaying, some bones with scales. */
#define LONG 40u

typedef struct swaying {
    fixture_model   base;
    ember_transform frames[FIXTURE_BONES * LONG];
    ember_clip      clips[2];
} swaying;

static void swaying_fill(swaying *s)
{
    fixture_fill(&s->base);
    for (uint32_t f = 0; f < LONG; f++)
        for (uint32_t i = 0; i < FIXTURE_BONES; i++) {
            const float      time = (float)f / 24.0f, angle = 0.8f * sinf(3.0f * time + (float)i);
            ember_transform *t = &s->frames[f * FIXTURE_BONES + i];
            *t = s->base.rest[i];
            t->rotation = (ember_quat){sinf(angle / 2), 0.0f, 0.0f, cosf(angle / 2)};
            t->position.x = i == 0 ? time : 0.0f;
            t->scale.y = i == 2 ? 1.0f + 0.2f * sinf(time) : 1.0f;
        }
    s->clips[0] = s->base.clip;
    s->clips[1] = s->base.clip;
    s->clips[1].name = "sway";
    s->clips[1].loop = false;
    s->clips[1].fps = 29.97;
    s->clips[1].marker_count = 0;
    s->clips[1].frames = s->frames;
    s->clips[1].frame_count = LONG;
    s->base.model.clips = s->clips;
    s->base.model.clip_count = 2;
}

/* The largest distance of a bone's place or of a point one shell along an axis, in model space and double
   precision: a chain without the library's help. */
static double chain_error(const ember_transform *a, const ember_transform *b, double shell)
{
    double worst = 0.0, m[2][4][3] = {{{0}}};
    for (int s = 0; s < 2; s++)
        for (int k = 0; k < 3; k++)
            m[s][k][k] = 1.0;
    for (uint32_t i = 0; i < FIXTURE_BONES; i++) {
        double lengths[3] = {0, 0, 0};
        for (int s = 0; s < 2; s++) {
            const ember_transform *t = s == 0 ? &a[i] : &b[i];
            const double           x = t->rotation.x, y = t->rotation.y, z = t->rotation.z, w = t->rotation.w;
            const double           n = 2.0 / (x * x + y * y + z * z + w * w),
                         scale[3] = {t->scale.x, t->scale.y, t->scale.z};
            const double local[4][3] = {{1 - n * (y * y + z * z), n * (x * y + w * z), n * (x * z - w * y)},
                                        {n * (x * y - w * z), 1 - n * (x * x + z * z), n * (y * z + w * x)},
                                        {n * (x * z + w * y), n * (y * z - w * x), 1 - n * (x * x + y * y)},
                                        {t->position.x, t->position.y, t->position.z}};
            double       out[4][3];
            for (int c = 0; c < 4; c++)
                for (int r = 0; r < 3; r++) {
                    out[c][r] = c == 3 ? m[s][3][r] : 0.0;
                    for (int k = 0; k < 3; k++)
                        out[c][r] += m[s][k][r] * local[c][k] * (c < 3 ? scale[c] : 1.0);
                }
            memcpy(m[s], out, sizeof(out));
        }
        for (int c = 0; c < 3; c++)
            lengths[c] = sqrt(m[0][c][0] * m[0][c][0] + m[0][c][1] * m[0][c][1] + m[0][c][2] * m[0][c][2]);
        for (int c = 0; c < 4; c++) {
            double square = 0.0;
            for (int r = 0; r < 3; r++) {
                double off = m[0][3][r] - m[1][3][r];
                if (c < 3)
                    off += (m[0][c][r] - m[1][c][r]) * shell / lengths[c];
                square += off * off;
            }
            worst = fmax(worst, sqrt(square));
        }
    }
    return worst;
}

TEST(ewzlean_read_matches_golden)
{
    ember_arena           arena = ember_arena_growing(ember_heap(), 0);
    ember_model           model = fixture_read(ewzlean_golden, sizeof(ewzlean_golden), as_ewzlean, &arena);
    const ember_skeleton *s = &model.skeleton;
    const ember_clip     *clip = &model.clips[0];
    assert_int_equal(ember_format_sniff(ewzlean_golden, sizeof(ewzlean_golden), NULL)->format,
                     EMBER_FORMAT_EWZLEAN);
    assert_int_equal(s->bone_count, 2);
    assert_int_equal(s->parents[0], -1);
    assert_int_equal(s->parents[1], 0);
    assert_string_equal(s->names[0], "hip");
    assert_string_equal(s->names[1], "knee");
    assert_vec3(s->rest[1].position, 0.0f, 0.5f, 0.0f);
    assert_int_equal(model.clip_count, 1);
    assert_string_equal(clip->name, "walk");
    assert_true(clip->fps == 24.0 && clip->loop && clip->space == EMBER_SPACE_LOCAL);
    assert_int_equal(clip->frame_count, 1);
    assert_int_equal(clip->bone_count, 2);
    assert_true(clip->error == 1.0f / 1024.0f);
    assert_vec3(clip->frames[0].position, 0.0f, 1.0f, 0.0f);
    assert_vec3(clip->frames[1].position, 0.0f, 0.5f, 0.0f);
    assert_quat(clip->frames[1].rotation, 0.0, 0.0, 0.0, 1.0);
    assert_vec3(clip->frames[1].scale, 1.0f, 1.0f, 1.0f);
    assert_int_equal(clip->marker_count, 1);
    assert_string_equal(clip->markers[0].name, "up");
    assert_int_equal(clip->markers[0].frame, 0);
    ember_arena_free(&arena);
}

TEST(ewzlean_roundtrips_all_but_frames_exactly)
{
    swaying s;
    swaying_fill(&s);
    ember_arena  arena = ember_arena_growing(ember_heap(), 0);
    ember_buffer file = fixture_write(&s.base.model, to_ewzlean);
    ember_model  back = fixture_read(file.data, file.size, as_ewzlean, &arena);
    assert_memory_equal(back.skeleton.rest, s.base.rest, sizeof(s.base.rest));
    assert_memory_equal(back.skeleton.parents, s.base.parents, sizeof(s.base.parents));
    for (uint32_t i = 0; i < FIXTURE_BONES; i++)
        assert_string_equal(back.skeleton.names[i], s.base.names[i]);
    assert_int_equal(back.clip_count, 2);
    for (uint32_t i = 0; i < 2; i++) {
        assert_string_equal(back.clips[i].name, s.clips[i].name);
        assert_true(back.clips[i].fps == s.clips[i].fps && back.clips[i].loop == s.clips[i].loop);
        assert_int_equal(back.clips[i].frame_count, s.clips[i].frame_count);
        assert_int_equal(back.clips[i].marker_count, s.clips[i].marker_count);
    }
    assert_string_equal(back.clips[0].markers[1].name, "step");
    assert_int_equal(back.clips[0].markers[1].frame, 3);
    ember_arena_free(&arena);
    ember_buffer_free(&file);
}

/* The shell that the file's rig states: behind header, parents, rest, and names of 3, 4 and 4 letters. */
static double shell_of(const ember_buffer *file)
{
    float shell;
    memcpy(&shell, file->data + 16 + FIXTURE_BONES * (2 + 40 + 2) + 11 + 4, sizeof(shell));
    return (double)shell;
}

static void check_error(ember_ewzlean_options asked, double bound)
{
    swaying s;
    swaying_fill(&s);
    s.base.model.clips = &s.clips[1];
    s.base.model.clip_count = 1;
    ember_arena  arena = ember_arena_growing(ember_heap(), 0);
    ember_buffer file = fixture_write(&s.base.model, (ember_write_options){.format = EMBER_FORMAT_EWZLEAN,
                                                                           .ewzlean = &asked});
    ember_model  back = fixture_read(file.data, file.size, as_ewzlean, &arena);
    double       worst = 0.0;
    for (uint32_t f = 0; f < LONG; f++)
        worst = fmax(worst, chain_error(s.frames + f * FIXTURE_BONES,
                                        back.clips[0].frames + f * FIXTURE_BONES, shell_of(&file)));
    assert_true(worst > 0.0 && shell_of(&file) > 0.001);
    if (worst > (double)back.clips[0].error || (double)back.clips[0].error > bound)
        fail_msg("measured %g, stated %g, asked %g", worst, (double)back.clips[0].error, bound);
    ember_arena_free(&arena);
    ember_buffer_free(&file);
}

TEST(ewzlean_keeps_the_error_that_it_was_given)
{
    check_error((ember_ewzlean_options){.error = 0.01}, 0.01);
    check_error((ember_ewzlean_options){.error = 0.001}, 0.001);
    check_error((ember_ewzlean_options){.error = 0.00005}, 0.00005);
}

TEST(ewzlean_scale_counts_for_lengths_and_the_error)
{
    ember_arena arena = ember_arena_growing(ember_heap(), 0);
    ember_model model =
        fixture_read(ewzlean_golden, sizeof(ewzlean_golden),
                     (ember_read_options){.format = EMBER_FORMAT_EWZLEAN, .scale = 100.0}, &arena);
    assert_vec3(model.skeleton.rest[1].position, 0.0f, 50.0f, 0.0f);
    assert_vec3(model.clips[0].frames[1].position, 0.0f, 50.0f, 0.0f);
    assert_true(model.clips[0].error == 100.0f / 1024.0f);
    ember_arena_free(&arena);
    uint8_t far[sizeof(ewzlean_golden)];
    memcpy(far, ewzlean_golden, sizeof(far));
    far[EWZLEAN_RIG + 8 + 19] = 0x7E; /* the hip at 2^126 */
    fixture_refuse(far, sizeof(far), (ember_read_options){.format = EMBER_FORMAT_EWZLEAN, .scale = 100.0},
                   EMBER_E_RANGE, "walk: a position is not finite when scaled");
}

TEST(ewzlean_leaves_clips_out_where_they_are_not_wanted)
{
    ember_arena        arena = ember_arena_growing(ember_heap(), 0);
    ember_read_options options = {.format = EMBER_FORMAT_EWZLEAN, .skip_clips = true};
    ember_model        model = fixture_read(ewzlean_golden, EWZLEAN_CLIP, options, &arena);
    assert_int_equal(model.clip_count, 0);
    assert_int_equal(model.skeleton.bone_count, 2);
    ember_arena_free(&arena);
}

/* A clip of the knee alone: the others keep their rest, and that it was alone is a loss. */
TEST(ewzlean_gives_bones_that_a_clip_does_not_move_their_rest)
{
    static const uint16_t knee[1] = {1};
    swaying               s;
    fixture_notes         notes;
    swaying_fill(&s);
    ember_clip part = s.clips[1];
    part.bones = knee;
    part.bone_count = 1;
    s.base.model.clips = &part;
    s.base.model.clip_count = 1;
    ember_arena  arena = ember_arena_growing(ember_heap(), 0);
    ember_buffer file = fixture_write(&s.base.model, (ember_write_options){.format = EMBER_FORMAT_EWZLEAN,
                                                                           .notes = fixture_listen(&notes)});
    ember_model  back = fixture_read(file.data, file.size, as_ewzlean, &arena);
    assert_int_equal(back.clips[0].bone_count, FIXTURE_BONES);
    assert_vec3(back.clips[0].frames[2].position, 0.0f, -0.5f, 0.0f);
    assert_int_equal(notes.count[EMBER_NOTE_LOSS], 1);
    ember_arena_free(&arena);
    ember_buffer_free(&file);
}

TEST(ewzlean_says_where_a_bound_cannot_be_kept)
{
    swaying       s;
    fixture_notes notes;
    swaying_fill(&s);
    for (uint32_t f = 0; f < LONG; f++)
        s.frames[f * FIXTURE_BONES + 1].position.y = 50000.0f;
    ember_ewzlean_options asked = {.error = 1e-6};
    ember_write_options   options = {.format = EMBER_FORMAT_EWZLEAN,
                                     .ewzlean = &asked,
                                     .notes = fixture_listen(&notes)};
    ember_buffer          file = fixture_write(&s.base.model, options);
    assert_in_range(notes.count[EMBER_NOTE_WARNING], 1, 2);
    assert_non_null(strstr(notes.text, "was asked for"));
    assert_int_equal(fixture_survive(file.data, file.size, as_ewzlean), EMBER_OK);
    ember_buffer_free(&file);
}

TEST(ewzlean_write_refuses_what_does_not_fit)
{
    swaying s;
    swaying_fill(&s);
    s.base.model.clip_count = 0;
    fixture_refuse_write(&s.base.model, to_ewzlean, EMBER_E_LIMIT, "0 clips");
    s.base.model.clip_count = 2;
    s.clips[1].frame_count = 0;
    fixture_refuse_write(&s.base.model, to_ewzlean, EMBER_E_LIMIT, "sway: 0 frames");
    s.clips[1].frame_count = LONG;
    s.frames[7 * FIXTURE_BONES + 1].position.y = NAN;
    fixture_refuse_write(&s.base.model, to_ewzlean, EMBER_E_RANGE, "sway: knee: frame 7");
    swaying_fill(&s);
    s.base.rest[2].scale.x = INFINITY;
    fixture_refuse_write(&s.base.model, to_ewzlean, EMBER_E_RANGE, "foot");
    swaying_fill(&s);
    ember_ewzlean_options asked = {.error = 1e300};
    fixture_refuse_write(&s.base.model,
                         (ember_write_options){.format = EMBER_FORMAT_EWZLEAN, .ewzlean = &asked},
                         EMBER_E_ARG, "1e+300");
}

TEST(ewzlean_write_survives_every_output_size)
{
    swaying s;
    swaying_fill(&s);
    fixture_every_output_size(&s.base.model, to_ewzlean);
}
