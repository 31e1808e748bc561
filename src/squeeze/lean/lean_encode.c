/* SPDX-License-Identifier: MIT */
/* Encoding lean clips: a budget for each bone, then coding, writing, decoding and measuring until the
   bound is kept or nothing finer can be stored. The caller's numbers may be anything; what is not
   finite is refused. */
#include "squeeze/lean/lean_encode.h"
#include "squeeze/squeeze_parts.h"

#define LEAN_TOLERANCE 0.75 /* of the bound: what the budget is made for */
#define LEAN_ROUNDS 24u
#define LEAN_PATIENCE 6u       /* rounds after which all ancestors become finer */
#define LEAN_NEAR_ANCESTORS 3u /* the bone included */
#define LEAN_LARGEST 1e18f     /* of the numbers that come in: their products stay finite */

static bool lean_number_sound(float x) { return x >= -LEAN_LARGEST && x <= LEAN_LARGEST; }

bool emberi_lean_transform_sound(const ember_transform *t)
{
    return lean_number_sound(t->rotation.x) && lean_number_sound(t->rotation.y) &&
           lean_number_sound(t->rotation.z) && lean_number_sound(t->rotation.w) &&
           lean_number_sound(t->position.x) && lean_number_sound(t->position.y) &&
           lean_number_sound(t->position.z) && lean_number_sound(t->scale.x) &&
           lean_number_sound(t->scale.y) && lean_number_sound(t->scale.z);
}

static ember_status lean_fail_at(ember_error *err, ember_status status, const char *text, uint32_t bone,
                                 uint32_t frame)
{
    const bool first = err != NULL && err->status == EMBER_OK;
    (void)ember_fail(err, status, EMBER_NO_OFFSET, text);
    if (first) {
        err->bone = (int32_t)bone;
        err->frame = (int32_t)frame;
    }
    return status;
}

/* ---- what the source is like ---- */

static ember_status lean_check_source(const ember_lean_job *job, ember_error *err)
{
    if (job->out == NULL || job->frames == NULL || job->rig == NULL || job->rig->bone_count == 0 ||
        job->frame_count == 0 || job->frame_count > EMBER_MAX_FRAMES || !(job->max_error > 0.0f) ||
        !emberi_is_finite(job->max_error) || !squeeze_parents_valid(job->parents, job->rig->bone_count))
        return ember_fail(err, EMBER_E_ARG, EMBER_NO_OFFSET, "the lean job breaks a rule");
    for (uint32_t f = 0; f < job->frame_count; f++)
        for (uint32_t bone = 0; bone < job->rig->bone_count; bone++)
            if (!emberi_lean_transform_sound(&job->frames[(size_t)f * job->rig->bone_count + bone]))
                return lean_fail_at(err, EMBER_E_RANGE, "a number is not finite or too large", bone, f);
    return EMBER_OK;
}

static uint8_t lean_signs(ember_vec3 scale)
{
    return (uint8_t)((scale.x < 0.0f ? 1u : 0u) | (scale.y < 0.0f ? 2u : 0u) | (scale.z < 0.0f ? 4u : 0u));
}

static bool lean_any_mirror(const ember_lean_job *job)
{
    const size_t count = (size_t)job->frame_count * job->rig->bone_count;
    for (size_t i = 0; i < count; i++)
        if (lean_signs(job->frames[i].scale) != 0)
            return true;
    return false;
}

/* Rotations in model space. A mirror that is passed on the way turns what follows around. */
static void lean_source_turns(lean_encoder *e)
{
    for (uint32_t f = 0; f < e->frame_count; f++)
        for (uint32_t bone = 0; bone < e->bone_count; bone++) {
            const size_t           row = (size_t)f * e->bone_count;
            const ember_transform *t = &e->job->frames[row + bone];
            const int32_t          parent = e->job->parents != NULL ? e->job->parents[bone] : EMBER_NO_PARENT;
            double                 q[4], up[4];
            emberi_lean_rotation(q, t->rotation);
            if (e->mirrors != NULL)
                e->mirrors[row + bone] = lean_signs(t->scale);
            if (parent >= 0) {
                if (e->mirrors != NULL) {
                    emberi_lean_mirror(q, e->mirrors[row + (uint32_t)parent]);
                    e->mirrors[row + bone] ^= e->mirrors[row + (uint32_t)parent];
                }
                emberi_real_quat_from(up, e->source_turns[row + (uint32_t)parent]);
                emberi_real_quat_mul(q, up, q);
                (void)emberi_real_quat_normalize(q);
            }
            e->source_turns[row + bone] = emberi_real_quat_to_float(q);
        }
}

/* How far turns and positions are felt, over some frames. */
static bool lean_budget(lean_encoder *e)
{
    const ember_arena_mark mark = ember_arena_save(e->arena);
    real_mat              *places = EMBER_PUSH(e->arena, real_mat, e->bone_count);
    const int16_t         *parents = e->job->parents;
    const double           shell = (double)e->job->rig->shell;
    if (places == NULL)
        return false;
    for (uint32_t bone = 0; bone < e->bone_count; bone++) {
        e->reach[bone] = shell > 0.0 ? shell : 1e-6 * e->bound;
        e->gain[bone] = parents == NULL || parents[bone] < 0 ? 1.0 : 1e-9;
    }
    for (uint32_t i = 0; i < 3; i++) {
        const uint32_t frame = i * e->frame_count / 3u;
        emberi_lean_place_bones(places, e->job->frames + (size_t)frame * e->bone_count, parents,
                                e->bone_count);
        for (uint32_t bone = 0; parents != NULL && bone < e->bone_count; bone++) {
            for (int32_t up = parents[bone]; up >= 0; up = parents[up]) {
                const double far = shell + emberi_real_length(places[bone].m[0][3] - places[up].m[0][3],
                                                              places[bone].m[1][3] - places[up].m[1][3],
                                                              places[bone].m[2][3] - places[up].m[2][3]);
                e->reach[up] = far > e->reach[up] ? far : e->reach[up];
            }
            for (int axis = 0; axis < 3 && parents[bone] >= 0; axis++) {
                const real_mat *m = &places[parents[bone]];
                const double    size = emberi_real_length(m->m[0][axis], m->m[1][axis], m->m[2][axis]);
                e->gain[bone] = size > e->gain[bone] ? size : e->gain[bone];
            }
        }
    }
    ember_arena_restore(e->arena, mark);
    return true;
}

static bool lean_begin(lean_encoder *e, lean_measure *measure)
{
    const size_t bones = e->bone_count, all = bones * e->frame_count;
    e->bones = EMBER_PUSH(e->arena, lean_bone, bones);
    e->reach = EMBER_PUSH(e->arena, double, bones);
    e->gain = EMBER_PUSH(e->arena, double, bones);
    e->finer = EMBER_PUSH(e->arena, uint32_t, bones);
    e->dirty = EMBER_PUSH(e->arena, uint8_t, bones);
    e->source_turns = EMBER_PUSH(e->arena, ember_quat, all);
    e->decoded_turns = EMBER_PUSH(e->arena, ember_quat, all);
    const bool mirrored = lean_any_mirror(e->job);
    e->mirrors = mirrored ? EMBER_PUSH(e->arena, uint8_t, all) : NULL;
    e->values = EMBER_PUSH(e->arena, double, 4 * (size_t)e->frame_count);
    e->targets = EMBER_PUSH(e->arena, double, 4 * (size_t)e->frame_count);
    e->coded = EMBER_PUSH(e->arena, lean_coded, bones * LEAN_KINDS);
    measure->by_bone = EMBER_PUSH(e->arena, double, bones);
    if (e->bones == NULL || e->reach == NULL || e->gain == NULL || e->finer == NULL || e->dirty == NULL ||
        e->source_turns == NULL || e->decoded_turns == NULL || (mirrored && e->mirrors == NULL) ||
        e->values == NULL || e->targets == NULL || e->coded == NULL || measure->by_bone == NULL)
        return false;
    for (uint32_t bone = 0; bone < bones; bone++)
        emberi_lean_bone(&e->bones[bone], e->job->rig, bone);
    lean_source_turns(e);
    return lean_budget(e);
}

/* ---- rounds ---- */

/* Blocks of another length: all that was coded is forgotten. */
static void lean_set_longest(lean_encoder *e, uint32_t longest)
{
    ember_arena_restore(e->arena, e->clear);
    e->longest = longest;
    e->block_count = squeeze_span_count(e->frame_count, longest);
    emberi_fill(e->coded, 0, (size_t)e->bone_count * LEAN_KINDS * sizeof(*e->coded));
    emberi_fill(e->dirty, LEAN_DIRTY, e->bone_count);
}

static ember_status lean_code(lean_encoder *e)
{
    for (uint32_t bone = 0; bone < e->bone_count;) {
        const int32_t parent = e->job->parents != NULL ? e->job->parents[bone] : EMBER_NO_PARENT;
        if (e->dirty[bone] == LEAN_CLEAN && parent >= 0 && e->dirty[parent] != LEAN_CLEAN)
            e->dirty[bone] = LEAN_TURNED;
        e->clipped = false;
        if (e->dirty[bone] != LEAN_CLEAN)
            EMBERI_TRY(emberi_lean_code_bone(e, bone));
        bone++;
        if (e->clipped && e->longest > 1) {
            lean_set_longest(e, e->longest / 2);
            bone = 0;
        }
    }
    emberi_fill(e->dirty, LEAN_CLEAN, e->bone_count);
    return EMBER_OK;
}

/* Steps by which a bone that is off by so much becomes finer: a part of what would mend it alone. */
static uint32_t lean_steps_for(double excess)
{
    return excess > 8.0 ? 8 : excess > 4.0 ? 5 : excess > 2.0 ? 3 : excess > 1.4 ? 2 : 1;
}

/* Makes bones finer that are off too far, and those above them. False where nothing is left to be done. */
static bool lean_tighten(lean_encoder *e, const lean_measure *measure, uint32_t round)
{
    const uint32_t levels = round < LEAN_PATIENCE ? LEAN_NEAR_ANCESTORS : e->bone_count;
    const int16_t *parents = e->job->parents;
    bool           any = false;
    for (uint32_t bone = 0; bone < e->bone_count; bone++) {
        if (measure->by_bone[bone] <= e->bound)
            continue;
        int32_t up = (int32_t)bone;
        for (uint32_t i = 0; i < levels && up >= 0; i++) {
            const uint32_t steps = lean_steps_for(measure->by_bone[bone] / e->bound);
            if (e->dirty[up] < steps && e->finer[up] < LEAN_STEPS)
                e->dirty[up] = (uint8_t)steps;
            up = parents != NULL ? parents[up] : EMBER_NO_PARENT;
        }
    }
    for (uint32_t bone = 0; bone < e->bone_count; bone++)
        if (e->dirty[bone] != LEAN_CLEAN) {
            e->finer[bone] += e->dirty[bone];
            e->dirty[bone] = LEAN_DIRTY;
            any = true;
        }
    return any;
}

static ember_status lean_rounds(lean_encoder *e, lean_measure *measure)
{
    e->clear = ember_arena_save(e->arena);
    lean_set_longest(e, LEAN_LONGEST);
    for (uint32_t round = 0; round < LEAN_ROUNDS; round++) {
        EMBERI_TRY(lean_code(e));
        ember_status status = emberi_lean_write(e);
        while (status == EMBER_E_SPACE && e->longest > 1) {
            lean_set_longest(e, e->longest / 2);
            EMBERI_TRY(lean_code(e));
            status = emberi_lean_write(e);
        }
        EMBERI_TRY(status);
        EMBERI_TRY(emberi_lean_measure(measure, e));
        if (measure->worst <= e->bound || !lean_tighten(e, measure, round))
            break;
    }
    return EMBER_OK;
}

ember_status emberi_lean_encode_with(ember_lean_job *job, const lean_template *templates,
                                     const lean_observer *observer, ember_arena *scratch, ember_error *err)
{
    lean_measure measure = {0};
    job->out_size = 0;
    job->error = 0.0f;
    job->worst_bone = job->worst_frame = 0;
    EMBERI_TRY(lean_check_source(job, err));
    lean_encoder e = {.job = job,
                      .bone_count = job->rig->bone_count,
                      .frame_count = job->frame_count,
                      .templates = templates,
                      .observer = observer,
                      .arena = scratch,
                      .bound = (double)lean_error_value(emberi_lean_error_down((double)job->max_error))};
    e.tolerance = LEAN_TOLERANCE * e.bound;
    const ember_arena_mark mark = ember_arena_save(scratch);
    ember_status           status =
        e.bound > 0.0 ? lean_begin(&e, &measure) ? lean_rounds(&e, &measure) : EMBER_E_NOMEM : EMBER_E_RANGE;
    ember_arena_restore(scratch, mark);
    if (status != EMBER_OK) {
        job->out_size = 0;
        return ember_fail(err, status, EMBER_NO_OFFSET,
                          status == EMBER_E_NOMEM   ? "out of memory"
                          : status == EMBER_E_SPACE ? "the memory for the lean clip is too small"
                          : e.bound > 0.0           ? "a position or scale is too far from the rig's"
                                                    : "the maximum error is too small to be stored");
    }
    const uint32_t stored = emberi_lean_error_up(measure.worst);
    emberi_put_u16(job->out + 2, (uint16_t)stored);
    job->error = lean_error_value(stored);
    job->worst_bone = measure.worst_bone;
    job->worst_frame = measure.worst_frame;
    return measure.worst <= e.bound ? EMBER_OK
                                    : lean_fail_at(err, EMBER_E_RANGE, "the maximum error cannot be kept",
                                                   measure.worst_bone, measure.worst_frame);
}

ember_status ember_lean_encode(ember_lean_job *job, ember_arena *scratch, ember_error *err)
{
    return emberi_lean_encode_with(job, emberi_lean_templates, NULL, scratch, err);
}
