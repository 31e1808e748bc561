/* SPDX-License-Identifier: MIT */
/* ROMs that somebody made to do harm: every hash fits, the fields do not. Each is refused or told, and
   nothing outside of it is read. */
#include "rom_walk.h"

#include "rom/rom_layout.h"

#include "base/bytes.h"

typedef struct hostile {
    made_content m;
    ember_buffer bytes;
} hostile;

static hostile hostile_make(ember_squeeze_method method)
{
    hostile h;
    made_content_make(&h.m, method);
    h.bytes = made_rom(&h.m.content);
    return h;
}

static void hostile_free(hostile *h)
{
    ember_buffer_free(&h->bytes);
    made_content_free(&h->m);
}

static uint8_t *hostile_row(hostile *h, uint32_t index) { return h->bytes.data + 64 + (size_t)index * 40; }

static uint32_t hostile_find(hostile *h, ember_rom_kind kind, const char *id)
{
    ember_rom      *rom = made_open(&h->bytes);
    ember_rom_entry entry;
    assert_true(ember_rom_find(&entry, rom, kind, id, strlen(id)));
    ember_rom_close(rom);
    return entry.index;
}

/* Every hash as the bytes are now; those of rows that point outside are left. */
static void hostile_fix_hashes(hostile *h)
{
    uint8_t *d = h->bytes.data;
    uint32_t count = emberi_get_u32(d + 16), ids = emberi_get_u32(d + 24), ids_size = emberi_get_u32(d + 28);
    emberi_put_u64(d + 56, ember_rom_hash(d, 56));
    for (uint32_t i = 0; i < count && 64 + (size_t)i * 40 + 40 <= h->bytes.size; i++) {
        uint8_t *row = hostile_row(h, i);
        size_t   offset = emberi_get_u32(row + 8), size = emberi_get_u32(row + 12),
               id = emberi_get_u32(row + 4);
        size_t id_size = emberi_get_u16(row + 2);
        if (offset <= h->bytes.size && size <= h->bytes.size - offset)
            emberi_put_u64(row + 24, ember_rom_hash(d + offset, size));
        if (id + id_size <= ids_size && ids + id + id_size <= h->bytes.size)
            emberi_put_u32(row + 32, emberi_rom_row_check(row, (const char *)d + ids + id, id_size));
    }
}

/* The ROM opens, and the check finds this about that entry. */
static void hostile_found(hostile *h, const char *code, const char *clip, const char *text)
{
    made_findings found = {0, 0, "", "", ""};
    ember_error   err;
    hostile_fix_hashes(h);
    if (!walk_bytes(h->bytes.data, h->bytes.size, &found, &err))
        fail_msg("does not open: %s", err.text);
    if (strcmp(found.code, code) != 0 || strcmp(found.clip, clip) != 0 || strstr(found.text, text) == NULL)
        fail_msg("%s %s: %s", found.code, found.clip, found.text);
    hostile_free(h);
}

static void hostile_refused(hostile *h, const char *text)
{
    made_findings found;
    ember_error   err;
    hostile_fix_hashes(h);
    assert_false(walk_bytes(h->bytes.data, h->bytes.size, &found, &err));
    assert_says(err.text, text);
    hostile_free(h);
}

/* ---- the header ---- */

TEST(tables_that_do_not_fit_are_refused)
{
    hostile h = hostile_make(EMBER_SQUEEZE_RAW);
    emberi_put_u32(h.bytes.data + 16, 65535);
    emberi_put_u32(h.bytes.data + 24, 64 + 65535 * 40);
    hostile_refused(&h, "does not fit");
    h = hostile_make(EMBER_SQUEEZE_RAW);
    emberi_put_u32(h.bytes.data + 16, 0xffffffffu);
    hostile_refused(&h, "at most 65535");
    h = hostile_make(EMBER_SQUEEZE_RAW);
    emberi_put_u32(h.bytes.data + 20, 68);
    hostile_refused(&h, "the ROM's table is at 68");
    h = hostile_make(EMBER_SQUEEZE_RAW);
    emberi_put_u32(h.bytes.data + 24, 8);
    hostile_refused(&h, "its ids at 8");
    h = hostile_make(EMBER_SQUEEZE_RAW);
    emberi_put_u32(h.bytes.data + 28, 0xffffffffu);
    hostile_refused(&h, "does not fit");
    h = hostile_make(EMBER_SQUEEZE_RAW);
    h.bytes.data[40] = 1;
    hostile_refused(&h, "byte 40 of the ROM's header is 1");
}

/* ---- rows ---- */

TEST(payloads_outside_or_out_of_line_are_found)
{
    hostile  h = hostile_make(EMBER_SQUEEZE_RAW);
    uint32_t data = hostile_find(&h, EMBER_ROM_DATA, "levels/one.txt");
    emberi_put_u32(hostile_row(&h, data) + 8, 0xfffffff0u);
    hostile_found(&h, "ROM002", "data:levels/one.txt", "not inside the ROM");
    h = hostile_make(EMBER_SQUEEZE_RAW);
    emberi_put_u32(hostile_row(&h, data) + 12, 0xffffffffu);
    hostile_found(&h, "ROM002", "data:levels/one.txt", "not inside the ROM");
    h = hostile_make(EMBER_SQUEEZE_RAW);
    emberi_put_u32(hostile_row(&h, data) + 12, 6); /* one byte beyond the end */
    hostile_found(&h, "ROM002", "data:levels/one.txt", "not inside the ROM");
    h = hostile_make(EMBER_SQUEEZE_RAW);
    emberi_put_u32(hostile_row(&h, data) + 8, 0); /* the header is no payload */
    hostile_found(&h, "ROM002", "data:levels/one.txt", "not inside the ROM");
    h = hostile_make(EMBER_SQUEEZE_RAW);
    uint8_t *row = hostile_row(&h, data);
    emberi_put_u32(row + 8, emberi_get_u32(row + 8) - 8);
    hostile_found(&h, "ROM002", "data:levels/one.txt", "not aligned");
    h = hostile_make(EMBER_SQUEEZE_RAW);
    row = hostile_row(&h, data); /* over the payload before it */
    emberi_put_u32(row + 8, emberi_get_u32(row + 8) - 16);
    hostile_found(&h, "ROM006", "data:levels/one.txt", "must be right behind the one before");
}

TEST(ids_that_do_not_end_or_lie_outside_are_found)
{
    hostile  h = hostile_make(EMBER_SQUEEZE_RAW);
    uint32_t data = hostile_find(&h, EMBER_ROM_DATA, "levels/one.txt"),
             ids = emberi_get_u32(h.bytes.data + 24);
    uint32_t ids_size = emberi_get_u32(h.bytes.data + 28);
    h.bytes.data[ids + ids_size - 1] = 'x';
    hostile_found(&h, "ROM002", "data:levels/one.txt", "not terminated");
    h = hostile_make(EMBER_SQUEEZE_RAW);
    emberi_put_u32(hostile_row(&h, data) + 4, 0xfffffff0u);
    hostile_found(&h, "ROM002", "data:row 10", "not among the ids");
    h = hostile_make(EMBER_SQUEEZE_RAW);
    emberi_put_u16(hostile_row(&h, data) + 2, 0xffff);
    hostile_found(&h, "ROM002", "data:row 10", "not among the ids");
    h = hostile_make(EMBER_SQUEEZE_RAW);
    emberi_put_u16(hostile_row(&h, data) + 2, 6); /* "levels" does not end there */
    hostile_found(&h, "ROM002", "data:levels", "not terminated");
    h = hostile_make(EMBER_SQUEEZE_RAW);
    h.bytes.data[ids + ids_size - 5] = 0; /* an end in the middle */
    hostile_found(&h, "ROM002", "data:levels/one", "other characters");
}

TEST(unsorted_and_double_rows_are_found)
{
    uint8_t  keep[40];
    hostile  h = hostile_make(EMBER_SQUEEZE_RAW);
    uint32_t run = hostile_find(&h, EMBER_ROM_KEYFRAMES, "run");
    memcpy(keep, hostile_row(&h, run), 40);
    memcpy(hostile_row(&h, run), hostile_row(&h, run + 1), 40);
    memcpy(hostile_row(&h, run + 1), keep, 40);
    made_findings found = {0, 0, "", "", ""};
    ember_error   err;
    hostile_fix_hashes(&h);
    assert_true(walk_bytes(h.bytes.data, h.bytes.size, &found, &err));
    assert_true(found.errors > 0);
    hostile_free(&h);
    h = hostile_make(EMBER_SQUEEZE_RAW);
    memcpy(hostile_row(&h, run), hostile_row(&h, run + 1), 40);
    hostile_fix_hashes(&h);
    assert_true(walk_bytes(h.bytes.data, h.bytes.size, &found, &err));
    assert_true(found.errors > 0);
    hostile_free(&h);
}

TEST(rows_in_place_but_out_of_order_are_found)
{
    hostile  h = hostile_make(EMBER_SQUEEZE_RAW);
    uint32_t run = hostile_find(&h, EMBER_ROM_KEYFRAMES, "run"), ids = emberi_get_u32(h.bytes.data + 24);
    h.bytes.data[ids + emberi_get_u32(hostile_row(&h, run) + 4)] = 'z'; /* "zun" before "walk" */
    hostile_found(&h, "ROM003", "keyframes:walk", "not sorted");
    h = hostile_make(EMBER_SQUEEZE_RAW);
    uint32_t mesh = hostile_find(&h, EMBER_ROM_MESH, "hero");
    emberi_put_u16(hostile_row(&h, mesh), EMBER_ROM_SKELETON); /* behind another "hero" */
    hostile_found(&h, "ROM003", "skeleton:hero", "the id is there twice");
}

TEST(bytes_that_belong_to_nothing_are_found)
{
    static const uint8_t zeros[32] = {0};
    hostile              h = hostile_make(EMBER_SQUEEZE_RAW);
    assert_true(ember_buffer_append(&h.bytes, zeros, sizeof(zeros)));
    emberi_put_u32(h.bytes.data + 12, (uint32_t)h.bytes.size);
    hostile_found(&h, "ROM006", "", "the last payload ends at");
    h = hostile_make(EMBER_SQUEEZE_RAW);
    uint32_t ids_end = emberi_get_u32(h.bytes.data + 24) + emberi_get_u32(h.bytes.data + 28);
    assert_int_not_equal(ids_end % 16, 0); /* there is padding to take */
    emberi_put_u32(h.bytes.data + 28, emberi_get_u32(h.bytes.data + 28) + 1);
    hostile_found(&h, "ROM006", "", "the ids end at");
}

TEST(flags_that_are_not_known_are_found)
{
    hostile  h = hostile_make(EMBER_SQUEEZE_RAW);
    uint32_t data = hostile_find(&h, EMBER_ROM_DATA, "levels/one.txt");
    hostile_row(&h, data)[17] = 1;
    hostile_found(&h, "ROM007", "data:levels/one.txt", "its flags are 0x100, which its kind does not have");
}

TEST(unknown_kinds_are_skipped)
{
    made_findings   found = {0, 0, "", "", ""};
    ember_rom_entry entry;
    hostile         h = hostile_make(EMBER_SQUEEZE_RAW);
    uint32_t        data = hostile_find(&h, EMBER_ROM_DATA, "levels/one.txt");
    emberi_put_u16(hostile_row(&h, data), 4000);
    hostile_fix_hashes(&h);
    ember_rom *rom = made_open(&h.bytes);
    assert_true(ember_rom_find(&entry, rom, EMBER_ROM_KEYFRAMES, "walk", 4));
    assert_false(ember_rom_find(&entry, rom, EMBER_ROM_DATA, "levels/one.txt", 14));
    assert_true(ember_rom_entry_at(&entry, rom, data));
    assert_int_equal(entry.kind, 4000);
    found = made_check(rom);
    assert_int_equal(found.errors, 0);
    assert_string_equal(found.code, "ROM101");
    ember_rom_close(rom);
    hostile_free(&h);
}

/* ---- rigs and clips ---- */

static uint8_t *hostile_payload(hostile *h, uint32_t index)
{
    return h->bytes.data + emberi_get_u32(hostile_row(h, index) + 8);
}

TEST(rigs_with_bad_fields_are_found)
{
    static const struct {
        size_t      at;
        uint8_t     value;
        const char *text;
    } cases[] = {
        {0, 0, "its header is not one"},      /* no bones */
        {0, 4, "its size is not that"},       /* more bones than there is room for */
        {2, 0, "its header is not one"},      /* no space */
        {3, 0xff, "its header is not one"},   /* parts that there are not */
        {3, 0, "its size is not that"},       /* fewer parts than there are */
        {4, 1, "its size is not that"},       /* names that do not fit */
        {15, 1, "its header is not one"},     /* reserved */
        {16 + 48, 0, "does not come before"}, /* the root its own parent */
        {16 + 48 + 3, 0x7f, "does not come before"},
        {16 + 48 + 8 + 3, 0x7f, "not finite"}, /* a rest's rotation, with the next line's byte */
        {16 + 48 + 8 + 120 + 1, 0x7f, "a bone's name is not inside"},
        {16 + 48 + 8 + 120, 1, "a bone's name is not inside"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        hostile         h = hostile_make(EMBER_SQUEEZE_RAW);
        ember_rom      *rom = made_open(&h.bytes);
        ember_rom_entry walk, rig;
        char            name[32];
        assert_true(ember_rom_find(&walk, rom, EMBER_ROM_KEYFRAMES, "walk", 4));
        assert_true(ember_rom_entry_at(&rig, rom, walk.link));
        snprintf(name, sizeof(name), "rig:%s", rig.id);
        ember_rom_close(rom);
        uint8_t *payload = hostile_payload(&h, walk.link);
        payload[cases[i].at] = cases[i].value;
        if (strcmp(cases[i].text, "not finite") == 0)
            payload[cases[i].at - 1] = 0x80;
        if (cases[i].at == 16 + 48)
            payload[cases[i].at + 1] = 0;
        hostile_found(&h, "ROM007", name, cases[i].text);
    }
}

TEST(clips_with_bad_fields_are_found)
{
    static const struct {
        size_t      at;
        uint8_t     value;
        const char *text;
    } cases[] = {
        {0, 0, "invalid animation header"},
        {1, 1, "invalid animation header"}, /* 259 bones */
        {2, 0, "invalid animation header"}, /* no frames */
        {0, 2, "its rig is one of other bones"},
        {4, 3, "its header is not one"},
        {4, 1, "its rig is one of other bones or of another space"},
        {5, 2, "its header is not one"},
        {6, 3, "a marker is not inside"},
        {15, 0xff, "its header is not one"}, /* a rate below zero */
        {16, 0, "its size is not that"},
        {23, 0xff, "its size is not that"},
        {25, 1, "its header is not one"},
        {2, 4, "its frames are not as many"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        hostile  h = hostile_make(EMBER_SQUEEZE_RAW);
        uint32_t walk = hostile_find(&h, EMBER_ROM_KEYFRAMES, "walk");
        hostile_payload(&h, walk)[cases[i].at] = cases[i].value;
        hostile_found(&h, "ROM007", "keyframes:walk", cases[i].text);
    }
}

TEST(links_to_nowhere_are_found)
{
    static const uint32_t links[] = {0, 1, 7, 11, 65535, 0x7fffffffu, 0xffffffffu};
    for (size_t i = 0; i < sizeof(links) / sizeof(links[0]); i++) {
        hostile  h = hostile_make(EMBER_SQUEEZE_RAW);
        uint32_t walk = hostile_find(&h, EMBER_ROM_KEYFRAMES, "walk"),
                 mesh = hostile_find(&h, EMBER_ROM_MESH, "hero");
        emberi_put_u32(hostile_row(&h, walk) + 20, links[i]);
        hostile_found(&h, "ROM007", "keyframes:walk", "its rig is not there");
        if (links[i] == EMBER_ROM_NO_LINK)
            continue;
        h = hostile_make(EMBER_SQUEEZE_RAW);
        emberi_put_u32(hostile_row(&h, mesh) + 20, links[i]);
        hostile_found(&h, "ROM007", "mesh:hero", "the texture that it names is not there");
    }
}

TEST(markers_that_lie_are_found)
{
    for (int kind = 0; kind < 4; kind++) {
        hostile  h = hostile_make(EMBER_SQUEEZE_RAW);
        uint32_t walk = hostile_find(&h, EMBER_ROM_KEYFRAMES, "walk");
        uint8_t *payload = hostile_payload(&h, walk);
        uint8_t *markers =
            payload + emberi_get_u32(hostile_row(&h, walk) + 12) - emberi_get_u32(payload + 16);
        if (kind == 0)
            emberi_put_u32(markers, 5); /* a frame that there is not */
        if (kind == 1)
            emberi_put_u32(markers + 4, 0xfffffff0u);
        if (kind == 2)
            emberi_put_u32(markers + 4, 3); /* inside the rows */
        if (kind == 3)
            markers[emberi_get_u32(payload + 16) - 1] = 'x'; /* no end */
        hostile_found(&h, "ROM007", "keyframes:walk", "a marker is not inside");
    }
}

/* ---- lean clips ---- */

static uint32_t hostile_rig(hostile *h, const char *clip)
{
    return emberi_get_u32(hostile_row(h, hostile_find(h, EMBER_ROM_KEYFRAMES, clip)) + 20);
}

/* "rig:0123456789abcdef" */
static const char *hostile_rig_name(hostile *h, uint32_t rig)
{
    static char     name[64];
    ember_rom      *rom = made_open(&h->bytes);
    ember_rom_entry entry;
    assert_true(ember_rom_entry_at(&entry, rom, rig));
    snprintf(name, sizeof(name), "rig:%s", entry.id);
    ember_rom_close(rom);
    return name;
}

TEST(lean_rigs_that_are_none_are_found)
{
    for (int kind = 0; kind < 8; kind++) {
        hostile     h = hostile_make(MADE_LEAN);
        uint32_t    rig = hostile_rig(&h, "walk");
        const char *name = hostile_rig_name(&h, rig), *text = "its size is not that of its parts";
        uint8_t    *payload = hostile_payload(&h, rig);
        uint32_t    lean = emberi_get_u32(hostile_row(&h, rig) + 12) - emberi_get_u32(payload + 8);
        switch (kind) {
        case 0: /* the lean rig is of more bones than there are */
            payload[lean + 1] = 4;
            text = "its lean rig";
            break;
        case 1:
            payload[lean] = 9;
            text = "its lean rig";
            break;
        case 2: /* a rest that is not a number */
            emberi_put_u32(payload + lean + 8 + 12, 0x7fc00000u);
            text = "its lean rig";
            break;
        case 3:
            emberi_put_u32(payload + 8, emberi_get_u32(payload + 8) + 1);
            break;
        case 4:
            emberi_put_u32(payload + 8, 0xffffffffu);
            break;
        case 5: /* a parent that is its own child's child */
            emberi_put_u16(payload + 16, 2);
            text = "a bone's parent does not come before it";
            break;
        case 6:
            emberi_put_u16(payload + 18, 1);
            text = "a bone's parent does not come before it";
            break;
        default: /* for records and for lean clips */
            payload[3] |= 4;
            text = "its header is not one";
        }
        hostile_found(&h, "ROM007", name, text);
    }
}

TEST(lean_clips_without_their_rig_are_found)
{
    for (int kind = 0; kind < 6; kind++) {
        hostile     h = hostile_make(MADE_LEAN);
        uint32_t    walk = hostile_find(&h, EMBER_ROM_KEYFRAMES, "walk");
        uint8_t    *payload = hostile_payload(&h, walk);
        const char *text = "its rig is not there";
        switch (kind) {
        case 0: /* no entry */
            emberi_put_u32(hostile_row(&h, walk) + 20, 12345);
            break;
        case 1: /* itself */
            emberi_put_u32(hostile_row(&h, walk) + 20, walk);
            break;
        case 2: /* that of the clip in model space */
            emberi_put_u32(hostile_row(&h, walk) + 20, hostile_rig(&h, "walk-model"));
            text = "its rig is one of other bones or of another space";
            break;
        case 3: /* a clip of records by its own account */
            payload[24] = 0;
            text = "its rig is one of lean clips, it is not lean";
            break;
        case 4: /* a form that there is not */
            payload[24] = 2;
            text = "its header is not one";
            break;
        default: /* more frames than the lean clip has */
            emberi_put_u16(payload + 2, 6);
            text = "its frames are not as many as its header says";
        }
        hostile_found(&h, "ROM007", "keyframes:walk", text);
    }
    hostile  h = hostile_make(EMBER_SQUEEZE_QUICK);
    uint32_t walk = hostile_find(&h, EMBER_ROM_KEYFRAMES, "walk");
    hostile_payload(&h, walk)[24] = 1;
    hostile_found(&h, "ROM007", "keyframes:walk", "it is lean, its rig is not one of lean clips");
}

TEST(damaged_lean_frames_are_found)
{
    hostile  h = hostile_make(MADE_LEAN);
    uint32_t walk = hostile_find(&h, EMBER_ROM_KEYFRAMES, "walk");
    uint8_t *payload = hostile_payload(&h, walk);
    uint32_t size = emberi_get_u32(payload + 20);
    payload[32 + 4] = 17; /* a block longer than there is */
    hostile_found(&h, "ROM007", "keyframes:walk", "");
    h = hostile_make(MADE_LEAN);
    payload = hostile_payload(&h, walk);
    payload[32 + size - 1] = 1; /* behind the last block */
    hostile_found(&h, "ROM007", "keyframes:walk", "");
}

TEST(lean_clips_need_version_2)
{
    hostile     h = hostile_make(MADE_LEAN);
    const char *name = hostile_rig_name(&h, 2); /* behind info and game: the first of both rigs */
    assert_int_equal(emberi_get_u32(h.bytes.data + 8), 2);
    emberi_put_u32(h.bytes.data + 8, 1);
    hostile_found(&h, "ROM007", name, "a ROM of version 1 does not have");
    h = hostile_make(EMBER_SQUEEZE_SMALL);
    assert_int_equal(emberi_get_u32(h.bytes.data + 8), 1);
    emberi_put_u32(h.bytes.data + 8, 3);
    hostile_refused(&h, "version 3");
}

/* ---- anything at all ---- */

TEST(random_changes_with_right_hashes_never_crash)
{
    test_random random = {4242};
    for (int round = 0; round < 6000; round++) {
        hostile       h = hostile_make((ember_squeeze_method)(round % (MADE_LEAN + 1)));
        made_findings found;
        ember_error   err;
        uint32_t      changes = 1 + test_random_u32(&random) % 6;
        for (uint32_t i = 0; i < changes; i++)
            h.bytes.data[test_random_u32(&random) % h.bytes.size] =
                (uint8_t)(test_random_u32(&random) >> test_random_u32(&random) % 8);
        hostile_fix_hashes(&h);
        walk_bytes(h.bytes.data, h.bytes.size, &found, &err);
        hostile_free(&h);
    }
}
