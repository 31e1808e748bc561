/* SPDX-License-Identifier: MIT */
/* Modules with changed bytes on both engines. On the interpreter, what passes the check and the translation
   runs with little fuel, and neither reads nor writes outside of what is its own; loaded again it does the
   same. The first module that runs to its end, and every 64th from there, is compiled too: it ends in the
   same state, or with the same trap. More calls, and V8, are compared in
   tests/engine/interp/test_random.py. */
#define _POSIX_C_SOURCE 200809L /* sigjmp_buf */

#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "engine/interp/interp.h"
#include "engine/machine_internal.h"

#define ENGINES_EVERY 64u /* compiling takes a tenth of a second */

static const uint32_t engines_inputs[EMBER_CONSOLE_PLAYERS] = {5};

/* How three frames ended. */
typedef struct engines_end {
    ember_status status; /* OK, TRAP, or why it was not loaded */
    ember_error  err;
    uint64_t     hash; /* of the state */
} engines_end;

static engines_end engines_run(const uint8_t *data, size_t size, ember_engine engine, double watchdog_s)
{
    ember_machine_options options = {.engine = engine, .watchdog_s = watchdog_s, .cache_folder = ""};
    engines_end           end = {.err = EMBER_ERROR_INIT};
    ember_machine        *machine;
    ember_snapshot       *snapshot;
    end.status = ember_machine_load_wasm(&machine, data, size, &options, &end.err);
    fuzz_check_error(end.status, &end.err);
    if (end.status != EMBER_OK)
        return end;
    end.status = ember_machine_init(machine, &end.err);
    for (int frame = 0; frame < 3 && end.status == EMBER_OK; frame++) {
        end.status = ember_machine_update(machine, engines_inputs, &end.err);
        if (end.status == EMBER_OK)
            end.status = ember_machine_render(machine, &end.err);
    }
    fuzz_check_error(end.status, &end.err);
    fuzz_require(end.status == EMBER_OK || end.status == EMBER_E_TRAP,
                 "a game fails otherwise than by a trap");
    if (ember_snapshot_create(&snapshot, ember_heap()) != EMBER_OK ||
        ember_machine_save(snapshot, machine) != EMBER_OK)
        abort();
    end.hash = ember_snapshot_hash(snapshot);
    ember_snapshot_destroy(snapshot);
    ember_machine_unload(machine);
    return end;
}

static void engines_compare(const engines_end *a, const engines_end *b)
{
    fuzz_require(a->status == b->status && a->hash == b->hash, "the same module ends in another state");
    fuzz_require(a->status == EMBER_OK || strcmp(a->err.text, b->err.text) == 0,
                 "the same module ends with another trap");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static uint32_t ran;
    const double    little = 20000.0 / EMBERI_STEPS_PER_S;
    uint8_t        *exact = fuzz_exact_copy(data, size);
    engines_end     end = engines_run(exact, size, EMBER_ENGINE_INTERP, little);
    if (end.status == EMBER_OK || end.status == EMBER_E_TRAP) {
        const engines_end again = engines_run(exact, size, EMBER_ENGINE_INTERP, little);
        engines_compare(&end, &again);
        /* The object engine counts no steps. */
        if (strncmp(end.err.text, "the call took", 13) != 0 && ran++ % ENGINES_EVERY == 0) {
            const engines_end object = engines_run(exact, size, EMBER_ENGINE_OBJECT, 30.0);
            if (object.status != EMBER_E_UNSUPPORTED) /* no compiler here */
                engines_compare(&end, &object);
        }
    }
    free(exact);
    return 0;
}
