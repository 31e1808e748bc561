/* SPDX-License-Identifier: MIT */
/* Where in a model something failed: the one place that fills in indices and names for emberi_fail_at. */
#include "model/place.h"

emberi_place emberi_place_clip(const ember_clip *clip, size_t index)
{
    emberi_place place = EMBERI_PLACE_INIT;
    place.clip = (int32_t)index;
    place.clip_name = clip->name;
    return place;
}

emberi_place emberi_place_bone(const ember_skeleton *skeleton, size_t bone)
{
    emberi_place place = EMBERI_PLACE_INIT;
    place.bone = (int32_t)bone;
    place.bone_name = bone < skeleton->bone_count ? ember_skeleton_name(skeleton, (uint32_t)bone) : NULL;
    return place;
}

emberi_place emberi_place_clip_bone(const ember_skeleton *skeleton, const ember_clip *clip, size_t index,
                                    size_t bone)
{
    emberi_place place = emberi_place_bone(skeleton, bone);
    place.clip = (int32_t)index;
    place.clip_name = clip->name;
    return place;
}

emberi_place emberi_place_frame(const ember_skeleton *skeleton, const ember_clip *clip, size_t index,
                                uint32_t i, size_t frame)
{
    emberi_place place = emberi_place_clip_bone(skeleton, clip, index, ember_clip_bone(clip, i));
    place.frame = (int32_t)frame;
    return place;
}
