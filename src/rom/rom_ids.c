/* SPDX-License-Identifier: MIT */
/* Kinds by name and format, ids and what an entry is called in a message. */
#include <stdio.h>

#include "base/fail.h"
#include "rom/rom_layout.h"

const char *ember_rom_kind_name(ember_rom_kind kind)
{
    static const char *const names[EMBER_ROM_KIND_COUNT] = {"unknown", "info",      "game",
                                                            "rig",     "skeleton",  "mesh",
                                                            "texture", "keyframes", "data"};
    return (unsigned)kind < EMBER_ROM_KIND_COUNT ? names[kind] : names[0];
}

ember_format ember_rom_kind_format(ember_rom_kind kind)
{
    switch (kind) {
    case EMBER_ROM_KEYFRAMES:
        return EMBER_FORMAT_EWZANIM;
    case EMBER_ROM_SKELETON:
        return EMBER_FORMAT_EWZSKEL;
    case EMBER_ROM_MESH:
        return EMBER_FORMAT_EWZMESH;
    default:
        return EMBER_FORMAT_UNKNOWN;
    }
}

static bool id_takes(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.' || c == '/' || c == '-';
}

bool ember_rom_id_valid(const char *id, size_t size)
{
    if (size == 0 || size > EMBER_ROM_MAX_ID)
        return false;
    for (size_t i = 0; i < size; i++)
        if (!id_takes(id[i]))
            return false;
    return true;
}

emberi_rom_label emberi_rom_label_of(uint32_t kind, const char *id)
{
    emberi_rom_label label;
    snprintf(label.text, sizeof(label.text), "%s '%.72s'", ember_rom_kind_name((ember_rom_kind)kind), id);
    return label;
}

ember_status emberi_rom_fail(ember_error *err, const ember_rom_entry *entry, const char *what)
{
    return emberi_failf(err, EMBER_E_MALFORMED, EMBER_NO_OFFSET, "%s: %s",
                        emberi_rom_label_of(entry->kind, entry->id).text, what);
}
