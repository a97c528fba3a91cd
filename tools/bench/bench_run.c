/* SPDX-License-Identifier: MIT
 * stiction bench, part run: where the time of `stiction run` goes, from the project's file to
 * results on the disk, in a temporary folder.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "common/command.h"
#include "common/folder.h"
#include "run/run.h"
#include "run/run_times.h"

/* A run is long: what varies in it has evened out. */
enum { most_rounds = 5 };

/* Which files. */
static const struct {
    const char *name;
    series_format series;
    bool report;
} ways[] = {
    {"csv, report", SERIES_CSV, true}, {"npz", SERIES_NPZ, false}, {"none", SERIES_NONE, false}};
enum { way_count = sizeof ways / sizeof ways[0] };

static double sum_of(const times *t) {
    double sum = 0;
    for (size_t k = 0; k < TIMES_PARTS; k++) sum += t->seconds[k];
    return sum;
}

static bool run_once(const char *path, const overrides *o, const run_outputs *outputs,
                     const char *folder, times *t, stiction_error *error) {
    AUTO_FREE char *target = format_text("%s/run", folder);
    place p = {.lock = -1};
    bool written = false, fine = place_open(&p, target, PLACE_FREE, error);
    if (fine) {
        times_begin(t);
        fine = run_into_place(&p, path, run_mujoco, o, outputs, &written, error) == RUN_FINE &&
               written;
        times_end();
    }
    folder_remove(target);
    return fine;
}

/* The fastest of some rounds. */
static bool measure_way(const bench_request *request, const char *path, size_t way,
                        const char *folder, times *best, stiction_error *error) {
    overrides o;
    run_outputs outputs = run_outputs_default();
    text_list set = {NULL, 0};
    if (request->quick) text_list_add(&set, "duration=0.02");
    bool fine = overrides_read(&o, set.items, set.count, false, error);
    outputs.series = ways[way].series;
    outputs.report = ways[way].report;
    outputs.log = print_log;
    o.simulation.interval = outputs.series == SERIES_NONE ? (double)NAN : 0;
    const size_t rounds = request->repeat < most_rounds ? request->repeat : most_rounds;
    for (size_t k = 0; k < rounds && fine; k++) {
        times t;
        fine = run_once(path, &o, &outputs, folder, &t, error);
        if (fine && (k == 0 || sum_of(&t) < sum_of(best))) *best = t;
    }
    overrides_free(&o);
    free((void *)set.items);
    return fine;
}

static bool measure(const bench_request *request, const char *path, table *t,
                    stiction_error *error) {
    const char *place_of = getenv("TMPDIR");
    char *folder = format_text("%s/stiction-XXXXXX", place_of && *place_of ? place_of : "/tmp"),
         *name = path_stem(path);
    const bool made = mkdtemp(folder) || fail_errno(error, folder);
    bool fine = made;
    for (size_t way = 0; way < way_count && fine; way++) {
        times best;
        fine = measure_way(request, path, way, folder, &best, error);
        AUTO_FREE char *row = format_text("%s: %s", name, ways[way].name);
        if (fine) run_times_add(t, row, &best);
    }
    if (made) folder_remove(folder);
    free(folder);
    free(name);
    return fine;
}

const bench_part bench_run = {
    .name = "run",
    .needs_project = true,
    .only_if_named = true,
    .columns = run_times_columns,
    .column_count = RUN_TIMES_COLUMNS,
    .measure = measure,
};
