/* SPDX-License-Identifier: MIT */
/* Draw lists as JSON, so that what a game draws can be seen and tested without a screen.
   docs/formats/draws.md is the table. */
#ifndef EMBER_APP_RUN_DRAWS_H
#define EMBER_APP_RUN_DRAWS_H

#include "ember/draw.h"
#include "ember/format.h"

/* Set the buffer's allocator and leave the rest zero. */
typedef struct run_draws {
    ember_buffer text;
    uint32_t     frame_count;
    bool         failed; /* no memory */
} run_draws;

void run_draws_add(run_draws *draws, const ember_draw_list *list);
/* Ends the document and writes it; false with the reason in *err. */
bool run_draws_write(run_draws *draws, const char *path, ember_error *err);
void run_draws_free(run_draws *draws);

#endif
