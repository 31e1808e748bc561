/* SPDX-License-Identifier: MIT */
/* The check of modules with random bytes: it must not read outside of them, must say why it refuses, and what
   it lets through must pass again once it is stripped. */
#include "fuzz.h"

#include <stdlib.h>

#include "engine/check/module_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    emberi_wasm_module module, again;
    ember_error        err = EMBER_ERROR_INIT;
    uint8_t           *exact = fuzz_exact_copy(data, size);
    ember_status       status = emberi_wasm_check(&module, exact, size, &err);
    fuzz_check_error(status, &err);
    if (status == EMBER_OK) {
        static uint8_t memory[EMBER_CONSOLE_MEMORY];
        ember_buffer   stripped = {.allocator = ember_heap()};
        fuzz_require(emberi_wasm_strip(&stripped, &module, &err) == EMBER_OK,
                     "no memory to strip the module");
        fuzz_require(emberi_wasm_check(&again, stripped.data, stripped.size, &err) == EMBER_OK,
                     "the stripped module does not pass");
        emberi_wasm_put_data(&module, memory);
        ember_buffer_free(&stripped);
    }
    free(exact);
    return 0;
}
