/* SPDX-License-Identifier: MIT */
/* Names: checked, copied, quoted and made up. Bytes from files become valid UTF-8 without control characters
   here and nowhere else. */
#include <stdio.h>
#include <string.h>

#include "base/sizes.h"
#include "format/ops.h"

size_t emberi_utf8_size(const char *text, size_t size)
{
    const unsigned char *p = (const unsigned char *)text;
    if (size == 0)
        return 0;
    if (p[0] < 0x80u)
        return 1;
    size_t   length = p[0] >= 0xf0u ? 4 : p[0] >= 0xe0u ? 3 : 2;
    uint32_t code = p[0] & (0x7fu >> length);
    if (p[0] < 0xc2u || p[0] > 0xf4u || length > size)
        return 0;
    for (size_t i = 1; i < length; i++) {
        if ((p[i] & 0xc0u) != 0x80u)
            return 0;
        code = code << 6 | (p[i] & 0x3fu);
    }
    /* Too long for what they say, halves of UTF-16 pairs, and beyond Unicode. */
    if ((length == 3 && code < 0x800u) || (length == 4 && (code < 0x10000u || code > 0x10ffffu)) ||
        (code >= 0xd800u && code <= 0xdfffu))
        return 0;
    return length;
}

bool emberi_utf8_valid(const char *text)
{
    size_t left = strlen(text);
    while (left != 0) {
        size_t size = emberi_utf8_size(text, left);
        if (size == 0)
            return false;
        text += size;
        left -= size;
    }
    return true;
}

char *emberi_copy_text(ember_arena *arena, const char *text)
{
    size_t size = strlen(text) + 1;
    char  *copy = EMBER_PUSH(arena, char, size);
    if (copy != NULL)
        memcpy(copy, text, size);
    return copy;
}

bool emberi_utf8_is_control(const char *c, size_t size)
{
    unsigned char first = (unsigned char)c[0];
    return size == 1 ? first < 0x20u || first == 0x7fu
                     : size == 2 && first == 0xc2u && (unsigned char)c[1] < 0xa0u;
}

char *emberi_copy_name(ember_arena *arena, const char *text, size_t size)
{
    size_t room, used = 0;
    if (!emberi_add_size(&room, size, 1))
        return NULL;
    char *copy = EMBER_PUSH(arena, char, room);
    if (copy == NULL)
        return NULL;
    for (size_t i = 0; i < size;) {
        size_t length = emberi_utf8_size(text + i, size - i);
        if (length == 0 || emberi_utf8_is_control(text + i, length)) {
            copy[used++] = '?';
            i += length != 0 ? length : 1;
        } else {
            memcpy(copy + used, text + i, length);
            used += length;
            i += length;
        }
    }
    copy[used] = '\0';
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
