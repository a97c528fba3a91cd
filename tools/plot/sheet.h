/*
 * A sheet to draw on, for pictures that are more than one plot: boxes, lines, dots and texts, in
 * pixels from the upper left corner, which become an SVG (written here) or a PNG (through gnuplot).
 * Boxes lie under lines and dots, texts over both.
 */
#ifndef STICTION_TOOLS_PLOT_SHEET_H
#define STICTION_TOOLS_PLOT_SHEET_H

#include <stdbool.h>
#include <stddef.h>

typedef struct sheet sheet;

typedef enum sheet_anchor { SHEET_LEFT, SHEET_MIDDLE, SHEET_RIGHT } sheet_anchor;

typedef struct sheet_point {
    double x, y;
} sheet_point;

sheet *sheet_create(int width, int height, const char *title);
/* Writes a file that ends in .svg or .png, whole or not at all, and frees the sheet. False after a
 * sentence on stderr. */
bool sheet_write(sheet *s, const char *path);

/* Colours are 0xrrggbb. */
void sheet_box(sheet *s, double x, double y, double width, double height, unsigned colour);
/* `dashes` of SVG ("9 4"); NULL: a full line. A point that is not finite interrupts it. */
void sheet_line(sheet *s, const sheet_point *points, size_t count, unsigned colour, double width,
                const char *dashes);
void sheet_dot(sheet *s, sheet_point at, unsigned colour, double radius);
/* `at` is the middle of its height; `upright`: it is turned to the left. */
void sheet_text(sheet *s, sheet_point at, const char *text, double size, sheet_anchor anchor,
                bool upright, unsigned colour);

/* About how wide a text is. */
double sheet_text_width(const char *text, double size);

#endif
