/* SPDX-License-Identifier: MIT */
/* Transforms to matrices, down the hierarchy to model space, and on to a skinning palette. Parents are
   checked before they are used as indices, unless they come in a rig. */
#include "base/hierarchy.h"
#include "pose/kernels/kernels.h"

#define COMPOSE_MAX_BONES 32767u

ember_status ember_matrices_run(const ember_matrices_job *job)
{
    EMBERI_ASSERT(job != NULL);
    if (job->bone_count != 0 && (job->out == NULL || job->pose == NULL))
        return EMBER_E_ARG;
    emberi_kernels_used()->matrices(job->out, job->pose, job->bone_count);
    return EMBER_OK;
}

/* ---- the hierarchy ---- */

bool ember_hierarchy_valid(const int16_t *parents, uint32_t bone_count)
{
    return parents == NULL ? bone_count == 0 : emberi_hierarchy_valid(parents, bone_count);
}

static ember_status compose_by_rig(const ember_compose_job *job)
{
    const ember_rig      *rig = job->rig;
    const emberi_kernels *kernels = emberi_kernels_used();
    if (rig->bone_count != 0 && (job->out == NULL || job->pose == NULL))
        return EMBER_E_ARG;
    kernels->matrices(job->out, job->pose, rig->bone_count);
    kernels->compose_steps(job->out, rig->steps, rig->bone_count - rig->root_count);
    return EMBER_OK;
}

ember_status ember_compose_run(const ember_compose_job *job)
{
    EMBERI_ASSERT(job != NULL);
    if (job->rig != NULL)
        return compose_by_rig(job);
    if (job->bone_count == 0)
        return EMBER_OK;
    if (job->out == NULL || job->pose == NULL || job->parents == NULL || job->bone_count > COMPOSE_MAX_BONES)
        return EMBER_E_ARG;
    if (!ember_hierarchy_valid(job->parents, job->bone_count))
        return EMBER_E_ARG;

    const emberi_kernels *kernels = emberi_kernels_used();
    kernels->matrices(job->out, job->pose, job->bone_count);
    kernels->compose(job->out, job->parents, job->bone_count);
    return EMBER_OK;
}

/* ---- the palette ---- */

ember_status ember_palette_run(const ember_palette_job *job)
{
    EMBERI_ASSERT(job != NULL);
    const uint32_t count = job->rig != NULL ? job->rig->bone_count : job->bone_count;
    if (count == 0)
        return EMBER_OK;
    if (job->model == NULL || job->inverse_binds == NULL || (job->rows == NULL && job->columns == NULL))
        return EMBER_E_ARG;
    emberi_kernels_used()->palette(job->rows, job->columns, job->model, job->inverse_binds, count);
    return EMBER_OK;
}
