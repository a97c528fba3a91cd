/* SPDX-License-Identifier: MIT */
/* What a reproduction leaves: a table, results.json, curves as CSV, the gallery, PNGs. */
#ifndef STICTION_TOOLS_REPRODUCE_SHOW_H
#define STICTION_TOOLS_REPRODUCE_SHOW_H

#include "common/table.h"
#include "experiment_run.h"

/* Quantity, ours, the paper's, verdict: a row each. */
void show_table(experiment_run *const *runs, size_t count, table_format format, FILE *out);

/* What the letters of these experiments stand for, a line each paper. */
void show_legend(const experiment *const *shown, size_t count, FILE *out);

/* Writers into a folder that exists. */
typedef bool show_writer(experiment_run *const *runs, size_t count, const char *folder,
                         stiction_error *error);
show_writer show_json, show_curves, show_gallery;
/* Plots of the chief experiments; nothing without gnuplot. */
show_writer show_pngs;

/* "printed", "corrected", ... */
const char *show_source(parameter_source source);
/* What the paper says of a quantity: its number, its words, or "-". */
void show_paper(const experiment_quantity *q, char *text, size_t size);
/* Why ours differs, or "". */
const char *show_reason(const experiment_run *run, size_t quantity);

#endif
