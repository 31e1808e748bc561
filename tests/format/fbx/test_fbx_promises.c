/* SPDX-License-Identifier: MIT */
/* What every reader promises, for FBX: over the files that the fuzz target begins with, one of each
   container, every prefix, every failing allocation, every size of an arena, and what options change. */
#include "format/fixture.h"

#include <stdio.h>

static const char *const containers[] = {"text-7400",   "text-6100",  "binary-7400",
                                         "binary-7500", "binary-big", "binary-6100"};
#define CONTAINER_COUNT (sizeof(containers) / sizeof(containers[0]))

static ember_buffer seed_read(const char *name)
{
    ember_buffer file = {.allocator = ember_heap()};
    ember_error  err = EMBER_ERROR_INIT;
    char         path[4096];
    snprintf(path, sizeof(path), EMBER_FBX_SEEDS "/%s", name);
    assert_int_equal(ember_file_read(&file, path, 0, &err), EMBER_OK);
    return file;
}

static bool is_text(const char *name) { return name[0] == 't'; }
static bool is_old(const char *name) { return strstr(name, "6100") != NULL; }

static const ember_read_options plain = {.format = EMBER_FORMAT_FBX};

TEST(reader_survives_every_prefix)
{
    for (size_t i = 0; i < CONTAINER_COUNT; i++) {
        ember_buffer file = seed_read(containers[i]);
        if (is_text(containers[i])) { /* a text that ends between two sections is one without the second */
            for (fixture_prefix p = fixture_prefixes(file.data, file.size); fixture_prefix_next(&p);) {
                ember_arena  arena = ember_arena_growing(ember_heap(), 0);
                ember_error  err = EMBER_ERROR_INIT;
                ember_model  model;
                ember_status status = ember_model_read(&model, p.data, p.size, &plain, &arena, &err);
                assert_true((status == EMBER_OK) == (err.text[0] == '\0'));
                ember_arena_free(&arena);
            }
        } else {
            fixture_every_prefix(file.data, file.size, plain);
        }
        ember_buffer_free(&file);
    }
}

TEST(reader_survives_every_failing_allocation)
{
    for (size_t i = 0; i < CONTAINER_COUNT; i++) {
        ember_buffer file = seed_read(containers[i]);
        fixture_every_allocation(file.data, file.size, plain);
        ember_buffer_free(&file);
    }
}

TEST(reader_survives_every_arena)
{
    ember_buffer file = seed_read("binary-7500");
    fixture_every_arena(file.data, file.size, (ember_read_options){.format = EMBER_FORMAT_FBX, .fps = 2.0});
    ember_buffer_free(&file);
}

/* The documents are written in fuzz/fbx/seeds_fbx.c. */
TEST(containers_of_one_document_are_one_model)
{
    ember_arena  arena = ember_arena_growing(ember_heap(), 0);
    ember_buffer first = seed_read("text-7400");
    ember_model  a = fixture_read(first.data, first.size, plain, &arena);
    assert_int_equal(a.clip_count, 1);
    assert_string_equal(a.clips[0].name, "walk");
    assert_int_equal(a.clips[0].frame_count, 10); /* 0.3 s, a curve that goes on */
    assert_int_equal(a.mesh_count, 1);
    assert_int_equal(a.meshes[0].index_count, 6);
    assert_int_equal(a.skeleton.bone_count, 2);
    for (size_t i = 0; i < CONTAINER_COUNT; i++) {
        if (is_old(containers[i]))
            continue;
        ember_buffer file = seed_read(containers[i]);
        ember_model  b = fixture_read(file.data, file.size, plain, &arena);
        assert_int_equal(b.clip_count, a.clip_count);
        assert_int_equal(b.clips[0].frame_count, a.clips[0].frame_count);
        assert_memory_equal(b.clips[0].frames, a.clips[0].frames,
                            sizeof(*a.clips[0].frames) * a.clips[0].frame_count * a.clips[0].bone_count);
        assert_int_equal(b.meshes[0].vertex_count, a.meshes[0].vertex_count);
        assert_memory_equal(b.meshes[0].positions, a.meshes[0].positions,
                            sizeof(*a.meshes[0].positions) * a.meshes[0].vertex_count);
        ember_buffer_free(&file);
    }
    ember_buffer_free(&first);
    ember_arena_free(&arena);
}

static bool want_none(void *user, const ember_model *model, uint32_t clip)
{
    unsigned *asked = user;
    assert_string_equal(model->clips[clip].name, "walk");
    (*asked)++;
    return false;
}

TEST(clips_that_nobody_wants_are_not_sampled)
{
    for (size_t i = 0; i < CONTAINER_COUNT; i++) {
        unsigned           asked = 0;
        ember_read_options options = {.format = EMBER_FORMAT_FBX, .wants = want_none, .wants_user = &asked};
        ember_arena        arena = ember_arena_growing(ember_heap(), 0);
        ember_buffer       file = seed_read(containers[i]);
        ember_model        model = fixture_read(file.data, file.size, options, &arena);
        assert_int_equal(asked, 1);
        assert_int_equal(model.clip_count, 1);
        assert_int_equal(model.clips[0].frame_count, 0);
        ember_buffer_free(&file);
        ember_arena_free(&arena);
    }
}

TEST(the_model_owns_what_it_has)
{
    ember_arena  arena = ember_arena_growing(ember_heap(), 0);
    ember_buffer file = seed_read("binary-7400");
    ember_model  model = fixture_read(file.data, file.size, plain, &arena);
    memset(file.data, 0xee, file.size);
    ember_buffer_free(&file);
    assert_string_equal(ember_skeleton_name(&model.skeleton, 0), "hip");
    assert_string_equal(model.clips[0].name, "walk");
    assert_string_equal(model.meshes[0].name, "body");
    ember_arena_free(&arena);
}

TEST(reader_rejects_a_bad_header)
{
    ember_buffer file = seed_read("binary-7400");
    file.data[22] = 2; /* neither byte order */
    fixture_refuse(file.data, file.size, plain, EMBER_E_MALFORMED, "byte order");
    ember_buffer_free(&file);
    fixture_refuse("", 0, plain, EMBER_E_MALFORMED, "");
    fixture_refuse("; FBX 5.8.0 project file\nA: 1\n", 30, plain, EMBER_E_VERSION, "5800");
}
