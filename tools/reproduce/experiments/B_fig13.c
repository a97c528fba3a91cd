/* SPDX-License-Identifier: MIT */
/* Drincic and Bernstein, Fig 13: the sum of the pivot angles and its moving average. */
#include <math.h>

#include "../experiment.h"
#include "pulled_body.h"

static const experiment_parameter parameters[] = {
    PULLED_BODY_PARAMETERS,
    {"beta", 0.05, "", PRINTED, NULL},
    {"T_j", 0.01, "s", CHOSEN, "sampling of (79); the paper does not say, Fig 14 shows its effect"},
    {"duration", 220, "s", CHOSEN, "four slips"},
    {.symbol = NULL},
};

static const char grid[] = "a sample a step";

static const experiment_quantity quantities[] = {
    OURS("largest sum of angles", "rad", 0.15, 0.001, grid),
    OURS("least sum of angles in a slip", "rad", 0.05, 0.001, grid),
    CLAIM("average, faster over slower, at 0.005 m/s", "", 1.165, 0.03,
          "steps of 0.5 to 2 ms give 1.155 to 1.173",
          "two traces, of increasing and decreasing velocity"),
    {.name = NULL},
};

static const char *const misprints[] = {PULLED_BODY_MISPRINTS, NULL};

static void run_experiment(const experiment *self, experiment_run *out) {
    const double T = param(self, "T"), duration = param(self, "duration");
    const stiction_bristles bristles = bristles_of(self);
    bristle_body body = pulled_body(self, &bristles);
    mean_angle mean = mean_angle_begin(param(self, "beta"), param(self, "T_j"));
    experiment_curve *sum =
        add_curve(add_plot(out, "(a) Sum of the angles", "time (s)", "theta_s (rad)"), "theta_s");
    experiment_curve *average =
        add_curve(add_plot(out, "(b) Its moving average", "time (s)", "average (rad)"), "average");
    experiment_plot *over_v =
        add_plot(out, "(c) The average over velocity", "v (m/s)", "average (rad)");
    experiment_curve *faster = add_dots(over_v, "increasing velocity");
    experiment_curve *slower = add_dots(over_v, "decreasing velocity");

    double highest = 0, lowest = HUGE_VAL, last_v = 0, next = 0;
    double crossing[2] = {0, 0}; /* sums of the average at 0.005 m/s: slower, faster */
    int crossings[2] = {0, 0};
    while (body.t < duration) {
        const double theta_s = pulled_body_angle_sum(&body, &bristles), v = body.y[BODY_V];
        highest = fmax(highest, theta_s);
        if (v > 0.01) lowest = fmin(lowest, theta_s);
        if (body.t >= next) {
            add_point(sum, body.t, theta_s);
            next += 0.02;
        }
        if (mean_angle_see(&mean, body.t, theta_s)) {
            const bool speeds_up = v > last_v;
            add_point(average, body.t, mean.value);
            if (v > 1e-4) add_point(speeds_up ? faster : slower, v, mean.value);
            if ((v > 0.005) != (last_v > 0.005)) {
                crossing[speeds_up] += mean.value;
                crossings[speeds_up]++;
            }
            last_v = v;
        }
        bristle_body_step(&body, T);
    }
    MEASURE(out, highest, lowest, (crossing[1] / crossings[1]) / (crossing[0] / crossings[0]));
}

const experiment B_fig13 = {
    .id = "B.fig13",
    .title = "The mean pivot angle of the stick-slip motion",
    .shows = "Averaged over time, the angles are large in the stick and fall to their mean in a "
             "slip: a Stribeck effect that the average makes.",
    .seconds = 0.3,
    .parameters = parameters,
    .quantities = quantities,
    .misprints = misprints,
    .run = run_experiment,
};
