/* SPDX-License-Identifier: MIT */
/* Every curve as CSV, and the chief plots as PNG. */
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "common/folder.h"
#include "common/whole_file.h"
#include "document/csv.h"
#include "show.h"

static bool write_plot(const experiment_plot *p, const char *path, stiction_error *error) {
    whole_file file;
    if (!whole_file_begin(&file, path, error)) return false;
    fputs("curve,", file.out);
    stiction_csv_print(file.out, p->x_label);
    fputc(',', file.out);
    stiction_csv_print(file.out, p->y_label);
    fputc('\n', file.out);
    for (size_t c = 0; c < p->curve_count; c++)
        for (size_t k = 0; k < p->curves[c]->count; k++) {
            stiction_csv_print(file.out, p->curves[c]->label);
            fprintf(file.out, ",%.17g,%.17g\n", p->curves[c]->x[k], p->curves[c]->y[k]);
        }
    return whole_file_end(&file, error);
}

/* Calls write(plot, "FOLDER/ID-NUMBER.ENDING") for every plot that is wanted. */
static bool for_plots(experiment_run *const *runs, size_t count, bool chief, const char *folder,
                      const char *ending,
                      bool (*write)(const experiment_plot *, const char *, stiction_error *),
                      stiction_error *error) {
    bool fine = folder_make(folder, error);
    for (size_t r = 0; fine && r < count; r++)
        for (size_t k = 0; fine && k < runs[r]->plot_count && (!chief || runs[r]->of->chief); k++) {
            AUTO_FREE char *path =
                format_text("%s/%s-%zu.%s", folder, runs[r]->of->id, k + 1, ending);
            fine = write(runs[r]->plots[k], path, error);
        }
    return fine;
}

bool show_curves(experiment_run *const *runs, size_t count, const char *folder,
                 stiction_error *error) {
    AUTO_FREE char *curves = format_text("%s/curves", folder);
    return for_plots(runs, count, false, curves, "csv", write_plot, error);
}

static bool draw_plot(const experiment_plot *p, const char *path, stiction_error *error) {
    AUTO_FREE plot_series *series = allocate(p->curve_count, sizeof *series);
    const plot view = experiment_plot_view(p, series);
    return plot_write(&view, path, PLOT_PNG, error);
}

bool show_pngs(experiment_run *const *runs, size_t count, const char *folder,
               stiction_error *error) {
    if (!plot_png_possible()) return true;
    AUTO_FREE char *pictures = format_text("%s/png", folder);
    return for_plots(runs, count, true, pictures, "png", draw_plot, error);
}
