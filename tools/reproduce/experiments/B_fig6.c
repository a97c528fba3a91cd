/* SPDX-License-Identifier: MIT */
/* Drincic and Bernstein, Fig 6: the discontinuous model under a prescribed motion. */
#include <math.h>

#include "../experiment.h"
#include "bristle_body.h"

static const char as_fig3[] = "that of Fig 3, the previous prescribed motion; Fig 6 does not say";

static const experiment_parameter parameters[] = {
    {"A", 1, "m", PRINTED, "x = A sin(omega t)"},
    {"omega", 0.01, "rad/s", PRINTED, NULL},
    {"kappa", 0.1, "N m/rad", INFERRED, as_fig3},
    {"h", 0.098, "m", INFERRED, as_fig3},
    {"l_b", 0.1, "m", INFERRED, as_fig3},
    {"Delta", 0.002, "m", INFERRED, as_fig3},
    {"d", 1, "m", INFERRED, as_fig3},
    {"T", 0.005, "s", CHOSEN, "50 um at the highest speed, a fortieth of the spacing"},
    {.symbol = NULL},
};

static const char after[] = "theory: nine bristles just after a release; a sample is 50 um";
static const char before[] = "theory: ten bristles just before a release; a sample is 50 um";

static const experiment_quantity quantities[] = {
    CLAIM("lowest force forwards", "N", 0.90542, 1e-3, after, "F_f > 0 for all v >= 0 (21)"),
    OURS("highest force forwards", "N", 1.10175, 1e-3, before),
    CLAIM("highest force backwards", "N", -0.90542, 1e-3, after, "F_f < 0 for all v < 0 (21)"),
    CLAIM_DIFFERS("least force by (19)", "N", 0.1784, 1e-4, "a formula",
                  "the minimum, with one bristle left",
                  "(19) holds for d0/Delta <= 2 only; here nine bristles are left"),
    CLAIM("force after the reversal over that before", "", -1, 1e-3,
          "x = A is a multiple of the spacing from both corners",
          "switches instantaneously while the magnitude remains unchanged"),
    {.name = NULL},
};

static const char *const misprints[] = {
    "(19), F_min with one bristle, holds only for 1 < d0/Delta <= 2.",
    NULL,
};

static void run_experiment(const experiment *self, experiment_run *out) {
    const stiction_bristles bristles = bristles_of(self);
    sine_motion sine = sine_motion_begin(self, out, 4);
    experiment_plot *close = add_plot(out, "(a), close to x = 1 m", "x (m)", "F_f (N)");
    trace teeth = trace_begin(add_curve(close, "F_f"), 1e-4, 0.02);

    double lowest = HUGE_VAL, highest = 0, back_highest = -HUGE_VAL;
    double old = (double)NAN, new = (double)NAN, last = 0;
    bool was_forward = true;
    for (long k = 0; (double)k * sine.T < 4 * sine.quarter; k++) {
        const double t = (double)k * sine.T, x = sine_motion_position(&sine, t),
                     v = sine_motion_velocity(&sine, t);
        const double force = stiction_drbm_force(&bristles, x, v);
        sine_motion_add(&sine, t, force);
        if (x > 0.98) trace_add(&teeth, x, force);
        if (v >= 0) {
            lowest = fmin(lowest, force);
            highest = fmax(highest, force);
        } else {
            back_highest = fmax(back_highest, force);
        }
        if (was_forward && v < 0) {
            old = last;
            new = force;
        }
        was_forward = v >= 0;
        last = force;
    }
    sine_motion_end(&sine);

    const double left = (stiction_bristles_reach(&bristles) - bristles.spacing) / bristles.height;
    MEASURE(out, lowest, highest, back_highest,
            bristles.stiffness / bristles.height * atan(left) / (1 + left * left), new / old);
}

const experiment B_fig6 = {
    .id = "B.fig6",
    .title = "Friction of the discontinuous bristle model under a prescribed motion",
    .shows = "A sawtooth over the position, one tooth a bristle, that changes its sign at once "
             "with the velocity.",
    .seconds = 0.1,
    .parameters = parameters,
    .quantities = quantities,
    .misprints = misprints,
    .run = run_experiment,
};
