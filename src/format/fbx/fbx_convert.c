/* SPDX-License-Identifier: MIT */
/* The child's work: assimp parses the bytes, and its scene becomes a glTF document. Whatever goes wrong in
   here goes wrong in a process of its own. */
#include "format/fbx/fbx_parts.h"

#include <string.h>

#include <assimp/cimport.h>
#include <assimp/config.h>
#include <assimp/postprocess.h>

/* Pivots are kept, so that the chain of every node can be folded rightly; bones without weights stay bones;
   no mesh is made up. */
static const struct aiScene *convert_import(const void *data, size_t size, struct aiPropertyStore *store)
{
    aiSetImportPropertyInteger(store, AI_CONFIG_IMPORT_FBX_PRESERVE_PIVOTS, 1);
    aiSetImportPropertyInteger(store, AI_CONFIG_IMPORT_REMOVE_EMPTY_BONES, 0);
    aiSetImportPropertyInteger(store, AI_CONFIG_IMPORT_NO_SKELETON_MESHES, 1);
    /* These touch meshes only, neither nodes nor clips. */
    unsigned flags = aiProcess_Triangulate | aiProcess_JoinIdenticalVertices;
    return aiImportFileFromMemoryWithProperties(data, (unsigned)size, flags, "fbx", store);
}

static void convert_note_leaves(const fbx_scene *scene, fbx_out *out)
{
    uint32_t leaves = 0;
    for (uint32_t i = 0; i < scene->joint_count; i++) {
        const fbx_node *node = &scene->nodes[scene->joints[i]];
        size_t          size = strlen(node->name);
        leaves += node->node->mNumChildren == 0 && !node->is_bone && size > 4 &&
                  strcmp(node->name + size - 4, "_end") == 0;
    }
    if (leaves != 0)
        emberi_fbx_note(out, "%u %s called ..._end: Blender adds them unless Add Leaf Bones is off", leaves,
                        leaves == 1 ? "bone is" : "bones are");
}

static ember_status convert_scene(ember_buffer *glb, ember_buffer *notes, const struct aiScene *ai,
                                  ember_arena *arena, ember_error *err)
{
    fbx_out   out;
    fbx_scene scene;
    emberi_fbx_out_make(&out);
    ember_status status = emberi_fbx_scene_make(&scene, ai, arena, &out, err);
    uint32_t    *meshes = status == EMBER_OK ? EMBER_PUSH(arena, uint32_t, scene.node_count) : NULL;
    uint32_t    *skins = status == EMBER_OK ? EMBER_PUSH(arena, uint32_t, scene.node_count) : NULL;
    if (status == EMBER_OK && (meshes == NULL || skins == NULL))
        status = emberi_fail_memory(err);
    if (status == EMBER_OK) {
        emberi_fbx_number_nodes(&scene);
        convert_note_leaves(&scene, &out);
        status = emberi_fbx_meshes(&out, &scene, meshes, skins, err);
    }
    if (status == EMBER_OK)
        status = emberi_fbx_nodes(&out, &scene, meshes, skins, err);
    if (status == EMBER_OK)
        status = emberi_fbx_clips(&out, &scene, err);
    if (status == EMBER_OK)
        status = emberi_fbx_finish(glb, &out, err);
    if (status == EMBER_OK && !ember_buffer_append(notes, out.notes.data, out.notes.size))
        status = emberi_fail_memory(err);
    emberi_fbx_out_free(&out);
    return status;
}

ember_status emberi_fbx_convert(ember_buffer *glb, ember_buffer *notes, const void *data, size_t size,
                                ember_error *err)
{
    struct aiPropertyStore *store = aiCreatePropertyStore();
    if (size > INT32_MAX)
        return emberi_failf(err, EMBER_E_LIMIT, EMBER_NO_OFFSET, "an FBX file of %zu bytes is too large",
                            size);
    if (store == NULL)
        return emberi_fail_memory(err);
    const struct aiScene *scene = convert_import(data, size, store);
    ember_status          status;
    if (scene == NULL || scene->mRootNode == NULL) {
        const char *why = aiGetErrorString();
        status = emberi_failf(err, EMBER_E_MALFORMED, EMBER_NO_OFFSET, "no FBX that can be read: %s",
                              why != NULL && why[0] != '\0' ? why : "there is nothing in it");
    } else {
        ember_arena arena = ember_arena_growing(ember_heap(), 0);
        status = convert_scene(glb, notes, scene, &arena, err);
        ember_arena_free(&arena);
    }
    if (scene != NULL)
        aiReleaseImport(scene);
    aiReleasePropertyStore(store);
    return status;
}
