/* SPDX-License-Identifier: MIT */
/* Names of the status codes, and the record of a first failure. */
#include "ember/base.h"

const char *ember_status_name(ember_status status)
{
    static const char *const names[EMBER_STATUS_COUNT] = {
        "ok",           "bad argument", "out of memory",   "over a limit",
        "truncated",    "malformed",    "unknown version", "no space",
        "out of range", "unsupported",  "input/output",
    };
    return (unsigned)status < EMBER_STATUS_COUNT ? names[status] : "unknown status";
}

ember_status ember_fail(ember_error *err, ember_status status, uint64_t offset, const char *text)
{
    if (err == NULL || err->status != EMBER_OK)
        return status;
    size_t size = 0;
    while (size < sizeof(err->text) - 1 && text[size] != '\0')
        size++;
    if (text[size] != '\0')
        while (size > 0 && ((unsigned char)text[size] & 0xc0u) == 0x80u)
            size--; /* never half a UTF-8 character */
    for (size_t i = 0; i < size; i++)
        err->text[i] = text[i];
    err->text[size] = '\0';
    err->status = status;
    err->offset = offset;
    return status;
}
