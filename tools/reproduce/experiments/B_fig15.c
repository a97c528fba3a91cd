/* SPDX-License-Identifier: MIT */
/* Drincic and Bernstein, Fig 15: equilibria and hysteresis of the mean-pivot-angle-based model. */
#include <math.h>

#include "../experiment.h"
#include "bristle_body.h"
#include "joint_models/comparison/bristle_analysis.h"

static const double pi = 3.14159265358979323846;

static const experiment_parameter parameters[] = {
    {"m", 1, "kg", PRINTED, NULL},
    {"K", 2, "N/m", PRINTED, NULL},
    {"theta_min", 0.5, "rad", PRINTED, "theta_l in the caption"},
    {"theta_max", 0.75, "rad", PRINTED, "theta_h in the caption"},
    {"v_s", 0.001, "m/s", PRINTED, NULL},
    {"sigma_0", 1e5, "N/rad", PRINTED, NULL},
    {"sigma", 1e5, "", PRINTED, "sigma_0 = sigma kappa/h, so kappa/h = 1 N/rad"},
    {"U", 2, "N", PRINTED, "u = U sin(omega t)"},
    {"omega", 0.01, "rad/s", PRINTED, NULL},
    {"steps a cycle", 2000000, "", CHOSEN, "semi-implicit Euler with 3.1e-4 s"},
    {.symbol = NULL},
};

static const experiment_quantity quantities[] = {
    OURS("energy lost in the second cycle", "J", 1.6161, 1e-4,
         "steps of 2e-5 to 1e-3 s agree to 4e-5 J"),
    CLAIM("at rest outside of the equilibria", "", 0, 0, "the band is exact but for 0.002 N",
          "the hysteresis map is a subset of the equilibria map"),
    CLAIM("share of the time at rest", "", 0.9511, 0.001, "below 1e-4 m/s; steps agree to 1e-5",
          "the staircase indicates exact stick-slip"),
    CLAIM("slips in a cycle", "", 12, 0, "counted: above 0.01 m/s", "staircase-shaped"),
    {.name = NULL},
};

/* The largest friction at rest, to both sides: (94). */
static stiction_interval holding(const void *single_state, double x) {
    (void)x;
    const double f = stiction_single_state_steady(single_state, 0);
    return (stiction_interval){-f, f};
}

static void run_experiment(const experiment *self, experiment_run *out) {
    const double sigma = param(self, "sigma"), m = param(self, "m");
    const stiction_mpabm mpabm = {param(self, "sigma_0") / sigma, sigma, param(self, "theta_min"),
                                  param(self, "theta_max"), param(self, "v_s")};
    const stiction_single_state friction = stiction_mpabm_single_state(&mpabm);
    const double K = param(self, "K"), U = param(self, "U");
    const double omega = param(self, "omega");
    const long steps = lround(param(self, "steps a cycle"));
    const double T = 2 * pi / omega / (double)steps;
    experiment_plot *plot = add_plot(out, "Equilibria and hysteresis map", "u (N)", "x (m)");
    trace map = trace_begin(add_curve(plot, "hysteresis map"), 0.02, 0.005);
    draw_equilibria(plot, K, holding, &friction, 1);

    double x = 0, v = 0, z = 0, work = 0, resting = 0;
    long outside = 0, slips = 0;
    bool slipping = false;
    for (long k = 0; k < 2 * steps; k++) {
        const double u = U * sin(omega * ((double)k * T));
        trace_add(&map, u, x);
        v += T * (u - K * x - stiction_single_state_step(&friction, T, v, &z)) / m;
        x += T * v;
        if (k < steps) continue;
        work += T * u * v;
        if (fabs(v) < 1e-4) {
            const stiction_interval inputs =
                stiction_equilibrium_inputs(K, x, holding(&friction, x));
            outside += u < inputs.low - 0.002 || u > inputs.high + 0.002;
            resting += T;
            slipping = false;
        } else if (!slipping && fabs(v) > 0.01) {
            slipping = true;
            slips++;
        }
    }
    MEASURE(out, work, (double)outside, resting / (T * (double)steps), (double)slips);
}

const experiment B_fig15 = {
    .id = "B.fig15",
    .title = "Equilibria and hysteresis of the mean-pivot-angle-based model",
    .shows = "The average of the angles is a LuGre model: a band of equilibria and a staircase in "
             "it.",
    .seconds = 0.7,
    .parameters = parameters,
    .quantities = quantities,
    .run = run_experiment,
};
