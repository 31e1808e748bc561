/* SPDX-License-Identifier: MIT */
/* Snapshots: the guest's memory, what the game keeps outside of it, and the console's state, one after the
   other in one block. */
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/check.h"
#include "engine/machine_internal.h"

/* What stands first, and is hashed with the rest. */
typedef struct snapshot_head {
    uint32_t memory_size;
    uint32_t initialised;
    uint64_t state_size, console_size;
} snapshot_head;

#define SNAPSHOT_MEMORY_AT 64 /* the memory on a border of cache lines, if the block is */

struct ember_snapshot {
    ember_allocator           allocator;
    uint8_t                  *data;
    size_t                    capacity, used;
    const emberi_machine_ops *ops; /* of the machine that was saved; NULL: nothing was */
    snapshot_head             head;
};

ember_status ember_snapshot_create(ember_snapshot **out, ember_allocator allocator)
{
    EMBERI_ASSERT(allocator.resize != NULL);
    *out = allocator.resize(allocator.user, NULL, 0, sizeof(**out));
    if (*out == NULL)
        return EMBER_E_NOMEM;
    **out = (ember_snapshot){.allocator = allocator};
    return EMBER_OK;
}

void ember_snapshot_destroy(ember_snapshot *snapshot)
{
    if (snapshot == NULL)
        return;
    ember_allocator allocator = snapshot->allocator;
    if (snapshot->data != NULL)
        allocator.resize(allocator.user, snapshot->data, snapshot->capacity, 0);
    allocator.resize(allocator.user, snapshot, sizeof(*snapshot), 0);
}

static size_t snapshot_state_size(const ember_machine *machine)
{
    return machine->ops->state_size != NULL ? machine->ops->state_size(machine) : 0;
}

/* Room for all the memory that a game can have, so that one that grows asks for no more later. */
static bool snapshot_reserve(ember_snapshot *snapshot, size_t rest)
{
    size_t capacity = SNAPSHOT_MEMORY_AT + EMBER_CONSOLE_MEMORY + rest;
    if (capacity <= snapshot->capacity)
        return true;
    uint8_t *data =
        snapshot->allocator.resize(snapshot->allocator.user, snapshot->data, snapshot->capacity, capacity);
    if (data == NULL)
        return false;
    snapshot->data = data;
    snapshot->capacity = capacity;
    return true;
}

ember_status ember_machine_save(ember_snapshot *snapshot, const ember_machine *machine)
{
    snapshot_head  head = {0, machine->initialised, snapshot_state_size(machine),
                           ember_console_state_size(machine->console)};
    const uint8_t *memory = machine->ops->memory(machine, &head.memory_size);
    if (!snapshot_reserve(snapshot, head.state_size + head.console_size))
        return EMBER_E_NOMEM;
    uint8_t *at = snapshot->data;
    memset(at, 0, SNAPSHOT_MEMORY_AT);
    memcpy(at, &head, sizeof(head));
    at += SNAPSHOT_MEMORY_AT;
    memcpy(at, memory, head.memory_size);
    at += head.memory_size;
    if (head.state_size != 0)
        machine->ops->state_save(machine, at);
    at += head.state_size;
    ember_console_state_save(machine->console, at);
    snapshot->head = head;
    snapshot->ops = machine->ops;
    snapshot->used = (size_t)(at - snapshot->data) + head.console_size;
    return EMBER_OK;
}

ember_status ember_machine_restore(ember_machine *machine, const ember_snapshot *snapshot)
{
    const snapshot_head *head = &snapshot->head;
    uint32_t             size;
    if (snapshot->ops != machine->ops || head->state_size != snapshot_state_size(machine) ||
        head->console_size != ember_console_state_size(machine->console))
        return EMBER_E_ARG;
    uint8_t *memory = machine->ops->memory(machine, &size);
    if (size != head->memory_size &&
        (machine->ops->resize == NULL || !machine->ops->resize(machine, head->memory_size)))
        return EMBER_E_NOMEM;
    const uint8_t *at = snapshot->data + SNAPSHOT_MEMORY_AT;
    ember_status   status =
        ember_console_state_restore(machine->console, at + head->memory_size + head->state_size);
    if (status != EMBER_OK)
        return status;
    memcpy(memory, at, head->memory_size);
    at += head->memory_size;
    if (head->state_size != 0)
        machine->ops->state_restore(machine, at);
    ember_console_set_memory(machine->console, memory, head->memory_size);
    machine->initialised = head->initialised != 0;
    machine->trapped = false;
    return EMBER_OK;
}

uint64_t ember_snapshot_hash(const ember_snapshot *snapshot)
{
    return XXH3_64bits(snapshot->data, snapshot->used);
}
