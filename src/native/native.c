/* SPDX-License-Identifier: MIT */
/* Machines for games that are linked into the program. Such a game is trusted as far as the program itself
   is: it is not watched, but its calls are checked. */
#include "native/native.h"

#include <stdlib.h>
#include <string.h>

#include "format/ops.h"

static native_machine *native_of(const ember_machine *machine)
{
    return (native_machine *)(uintptr_t)machine;
}

static void native_call(ember_machine *machine, ember_phase phase)
{
    const ember_native_game *game = &native_of(machine)->game;
    void (*const exports[EMBER_PHASE_COUNT])(void) = {NULL, game->init, game->update, game->render};
    ember_console_set_memory(machine->console, native_of(machine)->memory, EMBER_CONSOLE_MEMORY);
    if (exports[phase] != NULL)
        exports[phase]();
}

/* What passes through it is over with every call, so that none of it belongs into a snapshot. */
static uint8_t *native_memory(const ember_machine *machine, uint32_t *size)
{
    *size = 0;
    return native_of(machine)->memory;
}

static size_t native_state_size(const ember_machine *machine) { return native_of(machine)->game.memory_size; }

static void native_state_save(const ember_machine *machine, void *out)
{
    memcpy(out, native_of(machine)->game.memory, native_of(machine)->game.memory_size);
}

static void native_state_restore(ember_machine *machine, const void *state)
{
    memcpy(native_of(machine)->game.memory, state, native_of(machine)->game.memory_size);
}

static void native_free(ember_machine *machine, void *memory, size_t size)
{
    if (memory != NULL)
        machine->allocator.resize(machine->allocator.user, memory, size, 0);
}

/* The next load finds the game as the first one did. */
static void native_destroy(ember_machine *machine)
{
    native_machine *native = native_of(machine);
    if (native->first != NULL)
        memcpy(native->game.memory, native->first, native->game.memory_size);
    native_free(machine, native->first, native->game.memory_size);
    native_free(machine, native->memory, EMBER_CONSOLE_MEMORY);
}

static const emberi_machine_ops native_ops = {
    .call = native_call,
    .memory = native_memory,
    .state_size = native_state_size,
    .state_save = native_state_save,
    .state_restore = native_state_restore,
    .destroy = native_destroy,
};

native_machine *emberi_native_running(void)
{
    ember_machine *machine = emberi_machine_running();
    if (machine == NULL || machine->ops != &native_ops)
        abort();
    return native_of(machine);
}

ember_status ember_machine_load_native(ember_machine **out, const ember_native_game *game,
                                       const ember_machine_options *options, ember_error *err)
{
    ember_machine *machine;
    *out = NULL;
    if (game->memory == NULL && game->memory_size != 0)
        return ember_fail(err, EMBER_E_ARG, EMBER_NO_OFFSET, "the game has no memory");
    ember_status status = emberi_machine_create(&machine, sizeof(native_machine), &native_ops, options, err);
    if (status != EMBER_OK)
        return status;
    native_machine *native = native_of(machine);
    ember_allocator allocator = machine->allocator;
    native->game = *game;
    native->memory = allocator.resize(allocator.user, NULL, 0, EMBER_CONSOLE_MEMORY);
    native->first =
        game->memory_size != 0 ? allocator.resize(allocator.user, NULL, 0, game->memory_size) : NULL;
    if (native->first != NULL)
        memcpy(native->first, game->memory, game->memory_size);
    if (native->memory == NULL || (native->first == NULL && game->memory_size != 0)) {
        ember_machine_unload(machine);
        return emberi_fail_memory(err);
    }
    *out = machine;
    return EMBER_OK;
}
