/* SPDX-License-Identifier: MIT */
/* Making the rig of lean clips: for each bone the rotation, position and scale that clips most often
   hold, and the axes that it mostly turns about. The caller's numbers may be anything; what is not
   finite is refused. */
#include "squeeze/lean/lean_encode.h"

#define RIG_STILL_ANGLE 5e-4    /* radians that a rotation may move and still count as constant */
#define RIG_SAME_ANGLE 3e-4     /* between constants that count as one */
#define RIG_STILL_DISTANCE 7e-3 /* of the shell; the same for positions */
#define RIG_STILL_SCALE 1e-4
#define RIG_SHARE 0.3      /* of the clips that must agree on a rotation */
#define RIG_CANDIDATES 32u /* constants that are compared with all others */
#define RIG_MOST_UNIT 32

/* One bone's constants: of those clips in which it does not move. */
typedef struct rig_constants {
    double (*values)[4];
    uint32_t count;
} rig_constants;

static const ember_transform *rig_at(const ember_lean_rig_job *job, uint32_t clip, uint32_t frame,
                                     uint32_t bone)
{
    return &job->clips[clip][(size_t)frame * job->bone_count + bone];
}

/* The constant that most others are near to, and how many; 0 if there are none. */
static uint32_t rig_most_common(double out[4], const rig_constants *constants, double near,
                                double (*distance)(const double a[4], const double b[4]))
{
    uint32_t best = 0;
    for (uint32_t i = 0; i < constants->count && i < RIG_CANDIDATES; i++) {
        const uint32_t at =
            (uint32_t)((uint64_t)i * constants->count /
                       (constants->count < RIG_CANDIDATES ? constants->count : RIG_CANDIDATES));
        uint32_t same = 0;
        for (uint32_t j = 0; j < constants->count; j++)
            same += distance(constants->values[at], constants->values[j]) < near ? 1u : 0u;
        if (same > best) {
            best = same;
            emberi_copy(out, constants->values[at], 4 * sizeof(double));
        }
    }
    return best;
}

static double rig_angle(const double a[4], const double b[4])
{
    double apart, together;
    emberi_real_quat_chords(&apart, &together, a, b);
    return 2.0 * emberi_real_sqrt(apart < together ? apart : together);
}

static double rig_distance(const double a[4], const double b[4])
{
    return emberi_real_length(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

/* ---- rotations ---- */

static void rig_add_aligned(double sum[4], const double q[4])
{
    const double sign = emberi_real_quat_dot(sum, q) < 0.0 ? -1.0 : 1.0;
    for (int k = 0; k < 4; k++)
        sum[k] += sign * q[k];
}

/* The mean of all frames, or the constant that many clips share. */
static void rig_rotation(double out[4], const ember_lean_rig_job *job, uint32_t bone,
                         rig_constants *constants)
{
    double mean[4] = {0}, common[4];
    constants->count = 0;
    for (uint32_t c = 0; c < job->clip_count; c++) {
        double first[4], sum[4] = {0}, moved = 0.0;
        for (uint32_t f = 0; f < job->frame_counts[c]; f++) {
            double q[4];
            emberi_lean_rotation(q, rig_at(job, c, f, bone)->rotation);
            if (f == 0)
                emberi_copy(first, q, sizeof(first));
            const double angle = rig_angle(q, first);
            moved = angle > moved ? angle : moved;
            if (emberi_real_quat_dot(q, first) < 0.0)
                for (int k = 0; k < 4; k++)
                    q[k] = -q[k];
            for (int k = 0; k < 4; k++)
                sum[k] += q[k];
        }
        if (job->frame_counts[c] == 0)
            continue;
        if (moved < RIG_STILL_ANGLE)
            emberi_copy(constants->values[constants->count++], first, sizeof(first));
        rig_add_aligned(mean, sum);
    }
    const uint32_t same = rig_most_common(common, constants, RIG_SAME_ANGLE, rig_angle);
    if (same > 0 && (double)same >= RIG_SHARE * (double)job->clip_count)
        emberi_copy(mean, common, sizeof(mean));
    if (emberi_real_quat_normalize(mean))
        emberi_copy(out, mean, sizeof(mean));
}

/* Adds what the steps from frame to frame, seen from `mean`, vary together. */
static void rig_covariance(double out[3][3], const ember_lean_rig_job *job, uint32_t bone,
                           const double mean[4])
{
    const double inverse[4] = {-mean[0], -mean[1], -mean[2], mean[3]};
    for (uint32_t c = 0; c < job->clip_count; c++) {
        double before[3] = {0};
        for (uint32_t f = 0; f < job->frame_counts[c]; f++) {
            double q[4], now[3];
            emberi_lean_rotation(q, rig_at(job, c, f, bone)->rotation);
            emberi_real_quat_mul(q, inverse, q);
            const double sign = q[3] < 0.0 ? -1.0 : 1.0;
            for (int k = 0; k < 3; k++)
                now[k] = sign * q[k] / (1.0 + sign * q[3]);
            for (int i = 0; f != 0 && i < 3; i++)
                for (int j = 0; j < 3; j++)
                    out[i][j] += (now[i] - before[i]) * (now[j] - before[j]);
            emberi_copy(before, now, sizeof(now));
        }
    }
}

/* Turns a symmetric matrix by Jacobi's method until it is diagonal; the columns of `axes` are the turn. */
static void rig_eigenvectors(double axes[3][3], double a[3][3])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            axes[i][j] = i == j ? 1.0 : 0.0;
    for (int sweep = 0; sweep < 30; sweep++)
        for (int i = 0; i < 3; i++) {
            const int p = i == 2 ? 1 : 0, q = i == 0 ? 1 : 2;
            if (emberi_real_abs(a[p][q]) < 1e-18)
                continue;
            const double theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
            const double t = (theta >= 0.0 ? 1.0 : -1.0) /
                             (emberi_real_abs(theta) + emberi_real_sqrt(theta * theta + 1.0));
            const double c = 1.0 / emberi_real_sqrt(t * t + 1.0), s = t * c;
            for (int k = 0; k < 3; k++) {
                const double x = a[k][p], y = a[k][q];
                a[k][p] = c * x - s * y;
                a[k][q] = s * x + c * y;
            }
            for (int k = 0; k < 3; k++) {
                const double x = a[p][k], y = a[q][k], u = axes[k][p], v = axes[k][q];
                a[p][k] = c * x - s * y;
                a[q][k] = s * x + c * y;
                axes[k][p] = c * u - s * v;
                axes[k][q] = s * u + c * v;
            }
        }
}

/* The turn that brings the bone's main axes to x, y and z. */
static void rig_turn(double out[4], const ember_lean_rig_job *job, uint32_t bone, const double mean[4])
{
    double   covariance[3][3] = {{1e-12, 0, 0}, {0, 1e-12, 0}, {0, 0, 1e-12}}, axes[3][3];
    real_mat rows = {{{0}}};
    real_trs trs;
    rig_covariance(covariance, job, bone, mean);
    rig_eigenvectors(axes, covariance);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            rows.m[i][j] = axes[j][i];
    const double sign = emberi_real_mat_det(&rows) < 0.0 ? -1.0 : 1.0;
    for (int j = 0; j < 3; j++)
        rows.m[2][j] *= sign;
    (void)emberi_real_mat_decompose(&trs, &rows, &emberi_real_trs_identity);
    emberi_copy(out, trs.r, sizeof(trs.r));
    if (!emberi_real_quat_normalize(out))
        out[0] = out[1] = out[2] = 0.0, out[3] = 1.0;
}

/* A unit quaternion in three numbers; w is not negative. */
static void rig_put_unit(uint8_t *p, const double q[4])
{
    const double sign = q[3] < 0.0 ? -32767.0 : 32767.0;
    for (uint32_t k = 0; k < 3; k++)
        emberi_put_u16(p + 2 * k, (uint16_t)(int16_t)emberi_lean_round(q[k] * sign));
}

/* ---- positions and scales ---- */

static void rig_triple_of(double out[4], const ember_transform *t, bool scale)
{
    const ember_vec3 v = scale ? t->scale : t->position;
    out[0] = (double)v.x, out[1] = (double)v.y, out[2] = (double)v.z, out[3] = 0.0;
}

/* What most clips hold, or the first frame's. */
static void rig_triple(double out[4], const ember_lean_rig_job *job, uint32_t bone, bool scale,
                       rig_constants *constants)
{
    const double near = scale ? RIG_STILL_SCALE : RIG_STILL_DISTANCE * (double)job->shell;
    bool         any = false;
    constants->count = 0;
    for (uint32_t c = 0; c < job->clip_count; c++) {
        double first[4], value[4], moved = 0.0;
        for (uint32_t f = 0; f < job->frame_counts[c]; f++) {
            rig_triple_of(value, rig_at(job, c, f, bone), scale);
            if (f == 0)
                emberi_copy(first, value, sizeof(first));
            const double distance = rig_distance(value, first);
            moved = distance > moved ? distance : moved;
        }
        if (job->frame_counts[c] == 0)
            continue;
        if (!any)
            emberi_copy(out, first, sizeof(first));
        any = true;
        if (moved < near)
            emberi_copy(constants->values[constants->count++], first, sizeof(first));
    }
    (void)rig_most_common(out, constants, 0.5 * near, rig_distance);
}

/* ---- the rig ---- */

static ember_status rig_check(const ember_lean_rig_job *job, ember_error *err)
{
    uint64_t frames = 0;
    if (job->out == NULL || job->bone_count == 0 || job->bone_count > EMBER_MAX_BONES ||
        (job->clip_count != 0 && (job->clips == NULL || job->frame_counts == NULL)) ||
        !(job->shell >= 0.0f) || !emberi_is_finite(job->shell) ||
        job->out_capacity < ember_lean_rig_bound(job->bone_count))
        return ember_fail(err, EMBER_E_ARG, EMBER_NO_OFFSET, "the job for a lean rig breaks a rule");
    for (uint32_t c = 0; c < job->clip_count; c++) {
        const size_t count = (size_t)job->frame_counts[c] * job->bone_count;
        frames += job->frame_counts[c];
        for (size_t i = 0; i < count; i++)
            if (!emberi_lean_transform_sound(&job->clips[c][i])) {
                const bool first = err != NULL && err->status == EMBER_OK;
                (void)ember_fail(err, EMBER_E_RANGE, EMBER_NO_OFFSET, "a number is not finite or too large");
                if (first) {
                    err->clip = (int32_t)c;
                    err->bone = (int32_t)(i % job->bone_count);
                    err->frame = (int32_t)(i / job->bone_count);
                }
                return EMBER_E_RANGE;
            }
    }
    if (frames == 0 && job->rest == NULL)
        return ember_fail(err, EMBER_E_ARG, EMBER_NO_OFFSET, "a lean rig needs a frame or a rest pose");
    for (uint32_t bone = 0; job->rest != NULL && bone < job->bone_count; bone++)
        if (!emberi_lean_transform_sound(&job->rest[bone]))
            return ember_fail(err, EMBER_E_RANGE, EMBER_NO_OFFSET, "the rest pose has an invalid number");
    return EMBER_OK;
}

/* The power of two that the farthest position stays below. */
static int32_t rig_unit(const ember_lean_rig_job *job)
{
    float   farthest = 0.0f;
    int32_t unit = -RIG_MOST_UNIT;
    for (uint32_t c = 0; c < job->clip_count; c++)
        for (size_t i = 0; i < (size_t)job->frame_counts[c] * job->bone_count; i++) {
            const ember_vec3 p = job->clips[c][i].position;
            farthest = emberi_max(emberi_abs(p.x),
                                  emberi_max(emberi_abs(p.y), emberi_max(emberi_abs(p.z), farthest)));
        }
    while (unit < RIG_MOST_UNIT && emberi_float_of((uint32_t)(127 + unit) << 23) < farthest)
        unit++;
    return farthest == 0.0f ? 0 : unit;
}

size_t ember_lean_rig_bound(uint32_t bone_count)
{
    return LEAN_RIG_HEADER + (size_t)bone_count * (LEAN_RIG_BONE + 12u);
}

static void rig_put_float(uint8_t *p, double value) { emberi_put_u32(p, emberi_bits_of((float)value)); }

/* A bone with its scale; the scales are taken out again if none is needed. */
static void rig_put_bone(uint8_t *p, const ember_lean_rig_job *job, uint32_t bone, rig_constants *constants)
{
    const ember_transform rest =
        job->rest != NULL ? job->rest[bone] : (ember_transform)EMBER_TRANSFORM_IDENTITY;
    double mean[4], turn[4], inverse[4], position[4], scale[4];
    emberi_lean_rotation(mean, rest.rotation);
    rig_triple_of(position, &rest, false);
    rig_triple_of(scale, &rest, true);
    rig_rotation(mean, job, bone, constants);
    rig_triple(position, job, bone, false, constants);
    rig_triple(scale, job, bone, true, constants);
    rig_turn(turn, job, bone, mean);
    rig_put_unit(p + 6, turn);
    const double sign = turn[3] < 0.0 ? -1.0 : 1.0;
    for (int k = 0; k < 4; k++)
        inverse[k] = (k == 3 ? sign : -sign) * turn[k];
    emberi_real_quat_mul(inverse, mean, inverse);
    rig_put_unit(p, inverse);
    for (uint32_t k = 0; k < 3; k++) {
        rig_put_float(p + 12 + 4 * k, position[k]);
        rig_put_float(p + 24 + 4 * k, scale[k]);
    }
}

ember_status ember_lean_rig_make(ember_lean_rig_job *job, ember_arena *scratch, ember_error *err)
{
    job->out_size = 0;
    EMBERI_TRY(rig_check(job, err));
    const ember_arena_mark mark = ember_arena_save(scratch);
    rig_constants          constants = {ember_arena_push(scratch, job->clip_count, 4 * sizeof(double),
                                                         _Alignof(double)),
                                        0};
    const size_t           whole = LEAN_RIG_BONE + 12u;
    uint8_t               *bones = job->out + LEAN_RIG_HEADER;
    bool                   scales = false;
    if (constants.values == NULL)
        return ember_fail(err, EMBER_E_NOMEM, EMBER_NO_OFFSET, "out of memory");
    for (uint32_t bone = 0; bone < job->bone_count; bone++) {
        uint8_t *p = bones + whole * bone;
        rig_put_bone(p, job, bone, &constants);
        for (uint32_t k = 0; k < 3; k++)
            scales = scales || emberi_float_of(emberi_get_u32(p + LEAN_RIG_BONE + 4 * k)) != 1.0f;
    }
    for (uint32_t bone = 1; !scales && bone < job->bone_count; bone++)
        emberi_move(bones + (size_t)LEAN_RIG_BONE * bone, bones + whole * bone, LEAN_RIG_BONE);
    ember_arena_restore(scratch, mark);
    emberi_fill(job->out, 0, LEAN_RIG_HEADER);
    job->out[0] = LEAN_VERSION;
    job->out[1] = (uint8_t)job->bone_count;
    job->out[2] = scales ? 1 : 0;
    job->out[3] = (uint8_t)(int8_t)rig_unit(job);
    rig_put_float(job->out + 4, (double)job->shell);
    job->out_size = LEAN_RIG_HEADER + job->bone_count * (scales ? whole : LEAN_RIG_BONE);
    return EMBER_OK;
}
