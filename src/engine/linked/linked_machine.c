/* SPDX-License-Identifier: MIT */
/* Machines for games that are linked into the program. Such a game is trusted as far as the program itself
   is: it is not watched, but its calls are checked. */
#include "engine/linked/linked.h"

#include <stdlib.h>
#include <string.h>

#include "base/fail.h"

static linked_machine *linked_of(const ember_machine *machine)
{
    return (linked_machine *)(uintptr_t)machine;
}

static void linked_call(ember_machine *machine, ember_phase phase)
{
    const ember_native_game *game = &linked_of(machine)->game;
    void (*const exports[EMBER_PHASE_COUNT])(void) = {NULL, game->init, game->update, game->render};
    ember_console_set_memory(machine->console, linked_of(machine)->memory, EMBER_CONSOLE_MEMORY);
    if (exports[phase] != NULL)
        exports[phase]();
}

/* The game's own. What its arguments pass through is over with every call. */
static uint8_t *linked_memory(const ember_machine *machine, uint32_t *size)
{
    *size = linked_of(machine)->game.memory_size;
    return linked_of(machine)->game.memory;
}

static void linked_free(ember_machine *machine, void *memory, size_t size)
{
    if (memory != NULL)
        machine->allocator.resize(machine->allocator.user, memory, size, 0);
}

/* The next load finds the game as the first one did. */
static void linked_destroy(ember_machine *machine)
{
    linked_machine *linked = linked_of(machine);
    if (linked->first != NULL)
        memcpy(linked->game.memory, linked->first, linked->game.memory_size);
    linked_free(machine, linked->first, linked->game.memory_size);
    linked_free(machine, linked->memory, EMBER_CONSOLE_MEMORY);
}

static const emberi_machine_ops linked_ops = {
    .call = linked_call,
    .memory = linked_memory,
    .destroy = linked_destroy,
};

linked_machine *emberi_linked_running(void)
{
    ember_machine *machine = emberi_machine_running();
    if (machine == NULL || machine->ops != &linked_ops)
        abort();
    return linked_of(machine);
}

ember_status ember_machine_load_native(ember_machine **out, const ember_native_game *game,
                                       const ember_machine_options *options, ember_error *err)
{
    ember_machine *machine;
    *out = NULL;
    if (game->memory == NULL && game->memory_size != 0)
        return ember_fail(err, EMBER_E_ARG, EMBER_NO_OFFSET, "the game has no memory");
    ember_status status = emberi_machine_create(&machine, sizeof(linked_machine), &linked_ops, options, err);
    if (status != EMBER_OK)
        return status;
    linked_machine *linked = linked_of(machine);
    ember_allocator allocator = machine->allocator;
    linked->game = *game;
    machine->native = game->memory;
    machine->memory_least = machine->memory_most = game->memory_size;
    linked->memory = allocator.resize(allocator.user, NULL, 0, EMBER_CONSOLE_MEMORY);
    linked->first =
        game->memory_size != 0 ? allocator.resize(allocator.user, NULL, 0, game->memory_size) : NULL;
    if (linked->first != NULL)
        memcpy(linked->first, game->memory, game->memory_size);
    if (linked->memory == NULL || (linked->first == NULL && game->memory_size != 0)) {
        ember_machine_unload(machine);
        return emberi_fail_memory(err);
    }
    *out = machine;
    return EMBER_OK;
}
