#include "failing.h"

#include <jansson.h>

static struct {
    unsigned kinds;
    size_t   left; /* calls until the one that fails; 0: it has been */
} failing;

static bool failing_now(unsigned kind)
{
    if ((failing.kinds & kind) == 0 || failing.left == 0)
        return false;
    return --failing.left == 0;
}

/* ---- in place of the library's ---- */

void *__real_ember_arena_push(ember_arena *arena, size_t count, size_t elem_size, size_t align);
void *__wrap_ember_arena_push(ember_arena *arena, size_t count, size_t elem_size, size_t align);
void *__wrap_ember_arena_push(ember_arena *arena, size_t count, size_t elem_size, size_t align)
{
    return failing_now(FAILING_PUSH) ? NULL : __real_ember_arena_push(arena, count, elem_size, align);
}

uint8_t *__real_ember_buffer_grow(ember_buffer *buffer, size_t size);
uint8_t *__wrap_ember_buffer_grow(ember_buffer *buffer, size_t size);
uint8_t *__wrap_ember_buffer_grow(ember_buffer *buffer, size_t size)
{
    return failing_now(FAILING_BUFFER) ? NULL : __real_ember_buffer_grow(buffer, size);
}

bool __real_ember_buffer_append(ember_buffer *buffer, const void *data, size_t size);
bool __wrap_ember_buffer_append(ember_buffer *buffer, const void *data, size_t size);
bool __wrap_ember_buffer_append(ember_buffer *buffer, const void *data, size_t size)
{
    return failing_now(FAILING_BUFFER) ? false : __real_ember_buffer_append(buffer, data, size);
}

/* From the failing call on, all of them: jansson drops a byte of a text where a single one fails, and goes on. */
static void *json_memory(size_t size)
{
    bool over = (failing.kinds & FAILING_JSON) != 0 && failing.left == 0;
    return failing_now(FAILING_JSON) || over ? NULL : malloc(size);
}

/* ---- for the tests ---- */

void failing_start(unsigned kinds, size_t nth)
{
    json_set_alloc_funcs(json_memory, free);
    failing.kinds = kinds;
    failing.left = nth;
}

bool failing_stop(void)
{
    bool came = failing.left == 0;
    failing.kinds = 0;
    return came;
}

size_t failing_every(failing_run *run, void *job, unsigned kinds)
{
    for (size_t nth = 1;; nth++) {
        ember_error err = EMBER_ERROR_INIT;
        failing_start(kinds, nth);
        ember_status status = run(job, &err);
        bool         came = failing_stop();
        if (status != (came ? EMBER_E_NOMEM : EMBER_OK))
            print_error("call %zu that could fail: %s: %s\n", nth, ember_status_name(status), err.text);
        if (!came) {
            assert_int_equal(status, EMBER_OK);
            return nth - 1;
        }
        assert_int_equal(status, EMBER_E_NOMEM);
        assert_int_equal(err.status, EMBER_E_NOMEM);
        assert_true(err.text[0] != '\0');
    }
}
