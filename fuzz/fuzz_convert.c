/* SPDX-License-Identifier: MIT */
/* Conversions: any file to any format, with options, and what was written is read back. The first bytes of
   the input are the choices, the rest is the file. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#define CHOICE_SIZE 6u

typedef struct choices {
    uint8_t from, to, reading, writing, numbers, skeleton;
} choices;

/* A skeleton as --skeleton would bring it, for files that have none. */
static const int16_t         rig_parents[3] = {-1, 0, 1};
static const char *const     rig_names[3] = {"root", "bone_00", NULL};
static const ember_transform rig_rest[3] = {{{0, 0, 0, 1}, {0, 1, 0}, {1, 1, 1}},
                                            {{0, 0, 0.6f, 0.8f}, {0, 0.5f, 0}, {1, 1, 1}},
                                            {{0, 0, 0, 1}, {0.25f, 0, 0}, {2, 2, 2}}};
static const ember_skeleton  rig = {3, rig_parents, rig_names, rig_rest, NULL};

static bool bit(uint8_t choice, unsigned index) { return ((unsigned)choice >> index & 1u) != 0; }

/* What the choices say to single formats; the options point to it. */
typedef struct formats {
    ember_animbin_options animbin;
    ember_bvh_options     bvh;
    ember_ewzmesh_options ewzmesh;
    ember_eza_options     eza;
    ember_ff7_options     ff7;
} formats;

static ember_read_options choose_reading(const choices *c, formats *f)
{
    static const double      rates[4] = {0.0, 60.0, EMBER_FPS_SOURCE, 7.3};
    const ember_format_info *from = ember_format_at(c->from % (ember_format_count() + 1));
    f->animbin.unit = bit(c->skeleton, 4) ? 128.0 : 0.0;
    f->animbin.basis = bit(c->skeleton, 5) ? EMBER_ANIMBIN_BASIS_PSX : EMBER_ANIMBIN_BASIS_SAME;
    f->bvh.drop_tpose = bit(c->reading, 5);
    f->ff7.pair = bit(c->skeleton, 6);
    return (ember_read_options){.format = from != NULL ? from->format : EMBER_FORMAT_UNKNOWN,
                                .path = bit(c->reading, 0) ? "walk.ewzanim" : NULL,
                                .fps = rates[c->reading >> 1 & 3],
                                .space = (ember_space)((c->reading >> 3 & 3) % 3),
                                .loop = bit(c->reading, 6),
                                .scale = bit(c->reading, 7) ? 0.01 : 0.0,
                                .start_s = bit(c->numbers, 6) ? 0.1 : 0.0,
                                .end_s = bit(c->numbers, 7) ? 0.3 : 0.0,
                                .skeleton = c->skeleton % 4 == 1 ? &rig : NULL,
                                .skin = c->skeleton % 8 == 2 ? "0" : NULL,
                                .animbin = &f->animbin,
                                .bvh = &f->bvh,
                                .ff7 = &f->ff7};
}

static ember_format choose_format(uint8_t choice)
{
    size_t i = choice % ember_format_count();
    while (!ember_format_at(i)->writes)
        i = (i + 1) % ember_format_count();
    return ember_format_at(i)->format;
}

static ember_write_options choose_writing(const choices *c, formats *f)
{
    static const double units[4] = {0.0, 128.0, EMBER_ANIMBIN_UNIT_AUTO, 4096.0};
    f->animbin =
        (ember_animbin_options){.keys = (ember_animbin_keys)((c->numbers & 3) % 3),
                                .translations = (ember_animbin_translations)(c->numbers >> 2 & 3),
                                .rounding = bit(c->writing, 7) ? EMBER_ROUND_TRUNCATE : EMBER_ROUND_NEAREST,
                                .unit = units[c->numbers >> 4 & 3],
                                .basis = f->animbin.basis};
    f->ewzmesh.unpacked = bit(c->writing, 2);
    f->eza = (ember_eza_options){.record_set = bit(c->writing, 3),
                                 .record = (ember_record)((c->writing >> 4) % EMBER_RECORD_COUNT)};
    f->ff7.key_set = bit(c->skeleton, 7);
    f->ff7.key = (uint8_t)((c->numbers & 3) % 3 * 2);
    return (ember_write_options){.format = choose_format(c->to),
                                 .fit = bit(c->writing, 0) ? EMBER_FIT_PLAIN : EMBER_FIT_CLOSED,
                                 .compact = bit(c->writing, 1),
                                 .animbin = &f->animbin,
                                 .ewzmesh = &f->ewzmesh,
                                 .eza = &f->eza,
                                 .ff7 = &f->ff7};
}

/* What a program does with clips besides writing them. */
static void use_clips(const ember_model *model)
{
    fuzz_heap   heap = {0, 0};
    ember_arena arena = ember_arena_growing(fuzz_allocator(&heap), 4 * FUZZ_WRITE_MEMORY);
    for (uint32_t i = 0; i < model->clip_count && i < 4; i++) {
        const ember_clip *clip = &model->clips[i];
        ember_clip        twice;
        ember_mat34      *matrices = EMBER_PUSH(&arena, ember_mat34, clip->bone_count);
        ember_compare_job job = {.a_model = model, .b_model = model, .a = clip, .b = &model->clips[0]};
        if (matrices == NULL)
            break;
        for (uint32_t f = 0; f < clip->frame_count && f < 4; f++)
            (void)ember_clip_matrices(matrices, model, clip, f);
        if (ember_clip_resample(&twice, clip, 2.0 * ember_clip_fps(clip), &arena) == EMBER_OK)
            fuzz_touch(twice.frames, sizeof(*twice.frames) * twice.bone_count * twice.frame_count);
        (void)ember_compare_run(&job, &arena, NULL);
    }
    ember_arena_free(&arena);
    fuzz_heap_check(&heap, SIZE_MAX);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    choices     c;
    formats     f = {.ff7 = {.skeleton = NULL}};
    fuzz_heap   heap = {0, 0};
    ember_arena arena = ember_arena_growing(fuzz_allocator(&heap), FUZZ_WRITE_MEMORY);
    ember_model model;
    if (size < CHOICE_SIZE)
        return 0;
    memcpy(&c, data, CHOICE_SIZE);
    if (fuzz_model_read(&model, data + CHOICE_SIZE, size - CHOICE_SIZE, choose_reading(&c, &f), &arena) ==
        EMBER_OK) {
        ember_write_options writing = choose_writing(&c, &f);
        ember_read_options  back = {.skeleton = &model.skeleton};
        (void)fuzz_model_through(&model, &writing, bit(c.skeleton, 2) ? &back : NULL);
        use_clips(&model);
    }
    ember_arena_free(&arena);
    fuzz_heap_check(&heap, size);
    return 0;
}
