/* SPDX-License-Identifier: MIT */
/* What the parts of the JSON reader share: the parser's state. */
#ifndef EMBER_BASE_JSON_PARTS_H
#define EMBER_BASE_JSON_PARTS_H

#include "base/json/json_tree.h"

#define JSON_NO_OPEN UINT32_MAX

/* Values wait on a stack until the array or object that they belong to ends, and are copied to where they
   stay then. A container that is open is on the stack itself, in front of its values. */
typedef struct json_parser {
    const uint8_t     *text, *at, *end;
    unsigned           flags;
    ember_arena       *arena;
    emberi_json_fault *fault;
    json_t            *stack;
    uint32_t           used, room;
    uint32_t           open; /* the innermost container's place on the stack, or JSON_NO_OPEN */
    uint32_t           depth;
    json_t            *values; /* room for values that stay */
    size_t             values_left;
    char              *chars; /* room for strings */
    size_t             chars_left;
} json_parser;

/* Describes what is wrong with the bytes from `start` up to `end`, which the message quotes if they are few;
   what is missing at the text's end is EMBER_E_TRUNCATED. Always false. */
bool emberi_json_wrong(json_parser *p, ember_status status, const uint8_t *start, const uint8_t *end,
                       const char *format, ...) __attribute__((format(printf, 5, 6)));
/* The same of the token that begins at p->at. */
bool emberi_json_wrong_token(json_parser *p, const char *what);
bool emberi_json_no_memory(json_parser *p);

/* Whether the keys of an object, `count` pairs on the stack, are different; if not, the fault is set.
   `start` is behind the object's brace. */
bool emberi_json_keys_differ(json_parser *p, const json_t *pairs, uint32_t count, const uint8_t *start);

#endif
