/* SPDX-License-Identifier: MIT */
/* Small glTF documents for the tests: bytes are added one accessor after another, the rest of the JSON is
   written by hand, with ' in place of ". */
#ifndef EMBER_TESTS_FORMAT_GLTF_MADE_H
#define EMBER_TESTS_FORMAT_GLTF_MADE_H

#include "ember/ember.h"

#include "format/fixture.h"

#include "base/bytes.h"

typedef struct made {
    char     views[2048], accessors[4096], rest[8192];
    uint8_t  bin[4096];
    size_t   bin_size;
    unsigned view_count, accessor_count;
} made;

static inline void made_print(char *text, size_t size, const char *format, va_list arguments)
{
    size_t used = strlen(text);
    int    put = vsnprintf(text + used, size - used, format, arguments);
    assert_in_range(put, 0, size - used - 1);
    for (char *c = text + used; *c != '\0'; c++)
        *c = *c == '\'' ? '"' : *c;
}

/* Members of the document behind buffers, views and accessors, each with a comma in front. */
static inline void made_rest(made *m, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    made_print(m->rest, sizeof(m->rest), format, arguments);
    va_end(arguments);
}

static inline void made_line(char *list, size_t size, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    made_print(list, size, format, arguments);
    va_end(arguments);
}

/* A view over these bytes; `more` are further members, or "". */
static inline unsigned made_view(made *m, const void *data, size_t size, const char *more)
{
    assert_true(m->bin_size + size + 4 <= sizeof(m->bin));
    memcpy(m->bin + m->bin_size, data, size);
    made_line(m->views, sizeof(m->views), "%s{'buffer':0,'byteOffset':%zu,'byteLength':%zu%s}",
              m->view_count != 0 ? "," : "", m->bin_size, size, more);
    m->bin_size = (m->bin_size + size + 3) & ~(size_t)3;
    return m->view_count++;
}

/* An accessor with all members but these by hand. */
static inline unsigned made_accessor(made *m, const char *type, unsigned component, unsigned count,
                                     const char *more)
{
    made_line(m->accessors, sizeof(m->accessors), "%s{'type':'%s','componentType':%u,'count':%u%s}",
              m->accessor_count != 0 ? "," : "", type, component, count, more);
    return m->accessor_count++;
}

static inline unsigned made_values(made *m, const char *type, unsigned component, unsigned count,
                                   const void *data, size_t size, const char *more)
{
    char members[128];
    snprintf(members, sizeof(members), ",'bufferView':%u%s", made_view(m, data, size, ""), more);
    return made_accessor(m, type, component, count, members);
}

static inline unsigned made_floats(made *m, const char *type, unsigned count, const float *values)
{
    unsigned width = strcmp(type, "SCALAR") == 0 ? 1u
                     : strcmp(type, "MAT4") == 0 ? 16u
                                                 : (unsigned)(type[3] - '0');
    return made_values(m, type, 5126, count, values, sizeof(float) * width * count, "");
}

/* The JSON, with its buffer given by `buffer` ("" where the binary chunk is meant). */
static inline char *made_json(const made *m, const char *buffer)
{
    size_t size = sizeof(*m) + strlen(buffer) + 256;
    char  *text = test_alloc(size);
    text[0] = '\0';
    made_line(text, size, "{'asset':{'version':'2.0'},'buffers':[{'byteLength':%zu%s}]", m->bin_size, buffer);
    if (m->view_count != 0)
        made_line(text, size, ",'bufferViews':[%s]", m->views);
    if (m->accessor_count != 0)
        made_line(text, size, ",'accessors':[%s]", m->accessors);
    made_line(text, size, "%s}", m->rest);
    return text;
}

/* A .glb around any JSON. */
static inline uint8_t *made_wrap(const char *json, const void *bin, size_t bin_size, size_t *size)
{
    size_t   json_size = (strlen(json) + 3) & ~(size_t)3;
    uint8_t *data;
    *size = 12 + 8 + json_size + (bin_size != 0 ? 8 + bin_size : 0);
    data = test_alloc(*size);
    memset(data, ' ', *size);
    memcpy(data, "glTF", 4);
    emberi_put_u32(data + 4, 2);
    emberi_put_u32(data + 8, (uint32_t)*size);
    emberi_put_u32(data + 12, (uint32_t)json_size);
    memcpy(data + 16, "JSON", 4);
    memcpy(data + 20, json, strlen(json));
    if (bin_size != 0) {
        emberi_put_u32(data + 20 + json_size, (uint32_t)bin_size);
        memcpy(data + 24 + json_size, "BIN\0", 4);
        memcpy(data + 28 + json_size, bin, bin_size);
    }
    return data;
}

static inline uint8_t *made_glb(const made *m, size_t *size)
{
    char    *json = made_json(m, "");
    uint8_t *data = made_wrap(json, m->bin, m->bin_size, size);
    free(json);
    return data;
}

/* Reads what must be good. */
static inline ember_model made_read(const made *m, ember_read_options options, ember_arena *arena)
{
    size_t      size;
    uint8_t    *data = made_glb(m, &size);
    ember_model model = fixture_read(data, size, options, arena);
    free(data);
    return model;
}

static inline void made_refuse(const made *m, ember_read_options options, ember_status wanted,
                               const char *text)
{
    size_t   size;
    uint8_t *data = made_glb(m, &size);
    fixture_refuse(data, size, options, wanted, text);
    free(data);
}

/* A text with ' for ", as a .gltf file of its own. */
static inline void made_refuse_json(const char *text, ember_status wanted, const char *words)
{
    char *json = (char *)test_exact_copy(text, strlen(text) + 1);
    for (char *c = json; *c != '\0'; c++)
        *c = *c == '\'' ? '"' : *c;
    fixture_refuse(json, strlen(json), (ember_read_options){.format = EMBER_FORMAT_GLTF}, wanted, words);
    free(json);
}

/* A node "n" whose `path` has these keys; `more` are further members of the sampler. */
static inline void channel_make(made *m, const char *path, unsigned input, unsigned output, const char *more)
{
    made_rest(m,
              ",'nodes':[{'name':'n'}],'animations':[{'name':'a','channels':[{'sampler':0,'target':{'node':0,"
              "'path':'%s'}}],"
              "'samplers':[{'input':%u,'output':%u%s}]}]",
              path, input, output, more);
}

/* The only clip; its frames stay in the arena. */
static inline ember_clip clip_of(const made *m, ember_read_options options, ember_arena *arena)
{
    ember_model model = made_read(m, options, arena);
    assert_int_equal(model.clip_count, 1);
    assert_int_equal(model.clips[0].space, EMBER_SPACE_LOCAL);
    return model.clips[0];
}

#endif
