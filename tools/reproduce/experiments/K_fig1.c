/* SPDX-License-Identifier: MIT */
/* Kikuuwe et al. 2006, Fig 1: the conventional models, and the drift and chatter that follow. */
#include <math.h>

#include "../experiment.h"
#include "coulomb_element.h"
#include "friction_sections.h"
#include "joint_models/reference/reference.h"

static const experiment_parameter parameters[] = {
    {"F", 8, "N", CHOSEN, "of Fig 6; the figure has no numbers"},
    {"M", 1, "kg", CHOSEN, "of Fig 6"},
    {"T", 0.001, "s", CHOSEN, "of Fig 6"},
    {"epsilon", 0.008, "m/s", CHOSEN, "of the sections: T F/M, as wide as model A sticks"},
    {"epsilon, wide", 0.1, "m/s", CHOSEN, "far above T F/M"},
    {"epsilon, narrow", 0.0008, "m/s", CHOSEN, "a tenth of T F/M"},
    {"h", 4, "N", CHOSEN, "a load that friction should hold"},
    {"v0", 0.098, "m/s", CHOSEN,
     "no step from it lands in the narrow band; from 0.1 m/s Karnopp would stick"},
    {.symbol = NULL},
};

static const char rounding[] = "rounding";
static const char theory[] = "epsilon h/F exactly; what is left of the transient";
static const char explicit_step[] = "a sum of steps (F - h) T/M and (F + h) T/M";
static const char neither[] = "either drift or chattering";

static const experiment_quantity quantities[] = {
    CLAIM("f - h at rest, Coulomb", "N", 0, 1e-14, rounding, "balances h"),
    CLAIM("f - h at rest, Karnopp", "N", 0, 1e-14, rounding, "balances h"),
    OURS("f - h at rest, Quinn", "N", 0, 1e-14, rounding),
    CLAIM("f - h at rest, viscosity", "N", 8, 1e-14, rounding, "does not balance h"),
    CLAIM("jump of f over v, Coulomb", "N", 12, 1e-9, rounding, "discontinuous"),
    CLAIM("jump of f over v, Karnopp", "N", 12, 1e-9, rounding, "discontinuous"),
    CLAIM("jump of f over v, Quinn", "N", 0, 1e-9, rounding, "discontinuities removed"),
    OURS("jump of f over v, viscosity", "N", 0, 1e-9, rounding),
    CLAIM("drift, Karnopp, wide", "m/s", 0.098, 1e-9, "the velocity with which it comes in",
          neither),
    CLAIM_DIFFERS("drift, Quinn, wide", "m/s", 0, 1e-9, "what is left of the transient", neither,
                  "f = h + F v/epsilon in the band: v dies out"),
    CLAIM("drift, viscosity, wide", "m/s", 0.05, 1e-9, theory, neither),
    CLAIM("chatter, Karnopp, narrow", "m/s", 0.012, 1e-9, explicit_step, neither),
    CLAIM("chatter, Quinn, narrow", "m/s", 0.012, 1e-9, explicit_step, neither),
    CLAIM("chatter, viscosity, narrow", "m/s", 0.012, 1e-9, explicit_step, neither),
    CLAIM("drift, model A", "m/s", 0, 0, "exactly at rest", "neither drift nor chatter"),
    CLAIM("chatter, model A", "m/s", 0, 0, "exactly at rest", "neither drift nor chatter"),
    {.name = NULL},
};

/* ---- the four models ---- */

typedef struct threshold {
    double F, epsilon;
} threshold;

/* Coulomb (1) is Karnopp (3) without a band. */
static double karnopp(const void *context, double v, double h) {
    const threshold *t = context;
    const stiction_law_parameters p = coulomb_parameters(t->F);
    return stiction_karnopp_force(stiction_law_find("coulomb"), &p, t->epsilon, v, h);
}

static double quinn(const void *context, double v, double h) {
    const threshold *t = context;
    return stiction_quinn_force(t->F, t->epsilon, v, h);
}

static double viscosity(const void *context, double v, double h) {
    const threshold *t = context;
    (void)h;
    return stiction_viscosity_force(t->F, t->epsilon, v);
}

static const struct {
    const char *title, *name;
    friction_of f;
} models[] = {
    {"(a) Coulomb (1)", "Coulomb", karnopp},
    {"(b) Karnopp (3)", "Karnopp", karnopp},
    {"(c) Quinn (4)", "Quinn", quinn},
    {"(d) viscosity (5)", "viscosity", viscosity},
};

/* ---- a block that comes in at v0 and should stop under the load h ---- */

enum { steps = 2000 };

typedef struct end {
    double drift, chatter; /* m/s, over the second half */
} end;

static end watch(experiment_curve *curve, const double *v, double T) {
    double low = v[steps], high = v[steps], sum = 0;
    for (int k = 0; k <= steps; k++) {
        if (k <= 200) add_point(curve, k * T, v[k]);
        if (k <= steps / 2) continue;
        low = fmin(low, v[k]);
        high = fmax(high, v[k]);
        sum += v[k];
    }
    const int counted = steps - steps / 2;
    return (end){sum / (double)counted, high - low};
}

static end slide(const experiment *self, friction_of f, double epsilon, experiment_curve *curve) {
    const double T = param(self, "T"), M = param(self, "M");
    const double h = param(self, "h");
    const threshold t = {param(self, "F"), epsilon};
    double v[steps + 1] = {param(self, "v0")};
    for (int k = 0; k < steps; k++) v[k + 1] = v[k] + T / M * (h - f(&t, v[k], h));
    return watch(curve, v, T);
}

static end slide_model_a(const experiment *self, experiment_curve *curve) {
    const double T = param(self, "T"), h = param(self, "h");
    const stiction_element_def def = {
        .kind = STICTION_ELEMENT_A, .mass = param(self, "M"), .timestep = T};
    stiction_element a;
    if (!coulomb_element(&a, param(self, "F"), &def)) return (end){(double)NAN, (double)NAN};
    double v[steps + 1] = {param(self, "v0")}, f;
    for (int k = 0; k < steps; k++) {
        v[k + 1] = v[k];
        stiction_element_a_step(&a, 1, &h, &v[k + 1], &f);
    }
    return watch(curve, v, T);
}

static void stop_block(const experiment *self, experiment_run *out) {
    experiment_plot *wide = add_plot(out, "A block under h = F/2 with a wide threshold: drift",
                                     "time (s)", "velocity (m/s)");
    experiment_plot *narrow =
        add_plot(out, "A block under h = F/2 with a narrow threshold: chatter", "time (s)",
                 "velocity (m/s)");
    const double wide_epsilon = param(self, "epsilon, wide");
    const double narrow_epsilon = param(self, "epsilon, narrow");
    for (int k = 1; k < 4; k++)
        measure(out, slide(self, models[k].f, wide_epsilon, add_curve(wide, models[k].name)).drift);
    for (int k = 1; k < 4; k++)
        measure(
            out,
            slide(self, models[k].f, narrow_epsilon, add_curve(narrow, models[k].name)).chatter);
    const end a = slide_model_a(self, add_curve(wide, "model A"));
    (void)slide_model_a(self, add_curve(narrow, "model A"));
    MEASURE(out, a.drift, a.chatter);
}

static void run_experiment(const experiment *self, experiment_run *out) {
    const double F = param(self, "F"), epsilon = param(self, "epsilon"), span = 4 * epsilon;
    const threshold of[] = {{F, 0}, {F, epsilon}, {F, epsilon}, {F, epsilon}};
    for (int k = 0; k < 4; k++) draw_sections(out, models[k].title, models[k].f, &of[k], F, span);
    for (int k = 0; k < 4; k++) measure(out, imbalance_at_rest(models[k].f, &of[k], F));
    for (int k = 0; k < 4; k++) measure(out, largest_jump(models[k].f, &of[k], F / 2, span));
    stop_block(self, out);
}

const experiment K_fig1 = {
    .id = "K.fig1",
    .title = "The conventional models over velocity and external force",
    .shows = "Sections of the paper's four surfaces; a threshold that is wide lets a block under a "
             "load creep away, a narrow one makes it chatter, and model A does neither.",
    .seconds = 0.1,
    .parameters = parameters,
    .quantities = quantities,
    .run = run_experiment,
};
