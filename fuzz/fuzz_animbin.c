/* SPDX-License-Identifier: MIT */
/* ANIMBIN with any bytes: the check of the file as it is, the model, madnight's check of that, and the model
   brought within the engine's limits, which must then be written without an error. */
#include "fuzz.h"

#include <stdlib.h>

static void fit_model(const ember_model *model)
{
    fuzz_heap           heap = {0, 0};
    ember_arena         arena = ember_arena_growing(fuzz_allocator(&heap), FUZZ_MEMORY);
    ember_write_options options = {.format = EMBER_FORMAT_ANIMBIN, .notes = fuzz_notes()};
    ember_findings      findings = fuzz_findings();
    ember_model         fitted;
    ember_error         err = EMBER_ERROR_INIT;
    ember_status        status = ember_animbin_check(model, &options, &findings, &err);
    fuzz_check_error(status, &err);
    status = ember_animbin_fit(&fitted, model, &options, &arena, &err);
    fuzz_check_error(status, &err);
    if (status == EMBER_OK)
        fuzz_require(fuzz_model_through(&fitted, &options, NULL),
                     "a model within the limits cannot be written");
    for (int keys = EMBER_ANIMBIN_KEYS_DENSE; keys <= EMBER_ANIMBIN_KEYS_SPARSE; keys++) {
        options.animbin = &(ember_animbin_options){.keys = (ember_animbin_keys)keys};
        (void)fuzz_model_through(model, &options, NULL);
    }
    ember_arena_free(&arena);
    fuzz_heap_check(&heap, SIZE_MAX);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_heap          heap = {0, 0};
    ember_arena        arena = ember_arena_growing(fuzz_allocator(&heap), FUZZ_MEMORY);
    ember_read_options options = {.format = EMBER_FORMAT_ANIMBIN};
    ember_findings     findings = fuzz_findings();
    ember_model        model;
    ember_error        err = EMBER_ERROR_INIT;
    uint32_t           clips;
    uint8_t           *exact = fuzz_exact_copy(data, size);
    fuzz_check_error(ember_animbin_check_file(&clips, exact, size, NULL, &findings, &err), &err);
    free(exact);
    if (fuzz_model_read(&model, data, size, options, &arena) == EMBER_OK &&
        arena.total <= FUZZ_WRITE_MEMORY / 8)
        fit_model(&model);
    ember_arena_free(&arena);
    fuzz_heap_check(&heap, size);
    return 0;
}
