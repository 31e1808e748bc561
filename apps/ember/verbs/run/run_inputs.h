/* SPDX-License-Identifier: MIT */
/* What the players hold, frame by frame: recorded to a file, or played back from one. docs/formats/inputs.md
   is the table. */
#ifndef EMBER_APP_RUN_INPUTS_H
#define EMBER_APP_RUN_INPUTS_H

#include "cli/say.h"
#include "ember/console.h"
#include "ember/format.h"

/* From this frame on, counted from 0, until the next change. */
typedef struct run_change {
    uint32_t frame;
    uint32_t held[EMBER_CONSOLE_PLAYERS];
} run_change;

typedef struct run_inputs {
    uint64_t    game; /* hash of the module */
    uint64_t    seed;
    uint32_t    frame_count;
    uint64_t    hash;    /* of the state behind the last frame */
    bool        trapped; /* in the last frame: there is no hash */
    /* kept as the file has them: a line can stand for millions of frames. Before the first nothing is held */
    run_change *changes;
    uint32_t    change_count;
} run_inputs;

/* Adds a frame. */
void run_inputs_add(run_inputs *inputs, const uint32_t held[EMBER_CONSOLE_PLAYERS]);

/* What was held in a frame. */
void run_inputs_get(uint32_t held[EMBER_CONSOLE_PLAYERS], const run_inputs *inputs, uint32_t frame);

/* True, or false with the reason in *err: what is wrong and in which line. Free in both cases. */
bool run_inputs_read(run_inputs *out, const char *path, ember_error *err);
bool run_inputs_write(const run_inputs *inputs, const char *path, ember_error *err);
void run_inputs_free(run_inputs *inputs);

#endif
