/* SPDX-License-Identifier: MIT */
/* Blending of two poses and of any number. What is not checked one by one (weights of single bones) can make
   numbers wrong, but never a read or write out of bounds. */
#include "base/check.h"
#include "base/maths.h"
#include "pose/kernels/kernels.h"

ember_status ember_lerp_run(const ember_lerp_job *job)
{
    EMBERI_ASSERT(job != NULL);
    const size_t count = job->bone_count;
    if (count != 0 && (job->out == NULL || job->a == NULL || job->b == NULL))
        return EMBER_E_ARG;
    if (!(job->t >= 0.0f && job->t <= 1.0f))
        return EMBER_E_ARG;
    if (job->method != EMBER_BLEND_NLERP && job->method != EMBER_BLEND_SLERP)
        return EMBER_E_ARG;

    const emberi_kernels *kernels = emberi_kernels_used();
    const bool            slerp = job->method == EMBER_BLEND_SLERP;
    if (job->weights != NULL)
        (slerp ? kernels->slerp_each : kernels->lerp_each)(job->out, job->a, job->b, job->weights, count);
    else
        (slerp ? kernels->slerp : kernels->lerp)(job->out, job->a, job->b, job->t, count);
    return EMBER_OK;
}

static bool blend_layer_is_right(const ember_blend_layer *layer, uint32_t bone_count)
{
    return (layer->pose != NULL || bone_count == 0) && layer->weight >= 0.0f &&
           emberi_is_finite(layer->weight);
}

ember_status ember_blend_run(const ember_blend_job *job)
{
    EMBERI_ASSERT(job != NULL);
    const size_t count = job->bone_count;
    float        total = 0.0f;
    bool         masked = false;
    if ((job->out == NULL && count != 0) || job->layers == NULL || job->layer_count == 0)
        return EMBER_E_ARG;
    for (uint32_t i = 0; i < job->layer_count; i++) {
        if (!blend_layer_is_right(&job->layers[i], job->bone_count))
            return EMBER_E_ARG;
        total += job->layers[i].weight;
        masked = masked || job->layers[i].mask != NULL;
    }
    if (!emberi_is_finite(total))
        return EMBER_E_ARG;

    const emberi_kernels  *kernels = emberi_kernels_used();
    const ember_transform *fallback = job->rest != NULL ? job->rest : job->layers[0].pose;
    if (masked)
        kernels->blend_masked(job->out, job->layers, job->layer_count, fallback, count);
    else if (total > 0.0f)
        kernels->blend(job->out, job->layers, job->layer_count, total, count);
    else if (count != 0)
        emberi_move(job->out, fallback, count * sizeof(*job->out));
    return EMBER_OK;
}
