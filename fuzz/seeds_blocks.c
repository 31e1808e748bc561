/* SPDX-License-Identifier: MIT */
/* Squeezed blocks, ROMs of a few assets, a module, random calls and pictures. */
#include "seeds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codec/ewzanim.h"
#include "ember/image.h"
#include "ember/machine.h"

#include "../tests/fixtures/lean_rig.h"
#include "../tests/fixtures/three_bones.h"
#include "../tests/fixtures/triangle.h"

#ifdef EMBER_HAVE_JPEG
#include <jpeglib.h>
#endif

#define BONES SKELETON_BONES
#define FRAMES 20u
#define RECORDS_SIZE (BONES * FRAMES * EMBER_KEYFRAME_SIZE)
#define CLIP_SIZE (EMBERI_EWZANIM_HEADER_SIZE + RECORDS_SIZE)

/* An .ewzanim of bones that swing. */
static size_t clip_fill(uint8_t *out, uint32_t frames)
{
    uint8_t *record = out + EMBERI_EWZANIM_HEADER_SIZE;
    emberi_ewzanim_put(out, BONES, frames);
    for (uint32_t i = 0; i < frames * BONES; i++, record += EMBER_KEYFRAME_SIZE) {
        const uint32_t  frame = i / BONES;
        const float     t = 0.1f * (float)frame;
        ember_transform transform = {{t * (float)(i % BONES), 0.1f, 0.0f, 1.0f},
                                     {t, 1.0f, i % 2 == 0 ? 0.5f : t * t},
                                     {1, 1, 1}};
        fuzz_require(ember_record_encode(record, EMBER_RECORD_EWZ, &transform) == EMBER_OK,
                     "a record cannot be made");
    }
    return (size_t)emberi_ewzanim_size(BONES, frames);
}

/* ---- squeezed blocks ---- */

/* The target's first byte: 1 model space, 2 parents, 8 to squeeze, then the method. */
static void put_squeezed(seeds *s, ember_squeeze_method method, bool model_space)
{
    uint8_t           clip[CLIP_SIZE], records[2 + RECORDS_SIZE], block[1 + 8192];
    uint8_t           rest[BONES * EMBER_KEYFRAME_SIZE] = {0};
    char              name[48];
    ember_arena       arena = ember_arena_growing(ember_heap(), 0);
    ember_error       err = EMBER_ERROR_INIT;
    ember_squeeze_rig rig = {.bone_count = BONES,
                             .rest = rest,
                             .parents = model_space ? skeleton_parents : NULL,
                             .model_space = model_space};
    const uint8_t    *frames = clip + EMBERI_EWZANIM_HEADER_SIZE;
    ember_squeeze_job job = {.out = block + 1,
                             .out_capacity = sizeof(block) - 1,
                             .frames = frames,
                             .frame_count = FRAMES,
                             .rig = &rig,
                             .method = method};
    (void)clip_fill(clip, FRAMES);
    seeds_must(ember_squeeze_encode(&job, &arena), &err);
    block[0] = model_space ? 3 : 0;
    snprintf(name, sizeof(name), "%s-%s", ember_squeeze_method_name(method), model_space ? "model" : "local");
    seeds_put(s, "squeeze", name, block, 1 + job.out_size);
    records[0] = (uint8_t)(block[0] | 8u | (unsigned)method << 4);
    records[1] = BONES;
    memcpy(records + 2, frames, RECORDS_SIZE);
    snprintf(name, sizeof(name), "records-%s-%s", ember_squeeze_method_name(method),
             model_space ? "model" : "local");
    seeds_put(s, "squeeze", name, records, sizeof(records));
    ember_arena_free(&arena);
}

/* ---- ROMs ---- */

static ember_buffer file_make(const ember_model *model, ember_format format)
{
    ember_buffer        file = {.allocator = ember_heap()};
    ember_error         err = EMBER_ERROR_INIT;
    ember_write_options options = {.format = format};
    seeds_must(ember_model_write(&file, model, &options, &err), &err);
    return file;
}

/* A module with something in every section, to start from: memory, a table with one function, a global, data,
   and an init that uses them. */
/* clang-format off */
static const uint8_t module[] = {
    0, 'a', 's', 'm', 1, 0, 0, 0,                                              /* magic, version */
    1, 13, 3, 0x60, 0, 0, 0x60, 0, 1, 0x7f, 0x60, 1, 0x7f, 1, 0x7f,            /* types */
    2, 14, 1, 3, 'e', 'n', 'v', 6, 'r', 'a', 'n', 'd', 'o', 'm', 0, 1,         /* env.random */
    3, 3, 2, 0, 2,                                                             /* functions */
    4, 4, 1, 0x70, 0, 2,                                                       /* a table of two */
    5, 3, 1, 0, 1,                                                             /* a page of memory */
    6, 6, 1, 0x7f, 1, 0x41, 7, 0x0b,                                           /* a variable */
    7, 17, 2, 6, 'm', 'e', 'm', 'o', 'r', 'y', 2, 0, 4, 'i', 'n', 'i', 't', 0, 1, /* exports */
    9, 7, 1, 0, 0x41, 0, 0x0b, 1, 2,                                           /* elements */
    10, 32, 2,                                                                 /* code: two functions */
    20, 0, 0x41, 0, 0x10, 0, 0x36, 2, 0, 0x02, 0x40, 0x41, 1, 0x0d, 0, 0x0b, 0x23, 0, 0x24, 0, 0x0b,
    9, 1, 1, 0x7e, 0x20, 0, 0x41, 1, 0x6a, 0x0b,
    11, 8, 1, 0, 0x41, 16, 0x0b, 2, 'h', 'i',                                  /* data */
};
/* clang-format on */

/* A lean clip behind the target's choice and the number of bones less 1, and numbers to make one of. */
static void put_lean(seeds *s)
{
    static uint8_t            rig_data[BONES * 36 + 8], clip[2 + 8192], numbers[2 + 10 * BONES * FRAMES];
    static ember_transform    frames[FRAMES * BONES];
    const fixture_lean_source source = {frames, FRAMES, BONES, rig_data, sizeof(rig_data)};
    ember_arena               arena = ember_arena_growing(ember_heap(), 0);
    ember_error               err = EMBER_ERROR_INIT;
    ember_lean_rig            rig;
    numbers[0] = 64 | 8;
    numbers[1] = BONES - 1;
    for (uint32_t i = 0; i < 10 * BONES * FRAMES; i++) {
        numbers[2 + i] = (uint8_t)(128u + (i * i >> 3) % 60u);
        (&frames->rotation.x)[i] = ((float)numbers[2 + i] - 128.0f) / 64.0f;
    }
    seeds_must(fixture_lean_rig(&rig, &source, &arena, &err), &err);
    ember_lean_job job = {.out = clip + 2,
                          .out_capacity = sizeof(clip) - 2,
                          .frames = frames,
                          .frame_count = FRAMES,
                          .rig = &rig,
                          .max_error = 0.01f};
    seeds_must(ember_lean_encode(&job, &arena, &err), &err);
    clip[0] = 64;
    clip[1] = BONES - 1;
    seeds_put(s, "squeeze", "lean", clip, 2 + job.out_size);
    seeds_put(s, "squeeze", "lean-numbers", numbers, sizeof(numbers));
    ember_arena_free(&arena);
}

/* Makes a lean clip of the asset's poses, against a rig of its own. */
static void lean_fill(ember_rom_asset *asset, ember_arena *arena)
{
    ember_transform          *poses = EMBER_PUSH(arena, ember_transform, SKELETON_BONES * FRAMES);
    uint8_t                  *rig_data = ember_arena_push(arena, ember_lean_rig_bound(SKELETON_BONES), 1, 16);
    const size_t              room = ember_lean_bound(SKELETON_BONES, FRAMES);
    const fixture_lean_source source = {poses, FRAMES, SKELETON_BONES, rig_data,
                                        ember_lean_rig_bound(SKELETON_BONES)};
    const uint8_t            *records = (const uint8_t *)asset->data + 4;
    ember_error               err = EMBER_ERROR_INIT;
    ember_lean_rig            rig;
    for (size_t i = 0; i < (size_t)SKELETON_BONES * FRAMES; i++)
        poses[i] = ember_record_decode(records + i * EMBER_KEYFRAME_SIZE, EMBER_RECORD_EWZ, NULL);
    seeds_must(fixture_lean_rig(&rig, &source, arena, &err), &err);
    ember_lean_job job = {.out = ember_arena_push(arena, room, 1, 16),
                          .out_capacity = room,
                          .frames = poses,
                          .frame_count = FRAMES,
                          .parents = skeleton_parents,
                          .rig = &rig,
                          .max_error = 0.01f};
    seeds_must(ember_lean_encode(&job, arena, &err), &err);
    asset->data = job.out;
    asset->size = job.out_size;
    asset->lean_rig = rig_data;
    asset->lean_rig_size = rig.size;
    asset->method = EMBER_SQUEEZE_RAW;
}

/* With clips squeezed so, or lean for EMBER_SQUEEZE_METHOD_COUNT. */
static void put_rom(seeds *s, ember_squeeze_method method)
{
    ember_mesh      mesh = fixture_triangle();
    ember_model     model = {.skeleton = fixture_skeleton, .mesh_count = 1, .meshes = &mesh};
    ember_buffer    rom = {.allocator = ember_heap()}, skeleton_file, mesh_file;
    ember_error     err = EMBER_ERROR_INIT;
    uint8_t         clip[CLIP_SIZE];
    const size_t    clip_size = clip_fill(clip, FRAMES);
    ember_rom_asset swing = {.kind = EMBER_ROM_KEYFRAMES,
                             .id = "swing",
                             .data = clip,
                             .size = clip_size,
                             .fps = 30.0,
                             .skeleton = &fixture_skeleton,
                             .method = method};
    ember_arena     arena = ember_arena_growing(ember_heap(), 0);
    const bool      lean = method == EMBER_SQUEEZE_METHOD_COUNT;
    if (lean)
        lean_fill(&swing, &arena);
    ember_rom_asset assets[7] = {swing, swing};
    skeleton_file = file_make(&model, EMBER_FORMAT_EWZSKEL);
    model.skeleton.bone_count = 0;
    mesh_file = file_make(&model, EMBER_FORMAT_EWZMESH);
    assets[0].space = EMBER_SPACE_LOCAL;
    assets[0].marker_count = 2;
    assets[0].markers = skeleton_markers;
    assets[1].id = "swing-model";
    assets[1].space = EMBER_SPACE_MODEL;
    assets[1].loop = true;
    assets[2] = (ember_rom_asset){.kind = EMBER_ROM_SKELETON,
                                  .id = "hero",
                                  .data = skeleton_file.data,
                                  .size = skeleton_file.size};
    assets[3] = (ember_rom_asset){.kind = EMBER_ROM_MESH,
                                  .id = "hero",
                                  .data = mesh_file.data,
                                  .size = mesh_file.size,
                                  .texture = "hero/skin"};
    assets[4] = (ember_rom_asset){.kind = EMBER_ROM_TEXTURE,
                                  .id = "hero/skin",
                                  .data = "\x89PNG\r\n\x1a\n1234",
                                  .size = 12};
    assets[5] =
        (ember_rom_asset){.kind = EMBER_ROM_GAME, .id = "game", .data = module, .size = sizeof(module)};
    assets[6] = (ember_rom_asset){.kind = EMBER_ROM_DATA, .id = "levels/one.txt", .data = "level", .size = 5};
    ember_rom_content content = {.title = "Swing", .author = "Somebody", .assets = assets, .asset_count = 7};
    seeds_must(ember_rom_write(&rom, &content, NULL, NULL, &err), &err);
    seeds_put(s, "rom", lean ? "lean" : ember_squeeze_method_name(method), rom.data, rom.size);
    ember_arena_free(&arena);
    ember_buffer_free(&rom);
    ember_buffer_free(&skeleton_file);
    ember_buffer_free(&mesh_file);
}

/* ---- calls: any bytes are some ---- */

static void put_calls(seeds *s)
{
    for (unsigned i = 0; i < 16; i++) {
        fuzz_random random = fuzz_random_seed(i);
        uint8_t     bytes[2048];
        char        name[16];
        size_t      size = 64 + (size_t)i * 120;
        for (size_t k = 0; k < size; k++)
            bytes[k] = (uint8_t)fuzz_random_below(&random, 256);
        snprintf(name, sizeof(name), "calls-%u", i);
        seeds_put(s, "host_calls", name, bytes, size);
    }
}

/* ---- pictures ---- */

#ifdef EMBER_HAVE_JPEG
static void put_jpeg(seeds *s, const char *name, const uint8_t *rgb, uint32_t side, bool progressive)
{
    struct jpeg_compress_struct jpeg;
    struct jpeg_error_mgr       errors;
    unsigned char              *out = NULL;
    unsigned long               size = 0;
    jpeg.err = jpeg_std_error(&errors);
    jpeg_create_compress(&jpeg);
    jpeg_mem_dest(&jpeg, &out, &size);
    jpeg.image_width = jpeg.image_height = side;
    jpeg.input_components = 3;
    jpeg.in_color_space = JCS_RGB;
    jpeg_set_defaults(&jpeg);
    if (progressive)
        jpeg_simple_progression(&jpeg);
    jpeg_start_compress(&jpeg, TRUE);
    for (uint32_t y = 0; y < side; y++) {
        JSAMPROW row = (JSAMPROW)(rgb + (size_t)y * side * 3);
        jpeg_write_scanlines(&jpeg, &row, 1);
    }
    jpeg_finish_compress(&jpeg);
    jpeg_destroy_compress(&jpeg);
    seeds_put(s, "image", name, out, size);
    free(out);
}
#endif

static void picture_fill(uint8_t *out, uint32_t pixel_count, uint32_t channels)
{
    for (uint32_t i = 0; i < pixel_count * channels; i++)
        out[i] = (uint8_t)(i / channels * (i % channels + 1) * 4);
}

static void put_pictures(seeds *s)
{
    enum { SIDE = 8 };
    uint8_t      rgba[SIDE * SIDE * 4], rgb[SIDE * SIDE * 3];
    ember_image  image = {SIDE, SIDE, rgba};
    ember_buffer png = {.allocator = ember_heap()};
    ember_error  err = EMBER_ERROR_INIT;
    picture_fill(rgba, SIDE * SIDE, 4);
    picture_fill(rgb, SIDE * SIDE, 3);
    seeds_must(ember_png_write(&png, &image, &err), &err);
    seeds_put(s, "image", "rgb.png", png.data, png.size);
    ember_buffer_free(&png);
#ifdef EMBER_HAVE_JPEG
    put_jpeg(s, "plain.jpg", rgb, SIDE, false);
    put_jpeg(s, "progressive.jpg", rgb, SIDE, true);
#endif
}

void seeds_put_blocks(seeds *s)
{
    for (int method = 0; method < EMBER_SQUEEZE_METHOD_COUNT; method++) {
        put_squeezed(s, (ember_squeeze_method)method, false);
        put_squeezed(s, (ember_squeeze_method)method, true);
        put_rom(s, (ember_squeeze_method)method);
    }
    put_rom(s, EMBER_SQUEEZE_METHOD_COUNT);
    ember_error err = EMBER_ERROR_INIT;
    seeds_must(ember_wasm_check(module, sizeof(module), &err), &err);
    seeds_put(s, "wasm_check", "module", module, sizeof(module));
    put_lean(s);
    seeds_put(s, "engines", "module", module, sizeof(module));
    put_calls(s);
    put_pictures(s);
}
