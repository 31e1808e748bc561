/* SPDX-License-Identifier: MIT */
/* Where the fields of a ROM are, and the handle. docs/formats/ewz.md is the normative table of the same. */
#ifndef EMBER_ROM_LAYOUT_H
#define EMBER_ROM_LAYOUT_H

#include "ember/rom.h"

#define ROM_VERSION 1u
#define ROM_VERSION_LEAN 2u /* of ROMs with lean clips */
/* like PNG's: line-end conversion and cut eighth bits show */
#define ROM_MAGIC "\x89\x45\x57\x5A\x0D\x0A\x1A\x0A"
#define ROM_ALIGN 16u

/* The header. */
#define ROM_HEADER_SIZE 64u
#define ROM_AT_VERSION 8u
#define ROM_AT_SIZE 12u
#define ROM_AT_COUNT 16u
#define ROM_AT_TABLE 20u
#define ROM_AT_IDS 24u
#define ROM_AT_IDS_SIZE 28u
#define ROM_AT_RESERVED 32u
#define ROM_AT_HASH 56u

/* A row of the table. */
#define ROM_ROW_SIZE 40u
#define ROW_AT_KIND 0u
#define ROW_AT_ID_SIZE 2u
#define ROW_AT_ID 4u
#define ROW_AT_OFFSET 8u
#define ROW_AT_SIZE 12u
#define ROW_AT_FLAGS 16u
#define ROW_AT_LINK 20u
#define ROW_AT_HASH 24u
#define ROW_AT_CHECK 32u
/* Flags of a mesh's row: it has no payload, its link is the mesh that has it; and the bone
   that it follows. */
#define ROW_MESH_SHARED 1u
#define ROW_MESH_BONE_SHIFT 8u

/* The payload of a rig. */
#define RIG_HEADER_SIZE 16u
#define RIG_AT_BONES 0u
#define RIG_AT_SPACE 2u
#define RIG_AT_PARTS 3u
#define RIG_AT_NAMES_SIZE 4u
#define RIG_AT_LEAN_SIZE 8u
#define RIG_AT_RESERVED 12u
#define RIG_HAS_REST 1u
#define RIG_HAS_NAMES 2u
#define RIG_HAS_OFFSETS 4u
#define RIG_HAS_LEAN 8u

/* The payload of a clip. */
#define CLIP_HEADER_SIZE 32u
#define CLIP_AT_BONES 0u
#define CLIP_AT_FRAMES 2u
#define CLIP_AT_SPACE 4u
#define CLIP_AT_LOOP 5u
#define CLIP_AT_MARKERS 6u
#define CLIP_AT_FPS 8u
#define CLIP_AT_MARKERS_SIZE 16u
#define CLIP_AT_BLOCK_SIZE 20u
#define CLIP_AT_FORM 24u
#define CLIP_MARKER_SIZE 8u

/* The payload of the info. */
#define INFO_HEADER_SIZE 8u

struct ember_rom {
    const uint8_t  *data;
    size_t          size;
    uint32_t        version;
    uint32_t        entry_count;
    const uint8_t  *table;
    const uint8_t  *ids;
    uint32_t        ids_size;
    size_t          payloads; /* offset of the first byte behind the ids, aligned */
    ember_allocator allocator;
    bool            mapped;
};

static inline size_t emberi_rom_align(size_t size)
{
    return (size + (ROM_ALIGN - 1)) & ~(size_t)(ROM_ALIGN - 1);
}
static inline size_t emberi_rom_align4(size_t size) { return (size + 3) & ~(size_t)3; }

/* What a row's check field holds: of its first 32 bytes and its id. */
uint32_t emberi_rom_row_check(const uint8_t *row, const char *id, size_t id_size);

/* "keyframes 'walk'" for messages. */
typedef struct emberi_rom_label {
    char text[96];
} emberi_rom_label;
emberi_rom_label emberi_rom_label_of(uint32_t kind, const char *id);

/* Malformed: what is wrong with the payload, behind its entry's label. */
ember_status emberi_rom_fail(ember_error *err, const ember_rom_entry *entry, const char *what);

/* Why the row cannot be right, or NULL; *out is filled in if it can. `index` must be below the count. */
const char *emberi_rom_row_read(ember_rom_entry *out, const ember_rom *rom, uint32_t index);

/* ember_rom_verify without what the entry depends on. */
ember_status emberi_rom_verify_one(const ember_rom *rom, const ember_rom_entry *entry, ember_error *err);

/* Whether the format's own reader takes the file; the arena is left as it was. */
ember_status emberi_rom_model_check(const uint8_t *data, size_t size, ember_format format, ember_arena *arena,
                                    ember_error *err);

/* Both texts of an INFO payload; false if it is not one. */
bool emberi_rom_info_read(const char **title, const char **author, const uint8_t *data, size_t size);

/* What a rig's payload holds, all of it checked. */
typedef struct emberi_rom_rig {
    ember_rom_rig     rig;
    ember_space       space;
    bool              is_lean;
    ember_squeeze_rig squeeze; /* unless it is lean */
    ember_lean_rig    lean;    /* if it is */
} emberi_rom_rig;

/* The rig of an entry of kind RIG. */
ember_status emberi_rom_rig_read(emberi_rom_rig *out, const ember_rom_entry *entry, ember_error *err);

#endif
