/* SPDX-License-Identifier: MIT
 * Whether the runs of a sweep can start. What can go wrong depends on parts of the settings
 * (simulation_part): runs that have the same project and the same values of all keys of a part
 * share a case of it, and each case is checked once, in child processes.
 */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "document/error_list.h"
#include "document/file.h"
#include "run/project_traits.h"
#include "run/run.h"
#include "run/run_shared.h"
#include "sweep/inputs.h"
#include "sweep/processes.h"
#include "sweep/sweep_file.h"
#include "json/json_out.h"

/* After the parts of settings: the run as a whole, with the values of all keys. */
enum { PART_ALL = SIMULATION_PART_COUNT, PART_COUNT };

/* How many refusals are enough to stop, and how many reasons are reported. */
enum { enough = 100, most_reported = 20 };

typedef struct check {
    const sweep_runner *r;
    sweep_inputs *inputs;
    bool *shares; /* of each project: run_may_share */
    uint32_t
        *first[PART_COUNT]; /* of each run of todo: the first run with the same case, or none */
    stiction_error **refusals[PART_COUNT]; /* of these; NULL: none */
    size_t *cases;                         /* runs of todo that are the first of a case */
    size_t case_count, refused;
    bool depends;         /* the parts must be checked together */
    run_shared *shared;   /* in a child */
    json_t *files, *sent; /* in a child: files of this answer, and those of all before */
} check;

static const uint32_t none = UINT32_MAX;

/* ---- cases ---- */

typedef struct hashed {
    uint64_t hash;
    uint32_t task;
} hashed;

static int by_hash(const void *a, const void *b) {
    const hashed *x = a, *y = b;
    if (x->hash != y->hash) return x->hash < y->hash ? -1 : 1;
    return x->task < y->task ? -1 : x->task > y->task;
}

static uint64_t mix(uint64_t hash, const char *text) { /* FNV-1a */
    do hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    while (*text++);
    return hash;
}

/* Whether a key counts for a part: those of the world count for all. */
static bool counts(const sweep_plan *plan, size_t parameter, unsigned part) {
    const simulation_part of = override_part(plan->parameters[parameter].key);
    return part == PART_ALL || of == SIMULATION_WORLD || (unsigned)of == part;
}

static bool shares(const check *c, size_t task) {
    return c->shares[sweep_plan_project_index(c->r->store->plan, c->r->todo[task])];
}

static void find_cases(check *c, unsigned part, bool whole) {
    const sweep_plan *plan = c->r->store->plan;
    const size_t count = c->r->todo_count;
    hashed *list = allocate(count, sizeof *list);
    size_t n = 0;
    for (size_t task = 0; task < count; task++) {
        const size_t run = c->r->todo[task];
        c->first[part][task] = none;
        if ((part == PART_ALL) != (whole || !shares(c, task))) continue;
        uint64_t hash = mix(UINT64_C(0xcbf29ce484222325), sweep_plan_project(plan, run));
        for (size_t k = 0; k < plan->parameter_count; k++)
            if (counts(plan, k, part)) hash = mix(hash, sweep_plan_value(plan, run, k));
        list[n++] = (hashed){hash, (uint32_t)task};
    }
    qsort(list, n, sizeof *list, by_hash);
    for (size_t k = 0; k < n; k++)
        c->first[part][list[k].task] =
            k && list[k].hash == list[k - 1].hash ? c->first[part][list[k - 1].task] : list[k].task;
    free(list);
}

static bool is_first(const check *c, size_t task, unsigned part) {
    return c->first[part][task] == task;
}

/* Why a run cannot start; NULL: it can. */
static const stiction_error *refusal_of(const check *c, size_t task, unsigned *part) {
    for (*part = 0; *part < PART_COUNT; ++*part) {
        const uint32_t first = c->first[*part][task];
        if (first != none && c->refusals[*part][first]) return c->refusals[*part][first];
    }
    return NULL;
}

static void refuse(check *c, size_t task, unsigned part, const stiction_error *error) {
    if (c->first[part][task] == none) part = c->first[PART_ALL][task] == none ? 0 : PART_ALL;
    stiction_error **of = &c->refusals[part][c->first[part][task]];
    if (*of) return;
    *of = allocate(1, sizeof **of);
    **of = *error;
    c->refused++;
}

/* ---- in a child ---- */

typedef struct check_call {
    check *c;
    const run_job *job;
    bool shared, asks_controllers;
} check_call;

/* Controllers of others are asked once for each project: starting them takes time. */
static bool check_alone(const check_call *call, stiction_error *error) {
    static const char *const nobody[] = {"none"};
    const run_job *job = call->job;
    overrides o;
    const bool any = project_has_other_controllers(job->project_path, job->untrusted);
    bool fine = overrides_read(&o, job->set->items, job->set->count, any, error);
    o.simulation.world.untrusted = job->untrusted;
    if (any && !call->asks_controllers) {
        o.simulation.specifications = nobody;
        o.simulation.specification_count = 1;
        o.simulation.controller_count = 0;
    }
    fine = fine && run_find_checker(call->c->r->store->plan->engine)(job->project_path, &o, error);
    overrides_free(&o);
    return fine;
}

/* Returns whether the part is fine; else the answer gets a refusal. */
static bool check_part(check_call call, json_t *answer, unsigned part, simulation_part asked) {
    stiction_error error = {.status = STICTION_OK};
    bool depends = false;
    const bool fine = call.shared
                          ? run_check_shared(call.c->shared, call.job, asked, &depends, &error)
                          : check_alone(&call, &error);
    if (depends) (void)json_out_set(answer, "depends", json_true());
    if (fine) return !depends;
    json_t *refusal = process_answer(&error);
    (void)json_out_set(refusal, "part", json_integer(part));
    (void)json_array_append_new(json_object_get(answer, "refusals"), refusal);
    return false;
}

/* The world alone, each part with it and, for a new world, all of them together. */
static void check_parts(check_call call, json_t *answer, size_t task) {
    const check *c = call.c;
    const bool is_new = is_first(c, task, SIMULATION_WORLD);
    if (is_new && !check_part(call, answer, SIMULATION_WORLD, SIMULATION_WORLD)) return;
    bool fine = true;
    for (unsigned part = SIMULATION_WORLD + 1; part < SIMULATION_PART_COUNT; part++)
        if (is_new || is_first(c, task, part))
            fine = check_part(call, answer, part, (simulation_part)part) && fine;
    if (is_new && fine) (void)check_part(call, answer, SIMULATION_WORLD, SIMULATION_PART_COUNT);
}

static void note_file(void *user, const char *path) {
    const check *c = user;
    if (json_object_get(c->sent, path)) return;
    (void)json_object_set_new(c->sent, path, json_true());
    (void)json_array_append_new(c->files, json_out_text(path));
}

static bool is_asked(const sweep_runner *r, size_t task) {
    const sweep_plan *plan = r->store->plan;
    return task == 0 || sweep_plan_project_index(plan, r->todo[task - 1]) !=
                            sweep_plan_project_index(plan, r->todo[task]);
}

static json_t *serve_check(void *user, size_t number, const char *order, bool *leaves) {
    check *c = user;
    const size_t task = c->cases[number], run = c->r->todo[task];
    const stiction_error fine = {.status = STICTION_OK};
    json_t *answer = process_answer(&fine);
    char *path = sweep_run_project(c->r, run);
    text_list set = sweep_run_settings(c->r, run);
    const run_job job = {
        .project_path = path, .untrusted = c->r->store->plan->untrusted, .set = &set};
    const check_call call = {
        .c = c, .job = &job, .shared = shares(c, task), .asks_controllers = is_asked(c->r, task)};
    (void)order;
    (void)json_out_set(answer, "refusals", json_array());
    if (!c->shared) c->shared = run_shared_create();
    if (!c->sent) c->sent = json_object();
    c->files = json_array();
    stiction_file_watch(note_file, c);
    if (c->first[PART_ALL][task] == none)
        check_parts(call, answer, task);
    else
        (void)check_part(call, answer, PART_ALL, SIMULATION_PART_COUNT);
    stiction_file_watch(NULL, NULL);
    (void)json_out_set(answer, "files", c->files);
    *leaves = *leaves || !shares(c, task) || run_shared_is_spent(c->shared);
    text_list_free(&set);
    free(path);
    return answer;
}

/* ---- in the parent ---- */

static bool finish_check(void *user, size_t number, const json_t *answer, const char *end) {
    check *c = user;
    stiction_error error;
    const size_t before = c->refused, task = c->cases[number];
    const json_t *refusal, *file;
    size_t k;
    json_array_foreach(json_object_get(answer, "refusals"), k, refusal) {
        (void)process_succeeded(refusal, &error);
        refuse(c, task, (unsigned)json_integer_value(json_object_get(refusal, "part")), &error);
    }
    json_array_foreach(json_object_get(answer, "files"), k, file)
        sweep_inputs_add(c->inputs, json_string_value(file));
    c->depends = c->depends || json_is_true(json_object_get(answer, "depends"));
    if (end) {
        (void)fail(&error, "the check ended: %s", end);
        refuse(c, task, PART_ALL, &error);
    }
    return c->refused == before;
}

static bool is_over(void *user) {
    const check *c = user;
    return c->refused >= enough && !c->r->some_may_fail && !c->r->keep_going;
}

/* ---- reasons ---- */

static bool is_same_error(const stiction_error *a, const stiction_error *b) {
    return a->line == b->line && a->column == b->column && strcmp(a->path, b->path) == 0 &&
           strcmp(a->message, b->message) == 0;
}

/* Runs that were refused for the same reason. */
typedef struct reason {
    const check *c;
    unsigned part;
    const stiction_error *error;
    size_t first, count; /* of todo */
} reason;

static bool has_reason(const reason *of, size_t task) {
    unsigned part;
    const stiction_error *error = refusal_of(of->c, task, &part);
    return error && part == of->part && is_same_error(error, of->error);
}

/* How well the value of a key explains the refusals: 2: exactly those runs have it; 1: all of them
 * have it, and others have another; 0: not. */
static int blame_of(const reason *of, size_t parameter) {
    const sweep_runner *r = of->c->r;
    const sweep_plan *plan = r->store->plan;
    const char *value = sweep_plan_value(plan, r->todo[of->first], parameter);
    const size_t of_project = sweep_plan_project_index(plan, r->todo[of->first]);
    bool varies = false, alone = true;
    for (size_t task = 0; task < r->todo_count; task++) {
        const size_t run = r->todo[task];
        unsigned part;
        if (sweep_plan_project_index(plan, run) != of_project) continue;
        const bool same = strcmp(sweep_plan_value(plan, run, parameter), value) == 0;
        varies = varies || !same;
        if (!same && has_reason(of, task)) return 0;
        if (same && !refusal_of(of->c, task, &part)) alone = false;
    }
    return !varies ? 0 : alone ? 2 : 1;
}

static void add_reason(const reason *of, stiction_errors *errors) {
    const sweep_runner *r = of->c->r;
    const sweep_plan *plan = r->store->plan;
    const size_t run = r->todo[of->first];
    size_t best = plan->parameter_count;
    int most = 0;
    for (size_t k = 0; k < plan->parameter_count; k++) {
        const int blame = counts(plan, k, of->part) ? blame_of(of, k) : 0;
        if (blame > most) best = k;
        if (blame > most) most = blame;
    }
    const bool is_key = best < plan->parameter_count;
    const stiction_place at =
        is_key ? sweep_plan_place(plan, run, best) : sweep_plan_project_place(plan, run);
    char *what =
        is_key ? format_text("%s=%s", plan->parameters[best].key, sweep_plan_value(plan, run, best))
               : format_text("project %s", sweep_plan_project(plan, run));
    char *more = of->count > 1 ? format_text(" and %zu more", of->count - 1) : copy_text("");
    char *text = sweep_error_text(of->error);
    stiction_error error;
    (void)stiction_fail_at(&error, of->error->status, at, "%s: run %zu%s cannot begin: %s", what,
                           run + 1, more, text);
    stiction_errors_add_error(errors, &error);
    free(text);
    free(more);
    free(what);
}

static void add_reasons(const check *c, bool all, stiction_errors *errors) {
    size_t refused = 0, reasons = 0;
    bool *seen = allocate(c->r->todo_count, sizeof *seen);
    for (size_t task = 0; task < c->r->todo_count; task++) {
        reason of = {.c = c, .first = task};
        of.error = refusal_of(c, task, &of.part);
        refused += of.error != NULL;
        if (!of.error || seen[task]) continue;
        for (size_t k = task; k < c->r->todo_count; k++)
            if (!seen[k] && has_reason(&of, k)) seen[k] = ++of.count;
        if (reasons++ < most_reported) add_reason(&of, errors);
    }
    free(seen);
    stiction_error error;
    if (reasons > most_reported) {
        (void)fail(&error, "and there are %zu more reasons", reasons - most_reported);
        stiction_errors_add_error(errors, &error);
    }
    (void)fail(&error,
               "%s%zu of %zu runs cannot begin, so none was started; --keep-going starts the "
               "others",
               all ? "" : "at least ", refused, c->r->todo_count);
    stiction_errors_add_error(errors, &error);
}

/* ---- all of it ---- */

static size_t count_refused(const check *c) {
    size_t count = 0;
    unsigned part;
    for (size_t task = 0; task < c->r->todo_count; task++)
        count += refusal_of(c, task, &part) != NULL;
    return count;
}

/* `whole`: every run as a whole, since its parts depend on each other. */
static bool check_all(check *c, bool whole, stiction_errors *errors) {
    c->case_count = 0;
    for (unsigned part = 0; part < PART_COUNT; part++) find_cases(c, part, whole);
    for (size_t task = 0; task < c->r->todo_count; task++) {
        bool wanted = false;
        for (unsigned part = 0; part < PART_COUNT; part++)
            wanted = wanted || is_first(c, task, part);
        if (wanted) c->cases[c->case_count++] = task;
    }
    const processes p = {.what = "checking",
                         .task_count = c->case_count,
                         .at_once = c->r->at_once < c->case_count ? c->r->at_once : c->case_count,
                         .time_limit = (double)NAN,
                         .user = c,
                         .serve = serve_check,
                         .finish = finish_check,
                         .is_over = is_over};
    const bool all = processes_run(&p);
    if (c->r->keep_going) return all || !run_interrupted();
    if (all && c->r->some_may_fail && count_refused(c) < c->r->todo_count) return true;
    if (c->refused) {
        add_reasons(c, all, errors);
    } else if (!all) {
        stiction_error error;
        (void)fail(&error, "stopped before the first run");
        stiction_errors_add_error(errors, &error);
    }
    return all && !c->refused;
}

bool sweep_precheck(const sweep_runner *r, sweep_inputs *inputs, stiction_errors *errors) {
    if (!r->todo_count) return true;
    const sweep_plan *plan = r->store->plan;
    check c = {.r = r,
               .inputs = inputs,
               .shares = allocate(plan->project_count, sizeof *c.shares),
               .cases = allocate(r->todo_count, sizeof *c.cases)};
    for (size_t k = 0; k < plan->project_count; k++) {
        char *path = sweep_file_beside(r->file, plan->projects[k]);
        c.shares[k] = run_may_share(plan->engine, path, plan->untrusted);
        free(path);
    }
    for (unsigned part = 0; part < PART_COUNT; part++) {
        c.first[part] = allocate(r->todo_count, sizeof *c.first[part]);
        c.refusals[part] = allocate(r->todo_count, sizeof *c.refusals[part]);
    }
    bool fine = check_all(&c, false, errors);
    if (fine && c.depends && !r->keep_going) fine = check_all(&c, true, errors);
    for (unsigned part = 0; part < PART_COUNT; part++) {
        for (size_t k = 0; k < r->todo_count; k++) free(c.refusals[part][k]);
        free(c.refusals[part]);
        free(c.first[part]);
    }
    free(c.shares);
    free(c.cases);
    return fine;
}
