/* SPDX-License-Identifier: MIT
 * Reports of one run and of several: settings, warnings, figures and plots of the joints.
 */
#include "report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "common/folder.h"
#include "joint_plots.h"
#include "joint_table.h"
#include "replay.h"
#include "run_sentences.h"

/* ---- settings ---- */

static void print_fact(FILE *out, const char *name, const char *text) {
    if (!*text) return;
    page_element(out, "dt", name);
    page_element(out, "dd", text);
}

/* A string without quotes, other values as JSON. The caller frees it. */
static char *value_text(const json_t *value) {
    if (json_is_string(value)) return copy_text(json_string_value(value));
    AUTO_FREE char *dumped = json_dumps(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(9));
    return copy_text(dumped ? dumped : "");
}

/* "kp = 50, kd = 5" of an object, "a, b" of a list. The caller frees it. */
static char *list_text(json_t *value) {
    if (!json_is_object(value) && !json_is_array(value))
        return value && !json_is_null(value) ? value_text(value) : copy_text("");
    char *text = copy_text("");
    const size_t count = json_is_object(value) ? json_object_size(value) : json_array_size(value);
    void *at = json_object_iter(value);
    for (size_t k = 0; k < count; k++) {
        AUTO_FREE char *item =
            value_text(at ? json_object_iter_value(at) : json_array_get(value, k));
        append_text(&text, "%s%s%s%s", k ? ", " : "", at ? json_object_iter_key(at) : "",
                    at ? " = " : "", item);
        if (at) at = json_object_iter_next(value, at);
    }
    return text;
}

static const char *member(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

static void print_controllers(FILE *out, const run_data *run) {
    size_t k;
    json_t *controller;
    json_array_foreach(json_object_get(run->summary, "controllers"), k, controller) {
        AUTO_FREE char *options = list_text(json_object_get(controller, "options"));
        const char *body = member(controller, "body"), *mode = member(controller, "mode");
        AUTO_FREE char *text =
            format_text("%s%s%s%s%s%s%s", member(controller, "name"), *body ? " on " : "", body,
                        *mode ? ", " : "", mode, *options ? ": " : "", options);
        print_fact(out, "controller", text);
    }
}

/* "push on PELVIS of HRP5P: 40, 0, 0 N from 1 s, for 0.1 s" */
static void print_pushes(FILE *out, const run_data *run) {
    size_t k;
    json_t *each;
    json_array_foreach(json_object_get(run->summary, "pushes"), k, each) {
        AUTO_FREE char *force = list_text(json_object_get(each, "force"));
        json_t *duration = json_object_get(each, "duration");
        AUTO_FREE char *end = json_is_number(duration)
                                  ? format_text("for %g s", json_number_value(duration))
                                  : copy_text("until the end");
        AUTO_FREE char *text = format_text(
            "%s on %s of %s: %s N from %g s, %s", member(each, "name"), member(each, "link"),
            member(each, "body"), force, json_number_value(json_object_get(each, "time")), end);
        print_fact(out, "push", text);
    }
}

/* Prints a fact and frees its text. */
static void print_made(FILE *out, const char *name, char *text) {
    print_fact(out, name, text);
    free(text);
}

static void print_facts(FILE *out, const run_data *run) {
    fputs("<dl class=\"facts\">\n", out);
    print_fact(out, "project", run_data_text(run, "project"));
    print_fact(out, "simulator", run_data_text(run, "simulator"));
    print_made(
        out, "engine",
        format_text("%s %s", run_data_text(run, "engine"), run_data_text(run, "engine_version")));
    print_fact(out, "stiction", run_data_text(run, "stiction"));
    print_made(out, "time step", format_text("%g s", run_data_number(run, "timestep")));
    print_made(
        out, "duration",
        format_text("%g s, %zu samples", run_data_number(run, "duration"), run->sample_count));
    print_made(out, "joints", format_text("%zu", run->joint_count));
    print_controllers(out, run);
    print_pushes(out, run);
    print_made(out, "overrides", list_text(json_object_get(run->summary, "overrides")));
    fputs("</dl>\n", out);
}

/* ---- warnings ---- */

static void warn(page *p, char *text) {
    page_warning(p, text);
    free(text);
}

/* Counts of events of a controller; its other numbers are figures. */
static bool is_event(const char *key) {
    static const char *const events[] = {"clamped", "relaxed", "held", "faults"};
    for (size_t k = 0; k < sizeof events / sizeof events[0]; k++)
        if (strcmp(key, events[k]) == 0) return true;
    return false;
}

/* Warns of event counts above 0 in an object and the objects in it. */
static void warn_of_events(page *p, const char *controller, json_t *counts) {
    const char *key;
    json_t *value;
    json_object_foreach(counts, key, value) {
        if (json_is_object(value) && strcmp(key, "options") != 0)
            warn_of_events(p, controller, value);
        if (is_event(key) && json_is_integer(value) && json_integer_value(value) != 0)
            warn(p, format_text("Controller %s: %s %" JSON_INTEGER_FORMAT, controller, key,
                                json_integer_value(value)));
    }
}

static void print_warnings(page *p, const run_data *run) {
    if (json_is_false(json_object_get(run->summary, "complete")))
        warn(p, format_text("This run was interrupted at %g s.", run_data_number(run, "duration")));
    const char *source = run_data_text(run, "friction_source");
    if (strcmp(source, "frictionloss") == 0)
        page_warning(p,
                     "The friction is the simulator's own (frictionloss), not that of stiction.");
    if (strcmp(source, "none") == 0) page_warning(p, "This run has no friction.");
    const char *warning;
    for (size_t n = 0; (warning = run_data_warning(run, n)); n++) page_warning(p, warning);
    size_t k;
    json_t *controller;
    json_array_foreach(json_object_get(run->summary, "controllers"), k, controller)
        warn_of_events(p, member(controller, "name"), controller);
}

/* ---- plots ---- */

/* The plots of a joint, as a choice of an open block. Returns whether samples were left out. */
static bool print_joint(page *p, const run_data *run, const run_joint *joint, const char *layer,
                        size_t most) {
    AUTO(joint_plots_release) joint_plots plots;
    AUTO_FREE char *friction = joint_friction_text(joint);
    AUTO_FREE char *note = format_text("Friction: %s", friction);
    joint_plots_make(&plots, run, joint, most);
    page_choice(p, joint->name, layer, note);
    for (int k = 0; k < JOINT_PLOTS; k++)
        if (plots.plots[k].count) page_plot(p, &plots.plots[k]);
    return plots.reduced;
}

/* The plots of the floating robots of some runs; nothing if there are none. Returns whether samples
 * were left out. */
static bool print_bodies(page *p, const run_data *runs, const char *const *names, size_t count,
                         size_t most) {
    bool any = false, reduced = false;
    for (size_t k = 0; k < count; k++) any = any || runs[k].body_count;
    if (!any) return false;
    page_plots_begin(p, "body", "Body", NULL, true);
    for (size_t k = 0; k < count; k++)
        for (size_t b = 0; b < runs[k].body_count; b++) {
            AUTO(joint_plots_release) joint_plots plots;
            body_plots_make(&plots, &runs[k], b, most);
            page_choice(p, runs[k].bodies[b].name, names ? names[k] : NULL, NULL);
            for (int n = 0; n < BODY_PLOTS; n++)
                if (plots.plots[n].count) page_plot(p, &plots.plots[n]);
            reduced = reduced || plots.reduced;
        }
    page_plots_end(p);
    return reduced;
}

/* A block with the plots of all joints of some runs; `names` of the runs, NULL for one run. Returns
 * how many points a curve has at most if samples were left out, else 0. */
static size_t print_joint_plots(page *p, const run_data *runs, const char *const *names,
                                size_t count) {
    const size_t most = joint_plots_points(runs, count);
    const run_joint *first = run_data_worst_joint(&runs[0]);
    bool reduced = print_bodies(p, runs, names, count, most);
    page_plots_begin(p, "joint", "Joint", first ? first->name : NULL, true);
    for (size_t k = 0; k < count; k++)
        for (size_t j = 0; j < runs[k].joint_count; j++)
            reduced = print_joint(p, &runs[k], &runs[k].joints[j], names ? names[k] : NULL, most) ||
                      reduced;
    page_plots_end(p);
    return reduced ? most : 0;
}

static void print_plots(page *p, const run_data *run) {
    const size_t most = print_joint_plots(p, run, NULL, 1);
    if (!most) return;
    char *text =
        format_text("The run has %zu samples. A curve shows about %zu of them, including the "
                    "minimum and maximum of every interval; joints.csv has all.",
                    run->sample_count, most);
    page_element(page_out(p), "p class=\"note\"", text);
    free(text);
}

static char *title_of(const run_data *run) {
    const char *project = run_data_text(run, "project"), *slash = strrchr(project, '/');
    return *project ? copy_text(slash && slash[1] ? slash + 1 : project) : copy_text("Run");
}

bool report_write_run(const run_data *run, const char *into, stiction_error *error) {
    AUTO_FREE char *path = format_text("%s/report.html", into), *title = title_of(run);
    page *p = page_begin(path, title, error);
    if (p) {
        const char *folder = run->folder ? run->folder : into; /* of one in memory: here */
        print_warnings(p, run);
        run_sentences_print(page_out(p), run);
        replay_print(p, run, NULL, &folder, 1);
        fputs("<details class=\"note\"><summary>Project, controllers and settings</summary>\n",
              page_out(p));
        print_facts(page_out(p), run);
        fputs("</details>\n", page_out(p));
        page_element(page_out(p), "h2", "Figures");
        body_table_print(page_out(p), run);
        joint_table_begin(page_out(p), false, joint_table_has_sliding(run));
        joint_table_rows(page_out(p), run, NULL, "");
        joint_table_end(page_out(p));
        print_plots(p, run);
    }
    return p && page_end(p, error);
}

bool report_write(const char *run_folder, const char *into, stiction_error *error) {
    AUTO(run_data_release) run_data run;
    return run_data_load(&run, run_folder, error) && report_write_run(&run, into, error);
}

/* ---- several runs ---- */

/* The address of a run's report from the folder of the page. The caller frees it. */
static char *report_address(const char *page_path, const char *folder) {
    char *base = copy_text(page_path), *slash = strrchr(base, '/');
    if (slash) slash[slash == base] = '\0';
    AUTO_FREE char *from = realpath(slash ? base : ".", NULL), *to = realpath(folder, NULL);
    AUTO_FREE char *address = from && to ? path_relative(from, to) : copy_text(folder);
    const size_t length = strlen(address);
    char *report =
        format_text("%s%sreport.html", address, length && address[length - 1] != '/' ? "/" : "");
    free(base);
    return report;
}

static void print_joints(FILE *out, const run_data *runs, const char *const *names,
                         const char *const *folders, size_t count, const char *path) {
    bool sliding = false;
    for (size_t k = 0; k < count; k++) sliding = sliding || joint_table_has_sliding(&runs[k]);
    joint_table_begin(out, true, sliding);
    for (size_t k = 0; k < count; k++) {
        AUTO_FREE char *report = report_address(path, folders[k]);
        joint_table_rows(out, &runs[k], names[k], report);
    }
    joint_table_end(out);
}

static void print_overlaid_plots(page *p, const run_data *runs, const char *const *names,
                                 size_t count) {
    const size_t most = print_joint_plots(p, runs, names, count);
    if (!most) return;
    char *text =
        format_text("A curve shows about %zu samples, including the minimum and maximum of every "
                    "interval; joints.csv of a run has all.",
                    most);
    page_element(page_out(p), "p class=\"note\"", text);
    free(text);
}

static void print_settings(page *p, const run_data *run, const char *name) {
    page_element(page_out(p), "h3", name);
    print_facts(page_out(p), run);
}

static bool write_overlay(const run_data *runs, const char *const *names,
                          const char *const *folders, size_t count, const char *path,
                          stiction_error *error) {
    AUTO_FREE char *title = format_text("%zu runs compared", count);
    page *p = page_begin(path, title, error);
    if (!p) return false;
    for (size_t k = 0; k < count; k++) {
        page_element(page_out(p), "h3", names[k]);
        print_warnings(p, &runs[k]);
        run_sentences_print(page_out(p), &runs[k]);
    }
    replay_print(p, runs, names, folders, count);
    print_overlaid_plots(p, runs, names, count);
    page_element(page_out(p), "h2", "Figures");
    print_joints(page_out(p), runs, names, folders, count, path);
    page_element(page_out(p), "h2", "Settings");
    for (size_t k = 0; k < count; k++) print_settings(p, &runs[k], names[k]);
    return page_end(p, error);
}

bool overlay_write(const char *const *folders, size_t count, const char *path,
                   stiction_error *error) {
    AUTO_FREE run_data *runs = allocate(count, sizeof *runs);
    AUTO(text_list_free) text_list names = {NULL, 0};
    bool fine = true;
    for (; fine && names.count < count;
         text_list_add(&names, report_label(folders, count, names.count)))
        fine = run_data_load(&runs[names.count], folders[names.count], error);
    fine = fine && write_overlay(runs, names.items, folders, count, path, error);
    for (size_t k = 0; k < names.count; k++) run_data_release(&runs[k]);
    return fine;
}
