/* SPDX-License-Identifier: MIT */
/* Every reader and writer of the common model, and what is done with models, in want of memory at each
   of its places. */
#include "failing.h"
#include "fixtures/skinned_mesh.h"
#include "format/gltf/gltf_made.h"

/* ---- a model with something of everything ---- */

typedef struct rich_model {
    fixture_model base;
    ember_clip    clips[2];
    ember_mat34   binds[FIXTURE_BONES];
    skinned_mesh  skin;
    ember_mesh    meshes[2];
} rich_model;

static void rich_fill(rich_model *r)
{
    memset(r, 0, sizeof(*r));
    fixture_fill(&r->base);
    for (uint32_t i = 0; i < FIXTURE_BONES; i++)
        r->binds[i] = (ember_mat34){{1, 0, 0, 0, 0, 1, 0, -1.0f + 0.5f * (float)i, 0, 0, 1, 0}};
    r->base.model.skeleton.inverse_binds = r->binds;
    skinned_mesh_fill(&r->skin, "skin");
    r->meshes[0] = r->skin.mesh;
    r->meshes[1] = skinned_mesh_rigid(&r->skin.mesh, "shoe", 2);
    r->clips[0] = r->base.clip;
    r->clips[1] = r->base.clip;
    r->clips[1].name = "run";
    r->clips[1].space = EMBER_SPACE_MODEL;
    r->base.model.clips = r->clips;
    r->base.model.clip_count = 2;
    r->base.model.meshes = r->meshes;
    r->base.model.mesh_count = 2;
}

/* ---- writing ---- */

typedef struct write_job {
    const ember_model  *model;
    ember_write_options options;
} write_job;

static ember_status write_run(void *user, ember_error *err)
{
    write_job   *job = user;
    fixture_heap heap = {0};
    ember_buffer out = {.allocator = fixture_allocator(&heap)};
    ember_status status = ember_model_write(&out, job->model, &job->options, err);
    assert_true(status == EMBER_OK ? out.size != 0 : out.size == 0);
    ember_buffer_free(&out);
    assert_int_equal(heap.held, 0);
    return status;
}

static void every_write(const ember_model *model, ember_write_options options)
{
    write_job job = {model, options};
    assert_in_range(failing_every(write_run, &job, FAILING_MEMORY), 1, 20000);
}

TEST(gltf_is_written_whole_or_not)
{
    rich_model r;
    rich_fill(&r);
    every_write(&r.base.model, (ember_write_options){.format = EMBER_FORMAT_GLB});
    every_write(&r.base.model, (ember_write_options){.format = EMBER_FORMAT_GLTF});
    r.base.model.mesh_count = 0; /* then bones get shapes */
    r.base.model.skeleton.rest = NULL;
    every_write(&r.base.model, (ember_write_options){.format = EMBER_FORMAT_GLB});
}

TEST(a_carried_document_is_written_whole_or_not)
{
    static const char json[] = "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"name\":\"n\"}],\"cameras\":[{}"
                               "],\"extras\":[null,1,0.5,\"t\"],"
                               "\"skins\":[{\"joints\":[0]}]}";
    ember_arena       arena = ember_arena_growing(ember_heap(), 0);
    ember_read_options reading = {.format = EMBER_FORMAT_GLTF, .carry = true};
    ember_model        model = fixture_read(json, sizeof(json) - 1, reading, &arena);
    rich_model         r;
    write_job          job = {&model, {.format = EMBER_FORMAT_GLB}};
    assert_non_null(model.carried.data);
    every_write(&model, (ember_write_options){.format = EMBER_FORMAT_GLTF});
    /* with a clip */
    rich_fill(&r);
    ember_clip clip = r.base.clip;
    clip.bones = NULL;
    clip.bone_count = 1;
    clip.frame_count = 1;
    clip.space = EMBER_SPACE_LOCAL;
    clip.marker_count = 0;
    model.clips = &clip;
    model.clip_count = 1;
    every_write(&model, (ember_write_options){.format = EMBER_FORMAT_GLB});
    assert_in_range(failing_every(write_run, &job, FAILING_MEMORY), 10, 20000);
    ember_arena_free(&arena);
}

TEST(ember_formats_are_written_whole_or_not)
{
    rich_model r;
    rich_fill(&r);
    every_write(&r.base.model, (ember_write_options){.format = EMBER_FORMAT_JSON});
    every_write(&r.base.model, (ember_write_options){.format = EMBER_FORMAT_JSON, .compact = true});
    every_write(&r.base.model, (ember_write_options){.format = EMBER_FORMAT_EWZSKEL});
    r.base.model.mesh_count = 1;
    every_write(&r.base.model, (ember_write_options){.format = EMBER_FORMAT_EWZMESH});
    every_write(&r.base.model, (ember_write_options){.format = EMBER_FORMAT_EWZMESH,
                                                     .ewzmesh = &(ember_ewzmesh_options){.unpacked = true}});
    r.base.model.clip_count = 1;
    every_write(&r.base.model, (ember_write_options){.format = EMBER_FORMAT_EWZANIM});
    every_write(&r.base.model, (ember_write_options){.format = EMBER_FORMAT_EWZANIM, .fit = EMBER_FIT_PLAIN});
    every_write(&r.base.model, (ember_write_options){.format = EMBER_FORMAT_EZA});
    for (int record = EMBER_RECORD_EWZ; record <= EMBER_RECORD_E; record++)
        every_write(&r.base.model,
                    (ember_write_options){.format = EMBER_FORMAT_EZA,
                                          .eza = &(ember_eza_options){.record_set = true,
                                                                      .record = (ember_record)record}});
}

TEST(animbin_is_written_whole_or_not)
{
    static const ember_animbin_options options[] = {
        {.keys = EMBER_ANIMBIN_KEYS_DENSE},
        {.keys = EMBER_ANIMBIN_KEYS_SPARSE},
        {.keys = EMBER_ANIMBIN_KEYS_SPARSE,
         .translations = EMBER_ANIMBIN_TRANSLATIONS_ALWAYS,
         .tolerance = 0.01},
        {.unit = EMBER_ANIMBIN_UNIT_AUTO, .basis = EMBER_ANIMBIN_BASIS_PSX},
        {.unit = 128.0, .translations = EMBER_ANIMBIN_TRANSLATIONS_NEVER},
    };
    rich_model r;
    rich_fill(&r);
    for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++)
        every_write(&r.base.model,
                    (ember_write_options){.format = EMBER_FORMAT_ANIMBIN, .animbin = &options[i]});
    /* Names that are too long are cut, and told apart by numbers. */
    r.clips[0].name = "a name of more than thirty-two bytes, one";
    r.clips[1].name = "a name of more than thirty-two bytes, two";
    every_write(&r.base.model, (ember_write_options){.format = EMBER_FORMAT_ANIMBIN});
}

/* ---- reading ---- */

typedef struct read_job {
    const uint8_t     *data;
    size_t             size;
    ember_read_options options;
} read_job;

static ember_status read_run(void *user, ember_error *err)
{
    read_job    *job = user;
    fixture_heap heap = {0};
    ember_arena  arena = ember_arena_growing(fixture_allocator(&heap), 0);
    ember_model  model;
    ember_status status = ember_model_read(&model, job->data, job->size, &job->options, &arena, err);
    if (status != EMBER_OK)
        assert_int_equal(heap.held, 0);
    ember_arena_free(&arena);
    assert_int_equal(heap.held, 0);
    return status;
}

static void every_read(const void *data, size_t size, ember_read_options options)
{
    read_job job = {data, size, options};
    assert_in_range(failing_every(read_run, &job, FAILING_MEMORY), 1, 20000);
}

/* What the library writes of the model, read again. */
static void every_read_back(const ember_model *model, ember_write_options writing, ember_read_options options)
{
    ember_buffer file = fixture_write(model, writing);
    options.format = writing.format;
    every_read(file.data, file.size, options);
    ember_buffer_free(&file);
}

TEST(written_files_are_read_whole_or_not)
{
    rich_model r;
    rich_fill(&r);
    const ember_skeleton *skeleton = &r.base.model.skeleton;
    for (int i = 0; i < 2; i++) {
        ember_read_options options = {.skeleton = i == 0 ? NULL : skeleton};
        every_read_back(&r.base.model, (ember_write_options){.format = EMBER_FORMAT_GLB}, options);
        every_read_back(&r.base.model, (ember_write_options){.format = EMBER_FORMAT_GLTF}, options);
        every_read_back(&r.base.model, (ember_write_options){.format = EMBER_FORMAT_JSON}, options);
        every_read_back(&r.base.model, (ember_write_options){.format = EMBER_FORMAT_EWZSKEL}, options);
        every_read_back(&r.base.model, (ember_write_options){.format = EMBER_FORMAT_ANIMBIN}, options);
    }
    r.base.model.clip_count = 1;
    r.base.model.mesh_count = 1;
    for (int i = 0; i < 2; i++) {
        ember_read_options options = {.skeleton = i == 0 ? NULL : skeleton};
        every_read_back(&r.base.model, (ember_write_options){.format = EMBER_FORMAT_EWZANIM}, options);
        every_read_back(&r.base.model, (ember_write_options){.format = EMBER_FORMAT_EZA}, options);
        every_read_back(&r.base.model, (ember_write_options){.format = EMBER_FORMAT_EWZMESH}, options);
    }
}

TEST(texts_are_read_whole_or_not)
{
    static const char bvh[] =
        "HIERARCHY\nROOT hip\n{\nOFFSET 0 1 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation "
        "Yrotation\n"
        "JOINT knee\n{\nOFFSET 0 -1 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nEnd Site\n{\nOFFSET 0 -1 "
        "0\n}\n}\n}\n"
        "MOTION\nFrames: 2\nFrame Time: 0.033333\n0 1 0 0 0 0 0 0 0\n0 1 0 10 20 30 40 50 60\n";
    static const char obj[] = "o a\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0 0\nvn 0 0 1\ng one\nusemtl "
                              "red\nf 1/1/1 2/1/1 3/1/1 4/1/1\n"
                              "o b\nusemtl blue\nf 1 2 3\nf -1 -2 -3\n";
    every_read(bvh, sizeof(bvh) - 1, (ember_read_options){.format = EMBER_FORMAT_BVH, .loop = true});
    every_read(obj, sizeof(obj) - 1, (ember_read_options){.format = EMBER_FORMAT_OBJ});
}

/* What the writer does not make: sparse and packed accessors, all curves, two skins, morph
   targets, materials. */
TEST(gltf_of_others_is_read_whole_or_not)
{
    static const float square[12] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0}, times[3] = {0, 0.5f, 1},
                       uvs[8] = {0, 0, 1, 0, 1, 1, 0, 1};
    static const float moves[9] = {0, 0, 0, 1, 0, 0, 1, 2, 0},
                       turns[12] = {0, 0, 0, 1, 0, 0.6f, 0, 0.8f, 0, 0, 0, 1};
    static const float   splines[27] = {0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0, 0, 2, 2,
                                        2, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0, 0, 0};
    static const float   binds[32] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0,  0, 1,
                                      1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -1, 0, 1};
    static const uint8_t corners[6] = {0, 1, 2, 0, 2, 3},
                         joints[16] = {0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0};
    static const uint8_t weights[16] = {128, 127, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0},
                         at[1] = {2};
    static const float there[3] = {3, 3, 0};
    made              *m = test_alloc(sizeof(*m));
    char               sparse[256];
    memset(m, 0, sizeof(*m));
    unsigned p = made_floats(m, "VEC3", 4, square), t = made_floats(m, "SCALAR", 3, times),
             uv = made_floats(m, "VEC2", 4, uvs);
    unsigned move = made_floats(m, "VEC3", 3, moves), turn = made_floats(m, "VEC4", 3, turns),
             spline = made_floats(m, "VEC3", 9, splines);
    unsigned bind = made_floats(m, "MAT4", 2, binds),
             corner = made_values(m, "SCALAR", 5121, 6, corners, 6, "");
    unsigned joint = made_values(m, "VEC4", 5121, 4, joints, 16, ""),
             weight = made_values(m, "VEC4", 5121, 4, weights, 16, ",'normalized':true");
    unsigned index_view = made_view(m, at, 1, ""), value_view = made_view(m, there, sizeof(there), ""),
             image = made_view(m, fixture_png, sizeof(fixture_png), "");
    snprintf(
        sparse, sizeof(sparse),
        ",'sparse':{'count':1,'indices':{'bufferView':%u,'componentType':5121},'values':{'bufferView':%u}}",
        index_view, value_view);
    unsigned moved = made_accessor(m, "VEC3", 5126, 4, sparse);
    made_rest(m,
              ",'scene':0,'scenes':[{'nodes':[0,3,4]}],'nodes':[{'name':'a','children':[1],'extras':{'x':1}},"
              "{'name':'b','"
              "translation':[0,1,0],'children':[2]},"
              "{'mesh':1,'scale':[1,2,1]},{'mesh':0,'skin':0,'name':'body'},{'mesh':0,'skin':1}],"
              "'skins':[{'joints':[0,1],'inverseBindMatrices':%u},{'joints':[1,0]}],"
              "'images':[{'bufferView':%u,'mimeType':'image/png'}],'textures':[{'source':0}],"
              "'materials':[{'pbrMetallicRoughness':{'baseColorFactor':[1,0.5,0.25,1],'baseColorTexture':{'"
              "index':0,'texCoord':0,"
              "'extensions':{'KHR_texture_transform':{'offset':[0.5,0],'scale':[2,2]}}}}}],",
              bind, image);
    made_rest(m,
              "'meshes':[{'name':'skin','primitives':[{'attributes':{'POSITION':%u,'TEXCOORD_0':%u,'JOINTS_0'"
              ":%u,'WEIGHTS_0':%u},"
              "'indices':%u,'material':0,"
              "'targets':[{'POSITION':%u}]},{'attributes':{'POSITION':%u,'JOINTS_0':%u,'WEIGHTS_0':%u},'mode'"
              ":5}]},{'primitives':"
              "[{'attributes':{'POSITION':%u},'mode':6}]}],",
              p, uv, joint, weight, corner, moved, moved, joint, weight, moved);
    made_rest(m,
              "'animations':[{'name':'walk','channels':[{'sampler':0,'target':{'node':0,'path':'translation'}"
              "},{'sampler':1,'"
              "target':{'node':1,'path':'rotation'}},"
              "{'sampler':2,'target':{'node':1,'path':'translation'}},{'sampler':3,'target':{'node':0,'path':"
              "'scale'}}],'"
              "samplers':[{'input':%u,'output':%u},"
              "{'input':%u,'output':%u,'interpolation':'LINEAR'},{'input':%u,'output':%u,'interpolation':'"
              "CUBICSPLINE'},{'input':"
              "%u,'output':%u,'interpolation':'STEP'}]}]",
              t, move, t, turn, t, spline, t, move);
    size_t   size;
    uint8_t *data = made_glb(m, &size);
    every_read(data, size, (ember_read_options){.format = EMBER_FORMAT_GLB});
    every_read(data, size,
               (ember_read_options){.format = EMBER_FORMAT_GLB,
                                    .fps = EMBER_FPS_SOURCE,
                                    .loop = true,
                                    .skin = "1",
                                    .scale = 2.0});
    free(data);
    free(m);
}

/* ---- what is done with models ---- */

static ember_status compare_run(void *user, ember_error *err)
{
    rich_model       *r = user;
    fixture_heap      heap = {0};
    ember_arena       arena = ember_arena_growing(fixture_allocator(&heap), 0);
    ember_compare_job job = {.a_model = &r->base.model,
                             .b_model = &r->base.model,
                             .a = &r->clips[0],
                             .b = &r->clips[0]};
    ember_status      status = ember_compare_run(&job, &arena, err);
    ember_arena_free(&arena);
    assert_int_equal(heap.held, 0);
    return status;
}

static ember_status animbin_fit_run(void *user, ember_error *err)
{
    rich_model         *r = user;
    ember_arena         arena = ember_arena_growing(ember_heap(), 0);
    ember_write_options options = {.format = EMBER_FORMAT_ANIMBIN};
    ember_model         out;
    ember_status        status = ember_animbin_fit(&out, &r->base.model, &options, &arena, err);
    ember_arena_free(&arena);
    return status;
}

static ember_status animbin_check_run(void *user, ember_error *err)
{
    rich_model         *r = user;
    ember_write_options options = {.format = EMBER_FORMAT_ANIMBIN};
    ember_findings      findings = {failing_forget, NULL};
    return ember_animbin_check(&r->base.model, &options, &findings, err);
}

TEST(models_are_compared_and_fitted_or_not)
{
    rich_model r;
    rich_fill(&r);
    assert_in_range(failing_every(compare_run, &r, FAILING_MEMORY), 1, 1000);
    assert_in_range(failing_every(animbin_fit_run, &r, FAILING_MEMORY), 1, 1000);
    assert_in_range(failing_every(animbin_check_run, &r, FAILING_MEMORY), 1, 1000);
}
