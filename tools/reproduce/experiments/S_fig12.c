/* SPDX-License-Identifier: MIT */
/* Cisneros et al., Fig 12: the wrist under the compliant controller without integral term. */
#include <math.h>

#include "../experiment.h"
#include "wrist.h"

static const double degree = 3.141592653589793 / 180;

static const experiment_parameter parameters[] = {
    {"kp", 20, "s^-2", PRINTED, NULL},
    {"kv", 2, "s^-1", PRINTED, NULL},
    {"target", 90, "deg", PRINTED, NULL},
    WRIST_INERTIA,
    WRIST_STRIBECK,
    WRIST_RATIONAL,
    WRIST_COULOMB,
    WRIST_ELEMENT,
    {.symbol = NULL},
};

static const char euler[] = "integrator details move the angle by less than 0.03 deg";

static const experiment_quantity quantities[] = {
    NUMBER("stop angle, Stribeck", "deg", 69.877, 0.03, euler, 69.9, 0.05),
    NUMBER("stop time, Stribeck", "s", 2.768, 0.01, euler, 2.75, 0.05),
    NUMBER("stop angle, rational", "deg", 68.441, 0.03, euler, 68.4, 0.05),
    NUMBER("stop time, rational", "s", 2.712, 0.01, euler, 2.75, 0.05),
    CLAIM("angle at 4 s, Coulomb", "deg", 68.53, 0.03, euler, "around 70 deg, still moving"),
    {.name = NULL},
};

typedef struct observed {
    experiment_curve *angle, *torque;
    double stop_angle, stop_time, angle_at_4; /* deg, s, deg */
} observed;

static void observe(void *context, const wrist_sample *s) {
    observed *of = context;
    add_point(of->angle, s->time, s->position / degree);
    add_point(of->torque, s->time, s->friction);
    of->stop_angle = s->position / degree;
    if (fabs(s->velocity) > 1e-3) of->stop_time = s->time;
    if (s->time <= 4) of->angle_at_4 = s->position / degree;
}

static void run_experiment(const experiment *self, experiment_run *out) {
    wrist_law laws[WRIST_LAWS];
    wrist_laws(self, laws);
    experiment_plot *angle = add_plot(out, "Joint angle", "time (s)", "angle (deg)");
    experiment_plot *torque = add_plot(out, "Friction torque", "time (s)", "torque (N m)");
    observed of[WRIST_LAWS];
    for (int k = 0; k < WRIST_LAWS; k++) {
        const wrist w = wrist_of(self, laws[k].friction);
        of[k] =
            (observed){add_curve(angle, laws[k].name), add_curve(torque, laws[k].name), 0, 0, 0};
        (void)wrist_simulate(&w, 6, observe, &of[k]);
    }
    MEASURE(out, of[0].stop_angle, of[0].stop_time, of[1].stop_angle, of[1].stop_time,
            of[2].angle_at_4);
}

const experiment S_fig12 = {
    .id = "S.fig12",
    .title = "The wrist under a compliant controller, without integral term",
    .shows = "With stiction the joint stops 20 deg short of its target and stays; with Coulomb "
             "friction it creeps on.",
    .seconds = 0.1,
    .chief = true,
    .parameters = parameters,
    .quantities = quantities,
    .run = run_experiment,
};
