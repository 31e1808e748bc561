/* SPDX-License-Identifier: MIT */
/* A bar on standard error for work that takes more than a moment: only on a terminal, never in a pipe. */
#ifndef EMBER_APP_PROGRESS_H
#define EMBER_APP_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct progress {
    bool   on;    /* standard error is a terminal, and nobody asked for quiet */
    bool   drawn; /* there is a bar on the line now */
    size_t done, total;
    double start_s, last_s;
} progress;

void progress_start(progress *bar, size_t total);
/* One more of the total is done; draws where enough time has gone by. */
void progress_step(progress *bar);
/* Takes the bar off the line, so that words can be printed; the next step draws it again. */
void progress_hide(progress *bar);

#endif
