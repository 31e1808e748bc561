/* SPDX-License-Identifier: MIT */
/* .eza: the header of the draft, its five records, and what each of them loses. */
#include "format/fixture.h"

static const ember_read_options as_eza = {.format = EMBER_FORMAT_EZA};

/* Two bones, one frame, 15 fps, looping: record B; bone 0 at (1, 2, -2), bone 1 at 0. By hand from the
   draft's layout. */
/* clang-format off */
static const uint8_t golden_b[36] = {
    'E', 'W', 'Z', 'A', 1, 0x02, 2, 0, 1, 0, 0x00, 0x0F, 0, 0, 0, 0, /* header; 0x0F00 is 15 * 256 */
    0x03, 0x08, 0x20, 0x80, 0x00, 0x3C, 0x00, 0x40, 0x00, 0xC0, /* bone 0 */
    0x00, 0x08, 0x20, 0x80, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, /* bone 1: half a turn about x */
};
/* clang-format on */

/* One bone at (1, 2, -2), scale 0.5, in the other records. */
static const uint8_t golden_a[28] = {'E',  'W',  'Z',  'A',  1,    1,    1,    0,    1,    0,
                                     0,    30,   0,    0,    0,    0,    0x03, 0x08, 0x20, 0x80,
                                     0x00, 0x3C, 0x00, 0x40, 0x00, 0xC0, 0x00, 0x38};
static const uint8_t golden_c[32] = {'E',  'W',  'Z',  'A',  1,    1,    1,    0,    1,    0,    0,
                                     30,   3,    0,    0,    0,    0x03, 0x08, 0x20, 0x80, 0x00, 0x3C,
                                     0x00, 0x40, 0x00, 0xC0, 0x00, 0x38, 0x00, 0x3C, 0x00, 0x40};
static const uint8_t golden_d[24] = {'E', 'W', 'Z', 'A', 1,    0,    1,    0,    1,    0,    0,    30,
                                     4,   0,   0,   0,   0x03, 0x08, 0x20, 0x80, 0x00, 0x3C, 0x00, 0x40};
static const uint8_t golden_e[36] = {'E',  'W',  'Z',  'A',  1,    1,    1,    0,    1,    0,    0,    30,
                                     5,    0,    0,    0,    0x03, 0x08, 0x20, 0x80, 0x00, 0x00, 0x80, 0x3F,
                                     0x00, 0x00, 0x00, 0x40, 0x00, 0x00, 0x00, 0xC0, 0x00, 0x00, 0x00, 0x3F};

static ember_write_options to_eza(int record)
{
    static const ember_eza_options records[EMBER_RECORD_COUNT] =
        {[EMBER_RECORD_C] = {0, true, EMBER_RECORD_C},
         [EMBER_RECORD_A] = {0, true, EMBER_RECORD_A},
         [EMBER_RECORD_B] = {0, true, EMBER_RECORD_B},
         [EMBER_RECORD_D] = {0, true, EMBER_RECORD_D},
         [EMBER_RECORD_E] = {0, true, EMBER_RECORD_E}};
    return (ember_write_options){.format = EMBER_FORMAT_EZA, .eza = record >= 0 ? &records[record] : NULL};
}

/* A model of one bone and one frame. */
typedef struct one_bone {
    ember_model     model;
    ember_clip      clip;
    ember_transform frame, rest;
    int16_t         parent;
} one_bone;

static void one_bone_fill(one_bone *o, ember_vec3 scale)
{
    memset(o, 0, sizeof(*o));
    o->parent = -1;
    o->frame = (ember_transform){{0, 0, 0, 1}, {1, 2, -2}, scale};
    o->rest = (ember_transform){{0, 0, 0, 1}, {0, 0, -3}, {1, 1, 1}};
    o->clip = (ember_clip){.name = "a",
                           .fps = 30,
                           .space = EMBER_SPACE_MODEL,
                           .bone_count = 1,
                           .frame_count = 1,
                           .frames = &o->frame};
    o->model.skeleton = (ember_skeleton){.bone_count = 1, .parents = &o->parent};
    o->model.clip_count = 1;
    o->model.clips = &o->clip;
}

static void writes_bytes(one_bone *o, int record, const uint8_t *bytes, size_t size)
{
    ember_buffer file = fixture_write(&o->model, to_eza(record));
    assert_int_equal(file.size, size);
    assert_memory_equal(file.data, bytes, size);
    ember_buffer_free(&file);
}

TEST(eza_read_matches_golden)
{
    ember_arena arena = ember_arena_growing(ember_heap(), 0);
    ember_model model = fixture_read(golden_b, sizeof(golden_b), (ember_read_options){.path = "x"}, &arena);
    const ember_clip *clip = &model.clips[0];
    assert_int_equal(model.format, EMBER_FORMAT_EZA);
    assert_int_equal(clip->bone_count, 2);
    assert_int_equal(clip->frame_count, 1);
    assert_true(clip->fps == 15.0);
    assert_true(clip->loop);
    assert_int_equal(clip->space, EMBER_SPACE_MODEL);
    assert_true(clip->frames[0].position.x == 1.0f && clip->frames[0].position.y == 2.0f &&
                clip->frames[0].position.z == -2.0f);
    assert_true(clip->frames[0].scale.x == 1.0f && clip->frames[1].scale.z == 1.0f);
    assert_float_equal(clip->frames[1].rotation.x, 1.0f, 1e-5f);
    ember_arena_free(&arena);
}

TEST(eza_reads_every_record)
{
    static const struct {
        const uint8_t *data;
        size_t         size;
        ember_vec3     scale;
    } files[] = {{golden_a, sizeof(golden_a), {0.5f, 0.5f, 0.5f}},
                 {golden_c, sizeof(golden_c), {0.5f, 1.0f, 2.0f}},
                 {golden_e, sizeof(golden_e), {0.5f, 0.5f, 0.5f}}};
    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
        ember_arena     arena = ember_arena_growing(ember_heap(), 0);
        ember_model     model = fixture_read(files[i].data, files[i].size, as_eza, &arena);
        ember_transform t = model.clips[0].frames[0];
        assert_true(t.position.x == 1.0f && t.position.y == 2.0f && t.position.z == -2.0f);
        assert_memory_equal(&t.scale, &files[i].scale, sizeof(t.scale));
        assert_true(model.clips[0].fps == 30.0);
        assert_false(model.clips[0].loop);
        ember_arena_free(&arena);
    }
}

TEST(eza_write_matches_golden)
{
    one_bone o;
    one_bone_fill(&o, (ember_vec3){0.5f, 0.5f, 0.5f});
    writes_bytes(&o, EMBER_RECORD_A, golden_a, sizeof(golden_a));
    writes_bytes(&o, EMBER_RECORD_D, golden_d, sizeof(golden_d));
    writes_bytes(&o, EMBER_RECORD_E, golden_e, sizeof(golden_e));
    one_bone_fill(&o, (ember_vec3){0.5f, 1.0f, 2.0f});
    writes_bytes(&o, EMBER_RECORD_C, golden_c, sizeof(golden_c));
}

TEST(eza_write_takes_the_smallest_record)
{
    one_bone o;
    one_bone_fill(&o, (ember_vec3){0.5f, 0.5f, 0.5f});
    writes_bytes(&o, -1, golden_a, sizeof(golden_a));
    one_bone_fill(&o, (ember_vec3){0.5f, 1.0f, 2.0f});
    writes_bytes(&o, -1, golden_c, sizeof(golden_c));
    /* 1.0001 is 1 as a half float, so that 16 bytes would hold no more than 10 do. */
    one_bone_fill(&o, (ember_vec3){1.0f, 1.0001f, 1.0f});
    ember_buffer file = fixture_write(&o.model, to_eza(-1));
    assert_int_equal(file.size, 26);
    assert_int_equal(file.data[5], 0);
    ember_buffer_free(&file);
}

TEST(eza_roundtrips_every_record)
{
    static const struct {
        const uint8_t *data;
        size_t         size;
        int            record;
    } files[] = {{golden_a, sizeof(golden_a), EMBER_RECORD_A},
                 {golden_b, sizeof(golden_b), EMBER_RECORD_B},
                 {golden_c, sizeof(golden_c), EMBER_RECORD_C},
                 {golden_d, sizeof(golden_d), EMBER_RECORD_D},
                 {golden_e, sizeof(golden_e), EMBER_RECORD_E}};
    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
        ember_arena  arena = ember_arena_growing(ember_heap(), 0);
        ember_model  model = fixture_read(files[i].data, files[i].size, as_eza, &arena);
        ember_buffer again = fixture_write(&model, to_eza(files[i].record));
        assert_int_equal(again.size, files[i].size);
        assert_memory_equal(again.data, files[i].data, again.size);
        ember_buffer_free(&again);
        ember_arena_free(&arena);
    }
}

TEST(eza_record_d_takes_z_from_the_rest_length)
{
    fixture_notes      notes;
    int16_t            parent = -1;
    ember_transform    rest = {{0, 0, 0, 1}, {0, 0, -3}, {1, 1, 1}}; /* 3 long: 1, 2 leave z = -2 */
    ember_skeleton     skeleton = {.bone_count = 1, .parents = &parent, .rest = &rest};
    ember_read_options options = {.skeleton = &skeleton, .notes = fixture_listen(&notes)};
    ember_arena        arena = ember_arena_growing(ember_heap(), 0);
    ember_model        model = fixture_read(golden_d, sizeof(golden_d), options, &arena);
    assert_true(model.clips[0].frames[0].position.z == -2.0f);
    assert_string_equal(notes.text, "");
    options = (ember_read_options){.notes = fixture_listen(&notes)};
    model = fixture_read(golden_d, sizeof(golden_d), options, &arena);
    assert_true(model.clips[0].frames[0].position.z == 0.0f);
    assert_string_equal(notes.text,
                        "W z of all positions is 0: record D needs a skeleton with a rest pose\n");
    ember_arena_free(&arena);
}

static const char *notes_of(one_bone *o, int record, fixture_notes *notes)
{
    ember_write_options options = to_eza(record);
    options.notes = fixture_listen(notes);
    ember_buffer file = fixture_write(&o->model, options);
    ember_buffer_free(&file);
    return notes->text;
}

TEST(eza_write_warns_where_d_loses_z)
{
    fixture_notes notes;
    one_bone      o;
    one_bone_fill(&o, (ember_vec3){1, 1, 1});
    assert_string_equal(
        notes_of(&o, EMBER_RECORD_D, &notes),
        "W z of the positions is not stored, and without a rest pose it cannot be restored\n");
    o.model.skeleton.rest = &o.rest;
    assert_string_equal(notes_of(&o, EMBER_RECORD_D, &notes), "L the rest pose is not stored\n");
    o.frame.position.z = -2.02f; /* 0.02 of 3: within 1 % */
    assert_string_equal(notes_of(&o, EMBER_RECORD_D, &notes), "L the rest pose is not stored\n");
    o.frame.position.z = 2.0f; /* the other side */
    assert_string_equal(notes_of(&o, EMBER_RECORD_D, &notes),
                        "L the rest pose is not stored\nW z of 1 bone cannot be restored from the rest "
                        "length, the worst is 4 off\n");
}

TEST(eza_write_says_which_scales_are_lost)
{
    fixture_notes notes;
    one_bone      o;
    one_bone_fill(&o, (ember_vec3){0.5f, 1.0f, 1.5f});
    assert_string_equal(notes_of(&o, EMBER_RECORD_A, &notes),
                        "L scales of 1 bone are not uniform, their mean is stored\n");
    assert_string_equal(notes_of(&o, EMBER_RECORD_E, &notes),
                        "L scales of 1 bone are not uniform, their mean is stored\n");
    assert_string_equal(notes_of(&o, EMBER_RECORD_B, &notes), "L scales of 1 bone are not stored\n");
    assert_string_equal(notes_of(&o, EMBER_RECORD_C, &notes), "");
    one_bone_fill(&o, (ember_vec3){0.5f, 0.5f, 0.5f});
    assert_string_equal(notes_of(&o, EMBER_RECORD_A, &notes), "");
    assert_string_equal(notes_of(&o, EMBER_RECORD_B, &notes), "L scales of 1 bone are not stored\n");
}

TEST(eza_write_keeps_the_rate_or_says_so)
{
    static const struct {
        double      fps;
        uint16_t    stored;
        const char *note;
    } rates[] = {{0.0, 0, ""},
                 {15.0, 0x0F00, ""},
                 {29.97, 7672, "L the rate of 29.97 is stored as 29.96875\n"},
                 {255.99609375, 0xFFFF, ""}};
    fixture_notes notes;
    one_bone      o;
    one_bone_fill(&o, (ember_vec3){1, 1, 1});
    for (size_t i = 0; i < sizeof(rates) / sizeof(rates[0]); i++) {
        o.clip.fps = rates[i].fps;
        assert_string_equal(notes_of(&o, -1, &notes), rates[i].note);
        ember_buffer file = fixture_write(&o.model, to_eza(-1));
        assert_int_equal(file.data[10] | file.data[11] << 8, rates[i].stored);
        ember_buffer_free(&file);
    }
    static const double impossible[] = {256.0, 1e9, 0.001};
    for (size_t i = 0; i < 3; i++) {
        ember_buffer        buffer = {.allocator = ember_heap()};
        ember_error         err = EMBER_ERROR_INIT;
        ember_write_options options = to_eza(-1);
        o.clip.fps = impossible[i];
        assert_int_equal(ember_model_write(&buffer, &o.model, &options, &err), EMBER_E_RANGE);
        assert_non_null(strstr(err.text, "does not fit"));
        ember_buffer_free(&buffer);
    }
}

TEST(eza_read_rejects_bad_header)
{
    static const struct {
        size_t       at;
        uint8_t      value;
        ember_status status;
        const char  *text;
    } cases[] = {
        {0, 'X', EMBER_E_MALFORMED, "does not start with EWZA"},
        {4, 2, EMBER_E_VERSION, "version is 2, only 1 is known"},
        {5, 0x04, EMBER_E_MALFORMED, "flags is 0x04, only 0x03 are known"},
        {6, 0, EMBER_E_MALFORMED, "bone_count is 0"},
        {7, 1, EMBER_E_LIMIT, "258 bones, at most 255 are possible"},
        {8, 0, EMBER_E_MALFORMED, "frame_count is 0"},
        {12, 1, EMBER_E_VERSION, "record format 1 is not known"},
        {12, 6, EMBER_E_VERSION, "record format 6 is not known"},
        {13, 1, EMBER_E_MALFORMED, "reserved byte 1 is 0x01, must be 0"},
        {15, 9, EMBER_E_MALFORMED, "reserved byte 3 is 0x09, must be 0"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        uint8_t bad[sizeof(golden_b)];
        memcpy(bad, golden_b, sizeof(bad));
        bad[cases[i].at] = cases[i].value;
        fixture_refuse(bad, sizeof(bad), as_eza, cases[i].status, cases[i].text);
    }
}

TEST(eza_read_rejects_extra_and_missing_bytes)
{
    uint8_t data[sizeof(golden_b) + 3] = {0};
    memcpy(data, golden_b, sizeof(golden_b));
    fixture_refuse(data, sizeof(data), as_eza, EMBER_E_MALFORMED, "animation data has 3 extra bytes");
    fixture_refuse(data, 35, as_eza, EMBER_E_TRUNCATED, "animation data truncated: 35 of 36 bytes");
    fixture_refuse(data, 15, as_eza, EMBER_E_TRUNCATED, "animation data truncated: 15 of at least 16 bytes");
    fixture_refuse(data, 0, as_eza, EMBER_E_TRUNCATED, "animation data truncated: 0 of at least 16 bytes");
}

TEST(eza_read_warns_of_a_scale_flag_that_contradicts)
{
    uint8_t       data[sizeof(golden_c)];
    fixture_notes notes;
    ember_arena   arena = ember_arena_growing(ember_heap(), 0);
    memcpy(data, golden_c, sizeof(data));
    data[5] = 0;
    ember_model model =
        fixture_read(data, sizeof(data), (ember_read_options){.notes = fixture_listen(&notes)}, &arena);
    assert_true(model.clips[0].frames[0].scale.z == 2.0f);
    assert_string_equal(notes.text, "W the header's scale flag contradicts record C, and is ignored\n");
    ember_arena_free(&arena);
}

TEST(eza_read_survives_every_prefix_and_arena)
{
    fixture_every_prefix(golden_b, sizeof(golden_b), as_eza);
    fixture_every_prefix(golden_e, sizeof(golden_e), as_eza);
    fixture_every_arena(golden_b, sizeof(golden_b), as_eza);
    fixture_every_allocation(golden_b, sizeof(golden_b), as_eza);
}

TEST(eza_write_survives_every_output_size)
{
    fixture_model f;
    fixture_fill(&f);
    for (int record = 0; record < EMBER_RECORD_COUNT; record++)
        fixture_every_output_size(&f.model, to_eza(record));
}

TEST(eza_write_names_the_number_that_does_not_fit)
{
    ember_buffer        buffer = {.allocator = ember_heap()};
    ember_error         err = EMBER_ERROR_INIT;
    ember_write_options options = to_eza(EMBER_RECORD_A);
    one_bone            o;
    one_bone_fill(&o, (ember_vec3){1, 1, 1});
    o.frame.position.y = 1e6f;
    assert_int_equal(ember_model_write(&buffer, &o.model, &options, &err), EMBER_E_RANGE);
    assert_string_equal(fixture_error_line(&err).text,
                        "a: bone 0: frame 0: position.y is 1000000, half floats end at 65504");
    assert_int_equal(err.bone, 0);
    assert_int_equal(err.frame, 0);
    /* Record E has floats, and holds it. */
    options = to_eza(EMBER_RECORD_E);
    assert_int_equal(ember_model_write(&buffer, &o.model, &options, NULL), EMBER_OK);
    options.eza = &(ember_eza_options){.record_set = true, .record = EMBER_RECORD_COUNT};
    assert_int_equal(ember_model_write(&buffer, &o.model, &options, NULL), EMBER_E_ARG);
    ember_buffer_free(&buffer);
}
