/* SPDX-License-Identifier: MIT */
/* The fit of a table over its points. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "document/text.h"
#include "import.h"
#include "plot/plot.h"

enum { curve_points = 401 };
static const double almost_0 = 1e-300;

bool import_plot_possible(const char *path, stiction_error *error) {
    return stiction_text_ends_with(path, ".svg") || stiction_text_ends_with(path, ".png") ||
           fail(error, "import: --plot '%s' must end in .svg or .png", path);
}

bool import_plot(const import_result *result, const char *path, stiction_error *error) {
    const fit_table *t = &result->table;
    double least = 0, most = 0;
    for (size_t k = 0; k < t->count; k++) {
        least = fmin(least, t->velocity[k]);
        most = fmax(most, t->velocity[k]);
    }
    double *x = allocate(curve_points + 2, sizeof *x), *y = allocate(curve_points + 2, sizeof *y);
    size_t count = 0;
    for (int k = 0; k < curve_points; k++) {
        /* never at 0, where there is a vertical piece instead, as far as there are rows */
        const double at = least + (most - least) * k / (curve_points - 1);
        const double v = at != 0 ? at : least < 0 ? -almost_0 : almost_0;
        if (count && x[count - 1] < 0 && v > 0) {
            x[count] = -almost_0;
            y[count++] = fit_at(result->fit, -almost_0);
            x[count] = almost_0;
            y[count++] = fit_at(result->fit, almost_0);
        }
        x[count] = v;
        y[count++] = fit_at(result->fit, v);
    }
    const bool slides = result->joints[0].slides;
    char *label = format_text("%s, residual %.3g %s", result->fit->law, result->fit->residual,
                              slides ? "N" : "N m");
    const plot_series series[] = {
        {.label = "table", .x = t->velocity, .y = t->torque, .count = t->count, .points = true},
        {.label = label, .x = x, .y = y, .count = count}};
    const plot p = {.title = "A law fitted to a table",
                    .x_label = slides ? "velocity (m/s)" : "velocity (rad/s)",
                    .y_label = slides ? "friction force (N)" : "friction torque (N m)",
                    .series = series,
                    .count = 2};
    const bool drawn = plot_write(&p, path, plot_format_of(path), error);
    free(label);
    free(x);
    free(y);
    return drawn;
}
