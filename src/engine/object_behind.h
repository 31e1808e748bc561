/* SPDX-License-Identifier: MIT */
/* A game's object, made behind the frames that another engine runs: a thread of its own that waits for the
   translator and the compiler, so that nobody else does. */
#ifndef EMBER_ENGINE_OBJECT_BEHIND_H
#define EMBER_ENGINE_OBJECT_BEHIND_H

#include "engine/object/object_parts.h"

typedef struct emberi_behind emberi_behind;

/* Copies what it needs. NULL where there is no thread or no memory for it: the game goes on without. */
emberi_behind *emberi_behind_start(const void *wasm, size_t size, const ember_machine_options *options);

/* True once, when it is over: *object is what dlopen gave, the caller's now, or NULL where it failed. The
   module is valid until emberi_behind_stop. */
bool emberi_behind_done(emberi_behind *behind, void **object, const emberi_wasm_module **module);

/* Ends what still runs, without waiting for it to finish. NULL is fine. */
void emberi_behind_stop(emberi_behind *behind);

#endif
