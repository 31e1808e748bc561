/* SPDX-License-Identifier: MIT */
/* .ewzmesh: bytes by hand after docs/formats/ewzmesh.md, packed and not, and how directions, fractions and
   weights are packed.
   Covers: ewzmesh_pack.c, ewzmesh_write.c. */
#include "fixtures/skinned_mesh.h"
#include "format/fixture.h"
#include "format/mesh/ewzmesh.h"

static const ember_read_options  as_ewzmesh = {.format = EMBER_FORMAT_EWZMESH, .path = "sword.ewzmesh"};
static const ember_write_options to_packed = {.format = EMBER_FORMAT_EWZMESH};
static const ember_write_options to_plain = {.format = EMBER_FORMAT_EWZMESH,
                                             .ewzmesh = &(ember_ewzmesh_options){.unpacked = true}};

/* A triangle with everything. */
typedef struct triangle {
    skinned_mesh skin;
    int16_t      parents[4];
    ember_model  model;
} triangle;

static void triangle_fill(triangle *t)
{
    static const triangle numbers = {.skin = {.positions = {{1, 2, -2}, {0.5f, 0, 0}, {0, -1, 0}},
                                              .normals = {{1, 0, 0}, {0, 0, -1}, {0, 3, 0}},
                                              .tangents = {{0, 1, 0, -1}, {1, 0, 0, 1}, {0, 0, 1, 1}},
                                              .uvs = {{0, 1}, {0.5f, 0.25f}, {1, 0}},
                                              .colors = {{1, 0.5f, 0, 1}, {0, 0, 0, 0.25f}, {1, 1, 1, 1}},
                                              .weights = {{0.75f, 0.25f, 0, 0},
                                                          {0.5f, 0.25f, 0.25f, 0},
                                                          {1, 0, 0, 0}},
                                              .joints = {{3, 1, 0, 0}, {0, 1, 2, 0}, {2, 0, 0, 0}},
                                              .indices = {0, 1, 2}},
                                     .parents = {-1, 0, 1, 2}};
    *t = numbers;
    skinned_mesh_link(&t->skin, "triangle", 3, 3);
    t->model.skeleton = (ember_skeleton){.bone_count = 4, .parents = t->parents};
    t->model.mesh_count = 1;
    t->model.meshes = &t->skin.mesh;
}

/* clang-format off */
static const uint8_t golden[12 + 3 * 32 + 6] = {
    0x03, 0x00, 0x00, 0x00, 0x03, 0x00, 0x00, 0x00, 0x1F, 0x00, 0x00, 0x00,
    0x00, 0x3C, 0x00, 0x40, 0x00, 0xC0, 0x00, 0x3C, /* position 1, 2, -2 and w */
    0x00, 0x00, 0xFF, 0xFF,                         /* uv 0, 1 */
    0xFF, 0x80, 0x00, 0xFF,                         /* colour; a half is 127.5, rounded up */
    0xFF, 0x7F, 0x00, 0x00,                         /* normal +x: 1, 0 */
    0x00, 0x00, 0xFF, 0x7F,                         /* tangent +y: 0, 1, its lowest bit for the sign */
    0x03, 0x01, 0x00, 0x00, 0xBF, 0x40, 0x00, 0x00, /* weights 191.25 and 63.75: the larger remainder wins */
    0x00, 0x38, 0x00, 0x00, 0x00, 0x00, 0x00, 0x3C,
    0x00, 0x80, 0x00, 0x40,                         /* uv 32767.5 up to 32768, 16383.75 up to 16384 */
    0x00, 0x00, 0x00, 0x40,
    0xFF, 0x7F, 0xFF, 0x7F,                         /* normal -z: the corner 1, 1 of the open octahedron */
    0xFF, 0x7F, 0x00, 0x00,
    0x00, 0x01, 0x02, 0x00, 0x7F, 0x40, 0x40, 0x00, /* 127.5, 63.75, 63.75 */
    0x00, 0x00, 0x00, 0xBC, 0x00, 0x00, 0x00, 0x3C,
    0xFF, 0xFF, 0x00, 0x00,
    0xFF, 0xFF, 0xFF, 0xFF,
    0x00, 0x00, 0xFF, 0x7F,                         /* normal +y, whatever its length */
    0x00, 0x00, 0x00, 0x00,                         /* tangent +z */
    0x02, 0x00, 0x00, 0x00, 0xFF, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x01, 0x00, 0x02, 0x00,
};
/* clang-format on */

TEST(ewzmesh_write_matches_golden)
{
    triangle t;
    triangle_fill(&t);
    ember_buffer file = fixture_write(&t.model, to_packed);
    assert_int_equal(file.size, sizeof(golden));
    assert_memory_equal(file.data, golden, sizeof(golden));
    ember_buffer_free(&file);
}

TEST(ewzmesh_read_matches_golden)
{
    ember_arena       arena = ember_arena_growing(ember_heap(), 0);
    ember_model       model = fixture_read(golden, sizeof(golden), as_ewzmesh, &arena);
    const ember_mesh *mesh = &model.meshes[0];
    assert_int_equal(model.mesh_count, 1);
    assert_string_equal(mesh->name, "sword");
    assert_int_equal(mesh->vertex_count, 3);
    assert_int_equal(mesh->index_count, 3);
    assert_int_equal(mesh->indices[2], 2);
    assert_int_equal(mesh->bone, -1);
    assert_true(mesh->positions[0].x == 1.0f && mesh->positions[0].y == 2.0f &&
                mesh->positions[0].z == -2.0f);
    assert_true(mesh->uvs[0][0] == 0.0f && mesh->uvs[0][1] == 1.0f);
    assert_float_equal(mesh->uvs[1][0], 0.5f, 1e-5f);
    assert_float_equal(mesh->colors[0][1], 128.0f / 255.0f, 1e-7f);
    assert_float_equal(mesh->colors[1][3], 64.0f / 255.0f, 1e-7f);
    assert_true(mesh->normals[0].x == 1.0f && mesh->normals[0].y == 0.0f && mesh->normals[0].z == 0.0f);
    assert_true(mesh->normals[1].x == 0.0f && mesh->normals[1].y == 0.0f && mesh->normals[1].z == -1.0f);
    assert_float_equal(mesh->tangents[0][1], 1.0f, 1e-6f);
    assert_true(mesh->tangents[0][3] == -1.0f && mesh->tangents[1][3] == 1.0f &&
                mesh->tangents[2][2] == 1.0f);
    assert_int_equal(mesh->joints[0][0], 3);
    assert_float_equal(mesh->weights[0][0], 191.0f / 255.0f, 1e-6f);
    /* The bones it speaks of are there, as roots without names. */
    assert_int_equal(model.skeleton.bone_count, 4);
    assert_int_equal(model.skeleton.parents[3], -1);
    ember_arena_free(&arena);
}

/* Sizes of the table: 12 and 8 for the position, then 8/4, 12/4, 12/4, 20/8, 16/4 by bit. */
TEST(ewzmesh_strides_match_the_table)
{
    assert_int_equal(emberi_ewzmesh_stride(0, true), 8);
    assert_int_equal(emberi_ewzmesh_stride(1, true), 12);
    assert_int_equal(emberi_ewzmesh_stride(7, true), 20);
    assert_int_equal(emberi_ewzmesh_stride(15, true), 28);
    assert_int_equal(emberi_ewzmesh_stride(31, true), 32);
    assert_int_equal(emberi_ewzmesh_stride(0, false), 12);
    assert_int_equal(emberi_ewzmesh_stride(1, false), 20);
    assert_int_equal(emberi_ewzmesh_stride(2, false), 24);
    assert_int_equal(emberi_ewzmesh_stride(4, false), 24);
    assert_int_equal(emberi_ewzmesh_stride(8, false), 32);
    assert_int_equal(emberi_ewzmesh_stride(16, false), 28);
    assert_int_equal(emberi_ewzmesh_stride(31, false), 80);
}

/* The angle between a direction and its packed form, over the whole sphere: 16 bits a side hold it to
   6.5e-5 radians. */
TEST(ewzmesh_directions_are_close)
{
    test_random random = {9};
    for (int i = 0; i < 200000; i++) {
        ember_vec3 d = {test_random_float(&random, -1, 1), test_random_float(&random, -1, 1),
                        test_random_float(&random, -1, 1)};
        if (i % 5 == 0)
            d.z = 0.0f;
        if (i % 7 == 0)
            d.x = 0.0f;
        double length = (double)d.x * (double)d.x + (double)d.y * (double)d.y + (double)d.z * (double)d.z;
        if (length < 1e-4)
            continue;
        ember_vec3 back = emberi_oct_decode(emberi_oct_encode(d));
        double     dot =
            (double)d.x * (double)back.x + (double)d.y * (double)back.y + (double)d.z * (double)back.z;
        double unit = (double)back.x * (double)back.x + (double)back.y * (double)back.y +
                      (double)back.z * (double)back.z;
        assert_true(dot > 0.0 && dot * dot > length * unit * (1.0 - 5e-9)); /* the sine is below 7.1e-5 */
        float tangent[4] = {d.x, d.y, d.z, i % 2 == 0 ? 1.0f : -1.0f}, again[4];
        emberi_oct_decode_tangent(again, emberi_oct_encode_tangent(tangent));
        dot =
            (double)d.x * (double)again[0] + (double)d.y * (double)again[1] + (double)d.z * (double)again[2];
        unit = (double)again[0] * (double)again[0] + (double)again[1] * (double)again[1] +
               (double)again[2] * (double)again[2];
        assert_true(dot > 0.0 && dot * dot > length * unit * (1.0 - 2e-8));
        assert_true(again[3] == tangent[3]);
    }
    /* Every code is a direction of unit length. */
    for (int i = 0; i < 200000; i++) {
        ember_vec3 d = emberi_oct_decode(test_random_u32(&random));
        assert_float_equal(d.x * d.x + d.y * d.y + d.z * d.z, 1.0f, 1e-5f);
    }
    assert_int_equal(emberi_oct_encode((ember_vec3){0, 0, 0}), 0);
}

TEST(ewzmesh_weights_sum_to_255)
{
    test_random        random = {21};
    static const float zero[4] = {0, 0, 0, 0};
    uint8_t            bytes[4];
    for (int i = 0; i < 100000; i++) {
        float weights[4], sum = 0.0f;
        for (int k = 0; k < 4; k++) {
            weights[k] = test_random_u32(&random) % 4 == 0 ? 0.0f : test_random_float(&random, 0.0f, 3.0f);
            sum += weights[k];
        }
        emberi_weights_encode(bytes, weights);
        assert_int_equal(bytes[0] + bytes[1] + bytes[2] + bytes[3], 255);
        for (int k = 0; k < 4 && sum > 0.0f; k++)
            assert_true((float)bytes[k] - weights[k] / sum * 255.0f < 1.001f &&
                        (float)bytes[k] - weights[k] / sum * 255.0f > -1.001f);
    }
    emberi_weights_encode(bytes, zero);
    assert_int_equal(bytes[0], 255);
}

TEST(ewzmesh_weights_are_sorted)
{
    uint16_t joints[4] = {1, 2, 3, 4}, none[4] = {1, 2, 3, 4};
    float    weights[4] = {0.0f, 0.5f, -1.0f, 1.5f}, nothing[4] = {0, 0, 0, 0};
    assert_true(emberi_weights_tidy(joints, weights));
    assert_int_equal(joints[0], 4);
    assert_int_equal(joints[1], 2);
    assert_int_equal(joints[2], 0);
    assert_true(weights[0] == 0.75f && weights[1] == 0.25f && weights[2] == 0.0f && weights[3] == 0.0f);
    assert_false(emberi_weights_tidy(none, nothing));
    assert_true(nothing[0] == 1.0f);
    assert_int_equal(none[0], 1);
}

TEST(ewzmesh_roundtrips)
{
    for (uint32_t kind = 0; kind < 64; kind++) {
        triangle t;
        triangle_fill(&t);
        bool plain = kind >= 32;
        if ((kind & EWZMESH_UV) == 0)
            t.skin.mesh.uvs = NULL;
        if ((kind & EWZMESH_COLOR) == 0)
            t.skin.mesh.colors = NULL;
        if ((kind & EWZMESH_NORMAL) == 0)
            t.skin.mesh.normals = NULL;
        if ((kind & EWZMESH_TANGENT) == 0)
            t.skin.mesh.tangents = NULL;
        if ((kind & EWZMESH_SKINNED) == 0) {
            t.skin.mesh.joints = NULL;
            t.skin.mesh.weights = NULL;
            t.skin.mesh.bone = 2;
        }
        ember_buffer file = fixture_write(&t.model, plain ? to_plain : to_packed);
        ember_arena  arena = ember_arena_growing(ember_heap(), 0);
        ember_model  model = fixture_read(file.data, file.size, as_ewzmesh, &arena);
        ember_buffer again = fixture_write(&model, plain ? to_plain : to_packed);
        assert_int_equal(again.size, file.size);
        assert_memory_equal(again.data, file.data, file.size);
        assert_int_equal(model.meshes[0].bone, (kind & EWZMESH_SKINNED) == 0 ? 2 : -1);
        assert_true((model.meshes[0].tangents != NULL) == ((kind & 20u) == 20u));
        if (plain) {
            assert_memory_equal(model.meshes[0].positions, t.skin.positions, 3 * sizeof(t.skin.positions[0]));
            if (model.meshes[0].uvs != NULL)
                assert_memory_equal(model.meshes[0].uvs, t.skin.uvs, 3 * sizeof(t.skin.uvs[0]));
            if (model.meshes[0].weights != NULL)
                assert_memory_equal(model.meshes[0].weights, t.skin.weights, 3 * sizeof(t.skin.weights[0]));
        }
        ember_arena_free(&arena);
        ember_buffer_free(&again);
        ember_buffer_free(&file);
    }
}

/* The rigid proposal's example: 3000 vertices save 24,000 bytes packed, 60,000 as floats. */
TEST(ewzmesh_rigid_stores_no_skin)
{
    static ember_vec3 positions[3000];
    static uint32_t   indices[3000];
    for (uint32_t i = 0; i < 3000; i++)
        indices[i] = i;
    int16_t             parents[30];
    ember_mesh          mesh = {.name = "machine",
                                .vertex_count = 3000,
                                .positions = positions,
                                .index_count = 3000,
                                .indices = indices,
                                .bone = 29,
                                .base_color = {1, 1, 1, 1}};
    ember_model         model = {.skeleton = {.bone_count = 30, .parents = parents},
                                 .mesh_count = 1,
                                 .meshes = &mesh};
    fixture_notes       notes;
    ember_write_options options = {.format = EMBER_FORMAT_EWZMESH, .notes = fixture_listen(&notes)};
    memset(parents, 0xff, sizeof(parents));
    ember_buffer file = fixture_write(&model, options);
    assert_int_equal(file.size, 12 + 3000 * 8 + 6000);
    assert_int_equal(file.data[8], 0);
    assert_int_equal(file.data[9], 1);
    assert_int_equal(file.data[10], 29);
    assert_non_null(
        strstr(notes.text, "D rigid on bone 29: 3000 vertices without joints and weights save 24000 bytes"));
    ember_buffer_free(&file);
    options.ewzmesh = &(ember_ewzmesh_options){.unpacked = true};
    options.notes = fixture_listen(&notes);
    file = fixture_write(&model, options);
    assert_int_equal(file.size, 12 + 3000 * 12 + 6000);
    assert_non_null(strstr(notes.text, "save 60000 bytes"));
    ember_arena arena = ember_arena_growing(ember_heap(), 0);
    ember_model back = fixture_read(file.data, file.size, as_ewzmesh, &arena);
    assert_int_equal(back.meshes[0].bone, 29);
    assert_int_equal(back.skeleton.bone_count, 30);
    ember_arena_free(&arena);
    ember_buffer_free(&file);
}

TEST(ewzmesh_reads_meshes_without_indices)
{
    uint8_t file[12 + 24] = {3};
    for (size_t i = 0; i < 3; i++)
        file[12 + i * 8] = (uint8_t)i;
    ember_arena arena = ember_arena_growing(ember_heap(), 0);
    ember_model model = fixture_read(file, sizeof(file), as_ewzmesh, &arena);
    assert_int_equal(model.meshes[0].index_count, 3);
    assert_int_equal(model.meshes[0].indices[1], 1);
    assert_int_equal(model.skeleton.bone_count, 0);
    assert_null(model.meshes[0].uvs);
    ember_arena_free(&arena);
}

TEST(ewzmesh_scales_positions)
{
    ember_arena        arena = ember_arena_growing(ember_heap(), 0);
    ember_read_options options = as_ewzmesh;
    options.scale = 10.0;
    ember_model model = fixture_read(golden, sizeof(golden), options, &arena);
    assert_true(model.meshes[0].positions[0].z == -20.0f && model.meshes[0].normals[0].x == 1.0f);
    ember_arena_free(&arena);
}

/* Its first owner cuts weights to 8 bits and leaves them so. */
TEST(ewzmesh_repairs_weights)
{
    uint8_t *file = test_exact_copy(golden, sizeof(golden));
    file[12 + 29] = 0x3F; /* 191 + 63 */
    fixture_notes      notes;
    ember_read_options options = as_ewzmesh;
    options.notes = fixture_listen(&notes);
    ember_arena arena = ember_arena_growing(ember_heap(), 0);
    ember_model model = fixture_read(file, sizeof(golden), options, &arena);
    assert_non_null(strstr(notes.text, "W weights of 1 vertices do not sum to 1, and are made to"));
    assert_float_equal(model.meshes[0].weights[0][0], 191.0f / 254.0f, 1e-6f);
    assert_float_equal(model.meshes[0].weights[0][0] + model.meshes[0].weights[0][1], 1.0f, 1e-6f);
    ember_arena_free(&arena);
    free(file);
}

TEST(ewzmesh_takes_bones_from_the_skeleton)
{
    static const int16_t     parents[5] = {-1, 0, 0, 0, 0};
    static const char *const names[5] = {"a", "b", "c", "d", "e"};
    ember_skeleton           skeleton = {.bone_count = 5, .parents = parents, .names = names};
    ember_read_options       options = as_ewzmesh;
    ember_arena              arena = ember_arena_growing(ember_heap(), 0);
    options.skeleton = &skeleton;
    ember_model model = fixture_read(golden, sizeof(golden), options, &arena);
    assert_int_equal(model.skeleton.bone_count, 5);
    assert_string_equal(model.skeleton.names[3], "d");
    skeleton.bone_count = 3;
    fixture_refuse(golden, sizeof(golden), options, EMBER_E_RANGE,
                   "the mesh follows bone 3, the skeleton has 3 bones");
    ember_arena_free(&arena);
}

static void refuse_changed(size_t offset, uint8_t value, ember_status status, const char *message)
{
    fixture_refuse_changed(golden, sizeof(golden), offset, value, as_ewzmesh, status, message);
}

TEST(ewzmesh_rejects_bad_header)
{
    refuse_changed(8, 0x3F, EMBER_E_MALFORMED, "unknown bits in the vertex format");
    refuse_changed(8, 0x1B, EMBER_E_MALFORMED, "tangents without normals");
    refuse_changed(9, 2, EMBER_E_MALFORMED, "is_rigid is neither 0 nor 1");
    refuse_changed(9, 1, EMBER_E_MALFORMED, "it is both rigid and skinned");
    refuse_changed(10, 1, EMBER_E_MALFORMED, "attached_bone without is_rigid");
    refuse_changed(11, 1, EMBER_E_MALFORMED, "the last byte is not 0");
    refuse_changed(0, 0, EMBER_E_MALFORMED, "there are no vertices");
    refuse_changed(4, 4, EMBER_E_MALFORMED, "the last triangle is not complete");
    refuse_changed(7, 0xFF, EMBER_E_TRUNCATED, "mesh data truncated: 114 of 8556380274 bytes");
    refuse_changed(0, 4, EMBER_E_TRUNCATED, "mesh data truncated: 114 of 146 bytes");
    refuse_changed(3, 0xFF, EMBER_E_TRUNCATED, "mesh data truncated");
    refuse_changed(8, 0x0F, EMBER_E_MALFORMED,
                   "mesh data has 114 bytes, must have 102 if packed or 210 if not");
}

TEST(ewzmesh_rejects_bad_contents)
{
    refuse_changed(13, 0x7C, EMBER_E_RANGE, "vertex 0: a number is not finite"); /* 0x7c00: infinity */
    refuse_changed(sizeof(golden) - 2, 3, EMBER_E_MALFORMED, "index 2 is 3, there are 3 vertices");
    triangle t;
    triangle_fill(&t);
    ember_buffer file = fixture_write(&t.model, to_plain);
    file.data[12 + 80 * 2 + 12 + 3] = 0xFF; /* uv of vertex 2: NaN */
    file.data[12 + 80 * 2 + 12 + 2] = 0xFF;
    fixture_refuse(file.data, file.size, as_ewzmesh, EMBER_E_RANGE, "vertex 2: a number is not finite");
    ember_buffer_free(&file);
}

TEST(ewzmesh_rejects_extra_bytes)
{
    triangle t;
    triangle_fill(&t);
    ember_buffer file = fixture_write(&t.model, to_plain);
    assert_true(ember_buffer_append(&file, "", 1));
    fixture_refuse(file.data, file.size, as_ewzmesh, EMBER_E_MALFORMED, "mesh data has 1 extra byte");
    ember_buffer_free(&file);
    uint8_t *longer = test_alloc(sizeof(golden) + 1);
    memcpy(longer, golden, sizeof(golden));
    longer[sizeof(golden)] = 0;
    fixture_refuse(longer, sizeof(golden) + 1, as_ewzmesh, EMBER_E_MALFORMED,
                   "mesh data has 115 bytes, must have 114 if packed or 258 if not");
    free(longer);
}

TEST(ewzmesh_survives_every_prefix)
{
    fixture_every_prefix(golden, sizeof(golden), as_ewzmesh);
    /* One prefix of the plain form is as long as a packed file, and may pass for one. */
    triangle t;
    triangle_fill(&t);
    ember_buffer file = fixture_write(&t.model, to_plain);
    for (fixture_prefix p = fixture_prefixes(file.data, file.size); fixture_prefix_next(&p);) {
        ember_status status = fixture_survive(p.data, p.size, as_ewzmesh);
        if (p.size != sizeof(golden))
            assert_int_not_equal(status, EMBER_OK);
    }
    ember_buffer_free(&file);
}

TEST(ewzmesh_survives_every_failing_allocation)
{
    fixture_every_arena(golden, sizeof(golden), as_ewzmesh);
    fixture_every_allocation(golden, sizeof(golden), as_ewzmesh);
}

TEST(ewzmesh_survives_every_output_size)
{
    triangle t;
    triangle_fill(&t);
    t.skin.uvs[0][0] = 2.5f; /* asks for scratch memory */
    fixture_every_output_size(&t.model, to_packed);
    fixture_every_output_size(&t.model, to_plain);
}

TEST(ewzmesh_survives_damage)
{
    test_random random = {31};
    for (int round = 0; round < 20000; round++) {
        uint8_t *copy = test_exact_copy(golden, sizeof(golden));
        for (uint32_t hits = test_random_u32(&random) % 3 + 1; hits != 0; hits--)
            copy[test_random_u32(&random) % sizeof(golden)] = (uint8_t)test_random_u32(&random);
        ember_arena arena = ember_arena_growing(ember_heap(), 0);
        ember_model model;
        if (ember_model_read(&model, copy, sizeof(golden), &as_ewzmesh, &arena, NULL) == EMBER_OK) {
            ember_buffer file = fixture_write(&model, to_plain);
            ember_buffer_free(&file);
        }
        ember_arena_free(&arena);
        free(copy);
    }
}

TEST(ewzmesh_says_what_it_cannot_write)
{
    triangle t;
    triangle_fill(&t);
    t.model.mesh_count = 0;
    fixture_refuse_write(&t.model, to_packed, EMBER_E_LIMIT, "holds exactly one mesh, here are 0");
    triangle_fill(&t);
    t.skin.positions[1].y = 65520.0f;
    fixture_refuse_write(&t.model, to_packed, EMBER_E_RANGE,
                         "mesh \"triangle\": vertex 1 is at (0.5, 65520, 0), half floats end at 65504");
    triangle_fill(&t);
    t.skin.normals[2].x = (float)strtod("nan", NULL);
    fixture_refuse_write(&t.model, to_packed, EMBER_E_RANGE, "vertex 2: a number is not finite");
    triangle_fill(&t);
    t.skin.indices[1] = 3;
    fixture_refuse_write(&t.model, to_packed, EMBER_E_MALFORMED, "an index is beyond the vertices");
    triangle_fill(&t);
    t.skin.mesh.index_count = 0;
    fixture_refuse_write(&t.model, to_packed, EMBER_E_MALFORMED, "mesh \"triangle\" has no triangles");
}

TEST(ewzmesh_says_how_many_are_too_many)
{
    static ember_vec3 positions[65536];
    static int16_t    parents[300];
    uint32_t          indices[3] = {0, 1, 65534};
    ember_mesh        mesh = {.name = "big",
                              .vertex_count = 65536,
                              .positions = positions,
                              .index_count = 3,
                              .indices = indices,
                              .bone = -1,
                              .base_color = {1, 1, 1, 1}};
    ember_model       model = {.mesh_count = 1, .meshes = &mesh};
    fixture_refuse_write(&model, to_packed, EMBER_E_LIMIT,
                         "mesh \"big\" has 65536 vertices, must be 1 to 65535");
    mesh.vertex_count = 65535;
    ember_buffer file = fixture_write(&model, to_packed);
    ember_buffer_free(&file);
    memset(parents, 0xff, sizeof(parents));
    model.skeleton = (ember_skeleton){.bone_count = 300, .parents = parents};
    mesh.bone = 256;
    fixture_refuse_write(&model, to_packed, EMBER_E_LIMIT,
                         "follows bone 256, number 256: at most 255 is possible");
    uint16_t joints[3][4] = {{0}, {299}, {0}};
    float    weights[3][4] = {{1}, {1}, {1}};
    mesh.vertex_count = 3;
    indices[2] = 2;
    mesh.joints = (const uint16_t(*)[4])joints;
    mesh.weights = (const float(*)[4])weights;
    fixture_refuse_write(&model, to_packed, EMBER_E_LIMIT,
                         "vertex 1 follows bone 299: at most 255 is possible");
}

/* Three islands: one a whole square further on, one that is wider than a square, one in place. */
TEST(ewzmesh_moves_texture_islands)
{
    ember_vec3    positions[9] = {{0}};
    float         uvs[9][2] = {{2.25f, -0.5f}, {2.5f, -0.75f}, {3.0f, -0.25f}, {0.25f, 0.5f}, {1.5f, 0.5f},
                               {0.5f, 0.75f},  {0, 0},         {1, 0},         {1, 1}};
    uint32_t      indices[9] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    ember_mesh    mesh = {.name = "m",
                          .vertex_count = 9,
                          .positions = positions,
                          .uvs = (const float(*)[2])uvs,
                          .index_count = 9,
                          .indices = indices,
                          .bone = -1,
                          .base_color = {1, 1, 1, 1}};
    ember_model   model = {.mesh_count = 1, .meshes = &mesh};
    fixture_notes notes;
    ember_write_options options = {.format = EMBER_FORMAT_EWZMESH, .notes = fixture_listen(&notes)};
    ember_buffer        file = fixture_write(&model, options);
    ember_arena         arena = ember_arena_growing(ember_heap(), 0);
    ember_model         back = fixture_read(file.data, file.size, as_ewzmesh, &arena);
    static const float  wanted[9][2] = {{0.25f, 0.5f}, {0.5f, 0.25f}, {1.0f, 0.75f},
                                        {0.25f, 0.5f}, {1.0f, 0.5f},  {0.5f, 0.75f},
                                        {0, 0},        {1, 0},        {1, 1}};
    for (int i = 0; i < 9; i++) {
        assert_float_equal(back.meshes[0].uvs[i][0], wanted[i][0], 1e-5f);
        assert_float_equal(back.meshes[0].uvs[i][1], wanted[i][1], 1e-5f);
    }
    assert_non_null(
        strstr(notes.text, "W texture coordinates of 3 vertices are moved into 0..1 by whole numbers"));
    assert_non_null(strstr(notes.text, "W texture coordinates of 1 vertices leave 0..1 and are clamped"));
    ember_arena_free(&arena);
    ember_buffer_free(&file);
}

TEST(ewzmesh_says_what_it_leaves_out)
{
    static const uint8_t image[4] = {1, 2, 3, 4};
    triangle             t;
    fixture_notes        notes;
    ember_write_options  options = {.format = EMBER_FORMAT_EWZMESH,
                                    .ewzmesh = &(ember_ewzmesh_options){.unpacked = true},
                                    .notes = fixture_listen(&notes)};
    triangle_fill(&t);
    t.skin.mesh.texture = image;
    t.skin.mesh.texture_size = 4;
    t.skin.mesh.base_color[1] = 0.5f;
    t.skin.normals[0] = (ember_vec3){0, 0, 0};
    memset(t.skin.weights[1], 0, sizeof(t.skin.weights[1]));
    ember_buffer file = fixture_write(&t.model, options);
    assert_non_null(strstr(notes.text, "L the texture is not stored"));
    assert_non_null(strstr(notes.text, "L the base colour is not stored"));
    assert_non_null(strstr(notes.text, "L the alpha of colours is not stored in vertices of floats"));
    assert_non_null(strstr(notes.text, "W 1 normals have no direction"));
    assert_non_null(strstr(notes.text, "W 1 vertices have no weights: the first joint gets them"));
    ember_buffer_free(&file);
    options.notes = fixture_listen(&notes);
    options.ewzmesh = NULL;
    t.skin.mesh.normals = NULL;
    t.skin.positions[2].y = 0.1f; /* as a half float 0.09997559: 2.44e-05 less */
    file = fixture_write(&t.model, options);
    assert_non_null(strstr(notes.text, "L tangents are not stored: there are no normals with them"));
    assert_non_null(strstr(notes.text, "D positions are rounded by 2.44"));
    ember_buffer_free(&file);
}

TEST(ewzmesh_is_told_from_others)
{
    assert_int_equal(ember_format_sniff(golden, sizeof(golden), NULL)->format, EMBER_FORMAT_EWZMESH);
    assert_null(ember_format_sniff(golden, sizeof(golden) - 1, NULL));
    assert_int_equal(ember_format_by_path("a.nczxmesh")->format, EMBER_FORMAT_EWZMESH);
}
