/* SPDX-License-Identifier: MIT
 * A search over the runs of a sweep.
 */
#include "sweep/search.h"

#include <math.h>
#ifdef STICTION_NLOPT
#include <nlopt.h>
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "sweep/goal.h"

/* One point, whose runs are one for each scenario from the first on. */
typedef struct evaluation {
    char **values; /* of every key that is searched */
    double *point; /* of these texts, in the unit cube */
    size_t first_run;
    double value; /* of the goal, NaN: it is bad beyond numbers, or not known yet */
} evaluation;

struct search {
    sweep_runner *r;
    sweep_plan *plan;
    const sweep_goal *goal;
    bool retry;
    evaluation *evaluations;
    size_t count, known; /* of these have been run */
    size_t asked;        /* by the optimiser */
    size_t best;         /* count: none */
    double penalty;      /* finite, above every value so far */
    sweep_verdict verdict;
    bool over; /* no evaluation may follow */
    stiction_error *error;
    size_t *todo;
};

/* ---- points ---- */

static double share_of(const sampling_range *range, const char *text) {
    double value;
    if (!read_number(text, &value)) return 0;
    const double share = range->kind == SAMPLING_LOGUNIFORM
                             ? log(value / range->first) / log(range->second / range->first)
                             : (value - range->first) / (range->second - range->first);
    return fmin(fmax(share, 0), 1);
}

static evaluation make_evaluation(const search *s, const double *point) {
    const size_t count = s->goal->searched_count;
    evaluation e = {.values = allocate(count, sizeof *e.values),
                    .point = allocate(count, sizeof *e.point),
                    .value = (double)NAN};
    for (size_t k = 0; k < count; k++) {
        const sampling_range *range = &s->goal->searched[k].range;
        char text[SAMPLING_TEXT_SIZE];
        double value = fmin(fmax(point[k], 0), 1);
        sampling_values(range, &value, 1);
        sampling_text(value, range, text);
        e.values[k] = copy_text(text);
        e.point[k] = share_of(range, text);
    }
    return e;
}

static void free_evaluation(const search *s, evaluation *e) {
    for (size_t k = 0; k < s->goal->searched_count; k++) free(e->values[k]);
    free(e->values);
    free(e->point);
}

/* NULL: there is none with these values. */
static evaluation *find_evaluation(const search *s, const evaluation *e) {
    for (size_t n = 0; n < s->count; n++) {
        bool same = true;
        for (size_t k = 0; same && k < s->goal->searched_count; k++)
            same = strcmp(s->evaluations[n].values[k], e->values[k]) == 0;
        if (same) return &s->evaluations[n];
    }
    return NULL;
}

/* All keys of a run in a scenario. */
static void fill_values(const search *s, const evaluation *e, size_t scenario,
                        const char **values) {
    for (size_t k = 0; k < s->plan->parameter_count; k++)
        values[k] = s->goal->values[scenario * s->plan->parameter_count + k];
    for (size_t k = 0; k < s->goal->searched_count; k++)
        values[s->goal->searched[k].parameter] = e->values[k];
}

/* Whether the constraints hold in every scenario. */
static bool is_allowed(search *s, const evaluation *e) {
    AUTO_FREE const char **values = allocate(s->plan->parameter_count, sizeof *values);
    bool allowed = true;
    for (size_t n = 0; n < s->goal->scenario_count && allowed; n++) {
        fill_values(s, e, n, values);
        if (!sweep_goal_allows(s->plan, values, &allowed, s->error)) s->over = true;
    }
    return allowed;
}

static void add_evaluation(search *s, evaluation e) {
    AUTO_FREE const char **values = allocate(s->plan->parameter_count, sizeof *values);
    e.first_run = sweep_plan_count(s->plan);
    for (size_t n = 0; n < s->goal->scenario_count; n++) {
        fill_values(s, &e, n, values);
        (void)sweep_plan_append(s->plan, s->goal->projects[n], values);
    }
    s->evaluations = reallocate(s->evaluations, s->count + 1, sizeof *s->evaluations);
    s->evaluations[s->count++] = e;
}

/* ---- running ---- */

/* The runs that the last evaluations need. */
static void choose_todo(search *s) {
    const size_t first = s->evaluations[s->known].first_run, end = sweep_plan_count(s->plan);
    const size_t before = s->r->states->count;
    if (!sweep_states_grow(s->r->states, s->r->store->records, s->error)) s->over = true;
    (void)sweep_states_log_damage(s->r->states, before, SWEEP_NOT_COMPLETE, s->r->log);
    s->todo = reallocate(s->todo, end, sizeof *s->todo);
    s->r->todo = s->todo;
    s->r->todo_count = 0;
    for (size_t run = first; run < end; run++) {
        const sweep_state state = s->r->states->states[run];
        if (state == SWEEP_ABSENT || state == SWEEP_DAMAGED || (s->retry && state == SWEEP_FAILED))
            s->todo[s->r->todo_count++] = run;
    }
}

/* The worst or the mean of all scenarios; NaN if one has no value. */
static double value_of(search *s, const evaluation *e) {
    double all = s->goal->mean ? 0 : -(double)INFINITY;
    for (size_t n = 0; n < s->goal->scenario_count; n++) {
        double value;
        if (s->r->states->states[e->first_run + n] != SWEEP_DONE) return (double)NAN;
        if (!objective_of_run(s->plan, s->r->store->records, e->first_run + n, &value, s->error)) {
            s->over = true;
            return (double)NAN;
        }
        if (s->goal->maximise) value = -value;
        if (!isfinite(value)) return (double)NAN;
        all = s->goal->mean ? all + value / (double)s->goal->scenario_count : fmax(all, value);
    }
    return all;
}

/* "controller.kp=50", with something before each; the caller frees it. */
static char *settings_text(const search *s, const evaluation *e, const char *before) {
    char *text = copy_text("");
    for (size_t k = 0; k < s->goal->searched_count; k++) {
        const char *key = s->plan->parameters[s->goal->searched[k].parameter].key;
        const bool quoted = strpbrk(key, "*?[]") != NULL;
        const char *quote = quoted && *before == '-' ? "'" : "";
        append_text(&text, "%s%s%s%s=%s%s", k ? " " : "", before, quote, key, e->values[k], quote);
    }
    return text;
}

static double shown_value(const search *s, double value) {
    return s->goal->maximise ? -value : value;
}

static void take_values(search *s) {
    for (; s->known < s->count && !s->over; s->known++) {
        evaluation *e = &s->evaluations[s->known];
        e->value = value_of(s, e);
        if (isnan(e->value)) continue;
        s->penalty = fmax(s->penalty, e->value + 9 * fabs(e->value) + 1e-6);
        if (s->best < s->count && !(e->value < s->evaluations[s->best].value)) continue;
        s->best = s->known;
        AUTO_FREE char *settings = settings_text(s, e, "");
        AUTO_FREE char *text =
            format_text("evaluation %zu of %zu: %s = %.6g is the best so far: %s", s->known + 1,
                        s->goal->evaluations, s->goal->text, shown_value(s, e->value), settings);
        s->r->log(NULL, STICTION_LOG_INFO, text);
    }
}

/* The runs of all evaluations that are not known yet. */
static void run_new(search *s) {
    if (s->known == s->count || s->over) return;
    choose_todo(s);
    if (s->over || !sweep_states_adopt(s->r->states, s->r->store, s->error)) {
        s->over = true;
        return;
    }
    s->verdict = sweep_run_all(s->r, s->error);
    if (s->verdict != SWEEP_ALL_RAN) s->over = true;
    if (!s->over) take_values(s);
}

/* ---- the optimiser ---- */

/* The value at a point of the unit cube, which is finite. False: stop. */
static bool evaluate(search *s, const double *point, double *value) {
    enum { patience = 20 }; /* requests for known or forbidden points */
    *value = s->penalty;
    if (s->over || s->asked++ > patience * s->goal->evaluations) return false;
    evaluation e = make_evaluation(s, point);
    evaluation *there = find_evaluation(s, &e);
    if (there || !is_allowed(s, &e)) {
        free_evaluation(s, &e);
        if (there && !isnan(there->value)) *value = there->value;
        return !s->over;
    }
    if (s->count == s->goal->evaluations) {
        free_evaluation(s, &e);
        return false;
    }
    add_evaluation(s, e);
    run_new(s);
    if (s->over) return false;
    const double found = s->evaluations[s->count - 1].value;
    *value = isnan(found) ? s->penalty : found;
    return true;
}

#ifdef STICTION_NLOPT

enum { has_nlopt = true };

typedef struct nlopt_call {
    search *s;
    nlopt_opt opt;
} nlopt_call;

static double value_at(unsigned count, const double *point, double *gradient, void *user) {
    const nlopt_call *c = user;
    double value;
    (void)count, (void)gradient; /* these algorithms need none */
    if (!evaluate(c->s, point, &value)) (void)nlopt_force_stop(c->opt);
    return value;
}

/* From the best point on, which is evaluated again. The result is not used: the search knows the
 * best of all values. It is deterministic, so that a search with stored values repeats its steps.
 */
static void optimise(search *s, nlopt_algorithm algorithm, double step, size_t evaluations) {
    const size_t count = s->goal->searched_count;
    nlopt_opt opt = must_have(nlopt_create(algorithm, (unsigned)count));
    nlopt_call c = {s, opt};
    double least;
    AUTO_FREE double *x = allocate(count, sizeof *x);
    memcpy(x, s->evaluations[s->best].point, count * sizeof *x);
    nlopt_srand((unsigned long)(s->goal->seed & 0xffffffffu));
    (void)nlopt_set_min_objective(opt, value_at, &c);
    (void)nlopt_set_lower_bounds1(opt, 0);
    (void)nlopt_set_upper_bounds1(opt, 1);
    (void)nlopt_set_maxeval(opt, (int)evaluations);
    (void)nlopt_set_xtol_abs1(opt, 1e-4);
    (void)nlopt_set_ftol_rel(opt, 1e-5);
    if (step > 0) (void)nlopt_set_initial_step1(opt, step);
    (void)nlopt_optimize(opt, x, &least);
    nlopt_destroy(opt);
}

/* Controlled random search over the whole range: it takes its seed, and runs that fail do not lead
 * it astray. Then subplex, downhill: with stiction a figure has edges, at which a quadratic model
 * (BOBYQA) gets stuck. */
static void optimise_all(search *s) {
    const size_t global = (s->goal->evaluations - s->count) / 3;
    if (global > 0) optimise(s, NLOPT_GN_CRS2_LM, 0, global);
    for (double step = 0.1; !s->over && s->count < s->goal->evaluations && step > 1e-3; step /= 4)
        optimise(s, NLOPT_LN_SBPLX, step, s->goal->evaluations - s->count + 1);
}

#else

enum { has_nlopt = false };

static void optimise_all(search *s) {
    (void)evaluate, (void)s;
}

#endif

/* ---- the whole ---- */

/* How many points of Sobol's sequence it begins with. */
static size_t first_count(const sweep_goal *goal) {
    return goal->evaluations < 4 ? 1 : goal->evaluations / 4;
}

/* Points at which the constraints hold, as many as are wanted where there are so many. */
static void add_first(search *s) {
    const size_t dimensions = s->goal->searched_count, wanted = first_count(s->goal);
    const size_t tries = s->goal->constraint_count ? 50 * wanted : 2 * wanted;
    AUTO_FREE double *points = allocate(tries * dimensions, sizeof *points),
                     *point = allocate(dimensions, sizeof *point);
    for (size_t k = 0; k < dimensions; k++) {
        const char *key = s->plan->parameters[s->goal->searched[k].parameter].key;
        const sampling_method method = k < SAMPLING_DIMENSIONS ? SAMPLING_SOBOL : SAMPLING_LATIN;
        sampling_fill(&(sampling_axis){method, s->goal->seed, key, k}, points + k * tries, tries);
    }
    for (size_t n = 0; n < tries && s->count < wanted && !s->over; n++) {
        for (size_t k = 0; k < dimensions; k++) point[k] = points[k * tries + n];
        evaluation e = make_evaluation(s, point);
        if (!find_evaluation(s, &e) && is_allowed(s, &e))
            add_evaluation(s, e);
        else
            free_evaluation(s, &e);
    }
}

search *search_begin(sweep_runner *r, sweep_plan *plan, bool retry, stiction_error *error) {
    if (!has_nlopt) {
        (void)fail(error,
                   "this stiction was built without NLopt (libnlopt-dev), which searches need");
        return NULL;
    }
    if (!expression_check(plan, plan->goal->objective, plan->goal->spot, error)) return NULL;
    search *s = allocate(1, sizeof *s);
    *s = (search){.r = r,
                  .plan = plan,
                  .goal = plan->goal,
                  .retry = retry,
                  .best = SIZE_MAX,
                  .penalty = 1e-6,
                  .verdict = SWEEP_ALL_RAN,
                  .error = error};
    r->some_may_fail = true;
    add_first(s);
    if (!s->over && !s->count)
        s->over = !fail(error, "'where' holds at no point of the ranges that was tried");
    if (!s->over) choose_todo(s);
    if (!s->over) return s;
    search_free(s);
    return NULL;
}

void search_free(search *s) {
    if (!s) return;
    for (size_t k = 0; k < s->count; k++) free_evaluation(s, &s->evaluations[k]);
    free(s->evaluations);
    free(s->todo);
    free(s);
}

static json_t *best_json(const search *s) {
    const evaluation *e = &s->evaluations[s->best];
    json_t *best = json_object(), *set = json_object();
    json_object_set_new(best, "evaluation", json_integer((json_int_t)s->best + 1));
    json_object_set_new(best, "run", json_integer((json_int_t)e->first_run + 1));
    json_object_set_new(best, "value", json_real(shown_value(s, e->value)));
    for (size_t k = 0; k < s->goal->searched_count; k++)
        json_object_set_new(set, s->plan->parameters[s->goal->searched[k].parameter].key,
                            json_string(e->values[k]));
    json_object_set_new(best, "set", set);
    AUTO_FREE char *options = settings_text(s, e, "--set ");
    json_object_set_new(best, "options", json_string(options));
    return best;
}

static bool is_stopped(const search *s) {
    return s->verdict != SWEEP_ALL_RAN;
}

/* The optimiser stopped improving before its evaluations were used up. */
static bool is_early(const search *s) {
    return !is_stopped(s) && s->known < s->goal->evaluations;
}

/* "controller.kp=500 (upper)": the keys whose best value is an end of their range; "" if none is.
 * The caller frees it. */
static char *bounds_text(const search *s) {
    static const double near = 1e-3;
    char *text = copy_text("");
    const evaluation *e = &s->evaluations[s->best];
    for (size_t k = 0; k < s->goal->searched_count; k++) {
        if (e->point[k] > near && e->point[k] < 1 - near) continue;
        append_text(&text, "%s%s=%s (%s)", *text ? ", " : "",
                    s->plan->parameters[s->goal->searched[k].parameter].key, e->values[k],
                    e->point[k] > near ? "upper" : "lower");
    }
    return text;
}

/* For sweep.json: the best, the values of all evaluations in their order, and whether more were to
 * come. */
static void record_outcome(search *s) {
    json_t *outcome = json_object(), *values = json_array();
    for (size_t k = 0; k < s->known; k++)
        json_array_append_new(values, isnan(s->evaluations[k].value)
                                          ? json_null()
                                          : json_real(shown_value(s, s->evaluations[k].value)));
    json_object_set_new(outcome, "best", s->best < s->count ? best_json(s) : json_null());
    json_object_set_new(outcome, "values", values);
    json_object_set_new(outcome, "stopped", json_boolean(is_stopped(s)));
    json_object_set_new(outcome, "early", json_boolean(is_early(s)));
    if (s->best < s->count) {
        AUTO_FREE char *bounds = bounds_text(s);
        json_object_set_new(outcome, "at_bounds", json_string(bounds));
    }
    json_decref(s->plan->outcome);
    s->plan->outcome = outcome;
}

sweep_verdict search_run(search *s, stiction_error *error) {
    stiction_error unwritten;
    s->error = error;
    *error = (stiction_error){.status = STICTION_OK};
    if (s->r->todo_count < sweep_plan_count(s->plan)) {
        AUTO_FREE char *text =
            format_text("%zu runs of the first %zu evaluations are complete already",
                        sweep_plan_count(s->plan) - s->r->todo_count, s->count);
        s->r->log(NULL, STICTION_LOG_INFO, text);
    }
    run_new(s);
    if (!s->over && s->best >= s->count)
        s->over = !fail(error,
                        "none of the first %zu evaluations has a value of %s: every run failed, or "
                        "the figure is null",
                        s->count, s->goal->text);
    if (!s->over) optimise_all(s);
    if (error->status != STICTION_OK) s->verdict = SWEEP_GIVEN_UP;
    record_outcome(s);
    if (!sweep_store_write_plan(s->r->store, &unwritten) && error->status == STICTION_OK) {
        *error = unwritten;
        s->verdict = SWEEP_GIVEN_UP;
    }
    return s->verdict;
}

bool search_show(const search *s, FILE *out) {
    if (s->best >= s->count) return false;
    const evaluation *e = &s->evaluations[s->best];
    AUTO_FREE char *options = settings_text(s, e, "--set ");
    AUTO_FREE char *of = is_stopped(s) ? format_text("so far, of %zu of %zu evaluations", s->known,
                                                     s->goal->evaluations)
                                       : format_text("of %zu evaluations", s->known);
    write_line(out, "best %s, in run %zu: %s = %.9g", of, e->first_run + 1, s->goal->text,
               shown_value(s, e->value));
    write_line(out, "  %s", options);
    if (is_early(s))
        write_line(out,
                   "the search ended early, after %zu of %zu evaluations: smaller steps change "
                   "nothing any more",
                   s->known, s->goal->evaluations);
    AUTO_FREE char *bounds = bounds_text(s);
    if (*bounds)
        write_line(out, "at the end of its range: %s; a wider range may have a better value",
                   bounds);
    return !is_stopped(s);
}
