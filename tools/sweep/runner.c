/* SPDX-License-Identifier: MIT
 * The runs of a sweep, in child processes.
 */
#define _GNU_SOURCE /* memfd_create */
#include "sweep/runner.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/command.h"
#include "common/folder.h"
#include "common/progress.h"
#include "common/verb.h"
#include "document/text.h"
#include "report/report.h"
#include "run/project_traits.h"
#include "run/run.h"
#include "run/run_shared.h"
#include "storage/folders.h"
#include "storage/place.h"
#include "sweep/inputs.h"
#include "sweep/processes.h"
#include "sweep/sweep_file.h"
#include "json/json_out.h"

/* A run in progress. */
typedef struct job {
    bool is_used;
    size_t task;
    place place; /* its target is NULL where only figures are wanted */
} job;

typedef struct work {
    const sweep_runner *r;
    job *jobs; /* two for each process: one runs, one is written meanwhile */
    size_t job_count;
    size_t ended, failed_alike; /* runs; those that failed in the same way as the first */
    stiction_error first;       /* error of the first that failed */
    char *first_reason;
    stiction_error *fatal; /* why no other run is started; STICTION_OK: continue */
    run_shared *shared;    /* in a child */
} work;

static job *find_job(const work *w, size_t task) {
    job *j = w->jobs;
    while (!j->is_used || j->task != task) j++;
    return j;
}

static void end_job(job *j) {
    if (j->place.target) place_close(&j->place);
    *j = (job){.is_used = false};
}

/* ---- the settings of a run ---- */

/* "ARM=./pd.so:kp=5": the path of a library is relative to the sweep file. */
static char *controller_beside(const char *file, const char *given) {
    size_t length;
    const char *at = run_controller_file(given, &length);
    if (!at) return copy_text(given);
    AUTO_FREE char *name = format_text("%.*s", (int)length, at),
                   *path = sweep_file_beside(file, name);
    return format_text("%.*s%s%s", (int)(at - given), given, path, at + length);
}

/* Whether a value is the path of a file, which is relative to the sweep file. */
static bool is_path(const char *key, const char *value) {
    const bool is_csv = stiction_text_ends_with(value, ".csv");
    return strcmp(key, "configuration") == 0 || (strcmp(key, "targets") == 0 && is_csv) ||
           (strcmp(key, "posture") == 0 && (is_csv || stiction_text_ends_with(value, ".yaml")));
}

void sweep_job_make(sweep_job *j, const sweep_runner *r, size_t run) {
    const sweep_plan *plan = r->store->plan;
    *j = (sweep_job){.project = sweep_file_beside(r->file, sweep_plan_project(plan, run))};
    for (size_t k = 0; k < plan->parameter_count; k++) {
        const char *key = plan->parameters[k].key, *value = sweep_plan_value(plan, run, k);
        AUTO_FREE char *path =
            is_path(key, value) ? sweep_file_beside(r->file, value) : copy_text(value);
        if (strcmp(key, "controller") == 0)
            j->controller = controller_beside(r->file, value);
        else if (strcmp(key, "targets") == 0)
            j->targets = copy_text(path);
        else
            text_list_add(&j->set, format_text("%s=%s", key, path));
    }
    j->job = (run_job){.engine = plan->engine,
                       .project_path = j->project,
                       .untrusted = plan->untrusted,
                       .set = &j->set,
                       .controller = j->controller,
                       .targets = j->targets};
}

void sweep_job_free(sweep_job *j) {
    text_list_free(&j->set);
    free(j->project);
    free(j->controller);
    free(j->targets);
}

char *sweep_error_text(const stiction_error *error) {
    char line[sizeof error->path + sizeof error->message + 64];
    (void)stiction_error_format(error, line, sizeof line);
    return copy_text(line);
}

/* ---- in a child ---- */

/* Locks and progress belong to the parent. */
static void let_go(void *user) {
    const work *w = user;
    for (size_t k = 0; k < w->job_count; k++)
        if (w->jobs[k].place.target && w->jobs[k].place.lock >= 0)
            (void)close(w->jobs[k].place.lock);
    if (w->r->store->lock >= 0) (void)close(w->r->store->lock);
    (void)setenv(PROGRESS_INTERVAL, "0", 1);
}

/* stderr goes to a file; returns a descriptor of the one before. */
static int redirect_messages(const char *path) {
    const int before = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
    const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (file >= 0) (void)dup2(file, STDERR_FILENO);
    if (file >= 0) (void)close(file);
    return before;
}

static void restore_messages(int before) {
    if (before < 0) return;
    (void)dup2(before, STDERR_FILENO);
    (void)close(before);
}

/* The order is the folder to work in, or "" where only figures are wanted. The answer then has the
 * summary. */
static json_t *serve_run(void *user, size_t task, const char *order, bool *leaves) {
    work *w = user;
    const size_t run = w->r->todo[task];
    const sweep_plan *plan = w->r->store->plan;
    AUTO_FREE char *messages = format_text("%s/messages.txt", order);
    AUTO_FREE char *folder = format_text("%s/out", order);
    AUTO(sweep_job_free) sweep_job made;
    sweep_job_make(&made, w->r, run);
    stiction_error error = {.status = STICTION_OK};
    if (!w->shared) w->shared = run_shared_create();
    run_job asked = made.job;
    asked.log = print_messages;
    asked.folder = *order ? folder : NULL;
    asked.figures = *order ? -1 : memfd_create("figures", MFD_CLOEXEC);
    if (plan->interval) (void)read_number(plan->interval, &asked.interval);
    (void)series_format_find(w->r->series, &asked.series);
    const int before = redirect_messages(*order ? messages : "/dev/null");
    const bool shares = run_may_share(plan->engine, asked.project_path, plan->untrusted) &&
                        (!asked.controller || run_controller_is_ours(asked.controller));
    if (run_in_shared(shares ? w->shared : NULL, &asked, &error))
        error.status = STICTION_OK;
    else
        (void)report_error(&error); /* in the run's messages.txt */
    restore_messages(before);
    *leaves = *leaves || run_shared_is_spent(w->shared) || !shares;
    json_t *answer = process_answer(&error);
    if (asked.figures >= 0) {
        (void)lseek(asked.figures, 0, SEEK_SET);
        (void)json_out_set(answer, "summary", json_loadfd(asked.figures, 0, NULL));
        (void)close(asked.figures);
    }
    return answer;
}

/* ---- in the parent ---- */

static bool needs_folder(const sweep_runner *r, size_t run) {
    return sweep_store_wants_series(r->store, run) || strcmp(r->store->plan->engine, "mujoco") != 0;
}

static char *prepare_run(void *user, size_t task) {
    work *w = user;
    const size_t run = w->r->todo[task];
    job *j = w->jobs;
    while (j->is_used) j++;
    *j = (job){.is_used = true, .task = task};
    if (!needs_folder(w->r, run)) return copy_text("");
    if (sweep_store_open_run(w->r->store, run, &j->place, w->fatal) &&
        folder_make(j->place.work, w->fatal))
        return copy_text(j->place.work);
    end_job(j);
    w->ended++;
    return NULL;
}

/* Moves the results to where they are committed from. */
static bool take_folder(const job *j, stiction_error *error) {
    const place *p = &j->place;
    struct stat status;
    AUTO_FREE char *out = format_text("%s/out", p->work),
                   *messages = format_text("%s/messages.txt", p->work),
                   *kept = format_text("%s/messages.txt", p->fresh);
    bool fine = rename(out, p->fresh) == 0 || errno == ENOENT || fail_errno(error, p->fresh);
    if (fine && stat(messages, &status) == 0 && status.st_size)
        fine = rename(messages, kept) == 0 || fail_errno(error, kept);
    return fine;
}

/* Runs fail alike if their errors have the same status and place. */
static void count_failure(work *w, const stiction_error *error, const char *reason) {
    if (!w->first_reason) {
        w->first = *error;
        w->first_reason = copy_text(reason);
    }
    const bool same = error->status == w->first.status && error->line == w->first.line &&
                      error->column == w->first.column && strcmp(error->path, w->first.path) == 0;
    w->failed_alike +=
        same && (error->status != STICTION_OK || strcmp(reason, w->first_reason) == 0);
}

static bool finish_run(void *user, size_t task, const json_t *answer, const char *end) {
    work *w = user;
    job *j = find_job(w, task);
    const sweep_runner *r = w->r;
    const size_t run = r->todo[task];
    stiction_error error = {.status = STICTION_OK};
    char *failure = NULL;
    w->ended++;
    bool kept = !r->inputs || sweep_inputs_hold(r->inputs, w->fatal);
    if (kept && end)
        failure = copy_text(end);
    else if (kept && !process_succeeded(answer, &error))
        failure = sweep_error_text(&error);
    if (kept && j->place.target) kept = take_folder(j, w->fatal);
    if (kept) {
        const bool series = j->place.target && sweep_store_wants_series(r->store, run);
        const sweep_outcome outcome = {.failure = failure,
                                       .summary = json_object_get(answer, "summary"),
                                       .folder = j->place.target ? j->place.fresh : NULL};
        kept = sweep_store_commit(r->store, run, series ? &j->place : NULL, &outcome, w->fatal);
    }
    if (kept) sweep_states_set(r->states, run, failure ? SWEEP_FAILED : SWEEP_DONE, failure);
    if (kept && failure) count_failure(w, &error, failure);
    end_job(j);
    const bool fine = kept && !failure;
    free(failure);
    return fine;
}

static void abandon_run(void *user, size_t task) {
    work *w = user;
    end_job(find_job(w, task));
}

/* All of the first few runs failed, and more would follow. */
static bool fail_alike(const work *w) {
    const size_t few = 2 * w->r->at_once > 8 ? 2 * w->r->at_once : 8;
    return !w->r->keep_going && w->ended >= few && w->failed_alike == w->ended &&
           w->ended < w->r->todo_count;
}

static bool is_over(void *user) {
    const work *w = user;
    return w->fatal->status != STICTION_OK || !records_tick(w->r->store->records, w->fatal) ||
           fail_alike(w);
}

sweep_verdict sweep_run_all(const sweep_runner *r, stiction_error *error) {
    work w = {.r = r, .job_count = 2 * r->at_once + 1, .fatal = error};
    w.jobs = allocate(w.job_count, sizeof *w.jobs);
    *error = (stiction_error){.status = STICTION_OK};
    const processes p = {.what = "sweep",
                         .task_count = r->todo_count,
                         .at_once = r->at_once,
                         .time_limit = r->time_limit,
                         .user = &w,
                         .prepare = prepare_run,
                         .begin = let_go,
                         .serve = serve_run,
                         .finish = finish_run,
                         .abandon = abandon_run,
                         .is_over = is_over};
    const bool whole = processes_run(&p);
    if (error->status == STICTION_OK) (void)records_commit(r->store->records, error);
    if (error->status == STICTION_OK && !whole && fail_alike(&w))
        (void)fail(error,
                   "the first %zu runs all failed for the same reason, so the other %zu were not "
                   "started (--keep-going starts them): %s",
                   w.ended, r->todo_count - w.ended, w.first_reason);
    free(w.jobs);
    free(w.first_reason);
    if (error->status != STICTION_OK) return SWEEP_GIVEN_UP;
    return whole ? SWEEP_ALL_RAN : SWEEP_STOPPED;
}

/* ---- reports ---- */

static json_t *serve_report(void *user, size_t task, const char *order, bool *leaves) {
    const work *w = user;
    stiction_error error = {.status = STICTION_OK};
    AUTO_FREE char *folder =
        sweep_run_folder(w->r->store->folder, w->r->store->plan, w->r->todo[task]);
    AUTO(place_close) place p;
    (void)order, (void)leaves;
    if (place_open_folder(&p, folder, &error) && report_write(folder, p.fresh, &error))
        (void)place_add(&p, false, &error);
    return process_answer(&error);
}

static bool finish_report(void *user, size_t task, const json_t *answer, const char *end) {
    const work *w = user;
    stiction_error error;
    if (!end && process_succeeded(answer, &error)) return true;
    return fail(w->fatal, "the report of run %zu was not written: %s", w->r->todo[task] + 1,
                end ? end : error.message);
}

static bool wants_report(const sweep_runner *r, size_t run) {
    if (r->states->states[run] != SWEEP_DONE) return false;
    AUTO_FREE char *folder = sweep_run_folder(r->store->folder, r->store->plan, run);
    AUTO_FREE char *report = format_text("%s/report.html", folder);
    return file_exists(folder) && !file_exists(report);
}

sweep_verdict sweep_report_all(const sweep_runner *r, stiction_error *error) {
    size_t *todo = allocate(r->todo_count, sizeof *todo), count = 0;
    for (size_t k = 0; k < r->todo_count; k++)
        if (wants_report(r, r->todo[k])) todo[count++] = r->todo[k];
    sweep_runner reports = *r;
    reports.todo = todo;
    *error = (stiction_error){.status = STICTION_OK};
    work w = {.r = &reports, .fatal = error};
    const processes p = {.what = "reports",
                         .task_count = count,
                         .at_once = r->at_once,
                         .time_limit = (double)NAN,
                         .user = &w,
                         .serve = serve_report,
                         .finish = finish_report};
    const bool whole = processes_run(&p);
    free(todo);
    if (error->status != STICTION_OK) return SWEEP_GIVEN_UP;
    return whole ? SWEEP_ALL_RAN : SWEEP_STOPPED;
}
