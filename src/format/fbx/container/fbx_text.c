/* SPDX-License-Identifier: MIT */
/* FBX files that are text: names, values and braces. Opening a file finds the records and where their values
   begin and end; what the values are is read when somebody asks. Nothing needs a zero byte at the end or
   looks past it. */
#include "format/fbx/container/fbx_container.h"
#include "format/text_scan.h"

#include <string.h>

typedef struct text_scan {
    fbx_file   *file;
    const char *at, *end;
} text_scan;

static ember_status text_fail(const text_scan *scan, ember_status status, const char *at, const char *text)
{
    uint64_t line = 1;
    for (const char *p = (const char *)scan->file->source->data; p < at; p++)
        line += *p == '\n' ? 1u : 0u;
    return emberi_failf(scan->file->source->err, status,
                        (uint64_t)(at - (const char *)scan->file->source->data), "fbx: line %llu: %s",
                        (unsigned long long)line, text);
}

/* ---- tokens ---- */

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}

/* White space and comments. */
static const char *skip_space(const char *at, const char *end)
{
    while (at < end && (is_space(*at) || *at == ';')) {
        if (*at == ';') {
            const char *line = memchr(at, '\n', (size_t)(end - at));
            at = line != NULL ? line : end;
        } else {
            at++;
        }
    }
    return at;
}

static bool ends_word(char c)
{
    return is_space(c) || c == ',' || c == '{' || c == '}' || c == ':' || c == '"' || c == ';';
}

static const char *skip_word(const char *at, const char *end)
{
    while (at < end && !ends_word(*at))
        at++;
    return at;
}

/* Behind the closing quote; NULL if there is none. `at` is the opening one. */
static const char *skip_string(const char *at, const char *end)
{
    const char *quote = memchr(at + 1, '"', (size_t)(end - at) - 1);
    return quote != NULL ? quote + 1 : NULL;
}

/* Whether what stands there is a name and not a value. */
static bool is_name(const char *at, const char *end)
{
    const char *behind = *at == '"' ? skip_string(at, end) : skip_word(at, end);
    if (behind == NULL || behind == at)
        return false;
    behind = skip_space(behind, end);
    return behind < end && *behind == ':';
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static bool begins_number(const char *at, const char *end)
{
    return at < end && (is_digit(*at) || ((*at == '-' || *at == '+' || *at == '.') && end - at > 1 &&
                                          (is_digit(at[1]) || at[1] == '.')));
}

/* Digits with an exponent may be too large. */
static bool is_too_large(const char *at, const char *end)
{
    ember_error unused;
    double      value;
    emberi_scan scan = {at, at, end, "fbx", &unused};
    return (memchr(at, 'e', (size_t)(end - at)) != NULL || memchr(at, 'E', (size_t)(end - at)) != NULL) &&
           !emberi_scan_number(&scan, &value, NULL);
}

static bool is_odd_number(const char *at, const char *end)
{
    if (begins_number(at, end))
        return memchr(at, '#', (size_t)(end - at)) != NULL || is_too_large(at, end);
    emberi_word word = {at, (size_t)(end - at)};
    if (word.size != 0 && (*at == '-' || *at == '+'))
        word = (emberi_word){at + 1, word.size - 1};
    return emberi_word_is(word, "nan") || emberi_word_is(word, "inf") || emberi_word_is(word, "infinity") ||
           emberi_word_is(word, "nan(ind)");
}

/* ---- records ---- */

/* The values behind a name's colon, up to what cannot belong to them. */
static ember_status text_values(text_scan *scan, fbx_record *record)
{
    const char *start = scan->at;
    bool        wants = true; /* a value may come */
    for (;;) {
        const char *at = skip_space(scan->at, scan->end);
        if (at == scan->end || *at == '{' || *at == '}' || *at == ':')
            break;
        if (*at == ',') {
            wants = true;
            scan->at = at + 1;
            continue;
        }
        if ((!wants && *at != '"') || (!begins_number(at, scan->end) && is_name(at, scan->end)))
            break;
        const char *behind = *at == '"' ? skip_string(at, scan->end) : skip_word(at, scan->end);
        if (behind == NULL)
            return text_fail(scan, EMBER_E_TRUNCATED, at, "a string without an end");
        scan->file->odd_numbers += is_odd_number(at, behind) ? 1u : 0u;
        scan->at = behind;
        wants = false;
    }
    record->values = (const uint8_t *)start;
    record->values_size = (size_t)(scan->at - start);
    return EMBER_OK;
}

static ember_status text_name(text_scan *scan, fbx_text *out)
{
    const char *start = scan->at;
    const char *behind = *start == '"' ? skip_string(start, scan->end) : skip_word(start, scan->end);
    if (behind == NULL)
        return text_fail(scan, EMBER_E_TRUNCATED, start, "a string without an end");
    *out = *start == '"' ? (fbx_text){start + 1, (size_t)(behind - start) - 2}
                         : (fbx_text){start, (size_t)(behind - start)};
    scan->at = skip_space(behind, scan->end);
    if (scan->at == scan->end)
        return text_fail(scan, EMBER_E_TRUNCATED, start, "the file ends inside a name");
    if (*scan->at != ':' || out->size > UINT32_MAX)
        return text_fail(scan, EMBER_E_MALFORMED, start, "a name without a colon");
    scan->at++;
    return EMBER_OK;
}

static ember_status text_record(text_scan *scan, uint32_t parent, uint32_t *last)
{
    fbx_record *record;
    fbx_text    name = {"", 0};
    EMBERI_TRY(text_name(scan, &name));
    EMBERI_TRY(emberi_fbx_add_record(scan->file, &record, parent, last));
    record->name = name.data;
    record->name_size = (uint32_t)name.size;
    return text_values(scan, record);
}

ember_status emberi_fbx_open_text(fbx_file *file)
{
    const char *data = (const char *)file->source->data;
    text_scan   scan = {file, data, data + file->source->size};
    struct {
        uint32_t record, last;
    } levels[FBX_DEPTH_MAX] = {{0, FBX_NONE}};
    uint32_t depth = 0;
    if (file->source->size >= 3 && memcmp(data, "\xef\xbb\xbf", 3) == 0)
        scan.at += 3;
    for (;;) {
        scan.at = skip_space(scan.at, scan.end);
        if (scan.at == scan.end && depth == 0)
            return EMBER_OK;
        if (scan.at == scan.end)
            return text_fail(&scan, EMBER_E_TRUNCATED, scan.at, "the file ends inside braces");
        if (*scan.at == '}') {
            if (depth-- == 0)
                return text_fail(&scan, EMBER_E_MALFORMED, scan.at, "a brace closes what was not opened");
            scan.at++;
            continue;
        }
        EMBERI_TRY(text_record(&scan, levels[depth].record, &levels[depth].last));
        scan.at = skip_space(scan.at, scan.end);
        if (scan.at == scan.end || *scan.at != '{')
            continue;
        if (depth + 1 == FBX_DEPTH_MAX)
            return text_fail(&scan, EMBER_E_LIMIT, scan.at, "records are nested more than 64 deep");
        levels[depth + 1].record = levels[depth].last;
        levels[++depth].last = FBX_NONE;
        scan.at++;
    }
}

/* ---- values ---- */

static void text_number(fbx_value *out, const char *at, const char *end)
{
    const char *p = at + (*at == '-' || *at == '+');
    ember_error unused;
    double      value;
    int64_t     whole = 0;
    while (p < end && is_digit(*p) && whole <= (INT64_MAX - 9) / 10)
        whole = whole * 10 + (*p++ - '0');
    if (p == end) {
        out->kind = FBX_VALUE_WHOLE;
        out->integer = *at == '-' ? -whole : whole;
        out->real = (double)out->integer;
        return;
    }
    emberi_scan scan = {at, at, end, "fbx", &unused};
    out->kind = FBX_VALUE_REAL;
    out->real = emberi_scan_number(&scan, &value, NULL) ? value : 0.0;
    out->integer = emberi_fbx_to_whole(out->real);
}

bool emberi_fbx_text_next(fbx_cursor *cursor, fbx_value *out)
{
    const char *at = (const char *)cursor->at, *end = (const char *)cursor->end, *behind;
    at = at != NULL ? skip_space(at, end) : end;
    while (at < end && *at == ',')
        at = skip_space(at + 1, end);
    if (at >= end)
        return false;
    memset(out, 0, sizeof(*out));
    if (*at == '"') {
        behind = skip_string(at, end);
        if (behind == NULL)
            return false;
        out->kind = FBX_VALUE_TEXT;
        out->text = (fbx_text){at + 1, (size_t)(behind - at) - 2};
    } else {
        behind = skip_word(at, end);
        if (behind == at)
            return false;
        if (*at == '*')
            out->kind = FBX_VALUE_COUNT;
        else if (is_odd_number(at, behind))
            out->kind = FBX_VALUE_REAL;
        else if (begins_number(at, behind))
            text_number(out, at, behind);
        else
            *out = (fbx_value){.kind = FBX_VALUE_TEXT, .text = {at, (size_t)(behind - at)}};
    }
    cursor->at = (const uint8_t *)behind;
    return true;
}
