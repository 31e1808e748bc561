/* SPDX-License-Identifier: MIT */
/* Small jobs on text: escapes for names that come from anywhere, numbers as people
   read them, and the nearest of several words. */
#ifndef EMBER_APP_TEXT_H
#define EMBER_APP_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scene/program.h"

/* A formatted text of its own; free it. */
char *text_make(const char *format, ...) __attribute__((format(printf, 1, 2)));
char *text_make_list(const char *format, va_list list) __attribute__((format(printf, 1, 0)));

/* A copy that can be printed anywhere: one line, no control characters, valid UTF-8. What is not becomes \n,
   \t or \xNN. Free it. */
char *text_escape(const char *text);

/* Columns that the text takes on a terminal. */
size_t text_width(const char *text);

/* Room that each of the functions below needs at the most. */
#define TEXT_NUMBER_SIZE 40

/* 21652 as "21,652". Returns `out`. */
char *text_count(char out[TEXT_NUMBER_SIZE], uint64_t value);

/* Metres as "0.41 mm", "1.80 m" or "0 mm". Returns `out`. */
char *text_length(char out[TEXT_NUMBER_SIZE], double metres);

/* The same, or without a metre: "12.5 units". Returns `out`. */
char *text_span(char out[TEXT_NUMBER_SIZE], double length, bool units);

/* The shortest decimal that reads back to the same float, and its value as a double. */
char  *text_float(char out[TEXT_NUMBER_SIZE], float value);
double text_float_value(float value);

/* The name that a mistyped word most likely meant, or NULL if none is near. `name(user, i)` gives candidate
   i, NULL at the end. */
const char *text_nearest(const char *word, const char *(*name)(const void *user, size_t i), const void *user);

/* Whole text as a number: false if there is anything else in it. */
bool text_read_double(double *out, const char *text);
bool text_read_u32(uint32_t *out, const char *text);

#endif
