/* SPDX-License-Identifier: MIT */
/* JSON for output: values made one by one, put into objects and arrays, and printed in one way. Whatever
   is made here is freed by json_free, or by the array or object that it was put into; a lack of memory
   ends the command. */
#ifndef EMBER_APP_JSON_TEXT_H
#define EMBER_APP_JSON_TEXT_H

#include "base/json/json_tree.h"

json_t *json_null(void);
json_t *json_boolean(bool value);
/* NULL gives null; bytes that are not UTF-8 are escaped. */
json_t *json_text(const char *text);
/* Numbers that JSON does not know become the strings "NaN", "Infinity", "-Infinity". */
json_t *json_number(double value);
json_t *json_float(float value); /* the shortest decimal of the float */
json_t *json_integer(int64_t value);
json_t *json_count(uint64_t value);
/* [qx,qy,qz,qw,px,py,pz,sx,sy,sz], as the clip form has it. */
json_t *json_transform(const ember_transform *transform);
json_t *json_object(void);
json_t *json_array(void);
/* A copy of any value, a parsed one too, with all that is in it. */
json_t *json_copy(const json_t *value);

/* Both take the value, which must not be changed afterwards. A key that is there already keeps its place and
   gets the new value. */
void json_put(json_t *object, const char *key, json_t *value);
void json_add(json_t *array, json_t *value);

void json_free(json_t *value); /* may be NULL */

/* The document as text, to be freed: on one line without blanks, or as json_print prints it. */
char *json_compact_text(const json_t *root);
char *json_wide_text(const json_t *root);

/* Prints the document and a line break on standard output, and frees it. */
void json_print(json_t *root);

#endif
