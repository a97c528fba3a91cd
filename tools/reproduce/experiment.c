/* SPDX-License-Identifier: MIT
 * Recording an experiment: measured quantities, curves, tables.
 */
#include "experiment.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "experiment_run.h"

double param_or(const experiment *self, const char *symbol, double otherwise) {
    for (size_t k = 0; k < self->parameter_count; k++)
        if (strcmp(self->parameters[k].symbol, symbol) == 0) return self->parameters[k].value;
    return otherwise;
}

double param(const experiment *self, const char *symbol) {
    return param_or(self, symbol, (double)NAN); /* NaN spoils every result that it reaches */
}

/* ---- what a run writes ---- */

void measure(experiment_run *run, double value) {
    if (run->measured_count < run->of->quantity_count) run->measured[run->measured_count] = value;
    run->measured_count++;
}

void measure_all(experiment_run *run, size_t count, const double *values) {
    for (size_t k = 0; k < count; k++) measure(run, values[k]);
}

experiment_plot *add_plot(experiment_run *run, const char *title, const char *x_label,
                          const char *y_label) {
    experiment_plot *p = allocate(1, sizeof *p);
    *p = (experiment_plot){.title = title, .x_label = x_label, .y_label = y_label};
    run->plots = reallocate(run->plots, run->plot_count + 1, sizeof *run->plots);
    return run->plots[run->plot_count++] = p;
}

experiment_curve *add_curve(experiment_plot *p, const char *label) {
    experiment_curve *c = allocate(1, sizeof *c);
    *c = (experiment_curve){.label = copy_text(label)};
    p->curves = reallocate(p->curves, p->curve_count + 1, sizeof *p->curves);
    return p->curves[p->curve_count++] = c;
}

experiment_curve *add_dots(experiment_plot *p, const char *label) {
    experiment_curve *c = add_curve(p, label);
    c->dots = true;
    return c;
}

void add_point(experiment_curve *c, double x, double y) {
    if (!c) return;
    if (c->count == c->capacity) {
        c->capacity = c->capacity ? 2 * c->capacity : 256;
        c->x = reallocate(c->x, c->capacity, sizeof *c->x);
        c->y = reallocate(c->y, c->capacity, sizeof *c->y);
    }
    c->x[c->count] = x;
    c->y[c->count++] = y;
}

void add_band(experiment_plot *p, double from, double to, const char *label) {
    p->bands = reallocate(p->bands, p->band_count + 1, sizeof *p->bands);
    p->bands[p->band_count++] = (plot_band){from, to};
    p->band_label = label;
}

experiment_table *add_table(experiment_run *run, const char *title, size_t columns,
                            const char *const *heads) {
    experiment_table *t = allocate(1, sizeof *t);
    *t = (experiment_table){.title = title, .columns = columns, .heads = heads};
    run->tables = reallocate(run->tables, run->table_count + 1, sizeof *run->tables);
    return run->tables[run->table_count++] = t;
}

void add_cell(experiment_table *t, const char *format, ...) {
    char text[200];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    t->cells = reallocate(t->cells, t->cell_count + 1, sizeof *t->cells);
    t->cells[t->cell_count++] = copy_text(text);
}

/* ---- a run ---- */

experiment_run *experiment_perform(const experiment *of) {
    experiment_run *run = allocate(1, sizeof *run);
    run->of = of;
    run->measured = allocate(run->of->quantity_count, sizeof *run->measured);
    for (size_t k = 0; k < run->of->quantity_count; k++) run->measured[k] = (double)NAN;
    const double started = monotonic_seconds();
    of->run(of, run);
    run->seconds = monotonic_seconds() - started;
    return run;
}

static void destroy_plot(experiment_plot *p) {
    for (size_t k = 0; k < p->curve_count; k++) {
        free(p->curves[k]->label);
        free(p->curves[k]->x);
        free(p->curves[k]->y);
        free(p->curves[k]);
    }
    free(p->curves);
    free(p->bands);
    free(p);
}

static void destroy_table(experiment_table *t) {
    for (size_t k = 0; k < t->cell_count; k++) free(t->cells[k]);
    free(t->cells);
    free(t);
}

void experiment_run_destroy(experiment_run *run) {
    if (!run) return;
    for (size_t k = 0; k < run->plot_count; k++) destroy_plot(run->plots[k]);
    for (size_t k = 0; k < run->table_count; k++) destroy_table(run->tables[k]);
    free(run->plots);
    free(run->tables);
    free(run->measured);
    free(run);
}

/* ---- verdicts ---- */

const char *experiment_verdict_name(experiment_verdict verdict) {
    static const char *const names[] = {"reproduced", "text claim holds", "our own", "differs",
                                        "FAILED"};
    return names[verdict];
}

experiment_verdict experiment_judge(const experiment_run *run, size_t quantity) {
    const experiment_quantity *q = &run->of->quantities[quantity];
    const double measured = run->measured[quantity];
    if (!(fabs(measured - q->ours) <= q->tolerance)) return VERDICT_FAILED;
    if (!isnan(q->paper))
        return fabs(measured - q->paper) <= q->paper_tolerance ? VERDICT_REPRODUCED
                                                               : VERDICT_DIFFERS;
    return q->differs ? VERDICT_DIFFERS : q->claim ? VERDICT_CLAIM : VERDICT_OURS;
}

bool experiment_holds(const experiment_run *run) {
    if (run->measured_count != run->of->quantity_count) return false;
    for (size_t k = 0; k < run->of->quantity_count; k++)
        if (experiment_judge(run, k) == VERDICT_FAILED) return false;
    return true;
}

plot experiment_plot_view(const experiment_plot *p, plot_series *series) {
    for (size_t k = 0; k < p->curve_count; k++)
        series[k] = (plot_series){.label = p->curves[k]->label,
                                  .x = p->curves[k]->x,
                                  .y = p->curves[k]->y,
                                  .count = p->curves[k]->count,
                                  .points = p->curves[k]->dots};
    return (plot){.title = p->title,
                  .x_label = p->x_label,
                  .y_label = p->y_label,
                  .series = series,
                  .count = p->curve_count,
                  .bands = p->bands,
                  .band_count = p->band_count,
                  .band_label = p->band_label};
}
