/* SPDX-License-Identifier: MIT */
/* Choosing clips. Clip names are any text; a glob is fnmatch's, without special rules for slashes and
   leading dots. */
#include "files/pick.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "cli/text.h"

static bool pick_name_exists(const ember_model *model, const char *word)
{
    for (uint32_t i = 0; i < model->clip_count; i++)
        if (strcmp(model->clips[i].name, word) == 0)
            return true;
    return false;
}

bool pick_matches(const ember_model *model, uint32_t clip, const char *word)
{
    uint32_t number = 0;
    if (pick_name_exists(model, word))
        return strcmp(model->clips[clip].name, word) == 0;
    if (text_read_u32(&number, word))
        return number == clip;
    return fnmatch(word, model->clips[clip].name, 0) == 0;
}

const ember_clip *pick_first(const ember_model *model, const char *word)
{
    for (uint32_t i = 0; i < model->clip_count; i++)
        if (pick_matches(model, i, word))
            return &model->clips[i];
    return NULL;
}

char *pick_names(const ember_model *model)
{
    enum { SHOWN = 20 };
    char *list = text_make("%s", model->clip_count == 0 ? "none" : "");
    for (uint32_t i = 0; i < model->clip_count && i < SHOWN; i++) {
        const char *name = model->clips[i].name;
        char *longer = text_make("%s%s%s", list, i > 0 ? ", " : "", name[0] != '\0' ? name : "(unnamed)");
        free(list);
        list = longer;
    }
    if (model->clip_count > SHOWN) {
        char *longer = text_make("%s and %u more", list, (unsigned)(model->clip_count - SHOWN));
        free(list);
        list = longer;
    }
    return list;
}
