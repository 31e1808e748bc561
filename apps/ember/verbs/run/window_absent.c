/* SPDX-License-Identifier: MIT */
/* A build without SDL2: it says so. */
#include "verbs/run/window.h"

bool window_run(window_job *job, ember_error *err)
{
    (void)job;
    ember_fail(err, EMBER_E_UNSUPPORTED, EMBER_NO_OFFSET,
               "this build has no window (on Debian: apt-get install libsdl2-dev, then build again); "
               "--headless runs without one");
    return false;
}
