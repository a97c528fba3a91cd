/* SPDX-License-Identifier: MIT
 * An experiment of a paper: what it shows, with which parameters, which quantities come out. The
 * files in experiments/ have one or several; the list at the end of this one has all. The table,
 * the gallery and the test are made from it, so nothing is stated twice. papers.h has the papers:
 * S, K, R, E and B.
 */
#ifndef STICTION_TOOLS_REPRODUCE_EXPERIMENT_H
#define STICTION_TOOLS_REPRODUCE_EXPERIMENT_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

/* Where the value of a parameter comes from. */
typedef enum parameter_source {
    PRINTED,   /* in the paper */
    CORRECTED, /* the paper's, with a misprint corrected */
    INFERRED,  /* from the paper's results */
    CHOSEN     /* by us: the paper gives no value */
} parameter_source;

typedef struct experiment_parameter {
    const char *symbol; /* "F_S" */
    double value;
    const char *unit; /* "N m"; "" without a unit */
    parameter_source source;
    const char *note; /* where from, or why; may be NULL */
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

/* Rows of a list of quantities: the paper says nothing; says it in words; prints a number. */
#define OURS(name, unit, ours, tolerance, why)                                                     \
    { name, unit, ours, tolerance, why, (double)NAN, 0, NULL, NULL }
#define CLAIM(name, unit, ours, tolerance, why, claim)                                             \
    { name, unit, ours, tolerance, why, (double)NAN, 0, claim, NULL }
#define NUMBER(name, unit, ours, tolerance, why, paper, paper_tolerance)                           \
    { name, unit, ours, tolerance, why, paper, paper_tolerance, NULL, NULL }
/* The same where ours differs, and why. */
#define CLAIM_DIFFERS(name, unit, ours, tolerance, why, claim, differs)                            \
    { name, unit, ours, tolerance, why, (double)NAN, 0, claim, differs }
#define NUMBER_DIFFERS(name, unit, ours, tolerance, why, paper, paper_tolerance, differs)          \
    { name, unit, ours, tolerance, why, paper, paper_tolerance, NULL, differs }

/* What a run writes into. */
typedef struct experiment_run experiment_run;

typedef struct experiment {
    const char *id;    /* "S.fig12": the letter of its paper, a dot, what it is there */
    const char *title; /* "The wrist without integral term" */
    const char *shows; /* one sentence on what to see */
    double seconds;    /* it takes about this long */
    bool chief;        /* its plots are also written as PNG for documents */
    const experiment_parameter *parameters;
    size_t parameter_count;
    const experiment_quantity *quantities;
    size_t quantity_count;
    const char *const *misprints; /* corrected ones, one line each, NULL at the end; or NULL */
    /* Pure: several run at once in threads. */
    void (*run)(const struct experiment *self, experiment_run *run);
} experiment;

/* The lists NAME_parameters and NAME_quantities and the function run_NAME of an experiment. */
#define PARTS(name)                                                                                \
    .parameters = name##_parameters,                                                               \
    .parameter_count = sizeof name##_parameters / sizeof name##_parameters[0],                     \
    .quantities = name##_quantities,                                                               \
    .quantity_count = sizeof name##_quantities / sizeof name##_quantities[0], .run = run_##name
#define LINES(...)                                                                                 \
    (const char *const[]) {                                                                        \
        __VA_ARGS__, NULL                                                                          \
    }

/* The value of a parameter of the list above, so that a number is written once. */
double param(const experiment *self, const char *symbol);
double param_or(const experiment *self, const char *symbol, double otherwise);

/* The measured value of the next quantity of the list. An experiment that cannot go on returns: the
 * quantities that are left count as failed. */
void measure(experiment_run *run, double value);
/* The same for several. */
#define MEASURE(run, ...)                                                                          \
    measure_all(run, sizeof((const double[]){__VA_ARGS__}) / sizeof(double),                       \
                (const double[]){__VA_ARGS__})
void measure_all(experiment_run *run, size_t count, const double *values);

/* ---- plots: curves are thinned where there are more points than a page can show ---- */

typedef struct experiment_plot experiment_plot;
typedef struct experiment_curve experiment_curve;

/* Drawn like the paper's; axis labels with units. Texts must outlive the run. */
experiment_plot *add_plot(experiment_run *run, const char *title, const char *x_label,
                          const char *y_label);
/* The label is copied. */
experiment_curve *add_curve(experiment_plot *plot, const char *label);
/* Dots instead of a line. */
experiment_curve *add_dots(experiment_plot *plot, const char *label);
/* A point that is not finite interrupts a line; without a curve (NULL) nothing is drawn. */
void add_point(experiment_curve *curve, double x, double y);
/* Shades a stretch of the x axis; of a plot all have one meaning, the label. */
void add_band(experiment_plot *plot, double from, double to, const char *label);

/* ---- tables ---- */

typedef struct experiment_table experiment_table;

experiment_table *add_table(experiment_run *run, const char *title, size_t columns,
                            const char *const *heads);
/* The next cell, row by row; copied. */
void add_cell(experiment_table *table, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* ---- all experiments, in the order of the gallery: a new one is an entry here ---- */

/* clang-format off */
#define EXPERIMENTS(X)                                                                             \
    /* Cisneros et al. */                                                                          \
    X(S_fig3) X(S_fig4) X(S_fig7) X(S_fig8) X(S_fig12) X(S_fig13)                                  \
    /* Kikuuwe et al. 2006 */                                                                      \
    X(K_fig1) X(K_fig5) X(K_fig6) X(K_fig7) X(K_fig8) X(K_fig11) X(K_fig13) X(K_fig14)             \
    X(K_fig16) X(K_fig19)                                                                          \
    /* Kikuuwe and Yamamoto */                                                                     \
    X(R_sim1) X(R_sim2) X(R_sim3)                                                                  \
    /* Dupont et al. */                                                                            \
    X(E_table1) X(E_fig3) X(E_fig4) X(E_fig6) X(E_fig8)                                            \
    /* Drincic and Bernstein */                                                                    \
    X(B_fig3) X(B_fig5) X(B_fig6) X(B_fig7) X(B_fig9) X(B_fig10) X(B_fig11) X(B_fig12)             \
    X(B_fig13) X(B_fig14) X(B_fig15)
/* clang-format on */

#define EXPERIMENT_DECLARED(name) extern const experiment name;
EXPERIMENTS(EXPERIMENT_DECLARED)

#define EXPERIMENT_COUNTED(name) +1
enum { EXPERIMENT_COUNT = 0 EXPERIMENTS(EXPERIMENT_COUNTED) };

extern const experiment *const experiments[EXPERIMENT_COUNT];

#endif
