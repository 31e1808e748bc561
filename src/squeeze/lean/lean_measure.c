/* SPDX-License-Identifier: MIT */
/* The error of a lean clip: what was written is opened and decoded by the functions that everyone uses, and
   compared with the source in double precision. */
#include "squeeze/lean/lean_encode.h"

void emberi_lean_rotation(double out[4], ember_quat q)
{
    emberi_real_quat_from(out, q);
    if (!emberi_real_quat_normalize(out))
        out[0] = out[1] = out[2] = 0.0, out[3] = 1.0;
}

void emberi_lean_place_bones(real_mat *out, const ember_transform *pose, const int16_t *parents,
                             uint32_t bone_count)
{
    for (uint32_t bone = 0; bone < bone_count; bone++) {
        real_trs trs = emberi_real_trs_from(&pose[bone]);
        emberi_lean_rotation(trs.r, pose[bone].rotation);
        const real_mat local = emberi_real_mat_from_trs(&trs);
        const int32_t  parent = parents != NULL ? parents[bone] : EMBER_NO_PARENT;
        out[bone] = parent < 0 ? local : emberi_real_mat_mul(&out[parent], &local);
    }
}

/* The largest distance, squared, of the bone and of the three points around it. */
static double lean_bone_error(const real_mat *source, const real_mat *decoded, double shell)
{
    double offset[3], worst = 0.0;
    for (int row = 0; row < 3; row++) {
        offset[row] = decoded->m[row][3] - source->m[row][3];
        worst += offset[row] * offset[row];
    }
    for (int axis = 0; axis < 3; axis++) {
        const double length = emberi_real_length(source->m[0][axis], source->m[1][axis], source->m[2][axis]);
        double       sum = 0.0;
        if (!(length > 0.0))
            continue;
        for (int row = 0; row < 3; row++) {
            const double d = offset[row] + (decoded->m[row][axis] - source->m[row][axis]) * (shell / length);
            sum += d * d;
        }
        worst = sum > worst ? sum : worst;
    }
    return worst;
}

static void lean_measure_frame(lean_measure *out, const lean_encoder *e, uint32_t frame, real_mat *source,
                               real_mat *decoded, const ember_transform *pose)
{
    emberi_lean_place_bones(source, e->job->frames + (size_t)frame * e->bone_count, e->job->parents,
                            e->bone_count);
    emberi_lean_place_bones(decoded, pose, e->job->parents, e->bone_count);
    for (uint32_t bone = 0; bone < e->bone_count; bone++) {
        const double error = lean_bone_error(&source[bone], &decoded[bone], (double)e->job->rig->shell);
        /* what is not a number is worse than all */
        if (!(error <= out->by_bone[bone]))
            out->by_bone[bone] = error;
        if (!(error <= out->worst)) {
            out->worst = error;
            out->worst_bone = bone;
            out->worst_frame = frame;
        }
    }
}

ember_status emberi_lean_measure(lean_measure *out, const lean_encoder *e)
{
    const ember_arena_mark mark = ember_arena_save(e->arena);
    const size_t           size = ember_lean_open_size(e->job->out, e->job->out_size, e->job->rig);
    uint8_t               *memory = ember_arena_push(e->arena, size, 1, 32);
    real_mat              *source = EMBER_PUSH(e->arena, real_mat, e->bone_count);
    real_mat              *decoded = EMBER_PUSH(e->arena, real_mat, e->bone_count);
    ember_transform       *pose = EMBER_PUSH(e->arena, ember_transform, e->bone_count);
    ember_lean_clip        clip = {0};
    ember_status           status = EMBER_E_NOMEM;
    out->worst = 0.0;
    out->worst_bone = out->worst_frame = 0;
    if (memory != NULL && source != NULL && decoded != NULL && pose != NULL)
        status = emberi_lean_open_with(&clip, e->job->out, e->job->out_size, e->job->rig, memory, size,
                                       e->templates, NULL);
    for (uint32_t bone = 0; bone < e->bone_count; bone++)
        out->by_bone[bone] = 0.0;
    for (uint32_t f = 0; f < e->frame_count && status == EMBER_OK; f++) {
        status = ember_lean_sample(pose, e->bone_count, &clip, f, 0);
        if (status == EMBER_OK)
            lean_measure_frame(out, e, f, source, decoded, pose);
    }
    out->worst = emberi_real_sqrt(out->worst);
    for (uint32_t bone = 0; bone < e->bone_count; bone++)
        out->by_bone[bone] = emberi_real_sqrt(out->by_bone[bone]);
    ember_arena_restore(e->arena, mark);
    return status;
}

/* ---- the number in the clip ---- */

static double lean_error_double(uint32_t stored) { return (double)lean_error_value(stored); }

uint32_t emberi_lean_error_down(double error)
{
    uint32_t low = 0, high = UINT16_MAX;
    while (low < high) {
        const uint32_t middle = (low + high + 1) / 2;
        if (lean_error_double(middle) <= error)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

uint32_t emberi_lean_error_up(double error)
{
    const uint32_t down = emberi_lean_error_down(error);
    return lean_error_double(down) < error && down < UINT16_MAX ? down + 1 : down;
}
