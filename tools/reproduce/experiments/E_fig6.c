/* SPDX-License-Identifier: MIT */
/* Dupont et al., Fig 6: the Stribeck slingshot, friction that pushes. */
#include <math.h>

#include "../experiment.h"
#include "dupont.h"

static const experiment_parameter parameters[] = {
    {"m", 1, "kg", PRINTED, NULL},
    {"f_c", 1, "N", PRINTED, NULL},
    {"f_ba", 1.5, "N", PRINTED, NULL},
    {"sigma_0", 1e4, "N/m", PRINTED, NULL},
    {"sigma_1", 200, "N s/m", PRINTED, NULL},
    {"sigma_2", 0, "N s/m", PRINTED, NULL},
    {"v_s", 0.1, "m/s", PRINTED, NULL},
    {"force", 20, "N", CHOSEN, "a step at t = 0; the paper's force is not given"},
    {"preload", 1.45, "N", INFERRED,
     "held before the step: found by trying values until friction reversed; not given"},
    {"smaller sigma_1", 100, "N s/m", CHOSEN, "for comparison"},
    {"T", 1e-6, "s", CHOSEN, NULL},
    {.symbol = NULL},
};

static const char digits[] = "three digits are stated; half of T moves it by 2e-5 N";
static const char halved[] = "measured; half of T moves it by 2e-5 N";
static const char bisected[] = "three digits are stated";

static const experiment_quantity quantities[] = {
    CLAIM("least friction, preloaded", "N", -0.647, 0.001, digits, "friction reverses, f < 0"),
    CLAIM_DIFFERS("least friction, from relaxed bristles", "N", 0.2009, 2e-4, halved,
                  "friction reverses, f < 0",
                  "from z = 0 the friction stays positive; the paper does not tell its preload"),
    OURS("least of all steps to 100 N, relaxed", "N", 0.1984, 2e-4, halved),
    OURS("least step that reverses it, preloaded", "N", 13.1, 0.05, bisected),
    CLAIM("least friction, sigma_1 100, preloaded", "N", 0.3285, 2e-4, halved,
          "can be avoided by proper choice of model parameters"),
    {.name = NULL},
};

static const char *const misprints[] = {
    "(2) begins with zdot: it is f_t = sigma_0 z + sigma_1 zdot + sigma_2 v.",
    "(16) has the acceleration in its last term: sigma_2 times the velocity.",
    NULL,
};

/* A block at rest, held by `preload`, when the force steps. */
typedef struct shot {
    stiction_single_state model;
    double mass, timestep, preload, force;
} shot;

/* The least friction after its peak, within 40 ms: it has settled at f_c by then. Curves may be
 * NULL. */
static double shoot(const shot *s, experiment_curve *friction, experiment_curve *velocity) {
    enum { every = 20 };
    const double end = 0.04, drawn_until = 0.02, T = s->timestep;
    double z = s->preload / s->model.stiffness, v = 0;
    double peak = -(double)INFINITY, least = (double)NAN;
    for (long k = 0; k < lround(end / T); k++) {
        const double t = (double)k * T, f = stiction_single_state_step(&s->model, T, v, &z);
        if (friction && k % every == 0 && t <= drawn_until) {
            add_point(friction, 1e3 * t, f);
            add_point(velocity, 1e3 * t, v);
        }
        if (f > peak) peak = least = f;
        least = fmin(least, f);
        v += T * (s->force - f) / s->mass;
    }
    return least;
}

static double threshold(shot s, double below, double above) {
    while (above - below > 1e-3) {
        s.force = (below + above) / 2;
        if (shoot(&s, NULL, NULL) < 0)
            above = s.force;
        else
            below = s.force;
    }
    return above;
}

/* Draws the least friction over the size of the step and returns the least of all. */
static double sweep(shot s, experiment_curve *curve) {
    double least = (double)INFINITY;
    for (s.force = 5; s.force <= 100; s.force += s.force < 40 ? 1 : 5) {
        const double f = shoot(&s, NULL, NULL);
        if (s.force <= 40) add_point(curve, s.force, f);
        least = fmin(least, f);
    }
    return least;
}

static void run_experiment(const experiment *self, experiment_run *out) {
    const shot preloaded = {.model = dupont_single_state(self, 0),
                            .mass = param(self, "m"),
                            .timestep = param(self, "T"),
                            .preload = param(self, "preload"),
                            .force = param(self, "force")};
    shot relaxed = preloaded, damped = preloaded;
    relaxed.preload = 0;
    damped.model.damping = param(self, "smaller sigma_1");
    if (!stiction_single_state_in_domain(&preloaded.model)) return;
    static const char *const names[] = {"preloaded with 1.45 N", "from relaxed bristles",
                                        "preloaded, sigma_1 100"};
    const shot *const shots[] = {&preloaded, &relaxed, &damped};
    experiment_plot *friction =
        add_plot(out, "Friction after a step to 20 N (Fig 6)", "time (ms)", "friction (N)");
    experiment_plot *velocity =
        add_plot(out, "Velocity of the block", "time (ms)", "velocity (m/s)");
    experiment_plot *steps = add_plot(out, "Least friction over the size of the step", "force (N)",
                                      "least friction (N)");
    double least[3], least_of_all[2];
    for (int k = 0; k < 3; k++)
        least[k] = shoot(shots[k], add_curve(friction, names[k]), add_curve(velocity, names[k]));
    for (int k = 0; k < 2; k++) least_of_all[k] = sweep(*shots[k], add_curve(steps, names[k]));
    MEASURE(out, least[0], least[1], least_of_all[1], threshold(preloaded, 12, 15), least[2]);
}

const experiment E_fig6 = {
    .id = "E.fig6",
    .title = "The Stribeck slingshot",
    .shows = "The bristle relaxes so fast after breakaway that its damper pushes the block on: "
             "friction turns negative, but only where the block was held near breakaway before. "
             "The figure cannot be reproduced from what is printed alone: both cases are shown.",
    .seconds = 0.4,
    .chief = true,
    .parameters = parameters,
    .quantities = quantities,
    .misprints = misprints,
    .run = run_experiment,
};
