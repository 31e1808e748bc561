/* SPDX-License-Identifier: MIT */
/* Errors by bone and frame, by the same measure as diff's. */
#include "scene/errors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ember/file.h"
#include "scene/program.h"

static ember_clip one_frame(const ember_clip *clip, uint32_t frame)
{
    ember_clip one = *clip;
    one.frames += (size_t)frame * clip->bone_count;
    one.frame_count = 1;
    one.marker_count = 0;
    one.raw = (ember_raw){.format = EMBER_FORMAT_UNKNOWN, .data = NULL};
    return one;
}

/* With the roles changed: so the values are those of b's bones, which are the ones that get colours. */
static ember_status error_of_frame(errors *e, const actor *of_a, const actor *of_b, uint32_t frame,
                                   double *of_clip, ember_arena *scratch, ember_error *err)
{
    ember_clip        a = one_frame(of_a->clip, frame), b = one_frame(of_b->clip, frame);
    ember_compare_job job = {.a_model = of_b->model,
                             .b_model = of_a->model,
                             .a = &b,
                             .b = &a,
                             .shell = e->shell,
                             .bone_max = of_clip};
    ember_status      status = ember_compare_run(&job, scratch, err);
    double           *row = e->by_bone + (size_t)frame * of_b->bone_count;
    for (uint32_t i = 0; status == EMBER_OK && i < b.bone_count; i++) {
        uint32_t bone = ember_clip_bone(&b, i);
        row[bone] = of_clip[i];
        if (of_clip[i] > e->worst) {
            e->worst = of_clip[i];
            e->worst_bone = bone;
            e->worst_frame = frame;
        }
    }
    return status;
}

bool errors_make(errors *out, const actor *a, const actor *b, ember_error *err)
{
    ember_arena       scratch = ember_arena_growing(ember_heap(), 0);
    ember_compare_job whole = {.a_model = a->model, .b_model = b->model, .a = a->clip, .b = b->clip};
    ember_status      status = ember_compare_run(&whole, &scratch, err);
    size_t            count = (size_t)b->frame_count * b->bone_count;
    double           *of_clip = must_alloc(b->clip->bone_count, sizeof(*of_clip));
    memset(out, 0, sizeof(*out));
    out->shell = whole.used_shell;
    out->mean = whole.mean;
    out->frame_count = whole.frame_count;
    out->by_bone = must_alloc(count, sizeof(*out->by_bone));
    for (size_t i = 0; i < count; i++)
        out->by_bone[i] = -1.0;
    for (uint32_t frame = 0; status == EMBER_OK && frame < whole.frame_count; frame++)
        status = error_of_frame(out, a, b, frame, of_clip, &scratch, err);
    double least = (double)whole.size * 5e-4; /* what nobody can see is not to be red */
    out->red = isfinite(out->worst) && out->worst > least ? out->worst : least;
    free(of_clip);
    ember_arena_free(&scratch);
    return status == EMBER_OK;
}
