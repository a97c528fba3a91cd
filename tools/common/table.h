/* SPDX-License-Identifier: MIT
 * A table that is filled once and printed for people (aligned), as CSV or as JSON (17 digits).
 */
#ifndef STICTION_TOOLS_COMMON_TABLE_H
#define STICTION_TOOLS_COMMON_TABLE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef enum table_format { TABLE_TEXT, TABLE_CSV, TABLE_JSON } table_format;

typedef struct table_column {
    const char *name; /* the head of the column in CSV and the key in JSON; copied */
    const char *head; /* the head for people, with its unit; NULL: the name; copied */
    int digits;       /* significant digits for people; 0: 6 */
} table_column;

typedef struct table table;

table *table_create(const table_column *columns, size_t count);
void table_destroy(table *t);

/* If the terminal is too narrow, the column of the largest rank is left out first, and the first
 * column never. A column's rank is its place unless it is given. */
void table_rank(table *t, size_t column, size_t rank);

/* The next cell, from left to right and row by row. Text is copied. */
void table_text(table *t, const char *text);
void table_number(table *t, double value);
void table_count(table *t, size_t value);
void table_empty(table *t); /* no value: an empty cell, or null in JSON */
/* Empty where the number is not finite. */
void table_number_or_empty(table *t, double value);

/* JSON is a list of objects, one a row. Each format ends with a newline. On a terminal the table
 * for people is as wide as this at the most: it leaves out columns, and says which, or cuts a text.
 */
void table_print(const table *t, table_format format, FILE *out);
/* The list for JSON; the caller owns it. */
json_t *table_json(const table *t);

#endif
