/* SPDX-License-Identifier: MIT */
/* Reading rigs of lean clips. Every byte of a rig is checked when it is opened; all that is computed from it
   is finite. */
#include "squeeze/lean/lean_parts.h"

#define LEAN_MOST_UNIT 32

static bool lean_rig_scales(const uint8_t *data) { return (data[2] & 1u) != 0; }

static size_t lean_rig_stride(const uint8_t *data)
{
    return LEAN_RIG_BONE + (lean_rig_scales(data) ? 12u : 0u);
}

/* Three components in 32767ths; w completes the length. It comes from whole numbers, as near 0 nothing would
   be left of a difference of floats. */
static void lean_unit(float out[4], const uint8_t *p)
{
    int64_t left = 32767 * 32767;
    float   q[4];
    for (uint32_t k = 0; k < 3; k++) {
        const int32_t number = (int16_t)emberi_get_u16(p + 2 * k);
        left -= number * number;
        q[k] = (float)number / 32767.0f;
    }
    q[3] = left > 0 ? emberi_sqrt((float)left) / 32767.0f : 0.0f;
    const float n = 1.0f / emberi_sqrt(((q[0] * q[0] + q[1] * q[1]) + q[2] * q[2]) + q[3] * q[3]);
    for (uint32_t k = 0; k < 4; k++)
        out[k] = q[k] * n;
}

static float lean_float(const uint8_t *p) { return emberi_float_of(emberi_get_u32(p)); }

void emberi_lean_bone(lean_bone *out, const ember_lean_rig *rig, uint32_t bone)
{
    const uint8_t *p = rig->data + LEAN_RIG_HEADER + bone * lean_rig_stride(rig->data);
    lean_unit(out->base, p);
    lean_unit(out->turn, p + 6);
    for (uint32_t k = 0; k < 3; k++) {
        out->position[k] = lean_float(p + 12 + 4 * k);
        out->scale[k] = lean_rig_scales(rig->data) ? lean_float(p + 24 + 4 * k) : 1.0f;
    }
}

static bool lean_rig_bone_sound(const uint8_t *p, size_t stride)
{
    for (size_t at = 0; at < 12; at += 2)
        if (emberi_get_u16(p + at) == 0x8000u)
            return false;
    for (size_t at = 12; at < stride; at += 4)
        if (!emberi_is_finite(lean_float(p + at)))
            return false;
    return true;
}

ember_status ember_lean_rig_open(ember_lean_rig *out, const void *data, size_t size, ember_error *err)
{
    const uint8_t *p = data;
    if (out == NULL || (p == NULL && size != 0))
        return ember_fail(err, EMBER_E_ARG, EMBER_NO_OFFSET, "no rig given");
    if (size < LEAN_RIG_HEADER)
        return ember_fail(err, EMBER_E_TRUNCATED, size, "the lean rig ends inside its header");
    if (p[0] != LEAN_VERSION)
        return ember_fail(err, EMBER_E_VERSION, 0, "unknown version of a lean rig");
    const ember_lean_rig rig = {.data = p,
                                .size = size,
                                .bone_count = p[1],
                                .shell = lean_float(p + 4),
                                .unit = (int32_t)(int8_t)p[3]};
    if (rig.bone_count == 0 || p[2] > 1 || rig.unit < -LEAN_MOST_UNIT || rig.unit > LEAN_MOST_UNIT)
        return ember_fail(err, EMBER_E_MALFORMED, 1, "the header of the lean rig is invalid");
    if (!(rig.shell >= 0.0f && emberi_is_finite(rig.shell)) || emberi_bits_of(rig.shell) == 0x80000000u)
        return ember_fail(err, EMBER_E_MALFORMED, 4, "the shell of the lean rig is invalid");
    const size_t stride = lean_rig_stride(p), whole = LEAN_RIG_HEADER + stride * rig.bone_count;
    if (size != whole)
        return ember_fail(err, size < whole ? EMBER_E_TRUNCATED : EMBER_E_MALFORMED,
                          size < whole ? size : whole, "the lean rig has the wrong size");
    for (uint32_t bone = 0; bone < rig.bone_count; bone++) {
        const size_t at = LEAN_RIG_HEADER + stride * bone;
        if (!lean_rig_bone_sound(p + at, stride))
            return ember_fail(err, EMBER_E_MALFORMED, at, "a bone of the lean rig has an invalid number");
    }
    *out = rig;
    return EMBER_OK;
}
