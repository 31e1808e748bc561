/* SPDX-License-Identifier: MIT */
/* Formats by name, extension and content, and the two doors that every file goes through. */
#include <math.h>

#include "fixture.h"

static const uint8_t ewzanim[20] = {1, 0, 1, 0, 0x03, 0x08, 0x20, 0x80};
static const uint8_t eza[4] = {'E', 'W', 'Z', 'A'};
static const char    json[] = " \n{ \"version\": 1, \"format\": \"ember-clip\" }";

static ember_format sniff(const void *data, size_t size, const char *path)
{
    const ember_format_info *info = ember_format_sniff(data, size, path);
    return info != NULL ? info->format : EMBER_FORMAT_UNKNOWN;
}

TEST(formats_are_found_by_name)
{
    assert_int_equal(ember_format_by_name("ewzanim")->format, EMBER_FORMAT_EWZANIM);
    assert_int_equal(ember_format_by_name("eza")->format, EMBER_FORMAT_EZA);
    assert_int_equal(ember_format_by_name("json")->format, EMBER_FORMAT_JSON);
    assert_null(ember_format_by_name("wav"));
    assert_null(ember_format_by_name(NULL));
    assert_null(ember_format_get(EMBER_FORMAT_UNKNOWN));
    assert_in_range(ember_format_count(), 3, 100);
    for (size_t i = 0; i < ember_format_count(); i++) {
        const ember_format_info *info = ember_format_at(i);
        assert_ptr_equal(ember_format_get(info->format), info);
        assert_ptr_equal(ember_format_by_name(info->name), info);
    }
    assert_null(ember_format_at(ember_format_count()));
}

/* ---- what formats are, as docs/formats says ---- */

typedef struct format_row {
    const char *name, *stores;
    uint32_t    takes, record_offset;
    double      default_fps;
} format_row;

#define GLTF_STORES "names parents rest inverse_binds meshes clips bones rate loop markers raw space "

static const format_row rows[] = {
    {"ewzanim", "clips ", 0, 4, 0},
    {"eza", "clips rate loop ", EMBER_TAKES_EZA, 16, 0},
    {"json", "names parents rest clips bones rate loop markers raw space ", 0, 0, 0},
    {"animbin", "clips bones loop markers raw space ", EMBER_TAKES_ANIMBIN, 0, 60},
    {"bvh", "names parents rest clips bones rate space ", EMBER_TAKES_BVH, 0, 0},
    {"obj", "meshes ", 0, 0, 0},
    {"ewzskel", "names parents rest inverse_binds ", 0, 0, 0},
    {"ewzmesh", "meshes ", EMBER_TAKES_EWZMESH, 0, 0},
    {"gltf", GLTF_STORES, 0, 0, 0},
    {"glb", GLTF_STORES, 0, 0, 0},
    {"fbx", "names parents rest inverse_binds meshes clips bones space ", EMBER_TAKES_FBX, 0, 0},
    {"ff7", "clips bones raw space ", EMBER_TAKES_FF7, 0, 15.0},
    {"ff7aa", "parents rest ", 0, 0, 0},
    {"ewzlean", "names parents rest clips rate loop markers space ", EMBER_TAKES_EWZLEAN, 0, 0},
};

/* The names of the members that are true, a blank behind each. */
static void list_stores(char out[160], ember_format_stores stores)
{
    const struct {
        bool        stored;
        const char *name;
    } members[] = {{stores.names, "names "},   {stores.parents, "parents "},
                   {stores.rest, "rest "},     {stores.inverse_binds, "inverse_binds "},
                   {stores.meshes, "meshes "}, {stores.clips, "clips "},
                   {stores.bones, "bones "},   {stores.rate, "rate "},
                   {stores.loop, "loop "},     {stores.markers, "markers "},
                   {stores.raw, "raw "},       {stores.space, "space "}};
    out[0] = '\0';
    for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++)
        strcat(out, members[i].stored ? members[i].name : "");
}

TEST(formats_say_what_they_store_and_take)
{
    assert_int_equal(ember_format_count(), sizeof(rows) / sizeof(rows[0]));
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const ember_format_info *info = ember_format_by_name(rows[i].name);
        char                     stores[160];
        assert_non_null(info);
        list_stores(stores, info->stores);
        if (strcmp(stores, rows[i].stores) != 0 || info->takes != rows[i].takes ||
            info->record_offset != rows[i].record_offset || info->default_fps != rows[i].default_fps)
            fail_msg("%s: stores %s, takes %#x, records at %u, %g frames a second", info->name, stores,
                     (unsigned)info->takes, (unsigned)info->record_offset, info->default_fps);
    }
}

/* The words that name the formats for which a yes-or-no property holds. */
static void assert_formats(bool (*holds)(const ember_format_info *info), const char *wanted)
{
    char found[160] = "";
    for (size_t i = 0; i < ember_format_count(); i++)
        if (holds(ember_format_at(i)))
            strcat(strcat(found, ember_format_at(i)->name), " ");
    assert_string_equal(found, wanted);
}

static bool does_carry(const ember_format_info *info) { return info->carries; }
static bool has_curves(const ember_format_info *info) { return info->curves; }
static bool has_empty_clips(const ember_format_info *info) { return info->empty_clips; }
static bool has_fits(const ember_format_info *info) { return info->fits; }
static bool has_rest_from_skeleton(const ember_format_info *info) { return info->rest_from_skeleton; }
static bool is_data_in_rom(const ember_format_info *info) { return info->data_in_rom; }
static bool is_one_clip(const ember_format_info *info) { return info->one_clip; }
static bool is_read(const ember_format_info *info) { return info->reads; }
static bool is_written(const ember_format_info *info) { return info->writes; }
static bool is_local(const ember_format_info *info) { return info->default_space == EMBER_SPACE_LOCAL; }
static bool is_model(const ember_format_info *info) { return info->default_space == EMBER_SPACE_MODEL; }

TEST(formats_say_what_they_are)
{
    assert_formats(is_read,
                   "ewzanim eza json animbin bvh obj ewzskel ewzmesh gltf glb fbx ff7 ff7aa ewzlean ");
    assert_formats(is_written, "ewzanim eza json animbin ewzskel ewzmesh gltf glb ff7 ewzlean ");
    assert_formats(is_one_clip, "ewzanim eza bvh ");
    assert_formats(has_curves, "gltf glb fbx ");
    assert_formats(has_empty_clips, "json ff7 ");
    assert_formats(has_fits, "ewzanim eza animbin ");
    assert_formats(has_rest_from_skeleton, "animbin ");
    assert_formats(does_carry, "gltf glb ");
    assert_formats(is_data_in_rom, "json animbin obj ff7 ff7aa ");
    assert_formats(is_local, "animbin ff7 ewzlean ");
    assert_formats(is_model, "ewzanim eza ");
}

/* The promise, tried with the empty slot of a pack: those that say so keep it, and no others. */
TEST(only_formats_of_empty_clips_keep_them)
{
    static const uint8_t pack[] = {1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 4, 0, 0, 0, 0x30, 0x1A, 0, 0};
    ember_arena          arena = ember_arena_growing(ember_heap(), 0);
    ember_model          model =
        fixture_read(pack, sizeof(pack), (ember_read_options){.format = EMBER_FORMAT_FF7}, &arena);
    assert_int_equal(model.clip_count, 1);
    assert_int_equal(model.clips[0].frame_count, 0);
    for (size_t i = 0; i < ember_format_count(); i++) {
        const ember_format_info *info = ember_format_at(i);
        ember_write_options      writing = {.format = info->format};
        ember_read_options       reading = {.format = info->format};
        ember_buffer             bytes = {.allocator = ember_heap()};
        ember_model              back = {.clip_count = 0};
        if (info->writes && ember_model_write(&bytes, &model, &writing, NULL) == EMBER_OK)
            (void)ember_model_read(&back, bytes.data, bytes.size, &reading, &arena, NULL);
        if ((back.clip_count == 1) != info->empty_clips)
            fail_msg("%s: %u clips are kept", info->name, (unsigned)back.clip_count);
        ember_buffer_free(&bytes);
    }
    ember_arena_free(&arena);
}

TEST(formats_are_found_by_extension_in_any_case)
{
    assert_int_equal(ember_format_by_path("a.b/walk.ewzanim")->format, EMBER_FORMAT_EWZANIM);
    assert_int_equal(ember_format_by_path("WALK.NCZXANIM")->format, EMBER_FORMAT_EWZANIM);
    assert_int_equal(ember_format_by_path("x.y.Eza")->format, EMBER_FORMAT_EZA);
    assert_int_equal(ember_format_by_path("c.json")->format, EMBER_FORMAT_JSON);
    assert_null(ember_format_by_path("json"));
    assert_null(ember_format_by_path(".json"));
    assert_null(ember_format_by_path("a.json/b"));
    assert_null(ember_format_by_path("a.jso"));
    assert_null(ember_format_by_path("a.jsonn"));
    assert_null(ember_format_by_path("a."));
    assert_null(ember_format_by_path(""));
    assert_null(ember_format_by_path(NULL));
}

TEST(content_goes_before_the_extension)
{
    assert_int_equal(sniff(eza, sizeof(eza), "a.json"), EMBER_FORMAT_EZA);
    assert_int_equal(sniff(json, sizeof(json) - 1, "a.eza"), EMBER_FORMAT_JSON);
    assert_int_equal(sniff(ewzanim, sizeof(ewzanim), "a.json"), EMBER_FORMAT_EWZANIM);
    assert_int_equal(sniff(ewzanim, sizeof(ewzanim), NULL), EMBER_FORMAT_EWZANIM);
}

TEST(the_extension_tells_where_content_does_not)
{
    assert_int_equal(sniff(ewzanim, 19, NULL), EMBER_FORMAT_UNKNOWN);
    assert_int_equal(sniff(ewzanim, 19, "a.ewzanim"), EMBER_FORMAT_EWZANIM);
    assert_int_equal(sniff("{}", 2, "a.json"), EMBER_FORMAT_JSON);
    assert_int_equal(sniff("{}", 2, NULL), EMBER_FORMAT_UNKNOWN);
    assert_int_equal(sniff(NULL, 0, "a.eza"), EMBER_FORMAT_EZA);
    assert_int_equal(sniff(NULL, 0, NULL), EMBER_FORMAT_UNKNOWN);
}

TEST(json_is_told_within_four_kibibytes)
{
    char text[6000];
    memset(text, ' ', sizeof(text));
    text[0] = '{';
    memcpy(text + 4096 - 12, "\"ember-clip\"", 12);
    assert_int_equal(sniff(text, sizeof(text), NULL), EMBER_FORMAT_JSON);
    memset(text + 1, ' ', sizeof(text) - 1);
    memcpy(text + 4096 - 11, "\"ember-clip\"", 12);
    assert_int_equal(sniff(text, sizeof(text), NULL), EMBER_FORMAT_UNKNOWN);
}

TEST(reading_what_nothing_tells_is_an_error)
{
    ember_read_options none = {.path = "a.txt"};
    fixture_refuse("hello", 5, none, EMBER_E_UNSUPPORTED,
                   "unknown format: neither content nor name tell what it is");
    fixture_refuse("", 0, none, EMBER_E_UNSUPPORTED, "unknown format: there are no bytes");
    fixture_refuse("", 0, (ember_read_options){.format = EMBER_FORMAT_COUNT}, EMBER_E_UNSUPPORTED,
                   "this format cannot be read");
}

TEST(reading_refuses_options_that_are_impossible)
{
    int16_t        bad = 5;
    ember_skeleton skeleton = {.bone_count = 1, .parents = &bad};
    fixture_refuse(ewzanim, 20, (ember_read_options){.fps = -2}, EMBER_E_ARG, "a rate of -2 is not possible");
    fixture_refuse(ewzanim, 20, (ember_read_options){.scale = -1}, EMBER_E_ARG,
                   "a scale of -1 is not possible");
    fixture_refuse(ewzanim, 20, (ember_read_options){.space = (ember_space)7}, EMBER_E_ARG,
                   "7 is not a space");
    fixture_refuse(ewzanim, 20, (ember_read_options){.skeleton = &skeleton}, EMBER_E_MALFORMED,
                   "bone 0: parent is 5");
}

TEST(reading_takes_the_rate_of_the_source)
{
    ember_arena arena = ember_arena_growing(ember_heap(), 0);
    ember_model model = fixture_read(ewzanim, 20, (ember_read_options){.fps = EMBER_FPS_SOURCE}, &arena);
    assert_true(model.clips[0].fps == 0.0);
    ember_arena_free(&arena);
}

TEST(the_first_failure_wins)
{
    ember_arena arena = ember_arena_growing(ember_heap(), 0);
    ember_error err = EMBER_ERROR_INIT;
    ember_model model;
    ember_fail(&err, EMBER_E_IO, 3, "earlier");
    assert_int_equal(ember_model_read(&model, eza, 4, NULL, &arena, &err), EMBER_E_TRUNCATED);
    assert_string_equal(err.text, "earlier");
    assert_int_equal(ember_model_read(&model, eza, 4, NULL, &arena, NULL), EMBER_E_TRUNCATED);
    ember_arena_free(&arena);
}

TEST(writing_checks_the_model_and_the_format)
{
    fixture_model       f;
    ember_buffer        buffer = {.allocator = ember_heap()};
    ember_error         err = EMBER_ERROR_INIT;
    ember_write_options options = {.format = EMBER_FORMAT_JSON};
    fixture_fill(&f);
    f.parents[0] = 2;
    assert_int_equal(ember_model_write(&buffer, &f.model, &options, &err), EMBER_E_MALFORMED);
    fixture_fill(&f);
    options.format = EMBER_FORMAT_UNKNOWN;
    assert_int_equal(ember_model_write(&buffer, &f.model, &options, NULL), EMBER_E_UNSUPPORTED);
    assert_int_equal(buffer.size, 0);
    ember_buffer_free(&buffer);
}

TEST(writing_needs_options)
{
    fixture_model f;
    ember_buffer  buffer = {.allocator = ember_heap()};
    ember_error   err = EMBER_ERROR_INIT;
    fixture_fill(&f);
    assert_int_equal(ember_model_write(&buffer, &f.model, NULL, &err), EMBER_E_ARG);
    assert_non_null(strstr(err.text, "options"));
    assert_int_equal(buffer.size, 0);
    ember_buffer_free(&buffer);
}

/* Clips of a model without a hierarchy cannot change their space; a skeleton's file does not ask them to. */
TEST(formats_without_clips_leave_their_space_alone)
{
    fixture_model       f;
    ember_write_options options = {.format = EMBER_FORMAT_EWZSKEL, .space = EMBER_SPACE_LOCAL};
    fixture_fill(&f);
    f.clip.space = EMBER_SPACE_MODEL;
    for (uint32_t i = 0; i < FIXTURE_BONES; i++)
        f.parents[i] = -1;
    f.model.skeleton.names = NULL;
    f.model.skeleton.rest = NULL;
    ember_buffer file = fixture_write(&f.model, options);
    assert_true(file.size > 0);
    ember_buffer_free(&file);
    options.format = EMBER_FORMAT_EWZANIM;
    assert_int_equal(ember_model_write(&file, &f.model, &options, NULL), EMBER_E_UNSUPPORTED);
}

/* The promise, tried: what says that it stores clips gives them back, and what does not gives none. */
TEST(only_formats_of_clips_store_them)
{
    for (size_t i = 0; i < ember_format_count(); i++) {
        const ember_format_info *info = ember_format_at(i);
        ember_arena              arena = ember_arena_growing(ember_heap(), 0);
        ember_read_options       reading = {.format = info->format};
        ember_buffer             bytes = {.allocator = ember_heap()};
        ember_write_options      writing = {.format = info->format};
        ember_model              back;
        fixture_model            f;
        fixture_fill(&f);
        if (info->writes && ember_model_write(&bytes, &f.model, &writing, NULL) == EMBER_OK &&
            ember_model_read(&back, bytes.data, bytes.size, &reading, &arena, NULL) == EMBER_OK &&
            (back.clip_count != 0) != info->stores.clips)
            fail_msg("%s: %u clips are kept", info->name, (unsigned)back.clip_count);
        ember_buffer_free(&bytes);
        ember_arena_free(&arena);
    }
}

/* The same promise for rounding: the fit changes the bytes of those formats that say so, and of no others. */
TEST(only_formats_that_fit_obey_the_fit)
{
    for (size_t i = 0; i < ember_format_count(); i++) {
        const ember_format_info *info = ember_format_at(i);
        ember_write_options      options = {.format = info->format, .space = EMBER_SPACE_LOCAL};
        ember_buffer             closed = {.allocator = ember_heap()}, plain = {.allocator = ember_heap()};
        fixture_model            f;
        fixture_fill(&f);
        for (uint32_t k = 0; k < FIXTURE_BONES * FIXTURE_FRAMES; k++) {
            float turn = 0.1f + 0.037f * (float)k;
            f.frames[k].rotation = (ember_quat){sinf(turn), 0.0f, 0.0f, cosf(turn)};
            f.frames[k].position = (ember_vec3){0.1f * (float)k, 1.0f / 3.0f, 1.0f / 7.0f};
            f.frames[k].scale = (ember_vec3){1.0f, 1.5f, 1.0f}; /* EZA takes record C, the one it fits */
        }
        if (!info->writes || ember_model_write(&closed, &f.model, &options, NULL) != EMBER_OK) {
            assert_false(info->fits);
            continue;
        }
        options.fit = EMBER_FIT_PLAIN;
        assert_int_equal(ember_model_write(&plain, &f.model, &options, NULL), EMBER_OK);
        bool same = closed.size == plain.size && memcmp(closed.data, plain.data, plain.size) == 0;
        if (same == info->fits)
            fail_msg("%s: the fit changes %s", info->name, same ? "nothing" : "its bytes");
        ember_buffer_free(&closed);
        ember_buffer_free(&plain);
    }
}

TEST(any_bytes_give_a_model_or_an_error)
{
    test_random random = {21};
    for (int round = 0; round < 20000; round++) {
        uint8_t            bytes[64];
        size_t             size = test_random_u32(&random) % sizeof(bytes);
        ember_read_options options = {
            .format = (ember_format)(EMBER_FORMAT_EWZANIM + test_random_u32(&random) % 3)};
        for (size_t i = 0; i < size; i++)
            bytes[i] = (uint8_t)test_random_u32(&random);
        if (size > 16 && round % 2 == 0)
            memcpy(bytes, "EWZA\1\0\1\0\1\0\0\0\0\0\0\0", 16);
        (void)fixture_survive(bytes, size, options);
    }
}

/* ---- formats that need a reader ---- */

static const char fbx_text[] = "; FBX 7.4.0 project file";
static const char fbx_binary[] = "Kaydara FBX Binary  \0\x1a";

TEST(fbx_is_told_by_its_content)
{
    assert_int_equal(sniff(fbx_text, sizeof(fbx_text) - 1, "a.json"), EMBER_FORMAT_FBX);
    assert_int_equal(sniff(fbx_binary, sizeof(fbx_binary) - 1, NULL), EMBER_FORMAT_FBX);
    assert_int_equal(sniff("; Made by hand\nFBXHeaderExtension:  {\n", 39, NULL), EMBER_FORMAT_FBX);
    assert_int_equal(sniff("; Made by hand\n", 15, NULL), EMBER_FORMAT_UNKNOWN);
    assert_int_equal(sniff("; Made by hand\n", 15, "a.fbx"), EMBER_FORMAT_FBX);
    assert_int_equal(sniff(fbx_binary, 12, NULL), EMBER_FORMAT_UNKNOWN);
}
