/* SPDX-License-Identifier: MIT */
/* XXH3 from xxhash's header, compiled once here. Hashes tell damage, not malice: whoever makes a ROM can make
   them fit. */
#include "rom/rom_layout.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

uint64_t ember_rom_hash(const void *data, size_t size) { return XXH3_64bits(data, size); }

uint32_t emberi_rom_row_check(const uint8_t *row, const char *id, size_t id_size)
{
    return (uint32_t)XXH3_64bits_withSeed(id, id_size, XXH3_64bits(row, ROW_AT_CHECK));
}
