/*
 * Panels side by side over the same axes, for papers: lines, or a heat map with its colour bar. One
 * panel is a picture by itself; several are small multiples.
 */
#ifndef STICTION_TOOLS_PLOT_PANELS_H
#define STICTION_TOOLS_PLOT_PANELS_H

#include "plot.h"

/* An axis of numbers from low to high, or of names, each with the same room. */
typedef struct panel_axis {
    const char *label; /* with its unit */
    const char *note;  /* a smaller line beside it; NULL: none. y and z have one */
    double low, high;
    bool log;                 /* from low > 0 on */
    const char *const *names; /* NULL: numbers. A place is then the number of a name, from 0 */
    size_t name_count;
    const double *marks; /* where the ticks of numbers are; NULL: where they are round */
    size_t mark_count;
} panel_axis;

typedef enum panel_state {
    PANEL_EMPTY, /* nothing is there */
    PANEL_VALUE,
    PANEL_NONE,  /* something is, without a value */
    PANEL_FAILED /* hatched */
} panel_state;

typedef struct panel_cell {
    panel_state state;
    double value;
    bool some_failed; /* beside the value: a corner is marked */
} panel_cell;

typedef struct panel {
    const char *title; /* NULL: none */
    /* lines: as many series as every panel has, with the same labels; a point that is not finite
     * interrupts a line. `failed`: places on x of what has no value, crosses at the top */
    const plot_series *series;
    size_t series_count;
    const double *failed;
    size_t failed_count;
    /* a heat map, instead: a row of cells for each name of y, the lowest first */
    const panel_cell *cells;
} panel;

typedef struct panels {
    const char *title;  /* "": none */
    panel_axis x, y, z; /* z is of the colours of cells; a heat map has names on x and y */
    const panel *panels;
    size_t count;
} panels;

/* Into a file that ends in .svg or .png, whole or not at all. False after a sentence on stderr. */
bool panels_write(const panels *p, const char *path);

#endif
