/* SPDX-License-Identifier: MIT */
/* Text for people and terminals. Names and paths come from files and command lines and may be any bytes:
   nothing here trusts them to be UTF-8 or printable. */
#include "cli/text.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"

void *must_resize(void *memory, size_t count, size_t size)
{
    void *grown = NULL;
    if (size == 0 || count <= SIZE_MAX / size)
        grown = realloc(memory, count * size != 0 ? count * size : 1);
    if (grown == NULL) {
        fputs("ember: out of memory\n", stderr);
        exit(1);
    }
    return grown;
}

void *must_grow(void *memory, size_t count, size_t size)
{
    if ((count & (count - 1)) != 0)
        return memory;
    return must_resize(memory, count != 0 ? 2 * count : 1, size);
}

void *must_alloc(size_t count, size_t size)
{
    void *memory = must_resize(NULL, count, size);
    memset(memory, 0, count * size);
    return memory;
}

char *text_make_list(const char *format, va_list list)
{
    va_list again;
    va_copy(again, list);
    int   size = vsnprintf(NULL, 0, format, again);
    char *text = must_alloc((size_t)(size < 0 ? 0 : size) + 1, 1);
    va_end(again);
    if (size > 0)
        (void)vsnprintf(text, (size_t)size + 1, format, list);
    return text;
}

char *text_make(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    char *text = text_make_list(format, list);
    va_end(list);
    return text;
}

/* Bytes of the UTF-8 character at p, 0 if it is none: too long, a surrogate, beyond U+10FFFF or cut off. */
static size_t text_character(const unsigned char *p)
{
    if (p[0] < 0x80)
        return 1;
    if (p[0] >= 0xc2 && p[0] <= 0xdf)
        return (p[1] & 0xc0) == 0x80 ? 2 : 0;
    if (p[0] >= 0xe0 && p[0] <= 0xef) {
        unsigned low = p[0] == 0xe0 ? 0xa0 : 0x80, high = p[0] == 0xed ? 0x9f : 0xbf;
        return p[1] >= low && p[1] <= high && (p[2] & 0xc0) == 0x80 ? 3 : 0;
    }
    if (p[0] >= 0xf0 && p[0] <= 0xf4) {
        unsigned low = p[0] == 0xf0 ? 0x90 : 0x80, high = p[0] == 0xf4 ? 0x8f : 0xbf;
        return p[1] >= low && p[1] <= high && (p[2] & 0xc0) == 0x80 && (p[3] & 0xc0) == 0x80 ? 4 : 0;
    }
    return 0;
}

/* True for the characters that move a terminal's cursor or change its state (C0, DEL, C1), and for
   those that break a line or turn the direction of what follows, so that a name could make a message
   read as another one. */
static bool text_is_control(const unsigned char *p, size_t size)
{
    if (size == 1)
        return p[0] < 0x20 || p[0] == 0x7f;
    if (size == 2)
        return (p[0] == 0xc2 && p[1] < 0xa0) || (p[0] == 0xd8 && p[1] == 0x9c); /* U+061C */
    if (size == 3 && p[0] == 0xe2 && p[1] == 0x80)
        /* U+200E, 200F, 2028 to 202E */
        return p[2] == 0x8e || p[2] == 0x8f || (p[2] >= 0xa8 && p[2] <= 0xae);
    return size == 3 && p[0] == 0xe2 && p[1] == 0x81 && p[2] >= 0xa6 && p[2] <= 0xa9; /* U+2066 to 2069 */
}

char *text_escape(const char *text)
{
    const unsigned char *p = (const unsigned char *)text;
    char                *out = must_alloc(strlen(text) + 1, 4);
    char                *to = out;

    while (*p != '\0') {
        size_t size = text_character(p);
        if (size != 0 && !text_is_control(p, size)) {
            memcpy(to, p, size);
            to += size;
            p += size;
        } else if (*p == '\n' || *p == '\t') {
            *to++ = '\\';
            *to++ = *p == '\n' ? 'n' : 't';
            p++;
        } else {
            to += sprintf(to, "\\x%02x", (unsigned)*p);
            p++;
        }
    }
    *to = '\0';
    return out;
}

/* Chinese, Japanese, Korean and pictographs take two columns on a terminal. */
static bool text_is_wide(uint32_t code)
{
    static const uint32_t ranges[][2] = {
        {0x1100, 0x115f}, {0x2e80, 0xa4cf}, {0xac00, 0xd7a3},   {0xf900, 0xfaff},   {0xfe30, 0xfe6f},
        {0xff00, 0xff60}, {0xffe0, 0xffe6}, {0x1f300, 0x1faff}, {0x20000, 0x3fffd},
    };
    for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++)
        if (code >= ranges[i][0] && code <= ranges[i][1])
            return true;
    return false;
}

size_t text_width(const char *text)
{
    const unsigned char *p = (const unsigned char *)text;
    size_t               width = 0;
    while (*p != '\0') {
        size_t   size = text_character(p);
        uint32_t code = size == 3 ? (p[0] & 0xfu) : size == 4 ? (p[0] & 0x7u) : 0;
        for (size_t i = 1; i < size; i++)
            code = code << 6 | (p[i] & 0x3fu);
        width += size >= 3 && text_is_wide(code) ? 2 : 1;
        p += size != 0 ? size : 1;
    }
    return width;
}

char *text_count(char out[TEXT_NUMBER_SIZE], uint64_t value)
{
    char   digits[24];
    size_t size = (size_t)snprintf(digits, sizeof(digits), "%llu", (unsigned long long)value);
    size_t to = 0;
    for (size_t i = 0; i < size; i++) {
        if (i > 0 && (size - i) % 3 == 0)
            out[to++] = ',';
        out[to++] = digits[i];
    }
    out[to] = '\0';
    return out;
}

char *text_length(char out[TEXT_NUMBER_SIZE], double metres)
{
    double mm = metres * 1000.0;
    if (!isfinite(metres))
        snprintf(out, TEXT_NUMBER_SIZE, "not a number");
    else if (mm == 0.0)
        snprintf(out, TEXT_NUMBER_SIZE, "0 mm");
    else if (fabs(mm) < 0.01)
        snprintf(out, TEXT_NUMBER_SIZE, "< 0.01 mm");
    else if (fabs(mm) < 10.0)
        snprintf(out, TEXT_NUMBER_SIZE, "%.2f mm", mm);
    else if (fabs(mm) < 1000.0)
        snprintf(out, TEXT_NUMBER_SIZE, "%.1f mm", mm);
    else if (fabs(metres) < 1e6)
        snprintf(out, TEXT_NUMBER_SIZE, "%.2f m", metres);
    else
        snprintf(out, TEXT_NUMBER_SIZE, "%.3g m", metres);
    return out;
}

char *text_span(char out[TEXT_NUMBER_SIZE], double length, bool units)
{
    if (!units || !isfinite(length))
        return text_length(out, length);
    if (fabs(length) > 0.0 && fabs(length) < 0.001)
        snprintf(out, TEXT_NUMBER_SIZE, "< 0.001 units");
    else
        snprintf(out, TEXT_NUMBER_SIZE, "%.4g units", length);
    return out;
}

char *text_float(char out[TEXT_NUMBER_SIZE], float value)
{
    for (int digits = 1; digits <= 9; digits++) {
        snprintf(out, TEXT_NUMBER_SIZE, "%.*g", digits, (double)value);
        if (!isfinite(value) || strtof(out, NULL) == value)
            break;
    }
    return out;
}

double text_float_value(float value)
{
    char text[TEXT_NUMBER_SIZE];
    return strtod(text_float(text, value), NULL);
}

const char *text_nearest(const char *word, const char *(*name)(const void *user, size_t i), const void *user)
{
    const char *best = NULL;
    size_t      word_size = strlen(word);
    unsigned    best_distance = emberi_word_tolerance(word_size) + 1;

    /* The beginning of a name is what people type when they hope for abbreviations. */
    for (size_t i = 0; word_size >= 3 && name(user, i) != NULL; i++)
        if (strncmp(word, name(user, i), word_size) == 0)
            return name(user, i);
    for (size_t i = 0; name(user, i) != NULL; i++) {
        unsigned distance = emberi_word_distance(word, word_size, name(user, i), strlen(name(user, i)));
        if (distance < best_distance) {
            best = name(user, i);
            best_distance = distance;
        }
    }
    return best;
}

bool text_read_double(double *out, const char *text)
{
    char  *end = NULL;
    double value = strtod(text, &end);
    if (end == text || *end != '\0' || !isfinite(value))
        return false;
    *out = value;
    return true;
}

bool text_read_u32(uint32_t *out, const char *text)
{
    if (text[0] < '0' || text[0] > '9' || strlen(text) > 10)
        return false;
    char              *end = NULL;
    unsigned long long value = strtoull(text, &end, 10);
    if (*end != '\0' || value > UINT32_MAX)
        return false;
    *out = (uint32_t)value;
    return true;
}
