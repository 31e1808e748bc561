/* SPDX-License-Identifier: MIT */
/* The two halves of the JSON clip form. */
#ifndef EMBER_FORMAT_JSON_H
#define EMBER_FORMAT_JSON_H

#include "format/ops.h"

#define EMBERI_JSON_FORMAT "ember-clip"
#define EMBERI_JSON_VERSION 1

#define EMBERI_JSON_CHECK_SIZE 20

/* A hash of the clip's raw part, as text: the file says by it whether the values were edited. */
ember_status emberi_json_raw_check(char out[EMBERI_JSON_CHECK_SIZE], const ember_clip *clip,
                                   const emberi_format_ops *ops, ember_allocator allocator, ember_error *err);

emberi_likeness emberi_json_sniff(const uint8_t *data, size_t size);
ember_status    emberi_json_read(ember_model *out, const emberi_source *source);

#endif
