/* SPDX-License-Identifier: MIT
 * The runs of a sweep that work, sorted into cases.
 */
#include "sweep/works.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"

static bool is_random(const char *key) {
    return strcmp(key, "repetition") == 0 || strcmp(key, "seed") == 0;
}

static bool is_numeric(const sweep_plan *plan, size_t parameter) {
    size_t count;
    double number;
    const char *const *values = sweep_plan_distinct(plan, parameter, &count);
    for (size_t k = 0; k < count; k++)
        if (!read_number(values[k], &number) || !isfinite(number)) return false;
    return count > 1;
}

/* The key of the plan or, without one, the first number of the controller. */
static size_t find_parameter(const sweep_plan *plan) {
    size_t alike;
    if (plan->works.edge) return sweep_plan_find_key(plan, plan->works.edge, &alike);
    size_t k = 0;
    while (k < plan->parameter_count &&
           (strncmp(plan->parameters[k].key, "controller.", strlen("controller.")) != 0 ||
            !is_numeric(plan, k)))
        k++;
    return k;
}

/* A run in its case. */
typedef struct entry {
    size_t of, row;
    double number;
    const char *value;
    bool works;
} entry;

static int by_case(const void *a, const void *b) {
    const entry *one = a, *other = b;
    if (one->of != other->of) return one->of < other->of ? -1 : 1;
    return one->number < other->number ? -1 : one->number > other->number;
}

static int by_case_down(const void *a, const void *b) {
    const entry *one = a, *other = b;
    return one->of != other->of ? by_case(a, b) : by_case(b, a);
}

/* The number of the case of a row; new ones are counted. */
static size_t case_of(const works_edge *e, const sweep_rows *rows, size_t row, json_t *known) {
    const size_t run = rows->rows[row].run;
    AUTO_FREE char *text = copy_text(sweep_plan_project(rows->plan, run));
    for (size_t k = 0; k < e->other_count; k++)
        append_text(&text, "\n%s", sweep_plan_value(rows->plan, run, e->others[k]));
    json_t *number = json_object_get(known, text);
    if (!number) {
        number = must_have(json_integer((json_int_t)json_object_size(known)));
        if (json_object_set_new_nocheck(known, text, number) != 0) (void)must_have(NULL);
    }
    return (size_t)json_integer_value(number);
}

/* Runs with the same value work if all of them do. */
static void take_entries(works_edge *e, const entry *list, size_t count) {
    for (size_t k = 0; k < count;) {
        works_case *c = &e->cases[list[k].of];
        bool works = true;
        const size_t first = k;
        for (; k < count && list[k].of == list[first].of && list[k].number == list[first].number;
             k++)
            works = works && list[k].works;
        if (works && !c->value) c->value = list[first].value;
        if (!works && c->value && !c->again) c->again = list[first].value;
        if (k == count || list[k].of != list[first].of) c->row = list[first].row;
    }
}

bool works_edge_find(works_edge *e, const sweep_rows *rows) {
    const sweep_plan *plan = rows->plan;
    *e = (works_edge){.parameter = plan->works.select ? find_parameter(plan) : 0};
    if (!plan->works.select || e->parameter == plan->parameter_count || !rows->count ||
        !is_numeric(plan, e->parameter))
        return false;
    e->others = allocate(plan->parameter_count, sizeof *e->others);
    for (size_t k = 0; k < plan->parameter_count; k++)
        if (k != e->parameter && sweep_plan_varies(plan, k) && !is_random(plan->parameters[k].key))
            e->others[e->other_count++] = k;
    AUTO_FREE entry *list = allocate(rows->count, sizeof *list);
    json_auto_t *known = must_have(json_object());
    for (size_t k = 0; k < rows->count; k++) {
        const char *value = sweep_plan_value(plan, rows->rows[k].run, e->parameter);
        list[k] = (entry){.of = case_of(e, rows, k, known),
                          .row = k,
                          .value = value,
                          .works = rows->rows[k].works};
        (void)read_number(value, &list[k].number);
    }
    qsort(list, rows->count, sizeof *list, plan->works.largest ? by_case_down : by_case);
    e->case_count = json_object_size(known);
    e->cases = allocate(e->case_count, sizeof *e->cases);
    take_entries(e, list, rows->count);
    return true;
}

void works_edge_free(works_edge *e) {
    free(e->others);
    free(e->cases);
    *e = (works_edge){.others = NULL};
}

char *works_edge_title(const works_edge *e, const sweep_plan *plan) {
    return format_text("%s %s that works (%s)", plan->works.largest ? "largest" : "smallest",
                       plan->parameters[e->parameter].key, plan->works.text);
}

char *works_case_text(const works_case *c) {
    return c->again ? format_text("%s, but not %s", c->value, c->again)
                    : copy_text(c->value ? c->value : "none");
}
