/* SPDX-License-Identifier: MIT
 * stiction fit: friction from a robot's logs.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base_options.h"
#include "common/progress.h"
#include "common/table.h"
#include "common/verb.h"
#include "common/whole_file.h"
#include "document/number.h"

#ifdef STICTION_FIT
#include "fit/fit_report.h"
#include "fit/write_fit.h"
#include "robots/robot.h"
#include "json/json_out.h"
#endif

typedef struct fit_verb_options {
    text_list joints, hold_out;
    const char *columns, *law, *robot, *gains, *out, *json, *report;
    bool gravity, simulate, force;
    double inertia, torque_constant, timestep;
    base_options base;
    bool untrusted;
} fit_verb_options;

#ifdef STICTION_FIT

static void show_progress(void *user, double share, const char *what) {
    progress_update(user, share, what);
}

/* What fit wrote itself, or nothing, may be replaced. */
static bool may_write(const fit_verb_options *o, const char *path, stiction_error *error) {
    char line[sizeof FIT_HEADER] = "";
    FILE *file = fopen(path, "r");
    const bool ours =
        file && (fgets(line, sizeof line, file) == NULL || strcmp(line, FIT_HEADER) == 0);
    if (file) (void)fclose(file);
    return whole_file_may_take(path, o->force || ours, error);
}

static bool write_outputs(const fit_verb_options *o, fit *const *fits, size_t count,
                          stiction_error *error) {
    if (o->out) {
        whole_file file;
        if (!may_write(o, o->out, error) || !whole_file_begin(&file, o->out, error)) return false;
        fit_write_configuration(file.out, fits, count);
        if (!whole_file_end(&file, error)) return false;
    }
    if (o->json) {
        json_t *all = count == 1 ? fit_json(fits[0]) : json_array();
        for (size_t k = 0; count > 1 && k < count; k++)
            (void)json_array_append_new(all, fit_json(fits[k]));
        whole_file file;
        bool fine =
            whole_file_may_take(o->json, true, error) && whole_file_begin(&file, o->json, error);
        if (fine) {
            must_have(json_out_print(all, file.out) ? file.out : NULL);
            fine = whole_file_end(&file, error);
        }
        json_decref(all);
        if (!fine) return false;
    }
    return !o->report || (whole_file_may_take(o->report, true, error) &&
                          fit_report(o->report, fits, count, error));
}

static void show_fit(const fit *f) {
    const fit_result *r = fit_result_of(f);
    const fit_problem *p = fit_problem_of(f);
    show_line("joint '%s': law %s", p->joint, r->law);
    const table_column columns[] = {{"parameter", NULL, 0},
                                    {"value", NULL, 4},
                                    {"low", NULL, 4},
                                    {"high", NULL, 4},
                                    {"verdict", NULL, 0}};
    table *t = table_create(columns, 5);
    for (size_t k = 0; k < r->value_count; k++) {
        const fit_value *v = &r->values[k];
        table_text(t, v->key);
        table_number_or_empty(t, v->value);
        table_number_or_empty(t, v->low);
        table_number_or_empty(t, v->high);
        table_text(t, v->identifiable ? "identified" : v->why);
    }
    table_print(t, TABLE_TEXT, stdout);
    table_destroy(t);
    show_line("error %s: %.4g %s; plain Coulomb and viscous friction: %.4g %s", r->held_kind,
              r->held_rms, fit_held_unit(f), r->held_plain_rms, fit_held_unit(f));
    const fit_warnings *w = fit_warnings_of(f);
    for (size_t k = 0; k < w->count; k++) print_note("stiction: warning: %s", w->items[k]);
}

/* --hold-out: a share, or files. Logs that follow a share are logs. */
static bool split_hold_out(const fit_verb_options *o, const text_list *arguments, text_list *logs,
                           text_list *held, double *share, stiction_error *error) {
    for (size_t k = 0; k < arguments->count; k++) text_list_add(logs, arguments->items[k]);
    *share = 0;
    for (size_t k = 0; k < o->hold_out.count; k++) {
        const char *text = o->hold_out.items[k];
        double value;
        if (k == 0 && stiction_decimal(text, &value)) {
            if (!(value > 0 && value < 1))
                return fail(error, "fit: --hold-out %s must be between 0 and 1, or files", text);
            *share = value;
        } else {
            text_list_add(*share > 0 ? logs : held, text);
        }
    }
    if (logs->count > 0) return true;
    return fail(error, "fit: no log is left to fit: --hold-out takes all files that follow it, so "
                       "write the logs first");
}

/* KP,KD */
static bool read_gains(const char *text, double gains[2], stiction_error *error) {
    const char *comma = strchr(text, ',');
    char *first = format_text("%.*s", comma ? (int)(comma - text) : 0, text);
    const bool fine = comma && stiction_decimal(first, &gains[0]) &&
                      stiction_decimal(comma + 1, &gains[1]) && gains[0] > 0 && gains[1] >= 0;
    free(first);
    return fine || fail(error, "fit: --gains '%s' must be KP,KD, such as 400,20", text);
}

static bool fit_joints(const fit_verb_options *o, const robot *from, const text_list *logs,
                       const text_list *held, double share, stiction_error *error) {
    double gains[2] = {0, 0};
    if (o->gains && !read_gains(o->gains, gains, error)) return false;
    fit **fits = allocate(o->joints.count, sizeof *fits);
    bool fine = true;
    for (size_t k = 0; k < o->joints.count && fine; k++) {
        progress bar = progress_begin(o->joints.items[k], 1, true);
        const fit_request request = {
            .joint = o->joints.items[k],
            .logs = logs,
            .held_out = held,
            .columns = o->columns,
            .robot = from,
            .torque_constant = o->torque_constant,
            .options = {.law = o->law,
                        .gravity = o->gravity,
                        .inertia = o->inertia,
                        .share = share,
                        .timestep = o->timestep,
                        .simulate = o->simulate,
                        .controlled = o->gains != NULL,
                        .kp = gains[0],
                        .kd = gains[1],
                        .progress = show_progress,
                        .progress_user = &bar},
        };
        fits[k] = fit_create(&request, error);
        progress_end(&bar);
        fine = fits[k] != NULL;
        if (fine && !(o->json && strcmp(o->json, "-") == 0)) show_fit(fits[k]);
    }
    fine = fine && write_outputs(o, fits, o->joints.count, error);
    for (size_t k = 0; k < o->joints.count; k++) fit_destroy(fits[k]);
    free(fits);
    return fine;
}

static int run_fit(const void *options, const text_list *arguments, stiction_error *error) {
    const fit_verb_options *o = options;
    if (o->joints.count == 0) return fail_usage(error, "fit: name the joint with --joint NAME");
    static const char *const laws[] = {"auto", "coulomb", "stribeck", "rational"};
    size_t law = 0;
    while (o->law && law < 4 && strcmp(o->law, laws[law]) != 0) law++;
    if (law == 4)
        return fail_usage(error, "fit: --law '%s' must be auto, coulomb, stribeck or rational",
                          o->law);
    if (o->gains && !o->simulate)
        return fail_usage(error, "fit: --gains are of a controller that --simulate simulates");
    if (o->simulate && o->robot)
        return fail_usage(error, "fit: --simulate moves one joint alone: leave --robot out, and "
                                 "give --inertia or --gravity");
    if (!base_options_fit(&o->base)) return fail_usage(error, "fit: " BASE_CONFLICT);
    fit_verb_options copy = *o;
    if (o->law && law == 0) copy.law = NULL;
    text_list logs = {NULL, 0}, held = {NULL, 0};
    double share;
    bool fine = split_hold_out(o, arguments, &logs, &held, &share, error);
    robot *r = NULL;
    if (fine && o->robot) {
        const robot_options how = {
            .log = print_log, .base = base_of(&o->base), .untrusted = o->untrusted};
        r = robot_load(o->robot, &how, error);
        fine = r != NULL;
    }
    fine = fine && fit_joints(&copy, r, &logs, &held, share, error);
    robot_destroy(r);
    free((void *)logs.items), free((void *)held.items);
    return fine ? EXIT_FINE : EXIT_DATA;
}

#else

static int run_fit(const void *options, const text_list *arguments, stiction_error *error) {
    (void)options, (void)arguments;
    (void)fail(error, "fit: this stiction was built without GSL (libgsl-dev), which fits need");
    return EXIT_DATA;
}

#endif

static const fit_verb_options defaults = {
    .inertia = (double)NAN, .torque_constant = (double)NAN, .timestep = 0.001};

#define FIELD(name) offsetof(fit_verb_options, name)

static const option options_of_fit[] = {
    {"joint", OPTION_TEXTS, "NAME", "the joint; each gets its own fit", FIELD(joints)},
    {"columns", OPTION_TEXT, "LIST", "time=t,position=q,velocity=dq,torque=tau,...",
     FIELD(columns)},
    {"law", OPTION_TEXT, "LAW", "auto (default), coulomb, stribeck or rational", FIELD(law)},
    {"gravity", OPTION_FLAG, NULL, "fit gravity, G sin(q + phase), with the friction",
     FIELD(gravity)},
    {"robot", OPTION_TEXT, "FILE", "inertia, gravity and coupling of this robot", FIELD(robot)},
    {"inertia", OPTION_NUMBER, "KGM2", "known inertia instead of a fitted one", FIELD(inertia)},
    {"torque-constant", OPTION_POSITIVE, "NM_PER_A", "the torque column is a current in A",
     FIELD(torque_constant)},
    {"simulate", OPTION_FLAG, NULL, "fit the simulated motion to the logged one", FIELD(simulate)},
    {"gains", OPTION_TEXT, "KP,KD", "of the controller that moves the simulated joint",
     FIELD(gains)},
    {"hold-out", OPTION_FILES, "SHARE|FILE", "test on this share of the log, or on these files",
     FIELD(hold_out)},
    {"timestep", OPTION_POSITIVE, "T", "time step of the configuration in s (0.001)",
     FIELD(timestep)},
    {"out", OPTION_TEXT, "FILE", "write the friction as a configuration", FIELD(out)},
    {"json", OPTION_TEXT, "FILE", "write the result as JSON; - is stdout", FIELD(json)},
    {"report", OPTION_TEXT, "FILE", "write a page with plots (HTML)", FIELD(report)},
    {"force", OPTION_FLAG, NULL, "replace a configuration that fit did not write", FIELD(force)},
    BASE_OPTIONS(fit_verb_options, base),
    UNTRUSTED_OPTION(fit_verb_options, untrusted),
    {.name = NULL},
};

const verb verb_fit = {
    .name = "fit",
    .summary = "friction from a robot's logs",
    .arguments = "LOG...",
    VERB_OPTIONS(options_of_fit, defaults),
    .description =

        "Finds the friction of a joint from logs of its motion: time, position or\n"
        "velocity, and the torque or current of its motor, one sample per row of a CSV\n"
        "file. Friction is simulated along the measured motion with our own element;\n"
        "inertia, gravity and an offset of each file are fitted with it. The law is the\n"
        "simplest one that predicts held-out blocks of the log within 2 % of the best.\n"
        "\n"
        "Each parameter has a 95 % interval, or the reason why the log does not\n"
        "determine it. --out writes a configuration that run takes, --json all results,\n"
        "--report a page with plots.\n"
        "\n"
        "Columns are found by name: those of our joints.csv, of ROS joint states, or\n"
        "time, q, dq, tau. --columns names them; JOINT in it stands for the joint. The\n"
        "quantities are time (s), position (rad), velocity (rad/s), torque (N m),\n"
        "temperature (deg C), external (N m) and target (rad). The velocity may be\n"
        "missing; it is then computed. An npz file has an array per column.\n"
        "\n"
        "--simulate compares motion instead of torque: the joint is simulated under the\n"
        "logged torque, or with --gains under KP (target - position) - KD velocity; the\n"
        "log then needs no torque.\n"
        "\n"
        "--robot takes inertia, gravity and coupling from a .body, URDF or MJCF file\n"
        "along the logged motion of all its joints; the inertia of the rotor is fitted\n"
        "where the file states none.\n"
        "\n"
        "--hold-out 0.5 fits half of the blocks and tests on the other half;\n"
        "--hold-out FILE... tests on whole files.",
    .example = "  stiction fit log.csv --joint wrist --out wrist.yaml\n"
               "  stiction fit a.csv b.csv --joint elbow --gravity \\\n"
               "      --columns time=t,position=JOINT_pos,torque=JOINT_tau --hold-out c.csv",
    .run = run_fit,
};
