/* SPDX-License-Identifier: MIT */
/* The two halves of the JSON clip form. */
#ifndef EMBER_FORMAT_JSON_H
#define EMBER_FORMAT_JSON_H

#include "format/ops.h"

#define EMBERI_JSON_FORMAT "ember-clip"
#define EMBERI_JSON_VERSION 1

emberi_likeness emberi_json_sniff(const uint8_t *data, size_t size);
ember_status    emberi_json_read(ember_model *out, const emberi_source *source);

#endif
