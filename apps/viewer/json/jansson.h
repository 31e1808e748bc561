/* SPDX-License-Identifier: MIT */
/* The part of jansson that Ember's readers use, for the page: the browser's own parser reads the text
   (page/json.js) and leaves a tree in memory, which these functions walk. What a document's mistake is called
   is json_fault's matter, so that page and command say the same. */
#ifndef EMBER_VIEWER_JANSSON_H
#define EMBER_VIEWER_JANSSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "fault.h"

typedef enum json_type {
    JSON_OBJECT = 0,
    JSON_ARRAY,
    JSON_STRING,
    JSON_INTEGER,
    JSON_REAL,
    JSON_TRUE,
    JSON_FALSE,
    JSON_NULL
} json_type;

/* As page/json.js writes it: 16 bytes, aligned to 8. Offsets are from this value's own place: a string's
   bytes with a 0 behind them, an array's values, an object's keys and values in turn. */
typedef struct json_t {
    uint32_t type;
    uint32_t count;
    union {
        double  number;
        int32_t offset;
    } at;
} json_t;

#define JSON_REJECT_DUPLICATES FAULT_REJECT_DUPLICATES
#define JSON_ALLOW_NUL FAULT_ALLOW_NUL
#define JSON_DECODE_INT_AS_REAL 4u /* always so */

typedef json_fault_text json_error_t;
typedef json_fault_code json_error_code_t;
#define json_error_premature_end_of_input FAULT_PREMATURE_END
#define json_error_stack_overflow FAULT_TOO_DEEP
#define json_error_out_of_memory FAULT_NO_MEMORY
static inline json_error_code_t json_error_code(const json_error_t *error) { return error->code; }

json_t            *json_loadb(const char *text, size_t size, size_t flags, json_error_t *error);
static inline void json_decref(json_t *document) { free(document); } /* the whole of it */

static inline json_type json_typeof(const json_t *value) { return (json_type)value->type; }
static inline bool      json_is(const json_t *value, json_type type)
{
    return value != NULL && value->type == (uint32_t)type;
}
#define json_is_object(value) json_is((value), JSON_OBJECT)
#define json_is_array(value) json_is((value), JSON_ARRAY)
#define json_is_string(value) json_is((value), JSON_STRING)
#define json_is_real(value) json_is((value), JSON_REAL)
#define json_is_number(value) json_is((value), JSON_REAL)
#define json_is_true(value) json_is((value), JSON_TRUE)
#define json_is_boolean(value) (json_is((value), JSON_TRUE) || json_is((value), JSON_FALSE))

/* All take NULL and values of another type, as jansson's do: NULL, 0 or nothing. */
size_t      json_object_size(const json_t *object);
json_t     *json_object_get(const json_t *object, const char *key);
void       *json_object_iter(json_t *object);
void       *json_object_iter_next(json_t *object, void *iter);
const char *json_object_iter_key(void *iter);
size_t      json_array_size(const json_t *array);
json_t     *json_array_get(const json_t *array, size_t index);
const char *json_string_value(const json_t *string);
size_t      json_string_length(const json_t *string);
double      json_real_value(const json_t *real);
double      json_number_value(const json_t *number);

#endif
