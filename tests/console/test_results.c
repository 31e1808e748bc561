/* SPDX-License-Identifier: MIT */
/* Whatever finite numbers a game hands over, no function of the host makes a NaN of them: not as a result,
   not in the game's memory, not in the state. A NaN's bits would differ between compilers and processors. */
#include "rows.h"

#include "ember/console.h"

static uint32_t results_random(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

/* Floats that overflow, vanish or cancel when they meet. */
static uint32_t results_number(uint32_t *seed)
{
    static const uint32_t numbers[] = {
        0x00000000u, 0x80000000u, 0x3f800000u, 0xbf800000u, 0x3f000000u, 0x7f7fffffu, 0xff7fffffu,
        0x00000001u, 0x80000001u, 0x00800000u, 0x5f000000u, 0xdf000000u, 0x60000000u, 0x1f000000u,
        0x7e800000u, 0xfe800000u, 0x40000000u, 0x3dcccccdu, 0x42b40000u, 0x20000000u,
    };
    return numbers[results_random(seed) % (sizeof(numbers) / sizeof(numbers[0]))];
}

static bool results_is_nan(uint32_t bits) { return (bits & 0x7fffffffu) > 0x7f800000u; }

static uint32_t results_word(const uint8_t *at)
{
    uint32_t word;
    memcpy(&word, at, sizeof(word));
    return word;
}

/* Functions that hand out bytes as they were stored, whatever they are. */
static bool results_copies(const char *name)
{
    static const char *const names[] = {"read_frame", "read_frames", "read_data", "rom_data", "clip_info"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

/* The transforms, the camera, the stack and the bones: floats all, behind the frame and the random number. */
static void results_check_state(const world *w, const char *name)
{
    size_t   size = ember_console_state_size(w->h.c);
    uint8_t *state = test_alloc(size);
    ember_console_state_save(w->h.c, state);
    for (size_t i = 16; i < 16 + 2 * 48 + 64; i += 4)
        if (results_is_nan(results_word(state + i)))
            fail_msg("%s left a NaN in the state", name);
    for (size_t i = 16 + 2 * 48 + 64 + 14 * 4; i + 4 <= size; i += 4)
        if (results_is_nan(results_word(state + i)))
            fail_msg("%s left a NaN in the stack or the bones", name);
    free(state);
}

static void results_put_numbers(world *w, uint32_t *seed)
{
    static const struct {
        uint32_t at, count;
    } places[] = {{AT_BONES, 24},  {AT_BONES_4X4, 32}, {AT_POSITION, 12},
                  {AT_MATRIX, 16}, {AT_POSE, 30},      {AT_POSE_B, 30}};
    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++)
        for (uint32_t k = 0; k < places[i].count; k++) {
            uint32_t number = results_number(seed);
            host_put(&w->h, places[i].at + 4 * k, &number, 4);
        }
}

/* True where it returned. */
static bool results_try(world *w, const call_function *f, const uint32_t arguments[CALL_MOST],
                        uint32_t *result)
{
    HOST_TRY(&w->h, assert_true(call_host(f, w->h.c, arguments, result)));
    return w->h.text[0] == '\0';
}

/* One call with such numbers; true where it returned. */
static bool results_call(world *w, const call_function *f, uint32_t *seed)
{
    static uint8_t before[WORLD_SIZE];
    const row     *r = row_of(f);
    uint32_t       arguments[CALL_MOST] = {0}, result;
    results_put_numbers(w, seed);
    for (size_t i = 0; r->roles[i] != '\0'; i++)
        arguments[i] = r->roles[i] == 'f' ? results_number(seed) : row_argument(w, r->arguments[i]);
    memcpy(before, w->h.memory, WORLD_SIZE);
    if (!results_try(w, f, arguments, &result)) {
        assert_memory_equal(before, w->h.memory, WORLD_SIZE);
        return false;
    }
    if (strstr(f->signature, ">f") != NULL && results_is_nan(result))
        fail_msg("%s returned a NaN", f->name);
    for (uint32_t at = 0; !results_copies(f->name) && at < WORLD_SIZE; at += 4)
        if (memcmp(before + at, w->h.memory + at, 4) != 0 && results_is_nan(results_word(w->h.memory + at)))
            fail_msg("%s wrote a NaN", f->name);
    results_check_state(w, f->name);
    return true;
}

TEST(no_function_makes_a_nan_of_finite_numbers)
{
    world    w;
    uint32_t seed = 1, returned = 0, calls = 0;
    world_open_render(&w);
    while (calls < 40000) {
        const call_function *f = &call_functions[results_random(&seed) % CALL_COUNT];
        if (row_of(f)->phase == INIT || strncmp(f->name, "unload", 6) == 0)
            continue;
        if (calls++ % 64 == 0)
            world_render(&w);
        returned += results_call(&w, f, &seed);
    }
    assert_in_range(returned, calls / 10, calls * 19 / 20);
    world_close(&w);
}
