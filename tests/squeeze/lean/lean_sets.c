/* SPDX-License-Identifier: MIT */
/* Real models as lean clips. */
#include "lean_sets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool lean_set_fail(const char *name, const char *text)
{
    fprintf(stderr, "%s: %s\n", name, text);
    return false;
}

/* The longest side of the box around the joints at rest. */
static float lean_set_span(const ember_model *model, ember_arena *arena)
{
    const uint32_t count = model->skeleton.bone_count;
    real_mat      *places = EMBER_PUSH(arena, real_mat, count);
    double         span = 0.0;
    if (places == NULL)
        return 0.0f;
    emberi_lean_place_bones(places, model->skeleton.rest, model->skeleton.parents, count);
    for (int axis = 0; axis < 3; axis++)
        for (uint32_t a = 0; a < count; a++)
            for (uint32_t b = 0; b < a; b++) {
                const double side = places[a].m[axis][3] - places[b].m[axis][3];
                span = side > span ? side : -side > span ? -side : span;
            }
    return (float)span;
}

static bool lean_set_rig(lean_set *set, const ember_model *model, ember_arena *arena)
{
    ember_error             err = EMBER_ERROR_INIT;
    const ember_transform **clips = EMBER_PUSH(arena, const ember_transform *, set->clip_count);
    uint32_t               *counts = EMBER_PUSH(arena, uint32_t, set->clip_count);
    ember_lean_rig_job      job = {.out_capacity = ember_lean_rig_bound(set->bone_count),
                                   .clips = clips,
                                   .frame_counts = counts,
                                   .clip_count = set->clip_count,
                                   .rest = model->skeleton.rest,
                                   .bone_count = set->bone_count,
                                   .shell = LEAN_SHELL * set->metre};
    job.out = EMBER_PUSH(arena, uint8_t, job.out_capacity);
    if (clips == NULL || counts == NULL || job.out == NULL)
        return lean_set_fail(set->name, "out of memory");
    for (uint32_t i = 0; i < set->clip_count; i++) {
        clips[i] = set->clips[i].frames;
        counts[i] = set->clips[i].frame_count;
    }
    if (ember_lean_rig_make(&job, arena, &err) != EMBER_OK ||
        ember_lean_rig_open(&set->rig, job.out, job.out_size, &err) != EMBER_OK)
        return lean_set_fail(set->name, err.text);
    return true;
}

bool lean_set_make(lean_set *out, const ember_model *model, const char *name, ember_arena *arena)
{
    ember_clip *clips = EMBER_PUSH(arena, ember_clip, model->clip_count);
    ember_error err = EMBER_ERROR_INIT;
    *out = (lean_set){.name = name,
                      .clip_count = model->clip_count,
                      .clips = clips,
                      .parents = model->skeleton.parents,
                      .bone_count = model->skeleton.bone_count,
                      .metre = lean_set_span(model, arena) / LEAN_FIGURE};
    if (clips == NULL)
        return lean_set_fail(name, "out of memory");
    for (uint32_t i = 0; i < model->clip_count; i++) {
        ember_space_losses losses;
        if (ember_clip_to_space(&clips[i], &losses, model, &model->clips[i], EMBER_SPACE_LOCAL, arena,
                                &err) != EMBER_OK)
            return lean_set_fail(name, err.text);
    }
    return lean_set_rig(out, model, arena);
}

int lean_sets_corpus(lean_set *out, bool train, ember_arena *arena)
{
    model_set models[LEAN_SETS];
    const int count = model_sets_corpus(models, LEAN_SETS, train, arena);
    for (int i = 0; i < count; i++) {
        if (!lean_set_make(&out[i], &models[i].model, models[i].name, arena))
            return -1;
        out[i].train = models[i].train;
    }
    return count;
}

bool lean_set_encode(ember_lean_job *out, const lean_set *set, uint32_t clip, double max_error_mm,
                     const lean_template *templates, const lean_observer *observer, ember_arena *arena)
{
    ember_error err = EMBER_ERROR_INIT;
    *out = (ember_lean_job){.out_capacity = ember_lean_bound(set->bone_count, set->clips[clip].frame_count),
                            .frames = set->clips[clip].frames,
                            .frame_count = set->clips[clip].frame_count,
                            .parents = set->parents,
                            .rig = &set->rig,
                            .max_error = (float)(max_error_mm * 0.001 * (double)set->metre)};
    uint8_t *memory = malloc(out->out_capacity);
    out->out = memory;
    const ember_status status =
        memory == NULL ? EMBER_E_NOMEM : emberi_lean_encode_with(out, templates, observer, arena, &err);
    out->out = EMBER_PUSH(arena, uint8_t, out->out_size);
    if (out->out != NULL && memory != NULL)
        memcpy(out->out, memory, out->out_size);
    free(memory);
    if (status != EMBER_OK)
        fprintf(stderr, "%s: %s: %s (bone %d, frame %d, %g of %g)\n", set->name, set->clips[clip].name,
                err.text, err.bone, err.frame, (double)out->error, (double)out->max_error);
    return status == EMBER_OK && out->out != NULL;
}
