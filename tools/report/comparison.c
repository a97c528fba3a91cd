/*
 * A page that compares the runs of a sweep.
 */
#include "comparison.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "assets.h"
#include "common/command.h"
#include "common/folder.h"
#include "joint_table.h"
#include "page.h"
#include "reduce.h"
#include "run_data.h"

/* Numbers of the position curves on a page, and points of one curve. */
enum { most_numbers = 240000, most_points = 1000, least_points = 60 };
/* Pictures that a page without dygraphs has, and series of one. */
enum { most_pictures = 60, most_series = 7 };

static const char *setting(const comparison_run *run, size_t parameter) {
    const char *text = run->settings ? run->settings[parameter] : NULL;
    return text ? text : "";
}

static double figure(const comparison_run *run, size_t index) {
    return run->figures && !run->failure ? run->figures[index] : (double)NAN;
}

/* The unit of "JOINT.figure": that of the figure behind the last dot. */
static const char *unit_of(const char *name) {
    const char *dot = strrchr(name, '.');
    const joint_figure *f = joint_figure_find(dot ? dot + 1 : name);
    return f ? f->unit : "";
}

/* ---- the table ---- */

static void print_head(FILE *out, const comparison *c) {
    fputs("<thead><tr><th class=\"text\">run</th>", out);
    for (size_t k = 0; k < c->parameter_count; k++)
        page_element(out, "th class=\"text\"", c->parameters[k]);
    for (size_t k = 0; k < c->figure_count; k++) {
        fputs("<th>", out);
        page_text(out, c->figures[k]);
        fprintf(out, "<small>%s</small></th>", unit_of(c->figures[k]));
    }
    fputs("<th class=\"text\">failure</th></tr></thead>\n", out);
}

/* A link to the report, or to the folder where there is none. */
static void print_name(FILE *out, const comparison_run *run, const char *folder) {
    fputs("<td class=\"text\">", out);
    if (run->folder) {
        char *report = format_text("%s/%s/report.html", folder, run->folder);
        fputs("<a href=\"", out);
        page_address(out, run->folder);
        fputs(file_exists(report) ? "/report.html\">" : "/\">", out);
        free(report);
    }
    page_text(out, run->name);
    fputs(run->folder ? "</a></td>" : "</td>", out);
}

static void print_row(FILE *out, const comparison *c, const comparison_run *run,
                      const char *folder) {
    fputs(run->failure ? "<tr class=\"failed\" data-run=\"" : "<tr data-run=\"", out);
    page_text(out, run->name);
    fputs("\">", out);
    print_name(out, run, folder);
    for (size_t k = 0; k < c->parameter_count; k++) {
        fputs("<td class=\"text\" data-value=\"", out);
        page_text(out, setting(run, k));
        fputs("\">", out);
        page_text(out, setting(run, k));
        fputs("</td>", out);
    }
    for (size_t k = 0; k < c->figure_count; k++)
        joint_table_number(out, figure(run, k), unit_of(c->figures[k]));
    page_element(out, "td class=\"text\"", run->failure ? run->failure : "");
    fputs("</tr>\n", out);
}

static void print_table(FILE *out, const comparison *c, const char *folder) {
    fputs("<h2>Runs</h2>\n<div class=\"wide\"><table class=\"sortable\" id=\"runs\">\n", out);
    print_head(out, c);
    fputs("<tbody>\n", out);
    for (size_t k = 0; k < c->run_count; k++) print_row(out, c, &c->runs[k], folder);
    fputs("</tbody></table></div>\n", out);
}

static void print_counts(page *p, const comparison *c) {
    size_t failed = 0;
    for (size_t k = 0; k < c->run_count; k++) failed += c->runs[k].failure != NULL;
    char *text =
        format_text("%zu run%s, %zu parameter%s.", c->run_count, c->run_count == 1 ? "" : "s",
                    c->parameter_count, c->parameter_count == 1 ? "" : "s");
    page_element(page_out(p), "p", text);
    free(text);
    if (c->note) page_element(page_out(p), "p class=\"note\"", c->note);
    if (!failed) return;
    text = format_text("%zu of the runs failed: their rows say why.", failed);
    page_warning(p, text);
    free(text);
}

/* ---- the table for the script ---- */

static void print_texts(FILE *out, const char *key, const char *const *texts, size_t count) {
    fprintf(out, "\"%s\":[", key);
    for (size_t k = 0; k < count; k++) {
        if (k) fputc(',', out);
        page_json_text(out, texts[k] ? texts[k] : "");
    }
    fputs("],\n", out);
}

static void print_json(page *p, const comparison *c) {
    FILE *out = page_out(p);
    page_json_begin(p, "comparison");
    fputc('{', out);
    print_texts(out, "parameters", c->parameters, c->parameter_count);
    print_texts(out, "figures", c->figures, c->figure_count);
    fputs("\"units\":[", out);
    for (size_t k = 0; k < c->figure_count; k++)
        fprintf(out, "%s\"%s\"", k ? "," : "", unit_of(c->figures[k]));
    fputs("],\n\"runs\":[", out);
    for (size_t k = 0; k < c->run_count; k++) {
        const comparison_run *run = &c->runs[k];
        fputs(k ? ",\n{\"name\":" : "\n{\"name\":", out);
        page_json_text(out, run->name);
        fputs(",\"settings\":[", out);
        for (size_t n = 0; n < c->parameter_count; n++) {
            if (n) fputc(',', out);
            page_json_text(out, setting(run, n));
        }
        fputs("],\"figures\":[", out);
        for (size_t n = 0; n < c->figure_count; n++) {
            if (n) fputc(',', out);
            page_json_number(out, figure(run, n), fabs(figure(run, n)));
        }
        fputs("]}", out);
    }
    fputs("]}", out);
    page_json_end(p);
}

/* ---- position curves ---- */

static void print_curve(FILE *out, const run_data *run, const run_joint *joint, size_t most) {
    size_t *indices = allocate(run->sample_count + 1, sizeof *indices);
    const double *y = joint->position;
    const size_t count = reduce_series(&y, 1, run->sample_count, most, indices);
    const double motion = run_data_motion(run, joint);
    page_json_text(out, joint->name);
    fprintf(out, ":{\"unit\":\"%s\",\"x\":[", joint->prismatic ? "m" : "rad");
    for (size_t k = 0; k < count; k++) {
        if (k) fputc(',', out);
        page_json_number(out, run->time[indices[k]], run->time[run->sample_count - 1]);
    }
    fputs("],\"y\":[", out);
    for (size_t k = 0; k < count; k++) {
        if (k) fputc(',', out);
        page_json_number(out, y[indices[k]], motion > 0 ? motion : fabs(y[0]));
    }
    fputs("]}", out);
    free(indices);
}

/* The curves of one run, of at most about `room` numbers; how many there are. */
static size_t print_curves(FILE *out, const run_data *run, const char *name, size_t room) {
    size_t most = room / 2 / (run->joint_count ? run->joint_count : 1);
    most = most > most_points ? most_points : most < least_points ? least_points : most;
    page_json_text(out, name);
    fputs(":{", out);
    for (size_t j = 0; j < run->joint_count; j++) {
        if (j) fputs(",\n", out);
        print_curve(out, run, &run->joints[j], most);
    }
    fputc('}', out);
    return 2 * most * run->joint_count;
}

/* Those of as many runs as there is room for. */
static void print_positions(page *p, const comparison *c, const char *folder) {
    FILE *out = page_out(p);
    size_t left = most_numbers, shown = 0, with_folder = 0;
    for (size_t k = 0; k < c->run_count; k++)
        with_folder += c->runs[k].folder && !c->runs[k].failure;
    page_json_begin(p, "positions");
    fputc('{', out);
    const size_t each = with_folder ? most_numbers / with_folder : 0;
    for (size_t k = 0; k < c->run_count && left > 0; k++) {
        if (!c->runs[k].folder || c->runs[k].failure) continue;
        run_data run;
        char *path = format_text("%s/%s", folder, c->runs[k].folder);
        if (run_data_load(&run, path)) {
            if (shown++) fputs(",\n", out);
            const size_t used = print_curves(out, &run, c->runs[k].name, each);
            left -= used < left ? used : left;
        }
        run_data_release(&run);
        free(path);
    }
    fputc('}', out);
    page_json_end(p);
    if (shown == with_folder) return;
    char *text = format_text("The page has the position curves of %zu of %zu runs; the reports of "
                             "the others have theirs.",
                             shown, with_folder);
    page_element(out, "p class=\"note\"", text);
    free(text);
}

/* ---- pictures, where there is no dygraphs ---- */

/* Whether all settings of a parameter are numbers. */
static bool is_numeric(const comparison *c, size_t parameter) {
    double value;
    for (size_t k = 0; k < c->run_count; k++)
        if (!read_number(setting(&c->runs[k], parameter), &value)) return false;
    return true;
}

/* The first run with the same setting: its index stands for a value that is no number. */
static size_t first_like(const comparison *c, size_t parameter, size_t run) {
    size_t k = 0;
    while (strcmp(setting(&c->runs[k], parameter), setting(&c->runs[run], parameter)) != 0) k++;
    return k;
}

/* A figure over the first parameter, a series for each value of the second (up to seven). */
typedef struct picture {
    plot_series series[most_series];
    size_t first_runs[most_series]; /* of each series */
    size_t count;
    double *x, *y; /* a stretch of run_count for each series */
} picture;

/* The series of a run, a new one where it has to be; most_series where there is no room. */
static size_t series_of(picture *q, const comparison *c, size_t run, size_t index) {
    const bool grouped = c->parameter_count > 1;
    const size_t first = grouped ? first_like(c, 1, run) : 0;
    size_t s = 0;
    while (s < q->count && q->first_runs[s] != first) s++;
    if (s < q->count || s == most_series) return s;
    q->first_runs[s] = first;
    q->series[s] = (plot_series){.label = grouped ? setting(&c->runs[run], 1) : c->figures[index],
                                 .x = q->x + s * c->run_count,
                                 .y = q->y + s * c->run_count,
                                 .points = true};
    q->count++;
    return s;
}

static void fill_picture(picture *q, const comparison *c, size_t index, bool numeric) {
    for (size_t run = 0; run < c->run_count; run++) {
        const double y = figure(&c->runs[run], index);
        double x = (double)first_like(c, 0, run);
        if (numeric) (void)read_number(setting(&c->runs[run], 0), &x);
        if (isnan(y)) continue;
        const size_t s = series_of(q, c, run, index);
        if (s == most_series) continue;
        const size_t at = s * c->run_count + q->series[s].count++;
        q->x[at] = x;
        q->y[at] = y;
    }
}

static void print_picture(page *p, const comparison *c, size_t index, bool numeric) {
    picture q = {.x = allocate(most_series * c->run_count + 1, sizeof *q.x),
                 .y = allocate(most_series * c->run_count + 1, sizeof *q.y)};
    fill_picture(&q, c, index, numeric);
    const bool grouped = c->parameter_count > 1;
    char *title = format_text("%s over %s%s%s", c->figures[index], c->parameters[0],
                              grouped ? ", by " : "", grouped ? c->parameters[1] : "");
    const plot what = {.title = title,
                       .x_label = c->parameters[0],
                       .y_label = c->figures[index],
                       .series = q.series,
                       .count = q.count};
    page_choice(p, c->figures[index], NULL, numeric ? "" : "x is the number of the first such run");
    page_plot(p, &what);
    free(title);
    free(q.x);
    free(q.y);
}

static void print_pictures(page *p, const comparison *c) {
    const bool numeric = c->parameter_count && is_numeric(c, 0);
    page_plots_begin(p, "figure", "Figure", NULL, false);
    for (size_t k = 0; c->parameter_count && k < c->figure_count && k < most_pictures; k++)
        print_picture(p, c, k, numeric);
    page_plots_end(p);
}

bool comparison_write(const comparison *c, const char *folder, const char *into) {
    char *path = format_text("%s/sweep.html", into);
    page *p = page_begin(path, c->title);
    free(path);
    if (!p) return false;
    print_counts(p, c);
    if (page_is_interactive(p)) {
        fputs("<div id=\"compare\"></div>\n", page_out(p));
        print_json(p, c);
        print_positions(p, c, folder);
        page_script(p, comparison_js, comparison_js_size);
    } else {
        print_pictures(p, c);
    }
    print_table(page_out(p), c, folder);
    return page_end(p);
}
