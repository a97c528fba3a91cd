/* What is on a sheet, and the script with which gnuplot draws it; for sheet.c alone. */
#ifndef STICTION_TOOLS_PLOT_SHEET_PNG_H
#define STICTION_TOOLS_PLOT_SHEET_PNG_H

#include <stdio.h>

#include "sheet.h"

typedef enum sheet_kind { SHEET_BOX, SHEET_LINE, SHEET_DOT, SHEET_TEXT } sheet_kind;

typedef struct sheet_shape {
    sheet_kind kind;
    unsigned colour;
    sheet_point at, size;
    double width; /* of a line, a dot's radius, a text's size */
    sheet_point *points;
    size_t count;
    const char *dashes; /* the caller's */
    char *text;
    sheet_anchor anchor;
    bool upright;
} sheet_shape;

struct sheet {
    int width, height;
    char *title;
    sheet_shape *shapes;
    size_t count, room;
};

/* `user` is a sheet. */
void sheet_print_gnuplot(FILE *out, const void *user);

#endif
