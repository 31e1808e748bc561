/* SPDX-License-Identifier: MIT */
/* Rows of cells in aligned columns, on standard output. */
#ifndef EMBER_APP_TABLE_H
#define EMBER_APP_TABLE_H

#include <stddef.h>

/* Set `align` to one letter per column, 'l' or 'r', and leave the rest zero. */
typedef struct app_table {
    const char *align;
    char      **cells;
    size_t      count, room;
} app_table;

/* Adds the next cell, left to right and row after row. */
void table_cell(app_table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Prints every row behind `indent`, two spaces between columns, none at a line's end; the table
   is empty then. */
void table_print(app_table *table, const char *indent);

/* Empties the table without printing. */
void table_drop(app_table *table);

#endif
