/* The table of quantities, and results.json. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "show.h"

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

/* For people: what fits beside the others; the gallery has all of it. */
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

void show_table(experiment_run *const *runs, size_t count, table_format format, FILE *out) {
    static const table_column columns[] = {
        {"id", NULL, 0},           {"quantity", NULL, 0}, {"ours", NULL, 5},   {"unit", NULL, 0},
        {"paper", "the paper", 0}, {"verdict", NULL, 0},  {"reason", NULL, 0}, {"stated", NULL, 0},
        {"tolerance", NULL, 0},    {"why", NULL, 0},
    };
    enum { all_columns = sizeof columns / sizeof columns[0], columns_for_people = 7 };
    const bool for_people = format == TABLE_TEXT;
    table *t = table_create(columns, for_people ? columns_for_people : all_columns);
    for (size_t r = 0; r < count; r++)
        for (size_t k = 0; k < runs[r]->quantity_count; k++) add_row(t, runs[r], k, for_people);
    table_print(t, format, out);
    table_destroy(t);
}

static void write_parameters(FILE *file, const experiment *e) {
    fputs("    \"parameters\": [", file);
    for (const experiment_parameter *p = e->parameters; p && p->symbol; p++) {
        fputs(p == e->parameters ? "\n      { \"symbol\": " : ",\n      { \"symbol\": ", file);
        json_text(file, p->symbol);
        fputs(", \"value\": ", file);
        json_number(file, p->value);
        fputs(", \"unit\": ", file);
        json_text(file, p->unit);
        fputs(", \"source\": ", file);
        json_text(file, show_source(p->source));
        fputs(", \"note\": ", file);
        json_text(file, p->note ? p->note : "");
        fputs(" }", file);
    }
    fputs("],\n", file);
}

static void write_run(FILE *file, experiment_run *run) {
    fputs("  {\n    \"id\": ", file);
    json_text(file, run->of->id);
    fputs(",\n    \"title\": ", file);
    json_text(file, run->of->title);
    fputs(",\n    \"seconds\": ", file);
    json_number(file, run->seconds);
    fprintf(file, ",\n    \"holds\": %s,\n", experiment_holds(run) ? "true" : "false");
    write_parameters(file, run->of);
    fputs("    \"quantities\": ", file);
    show_table(&run, 1, TABLE_JSON, file);
    fputs("\n  }", file);
}

bool show_json(experiment_run *const *runs, size_t count, const char *folder) {
    char *path = format_text("%s/results.json", folder);
    FILE *file = fopen(path, "w");
    if (file) {
        fputs("[\n", file);
        for (size_t k = 0; k < count; k++) {
            write_run(file, runs[k]);
            fputs(k + 1 < count ? ",\n" : "\n", file);
        }
        fputs("]\n", file);
    }
    const bool written = file && !ferror(file);
    const bool fine = (!file || fclose(file) == 0) && written;
    if (!fine) (void)complain("cannot write %s: %s", path, strerror(errno));
    free(path);
    return fine;
}
