/* SPDX-License-Identifier: MIT
 * How wide a terminal is, and text that fits into it.
 */
#ifndef STICTION_TOOLS_COMMON_TERMINAL_H
#define STICTION_TOOLS_COMMON_TERMINAL_H

#include <stddef.h>
#include <stdio.h>

typedef struct terminal_size {
    size_t columns, rows;
} terminal_size;

/* The current size of the terminal that a stream writes to, else the variables COLUMNS and LINES,
 * else 80 x 24. */
terminal_size terminal_size_of(FILE *stream);

/* Columns that a text takes: the characters of UTF-8 rather than its bytes. */
size_t text_columns(const char *text);

/* The text if it fits into so many columns, else its beginning (or its end) with an ellipsis. The
 * caller frees it. */
char *text_fit(const char *text, size_t columns);
char *text_fit_end(const char *text, size_t columns);

#endif
