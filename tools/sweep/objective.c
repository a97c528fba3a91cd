/*
 * The value of a search's goal in one run.
 */
#include "sweep/objective.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "sweep/figure_names.h"
#include "sweep/goal.h"

enum { number_size = 32 };

typedef struct lookup {
    const sweep_plan *plan;
    size_t run;
    const record_joint *joints;
    size_t count;
    char (*texts)[number_size]; /* of each name of the goal, until it was asked */
} lookup;

/* The place of a figure in those of a joint or a body; SIZE_MAX: none is called so. */
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

/* Of all joints; null where it is null for any of them but counts for some. */
static bool figure_of_all(const lookup *l, const char *name, double *value) {
    const size_t figure = figure_index(name, false);
    if (figure == SIZE_MAX) return false;
    const bool sum = joint_figure_at(figure)->total == FIGURE_SUM;
    *value = (double)NAN;
    for (size_t k = 0; k < l->count; k++) {
        if (l->joints[k].is_body) continue;
        const double one = l->joints[k].figures[figure];
        if (isnan(one)) continue;
        if (isnan(*value))
            *value = sum ? one : fabs(one);
        else
            *value = sum ? *value + one : fmax(*value, fabs(one));
    }
    return true;
}

static const char *text_of(void *user, const char *name) {
    const lookup *l = user;
    const sweep_select *goal = l->plan->goal->objective;
    size_t at = 0, alike;
    while (at < sweep_select_name_count(goal) && strcmp(sweep_select_name(goal, at), name) != 0)
        at++;
    double value;
    if (figure_of(l, name, &value) || figure_of_all(l, name, &value)) {
        if (isnan(value)) return "";
        (void)snprintf(l->texts[at], number_size, "%.17g", value);
        return l->texts[at];
    }
    const size_t key = sweep_plan_find_key(l->plan, name, &alike);
    return key < l->plan->parameter_count ? sweep_plan_value(l->plan, l->run, key) : NULL;
}

/* What the first name that nothing has may have meant: figures by both of their names. */
static void tell_unknown(const lookup *l, const char *name) {
    const joint_figure *f;
    char **names = NULL;
    size_t count = 0;
    for (size_t k = 0; k < l->count; k++)
        for (size_t n = 0;
             (f = l->joints[k].is_body ? body_figure_at(n) : joint_figure_at(n)) != NULL; n++)
            for (int alias = 0; alias < (f->alias ? 2 : 1); alias++) {
                names = reallocate(names, count + 1, sizeof *names);
                names[count++] =
                    format_text("%s.%s", l->joints[k].name, alias ? f->alias : f->name);
            }
    char hint[NAME_HINT_SIZE];
    const sweep_goal *goal = l->plan->goal;
    tell_line("%s:%d:%d: no run has a figure '%s'%s", l->plan->path, goal->spot.line,
              goal->spot.column, name,
              stiction_name_hint(name, (const char *const *)names, count, hint));
    if (!*hint && count)
        tell_line("  it is JOINT.FIGURE, such as %s, or a figure of all joints, such as rms_error",
                  names[0]);
    for (size_t k = 0; k < count; k++) free(names[k]);
    free(names);
}

/* All names of figures, the short ones as well. */
static const char **all_figures(size_t *count) {
    const char **names = NULL;
    const joint_figure *f;
    *count = 0;
    for (int of_body = 0; of_body < 2; of_body++)
        for (size_t n = 0; (f = of_body ? body_figure_at(n) : joint_figure_at(n)) != NULL; n++)
            for (int alias = 0; alias < (f->alias ? 2 : 1); alias++) {
                names = reallocate(names, *count + 1, sizeof *names);
                names[(*count)++] = alias ? f->alias : f->name;
            }
    return names;
}

bool objective_check(const sweep_plan *plan) {
    const sweep_select *goal = plan->goal->objective;
    bool fine = true;
    for (size_t k = 0; k < sweep_select_name_count(goal); k++) {
        const char *name = sweep_select_name(goal, k), *point = strrchr(name, '.');
        const char *figure = point ? point + 1 : name;
        size_t alike, count;
        if (figure_index(figure, false) != SIZE_MAX || figure_index(figure, true) != SIZE_MAX ||
            sweep_plan_find_key(plan, name, &alike) < plan->parameter_count)
            continue;
        const char **names = all_figures(&count);
        char hint[NAME_HINT_SIZE];
        tell_line("%s:%d:%d: there is no figure '%s'%s", plan->path, plan->goal->spot.line,
                  plan->goal->spot.column, figure, stiction_name_hint(figure, names, count, hint));
        free((void *)names);
        fine = false;
    }
    return fine;
}

static bool ask(const lookup *l, double *value) {
    const sweep_select *goal = l->plan->goal->objective;
    for (size_t k = 0; k < sweep_select_name_count(goal); k++)
        if (!text_of((void *)(uintptr_t)l, sweep_select_name(goal, k))) {
            tell_unknown(l, sweep_select_name(goal, k));
            return false;
        }
    stiction_error error;
    if (sweep_select_number(goal, text_of, (void *)(uintptr_t)l, value, &error)) return true;
    tell_line("%s:%d:%d: %s", l->plan->path, l->plan->goal->spot.line, l->plan->goal->spot.column,
              error.message);
    return false;
}

bool objective_of_run(const sweep_plan *plan, records *there, size_t run, double *value) {
    records_reader *reader = records_read(there, run, run + 1);
    record row;
    *value = (double)NAN;
    bool fine = reader && records_next(reader, &row);
    if (fine) {
        lookup l = {.plan = plan, .run = run};
        l.joints = records_joints(reader, &l.count);
        l.texts = allocate(sweep_select_name_count(plan->goal->objective) + 1, sizeof *l.texts);
        fine = ask(&l, value);
        free(l.texts);
    } else if (reader && !records_failed(reader)) {
        (void)complain("the record of run %zu is not there", run + 1);
    }
    records_reader_free(reader);
    return fine;
}
