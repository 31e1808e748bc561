/* SPDX-License-Identifier: MIT */
/* What is done with whole packs: repack, repair, more frames per second, checking.
   Covers: ff7_check.c, ff7_fps.c. */

#include "ff7_packs.h"

typedef struct opened {
    ember_arena    arena;
    ember_ff7_pack pack;
} opened;

static opened open_pack(const uint8_t *data, size_t size)
{
    opened o = {.arena = ember_arena_growing(ember_heap(), 0)};
    assert_int_equal(ember_ff7_pack_read(&o.pack, data, size, NULL, &o.arena, NULL), EMBER_OK);
    return o;
}

static ember_ff7_clip decode(opened *o, uint32_t index)
{
    ember_ff7_clip clip;
    assert_int_equal(ember_ff7_decode(&clip, &o->pack.chunks[index], &o->arena, NULL), EMBER_OK);
    return clip;
}

/* ---- repack ---- */

TEST(repacking_saves_a_quarter_and_changes_no_value)
{
    test_random r = {31};
    made        m = {NULL, 0, 0, 0};
    made_u32(&m, 12);
    for (uint32_t i = 0; i < 12; i++)
        made_add(&m, &(made_clip){25, 25, 40, i < 10 ? 0 : i % 10 * 2 + 2, true, 20, i % 2 * 7}, &r);
    ember_buffer     out = {.allocator = ember_heap()};
    ember_ff7_report report;
    opened           before = open_pack(m.data, m.size);
    assert_int_equal(ember_ff7_repack(&out, &before.pack, &report, NULL, NULL), EMBER_OK);
    opened after = open_pack(out.data, out.size);
    print_message("%zu bytes, %zu repacked: %.1f %% saved\n", m.size, out.size,
                  100.0 - 100.0 * (double)out.size / (double)m.size);
    assert_true(out.size * 4 <= m.size * 3);
    assert_int_equal(report.before, m.size);
    assert_int_equal(report.after, out.size);
    assert_int_equal(report.changed, 12);
    for (uint32_t i = 0; i < 12; i++) {
        ember_ff7_clip a = decode(&before, i), b = decode(&after, i);
        assert_true(ember_ff7_same(&a, &b));
        assert_int_equal(a.key, b.key);
        assert_true(ember_ff7_codes_wasted(&before.pack.chunks[i]) > 0);
        assert_int_equal(ember_ff7_codes_wasted(&after.pack.chunks[i]), 0);
        assert_int_equal(after.pack.chunks[i].odd, 0);
    }
    /* What cannot be made smaller is copied. */
    ember_buffer again = {.allocator = ember_heap()};
    assert_int_equal(ember_ff7_repack(&again, &after.pack, &report, NULL, NULL), EMBER_OK);
    assert_int_equal(report.changed, 0);
    assert_int_equal(again.size, out.size);
    assert_memory_equal(again.data, out.data, out.size);
    ember_buffer_free(&again);
    ember_buffer_free(&out);
    ember_arena_free(&before.arena);
    ember_arena_free(&after.arena);
    free(m.data);
}

/* ---- repair ---- */

TEST(repair_puts_right_what_is_wrong_and_leaves_the_rest)
{
    test_random r = {32};
    made        m = {NULL, 0, 0, 0};
    made_u32(&m, 6);
    size_t fine = made_add(&m, &(made_clip){4, 4, 7, 0, true, 0, 5}, &r);
    size_t counter = made_add(&m, &(made_clip){4, 4, 7, 2, false, 0, 0}, &r);
    size_t more = made_add(&m, &(made_clip){4, 4, 7, 0, false, 0, 0}, &r);
    size_t fewer = made_add(&m, &(made_clip){4, 4, 7, 0, false, 0, 0}, &r);
    made_add_special(&m, 4);
    size_t cut = made_add(&m, &(made_clip){4, 4, 20, 0, false, 0, 0}, &r);
    made_set_u32(&m, counter + 4, 12);
    m.data[more + 12] = 4;
    m.data[more + 4] = 4;
    m.data[fewer + 12] = 10;
    m.data[fewer + 4] = 10;
    opened           whole = open_pack(m.data, m.size);
    size_t           size = cut + 12 + (m.size - cut - 12) / 2;
    opened           before = open_pack(m.data, size);
    ember_buffer     out = {.allocator = ember_heap()};
    ember_ff7_report report;
    assert_int_equal(ember_ff7_repair(&out, &before.pack, &report, NULL, NULL), EMBER_OK);
    opened after = open_pack(out.data, out.size);
    assert_int_equal(after.pack.chunk_count, 6);
    assert_int_equal(report.changed, 4);
    assert_int_equal(report.repaired, 4);
    assert_memory_equal(out.data + fine, m.data + fine, counter - fine);
    static const uint32_t frames[4] = {7, 7, 7, 7};
    for (uint32_t i = 0; i < 4; i++) {
        ember_ff7_clip a = decode(&before, i), b = decode(&after, i);
        assert_int_equal(b.frame_count, frames[i]);
        assert_int_equal(b.frames_field, frames[i]);
        assert_true(ember_ff7_same(&a, &b));
        assert_int_equal(after.pack.chunks[i].odd & ~(unsigned)EMBER_FF7_ODD_TRAILING, 0);
    }
    /* Of the clip that the file cuts off, the frames that are whole. */
    ember_ff7_clip all = decode(&whole, 5), some = decode(&after, 5);
    assert_true(some.frame_count > 3 && some.frame_count < 20);
    assert_memory_equal(all.rotations, some.rotations, some.frame_count * 4 * sizeof(ember_ff7_triple));
    assert_int_equal(report.lost_frames, 3 + 20 - some.frame_count);
    ember_buffer_free(&out);
    ember_arena_free(&whole.arena);
    ember_arena_free(&before.arena);
    ember_arena_free(&after.arena);
    free(m.data);
}

/* ---- frame rates ---- */

/* Turns about y by `step` a frame. */
static ember_ff7_clip turning(ember_ff7_triple *positions, ember_ff7_triple *rotations, uint32_t frames,
                              int step, int start)
{
    for (uint32_t i = 0; i < frames; i++) {
        positions[i] = (ember_ff7_triple){0, (int16_t)(i * 10), 0};
        rotations[i] = (ember_ff7_triple){0, (int16_t)(start + (int)i * step), 0};
    }
    ember_ff7_clip clip = {.kind = EMBER_FF7_WEAPON,
                           .bones_field = 1,
                           .triple_count = 1,
                           .frame_count = frames};
    clip.positions = positions;
    clip.rotations = rotations;
    return clip;
}

TEST(new_frames_lie_on_the_short_way)
{
    ember_ff7_triple p[5], q[5];
    ember_arena      arena = ember_arena_growing(ember_heap(), 0);
    ember_ff7_clip   clip = turning(p, q, 5, 400, 3800), out;
    assert_int_equal(ember_ff7_resample(&out, &clip, 4, false, &arena, NULL), EMBER_OK);
    assert_int_equal(out.frame_count, 17); /* (5 - 1) * 4 + 1 */
    for (uint32_t i = 0; i < 17; i++) {
        assert_int_equal(out.rotations[i].y, 3800 + (int)i * 100); /* through the turn's end, upwards */
        assert_int_equal(out.positions[i].y, (int)(i * 10 + 2) / 4);
    }
    assert_int_equal(ember_ff7_resample(&out, &clip, 2, true, &arena, NULL), EMBER_OK);
    assert_int_equal(out.frame_count, 10);
    assert_int_equal(out.positions[9].y, 20); /* from 40 back to 0 */
    /* 1600 back is the short way */
    assert_int_equal(out.rotations[9].y & 0xFFF, (3800 + 1600 - 800) & 0xFFF);
    clip.frame_count = 1;
    assert_int_equal(ember_ff7_resample(&out, &clip, 4, false, &arena, NULL), EMBER_OK);
    assert_int_equal(out.frame_count, 1);
    clip.frame_count = 0;
    assert_int_equal(ember_ff7_resample(&out, &clip, 4, true, &arena, NULL), EMBER_OK);
    assert_int_equal(out.frame_count, 0);
    ember_arena_free(&arena);
}

TEST(loops_are_told_by_their_seam)
{
    ember_ff7_triple p[16], q[16];
    ember_ff7_clip   clip = turning(p, q, 16, 256, 0); /* 16 * 256 is a whole turn */
    for (int i = 0; i < 16; i++)
        p[i] = (ember_ff7_triple){0, 0, 0};
    assert_true(ember_ff7_loops(&clip));
    clip.frame_count = 12; /* a quarter is missing */
    assert_false(ember_ff7_loops(&clip));
    clip = turning(p, q, 16, 0, 0);
    for (int i = 0; i < 16; i++) { /* there and back again: the last is the first */
        p[i] = (ember_ff7_triple){0, 0, 0};
        q[i].y = (int16_t)(i < 8 ? i * 50 : (15 - i) * 50);
    }
    assert_false(ember_ff7_loops(&clip));
    clip.frame_count = 2;
    assert_false(ember_ff7_loops(&clip));
}

TEST(weapons_stay_in_step_with_bodies)
{
    made        m = {NULL, 0, 0, 0};
    test_random r = {41};
    made_u32(&m, 4);
    made_add(&m, &(made_clip){4, 4, 6, 0, false, 9, 0}, &r);
    made_add_special(&m, 4);
    made_add(&m, &(made_clip){1, 1, 6, 0, false, 9, 0}, &r);
    made_add_special(&m, 1);
    opened            before = open_pack(m.data, m.size);
    ember_ff7_fps_job job = {.pack = &before.pack,
                             .factor = 4,
                             .looping = EMBER_FF7_LOOP_ONLY,
                             .loop_index = 0};
    for (int loop = 0; loop < 2; loop++) {
        ember_buffer out = {.allocator = ember_heap()};
        job.looping = loop ? EMBER_FF7_LOOP_ONLY : EMBER_FF7_LOOP_NEVER;
        assert_int_equal(ember_ff7_fps_run(&out, &job, NULL), EMBER_OK);
        opened after = open_pack(out.data, out.size);
        assert_int_equal(after.pack.chunk_count, 4);
        assert_int_equal(after.pack.chunks[0].frame_count, loop ? 24 : 21);
        assert_int_equal(after.pack.chunks[2].frame_count, loop ? 24 : 21);
        assert_int_equal(after.pack.chunks[1].kind, EMBER_FF7_SPECIAL);
        assert_int_equal(after.pack.chunks[3].kind, EMBER_FF7_SPECIAL);
        ember_ff7_clip a = decode(&before, 0), b = decode(&after, 0);
        for (uint32_t f = 0; f < 6; f++) {
            assert_memory_equal(&a.positions[f], &b.positions[f * 4], sizeof(ember_ff7_triple));
            for (uint32_t i = 0; i < 12; i++)
                assert_int_equal((&a.rotations[f * 4].x)[i] & 0xFFF, (&b.rotations[f * 16].x)[i] & 0xFFF);
        }
        ember_arena_free(&after.arena);
        ember_buffer_free(&out);
    }
    ember_arena_free(&before.arena);
    free(m.data);
}

/* ---- checking ---- */

typedef struct found {
    char codes[256];
} found;

static void find(void *user, const ember_finding *finding)
{
    found *f = user;
    strncat(f->codes, finding->code, sizeof(f->codes) - strlen(f->codes) - 1);
    strncat(f->codes, " ", sizeof(f->codes) - strlen(f->codes) - 1);
    assert_true(strlen(finding->text) > 10);
}

TEST(findings_have_codes)
{
    made           m = made_pack(51);
    found          f = {""};
    ember_findings findings = {find, &f};
    opened         o = open_pack(m.data, m.size);
    assert_int_equal(ember_ff7_check(&o.pack, &findings, NULL), EMBER_OK);
    assert_string_equal(f.codes, "FF7011 FF7011 "); /* junk behind two clips */
    ember_arena_free(&o.arena);
    f.codes[0] = '\0';
    m.data[4 + 12] = 30; /* sFrames of the first */
    o = open_pack(m.data, m.size);
    assert_int_equal(ember_ff7_check(&o.pack, &findings, NULL), EMBER_OK);
    assert_string_equal(f.codes, "FF7004 FF7008 FF7011 FF7011 ");
    ember_arena_free(&o.arena);
    f.codes[0] = '\0';
    m.data[4 + 12] = 6;
    o = open_pack(m.data, m.size - 30);
    assert_int_equal(ember_ff7_check(&o.pack, &findings, NULL), EMBER_OK);
    assert_non_null(strstr(f.codes, "FF7002 "));
    assert_non_null(strstr(f.codes, "FF7013 ")); /* the weapon has lost frames that its body has */
    ember_arena_free(&o.arena);
    free(m.data);
}
