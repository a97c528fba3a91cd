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
#include "document/names.h"
#include "json/json_out.h"

#define BENCH_ENTRY(name) &bench_##name,
static const bench_part *const parts[] = {BENCH_PARTS(BENCH_ENTRY)};
enum { part_count = sizeof parts / sizeof parts[0] };

static bool parts_exist(const text_list *wanted, stiction_error *error) {
    const char *names[part_count];
    for (size_t k = 0; k < part_count; k++) names[k] = parts[k]->name;
    for (size_t k = 0; k < wanted->count; k++) {
        char hint[NAME_HINT_SIZE];
        size_t n = 0;
        while (n < part_count && strcmp(names[n], wanted->items[k]) != 0) n++;
        if (n == part_count)
            return fail(error, "bench: there is no part '%s'%s", wanted->items[k],
                        stiction_name_hint(wanted->items[k], names, part_count, hint));
    }
    return true;
}

static bool is_wanted(const bench_part *part, const bench_options *o, bool has_project) {
    for (size_t k = 0; k < o->parts.count; k++)
        if (strcmp(o->parts.items[k], part->name) == 0) return true;
    return o->parts.count == 0 && !part->only_if_named && (has_project || !part->needs_project);
}

static bool measure_part(const bench_part *part, const bench_request *request,
                         const text_list *projects, table *t, stiction_error *error) {
    if (!part->needs_project) return part->measure(request, NULL, t, error);
    for (size_t k = 0; k < projects->count; k++)
        if (!part->measure(request, projects->items[k], t, error)) return false;
    return true;
}

/* Stops at the first part that fails; what was measured before it is printed. */
static bool run_parts(const bench_options *o, const bench_request *request,
                      const text_list *projects, stiction_error *error) {
    bool fine = true;
    json_t *all = json_object();
    for (size_t k = 0, measured = 0; fine && k < part_count; k++) {
        if (!is_wanted(parts[k], o, projects->count > 0)) continue;
        table *t = table_create(parts[k]->columns, parts[k]->column_count);
        fine = measure_part(parts[k], request, projects, t, error);
        if (fine && o->json) {
            (void)json_out_set(all, parts[k]->name, table_json(t));
        } else if (fine) {
            if (measured++) putchar('\n');
            table_print(t, TABLE_TEXT, stdout);
        }
        table_destroy(t);
    }
    if (json_object_size(all)) (void)json_out_print(all, stdout);
    json_decref(all);
    return fine;
}

/* Whether each part has what it needs. */
static bool can_run(const bench_options *o, bool has_project, stiction_error *error) {
    if (!parts_exist(&o->parts, error)) return false;
    for (size_t k = 0; k < part_count; k++)
        if (parts[k]->needs_project && !has_project && is_wanted(parts[k], o, has_project))
            return fail(error, "bench: part %s needs a project", parts[k]->name);
    return true;
}

static int measure_parts(const void *given, const text_list *projects, stiction_error *error) {
    const bench_options *o = given;
    const size_t default_repeat = o->quick ? 2 : 50;
    const bench_request request = {.repeat = o->repeat ? o->repeat : default_repeat,
                                   .quick = o->quick};
    if (!can_run(o, projects->count > 0, error)) return EXIT_USAGE;
    for (size_t k = 0; k < projects->count; k++)
        if (!file_exists(projects->items[k])) {
            (void)fail(error, "%s: there is no such file", projects->items[k]);
            return EXIT_DATA;
        }
    return run_parts(o, &request, projects, error) ? EXIT_FINE : EXIT_DATA;
}

int main(int argc, char **argv) {
    return run_program(&verb_bench, measure_parts, argc, argv);
}
