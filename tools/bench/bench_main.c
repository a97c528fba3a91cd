/* SPDX-License-Identifier: MIT
 * The program stiction-bench: what friction costs, in parts that measure one thing each.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "bench_options.h"
#include "common/command.h"
#include "common/folder.h"
#include "common/verb_main.h"
#include "common/whole_file.h"
#include "document/names.h"
#include "json/json_out.h"

enum { default_repeat = 50, quick_repeat = 2 };

/* A new part is one file and one row here. */
static const bench_part *const parts[] = {
    &bench_laws,     &bench_machine,      &bench_lambert, &bench_size,       &bench_fleet,
    &bench_implicit, &bench_instructions, &bench_engine,  &bench_controller, &bench_qp,
    &bench_drives,   &bench_run,          &bench_sweep};
enum { part_count = sizeof parts / sizeof parts[0] };

static bool has_part(const char *name) {
    for (size_t k = 0; k < part_count; k++)
        if (strcmp(parts[k]->name, name) == 0) return true;
    return false;
}

static bool parts_exist(const text_list *wanted) {
    const char *names[part_count];
    for (size_t k = 0; k < part_count; k++) names[k] = parts[k]->name;
    for (size_t k = 0; k < wanted->count; k++) {
        char hint[NAME_HINT_SIZE];
        if (!has_part(wanted->items[k]))
            return complain("bench: there is no part '%s'%s", wanted->items[k],
                            stiction_name_hint(wanted->items[k], names, part_count, hint));
    }
    return true;
}

static bool is_wanted(const bench_part *part, const bench_options *o, bool has_project) {
    if (part == &bench_instructions && o->instructions) return true;
    /* ratios that do not say of which processor they are would be misread */
    if (part == &bench_machine && is_wanted(&bench_laws, o, has_project)) return true;
    for (size_t k = 0; k < o->parts.count; k++)
        if (strcmp(o->parts.items[k], part->name) == 0) return true;
    return o->parts.count == 0 && !o->instructions && !part->only_if_named &&
           (has_project || !part->needs_project);
}

static table *table_of(const bench_part *part, bool targets) {
    const size_t count = part->column_count + (targets ? part->target_column_count : 0);
    table_column *columns = allocate(count, sizeof *columns);
    for (size_t k = 0; k < count; k++)
        columns[k] = k < part->column_count ? part->columns[k]
                                            : part->target_columns[k - part->column_count];
    table *t = table_create(columns, count);
    free(columns);
    return t;
}

static int run_parts(const bench_options *o, const bench_request *request) {
    size_t measured = 0;
    bool fine = true;
    json_t *all = json_object();
    for (size_t k = 0; k < part_count; k++) {
        if (!is_wanted(parts[k], o, request->projects->count > 0)) continue;
        table *t = table_of(parts[k], request->targets);
        if (!parts[k]->measure(request, t)) {
            fine = false;
        } else if (o->json) {
            (void)json_out_set(all, parts[k]->name, table_json(t));
        } else {
            if (measured++) putchar('\n');
            table_print(t, TABLE_TEXT, stdout);
        }
        table_destroy(t);
    }
    if (json_object_size(all)) (void)json_out_print(all, stdout);
    json_decref(all);
    return fine ? EXIT_FINE : EXIT_DATA;
}

/* Whether each part has what it needs, and each option a part. */
static bool can_run(const bench_options *o, bool has_project) {
    for (size_t k = 0; k < part_count; k++)
        if (parts[k]->needs_project && !has_project && is_wanted(parts[k], o, has_project))
            return complain("bench: part %s needs a project", parts[k]->name);
    if (o->plot && strcmp(o->plot, "-") == 0)
        return complain("bench: --plot '-': the tables are on stdout; name a file");
    if (o->runs && !is_wanted(&bench_sweep, o, has_project))
        return complain("bench: --runs is for the part sweep");
    if (o->force && !o->plot) return complain("bench: --force is for --plot");
    return !o->plot || is_wanted(&bench_size, o, has_project) ||
           complain("bench: --plot is for the part size");
}

static int measure_parts(const void *given, const text_list *projects, stiction_error *error) {
    const bench_options *o = given;
    const bench_request request = {
        .projects = projects,
        .repeat = o->repeat  ? o->repeat
                  : o->quick ? quick_repeat
                             : default_repeat,
        .quick = o->quick,
        .targets = o->targets,
        .runs = o->runs,
        .plot = o->plot,
    };
    if (!parts_exist(&o->parts) || !can_run(o, projects->count > 0)) return EXIT_USAGE;
    /* before anything is measured for a minute */
    if (o->plot && !whole_file_may_take(o->plot, o->force, error)) return EXIT_DATA;
    for (size_t k = 0; k < projects->count; k++)
        if (!file_exists(projects->items[k])) {
            (void)complain("%s: there is no such file", projects->items[k]);
            return EXIT_DATA;
        }
    return run_parts(o, &request);
}

int main(int argc, char **argv) {
    return run_program(&verb_bench, measure_parts, argc, argv);
}
