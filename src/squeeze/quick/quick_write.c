/* SPDX-License-Identifier: MIT */
/* Writing quick blocks: of all lengths of spans the one that makes the clip smallest, of all widths of a
   track the cheapest. Records may hold any bits. */
#include "squeeze/quick/quick.h"

#define QUICK_SPAN_STEP 4u /* span lengths that are tried: 4, 8 .. 32 */

typedef struct quick_writer {
    const ember_squeeze_job *job;
    const uint8_t           *modes;
    uint32_t                 rotation_count, scalar_count, track_count;
    uint32_t                 span_count;
    /* Of the span at hand. */
    uint32_t                 first, steps, levels;
    int16_t *residuals; /* (steps - 1) rows by frame, fields a of all rotations, then b, c, the scalars */
    uint8_t *bases, *slopes;
    uint8_t *turns; /* of each rotation: whether its index changes */
} quick_writer;

/* ---- values ---- */

static const uint8_t *quick_record(const quick_writer *w, uint32_t frame, uint32_t bone)
{
    return w->job->frames + ((size_t)frame * w->job->rig->bone_count + bone) * EMBER_KEYFRAME_SIZE;
}

/* Bits of two's complement that hold the value. */
static uint32_t quick_width(int32_t value)
{
    uint32_t magnitude = (uint32_t)(value < 0 ? ~value : value), width = 0;
    while (magnitude >> width != 0)
        width++;
    return value == 0 ? 0 : width + 1;
}

/* Every row of the span with its level, in any order: the frames between the ends. */
static uint32_t quick_level_of(squeeze_node *node, uint32_t frame, uint32_t steps)
{
    uint32_t level = 0;
    *node = squeeze_node_root(steps);
    while (node->middle != frame) {
        *node = squeeze_node_child(node, frame > node->middle);
        level++;
    }
    return level;
}

/* ---- widths ---- */

typedef struct quick_plan {
    uint32_t bases[3];
    uint32_t slope;
    uint64_t bits;
} quick_plan;

/* The cheapest slope and bases for fields that need these widths on each level. */
static quick_plan quick_plan_widths(const uint32_t needed[3][SQUEEZE_MAX_LEVELS], uint32_t count,
                                    uint32_t steps, uint32_t levels)
{
    quick_plan best = {.bits = UINT64_MAX};
    for (uint32_t slope = 0; slope < 4; slope++) {
        quick_plan plan = {.slope = slope};
        for (uint32_t j = 0; j < count; j++) {
            for (uint32_t level = 0; level < levels; level++) {
                uint32_t extra = quick_extra(slope, level, levels);
                if (needed[j][level] > extra + plan.bases[j])
                    plan.bases[j] = needed[j][level] - extra;
            }
            for (uint32_t level = 0; level < levels; level++)
                plan.bits += (uint64_t)squeeze_level_rows(steps, level, levels) *
                             (plan.bases[j] + quick_extra(slope, level, levels));
        }
        /* No field may be wider than its value, which a steep slope can make it near the root. */
        bool fits = true;
        for (uint32_t j = 0; j < count; j++)
            fits &= plan.bases[j] + quick_extra(slope, 0, levels) <=
                    (count == 3 ? QUICK_WIDEST_FIELD : QUICK_WIDEST_SCALAR);
        if (fits && plan.bits < best.bits)
            best = plan;
    }
    return best;
}

static void quick_keep_plan(quick_writer *w, const quick_plan *plan, uint32_t track, uint32_t count)
{
    for (uint32_t j = 0; j < count; j++) {
        w->bases[track + j * w->rotation_count] = (uint8_t)plan->bases[j];
        w->slopes[track + j * w->rotation_count] = (uint8_t)plan->slope;
    }
}

/* ---- tracks of a span ---- */

static void quick_rotation(quick_writer *w, uint32_t bone, uint32_t which,
                           uint64_t level_bits[SQUEEZE_MAX_LEVELS])
{
    uint32_t codes[SQUEEZE_MAX_SPAN + 1], needed[3][SQUEEZE_MAX_LEVELS] = {{0}};
    bool     turns = false;
    for (uint32_t i = 0; i <= w->steps; i++) {
        codes[i] = emberi_get_u32(quick_record(w, w->first + i, bone));
        turns |= ((codes[i] ^ codes[0]) & 3u) != 0;
    }
    for (uint32_t i = 1; i < w->steps; i++) {
        squeeze_node   node;
        const uint32_t level = quick_level_of(&node, i, w->steps);
        int32_t        predicted[3];
        if (turns) {
            int32_t low[4], high[4], quad[4];
            squeeze_quad(low, codes[node.low]);
            squeeze_quad(high, codes[node.high]);
            squeeze_quad_mix(quad, low, high, node.weight);
            squeeze_quad_fields(predicted, quad, codes[i] & 3u);
        }
        for (uint32_t j = 0; j < 3; j++) {
            if (!turns)
                predicted[j] = squeeze_mix(squeeze_field(codes[node.low], j),
                                           squeeze_field(codes[node.high], j), node.weight);
            const int16_t  residual = (int16_t)squeeze_wrapped(squeeze_field(codes[i], j) - predicted[j], 10);
            const uint32_t width = quick_width(residual);
            w->residuals[(size_t)(i - 1) * w->track_count + which + j * w->rotation_count] = residual;
            needed[j][level] = width > needed[j][level] ? width : needed[j][level];
        }
    }
    const quick_plan plan =
        quick_plan_widths((const uint32_t(*)[SQUEEZE_MAX_LEVELS])needed, 3, w->steps, w->levels);
    quick_keep_plan(w, &plan, which, 3);
    w->turns[which] = turns;
    for (uint32_t level = 0; level < w->levels; level++)
        level_bits[level] += plan.bases[0] + plan.bases[1] + plan.bases[2] +
                             3 * quick_extra(plan.slope, level, w->levels) + (turns ? 2 : 0);
}

static void quick_scalar(quick_writer *w, uint32_t bone, uint32_t byte, uint32_t which,
                         uint64_t level_bits[SQUEEZE_MAX_LEVELS])
{
    int16_t        values[SQUEEZE_MAX_SPAN + 1];
    uint32_t       needed[3][SQUEEZE_MAX_LEVELS] = {{0}};
    const uint32_t track = 3 * w->rotation_count + which;
    for (uint32_t i = 0; i <= w->steps; i++)
        values[i] = squeeze_ordered(emberi_get_u16(quick_record(w, w->first + i, bone) + byte));
    for (uint32_t i = 1; i < w->steps; i++) {
        squeeze_node   node;
        const uint32_t level = quick_level_of(&node, i, w->steps);
        const int16_t  residual = (int16_t)
            squeeze_wrapped(values[i] - squeeze_mix(values[node.low], values[node.high], node.weight), 16);
        const uint32_t width = quick_width(residual);
        w->residuals[(size_t)(i - 1) * w->track_count + track] = residual;
        needed[0][level] = width > needed[0][level] ? width : needed[0][level];
    }
    const quick_plan plan =
        quick_plan_widths((const uint32_t(*)[SQUEEZE_MAX_LEVELS])needed, 1, w->steps, w->levels);
    quick_keep_plan(w, &plan, track, 1);
    for (uint32_t level = 0; level < w->levels; level++)
        level_bits[level] += plan.bases[0] + quick_extra(plan.slope, level, w->levels);
}

/* Residuals and widths of span k; returns the size of its part of the block. */
static size_t quick_span_plan(quick_writer *w, uint32_t k, uint64_t level_bits[SQUEEZE_MAX_LEVELS])
{
    uint32_t rotation = 0, scalar = 0;
    w->first = squeeze_key_frame(k, w->job->frame_count, w->span_count);
    w->steps = squeeze_key_frame(k + 1, w->job->frame_count, w->span_count) - w->first;
    w->levels = squeeze_levels(w->steps);
    if (w->levels == 0)
        return 0;
    emberi_fill(level_bits, 0, SQUEEZE_MAX_LEVELS * sizeof(*level_bits));
    for (uint32_t bone = 0; bone < w->job->rig->bone_count; bone++) {
        const uint32_t mode = w->modes[bone];
        if ((mode & MODE_ROTATION) != 0)
            quick_rotation(w, bone, rotation++, level_bits);
        for (uint32_t axis = 0; axis < 3; axis++)
            if ((mode & (uint32_t)MODE_X << axis) != 0)
                quick_scalar(w, bone, 4 + 2 * axis, scalar++, level_bits);
        for (uint32_t axis = 0; axis < 3 && (mode & MODE_SCALE) != 0; axis++)
            quick_scalar(w, bone, 10 + 2 * axis, scalar++, level_bits);
    }
    size_t size = 2 * (size_t)w->levels + 2 * (size_t)w->rotation_count + w->scalar_count;
    for (uint32_t level = 0; level < w->levels; level++)
        size += (size_t)((level_bits[level] + 7) / 8) * squeeze_level_rows(w->steps, level, w->levels);
    return size;
}

/* ---- writing ---- */

static void quick_key_write(uint8_t *out, const quick_writer *w, uint32_t frame)
{
    uint8_t *rotation = out, *scalar = out + 4 * (size_t)w->rotation_count;
    for (uint32_t bone = 0; bone < w->job->rig->bone_count; bone++) {
        const uint32_t mode = w->modes[bone];
        const uint8_t *record = quick_record(w, frame, bone);
        if ((mode & MODE_ROTATION) != 0) {
            emberi_copy(rotation, record, 4);
            rotation += 4;
        }
        for (uint32_t i = 0; i < 6; i++)
            if (i < 3 ? (mode & (uint32_t)MODE_X << i) != 0 : (mode & MODE_SCALE) != 0) {
                emberi_put_u16(scalar, (uint16_t)squeeze_ordered(emberi_get_u16(record + 4 + 2 * i)));
                scalar += 2;
            }
    }
}

/* Bits from the lowest of each byte on; the bytes are 0 before. */
static void quick_put(uint8_t *out, uint64_t *at, uint32_t value, uint32_t width)
{
    for (uint32_t i = 0; i < width; i++, ++*at)
        out[*at >> 3] |= (uint8_t)((value >> i & 1u) << (*at & 7u));
}

static void quick_row_write(uint8_t *out, const quick_writer *w, uint32_t frame, uint32_t level)
{
    const int16_t *residuals = w->residuals + (size_t)(frame - 1) * w->track_count;
    uint64_t       at = 0;
    for (uint32_t bone = 0, i = 0; bone < w->job->rig->bone_count; bone++)
        if ((w->modes[bone] & MODE_ROTATION) != 0 && w->turns[i++] != 0)
            quick_put(out, &at, quick_record(w, w->first + frame, bone)[0] & 3u, 2);
    for (uint32_t i = 0; i < w->track_count; i++)
        quick_put(out, &at, (uint32_t)residuals[i],
                  w->bases[i] + quick_extra(w->slopes[i], level, w->levels));
}

static void quick_span_write(uint8_t *out, const quick_writer *w,
                             const uint64_t level_bits[SQUEEZE_MAX_LEVELS])
{
    size_t level_at[SQUEEZE_MAX_LEVELS], at = 2 * (size_t)w->levels;
    for (uint32_t i = 0; i < w->rotation_count; i++, at += 2) {
        uint32_t bits = (uint32_t)w->slopes[i] << QUICK_SLOPE_AT | (w->turns[i] != 0 ? QUICK_TURNS : 0u);
        for (uint32_t j = 0; j < 3; j++)
            bits |= (uint32_t)w->bases[j * w->rotation_count + i] << 4 * j;
        emberi_put_u16(out + at, (uint16_t)bits);
    }
    for (uint32_t i = 3 * w->rotation_count; i < w->track_count; i++)
        out[at++] = (uint8_t)(w->bases[i] | (uint32_t)w->slopes[i] << QUICK_SCALAR_SLOPE_AT);
    for (uint32_t level = 0; level < w->levels; level++) {
        const size_t row_size = (size_t)((level_bits[level] + 7) / 8);
        emberi_put_u16(out + 2 * (size_t)level, (uint16_t)row_size);
        level_at[level] = at;
        at += row_size * squeeze_level_rows(w->steps, level, w->levels);
    }
    for (uint32_t frame = 1; frame < w->steps; frame++) {
        squeeze_node   node;
        const uint32_t level = quick_level_of(&node, frame, w->steps);
        quick_row_write(out + level_at[level], w, frame, level);
        level_at[level] += (size_t)((level_bits[level] + 7) / 8);
    }
}

/* The block's size from its key rows on, with spans of that length at the most. */
static uint64_t quick_plan_all(quick_writer *w, uint32_t longest)
{
    uint64_t level_bits[SQUEEZE_MAX_LEVELS], size;
    w->span_count = quick_span_count(w->track_count, w->job->frame_count, longest);
    size = ((uint64_t)w->span_count + 1) * (4 * (uint64_t)w->rotation_count + 2 * (uint64_t)w->scalar_count) +
           4 * (uint64_t)w->span_count;
    for (uint32_t k = 0; k < w->span_count; k++)
        size += quick_span_plan(w, k, level_bits);
    return size;
}

static uint32_t quick_choose_span(quick_writer *w, uint64_t *size)
{
    uint32_t best = QUICK_SPAN_STEP;
    *size = UINT64_MAX;
    for (uint32_t longest = QUICK_SPAN_STEP; longest <= SQUEEZE_MAX_SPAN; longest += QUICK_SPAN_STEP) {
        uint64_t planned = quick_plan_all(w, longest);
        if (planned < *size) {
            *size = planned;
            best = longest;
        }
    }
    return best;
}

static void quick_write_all(quick_writer *w, uint8_t *out, size_t at)
{
    const size_t key_size = 4 * (size_t)w->rotation_count + 2 * (size_t)w->scalar_count;
    for (uint32_t k = 0; k <= w->span_count; k++, at += key_size)
        quick_key_write(out + at, w, squeeze_key_frame(k, w->job->frame_count, w->span_count));
    size_t table = at;
    at += 4 * (size_t)w->span_count;
    for (uint32_t k = 0; k < w->span_count; k++, table += 4) {
        uint64_t     level_bits[SQUEEZE_MAX_LEVELS];
        const size_t size = quick_span_plan(w, k, level_bits);
        emberi_put_u32(out + table, (uint32_t)at);
        if (size != 0)
            quick_span_write(out + at, w, level_bits);
        at += size;
    }
}

ember_status emberi_squeeze_quick_encode(ember_squeeze_job *job, ember_arena *scratch)
{
    const uint32_t bones = job->rig->bone_count;
    quick_writer   w = {.job = job};
    uint8_t       *tracks = EMBER_PUSH(scratch, uint8_t, 17 * (size_t)bones);
    w.bases = EMBER_PUSH(scratch, uint8_t, 9 * (size_t)bones);
    w.slopes = EMBER_PUSH(scratch, uint8_t, 9 * (size_t)bones);
    w.turns = EMBER_PUSH(scratch, uint8_t, bones);
    w.residuals = EMBER_PUSH(scratch, int16_t, 9 * (size_t)bones * (SQUEEZE_MAX_SPAN - 1));
    if (tracks == NULL || w.bases == NULL || w.slopes == NULL || w.turns == NULL || w.residuals == NULL)
        return EMBER_E_NOMEM;

    const size_t tracks_size = emberi_squeeze_tracks_write(tracks, job);
    uint64_t     size = 0;
    w.modes = tracks;
    for (uint32_t bone = 0; bone < bones; bone++) {
        w.rotation_count += tracks[bone] & MODE_ROTATION;
        for (uint32_t bit = 1; bit < 4; bit++)
            w.scalar_count += (uint32_t)tracks[bone] >> bit & 1u;
        w.scalar_count += 3 * ((uint32_t)tracks[bone] >> 4 & 1u);
    }
    w.track_count = 3 * w.rotation_count + w.scalar_count;
    const uint32_t longest = quick_choose_span(&w, &size);
    size += QUICK_TRACKS_AT + tracks_size;
    if (size > UINT32_MAX)
        return EMBER_E_LIMIT;
    if (job->out_capacity < size)
        return EMBER_E_SPACE;

    emberi_fill(job->out + SQUEEZE_HEADER_SIZE, 0, (size_t)size - SQUEEZE_HEADER_SIZE);
    job->out[SQUEEZE_HEADER_SIZE] = (uint8_t)longest;
    emberi_copy(job->out + QUICK_TRACKS_AT, tracks, tracks_size);
    w.span_count = quick_span_count(w.track_count, job->frame_count, longest);
    quick_write_all(&w, job->out, QUICK_TRACKS_AT + tracks_size);
    job->out_size = (size_t)size;
    return EMBER_OK;
}
