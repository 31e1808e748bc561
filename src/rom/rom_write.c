/* SPDX-License-Identifier: MIT */
/* Writing a ROM: the same bytes for the same content in whatever order it is given. Nothing is appended
   unless all of it can be. */
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/fail.h"
#include "ember/file.h"
#include "model/names.h"
#include "rom/rom_writer.h"

static int write_compare(const void *a, const void *b)
{
    const rom_item *x = a, *y = b;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    int order = memcmp(x->id, y->id, x->id_size < y->id_size ? x->id_size : y->id_size);
    return order != 0 ? order : x->id_size < y->id_size ? -1 : x->id_size > y->id_size;
}

static int write_compare_pointers(const void *a, const void *b)
{
    return write_compare(*(rom_item *const *)a, *(rom_item *const *)b);
}

/* ---- items ---- */

static rom_item *write_find(const rom_writer *w, ember_rom_kind kind, const char *id)
{
    rom_item key = {.kind = kind, .id = id, .id_size = strlen(id)};
    return bsearch(&key, w->assets, w->content->asset_count, sizeof(key), write_compare);
}

/* The assets as items, sorted; ids that are there twice and textures that are not there are problems. */
static ember_status write_sort(rom_writer *w)
{
    const ember_rom_content *content = w->content;
    w->assets = EMBER_PUSH(&w->arena, rom_item, content->asset_count);
    if (w->assets == NULL)
        return emberi_fail_memory(w->err);
    for (uint32_t i = 0; i < content->asset_count; i++) {
        const ember_rom_asset *asset = &content->assets[i];
        const char            *id = asset->id != NULL ? asset->id : "";
        w->assets[i] = (rom_item){asset->kind, id, strlen(id), asset->data, asset->size, i, 0, NULL, 0};
    }
    if (content->asset_count != 0)
        qsort(w->assets, content->asset_count, sizeof(*w->assets), write_compare);
    for (uint32_t i = 1; i < content->asset_count; i++)
        if (write_compare(&w->assets[i - 1], &w->assets[i]) == 0)
            emberi_rom_problem(w, &content->assets[w->assets[i].asset], EMBER_E_ARG, "the id is there twice");
    for (uint32_t i = 0; i < content->asset_count; i++) {
        const ember_rom_asset *asset = &content->assets[w->assets[i].asset];
        if (asset->kind != EMBER_ROM_MESH || asset->texture == NULL)
            continue;
        w->assets[i].link = write_find(w, EMBER_ROM_TEXTURE, asset->texture);
        if (w->assets[i].link == NULL)
            emberi_rom_problem(w, asset, EMBER_E_ARG, "the texture that it names is not there");
    }
    return EMBER_OK;
}

static ember_status write_info(rom_writer *w, rom_item *out)
{
    const char *texts[2] = {w->content->title != NULL ? w->content->title : "",
                            w->content->author != NULL ? w->content->author : ""};
    size_t sizes[2] = {strlen(texts[0]), strlen(texts[1])};
    for (int i = 0; i < 2; i++)
        if (sizes[i] > EMBER_ROM_MAX_TEXT || !emberi_utf8_valid(texts[i]))
            return emberi_failf(w->err, EMBER_E_ARG, EMBER_NO_OFFSET,
                                "the %s is not UTF-8 of at most %u bytes", i == 0 ? "title" : "author",
                                EMBER_ROM_MAX_TEXT);
    size_t   size = INFO_HEADER_SIZE + sizes[0] + 1 + sizes[1] + 1;
    uint8_t *p = ember_arena_push(&w->arena, size, 1, ROM_ALIGN);
    if (p == NULL)
        return emberi_fail_memory(w->err);
    emberi_put_u16(p, (uint16_t)sizes[0]);
    emberi_put_u16(p + 2, (uint16_t)sizes[1]);
    memcpy(p + INFO_HEADER_SIZE, texts[0], sizes[0]);
    memcpy(p + INFO_HEADER_SIZE + sizes[0] + 1, texts[1], sizes[1]);
    *out = (rom_item){EMBER_ROM_INFO, "info", 4, p, size, ROM_NO_ASSET, 0, NULL, 0};
    return EMBER_OK;
}

/* ---- bytes ---- */

typedef struct write_table {
    rom_item **items; /* sorted */
    uint32_t   count;
    size_t     ids_size, payloads, total;
} write_table;

static ember_status write_plan(rom_writer *w, write_table *table, rom_item *info)
{
    size_t assets = w->content->asset_count, count = assets + w->group_count + 1;
    if (count > EMBER_ROM_MAX_ENTRIES)
        return emberi_failf(w->err, EMBER_E_LIMIT, EMBER_NO_OFFSET,
                            "the ROM would have %zu entries, at most %u are possible", count,
                            EMBER_ROM_MAX_ENTRIES);
    table->items = EMBER_PUSH(&w->arena, rom_item *, count);
    if (table->items == NULL)
        return emberi_fail_memory(w->err);
    for (size_t i = 0; i < assets; i++)
        table->items[i] = &w->assets[i];
    for (uint32_t i = 0; i < w->group_count; i++)
        table->items[assets + i] = &w->groups[i].item;
    table->items[count - 1] = info;
    table->count = (uint32_t)count;
    qsort(table->items, count, sizeof(*table->items), write_compare_pointers);
    for (size_t i = 0; i < count; i++) {
        table->items[i]->order = (uint32_t)i;
        table->ids_size += table->items[i]->id_size + 1;
        /* Only rigs can meet here: two of different content with the same hash. */
        if (i > 0 && write_compare_pointers(&table->items[i - 1], &table->items[i]) == 0)
            return ember_fail(w->err, EMBER_E_LIMIT, EMBER_NO_OFFSET, "two rigs have the same hash");
    }
    table->payloads = emberi_rom_align(ROM_HEADER_SIZE + count * ROM_ROW_SIZE + table->ids_size);
    table->total = table->payloads;
    for (size_t i = 0; i < count; i++)
        table->total = emberi_rom_align(table->total) + table->items[i]->size;
    return EMBER_OK;
}

static ember_status write_check_size(rom_writer *w, const write_table *table)
{
    size_t limit = w->content->limit_size != 0 ? w->content->limit_size : EMBER_ROM_MAX_SIZE;
    if (limit > UINT32_MAX)
        limit = UINT32_MAX;
    if (table->total > limit)
        return emberi_failf(w->err, EMBER_E_LIMIT, EMBER_NO_OFFSET,
                            "the ROM would have %zu bytes, %zu more than the %zu it may have", table->total,
                            table->total - limit, limit);
    return EMBER_OK;
}

static void write_row(uint8_t *row, const rom_item *item, size_t id_at, size_t offset)
{
    emberi_put_u16(row + ROW_AT_KIND, (uint16_t)item->kind);
    emberi_put_u16(row + ROW_AT_ID_SIZE, (uint16_t)item->id_size);
    emberi_put_u32(row + ROW_AT_ID, (uint32_t)id_at);
    emberi_put_u32(row + ROW_AT_OFFSET, (uint32_t)offset);
    emberi_put_u32(row + ROW_AT_SIZE, (uint32_t)item->size);
    emberi_put_u32(row + ROW_AT_FLAGS, item->flags);
    emberi_put_u32(row + ROW_AT_LINK, item->link != NULL ? item->link->order : EMBER_ROM_NO_LINK);
    emberi_put_u64(row + ROW_AT_HASH, ember_rom_hash(item->data, item->size));
    emberi_put_u32(row + ROW_AT_CHECK, emberi_rom_row_check(row, item->id, item->id_size));
}

static ember_status write_bytes(rom_writer *w, ember_buffer *out, const write_table *table)
{
    uint8_t *rom = ember_buffer_grow(out, table->total);
    if (rom == NULL)
        return emberi_fail_memory(w->err);
    size_t   ids = ROM_HEADER_SIZE + (size_t)table->count * ROM_ROW_SIZE, id_at = 0, offset = table->payloads;
    uint32_t version = ROM_VERSION;
    for (uint32_t i = 0; i < w->group_count; i++)
        version = w->groups[i].is_lean ? ROM_VERSION_LEAN : version;
    memset(rom, 0, table->total);
    memcpy(rom, ROM_MAGIC, 8);
    emberi_put_u32(rom + ROM_AT_VERSION, version);
    emberi_put_u32(rom + ROM_AT_SIZE, (uint32_t)table->total);
    emberi_put_u32(rom + ROM_AT_COUNT, table->count);
    emberi_put_u32(rom + ROM_AT_TABLE, ROM_HEADER_SIZE);
    emberi_put_u32(rom + ROM_AT_IDS, (uint32_t)ids);
    emberi_put_u32(rom + ROM_AT_IDS_SIZE, (uint32_t)table->ids_size);
    emberi_put_u64(rom + ROM_AT_HASH, ember_rom_hash(rom, ROM_AT_HASH));
    for (uint32_t i = 0; i < table->count; i++) {
        const rom_item *item = table->items[i];
        memcpy(rom + ids + id_at, item->id, item->id_size);
        if (item->size != 0)
            memcpy(rom + offset, item->data, item->size);
        write_row(rom + ROM_HEADER_SIZE + (size_t)i * ROM_ROW_SIZE, item, id_at, offset);
        id_at += item->id_size + 1;
        offset = emberi_rom_align(offset + item->size);
    }
    return EMBER_OK;
}

/* ---- all of it ---- */

static ember_status write_content(rom_writer *w, ember_buffer *out, size_t *sizes)
{
    write_table  table = {.items = NULL};
    rom_item     info;
    ember_status status;
    emberi_rom_assets_check(w);
    status = write_sort(w);
    if (status == EMBER_OK && w->failed != 0)
        status = w->err->status;
    if (status == EMBER_OK)
        status = write_info(w, &info);
    if (status == EMBER_OK)
        status = emberi_rom_meshes_share(w);
    if (status == EMBER_OK)
        status = emberi_rom_rigs_make(w);
    if (status == EMBER_OK)
        status = emberi_rom_clips_make(w);
    for (uint32_t i = 0; sizes != NULL && status == EMBER_OK && i < w->content->asset_count; i++)
        sizes[w->assets[i].asset] = emberi_rom_align(w->assets[i].size);
    if (status == EMBER_OK)
        status = write_plan(w, &table, &info);
    if (status == EMBER_OK)
        status = write_check_size(w, &table);
    return status == EMBER_OK ? write_bytes(w, out, &table) : status;
}

ember_status ember_rom_write(ember_buffer *out, const ember_rom_content *content, size_t *sizes,
                             const ember_notes *problems, ember_error *err)
{
    ember_error local = EMBER_ERROR_INIT;
    rom_writer  w = {.content = content, .problems = problems, .err = &local};
    size_t      start = out->size;
    w.arena = ember_arena_growing(out->allocator, 0);
    w.scratch = ember_arena_growing(out->allocator, 0);
    if (sizes != NULL && content->asset_count != 0)
        memset(sizes, 0, content->asset_count * sizeof(*sizes));
    ember_status status = write_content(&w, out, sizes);
    ember_arena_free(&w.scratch);
    ember_arena_free(&w.arena);
    if (status != EMBER_OK) {
        out->size = start;
        if (err != NULL && err->status == EMBER_OK)
            *err = local;
    }
    return status;
}
