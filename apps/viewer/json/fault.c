/* SPDX-License-Identifier: MIT */
/* Finding the first mistake in a JSON text. It reads as jansson does: token by token, keeping the token's
   text for the message. */
#include "fault.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH_LIMIT 2048
#define NEAR_LIMIT 20 /* longer tokens are not quoted */

enum { END_OF_TEXT = -1, NOT_UTF8 = -2 };
enum { TOKEN_INVALID = -1, TOKEN_EOF = 0, TOKEN_STRING = 256, TOKEN_OTHER };

typedef struct key_place {
    uint32_t start, size; /* in `keys` */
} key_place;

typedef struct scan {
    json_fault_text     *out;
    bool                 failed, broken, ended; /* broken: bytes that are no UTF-8 were met */
    const unsigned char *text;
    size_t               size, at, whole; /* whole: up to here bytes are characters */
    unsigned             flags;
    int                  line, column, last_column, position;
    int                  token;
    char                *saved; /* the token as it stands in the text; room for all of it */
    size_t               saved_size;
    char                *string; /* a string token without its escapes */
    size_t               string_size;
    char                *keys; /* of all objects that are open */
    size_t               keys_size, keys_room;
    key_place           *places;
    size_t               place_count, place_room;
} scan;

/* The first mistake counts. */
static bool scan_fail(scan *s, json_fault_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static bool scan_fail(scan *s, json_fault_code code, const char *format, ...)
{
    char    text[96];
    va_list list;
    if (s->failed)
        return false;
    va_start(list, format);
    /* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): the line above is not believed */
    vsnprintf(text, sizeof(text), format, list);
    va_end(list);
    s->failed = true;
    s->saved[s->saved_size] = '\0';
    if (s->saved_size != 0 && s->saved[0] != '\0') {
        if (s->saved_size <= NEAR_LIMIT)
            snprintf(s->out->text, sizeof(s->out->text), "%s near '%s'", text, s->saved);
        else
            snprintf(s->out->text, sizeof(s->out->text), "%s", text);
    } else {
        code = code == FAULT_SYNTAX ? FAULT_PREMATURE_END : code;
        snprintf(s->out->text, sizeof(s->out->text), "%s%s", text, s->broken ? "" : " near end of file");
    }
    s->out->line = s->line;
    s->out->column = s->column;
    s->out->position = s->position;
    s->out->code = code;
    return false;
}

/* ---- characters ---- */

/* Bytes of the character that begins with c; 0 for a byte that begins none. */
static size_t utf8_first(unsigned c)
{
    if (c < 0x80)
        return 1;
    return c >= 0xC2 && c <= 0xDF ? 2 : c >= 0xE0 && c <= 0xEF ? 3 : c >= 0xF0 && c <= 0xF4 ? 4 : 0;
}

static bool utf8_whole(const unsigned char *c, size_t size, size_t left)
{
    if (size > left)
        return false;
    uint32_t value = c[0] & (size == 2 ? 0x1Fu : size == 3 ? 0xFu : 0x7u);
    for (size_t i = 1; i < size; i++) {
        if ((c[i] & 0xC0u) != 0x80u)
            return false;
        value = value << 6 | (c[i] & 0x3Fu);
    }
    return value <= 0x10FFFF && !(value >= 0xD800 && value <= 0xDFFF) &&
           value >= (size == 2   ? 0x80u
                     : size == 3 ? 0x800u
                                 : 0x10000u);
}

static int scan_get(scan *s)
{
    if (s->broken)
        return NOT_UTF8;
    if (s->ended || s->at == s->size) {
        s->ended = true;
        return END_OF_TEXT;
    }
    const unsigned char *c = s->text + s->at;
    size_t               size = utf8_first(*c);
    if (s->at >= s->whole) {
        if (*c >= 0x80u && (size == 0 || !utf8_whole(c, size, s->size - s->at))) {
            s->broken = true;
            scan_fail(s, FAULT_OTHER, "unable to decode byte 0x%x", (unsigned)*c);
            return NOT_UTF8;
        }
        s->whole = s->at + size;
    }
    s->at++;
    s->position++;
    if (*c == '\n') {
        s->line++;
        s->last_column = s->column;
        s->column = 0;
    } else if (size != 0) {
        s->column++;
    }
    return *c;
}

static void scan_unget(scan *s, int c)
{
    if (c < 0)
        return;
    if (c != 0) /* jansson forgets a NUL that it puts back */
        s->at--;
    s->position--;
    if (c == '\n') {
        s->line--;
        s->column = s->last_column;
    } else if (utf8_first((unsigned)c) != 0) {
        s->column--;
    }
}

static int scan_get_saved(scan *s)
{
    int c = scan_get(s);
    if (c >= 0)
        s->saved[s->saved_size++] = (char)c;
    return c;
}

static void scan_unget_saved(scan *s, int c)
{
    scan_unget(s, c);
    if (c >= 0)
        s->saved_size--;
}

static bool is_digit(int c) { return c >= '0' && c <= '9'; }
static bool is_letter(int c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
static bool is_hex(int c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

/* ---- tokens ---- */

static int32_t escape_value(const char *hex) /* behind the 'u'; -1: not four digits */
{
    int32_t value = 0;
    for (int i = 0; i < 4; i++) {
        if (!is_hex((unsigned char)hex[i]))
            return -1;
        int digit = is_digit(hex[i]) ? hex[i] - '0' : (hex[i] | 32) - 'a' + 10;
        value = value * 16 + digit;
    }
    return value;
}

static void string_put(scan *s, uint32_t value)
{
    char *to = s->string + s->string_size;
    if (value < 0x80) {
        *to++ = (char)value;
    } else {
        int more = value < 0x800 ? 1 : value < 0x10000 ? 2 : 3;
        *to++ = (char)((more == 1 ? 0xC0u : more == 2 ? 0xE0u : 0xF0u) | value >> (6 * more));
        while (more-- > 0)
            *to++ = (char)(0x80u | (value >> (6 * more) & 0x3Fu));
    }
    s->string_size = (size_t)(to - s->string);
}

/* One \u escape, or two that make a character; *p is at the 'u'. */
static bool string_unicode(scan *s, const char **p)
{
    uint32_t value = (uint32_t)escape_value(*p + 1);
    *p += 5;
    if (value >= 0xD800 && value <= 0xDBFF) {
        if ((*p)[0] != '\\' || (*p)[1] != 'u')
            return scan_fail(s, FAULT_SYNTAX, "invalid Unicode '\\u%04X'", (unsigned)value);
        int32_t second = escape_value(*p + 2);
        *p += 6;
        if (second < 0xDC00 || second > 0xDFFF)
            return scan_fail(s, FAULT_SYNTAX, "invalid Unicode '\\u%04X\\u%04X'", (unsigned)value,
                             (unsigned)second);
        value = ((value - 0xD800u) << 10) + ((uint32_t)second - 0xDC00u) + 0x10000u;
    } else if (value >= 0xDC00 && value <= 0xDFFF) {
        return scan_fail(s, FAULT_SYNTAX, "invalid Unicode '\\u%04X'", (unsigned)value);
    }
    string_put(s, value);
    return true;
}

static bool string_decode(scan *s)
{
    static const char from[] = "bfnrt", to[] = "\b\f\n\r\t";
    const char       *p = s->saved + 1, *end = s->saved + s->saved_size - 1;
    s->string_size = 0;
    while (p < end) {
        if (*p != '\\') {
            s->string[s->string_size++] = *p++;
            continue;
        }
        p++;
        if (*p == 'u') {
            if (!string_unicode(s, &p))
                return false;
            continue;
        }
        const char *known = strchr(from, *p);
        s->string[s->string_size++] = known != NULL ? to[known - from] : *p;
        p++;
    }
    return true;
}

static bool token_escape(scan *s, int *c)
{
    *c = scan_get_saved(s);
    if (*c == 'u') {
        *c = scan_get_saved(s);
        for (int i = 0; i < 4; i++) {
            if (!is_hex(*c))
                return scan_fail(s, FAULT_SYNTAX, "invalid escape");
            *c = scan_get_saved(s);
        }
        return true;
    }
    if (*c < 0 || *c == 0 || strchr("\"\\/bfnrt", *c) == NULL)
        return scan_fail(s, FAULT_SYNTAX, "invalid escape");
    *c = scan_get_saved(s);
    return true;
}

static void token_string(scan *s)
{
    int c = scan_get_saved(s);
    s->token = TOKEN_INVALID;
    while (c != '"') {
        if (c == NOT_UTF8)
            return;
        if (c == END_OF_TEXT) {
            scan_fail(s, FAULT_PREMATURE_END, "premature end of input");
            return;
        }
        if (c <= 0x1F) {
            scan_unget_saved(s, c);
            if (c == '\n')
                scan_fail(s, FAULT_SYNTAX, "unexpected newline");
            else
                scan_fail(s, FAULT_SYNTAX, "control character 0x%x", (unsigned)c);
            return;
        }
        if (c != '\\')
            c = scan_get_saved(s);
        else if (!token_escape(s, &c))
            return;
    }
    if (string_decode(s))
        s->token = TOKEN_STRING;
}

static void token_number(scan *s, int c)
{
    s->token = TOKEN_INVALID;
    if (c == '-')
        c = scan_get_saved(s);
    if (!is_digit(c)) {
        scan_unget_saved(s, c);
        return;
    }
    bool zero = c == '0';
    do
        c = scan_get_saved(s);
    while (!zero && is_digit(c));
    if (zero && is_digit(c)) {
        scan_unget_saved(s, c);
        return;
    }
    if (c == '.') {
        c = scan_get(s);
        if (!is_digit(c)) {
            scan_unget(s, c);
            return;
        }
        s->saved[s->saved_size++] = (char)c;
        do
            c = scan_get_saved(s);
        while (is_digit(c));
    }
    if (c == 'e' || c == 'E') {
        c = scan_get_saved(s);
        if (c == '+' || c == '-')
            c = scan_get_saved(s);
        if (!is_digit(c)) {
            scan_unget_saved(s, c);
            return;
        }
        do
            c = scan_get_saved(s);
        while (is_digit(c));
    }
    scan_unget_saved(s, c);
    s->saved[s->saved_size] = '\0';
    if (isinf(strtod(s->saved, NULL)))
        scan_fail(s, FAULT_OTHER, "real number overflow");
    else
        s->token = TOKEN_OTHER;
}

static void token_word(scan *s)
{
    int c;
    do
        c = scan_get_saved(s);
    while (is_letter(c));
    scan_unget_saved(s, c);
    s->saved[s->saved_size] = '\0';
    bool known =
        strcmp(s->saved, "true") == 0 || strcmp(s->saved, "false") == 0 || strcmp(s->saved, "null") == 0;
    s->token = known ? TOKEN_OTHER : TOKEN_INVALID;
}

static void scan_token(scan *s)
{
    int c;
    s->saved_size = 0;
    do
        c = scan_get(s);
    while (c == ' ' || c == '\t' || c == '\n' || c == '\r');
    s->token = c == END_OF_TEXT ? TOKEN_EOF : TOKEN_INVALID;
    if (c < 0)
        return;
    s->saved[s->saved_size++] = (char)c;
    if (c != 0 && strchr("{}[]:,", c) != NULL) {
        s->token = c;
    } else if (c == '"') {
        token_string(s);
    } else if (is_digit(c) || c == '-') {
        token_number(s, c);
    } else if (is_letter(c)) {
        token_word(s);
    } else {
        /* the whole character, for the message; it is not counted */
        for (size_t more = utf8_first((unsigned)c); more > 1; more--) {
            s->saved[s->saved_size++] = (char)s->text[s->at++];
            s->position++;
        }
    }
}

/* ---- documents ---- */

/* Keeps the string token as a key of the object whose keys begin at place `first`. False where it is there
   already, or there is no memory. */
static bool keys_add(scan *s, size_t first)
{
    for (size_t i = first; i < s->place_count; i++)
        if (s->places[i].size == s->string_size &&
            memcmp(s->keys + s->places[i].start, s->string, s->string_size) == 0)
            return scan_fail(s, FAULT_OTHER, "duplicate object key");
    if (s->place_count == s->place_room) {
        size_t     room = s->place_room * 2 + 64;
        key_place *grown = realloc(s->places, room * sizeof(*grown));
        if (grown == NULL)
            return scan_fail(s, FAULT_NO_MEMORY, "out of memory");
        s->places = grown;
        s->place_room = room;
    }
    if (s->keys_room - s->keys_size < s->string_size) {
        size_t room = s->keys_room * 2 + s->string_size + 256;
        char  *grown = realloc(s->keys, room);
        if (grown == NULL)
            return scan_fail(s, FAULT_NO_MEMORY, "out of memory");
        s->keys = grown;
        s->keys_room = room;
    }
    if (s->string_size != 0)
        memcpy(s->keys + s->keys_size, s->string, s->string_size);
    s->places[s->place_count++] = (key_place){(uint32_t)s->keys_size, (uint32_t)s->string_size};
    s->keys_size += s->string_size;
    return true;
}

static bool scan_value(scan *s, int depth);

/* NOLINTNEXTLINE(misc-no-recursion): up to DEPTH_LIMIT */
static bool scan_member(scan *s, int depth, size_t first)
{
    if (s->token != TOKEN_STRING)
        return scan_fail(s, FAULT_SYNTAX, "string or '}' expected");
    if (memchr(s->string, '\0', s->string_size) != NULL)
        return scan_fail(s, FAULT_OTHER, "NUL byte in object key not supported");
    if ((s->flags & FAULT_REJECT_DUPLICATES) != 0 && !keys_add(s, first))
        return false;
    scan_token(s);
    if (s->token != ':')
        return scan_fail(s, FAULT_SYNTAX, "':' expected");
    scan_token(s);
    return scan_value(s, depth);
}

/* NOLINTNEXTLINE(misc-no-recursion): up to DEPTH_LIMIT */
static bool scan_list(scan *s, int depth, int end)
{
    size_t first = s->place_count, keys = s->keys_size;
    scan_token(s);
    if (s->token == end)
        return true;
    while (end == '}' || s->token != TOKEN_EOF) {
        if (end == '}' ? !scan_member(s, depth, first) : !scan_value(s, depth))
            return false;
        scan_token(s);
        if (s->token != ',')
            break;
        scan_token(s);
    }
    s->place_count = first;
    s->keys_size = keys;
    return s->token == end || scan_fail(s, FAULT_SYNTAX, "'%c' expected", end);
}

/* NOLINTNEXTLINE(misc-no-recursion): up to DEPTH_LIMIT */
static bool scan_value(scan *s, int depth)
{
    if (depth >= DEPTH_LIMIT)
        return scan_fail(s, FAULT_TOO_DEEP, "maximum parsing depth reached");
    switch (s->token) {
    case '{':
        return scan_list(s, depth + 1, '}');
    case '[':
        return scan_list(s, depth + 1, ']');
    case TOKEN_STRING:
        if ((s->flags & FAULT_ALLOW_NUL) == 0 && memchr(s->string, '\0', s->string_size) != NULL)
            return scan_fail(s, FAULT_OTHER, "\\u0000 is not allowed without JSON_ALLOW_NUL");
        return true;
    case TOKEN_OTHER:
        return true;
    case TOKEN_INVALID:
        return scan_fail(s, FAULT_SYNTAX, "invalid token");
    default:
        return scan_fail(s, FAULT_SYNTAX, "unexpected token");
    }
}

static void scan_document(scan *s)
{
    scan_token(s);
    if (s->token != '[' && s->token != '{') {
        scan_fail(s, FAULT_SYNTAX, "'[' or '{' expected");
    } else if (scan_value(s, 0)) {
        scan_token(s);
        if (s->token != TOKEN_EOF)
            scan_fail(s, FAULT_OTHER, "end of file expected");
    }
}

bool json_fault(json_fault_text *out, const char *text, size_t size, unsigned flags)
{
    scan s = {.out = out, .text = (const unsigned char *)text, .size = size, .flags = flags, .line = 1};
    s.saved = malloc(size + 8);
    s.string = malloc(size + 8);
    if (s.saved != NULL && s.string != NULL)
        scan_document(&s);
    free(s.saved);
    free(s.string);
    free(s.keys);
    free(s.places);
    return s.failed;
}
