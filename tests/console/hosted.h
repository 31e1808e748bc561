/* SPDX-License-Identifier: MIT */
/* A console for tests: guest memory in a block of its very size, traps that come back, and a way to call any
   host function by its signature. */
#ifndef EMBER_TEST_CONSOLE_HOSTED_H
#define EMBER_TEST_CONSOLE_HOSTED_H

#include "testing.h"

#include "console/functions.h"

/* Not a round number, so that the end is inside a page and at an odd address. */
#define HOSTED_MEMORY (65536u + 4096u + 3u)

typedef struct host {
    ember_console *c;
    uint8_t       *memory;
    jmp_buf        point;
    bool           expects;   /* a trap is caught; otherwise it fails the test */
    char           text[600]; /* the last trap's, "" if there was none */
    char           function[64];
    char           log[2048];
    unsigned       log_count;
} host;

static inline void host_trap(void *user, const ember_trap *trap)
{
    host *h = user;
    snprintf(h->text, sizeof(h->text), "%s", trap->text);
    snprintf(h->function, sizeof(h->function), "%s", trap->function);
    if (!h->expects)
        fail_msg("%s", h->text);
    h->expects = false;
    longjmp(h->point, 1);
}

static inline void host_log(void *user, const char *text, size_t size)
{
    host *h = user;
    assert_true(size < sizeof(h->log) && text[size] == '\0');
    memcpy(h->log, text, size + 1);
    h->log_count++;
}

static inline ember_console_options host_options(host *h, const ember_rom *rom)
{
    return (ember_console_options){.allocator = ember_heap(),
                                   .rom = rom,
                                   .seed = 42,
                                   .trap = host_trap,
                                   .log = host_log,
                                   .user = h};
}

static inline void host_open(host *h, const ember_rom *rom)
{
    ember_error           err = EMBER_ERROR_INIT;
    ember_console_options options = host_options(h, rom);
    memset(h, 0, sizeof(*h));
    if (ember_console_create(&h->c, &options, &err) != EMBER_OK)
        fail_msg("%s", err.text);
    h->memory = test_alloc(HOSTED_MEMORY);
    memset(h->memory, 0, HOSTED_MEMORY);
    ember_console_set_memory(h->c, h->memory, HOSTED_MEMORY);
    ember_console_begin(h->c, EMBER_PHASE_INIT, NULL);
}

static inline void host_close(host *h)
{
    ember_console_destroy(h->c);
    free(h->memory);
}

/* Ends the current call and begins the next. */
static inline void host_phase(host *h, ember_phase phase)
{
    ember_console_end(h->c);
    ember_console_begin(h->c, phase, NULL);
}

static inline void host_put(host *h, uint32_t at, const void *data, size_t size)
{
    assert_true(at <= HOSTED_MEMORY && size <= HOSTED_MEMORY - at);
    memcpy(h->memory + at, data, size);
}

/* Runs a statement that may trap; h->text tells. */
#define HOST_TRY(h, statement)         \
    do {                               \
        (h)->text[0] = '\0';           \
        (h)->expects = true;           \
        if (setjmp((h)->point) == 0) { \
            statement;                 \
            (h)->expects = false;      \
        }                              \
    } while (0)

/* The statement traps with exactly this text. */
#define HOST_TRAPS(h, statement, expected)        \
    do {                                          \
        HOST_TRY(h, statement);                   \
        assert_string_equal((h)->text, expected); \
    } while (0)

#endif
