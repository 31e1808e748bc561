/* SPDX-License-Identifier: MIT */
/* The JSON clip form: its layout, its strictness, and what it says of a document that is wrong.
   Covers: json_in.c, json_out.c, json_read.c, json_write.c. */
#include "format/fixture.h"

static const ember_read_options as_json = {.format = EMBER_FORMAT_JSON};

/* One bone, and one clip of one frame. */
#define T "[0,0,0,1,0,0,0,1,1,1]"
#define BONE "{\"name\":\"a\",\"parent\":-1,\"rest\":" T "}"
#define CLIP                                                                                          \
    "{\"name\":\"c\",\"fps\":30,\"loop\":false,\"space\":\"model\",\"frame_count\":1,\"frames\":[[" T \
    "]],\"markers\":[],\"raw\":{}}"
#define DOCUMENT(bones, clips) \
    "{\"format\":\"ember-clip\",\"version\":1,\"bones\":[" bones "],\"clips\":[" clips "]}"

static ember_model read_text(const char *text, ember_arena *arena, fixture_notes *notes)
{
    ember_read_options options = as_json;
    if (notes != NULL)
        options.notes = fixture_listen(notes);
    return fixture_read(text, strlen(text), options, arena);
}

static void refuse(const char *text, ember_status status, const char *words)
{
    fixture_refuse(text, strlen(text), as_json, status, words);
}

TEST(json_write_matches_golden)
{
    static const char golden[] =
        "{\"format\":\"ember-clip\",\"version\":1,\n"
        " \"bones\":[\n"
        "  {\"name\":\"hip\",\"parent\":-1,\"rest\":[0,0,0,1,0,1,0,1,1,1]},\n"
        "  {\"name\":\"bone_1\",\"parent\":0,\"rest\":[0,0,0,1,0,-0.5,0,1,1,1]}],\n"
        " \"clips\":[\n"
        "  {\"name\":\"w\\\"\\u0001\",\"fps\":24,\"loop\":true,\"space\":\"local\",\"frame_count\":2,\n"
        "   \"frames\":[\n"
        "    [[0,0,0,1,0.1,-0.0,3,1,1,1],\n"
        "     [0,0,0,1,0,0,0,1,1,1]],\n"
        "    [[0,0,0,1,0,0,0,1,1,1],\n"
        "     [0,0,0,1,\"NaN\",\"Infinity\",\"-Infinity\",1,1,1]]],\n"
        "   \"markers\":[{\"name\":\"step\",\"frame\":1}],\"raw\":{}}]}\n";
    fixture_model f;
    fixture_fill(&f);
    ember_transform frames[4];
    for (int i = 0; i < 4; i++)
        frames[i] = (ember_transform){{0, 0, 0, 1}, {0, 0, 0}, {1, 1, 1}};
    frames[0].position = (ember_vec3){0.1f, -0.0f, 3.0f};
    float infinite = 1e30f * 1e30f;
    frames[3].position = (ember_vec3){infinite - infinite, infinite, -infinite};
    f.names[1] = NULL;
    f.model.skeleton.bone_count = 2;
    f.clip.name = "w\"\x01";
    f.clip.bone_count = 2;
    f.clip.frame_count = 2;
    f.clip.frames = frames;
    f.clip.marker_count = 1;
    ember_buffer file = fixture_write(&f.model, (ember_write_options){.format = EMBER_FORMAT_JSON});
    assert_true(ember_buffer_append(&file, "", 1));
    assert_string_equal((char *)file.data, golden);
    ember_buffer_free(&file);
}

TEST(json_compact_is_the_same_without_lines)
{
    fixture_model f;
    fixture_fill(&f);
    ember_buffer wide = fixture_write(&f.model, (ember_write_options){.format = EMBER_FORMAT_JSON});
    ember_buffer tight =
        fixture_write(&f.model, (ember_write_options){.format = EMBER_FORMAT_JSON, .compact = true});
    assert_null(memchr(tight.data, '\n', tight.size));
    assert_null(memchr(tight.data, ' ', tight.size));
    size_t kept = 0;
    for (size_t i = 0; i < wide.size; i++)
        if (wide.data[i] != '\n' && wide.data[i] != ' ')
            wide.data[kept++] = wide.data[i];
    assert_int_equal(kept, tight.size);
    assert_memory_equal(wide.data, tight.data, kept);
    ember_buffer_free(&wide);
    ember_buffer_free(&tight);
}

TEST(json_roundtrips)
{
    fixture_model f;
    fixture_fill(&f);
    test_random random = {9};
    for (uint32_t i = 0; i < FIXTURE_BONES * FIXTURE_FRAMES; i++)
        f.frames[i].position.y = test_random_float(&random, -1e3f, 1e3f);
    ember_buffer file = fixture_write(&f.model, (ember_write_options){.format = EMBER_FORMAT_JSON});
    ember_arena  arena = ember_arena_growing(ember_heap(), 0);
    ember_model  model = fixture_read(file.data, file.size, (ember_read_options){.path = NULL}, &arena);
    assert_int_equal(model.format, EMBER_FORMAT_JSON);
    assert_memory_equal(model.clips[0].frames, f.frames, sizeof(f.frames));
    assert_memory_equal(model.skeleton.rest, f.rest, sizeof(f.rest));
    assert_memory_equal(model.skeleton.parents, f.parents, sizeof(f.parents));
    for (uint32_t i = 0; i < FIXTURE_BONES; i++)
        assert_string_equal(model.skeleton.names[i], f.names[i]);
    assert_string_equal(model.clips[0].name, "walk");
    assert_true(model.clips[0].fps == 24.0 && model.clips[0].loop);
    assert_int_equal(model.clips[0].space, EMBER_SPACE_LOCAL);
    assert_int_equal(model.clips[0].marker_count, 2);
    assert_string_equal(model.clips[0].markers[1].name, "step");
    assert_int_equal(model.clips[0].markers[1].frame, 3);
    ember_buffer again = fixture_write(&model, (ember_write_options){.format = EMBER_FORMAT_JSON});
    assert_int_equal(again.size, file.size);
    assert_memory_equal(again.data, file.data, file.size);
    ember_buffer_free(&again);
    ember_buffer_free(&file);
    ember_arena_free(&arena);
}

TEST(json_roundtrips_a_clip_of_some_bones)
{
    static const uint16_t bones[2] = {2, 0};
    fixture_model         f;
    fixture_fill(&f);
    f.clip.bone_count = 2;
    f.clip.bones = bones;
    ember_buffer file =
        fixture_write(&f.model, (ember_write_options){.format = EMBER_FORMAT_JSON, .compact = true});
    assert_true(ember_buffer_append(&file, "", 1));
    assert_non_null(strstr((char *)file.data, "\"bones\":[2,0],\"frames\""));
    ember_arena arena = ember_arena_growing(ember_heap(), 0);
    ember_model model = read_text((char *)file.data, &arena, NULL);
    assert_int_equal(model.clips[0].bone_count, 2);
    assert_memory_equal(model.clips[0].bones, bones, sizeof(bones));
    ember_buffer_free(&file);
    /* The first ones in order need no list inside the model, but one in the file. */
    f.clip.bones = NULL;
    file = fixture_write(&f.model, (ember_write_options){.format = EMBER_FORMAT_JSON, .compact = true});
    assert_true(ember_buffer_append(&file, "", 1));
    assert_non_null(strstr((char *)file.data, "\"bones\":[0,1],\"frames\""));
    model = read_text((char *)file.data, &arena, NULL);
    assert_int_equal(model.clips[0].bone_count, 2);
    assert_null(model.clips[0].bones);
    ember_buffer_free(&file);
    ember_arena_free(&arena);
}

TEST(json_reads_odd_numbers)
{
    fixture_notes     notes;
    ember_arena       arena = ember_arena_growing(ember_heap(), 0);
    static const char odd[] =
        DOCUMENT(BONE,
                 "{\"name\":\"c\",\"space\":\"local\",\"frame_count\":1,\"frames\":[[[\"NaN\",\"Infinity\","
                 "\"-Infinity\",1,-0,-0.0,100000000000000000000,1,1e-3,3.4028235e38]]]}");
    ember_model            model = read_text(odd, &arena, &notes);
    const ember_transform *t = model.clips[0].frames;
    uint32_t               bits;
    assert_true(t->rotation.x != t->rotation.x);
    assert_true(t->rotation.y > 3.4e38f && t->rotation.z < -3.4e38f);
    memcpy(&bits, &t->position.x, 4);
    assert_int_equal(bits, 0x80000000u);
    assert_true(t->position.z == 1e20f && t->scale.y == 1e-3f && t->scale.z == 3.4028235e38f);
    assert_true(model.clips[0].fps == 0.0 && !model.clips[0].loop);
    assert_string_equal(notes.text, "W 3 numbers are not finite, first in bone \"a\" of frame 0\n");
    ember_arena_free(&arena);
}

TEST(json_read_rejects_bad_header)
{
    refuse("[]", EMBER_E_MALFORMED, "document: an array, must be an object");
    refuse("{}", EMBER_E_MALFORMED, "format: missing, must be a string");
    refuse("{\"format\":\"gltf\"}", EMBER_E_MALFORMED, "format: \"gltf\", must be \"ember-clip\"");
    refuse("{\"format\":\"ember-clip\"}", EMBER_E_MALFORMED, "version: missing, must be a number");
    refuse("{\"format\":\"ember-clip\",\"version\":2}", EMBER_E_VERSION, "version: 2, only 1 is known");
    refuse("{\"format\":\"ember-clip\",\"version\":1}", EMBER_E_MALFORMED,
           "bones: missing, must be an array");
    refuse("{\"format\":\"ember-clip\",\"version\":1,\"bones\":[]}", EMBER_E_MALFORMED,
           "clips: missing, must be an array");
}

TEST(json_read_says_where_a_value_is_wrong)
{
    refuse(DOCUMENT("{\"parent\":-1}", ""), EMBER_E_MALFORMED, "bones[0].name: missing, must be a string");
    refuse(DOCUMENT("{\"name\":1,\"parent\":-1}", ""), EMBER_E_MALFORMED,
           "bones[0].name: a number, must be a string");
    refuse(DOCUMENT(BONE "," BONE ",{\"name\":\"b\",\"parent\":2}", ""), EMBER_E_MALFORMED,
           "bones[2].parent: 2, must be a whole number from -1 to 1");
    refuse(DOCUMENT("{\"name\":\"a\",\"parent\":-0.5}", ""), EMBER_E_MALFORMED,
           "bones[0].parent: -0.5, must be");
    refuse(DOCUMENT("{\"name\":\"a\",\"parent\":-1,\"rest\":[1]}", ""), EMBER_E_MALFORMED,
           "bones[0].rest: 1 numbers, must be 10");
    refuse(DOCUMENT(BONE, "7"), EMBER_E_MALFORMED, "clips[0]: a number, must be an object");
    refuse(DOCUMENT(BONE, "{\"name\":\"c\",\"fps\":\"x\"}"), EMBER_E_MALFORMED,
           "clips[0].fps: a string, must be a number");
    refuse(DOCUMENT(BONE, "{\"name\":\"c\",\"fps\":-1}"), EMBER_E_MALFORMED,
           "clips[0].fps: -1, must not be negative");
    refuse(DOCUMENT(BONE, "{\"name\":\"c\",\"loop\":1}"), EMBER_E_MALFORMED,
           "clips[0].loop: a number, must be true or false");
    refuse(DOCUMENT(BONE, "{\"name\":\"c\"}"), EMBER_E_MALFORMED,
           "clips[0].space: missing, must be a string");
    refuse(DOCUMENT(BONE, "{\"name\":\"c\",\"space\":\"world\"}"), EMBER_E_MALFORMED,
           "clips[0].space: \"world\", must be \"model\" or \"local\"");
    refuse(DOCUMENT(BONE, "{\"name\":\"c\",\"space\":\"model\",\"frame_count\":1}"), EMBER_E_MALFORMED,
           "clips[0].frames: missing, must be an array");
    refuse(DOCUMENT(BONE,
                    CLIP ",{\"name\":\"c\",\"space\":\"model\",\"frame_count\":2,\"frames\":[[" T "]]}"),
           EMBER_E_MALFORMED, "clips[1].frames: 1 frames, but frame_count is 2");
    refuse(DOCUMENT(BONE, "{\"name\":\"c\",\"space\":\"model\",\"frame_count\":2,\"frames\":[[" T "],[" T
                          "," T "]]}"),
           EMBER_E_MALFORMED, "clips[0].frames[1]: 2 bones, must be 1");
    refuse(DOCUMENT(BONE "," BONE, "{\"name\":\"c\",\"space\":\"model\",\"frame_count\":1,\"frames\":[[" T
                                   ",[0,0,0,1,0,0,0,1,1]]]}"),
           EMBER_E_MALFORMED, "clips[0].frames[0][1]: 9 numbers, must be 10");
    refuse(DOCUMENT(BONE, "{\"name\":\"c\",\"space\":\"model\",\"frame_count\":1,\"frames\":[[[0,0,0,1,0,"
                          "\"nan\",0,1,1,1]]]}"),
           EMBER_E_MALFORMED, "clips[0].frames[0][0][5]: the string \"nan\", must be a number");
    refuse(
        DOCUMENT(
            BONE,
            "{\"name\":\"c\",\"space\":\"model\",\"frame_count\":1,\"frames\":[[[0,0,0,1,0,null,0,1,1,1]]]}"),
        EMBER_E_MALFORMED, "clips[0].frames[0][0][5]: null, must be a number");
    refuse(
        DOCUMENT(
            BONE,
            "{\"name\":\"c\",\"space\":\"model\",\"frame_count\":1,\"frames\":[[[0,0,0,1,0,1e39,0,1,1,1]]]}"),
        EMBER_E_RANGE, "clips[0].frames[0][0][5]: 1e+39, which is beyond 32-bit floats");
    refuse(DOCUMENT(BONE, "{\"name\":\"c\",\"space\":\"model\",\"frame_count\":1,\"frames\":[[" T
                          "]],\"markers\":[{\"name\":\"m\",\"frame\":1}]}"),
           EMBER_E_MALFORMED, "clips[0].markers[0].frame: 1, must be a whole number from 0 to 0");
    refuse(DOCUMENT(BONE, "{\"name\":\"c\",\"space\":\"model\",\"bones\":[1],\"frame_count\":0}"),
           EMBER_E_MALFORMED, "clips[0].bones[0]: 1, must be a whole number from 0 to 0");
    refuse(DOCUMENT(BONE "," BONE, "{\"name\":\"c\",\"space\":\"model\",\"bones\":[1,1],\"frame_count\":0}"),
           EMBER_E_MALFORMED, "c: its bone 1 is the skeleton's 1, which is there twice");
}

TEST(json_read_says_where_the_syntax_is_wrong)
{
    refuse("{\"format\":\"ember-clip\",\n\"version\":1 oops", EMBER_E_MALFORMED, "line 2, column 16: ");
    refuse("{\"format\":\"ember-clip\",\"format\":1}", EMBER_E_MALFORMED,
           "line 1, column 31: duplicate object key");
    refuse("{\"format\":", EMBER_E_TRUNCATED, "line 1, column ");
    refuse("{\"format\":1e999}", EMBER_E_MALFORMED, "line 1, column ");
    refuse("{\"format\":NaN}", EMBER_E_MALFORMED, "line 1, column ");
    refuse(DOCUMENT(BONE, CLIP) "x", EMBER_E_MALFORMED, "line 1, column ");
    refuse("{\"a\":\"\xff\"}", EMBER_E_MALFORMED, "line 1, column ");
}

TEST(json_read_is_safe_with_deep_nesting)
{
    enum { DEPTH = 1000000 };
    char *text = test_alloc(DEPTH + 1);
    memset(text, '[', DEPTH);
    text[DEPTH] = '\0';
    refuse(text, EMBER_E_LIMIT, "maximum parsing depth");
    free(text);
}

TEST(json_read_ignores_what_it_does_not_know_with_a_note)
{
    fixture_notes notes;
    ember_arena   arena = ember_arena_growing(ember_heap(), 0);
    read_text("\xef\xbb\xbf "
              "{\"format\":\"ember-clip\",\"version\":1,\"tool\":1,\"bones\":[{\"name\":\"a\",\"parent\":-1,"
              "\"tail\":[]}],\"clips\":["
              "{\"name\":\"c\",\"space\":\"model\",\"frame_count\":0,\"note\":\"x\",\"raw\":{\"format\":"
              "\"xyz\"}}]}",
              &arena, &notes);
    assert_string_equal(notes.text, "D bones[0].tail: not known, ignored\n"
                                    "W clips[0].raw: values of format \"xyz\" are not known, ignored\n"
                                    "D clips[0].note: not known, ignored\n"
                                    "D tool: not known, ignored\n");
    ember_arena_free(&arena);
}

TEST(json_read_warns_of_names_that_are_there_twice)
{
    fixture_notes notes;
    ember_arena   arena = ember_arena_growing(ember_heap(), 0);
    ember_model   model = read_text(DOCUMENT(BONE, CLIP "," CLIP "," CLIP), &arena, &notes);
    assert_int_equal(model.clip_count, 3);
    assert_string_equal(notes.text, "W clips: 1 name is used for more than one clip, first: \"c\"\n");
    read_text(DOCUMENT(BONE "," BONE, ""), &arena, &notes);
    assert_string_equal(notes.text, "W bones: 1 name is used for more than one bone, first: \"a\"\n");
    ember_arena_free(&arena);
}

TEST(json_read_makes_names_printable)
{
    fixture_notes notes;
    ember_arena   arena = ember_arena_growing(ember_heap(), 0);
    ember_model   model =
        read_text(DOCUMENT("{\"name\":\"a\\u0000\\u001b[1m\\u009b\xc3\xa9\",\"parent\":-1}", ""), &arena,
                  &notes);
    assert_string_equal(model.skeleton.names[0], "a??[1m?\xc3\xa9");
    assert_string_equal(notes.text, "W bones[0].name: control characters are replaced by '?'\n");
    ember_arena_free(&arena);
}

TEST(json_reads_an_empty_model)
{
    ember_arena arena = ember_arena_growing(ember_heap(), 0);
    ember_model model = read_text(DOCUMENT("", ""), &arena, NULL);
    assert_int_equal(model.clip_count, 0);
    assert_int_equal(model.skeleton.bone_count, 0);
    model = read_text(DOCUMENT("{\"name\":\"a\",\"parent\":-1}",
                               "{\"name\":\"\",\"space\":\"model\",\"frame_count\":0}"),
                      &arena, NULL);
    assert_null(model.skeleton.rest);
    assert_int_equal(model.clips[0].frame_count, 0);
    ember_arena_free(&arena);
}

TEST(json_read_obeys_the_options)
{
    static const char text[] =
        DOCUMENT("{\"name\":\"a\",\"parent\":-1,\"rest\":[0,0,0,1,1,2,3,1,1,1]}", CLIP);
    ember_read_options options = {.fps = 60, .space = EMBER_SPACE_LOCAL, .scale = 10, .loop = true};
    ember_arena        arena = ember_arena_growing(ember_heap(), 0);
    ember_model        model = fixture_read(text, strlen(text), options, &arena);
    assert_true(model.clips[0].fps == 60.0 && model.clips[0].loop);
    assert_int_equal(model.clips[0].space, EMBER_SPACE_LOCAL);
    assert_true(model.skeleton.rest[0].position.z == 30.0f);
    ember_arena_free(&arena);
}

TEST(json_read_survives_every_prefix_and_arena)
{
    static const char whole[] = DOCUMENT(BONE, CLIP "," CLIP);
    fixture_every_prefix((const uint8_t *)whole, sizeof(whole) - 1, as_json);
    fixture_every_arena((const uint8_t *)whole, sizeof(whole) - 1, as_json);
    fixture_every_allocation((const uint8_t *)whole, sizeof(whole) - 1, as_json);
}

TEST(json_write_survives_every_output_size)
{
    fixture_model f;
    fixture_fill(&f);
    fixture_every_output_size(&f.model, (ember_write_options){.format = EMBER_FORMAT_JSON});
    fixture_every_output_size(&f.model, (ember_write_options){.format = EMBER_FORMAT_JSON, .compact = true});
}
