/* SPDX-License-Identifier: MIT */
/* The values of a record one after the other, whichever kind of file they are in. Binary ones were checked
   when the file was opened; a text's are read again here, and end where they stop making sense. */
#include "base/bytes.h"
#include "format/fbx/container/fbx_container.h"

#include <string.h>

fbx_cursor emberi_fbx_values(const fbx_file *file, uint32_t record)
{
    static const fbx_record none = {.child = FBX_NONE, .next = FBX_NONE};
    const fbx_record       *r = record == FBX_NONE ? &none : emberi_fbx_record(file, record);
    return (fbx_cursor){file, r->values, r->values != NULL ? r->values + r->values_size : NULL,
                        r->value_count};
}

static uint64_t value_bits(const fbx_file *file, const uint8_t *p, size_t size)
{
    uint64_t bits = 0;
    for (size_t i = 0; i < size; i++)
        bits = bits << 8 | p[file->big_endian ? i : size - 1 - i];
    return bits;
}

static void value_whole(fbx_value *out, int64_t value)
{
    out->kind = FBX_VALUE_WHOLE;
    out->integer = value;
    out->real = (double)value;
}

static void value_real(fbx_value *out, double value)
{
    out->kind = FBX_VALUE_REAL;
    out->real = value - value == 0.0 ? value : 0.0;
    out->integer = emberi_fbx_to_whole(out->real);
}

static bool binary_next(fbx_cursor *cursor, fbx_value *out)
{
    if (cursor->left == 0)
        return false;
    const fbx_file *file = cursor->file;
    const uint8_t  *p = cursor->at + 1;
    uint64_t        bits;
    size_t          size = 1;
    double          wide;
    memset(out, 0, sizeof(*out));
    out->type = (char)*cursor->at;
    switch (out->type) {
    case 'C':
    case 'B':
    case 'Z':
        value_whole(out, (int8_t)*p);
        break;
    case 'Y':
        value_whole(out, (int16_t)value_bits(file, p, size = 2));
        break;
    case 'I':
        value_whole(out, (int32_t)value_bits(file, p, size = 4));
        break;
    case 'L':
        value_whole(out, (int64_t)value_bits(file, p, size = 8));
        break;
    case 'F':
        value_real(out, (double)emberi_float_of((uint32_t)value_bits(file, p, size = 4)));
        break;
    case 'D':
        bits = value_bits(file, p, size = 8);
        memcpy(&wide, &bits, sizeof(wide));
        value_real(out, wide);
        break;
    case 'S':
    case 'R':
        out->kind = out->type == 'S' ? FBX_VALUE_TEXT : FBX_VALUE_BYTES;
        out->text = (fbx_text){(const char *)p + 4, (size_t)value_bits(file, p, 4)};
        size = 4 + out->text.size;
        break;
    default:
        out->kind = FBX_VALUE_ARRAY;
        out->text = (fbx_text){(const char *)p, 12 + (size_t)value_bits(file, p + 8, 4)};
        size = out->text.size;
        break;
    }
    cursor->at = p + size;
    cursor->left--;
    return true;
}

bool emberi_fbx_next(fbx_cursor *cursor, fbx_value *out)
{
    return cursor->file->is_text ? emberi_fbx_text_next(cursor, out) : binary_next(cursor, out);
}

/* ---- single values ---- */

static bool value_at(const fbx_file *file, fbx_value *out, uint32_t record, uint32_t index)
{
    fbx_cursor cursor = emberi_fbx_values(file, record);
    for (uint32_t i = 0; i <= index; i++)
        if (!emberi_fbx_next(&cursor, out))
            return false;
    return true;
}

int64_t emberi_fbx_to_whole(double value)
{
    return value >= 9.2e18 ? INT64_MAX : value <= -9.2e18 ? INT64_MIN : value == value ? (int64_t)value : 0;
}

int64_t emberi_fbx_whole(const fbx_file *file, uint32_t record, uint32_t index, int64_t otherwise)
{
    fbx_value value;
    if (!value_at(file, &value, record, index) || value.kind > FBX_VALUE_REAL)
        return otherwise;
    return value.integer;
}

double emberi_fbx_real(const fbx_file *file, uint32_t record, uint32_t index, double otherwise)
{
    fbx_value value;
    return value_at(file, &value, record, index) && value.kind <= FBX_VALUE_REAL ? value.real : otherwise;
}

fbx_text emberi_fbx_string(const fbx_file *file, uint32_t record, uint32_t index)
{
    fbx_value value;
    if (value_at(file, &value, record, index) && value.kind == FBX_VALUE_TEXT)
        return value.text;
    return (fbx_text){"", 0};
}

char emberi_fbx_letter(const fbx_value *value)
{
    if (value->kind == FBX_VALUE_WHOLE)
        return value->integer > 0 && value->integer < 128 ? (char)value->integer : '\0';
    return value->kind == FBX_VALUE_TEXT && value->text.size != 0 ? value->text.data[0] : '\0';
}

/* ---- texts ---- */

bool emberi_fbx_text_is(fbx_text text, const char *word)
{
    size_t size = strlen(word);
    return text.size == size && memcmp(text.data, word, size) == 0;
}

bool emberi_fbx_same_text(fbx_text a, fbx_text b)
{
    return a.size == b.size && (a.size == 0 || memcmp(a.data, b.data, a.size) == 0);
}

char *emberi_fbx_copy(const fbx_file *file, ember_arena *arena, fbx_text text)
{
    static const struct {
        const char *name;
        char        stands_for;
    } escapes[] = {{"&quot;", '"'}, {"&cr;", '\r'}, {"&lf;", '\n'}};
    char *out = emberi_fbx_push(file, arena, text.size + 1, 1, 1), *to = out;
    for (size_t i = 0; out != NULL && i < text.size;) {
        size_t step = 1;
        char   c = text.data[i];
        for (size_t k = 0; file->is_text && c == '&' && k < sizeof(escapes) / sizeof(escapes[0]); k++) {
            size_t size = strlen(escapes[k].name);
            if (text.size - i < size || memcmp(text.data + i, escapes[k].name, size) != 0)
                continue;
            c = escapes[k].stands_for;
            step = size;
            break;
        }
        *to++ = c;
        i += step;
    }
    return out;
}
