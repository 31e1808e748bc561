/* SPDX-License-Identifier: MIT */
/* Notes: what was lost, is odd or was assumed, told in one line each to whoever listens. Nothing is printed
   or kept. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "model/note.h"

void emberi_notef(const ember_notes *notes, ember_note_kind kind, const char *clip, const char *bone,
                  const char *format, ...)
{
    char    text[512], clean[sizeof(text)];
    va_list arguments;
    if (notes == NULL || notes->take == NULL)
        return;
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    (void)emberi_utf8_clean(clean, sizeof(clean), text, strlen(text));
    ember_note note = {kind, clip, bone, clean};
    notes->take(notes->user, &note);
}
