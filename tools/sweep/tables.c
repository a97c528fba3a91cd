/* SPDX-License-Identifier: MIT
 * What is shown of a sweep: sweep.csv, sweep.html and the table on the terminal.
 */
#include "sweep/tables.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "common/folder.h"
#include "common/whole_file.h"
#include "document/csv.h"
#include "report/comparison.h"
#include "results/body_figures.h"
#include "run/run_table.h"
#include "run/setting_units.h"
#include "storage/place.h"
#include "sweep/works.h"

/* ---- sweep.csv ---- */

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
    if (rows->plan->works.select) print_next(out, "works");
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
    if (plan->works.select) print_next(out, row->works ? "1" : "0");
    for (size_t k = 0; k < rows->figure_count; k++) {
        const double value = sweep_row_figure(row, k);
        char text[64] = "";
        if (isfinite(value)) (void)snprintf(text, sizeof text, "%.17g", value);
        print_next(out, text);
    }
    (void)fputc('\n', out);
}

bool sweep_write_csv(const sweep_rows *rows, const char *into, stiction_error *error) {
    AUTO_FREE char *path = format_text("%s/sweep.csv", into);
    whole_file file;
    bool fine = whole_file_begin(&file, path, error);
    if (fine) {
        print_head(file.out, rows);
        for (size_t k = 0; k < rows->count; k++) print_row(file.out, rows, &rows->rows[k]);
        fine = whole_file_end(&file, error);
    }
    return fine;
}

/* ---- the terminal: one joint a project ---- */

/* More rows, figures, failures and warnings than this are in sweep.csv only. */
enum { most_rows = 60, most_figures = 5, most_failures = 10, most_warnings = 10 };

typedef struct layout {
    table_column *columns;
    size_t count;
    size_t shown;  /* rows */
    char **values; /* of each setting that varies those of all shown rows, for people */
    size_t value_count;
    const joint_figure *figures[most_figures];
    size_t figure_count;
} layout;

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

static void add_column(layout *l, const char *name) {
    l->columns[l->count++] = (table_column){.name = name};
}

static void add_setting(layout *l, const sweep_rows *rows, size_t parameter) {
    add_column(l, sweep_plan_short_key(rows->plan, parameter));
    l->values = reallocate(l->values, l->value_count + l->shown + 1, sizeof *l->values);
    char **values = l->values + l->value_count;
    for (size_t k = 0; k < l->shown; k++)
        values[k] = copy_text(sweep_plan_value(rows->plan, rows->rows[k].run, parameter));
    sweep_round_texts(values, l->shown);
    l->value_count += l->shown;
}

/* The head is a copy. */
static void add_figure(layout *l, const sweep_rows *rows, const char *const *joints,
                       const joint_figure *f, const char *head) {
    joint_kinds kinds;
    joint_figure named = *f;
    named.head = head;
    if (l->figure_count == most_figures || !head || !find_kinds(rows, joints, f, &kinds)) return;
    l->columns[l->count++] = (table_column){f->name, figure_head(&named, kinds), f->digits};
    l->figures[l->figure_count++] = f;
}

static layout lay_out(const sweep_rows *rows, const char *const *joints) {
    const sweep_plan *plan = rows->plan;
    layout l = {.columns = allocate(plan->parameter_count + 4 + most_figures, sizeof *l.columns),
                .shown = rows->count < most_rows ? rows->count : most_rows};
    add_column(&l, "run");
    if (plan->project_count > 1) add_column(&l, "project");
    for (size_t k = 0; k < plan->parameter_count; k++)
        if (sweep_plan_varies(plan, k)) add_setting(&l, rows, k);
    if (plan->works.select) add_column(&l, "works");
    add_column(&l, "joint");
    if (sweep_targets_move(rows, NULL)) /* which the other tables do not have */
        add_figure(&l, rows, joints, joint_figure_find("rms_tracking_error"), "RMS error");
    const joint_figure *f;
    for (size_t k = 0; (f = joint_figure_by_interest(k)); k++)
        add_figure(&l, rows, joints, f, f->head);
    return l;
}

static void free_layout(layout *l) {
    for (size_t k = 0; k < l->figure_count; k++)
        free((char *)l->columns[l->count - l->figure_count + k].head);
    for (size_t k = 0; k < l->value_count; k++) free(l->values[k]);
    free(l->values);
    free(l->columns);
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
    const size_t p = sweep_plan_project_index(plan, row->run);
    size_t settings = 0;
    table_count(t, row->run + 1);
    if (plan->project_count > 1) table_text(t, sweep_plan_short_project(plan, p));
    for (size_t k = 0; k < plan->parameter_count; k++)
        if (sweep_plan_varies(plan, k))
            table_text(t, l->values[settings++ * l->shown + (size_t)(row - rows->rows)]);
    if (plan->works.select) table_text(t, row->works ? "yes" : "no");
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
    AUTO_FREE char *reason = shown_text(rows->rows[first].failure);
    fprintf(out, " failed: %s\n", reason);
}

/* A line a reason. */
static void print_failures(const sweep_rows *rows, FILE *out) {
    size_t firsts[most_failures], shown = 0, others = 0;
    for (size_t k = 0; k < rows->count; k++) {
        bool known = !rows->rows[k].failure;
        for (size_t n = 0; n < shown && !known; n++)
            known = fails_alike(&rows->rows[firsts[n]], &rows->rows[k]);
        if (!known && shown < most_failures)
            firsts[shown++] = k;
        else
            others += !known;
    }
    if (shown) fputc('\n', out);
    for (size_t n = 0; n < shown; n++) print_failure(rows, firsts[n], out);
    if (others) fprintf(out, "and %zu more failed; sweep.csv says why\n", others);
}

static void print_warnings(const sweep_rows *rows, FILE *out) {
    size_t shown = 0, all = 0;
    for (size_t k = 0; k < rows->count; k++) {
        if (!rows->rows[k].warnings || all++ >= most_warnings) continue;
        AUTO_FREE char *warnings = shown_text(rows->rows[k].warnings);
        fprintf(out, "%srun %zu: warning: %s\n", shown++ ? "" : "\n", rows->rows[k].run + 1,
                warnings);
    }
    if (all > shown) fprintf(out, "and %zu more with warnings; sweep.csv has them\n", all - shown);
}

/* ---- the smallest or largest value that works ---- */

static void print_edge(const sweep_rows *rows, FILE *out) {
    const sweep_plan *plan = rows->plan;
    AUTO(works_edge_free) works_edge e;
    if (works_edge_find(&e, rows) && e.case_count < rows->count) {
        AUTO_FREE char *title = works_edge_title(&e, plan);
        const size_t with_project = plan->project_count > 1;
        AUTO_FREE table_column *columns = allocate(e.other_count + 2, sizeof *columns);
        if (with_project) columns[0] = (table_column){.name = "project"};
        for (size_t k = 0; k < e.other_count; k++)
            columns[with_project + k] =
                (table_column){.name = sweep_plan_short_key(plan, e.others[k])};
        columns[with_project + e.other_count] =
            (table_column){.name = sweep_plan_short_key(plan, e.parameter)};
        table *t = table_create(columns, with_project + e.other_count + 1);
        for (size_t c = 0; c < e.case_count && c < most_rows; c++) {
            const size_t run = rows->rows[e.cases[c].row].run;
            AUTO_FREE char *text = works_case_text(&e.cases[c]);
            if (with_project)
                table_text(t, sweep_plan_short_project(plan, sweep_plan_project_index(plan, run)));
            for (size_t k = 0; k < e.other_count; k++)
                table_text(t, sweep_plan_value(plan, run, e.others[k]));
            table_text(t, text);
        }
        fprintf(out, "\n%s:\n", title);
        table_print(t, TABLE_TEXT, out);
        if (e.case_count > most_rows)
            fprintf(out, "and %zu more; sweep.csv has all runs\n", e.case_count - most_rows);
        table_destroy(t);
    }
}

void sweep_print(const sweep_rows *rows, FILE *out) {
    const sweep_plan *plan = rows->plan;
    AUTO_FREE const char **joints = allocate(plan->project_count, sizeof *joints);
    for (size_t k = 0; k < plan->project_count; k++)
        joints[k] = sweep_chief_joint(rows, plan->projects[k]);
    layout l = lay_out(rows, joints);
    table *t = table_create(l.columns, l.count);
    for (size_t k = 0; k < rows->count && k < most_rows; k++)
        add_row(t, rows, &rows->rows[k], &l, joints);
    table_print(t, TABLE_TEXT, out);
    table_destroy(t);
    if (rows->count > most_rows)
        fprintf(out, "and %zu more runs, in sweep.csv\n", rows->count - most_rows);
    print_edge(rows, out);
    print_failures(rows, out);
    print_warnings(rows, out);
    free_layout(&l);
}

/* ---- sweep.html ---- */

/* In place of a column of the rows: whether the run works. */
static const size_t works_column = SIZE_MAX;

/* What the page asks for, run by run: the rows are not copied. */
typedef struct page_source {
    const sweep_rows *rows;
    size_t *parameters; /* those that vary; parameter_count of the plan: the project */
    size_t *figures;    /* columns of the rows */
    size_t figure_count;
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

static const char *failure_on_page(void *user, size_t run, size_t column) {
    (void)column;
    return ((const page_source *)user)->rows->rows[run].failure;
}

static const char *warnings_on_page(void *user, size_t run, size_t column) {
    (void)column;
    return ((const page_source *)user)->rows->rows[run].warnings;
}

static const char *setting_on_page(void *user, size_t run, size_t column) {
    const page_source *s = user;
    const sweep_plan *plan = s->rows->plan;
    const size_t number = s->rows->rows[run].run, parameter = s->parameters[column];
    return parameter < plan->parameter_count
               ? sweep_plan_value(plan, number, parameter)
               : sweep_plan_short_project(plan, sweep_plan_project_index(plan, number));
}

static double figure_on_page(void *user, size_t run, size_t figure) {
    const page_source *s = user;
    if (s->figures[figure] == works_column) return s->rows->rows[run].works;
    return sweep_row_figure(&s->rows->rows[run], s->figures[figure]);
}

/* Those of one kind that some run has, joint after joint, so that a page with less room than
 * figures has all joints of a kind or none. */
static void select_kind(page_source *s, const joint_figure *kind) {
    for (size_t k = 0; k < s->rows->figure_count; k++)
        if (s->rows->figures[k].kind == kind && sweep_has_figure(s->rows, k))
            s->figures[s->figure_count++] = k;
}

/* The most interesting kinds first: the page opens with them. The caller frees the columns. */
static comparison_column *select_figures(page_source *s) {
    const size_t most = s->rows->figure_count + 1;
    comparison_column *columns = allocate(most, sizeof *columns);
    s->figures = allocate(most, sizeof *s->figures);
    const joint_figure *kind;
    const joint_figure *first =
        sweep_targets_move(s->rows, NULL) ? joint_figure_find("rms_tracking_error") : NULL;
    if (s->rows->plan->works.select) s->figures[s->figure_count++] = works_column;
    if (first) select_kind(s, first);
    for (size_t k = 0; (kind = joint_figure_by_interest(k)); k++)
        if (kind != first) select_kind(s, kind);
    for (size_t k = 0; (kind = joint_figure_at(k)); k++)
        if (!kind->interest) select_kind(s, kind);
    for (size_t k = 0; (kind = body_figure_at(k)); k++) select_kind(s, kind);
    for (size_t k = 0; k < s->figure_count; k++) {
        if (s->figures[k] == works_column) {
            columns[k] = (comparison_column){COMPARISON_WORKS, ""};
            continue;
        }
        const sweep_figure *f = &s->rows->figures[s->figures[k]];
        columns[k] = (comparison_column){f->name, joint_figure_unit(f->kind, f->prismatic)};
    }
    return columns;
}

/* The settings that vary, the project first where it does. The caller frees the columns. */
static comparison_column *select_settings(page_source *s, size_t *count) {
    const sweep_plan *plan = s->rows->plan;
    comparison_column *columns = allocate(plan->parameter_count + 1, sizeof *columns);
    s->parameters = allocate(plan->parameter_count + 1, sizeof *s->parameters);
    *count = 0;
    if (plan->project_count > 1) {
        columns[0] = (comparison_column){"project", ""};
        s->parameters[(*count)++] = plan->parameter_count;
    }
    for (size_t k = 0; k < plan->parameter_count; k++) {
        const char *key = plan->parameters[k].key;
        if (!sweep_plan_varies(plan, k)) continue;
        columns[*count] = (comparison_column){key, setting_unit(key)};
        s->parameters[(*count)++] = k;
    }
    return columns;
}

static char *title_of(const sweep_plan *plan) {
    char *title = copy_text("Sweep of ");
    for (size_t k = 0; k < plan->project_count; k++)
        append_text(&title, "%s%s", k ? ", " : "", sweep_plan_short_project(plan, k));
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
    if (json_is_true(json_object_get(plan->outcome, "early")))
        append_text(note, "; it ended early, because smaller steps change nothing any more");
    const char *bounds = json_string_value(json_object_get(plan->outcome, "at_bounds"));
    if (bounds && *bounds) append_text(note, "; at the end of its range: %s", bounds);
}

/* "Smallest controller.kp that works (...): law=coulomb: 50; law=rational: none". */
static void append_edge(char **note, const sweep_rows *rows) {
    enum { most_cases = 24 };
    AUTO(works_edge_free) works_edge e;
    if (works_edge_find(&e, rows) && e.case_count < rows->count && e.case_count <= most_cases) {
        AUTO_FREE char *title = works_edge_title(&e, rows->plan);
        append_text(note, ". The %s: ", title);
        for (size_t c = 0; c < e.case_count; c++) {
            const size_t run = rows->rows[e.cases[c].row].run;
            AUTO_FREE char *text = works_case_text(&e.cases[c]);
            append_text(note, c ? "; " : "");
            if (rows->plan->project_count > 1)
                append_text(note, "%s ",
                            sweep_plan_short_project(rows->plan,
                                                     sweep_plan_project_index(rows->plan, run)));
            for (size_t k = 0; k < e.other_count; k++)
                append_text(note, "%s=%s ", sweep_plan_short_key(rows->plan, e.others[k]),
                            sweep_plan_value(rows->plan, run, e.others[k]));
            append_text(note, "\xE2\x86\x92 %s", text);
        }
    }
}

/* What is the same in every run. */
static char *note_of(const sweep_rows *rows) {
    const sweep_plan *plan = rows->plan;
    char *note = format_text("All runs: engine=%s", plan->engine);
    for (size_t k = 0; k < plan->parameter_count; k++) {
        size_t count;
        const char *const *values = sweep_plan_distinct(plan, k, &count);
        if (count == 1) append_text(&note, ", %s=%s", plan->parameters[k].key, values[0]);
    }
    append_best(&note, plan);
    append_edge(&note, rows);
    return note;
}

bool sweep_write_page(const sweep_rows *rows, const char *into, stiction_error *error) {
    page_source source = {.rows = rows};
    size_t parameter_count;
    AUTO_FREE comparison_column *parameters = select_settings(&source, &parameter_count);
    AUTO_FREE comparison_column *figures = select_figures(&source);
    AUTO_FREE char *title = title_of(rows->plan), *note = note_of(rows);
    const comparison c = {.title = title,
                          .note = note,
                          .works = rows->plan->works.text,
                          .parameters = parameters,
                          .parameter_count = parameter_count,
                          .figures = figures,
                          .figure_count = source.figure_count,
                          .run_count = rows->count,
                          .name = name_on_page,
                          .folder = folder_on_page,
                          .failure = failure_on_page,
                          .warnings = warnings_on_page,
                          .setting = setting_on_page,
                          .figure = figure_on_page,
                          .user = &source};
    const bool fine = comparison_write(&c, rows->folder, into, error);
    free(source.parameters);
    free(source.figures);
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
