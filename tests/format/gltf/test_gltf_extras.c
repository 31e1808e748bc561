/* SPDX-License-Identifier: MIT */
/* Ember's extras in glTF: what it wrote there brings a model back as it was; what somebody else wrote there
   does no harm.
   Covers: gltf_left_out.c. */
#include "gltf_made.h"

#include <math.h>

#define NEAR(a, b) assert_true(fabs((double)(a) - (double)(b)) < 1e-6)

/* Two joints, of which the first moves from 0 to 8 in two seconds, and extras as given. */
static void clip_make(made *m, const char *extras)
{
    static const float times[2] = {0.0f, 2.0f}, ways[6] = {0, 0, 0, 8, 0, 0};
    memset(m, 0, sizeof(*m));
    unsigned t = made_floats(m, "SCALAR", 2, times), v = made_floats(m, "VEC3", 2, ways);
    made_rest(m,
              ",'nodes':[{'name':'a','children':[1]},{'name':'b','translation':[0,5,0]}],'skins':[{'joints':["
              "1,0]}],"
              "'animations':[{'name':'x','channels':[{'sampler':0,'target':{'node':0,'path':'translation'}}],"
              "'samplers':[{'input':%u,'output':%u}],'extras':%s}]",
              t, v, extras);
}

TEST(models_come_back_as_they_were)
{
    fixture_model f;
    ember_arena   arena = ember_arena_growing(ember_heap(), 0);
    fixture_fill(&f);
    for (int binary = 0; binary < 2; binary++) {
        ember_buffer file =
            fixture_write(&f.model,
                          (ember_write_options){.format = binary ? EMBER_FORMAT_GLB : EMBER_FORMAT_GLTF});
        ember_model model = fixture_read(file.data, file.size, (ember_read_options){.path = NULL}, &arena);
        const ember_clip *clip = &model.clips[0];
        assert_int_equal(model.skeleton.bone_count, FIXTURE_BONES);
        assert_string_equal(model.skeleton.names[2], "foot");
        assert_int_equal(model.clip_count, 1);
        assert_int_equal(model.mesh_count, 0); /* the picture of the bones is no mesh of the model */
        assert_string_equal(clip->name, "walk");
        assert_true(clip->fps == 24.0);
        assert_true(clip->loop);
        assert_int_equal(clip->frame_count, FIXTURE_FRAMES);
        assert_int_equal(clip->marker_count, 2);
        assert_string_equal(clip->markers[1].name, "step");
        assert_int_equal(clip->markers[1].frame, 3);
        for (uint32_t i = 0; i < FIXTURE_BONES * FIXTURE_FRAMES; i++) {
            NEAR(clip->frames[i].position.x, f.frames[i].position.x);
            NEAR(clip->frames[i].position.z, -1.5);
            NEAR(fabs((double)clip->frames[i].rotation.w), fabs((double)f.frames[i].rotation.w));
        }
        ember_buffer_free(&file);
    }
    ember_arena_free(&arena);
}

TEST(extras_give_the_rate_unless_asked_otherwise)
{
    made        m;
    ember_arena arena = ember_arena_growing(ember_heap(), 0);
    clip_make(&m, "{'ember':{'fps':10,'loop':true,'frame_count':21,'markers':[{'name':'hit','frame':5},{'"
                  "name':'end','frame':20}]}}");
    ember_clip clip = clip_of(&m, (ember_read_options){.path = NULL}, &arena);
    assert_true(clip.fps == 10.0);
    assert_int_equal(clip.frame_count, 21);
    assert_true(clip.loop);
    assert_int_equal(clip.markers[0].frame, 5);
    assert_int_equal(clip.markers[1].frame, 20);
    clip = clip_of(&m, (ember_read_options){.fps = EMBER_FPS_SOURCE}, &arena);
    assert_true(clip.fps == 10.0);
    clip = clip_of(&m, (ember_read_options){.fps = 30}, &arena);
    assert_true(clip.fps == 30.0);
    assert_int_equal(clip.frame_count, 61);
    assert_int_equal(clip.markers[0].frame, 15); /* at the same time as before */
    /* From 0.4 s to 1 s: the first marker is at 0.1 s then, the second nowhere. */
    fixture_notes notes;
    clip = clip_of(&m, (ember_read_options){.start_s = 0.4, .end_s = 1.0, .notes = fixture_listen(&notes)},
                   &arena);
    assert_int_equal(clip.frame_count, 7);
    assert_int_equal(clip.marker_count, 1);
    assert_int_equal(clip.markers[0].frame, 1);
    assert_non_null(strstr(notes.text, "W 1 marker of its extras on none of its frames"));
    /* Ember wrote it, and there was no rate. */
    clip_make(&m, "{'ember':{'loop':false}}");
    clip = clip_of(&m, (ember_read_options){.path = NULL}, &arena);
    assert_true(clip.fps == 0.0);
    assert_int_equal(clip.frame_count, 61);
    ember_arena_free(&arena);
}

/* Joint 0 of the skin is node b, which is bone 1 once its parent comes first. */
TEST(extras_say_which_bones_a_clip_has)
{
    made        m;
    ember_arena arena = ember_arena_growing(ember_heap(), 0);
    clip_make(&m, "{'ember':{'fps':1,'frame_count':3,'bones':[0]}}");
    ember_clip clip = clip_of(&m, (ember_read_options){.path = NULL}, &arena);
    assert_int_equal(clip.bone_count, 1);
    assert_int_equal(clip.bones[0], 1);
    NEAR(clip.frames[2].position.y, 5);
    clip_make(&m, "{'ember':{'fps':1,'frame_count':3,'bones':[0,1]}}");
    clip = clip_of(&m, (ember_read_options){.path = NULL}, &arena);
    assert_int_equal(clip.bone_count, 2);
    assert_int_equal(clip.bones[1], 0);
    NEAR(clip.frames[4].position.y, 5);
    NEAR(clip.frames[5].position.x, 8);
    ember_arena_free(&arena);
}

/* Whatever is there in place of what Ember writes, the clip is read. */
TEST(odd_extras_do_no_harm)
{
    static const char *const list[] =
        {"3",
         "[]",
         "{'ember':3}",
         "{'ember':{'fps':-1,'loop':3,'frame_count':-5,'markers':3,'bones':'x','raw':[]}}",
         "{'ember':{'fps':1e300,'markers':[3,{},{'name':3,'frame':0},{'name':'x','frame':-1},{'name':'x','"
         "frame':1e300}]}}",
         "{'ember':{'fps':30,'bones':[0,0]}}",
         "{'ember':{'fps':30,'bones':[7]}}",
         "{'ember':{'fps':30,'bones':[0,1,2]}}",
         "{'ember':{'fps':30,'bones':['a']}}",
         "{'ember':{'fps':30,'raw':{'format':'nonsense'}}}",
         "{'ember':{'fps':30,'raw':{'format':'glb'},'frame_count':61}}"};
    made        m;
    ember_arena arena = ember_arena_growing(ember_heap(), 0);
    for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++) {
        clip_make(&m, list[i]);
        ember_clip clip = clip_of(&m, (ember_read_options){.path = NULL}, &arena);
        assert_int_equal(clip.frame_count, 61);
        assert_int_equal(clip.bone_count, 2);
        assert_int_equal(clip.marker_count, 0);
        assert_int_equal(clip.raw.format, EMBER_FORMAT_UNKNOWN);
    }
    ember_arena_free(&arena);
}

/* Raw values come back with the frames they belong to, and only with those. */
TEST(raw_values_come_back_with_their_frames)
{
    static const char raw[] =
        "{'ember':{'fps':10,'loop':false,'frame_count':%s,'raw':{'format':'animbin','flags':0,'length':21,"
        "'tracks':[{'type':0,'joint':0,'keys':[{'frame':0,'type':0,'value':[4096,0,0,0]}]}]}}}";
    char        extras[512];
    made        m;
    ember_arena arena = ember_arena_growing(ember_heap(), 0);
    snprintf(extras, sizeof(extras), raw, "21");
    clip_make(&m, extras);
    assert_int_equal(clip_of(&m, (ember_read_options){.path = NULL}, &arena).raw.format,
                     EMBER_FORMAT_ANIMBIN);
    assert_int_equal(clip_of(&m, (ember_read_options){.fps = 10}, &arena).raw.format, EMBER_FORMAT_ANIMBIN);
    assert_int_equal(clip_of(&m, (ember_read_options){.fps = 20}, &arena).raw.format, EMBER_FORMAT_UNKNOWN);
    assert_int_equal(clip_of(&m, (ember_read_options){.start_s = 0.5}, &arena).raw.format,
                     EMBER_FORMAT_UNKNOWN);
    assert_int_equal(clip_of(&m, (ember_read_options){.scale = 2}, &arena).raw.format, EMBER_FORMAT_UNKNOWN);
    snprintf(extras, sizeof(extras), raw, "20");
    clip_make(&m, extras);
    assert_int_equal(clip_of(&m, (ember_read_options){.path = NULL}, &arena).raw.format,
                     EMBER_FORMAT_UNKNOWN);
    ember_arena_free(&arena);
}

TEST(what_a_model_has_no_place_for_is_listed)
{
    made        m;
    ember_arena arena = ember_arena_growing(ember_heap(), 0);
    memset(&m, 0, sizeof(m));
    made_rest(&m, ",'nodes':[{'extras':{'ember':{}}},{'extras':{'mine':1}},{'extras':7}],'cameras':[{},{}],"
                  "'samplers':[{}],'materials':[{},{'pbrMetallicRoughness':{'metallicFactor':0}},"
                  "{'name':'steel'},{'pbrMetallicRoughness':{'roughnessFactor':0.5}}],"
                  "'extensionsUsed':['KHR_mesh_quantization','VENDOR_thing']");
    ember_model model = made_read(&m, (ember_read_options){.path = NULL}, &arena);
    assert_string_equal(model.left_out,
                        "2 materials but for their base colours, 1 texture sampler, 2 cameras, "
                        "2 objects' extras, \"VENDOR_thing\"");
    memset(&m, 0, sizeof(m));
    made_rest(&m, ",'nodes':[{}]");
    assert_null(made_read(&m, (ember_read_options){.path = NULL}, &arena).left_out);
    ember_arena_free(&arena);
}
