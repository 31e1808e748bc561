/* SPDX-License-Identifier: MIT */
/* Models under fuzzing: read with every promise of a reader checked, touched byte for byte, written
   and read back. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

/* ---- reading ---- */

ember_status fuzz_model_read(ember_model *out, const uint8_t *data, size_t size, ember_read_options options,
                             ember_arena *arena)
{
    static const ember_model zero;
    ember_error              err = EMBER_ERROR_INIT;
    uint8_t                 *exact = fuzz_exact_copy(data, size);
    options.notes = fuzz_notes();
    ember_status status = ember_model_read(out, exact, size, &options, arena, &err);
    free(exact); /* nothing points into the file */
    fuzz_check_error(status, &err);
    if (status == EMBER_OK) {
        fuzz_require(ember_model_check(out, NULL) == EMBER_OK,
                     "a reader made a model that does not pass the check");
        fuzz_model_touch(out);
    } else {
        fuzz_require(memcmp(out, &zero, sizeof(zero)) == 0, "a failed reader left something in the model");
        fuzz_require(arena->total == 0, "a failed reader left something in the arena");
    }
    return status;
}

/* ---- touching ---- */

static void touch_array(const void *data, size_t count, size_t size)
{
    if (data != NULL)
        fuzz_touch(data, count * size);
}

static void touch_skeleton(const ember_skeleton *s)
{
    touch_array(s->parents, s->bone_count, sizeof(*s->parents));
    touch_array(s->rest, s->bone_count, sizeof(*s->rest));
    touch_array(s->inverse_binds, s->bone_count, sizeof(*s->inverse_binds));
    for (uint32_t i = 0; i < s->bone_count; i++)
        fuzz_touch_text(ember_skeleton_name(s, i));
}

static void touch_clip(const ember_clip *clip)
{
    fuzz_require(clip->name != NULL, "a clip without a name");
    fuzz_touch_text(clip->name);
    touch_array(clip->bones, clip->bone_count, sizeof(*clip->bones));
    touch_array(clip->frames, (size_t)clip->frame_count * clip->bone_count, sizeof(*clip->frames));
    for (uint32_t i = 0; i < clip->marker_count; i++)
        fuzz_touch_text(clip->markers[i].name);
}

static void touch_mesh(const ember_mesh *mesh)
{
    const size_t n = mesh->vertex_count;
    fuzz_require(mesh->name != NULL, "a mesh without a name");
    fuzz_touch_text(mesh->name);
    touch_array(mesh->positions, n, sizeof(*mesh->positions));
    touch_array(mesh->normals, n, sizeof(*mesh->normals));
    touch_array(mesh->tangents, n, sizeof(*mesh->tangents));
    touch_array(mesh->uvs, n, sizeof(*mesh->uvs));
    touch_array(mesh->colors, n, sizeof(*mesh->colors));
    touch_array(mesh->joints, n, sizeof(*mesh->joints));
    touch_array(mesh->weights, n, sizeof(*mesh->weights));
    touch_array(mesh->texture, mesh->texture_size, 1);
    for (uint32_t i = 0; i < mesh->index_count; i++)
        fuzz_require(mesh->indices[i] < n, "an index beyond the vertices");
}

void fuzz_model_touch(const ember_model *model)
{
    touch_skeleton(&model->skeleton);
    for (uint32_t i = 0; i < model->clip_count; i++)
        touch_clip(&model->clips[i]);
    for (uint32_t i = 0; i < model->mesh_count; i++)
        touch_mesh(&model->meshes[i]);
}

/* ---- out and in again ---- */

/* What every format keeps of clips, if it holds clips at all. glTF has nothing for those that hold nothing; a
   pack has them where their numbers say, with empty slots between them. */
static void check_same_clips(const ember_model *a, const ember_model *b, ember_format format)
{
    const bool all = format != EMBER_FORMAT_GLTF && format != EMBER_FORMAT_GLB;
    uint32_t   next = 0;
    if (format == EMBER_FORMAT_FF7) {
        fuzz_require(a->clip_count <= b->clip_count, "clips were lost on the way");
        return;
    }
    for (uint32_t i = 0; i < a->clip_count; i++) {
        const ember_clip *clip = &a->clips[i];
        if (!all && (clip->frame_count == 0 || clip->bone_count == 0))
            continue;
        fuzz_require(next < b->clip_count, "clips were lost on the way");
        fuzz_require(clip->frame_count == b->clips[next].frame_count, "frames were lost on the way");
        next++;
    }
    fuzz_require(next == b->clip_count, "clips were made on the way");
}

static bool same_numbers(const float *a, const float *b, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (memcmp(&a[i], &b[i], sizeof(*a)) != 0 && (a[i] == a[i] || b[i] == b[i]))
            return false;
    return true;
}

/* JSON keeps every bit of every number, but for those of NaN, and every name. */
static void check_same_bits(const ember_model *a, const ember_model *b)
{
    const size_t bones = a->skeleton.bone_count;
    fuzz_require(bones == b->skeleton.bone_count, "bones were lost on the way");
    if (bones != 0)
        fuzz_require(memcmp(a->skeleton.parents, b->skeleton.parents, bones * sizeof(*a->skeleton.parents)) ==
                         0,
                     "a bone has another parent");
    for (uint32_t i = 0; i < a->clip_count; i++) {
        const ember_clip *x = &a->clips[i], *y = &b->clips[i];
        fuzz_require(x->bone_count == y->bone_count && x->marker_count == y->marker_count &&
                         x->space == y->space && x->loop == y->loop,
                     "a clip is another");
        fuzz_require(strcmp(x->name, y->name) == 0, "a clip has another name");
        fuzz_require(same_numbers((const float *)x->frames, (const float *)y->frames,
                                  (size_t)x->frame_count * x->bone_count * 10),
                     "a frame is another");
    }
}

static bool holds_clips(ember_format format)
{
    return format != EMBER_FORMAT_EWZSKEL && format != EMBER_FORMAT_EWZMESH;
}

bool fuzz_model_through(const ember_model *model, const ember_write_options *options,
                        const ember_read_options *back)
{
    fuzz_heap           heap = {0, 0}, back_heap = {0, 0};
    ember_buffer        file = {.allocator = fuzz_allocator(&heap), .limit = FUZZ_MEMORY};
    ember_error         err = EMBER_ERROR_INIT;
    ember_write_options how = *options;
    ember_read_options  back_how = back != NULL ? *back : (ember_read_options){.path = NULL};
    how.notes = fuzz_notes();
    ember_status status = ember_model_write(&file, model, &how, &err);
    fuzz_check_error(status, &err);
    fuzz_require(status == EMBER_OK || file.size == 0, "a failed writer left half a file");
    if (status == EMBER_OK) {
        ember_arena arena = ember_arena_growing(fuzz_allocator(&back_heap), 0);
        ember_model again;
        back_how.format = how.format;
        /* a clip that stands still may be written in fewer bytes than it was read from */
        back_how.memory_limit = FUZZ_MEMORY;
        status = fuzz_model_read(&again, file.data, file.size, back_how, &arena);
        fuzz_require(status == EMBER_OK, "a file that was written cannot be read");
        if (holds_clips(how.format))
            check_same_clips(model, &again, how.format);
        if (how.format == EMBER_FORMAT_JSON)
            check_same_bits(model, &again);
        ember_arena_free(&arena);
        fuzz_heap_check(&back_heap, SIZE_MAX);
    }
    ember_buffer_free(&file);
    fuzz_heap_check(&heap, SIZE_MAX);
    return status == EMBER_OK;
}
