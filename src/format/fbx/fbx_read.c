/* SPDX-License-Identifier: MIT */
/* FBX for the registry: how it is told from other files, and the order in which it is read. */
#include "format/fbx/fbx_scene.h"

#include <string.h>

/* ---- what this reader does not know ---- */

enum { LOST_SHAPES, LOST_CACHES, LOST_CONSTRAINTS, LOST_CAMERAS, LOST_LIGHTS, LOST_SURFACES, LOST_COUNT };

static bool is_one_of(fbx_text text, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (emberi_fbx_text_is(text, words[i]))
            return true;
    return false;
}

/* Old files list eight cameras that belong to the program and not to the scene. */
static bool is_producer(fbx_text name)
{
    static const char producer[] = "Producer ";
    return emberi_fbx_text_is(name, "Camera Switcher") ||
           (name.size >= sizeof(producer) - 1 && memcmp(name.data, producer, sizeof(producer) - 1) == 0);
}

static int lost_kind(const fbx_document *doc, const fbx_object *object)
{
    static const char *const surfaces[] =
        {"Nurbs",     "NurbsSurface", "NurbsCurve",       "NurbsSurfaceCurve",
         "NurbCurve", "Patch",        "TrimNurbsSurface", "Line"};
    static const char *const cameras[] = {"Camera", "CameraStereo"};
    bool                     shown = object->kind == FBX_MODEL;
    if (object->kind == FBX_SHAPES)
        return emberi_fbx_text_is(object->sub_class, "VertexCacheDeformer") ? LOST_CACHES : LOST_SHAPES;
    if (object->kind == FBX_CONSTRAINT)
        return LOST_CONSTRAINTS;
    if (object->kind == FBX_OTHER && emberi_fbx_record_is(&doc->file, object->record, "Cache"))
        return LOST_CACHES;
    if (shown && is_one_of(object->sub_class, cameras, 2) && !is_producer(object->name))
        return LOST_CAMERAS;
    if (shown && emberi_fbx_text_is(object->sub_class, "Light"))
        return LOST_LIGHTS;
    /* Version 7 has the surface and the model that shows it. */
    if ((doc->by_name ? shown : object->kind == FBX_GEOMETRY) &&
        is_one_of(object->sub_class, surfaces, sizeof(surfaces) / sizeof(surfaces[0])))
        return LOST_SURFACES;
    return LOST_COUNT;
}

/* One line for each kind. */
void emberi_fbx_note_unsupported(const fbx_scene *scene)
{
    static const char *const what[LOST_COUNT] =
        {"blend shape deformer", "vertex cache", "constraint", "camera", "light", "NURBS or patch surface"};
    const fbx_document *doc = scene->doc;
    uint32_t            counts[LOST_COUNT + 1] = {0};
    for (uint32_t i = 1; i < doc->object_count; i++)
        counts[lost_kind(doc, &doc->objects[i])]++;
    for (int i = 0; i < LOST_COUNT; i++)
        if (counts[i] != 0)
            emberi_notef(emberi_fbx_notes(doc), EMBER_NOTE_WARNING, NULL, NULL, "%u %s%s left out", counts[i],
                         what[i], counts[i] == 1 ? " is" : "s are");
}

static ember_status scene_read(fbx_scene *scene, ember_model *out)
{
    const ember_read_options *options = scene->doc->file.source->options;
    fbx_takes                 takes = {NULL, 0};
    emberi_fbx_settings_read(scene->doc, &scene->settings);
    EMBERI_TRY(emberi_fbx_nodes_read(scene));
    EMBERI_TRY(emberi_fbx_skin_choose(scene));
    EMBERI_TRY(emberi_fbx_skins_mark(scene));
    EMBERI_TRY(emberi_fbx_takes_read(scene, &takes));
    EMBERI_TRY(emberi_fbx_takes_mark(scene, &takes));
    EMBERI_TRY(emberi_fbx_rig_make(scene));
    out->skeleton = scene->skeleton;
    if (!options->skip_clips) {
        EMBERI_TRY(emberi_fbx_take_choose(scene, &takes));
        EMBERI_TRY(emberi_fbx_clips_read(scene, &takes, out));
    }
    EMBERI_TRY(emberi_fbx_meshes_read(scene, out));
    emberi_fbx_note_unsupported(scene);
    if (scene->doc->file.odd_numbers != 0)
        emberi_notef(emberi_fbx_notes(scene->doc), EMBER_NOTE_WARNING, NULL, NULL,
                     "%u number%s not finite and read as 0", scene->doc->file.odd_numbers,
                     scene->doc->file.odd_numbers == 1 ? " is" : "s are");
    return EMBER_OK;
}

static ember_status fbx_read(ember_model *out, const emberi_source *source)
{
    fbx_document doc;
    fbx_scene    scene = {.doc = &doc};
    ember_status status = emberi_fbx_document_open(&doc, source);
    if (status != EMBER_OK)
        return status;
    status = scene_read(&scene, out);
    emberi_fbx_document_close(&doc);
    return status;
}

/* Binary files begin with a name; texts with a comment that says the version, perhaps behind others. */
static emberi_likeness fbx_sniff(const uint8_t *data, size_t size)
{
    static const char text[] = "; FBX ", header[] = "FBXHeaderExtension:";
    size_t            start = size < 1024 ? size : 1024;
    size_t            at = size >= 3 && memcmp(data, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    if (emberi_fbx_is_binary(data, size))
        return EMBERI_CERTAIN;
    if (size - at >= sizeof(text) && memcmp(data + at, text, sizeof(text) - 1) == 0)
        return EMBERI_CERTAIN;
    if (size == at || (data[at] != ';' && data[at] != 'F'))
        return EMBERI_UNLIKE;
    for (size_t i = at; i + sizeof(header) <= start; i++)
        if (memcmp(data + i, header, sizeof(header) - 1) == 0)
            return EMBERI_CERTAIN;
    return EMBERI_UNLIKE;
}

const emberi_format_ops emberi_fbx_ops = {
    .info = {.format = EMBER_FORMAT_FBX,
             .name = "fbx",
             .title = "FBX",
             .extensions = "fbx",
             .reads = true,
             .curves = true,
             .takes = EMBER_TAKES_FBX,
             .stores = {.clips = true,
                        .names = true,
                        .parents = true,
                        .rest = true,
                        .inverse_binds = true,
                        .meshes = true,
                        .bones = true,
                        .space = true}},
    .sniff = fbx_sniff,
    .read = fbx_read,
    .references = emberi_fbx_references,
};
