/* SPDX-License-Identifier: MIT */
/* Failures with a printf format. Whatever bytes of a file a message quotes, it stays one line that
   can be printed. */
#ifndef EMBER_BASE_FAIL_H
#define EMBER_BASE_FAIL_H

#include "ember/base.h"

/* Where something failed: the fields of ember_error, with names of any length that need not be UTF-8.
   src/model/place.h makes places from clips and skeletons. */
typedef struct emberi_place {
    uint64_t    offset;
    int32_t     clip, bone, frame;     /* -1: none */
    const char *clip_name, *bone_name; /* NULL: none */
} emberi_place;

#define EMBERI_PLACE_INIT                       \
    {                                           \
        EMBER_NO_OFFSET, -1, -1, -1, NULL, NULL \
    }

/* ember_fail with a printf format. Control characters and bytes that are not UTF-8 become '?', in the text
   and in the names of the place. The text must not repeat the place: ember_error_format puts it in front. */
ember_status emberi_failf(ember_error *err, ember_status status, uint64_t offset, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
ember_status emberi_fail_at(ember_error *err, ember_status status, emberi_place place, const char *format,
                            ...) __attribute__((format(printf, 4, 5)));
ember_status emberi_fail_memory(ember_error *err);
/* "cannot open: No such file or directory", by errno */
ember_status emberi_fail_system(ember_error *err, const char *what, int error);

/* Returns from the function if the call fails. Only where nothing has to be undone: everything is in an
   arena, or nothing was made yet. docs/design/core.md says when to use it. */
#define EMBERI_TRY(call)                  \
    do {                                  \
        ember_status try_status = (call); \
        if (try_status != EMBER_OK)       \
            return try_status;            \
    } while (0)

/* An error's place in words: its names, or "clip 2" and "bone 12"; "" where there is none. `text` is what is
   wrong, or the name of the status; it lives as long as the error. */
typedef struct emberi_error_words {
    char        clip[sizeof(((ember_error *)0)->clip_name)];
    char        bone[sizeof(((ember_error *)0)->bone_name)];
    char        frame[24];
    const char *text;
} emberi_error_words;
emberi_error_words emberi_error_words_of(const ember_error *err);

/* An error on one line inside a message: ember_error_format without a file's name. */
typedef struct emberi_error_line {
    char text[EMBER_ERROR_LINE_SIZE];
} emberi_error_line;
emberi_error_line emberi_error_line_of(const ember_error *err);

#endif
