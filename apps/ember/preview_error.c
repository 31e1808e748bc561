/* How far the compared clip is off, bone by bone and frame by frame: for colours, and as curves. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "canvas.h"
#include "plot.h"
#include "preview.h"
#include "text.h"

static ember_clip one_frame(const ember_clip *clip, uint32_t frame)
{
    ember_clip one = *clip;
    one.frames += (size_t)frame * clip->bone_count;
    one.frame_count = 1;
    one.marker_count = 0;
    one.raw = (ember_raw){EMBER_FORMAT_UNKNOWN, NULL};
    return one;
}

/* The same measure as diff's, with the roles changed: so the values are those of b's bones, which are the ones that get colours. */
static ember_status error_of_frame(preview *p, uint32_t frame, float shell, double *of_clip, ember_arena *scratch, ember_error *err)
{
    ember_clip        a = one_frame(p->a.clip, frame), b = one_frame(p->b.clip, frame);
    ember_compare_job job = {.a_model = p->b.model, .b_model = p->a.model, .a = &b, .b = &a, .shell = shell, .bone_max = of_clip};
    ember_status      status = ember_compare_run(&job, scratch, err);
    double           *row = p->error.by_bone + (size_t)frame * p->b.bone_count;
    for (uint32_t i = 0; status == EMBER_OK && i < b.bone_count; i++) {
        row[ember_clip_bone(&b, i)] = of_clip[i];
        p->error.worst = of_clip[i] > p->error.worst ? of_clip[i] : p->error.worst;
    }
    return status;
}

bool preview_compare(preview *p)
{
    ember_error       err = EMBER_ERROR_INIT;
    ember_arena       scratch = ember_arena_growing(ember_heap(), 0);
    ember_compare_job whole = {.a_model = p->a.model, .b_model = p->b.model, .a = p->a.clip, .b = p->b.clip};
    ember_status      status = ember_compare_run(&whole, &scratch, &err);
    size_t            count = (size_t)p->b.frame_count * p->b.bone_count;
    double           *of_clip = must_alloc(p->b.clip->bone_count, sizeof(*of_clip));
    p->error.by_bone = must_alloc(count, sizeof(*p->error.by_bone));
    for (size_t i = 0; i < count; i++)
        p->error.by_bone[i] = -1.0;
    for (uint32_t frame = 0; status == EMBER_OK && frame < whole.frame_count; frame++)
        status = error_of_frame(p, frame, whole.used_shell, of_clip, &scratch, &err);
    double least = (double)whole.size * 5e-4; /* what nobody can see is not to be red */
    p->error.red = isfinite(p->error.worst) && p->error.worst > least ? p->error.worst : least;
    if (status != EMBER_OK)
        say_error(p->say, (place){p->other.name, p->b.clip->name, NULL}, "cannot be compared with %s: %s", p->in.name, err.text);
    free(of_clip);
    ember_arena_free(&scratch);
    return status == EMBER_OK;
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
    char *title = text_make("%s against %s, clip %s: error by bone, %s at the worst", p->other.name, p->in.name, p->a.clip->name,
                            text_length(worst, p->error.worst));
    plot        drawn = {title, p->b.bone_count, p->b.frame_count < p->a.frame_count ? p->b.frame_count : p->a.frame_count, p->a.fps, p->error.by_bone, names};
    ember_image image = plot_draw(&drawn, 1280, 720);
    bool        done = ember_png_write(&bytes, &image, &err) == EMBER_OK && ember_file_write(path, bytes.data, bytes.size, &err) == EMBER_OK;
    if (done)
        say_line(p->say, "%s  errors of %u bones over %u frames, %s at the worst", say_output_name(path), (unsigned)drawn.bone_count,
                 (unsigned)drawn.frame_count, worst);
    else
        say_library(p->say, say_output_name(path), NULL, &err);
    canvas_free(&image);
    ember_buffer_free(&bytes);
    free(title);
    free(names);
    return done;
}
