/* SPDX-License-Identifier: MIT */
/* Kikuuwe et al. 2006, Fig 1: the conventional models, and the drift and chatter that follow. */
#include <math.h>

#include "all.h"
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
    {"f - h at rest, Coulomb", "N", 0, 1e-14, rounding, (double)NAN, 0, "balances h", NULL},
    {"f - h at rest, Karnopp", "N", 0, 1e-14, rounding, (double)NAN, 0, "balances h", NULL},
    {"f - h at rest, Quinn", "N", 0, 1e-14, rounding, (double)NAN, 0, NULL, NULL},
    {"f - h at rest, viscosity", "N", 8, 1e-14, rounding, (double)NAN, 0, "does not balance h",
     NULL},
    {"jump of f over v, Coulomb", "N", 12, 1e-9, rounding, (double)NAN, 0, "discontinuous", NULL},
    {"jump of f over v, Karnopp", "N", 12, 1e-9, rounding, (double)NAN, 0, "discontinuous", NULL},
    {"jump of f over v, Quinn", "N", 0, 1e-9, rounding, (double)NAN, 0, "discontinuities removed",
     NULL},
    {"jump of f over v, viscosity", "N", 0, 1e-9, rounding, (double)NAN, 0, NULL, NULL},
    {"drift, Karnopp, wide", "m/s", 0.098, 1e-9, "the velocity with which it comes in", (double)NAN,
     0, neither, NULL},
    {"drift, Quinn, wide", "m/s", 0, 1e-9, "what is left of the transient", (double)NAN, 0, neither,
     "f = h + F v/epsilon in the band: v dies out"},
    {"drift, viscosity, wide", "m/s", 0.05, 1e-9, theory, (double)NAN, 0, neither, NULL},
    {"chatter, Karnopp, narrow", "m/s", 0.012, 1e-9, explicit_step, (double)NAN, 0, neither, NULL},
    {"chatter, Quinn, narrow", "m/s", 0.012, 1e-9, explicit_step, (double)NAN, 0, neither, NULL},
    {"chatter, viscosity, narrow", "m/s", 0.012, 1e-9, explicit_step, (double)NAN, 0, neither,
     NULL},
    {"drift, model A", "m/s", 0, 0, "exactly at rest", (double)NAN, 0, "neither drift nor chatter",
     NULL},
    {"chatter, model A", "m/s", 0, 0, "exactly at rest", (double)NAN, 0,
     "neither drift nor chatter", NULL},
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

/* ---- a block that comes in at v0 and should stop under the load h ---- */

enum { steps = 2000 };

typedef struct end {
    double drift, chatter; /* m/s, over the second half */
} end;

static end watch(experiment_curve *curve, const double *v, double T) {
    double low = v[steps], high = v[steps], sum = 0;
    for (int k = 0; k <= steps; k++) {
        if (k <= 200) experiment_add_point(curve, k * T, v[k]);
        if (k <= steps / 2) continue;
        low = fmin(low, v[k]);
        high = fmax(high, v[k]);
        sum += v[k];
    }
    const int counted = steps - steps / 2;
    return (end){sum / (double)counted, high - low};
}

static end slide(const experiment *self, friction_of f, double epsilon, experiment_curve *curve) {
    const double T = experiment_value(self, "T"), M = experiment_value(self, "M");
    const double h = experiment_value(self, "h");
    const threshold t = {experiment_value(self, "F"), epsilon};
    double v[steps + 1] = {experiment_value(self, "v0")};
    for (int k = 0; k < steps; k++) v[k + 1] = v[k] + T / M * (h - f(&t, v[k], h));
    return watch(curve, v, T);
}

static end slide_model_a(const experiment *self, experiment_curve *curve) {
    const double T = experiment_value(self, "T"), h = experiment_value(self, "h");
    const stiction_element_def def = {
        .kind = STICTION_ELEMENT_A, .mass = experiment_value(self, "M"), .timestep = T};
    stiction_element a;
    if (!coulomb_element(&a, experiment_value(self, "F"), &def))
        return (end){(double)NAN, (double)NAN};
    double v[steps + 1] = {experiment_value(self, "v0")}, f;
    for (int k = 0; k < steps; k++) {
        v[k + 1] = v[k];
        stiction_element_a_step(&a, 1, &h, &v[k + 1], &f);
    }
    return watch(curve, v, T);
}

static void stop_block(const experiment *self, experiment_run *out) {
    experiment_plot *wide = experiment_add_plot(
        out, "A block under h = F/2 with a wide threshold: drift", "time (s)", "velocity (m/s)");
    experiment_plot *narrow =
        experiment_add_plot(out, "A block under h = F/2 with a narrow threshold: chatter",
                            "time (s)", "velocity (m/s)");
    static const friction_of models[] = {karnopp, quinn, viscosity};
    static const char *const names[] = {"Karnopp", "Quinn", "viscosity"};
    static const char *const drift[] = {"drift, Karnopp, wide", "drift, Quinn, wide",
                                        "drift, viscosity, wide"};
    static const char *const chatter[] = {"chatter, Karnopp, narrow", "chatter, Quinn, narrow",
                                          "chatter, viscosity, narrow"};
    const double epsilons[] = {experiment_value(self, "epsilon, wide"),
                               experiment_value(self, "epsilon, narrow")};
    for (int k = 0; k < 3; k++) {
        experiment_measure(
            out, drift[k],
            slide(self, models[k], epsilons[0], experiment_add_curve(wide, names[k])).drift);
        experiment_measure(
            out, chatter[k],
            slide(self, models[k], epsilons[1], experiment_add_curve(narrow, names[k])).chatter);
    }
    const end a = slide_model_a(self, experiment_add_curve(wide, "model A"));
    (void)slide_model_a(self, experiment_add_curve(narrow, "model A"));
    experiment_measure(out, "drift, model A", a.drift);
    experiment_measure(out, "chatter, model A", a.chatter);
}

static void run_experiment(const experiment *self, experiment_run *out) {
    static const struct {
        const char *title, *imbalance, *jump;
        friction_of f;
    } models[] = {
        {"(a) Coulomb (1)", "f - h at rest, Coulomb", "jump of f over v, Coulomb", karnopp},
        {"(b) Karnopp (3)", "f - h at rest, Karnopp", "jump of f over v, Karnopp", karnopp},
        {"(c) Quinn (4)", "f - h at rest, Quinn", "jump of f over v, Quinn", quinn},
        {"(d) viscosity (5)", "f - h at rest, viscosity", "jump of f over v, viscosity", viscosity},
    };
    const double F = experiment_value(self, "F"), epsilon = experiment_value(self, "epsilon");
    const double span = 4 * epsilon;
    for (int k = 0; k < 4; k++) {
        const threshold t = {F, k ? epsilon : 0};
        draw_sections(out, models[k].title, models[k].f, &t, F, span);
        experiment_measure(out, models[k].imbalance, imbalance_at_rest(models[k].f, &t, F));
        experiment_measure(out, models[k].jump, largest_jump(models[k].f, &t, F / 2, span));
    }
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
