/* SPDX-License-Identifier: MIT */
/* Assets made in memory, and ROMs of them. */
#ifndef EMBER_TEST_ROM_MADE_H
#define EMBER_TEST_ROM_MADE_H

#include "fixtures/png.h"
#include "fixtures/three_bones.h"
#include "fixtures/triangle.h"
#include "testing.h"

/* An .ewzanim of rotations and positions that move a little from frame to frame. Free it. */
static inline uint8_t *made_clip(size_t *size, uint32_t bones, uint32_t frames, uint64_t seed)
{
    test_random random = {seed * 2654435761u + 1};
    *size = 4 + (size_t)bones * frames * 16;
    uint8_t *data = test_alloc(*size);
    data[0] = (uint8_t)bones;
    data[1] = 0;
    data[2] = (uint8_t)frames;
    data[3] = (uint8_t)(frames >> 8);
    for (size_t i = 0; i < (size_t)bones * frames; i++) {
        float t = (float)(i / bones) * 0.1f, q = test_random_float(&random, -0.05f, 0.05f) + 0.3f * t;
        ember_transform transform = {{q, 0.1f, 0.0f, 1.0f},
                                     {t, 1.0f, test_random_float(&random, -0.1f, 0.1f)},
                                     {1.0f, 1.0f, 1.0f}};
        assert_int_equal(ember_record_encode(data + 4 + i * 16, EMBER_RECORD_EWZ, &transform), EMBER_OK);
    }
    return data;
}

/* The bytes of a file that the library writes from a model. */
static inline ember_buffer made_file(const ember_model *model, ember_format format)
{
    ember_buffer        out = {.allocator = ember_heap()};
    ember_error         err = EMBER_ERROR_INIT;
    ember_write_options options = {.format = format};
    if (ember_model_write(&out, model, &options, &err) != EMBER_OK)
        fail_msg("%s", err.text);
    return out;
}

static inline ember_buffer made_skeleton_file(void)
{
    ember_model model = {.skeleton = fixture_skeleton};
    return made_file(&model, EMBER_FORMAT_EWZSKEL);
}

static inline ember_buffer made_mesh_file(void)
{
    ember_mesh  mesh = fixture_triangle();
    ember_model model = {.mesh_count = 1, .meshes = &mesh};
    return made_file(&model, EMBER_FORMAT_EWZMESH);
}

static const uint8_t made_wasm[8] = {0, 'a', 's', 'm', 1, 0, 0, 0};

/* One asset of every kind, two clips of one rig. */
#define MADE_ASSETS 8u
typedef struct made_content {
    ember_rom_asset   assets[MADE_ASSETS];
    ember_rom_content content;
    uint8_t          *clips[3];
    ember_buffer      skeleton, mesh;
    uint8_t          *lean_rig, *lean[3]; /* MADE_LEAN */
} made_content;

/* In place of a method: the clips are lean ones. */
#define MADE_LEAN EMBER_SQUEEZE_METHOD_COUNT
#define MADE_LEAN_ERROR 0.001f
#define MADE_LEAN_SHELL 0.03f

static inline ember_rom_asset made_clip_asset(const char *id, const uint8_t *data, size_t size)
{
    return (ember_rom_asset){.kind = EMBER_ROM_KEYFRAMES,
                             .id = id,
                             .data = data,
                             .size = size,
                             .space = EMBER_SPACE_LOCAL,
                             .fps = 30.0,
                             .skeleton = &fixture_skeleton};
}

/* The poses that an .ewzanim holds. Free them. */
static inline ember_transform *made_poses(const uint8_t *file, uint32_t *frame_count)
{
    uint32_t         bones = file[0];
    size_t           count = (size_t)bones * (file[2] | (uint32_t)file[3] << 8);
    ember_transform *poses = test_alloc(count * sizeof(*poses));
    for (size_t i = 0; i < count; i++)
        poses[i] = ember_record_decode(file + 4 + i * 16, EMBER_RECORD_EWZ, NULL);
    *frame_count = (uint32_t)(count / bones);
    return poses;
}

/* Makes the asset, an .ewzanim in local space, a lean clip against that rig. Free the bytes. */
static inline uint8_t *made_lean_clip(ember_rom_asset *asset, const uint8_t *rig_data, size_t rig_size)
{
    ember_lean_rig   rig;
    uint32_t         frames;
    ember_arena      scratch = ember_arena_growing(ember_heap(), 0);
    ember_transform *poses = made_poses(asset->data, &frames);
    assert_int_equal(ember_lean_rig_open(&rig, rig_data, rig_size, NULL), EMBER_OK);
    size_t         room = ember_lean_bound(rig.bone_count, frames);
    ember_lean_job job = {.out = test_alloc(room),
                          .out_capacity = room,
                          .frames = poses,
                          .frame_count = frames,
                          .parents = asset->skeleton->parents,
                          .rig = &rig,
                          .max_error = MADE_LEAN_ERROR};
    assert_int_equal(ember_lean_encode(&job, &scratch, NULL), EMBER_OK);
    asset->data = job.out;
    asset->size = job.out_size;
    asset->lean_rig = rig_data;
    asset->lean_rig_size = rig_size;
    asset->method = EMBER_SQUEEZE_RAW;
    free(poses);
    ember_arena_free(&scratch);
    return job.out;
}

/* A rig of one .ewzanim's poses. Free it. */
static inline uint8_t *made_lean_rig(size_t *size, const uint8_t *file)
{
    uint32_t               frames;
    ember_arena            scratch = ember_arena_growing(ember_heap(), 0);
    ember_transform       *poses = made_poses(file, &frames);
    const ember_transform *clips[1] = {poses};
    size_t                 room = ember_lean_rig_bound(file[0]);
    ember_lean_rig_job     job = {.out = test_alloc(room),
                                  .out_capacity = room,
                                  .clips = clips,
                                  .frame_counts = &frames,
                                  .clip_count = 1,
                                  .bone_count = file[0],
                                  .shell = MADE_LEAN_SHELL};
    assert_int_equal(ember_lean_rig_make(&job, &scratch, NULL), EMBER_OK);
    free(poses);
    ember_arena_free(&scratch);
    *size = job.out_size;
    return job.out;
}

static inline void made_content_make(made_content *m, ember_squeeze_method method)
{
    size_t sizes[3];
    memset(m, 0, sizeof(*m));
    for (uint32_t i = 0; i < 3; i++)
        m->clips[i] = made_clip(&sizes[i], SKELETON_BONES, 5 + i, i + 1);
    m->skeleton = made_skeleton_file();
    m->mesh = made_mesh_file();
    m->assets[0] = made_clip_asset("walk", m->clips[0], sizes[0]);
    m->assets[0].loop = true;
    m->assets[0].marker_count = 2;
    m->assets[0].markers = skeleton_markers;
    m->assets[1] = made_clip_asset("run", m->clips[1], sizes[1]);
    m->assets[2] = made_clip_asset("walk-model", m->clips[2], sizes[2]);
    m->assets[2].space = EMBER_SPACE_MODEL;
    for (int i = 0; i < 3; i++)
        m->assets[i].method = method;
    if (method == MADE_LEAN) {
        size_t size;
        m->lean_rig = made_lean_rig(&size, m->clips[0]);
        for (int i = 0; i < 3; i++)
            m->lean[i] = made_lean_clip(&m->assets[i], m->lean_rig, size);
    }
    m->assets[3] = (ember_rom_asset){.kind = EMBER_ROM_SKELETON,
                                     .id = "hero",
                                     .data = m->skeleton.data,
                                     .size = m->skeleton.size};
    m->assets[4] = (ember_rom_asset){.kind = EMBER_ROM_MESH,
                                     .id = "hero",
                                     .data = m->mesh.data,
                                     .size = m->mesh.size,
                                     .texture = "hero/skin"};
    m->assets[5] = (ember_rom_asset){.kind = EMBER_ROM_TEXTURE,
                                     .id = "hero/skin",
                                     .data = fixture_png,
                                     .size = sizeof(fixture_png)};
    m->assets[6] =
        (ember_rom_asset){.kind = EMBER_ROM_GAME, .id = "game", .data = made_wasm, .size = sizeof(made_wasm)};
    m->assets[7] =
        (ember_rom_asset){.kind = EMBER_ROM_DATA, .id = "levels/one.txt", .data = "level", .size = 5};
    m->content = (ember_rom_content){.title = "Walk",
                                     .author = "Somebody",
                                     .assets = m->assets,
                                     .asset_count = MADE_ASSETS};
}

static inline void made_content_free(made_content *m)
{
    for (int i = 0; i < 3; i++) {
        free(m->clips[i]);
        free(m->lean[i]);
    }
    free(m->lean_rig);
    ember_buffer_free(&m->skeleton);
    ember_buffer_free(&m->mesh);
}

static inline ember_buffer made_rom(const ember_rom_content *content)
{
    ember_buffer out = {.allocator = ember_heap()};
    ember_error  err = EMBER_ERROR_INIT;
    if (ember_rom_write(&out, content, NULL, NULL, &err) != EMBER_OK)
        fail_msg("%s", err.text);
    return out;
}

static inline ember_rom *made_open(const ember_buffer *bytes)
{
    ember_rom  *rom;
    ember_error err = EMBER_ERROR_INIT;
    if (ember_rom_open_memory(&rom, bytes->data, bytes->size, ember_heap(), &err) != EMBER_OK)
        fail_msg("%s", err.text);
    return rom;
}

/* ---- findings, kept ---- */

typedef struct made_findings {
    uint32_t count, errors;
    char     code[16], clip[300], text[400]; /* of the first */
} made_findings;

static inline void made_take(void *user, const ember_finding *finding)
{
    made_findings *all = user;
    if (all->count++ == 0) {
        snprintf(all->code, sizeof(all->code), "%s", finding->code);
        snprintf(all->clip, sizeof(all->clip), "%s", finding->clip != NULL ? finding->clip : "");
        snprintf(all->text, sizeof(all->text), "%s", finding->text);
    }
    all->errors += finding->severity == EMBER_SEVERITY_ERROR ? 1 : 0;
}

static inline made_findings made_check(const ember_rom *rom)
{
    made_findings  all = {0, 0, "", "", ""};
    ember_findings findings = {made_take, &all};
    ember_error    err = EMBER_ERROR_INIT;
    assert_int_equal(ember_rom_check(rom, ember_heap(), &findings, &err), EMBER_OK);
    return all;
}

#endif
