/*
 * stiction bench: what friction costs, in parts that measure one thing each.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "common/command.h"
#include "common/folder.h"
#include "common/verb.h"
#include "common/whole_file.h"
#include "document/names.h"
#include "json/json_out.h"

typedef struct bench_options {
    text_list parts;
    size_t repeat, runs;
    bool quick, json, instructions, targets, force;
    const char *plot;
} bench_options;

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

static int run(const void *given, const text_list *projects) {
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
    if (o->plot && !whole_file_may_take(o->plot, o->force)) return EXIT_DATA;
    for (size_t k = 0; k < projects->count; k++)
        if (!file_exists(projects->items[k])) {
            (void)complain("%s: there is no such file", projects->items[k]);
            return EXIT_DATA;
        }
    return run_parts(o, &request);
}

static const bench_options defaults = {.repeat = 0};

static const option options_of_bench[] = {
    {"part", OPTION_TEXTS, "PART", "only this part; may be repeated (default: all)",
     offsetof(bench_options, parts)},
    {"repeat", OPTION_COUNT, "N", "how often everything is timed (default 50)",
     offsetof(bench_options, repeat)},
    {"runs", OPTION_COUNT, "N", "the most runs of the part sweep (default 10000)",
     offsetof(bench_options, runs)},
    {"quick", OPTION_FLAG, NULL, "see that it works: the times are worth nothing",
     offsetof(bench_options, quick)},
    {"json", OPTION_FLAG, NULL, "the tables as JSON", offsetof(bench_options, json)},
    {"targets", OPTION_FLAG, NULL, "what this project aims at, in the parts laws and lambert",
     offsetof(bench_options, targets)},
    {"plot", OPTION_TEXT, "FILE", "the part size as a picture too: SVG, or PNG by its name",
     offsetof(bench_options, plot)},
    {"force", OPTION_FLAG, NULL, "replace the picture that is there",
     offsetof(bench_options, force)},
    {"instructions", OPTION_FLAG, NULL, "instructions of a step, counted by valgrind",
     offsetof(bench_options, instructions)},
    {.name = NULL},
};

const verb verb_bench = {
    .name = "bench",
    .summary = "measure what friction costs",
    .arguments = "[PROJECT.cnoid...]",
    .least = 0,
    .most = 0,
    .options = options_of_bench,
    .defaults = &defaults,
    .options_size = sizeof defaults,
    .description =

        "Measures times on this machine, in parts:\n"
        "  laws    a step of a joint, in a batch and alone, beside what others take for\n"
        "          the same, as ratios to\n"
        "          E      one exp of libm,\n"
        "          T      a step of the same batch with a look-up table of 4096 entries\n"
        "                 in the place of the exact law,\n"
        "          C      a copy of as many bytes as the batch reads and writes,\n"
        "          floor  a step with nothing but exp2, square root and division in the\n"
        "                 place of the law, in the same loops and instructions.\n"
        "          The bars of --targets are in T, C, floors and batch calls, so that\n"
        "          they mean the same on every processor; all is timed in turns, and the\n"
        "          best times count. Batches are as large as the caches of this machine\n"
        "          say.\n"
        "  machine  the processor, its caches and the instruction set that was chosen; it\n"
        "          comes with the part laws.\n"
        "  lambert  Lambert's W0 and W-1 by ranges of their argument, beside Boost's, and\n"
        "          their largest error.\n"
        "  size    a step of a batch, from one joint to a million and on several threads.\n"
        "  fleet   4096 robots of 37 joints against real time, loading of 1000 joints,\n"
        "          bytes a joint.\n"
        "  implicit  the solver of implicit coupling by itself, of 7 and 37 joints that\n"
        "          move or stick.\n"
        "  engine  a step of MuJoCo without friction, with this library's, explicit and\n"
        "          implicit, and with MuJoCo's own frictionloss, in projects. All are\n"
        "          stepped from the same states of a run with friction, in turns; the\n"
        "          torques of the controllers are held and not in the times.\n"
        "  drives  where it is named: a step of a joint with load, temperature, ripple,\n"
        "          lag or presliding, beside the same law without.\n"
        "  controller  where it is named: the posture controller of a project directly\n"
        "          and through the table that any controller has.\n"
        "  qp      where it is named: the solver of quadratic programs, on those of a\n"
        "          humanoid that stands, squats and is pushed, with and without the rows\n"
        "          of the solution before.\n"
        "  run     where it is named: where the time of stiction run goes in projects,\n"
        "          with a page, with series as arrays alone, and without any.\n"
        "  sweep   where it is named: sweeps of 100 and 10000 runs (1 s each) of the\n"
        "          wrist's project, or of one with its keys, their merge and their page,\n"
        "          in TMPDIR; --runs 100000 takes its time. \"again\" is the same command\n"
        "          when all is done.\n"
        "A cost is the time beyond that of the step without friction.\n"
        "Parts that need a project are left out where none is given. With --instructions\n"
        "nothing is timed, unless a part is named: callgrind counts, and counts the same\n"
        "each time.",
    .example = "  stiction bench --part laws --repeat 200\n"
               "  stiction bench --part size --plot speed.svg\n"
               "  stiction bench sample_projects/humanoid/humanoid_standing.cnoid\n"
               "  stiction bench --part sweep sample_projects/wrist/wrist.cnoid\n"
               "  stiction bench --part run sample_projects/arm7/arm7.cnoid\n"
               "  stiction bench --part engine --repeat 50 --json humanoid_arms.cnoid",
    .run = run,
};
