/* SPDX-License-Identifier: MIT */
/* How far the compared clip is off, as `ember preview` shows it: for colours, and as curves. */
#include <stdio.h>
#include <stdlib.h>

#include "cli/text.h"
#include "scene/canvas.h"
#include "verbs/preview/preview.h"
#include "verbs/preview/preview_plot.h"

bool preview_compare(preview *p)
{
    ember_error err = EMBER_ERROR_INIT;
    if (errors_make(&p->error, &p->a, &p->b, &err))
        return true;
    say_error(p->say, (place){p->other.name, p->b.clip->name, NULL}, "cannot be compared with %s: %s",
              p->in.name, emberi_error_line_of(&err).text);
    return false;
}

bool preview_plot(preview *p, const char *path)
{
    const ember_skeleton *skeleton = &p->b.model->skeleton;
    const char          **names = must_alloc(p->b.bone_count, sizeof(*names));
    char                  worst[TEXT_NUMBER_SIZE];
    ember_buffer          bytes = {.allocator = ember_heap()};
    ember_error           err = EMBER_ERROR_INIT;
    for (uint32_t i = 0; i < p->b.bone_count; i++)
        names[i] = ember_skeleton_name(skeleton, i);
    char *title =
        text_make("%s against %s, clip %s: error by bone, %s at the worst", preview_file(p->other.name),
                  preview_file(p->in.name), p->a.clip->name, text_length(worst, p->error.worst));
    plot        drawn = {title,
                         p->b.bone_count,
                  p->b.frame_count < p->a.frame_count ? p->b.frame_count : p->a.frame_count,
                         p->a.fps,
                         p->error.by_bone,
                         names};
    ember_image image = plot_draw(&drawn, 1280, 720);
    bool        done = ember_png_write(&bytes, &image, &err) == EMBER_OK &&
                ember_file_write(path, bytes.data, bytes.size, &err) == EMBER_OK;
    if (done)
        say_line(p->say, "%s  errors of %u %s over %u frames, %s at the worst", say_output_name(path),
                 (unsigned)drawn.bone_count, drawn.bone_count == 1 ? "bone" : "bones",
                 (unsigned)drawn.frame_count, worst);
    else
        say_library(p->say, say_output_name(path), &err);
    canvas_free(&image);
    ember_buffer_free(&bytes);
    free(title);
    free(names);
    return done;
}
