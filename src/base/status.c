/* SPDX-License-Identifier: MIT */
/* Names of the status codes, the record of a first failure, and the line that shows it. Texts and names may
   come from files or users: control characters and what is not UTF-8 become '?'. */
#include "base/fail.h"
#include "base/utf8.h"

uint32_t ember_version(void) { return EMBER_VERSION_NUMBER; }

const char *ember_status_name(ember_status status)
{
    static const char *const names[EMBER_STATUS_COUNT] = {
        "ok",           "bad argument", "out of memory",   "over a limit",
        "truncated",    "malformed",    "unknown version", "no space",
        "out of range", "unsupported",  "input/output",    "trap",
    };
    return (unsigned)status < EMBER_STATUS_COUNT ? names[status] : "unknown status";
}

/* A text that counts on where its room ends. */
typedef struct status_text {
    char  *out;
    size_t size, length;
} status_text;

static void text_put(status_text *t, const char *text)
{
    size_t room = t->length < t->size ? t->size - t->length : 0;
    char  *end = room != 0 ? t->out + t->length : NULL;
    t->length += emberi_utf8_clean(end, room, text, emberi_text_size(text));
}

ember_status ember_fail(ember_error *err, ember_status status, uint64_t offset, const char *text)
{
    if (err == NULL || err->status != EMBER_OK)
        return status;
    *err = (ember_error){.status = status, .offset = offset, .clip = -1, .bone = -1, .frame = -1};
    (void)emberi_utf8_clean(err->text, sizeof(err->text), text, emberi_text_size(text));
    return status;
}

/* ---- the line ---- */

static void words_place(char *out, size_t size, const char *name, const char *what, int32_t index)
{
    char        digits[11];
    size_t      at = sizeof(digits) - 1;
    uint32_t    left = (uint32_t)index;
    status_text text = {out, size, 0};
    text_put(&text, name);
    if (name[0] != '\0' || index < 0)
        return;
    digits[at] = '\0';
    do {
        digits[--at] = (char)('0' + left % 10);
        left /= 10;
    } while (left != 0);
    text_put(&text, what);
    text_put(&text, digits + at);
}

emberi_error_words emberi_error_words_of(const ember_error *err)
{
    emberi_error_words words;
    words_place(words.clip, sizeof(words.clip), err->clip_name, "clip ", err->clip);
    words_place(words.bone, sizeof(words.bone), err->bone_name, "bone ", err->bone);
    words_place(words.frame, sizeof(words.frame), "", "frame ", err->frame);
    words.text = err->text[0] != '\0' ? err->text : ember_status_name(err->status);
    return words;
}

size_t ember_error_format(char *out, size_t size, const char *file, const ember_error *err)
{
    static const ember_error none = EMBER_ERROR_INIT;
    emberi_error_words       words = emberi_error_words_of(err != NULL ? err : &none);
    const char *const        places[] = {file != NULL ? file : "", words.clip, words.bone, words.frame};
    status_text              line = {out, size, 0};
    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++)
        if (places[i][0] != '\0') {
            text_put(&line, places[i]);
            text_put(&line, ": ");
        }
    text_put(&line, words.text);
    return line.length;
}
