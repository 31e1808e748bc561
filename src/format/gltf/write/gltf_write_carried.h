/* SPDX-License-Identifier: MIT */
/* A document that was read, written again around the model's clips: the parts of it. */
#ifndef EMBER_FORMAT_GLTF_WRITE_CARRIED_H
#define EMBER_FORMAT_GLTF_WRITE_CARRIED_H

#include "base/json/json_edit.h"
#include "format/gltf/gltf_carry.h"
#include "format/gltf/write/gltf_write_parts.h"

/* Bytes of a source buffer that go into the new one, each once. */
typedef struct carried_range {
    uint32_t buffer;
    size_t   start, end; /* in the source */
    size_t   to;         /* in the new buffer */
} carried_range;

/* The document on its way. `failed`: there was no memory. */
typedef struct carried_document {
    gltf_writer        *writer;
    const gltf_carried *carried;
    json_t             *root;      /* the source's, changed in place */
    json_t             *made;      /* animations, accessors and views of the clips */
    uint32_t           *accessors; /* old to new; GLTF_NONE: dropped */
    uint32_t           *views;
    uint32_t            accessor_count, view_count; /* old */
    carried_range      *ranges;
    uint32_t            range_count, range_room;
    uint32_t            late; /* channels that could not stay */
    bool                failed;
} carried_document;

/* The number below `key`; false where there is none, or none that is below `limit`. */
bool emberi_gltfw_carried_number(uint64_t *out, const json_t *object, const char *key, uint64_t limit);
/* A number below a key, in place. */
void emberi_gltfw_carried_put(carried_document *d, json_t *object, const char *key, json_t value);
void emberi_gltfw_carried_set(carried_document *d, json_t *object, const char *key, uint64_t value);
/* An index below a key, as the map says. */
void emberi_gltfw_carried_map(carried_document *d, json_t *object, const char *key, const uint32_t *map,
                              uint32_t count);

/* Whether a channel moves what the model does not have. */
bool emberi_gltfw_carried_foreign(const gltf_carried *carried, const json_t *channel);

/* Which accessors and views stay, and which bytes: fills the maps and ranges. */
void emberi_gltfw_carried_plan(carried_document *d);
/* The new buffer: the bytes that stay, images of other files, the clips' keys. Numbers of views follow. */
void emberi_gltfw_carried_join(carried_document *d);
/* The new animations: the clips, and what of the old ones moves other things. */
void emberi_gltfw_carried_animate(carried_document *d);

#endif
