/* SPDX-License-Identifier: MIT */
/* Any byte of a ROM that changes is found, and the asset it belongs to is named; a ROM that is cut does not
   open.
   Covers: rom_check.c, rom_hash.c. */
#include "rom_walk.h"

#include "rom/rom_layout.h"

#include "base/bytes.h"

/* Whose byte it is, by the documented layout: "" for the header, the padding behind the ids and what
   lies between. */
static void damage_owner(char *out, size_t out_size, const ember_buffer *rom, size_t at)
{
    const uint8_t *d = rom->data;
    uint32_t       count = emberi_get_u32(d + 16), ids = emberi_get_u32(d + 24);
    out[0] = '\0';
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t *row = d + 64 + (size_t)i * 40;
        size_t         id = ids + emberi_get_u32(row + 4), id_size = emberi_get_u16(row + 2);
        size_t         offset = emberi_get_u32(row + 8), size = emberi_get_u32(row + 12);
        bool           in_row = at >= (size_t)(row - d) && at < (size_t)(row - d) + 40,
             in_id = at >= id && at <= id + id_size;
        if (in_row || in_id || (at >= offset && at < (offset + size + 15) / 16 * 16))
            snprintf(out, out_size, "%s:%s", ember_rom_kind_name((ember_rom_kind)emberi_get_u16(row)),
                     (const char *)d + id);
    }
}

/* What the name of a row whose own kind, id place or id was hit comes to is not the name it had. */
static bool damage_keeps_name(const ember_buffer *rom, size_t at)
{
    uint32_t ids = emberi_get_u32(rom->data + 24), ids_size = emberi_get_u32(rom->data + 28);
    bool     in_table = at >= 64 && at < ids;
    return !(in_table && (at - 64) % 40 < 8) && !(at >= ids && at < ids + ids_size);
}

static void damage_flip_all(ember_squeeze_method method)
{
    static const uint8_t flips[] = {0x01, 0x10, 0x80, 0xff};
    made_content         m;
    made_content_make(&m, method);
    ember_buffer bytes = made_rom(&m.content);
    for (size_t at = 0; at < bytes.size; at++)
        for (size_t k = 0; k < sizeof(flips); k++) {
            made_findings found = {0, 0, "", "", ""};
            ember_error   err;
            char          owner[300];
            damage_owner(owner, sizeof(owner), &bytes, at);
            bool keeps = damage_keeps_name(&bytes, at);
            bytes.data[at] ^= flips[k];
            bool opened = walk_bytes(bytes.data, bytes.size, &found, &err);
            bytes.data[at] ^= flips[k];
            if (opened && found.errors == 0)
                fail_msg("byte %zu of %zu, xor 0x%02x: not found", at, bytes.size, (unsigned)flips[k]);
            if (!opened && at >= 64)
                fail_msg("byte %zu is not in the header, but the ROM does not open: %s", at, err.text);
            if (opened && keeps && strcmp(found.clip, owner) != 0)
                fail_msg("byte %zu, xor 0x%02x: '%s' was named, not '%s'", at, (unsigned)flips[k], found.clip,
                         owner);
        }
    ember_buffer_free(&bytes);
    made_content_free(&m);
}

TEST(every_flipped_byte_is_found_and_its_asset_named)
{
    for (int method = 0; method <= MADE_LEAN; method++)
        damage_flip_all((ember_squeeze_method)method);
}

TEST(verify_names_the_damaged_asset)
{
    made_content m;
    made_content_make(&m, EMBER_SQUEEZE_RAW);
    ember_buffer    bytes = made_rom(&m.content);
    ember_rom      *rom = made_open(&bytes);
    ember_rom_entry entry;
    ember_error     err = EMBER_ERROR_INIT;
    assert_true(ember_rom_find(&entry, rom, EMBER_ROM_DATA, "levels/one.txt", 14));
    assert_int_equal(ember_rom_verify(rom, &entry, &err), EMBER_OK);
    bytes.data[(size_t)(entry.data - bytes.data) + 2] ^= 4;
    assert_int_equal(ember_rom_verify(rom, &entry, &err), EMBER_E_MALFORMED);
    assert_string_equal(err.text, "data 'levels/one.txt' is damaged: its 5 bytes do not have their hash");
    ember_rom_close(rom);
    ember_buffer_free(&bytes);
    made_content_free(&m);
}

TEST(a_clip_is_damaged_if_its_rig_is)
{
    made_content m;
    made_content_make(&m, EMBER_SQUEEZE_QUICK);
    ember_buffer    bytes = made_rom(&m.content);
    ember_rom      *rom = made_open(&bytes);
    ember_rom_entry walk, rig;
    ember_error     err = EMBER_ERROR_INIT;
    assert_true(ember_rom_find(&walk, rom, EMBER_ROM_KEYFRAMES, "walk", 4));
    assert_int_equal(ember_rom_verify(rom, &walk, &err), EMBER_OK);
    assert_true(ember_rom_entry_at(&rig, rom, walk.link));
    /* a rest record, which the clip's frames are made with */
    bytes.data[(size_t)(rig.data - bytes.data) + 20] ^= 1;
    assert_int_equal(ember_rom_verify(rom, &walk, &err), EMBER_E_MALFORMED);
    assert_non_null(strstr(err.text, rig.id));
    ember_rom_close(rom);
    ember_buffer_free(&bytes);
    made_content_free(&m);
}

TEST(no_cut_rom_opens)
{
    made_content m;
    made_content_make(&m, MADE_LEAN);
    ember_buffer bytes = made_rom(&m.content);
    for (size_t size = 0; size < bytes.size; size++) {
        made_findings found;
        ember_error   err;
        assert_false(walk_bytes(bytes.data, size, &found, &err));
        assert_int_equal(err.status, size == 0 ? EMBER_E_MALFORMED : EMBER_E_TRUNCATED);
    }
    ember_buffer_free(&bytes);
    made_content_free(&m);
}

TEST(extra_bytes_are_refused)
{
    made_content  m;
    made_findings found;
    ember_error   err;
    made_content_make(&m, EMBER_SQUEEZE_RAW);
    ember_buffer bytes = made_rom(&m.content);
    assert_true(ember_buffer_append(&bytes, "\0\0\0", 3));
    assert_false(walk_bytes(bytes.data, bytes.size, &found, &err));
    assert_string_equal(err.text, "the ROM has 3 extra bytes");
    ember_buffer_free(&bytes);
    made_content_free(&m);
}

TEST(other_versions_are_refused_by_name)
{
    made_content  m;
    made_findings found;
    ember_error   err;
    made_content_make(&m, EMBER_SQUEEZE_RAW);
    ember_buffer bytes = made_rom(&m.content);
    bytes.data[8] = 7;
    assert_false(walk_bytes(bytes.data, bytes.size, &found, &err));
    assert_int_equal(err.status, EMBER_E_VERSION);
    assert_string_equal(err.text, "the ROM is of version 7, this library knows versions 1 and 2");
    ember_buffer_free(&bytes);
    made_content_free(&m);
}

TEST(files_that_are_no_roms_are_told)
{
    static const char picture[80] = "\x89PNG\r\n\x1a\n";
    made_findings     found;
    ember_error       err;
    ember_rom        *rom;
    assert_false(walk_bytes((const uint8_t *)picture, sizeof(picture), &found, &err));
    assert_string_equal(err.text, "not a ROM: the first bytes are not those of .ewz");
    assert_false(walk_bytes((const uint8_t *)picture, 0, &found, &err));
    err = (ember_error)EMBER_ERROR_INIT;
    assert_int_equal(ember_rom_open_file(&rom, "/", ember_heap(), &err), EMBER_E_IO);
    assert_string_equal(err.text, "cannot open: it is a folder");
    err = (ember_error)EMBER_ERROR_INIT;
    assert_int_equal(ember_rom_open_file(&rom, "/no/such/file", ember_heap(), &err), EMBER_E_IO);
    assert_string_equal(err.text, "cannot open: No such file or directory");
    assert_null(rom);
    ember_rom_close(NULL);
}

TEST(bytes_out_of_line_are_refused)
{
    made_content m;
    ember_rom   *rom;
    ember_error  err = EMBER_ERROR_INIT;
    made_content_make(&m, EMBER_SQUEEZE_RAW);
    ember_buffer bytes = made_rom(&m.content);
    assert_int_equal(ember_rom_open_memory(&rom, bytes.data + 4, bytes.size - 4, ember_heap(), &err),
                     EMBER_E_ARG);
    ember_buffer_free(&bytes);
    made_content_free(&m);
}
