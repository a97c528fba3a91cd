/* SPDX-License-Identifier: MIT
 * Reading CSV a row at a time, in memory that does not grow with the file: cells in quotes (which
 * may hold commas and newlines), LF or CRLF, a byte order mark, empty cells. And writing a cell.
 */
#ifndef STICTION_CAPI_DOCUMENT_CSV_H
#define STICTION_CAPI_DOCUMENT_CSV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "fail.h"

typedef struct csv_text_buffer {
    char *data; /* ends with 0 */
    size_t length, capacity;
} csv_text_buffer;

typedef struct csv_cell {
    char *text; /* without its quotes, or the spaces around what has none */
    int column; /* of its first byte that is no space, from 1 */
} csv_cell;

typedef struct csv {
    FILE *file;
    const char *path;       /* for the messages; the caller's */
    uint64_t bytes, most;   /* that were read, and that may be */
    size_t line, next_line; /* on which this row and the next one begin, from 1 */
    csv_text_buffer raw;    /* the row as it was read, without its line end */
    const char *ending;     /* "\n" or "\r\n" */
    csv_cell *cells;
    size_t count, cells_capacity;
    csv_text_buffer text; /* the cells one after the other */
} csv;

typedef enum csv_verdict {
    CSV_ROW,
    CSV_OTHER, /* a blank line or one that begins with #: raw has it, there are no cells */
    CSV_END,
    CSV_WRONG /* see the error */
} csv_verdict;

/* A regular file of at most so many bytes. False with an error; close it either way. */
bool stiction_csv_open(csv *c, const char *path, uint64_t most, stiction_error *error);
/* The same, where "-" is stdin: what a user gives, never what a file names. */
bool stiction_csv_open_or_stdin(csv *c, const char *path, uint64_t most, stiction_error *error);
void stiction_csv_close(csv *c);
csv_verdict stiction_csv_next(csv *c, stiction_error *error);
/* The same, past blank lines and comments: never CSV_OTHER. */
csv_verdict stiction_csv_next_row(csv *c, stiction_error *error);

/* The place of a cell in the file. */
stiction_place stiction_csv_place(const csv *c, size_t cell);

/*
 * Writes a cell, in quotes where it needs them, on one line: shown (shown.h), so that a newline in
 * a name is \n. What a spreadsheet would take for a formula, =HYPERLINK(...), gets an apostrophe,
 * "'=HYPERLINK(...)", which reading removes again. The thread is in the "C"
 * locale.
 */
void stiction_csv_print(FILE *out, const char *text);
/* Whether a cell would be written as it is, but for quotes. */
bool stiction_csv_is_plain(const char *text);

/* Whether the first `length` bytes of a cell are a name, or what was written of it. */
bool stiction_csv_names(const char *cell, size_t length, const char *name);

#endif
