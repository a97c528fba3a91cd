/* SPDX-License-Identifier: MIT
 * The value of a search's goal in one run.
 */
#include "sweep/objective.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "common/options.h"
#include "sweep/figure_names.h"
#include "sweep/goal.h"

typedef struct lookup {
    const sweep_plan *plan;
    size_t run;
    const record_joint *joints;
    size_t count;
    char text[32]; /* of the last figure */
    bool found;
    double *value;
} lookup;

/* The index of a figure of a joint or a body; SIZE_MAX: none has this name. */
static size_t figure_index(const char *name, bool of_body) {
    const joint_figure *wanted = of_body ? sweep_body_figure_find(name) : joint_figure_find(name);
    const joint_figure *f;
    for (size_t k = 0; wanted && (f = of_body ? body_figure_at(k) : joint_figure_at(k)); k++)
        if (f == wanted) return k;
    return SIZE_MAX;
}

static bool figure_of(const lookup *l, const char *name, double *value) {
    const char *point = strrchr(name, '.');
    for (size_t k = 0; point && k < l->count; k++) {
        const record_joint *j = &l->joints[k];
        const size_t figure = figure_index(point + 1, j->is_body);
        if (figure == SIZE_MAX || strlen(j->name) != (size_t)(point - name) ||
            strncmp(j->name, name, (size_t)(point - name)) != 0)
            continue;
        *value = j->figures[figure];
        return true;
    }
    return false;
}

/* Of all joints that have it. */
static bool figure_of_all(const lookup *l, const char *name, double *value) {
    const size_t figure = figure_index(name, false);
    if (figure == SIZE_MAX) return false;
    const bool sum = joint_figure_at(figure)->total == FIGURE_SUM;
    *value = (double)NAN;
    for (size_t k = 0; k < l->count; k++) {
        const double one = l->joints[k].is_body ? (double)NAN : l->joints[k].figures[figure];
        if (isnan(one)) continue;
        if (isnan(*value))
            *value = sum ? one : fabs(one);
        else
            *value = sum ? *value + one : fmax(*value, fabs(one));
    }
    return true;
}

static const char *value_of(void *user, const char *name) {
    lookup *l = user;
    size_t alike;
    double value;
    if (figure_of(l, name, &value) || figure_of_all(l, name, &value)) {
        (void)snprintf(l->text, sizeof l->text, "%.17g", value);
        return isnan(value) ? "" : l->text;
    }
    const size_t key = sweep_plan_find_key(l->plan, name, &alike);
    return key < l->plan->parameter_count ? sweep_plan_value(l->plan, l->run, key) : NULL;
}

/* Every figure by both of its names, "JOINT." before it where `joint` is given. */
static void add_names(text_list *names, const char *joint, bool of_body) {
    const joint_figure *f;
    for (size_t n = 0; (f = of_body ? body_figure_at(n) : joint_figure_at(n)) != NULL; n++)
        for (int alias = 0; alias < (f->alias ? 2 : 1); alias++)
            text_list_add(names, format_text("%s%s%s", joint ? joint : "", joint ? "." : "",
                                             alias ? f->alias : f->name));
}

/* Frees the names. */
static bool fail_unknown(const sweep_plan *plan, const char *name, text_list *names,
                         stiction_error *error) {
    char hint[NAME_HINT_SIZE];
    const stiction_place at = {plan->path, plan->goal->spot.line, plan->goal->spot.column};
    (void)stiction_fail_at(error, STICTION_INVALID_CONFIG, at, "there is no figure '%s'%s", name,
                           stiction_name_hint(name, names->items, names->count, hint));
    text_list_free(names);
    return false;
}

bool objective_check(const sweep_plan *plan, stiction_error *error) {
    const sweep_select *goal = plan->goal->objective;
    for (size_t k = 0; k < sweep_select_name_count(goal); k++) {
        const char *name = sweep_select_name(goal, k), *point = strrchr(name, '.');
        const char *figure = point ? point + 1 : name;
        size_t alike;
        if (figure_index(figure, false) != SIZE_MAX || figure_index(figure, true) != SIZE_MAX ||
            sweep_plan_find_key(plan, name, &alike) < plan->parameter_count)
            continue;
        text_list names = {NULL, 0};
        add_names(&names, NULL, false);
        add_names(&names, NULL, true);
        return fail_unknown(plan, figure, &names, error);
    }
    return true;
}

static bool take_row(void *user, const record *row, const record_joint *joints, size_t count,
                     stiction_error *error) {
    lookup *l = user;
    const sweep_select *goal = l->plan->goal->objective;
    (void)row;
    l->joints = joints;
    l->count = count;
    l->found = true;
    for (size_t k = 0; k < sweep_select_name_count(goal); k++) {
        const char *name = sweep_select_name(goal, k);
        if (value_of(l, name)) continue;
        text_list names = {NULL, 0};
        for (size_t n = 0; n < count; n++) add_names(&names, joints[n].name, joints[n].is_body);
        return fail_unknown(l->plan, name, &names, error);
    }
    return sweep_select_number(goal, value_of, l, l->value, error);
}

bool objective_of_run(const sweep_plan *plan, records *there, size_t run, double *value,
                      stiction_error *error) {
    lookup l = {.plan = plan, .run = run, .value = value};
    *value = (double)NAN;
    return records_read(there, run, run + 1, true, take_row, &l, error) &&
           (l.found || fail(error, "the row of run %zu is missing", run + 1));
}
