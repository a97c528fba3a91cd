/* SPDX-License-Identifier: MIT
 * stiction sweep: runs every combination of a grid of settings; an interrupted sweep continues.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "common/folder.h"
#include "common/progress.h"
#include "common/verb.h"
#include "common/whole_file.h"
#include "run/project_traits.h"
#include "run/run.h"
#include "sweep/inputs.h"
#include "sweep/picture.h"
#include "sweep/processes.h"
#include "sweep/runner.h"
#include "sweep/search.h"
#include "sweep/slurm.h"
#include "sweep/sweep_file.h"
#include "sweep/tables.h"

/* Up to here reports are written without being asked for. */
enum { few_runs = 24 };

typedef struct sweep_options {
    const char *out, *shard, *plot, *partition;
    size_t jobs, chunk;
    double timeout;
    bool force, retry, keep_going, reports, no_reports, figures_only, accept_changes;
    bool slurm, slurm_script;
    const char *keep_series, *series;
    bool untrusted;
    text_list skip;
} sweep_options;

static const char *series_of(const sweep_options *o) {
    return o->series ? o->series : "csv";
}

static const sweep_options defaults = {.timeout = (double)NAN};

#define FIELD(name) offsetof(sweep_options, name)

static const option options_of_sweep[] = {
    {"out", OPTION_TEXT, "DIR", "the folder of the sweep (default results/NAME of the file)",
     FIELD(out)},
    {"jobs", OPTION_COUNT, "N", "runs at once (default: one per core); with --slurm tasks",
     FIELD(jobs)},
    {"shard", OPTION_TEXT, "I/N", "only every N-th run, from the I-th on; see stiction merge",
     FIELD(shard)},
    {"skip", OPTION_TEXTS, "DIR", "leave out runs that are complete in DIR", FIELD(skip)},
    {"slurm", OPTION_FLAG, NULL, "on a Slurm cluster: submit a job array and its merge",
     FIELD(slurm)},
    {"partition", OPTION_TEXT, "P", "the partition of --slurm", FIELD(partition)},
    {"chunk", OPTION_COUNT, "K", "runs of a task of --slurm (default: 10, or 1 % of all)",
     FIELD(chunk)},
    {"slurm-script", OPTION_FLAG, NULL, "only write the scripts, into DIR/.slurm or another folder",
     FIELD(slurm_script)},
    {"timeout", OPTION_POSITIVE, "S", "a run that takes longer than S seconds has failed",
     FIELD(timeout)},
    {"retry", OPTION_FLAG, NULL, "repeat the runs that failed", FIELD(retry)},
    {"keep-going", OPTION_FLAG, NULL, "start even if some runs cannot start or all fail alike",
     FIELD(keep_going)},
    {"figures-only", OPTION_FLAG, NULL, "keep the figures of runs, drop their time series",
     FIELD(figures_only)},
    {"keep-series", OPTION_TEXT, "IF", "the same, but keep the series of runs where this holds",
     FIELD(keep_series)},
    {"series", OPTION_TEXT, "FILES", "format of the series: csv (default), npz or both",
     FIELD(series)},
    {"reports", OPTION_FLAG, NULL, "a report.html of every run (default: up to 24 runs)",
     FIELD(reports)},
    {"no-reports", OPTION_FLAG, NULL, "no report.html", FIELD(no_reports)},
    {"plot", OPTION_TEXT, "WHAT", "a .png or .svg of an existing sweep, see below", FIELD(plot)},
    UNTRUSTED_OPTION(sweep_options, untrusted),
    {"accept-changes", OPTION_FLAG, NULL, "continue although files that complete runs read changed",
     FIELD(accept_changes)},
    {"force", OPTION_FLAG, NULL, "replace the sweep in DIR, or a picture", FIELD(force)},
    {.name = NULL},
};

/* Every n-th run, from the first on, without those that others have. */
typedef struct shard {
    size_t first, step;
    bool *skipped; /* of all runs; NULL: none is */
} shard;

static void free_shard(shard *s) {
    free(s->skipped);
}

static bool read_shard(const char *text, shard *s, stiction_error *error) {
    char end;
    *s = (shard){0, 1, NULL};
    if (!text) return true;
    size_t number;
    if (sscanf(text, "%zu/%zu%c", &number, &s->step, &end) != 2 || number < 1 || number > s->step ||
        s->step > SWEEP_MOST_RUNS)
        return fail(error, "--shard %s: must be I/N, I from 1 to N", text);
    s->first = number - 1;
    return true;
}

/* Those of a shard that are in one of some states. */
static size_t choose(const sweep_states *states, const shard *s, unsigned wanted, size_t *runs) {
    size_t count = 0;
    for (size_t run = s->first; run < states->count; run += s->step)
        if ((wanted & (1u << states->states[run])) && !(s->skipped && s->skipped[run]))
            runs[count++] = run;
    return count;
}

static size_t shard_size(const sweep_plan *plan, const shard *s) {
    const size_t count = sweep_plan_count(plan);
    size_t size = 0;
    for (size_t run = s->first; run < count; run += s->step)
        size += !(s->skipped && s->skipped[run]);
    return size;
}

/* Leaves out the runs that are complete in a folder. */
static bool skip_those_in(const char *folder, const sweep_plan *plan, bool retry, shard *s,
                          stiction_error *error) {
    bool same;
    if (!sweep_folder_has(folder, plan, &same, error)) return false;
    if (!same) return fail(error, "--skip %s: it has another sweep", folder);
    AUTO(sweep_states_free) sweep_states there;
    const bool fine = sweep_states_read_folder(&there, folder, plan, error);
    if (!s->skipped) s->skipped = allocate(there.count, sizeof *s->skipped);
    for (size_t run = 0; run < there.count; run++)
        if (there.states[run] == SWEEP_DONE || (there.states[run] == SWEEP_FAILED && !retry))
            s->skipped[run] = true;
    return fine;
}

/* True: every run of the shard succeeded, and no other run is damaged. */
static bool show_outcome(const sweep_states *states, const shard *s, size_t *scratch,
                         sweep_verdict verdict) {
    const size_t all = shard_size(states->plan, s);
    const size_t done = choose(states, s, 1u << SWEEP_DONE, scratch);
    const size_t failed = choose(states, s, 1u << SWEEP_FAILED, scratch);
    stiction_error error;
    const bool shown = sweep_show(states, stdout, &error) || report_error(&error);
    (void)flush_output();
    if (verdict == SWEEP_STOPPED)
        (void)print_error(
            "stopped; %zu of %zu runs are complete; the same command (without --force) "
            "continues from here",
            done + failed, all);
    else if (failed)
        (void)print_error("%zu of %zu runs failed; the same command with --retry repeats them",
                          failed, all);
    const size_t damaged = sweep_states_count(states, SWEEP_DAMAGED);
    if (damaged)
        (void)print_error("%zu run%s damaged and not in the table", damaged,
                          damaged == 1 ? " is" : "s are");
    return shown && done == all && !damaged;
}

/* report.html of the runs of a shard that succeeded. */
static sweep_verdict write_reports(const sweep_options *o, const shard *s, sweep_runner *r) {
    const size_t count = sweep_plan_count(r->store->plan);
    if (!o->reports && (o->no_reports || count > few_runs)) return SWEEP_ALL_RAN;
    AUTO_FREE size_t *done = allocate(count, sizeof *done);
    sweep_runner reports = *r;
    reports.todo = done;
    reports.todo_count = choose(r->states, s, 1u << SWEEP_DONE, done);
    stiction_error error;
    const sweep_verdict verdict = sweep_report_all(&reports, &error);
    if (verdict == SWEEP_GIVEN_UP) (void)report_error(&error);
    return verdict;
}

/* Whether a run has the series that were asked for. */
static bool has_series(const sweep_options *o, const sweep_store *store, size_t run) {
    series_format wanted = SERIES_NONE;
    if (o->series) (void)series_format_find(o->series, &wanted);
    AUTO_FREE char *folder = sweep_run_folder(store->folder, store->plan, run);
    AUTO_FREE char *csv = format_text("%s/" SERIES_CSV_NAME, folder);
    AUTO_FREE char *npz = format_text("%s/" SERIES_NPZ_NAME, folder);
    return file_exists(folder) &&
           (wanted == SERIES_NONE || wanted == SERIES_NPZ || file_exists(csv)) &&
           (wanted == SERIES_NONE || wanted == SERIES_CSV || file_exists(npz));
}

/* Complete runs are not repeated to get their series, which would surprise a user who asks for
 * series. If one of them has its series, a condition over figures was given when they ran. */
static void warn_of_missing_series(const sweep_options *o, const shard *s, const sweep_runner *r) {
    size_t with = 0, without = 0;
    if (!o->reports && !o->keep_series && !o->series) return;
    for (size_t run = s->first; run < r->states->count; run += s->step) {
        if (r->states->states[run] != SWEEP_DONE || !sweep_store_wants_series(r->store, run))
            continue;
        if (has_series(o, r->store, run))
            with++;
        else
            without++;
    }
    if (without && (!with || r->store->keep->of_settings_alone))
        (void)print_error("warning: %zu of the runs that are complete already have no such series, "
                          "and are not repeated; --force repeats all runs",
                          without);
}

/* Prints what stopped the runs, and reports of complete ones follow. */
static sweep_verdict finish_runs(const sweep_options *o, const shard *s, sweep_runner *r,
                                 sweep_verdict verdict, const stiction_error *error) {
    const sweep_keep *keep = r->store->keep;
    if (verdict == SWEEP_GIVEN_UP) (void)report_error(error);
    if (keep->unknown)
        (void)print_error("warning: --keep-series: %s; the series of %zu run%s are not kept",
                          keep->problem.message, keep->unknown, keep->unknown == 1 ? "" : "s");
    return verdict == SWEEP_ALL_RAN ? write_reports(o, s, r) : verdict;
}

/* Into a folder that is locked. */
static bool sweep_into(const sweep_options *o, const shard *s, sweep_runner *r, size_t *todo) {
    const size_t all = shard_size(r->store->plan, s);
    stiction_error error;
    if (r->todo_count < all)
        fprintf(stderr, "%zu of %zu runs are complete already\n", all - r->todo_count, all);
    warn_of_missing_series(o, s, r);
    sweep_verdict verdict = sweep_run_all(r, &error);
    verdict = finish_runs(o, s, r, verdict, &error);
    return show_outcome(r->states, s, todo, verdict) && verdict == SWEEP_ALL_RAN;
}

/* Of a search, failed runs are a part. */
static bool search_into(const sweep_options *o, const shard *s, search *found, sweep_runner *r) {
    stiction_error error;
    sweep_verdict verdict = search_run(found, &error);
    warn_of_missing_series(o, s, r);
    verdict = finish_runs(o, s, r, verdict, &error);
    const bool shown = sweep_show(r->states, stdout, &error) || report_error(&error);
    const size_t failed = sweep_states_count(r->states, SWEEP_FAILED);
    const bool fine = search_show(found, stdout) && shown && verdict == SWEEP_ALL_RAN;
    (void)flush_output();
    if (verdict == SWEEP_STOPPED)
        (void)print_error("stopped; the same command (without --force) continues from here");
    if (failed) (void)print_error("%zu of %zu runs failed", failed, r->states->count);
    return fine;
}

/* Checks all runs that are to be done; the errors are printed. */
static bool check_runs(const sweep_runner *r, sweep_inputs *inputs) {
    stiction_errors *errors = must_have(stiction_errors_create());
    const bool fine = sweep_precheck(r, inputs, errors) || report_errors(errors);
    stiction_errors_destroy(errors);
    return fine;
}

/* Reads what is complete and checks all runs to do before anything is written. `there`: the scripts
 * for Slurm are written in place of runs; NULL: they run here. */
static bool sweep_all(const sweep_options *o, const shard *s, const char *file, sweep_plan *plan,
                      sweep_store *store, slurm_sweep *there, slurm_jobs *jobs,
                      stiction_error *error) {
    AUTO(sweep_states_free) sweep_states states;
    if (!sweep_states_read(&states, store->is_sweep && !o->force ? store->folder : NULL,
                           store->plan, store->records, error))
        return false;
    states.folder = store->folder;
    (void)sweep_states_log_damage(&states, 0, SWEEP_NOT_COMPLETE, print_messages);
    AUTO_FREE size_t *todo = allocate(shard_size(store->plan, s), sizeof *todo);
    const unsigned wanted =
        1u << SWEEP_ABSENT | 1u << SWEEP_DAMAGED | (o->retry ? 1u << SWEEP_FAILED : 0);
    sweep_runner r = {.store = store,
                      .states = &states,
                      .file = file,
                      .todo = todo,
                      .todo_count = choose(&states, s, wanted, todo),
                      .at_once = o->jobs ? o->jobs : processes_cores(),
                      .time_limit = o->timeout,
                      .log = print_messages,
                      .series = series_of(o),
                      .keep_going = o->keep_going};
    run_catch_interrupts();
    states.folder = o->force ? NULL : store->folder; /* of what is there nothing counts */
    search *found = plan->goal ? search_begin(&r, plan, o->retry, error) : NULL;
    states.folder = store->folder;
    AUTO(sweep_inputs_free) sweep_inputs inputs = {.count = 0};
    r.inputs = &inputs;
    bool fine = (found || !plan->goal) &&
                sweep_inputs_check(&inputs, &r, o->accept_changes, error) &&
                check_runs(&r, &inputs) && sweep_store_take(store, error);
    if (there && r.todo_count) {
        there->todo = todo;
        there->todo_count = r.todo_count;
        fine = fine && slurm_write_scripts(there, jobs, error);
        there->todo = NULL;
    } else {
        fine = fine && sweep_states_adopt(&states, store, error) &&
               sweep_inputs_record(&inputs, store, error) &&
               (found ? search_into(o, s, found, &r) : sweep_into(o, s, &r, todo));
    }
    search_free(found);
    return fine;
}

static bool has_engine(const char *name) {
    return run_find_engine(name) != NULL;
}

static bool check_override(const char *text, stiction_place at, stiction_error *error) {
    return overrides_check(text, at, false, error);
}

/* Prints the errors and warnings of a sweep file. Free the plan either way. */
static bool read_sweep_file(const sweep_options *o, const char *file, sweep_plan *plan) {
    const sweep_rules rules = {has_engine,
                               run_engine_names,
                               override_has_key,
                               check_override,
                               override_is_of_controllers,
                               project_has_other_controllers,
                               run_controller_is_posture,
                               project_draws,
                               o->untrusted};
    stiction_errors *errors = must_have(stiction_errors_create());
    bool fine = sweep_file_read(file, &rules, plan, errors) || report_errors(errors);
    stiction_errors_destroy(errors);
    stiction_error error;
    if (fine && plan->works.select &&
        !expression_check(plan, plan->works.select, plan->works.spot, &error))
        fine = report_error(&error);
    if (plan->warning) print_note("%s", plan->warning);
    return fine;
}

/* ---- the command ---- */

/* Runs the sweep here, or writes the scripts for Slurm. */
static bool sweep_folder(const sweep_options *o, shard *s, const char *file, sweep_plan *plan,
                         const char *folder, slurm_sweep *there, slurm_jobs *jobs,
                         stiction_error *error) {
    bool fine = true;
    for (size_t k = 0; k < o->skip.count && fine; k++)
        fine = skip_those_in(o->skip.items[k], plan, o->retry, s, error);
    AUTO(sweep_keep_free) sweep_keep keep = {.unknown = 0};
    AUTO(sweep_store_close) sweep_store store = {.lock = -1};
    if (!fine || !sweep_keep_read(&keep, plan, o->figures_only, o->keep_series, error) ||
        !sweep_store_open(&store, folder, plan, o->force, error))
        return false;
    store.keep = &keep;
    return sweep_all(o, s, file, plan, &store, there, jobs, error);
}

/* Whether an option is passed on to the sweep of every task on Slurm. */
static bool is_for_tasks(const char *name) {
    static const char *const ours[] = {"out",       "jobs",  "shard", "skip",         "slurm",
                                       "partition", "chunk", "force", "slurm-script", "plot"};
    for (size_t k = 0; k < sizeof ours / sizeof ours[0]; k++)
        if (strcmp(name, ours[k]) == 0) return false;
    return true;
}

/* Prints what was submitted, or how to submit it. */
static void show_jobs(const slurm_sweep *there, const slurm_jobs *jobs) {
    const char *one = there->todo_count == 1 ? "" : "s", *task = jobs->tasks == 1 ? "" : "s";
    if (jobs->array) {
        show_line("job %zu: %zu run%s in %zu task%s; job %zu merges them into %s", jobs->array,
                  there->todo_count, one, jobs->tasks, task, jobs->merge, there->folder);
        show_line("squeue --me shows them, scancel %zu %zu ends them; logs: %s/.slurm", jobs->array,
                  jobs->merge, there->folder);
        show_line("afterwards the same command submits runs that are missing, or shows the table");
        return;
    }
    AUTO_FREE char *array = slurm_path(there, "array.sh"), *first = shell_word(array);
    AUTO_FREE char *merge = slurm_path(there, "merge.sh"), *second = shell_word(merge);
    show_line("%zu run%s in %zu task%s; to submit them and the job that merges them:",
              there->todo_count, one, jobs->tasks, task);
    show_line("job=$(sbatch --parsable %s)", first);
    show_line("sbatch --dependency=afterany:$job %s", second);
}

static bool submit(const slurm_sweep *there, slurm_jobs *jobs) {
    stiction_error error = {.status = STICTION_OK};
    if (slurm_submit(there, jobs, &error)) return true;
    (void)report_error(&error);
    if (!jobs->array) return print_error("nothing is submitted");
    AUTO_FREE char *merge = slurm_path(there, "merge.sh"), *script = shell_word(merge);
    (void)print_error("job %zu is submitted, its merge is not; try: sbatch "
                      "--dependency=afterany:%zu %s",
                      jobs->array, jobs->array, script);
    return false;
}

static bool sweep_there(const sweep_options *o, const text_list *arguments, sweep_plan *plan,
                        const char *folder, stiction_error *error) {
    const size_t first = o->slurm_script && arguments->count > 1 && arguments->items[1][0] != '-';
    slurm_sweep there = {
        .file = arguments->items[0],
        .folder = folder,
        .scripts = first ? arguments->items[1] : NULL,
        .partition = o->partition,
        .sbatch_options = {arguments->items + 1 + first, arguments->count - 1 - first},
        .chunk = o->chunk,
        .most_at_once = o->jobs,
        .run_count = sweep_plan_count(plan),
        .force = o->force,
        .accept_changes = o->accept_changes};
    slurm_jobs jobs = {.tasks = 0};
    AUTO(free_shard) shard whole = {0, 1, NULL};
    options_write(options_of_sweep, o, is_for_tasks, &there.sweep_options);
    bool fine = slurm_check(&there, o->slurm_script, error) &&
                sweep_folder(o, &whole, there.file, plan, folder, &there, &jobs, error);
    if (fine && jobs.tasks) {
        fine = o->slurm_script || submit(&there, &jobs);
        if (fine) show_jobs(&there, &jobs);
    }
    text_list_free(&there.sweep_options);
    return fine;
}

/* Arguments after the file are options of sbatch; the folder of scripts may precede them. */
static bool arguments_fit(const sweep_options *o, const text_list *arguments,
                          stiction_error *error) {
    const bool there = o->slurm || o->slurm_script;
    const size_t first = o->slurm_script && arguments->count > 1 && arguments->items[1][0] != '-';
    const bool more = arguments->count > 1 + first;
    if (more && (!there || arguments->items[1 + first][0] != '-'))
        return fail(error, "sweep takes one file without --plot; '%s' is one too many",
                    arguments->items[1 + first]);
    if (!there && (o->partition || o->chunk))
        return fail(error, "--%s needs --slurm", o->partition ? "partition" : "chunk");
    if (there && (o->shard || o->skip.count))
        return fail(error, "--slurm makes its own shards: --%s does not go with it",
                    o->shard ? "shard" : "skip");
    series_format series;
    if (!series_format_find(series_of(o), &series) || series == SERIES_NONE)
        return fail(error, "--series %s: must be csv, npz or both; --figures-only keeps none",
                    o->series);
    if (o->series && o->figures_only && !o->keep_series)
        return fail(error, "--figures-only keeps no series: give it or --series, not both");
    if (o->reports && o->no_reports) return fail(error, "give --reports or --no-reports, not both");
    if (o->reports && o->figures_only && !o->keep_series)
        return fail(error, "--figures-only keeps no series to report on: give it or --reports, not "
                           "both");
    return true;
}

static char *folder_of(const sweep_options *o, const char *file) {
    AUTO_FREE char *stem = path_stem(file);
    return o->out ? copy_text(o->out) : format_text("results/%s", stem);
}

static int run_file(const sweep_options *o, const text_list *arguments, stiction_error *error) {
    const char *file = arguments->items[0];
    AUTO(free_shard) shard s = {.skipped = NULL};
    if (!arguments_fit(o, arguments, error) || !read_shard(o->shard, &s, error)) return EXIT_USAGE;
    AUTO(sweep_plan_free) sweep_plan plan;
    bool fine = read_sweep_file(o, file, &plan);
    if (fine && plan.goal && (o->shard || o->skip.count || o->slurm || o->slurm_script))
        fine = fail(error, "a search goes on from run to run: it has no shards, leaves out none "
                           "(--skip), and does not run on Slurm");
    if (fine && !plan.goal && s.first >= sweep_plan_count(&plan))
        print_note("--shard %s: the sweep has %zu runs, none of which is in it", o->shard,
                   sweep_plan_count(&plan));
    if (fine) {
        AUTO_FREE char *folder = folder_of(o, file);
        fine = o->slurm || o->slurm_script
                   ? sweep_there(o, arguments, &plan, folder, error)
                   : sweep_folder(o, &s, file, &plan, folder, NULL, NULL, error);
    }
    return fine ? EXIT_FINE : EXIT_DATA;
}

/* Whether a folder has the sweep of a file, done with the files that are there now. */
static bool is_sweep_of(const sweep_options *o, const char *file, const char *folder,
                        stiction_error *error) {
    AUTO(sweep_plan_free) sweep_plan wanted, there = {.projects = NULL};
    bool same;
    if (!read_sweep_file(o, file, &wanted) || !sweep_folder_has(folder, &wanted, &same, error))
        return false;
    if (!same)
        return fail(error,
                    "%s has the results of another sweep than %s; give --force to replace them, or "
                    "another --out",
                    folder, file);
    if (!sweep_plan_load(folder, &there, error)) return false;
    AUTO(sweep_store_close)
    sweep_store store = {.folder = folder, .plan = &there, .lock = -1, .is_sweep = true};
    AUTO(sweep_states_free) sweep_states states = {.count = 0};
    AUTO(sweep_inputs_free) sweep_inputs inputs = {.count = 0};
    const sweep_runner r = {.store = &store, .states = &states, .file = file};
    store.records = records_open(folder, &there, error);
    return store.records && sweep_states_read(&states, folder, &there, store.records, error) &&
           sweep_inputs_check(&inputs, &r, o->accept_changes, error);
}

static bool is_for_runs(const char *name) {
    return strcmp(name, "out") != 0 && strcmp(name, "plot") != 0 && strcmp(name, "force") != 0;
}

/* Whether no option is given that only runs have. */
static bool only_draws(const sweep_options *o, stiction_error *error) {
    AUTO(text_list_free) text_list given = {NULL, 0};
    options_write(options_of_sweep, o, is_for_runs, &given);
    return !given.count || fail(error,
                                "--plot of a folder draws what is in it, and runs "
                                "nothing: %s does not go with it",
                                given.items[0]);
}

static bool draw_folder(const sweep_picture *p, const char *folder, stiction_error *error) {
    picture_counts counts;
    const bool drawn = sweep_picture_draw(p, folder, &counts, print_messages, error);
    if (counts.absent)
        print_note("%zu runs are not complete and not in the picture", counts.absent);
    if (!drawn) return false;
    if (counts.failed)
        show_line("picture: %s (%zu runs, %zu of them failed)", p->file, counts.runs,
                  counts.failed);
    else
        show_line("picture: %s (%zu run%s)", p->file, counts.runs, counts.runs == 1 ? "" : "s");
    return !counts.damaged;
}

/* Of the sweep that is there; that of a file is run first where it is not, or anew. */
static int draw_picture(const sweep_options *o, const sweep_picture *p, stiction_error *error) {
    if (!p->sweep && !only_draws(o, error)) return EXIT_USAGE;
    if (!whole_file_may_take(p->file, o->force, error)) return EXIT_DATA;
    int code = EXIT_FINE;
    const char *file = p->sweep;
    AUTO_FREE char *folder = file ? folder_of(o, file) : copy_text(p->folder);
    if (file && (o->force || o->retry || !sweep_picture_has(folder)))
        code = run_file(o, &(text_list){&file, 1}, error);
    /* runs that failed are in the picture, too */
    const bool there = code == EXIT_FINE || (code == EXIT_DATA && sweep_picture_has(folder));
    if (there && ((file && !is_sweep_of(o, file, folder, error)) || !draw_folder(p, folder, error)))
        code = EXIT_DATA;
    return code;
}

static int draw_sweep(const sweep_options *o, const text_list *arguments, stiction_error *error) {
    if (arguments->count > 2) return fail_usage(error, "sweep: there is an argument too many");
    if (o->slurm || o->slurm_script)
        return fail_usage(error, "--plot draws what is there: give it without --slurm");
    AUTO(sweep_picture_free) sweep_picture p;
    return sweep_picture_read(&p, o->plot, arguments, o->out, error) ? draw_picture(o, &p, error)
                                                                     : EXIT_USAGE;
}

static int run_sweep(const void *given, const text_list *arguments, stiction_error *error) {
    const sweep_options *o = given;
    return o->plot ? draw_sweep(o, arguments, error) : run_file(o, arguments, error);
}

const verb verb_sweep = {
    .name = "sweep",
    .summary = "run every combination of settings and compare",
    .arguments = "SWEEP.yaml [PICTURE]",
    .least = 1,
    .most = 0,
    VERB_OPTIONS(options_of_sweep, defaults),
    .description =

        "Runs projects under every combination of the settings in a file, on all cores,\n"
        "and compares them. The file:\n"
        "  sweep: 1                         the format\n"
        "  projects: [wrist.cnoid]          beside the file\n"
        "  engine: mujoco                   or choreonoid; may be left out\n"
        "  interval: 0.01                   s, as of stiction run; may be left out\n"
        "  controller: posture:kp=50        as of stiction run; or a list\n"
        "  targets: RWRR:90                 the same\n"
        "  set:                             keys as of stiction run --set\n"
        "    controller.kp: [20, 50]        every combination of the lists is a run\n"
        "    duration: 5                    one value: the same in every run\n"
        "    controller.kv: {linspace: [1, 9, 5]}      or logspace; {range: [1, 9, 2]}\n"
        "    law: {choice: [stribeck, rational]}       drawn, as are uniform: [a, b],\n"
        "                                   loguniform: [a, b], normal: [mean, deviation]\n"
        "  sampling: {method: latin, samples: 100, seed: 1}    or random, sobol\n"
        "  zip: {controller.kp: [20, 50], controller.kv: [2, 5]}    go together\n"
        "  repetitions: 3                   of each, with another seed of what is drawn\n"
        "  where: static_torque > coulomb_torque     only these; or a list of conditions\n"
        "  works: rms_error < 2 deg and stable       colours the page;\n"
        "  smallest: controller.kp          or largest: value that works\n"
        "  minimise: RWRR.rms_error         or maximise: a search over {uniform: ...} and\n"
        "  evaluations: 100                 {loguniform: ...}; all else are scenarios, of\n"
        "  over: worst                      which the worst counts, or the mean\n"
        "\n"
        "DIR gets sweep.csv (a row per run: settings and all figures, 17 digits),\n"
        "sweep.html (a page that compares them), sweep.json (the grid), sweep.db (the\n"
        "same rows as an SQLite database), and runs/NAME with the results of every run.\n"
        "A failed run is a row with the reason. If the sweep is interrupted, the same\n"
        "command continues it; complete runs are not repeated. A run is complete if it\n"
        "has a row and its files are as listed in its SHA256SUMS; a damaged run is\n"
        "reported, left out of the table, and repeated. The exit code is 0 if all runs\n"
        "succeeded.\n"
        "\n"
        "--figures-only keeps no runs/NAME; --keep-series keeps those of some runs, by a\n"
        "condition over settings and figures: 'kp > 20 and RWRR.overshoot > 0.01'.\n"
        "If files that complete runs read have changed (projects, bodies, meshes,\n"
        "configurations, motions, controllers), they are reported and nothing starts.\n"
        "\n"
        "All runs are checked before the first one starts; if some cannot start, the\n"
        "reasons are reported and nothing is written. If the first few runs (8, or 2\n"
        "per job) all fail for the same reason, the others are not started.\n"
        "--keep-going skips both checks.\n"
        "\n"
        "--slurm makes the same checks and submits a job array whose tasks run a shard of\n"
        "K runs each, on all their cores, and a job that merges the shards into DIR,\n"
        "which all nodes must see. squeue and sacct show their progress. Afterwards the\n"
        "same command submits missing runs, or shows the table. Arguments after -- are\n"
        "options of sbatch. --slurm-script [FOLDER] only writes the scripts.\n"
        "\n"
        "--plot draws an existing sweep: that of the file, of --out DIR, of a folder as\n"
        "argument, or of the current folder. The sweep of a file is run first if it is\n"
        "missing, or with --force or --retry. WHAT is a list:\n"
        "  x=SETTING,y=SETTING,z=FIGURE     a heat map\n"
        "  x=SETTING,y=FIGURE[,by=SETTING]  lines, one for each value of by\n"
        "  x=FIGURE,y=FIGURE[,by=SETTING]   a dot for each run\n"
        "  wrap=SETTING                     a panel for each value\n"
        "  of=worst|mean|best               of runs that fall together; a failure is the\n"
        "                                   worst, which is the default\n"
        "  better=lower|higher              which figure is the best (default lower)\n"
        "  log=x,y,z                        logarithmic axes and colours\n"
        "  range=LOW:HIGH                   of the figure; either may be omitted\n"
        "  where=CONDITION                  only these runs: where=kp >= 20 and law == x\n"
        "  title=TEXT\n"
        "Names may be short: kp; a figure is JOINT.FIGURE, or FIGURE of the worst joint,\n"
        "and abs(FIGURE) its absolute value.",
    .example = "  stiction sweep sample_projects/arm7/arm7_gains.yaml --out results/gains\n"
               "  stiction sweep gains.yaml --shard 1/2 --out here  # and 2/2 on another machine\n"
               "  stiction sweep gains.yaml --slurm --partition short -- --cpus-per-task=8\n"
               "  stiction sweep results/gains --plot x=kp,y=kv,z=rms_error gains.svg",
    .run = run_sweep,
};
