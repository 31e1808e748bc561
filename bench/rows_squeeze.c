/* SPDX-License-Identifier: MIT */
/* Rows of squeezing: bytes per bone and frame over whole skeletons, and what a frame costs in multiples of
   decoding an unsqueezed one. The clips are the corpus' where EMBER_CORPUS names it, and only then the limits
   count; else the demo character's. */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "squeeze/squeeze_sets.h"
#include "walker.h"

#define SETS 8
#define WINDOW 64u       /* frames that are read in order */
#define EVERY_WINDOW 12u /* of the corpus; a sample is enough, and all of it takes minutes */
#define EVERY_FRAME 80u
#define FRAMES_OF_WINDOW 6u /* every so many of a window's frames are read at random */
#define DIRECTORY_ENTRY 4u  /* bytes a container needs to find a clip */

typedef enum squeeze_clips { CLIPS_LOCAL, CLIPS_MODEL, CLIPS_CLOSED, CLIPS_SCALE, CLIPS_KINDS } squeeze_clips;

/* A clip in the measurement: its block and a cursor of its own. */
typedef struct squeeze_entry {
    const set_clip      *clip;
    const clip_set      *set;
    ember_squeezed       block;
    ember_squeeze_cursor cursor;
} squeeze_entry;

/* Frames of a clip that are read one after another. */
typedef struct squeeze_window {
    uint32_t entry, first, count;
} squeeze_window;

typedef struct squeeze_data {
    squeeze_entry   *entries;
    uint32_t         entry_count;
    squeeze_window  *windows; /* in order */
    uint32_t         window_count;
    /* at random from the windows' clips, one clip after another; of one frame each */
    squeeze_window  *frames;
    uint32_t         frame_count;
    squeeze_window  *shuffled; /* at random from all clips */
    uint32_t         shuffled_count;
    uint8_t         *out;
    ember_transform *pose;
} squeeze_data;

static void fail(const char *text)
{
    fprintf(stderr, "bench: %s\n", text);
    exit(2);
}

static void *take(size_t size) { return bench_memory(size != 0 ? size : 1, 0); }

/* ---- what is timed ---- */

static void time_in_order(void *user)
{
    squeeze_data *data = user;
    for (uint32_t i = 0; i < data->window_count; i++) {
        const squeeze_window *window = &data->windows[i];
        ember_squeeze_cursor *cursor = &data->entries[window->entry].cursor;
        ember_squeeze_cursor_reset(cursor);
        for (uint32_t f = 0; f < window->count; f++)
            (void)ember_squeeze_read(data->out, EMBER_MAX_BONES * EMBER_KEYFRAME_SIZE, cursor,
                                     window->first + f);
    }
}

static void read_anew(squeeze_data *data, const squeeze_window *frames, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        ember_squeeze_cursor *cursor = &data->entries[frames[i].entry].cursor;
        ember_squeeze_cursor_reset(cursor);
        (void)ember_squeeze_read(data->out, EMBER_MAX_BONES * EMBER_KEYFRAME_SIZE, cursor, frames[i].first);
    }
}

static void time_random(void *user)
{
    squeeze_data *data = user;
    read_anew(data, data->frames, data->frame_count);
}

static void time_shuffled(void *user)
{
    squeeze_data *data = user;
    read_anew(data, data->shuffled, data->shuffled_count);
}

static void time_decode(void *user)
{
    squeeze_data *data = user;
    for (uint32_t i = 0; i < data->window_count; i++) {
        const squeeze_window *window = &data->windows[i];
        const squeeze_entry  *entry = &data->entries[window->entry];
        const size_t          size = (size_t)entry->set->rig.bone_count * EMBER_KEYFRAME_SIZE;
        for (uint32_t f = 0; f < window->count; f++) {
            const ember_decode_job job = {.out = data->pose,
                                          .out_count = EMBER_MAX_BONES,
                                          .frame = entry->clip->frames + (window->first + f) * size,
                                          .frame_size = size,
                                          .bone_count = entry->set->rig.bone_count};
            (void)ember_decode_run(&job);
        }
    }
}

/* ---- clips ---- */

/* The demo's character, as its own program writes it; its hips and head breathe if scales are to change. */
static bool demo_model(ember_model *out, bool scales, ember_arena *arena)
{
    walker_rig *rig = EMBER_PUSH(arena, walker_rig, 1);
    ember_clip *clips = EMBER_PUSH(arena, ember_clip, walker_clip_count);
    if (rig == NULL || clips == NULL)
        return false;
    walker_rig_make(rig);
    for (uint32_t c = 0; c < walker_clip_count; c++) {
        const walker_clip *w = &walker_clips[c];
        ember_transform   *frames = EMBER_PUSH(arena, ember_transform, (size_t)w->frame_count * WALKER_BONES);
        if (frames == NULL)
            return false;
        for (uint32_t f = 0; f < w->frame_count; f++) {
            const uint32_t   steps = w->loop ? w->frame_count : w->frame_count - 1;
            const float      phase = (float)f / (float)steps;
            walker_pose      pose = w->pose_at(phase);
            ember_transform *frame = frames + (size_t)f * WALKER_BONES;
            walker_pose_solve(frame, rig, &pose);
            const float breath = 1.0f + 0.1f * walker_sin_turn(phase);
            if (scales) {
                frame[HIPS].scale = (ember_vec3){breath, breath, breath};
                frame[HEAD].scale = (ember_vec3){breath, 2.0f - breath, breath};
            }
        }
        clips[c] = (ember_clip){.name = w->name,
                                .fps = w->fps,
                                .loop = w->loop,
                                .space = EMBER_SPACE_LOCAL,
                                .bone_count = WALKER_BONES,
                                .frame_count = w->frame_count,
                                .frames = frames};
    }
    *out = (ember_model){.skeleton = {.bone_count = WALKER_BONES,
                                      .parents = rig->parents,
                                      .names = rig->names,
                                      .rest = rig->rest},
                         .clip_count = walker_clip_count,
                         .clips = clips};
    return true;
}

/* How many sets; *real if they are the corpus'. */
static int squeeze_sets(clip_set *sets, squeeze_clips kind, bool *real, ember_arena *arena)
{
    static const set_form forms[CLIPS_KINDS] = {SET_LOCAL_PLAIN, SET_MODEL, SET_LOCAL_CLOSED,
                                                SET_LOCAL_PLAIN};
    ember_model           model;
    int                   count = kind != CLIPS_SCALE ? clip_sets_corpus(sets, SETS, forms[kind], arena) : 0;
    *real = count > 0;
    if (count < 0)
        fail("the corpus cannot be read");
    if (count > 0)
        return count;
    if (!demo_model(&model, kind == CLIPS_SCALE, arena) ||
        !clip_set_make(sets, &model, "demo", forms[kind], arena))
        fail("the demo's clips cannot be made");
    return 1;
}

/* ---- measuring ---- */

static size_t squeeze_entry_make(squeeze_entry *entry, const clip_set *set, const set_clip *clip,
                                 ember_squeeze_method method, ember_arena *arena)
{
    const size_t      bound = ember_squeeze_bound(set->rig.bone_count, clip->frame_count);
    ember_squeeze_job job = {.out = malloc(bound),
                             .out_capacity = bound,
                             .frames = clip->frames,
                             .frame_count = clip->frame_count,
                             .rig = &set->rig,
                             .method = method};
    if (job.out == NULL || ember_squeeze_encode(&job, arena) != EMBER_OK)
        fail("a clip cannot be squeezed");
    uint8_t *data = take(job.out_size);
    memcpy(data, job.out, job.out_size);
    free(job.out);
    *entry = (squeeze_entry){.clip = clip, .set = set};
    if (ember_squeeze_open(&entry->block, data, job.out_size, &set->rig, NULL) != EMBER_OK)
        fail("a squeezed clip cannot be opened");
    return job.out_size;
}

/* Cursors take turns in one memory, as only one clip is read at a time. */
static void squeeze_cursors(squeeze_data *data)
{
    size_t largest = 0;
    for (uint32_t i = 0; i < data->entry_count; i++) {
        const size_t size = ember_squeeze_cursor_size(&data->entries[i].block);
        largest = size > largest ? size : largest;
    }
    void *memory = take(largest);
    for (uint32_t i = 0; i < data->entry_count; i++)
        if (ember_squeeze_cursor_init(&data->entries[i].cursor, &data->entries[i].block, memory, largest) !=
            EMBER_OK)
            fail("a cursor cannot be made");
}

/* How many bones each of the three samples reads. */
typedef struct squeeze_items {
    size_t ordered, random, shuffled;
} squeeze_items;

static void squeeze_sample_window(bench *b, squeeze_data *data, squeeze_items *items, uint32_t entry,
                                  uint32_t first, uint32_t length)
{
    const uint32_t bones = data->entries[entry].set->rig.bone_count,
                   frames = data->entries[entry].clip->frame_count;
    data->windows[data->window_count++] = (squeeze_window){entry, first, length};
    items->ordered += (size_t)bones * length;
    for (uint32_t i = 0; i < length; i += FRAMES_OF_WINDOW) {
        data->frames[data->frame_count++] = (squeeze_window){entry, bench_random(b) % frames, 1};
        items->random += bones;
    }
}

/* Every so many windows, random frames of the same clips, and every so many frames of all clips, shuffled. */
static squeeze_items squeeze_sample(bench *b, squeeze_data *data, bool all)
{
    squeeze_items items = {0, 0, 0};
    uint32_t      windows = 0, frames = 0, total = 0;
    for (uint32_t i = 0; i < data->entry_count; i++)
        total += data->entries[i].clip->frame_count;
    data->windows = take((total / WINDOW + data->entry_count + 1) * sizeof(squeeze_window));
    data->frames = take((total + 1) * sizeof(squeeze_window));
    data->shuffled = take((total + 1) * sizeof(squeeze_window));
    for (uint32_t i = 0; i < data->entry_count; i++) {
        const uint32_t count = data->entries[i].clip->frame_count;
        for (uint32_t f = 0; f < count; f += WINDOW)
            if (windows++ % EVERY_WINDOW == 0 || all)
                squeeze_sample_window(b, data, &items, i, f, count - f < WINDOW ? count - f : WINDOW);
        for (uint32_t f = 0; f < count; f++)
            if (frames++ % EVERY_FRAME == 0) {
                data->shuffled[data->shuffled_count++] = (squeeze_window){i, f, 1};
                items.shuffled += data->entries[i].set->rig.bone_count;
            }
    }
    for (uint32_t i = data->shuffled_count; i > 1; i--) {
        const uint32_t       other = bench_random(b) % i;
        const squeeze_window swapped = data->shuffled[other];
        data->shuffled[other] = data->shuffled[i - 1];
        data->shuffled[i - 1] = swapped;
    }
    return items;
}

typedef struct squeeze_rows {
    const char *size, *random, *shuffled, *ordered;
    double      size_limit, random_limit, ordered_limit; /* 0: none */
} squeeze_rows;

static void squeeze_row(bench *b, const char *name, const bench_timed *timed, const bench_timed *unit,
                        double limit)
{
    bench_row(b, name, timed, unit, limit > 0.0 ? BENCH_AT_MOST : BENCH_NO_LIMIT, limit);
}

static void squeeze_measure(bench *b, const clip_set *sets, int set_count, ember_squeeze_method method,
                            const squeeze_rows *rows, bool real, ember_arena *arena)
{
    squeeze_data *data = take(sizeof(*data));
    size_t        bytes = 0, bone_frames = 0;
    uint32_t      clips = 0;
    for (int s = 0; s < set_count; s++)
        clips += sets[s].clip_count;
    data->entries = take(clips * sizeof(*data->entries));
    data->out = take(EMBER_MAX_BONES * EMBER_KEYFRAME_SIZE);
    data->pose = take(EMBER_MAX_BONES * sizeof(*data->pose));
    for (int s = 0; s < set_count; s++) {
        const ember_squeeze_rig *rig = &sets[s].rig;
        bytes += (size_t)rig->bone_count *
                 (EMBER_KEYFRAME_SIZE + (method == EMBER_SQUEEZE_SMALL && rig->offsets != NULL ? 12u : 0u));
        for (uint32_t c = 0; c < sets[s].clip_count; c++) {
            bytes += DIRECTORY_ENTRY + squeeze_entry_make(&data->entries[data->entry_count++], &sets[s],
                                                          &sets[s].clips[c], method, arena);
            bone_frames += (size_t)rig->bone_count * sets[s].clips[c].frame_count;
        }
    }
    squeeze_cursors(data);
    const squeeze_items items = squeeze_sample(b, data, !real);
    const bench_timed  *decode = bench_time(b, time_decode, data, items.ordered);
    const bench_timed  *random = bench_time(b, time_random, data, items.random);
    const bench_timed  *shuffled = bench_time(b, time_shuffled, data, items.shuffled);
    const bench_timed  *ordered = bench_time(b, time_in_order, data, items.ordered);
    bench_value(b, rows->size, ordered, (double)bytes / (double)bone_frames,
                real && rows->size_limit > 0.0 ? BENCH_AT_MOST : BENCH_NO_LIMIT, rows->size_limit);
    squeeze_row(b, rows->random, random, decode, real ? rows->random_limit : 0.0);
    squeeze_row(b, rows->shuffled, shuffled, decode, 0.0);
    squeeze_row(b, rows->ordered, ordered, decode, real ? rows->ordered_limit : 0.0);
}

void bench_squeeze(bench *b)
{
    static const squeeze_rows rows[CLIPS_KINDS][2] = {
        {{"quick, local: bytes per bone and frame", "quick, local: a random frame, in decodes",
          "quick, local: the same of any clip", "quick, local: frames in order", 1.40, 30.0, 12.0},
         {"small, local: bytes per bone and frame", "small, local: a random frame, in decodes",
          "small, local: the same of any clip", "small, local: frames in order", 1.26, 130.0, 30.0}},
        {{"quick, model: bytes per bone and frame", "quick, model: a random frame, in decodes",
          "quick, model: the same of any clip", "quick, model: frames in order", 3.75, 55.0, 22.0},
         {"small, model: bytes per bone and frame", "small, model: a random frame, in decodes",
          "small, model: the same of any clip", "small, model: frames in order", 2.06, 400.0, 75.0}},
        {{"quick, closed loop: bytes per bone and frame", "quick, closed loop: a random frame, in decodes",
          "quick, closed loop: the same of any clip", "quick, closed loop: frames in order", 0, 0, 0},
         {"small, closed loop: bytes per bone and frame", "small, closed loop: a random frame, in decodes",
          "small, closed loop: the same of any clip", "small, closed loop: frames in order", 0, 0, 0}},
        {{"quick, changing scales: bytes per bone and frame",
          "quick, changing scales: a random frame, in decodes",
          "quick, changing scales: the same of any clip", "quick, changing scales: frames in order", 0, 0, 0},
         {"small, changing scales: bytes per bone and frame",
          "small, changing scales: a random frame, in decodes",
          "small, changing scales: the same of any clip", "small, changing scales: frames in order", 0, 0,
          0}},
    };
    bool any_real = false;
    bench_stage(b);
    for (int kind = 0; kind < CLIPS_KINDS; kind++) {
        ember_arena arena = ember_arena_growing(ember_heap(), 0); /* lives on: blocks point to their rigs */
        clip_set   *sets = take(SETS * sizeof(*sets));
        bool        real;
        const int   count = squeeze_sets(sets, (squeeze_clips)kind, &real, &arena);
        squeeze_measure(b, sets, count, EMBER_SQUEEZE_QUICK, &rows[kind][0], real, &arena);
        squeeze_measure(b, sets, count, EMBER_SQUEEZE_SMALL, &rows[kind][1], real, &arena);
        any_real |= real;
    }
    bench_note(b, "squeezing: random frames are read from nothing, those of a clip one after another; then "
                  "shuffled over all "
                  "clips, where the processor foresees less");
    bench_note(
        b, "%s",
        any_real ? "squeezing: the clips of EMBER_CORPUS; those whose scales change are the demo character's"
                 : "squeezing: EMBER_CORPUS is not set, so these are the demo character's clips, and the "
                   "limits do not count");
}
