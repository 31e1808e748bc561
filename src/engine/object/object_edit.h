/* SPDX-License-Identifier: MIT */
/* Between the files that edit wasm2c's text before the compiler sees it: a function as lines, and which of
   its results need a test for NaN. */
#ifndef EMBER_ENGINE_OBJECT_EDIT_H
#define EMBER_ENGINE_OBJECT_EDIT_H

#include "ember/base.h"
#include "ember/file.h"

/* A line without what ends it. */
typedef struct emberi_text_line {
    const char *text;
    size_t      size;
} emberi_text_line;

/* The lines of a function's body, and for each whether its result must be made canonical. */
typedef struct emberi_text_body {
    const emberi_text_line *lines;
    bool                   *tests; /* written */
    size_t                  count;
} emberi_text_body;

/* How a line calculates, if it does. */
typedef enum emberi_text_kind {
    EMBERI_TEXT_OTHER,
    EMBERI_TEXT_ARITHMETIC, /* x += y; and its like, x = wasm_sqrt(y): the result may be a NaN of any bits */
    EMBERI_TEXT_CANONICAL   /* the result may be a NaN, and is the canonical one then: wasm_floor(y), FMIN */
} emberi_text_kind;

/* `name` and `size`: the variable that gets the result. */
emberi_text_kind emberi_text_kind_of(emberi_text_line line, const char **name, size_t *size);

/* The next variable of a function that may hold a float, from *at on: parameter, local or operand. */
bool emberi_text_next_variable(emberi_text_line line, size_t *at, const char **name, size_t *size);

/* Sets `tests` for the results whose bits somebody may see: stored, passed, returned, kept in a global,
   copied. A NaN that only goes into further arithmetic or a comparison may have any bits. False where memory
   is short. */
bool emberi_text_find_tests(emberi_text_body *body, ember_allocator allocator);

/* Edits the code: a NaN that arithmetic makes is the canonical one. */
bool emberi_object_edit_code(ember_buffer *out, const char *text, size_t size);
/* Edits the code's header: the flags of data segments become bytes, which have an address. */
bool emberi_object_edit_header(ember_buffer *out, const char *text, size_t size);

#endif
