/* SPDX-License-Identifier: MIT */
/* glTF 2.0 as a document: the container, base64, URIs, and one clear line for everything that can be wrong in
   the JSON.
   Covers: gltf_file.c, gltf_json.c, gltf_read.c, gltf_references.c, gltf_uri.c. */
#define _POSIX_C_SOURCE 200809L /* mkdtemp */

#include "gltf_made.h"

#include "format/gltf/gltf.h"

#define V2 "'asset':{'version':'2.0'}"

/* Two bones, one of them turned and moved by three keys: the smallest document that has everything. */
static void small_make(made *m)
{
    static const float times[3] = {0.0f, 0.5f, 1.0f}, ways[9] = {0, 0, 0, 1, 0, 0, 2, 0, 0};
    static const float binds[32] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0,  0, 1,
                                    1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -1, 0, 1};
    static const float corners[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    memset(m, 0, sizeof(*m));
    unsigned t = made_floats(m, "SCALAR", 3, times), v = made_floats(m, "VEC3", 3, ways),
             b = made_floats(m, "MAT4", 2, binds);
    unsigned p = made_floats(m, "VEC3", 3, corners);
    made_rest(m, ",'nodes':[{'name':'hip','children':[1]},{'name':'knee','translation':[0,1,0]},{'name':'"
                 "flag','mesh':0}]");
    made_rest(m, ",'skins':[{'joints':[0,1],'inverseBindMatrices':%u}]", b);
    made_rest(
        m,
        ",'animations':[{'name':'walk','channels':[{'sampler':0,'target':{'node':0,'path':'translation'}}],"
        "'samplers':[{'input':%u,'output':%u}]}]",
        t, v);
    made_rest(m, ",'meshes':[{'primitives':[{'attributes':{'POSITION':%u}}]}]", p);
}

static void small_check(const ember_model *model)
{
    assert_int_equal(model->skeleton.bone_count, 2);
    assert_string_equal(model->skeleton.names[1], "knee");
    assert_int_equal(model->skeleton.parents[1], 0);
    assert_int_equal(model->clip_count, 1);
    assert_string_equal(model->clips[0].name, "walk");
    assert_int_equal(model->clips[0].frame_count, 31);
    assert_true(model->clips[0].frames[2 * 30].position.x == 2.0f);
    assert_int_equal(model->mesh_count, 1);
}

/* ---- the container ---- */

TEST(glb_is_read)
{
    made        m;
    ember_arena arena = ember_arena_growing(ember_heap(), 0);
    small_make(&m);
    ember_model model = made_read(&m, (ember_read_options){.path = NULL}, &arena);
    small_check(&model);
    assert_int_equal(model.format, EMBER_FORMAT_GLB);
    ember_arena_free(&arena);
}

/* Also with a byte order mark, and a name that tells nothing. */
TEST(gltf_with_a_data_uri_is_read)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char              uri[8192] = ",'uri':'data:application/octet-stream;base64,", *end = uri + strlen(uri);
    made              m;
    ember_arena       arena = ember_arena_growing(ember_heap(), 0);
    small_make(&m);
    while (m.bin_size % 3 != 0)
        m.bin[m.bin_size++] = 0;
    for (size_t i = 0; i < m.bin_size; i += 3) {
        uint32_t bits = (uint32_t)m.bin[i] << 16 | (uint32_t)m.bin[i + 1] << 8 | m.bin[i + 2];
        for (int shift = 18; shift >= 0; shift -= 6)
            *end++ = digits[bits >> shift & 63];
    }
    strcpy(end, "'");
    char *json = made_json(&m, uri);
    char *marked = test_alloc(strlen(json) + 4);
    sprintf(marked, "\xef\xbb\xbf%s", json);
    ember_model model = fixture_read(marked, strlen(marked), (ember_read_options){.path = "what"}, &arena);
    small_check(&model);
    assert_int_equal(model.format, EMBER_FORMAT_GLTF);
    ember_arena_free(&arena);
    free(marked);
    free(json);
}

TEST(glb_layout_is_checked)
{
    made               m;
    size_t             size;
    ember_read_options options = {.path = NULL};
    small_make(&m);
    uint8_t *data = made_glb(&m, &size), *longer = test_alloc(size + 4);
    memcpy(longer, data, size);
    memset(longer + size, 0, 4);
    fixture_refuse(longer, size + 4, options, EMBER_E_MALFORMED, "glb: 4 extra bytes");

    emberi_put_u32(longer + 4, 1);
    fixture_refuse(longer, size, options, EMBER_E_VERSION, "glb: version 1, only 2 is read");
    memcpy(longer, data, size);
    emberi_put_u32(longer + 8, (uint32_t)size + 1);
    fixture_refuse(longer, size, options, EMBER_E_TRUNCATED, "bytes by its header");
    memcpy(longer, data, size);
    emberi_put_u32(longer + 8, 11);
    fixture_refuse(longer, size, options, EMBER_E_TRUNCATED, "glb: 11 bytes by its header");
    memcpy(longer, data, size);
    emberi_put_u32(longer + 12, UINT32_MAX);
    fixture_refuse(longer, size, options, EMBER_E_TRUNCATED, "a chunk at byte 12 does not fit");
    memcpy(longer, data, size);
    memcpy(longer + 16, "BIN\0", 4);
    fixture_refuse(longer, size, options, EMBER_E_MALFORMED, "the first chunk is not JSON");
    free(longer);
    free(data);
}

/* Some writers fill the JSON up with zeros. */
TEST(glb_padding_may_be_zeros)
{
    size_t      size;
    ember_arena arena = ember_arena_growing(ember_heap(), 0);
    uint8_t    *data = made_wrap("{\"asset\":{\"version\":\"2.0\"}} ", NULL, 0, &size);
    assert_int_equal(data[size - 1], ' ');
    data[size - 1] = 0;
    ember_model model = fixture_read(data, size, (ember_read_options){.path = NULL}, &arena);
    assert_int_equal(model.skeleton.bone_count, 0);
    ember_arena_free(&arena);
    free(data);
}

/* Chunks that nobody knows may follow; a second BIN is one of them. */
TEST(glb_skips_unknown_chunks)
{
    made        m;
    size_t      size;
    ember_arena arena = ember_arena_growing(ember_heap(), 0);
    small_make(&m);
    uint8_t *data = made_glb(&m, &size), *longer = test_alloc(size + 24);
    memcpy(longer, data, size);
    memcpy(longer + size, "\4\0\0\0WHAT....\4\0\0\0BIN\0....", 24);
    emberi_put_u32(longer + 8, (uint32_t)size + 24);
    ember_model model = fixture_read(longer, size + 24, (ember_read_options){.path = NULL}, &arena);
    small_check(&model);
    ember_arena_free(&arena);
    free(longer);
    free(data);
}

TEST(reader_survives_every_prefix)
{
    made   m;
    size_t size;
    small_make(&m);
    uint8_t *data = made_glb(&m, &size);
    fixture_every_prefix(data, size, (ember_read_options){.format = EMBER_FORMAT_GLB});
    /* The same with a header that agrees, so that the chunks and the JSON are what is cut. */
    for (size_t n = 12; n < size; n++) {
        uint8_t *copy = test_exact_copy(data, n);
        size_t   json_size = emberi_get_u32(data + 12);
        emberi_put_u32(copy + 8, (uint32_t)n);
        if (n > 16)
            emberi_put_u32(copy + 12, (uint32_t)(n - 20 < json_size ? n - 20 : json_size));
        fixture_refuse(copy, n, (ember_read_options){.format = EMBER_FORMAT_GLB},
                       n < 20 ? EMBER_E_TRUNCATED : EMBER_E_MALFORMED, "");
        free(copy);
        if (n >= 20 + (size_t)emberi_get_u32(data + 12))
            break;
    }
    free(data);
}

TEST(reader_survives_every_failing_allocation)
{
    made   m;
    size_t size;
    small_make(&m);
    uint8_t *data = made_glb(&m, &size);
    fixture_every_allocation(data, size, (ember_read_options){.path = NULL, .fps = EMBER_FPS_SOURCE});
    fixture_every_arena(data, size, (ember_read_options){.path = NULL, .fps = 2.0});
    free(data);
}

/* Flips every byte in turn: whatever comes of it, it is a model or a line of text. */
TEST(reader_survives_every_damaged_byte)
{
    made   m;
    size_t size;
    small_make(&m);
    uint8_t *data = made_glb(&m, &size);
    for (size_t i = 0; i < size; i++) {
        for (unsigned bit = 0; bit < 8; bit++) {
            data[i] ^= (uint8_t)(1u << bit);
            (void)fixture_survive(data, size, (ember_read_options){.format = EMBER_FORMAT_GLB});
            data[i] ^= (uint8_t)(1u << bit);
        }
    }
    free(data);
}

/* ---- base64 and URIs ---- */

TEST(base64_follows_rfc_4648)
{
    static const char *const good[][2] = {{"", ""},
                                          {"Zg==", "f"},
                                          {"Zm8=", "fo"},
                                          {"Zm9v", "foo"},
                                          {"Zm9vYg==", "foob"},
                                          {"Zm9vYmE=", "fooba"},
                                          {"Zm9vYmFy", "foobar"},
                                          {"+/+/", "\xfb\xff\xbf"}};
    static const char *const bad[] = {"Z",    "Zg",   "Zg=",      "Zh==",   "Zm9=",  "====",
                                      "=AAA", "A=AA", "Zg==Zg==", "Zm9v\n", "Zm 9v", "Zm9_",
                                      "Zm-v", "AA=A", "\x80gAA",  "A==="};
    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
        uint8_t out[8];
        size_t  size = 99;
        assert_true(emberi_gltf_base64_decode(out, &size, good[i][0], strlen(good[i][0])));
        assert_int_equal(size, strlen(good[i][1]));
        assert_memory_equal(out, good[i][1], size);
    }
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        uint8_t *text = test_exact_copy(bad[i], strlen(bad[i])), *out = test_alloc(strlen(bad[i]) / 4 * 3);
        size_t   size;
        if (emberi_gltf_base64_decode(out, &size, (char *)text, strlen(bad[i])))
            fail_msg("%s", bad[i]);
        free(out);
        free(text);
    }
}

TEST(uris_stay_in_the_folder)
{
    static const char *const good[][2] = {{"a.bin", "a.bin"},       {"sub/a.bin", "sub/a.bin"},
                                          {"a%20b.bin", "a b.bin"}, {"%C3%A4.bin", "\xc3\xa4.bin"},
                                          {"./a..b", "./a..b"},     {"...", "..."},
                                          {"a%2fb", "a/b"},         {"a//b", "a//b"}};
    static const char *const bad[] =
        {"",       "/etc/passwd", "../a",   "a/../b",     "a/..",         "..",    "%2e%2e/a", "a/%2E./b",
         "%2fetc", "http://x/y",  "file:a", "C:%5Ca",     "a\\b",         "a%5cb", "a%00",     "a%",
         "a%2",    "a%zz",        "a\nb",   "b/a:stream", "x+y-z.1:rest", "..%2fa"};
    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
        char uri[32];
        strcpy(uri, good[i][0]);
        assert_true(emberi_gltf_uri_unescape(uri));
        assert_string_equal(uri, good[i][1]);
    }
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        char uri[32];
        strcpy(uri, bad[i]);
        if (emberi_gltf_uri_unescape(uri))
            fail_msg("%s", bad[i]);
    }
}

TEST(buffers_come_from_the_documents_folder)
{
    char        folder[] = "/tmp/ember-gltf-XXXXXX", path[64], document[64];
    made        m;
    ember_arena arena = ember_arena_growing(ember_heap(), 0);
    small_make(&m);
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof(path), "%s/a b.bin", folder);
    snprintf(document, sizeof(document), "%s/none.gltf", folder);
    char *json = made_json(&m, ",'uri':'a%20b.bin'"), *out = made_json(&m, ",'uri':'..%2fb.bin'");
    assert_int_equal(ember_file_write(path, m.bin, m.bin_size, NULL), EMBER_OK);

    ember_model model = fixture_read(json, strlen(json), (ember_read_options){.path = document}, &arena);
    small_check(&model);
    fixture_refuse(out, strlen(out), (ember_read_options){.path = document}, EMBER_E_UNSUPPORTED,
                   "buffers[0].uri: \"..%2fb.bin\" is not a file in the document's folder");
    fixture_refuse(json, strlen(json), (ember_read_options){.format = EMBER_FORMAT_GLTF}, EMBER_E_IO,
                   "the document's folder is not known");
    fixture_refuse(json, strlen(json), (ember_read_options){.path = "-"}, EMBER_E_IO,
                   "the document's folder is not known");
    assert_int_equal(ember_file_write(path, m.bin, 10, NULL), EMBER_OK);
    fixture_refuse(json, strlen(json), (ember_read_options){.path = document}, EMBER_E_TRUNCATED,
                   "buffers[0].byteLength: 212 bytes, 10 are there");
    remove(path);
    fixture_refuse(json, strlen(json), (ember_read_options){.path = document}, EMBER_E_IO,
                   "buffers[0].uri: \"a%20b.bin\": cannot open");
    remove(folder);
    ember_arena_free(&arena);
    free(json);
    free(out);
}

/* ---- what can be wrong ---- */

typedef struct wrong {
    const char  *json;
    ember_status status;
    const char  *words;
} wrong;

TEST(broken_documents_are_one_clear_line)
{
    static const wrong list[] = {
        {"", EMBER_E_MALFORMED, "no glTF: the document is empty"},
        {"  \n", EMBER_E_MALFORMED, "no glTF: the document is empty"},
        {"\x7f"
         "ELF",
         EMBER_E_MALFORMED, "no glTF: neither a GLB file nor a JSON object"},
        {"{'asset':", EMBER_E_MALFORMED, "JSON, line 1, column 9: "},
        {"[]", EMBER_E_MALFORMED, "no glTF: neither a GLB file nor a JSON object"},
        {"{}", EMBER_E_MALFORMED, "asset.version: missing"},
        {"{'asset':{'version':2.0}}", EMBER_E_MALFORMED, "asset.version: missing"},
        {"{'asset':{'version':'1.0'}}", EMBER_E_VERSION, "glTF 1.0, only 2.0 is read"},
        {"{'asset':{'version':'4294967298.0'}}", EMBER_E_VERSION, "glTF 4294967298.0, only 2.0 is read"},
        {"{'asset':{'version':'-2.0'}}", EMBER_E_MALFORMED, "asset.version: missing"},
        {"{'asset':{'version':'2.1','minVersion':'2.1'}}", EMBER_E_VERSION, "glTF 2.1, only 2.0 is read"},
        {"{'asset':{'version':'2.0','minVersion':'x'}}", EMBER_E_MALFORMED,
         "asset.minVersion: not a version"},
        {"{" V2 ",'extensionsRequired':['KHR_mesh_quantization','X_one','Y_two']}", EMBER_E_UNSUPPORTED,
         ": X_one, Y_two"},
        {"{" V2 ",'extensionsRequired':[3]}", EMBER_E_MALFORMED, "extensionsRequired[0]: a text expected"},
        {"{" V2 ",'extensionsRequired':3}", EMBER_E_MALFORMED, "extensionsRequired: a list expected"},
        {"{" V2 ",'scene':1,'scenes':[{}]}", EMBER_E_MALFORMED, "scene: not the number of one of 1 scenes"},
        {"{" V2 ",'scenes':[{'nodes':[0,7]}],'nodes':[{}]}", EMBER_E_MALFORMED,
         "scenes[0].nodes[1]: node 7 of 1"},
        {"{" V2 ",'nodes':{}}", EMBER_E_MALFORMED, "nodes: a list expected"},
        {"{" V2 ",'nodes':[{},3]}", EMBER_E_MALFORMED, "nodes[1]: an object expected"},
        {"{" V2 ",'nodes':[{'name':3}]}", EMBER_E_MALFORMED, "nodes[0].name: a text expected"},
        {"{" V2 ",'nodes':[{'extensions':[]}]}", EMBER_E_MALFORMED,
         "nodes[0].extensions: an object expected"},
        {"{" V2 ",'nodes':[{'children':5}]}", EMBER_E_MALFORMED, "nodes[0].children: a list expected"},
        {"{" V2 ",'nodes':[{},{},{},{'children':[0,99]},{},{},{},{},{},{},{},{}]}", EMBER_E_MALFORMED,
         "nodes[3].children[1]: node 99 of 12"},
        {"{" V2 ",'nodes':[{'children':[-1]}]}", EMBER_E_MALFORMED,
         "nodes[0].children[0]: the number of a node expected"},
        {"{" V2 ",'nodes':[{'children':[1.5]},{}]}", EMBER_E_MALFORMED,
         "nodes[0].children[0]: the number of a node expected"},
        {"{" V2 ",'nodes':[{'children':[2]},{'children':[2]},{}]}", EMBER_E_MALFORMED,
         "nodes[1].children[0]: node 2 has two parents, 0 and 1"},
        {"{" V2 ",'nodes':[{'children':[0]}]}", EMBER_E_MALFORMED, "nodes[0]: the node is its own ancestor"},
        {"{" V2 ",'nodes':[{},{'children':[2]},{'children':[1]}]}", EMBER_E_MALFORMED,
         "the node is its own ancestor"},
        {"{" V2 ",'nodes':[{'mesh':0}]}", EMBER_E_MALFORMED, "nodes[0].mesh: mesh 0 of 0"},
        {"{" V2 ",'nodes':[{'skin':2}],'skins':[{'joints':[0]}]}", EMBER_E_MALFORMED,
         "nodes[0].skin: skin 2 of 1"},
        {"{" V2 ",'nodes':[{'translation':[1,2]}]}", EMBER_E_MALFORMED,
         "nodes[0].translation: 3 numbers expected"},
        {"{" V2 ",'nodes':[{'rotation':[0,0,0,'x']}]}", EMBER_E_MALFORMED,
         "nodes[0].rotation: 4 numbers expected"},
        {"{" V2 ",'nodes':[{'rotation':[0,0,0,0]}]}", EMBER_E_RANGE,
         "nodes[0].rotation: a quaternion of length zero"},
        {"{" V2 ",'nodes':[{'matrix':[1]}]}", EMBER_E_MALFORMED, "nodes[0].matrix: 16 numbers expected"},
        {"{" V2 ",'nodes':[{'translation':[1e39,0,0]}],'skins':[{'joints':[0]}]}", EMBER_E_RANGE,
         "nodes[0]: a number is not finite"},
        {"{" V2 ",'nodes':[{}],'skins':[{}]}", EMBER_E_MALFORMED,
         "skins[0].joints: a list of nodes expected"},
        {"{" V2 ",'nodes':[{}],'skins':[{'joints':[]}]}", EMBER_E_MALFORMED,
         "skins[0].joints: a list of nodes expected"},
        {"{" V2 ",'nodes':[{}],'skins':[{'joints':[0,4]}]}", EMBER_E_MALFORMED,
         "skins[0].joints[1]: node 4 of 1"},
        {"{" V2 ",'nodes':[{}],'skins':[{'joints':[0,0]}]}", EMBER_E_MALFORMED,
         "skins[0].joints[1]: node 0 is a joint of this skin already"},
        {"{" V2 ",'nodes':[{}],'skins':[{'joints':[0]},{'joints':[0,0]}]}", EMBER_E_MALFORMED,
         "skins[1].joints[1]: node 0 is a joint"},
        {"{" V2 ",'nodes':[{}],'skins':[{'joints':[0],'inverseBindMatrices':0}]}", EMBER_E_MALFORMED,
         "skins[0].inverseBindMatrices: accessor 0 of 0"},
        {"{" V2 ",'nodes':[{}],'animations':[{'channels':3}]}", EMBER_E_MALFORMED,
         "animations[0].channels: a list expected"},
        {"{" V2 ",'nodes':[{}],'animations':[{'channels':[{},5]}]}", EMBER_E_MALFORMED,
         "animations[0].channels[1]: an object expected"},
        {"{" V2 ",'nodes':[{}],'animations':[{'channels':[{'target':{'node':0}}]}]}", EMBER_E_MALFORMED,
         "animations[0].channels[0].target: no path"},
        {"{" V2 ",'nodes':[{}],'animations':[{'channels':[{'target':{'node':4,'path':'scale'}}]}]}",
         EMBER_E_MALFORMED, "animations[0].channels[0].node: node 4 of 1"},
        {"{" V2 ",'nodes':[{}],'animations':[{'channels':[{'sampler':2,'target':{'node':0,'path':'scale'}}],'"
         "samplers':[{}]}]}",
         EMBER_E_MALFORMED, "animations[0].channels[0].sampler: sampler 2 of 1"},
        {"{" V2 ",'nodes':[{}],'animations':[{'channels':[{'sampler':0,'target':{'node':0,'path':'scale'}}],'"
         "samplers':[{}]}]}",
         EMBER_E_MALFORMED, "animations[0].samplers[0].input: missing"},
        {"{" V2 ",'nodes':[{}],'animations':[{'channels':[{'sampler':0,'target':{'node':0,'path':'scale'}}],'"
         "samplers':[{'"
         "interpolation':'BEZIER'}]}]}",
         EMBER_E_MALFORMED, "animations[0].samplers[0].interpolation: \"BEZIER\" is none"},
        {"{" V2 ",'nodes':[{'mesh':0}],'meshes':[{'primitives':{}}]}", EMBER_E_MALFORMED,
         "meshes[0].primitives: a list expected"},
        {"{" V2 ",'nodes':[{'mesh':0}],'meshes':[{'primitives':[{'mode':7}]}]}", EMBER_E_MALFORMED,
         "meshes[0].primitives[0].mode: 7 is none"},
        {"{" V2 ",'nodes':[{'mesh':0}],'meshes':[{'primitives':[{'material':1}]}],'materials':[{}]}",
         EMBER_E_MALFORMED, "meshes[0].primitives[0].material: material 1 of 1"},
        {"{" V2 ",'nodes':[{'mesh':0}],'meshes':[{'primitives':[{'attributes':{'POSITION':0}}]}]}",
         EMBER_E_MALFORMED, "meshes[0].primitives[0].POSITION: accessor 0 of 0"},
    };
    for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++)
        made_refuse_json(list[i].json, list[i].status, list[i].words);
}

/* An accessor, its view and its buffer, each wrong in its own way; inverse binds are what reads them. */
TEST(broken_accessors_are_one_clear_line)
{
    static const struct {
        const char  *buffer, *view, *accessor;
        ember_status status;
        const char  *words;
    } list[] = {
        {"", "", "", EMBER_E_MALFORMED, "buffers[0]: no uri, and no binary chunk for it"},
        {"'uri':3", "", "", EMBER_E_MALFORMED, "buffers[0].uri: a text expected"},
        {"'uri':'data:,abc'", "", "", EMBER_E_UNSUPPORTED, "buffers[0].uri: a data URI that is not base64"},
        {"'uri':'data:;base64,Zg='", "", "", EMBER_E_MALFORMED, "buffers[0].uri: not valid base64"},
        {"'byteLength':9,'uri':'data:;base64,Zm9v'", "", "", EMBER_E_TRUNCATED,
         "buffers[0].byteLength: 9 bytes, 3 are there"},
        {"'uri':'https://example.org/a'", "", "", EMBER_E_UNSUPPORTED,
         "is not a file in the document's folder"},
        {"+", "'buffer':1", "", EMBER_E_MALFORMED, "bufferViews[0].buffer: buffer 1 of 1"},
        {"+", "'byteLength':4", "", EMBER_E_MALFORMED, "bufferViews[0].buffer: missing"},
        {"+", "'buffer':0,'byteOffset':1,'byteLength':3", "", EMBER_E_MALFORMED,
         "bufferViews[0]: bytes 1 to 4 of a buffer of 3"},
        {"+", "'buffer':0,'byteOffset':9007199254740992,'byteLength':9007199254740992", "", EMBER_E_MALFORMED,
         "of a buffer of 3"},
        {"+", "'buffer':0,'byteLength':-1", "", EMBER_E_MALFORMED,
         "bufferViews[0].byteLength: a whole number, 0 or more, expected"},
        {"+", "'buffer':0,'byteLength':3,'byteStride':3", "", EMBER_E_MALFORMED,
         "accessors[0]: elements of 64 bytes in a bufferView with a stride of 3"},
        {"+", "'buffer':0,'byteLength':3", "", EMBER_E_MALFORMED,
         "accessors[0]: 1 elements do not fit into bufferView 0 of 3 bytes"},
        {"+", "'buffer':0,'byteLength':3", "'byteOffset':4", EMBER_E_MALFORMED,
         "accessors[0]: 1 elements do not fit"},
        {"+", "'buffer':0,'byteLength':3", "'bufferView':5", EMBER_E_MALFORMED,
         "accessors[0].bufferView: bufferView 5 of 1"},
        {"+", "'buffer':0,'byteLength':3", "'componentType':5124", EMBER_E_MALFORMED,
         "accessors[0].componentType: 5124 is none"},
        {"+", "'buffer':0,'byteLength':3", "'type':'VEC5'", EMBER_E_MALFORMED,
         "accessors[0].type: \"VEC5\" is none that is read"},
        {"+", "'buffer':0,'byteLength':3", "'type':'MAT2'", EMBER_E_MALFORMED,
         "accessors[0].type: \"MAT2\" is none that is read"},
        {"+", "'buffer':0,'byteLength':3", "'normalized':1", EMBER_E_MALFORMED,
         "accessors[0].normalized: true or false expected"},
        {"+", "'buffer':0,'byteLength':3", "'normalized':true", EMBER_E_MALFORMED,
         "accessors[0].normalized: not possible with 32-bit"},
        {"+", "'buffer':0,'byteLength':3", "'count':4294967295", EMBER_E_LIMIT,
         "accessors[0].count: 4294967295 elements are too many"},
        {"+", "'buffer':0,'byteLength':3", "'count':4294967294", EMBER_E_MALFORMED,
         "4294967294 elements do not fit"},
        {"+", "'buffer':0,'byteLength':3", "'sparse':3", EMBER_E_MALFORMED,
         "accessors[0].sparse: an object expected"},
    };
    for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++) {
        char        json[1024];
        const char *buffer =
            list[i].buffer[0] == '+' ? "'byteLength':3,'uri':'data:;base64,Zm9v'" : list[i].buffer;
        const char *view = list[i].view[0] == '\0' ? "'buffer':0,'byteLength':1" : list[i].view;
        const char *more = list[i].accessor;
        snprintf(json, sizeof(json),
                 "{" V2 ",'nodes':[{}],'skins':[{'joints':[0],'inverseBindMatrices':0}],'buffers':[{%s}],'"
                 "bufferViews':[{%s}],"
                 "'accessors':[{'bufferView':0,'componentType':5126,'type':'MAT4','count':1%s%s}]}",
                 buffer, view, more[0] != '\0' ? "," : "", more);
        made_refuse_json(json, list[i].status, list[i].words);
    }
}

/* ---- what a count alone may cost ---- */

TEST(small_files_cannot_ask_for_much)
{
    static const char mesh[] =
        "'meshes':[{'primitives':[{'attributes':{'POSITION':0,'NORMAL':0,'COLOR_0':0}}]}]";
    static const char node[] = "{'mesh':0},";
    static const char keys[] = "'bufferViews':[{'buffer':0,'byteLength':8}],'buffers':[{'byteLength':8,'uri':"
                               "'data:;base64,AAAAAAAAekc='}],"
                               "'animations':[{'channels':[{'sampler':0,'target':{'node':0,'path':'"
                               "translation'}}],'samplers':[{'input':0,'output':1}]}]"
                               ","
                               "'accessors':[{'bufferView':0,'componentType':5126,'type':'SCALAR','count':2},"
                               "{'componentType':5126,'type':'VEC3','count':2}]";
    char              json[5][4096];
    snprintf(json[0], 4096,
             "{" V2
             ",'nodes':[{'mesh':0}],%s,'accessors':[{'componentType':5126,'type':'VEC3','count':1048577}]}",
             mesh);
    /* A mesh of a million zeros on every node. */
    snprintf(json[1], 4096,
             "{" V2 ",%s,'accessors':[{'componentType':5126,'type':'VEC3','count':1048575}],'nodes':[", mesh);
    for (int i = 0; i < 50; i++)
        strcat(json[1], node);
    strcat(json[1], "{}]}");
    /* 64,000 seconds between two keys are 1,920,001 frames; and 400,001 frames of many bones. */
    snprintf(json[2], 4096, "{" V2 ",'nodes':[{}],%s}", keys);
    snprintf(json[3], 4096, "{" V2 ",'nodes':[{},{},{},{},{},{}],'skins':[{'joints':[0,1,2,3,4,5]}],%s}",
             keys);
    /* As many frames of one bone would be right, but five nodes above it move as well. */
    snprintf(json[4], 4096,
             "{" V2 ",'nodes':[{'children':[1]},{'children':[2]},{'children':[3]},{'children':[4]},{'"
             "children':[5]},{}],'skins':["
             "{'joints':[5]}],%s}",
             keys);
    static const char *const words[5] =
        {"accessors[0].count: 1048577 elements without a bufferView, at most 1048576", "needs more than",
         "clip: 1920001 frames (64000 s), at most 1048576", "needs more than", "needs more than"};
    for (int i = 0; i < 5; i++) {
        fixture_heap       heap = {0};
        ember_arena        arena = ember_arena_growing(fixture_allocator(&heap), 0);
        ember_error        err = EMBER_ERROR_INIT;
        ember_model        model;
        ember_read_options options = {.format = EMBER_FORMAT_GLTF, .fps = i >= 3 ? 6.25 : 0.0};
        for (char *c = json[i]; *c != '\0'; c++)
            *c = *c == '\'' ? '"' : *c;
        assert_int_equal(ember_model_read(&model, json[i], strlen(json[i]), &options, &arena, &err),
                         EMBER_E_LIMIT);
        fixture_line line = fixture_error_line(&err);
        if (strstr(line.text, words[i]) == NULL)
            fail_msg("%d: %s", i, line.text);
        assert_true(heap.peak < (size_t)64 << 20);
        assert_int_equal(heap.held, 0);
        ember_arena_free(&arena);
    }
}

/* ---- telling it from others ---- */

TEST(content_tells_the_format)
{
    static const struct {
        const char  *text;
        ember_format format;
    } list[] = {{"glTF", EMBER_FORMAT_GLB},
                {"{\"asset\":{}}", EMBER_FORMAT_GLTF},
                {" \n{ \"nodes\":[], \"asset\" : {\"version\":\"2.0\"}}", EMBER_FORMAT_GLTF},
                {"{\"format\":\"ember-clip\",\"version\":1,\"bones\":[{\"name\":\"asset\"}]}",
                 EMBER_FORMAT_JSON},
                {"{\"asset\":3}", EMBER_FORMAT_UNKNOWN},
                {"{\"other\":{}}", EMBER_FORMAT_UNKNOWN},
                {"[{\"asset\":{}}]", EMBER_FORMAT_UNKNOWN},
                {"glT", EMBER_FORMAT_UNKNOWN}};
    for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++) {
        uint8_t                 *text = test_exact_copy(list[i].text, strlen(list[i].text));
        const ember_format_info *info = ember_format_sniff(text, strlen(list[i].text), NULL);
        assert_int_equal(info != NULL ? info->format : EMBER_FORMAT_UNKNOWN, list[i].format);
        free(text);
    }
    assert_int_equal(ember_format_by_path("a/b.GLB")->format, EMBER_FORMAT_GLB);
    assert_int_equal(ember_format_by_path("b.gltf")->format, EMBER_FORMAT_GLTF);
}
