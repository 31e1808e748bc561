/* SPDX-License-Identifier: MIT */
/* The JSON parser: one pass over the bytes, one stack, no recursion. Whatever the bytes, it reads none behind
   them, and takes less than 64 bytes of memory for each of them. */
#include "base/json/decimal.h"
#include "base/json/json_parts.h"
#include "base/utf8.h"

#define JSON_DEPTH_LIMIT 2048u
#define JSON_VALUES_AT_ONCE 2048u
#define JSON_CHARS_AT_ONCE ((size_t)16 << 10)
#define JSON_TEXT_LIMIT ((size_t)UINT32_MAX)

/* ---- memory ---- */

static json_t *parse_push(json_parser *p, json_type type)
{
    if (p->used == p->room) {
        size_t  room = p->room != 0 ? (size_t)p->room * 2 : 256;
        json_t *grown = room < UINT32_MAX ? EMBER_PUSH(p->arena, json_t, room) : NULL;
        if (grown == NULL) {
            (void)emberi_json_no_memory(p);
            return NULL;
        }
        if (p->used != 0)
            emberi_copy(grown, p->stack, p->used * sizeof(*grown));
        p->stack = grown;
        p->room = (uint32_t)room;
    }
    json_t *value = &p->stack[p->used++];
    value->type = (uint16_t)type;
    value->room = 0;
    value->count = 0;
    return value;
}

/* Where values stay. */
static const json_t *parse_keep(json_parser *p, const json_t *values, size_t count)
{
    static const json_t none;
    if (count == 0)
        return &none;
    if (count > p->values_left) {
        size_t  room = count > JSON_VALUES_AT_ONCE / 4 ? count : JSON_VALUES_AT_ONCE;
        json_t *more = EMBER_PUSH(p->arena, json_t, room);
        if (more == NULL) {
            (void)emberi_json_no_memory(p);
            return NULL;
        }
        if (room == count) { /* a large list has its own place; others go on where they were */
            emberi_copy(more, values, count * sizeof(*values));
            return more;
        }
        p->values = more;
        p->values_left = room;
    }
    json_t *kept = p->values;
    emberi_copy(kept, values, count * sizeof(*values));
    p->values += count;
    p->values_left -= count;
    return kept;
}

/* Room for `size` characters; what is not used of it stays with p->chars. */
static char *parse_chars(json_parser *p, size_t size)
{
    if (size > p->chars_left) {
        size_t room = size > JSON_CHARS_AT_ONCE / 4 ? size : JSON_CHARS_AT_ONCE;
        char  *more = EMBER_PUSH(p->arena, char, room);
        if (more == NULL) {
            (void)emberi_json_no_memory(p);
            return NULL;
        }
        if (room == size)
            return more;
        p->chars = more;
        p->chars_left = room;
    }
    char *start = p->chars;
    p->chars += size;
    p->chars_left -= size;
    return start;
}

/* ---- strings ---- */

/* Four hexadecimal digits; -1 if they are not. */
static int32_t string_hex(const uint8_t *at, const uint8_t *end)
{
    int32_t value = 0;
    if (end - at < 4)
        return -1;
    for (int i = 0; i < 4; i++) {
        uint8_t c = at[i], lower = c | 0x20;
        if ((c < '0' || c > '9') && (lower < 'a' || lower > 'f'))
            return -1;
        value = value * 16 + (c <= '9' ? c - '0' : lower - 'a' + 10);
    }
    return value;
}

static char *string_put(char *to, uint32_t code)
{
    if (code < 0x80) {
        *to++ = (char)code;
        return to;
    }
    int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    *to++ = (char)((more == 1 ? 0xC0u : more == 2 ? 0xE0u : 0xF0u) | code >> (6 * more));
    while (more-- > 0)
        *to++ = (char)(0x80u | (code >> (6 * more) & 0x3Fu));
    return to;
}

/* One \u escape, or two that make a character; *at is behind the backslash. */
static bool string_unicode(json_parser *p, const uint8_t *start, const uint8_t **at, char **to)
{
    int32_t first = string_hex(*at + 1, p->end);
    if (first < 0)
        return emberi_json_wrong(p, EMBER_E_MALFORMED, start, *at + 1, "invalid escape");
    *at += 5;
    uint32_t code = (uint32_t)first;
    if (first >= 0xD800 && first <= 0xDFFF) {
        bool    pair = first <= 0xDBFF && p->end - *at >= 6 && (*at)[0] == '\\' && (*at)[1] == 'u';
        int32_t second = pair ? string_hex(*at + 2, p->end) : -1;
        if (second < 0xDC00 || second > 0xDFFF)
            return emberi_json_wrong(p, EMBER_E_MALFORMED, start, *at, "invalid Unicode '\\u%04X'",
                                     (unsigned)first);
        *at += 6;
        code = ((code - 0xD800u) << 10) + ((uint32_t)second - 0xDC00u) + 0x10000u;
    }
    *to = string_put(*to, code);
    return true;
}

/* An escape; *at is at the backslash. */
static bool string_escape(json_parser *p, const uint8_t *start, const uint8_t **at, char **to)
{
    static const char from[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    const uint8_t    *c = *at + 1;
    if (c == p->end)
        return emberi_json_wrong(p, EMBER_E_TRUNCATED, start, c, "premature end of input");
    *at = c;
    if (*c == 'u')
        return string_unicode(p, start, at, to);
    for (size_t i = 0; i < sizeof(from) - 1; i++) {
        if (*c != (uint8_t)from[i])
            continue;
        *(*to)++ = meant[i];
        *at = c + 1;
        return true;
    }
    return emberi_json_wrong(p, EMBER_E_MALFORMED, start, c + 1, "invalid escape");
}

static bool string_refuse(json_parser *p, const uint8_t *start, const uint8_t *at)
{
    if (at == p->end)
        return emberi_json_wrong(p, EMBER_E_TRUNCATED, start, at, "premature end of input");
    if (*at == '\n')
        return emberi_json_wrong(p, EMBER_E_MALFORMED, start, at, "unexpected newline");
    if (*at < 0x20)
        return emberi_json_wrong(p, EMBER_E_MALFORMED, start, at, "control character 0x%x", *at);
    return emberi_json_wrong(p, EMBER_E_MALFORMED, start, at, "unable to decode byte 0x%x", *at);
}

static bool string_is_plain(uint8_t c) { return c >= 0x20 && c < 0x80 && c != '"' && c != '\\'; }

/* The rest of a string that is not plain throughout, from `at` on; `to` has room for all of its bytes. */
static char *string_decode(json_parser *p, const uint8_t *start, const uint8_t **from, char *to)
{
    const uint8_t *at = *from;
    while (at < p->end && *at != '"') {
        if (string_is_plain(*at)) {
            *to++ = (char)*at++;
        } else if (*at == '\\') {
            if (!string_escape(p, start, &at, &to))
                return NULL;
        } else {
            size_t size = *at < 0x20 ? 0 : emberi_utf8_size((const char *)at, (size_t)(p->end - at));
            if (size == 0)
                break;
            emberi_copy(to, at, size);
            to += size;
            at += size;
        }
    }
    *from = at;
    if (at < p->end && *at == '"')
        return to;
    (void)string_refuse(p, start, at);
    return NULL;
}

/* Behind the string that begins at `at`, or near there: no more than its bytes are decoded. */
static const uint8_t *string_bound(const uint8_t *at, const uint8_t *end)
{
    while (at < end && *at != '"')
        at += *at == '\\' && end - at > 1 ? 2 : 1;
    return at;
}

/* The string at p->at. */
static bool parse_string(json_parser *p, bool is_key)
{
    const uint8_t *start = p->at, *first = start + 1, *at = first;
    json_t        *value = parse_push(p, JSON_STRING);
    if (value == NULL)
        return false;
    while (at < p->end && string_is_plain(*at))
        at++;
    bool           plain = at < p->end && *at == '"';
    const uint8_t *bound = plain ? at : string_bound(at, p->end);
    char          *text = parse_chars(p, (size_t)(bound - first) + 1);
    if (text == NULL)
        return false;
    emberi_copy(text, first, (size_t)(at - first));
    char *to = plain ? text + (at - first) : string_decode(p, start, &at, text + (at - first));
    if (to == NULL)
        return false;
    *to = '\0';
    value->count = (uint32_t)(to - text);
    value->at.text = text;
    p->at = at + 1;
    if (plain || (!is_key && (p->flags & EMBERI_JSON_NUL) != 0) || emberi_text_size(text) == value->count)
        return true;
    return emberi_json_wrong(p, EMBER_E_MALFORMED, start, p->at, "NUL byte in %s not supported",
                             is_key ? "object key" : "string");
}

/* ---- other values ---- */

static void parse_skip_blank(json_parser *p)
{
    while (p->at < p->end && (*p->at == ' ' || *p->at == '\n' || *p->at == '\r' || *p->at == '\t'))
        p->at++;
}

/* Keeps all digits of a whole number, if 64 bits do. */
static void parse_whole(json_t *value, const uint8_t *text, size_t size)
{
    int64_t whole = 0;
    bool    negative = *text == '-';
    for (size_t i = negative ? 1 : 0; i < size; i++) {
        int64_t digit = text[i] - '0';
        if (digit < 0 || digit > 9 || whole > (INT64_MAX - digit) / 10)
            return;
        whole = whole * 10 + digit;
    }
    value->type = JSON_WHOLE;
    value->at.whole = negative ? -whole : whole;
}

static bool parse_number(json_parser *p)
{
    json_t        *value = parse_push(p, JSON_REAL);
    const uint8_t *start = p->at;
    if (value == NULL)
        return false;
    size_t  size = emberi_decimal_read(&value->at.number, start, p->end);
    uint8_t next = size != 0 && start + size < p->end ? start[size] : ' ';
    /* What goes on like a number or a word is none. */
    if (size == 0 || next == '.' || (next >= '0' && next <= '9') || (next | 0x20) == 'e')
        return emberi_json_wrong_token(p, "invalid token");
    p->at += size;
    if ((p->flags & EMBERI_JSON_WHOLE) != 0 &&
        (value->at.number >= EMBERI_JSON_EXACT || value->at.number <= -EMBERI_JSON_EXACT))
        parse_whole(value, start, size);
    if (value->type == JSON_REAL && value->at.number - value->at.number != 0.0)
        return emberi_json_wrong(p, EMBER_E_MALFORMED, start, p->at, "real number overflow");
    return true;
}

static bool parse_word(json_parser *p)
{
    static const struct {
        char      word[6];
        uint8_t   size;
        json_type type;
    } words[] = {{"true", 4, JSON_TRUE}, {"false", 5, JSON_FALSE}, {"null", 4, JSON_NULL}};
    for (size_t i = 0; i < 3; i++) {
        size_t size = words[i].size, left = (size_t)(p->end - p->at);
        if (left < size || !emberi_equal(p->at, words[i].word, size))
            continue;
        uint8_t next = left > size ? p->at[size] | 0x20 : ' ';
        if (next >= 'a' && next <= 'z')
            break;
        p->at += size;
        return parse_push(p, words[i].type) != NULL;
    }
    return emberi_json_wrong_token(p, p->at == p->end || *p->at == ',' || *p->at == ':' || *p->at == ']' ||
                                              *p->at == '}'
                                          ? "unexpected token"
                                          : "invalid token");
}

/* ---- arrays and objects ---- */

static bool parse_open(json_parser *p, json_type type)
{
    if (p->depth == JSON_DEPTH_LIMIT)
        return emberi_json_wrong(p, EMBER_E_LIMIT, p->at, p->at + 1, "maximum parsing depth reached");
    json_t *value = parse_push(p, type);
    if (value == NULL)
        return false;
    p->at++;
    value->at.open.up = p->open;
    value->at.open.start = (uint32_t)(p->at - p->text);
    p->open = p->used - 1;
    p->depth++;
    return true;
}

static bool parse_close(json_parser *p)
{
    json_t  *list = &p->stack[p->open];
    uint32_t count = p->used - p->open - 1, up = list->at.open.up;
    bool     object = list->type == JSON_OBJECT;
    if (object && (p->flags & EMBERI_JSON_UNIQUE) != 0 && count > 2 &&
        !emberi_json_keys_differ(p, list + 1, count / 2, p->text + list->at.open.start))
        return false;
    const json_t *kept = parse_keep(p, list + 1, count);
    if (kept == NULL)
        return false;
    list->count = object ? count / 2 : count;
    list->at.items = kept;
    p->used = p->open + 1;
    p->open = up;
    p->depth--;
    p->at++;
    return true;
}

/* A key and its colon. */
static bool parse_key(json_parser *p)
{
    parse_skip_blank(p);
    if (p->at == p->end || *p->at != '"')
        return emberi_json_wrong_token(p, "string or '}' expected");
    if (!parse_string(p, true))
        return false;
    parse_skip_blank(p);
    if (p->at == p->end || *p->at != ':')
        return emberi_json_wrong_token(p, "':' expected");
    p->at++;
    return true;
}

/* Behind a value: the ends of lists, as many as come, then a comma. */
static bool parse_on(json_parser *p)
{
    while (p->open != JSON_NO_OPEN) {
        bool    object = p->stack[p->open].type == JSON_OBJECT;
        uint8_t end = object ? '}' : ']';
        parse_skip_blank(p);
        if (p->at < p->end && *p->at == ',') {
            p->at++;
            return !object || parse_key(p);
        }
        if (p->at == p->end || *p->at != end)
            return emberi_json_wrong_token(p, object ? "'}' expected" : "']' expected");
        if (!parse_close(p))
            return false;
    }
    return true;
}

/* A value, or the beginning of one and what comes first in it. */
static bool parse_value(json_parser *p)
{
    parse_skip_blank(p);
    uint8_t c = p->at < p->end ? *p->at : 0;
    if (c == '{' || c == '[') {
        if (!parse_open(p, c == '{' ? JSON_OBJECT : JSON_ARRAY))
            return false;
        parse_skip_blank(p);
        if (p->at < p->end && *p->at == (c == '{' ? '}' : ']'))
            return parse_close(p) && parse_on(p);
        return c == '[' || parse_key(p);
    }
    bool read = c == '"'                             ? parse_string(p, false)
                : c == '-' || (c >= '0' && c <= '9') ? parse_number(p)
                                                     : parse_word(p);
    return read && parse_on(p);
}

static bool parse_document(json_parser *p)
{
    parse_skip_blank(p);
    if (p->at == p->end || (*p->at != '{' && *p->at != '['))
        return emberi_json_wrong_token(p, "'[' or '{' expected");
    do {
        if (!parse_value(p))
            return false;
    } while (p->open != JSON_NO_OPEN);
    parse_skip_blank(p);
    return p->at == p->end || emberi_json_wrong_token(p, "end of file expected");
}

const json_t *emberi_json_parse(const uint8_t *text, size_t size, unsigned flags, ember_arena *arena,
                                emberi_json_fault *fault)
{
    static const uint8_t mark[3] = {0xef, 0xbb, 0xbf};
    json_parser          p = {.text = text, .at = text, .flags = flags, .arena = arena, .fault = fault};
    p.open = JSON_NO_OPEN;
    if (size > JSON_TEXT_LIMIT) {
        *fault = (emberi_json_fault){EMBER_E_LIMIT, JSON_TEXT_LIMIT, 1, 1, "4 GiB of text or more"};
        return NULL;
    }
    p.end = text + size;
    if (size >= sizeof(mark) && emberi_equal(text, mark, sizeof(mark)))
        p.at += sizeof(mark);
    return parse_document(&p) ? parse_keep(&p, p.stack, 1) : NULL;
}
