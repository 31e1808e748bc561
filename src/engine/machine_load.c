/* SPDX-License-Identifier: MIT */
/* From a module to a machine: the check, and the engine that runs it. */
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/fail.h"
#include "ember/file.h"
#include "engine/object/object_parts.h"

#define LOAD_WATCHDOG_S 2.0
#define LOAD_WATCHDOG_MAX_S 1e6
#define LOAD_BUILD_S 120.0

bool ember_machine_runs_wasm(void)
{
#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))
    return true;
#else
    return false;
#endif
}

static ember_status load_object(void **object, const emberi_wasm_module *module,
                                const ember_machine_options *options, ember_error *err)
{
    ember_buffer      stripped = {.allocator = options->allocator};
    emberi_object_job job = {
        .module = module,
        .stripped = &stripped,
        .cache_folder = options->cache_folder,
        .compiler = options->compiler,
        .build_s = options->build_s > 0.0 ? options->build_s : LOAD_BUILD_S,
        .allocator = options->allocator,
    };
    ember_status status = emberi_wasm_strip(&stripped, module, err);
    if (status == EMBER_OK)
        status = emberi_object_open(object, &job, err);
    ember_buffer_free(&stripped);
    return status;
}

/* Ends with nothing left: a machine that has no engine yet. */
static void load_end_nothing(ember_machine *machine) { (void)machine; }

static const emberi_machine_ops load_no_engine = {.destroy = load_end_nothing};

ember_status ember_machine_load_wasm(ember_machine **out, const void *wasm, size_t size,
                                     const ember_machine_options *options, ember_error *err)
{
    emberi_wasm_module    module;
    ember_machine_options all = options != NULL ? *options : (ember_machine_options){.rom = NULL};
    void                 *object = NULL;
    ember_machine        *machine;
    *out = NULL;
    if (all.allocator.resize == NULL)
        all.allocator = ember_heap();
    if (all.watchdog_s < 0.0 || all.watchdog_s > LOAD_WATCHDOG_MAX_S || all.watchdog_s != all.watchdog_s)
        return ember_fail(err, EMBER_E_ARG, EMBER_NO_OFFSET, "the watchdog's time makes no sense");
    if (!ember_machine_runs_wasm())
        return ember_fail(err, EMBER_E_UNSUPPORTED, EMBER_NO_OFFSET,
                          "WASM games run on Linux on x86-64 and ARM64 only");
    ember_status status = emberi_wasm_check(&module, wasm, size, err);
    if (status == EMBER_OK)
        status = emberi_machine_create(&machine, sizeof(ember_machine), &load_no_engine, &all, err);
    if (status != EMBER_OK)
        return status;
    machine->game_hash = XXH3_64bits(wasm, size);
    machine->memory_least = module.pages * EMBERI_WASM_PAGE;
    machine->memory_most = module.max_pages * EMBERI_WASM_PAGE;
    const emberi_object_limits limits = {
        .watchdog_s = all.watchdog_s > 0.0 ? all.watchdog_s : LOAD_WATCHDOG_S,
        .host_faults = all.host_faults,
    };
    status = load_object(&object, &module, &all, err);
    if (status == EMBER_OK)
        status = emberi_object_attach(machine, object, &module, &limits, err);
    if (status != EMBER_OK) {
        ember_machine_unload(machine);
        return status;
    }
    *out = machine;
    return EMBER_OK;
}
