/* SPDX-License-Identifier: MIT */
/* Half floats: IEEE 754 binary16 to and from binary32, the same bits as the F16C instructions give. Any bit
   pattern is a valid argument. */
#include "base/bytes.h"
#include "ember/codec.h"

uint16_t ember_f16_from_f32(float value)
{
    uint32_t bits = emberi_bits_of(value);
    uint32_t sign = (bits >> 16) & 0x8000u;
    uint32_t magnitude = bits & 0x7fffffffu;

    if (magnitude >= 0x47800000u) { /* 65536 and more, infinity, NaN */
        uint32_t quiet = magnitude > 0x7f800000u ? 0x200u | ((magnitude >> 13) & 0x3ffu) : 0u;
        return (uint16_t)(sign | 0x7c00u | quiet);
    }
    if (magnitude < 0x38800000u) {
        /* Below 2^-14 a half counts in steps of 2^-24, which is also the last bit of a float from 0.5 on: the
           addition rounds. */
        uint32_t rounded = emberi_bits_of(emberi_float_of(magnitude) + 0.5f);
        return (uint16_t)(sign | (rounded - 0x3f000000u));
    }
    /* Half of the last kept bit, less one where that bit is even, carries into it; a carry beyond 65504 ends
       in infinity. */
    uint32_t rounded = magnitude + 0xfffu + ((magnitude >> 13) & 1u);
    return (uint16_t)(sign | ((rounded - 0x38000000u) >> 13));
}

float ember_f32_from_f16(uint16_t half)
{
    uint32_t sign = ((uint32_t)half & 0x8000u) << 16;
    uint32_t magnitude = ((uint32_t)half & 0x7fffu) << 13;
    uint32_t normal = magnitude + 0x38000000u;
    /* 2^-14 plus the digits, less 2^-14: exact, and no float denormal takes part. */
    uint32_t tiny = emberi_bits_of(emberi_float_of(magnitude + 0x38800000u) - 0x1p-14f);
    uint32_t quiet = magnitude > 0x0f800000u ? 0x400000u : 0u;
    uint32_t special = magnitude | 0x7f800000u | quiet;

    uint32_t bits = magnitude < 0x00800000u ? tiny : normal;
    bits = magnitude >= 0x0f800000u ? special : bits;
    return emberi_float_of(sign | bits);
}
