/* SPDX-License-Identifier: MIT
 * Which runs of a sweep keep their time series.
 */
#include "sweep/keep.h"

#include <math.h>
#include <string.h>

#include "common/command.h"
#include "sweep/figure_names.h"

typedef struct lookup {
    const sweep_plan *plan;
    size_t run;
    const run_data *data; /* NULL: there are no figures */
    char text[32];        /* of the last figure */
} lookup;

static const run_joint *find_joint_of(const run_joint *joints, size_t count, const char *name,
                                      size_t length) {
    for (size_t k = 0; k < count; k++)
        if (strlen(joints[k].name) == length && strncmp(joints[k].name, name, length) == 0)
            return &joints[k];
    return NULL;
}

/* "JOINT.figure" */
static const char *figure_text(lookup *l, const char *name) {
    const char *point = strrchr(name, '.');
    if (!point || !l->data) return NULL;
    const size_t length = (size_t)(point - name);
    const joint_figure *f = joint_figure_find(point + 1);
    const run_joint *found =
        f ? find_joint_of(l->data->joints, l->data->joint_count, name, length) : NULL;
    if (!found && (f = sweep_body_figure_find(point + 1)) != NULL)
        found = find_joint_of(l->data->bodies, l->data->body_count, name, length);
    if (!found) return NULL;
    const double value = run_data_figure(found, f->name);
    (void)snprintf(l->text, sizeof l->text, "%.17g", value);
    return isfinite(value) ? l->text : "";
}

static const char *value_of(void *user, const char *name) {
    lookup *l = user;
    size_t alike;
    const size_t key = sweep_plan_find_key(l->plan, name, &alike);
    if (key < l->plan->parameter_count) return sweep_plan_value(l->plan, l->run, key);
    if (strcmp(name, "project") == 0) return sweep_plan_project(l->plan, l->run);
    return figure_text(l, name);
}

static bool is_setting(const sweep_plan *plan, const char *name) {
    size_t alike;
    return sweep_plan_find_key(plan, name, &alike) < plan->parameter_count ||
           strcmp(name, "project") == 0;
}

static bool may_be_figure(const char *name) {
    const char *point = strrchr(name, '.');
    return point && point != name &&
           (joint_figure_find(point + 1) || sweep_body_figure_find(point + 1));
}

bool sweep_keep_read(sweep_keep *k, const sweep_plan *plan, bool figures_only, const char *series,
                     stiction_error *error) {
    *k = (sweep_keep){.figures_only = figures_only || series, .of_settings_alone = true};
    if (!series) return true;
    stiction_error problem;
    k->series = sweep_select_read(series, &problem);
    if (!k->series) return fail(error, "--keep-series '%s': %s", series, problem.message);
    for (size_t n = 0; n < sweep_select_name_count(k->series); n++) {
        const char *name = sweep_select_name(k->series, n);
        if (is_setting(plan, name)) continue;
        if (may_be_figure(name))
            k->of_settings_alone = false;
        else if (!sweep_select_may_be_text(k->series, n))
            return fail(error,
                        "--keep-series '%s': column %zu: '%s' is no key of the sweep and no "
                        "figure (JOINT.figure, such as RWRR.hunting_amplitude)",
                        series, sweep_select_name_column(k->series, n), name);
    }
    return true;
}

void sweep_keep_free(sweep_keep *k) {
    sweep_select_free(k->series);
    *k = (sweep_keep){.series = NULL};
}

static bool holds(const sweep_keep *k, lookup *l, bool *known, stiction_error *error) {
    bool answer;
    *known = sweep_select_holds(k->series, value_of, l, &answer, error);
    return answer;
}

bool sweep_keep_wants(const sweep_keep *k, const sweep_plan *plan, size_t run) {
    stiction_error unused;
    bool known;
    if (!k->figures_only || !k->series) return !k->figures_only;
    return !k->of_settings_alone || holds(k, &(lookup){.plan = plan, .run = run}, &known, &unused);
}

bool sweep_keep_holds(sweep_keep *k, const sweep_plan *plan, size_t run, const run_data *data) {
    stiction_error error;
    bool known;
    if (!k->figures_only || !k->series) return !k->figures_only;
    if (!data && !k->of_settings_alone) return false;
    const bool answer = holds(k, &(lookup){.plan = plan, .run = run, .data = data}, &known, &error);
    if (!known && k->unknown++ == 0) k->problem = error;
    return answer;
}
