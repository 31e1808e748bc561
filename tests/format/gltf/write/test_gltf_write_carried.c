/* SPDX-License-Identifier: MIT */
/* A document that is carried along through the library: when it is, when it is not, and what the numbers in
   it become. tests/format/gltf/test_gltf_carry.py compares whole documents.
   Covers: gltf_write_carried_join.c, gltf_write_carried_plan.c. */
#include "format/gltf/gltf_carry.h"
#include "format/gltf/gltf_document.h"
#include "format/gltf/gltf_made.h"

/* A node "up" that is no bone above the joints "hip" and "knee"; knee turns about z by a
   quarter in a second. */
static void figure(made *m, const char *up, const char *more)
{
    static const float times[2] = {0, 1}, turns[8] = {0, 0, 0, 1, 0, 0, 0.70710678f, 0.70710678f};
    static const float hops[6] = {0, 0, 0, 0, 2, 0};
    memset(m, 0, sizeof(*m));
    unsigned input = made_floats(m, "SCALAR", 2, times), output = made_floats(m, "VEC4", 2, turns),
             moves = made_floats(m, "VEC3", 2, hops);
    made_rest(
        m,
        ",'nodes':[{'name':'up'%s,'children':[1]},{'name':'hip','children':[2],'translation':[0,3,0]},{"
        "'name':'knee','translation':[0,1,0]},{'name':'lamp'}],'skins':[{'joints':[1,2]}],'animations':[{"
        "'name':'a','channels':[{'sampler':0,'target':{'node':2,'path':'rotation'}},{'sampler':1,'target':{"
        "'node':1,'path':'translation'}},{'sampler':1,'target':{'node':3,'path':'translation'}}],"
        "'samplers':[{'input':%u,'output':%u},{'input':%u,'output':%u}]}]%s",
        up, input, output, input, moves, more);
}

static const ember_read_options carry = {.path = NULL, .carry = true, .fps = 10};

TEST(a_document_comes_back_around_the_clips)
{
    made        m;
    ember_arena arena = ember_arena_growing(ember_heap(), 0);
    figure(&m, ",'scale':[2,2,2],'translation':[1,0,0]",
           ",'extras':{'big':9007199254740993,'none':null,'yes':true,'text':'a'},'cameras':[{'type':'c'}]");
    ember_model model = made_read(&m, carry, &arena);
    assert_null(model.left_out);
    assert_int_equal(model.carried.format, EMBER_FORMAT_GLTF);
    document      d = document_of(&model);
    const json_t *extras = json_object_get(d.root, "extras");
    assert_true(json_integer_value(json_object_get(extras, "big")) == 9007199254740993);
    assert_true(json_is(json_object_get(extras, "none"), JSON_NULL) &&
                json_is_true(json_object_get(extras, "yes")));
    assert_string_equal(text(extras, "text"), "a");
    assert_int_equal(json_array_size(list(&d, "cameras")), 1);
    assert_int_equal(json_array_size(list(&d, "nodes")), 4);
    /* The hip's way is its own, not that of the node above: from 0 to 2, where the model has it from (1, 0,
       0) to
       (1, 4, 0). */
    const json_t *animation = json_array_get(list(&d, "animations"), 0);
    const json_t *sampler = channel_of(animation, 1, "translation");
    assert_float_equal(number(&d, integer(sampler, "output"), 1), 0.0, 1e-6);
    assert_float_equal(number(&d, integer(sampler, "output"), 4), 2.0, 1e-6);
    assert_float_equal(model.clips[0].frames[20].position.y, 4.0, 1e-6);
    assert_float_equal(model.clips[0].frames[20].position.x, 1.0, 1e-6);
    /* What moves the lamp has its own keys still. */
    sampler = channel_of(animation, 3, "translation");
    assert_float_equal(number(&d, integer(sampler, "output"), 4), 2.0, 1e-9);
    assert_int_equal(json_array_size(json_object_get(animation, "channels")), 3);
    document_free(&d);
    ember_arena_free(&arena);
}

static void assert_not_carried(const made *m, ember_read_options options)
{
    ember_arena arena = ember_arena_growing(ember_heap(), 0);
    ember_model model = made_read(m, options, &arena);
    assert_null(model.carried.data);
    assert_non_null(model.left_out);
    ember_arena_free(&arena);
}

TEST(what_cannot_be_carried_is_left_out)
{
    made m;
    figure(&m, "", ",'cameras':[{}]");
    assert_not_carried(&m, (ember_read_options){.path = NULL});
    assert_not_carried(&m, (ember_read_options){.carry = true, .scale = 2.0});
    assert_not_carried(&m, (ember_read_options){.carry = true, .skip_meshes = true});
    /* nodes above that stretch unevenly: a bone's own transform would shear */
    figure(&m, ",'scale':[1,2,1]", ",'cameras':[{}]");
    assert_not_carried(&m, carry);
    figure(&m, ",'scale':[0,0,0]", ",'cameras':[{}]");
    assert_not_carried(&m, carry);
    /* a view that nobody reads is not in its buffer */
    figure(&m, "", ",'cameras':[{}]");
    made_line(m.views, sizeof(m.views), ",{'buffer':0,'byteOffset':100,'byteLength':5000}");
    assert_not_carried(&m, carry);
}

TEST(a_changed_model_is_written_from_scratch_and_says_what_that_loses)
{
    made            m;
    fixture_notes   notes;
    ember_transform rest[2];
    ember_arena     arena = ember_arena_growing(ember_heap(), 0);
    figure(&m, "", ",'cameras':[{}]");
    ember_model  model = made_read(&m, carry, &arena);
    ember_buffer file = {.allocator = ember_heap()};
    memcpy(rest, model.skeleton.rest, sizeof(rest));
    model.skeleton.rest = rest;
    ember_write_options options = {.format = EMBER_FORMAT_GLB, .notes = fixture_listen(&notes)};
    assert_int_equal(ember_model_write(&file, &model, &options, NULL), EMBER_OK);
    assert_non_null(strstr(notes.text, "L not kept: 1 camera\n"));
    assert_null(strstr((const char *)file.data + 20, "cameras"));
    ember_buffer_free(&file);
    ember_arena_free(&arena);
}

TEST(a_matrix_of_an_animated_node_becomes_a_transform)
{
    made        m;
    ember_arena arena = ember_arena_growing(ember_heap(), 0);
    figure(&m, "", "");
    char *knee = strstr(m.rest, "\"translation\":[0,1,0]}");
    assert_non_null(knee);
    char after[4096];
    snprintf(after, sizeof(after), "%s", knee + strlen("\"translation\":[0,1,0]}"));
    snprintf(knee, sizeof(m.rest) - (size_t)(knee - m.rest),
             "\"matrix\":[2,0,0,0,0,2,0,0,0,0,2,0,0,1,0,1]}%s", after);
    ember_model   model = made_read(&m, carry, &arena);
    document      d = document_of(&model);
    const json_t *node = json_array_get(list(&d, "nodes"), 2);
    assert_null(json_object_get(node, "matrix"));
    assert_float_equal(json_number_value(json_array_get(json_object_get(node, "scale"), 0)), 2.0, 1e-6);
    assert_float_equal(json_number_value(json_array_get(json_object_get(node, "translation"), 1)), 1.0, 1e-6);
    document_free(&d);
    ember_arena_free(&arena);
}

/* Accessors of old keys go, unless something unknown might name them. */
TEST(only_known_documents_lose_what_nobody_uses)
{
    made        m;
    ember_arena arena = ember_arena_growing(ember_heap(), 0);
    figure(&m, "", "");
    ember_model model = made_read(&m, carry, &arena);
    document    d = document_of(&model);
    /* times and moves of the lamp stay, the knee's turns go; the clips bring their own */
    size_t      known = json_array_size(list(&d, "accessors"));
    document_free(&d);
    figure(&m, "", ",'extensionsUsed':['VENDOR_x']");
    model = made_read(&m, carry, &arena);
    d = document_of(&model);
    assert_int_equal(json_array_size(list(&d, "accessors")), known + 1);
    document_free(&d);
    ember_arena_free(&arena);
}
