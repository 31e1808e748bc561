/* SPDX-License-Identifier: MIT */
/* A machine that runs a WASM game: from the module to an instance of its compiled object, and what of it goes
   into a snapshot. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/fail.h"
#include "console/functions.h"
#include "ember/file.h"
#include "engine/object/object_parts.h"

#define WATCHDOG_S 2.0
#define WATCHDOG_MAX_S 1e6
#define BUILD_S 120.0
#define BLOCK_ALIGN 64u

/* NOLINTNEXTLINE(bugprone-macro-parentheses): a declaration's parts stand in none */
#define FUNCTION_MEMBER(result, name, signature, parameters, arguments) result(*name) parameters;
typedef struct host_functions {
    EMBERI_HOST_FUNCTIONS(FUNCTION_MEMBER)
} host_functions;
#undef FUNCTION_MEMBER

#define FUNCTION_POINTER(result, name, signature, parameters, arguments) .name = emberi_host_##name,
static const host_functions wasm_host_functions = {EMBERI_HOST_FUNCTIONS(FUNCTION_POINTER)};
#undef FUNCTION_POINTER

static emberi_wasm_machine *wasm_of(ember_machine *machine) { return (emberi_wasm_machine *)machine; }

/* ---- what the machine asks of it ---- */

static void wasm_call(ember_machine *machine, ember_phase phase)
{
    emberi_wasm_machine *m = wasm_of(machine);
    void (*function)(void *) = phase == EMBER_PHASE_INIT     ? m->guest->init
                               : phase == EMBER_PHASE_UPDATE ? m->guest->update
                                                             : m->guest->render;
    if (function != NULL)
        function(m->instance);
}

static uint8_t *wasm_memory(const ember_machine *machine, uint32_t *size)
{
    const emberi_wasm_machine *m = (const emberi_wasm_machine *)machine;
    *size = emberi_wasm_memory(m)->size;
    return m->memory;
}

static bool wasm_resize(ember_machine *machine, uint32_t size)
{
    return emberi_wasm_resize_memory(wasm_of(machine), size);
}

static size_t wasm_state_size(const ember_machine *machine)
{
    return ((const emberi_wasm_machine *)machine)->guest->instance_size;
}

/* The pointers in an instance: the console's, the memory's, the table's. All else in it is numbers. */
static void wasm_put_pointers(const emberi_wasm_machine *m, uint8_t *instance, void *env, void *memory,
                              void *table)
{
    if (m->has_env)
        memcpy(instance, &env, sizeof(env));
    memcpy(instance + m->guest->memory_offset + offsetof(wasm_rt_memory_t, data), &memory, sizeof(memory));
    if (m->guest->table_offset != SIZE_MAX)
        memcpy(instance + m->guest->table_offset + offsetof(wasm_rt_funcref_table_t, data), &table,
               sizeof(table));
}

static void wasm_state_save(const ember_machine *machine, void *out)
{
    const emberi_wasm_machine *m = (const emberi_wasm_machine *)machine;
    memcpy(out, m->instance, m->guest->instance_size);
    wasm_put_pointers(m, out, NULL, NULL, NULL);
}

static void wasm_state_restore(ember_machine *machine, const void *state)
{
    emberi_wasm_machine *m = wasm_of(machine);
    memcpy(m->instance, state, m->guest->instance_size);
    wasm_put_pointers(m, m->instance, m->instance, m->memory, m->table);
}

static void wasm_destroy(ember_machine *machine)
{
    emberi_wasm_machine *m = wasm_of(machine);
    ember_allocator      allocator = machine->allocator;
    emberi_guard_free(m);
    emberi_wasm_free_memory(m);
    if (m->table != NULL)
        allocator.resize(allocator.user, m->table, m->table_bytes, 0);
    if (m->block != NULL)
        allocator.resize(allocator.user, m->block, m->block_size, 0);
    if (m->object != NULL)
        dlclose(m->object);
}

const emberi_machine_ops emberi_wasm_ops = {
    .call = wasm_call,
    .memory = wasm_memory,
    .resize = wasm_resize,
    .state_size = wasm_state_size,
    .state_save = wasm_state_save,
    .state_restore = wasm_state_restore,
    .enter = emberi_guard_enter,
    .leave = emberi_guard_leave,
    .destroy = wasm_destroy,
};

/* ---- loading ---- */

bool ember_machine_runs_wasm(void)
{
#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))
    return true;
#else
    return false;
#endif
}

static void wasm_instantiate(ember_machine *machine, ember_phase phase)
{
    (void)phase;
    wasm_of(machine)->guest->instantiate(wasm_of(machine)->instance);
}

/* Head and instance in one block, the instance at a border of cache lines. */
static ember_status wasm_make_instance(emberi_wasm_machine *m, ember_error *err)
{
    ember_allocator allocator = m->base.allocator;
    m->block_size = m->guest->instance_size + sizeof(*m->head) + 2 * BLOCK_ALIGN;
    m->block = allocator.resize(allocator.user, NULL, 0, m->block_size);
    if (m->block == NULL)
        return emberi_fail_memory(err);
    memset(m->block, 0, m->block_size);
    uintptr_t at = ((uintptr_t)m->block + sizeof(*m->head) + BLOCK_ALIGN - 1) / BLOCK_ALIGN * BLOCK_ALIGN;
    m->instance = m->block + (at - (uintptr_t)m->block);
    m->head = (struct emberi_guest_head *)(void *)m->instance - 1;
    m->head->console = m->base.console;
    return emberi_machine_protect(&m->base, wasm_instantiate, EMBER_PHASE_NONE, err);
}

static ember_status wasm_start(emberi_wasm_machine *m, ember_error *err)
{
    /* Machines on several threads may load the same object. */
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    m->guest = dlsym(m->object, EMBERI_GUEST_SYMBOL);
    if (m->guest == NULL || !emberi_guard_find_text(m))
        return ember_fail(err, EMBER_E_IO, EMBER_NO_OFFSET, "the compiled game is not what it should be");
    pthread_mutex_lock(&lock);
    m->guest->bind(&emberi_guest_runtime_functions, &wasm_host_functions);
    pthread_mutex_unlock(&lock);
    return wasm_make_instance(m, err);
}

static ember_status wasm_open(void **object, const emberi_wasm_module *module,
                              const ember_machine_options *options, ember_error *err)
{
    ember_buffer      stripped = {.allocator = options->allocator};
    emberi_object_job job = {
        .module = module,
        .stripped = &stripped,
        .cache_folder = options->cache_folder,
        .compiler = options->compiler,
        .build_s = options->build_s > 0.0 ? options->build_s : BUILD_S,
        .allocator = options->allocator,
    };
    ember_status status = emberi_wasm_strip(&stripped, module, err);
    if (status == EMBER_OK)
        status = emberi_object_open(object, &job, err);
    ember_buffer_free(&stripped);
    return status;
}

ember_status ember_machine_load_wasm(ember_machine **out, const void *wasm, size_t size,
                                     const ember_machine_options *options, ember_error *err)
{
    emberi_wasm_module    module;
    ember_machine_options all = options != NULL ? *options : (ember_machine_options){.rom = NULL};
    void                 *object = NULL;
    *out = NULL;
    if (all.allocator.resize == NULL)
        all.allocator = ember_heap();
    if (all.watchdog_s < 0.0 || all.watchdog_s > WATCHDOG_MAX_S || all.watchdog_s != all.watchdog_s)
        return ember_fail(err, EMBER_E_ARG, EMBER_NO_OFFSET, "the watchdog's time makes no sense");
    if (!ember_machine_runs_wasm())
        return ember_fail(err, EMBER_E_UNSUPPORTED, EMBER_NO_OFFSET,
                          "WASM games run on Linux on x86-64 and ARM64 only");
    ember_status status = emberi_wasm_check(&module, wasm, size, err);
    if (status == EMBER_OK)
        status = emberi_guard_install(err);
    if (status == EMBER_OK)
        status = wasm_open(&object, &module, &all, err);
    if (status != EMBER_OK)
        return status;
    ember_machine *machine;
    status = emberi_machine_create(&machine, sizeof(emberi_wasm_machine), &emberi_wasm_ops, &all, err);
    if (status != EMBER_OK) {
        dlclose(object);
        return status;
    }
    emberi_wasm_machine *m = wasm_of(machine);
    m->object = object;
    machine->game_hash = XXH3_64bits(wasm, size);
    m->has_env = module.import_count != 0;
    m->watchdog_s = all.watchdog_s > 0.0 ? all.watchdog_s : WATCHDOG_S;
    snprintf(m->watchdog_text, sizeof(m->watchdog_text), "the call took more than %g s (an endless loop?)",
             m->watchdog_s);
    status = wasm_start(m, err);
    if (status != EMBER_OK) {
        ember_machine_unload(machine);
        return status;
    }
    emberi_wasm_put_data(&module, m->memory);
    *out = machine;
    return EMBER_OK;
}
