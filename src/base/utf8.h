/* SPDX-License-Identifier: MIT */
/* UTF-8: bytes of files, which may be anything, become text that can be printed. */
#ifndef EMBER_BASE_UTF8_H
#define EMBER_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/* Bytes of the valid UTF-8 character at `text`, of which `size` bytes are there; 0 if it is not one. */
size_t emberi_utf8_size(const char *text, size_t size);
/* Bytes before the end mark. */
size_t emberi_text_size(const char *text);
bool   emberi_utf8_valid(const char *text);
/* C0, DEL, and C1, which terminals obey as well; of one valid character */
bool   emberi_utf8_is_control(const char *c, size_t size);

/* Copies `size` bytes, as many whole characters as `room` holds beside an end mark. Control characters and
   bytes that are not UTF-8 become '?'. Returns the length that the whole text has so, like snprintf: `room`
   or more if it was cut. out may be NULL if room is 0. */
size_t emberi_utf8_clean(char *out, size_t room, const char *text, size_t size);

#endif
