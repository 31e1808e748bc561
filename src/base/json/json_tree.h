/* SPDX-License-Identifier: MIT */
/* JSON documents for the command, the library and the page: a text becomes a tree of 16-byte values in an
   arena, the values of an array or object side by side, and is walked by the functions below. Their short
   names are never seen by a linker. The text may be any bytes. */
#ifndef EMBER_BASE_JSON_TREE_H
#define EMBER_BASE_JSON_TREE_H

#include "base/check.h"
#include "ember/base.h"

typedef enum json_type {
    JSON_NULL = 0,
    JSON_FALSE,
    JSON_TRUE,
    JSON_REAL, /* every number, whole ones too */
    JSON_STRING,
    JSON_ARRAY,
    JSON_OBJECT,
    JSON_WHOLE /* a whole number that must not become a double: only where it is asked for */
} json_type;

typedef struct json_t {
    uint16_t type;
    uint16_t room;  /* of a list that was changed: two to this values */
    uint32_t count; /* bytes of a string, values of an array, pairs of an object */
    union {
        double               number;
        int64_t              whole;
        const char          *text;  /* with a 0 behind it */
        const struct json_t *items; /* of an object: keys and values in turn */
        struct {
            uint32_t up, start; /* while the parser is inside */
        } open;
    } at;
} json_t;

/* ---- reading ---- */

enum {
    EMBERI_JSON_UNIQUE = 1, /* a key that an object has twice is refused; without this the last one counts */
    EMBERI_JSON_NUL = 2,    /* \u0000 is allowed in strings, though never in keys */
    EMBERI_JSON_WHOLE = 4   /* whole numbers beyond 2^53 that 64 bits hold are JSON_WHOLE */
};

/* What is wrong with a text. */
typedef struct emberi_json_fault {
    ember_status status;
    uint64_t     offset;       /* of the byte behind what is wrong */
    uint32_t     line, column; /* of the last character of it, both from 1 on */
    char         text[120];
} emberi_json_fault;

/* The document, which is an array or an object, in the arena; NULL with the fault set. Deeper nesting than
   2,048 is refused. Numbers are the nearest doubles; one that is beyond all of them is refused. A byte order
   mark in front is skipped. On failure the arena may keep what was pushed. */
const json_t *emberi_json_parse(const uint8_t *text, size_t size, unsigned flags, ember_arena *arena,
                                emberi_json_fault *fault);
/* Records the fault with its line and column; `what` is put in front. */
ember_status  emberi_json_fault_fail(const emberi_json_fault *fault, const char *what, ember_error *err);

/* ---- walking: all take NULL and values of another type, and answer with NULL, 0 or false ---- */

static inline json_type json_typeof(const json_t *value) { return (json_type)value->type; }
static inline bool      json_is(const json_t *value, json_type type)
{
    return value != NULL && value->type == (unsigned)type;
}
static inline bool json_is_object(const json_t *value) { return json_is(value, JSON_OBJECT); }
static inline bool json_is_array(const json_t *value) { return json_is(value, JSON_ARRAY); }
static inline bool json_is_string(const json_t *value) { return json_is(value, JSON_STRING); }
static inline bool json_is_number(const json_t *value) { return json_is(value, JSON_REAL); }
static inline bool json_is_true(const json_t *value) { return json_is(value, JSON_TRUE); }
static inline bool json_is_false(const json_t *value) { return json_is(value, JSON_FALSE); }
static inline bool json_is_boolean(const json_t *value)
{
    return json_is_true(value) || json_is_false(value);
}

static inline size_t json_array_size(const json_t *array) { return json_is_array(array) ? array->count : 0; }
static inline const json_t *json_array_get(const json_t *array, size_t index)
{
    return index < json_array_size(array) ? &array->at.items[index] : NULL;
}

static inline size_t json_object_size(const json_t *object)
{
    return json_is_object(object) ? object->count : 0;
}
/* Pair by pair, in the text's order. */
static inline const char *json_object_key(const json_t *object, size_t index)
{
    return index < json_object_size(object) ? object->at.items[2 * index].at.text : NULL;
}
static inline const json_t *json_object_value(const json_t *object, size_t index)
{
    return index < json_object_size(object) ? &object->at.items[2 * index + 1] : NULL;
}
static inline const json_t *json_object_get(const json_t *object, const char *key)
{
    size_t size = __builtin_strlen(key);
    for (size_t i = json_object_size(object); i-- > 0;) {
        const json_t *pair = &object->at.items[2 * i];
        if (pair->count == size && emberi_equal(pair->at.text, key, size))
            return pair + 1;
    }
    return NULL;
}

static inline const char *json_string_value(const json_t *string)
{
    return json_is_string(string) ? string->at.text : NULL;
}
static inline bool json_string_is(const json_t *string, const char *text)
{
    size_t size = __builtin_strlen(text);
    return json_is_string(string) && string->count == size && emberi_equal(string->at.text, text, size);
}
static inline size_t json_string_length(const json_t *string)
{
    return json_is_string(string) ? string->count : 0;
}
static inline double json_number_value(const json_t *number)
{
    return json_is_number(number) ? number->at.number : 0.0;
}
#define EMBERI_JSON_EXACT 9007199254740992.0 /* 2^53: doubles hold all whole numbers up to it */
/* Whether it is a whole number that a double counts exactly. */
static inline bool json_is_integer(const json_t *value)
{
    double number = json_number_value(value);
    return json_is_number(value) && number >= -EMBERI_JSON_EXACT && number <= EMBERI_JSON_EXACT &&
           (double)(int64_t)number == number;
}
static inline int64_t json_integer_value(const json_t *value)
{
    return json_is(value, JSON_WHOLE) ? value->at.whole
           : json_is_integer(value)   ? (int64_t)json_number_value(value)
                                      : 0;
}

#endif
