/* SPDX-License-Identifier: MIT */
/* Words for people, on standard error: `ember: file:clip:bone: message`, one line each. Colours only on a
   terminal, and not where NO_COLOR is set. */
#ifndef EMBER_APP_SAY_H
#define EMBER_APP_SAY_H

#include <stdbool.h>

#include "base/fail.h"
#include "cli/progress.h"
#include "ember/format.h"
#include "scene/program.h"

/* What a message is about; parts that do not apply are NULL. */
typedef struct place {
    const char *file, *clip, *bone;
} place;

typedef enum say_level { SAY_ERROR = 0, SAY_WARNING, SAY_NOTE, SAY_DETAIL } say_level;

typedef struct app_say {
    bool     quiet;   /* errors only */
    bool     verbose; /* details too */
    bool     colour_words, colour_data;
    progress bar;
    /* Gets every message in place of standard error, whatever quiet and verbose say; or NULL. For work in
       threads, whose words are said afterwards. */
    void (*take)(void *user, say_level level, place where, const char *text);
    void *user;
} app_say;

enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2 };

/* Looks at the terminal and the environment. */
void say_init(app_say *say);

/* Each is one line. Errors always, warnings and notes not with -q, details only with -v. say_error
   returns EXIT_FAILED. */
#define say_warning(say, ...) say_at((say), SAY_WARNING, __VA_ARGS__)
#define say_note(say, ...) say_at((say), SAY_NOTE, __VA_ARGS__)
#define say_detail(say, ...) say_at((say), SAY_DETAIL, __VA_ARGS__)
int  say_error(app_say *say, place where, const char *format, ...) __attribute__((format(printf, 3, 4)));
void say_at(app_say *say, say_level level, place where, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* A line without the "ember: " and without a place, for results that go to standard error; not with -q. */
void say_line(app_say *say, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The library's error. The second form is for a place that is known better: the error's own clip and bone are
   used where it has none. Both return EXIT_FAILED. */
int say_library(app_say *say, const char *file, const ember_error *err);
int say_library_at(app_say *say, place where, const ember_error *err);

/* Lets the library's notes through as words about `file`. The listener must live as long as the notes. */
typedef struct say_listener {
    app_say            *say;
    const char         *file;
    bool                one_clip; /* the file's name is enough: its only clip is not named as well */
    /* Notes that wait for say_notes_end; left zero by whoever makes the listener. */
    struct say_waiting *waiting;
    size_t              waiting_count;
} say_listener;
/* The first says each at once. With the second they wait for say_notes_end, and a note that is the same of
   several clips is said once, with their number. */
ember_notes say_notes(say_listener *listener);
ember_notes say_notes_together(say_listener *listener);
void        say_notes_end(say_listener *listener);

/* Says what a scene has to tell. */
scene_listener say_scene(app_say *say);

/* Flushes standard output; false, with a word, where the data could not all be written. */
bool say_flush(app_say *say);

/* "standard input" for "-", else the path. */
const char *say_input_name(const char *path);
const char *say_output_name(const char *path);

#endif
