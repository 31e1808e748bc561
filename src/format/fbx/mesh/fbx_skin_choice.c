/* SPDX-License-Identifier: MIT */
/* The one skin whose joints are the bones, where the options want one: by its name, by the name of the node
   that shows it, or by its number. Skins without a bone do not count. */
#include "format/fbx/mesh/fbx_mesh.h"

#include <stdio.h>
#include <string.h>

typedef struct skin_list {
    uint32_t *skins, *nodes; /* objects, and the first node that shows each */
    uint32_t  count;
} skin_list;

static ember_status skins_list(fbx_scene *scene, skin_list *out)
{
    fbx_file *file = &scene->doc->file;
    uint8_t  *seen;
    EMBERI_TRY(FBX_PUSH(file, &seen, &file->pass, uint8_t, scene->doc->object_count));
    EMBERI_TRY(FBX_PUSH(file, &out->skins, &file->pass, uint32_t, scene->node_count));
    EMBERI_TRY(FBX_PUSH(file, &out->nodes, &file->pass, uint32_t, scene->node_count));
    for (uint32_t i = 0; i < scene->node_count; i++) {
        uint32_t         geometry = emberi_fbx_node_geometry(scene, i);
        ember_arena_mark mark = ember_arena_save(&file->pass);
        fbx_skin         skin = {.count = 0};
        ember_status     status =
            geometry != FBX_NONE ? emberi_fbx_skin_read(scene, &skin, i, geometry) : EMBER_OK;
        ember_arena_restore(&file->pass, mark);
        if (status != EMBER_OK)
            return status;
        if (skin.count == 0 || seen[skin.object])
            continue;
        seen[skin.object] = 1;
        out->nodes[out->count] = i;
        out->skins[out->count++] = skin.object;
    }
    return EMBER_OK;
}

static fbx_text name_of(const fbx_scene *scene, const skin_list *list, uint32_t i, bool of_node)
{
    uint32_t object = of_node ? scene->nodes[list->nodes[i]].object : list->skins[i];
    return scene->doc->objects[object].name;
}

static ember_status choice_fail(const fbx_scene *scene, const skin_list *list, const char *problem)
{
    const emberi_source *source = scene->doc->file.source;
    char                 text[160] = "";
    size_t               used = 0;
    for (uint32_t i = 0; i < list->count && used < sizeof(text) - 1; i++) {
        fbx_text own = name_of(scene, list, i, false);
        int      put = snprintf(text + used, sizeof(text) - used, "%s%u %s", i != 0 ? ", " : "", i,
                                emberi_fbx_quote(own.size != 0 ? own : name_of(scene, list, i, true)).text);
        used += put > 0 ? (size_t)put : 0;
    }
    return emberi_failf(source->err, EMBER_E_ARG, EMBER_NO_OFFSET, "%s %s; %s%s", problem,
                        emberi_quote(source->options->skin).text,
                        used != 0 ? "skins are: " : "the file has no skins", text);
}

/* *out is FBX_NONE where no skin is called so. */
static ember_status by_name(fbx_scene *scene, const skin_list *list, bool of_node, uint32_t *out)
{
    fbx_file *file = &scene->doc->file;
    *out = FBX_NONE;
    for (uint32_t i = 0; i < list->count; i++) {
        ember_arena_mark mark = ember_arena_save(&file->pass);
        const char      *name = emberi_fbx_name(scene->doc, &file->pass, name_of(scene, list, i, of_node));
        bool             is = name != NULL && strcmp(name, file->source->options->skin) == 0;
        ember_arena_restore(&file->pass, mark);
        if (name == NULL)
            return EMBER_E_NOMEM;
        if (is && *out != FBX_NONE)
            return choice_fail(scene, list, "several skins are called");
        if (is)
            *out = i;
    }
    return EMBER_OK;
}

static ember_status choose(fbx_scene *scene, skin_list *list)
{
    const char *wanted = scene->doc->file.source->options->skin;
    uint32_t    found, number = 0;
    size_t      digits = strspn(wanted, "0123456789");
    EMBERI_TRY(skins_list(scene, list));
    EMBERI_TRY(by_name(scene, list, false, &found));
    if (found == FBX_NONE)
        EMBERI_TRY(by_name(scene, list, true, &found));
    for (size_t i = 0; i < digits && digits <= 9; i++)
        number = number * 10 + (uint32_t)(wanted[i] - '0');
    if (found == FBX_NONE && digits != 0 && digits <= 9 && wanted[digits] == '\0' && number < list->count)
        found = number;
    if (found == FBX_NONE)
        return choice_fail(scene, list, "no skin");
    scene->skin = list->skins[found];
    return EMBER_OK;
}

ember_status emberi_fbx_skin_choose(fbx_scene *scene)
{
    fbx_file        *file = &scene->doc->file;
    skin_list        list = {.count = 0};
    ember_arena_mark mark = ember_arena_save(&file->pass);
    ember_status     status = EMBER_OK;
    scene->skin = FBX_NONE;
    if (file->source->options->skin != NULL)
        status = choose(scene, &list);
    ember_arena_restore(&file->pass, mark);
    return status;
}
