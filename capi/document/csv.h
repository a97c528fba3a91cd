/*
 * Reading CSV a row at a time, in memory that does not grow with the file: cells in quotes (which
 * may hold commas and newlines), LF or CRLF, a byte order mark, empty cells.
 */
#ifndef STICTION_TOOLS_COMMON_CSV_H
#define STICTION_TOOLS_COMMON_CSV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct csv_text_buffer {
    char *data; /* ends with 0 */
    size_t length, capacity;
} csv_text_buffer;

typedef struct csv {
    FILE *file;
    const char *path;       /* for the messages */
    size_t line, next_line; /* on which this row and the next one begin, from 1 */
    csv_text_buffer raw;    /* the row as it stands, without its line end */
    const char *ending;     /* "\n" or "\r\n" */
    char **cells;           /* without their quotes, and the spaces around what has none */
    size_t count, cells_capacity;
    csv_text_buffer text; /* the cells one after the other */
} csv;

typedef enum csv_verdict {
    CSV_ROW,
    CSV_OTHER, /* an empty line or one that begins with #: raw has it, there are no cells */
    CSV_END,
    CSV_WRONG /* after a sentence on stderr */
} csv_verdict;

/* "-" is stdin. False after a sentence on stderr. */
bool csv_open(csv *c, const char *path);
void csv_close(csv *c);
csv_verdict csv_next(csv *c);

#endif
