/* SPDX-License-Identifier: MIT
 * Values of names in expressions over one run.
 */
#include "sweep/run_values.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "common/options.h"
#include "sweep/goal.h"

static const joint_figure *figure_at(size_t index, bool of_body) {
    return of_body ? body_figure_at(index) : joint_figure_at(index);
}

/* The index of a figure of a joint or a body; SIZE_MAX: none has this name. */
static size_t figure_index(const char *name, bool of_body) {
    const joint_figure *f = of_body ? body_figure_find(name) : joint_figure_find(name);
    return f ? (size_t)(f - figure_at(0, of_body)) : SIZE_MAX;
}

static bool is_figure(const char *name) {
    return figure_index(name, false) != SIZE_MAX || figure_index(name, true) != SIZE_MAX;
}

record_joint *run_figures(const run_data *data, size_t *count) {
    size_t of_joint = 0, of_body = 0;
    while (joint_figure_at(of_joint)) of_joint++;
    while (body_figure_at(of_body)) of_body++;
    *count = data->joint_count + data->body_count;
    const size_t numbers = data->joint_count * of_joint + data->body_count * of_body;
    record_joint *joints = allocate(*count * sizeof *joints + numbers * sizeof(double), 1);
    double *at = (double *)(void *)(joints + *count);
    for (size_t k = 0; k < *count; k++) {
        const bool is_body = k >= data->joint_count;
        const run_joint *joint = is_body ? &data->bodies[k - data->joint_count] : &data->joints[k];
        joints[k] = (record_joint){joint->name, joint->prismatic, is_body, at};
        const joint_figure *f;
        for (size_t n = 0; (f = figure_at(n, is_body)); n++)
            *at++ = run_data_figure(joint, f->name);
    }
    return joints;
}

/* ---- the value of a name ---- */

typedef struct run_values {
    const sweep_plan *plan;
    const record *row;
    char text[32]; /* of the last figure */
} run_values;

static bool is_setting(const sweep_plan *plan, const char *name) {
    size_t alike;
    return sweep_plan_find_key(plan, name, &alike) < plan->parameter_count ||
           strcmp(name, "project") == 0 || strcmp(name, "stable") == 0;
}

static bool figure_of_one(const run_values *v, const char *name, double *value) {
    const char *point = strrchr(name, '.');
    for (size_t k = 0; point && k < v->row->joint_count; k++) {
        const record_joint *j = &v->row->joints[k];
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
static bool figure_of_all(const run_values *v, const char *name, double *value) {
    const size_t figure = figure_index(name, false);
    if (figure == SIZE_MAX) return false;
    const bool sum = joint_figure_at(figure)->total == FIGURE_SUM;
    *value = (double)NAN;
    for (size_t k = 0; k < v->row->joint_count; k++) {
        const double one =
            v->row->joints[k].is_body ? (double)NAN : v->row->joints[k].figures[figure];
        if (isnan(one)) continue;
        if (isnan(*value))
            *value = sum ? one : fabs(one);
        else
            *value = sum ? *value + one : fmax(*value, fabs(one));
    }
    return true;
}

static const char *value_of(void *user, const char *name) {
    run_values *v = user;
    size_t alike;
    double value;
    const size_t key = sweep_plan_find_key(v->plan, name, &alike);
    if (key < v->plan->parameter_count) return sweep_plan_value(v->plan, v->row->run, key);
    if (strcmp(name, "project") == 0) return sweep_plan_project(v->plan, v->row->run);
    if (strcmp(name, "stable") == 0) return v->row->stable ? "1" : "0";
    if (!figure_of_one(v, name, &value) && !figure_of_all(v, name, &value)) return NULL;
    (void)snprintf(v->text, sizeof v->text, "%.17g", value);
    return isfinite(value) ? v->text : "";
}

/* ---- expressions over a run ---- */

/* Every figure by both of its names, "JOINT." before it where `joint` is given. */
static void add_names(text_list *names, const char *joint, bool of_body) {
    const joint_figure *f;
    for (size_t n = 0; (f = figure_at(n, of_body)) != NULL; n++)
        for (int alias = 0; alias < (f->alias ? 2 : 1); alias++)
            text_list_add(names, format_text("%s%s%s", joint ? joint : "", joint ? "." : "",
                                             alias ? f->alias : f->name));
}

/* Frees the names. */
static bool fail_unknown(const sweep_plan *plan, sweep_spot spot, const char *name,
                         text_list *names, stiction_error *error) {
    char hint[NAME_HINT_SIZE];
    const stiction_place at = {plan->path, spot.line, spot.column};
    (void)stiction_fail_at(error, STICTION_INVALID_CONFIG, at, "there is no figure '%s'%s", name,
                           stiction_name_hint(name, names->items, names->count, hint));
    text_list_free(names);
    return false;
}

bool expression_check(const sweep_plan *plan, const sweep_select *select, sweep_spot spot,
                      stiction_error *error) {
    for (size_t k = 0; k < sweep_select_name_count(select); k++) {
        const char *name = sweep_select_name(select, k), *point = strrchr(name, '.');
        const char *figure = point ? point + 1 : name;
        if (is_figure(figure) || is_setting(plan, name) || sweep_select_may_be_text(select, k))
            continue;
        text_list names = {NULL, 0};
        add_names(&names, NULL, false);
        add_names(&names, NULL, true);
        return fail_unknown(plan, spot, figure, &names, error);
    }
    return true;
}

/* Whether the joints and bodies of a run have all figures that an expression names. */
static bool has_all(run_values *v, const sweep_select *select, sweep_spot spot,
                    stiction_error *error) {
    for (size_t k = 0; k < sweep_select_name_count(select); k++) {
        const char *name = sweep_select_name(select, k);
        if (value_of(v, name) || sweep_select_may_be_text(select, k)) continue;
        text_list names = {NULL, 0};
        for (size_t n = 0; n < v->row->joint_count; n++)
            add_names(&names, v->row->joints[n].name, v->row->joints[n].is_body);
        return fail_unknown(v->plan, spot, name, &names, error);
    }
    return true;
}

bool works_of_run(const sweep_plan *plan, const record *row, bool *works, stiction_error *error) {
    run_values v = {.plan = plan, .row = row};
    const sweep_works *w = &plan->works;
    return has_all(&v, w->select, w->spot, error) &&
           sweep_select_holds(w->select, value_of, &v, works, error);
}

bool objective_of_run(const sweep_plan *plan, records *there, size_t run, double *value,
                      stiction_error *error) {
    const sweep_goal *goal = plan->goal;
    AUTO(records_end) record_cursor c = records_begin(there, run, run + 1, true);
    run_values v = {.plan = plan, .row = &c.row};
    *value = (double)NAN;
    if (!records_next(&c, error))
        return !c.failed && fail(error, "the row of run %zu is missing", run + 1);
    return has_all(&v, goal->objective, goal->spot, error) &&
           sweep_select_number(goal->objective, value_of, &v, value, error);
}

/* ---- which runs keep their series ---- */

bool sweep_keep_read(sweep_keep *k, const sweep_plan *plan, bool figures_only, const char *series,
                     stiction_error *error) {
    *k = (sweep_keep){.figures_only = figures_only || series, .of_settings_alone = true};
    if (!series) return true;
    stiction_error problem;
    k->series = sweep_select_read(series, &problem);
    if (!k->series) return fail(error, "--keep-series '%s': %s", series, problem.message);
    for (size_t n = 0; n < sweep_select_name_count(k->series); n++) {
        const char *name = sweep_select_name(k->series, n), *point = strrchr(name, '.');
        if (strcmp(name, "stable") == 0) k->of_settings_alone = false;
        if (is_setting(plan, name)) continue;
        if (point && point != name && is_figure(point + 1))
            k->of_settings_alone = false;
        else if (!sweep_select_may_be_text(k->series, n))
            return fail(error,
                        "--keep-series '%s': column %zu: '%s' is neither a key of the sweep "
                        "nor a figure (JOINT.figure, such as RWRR.hunting_amplitude)",
                        series, sweep_select_name_column(k->series, n), name);
    }
    return true;
}

void sweep_keep_free(sweep_keep *k) {
    sweep_select_free(k->series);
    *k = (sweep_keep){.series = NULL};
}

bool sweep_keep_wants(const sweep_keep *k, const sweep_plan *plan, size_t run) {
    if (!k->figures_only || !k->series) return !k->figures_only;
    run_values values = {.plan = plan, .row = &(record){.run = run}};
    stiction_error unused;
    bool holds;
    return !k->of_settings_alone ||
           (sweep_select_holds(k->series, value_of, &values, &holds, &unused) && holds);
}

bool sweep_keep_holds(sweep_keep *k, const sweep_plan *plan, size_t run, const run_data *data) {
    if (!k->figures_only || !k->series) return !k->figures_only;
    if (!data && !k->of_settings_alone) return false;
    record row = {.run = run, .stable = data && run_data_is_stable(data)};
    AUTO_FREE record_joint *joints = data ? run_figures(data, &row.joint_count) : NULL;
    row.joints = joints;
    run_values values = {.plan = plan, .row = &row};
    stiction_error error;
    bool holds;
    if (!sweep_select_holds(k->series, value_of, &values, &holds, &error) && k->unknown++ == 0)
        k->problem = error;
    return holds;
}
