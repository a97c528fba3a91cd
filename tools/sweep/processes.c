/*
 * Child processes, a few at a time. SIGCHLD wakes the parent, which also looks up ten times a
 * second for an interrupt, a time limit and the bar.
 */
#define _GNU_SOURCE /* sched_getaffinity */
#include "sweep/processes.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "common/command.h"
#include "common/progress.h"
#include "run/run.h"

typedef struct child {
    pid_t pid; /* 0: the place is free */
    size_t task;
    double started;
    bool too_long;
} child;

typedef struct state {
    const processes *p;
    child *children;
    sigset_t child_ends, before;
    size_t next, running, ended, failed;
} state;

size_t processes_cores(void) {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0) return (size_t)CPU_COUNT(&set);
    const long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 ? (size_t)count : 1;
}

/* ---- a child ---- */

/* Where tools/coverage.py counts lines, a child writes its counts to files before it ends. */
#ifdef STICTION_COUNTED
void __gcov_dump(void);
static void write_counts(void) {
    __gcov_dump();
}
#else
static void write_counts(void) {}
#endif

static void redirect_or_end(int file, const char *name, int to) {
    if (file < 0 || dup2(file, to) < 0) {
        (void)complain("cannot start a run: %s: %s", name, strerror(errno));
        _exit(126);
    }
    if (file != to) (void)close(file);
}

static _Noreturn void be_child(const state *s, size_t task, pid_t parent, int messages) {
    /* a parent that died before prctl sends no signal any more */
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != parent) _exit(125);
    /* an interrupt from the terminal is the parent's; what the child starts dies with it */
    (void)setpgid(0, 0);
    run_release_interrupts();
    (void)sigprocmask(SIG_SETMASK, &s->before, NULL);
    /* first, so that the rest has somebody to tell */
    redirect_or_end(messages, "stderr", STDERR_FILENO);
    redirect_or_end(open("/dev/null", O_RDONLY), "/dev/null", STDIN_FILENO);
    redirect_or_end(open("/dev/null", O_WRONLY), "/dev/null", STDOUT_FILENO);
    const int code = s->p->run(s->p->user, task);
    write_counts();
    _exit(code);
}

static void fail(state *s, size_t task, const char *failure) {
    s->failed += !s->p->finish(s->p->user, task, failure);
    s->ended++;
}

static void start(state *s) {
    const size_t task = s->next++;
    const int messages = s->p->prepare(s->p->user, task);
    if (messages < 0) {
        s->ended++;
        s->failed++;
        return;
    }
    child *c = s->children;
    while (c->pid) c++;
    (void)flush_output();
    (void)fflush(NULL); /* or the child would print what waits once more */
    const pid_t parent = getpid(), pid = fork();
    if (pid == 0) be_child(s, task, parent, messages);
    const int why = errno;
    if (messages != STDERR_FILENO) (void)close(messages);
    if (pid < 0) {
        char *failure = format_text("no process could be started for it: %s", strerror(why));
        fail(s, task, failure);
        free(failure);
        return;
    }
    (void)setpgid(pid, pid); /* whoever comes first, so that kill finds the group */
    *c = (child){pid, task, monotonic_seconds(), false};
    s->running++;
}

static char *how_it_ended(const state *s, const child *c, int status) {
    if (c->too_long) return format_text("killed after %g s (--timeout)", s->p->time_limit);
    if (WIFSIGNALED(status))
        return format_text("killed by signal %d (%s)", WTERMSIG(status),
                           strsignal(WTERMSIG(status)));
    if (WEXITSTATUS(status) != 0) return format_text("exit code %d", WEXITSTATUS(status));
    return NULL;
}

static void kill_group(const child *c) {
    if (kill(-c->pid, SIGKILL) != 0) (void)kill(c->pid, SIGKILL);
}

/* ---- all of them ---- */

static void reap(state *s) {
    for (size_t k = 0; k < s->p->at_once; k++) {
        child *c = &s->children[k];
        int status;
        if (!c->pid || waitpid(c->pid, &status, WNOHANG) != c->pid) continue;
        char *failure = how_it_ended(s, c, status);
        c->pid = 0;
        s->running--;
        fail(s, c->task, failure);
        free(failure);
    }
}

static void enforce_time_limit(state *s) {
    for (size_t k = 0; k < s->p->at_once; k++) {
        child *c = &s->children[k];
        if (!c->pid || c->too_long || !(monotonic_seconds() - c->started > s->p->time_limit))
            continue;
        c->too_long = true;
        kill_group(c);
    }
}

static void abandon_all(state *s) {
    for (size_t k = 0; k < s->p->at_once; k++) {
        child *c = &s->children[k];
        if (!c->pid) continue;
        kill_group(c);
        while (waitpid(c->pid, NULL, 0) < 0 && errno == EINTR) continue;
        s->p->abandon(s->p->user, c->task);
    }
}

static bool goes_on(const state *s) {
    return s->ended < s->p->task_count && !run_interrupted() &&
           !(s->p->is_hopeless && s->p->is_hopeless(s->p->user));
}

bool processes_run(const processes *p) {
    state s = {.p = p, .children = allocate(p->at_once, sizeof *s.children)};
    (void)signal(SIGCHLD, SIG_DFL); /* whoever started us may have ignored it */
    (void)sigemptyset(&s.child_ends);
    (void)sigaddset(&s.child_ends, SIGCHLD);
    (void)sigprocmask(SIG_BLOCK, &s.child_ends, &s.before);
    progress bar = progress_begin(p->what, (double)p->task_count, false);
    while (goes_on(&s)) {
        while (s.running < p->at_once && s.next < p->task_count && !run_interrupted()) start(&s);
        const struct timespec tick = {0, 100000000};
        if (s.running) (void)sigtimedwait(&s.child_ends, NULL, &tick);
        reap(&s);
        enforce_time_limit(&s);
        progress_count(&bar, s.ended, s.failed, "");
    }
    const bool whole = s.ended == p->task_count;
    abandon_all(&s);
    progress_end(&bar);
    (void)sigprocmask(SIG_SETMASK, &s.before, NULL);
    free(s.children);
    return whole;
}
