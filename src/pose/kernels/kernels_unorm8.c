/* SPDX-License-Identifier: MIT */
/* The weights that bytes stand for. A table, because a broadcast from memory is cheaper than converting
   in registers. */
#include "pose/kernels/kernels.h"

#define UNORM8(i) ((float)(i) * (1.0f / 255.0f))
#define UNORM8_4(i) UNORM8(i), UNORM8((i) + 1), UNORM8((i) + 2), UNORM8((i) + 3)
#define UNORM8_16(i) UNORM8_4(i), UNORM8_4((i) + 4), UNORM8_4((i) + 8), UNORM8_4((i) + 12)
#define UNORM8_64(i) UNORM8_16(i), UNORM8_16((i) + 16), UNORM8_16((i) + 32), UNORM8_16((i) + 48)

const float emberi_unorm8_weights[256] = {UNORM8_64(0), UNORM8_64(64), UNORM8_64(128), UNORM8_64(192)};
