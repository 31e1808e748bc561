/* SPDX-License-Identifier: MIT */
/* The monotonic clock of POSIX. */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include "platform/clock.h"

#include <time.h>

double emberi_clock_s(void)
{
    struct timespec now = {0, 0};
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}
