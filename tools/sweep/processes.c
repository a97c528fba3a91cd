/* SPDX-License-Identifier: MIT
 * Child processes that do tasks, a few at a time. The parent polls their sockets, which also
 * report the end of a child, and wakes ten times a second for interrupts, time limits and the bar.
 */
#define _GNU_SOURCE /* sched_getaffinity, on_exit */
#include "sweep/processes.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "common/command.h"
#include "common/progress.h"
#include "common/verb.h"
#include "run/run.h"
#include "json/json_out.h"

/* A child leaves after so many tasks, so that nothing grows without bound. */
enum { most_tasks = 1000 };

/* The exit code of a child that ran out of memory. */
enum { EXIT_NO_MEMORY = 123 };

typedef struct child {
    pid_t pid; /* 0: the slot is free */
    int socket;
    bool busy; /* with this task */
    size_t task;
    double started; /* s */
    bool too_long, leaving;
    char *text; /* of the answer so far */
    size_t length;
} child;

typedef struct state {
    const processes *p;
    child *children;
    struct pollfd *polled;
    size_t next, running, ended, failed;
} state;

size_t processes_cores(void) {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0) return (size_t)CPU_COUNT(&set);
    const long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 ? (size_t)count : 1;
}

/* ---- errors in answers ---- */

json_t *process_answer(const stiction_error *error) {
    json_t *answer = must_have(json_object());
    (void)json_out_set(answer, "status", json_integer(error->status));
    if (error->status == STICTION_OK) return answer;
    (void)json_out_set(answer, "path", json_out_text(error->path));
    (void)json_out_set(answer, "line", json_integer(error->line));
    (void)json_out_set(answer, "column", json_integer(error->column));
    (void)json_out_set(answer, "message", json_out_text(error->message));
    return answer;
}

bool process_succeeded(const json_t *answer, stiction_error *error) {
    const char *path = json_string_value(json_object_get(answer, "path")),
               *message = json_string_value(json_object_get(answer, "message"));
    *error = (stiction_error){
        .status = (stiction_status)json_integer_value(json_object_get(answer, "status")),
        .line = (int)json_integer_value(json_object_get(answer, "line")),
        .column = (int)json_integer_value(json_object_get(answer, "column"))};
    (void)snprintf(error->path, sizeof error->path, "%s", path ? path : "");
    (void)snprintf(error->message, sizeof error->message, "%s", message ? message : "");
    return error->status == STICTION_OK;
}

/* ---- in a child ---- */

static bool send_all(int socket, const char *text, size_t size) {
    while (size > 0) {
        const ssize_t sent = send(socket, text, size, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent < 0) return false;
        text += sent;
        size -= (size_t)sent;
    }
    return true;
}

static void redirect_to_null(int file, int mode) {
    const int null = open("/dev/null", mode | O_CLOEXEC);
    if (null < 0 || dup2(null, file) < 0) _exit(126);
    (void)close(null);
}

static void begin_child(const state *s, pid_t parent) {
    /* a parent that died before prctl sends no signal any more */
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != parent) _exit(125);
    /* an interrupt from the terminal is the parent's; what the child starts dies with its group */
    (void)setpgid(0, 0);
    run_release_interrupts();
    run_ignore_interrupts();
    redirect_to_null(STDIN_FILENO, O_RDONLY);
    redirect_to_null(STDOUT_FILENO, O_WRONLY);
    for (size_t k = 0; k < s->p->at_once; k++)
        if (s->children[k].pid) (void)close(s->children[k].socket);
    if (s->p->begin) s->p->begin(s->p->user);
}

/* A limit of processor time (ulimit -t) is one of a process: then each does one task. */
static bool may_stay(void) {
    struct rlimit time;
    return getrlimit(RLIMIT_CPU, &time) == 0 && time.rlim_cur == RLIM_INFINITY;
}

/* In a child only must_have calls exit; the parent then reports the reason. Processes that a child
 * forks are not meant. */
static void exit_without_memory(int status, void *own) {
    if (getpid() == *(const pid_t *)own) _exit(status == EXIT_DATA ? EXIT_NO_MEMORY : status);
}

/* An order is "TASK TEXT" with a 0 after it. */
static _Noreturn void be_child(const state *s, pid_t parent, int socket) {
    pid_t self = getpid();
    (void)on_exit(exit_without_memory, &self);
    begin_child(s, parent);
    FILE *orders = must_have(fdopen(socket, "r"));
    char *order = NULL;
    size_t size = 0;
    bool leaves = false;
    for (size_t done = 1; !leaves && getdelim(&order, &size, '\0', orders) > 0; done++) {
        char *text;
        const size_t task = strtoul(order, &text, 10);
        leaves = done == most_tasks || !may_stay();
        json_auto_t *answer = s->p->serve(s->p->user, task, text + 1, &leaves);
        (void)json_out_set(answer, "leaves", json_boolean(leaves));
        AUTO_FREE char *line = must_have(json_dumps(answer, JSON_COMPACT));
        if (!send_all(socket, line, strlen(line)) || !send_all(socket, "\n", 1)) _exit(124);
    }
    _exit(0);
}

/* ---- in the parent: children ---- */

static void kill_group(const child *c) {
    if (kill(-c->pid, SIGKILL) != 0) (void)kill(c->pid, SIGKILL);
}

static void free_child(child *c) {
    (void)close(c->socket);
    free(c->text);
    *c = (child){.socket = -1};
}

static void end_child(child *c) {
    kill_group(c);
    while (waitpid(c->pid, NULL, 0) < 0 && errno == EINTR) continue;
    free_child(c);
}

/* In the slot of another, if need be: fewer are busy than there are slots. NULL with errno. */
static child *start_child(state *s) {
    int ends[2];
    child *c = s->children;
    while (c->busy) c++;
    for (child *other = c; other < s->children + s->p->at_once; other++)
        if (!other->pid) c = other;
    if (c->pid) end_child(c);
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return NULL;
    (void)flush_output();
    (void)fflush(NULL); /* or the child would print it once more */
    const pid_t parent = getpid(), pid = fork();
    if (pid == 0) {
        (void)close(ends[0]);
        be_child(s, parent, ends[1]);
    }
    const int why = errno;
    (void)close(ends[1]);
    if (pid < 0) (void)close(ends[0]);
    errno = why;
    if (pid < 0) return NULL;
    (void)setpgid(pid, pid); /* whoever is first, so that kill finds the group */
    *c = (child){.pid = pid, .socket = ends[0]};
    return c;
}

static bool send_order(child *c, size_t task, const char *order) {
    AUTO_FREE char *text = format_text("%zu %s", task, order);
    return send_all(c->socket, text, strlen(text) + 1);
}

/* By a child that waits or, where that has died unseen, by a new one. NULL with errno. */
static child *give(state *s, size_t task, const char *order) {
    for (size_t k = 0; k < s->p->at_once; k++) {
        child *c = &s->children[k];
        if (!c->pid || c->busy || c->leaving) continue;
        if (send_order(c, task, order)) return c;
        end_child(c);
    }
    child *c = start_child(s);
    return c && send_order(c, task, order) ? c : NULL;
}

/* ---- in the parent: tasks ---- */

static void end_task(state *s, size_t task, const json_t *answer, const char *end) {
    s->failed += !s->p->finish(s->p->user, task, answer, end);
    s->ended++;
}

static void abandon_task(const state *s, size_t task) {
    if (s->p->abandon) s->p->abandon(s->p->user, task);
}

static void start_task(state *s) {
    const size_t task = s->next++;
    char *order = s->p->prepare ? s->p->prepare(s->p->user, task) : copy_text("");
    if (!order) {
        s->ended++;
        s->failed++;
        return;
    }
    child *c = give(s, task, order);
    const int why = errno;
    free(order);
    if (c) {
        c->task = task;
        c->busy = true;
        c->started = monotonic_seconds();
        s->running++;
        return;
    }
    AUTO_FREE char *end = format_text("no process could be started: %s", strerror(why));
    end_task(s, task, NULL, end);
}

/* What became of a task, handled after others are started: writing it takes time. */
typedef struct ending {
    size_t task;
    json_t *answer;
    char *end;
} ending;

static void release(state *s, child *c, ending *e, json_t *answer, char *end) {
    *e = (ending){c->task, answer, end};
    c->busy = false;
    c->length = 0;
    s->running--;
}

/* Whether the whole answer is there. */
static bool has_answered(state *s, child *c, ending *e) {
    char piece[65536];
    ssize_t got;
    if (!c->busy) return false;
    while ((got = recv(c->socket, piece, sizeof piece, MSG_DONTWAIT)) > 0 ||
           (got < 0 && errno == EINTR)) {
        if (got < 0) continue;
        c->text = reallocate(c->text, c->length + (size_t)got, 1);
        memcpy(c->text + c->length, piece, (size_t)got);
        c->length += (size_t)got;
    }
    if (!c->length || c->text[c->length - 1] != '\n') return false;
    json_t *answer = json_loadb(c->text, c->length, 0, NULL);
    c->leaving = c->too_long || json_is_true(json_object_get(answer, "leaves"));
    release(s, c, e, answer, answer ? NULL : copy_text("its answer is not JSON"));
    return true;
}

static char *describe_end(const state *s, const child *c, int status) {
    if (c->too_long) return format_text("killed after %g s (--timeout)", s->p->time_limit);
    if (WIFSIGNALED(status))
        return format_text("killed by signal %d (%s)", WTERMSIG(status),
                           strsignal(WTERMSIG(status)));
    if (WEXITSTATUS(status) == EXIT_NO_MEMORY) return copy_text("out of memory");
    return format_text("exit code %d", WEXITSTATUS(status));
}

/* Whoever ends a job of a cluster kills its processes one by one: a child that is killed a moment
 * before us has not failed. */
static void wait_for_our_own(int status) {
    const struct timespec moment = {0, 200000000};
    const int by = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    if (by == SIGKILL || by == SIGTERM || by == SIGINT || by == SIGHUP)
        (void)nanosleep(&moment, NULL);
}

/* Whether it ended in the middle of a task. */
static bool has_died(state *s, child *c, ending *e) {
    int status;
    if (!c->pid || waitpid(c->pid, &status, WNOHANG) != c->pid) return false;
    const bool was_busy = c->busy;
    if (was_busy && !has_answered(s, c, e)) {
        if (!c->too_long) wait_for_our_own(status);
        release(s, c, e, NULL, describe_end(s, c, status));
    }
    free_child(c);
    return was_busy;
}

static size_t collect(state *s, ending *list) {
    size_t count = 0;
    for (size_t k = 0; k < s->p->at_once; k++) {
        child *c = &s->children[k];
        if (has_answered(s, c, &list[count])) count++;
        if (has_died(s, c, &list[count])) count++;
        if (c->busy && !c->too_long && monotonic_seconds() - c->started > s->p->time_limit) {
            c->too_long = true;
            kill_group(c);
        }
    }
    return count;
}

static bool is_over(const state *s) {
    return run_interrupted() || (s->p->is_over && s->p->is_over(s->p->user));
}

static void start_tasks(state *s) {
    while (s->running < s->p->at_once && s->next < s->p->task_count && !is_over(s)) start_task(s);
}

static void wait_for_children(state *s) {
    nfds_t count = 0;
    for (size_t k = 0; k < s->p->at_once; k++)
        if (s->children[k].busy)
            s->polled[count++] = (struct pollfd){.fd = s->children[k].socket, .events = POLLIN};
    if (count) (void)poll(s->polled, count, 100);
}

static void step(state *s, ending *list) {
    start_tasks(s);
    wait_for_children(s);
    const size_t count = collect(s, list);
    start_tasks(s);
    for (size_t k = 0; k < count; k++) {
        if (list[k].end && run_interrupted())
            abandon_task(s, list[k].task);
        else
            end_task(s, list[k].task, list[k].answer, list[k].end);
        json_decref(list[k].answer);
        free(list[k].end);
    }
}

static void end_all(state *s) {
    for (size_t k = 0; k < s->p->at_once; k++) {
        child *c = &s->children[k];
        const bool was_busy = c->busy;
        const size_t task = c->task;
        if (c->pid) end_child(c);
        if (was_busy) abandon_task(s, task);
    }
}

bool processes_run(const processes *p) {
    state s = {.p = p,
               .children = allocate(p->at_once, sizeof *s.children),
               .polled = allocate(p->at_once, sizeof *s.polled)};
    AUTO_FREE ending *list = allocate(2 * p->at_once, sizeof *list);
    (void)signal(SIGCHLD, SIG_DFL); /* whoever started us may have ignored it */
    progress bar = progress_begin(p->what, (double)p->task_count, false);
    if (!p->task_count) progress_count(&bar, 0, 0, "");
    while (s.ended < p->task_count && !is_over(&s)) {
        step(&s, list);
        progress_count(&bar, s.ended, s.failed, "");
    }
    const bool whole = s.ended == p->task_count;
    end_all(&s);
    progress_end(&bar);
    free(s.polled);
    free(s.children);
    return whole;
}
