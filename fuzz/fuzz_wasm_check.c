/* The check of modules with random bytes: it must not read outside of them, must say why it refuses, and what it lets through
   must pass again once it is stripped.

   With clang's -fsanitize=fuzzer this is a target of libFuzzer. Without (EMBER_FUZZ_MAIN) it is a program: fuzz_wasm_check
   FILE... replays inputs, fuzz_wasm_check N runs N inputs of its own making. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wasm/check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition, const char *what)
{
    if (!condition) {
        fprintf(stderr, "fuzz_wasm_check: %s\n", what);
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    emberi_wasm_module module, again;
    ember_error        err = EMBER_ERROR_INIT;
    uint8_t           *exact = malloc(size != 0 ? size : 1); /* so that a sanitizer sees the first byte beyond */
    require(exact != NULL, "out of memory");
    memcpy(exact, data, size);
    ember_status status = emberi_wasm_check(&module, exact, size, &err);
    require((status == EMBER_OK) == (err.text[0] == '\0'), "a refusal says nothing, or a pass something");
    for (const char *c = err.text; *c != '\0'; c++)
        require((unsigned char)*c >= 0x20, "a refusal is more than one line");
    if (status == EMBER_OK) {
        static uint8_t memory[EMBER_CONSOLE_MEMORY];
        ember_buffer   stripped = {.allocator = ember_heap()};
        require(emberi_wasm_strip(&stripped, &module, &err) == EMBER_OK, "no memory to strip the module");
        require(emberi_wasm_check(&again, stripped.data, stripped.size, &err) == EMBER_OK, "the stripped module does not pass");
        emberi_wasm_put_data(&module, memory);
        ember_buffer_free(&stripped);
    }
    free(exact);
    return 0;
}

#ifdef EMBER_FUZZ_MAIN

/* A module with something in every section, to start from: memory, a table with one function, a global, data, and an init that
 * uses them. */
static const uint8_t seed[] = {
    0,  'a', 's',  'm',  1,    0,    0,    0,                                                 /* magic, version */
    1,  13,  3,    0x60, 0,    0,    0x60, 0,    1,    0x7f, 0x60, 1,    0x7f, 1,    0x7f,    /* types */
    2,  14,  1,    3,    'e',  'n',  'v',  6,    'r',  'a',  'n',  'd',  'o',  'm',  0,    1, /* env.random */
    3,  3,   2,    0,    2,                                                                   /* functions */
    4,  4,   1,    0x70, 0,    2,                                                             /* a table of two */
    5,  3,   1,    0,    1,                                                                   /* a page of memory */
    6,  6,   1,    0x7f, 1,    0x41, 7,    0x0b,                                              /* a variable */
    7,  17,  2,    6,    'm',  'e',  'm',  'o',  'r',  'y',  2,    0,    4,    'i',  'n',  'i',  't',  0, 1, /* exports */
    9,  7,   1,    0,    0x41, 0,    0x0b, 1,    2,                                                          /* elements */
    10, 32,  2,                                                                                              /* code */
    20, 0,   0x41, 0,    0x10, 0,    0x36, 2,    0,    0x02, 0x40, 0x41, 1,    0x0d, 0,    0x0b, 0x23, 0, 0x24, 0,   0x0b,
    9,  1,   1,    0x7e, 0x20, 0,    0x41, 1,    0x6a, 0x0b, 11,   8,    1,    0,    0x41, 16,   0x0b, 2, 'h',  'i', /* data */
};

static uint64_t random_next(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return (*state * UINT64_C(0x2545F4914F6CDD1D)) >> 32;
}

/* The seed with a few bytes changed, put in or taken out. */
static void run_one(uint64_t *state)
{
    uint8_t bytes[sizeof(seed) + 64];
    size_t  size = sizeof(seed);
    memcpy(bytes, seed, size);
    for (uint64_t changes = random_next(state) % 6; changes > 0 && size > 0; changes--) {
        size_t at = (size_t)(random_next(state) % size);
        switch (random_next(state) % 4) {
        case 0:
            memmove(bytes + at, bytes + at + 1, size - at - 1);
            size--;
            break;
        case 1:
            memmove(bytes + at + 1, bytes + at, size - at);
            size++;
            bytes[at] = (uint8_t)random_next(state);
            break;
        case 2:
            bytes[at] ^= (uint8_t)(1u << random_next(state) % 8);
            break;
        default:
            bytes[at] = (uint8_t)random_next(state);
        }
    }
    (void)LLVMFuzzerTestOneInput(bytes, size);
}

int main(int argc, char **argv)
{
    uint64_t      state = 88172645463325252u;
    char         *end;
    unsigned long count = argc == 2 ? strtoul(argv[1], &end, 10) : 0;
    if (argc == 2 && *end == '\0') {
        require(ember_wasm_check(seed, sizeof(seed), NULL) == EMBER_OK, "the seed does not pass");
        for (unsigned long i = 0; i < count; i++)
            run_one(&state);
        return 0;
    }
    for (int i = 1; i < argc; i++) {
        ember_buffer bytes = {.allocator = ember_heap()};
        require(ember_file_read(&bytes, argv[i], 0, NULL) == EMBER_OK, "a file cannot be read");
        (void)LLVMFuzzerTestOneInput(bytes.data, bytes.size);
        ember_buffer_free(&bytes);
    }
    return 0;
}

#endif
