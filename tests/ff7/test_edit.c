/* SPDX-License-Identifier: MIT */
/* What is done with whole packs: repack, repair, more frames per second, checking; and
   rotations both ways. */
#include <math.h>

#include "packs.h"

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

static ember_ff7_clip decode(opened *o, uint32_t index, bool stored)
{
    ember_ff7_clip clip;
    assert_int_equal(ember_ff7_decode(&clip, &o->pack.chunks[index], stored, &o->arena, NULL), EMBER_OK);
    return clip;
}

/* ---- rotations ---- */

static double angle_degrees(ember_quat a, ember_quat b)
{
    double dot = (double)a.x * (double)b.x + (double)a.y * (double)b.y + (double)a.z * (double)b.z +
                 (double)a.w * (double)b.w;
    dot = fabs(dot);
    return dot >= 1.0 ? 0.0 : 2.0 * acos(dot) * 57.29577951308232;
}

/* Ry Rx Rz applied to the x axis, with the textbook's matrices. */
static void rotations_are_y_after_x_after_z(void **state)
{
    test_random r = {21};
    (void)state;
    for (int i = 0; i < 1000; i++) {
        uint32_t         u = test_random_u32(&r);
        ember_ff7_triple t = {(int16_t)(u & 0xFFFFu), (int16_t)(u >> 16),
                              (int16_t)(test_random_u32(&r) & 0xFFFFu)};
        double           unit = 6.283185307179586 / 4096.0, x = t.x * unit, y = t.y * unit, z = t.z * unit;
        /* Rz (1, 0, 0) */
        double           a[3] = {cos(z), sin(z), 0.0};
        /* Rx */
        double           b[3] = {a[0], cos(x) * a[1], sin(x) * a[1]};
        /* Ry */
        double           c[3] = {cos(y) * b[0] + sin(y) * b[2], b[1], -sin(y) * b[0] + cos(y) * b[2]};
        ember_quat       q = ember_ff7_quat(t);
        double           qx = (double)q.x, qy = (double)q.y, qz = (double)q.z, qw = (double)q.w;
        double m[3] = {1.0 - 2.0 * (qy * qy + qz * qz), 2.0 * (qx * qy + qz * qw), 2.0 * (qx * qz - qy * qw)};
        for (int k = 0; k < 3; k++)
            assert_true(fabs(m[k] - c[k]) < 1e-6);
    }
}

static void triples_come_back_from_quaternions(void **state)
{
    test_random r = {22};
    unsigned    same = 0, count = 0;
    (void)state;
    for (int x = -1040; x <= 1040; x += 16)
        for (int i = 0; i < 60; i++, count++) {
            uint32_t         u = test_random_u32(&r);
            ember_ff7_triple t = {(int16_t)x, (int16_t)(u & 4095u), (int16_t)(u >> 16 & 4095u)};
            ember_ff7_triple near = {(int16_t)(t.x + 20), (int16_t)(t.y - 30), (int16_t)(t.z + 4096 + 10)};
            ember_ff7_triple back = ember_ff7_from_quat(ember_ff7_quat(t), near);
            assert_true(angle_degrees(ember_ff7_quat(t), ember_ff7_quat(back)) < 0.1);
            /* Next to the one it was asked to be near to, in 16 bits, not only modulo a turn. */
            if (abs(x) < 1000) {
                assert_true(abs(back.x - near.x) < 64 && abs(back.y - near.y) < 64 &&
                            abs(back.z - near.z) < 64);
                same += back.x == t.x && back.y == t.y && back.z == (int16_t)(t.z + 4096);
            }
        }
    assert_true(same > count * 85 / 100);
}

/* At a quarter turn about x only the sum of the others counts: z stays, y takes all. */
static void the_pole_keeps_z(void **state)
{
    (void)state;
    for (int up = -1; up <= 1; up += 2) {
        ember_ff7_triple t = {(int16_t)(up * 1024), 300, 500}, near = {(int16_t)(up * 1020), 250, 450};
        ember_ff7_triple back = ember_ff7_from_quat(ember_ff7_quat(t), near);
        assert_int_equal(back.x, up * 1024);
        assert_int_equal(back.z, 450);
        /* y - z is 200 - 400 = -200 up there, y + z is 800 below */
        assert_int_equal(back.y, up > 0 ? 250 : 350);
    }
}

static void a_rotation_of_no_length_stays_where_it_was(void **state)
{
    (void)state;
    ember_ff7_triple back =
        ember_ff7_from_quat((ember_quat){0.0f, 0.0f, 0.0f, 0.0f}, (ember_ff7_triple){1, 2, 3});
    assert_int_equal(back.x * 100 + back.y * 10 + back.z, 123);
}

/* ---- repack ---- */

static void repacking_saves_a_quarter_and_changes_no_value(void **state)
{
    test_random r = {31};
    made        m = {NULL, 0, 0, 0};
    (void)state;
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
        ember_ff7_clip a = decode(&before, i, false), b = decode(&after, i, false);
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

static void repair_puts_right_what_is_wrong_and_leaves_the_rest(void **state)
{
    test_random r = {32};
    made        m = {NULL, 0, 0, 0};
    (void)state;
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
        ember_ff7_clip a = decode(&before, i, true), b = decode(&after, i, false);
        assert_int_equal(b.frame_count, frames[i]);
        assert_int_equal(b.frames_field, frames[i]);
        assert_true(ember_ff7_same(&a, &b));
        assert_int_equal(after.pack.chunks[i].odd & ~(unsigned)EMBER_FF7_ODD_TRAILING, 0);
    }
    /* Of the clip that the file cuts off, the frames that are whole. */
    ember_ff7_clip all = decode(&whole, 5, false), some = decode(&after, 5, false);
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

static void new_frames_lie_on_the_short_way(void **state)
{
    ember_ff7_triple p[5], q[5];
    ember_arena      arena = ember_arena_growing(ember_heap(), 0);
    ember_ff7_clip   clip = turning(p, q, 5, 400, 3800), out;
    (void)state;
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

static void loops_are_told_by_their_seam(void **state)
{
    ember_ff7_triple p[16], q[16];
    ember_ff7_clip   clip = turning(p, q, 16, 256, 0); /* 16 * 256 is a whole turn */
    (void)state;
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

static void weapons_stay_in_step_with_bodies(void **state)
{
    made        m = {NULL, 0, 0, 0};
    test_random r = {41};
    (void)state;
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
        ember_ff7_clip a = decode(&before, 0, false), b = decode(&after, 0, false);
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

static void findings_have_codes(void **state)
{
    made m = made_pack(51);
    (void)state;
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rotations_are_y_after_x_after_z),
        cmocka_unit_test(triples_come_back_from_quaternions),
        cmocka_unit_test(the_pole_keeps_z),
        cmocka_unit_test(a_rotation_of_no_length_stays_where_it_was),
        cmocka_unit_test(repacking_saves_a_quarter_and_changes_no_value),
        cmocka_unit_test(repair_puts_right_what_is_wrong_and_leaves_the_rest),
        cmocka_unit_test(new_frames_lie_on_the_short_way),
        cmocka_unit_test(loops_are_told_by_their_seam),
        cmocka_unit_test(weapons_stay_in_step_with_bodies),
        cmocka_unit_test(findings_have_codes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
