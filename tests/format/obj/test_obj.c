/* SPDX-License-Identifier: MIT */
/* OBJ: positions, texture coordinates, normals and faces in all their spellings, groups as meshes, and
   broken files. */
#include "format/fixture.h"

static const ember_read_options as_obj = {.format = EMBER_FORMAT_OBJ, .path = "things/crate.obj"};

/* A square and a triangle. */
static const char small[] = "# a comment\r\n"
                            "mtllib crate.mtl\r\n"
                            "o square\r\n"
                            "v 0 0 0\r\n"
                            "v 1 0 0\r\n"
                            "v 1 1 0\r\n"
                            "v 0 1 0\r\n"
                            "vt 0 0\r\n"
                            "vt 1 0\r\n"
                            "vt 1 0.75\r\n"
                            "vn 0 0 1\r\n"
                            "usemtl wood\r\n"
                            "s off\r\n"
                            "f 1/1/1 2/2/1 3/3/1 \\\r\n"
                            "  4/1/1\r\n"
                            "g  the end \r\n"
                            "v 5 5 5\r\n"
                            "f -1 -2 1\r\n";

static void assert_exactly(ember_vec3 v, float x, float y, float z)
{
    assert_true(v.x == x && v.y == y && v.z == z);
}

TEST(obj_reads_meshes)
{
    static const uint32_t indices[6] = {0, 1, 2, 0, 2, 3};
    ember_arena           arena = ember_arena_growing(ember_heap(), 0);
    fixture_notes         notes;
    ember_read_options    options = as_obj;
    options.notes = fixture_listen(&notes);
    ember_model model = fixture_read_text(small, options, &arena);
    assert_int_equal(model.clip_count, 0);
    assert_int_equal(model.skeleton.bone_count, 0);
    assert_int_equal(model.mesh_count, 2);
    const ember_mesh *square = &model.meshes[0], *triangle = &model.meshes[1];
    assert_string_equal(square->name, "square");
    assert_int_equal(square->vertex_count, 4);
    assert_int_equal(square->index_count, 6);
    assert_memory_equal(square->indices, indices, sizeof(indices));
    assert_exactly(square->positions[2], 1, 1, 0);
    assert_exactly(square->normals[3], 0, 0, 1);
    /* v counts from the bottom in OBJ, from the top in the model. */
    assert_true(square->uvs[2][0] == 1.0f && square->uvs[2][1] == 0.25f);
    assert_true(square->uvs[0][0] == 0.0f && square->uvs[0][1] == 1.0f);
    assert_null(square->colors);
    assert_null(square->joints);
    assert_int_equal(square->bone, -1);
    assert_true(square->base_color[0] == 1.0f && square->base_color[3] == 1.0f);
    assert_string_equal(triangle->name, "the end");
    assert_int_equal(triangle->vertex_count, 3);
    assert_exactly(triangle->positions[0], 5, 5, 5);
    assert_exactly(triangle->positions[1], 0, 1, 0);
    assert_exactly(triangle->positions[2], 0, 0, 0);
    assert_null(triangle->normals);
    assert_null(triangle->uvs);
    assert_string_equal(notes.text, "L materials are not read\n");
    ember_arena_free(&arena);
}

/* A vertex is shared by corners that agree in all three numbers, and by no others. */
TEST(obj_shares_vertices)
{
    ember_arena arena = ember_arena_growing(ember_heap(), 0);
    ember_model model = fixture_read_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nvn 0 0 1\nvn 0 0 -1\nf 1//1 2//1 "
                                          "3//1\nf 1//1 3//1 2//2\nf 1//2 3//2 2//2\n",
                                          as_obj, &arena);
    static const uint32_t indices[9] = {0, 1, 2, 0, 2, 3, 4, 5, 3};
    assert_int_equal(model.mesh_count, 1);
    assert_string_equal(model.meshes[0].name, "crate");
    assert_int_equal(model.meshes[0].vertex_count, 6);
    assert_memory_equal(model.meshes[0].indices, indices, sizeof(indices));
    assert_exactly(model.meshes[0].normals[3], 0, 0, -1);
    ember_arena_free(&arena);
}

/* Many corners of few numbers, in several groups: each vertex is the corner it stands for, and no group has
   one twice. */
TEST(obj_shares_vertices_within_groups)
{
    enum { groups = 2, faces = 400, numbers = 12 };
    static char text[200000];
    static int  corners[groups][faces * 3][3];
    test_random random = {13};
    size_t      used = 0;
    for (int i = 0; i < numbers; i++)
        used += (size_t)snprintf(text + used, sizeof(text) - used, "v %d 0 0\nvt %d 0\nvn %d 0 1\n", i, i, i);
    for (int g = 0; g < groups; g++) {
        used += (size_t)snprintf(text + used, sizeof(text) - used, "g group%d", g);
        for (int i = 0; i < faces * 3; i++) {
            int *c = corners[g][i];
            for (int k = 0; k < 3; k++)
                c[k] = (int)(test_random_u32(&random) % numbers);
            used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%d/%d/%d",
                                     i % 3 == 0 ? "\nf " : " ", c[0] + 1, c[1] + 1, c[2] + 1);
        }
        used += (size_t)snprintf(text + used, sizeof(text) - used, "\n");
    }
    ember_arena arena = ember_arena_growing(ember_heap(), 0);
    ember_model model = fixture_read_text(text, as_obj, &arena);
    assert_int_equal(model.mesh_count, groups);
    for (int g = 0; g < groups; g++) {
        const ember_mesh *mesh = &model.meshes[g];
        bool              seen[numbers][numbers][numbers] = {{{false}}};
        uint32_t          different = 0;
        for (int i = 0; i < faces * 3; i++) {
            const int *c = corners[g][i];
            uint32_t   vertex = mesh->indices[i];
            assert_true(mesh->positions[vertex].x == (float)c[0] && mesh->uvs[vertex][0] == (float)c[1] &&
                        mesh->normals[vertex].x == (float)c[2]);
            different += seen[c[0]][c[1]][c[2]] ? 0u : 1u;
            seen[c[0]][c[1]][c[2]] = true;
        }
        assert_int_equal(mesh->vertex_count, different);
    }
    ember_arena_free(&arena);
}

TEST(obj_fans_polygons)
{
    static const uint32_t indices[9] = {0, 1, 2, 0, 2, 3, 0, 3, 4};
    ember_arena           arena = ember_arena_growing(ember_heap(), 0);
    ember_model           model =
        fixture_read_text("v 0 0 0\nv 1 0 0\nv 2 1 0\nv 1 2 0\nv 0 2 0\nf 1 2 3 4 5\n", as_obj, &arena);
    assert_int_equal(model.meshes[0].index_count, 9);
    assert_memory_equal(model.meshes[0].indices, indices, sizeof(indices));
    ember_arena_free(&arena);
}

TEST(obj_reads_colours_and_scales)
{
    ember_arena        arena = ember_arena_growing(ember_heap(), 0);
    ember_read_options options = as_obj;
    options.scale = 0.5;
    ember_model model =
        fixture_read_text("v 2 4 6 1 0.5 2\nv 0 0 0 0 0 0\nv 1 0 0 0 0 0\nf 1 2 3\n", options, &arena);
    assert_exactly(model.meshes[0].positions[0], 1, 2, 3);
    assert_true(model.meshes[0].colors[0][0] == 1.0f && model.meshes[0].colors[0][1] == 0.5f &&
                model.meshes[0].colors[0][2] == 1.0f);
    assert_true(model.meshes[0].colors[1][0] == 0.0f && model.meshes[0].colors[1][3] == 1.0f);
    ember_arena_free(&arena);
}

TEST(obj_leaves_out_what_not_all_corners_have)
{
    ember_arena        arena = ember_arena_growing(ember_heap(), 0);
    fixture_notes      notes;
    ember_read_options options = as_obj;
    options.notes = fixture_listen(&notes);
    ember_model model = fixture_read_text(
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0.5 0.5\nvn 0 0 1\nf 1/1/1 2//1 3//1\nl 1 2\np 1\nvp 1\n", options,
        &arena);
    assert_null(model.meshes[0].uvs);
    assert_non_null(model.meshes[0].normals);
    assert_non_null(
        strstr(notes.text, "W mesh \"crate\": 1 of 3 corners have texture coordinates and 3 normals"));
    assert_non_null(strstr(notes.text, "L 2 lines and points are not read"));
    assert_non_null(strstr(notes.text, "L 1 statements that are neither vertices nor faces are not read"));
    ember_arena_free(&arena);
}

static void refuse(const char *text, ember_status status, const char *message)
{
    fixture_refuse(text, strlen(text), as_obj, status, message);
}

#define THREE "v 0 0 0\nv 1 0 0\nv 0 1 0\n"

TEST(obj_rejects_bad_lines)
{
    refuse("", EMBER_E_MALFORMED, "obj: there are no faces in it");
    refuse(THREE, EMBER_E_MALFORMED, "there are no faces");
    refuse("v 1 2\nf 1 1 1\n", EMBER_E_MALFORMED,
           "obj: line 1, column 6: 3 to 7 numbers should be here, 2 are");
    refuse("v 1 2 x\nf 1 1 1\n", EMBER_E_MALFORMED,
           "obj: line 1, column 7: 3 to 7 numbers should be here, 2 are");
    refuse("v 1 2 1e39\n", EMBER_E_RANGE, "1e+39 is too large");
    refuse("vn 1 2 3 4\n", EMBER_E_MALFORMED, "3 to 3 numbers");
    refuse(THREE "f 1 2\n", EMBER_E_MALFORMED, "line 4, column 6: a face of 2 corners");
    refuse(THREE "f 1 2 0\n", EMBER_E_MALFORMED, "line 4, column 7: position 0 of 3");
    refuse(THREE "f 1 2 4\n", EMBER_E_MALFORMED, "position 4 of 3");
    refuse(THREE "f 1 2 -4\n", EMBER_E_MALFORMED, "position -4 of 3");
    refuse(THREE "f 1 2 3/1\n", EMBER_E_MALFORMED, "texture coordinate 1 of 0");
    refuse(THREE "f 1 2 3//1\n", EMBER_E_MALFORMED, "normal 1 of 0");
    refuse(THREE "f 1 2 3/\n", EMBER_E_MALFORMED, "the number of a texture coordinate should be here");
    refuse(THREE "vt 0 0\nvn 0 0 1\nf 1 2 3/1/1/1\n", EMBER_E_MALFORMED,
           "the number of a position should be here");
    refuse(THREE "f 1 2 99999999999999999999\n", EMBER_E_MALFORMED,
           "the number of a position should be here");
    refuse(THREE "f 1 2 three\n", EMBER_E_MALFORMED, "the number of a position should be here");
}

TEST(obj_rejects_extra_bytes)
{
    refuse(THREE "f 1 2 3\n\x01\x02", EMBER_E_MALFORMED,
           "line 5, column 1: this is not a line of an OBJ file");
    refuse(THREE "f 1 2 3\n123\n", EMBER_E_MALFORMED, "this is not a line of an OBJ file");
}

/* What is counted and what is read agree, also where lines are joined in odd places. */
TEST(obj_joins_lines)
{
    ember_arena arena = ember_arena_growing(ember_heap(), 0);
    ember_model model = fixture_read_text("v 0 0 \\\n0\nv 1 0 0\nv 0 1 0\ng name \\\nf 1 2 3\ns 1 \\\nf 9 9 "
                                          "9\nf 1 \\\n2 \\\r\n3\n# end \\\nf 3 2 1\n",
                                          as_obj, &arena);
    assert_int_equal(model.mesh_count, 1);
    assert_string_equal(model.meshes[0].name, "name \\");
    assert_int_equal(model.meshes[0].index_count, 9);
    ember_arena_free(&arena);
}

TEST(obj_survives_every_prefix)
{
    for (fixture_prefix p = fixture_prefixes(small, strlen(small)); fixture_prefix_next(&p);) {
        ember_status status = fixture_survive(p.data, p.size, as_obj);
        /* Up to the first whole face there is nothing to show. */
        if (p.size < (size_t)(strstr(small, " 3/3") - small))
            assert_int_not_equal(status, EMBER_OK);
    }
}

TEST(obj_survives_every_failing_allocation)
{
    fixture_every_arena((const uint8_t *)small, strlen(small), as_obj);
    fixture_every_allocation((const uint8_t *)small, strlen(small), as_obj);
}

TEST(obj_survives_damage) { fixture_damages(small, 17, as_obj); }

TEST(obj_is_told_by_its_first_lines)
{
    assert_int_equal(ember_format_sniff(small, strlen(small), NULL)->format, EMBER_FORMAT_OBJ);
    assert_null(ember_format_sniff("o hello\nworld\n", 14, NULL));
    assert_null(ember_format_sniff("v for victory\n", 14, NULL));
    assert_int_equal(ember_format_sniff("nothing", 7, "a.obj")->format, EMBER_FORMAT_OBJ);
}

TEST(obj_has_no_clips_to_write)
{
    ember_arena         arena = ember_arena_growing(ember_heap(), 0);
    ember_model         model = fixture_read_text(small, as_obj, &arena);
    ember_buffer        buffer = {.allocator = ember_heap()};
    ember_error         err = EMBER_ERROR_INIT;
    ember_write_options options = {.format = EMBER_FORMAT_EWZANIM};
    assert_int_not_equal(ember_model_write(&buffer, &model, &options, &err), EMBER_OK);
    assert_non_null(strstr(err.text, "here are 0"));
    ember_buffer_free(&buffer);
    ember_arena_free(&arena);
}
