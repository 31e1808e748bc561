/* SPDX-License-Identifier: MIT */
/* A draw list made ready: every draw is checked, and those that share mesh and branch become one instanced
   call. Sorting is by counting, so it takes the same few nanoseconds a draw for a thousand as
   for one, and keeps the order of the calls within a batch. */
#include <string.h>

#include "gpu/gpu.h"

/* A draw's bucket: blended ones behind all others, then by mesh and branch. */
#define BUCKETS_PER_MESH 3u

static uint32_t batch_bucket(const ember_renderer *renderer, const ember_draw *draw)
{
    uint32_t mesh = draw->mesh + ((draw->color & 0xFFu) != 0xFFu ? renderer->mesh_count : 0u);
    return mesh * BUCKETS_PER_MESH + (uint32_t)draw->branch;
}

static ember_status batch_check(const ember_renderer *renderer, const ember_draw_list *list, uint32_t i,
                                ember_error *err)
{
    const ember_draw *draw = &list->draws[i];
    unsigned long     at = i;
    if ((uint32_t)draw->branch > EMBER_DRAW_RIGID || (uint32_t)draw->pose > EMBER_DRAW_POSE_BONES)
        return emberi_gpu_fail(err, EMBER_E_RANGE, "draw %lu is of no known kind", at);
    if (draw->mesh >= renderer->mesh_count)
        return emberi_gpu_fail(err, EMBER_E_RANGE, "draw %lu: mesh %lu of %lu", at, (unsigned long)draw->mesh,
                               (unsigned long)renderer->mesh_count);
    if (draw->skeleton >= 0 && (uint32_t)draw->skeleton >= renderer->skeleton_count)
        return emberi_gpu_fail(err, EMBER_E_RANGE, "draw %lu: skeleton %ld of %lu", at, (long)draw->skeleton,
                               (unsigned long)renderer->skeleton_count);
    if (draw->pose != EMBER_DRAW_POSE_NONE &&
        (draw->first_bone > list->bone_count || draw->bone_count > list->bone_count - draw->first_bone))
        return emberi_gpu_fail(err, EMBER_E_RANGE, "draw %lu: bones %lu to %lu of %lu", at,
                               (unsigned long)draw->first_bone,
                               (unsigned long)draw->first_bone + draw->bone_count,
                               (unsigned long)list->bone_count);
    return EMBER_OK;
}

static void batch_instance(emberi_instance *out, const ember_renderer *renderer, const ember_draw *draw)
{
    memcpy(out->rows, draw->transform.m, sizeof(out->rows));
    for (int i = 0; i < 3; i++)
        out->color[i] = renderer->linear[draw->color >> (24 - 8 * i) & 0xFFu];
    out->color[3] = (float)(draw->color & 0xFFu) * (1.0f / 255.0f);
    out->bone = draw->bone;
    out->pose_first = draw->pose != EMBER_DRAW_POSE_NONE ? draw->first_bone : 0;
    out->pose_count = draw->pose != EMBER_DRAW_POSE_NONE ? draw->bone_count : 0;
    out->bind_first = draw->skeleton >= 0 ? renderer->skeletons[draw->skeleton].first : 0;
    out->bind_count = draw->skeleton >= 0 ? renderer->skeletons[draw->skeleton].bone_count : EMBERI_NOT_BOUND;
}

/* Counts become the place of each bucket's first instance, and the batches. */
static void batch_plan(ember_renderer *renderer, uint32_t bucket_count)
{
    uint32_t first = 0;
    renderer->batch_count = 0;
    for (uint32_t i = 0; i < bucket_count; i++) {
        uint32_t count = renderer->buckets[i], mesh = i / BUCKETS_PER_MESH;
        bool     blended = mesh >= renderer->mesh_count;
        if (count == 0)
            continue;
        renderer->batches[renderer->batch_count++] = (emberi_batch){
            .mesh = blended ? mesh - renderer->mesh_count : mesh,
            .branch = (ember_draw_branch)(i % BUCKETS_PER_MESH),
            .blended = blended,
            .first = first,
            .count = count,
        };
        renderer->buckets[i] = first;
        first += count;
    }
}

ember_status emberi_batches_make(ember_renderer *renderer, const ember_draw_list *list, ember_error *err)
{
    uint32_t bucket_count = 2u * BUCKETS_PER_MESH * renderer->mesh_count;
    for (uint32_t i = 0; i < list->draw_count; i++) {
        ember_status status = batch_check(renderer, list, i, err);
        if (status != EMBER_OK)
            return status;
    }
    uint32_t most = list->draw_count < bucket_count ? list->draw_count : bucket_count;
    if (!emberi_gpu_reserve(renderer->allocator, (void **)&renderer->buckets, &renderer->bucket_room,
                            bucket_count, sizeof(uint32_t)) ||
        !emberi_gpu_reserve(renderer->allocator, (void **)&renderer->instances, &renderer->instance_room,
                            list->draw_count, sizeof(emberi_instance)) ||
        !emberi_gpu_reserve(renderer->allocator, (void **)&renderer->batches, &renderer->batch_room, most,
                            sizeof(emberi_batch)))
        return ember_fail(err, EMBER_E_NOMEM, EMBER_NO_OFFSET, "out of memory");
    if (bucket_count != 0)
        memset(renderer->buckets, 0, bucket_count * sizeof(uint32_t));
    for (uint32_t i = 0; i < list->draw_count; i++)
        renderer->buckets[batch_bucket(renderer, &list->draws[i])]++;
    batch_plan(renderer, bucket_count);
    for (uint32_t i = 0; i < list->draw_count; i++)
        batch_instance(&renderer->instances[renderer->buckets[batch_bucket(renderer, &list->draws[i])]++],
                       renderer, &list->draws[i]);
    return EMBER_OK;
}
