/* SPDX-License-Identifier: MIT */
/* What the tests of files share: a small model to write, an allocator that fails when told to, a listener for
   notes, and the trials that every reader owes. */
#ifndef EMBER_TESTS_FORMAT_FIXTURE_H
#define EMBER_TESTS_FORMAT_FIXTURE_H

#include "testing.h"

/* ---- an allocator that counts, and fails from one call on ---- */

typedef struct fixture_heap {
    size_t calls;   /* that ask for memory */
    size_t fail_at; /* this call and all after it fail; 0: none */
    size_t held;    /* bytes given out and not taken back */
} fixture_heap;

static inline void *fixture_heap_resize(void *user, void *memory, size_t old_size, size_t new_size)
{
    fixture_heap *heap = user;
    if (new_size == 0) {
        heap->held -= old_size;
        free(memory);
        return NULL;
    }
    heap->calls++;
    if (heap->fail_at != 0 && heap->calls >= heap->fail_at)
        return NULL;
    void *resized = realloc(memory, new_size);
    if (resized != NULL)
        heap->held += new_size - old_size;
    return resized;
}

static inline ember_allocator fixture_allocator(fixture_heap *heap)
{
    ember_allocator allocator = {fixture_heap_resize, heap};
    return allocator;
}

/* ---- notes ---- */

typedef struct fixture_notes {
    int  count[3];   /* by kind */
    char text[4096]; /* one per line, the kind's letter in front */
} fixture_notes;

static inline void fixture_take(void *user, const ember_note *note)
{
    fixture_notes *notes = user;
    size_t         used = strlen(notes->text);
    assert_in_range(note->kind, EMBER_NOTE_LOSS, EMBER_NOTE_DETAIL);
    assert_null(strchr(note->text, '\n'));
    notes->count[note->kind]++;
    snprintf(notes->text + used, sizeof(notes->text) - used, "%c %s\n", "LWD"[note->kind], note -> text);
}

static inline ember_notes fixture_listen(fixture_notes *notes)
{
    ember_notes listener = {fixture_take, notes};
    memset(notes, 0, sizeof(*notes));
    return listener;
}

/* ---- a model: three bones in a chain, four frames, every number a half float and every rotation a code
   ---- */

#define FIXTURE_BONES 3u
#define FIXTURE_FRAMES 4u

typedef struct fixture_model {
    ember_model     model;
    ember_clip      clip;
    ember_marker    markers[2];
    int16_t         parents[FIXTURE_BONES];
    const char     *names[FIXTURE_BONES];
    ember_transform rest[FIXTURE_BONES];
    ember_transform frames[FIXTURE_BONES * FIXTURE_FRAMES];
} fixture_model;

static inline void fixture_fill(fixture_model *f)
{
    static const ember_transform identity = EMBER_TRANSFORM_IDENTITY;
    static const char *const     names[FIXTURE_BONES] = {"hip", "knee", "foot"};
    memset(f, 0, sizeof(*f));
    for (uint32_t i = 0; i < FIXTURE_BONES; i++) {
        f->parents[i] = (int16_t)((int)i - 1);
        f->names[i] = names[i];
        f->rest[i] = identity;
        f->rest[i].position.y = i == 0 ? 1.0f : -0.5f;
    }
    for (uint32_t i = 0; i < FIXTURE_BONES * FIXTURE_FRAMES; i++) {
        f->frames[i] = identity;
        f->frames[i].rotation = ember_quat32_decode(0x80200803u + (i << 24));
        f->frames[i].position.x = 0.25f * (float)i;
        f->frames[i].position.z = -1.5f;
    }
    f->markers[0] = (ember_marker){"step", 1};
    f->markers[1] = (ember_marker){"step", 3};
    f->clip = (ember_clip){.name = "walk",
                           .fps = 24.0,
                           .loop = true,
                           .space = EMBER_SPACE_LOCAL,
                           .bone_count = FIXTURE_BONES,
                           .frame_count = FIXTURE_FRAMES,
                           .frames = f->frames,
                           .marker_count = 2,
                           .markers = f->markers};
    f->model.skeleton = (ember_skeleton){.bone_count = FIXTURE_BONES,
                                         .parents = f->parents,
                                         .names = f->names,
                                         .rest = f->rest};
    f->model.clip_count = 1;
    f->model.clips = &f->clip;
}

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

/* Writes what must be refused, with this status and a text that holds `text`; nothing is left
   in the buffer. */
static inline void fixture_refuse_write(const ember_model *model, ember_write_options options,
                                        ember_status wanted, const char *text)
{
    ember_buffer buffer = {.allocator = ember_heap()};
    ember_error  err = EMBER_ERROR_INIT;
    ember_status status = ember_model_write(&buffer, model, &options, &err);
    if (status != wanted || strstr(err.text, text) == NULL)
        print_error("got %s: %s\nwanted %s: %s\n", ember_status_name(status), err.text,
                    ember_status_name(wanted), text);
    assert_int_equal(status, wanted);
    assert_non_null(strstr(err.text, text));
    assert_int_equal(buffer.size, 0);
    ember_buffer_free(&buffer);
}

/* Reads what must be refused, with this status and a text that holds `text`; nothing is left in the arena. */
static inline void fixture_refuse(const void *data, size_t size, ember_read_options options,
                                  ember_status wanted, const char *text)
{
    static const ember_model zero;
    ember_arena              arena = ember_arena_growing(ember_heap(), 0);
    ember_error              err = EMBER_ERROR_INIT;
    ember_model              model;
    uint8_t                 *copy = test_exact_copy(data, size);
    ember_status             status = ember_model_read(&model, copy, size, &options, &arena, &err);
    if (status != wanted || strstr(err.text, text) == NULL)
        print_error("got %s: %s\nwanted %s: %s\n", ember_status_name(status), err.text,
                    ember_status_name(wanted), text);
    assert_int_equal(status, wanted);
    assert_int_equal(err.status, wanted);
    assert_non_null(strstr(err.text, text));
    assert_memory_equal(&model, &zero, sizeof(zero));
    assert_int_equal(arena.total, 0);
    ember_arena_free(&arena);
    free(copy);
}

static inline void assert_vec3(ember_vec3 v, float x, float y, float z)
{
    assert_float_equal(v.x, x, 1e-6f);
    assert_float_equal(v.y, y, 1e-6f);
    assert_float_equal(v.z, z, 1e-6f);
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

/* ---- what every reader owes ---- */

/* No prefix of a good file is a good file, none is read beyond, and each has its words. */
static inline void fixture_every_prefix(const uint8_t *data, size_t size, ember_read_options options)
{
    for (size_t n = 0; n < size; n++) {
        ember_arena arena = ember_arena_growing(ember_heap(), 0);
        ember_error err = EMBER_ERROR_INIT;
        ember_model model;
        uint8_t    *copy = test_exact_copy(data, n);
        assert_int_not_equal(ember_model_read(&model, copy, n, &options, &arena, &err), EMBER_OK);
        assert_true(err.text[0] != '\0');
        assert_null(model.clips);
        assert_int_equal(arena.total, 0);
        ember_arena_free(&arena);
        free(copy);
    }
}

/* In every arena size up to the one that is enough the reader fails for want of memory and leaves the arena
   as it was. */
static inline void fixture_every_arena(const uint8_t *data, size_t size, ember_read_options options)
{
    ember_status status = EMBER_E_NOMEM;
    for (size_t room = 0; status != EMBER_OK; room++) {
        uint8_t    *memory = test_alloc(room);
        ember_arena arena = ember_arena_fixed(memory, room);
        ember_error err = EMBER_ERROR_INIT;
        ember_model model;
        assert_in_range(room, 0, 1 << 16);
        status = ember_model_read(&model, data, size, &options, &arena, &err);
        if (status != EMBER_OK) {
            assert_int_equal(status, EMBER_E_NOMEM);
            assert_int_equal(arena.used, 0);
        }
        free(memory);
    }
}

/* Whichever allocation fails, reading and writing say so and hold nothing afterwards. */
static inline void fixture_every_allocation(const uint8_t *data, size_t size, ember_read_options options)
{
    ember_status status = EMBER_E_NOMEM;
    for (size_t fail_at = 1; status != EMBER_OK; fail_at++) {
        fixture_heap heap = {.fail_at = fail_at};
        ember_arena  arena = ember_arena_growing(fixture_allocator(&heap), 0);
        ember_model  model;
        assert_in_range(fail_at, 1, 100);
        status = ember_model_read(&model, data, size, &options, &arena, NULL);
        if (status != EMBER_OK) {
            assert_int_equal(status, EMBER_E_NOMEM);
            assert_int_equal(heap.held, 0);
        }
        ember_arena_free(&arena);
        assert_int_equal(heap.held, 0);
    }
}

/* In every output limit up to the file's size the writer fails, and the buffer is as it was. */
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
    for (size_t fail_at = 1, done = 0; done == 0; fail_at++) {
        fixture_heap heap = {.fail_at = fail_at};
        ember_buffer buffer = {.allocator = fixture_allocator(&heap)};
        ember_status status = ember_model_write(&buffer, model, &options, NULL);
        assert_true(status == EMBER_OK || status == EMBER_E_NOMEM);
        assert_int_equal(buffer.size, status == EMBER_OK ? whole.size : 0);
        done = status == EMBER_OK;
        ember_buffer_free(&buffer);
        assert_int_equal(heap.held, 0);
    }
    ember_buffer_free(&whole);
}

#endif
