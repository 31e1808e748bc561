/* SPDX-License-Identifier: MIT */
/* Modules with changed bytes on the interpreter: what passes the check and the translation runs with little
   fuel, and neither reads nor writes outside of what is its own; loaded again it does the same. The object
   engine and V8 are compared with it in tests/engine/interp/test_random.py. */
#define _POSIX_C_SOURCE 200809L /* sigjmp_buf */

#include "fuzz.h"

#include <stdlib.h>

#include "engine/interp/interp.h"
#include "engine/machine_internal.h"

static const uint32_t engines_inputs[EMBER_CONSOLE_PLAYERS] = {5};

/* Runs three frames; a hash of the memory, or 0 if it was refused. */
static uint32_t engines_run(const uint8_t *data, size_t size)
{
    ember_machine_options options = {.watchdog_s = 20000.0 / EMBERI_STEPS_PER_S};
    ember_machine        *machine;
    ember_error           err = EMBER_ERROR_INIT;
    ember_status          status = emberi_interp_load(&machine, data, size, &options, &err);
    uint32_t              bytes, hash = 1;
    fuzz_check_error(status, &err);
    if (status != EMBER_OK)
        return 0;
    status = ember_machine_init(machine, &err);
    for (int frame = 0; frame < 3 && status == EMBER_OK; frame++) {
        status = ember_machine_update(machine, engines_inputs, &err);
        if (status == EMBER_OK)
            status = ember_machine_render(machine, &err);
    }
    fuzz_check_error(status, &err);
    fuzz_require(status == EMBER_OK || status == EMBER_E_TRAP, "a game fails otherwise than by a trap");
    const uint8_t *memory = machine->ops->memory(machine, &bytes);
    for (uint32_t i = 0; i < bytes; i += 4)
        hash = hash * 31u + memory[i] + 7u * memory[i + 1] + 49u * memory[i + 2] + 343u * memory[i + 3];
    ember_machine_unload(machine);
    return hash != 0 ? hash : 1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t *exact = fuzz_exact_copy(data, size);
    uint32_t first = engines_run(exact, size);
    if (first != 0)
        fuzz_require(engines_run(exact, size) == first, "the same module runs in another way");
    free(exact);
    return 0;
}
