/* SPDX-License-Identifier: MIT */
/* A build without libmicrohttpd, or without the page. */
#include "verbs/view/serve.h"

bool serve_run(const serve_job *job)
{
#ifdef EMBER_HAVE_PAGE
    say_error(
        job->say, (place){NULL, NULL, NULL},
        "this build has no server for the viewer: it was built without libmicrohttpd (libmicrohttpd-dev)");
#else
    say_error(job->say, (place){NULL, NULL, NULL},
              "this build has no viewer: it was built without clang for wasm32 (clang lld wasi-libc "
              "libclang-rt-14-dev-wasm32)");
#endif
    return false;
}
