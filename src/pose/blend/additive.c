/* SPDX-License-Identifier: MIT */
/* Additive layers: taking the difference of two poses, and putting it on top of a third. */
#include "base/check.h"
#include "base/maths.h"
#include "pose/kernels/kernels.h"

ember_status ember_additive_make_run(const ember_additive_make_job *job)
{
    EMBERI_ASSERT(job != NULL);
    if (job->bone_count != 0 && (job->out == NULL || job->pose == NULL || job->reference == NULL))
        return EMBER_E_ARG;
    emberi_kernels_used()->additive_make(job->out, job->pose, job->reference, job->bone_count);
    return EMBER_OK;
}

ember_status ember_additive_run(const ember_additive_job *job)
{
    EMBERI_ASSERT(job != NULL);
    if (job->bone_count != 0 && (job->out == NULL || job->base == NULL || job->delta == NULL))
        return EMBER_E_ARG;
    if (!emberi_is_finite(job->weight))
        return EMBER_E_ARG;
    const emberi_kernels *kernels = emberi_kernels_used();
    if (job->mask != NULL)
        kernels->additive_masked(job->out, job->base, job->delta, job->weight, job->mask, job->bone_count);
    else
        kernels->additive(job->out, job->base, job->delta, job->weight, job->bone_count);
    return EMBER_OK;
}
