/* SPDX-License-Identifier: MIT */
/* What the tests of files share: short ways to read and write, and the trials that every reader
   and writer owes. */
#ifndef EMBER_TESTS_FORMAT_FIXTURE_H
#define EMBER_TESTS_FORMAT_FIXTURE_H

#include "fixtures/allocator.h"
#include "fixtures/arena.h"
#include "fixtures/chain_model.h"
#include "fixtures/error.h"
#include "fixtures/notes.h"
#include "fixtures/prefix.h"

/* ---- short ways ---- */

static inline ember_buffer fixture_write(const ember_model *model, ember_write_options options)
{
    ember_buffer buffer = {.allocator = ember_heap()};
    ember_error  err = EMBER_ERROR_INIT;
    ember_status status = ember_model_write(&buffer, model, &options, &err);
    if (status != EMBER_OK)
        print_error("%s\n", err.text);
    assert_int_equal(status, EMBER_OK);
    return buffer;
}

static inline ember_model fixture_read(const void *data, size_t size, ember_read_options options,
                                       ember_arena *arena)
{
    ember_model  model;
    ember_error  err = EMBER_ERROR_INIT;
    ember_status status = ember_model_read(&model, data, size, &options, arena, &err);
    if (status != EMBER_OK)
        print_error("%s\n", err.text);
    assert_int_equal(status, EMBER_OK);
    assert_int_equal(ember_model_check(&model, NULL), EMBER_OK);
    return model;
}

static inline ember_model fixture_read_text(const char *text, ember_read_options options, ember_arena *arena)
{
    return fixture_read(text, strlen(text), options, arena);
}

/* Writes what must be refused, with this status and a line that holds `text`, the place in front; nothing is
   left in the buffer. */
static inline void fixture_refuse_write(const ember_model *model, ember_write_options options,
                                        ember_status wanted, const char *text)
{
    ember_buffer buffer = {.allocator = ember_heap()};
    ember_error  err = EMBER_ERROR_INIT;
    ember_status status = ember_model_write(&buffer, model, &options, &err);
    fixture_line line = fixture_error_line(&err);
    if (status != wanted || strstr(line.text, text) == NULL)
        print_error("got %s: %s\nwanted %s: %s\n", ember_status_name(status), line.text,
                    ember_status_name(wanted), text);
    assert_int_equal(status, wanted);
    assert_non_null(strstr(line.text, text));
    assert_int_equal(buffer.size, 0);
    ember_buffer_free(&buffer);
}

/* Reads what must be refused, with this status and a line that holds `text`, the place in front; nothing is
   left in the arena. */
static inline void fixture_refuse(const void *data, size_t size, ember_read_options options,
                                  ember_status wanted, const char *text)
{
    static const ember_model zero;
    ember_arena              arena = ember_arena_growing(ember_heap(), 0);
    ember_error              err = EMBER_ERROR_INIT;
    ember_model              model;
    uint8_t                 *copy = test_exact_copy(data, size);
    ember_status             status = ember_model_read(&model, copy, size, &options, &arena, &err);
    fixture_line             line = fixture_error_line(&err);
    if (status != wanted || strstr(line.text, text) == NULL)
        print_error("got %s: %s\nwanted %s: %s\n", ember_status_name(status), line.text,
                    ember_status_name(wanted), text);
    assert_int_equal(status, wanted);
    assert_int_equal(err.status, wanted);
    assert_non_null(strstr(line.text, text));
    assert_memory_equal(&model, &zero, sizeof(zero));
    assert_int_equal(arena.total, 0);
    ember_arena_free(&arena);
    free(copy);
}

/* The same for a good file of which one byte is another. */
static inline void fixture_refuse_changed(const uint8_t *good, size_t size, size_t offset, uint8_t value,
                                          ember_read_options options, ember_status wanted, const char *text)
{
    uint8_t *copy = test_exact_copy(good, size);
    copy[offset] = value;
    fixture_refuse(copy, size, options, wanted, text);
    free(copy);
}

static inline void assert_vec3(ember_vec3 v, float x, float y, float z)
{
    assert_float_equal(v.x, x, 1e-6f);
    assert_float_equal(v.y, y, 1e-6f);
    assert_float_equal(v.z, z, 1e-6f);
}

static inline void assert_quat(ember_quat q, double x, double y, double z, double w)
{
    assert_float_equal(q.x, (float)x, 1e-6f);
    assert_float_equal(q.y, (float)y, 1e-6f);
    assert_float_equal(q.z, (float)z, 1e-6f);
    assert_float_equal(q.w, (float)w, 1e-6f);
}

/* ---- what every reader owes ---- */

/* Whatever the bytes are, what is read is a good model, or it is refused with a text and the arena
   is as it was. */
static inline ember_status fixture_survive(const void *data, size_t size, ember_read_options options)
{
    ember_arena  arena = ember_arena_growing(ember_heap(), 0);
    ember_error  err = EMBER_ERROR_INIT;
    ember_model  model;
    uint8_t     *copy = test_exact_copy(data, size);
    ember_status status = ember_model_read(&model, copy, size, &options, &arena, &err);
    if (status == EMBER_OK) {
        assert_int_equal(ember_model_check(&model, NULL), EMBER_OK);
    } else {
        assert_true(err.text[0] != '\0' && strchr(fixture_error_line(&err).text, '\n') == NULL);
        assert_int_equal(arena.total, 0);
    }
    ember_arena_free(&arena);
    free(copy);
    return status;
}

/* A copy of a text of which one to four bytes are others, mostly such as stand elsewhere in it. */
static inline uint8_t *fixture_damaged_text(const char *text, test_random *random)
{
    size_t   size = strlen(text);
    uint8_t *copy = test_exact_copy(text, size);
    for (uint32_t hits = test_random_u32(random) % 4 + 1; hits != 0; hits--) {
        size_t at = test_random_u32(random) % size;
        bool   any = test_random_u32(random) % 4 == 0;
        copy[at] = (uint8_t)(any ? test_random_u32(random) : (uint32_t)text[test_random_u32(random) % size]);
    }
    return copy;
}

static inline void fixture_damages(const char *text, uint64_t seed, ember_read_options options)
{
    test_random random = {seed};
    for (int round = 0; round < 20000; round++) {
        uint8_t *copy = fixture_damaged_text(text, &random);
        (void)fixture_survive(copy, strlen(text), options);
        free(copy);
    }
}

/* No prefix of a good file is a good file, none is read beyond, and each has its words. */
static inline void fixture_every_prefix(const uint8_t *data, size_t size, ember_read_options options)
{
    for (fixture_prefix p = fixture_prefixes(data, size); fixture_prefix_next(&p);) {
        ember_arena arena = ember_arena_growing(ember_heap(), 0);
        ember_error err = EMBER_ERROR_INIT;
        ember_model model;
        assert_int_not_equal(ember_model_read(&model, p.data, p.size, &options, &arena, &err), EMBER_OK);
        assert_true(err.text[0] != '\0');
        assert_null(model.clips);
        assert_int_equal(arena.total, 0);
        ember_arena_free(&arena);
    }
}

typedef struct fixture_reading {
    const uint8_t     *data;
    size_t             size;
    ember_read_options options;
} fixture_reading;

static inline ember_status fixture_run_in_arena(void *job, ember_arena *arena)
{
    const fixture_reading *reading = job;
    ember_model            model;
    return ember_model_read(&model, reading->data, reading->size, &reading->options, arena, NULL);
}

/* In every arena size up to the one that is enough the reader reports a lack of memory and leaves the arena
   as it was. */
static inline void fixture_every_arena(const uint8_t *data, size_t size, ember_read_options options)
{
    fixture_reading reading = {data, size, options};
    fixture_every_arena_size(fixture_run_in_arena, &reading);
}

static inline ember_status fixture_run_read(void *job, ember_allocator allocator)
{
    const fixture_reading *reading = job;
    ember_arena            arena = ember_arena_growing(allocator, 0);
    ember_model            model;
    ember_status           status =
        ember_model_read(&model, reading->data, reading->size, &reading->options, &arena, NULL);
    if (status != EMBER_OK)
        assert_int_equal(arena.total, 0);
    ember_arena_free(&arena);
    return status;
}

/* Whichever allocation fails, reading says so and holds nothing afterwards. */
static inline void fixture_every_allocation(const uint8_t *data, size_t size, ember_read_options options)
{
    fixture_reading reading = {data, size, options};
    (void)fixture_every_failing_allocation(fixture_run_read, &reading);
}

typedef struct fixture_writing {
    const ember_model  *model;
    ember_write_options options;
    size_t              size; /* of the file */
} fixture_writing;

static inline ember_status fixture_run_write(void *job, ember_allocator allocator)
{
    const fixture_writing *writing = job;
    ember_buffer           buffer = {.allocator = allocator};
    ember_status           status = ember_model_write(&buffer, writing->model, &writing->options, NULL);
    assert_int_equal(buffer.size, status == EMBER_OK ? writing->size : 0);
    ember_buffer_free(&buffer);
    return status;
}

/* In every output limit up to the file's size the writer fails, and the buffer is as it was; the same where
   memory runs out. */
static inline void fixture_every_output_size(const ember_model *model, ember_write_options options)
{
    ember_buffer whole = fixture_write(model, options);
    for (size_t limit = 1; limit <= whole.size + 1; limit++) {
        ember_buffer buffer = {.allocator = ember_heap(), .limit = limit};
        assert_true(ember_buffer_append(&buffer, "x", 1));
        ember_status status = ember_model_write(&buffer, model, &options, NULL);
        assert_int_equal(status, limit == whole.size + 1 ? EMBER_OK : EMBER_E_NOMEM);
        assert_int_equal(buffer.size, limit == whole.size + 1 ? limit : 1);
        assert_int_equal(buffer.data[0], 'x');
        ember_buffer_free(&buffer);
    }
    fixture_writing writing = {model, options, whole.size};
    (void)fixture_every_failing_allocation(fixture_run_write, &writing);
    ember_buffer_free(&whole);
}

#endif
