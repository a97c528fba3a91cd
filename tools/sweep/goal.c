/* SPDX-License-Identifier: MIT
 * What a search looks for: its scenarios and constraints, and the keys of a sweep file that make
 * it.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "sweep/goal.h"
#include "sweep/sweep_walk.h"

void sweep_goal_free(sweep_goal *goal) {
    if (!goal) return;
    for (size_t k = 0; k < goal->constraint_count; k++) sweep_select_free(goal->constraints[k]);
    sweep_select_free(goal->objective);
    free(goal->constraints);
    free((void *)goal->values);
    free(goal->projects);
    free(goal->searched);
    free(goal->text);
    free(goal);
}

static bool is_searched(const sweep_goal *goal, size_t parameter) {
    for (size_t k = 0; k < goal->searched_count; k++)
        if (goal->searched[k].parameter == parameter) return true;
    return false;
}

/* Also for sweep.json: other scenarios are another search. */
static void define_scenarios(sweep_plan *plan) {
    const sweep_goal *goal = plan->goal;
    json_t *list = json_array();
    for (size_t s = 0; s < goal->scenario_count; s++) {
        json_t *scenario = json_object();
        json_object_set_new(scenario, "project", json_string(plan->projects[goal->projects[s]]));
        for (size_t k = 0; k < plan->parameter_count; k++) {
            const char *value = goal->values[s * plan->parameter_count + k];
            if (value) json_object_set_new(scenario, plan->parameters[k].key, json_string(value));
        }
        json_array_append_new(list, scenario);
    }
    json_object_set_new(plan->definition, "scenarios", list);
}

void sweep_goal_take_scenarios(sweep_plan *plan) {
    sweep_goal *goal = plan->goal;
    goal->scenario_count = plan->run_count;
    goal->projects = allocate(plan->run_count, sizeof *goal->projects);
    goal->values = allocate(plan->run_count * plan->parameter_count, sizeof *goal->values);
    for (size_t run = 0; run < plan->run_count; run++) {
        goal->projects[run] = sweep_plan_project_index(plan, run);
        for (size_t k = 0; k < plan->parameter_count; k++)
            if (!is_searched(goal, k))
                goal->values[run * plan->parameter_count + k] = sweep_plan_value(plan, run, k);
    }
    plan->run_count = 0;
    define_scenarios(plan);
}

typedef struct candidate {
    const sweep_plan *plan;
    const char *const *values;
} candidate;

static const char *value_of(void *user, const char *name) {
    const candidate *c = user;
    size_t alike;
    const size_t k = sweep_plan_find_key(c->plan, name, &alike);
    return k < c->plan->parameter_count ? c->values[k] : NULL;
}

bool sweep_goal_allows(const sweep_plan *plan, const char *const *values, bool *holds,
                       stiction_error *error) {
    candidate c = {plan, values};
    *holds = true;
    for (size_t k = 0; k < plan->goal->constraint_count && *holds; k++)
        if (!sweep_select_holds(plan->goal->constraints[k], value_of, &c, holds, error))
            return false;
    return true;
}

/* ---- the keys of a sweep file ---- */

static void read_goal(sweep_walk *w, const tree_entry *entry, bool maximise) {
    if (!sweep_is_single(w, entry->value, entry->key->text)) return;
    if (w->goal_at) {
        sweep_add_error(w, entry->key->at, "a search has one goal, minimise or maximise");
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
        sweep_add_error(w, node->at, "over '%s' must be worst or mean", node->text);
}

void sweep_read_evaluations(sweep_walk *w, const tree_entry *entry) {
    double wanted = 0;
    w->evaluations_at = entry->value;
    if (sweep_whole(w, entry->value, "evaluations", 1, SWEEP_MOST_EVALUATIONS, &wanted))
        w->evaluations = (size_t)wanted;
}

/* ---- the goal ---- */

/* The keys that are searched; they are not sampled. */
static void take_draws(sweep_walk *w, sweep_goal *goal) {
    goal->searched = allocate(w->draw_count, sizeof *goal->searched);
    for (size_t k = 0; k < w->draw_count; k++) {
        const sweep_draw *draw = &w->draws[k];
        sweep_parameter *p = &w->plan->parameters[draw->parameter];
        const sweep_spot spot = {draw->at.line, draw->at.column};
        if (draw->choices || draw->range.kind == SAMPLING_NORMAL)
            sweep_add_error(w, draw->at,
                            "%s: a search goes over {uniform: [a, b]} and {loguniform: "
                            "[a, b]}, not over %s",
                            p->key, draw->word);
        p->spot = spot;
        goal->searched[goal->searched_count++] = (sweep_searched){draw->parameter, draw->range};
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

/* Conditions over searched keys are evaluated during the search. */
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

/* Everything that decides the course of a search except its scenarios. */
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
        sweep_add_error(w, w->goal_at->at,
                        "nothing is searched: no key of set has {uniform: [a, b]} "
                        "or {loguniform: [a, b]}");
    if (sampled)
        sweep_add_error(w, sampled->at,
                        "a search draws no samples; how long it goes on is "
                        "evaluations: N");
    take_draws(w, goal);
    if (!w->fine) return;
    take_constraints(w, goal);
    w->plan->definition = define(w, goal);
}
