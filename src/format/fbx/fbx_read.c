/* SPDX-License-Identifier: MIT */
/* FBX for the registry: how it is told from other files, and the order in which it is read. */
#include "format/fbx/fbx_scene.h"

#include <string.h>

/* What this reader does not know: one line for each kind. */
void emberi_fbx_note_unsupported(const fbx_scene *scene)
{
    const fbx_document *doc = scene->doc;
    enum { SHAPES, CONSTRAINTS, CAMERAS, LIGHTS, SURFACES, KINDS };
    static const char *const what[KINDS] = {"blend shape or cache deformer", "constraint", "camera", "light",
                                            "curve or NURBS or patch surface"};
    uint32_t                 counts[KINDS] = {0};
    for (uint32_t i = 1; i < doc->object_count; i++) {
        const fbx_object *object = &doc->objects[i];
        fbx_text          sub = object->sub_class;
        bool              shown = object->kind == FBX_MODEL;
        counts[SHAPES] += object->kind == FBX_SHAPES ? 1u : 0u;
        counts[CONSTRAINTS] += object->kind == FBX_CONSTRAINT ? 1u : 0u;
        counts[CAMERAS] += shown && emberi_fbx_text_is(sub, "Camera") ? 1u : 0u;
        counts[LIGHTS] += shown && emberi_fbx_text_is(sub, "Light") ? 1u : 0u;
        counts[SURFACES] += (shown || object->kind == FBX_GEOMETRY) &&
                                    (emberi_fbx_text_is(sub, "Nurbs") || emberi_fbx_text_is(sub, "NurbsSurface") ||
                                     emberi_fbx_text_is(sub, "NurbsCurve") || emberi_fbx_text_is(sub, "Patch") ||
                                     emberi_fbx_text_is(sub, "TrimNurbsSurface"))
                                ? 1u
                                : 0u;
    }
    for (int i = 0; i < KINDS; i++)
        if (counts[i] != 0)
            emberi_notef(emberi_fbx_notes(doc), i == CAMERAS || i == LIGHTS ? EMBER_NOTE_DETAIL : EMBER_NOTE_WARNING,
                         NULL, NULL, "%u %s%s left out", counts[i], what[i], counts[i] == 1 ? " is" : "s are");
}

static ember_status scene_read(fbx_scene *scene, ember_model *out)
{
    fbx_takes takes = {NULL, 0};
    emberi_fbx_settings_read(scene->doc, &scene->settings);
    EMBERI_TRY(emberi_fbx_nodes_read(scene));
    EMBERI_TRY(emberi_fbx_skins_mark(scene));
    EMBERI_TRY(emberi_fbx_takes_read(scene, &takes));
    EMBERI_TRY(emberi_fbx_takes_mark(scene, &takes));
    EMBERI_TRY(emberi_fbx_rig_make(scene));
    out->skeleton = scene->skeleton;
    EMBERI_TRY(emberi_fbx_clips_read(scene, &takes, out));
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
};
