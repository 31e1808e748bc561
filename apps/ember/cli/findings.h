/* SPDX-License-Identifier: MIT */
/* What a validation found: rules with stable codes, and where each was broken. */
#ifndef EMBER_APP_FINDINGS_H
#define EMBER_APP_FINDINGS_H

#include "base/json/json_tree.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/say.h"

#define FINDING_NO_FRAME (-1)

/* Codes live as long as the program and are never used again for something else; docs/commands.md
   explains each. */
typedef struct finding_rule {
    const char *code;
    bool        error; /* false: a warning */
} finding_rule;

typedef struct finding {
    finding_rule rule;
    char        *clip, *bone; /* or NULL */
    int64_t      frame;       /* the first one concerned, or FINDING_NO_FRAME */
    uint64_t     count;       /* how often, all frames together */
    char        *text;
} finding;

typedef struct findings {
    finding *list;
    size_t   count, room;
    size_t   errors, warnings;
} findings;

/* Where a finding is; the count is 1 unless it says more. */
typedef struct finding_place {
    const char *clip, *bone;
    int64_t     frame;
    uint64_t    count;
} finding_place;

void findings_add(findings *all, const finding_rule *rule, finding_place where, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* An error of the library, with its place. */
void findings_add_error(findings *all, const finding_rule *rule, const ember_error *err);
/* Takes down what the library found; `user` is the findings. */
void findings_take(void *user, const ember_finding *found);

/* Of more than FINDINGS_LISTED with one code, only the first is a line, with how many follow; -v prints all.
   Without `warnings` errors alone. */
#define FINDINGS_LISTED 3
void findings_print(const findings *all, const char *file, bool warnings, const app_say *say);

/* What was found in many files: one line for each code of a warning. */
typedef struct findings_sum {
    char     code[16];
    char    *first; /* the first one's line, without the severity */
    uint64_t count;
    size_t   files;
} findings_sum;
typedef struct findings_sums {
    findings_sum *list;
    size_t        count;
} findings_sums;
void findings_sum_add(findings_sums *sums, const findings *all, const char *file);
void findings_sums_print(findings_sums *sums, const app_say *say); /* and empties them */

json_t *findings_json(const findings *all);
void    findings_free(findings *all);

#endif
