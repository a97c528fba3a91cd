/* SPDX-License-Identifier: MIT
 * A page over several runs: a row for each run and for each joint, with links.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "document/memory_stream.h"
#include "joint_table.h"
#include "plot/plot_axis.h"
#include "reduce.h"
#include "replay.h"
#include "report.h"

/* The thumbnail of a position curve, in pixels. */
enum { spark_width = 160, spark_height = 42, spark_points = 300 };

static void print_spark(FILE *out, const run_data *run, const run_joint *joint) {
    AUTO_FREE size_t *indices = allocate(run->sample_count + 1, sizeof *indices);
    const double *y = joint->position;
    const size_t count = reduce_series(&y, 1, run->sample_count, spark_points, indices);
    const plot_series series = {.x = run->time, .y = y, .count = run->sample_count};
    const plot around = {.series = &series, .count = 1};
    const panel_axis x_range = plot_x_range(&around), y_range = plot_y_range(&around);
    const plot_ruler x = plot_x_ruler(&around, &x_range, 2), up = plot_y_ruler(&y_range, 2);
    fprintf(out,
            "<svg class=\"spark\" viewBox=\"0 0 %d %d\" role=\"img\" preserveAspectRatio=\"none\">"
            "<title>position of ",
            spark_width, spark_height);
    page_text(out, joint->name);
    fputs("</title><polyline fill=\"none\" vector-effect=\"non-scaling-stroke\" "
          "stroke-width=\"1.6\" stroke=\"",
          out);
    fprintf(out, "#%06x\" points=\"", plot_style_of(0)->colour);
    for (size_t k = 0; k < count; k++)
        if (isfinite(y[indices[k]]))
            fprintf(out, "%.1f,%.1f ", plot_share(&x, run->time[indices[k]]) * spark_width,
                    (1 - plot_share(&up, y[indices[k]])) * spark_height);
    fputs("\"/></svg>", out);
}

static double all_events(const run_data *run) {
    double sum = 0;
    for (size_t j = 0; j < run->joint_count; j++) {
        const double events = run_data_figure(&run->joints[j], "stick_slip_events");
        if (isfinite(events)) sum += events;
    }
    return sum;
}

/* ---- the table of runs ---- */

/* Number of figures of the joint that moves the most. */
enum { shown_figures = 3 };

/* Columns with their units; text is left-aligned; `more` are hidden at first (page.js). */
typedef struct head {
    const char *title, *unit;
    bool text, more;
} head;

static const head heads_before[] = {
    {"run", "", true, false},      {"replay", "", true, false},
    {"position", "", true, false}, {"moves the most", "", true, false},
    {"law", "", true, false},      {"target", "\xC2\xB0 or m", false, false},
};
static const head heads_after[] = {
    {"joints", "", false, true},    {"stick-slip events", "all joints", false, false},
    {"engine", "", true, true},     {"time step", "s", false, true},
    {"duration", "s", false, true}, {"warnings", "", true, false},
};
enum {
    count_before = sizeof heads_before / sizeof heads_before[0],
    count_after = sizeof heads_after / sizeof heads_after[0]
};

static void print_heads(FILE *out, const head *heads, size_t count) {
    for (size_t k = 0; k < count; k++)
        fprintf(out, "<th class=\"%s%s\">%s<small>%s</small></th>", heads[k].text ? "text" : "",
                heads[k].more ? " more" : "", heads[k].title, heads[k].unit);
}

static void print_all_heads(FILE *out) {
    print_heads(out, heads_before, count_before);
    for (size_t k = 0; k < shown_figures; k++)
        joint_table_head(out, joint_figure_by_interest(k), true);
    print_heads(out, heads_after, count_after);
}

/* The joint that moves the most represents the run. */
static void print_chief_joint(FILE *out, const run_data *run, const char *report) {
    AUTO_FREE size_t *order = run_data_by_motion(run);
    const run_joint *joint = &run->joints[order[0]];
    fputs("<td>", out);
    print_spark(out, run, joint);
    fputs("</td>", out);
    joint_table_link(out, report, joint->name, joint->name);
    joint_table_text(out, joint->friction.law);
    joint_table_number(out, joint_table_target(run, joint), joint->prismatic ? "m" : "rad");
    for (size_t k = 0; k < shown_figures; k++)
        joint_table_figure(out, joint, joint_figure_by_interest(k));
}

/* All warnings of a run in one cell. */
static void print_problems(FILE *out, const run_data *run, bool broken) {
    AUTO_FREE char *warnings = run_data_warnings(run);
    AUTO_FREE char *text = format_text("%s%s%s", broken ? "interrupted" : "",
                                       broken && warnings ? "; " : "", warnings ? warnings : "");
    joint_table_text(out, text);
}

static void print_thumbnail(FILE *out, int thumbnail) {
    if (thumbnail < 0)
        fputs("<td></td>", out);
    else
        fprintf(out,
                "<td><canvas width=\"160\" height=\"100\" data-thumbnail=\"%d\"></canvas></td>",
                thumbnail);
}

/* page.js compares runs whose rows have the attribute. */
static void print_run(FILE *out, const run_data *run, const char *name, const char *report,
                      int thumbnail) {
    const bool broken = json_is_false(json_object_get(run->summary, "complete"));
    char *engine =
        format_text("%s %s", run_data_text(run, "engine"), run_data_text(run, "engine_version"));
    fputs("<tr data-report=\"", out);
    page_address(out, report);
    fputs(broken || !run_data_is_stable(run) ? "\" class=\"failed\">" : "\">", out);
    joint_table_link(out, report, NULL, name);
    print_thumbnail(out, thumbnail);
    if (run->joint_count)
        print_chief_joint(out, run, report);
    else
        fprintf(out, "<td class=\"text\" colspan=\"%d\">no joints</td>",
                count_before - 2 + shown_figures);
    joint_table_number(out, (double)run->joint_count, "");
    joint_table_number(out, all_events(run), "");
    joint_table_text(out, engine);
    joint_table_number(out, run_data_number(run, "timestep"), "s");
    joint_table_number(out, run_data_number(run, "duration"), "s");
    print_problems(out, run, broken);
    fputs("</tr>\n", out);
    free(engine);
}

static void print_missing(FILE *out, const char *name, const char *reason) {
    fputs("<tr class=\"failed\">", out);
    joint_table_text(out, name);
    fprintf(out, "<td class=\"text\" colspan=\"%d\">No results: ",
            count_before + shown_figures + count_after - 1);
    page_text(out, reason);
    fputs("</td></tr>\n", out);
}

/* Loads one run at a time to save memory; the rows of the joints are collected in `joints`. Returns
 * whether a joint is prismatic. */
static bool print_runs(FILE *out, FILE *joints, thumbnails *t, const char *folder,
                       const char *const *names, size_t count) {
    bool sliding = false;
    for (size_t k = 0; k < count; k++) {
        AUTO(run_data_release) run_data run;
        AUTO_FREE char *path = format_text("%s/%s", folder, names[k]);
        AUTO_FREE char *report = format_text("%s/report.html", names[k]);
        stiction_error error;
        if (run_data_load(&run, path, &error)) {
            print_run(out, &run, names[k], report, thumbnails_add(t, &run, path));
            joint_table_rows(joints, &run, names[k], report);
            sliding = sliding || joint_table_has_sliding(&run);
        } else {
            print_missing(out, names[k], error.message);
        }
    }
    return sliding;
}

static bool print_tables(page *p, const char *folder, const char *const *names, size_t count,
                         stiction_error *error) {
    FILE *out = page_out(p);
    char *text = NULL;
    size_t size = 0;
    FILE *joints = stiction_memory_stream(&text, &size);
    if (!joints) return fail_errno(error, folder);
    fputs("<div class=\"wide whole\"><table class=\"sortable runs\">\n<thead><tr>", out);
    print_all_heads(out);
    fputs("</tr></thead>\n<tbody>\n", out);
    thumbnails *t = thumbnails_begin(p);
    const bool sliding = print_runs(out, joints, t, folder, names, count);
    fputs("</tbody></table></div>\n", out);
    thumbnails_end(t);
    fputs("<h2>All joints</h2>\n", out);
    if (fclose(joints) != 0) return fail(error, "%s: out of memory", folder);
    joint_table_begin(out, true, sliding);
    fwrite(text, 1, size, out);
    joint_table_end(out);
    free(text);
    return true;
}

bool report_index(const char *out_folder, const char *into, const char *const *names, size_t count,
                  stiction_error *error) {
    AUTO_FREE char *path = format_text("%s/index.html", into);
    AUTO_FREE char *title = format_text("%zu run%s", count, count == 1 ? "" : "s");
    page *p = page_begin(path, title, error);
    if (!p) return false;
    const bool fine = print_tables(p, out_folder, names, count, error);
    fputs("<p class=\"note\"><code>stiction report FOLDER FOLDER</code> overlays "
          "runs.</p>\n",
          page_out(p));
    stiction_error own;
    return page_end(p, fine ? error : &own) && fine;
}
