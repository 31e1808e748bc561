/* SPDX-License-Identifier: MIT */
/* .ewzskel: bytes by hand after docs/formats/ewzskel.md, files of others without the second part,
   and broken ones. */
#include "format/fixture.h"

static const ember_read_options  as_ewzskel = {.format = EMBER_FORMAT_EWZSKEL};
static const ember_write_options to_ewzskel = {.format = EMBER_FORMAT_EWZSKEL};

#define ZERO 0x00, 0x00, 0x00, 0x00
#define ONE 0x00, 0x00, 0x80, 0x3F
#define HALF 0x00, 0x00, 0x00, 0x3F
#define MINUS_ONE 0x00, 0x00, 0x80, 0xBF
#define MINUS_ONE_AND_A_HALF 0x00, 0x00, 0xC0, 0xBF
#define UNIT_COLUMNS ONE, ZERO, ZERO, ZERO, ONE, ZERO, ZERO, ZERO, ONE

/* A hip one above the ground and a knee half above the hip. */
/* clang-format off */
static const uint8_t golden[] = {
    0x02, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,                     /* two bones, reserved */
    UNIT_COLUMNS, ZERO, MINUS_ONE, ZERO,                                /* inverse binds */
    UNIT_COLUMNS, ZERO, MINUS_ONE_AND_A_HALF, ZERO,
    'E', 'M', 'B', 'S', 0x01, 0x00, 0x03, 0x00, 0x6C, 0x00, 0x00, 0x00, /* version 1; rest, names; 108 B */
    0xFF, 0xFF, 0x00, 0x00,                                             /* parents */
    ZERO, ZERO, ZERO, ONE, ZERO, ONE, ZERO, ONE, ONE, ONE,              /* rest: rotation, position, scale */
    ZERO, ZERO, ZERO, ONE, ZERO, HALF, ZERO, ONE, ONE, ONE,
    0x03, 0x00, 'h', 'i', 'p', 0x05, 0x00, 'k', 'n', 0xC3, 0xA9, 'e',   /* names */
};
/* clang-format on */

#define BINDS_END (8u + 2u * 48u)

typedef struct pair {
    int16_t         parents[2];
    const char     *names[2];
    ember_transform rest[2];
    ember_model     model;
} pair;

static void pair_fill(pair *p)
{
    static const ember_transform identity = EMBER_TRANSFORM_IDENTITY;
    memset(p, 0, sizeof(*p));
    p->parents[0] = -1;
    p->names[0] = "hip";
    p->names[1] = "kn\xc3\xa9"
                  "e";
    p->rest[0] = p->rest[1] = identity;
    p->rest[0].position.y = 1.0f;
    p->rest[1].position.y = 0.5f;
    p->model.skeleton =
        (ember_skeleton){.bone_count = 2, .parents = p->parents, .names = p->names, .rest = p->rest};
}

/* The inverse binds of the golden file follow from its rest pose. */
TEST(ewzskel_write_matches_golden)
{
    pair p;
    pair_fill(&p);
    ember_buffer file = fixture_write(&p.model, to_ewzskel);
    assert_int_equal(file.size, sizeof(golden));
    assert_memory_equal(file.data, golden, sizeof(golden));
    ember_buffer_free(&file);
}

TEST(ewzskel_read_matches_golden)
{
    ember_arena           arena = ember_arena_growing(ember_heap(), 0);
    ember_model           model = fixture_read(golden, sizeof(golden), as_ewzskel, &arena);
    const ember_skeleton *s = &model.skeleton;
    assert_int_equal(s->bone_count, 2);
    assert_int_equal(s->parents[0], -1);
    assert_int_equal(s->parents[1], 0);
    assert_string_equal(s->names[0], "hip");
    assert_string_equal(s->names[1], "kn\xc3\xa9"
                                     "e");
    assert_true(s->rest[1].position.y == 0.5f && s->rest[1].rotation.w == 1.0f && s->rest[1].scale.z == 1.0f);
    /* Rows in the model, columns in the file. */
    assert_true(s->inverse_binds[1].m[7] == -1.5f && s->inverse_binds[1].m[5] == 1.0f &&
                s->inverse_binds[1].m[3] == 0.0f);
    assert_int_equal(model.clip_count, 0);
    assert_int_equal(model.mesh_count, 0);
    ember_arena_free(&arena);
}

TEST(ewzskel_reads_column_major)
{
    uint8_t file[8 + 48] = {1};
    for (uint32_t i = 0; i < 12; i++) {
        /* 1.0, 2.0 ... 12.0 */
        float    value = (float)(i + 1);
        uint32_t bits;
        memcpy(&bits, &value, 4);
        for (uint32_t k = 0; k < 4; k++)
            file[8 + i * 4 + k] = (uint8_t)(bits >> 8 * k);
    }
    static const float rows[12] = {1, 4, 7, 10, 2, 5, 8, 11, 3, 6, 9, 12};
    ember_arena        arena = ember_arena_growing(ember_heap(), 0);
    ember_model        model = fixture_read(file, sizeof(file), as_ewzskel, &arena);
    assert_memory_equal(model.skeleton.inverse_binds[0].m, rows, sizeof(rows));
    ember_arena_free(&arena);
}

TEST(ewzskel_reads_files_without_the_second_part)
{
    ember_arena arena = ember_arena_growing(ember_heap(), 0);
    ember_model model = fixture_read(golden, BINDS_END, as_ewzskel, &arena);
    assert_int_equal(model.skeleton.bone_count, 2);
    assert_int_equal(model.skeleton.parents[1], -1);
    assert_null(model.skeleton.names);
    assert_null(model.skeleton.rest);
    assert_true(model.skeleton.inverse_binds[0].m[7] == -1.0f);
    /* What the file lacks comes from a skeleton that fits, and from no other. */
    pair p;
    pair_fill(&p);
    ember_read_options options = {.format = EMBER_FORMAT_EWZSKEL, .skeleton = &p.model.skeleton};
    model = fixture_read(golden, BINDS_END, options, &arena);
    assert_int_equal(model.skeleton.parents[1], 0);
    assert_string_equal(model.skeleton.names[0], "hip");
    assert_ptr_not_equal(model.skeleton.names[0], p.names[0]);
    assert_true(model.skeleton.inverse_binds[0].m[7] == -1.0f);
    fixture_notes notes;
    options.notes = fixture_listen(&notes);
    p.model.skeleton.bone_count = 1;
    model = fixture_read(golden, BINDS_END, options, &arena);
    assert_int_equal(model.skeleton.parents[1], -1);
    assert_non_null(strstr(notes.text, "W the given skeleton has 1 bones, the file 2"));
    ember_arena_free(&arena);
}

TEST(ewzskel_scales_lengths)
{
    ember_arena        arena = ember_arena_growing(ember_heap(), 0);
    ember_read_options options = {.format = EMBER_FORMAT_EWZSKEL, .scale = 0.5};
    ember_model        model = fixture_read(golden, sizeof(golden), options, &arena);
    assert_true(model.skeleton.inverse_binds[1].m[7] == -0.75f &&
                model.skeleton.inverse_binds[1].m[5] == 1.0f);
    assert_true(model.skeleton.rest[0].position.y == 0.5f && model.skeleton.rest[0].scale.y == 1.0f);
    ember_arena_free(&arena);
}

TEST(ewzskel_roundtrips)
{
    test_random random = {3};
    for (uint32_t count = 1; count <= 255; count += count < 8 ? 1 : 61) {
        int16_t         parents[255];
        ember_transform rest[255];
        ember_mat34     binds[255];
        const char     *names[255];
        char            texts[255][24];
        for (uint32_t i = 0; i < count; i++) {
            parents[i] = (int16_t)(test_random_u32(&random) % 4 == 0
                                       ? -1
                                       : (int32_t)(test_random_u32(&random) % (i + 1)) - 1);
            for (int k = 0; k < 10; k++)
                ((float *)&rest[i])[k] = test_random_float(&random, -2.0f, 2.0f);
            for (int k = 0; k < 12; k++)
                binds[i].m[k] = test_random_float(&random, -2.0f, 2.0f);
            snprintf(texts[i], sizeof(texts[i]), "bone %x", (unsigned)test_random_u32(&random));
            names[i] = test_random_u32(&random) % 8 == 0 ? NULL : texts[i];
        }
        uint32_t    kind = test_random_u32(&random) % 4;
        ember_model model = {.skeleton = {.bone_count = count, .parents = parents, .inverse_binds = binds}};
        model.skeleton.names = (kind & 1u) != 0 ? names : NULL;
        model.skeleton.rest = (kind & 2u) != 0 ? rest : NULL;
        ember_buffer file = fixture_write(&model, to_ewzskel), again;
        ember_arena  arena = ember_arena_growing(ember_heap(), 0);
        ember_model  back = fixture_read(file.data, file.size, as_ewzskel, &arena);
        assert_int_equal(back.skeleton.bone_count, count);
        assert_memory_equal(back.skeleton.parents, parents, count * sizeof(parents[0]));
        assert_memory_equal(back.skeleton.inverse_binds, binds, count * sizeof(binds[0]));
        assert_true((back.skeleton.rest != NULL) == ((kind & 2u) != 0));
        if (back.skeleton.rest != NULL)
            assert_memory_equal(back.skeleton.rest, rest, count * sizeof(rest[0]));
        again = fixture_write(&back, to_ewzskel);
        assert_int_equal(again.size, file.size);
        assert_memory_equal(again.data, file.data, file.size);
        ember_buffer_free(&again);
        ember_buffer_free(&file);
        ember_arena_free(&arena);
    }
}

static void refuse_changed(size_t offset, uint8_t value, ember_status status, const char *message)
{
    fixture_refuse_changed(golden, sizeof(golden), offset, value, as_ewzskel, status, message);
}

TEST(ewzskel_rejects_bad_header)
{
    refuse_changed(0, 0, EMBER_E_MALFORMED, "0 bones, must be 1 to 255");
    refuse_changed(1, 1, EMBER_E_LIMIT, "258 bones, must be 1 to 255");
    refuse_changed(4, 7, EMBER_E_MALFORMED, "the reserved word is 7, must be 0");
    refuse_changed(BINDS_END + 4, 2, EMBER_E_VERSION, "version 2, this library knows 1");
    refuse_changed(BINDS_END + 6, 7, EMBER_E_MALFORMED, "unknown flags: 0x7");
    refuse_changed(BINDS_END + 8, 0x6B, EMBER_E_MALFORMED, "says it has 107 bytes, it has 108");
    refuse_changed(BINDS_END + 8, 0x6D, EMBER_E_TRUNCATED, "108 of 109 bytes");
    refuse_changed(BINDS_END, 'e', EMBER_E_MALFORMED, "skeleton data has 108 extra bytes");
}

TEST(ewzskel_rejects_bad_contents)
{
    /* 0x7f800000 */
    refuse_changed(8 + 3, 0x7F, EMBER_E_RANGE, "bone 0: a number of its inverse bind is not finite");
    refuse_changed(BINDS_END + 12, 0, EMBER_E_MALFORMED, "bone 0: parent is 65280");
    refuse_changed(BINDS_END + 14, 1, EMBER_E_MALFORMED,
                   "bone 1: parent is 1, must be none or a bone before it");
    refuse_changed(BINDS_END + 16 + 15, 0x7F, EMBER_E_RANGE,
                   "bone 0: a number of its rest transform is not finite");
    uint8_t *copy = test_exact_copy(golden, sizeof(golden));
    memset(copy + BINDS_END + 16 + 12, 0, 4); /* w of the first rotation */
    fixture_refuse(copy, sizeof(golden), as_ewzskel, EMBER_E_RANGE,
                   "bone 0: the rotation of its rest is zero");
    free(copy);
}

TEST(ewzskel_rejects_padding_that_is_not_zero)
{
    static const uint8_t tail[16] = {'E', 'M', 'B', 'S', 1, 0, 0, 0, 16, 0, 0, 0, 0xFF, 0xFF, 0, 0};
    uint8_t              file[8 + 48 + 16] = {1};
    memcpy(file + 56, tail, 16);
    ember_arena arena = ember_arena_growing(ember_heap(), 0);
    fixture_read(file, sizeof(file), as_ewzskel, &arena);
    ember_arena_free(&arena);
    file[sizeof(file) - 1] = 1;
    fixture_refuse(file, sizeof(file), as_ewzskel, EMBER_E_MALFORMED,
                   "the bytes after the last parent are not 0");
}

TEST(ewzskel_rejects_extra_bytes)
{
    uint8_t *longer = test_alloc(sizeof(golden) + 1);
    memcpy(longer, golden, sizeof(golden));
    longer[sizeof(golden)] = 0;
    fixture_refuse(longer, sizeof(golden) + 1, as_ewzskel, EMBER_E_MALFORMED,
                   "skeleton data has 1 extra byte");
    memcpy(longer + BINDS_END, "x", 1);
    fixture_refuse(longer, BINDS_END + 1, as_ewzskel, EMBER_E_MALFORMED, "skeleton data has 1 extra byte");
    free(longer);
}

/* The inverse binds alone are a file; every other prefix is cut. */
TEST(ewzskel_survives_every_prefix)
{
    fixture_every_prefix(golden, BINDS_END, as_ewzskel);
    for (size_t n = BINDS_END + 1; n < sizeof(golden); n++)
        fixture_refuse(golden, n, as_ewzskel, EMBER_E_TRUNCATED, "skeleton data truncated");
}

TEST(ewzskel_survives_every_failing_allocation)
{
    fixture_every_arena(golden, sizeof(golden), as_ewzskel);
    fixture_every_allocation(golden, sizeof(golden), as_ewzskel);
}

TEST(ewzskel_survives_every_output_size)
{
    pair p;
    pair_fill(&p);
    fixture_every_output_size(&p.model, to_ewzskel);
}

TEST(ewzskel_says_what_it_cannot_write)
{
    static int16_t parents[256];
    ember_model    none = {.format = EMBER_FORMAT_UNKNOWN},
                many = {.skeleton = {.bone_count = 256, .parents = parents}};
    memset(parents, 0xff, sizeof(parents));
    fixture_refuse_write(&none, to_ewzskel, EMBER_E_LIMIT, "the skeleton has 0 bones, must be 1 to 255");
    fixture_refuse_write(&many, to_ewzskel, EMBER_E_LIMIT, "the skeleton has 256 bones, must be 1 to 255");
    pair p;
    pair_fill(&p);
    p.rest[1].position.x = 1e38f * 10.0f;
    fixture_refuse_write(&p.model, to_ewzskel, EMBER_E_RANGE, "is not finite");
    pair_fill(&p);
    char *name = test_alloc(65537);
    memset(name, 'n', 65536);
    name[65536] = '\0';
    p.names[0] = name;
    fixture_refuse_write(&p.model, to_ewzskel, EMBER_E_LIMIT,
                         "nnn\xe2\x80\xa6: its name has 65536 bytes, at most 65535");
    free(name);
}

TEST(ewzskel_says_what_it_leaves_out)
{
    fixture_notes       notes;
    fixture_model       f;
    ember_write_options options = {.format = EMBER_FORMAT_EWZSKEL, .notes = fixture_listen(&notes)};
    fixture_fill(&f);
    ember_buffer file = fixture_write(&f.model, options);
    assert_non_null(strstr(notes.text, "L 1 clip is not stored"));
    assert_non_null(strstr(notes.text, "D the inverse binds are made from the rest pose"));
    ember_buffer_free(&file);
    options.notes = fixture_listen(&notes);
    f.model.skeleton.rest = NULL;
    file = fixture_write(&f.model, options);
    assert_non_null(strstr(notes.text, "W the inverse binds are not known: identity is written"));
    ember_buffer_free(&file);
    options.notes = fixture_listen(&notes);
    f.model.skeleton.rest = f.rest;
    f.rest[0].scale.y = 0.0f;
    file = fixture_write(&f.model, options);
    assert_non_null(strstr(notes.text, "W 3 bones have a scale of zero at rest"));
    ember_buffer_free(&file);
}

TEST(ewzskel_is_told_from_others)
{
    assert_int_equal(ember_format_sniff(golden, sizeof(golden), "a.ewzanim")->format, EMBER_FORMAT_EWZSKEL);
    assert_int_equal(ember_format_sniff(golden, BINDS_END, NULL)->format, EMBER_FORMAT_EWZSKEL);
    assert_null(ember_format_sniff(golden, BINDS_END - 1, NULL));
    assert_int_equal(ember_format_by_path("a.nczxskel")->format, EMBER_FORMAT_EWZSKEL);
}
