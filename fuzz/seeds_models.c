/* SPDX-License-Identifier: MIT */
/* A small model with a bit of everything, in every format and variant that the library writes. */
#include "seeds.h"

#include <string.h>

#include "../tests/fixtures/skinned_mesh.h"

#define BONES 4u
#define FRAMES 5u

static const int16_t     parents[BONES] = {-1, 0, 1, 0};
static const char *const names[BONES] = {"ff7", "root", "bone_00", "weapon"};

static ember_transform pose(uint32_t bone, uint32_t frame, bool scaled)
{
    const float a = 0.1f * (float)(frame + 1) * (float)(bone + 1),
                size = scaled ? 1.0f + 0.25f * (float)frame : 1.0f;
    return (ember_transform){ember_quat_normalize((ember_quat){a, 0.2f * (float)bone, -a * a, 1.0f}),
                             {(float)bone, 0.5f * (float)frame, -a},
                             {size, size, bone == 2 && scaled ? 2.0f : size}};
}

typedef struct parts {
    ember_transform rest[BONES], frames[2][BONES * FRAMES];
    ember_mat34     binds[BONES];
    skinned_mesh    skin;
    ember_clip      clips[2];
    ember_mesh      meshes[3];
    ember_skeleton  skeleton;
} parts;

static const ember_marker markers[2] = {{"step", 1}, {"", 3}};

static void make_bones(parts *p)
{
    for (uint32_t i = 0; i < BONES; i++) {
        p->rest[i] = pose(i, 0, false);
        p->binds[i] = (ember_mat34){{1, 0, 0, -(float)i, 0, 1, 0, 0.5f, 0, 0, 1, 0}};
        for (uint32_t f = 0; f < FRAMES; f++) {
            p->frames[0][f * BONES + i] = pose(i, f, false);
            p->frames[1][f * BONES + i] = pose(i, f / 2, true);
        }
    }
    p->skeleton = (ember_skeleton){BONES, parents, names, p->rest, p->binds};
    p->clips[0] = (ember_clip){.name = "body_00",
                               .fps = 15.0,
                               .loop = true,
                               .space = EMBER_SPACE_LOCAL,
                               .bone_count = BONES,
                               .frame_count = FRAMES,
                               .frames = p->frames[0],
                               .marker_count = 2,
                               .markers = markers};
    p->clips[1] = (ember_clip){.name = "grow",
                               .fps = 30.0,
                               .space = EMBER_SPACE_MODEL,
                               .bone_count = BONES,
                               .frame_count = FRAMES,
                               .frames = p->frames[1]};
}

static void make_meshes(parts *p)
{
    static const uint32_t indices[6] = {0, 1, 2, 2, 1, 3};
    skinned_mesh         *m = &p->skin;
    memcpy(m->indices, indices, sizeof(indices));
    for (uint32_t i = 0; i < 4; i++) {
        m->positions[i] = (ember_vec3){(float)(i & 1), (float)(i >> 1), 0.25f * (float)i};
        m->normals[i] = (ember_vec3){0, 0, 1};
        m->tangents[i][0] = m->tangents[i][3] = 1.0f;
        m->uvs[i][0] = (float)(i & 1);
        m->uvs[i][1] = (float)(i >> 1);
        for (uint32_t k = 0; k < 4; k++)
            m->colors[i][k] = k == 3 ? 1.0f : 0.25f * (float)i;
        m->joints[i][0] = 2;
        m->joints[i][1] = 1;
        m->weights[i][0] = 0.75f;
        m->weights[i][1] = 0.25f;
    }
    skinned_mesh_link(m, "skin", 4, 6);
    p->meshes[1] = skinned_mesh_rigid(&m->mesh, "rigid", 3);
    p->meshes[1].tangents = NULL;
    p->meshes[1].colors = NULL;
    p->meshes[0] = skinned_mesh_rigid(&p->meshes[1], "still", -1);
    p->meshes[0].normals = NULL;
    p->meshes[0].uvs = NULL;
    p->meshes[2] = m->mesh;
    p->meshes[2].texture = fixture_png;
    p->meshes[2].texture_size = sizeof(fixture_png);
}

static void put(seeds *s, const char *name, const ember_model *model, ember_write_options options)
{
    ember_buffer file = {.allocator = ember_heap()};
    ember_error  err = EMBER_ERROR_INIT;
    seeds_must(ember_model_write(&file, model, &options, &err), &err);
    seeds_put_file(s, ember_format_get(options.format)->name, name, file.data, file.size);
    ember_buffer_free(&file);
}

static void put_clips(seeds *s, const parts *p)
{
    ember_model two = {.skeleton = p->skeleton,
                       .clip_count = 2,
                       .clips = p->clips,
                       .mesh_count = 3,
                       .meshes = p->meshes};
    ember_model first = {.skeleton = p->skeleton, .clip_count = 1, .clips = p->clips};
    ember_model second = {.skeleton = p->skeleton, .clip_count = 1, .clips = p->clips + 1};
    ember_model bare = {.skeleton = {BONES, parents, NULL, NULL, NULL}, .clip_count = 1, .clips = p->clips};
    put(s, "whole", &two, (ember_write_options){.format = EMBER_FORMAT_JSON, .compact = true});
    put(s, "whole", &two, (ember_write_options){.format = EMBER_FORMAT_GLTF, .compact = true});
    put(s, "whole", &two, (ember_write_options){.format = EMBER_FORMAT_GLB});
    put(s, "local", &first, (ember_write_options){.format = EMBER_FORMAT_GLB});
    put(s, "local", &first, (ember_write_options){.format = EMBER_FORMAT_GLTF});
    put(s, "bare", &bare, (ember_write_options){.format = EMBER_FORMAT_JSON});
    put(s, "local", &first,
        (ember_write_options){.format = EMBER_FORMAT_EWZANIM, .space = EMBER_SPACE_LOCAL});
    put(s, "model", &second, (ember_write_options){.format = EMBER_FORMAT_EWZANIM});
    for (int record = 0; record < EMBER_RECORD_COUNT; record++) {
        char name[16] = "record-0";
        name[7] = (char)('0' + record);
        put(s, name, &first,
            (ember_write_options){.format = EMBER_FORMAT_EZA,
                                  .eza = &(ember_eza_options){.record_set = true,
                                                              .record = (ember_record)record}});
    }
    put(s, "default", &first, (ember_write_options){.format = EMBER_FORMAT_EWZLEAN});
    put(s, "fine", &second,
        (ember_write_options){.format = EMBER_FORMAT_EWZLEAN,
                              .ewzlean = &(ember_ewzlean_options){.error = 0.0001}});
    put(s, "dense", &first, (ember_write_options){.format = EMBER_FORMAT_ANIMBIN});
    put(s, "moving", &first,
        (ember_write_options){.format = EMBER_FORMAT_ANIMBIN,
                              .animbin = &(ember_animbin_options){.translations =
                                                                      EMBER_ANIMBIN_TRANSLATIONS_ALWAYS}});
    put(s, "sparse", &first,
        (ember_write_options){.format = EMBER_FORMAT_ANIMBIN,
                              .animbin = &(ember_animbin_options){.keys = EMBER_ANIMBIN_KEYS_SPARSE}});
    put(s, "whole", &first, (ember_write_options){.format = EMBER_FORMAT_FF7});
}

static void put_skeleton_and_meshes(seeds *s, const parts *p)
{
    ember_model skeleton = {.skeleton = p->skeleton};
    put(s, "binds", &skeleton, (ember_write_options){.format = EMBER_FORMAT_EWZSKEL});
    skeleton.skeleton.inverse_binds = NULL;
    put(s, "rest", &skeleton, (ember_write_options){.format = EMBER_FORMAT_EWZSKEL});
    for (uint32_t i = 0; i < 3; i++)
        for (int unpacked = 0; unpacked < 2; unpacked++) {
            char        name[16] = "packed-0";
            ember_model mesh = {.skeleton = p->skeleton, .mesh_count = 1, .meshes = &p->meshes[i]};
            memcpy(name, unpacked ? "floats-" : "packed-", 7);
            name[7] = (char)('0' + i);
            put(s, name, &mesh,
                (ember_write_options){.format = EMBER_FORMAT_EWZMESH,
                                      .ewzmesh = &(ember_ewzmesh_options){.unpacked = unpacked != 0}});
        }
}

void seeds_put_models(seeds *s)
{
    static parts p;
    make_bones(&p);
    make_meshes(&p);
    put_clips(s, &p);
    put_skeleton_and_meshes(s, &p);
}
