/* SPDX-License-Identifier: MIT */
/* The command's voice. All text is escaped on its way out, so that a name from a file cannot write to the
   terminal what it likes. */
#include "cli/say.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/text.h"

#define BOLD "\033[1m"
#define RED "\033[31m"
#define YELLOW "\033[33m"
#define PLAIN "\033[0m"

void say_init(app_say *say)
{
    const char *no_colour = getenv("NO_COLOR");
    const char *term = getenv("TERM");
    bool wanted = (no_colour == NULL || no_colour[0] == '\0') && (term == NULL || strcmp(term, "dumb") != 0);
    memset(say, 0, sizeof(*say));
    say->colour_words = wanted && isatty(STDERR_FILENO);
    say->colour_data = wanted && isatty(STDOUT_FILENO);
    say->bar.on = isatty(STDERR_FILENO) && (term == NULL || strcmp(term, "dumb") != 0);
}

static char *say_place(place where)
{
    const char *parts[3] = {where.file, where.clip, where.bone};
    char       *text = text_make("%s", "");
    for (size_t i = 0; i < 3; i++) {
        if (parts[i] == NULL || parts[i][0] == '\0')
            continue;
        char *longer = text_make("%s%s%s", text, text[0] != '\0' ? ":" : "", parts[i]);
        free(text);
        text = longer;
    }
    char *escaped = text_escape(text);
    free(text);
    return escaped;
}

static void say_print(app_say *say, place where, say_level level, const char *message)
{
    static const char *const colours[] = {RED, YELLOW, NULL, NULL};
    const char              *label = level == SAY_WARNING ? "warning: " : "";
    char                    *about = say_place(where);
    bool                     coloured = say->colour_words;

    progress_hide(&say->bar);
    fputs("ember: ", stderr);
    if (about[0] != '\0')
        fprintf(stderr, "%s%s:%s ", coloured ? BOLD : "", about, coloured ? PLAIN : "");
    if (coloured && colours[level] != NULL)
        fprintf(stderr, "%s%s%s%s\n", colours[level], label, message, PLAIN);
    else
        fprintf(stderr, "%s%s\n", label, message);
    free(about);
}

static void say_list(app_say *say, say_level level, place where, const char *format, va_list list)
{
    bool heard = level == SAY_ERROR || (!say->quiet && (level != SAY_DETAIL || say->verbose));
    if (!heard && say->take == NULL)
        return;
    char *text = text_make_list(format, list);
    char *message = text_escape(text);
    if (say->take != NULL)
        say->take(say->user, level, where, message);
    else
        say_print(say, where, level, message);
    free(text);
    free(message);
}

void say_at(app_say *say, say_level level, place where, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    say_list(say, level, where, format, list);
    va_end(list);
}

int say_error(app_say *say, place where, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    say_list(say, SAY_ERROR, where, format, list);
    va_end(list);
    return EXIT_FAILED;
}

void say_line(app_say *say, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    if (!say->quiet) {
        char *text = text_make_list(format, list);
        char *line = text_escape(text);
        progress_hide(&say->bar);
        fprintf(stderr, "%s\n", line);
        free(text);
        free(line);
    }
    va_end(list);
}

int say_library_at(app_say *say, place where, const ember_error *err)
{
    emberi_error_words own = emberi_error_words_of(err);
    where.clip = where.clip != NULL ? where.clip : own.clip;
    where.bone = where.bone != NULL ? where.bone : own.bone;
    return say_error(say, where, "%s%s%s", own.frame, own.frame[0] != '\0' ? ": " : "", own.text);
}

int say_library(app_say *say, const char *file, const ember_error *err)
{
    return say_library_at(say, (place){file, NULL, NULL}, err);
}

static say_level say_note_level(ember_note_kind kind)
{
    return kind == EMBER_NOTE_WARNING ? SAY_WARNING : kind == EMBER_NOTE_DETAIL ? SAY_DETAIL : SAY_NOTE;
}

static void say_take_note(void *user, const ember_note *note)
{
    const say_listener *listener = user;
    place               where = {listener->file, listener->one_clip ? NULL : note->clip, note->bone};
    say_at(listener->say, say_note_level(note->kind), where, "%s", note->text);
}

/* How many clips a line names that is about several. */
#define SAY_NAMED 6

/* A note, and how many clips it was about: the first of them by name. */
typedef struct say_waiting {
    ember_note_kind kind;
    char           *clip, *bone, *text;
    size_t          count;
} say_waiting;

static bool say_same(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static char *say_copy(const char *text) { return text != NULL ? text_make("%s", text) : NULL; }

static void say_keep_note(void *user, const ember_note *note)
{
    say_listener *listener = user;
    for (size_t i = 0; i < listener->waiting_count; i++) {
        say_waiting *w = &listener->waiting[i];
        if (w->kind == note->kind && note->clip != NULL && say_same(w->bone, note->bone) &&
            say_same(w->text, note->text)) {
            if (w->count++ < SAY_NAMED && w->clip != NULL) {
                char *longer = text_make("%s, %s", w->clip, note->clip);
                free(w->clip);
                w->clip = longer;
            }
            return;
        }
    }
    listener->waiting = must_grow(listener->waiting, listener->waiting_count, sizeof(*listener->waiting));
    listener->waiting[listener->waiting_count++] =
        (say_waiting){note->kind, say_copy(note->clip), say_copy(note->bone), say_copy(note->text), 1};
}

ember_notes say_notes_together(say_listener *listener)
{
    ember_notes notes = {say_keep_note, listener};
    return notes;
}

void say_notes_end(say_listener *listener)
{
    for (size_t i = 0; i < listener->waiting_count; i++) {
        say_waiting *w = &listener->waiting[i];
        place        where = {listener->file, w->count > 1 || listener->one_clip ? NULL : w->clip, w->bone};
        if (w->count > 1)
            say_at(listener->say, say_note_level(w->kind), where, "%s (%zu clips: %s%s)", w->text, w->count,
                   w->clip != NULL ? w->clip : "", w->count > SAY_NAMED ? ", …" : "");
        else
            say_at(listener->say, say_note_level(w->kind), where, "%s", w->text);
        free(w->clip);
        free(w->bone);
        free(w->text);
    }
    free(listener->waiting);
    listener->waiting = NULL;
    listener->waiting_count = 0;
}

ember_notes say_notes(say_listener *listener)
{
    ember_notes notes = {say_take_note, listener};
    return notes;
}

static void say_scene_failed(void *user, const char *file, const ember_error *err)
{
    say_library(user, file, err);
}

static void say_scene_warned(void *user, const char *file, const char *text)
{
    say_warning(user, (place){file, NULL, NULL}, "%s", text);
}

scene_listener say_scene(app_say *say) { return (scene_listener){say_scene_failed, say_scene_warned, say}; }

bool say_flush(app_say *say)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return true;
    place where = {"standard output", NULL, NULL};
    say_error(say, where, "cannot be written");
    return false;
}

const char *say_input_name(const char *path) { return strcmp(path, "-") == 0 ? "standard input" : path; }

const char *say_output_name(const char *path) { return strcmp(path, "-") == 0 ? "standard output" : path; }
