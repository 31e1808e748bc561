/* SPDX-License-Identifier: MIT */
/* Binary FBX files: records with 32 bit words below version 7500, with 64 bit ones from there on, in either
   byte order. Every record must lie inside its parent and behind its neighbour, every property inside its
   record; so the walk ends, and what points into the file later needs no more checks. */
#include "base/bytes.h"
#include "format/fbx/container/fbx_container.h"

#include <string.h>

#define BINARY_HEADER_SIZE 27u

static const char binary_mark[] = "Kaydara FBX Binary  "; /* its zero is part of it */

bool emberi_fbx_is_binary(const uint8_t *data, size_t size)
{
    return size >= sizeof(binary_mark) && memcmp(data, binary_mark, sizeof(binary_mark)) == 0;
}

static uint32_t binary_u32(const fbx_file *file, const uint8_t *p)
{
    return file->big_endian ? emberi_get_u32_big(p) : emberi_get_u32(p);
}

static uint64_t binary_word(const fbx_file *file, const uint8_t *p)
{
    if (file->version < 7500)
        return binary_u32(file, p);
    return file->big_endian ? emberi_get_u64_big(p) : emberi_get_u64(p);
}

/* ---- properties ---- */

/* The size of a property's value behind its type character; 0 if it is not all there. */
static uint64_t binary_value_size(const fbx_file *file, char type, const uint8_t *p, size_t left)
{
    switch (type) {
    case 'C':
    case 'B':
    case 'Z':
        return 1;
    case 'Y':
        return 2;
    case 'I':
    case 'F':
        return 4;
    case 'L':
    case 'D':
        return 8;
    case 'S':
    case 'R':
        return left < 4 ? 0 : 4 + (uint64_t)binary_u32(file, p);
    case 'i':
    case 'l':
    case 'f':
    case 'd':
    case 'b':
    case 'c':
        return left < 12 ? 0 : 12 + (uint64_t)binary_u32(file, p + 8);
    default:
        return 0;
    }
}

static ember_status binary_check_values(const fbx_file *file, const fbx_record *record)
{
    const uint8_t *at = record->values, *end = at + record->values_size;
    for (uint32_t i = 0; i < record->value_count; i++) {
        if (at == end)
            return emberi_fbx_fail(file, EMBER_E_MALFORMED, at, "%u properties of %u are missing",
                                   (unsigned)(record->value_count - i), (unsigned)record->value_count);
        uint64_t size = binary_value_size(file, (char)*at, at + 1, (size_t)(end - at) - 1);
        if (size == 0 || size > (uint64_t)(end - at) - 1)
            return emberi_fbx_fail(file, EMBER_E_MALFORMED, at,
                                   "a property of type 0x%02x is unknown or longer than its record", *at);
        at += 1 + (size_t)size;
    }
    return EMBER_OK;
}

/* ---- records ---- */

/* An open record on the way down. */
typedef struct binary_level {
    uint32_t record;
    uint32_t last; /* its last child so far */
    uint64_t end;  /* where its children end */
} binary_level;

typedef struct binary_header {
    uint64_t end, value_count, values_size;
    uint8_t  name_size;
    size_t   size; /* of itself */
} binary_header;

static ember_status binary_header_read(const fbx_file *file, binary_header *out, uint64_t at, uint64_t limit)
{
    const uint8_t *p = file->source->data + at;
    size_t         word = file->version < 7500 ? 4 : 8;
    out->size = 3 * word + 1;
    if (limit - at < out->size)
        return emberi_fbx_fail(file, EMBER_E_TRUNCATED, p, "the file ends inside a record");
    out->end = binary_word(file, p);
    out->value_count = binary_word(file, p + word);
    out->values_size = binary_word(file, p + 2 * word);
    out->name_size = p[3 * word];
    return EMBER_OK;
}

static ember_status binary_record(fbx_file *file, binary_level *parent, const binary_header *header,
                                  uint64_t at, fbx_record **out)
{
    const uint8_t *p = file->source->data + at;
    uint64_t       start = at + header->size + header->name_size;
    if (header->end > parent->end)
        return emberi_fbx_fail(file, parent->record == 0 ? EMBER_E_TRUNCATED : EMBER_E_MALFORMED, p,
                               "a record ends at %llu, behind the %s at %llu",
                               (unsigned long long)header->end, parent->record == 0 ? "file" : "one it is in",
                               (unsigned long long)parent->end);
    if (start > header->end || header->values_size > header->end - start ||
        header->value_count > header->values_size || header->value_count > UINT32_MAX)
        return emberi_fbx_fail(file, EMBER_E_MALFORMED, p, "a record's name or properties do not fit in it");
    EMBERI_TRY(emberi_fbx_add_record(file, out, parent->record, &parent->last));
    (*out)->name = (const char *)p + header->size;
    (*out)->name_size = header->name_size;
    (*out)->values = file->source->data + start;
    (*out)->values_size = (size_t)header->values_size;
    (*out)->value_count = (uint32_t)header->value_count;
    return binary_check_values(file, *out);
}

static ember_status binary_records(fbx_file *file)
{
    binary_level levels[FBX_DEPTH_MAX] = {{0, FBX_NONE, file->source->size}};
    uint32_t     depth = 0;
    uint64_t     at = BINARY_HEADER_SIZE;
    for (;;) {
        binary_level *level = &levels[depth];
        binary_header header = {0};
        if (depth != 0 && at == level->end) {
            depth--;
            continue;
        }
        EMBERI_TRY(binary_header_read(file, &header, at, level->end));
        if (header.end == 0) {
            if (depth == 0)
                return EMBER_OK; /* what follows is the footer */
            at = levels[depth--].end;
            continue;
        }
        fbx_record *record;
        uint64_t    before = at;
        EMBERI_TRY(binary_record(file, level, &header, at, &record));
        at = (uint64_t)(record->values - file->source->data) + header.values_size;
        if (at == header.end)
            continue;
        if (depth + 1 == FBX_DEPTH_MAX)
            return emberi_fbx_fail(file, EMBER_E_LIMIT, file->source->data + before,
                                   "records are nested more than %u deep", FBX_DEPTH_MAX);
        levels[++depth] = (binary_level){level->last, FBX_NONE, header.end};
    }
}

ember_status emberi_fbx_open_binary(fbx_file *file)
{
    const uint8_t *data = file->source->data;
    if (file->source->size < BINARY_HEADER_SIZE)
        return emberi_fbx_fail(file, EMBER_E_TRUNCATED, data, "the file ends inside its header");
    if (data[22] > 1)
        return emberi_fbx_fail(file, EMBER_E_MALFORMED, data + 22, "byte order %u is neither 0 nor 1",
                               data[22]);
    file->big_endian = data[22] == 1;
    file->version = binary_u32(file, data + 23);
    return binary_records(file);
}
