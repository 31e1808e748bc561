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

static void completion_bash(void)
{
    const app_option *option;
    printf("# bash completion of ember\n_ember()\n{\n    local cur=${COMP_WORDS[COMP_CWORD]} options=\n"
           "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n        COMPREPLY=($(compgen -W \"");
    for (size_t i = 0; verbs_at(i) != NULL; i++)
        printf("%s ", verbs_at(i)->name);
    printf("help --version\" -- \"$cur\"))\n        return\n    fi\n    case ${COMP_WORDS[1]} in\n");
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
                printf(":_files");
            }
            printf("'");
        }
        printf(" \\\n    '*:file:_files' ;;\n");
    }
    printf("esac\n");
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
            printf("%s -d '", option->value != NULL ? " -r" : "");
            completion_quoted(option->help);
            printf("'\n");
        }
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
