/* SPDX-License-Identifier: MIT */
/* The image of a texture: embedded in the file, or beside it under the rules of glTF's images. Absolute paths
   and paths that lead up are cut to their last name; a file that is missing is a warning. */
#include "format/fbx/mesh/fbx_mesh.h"
#include "format/images.h"
#include "platform/folders.h"

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

static fbx_text file_name(const fbx_document *doc, uint32_t object, const char *field)
{
    return emberi_fbx_string(&doc->file, emberi_fbx_child(&doc->file, doc->objects[object].record, field), 0);
}

/* The video's content, or that of another video of the same file: one may be empty. */
static ember_status image_embedded(const fbx_document *doc, ember_buffer *out, uint32_t video)
{
    if (video == FBX_NONE)
        return EMBER_OK;
    EMBERI_TRY(content_read(doc, out, video));
    fbx_text name = file_name(doc, video, "RelativeFilename");
    for (uint32_t i = 1; i < doc->object_count && out->size == 0; i++) {
        if (i == video || doc->objects[i].kind != FBX_VIDEO ||
            (!emberi_fbx_same_text(doc->objects[i].name, doc->objects[video].name) &&
             (name.size == 0 || !emberi_fbx_same_text(file_name(doc, i, "RelativeFilename"), name))))
            continue;
        EMBERI_TRY(content_read(doc, out, i));
    }
    return EMBER_OK;
}

/* ---- beside the file ---- */

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/'), *drive = strrchr(path, ':');
    const char *name = slash != NULL ? slash + 1 : path;
    return drive != NULL && drive >= name ? drive + 1 : name;
}

/* A path below the file's folder. */
static bool is_below(const char *path)
{
    for (const char *p = path; *p != '\0'; p++)
        if ((unsigned char)*p < 0x20 || *p == ':')
            return false;
    for (const char *segment = path; segment != NULL; segment = strchr(segment, '/')) {
        segment += *segment == '/';
        if (segment[0] == '.' && segment[1] == '.' && (segment[2] == '/' || segment[2] == '\0'))
            return false;
    }
    return path[0] != '/' && path[0] != '\0';
}

typedef struct image_search {
    const fbx_document *doc;
    ember_arena         arena;
    ember_buffer       *file;
    bool                no_room;
} image_search;

static bool same_letters(const char *a, const char *b)
{
    for (; *a != '\0' && *b != '\0'; a++, b++)
        if ((*a >= 'A' && *a <= 'Z' ? *a + 32 : *a) != (*b >= 'A' && *b <= 'Z' ? *b + 32 : *b))
            return false;
    return *a == *b;
}

static bool search_path(image_search *search, const char *relative)
{
    ember_error err = EMBER_ERROR_INIT;
    char       *path = emberi_image_path(search->doc->file.source, &search->arena, relative);
    search->no_room = search->no_room || path == NULL;
    if (path == NULL || emberi_path_is(path) != EMBERI_PATH_FILE)
        return false;
    ember_status status = emberi_source_read_beside(search->doc->file.source, search->file, path, &err);
    search->no_room = search->no_room || status == EMBER_E_NOMEM;
    return status == EMBER_OK;
}

/* The name with the letters that the folder has it in; `folder` ends with a slash or is empty. */
static bool search_letters(image_search *search, const char *folder, char *name)
{
    char *path =
        emberi_image_path(search->doc->file.source, &search->arena, folder[0] != '\0' ? folder : ".");
    search->no_room = search->no_room || path == NULL;
    emberi_folder *listing = path != NULL ? emberi_folder_open(path) : NULL;
    const char    *found = NULL;
    while (listing != NULL && (found = emberi_folder_next(listing)) != NULL && !same_letters(found, name))
        ;
    if (found != NULL)
        memcpy(name, found, strlen(name)); /* the same but for their case */
    emberi_folder_close(listing);
    return found != NULL;
}

static bool search_in(image_search *search, const char *folder, const char *name, bool any_case)
{
    char   relative[1024];
    size_t folder_size = strlen(folder), name_size = strlen(name);
    if (search->no_room || folder_size + name_size + 1 > sizeof(relative))
        return false;
    memcpy(relative, folder, folder_size);
    memcpy(relative + folder_size, name, name_size + 1);
    if (any_case && !search_letters(search, folder, relative + folder_size))
        return false;
    return search_path(search, relative);
}

static bool search_names(image_search *search, char *const names[4])
{
    const emberi_source *source = search->doc->file.source;
    char                 fbm[512] = "";
    const char          *own = base_name(source->options->path), *dot = strrchr(own, '.');
    size_t               own_size = dot != NULL ? (size_t)(dot - own) : strlen(own);
    if (own_size + 6 < sizeof(fbm)) {
        memcpy(fbm, own, own_size);
        memcpy(fbm + own_size, ".fbm/", 6);
    }
    const char *const folders[3] = {"", fbm, "textures/"};
    for (int i = 0; i < 4; i++)
        if (names[i] != NULL && is_below(names[i]) && search_in(search, "", names[i], false))
            return true;
    for (int step = 0; step < 24; step++) { /* exact letters first, folder after folder */
        const char *name = names[step % 4] != NULL ? base_name(names[step % 4]) : "";
        if (name[0] != '\0' && is_below(name) && search_in(search, folders[step / 4 % 3], name, step >= 12))
            return true;
    }
    return false;
}

/* Relative names first, then those with the path of the machine it was made on. */
static ember_status image_beside(const fbx_scene *scene, ember_buffer *out, char *const names[4], bool *found)
{
    const emberi_source *source = scene->doc->file.source;
    image_search search = {scene->doc, ember_arena_growing(emberi_source_heap(source), SIZE_MAX), out, false};
    *found = source->options->path != NULL && strcmp(source->options->path, "-") != 0 &&
             search_names(&search, names);
    ember_arena_free(&search.arena);
    return search.no_room ? emberi_fail_memory(source->err) : EMBER_OK;
}

/* ---- either ---- */

static ember_status image_names(fbx_scene *scene, char *names[4], uint32_t texture, uint32_t video)
{
    const fbx_document      *doc = scene->doc;
    static const char *const fields[] = {"RelativeFilename", "RelativeFilename", "Filename", "FileName"};
    for (int i = 0; i < 4; i++) {
        uint32_t object = i == 0 || i == 2 ? video : texture;
        fbx_text name = object != FBX_NONE ? file_name(doc, object, fields[i]) : (fbx_text){"", 0};
        names[i] = NULL;
        if (name.size == 0)
            continue;
        names[i] = emberi_fbx_copy(&doc->file, &scene->doc->file.pass, name);
        if (names[i] == NULL)
            return EMBER_E_NOMEM;
        for (char *p = names[i]; *p != '\0'; p++)
            *p = *p == '\\' ? '/' : *p;
    }
    return EMBER_OK;
}

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
    EMBERI_TRY(image_names(scene, names, texture, video));
    for (int i = 4; i-- > 0;)
        name = names[i] != NULL ? base_name(names[i]) : name;
    bool         found = false;
    ember_status status = image_embedded(scene->doc, &bytes, video);
    if (status == EMBER_OK && bytes.size == 0)
        status = image_beside(scene, &file, names, &found);
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
