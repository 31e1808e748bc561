/* SPDX-License-Identifier: MIT */
/* Looking at all of a ROM. Every byte of a ROM belongs to the header, a row, an id, a payload or is padding
   of zeros, and each of them is held against a hash or a rule here, so no byte can change unseen. Rows that
   cannot be right are told and left alone. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "base/fail.h"
#include "ember/file.h"
#include "ember/model.h"
#include "format/ops.h"
#include "rom/rom_layout.h"

typedef struct rom_check {
    const ember_rom      *rom;
    const ember_findings *findings;
    ember_arena           arena;
    ember_buffer          frames;
    size_t                errors;
    size_t                next_id;      /* where the next row's id must be */
    size_t                next_payload; /* where the next row's payload must be */
} rom_check;

/* "keyframes:walk", or the row's number where the id cannot be read. */
typedef struct check_name {
    char text[EMBER_ROM_MAX_ID + 32];
} check_name;

static check_name check_name_of(const ember_rom *rom, uint32_t index)
{
    check_name     name;
    const uint8_t *row = rom->table + (size_t)index * ROM_ROW_SIZE;
    const char    *kind = ember_rom_kind_name((ember_rom_kind)emberi_get_u16(row + ROW_AT_KIND));
    uint32_t       at = emberi_get_u32(row + ROW_AT_ID), size = emberi_get_u16(row + ROW_AT_ID_SIZE);
    if (at < rom->ids_size && size <= EMBER_ROM_MAX_ID && size < rom->ids_size - at)
        snprintf(name.text, sizeof(name.text), "%s:%.*s", kind, (int)size, (const char *)rom->ids + at);
    else
        snprintf(name.text, sizeof(name.text), "%s:row %u", kind, (unsigned)index);
    return name;
}

typedef struct check_rule {
    const char    *code;
    ember_severity severity;
} check_rule;

static const check_rule check_bad_row = {"ROM002", EMBER_SEVERITY_ERROR},
                        check_order = {"ROM003", EMBER_SEVERITY_ERROR},
                        check_row_hash = {"ROM004", EMBER_SEVERITY_ERROR},
                        check_payload_hash = {"ROM005", EMBER_SEVERITY_ERROR},
                        check_place = {"ROM006", EMBER_SEVERITY_ERROR},
                        check_content = {"ROM007", EMBER_SEVERITY_ERROR},
                        check_unknown = {"ROM101", EMBER_SEVERITY_WARNING};

static void check_tell(rom_check *c, check_rule rule, const char *name, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
static void check_tell(rom_check *c, check_rule rule, const char *name, const char *format, ...)
{
    char    text[320];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    c->errors += rule.severity == EMBER_SEVERITY_ERROR ? 1 : 0;
    ember_finding finding = {rule.code, rule.severity, name, NULL, -1, 1, text};
    c->findings->take(c->findings->user, &finding);
}

/* ---- places ---- */

/* Only zeros from one place to another. */
static bool check_is_zero(const rom_check *c, size_t from, size_t to)
{
    for (size_t i = from; i < to && i < c->rom->size; i++)
        if (c->rom->data[i] != 0)
            return false;
    return true;
}

static void check_row_place(rom_check *c, const char *name, const ember_rom_entry *entry)
{
    const ember_rom *rom = c->rom;
    size_t           id_at = (size_t)((const uint8_t *)entry->id - rom->ids),
           offset = (size_t)(entry->data - rom->data);
    if (id_at != c->next_id)
        check_tell(c, check_place, name,
                   "its id is at byte %zu of the ids, must be right behind the one before, at %zu", id_at,
                   c->next_id);
    if (offset != c->next_payload)
        check_tell(c, check_place, name, "its payload is at %zu, must be right behind the one before, at %zu",
                   offset, c->next_payload);
    c->next_id = id_at + entry->id_size + 1;
    c->next_payload = emberi_rom_align(offset + entry->size);
    if (!check_is_zero(c, offset + entry->size, c->next_payload))
        check_tell(c, check_place, name, "the padding behind it is not zero");
}

static void check_sorted(rom_check *c, const char *name, const ember_rom_entry *before,
                         const ember_rom_entry *entry)
{
    uint32_t less = before->id_size < entry->id_size ? before->id_size : entry->id_size;
    int      order = before->kind == entry->kind  ? memcmp(before->id, entry->id, less)
                     : before->kind < entry->kind ? -1
                                                  : 1;
    if (order == 0)
        order = before->id_size < entry->id_size ? -1 : before->id_size > entry->id_size;
    if (order >= 0)
        check_tell(c, check_order, name,
                   order == 0 ? "the id is there twice" : "the table is not sorted by kind and id here");
}

/* ---- contents ---- */

ember_status emberi_rom_model_check(const uint8_t *data, size_t size, ember_format format, ember_arena *arena,
                                    ember_error *err)
{
    ember_model        model;
    ember_read_options options = {.format = format};
    ember_arena_mark   mark = ember_arena_save(arena);
    ember_status       status = ember_model_read(&model, data, size, &options, arena, err);
    ember_arena_restore(arena, mark);
    return status;
}

static ember_status check_clip(rom_check *c, const ember_rom_entry *entry, ember_error *err)
{
    ember_rom_clip clip;
    EMBERI_TRY(ember_rom_clip_open(&clip, c->rom, entry, err));
    if (clip.form != EMBER_ROM_LEAN) {
        c->frames.size = 0;
        return ember_rom_clip_file(&c->frames, &clip, err);
    }
    ember_rom_frames frames;
    ember_arena_mark mark = ember_arena_save(&c->arena);
    ember_status     status = ember_rom_frames_open(&frames, &clip, &c->arena, err);
    if (status == EMBER_OK)
        status = ember_lean_check(&frames.lean, err);
    ember_arena_restore(&c->arena, mark);
    return status;
}

static ember_status check_rig(const rom_check *c, const ember_rom_entry *entry, ember_error *err)
{
    emberi_rom_rig rig;
    EMBERI_TRY(emberi_rom_rig_read(&rig, entry, err));
    return rig.is_lean && c->rom->version < ROM_VERSION_LEAN
               ? emberi_failf(err, EMBER_E_MALFORMED, EMBER_NO_OFFSET,
                              "it is one of lean clips, which a ROM of version %u does not have",
                              (unsigned)c->rom->version)
               : EMBER_OK;
}

static ember_status check_mesh(rom_check *c, const ember_rom_entry *entry, ember_error *err)
{
    ember_rom_entry texture;
    ember_rom_mesh  mesh;
    ember_status    status = ember_rom_mesh_open(&mesh, c->rom, entry, err);
    if (status == EMBER_OK)
        status = emberi_rom_model_check(mesh.data, mesh.size, ember_rom_kind_format(EMBER_ROM_MESH),
                                        &c->arena, err);
    if (status == EMBER_OK && mesh.whole.link != EMBER_ROM_NO_LINK &&
        !ember_rom_texture(&texture, c->rom, entry))
        return ember_fail(err, EMBER_E_MALFORMED, EMBER_NO_OFFSET, "the texture that it names is not there");
    return status;
}

/* Only meshes have some: whether they share their bytes, and the bone that they follow then. */
static bool check_flags(const ember_rom_entry *entry)
{
    uint32_t shared = ROW_MESH_SHARED | 0xFFu << ROW_MESH_BONE_SHIFT;
    bool     shares = entry->kind == EMBER_ROM_MESH && (entry->flags & ROW_MESH_SHARED) != 0;
    return shares ? (entry->flags & ~shared) == 0 && entry->size == 0 : entry->flags == 0;
}

static ember_status check_payload(rom_check *c, const ember_rom_entry *entry, ember_error *err)
{
    const char *title, *author;
    switch (entry->kind) {
    case EMBER_ROM_INFO:
        return emberi_rom_info_read(&title, &author, entry->data, entry->size)
                   ? EMBER_OK
                   : ember_fail(err, EMBER_E_MALFORMED, EMBER_NO_OFFSET, "not a title and an author");
    case EMBER_ROM_RIG:
        return check_rig(c, entry, err);
    case EMBER_ROM_SKELETON:
        return emberi_rom_model_check(entry->data, entry->size, ember_rom_kind_format(EMBER_ROM_SKELETON),
                                      &c->arena, err);
    case EMBER_ROM_MESH:
        return check_mesh(c, entry, err);
    case EMBER_ROM_KEYFRAMES:
        return check_clip(c, entry, err);
    default:
        return EMBER_OK;
    }
}

/* ---- rows ---- */

static void check_hashes(rom_check *c, const char *name, const ember_rom_entry *entry)
{
    const uint8_t *row = c->rom->table + (size_t)entry->index * ROM_ROW_SIZE;
    ember_error    err = EMBER_ERROR_INIT;
    bool payload = emberi_get_u32(row + ROW_AT_CHECK) == emberi_rom_row_check(row, entry->id, entry->id_size);
    if (emberi_rom_verify_one(c->rom, entry, &err) != EMBER_OK)
        check_tell(c, payload ? check_payload_hash : check_row_hash, name, "%s",
                   emberi_error_line_of(&err).text);
}

static void check_rows(rom_check *c)
{
    ember_rom_entry before = {.id = NULL}, entry;
    for (uint32_t i = 0; i < c->rom->entry_count; i++) {
        check_name  name = check_name_of(c->rom, i);
        const char *fault = emberi_rom_row_read(&entry, c->rom, i);
        if (fault != NULL) {
            check_tell(c, check_bad_row, name.text, "row %u of the table is damaged: %s", (unsigned)i, fault);
            before.id = NULL;
            continue;
        }
        check_hashes(c, name.text, &entry);
        check_row_place(c, name.text, &entry);
        if (before.id != NULL)
            check_sorted(c, name.text, &before, &entry);
        before = entry;
    }
}

static ember_status check_contents(rom_check *c)
{
    for (uint32_t i = 0; i < c->rom->entry_count; i++) {
        check_name      name = check_name_of(c->rom, i);
        ember_error     err = EMBER_ERROR_INIT;
        ember_rom_entry entry;
        if (!ember_rom_entry_at(&entry, c->rom, i))
            continue;
        bool known = entry.kind != 0 && entry.kind < EMBER_ROM_KIND_COUNT;
        if (!known)
            check_tell(c, check_unknown, name.text, "kind %u is not known to this library",
                       (unsigned)entry.kind);
        if (known && !check_flags(&entry))
            check_tell(c, check_content, name.text, "its flags are 0x%x, which its kind does not have",
                       (unsigned)entry.flags);
        ember_status status = check_payload(c, &entry, &err);
        if (status == EMBER_E_NOMEM)
            return status;
        if (status != EMBER_OK)
            check_tell(c, check_content, name.text, "%s", emberi_error_line_of(&err).text);
    }
    return EMBER_OK;
}

/* Bytes between and behind that belong to nothing. */
static void check_rest(rom_check *c)
{
    const ember_rom *rom = c->rom;
    size_t           ids_end = (size_t)(rom->ids - rom->data) + rom->ids_size;
    if (c->next_id != rom->ids_size)
        check_tell(c, check_place, NULL, "the ids end at byte %zu, there are %u bytes of them", c->next_id,
                   (unsigned)rom->ids_size);
    if (!check_is_zero(c, ids_end, rom->payloads))
        check_tell(c, check_place, NULL, "the padding behind the ids is not zero");
    if (c->next_payload != emberi_rom_align(rom->size))
        check_tell(c, check_place, NULL, "the last payload ends at %zu, the ROM at %zu", c->next_payload,
                   rom->size);
}

ember_status ember_rom_check(const ember_rom *rom, ember_allocator allocator, const ember_findings *findings,
                             ember_error *err)
{
    rom_check c = {.rom = rom,
                   .findings = findings,
                   .frames = {.allocator = allocator},
                   .next_payload = rom->payloads};
    c.arena = ember_arena_growing(allocator, 0);
    ember_status status = EMBER_OK;
    check_rows(&c);
    check_rest(&c);
    /* What a damaged entry does to those that name it is no finding of its own. */
    if (c.errors == 0)
        status = check_contents(&c);
    if (status != EMBER_OK)
        emberi_fail_memory(err);
    ember_buffer_free(&c.frames);
    ember_arena_free(&c.arena);
    return status;
}
