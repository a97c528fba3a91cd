/*
 * The results of a sweep, read back from its folder.
 */
#include "sweep/rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "report/run_data.h"
#include "sweep/store.h"

/* The column of a figure, which is looked for from `hint` on: runs have mostly the same joints. */
static size_t find_or_add(sweep_rows *rows, const char *name, size_t hint) {
    for (size_t k = 0; k < rows->figure_count; k++) {
        const size_t place = (hint + k) % rows->figure_count;
        if (strcmp(rows->figures[place], name) == 0) return place;
    }
    rows->figures = reallocate(rows->figures, rows->figure_count + 1, sizeof *rows->figures);
    rows->figures[rows->figure_count] = copy_text(name);
    return rows->figure_count++;
}

static void set_figure(sweep_row *row, size_t column, double value) {
    if (column >= row->figure_count) {
        row->figures = reallocate(row->figures, column + 1, sizeof *row->figures);
        while (row->figure_count <= column) row->figures[row->figure_count++] = (double)NAN;
    }
    row->figures[column] = value;
}

static void read_figures(sweep_rows *rows, sweep_row *row) {
    char *folder = sweep_run_folder(rows->folder, rows->plan, row->run);
    run_data run;
    if (run_data_load_summary(&run, folder)) {
        size_t column = 0;
        for (size_t k = 0; k < run.joint_count; k++)
            for (const run_figure *f = run_figures; *f->name; f++) {
                char *name = format_text("%s.%s", run.joints[k].name, f->name);
                column = find_or_add(rows, name, column);
                set_figure(row, column++, run_data_figure(&run.joints[k], f->name));
                free(name);
            }
    } else {
        row->failure = copy_text("its results cannot be read");
    }
    run_data_release(&run);
    free(folder);
}

sweep_rows sweep_rows_read(const char *folder, const sweep_plan *plan) {
    sweep_rows rows = {.folder = folder, .plan = plan};
    const size_t runs = sweep_plan_count(plan);
    rows.rows = allocate(runs, sizeof *rows.rows);
    for (size_t run = 0; run < runs; run++) {
        sweep_row *row = &rows.rows[rows.count];
        *row = (sweep_row){.run = run};
        const sweep_state state = sweep_run_state(folder, plan, run, &row->failure);
        if (state == SWEEP_ABSENT) continue;
        row->name = sweep_plan_name(plan, run);
        if (state == SWEEP_DONE) read_figures(&rows, row);
        rows.count++;
        rows.failed += row->failure != NULL;
    }
    return rows;
}

void sweep_rows_free(sweep_rows *rows) {
    for (size_t k = 0; k < rows->count; k++) {
        free(rows->rows[k].name);
        free(rows->rows[k].failure);
        free(rows->rows[k].figures);
    }
    for (size_t k = 0; k < rows->figure_count; k++) free(rows->figures[k]);
    free(rows->rows);
    free(rows->figures);
}

double sweep_row_figure(const sweep_row *row, size_t figure) {
    return figure < row->figure_count ? row->figures[figure] : (double)NAN;
}

/* ---- what matters most ---- */

/* In the order of their interest. */
const char *const sweep_chief_figures[] = {
    "tracking_error",    "final_position", "stop_time",         "creep",
    "stick_slip_events", "peak_torque",    "dissipated_energy", NULL};

const char *sweep_figure_kind(const char *figure) {
    return strrchr(figure, '.') + 1;
}

bool sweep_has_figure(const sweep_rows *rows, size_t figure) {
    for (size_t k = 0; k < rows->count; k++)
        if (isfinite(sweep_row_figure(&rows->rows[k], figure))) return true;
    return false;
}

/* The largest value of a figure in the runs of a project, NaN where none has one; `joint` gets
 * whose it is (the caller frees it). */
static double worst(const sweep_rows *rows, const char *project, const char *figure, char **joint) {
    double most = (double)NAN;
    size_t found = 0;
    for (size_t k = 0; k < rows->count; k++) {
        const sweep_row *row = &rows->rows[k];
        if (row->failure || strcmp(sweep_plan_project(rows->plan, row->run), project) != 0)
            continue;
        for (size_t f = 0; f < rows->figure_count; f++) {
            const double value = fabs(sweep_row_figure(row, f));
            if (!isfinite(value) || value <= most) continue;
            if (strcmp(sweep_figure_kind(rows->figures[f]), figure) != 0) continue;
            most = value;
            found = f;
        }
    }
    *joint = isnan(most) ? NULL : copy_text(rows->figures[found]);
    if (*joint) *strrchr(*joint, '.') = '\0';
    return most;
}

char *sweep_chief_joint(const sweep_rows *rows, const char *project) {
    char *joint;
    if (worst(rows, project, "tracking_error", &joint) > 0) return joint;
    free(joint);
    if (worst(rows, project, "dissipated_energy", &joint) > 0) return joint;
    free(joint);
    (void)worst(rows, project, "final_position", &joint);
    return joint;
}
