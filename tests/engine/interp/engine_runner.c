/* SPDX-License-Identifier: MIT */
/* Runs modules on an engine for tests in Python: reads commands, a line each, and answers each with a line.
     load ENGINE FILE        ok, or: refused TEXT
     set INDEX VALUE         a 64-bit number of the state (variable globals in the order of their numbers)
     get INDEX
     update                  ok, or: trap TEXT
     memory                  size and hash of all memory
     calls FIRST COUNT       for each number: puts it at address 0, runs update, answers with a
                             line: the kind of
                             trap, the results at address 8 and a hash of the first 4 KiB of memory */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ember/ember.h"
#include "ember/file.h"
#include "engine/interp/interp.h"
#include "engine/machine_internal.h"

static ember_machine *runner_machine;

static void runner_load(const char *engine, const char *path)
{
    ember_machine_options options = {.watchdog_s = 1.0, .cache_folder = ""};
    ember_buffer          bytes = {.allocator = ember_heap()};
    ember_error           err = EMBER_ERROR_INIT;
    ember_machine_unload(runner_machine);
    runner_machine = NULL;
    ember_status status = ember_file_read(&bytes, path, 0, &err);
    if (status == EMBER_OK)
        status = strcmp(engine, "interp") == 0
                     ? emberi_interp_load(&runner_machine, bytes.data, bytes.size, &options, &err)
                     : ember_machine_load_wasm(&runner_machine, bytes.data, bytes.size, &options, &err);
    ember_buffer_free(&bytes);
    if (status == EMBER_OK)
        printf("ok\n");
    else
        printf("refused %s\n", err.text);
}

static uint8_t *runner_state(size_t *size)
{
    *size = runner_machine->ops->state_size(runner_machine);
    uint8_t *state = malloc(*size + 8);
    if (state == NULL)
        exit(2);
    runner_machine->ops->state_save(runner_machine, state);
    return state;
}

static void runner_set(size_t index, uint64_t value)
{
    size_t   size;
    uint8_t *state = runner_state(&size);
    if (index >= size / 8)
        exit(2);
    for (int i = 0; i < 8; i++)
        state[index * 8 + (size_t)i] = (uint8_t)(value >> (8 * i));
    runner_machine->ops->state_restore(runner_machine, state);
    free(state);
    printf("ok\n");
}

static void runner_get(size_t index)
{
    size_t   size;
    uint8_t *state = runner_state(&size);
    uint64_t value = 0;
    if (index >= size / 8)
        exit(2);
    for (int i = 7; i >= 0; i--)
        value = value << 8 | state[index * 8 + (size_t)i];
    free(state);
    printf("%llu\n", (unsigned long long)value);
}

/* As WebAssembly has it: an instance that trapped can be called again. */
static ember_status runner_update(ember_error *err)
{
    static const uint32_t none[EMBER_CONSOLE_PLAYERS] = {0};
    runner_machine->trapped = false;
    return ember_machine_update(runner_machine, none, err);
}

static uint32_t runner_hash(const uint8_t *memory, size_t size)
{
    uint32_t hash = 0x811c9dc5u;
    for (size_t i = 0; i < size; i += 4) {
        uint32_t word;
        memcpy(&word, memory + i, sizeof(word));
        hash = (hash ^ word) * 0x01000193u;
    }
    return hash;
}

/* The letter of a trap's kind. */
static char runner_kind(const char *text)
{
    static const struct {
        const char *start;
        char        kind;
    } kinds[] = {{"memory", 'm'},        {"integer division", 'z'}, {"integer overflow", 'o'},
                 {"a number that", 'n'}, {"unreachable", 'u'},      {"an indirect", 'i'},
                 {"calls inside", 'd'},  {"the call took", 'f'}};
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
        if (strncmp(text, kinds[i].start, strlen(kinds[i].start)) == 0)
            return kinds[i].kind;
    return '?';
}

static void runner_calls(uint32_t first, uint32_t count)
{
    for (uint32_t i = first; i < first + count; i++) {
        ember_error err = EMBER_ERROR_INIT;
        uint32_t    size;
        uint8_t    *memory = runner_machine->ops->memory(runner_machine, &size);
        memcpy(memory, &i, sizeof(i));
        char kind = runner_update(&err) == EMBER_OK ? '-' : runner_kind(err.text);
        memory = runner_machine->ops->memory(runner_machine, &size);
        uint64_t result;
        memcpy(&result, memory + 8, sizeof(result));
        printf("%c %016llx %08x\n", kind, (unsigned long long)result, (unsigned)runner_hash(memory, 4096));
    }
}

static void runner_memory(void)
{
    uint32_t size;
    uint8_t *memory = runner_machine->ops->memory(runner_machine, &size);
    printf("%u %08x\n", (unsigned)size, (unsigned)runner_hash(memory, size));
}

int main(void)
{
    static char        line[4096], word[16], path[4000];
    unsigned long long a, b;
    while (fgets(line, sizeof(line), stdin) != NULL) {
        ember_error err = EMBER_ERROR_INIT;
        if (sscanf(line, "load %15s %3999s", word, path) == 2)
            runner_load(word, path);
        else if (runner_machine == NULL)
            printf("no module\n");
        else if (sscanf(line, "set %llu %llu", &a, &b) == 2)
            runner_set((size_t)a, b);
        else if (sscanf(line, "get %llu", &a) == 1)
            runner_get((size_t)a);
        else if (sscanf(line, "calls %llu %llu", &a, &b) == 2)
            runner_calls((uint32_t)a, (uint32_t)b);
        else if (strncmp(line, "memory", 6) == 0)
            runner_memory();
        else if (runner_update(&err) == EMBER_OK)
            printf("ok\n");
        else
            printf("trap %s\n", err.text);
        fflush(stdout);
    }
    ember_machine_unload(runner_machine);
    return 0;
}
