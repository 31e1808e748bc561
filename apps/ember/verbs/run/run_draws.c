/* SPDX-License-Identifier: MIT */
/* Draw lists as JSON: one line for each draw and each matrix, numbers that read back to the same floats. */
#include "verbs/run/run_draws.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cli/text.h"

static void draws_put(run_draws *d, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void draws_put(run_draws *d, const char *format, ...)
{
    char    text[256];
    va_list arguments;
    va_start(arguments, format);
    int size = vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    if (size < 0 || !ember_buffer_append(&d->text, text, (size_t)size))
        d->failed = true;
}

/* Numbers that JSON does not know become strings, as everywhere in Ember. */
static void draws_floats(run_draws *d, const float *values, size_t count)
{
    draws_put(d, "[");
    for (size_t i = 0; i < count; i++) {
        char number[TEXT_NUMBER_SIZE];
        if (isfinite(values[i]))
            draws_put(d, "%s%s", i != 0 ? "," : "", text_float(number, values[i]));
        else
            draws_put(d, "%s\"%s\"", i != 0 ? "," : "",
                      isnan(values[i])   ? "NaN"
                      : values[i] > 0.0f ? "Infinity"
                                         : "-Infinity");
    }
    draws_put(d, "]");
}

static void draws_one(run_draws *d, const ember_draw *draw)
{
    static const char *const branches[] = {"static", "skinned", "rigid"};
    static const char *const poses[] = {"none", "clip", "bones"};
    draws_put(d, "{\"mesh\":%u,\"branch\":\"%s\",\"pose\":\"%s\"", (unsigned)draw->mesh,
              branches[draw->branch], poses[draw->pose]);
    if (draw->pose == EMBER_DRAW_POSE_CLIP)
        draws_put(d, ",\"clip\":%u,\"frame\":%u", (unsigned)draw->clip, (unsigned)draw->frame);
    if (draw->pose != EMBER_DRAW_POSE_NONE)
        draws_put(d, ",\"first_bone\":%u,\"bone_count\":%u", (unsigned)draw->first_bone,
                  (unsigned)draw->bone_count);
    if (draw->branch == EMBER_DRAW_RIGID)
        draws_put(d, ",\"bone\":%u", (unsigned)draw->bone);
    draws_put(d, ",\"skeleton\":%d,\"color\":\"%08x\",\"transform\":", (int)draw->skeleton,
              (unsigned)draw->color);
    draws_floats(d, draw->transform.m, 12);
    draws_put(d, "}");
}

void run_draws_add(run_draws *d, const ember_draw_list *list)
{
    draws_put(d, d->frame_count++ == 0 ? "{\"format\":\"ember-draws\",\"version\":1,\"frames\":[\n" : ",\n");
    draws_put(d, "{\"frame\":%llu,\"clear_color\":\"%08x\",\n\"view\":", (unsigned long long)list->frame,
              (unsigned)list->clear_color);
    draws_floats(d, list->view.m, 12);
    draws_put(d, ",\n\"projection\":");
    draws_floats(d, list->projection.m, 16);
    draws_put(d, ",\n\"draws\":[");
    for (uint32_t i = 0; i < list->draw_count; i++) {
        draws_put(d, i != 0 ? ",\n" : "\n");
        draws_one(d, &list->draws[i]);
    }
    draws_put(d, "],\n\"bones\":[");
    for (uint32_t i = 0; i < list->bone_count; i++) {
        draws_put(d, i != 0 ? ",\n" : "\n");
        draws_floats(d, list->bones[i].m, 12);
    }
    draws_put(d, "]}");
}

bool run_draws_write(run_draws *d, const char *path, ember_error *err)
{
    if (d->frame_count == 0)
        draws_put(d, "{\"format\":\"ember-draws\",\"version\":1,\"frames\":[");
    draws_put(d, "\n]}\n");
    if (d->failed)
        return ember_fail(err, EMBER_E_NOMEM, EMBER_NO_OFFSET, "out of memory") == EMBER_OK;
    return ember_file_write(path, d->text.data, d->text.size, err) == EMBER_OK;
}

void run_draws_free(run_draws *d) { ember_buffer_free(&d->text); }
