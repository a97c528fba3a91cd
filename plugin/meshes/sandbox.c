/* SPDX-License-Identifier: MIT
 * A child process with limits, and a pipe to it. Nothing of it outlives sandbox_end.
 */
#define _GNU_SOURCE /* pipe2, wait4 */
#include "sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* The address sanitizer reserves terabytes of addresses, so there is no limit with it. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WITHOUT_MEMORY_LIMIT
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define WITHOUT_MEMORY_LIMIT
#endif

sandbox_limits sandbox_limits_of(bool untrusted, bool (*is_stopped)(void)) {
    const int factor = untrusted ? 1 : 10;
    return (sandbox_limits){.seconds = 20 * factor,
                            .all_seconds = 120 * factor,
                            .patience = 600 * factor,
                            .memory = 3000000000,
                            .is_stopped = is_stopped};
}

static double now(void) {
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void limit(int what, rlim_t value) {
    struct rlimit l;
    if (getrlimit(what, &l) != 0) return;
    if (l.rlim_max == RLIM_INFINITY || value < l.rlim_max) l.rlim_max = value;
    l.rlim_cur = l.rlim_max;
    (void)setrlimit(what, &l);
}

#ifndef WITHOUT_MEMORY_LIMIT
/* The addresses that the process has now, in bytes. */
static size_t memory_in_use(void) {
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "re");
    if (file && fscanf(file, "%lu", &pages) != 1) pages = 0;
    if (file) (void)fclose(file);
    return pages * (size_t)sysconf(_SC_PAGESIZE);
}
#endif

/* Drops the messages of libraries, such as those of an uncaught C++ exception. */
static void be_silent(void) {
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere < 0) return;
    (void)dup2(nowhere, STDOUT_FILENO);
    (void)dup2(nowhere, STDERR_FILENO);
}

void sandbox_open_no_more(void) {
    limit(RLIMIT_NOFILE, 0);
}

static _Noreturn void be_child(const sandbox_limits *limits, void work(void *, int), void *context,
                               int out, pid_t parent) {
    static const int fatal_signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGILL, SIGXCPU};
    for (size_t k = 0; k < sizeof fatal_signals / sizeof fatal_signals[0]; k++)
        (void)signal(fatal_signals[k], SIG_DFL);
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(1); /* the parent ended before that */
    be_silent();
    limit(RLIMIT_CPU, (rlim_t)limits->seconds);
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_FSIZE, 0);
#ifndef WITHOUT_MEMORY_LIMIT
    limit(RLIMIT_AS, memory_in_use() + limits->memory);
#endif
    work(context, out);
    _exit(0); /* without the exit handlers of the parent */
}

void sandbox_start(sandbox *box, const sandbox_limits *limits, void work(void *context, int out),
                   void *context) {
    *box = (sandbox){.process = -1, .pipe = -1, .limits = *limits};
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) {
        (void)snprintf(box->problem, sizeof box->problem, "no pipe: %s", strerror(errno));
        return;
    }
    box->deadline = now() + limits->patience;
    box->pipe = ends[0];
    (void)fflush(NULL); /* what is buffered is written once, by the parent */
    const pid_t parent = getpid();
    box->process = fork();
    if (box->process == 0) be_child(limits, work, context, ends[1], parent);
    if (box->process < 0)
        (void)snprintf(box->problem, sizeof box->problem, "no process: %s", strerror(errno));
    (void)close(ends[1]);
}

/* Waits for the end of the child and notes what it used. False: how it ended is not known. */
static bool wait_for_end(sandbox *box, int *status) {
    struct rusage usage = {0};
    pid_t ended;
    while ((ended = wait4(box->process, status, 0, &usage)) < 0 && errno == EINTR) continue;
    box->used = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
                1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
    const bool known = ended == box->process;
    box->process = -1;
    return known;
}

/* Why a child wrote less than it should have. */
static void explain_end(sandbox *box) {
    int status = 0;
    const char *how = "ended early";
    if (wait_for_end(box, &status) && WIFSIGNALED(status)) {
        const int by = WTERMSIG(status);
        how = by == SIGXCPU || by == SIGKILL ? NULL : strsignal(by);
    }
    if (!how)
        (void)snprintf(box->problem, sizeof box->problem,
                       "its reading took more than %d s of processor time", box->limits.seconds);
    else
        (void)snprintf(box->problem, sizeof box->problem,
                       "its reading failed or needed more than %zu MB (%s)",
                       box->limits.memory / 1000000, how);
}

/* Waits for more in the pipe; false: nothing more will come. */
static bool wait_for_more(sandbox *box) {
    const int moment = 50; /* ms between two calls of is_stopped; a signal ends the wait at once */
    while (now() < box->deadline) {
        struct pollfd one = {.fd = box->pipe, .events = POLLIN};
        if (poll(&one, 1, moment) > 0) return true;
        box->stopped = box->limits.is_stopped && box->limits.is_stopped();
        if (!box->stopped) continue;
        (void)snprintf(box->problem, sizeof box->problem, "its reading was interrupted");
        return false;
    }
    (void)snprintf(box->problem, sizeof box->problem, "its reading took more than %d s",
                   box->limits.patience);
    return false;
}

bool sandbox_read(sandbox *box, void *bytes, size_t size) {
    char *to = bytes;
    while (!box->problem[0] && size > 0 && wait_for_more(box)) {
        const ssize_t got = read(box->pipe, to, size);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) {
            explain_end(box);
            break;
        }
        to += got;
        size -= (size_t)got;
    }
    return !box->problem[0];
}

void sandbox_end(sandbox *box) {
    if (box->pipe >= 0) (void)close(box->pipe);
    if (box->process > 0) {
        (void)kill(box->process, SIGKILL);
        (void)wait_for_end(box, NULL);
    }
    box->process = box->pipe = -1;
}

void sandbox_write(int out, const void *bytes, size_t size) {
    const char *from = bytes;
    while (size > 0) {
        const ssize_t put = write(out, from, size);
        if (put < 0 && errno == EINTR) continue;
        if (put <= 0) _exit(1);
        from += put;
        size -= (size_t)put;
    }
}
