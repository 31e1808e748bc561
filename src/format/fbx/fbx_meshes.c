/* SPDX-License-Identifier: MIT */
/* Meshes and their skins. Skinned vertices go to where they are at rest, in the model's own space, so that
   all meshes can share one skin with inverse binds of the model; a mesh that was bound in another pose gets a
   skin of its own. */
#include "format/fbx/fbx_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <assimp/material.h>

typedef struct mesh_job {
    fbx_out         *out;
    const fbx_scene *scene;
    real_mat        *binds;    /* inverse binds of the joints, in the model's space */
    uint8_t         *bound;    /* by joint: some mesh has said where it was bound */
    uint32_t        *material; /* the document's, by assimp's; FBX_NONE: not written yet */
    uint32_t         no_triangles, morphs;
} mesh_job;

/* ---- materials ---- */

static const struct aiTexture *material_texture(const struct aiScene    *scene,
                                                const struct aiMaterial *material)
{
    struct aiString path;
    if (aiGetMaterialTexture(material, aiTextureType_DIFFUSE, 0, &path, NULL, NULL, NULL, NULL, NULL, NULL) !=
        aiReturn_SUCCESS)
        return NULL;
    for (unsigned i = 0; i < scene->mNumTextures; i++) {
        char number[16];
        (void)snprintf(number, sizeof(number), "*%u", i);
        const struct aiTexture *texture = scene->mTextures[i];
        /* mHeight 0: a whole file of mWidth bytes. */
        if ((strcmp(path.data, number) == 0 || strcmp(path.data, texture->mFilename.data) == 0) &&
            texture->mHeight == 0 && texture->mWidth != 0)
            return texture;
    }
    return NULL;
}

static uint32_t material_write(mesh_job *job, uint32_t index)
{
    const struct aiScene *scene = job->scene->scene;
    if (index >= scene->mNumMaterials)
        return FBX_NONE;
    if (job->material[index] != FBX_NONE)
        return job->material[index];
    const struct aiMaterial *material = scene->mMaterials[index];
    const struct aiTexture  *texture = material_texture(scene, material);
    struct aiColor4D         color = {1.0f, 1.0f, 1.0f, 1.0f};
    uint32_t                 texture_index = FBX_NONE;
    if (aiGetMaterialColor(material, AI_MATKEY_COLOR_DIFFUSE, &color) != aiReturn_SUCCESS)
        color = (struct aiColor4D){1.0f, 1.0f, 1.0f, 1.0f};
    if (texture != NULL) {
        emberi_json_out *json = emberi_fbx_add(job->out, FBX_IMAGES);
        emberi_fbx_put_index(json, "bufferView", emberi_fbx_view(job->out, texture->pcData, texture->mWidth));
        emberi_json_object_end(json);
        json = emberi_fbx_add(job->out, FBX_TEXTURES);
        emberi_fbx_put_index(json, "source", job->out->counts[FBX_IMAGES] - 1);
        emberi_json_object_end(json);
        texture_index = job->out->counts[FBX_TEXTURES] - 1;
    }
    emberi_json_out *json = emberi_fbx_add(job->out, FBX_MATERIALS);
    emberi_json_key(json, "pbrMetallicRoughness");
    emberi_json_object(json);
    const float factors[4] = {color.r, color.g, color.b, color.a};
    emberi_json_key(json, "baseColorFactor");
    emberi_json_array(json);
    for (int i = 0; i < 4; i++)
        emberi_json_float(json, factors[i] >= 0.0f && factors[i] <= 1.0f ? factors[i] : 1.0f);
    emberi_json_array_end(json);
    if (texture_index != FBX_NONE) {
        emberi_json_key(json, "baseColorTexture");
        emberi_json_object(json);
        emberi_fbx_put_index(json, "index", texture_index);
        emberi_json_object_end(json);
    }
    emberi_json_object_end(json);
    emberi_json_object_end(json);
    return job->material[index] = job->out->counts[FBX_MATERIALS] - 1;
}

/* ---- where meshes were bound ---- */

static const char *const geometric_parts[] = {"GeometricTranslation", "GeometricRotation",
                                              "GeometricScaling"};

/* From the mesh's node to the model's space, as it stands. assimp's offset matrices are made without the
   geometric transform, which moves vertices and nothing else: `bare` leaves it out. */
static real_mat mesh_place(const fbx_scene *scene, uint32_t node, bool bare)
{
    real_mat place = emberi_real_mat_mul(&scene->to_model, &scene->nodes[node].world);
    real_mat geometric = emberi_real_mat_identity, inverse;
    bool     any = false;
    for (size_t i = 0; bare && i < sizeof(geometric_parts) / sizeof(geometric_parts[0]); i++) {
        uint32_t helper = emberi_fbx_helper(scene, node, geometric_parts[i]);
        if (helper == FBX_NONE)
            continue;
        real_mat part = emberi_fbx_matrix(&scene->nodes[helper].node->mTransformation);
        geometric = emberi_real_mat_mul(&geometric, &part);
        any = true;
    }
    return any && emberi_real_mat_inverse(&inverse, &geometric) ? emberi_real_mat_mul(&place, &inverse)
                                                                : place;
}

/* A bone's inverse bind from the model's space; false where the mesh's place has no inverse. */
static bool mesh_bind(real_mat *out, const fbx_scene *scene, uint32_t node, const struct aiBone *bone)
{
    real_mat place = mesh_place(scene, node, true), inverse, offset = emberi_fbx_matrix(&bone->mOffsetMatrix);
    if (!emberi_real_mat_inverse(&inverse, &place))
        return false;
    *out = emberi_real_mat_mul(&offset, &inverse);
    for (int i = 0; i < 12; i++)
        out->m[i / 4][i % 4] *= scene->length; /* bones measure in metres now */
    return true;
}

/* Whether the mesh is bound as those before it were; the joints that nobody bound before are
   bound as it says. */
static bool mesh_shares_binds(mesh_job *job, uint32_t node, const struct aiMesh *mesh)
{
    bool shares = true;
    for (int round = 0; round < 2 && shares; round++)
        for (unsigned i = 0; i < mesh->mNumBones; i++) {
            uint32_t joint = emberi_fbx_find(job->scene, mesh->mBones[i]->mName.data);
            real_mat bind;
            joint = joint != FBX_NONE ? job->scene->nodes[joint].joint : FBX_NONE;
            if (joint == FBX_NONE || !mesh_bind(&bind, job->scene, node, mesh->mBones[i]))
                continue;
            if (round == 0)
                shares = shares && (!job->bound[joint] || emberi_real_mat_agree(&job->binds[joint], &bind));
            else if (!job->bound[joint]) {
                job->binds[joint] = bind;
                job->bound[joint] = 1;
            }
        }
    return shares;
}

/* ---- skins ---- */

static void skin_put(mesh_job *job, const uint32_t *joints, const real_mat *binds, uint32_t count)
{
    ember_buffer columns = {.allocator = ember_heap()};
    float       *room = (float *)(void *)ember_buffer_grow(&columns, (size_t)count * 16 * sizeof(float));
    if (room == NULL) {
        job->out->failed = true;
        return;
    }
    for (uint32_t i = 0; i < count; i++)
        for (int k = 0; k < 16; k++)
            room[i * 16 + (uint32_t)k] =
                k % 4 == 3 ? (k == 15 ? 1.0f : 0.0f) : (float)binds[i].m[k % 4][k / 4];
    emberi_json_out *json = emberi_fbx_add(job->out, FBX_SKINS);
    emberi_fbx_put_index(json, "inverseBindMatrices", emberi_fbx_floats(job->out, room, count, 16));
    emberi_json_key(json, "joints");
    emberi_json_array(json);
    for (uint32_t i = 0; i < count; i++)
        emberi_json_integer(json, job->scene->nodes[joints[i]].gltf);
    emberi_json_array_end(json);
    emberi_json_object_end(json);
    ember_buffer_free(&columns);
}

/* Joints that no mesh binds are bound where they rest. */
static void skin_put_shared(mesh_job *job)
{
    const fbx_scene *scene = job->scene;
    for (uint32_t i = 0; i < scene->joint_count; i++) {
        if (job->bound[i])
            continue;
        real_mat world = emberi_real_mat_mul(&scene->to_model, &scene->nodes[scene->joints[i]].world);
        if (!emberi_real_mat_inverse(&job->binds[i], &world))
            job->binds[i] = emberi_real_mat_identity;
        for (int k = 0; k < 12; k++)
            job->binds[i].m[k / 4][k % 4] *= scene->length;
    }
    skin_put(job, scene->joints, job->binds, scene->joint_count);
}

/* ---- vertices ---- */

typedef struct mesh_arrays {
    float (*positions)[3], (*normals)[3], (*uvs)[2], (*colors)[4];
    uint16_t (*joints)[4];
    float (*weights)[4];
    uint32_t *indices;
} mesh_arrays;

static bool arrays_make(mesh_arrays *out, ember_arena *arena, const struct aiMesh *mesh, uint32_t corners,
                        bool skinned)
{
    typedef float    two[2], three[3], four[4];
    typedef uint16_t four_joints[4];
    size_t           count = mesh->mNumVertices;
    *out = (mesh_arrays){.positions = EMBER_PUSH(arena, three, count),
                         .indices = EMBER_PUSH(arena, uint32_t, corners)};
    if (mesh->mNormals != NULL)
        out->normals = EMBER_PUSH(arena, three, count);
    if (mesh->mTextureCoords[0] != NULL)
        out->uvs = EMBER_PUSH(arena, two, count);
    if (mesh->mColors[0] != NULL)
        out->colors = EMBER_PUSH(arena, four, count);
    if (skinned) {
        out->joints = EMBER_PUSH(arena, four_joints, count);
        out->weights = EMBER_PUSH(arena, four, count);
    }
    return out->positions != NULL && out->indices != NULL &&
           (mesh->mNormals == NULL || out->normals != NULL) &&
           (mesh->mTextureCoords[0] == NULL || out->uvs != NULL) &&
           (mesh->mColors[0] == NULL || out->colors != NULL) &&
           (!skinned || (out->joints != NULL && out->weights != NULL));
}

static void normal_turn(float out[3], const real_mat *m, const struct aiVector3D *n)
{
    const double from[3] = {(double)n->x, (double)n->y, (double)n->z};
    double       turned[3];
    emberi_real_mat_normal(turned, m, from);
    double length = emberi_real_length(turned[0], turned[1], turned[2]);
    for (int r = 0; r < 3; r++)
        out[r] = length > 0.0 ? (float)(turned[r] / length) : 0.0f;
}

static void arrays_fill(mesh_arrays *out, const struct aiMesh *mesh, const real_mat *place)
{
    for (unsigned i = 0; i < mesh->mNumVertices; i++) {
        const struct aiVector3D *v = &mesh->mVertices[i];
        const double             from[3] = {(double)v->x, (double)v->y, (double)v->z};
        double                   to[3];
        emberi_real_mat_point(to, place, from);
        for (int k = 0; k < 3; k++)
            out->positions[i][k] = (float)to[k];
        if (out->normals != NULL)
            normal_turn(out->normals[i], place, &mesh->mNormals[i]);
        if (out->uvs != NULL) {
            out->uvs[i][0] = mesh->mTextureCoords[0][i].x;
            out->uvs[i][1] = 1.0f - mesh->mTextureCoords[0][i].y; /* glTF counts from the top */
        }
        if (out->colors != NULL)
            memcpy(out->colors[i], &mesh->mColors[0][i], sizeof(out->colors[i]));
    }
}

/* The four largest weights of every vertex. */
static void arrays_weigh(mesh_arrays *out, const mesh_job *job, const struct aiMesh *mesh,
                         const uint32_t *numbers)
{
    for (unsigned b = 0; b < mesh->mNumBones; b++) {
        const struct aiBone *bone = mesh->mBones[b];
        uint32_t             node = emberi_fbx_find(job->scene, bone->mName.data);
        if (node == FBX_NONE || numbers[node] == FBX_NONE)
            continue;
        for (unsigned i = 0; i < bone->mNumWeights; i++) {
            const struct aiVertexWeight *weight = &bone->mWeights[i];
            int                          least = 0;
            if (weight->mVertexId >= mesh->mNumVertices || !(weight->mWeight > 0.0f))
                continue;
            float *weights = out->weights[weight->mVertexId];
            for (int k = 1; k < 4; k++)
                least = weights[k] < weights[least] ? k : least;
            if (weights[least] >= weight->mWeight)
                continue;
            weights[least] = weight->mWeight;
            out->joints[weight->mVertexId][least] = (uint16_t)numbers[node];
        }
    }
}

static uint32_t mesh_corners(const struct aiMesh *mesh)
{
    uint32_t count = 0;
    for (unsigned i = 0; i < mesh->mNumFaces; i++)
        count += mesh->mFaces[i].mNumIndices == 3 ? 3u : 0u;
    return count;
}

/* One primitive. numbers: each node's number in the skin; place: what the vertices go through. */
static void primitive_put(mesh_job *job, emberi_json_out *json, const struct aiMesh *mesh,
                          const uint32_t *numbers, const real_mat *place)
{
    ember_arena scratch = ember_arena_growing(ember_heap(), 0);
    uint32_t    corners = mesh_corners(mesh), used = 0;
    mesh_arrays arrays;
    if (!arrays_make(&arrays, &scratch, mesh, corners, numbers != NULL)) {
        job->out->failed = true;
        ember_arena_free(&scratch);
        return;
    }
    arrays_fill(&arrays, mesh, place);
    if (numbers != NULL)
        arrays_weigh(&arrays, job, mesh, numbers);
    bool mirrored = emberi_real_mat_det(place) < 0.0;
    for (unsigned i = 0; i < mesh->mNumFaces; i++) {
        const struct aiFace *face = &mesh->mFaces[i];
        for (uint32_t k = 0; face->mNumIndices == 3 && k < 3; k++)
            arrays.indices[used++] = face->mIndices[mirrored ? 2 - k : k];
    }
    emberi_json_object(json);
    emberi_json_key(json, "attributes");
    emberi_json_object(json);
    emberi_fbx_put_index(json, "POSITION",
                         emberi_fbx_floats(job->out, arrays.positions[0], mesh->mNumVertices, 3));
    if (arrays.normals != NULL)
        emberi_fbx_put_index(json, "NORMAL",
                             emberi_fbx_floats(job->out, arrays.normals[0], mesh->mNumVertices, 3));
    if (arrays.uvs != NULL)
        emberi_fbx_put_index(json, "TEXCOORD_0",
                             emberi_fbx_floats(job->out, arrays.uvs[0], mesh->mNumVertices, 2));
    if (arrays.colors != NULL)
        emberi_fbx_put_index(json, "COLOR_0",
                             emberi_fbx_floats(job->out, arrays.colors[0], mesh->mNumVertices, 4));
    if (arrays.joints != NULL) {
        emberi_fbx_put_index(json, "JOINTS_0",
                             emberi_fbx_joints(job->out, (const uint16_t(*)[4])arrays.joints,
                                               mesh->mNumVertices));
        emberi_fbx_put_index(json, "WEIGHTS_0",
                             emberi_fbx_floats(job->out, arrays.weights[0], mesh->mNumVertices, 4));
    }
    emberi_json_object_end(json);
    emberi_fbx_put_index(json, "indices", emberi_fbx_indices(job->out, arrays.indices, corners));
    emberi_fbx_put_index(json, "material", material_write(job, mesh->mMaterialIndex));
    emberi_json_object_end(json);
    ember_arena_free(&scratch);
}

/* ---- nodes that show something ---- */

static const struct aiMesh *node_mesh(const fbx_scene *scene, uint32_t node, unsigned index)
{
    unsigned number = scene->nodes[node].node->mMeshes[index];
    return number < scene->scene->mNumMeshes ? scene->scene->mMeshes[number] : NULL;
}

/* A skin for this node alone: the joints that its meshes name, bound as they say. Fills numbers, by node. */
static void node_own_skin(mesh_job *job, uint32_t node, uint32_t *numbers, uint32_t *joints, real_mat *binds)
{
    const fbx_scene *scene = job->scene;
    uint32_t         count = 0;
    memset(numbers, 0xff, scene->node_count * sizeof(*numbers));
    for (unsigned m = 0; m < scene->nodes[node].node->mNumMeshes; m++) {
        const struct aiMesh *mesh = node_mesh(scene, node, m);
        for (unsigned i = 0; mesh != NULL && i < mesh->mNumBones; i++) {
            uint32_t joint = emberi_fbx_find(scene, mesh->mBones[i]->mName.data);
            if (joint == FBX_NONE || numbers[joint] != FBX_NONE ||
                !mesh_bind(&binds[count], scene, node, mesh->mBones[i]))
                continue;
            joints[count] = joint;
            numbers[joint] = count++;
        }
    }
    if (count != 0)
        skin_put(job, joints, binds, count);
}

/* How a node's meshes follow the joints. */
typedef enum mesh_kind { MESH_NONE = 0, MESH_PLAIN, MESH_SHARED, MESH_OWN } mesh_kind;

static mesh_kind node_kind(mesh_job *job, uint32_t node)
{
    mesh_kind kind = MESH_NONE;
    for (unsigned m = 0; m < job->scene->nodes[node].node->mNumMeshes; m++) {
        const struct aiMesh *mesh = node_mesh(job->scene, node, m);
        if (mesh == NULL)
            continue;
        job->morphs += mesh->mNumAnimMeshes != 0;
        if (mesh_corners(mesh) == 0) {
            job->no_triangles++;
            continue;
        }
        mesh_kind own = mesh->mNumBones == 0                 ? MESH_PLAIN
                        : mesh_shares_binds(job, node, mesh) ? MESH_SHARED
                                                             : MESH_OWN;
        kind = own > kind ? own : kind;
    }
    return kind;
}

static void node_put(mesh_job *job, uint32_t node, const uint32_t *numbers)
{
    const fbx_scene *scene = job->scene;
    real_mat         place = numbers != NULL ? mesh_place(scene, node, false) : emberi_real_mat_identity;
    for (int i = 0; numbers == NULL && i < 3; i++)
        place.m[i][i] = scene->length;
    emberi_json_out *json = emberi_fbx_add(job->out, FBX_MESHES);
    emberi_json_key(json, "primitives");
    emberi_json_array(json);
    for (unsigned m = 0; m < scene->nodes[node].node->mNumMeshes; m++) {
        const struct aiMesh *mesh = node_mesh(scene, node, m);
        if (mesh != NULL && mesh_corners(mesh) != 0)
            primitive_put(job, json, mesh, numbers, &place);
    }
    emberi_json_array_end(json);
    emberi_json_object_end(json);
}

static ember_status meshes_put(mesh_job *job, const mesh_kind *kinds, uint32_t *meshes, uint32_t *skins,
                               ember_error *err)
{
    const fbx_scene *scene = job->scene;
    uint32_t        *shared = EMBER_PUSH(scene->arena, uint32_t, scene->node_count);
    uint32_t        *own = EMBER_PUSH(scene->arena, uint32_t, scene->node_count);
    uint32_t        *joints = EMBER_PUSH(scene->arena, uint32_t, scene->node_count);
    real_mat        *binds = EMBER_PUSH(scene->arena, real_mat, scene->node_count);
    if (shared == NULL || own == NULL || joints == NULL || binds == NULL)
        return emberi_fail_memory(err);
    for (uint32_t i = 0; i < scene->node_count; i++)
        shared[i] = scene->nodes[i].joint;
    if (scene->joint_count != 0)
        skin_put_shared(job);
    for (uint32_t i = 0; i < scene->node_count && !job->out->failed; i++) {
        if (kinds[i] == MESH_NONE)
            continue;
        if (kinds[i] == MESH_OWN)
            node_own_skin(job, i, own, joints, binds);
        if (kinds[i] != MESH_PLAIN && job->out->counts[FBX_SKINS] != 0)
            skins[i] = kinds[i] == MESH_SHARED ? 0 : job->out->counts[FBX_SKINS] - 1;
        node_put(job, i, skins[i] == FBX_NONE ? NULL : kinds[i] == MESH_OWN ? own : shared);
        meshes[i] = job->out->counts[FBX_MESHES] - 1;
    }
    return job->out->failed ? emberi_fail_memory(err) : EMBER_OK;
}

ember_status emberi_fbx_meshes(fbx_out *out, const fbx_scene *scene, uint32_t *meshes, uint32_t *skins,
                               ember_error *err)
{
    mesh_job   job = {.out = out, .scene = scene};
    mesh_kind *kinds = EMBER_PUSH(scene->arena, mesh_kind, scene->node_count);
    job.binds = EMBER_PUSH(scene->arena, real_mat, scene->joint_count);
    job.bound = EMBER_PUSH(scene->arena, uint8_t, scene->joint_count);
    job.material = EMBER_PUSH(scene->arena, uint32_t, scene->scene->mNumMaterials);
    if (kinds == NULL || job.binds == NULL || job.bound == NULL || job.material == NULL)
        return emberi_fail_memory(err);
    memset(job.material, 0xff, scene->scene->mNumMaterials * sizeof(*job.material));
    memset(meshes, 0xff, scene->node_count * sizeof(*meshes));
    memset(skins, 0xff, scene->node_count * sizeof(*skins));
    for (uint32_t i = 0; i < scene->node_count; i++)
        kinds[i] = node_kind(&job, i);
    ember_status status = meshes_put(&job, kinds, meshes, skins, err);
    if (job.no_triangles != 0)
        emberi_fbx_note(out, "%u %s no triangles and %s left out", job.no_triangles,
                        job.no_triangles == 1 ? "mesh has" : "meshes have",
                        job.no_triangles == 1 ? "is" : "are");
    if (job.morphs != 0)
        emberi_fbx_note(out, "%u %s morph targets, which are ignored", job.morphs,
                        job.morphs == 1 ? "mesh has" : "meshes have");
    return status;
}
