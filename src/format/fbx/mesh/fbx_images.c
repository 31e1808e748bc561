/* SPDX-License-Identifier: MIT */
/* The image of a texture: embedded in the file, or beside it. One that is missing, or no image,
   is a warning. */
#include "format/fbx/mesh/fbx_mesh.h"
#include "format/images.h"

#include <string.h>

/* ---- embedded ---- */

static int base64_value(char c)
{
    return c >= 'A' && c <= 'Z'   ? c - 'A'
           : c >= 'a' && c <= 'z' ? c - 'a' + 26
           : c >= '0' && c <= '9' ? c - '0' + 52
           : c == '+'             ? 62
           : c == '/'             ? 63
                                  : -1;
}

/* One piece; each has its own padding. What is not base64 ends it. */
static bool base64_append(ember_buffer *out, fbx_text piece)
{
    uint32_t bits = 0, count = 0;
    for (size_t i = 0; i < piece.size; i++) {
        char c = piece.data[i];
        int  value = base64_value(c);
        if (value < 0 && (c == '=' || c == ' ' || c == '\t' || c == '\r' || c == '\n'))
            continue;
        if (value < 0)
            return true;
        bits = bits << 6 | (uint32_t)value;
        count += 6;
        if (count >= 8) {
            uint8_t byte = (uint8_t)(bits >> (count -= 8));
            if (!ember_buffer_append(out, &byte, 1))
                return false;
        }
    }
    return true;
}

/* Nothing where the video has no content. */
static ember_status content_read(const fbx_document *doc, ember_buffer *out, uint32_t video)
{
    fbx_cursor cursor =
        emberi_fbx_values(&doc->file, emberi_fbx_child(&doc->file, doc->objects[video].record, "Content"));
    fbx_value value;
    bool      room = true;
    while (room && emberi_fbx_next(&cursor, &value)) {
        if (value.kind == FBX_VALUE_BYTES && value.text.size != 0)
            room = ember_buffer_append(out, value.text.data, value.text.size);
        else if (value.kind == FBX_VALUE_TEXT && doc->file.is_text)
            room = base64_append(out, value.text);
    }
    return room ? EMBER_OK : emberi_fail_memory(doc->file.source->err);
}

/* The video's content, or that of another video of the same file: one may be empty. */
static ember_status image_embedded(const fbx_document *doc, ember_buffer *out, uint32_t video)
{
    if (video == FBX_NONE)
        return EMBER_OK;
    EMBERI_TRY(content_read(doc, out, video));
    fbx_text name = emberi_fbx_file_name(doc, video, "RelativeFilename");
    for (uint32_t i = 1; i < doc->object_count && out->size == 0; i++) {
        if (i == video || doc->objects[i].kind != FBX_VIDEO ||
            (!emberi_fbx_same_text(doc->objects[i].name, doc->objects[video].name) &&
             (name.size == 0 ||
              !emberi_fbx_same_text(emberi_fbx_file_name(doc, i, "RelativeFilename"), name))))
            continue;
        EMBERI_TRY(content_read(doc, out, i));
    }
    return EMBER_OK;
}

/* ---- either ---- */

static ember_status image_keep(fbx_scene *scene, fbx_image *out, const ember_buffer *bytes, const char *name)
{
    const emberi_source *source = scene->doc->file.source;
    uint8_t             *copy;
    if (!emberi_image_is_known(bytes->data, bytes->size)) {
        emberi_notef(&source->options->notes, EMBER_NOTE_WARNING, NULL, NULL,
                     "image %s is neither PNG nor JPEG: the texture is left out", emberi_quote(name).text);
        return EMBER_OK;
    }
    EMBERI_TRY(FBX_PUSH(&scene->doc->file, &copy, source->arena, uint8_t, bytes->size));
    memcpy(copy, bytes->data, bytes->size);
    out->data = copy;
    out->size = bytes->size;
    return EMBER_OK;
}

ember_status emberi_fbx_image_get(fbx_scene *scene, fbx_image *out, uint32_t texture)
{
    const emberi_source *source = scene->doc->file.source;
    uint32_t             video = emberi_fbx_child_of_kind(scene->doc, texture, FBX_VIDEO);
    ember_buffer         bytes = {.allocator = emberi_source_heap(source)}, file = {.data = NULL};
    char                *names[4];
    const char          *name = "";
    EMBERI_TRY(emberi_fbx_image_names(scene->doc, names, texture));
    for (int i = 4; i-- > 0;)
        name = names[i] != NULL ? emberi_fbx_base_name(names[i]) : name;
    bool         found = false;
    ember_status status = image_embedded(scene->doc, &bytes, video);
    if (status == EMBER_OK && bytes.size == 0)
        status = emberi_fbx_image_beside(scene->doc, &file, names, &found);
    if (status == EMBER_OK && (bytes.size != 0 || found))
        status = image_keep(scene, out, found ? &file : &bytes, name);
    else if (status == EMBER_OK)
        emberi_notef(&source->options->notes, EMBER_NOTE_WARNING, NULL, NULL,
                     "image %s is neither in the file nor beside it: the texture is left out",
                     emberi_quote(name).text);
    ember_buffer_free(&bytes);
    emberi_source_free_beside(source, &file);
    out->loaded = true;
    return status;
}
