/* SPDX-License-Identifier: MIT */
/* One bone of one frame in the six records of the keyframe formats, little-endian. Encoding refuses what a
   record cannot hold and writes nothing then; any bytes decode. */
#include "base/bytes.h"
#include "base/maths.h"
#include "codec/quat32.h"

#define RECORD_LARGEST 20u

size_t ember_record_size(ember_record record)
{
    static const uint8_t sizes[EMBER_RECORD_COUNT] = {16, 12, 10, 8, 20, 16};
    return (unsigned)record < EMBER_RECORD_COUNT ? sizes[record] : 0;
}

static bool record_put_half(uint8_t *p, float value)
{
    uint16_t half = ember_f16_from_f32(value);
    emberi_put_u16(p, half);
    return (half & 0x7c00u) != 0x7c00u;
}

static bool record_put_float(uint8_t *p, float value)
{
    emberi_put_u32(p, emberi_bits_of(value));
    return emberi_is_finite(value);
}

static bool record_put_halves(uint8_t *p, ember_vec3 v)
{
    return record_put_half(p, v.x) && record_put_half(p + 2, v.y) && record_put_half(p + 4, v.z);
}

/* In double, so that three equal scales have exactly themselves as mean. */
static float record_mean(ember_vec3 v) { return (float)((((double)v.x + (double)v.y) + (double)v.z) / 3.0); }

ember_status ember_record_encode(uint8_t *out, ember_record record, const ember_transform *transform)
{
    uint8_t    bytes[RECORD_LARGEST];
    uint32_t   rotation;
    ember_vec3 position = transform->position;
    bool       fits = false;

    size_t size = ember_record_size(record);
    if (size == 0)
        return EMBER_E_ARG;
    ember_status status =
        emberi_quat32_encode_again(&rotation, transform->rotation, emberi_record_is_draft(record));
    if (status != EMBER_OK)
        return status;
    emberi_put_u32(bytes, rotation);
    switch (record) {
    case EMBER_RECORD_EWZ:
    case EMBER_RECORD_C:
        fits = record_put_halves(bytes + 4, position) && record_put_halves(bytes + 10, transform->scale);
        break;
    case EMBER_RECORD_A:
        fits = record_put_halves(bytes + 4, position) &&
               record_put_half(bytes + 10, record_mean(transform->scale));
        break;
    case EMBER_RECORD_B:
        fits = record_put_halves(bytes + 4, position);
        break;
    case EMBER_RECORD_D:
        fits = record_put_half(bytes + 4, position.x) && record_put_half(bytes + 6, position.y);
        break;
    default: /* E */
        fits = record_put_float(bytes + 4, position.x) && record_put_float(bytes + 8, position.y) &&
               record_put_float(bytes + 12, position.z) &&
               record_put_float(bytes + 16, record_mean(transform->scale));
        break;
    }
    if (!fits)
        return EMBER_E_RANGE;
    emberi_copy(out, bytes, size);
    return EMBER_OK;
}

static float record_get_half(const uint8_t *p) { return ember_f32_from_f16(emberi_get_u16(p)); }

static float record_get_float(const uint8_t *p) { return emberi_float_of(emberi_get_u32(p)); }

static ember_vec3 record_get_halves(const uint8_t *p)
{
    return (ember_vec3){record_get_half(p), record_get_half(p + 2), record_get_half(p + 4)};
}

/* A bone keeps its rest length, so x and y tell how long z is; in double, as the difference may be small. */
static float record_missing_z(float x, float y, const ember_vec3 *rest)
{
    if (rest == NULL)
        return 0.0f;
    double rx = (double)rest->x, ry = (double)rest->y, rz = (double)rest->z, dx = (double)x, dy = (double)y;
    double squared = ((rx * rx + ry * ry) + rz * rz) - (dx * dx + dy * dy);
    if (!(squared > 0.0))
        return 0.0f;
    float z = (float)__builtin_sqrt(squared);
    return rest->z < 0.0f ? -z : z;
}

ember_transform ember_record_decode(const uint8_t *data, ember_record record, const ember_vec3 *rest)
{
    ember_transform t = EMBER_TRANSFORM_IDENTITY;
    if (ember_record_size(record) == 0)
        return t;
    t.rotation = emberi_quat32_decode(emberi_get_u32(data), emberi_record_is_draft(record));
    switch (record) {
    case EMBER_RECORD_EWZ:
    case EMBER_RECORD_C:
        t.position = record_get_halves(data + 4);
        t.scale = record_get_halves(data + 10);
        break;
    case EMBER_RECORD_A:
        t.position = record_get_halves(data + 4);
        t.scale.x = t.scale.y = t.scale.z = record_get_half(data + 10);
        break;
    case EMBER_RECORD_B:
        t.position = record_get_halves(data + 4);
        break;
    case EMBER_RECORD_D:
        t.position.x = record_get_half(data + 4);
        t.position.y = record_get_half(data + 6);
        t.position.z = record_missing_z(t.position.x, t.position.y, rest);
        break;
    default: /* E */
        t.position =
            (ember_vec3){record_get_float(data + 4), record_get_float(data + 8), record_get_float(data + 12)};
        t.scale.x = t.scale.y = t.scale.z = record_get_float(data + 16);
        break;
    }
    return t;
}
