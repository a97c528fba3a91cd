/* SPDX-License-Identifier: MIT
 * What is shown of a sweep: sweep.html, and all of it together.
 */
#include "sweep/tables.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "common/folder.h"
#include "report/comparison.h"
#include "results/body_figures.h"
#include "run/setting_units.h"
#include "storage/place.h"

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

/* Those of one kind that some run has, joint after joint, so that a page with less room than
 * figures has all joints of a kind or none. */
static void select_kind(selection *s, const sweep_rows *rows, const joint_figure *kind) {
    for (size_t k = 0; k < rows->figure_count; k++)
        if (rows->figures[k].kind == kind && sweep_has_figure(rows, k))
            s->figures[s->figure_count++] = k;
}

/* The most interesting kinds first: the page opens with them. */
static void select_figures(selection *s, const sweep_rows *rows) {
    s->figures = allocate(rows->figure_count, sizeof *s->figures);
    const joint_figure *kind;
    for (size_t k = 0; (kind = joint_figure_by_interest(k)); k++) select_kind(s, rows, kind);
    for (size_t k = 0; (kind = joint_figure_at(k)); k++)
        if (!kind->interest) select_kind(s, rows, kind);
    for (size_t k = 0; (kind = body_figure_at(k)); k++) select_kind(s, rows, kind);
}

static selection select_shown(const sweep_rows *rows) {
    selection s = {.parameters = allocate(rows->plan->parameter_count + 1, sizeof *s.parameters)};
    s.parameter_count = varying(rows->plan, s.parameters);
    select_figures(&s, rows);
    return s;
}

/* What the page asks for, run by run: the rows are not copied. */
typedef struct page_source {
    const sweep_rows *rows;
    selection shown;
    char text[64]; /* the last name or folder */
} page_source;

static const char *name_on_page(void *user, size_t run, size_t column) {
    page_source *s = user;
    (void)column;
    (void)snprintf(s->text, sizeof s->text, "%zu", s->rows->rows[run].run + 1);
    return s->text;
}

/* NULL where the run kept nothing but its figures. */
static const char *folder_on_page(void *user, size_t run, size_t column) {
    page_source *s = user;
    (void)column;
    (void)snprintf(s->text, sizeof s->text, "runs/%s", s->rows->rows[run].name);
    return s->rows->rows[run].has_folder ? s->text : NULL;
}

static const char *setting_on_page(void *user, size_t run, size_t column) {
    const page_source *s = user;
    return setting_of(s->rows->plan, s->rows->rows[run].run, s->shown.parameters[column]);
}

static double figure_on_page(void *user, size_t run, size_t figure) {
    const page_source *s = user;
    return sweep_row_figure(&s->rows->rows[run], s->shown.figures[figure]);
}

static char *title_of(const sweep_plan *plan) {
    char *title = copy_text("Sweep of ");
    for (size_t k = 0; k < plan->project_count; k++) {
        char *name = sweep_project_name(plan, plan->projects[k]);
        append_text(&title, "%s%s", k ? ", " : "", name);
        free(name);
    }
    return title;
}

/* What a search has found, after the rest. */
static void append_best(char **note, const sweep_plan *plan) {
    const json_t *best = json_object_get(plan->outcome, "best");
    const char *options = json_string_value(json_object_get(best, "options"));
    if (!options) return;
    const json_t *goal = json_object_get(plan->definition, "minimise");
    const char *word = goal ? "smallest" : "largest";
    if (!goal) goal = json_object_get(plan->definition, "maximise");
    const char *text = json_string_value(goal);
    const bool stopped = json_is_true(json_object_get(plan->outcome, "stopped"));
    append_text(note, ". A search");
    if (stopped)
        append_text(
            note, ", stopped after %zu of %lld evaluations,",
            json_array_size(json_object_get(plan->outcome, "values")),
            (long long)json_integer_value(json_object_get(plan->definition, "evaluations")));
    append_text(note, " found the %s %s%s, %.6g, in run %lld: %s", word, text ? text : "value",
                stopped ? " so far" : "", json_real_value(json_object_get(best, "value")),
                (long long)json_integer_value(json_object_get(best, "run")), options);
}

/* What is the same in every run. */
static char *note_of(const sweep_plan *plan) {
    char *note = format_text("All runs: engine=%s", plan->engine);
    for (size_t k = 0; k < plan->parameter_count; k++) {
        size_t count;
        const char *const *values = sweep_plan_distinct(plan, k, &count);
        if (count == 1) append_text(&note, ", %s=%s", plan->parameters[k].key, values[0]);
    }
    append_best(&note, plan);
    return note;
}

bool sweep_write_page(const sweep_rows *rows, const char *into, stiction_error *error) {
    const sweep_plan *plan = rows->plan;
    page_source source = {.rows = rows, .shown = select_shown(rows)};
    const selection *s = &source.shown;
    const char **keys = allocate(s->parameter_count, sizeof *keys);
    const char **key_units = allocate(s->parameter_count, sizeof *key_units);
    const char **figures = allocate(s->figure_count, sizeof *figures);
    const char **units = allocate(s->figure_count, sizeof *units);
    for (size_t k = 0; k < s->parameter_count; k++) {
        keys[k] = key_of(plan, s->parameters[k]);
        key_units[k] = setting_unit(keys[k]);
    }
    for (size_t k = 0; k < s->figure_count; k++) {
        const sweep_figure *f = &rows->figures[s->figures[k]];
        figures[k] = f->name;
        units[k] = joint_figure_unit(f->kind, f->prismatic);
    }
    comparison_run *runs = allocate(rows->count, sizeof *runs);
    for (size_t k = 0; k < rows->count; k++)
        runs[k] =
            (comparison_run){.failure = rows->rows[k].failure, .warnings = rows->rows[k].warnings};
    char *title = title_of(plan), *note = note_of(plan);
    const comparison c = {.title = title,
                          .note = note,
                          .parameter_count = s->parameter_count,
                          .parameters = keys,
                          .parameter_units = key_units,
                          .figure_count = s->figure_count,
                          .figures = figures,
                          .units = units,
                          .run_count = rows->count,
                          .runs = runs,
                          .name = name_on_page,
                          .folder = folder_on_page,
                          .setting = setting_on_page,
                          .figure = figure_on_page,
                          .user = &source};
    const bool fine = comparison_write(&c, rows->folder, into, error);
    free(runs);
    free(keys);
    free(key_units);
    free(figures);
    free(units);
    free(s->parameters);
    free(s->figures);
    free(title);
    free(note);
    return fine;
}

bool sweep_show(const sweep_states *states, stiction_error *error) {
    sweep_rows rows;
    place p;
    if (!sweep_rows_read(&rows, states, error)) {
        sweep_rows_free(&rows);
        return false;
    }
    bool fine = place_open_folder(&p, states->folder, error) &&
                sweep_write_csv(&rows, p.fresh, error) && sweep_write_page(&rows, p.fresh, error) &&
                place_add(&p, true, error);
    place_close(&p);
    sweep_print(&rows, stdout);
    if (fine) {
        (void)putchar('\n');
        show_line("table: %s/sweep.csv", states->folder);
        show_line("page: %s/sweep.html", states->folder);
    }
    if (fine && rows.unread)
        fine = fail(error, "the results of %zu run%s cannot be read", rows.unread,
                    rows.unread == 1 ? "" : "s");
    sweep_rows_free(&rows);
    return fine;
}
