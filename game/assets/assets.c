/* SPDX-License-Identifier: MIT */
/* The example games' assets, one after the other into files as `ember export` would write them, and all of
   them into a ROM. */
#include "assets.h"

#include <string.h>

#include "boxes.h"
#include "walker.h"

/* ---- adding ---- */

static ember_rom_asset *assets_add(game_assets *all, ember_rom_kind kind, const char *id)
{
    ember_rom_asset *asset = &all->assets[all->count];
    all->files[all->count] = (ember_buffer){.allocator = ember_heap()};
    *asset = (ember_rom_asset){.kind = kind, .id = id};
    all->count++;
    return asset;
}

static ember_status assets_write(game_assets *all, ember_rom_asset *asset, const ember_model *model,
                                 ember_format format, ember_error *err)
{
    ember_buffer       *file = &all->files[asset - all->assets];
    ember_write_options options = {.format = format, .space = asset->space};
    ember_status        status = ember_model_write(file, model, &options, err);
    asset->data = file->data;
    asset->size = file->size;
    return status;
}

static ember_status assets_mesh(game_assets *all, const char *id, boxes *b, int32_t bone,
                                const ember_skeleton *skeleton, ember_error *err)
{
    ember_mesh  mesh = boxes_mesh(b, bone);
    ember_model model = {.mesh_count = 1, .meshes = &mesh};
    if (skeleton != NULL)
        model.skeleton = *skeleton;
    if (!b->ok)
        return ember_fail(err, EMBER_E_NOMEM, EMBER_NO_OFFSET, "out of memory");
    return assets_write(all, assets_add(all, EMBER_ROM_MESH, id), &model, EMBER_FORMAT_EWZMESH, err);
}

/* ---- clips ---- */

/* The same clip in the draft's format, as data that the game loads itself: record A, model space. */
static ember_status assets_draft(game_assets *all, const ember_model *model, ember_error *err)
{
    ember_rom_asset    *asset = assets_add(all, EMBER_ROM_DATA, "walk.eza");
    ember_buffer       *file = &all->files[all->count - 1];
    ember_write_options options = {.format = EMBER_FORMAT_EZA,
                                   .eza = &(ember_eza_options){.record_set = true, .record = EMBER_RECORD_A}};
    ember_status        status = ember_model_write(file, model, &options, err);
    asset->data = file->data;
    asset->size = file->size;
    return status;
}

/* A clip of local frames as it is, or brought to model space, which stamping and blending need. */
static ember_status assets_clip(game_assets *all, const char *id, const ember_skeleton *skeleton,
                                const ember_clip *clip, ember_space space, ember_error *err)
{
    ember_clip   stored;
    ember_model  source = {.skeleton = *skeleton, .clip_count = 1, .clips = clip};
    ember_model  model = {.skeleton = *skeleton, .clip_count = 1, .clips = &stored};
    ember_status status = ember_clip_to_space(&stored, NULL, &source, clip, space, &all->arena, err);
    if (status != EMBER_OK)
        return status;
    ember_rom_asset *asset = assets_add(all, EMBER_ROM_KEYFRAMES, id);
    asset->space = space;
    asset->fps = clip->fps;
    asset->loop = clip->loop;
    asset->skeleton = skeleton;
    asset->marker_count = clip->marker_count;
    asset->markers = clip->markers;
    asset->method = EMBER_SQUEEZE_QUICK;
    status = assets_write(all, asset, &model, EMBER_FORMAT_EWZANIM, err);
    return status == EMBER_OK && strcmp(id, "walk") == 0 ? assets_draft(all, &model, err) : status;
}

/* ---- the walker ---- */

static ember_status assets_walker_clips(game_assets *all, const walker_rig *rig,
                                        const ember_skeleton *skeleton, ember_error *err)
{
    static const struct {
        const char *name, *id;
        ember_space space;
    } wanted[] = {{"idle", "idle", EMBER_SPACE_MODEL},
                  {"walk", "walk", EMBER_SPACE_MODEL},
                  {"run", "run", EMBER_SPACE_MODEL},
                  {"walk", "walk-local", EMBER_SPACE_LOCAL}};
    ember_status status = EMBER_OK;
    for (uint32_t i = 0; i < walker_clip_count; i++)
        for (size_t k = 0; k < sizeof(wanted) / sizeof(wanted[0]) && status == EMBER_OK; k++) {
            const walker_clip *w = &walker_clips[i];
            if (strcmp(w->name, wanted[k].name) != 0)
                continue;
            ember_transform *frames =
                EMBER_PUSH(&all->arena, ember_transform, (size_t)w->frame_count * WALKER_BONES);
            if (frames == NULL)
                return ember_fail(err, EMBER_E_NOMEM, EMBER_NO_OFFSET, "out of memory");
            for (uint32_t frame = 0; frame < w->frame_count; frame++) {
                walker_pose pose =
                    w->pose_at((float)frame / (float)(w->loop ? w->frame_count : w->frame_count - 1));
                walker_pose_solve(frames + (size_t)frame * WALKER_BONES, rig, &pose);
            }
            ember_clip clip = {.name = w->name,
                               .fps = w->fps,
                               .loop = w->loop,
                               .space = EMBER_SPACE_LOCAL,
                               .bone_count = WALKER_BONES,
                               .frame_count = w->frame_count,
                               .frames = frames,
                               .marker_count = w->marker_count,
                               .markers = w->markers};
            status = assets_clip(all, wanted[k].id, skeleton, &clip, wanted[k].space, err);
        }
    return status;
}

/* A box along every bone, from its joint to the next. */
static void assets_body(boxes *b, const walker_rig *rig)
{
    for (uint32_t i = HIPS; i < WALKER_BONES; i++) {
        float      length = 0.1f;
        ember_vec3 from = rig->rest_model[i].position;
        for (uint32_t k = i + 1; k < WALKER_BONES; k++)
            if (rig->parents[k] == (int16_t)i) {
                ember_vec3 to = rig->rest_model[k].position;
                float      x = to.x - from.x, y = to.y - from.y, z = to.z - from.z;
                length = __builtin_sqrtf(x * x + y * y + z * z);
                break;
            }
        float       r = i <= CHEST ? 0.13f : i == HEAD ? 0.09f : 0.045f;
        uint32_t    shade = 0xC09070FFu + (i % 4) * 0x0C0C0C00u;
        ember_mat34 place = ember_mat34_from_transform(&rig->rest_model[i]);
        boxes_add(b, (ember_vec3){-r, 0.0f, -r}, (ember_vec3){r, i == HEAD ? 0.2f : length, r}, &place, shade,
                  (uint16_t)i);
    }
}

static ember_status assets_walker(game_assets *all, ember_error *err)
{
    walker_rig     *rig = EMBER_PUSH(&all->arena, walker_rig, 1);
    ember_skeleton *skeleton = EMBER_PUSH(&all->arena, ember_skeleton, 1);
    if (rig == NULL || skeleton == NULL)
        return ember_fail(err, EMBER_E_NOMEM, EMBER_NO_OFFSET, "out of memory");
    walker_rig_make(rig);
    *skeleton = (ember_skeleton){.bone_count = WALKER_BONES,
                                 .parents = rig->parents,
                                 .names = rig->names,
                                 .rest = rig->rest};
    ember_model  model = {.skeleton = *skeleton};
    ember_status status =
        assets_write(all, assets_add(all, EMBER_ROM_SKELETON, "player"), &model, EMBER_FORMAT_EWZSKEL, err);
    boxes body = boxes_begin(&all->arena, WALKER_BONES, true), sword = boxes_begin(&all->arena, 2, false);
    assets_body(&body, rig);
    /* In the hand's own axes, where y points along the fingers: a grip, and a blade to the front. */
    boxes_add(&sword, (ember_vec3){-0.10f, 0.03f, 0.05f}, (ember_vec3){0.10f, 0.09f, 0.09f}, NULL,
              0x604020FFu, 0);
    boxes_add(&sword, (ember_vec3){-0.01f, 0.04f, -0.10f}, (ember_vec3){0.01f, 0.08f, 0.90f}, NULL,
              0xD0D8E0FFu, 0);
    if (status == EMBER_OK)
        status = assets_mesh(all, "player", &body, -1, skeleton, err);
    if (status == EMBER_OK)
        status = assets_mesh(all, "sword", &sword, HAND_R, skeleton, err);
    return status == EMBER_OK ? assets_walker_clips(all, rig, skeleton, err) : status;
}

/* ---- the robot's arm: a base that turns, a joint and a claw that bend ---- */

#define ARM_BONES 3u
#define ARM_FRAMES 60u

/* Base: 6 degrees about y each frame. Joint, 1 above: about z, there and back by 45. Claw, 1 above: about z
   by -60 at most. */
static void assets_arm_frame(ember_transform out[ARM_BONES], uint32_t frame)
{
    float turn = (float)frame / (float)ARM_FRAMES, swing = walker_sin_turn(turn);
    for (uint32_t i = 0; i < ARM_BONES; i++) {
        out[i] = (ember_transform)EMBER_TRANSFORM_IDENTITY;
        out[i].position.y = i == 0 ? 0.0f : 1.0f;
    }
    out[0].rotation = walker_turn(0.0f, 360.0f * turn, 0.0f);
    out[1].rotation = walker_turn(0.0f, 0.0f, 45.0f * swing);
    out[2].rotation = walker_turn(0.0f, 0.0f, -60.0f * swing);
}

static ember_status assets_arm(game_assets *all, ember_error *err)
{
    static const int16_t            parents[ARM_BONES] = {EMBER_NO_PARENT, 0, 1};
    static const char *const        names[ARM_BONES] = {"base", "joint", "claw"},
                             *const ids[ARM_BONES] = {"arm-base", "arm-joint", "arm-claw"};
    static const ember_transform    rest[ARM_BONES] = {EMBER_TRANSFORM_IDENTITY,
                                                       {{0, 0, 0, 1}, {0, 1, 0}, {1, 1, 1}},
                                                       {{0, 0, 0, 1}, {0, 1, 0}, {1, 1, 1}}};
    static const ember_skeleton     skeleton = {.bone_count = ARM_BONES,
                                                .parents = parents,
                                                .names = names,
                                                .rest = rest};
    static const float    half[ARM_BONES] = {0.3f, 0.15f, 0.08f}, height[ARM_BONES] = {1.0f, 1.0f, 0.5f};
    static const uint32_t shades[ARM_BONES] = {0x405060FFu, 0xE08030FFu, 0xE0E0E0FFu};
    ember_transform      *frames = EMBER_PUSH(&all->arena, ember_transform, (size_t)ARM_BONES * ARM_FRAMES);
    ember_status          status = EMBER_OK;
    if (frames == NULL)
        return ember_fail(err, EMBER_E_NOMEM, EMBER_NO_OFFSET, "out of memory");
    for (uint32_t i = 0; i < ARM_FRAMES; i++)
        assets_arm_frame(frames + (size_t)i * ARM_BONES, i);
    for (uint32_t i = 0; i < ARM_BONES && status == EMBER_OK; i++) {
        boxes part = boxes_begin(&all->arena, 1, false);
        boxes_add(&part, (ember_vec3){-half[i], 0.0f, -half[i]}, (ember_vec3){half[i], height[i], half[i]},
                  NULL, shades[i], 0);
        status = assets_mesh(all, ids[i], &part, (int32_t)i, &skeleton, err);
    }
    ember_clip clip = {.name = "robot-arm",
                       .fps = 30.0,
                       .loop = true,
                       .space = EMBER_SPACE_LOCAL,
                       .bone_count = ARM_BONES,
                       .frame_count = ARM_FRAMES,
                       .frames = frames};
    return status == EMBER_OK ? assets_clip(all, "robot-arm", &skeleton, &clip, EMBER_SPACE_MODEL, err)
                              : status;
}

/* ---- the chain: the raw example's own format ---- */

#define CHAIN_LINKS 8u
#define CHAIN_FRAMES 32u

static void chain_put(uint8_t *at, float value)
{
    int32_t whole = (int32_t)(value + (value < 0.0f ? -0.5f : 0.5f));
    at[0] = (uint8_t)(whole & 0xff);
    at[1] = (uint8_t)(whole >> 8 & 0xff);
}

/* Every link is 1/4 long and leans a little more than the one below it. */
static ember_status assets_chain(game_assets *all, ember_error *err)
{
    ember_rom_asset *asset = assets_add(all, EMBER_ROM_DATA, "chain");
    ember_buffer    *file = &all->files[all->count - 1];
    uint8_t         *at = ember_buffer_grow(file, (size_t)CHAIN_FRAMES * CHAIN_LINKS * 8);
    boxes            link = boxes_begin(&all->arena, 1, false);
    if (at == NULL)
        return ember_fail(err, EMBER_E_NOMEM, EMBER_NO_OFFSET, "out of memory");
    for (uint32_t frame = 0; frame < CHAIN_FRAMES; frame++) {
        /* of a turn, each link */
        float x = 0.0f, y = 0.0f, lean = walker_sin_turn((float)frame / (float)CHAIN_FRAMES) * 0.05f;
        for (uint32_t i = 0; i < CHAIN_LINKS; i++, at += 8) {
            float turns = lean * (float)(i + 1), sine = walker_sin_turn(turns),
                  cosine = walker_sin_turn(turns + 0.25f);
            chain_put(at, cosine * 32767.0f);
            chain_put(at + 2, sine * 32767.0f);
            chain_put(at + 4, x * 1024.0f);
            chain_put(at + 6, y * 1024.0f);
            x -= sine * 0.25f;
            y += cosine * 0.25f;
        }
    }
    asset->data = file->data;
    asset->size = file->size;
    boxes_add(&link, (ember_vec3){-0.08f, 0.0f, -0.08f}, (ember_vec3){0.08f, 0.25f, 0.08f}, NULL, 0xFFFFFFFFu,
              0);
    return assets_mesh(all, "link", &link, -1, NULL, err);
}

/* ---- all ---- */

ember_status game_assets_make(game_assets *out, ember_error *err)
{
    memset(out, 0, sizeof(*out));
    out->arena = ember_arena_growing(ember_heap(), 0);
    ember_status status = assets_walker(out, err);
    if (status == EMBER_OK)
        status = assets_arm(out, err);
    return status == EMBER_OK ? assets_chain(out, err) : status;
}

void game_assets_free(game_assets *assets)
{
    for (uint32_t i = 0; i < assets->count; i++)
        ember_buffer_free(&assets->files[i]);
    ember_arena_free(&assets->arena);
}

ember_status game_assets_rom(ember_buffer *out, const char *title, const void *wasm, size_t wasm_size,
                             ember_error *err)
{
    game_assets  all;
    ember_status status = game_assets_make(&all, err);
    if (wasm != NULL && status == EMBER_OK) {
        ember_rom_asset *game = assets_add(&all, EMBER_ROM_GAME, "game");
        game->data = wasm;
        game->size = wasm_size;
    }
    ember_rom_content content = {.title = title,
                                 .author = "Ember",
                                 .assets = all.assets,
                                 .asset_count = all.count};
    if (status == EMBER_OK)
        status = ember_rom_write(out, &content, NULL, NULL, err);
    game_assets_free(&all);
    return status;
}
