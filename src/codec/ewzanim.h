/* SPDX-License-Identifier: MIT */
/* The header of an .ewzanim file, the one place that knows it: the count of bones in one byte, a byte of
   flags that is 0, the count of frames in two; then EMBER_KEYFRAME_SIZE bytes per bone and frame. Nothing
   here checks a size: whoever reads a header has proved that its bytes exist. */
#ifndef EMBER_CODEC_EWZANIM_H
#define EMBER_CODEC_EWZANIM_H

#include "base/bytes.h"
#include "ember/codec.h"

#define EMBERI_EWZANIM_HEADER_SIZE 4u

typedef struct emberi_ewzanim_header {
    uint32_t bone_count, flags, frame_count;
} emberi_ewzanim_header;

EMBERI_INLINE emberi_ewzanim_header emberi_ewzanim_get(const uint8_t *data)
{
    return (emberi_ewzanim_header){data[0], data[1], emberi_get_u16(data + 2)};
}

/* Up to 255 bones and 65535 frames. */
EMBERI_INLINE void emberi_ewzanim_put(uint8_t *data, uint32_t bone_count, uint32_t frame_count)
{
    data[0] = (uint8_t)bone_count;
    data[1] = 0;
    emberi_put_u16(data + 2, (uint16_t)frame_count);
}

/* Of the whole file. */
EMBERI_INLINE uint64_t emberi_ewzanim_size(uint32_t bone_count, uint32_t frame_count)
{
    return EMBERI_EWZANIM_HEADER_SIZE + (uint64_t)bone_count * frame_count * EMBER_KEYFRAME_SIZE;
}

#endif
