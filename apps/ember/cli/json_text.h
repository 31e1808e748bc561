/* SPDX-License-Identifier: MIT */
/* JSON for standard output: values that jansson would refuse made into ones that it takes, and one
   way of printing. */
#ifndef EMBER_APP_JSON_TEXT_H
#define EMBER_APP_JSON_TEXT_H

#include <jansson.h>

#include "ember/base.h"

/* NULL gives null; bytes that are not UTF-8 are escaped. */
json_t *json_text(const char *text);
/* Numbers that JSON does not know become the strings "NaN", "Infinity", "-Infinity". */
json_t *json_number(double value);
json_t *json_float(float value); /* the shortest decimal of the float */
json_t *json_count(uint64_t value);
/* [qx,qy,qz,qw,px,py,pz,sx,sy,sz], as the clip form has it. */
json_t *json_transform(const ember_transform *transform);

/* json_object_set_new and json_array_append_new that end the command where there is no memory. */
void json_put(json_t *object, const char *key, json_t *value);
void json_add(json_t *array, json_t *value);

/* jansson takes its memory from must_alloc from now on. Left alone, it calls a text wrong in which it ran out
   of memory, leaves values out of what it prints, and trips over an assertion of its own. */
void json_must_have_memory(void);

/* The document as text, to be freed. */
char *json_must_dump(const json_t *root, size_t flags);

/* Prints the document and a line break on standard output, and frees it. */
void json_print(json_t *root);

#endif
