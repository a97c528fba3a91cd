/* SPDX-License-Identifier: MIT
 * The state of the reader of a sweep file, for sweep_file.c, sweep_values.c, sweep_runs.c and
 * goal.c.
 */
#ifndef STICTION_TOOLS_SWEEP_SWEEP_WALK_H
#define STICTION_TOOLS_SWEEP_SWEEP_WALK_H

#include "document/yaml_tree.h"
#include "sweep/sampling.h"
#include "sweep/select.h"
#include "sweep/sweep_file.h"

/* Keys whose values go together; every combination of rows of all factors would be a run. */
typedef struct sweep_factor {
    size_t *keys; /* parameters of the plan */
    size_t key_count;
    size_t row_count;
    uint32_t *rows; /* places of values, key_count a row; NULL: one key, whose values they are */
} sweep_factor;

/* A key that is drawn, or searched. */
typedef struct sweep_draw {
    size_t parameter;
    sampling_range range;
    char **choices; /* NULL: it is a number */
    size_t choice_count;
    stiction_place at;
    const char *word; /* "uniform" */
} sweep_draw;

typedef struct sweep_where {
    sweep_select *select; /* NULL: a goal has taken it */
    const tree_node *node;
} sweep_where;

/* What a file of a few lines may ask for, so that it does not take all memory: numbers of sequences
 * and samples, and cells of the table of runs. */
enum { SWEEP_MOST_NUMBERS = 4000000, SWEEP_MOST_CELLS = 50000000 };

typedef struct sweep_walk {
    const char *path;
    const sweep_rules *rules;
    sweep_plan *plan;
    stiction_errors *errors;
    bool fine;
    bool others_known, others; /* whether a project has controllers of other authors */
    size_t numbers;            /* made so far */
    sweep_factor *factors;
    size_t factor_count;
    sweep_draw *draws;
    size_t draw_count;
    size_t draw_factor;            /* the factor that the first of them made */
    const tree_entry *repetitions; /* NULL: there are none */
    sweep_where *wheres;
    size_t where_count;
    /* sampling: the nodes that gave it; NULL: nothing did */
    const tree_node *method_at, *samples_at, *seed_at;
    sampling_method method;
    size_t samples;
    uint64_t seed;
    /* a search */
    const tree_node *goal_at, *over_at, *evaluations_at;
    bool maximise, mean;
    size_t evaluations;
    const tree_node *works_at, *edge_at;
} sweep_walk;

__attribute__((format(printf, 3, 4))) void sweep_add_error(sweep_walk *w, stiction_place at,
                                                           const char *format, ...);

/* Whether a node is one value; else an error that names `what`. */
bool sweep_is_single(sweep_walk *w, const tree_node *node, const char *what);
/* Counts numbers that are made; false after an error if there are too many. */
bool sweep_may_make(sweep_walk *w, stiction_place at, size_t count);
/* A whole number of a range. False after an error. */
bool sweep_whole(sweep_walk *w, const tree_node *node, const char *what, double least, double most,
                 double *value);

/* ---- sweep_values.c: keys and their values ---- */

void sweep_read_set(sweep_walk *w, const tree_entry *entry);
/* One key with its values. */
void sweep_read_parameter(sweep_walk *w, const tree_entry *entry);
void sweep_read_zip(sweep_walk *w, const tree_entry *entry);
void sweep_read_repetitions(sweep_walk *w, const tree_entry *entry);

/* ---- sweep_runs.c: which combinations are runs ---- */

void sweep_read_where(sweep_walk *w, const tree_entry *entry);
/* After all keys: samples, products, conditions. */
void sweep_make_runs(sweep_walk *w);
/* An SQL expression; its errors have the columns of the file. NULL after an error. */
sweep_select *sweep_read_select(sweep_walk *w, const tree_node *node);

/* ---- goal.c: searches ---- */

void sweep_read_minimise(sweep_walk *w, const tree_entry *entry);
void sweep_read_maximise(sweep_walk *w, const tree_entry *entry);
void sweep_read_over(sweep_walk *w, const tree_entry *entry);
void sweep_read_evaluations(sweep_walk *w, const tree_entry *entry);
/* The goal of the plan; its scenarios are made afterwards. */
void sweep_make_goal(sweep_walk *w);

#endif
