/* SPDX-License-Identifier: MIT */
/* gltf_samples FOLDER [FILE...]: makes models of all kinds that the glTF writer must cope with, and writes
   each as NAME.glb, NAME.gltf and NAME.json (the clip form) into the folder; FILEs that the library reads
   likewise. For the scripts beside it. */
#include "fixtures/skinned_mesh.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BONES 6u
#define FRAMES 31u

static const ember_transform identity = EMBER_TRANSFORM_IDENTITY;

/* A 4x4 image. */
static const uint8_t png[73] = {0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49,
                                0x48, 0x44, 0x52, 0x00, 0x00, 0x00, 0x04, 0x00, 0x00, 0x00, 0x04, 0x08, 0x02,
                                0x00, 0x00, 0x00, 0x26, 0x93, 0x09, 0x29, 0x00, 0x00, 0x00, 0x10, 0x49, 0x44,
                                0x41, 0x54, 0x78, 0xda, 0x63, 0xf8, 0xdf, 0xc0, 0x00, 0x47, 0x0c, 0xc4, 0x71,
                                0x00, 0x7e, 0xa2, 0x17, 0xf1, 0xb5, 0xa0, 0xcf, 0x8a, 0x00, 0x00, 0x00, 0x00,
                                0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82};

static void save(const char *folder, const char *name, const char *extension, ember_format format,
                 const ember_model *model)
{
    char                path[4096];
    ember_error         err = EMBER_ERROR_INIT;
    ember_buffer        file = {.allocator = ember_heap()};
    ember_write_options options = {.format = format};
    snprintf(path, sizeof(path), "%s/%s.%s", folder, name, extension);
    if (ember_model_write(&file, model, &options, &err) != EMBER_OK ||
        ember_file_write(path, file.data, file.size, &err) != EMBER_OK) {
        fprintf(stderr, "%s: %s\n", path, err.text);
        exit(1);
    }
    ember_buffer_free(&file);
}

static void save_all(const char *folder, const char *name, const ember_model *model)
{
    save(folder, name, "glb", EMBER_FORMAT_GLB, model);
    save(folder, name, "gltf", EMBER_FORMAT_GLTF, model);
    save(folder, name, "json", EMBER_FORMAT_JSON, model);
}

static ember_quat turn(float x, float y, float z, float angle)
{
    float length = sqrtf(x * x + y * y + z * z), s = sinf(angle / 2.0f) / length;
    return (ember_quat){x * s, y * s, z * s, cosf(angle / 2.0f)};
}

/* ---- a rig that has a bit of everything ---- */

typedef struct rig {
    int16_t         parents[BONES];
    const char     *names[BONES];
    ember_transform rest[BONES];
    ember_transform walk[BONES * FRAMES], wave[BONES * FRAMES];
    ember_marker    markers[2];
    ember_clip      clips[2];
    ember_model     model;
} rig;

static void rig_frame(ember_transform *pose, const ember_transform *rest, float t)
{
    memcpy(pose, rest, BONES * sizeof(*pose));
    pose[0].position.x += 1.5f * t; /* a straight line */
    pose[0].position.y += 0.05f * sinf(12.0f * t);
    pose[1].rotation = turn(0.0f, 0.0f, 1.0f, 1.2f * sinf(6.2831853f * t)); /* a swing */
    pose[2].rotation = turn(1.0f, 2.0f, 3.0f, 5.0f * t);                    /* a steady turn, past a half */
    pose[3].rotation = turn(1.0f, 0.0f, 0.0f, 0.5f);                        /* held, but not at rest */
    pose[4].scale = (ember_vec3){1.0f + 0.5f * t, 1.0f + 0.5f * t, 1.0f + 0.5f * t};
    /* bone 5 rests */
}

static void rig_fill(rig *r)
{
    static const int16_t     parents[BONES] = {-1, 0, 1, 0, 3, 4};
    static const char *const names[BONES] = {"hips", "thigh.L", "shin.L", "spine", "t\xc3\xaate", "\"hat\""};
    memset(r, 0, sizeof(*r));
    for (uint32_t i = 0; i < BONES; i++) {
        r->parents[i] = parents[i];
        r->names[i] = names[i];
        r->rest[i] = identity;
        r->rest[i].position = (ember_vec3){0.1f * (float)i, i < 3 ? -0.4f : 0.35f, 0.02f * (float)i};
    }
    r->rest[0].position.y = 1.0f;
    r->rest[3].rotation = turn(0.3f, 1.0f, 0.0f, 0.7f);
    for (uint32_t i = 0; i < FRAMES; i++) {
        float t = (float)i / (float)(FRAMES - 1);
        rig_frame(r->walk + i * BONES, r->rest, t);
        rig_frame(r->wave + i * BONES, r->rest, t * t);
        /* Signs that change from frame to frame mean nothing. */
        if (i % 2 != 0) {
            ember_quat *q = &r->wave[i * BONES + 1].rotation;
            *q = (ember_quat){-q->x, -q->y, -q->z, -q->w};
        }
    }
    r->markers[0] = (ember_marker){"left foot", 3};
    r->markers[1] = (ember_marker){"right foot", 18};
    r->clips[0] = (ember_clip){.name = "walk",
                               .fps = 30.0,
                               .loop = true,
                               .space = EMBER_SPACE_LOCAL,
                               .bone_count = BONES,
                               .frame_count = FRAMES,
                               .frames = r->walk,
                               .marker_count = 2,
                               .markers = r->markers};
    r->clips[1] = (ember_clip){.name = "wave",
                               .fps = 30.0,
                               .space = EMBER_SPACE_LOCAL,
                               .bone_count = BONES,
                               .frame_count = FRAMES,
                               .frames = r->wave};
    r->model = (ember_model){.skeleton = {.bone_count = BONES,
                                          .parents = r->parents,
                                          .names = r->names,
                                          .rest = r->rest},
                             .clip_count = 2,
                             .clips = r->clips};
}

/* A frame of transforms from the model's origin; scales are even, so that there are such. */
static void rig_to_model_space(ember_transform *frames, const int16_t *parents)
{
    for (uint32_t i = 0; i < FRAMES; i++)
        for (uint32_t k = 0; k < BONES; k++)
            if (parents[k] >= 0)
                frames[i * BONES + k] =
                    ember_transform_mul(frames + i * BONES + parents[k], &frames[i * BONES + k]);
}

static void make_world(const char *folder)
{
    rig r;
    rig_fill(&r);
    for (int i = 0; i < 2; i++)
        r.clips[i].space = EMBER_SPACE_MODEL;
    rig_to_model_space(r.walk, r.parents);
    rig_to_model_space(r.wave, r.parents);
    save_all(folder, "world", &r.model);

    /* Only some bones, in another order: the rest rests on them. */
    static const uint16_t bones[3] = {4, 1, 3};
    ember_transform       some[3 * FRAMES];
    for (uint32_t i = 0; i < FRAMES; i++)
        for (uint32_t k = 0; k < 3; k++)
            some[i * 3 + k] = r.walk[i * BONES + bones[k]];
    r.clips[0].bones = bones;
    r.clips[0].bone_count = 3;
    r.clips[0].frames = some;
    r.model.clip_count = 1;
    save_all(folder, "some", &r.model);
}

/* As an .ewzanim without a skeleton is read: model space, no names, no parents, no rest. */
static void make_flat(const char *folder)
{
    rig r;
    rig_fill(&r);
    rig_to_model_space(r.walk, r.parents);
    for (uint32_t i = 0; i < BONES; i++)
        r.parents[i] = -1;
    r.clips[0].space = EMBER_SPACE_MODEL;
    r.clips[0].fps = 0.0;
    r.model.skeleton.names = NULL;
    r.model.skeleton.rest = NULL;
    r.model.clip_count = 1;
    save_all(folder, "flat", &r.model);
}

static void make_mirrored(const char *folder)
{
    rig r;
    rig_fill(&r);
    for (uint32_t i = 0; i < FRAMES; i++)
        r.walk[i * BONES + 1].scale = (ember_vec3){-1.0f, 1.0f, 1.0f};
    r.rest[1].scale.x = -1.0f;
    r.model.clip_count = 1;
    save_all(folder, "mirrored", &r.model);
}

static void make_stills(const char *folder)
{
    rig r;
    rig_fill(&r);
    for (uint32_t i = 0; i < FRAMES; i++)
        memcpy(r.walk + i * BONES, r.rest, sizeof(r.rest));
    memcpy(r.wave + BONES * 4, r.walk, sizeof(r.rest));
    r.clips[1].frame_count = 1;
    save_all(folder, "stills", &r.model);
    r.clips[1].name = "";
    r.clips[1].frames = r.wave + BONES * 9; /* one pose that is not the rest */
    save_all(folder, "pose", &r.model);
}

static void make_crowd(const char *folder)
{
    static int16_t         parents[300];
    static ember_transform frames[300 * 4];
    for (uint32_t i = 0; i < 300; i++) {
        parents[i] = -1;
        for (uint32_t k = 0; k < 4; k++) {
            frames[k * 300 + i] = identity;
            frames[k * 300 + i].position =
                (ember_vec3){(float)(i % 20), (float)(k * k) * 0.1f, (float)(i / 20)};
        }
    }
    ember_clip  clip = {.name = "jump",
                        .fps = 12.5,
                        .space = EMBER_SPACE_LOCAL,
                        .bone_count = 300,
                        .frame_count = 4,
                        .frames = frames};
    ember_model model = {.skeleton = {.bone_count = 300, .parents = parents},
                         .clip_count = 1,
                         .clips = &clip};
    save_all(folder, "crowd", &model);
}

/* ---- meshes: skinned, rigid, standing ---- */

static void make_meshes(const char *folder)
{
    /* Weights of up to four bones, normals that are too long or none, a colour that is too bright. */
    static const skinned_mesh numbers = {
        .positions = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}},
        .normals = {{0, 0, 1}, {0, 0, 2}, {0, 0, 0}, {0, 0, 1}},
        .tangents = {{2, 0, 0, 1}, {1, 0, 0, -1}, {1, 0, 0, 1}, {1, 0, 0, 1}},
        .uvs = {{0, 0}, {1, 0}, {1, 1}, {0, 1}},
        .colors = {{1, 0, 0, 1}, {0, 1.5f, 0, 1}, {0, 0, 1, 0.5f}, {1, 1, 1, 1}},
        .weights = {{0.7f, 0.3f, 0, 0},
                    {0.5f, 0.25f, 0.25f, 0},
                    {0.4f, 0.3f, 0.2f, 0.1f},
                    {0.25f, 0.25f, 0.25f, 0.25f}},
        .joints = {{0, 1, 0, 0}, {2, 2, 3, 0}, {4, 5, 1, 2}, {3, 3, 3, 3}},
        .indices = {0, 1, 2, 0, 2, 3},
    };
    rig          r;
    skinned_mesh skin = numbers;
    ember_mesh   meshes[4];
    rig_fill(&r);
    skinned_mesh_link(&skin, "body", 4, 6);
    meshes[0] = skin.mesh;
    meshes[0].base_color[1] = 0.5f;
    meshes[0].base_color[2] = 0.25f;
    meshes[0].texture = png;
    meshes[0].texture_size = sizeof(png);
    meshes[1] = skinned_mesh_rigid(&meshes[0], "sword", 2);
    meshes[2] = meshes[1];
    meshes[2].name = "";
    meshes[2].bone = -1;
    meshes[2].normals = NULL;
    meshes[2].uvs = NULL;
    meshes[2].base_color[3] = 0.5f;
    meshes[3] = meshes[0];
    meshes[3].name = "nothing";
    meshes[3].vertex_count = 0;
    meshes[3].index_count = 0;
    r.model.mesh_count = 4;
    r.model.meshes = meshes;
    save_all(folder, "meshes", &r.model);

    ember_model still = {.mesh_count = 1, .meshes = &meshes[2]};
    save_all(folder, "stone", &still);

    /* More vertices than 16 bits count. */
    static ember_vec3 many[70000];
    static uint32_t   order[69999];
    for (uint32_t i = 0; i < 70000; i++)
        many[i] = (ember_vec3){(float)(i % 300), (float)(i / 300), (float)(i % 7)};
    for (uint32_t i = 0; i < 69999; i++)
        order[i] = 69999 - i;
    ember_mesh  cloud = {.name = "cloud",
                         .vertex_count = 70000,
                         .positions = many,
                         .index_count = 69999,
                         .indices = order,
                         .bone = -1,
                         .base_color = {1, 1, 1, 1}};
    ember_model large = {.mesh_count = 1, .meshes = &cloud};
    save_all(folder, "cloud", &large);
}

/* ---- files ---- */

static void convert(const char *folder, const char *path)
{
    ember_error        err = EMBER_ERROR_INIT;
    ember_buffer       file = {.allocator = ember_heap()};
    ember_arena        arena = ember_arena_growing(ember_heap(), 0);
    ember_read_options options = {.path = path};
    ember_model        model;
    const char        *slash = strrchr(path, '/'), *base = slash != NULL ? slash + 1 : path;
    char               name[256];
    snprintf(name, sizeof(name), "%.*s", (int)strcspn(base, "."), base);
    if (ember_file_read(&file, path, 0, &err) != EMBER_OK ||
        ember_model_read(&model, file.data, file.size, &options, &arena, &err) != EMBER_OK) {
        fprintf(stderr, "%s: %s\n", path, err.text);
        exit(1);
    }
    save_all(folder, name, &model);
    ember_arena_free(&arena);
    ember_buffer_free(&file);
}

int main(int argc, char **argv)
{
    rig r;
    if (argc < 2) {
        fprintf(stderr, "usage: gltf_samples FOLDER [FILE...]\n");
        return 2;
    }
    for (int i = 2; i < argc; i++)
        convert(argv[1], argv[i]);
    if (argc > 2)
        return 0;
    rig_fill(&r);
    save_all(argv[1], "rig", &r.model);
    make_world(argv[1]);
    make_flat(argv[1]);
    make_mirrored(argv[1]);
    make_stills(argv[1]);
    make_crowd(argv[1]);
    make_meshes(argv[1]);
    return 0;
}
