/*
 * Whether the runs of a sweep could begin. A few processes check stretches of them, so that a crash
 * of a simulator's reader is a sentence, too; what they say goes through a file in memory.
 */
#define _GNU_SOURCE /* memfd_create */
#include "sweep/precheck.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "common/command.h"
#include "run/run.h"
#include "sweep/processes.h"

/* Runs a process looks at, and how many that cannot begin are enough to stop. */
enum { stretch = 50, enough = 100, most_told = 20 };

/* A reason, and for which runs. */
typedef struct refusal {
    char *sentence;
    size_t first, count;
} refusal;

typedef struct check {
    const sweep_runner *r;
    int *said; /* of each stretch: a file in memory; -1: none */
    refusal *refusals;
    size_t refusal_count, refused;
    bool unchecked; /* a stretch could not be looked at, which was told */
} check;

/* ---- in the child ---- */

/* Controllers of others are asked once a project: starting them takes time, and only they know
 * their options. */
static bool is_asked(const sweep_runner *r, size_t run) {
    const sweep_plan *plan = r->store->plan;
    return run == r->todo[0] ||
           strcmp(sweep_plan_project(plan, run - 1), sweep_plan_project(plan, run)) != 0;
}

static bool check_run(const sweep_runner *r, size_t run) {
    static const char *const nobody[] = {"none"};
    const sweep_plan *plan = r->store->plan;
    char *path = sweep_run_project(r, run);
    const bool others = settings_has_other_controllers(path), without = others && !is_asked(r, run);
    text_list set = {NULL, 0};
    for (size_t k = 0; k < plan->parameter_count; k++)
        if (!without || !settings_is_option(plan->parameters[k].key))
            text_list_add(&set, sweep_run_setting(r, run, k));
    settings s;
    bool fine = (others ? settings_read_any : settings_read)(&s, &set);
    if (without) {
        s.simulation.specifications = nobody;
        s.simulation.specification_count = 1;
    }
    fine = fine && run_find_checker(plan->engine)(path, &s);
    settings_free(&s);
    for (size_t k = 0; k < set.count; k++) free((char *)set.items[k]);
    free((void *)set.items);
    free(path);
    return fine;
}

static size_t last_of(const sweep_runner *r, size_t task) {
    const size_t last = (task + 1) * stretch;
    return last < r->todo_count ? last : r->todo_count;
}

/* A line "run N" before what is said of it. */
static int check_stretch(void *user, size_t task) {
    const check *c = user;
    for (size_t k = task * stretch; k < last_of(c->r, task); k++) {
        fprintf(stderr, "\x01%zu\n", c->r->todo[k]);
        if (!check_run(c->r, c->r->todo[k])) fputs("\x02\n", stderr);
    }
    return 0;
}

/* ---- in the parent ---- */

static bool prepare_stretch(void *user, size_t task, process_task *t) {
    check *c = user;
    c->said[task] = memfd_create("stiction", MFD_CLOEXEC);
    t->messages = c->said[task] < 0 ? -1 : fcntl(c->said[task], F_DUPFD_CLOEXEC, 0);
    if (t->messages >= 0) return true;
    (void)complain("cannot check the runs: %s", strerror(errno));
    c->unchecked = true;
    if (c->said[task] >= 0) (void)close(c->said[task]);
    return false;
}

static void add_refusal(check *c, size_t run, const char *sentence) {
    size_t k = 0;
    while (k < c->refusal_count && strcmp(c->refusals[k].sentence, sentence) != 0) k++;
    if (k == c->refusal_count) {
        c->refusals = reallocate(c->refusals, ++c->refusal_count, sizeof *c->refusals);
        c->refusals[k] = (refusal){copy_text(sentence), run, 0};
    }
    c->refusals[k].count++;
    c->refused++;
}

static const char *without_name(const char *line) {
    static const char name[] = "stiction: ";
    return strncmp(line, name, sizeof name - 1) == 0 ? line + sizeof name - 1 : line;
}

/* Reads what a child said; a child that crashed did so in its last run. */
static void read_stretch(check *c, FILE *said, const char *failure) {
    char *line = NULL, *sentence = copy_text("");
    size_t size = 0, run = 0;
    while (getline(&line, &size, said) >= 0) {
        line[strcspn(line, "\r\n")] = '\0';
        if (*line == 1) {
            (void)sscanf(line + 1, "%zu", &run);
            free(sentence);
            sentence = copy_text("");
        } else if (*line == 2) {
            add_refusal(c, run, sentence);
        } else if (strncmp(line, "warning: ", 9) != 0) {
            free(sentence);
            sentence = copy_text(without_name(line));
        }
    }
    if (!feof(said)) (void)must_have(NULL); /* a file in memory ends early for no other reason */
    /* what it said says more than its exit code */
    const bool last_words = failure && *sentence && strncmp(failure, "exit code ", 10) == 0;
    if (failure) add_refusal(c, run, last_words ? sentence : failure);
    free(sentence);
    free(line);
}

static bool finish_stretch(void *user, size_t task, const char *failure) {
    check *c = user;
    const size_t before = c->refused;
    FILE *said = must_have(fdopen(c->said[task], "r"));
    rewind(said);
    read_stretch(c, said, failure);
    (void)fclose(said);
    c->said[task] = -1;
    return c->refused == before;
}

static void abandon_stretch(void *user, size_t task) {
    check *c = user;
    (void)close(c->said[task]);
    c->said[task] = -1;
}

static bool is_enough(void *user) {
    const check *c = user;
    return c->refused >= enough;
}

static void tell(const check *c, bool all) {
    for (size_t k = 0; k < c->refusal_count && k < most_told; k++) {
        const refusal *q = &c->refusals[k];
        if (q->count > 1)
            (void)complain("run %zu and %zu more cannot begin: %s", q->first + 1, q->count - 1,
                           q->sentence);
        else
            (void)complain("run %zu cannot begin: %s", q->first + 1, q->sentence);
    }
    if (c->refusal_count > most_told)
        (void)complain("and there are %zu more reasons", c->refusal_count - most_told);
    (void)complain("%s%zu of %zu runs cannot begin, so none was started; --keep-going starts the "
                   "others",
                   all ? "" : "at least ", c->refused, c->r->todo_count);
}

bool sweep_precheck(const sweep_runner *r) {
    if (!r->todo_count) return true;
    const size_t tasks = (r->todo_count + stretch - 1) / stretch;
    check c = {.r = r, .said = allocate(tasks, sizeof *c.said)};
    const processes p = {.what = "checking",
                         .task_count = tasks,
                         .at_once = r->at_once < tasks ? r->at_once : tasks,
                         .time_limit = (double)NAN,
                         .user = &c,
                         .prepare = prepare_stretch,
                         .run = check_stretch,
                         .finish = finish_stretch,
                         .abandon = abandon_stretch,
                         .is_hopeless = is_enough};
    const bool all = processes_run(&p);
    if (c.refused)
        tell(&c, all);
    else if (!all)
        (void)complain("stopped before the first run");
    for (size_t k = 0; k < c.refusal_count; k++) free(c.refusals[k].sentence);
    free(c.refusals);
    free(c.said);
    return all && !c.refused && !c.unchecked;
}
