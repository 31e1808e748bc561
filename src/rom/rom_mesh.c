/* SPDX-License-Identifier: MIT */
/* Meshes that several entries share: one has the bytes, the others name it and say which bone they follow.
   What a row names is checked before it is used. */
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "codec/ewzmesh_header.h"
#include "rom/rom_writer.h"

/* ---- reading ---- */

ember_status ember_rom_mesh_open(ember_rom_mesh *out, const ember_rom *rom, const ember_rom_entry *entry,
                                 ember_error *err)
{
    ember_rom_entry whole = *entry;
    if ((entry->flags & ROW_MESH_SHARED) != 0 &&
        (!ember_rom_entry_at(&whole, rom, entry->link) || whole.kind != EMBER_ROM_MESH || whole.flags != 0 ||
         whole.size < EWZMESH_HEADER_SIZE))
        return emberi_rom_fail(err, entry, "the mesh that it shares is not there");
    *out = (ember_rom_mesh){.data = whole.data, .size = whole.size, .bone = -1, .whole = whole};
    if ((entry->flags & ROW_MESH_SHARED) != 0 && whole.data[EWZMESH_AT_RIGID] != 0)
        out->bone = (int32_t)(entry->flags >> ROW_MESH_BONE_SHIFT & 0xFFu);
    return EMBER_OK;
}

ember_status ember_rom_mesh_file(ember_buffer *out, const ember_rom *rom, const ember_rom_entry *entry,
                                 ember_error *err)
{
    ember_rom_mesh mesh;
    EMBERI_TRY(ember_rom_mesh_open(&mesh, rom, entry, err));
    uint8_t *room = ember_buffer_grow(out, mesh.size);
    if (room == NULL)
        return emberi_fail_memory(err);
    if (mesh.size != 0)
        memcpy(room, mesh.data, mesh.size);
    if (mesh.bone >= 0)
        room[EWZMESH_AT_BONE] = (uint8_t)mesh.bone;
    return EMBER_OK;
}

/* ---- writing ---- */

typedef struct share_mesh {
    rom_item *item;
    uint64_t  hash; /* of everything behind the header */
} share_mesh;

/* Equal but for the bone that they follow. */
static bool share_equal(const rom_item *a, const rom_item *b)
{
    return a->size == b->size && a->size >= EWZMESH_HEADER_SIZE && a->link == b->link &&
           memcmp(a->data, b->data, EWZMESH_AT_BONE) == 0 &&
           memcmp(a->data + EWZMESH_AT_BONE + 1, b->data + EWZMESH_AT_BONE + 1,
                  a->size - EWZMESH_AT_BONE - 1) == 0;
}

/* By bytes, then in the table's order, so that the first of equals is always the same one. */
static int share_compare(const void *a, const void *b)
{
    const share_mesh *x = a, *y = b;
    if (x->item->size != y->item->size)
        return x->item->size < y->item->size ? -1 : 1;
    if (x->hash != y->hash)
        return x->hash < y->hash ? -1 : 1;
    return x->item < y->item ? -1 : x->item > y->item;
}

ember_status emberi_rom_meshes_share(rom_writer *w)
{
    uint32_t    count = 0;
    share_mesh *meshes = EMBER_PUSH(&w->arena, share_mesh, w->content->asset_count);
    if (meshes == NULL)
        return emberi_fail_memory(w->err);
    for (uint32_t i = 0; i < w->content->asset_count; i++) {
        rom_item *item = &w->assets[i];
        if (item->kind == EMBER_ROM_MESH && item->size >= EWZMESH_HEADER_SIZE)
            meshes[count++] = (share_mesh){item, ember_rom_hash(item->data + EWZMESH_HEADER_SIZE,
                                                                item->size - EWZMESH_HEADER_SIZE)};
    }
    if (count != 0)
        qsort(meshes, count, sizeof(*meshes), share_compare);
    for (uint32_t i = 1, first = 0; i < count; i++) {
        rom_item *item = meshes[i].item, *whole = meshes[first].item;
        if (meshes[i].hash != meshes[first].hash || !share_equal(item, whole)) {
            first = i;
            continue;
        }
        item->flags = ROW_MESH_SHARED | (uint32_t)item->data[EWZMESH_AT_BONE] << ROW_MESH_BONE_SHIFT;
        item->link = whole;
        item->size = 0;
    }
    return EMBER_OK;
}
