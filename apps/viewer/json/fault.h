/* SPDX-License-Identifier: MIT */
/* What is wrong with a JSON text, in the words and with the line, column and position of jansson, which the
   command reads JSON with. Only asked where the browser's parser, whose words differ from browser to browser,
   has refused a text. Any bytes may come. */
#ifndef EMBER_VIEWER_FAULT_H
#define EMBER_VIEWER_FAULT_H

#include <stdbool.h>
#include <stddef.h>

typedef enum json_fault_code {
    FAULT_SYNTAX = 0,
    FAULT_PREMATURE_END,
    FAULT_TOO_DEEP,
    FAULT_NO_MEMORY,
    FAULT_OTHER
} json_fault_code;

typedef struct json_fault_text {
    int             line, column, position;
    json_fault_code code;
    char            text[160];
} json_fault_text;

enum { FAULT_REJECT_DUPLICATES = 1, FAULT_ALLOW_NUL = 2 };

/* False, and *out not touched, where the text is a document without a mistake. */
bool json_fault(json_fault_text *out, const char *text, size_t size, unsigned flags);

#endif
