/* SPDX-License-Identifier: MIT */
/* How finely each bone of a lean clip is stored, and whether it moves at all. Rotations are fitted against
   the parents as they decode, so that an error is not inherited. Nothing here reads bytes of a file. */
#include "squeeze/lean/lean_encode.h"

#define LEAN_REST_SHARE 1.27    /* of the budget that a rotation at rest may take */
#define LEAN_CONSTANT_SHARE 0.8 /* of that, for constants */
#define LEAN_POSITION_SHARE 0.6 /* of the budget: a position's step */
#define LEAN_FOUR_BELOW (-0.6)  /* turns beyond about 250 degrees take four components */

static void lean_conjugate(double q[4])
{
    q[0] = -q[0];
    q[1] = -q[1];
    q[2] = -q[2];
}

static void lean_negate(double q[4])
{
    for (int k = 0; k < 4; k++)
        q[k] = -q[k];
}

/* The angle between unit quaternions while it is small. */
static double lean_angle(const double a[4], const double b[4])
{
    double apart, together;
    emberi_real_quat_chords(&apart, &together, a, b);
    return 2.0 * emberi_real_sqrt(apart < together ? apart : together);
}

void emberi_lean_mirror(double q[4], uint8_t signs)
{
    const bool odd = (((unsigned)signs ^ (unsigned)signs >> 1 ^ (unsigned)signs >> 2) & 1u) != 0;
    for (uint32_t k = 0; k < 3; k++)
        if (((signs >> k & 1) != 0) != odd)
            q[k] = -q[k];
}

static void lean_rig_frame(double base[4], double turn[4], const lean_bone *bone)
{
    for (int k = 0; k < 4; k++) {
        base[k] = (double)bone->base[k];
        turn[k] = (double)bone->turn[k];
    }
    (void)emberi_real_quat_normalize(base);
    (void)emberi_real_quat_normalize(turn);
}

/* r with A * r * C = q */
static void lean_relative_to(double out[4], const double q[4], const double base[4], const double turn[4])
{
    double inverse[4] = {-base[0], -base[1], -base[2], base[3]};
    emberi_real_quat_mul(out, inverse, q);
    inverse[0] = -turn[0], inverse[1] = -turn[1], inverse[2] = -turn[2], inverse[3] = turn[3];
    emberi_real_quat_mul(out, out, inverse);
}

/* What the bone's own rotation should be, frame by frame, so that it points where it does in the source. */
static void lean_targets(lean_encoder *e, uint32_t bone, int32_t parent)
{
    for (uint32_t f = 0; f < e->frame_count; f++) {
        const size_t row = (size_t)f * e->bone_count;
        double      *target = e->targets + 4 * (size_t)f;
        emberi_real_quat_from(target, e->source_turns[row + bone]);
        if (parent >= 0) {
            double inverse[4];
            emberi_real_quat_from(inverse, e->decoded_turns[row + (uint32_t)parent]);
            lean_conjugate(inverse);
            emberi_real_quat_mul(target, inverse, target);
            if (e->mirrors != NULL)
                emberi_lean_mirror(target, e->mirrors[row + (uint32_t)parent]);
        }
        (void)emberi_real_quat_normalize(target);
        if (f != 0 && emberi_real_quat_dot(target, target - 4) < 0.0)
            lean_negate(target);
    }
}

static void lean_store_turns(lean_encoder *e, uint32_t bone, int32_t parent)
{
    for (uint32_t f = 0; f < e->frame_count; f++) {
        const size_t row = (size_t)f * e->bone_count;
        double      *local = e->targets + 4 * (size_t)f, turned[4];
        if (parent < 0) {
            e->decoded_turns[row + bone] = emberi_real_quat_to_float(local);
            continue;
        }
        if (e->mirrors != NULL)
            emberi_lean_mirror(local, e->mirrors[row + (uint32_t)parent]);
        emberi_real_quat_from(turned, e->decoded_turns[row + (uint32_t)parent]);
        emberi_real_quat_mul(turned, turned, local);
        (void)emberi_real_quat_normalize(turned);
        e->decoded_turns[row + bone] = emberi_real_quat_to_float(turned);
    }
}

/* tan(angle / 4) * axis to a rotation, and A * r * C. */
static void lean_rotation_of(double out[4], const double r[4], uint32_t components, const double base[4],
                             const double turn[4])
{
    const double s = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
    double       q[4] = {r[0], r[1], r[2], components == 4 ? r[3] : (1.0 - s) / (1.0 + s)};
    for (int k = 0; components == 3 && k < 3; k++)
        q[k] = (r[k] + r[k]) / (1.0 + s);
    emberi_real_quat_mul(out, base, q);
    emberi_real_quat_mul(out, out, turn);
    if (!emberi_real_quat_normalize(out))
        out[0] = out[1] = out[2] = 0.0, out[3] = 1.0;
}

static void lean_fill_targets(lean_encoder *e, const double q[4])
{
    for (uint32_t f = 0; f < e->frame_count; f++)
        emberi_copy(e->targets + 4 * (size_t)f, q, 4 * sizeof(double));
}

static void lean_constant_rotation(lean_encoder *e, lean_coded *track, double mean[4], double tau,
                                   uint32_t finer, const double base[4], const double turn[4])
{
    double r[4], decoded[4] = {0};
    lean_relative_to(r, mean, base, turn);
    if (r[3] < 0.0)
        lean_negate(r);
    const uint32_t step = emberi_lean_step_for(0.25 * tau, 0) + finer;
    track->mode = LEAN_CONSTANT;
    track->step = step < LEAN_STEPS ? step : LEAN_STEPS - 1;
    const double key_step = (double)(lean_step(track->step, 0) * LEAN_KEY_STEP);
    for (uint32_t k = 0; k < 3; k++) {
        int32_t value = emberi_lean_round(r[k] / (1.0 + r[3]) / key_step);
        value = value > 1 << LEAN_MOST_KEY ? 1 << LEAN_MOST_KEY : value;
        value = value < -(1 << LEAN_MOST_KEY) ? -(1 << LEAN_MOST_KEY) : value;
        track->constant[k] = value;
        decoded[k] = key_step * (double)value;
    }
    lean_rotation_of(mean, decoded, 3, base, turn);
    lean_fill_targets(e, mean);
}

static ember_status lean_moving_rotation(lean_encoder *e, lean_coded *track, double tau, uint32_t finer,
                                         const double base[4], const double turn[4])
{
    double least = 1.0, most = -1.0;
    for (uint32_t f = 0; f < e->frame_count; f++) {
        double *target = e->targets + 4 * (size_t)f;
        lean_relative_to(target, target, base, turn);
        least = target[3] < least ? target[3] : least;
        most = target[3] > most ? target[3] : most;
    }
    const bool negative = -most > least;
    least = negative ? -most : least;
    const uint32_t components = least < LEAN_FOUR_BELOW ? 4 : 3;
    for (uint32_t f = 0; f < e->frame_count; f++) {
        double      *target = e->targets + 4 * (size_t)f, *value = e->values + (size_t)components * f;
        const double sign = negative ? -1.0 : 1.0,
                     scale = components == 4 ? sign : sign / (1.0 + sign * target[3]);
        for (uint32_t k = 0; k < components; k++)
            value[k] = target[k] * scale;
    }
    track->mode = components == 4 ? LEAN_MOVES4 : LEAN_MOVES;
    const uint32_t step = emberi_lean_step_for(components == 4 ? tau * 0.5 : tau * 0.25, 0) + finer;
    EMBERI_TRY(emberi_lean_code_track(e, track, components, step, 0));
    for (uint32_t f = 0; f < e->frame_count; f++)
        lean_rotation_of(e->targets + 4 * (size_t)f, e->values + (size_t)components * f, components, base,
                         turn);
    return EMBER_OK;
}

/* 2^(-count / 4) */
static double lean_finer(uint32_t count)
{
    return (double)lean_step(count < LEAN_STEPS ? count : LEAN_STEPS - 1, 0);
}

/* The largest angle between the targets and q. Of one q at a time: of two in one loop, clang 14 for
   WebAssembly with simd128 loads the first angle's parts after the second's have taken their stack slots. */
static double lean_farthest(const lean_encoder *e, const double q[4])
{
    double farthest = 0.0;
    for (uint32_t f = 0; f < e->frame_count; f++) {
        const double angle = lean_angle(e->targets + 4 * (size_t)f, q);
        farthest = angle > farthest ? angle : farthest;
    }
    return farthest;
}

static ember_status lean_code_rotation(lean_encoder *e, uint32_t bone, int32_t parent)
{
    lean_coded  *track = &e->coded[(size_t)bone * LEAN_KINDS + LEAN_KIND_ROTATION];
    const double tau = e->tolerance / e->reach[bone],
                 allowed = LEAN_REST_SHARE * tau * lean_finer(e->finer[bone]);
    double base[4], turn[4], rest[4], mean[4] = {0};
    lean_rig_frame(base, turn, &e->bones[bone]);
    emberi_real_quat_mul(rest, base, turn);
    lean_targets(e, bone, parent);
    for (uint32_t f = 0; f < e->frame_count; f++)
        for (uint32_t k = 0; k < 4; k++)
            mean[k] += e->targets[4 * (size_t)f + k];
    const bool has_mean = emberi_real_quat_normalize(mean);
    if (lean_farthest(e, rest) <= allowed) {
        track->mode = LEAN_REST;
        lean_fill_targets(e, rest);
    } else if (e->frame_count == 1 || (has_mean && lean_farthest(e, mean) <= LEAN_CONSTANT_SHARE * allowed))
        lean_constant_rotation(e, track, mean, tau, e->finer[bone], base, turn);
    else
        EMBERI_TRY(lean_moving_rotation(e, track, tau, e->finer[bone], base, turn));
    lean_store_turns(e, bone, parent);
    return EMBER_OK;
}

/* ---- positions and scales ---- */

typedef struct lean_range {
    double low[3], high[3], farthest; /* from rest */
} lean_range;

/* The track's differences from rest, and how far they go. */
static lean_range lean_differences(lean_encoder *e, uint32_t bone, lean_kind kind)
{
    const float *rest = kind == LEAN_KIND_POSITION ? e->bones[bone].position : e->bones[bone].scale;
    lean_range   range = {{1e300, 1e300, 1e300}, {-1e300, -1e300, -1e300}, 0.0};
    for (uint32_t f = 0; f < e->frame_count; f++) {
        const ember_transform *t = &e->job->frames[(size_t)f * e->bone_count + bone];
        const ember_vec3       v = kind == LEAN_KIND_POSITION ? t->position : t->scale;
        const double           all[3] = {(double)v.x - (double)rest[0], (double)v.y - (double)rest[1],
                                         (double)v.z - (double)rest[2]};
        for (uint32_t k = 0; k < 3; k++) {
            e->values[3 * (size_t)f + k] = all[k];
            range.low[k] = all[k] < range.low[k] ? all[k] : range.low[k];
            range.high[k] = all[k] > range.high[k] ? all[k] : range.high[k];
        }
        const double far = emberi_real_length(all[0], all[1], all[2]);
        range.farthest = far > range.farthest ? far : range.farthest;
    }
    return range;
}

/* `budget` is what the track may be off by. */
static ember_status lean_code_triple(lean_encoder *e, uint32_t bone, lean_kind kind, double budget)
{
    lean_coded      *track = &e->coded[(size_t)bone * LEAN_KINDS + kind];
    const lean_range range = lean_differences(e, bone, kind);
    const double     allowed = LEAN_REST_SHARE * LEAN_CONSTANT_SHARE * budget * lean_finer(e->finer[bone]);
    const int32_t    unit = lean_unit_of(e, kind);
    track->mode = LEAN_REST;
    if (range.farthest <= allowed)
        return EMBER_OK;
    const double half = 0.5 * emberi_real_length(range.high[0] - range.low[0], range.high[1] - range.low[1],
                                                 range.high[2] - range.low[2]);
    if (half > LEAN_CONSTANT_SHARE * allowed && e->frame_count > 1) {
        track->mode = LEAN_MOVES;
        return emberi_lean_code_track(e, track, 3,
                                      emberi_lean_step_for(LEAN_POSITION_SHARE * budget, unit) +
                                          e->finer[bone],
                                      unit);
    }
    track->mode = LEAN_CONSTANT;
    const uint32_t step = emberi_lean_step_for(0.5 * budget, unit) + e->finer[bone];
    track->step = step < LEAN_STEPS ? step : LEAN_STEPS - 1;
    for (uint32_t k = 0; k < 3;) {
        const double key_step = (double)(lean_step(track->step, unit) * LEAN_KEY_STEP);
        track->constant[k] = emberi_lean_round(0.5 * (range.low[k] + range.high[k]) / key_step);
        if (track->constant[k] <= 1 << LEAN_MOST_KEY && track->constant[k] >= -(1 << LEAN_MOST_KEY))
            k++;
        else if (!lean_coarser(track, &k))
            return EMBER_E_RANGE;
    }
    return EMBER_OK;
}

ember_status emberi_lean_code_bone(lean_encoder *e, uint32_t bone)
{
    const int32_t parent = e->job->parents != NULL ? e->job->parents[bone] : EMBER_NO_PARENT;
    EMBERI_TRY(lean_code_rotation(e, bone, parent));
    if (e->dirty[bone] != LEAN_DIRTY)
        return EMBER_OK;
    EMBERI_TRY(lean_code_triple(e, bone, LEAN_KIND_POSITION, e->tolerance / e->gain[bone]));
    /* a scale is felt like a turn, at the bone's own size */
    const float *rest = e->bones[bone].scale;
    double       size = 1e-6;
    for (uint32_t k = 0; k < 3; k++)
        size = emberi_real_abs((double)rest[k]) > size ? emberi_real_abs((double)rest[k]) : size;
    return lean_code_triple(e, bone, LEAN_KIND_SCALE, e->tolerance / e->reach[bone] * size);
}
