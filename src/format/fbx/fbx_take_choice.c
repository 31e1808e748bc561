/* SPDX-License-Identifier: MIT */
/* The one take, or the one layer of a take, that the options want. Names come from the file and from the
   caller; either may hold any character, colons too. */
#include "format/fbx/fbx_scene.h"

#include <stdio.h>
#include <string.h>

typedef struct take_choice {
    fbx_scene       *scene;
    const fbx_takes *takes;
    const char      *wanted;
} take_choice;

bool emberi_fbx_take_is_keyed(const fbx_take *take)
{
    for (uint32_t i = 0; i < take->channel_count; i++)
        for (int k = 0; k < 3; k++)
            if (take->channels[i].curves[k] != FBX_NONE)
                return true;
    return false;
}

/* ---- words ---- */

/* Whether `size` letters of a word are the name as the model has it. */
static bool word_is(const take_choice *choice, const char *word, size_t size, fbx_text name, bool *out)
{
    ember_arena_mark mark = ember_arena_save(&choice->scene->doc->file.pass);
    const char      *text = emberi_fbx_name(choice->scene->doc, &choice->scene->doc->file.pass, name);
    *out = text != NULL && strlen(text) == size && memcmp(text, word, size) == 0;
    ember_arena_restore(&choice->scene->doc->file.pass, mark);
    return text != NULL;
}

/* A number of up to nine digits, FBX_NONE for any other word. */
static uint32_t word_number(const char *word, size_t size)
{
    uint32_t number = 0;
    for (size_t i = 0; i < size; i++) {
        if (size > 9 || word[i] < '0' || word[i] > '9')
            return FBX_NONE;
        number = number * 10 + (uint32_t)(word[i] - '0');
    }
    return size != 0 ? number : FBX_NONE;
}

static ember_status choice_fail(const take_choice *choice, const char *problem)
{
    char             list[160] = "";
    size_t           used = 0;
    uint32_t         number = 0;
    const fbx_takes *takes = choice->takes;
    for (uint32_t i = 0; i < takes->count && used < sizeof(list) - 1; i++) {
        const fbx_take *take = &takes->items[i];
        if (!emberi_fbx_take_is_keyed(take))
            continue;
        int put = snprintf(list + used, sizeof(list) - used, "%s%u %s", number != 0 ? ", " : "", number,
                           emberi_fbx_quote(take->name).text);
        used += put > 0 ? (size_t)put : 0;
        number++;
        for (uint32_t k = 0; take->layer_count > 1 && k < take->layer_count && used < sizeof(list) - 1; k++) {
            const fbx_layer *layer = &take->layers[k];
            put = snprintf(list + used, sizeof(list) - used, "%s%u %s%s", k == 0 ? " (layers " : ", ", k,
                           emberi_fbx_quote(choice->scene->doc->objects[layer->object].name).text,
                           k + 1 == take->layer_count ? ")" : "");
            used += put > 0 ? (size_t)put : 0;
        }
    }
    return emberi_failf(choice->scene->doc->file.source->err, EMBER_E_ARG, EMBER_NO_OFFSET, "%s %s; %s%s",
                        problem, emberi_quote(choice->wanted).text,
                        used != 0 ? "takes are: " : "the file has no takes with keys", list);
}

/* ---- the take ---- */

/* By name, then by its number among the takes with keys. *out is FBX_NONE where there is none. */
static ember_status take_find(const take_choice *choice, const char *word, size_t size, uint32_t *out)
{
    uint32_t number = word_number(word, size), keyed = 0, numbered = FBX_NONE;
    *out = FBX_NONE;
    for (uint32_t i = 0; i < choice->takes->count; i++) {
        bool is;
        if (!word_is(choice, word, size, choice->takes->items[i].name, &is))
            return EMBER_E_NOMEM;
        if (is && *out != FBX_NONE)
            return choice_fail(choice, "several takes are called");
        if (is)
            *out = i;
        if (emberi_fbx_take_is_keyed(&choice->takes->items[i]) && keyed++ == number)
            numbered = i;
    }
    if (*out == FBX_NONE)
        *out = numbered;
    return EMBER_OK;
}

/* ---- the layer ---- */

static ember_status layer_find(const take_choice *choice, const fbx_take *take, const char *word,
                               uint32_t *out)
{
    uint32_t number = word_number(word, strlen(word));
    *out = FBX_NONE;
    for (uint32_t i = 0; i < take->layer_count && take->layers[i].object != FBX_NONE; i++) {
        bool is;
        if (!word_is(choice, word, strlen(word), choice->scene->doc->objects[take->layers[i].object].name,
                     &is))
            return EMBER_E_NOMEM;
        if (is && *out != FBX_NONE)
            return choice_fail(choice, "several layers are called");
        if (is)
            *out = i;
    }
    if (*out == FBX_NONE && number < take->layer_count)
        *out = number;
    return EMBER_OK;
}

/* "walk:over" */
static ember_status layer_name(fbx_scene *scene, fbx_take *take, fbx_text layer)
{
    fbx_file *file = &scene->doc->file;
    char     *joined;
    size_t    size = take->name.size + 1 + layer.size;
    EMBERI_TRY(FBX_PUSH(file, &joined, &file->scratch, char, size));
    if (take->name.size != 0)
        memcpy(joined, take->name.data, take->name.size);
    joined[take->name.size] = ':';
    if (layer.size != 0)
        memcpy(joined + take->name.size + 1, layer.data, layer.size);
    take->name = (fbx_text){joined, size};
    return EMBER_OK;
}

/* The layer becomes the first and only one, whose mode and weight do not count. */
static ember_status layer_alone(fbx_scene *scene, fbx_take *take, uint32_t layer)
{
    uint32_t count = 0, object = take->layers[layer].object;
    for (uint32_t i = 0; i < take->channel_count; i++) {
        if (take->channels[i].layer != layer)
            continue;
        take->channels[count] = take->channels[i];
        take->channels[count++].layer = 0;
    }
    take->channel_count = count;
    take->layers[0] = take->layers[layer];
    take->layer_count = 1;
    take->others = take->layers[0].others;
    return object != FBX_NONE ? layer_name(scene, take, scene->doc->objects[object].name) : EMBER_OK;
}

/* ---- both ---- */

/* The word may be a take's name with a colon in it: that is tried first. */
static ember_status choice_find(const take_choice *choice, uint32_t *take, uint32_t *layer)
{
    const char *word = choice->wanted;
    *layer = FBX_NONE;
    EMBERI_TRY(take_find(choice, word, strlen(word), take));
    for (size_t at = strlen(word); at-- > 0 && *take == FBX_NONE;) {
        if (word[at] != ':')
            continue;
        EMBERI_TRY(take_find(choice, word, at, take));
        if (*take == FBX_NONE)
            continue;
        EMBERI_TRY(layer_find(choice, &choice->takes->items[*take], word + at + 1, layer));
        if (*layer == FBX_NONE)
            *take = FBX_NONE;
    }
    return *take != FBX_NONE ? EMBER_OK : choice_fail(choice, "no take");
}

ember_status emberi_fbx_take_choose(fbx_scene *scene, fbx_takes *takes)
{
    const ember_fbx_options *options = scene->doc->file.source->options->fbx;
    if (options == NULL || options->take == NULL)
        return EMBER_OK;
    take_choice choice = {scene, takes, options->take};
    uint32_t    take, layer;
    EMBERI_TRY(choice_find(&choice, &take, &layer));
    if (layer != FBX_NONE)
        EMBERI_TRY(layer_alone(scene, &takes->items[take], layer));
    if (!emberi_fbx_take_is_keyed(&takes->items[take]))
        return choice_fail(&choice, "there are no keys in");
    takes->items += take;
    takes->count = 1;
    return EMBER_OK;
}
