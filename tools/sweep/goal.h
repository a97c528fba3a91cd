/* SPDX-License-Identifier: MIT
 * The goal of a search: the best value of a figure over ranges of keys. Every evaluation is a
 * run of each scenario: a project with the settings that are not searched.
 */
#ifndef STICTION_TOOLS_SWEEP_GOAL_H
#define STICTION_TOOLS_SWEEP_GOAL_H

#include "sweep/plan.h"
#include "sweep/sampling.h"
#include "sweep/select.h"

/* More evaluations are an error: NLopt's algorithms here are for far fewer. */
enum { SWEEP_MOST_EVALUATIONS = 10000 };

/* A key that is searched: uniform or logarithmic. */
typedef struct sweep_searched {
    size_t parameter;
    sampling_range range;
} sweep_searched;

typedef struct sweep_goal {
    char *text; /* "RWRR.rms_error" */
    sweep_select *objective;
    bool maximise, mean; /* the largest, else the smallest; of scenarios the mean, else the worst */
    size_t evaluations;
    uint64_t seed;
    sweep_searched *searched;
    size_t searched_count;
    size_t scenario_count;
    size_t *projects;           /* of each scenario, */
    const char **values;        /* and its value of every key, the plan's; NULL: it is searched */
    sweep_select **constraints; /* over keys that are searched: without them nothing is run */
    size_t constraint_count;
    sweep_spot spot; /* of the objective in the file */
} sweep_goal;

void sweep_goal_free(sweep_goal *goal); /* NULL is fine */

/* The runs of a plan become the scenarios of its goal; afterwards the plan has no runs. */
void sweep_goal_take_scenarios(sweep_plan *plan);

/* Whether all constraints hold for values of all keys. False with *error: one cannot be evaluated.
 */
bool sweep_goal_allows(const sweep_plan *plan, const char *const *values, bool *holds,
                       stiction_error *error);

#endif
