/*
 * A page over several runs: a row each, with a link to its report.
 */
#include "index.h"

#include <math.h>
#include <stdlib.h>

#include "common/command.h"
#include "reduce.h"
#include "report.h"

/* The picture of a position curve in a row, in its own units. */
enum { spark_width = 160, spark_height = 42, spark_points = 300 };

static void print_spark(FILE *out, const run_data *run, const run_joint *joint) {
    size_t *indices = allocate(run->sample_count + 1, sizeof *indices);
    const double *y = joint->position;
    const size_t count = reduce_series(&y, 1, run->sample_count, spark_points, indices);
    const plot_series series = {.x = run->time, .y = y, .count = run->sample_count};
    const plot around = {.series = &series, .count = 1};
    const plot_axis x_axis = plot_x_axis(&around, 2), y_axis = plot_y_axis(&around, 2);
    fprintf(out,
            "<svg class=\"spark\" viewBox=\"0 0 %d %d\" role=\"img\" preserveAspectRatio=\"none\">"
            "<title>position of ",
            spark_width, spark_height);
    page_text(out, joint->name);
    fputs("</title><polyline fill=\"none\" vector-effect=\"non-scaling-stroke\" "
          "stroke-width=\"1.6\" stroke=\"",
          out);
    fprintf(out, "%s\" points=\"", plot_style_of(0)->colour);
    for (size_t k = 0; k < count; k++)
        if (isfinite(y[indices[k]]))
            fprintf(out, "%.1f,%.1f ", plot_place(&x_axis, run->time[indices[k]], 0, spark_width),
                    plot_place(&y_axis, y[indices[k]], spark_height, 0));
    fputs("\"/></svg>", out);
    free(indices);
}

static double all_events(const run_data *run) {
    double sum = 0;
    for (size_t j = 0; j < run->joint_count; j++) {
        const double events = run_data_figure(&run->joints[j], "stick_slip_events");
        if (isfinite(events)) sum += events;
    }
    return sum;
}

static void print_text_cell(FILE *out, const char *text) {
    page_element(out, "td class=\"text\"", text);
}

static void print_link(FILE *out, const char *name) {
    fputs("<td class=\"text\"><a href=\"", out);
    page_address(out, name);
    fputs("/report.html\">", out);
    page_text(out, name);
    fputs("</a></td>", out);
}

/* The joint that moves the most stands for the run. */
static void print_run(FILE *out, const run_data *run, const char *name) {
    size_t *order = run_data_by_motion(run);
    const run_joint *joint = run->joint_count ? &run->joints[order[0]] : NULL;
    const bool broken = json_is_false(json_object_get(run->summary, "complete"));
    char *engine =
        format_text("%s %s", run_data_text(run, "engine"), run_data_text(run, "engine_version"));
    free(order);
    fputs(broken ? "<tr class=\"failed\">" : "<tr>", out);
    print_link(out, name);
    fputs("<td>", out);
    if (joint) print_spark(out, run, joint);
    fputs("</td>", out);
    print_text_cell(out, joint ? joint->name : "");
    report_cell(out, joint ? run_data_figure(joint, "final_position") : (double)NAN,
                joint && joint->prismatic ? "m" : "rad");
    report_cell(out, joint ? run_data_figure(joint, "stop_time") : (double)NAN, "s");
    report_cell(out, (double)run->joint_count, "");
    report_cell(out, all_events(run), "");
    print_text_cell(out, engine);
    report_cell(out, run_data_number(run, "timestep"), "s");
    report_cell(out, run_data_number(run, "duration"), "s");
    print_text_cell(out, broken ? "interrupted" : "");
    fputs("</tr>\n", out);
    free(engine);
}

static void print_row(FILE *out, const char *folder, const char *name) {
    run_data run;
    char *path = format_text("%s/%s", folder, name);
    if (run_data_load(&run, path)) {
        print_run(out, &run, name);
    } else {
        fputs("<tr class=\"failed\">", out);
        print_text_cell(out, name);
        fputs(
            "<td class=\"text\" colspan=\"10\">There are no results that can be read.</td></tr>\n",
            out);
    }
    run_data_release(&run);
    free(path);
}

/* The columns, with their units; those of text stand to the left. */
typedef struct head {
    const char *title, *unit;
    bool text;
} head;

static const head heads[] = {
    {"report", "", true},
    {"position", "", true},
    {"moves the most", "", true},
    {"final position", "rad or m", false},
    {"stop time", "s", false},
    {"joints", "", false},
    {"stick-slip events", "all joints", false},
    {"engine", "", true},
    {"time step", "s", false},
    {"duration", "s", false},
    {"", "", true},
};

static void print_head(FILE *out, const head *h) {
    fprintf(out, "<th%s>%s<small>%s</small></th>", h->text ? " class=\"text\"" : "", h->title,
            h->unit);
}

bool report_index(const char *out_folder, const char *const *names, size_t count) {
    char *path = format_text("%s/index.html", out_folder);
    char *title = format_text("%zu run%s", count, count == 1 ? "" : "s");
    page *p = page_begin(path, title);
    free(path);
    free(title);
    if (!p) return false;
    fputs("<div class=\"wide whole\"><table class=\"sortable\">\n<thead><tr>", page_out(p));
    for (size_t k = 0; k < sizeof heads / sizeof heads[0]; k++) print_head(page_out(p), &heads[k]);
    fputs("</tr></thead>\n<tbody>\n", page_out(p));
    for (size_t k = 0; k < count; k++) print_row(page_out(p), out_folder, names[k]);
    fputs("</tbody></table></div>\n", page_out(p));
    return page_end(p);
}
