/* SPDX-License-Identifier: MIT */
/* A machine that interprets a WASM game: from the module to a program with its memory and stacks, and what of
   it goes into a snapshot. */
#include <stdio.h>
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/fail.h"
#include "engine/interp/interp.h"
#include "engine/interp/interp_code.h"
#include "engine/machine_internal.h"
#include "engine/object/guest/abi.h"

typedef struct interp_machine {
    ember_machine   base;
    emberi_program  program;
    emberi_thread   thread;
    emberi_slot    *stack;
    size_t          stack_size, memory_room;
    emberi_overlong overlong;
} interp_machine;

static interp_machine *interp_of(ember_machine *machine) { return (interp_machine *)machine; }

/* ---- what the machine asks of it ---- */

static void interp_call(ember_machine *machine, ember_phase phase)
{
    static const char *const texts[] = {
        [EMBERI_TRAP_MEMORY] = "memory access out of bounds",
        [EMBERI_TRAP_OVERFLOW] = "integer overflow",
        [EMBERI_TRAP_DIVISION] = "integer division by zero",
        [EMBERI_TRAP_CONVERSION] = "a number that is not one, converted to an integer",
        [EMBERI_TRAP_UNREACHABLE] =
            "unreachable code was reached: a failed assertion, an abort or a missing return",
        [EMBERI_TRAP_INDIRECT] = "an indirect call to no function, or to one of another type",
        [EMBERI_TRAP_DEPTH] = "calls inside each other went too deep (an endless recursion?)",
    };
    interp_machine *m = interp_of(machine);
    if (m->program.exports[phase] < 0)
        return;
    emberi_trap trap = emberi_interp_run(&m->thread, (uint32_t)m->program.exports[phase]);
    if (trap != EMBERI_TRAP_NONE)
        emberi_machine_trap(trap == EMBERI_TRAP_FUEL ? m->overlong.text : texts[trap]);
}

static uint8_t *interp_memory(const ember_machine *machine, uint32_t *size)
{
    const interp_machine *m = (const interp_machine *)machine;
    *size = m->thread.memory_size;
    return m->thread.memory;
}

static bool interp_resize(ember_machine *machine, uint32_t size)
{
    interp_machine *m = interp_of(machine);
    if (size > m->memory_room || size % EMBERI_WASM_PAGE != 0)
        return false;
    if (size > m->thread.memory_size)
        memset(m->thread.memory + m->thread.memory_size, 0, size - m->thread.memory_size);
    m->thread.memory_size = size;
    return true;
}

/* Variable globals in the order of their numbers, 8 bytes each, the least first; then, where code copies data
   segments, a byte for each: 1 if it was dropped. */
static size_t interp_state_size(const ember_machine *machine)
{
    const emberi_program *p = &((const interp_machine *)machine)->program;
    return (size_t)p->variable_count * 8 + p->segment_count;
}

static void interp_state_save(const ember_machine *machine, void *out)
{
    const interp_machine *m = (const interp_machine *)machine;
    uint8_t              *at = out;
    for (uint32_t i = 0; i < m->program.global_count; i++)
        if (m->program.global_variable[i]) {
            emberi_put_u64(at, m->program.globals[i].u64);
            at += 8;
        }
    if (m->program.segment_count != 0)
        memcpy(at, m->thread.dropped, m->program.segment_count);
}

static void interp_state_restore(ember_machine *machine, const void *state)
{
    interp_machine *m = interp_of(machine);
    const uint8_t  *at = state;
    for (uint32_t i = 0; i < m->program.global_count; i++)
        if (m->program.global_variable[i]) {
            m->program.globals[i].u64 = emberi_get_u64(at);
            at += 8;
        }
    for (uint32_t i = 0; i < m->program.segment_count; i++)
        m->thread.dropped[i] = at[i] != 0;
}

static void interp_destroy(ember_machine *machine)
{
    interp_machine *m = interp_of(machine);
    ember_allocator allocator = machine->allocator;
    if (m->stack != NULL)
        allocator.resize(allocator.user, m->stack, m->stack_size, 0);
    if (m->thread.memory != NULL)
        allocator.resize(allocator.user, m->thread.memory, m->memory_room, 0);
    if (m->thread.dropped != NULL)
        allocator.resize(allocator.user, m->thread.dropped, m->program.segment_count, 0);
    if (m->thread.calls != NULL)
        allocator.resize(allocator.user, m->thread.calls, EMBERI_GUEST_DEPTH * sizeof(*m->thread.calls), 0);
    emberi_program_free(&m->program);
}

const emberi_machine_ops emberi_interp_ops = {
    .call = interp_call,
    .memory = interp_memory,
    .resize = interp_resize,
    .state_size = interp_state_size,
    .state_save = interp_state_save,
    .state_restore = interp_state_restore,
    .destroy = interp_destroy,
};

/* ---- loading ---- */

/* Memory for all that the game may grow to: it never moves. The stack: for the deepest calls of the largest
   frame, or the limit. */
static bool interp_allocate(interp_machine *m)
{
    ember_allocator allocator = m->base.allocator;
    emberi_thread  *thread = &m->thread;
    size_t          slots = (size_t)m->program.largest_frame * EMBERI_GUEST_DEPTH;
    slots = slots < EMBERI_INTERP_SLOTS ? slots : EMBERI_INTERP_SLOTS;
    m->stack_size = slots != 0 ? slots * sizeof(*m->stack) : sizeof(*m->stack);
    m->memory_room = m->program.max_pages != 0 ? (size_t)m->program.max_pages * EMBERI_WASM_PAGE : 1;
    m->stack = allocator.resize(allocator.user, NULL, 0, m->stack_size);
    thread->memory = allocator.resize(allocator.user, NULL, 0, m->memory_room);
    thread->calls = allocator.resize(allocator.user, NULL, 0, EMBERI_GUEST_DEPTH * sizeof(*thread->calls));
    if (m->program.segment_count != 0)
        thread->dropped = allocator.resize(allocator.user, NULL, 0, m->program.segment_count);
    return m->stack != NULL && thread->memory != NULL && thread->calls != NULL &&
           (m->program.segment_count == 0 || thread->dropped != NULL);
}

/* Active segments are dropped once they are in memory; from an empty one nothing can be copied either. */
static void interp_put_segments(interp_machine *m)
{
    for (uint32_t i = 0; i < m->program.segment_count; i++) {
        const emberi_segment *segment = &m->program.segments[i];
        m->thread.dropped[i] = segment->active || segment->size == 0;
        if (segment->active && segment->size != 0)
            memcpy(m->thread.memory + segment->start, segment->bytes, segment->size);
    }
}

static ember_status interp_start(interp_machine *m, const emberi_wasm_module *module, ember_error *err)
{
    emberi_thread *thread = &m->thread;
    ember_status   status = emberi_program_make(&m->program, module, m->base.allocator, err);
    if (status != EMBER_OK)
        return status;
    if (!interp_allocate(m))
        return emberi_fail_memory(err);
    thread->functions = m->program.functions;
    thread->table = m->program.table;
    thread->table_size = m->program.table_size;
    thread->max_pages = m->program.max_pages;
    thread->globals = m->program.globals;
    thread->segments = m->program.segments;
    thread->memory_size = m->program.pages * EMBERI_WASM_PAGE;
    thread->console = m->base.console;
    thread->stack = m->stack;
    thread->stack_end = m->stack + m->stack_size / sizeof(*m->stack);
    thread->calls_end = thread->calls + EMBERI_GUEST_DEPTH;
    memset(thread->memory, 0, thread->memory_size);
    if (m->program.segment_count != 0)
        interp_put_segments(m);
    else
        emberi_wasm_put_data(module, thread->memory);
    return EMBER_OK;
}

static void interp_set_fuel(interp_machine *m, double watchdog_s)
{
    double seconds = watchdog_s > 0.0 ? watchdog_s : EMBERI_WATCHDOG_S;
    m->thread.fuel = (int64_t)(seconds * EMBERI_STEPS_PER_S);
    m->overlong = emberi_machine_overlong(seconds);
}

ember_status emberi_interp_load(ember_machine **out, const void *wasm, size_t size,
                                const ember_machine_options *options, ember_error *err)
{
    emberi_wasm_module    module;
    ember_machine_options all = options != NULL ? *options : (ember_machine_options){.rom = NULL};
    ember_machine        *machine;
    *out = NULL;
    if (all.watchdog_s < 0.0 || all.watchdog_s > EMBERI_WATCHDOG_MAX_S || all.watchdog_s != all.watchdog_s)
        return ember_fail(err, EMBER_E_ARG, EMBER_NO_OFFSET, "the watchdog's time makes no sense");
    ember_status status = emberi_wasm_check(&module, wasm, size, err);
    if (status == EMBER_OK)
        status = emberi_machine_create(&machine, sizeof(interp_machine), &emberi_interp_ops, &all, err);
    if (status != EMBER_OK)
        return status;
    machine->game_hash = XXH3_64bits(wasm, size);
    machine->memory_least = module.pages * EMBERI_WASM_PAGE;
    machine->memory_most = module.max_pages * EMBERI_WASM_PAGE;
    interp_set_fuel(interp_of(machine), all.watchdog_s);
    status = interp_start(interp_of(machine), &module, err);
    if (status != EMBER_OK) {
        ember_machine_unload(machine);
        return status;
    }
    *out = machine;
    return EMBER_OK;
}
