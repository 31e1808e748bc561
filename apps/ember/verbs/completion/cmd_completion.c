/* SPDX-License-Identifier: MIT */
/* `ember completion`: scripts that let a shell complete verbs, options and files, made from the
   verbs' own tables. */
#include <stdio.h>
#include <string.h>

#include "verbs/verbs.h"

/* Help texts stand in single quotes in zsh's and fish's scripts. */
static void completion_quoted(const char *text)
{
    for (; *text != '\0'; text++) {
        if (*text == '\'')
            fputs("'\\''", stdout);
        else if (*text == '[' || *text == ']' || *text == ':')
            putchar(*text == ':' ? ',' : *text == '[' ? '(' : ')'); /* zsh's own marks */
        else
            putchar(*text == '\n' ? ' ' : *text);
    }
}

/* How long the first word is if it is a choice, "model|local", of words that are written as they stand; 0 if
   it is none. */
static size_t completion_choice(const char *text)
{
    size_t size = text != NULL ? strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789|") : 0;
    return size != 0 && memchr(text, '|', size) != NULL && (text[size] == '\0' || text[size] == ' ') ? size
                                                                                                     : 0;
}

/* The words of a choice, between blanks. */
static void completion_words(const char *text)
{
    for (size_t i = 0; i < completion_choice(text); i++)
        putchar(text[i] == '|' ? ' ' : text[i]);
}

static void completion_verbs(void)
{
    for (size_t i = 0; verbs_at(i) != NULL; i++)
        printf("%s ", verbs_at(i)->name);
}

static void completion_bash_words(const char *condition, const char *text)
{
    printf("    %s) COMPREPLY=($(compgen -W \"", condition);
    completion_words(text);
    printf("\" -- \"$cur\")); return ;;\n");
}

/* Values of options, and the word behind a verb that wants one of a few. */
static void completion_bash_values(void)
{
    const app_option *option;
    printf("    case ${COMP_WORDS[1]}:${COMP_WORDS[COMP_CWORD-1]} in\n");
    for (size_t i = 0; verbs_at(i) != NULL; i++)
        for (size_t j = 0; (option = args_option_at(verbs_at(i), j)) != NULL; j++) {
            char condition[128];
            if (option->help == NULL || completion_choice(option->value) == 0)
                continue;
            snprintf(condition, sizeof(condition), "%s:--%s", verbs_at(i)->name, option->name);
            completion_bash_words(condition, option->value);
        }
    printf("    help:help) COMPREPLY=($(compgen -W \"");
    completion_verbs();
    printf("\" -- \"$cur\")); return ;;\n    esac\n");
    printf("    case $COMP_CWORD:${COMP_WORDS[1]} in\n");
    for (size_t i = 0; verbs_at(i) != NULL; i++) {
        char condition[128];
        if (completion_choice(verbs_at(i)->usage) == 0)
            continue;
        snprintf(condition, sizeof(condition), "2:%s", verbs_at(i)->name);
        completion_bash_words(condition, verbs_at(i)->usage);
    }
    printf("    esac\n");
}

static void completion_bash(void)
{
    const app_option *option;
    printf("# bash completion of ember\n_ember()\n{\n    local cur=${COMP_WORDS[COMP_CWORD]} options=\n"
           "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n        COMPREPLY=($(compgen -W \"");
    completion_verbs();
    printf("help --version\" -- \"$cur\"))\n        return\n    fi\n");
    completion_bash_values();
    printf("    case ${COMP_WORDS[1]} in\n");
    for (size_t i = 0; verbs_at(i) != NULL; i++) {
        printf("    %s) options=\"", verbs_at(i)->name);
        for (size_t j = 0; (option = args_option_at(verbs_at(i), j)) != NULL; j++)
            if (option->help != NULL)
                printf("%s--%s", j > 0 ? " " : "", option->name);
        printf("\" ;;\n");
    }
    printf("    esac\n    case $cur in\n    -*) COMPREPLY=($(compgen -W \"$options\" -- \"$cur\")) ;;\n"
           "    *) COMPREPLY=($(compgen -f -- \"$cur\")) ;;\n    esac\n}\ncomplete -o filenames -F _ember "
           "ember\n");
}

static void completion_zsh(void)
{
    const app_option *option;
    printf("#compdef ember\nlocal -a verbs\nverbs=(\n");
    for (size_t i = 0; verbs_at(i) != NULL; i++) {
        printf("    '%s:", verbs_at(i)->name);
        completion_quoted(verbs_at(i)->summary);
        printf("'\n");
    }
    printf(")\nif (( CURRENT == 2 )); then\n    _describe verb verbs\n    return\nfi\ncase $words[2] in\n");
    for (size_t i = 0; verbs_at(i) != NULL; i++) {
        printf("%s) _arguments", verbs_at(i)->name);
        for (size_t j = 0; (option = args_option_at(verbs_at(i), j)) != NULL; j++) {
            if (option->help == NULL)
                continue;
            printf(" \\\n    '*--%s[", option->name);
            completion_quoted(option->help);
            printf("]");
            if (option->value != NULL) {
                printf(":");
                completion_quoted(option->value);
                printf(completion_choice(option->value) != 0 ? ":(" : ":_files");
                completion_words(option->value);
                printf("%s", completion_choice(option->value) != 0 ? ")" : "");
            }
            printf("'");
        }
        if (completion_choice(verbs_at(i)->usage) != 0) {
            printf(" \\\n    '2:what:(");
            completion_words(verbs_at(i)->usage);
            printf(")'");
        }
        printf(" \\\n    '*:file:_files' ;;\n");
    }
    printf("help) _describe verb verbs ;;\nesac\n");
}

static void completion_fish(void)
{
    const app_option *option;
    printf("# fish completion of ember\n");
    for (size_t i = 0; verbs_at(i) != NULL; i++) {
        const char *verb = verbs_at(i)->name;
        printf("complete -c ember -n __fish_use_subcommand -f -a %s -d '", verb);
        completion_quoted(verbs_at(i)->summary);
        printf("'\n");
        for (size_t j = 0; (option = args_option_at(verbs_at(i), j)) != NULL; j++) {
            if (option->help == NULL)
                continue;
            printf("complete -c ember -n '__fish_seen_subcommand_from %s' -l %s", verb, option->name);
            if (option->letter != '\0')
                printf(" -s %c", option->letter);
            printf("%s", option->value != NULL ? " -r" : "");
            if (completion_choice(option->value) != 0) {
                printf(" -f -a '");
                completion_words(option->value);
                printf("'");
            }
            printf(" -d '");
            completion_quoted(option->help);
            printf("'\n");
        }
        if (completion_choice(verbs_at(i)->usage) != 0) {
            printf("complete -c ember -n '__fish_seen_subcommand_from %s' -a '", verb);
            completion_words(verbs_at(i)->usage);
            printf("'\n");
        }
        printf("complete -c ember -n '__fish_seen_subcommand_from help' -f -a %s\n", verb);
    }
}

static int completion_run(const app_args *args, app_say *say)
{
    const char *shell = args->files[0];
    if (strcmp(shell, "bash") == 0)
        completion_bash();
    else if (strcmp(shell, "zsh") == 0)
        completion_zsh();
    else if (strcmp(shell, "fish") == 0)
        completion_fish();
    else
        return args_usage(args, say, "unknown shell '%s', there are bash, zsh and fish", shell);
    return EXIT_DONE;
}

static const app_option completion_options[] = {{NULL, 0, NULL, NULL}};

const app_verb verb_completion = {
    .name = "completion",
    .summary = "a script that completes verbs and options in a shell",
    .usage = "bash|zsh|fish",
    .about = "Installed packages bring these scripts; this is for a command that was built by hand.",
    .options = completion_options,
    .example = "eval \"$(ember completion bash)\"",
    .least_files = 1,
    .most_files = 1,
    .files = "a shell: bash, zsh or fish",
    .run = completion_run,
};
