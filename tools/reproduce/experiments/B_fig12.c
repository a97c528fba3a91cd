/* SPDX-License-Identifier: MIT */
/* Drincic and Bernstein, Fig 12: equilibria and hysteresis of the friction-force-based model. */
#include <math.h>

#include "../experiment.h"
#include "bristle_body.h"
#include "joint_models/comparison/bristle_analysis.h"

static const double pi = 3.14159265358979323846;

static const experiment_parameter parameters[] = {
    {"m", 1, "kg", PRINTED, NULL},
    {"K", 1, "N/m", PRINTED, NULL},
    {"F_min", 1, "N", PRINTED, NULL},
    {"F_max", 1.5, "N", PRINTED, NULL},
    {"Delta", 0.05, "m", PRINTED, NULL},
    {"sigma_0", 1e5, "N/m", PRINTED, NULL},
    {"U", 2, "N", PRINTED, "u = U sin(omega t)"},
    {"omega", 0.01, "rad/s", PRINTED, NULL},
    {"T", 2.5e-4, "s", CHOSEN, "longest step of RK4: 0.08 rad of the deflection's vibration"},
    {"T sigma_0 |v|", 0.25, "N", CHOSEN, "a quarter of the relaxation z_ss/|v| at most"},
    {.symbol = NULL},
};

static const experiment_quantity quantities[] = {
    OURS("energy lost in the first cycle", "J", 2.408, 0.002,
         "thirty choices of the steps give 2.4067 to 2.4095"),
    CLAIM("at rest outside of the equilibria", "", 0, 0, "a hundredth of a tooth is allowed",
          "the hysteresis map is a subset, except for the slips"),
    CLAIM("share of the time at rest", "", 0.845, 0.002, "below 1e-4 m/s; steps agree to 1e-4",
          "exact stick-slip: a staircase"),
    {.name = NULL},
};

static const char *const misprints[] = {
    "(75) should equal (76) by the text; it does not. The equilibria are those of (76).",
    "mod in (65), (66) is floored, also below 0; v = 0 counts as forwards.",
    NULL,
};

static stiction_interval holding(const void *sawtooth, double x) {
    return stiction_sawtooth_holding(sawtooth, x);
}

static void run_experiment(const experiment *self, experiment_run *out) {
    const stiction_ffbm ffbm = {param(self, "sigma_0"),
                                {param(self, "F_min"), param(self, "F_max"), param(self, "Delta")}};
    const double T = param(self, "T");
    const double travel = param(self, "T sigma_0 |v|") / ffbm.stiffness; /* m a step */
    bristle_body body = bristle_body_of(self);
    body.U = param(self, "U");
    body.omega = param(self, "omega");
    body.friction = body_on_ffbm;
    body.model = &ffbm;
    const double cycle = 2 * pi / body.omega;

    experiment_plot *plot = add_plot(out, "Equilibria and hysteresis map", "u (N)", "x (m)");
    trace map = trace_begin(add_curve(plot, "hysteresis map"), 0.02, 0.005);
    draw_equilibria(plot, body.K, holding, &ffbm.sawtooth, 1);
    double resting = 0, lost = 0;
    long outside = 0;
    while (body.t < 1.25 * cycle) {
        const double x = body.y[BODY_X], speed = fabs(body.y[BODY_V]);
        const double u = bristle_body_input(&body);
        trace_add(&map, u, x);
        const double end = body.t < cycle ? cycle : 1.25 * cycle;
        const double dt = bristle_body_step(&body, fmin(fmin(T, travel / speed), end - body.t));
        if (body.t > cycle) continue;
        lost = body.y[BODY_WORK];
        if (speed > 1e-4) continue;
        resting += dt;
        const stiction_interval inputs =
            stiction_equilibrium_inputs(body.K, x, holding(&ffbm.sawtooth, x));
        outside += u < inputs.low - 0.005 || u > inputs.high + 0.005;
    }
    MEASURE(out, lost, (double)outside, resting / cycle);
}

const experiment B_fig12 = {
    .id = "B.fig12",
    .title = "Equilibria and hysteresis of the friction-force-based model",
    .shows = "One state instead of a Switch Model, and the same staircase within the same "
             "equilibria.",
    .seconds = 2.5,
    .chief = true,
    .parameters = parameters,
    .quantities = quantities,
    .misprints = misprints,
    .run = run_experiment,
};
