/*
 * The runs of a sweep, each a `stiction run` of its own.
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
#include "common/options.h"
#include "common/place.h"
#include "common/progress.h"
#include "document/file.h"
#include "report/report.h"
#include "run/run.h"
#include "run/run_shared.h"
#include "sweep/inputs.h"
#include "sweep/processes.h"
#include "sweep/sweep_file.h"

/* A project, and whether its runs may share a process. */
typedef struct known_project {
    const char *name; /* as the plan has it */
    bool shares;
} known_project;

/* A run in the making. */
typedef struct job {
    bool is_used;
    size_t task;
    place place;           /* its target is NULL where only figures are wanted of it */
    int messages, figures; /* there files in memory; -1: none */
} job;

typedef struct work {
    const sweep_runner *r;
    job *jobs; /* two a process: one at work, one that is written down meanwhile */
    size_t job_count;
    size_t failed_alike, ended;
    size_t unwritten;    /* the last ones that ended, one after the other */
    bool changed;        /* a file that the runs read: what it gave is not kept */
    char *reason, *kind; /* of the first that failed */
    known_project *projects;
    size_t project_count;
    run_shared *shared; /* in a child that stays */
} work;

/* ---- runs in the making ---- */

static job *find_job(const work *w, size_t task) {
    job *j = w->jobs;
    while (!j->is_used || j->task != task) j++;
    return j;
}

static job *begin_job(const work *w, size_t task) {
    job *j = w->jobs;
    while (j->is_used) j++;
    *j = (job){.is_used = true, .task = task, .messages = -1, .figures = -1};
    return j;
}

static void end_job(job *j) {
    if (j->place.target) place_close(&j->place);
    if (j->messages >= 0) (void)close(j->messages);
    if (j->figures >= 0) (void)close(j->figures);
    *j = (job){.is_used = false};
}

/* ---- the command of a run ---- */

char *sweep_run_project(const sweep_runner *r, size_t run) {
    return sweep_file_beside(r->file, sweep_plan_project(r->store->plan, run));
}

char *sweep_run_setting(const sweep_runner *r, size_t run, size_t parameter) {
    const sweep_plan *plan = r->store->plan;
    const char *key = plan->parameters[parameter].key;
    const char *value = sweep_plan_value(plan, run, parameter);
    char *path =
        strcmp(key, "configuration") == 0 ? sweep_file_beside(r->file, value) : copy_text(value);
    char *setting = format_text("%s=%s", key, path);
    free(path);
    return setting;
}

text_list sweep_run_settings(const sweep_runner *r, size_t run) {
    text_list set = {NULL, 0};
    for (size_t k = 0; k < r->store->plan->parameter_count; k++)
        text_list_add(&set, sweep_run_setting(r, run, k));
    return set;
}

void sweep_free_settings(text_list *set) {
    for (size_t k = 0; k < set->count; k++) free((char *)set->items[k]);
    free((void *)set->items);
}

static bool may_share(work *w, size_t run) {
    const char *name = sweep_plan_project(w->r->store->plan, run);
    size_t k = 0;
    while (k < w->project_count && strcmp(w->projects[k].name, name) != 0) k++;
    if (k == w->project_count) {
        char *path = sweep_run_project(w->r, run);
        w->projects = reallocate(w->projects, k + 1, sizeof *w->projects);
        w->projects[k] = (known_project){
            name, processes_may_stay() &&
                      run_may_share(w->r->store->plan->engine, path, w->r->store->plan->untrusted)};
        w->project_count++;
        free(path);
    }
    return w->projects[k].shares;
}

/* Where `stiction run` puts the results of a run; the caller frees it. */
static char *folder_of_results(const work *w, const job *j) {
    char *path = sweep_run_project(w->r, w->r->todo[j->task]), *stem = path_stem(path);
    char *folder = format_text("%s/out/%s", j->place.work, stem);
    free(stem);
    free(path);
    return folder;
}

/* In a child that stays: the order is the folder, or nothing where figures suffice. */
static process_verdict serve_run(void *user, size_t task, const char *order, int answer,
                                 int *code) {
    work *w = user;
    const size_t run = w->r->todo[task];
    const sweep_plan *plan = w->r->store->plan;
    if (!w->shared) w->shared = run_shared_create();
    char *path = sweep_run_project(w->r, run);
    text_list set = sweep_run_settings(w->r, run);
    run_job asked = {.project_path = path,
                     .untrusted = plan->untrusted,
                     .set = &set,
                     .folder = *order ? order : NULL,
                     .figures = answer};
    if (plan->interval) (void)read_number(plan->interval, &asked.interval);
    (void)series_format_find(w->r->series, &asked.series);
    *code = run_in_shared(w->shared, &asked);
    sweep_free_settings(&set);
    free(path);
    return run_shared_is_spent(w->shared) ? PROCESS_LEAVES : PROCESS_STAYS;
}

/* In a child: the locks and the progress are the parent's. */
static void let_go(void *user) {
    const work *w = user;
    for (size_t k = 0; k < w->job_count; k++)
        if (w->jobs[k].place.target && w->jobs[k].place.lock >= 0)
            (void)close(w->jobs[k].place.lock);
    if (w->r->store->lock >= 0) (void)close(w->r->store->lock);
    (void)setenv(PROGRESS_INTERVAL, "0", 1); /* its messages are those of the run */
}

/* In a child of its own: becomes the run. What is allocated goes with it. */
static int become_run(void *user, size_t task) {
    const work *w = user;
    const sweep_plan *plan = w->r->store->plan;
    const size_t run = w->r->todo[task];
    text_list words = {NULL, 0};
    text_list_add(&words, "stiction");
    text_list_add(&words, "run");
    text_list_add(&words, "--no-report");
    if (plan->untrusted) text_list_add(&words, "--untrusted");
    text_list_add(&words, format_text("--engine=%s", plan->engine));
    if (!sweep_store_wants_series(w->r->store, run))
        text_list_add(&words, "--series=none");
    else
        text_list_add(&words, format_text("--series=%s", w->r->series));
    if (plan->interval && sweep_store_wants_series(w->r->store, run))
        text_list_add(&words, format_text("--interval=%s", plan->interval));
    for (size_t k = 0; k < plan->parameter_count; k++)
        text_list_add(&words, format_text("--set=%s", sweep_run_setting(w->r, run, k)));
    text_list_add(&words, format_text("--out=%s/out", find_job(w, task)->place.work));
    text_list_add(&words, "--");
    text_list_add(&words, sweep_run_project(w->r, run));
    text_list_add(&words, NULL);
    (void)setenv(RUN_IN_SCRATCH, "1", 1);
    (void)execv("/proc/self/exe", (char *const *)words.items);
    fprintf(stderr, "cannot start /proc/self/exe: %s\n", strerror(errno));
    return 127;
}

/* ---- what came of it ---- */

static char *messages_of(const char *folder) {
    return format_text("%s/messages.txt", folder);
}

static bool begins(const char *text, const char *with) {
    return strncmp(text, with, strlen(with)) == 0;
}

/* The last line that is no warning, or "". */
static char *last_sentence(const char *messages) {
    file_problem problem;
    FILE *file = stiction_file_stream(messages, FILE_MOST_LOG, &problem);
    if (!file && problem.status == STICTION_OUT_OF_MEMORY) (void)must_have(NULL);
    char *line = NULL, *last = copy_text("");
    size_t size = 0;
    while (file && getline(&line, &size, file) >= 0) {
        line[strcspn(line, "\r\n")] = '\0';
        if (!*line || begins(line, "warning: ") || begins(line, "try: ")) continue;
        free(last);
        last = copy_text(begins(line, "stiction: ") ? line + strlen("stiction: ") : line);
    }
    if (file && !feof(file) && errno == ENOMEM) (void)must_have(NULL); /* getline */
    free(line);
    if (file) (void)fclose(file);
    return last;
}

/* The program's own sentence says more than its exit code. Before a signal there may be one, too: a
 * simulator that aborts for want of memory says so. */
static char *reason(const char *messages, const char *ended) {
    char *sentence = last_sentence(messages);
    if (*sentence && begins(ended, "exit code ")) return sentence;
    const bool last_words = *sentence && begins(ended, "killed by signal ");
    char *both =
        last_words ? format_text("%s; its last line: %s", ended, sentence) : copy_text(ended);
    free(sentence);
    return both;
}

/* Moves messages.txt to the results, where there are messages. False after a sentence. */
static bool keep_messages(const char *messages, const char *folder) {
    struct stat status;
    if (stat(messages, &status) != 0 || !status.st_size) return true;
    char *to = messages_of(folder);
    const bool kept = rename(messages, to) == 0 || complain("%s: %s", to, strerror(errno));
    free(to);
    return kept;
}

/* The results of `stiction run` become those of the run. NULL, or why not; the caller frees it. */
static char *take_results(const work *w, const job *j) {
    const place *p = &j->place;
    char *from = folder_of_results(w, j), *failure = NULL;
    if (rename(from, p->fresh) != 0) /* which has nothing in it */
        failure = errno == ENOENT ? copy_text("the run wrote no results")
                                  : format_text("%s: its results cannot be moved here: %s",
                                                p->fresh, strerror(errno));
    free(from);
    return failure;
}

/* All of a file, and a 0 behind it; NULL: it has nothing in it, or cannot be read. The caller frees
 * it. */
static char *whole_text(int file) {
    struct stat status;
    if (fstat(file, &status) != 0 || !status.st_size) return NULL;
    const size_t size = (size_t)status.st_size;
    char *text = allocate(size + 1, 1);
    size_t got = 0;
    for (ssize_t more = 1; got < size && more > 0; got += more > 0 ? (size_t)more : 0)
        more = pread(file, text + got, size - got, (off_t)got);
    if (got == size) return text;
    free(text);
    return NULL;
}

/* A reason without its numbers: a run that diverges at another time does so for the same one. */
static char *kind_of(const char *failure) {
    char *kind = copy_text(failure), *to = kind;
    if (begins(failure, "killed by signal ") || begins(failure, "exit code ")) return kind;
    for (const char *c = failure; *c; c++) {
        const bool of_number =
            strchr("0123456789", *c) || (strchr(".e-+", *c) && to > kind && to[-1] == '0');
        if (!of_number)
            *to++ = *c;
        else if (to == kind || to[-1] != '0')
            *to++ = '0';
    }
    *to = '\0';
    return kind;
}

static void count_alike(work *w, const char *failure) {
    w->ended++;
    if (!failure) return;
    char *kind = kind_of(failure);
    if (!w->reason) {
        w->reason = copy_text(failure);
        w->kind = copy_text(kind);
    }
    w->failed_alike += strcmp(w->kind, kind) == 0;
    free(kind);
}

/* What is known of a run goes into the store. */
static bool commit(work *w, job *j, place *p, const sweep_outcome *o) {
    const size_t run = w->r->todo[j->task];
    const bool kept = sweep_store_commit(w->r->store, run, p, o);
    if (kept)
        sweep_states_set(w->r->states, run, o->failure ? SWEEP_FAILED : SWEEP_DONE, o->failure);
    return kept;
}

/* Of a run that writes into a folder; where only figures are wanted of it, that goes again. */
static bool finish_folder(work *w, job *j, char **failure, const char *ended) {
    place *p = &j->place;
    char *messages = messages_of(p->work), *summary = NULL;
    char *untaken = take_results(w, j); /* one that failed need not have any */
    *failure = ended ? reason(messages, ended) : untaken ? copy_text(untaken) : NULL;
    const bool series = sweep_store_wants_series(w->r->store, w->r->todo[j->task]);
    if (!series && !untaken) {
        char *path = format_text("%s/summary.json", p->fresh);
        const int file = open(path, O_RDONLY | O_CLOEXEC);
        summary = file < 0 ? NULL : whole_text(file);
        if (file >= 0) (void)close(file);
        free(path);
    }
    const sweep_outcome outcome = {.failure = *failure, .summary = summary};
    const bool kept =
        (!series || keep_messages(messages, p->fresh)) && commit(w, j, series ? p : NULL, &outcome);
    free(messages);
    free(untaken);
    free(summary);
    return kept;
}

/* Of one that only gave its figures. */
static bool finish_figures(work *w, job *j, char **failure, const char *ended) {
    char *messages = format_text("/proc/self/fd/%d", j->messages),
         *summary = whole_text(j->figures);
    *failure = ended      ? reason(messages, ended)
               : !summary ? copy_text("the run wrote no results")
                          : NULL;
    const sweep_outcome outcome = {.failure = *failure, .summary = summary};
    const bool kept = commit(w, j, NULL, &outcome);
    free(messages);
    free(summary);
    return kept;
}

static bool finish_run(void *user, size_t task, const char *ended) {
    work *w = user;
    job *j = find_job(w, task);
    char *failure;
    if (w->r->inputs && !sweep_inputs_hold(w->r->inputs)) {
        w->changed = true;
        end_job(j);
        return false;
    }
    const bool kept = (j->place.target ? finish_folder : finish_figures)(w, j, &failure, ended);
    count_alike(w, kept ? failure : "its results could not be written");
    w->unwritten = kept ? 0 : w->unwritten + 1;
    end_job(j);
    const bool fine = kept && !failure;
    free(failure);
    return fine;
}

/* A run whose messages have no file is a row, as one that failed. */
static int open_messages(work *w, const job *j) {
    char *path = messages_of(j->place.work);
    const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (file < 0) {
        char *failure = format_text("%s: %s", path, strerror(errno));
        (void)finish_run(w, j->task, failure);
        free(failure);
    }
    free(path);
    return file;
}

/* Both files are in memory: nothing of it is on the disk. */
static bool prepare_figures(work *w, job *j, process_task *t) {
    j->messages = memfd_create("messages", MFD_CLOEXEC);
    j->figures = memfd_create("figures", MFD_CLOEXEC);
    t->messages = j->messages < 0 ? -1 : fcntl(j->messages, F_DUPFD_CLOEXEC, 0);
    t->answer = j->figures < 0 ? -1 : fcntl(j->figures, F_DUPFD_CLOEXEC, 0);
    t->order = copy_text("");
    if (t->messages >= 0 && t->answer >= 0) return true;
    char *failure = format_text("no file in memory: %s", strerror(errno));
    (void)complain("run %zu: %s", w->r->todo[j->task] + 1, failure);
    count_alike(w, failure);
    free(failure);
    end_job(j);
    return false;
}

static bool prepare_run(void *user, size_t task, process_task *t) {
    work *w = user;
    job *j = begin_job(w, task);
    const size_t run = w->r->todo[task];
    const bool shares = may_share(w, run);
    if (shares && !sweep_store_wants_series(w->r->store, run)) return prepare_figures(w, j, t);
    if (!sweep_store_open_run(w->r->store, run, &j->place) || !folder_make(j->place.work)) {
        end_job(j);
        count_alike(w, "its folder could not be made");
        return false;
    }
    t->messages = open_messages(w, j);
    if (t->messages >= 0 && shares) t->order = folder_of_results(w, j);
    return t->messages >= 0;
}

static void abandon_run(void *user, size_t task) {
    work *w = user;
    end_job(find_job(w, task));
}

/* From so many alike on there is no sense in going on, where others would follow. */
static bool is_enough(const work *w, size_t count, size_t enough) {
    return !w->r->keep_going && count >= enough && w->ended < w->r->todo_count;
}

static size_t some_runs(const work *w) {
    enum { few = 8 };
    return 2 * w->r->at_once > few ? 2 * w->r->at_once : few;
}

/* All of the first few failed, for one reason. */
static bool fail_alike(const work *w) {
    return w->failed_alike == w->ended && is_enough(w, w->ended, some_runs(w));
}

/* Nothing can be written any more: folders, or rows, of which one transaction has many. */
static bool is_full(const work *w) {
    enum { transactions = 3 };
    return is_enough(w, w->unwritten, some_runs(w)) ||
           is_enough(w, w->r->store->losses, transactions);
}

static bool is_hopeless(void *user) {
    const work *w = user;
    sweep_store_tick(w->r->store); /* as often as this is asked */
    return w->changed || fail_alike(w) || is_full(w);
}

sweep_verdict sweep_run_all(const sweep_runner *r) {
    work w = {.r = r, .job_count = 2 * r->at_once + 1};
    w.jobs = allocate(w.job_count, sizeof *w.jobs);
    const processes p = {.what = SWEEP_PROGRESS,
                         .task_count = r->todo_count,
                         .at_once = r->at_once,
                         .time_limit = r->time_limit,
                         .user = &w,
                         .prepare = prepare_run,
                         .begin = let_go,
                         .run = become_run,
                         .serve = serve_run,
                         .finish = finish_run,
                         .abandon = abandon_run,
                         .is_hopeless = is_hopeless};
    const bool whole = processes_run(&p);
    const bool alike = !whole && !w.changed && fail_alike(&w),
               full = !whole && !w.changed && !alike && is_full(&w);
    if (full)
        (void)complain("results cannot be written any more, see above, so the other %zu runs were "
                       "not started (--keep-going starts them)",
                       r->todo_count - w.ended);
    if (alike)
        (void)complain("the first %zu runs all failed for the same reason, so the other %zu were "
                       "not started (--keep-going starts them): %s",
                       w.ended, r->todo_count - w.ended, w.reason);
    free(w.jobs);
    free(w.projects);
    free(w.reason);
    free(w.kind);
    if (w.changed) return SWEEP_CHANGED;
    return whole ? SWEEP_ALL_RAN : alike || full ? SWEEP_ALIKE : SWEEP_STOPPED;
}

/* ---- reports ---- */

static bool prepare_report(void *user, size_t task, process_task *t) {
    (void)user, (void)task;
    t->messages = STDERR_FILENO;
    return true;
}

static int write_report(void *user, size_t task) {
    const work *w = user;
    char *folder = sweep_run_folder(w->r->store->folder, w->r->store->plan, w->r->todo[task]);
    place p;
    stiction_error error;
    const bool fine = place_open_folder(&p, folder) &&
                      (report_write(folder, p.fresh, &error) || complain_error(&error)) &&
                      place_add(&p, false);
    place_close(&p);
    free(folder);
    return fine ? 0 : 1;
}

static bool finish_report(void *user, size_t task, const char *ended) {
    const work *w = user;
    sweep_store_restamp(w->r->store, w->r->todo[task]);
    return !ended ||
           complain("the report of run %zu was not written: %s", w->r->todo[task] + 1, ended);
}

static void abandon_report(void *user, size_t task) {
    (void)user, (void)task;
}

static bool wants_report(const sweep_runner *r, size_t run) {
    if (r->states->states[run] != SWEEP_DONE) return false;
    char *folder = sweep_run_folder(r->store->folder, r->store->plan, run);
    char *report = format_text("%s/report.html", folder);
    const bool there = file_exists(report) || !file_exists(folder); /* no series, no report */
    free(report);
    free(folder);
    return !there;
}

bool sweep_report_all(const sweep_runner *r) {
    size_t *todo = allocate(r->todo_count, sizeof *todo), count = 0;
    for (size_t k = 0; k < r->todo_count; k++)
        if (wants_report(r, r->todo[k])) todo[count++] = r->todo[k];
    sweep_runner reports = *r;
    reports.todo = todo;
    work w = {.r = &reports};
    const processes p = {.what = "reports",
                         .task_count = count,
                         .at_once = r->at_once,
                         .time_limit = (double)NAN,
                         .user = &w,
                         .prepare = prepare_report,
                         .run = write_report,
                         .finish = finish_report,
                         .abandon = abandon_report};
    const bool whole = processes_run(&p);
    free(todo);
    return whole;
}
