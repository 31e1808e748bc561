/* SPDX-License-Identifier: MIT */
/* More frames per second: new frames between those that are there, which stay as they are, and the question
   which clips run in a loop. */
#include "base/real.h"
#include "format/ff7/ff7_parts.h"

/* ---- loops ---- */

/* How far two frames are apart: the largest turn of a bone in units, or the way of the root,
   whichever is more. */
static double fps_step(const ember_ff7_clip *clip, uint32_t a, uint32_t b)
{
    const ember_ff7_triple *p = &clip->positions[a], *q = &clip->positions[b];
    double                  step = emberi_real_length(p->x - q->x, p->y - q->y, p->z - q->z);
    for (uint32_t i = 0; i < clip->triple_count; i++) {
        ember_quat from = ember_ff7_quat(clip->rotations[(size_t)a * clip->triple_count + i]);
        ember_quat to = ember_ff7_quat(clip->rotations[(size_t)b * clip->triple_count + i]);
        double     turn = emberi_ff7_angle_between(from, to);
        step = turn > step ? turn : step;
    }
    return step;
}

bool ember_ff7_loops(const ember_ff7_clip *clip)
{
    uint32_t last = clip->frame_count - 1;
    if (clip->frame_count < 3)
        return false;
    double seam = fps_step(clip, last, 0), in = fps_step(clip, last - 1, last), out = fps_step(clip, 0, 1);
    /* A last frame that is the first again has arrived; the player need not go there once more. Half a unit
       is rounding. */
    return seam > 0.5 && seam <= 2.0 * (in > out ? in : out);
}

/* ---- between two frames ---- */

static int16_t fps_between(int16_t from, int16_t to, uint32_t step, uint32_t factor)
{
    /* The game adds 16-bit numbers that wrap; so does the way between them. */
    int32_t way = (int16_t)(uint16_t)((uint16_t)to - (uint16_t)from);
    double  at = (double)way * step / factor;
    return (int16_t)(from + (int32_t)(at < 0.0 ? at - 0.5 : at + 0.5));
}

static ember_ff7_triple fps_turn(ember_ff7_triple from, ember_ff7_triple to, ember_ff7_triple near,
                                 uint32_t step, uint32_t factor)
{
    double p[4], q[4], r[4];
    if (from.x == to.x && from.y == to.y && from.z == to.z)
        return from;
    emberi_real_quat_from(p, ember_ff7_quat(from));
    emberi_real_quat_from(q, ember_ff7_quat(to));
    emberi_real_quat_slerp(r, p, q, (double)step / factor);
    return ember_ff7_from_quat(emberi_real_quat_to_float(r), near);
}

/* Frame `step` of `factor` on the way between two frames; `out` lies behind the frame that was
   made before it. */
static void fps_make_frame(ember_ff7_triple *position, ember_ff7_triple *out, const ember_ff7_clip *clip,
                           uint32_t frame, uint32_t step, uint32_t factor)
{
    uint32_t                count = clip->triple_count, next = frame + 1 < clip->frame_count ? frame + 1 : 0;
    const ember_ff7_triple *p = &clip->positions[frame], *q = &clip->positions[next];
    const ember_ff7_triple *from = clip->rotations + (size_t)frame * count,
                           *to = clip->rotations + (size_t)next * count;
    if (step == 0) {
        *position = *p;
        for (uint32_t i = 0; i < count; i++)
            out[i] = from[i];
        return;
    }
    position->x = fps_between(p->x, q->x, step, factor);
    position->y = fps_between(p->y, q->y, step, factor);
    position->z = fps_between(p->z, q->z, step, factor);
    for (uint32_t i = 0; i < count; i++)
        out[i] = fps_turn(from[i], to[i], out[(ptrdiff_t)i - (ptrdiff_t)count], step, factor);
}

ember_status ember_ff7_resample(ember_ff7_clip *out, const ember_ff7_clip *clip, uint32_t factor, bool loop,
                                ember_arena *arena, ember_error *err)
{
    uint64_t frames =
        loop ? (uint64_t)clip->frame_count * factor : (uint64_t)(clip->frame_count - 1) * factor + 1;
    *out = *clip;
    if (factor == 0)
        return ember_fail(err, EMBER_E_ARG, EMBER_NO_OFFSET, "0 times the rate is none");
    if (clip->frame_count == 0 || factor == 1)
        return EMBER_OK;
    if (frames > UINT16_MAX)
        return emberi_failf(err, EMBER_E_LIMIT, EMBER_NO_OFFSET, "%llu frames, at most 65535 can be counted",
                            (unsigned long long)frames);
    ember_ff7_triple *positions = EMBER_PUSH(arena, ember_ff7_triple, (size_t)frames);
    ember_ff7_triple *rotations =
        ember_arena_push(arena, (size_t)frames, clip->triple_count * sizeof(*rotations),
                         _Alignof(ember_ff7_triple));
    if (positions == NULL || rotations == NULL)
        return emberi_fail_memory(err);
    for (uint32_t i = 0; i < (uint32_t)frames; i++)
        fps_make_frame(&positions[i], rotations + (size_t)i * clip->triple_count, clip, i / factor,
                       i % factor, factor);
    out->frame_count = (uint32_t)frames;
    out->frames_field = out->frames_short = (uint16_t)frames;
    out->positions = positions;
    out->rotations = rotations;
    out->bytes = NULL;
    out->byte_count = 0;
    return EMBER_OK;
}

/* ---- whether it was done before ---- */

static bool fps_same_triple(ember_ff7_triple a, ember_ff7_triple b, uint32_t mask)
{
    return (((uint32_t)(a.x ^ b.x) | (uint32_t)(a.y ^ b.y) | (uint32_t)(a.z ^ b.z)) & mask) == 0;
}

typedef enum fps_verdict { FPS_STILL, FPS_MADE, FPS_OWN } fps_verdict;

/* Whether the clip's frames between every factor-th are made from those; FPS_STILL where they do not tell. A
   loop's last frames have no other behind them. `row` has room for a frame. */
static fps_verdict fps_judge(const ember_ff7_clip *clip, uint32_t factor, ember_ff7_triple *row)
{
    uint32_t count = clip->triple_count, last = clip->frame_count == 0 ? 0 : (clip->frame_count - 1) / factor;
    bool     moves = false;
    /* The frames that were there first, as a clip with every factor-th frame. */
    for (uint32_t frame = 0; frame < last; frame++) {
        const ember_ff7_triple *from = clip->rotations + (size_t)frame * factor * count;
        const ember_ff7_triple *to = from + (size_t)factor * count;
        const ember_ff7_triple *p = &clip->positions[(size_t)frame * factor], *q = p + factor;
        for (uint32_t step = 1; step < factor; step++) {
            const ember_ff7_triple *there = from + (size_t)step * count, *before = there - count;
            ember_ff7_triple        at = {fps_between(p->x, q->x, step, factor),
                                          fps_between(p->y, q->y, step, factor),
                                          fps_between(p->z, q->z, step, factor)};
            if (!fps_same_triple(at, p[step], 0xFFFFu))
                return FPS_OWN;
            moves = moves || !fps_same_triple(*p, *q, 0xFFFFu);
            for (uint32_t i = 0; i < count; i++) {
                row[i] = fps_turn(from[i], to[i], before[i], step, factor);
                if (!fps_same_triple(row[i], there[i], EMBERI_FF7_TURN - 1u))
                    return FPS_OWN;
                moves = moves || !fps_same_triple(from[i], to[i], EMBERI_FF7_TURN - 1u);
            }
        }
    }
    return moves ? FPS_MADE : FPS_STILL;
}

ember_status ember_ff7_interpolated(uint32_t *factor, const ember_ff7_pack *pack, ember_error *err)
{
    uint32_t     made[5] = {0, 0, 0, 0, 0}, own[5] = {0, 0, 0, 0, 0};
    ember_arena  arena = ember_arena_growing(ember_heap(), 0);
    ember_status status = EMBER_OK;
    *factor = 1;
    for (uint32_t i = 0; i < pack->chunk_count && status == EMBER_OK; i++) {
        ember_arena_mark  mark = ember_arena_save(&arena);
        ember_ff7_clip    clip;
        ember_ff7_triple *row = EMBER_PUSH(&arena, ember_ff7_triple, EMBER_FF7_MAX_TRIPLES);
        status =
            row != NULL ? ember_ff7_decode(&clip, &pack->chunks[i], &arena, err) : emberi_fail_memory(err);
        for (uint32_t k = 2; k <= 4 && status == EMBER_OK; k += 2) {
            fps_verdict verdict = fps_judge(&clip, k, row);
            made[k] += verdict == FPS_MADE ? 1u : 0u;
            own[k] += verdict == FPS_OWN ? 1u : 0u;
        }
        ember_arena_restore(&arena, mark);
    }
    ember_arena_free(&arena);
    for (uint32_t k = 2; k <= 4; k += 2)
        if (made[k] > own[k])
            *factor = k;
    return status;
}

/* ---- whole packs ---- */

static bool fps_wants_loop(const ember_ff7_fps_job *job, const ember_ff7_clip *body)
{
    switch (job->looping) {
    case EMBER_FF7_LOOP_NEVER:
        return false;
    case EMBER_FF7_LOOP_ALWAYS:
        return true;
    case EMBER_FF7_LOOP_ONLY:
        return body->index >= 0 && (uint32_t)body->index == job->loop_index;
    case EMBER_FF7_LOOP_AUTO:
    default:
        return ember_ff7_loops(body);
    }
}

/* The clip at the new rate, as a loop if its body clip is one. */
static ember_status fps_make_clip(ember_ff7_clip *out, ember_ff7_fps_job *job, uint32_t index,
                                  ember_arena *arena, ember_error *err)
{
    const ember_ff7_pack *pack = job->pack;
    uint32_t              partner = ember_ff7_partner(pack, index);
    ember_ff7_clip        clip, body;
    ember_status          status = ember_ff7_decode(&clip, &pack->chunks[index], arena, err);
    if (status != EMBER_OK)
        return status;
    body = clip;
    if (clip.kind == EMBER_FF7_WEAPON && partner != UINT32_MAX)
        status = ember_ff7_decode(&body, &pack->chunks[partner], arena, err);
    if (status != EMBER_OK)
        return status;
    bool loop = clip.frame_count != 0 && fps_wants_loop(job, &body);
    if (loop && clip.kind == EMBER_FF7_BODY)
        emberi_notef(&job->notes, EMBER_NOTE_DETAIL, emberi_ff7_name_of(clip.kind, index).text, NULL,
                     "a loop of %u frames", (unsigned)clip.frame_count);
    return ember_ff7_resample(out, &clip, job->factor, loop, arena, err);
}

ember_status ember_ff7_fps_run(ember_buffer *out, ember_ff7_fps_job *job, ember_error *err)
{
    const ember_ff7_pack *pack = job->pack;
    ember_arena           arena = ember_arena_growing(out->allocator, 0);
    ember_ff7_item       *items = EMBER_PUSH(&arena, ember_ff7_item, pack->chunk_count);
    ember_ff7_clip       *clips = EMBER_PUSH(&arena, ember_ff7_clip, pack->chunk_count);
    size_t                start = out->size;
    ember_status          status = items != NULL && clips != NULL ? EMBER_OK : emberi_fail_memory(err);
    job->report = (ember_ff7_report){.before = pack->size, .clip_count = pack->chunk_count};
    for (uint32_t i = 0; i < pack->chunk_count && status == EMBER_OK; i++) {
        ember_error local = EMBER_ERROR_INIT;
        status = fps_make_clip(&clips[i], job, i, &arena, &local);
        if (status != EMBER_OK)
            (void)emberi_ff7_fail_clip(err, status, &local, pack->chunks[i].kind, i);
        bool new = clips[i].frame_count != 0 && clips[i].bytes == NULL;
        items[i] = new ? (ember_ff7_item){NULL, &clips[i], EMBER_FF7_KEY_AUTO}
                       : (ember_ff7_item){&pack->chunks[i], NULL, 0};
        job->report.changed += new ? 1u : 0u;
    }
    if (status == EMBER_OK)
        status =
            ember_ff7_pack_write(out, items, pack->chunk_count, pack->data + pack->tail_offset,
                                 pack->chunk_count == pack->count_field ? pack->size - pack->tail_offset : 0,
                                 err);
    job->report.after = out->size - start;
    ember_arena_free(&arena);
    return status;
}
