/* SPDX-License-Identifier: MIT */
/* lean_report [MM...]: bytes per bone and frame of the corpus, set by set, at some maximum errors. */
#include "lean_sets.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static void report_set(const lean_set *set, double mm, double totals[2], ember_arena *arena)
{
    size_t  bytes = set->rig.size, bone_frames = 0, short_blocks = 0;
    double  worst = 0.0;
    clock_t start = clock();
    for (uint32_t c = 0; c < set->clip_count; c++) {
        const ember_arena_mark mark = ember_arena_save(arena);
        ember_lean_job         job;
        if (!lean_set_encode(&job, set, c, mm, emberi_lean_templates, NULL, arena))
            exit(1);
        bytes += job.out_size + 4;
        bone_frames += (size_t)set->bone_count * job.frame_count;
        short_blocks += job.out[4] != 16;
        worst = (double)job.error > worst ? (double)job.error : worst;
        ember_arena_restore(arena, mark);
    }
    const double us = (double)(clock() - start) / CLOCKS_PER_SEC * 1e6 / (double)bone_frames;
    printf("%-16s %6.2f mm  %7zu bf  %.4f B  max %.4f mm  %zu of %u clips with shorter blocks  %.2f us\n",
           set->name, mm, bone_frames, (double)bytes / (double)bone_frames,
           worst / (double)set->metre * 1000.0, short_blocks, set->clip_count, us);
    totals[0] += (double)bytes;
    totals[1] += (double)bone_frames;
}

int main(int argc, char **argv)
{
    ember_arena arena = ember_arena_growing(ember_heap(), 0);
    lean_set    sets[LEAN_SETS];
    const int   count = lean_sets_corpus(sets, true, &arena);
    for (int i = 1; i < argc; i++) {
        double totals[2][2] = {{0}};
        for (int s = 0; s < count; s++)
            report_set(&sets[s], atof(argv[i]), totals[sets[s].train ? 1 : 0], &arena);
        printf("corpus %.4f  train %.4f\n", totals[0][0] / totals[0][1], totals[1][0] / totals[1][1]);
    }
    ember_arena_free(&arena);
    return count > 0 ? 0 : 1;
}
