/* SPDX-License-Identifier: MIT
 * An experiment of a paper: what it shows, with which parameters, which quantities come out. An
 * experiment is one file in experiments/ that ends in one `const experiment`; experiments.c lists
 * them. The table, the gallery and the test are made from it, so nothing is stated twice. papers.h
 * has the papers: S, K, R, E and B.
 */
#ifndef STICTION_TOOLS_REPRODUCE_EXPERIMENT_H
#define STICTION_TOOLS_REPRODUCE_EXPERIMENT_H

#include <stdbool.h>
#include <stddef.h>

/* Where the value of a parameter comes from. */
typedef enum parameter_source {
    PRINTED,   /* in the paper */
    CORRECTED, /* the paper's, with a misprint mended */
    INFERRED,  /* from what the paper's results demand */
    CHOSEN     /* by us: the paper does not say, and nothing demands a value */
} parameter_source;

typedef struct experiment_parameter {
    const char *symbol; /* "F_S" */
    double value;
    const char *unit; /* "N m"; "" where it is a number */
    parameter_source source;
    const char *note; /* where from, or why; NULL: nothing to say */
} experiment_parameter;

/*
 * A quantity that comes out. `ours` is what this project states and the test holds it to; the
 * paper's value is what the verdict compares with.
 */
typedef struct experiment_quantity {
    const char *name; /* "stop angle, Stribeck" */
    const char *unit;
    double ours, tolerance; /* |measured - ours| <= tolerance, or the run fails */
    const char *why;        /* of the tolerance, in short */
    /* the paper: a number and how far off still reads as the same; or, paper NaN, its words */
    double paper, paper_tolerance;
    const char *claim;   /* what the paper says of it in words; NULL: a number, or nothing */
    const char *differs; /* where ours lies outside of the paper's: the reason, in one line */
} experiment_quantity;

/* What a run writes into. */
typedef struct experiment_run experiment_run;

typedef struct experiment {
    const char *id;    /* "S.fig12": the letter of its paper, a dot, what it is there */
    const char *title; /* "The wrist without integral term" */
    const char *shows; /* one sentence on what to see */
    double seconds;    /* it takes about this long */
    const char *page;  /* a page of its own, "models.html"; NULL: in the gallery */
    bool chief;        /* its plots are also written as PNG for documents */
    bool sheet;        /* its plots and tables are also written as one SVG, for documents */
    const experiment_parameter *parameters; /* at least one; symbol NULL ends the list */
    const experiment_quantity *quantities;  /* at least one; name NULL ends the list */
    const char *const *misprints; /* corrected ones, one line each, NULL at the end; or NULL */
    /* Pure: several run at once in threads. */
    void (*run)(const struct experiment *self, experiment_run *run);
} experiment;

/* The value of a parameter of the list above, so that a number is written once. */
double experiment_value(const experiment *self, const char *symbol);

/* The measured value of a quantity; each must be given once. */
void experiment_measure(experiment_run *run, const char *quantity, double value);

/* ---- plots: curves are thinned where there are more points than a page can show ---- */

typedef struct experiment_plot experiment_plot;
typedef struct experiment_curve experiment_curve;

/* Drawn like the paper's; axis labels with units. Texts must outlive the run. */
experiment_plot *experiment_add_plot(experiment_run *run, const char *title, const char *x_label,
                                     const char *y_label);
/* The label is copied. */
experiment_curve *experiment_add_curve(experiment_plot *plot, const char *label);
/* Dots instead of a line. */
experiment_curve *experiment_add_dots(experiment_plot *plot, const char *label);
/* A point that is not finite interrupts a line. */
void experiment_add_point(experiment_curve *curve, double x, double y);
/* Shades a stretch of the x axis; of a plot all have one meaning, the label. */
void experiment_add_band(experiment_plot *plot, double from, double to, const char *label);
/* Plots from here on are shown together, one choice of the experiment at a time. The
 * name is copied. */
void experiment_begin_choice(experiment_run *run, const char *name);
/* The curves of the plot are steps of one quantity: a slider of the choice goes through them. */
void experiment_set_steps(experiment_plot *plot, size_t first);

/* ---- tables, for pages of our own ---- */

typedef struct experiment_table experiment_table;

experiment_table *experiment_add_table(experiment_run *run, const char *title, size_t columns,
                                       const char *const *heads);
/* The next cell, row by row; copied. */
void experiment_add_cell(experiment_table *table, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* All of them; NULL ends the list. */
extern const experiment *const experiments[];

#endif
