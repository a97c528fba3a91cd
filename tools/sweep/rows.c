/* SPDX-License-Identifier: MIT
 * The results of a sweep, read back from its database.
 */
#include "sweep/rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"

/* The column of a figure. The search begins at `hint`, since most runs have the same joints. */
static size_t find_or_add(sweep_rows *rows, const record_joint *joint, const joint_figure *kind,
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

static void take_figures(sweep_rows *rows, sweep_row *row, const record_joint *joints,
                         size_t count) {
    size_t column = 0;
    const joint_figure *f;
    for (size_t k = 0; k < count; k++)
        for (size_t n = 0; (f = joints[k].is_body ? body_figure_at(n) : joint_figure_at(n)); n++) {
            column = find_or_add(rows, &joints[k], f, column);
            set_figure(row, column++, joints[k].figures[n]);
        }
}

static char *copy_or_null(const char *text) {
    return text ? copy_text(text) : NULL;
}

static bool add_row(sweep_rows *rows, const record *there, stiction_error *error) {
    sweep_row *row = &rows->rows[rows->count++];
    *row = (sweep_row){.run = there->run,
                       .name = sweep_plan_name(rows->plan, there->run),
                       .has_folder = there->has_series,
                       .failure = copy_or_null(there->reason),
                       .warnings = copy_or_null(there->warnings)};
    if (there->failed && !row->failure) row->failure = copy_text("");
    if (!row->failure) take_figures(rows, row, there->joints, there->joint_count);
    rows->unread += !there->failed && row->failure;
    rows->failed += row->failure != NULL;
    return row->failure || !rows->plan->works.select ||
           works_of_run(rows->plan, there, &row->works, error);
}

bool sweep_rows_read(sweep_rows *rows, const sweep_states *states, stiction_error *error) {
    *rows = (sweep_rows){.folder = states->folder, .plan = states->plan};
    rows->rows = allocate(states->count, sizeof *rows->rows);
    records *there = records_open(states->folder, states->plan, error);
    bool fine = there != NULL;
    record_cursor c = records_begin(there, 0, states->count, true);
    while (fine && records_next(&c, error)) {
        const sweep_state state = states->states[c.row.run];
        if (state == SWEEP_DONE || state == SWEEP_FAILED) fine = add_row(rows, &c.row, error);
    }
    records_end(&c);
    records_close(there);
    return fine && !c.failed;
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

ptrdiff_t sweep_rows_find(const sweep_rows *rows, const char *name) {
    const char *point = strrchr(name, '.');
    if (!point) return -1;
    const joint_figure *kinds[] = {joint_figure_find(point + 1), body_figure_find(point + 1)};
    for (size_t k = 0; k < rows->figure_count; k++) {
        const sweep_figure *f = &rows->figures[k];
        if ((f->kind == kinds[0] || f->kind == kinds[1]) &&
            strlen(f->joint) == (size_t)(point - name) &&
            strncmp(f->joint, name, (size_t)(point - name)) == 0)
            return (ptrdiff_t)k;
    }
    return -1;
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

/* The largest value of a figure in the runs of a project, or NaN; `joint` gets its joint, or NULL.
 */
static double worst(const sweep_rows *rows, const char *project, const char *figure,
                    const char **joint) {
    const joint_figure *kind = joint_figure_find(figure);
    double most = (double)NAN;
    *joint = NULL;
    for (size_t k = 0; k < rows->count; k++) {
        const sweep_row *row = &rows->rows[k];
        if (row->failure ||
            (project && strcmp(sweep_plan_project(rows->plan, row->run), project) != 0))
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

bool sweep_targets_move(const sweep_rows *rows, const char *project) {
    const char *joint;
    return worst(rows, project, "target_range", &joint) > 1e-6;
}

const char *sweep_chief_joint(const sweep_rows *rows, const char *project) {
    const char *joint;
    const char *error = sweep_targets_move(rows, project) ? "rms_tracking_error" : "tracking_error";
    if (worst(rows, project, error, &joint) > 0) return joint;
    if (worst(rows, project, "dissipated_energy", &joint) > 0) return joint;
    (void)worst(rows, project, "final_position", &joint);
    return joint;
}
