/* SPDX-License-Identifier: MIT */
/* Drincic and Bernstein, Fig 11: equilibria and hysteresis on the sawtooth. */
#include <float.h>
#include <math.h>

#include "../experiment.h"
#include "bristle_body.h"
#include "joint_models/comparison/bristle_analysis.h"

static const double pi = 3.14159265358979323846;

static const experiment_parameter parameters[] = {
    {"m", 1, "kg", PRINTED, NULL},
    {"K", 1, "N/m", PRINTED, NULL},
    {"F_min", 0.5, "N", PRINTED, NULL},
    {"F_max", 1, "N", PRINTED, NULL},
    {"Delta", 0.1, "m", PRINTED, NULL},
    {"U", 2, "N", CHOSEN, "u = U sin(omega t); not stated, that of Fig 12"},
    {"omega", 0.01, "rad/s", CHOSEN, "not stated, that of Fig 12"},
    {"eta", 1e-6, "m/s", CHOSEN, "half the stick band, that of Fig 9"},
    {"tau", 0.01, "s", CHOSEN, "time constant in the stick band"},
    {"T", 0.002, "s", CHOSEN, "longest step of RK4"},
    {.symbol = NULL},
};

static const experiment_quantity quantities[] = {
    CLAIM("stuck outside of the equilibria", "", 0, 0,
          "but for the 2e-4 N by which u rises while the body starts",
          "except for the vertical portions, the hysteresis map is a subset"),
    CLAIM("share of the slips outside of the equilibria", "", 0.51, 0.02,
          "steps of 0.5 to 4 ms stay within it",
          "the vertical portions are not completely contained"),
    CLAIM("share of the time stuck", "", 0.77, 0.02, "steps of 0.5 to 4 ms stay within it",
          "the hysteresis map is a staircase"),
    OURS("energy lost in a cycle over that of the teeth passed", "", 1, 0.005,
         "theory: (F_min + F_max) Delta a tooth, there and back; a tooth more or less"),
    {.name = NULL},
};

static const char *const misprints[] = {
    "mod in (48) and (49) is floored, also below 0; v = 0 counts as forwards.",
    NULL,
};

static stiction_interval holding(const void *sawtooth, double x) {
    return stiction_sawtooth_holding(sawtooth, x);
}

static void run_experiment(const experiment *self, experiment_run *out) {
    const stiction_sawtooth sawtooth = {param(self, "F_min"), param(self, "F_max"),
                                        param(self, "Delta")};
    const double T = param(self, "T");
    bristle_body body = bristle_body_of(self);
    body.U = param(self, "U");
    body.omega = param(self, "omega");
    body.eta = param(self, "eta");
    body.tau = param(self, "tau");
    body.friction = body_on_sawtooth;
    body.model = &sawtooth;
    const double cycle = 2 * pi / body.omega;

    experiment_plot *plot = add_plot(out, "Equilibria and hysteresis map", "u (N)", "x (m)");
    trace map = trace_begin(add_curve(plot, "hysteresis map"), 0.02, 0.01);
    draw_equilibria(plot, body.K, holding, &sawtooth, 1.5);
    double stuck = 0, moving = 0, moving_outside = 0, x_min = DBL_MAX, x_max = -DBL_MAX;
    double first_work = 0;
    long outside = 0;
    while (body.t < 2 * cycle) {
        const double x = body.y[BODY_X];
        const bool sticks = bristle_body_sticks(&body);
        const bool may_rest = bristle_body_may_rest(&body, T);
        trace_add(&map, bristle_body_input(&body), x);
        const double dt = bristle_body_step(&body, fmin(T, 2 * cycle - body.t));
        if (body.t < cycle) {
            first_work = body.y[BODY_WORK];
            continue;
        }
        x_min = fmin(x_min, x);
        x_max = fmax(x_max, x);
        if (sticks) {
            stuck += dt;
            outside += !may_rest && bristle_body_sticks(&body);
        } else {
            moving += dt;
            moving_outside += may_rest ? 0 : dt;
        }
    }
    const double lost = body.y[BODY_WORK] - first_work;
    MEASURE(out, (double)outside, moving_outside / moving, stuck / cycle,
            lost / ((sawtooth.lowest + sawtooth.highest) * (x_max - x_min)));
}

const experiment B_fig11 = {
    .id = "B.fig11",
    .title = "Equilibria and hysteresis of a body on a sawtooth",
    .shows = "At each input there are infinitely many places to rest; the body leaves them only "
             "while it slips.",
    .seconds = 0.5,
    .parameters = parameters,
    .quantities = quantities,
    .misprints = misprints,
    .run = run_experiment,
};
