/* SPDX-License-Identifier: MIT */
/* Failures with a printf format. Whatever bytes of a file a message quotes, it stays one line that
   can be printed. */
#define _POSIX_C_SOURCE 200809L /* strerror_r */

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "format/ops.h"

static ember_status fail_with(ember_error *err, ember_status status, uint64_t offset, const char *format,
                              va_list arguments)
{
    /* Longer than the error's own text, so that ember_fail is the one who cuts. */
    char text[2 * sizeof(err->text)];
    if (err == NULL)
        return status;
    vsnprintf(text, sizeof(text), format, arguments);
    for (char *c = text; *c != '\0'; c++)
        if ((unsigned char)*c < 0x20u || *c == 0x7f)
            *c = '?';
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

ember_status emberi_fail_at(ember_error *err, ember_status status, int32_t clip, int32_t bone, int32_t frame,
                            const char *format, ...)
{
    va_list arguments;
    if (err == NULL || err->status != EMBER_OK)
        return status;
    va_start(arguments, format);
    fail_with(err, status, EMBER_NO_OFFSET, format, arguments);
    va_end(arguments);
    err->clip = clip;
    err->bone = bone;
    err->frame = frame;
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
