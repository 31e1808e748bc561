/* SPDX-License-Identifier: MIT */
/* Aligned columns. Cells are escaped, so that names of any bytes keep a row a row. */
#include "cli/table.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/text.h"

void table_cell(app_table *table, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    char *text = text_make_list(format, list);
    va_end(list);

    if (table->count == table->room) {
        table->room = table->room != 0 ? table->room * 2 : 64;
        table->cells = must_resize(table->cells, table->room, sizeof(*table->cells));
    }
    table->cells[table->count++] = text_escape(text);
    free(text);
}

/* A cell that is longer than this, a name out of a file, moves its own row and no other. */
enum { WIDEST = 80 };

void table_print(app_table *table, const char *indent)
{
    size_t  columns = strlen(table->align);
    size_t *widths = must_alloc(columns, sizeof(*widths));

    for (size_t i = 0; i < table->count; i++) {
        size_t width = text_width(table->cells[i]);
        if (width > widths[i % columns] && width <= WIDEST)
            widths[i % columns] = width;
    }
    for (size_t i = 0; i < table->count; i++) {
        size_t column = i % columns;
        size_t width = text_width(table->cells[i]), pad = width < widths[column] ? widths[column] - width : 0;
        size_t ends = column + 1; /* trailing empty cells leave no spaces behind */
        while (ends < columns && i - column + ends < table->count &&
               table->cells[i - column + ends][0] == '\0')
            ends++;
        bool last = ends == columns;

        fputs(column == 0 ? indent : "  ", stdout);
        if (table->align[column] == 'r')
            printf("%*s%s", (int)pad, "", table->cells[i]);
        else
            printf("%s%*s", table->cells[i], last ? 0 : (int)pad, "");
        if (last) {
            putchar('\n');
            i += columns - 1 - column;
        }
    }
    free(widths);
    table_drop(table);
}

void table_drop(app_table *table)
{
    for (size_t i = 0; i < table->count; i++)
        free(table->cells[i]);
    free(table->cells);
    table->cells = NULL;
    table->count = table->room = 0;
}
