/* SPDX-License-Identifier: MIT */
/* What a conversion lost: the written bytes read back and held against the source. */
#ifndef EMBER_APP_MEASURE_H
#define EMBER_APP_MEASURE_H

#include <stdbool.h>

#include "ember/format.h"

typedef struct measured {
    double      max, mean; /* metres */
    double      size;      /* of the model */
    uint32_t    frame;
    const char *bone; /* its name, or NULL */
    uint32_t    bone_index;
} measured;

/* `source` is the clip as it was read, `written` what the writer was given of it: the same bones,
   perhaps in another space. False if it could not be measured, because the source's numbers are not
   finite for example. */
bool measure_written(measured *out, const ember_model *model, const ember_clip *source,
                     const ember_clip *written, ember_format format, const void *data, size_t size);

#endif
