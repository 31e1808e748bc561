/* SPDX-License-Identifier: MIT */
/* Failures with a printf format. Whatever bytes of a file a message quotes, it stays one line that
   can be printed. */
#define _POSIX_C_SOURCE 200809L /* strerror_r */

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "base/utf8.h"

static ember_status fail_with(ember_error *err, ember_status status, uint64_t offset, const char *format,
                              va_list arguments)
{
    /* Longer than the error's own text, so that ember_fail is the one who cuts. */
    char text[2 * sizeof(err->text)];
    if (err == NULL)
        return status;
    vsnprintf(text, sizeof(text), format, arguments);
    return ember_fail(err, status, offset, text);
}

ember_status emberi_failf(ember_error *err, ember_status status, uint64_t offset, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fail_with(err, status, offset, format, arguments);
    va_end(arguments);
    return status;
}

/* Two names may begin alike, so one that is cut shows it. */
static void fail_name(char *out, size_t room, const char *name)
{
    static const char more[] = "\xe2\x80\xa6"; /* … */
    size_t            size = name != NULL ? strlen(name) : 0;
    if (emberi_utf8_clean(out, room, name, size) < room)
        return;
    (void)emberi_utf8_clean(out, room - (sizeof(more) - 1), name, size);
    memcpy(out + strlen(out), more, sizeof(more));
}

ember_status emberi_fail_at(ember_error *err, ember_status status, emberi_place place, const char *format,
                            ...)
{
    va_list arguments;
    if (err == NULL || err->status != EMBER_OK)
        return status;
    va_start(arguments, format);
    fail_with(err, status, place.offset, format, arguments);
    va_end(arguments);
    err->clip = place.clip;
    err->bone = place.bone;
    err->frame = place.frame;
    fail_name(err->clip_name, sizeof(err->clip_name), place.clip_name);
    fail_name(err->bone_name, sizeof(err->bone_name), place.bone_name);
    return status;
}

ember_status emberi_fail_memory(ember_error *err)
{
    return ember_fail(err, EMBER_E_NOMEM, EMBER_NO_OFFSET, "out of memory");
}

ember_status emberi_fail_system(ember_error *err, const char *what, int error)
{
    char reason[128];
    if (strerror_r(error, reason, sizeof(reason)) != 0)
        snprintf(reason, sizeof(reason), "error %d", error);
    return emberi_failf(err, EMBER_E_IO, EMBER_NO_OFFSET, "%s: %s", what, reason);
}

emberi_error_line emberi_error_line_of(const ember_error *err)
{
    emberi_error_line line;
    (void)ember_error_format(line.text, sizeof(line.text), NULL, err);
    return line;
}
