/* SPDX-License-Identifier: MIT
 * The runs of a sweep file: samples of drawn keys, zipped rows, and all combinations that satisfy
 * the conditions.
 */
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "sweep/goal.h"
#include "sweep/sweep_walk.h"

/* ---- samples ---- */

/* A point just below 1 times their number may round to it. */
static const char *choose(const sweep_draw *draw, double point) {
    const size_t at = (size_t)(point * (double)draw->choice_count);
    return draw->choices[at < draw->choice_count ? at : draw->choice_count - 1];
}

/* The values of a key: one a sample, added to its list; their places in it. */
static void draw_values(sweep_walk *w, const sweep_draw *draw, size_t dimension, uint32_t *rows,
                        size_t stride) {
    sweep_parameter *p = &w->plan->parameters[draw->parameter];
    const sweep_spot spot = {draw->at.line, draw->at.column};
    AUTO_FREE double *points = allocate(w->samples, sizeof *points);
    sampling_fill(&(sampling_axis){w->method, w->seed, p->key, dimension}, points, w->samples);
    if (!draw->choices) sampling_values(&draw->range, points, w->samples);
    for (size_t k = 0; k < w->samples; k++) {
        char text[SAMPLING_TEXT_SIZE];
        const char *value = text;
        if (draw->choices)
            value = choose(draw, points[k]);
        else
            sampling_text(points[k], &draw->range, text);
        rows[k * stride] = (uint32_t)sweep_parameter_add(p, value, spot);
    }
}

/* Draws samples of all drawn keys. False after an error. */
static bool draw_samples(sweep_walk *w) {
    const tree_node *given = w->samples_at ? w->samples_at : w->method_at;
    if (!w->draw_count) {
        if (given)
            sweep_add_error(w, given->at,
                            "nothing is drawn: no key of set has {uniform: [a, b]}, "
                            "{loguniform: [a, b]}, {normal: [mean, deviation]} or "
                            "{choice: [a, b]}");
        return !given;
    }
    for (size_t k = 0; k < w->draw_count; k++)
        if (strcmp(w->draws[k].word, "range") == 0) {
            sweep_add_error(w, w->draws[k].at,
                            "%s: a range needs a step, as [first, last, step]; only "
                            "a search (minimise) goes without",
                            w->plan->parameters[w->draws[k].parameter].key);
            return false;
        }
    if (!w->samples_at) {
        sweep_add_error(w, w->draws[0].at,
                        "%s: this is drawn, and the number of samples is missing; give "
                        "sampling: {method: latin, samples: 100, seed: 1}",
                        w->plan->parameters[w->draws[0].parameter].key);
        return false;
    }
    if (w->method == SAMPLING_SOBOL && w->draw_count > SAMPLING_DIMENSIONS) {
        sweep_add_error(w, w->draws[SAMPLING_DIMENSIONS].at,
                        "sobol has %d dimensions here, for as "
                        "many keys; latin has any number",
                        SAMPLING_DIMENSIONS);
        return false;
    }
    for (size_t k = 0; k < w->draw_count; k++)
        if (!sweep_may_make(w, w->draws[k].at, w->samples)) return false;
    sweep_factor *f = &w->factors[w->draw_factor];
    f->row_count = w->samples;
    f->rows = allocate(w->samples * w->draw_count, sizeof *f->rows);
    for (size_t k = 0; k < w->draw_count; k++)
        draw_values(w, &w->draws[k], k, f->rows + k, w->draw_count);
    return true;
}

/* ---- conditions ---- */

/* The place of a column of a text; its start if the text has escapes. */
static stiction_place place_in(const tree_node *node, size_t column) {
    stiction_place at = node->at;
    if (node->plain) at.column += (int)column - 1;
    return at;
}

sweep_select *sweep_read_select(sweep_walk *w, const tree_node *node) {
    stiction_error error;
    sweep_select *s = sweep_select_read(node->text, &error);
    if (!s)
        sweep_add_error(w, place_in(node, error.column ? (size_t)error.column : 1), "'%s': %s",
                        node->text, error.message);
    return s;
}

/* Each name must be a key of the sweep. */
static bool check_names(sweep_walk *w, const sweep_select *c, const tree_node *node) {
    const sweep_plan *plan = w->plan;
    bool fine = true;
    for (size_t k = 0; k < sweep_select_name_count(c); k++) {
        const char *name = sweep_select_name(c, k);
        const stiction_place at = place_in(node, sweep_select_name_column(c, k));
        size_t alike;
        if (strcmp(name, "project") == 0 || sweep_select_may_be_text(c, k)) continue;
        if (sweep_plan_find_key(plan, name, &alike) < plan->parameter_count) continue;
        fine = false;
        if (alike) {
            sweep_add_error(w, at, "'%s' may be any of %zu keys; write more of it, up to all", name,
                            alike);
            continue;
        }
        AUTO_FREE const char **keys = allocate(plan->parameter_count, sizeof *keys);
        for (size_t n = 0; n < plan->parameter_count; n++) keys[n] = sweep_plan_short_key(plan, n);
        char hint[NAME_HINT_SIZE];
        sweep_add_error(w, at,
                        "nothing in set or zip is called '%s', so that no run has a value of "
                        "it here%s",
                        name, stiction_name_hint(name, keys, plan->parameter_count, hint));
    }
    return fine;
}

static void read_one_where(sweep_walk *w, const tree_node *node) {
    if (!sweep_is_single(w, node, "where")) return;
    sweep_select *c = sweep_read_select(w, node);
    if (!c) return;
    w->wheres = reallocate(w->wheres, w->where_count + 1, sizeof *w->wheres);
    w->wheres[w->where_count++] = (sweep_where){c, node};
}

void sweep_read_where(sweep_walk *w, const tree_entry *entry) {
    const tree_node *node = entry->value;
    if (node->kind != TREE_LIST) {
        read_one_where(w, node);
        return;
    }
    if (node->count == 0) sweep_add_error(w, node->at, "where has no condition");
    for (const tree_entry *e = node->first; e; e = e->next) read_one_where(w, e->value);
}

/* ---- combinations ---- */

typedef struct candidate {
    const sweep_plan *plan;
    const uint32_t *row;
} candidate;

static const char *setting_of(void *user, const char *name) {
    const candidate *c = user;
    size_t alike;
    const size_t k = sweep_plan_find_key(c->plan, name, &alike);
    if (k < c->plan->parameter_count) return c->plan->parameters[k].values[c->row[k + 1]];
    return strcmp(name, "project") == 0 ? c->plan->projects[c->row[0]] : NULL;
}

/* Whether all conditions hold; false also after an error. */
static bool is_wanted(sweep_walk *w, const uint32_t *row) {
    candidate c = {w->plan, row};
    bool holds = true;
    for (size_t k = 0; k < w->where_count && holds; k++) {
        stiction_error error;
        if (!w->wheres[k].select) continue; /* over what is searched */
        if (!sweep_select_holds(w->wheres[k].select, setting_of, &c, &holds, &error))
            sweep_add_error(w, w->wheres[k].node->at, "%s", error.message);
    }
    return holds;
}

/* Stops at the limit, so that the product cannot overflow. */
static size_t count_combinations(const sweep_walk *w) {
    size_t count = w->plan->project_count;
    for (size_t k = 0; k < w->factor_count && count <= SWEEP_MOST_RUNS; k++)
        count *= w->factors[k].row_count;
    return count;
}

/* The row of a combination: the last factor is the fastest. */
static void fill_row(const sweep_walk *w, size_t number, uint32_t *row) {
    for (size_t k = w->factor_count; k-- > 0;) {
        const sweep_factor *f = &w->factors[k];
        const size_t at = number % f->row_count;
        number /= f->row_count;
        for (size_t n = 0; n < f->key_count; n++) /* a key that is searched has no value yet */
            row[f->keys[n] + 1] = f->rows ? f->rows[at * f->key_count + n] : (uint32_t)at;
    }
    row[0] = (uint32_t)number;
}

/* Column `k` of the table without the numbers that no run has: returns the old number of each new
 * one, `*count` of them. The caller frees it. */
static size_t *renumber(sweep_plan *plan, size_t k, size_t *count) {
    const size_t width = plan->parameter_count + 1;
    AUTO_FREE uint32_t *now = allocate(*count, sizeof *now);
    size_t *before = allocate(*count, sizeof *before), used = 0;
    for (size_t run = 0; run < plan->run_count; run++) now[plan->table[run * width + k]] = 1;
    for (size_t n = 0; n < *count; n++) {
        if (!now[n]) continue;
        now[n] = (uint32_t)used;
        before[used++] = n;
    }
    for (size_t run = 0; run < plan->run_count; run++) {
        uint32_t *at = &plan->table[run * width + k];
        *at = now[*at];
    }
    *count = used;
    return before;
}

/* Removes values and projects that no run has. */
static void prune(sweep_plan *plan) {
    const size_t all = plan->project_count;
    size_t *before = renumber(plan, 0, &plan->project_count);
    for (size_t n = 0, next = 0; n < all; n++)
        if (next < plan->project_count && before[next] == n)
            plan->projects[next++] = plan->projects[n];
        else
            free(plan->projects[n]);
    free(before);
    for (size_t k = 0; k < plan->parameter_count; k++) {
        sweep_parameter *p = &plan->parameters[k];
        const size_t values = p->count;
        if (values == 0) continue; /* it is searched */
        before = renumber(plan, k + 1, &p->count);
        for (size_t n = 0, next = 0; n < values; n++)
            if (next < p->count && before[next] == n) {
                p->spots[next] = p->spots[n];
                p->values[next++] = p->values[n];
            } else {
                free(p->values[n]);
            }
        free(before);
        free(p->slots); /* they have the old numbers */
        p->slots = NULL;
        p->slot_count = 0;
    }
}

static void make_table(sweep_walk *w, size_t count) {
    sweep_plan *plan = w->plan;
    AUTO_FREE uint32_t *row = allocate(plan->parameter_count + 1, sizeof *row);
    for (size_t k = 0; k < count && w->fine; k++) {
        fill_row(w, k, row);
        if (is_wanted(w, row))
            memcpy(sweep_plan_add_row(plan), row, (plan->parameter_count + 1) * sizeof *row);
    }
    if (!w->fine) return;
    if (plan->run_count == 0) {
        sweep_add_error(w, w->wheres[0].node->at, "where holds for none of %zu combination%s",
                        count, count == 1 ? "" : "s");
        return;
    }
    prune(plan);
}

static bool is_grid(const sweep_walk *w) {
    bool grid = !w->where_count;
    for (size_t k = 0; k < w->factor_count; k++) grid = grid && !w->factors[k].rows;
    return grid;
}

void sweep_make_runs(sweep_walk *w) {
    bool fine = w->fine;
    for (size_t k = 0; k < w->where_count; k++)
        fine = check_names(w, w->wheres[k].select, w->wheres[k].node) && fine;
    if (w->goal_at)
        sweep_make_goal(w);
    else
        fine = draw_samples(w) && fine;
    if (!fine || !w->fine) return;
    const size_t count = count_combinations(w);
    const stiction_place start = {w->path, 1, 1};
    if (count > SWEEP_MOST_RUNS)
        sweep_add_error(w, start, "the grid has more than %d runs", SWEEP_MOST_RUNS);
    else if (w->goal_at || !is_grid(w)) {
        if (count > SWEEP_MOST_CELLS / (w->plan->parameter_count + 1))
            sweep_add_error(w, start, "the runs have more than %d settings together",
                            SWEEP_MOST_CELLS);
        else
            make_table(w, count);
    }
    if (!w->goal_at || !w->fine) return;
    sweep_goal_take_scenarios(w->plan);
    if (w->plan->goal->scenario_count > SWEEP_MOST_RUNS / w->plan->goal->evaluations)
        sweep_add_error(w, w->goal_at->at, "%zu evaluations of %zu scenarios are more than %d runs",
                        w->plan->goal->evaluations, w->plan->goal->scenario_count, SWEEP_MOST_RUNS);
}
