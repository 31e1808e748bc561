/* SPDX-License-Identifier: MIT */
/* The game's memory. An address that a game passes is hostile: it becomes a pointer in emberi_host_span and
   nowhere else. */
#ifndef EMBER_CONSOLE_GUEST_MEMORY_H
#define EMBER_CONSOLE_GUEST_MEMORY_H

#include "console/host.h"

_Noreturn void emberi_host_trap_span(ember_console *c, const char *function, uint32_t address, uint64_t size)
    __attribute__((cold));

/* What a function does with a span. */
typedef enum host_way { HOST_READS, HOST_WRITES } host_way;

/* For the test that sees every span as it is taken; nothing elsewhere. */
#ifdef EMBERI_SPAN_TRACE
void emberi_span_trace(ember_console *c, const char *function, uint32_t address, uint64_t size, host_way way);
#else
#define emberi_span_trace(c, function, address, size, way) ((void)(way))
#endif

/* The guest's `size` bytes at `address`, all of them inside its memory and not at 0; anything else traps.
   Nothing need be there for no bytes. The pointer has no alignment: copy. A function takes all of its spans
   before it writes. */
static inline uint8_t *emberi_host_span(ember_console *c, const char *function, uint32_t address,
                                        uint64_t size, host_way way)
{
    emberi_span_trace(c, function, address, size, way);
    if (size == 0)
        return (uint8_t *)c->text; /* anything but NULL, which the standard's functions must not be given */
    if (address == 0 || size > c->memory_size || address > c->memory_size - size)
        emberi_host_trap_span(c, function, address, size);
    emberi_host_work(c, size);
    return c->memory + address;
}

/* The same for what is read, and for what is written. */
static inline const uint8_t *emberi_host_in(ember_console *c, const char *function, guest_in address,
                                            uint64_t size)
{
    return emberi_host_span(c, function, address, size, HOST_READS);
}
static inline uint8_t *emberi_host_out(ember_console *c, const char *function, guest_out address,
                                       uint64_t size)
{
    return emberi_host_span(c, function, address, size, HOST_WRITES);
}

/* `count` floats, every one of them finite; or a trap. */
void emberi_host_floats(float *out, ember_console *c, const char *function, guest_in address, uint32_t count);
/* Traps unless it is finite. */
void emberi_host_finite(ember_console *c, const char *function, const char *what, float value);

#endif
