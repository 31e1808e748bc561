/* SPDX-License-Identifier: MIT */
/* Host functions with random arguments, in random order, in all phases. Nothing may crash; a trap must leave
   the console as it was; and a state that was saved must come back byte for byte. */
#include "fuzz.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../tests/console/call.h"
#include "assets.h"
#include "ember/format.h"

#define MEMORY_SIZE 65536u
#define MOST_CALLS 400

/* ---- the input ---- */

typedef struct input {
    const uint8_t *at, *end;
} input;

static uint32_t input_u8(input *in) { return in->at < in->end ? *in->at++ : 0; }

static uint32_t input_u32(input *in)
{
    uint32_t value = input_u8(in);
    value |= input_u8(in) << 8;
    value |= input_u8(in) << 16;
    return value | input_u8(in) << 24;
}

/* ---- the console ---- */

typedef struct session {
    ember_console *c;
    uint8_t       *memory, *state, *again;
    jmp_buf        point;
    ember_phase    phase;
    uint32_t       results[16]; /* of the last calls: handles, often */
    uint32_t       result_count;
    input          in;
} session;

static void session_trap(void *user, const ember_trap *trap)
{
    session *s = user;
    if (strstr(trap->text, ", in ") == NULL ||
        strncmp(trap->text, trap->function, strlen(trap->function)) != 0)
        abort(); /* a trap that does not say where it happened */
    longjmp(s->point, 1);
}

static void session_log(void *user, const char *text, size_t size)
{
    (void)user;
    if (strlen(text) != size)
        abort();
}

/* Mostly numbers at which something may break: handles, ends of memory, limits, floats that are none. */
static uint32_t session_argument(session *s)
{
    /* clang-format off */
    static const uint32_t edges[] = {
        0, 1, 2, 3, 12, 16, 40, 48, 64, 254, 255, 256, 0x100, 0x400, 0x800, MEMORY_SIZE - 1,
        MEMORY_SIZE, 0xfffff, 0x7fffffffu, 0x80000000u, 0xfffffff0u, 0xffffffffu,
        0x3f800000u, 0x42b40000u, /* as floats: 1, 90 */
        0x7f800000u, 0x7fc00000u, 0x7f7fffffu, 1u, /* infinity, NaN, the largest, the smallest */
    };
    /* clang-format on */
    uint32_t choice = input_u8(&s->in);
    if (choice < 96)
        return s->results[choice % 16];
    if (choice < 200)
        return edges[choice % (sizeof(edges) / sizeof(edges[0]))];
    if (choice < 240)
        return input_u32(&s->in) % MEMORY_SIZE;
    return input_u32(&s->in);
}

static void session_phase(session *s, uint32_t choice)
{
    const uint32_t inputs[EMBER_CONSOLE_PLAYERS] = {choice, 0, 0, 0};
    ember_console_end(s->c);
    s->phase = choice % 2 == 0 ? EMBER_PHASE_UPDATE : EMBER_PHASE_RENDER;
    ember_console_begin(s->c, s->phase, inputs);
}

/* Bytes of the input into memory: files, matrices, texts. */
static void session_fill(session *s)
{
    uint32_t at = input_u32(&s->in) % MEMORY_SIZE, size = input_u8(&s->in);
    for (uint32_t i = 0; i < size && at + i < MEMORY_SIZE; i++)
        s->memory[at + i] = (uint8_t)input_u8(&s->in);
}

/* Saved, restored and saved again it must be the same. */
static void session_check_state(session *s)
{
    size_t size = ember_console_state_size(s->c);
    ember_console_state_save(s->c, s->state);
    ember_console_state_restore(s->c, s->state);
    ember_console_state_save(s->c, s->again);
    if (memcmp(s->state, s->again, size) != 0)
        abort();
}

static void session_call(session *s)
{
    const call_function *f = &call_functions[input_u8(&s->in) % CALL_COUNT];
    uint32_t             arguments[CALL_MOST] = {0}, result;
    for (unsigned i = 0; i < call_argument_count(f); i++)
        arguments[i] = session_argument(s);
    uint64_t before = ember_console_hash(s->c);
    if (setjmp(s->point) == 0) {
        if (!call_host(f, s->c, arguments, &result))
            abort();
        if (strchr(f->signature, '>')[1] == 'i')
            s->results[s->result_count++ % 16] = result;
    } else if (ember_console_hash(s->c) != before) {
        abort(); /* something had changed before it trapped */
    }
}

/* ---- the ROM: the example games' assets ---- */

static const ember_rom *fuzz_rom(void)
{
    static ember_buffer bytes;
    static ember_rom   *rom;
    ember_error         err = EMBER_ERROR_INIT;
    if (rom != NULL)
        return rom;
    bytes.allocator = ember_heap();
    if (game_assets_rom(&bytes, "fuzz", NULL, 0, &err) != EMBER_OK ||
        ember_rom_open_memory(&rom, bytes.data, bytes.size, ember_heap(), &err) != EMBER_OK) {
        fprintf(stderr, "fuzz_host_calls: %s\n", err.text);
        exit(1);
    }
    return rom;
}

/* Something to begin with: ids at fixed places, and one of each kind loaded. */
static void session_begin(session *s)
{
    static const uint8_t keyframes[20] = {1, 0, 1, 0, 0x03, 0x08, 0x20, 0x80, 0, 0,
                                          0, 0, 0, 0, 0,    0x3c, 0,    0x3c, 0, 0x3c};
    memcpy(s->memory + 0x100, "playerwalkchainlinkrobot-armhand.l", 34);
    memcpy(s->memory + 0x400, keyframes, sizeof(keyframes));
    if (setjmp(s->point) == 0) {
        s->results[0] = emberi_host_rom_mesh(s->c, 0x100, 6);
        s->results[1] = emberi_host_rom_skeleton(s->c, 0x100, 6);
        s->results[2] = emberi_host_rom_keyframes(s->c, 0x106, 4);
        s->results[3] = emberi_host_keyframes_load(s->c, 0x400, 20);
        s->results[4] = emberi_host_rom_keyframes(s->c, 0x113, 9);
        s->results[5] = emberi_host_load_data(s->c, 0x100, 64, 10);
        s->results[6] = 0x100;
        s->results[7] = 6;
        s->result_count = 8;
    } else {
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    session              *s = calloc(1, sizeof(*s));
    ember_console_options options = {.allocator = ember_heap(),
                                     .rom = fuzz_rom(),
                                     .seed = 1,
                                     .trap = session_trap,
                                     .log = session_log,
                                     .user = s};
    if (s == NULL || ember_console_create(&s->c, &options, NULL) != EMBER_OK)
        abort();
    s->in = (input){data, data + size};
    s->memory = calloc(1, MEMORY_SIZE);
    ember_console_set_memory(s->c, s->memory, MEMORY_SIZE);
    ember_console_begin(s->c, EMBER_PHASE_INIT, NULL);
    session_begin(s);
    for (int i = 0; i < MOST_CALLS && s->in.at < s->in.end; i++) {
        uint32_t what = input_u8(&s->in);
        if (what < 8) {
            session_phase(s, what);
            /* Nothing is loaded any more: the state has its size now. */
            s->state = realloc(s->state, ember_console_state_size(s->c));
            s->again = realloc(s->again, ember_console_state_size(s->c));
            session_check_state(s);
        } else if (what < 32) {
            session_fill(s);
        } else {
            session_call(s);
        }
    }
    ember_console_destroy(s->c);
    free(s->memory);
    free(s->state);
    free(s->again);
    free(s);
    return 0;
}
