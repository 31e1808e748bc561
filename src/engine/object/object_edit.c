/* SPDX-License-Identifier: MIT */
/* Edits the text that wasm2c 1.0.32 wrote, before the compiler sees it: tests for NaN behind arithmetic, and
   flags that have an address. The text is made of a module that was checked; what does not look as expected
   is left as it is or gets more tests than it needs. */
#define _GNU_SOURCE /* memmem */

#include "engine/object/object_edit.h"

#include <string.h>

/* ---- lines ---- */

static bool line_begins(emberi_text_line line, const char *word)
{
    size_t size = strlen(word);
    return line.size >= size && memcmp(line.text, word, size) == 0;
}

static bool line_ends(emberi_text_line line, const char *word)
{
    size_t size = strlen(word);
    return line.size >= size && memcmp(line.text + line.size - size, word, size) == 0;
}

static emberi_text_line line_from(emberi_text_line line, size_t at)
{
    return (emberi_text_line){line.text + at, line.size - at};
}

static emberi_text_line line_without_indent(emberi_text_line line)
{
    size_t at = 0;
    while (at < line.size && line.text[at] == ' ')
        at++;
    return line_from(line, at);
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_name(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* w2c_, a letter, digits; behind them perhaps _ and digits again. 0: it is none. */
static size_t variable_size(emberi_text_line line)
{
    size_t at = 5;
    if (line.size < 6 || !line_begins(line, "w2c_") || strchr("fdlp", line.text[4]) == NULL ||
        !is_digit(line.text[5]))
        return 0;
    while (at < line.size && is_digit(line.text[at]))
        at++;
    if (at + 1 < line.size && line.text[at] == '_' && is_digit(line.text[at + 1]))
        for (at++; at < line.size && is_digit(line.text[at]);)
            at++;
    /* a function's name, or a longer one */
    return at < line.size && (is_name(line.text[at]) || line.text[at] == '(') ? 0 : at;
}

bool emberi_text_next_variable(emberi_text_line line, size_t *at, const char **name, size_t *size)
{
    while (*at < line.size) {
        if (!is_name(line.text[*at])) {
            ++*at;
            continue;
        }
        *name = line.text + *at;
        *size = variable_size(line_from(line, *at));
        while (*at < line.size && is_name(line.text[*at]))
            ++*at;
        if (*size != 0)
            return true;
    }
    return false;
}

emberi_text_kind emberi_text_kind_of(emberi_text_line line, const char **name, size_t *size)
{
    static const char *const canonical[] = {"wasm_floor",      "wasm_ceil", "wasm_trunc",
                                            "wasm_nearbyint",  "FMIN(",     "(f64)wasm_quietf",
                                            "(f32)wasm_quiet", "FMAX("};
    line = line_without_indent(line);
    *name = line.text;
    *size = variable_size(line);
    if (*size == 0 || line.size < *size + 4)
        return EMBERI_TEXT_OTHER;
    emberi_text_line rest = line_from(line, *size);
    if (rest.text[0] == ' ' && strchr("+-*/", rest.text[1]) != NULL && rest.text[2] == '=')
        return EMBERI_TEXT_ARITHMETIC;
    if (!line_begins(rest, " = "))
        return EMBERI_TEXT_OTHER;
    rest = line_from(rest, 3);
    if (line_begins(rest, "wasm_sqrt"))
        return EMBERI_TEXT_ARITHMETIC;
    for (size_t i = 0; i < sizeof(canonical) / sizeof(canonical[0]); i++)
        if (line_begins(rest, canonical[i]))
            return EMBERI_TEXT_CANONICAL;
    return EMBERI_TEXT_OTHER;
}

/* ---- the whole text ---- */

typedef struct edit {
    ember_buffer     *out;
    emberi_text_line *lines;
    size_t            count;
} edit;

static bool edit_put(edit *e, emberi_text_line line)
{
    return (line.size == 0 || ember_buffer_append(e->out, line.text, line.size)) &&
           ember_buffer_append(e->out, "\n", 1);
}

static size_t edit_count_lines(const char *text, size_t size)
{
    size_t count = 1;
    for (const char *at = text; (at = memchr(at, '\n', size - (size_t)(at - text))) != NULL; at++)
        count++;
    return count;
}

static bool edit_split(edit *e, const char *text, size_t size)
{
    size_t capacity = edit_count_lines(text, size);
    e->lines = e->out->allocator.resize(e->out->allocator.user, NULL, 0, capacity * sizeof(*e->lines));
    if (e->lines == NULL)
        return false;
    for (const char *at = text, *end = text + size; at < end;) {
        const char *next = memchr(at, '\n', (size_t)(end - at));
        next = next != NULL ? next : end;
        e->lines[e->count++] = (emberi_text_line){at, (size_t)(next - at)};
        at = next + 1;
    }
    return true;
}

static void edit_free(edit *e, const char *text, size_t size)
{
    if (e->lines != NULL)
        e->out->allocator.resize(e->out->allocator.user, e->lines,
                                 edit_count_lines(text, size) * sizeof(*e->lines), 0);
}

/* A result and its test: EMBERI_NAN_f for an f32, EMBERI_NAN_d for an f64. */
static bool edit_put_tested(edit *e, emberi_text_line line)
{
    const char *name;
    size_t      size;
    (void)emberi_text_kind_of(line, &name, &size);
    return ember_buffer_append(e->out, line.text, line.size) &&
           ember_buffer_append(e->out, " EMBERI_NAN_", 12) && ember_buffer_append(e->out, name + 4, 1) &&
           ember_buffer_append(e->out, "(", 1) && ember_buffer_append(e->out, name, size) &&
           ember_buffer_append(e->out, ")\n", 2);
}

static bool edit_function(edit *e, size_t first, size_t end)
{
    ember_allocator  allocator = e->out->allocator;
    size_t           count = end - first;
    emberi_text_body body = {e->lines + first, allocator.resize(allocator.user, NULL, 0, count), count};
    if (body.tests == NULL)
        return false;
    memset(body.tests, 0, count);
    bool ok = emberi_text_find_tests(&body, allocator);
    for (size_t i = 0; i < count && ok; i++)
        ok = body.tests[i] ? edit_put_tested(e, body.lines[i]) : edit_put(e, body.lines[i]);
    allocator.resize(allocator.user, body.tests, count, 0);
    return ok;
}

/* wasm2c's own helpers keep the bits of a NaN that they are given; here they give the canonical one. They
   want what they load in a register of integers; here floats stay where they are. Spaces may follow, and in a
   macro a backslash. */
static bool edit_helper(edit *e, emberi_text_line line)
{
    static const struct {
        const char *from, *to;
    } edits[] = {{"  tmp |= 0x7fc00000lu;", "  tmp = 0x7fc00000lu;"},
                 {"  tmp |= 0x7ff8000000000000llu;", "  tmp = 0x7ff8000000000000llu;"},
                 {"    wasm_asm(\"\" ::\"r\"(result));", "    wasm_asm(\"\" ::EMBERI_LOADED(result));"}};
    for (size_t i = 0; i < sizeof(edits) / sizeof(edits[0]); i++)
        if (line_begins(line, edits[i].from))
            return ember_buffer_append(e->out, edits[i].to, strlen(edits[i].to)) &&
                   edit_put(e, line_from(line, strlen(edits[i].from)));
    return edit_put(e, line);
}

bool emberi_object_edit_code(ember_buffer *out, const char *text, size_t size)
{
    edit e = {.out = out};
    bool ok = edit_split(&e, text, size);
    for (size_t i = 0; i < e.count && ok; i++) {
        const emberi_text_line line = e.lines[i];
        ok = edit_helper(&e, line);
        /* The helpers at the top have no variables of a game, and edits of their own. */
        if (!ok || !line_begins(line, "static ") || !line_ends(line, ") {") ||
            memmem(line.text, line.size, " w2c_", 5) == NULL)
            continue;
        size_t end = i + 1;
        while (end < e.count && !(e.lines[end].size == 1 && e.lines[end].text[0] == '}'))
            end++;
        if (end > i + 1)
            ok = edit_function(&e, i + 1, end);
        i = end - 1;
    }
    edit_free(&e, text, size);
    return ok;
}

bool emberi_object_edit_header(ember_buffer *out, const char *text, size_t size)
{
    edit e = {.out = out};
    bool ok = edit_split(&e, text, size);
    for (size_t i = 0; i < e.count && ok; i++) {
        emberi_text_line line = e.lines[i];
        if (line_begins(line, "  bool data_segment_dropped_") && line_ends(line, " : 1;")) {
            line.size -= 5;
            ok = ember_buffer_append(out, line.text, line.size) && ember_buffer_append(out, ";\n", 2);
            continue;
        }
        ok = edit_put(&e, line);
    }
    edit_free(&e, text, size);
    return ok;
}
