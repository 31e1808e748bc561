/* SPDX-License-Identifier: MIT */
/* A list of findings, as lines `file:clip:bone: error CODE: text` or as JSON. Findings are a verb's data:
   they go to standard output. */
#include "cli/findings.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/json_text.h"
#include "cli/text.h"

void findings_add(findings *all, const finding_rule *rule, finding_place where, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    if (all->count == all->room) {
        all->room = all->room != 0 ? all->room * 2 : 16;
        all->list = must_resize(all->list, all->room, sizeof(*all->list));
    }
    all->list[all->count++] = (finding){
        .rule = *rule,
        .clip = where.clip != NULL ? text_make("%s", where.clip) : NULL,
        .bone = where.bone != NULL ? text_make("%s", where.bone) : NULL,
        .frame = where.frame,
        .count = where.count != 0 ? where.count : 1,
        .text = text_make_list(format, list),
    };
    all->errors += rule->error;
    all->warnings += !rule->error;
    va_end(list);
}

void findings_add_error(findings *all, const finding_rule *rule, const ember_error *err)
{
    emberi_error_words words = emberi_error_words_of(err);
    finding_place      where = {words.clip[0] != '\0' ? words.clip : NULL,
                           words.bone[0] != '\0' ? words.bone : NULL,
                           err->frame >= 0 ? err->frame : FINDING_NO_FRAME, 1};
    findings_add(all, rule, where, "%s", words.text);
}

void findings_take(void *user, const ember_finding *found)
{
    finding_rule  rule = {found->code, found->severity == EMBER_SEVERITY_ERROR};
    finding_place where = {found->clip, found->bone, found->frame, found->count};
    findings_add(user, &rule, where, "%s", found->text);
}

/* "file:clip:bone". Free it. */
static char *findings_where(const finding *f, const char *file)
{
    bool  clip = f->clip != NULL && f->clip[0] != '\0';
    char *where = text_make("%s%s%s%s%s", file, clip ? ":" : "", clip ? f->clip : "",
                            f->bone != NULL ? ":" : "", f->bone != NULL ? f->bone : "");
    char *safe = text_escape(where);
    free(where);
    return safe;
}

static void findings_print_one(const finding *f, const char *file, size_t more, const app_say *say)
{
    char       *where = findings_where(f, file), *text = text_escape(f->text);
    const char *colour = !say->colour_data ? "" : f->rule.error ? "\033[31m" : "\033[33m";
    printf("%s: %s%s %s%s: %s", where, colour, f->rule.error ? "error" : "warning", f->rule.code,
           say->colour_data ? "\033[0m" : "", text);
    if (f->frame != FINDING_NO_FRAME && f->count > 1)
        printf(" (frame %lld first, %llu in all)", (long long)f->frame, (unsigned long long)f->count);
    else if (f->frame != FINDING_NO_FRAME)
        printf(" (frame %lld)", (long long)f->frame);
    if (more > 0)
        printf(" (and %zu more, -v lists them)", more);
    putchar('\n');
    free(where);
    free(text);
}

void findings_print(const findings *all, const char *file, bool warnings, const app_say *say)
{
    for (size_t i = 0; i < all->count; i++) {
        const finding *f = &all->list[i];
        size_t         before = 0, same = 0;
        if (!f->rule.error && !warnings)
            continue;
        for (size_t k = 0; k < all->count; k++)
            if (strcmp(all->list[k].rule.code, f->rule.code) == 0) {
                before += k < i ? 1 : 0;
                same++;
            }
        bool grouped = same > FINDINGS_LISTED && !say->verbose;
        if (!grouped || before == 0)
            findings_print_one(f, file, grouped ? same - 1 : 0, say);
    }
}

void findings_sum_add(findings_sums *sums, const findings *all, const char *file)
{
    for (size_t i = 0; i < all->count; i++) {
        const finding *f = &all->list[i];
        findings_sum  *sum = NULL;
        bool           first = true; /* of its code in this file */
        if (f->rule.error)
            continue;
        for (size_t k = 0; k < sums->count && sum == NULL; k++)
            sum = strcmp(sums->list[k].code, f->rule.code) == 0 ? &sums->list[k] : NULL;
        if (sum == NULL) {
            sums->list = must_grow(sums->list, sums->count, sizeof(*sums->list));
            sum = &sums->list[sums->count++];
            *sum = (findings_sum){.count = 0};
            snprintf(sum->code, sizeof(sum->code), "%s", f->rule.code);
            char *where = findings_where(f, file), *text = text_escape(f->text);
            sum->first = text_make("%s, first in %s", text, where);
            free(where);
            free(text);
        }
        for (size_t k = 0; k < i; k++)
            first = first && strcmp(all->list[k].rule.code, f->rule.code) != 0;
        sum->count++;
        sum->files += first ? 1 : 0;
    }
}

void findings_sums_print(findings_sums *sums, const app_say *say)
{
    char number[TEXT_NUMBER_SIZE];
    for (size_t i = 0; i < sums->count; i++) {
        const findings_sum *sum = &sums->list[i];
        printf("%s%s%s: %s %s in %zu %s: %s\n", say->colour_data ? "\033[33m" : "", sum->code,
               say->colour_data ? "\033[0m" : "", text_count(number, sum->count),
               sum->count == 1 ? "warning" : "warnings", sum->files, sum->files == 1 ? "file" : "files",
               sum->first);
        free(sum->first);
    }
    free(sums->list);
    *sums = (findings_sums){NULL, 0};
}

json_t *findings_json(const findings *all)
{
    json_t *array = json_array();
    for (size_t i = 0; i < all->count; i++) {
        const finding *f = &all->list[i];
        json_t        *object = json_object();
        json_put(object, "code", json_text(f->rule.code));
        json_put(object, "severity", json_text(f->rule.error ? "error" : "warning"));
        json_put(object, "clip", json_text(f->clip));
        json_put(object, "bone", json_text(f->bone));
        json_put(object, "frame", f->frame != FINDING_NO_FRAME ? json_integer(f->frame) : json_null());
        json_put(object, "count", json_count(f->count));
        json_put(object, "text", json_text(f->text));
        json_add(array, object);
    }
    return array;
}

void findings_free(findings *all)
{
    for (size_t i = 0; i < all->count; i++) {
        free(all->list[i].clip);
        free(all->list[i].bone);
        free(all->list[i].text);
    }
    free(all->list);
    memset(all, 0, sizeof(*all));
}
