/*
 * Which runs of a sweep keep their time series.
 */
#include "sweep/keep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "document/fail.h"
#include "sweep/figure_names.h"

/* ---- what a name of the condition means ---- */

typedef struct values {
    const sweep_plan *plan;
    size_t run;
    const run_data *data; /* NULL: there are no figures */
    char **texts;         /* that were made for it */
    size_t text_count;
} values;

static const char *keep_text(values *v, char *text) {
    v->texts = reallocate(v->texts, v->text_count + 1, sizeof *v->texts);
    return v->texts[v->text_count++] = text;
}

static const run_joint *find_joint_of(const run_joint *joints, size_t count, const char *name,
                                      size_t length) {
    for (size_t k = 0; k < count; k++)
        if (strlen(joints[k].name) == length && strncmp(joints[k].name, name, length) == 0)
            return &joints[k];
    return NULL;
}

/* "JOINT.figure"; NULL: no joint and no body has it. "": it is null. */
static const char *figure_text(values *v, const char *name) {
    const char *point = strrchr(name, '.');
    if (!point || !v->data) return NULL;
    const size_t length = (size_t)(point - name);
    const joint_figure *of_joint = joint_figure_find(point + 1),
                       *of_body = sweep_body_figure_find(point + 1);
    const run_joint *found =
        of_joint ? find_joint_of(v->data->joints, v->data->joint_count, name, length) : NULL;
    const joint_figure *f = of_joint;
    if (!found && of_body) {
        found = find_joint_of(v->data->bodies, v->data->body_count, name, length);
        f = of_body;
    }
    if (!found) return NULL;
    const double value = run_data_figure(found, f->name);
    return keep_text(v, isfinite(value) ? format_text("%.17g", value) : copy_text(""));
}

static const char *text_of(void *user, const char *name) {
    values *v = user;
    size_t alike;
    const size_t key = sweep_plan_find_key(v->plan, name, &alike);
    if (key < v->plan->parameter_count) return sweep_plan_value(v->plan, v->run, key);
    if (strcmp(name, "project") == 0) return sweep_plan_project(v->plan, v->run);
    return figure_text(v, name);
}

static void free_values(values *v) {
    for (size_t k = 0; k < v->text_count; k++) free(v->texts[k]);
    free(v->texts);
}

/* ---- reading ---- */

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
    stiction_error wrong;
    k->series = sweep_select_read(series, &wrong);
    if (!k->series)
        return !stiction_fail(error, STICTION_INVALID_CONFIG, "--keep-series '%s': %s", series,
                              wrong.message);
    for (size_t n = 0; n < sweep_select_name_count(k->series); n++) {
        const char *name = sweep_select_name(k->series, n);
        if (is_setting(plan, name)) continue;
        if (may_be_figure(name))
            k->of_settings_alone = false;
        else if (!sweep_select_may_be_text(k->series, n))
            return !stiction_fail(error, STICTION_INVALID_CONFIG,
                                  "--keep-series '%s': column %zu: '%s' is no key of the sweep and "
                                  "no figure (JOINT.figure, such as RWRR.hunting_amplitude)",
                                  series, sweep_select_name_column(k->series, n), name);
    }
    return true;
}

void sweep_keep_free(sweep_keep *k) {
    sweep_select_free(k->series);
    *k = (sweep_keep){.series = NULL};
}

/* ---- asking ---- */

bool sweep_keep_wants(const sweep_keep *k, const sweep_plan *plan, size_t run) {
    if (!k->figures_only) return true;
    if (!k->series) return false;
    if (!k->of_settings_alone) return true;
    values v = {.plan = plan, .run = run};
    bool holds;
    (void)sweep_select_holds(k->series, text_of, &v, &holds, NULL);
    free_values(&v);
    return holds;
}

bool sweep_keep_holds(sweep_keep *k, const sweep_plan *plan, size_t run, const run_data *data) {
    if (!k->figures_only) return true;
    if (!k->series || (!data && !k->of_settings_alone)) return false;
    values v = {.plan = plan, .run = run, .data = data};
    bool holds;
    stiction_error error;
    if (!sweep_select_holds(k->series, text_of, &v, &holds, &error) && !k->told) {
        (void)complain("warning: --keep-series: run %zu: %s; its series are not kept", run + 1,
                       error.message);
        k->told = true;
    }
    free_values(&v);
    return holds;
}
