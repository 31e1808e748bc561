/* SPDX-License-Identifier: MIT */
/* The progress bar. Time is only looked at to decide whether to draw: it never changes a result. */
#include "cli/progress.h"

#include <stdio.h>

#include "platform/clock.h"

enum { PROGRESS_WIDTH = 32 };
static const double PROGRESS_PATIENCE_S = 0.5, PROGRESS_EVERY_S = 0.05;

void progress_start(progress *bar, size_t total)
{
    bar->done = 0;
    bar->total = total;
    if (bar->on)
        bar->start_s = bar->last_s = emberi_clock_s();
}

void progress_step(progress *bar)
{
    bar->done++;
    if (!bar->on || bar->total < 2)
        return;
    double now = emberi_clock_s();
    if (now - bar->start_s < PROGRESS_PATIENCE_S || now - bar->last_s < PROGRESS_EVERY_S)
        return;

    char   line[PROGRESS_WIDTH + 1];
    size_t full = bar->done * PROGRESS_WIDTH / bar->total;
    for (size_t i = 0; i < PROGRESS_WIDTH; i++)
        line[i] = i < full ? '#' : '.';
    line[PROGRESS_WIDTH] = '\0';
    fprintf(stderr, "\r[%s] %zu/%zu\033[K", line, bar->done, bar->total);
    fflush(stderr);
    bar->last_s = now;
    bar->drawn = true;
}

void progress_hide(progress *bar)
{
    if (bar->drawn)
        fputs("\r\033[K", stderr);
    bar->drawn = false;
}
