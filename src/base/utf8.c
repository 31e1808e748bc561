/* SPDX-License-Identifier: MIT */
/* UTF-8: bytes of files, which may be anything, become text that can be printed. */
#include "base/utf8.h"

#include <stdint.h>

#include "base/check.h"

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

size_t emberi_text_size(const char *text)
{
    size_t size = 0;
    while (text[size] != '\0')
        size++;
    return size;
}

bool emberi_utf8_valid(const char *text)
{
    size_t left = emberi_text_size(text);
    while (left != 0) {
        size_t size = emberi_utf8_size(text, left);
        if (size == 0)
            return false;
        text += size;
        left -= size;
    }
    return true;
}

bool emberi_utf8_is_control(const char *c, size_t size)
{
    unsigned char first = (unsigned char)c[0];
    return size == 1 ? first < 0x20u || first == 0x7fu
                     : size == 2 && first == 0xc2u && (unsigned char)c[1] < 0xa0u;
}

size_t emberi_utf8_clean(char *out, size_t room, const char *text, size_t size)
{
    size_t whole = 0, used = 0;
    for (size_t i = 0; i < size;) {
        size_t length = emberi_utf8_size(text + i, size - i);
        bool   good = length != 0 && !emberi_utf8_is_control(text + i, length);
        size_t stored = good ? length : 1;
        /* What comes after the first character without room is only counted. */
        if (used == whole && whole + stored < room) {
            emberi_copy(out + used, good ? text + i : "?", stored);
            used += stored;
        }
        whole += stored;
        i += length != 0 ? length : 1;
    }
    if (room != 0)
        out[used] = '\0';
    return whole;
}
