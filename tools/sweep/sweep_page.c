/* SPDX-License-Identifier: MIT
 * sweep.html: the settings and figures of all runs for its script (report/comparison/), column by
 * column, and the series of some runs. A small sweep has the series of every run, a large one those
 * of the best runs and of a sample of the others. Numbers have single precision, four bytes each as
 * base64; sweep.csv has all 17 digits.
 */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "common/base64.h"
#include "common/command.h"
#include "common/folder.h"
#include "report/assets.h"
#include "report/page.h"
#include "report/reduce.h"
#include "report/run_data.h"
#include "results/body_figures.h"
#include "run/setting_units.h"
#include "sweep/tables.h"

/* Numbers of figures on a page, 5.4 bytes each. */
enum { most_figures = 4000000 };

/* The figure that is 1 if a run works and 0 if not. */
static const size_t works_figure = SIZE_MAX;

typedef struct sweep_page {
    page *page;
    FILE *out;
    const sweep_rows *rows;
    size_t *figures; /* columns of the rows, or works_figure; the page opens with the first */
    size_t figure_count;
} sweep_page;

static double figure_of(const sweep_page *s, size_t row, size_t figure) {
    const sweep_row *of = &s->rows->rows[row];
    if (of->failure) return (double)NAN;
    return s->figures[figure] == works_figure ? of->works
                                              : sweep_row_figure(of, s->figures[figure]);
}

/* NULL: it is works_figure. */
static const joint_figure *kind_of(const sweep_page *s, size_t figure) {
    return s->figures[figure] == works_figure ? NULL : s->rows->figures[s->figures[figure]].kind;
}

/* ---- columns of texts ---- */

/* {"values": [...], "at": "base64", "bytes": 2}: the distinct texts in the order of their first
 * appearance, and the index of each run's. NULL is an empty text. */
static void print_texts(FILE *out, const char *const *texts, size_t count) {
    json_auto_t *numbers = must_have(json_object()); /* by text */
    AUTO_FREE uint32_t *at = allocate(count, sizeof *at);
    fputs("{\"values\":[", out);
    for (size_t k = 0; k < count; k++) {
        const char *text = texts[k] ? texts[k] : "";
        const size_t groups = json_object_size(numbers);
        json_t *number = json_object_get(numbers, text);
        if (!number) {
            if (groups) fputc(',', out);
            page_json_text(out, text);
            number = must_have(json_integer((json_int_t)groups));
            if (json_object_set_new_nocheck(numbers, text, number) != 0) (void)must_have(NULL);
        }
        at[k] = (uint32_t)json_integer_value(number);
    }
    const size_t groups = json_object_size(numbers);
    const int bytes = groups > 65536 ? 4 : groups > 256 ? 2 : 1;
    fprintf(out, "],\"bytes\":%d,\"at\":", bytes);
    base64 b = base64_begin(out);
    for (size_t k = 0; k < count; k++) base64_bytes(&b, at[k], bytes);
    base64_end(&b);
    fputc('}', out);
}

static void print_setting(const sweep_page *s, const char *key, const char *const *values,
                          bool first) {
    page_json_member(s->out, first ? "\n{" : ",\n{", "key", key);
    page_json_member(s->out, ",", "unit", setting_unit(key));
    fputs(",\"column\":", s->out);
    print_texts(s->out, values, s->rows->count);
    fputc('}', s->out);
}

/* The settings that vary, the project first if it does; then failures and warnings. */
static void print_settings(const sweep_page *s) {
    const sweep_plan *plan = s->rows->plan;
    const size_t count = s->rows->count;
    const sweep_row *rows = s->rows->rows;
    AUTO_FREE const char **texts = allocate(count, sizeof *texts);
    bool first = true;
    fputs("\"settings\":[", s->out);
    for (size_t n = 0; n <= plan->parameter_count; n++) {
        if (n ? !sweep_plan_varies(plan, n - 1) : plan->project_count < 2) continue;
        for (size_t k = 0; k < count; k++)
            texts[k] =
                n ? sweep_plan_value(plan, rows[k].run, n - 1)
                  : sweep_plan_short_project(plan, sweep_plan_project_index(plan, rows[k].run));
        print_setting(s, n ? plan->parameters[n - 1].key : "project", texts, first);
        first = false;
    }
    fputs("],\n\"failures\":", s->out);
    for (size_t k = 0; k < count; k++) texts[k] = rows[k].failure;
    print_texts(s->out, texts, count);
    fputs(",\n\"warnings\":", s->out);
    for (size_t k = 0; k < count; k++) texts[k] = rows[k].warnings;
    print_texts(s->out, texts, count);
}

/* ---- figures ---- */

/* All figures of a kind, joint after joint, that some run has. */
static void select_kind(sweep_page *s, const joint_figure *kind) {
    for (size_t k = 0; k < s->rows->figure_count; k++)
        if (s->rows->figures[k].kind == kind && sweep_has_figure(s->rows, k))
            s->figures[s->figure_count++] = k;
}

/* The most interesting kinds come first: the page opens with them. */
static void select_figures(sweep_page *s) {
    const joint_figure *kind;
    const joint_figure *first =
        sweep_targets_move(s->rows, NULL) ? joint_figure_find("rms_tracking_error") : NULL;
    s->figures = allocate(s->rows->figure_count + 1, sizeof *s->figures);
    if (s->rows->plan->works.select) s->figures[s->figure_count++] = works_figure;
    if (first) select_kind(s, first);
    for (size_t k = 0; (kind = joint_figure_by_interest(k)); k++)
        if (kind != first) select_kind(s, kind);
    for (size_t k = 0; (kind = joint_figure_at(k)); k++)
        if (!kind->interest) select_kind(s, kind);
    for (size_t k = 0; (kind = body_figure_at(k)); k++) select_kind(s, kind);
}

/* How many figures have room, in whole kinds: the worst joint must be among them. */
static size_t shown_figures(const sweep_page *s) {
    size_t count = s->rows->count ? most_figures / s->rows->count : s->figure_count;
    if (count >= s->figure_count) return s->figure_count;
    while (count && kind_of(s, count) == kind_of(s, count - 1)) count--;
    return count;
}

/* Kinds of figures, "final_position", with their titles and explanations. */
static void print_kinds(const sweep_page *s, size_t count) {
    fputs(",\n\"kinds\":{", s->out);
    for (size_t k = 0; k < count; k++) {
        const joint_figure *f = kind_of(s, k);
        if (k && f == kind_of(s, k - 1)) continue;
        if (k) fputs(",\n", s->out);
        page_json_text(s->out, f ? f->name : "works");
        page_json_member(s->out, ":{", "title", f ? f->title : "works");
        if (f) page_json_member(s->out, ",", "none", f->none ? f->none : "");
        page_json_member(s->out, ",", "description",
                         f ? f->description : s->rows->plan->works.text);
        fputc('}', s->out);
    }
    fputc('}', s->out);
}

/* A column as base64, or the one number of all runs that succeeded. */
static void print_figure(const sweep_page *s, size_t figure) {
    bool constant = true, any = false;
    double same = (double)NAN;
    for (size_t k = 0; k < s->rows->count && constant; k++) {
        if (s->rows->rows[k].failure) continue;
        const double value = figure_of(s, k, figure);
        if (!any) same = value;
        any = true;
        constant = value == same || (isnan(value) && isnan(same));
    }
    if (constant) {
        page_json_number(s->out, same, fabs(same));
        return;
    }
    base64 b = base64_begin(s->out);
    for (size_t k = 0; k < s->rows->count; k++) base64_float(&b, figure_of(s, k, figure));
    base64_end(&b);
}

static void print_figures(const sweep_page *s, size_t count) {
    print_kinds(s, count);
    fputs(",\n\"figures\":[", s->out);
    for (size_t k = 0; k < count; k++) {
        const bool works = s->figures[k] == works_figure;
        const sweep_figure *f = works ? NULL : &s->rows->figures[s->figures[k]];
        page_json_member(s->out, k ? ",\n{" : "\n{", "name", works ? "works" : f->name);
        page_json_member(s->out, ",", "unit",
                         works ? "" : joint_figure_unit(f->kind, f->prismatic));
        fputs(",\"values\":", s->out);
        print_figure(s, k);
        fputc('}', s->out);
    }
    fputs("]", s->out);
}

/* ---- runs ---- */

/* The folder of a run from the page; NULL: only its figures are kept. The caller frees it. */
static char *folder_of(const sweep_row *row) {
    return row->has_folder ? format_text("runs/%s", row->name) : NULL;
}

/* The folders, "" where there is none; a digit for each run, 2 if it has a report; and numbers. */
static void print_folders(const sweep_page *s) {
    const sweep_row *rows = s->rows->rows;
    fputs(",\n\"folders\":[", s->out);
    for (size_t k = 0; k < s->rows->count; k++) {
        AUTO_FREE char *folder = folder_of(&rows[k]);
        if (k) fputc(',', s->out);
        page_json_text(s->out, folder ? folder : "");
    }
    fputs("],\n\"reports\":\"", s->out);
    for (size_t k = 0; k < s->rows->count; k++) {
        AUTO_FREE char *report =
            format_text("%s/runs/%s/report.html", s->rows->folder, rows[k].name);
        fputc(!rows[k].has_folder ? '0' : file_exists(report) ? '2' : '1', s->out);
    }
    fputs("\",\n\"names\":[", s->out);
    for (size_t k = 0; k < s->rows->count; k++)
        fprintf(s->out, "%s\"%zu\"", k ? "," : "", rows[k].run + 1);
    fputs("]", s->out);
}

/* The colours of values from low to high, those of the pictures. */
static void print_scale(FILE *out) {
    enum { stops = 17 };
    fputs(",\n\"scale\":[", out);
    for (int k = 0; k < stops; k++) {
        const unsigned colour = plot_scale_colour((double)k / (stops - 1));
        fprintf(out, "%s[%u,%u,%u]", k ? "," : "", colour >> 16, colour >> 8 & 255, colour & 255);
    }
    fputs("]", out);
}

static void print_data(const sweep_page *s) {
    const size_t count = shown_figures(s);
    if (count < s->figure_count) {
        AUTO_FREE char *text = format_text("The page has %zu of %zu figures; sweep.csv has all.",
                                           count, s->figure_count);
        page_element(s->out, "p class=\"note\"", text);
    }
    page_json_begin(s->page, "comparison");
    fprintf(s->out, "{\"count\":%zu,\n", s->rows->count);
    print_settings(s);
    print_figures(s, count);
    print_folders(s);
    print_scale(s->out);
    fputc('}', s->out);
    page_json_end(s->page);
}

/* ---- series of some runs ---- */

/* Numbers of all curves on a page, points of one, and runs. */
enum {
    most_curve_numbers = 600000,
    most_points = 600,
    least_points = 60,
    most_runs = 120,
    best_runs = 40
};

typedef struct candidate {
    double value; /* of the first figure but `works`, NaN last */
    size_t row;
} candidate;

static int by_value(const void *a, const void *b) {
    const candidate *one = a, *other = b;
    if (isnan(one->value) || isnan(other->value)) return isnan(one->value) - isnan(other->value);
    return one->value < other->value ? -1 : one->value > other->value;
}

/* Puts those to show first, the best of all before the others. */
static size_t choose_runs(candidate *all, size_t count) {
    if (count <= most_runs) return count;
    qsort(all, count, sizeof *all, by_value);
    const double step = (double)(count - best_runs) / (most_runs - best_runs);
    for (size_t k = best_runs; k < most_runs; k++)
        all[k] = all[best_runs + (size_t)((double)(k - best_runs) * step)];
    return most_runs;
}

static void print_curve(FILE *out, const double *y, const size_t *indices, size_t count) {
    base64 b = base64_begin(out);
    for (size_t k = 0; k < count; k++) base64_float(&b, y[indices[k]]);
    base64_end(&b);
}

/* Returns how many numbers were printed. */
static size_t print_joint(FILE *out, const run_data *run, const run_joint *joint, size_t most) {
    const struct {
        const char *name;
        const double *series; /* NULL: none */
    } curves[] = {{"position", joint->position},
                  {"velocity", joint->velocity},
                  {"command", joint->command},
                  {"friction", joint->friction_torque},
                  {"target", joint->target}};
    const double *shapes[] = {joint->position, joint->velocity, joint->command};
    AUTO_FREE size_t *indices = allocate(run->sample_count, sizeof *indices);
    const size_t count = reduce_series(shapes, 3, run->sample_count, most, indices);
    page_json_text(out, joint->name);
    fprintf(out, ":{\"linear\":%s,\"time\":", joint->prismatic ? "true" : "false");
    print_curve(out, run->time, indices, count);
    for (size_t k = 0; k < sizeof curves / sizeof curves[0]; k++) {
        if (!curves[k].series) continue;
        fprintf(out, ",\"%s\":", curves[k].name);
        print_curve(out, curves[k].series, indices, count);
    }
    fputc('}', out);
    return 4 * count;
}

static size_t print_run(FILE *out, const run_data *run, size_t number, size_t room) {
    size_t most = room / 6 / (run->joint_count ? run->joint_count : 1), used = 0;
    most = most > most_points ? most_points : most < least_points ? least_points : most;
    fprintf(out, "\"%zu\":{", number);
    for (size_t j = 0; j < run->joint_count; j++) {
        if (j) fputs(",\n", out);
        used += print_joint(out, run, &run->joints[j], most);
    }
    fputc('}', out);
    return used;
}

static char *series_folder(const sweep_page *s, size_t row) {
    return format_text("%s/runs/%s", s->rows->folder, s->rows->rows[row].name);
}

static void print_curves(const sweep_page *s) {
    AUTO_FREE candidate *all = allocate(s->rows->count, sizeof *all);
    const size_t first = s->figure_count > 1 && s->figures[0] == works_figure;
    size_t there = 0, shown = 0, used = 0;
    for (size_t k = 0; k < s->rows->count; k++) {
        AUTO_FREE char *path = series_folder(s, k);
        if (!s->rows->rows[k].failure && s->rows->rows[k].has_folder && series_is_there(path))
            all[there++] =
                (candidate){s->figure_count ? fabs(figure_of(s, k, first)) : (double)NAN, k};
    }
    const size_t count = choose_runs(all, there);
    page_json_begin(s->page, "curves");
    fputs("{\"runs\":{", s->out);
    for (size_t k = 0; k < count && used < most_curve_numbers; k++) {
        AUTO(run_data_release) run_data run;
        AUTO_FREE char *path = series_folder(s, all[k].row);
        stiction_error error;
        if (!run_data_load(&run, path, &error)) continue;
        if (shown++) fputs(",\n", s->out);
        used += print_run(s->out, &run, all[k].row, most_curve_numbers / count);
    }
    fprintf(s->out, "},\"shown\":%zu,\"there\":%zu}", shown, there);
    page_json_end(s->page);
}

/* ---- the page ---- */

static char *title_of(const sweep_plan *plan) {
    char *title = copy_text("Sweep of ");
    for (size_t k = 0; k < plan->project_count; k++)
        append_text(&title, "%s%s", k ? ", " : "", sweep_plan_short_project(plan, k));
    return title;
}

static size_t varying_settings(const sweep_plan *plan) {
    size_t count = plan->project_count > 1;
    for (size_t k = 0; k < plan->parameter_count; k++) count += sweep_plan_varies(plan, k);
    return count;
}

static void print_counts(const sweep_page *s) {
    const size_t settings = varying_settings(s->rows->plan);
    AUTO_FREE char *note = sweep_note(s->rows);
    AUTO_FREE char *text =
        format_text("%zu run%s, %zu parameter%s.", s->rows->count, s->rows->count == 1 ? "" : "s",
                    settings, settings == 1 ? "" : "s");
    page_element(s->out, "p", text);
    page_element(s->out, "p class=\"note\"", note);
    if (!s->rows->failed) return;
    AUTO_FREE char *failed =
        format_text("%zu of the runs failed: their rows say why.", s->rows->failed);
    page_warning(s->page, failed);
}

bool sweep_write_page(const sweep_rows *rows, const char *into, stiction_error *error) {
    AUTO_FREE char *path = format_text("%s/sweep.html", into), *title = title_of(rows->plan);
    sweep_page s = {.page = page_begin_styled(path, title, comparison_css, error), .rows = rows};
    if (!s.page) return false;
    s.out = page_out(s.page);
    select_figures(&s);
    print_counts(&s);
    fputs("<noscript><p class=\"warning\">The drawings and the table need JavaScript; "
          "sweep.csv has all numbers.</p></noscript>\n"
          "<div id=\"compare\"></div>\n",
          s.out);
    print_data(&s);
    print_curves(&s);
    free(s.figures);
    page_script(s.page, comparison_js);
    return page_end(s.page, error);
}
