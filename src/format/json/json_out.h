/* SPDX-License-Identifier: MIT */
/* A JSON emitter onto a buffer, and how numbers are written. The caller says what is in what; commas, escapes
   and lines are made here. */
#ifndef EMBER_FORMAT_JSON_OUT_H
#define EMBER_FORMAT_JSON_OUT_H

#include "ember/format.h"

/* Set buffer and compact, leave the rest zero. After the last value look at `failed`: the buffer had
   no more room. */
typedef struct emberi_json_out {
    ember_buffer *buffer;
    bool          compact; /* emberi_json_line does nothing */
    bool          failed;
    bool          comma; /* a value stands before the next one */
    bool          line;
    uint32_t      depth;
} emberi_json_out;

void emberi_json_object(emberi_json_out *out);
void emberi_json_object_end(emberi_json_out *out);
void emberi_json_array(emberi_json_out *out);
void emberi_json_array_end(emberi_json_out *out);
void emberi_json_key(emberi_json_out *out, const char *key); /* then its value */
void emberi_json_line(emberi_json_out *out);                 /* the next key or value starts a line */

/* Bytes that are not valid UTF-8 become U+FFFD. */
void emberi_json_string(emberi_json_out *out, const char *text);
void emberi_json_bool(emberi_json_out *out, bool value);
void emberi_json_null(emberi_json_out *out);
void emberi_json_integer(emberi_json_out *out, int64_t value);
/* Numbers that are not finite become the strings "NaN", "Infinity", "-Infinity". */
void emberi_json_number(emberi_json_out *out, double value);
void emberi_json_float(emberi_json_out *out, float value);
void emberi_json_transform(emberi_json_out *out, const ember_transform *transform); /* ten numbers */

/* A key and its value. */
void emberi_json_put_string(emberi_json_out *out, const char *key, const char *text);
void emberi_json_put_bool(emberi_json_out *out, const char *key, bool value);
void emberi_json_put_integer(emberi_json_out *out, const char *key, int64_t value);
void emberi_json_put_number(emberi_json_out *out, const char *key, double value);

/* ---- text of numbers ---- */

#define EMBERI_NUMBER_SIZE 40

/* The text of a finite number, ended by 0, whatever the locale; returns its length. As few digits as it takes
   to read back to the same bits: a float both as a float and as a double that is then rounded. Whole numbers
   have no point; negative zero is "-0.0", because many readers take "-0" for an integer. */
size_t emberi_double_text(char out[EMBERI_NUMBER_SIZE], double value);
size_t emberi_float_text(char out[EMBERI_NUMBER_SIZE], float value);

#endif
