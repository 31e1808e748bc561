/* SPDX-License-Identifier: MIT */
/* Copies of skeletons, and bind poses from rest poses and back. Works on skeletons that pass
   ember_model_check. */
#include "format/skeleton.h"

#include <string.h>

#include "base/check.h"
#include "ember/pose.h"

static const ember_transform skeleton_identity = EMBER_TRANSFORM_IDENTITY;

static void *skeleton_copy_array(ember_arena *arena, const void *from, size_t count, size_t size,
                                 size_t align)
{
    void *copy = ember_arena_push(arena, count, size, align);
    if (copy != NULL && count != 0)
        memcpy(copy, from, count * size);
    return copy;
}

bool emberi_skeleton_copy(ember_skeleton *out, const ember_skeleton *from, ember_arena *arena)
{
    uint32_t       count = from->bone_count;
    ember_skeleton copy = {.bone_count = count};
    copy.parents = skeleton_copy_array(arena, from->parents, count, sizeof(int16_t), _Alignof(int16_t));
    if (copy.parents == NULL)
        return false;
    if (from->rest != NULL) {
        copy.rest =
            skeleton_copy_array(arena, from->rest, count, sizeof(ember_transform), _Alignof(ember_transform));
        if (copy.rest == NULL)
            return false;
    }
    if (from->inverse_binds != NULL) {
        copy.inverse_binds = skeleton_copy_array(arena, from->inverse_binds, count, sizeof(ember_mat34),
                                                 _Alignof(ember_mat34));
        if (copy.inverse_binds == NULL)
            return false;
    }
    if (from->names != NULL) {
        const char **names = EMBER_PUSH(arena, const char *, count);
        if (names == NULL)
            return false;
        for (uint32_t i = 0; i < count; i++)
            if (from->names[i] != NULL && (names[i] = emberi_copy_text(arena, from->names[i])) == NULL)
                return false;
        copy.names = names;
    }
    *out = copy;
    return true;
}

void emberi_skeleton_rest_matrices(ember_mat34 *out, const ember_skeleton *skeleton,
                                   const ember_transform *rest)
{
    for (uint32_t i = 0; i < skeleton->bone_count; i++) {
        ember_mat34 own = ember_mat34_from_transform(rest != NULL ? &rest[i] : &skeleton_identity);
        out[i] = skeleton->parents[i] < 0 ? own : ember_mat34_mul(&out[skeleton->parents[i]], &own);
    }
}

uint32_t emberi_skeleton_inverse_binds(ember_mat34 *out, const ember_skeleton *skeleton,
                                       const ember_transform *rest)
{
    uint32_t failed = 0;
    if (skeleton->inverse_binds != NULL) {
        for (uint32_t i = 0; i < skeleton->bone_count; i++)
            out[i] = skeleton->inverse_binds[i];
        return 0;
    }
    emberi_skeleton_rest_matrices(out, skeleton, rest);
    for (uint32_t i = 0; i < skeleton->bone_count; i++) {
        ember_mat34 bind = out[i];
        failed += ember_mat34_inverse(&out[i], &bind) ? 0u : 1u;
    }
    return failed;
}

bool emberi_skeleton_rest_from_binds(ember_transform *out, const ember_skeleton *skeleton,
                                     ember_arena *scratch)
{
    ember_arena_mark mark = ember_arena_save(scratch);
    ember_mat34     *binds = EMBER_PUSH(scratch, ember_mat34, skeleton->bone_count);
    EMBERI_ASSERT(skeleton->inverse_binds != NULL);
    if (binds == NULL)
        return false;
    for (uint32_t i = 0; i < skeleton->bone_count; i++) {
        ember_mat34 own, up;
        ember_mat34_inverse(&binds[i], &skeleton->inverse_binds[i]);
        own = binds[i];
        /* The parent's inverse bind takes the bone's bind into the parent's axes. */
        if (skeleton->parents[i] >= 0) {
            up = skeleton->inverse_binds[skeleton->parents[i]];
            own = ember_mat34_mul(&up, &binds[i]);
        }
        ember_mat34_decompose(&out[i], &own);
    }
    ember_arena_restore(scratch, mark);
    return true;
}
