/* SPDX-License-Identifier: MIT */
/* Writes lean clips at several maximum errors, with their rig and source, to a folder: for decoders that are
   not ours. With --corpus the clips are those of EMBER_CORPUS, else clips made here.

   lean_samples FOLDER [--corpus] */
#define _POSIX_C_SOURCE 200809L /* posix_memalign, which lean_made.h names */
#include "lean_made.h"

#include "lean_sets.h"

static const double millimetres[] = {0.05, 0.1, 0.3, 1.0, 3.0};
#define ERRORS (sizeof(millimetres) / sizeof(millimetres[0]))

static void put_u32(FILE *file, uint32_t value)
{
    uint8_t bytes[4];
    emberi_put_u32(bytes, value);
    fwrite(bytes, 1, 4, file);
}

static void put_float(FILE *file, float value) { put_u32(file, emberi_bits_of(value)); }

static bool write_clip(const char *folder, uint32_t number, const lean_set *set, uint32_t clip,
                       ember_arena *arena)
{
    char path[1024];
    snprintf(path, sizeof(path), "%s/%s-%u.lean", folder, set->name, number);
    FILE *file = fopen(path, "wb");
    if (file == NULL)
        return false;
    const ember_clip *source = &set->clips[clip];
    put_u32(file, set->bone_count);
    put_u32(file, source->frame_count);
    put_u32(file, (uint32_t)set->rig.size);
    put_u32(file, (uint32_t)ERRORS);
    fwrite(set->rig.data, 1, set->rig.size, file);
    for (uint32_t bone = 0; bone < set->bone_count; bone++)
        put_u32(file, (uint32_t)(int32_t)set->parents[bone]);
    for (size_t i = 0; i < (size_t)source->frame_count * set->bone_count; i++)
        for (int k = 0; k < 10; k++)
            put_float(file, (&source->frames[i].rotation.x)[k]);
    bool done = true;
    for (size_t i = 0; i < ERRORS && done; i++) {
        const ember_arena_mark mark = ember_arena_save(arena);
        ember_lean_job         job;
        done = lean_set_encode(&job, set, clip, millimetres[i], emberi_lean_templates, NULL, arena);
        if (done) {
            put_float(file, job.max_error);
            put_u32(file, (uint32_t)job.out_size);
            fwrite(job.out, 1, job.out_size, file);
        }
        ember_arena_restore(arena, mark);
    }
    return fclose(file) == 0 && done;
}

/* One clip of each kind. */
static bool made_set(lean_set *out, lean_made *made, lean_made_kind kind)
{
    static ember_clip        clips[LEAN_MADE_KINDS];
    static const char *const names[LEAN_MADE_KINDS] = {"sway",  "spin",  "mirror", "shear",
                                                       "still", "noise", "steps"};
    lean_made_source(made, kind, 9, 40, 2);
    lean_made_rig(made);
    clips[kind] =
        (ember_clip){.name = names[kind], .bone_count = 9, .frame_count = 40, .frames = made->frames};
    *out = (lean_set){.name = names[kind],
                      .clip_count = 1,
                      .clips = &clips[kind],
                      .parents = made->parents,
                      .bone_count = 9,
                      .metre = 1.0f,
                      .rig = made->rig};
    return true;
}

int main(int argc, char **argv)
{
    ember_arena arena = ember_arena_growing(ember_heap(), 0);
    lean_set    sets[LEAN_SETS];
    lean_made   made[LEAN_MADE_KINDS];
    const bool  corpus = argc == 3 && strcmp(argv[2], "--corpus") == 0;
    bool        done = argc == 2 || corpus;
    int         count = corpus ? lean_sets_corpus(sets, true, &arena) : LEAN_MADE_KINDS;
    for (int i = 0; i < count && !corpus; i++)
        done = made_set(&sets[i], &made[i], (lean_made_kind)i) && done;
    for (int i = 0; i < count && done; i++)
        for (uint32_t c = 0; c < sets[i].clip_count && done; c++)
            done = write_clip(argv[1], c, &sets[i], c, &arena);
    for (int i = 0; i < count && !corpus; i++)
        lean_made_free(&made[i]);
    ember_arena_free(&arena);
    return done && count > 0 ? 0 : 1;
}
