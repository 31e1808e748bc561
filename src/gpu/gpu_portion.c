/* SPDX-License-Identifier: MIT */
/* Work in portions. Triangles that cover the whole picture cost a software driver a thousand times what
   others cost, and a draw list may have millions: so the portion follows the time that the last one took, and
   a picture that takes too long is given up. Ordinary scenes fit in one. */
#ifndef __wasm__
#include <time.h>
#endif

#include "gpu/gpu.h"

#define PORTION_LEAST 64u
#define PORTION_FIRST 4096u
#define PORTION_MOST (1u << 20)
#define PORTION_SHORT_S 0.1 /* the next one may be twice as large */
#define PORTION_LONG_S 0.5  /* it must be half as large */
#define PICTURE_LIMIT_S 20.0

#ifdef __wasm__
/* A browser watches its pages itself, and has no way to wait for the driver. */
static double portion_now(void) { return 0.0; }
static void   portion_finish(void) {}
#else
static double portion_now(void)
{
    struct timespec now;
    return timespec_get(&now, TIME_UTC) == TIME_UTC ? (double)now.tv_sec + 1e-9 * (double)now.tv_nsec : 0.0;
}

static void portion_finish(void) { glFinish(); }
#endif

void emberi_portion_begin(emberi_portion *portion)
{
    if (portion->size == 0)
        portion->size = PORTION_FIRST;
    if (!(portion->limit_s > 0.0))
        portion->limit_s = PICTURE_LIMIT_S;
    portion->given = 0;
    portion->start_s = portion->last_s = portion_now();
}

bool emberi_portion_give(emberi_portion *portion, uint32_t triangles)
{
    portion->given += triangles;
    if (portion->given < portion->size)
        return true;
    portion_finish();
    double now = portion_now(), took = now - portion->last_s;
    if (took < PORTION_SHORT_S && portion->size < PORTION_MOST)
        portion->size *= 2;
    else if (took > PORTION_LONG_S && portion->size > PORTION_LEAST)
        portion->size /= 2;
    portion->given = 0;
    portion->last_s = now;
    return now - portion->start_s <= portion->limit_s;
}
