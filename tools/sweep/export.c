/* SPDX-License-Identifier: MIT
 * sweep.csv: a row for every run, with its settings and all figures.
 */
#include <math.h>
#include <stdlib.h>

#include "common/command.h"
#include "common/whole_file.h"
#include "document/csv.h"
#include "sweep/tables.h"

static void print_text(FILE *out, const char *text) {
    stiction_csv_print(out, text);
}

static void print_next(FILE *out, const char *text) {
    (void)fputc(',', out);
    print_text(out, text);
}

static void print_head(FILE *out, const sweep_rows *rows) {
    static const char *const first[] = {"name",     "status",  "reason",
                                        "warnings", "project", "engine"};
    print_text(out, "number");
    for (size_t k = 0; k < sizeof first / sizeof first[0]; k++) print_next(out, first[k]);
    for (size_t k = 0; k < rows->plan->parameter_count; k++)
        print_next(out, rows->plan->parameters[k].key);
    for (size_t k = 0; k < rows->figure_count; k++) print_next(out, rows->figures[k].name);
    (void)fputc('\n', out);
}

static void print_row(FILE *out, const sweep_rows *rows, const sweep_row *row) {
    const sweep_plan *plan = rows->plan;
    (void)fprintf(out, "%zu", row->run + 1);
    print_next(out, row->name);
    print_next(out, row->failure ? "failed" : "done");
    print_next(out, row->failure ? row->failure : "");
    print_next(out, row->warnings ? row->warnings : "");
    print_next(out, sweep_plan_project(plan, row->run));
    print_next(out, plan->engine);
    for (size_t k = 0; k < plan->parameter_count; k++)
        print_next(out, sweep_plan_value(plan, row->run, k));
    for (size_t k = 0; k < rows->figure_count; k++) {
        const double value = sweep_row_figure(row, k);
        char text[64] = "";
        if (isfinite(value)) (void)snprintf(text, sizeof text, "%.17g", value);
        print_next(out, text);
    }
    (void)fputc('\n', out);
}

bool sweep_write_csv(const sweep_rows *rows, const char *into, stiction_error *error) {
    char *path = format_text("%s/sweep.csv", into);
    whole_file file;
    bool fine = whole_file_begin(&file, path, error);
    if (fine) {
        print_head(file.out, rows);
        for (size_t k = 0; k < rows->count; k++) print_row(file.out, rows, &rows->rows[k]);
        fine = whole_file_end(&file, error);
    }
    free(path);
    return fine;
}
