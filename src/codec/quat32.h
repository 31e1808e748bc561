/* SPDX-License-Identifier: MIT */
/* The bits of the 32-bit smallest-three form. Any bits may come in. */
#ifndef EMBER_CODEC_QUAT32_H
#define EMBER_CODEC_QUAT32_H

#include "base/check.h"
#include "ember/codec.h"

/* The codes of the three components that are stored, 0..1023 each. */
EMBERI_INLINE void emberi_quat32_codes(uint32_t codes[3], uint32_t packed)
{
    codes[0] = packed >> 22;
    codes[1] = packed >> 12 & 0x3ffu;
    codes[2] = packed >> 2 & 0x3ffu;
}

/* ember_quat32_encode and its like, by v2's formula or the draft's. */
ember_status emberi_quat32_encode(uint32_t *out, ember_quat q, bool draft);
ember_status emberi_quat32_encode_again(uint32_t *out, ember_quat q, bool draft);
ember_status emberi_quat32_encode_nearest(uint32_t *out, ember_quat q, bool draft);
ember_quat   emberi_quat32_decode(uint32_t packed, bool draft);

/* Whether a record's rotation is by the draft's formula: all but v2's own. */
EMBERI_INLINE bool emberi_record_is_draft(ember_record record) { return record != EMBER_RECORD_EWZ; }

/* Whether the three leave room for a fourth in a unit quaternion: an encoder leaves the largest out, so what
   it writes always does. With (2c - 1023)/1023 = v * sqrt2 the squares of all v are at most 1. */
EMBERI_INLINE bool emberi_quat32_is_unit(uint32_t packed)
{
    uint32_t codes[3];
    int32_t  sum = 0;
    emberi_quat32_codes(codes, packed);
    for (int i = 0; i < 3; i++) {
        int32_t v = 2 * (int32_t)codes[i] - 1023;
        sum += v * v;
    }
    return sum <= 2 * 1023 * 1023;
}

/* Whether it is one of the seven words that the table of v2's specification prints for rotations that they do
   not decode to (docs/errata.md, 2). An encoder may write them too, for other rotations. */
EMBERI_INLINE bool emberi_quat32_is_misprint(uint32_t packed)
{
    switch (packed) {
    case 0x80080003u:
    case 0x80080000u:
    case 0x80080001u:
    case 0x80080002u:
    case 0xB6DB6DB3u:
    case 0xBFF00003u:
    case 0x49249243u:
        return true;
    default:
        return false;
    }
}

#endif
