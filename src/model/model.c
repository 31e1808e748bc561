/* SPDX-License-Identifier: MIT */
/* The model in the middle: look-up, the check that every reader's result passes, and one frame as matrices. A
   model that ember_model_check accepts can be walked without any further test of its indices. */
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/hierarchy.h"
#include "base/sizes.h"
#include "ember/file.h"
#include "ember/pose.h"
#include "model/clip_matrices.h"
#include "model/names.h"
#include "model/place.h"
#include "model/skeleton.h"

int32_t ember_skeleton_find(const ember_skeleton *skeleton, const char *name)
{
    int32_t found = -1;
    if (skeleton->names == NULL || name == NULL)
        return -1;
    for (uint32_t i = 0; i < skeleton->bone_count; i++) {
        if (skeleton->names[i] == NULL || strcmp(skeleton->names[i], name) != 0)
            continue;
        if (found >= 0)
            return -2;
        found = (int32_t)i;
    }
    return found;
}

/* ---- the check ---- */

static ember_status model_check_skeleton(const ember_skeleton *skeleton, ember_error *err)
{
    if (skeleton->bone_count > EMBERI_MODEL_MAX_BONES)
        return emberi_failf(err, EMBER_E_LIMIT, EMBER_NO_OFFSET,
                            "skeleton has %u bones, at most %u are possible", (unsigned)skeleton->bone_count,
                            EMBERI_MODEL_MAX_BONES);
    if (skeleton->bone_count != 0 && skeleton->parents == NULL)
        return emberi_failf(err, EMBER_E_MALFORMED, EMBER_NO_OFFSET, "skeleton has no parents");
    for (uint32_t i = 0; i < skeleton->bone_count; i++) {
        int32_t     parent = skeleton->parents[i];
        const char *name = ember_skeleton_name(skeleton, i);
        if (!emberi_parent_valid(parent, i))
            return emberi_fail_at(err, EMBER_E_MALFORMED, emberi_place_bone(skeleton, i),
                                  "parent is %d, must be -1 or a bone before it", (int)parent);
        if (name != NULL && !emberi_utf8_valid(name))
            return emberi_fail_at(err, EMBER_E_MALFORMED, emberi_place_bone(skeleton, i),
                                  "name is not UTF-8");
    }
    return EMBER_OK;
}

static ember_status model_check_bones(const ember_clip *clip, uint32_t index, const ember_skeleton *skeleton,
                                      ember_error *err)
{
    uint8_t seen[EMBERI_MODEL_MAX_BONES / 8 + 1];
    if (clip->bone_count > skeleton->bone_count)
        return emberi_fail_at(err, EMBER_E_MALFORMED, emberi_place_clip(clip, index),
                              "%u bones, its skeleton has %u", (unsigned)clip->bone_count,
                              (unsigned)skeleton->bone_count);
    if (clip->bones == NULL)
        return EMBER_OK;
    memset(seen, 0, skeleton->bone_count / 8 + 1);
    for (uint32_t i = 0; i < clip->bone_count; i++) {
        uint32_t bone = clip->bones[i];
        if (bone >= skeleton->bone_count || (seen[bone / 8] & 1u << bone % 8) != 0)
            return emberi_fail_at(err, EMBER_E_MALFORMED, emberi_place_clip(clip, index),
                                  "its bone %u is the skeleton's %u, which is %s", (unsigned)i,
                                  (unsigned)bone, bone >= skeleton->bone_count ? "not there" : "there twice");
        seen[bone / 8] |= (uint8_t)(1u << bone % 8);
    }
    return EMBER_OK;
}

static ember_status model_check_markers(const ember_clip *clip, uint32_t index, ember_error *err)
{
    if (clip->marker_count != 0 && clip->markers == NULL)
        return emberi_fail_at(err, EMBER_E_MALFORMED, emberi_place_clip(clip, index), "no markers");
    for (uint32_t i = 0; i < clip->marker_count; i++) {
        const ember_marker *marker = &clip->markers[i];
        if (marker->name == NULL || !emberi_utf8_valid(marker->name))
            return emberi_fail_at(err, EMBER_E_MALFORMED, emberi_place_clip(clip, index),
                                  "marker %u: name is not UTF-8", (unsigned)i);
        if (marker->frame >= clip->frame_count)
            return emberi_fail_at(err, EMBER_E_MALFORMED, emberi_place_clip(clip, index),
                                  "marker %u: frame %u of %u", (unsigned)i, (unsigned)marker->frame,
                                  (unsigned)clip->frame_count);
    }
    return EMBER_OK;
}

static ember_status model_check_clip(const ember_clip *clip, uint32_t index, const ember_skeleton *skeleton,
                                     ember_error *err)
{
    size_t count, size;
    if (clip->name == NULL || !emberi_utf8_valid(clip->name))
        return emberi_fail_at(err, EMBER_E_MALFORMED, emberi_place_clip(clip, index), "name is not UTF-8");
    if (!(clip->fps >= 0.0) || clip->fps - clip->fps != 0.0)
        return emberi_fail_at(err, EMBER_E_MALFORMED, emberi_place_clip(clip, index), "rate is %g",
                              clip->fps);
    if (clip->space != EMBER_SPACE_MODEL && clip->space != EMBER_SPACE_LOCAL)
        return emberi_fail_at(err, EMBER_E_MALFORMED, emberi_place_clip(clip, index),
                              "neither in model nor in local space");
    if (!emberi_mul_size(&count, clip->bone_count, clip->frame_count) ||
        !emberi_mul_size(&size, count, sizeof(ember_transform)))
        return emberi_fail_at(err, EMBER_E_LIMIT, emberi_place_clip(clip, index),
                              "%u frames of %u bones are too many", (unsigned)clip->frame_count,
                              (unsigned)clip->bone_count);
    if (count != 0 && clip->frames == NULL)
        return emberi_fail_at(err, EMBER_E_MALFORMED, emberi_place_clip(clip, index), "no frames");
    if ((unsigned)clip->raw.format >= EMBER_FORMAT_COUNT ||
        (clip->raw.format != EMBER_FORMAT_UNKNOWN && clip->raw.data == NULL))
        return emberi_fail_at(err, EMBER_E_MALFORMED, emberi_place_clip(clip, index),
                              "raw data without a format, or none");
    ember_status status = model_check_bones(clip, index, skeleton, err);
    return status != EMBER_OK ? status : model_check_markers(clip, index, err);
}

static ember_status model_check_mesh(const ember_mesh *mesh, uint32_t index, uint32_t bone_count,
                                     ember_error *err)
{
    const char *wrong = NULL;
    if (mesh->name == NULL || !emberi_utf8_valid(mesh->name))
        wrong = "name is not UTF-8";
    else if (mesh->vertex_count != 0 && mesh->positions == NULL)
        wrong = "no positions";
    else if ((mesh->joints == NULL) != (mesh->weights == NULL))
        wrong = "joints without weights, or weights without joints";
    else if (mesh->index_count % 3 != 0 || (mesh->index_count != 0 && mesh->indices == NULL))
        wrong = "indices are not whole triangles";
    else if (mesh->bone < -1 || (mesh->bone >= 0 && (uint32_t)mesh->bone >= bone_count))
        wrong = "follows a bone that is not there";
    else if (mesh->texture_size != 0 && mesh->texture == NULL)
        wrong = "no texture";
    for (uint32_t i = 0; wrong == NULL && i < mesh->index_count; i++)
        if (mesh->indices[i] >= mesh->vertex_count)
            wrong = "an index is beyond the vertices";
    for (uint32_t i = 0; wrong == NULL && mesh->joints != NULL && i < mesh->vertex_count; i++)
        for (int k = 0; k < 4; k++)
            if (mesh->joints[i][k] >= bone_count)
                wrong = "a joint is not in the skeleton";
    if (wrong == NULL)
        return EMBER_OK;
    return emberi_failf(err, EMBER_E_MALFORMED, EMBER_NO_OFFSET, "mesh %u: %s", (unsigned)index, wrong);
}

ember_status ember_model_check(const ember_model *model, ember_error *err)
{
    ember_status status = model_check_skeleton(&model->skeleton, err);
    if (status != EMBER_OK)
        return status;
    if (model->clip_count > (uint32_t)INT32_MAX || (model->clip_count != 0 && model->clips == NULL))
        return emberi_failf(err, EMBER_E_MALFORMED, EMBER_NO_OFFSET, "model has no clips, or too many");
    for (uint32_t i = 0; i < model->clip_count && status == EMBER_OK; i++)
        status = model_check_clip(&model->clips[i], i, &model->skeleton, err);
    if (status == EMBER_OK && model->mesh_count != 0 && model->meshes == NULL)
        return emberi_failf(err, EMBER_E_MALFORMED, EMBER_NO_OFFSET, "model has no meshes");
    for (uint32_t i = 0; i < model->mesh_count && status == EMBER_OK; i++)
        status = model_check_mesh(&model->meshes[i], i, model->skeleton.bone_count, err);
    return status;
}

const ember_clip *ember_model_clip(const ember_model *model, const char *name)
{
    for (uint32_t i = 0; i < model->clip_count; i++)
        if (strcmp(model->clips[i].name, name) == 0)
            return &model->clips[i];
    return NULL;
}

/* ---- one frame as matrices ---- */

ember_transform ember_transform_with_unit_rotation(const ember_transform *t)
{
    ember_transform out = *t;
    double          x = (double)t->rotation.x, y = (double)t->rotation.y, z = (double)t->rotation.z,
           w = (double)t->rotation.w;
    double squared = (x * x + y * y) + (z * z + w * w);
    if (fabs(squared - 1.0) > 1e-4 && squared > 0.0 && squared < 1e80) {
        double factor = 1.0 / sqrt(squared);
        out.rotation =
            (ember_quat){(float)(x * factor), (float)(y * factor), (float)(z * factor), (float)(w * factor)};
    }
    return out;
}

bool emberi_clip_scratch_make(emberi_clip_scratch *scratch, ember_arena *arena, const ember_model *model,
                              const ember_clip *clip)
{
    const ember_skeleton *skeleton = &model->skeleton;
    bool                  whole = clip->space == EMBER_SPACE_LOCAL && clip->bones != NULL;
    memset(scratch, 0, sizeof(*scratch));
    scratch->pose = EMBER_PUSH(arena, ember_transform, whole ? skeleton->bone_count : clip->bone_count);
    if (scratch->pose == NULL || !whole)
        return scratch->pose != NULL;
    scratch->matrices = EMBER_PUSH(arena, ember_mat34, skeleton->bone_count);
    for (uint32_t i = 0; i < skeleton->bone_count; i++)
        scratch->pose[i] = ember_transform_with_unit_rotation(
            skeleton->rest != NULL ? &skeleton->rest[i] : &ember_transform_identity);
    return scratch->matrices != NULL;
}

ember_status emberi_clip_matrices(ember_mat34 *out, const ember_model *model, const ember_clip *clip,
                                  uint32_t frame, emberi_clip_scratch *scratch)
{
    const ember_transform *pose = clip->frames + (size_t)frame * clip->bone_count;
    for (uint32_t i = 0; i < clip->bone_count; i++)
        scratch->pose[scratch->matrices != NULL ? clip->bones[i] : i] =
            ember_transform_with_unit_rotation(&pose[i]);
    if (clip->space == EMBER_SPACE_MODEL) {
        ember_matrices_job job = {out, scratch->pose, clip->bone_count};
        return ember_matrices_run(&job);
    }
    /* The first bones of an order that has parents first have all their parents among them. */
    bool              whole = scratch->matrices != NULL;
    ember_compose_job job = {.out = whole ? scratch->matrices : out,
                             .pose = scratch->pose,
                             .parents = model->skeleton.parents,
                             .bone_count = whole ? model->skeleton.bone_count : clip->bone_count};
    ember_status      status = ember_compose_run(&job);
    for (uint32_t i = 0; i < clip->bone_count && status == EMBER_OK && whole; i++)
        out[i] = scratch->matrices[clip->bones[i]];
    return status;
}

ember_status ember_clip_matrices(ember_mat34 *out, const ember_model *model, const ember_clip *clip,
                                 uint32_t frame)
{
    emberi_clip_scratch scratch;
    if (frame >= clip->frame_count)
        return EMBER_E_ARG;
    if (clip->bone_count == 0)
        return EMBER_OK;
    ember_arena  arena = ember_arena_growing(ember_heap(), 0);
    ember_status status = EMBER_E_NOMEM;
    if (emberi_clip_scratch_make(&scratch, &arena, model, clip))
        status = emberi_clip_matrices(out, model, clip, frame, &scratch);
    ember_arena_free(&arena);
    return status;
}
