/* SPDX-License-Identifier: MIT */
/* The rule of a hierarchy: a bone's parent is EMBER_NO_PARENT or comes before the bone. One pass from the
   first bone to the last then meets every parent before its children. Parents come from files: whoever uses
   one as an index checks it here first. */
#ifndef EMBER_BASE_HIERARCHY_H
#define EMBER_BASE_HIERARCHY_H

#include "base/check.h"
#include "ember/base.h"

EMBERI_INLINE bool emberi_parent_valid(int64_t parent, int64_t bone)
{
    return (parent >= EMBER_NO_PARENT) & (parent < bone);
}

/* The rule for every bone; parents: not NULL. It has no early exit and counts in 16 bits, so that the
   compiler compares many parents at once. The second loop is for the bones that 16 bits cannot count. */
EMBERI_INLINE bool emberi_hierarchy_valid(const int16_t *parents, uint32_t bone_count)
{
    int16_t  wrong = 0, bone = 0;
    uint32_t near = bone_count <= INT16_MAX ? bone_count : INT16_MAX;
    for (uint32_t i = 0; i < near; i++, bone++)
        wrong |= (int16_t)!emberi_parent_valid(parents[i], bone);
    for (uint32_t i = near; i < bone_count; i++)
        wrong |= (int16_t)!emberi_parent_valid(parents[i], i);
    return wrong == 0;
}

#endif
