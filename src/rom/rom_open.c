/* SPDX-License-Identifier: MIT */
/* Opening a ROM and finding what is in it. Opening looks at 64 bytes; a row of the table is checked when it
   is asked for, so neither time nor memory grows with the ROM. Whatever the bytes are, nothing outside of
   them is read. */
#include <string.h>

#include "base/bytes.h"
#include "base/fail.h"
#include "platform/files.h"
#include "rom/rom_layout.h"

/* ---- the header ---- */

bool ember_rom_sniff(const void *data, size_t size) { return size >= 8 && memcmp(data, ROM_MAGIC, 8) == 0; }

const char *ember_rom_foreign(const void *data, size_t size)
{
    if (size >= 4 && memcmp(data, "NCZX", 4) == 0)
        return "a ROM of Nethercore (.nczx)";
    return size >= 4 && memcmp(data, "EWZ", 4) == 0 ? "a ROM of the first Emberware (.ewz)" : NULL;
}

static ember_status open_check_header(const uint8_t *data, size_t size, ember_error *err)
{
    size_t      magic = size < 8 ? size : 8;
    const char *foreign = ember_rom_foreign(data, size);
    if (foreign != NULL)
        return emberi_failf(err, EMBER_E_UNSUPPORTED, 0,
                            "%s, which is not read: ember build makes a ROM from the same assets", foreign);
    if (size == 0 || memcmp(data, ROM_MAGIC, magic) != 0)
        return ember_fail(err, EMBER_E_MALFORMED, 0, "not a ROM: the first bytes are not those of .ewz");
    if (size < ROM_HEADER_SIZE)
        return emberi_failf(err, EMBER_E_TRUNCATED, size, "ROM truncated: %zu of the header's %u bytes", size,
                            ROM_HEADER_SIZE);
    uint32_t version = emberi_get_u32(data + ROM_AT_VERSION);
    if (version != ROM_VERSION && version != ROM_VERSION_LEAN)
        return emberi_failf(err, EMBER_E_VERSION, ROM_AT_VERSION,
                            "the ROM is of version %u, this library knows versions %u and %u",
                            (unsigned)version, ROM_VERSION, ROM_VERSION_LEAN);
    if (emberi_get_u64(data + ROM_AT_HASH) != ember_rom_hash(data, ROM_AT_HASH))
        return ember_fail(err, EMBER_E_MALFORMED, ROM_AT_HASH,
                          "the ROM's header is damaged: it does not have its hash");
    uint32_t total = emberi_get_u32(data + ROM_AT_SIZE);
    if (size < total)
        return emberi_failf(err, EMBER_E_TRUNCATED, size, "ROM truncated: %zu of %u bytes", size,
                            (unsigned)total);
    if (size > total)
        return emberi_failf(err, EMBER_E_MALFORMED, total, "the ROM has %zu extra %s", size - total,
                            size - total == 1 ? "byte" : "bytes");
    return EMBER_OK;
}

/* Where table and ids are: one behind the other, right behind the header. */
static ember_status open_check_table(ember_rom *rom, ember_error *err)
{
    const uint8_t *data = rom->data;
    uint32_t       count = emberi_get_u32(data + ROM_AT_COUNT), table = emberi_get_u32(data + ROM_AT_TABLE);
    uint32_t       ids = emberi_get_u32(data + ROM_AT_IDS), ids_size = emberi_get_u32(data + ROM_AT_IDS_SIZE);
    if (count > EMBER_ROM_MAX_ENTRIES)
        return emberi_failf(err, EMBER_E_LIMIT, ROM_AT_COUNT,
                            "the ROM has %u entries, at most %u are possible", (unsigned)count,
                            EMBER_ROM_MAX_ENTRIES);
    if (table != ROM_HEADER_SIZE || ids != ROM_HEADER_SIZE + count * ROM_ROW_SIZE)
        return emberi_failf(err, EMBER_E_MALFORMED, ROM_AT_TABLE,
                            "the ROM's table is at %u and its ids at %u, must be %u and %u", (unsigned)table,
                            (unsigned)ids, ROM_HEADER_SIZE,
                            (unsigned)(ROM_HEADER_SIZE + count * ROM_ROW_SIZE));
    if (ids > rom->size || ids_size > rom->size - ids)
        return emberi_failf(err, EMBER_E_MALFORMED, ROM_AT_IDS_SIZE,
                            "the ROM's table of %u entries does not fit into %zu bytes", (unsigned)count,
                            rom->size);
    for (uint32_t i = ROM_AT_RESERVED; i < ROM_AT_HASH; i++)
        if (data[i] != 0)
            return emberi_failf(err, EMBER_E_MALFORMED, i, "byte %u of the ROM's header is %u, must be 0",
                                (unsigned)i, (unsigned)data[i]);
    rom->version = emberi_get_u32(data + ROM_AT_VERSION);
    rom->entry_count = count;
    rom->table = data + table;
    rom->ids = data + ids;
    rom->ids_size = ids_size;
    rom->payloads = emberi_rom_align((size_t)ids + ids_size);
    return EMBER_OK;
}

static ember_status open_bytes(ember_rom **out, ember_rom rom, ember_error *err)
{
    ember_error  local = EMBER_ERROR_INIT;
    ember_status status = open_check_header(rom.data, rom.size, &local);
    if (status == EMBER_OK)
        status = open_check_table(&rom, &local);
    ember_rom *made =
        status == EMBER_OK ? rom.allocator.resize(rom.allocator.user, NULL, 0, sizeof(rom)) : NULL;
    if (status == EMBER_OK && made == NULL)
        status = emberi_fail_memory(&local);
    if (made != NULL)
        *made = rom;
    else if (err != NULL && err->status == EMBER_OK)
        *err = local;
    *out = made;
    return status;
}

ember_status ember_rom_open_memory(ember_rom **out, const void *data, size_t size, ember_allocator allocator,
                                   ember_error *err)
{
    static const uint8_t empty[ROM_ALIGN] = {0};
    *out = NULL;
    if ((uintptr_t)data % ROM_ALIGN != 0)
        return ember_fail(err, EMBER_E_ARG, EMBER_NO_OFFSET, "the ROM's bytes are not aligned to 16");
    ember_rom rom = {.data = data != NULL ? data : empty,
                     .size = data != NULL ? size : 0,
                     .allocator = allocator};
    return open_bytes(out, rom, err);
}

/* ---- files ---- */

ember_status ember_rom_open_file(ember_rom **out, const char *path, ember_allocator allocator,
                                 ember_error *err)
{
    emberi_mapped mapped;
    ember_status  status = emberi_file_map(&mapped, path, err);
    *out = NULL;
    if (status != EMBER_OK)
        return status;
    ember_rom rom = {.data = mapped.data, .size = mapped.size, .allocator = allocator, .mapped = true};
    if (mapped.size == 0)
        status = ember_fail(err, EMBER_E_MALFORMED, 0, "not a ROM: the file is empty");
    else if (mapped.size > UINT32_MAX)
        status = emberi_failf(err, EMBER_E_LIMIT, EMBER_NO_OFFSET, "not a ROM: the file has %zu bytes",
                              mapped.size);
    else
        status = open_bytes(out, rom, err);
    if (status != EMBER_OK)
        emberi_file_unmap(&mapped);
    return status;
}

void ember_rom_close(ember_rom *rom)
{
    if (rom == NULL)
        return;
    if (rom->mapped)
        emberi_file_unmap(&(emberi_mapped){rom->data, rom->size});
    rom->allocator.resize(rom->allocator.user, rom, sizeof(*rom), 0);
}

/* ---- entries ---- */

size_t ember_rom_size(const ember_rom *rom) { return rom->size; }

uint32_t ember_rom_entry_count(const ember_rom *rom) { return rom->entry_count; }

/* The row's id, or NULL if it is not inside the ids or not terminated there. */
static const char *open_row_id(const ember_rom *rom, const uint8_t *row, uint32_t *id_size)
{
    uint32_t at = emberi_get_u32(row + ROW_AT_ID);
    *id_size = emberi_get_u16(row + ROW_AT_ID_SIZE);
    if (at >= rom->ids_size || *id_size >= rom->ids_size - at || rom->ids[at + *id_size] != 0)
        return NULL;
    return (const char *)rom->ids + at;
}

const char *emberi_rom_row_read(ember_rom_entry *out, const ember_rom *rom, uint32_t index)
{
    const uint8_t *row = rom->table + (size_t)index * ROM_ROW_SIZE;
    uint32_t id_size, offset = emberi_get_u32(row + ROW_AT_OFFSET), size = emberi_get_u32(row + ROW_AT_SIZE);
    const char *id = open_row_id(rom, row, &id_size);
    if (id == NULL)
        return "its id is not among the ids, or not terminated";
    if (!ember_rom_id_valid(id, id_size))
        return "its id has other characters than A-Z a-z 0-9 _ . / -, or none or too many";
    if (offset % ROM_ALIGN != 0)
        return "its payload is not aligned to 16";
    if (offset < rom->payloads || offset > rom->size || size > rom->size - offset)
        return "its payload is not inside the ROM";
    uint32_t link = emberi_get_u32(row + ROW_AT_LINK);
    *out = (ember_rom_entry){
        .kind = emberi_get_u16(row + ROW_AT_KIND),
        .index = index,
        .id = id,
        .id_size = id_size,
        .data = rom->data + offset,
        .size = size,
        .flags = emberi_get_u32(row + ROW_AT_FLAGS),
        .link = link,
        .hash = emberi_get_u64(row + ROW_AT_HASH),
    };
    return NULL;
}

bool ember_rom_entry_at(ember_rom_entry *out, const ember_rom *rom, uint32_t index)
{
    return index < rom->entry_count && emberi_rom_row_read(out, rom, index) == NULL;
}

/* Below 0 if the row comes before (kind, id), 0 if it is it; false if the row's id cannot be read. */
static bool open_compare(int *out, const ember_rom *rom, uint32_t index, uint32_t kind, const char *id,
                         size_t id_size)
{
    const uint8_t *row = rom->table + (size_t)index * ROM_ROW_SIZE;
    uint32_t       own_size, own_kind = emberi_get_u16(row + ROW_AT_KIND);
    if (own_kind != kind) {
        *out = own_kind < kind ? -1 : 1;
        return true;
    }
    const char *own = open_row_id(rom, row, &own_size);
    if (own == NULL)
        return false;
    *out = memcmp(own, id, own_size < id_size ? own_size : id_size);
    if (*out == 0)
        *out = own_size < id_size ? -1 : own_size > id_size;
    return true;
}

bool ember_rom_find(ember_rom_entry *out, const ember_rom *rom, ember_rom_kind kind, const char *id,
                    size_t id_size)
{
    uint32_t low = 0, high = rom->entry_count;
    if (id_size == 0 || id_size > EMBER_ROM_MAX_ID)
        return false;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        int      order;
        if (!open_compare(&order, rom, middle, (uint32_t)kind, id, id_size))
            return false;
        if (order == 0)
            return ember_rom_entry_at(out, rom, middle);
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

bool ember_rom_texture(ember_rom_entry *out, const ember_rom *rom, const ember_rom_entry *mesh)
{
    ember_rom_mesh shared;
    return mesh->kind == EMBER_ROM_MESH && ember_rom_mesh_open(&shared, rom, mesh, NULL) == EMBER_OK &&
           ember_rom_entry_at(out, rom, shared.whole.link) && out->kind == EMBER_ROM_TEXTURE;
}

ember_status emberi_rom_verify_one(const ember_rom *rom, const ember_rom_entry *entry, ember_error *err)
{
    const uint8_t *row = rom->table + (size_t)entry->index * ROM_ROW_SIZE;
    uint64_t       offset = (uint64_t)(entry->data - rom->data);
    EMBERI_ASSERT(entry->index < rom->entry_count);
    if (emberi_get_u32(row + ROW_AT_CHECK) != emberi_rom_row_check(row, entry->id, entry->id_size) ||
        emberi_get_u32(row + ROW_AT_CHECK + 4) != 0)
        return emberi_failf(err, EMBER_E_MALFORMED, (uint64_t)(row - rom->data),
                            "%s is damaged: its row of the table does not have its hash",
                            emberi_rom_label_of(entry->kind, entry->id).text);
    if (ember_rom_hash(entry->data, entry->size) != entry->hash)
        return emberi_failf(err, EMBER_E_MALFORMED, offset,
                            "%s is damaged: its %zu bytes do not have their hash",
                            emberi_rom_label_of(entry->kind, entry->id).text, entry->size);
    return EMBER_OK;
}

ember_status ember_rom_verify(const ember_rom *rom, const ember_rom_entry *entry, ember_error *err)
{
    ember_rom_entry linked;
    ember_status    status = emberi_rom_verify_one(rom, entry, err);
    bool            needed = entry->kind == EMBER_ROM_KEYFRAMES ||
                  (entry->kind == EMBER_ROM_MESH && (entry->flags & ROW_MESH_SHARED) != 0);
    if (status == EMBER_OK && needed && ember_rom_entry_at(&linked, rom, entry->link))
        status = emberi_rom_verify_one(rom, &linked, err);
    return status;
}
