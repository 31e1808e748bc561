/* SPDX-License-Identifier: MIT */
/* Where the image of a texture is beside the file, under the rules of glTF's images. Absolute paths and paths
   that lead up are cut to their last name. */
#include "format/fbx/mesh/fbx_mesh.h"
#include "format/images.h"
#include "platform/folders.h"

#include <string.h>

/* ---- its names ---- */

fbx_text emberi_fbx_file_name(const fbx_document *doc, uint32_t object, const char *field)
{
    return emberi_fbx_string(&doc->file, emberi_fbx_child(&doc->file, doc->objects[object].record, field), 0);
}

const char *emberi_fbx_base_name(const char *path)
{
    const char *slash = strrchr(path, '/'), *drive = strrchr(path, ':');
    const char *name = slash != NULL ? slash + 1 : path;
    return drive != NULL && drive >= name ? drive + 1 : name;
}

ember_status emberi_fbx_image_names(fbx_document *doc, char *names[4], uint32_t texture)
{
    uint32_t                 video = emberi_fbx_child_of_kind(doc, texture, FBX_VIDEO);
    static const char *const fields[] = {"RelativeFilename", "RelativeFilename", "Filename", "FileName"};
    for (int i = 0; i < 4; i++) {
        uint32_t object = i == 0 || i == 2 ? video : texture;
        fbx_text name = object != FBX_NONE ? emberi_fbx_file_name(doc, object, fields[i]) : (fbx_text){"", 0};
        names[i] = NULL;
        if (name.size == 0)
            continue;
        names[i] = emberi_fbx_copy(&doc->file, &doc->file.pass, name);
        if (names[i] == NULL)
            return EMBER_E_NOMEM;
        for (char *p = names[i]; *p != '\0'; p++)
            *p = *p == '\\' ? '/' : *p;
    }
    return EMBER_OK;
}

/* ---- the search ---- */

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
    ember_buffer       *file; /* where its bytes go; NULL: only its path is wanted */
    const char         *path;
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
    search->path = path;
    if (search->file == NULL)
        return true;
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
    const char          *own = emberi_fbx_base_name(source->options->path), *dot = strrchr(own, '.');
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
        const char *name = names[step % 4] != NULL ? emberi_fbx_base_name(names[step % 4]) : "";
        if (name[0] != '\0' && is_below(name) && search_in(search, folders[step / 4 % 3], name, step >= 12))
            return true;
    }
    return false;
}

/* Relative names first, then those with the path of the machine it was made on. */
static ember_status image_search_run(image_search *search, char *const names[4], bool *found)
{
    const emberi_source *source = search->doc->file.source;
    search->arena = ember_arena_growing(emberi_source_heap(source), SIZE_MAX);
    *found = source->options->path != NULL && strcmp(source->options->path, "-") != 0 &&
             search_names(search, names);
    return search->no_room ? emberi_fail_memory(source->err) : EMBER_OK;
}

ember_status emberi_fbx_image_beside(const fbx_document *doc, ember_buffer *out, char *const names[4],
                                     bool *found)
{
    image_search search = {.doc = doc, .file = out};
    ember_status status = image_search_run(&search, names, found);
    ember_arena_free(&search.arena);
    return status;
}

/* ---- what other files it is made of ---- */

/* The path as the caller would write it; NULL in *out where there is no such file. */
static ember_status reference_find(fbx_document *doc, const char **out, uint32_t texture)
{
    const emberi_source *source = doc->file.source;
    image_search         search = {.doc = doc};
    char                *names[4];
    bool                 found = false;
    *out = NULL;
    EMBERI_TRY(emberi_fbx_image_names(doc, names, texture));
    ember_status status = image_search_run(&search, names, &found);
    if (status == EMBER_OK && found) {
        *out = emberi_copy_text(source->arena,
                                search.path + (strchr(source->options->path, '/') == NULL ? 2 : 0));
        status = *out != NULL ? EMBER_OK : EMBER_E_NOMEM;
    }
    ember_arena_free(&search.arena);
    return status;
}

ember_status emberi_fbx_references(const char *const **paths, uint32_t *count, const emberi_source *source)
{
    fbx_document doc;
    const char **list;
    EMBERI_TRY(emberi_fbx_document_open(&doc, source));
    ember_status status = FBX_PUSH(&doc.file, &list, source->arena, const char *, doc.object_count);
    for (uint32_t i = 1; i < doc.object_count && status == EMBER_OK; i++) {
        const char      *found = NULL;
        ember_arena_mark mark = ember_arena_save(&doc.file.pass);
        if (doc.objects[i].kind == FBX_TEXTURE)
            status = reference_find(&doc, &found, i);
        ember_arena_restore(&doc.file.pass, mark);
        for (uint32_t k = 0; k < *count && found != NULL; k++)
            found = strcmp(list[k], found) == 0 ? NULL : found;
        if (status == EMBER_OK && found != NULL)
            list[(*count)++] = found;
    }
    *paths = list;
    emberi_fbx_document_close(&doc);
    return status;
}
