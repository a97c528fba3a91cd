/* SPDX-License-Identifier: MIT
 * Plots of lines: one model, drawn as SVG, as PNG (by gnuplot), in the terminal, and on HTML pages
 * (report/page.h). panels.h draws grids of plots and heat maps with the same code.
 */
#ifndef STICTION_TOOLS_PLOT_PLOT_H
#define STICTION_TOOLS_PLOT_PLOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "stiction/error.h"

typedef struct plot_series {
    const char *label;
    const char *note; /* the legend of the terminal; NULL: the label */
    const double *x, *y;
    size_t count; /* a point that is not finite interrupts the line */
    bool points;  /* dots instead of a line; the terminal always draws lines */
    bool marked;  /* dots on the line as well; only in files */
} plot_series;

/* A shaded interval of the x axis; not drawn in the terminal. */
typedef struct plot_band {
    double from, to;
} plot_band;

typedef struct plot {
    const char *title;
    const char *x_label, *y_label; /* with their units */
    const plot_series *series;
    size_t count;
    const plot_band *bands;
    size_t band_count;
    const char *band_label; /* legend of the bands; NULL without bands */
} plot;

typedef enum plot_format { PLOT_SVG, PLOT_PNG } plot_format;

/* PLOT_PNG if the path ends in .png, else PLOT_SVG. */
plot_format plot_format_of(const char *path);
/* Replaces the file only when the picture is complete. The path "-" writes an SVG to stdout. */
bool plot_write(const plot *p, const char *path, plot_format format, stiction_error *error);
/* An SVG of 800 x 500 units, as an element of a page or of a larger SVG. */
enum { PLOT_WIDTH = 800, PLOT_HEIGHT = 500 };
void plot_svg(const plot *p, FILE *out);
/* As large as the terminal, up to 100 x 32 characters; 80 x 24 if the output is not a terminal. */
void plot_terminal(const plot *p, FILE *out);

/* Whether gnuplot, which draws PNGs, is installed. */
bool plot_png_possible(void);

/* ---- shared by all outputs ---- */

/* Colours that remain distinct for colour-blind readers (Okabe and Ito), with a dash pattern each
 * for grey prints. */
typedef struct plot_style {
    unsigned colour;    /* 0xrrggbb */
    int terminal;       /* the nearest of a terminal's 256 colours */
    const char *dashes; /* SVG's stroke-dasharray; NULL: solid */
} plot_style;

const plot_style *plot_style_of(size_t series);

/* The viridis colour scale, 0xrrggbb, for a value from 0 to 1. */
unsigned plot_scale_colour(double share);

/* Background of a band, light enough for lines and grid to stand out. */
enum { PLOT_BAND_COLOUR = 0xfbe9bf };

#endif
