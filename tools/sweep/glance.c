/* SPDX-License-Identifier: MIT
 * The table of a sweep on the terminal: one joint a project, and no more columns than fit.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "common/folder.h"
#include "common/terminal.h"
#include "run/run_table.h"
#include "sweep/tables.h"

/* More rows, failures and warnings than this are in sweep.csv only. */
enum { most_rows = 60, most_failures = 10, most_warnings = 10 };

/* ---- columns ---- */

typedef struct layout {
    table_column *columns;
    size_t count;
    const joint_figure **figures;
    size_t figure_count;
} layout;

static size_t setting_width(const sweep_plan *plan, size_t parameter) {
    size_t width = strlen(sweep_plan_short_key(plan, parameter)), count;
    const char *const *values = sweep_plan_distinct(plan, parameter, &count);
    for (size_t k = 0; k < count; k++) {
        const size_t length = strlen(values[k]);
        if (length > width) width = length;
    }
    return width;
}

char *sweep_project_name(const sweep_plan *plan, const char *project) {
    char *stem = path_stem(project);
    bool alone = true;
    for (size_t k = 0; k < plan->project_count && alone; k++) {
        char *other = path_stem(plan->projects[k]);
        alone = strcmp(plan->projects[k], project) == 0 || strcmp(other, stem) != 0;
        free(other);
    }
    if (alone) return stem;
    free(stem);
    const char *slash = strrchr(project, '/'), *dot = strrchr(slash ? slash : project, '.');
    return dot ? format_text("%.*s", (int)(dot - project), project) : copy_text(project);
}

static size_t project_width(const sweep_plan *plan) {
    size_t width = strlen("project");
    for (size_t k = 0; k < plan->project_count; k++) {
        char *name = sweep_project_name(plan, plan->projects[k]);
        if (strlen(name) > width) width = strlen(name);
        free(name);
    }
    return width;
}

/* Whether a chief joint has such a figure, and of which kind those joints are. */
static bool find_kinds(const sweep_rows *rows, const char *const *joints, const joint_figure *f,
                       joint_kinds *kinds) {
    *kinds = (joint_kinds){false, false};
    for (size_t k = 0; k < rows->plan->project_count; k++) {
        const sweep_figure *found = joints[k] ? sweep_find_figure(rows, joints[k], f) : NULL;
        if (found) *(found->prismatic ? &kinds->prismatic : &kinds->revolute) = true;
    }
    return kinds->revolute || kinds->prismatic;
}

static layout lay_out(const sweep_rows *rows, const char *const *joints, size_t room) {
    enum { number_width = 4, joint_width = 10, gap = 2, least_figures = 2, most_figures = 16 };
    const sweep_plan *plan = rows->plan;
    layout l = {.columns = allocate(plan->parameter_count + 3 + most_figures, sizeof *l.columns),
                .figures = allocate(most_figures, sizeof *l.figures)};
    size_t width = number_width + gap + joint_width;
    l.columns[l.count++] = (table_column){.name = "run"};
    if (plan->project_count > 1) {
        l.columns[l.count++] = (table_column){.name = "project"};
        width += gap + project_width(plan);
    }
    for (size_t k = 0; k < plan->parameter_count; k++) {
        if (!sweep_plan_varies(plan, k)) continue;
        l.columns[l.count++] = (table_column){.name = sweep_plan_short_key(plan, k)};
        width += gap + setting_width(plan, k);
    }
    l.columns[l.count++] = (table_column){.name = "joint"};
    const joint_figure *f;
    joint_kinds kinds;
    for (size_t k = 0; (f = joint_figure_by_interest(k)) && l.figure_count < most_figures; k++) {
        if (!f->head || !find_kinds(rows, joints, f, &kinds)) continue;
        char *head = figure_head(f, kinds);
        width += gap + text_columns(head);
        if (width > room && l.figure_count >= least_figures) {
            free(head);
            break;
        }
        l.columns[l.count++] = (table_column){f->name, head, f->digits};
        l.figures[l.figure_count++] = f;
    }
    return l;
}

static void free_layout(layout *l) {
    for (size_t k = 0; k < l->figure_count; k++)
        free((char *)l->columns[l->count - l->figure_count + k].head);
    free(l->columns);
    free(l->figures);
}

/* ---- rows ---- */

static void add_figures(table *t, const sweep_rows *rows, const sweep_row *row, const layout *l,
                        const char *joint) {
    const bool shown = joint && !row->failure;
    table_text(t, row->failure ? "FAILED" : shown ? joint : "");
    for (size_t k = 0; k < l->figure_count; k++) {
        const sweep_figure *f = shown ? sweep_find_figure(rows, joint, l->figures[k]) : NULL;
        if (f)
            figure_cell(t, f->kind, f->prismatic,
                        sweep_row_figure(row, (size_t)(f - rows->figures)));
        else
            table_empty(t);
    }
}

static void add_row(table *t, const sweep_rows *rows, const sweep_row *row, const layout *l,
                    const char *const *joints) {
    const sweep_plan *plan = rows->plan;
    const char *project = sweep_plan_project(plan, row->run);
    size_t p = 0;
    while (strcmp(plan->projects[p], project) != 0) p++;
    table_count(t, row->run + 1);
    if (plan->project_count > 1) {
        char *name = sweep_project_name(plan, project);
        table_text(t, name);
        free(name);
    }
    for (size_t k = 0; k < plan->parameter_count; k++)
        if (sweep_plan_varies(plan, k)) table_text(t, sweep_plan_value(plan, row->run, k));
    add_figures(t, rows, row, l, joints[p]);
}

static bool fails_alike(const sweep_row *a, const sweep_row *b) {
    return a->failure && b->failure && strcmp(a->failure, b->failure) == 0;
}

/* "run 3 failed: ...", "runs 3, 4, 5, 6 and 12 more failed: ...": all that failed as a row did. */
static void print_failure(const sweep_rows *rows, size_t first, FILE *out) {
    enum { most_numbers = 4 };
    size_t count = 0;
    for (size_t k = first; k < rows->count; k++)
        count += fails_alike(&rows->rows[k], &rows->rows[first]);
    fprintf(out, "run%s ", count > 1 ? "s" : "");
    for (size_t k = first, shown = 0; k < rows->count && shown < most_numbers; k++)
        if (fails_alike(&rows->rows[k], &rows->rows[first]))
            fprintf(out, "%s%zu", shown++ ? ", " : "", rows->rows[k].run + 1);
    if (count > most_numbers) fprintf(out, " and %zu more", count - most_numbers);
    char *reason = shown_text(rows->rows[first].failure);
    fprintf(out, " failed: %s\n", reason);
    free(reason);
}

/* A line a reason. */
static void print_failures(const sweep_rows *rows, FILE *out) {
    size_t firsts[most_failures], shown = 0, others = 0;
    for (size_t k = 0; k < rows->count; k++) {
        bool told = !rows->rows[k].failure;
        for (size_t n = 0; n < shown && !told; n++)
            told = fails_alike(&rows->rows[firsts[n]], &rows->rows[k]);
        if (!told && shown < most_failures)
            firsts[shown++] = k;
        else
            others += !told;
    }
    if (shown) fputc('\n', out);
    for (size_t n = 0; n < shown; n++) print_failure(rows, firsts[n], out);
    if (others) fprintf(out, "and %zu more failed; sweep.csv says why\n", others);
}

static void print_warnings(const sweep_rows *rows, FILE *out) {
    size_t shown = 0, all = 0;
    for (size_t k = 0; k < rows->count; k++) {
        if (!rows->rows[k].warnings || all++ >= most_warnings) continue;
        char *warnings = shown_text(rows->rows[k].warnings);
        fprintf(out, "%srun %zu: warning: %s\n", shown++ ? "" : "\n", rows->rows[k].run + 1,
                warnings);
        free(warnings);
    }
    if (all > shown) fprintf(out, "and %zu more with warnings; sweep.csv has them\n", all - shown);
}

void sweep_print(const sweep_rows *rows, FILE *out) {
    const sweep_plan *plan = rows->plan;
    const char **joints = allocate(plan->project_count, sizeof *joints);
    for (size_t k = 0; k < plan->project_count; k++)
        joints[k] = sweep_chief_joint(rows, plan->projects[k]);
    layout l = lay_out(rows, joints, terminal_size_of(out).columns);
    table *t = table_create(l.columns, l.count);
    for (size_t k = 0; k < rows->count && k < most_rows; k++)
        add_row(t, rows, &rows->rows[k], &l, joints);
    table_print(t, TABLE_TEXT, out);
    table_destroy(t);
    if (rows->count > most_rows)
        fprintf(out, "and %zu more runs, in sweep.csv\n", rows->count - most_rows);
    print_failures(rows, out);
    print_warnings(rows, out);
    free(joints);
    free_layout(&l);
}
