/* SPDX-License-Identifier: MIT
 * Child processes: one does task after task until it leaves, crashes or takes too long, and only
 * the task at hand is lost with it.
 */
#include "sweep/processes.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

enum { most = 2100 };

/* What a task does in its child. */
typedef enum deed { FINE, FAILS, LEAVES, CRASHES, EXITS, HANGS, LARGE, UNPREPARED } deed;

typedef struct seen {
    deed deeds[most];
    pid_t by[most]; /* which process did it; 0: unknown */
    char failures[most][100];
    size_t order[most], ended, abandoned;
    bool stop_at_failure;
} seen;

static seen all;

static char *prepare(void *user, size_t task) {
    const seen *s = user;
    if (s->deeds[task] == UNPREPARED) return NULL;
    char *order = malloc(40);
    (void)snprintf(order, 40, "task %zu", task);
    return order;
}

static json_t *serve(void *user, size_t task, const char *order, bool *leaves) {
    const seen *s = user;
    char expected[40];
    stiction_error error = {.status = STICTION_OK};
    (void)snprintf(expected, sizeof expected, "task %zu", task);
    if (strcmp(order, expected) != 0) _exit(99);
    if (s->deeds[task] == FAILS)
        error = (stiction_error){STICTION_INVALID_CONFIG, 3, 4, "a.yaml", "it fell"};
    if (s->deeds[task] == CRASHES) {
        (void)signal(SIGSEGV, SIG_DFL); /* sanitizers catch it */
        (void)raise(SIGSEGV);
    }
    if (s->deeds[task] == EXITS) _exit(3);
    while (s->deeds[task] == HANGS) (void)pause();
    if (s->deeds[task] == LEAVES) *leaves = true;
    json_t *answer = process_answer(&error);
    (void)json_object_set_new(answer, "by", json_integer(getpid()));
    if (s->deeds[task] == LARGE) {
        static char text[1000001];
        memset(text, 'x', sizeof text - 1);
        (void)json_object_set_new(answer, "large", json_string(text));
    }
    return answer;
}

static bool finish(void *user, size_t task, const json_t *answer, const char *end) {
    seen *s = user;
    stiction_error error = {.message = ""};
    if (!end && !process_succeeded(answer, &error))
        (void)snprintf(s->failures[task], sizeof s->failures[task], "%.20s:%d:%d: %.20s",
                       error.path, error.line, error.column, error.message);
    if (end) (void)snprintf(s->failures[task], sizeof s->failures[task], "%s", end);
    if (s->deeds[task] == LARGE && json_string_length(json_object_get(answer, "large")) != 1000000)
        FAIL("the answer of task %zu is cut", task);
    s->by[task] = (pid_t)json_integer_value(json_object_get(answer, "by"));
    s->order[s->ended++] = task;
    return !s->failures[task][0];
}

static void abandon(void *user, size_t task) {
    seen *s = user;
    (void)task;
    s->abandoned++;
}

static bool is_over(void *user) {
    const seen *s = user;
    for (size_t k = 0; s->stop_at_failure && k < s->ended; k++)
        if (s->failures[s->order[k]][0]) return true;
    return false;
}

static bool run_all(const deed *deeds, size_t count, size_t at_once, double time_limit, bool stop) {
    memset(&all, 0, sizeof all);
    for (size_t k = 0; k < count; k++) all.deeds[k] = deeds ? deeds[k] : FINE;
    all.stop_at_failure = stop;
    const processes p = {.what = "test",
                         .task_count = count,
                         .at_once = at_once,
                         .time_limit = time_limit,
                         .user = &all,
                         .prepare = prepare,
                         .serve = serve,
                         .finish = finish,
                         .abandon = abandon,
                         .is_over = is_over};
    const bool whole = processes_run(&p);
    CHECK(waitpid(-1, NULL, WNOHANG) < 0); /* no child is left */
    return whole;
}

TEST(one_process_does_all) {
    CHECK(run_all(NULL, 20, 1, (double)NAN, false));
    for (size_t k = 0; k < 20; k++)
        CHECK(all.by[k] == all.by[0] && all.by[k] && !all.failures[k][0] && all.order[k] == k);
}

TEST(several_share_the_tasks) {
    CHECK(run_all(NULL, 200, 3, (double)NAN, false) && all.ended == 200);
    size_t different = 0;
    for (size_t k = 0; k < 200; k++) {
        size_t before = 0;
        while (before < k && all.by[before] != all.by[k]) before++;
        different += before == k;
    }
    CHECK(different >= 1 && different <= 3);
}

/* Of four tasks the second hangs and is killed; on a busy machine the limit may be too short for
 * the others, and is doubled. */
static const char *run_with_one_that_hangs(const deed *deeds) {
    static char expected[100];
    for (double limit = 0.2; limit < 1000; limit *= 2) {
        CHECK(run_all(deeds, 4, 1, limit, false));
        (void)snprintf(expected, sizeof expected, "killed after %g s (--timeout)", limit);
        if (!all.failures[0][0] && !all.failures[2][0] && !all.failures[3][0]) break;
    }
    return expected;
}

TEST(another_process_takes_the_place_of_one_that_ends) {
    const struct {
        deed deed;
        const char *failure;
        bool same; /* the next task is done by the same process */
    } cases[] = {{FINE, "", true},
                 {LARGE, "", true},
                 {FAILS, "a.yaml:3:4: it fell", true},
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
            CHECK(run_all(deeds, 4, 1, (double)NAN, false));
        if (strcmp(all.failures[1], failure) != 0)
            FAIL("deed %zu: '%s' instead of '%s'", k, all.failures[1], failure);
        CHECK(!all.failures[0][0] && !all.failures[2][0] && !all.failures[3][0]);
        CHECK(all.by[2] == all.by[3] && (all.by[0] == all.by[2]) == cases[k].same);
    }
}

TEST(task_that_cannot_be_prepared_fails_and_the_next_does_not) {
    const deed deeds[] = {FINE, UNPREPARED, FINE};
    CHECK(run_all(deeds, 3, 1, (double)NAN, false) && all.ended == 2);
    CHECK(all.by[0] == all.by[2]);
}

TEST(task_without_a_process_fails_and_the_next_does_not) {
    struct rlimit before, limit;
    const deed deeds[] = {FINE, FINE};
    CHECK(getrlimit(RLIMIT_NOFILE, &before) == 0);
    limit = (struct rlimit){3, before.rlim_max}; /* no descriptor is left for a socket */
    CHECK(setrlimit(RLIMIT_NOFILE, &limit) == 0);
    const bool whole = run_all(deeds, 2, 1, (double)NAN, false);
    CHECK(setrlimit(RLIMIT_NOFILE, &before) == 0 && whole && all.ended == 2);
    CHECK_CONTAINS(all.failures[0], "no process could be started: Too many open files");
}

TEST(process_is_renewed_after_a_thousand_tasks) {
    CHECK(run_all(NULL, 2050, 1, (double)NAN, false));
    CHECK(all.by[999] == all.by[0] && all.by[1000] != all.by[0]);
    CHECK(all.by[1999] == all.by[1000] && all.by[2000] != all.by[1000]);
}

TEST(tasks_in_progress_are_abandoned_at_the_end) {
    const deed deeds[] = {HANGS, FAILS, FINE, FINE, FINE, FINE};
    CHECK(!run_all(deeds, 6, 2, (double)NAN, true));
    CHECK(all.ended >= 1 && all.ended < 6 && all.failures[1][0] && all.abandoned >= 1);
}

/* ulimit -t is a limit of a process: shared by many tasks it would end the wrong one. */
TEST(each_process_does_one_task_where_its_time_is_limited) {
    struct rlimit before, limit;
    CHECK(getrlimit(RLIMIT_CPU, &before) == 0);
    limit = (struct rlimit){1000, before.rlim_max};
    CHECK(setrlimit(RLIMIT_CPU, &limit) == 0);
    CHECK(run_all(NULL, 4, 1, (double)NAN, false));
    CHECK(setrlimit(RLIMIT_CPU, &before) == 0);
    for (size_t k = 1; k < 4; k++) CHECK(all.by[k] && all.by[k] != all.by[k - 1]);
}
