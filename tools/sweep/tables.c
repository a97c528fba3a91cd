/*
 * What is shown of a sweep: sweep.html, and all of it together.
 */
#include "sweep/tables.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "common/folder.h"
#include "common/place.h"
#include "report/comparison.h"

/* ---- sweep.html ---- */

/* The keys that vary, the project (index parameter_count) first where it does. */
static size_t varying(const sweep_plan *plan, size_t *parameters) {
    size_t count = 0;
    if (plan->project_count > 1) parameters[count++] = plan->parameter_count;
    for (size_t k = 0; k < plan->parameter_count; k++)
        if (sweep_plan_varies(plan, k)) parameters[count++] = k;
    return count;
}

static const char *key_of(const sweep_plan *plan, size_t parameter) {
    return parameter < plan->parameter_count ? plan->parameters[parameter].key : "project";
}

static const char *setting_of(const sweep_plan *plan, size_t run, size_t parameter) {
    return parameter < plan->parameter_count ? sweep_plan_value(plan, run, parameter)
                                             : sweep_plan_short_project(plan, run);
}

/* What the page has of the rows: indices of parameters and figures. */
typedef struct selection {
    size_t *parameters, *figures;
    size_t parameter_count, figure_count;
} selection;

static bool is_selected(const selection *s, size_t figure) {
    for (size_t k = 0; k < s->figure_count; k++)
        if (s->figures[k] == figure) return true;
    return false;
}

/* The chief ones first: the page opens with them. Those that no run has are left out. */
static void select_figures(selection *s, const sweep_rows *rows) {
    s->figures = allocate(rows->figure_count, sizeof *s->figures);
    const char *joint = sweep_chief_joint(rows, rows->plan->projects[0]);
    const joint_figure *kind;
    for (size_t k = 0; joint && (kind = joint_figure_by_interest(k)); k++) {
        const sweep_figure *found = sweep_find_figure(rows, joint, kind);
        if (found) s->figures[s->figure_count++] = (size_t)(found - rows->figures);
    }
    for (size_t k = 0; k < rows->figure_count; k++)
        if (!is_selected(s, k) && sweep_has_figure(rows, k)) s->figures[s->figure_count++] = k;
}

static selection select_shown(const sweep_rows *rows) {
    selection s = {.parameters = allocate(rows->plan->parameter_count + 1, sizeof *s.parameters)};
    s.parameter_count = varying(rows->plan, s.parameters);
    select_figures(&s, rows);
    return s;
}

static comparison_run page_row(const sweep_rows *rows, const sweep_row *row, const selection *s) {
    const char **settings = allocate(s->parameter_count, sizeof *settings);
    double *figures = allocate(s->figure_count, sizeof *figures);
    for (size_t k = 0; k < s->parameter_count; k++)
        settings[k] = setting_of(rows->plan, row->run, s->parameters[k]);
    for (size_t k = 0; k < s->figure_count; k++) figures[k] = sweep_row_figure(row, s->figures[k]);
    return (comparison_run){.name = sweep_plan_label(rows->plan, row->run),
                            .folder = row->has_folder ? format_text("runs/%s", row->name) : NULL,
                            .failure = row->failure,
                            .settings = settings,
                            .figures = figures};
}

static void free_page_row(const comparison_run *run) {
    free((char *)run->name);
    free((char *)run->folder);
    free((void *)run->settings);
    free((void *)run->figures);
}

static void append(char **text, const char *separator, const char *more) {
    char *longer = format_text("%s%s%s", *text, **text ? separator : "", more);
    free(*text);
    *text = longer;
}

static char *title_of(const sweep_plan *plan) {
    char *names = copy_text("");
    for (size_t k = 0; k < plan->project_count; k++) {
        char *stem = path_stem(plan->projects[k]);
        append(&names, ", ", stem);
        free(stem);
    }
    char *title = format_text("Sweep of %s", names);
    free(names);
    return title;
}

/* What is the same in every run. */
static char *note_of(const sweep_plan *plan) {
    char *note = format_text("All runs: engine=%s", plan->engine);
    for (size_t k = 0; k < plan->parameter_count; k++) {
        size_t count;
        const char *const *values = sweep_plan_distinct(plan, k, &count);
        if (count != 1) continue;
        char *setting = format_text("%s=%s", plan->parameters[k].key, values[0]);
        append(&note, ", ", setting);
        free(setting);
    }
    return note;
}

bool sweep_write_page(const sweep_rows *rows, const char *into) {
    const sweep_plan *plan = rows->plan;
    const selection s = select_shown(rows);
    const char **keys = allocate(s.parameter_count, sizeof *keys);
    const char **figures = allocate(s.figure_count, sizeof *figures);
    for (size_t k = 0; k < s.parameter_count; k++) keys[k] = key_of(plan, s.parameters[k]);
    for (size_t k = 0; k < s.figure_count; k++) figures[k] = rows->figures[s.figures[k]].name;
    comparison_run *runs = allocate(rows->count, sizeof *runs);
    for (size_t k = 0; k < rows->count; k++) runs[k] = page_row(rows, &rows->rows[k], &s);
    char *title = title_of(plan), *note = note_of(plan);
    const comparison c = {.title = title,
                          .note = note,
                          .parameter_count = s.parameter_count,
                          .parameters = keys,
                          .figure_count = s.figure_count,
                          .figures = figures,
                          .run_count = rows->count,
                          .runs = runs};
    const bool fine = comparison_write(&c, rows->folder, into);
    for (size_t k = 0; k < rows->count; k++) free_page_row(&runs[k]);
    free(runs);
    free(keys);
    free(figures);
    free(s.parameters);
    free(s.figures);
    free(title);
    free(note);
    return fine;
}

bool sweep_show(const sweep_states *states) {
    sweep_rows rows = sweep_rows_read(states);
    place p;
    const bool fine = place_open_folder(&p, states->folder) && sweep_write_csv(&rows, p.fresh) &&
                      sweep_write_page(&rows, p.fresh) && place_add(&p, true);
    place_close(&p);
    sweep_print(&rows, stdout);
    if (fine) {
        (void)putchar('\n');
        show_line("table: %s/sweep.csv", states->folder);
        show_line("page: %s/sweep.html", states->folder);
    }
    const bool all_read = !rows.unread;
    sweep_rows_free(&rows);
    return fine && all_read;
}
