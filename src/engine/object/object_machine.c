/* SPDX-License-Identifier: MIT */
/* The engine that runs a game's compiled object: an instance of it, and what of it goes into a snapshot. */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "base/fail.h"
#include "console/functions.h"
#include "ember/file.h"
#include "engine/object/object_parts.h"

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

/* ---- what the machine asks of it ---- */

static void wasm_call(ember_machine *machine, ember_phase phase)
{
    emberi_wasm_machine *m = machine->engine;
    void (*function)(void *) = phase == EMBER_PHASE_INIT     ? m->guest->init
                               : phase == EMBER_PHASE_UPDATE ? m->guest->update
                                                             : m->guest->render;
    if (function != NULL)
        function(m->instance);
}

static uint8_t *wasm_memory(const ember_machine *machine, uint32_t *size)
{
    const emberi_wasm_machine *m = machine->engine;
    *size = emberi_wasm_memory(m)->size;
    return m->memory;
}

static bool wasm_resize(ember_machine *machine, uint32_t size)
{
    return emberi_wasm_resize_memory(machine->engine, size);
}

/* Of a global 8 bytes, of a segment 1. */
static size_t wasm_state_size(const ember_machine *machine)
{
    const struct emberi_guest *guest = ((const emberi_wasm_machine *)machine->engine)->guest;
    size_t                     size = 0;
    for (size_t i = 0; i < guest->cell_count; i++)
        size += guest->cells[i].size >= 4 ? 8 : 1;
    return size;
}

/* Read from the instance by their addresses, not by code of the object: the watchdog of another machine may
   just have made that unusable. */
static void wasm_state_save(const ember_machine *machine, void *out)
{
    const emberi_wasm_machine *m = machine->engine;
    uint8_t                   *at = out;
    for (size_t i = 0; i < m->guest->cell_count; i++) {
        const struct emberi_guest_cell *cell = &m->guest->cells[i];
        if (cell->size < 4) {
            *at++ = cell->size == 0 || m->instance[cell->offset] != 0;
            continue;
        }
        memset(at, 0, 8);
        memcpy(at, m->instance + cell->offset, cell->size);
        at += 8;
    }
}

static void wasm_state_restore(ember_machine *machine, const void *state)
{
    emberi_wasm_machine *m = machine->engine;
    const uint8_t       *at = state;
    for (size_t i = 0; i < m->guest->cell_count; i++) {
        const struct emberi_guest_cell *cell = &m->guest->cells[i];
        if (cell->size >= 4)
            memcpy(m->instance + cell->offset, at, cell->size);
        else if (cell->size == 1)
            m->instance[cell->offset] = *at != 0;
        at += cell->size >= 4 ? 8 : 1;
    }
}

static void wasm_free(emberi_wasm_machine *m)
{
    ember_allocator allocator = m->machine->allocator;
    emberi_watchdog_remove(m);
    emberi_guard_remove(m);
    emberi_wasm_free_memory(m);
    if (m->table != NULL)
        allocator.resize(allocator.user, m->table, m->table_bytes, 0);
    if (m->block != NULL)
        allocator.resize(allocator.user, m->block, m->block_size, 0);
    dlclose(m->object);
    allocator.resize(allocator.user, m, sizeof(*m), 0);
}

static void wasm_destroy(ember_machine *machine)
{
    if (machine->engine != NULL)
        wasm_free(machine->engine);
    machine->engine = NULL;
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

ember_status emberi_object_make(void **handle, const emberi_object_job *job, ember_error *err)
{
    ember_buffer      stripped = {.allocator = job->allocator};
    emberi_object_job whole = *job;
    whole.stripped = &stripped;
    ember_status status = emberi_wasm_strip(&stripped, job->module, err);
    if (status == EMBER_OK)
        status = emberi_object_open(handle, &whole, err);
    ember_buffer_free(&stripped);
    return status;
}

/* Machines on several threads may load the same object. Its code runs only while the guard is there, because
   a machine that runs the same object may be overdue. */
static void wasm_instantiate(ember_machine *machine, ember_phase phase)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    emberi_wasm_machine   *m = machine->engine;
    (void)phase;
    pthread_mutex_lock(&lock);
    m->guest->bind(&emberi_guest_runtime_functions, &wasm_host_functions);
    pthread_mutex_unlock(&lock);
    m->guest->instantiate(m->instance);
}

/* Head and instance in one block, the instance at a border of cache lines. */
static ember_status wasm_make_block(emberi_wasm_machine *m, ember_error *err)
{
    ember_allocator allocator = m->machine->allocator;
    m->block_size = m->guest->instance_size + sizeof(*m->head) + 2 * BLOCK_ALIGN;
    m->block = allocator.resize(allocator.user, NULL, 0, m->block_size);
    if (m->block == NULL)
        return emberi_fail_memory(err);
    memset(m->block, 0, m->block_size);
    uintptr_t at = ((uintptr_t)m->block + sizeof(*m->head) + BLOCK_ALIGN - 1) / BLOCK_ALIGN * BLOCK_ALIGN;
    m->instance = m->block + (at - (uintptr_t)m->block);
    m->head = (struct emberi_guest_head *)(void *)m->instance - 1;
    m->head->console = m->machine->console;
    return EMBER_OK;
}

static ember_status wasm_prepare(emberi_wasm_machine *m, const emberi_object_limits *limits, ember_error *err)
{
    m->watchdog_s = limits->watchdog_s;
    m->overlong = emberi_machine_overlong(m->watchdog_s);
    m->guest = dlsym(m->object, EMBERI_GUEST_SYMBOL);
    if (m->guest == NULL || !emberi_guard_find_text(m))
        return ember_fail(err, EMBER_E_IO, EMBER_NO_OFFSET, "the compiled game is not what it should be");
    ember_status status = emberi_guard_install(m, limits->host_faults, err);
    if (status == EMBER_OK)
        status = emberi_watchdog_add(m, err);
    return status == EMBER_OK ? wasm_make_block(m, err) : status;
}

ember_status emberi_object_attach(ember_machine *machine, void *object, const emberi_wasm_module *module,
                                  const emberi_object_limits *limits, ember_error *err)
{
    const emberi_machine_ops *ops = machine->ops;
    void                     *engine = machine->engine;
    bool                      trapped = machine->trapped;
    emberi_wasm_machine      *m = machine->allocator.resize(machine->allocator.user, NULL, 0, sizeof(*m));
    if (m == NULL) {
        dlclose(object);
        return emberi_fail_memory(err);
    }
    memset(m, 0, sizeof(*m));
    m->machine = machine;
    m->object = object;
    ember_status status = wasm_prepare(m, limits, err);
    if (status == EMBER_OK) {
        machine->ops = &emberi_wasm_ops;
        machine->engine = m;
        status = emberi_machine_protect(machine, wasm_instantiate, EMBER_PHASE_NONE, err);
    }
    if (status == EMBER_OK) {
        emberi_wasm_put_data(module, m->memory);
        return EMBER_OK;
    }
    machine->ops = ops;
    machine->engine = engine;
    machine->trapped = trapped;
    wasm_free(m);
    return status;
}
