/* SPDX-License-Identifier: MIT */
/* Rigs: what the clips of one skeleton and space share. Every size is held against the payload's before
   anything points into it, parents, numbers and names are looked at one by one. Fields are used where they
   lie, which takes a little-endian machine; all of Ember's targets are. */
#include "base/bytes.h"
#include "base/fail.h"
#include "base/maths.h"
#include "ember/pose.h"
#include "rom/rom_layout.h"

/* The parts behind the header, one after the other; NULL where the rig has none. */
typedef struct rig_parts {
    const uint8_t *records, *parents, *offsets, *rest, *names, *lean;
    size_t         names_size, lean_size;
} rig_parts;

static bool rig_split(rig_parts *out, const ember_rom_entry *entry)
{
    const uint8_t *data = entry->data;
    size_t         count = emberi_get_u16(data + RIG_AT_BONES), has = data[RIG_AT_PARTS];
    emberi_reader  reader = emberi_reader_init(data, entry->size);
    emberi_reader_take(&reader, RIG_HEADER_SIZE);
    out->records =
        (has & RIG_HAS_LEAN) == 0 ? emberi_reader_take(&reader, count * EMBER_KEYFRAME_SIZE) : NULL;
    out->parents = emberi_reader_take(&reader, emberi_rom_align4(count * sizeof(int16_t)));
    out->offsets =
        (has & RIG_HAS_OFFSETS) != 0 ? emberi_reader_take(&reader, count * sizeof(ember_vec3)) : NULL;
    out->rest =
        (has & RIG_HAS_REST) != 0 ? emberi_reader_take(&reader, count * sizeof(ember_transform)) : NULL;
    out->names_size = emberi_get_u32(data + RIG_AT_NAMES_SIZE);
    out->names = emberi_reader_take(&reader, out->names_size);
    if ((has & RIG_HAS_NAMES) == 0)
        out->names = NULL;
    out->lean_size = emberi_get_u32(data + RIG_AT_LEAN_SIZE);
    out->lean = emberi_reader_take(&reader, out->lean_size);
    return emberi_reader_ok(&reader) && emberi_reader_left(&reader) == 0 &&
           ((has & RIG_HAS_NAMES) != 0) == (out->names_size != 0) &&
           ((has & RIG_HAS_LEAN) != 0) == (out->lean_size != 0);
}

static bool rig_floats_finite(const uint8_t *data, size_t count)
{
    for (size_t i = 0; data != NULL && i < count; i++)
        if (!emberi_is_finite(emberi_float_of(emberi_get_u32(data + i * 4))))
            return false;
    return true;
}

/* Offsets in front, then texts; the last byte ends the last of them. */
static bool rig_names_valid(const rig_parts *parts, size_t count)
{
    if (parts->names == NULL)
        return true;
    if (parts->names_size < count * 4 || parts->names[parts->names_size - 1] != 0)
        return false;
    for (size_t i = 0; i < count; i++) {
        uint32_t at = emberi_get_u32(parts->names + i * 4);
        if (at != 0 && (at < count * 4 || at >= parts->names_size))
            return false;
    }
    return true;
}

static ember_status rig_read_lean(ember_lean_rig *out, const rig_parts *parts, uint32_t count,
                                  const ember_rom_entry *entry, ember_error *err)
{
    ember_error local = EMBER_ERROR_INIT;
    if (ember_lean_rig_open(out, parts->lean, parts->lean_size, &local) != EMBER_OK)
        return emberi_failf(err, EMBER_E_MALFORMED, EMBER_NO_OFFSET, "%s: its lean rig: %s",
                            emberi_rom_label_of(entry->kind, entry->id).text, local.text);
    return out->bone_count == count ? EMBER_OK
                                    : emberi_rom_fail(err, entry, "its lean rig is one of other bones");
}

ember_status emberi_rom_rig_read(emberi_rom_rig *out, const ember_rom_entry *entry, ember_error *err)
{
    rig_parts parts;
    if (entry->size < RIG_HEADER_SIZE)
        return emberi_rom_fail(err, entry, "shorter than its header");
    uint32_t count = emberi_get_u16(entry->data + RIG_AT_BONES);
    uint8_t  space = entry->data[RIG_AT_SPACE], has = entry->data[RIG_AT_PARTS];
    bool     both = (has & RIG_HAS_LEAN) != 0 && (has & RIG_HAS_OFFSETS) != 0;
    if (count == 0 || count > EMBER_MAX_BONES || (space != EMBER_SPACE_MODEL && space != EMBER_SPACE_LOCAL) ||
        has > (RIG_HAS_REST | RIG_HAS_NAMES | RIG_HAS_OFFSETS | RIG_HAS_LEAN) || both ||
        emberi_get_u32(entry->data + RIG_AT_RESERVED) != 0)
        return emberi_rom_fail(err, entry, "its header is not one");
    if (!rig_split(&parts, entry))
        return emberi_rom_fail(err, entry, "its size is not that of its parts");
    const int16_t *parents = (const void *)parts.parents;
    if (!ember_hierarchy_valid(parents, count))
        return emberi_rom_fail(err, entry, "a bone's parent does not come before it");
    if (!rig_floats_finite(parts.rest, (size_t)count * 10) ||
        !rig_floats_finite(parts.offsets, (size_t)count * 3))
        return emberi_rom_fail(err, entry, "a number is not finite");
    if (!rig_names_valid(&parts, count))
        return emberi_rom_fail(err, entry, "a bone's name is not inside");
    *out = (emberi_rom_rig){.rig = {.bone_count = count,
                                    .parents = parents,
                                    .rest = (const void *)parts.rest,
                                    .names = parts.names,
                                    .names_size = parts.names_size},
                            .space = (ember_space)space,
                            .is_lean = (has & RIG_HAS_LEAN) != 0};
    if (out->is_lean)
        return rig_read_lean(&out->lean, &parts, count, entry, err);
    out->squeeze = (ember_squeeze_rig){.bone_count = count,
                                       .rest = parts.records,
                                       .parents = parents,
                                       .offsets = parts.offsets,
                                       .model_space = space == EMBER_SPACE_MODEL};
    return EMBER_OK;
}

const char *ember_rom_rig_name(const ember_rom_rig *rig, uint32_t bone)
{
    if (rig->names == NULL || bone >= rig->bone_count)
        return NULL;
    uint32_t at = emberi_get_u32(rig->names + (size_t)bone * 4);
    return at != 0 ? (const char *)rig->names + at : NULL;
}
