/* SPDX-License-Identifier: MIT
 * A drawing of boxes, lines, dots and texts, in pixels from the upper left corner, which is written
 * as SVG or, by gnuplot, as PNG. Boxes lie below lines and dots, texts above both.
 */
#ifndef STICTION_TOOLS_PLOT_SHEET_H
#define STICTION_TOOLS_PLOT_SHEET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "stiction/error.h"

typedef enum sheet_kind { SHEET_BOX, SHEET_LINE, SHEET_DOTS, SHEET_TEXT } sheet_kind;
typedef enum sheet_anchor { SHEET_LEFT, SHEET_MIDDLE, SHEET_RIGHT } sheet_anchor;

typedef struct sheet_point {
    double x, y;
} sheet_point;

typedef struct sheet_shape {
    sheet_kind kind;
    unsigned colour;     /* 0xrrggbb */
    sheet_point *points; /* of a box: its corner and its size */
    size_t count;
    double width;       /* of a line; radius of a dot; size of a text */
    const char *dashes; /* the caller's */
    char *text;
    sheet_anchor anchor;
    bool upright;
} sheet_shape;

typedef struct sheet {
    int width, height;
    const char *title; /* the caller's */
    sheet_shape *shapes;
    size_t count, capacity;
} sheet;

void sheet_box(sheet *s, double x, double y, double width, double height, unsigned colour);
/* `dashes` as in SVG ("9 4"); NULL: a solid line. A point that is not finite interrupts it. */
void sheet_line(sheet *s, const sheet_point *points, size_t count, unsigned colour, double width,
                const char *dashes);
/* Points that are not finite are skipped. */
void sheet_dots(sheet *s, const sheet_point *points, size_t count, unsigned colour, double radius);
/* `at` is at half the height of the text; `upright` turns it to the left by 90 degrees. */
void sheet_text(sheet *s, sheet_point at, const char *text, double size, sheet_anchor anchor,
                bool upright, unsigned colour);
/* Estimated width of a text. */
double sheet_text_width(const char *text, double size);

void sheet_svg(const sheet *s, FILE *out);
/* Replaces the file only when the picture is complete. */
bool sheet_png(const sheet *s, const char *path, stiction_error *error);
void sheet_release(sheet *s);

#endif
