/* SPDX-License-Identifier: MIT */
/* Files of lean clips, .ewzlean: what the reader, the writer and motions share. docs/formats/ewzlean.md has
   the tables. */
#ifndef EMBER_FORMAT_EWZLEAN_H
#define EMBER_FORMAT_EWZLEAN_H

#include "base/bytes.h"
#include "ember/lean.h"
#include "format/ops.h"

#define EWZLEAN_HEADER_SIZE 16u
#define EWZLEAN_TRANSFORM_SIZE 40u
#define EWZLEAN_VERSION 1u
#define EWZLEAN_HAS_REST 1u
#define EWZLEAN_HAS_NAMES 2u
#define EWZLEAN_LOOPS 1u
#define EWZLEAN_MAGIC "EWZL"

/* A file whose skeleton and rig have been checked; it points into the bytes. */
typedef struct emberi_ewzlean {
    uint32_t       bone_count, clip_count;
    const uint8_t *parents; /* 2 bytes each */
    const uint8_t *rest;    /* or NULL */
    const uint8_t *names;   /* a size of 2 bytes before each; or NULL */
    ember_lean_rig rig;
    emberi_reader  clips; /* where the next clip begins */
    uint32_t       next;  /* its number */
} emberi_ewzlean;

/* Checks all but the clips. */
ember_status emberi_ewzlean_open(emberi_ewzlean *out, const uint8_t *data, size_t size, ember_error *err);

/* One clip's part of the file. */
typedef struct emberi_ewzlean_clip {
    const uint8_t *name;
    size_t         name_size;
    double         fps; /* 0: not known */
    bool           loop;
    uint32_t       marker_count;
    emberi_reader  markers; /* of 6 bytes and a name each, all of them there */
    const uint8_t *data;    /* the lean clip */
    size_t         size;
} emberi_ewzlean_clip;

/* The next clip, where there is one left; after the last, that nothing follows it. */
ember_status emberi_ewzlean_next(emberi_ewzlean_clip *out, emberi_ewzlean *file, ember_error *err);

ember_status emberi_ewzlean_write(ember_buffer *out, const ember_model *model,
                                  const ember_write_options *options, ember_error *err);

/* A bone's parent, which emberi_ewzlean_open has checked. */
static inline int16_t emberi_ewzlean_parent(const emberi_ewzlean *file, uint32_t bone)
{
    const uint16_t stored = emberi_get_u16(file->parents + (size_t)bone * 2);
    return (int16_t)(stored == 0xffffu ? EMBER_NO_PARENT : (int32_t)stored);
}

#endif
