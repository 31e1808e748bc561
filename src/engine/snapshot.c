/* SPDX-License-Identifier: MIT */
/* Snapshots: a game's whole state as bytes that are the same on every engine and system. What the hash
   covers is one block: format number, size of the memory, memory, globals and segments, whether init ran, the
   console's state. A file is a head in front of that block. Bytes from a file are hostile: a restore checks
   all of them before it changes anything. */
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/bytes.h"
#include "base/check.h"
#include "base/fail.h"
#include "engine/machine_internal.h"

#define SNAPSHOT_MEMORY_AT 64 /* the memory on a border of cache lines, if the block is */
#define SNAPSHOT_HASHED_AT (SNAPSHOT_MEMORY_AT - 8)

/* What lies where in the block. */
typedef struct snapshot_sizes {
    uint32_t memory, state, console;
} snapshot_sizes;

struct ember_snapshot {
    ember_allocator allocator;
    uint8_t        *data;
    size_t          capacity, used; /* used: of the hashed block; 0: nothing was saved */
    snapshot_sizes  sizes;
    uint64_t        game_hash;
    const void     *native; /* a native game's memory, NULL where it came from a file */
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

static uint32_t snapshot_state_size(const ember_machine *machine)
{
    return machine->ops->state_size != NULL ? (uint32_t)machine->ops->state_size(machine) : 0;
}

static size_t snapshot_hashed_size(const snapshot_sizes *sizes)
{
    return 8 + (size_t)sizes->memory + sizes->state + 4 + sizes->console;
}

/* Room for all the memory that a game can have, so that one that grows asks for no more later. */
static bool snapshot_reserve(ember_snapshot *snapshot, const snapshot_sizes *sizes)
{
    snapshot_sizes most = *sizes;
    if (most.memory < EMBER_CONSOLE_MEMORY)
        most.memory = EMBER_CONSOLE_MEMORY;
    size_t capacity = SNAPSHOT_HASHED_AT + snapshot_hashed_size(&most);
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
    snapshot_sizes sizes = {0, snapshot_state_size(machine),
                            (uint32_t)ember_console_state_size(machine->console)};
    const uint8_t *memory = machine->ops->memory(machine, &sizes.memory);
    if (!snapshot_reserve(snapshot, &sizes))
        return EMBER_E_NOMEM;
    uint8_t *at = snapshot->data + SNAPSHOT_HASHED_AT;
    emberi_put_u32(at, EMBER_SNAPSHOT_VERSION);
    emberi_put_u32(at + 4, sizes.memory);
    at += 8;
    if (sizes.memory != 0)
        memcpy(at, memory, sizes.memory);
    at += sizes.memory;
    if (sizes.state != 0)
        machine->ops->state_save(machine, at);
    at += sizes.state;
    emberi_put_u32(at, machine->initialised ? 1 : 0);
    ember_console_state_save(machine->console, at + 4);
    snapshot->sizes = sizes;
    snapshot->used = snapshot_hashed_size(&sizes);
    snapshot->game_hash = machine->game_hash;
    snapshot->native = machine->native;
    return EMBER_OK;
}

/* Sizes are compared, never taken over: but for the memory's, which a game may change, within its limits. */
static bool snapshot_fits(const ember_snapshot *snapshot, const ember_machine *machine)
{
    const snapshot_sizes *sizes = &snapshot->sizes;
    return snapshot->used != 0 && snapshot->game_hash == machine->game_hash &&
           (snapshot->native == NULL || snapshot->native == machine->native) &&
           sizes->state == snapshot_state_size(machine) &&
           sizes->console == ember_console_state_size(machine->console) &&
           sizes->memory >= machine->memory_least && sizes->memory <= machine->memory_most &&
           (sizes->memory - machine->memory_least) % 65536u == 0;
}

static bool snapshot_resize(ember_machine *machine, uint32_t size)
{
    return machine->ops->resize != NULL && machine->ops->resize(machine, size);
}

ember_status ember_machine_restore(ember_machine *machine, const ember_snapshot *snapshot)
{
    const snapshot_sizes *sizes = &snapshot->sizes;
    uint32_t              size;
    if (!snapshot_fits(snapshot, machine))
        return EMBER_E_ARG;
    const uint8_t *bytes = snapshot->data + SNAPSHOT_MEMORY_AT, *state = bytes + sizes->memory,
                  *rest = state + sizes->state;
    uint32_t initialised = emberi_get_u32(rest);
    (void)machine->ops->memory(machine, &size);
    if (initialised > 1)
        return EMBER_E_ARG;
    /* Growing keeps what is there and can be undone; shrinking comes when nothing can be refused any more. */
    if (size < sizes->memory && !snapshot_resize(machine, sizes->memory))
        return EMBER_E_NOMEM;
    if (ember_console_state_restore(machine->console, rest + 4) != EMBER_OK) {
        if (size < sizes->memory)
            (void)snapshot_resize(machine, size);
        return EMBER_E_ARG;
    }
    if (size > sizes->memory && !snapshot_resize(machine, sizes->memory)) {
        machine->trapped = true; /* half restored, so it does not run */
        return EMBER_E_NOMEM;
    }
    uint8_t *memory = machine->ops->memory(machine, &size);
    if (sizes->memory != 0)
        memcpy(memory, bytes, sizes->memory);
    if (sizes->state != 0)
        machine->ops->state_restore(machine, state);
    ember_console_set_memory(machine->console, memory, sizes->memory);
    machine->initialised = initialised != 0;
    machine->trapped = false;
    return EMBER_OK;
}

uint64_t ember_snapshot_hash(const ember_snapshot *snapshot)
{
    return snapshot->used != 0 ? XXH3_64bits(snapshot->data + SNAPSHOT_HASHED_AT, snapshot->used) : 0;
}

/* ---- files ---- */

static const uint8_t snapshot_magic[8] = {'E', 'M', 'B', 'E', 'R', 'S', 'A', 'V'};

#define SNAPSHOT_FILE_HEAD 48
#define SNAPSHOT_MOST (64u << 20) /* of the console's state, or of globals: far more than there can be */

size_t ember_snapshot_file_size(const ember_snapshot *snapshot)
{
    return snapshot->used != 0 ? SNAPSHOT_FILE_HEAD + snapshot->used : 0;
}

void ember_snapshot_write(void *out, const ember_snapshot *snapshot)
{
    uint8_t *at = out;
    EMBERI_ASSERT(snapshot->used != 0);
    memcpy(at, snapshot_magic, sizeof(snapshot_magic));
    emberi_put_u32(at + 8, EMBER_SNAPSHOT_VERSION);
    emberi_put_u32(at + 12, 0);
    emberi_put_u64(at + 16, snapshot->game_hash);
    emberi_put_u32(at + 24, snapshot->sizes.memory);
    emberi_put_u32(at + 28, snapshot->sizes.state);
    emberi_put_u32(at + 32, snapshot->sizes.console);
    emberi_put_u32(at + 36, 0);
    emberi_put_u64(at + 40, ember_snapshot_hash(snapshot));
    memcpy(at + SNAPSHOT_FILE_HEAD, snapshot->data + SNAPSHOT_HASHED_AT, snapshot->used);
}

ember_status ember_snapshot_read(ember_snapshot *snapshot, const void *data, size_t size, ember_error *err)
{
    const uint8_t *at = data;
    if (size < sizeof(snapshot_magic) || memcmp(at, snapshot_magic, sizeof(snapshot_magic)) != 0)
        return ember_fail(err, EMBER_E_ARG, 0, "not a saved game: it does not begin with EMBERSAV");
    if (size >= 12 && emberi_get_u32(at + 8) != EMBER_SNAPSHOT_VERSION)
        return emberi_failf(err, EMBER_E_ARG, 8,
                            "saved by another version of Ember (format %u, this one reads %u)",
                            (unsigned)emberi_get_u32(at + 8), EMBER_SNAPSHOT_VERSION);
    if (size < SNAPSHOT_FILE_HEAD)
        return ember_fail(err, EMBER_E_ARG, size, "the saved game is cut off");
    snapshot_sizes sizes = {emberi_get_u32(at + 24), emberi_get_u32(at + 28), emberi_get_u32(at + 32)};
    const uint8_t *block = at + SNAPSHOT_FILE_HEAD;
    if (sizes.state > SNAPSHOT_MOST || sizes.console > SNAPSHOT_MOST ||
        snapshot_hashed_size(&sizes) != size - SNAPSHOT_FILE_HEAD || emberi_get_u32(at + 12) != 0 ||
        emberi_get_u32(at + 36) != 0)
        return ember_fail(err, EMBER_E_ARG, 24, "the saved game is cut off or damaged: sizes do not match");
    if (XXH3_64bits(block, size - SNAPSHOT_FILE_HEAD) != emberi_get_u64(at + 40) ||
        emberi_get_u32(block) != EMBER_SNAPSHOT_VERSION || emberi_get_u32(block + 4) != sizes.memory)
        return ember_fail(err, EMBER_E_ARG, 40, "the saved game is damaged: its hash does not match");
    if (!snapshot_reserve(snapshot, &sizes))
        return emberi_fail_memory(err);
    memcpy(snapshot->data + SNAPSHOT_HASHED_AT, block, size - SNAPSHOT_FILE_HEAD);
    snapshot->sizes = sizes;
    snapshot->used = size - SNAPSHOT_FILE_HEAD;
    snapshot->game_hash = emberi_get_u64(at + 16);
    snapshot->native = NULL;
    return EMBER_OK;
}
