/* SPDX-License-Identifier: MIT */
/* ROMs with any bytes, used as the console and the command use them. What ember_rom_check finds nothing wrong
   with must be readable to the last frame. The mutator keeps the hashes right, so that the fields behind them
   are reached. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/hierarchy.h"
#include "codec/ewzanim.h"
#include "rom/rom_layout.h"

/* ---- using ---- */

/* Poses in the clip's space; those that are stored are finite. */
static void use_frames(const ember_rom_clip *clip, bool good)
{
    ember_arena      arena = ember_arena_growing(ember_heap(), FUZZ_MEMORY);
    ember_error      err = EMBER_ERROR_INIT;
    ember_rom_frames frames;
    ember_transform  pose[EMBER_MAX_BONES];
    ember_status     status = ember_rom_frames_open(&frames, clip, &arena, &err);
    fuzz_check_error(status, &err);
    for (uint32_t i = 0; i < clip->frame_count && status == EMBER_OK; i++) {
        status = ember_rom_frames_read(pose, EMBER_MAX_BONES, &frames, i, &err);
        fuzz_check_error(status, &err);
        if (status == EMBER_OK)
            fuzz_touch(pose, sizeof(*pose) * clip->bone_count);
    }
    fuzz_require(!good || status == EMBER_OK, "frames that pass the check cannot be read");
    ember_arena_free(&arena);
}

static void use_clip(const ember_rom *rom, const ember_rom_entry *entry, bool good)
{
    ember_rom_clip clip;
    ember_marker   marker;
    ember_error    err = EMBER_ERROR_INIT;
    ember_buffer   file = {.allocator = ember_heap(), .limit = FUZZ_MEMORY};
    ember_status   status = ember_rom_clip_open(&clip, rom, entry, &err);
    fuzz_check_error(status, &err);
    fuzz_require(!good || status == EMBER_OK, "a clip that passes the check cannot be opened");
    if (status != EMBER_OK)
        return;
    for (uint32_t i = 0; i < clip.bone_count; i++) {
        fuzz_touch_text(ember_rom_rig_name(&clip.rig, i));
        fuzz_require(emberi_parent_valid(clip.rig.parents[i], i), "a parent that comes later");
    }
    if (clip.rig.rest != NULL)
        fuzz_touch(clip.rig.rest, sizeof(*clip.rig.rest) * clip.bone_count);
    for (uint32_t i = 0; i < clip.marker_count; i++) {
        fuzz_require(ember_rom_clip_marker(&marker, &clip, i) && marker.frame < clip.frame_count,
                     "a marker that is not there");
        fuzz_touch_text(marker.name);
    }
    if ((size_t)clip.bone_count * clip.frame_count <= 1u << 16) {
        status = ember_rom_clip_file(&file, &clip, &err);
        fuzz_check_error(status, &err);
        /* poses of lean clips may be too large for records */
        fuzz_require(!good || status == EMBER_OK || (status == EMBER_E_RANGE && clip.form == EMBER_ROM_LEAN),
                     "a clip that passes the check cannot be read");
        fuzz_require(status != EMBER_OK ||
                         file.size == emberi_ewzanim_size(clip.bone_count, clip.frame_count),
                     "a clip of a wrong size");
        use_frames(&clip, good);
    }
    ember_buffer_free(&file);
}

static void use_model(const ember_rom_entry *entry, ember_format format, bool good)
{
    fuzz_heap          heap = {0, 0};
    ember_arena        arena = ember_arena_growing(fuzz_allocator(&heap), FUZZ_MEMORY);
    ember_read_options options = {.format = format};
    ember_model        model;
    ember_status       status = fuzz_model_read(&model, entry->data, entry->size, options, &arena);
    fuzz_require(!good || status == EMBER_OK, "a file that passes the check cannot be read");
    ember_arena_free(&arena);
}

static void use_rom(const ember_rom *rom, bool good)
{
    for (uint32_t i = 0; i < ember_rom_entry_count(rom); i++) {
        ember_rom_entry entry, found;
        bool            there = ember_rom_entry_at(&entry, rom, i);
        fuzz_require(there || !good, "a row that passes the check is not there");
        if (!there)
            continue;
        fuzz_require(strlen(entry.id) == entry.id_size, "an id of a wrong size");
        fuzz_touch(entry.data, entry.size);
        bool is_found = ember_rom_find(&found, rom, (ember_rom_kind)entry.kind, entry.id, entry.id_size);
        fuzz_require(!good || (is_found && found.index == i), "a row that passes the check is not found");
        ember_status status = ember_rom_verify(rom, &entry, NULL);
        fuzz_require(!good || status == EMBER_OK, "an entry that passes the check is damaged");
        (void)ember_rom_texture(&found, rom, &entry);
        if (entry.kind == EMBER_ROM_KEYFRAMES)
            use_clip(rom, &entry, good);
        else if (entry.kind == EMBER_ROM_SKELETON)
            use_model(&entry, EMBER_FORMAT_EWZSKEL, good);
        else if (entry.kind == EMBER_ROM_MESH)
            use_model(&entry, EMBER_FORMAT_EWZMESH, good);
    }
    fuzz_touch_text(ember_rom_title(rom));
    fuzz_touch_text(ember_rom_author(rom));
}

static void count_finding(void *user, const ember_finding *finding)
{
    uint32_t      *errors = user;
    ember_findings look = fuzz_findings();
    look.take(look.user, finding);
    *errors += finding->severity == EMBER_SEVERITY_ERROR;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_heap      heap = {0, 0};
    uint32_t       errors = 0;
    ember_findings findings = {count_finding, &errors};
    ember_error    err = EMBER_ERROR_INIT;
    ember_rom     *rom;
    uint8_t       *exact = fuzz_exact_copy(data, size);
    ember_status   status = ember_rom_open_memory(&rom, exact, size, fuzz_allocator(&heap), &err);
    fuzz_check_error(status, &err);
    if (status == EMBER_OK) {
        fuzz_check_error(ember_rom_check(rom, fuzz_allocator(&heap), &findings, &err), &err);
        use_rom(rom, errors == 0);
        ember_rom_close(rom);
    }
    free(exact);
    fuzz_heap_check(&heap, size);
    return 0;
}

/* ---- changing ---- */

static uint32_t odd_number(fuzz_random *random, uint32_t now)
{
    static const uint32_t edges[] = {0,     1,           2,           3,           15,
                                     16,    64,          255,         256,         65535,
                                     65536, 0x7fffffffu, 0x80000000u, 0xfffffff0u, 0xffffffffu};
    switch (fuzz_random_below(random, 4)) {
    case 0:
        return edges[fuzz_random_below(random, sizeof(edges) / sizeof(edges[0]))];
    case 1:
        return now + 16 - fuzz_random_below(random, 33);
    case 2:
        return now ^ 1u << fuzz_random_below(random, 32);
    default:
        return fuzz_random_below(random, 256);
    }
}

/* Every hash as the bytes are now; rows that point outside keep theirs. */
static void fix_hashes(uint8_t *data, size_t size)
{
    uint32_t count = emberi_get_u32(data + ROM_AT_COUNT);
    size_t   ids = emberi_get_u32(data + ROM_AT_IDS), ids_size = emberi_get_u32(data + ROM_AT_IDS_SIZE);
    for (size_t i = 0; i < count && ROM_HEADER_SIZE + (i + 1) * ROM_ROW_SIZE <= size; i++) {
        uint8_t *row = data + ROM_HEADER_SIZE + i * ROM_ROW_SIZE;
        size_t   at = emberi_get_u32(row + ROW_AT_OFFSET), bytes = emberi_get_u32(row + ROW_AT_SIZE);
        size_t   id = emberi_get_u32(row + ROW_AT_ID), id_size = emberi_get_u16(row + ROW_AT_ID_SIZE);
        if (at <= size && bytes <= size - at)
            emberi_put_u64(row + ROW_AT_HASH, ember_rom_hash(data + at, bytes));
        if (id + id_size <= ids_size && ids + id + id_size <= size)
            emberi_put_u32(row + ROW_AT_CHECK,
                           emberi_rom_row_check(row, (const char *)data + ids + id, id_size));
    }
    emberi_put_u32(data + ROM_AT_SIZE, (uint32_t)size);
    emberi_put_u64(data + ROM_AT_HASH, ember_rom_hash(data, ROM_AT_HASH));
}

/* A payload gets longer or shorter; what lies behind it moves, and the rows say so. */
static size_t resize_payload(uint8_t *data, size_t size, size_t room, uint8_t *row, size_t new_size)
{
    const uint32_t count = emberi_get_u32(data + ROM_AT_COUNT);
    const size_t   at = emberi_get_u32(row + ROW_AT_OFFSET), old_size = emberi_get_u32(row + ROW_AT_SIZE);
    const size_t   old_end = emberi_rom_align(at + old_size), new_end = emberi_rom_align(at + new_size);
    const size_t   from = old_end < size ? old_end : size, now = new_end + (size - from);
    if (now > room)
        return size;
    memmove(data + new_end, data + from, size - from);
    const size_t kept = new_size < old_size ? new_size : old_size;
    memset(data + at + kept, 0, new_end - (at + kept));
    emberi_put_u32(row + ROW_AT_SIZE, (uint32_t)new_size);
    for (uint32_t i = 0; i < count; i++) {
        uint8_t *other = data + ROM_HEADER_SIZE + (size_t)i * ROM_ROW_SIZE;
        uint32_t other_at = emberi_get_u32(other + ROW_AT_OFFSET);
        if (other_at > at)
            emberi_put_u32(other + ROW_AT_OFFSET, (uint32_t)(other_at + new_end - old_end));
    }
    return from == size ? at + new_size : now;
}

static size_t change_payload(uint8_t *data, size_t size, size_t room, uint8_t *row, fuzz_random *random)
{
    const size_t at = emberi_get_u32(row + ROW_AT_OFFSET), bytes = emberi_get_u32(row + ROW_AT_SIZE);
    if (at > size || bytes > size - at || at < ROM_HEADER_SIZE)
        return size;
    if (bytes >= 4 && fuzz_random_below(random, 3) == 0) { /* a field of its header, most likely */
        const size_t field = fuzz_random_below(random, (uint32_t)(bytes < 32 ? bytes / 4 : 8)) * 4;
        emberi_put_u32(data + at + field, odd_number(random, emberi_get_u32(data + at + field)));
        return size;
    }
    if (fuzz_random_below(random, 4) == 0)
        return resize_payload(data, size, room, row, (size_t)fuzz_random_below(random, (uint32_t)bytes + 64));
    if (bytes != 0) {
        size_t kept = LLVMFuzzerMutate(data + at, bytes, bytes);
        if (kept < bytes)
            memset(data + at + kept, 0, bytes - kept);
    }
    return size;
}

static void change_row(uint8_t *row, fuzz_random *random)
{
    static const uint8_t fields[] = {ROW_AT_ID, ROW_AT_OFFSET, ROW_AT_SIZE, ROW_AT_FLAGS, ROW_AT_LINK};
    if (fuzz_random_below(random, 3) == 0) {
        uint8_t *field = row + (fuzz_random_below(random, 2) != 0 ? ROW_AT_KIND : ROW_AT_ID_SIZE);
        emberi_put_u16(field, (uint16_t)odd_number(random, emberi_get_u16(field)));
        return;
    }
    uint8_t *field = row + fields[fuzz_random_below(random, sizeof(fields))];
    emberi_put_u32(field, odd_number(random, emberi_get_u32(field)));
}

/* Bytes of a ROM that has its table become a ROM that has its table and its hashes; other bytes are changed
   as they are. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed)
{
    fuzz_random random = fuzz_random_seed(seed);
    uint32_t    count = size >= ROM_HEADER_SIZE ? emberi_get_u32(data + ROM_AT_COUNT) : 0;
    if (count == 0 || count > size / ROM_ROW_SIZE || ROM_HEADER_SIZE + (size_t)count * ROM_ROW_SIZE > size ||
        fuzz_random_below(&random, 16) == 0)
        return LLVMFuzzerMutate(data, size, room);
    for (uint32_t n = 1 + fuzz_random_below(&random, 3); n > 0; n--) {
        uint8_t *row = data + ROM_HEADER_SIZE + (size_t)fuzz_random_below(&random, count) * ROM_ROW_SIZE;
        const uint32_t what = fuzz_random_below(&random, 16);
        if (what < 12) {
            size = change_payload(data, size, room, row, &random);
        } else if (what < 14) {
            change_row(row, &random);
        } else if (what < 15) {
            uint8_t *field = data + ROM_AT_COUNT + 4 * fuzz_random_below(&random, 4);
            emberi_put_u32(field, odd_number(&random, emberi_get_u32(field)));
            count = emberi_get_u32(data + ROM_AT_COUNT);
            if (count == 0 || count > size / ROM_ROW_SIZE ||
                ROM_HEADER_SIZE + (size_t)count * ROM_ROW_SIZE > size)
                break;
        } else {
            const size_t ids = ROM_HEADER_SIZE + (size_t)count * ROM_ROW_SIZE;
            if (ids < size)
                data[ids + fuzz_random_below(&random, (uint32_t)(size - ids < 64 ? size - ids : 64))] ^=
                    (uint8_t)(1u << fuzz_random_below(&random, 8));
        }
    }
    fix_hashes(data, size);
    return size;
}
