/* SPDX-License-Identifier: MIT
 * The page of a sweep: the table for its script, column by column, and curves of some runs:
 * position and target, velocity, torques. A small sweep has the curves of every run, a large one
 * those of the best runs and of a sample of the others. Numbers are single precision, 7 digits,
 * four bytes each as base64; sweep.csv has all 17.
 */
#include "comparison.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "assets.h"
#include "common/base64.h"
#include "common/command.h"
#include "common/folder.h"
#include "page.h"
#include "reduce.h"
#include "results/body_figures.h"
#include "run_data.h"

/* Numbers of figures on a page, 5.4 bytes each. */
enum { most_figures = 4000000 };

static bool has_failed(const comparison *c, size_t run) {
    return c->failure(c->user, run, 0) != NULL;
}

static double figure_of(const comparison *c, size_t run, size_t figure) {
    return has_failed(c, run) ? (double)NAN : c->figure(c->user, run, figure);
}

static const char *after_dot(const char *name) {
    const char *dot = strrchr(name, '.');
    return dot ? dot + 1 : name;
}

/* That of a joint or of a body; NULL: there is none of this name. */
static const joint_figure *kind_of(const char *name) {
    const joint_figure *f = joint_figure_find(name);
    return f ? f : body_figure_find(name);
}

static void print_floats(FILE *out, const float *values, size_t count) {
    base64 b = base64_begin(out);
    for (size_t k = 0; k < count; k++) base64_float(&b, (double)values[k]);
    base64_end(&b);
}

/* ---- columns of texts ---- */

/* {"values": [...], "at": "base64", "bytes": 2}: the texts that differ, in the order of their first
 * appearance, and the number of each run's. */
static void print_texts(FILE *out, const comparison *c, comparison_text *text, size_t column) {
    json_auto_t *numbers = must_have(json_object()); /* by text */
    AUTO_FREE uint32_t *at = allocate(c->run_count + 1, sizeof *at);
    fputs("{\"values\":[", out);
    for (size_t k = 0; k < c->run_count; k++) {
        const char *given = text(c->user, k, column), *of_run = given ? given : "";
        const size_t groups = json_object_size(numbers);
        json_t *number = json_object_get(numbers, of_run);
        if (!number) {
            if (groups) fputc(',', out);
            page_json_text(out, of_run);
            number = must_have(json_integer((json_int_t)groups));
            if (json_object_set_new_nocheck(numbers, of_run, number) != 0) (void)must_have(NULL);
        }
        at[k] = (uint32_t)json_integer_value(number);
    }
    const size_t groups = json_object_size(numbers);
    const int bytes = groups > 65536 ? 4 : groups > 256 ? 2 : 1;
    fprintf(out, "],\"bytes\":%d,\"at\":", bytes);
    base64 b = base64_begin(out);
    for (size_t k = 0; k < c->run_count; k++) base64_bytes(&b, at[k], bytes);
    base64_end(&b);
    fputc('}', out);
}

static void print_settings(FILE *out, const comparison *c) {
    fputs("\"settings\":[", out);
    for (size_t k = 0; k < c->parameter_count; k++) {
        page_json_member(out, k ? ",\n{" : "\n{", "key", c->parameters[k].name);
        page_json_member(out, ",", "unit", c->parameters[k].unit);
        fputs(",\"column\":", out);
        print_texts(out, c, c->setting, k);
        fputc('}', out);
    }
    fputs("],\n\"failures\":", out);
    print_texts(out, c, c->failure, 0);
    fputs(",\n\"warnings\":", out);
    print_texts(out, c, c->warnings, 0);
}

/* ---- figures ---- */

/* Kinds of figures, "final_position", with their titles and explanations. */
static void print_kinds(FILE *out, const comparison *c, size_t count) {
    fputs(",\n\"kinds\":{", out);
    size_t shown = 0;
    for (size_t k = 0; k < count; k++) {
        const char *name = after_dot(c->figures[k].name);
        bool known = false;
        for (size_t n = 0; n < k && !known; n++)
            known = strcmp(after_dot(c->figures[n].name), name) == 0;
        const joint_figure *f = kind_of(name);
        const bool is_works = strcmp(name, COMPARISON_WORKS) == 0;
        if (known || (!f && !is_works)) continue;
        if (shown++) fputs(",\n", out);
        page_json_text(out, name);
        if (is_works) {
            page_json_member(out, ":{", "title", "works");
            page_json_member(out, ",", "description", c->works ? c->works : "");
            fputc('}', out);
            continue;
        }
        page_json_member(out, ":{", "title", f->title);
        page_json_member(out, ",", "none", f->none ? f->none : "");
        page_json_member(out, ",", "description", f->description);
        fputc('}', out);
    }
    fputc('}', out);
}

/* A column as base64, or the one number that all have; a run that failed does not count. */
static void print_figure(FILE *out, const comparison *c, size_t figure) {
    bool constant = true, any = false;
    double same = (double)NAN;
    for (size_t k = 0; k < c->run_count && constant; k++) {
        if (has_failed(c, k)) continue;
        const double value = figure_of(c, k, figure);
        if (!any) same = value;
        any = true;
        constant = value == same || (isnan(value) && isnan(same));
    }
    if (constant) {
        page_json_number(out, same, fabs(same));
        return;
    }
    base64 b = base64_begin(out);
    for (size_t k = 0; k < c->run_count; k++) base64_float(&b, figure_of(c, k, figure));
    base64_end(&b);
}

static void print_figures(FILE *out, const comparison *c, size_t count) {
    print_kinds(out, c, count);
    fputs(",\n\"figures\":[", out);
    for (size_t k = 0; k < count; k++) {
        page_json_member(out, k ? ",\n{" : "\n{", "name", c->figures[k].name);
        page_json_member(out, ",", "unit", c->figures[k].unit);
        fputs(",\"values\":", out);
        print_figure(out, c, k);
        fputc('}', out);
    }
    fputs("]", out);
}

/* ---- runs ---- */

/* The folders, "" where there is none, and a digit a run: 2 where it has a report. */
static void print_folders(FILE *out, const comparison *c, const char *folder) {
    fputs(",\n\"folders\":[", out);
    for (size_t k = 0; k < c->run_count; k++) {
        const char *of_run = c->folder(c->user, k, 0);
        if (k) fputc(',', out);
        page_json_text(out, of_run ? of_run : "");
    }
    fputs("],\n\"reports\":\"", out);
    for (size_t k = 0; k < c->run_count; k++) {
        const char *of_run = c->folder(c->user, k, 0);
        AUTO_FREE char *report = of_run ? format_text("%s/%s/report.html", folder, of_run) : NULL;
        fputc(!report ? '0' : file_exists(report) ? '2' : '1', out);
    }
    fputs("\",\n\"names\":[", out);
    for (size_t k = 0; k < c->run_count; k++) {
        if (k) fputc(',', out);
        page_json_text(out, c->name(c->user, k, 0));
    }
    fputs("]", out);
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

/* How many of the figures there is room for, in whole kinds: the worst joint must be among them. */
static size_t shown_figures(const comparison *c) {
    size_t count = c->run_count ? most_figures / c->run_count : c->figure_count;
    if (count >= c->figure_count) return c->figure_count;
    while (count &&
           strcmp(after_dot(c->figures[count].name), after_dot(c->figures[count - 1].name)) == 0)
        count--;
    return count;
}

static void print_data(page *p, const comparison *c, const char *folder) {
    FILE *out = page_out(p);
    const size_t count = shown_figures(c);
    if (count < c->figure_count) {
        AUTO_FREE char *text = format_text("The page has %zu of %zu figures; sweep.csv has all.",
                                           count, c->figure_count);
        page_element(out, "p class=\"note\"", text);
    }
    page_json_begin(p, "comparison");
    fprintf(out, "{\"count\":%zu,\n", c->run_count);
    print_settings(out, c);
    print_figures(out, c, count);
    print_folders(out, c, folder);
    print_scale(out);
    fputc('}', out);
    page_json_end(p);
}

/* ---- curves of some runs ---- */

/* Numbers of all curves on a page, points of one, and runs. */
enum {
    most_curve_numbers = 600000,
    most_points = 600,
    least_points = 60,
    most_runs = 120,
    best = 40
};

static const struct {
    const char *name;
    size_t offset; /* of its series in run_joint */
} curves[] = {{"position", offsetof(run_joint, position)},
              {"velocity", offsetof(run_joint, velocity)},
              {"command", offsetof(run_joint, command)},
              {"friction", offsetof(run_joint, friction_torque)},
              {"target", offsetof(run_joint, target)}};
enum { curve_count = sizeof curves / sizeof curves[0] };

static const double *series_of(const run_joint *joint, size_t curve) {
    return *(const double *const *)((const char *)joint + curves[curve].offset);
}

/* ---- which runs ---- */

typedef struct candidate {
    double value; /* of the first figure but `works`, NaN last */
    size_t run;
} candidate;

static int by_value(const void *a, const void *b) {
    const candidate *one = a, *other = b;
    if (isnan(one->value) || isnan(other->value)) return isnan(one->value) - isnan(other->value);
    return one->value < other->value ? -1 : one->value > other->value;
}

static bool has_series(const comparison *c, size_t run, const char *folder) {
    const char *of_run = has_failed(c, run) ? NULL : c->folder(c->user, run, 0);
    AUTO_FREE char *path = of_run ? format_text("%s/%s", folder, of_run) : NULL;
    return path && series_is_there(path);
}

/* Puts those to show first, the best of all before the others. */
static size_t choose(candidate *all, size_t count) {
    if (count <= most_runs) return count;
    qsort(all, count, sizeof *all, by_value);
    const double step = (double)(count - best) / (most_runs - best);
    for (size_t k = best; k < most_runs; k++)
        all[k] = all[best + (size_t)((double)(k - best) * step)];
    return most_runs;
}

/* ---- one run ---- */

static void print_curve(FILE *out, const double *y, const size_t *indices, size_t count) {
    AUTO_FREE float *values = allocate(count + 1, sizeof *values);
    for (size_t k = 0; k < count; k++) values[k] = (float)y[indices[k]];
    print_floats(out, values, count);
}

/* How many numbers went out. */
static size_t print_joint(FILE *out, const run_data *run, const run_joint *joint, size_t most) {
    size_t *indices = allocate(run->sample_count + 1, sizeof *indices), shaped = 0;
    const double *shapes[curve_count];
    for (size_t k = 0; k < curve_count; k++)
        if (series_of(joint, k) && k < 3) shapes[shaped++] = series_of(joint, k);
    const size_t count = reduce_series(shapes, shaped, run->sample_count, most, indices);
    page_json_text(out, joint->name);
    fprintf(out, ":{\"linear\":%s,\"time\":", joint->prismatic ? "true" : "false");
    print_curve(out, run->time, indices, count);
    for (size_t k = 0; k < curve_count; k++) {
        if (!series_of(joint, k)) continue;
        fprintf(out, ",\"%s\":", curves[k].name);
        print_curve(out, series_of(joint, k), indices, count);
    }
    fputc('}', out);
    free(indices);
    return (shaped + 1) * count;
}

static size_t print_run(FILE *out, const run_data *run, size_t number, size_t room) {
    size_t most = room / (curve_count + 1) / (run->joint_count ? run->joint_count : 1), used = 0;
    most = most > most_points ? most_points : most < least_points ? least_points : most;
    fprintf(out, "\"%zu\":{", number);
    for (size_t j = 0; j < run->joint_count; j++) {
        if (j) fputs(",\n", out);
        used += print_joint(out, run, &run->joints[j], most);
    }
    fputc('}', out);
    return used;
}

/* ---- all ---- */

static void print_curves(page *p, const comparison *c, const char *folder) {
    FILE *out = page_out(p);
    AUTO_FREE candidate *all = allocate(c->run_count + 1, sizeof *all);
    const size_t first = c->figure_count > 1 && strcmp(c->figures[0].name, COMPARISON_WORKS) == 0;
    size_t there = 0, shown = 0, used = 0;
    for (size_t k = 0; k < c->run_count; k++)
        if (has_series(c, k, folder))
            all[there++] =
                (candidate){c->figure_count ? fabs(figure_of(c, k, first)) : (double)NAN, k};
    const size_t count = choose(all, there);
    page_json_begin(p, "curves");
    fputs("{\"runs\":{", out);
    for (size_t k = 0; k < count && used < most_curve_numbers; k++) {
        AUTO(run_data_release) run_data run;
        AUTO_FREE char *path = format_text("%s/%s", folder, c->folder(c->user, all[k].run, 0));
        stiction_error error;
        if (run_data_load(&run, path, &error)) {
            if (shown++) fputs(",\n", out);
            used += print_run(out, &run, all[k].run, most_curve_numbers / count);
        }
    }
    fprintf(out, "},\"shown\":%zu,\"there\":%zu}", shown, there);
    page_json_end(p);
}

/* ---- the page ---- */

static void print_counts(page *p, const comparison *c) {
    size_t failed = 0;
    for (size_t k = 0; k < c->run_count; k++) failed += has_failed(c, k);
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

bool comparison_write(const comparison *c, const char *folder, const char *into,
                      stiction_error *error) {
    AUTO_FREE char *path = format_text("%s/sweep.html", into);
    page *p = page_begin_styled(path, c->title, comparison_css, comparison_css_size, error);
    if (!p) return false;
    print_counts(p, c);
    fputs("<noscript><p class=\"warning\">The drawings and the table need JavaScript; "
          "sweep.csv has all numbers.</p></noscript>\n"
          "<div id=\"compare\"></div>\n",
          page_out(p));
    print_data(p, c, folder);
    print_curves(p, c, folder);
    page_script(p, comparison_js, comparison_js_size);
    return page_end(p, error);
}
