/*
 * The runs of a sweep, each a `stiction run` of its own.
 */
#include "sweep/runner.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/command.h"
#include "common/folder.h"
#include "common/options.h"
#include "common/place.h"
#include "document/file.h"
#include "report/report.h"
#include "run/run.h"
#include "sweep/processes.h"
#include "sweep/sweep_file.h"

typedef struct work {
    const sweep_runner *r;
    place *places; /* of each task in the making */
    size_t failed_alike, ended;
    char *reason; /* of the first that failed */
} work;

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

/* In the child: becomes the run. What is allocated goes with it. */
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
    text_list_add(&words, format_text("--out=%s/out", w->places[task].work));
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
static char *take_results(const work *w, size_t task) {
    const place *p = &w->places[task];
    char *path = sweep_run_project(w->r, w->r->todo[task]), *stem = path_stem(path);
    char *from = format_text("%s/out/%s", p->work, stem), *failure = NULL;
    if (rename(from, p->fresh) != 0) /* which has nothing in it */
        failure = errno == ENOENT ? copy_text("the run wrote no results")
                                  : format_text("%s: its results cannot be moved here: %s",
                                                p->fresh, strerror(errno));
    free(from);
    free(stem);
    free(path);
    return failure;
}

static void count_alike(work *w, const char *failure) {
    w->ended++;
    if (!failure) return;
    if (!w->reason) w->reason = copy_text(failure);
    w->failed_alike += strcmp(w->reason, failure) == 0;
}

static bool finish_run(void *user, size_t task, const char *ended) {
    work *w = user;
    place *p = &w->places[task];
    const size_t run = w->r->todo[task];
    char *messages = messages_of(p->work);
    char *untaken = take_results(w, task); /* one that failed need not have any */
    char *failure = ended ? reason(messages, ended) : untaken ? copy_text(untaken) : NULL;
    const sweep_outcome outcome = {.failure = failure};
    const bool kept =
        keep_messages(messages, p->fresh) && sweep_store_commit(w->r->store, run, p, &outcome);
    if (kept) sweep_states_set(w->r->states, run, failure ? SWEEP_FAILED : SWEEP_DONE, failure);
    count_alike(w, kept ? failure : "its results could not be written");
    place_close(p);
    const bool fine = kept && !failure;
    free(messages);
    free(untaken);
    free(failure);
    return fine;
}

/* A run whose messages have no file is a row, as one that failed. */
static int open_messages(work *w, size_t task) {
    char *path = messages_of(w->places[task].work);
    const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (file < 0) {
        char *failure = format_text("%s: %s", path, strerror(errno));
        (void)finish_run(w, task, failure);
        free(failure);
    }
    free(path);
    return file;
}

static int prepare_run(void *user, size_t task) {
    work *w = user;
    place *p = &w->places[task];
    if (sweep_store_open_run(w->r->store, w->r->todo[task], p) && folder_make(p->work))
        return open_messages(w, task);
    place_close(p);
    count_alike(w, "its folder could not be made");
    return -1;
}

static void abandon_run(void *user, size_t task) {
    work *w = user;
    place_close(&w->places[task]);
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
    work w = {.r = r, .places = allocate(r->todo_count, sizeof *w.places)};
    const processes p = {.what = "sweep",
                         .task_count = r->todo_count,
                         .at_once = r->at_once,
                         .time_limit = r->time_limit,
                         .user = &w,
                         .prepare = prepare_run,
                         .run = become_run,
                         .finish = finish_run,
                         .abandon = abandon_run,
                         .is_hopeless = is_hopeless};
    const bool whole = processes_run(&p);
    const bool alike = !whole && is_hopeless(&w);
    if (alike)
        (void)complain("the first %zu runs all failed for the same reason, so the other %zu were "
                       "not started (--keep-going starts them): %s",
                       w.ended, r->todo_count - w.ended, w.reason);
    free(w.places);
    free(w.reason);
    return whole ? SWEEP_ALL_RAN : alike ? SWEEP_ALIKE : SWEEP_STOPPED;
}

/* ---- reports ---- */

static int prepare_report(void *user, size_t task) {
    (void)user, (void)task;
    return STDERR_FILENO;
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
