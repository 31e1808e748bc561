/* SPDX-License-Identifier: MIT */
/* What is written is found again, byte for byte, and the same content gives the same ROM.
   Covers: rom_clip.c, rom_ids.c, rom_info.c, rom_rig.c, rom_write_check.c, rom_write_rigs.c. */
#include "format/fixture.h"
#include "rom_made.h"

TEST(everything_written_is_found)
{
    made_content m;
    made_content_make(&m, EMBER_SQUEEZE_RAW);
    ember_buffer bytes = made_rom(&m.content);
    ember_rom   *rom = made_open(&bytes);
    /* two rigs, one per space, and the info */
    assert_int_equal(ember_rom_entry_count(rom), MADE_ASSETS + 2 + 1);
    assert_string_equal(ember_rom_title(rom), "Walk");
    assert_string_equal(ember_rom_author(rom), "Somebody");
    for (uint32_t i = 0; i < MADE_ASSETS; i++) {
        const ember_rom_asset *asset = &m.assets[i];
        ember_rom_entry        entry;
        ember_error            err = EMBER_ERROR_INIT;
        assert_true(ember_rom_find(&entry, rom, asset->kind, asset->id, strlen(asset->id)));
        assert_string_equal(entry.id, asset->id);
        assert_int_equal(entry.id_size, strlen(asset->id));
        assert_int_equal(entry.kind, asset->kind);
        assert_int_equal((uintptr_t)entry.data % 16, 0);
        assert_int_equal(ember_rom_verify(rom, &entry, &err), EMBER_OK);
        if (asset->kind == EMBER_ROM_KEYFRAMES)
            continue;
        assert_int_equal(entry.size, asset->size);
        assert_memory_equal(entry.data, asset->data, asset->size);
    }
    made_findings findings = made_check(rom);
    assert_string_equal(findings.text, "");
    assert_int_equal(findings.count, 0);
    ember_rom_close(rom);
    ember_buffer_free(&bytes);
    made_content_free(&m);
}

TEST(clips_come_out_byte_for_byte)
{
    for (int method = 0; method < EMBER_SQUEEZE_METHOD_COUNT; method++) {
        made_content m;
        made_content_make(&m, (ember_squeeze_method)method);
        ember_buffer bytes = made_rom(&m.content), file = {.allocator = ember_heap()};
        ember_rom   *rom = made_open(&bytes);
        for (int i = 0; i < 3; i++) {
            ember_rom_entry entry;
            ember_rom_clip  clip;
            ember_error     err = EMBER_ERROR_INIT;
            assert_true(
                ember_rom_find(&entry, rom, EMBER_ROM_KEYFRAMES, m.assets[i].id, strlen(m.assets[i].id)));
            assert_int_equal(ember_rom_clip_open(&clip, rom, &entry, &err), EMBER_OK);
            file.size = 0;
            assert_int_equal(ember_rom_clip_file(&file, &clip, &err), EMBER_OK);
            assert_int_equal(file.size, m.assets[i].size);
            assert_memory_equal(file.data, m.assets[i].data, file.size);
        }
        ember_rom_close(rom);
        ember_buffer_free(&bytes);
        ember_buffer_free(&file);
        made_content_free(&m);
    }
}

TEST(a_clip_knows_its_space_rate_loop_markers_and_bones)
{
    made_content m;
    made_content_make(&m, EMBER_SQUEEZE_RAW);
    ember_buffer    bytes = made_rom(&m.content);
    ember_rom      *rom = made_open(&bytes);
    ember_rom_entry entry;
    ember_rom_clip  clip;
    ember_marker    marker;
    assert_true(ember_rom_find(&entry, rom, EMBER_ROM_KEYFRAMES, "walk", 4));
    assert_int_equal(ember_rom_clip_open(&clip, rom, &entry, NULL), EMBER_OK);
    assert_string_equal(clip.id, "walk");
    assert_int_equal(clip.bone_count, 3);
    assert_int_equal(clip.frame_count, 5);
    assert_int_equal(clip.space, EMBER_SPACE_LOCAL);
    assert_true(clip.fps == 30.0 && clip.loop);
    assert_int_equal(clip.marker_count, 2);
    assert_true(ember_rom_clip_marker(&marker, &clip, 0));
    assert_string_equal(marker.name, "step");
    assert_int_equal(marker.frame, 1);
    assert_true(ember_rom_clip_marker(&marker, &clip, 1));
    assert_string_equal(marker.name, "");
    assert_int_equal(marker.frame, 3);
    assert_false(ember_rom_clip_marker(&marker, &clip, 2));
    assert_memory_equal(clip.rig.parents, skeleton_parents, sizeof(skeleton_parents));
    assert_memory_equal(clip.rig.rest, skeleton_rest, sizeof(skeleton_rest));
    for (uint32_t i = 0; i < SKELETON_BONES; i++)
        assert_string_equal(ember_rom_rig_name(&clip.rig, i), skeleton_names[i]);
    assert_null(ember_rom_rig_name(&clip.rig, SKELETON_BONES));
    assert_true(ember_rom_find(&entry, rom, EMBER_ROM_KEYFRAMES, "walk-model", 10));
    assert_int_equal(ember_rom_clip_open(&clip, rom, &entry, NULL), EMBER_OK);
    assert_int_equal(clip.space, EMBER_SPACE_MODEL);
    assert_false(clip.loop);
    assert_int_equal(clip.marker_count, 0);
    ember_rom_close(rom);
    ember_buffer_free(&bytes);
    made_content_free(&m);
}

TEST(a_clip_without_a_skeleton_has_roots_without_names)
{
    made_content m;
    made_content_make(&m, EMBER_SQUEEZE_RAW);
    m.assets[0].skeleton = NULL;
    m.assets[0].fps = 0.0;
    ember_buffer    bytes = made_rom(&m.content);
    ember_rom      *rom = made_open(&bytes);
    ember_rom_entry entry;
    ember_rom_clip  clip;
    assert_true(ember_rom_find(&entry, rom, EMBER_ROM_KEYFRAMES, "walk", 4));
    assert_int_equal(ember_rom_clip_open(&clip, rom, &entry, NULL), EMBER_OK);
    assert_null(clip.rig.rest);
    assert_true(clip.fps == 0.0);
    for (uint32_t i = 0; i < SKELETON_BONES; i++) {
        assert_int_equal(clip.rig.parents[i], -1);
        assert_null(ember_rom_rig_name(&clip.rig, i));
    }
    ember_rom_close(rom);
    ember_buffer_free(&bytes);
    made_content_free(&m);
}

TEST(clips_of_equal_bones_and_space_share_a_rig)
{
    made_content m;
    made_content_make(&m, EMBER_SQUEEZE_RAW);
    /* Equal contents at another address. */
    int16_t        parents[SKELETON_BONES];
    ember_skeleton same = fixture_skeleton, other = fixture_skeleton;
    memcpy(parents, skeleton_parents, sizeof(parents));
    same.parents = parents;
    m.assets[1].skeleton = &same;
    ember_buffer    bytes = made_rom(&m.content);
    ember_rom      *rom = made_open(&bytes);
    ember_rom_entry walk, run, model;
    assert_true(ember_rom_find(&walk, rom, EMBER_ROM_KEYFRAMES, "walk", 4));
    assert_true(ember_rom_find(&run, rom, EMBER_ROM_KEYFRAMES, "run", 3));
    assert_true(ember_rom_find(&model, rom, EMBER_ROM_KEYFRAMES, "walk-model", 10));
    assert_int_equal(walk.link, run.link);
    assert_int_not_equal(walk.link, model.link);
    ember_rom_close(rom);
    ember_buffer_free(&bytes);
    /* Another name is another rig. */
    static const char *const names[SKELETON_BONES] = {"hip", "chest", "hand.r"};
    other.names = names;
    m.assets[1].skeleton = &other;
    bytes = made_rom(&m.content);
    rom = made_open(&bytes);
    assert_int_equal(ember_rom_entry_count(rom), MADE_ASSETS + 3 + 1);
    ember_rom_close(rom);
    ember_buffer_free(&bytes);
    made_content_free(&m);
}

TEST(a_mesh_names_its_texture)
{
    made_content m;
    made_content_make(&m, EMBER_SQUEEZE_RAW);
    ember_buffer    bytes = made_rom(&m.content);
    ember_rom      *rom = made_open(&bytes);
    ember_rom_entry mesh, texture, skeleton;
    assert_true(ember_rom_find(&mesh, rom, EMBER_ROM_MESH, "hero", 4));
    assert_true(ember_rom_find(&skeleton, rom, EMBER_ROM_SKELETON, "hero", 4));
    assert_true(ember_rom_texture(&texture, rom, &mesh));
    assert_string_equal(texture.id, "hero/skin");
    assert_false(ember_rom_texture(&texture, rom, &skeleton));
    ember_rom_close(rom);
    ember_buffer_free(&bytes);
    made_content_free(&m);
}

TEST(the_order_of_the_assets_does_not_matter)
{
    for (int method = 0; method < EMBER_SQUEEZE_METHOD_COUNT; method++) {
        made_content m;
        test_random  random = {99};
        made_content_make(&m, (ember_squeeze_method)method);
        ember_buffer first = made_rom(&m.content);
        for (int round = 0; round < 20; round++) {
            for (uint32_t i = MADE_ASSETS - 1; i > 0; i--) {
                uint32_t        k = test_random_u32(&random) % (i + 1);
                ember_rom_asset asset = m.assets[i];
                m.assets[i] = m.assets[k];
                m.assets[k] = asset;
            }
            ember_buffer again = made_rom(&m.content);
            assert_int_equal(again.size, first.size);
            assert_memory_equal(again.data, first.data, first.size);
            ember_buffer_free(&again);
        }
        ember_buffer_free(&first);
        made_content_free(&m);
    }
}

TEST(the_header_and_the_rows_are_as_documented)
{
    ember_rom_asset      assets[1] = {{.kind = EMBER_ROM_DATA, .id = "e", .data = NULL, .size = 0}};
    ember_rom_content    content = {.title = "T", .assets = assets, .asset_count = 1};
    ember_buffer         bytes = made_rom(&content);
    const uint8_t       *d = bytes.data;
    /* 64 of header, two rows of 40, the ids "info" and "e" with their ends (7 bytes, padded to 160), the info
       of 8 + 2 + 1 bytes, padded to 176, an empty payload. */
    static const uint8_t header[56] = {0x89, 'E', 'W', 'Z', 13, 10, 26, 10, 1, 0,   0, 0, 176, 0, 0,
                                       0,    2,   0,   0,   0,  64, 0,  0,  0, 144, 0, 0, 0,   7};
    assert_int_equal(bytes.size, 176);
    assert_memory_equal(d, header, sizeof(header));
    static const uint8_t info_row[24] = {1,  0, 4, 0, 0, 0, 0, 0, 160,  0,    0,    0,
                                         11, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff};
    assert_memory_equal(d + 64, info_row, sizeof(info_row));
    /* XXH3 of nothing is 0x2d06800538d394c2, by its own specification. */
    static const uint8_t data_row[32] = {8,    0,    1,    0,    5,    0,    0,    0,    176,  0,    0,
                                         0,    0,    0,    0,    0,    0,    0,    0,    0,    0xff, 0xff,
                                         0xff, 0xff, 0xc2, 0x94, 0xd3, 0x38, 0x05, 0x80, 0x06, 0x2d};
    assert_memory_equal(d + 104, data_row, sizeof(data_row));
    assert_memory_equal(d + 144, "info\0e\0", 7);
    static const uint8_t info[11] = {1, 0, 0, 0, 0, 0, 0, 0, 'T', 0, 0};
    assert_memory_equal(d + 160, info, sizeof(info));
    ember_buffer_free(&bytes);
}

/* ---- what is refused ---- */

typedef struct told {
    uint32_t count;
    char     all[1024];
} told;

static void told_take(void *user, const ember_note *note)
{
    told  *t = user;
    size_t used = strlen(t->all);
    assert_int_equal(note->kind, EMBER_NOTE_WARNING);
    snprintf(t->all + used, sizeof(t->all) - used, "%s: %s\n", note->clip, note->text);
    t->count++;
}

TEST(every_bad_asset_is_told_and_nothing_is_written)
{
    made_content m;
    told         t = {0, ""};
    ember_notes  notes = {told_take, &t};
    ember_error  err = EMBER_ERROR_INIT;
    ember_buffer out = {.allocator = ember_heap()};
    made_content_make(&m, EMBER_SQUEEZE_RAW);
    assert_true(ember_buffer_append(&out, "old", 3));
    m.assets[0].size--;                     /* truncated */
    m.assets[1].id = "Run!";                /* illegal */
    m.assets[3].size = 7;                   /* not a skeleton */
    m.assets[5].data = "GIF89a, not a PNG"; /* not an image */
    m.assets[4].texture = "hero/none";
    m.assets[7].kind = EMBER_ROM_RIG;
    assert_int_equal(ember_rom_write(&out, &m.content, NULL, &notes, &err), EMBER_E_TRUNCATED);
    assert_int_equal(out.size, 3);
    assert_int_equal(t.count, 6);
    assert_non_null(strstr(t.all, "walk: keyframes: animation data truncated: 243 of 244 bytes\n"));
    assert_non_null(
        strstr(t.all, "Run!: keyframes: the id is not 1 to 255 characters of A-Z a-z 0-9 _ . / -\n"));
    assert_non_null(strstr(t.all, "hero: skeleton: skeleton data truncated"));
    assert_non_null(strstr(t.all, "hero/skin: texture: neither a PNG nor a JPEG image\n"));
    assert_non_null(strstr(t.all, "hero: mesh: the texture that it names is not there\n"));
    assert_non_null(strstr(t.all, "levels/one.txt: rig: this kind is made by the ROM's writer itself"));
    assert_string_equal(err.text, "keyframes 'walk': animation data truncated: 243 of 244 bytes");
    ember_buffer_free(&out);
    made_content_free(&m);
}

static void refuses(const made_content *m, ember_status status, const char *text)
{
    ember_buffer out = {.allocator = ember_heap()};
    ember_error  err = EMBER_ERROR_INIT;
    assert_int_equal(ember_rom_write(&out, &m->content, NULL, NULL, &err), status);
    assert_says(err.text, text);
    assert_int_equal(out.size, 0);
    ember_buffer_free(&out);
}

TEST(the_writer_refuses_what_a_clip_cannot_be)
{
    made_content m;
    made_content_make(&m, EMBER_SQUEEZE_RAW);
    ember_rom_asset good = m.assets[0];
    m.assets[0].id = "run";
    refuses(&m, EMBER_E_ARG, "keyframes 'run': the id is there twice");
    m.assets[0] = good;
    m.assets[0].space = EMBER_SPACE_UNSTATED;
    refuses(&m, EMBER_E_ARG, "neither model nor local space");
    m.assets[0] = good;
    m.assets[0].fps = -1.0;
    refuses(&m, EMBER_E_ARG, "a rate of -1");
    m.assets[0] = good;
    m.assets[0].method = EMBER_SQUEEZE_METHOD_COUNT;
    refuses(&m, EMBER_E_ARG, "not a way to squeeze");
    m.assets[0] = good;
    ember_marker beyond = {"far", 5};
    m.assets[0].marker_count = 1;
    m.assets[0].markers = &beyond;
    refuses(&m, EMBER_E_RANGE, "marker 0 is at frame 5, there are 5 frames");
    m.assets[0] = good;
    ember_skeleton fewer = fixture_skeleton;
    fewer.bone_count = 2;
    m.assets[0].skeleton = &fewer;
    refuses(&m, EMBER_E_ARG, "the clip has 3 bones, the skeleton given with it 2");
    m.assets[0] = good;
    uint8_t flags[20] = {1, 1, 1, 0};
    m.assets[0].data = flags;
    m.assets[0].size = sizeof(flags);
    refuses(&m, EMBER_E_MALFORMED, "flags is 0x01, must be 0");
    m.assets[0] = good;
    m.assets[6].id = "other";
    refuses(&m, EMBER_E_ARG, "the game's id is 'game'");
    m.assets[6].id = "game";
    m.content.title = "\xff";
    refuses(&m, EMBER_E_ARG, "title");
    made_content_free(&m);
}

TEST(more_than_the_limit_is_refused_and_the_sizes_are_told)
{
    made_content m;
    ember_error  err = EMBER_ERROR_INIT;
    ember_buffer out = {.allocator = ember_heap()};
    size_t       sizes[MADE_ASSETS];
    made_content_make(&m, EMBER_SQUEEZE_RAW);
    ember_buffer whole = made_rom(&m.content);
    m.content.limit_size = whole.size;
    assert_int_equal(ember_rom_write(&out, &m.content, sizes, NULL, NULL), EMBER_OK);
    out.size = 0;
    m.content.limit_size = whole.size - 1;
    memset(sizes, 0, sizeof(sizes));
    assert_int_equal(ember_rom_write(&out, &m.content, sizes, NULL, &err), EMBER_E_LIMIT);
    assert_non_null(strstr(err.text, "1 more than"));
    assert_int_equal(out.size, 0);
    assert_int_equal(sizes[6], 16); /* 8 bytes and their padding */
    assert_int_equal(sizes[7], 16);
    ember_buffer_free(&whole);
    ember_buffer_free(&out);
    made_content_free(&m);
}

TEST(ids_are_of_few_characters)
{
    char long_id[257];
    memset(long_id, 'a', sizeof(long_id));
    assert_true(ember_rom_id_valid("a-z_0/9.b", 9));
    assert_false(ember_rom_id_valid("", 0));
    assert_true(ember_rom_id_valid(long_id, 255));
    assert_false(ember_rom_id_valid(long_id, 256));
    for (unsigned c = 0; c < 256; c++) {
        char text[1] = {(char)c};
        bool takes = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' ||
                     c == '.' || c == '/' || c == '-';
        assert_int_equal(ember_rom_id_valid(text, 1), takes);
    }
    assert_string_equal(ember_rom_kind_name(EMBER_ROM_KEYFRAMES), "keyframes");
    assert_string_equal(ember_rom_kind_name((ember_rom_kind)99), "unknown");
}

TEST(kinds_that_are_models_have_formats)
{
    assert_int_equal(ember_rom_kind_format(EMBER_ROM_KEYFRAMES), EMBER_FORMAT_EWZANIM);
    assert_int_equal(ember_rom_kind_format(EMBER_ROM_SKELETON), EMBER_FORMAT_EWZSKEL);
    assert_int_equal(ember_rom_kind_format(EMBER_ROM_MESH), EMBER_FORMAT_EWZMESH);
    assert_int_equal(ember_rom_kind_format(EMBER_ROM_RIG), EMBER_FORMAT_UNKNOWN);
    assert_int_equal(ember_rom_kind_format((ember_rom_kind)99), EMBER_FORMAT_UNKNOWN);
}

TEST(an_empty_rom_can_be_opened)
{
    ember_rom_content content = {.assets = NULL};
    ember_buffer      bytes = made_rom(&content);
    ember_rom        *rom = made_open(&bytes);
    ember_rom_entry   entry;
    assert_string_equal(ember_rom_title(rom), "");
    assert_false(ember_rom_find(&entry, rom, EMBER_ROM_KEYFRAMES, "walk", 4));
    assert_int_equal(made_check(rom).count, 0);
    ember_rom_close(rom);
    ember_buffer_free(&bytes);
}

/* ---- allocators that fail ---- */

static ember_status write_run(void *job, ember_allocator allocator)
{
    ember_buffer out = {.allocator = allocator};
    ember_status status = ember_rom_write(&out, job, NULL, NULL, NULL);
    ember_buffer_free(&out);
    return status;
}

TEST(every_failing_allocation_is_survived)
{
    made_content m;
    made_content_make(&m, EMBER_SQUEEZE_RAW);
    assert_in_range(fixture_every_failing_allocation(write_run, &m.content), 1, 1000);
    made_content_free(&m);
}
