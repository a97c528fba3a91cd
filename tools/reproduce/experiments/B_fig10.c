/* SPDX-License-Identifier: MIT */
/* Drincic and Bernstein, Fig 10: the sawtooth approximation under a prescribed motion. */
#include <math.h>

#include "../experiment.h"
#include "bristle_body.h"
#include "joint_models/comparison/bristle_analysis.h"

static const experiment_parameter parameters[] = {
    {"A", 1, "m", PRINTED, "x = A sin(omega t)"},
    {"omega", 0.01, "rad/s", PRINTED, NULL},
    {"F_min", 0.5, "N", PRINTED, NULL},
    {"F_max", 1, "N", PRINTED, NULL},
    {"Delta", 0.033, "m", PRINTED, NULL},
    {"T", 0.01, "s", CHOSEN, "0.1 mm at the highest speed"},
    {"kappa", 0.1, "N m/rad", PRINTED, "of the bristles beside, Fig 7"},
    {"h", 0.0995, "m", PRINTED, "Fig 7"},
    {"l_b", 0.1, "m", PRINTED, "Fig 7"},
    {"d", 0.5, "m", PRINTED, "Fig 7"},
    {"Delta of the bristles", 0.005, "m", PRINTED, "Fig 7"},
    {.symbol = NULL},
};

static const char sampled[] = "a sample is 0.1 mm, 0.0015 N";

static const experiment_quantity quantities[] = {
    OURS("lowest force forwards", "N", 0.5, 0.002, sampled),
    OURS("highest force forwards", "N", 1, 0.002, sampled),
    OURS("lowest force backwards", "N", -1, 0.002, sampled),
    OURS("highest force backwards", "N", -0.5, 0.002, sampled),
    OURS("teeth from -A to A", "", 61, 0, "-A and A lie 30.3 teeth from 0"),
    CLAIM("largest distance from the bristles of Fig 7, over F_max", "", 0.0013, 0.0003, sampled,
          "the friction force resembles a sawtooth wave"),
    {.name = NULL},
};

static const char *const misprints[] = {
    "mod in (48) to (50) is floored, x - Delta floor(x/Delta), also below 0; v = 0 counts as "
    "forwards.",
    NULL,
};

/* Bristles and the sawtooth between their lowest and highest force; both start a tooth at 0. */
static double distance_from_bristles(const experiment *self, experiment_plot *plot) {
    stiction_bristles bristles = bristles_of(self);
    bristles.spacing = param(self, "Delta of the bristles");
    const stiction_sawtooth teeth = stiction_drbm_sawtooth(&bristles);
    /* the force drops where a bristle is released, d0 behind the corner */
    const double corner = bristles.body_length / 2;
    const double released = fmod(stiction_bristles_reach(&bristles), bristles.spacing) - corner;
    experiment_curve *exact = add_curve(plot, "bristles");
    experiment_curve *approximate = add_curve(plot, "sawtooth");
    double distance = 0;
    for (int k = 1; k < 1500; k++) {
        const double x = 3 * bristles.spacing * k / 1500;
        const double force = stiction_drbm_force(&bristles, released + x, 1);
        const double sawtooth = stiction_sawtooth_force(&teeth, x, 1);
        add_point(exact, x * 1e3, force);
        add_point(approximate, x * 1e3, sawtooth);
        if (k % 500 != 0) distance = fmax(distance, fabs(force - sawtooth));
    }
    return distance / teeth.highest;
}

static void run_experiment(const experiment *self, experiment_run *out) {
    const double A = param(self, "A"), omega = param(self, "omega");
    const double T = param(self, "T"), quarter = acos(0) / omega;
    const stiction_sawtooth sawtooth = {param(self, "F_min"), param(self, "F_max"),
                                        param(self, "Delta")};
    experiment_plot *over_x = add_plot(out, "(a) Friction over position", "x (m)", "F_f (N)");
    experiment_plot *over_v = add_plot(out, "(b) Friction over velocity", "v (m/s)", "F_f (N)");
    experiment_plot *beside = add_plot(out, "The sawtooth beside the bristles of Fig 7",
                                       "x from a release (mm)", "F_f (N)");
    trace a = trace_begin(add_curve(over_x, "F_f"), 0.02, 0.1);
    trace b = trace_begin(add_curve(over_v, "F_f"), 2e-4, 0.1);
    stiction_interval forwards = {HUGE_VAL, -HUGE_VAL}, backwards = {HUGE_VAL, -HUGE_VAL};
    double last = stiction_sawtooth_force(&sawtooth, 0, 1);
    int drops = 0;
    for (long k = 0; (double)k * T < 4 * quarter; k++) {
        const double t = (double)k * T, x = A * sin(omega * t), v = A * omega * cos(omega * t);
        const double force = stiction_sawtooth_force(&sawtooth, x, v);
        stiction_interval *range = v >= 0 ? &forwards : &backwards;
        range->low = fmin(range->low, force);
        range->high = fmax(range->high, force);
        /* a jump is drawn from where it starts */
        if (fabs(force - last) > 0.1) {
            add_point(a.curve, x, last);
            add_point(b.curve, v, last);
        }
        trace_add(&a, x, force);
        trace_add(&b, v, force);
        drops += v < 0 && last < -0.9 && force > -0.6;
        last = force;
    }
    MEASURE(out, forwards.low, forwards.high, backwards.low, backwards.high, drops,
            distance_from_bristles(self, beside));
}

const experiment B_fig10 = {
    .id = "B.fig10",
    .title = "The sawtooth approximation of the bristles under a prescribed motion",
    .shows = "A sawtooth stands for the row of bristles: the same drops, straight in between.",
    .seconds = 0.01,
    .parameters = parameters,
    .quantities = quantities,
    .misprints = misprints,
    .run = run_experiment,
};
