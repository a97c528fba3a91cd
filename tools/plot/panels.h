/* SPDX-License-Identifier: MIT
 * Pictures for papers: panels with the same axes side by side, each with lines or a heat map.
 */
#ifndef STICTION_TOOLS_PLOT_PANELS_H
#define STICTION_TOOLS_PLOT_PANELS_H

#include "plot.h"

/* An axis of numbers from low to high, or of names at equal distances. */
typedef struct panel_axis {
    const char *label; /* with its unit */
    const char *note;  /* a smaller second line, of y and z; NULL: none */
    double low, high;
    bool log;                 /* low > 0 */
    const char *const *names; /* NULL: numbers. Positions are indices of the names */
    size_t name_count;
    const double *marks; /* values of the ticks; NULL: round numbers */
    size_t mark_count;
} panel_axis;

typedef enum panel_state {
    PANEL_EMPTY, /* no run */
    PANEL_VALUE,
    PANEL_NONE,  /* runs without a value */
    PANEL_FAILED /* hatched */
} panel_state;

typedef struct panel_cell {
    panel_state state;
    double value;
    bool some_failed; /* marks a corner of the cell */
} panel_cell;

typedef struct panel {
    const char *title; /* NULL: none */
    /* lines: the same number of series with the same labels in every panel */
    const plot_series *series;
    size_t series_count;
    const double *failed; /* x values without a value of y: crosses at the top */
    size_t failed_count;
    const plot_band *bands;
    size_t band_count;
    /* or a heat map: a row of cells for each name of y, the lowest row first */
    const panel_cell *cells;
} panel;

typedef struct panels {
    const char *title;      /* "": none */
    const char *band_label; /* NULL: no bands */
    panel_axis x, y, z;     /* z: colours of the cells. A heat map has names on x and y */
    const panel *panels;
    size_t count;
} panels;

/* Writes a PNG if the path ends in .png, else an SVG. Replaces the file only when the picture is
 * complete. */
bool panels_write(const panels *p, const char *path, stiction_error *error);

#endif
