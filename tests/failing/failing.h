/* SPDX-License-Identifier: MIT */
/* Makes the library's own calls fail, one after the other: the linker puts these functions in place of those
   that the rooms call. An arena hides most of its pushes in blocks that are there already, so an allocator
   alone does not reach them. */
#ifndef EMBER_TESTS_FAILING_H
#define EMBER_TESTS_FAILING_H

#include "format/fixture.h"

enum {
    FAILING_PUSH = 1 << 0,   /* of any arena */
    FAILING_BUFFER = 1 << 1, /* growing one */
    FAILING_MEMORY = FAILING_PUSH | FAILING_BUFFER,
    FAILING_SYSTEM = 1 << 3,   /* calls that have to do with files */
    FAILING_SHORT = 1 << 4,    /* every write takes three bytes at the most; this kind never fails */
    FAILING_NAMELESS = 1 << 5, /* no file can be made without a name; the same */
};

/* The nth call of these kinds from now on fails, 1 being the first. */
void failing_start(unsigned kinds, size_t nth);
/* With what errno the system's calls fail; EIO at first. */
void failing_set_errno(int number);
/* Back to normal; true if it came to the call that was to fail. */
bool failing_stop(void);

/* For jobs that report findings: what they are does not matter here. */
static inline void failing_forget(void *user, const ember_finding *finding)
{
    (void)user;
    assert_non_null(finding->code);
}

/* What is tried, on and on until no call is left that could fail: it tidies up after itself,
   whatever it returns. */
typedef ember_status failing_run(void *job, ember_error *err);

/* Each failing call in turn is told as a lack of memory, in words, and without one all is well. Returns how
   many there were. */
size_t failing_every(failing_run *run, void *job, unsigned kinds);

#endif
