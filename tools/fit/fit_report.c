/* SPDX-License-Identifier: MIT
 * The page of a fit: parameters with intervals and reasons, torque over velocity with the law,
 * measured and explained torque over time, the residual and its spectrum beside those of plain
 * least squares, and the share of each part of the model.
 */
#include "fit_report.h"

#include <gsl/gsl_fft_real.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "estimate.h"
#include "plot/curve.h"
#include "report/page.h"
#include "report/reduce.h"
#include "write_fit.h"

enum { most_points = 3000, cloud_cells = 90, curve_points = 241, spectrum_size = 1024 };

/* One log of a fit, as the plots show it. */
typedef struct view {
    const fit *f;
    const fit_problem *p;
    const fit_result *r;
    size_t file, first, count;
    const fit_log *log;
    double *sliding; /* N m: the torque less all but friction */
    double *explained;
} view;

static view view_of(const fit *f, size_t file) {
    const fit_problem *p = fit_problem_of(f);
    const fit_result *r = fit_result_of(f);
    view v = {f, p, r, file, p->first[file], p->logs[file].count, &p->logs[file], NULL, NULL};
    v.sliding = allocate(v.count, sizeof(double));
    v.explained = allocate(v.count, sizeof(double));
    for (size_t i = 0; i < v.count; i++) {
        const size_t k = v.first + i;
        v.sliding[i] = r->friction[k] + r->residual[k];
        v.explained[i] = p->measured[k] - r->residual[k];
    }
    return v;
}

static void release(view *v) {
    free(v->sliding), free(v->explained);
}

/* ---- tables ---- */

static void cell(FILE *out, bool text, const char *content) {
    fputs(text ? "<td class=\"text\">" : "<td>", out);
    page_text(out, content);
    fputs("</td>", out);
}

static void number(FILE *out, double value) {
    char text[40];
    (void)snprintf(text, sizeof text, "%.4g", value);
    cell(out, false, isfinite(value) ? text : "");
}

static void begin_table(FILE *out, const char *const *heads, size_t count) {
    fputs("<div class=\"wide whole\"><table>\n<thead><tr>", out);
    for (size_t k = 0; k < count; k++)
        page_element(out, k == 0 || k + 1 == count ? "th class=\"text\"" : "th", heads[k]);
    fputs("</tr></thead>\n<tbody>\n", out);
}

static void end_table(FILE *out) {
    fputs("</tbody></table></div>\n", out);
}

static void show_parameters(FILE *out, const fit_result *r, const char *torque) {
    static const char *const heads[] = {"parameter", "value", "95 % from", "to", "unit", "verdict"};
    page_element(out, "h3", "Parameters");
    begin_table(out, heads, 6);
    for (size_t k = 0; k < r->value_count; k++) {
        const fit_value *v = &r->values[k];
        fputs("<tr>", out);
        cell(out, true, v->key);
        number(out, v->value), number(out, v->low), number(out, v->high);
        cell(out, false, fit_unit_of(v->key, torque));
        cell(out, true, v->identifiable ? "identified" : v->why);
        fputs("</tr>\n", out);
    }
    end_table(out);
}

static double squares(const double *values, size_t count) {
    double sum = 0, mean = 0;
    for (size_t i = 0; i < count; i++) mean += values[i] / (double)count;
    for (size_t i = 0; i < count; i++) sum += (values[i] - mean) * (values[i] - mean);
    return sqrt(sum / (double)count);
}

/* What each part of the model contributes to the torque, as standard deviations. */
static void show_parts(FILE *out, const fit *f) {
    const fit_problem *p = fit_problem_of(f);
    const fit_result *r = fit_result_of(f);
    static const char *const heads[] = {"part", "standard deviation", "unit"};
    double *part = allocate(p->samples, sizeof *part);
    page_element(out, "h3", "What each part explains");
    begin_table(out, heads, 3);
    const char *const names[] = {
        "measured torque", "friction",      p->robot ? "dynamics of the robot" : "inertia",
        "gravity",         "not explained", "not explained by plain least squares"};
    for (size_t n = 0; n < 6; n++) {
        if (n == 3 && !p->gravity) continue;
        for (size_t file = 0; file < p->count; file++)
            for (size_t i = 0; i < p->logs[file].count; i++) {
                const size_t k = p->first[file] + i;
                const fit_motion *m = &p->motions[file];
                part[k] = n == 0   ? p->measured[k]
                          : n == 1 ? r->friction[k]
                          : n == 2
                              ? (p->robot ? p->known[file][i] : 0) + r->rotor * m->acceleration[i]
                          : n == 3 ? r->gravity_sin * sin(m->position[i]) +
                                         r->gravity_cos * cos(m->position[i])
                          : n == 4 ? r->residual[k]
                                   : r->plain_residual[k];
            }
        fputs("<tr>", out);
        cell(out, true, names[n]);
        number(out, squares(part, p->samples));
        cell(out, true, fit_unit(f));
        fputs("</tr>\n", out);
    }
    end_table(out);
    free(part);
}

static void show_advice(FILE *out, const fit_result *r) {
    bool any = false;
    for (size_t k = 0; k < r->value_count; k++) {
        const char *advice = strstr(r->values[k].why, "; log ");
        if (!advice) continue;
        if (!any) fputs("<h3>Motion that would help</h3>\n<ul>\n", out);
        any = true;
        char *text = format_text("%s: %s", r->values[k].key, advice + 2);
        page_element(out, "li", text);
        free(text);
    }
    if (any) fputs("</ul>\n", out);
}

/* ---- plots ---- */

/* Series of one x, with as many points as a screen can show. */
static void plot_time(page *to, const char *title, const char *y_label, const view *v,
                      const double *const *series, const char *const *labels, size_t count,
                      const plot_band *bands, size_t band_count) {
    size_t *indices = allocate(v->count, sizeof *indices);
    const size_t n = reduce_series(series, count, v->count, most_points, indices);
    const double *t = v->log->column[LOG_TIME];
    double *x = allocate(n, sizeof *x), *y[3] = {NULL};
    plot_series lines[3] = {{0}};
    for (size_t k = 0; k < n; k++) x[k] = t[indices[k]] - t[0];
    for (size_t s = 0; s < count; s++) {
        y[s] = allocate(n, sizeof(double));
        for (size_t k = 0; k < n; k++) y[s][k] = series[s][indices[k]];
        lines[s] = (plot_series){.label = labels[s], .x = x, .y = y[s], .count = n};
    }
    const plot p = {.title = title,
                    .x_label = "time (s)",
                    .y_label = y_label,
                    .series = lines,
                    .count = count,
                    .bands = bands,
                    .band_count = band_count,
                    .band_label = band_count ? "sticks" : NULL};
    page_plot(to, &p);
    free(indices), free(x);
    for (size_t s = 0; s < count; s++) free(y[s]);
}

static void plot_law(page *to, const view *v, const char *y_label) {
    const double *velocity = v->p->motions[v->file].velocity;
    size_t *indices = allocate(v->count, sizeof *indices);
    const size_t n = reduce_cloud(velocity, v->sliding, v->count, cloud_cells, indices);
    double *x = allocate(n, sizeof *x), *y = allocate(n, sizeof *y);
    for (size_t k = 0; k < n; k++) x[k] = velocity[indices[k]], y[k] = v->sliding[indices[k]];
    plot_series series[2] = {{.label = "log", .x = x, .y = y, .count = n, .points = true}};
    double grid[curve_points], line_x[curve_points + 1], line_y[curve_points + 1];
    for (int k = 0; k < curve_points; k++) {
        const double share = (double)(2 * k - curve_points + 1) / (double)(curve_points - 1);
        grid[k] = v->p->fastest * share * fabs(share); /* dense where the law bends */
    }
    size_t count = 1;
    curve c;
    stiction_error error;
    const stiction_joint_def def = fit_def(v->p, &v->r->model);
    if (curve_make(&c, NULL, v->p->joint, &def, NULL, 0, NULL, &error)) {
        const size_t points = curve_line(&c, grid, curve_points, line_x, line_y);
        series[1] = (plot_series){.label = v->r->law, .x = line_x, .y = line_y, .count = points};
        count = 2;
    }
    curve_release(&c);
    char x_label[24];
    (void)snprintf(x_label, sizeof x_label, "velocity (%s)", v->p->velocity_unit);
    const plot p = {.title = "Torque less inertia, gravity and offset over velocity",
                    .x_label = x_label,
                    .y_label = y_label,
                    .series = series,
                    .count = count};
    page_plot(to, &p);
    free(indices), free(x), free(y);
}

/* The mean of periodograms of half-overlapping windows. */
static void spectrum(const double *values, size_t count, double *power) {
    double window[spectrum_size];
    for (size_t k = 0; k < spectrum_size / 2; k++) power[k] = 0;
    size_t windows = 0;
    for (size_t from = 0; from + spectrum_size <= count; from += spectrum_size / 2, windows++) {
        for (size_t k = 0; k < spectrum_size; k++)
            window[k] = values[from + k] *
                        (1 - cos(2 * 3.14159265358979 * (double)k / (double)spectrum_size));
        (void)gsl_fft_real_radix2_transform(window, 1, spectrum_size);
        for (size_t k = 1; k < spectrum_size / 2; k++)
            power[k] += hypot(window[k], window[spectrum_size - k]);
    }
    for (size_t k = 0; k < spectrum_size / 2; k++)
        power[k] /= fmax((double)windows, 1) * (double)spectrum_size;
}

static void plot_spectrum(page *to, const view *v, const char *y_label) {
    if (v->count < 2 * spectrum_size) return;
    enum { half = spectrum_size / 2 - 1 };
    static double x[half], ours[half + 1], plain[half + 1];
    spectrum(v->r->residual + v->first, v->count, ours);
    spectrum(v->r->plain_residual + v->first, v->count, plain);
    for (size_t k = 0; k < half; k++) x[k] = (double)(k + 1) / (v->log->step * spectrum_size);
    const plot_series series[] = {
        {.label = "with the law", .x = x, .y = ours + 1, .count = half},
        {.label = "plain least squares", .x = x, .y = plain + 1, .count = half}};
    const plot p = {.title = "Spectrum of what is not explained",
                    .x_label = "frequency (Hz)",
                    .y_label = y_label,
                    .series = series,
                    .count = 2};
    page_plot(to, &p);
}

/* Where the joint stands still; the caller frees them. */
static size_t find_sticking(const view *v, plot_band **bands) {
    const double *t = v->log->column[LOG_TIME], *velocity = v->p->motions[v->file].velocity;
    const double slow = fmax(v->r->slowest / 2, 1e-3 * v->p->fastest);
    size_t count = 0;
    *bands = NULL;
    for (size_t i = 0; i < v->count;) {
        size_t end = i;
        while (end < v->count && fabs(velocity[end]) < slow) end++;
        if (end > i && t[end - 1] - t[i] > 0.1) {
            *bands = reallocate(*bands, count + 1, sizeof **bands);
            (*bands)[count++] = (plot_band){t[i] - t[0], t[end - 1] - t[0]};
        }
        i = end + 1;
    }
    return count;
}

/* How likely other values of each fitted parameter are. */
static void show_profiles(page *to, const fit *f) {
    static const char loss_label[] = "2 x drop of the log-likelihood";
    const fit_result *r = fit_result_of(f);
    bool any = false;
    for (size_t k = 0; k < r->value_count; k++) {
        const fit_value *v = &r->values[k];
        double x[FIT_PROFILE], y[FIT_PROFILE];
        size_t count = 0;
        for (size_t i = 0; i < v->points; i++)
            if (isfinite(v->loss[i]) && (count == 0 || v->at[i] > x[count - 1]))
                x[count] = v->at[i], y[count++] = v->loss[i];
        if (count < 2) continue;
        if (!any) {
            page_element(page_out(to), "h3", "Profile likelihood");
            page_element(
                page_out(to), "p",
                "How much less likely the log becomes when one parameter is moved away from its "
                "best value and all others are fitted again. Values below the 95 % level agree "
                "with the log; if the curve stays below it on one side, the log sets no bound "
                "there.");
            page_plots_begin(to, "profile", "parameter", NULL, false);
        }
        any = true;
        page_choice(to, v->key, NULL, v->identifiable ? NULL : v->why);
        const double ends[] = {x[0], x[count - 1]}, level[] = {FIT_LEVEL, FIT_LEVEL};
        const plot_series series[] = {
            {.label = loss_label, .x = x, .y = y, .count = count, .marked = true},
            {.label = "95 % level", .x = ends, .y = level, .count = 2}};
        char *x_label = format_text("%s (%s)", v->key, fit_unit_of(v->key, fit_unit(f)));
        const plot p = {.title = v->key,
                        .x_label = x_label,
                        .y_label = loss_label,
                        .series = series,
                        .count = 2};
        page_plot(to, &p);
        free(x_label);
    }
    if (any) page_plots_end(to);
}

static void show_plots(page *to, const fit *f) {
    const fit_problem *p = fit_problem_of(f);
    char *y_label = format_text("torque (%s)", fit_unit(f));
    page_plots_begin(to, p->joint, "log", NULL, false);
    for (size_t file = 0; file < p->count; file++) {
        view v = view_of(f, file);
        const char *slash = strrchr(v.log->path, '/');
        page_choice(to, slash ? slash + 1 : v.log->path, NULL,
                    v.log->held_out ? "held out: not used for the fit" : NULL);
        plot_band *bands;
        const size_t band_count = find_sticking(&v, &bands);
        plot_law(to, &v, y_label);
        const double *torques[] = {p->measured + v.first, v.explained};
        static const char *const torque_names[] = {"measured", "explained"};
        plot_time(to, "Torque over time", y_label, &v, torques, torque_names, 2, bands, band_count);
        const double *residuals[] = {v.r->plain_residual + v.first, v.r->residual + v.first};
        static const char *const residual_names[] = {"plain least squares", "with the law"};
        plot_time(to, "What is not explained", y_label, &v, residuals, residual_names, 2, bands,
                  band_count);
        plot_spectrum(to, &v, y_label);
        free(bands);
        release(&v);
    }
    page_plots_end(to);
    free(y_label);
}

bool fit_report(const char *path, fit *const *fits, size_t count, stiction_error *error) {
    page *to = page_begin(path, "Friction from logs", error);
    if (!to) return false;
    FILE *out = page_out(to);
    for (size_t k = 0; k < count; k++) {
        const fit_result *r = fit_result_of(fits[k]);
        const fit_problem *p = fit_problem_of(fits[k]);
        const fit_warnings *w = fit_warnings_of(fits[k]);
        char *title = format_text("Joint %s: law %s", p->joint, r->law);
        page_element(out, "h2", title);
        free(title);
        for (size_t n = 0; n < w->count; n++) page_warning(to, w->items[n]);
        char *text =
            format_text("The error %s is %.4g %s; plain least squares of Coulomb and "
                        "viscous friction has %.4g %s. Sliding covers %.3g to %.3g %s.",
                        r->held_kind, r->held_rms, fit_held_unit(fits[k]), r->held_plain_rms,
                        fit_held_unit(fits[k]), r->slowest, r->fastest, p->velocity_unit);
        page_element(out, "p", text);
        free(text);
        show_parameters(out, r, p->unit);
        show_profiles(to, fits[k]);
        show_plots(to, fits[k]);
        show_parts(out, fits[k]);
        show_advice(out, r);
    }
    return page_end(to, error);
}
