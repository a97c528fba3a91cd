/*
 * Child processes, a few at a time. SIGCHLD and the answers of those that stay wake the parent,
 * which also looks up ten times a second for an interrupt, a time limit and the bar.
 */
#define _GNU_SOURCE /* sched_getaffinity */
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
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "common/command.h"
#include "common/progress.h"
#include "run/run.h"

/* A child that stays leaves after so many tasks, whatever it says: nothing grows without end. */
enum { most_tasks = 1000 };

typedef struct child {
    pid_t pid;  /* 0: the place is free */
    int socket; /* to one that stays; -1: it has the one task */
    bool busy;  /* with this task */
    size_t task, task_count;
    double started;
    bool too_long;
    bool leaving; /* it ends without being asked */
} child;

typedef struct state {
    const processes *p;
    child *children;
    struct pollfd *polled; /* the first is that of child_ends */
    sigset_t child_ends, before;
    int ends; /* a signalfd */
    bool may_stay;
    size_t next, running, ended, failed;
} state;

size_t processes_cores(void) {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0) return (size_t)CPU_COUNT(&set);
    const long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 ? (size_t)count : 1;
}

/* ---- what goes between them ---- */

/* The head of an order; its text is behind it, and the files come along. */
typedef struct order_head {
    size_t task;
    size_t has_answer; /* no bytes between and behind them, which nobody would have set */
} order_head;

typedef struct reply {
    int code;
    int leaves;
} reply;

enum { most_files = 2, longest_order = 16384 };

/* False with errno. */
static bool send_order(int socket, size_t task, const process_task *t) {
    const int files[most_files] = {t->messages, t->answer};
    const size_t size = (t->answer >= 0 ? 2 : 1) * sizeof(int);
    order_head head = {task, t->answer >= 0 ? 1 : 0};
    struct iovec parts[] = {{&head, sizeof head}, {t->order, strlen(t->order) + 1}};
    union {
        char bytes[CMSG_SPACE(most_files * sizeof(int))];
        struct cmsghdr aligned;
    } control = {{0}};
    struct msghdr message = {.msg_iov = parts,
                             .msg_iovlen = 2,
                             .msg_control = control.bytes,
                             .msg_controllen = CMSG_SPACE(size)};
    struct cmsghdr *c = CMSG_FIRSTHDR(&message);
    c->cmsg_level = SOL_SOCKET;
    c->cmsg_type = SCM_RIGHTS;
    c->cmsg_len = CMSG_LEN(size);
    memcpy(CMSG_DATA(c), files, size);
    ssize_t sent;
    while ((sent = sendmsg(socket, &message, MSG_NOSIGNAL)) < 0 && errno == EINTR) continue;
    return sent >= 0;
}

/* False: there is none any more. `text` has room for longest_order. */
static bool receive_order(int socket, size_t *task, process_task *t, char *text) {
    order_head head;
    struct iovec parts[] = {{&head, sizeof head}, {text, longest_order}};
    union {
        char bytes[CMSG_SPACE(most_files * sizeof(int))];
        struct cmsghdr aligned;
    } control;
    struct msghdr message = {.msg_iov = parts,
                             .msg_iovlen = 2,
                             .msg_control = control.bytes,
                             .msg_controllen = sizeof control.bytes};
    ssize_t got;
    while ((got = recvmsg(socket, &message, MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR) continue;
    if (got <= (ssize_t)sizeof head) return false;
    int files[most_files] = {-1, -1};
    const struct cmsghdr *c = CMSG_FIRSTHDR(&message);
    const size_t size = (head.has_answer ? 2 : 1) * sizeof(int);
    if (!c || c->cmsg_len != CMSG_LEN(size)) return false; /* no room for files: it was said */
    memcpy(files, CMSG_DATA(c), size);
    *task = head.task;
    *t = (process_task){.messages = files[0], .answer = files[1], .order = text};
    return true;
}

/* ---- a child ---- */

static void redirect_or_end(int file, const char *name, int to) {
    if (file < 0 || dup2(file, to) < 0) {
        (void)complain("cannot start a run: %s: %s", name, strerror(errno));
        _exit(126);
    }
    if (file != to) (void)close(file);
}

static void begin_child(const state *s, pid_t parent) {
    /* a parent that died before prctl sends no signal any more */
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != parent) _exit(125);
    /* an interrupt from the terminal is the parent's; what the child starts dies with it */
    (void)setpgid(0, 0);
    run_release_interrupts();
    (void)sigprocmask(SIG_SETMASK, &s->before, NULL);
    (void)close(s->ends);
    for (size_t k = 0; k < s->p->at_once; k++)
        if (s->children[k].pid && s->children[k].socket >= 0) (void)close(s->children[k].socket);
    if (s->p->begin) s->p->begin(s->p->user);
}

static void quiet(void) {
    redirect_or_end(open("/dev/null", O_RDONLY), "/dev/null", STDIN_FILENO);
    redirect_or_end(open("/dev/null", O_WRONLY), "/dev/null", STDOUT_FILENO);
}

static _Noreturn void be_child(const state *s, size_t task, pid_t parent, const process_task *t) {
    begin_child(s, parent);
    /* first, so that the rest has somebody to tell */
    redirect_or_end(t->messages, "stderr", STDERR_FILENO);
    quiet();
    const int code = s->p->run(s->p->user, task);
    _exit(code);
}

/* One that stays. Between two tasks its messages are the parent's. */
static _Noreturn void be_worker(const state *s, pid_t parent, int socket) {
    begin_child(s, parent);
    run_ignore_interrupts();
    quiet();
    static char text[longest_order];
    const int ours = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
    process_task t;
    size_t task;
    for (bool stays = true; stays && receive_order(socket, &task, &t, text);) {
        redirect_or_end(t.messages, "stderr", STDERR_FILENO);
        reply r = {.code = 0};
        r.leaves =
            s->p->serve(s->p->user, task, t.order, t.answer, &r.code) == PROCESS_LEAVES || ours < 0;
        if (t.answer >= 0) (void)close(t.answer);
        if (ours >= 0) (void)dup2(ours, STDERR_FILENO);
        stays = !r.leaves;
        ssize_t sent;
        while ((sent = send(socket, &r, sizeof r, MSG_NOSIGNAL)) < 0 && errno == EINTR) continue;
        if (sent < 0) _exit(124);
    }
    _exit(0);
}

/* ---- the tasks ---- */

static void close_files(process_task *t) {
    if (t->messages >= 0 && t->messages != STDERR_FILENO) (void)close(t->messages);
    if (t->answer >= 0) (void)close(t->answer);
    free(t->order);
}

static void end_task(state *s, size_t task, const char *failure) {
    s->failed += !s->p->finish(s->p->user, task, failure);
    s->ended++;
}

static void kill_group(const child *c) {
    if (kill(-c->pid, SIGKILL) != 0) (void)kill(c->pid, SIGKILL);
}

static void wait_for(child *c) {
    while (waitpid(c->pid, NULL, 0) < 0 && errno == EINTR) continue;
    if (c->socket >= 0) (void)close(c->socket);
    *c = (child){.socket = -1};
}

/* An idle child reads the end of its orders, and ends. */
static void dismiss(child *c) {
    if (c->socket >= 0) (void)shutdown(c->socket, SHUT_RDWR);
    wait_for(c);
}

/* A place for another child; there are fewer at work than places. */
static child *free_place(state *s) {
    child *other = s->children;
    for (size_t k = 0; k < s->p->at_once; k++) {
        child *c = &s->children[k];
        if (!c->pid) return c;
        if (!c->busy) other = c;
    }
    dismiss(other);
    return other;
}

static child *find_idle(state *s) {
    for (size_t k = 0; k < s->p->at_once; k++) {
        child *c = &s->children[k];
        if (c->pid && !c->busy && !c->leaving) return c;
    }
    return NULL;
}

static void occupy(state *s, child *c, size_t task) {
    c->task = task;
    c->task_count++;
    c->started = monotonic_seconds();
    c->busy = true;
    s->running++;
}

/* The process of a child in a free place; -1 with errno. */
static pid_t fork_child(child *c, int socket) {
    (void)flush_output();
    (void)fflush(NULL); /* or the child would print what waits once more */
    const pid_t pid = fork();
    if (pid > 0) {
        (void)setpgid(pid, pid); /* whoever comes first, so that kill finds the group */
        *c = (child){.pid = pid, .socket = socket};
    }
    return pid;
}

/* NULL with errno. */
static child *make_worker(state *s) {
    int ends[2];
    child *c = free_place(s);
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return NULL;
    const pid_t parent = getpid(), pid = fork_child(c, ends[0]);
    if (pid == 0) {
        (void)close(ends[0]);
        be_worker(s, parent, ends[1]);
    }
    const int why = errno;
    (void)close(ends[1]);
    if (pid < 0) (void)close(ends[0]);
    errno = why;
    return pid < 0 ? NULL : c;
}

/* False with errno. */
static bool start_alone(state *s, size_t task, const process_task *t) {
    child *c = free_place(s);
    const pid_t parent = getpid(), pid = fork_child(c, -1);
    if (pid == 0) be_child(s, task, parent, t);
    if (pid < 0) return false;
    occupy(s, c, task);
    return true;
}

/* By one that is there, or, where that has died unseen, by a new one. False with errno. */
static bool start_by_worker(state *s, size_t task, const process_task *t) {
    child *c = find_idle(s);
    if (c && !send_order(c->socket, task, t)) {
        dismiss(c);
        c = NULL;
    } else if (c) {
        occupy(s, c, task);
        return true;
    }
    c = make_worker(s);
    if (!c || !send_order(c->socket, task, t)) return false;
    occupy(s, c, task);
    return true;
}

static void start(state *s) {
    const size_t task = s->next++;
    process_task t = PROCESS_TASK;
    if (!s->p->prepare(s->p->user, task, &t)) {
        close_files(&t);
        s->ended++;
        s->failed++;
        return;
    }
    const bool stays = s->may_stay && t.order && strlen(t.order) < longest_order;
    const bool started = stays ? start_by_worker(s, task, &t) : start_alone(s, task, &t);
    const int why = errno;
    close_files(&t);
    if (started) return;
    char *failure = format_text("no process could be started for it: %s", strerror(why));
    end_task(s, task, failure);
    free(failure);
}

static char *how_it_ended(const state *s, const child *c, int status) {
    if (c->too_long) return format_text("killed after %g s (--timeout)", s->p->time_limit);
    if (WIFSIGNALED(status))
        return format_text("killed by signal %d (%s)", WTERMSIG(status),
                           strsignal(WTERMSIG(status)));
    return format_text("exit code %d", WEXITSTATUS(status));
}

/* ---- all of them ---- */

/* What became of a task, told when others are at work again: to write it down takes time. */
typedef struct ending {
    size_t task;
    char *failure; /* NULL: it went well */
} ending;

static void release(state *s, child *c, ending *e, char *failure) {
    *e = (ending){.task = c->task, .failure = failure};
    c->busy = false;
    s->running--;
}

/* Whether a child that stays has ended its task. */
static bool has_replied(state *s, child *c, ending *e) {
    reply r;
    if (!c->busy || c->socket < 0) return false;
    ssize_t got;
    while ((got = recv(c->socket, &r, sizeof r, MSG_DONTWAIT)) < 0 && errno == EINTR) continue;
    if (got != (ssize_t)sizeof r) return false;
    release(s, c, e, r.code ? format_text("exit code %d", r.code) : NULL);
    c->leaving = r.leaves || c->too_long; /* which was killed meanwhile: it takes no other task */
    return true;
}

/* Whoever ends a job of a cluster ends all of its processes, one after the other: what was killed
 * a moment before us has not failed. */
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
    if (was_busy && !has_replied(s, c, e)) {
        /* one that stays ends with 0 only between two tasks */
        const bool fine =
            c->socket < 0 && !c->too_long && WIFEXITED(status) && !WEXITSTATUS(status);
        if (!c->too_long) wait_for_our_own(status);
        release(s, c, e, fine ? NULL : how_it_ended(s, c, status));
    }
    if (c->socket >= 0) (void)close(c->socket);
    *c = (child){.socket = -1};
    return was_busy;
}

static size_t collect(state *s, ending *list) {
    size_t count = 0;
    for (size_t k = 0; k < s->p->at_once; k++) {
        child *c = &s->children[k];
        if (has_replied(s, c, &list[count])) count++;
        if (has_died(s, c, &list[count])) count++;
        if (c->pid && !c->busy && !c->leaving && c->task_count >= most_tasks) dismiss(c);
    }
    return count;
}

static void enforce_time_limit(state *s) {
    for (size_t k = 0; k < s->p->at_once; k++) {
        child *c = &s->children[k];
        if (!c->busy || c->too_long || !(monotonic_seconds() - c->started > s->p->time_limit))
            continue;
        c->too_long = true;
        kill_group(c);
    }
}

static void end_all(state *s) {
    for (size_t k = 0; k < s->p->at_once; k++) {
        child *c = &s->children[k];
        if (!c->pid) continue;
        if (!c->busy) {
            dismiss(c);
            continue;
        }
        const size_t task = c->task;
        kill_group(c);
        wait_for(c);
        s->p->abandon(s->p->user, task);
    }
}

static bool is_over(const state *s) {
    return run_interrupted() || (s->p->is_hopeless && s->p->is_hopeless(s->p->user));
}

/* Until a child ends or replies, but not for long. */
static void wait_a_while(state *s) {
    nfds_t count = 1;
    s->polled[0] = (struct pollfd){.fd = s->ends, .events = POLLIN};
    for (size_t k = 0; k < s->p->at_once; k++)
        if (s->children[k].busy && s->children[k].socket >= 0)
            s->polled[count++] = (struct pollfd){.fd = s->children[k].socket, .events = POLLIN};
    (void)poll(s->polled, count, 100);
    struct signalfd_siginfo seen;
    if (s->polled[0].revents)
        while (read(s->ends, &seen, sizeof seen) > 0) continue;
}

/* Begins what can be begun. */
static void start_more(state *s) {
    while (s->running < s->p->at_once && s->next < s->p->task_count && !is_over(s)) start(s);
}

static void step(state *s, ending *list) {
    start_more(s);
    if (s->running) wait_a_while(s);
    const size_t count = collect(s, list);
    enforce_time_limit(s);
    start_more(s);
    for (size_t k = 0; k < count; k++) {
        if (list[k].failure && run_interrupted())
            s->p->abandon(s->p->user, list[k].task);
        else
            end_task(s, list[k].task, list[k].failure);
        free(list[k].failure);
    }
}

bool processes_may_stay(void) {
    struct rlimit time;
    return getrlimit(RLIMIT_CPU, &time) == 0 && time.rlim_cur == RLIM_INFINITY;
}

bool processes_run(const processes *p) {
    state s = {.p = p,
               .children = allocate(p->at_once, sizeof *s.children),
               .polled = allocate(p->at_once + 1, sizeof *s.polled),
               .may_stay = p->serve && processes_may_stay()};
    ending *list = allocate(2 * p->at_once, sizeof *list);
    for (size_t k = 0; k < p->at_once; k++) s.children[k].socket = -1;
    (void)signal(SIGCHLD, SIG_DFL); /* whoever started us may have ignored it */
    (void)sigemptyset(&s.child_ends);
    (void)sigaddset(&s.child_ends, SIGCHLD);
    (void)sigprocmask(SIG_BLOCK, &s.child_ends, &s.before);
    s.ends = signalfd(-1, &s.child_ends, SFD_CLOEXEC | SFD_NONBLOCK);
    progress bar = progress_begin(p->what, (double)p->task_count, false);
    if (!p->task_count) progress_count(&bar, 0, 0, ""); /* for who reads what was before */
    while (s.ended < p->task_count && !is_over(&s)) {
        step(&s, list);
        progress_count(&bar, s.ended, s.failed, "");
    }
    const bool whole = s.ended == p->task_count;
    end_all(&s);
    progress_end(&bar);
    if (s.ends >= 0) (void)close(s.ends);
    (void)sigprocmask(SIG_SETMASK, &s.before, NULL);
    free(list);
    free(s.polled);
    free(s.children);
    return whole;
}
