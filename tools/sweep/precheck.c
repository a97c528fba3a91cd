/*
 * Whether the runs of a sweep could begin. Processes that stay look at what must be looked at
 * (precheck_parts.h), so that a crash of a simulator's reader is a sentence, too; what they say
 * goes through files in memory.
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
#include "run/run_shared.h"
#include "sweep/precheck_parts.h"
#include "sweep/processes.h"

/* Runs a process looks at, and how many that cannot begin are enough to stop. */
enum { stretch = 50, enough = 100, most_told = 20 };

typedef struct check {
    const sweep_runner *r;
    signed char *shares; /* of each project: runs may share a process; -1: not looked at so far */
    bool whole;          /* every run as a whole, since parts do not tell */
    part_cases cases;
    int *said;          /* of each stretch: a file in memory; -1: none */
    size_t refused;     /* looks */
    bool depends;       /* parts do not tell */
    bool unchecked;     /* a stretch could not be looked at, which was told */
    run_shared *shared; /* in a child */
} check;

static bool may_share(check *c, size_t task) {
    const sweep_plan *plan = c->r->store->plan;
    const size_t run = c->r->todo[task];
    signed char *shares = &c->shares[sweep_plan_project_index(plan, run)];
    if (*shares < 0) {
        char *path = sweep_run_project(c->r, run);
        *shares = run_may_share(plan->engine, path, plan->untrusted);
        free(path);
    }
    return *shares;
}

static bool splits(void *user, size_t task) {
    check *c = user;
    return !c->whole && may_share(c, task);
}

/* ---- in the child ---- */

/* Controllers of others are asked once a project: starting them takes time, and only they know
 * their options. */
static bool is_asked(const sweep_runner *r, size_t task) {
    const sweep_plan *plan = r->store->plan;
    return task == 0 || sweep_plan_project_index(plan, r->todo[task - 1]) !=
                            sweep_plan_project_index(plan, r->todo[task]);
}

/* As `stiction run` begins. */
static bool check_run(const sweep_runner *r, size_t task, const char *path, const text_list *set) {
    static const char *const nobody[] = {"none"};
    const bool others = settings_has_other_controllers(path, r->store->plan->untrusted),
               without = others && !is_asked(r, task);
    text_list some = {NULL, 0};
    for (size_t k = 0; k < set->count; k++)
        if (!without || !settings_is_option(r->store->plan->parameters[k].key))
            text_list_add(&some, set->items[k]);
    settings s;
    bool fine = (others ? settings_read_any : settings_read)(&s, &some);
    if (without) {
        s.simulation.specifications = nobody;
        s.simulation.specification_count = 1;
    }
    s.simulation.world.untrusted = r->store->plan->untrusted;
    fine = fine && run_find_checker(r->store->plan->engine)(path, &s);
    settings_free(&s);
    free((void *)some.items);
    return fine;
}

/* Before what is said of a part of a run, behind it where that was against it, and where it does
 * not tell. */
static const char begins = 1, refuses = 2, tells_nothing = 3;

static bool look_at(check *c, size_t task, unsigned part, const run_job *job, settings_part asked) {
    bool depends;
    fprintf(stderr, "%c%zu %u\n", begins, task, part);
    const bool fine = run_check_shared(c->shared, job, asked, &depends);
    if (depends) fprintf(stderr, "%c\n", tells_nothing);
    if (!fine) fprintf(stderr, "%c\n", refuses);
    return fine && !depends;
}

/* The world by itself, each part with it, and where it is a new world all of them together. */
static void look_at_parts(check *c, const part_look *l, const run_job *job) {
    const bool is_new = l->wanted >> SETTINGS_WORLD & 1;
    if (is_new && !look_at(c, l->task, SETTINGS_WORLD, job, SETTINGS_WORLD)) return;
    bool fine = true;
    for (unsigned part = SETTINGS_WORLD + 1; part < SETTINGS_PART_COUNT; part++)
        if (is_new || (l->wanted >> part & 1))
            fine = look_at(c, l->task, part, job, (settings_part)part) && fine;
    if (is_new && fine) (void)look_at(c, l->task, SETTINGS_WORLD, job, SETTINGS_PART_COUNT);
}

static void look(check *c, const part_look *l) {
    char *path = sweep_run_project(c->r, c->r->todo[l->task]);
    text_list set = sweep_run_settings(c->r, c->r->todo[l->task]);
    const run_job job = {
        .project_path = path, .untrusted = c->r->store->plan->untrusted, .set = &set};
    if (!c->shared) c->shared = run_shared_create();
    if (!(l->wanted >> PART_ALL & 1)) {
        look_at_parts(c, l, &job);
    } else if (c->shares[sweep_plan_project_index(c->r->store->plan, c->r->todo[l->task])] > 0) {
        (void)look_at(c, l->task, PART_ALL, &job, SETTINGS_PART_COUNT);
    } else {
        fprintf(stderr, "%c%zu %u\n", begins, l->task, (unsigned)PART_ALL);
        if (!check_run(c->r, l->task, path, &set)) fprintf(stderr, "%c\n", refuses);
    }
    sweep_free_settings(&set);
    free(path);
}

static size_t last_of(const check *c, size_t stretch_number) {
    const size_t last = (stretch_number + 1) * stretch;
    return last < c->cases.look_count ? last : c->cases.look_count;
}

static int check_stretch(void *user, size_t number) {
    check *c = user;
    for (size_t k = number * stretch; k < last_of(c, number); k++) look(c, &c->cases.looks[k]);
    return 0;
}

static process_verdict serve_stretch(void *user, size_t number, const char *order, int answer,
                                     int *code) {
    const check *c = user;
    (void)order, (void)answer;
    *code = check_stretch(user, number);
    return run_shared_is_spent(c->shared) ? PROCESS_LEAVES : PROCESS_STAYS;
}

/* ---- in the parent ---- */

/* Code of others gets a process that ends. */
static bool is_shared(check *c, size_t number) {
    bool all = true;
    for (size_t k = number * stretch; k < last_of(c, number); k++)
        all = may_share(c, c->cases.looks[k].task) && all;
    return all;
}

static bool prepare_stretch(void *user, size_t number, process_task *t) {
    check *c = user;
    c->said[number] = memfd_create("stiction", MFD_CLOEXEC);
    t->messages = c->said[number] < 0 ? -1 : fcntl(c->said[number], F_DUPFD_CLOEXEC, 0);
    if (t->messages >= 0) {
        if (is_shared(c, number)) t->order = copy_text("");
        return true;
    }
    (void)complain("cannot check the runs: %s", strerror(errno));
    c->unchecked = true;
    if (c->said[number] >= 0) (void)close(c->said[number]);
    return false;
}

static void refuse(check *c, size_t task, unsigned part, const char *sentence) {
    /* one whose world is refused says nothing more */
    const part_case *known = part_cases_refusal(&c->cases, task);
    c->refused += !known || known->part != SETTINGS_WORLD;
    part_cases_refuse(&c->cases, task, part, sentence);
}

static const char *without_name(const char *line) {
    static const char name[] = "stiction: ";
    return strncmp(line, name, sizeof name - 1) == 0 ? line + sizeof name - 1 : line;
}

/* Reads what a child said; a child that crashed did so where it had begun last. */
static void read_stretch(check *c, FILE *said, const char *failure) {
    char *line = NULL, *sentence = copy_text("");
    size_t size = 0, task = 0;
    unsigned part = PART_ALL;
    while (getline(&line, &size, said) >= 0) {
        line[strcspn(line, "\r\n")] = '\0';
        if (*line == begins) {
            (void)sscanf(line + 1, "%zu %u", &task, &part);
            free(sentence);
            sentence = copy_text("");
        } else if (*line == refuses) {
            refuse(c, task, part, sentence);
        } else if (*line == tells_nothing) {
            c->depends = true;
        } else if (strncmp(line, "warning: ", 9) != 0) {
            free(sentence);
            sentence = copy_text(without_name(line));
        }
    }
    if (!feof(said)) (void)must_have(NULL); /* a file in memory ends early for no other reason */
    /* what it said says more than its exit code */
    const bool last_words = failure && *sentence && strncmp(failure, "exit code ", 10) == 0;
    if (failure) refuse(c, task, part, last_words ? sentence : failure);
    free(sentence);
    free(line);
}

static bool finish_stretch(void *user, size_t number, const char *failure) {
    check *c = user;
    const size_t before = c->refused;
    FILE *said = must_have(fdopen(c->said[number], "r"));
    rewind(said);
    read_stretch(c, said, failure);
    (void)fclose(said);
    c->said[number] = -1;
    return c->refused == before;
}

static void abandon_stretch(void *user, size_t number) {
    check *c = user;
    (void)close(c->said[number]);
    c->said[number] = -1;
}

static bool is_enough(void *user) {
    const check *c = user;
    return c->refused >= enough && !c->r->some_may_fail;
}

/* How many runs cannot begin. */
static size_t count_refused(const check *c) {
    size_t runs = 0;
    for (size_t task = 0; task < c->r->todo_count; task++)
        runs += part_cases_refusal(&c->cases, task) != NULL;
    return runs;
}

/* ---- what it comes to ---- */

/* The first case of a sentence. */
static bool is_told(const part_cases *p, size_t number) {
    for (size_t k = 0; k < number; k++)
        if (p->cases[k].refusal && p->cases[k].part == p->cases[number].part &&
            strcmp(p->cases[k].refusal, p->cases[number].refusal) == 0)
            return true;
    return false;
}

static void tell_case(const check *c, const part_case *of) {
    part_blame b = part_cases_blame(&c->cases, of->part, of->refusal);
    char *more = b.count > 1 ? format_text(" and %zu more", b.count - 1) : copy_text("");
    const size_t run = c->r->todo[b.first] + 1;
    /* where another reason hides it, it is told when that is mended */
    if (b.count && b.at.path)
        tell_line("%s:%d:%d: %s: run %zu%s cannot begin: %s", b.at.path, b.at.line, b.at.column,
                  b.what, run, more, of->refusal);
    else if (b.count)
        (void)complain("%s: run %zu%s cannot begin: %s", b.what, run, more, of->refusal);
    free(more);
    free(b.what);
}

static void tell(const check *c, bool all) {
    size_t reasons = 0;
    for (size_t k = 0; k < c->cases.case_count; k++)
        if (c->cases.cases[k].refusal && !is_told(&c->cases, k) && reasons++ < most_told)
            tell_case(c, &c->cases.cases[k]);
    if (reasons > most_told) (void)complain("and there are %zu more reasons", reasons - most_told);
    (void)complain("%s%zu of %zu runs cannot begin, so none was started; --keep-going starts the "
                   "others",
                   all ? "" : "at least ", count_refused(c), c->r->todo_count);
}

/* False: some cannot begin, or were not looked at, which was told. */
static bool check_all(check *c) {
    c->cases = part_cases_find(c->r, splits, c);
    const size_t count = (c->cases.look_count + stretch - 1) / stretch;
    c->said = allocate(count, sizeof *c->said);
    const processes p = {.what = "checking",
                         .task_count = count,
                         .at_once = c->r->at_once < count ? c->r->at_once : count,
                         .time_limit = (double)NAN,
                         .user = c,
                         .prepare = prepare_stretch,
                         .run = check_stretch,
                         .serve = serve_stretch,
                         .finish = finish_stretch,
                         .abandon = abandon_stretch,
                         .is_hopeless = is_enough};
    const bool all = processes_run(&p);
    if (all && c->r->some_may_fail && count_refused(c) < c->r->todo_count) c->refused = 0;
    if (c->refused)
        tell(c, all);
    else if (!all)
        (void)complain("stopped before the first run");
    free(c->said);
    part_cases_free(&c->cases);
    return all && !c->refused && !c->unchecked;
}

bool sweep_precheck(const sweep_runner *r) {
    if (!r->todo_count) return true;
    const size_t projects = r->store->plan->project_count;
    check c = {.r = r, .shares = allocate(projects, sizeof *c.shares)};
    memset(c.shares, -1, projects);
    bool fine = check_all(&c);
    if (fine && c.depends) {
        c.whole = true;
        fine = check_all(&c);
    }
    free(c.shares);
    return fine;
}
