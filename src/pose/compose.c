/* SPDX-License-Identifier: MIT */
/* Transforms to matrices, down the hierarchy to model space, and on to a skinning palette. Parents and orders
   are checked before they are used as indices. */
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

/* Breadth first, the order itself being the queue. Children come after their parents, so only bones behind
   are looked at. */
ember_status ember_hierarchy_order(uint16_t *order, const int16_t *parents, uint32_t bone_count)
{
    uint32_t filled = 0;
    if (bone_count > COMPOSE_MAX_BONES || (order == NULL && bone_count != 0) ||
        !ember_hierarchy_valid(parents, bone_count))
        return EMBER_E_ARG;
    for (uint32_t i = 0; i < bone_count; i++)
        if (parents[i] == EMBER_NO_PARENT)
            order[filled++] = (uint16_t)i;
    for (uint32_t head = 0; filled < bone_count; head++)
        for (uint32_t i = order[head] + 1u; i < bone_count; i++)
            if (parents[i] == (int16_t)order[head])
                order[filled++] = (uint16_t)i;
    return EMBER_OK;
}

/* ---- orders ---- */

/* Bones are looked at in windows, so that a small array does for any number of them; nearly always one window
   is all. */
#define ORDER_WINDOW 256u

/* A bone's place among the marks: 0 for no bone and for those outside of the window. */
EMBERI_INLINE uint32_t order_mark(int32_t bone, uint32_t base, bool whole)
{
    uint32_t place = (uint32_t)bone - base;
    return whole || place < ORDER_WINDOW ? place + 1u : 0u;
}

/* True if every bone of the window comes once, and after its parent. */
EMBERI_INLINE bool order_window_is_right(const uint16_t *order, const int16_t *parents, uint32_t bone_count,
                                         uint32_t base, bool whole)
{
    uint8_t  marks[ORDER_WINDOW + 1] = {1};
    unsigned parents_came = 1, came_before = 0;
    for (uint32_t i = 0; i < bone_count; i++) {
        if (order[i] >= bone_count)
            return false;
        uint32_t mark = order_mark(order[i], base, whole);
        parents_came &= marks[order_mark(parents[order[i]], base, whole)];
        came_before |= mark != 0 ? marks[mark] : 0u;
        marks[mark] = 1;
    }
    return parents_came != 0 && came_before == 0;
}

static bool order_is_right(const uint16_t *order, const int16_t *parents, uint32_t bone_count)
{
    if (bone_count <= ORDER_WINDOW)
        return order_window_is_right(order, parents, bone_count, 0, true);
    for (uint32_t base = 0; base < bone_count; base += ORDER_WINDOW)
        if (!order_window_is_right(order, parents, bone_count, base, false))
            return false;
    return true;
}

ember_status ember_compose_run(const ember_compose_job *job)
{
    EMBERI_ASSERT(job != NULL);
    if (job->bone_count == 0)
        return EMBER_OK;
    if (job->out == NULL || job->pose == NULL || job->parents == NULL || job->bone_count > COMPOSE_MAX_BONES)
        return EMBER_E_ARG;
    if (!ember_hierarchy_valid(job->parents, job->bone_count))
        return EMBER_E_ARG;
    if (job->order != NULL && !order_is_right(job->order, job->parents, job->bone_count))
        return EMBER_E_ARG;

    const emberi_kernels *kernels = emberi_kernels_used();
    kernels->matrices(job->out, job->pose, job->bone_count);
    if (job->order != NULL)
        kernels->compose_ordered(job->out, job->parents, job->order, job->bone_count);
    else
        kernels->compose(job->out, job->parents, job->bone_count);
    return EMBER_OK;
}

/* ---- the palette ---- */

ember_status ember_palette_run(const ember_palette_job *job)
{
    EMBERI_ASSERT(job != NULL);
    if (job->bone_count == 0)
        return EMBER_OK;
    if (job->model == NULL || job->inverse_binds == NULL || (job->rows == NULL && job->columns == NULL))
        return EMBER_E_ARG;
    emberi_kernels_used()->palette(job->rows, job->columns, job->model, job->inverse_binds, job->bone_count);
    return EMBER_OK;
}
