/* SPDX-License-Identifier: MIT */
/* What the clips of one skeleton share: rest records that spare most clips their constants, and in model
   space each bone's usual place in its parent's axes. Records may hold any bits. */
#include "squeeze/squeeze_model.h"

/* ---- rest records ---- */

/* Tracks of a record that a clip keeps constant on their own: rotation, x, y, z, scale. */
static const struct {
    uint8_t at, size;
} rig_tracks[5] = {{0, 4}, {4, 2}, {6, 2}, {8, 2}, {10, 6}};

static uint64_t rig_value(const uint8_t *record, uint32_t track)
{
    uint64_t value = 0;
    for (uint32_t i = 0; i < rig_tracks[track].size; i++)
        value |= (uint64_t)record[rig_tracks[track].at + i] << 8 * i;
    return value;
}

static bool rig_is_constant(const ember_squeeze_rig_job *job, uint32_t clip, uint32_t bone, uint32_t track)
{
    const size_t   stride = (size_t)job->bone_count * EMBER_KEYFRAME_SIZE;
    const uint8_t *record = job->clips[clip] + (size_t)bone * EMBER_KEYFRAME_SIZE;
    const uint64_t first = rig_value(record, track);
    for (uint32_t frame = 1; frame < job->frame_counts[clip]; frame++)
        if (rig_value(record + frame * stride, track) != first)
            return false;
    return true;
}

static void rig_sift(uint64_t *heap, size_t root, size_t count)
{
    for (size_t child; (child = 2 * root + 1) < count; root = child) {
        if (child + 1 < count && heap[child + 1] > heap[child])
            child++;
        if (heap[root] >= heap[child])
            return;
        uint64_t swapped = heap[root];
        heap[root] = heap[child];
        heap[child] = swapped;
    }
}

static void rig_sort(uint64_t *values, size_t count)
{
    for (size_t i = count / 2; i-- > 0;)
        rig_sift(values, i, count);
    for (size_t end = count; end-- > 1;) {
        uint64_t largest = values[0];
        values[0] = values[end];
        values[end] = largest;
        rig_sift(values, 0, end);
    }
}

/* The value that most clips hold; the smallest of several. */
static uint64_t rig_most_common(uint64_t *values, size_t count)
{
    uint64_t best = values[0];
    size_t   best_run = 0;
    rig_sort(values, count);
    for (size_t i = 0, run = 0; i < count; i++) {
        run = i != 0 && values[i] == values[i - 1] ? run + 1 : 1;
        if (run > best_run) {
            best_run = run;
            best = values[i];
        }
    }
    return best;
}

/* Where no clip holds a track still, the first frames of the clips vote. */
static void rig_rest_bone(const ember_squeeze_rig_job *job, uint32_t bone, uint64_t *values)
{
    uint8_t *rest = job->out_rest + (size_t)bone * EMBER_KEYFRAME_SIZE;
    for (uint32_t track = 0; track < 5; track++) {
        size_t still = 0, moving = 0;
        for (uint32_t clip = 0; clip < job->clip_count; clip++) {
            if (job->frame_counts[clip] == 0)
                continue;
            const uint64_t first = rig_value(job->clips[clip] + (size_t)bone * EMBER_KEYFRAME_SIZE, track);
            if (rig_is_constant(job, clip, bone, track))
                values[still++] = first;
            else
                values[job->clip_count - ++moving] = first;
        }
        uint64_t value = 0;
        if (still != 0)
            value = rig_most_common(values, still);
        else if (moving != 0)
            value = rig_most_common(values + job->clip_count - moving, moving);
        for (uint32_t i = 0; i < rig_tracks[track].size; i++)
            rest[rig_tracks[track].at + i] = (uint8_t)(value >> 8 * i);
    }
}

/* ---- offsets ---- */

static void rig_offset_sum(const ember_squeeze_rig_job *job, const uint8_t *frame, double (*sums)[3])
{
    for (uint32_t bone = 0; bone < job->bone_count; bone++) {
        if (job->parents[bone] < 0)
            continue;
        const uint8_t    *parent = frame + (size_t)job->parents[bone] * EMBER_KEYFRAME_SIZE;
        const squeeze_vec place =
            squeeze_local_place(squeeze_quat_of(emberi_get_u32(parent)), squeeze_position(parent),
                                squeeze_position(frame + (size_t)bone * EMBER_KEYFRAME_SIZE));
        for (int i = 0; i < 3; i++)
            sums[bone][i] += (double)place.v[i];
    }
}

static ember_status rig_offsets(const ember_squeeze_rig_job *job, ember_arena *scratch)
{
    double *memory = EMBER_PUSH(scratch, double, 3 * (size_t)job->bone_count);
    double(*sums)[3] = (double(*)[3])(void *)memory;
    double frames = 0.0;
    if (memory == NULL)
        return EMBER_E_NOMEM;
    for (uint32_t clip = 0; clip < job->clip_count; clip++)
        for (uint32_t frame = 0; frame < job->frame_counts[clip]; frame++, frames += 1.0)
            if (job->parents != NULL)
                rig_offset_sum(job, job->clips[clip] + (size_t)frame * job->bone_count * EMBER_KEYFRAME_SIZE,
                               sums);
    for (size_t i = 0; i < 3 * (size_t)job->bone_count; i++)
        emberi_put_u32(job->out_offsets + 4 * i,
                       emberi_bits_of(frames > 0.0 ? (float)(memory[i] / frames) : 0.0f));
    return EMBER_OK;
}

/* ---- the job ---- */

ember_status ember_squeeze_rig_make(const ember_squeeze_rig_job *job, ember_arena *scratch)
{
    EMBERI_ASSERT(job != NULL && scratch != NULL);
    if (job->bone_count > EMBER_MAX_BONES || (job->out_rest == NULL && job->bone_count != 0) ||
        (job->clip_count != 0 && (job->clips == NULL || job->frame_counts == NULL)))
        return EMBER_E_ARG;
    for (uint32_t clip = 0; clip < job->clip_count; clip++)
        if (job->frame_counts[clip] > EMBER_MAX_FRAMES ||
            (job->clips[clip] == NULL && job->frame_counts[clip] != 0 && job->bone_count != 0))
            return EMBER_E_ARG;
    if (!squeeze_parents_valid(job->parents, job->bone_count))
        return EMBER_E_ARG;

    ember_arena_mark mark = ember_arena_save(scratch);
    ember_status     status = EMBER_OK;
    uint64_t        *values = EMBER_PUSH(scratch, uint64_t, job->clip_count);
    if (values == NULL)
        status = EMBER_E_NOMEM;
    for (uint32_t bone = 0; status == EMBER_OK && bone < job->bone_count; bone++)
        rig_rest_bone(job, bone, values);
    if (status == EMBER_OK && job->out_offsets != NULL && job->bone_count != 0)
        status = rig_offsets(job, scratch);
    ember_arena_restore(scratch, mark);
    return status;
}
