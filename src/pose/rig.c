/* SPDX-License-Identifier: MIT */
/* A hierarchy, checked and ordered once. Parents may be any numbers: each is checked before it is used as an
   index, and a walk that finds no root ends after as many steps as there are bones. */
#include "base/check.h"
#include "ember/pose.h"

#define RIG_MAX_BONES 32767u
#define RIG_UNKNOWN UINT16_MAX

/* Where the parts of a rig lie in its memory. */
typedef struct rig_parts {
    ember_rig_step *steps;
    int16_t        *parents;
    uint16_t       *order;
} rig_parts;

size_t ember_rig_size(uint32_t bone_count)
{
    const size_t each = sizeof(ember_rig_step) + sizeof(int16_t) + sizeof(uint16_t);
    return bone_count <= RIG_MAX_BONES ? bone_count * each : 0;
}

/* Each parent a bone or none. */
static bool rig_parents_name_bones(const int16_t *parents, uint32_t bone_count)
{
    bool wrong = false;
    for (uint32_t i = 0; i < bone_count; i++)
        wrong |= parents[i] < EMBER_NO_PARENT || parents[i] >= (int32_t)bone_count;
    return !wrong;
}

/* How many bones lie above each. Every walk up ends at a bone whose depth is known or at a root, and a second
   one writes the depths on the way, so that no bone is walked over more than twice. False where bones are
   their own ancestors: that walk is longer than there are bones. */
static bool rig_measure_depths(uint16_t *depths, const int16_t *parents, uint32_t bone_count)
{
    for (uint32_t i = 0; i < bone_count; i++)
        depths[i] = RIG_UNKNOWN;
    for (uint32_t i = 0; i < bone_count; i++) {
        uint32_t length = 0;
        int32_t  bone = (int32_t)i;
        for (; bone != EMBER_NO_PARENT && depths[bone] == RIG_UNKNOWN; bone = parents[bone])
            if (++length > bone_count)
                return false;
        uint32_t depth = length + (bone != EMBER_NO_PARENT ? depths[bone] + 1u : 0u);
        for (bone = (int32_t)i; length > 0; length--, bone = parents[bone])
            depths[bone] = (uint16_t)--depth;
    }
    return true;
}

/* Sorts the bones by depth, those of one level in their own order. `starts` is scratch, one per bone. */
static void rig_sort(uint16_t *order, const uint16_t *depths, uint16_t *starts, uint32_t bone_count)
{
    uint32_t start = 0;
    for (uint32_t i = 0; i < bone_count; i++)
        starts[i] = 0;
    for (uint32_t i = 0; i < bone_count; i++)
        starts[depths[i]]++;
    for (uint32_t level = 0; level < bone_count; level++) {
        uint32_t count = starts[level];
        starts[level] = (uint16_t)start;
        start += count;
    }
    for (uint32_t i = 0; i < bone_count; i++)
        order[starts[depths[i]]++] = (uint16_t)i;
}

/* The steps' memory is scratch until the steps themselves are written. */
static bool rig_fill(rig_parts parts, uint32_t *root_count, const int16_t *parents, uint32_t bone_count)
{
    uint16_t *depths = &parts.steps->bone, *starts = depths + bone_count;
    uint32_t  roots = 0;
    if (!rig_measure_depths(depths, parents, bone_count))
        return false;
    rig_sort(parts.order, depths, starts, bone_count);
    while (roots < bone_count && parents[parts.order[roots]] == EMBER_NO_PARENT)
        roots++;
    for (uint32_t i = 0; i < bone_count; i++)
        parts.parents[i] = parents[i];
    for (uint32_t i = roots; i < bone_count; i++)
        parts.steps[i - roots] = (ember_rig_step){parts.order[i], (uint16_t)parents[parts.order[i]]};
    *root_count = roots;
    return true;
}

ember_status ember_rig_make(ember_rig *out, const int16_t *parents, uint32_t bone_count, void *memory,
                            size_t memory_size)
{
    EMBERI_ASSERT(out != NULL);
    if (bone_count > RIG_MAX_BONES || (bone_count != 0 && parents == NULL) ||
        (uintptr_t)memory % sizeof(uint16_t) != 0 || !rig_parents_name_bones(parents, bone_count))
        return EMBER_E_ARG;
    if (memory_size < ember_rig_size(bone_count) || (bone_count != 0 && memory == NULL))
        return EMBER_E_SPACE;
    uint32_t root_count = 0;
    if (bone_count == 0) {
        *out = (ember_rig){0};
        return EMBER_OK;
    }
    ember_rig_step *steps = memory;
    int16_t        *copy = (int16_t *)(void *)(steps + bone_count);
    uint16_t       *order = (uint16_t *)(void *)(copy + bone_count);
    if (!rig_fill((rig_parts){steps, copy, order}, &root_count, parents, bone_count))
        return EMBER_E_ARG;
    *out = (ember_rig){bone_count, root_count, copy, order, steps};
    return EMBER_OK;
}
