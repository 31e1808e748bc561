/* SPDX-License-Identifier: MIT */
/* FNV-1a, 64 bits: for golden hashes, where smallness counts and speed does not. */
#ifndef EMBER_BASE_HASH_H
#define EMBER_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define EMBERI_HASH_START UINT64_C(0xcbf29ce484222325)

static inline uint64_t emberi_hash(uint64_t hash, const void *data, size_t size)
{
    const uint8_t *bytes = data;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
    return hash;
}

#endif
