/* SPDX-License-Identifier: MIT */
/* Writing glTF: what comes back when it is read, what is refused, and what is left out with a word.
   Covers: gltf_write_clips.c, gltf_write_meshes.c. */
#include <math.h>

#include "fixtures/triangle.h"
#include "format/gltf/gltf_document.h"

TEST(gltf_roundtrips)
{
    for (int round = 0; round < 4; round++) {
        fixture_model f;
        fixture_fill(&f);
        f.clip.space = round % 2 == 0 ? EMBER_SPACE_LOCAL : EMBER_SPACE_MODEL;
        if (round == 3)
            f.parents[1] = f.parents[2] = -1;
        ember_write_options options = round == 2 ? to_gltf : to_glb;
        ember_buffer        file = fixture_write(&f.model, options);
        ember_arena         arena = ember_arena_growing(ember_heap(), 0);
        ember_read_options  reading = {.format = options.format, .fps = 24.0};
        ember_model         model = fixture_read(file.data, file.size, reading, &arena);
        assert_int_equal(model.skeleton.bone_count, FIXTURE_BONES);
        assert_memory_equal(model.skeleton.parents, f.parents, sizeof(f.parents));
        for (uint32_t i = 0; i < FIXTURE_BONES; i++) {
            assert_string_equal(model.skeleton.names[i], f.names[i]);
            assert_memory_equal(&model.skeleton.rest[i], &f.rest[i], sizeof(f.rest[i]));
        }
        assert_int_equal(model.clip_count, 1);
        assert_string_equal(model.clips[0].name, "walk");
        assert_int_equal(model.clips[0].frame_count, FIXTURE_FRAMES);
        ember_compare_job job = {.a_model = &f.model, .b_model = &model, .a = &f.clip, .b = &model.clips[0]};
        assert_int_equal(ember_compare_run(&job, &arena, NULL), EMBER_OK);
        assert_int_equal(job.bone_count, FIXTURE_BONES);
        assert_true(job.max < 2e-6 * (double)job.size);
        ember_arena_free(&arena);
        ember_buffer_free(&file);
    }
}

/* ---- what cannot be written ---- */

TEST(gltf_says_what_it_cannot_write)
{
    fixture_model f;
    ember_model   none = {.format = EMBER_FORMAT_UNKNOWN};
    fixture_refuse_write(&none, to_glb, EMBER_E_ARG, "the model has neither bones nor meshes");
    fixture_fill(&f);
    f.frames[7].position.y = INFINITY;
    fixture_refuse_write(&f.model, to_glb, EMBER_E_RANGE, "walk: knee: frame 2: a number is not finite");
    fixture_fill(&f);
    f.frames[4].rotation = (ember_quat){0, 0, 0, 0};
    fixture_refuse_write(&f.model, to_glb, EMBER_E_RANGE, "walk: knee: frame 1: the rotation is zero");
    fixture_fill(&f);
    f.clip.fps = 1e300;
    fixture_refuse_write(&f.model, to_glb, EMBER_E_RANGE,
                         "walk: frame 1: at 1e+300 frames per second its time does not fit a float");
    fixture_fill(&f);
    f.clip.fps = 1e-300;
    fixture_refuse_write(&f.model, to_glb, EMBER_E_RANGE, "does not fit a float");
    fixture_fill(&f);
    f.rest[1].rotation.w = NAN;
    fixture_refuse_write(&f.model, to_glb, EMBER_E_RANGE,
                         "knee: its rest is not finite, or its rotation zero");
    ember_mat34 binds[3] = {{{NAN}}};
    fixture_fill(&f);
    f.model.skeleton.inverse_binds = binds;
    fixture_refuse_write(&f.model, to_glb, EMBER_E_RANGE, "hip: its inverse bind is not finite");
    ember_vec3 positions[3] = {{0, 0, 0}, {NAN, 0, 0}, {0, 0, 0}};
    ember_mesh mesh = fixture_triangle();
    mesh.positions = positions;
    none.meshes = &mesh;
    none.mesh_count = 1;
    fixture_refuse_write(&none, to_glb, EMBER_E_RANGE, "mesh \"m\": a number of its positions is not finite");
}

TEST(gltf_says_what_it_leaves_out)
{
    static const int    raw = 1;
    fixture_model       f;
    fixture_notes       notes;
    ember_vec3          normals[3] = {{0, 0, 0}};
    float               uvs[3][2] = {{0}};
    ember_mesh          meshes[3] = {fixture_triangle()};
    ember_write_options options = {.format = EMBER_FORMAT_GLB, .notes = fixture_listen(&notes)};
    fixture_fill(&f);
    meshes[0].normals = normals;
    meshes[0].uvs = (const float(*)[2])uvs;
    meshes[0].texture = (const uint8_t *)"GIF89a";
    meshes[0].texture_size = 6;
    meshes[1] = meshes[0];
    meshes[1].uvs = NULL;
    meshes[2] = (ember_mesh){.name = "empty", .bone = -1};
    f.model.meshes = meshes;
    f.model.mesh_count = 3;
    ember_clip clips[2] = {f.clip, {.name = "empty", .space = EMBER_SPACE_LOCAL, .bone_count = 3}};
    clips[0].raw = (ember_raw){.format = EMBER_FORMAT_EWZANIM, .data = &raw};
    f.model.clips = clips;
    f.model.clip_count = 2;
    ember_buffer file = fixture_write(&f.model, options);
    assert_non_null(strstr(notes.text, "L mesh \"m\": a texture that is neither PNG nor JPEG is not stored"));
    assert_non_null(strstr(notes.text, "L mesh \"m\": a texture without texture coordinates is not stored"));
    assert_non_null(strstr(notes.text, "L mesh \"empty\" has no triangles and is not stored"));
    assert_non_null(strstr(notes.text, "W mesh \"m\": 3 normals have no direction and point upwards"));
    assert_non_null(strstr(notes.text, "L a clip without frames is not stored"));
    assert_non_null(strstr(notes.text, "L the values as ewzanim has them are not stored"));
    assert_null(strstr(notes.text, "inverse binds"));
    ember_buffer_free(&file);
}

TEST(gltf_survives_every_output_size)
{
    fixture_model f;
    fixture_fill(&f);
    f.clip.space = EMBER_SPACE_MODEL;
    f.clip.frame_count = 2;
    f.clip.marker_count = 1;
    fixture_every_output_size(&f.model, to_glb);
    fixture_every_output_size(&f.model, to_gltf);
}
