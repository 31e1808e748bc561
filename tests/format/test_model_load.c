/* SPDX-License-Identifier: MIT */
/* A model straight from a file: what reading its bytes gives, named after the file; errors of the system and
   of the reader, with nothing left behind. */
#define _POSIX_C_SOURCE 200809L /* mkdtemp */

#include <unistd.h>

#include "testing.h"

/* One bone, one frame: identity at 1 2 3. */
static const uint8_t still[20] = {1, 0, 1, 0, 3, 8, 32, 128, 0, 60, 0, 64, 0, 66, 0, 60, 0, 60, 0, 60};

typedef struct load_file {
    char folder[32], path[64];
} load_file;

static load_file load_file_make(const void *data, size_t size)
{
    load_file file = {.folder = "/tmp/ember-load-XXXXXX"};
    assert_non_null(mkdtemp(file.folder));
    snprintf(file.path, sizeof(file.path), "%s/wave.ewzanim", file.folder);
    assert_int_equal(ember_file_write(file.path, data, size, NULL), EMBER_OK);
    return file;
}

static void load_file_remove(const load_file *file)
{
    unlink(file->path);
    rmdir(file->folder);
}

TEST(model_load_reads_a_file_and_names_its_clip_after_it)
{
    load_file   file = load_file_make(still, sizeof(still));
    ember_arena arena = ember_arena_growing(ember_heap(), 0);
    ember_model model;
    assert_int_equal(ember_model_load(&model, file.path, NULL, &arena, NULL), EMBER_OK);
    assert_int_equal(model.clip_count, 1);
    const ember_clip *clip = ember_model_clip(&model, "wave");
    assert_non_null(clip);
    assert_true(clip->frames[0].position.x == 1.0f && clip->frames[0].position.z == 3.0f);
    assert_null(ember_model_clip(&model, "Wave"));
    load_file_remove(&file);
    ember_arena_free(&arena);
}

TEST(model_load_obeys_options)
{
    load_file          file = load_file_make(still, sizeof(still));
    ember_arena        arena = ember_arena_growing(ember_heap(), 0);
    ember_read_options options = {.path = "other.ewzanim", .fps = 12.0};
    ember_model        model;
    assert_int_equal(ember_model_load(&model, file.path, &options, &arena, NULL), EMBER_OK);
    assert_string_equal(model.clips[0].name, "other");
    assert_true(model.clips[0].fps == 12.0);
    load_file_remove(&file);
    ember_arena_free(&arena);
}

TEST(model_load_reports_a_missing_and_a_broken_file)
{
    load_file   file = load_file_make(still, sizeof(still) - 1);
    ember_arena arena = ember_arena_growing(ember_heap(), 0);
    ember_model model;
    ember_error err = EMBER_ERROR_INIT;
    assert_int_equal(ember_model_load(&model, file.path, NULL, &arena, &err), EMBER_E_TRUNCATED);
    assert_int_equal(model.clip_count, 0);
    load_file_remove(&file);
    err = (ember_error)EMBER_ERROR_INIT;
    assert_int_equal(ember_model_load(&model, file.path, NULL, &arena, &err), EMBER_E_IO);
    assert_true(err.text[0] != '\0' && model.clip_count == 0);
    ember_arena_free(&arena);
}
