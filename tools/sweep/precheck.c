/* SPDX-License-Identifier: MIT
 * Whether the runs of a sweep can start: each is checked as a whole, in child processes. That takes
 * a fraction of a millisecond for a wrist and never longer than the start of the run itself.
 */
#include <math.h>
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

/* How many reasons are reported. */
enum { most_reported = 20 };

typedef struct check {
    const sweep_runner *r;
    sweep_inputs *inputs;
    bool *shares;                         /* of each project: run_may_share */
    unsigned char *reasons;               /* of each run of todo, from 1; 0: it can start */
    stiction_error errors[most_reported]; /* of each reason; those beyond share the next number */
    size_t error_count, refused;
    run_shared *shared;   /* in a child */
    json_t *files, *sent; /* in a child: files of this answer, and those of all before */
} check;

static bool shares(const check *c, size_t task) {
    return c->shares[sweep_plan_project_index(c->r->store->plan, c->r->todo[task])];
}

/* As the children send them. */
static bool is_same_error(const stiction_error *a, const stiction_error *b) {
    json_auto_t *one = process_answer(a), *other = process_answer(b);
    return json_equal(one, other);
}

static void refuse(check *c, size_t task, const stiction_error *error) {
    size_t k = 0;
    while (k < c->error_count && !is_same_error(&c->errors[k], error)) k++;
    if (k == c->error_count && k < most_reported) c->errors[c->error_count++] = *error;
    c->reasons[task] = (unsigned char)(k + 1);
    c->refused++;
}

/* ---- in a child ---- */

/* Foreign controllers are started once for each project and controller, since that takes time. */
static bool check_alone(const check *c, const run_job *job, bool asks_controllers,
                        stiction_error *error) {
    static const char *const nobody[] = {"none"};
    AUTO(overrides_free) overrides o;
    const bool any = project_has_other_controllers(job->project_path, job->untrusted);
    bool fine = run_job_overrides(NULL, job, &o, error);
    if ((any || job->controller) && !asks_controllers) {
        o.simulation.specifications = nobody;
        o.simulation.specification_count = 1;
        o.simulation.controller_count = 0;
        o.simulation.targets = NULL;
    }
    fine = fine && run_find_checker(c->r->store->plan->engine)(job->project_path, &o, error);
    return fine;
}

static void note_file(void *user, const char *path) {
    const check *c = user;
    if (json_object_get(c->sent, path)) return;
    (void)json_object_set_new(c->sent, path, json_true());
    (void)json_array_append_new(c->files, json_out_text(path));
}

/* The first run of a project with its controller. */
static bool is_asked(const sweep_runner *r, size_t task) {
    const sweep_plan *plan = r->store->plan;
    if (task == 0) return true;
    const size_t run = r->todo[task], before = r->todo[task - 1];
    bool same = sweep_plan_project_index(plan, before) == sweep_plan_project_index(plan, run);
    for (size_t k = 0; k < plan->parameter_count && same; k++)
        same = strcmp(plan->parameters[k].key, "controller") != 0 ||
               sweep_plan_value(plan, before, k) == sweep_plan_value(plan, run, k);
    return !same;
}

static json_t *serve_check(void *user, size_t task, const char *order, bool *leaves) {
    check *c = user;
    const size_t run = c->r->todo[task];
    stiction_error error = {.status = STICTION_OK};
    AUTO(sweep_job_free) sweep_job made;
    sweep_job_make(&made, c->r, run);
    const bool shared =
        shares(c, task) && (!made.controller || run_controller_is_ours(made.controller));
    (void)order;
    if (!c->shared) c->shared = run_shared_create();
    if (!c->sent) c->sent = json_object();
    c->files = json_array();
    stiction_file_watch(note_file, c);
    if (shared ? run_check_shared(c->shared, &made.job, &error)
               : check_alone(c, &made.job, is_asked(c->r, task), &error))
        error.status = STICTION_OK;
    stiction_file_watch(NULL, NULL);
    json_t *answer = process_answer(&error);
    (void)json_out_set(answer, "files", c->files);
    *leaves = *leaves || !shared || run_shared_is_spent(c->shared);
    return answer;
}

/* ---- in the parent ---- */

static bool finish_check(void *user, size_t task, const json_t *answer, const char *end) {
    check *c = user;
    stiction_error error;
    const json_t *file;
    size_t k;
    bool fine = !end && process_succeeded(answer, &error);
    json_array_foreach(json_object_get(answer, "files"), k, file)
        sweep_inputs_add(c->inputs, json_string_value(file));
    if (end) (void)fail(&error, "the check ended: %s", end);
    if (!fine) refuse(c, task, &error);
    return fine;
}

/* ---- reasons ---- */

/* How well the value of a key explains an error: 2: exactly the runs with this value fail; 1: all
 * failing runs have it, and some others too; 0: it does not. */
static int blame_of(const check *c, size_t first, size_t parameter) {
    const sweep_runner *r = c->r;
    const sweep_plan *plan = r->store->plan;
    const char *value = sweep_plan_value(plan, r->todo[first], parameter);
    const size_t of_project = sweep_plan_project_index(plan, r->todo[first]);
    bool varies = false, alone = true;
    for (size_t task = 0; task < r->todo_count; task++) {
        const size_t run = r->todo[task];
        if (sweep_plan_project_index(plan, run) != of_project) continue;
        const bool same = strcmp(sweep_plan_value(plan, run, parameter), value) == 0;
        varies = varies || !same;
        if (!same && c->reasons[task] == c->reasons[first]) return 0;
        if (same && !c->reasons[task]) alone = false;
    }
    return !varies ? 0 : alone ? 2 : 1;
}

/* `first`: the first of `count` runs that are refused for this reason. */
static void add_reason(const check *c, size_t first, size_t count, stiction_errors *errors) {
    const sweep_plan *plan = c->r->store->plan;
    const stiction_error *why = &c->errors[c->reasons[first] - 1];
    const size_t run = c->r->todo[first];
    size_t best = plan->parameter_count;
    int most = 0;
    for (size_t k = 0; k < plan->parameter_count; k++) {
        const int blame = blame_of(c, first, k);
        if (blame > most) best = k;
        if (blame > most) most = blame;
    }
    const bool is_key = best < plan->parameter_count;
    const stiction_place at =
        is_key ? sweep_plan_place(plan, run, best) : sweep_plan_project_place(plan, run);
    char *what =
        is_key ? format_text("%s=%s", plan->parameters[best].key, sweep_plan_value(plan, run, best))
               : format_text("project %s", sweep_plan_project(plan, run));
    AUTO_FREE char *more = count > 1 ? format_text(" and %zu more", count - 1) : copy_text("");
    AUTO_FREE char *text = sweep_error_text(why);
    stiction_error error;
    (void)stiction_fail_at(&error, why->status, at, "%s: run %zu%s cannot begin: %s", what, run + 1,
                           more, text);
    stiction_errors_add_error(errors, &error);
    free(what);
}

static void add_reasons(const check *c, stiction_errors *errors) {
    size_t counts[most_reported + 2] = {0};
    for (size_t task = 0; task < c->r->todo_count; task++) counts[c->reasons[task]]++;
    for (size_t reason = 1; reason <= c->error_count; reason++) {
        size_t first = 0;
        while (c->reasons[first] != reason) first++;
        add_reason(c, first, counts[reason], errors);
    }
    stiction_error error;
    if (counts[most_reported + 1]) {
        (void)fail(&error, "and %zu runs cannot begin for other reasons",
                   counts[most_reported + 1]);
        stiction_errors_add_error(errors, &error);
    }
    (void)fail(&error,
               "%zu of %zu runs cannot begin, so none was started; --keep-going starts the others",
               c->refused, c->r->todo_count);
    stiction_errors_add_error(errors, &error);
}

/* ---- all of it ---- */

static bool check_all(check *c, stiction_errors *errors) {
    const processes p = {.what = "checking",
                         .task_count = c->r->todo_count,
                         .at_once =
                             c->r->at_once < c->r->todo_count ? c->r->at_once : c->r->todo_count,
                         .time_limit = (double)NAN,
                         .user = c,
                         .serve = serve_check,
                         .finish = finish_check};
    if (!processes_run(&p)) {
        stiction_error error;
        (void)fail(&error, "stopped before the first run");
        stiction_errors_add_error(errors, &error);
        return false;
    }
    const size_t fine = c->r->todo_count - c->refused;
    if (!c->refused || c->r->keep_going || (c->r->some_may_fail && fine)) return true;
    add_reasons(c, errors);
    return false;
}

bool sweep_precheck(const sweep_runner *r, sweep_inputs *inputs, stiction_errors *errors) {
    if (!r->todo_count) return true;
    const sweep_plan *plan = r->store->plan;
    AUTO_FREE check *c = allocate(1, sizeof *c);
    *c = (check){.r = r,
                 .inputs = inputs,
                 .shares = allocate(plan->project_count, sizeof *c->shares),
                 .reasons = allocate(r->todo_count, 1)};
    for (size_t k = 0; k < plan->project_count; k++) {
        AUTO_FREE char *path = sweep_file_beside(r->file, plan->projects[k]);
        c->shares[k] = run_may_share(plan->engine, path, plan->untrusted);
    }
    const bool fine = check_all(c, errors);
    free(c->shares);
    free(c->reasons);
    return fine;
}
