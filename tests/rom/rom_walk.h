/* SPDX-License-Identifier: MIT */
/* Everything a reader does with a ROM, for bytes that may be anything: nothing may crash,
   whatever comes of it. */
#ifndef EMBER_TEST_ROM_WALK_H
#define EMBER_TEST_ROM_WALK_H

#include "rom_made.h"

static inline void walk_clip(const ember_rom *rom, const ember_rom_entry *entry)
{
    ember_rom_clip clip;
    ember_marker   marker;
    ember_error    err = EMBER_ERROR_INIT;
    size_t         sum = 0;
    if (ember_rom_clip_open(&clip, rom, entry, &err) != EMBER_OK) {
        assert_int_not_equal(err.text[0], '\0');
        return;
    }
    for (uint32_t i = 0; i < clip.bone_count; i++) {
        const char *name = ember_rom_rig_name(&clip.rig, i);
        sum += name != NULL ? strlen(name) : 0;
        assert_true(clip.rig.parents[i] >= -1 && clip.rig.parents[i] < (int16_t)i);
        if (clip.rig.rest != NULL)
            sum += clip.rig.rest[i].position.x > 0.0f;
    }
    for (uint32_t i = 0; i < clip.marker_count; i++) {
        assert_true(ember_rom_clip_marker(&marker, &clip, i));
        assert_true(marker.frame < clip.frame_count);
        sum += strlen(marker.name);
    }
    ember_buffer file = {.allocator = ember_heap()};
    if (ember_rom_clip_file(&file, &clip, NULL) == EMBER_OK)
        assert_int_equal(file.size, 4 + (size_t)clip.bone_count * clip.frame_count * 16);
    ember_buffer_free(&file);
    ember_rom_frames frames;
    ember_arena      arena = ember_arena_growing(ember_heap(), 0);
    ember_transform  pose[EMBER_MAX_BONES];
    if (ember_rom_frames_open(&frames, &clip, &arena, NULL) == EMBER_OK)
        for (uint32_t i = 0; i < clip.frame_count; i++)
            sum += ember_rom_frames_read(pose, EMBER_MAX_BONES, &frames, i, NULL) == EMBER_OK;
    ember_arena_free(&arena);
    assert_true(sum < (size_t)1 << 24);
}

static inline void walk_entries(const ember_rom *rom)
{
    for (uint32_t i = 0; i < ember_rom_entry_count(rom); i++) {
        ember_rom_entry entry, found;
        if (!ember_rom_entry_at(&entry, rom, i))
            continue;
        assert_int_equal(strlen(entry.id), entry.id_size);
        ember_rom_verify(rom, &entry, NULL);
        ember_rom_texture(&found, rom, &entry);
        ember_rom_find(&found, rom, (ember_rom_kind)entry.kind, entry.id, entry.id_size);
        if (entry.kind == EMBER_ROM_KEYFRAMES)
            walk_clip(rom, &entry);
        ember_buffer file = {.allocator = ember_heap()};
        if (entry.kind == EMBER_ROM_MESH)
            (void)ember_rom_mesh_file(&file, rom, &entry, NULL);
        ember_buffer_free(&file);
    }
    assert_non_null(ember_rom_title(rom));
    assert_non_null(ember_rom_author(rom));
}

/* Opens a copy in a block of exactly that size, and uses all of it. False, with the reason, if it
   does not open. */
static inline bool walk_bytes(const uint8_t *data, size_t size, made_findings *findings, ember_error *err)
{
    uint8_t    *copy = test_exact_copy(data, size);
    ember_rom  *rom;
    ember_error local = EMBER_ERROR_INIT;
    bool        opened = ember_rom_open_memory(&rom, copy, size, ember_heap(), &local) == EMBER_OK;
    if (opened) {
        walk_entries(rom);
        *findings = made_check(rom);
        ember_rom_close(rom);
    } else {
        assert_null(rom);
        assert_int_not_equal(local.text[0], '\0');
    }
    *err = local;
    free(copy);
    return opened;
}

#endif
