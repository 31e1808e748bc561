/* SPDX-License-Identifier: MIT */
/* Lists of numbers: arrays, raw or compressed, of any type, and values one after the other, which older files
   have instead. A count is believed only as far as the bytes behind it can hold it. */
#include "base/bytes.h"
#include "base/sizes.h"
#include "format/fbx/container/fbx_container.h"

#include <string.h>

/* No stream of deflate grows more than this. */
#define INFLATE_MOST 1032u

static const size_t number_sizes[] = {8, 4, 8, 4, 4};

typedef struct number_array {
    char           type;
    uint32_t       count;
    bool           compressed;
    const uint8_t *data;
    size_t         data_size;
    size_t         size; /* of all elements */
} number_array;

static uint32_t array_u32(const fbx_file *file, const uint8_t *p)
{
    return file->big_endian ? emberi_get_u32_big(p) : emberi_get_u32(p);
}

static size_t array_element_size(char type)
{
    return type == 'd' || type == 'l' ? 8 : type == 'f' || type == 'i' ? 4 : 1;
}

static ember_status array_open(const fbx_file *file, number_array *out, const fbx_value *value)
{
    const uint8_t *p = (const uint8_t *)value->text.data;
    uint32_t       encoding = array_u32(file, p + 4);
    *out = (number_array){value->type, array_u32(file, p), encoding == 1, p + 12, value->text.size - 12, 0};
    if (encoding > 1)
        return emberi_fbx_fail(file, EMBER_E_UNSUPPORTED, p, "an array has the unknown encoding %u",
                               encoding);
    if (!emberi_mul_size(&out->size, out->count, array_element_size(out->type)))
        return emberi_fail_memory(file->source->err);
    if (out->compressed ? out->size / INFLATE_MOST > out->data_size + 1 : out->size != out->data_size)
        return emberi_fbx_fail(file, EMBER_E_MALFORMED, p, "an array of %u elements cannot be %zu bytes",
                               out->count, out->data_size);
    return EMBER_OK;
}

static ember_status array_bytes(const fbx_file *file, uint8_t *out, const number_array *array)
{
    if (array->compressed && !emberi_fbx_inflate(out, array->size, array->data, array->data_size))
        return emberi_fbx_fail(file, EMBER_E_MALFORMED, array->data,
                               "a compressed array is damaged or not %zu bytes long", array->size);
    if (!array->compressed && array->size != 0)
        memcpy(out, array->data, array->size);
    return EMBER_OK;
}

/* ---- from any type to any kind ---- */

static void number_store(fbx_file *file, void *out, size_t index, const fbx_value *value,
                         fbx_number_kind kind)
{
    bool  bits = kind == FBX_BITS && value->kind == FBX_VALUE_WHOLE;
    float small = bits ? emberi_float_of((uint32_t)value->integer) : (float)value->real;
    if (value->kind > FBX_VALUE_REAL)
        return;
    if (kind != FBX_BITS && small - small != 0.0f) {
        file->odd_numbers++;
        small = 0.0f;
    }
    switch (kind) {
    case FBX_F64:
        ((double *)out)[index] = value->real;
        break;
    case FBX_F32:
    case FBX_BITS:
        ((float *)out)[index] = small;
        break;
    case FBX_I64:
        ((int64_t *)out)[index] = value->integer;
        break;
    case FBX_I32:
        ((int32_t *)out)[index] = value->integer > INT32_MAX   ? INT32_MAX
                                  : value->integer < INT32_MIN ? INT32_MIN
                                                               : (int32_t)value->integer;
        break;
    }
}

static uint64_t element_bits(const fbx_file *file, const uint8_t *p, size_t size)
{
    if (size == 8)
        return file->big_endian ? emberi_get_u64_big(p) : emberi_get_u64(p);
    return size == 4 ? array_u32(file, p) : *p;
}

static void array_convert(fbx_file *file, void *out, const uint8_t *bytes, const number_array *array,
                          fbx_number_kind kind)
{
    size_t size = array_element_size(array->type);
    for (uint32_t i = 0; i < array->count; i++) {
        uint64_t  bits = element_bits(file, bytes + i * size, size);
        fbx_value value = {.kind = FBX_VALUE_WHOLE};
        if (array->type == 'd' || array->type == 'f') {
            value.kind = FBX_VALUE_REAL;
            value.real = (double)emberi_float_of((uint32_t)bits);
            if (array->type == 'd')
                memcpy(&value.real, &bits, sizeof(bits));
            if (value.real - value.real != 0.0 && kind != FBX_BITS) {
                value.real = 0.0;
                file->odd_numbers++;
            }
            value.integer = emberi_fbx_to_whole(value.real);
        } else {
            value.integer = size == 8 ? (int64_t)bits : size == 4 ? (int32_t)bits : (int8_t)bits;
            value.real = (double)value.integer;
        }
        if (array->type == 'f' && kind == FBX_BITS)
            ((float *)out)[i] = emberi_float_of((uint32_t)bits); /* any bits, also those of no number */
        else
            number_store(file, out, i, &value, kind);
    }
}

/* Whether the file's bytes are the numbers already. Floats are not: they may not be finite. */
static bool array_is_plain(const fbx_file *file, const number_array *array, fbx_number_kind kind)
{
    static const uint16_t one = 1;
    bool                  little = *(const uint8_t *)&one == 1;
    return little && !file->big_endian &&
           ((array->type == 'l' && kind == FBX_I64) || (array->type == 'i' && kind == FBX_I32));
}

static ember_status numbers_of_array(fbx_file *file, ember_arena *arena, void **out, size_t *count,
                                     const fbx_value *value, fbx_number_kind kind)
{
    number_array array;
    EMBERI_TRY(array_open(file, &array, value));
    *count = array.count;
    EMBERI_TRY((*out = emberi_fbx_push(file, arena, array.count, number_sizes[kind], 8)) != NULL
                   ? EMBER_OK
                   : EMBER_E_NOMEM);
    if (array_is_plain(file, &array, kind))
        return array_bytes(file, *out, &array);
    if (!array.compressed) {
        array_convert(file, *out, array.data, &array, kind);
        return EMBER_OK;
    }
    ember_allocator heap = emberi_source_heap(file->source);
    uint8_t        *bytes = heap.resize(heap.user, NULL, 0, array.size + 1);
    if (bytes == NULL)
        return emberi_fail_memory(file->source->err);
    ember_status status = array_bytes(file, bytes, &array);
    if (status == EMBER_OK)
        array_convert(file, *out, bytes, &array, kind);
    heap.resize(heap.user, bytes, array.size + 1, 0);
    return status;
}

ember_status emberi_fbx_numbers(fbx_file *file, ember_arena *arena, void **out, size_t *count,
                                uint32_t record, fbx_number_kind kind)
{
    uint32_t   inner = file->is_text ? emberi_fbx_child(file, record, "a") : FBX_NONE;
    uint32_t   list = inner != FBX_NONE ? inner : record;
    fbx_cursor cursor = emberi_fbx_values(file, list);
    fbx_value  value;
    *count = 0;
    while (emberi_fbx_next(&cursor, &value)) {
        if (value.kind == FBX_VALUE_ARRAY)
            return numbers_of_array(file, arena, out, count, &value, kind);
        *count += value.kind <= FBX_VALUE_REAL;
    }
    *out = emberi_fbx_push(file, arena, *count, number_sizes[kind], 8);
    if (*out == NULL)
        return EMBER_E_NOMEM;
    cursor = emberi_fbx_values(file, list);
    for (size_t i = 0; i < *count && emberi_fbx_next(&cursor, &value);)
        if (value.kind <= FBX_VALUE_REAL)
            number_store(file, *out, i++, &value, kind);
    return EMBER_OK;
}
