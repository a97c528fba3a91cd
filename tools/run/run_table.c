/* SPDX-License-Identifier: MIT
 * The table of results: a row a joint, or, for people, a row a robot that has many.
 */
#include "run_table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "common/folder.h"
#include "document/error_list.h"
#include "document/shown.h"
#include "report/joint_table.h"

/* For people: more joints than this are one row. */
enum { few_joints = 8 };

/* ---- figures for people ---- */

char *figure_head(const joint_figure *f, joint_kinds kinds) {
    const char *angle = joint_figure_shown_unit(f, false);
    const char *length = joint_figure_shown_unit(f, true);
    if (!*angle) return copy_text(f->head);
    if (kinds.revolute && kinds.prismatic && strcmp(angle, length) != 0)
        return format_text("%s (%s, %s)", f->head, angle, length);
    return format_text("%s (%s)", f->head, kinds.prismatic ? length : angle);
}

void figure_cell(table *t, const joint_figure *f, bool prismatic, double value) {
    if (isfinite(value))
        table_number(t, joint_figure_shown(f, prismatic, value));
    else if (f->none)
        table_text(t, f->none);
    else
        table_empty(t);
}

/* ---- the table ---- */

/* What is shown: runs that could be read, and figures. */
typedef struct shown {
    run_data *runs;
    size_t run_count;
    const joint_figure **figures;
    size_t figure_count;
    bool for_people;
} shown;

static joint_kinds kinds_of(const shown *s) {
    joint_kinds kinds = {false, false};
    for (size_t r = 0; r < s->run_count; r++)
        for (size_t k = 0; k < s->runs[r].joint_count; k++)
            *(s->runs[r].joints[k].prismatic ? &kinds.prismatic : &kinds.revolute) = true;
    return kinds;
}

static bool any_has(const shown *s, const joint_figure *f) {
    for (size_t r = 0; r < s->run_count; r++)
        for (size_t k = 0; k < s->runs[r].joint_count; k++)
            if (f->none || isfinite(run_data_figure(&s->runs[r].joints[k], f->name))) return true;
    return false;
}

static void choose_figures(shown *s) {
    size_t all = 0;
    while (joint_figure_at(all)) all++;
    s->figures = allocate(all, sizeof *s->figures);
    for (size_t k = 0; k < all; k++) {
        const joint_figure *f = joint_figure_at(k);
        if (!s->for_people || (f->head && any_has(s, f))) s->figures[s->figure_count++] = f;
    }
}

static table *make_table(const shown *s) {
    static const char *const first[] = {"project", "joint", "law"};
    enum { first_count = sizeof first / sizeof first[0] };
    static const char *const behind[] = {"joint_type", "warnings"}; /* not for people */
    enum { behind_count = sizeof behind / sizeof behind[0] };
    const size_t last = first_count + s->figure_count,
                 count = last + (s->for_people ? 0 : behind_count);
    const joint_kinds kinds = kinds_of(s);
    AUTO_FREE table_column *columns = allocate(count, sizeof *columns);
    for (size_t k = 0; k < first_count; k++) columns[k] = (table_column){.name = first[k]};
    for (size_t k = 0; k < s->figure_count; k++)
        columns[first_count + k] =
            (table_column){.name = s->figures[k]->name,
                           .head = s->for_people ? figure_head(s->figures[k], kinds) : NULL,
                           .digits = s->figures[k]->digits};
    for (size_t k = last; k < count; k++) columns[k] = (table_column){.name = behind[k - last]};
    table *t = table_create(columns, count);
    for (size_t k = first_count; k < last; k++) {
        const int interest = s->figures[k - first_count]->interest;
        table_rank(t, k, interest ? first_count + (size_t)interest : count + first_count);
        free((char *)columns[k].head);
    }
    return t;
}

static void add_joint(table *t, const shown *s, const char *project, const run_data *run,
                      const run_joint *joint) {
    table_text(t, project);
    table_text(t, joint->name);
    table_text(t, joint->friction.law ? joint->friction.law : "none");
    for (size_t k = 0; k < s->figure_count; k++) {
        const double value = run_data_figure(joint, s->figures[k]->name);
        if (s->for_people)
            figure_cell(t, s->figures[k], joint->prismatic, value);
        else
            table_number_or_empty(t, value);
    }
    if (s->for_people) return;
    table_text(t, joint->prismatic ? "prismatic" : "revolute");
    AUTO_FREE char *warnings = run_data_warnings(run);
    table_text(t, warnings ? warnings : "");
}

/* A figure of all joints of a robot, for people. */
static void add_total(table *t, const joint_figure *f, const run_data *run) {
    double total = (double)NAN;
    bool one_has_none = false;
    for (size_t k = 0; k < run->joint_count && f->total != FIGURE_NO_TOTAL; k++) {
        const run_joint *joint = &run->joints[k];
        const double value = run_data_figure(joint, f->name);
        const double size = fabs(joint_figure_shown(f, joint->prismatic, value));
        one_has_none = one_has_none || !isfinite(value);
        if (isfinite(size))
            total = isnan(total) ? size : f->total == FIGURE_SUM ? total + size : fmax(total, size);
    }
    if (one_has_none && f->none)
        table_text(t, f->none);
    else
        table_number_or_empty(t, total);
}

static void add_robot(table *t, const shown *s, const char *project, const run_data *run) {
    AUTO_FREE char *name = format_text("%zu joints", run->joint_count);
    table_text(t, project);
    table_text(t, name);
    table_text(t, "");
    for (size_t k = 0; k < s->figure_count; k++) add_total(t, s->figures[k], run);
}

static void add_run(table *t, const shown *s, const run_data *run) {
    AUTO_FREE char *project = path_stem(run->folder);
    if (s->for_people && run->joint_count > few_joints)
        add_robot(t, s, project, run);
    else
        for (size_t k = 0; k < run->joint_count; k++)
            add_joint(t, s, project, run, &run->joints[k]);
}

static void write_warnings(FILE *out, const shown *s) {
    const char *text;
    for (size_t r = 0; r < s->run_count; r++)
        for (size_t k = 0; (text = run_data_warning(&s->runs[r], k)); k++) {
            AUTO_FREE char *project = path_stem(s->runs[r].folder);
            (void)stiction_show_to(out, project);
            fputs(": warning: ", out);
            (void)stiction_show_to(out, text);
            fputc('\n', out);
        }
}

/* Robots that float, for people: those figures that have a head and that one of them has. */
static void write_bodies(FILE *out, const shown *s) {
    enum { most_figures = 30 };
    const joint_figure *f, *figures[most_figures];
    table_column columns[most_figures + 2] = {{.name = "project"}, {.name = "body"}};
    size_t count = 0, bodies = 0;
    for (size_t r = 0; r < s->run_count; r++) bodies += s->runs[r].body_count;
    for (size_t k = 0; (f = body_figure_at(k)) && count < most_figures; k++) {
        bool has = false;
        for (size_t r = 0; r < s->run_count; r++) has = has || body_table_has(&s->runs[r], f);
        if (!f->head || !has) continue;
        columns[2 + count] = (table_column){.name = f->name,
                                            .head = figure_head(f, (joint_kinds){true, false}),
                                            .digits = f->digits};
        figures[count++] = f;
    }
    table *t = table_create(columns, 2 + count);
    for (size_t k = 0; k < count; k++) {
        table_rank(t, 2 + k, 2 + (size_t)figures[k]->interest);
        free((char *)columns[2 + k].head);
    }
    for (size_t r = 0; r < s->run_count; r++)
        for (size_t b = 0; b < s->runs[r].body_count; b++) {
            AUTO_FREE char *project = path_stem(s->runs[r].folder);
            table_text(t, project);
            table_text(t, s->runs[r].bodies[b].name);
            for (size_t k = 0; k < count; k++)
                figure_cell(t, figures[k], false,
                            run_data_figure(&s->runs[r].bodies[b], figures[k]->name));
        }
    if (bodies) table_print(t, TABLE_TEXT, out);
    table_destroy(t);
}

void run_table_write(FILE *out, const char *const *folders, size_t count, table_format format,
                     stiction_errors *errors) {
    shown s = {.runs = allocate(count, sizeof *s.runs), .for_people = format == TABLE_TEXT};
    for (size_t k = 0; k < count; k++) {
        stiction_error error;
        if (run_data_load_summary(&s.runs[s.run_count], folders[k], &error)) {
            s.run_count++;
        } else {
            stiction_errors_add_error(errors, &error);
            run_data_release(&s.runs[s.run_count]);
        }
    }
    choose_figures(&s);
    table *t = make_table(&s);
    for (size_t k = 0; k < s.run_count; k++) add_run(t, &s, &s.runs[k]);
    table_print(t, format, out);
    if (s.for_people) {
        write_bodies(out, &s);
        write_warnings(out, &s);
    }
    table_destroy(t);
    for (size_t k = 0; k < s.run_count; k++) run_data_release(&s.runs[k]);
    free(s.runs);
    free(s.figures);
}
