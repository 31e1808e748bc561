/* SPDX-License-Identifier: MIT */
/* A game's memory and its table, and what its code asks of the host. The memory lies at the start of a
   reservation so large that no load or store of the game can leave it; what is not memory cannot be
   read or written. */
#define _GNU_SOURCE /* MAP_NORESERVE, madvise */

#include <string.h>
#include <sys/mman.h>

#include "engine/object/object_parts.h"

static emberi_wasm_machine *memory_machine(void) { return emberi_machine_running()->engine; }

static void runtime_trap(uint32_t number)
{
    static const char *const texts[WASM_RT_TRAP_COUNT] = {
        [WASM_RT_TRAP_OOB] = "memory access out of bounds",
        [WASM_RT_TRAP_INT_OVERFLOW] = "integer overflow",
        [WASM_RT_TRAP_DIV_BY_ZERO] = "integer division by zero",
        [WASM_RT_TRAP_INVALID_CONVERSION] = "a number that is not one, converted to an integer",
        [WASM_RT_TRAP_UNREACHABLE] =
            "unreachable code was reached: a failed assertion, an abort or a missing return",
        [WASM_RT_TRAP_CALL_INDIRECT] = "an indirect call to no function, or to one of another type",
        [WASM_RT_TRAP_EXHAUSTION] = "calls inside each other went too deep (an endless recursion?)",
    };
    bool known = number < WASM_RT_TRAP_COUNT && texts[number] != NULL;
    emberi_machine_trap(known ? texts[number] : "a trap of unknown kind");
}

/* ---- memory ---- */

static void runtime_allocate_memory(wasm_rt_memory_t *memory, uint32_t pages, uint32_t max_pages)
{
    emberi_wasm_machine *m = memory_machine();
    uint32_t             size = pages * EMBERI_WASM_PAGE; /* at most 64 pages: the module was checked */
    void                *start =
        mmap(NULL, EMBERI_WASM_RESERVED, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (start == MAP_FAILED)
        emberi_machine_trap("no address space for the game's memory: 8 GiB are reserved (see ulimit -v)");
    m->memory = start;
    if (size != 0 && mprotect(start, size, PROT_READ | PROT_WRITE) != 0)
        emberi_machine_trap("out of memory");
    memory->data = start;
    memory->pages = pages;
    memory->max_pages = max_pages < EMBERI_WASM_MAX_PAGES ? max_pages : EMBERI_WASM_MAX_PAGES;
    memory->size = size;
}

bool emberi_wasm_resize_memory(emberi_wasm_machine *m, uint32_t size)
{
    wasm_rt_memory_t *memory = emberi_wasm_memory(m);
    if (size > EMBER_CONSOLE_MEMORY || size % EMBERI_WASM_PAGE != 0)
        return false;
    if (size > memory->size &&
        mprotect(m->memory + memory->size, size - memory->size, PROT_READ | PROT_WRITE) != 0)
        return false;
    if (size < memory->size) { /* gone, and zero when it comes again */
        (void)madvise(m->memory + size, memory->size - size, MADV_DONTNEED);
        if (mprotect(m->memory + size, memory->size - size, PROT_NONE) != 0)
            return false;
    }
    memory->size = size;
    memory->pages = size / EMBERI_WASM_PAGE;
    return true;
}

static uint32_t runtime_grow_memory(wasm_rt_memory_t *memory, uint32_t pages)
{
    emberi_wasm_machine *m = memory_machine();
    uint32_t             old = memory->pages;
    if (pages > memory->max_pages - old || !emberi_wasm_resize_memory(m, (old + pages) * EMBERI_WASM_PAGE))
        return UINT32_MAX;
    ember_console_set_memory(m->machine->console, m->memory, memory->size);
    return old;
}

void emberi_wasm_free_memory(emberi_wasm_machine *m)
{
    if (m->memory != NULL)
        munmap(m->memory, EMBERI_WASM_RESERVED);
    m->memory = NULL;
}

/* ---- the table ---- */

static void runtime_allocate_table(wasm_rt_funcref_table_t *table, uint32_t size)
{
    emberi_wasm_machine *m = memory_machine();
    size_t               bytes = (size != 0 ? size : 1) * sizeof(*table->data);
    m->table = m->machine->allocator.resize(m->machine->allocator.user, NULL, 0, bytes);
    if (m->table == NULL)
        emberi_machine_trap("out of memory");
    m->table_bytes = bytes;
    memset(m->table, 0, bytes);
    *table = (wasm_rt_funcref_table_t){m->table, size, size};
}

const struct emberi_guest_runtime emberi_guest_runtime_functions = {
    .trap = runtime_trap,
    .allocate_memory = runtime_allocate_memory,
    .grow_memory = runtime_grow_memory,
    .allocate_table = runtime_allocate_table,
};
