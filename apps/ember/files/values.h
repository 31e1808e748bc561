/* SPDX-License-Identifier: MIT */
/* What a bone is in one frame: the bits that its file has for it, what they decode to, and degrees, as `ember
   info --frame` prints and the viewer shows it. */
#ifndef EMBER_APP_VALUES_H
#define EMBER_APP_VALUES_H

#include "ember/format.h"

/* Where values come from: a clip and the bytes of its file (for a clip out of a ROM, of the
   .ewzanim that it is). */
typedef struct values_source {
    const ember_model *model;
    const ember_clip  *clip;
    const uint8_t     *data;
    size_t             size;
} values_source;

typedef struct values {
    /* hexadecimal for keyframe records, numbers for others; "" where a file has curves or floats
       and no such bits */
    char            stored[160];
    ember_transform transform;  /* in the clip's space */
    double          degrees[3]; /* about x, then y, then z: Blender's XYZ */
} values;

/* `bone` is the clip's. */
void values_get(values *out, const values_source *source, uint32_t frame, uint32_t bone);

#define VALUES_NUMBER_SIZE 32
/* A number as both show it, "-0.1234". Returns `out`. */
char *values_number(char out[VALUES_NUMBER_SIZE], double value, int digits);

#endif
