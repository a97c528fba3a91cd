/* SPDX-License-Identifier: MIT */
/* Drincic and Bernstein, Fig 3: the rotating bristle model under a prescribed motion. */
#include <math.h>

#include "../experiment.h"
#include "bristle_body.h"

static const experiment_parameter parameters[] = {
    {"A", 5, "m", PRINTED, "x = A sin(omega t)"},
    {"omega", 0.1, "rad/s", PRINTED, NULL},
    {"kappa", 0.1, "N m/rad", PRINTED, NULL},
    {"h", 0.098, "m", PRINTED, NULL},
    {"l_b", 0.1, "m", PRINTED, NULL},
    {"Delta", 0.002, "m", PRINTED, NULL},
    {"d", 1, "m", PRINTED, NULL},
    {"T", 2e-4, "s", CHOSEN, "0.1 mm at the highest speed, a twentieth of the spacing"},
    {.symbol = NULL},
};

static const char sampled[] = "a sample is 0.1 mm, a bristle's force over it 0.001 N";

static const experiment_quantity quantities[] = {
    OURS("force at the start", "N", 0, 0, "no corner touches a bristle"),
    OURS("mean force of sliding", "N", 1.00335, 1e-3,
         "theory: kappa theta_max^2/(2 Delta), the energy of a bristle over the spacing"),
    CLAIM("force after the reversal over that before", "", 1, 1e-6, "both within 1e-8 m of A",
          "as the velocity crosses zero, the force does not change sign"),
    CLAIM("mean force while both corners push", "N", 0, 1e-3, "theory: the two sets cancel",
          "oscillates around zero when a direction reversal occurs"),
    CLAIM("way back until the force has turned for good", "m", 0.99, 0.011,
          "theory: the last old bristle goes between d - d0 and d",
          "only the bristles of the new motion remain, Fig 2(b)-(5)"),
    OURS("largest jump after the reversal, Table 1 as printed", "N", 0.894, 0.003, sampled),
    OURS("largest jump after the reversal, untangled", "N", 0.196, 0.003,
         "theory: one bristle at theta_max"),
    {.name = NULL},
};

static const char *const misprints[] = {
    "Table 2 has x - d/2 >= x_b for v < 0; it must be <=.",
    "From its third row on, Table 1 counts every bristle within d0 of the leading corner. Where "
    "d0 > 2 Delta, as here, some of them still lie under the body, bent the other way, and the "
    "force jumps. Untangled, a bristle touches one corner at a time.",
    NULL,
};

/* What is seen of the motion back from the first reversal. */
typedef struct way_back {
    double before, after;   /* N, around the reversal */
    double impulse, length; /* of F dx while both corners push: N m, m */
    double turned;          /* m */
    double jump, untangled_jump, force, untangled_force;
} way_back;

static void follow_way_back(way_back *w, double way, double dx, double force, double untangled) {
    if (isnan(w->after)) {
        w->after = w->force = force;
        w->untangled_force = untangled;
    }
    if (way > 0.1 && way < 0.9) {
        w->impulse += force * dx;
        w->length += dx;
    }
    if (force > 0) w->turned = way;
    if (way < 0.05) {
        w->jump = fmax(w->jump, fabs(force - w->force));
        w->untangled_jump = fmax(w->untangled_jump, fabs(untangled - w->untangled_force));
    }
    w->force = force;
    w->untangled_force = untangled;
}

static void run_experiment(const experiment *self, experiment_run *out) {
    const stiction_bristles bristles = bristles_of(self);
    sine_motion sine = sine_motion_begin(self, out, 5);
    experiment_plot *close =
        add_plot(out, "The first 50 mm after the reversal at 5 m", "way back (mm)", "F_f (N)");
    experiment_curve *printed = add_curve(close, "Table 1 as printed");
    experiment_curve *one_corner = add_curve(close, "untangled");

    stiction_rbm_state state = stiction_rbm_start(0);
    way_back back = {.after = (double)NAN};
    double start = (double)NAN, work = 0, way = 0, last_x = 0;
    for (long k = 0; (double)k * sine.T < 5 * sine.quarter; k++) {
        const double t = (double)k * sine.T, x = sine_motion_position(&sine, t),
                     v = sine_motion_velocity(&sine, t);
        stiction_rbm_update(&bristles, &state, x, v);
        stiction_rbm_state untangled = state;
        untangled.untangled = true;
        const double force = stiction_rbm_force(&bristles, &state, x);
        const double alone = stiction_rbm_force(&bristles, &untangled, x);
        sine_motion_add(&sine, t, force);
        if (k == 0) start = force;
        if (t < sine.quarter) {
            back.before = force;
            if (x > 1 && x < 4) {
                work += force * (x - last_x);
                way += x - last_x;
            }
        } else if (t < 3 * sine.quarter) {
            follow_way_back(&back, sine.A - x, last_x - x, force, alone);
            if (sine.A - x < 0.05) {
                add_point(printed, (sine.A - x) * 1e3, force);
                add_point(one_corner, (sine.A - x) * 1e3, alone);
            }
        }
        last_x = x;
    }
    sine_motion_end(&sine);

    MEASURE(out, start, work / way, back.after / back.before, back.impulse / back.length,
            back.turned, back.jump, back.untangled_jump);
}

const experiment B_fig3 = {
    .id = "B.fig3",
    .title = "Friction of rotating bristles under a prescribed motion",
    .shows = "At a reversal the bent bristles go on pushing the same way: the force turns only "
             "once the body has moved back by its own length.",
    .seconds = 0.5,
    .parameters = parameters,
    .quantities = quantities,
    .misprints = misprints,
    .run = run_experiment,
};
