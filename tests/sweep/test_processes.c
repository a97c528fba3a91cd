/*
 * Child processes that stay: one does task after task until it leaves, crashes or takes too long,
 * and only the task at hand is lost with it.
 */
#define _GNU_SOURCE /* memfd_create, RTLD_NEXT */
#include "sweep/processes.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

enum { most = 2100 };

/* ---- calls that are interrupted, or fail: the program's own stand in their place ---- */

typedef enum call { FORK, SOCKETPAIR, SENDMSG, RECVMSG, SEND, RECV, WAITPID, call_count } call;
static struct {
    int fails_at[call_count], why[call_count], counted[call_count];
    bool interrupts; /* every call that waits, or could, every other time */
} ours;

static bool fails(call c) {
    const int n = ++ours.counted[c];
    if (ours.interrupts && c >= SENDMSG && n % 2) {
        errno = EINTR;
        return true;
    }
    if (n != ours.fails_at[c]) return false;
    errno = ours.why[c];
    return true;
}

/* From now on the n-th of these calls fails, for this reason; none did so far. */
static void let_fail(call c, int n, int why) {
    memset(&ours, 0, sizeof ours);
    ours.fails_at[c] = n;
    ours.why[c] = why;
}

#define SHOWN __attribute__((visibility("default")))
#define REAL(name)                                                                                 \
    static __typeof__(&(name)) real;                                                               \
    if (!real) find(&real, #name)

/* A pointer to a function out of one to an object, which ISO C does not convert. */
static void find(void *function, const char *name) {
    void *found = dlsym(RTLD_NEXT, name);
    memcpy(function, &found, sizeof found);
}

SHOWN pid_t fork(void) {
    REAL(fork);
    return fails(FORK) ? -1 : real();
}

SHOWN int socketpair(int domain, int type, int protocol, int ends[2]) {
    REAL(socketpair);
    return fails(SOCKETPAIR) ? -1 : real(domain, type, protocol, ends);
}

SHOWN ssize_t sendmsg(int file, const struct msghdr *message, int flags) {
    REAL(sendmsg);
    return fails(SENDMSG) ? -1 : real(file, message, flags);
}

SHOWN ssize_t recvmsg(int file, struct msghdr *message, int flags) {
    REAL(recvmsg);
    return fails(RECVMSG) ? -1 : real(file, message, flags);
}

SHOWN ssize_t send(int file, const void *bytes, size_t size, int flags) {
    REAL(send);
    return fails(SEND) ? -1 : real(file, bytes, size, flags);
}

SHOWN ssize_t recv(int file, void *bytes, size_t size, int flags) {
    REAL(recv);
    return fails(RECV) ? -1 : real(file, bytes, size, flags);
}

SHOWN pid_t waitpid(pid_t process, int *status, int options) {
    REAL(waitpid);
    /* one that only looks is not interrupted */
    return !(options & WNOHANG) && fails(WAITPID) ? -1 : real(process, status, options);
}

/* ---- tasks ---- */

/* What a task does in its child. */
typedef enum deed {
    FINE,
    FAILS,
    LEAVES,
    CRASHES,
    EXITS,
    HANGS,
    LONG, /* an order that is too long for one that stays */
    UNPREPARED,
    ALONE,
    ALONE_FAILS,
    ALONE_IS_ENDED,
    ALONE_HANGS
} deed;

typedef struct seen {
    deed deeds[most];
    size_t count;
    int answers[most];
    pid_t by[most]; /* which process did it; 0: none said so */
    char failures[most][100];
    size_t order[most], ended;
    bool stop_at_failure;
} seen;

static seen all;

static bool prepare(void *user, size_t task, process_task *t) {
    seen *s = user;
    if (s->deeds[task] == UNPREPARED) return false;
    s->answers[task] = memfd_create("answer", MFD_CLOEXEC);
    t->answer = dup(s->answers[task]);
    t->messages = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (s->deeds[task] < ALONE) {
        const int size = s->deeds[task] == LONG ? 20000 : 40;
        t->order = malloc((size_t)size + 1);
        (void)snprintf(t->order, (size_t)size, "task %zu", task);
        if (size > 40) memset(t->order, 'x', (size_t)size);
        t->order[size] = '\0';
    }
    return true;
}

static void say_who(int answer) {
    const pid_t own = getpid();
    (void)!write(answer, &own, sizeof own);
}

static int do_alone(void *user, size_t task) {
    const seen *s = user;
    say_who(s->answers[task]);
    if (s->deeds[task] == ALONE_IS_ENDED) (void)raise(SIGTERM);
    while (s->deeds[task] == ALONE_HANGS) (void)pause();
    return s->deeds[task] == ALONE_FAILS ? 5 : 0;
}

static process_verdict serve(void *user, size_t task, const char *order, int answer, int *code) {
    const seen *s = user;
    char expected[40];
    (void)snprintf(expected, sizeof expected, "task %zu", task);
    say_who(answer);
    if (strcmp(order, expected) != 0) *code = 99;
    switch (s->deeds[task]) {
    case FAILS:
        *code = 7;
        break;
    case CRASHES:
        (void)signal(SIGSEGV, SIG_DFL); /* sanitizers have their own end */
        (void)raise(SIGSEGV);
        break;
    case EXITS:
        _exit(3);
    case HANGS:
        for (;;) (void)pause();
    default:
        break;
    }
    return s->deeds[task] == LEAVES ? PROCESS_LEAVES : PROCESS_STAYS;
}

static bool finish(void *user, size_t task, const char *failure) {
    seen *s = user;
    (void)snprintf(s->failures[task], sizeof s->failures[task], "%s", failure ? failure : "");
    if (pread(s->answers[task], &s->by[task], sizeof(pid_t), 0) != (ssize_t)sizeof(pid_t))
        s->by[task] = 0;
    (void)close(s->answers[task]);
    s->order[s->ended++] = task;
    return !failure;
}

static void abandon(void *user, size_t task) {
    seen *s = user;
    (void)close(s->answers[task]);
}

static bool is_hopeless(void *user) {
    const seen *s = user;
    for (size_t k = 0; s->stop_at_failure && k < s->ended; k++)
        if (s->failures[s->order[k]][0]) return true;
    return false;
}

static bool run_all(const deed *deeds, size_t count, size_t at_once, double time_limit) {
    memset(&all, 0, sizeof all);
    for (size_t k = 0; k < count; k++) all.deeds[k] = deeds ? deeds[k] : FINE;
    all.count = count;
    const processes p = {.what = "test",
                         .task_count = count,
                         .at_once = at_once,
                         .time_limit = time_limit,
                         .user = &all,
                         .prepare = prepare,
                         .run = do_alone,
                         .serve = serve,
                         .finish = finish,
                         .abandon = abandon,
                         .is_hopeless = is_hopeless};
    return processes_run(&p);
}

/* No child of ours is left, alive or dead. */
static void check_none_left(void) {
    CHECK(waitpid(-1, NULL, WNOHANG) < 0);
}

TEST(one_process_does_all) {
    CHECK(run_all(NULL, 20, 1, (double)NAN));
    for (size_t k = 0; k < 20; k++) {
        CHECK(all.by[k] == all.by[0] && all.by[k] != 0 && !all.failures[k][0]);
        CHECK(all.order[k] == k);
    }
    check_none_left();
}

TEST(several_share_the_tasks) {
    CHECK(run_all(NULL, 200, 3, (double)NAN));
    CHECK(all.ended == 200);
    size_t different = 0;
    for (size_t k = 0; k < 200; k++) {
        size_t before = 0;
        while (before < k && all.by[before] != all.by[k]) before++;
        different += before == k;
    }
    CHECK(different >= 1 && different <= 3);
    check_none_left();
}

/* Of four tasks the second hangs and is killed; the time is doubled where a busy machine needed it
 * for another one. Returns what is then said of the second. */
static const char *run_with_one_that_hangs(const deed *deeds) {
    static char sentence[100];
    for (double limit = 0.2; limit < 1000; limit *= 2) {
        CHECK(run_all(deeds, 4, 1, limit));
        (void)snprintf(sentence, sizeof sentence, "killed after %g s (--timeout)", limit);
        bool busy = false;
        for (size_t k = 0; k < 4; k++) busy = busy || (k != 1 && all.failures[k][0]);
        if (!busy) break;
    }
    return sentence;
}

TEST(another_takes_the_place_of_one_that_ends) {
    const struct {
        deed deed;
        const char *failure;
        bool same; /* the next task is done by the same process */
    } cases[] = {{FINE, "", true},
                 {FAILS, "exit code 7", true},
                 {LEAVES, "", false},
                 {CRASHES, "killed by signal 11 (Segmentation fault)", false},
                 {EXITS, "exit code 3", false},
                 {HANGS, NULL, false}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        const deed deeds[] = {FINE, cases[k].deed, FINE, FINE};
        const char *failure = cases[k].failure;
        if (cases[k].deed == HANGS)
            failure = run_with_one_that_hangs(deeds);
        else
            CHECK(run_all(deeds, 4, 1, (double)NAN));
        if (strcmp(all.failures[1], failure) != 0)
            FAIL("deed %zu: '%s' instead of '%s'", k, all.failures[1], failure);
        CHECK(!all.failures[0][0] && !all.failures[2][0] && !all.failures[3][0]);
        CHECK(all.by[0] == all.by[1] && all.by[2] == all.by[3]);
        if ((all.by[1] == all.by[2]) != cases[k].same) FAIL("deed %zu: who goes on", k);
        check_none_left();
    }
}

TEST(task_of_its_own_gets_a_process_of_its_own) {
    const deed deeds[] = {FINE, FINE, ALONE, ALONE, FINE, UNPREPARED, FINE};
    CHECK(run_all(deeds, 7, 1, (double)NAN));
    CHECK(all.by[0] == all.by[1] && all.by[2] != all.by[1] && all.by[3] != all.by[2]);
    CHECK(all.by[4] != all.by[3] && all.by[4] == all.by[6] && all.ended == 6);
    check_none_left();
}

TEST(process_is_renewed_after_a_thousand_tasks) {
    CHECK(run_all(NULL, 2050, 1, (double)NAN));
    CHECK(all.by[999] == all.by[0] && all.by[1000] != all.by[0]);
    CHECK(all.by[1999] == all.by[1000] && all.by[2000] != all.by[1000]);
    check_none_left();
}

TEST(those_at_work_are_abandoned_where_there_is_no_hope) {
    const deed deeds[] = {HANGS, FAILS, FINE, FINE, FINE, FINE};
    memset(&all, 0, sizeof all);
    seen *s = &all;
    for (size_t k = 0; k < 6; k++) s->deeds[k] = deeds[k];
    s->stop_at_failure = true;
    const processes p = {.what = "test",
                         .task_count = 6,
                         .at_once = 2,
                         .time_limit = (double)NAN,
                         .user = s,
                         .prepare = prepare,
                         .run = do_alone,
                         .serve = serve,
                         .finish = finish,
                         .abandon = abandon,
                         .is_hopeless = is_hopeless};
    CHECK(!processes_run(&p));
    CHECK(s->ended >= 1 && s->ended < 6 && strcmp(s->failures[1], "exit code 7") == 0);
    check_none_left();
}

/* ---- a system that fails ---- */

TEST(calls_that_a_signal_interrupts_are_made_again) {
    const deed deeds[] = {FINE, ALONE, FAILS, FINE, LEAVES, FINE, CRASHES, FINE};
    memset(&ours, 0, sizeof ours);
    ours.interrupts = true;
    const bool whole = run_all(deeds, 8, 2, (double)NAN);
    ours.interrupts = false;
    CHECK(whole && all.ended == 8);
    for (size_t k = 0; k < 8; k++) {
        const char *expected = deeds[k] == FAILS     ? "exit code 7"
                               : deeds[k] == CRASHES ? "killed by signal 11 (Segmentation fault)"
                                                     : "";
        if (strcmp(all.failures[k], expected) != 0) FAIL("task %zu: '%s'", k, all.failures[k]);
    }
    check_none_left();
}

TEST(task_that_no_process_can_be_started_for_fails_and_the_next_does_not) {
    static const struct {
        call call;
        int n, why;
        deed deed;
        const char *failure; /* of the second */
    } cases[] = {
        {FORK, 2, EAGAIN, ALONE, "no process could be started for it: Resource temporarily"},
        {FORK, 2, ENOMEM, LEAVES, "no process could be started for it: Cannot allocate memory"},
        {SOCKETPAIR, 2, EMFILE, LEAVES, "no process could be started for it: Too many open files"},
        {SENDMSG, 2, EPIPE, FINE, ""}, /* it died unseen: another one does it */
        {SENDMSG, 2, ETOOMANYREFS, LEAVES, "no process could be started for it: Too many refer"}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        /* one that leaves makes the next task need a process of its own */
        const deed second = cases[k].deed == LEAVES ? FINE : cases[k].deed;
        const deed deeds[] = {cases[k].deed, second, FINE, FINE};
        let_fail(cases[k].call, cases[k].n, cases[k].why);
        CHECK(run_all(deeds, 4, 1, (double)NAN));
        if (strncmp(all.failures[1], cases[k].failure, strlen(cases[k].failure)) != 0 ||
            !*cases[k].failure != !*all.failures[1])
            FAIL("case %zu: '%s'", k, all.failures[1]);
        CHECK(!all.failures[0][0] && !all.failures[2][0] && !all.failures[3][0]);
        if (cases[k].call == SENDMSG && !*cases[k].failure) CHECK(all.by[0] != all.by[1]);
        check_none_left();
    }
    memset(&ours, 0, sizeof ours);
}

TEST(order_that_is_too_long_gets_a_process_of_its_own) {
    const deed deeds[] = {FINE, LONG, FINE};
    CHECK(run_all(deeds, 3, 1, (double)NAN));
    CHECK(!all.failures[1][0] && all.by[1] && all.by[1] != all.by[0] && all.by[1] != all.by[2]);
    check_none_left();
}

TEST(end_of_a_process_of_its_own_is_told) {
    const deed deeds[] = {ALONE, ALONE_FAILS, ALONE_IS_ENDED, FINE}, hangs = ALONE_HANGS;
    CHECK(run_all(deeds, 4, 1, (double)NAN));
    CHECK(!all.failures[0][0] && !all.failures[3][0]);
    CHECK(strcmp(all.failures[1], "exit code 5") == 0);
    CHECK(strcmp(all.failures[2], "killed by signal 15 (Terminated)") == 0);
    CHECK(run_all(&hangs, 1, 1, 0.2));
    CHECK(strcmp(all.failures[0], "killed after 0.2 s (--timeout)") == 0);
    check_none_left();
}

/* ulimit -t is a limit of a process: shared by many tasks it would end the wrong one. */
TEST(nobody_stays_where_the_time_of_a_process_is_limited) {
    struct rlimit before, limit;
    CHECK(getrlimit(RLIMIT_CPU, &before) == 0 && processes_may_stay());
    limit = (struct rlimit){1000, before.rlim_max};
    CHECK(setrlimit(RLIMIT_CPU, &limit) == 0 && !processes_may_stay());
    CHECK(run_all(NULL, 4, 1, (double)NAN));
    CHECK(setrlimit(RLIMIT_CPU, &before) == 0);
    for (size_t k = 1; k < 4; k++) CHECK(all.by[k] && all.by[k] != all.by[k - 1]);
    check_none_left();
}
