/*
 * Curves as a picture: in the terminal, as SVG (written here), as PNG (through gnuplot), and on a
 * page of the reports (report/page.h).
 */
#ifndef STICTION_TOOLS_PLOT_PLOT_H
#define STICTION_TOOLS_PLOT_PLOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct plot_series {
    const char *label;
    const char *note; /* what the terminal says of it, a line; NULL: the label */
    const double *x, *y;
    size_t count; /* a point that is not finite interrupts the line */
    bool points;  /* dots instead of a line; the terminal has dots always */
} plot_series;

/* A stretch of the x axis that is shaded; the terminal leaves it out. */
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
    const char *band_label; /* what they mean; NULL where there are none */
    bool decades;           /* the series are logarithms to base 10: the ticks say of what */
    bool steps; /* the series are steps of one quantity: a slider on the page brings one forward */
    size_t first_step;
} plot;

/* As wide and high as the terminal, up to a size that is quick to read; 80 x 24 elsewhere. */
void plot_terminal(const plot *p, FILE *out);
void plot_svg(const plot *p, FILE *out);
/* Both into a file, whole or not at all, where the SVG's "-" is stdout. False after a sentence on stderr. */
bool plot_svg_file(const plot *p, const char *path);
bool plot_png(const plot *p, const char *path);
/* Whether gnuplot is there. */
bool plot_png_possible(void);

/* ---- what the three share ---- */

/* A text within XML, and as a string of gnuplot in which nothing is special; the dashes of SVG in
 * gnuplot's words. */
void plot_print_xml(FILE *out, const char *text);
void plot_print_quoted(FILE *out, const char *text);
void plot_print_dashes(FILE *out, const char *dashes);
/* Draws a script of gnuplot, which `print` writes, into a PNG, whole or not at all. */
bool plot_gnuplot(void (*print)(FILE *out, const void *user), const void *user, const char *path);

/* The range of an axis, and where its ticks are: at the multiples of `step` within it. */
typedef struct plot_axis {
    double low, high; /* low < high */
    double step;
    bool decades; /* the text of a tick is ten to its power */
} plot_axis;

/* The axes around all finite points; y has some room above and below. */
plot_axis plot_x_axis(const plot *p, int most_ticks);
plot_axis plot_y_axis(const plot *p, int most_ticks);

/* The same around two numbers, with a share of room beside them. */
plot_axis plot_axis_of(double low, double high, double room, int most_ticks);

/* The first tick, as a multiple of the step, and how many there are. */
long plot_first_tick(const plot_axis *axis);
long plot_tick_count(const plot_axis *axis);
/* Tick `index` (a multiple of the step) as text: as many decimals as the step needs. */
void plot_tick_text(const plot_axis *axis, long index, char *buffer, size_t size);

/* A band cut to the axis; false where nothing of it is left. */
bool plot_band_on(const plot_axis *axis, const plot_band *band, plot_band *cut);

/* Where a value lies when the axis runs from `from` to `to`: a finite number if it is one. */
double plot_place(const plot_axis *axis, double value, double from, double to);

/* Colours that stay apart for colour-blind eyes (Okabe and Ito), and lines that do so in grey. */
typedef struct plot_style {
    const char *colour; /* #rrggbb */
    int terminal;       /* the nearest of the 256 colours of a terminal */
    const char *dashes; /* of SVG; NULL: a full line */
} plot_style;

const plot_style *plot_style_of(size_t series);

/* Of a value from 0 (low) to 1 (high), 0xrrggbb: dark blue over green to yellow (viridis), which
 * grows lighter throughout and is read by colour-blind eyes and in grey. */
unsigned plot_scale_colour(double share);

/* Of a band, light enough for lines and grid to stand on. */
#define PLOT_BAND_COLOUR "#fbe9bf"

#endif
