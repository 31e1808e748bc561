/* SPDX-License-Identifier: MIT */
/* ember(1): the verbs' help texts as a manual page, so that the page and `--help` cannot disagree. */
#include "cli/manual.h"

#include <stdio.h>

#include "verbs/verbs.h"

/* Text as roff takes it: backslashes doubled, dashes that are to be copied kept as such, no line that starts
   with a control character. */
static void manual_text(const char *text)
{
    bool start = true;
    for (; *text != '\0'; text++) {
        if (start && (*text == '.' || *text == '\''))
            fputs("\\&", stdout);
        if (*text == '\\')
            fputs("\\e", stdout);
        else if (*text == '-')
            fputs("\\-", stdout);
        else
            putchar(*text);
        start = *text == '\n';
    }
}

static void manual_option(const app_option *option)
{
    printf(".TP\n");
    if (option->letter != '\0')
        printf(".BR \\-%c \", \" ", option->letter);
    else
        printf(".B ");
    if (option->value != NULL)
        printf("\"\\-\\-");
    else
        printf("\\-\\-");
    manual_text(option->name);
    if (option->value != NULL) {
        putchar(' ');
        manual_text(option->value);
        putchar('"');
    }
    putchar('\n');
    manual_text(option->help);
    putchar('\n');
}

static void manual_verb(const app_verb *verb)
{
    printf(".SS ember %s ", verb->name);
    manual_text(verb->usage);
    printf("\n");
    manual_text(verb->summary);
    printf("\n");
    if (verb->about != NULL) {
        printf(".PP\n");
        manual_text(verb->about);
        printf("\n");
    }
    for (const app_option *option = verb->options; option->name != NULL; option++)
        if (option->help != NULL)
            manual_option(option);
    printf(".PP\nExample:\n.RS\n.EX\n");
    manual_text(verb->example);
    printf("\n.EE\n.RE\n");
}

void manual_print(void)
{
    static const app_option none[] = {{NULL, 0, NULL, NULL}};
    const app_verb          everybody = {.options = none};
    const app_option       *option;

    printf(
        ".TH EMBER 1 \"\" \"ember %s\" \"Ember\"\n.SH NAME\nember \\- skeletal animation for small machines\n"
        ".SH SYNOPSIS\n.B ember\n.I VERB\n.RI [ \"option ...\" ]\n.RI [ \"file ...\" ]\n"
        ".SH DESCRIPTION\nReads skeletal animation from the formats that artists and games use, stores it in "
        "16 bytes per bone and\n"
        "frame or less, checks it, packs it and shows it. Data goes to standard output, words to standard "
        "error. A file called\n"
        ".B \\-\nis standard input or output. A file that is written holds either what it held before or all "
        "of the new bytes.\n"
        ".SH VERBS\n",
        EMBER_VERSION);
    for (size_t i = 0; verbs_at(i) != NULL; i++)
        manual_verb(verbs_at(i));
    printf(".SH OPTIONS OF EVERY VERB\n");
    for (size_t i = 0; (option = args_option_at(&everybody, i)) != NULL; i++)
        if (option->help != NULL)
            manual_option(option);
    printf(".SH EXIT STATUS\n0 done, 1 failed, 2 wrong usage.\n"
           ".SH ENVIRONMENT\n.TP\n.B NO_COLOR\nno colours on a terminal\n.TP\n.B EMBER_ISA\nthe kernels to "
           "use: scalar, sse2, avx2, neon\n"
           ".SH SEE ALSO\n.BR ewzanim (5),\n.BR ewz (5)\n");
}
