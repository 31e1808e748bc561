/* SPDX-License-Identifier: MIT */
/* From a module to a machine: the engine that runs it, and the change from the interpreter to the compiled
   object once that has been made behind. A module may be hostile: each engine checks it before it does
   anything else. */
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/fail.h"
#include "ember/file.h"
#include "engine/interp/interp.h"
#include "engine/object_behind.h"

#define LOAD_BUILD_S 120.0

bool ember_machine_runs_wasm(void) { return true; }

static bool load_has_objects(void)
{
#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))
    return true;
#else
    return false;
#endif
}

ember_engine ember_machine_engine(const ember_machine *machine)
{
    return machine->ops == &emberi_interp_ops ? EMBER_ENGINE_INTERP
           : machine->ops == &emberi_wasm_ops ? EMBER_ENGINE_OBJECT
                                              : EMBER_ENGINE_AUTO;
}

/* ---- the object alone ---- */

/* Ends with nothing left: a machine that has no engine yet. */
static void load_end_nothing(ember_machine *machine) { (void)machine; }

static const emberi_machine_ops load_no_engine = {.destroy = load_end_nothing};

static ember_status load_object(ember_machine **out, const void *wasm, size_t size,
                                const ember_machine_options *options, ember_error *err)
{
    emberi_wasm_module module;
    ember_machine     *machine;
    void              *object = NULL;
    if (!load_has_objects())
        return ember_fail(err, EMBER_E_UNSUPPORTED, EMBER_NO_OFFSET,
                          "games are compiled on Linux on x86-64 and ARM64 only; use the interpreter");
    ember_status status = emberi_wasm_check(&module, wasm, size, err);
    if (status == EMBER_OK)
        status = emberi_machine_create(&machine, sizeof(ember_machine), &load_no_engine, options, err);
    if (status != EMBER_OK)
        return status;
    machine->game_hash = XXH3_64bits(wasm, size);
    machine->memory_least = module.pages * EMBERI_WASM_PAGE;
    machine->memory_most = module.max_pages * EMBERI_WASM_PAGE;
    const emberi_object_limits limits = {options->watchdog_s, options->host_faults};
    const emberi_object_job    job = {
           .module = &module,
           .cache_folder = options->cache_folder,
           .compiler = options->compiler,
           .build_s = options->build_s,
           .allocator = machine->allocator,
    };
    status = emberi_object_make(&object, &job, err);
    if (status == EMBER_OK)
        status = emberi_object_attach(machine, object, &module, &limits, err);
    if (status != EMBER_OK) {
        ember_machine_unload(machine);
        return status;
    }
    *out = machine;
    return EMBER_OK;
}

/* ---- the interpreter first, the object when it is there ---- */

struct emberi_successor {
    emberi_behind       *behind;
    emberi_object_limits limits;
};

void emberi_successor_free(ember_machine *machine)
{
    struct emberi_successor *s = machine->successor;
    if (s == NULL)
        return;
    emberi_behind_stop(s->behind);
    machine->allocator.resize(machine->allocator.user, s, sizeof(*s), 0);
    machine->successor = NULL;
}

/* A machine that has none goes on with the interpreter, which is no error. */
static void successor_start(ember_machine *machine, const void *wasm, size_t size,
                            const ember_machine_options *options)
{
    if (!load_has_objects())
        return;
    struct emberi_successor *s = machine->allocator.resize(machine->allocator.user, NULL, 0, sizeof(*s));
    if (s == NULL)
        return;
    s->limits = (emberi_object_limits){options->watchdog_s, options->host_faults};
    s->behind = emberi_behind_start(wasm, size, options);
    machine->successor = s;
    if (s->behind == NULL)
        emberi_successor_free(machine);
}

/* What the old engine has, into the new one: memory, globals, dropped segments. All else is the machine's or
   the console's, and stays. False: the machine goes on with the old one. */
static bool successor_take_over(ember_machine *machine, void *object, const emberi_wasm_module *module)
{
    const emberi_machine_ops *old = machine->ops;
    void                     *old_engine = machine->engine;
    uint32_t                  size, first;
    const uint8_t            *memory = old->memory(machine, &size);
    size_t                    state_size = old->state_size(machine);
    ember_allocator           allocator = machine->allocator;
    uint8_t                  *state = allocator.resize(allocator.user, NULL, 0, state_size + 1);
    if (state == NULL)
        return false;
    old->state_save(machine, state);
    bool ok = emberi_object_attach(machine, object, module, &machine->successor->limits, NULL) == EMBER_OK;
    if (ok) {
        (void)machine->ops->memory(machine, &first);
        ok = machine->ops->state_size(machine) == state_size &&
             (first == size || machine->ops->resize(machine, size));
        if (ok) {
            memcpy(machine->ops->memory(machine, &first), memory, size);
            machine->ops->state_restore(machine, state);
            old->destroy(machine);
        } else {
            machine->ops->destroy(machine);
            machine->ops = old;
            machine->engine = old_engine;
        }
    }
    allocator.resize(allocator.user, state, state_size + 1, 0);
    return ok;
}

void emberi_successor_poll(ember_machine *machine)
{
    void                     *object;
    const emberi_wasm_module *module;
    if (!emberi_behind_done(machine->successor->behind, &object, &module))
        return;
    if (object != NULL)
        (void)successor_take_over(machine, object, module);
    emberi_successor_free(machine);
}

ember_status ember_machine_load_wasm(ember_machine **out, const void *wasm, size_t size,
                                     const ember_machine_options *options, ember_error *err)
{
    ember_machine_options all = options != NULL ? *options : (ember_machine_options){.rom = NULL};
    *out = NULL;
    if (all.allocator.resize == NULL)
        all.allocator = ember_heap();
    if (all.watchdog_s < 0.0 || all.watchdog_s > EMBERI_WATCHDOG_MAX_S || all.watchdog_s != all.watchdog_s)
        return ember_fail(err, EMBER_E_ARG, EMBER_NO_OFFSET, "the watchdog's time makes no sense");
    if (all.engine > EMBER_ENGINE_OBJECT)
        return ember_fail(err, EMBER_E_ARG, EMBER_NO_OFFSET, "there is no such engine");
    all.watchdog_s = all.watchdog_s > 0.0 ? all.watchdog_s : EMBERI_WATCHDOG_S;
    all.build_s = all.build_s > 0.0 ? all.build_s : LOAD_BUILD_S;
    if (all.engine == EMBER_ENGINE_OBJECT)
        return load_object(out, wasm, size, &all, err);
    ember_status status = emberi_interp_load(out, wasm, size, &all, err);
    if (status == EMBER_OK && all.engine == EMBER_ENGINE_AUTO)
        successor_start(*out, wasm, size, &all);
    return status;
}
