/* SPDX-License-Identifier: MIT */
/* The table of quantities, and results.json. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "papers.h"
#include "show.h"
#include "json/json_out.h"

const char *show_source(parameter_source source) {
    static const char *const names[] = {"printed", "corrected", "inferred", "chosen"};
    return names[source];
}

void show_paper(const experiment_quantity *q, char *text, size_t size) {
    if (!isnan(q->paper))
        (void)snprintf(text, size, "%.5g", q->paper);
    else
        (void)snprintf(text, size, "%s", q->claim ? q->claim : "-");
}

const char *show_reason(const experiment_run *run, size_t quantity) {
    const experiment_quantity *q = &run->of->quantities[quantity];
    switch (experiment_judge(run, quantity)) {
    case VERDICT_DIFFERS:
        return q->differs ? q->differs : "the reason is not known";
    case VERDICT_FAILED:
        return isnan(run->measured[quantity]) ? "not measured" : "outside of our own tolerance";
    default:
        return "";
    }
}

/* Longest claim in the text table; the gallery has all of it. */
enum { widest_claim = 44 };

static void add_paper(table *t, const experiment_quantity *q, bool for_people) {
    char text[200];
    show_paper(q, text, sizeof text);
    if (for_people && strlen(text) > widest_claim) (void)strcpy(text + widest_claim - 3, "...");
    table_text(t, text);
}

static void add_row(table *t, const experiment_run *run, size_t k, bool for_people) {
    const experiment_quantity *q = &run->of->quantities[k];
    table_text(t, run->of->id);
    table_text(t, q->name);
    table_number(t, run->measured[k]);
    table_text(t, q->unit);
    add_paper(t, q, for_people);
    table_text(t, experiment_verdict_name(experiment_judge(run, k)));
    table_text(t, show_reason(run, k));
    if (for_people) return;
    table_number(t, q->ours);
    table_number(t, q->tolerance);
    table_text(t, q->why ? q->why : "");
}

static table *make_table(experiment_run *const *runs, size_t count, table_format format) {
    static const table_column columns[] = {
        {"id", NULL, 0},           {"quantity", NULL, 0}, {"ours", NULL, 5},   {"unit", NULL, 0},
        {"paper", "the paper", 0}, {"verdict", NULL, 0},  {"reason", NULL, 0}, {"stated", NULL, 0},
        {"tolerance", NULL, 0},    {"why", NULL, 0},
    };
    enum { all_columns = sizeof columns / sizeof columns[0], columns_for_people = 7 };
    const bool for_people = format == TABLE_TEXT;
    table *t = table_create(columns, for_people ? columns_for_people : all_columns);
    for (size_t r = 0; r < count; r++)
        for (size_t k = 0; k < runs[r]->of->quantity_count; k++) add_row(t, runs[r], k, for_people);
    return t;
}

void show_table(experiment_run *const *runs, size_t count, table_format format, FILE *out) {
    table *t = make_table(runs, count, format);
    table_print(t, format, out);
    table_destroy(t);
}

void show_legend(const experiment *const *shown, size_t count, FILE *out) {
    for (const paper *p = papers; p->letter; p++) {
        size_t k = 0;
        while (k < count && paper_of(shown[k]) != p) k++;
        if (k == count) continue;
        AUTO_FREE char *reference = paper_reference(p);
        fprintf(out, "%s  %s\n", p->letter, reference);
    }
}

static json_t *parameters_of(const experiment *e) {
    json_t *list = json_array();
    for (const experiment_parameter *p = e->parameters; p < e->parameters + e->parameter_count;
         p++) {
        json_t *row = json_object();
        (void)json_out_set(row, "symbol", json_out_text(p->symbol));
        (void)json_out_set(row, "value", json_out_number(p->value));
        (void)json_out_set(row, "unit", json_out_text(p->unit));
        (void)json_out_set(row, "source", json_out_text(show_source(p->source)));
        (void)json_out_set(row, "note", json_out_text(p->note));
        (void)json_array_append_new(list, row);
    }
    return list;
}

static json_t *run_of(experiment_run *run) {
    json_t *all = json_object();
    table *t = make_table(&run, 1, TABLE_JSON);
    (void)json_out_set(all, "id", json_out_text(run->of->id));
    (void)json_out_set(all, "title", json_out_text(run->of->title));
    (void)json_out_set(all, "seconds", json_out_number(run->seconds));
    (void)json_out_set(all, "holds", json_boolean(experiment_holds(run)));
    (void)json_out_set(all, "parameters", parameters_of(run->of));
    (void)json_out_set(all, "quantities", table_json(t));
    table_destroy(t);
    return all;
}

bool show_json(experiment_run *const *runs, size_t count, const char *folder,
               stiction_error *error) {
    AUTO_FREE char *path = format_text("%s/results.json", folder);
    json_t *list = json_array();
    for (size_t k = 0; k < count; k++) (void)json_array_append_new(list, run_of(runs[k]));
    const bool fine =
        json_out_write(list, path) || fail(error, "cannot write %s: %s", path, strerror(errno));
    json_decref(list);
    return fine;
}
