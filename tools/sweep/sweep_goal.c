/* SPDX-License-Identifier: MIT
 * The keys of a sweep file that make it a search.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "sweep/goal.h"
#include "sweep/sweep_walk.h"

static void read_goal(sweep_walk *w, const tree_entry *entry, bool maximise) {
    if (!sweep_is_single(w, entry->value, entry->key->text)) return;
    if (w->goal_at) {
        sweep_mistake(w, entry->key->at, "a search has one goal, minimise or maximise");
        return;
    }
    w->goal_at = entry->value;
    w->maximise = maximise;
}

void sweep_read_minimise(sweep_walk *w, const tree_entry *entry) {
    read_goal(w, entry, false);
}

void sweep_read_maximise(sweep_walk *w, const tree_entry *entry) {
    read_goal(w, entry, true);
}

void sweep_read_over(sweep_walk *w, const tree_entry *entry) {
    const tree_node *node = entry->value;
    if (!sweep_is_single(w, node, "over")) return;
    w->over_at = node;
    w->mean = strcmp(node->text, "mean") == 0;
    if (!w->mean && strcmp(node->text, "worst") != 0)
        sweep_mistake(w, node->at, "over '%s' must be worst or mean", node->text);
}

void sweep_read_evaluations(sweep_walk *w, const tree_entry *entry) {
    double wanted = 0;
    w->evaluations_at = entry->value;
    if (sweep_whole(w, entry->value, "evaluations", 1, SWEEP_MOST_EVALUATIONS, &wanted))
        w->evaluations = (size_t)wanted;
}

/* ---- the goal ---- */

/* What is searched, and no sample of it. */
static void take_draws(sweep_walk *w, sweep_goal *goal) {
    goal->searched = allocate(w->draw_count, sizeof *goal->searched);
    for (size_t k = 0; k < w->draw_count; k++) {
        const sweep_draw *draw = &w->draws[k];
        sweep_parameter *p = &w->plan->parameters[draw->parameter];
        const sweep_spot spot = {draw->at.line, draw->at.column};
        if (draw->choices || draw->range.kind == SAMPLING_NORMAL)
            sweep_mistake(w, draw->at,
                          "%s: a search goes over {uniform: [a, b]} and {loguniform: "
                          "[a, b]}, not over %s",
                          p->key, draw->word);
        p->spot = spot;
        goal->searched[goal->searched_count++] =
            (sweep_searched){draw->parameter, draw->range, spot};
    }
    if (w->draw_count) w->factors[w->draw_factor].row_count = 1;
}

static bool names_searched(const sweep_walk *w, const sweep_select *c) {
    for (size_t k = 0; k < sweep_select_name_count(c); k++) {
        size_t alike;
        const size_t key = sweep_plan_find_key(w->plan, sweep_select_name(c, k), &alike);
        for (size_t n = 0; n < w->draw_count; n++)
            if (w->draws[n].parameter == key) return true;
    }
    return false;
}

/* Conditions over what is searched cannot be asked before it is. */
static void take_constraints(sweep_walk *w, sweep_goal *goal) {
    goal->constraints = allocate(w->where_count, sizeof *goal->constraints);
    for (size_t k = 0; k < w->where_count; k++)
        if (names_searched(w, w->wheres[k].select)) {
            goal->constraints[goal->constraint_count++] = w->wheres[k].select;
            w->wheres[k].select = NULL;
        }
}

static json_t *range_json(const sampling_range *range) {
    char text[80];
    (void)snprintf(text, sizeof text, "{%s: [%.17g, %.17g]}",
                   range->kind == SAMPLING_LOGUNIFORM ? "loguniform" : "uniform", range->first,
                   range->second);
    return json_string(text);
}

/* All that decides what a search does, but for its scenarios. */
static json_t *define(const sweep_walk *w, const sweep_goal *goal) {
    json_t *over = json_object(), *where = json_array();
    for (size_t k = 0; k < goal->searched_count; k++)
        json_object_set_new(over, w->plan->parameters[goal->searched[k].parameter].key,
                            range_json(&goal->searched[k].range));
    for (size_t k = 0; k < w->where_count; k++)
        json_array_append_new(where, json_string(w->wheres[k].node->text));
    return json_pack("{s:s, s:s, s:I, s:I, s:o, s:o}", goal->maximise ? "maximise" : "minimise",
                     goal->text, "over", goal->mean ? "mean" : "worst", "evaluations",
                     (json_int_t)goal->evaluations, "seed", (json_int_t)goal->seed, "ranges", over,
                     "where", where);
}

void sweep_make_goal(sweep_walk *w) {
    sweep_goal *goal = w->plan->goal = allocate(1, sizeof *goal);
    const tree_node *sampled = w->samples_at ? w->samples_at : w->method_at;
    goal->text = copy_text(w->goal_at->text);
    goal->objective = sweep_read_select(w, w->goal_at);
    goal->maximise = w->maximise;
    goal->mean = w->mean;
    goal->seed = w->seed;
    goal->spot = (sweep_spot){w->goal_at->at.line, w->goal_at->at.column};
    goal->evaluations = w->evaluations ? w->evaluations : 40 * (w->draw_count + 1);
    if (!w->draw_count)
        sweep_mistake(w, w->goal_at->at,
                      "nothing is searched: no key of set has {uniform: [a, b]} "
                      "or {loguniform: [a, b]}");
    if (sampled)
        sweep_mistake(w, sampled->at,
                      "a search draws no samples; how long it goes on is "
                      "evaluations: N");
    take_draws(w, goal);
    if (!w->fine) return;
    take_constraints(w, goal);
    w->plan->definition = define(w, goal);
}
