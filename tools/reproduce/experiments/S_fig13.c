/* SPDX-License-Identifier: MIT */
/* Cisneros et al., Fig 13: the wrist under the compliant controller with its integral term. */
#include <math.h>

#include "../experiment.h"
#include "wrist.h"

static const double degree = 3.141592653589793 / 180;

static const experiment_parameter parameters[] = {
    {"kp", 50, "s^-2", PRINTED, NULL},
    {"kv", 14, "s^-1", PRINTED, NULL},
    {"lambda", 1, "s^-1", PRINTED, NULL},
    {"target", 90, "deg", PRINTED, NULL},
    WRIST_INERTIA,
    WRIST_STRIBECK,
    WRIST_RATIONAL,
    WRIST_COULOMB,
    WRIST_ELEMENT,
    {"duration", 60, "s", CHOSEN, "the figure is lost"},
    {"v_stick", 1e-3, "rad/s", CHOSEN, "a stuck joint follows its load by some 1e-4 rad/s"},
    {"v_slip", 1e-2, "rad/s", CHOSEN, "a slip is far above"},
    {.symbol = NULL},
};

static const char drift[] = "the moment of a stop moves with integrator details";
static const char euler[] = "integrator details move the angle by less than 0.03 deg";

static const experiment_quantity quantities[] = {
    NUMBER("sawtooth peak, Stribeck", "N m", 2.5096, 0.001,
           "the load passes F_S within a step or ten", 2.5, 0.02),
    NUMBER("sawtooth peak, rational", "N m", 2.5022, 0.001, "the same", 2.5, 0.02),
    CLAIM("1st break-away, Stribeck", "s", 4.58, 0.05, drift, "sawtooth-like"),
    CLAIM("2nd break-away, Stribeck", "s", 15.16, 0.05, drift, "sawtooth-like"),
    CLAIM("3rd break-away, Stribeck", "s", 21.28, 0.05, drift, "sawtooth-like"),
    CLAIM("4th break-away, Stribeck", "s", 34.76, 0.05, drift, "sawtooth-like"),
    CLAIM("5th break-away, Stribeck", "s", 42.22, 0.05, drift, "sawtooth-like"),
    OURS("largest angle, Coulomb", "deg", 100.66, 0.03, euler),
    NUMBER("angle at 60 s, Coulomb", "deg", 90.02, 0.03, euler, 90, 0.05),
    {.name = NULL},
};

enum { breakaways = 5 };

typedef struct observed {
    const experiment *self;
    experiment_curve *angle, *command;
    bool moves, stopped;
    double breakaway[breakaways]; /* s, after the first stop */
    int count;
    double peak;                  /* of the command, after the first stop, N m */
    double highest, angle_at_end; /* deg */
} observed;

static void observe(void *context, const wrist_sample *s) {
    observed *of = context;
    const double speed = fabs(s->velocity), angle = s->position / degree;
    if (s->step % 10 == 0) { /* a slip takes a tenth of a second */
        add_point(of->angle, s->time, angle);
        add_point(of->command, s->time, s->command);
    }
    if (!of->moves && of->stopped && speed > param(of->self, "v_slip")) {
        if (of->count < breakaways) of->breakaway[of->count] = s->time;
        of->count++;
    }
    if (speed > param(of->self, "v_slip")) of->moves = true;
    if (of->moves && speed < param(of->self, "v_stick")) {
        of->moves = false;
        of->stopped = true;
    }
    if (of->stopped) of->peak = fmax(of->peak, fabs(s->command));
    of->highest = fmax(of->highest, angle);
    of->angle_at_end = angle;
}

static void run_experiment(const experiment *self, experiment_run *out) {
    wrist_law laws[WRIST_LAWS];
    wrist_laws(self, laws);
    experiment_plot *angle = add_plot(out, "Joint angle", "time (s)", "angle (deg)");
    experiment_plot *command = add_plot(out, "Reference torque", "time (s)", "torque (N m)");
    observed of[WRIST_LAWS];
    for (int k = 0; k < WRIST_LAWS; k++) {
        wrist w = wrist_of(self, laws[k].friction);
        w.lambda = param(self, "lambda");
        of[k] = (observed){.self = self,
                           .angle = add_curve(angle, laws[k].name),
                           .command = add_curve(command, laws[k].name)};
        for (int b = 0; b < breakaways; b++) of[k].breakaway[b] = (double)NAN;
        (void)wrist_simulate(&w, param(self, "duration"), observe, &of[k]);
    }
    MEASURE(out, of[0].peak, of[1].peak);
    for (int b = 0; b < breakaways; b++) measure(out, of[0].breakaway[b]);
    MEASURE(out, of[2].highest, of[2].angle_at_end);
}

const experiment S_fig13 = {
    .id = "S.fig13",
    .title = "The wrist under a compliant controller, with integral term",
    .shows = "With stiction the integral term hunts: it winds up to 2.5 N m, the joint jumps past "
             "its target and sticks again; with Coulomb friction it converges.",
    .seconds = 0.2,
    .chief = true,
    .parameters = parameters,
    .quantities = quantities,
    .run = run_experiment,
};
