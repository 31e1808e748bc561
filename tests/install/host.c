/* SPDX-License-Identifier: MIT */
/* A program that has a game linked in and runs it on the console; it draws nothing, but what would draw it is
   there to be linked. */
#include <ember/image.h>
#include <ember/machine.h>
#include <ember/renderer.h>
#include <stdio.h>

static uint32_t updates;

static void update(void) { updates++; }

int main(void)
{
    const ember_native_game     game = {.update = update, .memory = &updates, .memory_size = sizeof(updates)};
    const ember_machine_options options = {.allocator = ember_heap()};
    const uint32_t              inputs[EMBER_CONSOLE_PLAYERS] = {0};
    ember_error                 error = EMBER_ERROR_INIT;
    ember_machine              *machine;
    if (ember_machine_load_native(&machine, &game, &options, &error) != EMBER_OK ||
        ember_machine_init(machine, &error) != EMBER_OK ||
        ember_machine_update(machine, inputs, &error) != EMBER_OK)
        return fprintf(stderr, "%s\n", error.text), 1;
    printf("update %u\n", (unsigned)updates);
    ember_machine_unload(machine);
    return sizeof(ember_renderer_options) == 0 || sizeof(ember_image) == 0;
}
