/* SPDX-License-Identifier: MIT */
/* The rest of the machine that a game sees: time, buttons, random numbers, words. All of it follows from the
   frame's number, the inputs and the seed. */
#include <string.h>

#include "console/guest_memory.h"
#include "model/names.h"

float emberi_host_delta_time(ember_console *c) { return c->delta_time; }

/* From the count, so that it does not drift. */
float emberi_host_elapsed_time(ember_console *c)
{
    return (float)((double)c->state.frame / c->options.update_hz);
}

uint32_t emberi_host_frame(ember_console *c) { return (uint32_t)c->state.frame; }

uint64_t emberi_host_tick_count(ember_console *c) { return c->state.frame; }

uint32_t emberi_host_input_held(ember_console *c, uint32_t player)
{
    if (player >= EMBER_CONSOLE_PLAYERS)
        emberi_host_trap(c, HOST_NAME, "player %u >= player_count %u", (unsigned)player,
                         EMBER_CONSOLE_PLAYERS);
    return c->state.inputs[player];
}

/* PCG-XSH-RR 64/32 in the stream that its own examples use, and started as they are. */
#define MACHINE_RANDOM_STEP UINT64_C(6364136223846793005)
#define MACHINE_RANDOM_STREAM UINT64_C(109)

uint64_t emberi_host_seeded(uint64_t seed)
{
    return (seed + MACHINE_RANDOM_STREAM) * MACHINE_RANDOM_STEP + MACHINE_RANDOM_STREAM;
}

uint32_t emberi_host_random(ember_console *c)
{
    uint64_t old = c->state.random;
    c->state.random = old * MACHINE_RANDOM_STEP + MACHINE_RANDOM_STREAM;
    uint32_t mixed = (uint32_t)((old >> 18 ^ old) >> 27), turn = (uint32_t)(old >> 59);
    return mixed >> turn | mixed << (-turn & 31u);
}

/* One line of valid text: breaks and tabs become spaces, other control characters and broken bytes '?'. */
static size_t machine_clean(char *out, size_t out_size, const char *text, size_t size)
{
    size_t used = 0;
    while (size != 0 && (text[size - 1] == '\n' || text[size - 1] == '\r'))
        size--;
    for (size_t i = 0; i < size;) {
        size_t length = emberi_utf8_size(text + i, size - i);
        bool   space = text[i] == '\n' || text[i] == '\r' || text[i] == '\t';
        bool   shown = length != 0 && !emberi_utf8_is_control(text + i, length);
        size_t put = shown ? length : 1;
        if (used + put > out_size)
            break;
        if (shown)
            memcpy(out + used, text + i, length);
        else
            out[used] = space ? ' ' : '?';
        used += put;
        i += length != 0 ? length : 1;
    }
    return used;
}

void emberi_host_log(ember_console *c, guest_in text, uint32_t size)
{
    char        line[HOST_MAX_LOG + 1];
    const char *bytes = (const char *)emberi_host_in(c, HOST_NAME, text, size);
    size_t      used = machine_clean(line, HOST_MAX_LOG, bytes, size);
    line[used] = '\0';
    if (c->options.log != NULL)
        c->options.log(c->options.user, line, used);
}
