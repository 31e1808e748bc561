/* SPDX-License-Identifier: MIT */
/* The command line: what a verb takes, what was given, and the help that is made from it. */
#ifndef EMBER_APP_ARGS_H
#define EMBER_APP_ARGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/say.h"
#include "ember/format.h"

typedef struct app_option {
    const char *name;   /* without the dashes */
    char        letter; /* '\0': none */
    const char *value;  /* what help calls the value; NULL: a switch */
    const char *help;   /* NULL: not listed */
} app_option;

#define ARGS_ANY_COUNT SIZE_MAX

struct app_args;

/* One verb of the command. A new one is a folder of verbs/ with a file cmd_<verb>.c and one of these, and a
   line in main.c's table. */
typedef struct app_verb {
    const char       *name;
    const char       *summary; /* one line for `ember help` */
    const char       *usage;   /* what follows the name: "FILE... [options]" */
    const char       *about;   /* a paragraph or two for --help, or NULL */
    const app_option *options; /* ended by one without a name; -h, -q and -v are everybody's */
    const char       *example; /* one command line that works */
    size_t            least_files;
    size_t            most_files;
    const char       *files; /* what is missing if there are fewer: "a file" */
    int (*run)(const struct app_args *args, app_say *say);
} app_verb;

typedef struct args_given {
    const app_option *option;
    const char       *value; /* NULL for a switch */
} args_given;

typedef struct app_args {
    const app_verb *verb;
    const char    **files; /* everything that is not an option */
    size_t          file_count;
    args_given     *given;
    size_t          given_count;
    bool            help; /* -h: the rest was not checked */
} app_args;

/* Reads argv[0..count) for the verb and sets say's levels. EXIT_DONE, or EXIT_USAGE with one line said. Free
   with args_free in both cases. */
int  args_parse(app_args *args, const app_verb *verb, app_say *say, int count, char **argv);
void args_free(app_args *args);

bool        args_has(const app_args *args, const char *name);
const char *args_value(const app_args *args, const char *name); /* the last one given, or NULL */
/* The values of an option that may be given again: NULL behind the last. */
const char *args_value_at(const app_args *args, const char *name, size_t index);

/* One line `ember: verb: message (see ember verb --help)`. Returns EXIT_USAGE. */
int args_usage(const app_args *args, app_say *say, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Values of a kind that several verbs take. Each leaves *out as it is where the option was not given;
   EXIT_DONE, or EXIT_USAGE with one line said. */
int args_choice(const app_args *args, app_say *say, const char *name, const char *const *choices,
                size_t *out);
int args_space(const app_args *args, app_say *say, const char *name, ember_space *out);
int args_positive(const app_args *args, app_say *say, const char *name, double *out);
int args_format(const app_args *args, app_say *say, const char *name, const ember_format_info **out);
int args_size(const app_args *args, app_say *say, uint32_t *width, uint32_t *height); /* --size WxH, pixels */
int args_report(const app_args *args, app_say *say, bool *json);                      /* --format text|json */

/* `, did you mean 'x'?` for the message, or "". Free it. */
char *args_suggestion(const char *word, const char *dashes, const char *(*name)(const void *user, size_t i),
                      const void *user);

/* Everything a verb takes, the options that all verbs have behind its own; NULL behind the last. */
const app_option *args_option_at(const app_verb *verb, size_t index);

void args_print_help(const app_verb *verb);

#endif
