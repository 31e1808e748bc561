/* SPDX-License-Identifier: MIT */
/* A small model with a bit of everything, in every format and variant that the library writes. */
#include "seeds.h"

#include <string.h>

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
    ember_vec3      positions[4], normals[4];
    float           tangents[4][4], uvs[4][2], colors[4][4], weights[4][4];
    uint16_t        joints[4][4];
    ember_clip      clips[2];
    ember_mesh      meshes[3];
    ember_skeleton  skeleton;
} parts;

static const uint32_t     indices[6] = {0, 1, 2, 2, 1, 3};
static const ember_marker markers[2] = {{"step", 1}, {"", 3}};
static const uint8_t      texture[12] = {0x89, 'P', 'N', 'G', 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3, 4};

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
    for (uint32_t i = 0; i < 4; i++) {
        p->positions[i] = (ember_vec3){(float)(i & 1), (float)(i >> 1), 0.25f * (float)i};
        p->normals[i] = (ember_vec3){0, 0, 1};
        p->tangents[i][0] = p->tangents[i][3] = 1.0f;
        p->uvs[i][0] = (float)(i & 1);
        p->uvs[i][1] = (float)(i >> 1);
        for (uint32_t k = 0; k < 4; k++)
            p->colors[i][k] = k == 3 ? 1.0f : 0.25f * (float)i;
        p->joints[i][0] = 2;
        p->joints[i][1] = 1;
        p->weights[i][0] = 0.75f;
        p->weights[i][1] = 0.25f;
    }
    ember_mesh plain = {.name = "still",
                        .vertex_count = 4,
                        .positions = p->positions,
                        .index_count = 6,
                        .indices = indices,
                        .bone = -1,
                        .base_color = {1, 1, 1, 1}};
    p->meshes[0] = plain;
    p->meshes[1] = plain;
    p->meshes[1].name = "rigid";
    p->meshes[1].bone = 3;
    p->meshes[1].normals = p->normals;
    p->meshes[1].uvs = (const float(*)[2])p->uvs;
    p->meshes[2] = p->meshes[1];
    p->meshes[2].name = "skin";
    p->meshes[2].bone = -1;
    p->meshes[2].tangents = (const float(*)[4])p->tangents;
    p->meshes[2].colors = (const float(*)[4])p->colors;
    p->meshes[2].joints = (const uint16_t(*)[4])p->joints;
    p->meshes[2].weights = (const float(*)[4])p->weights;
    p->meshes[2].texture = texture;
    p->meshes[2].texture_size = sizeof(texture);
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
    put(s, "local", &first, (ember_write_options){.format = EMBER_FORMAT_EWZANIM});
    put(s, "model", &second, (ember_write_options){.format = EMBER_FORMAT_EWZANIM});
    for (int record = 0; record < EMBER_RECORD_COUNT; record++) {
        char name[16] = "record-0";
        name[7] = (char)('0' + record);
        put(s, name, &first,
            (ember_write_options){.format = EMBER_FORMAT_EZA,
                                  .record = (ember_record)record,
                                  .record_set = true});
    }
    put(s, "dense", &first, (ember_write_options){.format = EMBER_FORMAT_ANIMBIN});
    put(s, "moving", &first,
        (ember_write_options){.format = EMBER_FORMAT_ANIMBIN,
                              .animbin = {.translations = EMBER_ANIMBIN_TRANSLATIONS_ALWAYS}});
    put(s, "sparse", &first,
        (ember_write_options){.format = EMBER_FORMAT_ANIMBIN,
                              .animbin = {.keys = EMBER_ANIMBIN_KEYS_SPARSE}});
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
                (ember_write_options){.format = EMBER_FORMAT_EWZMESH, .unpacked = unpacked != 0});
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
