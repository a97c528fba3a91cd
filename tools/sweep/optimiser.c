/* SPDX-License-Identifier: MIT
 * A minimum over the unit cube by NLopt. Without it, searches are refused before they begin.
 */
#include "sweep/optimiser.h"

#ifdef STICTION_NLOPT
#include <nlopt.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"

bool optimiser_is_there(void) {
    return true;
}

typedef struct call {
    const optimiser *o;
    nlopt_opt opt;
} call;

static double value_at(unsigned count, const double *x, double *gradient, void *user) {
    const call *c = user;
    double value = 0;
    (void)count, (void)gradient; /* none of its algorithms here asks for one */
    if (!c->o->value(c->o->user, x, &value)) (void)nlopt_force_stop(c->opt);
    return value;
}

/* The result is not used: the caller knows the best of the values that it was asked for. */
static void minimise(const optimiser *o, nlopt_algorithm algorithm, const double *start,
                     double step, size_t evaluations) {
    const unsigned count = (unsigned)o->dimensions;
    nlopt_opt opt = must_have(nlopt_create(algorithm, count));
    call c = {o, opt};
    double *x = allocate(count, sizeof *x), least;
    memcpy(x, start, count * sizeof *x);
    nlopt_srand((unsigned long)(o->seed & 0xffffffffu));
    (void)nlopt_set_min_objective(opt, value_at, &c);
    (void)nlopt_set_lower_bounds1(opt, 0);
    (void)nlopt_set_upper_bounds1(opt, 1);
    (void)nlopt_set_maxeval(opt, (int)evaluations);
    (void)nlopt_set_xtol_abs1(opt, 1e-4);
    (void)nlopt_set_ftol_rel(opt, 1e-5);
    if (step > 0) (void)nlopt_set_initial_step1(opt, step);
    (void)nlopt_optimize(opt, x, &least);
    nlopt_destroy(opt);
    free(x);
}

/* Controlled random search: it takes its seed, and is not led astray by runs that fail. */
void optimiser_global(const optimiser *o, const double *start, size_t evaluations) {
    minimise(o, NLOPT_GN_CRS2_LM, start, 0, evaluations);
}

/* Subplex: under stiction a figure has edges, at which a quadratic model (BOBYQA) gets stuck. */
void optimiser_local(const optimiser *o, const double *start, double step, size_t evaluations) {
    minimise(o, NLOPT_LN_SBPLX, start, step, evaluations);
}

#else

bool optimiser_is_there(void) {
    return false;
}

void optimiser_global(const optimiser *o, const double *start, size_t evaluations) {
    (void)o, (void)start, (void)evaluations;
}

void optimiser_local(const optimiser *o, const double *start, double step, size_t evaluations) {
    (void)o, (void)start, (void)step, (void)evaluations;
}

#endif
