/* SPDX-License-Identifier: MIT */
/* Makes a game's object behind its frames. The thread takes no signals, allocates from the heap alone (the
   host's allocator need not know threads), and its children are ended when the machine is. */
#include "engine/object_behind.h"

#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "ember/file.h"

struct emberi_behind {
    pthread_t          thread;
    atomic_bool        over, cancelled;
    bool               taken;
    void              *object;
    uint8_t           *wasm; /* a copy */
    size_t             size;
    char              *cache_folder, *compiler; /* copies, or NULL */
    double             build_s;
    emberi_wasm_module module;
};

static void *behind_run(void *user)
{
    emberi_behind    *b = user;
    ember_error       err = EMBER_ERROR_INIT;
    emberi_object_job job = {
        .module = &b->module,
        .cache_folder = b->cache_folder,
        .compiler = b->compiler,
        .build_s = b->build_s,
        .allocator = ember_heap(),
        .cancelled = &b->cancelled,
    };
    if (emberi_wasm_check(&b->module, b->wasm, b->size, &err) != EMBER_OK ||
        emberi_object_make(&b->object, &job, &err) != EMBER_OK)
        b->object = NULL;
    atomic_store(&b->over, true);
    return NULL;
}

static void behind_free(emberi_behind *b)
{
    free(b->wasm);
    free(b->cache_folder);
    free(b->compiler);
    free(b);
}

emberi_behind *emberi_behind_start(const void *wasm, size_t size, const ember_machine_options *options)
{
    sigset_t       all, before;
    emberi_behind *b = calloc(1, sizeof(*b));
    if (b == NULL)
        return NULL;
    b->wasm = malloc(size);
    b->size = size;
    b->build_s = options->build_s;
    b->cache_folder = options->cache_folder != NULL ? strdup(options->cache_folder) : NULL;
    b->compiler = options->compiler != NULL ? strdup(options->compiler) : NULL;
    bool ok = b->wasm != NULL && (b->cache_folder != NULL || options->cache_folder == NULL) &&
              (b->compiler != NULL || options->compiler == NULL);
    if (ok) {
        memcpy(b->wasm, wasm, size);
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before);
        ok = pthread_create(&b->thread, NULL, behind_run, b) == 0;
        pthread_sigmask(SIG_SETMASK, &before, NULL);
    }
    if (ok)
        return b;
    behind_free(b);
    return NULL;
}

bool emberi_behind_done(emberi_behind *b, void **object, const emberi_wasm_module **module)
{
    if (b->taken || !atomic_load(&b->over))
        return false;
    b->taken = true;
    *object = b->object;
    *module = &b->module;
    return true;
}

void emberi_behind_stop(emberi_behind *b)
{
    if (b == NULL)
        return;
    atomic_store(&b->cancelled, true);
    pthread_join(b->thread, NULL);
    if (!b->taken && b->object != NULL)
        dlclose(b->object);
    behind_free(b);
}
