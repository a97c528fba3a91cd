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
#include "sweep/inputs.h"
#include "sweep/precheck.h"
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
    bool force, retry, keep_going, reports, no_reports, figures_only, accept_changes;
    const char *keep_series;
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

/* Those of a shard that are in one of some states. */
static size_t choose(const sweep_states *states, const shard *s, unsigned wanted, size_t *runs) {
    size_t count = 0;
    for (size_t run = s->first; run < states->count; run += s->step)
        if (wanted & (1u << states->states[run])) runs[count++] = run;
    return count;
}

static size_t shard_size(const sweep_plan *plan, const shard *s) {
    const size_t count = sweep_plan_count(plan);
    return s->first < count ? (count - s->first - 1) / s->step + 1 : 0;
}

/* True: every run of the shard went well, and no other run is damaged. */
static bool show_outcome(const sweep_states *states, const shard *s, size_t *scratch,
                         sweep_verdict verdict) {
    const size_t all = shard_size(states->plan, s);
    const size_t done = choose(states, s, 1u << SWEEP_DONE, scratch);
    const size_t failed = choose(states, s, 1u << SWEEP_FAILED, scratch);
    const bool shown = sweep_show(states);
    (void)flush_output();
    if (verdict == SWEEP_STOPPED)
        (void)complain("stopped; %zu of %zu runs are complete; the same command (without --force) "
                       "goes on from here",
                       done + failed, all);
    else if (failed)
        (void)complain("%zu of %zu runs failed; the same command with --retry repeats them", failed,
                       all);
    if (verdict == SWEEP_ALL_RAN && done + failed < all)
        (void)complain("%zu of %zu runs could not be written, see above", all - done - failed, all);
    const size_t damaged = sweep_states_count(states, SWEEP_DAMAGED);
    if (damaged)
        (void)complain("%zu run%s damaged and not in the table", damaged,
                       damaged == 1 ? " is" : "s are");
    return shown && done == all && !damaged;
}

/* Of a folder that is ours. */
static bool sweep_into(const sweep_options *o, const shard *s, sweep_runner *r, size_t *todo) {
    const size_t all = shard_size(r->store->plan, s);
    if (r->todo_count < all)
        fprintf(stderr, "%zu of %zu runs are complete already\n", all - r->todo_count, all);
    sweep_verdict verdict = sweep_run_all(r);
    const bool wanted =
        o->reports || (!o->no_reports && sweep_plan_count(r->store->plan) <= few_runs);
    if (verdict == SWEEP_ALL_RAN && wanted) {
        r->todo_count = choose(r->states, s, 1u << SWEEP_DONE, todo);
        if (!sweep_report_all(r)) verdict = SWEEP_STOPPED;
    }
    const bool settled = sweep_states_settle(r->states, r->store);
    const bool fine = show_outcome(r->states, s, todo, verdict) && settled;
    if (!sweep_states_count(r->states, SWEEP_ABSENT)) sweep_store_forget(r->store);
    return verdict == SWEEP_ALL_RAN && fine;
}

/* What is there is read, and all runs that are to be done are checked, before anything is written.
 */
static bool sweep_all(const sweep_options *o, const shard *s, const char *file,
                      sweep_store *store) {
    sweep_states states =
        sweep_states_read(store->is_sweep && !o->force ? store->folder : NULL, store->plan);
    states.folder = store->folder;
    if (states.unread) {
        sweep_states_free(&states);
        return false;
    }
    (void)sweep_states_tell_damage(&states, "; it does not count as complete");
    size_t *todo = allocate(shard_size(store->plan, s), sizeof *todo);
    const unsigned wanted =
        1u << SWEEP_ABSENT | 1u << SWEEP_DAMAGED | (o->retry ? 1u << SWEEP_FAILED : 0);
    sweep_runner r = {.store = store,
                      .states = &states,
                      .file = file,
                      .todo = todo,
                      .todo_count = choose(&states, s, wanted, todo),
                      .at_once = o->jobs ? o->jobs : processes_cores(),
                      .time_limit = o->timeout,
                      .keep_going = o->keep_going};
    run_catch_interrupts();
    sweep_inputs inputs = {.generation = 0};
    const bool fine = sweep_inputs_check(&inputs, &r, o->accept_changes) &&
                      (o->keep_going || sweep_precheck(&r)) && sweep_store_take(store) &&
                      sweep_states_record(&states, store) && sweep_inputs_record(&inputs, store) &&
                      sweep_into(o, s, &r, todo);
    sweep_inputs_free(&inputs);
    free(todo);
    sweep_states_free(&states);
    return fine;
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
        sweep_keep keep;
        fine = sweep_keep_read(&keep, &plan, o->figures_only, o->keep_series);
        if (fine) {
            fine = sweep_store_look(&store, folder, &plan, o->force);
            store.keep = &keep;
            fine = fine && sweep_all(o, &s, file, &store);
            sweep_store_close(&store);
        }
        sweep_keep_free(&keep);
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
    {"keep-going", OPTION_FLAG, NULL, "start also where runs cannot begin or all fail alike",
     offsetof(sweep_options, keep_going)},
    {"figures-only", OPTION_FLAG, NULL, "keep the figures of runs, drop their time series",
     offsetof(sweep_options, figures_only)},
    {"keep-series", OPTION_TEXT, "CONDITION", "the same, but keep the series of runs like these",
     offsetof(sweep_options, keep_series)},
    {"reports", OPTION_FLAG, NULL, "a report.html of every run (default: up to 24 runs)",
     offsetof(sweep_options, reports)},
    {"no-reports", OPTION_FLAG, NULL, "none", offsetof(sweep_options, no_reports)},
    ALLOW_OPTION(sweep_options, allow),
    {"accept-changes", OPTION_FLAG, NULL, "go on though files that complete runs read changed",
     offsetof(sweep_options, accept_changes)},
    {"force", OPTION_FLAG, NULL, "replace the sweep that is in DIR, when this one is whole",
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
        "complete is done again. A run counts as complete while all its files are as\n"
        "listed in its SHA256SUMS; one that is damaged is named, left out of the table,\n"
        "and repeated. The exit code is 0 when all runs went well.\n"
        "\n"
        "Before the first run starts, the project, bodies, configuration and settings of\n"
        "all are read; where some run could not begin, the reasons are told and nothing\n"
        "is started or written. Where the first few runs (8, or 2 a job) all fail for the\n"
        "same reason, the others are not started. --keep-going does without both.",
    .example = "  stiction sweep sample_projects/arm7/arm7_gains.yaml --out results/gains\n"
               "  stiction sweep gains.yaml --shard 1/2 --out here  # and 2/2 on another machine",
    .run = run,
};
