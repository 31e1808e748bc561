/* SPDX-License-Identifier: MIT */
/* Time that only goes forward. */
#ifndef EMBER_PLATFORM_CLOCK_H
#define EMBER_PLATFORM_CLOCK_H

/* Seconds since some moment in the past: for differences alone. Never less than it was before, whatever is
   done to the date. */
double emberi_clock_s(void);

#endif
