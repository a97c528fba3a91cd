/*
 * stiction sweep: every combination of a grid of settings is a run; it goes on where it was
 * stopped.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/allow.h"
#include "common/command.h"
#include "common/folder.h"
#include "common/verb.h"
#include "run/run.h"
#include "sweep/processes.h"
#include "sweep/runner.h"
#include "sweep/sweep_file.h"
#include "sweep/tables.h"

/* Up to here reports are written without being asked for. */
enum { few_runs = 24 };

typedef struct sweep_options {
    const char *out, *shard;
    size_t jobs;
    double timeout;
    bool force, retry, reports, no_reports;
    text_list allow;
} sweep_options;

/* Every n-th run, from the first on. */
typedef struct shard {
    size_t first, step;
} shard;

static bool read_shard(const char *text, shard *s) {
    char end;
    *s = (shard){0, 1};
    if (!text) return true;
    size_t number;
    if (sscanf(text, "%zu/%zu%c", &number, &s->step, &end) != 2 || number < 1 || number > s->step ||
        s->step > SWEEP_MOST_RUNS)
        return complain("--shard %s: must be I/N, I from 1 to N", text);
    s->first = number - 1;
    return true;
}

/* Those of a shard that are in one of two states. */
static size_t choose(const sweep_store *store, const shard *s, sweep_state state, sweep_state other,
                     size_t *runs) {
    size_t count = 0;
    for (size_t run = s->first; run < sweep_plan_count(store->plan); run += s->step) {
        const sweep_state is = sweep_run_state(store->folder, store->plan, run, NULL);
        if (is == state || is == other) runs[count++] = run;
    }
    return count;
}

static size_t shard_size(const sweep_plan *plan, const shard *s) {
    const size_t count = sweep_plan_count(plan);
    return s->first < count ? (count - s->first - 1) / s->step + 1 : 0;
}

/* True: every run of the shard went well. */
static bool show_outcome(const sweep_store *store, const shard *s, size_t *scratch, bool stopped) {
    const size_t all = shard_size(store->plan, s);
    const size_t done = choose(store, s, SWEEP_DONE, SWEEP_DONE, scratch);
    const size_t failed = choose(store, s, SWEEP_FAILED, SWEEP_FAILED, scratch);
    const bool shown = sweep_show(store->folder, store->plan);
    (void)fflush(stdout);
    if (stopped)
        (void)complain("stopped; %zu of %zu runs are complete; the same command (without --force) "
                       "goes on from here",
                       done + failed, all);
    else if (failed)
        (void)complain("%zu of %zu runs failed; the same command with --retry repeats them", failed,
                       all);
    return shown && done == all;
}

static bool sweep_into(const sweep_options *o, const shard *s, const char *file,
                       const sweep_store *store) {
    const size_t all = shard_size(store->plan, s);
    size_t *todo = allocate(all, sizeof *todo);
    const size_t count =
        choose(store, s, SWEEP_ABSENT, o->retry ? SWEEP_FAILED : SWEEP_ABSENT, todo);
    if (count < all) fprintf(stderr, "%zu of %zu runs are complete already\n", all - count, all);
    sweep_runner r = {.store = store,
                      .file = file,
                      .todo = todo,
                      .todo_count = count,
                      .at_once = o->jobs ? o->jobs : processes_cores(),
                      .time_limit = o->timeout};
    run_catch_interrupts();
    bool whole = sweep_run_all(&r);
    const bool wanted = o->reports || (!o->no_reports && sweep_plan_count(store->plan) <= few_runs);
    if (whole && wanted) {
        r.todo_count = choose(store, s, SWEEP_DONE, SWEEP_DONE, todo);
        whole = sweep_report_all(&r);
    }
    const bool fine = show_outcome(store, s, todo, !whole);
    free(todo);
    return whole && fine;
}

static bool has_engine(const char *name) {
    return run_find_engine(name) != NULL;
}

static const sweep_rules rules = {has_engine,         run_engine_names,
                                  settings_has_key,   settings_check,
                                  settings_is_option, settings_has_other_controllers};

static int run(const void *given, const text_list *arguments) {
    const sweep_options *o = given;
    const char *file = arguments->items[0];
    shard s;
    if (!read_shard(o->shard, &s) || !allow_folders(&o->allow)) return EXIT_USAGE;
    if (o->reports && o->no_reports) {
        (void)complain("give --reports or --no-reports, not both");
        return EXIT_USAGE;
    }
    sweep_plan plan;
    bool fine = sweep_file_read(file, &rules, &plan);
    if (fine) {
        char *stem = path_stem(file);
        char *folder = o->out ? copy_text(o->out) : format_text("results/%s", stem);
        sweep_store store;
        fine = sweep_store_open(&store, folder, &plan, o->force) && sweep_into(o, &s, file, &store);
        sweep_store_close(&store);
        free(folder);
        free(stem);
    }
    sweep_plan_free(&plan);
    return fine ? EXIT_FINE : EXIT_DATA;
}

static const sweep_options defaults = {.timeout = (double)NAN};

static const option options_of_sweep[] = {
    {"out", OPTION_TEXT, "DIR", "the folder of the sweep (default results/NAME of the file)",
     offsetof(sweep_options, out)},
    {"jobs", OPTION_COUNT, "N", "runs at once (default: one a core)",
     offsetof(sweep_options, jobs)},
    {"shard", OPTION_TEXT, "I/N", "only every N-th run, from the I-th on; see stiction merge",
     offsetof(sweep_options, shard)},
    {"timeout", OPTION_POSITIVE, "S", "a run that takes longer than S seconds has failed",
     offsetof(sweep_options, timeout)},
    {"retry", OPTION_FLAG, NULL, "repeat the runs that failed", offsetof(sweep_options, retry)},
    {"reports", OPTION_FLAG, NULL, "a report.html of every run (default: up to 24 runs)",
     offsetof(sweep_options, reports)},
    {"no-reports", OPTION_FLAG, NULL, "none", offsetof(sweep_options, no_reports)},
    ALLOW_OPTION(sweep_options, allow),
    {"force", OPTION_FLAG, NULL, "remove what is in DIR and begin anew",
     offsetof(sweep_options, force)},
    {.name = NULL},
};

const verb verb_sweep = {
    .name = "sweep",
    .summary = "run every combination of settings and compare",
    .arguments = "SWEEP.yaml",
    .least = 1,
    .most = 1,
    .options = options_of_sweep,
    .defaults = &defaults,
    .options_size = sizeof defaults,
    .description =

        "Runs projects under every combination of the settings in a file, on all cores,\n"
        "and compares them. The file:\n"
        "  sweep: 1                         the format\n"
        "  projects: [wrist.cnoid]          beside the file\n"
        "  engine: mujoco                   or choreonoid; may be left out\n"
        "  interval: 0.01                   s, as of stiction run; may be left out\n"
        "  set:                             keys as of stiction run --set\n"
        "    controller.kp: [20, 50]        every combination of the lists is a run\n"
        "    duration: 5                    one value: the same in every run\n"
        "\n"
        "DIR gets sweep.csv (a row a run: settings and all figures, 17 digits),\n"
        "sweep.html (a page that compares them), sweep.json (the grid), and runs/NAME\n"
        "with the results of every run. A run that fails is a row with its reason.\n"
        "Whatever ends the sweep, the same command goes on where it was; nothing that was\n"
        "complete is done again. The exit code is 0 when all runs went well.",
    .example = "  stiction sweep sample_projects/arm7/arm7_gains.yaml --out results/gains\n"
               "  stiction sweep gains.yaml --shard 1/2 --out here  # and 2/2 on another machine",
    .run = run,
};
