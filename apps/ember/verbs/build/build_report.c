/* SPDX-License-Identifier: MIT */
/* What fills the ROM. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/table.h"
#include "cli/text.h"
#include "verbs/build/build.h"

enum { REPORT_FILES = 20 };

static void report_row(app_table *table, const char *name, uint64_t entries, uint64_t size)
{
    char count[TEXT_NUMBER_SIZE], bytes[TEXT_NUMBER_SIZE];
    table_cell(table, "%s", name);
    table_cell(table, "%s", text_count(count, entries));
    table_cell(table, "%s", text_count(bytes, size));
    table_cell(table, "%.1f", (double)size * 100.0 / (double)EMBER_ROM_MAX_SIZE);
}

static void report_head(app_table *table, const char *name)
{
    table_cell(table, "%s", name);
    table_cell(table, "entries");
    table_cell(table, "bytes");
    table_cell(table, "%% of 16 MiB");
}

static int report_compare_kinds(const void *a, const void *b)
{
    const struct build_share *const *x = a, *const *y = b;
    if ((*x)->size != (*y)->size)
        return (*x)->size > (*y)->size ? -1 : 1;
    return *x < *y ? -1 : *x > *y;
}

static void report_kinds(const build_job *job, size_t rom_size)
{
    const struct build_share *sorted[EMBER_ROM_KIND_COUNT];
    app_table                 table = {.align = "lrrr"};
    size_t                    count = 0, sum = 0;
    report_head(&table, "kind");
    for (size_t i = 0; i < EMBER_ROM_KIND_COUNT; i++)
        if (job->kinds[i].entries != 0)
            sorted[count++] = &job->kinds[i];
    qsort(sorted, count, sizeof(sorted[0]), report_compare_kinds);
    for (size_t i = 0; i < count; i++) {
        report_row(&table, ember_rom_kind_name((ember_rom_kind)(sorted[i] - job->kinds)), sorted[i]->entries,
                   sorted[i]->size);
        sum += sorted[i]->size;
    }
    /* What belongs to no single asset. The last payload has no padding behind it. */
    if (rom_size > sum) {
        char bytes[TEXT_NUMBER_SIZE];
        table_cell(&table, "rigs, table");
        table_cell(&table, "%s", "");
        table_cell(&table, "%s", text_count(bytes, rom_size - sum));
        table_cell(&table, "%.1f", (double)(rom_size - sum) * 100.0 / (double)EMBER_ROM_MAX_SIZE);
    }
    table_print(&table, "  ");
}

static void report_saving(app_table *table, const char *what, uint64_t count, const char *of, uint64_t size)
{
    char number[TEXT_NUMBER_SIZE], bytes[TEXT_NUMBER_SIZE];
    if (size == 0)
        return;
    table_cell(table, "%s", what);
    table_cell(table, "%s %s", text_count(number, count), of);
    table_cell(table, "%s", text_count(bytes, size));
}

/* What meshes would take beside, were they stored for each node and skinned. */
static void report_saved(const build_job *job)
{
    const struct build_saved *saved = &job->saved;
    app_table                 table = {.align = "lrr"};
    if (saved->shared_size + saved->weights + saved->inverse_binds == 0)
        return;
    table_cell(&table, "saved");
    table_cell(&table, "of");
    table_cell(&table, "bytes");
    report_saving(&table, "meshes stored once", saved->shared, "meshes", saved->shared_size);
    report_saving(&table, "rigid: no weights", saved->rigid, "meshes", saved->weights);
    report_saving(&table, "rigid: no inverse binds", saved->bones, "bones", saved->inverse_binds);
    table_print(&table, "  ");
}

static int report_compare_files(const void *a, const void *b)
{
    const build_file *const *x = a, *const *y = b;
    if ((*x)->size != (*y)->size)
        return (*x)->size > (*y)->size ? -1 : 1;
    return strcmp((*x)->path, (*y)->path);
}

static void report_files(const build_job *job)
{
    const build_file **sorted = must_alloc(job->list.count, sizeof(*sorted));
    app_table          table = {.align = "lrrrr"};
    size_t             count = 0, rest = 0, rest_entries = 0;
    for (size_t i = 0; i < job->list.count; i++)
        if (job->list.files[i].entries != 0)
            sorted[count++] = &job->list.files[i];
    if (count != 0)
        qsort(sorted, count, sizeof(*sorted), report_compare_files);
    /* One more costs no more than the line that says how many there are. */
    size_t shown = job->say->verbose || count <= REPORT_FILES + 1 ? count : REPORT_FILES;
    report_head(&table, "asset");
    table_cell(&table, "max error");
    for (size_t i = 0; i < count; i++) {
        if (i < shown) {
            char *name = text_escape(sorted[i]->path), error[TEXT_NUMBER_SIZE];
            report_row(&table, name, sorted[i]->entries, sorted[i]->size);
            table_cell(&table, "%s",
                       sorted[i]->lean_clips != 0 ? text_length(error, sorted[i]->error)
                       : sorted[i]->clips != 0    ? "records"
                                                  : "");
            free(name);
        } else {
            rest += sorted[i]->size;
            rest_entries += sorted[i]->entries;
        }
    }
    if (shown < count) {
        char *name = text_make("%zu more (-v lists them)", count - shown);
        report_row(&table, name, rest_entries, rest);
        table_cell(&table, "%s", "");
        free(name);
    }
    table_print(&table, "  ");
    free(sorted);
}

void build_report(const build_job *job, size_t rom_size, const char *path)
{
    char  size[TEXT_NUMBER_SIZE], left[TEXT_NUMBER_SIZE];
    char *name = text_escape(path);
    if (rom_size != 0)
        printf("%s: %s B of 16 MiB, %s B left\n", name, text_count(size, rom_size),
               text_count(left, EMBER_ROM_MAX_SIZE - rom_size));
    report_kinds(job, rom_size);
    report_files(job);
    report_saved(job);
    free(name);
}
