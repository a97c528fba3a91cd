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
#include "sweep/processes.h"
#include "sweep/sweep_file.h"

/* A project, and whether its runs may share a process. */
typedef struct known_project {
    const char *name; /* as the plan has it */
    bool shares;
} known_project;

/* A run in the making: in a place, or where its series are not wanted in memory alone. */
typedef struct making {
    bool is_used;
    size_t task;
    bool has_place;
    place p;
    int messages, summary; /* files in memory; -1: there is a place */
} making;

typedef struct work {
    const sweep_runner *r;
    making *making; /* those that run at once, and a few */
    size_t making_count;
    size_t failed_alike, ended;
    char *reason; /* of the first that failed */
    known_project *projects;
    size_t project_count;
    run_shared *shared; /* in a child that stays */
} work;

static making *find_making(const work *w, size_t task) {
    making *m = w->making;
    while (!m->is_used || m->task != task) m++;
    return m;
}

static making *begin_making(work *w, size_t task) {
    size_t k = 0;
    while (k < w->making_count && w->making[k].is_used) k++;
    if (k == w->making_count)
        w->making = reallocate(w->making, ++w->making_count, sizeof *w->making);
    making *m = &w->making[k];
    *m = (making){.is_used = true, .task = task, .messages = -1, .summary = -1};
    return m;
}

static void end_making(making *m) {
    if (m->has_place) place_close(&m->p);
    if (m->messages >= 0) (void)close(m->messages);
    if (m->summary >= 0) (void)close(m->summary);
    m->is_used = false;
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

/* The settings of a run; the caller frees them with free_settings. */
static text_list list_settings(const sweep_runner *r, size_t run) {
    text_list set = {NULL, 0};
    for (size_t k = 0; k < r->store->plan->parameter_count; k++)
        text_list_add(&set, sweep_run_setting(r, run, k));
    return set;
}

static void free_settings(text_list *set) {
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
        w->projects[k] = (known_project){name, run_may_share(w->r->store->plan->engine, path)};
        w->project_count++;
        free(path);
    }
    return w->projects[k].shares;
}

/* Where `stiction run` puts the results of a run; the caller frees it. */
static char *folder_of_results(const work *w, size_t task) {
    char *path = sweep_run_project(w->r, w->r->todo[task]), *stem = path_stem(path);
    char *folder = format_text("%s/out/%s", find_making(w, task)->p.work, stem);
    free(stem);
    free(path);
    return folder;
}

/* In a child that stays: the order is the folder. */
static process_verdict serve_run(void *user, size_t task, const char *order, int answer,
                                 int *code) {
    work *w = user;
    const size_t run = w->r->todo[task];
    const sweep_plan *plan = w->r->store->plan;
    if (!w->shared) w->shared = run_shared_create();
    char *path = sweep_run_project(w->r, run);
    text_list set = list_settings(w->r, run);
    run_job job = {
        .project_path = path, .set = &set, .folder = *order ? order : NULL, .figures = answer};
    if (plan->interval) (void)read_number(plan->interval, &job.interval);
    *code = run_in_shared(w->shared, &job);
    free_settings(&set);
    free(path);
    /* behind a failure nobody knows what MuJoCo left */
    return *code || run_shared_is_large(w->shared) ? PROCESS_LEAVES : PROCESS_STAYS;
}

/* In a child: the locks and the progress are the parent's. */
static void let_go(void *user) {
    const work *w = user;
    for (size_t k = 0; k < w->making_count; k++) {
        const making *m = &w->making[k];
        if (m->is_used && m->has_place && m->p.lock >= 0) (void)close(m->p.lock);
    }
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
    text_list_add(&words, format_text("--engine=%s", plan->engine));
    if (plan->interval) text_list_add(&words, format_text("--interval=%s", plan->interval));
    for (size_t k = 0; k < plan->parameter_count; k++)
        text_list_add(&words, format_text("--set=%s", sweep_run_setting(w->r, run, k)));
    text_list_add(&words, format_text("--out=%s/out", find_making(w, task)->p.work));
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

/* What a run said; NULL: nothing that can be read. */
static FILE *open_to_read(const making *m) {
    if (m->has_place) {
        file_problem problem;
        char *path = messages_of(m->p.work);
        FILE *file = stiction_file_stream(path, FILE_MOST_LOG, &problem);
        if (!file && problem.status == STICTION_OUT_OF_MEMORY) (void)must_have(NULL);
        free(path);
        return file;
    }
    const int own = fcntl(m->messages, F_DUPFD_CLOEXEC, 0);
    if (own < 0 || lseek(own, 0, SEEK_SET) < 0) return NULL;
    return must_have(fdopen(own, "r"));
}

/* The last line that is no warning, or "". */
static char *last_sentence(const making *m) {
    FILE *file = open_to_read(m);
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
static char *reason(const making *m, const char *ended) {
    char *sentence = last_sentence(m);
    if (*sentence && begins(ended, "exit code ")) return sentence;
    const bool last_words = *sentence && begins(ended, "killed by signal ");
    char *both =
        last_words ? format_text("%s; its last line: %s", ended, sentence) : copy_text(ended);
    free(sentence);
    return both;
}

/* Moves messages.txt to the results, where there are messages. False after a sentence. */
static bool keep_messages(const making *m) {
    struct stat status;
    char *from = messages_of(m->p.work), *to = messages_of(m->p.fresh);
    const bool kept = stat(from, &status) != 0 || !status.st_size || rename(from, to) == 0 ||
                      complain("%s: %s", to, strerror(errno));
    free(from);
    free(to);
    return kept;
}

/* The results of `stiction run` become those of the run. NULL, or why not; the caller frees it. */
static char *take_results(const work *w, size_t task) {
    const place *p = &find_making(w, task)->p;
    char *from = folder_of_results(w, task), *failure = NULL;
    if (rename(from, p->fresh) != 0) /* which has nothing in it */
        failure = errno == ENOENT ? copy_text("the run wrote no results")
                                  : format_text("%s: its results cannot be moved here: %s",
                                                p->fresh, strerror(errno));
    free(from);
    return failure;
}

/* The text of summary.json of a run without a place; NULL: there is none. The caller frees it. */
static char *take_summary(const making *m) {
    struct stat status;
    if (fstat(m->summary, &status) != 0 || status.st_size <= 0 ||
        (uint64_t)status.st_size > FILE_MOST_SUMMARY)
        return NULL;
    const size_t size = (size_t)status.st_size;
    char *text = allocate(size + 1, 1);
    size_t got = 0;
    for (ssize_t more = 1; got < size && more > 0; got += more > 0 ? (size_t)more : 0)
        more = pread(m->summary, text + got, size - got, (off_t)got);
    if (got == size && strlen(text) == size) return text;
    free(text);
    return NULL;
}

static void count_alike(work *w, const char *failure) {
    w->ended++;
    if (!failure) return;
    if (!w->reason) w->reason = copy_text(failure);
    w->failed_alike += strcmp(w->reason, failure) == 0;
}

/* In its place, or its row alone. */
static bool commit_run(const work *w, making *m, size_t run, const sweep_outcome *o) {
    return m->has_place ? keep_messages(m) && sweep_store_commit(w->r->store, run, &m->p, o)
                        : sweep_store_commit(w->r->store, run, NULL, o);
}

static bool finish_run(void *user, size_t task, const char *ended) {
    work *w = user;
    making *m = find_making(w, task);
    const size_t run = w->r->todo[task];
    /* one that failed need not have any results */
    char *summary = m->has_place ? NULL : take_summary(m);
    char *untaken = m->has_place ? take_results(w, task)
                    : summary    ? NULL
                                 : copy_text("the run wrote no results");
    char *failure = ended ? reason(m, ended) : untaken ? copy_text(untaken) : NULL;
    const sweep_outcome outcome = {.failure = failure, .summary = summary};
    const bool kept = commit_run(w, m, run, &outcome);
    if (kept) sweep_states_set(w->r->states, run, failure ? SWEEP_FAILED : SWEEP_DONE, failure);
    count_alike(w, kept ? failure : "its results could not be written");
    end_making(m);
    const bool fine = kept && !failure;
    free(summary);
    free(untaken);
    free(failure);
    return fine;
}

/* A run whose messages have no file is a row, as one that failed. */
static int open_messages(work *w, size_t task) {
    char *path = messages_of(find_making(w, task)->p.work);
    const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (file < 0) {
        char *failure = format_text("%s: %s", path, strerror(errno));
        (void)finish_run(w, task, failure);
        free(failure);
    }
    free(path);
    return file;
}

static bool refuse_run(work *w, making *m, const char *why) {
    end_making(m);
    count_alike(w, why);
    return false;
}

/* A file in memory of ours, and one for the child. */
static bool make_memory(int *ours, int *theirs) {
    *ours = memfd_create("stiction", MFD_CLOEXEC);
    *theirs = *ours < 0 ? -1 : fcntl(*ours, F_DUPFD_CLOEXEC, 0);
    return *theirs >= 0;
}

/* Nothing of it comes to the disk but its row. */
static bool prepare_in_memory(work *w, making *m, process_task *t) {
    if (!make_memory(&m->messages, &t->messages) || !make_memory(&m->summary, &t->answer)) {
        (void)complain("a run cannot be made ready: %s", strerror(errno));
        if (t->messages >= 0) (void)close(t->messages);
        return refuse_run(w, m, "its files in memory could not be made");
    }
    t->order = copy_text("");
    return true;
}

static bool prepare_run(void *user, size_t task, process_task *t) {
    work *w = user;
    making *m = begin_making(w, task);
    const size_t run = w->r->todo[task];
    const bool shares = may_share(w, run);
    if (shares && !sweep_store_wants_series(w->r->store, run)) return prepare_in_memory(w, m, t);
    m->has_place = true;
    if (!sweep_store_open_run(w->r->store, run, &m->p) || !folder_make(m->p.work))
        return refuse_run(w, m, "its folder could not be made");
    t->messages = open_messages(w, task);
    if (t->messages >= 0 && shares) t->order = folder_of_results(w, task);
    return t->messages >= 0;
}

static void abandon_run(void *user, size_t task) {
    const work *w = user;
    end_making(find_making(w, task));
}

/* All of the first few failed, for one reason. */
static bool is_hopeless(void *user) {
    enum { few = 8 };
    const work *w = user;
    sweep_store_tick(w->r->store); /* as often as this is asked */
    const size_t enough = 2 * w->r->at_once > few ? 2 * w->r->at_once : few;
    return !w->r->keep_going && w->ended >= enough && w->failed_alike == w->ended &&
           w->ended < w->r->todo_count;
}

sweep_verdict sweep_run_all(const sweep_runner *r) {
    work w = {.r = r};
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
    const bool alike = !whole && is_hopeless(&w);
    if (alike)
        (void)complain("the first %zu runs all failed for the same reason, so the other %zu were "
                       "not started (--keep-going starts them): %s",
                       w.ended, r->todo_count - w.ended, w.reason);
    free(w.making);
    free(w.projects);
    free(w.reason);
    return whole ? SWEEP_ALL_RAN : alike ? SWEEP_ALIKE : SWEEP_STOPPED;
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
    const bool fine =
        place_open_folder(&p, folder) && report_write(folder, p.fresh) && place_add(&p, false);
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
