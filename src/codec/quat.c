/* SPDX-License-Identifier: MIT */
/* Rotations as the three smallest components of a unit quaternion, in 32 and in 48 bits. Zero and numbers
   that are not finite are refused when encoding; any bits decode to finite numbers. */
#include "base/bytes.h"
#include "base/maths.h"
#include "codec/quat32.h"
#include "ember/codec.h"

/* The arithmetic is part of the format: all in float, in this order, so that the lane kernels can give the
   same bits. */
#define QUAT_SQRT2 1.41421356237309505f
#define QUAT_SQRT_HALF 0.70710678118654752f
#define QUAT32_HALF 511.5f
#define QUAT32_DRAFT_STEPS 511.0f /* of the draft, on either side of its bias */
#define QUAT32_DRAFT_BIAS 512
#define QUAT48_HALF 16383.5f

/* A squared length that is off 1 by more than this is normalised. The 32-bit form leaves rounding errors of
   others alone, as its specification has no normalising; the 48-bit form would notice them. */
#define QUAT32_TOLERANCE 1e-4
#define QUAT48_TOLERANCE 0.0

/* Which components are stored, by the index of the largest. */
static const uint8_t quat_stored[4][3] = {{1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}};

/* -1/sqrt2..1/sqrt2 to 0..2*half; half away from zero, beyond the ends the ends; NaN gives 0. */
static uint32_t quat_quantize(float v, float half)
{
    float scaled = (v * QUAT_SQRT2 + 1.0f) * half;
    float top = half + half;
    if (!(scaled > 0.0f))
        return 0;
    if (scaled >= top)
        return (uint32_t)top;
    /* scaled + 0.5f would round up what lies just below a half. */
    int32_t whole = (int32_t)scaled;
    return (uint32_t)whole + (scaled - (float)whole >= 0.5f ? 1u : 0u);
}

static float quat_expand(uint32_t code, float step)
{
    return ((float)(int32_t)code * step - 1.0f) * QUAT_SQRT_HALF;
}

/* One way of storing a component: v2's, the draft's and that of the 48-bit form. */
typedef struct quat_form {
    uint32_t (*code)(float value);
    float (*value)(uint32_t code);
    bool draft; /* the squares are added up before they are taken from 1 */
} quat_form;

static uint32_t quat32_code(float v) { return quat_quantize(v, QUAT32_HALF); }
static float    quat32_value(uint32_t code) { return quat_expand(code, 1.0f / QUAT32_HALF); }
static uint32_t quat48_code(float v) { return quat_quantize(v, QUAT48_HALF); }
static float    quat48_value(uint32_t code) { return quat_expand(code, 1.0f / QUAT48_HALF); }

/* -1/sqrt2..1/sqrt2 to 1..1023, half away from zero, beyond the ends the ends; NaN gives the bias. */
static uint32_t quat32_draft_code(float v)
{
    float   scaled = v * (QUAT32_DRAFT_STEPS / QUAT_SQRT_HALF);
    float   size = emberi_min(emberi_abs(scaled), QUAT32_DRAFT_STEPS);
    int32_t whole = size >= 0.0f ? (int32_t)size : 0;
    whole += size - (float)whole >= 0.5f ? 1 : 0;
    return (uint32_t)(QUAT32_DRAFT_BIAS + (scaled < 0.0f ? -whole : whole));
}

static float quat32_draft_value(uint32_t code)
{
    return (float)((int32_t)code - QUAT32_DRAFT_BIAS) * (QUAT_SQRT_HALF / QUAT32_DRAFT_STEPS);
}

static const quat_form quat32_form = {quat32_code, quat32_value, false};
static const quat_form quat32_draft_form = {quat32_draft_code, quat32_draft_value, true};
static const quat_form quat48_form = {quat48_code, quat48_value, false};

/* The strict comparisons of the specification: of equal ones the later is the largest. */
static unsigned quat_largest(const float v[4])
{
    float x = emberi_abs(v[0]), y = emberi_abs(v[1]), z = emberi_abs(v[2]), w = emberi_abs(v[3]);
    if (x > y && x > z && x > w)
        return 0;
    if (y > z && y > w)
        return 1;
    return z > w ? 2 : 3;
}

/* Unit length in double, where no finite float overflows or vanishes; false for zero and what
   is not finite. */
static bool quat_unit(float v[4], ember_quat q, double tolerance)
{
    double x = (double)q.x, y = (double)q.y, z = (double)q.z, w = (double)q.w;
    double squared = (x * x + y * y) + (z * z + w * w);
    if (!(squared > 0.0 && squared < 1e80))
        return false;
    double off = squared - 1.0;
    double factor = off > tolerance || off < -tolerance ? 1.0 / __builtin_sqrt(squared) : 1.0;
    v[0] = (float)(x * factor);
    v[1] = (float)(y * factor);
    v[2] = (float)(z * factor);
    v[3] = (float)(w * factor);
    return true;
}

/* The three codes and the index; the quaternion is turned to the sign that makes the largest positive. */
static unsigned quat_pick(uint32_t codes[3], const float v[4], const quat_form *form)
{
    unsigned index = quat_largest(v);
    float    sign = v[index] < 0.0f ? -1.0f : 1.0f;
    for (int i = 0; i < 3; i++)
        codes[i] = form->code(v[quat_stored[index][i]] * sign);
    return index;
}

static ember_quat quat_rebuild(const uint32_t codes[3], unsigned index, const quat_form *form)
{
    float a = form->value(codes[0]), b = form->value(codes[1]), c = form->value(codes[2]);
    float left = form->draft ? 1.0f - ((a * a + b * b) + c * c) : ((1.0f - a * a) - b * b) - c * c;
    float largest = emberi_sqrt(emberi_max(left, 0.0f));
    switch (index) {
    case 0:
        return (ember_quat){largest, a, b, c};
    case 1:
        return (ember_quat){a, largest, b, c};
    case 2:
        return (ember_quat){a, b, largest, c};
    default:
        return (ember_quat){a, b, c, largest};
    }
}

/* ---- 32 bits ---- */

static uint32_t quat32_pack(const uint32_t codes[3], unsigned index)
{
    return codes[0] << 22 | codes[1] << 12 | codes[2] << 2 | (uint32_t)index;
}

static const quat_form *quat32_form_of(bool draft) { return draft ? &quat32_draft_form : &quat32_form; }

ember_status emberi_quat32_encode(uint32_t *out, ember_quat q, bool draft)
{
    float    v[4];
    uint32_t codes[3];
    if (!quat_unit(v, q, QUAT32_TOLERANCE))
        return EMBER_E_RANGE;
    unsigned index = quat_pick(codes, v, quat32_form_of(draft));
    *out = quat32_pack(codes, index);
    return EMBER_OK;
}

ember_quat emberi_quat32_decode(uint32_t packed, bool draft)
{
    uint32_t codes[3];
    emberi_quat32_codes(codes, packed);
    return quat_rebuild(codes, packed & 3u, quat32_form_of(draft));
}

static bool quat_same_bits(ember_quat a, ember_quat b)
{
    return emberi_bits_of(a.x) == emberi_bits_of(b.x) && emberi_bits_of(a.y) == emberi_bits_of(b.y) &&
           emberi_bits_of(a.z) == emberi_bits_of(b.z) && emberi_bits_of(a.w) == emberi_bits_of(b.w);
}

ember_status emberi_quat32_encode_again(uint32_t *out, ember_quat q, bool draft)
{
    const quat_form *form = quat32_form_of(draft);
    const float      v[4] = {q.x, q.y, q.z, q.w};
    uint32_t         codes[4];
    unsigned         on_grid = 0; /* one bit per component that is exactly what some code decodes to */
    for (unsigned i = 0; i < 4; i++) {
        codes[i] = form->code(v[i]);
        /* The draft's encoder never gives its lowest code, but files may hold it. */
        if (draft && emberi_bits_of(form->value(0)) == emberi_bits_of(v[i]))
            codes[i] = 0;
        if (emberi_bits_of(form->value(codes[i])) == emberi_bits_of(v[i]))
            on_grid |= 1u << i;
    }
    /* More than one index can lead to the same floats: the one that the formula would take goes first, then
       the later ones. */
    unsigned first = quat_largest(v);
    for (unsigned tried = 0; tried < 5; tried++) {
        unsigned       index = tried == 0 ? first : 4u - tried;
        const uint8_t *stored = quat_stored[index];
        if ((on_grid | 1u << index) != 0xfu)
            continue;
        const uint32_t chosen[3] = {codes[stored[0]], codes[stored[1]], codes[stored[2]]};
        uint32_t       packed = quat32_pack(chosen, index);
        if (quat_same_bits(emberi_quat32_decode(packed, draft), q)) {
            *out = packed;
            return EMBER_OK;
        }
    }
    return emberi_quat32_encode(out, q, draft);
}

/* How far apart two rotations are, as 1 less the squared cosine of half the angle: enough to compare, and in
   double, as the differences are small. b need not be of unit length. */
static double quat_apart(const float a[4], ember_quat b)
{
    double x = (double)b.x, y = (double)b.y, z = (double)b.z, w = (double)b.w;
    double along = ((double)a[0] * x + (double)a[1] * y) + ((double)a[2] * z + (double)a[3] * w);
    double aa = ((double)a[0] * (double)a[0] + (double)a[1] * (double)a[1]) +
                ((double)a[2] * (double)a[2] + (double)a[3] * (double)a[3]);
    return 1.0 - along * along / (aa * ((x * x + y * y) + (z * z + w * w)));
}

ember_status emberi_quat32_encode_nearest(uint32_t *out, ember_quat q, bool draft)
{
    const quat_form *form = quat32_form_of(draft);
    float            v[4];
    uint32_t         codes[3], best;
    if (!quat_unit(v, q, QUAT32_TOLERANCE))
        return EMBER_E_RANGE;
    unsigned index = quat_pick(codes, v, form);
    best = quat32_pack(codes, index);
    double least = quat_apart(v, emberi_quat32_decode(best, draft));

    /* Of each component, the neighbour on the other side of its exact value. */
    float    sign = v[index] < 0.0f ? -1.0f : 1.0f;
    uint32_t other[3];
    for (int i = 0; i < 3; i++) {
        float exact = v[quat_stored[index][i]] * sign;
        bool  below = form->value(codes[i]) < exact;
        other[i] = below ? (codes[i] < 1023u ? codes[i] + 1u : codes[i])
                         : (codes[i] > 0u ? codes[i] - 1u : codes[i]);
    }
    for (unsigned choice = 1; choice < 8; choice++) {
        const uint32_t tried[3] = {(choice & 1u) != 0 ? other[0] : codes[0],
                                   (choice & 2u) != 0 ? other[1] : codes[1],
                                   (choice & 4u) != 0 ? other[2] : codes[2]};
        uint32_t packed = quat32_pack(tried, index);
        double   apart = quat_apart(v, emberi_quat32_decode(packed, draft));
        if (apart < least) {
            least = apart;
            best = packed;
        }
    }
    *out = best;
    return EMBER_OK;
}

/* ---- v2's and the draft's ---- */

ember_status ember_quat32_encode(uint32_t *out, ember_quat q) { return emberi_quat32_encode(out, q, false); }

ember_quat ember_quat32_decode(uint32_t packed) { return emberi_quat32_decode(packed, false); }

ember_status ember_quat32_encode_again(uint32_t *out, ember_quat q)
{
    return emberi_quat32_encode_again(out, q, false);
}

ember_status ember_quat32_encode_nearest(uint32_t *out, ember_quat q)
{
    return emberi_quat32_encode_nearest(out, q, false);
}

ember_status ember_quat32_draft_encode(uint32_t *out, ember_quat q)
{
    return emberi_quat32_encode(out, q, true);
}

ember_quat ember_quat32_draft_decode(uint32_t packed) { return emberi_quat32_decode(packed, true); }

/* ---- 48 bits ---- */

ember_status ember_quat48_encode(uint16_t out[3], ember_quat q)
{
    float    v[4];
    uint32_t codes[3];
    if (!quat_unit(v, q, QUAT48_TOLERANCE))
        return EMBER_E_RANGE;
    unsigned index = quat_pick(codes, v, &quat48_form);
    out[0] = (uint16_t)(codes[0] | (index & 1u) << 15);
    out[1] = (uint16_t)(codes[1] | (index & 2u) << 14);
    out[2] = (uint16_t)codes[2];
    return EMBER_OK;
}

ember_quat ember_quat48_decode(const uint16_t packed[3])
{
    const uint32_t codes[3] = {packed[0] & 0x7fffu, packed[1] & 0x7fffu, packed[2] & 0x7fffu};
    unsigned       index = (unsigned)(packed[0] >> 15) | (unsigned)(packed[1] >> 15) << 1;
    return quat_rebuild(codes, index, &quat48_form);
}
