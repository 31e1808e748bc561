/* SPDX-License-Identifier: MIT */
/* The command `ember`: finds the verb, reads its options, runs it. Data goes to standard output, words to
   standard error; it ends with 0 done, 1 failed, 2 wrong usage. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/args.h"
#include "cli/manual.h"
#include "verbs/verbs.h"

static const app_verb *const verbs[] = {
    &verb_info, &verb_convert, &verb_export,   &verb_build, &verb_run,     &verb_preview,
    &verb_view, &verb_diff,    &verb_validate, &verb_ff7,   &verb_formats, &verb_completion,
};

enum { VERB_COUNT = sizeof(verbs) / sizeof(verbs[0]) };

const app_verb *verbs_at(size_t index) { return index < VERB_COUNT ? verbs[index] : NULL; }

static const app_verb *main_find(const char *name)
{
    for (size_t i = 0; i < VERB_COUNT; i++)
        if (strcmp(verbs[i]->name, name) == 0)
            return verbs[i];
    return NULL;
}

static const char *main_verb_name(const void *user, size_t i)
{
    (void)user;
    return i < VERB_COUNT ? verbs[i]->name : i == VERB_COUNT ? "help" : NULL;
}

static void main_print_help(FILE *out)
{
    fprintf(out, "ember: skeletal animation for small machines\n\nusage: ember VERB ...\n\n");
    for (size_t i = 0; i < VERB_COUNT; i++)
        fprintf(out, "  %-10s %s\n", verbs[i]->name, verbs[i]->summary);
    fprintf(out, "  %-10s what a verb does, its options, an example\n\n", "help");
    fprintf(out, "ember VERB --help tells the options. A file called - is standard input or output.\n"
                 "Exit status: 0 done, 1 failed, 2 wrong usage.\n\nexample:\n  ember info walk.ewzanim\n");
}

static int main_unknown(app_say *say, const char *kind, const char *word)
{
    place where = {NULL, NULL, NULL};
    char *hint = args_suggestion(word, "", main_verb_name, NULL);
    say_error(say, where, "unknown %s '%s'%s (see ember help)", kind, word, hint);
    free(hint);
    return EXIT_USAGE;
}

static int main_help(app_say *say, int count, char **words)
{
    if (count > 0 && strcmp(words[0], "--man") == 0) {
        manual_print();
    } else if (count > 0 && words[0][0] != '-' && strcmp(words[0], "help") != 0) {
        const app_verb *verb = main_find(words[0]);
        if (verb == NULL)
            return main_unknown(say, "verb", words[0]);
        args_print_help(verb);
    } else {
        main_print_help(stdout);
    }
    return say_flush(say) ? EXIT_DONE : EXIT_FAILED;
}

static int main_run(const app_verb *verb, app_say *say, int count, char **words)
{
    app_args args;
    int      code = args_parse(&args, verb, say, count, words);
    if (code == EXIT_DONE && args.help) {
        args_print_help(verb);
    } else if (code == EXIT_DONE) {
        code = verb->run(&args, say);
        progress_hide(&say->bar);
    }
    if (!say_flush(say) && code == EXIT_DONE)
        code = EXIT_FAILED;
    args_free(&args);
    return code;
}

/* Installed under the specification's name as well, the command is its export verb. */
static bool main_is_exporter(const char *path)
{
    const char *slash = path != NULL ? strrchr(path, '/') : NULL;
    const char *name = slash != NULL ? slash + 1 : path;
    return name != NULL && strcmp(name, "ember-export") == 0;
}

int main(int argc, char **argv)
{
    app_say         say;
    const char     *first = argc > 1 ? argv[1] : NULL;
    const app_verb *verb = first != NULL ? main_find(first) : NULL;

    signal(SIGXFSZ, SIG_IGN); /* a file over the system's limit is an error to report, not the end */
    say_init(&say);
    if (main_is_exporter(argv[0]))
        return main_run(&verb_export, &say, argc - 1, argv + 1);
    if (verb != NULL)
        return main_run(verb, &say, argc - 2, argv + 2);
    if (first == NULL) {
        main_print_help(stderr);
        return EXIT_USAGE;
    }
    if (strcmp(first, "help") == 0 || strcmp(first, "--help") == 0 || strcmp(first, "-h") == 0)
        return main_help(&say, argc - 2, argv + 2);
    if (strcmp(first, "--version") == 0 || strcmp(first, "-V") == 0) {
        printf("ember %s\n", EMBER_VERSION);
        return say_flush(&say) ? EXIT_DONE : EXIT_FAILED;
    }
    if (first[0] == '-') {
        place where = {NULL, NULL, NULL};
        say_error(&say, where, "'%s' before the verb, options come after it (see ember help)", first);
        return EXIT_USAGE;
    }
    return main_unknown(&say, "verb", first);
}
