/* SPDX-License-Identifier: MIT */
/* Names: copied, quoted and made up. Bytes from files become names here and nowhere else, as valid UTF-8
   without control characters. */
#include <stdio.h>
#include <string.h>

#include "base/sizes.h"
#include "model/names.h"

char *emberi_copy_text(ember_arena *arena, const char *text)
{
    size_t size = strlen(text) + 1;
    char  *copy = EMBER_PUSH(arena, char, size);
    if (copy != NULL)
        memcpy(copy, text, size);
    return copy;
}

char *emberi_copy_name(ember_arena *arena, const char *text, size_t size)
{
    size_t room;
    if (!emberi_add_size(&room, size, 1))
        return NULL;
    char *copy = EMBER_PUSH(arena, char, room);
    if (copy == NULL)
        return NULL;
    (void)emberi_utf8_clean(copy, room, text, size);
    return copy;
}

char *emberi_name_from_path(ember_arena *arena, const char *path)
{
    if (path == NULL || strcmp(path, "-") == 0)
        path = "";
    const char *slash = strrchr(path, '/');
    const char *base = slash != NULL ? slash + 1 : path;
    const char *dot = strrchr(base, '.');
    size_t      size = dot != NULL && dot != base ? (size_t)(dot - base) : strlen(base);
    return size != 0 ? emberi_copy_name(arena, base, size) : emberi_copy_text(arena, "clip");
}

emberi_quoted emberi_quote(const char *name)
{
    static const char more[] = "...\"";
    emberi_quoted     quoted;
    size_t            room = sizeof(quoted.text) - sizeof(more), size = strlen(name), used = 0;
    bool              cut = size > room - 1;
    quoted.text[used++] = '"';
    for (size_t i = 0; i < size;) {
        size_t length = emberi_utf8_size(name + i, size - i);
        if (length == 0)
            length = 1;
        if (used + length > room)
            break;
        memcpy(quoted.text + used, name + i, length);
        used += length;
        i += length;
    }
    const char *end = cut ? more : "\"";
    memcpy(quoted.text + used, end, strlen(end) + 1);
    return quoted;
}

emberi_quoted emberi_quote_bone(const ember_skeleton *skeleton, uint32_t bone)
{
    const char *name = ember_skeleton_name(skeleton, bone);
    if (name != NULL)
        return emberi_quote(name);
    emberi_quoted number;
    snprintf(number.text, sizeof(number.text), "%u", (unsigned)bone);
    return number;
}

emberi_made_name emberi_make_name(uint32_t bone)
{
    emberi_made_name name;
    snprintf(name.text, sizeof(name.text), "bone_%u", (unsigned)bone);
    return name;
}

bool emberi_bone_is_named(const ember_skeleton *skeleton, uint32_t bone)
{
    const char *name = ember_skeleton_name(skeleton, bone);
    return name != NULL && strcmp(name, emberi_make_name(bone).text) != 0;
}
