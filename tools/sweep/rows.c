/*
 * The results of a sweep, read back from its folder.
 */
#include "sweep/rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "report/run_data.h"

/* The column of a figure, which is looked for from `hint` on: runs have mostly the same joints. */
static size_t find_or_add(sweep_rows *rows, const run_joint *joint, const joint_figure *kind,
                          size_t hint) {
    for (size_t k = 0; k < rows->figure_count; k++) {
        const size_t at = (hint + k) % rows->figure_count;
        const sweep_figure *there = &rows->figures[at];
        if (there->kind == kind && strcmp(there->joint, joint->name) == 0) return at;
    }
    rows->figures = reallocate(rows->figures, rows->figure_count + 1, sizeof *rows->figures);
    rows->figures[rows->figure_count] =
        (sweep_figure){.name = format_text("%s.%s", joint->name, kind->name),
                       .joint = copy_text(joint->name),
                       .kind = kind,
                       .prismatic = joint->prismatic};
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
        const joint_figure *f;
        size_t column = 0;
        for (size_t k = 0; k < run.joint_count; k++)
            for (size_t n = 0; (f = joint_figure_at(n)); n++) {
                column = find_or_add(rows, &run.joints[k], f, column);
                set_figure(row, column++, run_data_figure(&run.joints[k], f->name));
            }
        for (size_t k = 0; k < run.body_count; k++)
            for (size_t n = 0; (f = body_figure_at(n)); n++) {
                column = find_or_add(rows, &run.bodies[k], f, column);
                set_figure(row, column++, run_data_figure(&run.bodies[k], f->name));
            }
        row->warnings = run_data_warnings(&run);
    } else {
        row->failure = copy_text("its results cannot be read");
        rows->unread++;
    }
    run_data_release(&run);
    free(folder);
}

sweep_rows sweep_rows_read(const sweep_states *states) {
    sweep_rows rows = {.folder = states->folder, .plan = states->plan};
    rows.rows = allocate(states->count, sizeof *rows.rows);
    for (size_t run = 0; run < states->count; run++) {
        const sweep_state state = states->states[run];
        if (state != SWEEP_DONE && state != SWEEP_FAILED) continue;
        sweep_row *row = &rows.rows[rows.count++];
        *row = (sweep_row){.run = run, .name = sweep_plan_name(rows.plan, run)};
        if (state == SWEEP_DONE)
            read_figures(&rows, row);
        else
            row->failure = copy_text(states->reasons[run]);
        rows.failed += row->failure != NULL;
    }
    return rows;
}

void sweep_rows_free(sweep_rows *rows) {
    for (size_t k = 0; k < rows->count; k++) {
        free(rows->rows[k].name);
        free(rows->rows[k].failure);
        free(rows->rows[k].warnings);
        free(rows->rows[k].figures);
    }
    for (size_t k = 0; k < rows->figure_count; k++) {
        free(rows->figures[k].name);
        free(rows->figures[k].joint);
    }
    free(rows->rows);
    free(rows->figures);
}

double sweep_row_figure(const sweep_row *row, size_t figure) {
    return figure < row->figure_count ? row->figures[figure] : (double)NAN;
}

/* ---- what matters most ---- */

bool sweep_has_figure(const sweep_rows *rows, size_t figure) {
    for (size_t k = 0; k < rows->count; k++)
        if (isfinite(sweep_row_figure(&rows->rows[k], figure))) return true;
    return false;
}

const sweep_figure *sweep_find_figure(const sweep_rows *rows, const char *joint,
                                      const joint_figure *kind) {
    for (size_t k = 0; k < rows->figure_count; k++)
        if (rows->figures[k].kind == kind && strcmp(rows->figures[k].joint, joint) == 0 &&
            sweep_has_figure(rows, k))
            return &rows->figures[k];
    return NULL;
}

/* The largest value of a figure in the runs of a project, NaN where none has one; `joint` gets
 * whose it is, NULL where nobody's. */
static double worst(const sweep_rows *rows, const char *project, const char *figure,
                    const char **joint) {
    const joint_figure *kind = joint_figure_find(figure);
    double most = (double)NAN;
    *joint = NULL;
    for (size_t k = 0; k < rows->count; k++) {
        const sweep_row *row = &rows->rows[k];
        if (row->failure || strcmp(sweep_plan_project(rows->plan, row->run), project) != 0)
            continue;
        for (size_t f = 0; f < rows->figure_count; f++) {
            const double value = fabs(sweep_row_figure(row, f));
            if (rows->figures[f].kind != kind || !isfinite(value) || value <= most) continue;
            most = value;
            *joint = rows->figures[f].joint;
        }
    }
    return most;
}

const char *sweep_chief_joint(const sweep_rows *rows, const char *project) {
    const char *joint;
    if (worst(rows, project, "tracking_error", &joint) > 0) return joint;
    if (worst(rows, project, "dissipated_energy", &joint) > 0) return joint;
    (void)worst(rows, project, "final_position", &joint);
    return joint;
}
