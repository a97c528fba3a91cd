/* SPDX-License-Identifier: MIT
 * What a search looks for: its scenarios and constraints.
 */
#include "sweep/goal.h"

#include <stdlib.h>
#include <string.h>

#include "common/command.h"

void sweep_goal_free(sweep_goal *goal, size_t parameter_count) {
    if (!goal) return;
    for (size_t k = 0; k < goal->scenario_count * parameter_count; k++) free(goal->values[k]);
    for (size_t k = 0; k < goal->constraint_count; k++) sweep_select_free(goal->constraints[k]);
    sweep_select_free(goal->objective);
    free(goal->constraints);
    free(goal->values);
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
                goal->values[run * plan->parameter_count + k] =
                    copy_text(sweep_plan_value(plan, run, k));
    }
    plan->run_count = 0;
    define_scenarios(plan);
}

/* ---- constraints ---- */

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
