/* SPDX-License-Identifier: MIT */
/* The glTF document that the child makes: lists that grow by themselves, and the buffer behind them. */
#include "format/fbx/fbx_parts.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "format/gltf/gltf.h"
#include "format/gltf/write/gltf_write.h"

void emberi_fbx_out_make(fbx_out *out)
{
    memset(out, 0, sizeof(*out));
    out->bin.allocator = out->notes.allocator = ember_heap();
    for (int i = 0; i < FBX_LIST_COUNT; i++) {
        out->texts[i].allocator = ember_heap();
        out->lists[i] = (emberi_json_out){.buffer = &out->texts[i], .compact = true};
        emberi_json_array(&out->lists[i]);
    }
}

void emberi_fbx_out_free(fbx_out *out)
{
    for (int i = 0; i < FBX_LIST_COUNT; i++)
        ember_buffer_free(&out->texts[i]);
    ember_buffer_free(&out->bin);
    ember_buffer_free(&out->notes);
}

emberi_json_out *emberi_fbx_add(fbx_out *out, fbx_list list)
{
    out->counts[list]++;
    emberi_json_object(&out->lists[list]);
    return &out->lists[list];
}

void emberi_fbx_put_index(emberi_json_out *json, const char *key, uint32_t index)
{
    if (index == FBX_NONE)
        return;
    emberi_json_put_integer(json, key, index);
}

/* ---- numbers ---- */

/* Room at the buffer's end, on a multiple of 4, with a view over it. */
static uint8_t *out_room(fbx_out *out, size_t size, uint32_t *view)
{
    size_t           step = (4 - out->bin.size % 4) % 4;
    uint8_t         *room = ember_buffer_grow(&out->bin, step + size);
    emberi_json_out *json = emberi_fbx_add(out, FBX_VIEWS);
    *view = out->counts[FBX_VIEWS] - 1;
    if (room == NULL) {
        out->failed = true;
        emberi_json_object_end(json);
        return NULL;
    }
    memset(room, 0, step);
    emberi_fbx_put_index(json, "buffer", 0);
    emberi_json_put_integer(json, "byteOffset", (int64_t)(out->bin.size - size));
    emberi_json_put_integer(json, "byteLength", (int64_t)size);
    emberi_json_object_end(json);
    return room + step;
}

static uint32_t out_accessor(fbx_out *out, uint32_t view, size_t count, gltf_component component,
                             const char *type)
{
    emberi_json_out *json = emberi_fbx_add(out, FBX_ACCESSORS);
    emberi_fbx_put_index(json, "bufferView", view);
    emberi_json_put_integer(json, "componentType", component);
    emberi_json_put_integer(json, "count", (int64_t)count);
    emberi_json_put_string(json, "type", type);
    emberi_json_object_end(json);
    return out->counts[FBX_ACCESSORS] - 1;
}

uint32_t emberi_fbx_floats(fbx_out *out, const float *values, size_t count, uint32_t components)
{
    static const char *const types[] = {"SCALAR", "VEC2", "VEC3", "VEC4"};
    uint32_t                 view;
    uint8_t                 *room = out_room(out, count * components * 4, &view);
    for (size_t i = 0; room != NULL && i < count * components; i++)
        emberi_put_u32(room + i * 4, emberi_bits_of(values[i]));
    return out_accessor(out, view, count, GLTF_F32, components == 16 ? "MAT4" : types[components - 1]);
}

uint32_t emberi_fbx_joints(fbx_out *out, const uint16_t (*joints)[4], size_t count)
{
    uint32_t view;
    uint8_t *room = out_room(out, count * 8, &view);
    for (size_t i = 0; room != NULL && i < count * 4; i++)
        emberi_put_u16(room + i * 2, joints[i / 4][i % 4]);
    return out_accessor(out, view, count, GLTF_U16, "VEC4");
}

uint32_t emberi_fbx_indices(fbx_out *out, const uint32_t *indices, size_t count)
{
    uint32_t view;
    uint8_t *room = out_room(out, count * 4, &view);
    for (size_t i = 0; room != NULL && i < count; i++)
        emberi_put_u32(room + i * 4, indices[i]);
    return out_accessor(out, view, count, GLTF_U32, "SCALAR");
}

uint32_t emberi_fbx_view(fbx_out *out, const void *data, size_t size)
{
    uint32_t view;
    uint8_t *room = out_room(out, size, &view);
    if (room != NULL && size != 0)
        memcpy(room, data, size);
    return view;
}

void emberi_fbx_note(fbx_out *out, const char *format, ...)
{
    char    line[512];
    va_list arguments;
    va_start(arguments, format);
    int size = vsnprintf(line, sizeof(line) - 1, format, arguments);
    va_end(arguments);
    size_t used = size < 0 ? 0 : (size_t)size < sizeof(line) - 2 ? (size_t)size : sizeof(line) - 2;
    line[used++] = '\n';
    out->failed = !ember_buffer_append(&out->notes, line, used) || out->failed;
}

/* ---- the file ---- */

ember_status emberi_fbx_finish(ember_buffer *glb, fbx_out *out, ember_error *err)
{
    static const char *const names[FBX_LIST_COUNT] = {"nodes",  "skins",     "animations",
                                                      "meshes", "materials", "textures",
                                                      "images", "accessors", "bufferViews"};
    char                     buffers[64];
    ember_buffer             text = {.allocator = glb->allocator};
    bool                     good = !out->failed;
    static const char        start[] = "{\"asset\":{\"version\":\"2.0\"}";
    good = good && ember_buffer_append(&text, start, sizeof(start) - 1);
    for (int i = 0; good && i < FBX_LIST_COUNT; i++) {
        char key[32];
        int  size = snprintf(key, sizeof(key), ",\"%s\":", names[i]);
        emberi_json_array_end(&out->lists[i]);
        if (out->counts[i] != 0)
            good = !out->lists[i].failed && ember_buffer_append(&text, key, (size_t)size) &&
                   ember_buffer_append(&text, out->texts[i].data, out->texts[i].size);
    }
    int size = snprintf(buffers, sizeof(buffers), ",\"buffers\":[{\"byteLength\":%zu}]}", out->bin.size);
    if (out->bin.size == 0)
        size = snprintf(buffers, sizeof(buffers), "}");
    good = good && ember_buffer_append(&text, buffers, (size_t)size);
    ember_status status = good ? emberi_glb_join(glb, &text, &out->bin, err) : emberi_fail_memory(err);
    ember_buffer_free(&text);
    return status;
}
