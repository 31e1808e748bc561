/* SPDX-License-Identifier: MIT */
/* How one value is stored: half floats, smallest-three quaternions, FP12 fixed point, and the records of the
   keyframe formats. Every function takes any bit pattern; nothing allocates. */
#ifndef EMBER_CODEC_H
#define EMBER_CODEC_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- half floats: IEEE 754 binary16 ---- */

/* Rounds to nearest, ties to even; values from 65520 on become infinity, tiny ones denormals or zero with
   their sign. NaN stays NaN: quiet, with the upper bits of its payload. */
EMBER_API uint16_t ember_f16_from_f32(float value);

/* Exact. A signalling NaN becomes quiet, its payload stays. */
EMBER_API float ember_f32_from_f16(uint16_t half);

/* ---- rotations: the three smallest components ---- */

/* 32 bits [a:10][b:10][c:10][index:2] by v2's test-case formula: round((v*sqrt2 + 1)*511.5), half away from
   zero; ties for the largest go to the later component. A quaternion whose squared length is off 1 by more
   than 1e-4 is normalised first. On average 0.084 degrees off, never more than 0.275. Zero or not finite:
   EMBER_E_RANGE, and *out is not touched. */
EMBER_API ember_status ember_quat32_encode(uint32_t *out, ember_quat q);

/* (v/511.5 - 1)/sqrt2 for the three, sqrt(max(0, 1 - aa - bb - cc)) for the largest. Any bits decode to
   finite numbers, but only those an encoder writes to a unit quaternion. */
EMBER_API ember_quat ember_quat32_decode(uint32_t packed);

/* The code whose decoding is exactly `q`, bit for bit, if there is one; otherwise as ember_quat32_encode. So
   what was decoded once is stored again as it was, which the plain formula does not promise near ties. */
EMBER_API ember_status ember_quat32_encode_again(uint32_t *out, ember_quat q);

/* The code whose rotation is nearest to q's, among those that round each component up or down: 0.16
   degrees off at the most. Often the formula's code, but not where the rounding of the three would add up
   in the fourth. For writers whose readers only decode; what the formula would store is
   ember_quat32_encode's business. */
EMBER_API ember_status ember_quat32_encode_nearest(uint32_t *out, ember_quat q);

/* The draft's own formula over the same bits, which .eza files have: round(v*511*sqrt2) clamped to -511..511,
   and 512; decoded as the draft does it. Identity is exact; at most 0.275 degrees off. */
EMBER_API ember_status ember_quat32_draft_encode(uint32_t *out, ember_quat q);
EMBER_API ember_quat   ember_quat32_draft_decode(uint32_t packed);

/* The draft's 48-bit form: 16 bits a component at 0, 16 and 32, each round((v*sqrt2 + 1)*16383.5) in 15 bits;
   bit 15 of the first and of the second are the index's low and high bit. Always normalised first. At most
   0.0086 degrees off. */
EMBER_API ember_status ember_quat48_encode(uint16_t out[3], ember_quat q);
EMBER_API ember_quat   ember_quat48_decode(const uint16_t packed[3]);

/* ---- FP12: fixed point with 12 fractional bits, the PlayStation's ---- */

typedef enum ember_rounding {
    EMBER_ROUND_NEAREST = 0, /* half away from zero */
    EMBER_ROUND_TRUNCATE     /* towards zero, as ANIMBIN's home writer does */
} ember_rounding;

/* Clamped to the type's range; NaN gives 0. */
EMBER_API int16_t ember_fp12_s16_from_f32(float value, ember_rounding rounding);
EMBER_API int32_t ember_fp12_s32_from_f32(float value, ember_rounding rounding);
/* exact up to 24 significant bits, else rounded to nearest */
EMBER_API float   ember_f32_from_fp12(int32_t fixed);

/* ---- keyframe records: one bone of one frame ---- */

#define EMBER_KEYFRAME_SIZE 16u

/* The records of the specifications. `EWZ` is v2's, with v2's rotations; the others are the draft's,
   with the draft's. */
typedef enum ember_record {
    EMBER_RECORD_EWZ = 0, /* 16: rotation u32, position f16 x 3, scale f16 x 3 */
    EMBER_RECORD_A,       /* 12: rotation, position, one scale for all axes */
    EMBER_RECORD_B,       /* 10: rotation, position; scale 1 */
    EMBER_RECORD_D,       /*  8: rotation, position x and y; z from the bone's rest length */
    EMBER_RECORD_E,       /* 20: rotation, position f32 x 3, one scale f32 */
    EMBER_RECORD_C,       /* 16: as EWZ, but for the rotation's formula */
    EMBER_RECORD_COUNT
} ember_record;

/* Bytes of one record; 0 for an unknown one. */
EMBER_API size_t ember_record_size(ember_record record);

/* Writes one record, little-endian. EMBER_E_RANGE and nothing written where a number is not finite or does
   not fit a half float, or the rotation is zero. What a record does not hold is dropped: A and E store the
   mean of the three scales. out: ember_record_size(record) bytes. */
EMBER_API ember_status ember_record_encode(uint8_t *out, ember_record record,
                                           const ember_transform *transform);

/* Reads one record. `rest` is only needed for D: z is the root of the rest position's squared length less x
   and y squared (0 if negative), with the sign of the rest's z; NULL gives z = 0. */
EMBER_API ember_transform ember_record_decode(const uint8_t *data, ember_record record,
                                              const ember_vec3 *rest);

#ifdef __cplusplus
}
#endif
#endif
