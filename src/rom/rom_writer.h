/* SPDX-License-Identifier: MIT */
/* What the parts of the writer share. Everything lives in the writer's arena until the ROM is written. */
#ifndef EMBER_ROM_WRITER_H
#define EMBER_ROM_WRITER_H

#include "rom/rom_layout.h"

/* One row of the table to be. */
typedef struct rom_item {
    ember_rom_kind   kind;
    const char      *id;
    size_t           id_size;
    const uint8_t   *data; /* the payload */
    size_t           size;
    uint32_t         asset; /* the content's, or ROM_NO_ASSET */
    uint32_t         order; /* in the sorted table; written once that is known */
    struct rom_item *link;  /* or NULL */
    uint32_t         flags;
} rom_item;

#define ROM_NO_ASSET UINT32_MAX

/* Clips that share a rig, with the rig's payload. */
typedef struct rom_group {
    uint8_t   *payload;
    size_t     size;
    uint64_t   hash; /* of the payload before the clips' share is in it */
    bool       is_lean;
    rom_item **clips;
    uint32_t   clip_count;
    rom_item   item;
    char       id[17];
} rom_group;

typedef struct rom_writer {
    const ember_rom_content *content;
    const ember_notes       *problems;
    ember_error             *err;
    ember_arena              arena, scratch;
    size_t                   failed;
    rom_item                *assets; /* asset_count of them, in the content's order at first, then sorted */
    rom_group               *groups;
    uint32_t                 group_count;
} rom_writer;

/* Tells the problem; the first one becomes the error. */
void emberi_rom_problem(rom_writer *w, const ember_rom_asset *asset, ember_status status, const char *text);

/* Tells what is wrong with each asset by itself. */
void emberi_rom_assets_check(rom_writer *w);

/* Keeps the bytes of equal meshes once. w->assets must be sorted and have their links. */
ember_status emberi_rom_meshes_share(rom_writer *w);

/* Puts the clips into groups and makes their rigs' payloads and items. w->assets must be sorted. */
ember_status emberi_rom_rigs_make(rom_writer *w);

/* The payloads of all clips, squeezed as their assets say or lean as they are. */
ember_status emberi_rom_clips_make(rom_writer *w);

#endif
