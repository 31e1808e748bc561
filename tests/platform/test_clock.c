/* SPDX-License-Identifier: MIT */
/* The clock goes forward, in seconds. */
#define _POSIX_C_SOURCE 200809L /* nanosleep */
#include <time.h>

#include "testing.h"

#include "platform/clock.h"

TEST(the_clock_never_goes_back)
{
    double before = emberi_clock_s();
    for (int i = 0; i < 1000; i++) {
        double now = emberi_clock_s();
        assert_true(now >= before);
        before = now;
    }
}

TEST(the_clock_counts_seconds)
{
    double before = emberi_clock_s();
    assert_int_equal(nanosleep(&(struct timespec){0, 20000000}, NULL), 0);
    double passed = emberi_clock_s() - before;
    assert_true(passed >= 0.02 && passed < 20.0);
}
