/* SPDX-License-Identifier: MIT */
/* Writing glTF: the containers byte by byte, and the document taken apart with a JSON library. Others look at
   the same files in tests/e2e.
   Covers: gltf_write_bin.c, gltf_write_bones.c, gltf_write_document.c. */
#include <math.h>

#include "fixtures/skinned_mesh.h"
#include "format/gltf/gltf_document.h"
#include "format/gltf/write/gltf_write_parts.h"

TEST(glb_container_is_right)
{
    fixture_model f;
    fixture_fill(&f);
    ember_buffer   file = fixture_write(&f.model, to_glb);
    const uint8_t *p = file.data;
    assert_memory_equal(p, "glTF\x02\x00\x00\x00", 8);
    assert_int_equal(u32_at(p + 8), file.size);
    uint32_t json = u32_at(p + 12);
    assert_int_equal(json % 4, 0);
    assert_memory_equal(p + 16, "JSON", 4);
    assert_int_equal(p[20], '{');
    uint32_t bin = u32_at(p + 20 + json);
    assert_memory_equal(p + 24 + json, "BIN\0", 4);
    assert_int_equal(bin % 4, 0);
    assert_int_equal(12 + 8 + json + 8 + bin, file.size);
    document d = document_of(&f.model);
    assert_int_equal(integer(json_array_get(list(&d, "buffers"), 0), "byteLength"), bin);
    assert_null(json_object_get(json_array_get(list(&d, "buffers"), 0), "uri"));
    assert_string_equal(text(json_object_get(d.root, "asset"), "version"), "2.0");
    /* The same model, the same bytes. */
    assert_int_equal(d.file.size, file.size);
    assert_memory_equal(d.file.data, file.data, file.size);
    document_free(&d);
    ember_buffer_free(&file);
}

static int digit(char c)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char       *found = strchr(digits, c);
    assert_true(c != '\0' && found != NULL);
    return (int)(found - digits);
}

/* The same values in the same order; the second has no key "uri". */
static void assert_same_but_uri(const json_t *a, const json_t *b)
{
    size_t at = 0;
    assert_int_equal(json_typeof(a), json_typeof(b));
    assert_true(json_number_value(a) == json_number_value(b));
    assert_int_equal(json_array_size(a), json_array_size(b));
    for (size_t i = 0; i < json_array_size(a); i++)
        assert_same_but_uri(json_array_get(a, i), json_array_get(b, i));
    for (size_t i = 0; i < json_object_size(a); i++) {
        if (strcmp(json_object_key(a, i), "uri") == 0)
            continue;
        assert_string_equal(json_object_key(a, i), json_object_key(b, at));
        assert_same_but_uri(json_object_value(a, i), json_object_value(b, at++));
    }
    assert_int_equal(json_object_size(b), at);
    if (json_is_string(a))
        assert_string_equal(json_string_value(a), json_string_value(b));
}

/* The document of the .gltf is the .glb's but for the buffer, which is the .glb's second chunk in base64. */
TEST(gltf_holds_the_same)
{
    static const char prefix[] = "data:application/octet-stream;base64,";
    fixture_model     f;
    fixture_fill(&f);
    document      d = document_of(&f.model), other = {.file = fixture_write(&f.model, to_gltf)};
    const json_t *root = document_parse(&other, other.file.data, other.file.size);
    const json_t *buffer = json_array_get(json_object_get(root, "buffers"), 0);
    const char   *uri = text(buffer, "uri");
    size_t        size = (size_t)integer(buffer, "byteLength");
    assert_memory_equal(uri, prefix, sizeof(prefix) - 1);
    uri += sizeof(prefix) - 1;
    assert_int_equal(strlen(uri), (size + 2) / 3 * 4);
    assert_int_equal(size, d.bin_size);
    for (size_t i = 0; i < size; i++) {
        const char *four = uri + i / 3 * 4;
        int bits = digit(four[0]) << 18 | digit(four[1]) << 12 | (four[2] != '=' ? digit(four[2]) << 6 : 0) |
                   (four[3] != '=' ? digit(four[3]) : 0);
        assert_int_equal(bits >> (16 - 8 * (int)(i % 3)) & 255, d.bin[i]);
    }
    assert_same_but_uri(root, d.root);
    document_free(&d);
    document_free(&other);
}

/* Three bones in a chain at heights 1, 0.5 and 0: the inverse binds go down by that. */
TEST(nodes_and_skin_follow_the_skeleton)
{
    static const float heights[3] = {-1.0f, -0.5f, 0.0f};
    fixture_model      f;
    fixture_fill(&f);
    document      d = document_of(&f.model);
    const json_t *nodes = list(&d, "nodes"), *skin = json_array_get(list(&d, "skins"), 0);
    assert_int_equal(json_array_size(nodes), 4);
    assert_string_equal(text(json_array_get(nodes, 1), "name"), "knee");
    assert_int_equal(json_integer_value(
                         json_array_get(json_object_get(json_array_get(nodes, 0), "children"), 0)),
                     1);
    assert_int_equal(json_array_size(json_object_get(json_array_get(nodes, 1), "children")), 1);
    assert_null(json_object_get(json_array_get(nodes, 2), "children"));
    assert_null(json_object_get(json_array_get(nodes, 2), "rotation"));
    assert_null(json_object_get(json_array_get(nodes, 2), "scale"));
    assert_true(json_number_value(
                    json_array_get(json_object_get(json_array_get(nodes, 2), "translation"), 1)) == -0.5);
    assert_int_equal(json_array_size(json_object_get(skin, "joints")), 3);
    for (size_t i = 0; i < 3; i++)
        for (size_t k = 0; k < 16; k++) {
            float wanted = k % 5 == 0 ? 1.0f : k == 13 ? heights[i] : 0.0f;
            assert_true(number(&d, integer(skin, "inverseBindMatrices"), i * 16 + k) == wanted);
        }
    const json_t *scene = json_object_get(json_array_get(list(&d, "scenes"), 0), "nodes");
    assert_int_equal(json_array_size(scene), 2);
    assert_int_equal(json_integer_value(json_array_get(scene, 0)), 0);
    assert_int_equal(json_integer_value(json_array_get(scene, 1)), 3);
    document_free(&d);
}

TEST(roots_get_a_parent_in_common)
{
    fixture_model f;
    fixture_fill(&f);
    f.parents[1] = f.parents[2] = -1;
    f.model.skeleton.names = NULL;
    document      d = document_of(&f.model);
    const json_t *nodes = list(&d, "nodes"), *top = json_array_get(nodes, 3);
    assert_int_equal(json_array_size(nodes), 5);
    assert_string_equal(text(json_array_get(nodes, 1), "name"), "bone_1");
    assert_int_equal(json_array_size(json_object_get(top, "children")), 3);
    assert_int_equal(json_integer_value(
                         json_array_get(json_object_get(json_array_get(list(&d, "scenes"), 0), "nodes"), 0)),
                     3);
    document_free(&d);
}

TEST(clip_has_what_moves)
{
    fixture_model f;
    fixture_fill(&f);
    for (uint32_t i = 0; i < FIXTURE_FRAMES; i++) {
        memcpy(f.frames + i * FIXTURE_BONES, f.rest, sizeof(f.rest));
        f.frames[i * FIXTURE_BONES].position.x = 0.5f * (float)i;       /* straight: two keys */
        f.frames[i * FIXTURE_BONES + 1].scale.z = 2.0f;                 /* still, not at rest: one key */
        f.frames[i * FIXTURE_BONES + 2].position.z = i == 2 ? 1.0f : 0; /* four keys */
    }
    document      d = document_of(&f.model);
    const json_t *animation = json_array_get(list(&d, "animations"), 0);
    assert_string_equal(text(animation, "name"), "walk");
    assert_int_equal(json_array_size(json_object_get(animation, "channels")), 3);
    const json_t *line = channel_of(animation, 0, "translation"), *still = channel_of(animation, 1, "scale"),
                 *bend = channel_of(animation, 2, "translation");
    assert_non_null(line);
    assert_non_null(still);
    assert_non_null(bend);
    assert_int_equal(count_of(&d, line, "input"), 2);
    assert_true(number(&d, integer(line, "input"), 0) == 0.0f &&
                number(&d, integer(line, "input"), 1) == (float)(3.0 / 24.0));
    assert_true(number(&d, integer(line, "output"), 3) == 1.5f &&
                number(&d, integer(line, "output"), 4) == 1.0f);
    assert_int_equal(count_of(&d, still, "input"), 1);
    assert_true(number(&d, integer(still, "output"), 2) == 2.0f);
    assert_int_equal(count_of(&d, bend, "input"), 4);
    const json_t *bounds = json_array_get(list(&d, "accessors"), (size_t)integer(bend, "input"));
    assert_true((float)json_number_value(json_array_get(json_object_get(bounds, "max"), 0)) ==
                (float)(3.0 / 24.0));
    assert_true(json_number_value(json_array_get(json_object_get(bounds, "min"), 0)) == 0.0);
    assert_null(json_object_get(line, "interpolation"));
    document_free(&d);
}

TEST(clip_keeps_its_duration)
{
    fixture_model f;
    fixture_fill(&f);
    for (uint32_t i = 0; i < FIXTURE_FRAMES; i++)
        memcpy(f.frames + i * FIXTURE_BONES, f.rest, sizeof(f.rest));
    document      d = document_of(&f.model);
    const json_t *animation = json_array_get(list(&d, "animations"), 0);
    const json_t *sampler = channel_of(animation, 0, "translation");
    assert_int_equal(json_array_size(json_object_get(animation, "channels")), 1);
    assert_int_equal(count_of(&d, sampler, "input"), 2);
    assert_true(number(&d, integer(sampler, "input"), 1) == (float)(3.0 / 24.0));
    document_free(&d);
    /* With two that stand still, one of them is enough; and one frame needs one key. */
    for (uint32_t i = 0; i < FIXTURE_FRAMES; i++) {
        f.frames[i * FIXTURE_BONES + 1].scale.x = 3.0f;
        f.frames[i * FIXTURE_BONES + 2].scale.x = 3.0f;
    }
    d = document_of(&f.model);
    animation = json_array_get(list(&d, "animations"), 0);
    assert_int_equal(count_of(&d, channel_of(animation, 1, "scale"), "input") +
                         count_of(&d, channel_of(animation, 2, "scale"), "input"),
                     3);
    document_free(&d);
    f.clip.frame_count = 1;
    f.clip.marker_count = 0;
    d = document_of(&f.model);
    animation = json_array_get(list(&d, "animations"), 0);
    assert_int_equal(json_array_size(json_object_get(animation, "channels")), 2);
    assert_int_equal(count_of(&d, channel_of(animation, 1, "scale"), "input"), 1);
    document_free(&d);
}

TEST(channels_share_their_times)
{
    fixture_model f;
    fixture_fill(&f);
    ember_clip clips[2] = {f.clip, f.clip};
    f.model.clips = clips;
    f.model.clip_count = 2;
    clips[1].fps = 12.0;
    document      d = document_of(&f.model);
    const json_t *first = json_array_get(list(&d, "animations"), 0),
                 *second = json_array_get(list(&d, "animations"), 1);
    assert_int_equal(integer(channel_of(first, 0, "translation"), "input"),
                     integer(channel_of(first, 2, "translation"), "input"));
    assert_int_not_equal(integer(channel_of(first, 0, "translation"), "input"),
                         integer(channel_of(second, 0, "translation"), "input"));
    document_free(&d);
    clips[1].fps = 24.0;
    d = document_of(&f.model);
    first = json_array_get(list(&d, "animations"), 0);
    second = json_array_get(list(&d, "animations"), 1);
    assert_int_equal(integer(channel_of(first, 0, "translation"), "input"),
                     integer(channel_of(second, 0, "translation"), "input"));
    document_free(&d);
}

TEST(extras_hold_what_gltf_does_not)
{
    static const uint16_t bones[2] = {2, 0};
    fixture_model         f;
    fixture_fill(&f);
    document      d = document_of(&f.model);
    const json_t *extras =
        json_object_get(json_object_get(json_array_get(list(&d, "animations"), 0), "extras"), "ember");
    assert_true(json_number_value(json_object_get(extras, "fps")) == 24.0);
    assert_true(json_is_true(json_object_get(extras, "loop")));
    assert_string_equal(text(extras, "space"), "local");
    assert_int_equal(integer(extras, "frame_count"), 4);
    assert_null(json_object_get(extras, "bones"));
    const json_t *marker = json_array_get(json_object_get(extras, "markers"), 1);
    assert_string_equal(text(marker, "name"), "step");
    assert_int_equal(integer(marker, "frame"), 3);
    const json_t *mesh = json_array_get(list(&d, "meshes"), 0);
    assert_true(json_is_true(
        json_object_get(json_object_get(json_object_get(mesh, "extras"), "ember"), "bone_shapes")));
    document_free(&d);
    f.clip.bones = bones;
    f.clip.bone_count = 2;
    f.clip.fps = 0.0;
    f.clip.marker_count = 0;
    d = document_of(&f.model);
    extras = json_object_get(json_object_get(json_array_get(list(&d, "animations"), 0), "extras"), "ember");
    assert_null(json_object_get(extras, "fps"));
    assert_null(json_object_get(extras, "markers"));
    assert_int_equal(json_array_size(json_object_get(extras, "bones")), 2);
    assert_int_equal(json_integer_value(json_array_get(json_object_get(extras, "bones"), 0)), 2);
    assert_null(channel_of(json_array_get(list(&d, "animations"), 0), 1, "translation"));
    document_free(&d);
}

/* The knee stands at (0, 0.5, 0) in model space under a hip that is at (0, 1, 0) and turned by 90 degrees
   about z: seen from the hip, whose y axis is the model's -x, that is (-0.5, 0, 0), turned back. */
TEST(model_space_is_brought_to_local)
{
    fixture_model    f;
    const ember_quat quarter = {0.0f, 0.0f, 0.70710678f, 0.70710678f};
    fixture_fill(&f);
    f.clip.space = EMBER_SPACE_MODEL;
    f.clip.frame_count = 1;
    f.clip.marker_count = 0;
    f.frames[0] = (ember_transform){quarter, {0, 1, 0}, {2, 2, 2}};
    f.frames[1] = (ember_transform){{0, 0, 0, 1}, {0, 0.5f, 0}, {-1, 1, 1}};
    f.frames[2] = (ember_transform){quarter, {0, 0.5f, 0}, {1, 1, 1}};
    document      d = document_of(&f.model);
    const json_t *animation = json_array_get(list(&d, "animations"), 0);
    const json_t *position = channel_of(animation, 1, "translation"),
                 *rotation = channel_of(animation, 1, "rotation"), *scale = channel_of(animation, 1, "scale");
    assert_float_equal(number(&d, integer(position, "output"), 0), -0.25f, 1e-6f);
    assert_float_equal(number(&d, integer(position, "output"), 1), 0.0f, 1e-6f);
    assert_float_equal(number(&d, integer(rotation, "output"), 2), -0.70710678f, 1e-6f);
    assert_float_equal(number(&d, integer(rotation, "output"), 3), 0.70710678f, 1e-6f);
    /* The mirror stays in the scale. */
    assert_float_equal(number(&d, integer(scale, "output"), 0), -0.5f, 1e-6f);
    assert_float_equal(number(&d, integer(scale, "output"), 1), 0.5f, 1e-6f);
    /* Seen from the mirrored knee the foot is turned the other way round. */
    const json_t *foot = channel_of(animation, 2, "rotation");
    float         z = number(&d, integer(foot, "output"), 2), w = number(&d, integer(foot, "output"), 3);
    float         x_scale = number(&d, integer(channel_of(animation, 2, "scale"), "output"), 0);
    assert_float_equal(fabsf(z * w), 0.5f, 1e-6f);
    assert_float_equal(fabsf(x_scale), 1.0f, 1e-6f);
    document_free(&d);
}

TEST(model_space_says_what_shear_it_leaves_out)
{
    fixture_model       f;
    fixture_notes       notes;
    ember_write_options options = {.format = EMBER_FORMAT_GLB, .notes = fixture_listen(&notes)};
    fixture_fill(&f);
    f.clip.space = EMBER_SPACE_MODEL;
    for (uint32_t i = 0; i < FIXTURE_FRAMES; i++)
        f.frames[i * FIXTURE_BONES].scale = (ember_vec3){1.0f, 3.0f, 1.0f};
    for (uint32_t i = 0; i < FIXTURE_FRAMES; i++)
        f.frames[i * FIXTURE_BONES + 1].rotation = (ember_quat){0.0f, 0.0f, 0.38268343f, 0.92387953f};
    ember_buffer file = fixture_write(&f.model, options);
    assert_non_null(strstr(notes.text, "W under parents of uneven scale"));
    ember_buffer_free(&file);
}

TEST(rest_is_found_where_there_is_none)
{
    ember_mat34   binds[3] = {{{1, 0, 0, 0, 0, 1, 0, -4, 0, 0, 1, 0}},
                              {{1, 0, 0, 0, 0, 1, 0, -3, 0, 0, 1, 0}},
                              {{1, 0, 0, 0, 0, 1, 0, -3, 0, 0, 1, -2}}};
    fixture_model f;
    fixture_fill(&f);
    f.model.skeleton.rest = NULL;
    document      d = document_of(&f.model);
    /* The first frame: x is 0.25 for bone 1. */
    const json_t *translation = json_object_get(json_array_get(list(&d, "nodes"), 1), "translation");
    assert_true(json_number_value(json_array_get(translation, 0)) == 0.25);
    document_free(&d);
    f.model.skeleton.inverse_binds = binds;
    d = document_of(&f.model);
    translation = json_object_get(json_array_get(list(&d, "nodes"), 1), "translation");
    assert_true(json_number_value(json_array_get(translation, 1)) == -1.0); /* from 4 down to 3 */
    translation = json_object_get(json_array_get(list(&d, "nodes"), 2), "translation");
    assert_true(json_number_value(json_array_get(translation, 2)) == 2.0);
    assert_true(number(&d, integer(json_array_get(list(&d, "skins"), 0), "inverseBindMatrices"), 13) ==
                -4.0f);
    document_free(&d);
}

/* Closed and wound outwards: the volume over all triangles is positive, and each bone has its own. */
TEST(bone_shapes_are_solid)
{
    fixture_model f;
    fixture_fill(&f);
    gltf_writer writer = {.model = &f.model, .rest = f.rest, .scratch = ember_arena_growing(ember_heap(), 0)};
    ember_mesh  mesh;
    double      volume[3] = {0, 0, 0};
    assert_true(emberi_gltfw_bone_shapes(&writer, &mesh));
    assert_int_equal(mesh.index_count, 3 * 8 * 3);
    for (uint32_t i = 0; i < mesh.index_count; i += 3) {
        ember_vec3 a = mesh.positions[mesh.indices[i]], b = mesh.positions[mesh.indices[i + 1]],
                   c = mesh.positions[mesh.indices[i + 2]];
        assert_true(mesh.weights[mesh.indices[i]][0] == 1.0f);
        volume[mesh.joints[mesh.indices[i]][0]] +=
            (double)(a.x * (b.y * c.z - b.z * c.y) - a.y * (b.x * c.z - b.z * c.x) +
                     a.z * (b.x * c.y - b.y * c.x));
    }
    /* From hip to knee 0.5 long with a waist of radius 0.05: a square of 0.005 times a third of the length,
       six times over. */
    assert_float_equal(volume[0], 0.005 * 0.5 * 2.0, 1e-6);
    assert_float_equal(volume[1], 0.005 * 0.5 * 2.0, 1e-6);
    assert_true(volume[2] > 0.0); /* the foot goes on for half the way from the knee */
    ember_arena_free(&writer.scratch);
}

TEST(meshes_are_written_as_they_are)
{
    static const skinned_mesh numbers = {.positions = {{0, 0, 0}, {1, 0, 0}, {0, 2, -1}},
                                         .normals = {{0, 0, 4}, {0, 0, 1}, {0, 0, 1}},
                                         .uvs = {{0, 0}, {1, 0}, {0, 3}},
                                         .joints = {{2, 2, 1, 0}, {1, 0, 2, 0}, {0, 0, 0, 0}},
                                         .weights = {{0.25f, 0.25f, 0.5f, 0},
                                                     {0.2f, 0.7f, 0.1f, 0},
                                                     {1, 0, 0, 0}},
                                         .indices = {0, 1, 2}};
    static const uint8_t      jpeg[4] = {0xff, 0xd8, 0xff, 0xe0};
    fixture_model             f;
    skinned_mesh              skin = numbers;
    fixture_fill(&f);
    skinned_mesh_link(&skin, "skin", 3, 3);
    skin.mesh.tangents = NULL;
    skin.mesh.colors = NULL;
    skin.mesh.base_color[1] = 0.5f;
    skin.mesh.base_color[2] = 0.25f;
    skin.mesh.texture = jpeg;
    skin.mesh.texture_size = 4;
    ember_mesh meshes[2] = {skin.mesh, skinned_mesh_rigid(&skin.mesh, "shoe", 2)};
    f.model.meshes = meshes;
    f.model.mesh_count = 2;
    document      d = document_of(&f.model);
    const json_t *nodes = list(&d, "nodes"), *mesh = json_array_get(list(&d, "meshes"), 0);
    const json_t *primitive = json_array_get(json_object_get(mesh, "primitives"), 0),
                 *attributes = json_object_get(primitive, "attributes");
    assert_int_equal(json_array_size(nodes), 5);
    assert_int_equal(integer(json_array_get(nodes, 3), "skin"), 0);
    assert_null(json_object_get(json_array_get(nodes, 4), "skin"));
    /* The shoe hangs on the foot, and not on the scene. */
    assert_int_equal(json_integer_value(
                         json_array_get(json_object_get(json_array_get(nodes, 2), "children"), 0)),
                     4);
    assert_int_equal(json_array_size(json_object_get(json_array_get(list(&d, "scenes"), 0), "nodes")), 2);
    assert_null(json_object_get(mesh, "extras"));
    assert_true(number(&d, integer(attributes, "NORMAL"), 2) == 1.0f);
    assert_true(number(&d, integer(attributes, "POSITION"), 7) == 2.0f);
    assert_true(number(&d, integer(attributes, "TEXCOORD_0"), 5) == 3.0f);
    const json_t *low =
        json_object_get(json_array_get(list(&d, "accessors"), (size_t)integer(attributes, "POSITION")),
                        "min");
    assert_true(json_number_value(json_array_get(low, 2)) == -1.0);
    /* The joint that came twice comes once; the largest weight comes first. */
    assert_true(number(&d, integer(attributes, "WEIGHTS_0"), 0) == 0.5f &&
                number(&d, integer(attributes, "WEIGHTS_0"), 1) == 0.5f &&
                number(&d, integer(attributes, "WEIGHTS_0"), 2) == 0.0f);
    assert_float_equal(number(&d, integer(attributes, "WEIGHTS_0"), 4), 0.7f, 1e-6f);
    const json_t *accessor = json_array_get(list(&d, "accessors"), (size_t)integer(attributes, "JOINTS_0"));
    const json_t *view = json_array_get(list(&d, "bufferViews"), (size_t)integer(accessor, "bufferView"));
    assert_int_equal(integer(accessor, "componentType"), 5121);
    assert_memory_equal(d.bin + integer(view, "byteOffset"),
                        "\x02\x01\x00\x00\x00\x01\x02\x00\x00\x00\x00\x00", 12);
    /* One material and one image for both. */
    assert_int_equal(json_array_size(list(&d, "materials")), 1);
    assert_int_equal(json_array_size(list(&d, "images")), 1);
    assert_string_equal(text(json_array_get(list(&d, "images"), 0), "mimeType"), "image/jpeg");
    document_free(&d);
}
