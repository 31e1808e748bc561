/* SPDX-License-Identifier: MIT */
/* What is said of a JSON text that is wrong: what was expected, near what, and where, by line and column.
   Nothing of this is counted while a text is read. */
#include <stdarg.h>
#include <stdio.h>

#include "base/fail.h"
#include "base/json/json_parts.h"
#include "base/utf8.h"

#define FAULT_QUOTED 20 /* bytes; more are not quoted */

/* The line and column of the character before `end`. */
static void fault_locate(emberi_json_fault *out, const uint8_t *text, const uint8_t *end)
{
    static const uint8_t mark[3] = {0xef, 0xbb, 0xbf}; /* no column of its own */
    out->line = 1;
    out->column = 0;
    if (end - text >= 3 && emberi_equal(text, mark, 3))
        text += 3;
    for (; text < end; text++) {
        if (*text == '\n') {
            out->line++;
            out->column = 0;
        } else if ((*text & 0xC0u) != 0x80u) {
            out->column++;
        }
    }
}

bool emberi_json_wrong(json_parser *p, ember_status status, const uint8_t *start, const uint8_t *end,
                       const char *format, ...)
{
    emberi_json_fault *f = p->fault;
    va_list            list;
    va_start(list, format);
    int used = vsnprintf(f->text, sizeof(f->text) - FAULT_QUOTED - 16, format, list);
    va_end(list);
    char  *rest = f->text + (used > 0 ? (size_t)used : 0);
    size_t room = sizeof(f->text) - (size_t)(rest - f->text);
    f->status = status;
    if (start == p->end) {
        f->status = status == EMBER_E_MALFORMED ? EMBER_E_TRUNCATED : status;
        (void)snprintf(rest, room, " near end of file");
    } else if (end - start > 0 && end - start <= FAULT_QUOTED) {
        char quoted[FAULT_QUOTED + 1];
        (void)emberi_utf8_clean(quoted, sizeof(quoted), (const char *)start, (size_t)(end - start));
        (void)snprintf(rest, room, " near '%s'", quoted);
    }
    f->offset = (uint64_t)(end - p->text);
    fault_locate(f, p->text, end);
    return false;
}

bool emberi_json_no_memory(json_parser *p)
{
    *p->fault = (emberi_json_fault){.status = EMBER_E_NOMEM, .text = "out of memory"};
    return false;
}

static bool fault_is_word(uint8_t c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '-' || c == '+';
}

/* Behind the token at p->at: a string, a word or number, or a character. */
static const uint8_t *fault_token_end(const json_parser *p)
{
    const uint8_t *at = p->at;
    if (at == p->end)
        return at;
    if (*at == '"') {
        for (at++; at < p->end && *at != '"' && *at >= 0x20; at++)
            if (*at == '\\' && at + 1 < p->end)
                at++;
        return at < p->end && *at == '"' ? at + 1 : at;
    }
    if (!fault_is_word(*at)) {
        size_t size = emberi_utf8_size((const char *)at, (size_t)(p->end - at));
        return at + (size != 0 ? size : 1);
    }
    while (at < p->end && fault_is_word(*at))
        at++;
    return at;
}

bool emberi_json_wrong_token(json_parser *p, const char *what)
{
    if (p->at < p->end && *p->at >= 0x80 &&
        emberi_utf8_size((const char *)p->at, (size_t)(p->end - p->at)) == 0)
        return emberi_json_wrong(p, EMBER_E_MALFORMED, p->at, p->at, "unable to decode byte 0x%x", *p->at);
    return emberi_json_wrong(p, EMBER_E_MALFORMED, p->at, fault_token_end(p), "%s", what);
}

ember_status emberi_json_fault_fail(const emberi_json_fault *fault, const char *what, ember_error *err)
{
    if (fault->status == EMBER_E_NOMEM)
        return emberi_fail_memory(err);
    return emberi_failf(err, fault->status, fault->offset, "%sline %u, column %u: %s", what, fault->line,
                        fault->column, fault->text);
}
