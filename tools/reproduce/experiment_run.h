/* SPDX-License-Identifier: MIT */
/* What an experiment came to: for those who show it. */
#ifndef STICTION_TOOLS_REPRODUCE_EXPERIMENT_RUN_H
#define STICTION_TOOLS_REPRODUCE_EXPERIMENT_RUN_H

#include "experiment.h"
#include "plot/plot.h"

struct experiment_curve {
    char *label;
    bool dots;
    double *x, *y;
    size_t count, capacity;
};

struct experiment_plot {
    const char *title, *x_label, *y_label;
    experiment_curve **curves;
    size_t curve_count;
    plot_band *bands;
    size_t band_count;
    const char *band_label;
};

struct experiment_table {
    const char *title;
    size_t columns;
    const char *const *heads;
    char **cells;
    size_t cell_count;
};

typedef enum experiment_verdict {
    VERDICT_REPRODUCED, /* within the paper's tolerance of the paper's number */
    VERDICT_CLAIM,      /* the paper says it in words, and it holds */
    VERDICT_OURS,       /* the paper says nothing: our own number */
    VERDICT_DIFFERS,    /* from the paper's, for a reason that is given */
    VERDICT_FAILED      /* from our own stated number: something broke */
} experiment_verdict;

const char *experiment_verdict_name(experiment_verdict verdict);

struct experiment_run {
    const experiment *of;
    double *measured; /* one per quantity; NaN: not measured */
    size_t measured_count;
    experiment_plot **plots;
    size_t plot_count;
    experiment_table **tables;
    size_t table_count;
    double seconds; /* that it took */
};

experiment_run *experiment_perform(const experiment *of);
void experiment_run_destroy(experiment_run *run);

experiment_verdict experiment_judge(const experiment_run *run, size_t quantity);
/* Whether no quantity failed. */
bool experiment_holds(const experiment_run *run);

/* A plot of the run as those who draw take it; `series` has room for its curves. */
plot experiment_plot_view(const experiment_plot *p, plot_series *series);

#endif
