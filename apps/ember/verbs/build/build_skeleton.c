/* SPDX-License-Identifier: MIT */
/* Clips of formats that store no bones, ANIMBIN and Final Fantasy VII: which file of the folder has their
   skeleton. Without one they are data. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "cli/text.h"
#include "verbs/build/build.h"

bool build_needs_skeleton(const char *path)
{
    const ember_format_info *info = ember_format_by_path(path);
    return info != NULL && info->data_in_rom && info->stores.clips && !info->stores.names;
}

/* Whether a file called so holds bones for others. */
static bool skeleton_has_bones(const char *path)
{
    const ember_format_info *info = ember_format_by_path(path);
    return info != NULL && info->stores.parents;
}

/* "rtda" and "rtaa", in any case: whole names, which differ in the letter before the last. */
static bool skeleton_is_named_alike(const char *pack, const char *other)
{
    const char *slash = strrchr(pack, '/'), *name = slash != NULL ? slash + 1 : pack;
    size_t      size = strlen(pack);
    if (strchr(name, '.') != NULL || strlen(other) != size || strncmp(pack, other, size - 2) != 0)
        return false;
    return tolower((unsigned char)other[size - 2]) == 'a' && tolower((unsigned char)other[size - 1]) == 'a';
}

static bool skeleton_is_beside(const char *clips, const char *other)
{
    char *stem = build_stem(clips), *other_stem = build_stem(other);
    bool  same = strcmp(stem, other_stem) == 0 || skeleton_is_named_alike(clips, other);
    free(stem);
    free(other_stem);
    return same && strcmp(clips, other) != 0 && skeleton_has_bones(other);
}

/* The first by name, files of bones alone before all others. */
static build_file *skeleton_find(const build_list *list, const char *clips)
{
    build_file *found = NULL;
    for (size_t i = 0; i < list->count; i++) {
        build_file *other = &list->files[i];
        if (!skeleton_is_beside(clips, other->path))
            continue;
        if (!ember_format_by_path(other->path)->stores.clips)
            return other;
        found = found != NULL ? found : other;
    }
    return found;
}

void build_find_skeletons(build_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        build_file *file = &list->files[i];
        bool        data = file->choice.as != NULL && strcmp(file->choice.as, "data") == 0;
        if (!build_needs_skeleton(file->path) || data || file->way == BUILD_SKIP)
            continue;
        if (file->choice.skeleton == NULL) {
            build_file *beside = skeleton_find(list, file->path);
            if (beside == NULL)
                continue;
            file->beside = text_make("%s", beside->path);
            file->choice.skeleton = file->beside;
            /* It has nothing but the bones that the clips bring along. */
            if (beside->way == BUILD_DATA && beside->choice.as == NULL)
                beside->way = BUILD_SKIP;
        }
        file->way = BUILD_EXPORT;
    }
}
