/*
 * The text of a CSV file, cut into lines and cells in place. A cell may be in quotes; a line end
 * may not. It knows nothing of joints.
 */
#ifndef STICTION_CONTROLLERS_POSTURE_MOTION_TABLE_H
#define STICTION_CONTROLLERS_POSTURE_MOTION_TABLE_H

#include <stdbool.h>
#include <stddef.h>

typedef struct motion_table {
    char *text, *next;
    int line; /* of the last row, from 1 */
    char *at; /* what is left of that row; NULL: nothing */
    char *row;
} motion_table;

typedef struct motion_cell {
    char *text;  /* without quotes and the spaces around it */
    int column;  /* of its first byte, from 1 */
    bool closed; /* no quote is open, and nothing stands behind one */
} motion_cell;

/* Reads the whole file; NULL, or why not. motion_table_close either way. */
const char *motion_table_open(motion_table *table, const char *path);
void motion_table_close(motion_table *table);

/* How many rows there may be, the header among them. */
size_t motion_table_row_bound(const motion_table *table);

/* Goes to the next row that is not blank; false: there is none. */
bool motion_table_next_row(motion_table *table);

/* Cuts the next cell of the row; false: there is none. */
bool motion_table_next_cell(motion_table *table, motion_cell *cell);

#endif
