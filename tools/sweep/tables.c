/* SPDX-License-Identifier: MIT
 * What is shown of a sweep: sweep.csv, the table on the terminal, and the note of sweep.html
 * (sweep_page.c).
 */
#include "sweep/tables.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "common/whole_file.h"
#include "document/csv.h"
#include "run/run_table.h"
#include "storage/place.h"

/* ---- sweep.csv ---- */

static void print_cell(FILE *out, const char *text) {
    (void)fputc(',', out);
    stiction_csv_print(out, text ? text : "");
}

static void print_head(FILE *out, const sweep_rows *rows) {
    (void)fputs("number,name,status,reason,warnings,project,engine", out);
    for (size_t k = 0; k < rows->plan->parameter_count; k++)
        print_cell(out, rows->plan->parameters[k].key);
    if (rows->plan->works.select) print_cell(out, "works");
    for (size_t k = 0; k < rows->figure_count; k++) print_cell(out, rows->figures[k].name);
    (void)fputc('\n', out);
}

static void print_row(FILE *out, const sweep_rows *rows, const sweep_row *row) {
    const sweep_plan *plan = rows->plan;
    (void)fprintf(out, "%zu", row->run + 1);
    print_cell(out, row->name);
    print_cell(out, row->failure ? "failed" : "done");
    print_cell(out, row->failure);
    print_cell(out, row->warnings);
    print_cell(out, sweep_plan_project(plan, row->run));
    print_cell(out, plan->engine);
    for (size_t k = 0; k < plan->parameter_count; k++)
        print_cell(out, sweep_plan_value(plan, row->run, k));
    if (plan->works.select) print_cell(out, row->works ? "1" : "0");
    for (size_t k = 0; k < rows->figure_count; k++) {
        const double value = sweep_row_figure(row, k);
        (void)fprintf(out, isfinite(value) ? ",%.17g" : ",", value);
    }
    (void)fputc('\n', out);
}

bool sweep_write_csv(const sweep_rows *rows, const char *into, stiction_error *error) {
    AUTO_FREE char *path = format_text("%s/sweep.csv", into);
    whole_file file;
    if (!whole_file_begin(&file, path, error)) return false;
    print_head(file.out, rows);
    for (size_t k = 0; k < rows->count; k++) print_row(file.out, rows, &rows->rows[k]);
    return whole_file_end(&file, error);
}

/* ---- the terminal: one joint a project ---- */

/* More rows, figures, failures and warnings than this are in sweep.csv only. */
enum { most_rows = 60, most_figures = 5, most_failures = 10, most_warnings = 10 };

typedef struct layout {
    table_column *columns;
    size_t count;
    size_t shown;        /* rows */
    const char **joints; /* the most interesting one of each project; NULL: none */
    char **values;       /* of each setting that varies those of all shown rows, rounded */
    size_t value_count;
    const joint_figure *figures[most_figures];
    size_t figure_count;
} layout;

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

/* A figure that a shown joint has. `head` NULL: it is not for people. */
static void add_figure(layout *l, const sweep_rows *rows, const joint_figure *f, const char *head) {
    joint_kinds kinds = {false, false};
    joint_figure named = *f;
    named.head = head;
    if (l->figure_count == most_figures || !head) return;
    for (size_t k = 0; k < rows->plan->project_count; k++) {
        const sweep_figure *found = l->joints[k] ? sweep_find_figure(rows, l->joints[k], f) : NULL;
        if (found) *(found->prismatic ? &kinds.prismatic : &kinds.revolute) = true;
    }
    if (!kinds.revolute && !kinds.prismatic) return;
    l->columns[l->count++] = (table_column){f->name, figure_head(&named, kinds), f->digits};
    l->figures[l->figure_count++] = f;
}

static layout lay_out(const sweep_rows *rows) {
    const sweep_plan *plan = rows->plan;
    layout l = {.columns = allocate(plan->parameter_count + 4 + most_figures, sizeof *l.columns),
                .shown = rows->count < most_rows ? rows->count : most_rows,
                .joints = allocate(plan->project_count, sizeof *l.joints)};
    for (size_t k = 0; k < plan->project_count; k++)
        l.joints[k] = sweep_chief_joint(rows, plan->projects[k]);
    add_column(&l, "run");
    if (plan->project_count > 1) add_column(&l, "project");
    for (size_t k = 0; k < plan->parameter_count; k++)
        if (sweep_plan_varies(plan, k)) add_setting(&l, rows, k);
    if (plan->works.select) add_column(&l, "works");
    add_column(&l, "joint");
    if (sweep_targets_move(rows, NULL)) /* which the other tables do not have */
        add_figure(&l, rows, joint_figure_find("rms_tracking_error"), "RMS error");
    const joint_figure *f;
    for (size_t k = 0; (f = joint_figure_by_interest(k)); k++) add_figure(&l, rows, f, f->head);
    return l;
}

static void free_layout(layout *l) {
    for (size_t k = 0; k < l->figure_count; k++)
        free((char *)l->columns[l->count - l->figure_count + k].head);
    for (size_t k = 0; k < l->value_count; k++) free(l->values[k]);
    free(l->values);
    free(l->columns);
    free((void *)l->joints);
}

static void add_row(table *t, const sweep_rows *rows, const layout *l, size_t number) {
    const sweep_plan *plan = rows->plan;
    const sweep_row *row = &rows->rows[number];
    const size_t project = sweep_plan_project_index(plan, row->run);
    const char *joint = row->failure ? NULL : l->joints[project];
    table_count(t, row->run + 1);
    if (plan->project_count > 1) table_text(t, sweep_plan_short_project(plan, project));
    for (size_t k = number; k < l->value_count; k += l->shown) table_text(t, l->values[k]);
    if (plan->works.select) table_text(t, row->works ? "yes" : "no");
    table_text(t, row->failure ? "FAILED" : joint ? joint : "");
    for (size_t k = 0; k < l->figure_count; k++) {
        const sweep_figure *f = joint ? sweep_find_figure(rows, joint, l->figures[k]) : NULL;
        if (f)
            figure_cell(t, f->kind, f->prismatic,
                        sweep_row_figure(row, (size_t)(f - rows->figures)));
        else
            table_empty(t);
    }
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

/* One line for each reason. */
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

/* ---- the smallest or largest value of a key at which the runs work ---- */

/* Runs that differ only in this key, and at random. */
typedef struct works_case {
    size_t run;        /* one of them */
    const char *value; /* NULL: none works */
    const char *again; /* the next value beyond that does not work; NULL: all do */
} works_case;

typedef struct works_edge {
    size_t parameter;
    size_t *others; /* the keys of the cases */
    size_t other_count;
    works_case *cases;
    size_t case_count;
} works_edge;

/* A run in its case. */
typedef struct works_entry {
    size_t of, run;
    double number;
    const char *value;
    bool works;
} works_entry;

static bool is_numeric(const sweep_plan *plan, size_t parameter) {
    const sweep_parameter *p = &plan->parameters[parameter];
    double number;
    for (size_t k = 0; k < p->count; k++)
        if (!read_number(p->values[k], &number) || !isfinite(number)) return false;
    return p->count > 1;
}

/* The key of the plan or, without one, the first number of the controller. */
static size_t find_parameter(const sweep_plan *plan) {
    static const char of_controller[] = "controller.";
    size_t alike, k = 0;
    if (plan->works.edge) return sweep_plan_find_key(plan, plan->works.edge, &alike);
    while (k < plan->parameter_count &&
           (strncmp(plan->parameters[k].key, of_controller, strlen(of_controller)) != 0 ||
            !is_numeric(plan, k)))
        k++;
    return k;
}

static int by_case(const void *a, const void *b) {
    const works_entry *one = a, *other = b;
    if (one->of != other->of) return one->of < other->of ? -1 : 1;
    return one->number < other->number ? -1 : one->number > other->number;
}

static int by_case_down(const void *a, const void *b) {
    const works_entry *one = a, *other = b;
    return one->of != other->of ? by_case(a, b) : by_case(b, a);
}

/* The number of the case of a run; new ones are counted. */
static size_t case_of(const works_edge *e, const sweep_plan *plan, size_t run, json_t *known) {
    AUTO_FREE char *text = copy_text(sweep_plan_project(plan, run));
    for (size_t k = 0; k < e->other_count; k++)
        append_text(&text, "\n%s", sweep_plan_value(plan, run, e->others[k]));
    json_t *number = json_object_get(known, text);
    if (!number) {
        number = must_have(json_integer((json_int_t)json_object_size(known)));
        if (json_object_set_new_nocheck(known, text, number) != 0) (void)must_have(NULL);
    }
    return (size_t)json_integer_value(number);
}

/* Runs with the same value work if all of them do. */
static void judge_cases(works_edge *e, const works_entry *list, size_t count) {
    for (size_t k = 0; k < count;) {
        works_case *c = &e->cases[list[k].of];
        bool works = true;
        const size_t first = k;
        for (; k < count && by_case(&list[k], &list[first]) == 0; k++)
            works = works && list[k].works;
        if (works && !c->value) c->value = list[first].value;
        if (!works && c->value && !c->again) c->again = list[first].value;
        c->run = list[first].run;
    }
}

/* False: there is no condition, no number to ask for, or each run is a case. Free it either way. */
static bool find_edge(works_edge *e, const sweep_rows *rows) {
    const sweep_plan *plan = rows->plan;
    *e = (works_edge){.parameter = find_parameter(plan)};
    if (!plan->works.select || e->parameter == plan->parameter_count || !rows->count ||
        !is_numeric(plan, e->parameter))
        return false;
    e->others = allocate(plan->parameter_count, sizeof *e->others);
    for (size_t k = 0; k < plan->parameter_count; k++) {
        const char *key = plan->parameters[k].key;
        const bool random = strcmp(key, "repetition") == 0 || strcmp(key, "seed") == 0;
        if (k != e->parameter && sweep_plan_varies(plan, k) && !random)
            e->others[e->other_count++] = k;
    }
    AUTO_FREE works_entry *list = allocate(rows->count, sizeof *list);
    json_auto_t *known = must_have(json_object());
    for (size_t k = 0; k < rows->count; k++) {
        const size_t run = rows->rows[k].run;
        const char *value = sweep_plan_value(plan, run, e->parameter);
        list[k] = (works_entry){.of = case_of(e, plan, run, known),
                                .run = run,
                                .value = value,
                                .works = rows->rows[k].works};
        (void)read_number(value, &list[k].number);
    }
    qsort(list, rows->count, sizeof *list, plan->works.largest ? by_case_down : by_case);
    e->case_count = json_object_size(known);
    e->cases = allocate(e->case_count, sizeof *e->cases);
    judge_cases(e, list, rows->count);
    return e->case_count < rows->count;
}

static void free_edge(works_edge *e) {
    free(e->others);
    free(e->cases);
}

/* "smallest controller.kp that works (rms_error < 2 deg)"; the caller frees it. */
static char *edge_title(const works_edge *e, const sweep_plan *plan) {
    return format_text("%s %s that works (%s)", plan->works.largest ? "largest" : "smallest",
                       plan->parameters[e->parameter].key, plan->works.text);
}

/* "50, but not 80"; the caller frees it. */
static char *case_text(const works_case *c) {
    return c->again ? format_text("%s, but not %s", c->value, c->again)
                    : copy_text(c->value ? c->value : "none");
}

static void print_edge(const sweep_rows *rows, FILE *out) {
    const sweep_plan *plan = rows->plan;
    AUTO(free_edge) works_edge e;
    if (!find_edge(&e, rows)) return;
    AUTO_FREE char *title = edge_title(&e, plan);
    AUTO_FREE table_column *columns = allocate(e.other_count + 2, sizeof *columns);
    size_t count = 0;
    if (plan->project_count > 1) columns[count++].name = "project";
    for (size_t k = 0; k < e.other_count; k++)
        columns[count++].name = sweep_plan_short_key(plan, e.others[k]);
    columns[count++].name = sweep_plan_short_key(plan, e.parameter);
    table *t = table_create(columns, count);
    for (size_t c = 0; c < e.case_count && c < most_rows; c++) {
        const size_t run = e.cases[c].run;
        AUTO_FREE char *text = case_text(&e.cases[c]);
        if (plan->project_count > 1)
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

void sweep_print(const sweep_rows *rows, FILE *out) {
    AUTO(free_layout) layout l = lay_out(rows);
    table *t = table_create(l.columns, l.count);
    for (size_t k = 0; k < l.shown; k++) add_row(t, rows, &l, k);
    table_print(t, TABLE_TEXT, out);
    table_destroy(t);
    if (rows->count > most_rows)
        fprintf(out, "and %zu more runs, in sweep.csv\n", rows->count - most_rows);
    print_edge(rows, out);
    print_failures(rows, out);
    print_warnings(rows, out);
}

/* ---- the note of the page ---- */

/* The result of a search. */
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

/* "The smallest controller.kp that works (...): law=coulomb -> 50; law=rational -> none". */
static void append_edge(char **note, const sweep_rows *rows) {
    enum { most_cases = 24 };
    const sweep_plan *plan = rows->plan;
    AUTO(free_edge) works_edge e;
    if (!find_edge(&e, rows) || e.case_count > most_cases) return;
    AUTO_FREE char *title = edge_title(&e, plan);
    append_text(note, ". The %s: ", title);
    for (size_t c = 0; c < e.case_count; c++) {
        const size_t run = e.cases[c].run;
        AUTO_FREE char *text = case_text(&e.cases[c]);
        if (c) append_text(note, "; ");
        if (plan->project_count > 1)
            append_text(note, "%s ",
                        sweep_plan_short_project(plan, sweep_plan_project_index(plan, run)));
        for (size_t k = 0; k < e.other_count; k++)
            append_text(note, "%s=%s ", sweep_plan_short_key(plan, e.others[k]),
                        sweep_plan_value(plan, run, e.others[k]));
        append_text(note, "\xE2\x86\x92 %s", text);
    }
}

char *sweep_note(const sweep_rows *rows) {
    const sweep_plan *plan = rows->plan;
    char *note = format_text("All runs: engine=%s", plan->engine);
    for (size_t k = 0; k < plan->parameter_count; k++)
        if (plan->parameters[k].count == 1)
            append_text(&note, ", %s=%s", plan->parameters[k].key, plan->parameters[k].values[0]);
    append_best(&note, plan);
    append_edge(&note, rows);
    return note;
}

/* ---- all of it ---- */

bool sweep_show(const sweep_states *states, FILE *out, stiction_error *error) {
    AUTO(sweep_rows_free) sweep_rows rows;
    AUTO(place_close) place p = {.lock = -1};
    if (!sweep_rows_read(&rows, states, error)) return false;
    const bool fine = place_open_folder(&p, states->folder, error) &&
                      sweep_write_csv(&rows, p.fresh, error) &&
                      sweep_write_page(&rows, p.fresh, error) && place_add(&p, true, error);
    sweep_print(&rows, out);
    if (!fine) return false;
    (void)fputc('\n', out);
    write_line(out, "table: %s/sweep.csv", states->folder);
    write_line(out, "page: %s/sweep.html", states->folder);
    return !rows.unread || fail(error, "the results of %zu run%s cannot be read", rows.unread,
                                rows.unread == 1 ? "" : "s");
}
