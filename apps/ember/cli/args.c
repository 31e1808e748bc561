/* SPDX-License-Identifier: MIT */
/* Reading the command line: --name value, --name=value, -n value, -nvalue, switches in one (-qv), "--" before
   files that begin with a dash. Whatever is wrong gives one line and EXIT_USAGE. */
#include "cli/args.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/text.h"
#include "platform/folders.h"

static const app_option args_common[] = {
    {"quiet", 'q', NULL, "say nothing but errors"},
    {"verbose", 'v', NULL, "say more"},
    {"help", 'h', NULL, "this text"},
    {NULL, 0, NULL, NULL},
};

/* Option i of the verb, its own first, then everybody's; NULL at the end. */
const app_option *args_option_at(const app_verb *verb, size_t i)
{
    size_t own = 0;
    while (verb->options[own].name != NULL)
        own++;
    const app_option *option = i < own ? &verb->options[i] : &args_common[i - own];
    return option->name != NULL ? option : NULL;
}

static const char *args_option_name(const void *user, size_t i)
{
    const app_option *option = args_option_at(user, i);
    return option != NULL ? option->name : NULL;
}

static const app_option *args_find_name(const app_verb *verb, const char *name, size_t size)
{
    const app_option *option;
    for (size_t i = 0; (option = args_option_at(verb, i)) != NULL; i++)
        if (strlen(option->name) == size && strncmp(option->name, name, size) == 0)
            return option;
    return NULL;
}

static const app_option *args_find_letter(const app_verb *verb, char letter)
{
    const app_option *option;
    for (size_t i = 0; (option = args_option_at(verb, i)) != NULL; i++)
        if (option->letter == letter)
            return option;
    return NULL;
}

char *args_suggestion(const char *word, const char *dashes, const char *(*name)(const void *user, size_t i),
                      const void *user)
{
    const char *nearest = text_nearest(word, name, user);
    return nearest != NULL ? text_make(", did you mean '%s%s'?", dashes, nearest) : text_make("%s", "");
}

int args_usage(const app_args *args, app_say *say, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    char *text = text_make_list(format, list);
    va_end(list);
    place where = {args->verb->name, NULL, NULL};
    say_error(say, where, "%s (see ember %s --help)", text, args->verb->name);
    free(text);
    return EXIT_USAGE;
}

static void args_give(app_args *args, const app_option *option, const char *value)
{
    args->given[args->given_count].option = option;
    args->given[args->given_count].value = value;
    args->given_count++;
}

/* An option where a value should be is a value forgotten, not a file called --to. */
static bool args_is_option(const app_verb *verb, const char *text)
{
    if (strncmp(text, "--", 2) == 0)
        return args_find_name(verb, text + 2, strcspn(text + 2, "=")) != NULL;
    return text[0] == '-' && text[1] != '\0' && text[2] == '\0' && args_find_letter(verb, text[1]) != NULL;
}

/* A glob can put a file that begins with a dash where it reads as an option. */
static int args_unknown(const app_args *args, app_say *say, const char *word, const char *hint)
{
    if (emberi_path_is(word) != EMBERI_PATH_NOTHING)
        return args_usage(args, say, "unknown option '%s', if it means the file write './%s'", word, word);
    return args_usage(args, say, "unknown option '%s'%s", word, hint);
}

static int args_take_long(app_args *args, app_say *say, int count, char **argv, int *at)
{
    const char       *name = argv[*at] + 2;
    const char       *equals = strchr(name, '=');
    size_t            size = equals != NULL ? (size_t)(equals - name) : strlen(name);
    const app_option *option = args_find_name(args->verb, name, size);

    if (option == NULL) {
        char *word = text_make("--%.*s", (int)size, name);
        char *hint = args_suggestion(word + 2, "--", args_option_name, args->verb);
        int   code = args_unknown(args, say, word, hint);
        free(word);
        free(hint);
        return code;
    }
    if (option->value == NULL && equals != NULL)
        return args_usage(args, say, "--%s takes no value", option->name);
    if (option->value == NULL) {
        args_give(args, option, NULL);
        return EXIT_DONE;
    }
    if (equals != NULL) {
        args_give(args, option, equals + 1);
        return EXIT_DONE;
    }
    if (*at + 1 >= count || args_is_option(args->verb, argv[*at + 1]))
        return args_usage(args, say, "--%s needs a value: --%s %s", option->name, option->name,
                          option->value);
    args_give(args, option, argv[++*at]);
    return EXIT_DONE;
}

static int args_take_letters(app_args *args, app_say *say, int count, char **argv, int *at)
{
    for (const char *p = argv[*at] + 1; *p != '\0'; p++) {
        const app_option *option = args_find_letter(args->verb, *p);
        if (option == NULL) {
            /* -bones and -format are --bones and --format with a dash forgotten. */
            char *hint = args_suggestion(argv[*at] + 1, "--", args_option_name, args->verb);
            int   code = args_unknown(args, say, argv[*at], argv[*at][2] != '\0' ? hint : "");
            free(hint);
            return code;
        }
        if (option->value == NULL) {
            args_give(args, option, NULL);
            continue;
        }
        if (p[1] != '\0') {
            args_give(args, option, p + 1);
            return EXIT_DONE;
        }
        if (*at + 1 >= count || args_is_option(args->verb, argv[*at + 1]))
            return args_usage(args, say, "-%c needs a value: -%c %s", *p, *p, option->value);
        args_give(args, option, argv[++*at]);
        return EXIT_DONE;
    }
    return EXIT_DONE;
}

static int args_check_files(const app_args *args, app_say *say)
{
    size_t stdins = 0;
    if (args->file_count < args->verb->least_files)
        return args_usage(args, say, "%s is missing", args->verb->files);
    if (args->file_count > args->verb->most_files)
        return args_usage(args, say, "'%s' is one file too many", args->files[args->verb->most_files]);
    for (size_t i = 0; i < args->file_count; i++) {
        stdins += strcmp(args->files[i], "-") == 0;
        if (args->files[i][0] == '\0')
            return args_usage(args, say, "a file name is empty");
    }
    const char *skeleton = args_value(args, "skeleton");
    stdins += skeleton != NULL && strcmp(skeleton, "-") == 0;
    if (stdins > 1)
        return args_usage(args, say, "standard input (-) can be read only once");
    return EXIT_DONE;
}

int args_parse(app_args *args, const app_verb *verb, app_say *say, int count, char **argv)
{
    size_t letters = 0;
    int    code = EXIT_DONE;
    bool   only_files = false;

    memset(args, 0, sizeof(*args));
    args->verb = verb;
    for (int i = 0; i < count; i++)
        letters += strlen(argv[i]) + 1;
    args->files = must_alloc((size_t)count, sizeof(*args->files));
    args->given = must_alloc(letters, sizeof(*args->given));

    for (int i = 0; i < count && code == EXIT_DONE; i++) {
        if (only_files || argv[i][0] != '-' || argv[i][1] == '\0')
            args->files[args->file_count++] = argv[i];
        else if (strcmp(argv[i], "--") == 0)
            only_files = true;
        else if (argv[i][1] == '-')
            code = args_take_long(args, say, count, argv, &i);
        else
            code = args_take_letters(args, say, count, argv, &i);
    }
    args->help = args_has(args, "help");
    say->quiet = args_has(args, "quiet");
    say->verbose = args_has(args, "verbose");
    say->bar.on = say->bar.on && !say->quiet;
    if (code == EXIT_DONE && !args->help)
        code = args_check_files(args, say);
    return code;
}

void args_free(app_args *args)
{
    free(args->files);
    free(args->given);
    memset(args, 0, sizeof(*args));
}

const char *args_value_at(const app_args *args, const char *name, size_t index)
{
    for (size_t i = 0; i < args->given_count; i++)
        if (args->given[i].value != NULL && strcmp(args->given[i].option->name, name) == 0 && index-- == 0)
            return args->given[i].value;
    return NULL;
}

const char *args_value(const app_args *args, const char *name)
{
    const char *value = NULL;
    for (size_t i = 0; i < args->given_count; i++)
        if (strcmp(args->given[i].option->name, name) == 0)
            value = args->given[i].value;
    return value;
}

bool args_has(const app_args *args, const char *name)
{
    for (size_t i = 0; i < args->given_count; i++)
        if (strcmp(args->given[i].option->name, name) == 0)
            return true;
    return false;
}

/* ---- values ---- */

static const char *args_choice_name(const void *user, size_t i) { return ((const char *const *)user)[i]; }

int args_choice(const app_args *args, app_say *say, const char *name, const char *const *choices, size_t *out)
{
    const char *value = args_value(args, name);
    if (value == NULL)
        return EXIT_DONE;
    for (size_t i = 0; choices[i] != NULL; i++)
        if (strcmp(choices[i], value) == 0) {
            *out = i;
            return EXIT_DONE;
        }

    char *list = text_make("%s", choices[0]);
    for (size_t i = 1; choices[i] != NULL; i++) {
        char *longer = text_make("%s%s%s", list, choices[i + 1] != NULL ? ", " : " or ", choices[i]);
        free(list);
        list = longer;
    }
    char *hint = args_suggestion(value, "", args_choice_name, choices);
    int   code = args_usage(args, say, "--%s is %s, not '%s'%s", name, list, value, hint);
    free(list);
    free(hint);
    return code;
}

int args_space(const app_args *args, app_say *say, const char *name, ember_space *out)
{
    static const char *const names[] = {"model", "local", NULL};
    size_t                   which = SIZE_MAX;
    int                      code = args_choice(args, say, name, names, &which);
    if (which == 0)
        *out = EMBER_SPACE_MODEL;
    else if (which == 1)
        *out = EMBER_SPACE_LOCAL;
    return code;
}

int args_positive(const app_args *args, app_say *say, const char *name, double *out)
{
    const char *value = args_value(args, name);
    double      number = 0.0;
    if (value == NULL)
        return EXIT_DONE;
    if (!text_read_double(&number, value) || number <= 0.0)
        return args_usage(args, say, "--%s is a number above 0, not '%s'", name, value);
    *out = number;
    return EXIT_DONE;
}

int args_format(const app_args *args, app_say *say, const char *name, const ember_format_info **out)
{
    size_t                   count = ember_format_count(), which = SIZE_MAX, used = 0;
    const char             **names = must_alloc(count + 1, sizeof(*names));
    /* A name that is known but does not go that way gets a better answer later than a list without it. */
    const char              *value = args_value(args, name);
    const ember_format_info *known = value != NULL ? ember_format_by_name(value) : NULL;
    for (size_t i = 0; i < count; i++) {
        const ember_format_info *info = ember_format_at(i);
        if (strcmp(name, "from") == 0 ? info->reads : info->writes)
            names[used++] = info->name;
    }
    int code = known != NULL ? EXIT_DONE : args_choice(args, say, name, names, &which);
    free(names);
    if (known != NULL)
        *out = known;
    return code;
}

int args_report(const app_args *args, app_say *say, bool *json)
{
    static const char *const names[] = {"text", "json", NULL};
    size_t                   which = *json ? 1 : 0;
    int                      code = args_choice(args, say, "format", names, &which);
    *json = which == 1;
    return code;
}

int args_size(const app_args *args, app_say *say, uint32_t *width, uint32_t *height)
{
    const char *given = args_value(args, "size"), *cross = given != NULL ? strchr(given, 'x') : NULL;
    char        left[16] = "";
    if (given == NULL)
        return EXIT_DONE;
    if (cross != NULL && (size_t)(cross - given) < sizeof(left)) {
        memcpy(left, given, (size_t)(cross - given));
        if (text_read_u32(width, left) && text_read_u32(height, cross + 1) && *width >= 16 && *height >= 16 &&
            *width <= 4096 && *height <= 4096)
            return EXIT_DONE;
    }
    return args_usage(args, say, "--size is WIDTHxHEIGHT in pixels, 16x16 to 4096x4096, not '%s'", given);
}

/* ---- help ---- */

void args_print_help(const app_verb *verb)
{
    const app_option *option;
    printf("ember %s: %s\n\nusage: ember %s %s\n", verb->name, verb->summary, verb->name, verb->usage);
    if (verb->about != NULL)
        printf("\n%s\n", verb->about);
    printf("\noptions:\n");
    for (size_t i = 0; (option = args_option_at(verb, i)) != NULL; i++) {
        char left[48];
        if (option->help == NULL)
            continue;
        snprintf(left, sizeof(left), "%c%c%s--%s%s%s", option->letter != 0 ? '-' : ' ',
                 option->letter != 0 ? option->letter : ' ', option->letter != 0 ? ", " : "  ", option->name,
                 option->value != NULL ? " " : "", option->value != NULL ? option->value : "");
        printf("  %-32s %s\n", left, option->help);
    }
    printf("\nexample:\n  %s\n", verb->example);
}
