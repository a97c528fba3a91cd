/* SPDX-License-Identifier: MIT */
/* What a reproduction leaves: a table, results.json, curves as CSV, the pages, PNGs, sheets. */
#ifndef STICTION_TOOLS_REPRODUCE_SHOW_H
#define STICTION_TOOLS_REPRODUCE_SHOW_H

#include "common/table.h"
#include "experiment_run.h"

/* Quantity, ours, the paper's, verdict: a row each. */
void show_table(experiment_run *const *runs, size_t count, table_format format, FILE *out);

/* What the letters of these experiments stand for, a line each paper. */
void show_legend(const experiment *const *shown, size_t count, FILE *out);

/* All of these write into a folder that exists. Returns false after an error on stderr. */
bool show_json(experiment_run *const *runs, size_t count, const char *folder);
bool show_curves(experiment_run *const *runs, size_t count, const char *folder);
bool show_pages(experiment_run *const *runs, size_t count, const char *folder);
/* Of the chief experiments; without gnuplot a line says so, which is not an error. */
bool show_pngs(experiment_run *const *runs, size_t count, const char *folder);
/* Title, plots and tables of those that have a sheet, each as one SVG: sheets/ID.svg. */
bool show_sheets(experiment_run *const *runs, size_t count, const char *folder);

/* "printed", "corrected", ... */
const char *show_source(parameter_source source);
/* What the paper says of a quantity: its number, its words, or "-". */
void show_paper(const experiment_quantity *q, char *text, size_t size);
/* Why ours differs, or "". */
const char *show_reason(const experiment_run *run, size_t quantity);

#endif
