/* SPDX-License-Identifier: MIT */
/* Copies of skeletons, and bind poses from rest poses and back. Works on skeletons that pass
   ember_model_check. */
#include "model/skeleton.h"
#include "model/names.h"

#include <string.h>

#include "base/check.h"
#include "ember/pose.h"

typedef struct skeleton_sizes {
    size_t given, count; /* bones to copy, and of the copy */
} skeleton_sizes;

/* `filler` is the element of the bones that are not given. */
static void *skeleton_copy_array(ember_arena *arena, skeleton_sizes sizes, const void *from,
                                 const void *filler, size_t size, size_t align)
{
    uint8_t *copy = ember_arena_push(arena, sizes.count, size, align);
    if (copy == NULL)
        return NULL;
    if (sizes.given != 0)
        memcpy(copy, from, sizes.given * size);
    for (size_t i = sizes.given; i < sizes.count; i++)
        memcpy(copy + i * size, filler, size);
    return copy;
}

static const char **skeleton_copy_names(ember_arena *arena, skeleton_sizes sizes, const char *const *from)
{
    const char **names = EMBER_PUSH(arena, const char *, sizes.count);
    for (size_t i = 0; names != NULL && i < sizes.given; i++)
        if (from[i] != NULL && (names[i] = emberi_copy_text(arena, from[i])) == NULL)
            return NULL;
    return names;
}

bool emberi_skeleton_copy(ember_skeleton *out, const ember_skeleton *from, uint32_t least, ember_arena *arena)
{
    static const ember_skeleton none = {.bone_count = 0};
    static const int16_t        root = EMBER_NO_PARENT;
    from = from != NULL ? from : &none;
    ember_skeleton copy = {.bone_count = from->bone_count > least ? from->bone_count : least};
    skeleton_sizes sizes = {from->bone_count, copy.bone_count};
    copy.parents =
        skeleton_copy_array(arena, sizes, from->parents, &root, sizeof(int16_t), _Alignof(int16_t));
    if (from->rest != NULL)
        copy.rest = skeleton_copy_array(arena, sizes, from->rest, &ember_transform_identity,
                                        sizeof(ember_transform), _Alignof(ember_transform));
    if (from->inverse_binds != NULL)
        copy.inverse_binds = skeleton_copy_array(arena, sizes, from->inverse_binds, &ember_mat34_identity,
                                                 sizeof(ember_mat34), _Alignof(ember_mat34));
    if (from->names != NULL)
        copy.names = skeleton_copy_names(arena, sizes, from->names);
    if (copy.parents == NULL || (from->rest != NULL && copy.rest == NULL) ||
        (from->inverse_binds != NULL && copy.inverse_binds == NULL) ||
        (from->names != NULL && copy.names == NULL))
        return false;
    *out = copy;
    return true;
}

void emberi_skeleton_rest_matrices(ember_mat34 *out, const ember_skeleton *skeleton,
                                   const ember_transform *rest)
{
    for (uint32_t i = 0; i < skeleton->bone_count; i++) {
        ember_mat34 own = ember_mat34_from_transform(rest != NULL ? &rest[i] : &ember_transform_identity);
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
