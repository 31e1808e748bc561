/* SPDX-License-Identifier: MIT */
/* The few colours that stand for all of a film's: boxes of colours, of which the one with the largest error
   is split again and again (median cut, by variance). Colours that fill much of the picture, a background for
   example, keep exactly their own. */
#include <stdlib.h>
#include <string.h>

#include "image/image_parts.h"

/* A bin with more than this part of all pixels has a colour of its own. */
#define PALETTE_LARGE_PART 200u

typedef struct palette_color {
    float    at[3];
    uint64_t count;
} palette_color;

typedef struct palette_box {
    uint32_t first, count;
    float    error; /* of one mean for all of it, by squares, on its worst axis */
    int      axis;
    float    mean[3];
} palette_box;

static int compare_x(const void *a, const void *b)
{
    float x = ((const palette_color *)a)->at[0], y = ((const palette_color *)b)->at[0];
    return (x > y) - (x < y);
}

static int compare_y(const void *a, const void *b)
{
    float x = ((const palette_color *)a)->at[1], y = ((const palette_color *)b)->at[1];
    return (x > y) - (x < y);
}

static int compare_z(const void *a, const void *b)
{
    float x = ((const palette_color *)a)->at[2], y = ((const palette_color *)b)->at[2];
    return (x > y) - (x < y);
}

static palette_box box_measure(const palette_color *colors, uint32_t first, uint32_t count)
{
    palette_box box = {.first = first, .count = count, .error = -1.0f};
    double      total = 0.0, sum[3] = {0.0, 0.0, 0.0}, squares[3] = {0.0, 0.0, 0.0};
    for (uint32_t i = first; i < first + count; i++)
        for (int axis = 0; axis < 3; axis++) {
            double weight = (double)colors[i].count, at = (double)colors[i].at[axis];
            total += axis == 0 ? weight : 0.0;
            sum[axis] += weight * at;
            squares[axis] += weight * at * at;
        }
    for (int axis = 0; axis < 3; axis++) {
        double mean = sum[axis] / total;
        float  error = (float)(squares[axis] - mean * sum[axis]);
        box.mean[axis] = (float)mean;
        if (error > box.error) {
            box.error = error;
            box.axis = axis;
        }
    }
    if (count < 2)
        box.error = 0.0f;
    return box;
}

/* Two boxes in place of one: on either side of its mean, each with a colour at least. */
static void box_split(palette_box *box, palette_box *made, palette_color *colors)
{
    static int (*const by[3])(const void *, const void *) = {compare_x, compare_y, compare_z};
    palette_color *first = &colors[box->first];
    uint32_t       cut = 1;
    qsort(first, box->count, sizeof(*first), by[box->axis]);
    while (cut < box->count - 1 && first[cut].at[box->axis] <= box->mean[box->axis])
        cut++;
    *made = box_measure(colors, box->first + cut, box->count - cut);
    *box = box_measure(colors, box->first, cut);
}

static uint32_t palette_split(palette_box *boxes, uint32_t most, palette_color *colors, uint32_t count)
{
    uint32_t made = 1;
    if (count == 0 || most == 0)
        return 0;
    boxes[0] = box_measure(colors, 0, count);
    while (made < most) {
        uint32_t worst = 0;
        for (uint32_t i = 1; i < made; i++)
            if (boxes[i].error > boxes[worst].error)
                worst = i;
        if (boxes[worst].count < 2 || !(boxes[worst].error > 0.0f))
            break;
        box_split(&boxes[worst], &boxes[made], colors);
        made++;
    }
    return made;
}

static uint8_t palette_nearest(const uint8_t colors[][3], uint32_t count, const float at[3])
{
    uint32_t best = 0;
    float    least = 1e30f;
    for (uint32_t i = 0; i < count; i++) {
        float r = (float)colors[i][0] - at[0], g = (float)colors[i][1] - at[1],
              b = (float)colors[i][2] - at[2];
        float off = r * r + g * g + b * b;
        if (off < least) {
            least = off;
            best = i;
        }
    }
    return (uint8_t)best;
}

static palette_color palette_mean(const emberi_bin *bin)
{
    palette_color color = {.count = bin->count};
    for (int axis = 0; axis < 3; axis++)
        color.at[axis] = (float)((double)bin->sum[axis] / (double)bin->count);
    return color;
}

static void palette_put(uint8_t out[3], const float at[3])
{
    for (int axis = 0; axis < 3; axis++)
        out[axis] = (uint8_t)(at[axis] + 0.5f);
}

bool emberi_palette_make(uint8_t colors[EMBERI_PALETTE_MOST][3], uint32_t *color_count,
                         uint8_t nearest[EMBERI_PALETTE_BINS], const emberi_bin *bins,
                         ember_allocator allocator)
{
    palette_box    boxes[EMBERI_PALETTE_MOST];
    uint32_t       used = 0, own = 0, at = 0;
    uint64_t       total = 0;
    palette_color *all;
    for (uint32_t i = 0; i < EMBERI_PALETTE_BINS; i++) {
        used += bins[i].count != 0 ? 1u : 0u;
        total += bins[i].count;
    }
    all = allocator.resize(allocator.user, NULL, 0, (used + 1u) * sizeof(*all));
    if (all == NULL)
        return false;
    for (uint32_t i = 0; i < EMBERI_PALETTE_BINS; i++) {
        if (bins[i].count == 0)
            continue;
        palette_color color = palette_mean(&bins[i]);
        if (bins[i].count > total / PALETTE_LARGE_PART && own < EMBERI_PALETTE_MOST)
            palette_put(colors[own++], color.at);
        else
            all[at++] = color;
    }
    uint32_t made = palette_split(boxes, EMBERI_PALETTE_MOST - own, all, at);
    for (uint32_t i = 0; i < made; i++)
        palette_put(colors[own + i], boxes[i].mean);
    allocator.resize(allocator.user, all, (used + 1u) * sizeof(*all), 0);
    *color_count = own + made;
    for (uint32_t i = 0; i < EMBERI_PALETTE_BINS; i++)
        nearest[i] = bins[i].count != 0 ? palette_nearest((const uint8_t(*)[3])colors, *color_count,
                                                          palette_mean(&bins[i]).at)
                                        : 0;
    return true;
}
