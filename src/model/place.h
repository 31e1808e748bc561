/* SPDX-License-Identifier: MIT */
/* Where in a model something failed: the one place that fills in indices and names for emberi_fail_at. */
#ifndef EMBER_MODEL_PLACE_H
#define EMBER_MODEL_PLACE_H

#include "base/fail.h"
#include "ember/model.h"

/* The clip; `index` is its number in the file or the model. */
emberi_place emberi_place_clip(const ember_clip *clip, size_t index);

/* A bone of the skeleton. Its index need not be in the skeleton. */
emberi_place emberi_place_bone(const ember_skeleton *skeleton, size_t bone);

/* The same in a clip. */
emberi_place emberi_place_clip_bone(const ember_skeleton *skeleton, const ember_clip *clip, size_t index,
                                    size_t bone);

/* Bone `i` of the clip, which is not always the skeleton's bone `i`, in a frame. */
emberi_place emberi_place_frame(const ember_skeleton *skeleton, const ember_clip *clip, size_t index,
                                uint32_t i, size_t frame);

#endif
