/* SPDX-License-Identifier: MIT */
/* Drincic and Bernstein, Fig 5: quasi-stick-slip, with Table 1 as printed and with memory. */
#include <float.h>
#include <math.h>

#include "../experiment.h"
#include "bristle_body.h"
#include "joint_models/comparison/bristle_analysis.h"

static const experiment_parameter parameters[] = {
    {"v_p", 0.5, "m/s", PRINTED, NULL},
    {"m", 1, "kg", PRINTED, NULL},
    {"K", 1, "N/m", PRINTED, NULL},
    {"kappa", 0.5, "N m/rad", PRINTED, NULL},
    {"h", 0.098, "m", PRINTED, NULL},
    {"l_b", 0.1, "m", PRINTED, NULL},
    {"Delta", 0.01, "m", PRINTED, NULL},
    {"d", 1, "m", PRINTED, NULL},
    {"T", 1e-4, "s", CHOSEN, "RK4"},
    {"duration", 40, "s", CHOSEN, "from rest; measured in the second half"},
    {.symbol = NULL},
};

static const char steps[] = "steps of 2e-5 to 2e-4 s stay within it: releases amplify errors";

static const experiment_quantity quantities[] = {
    CLAIM("least velocity, as printed", "m/s", -0.141, 0.01, steps,
          "quasi-stick: momentarily comes to rest, and reverses its direction"),
    OURS("largest velocity, as printed", "m/s", 1.1, 0.02, steps),
    OURS("share of the time backwards, as printed", "", 0.14, 0.01, steps),
    CLAIM("time between slips, as printed", "s", 3.23, 0.05, steps,
          "the trajectories form a limit cycle"),
    CLAIM_DIFFERS("way back, as printed", "m", 0.0416, 0.005, steps,
                  "to the left until Fig 2(b)-(5)",
                  "(b)-(5) is d = 1 m away; the next reversal makes the force negative"),
    OURS("jump of the force at a reversal, as printed", "N", 0.99, 0.12, steps),
    OURS("jump of the force at a reversal, with memory", "N", 0, 0.005,
         "the slope of two bristles is 100 N/m, a step at the reversal 1e-8 m"),
    OURS("mean force of the spring, as printed", "N", 0.417, 0.006, steps),
    CLAIM_DIFFERS("mean force of the spring, with memory", "N", 0.988, 0.015,
                  "theory: kappa theta_max^2/(2 Delta) = 1.003 N over whole swings of 6.28 s",
                  "the trajectories form a limit cycle",
                  "bristles that stay bent through a short reversal lose nothing: no quasi-stick"),
    {.name = NULL},
};

static const char *const misprints[] = {
    "Table 1 starts every reversal from the steady sets of the motion before, however short that "
    "was: after 40 mm backwards it lets the left corner's bristles push as after a whole metre, "
    "and forgets those at the right corner. The quasi-stick rests on it. With memory, the reversal "
    "is noted only where the body turns at a new foremost point; until it has gone back by its "
    "length, the bristles are then a function of x.",
    NULL,
};

typedef struct rbm {
    stiction_bristles bristles;
    stiction_rbm_state state;
} rbm;

static stiction_interval body_on_rbm(const void *model, const double y[BODY_STATES], double *zdot) {
    const rbm *m = model;
    const double f = stiction_rbm_force(&m->bristles, &m->state, y[BODY_X]);
    (void)zdot;
    return (stiction_interval){f, f};
}

/* As printed: every reversal counts. */
static void note_all(rbm *m, double foremost, double x, double v) {
    (void)foremost;
    stiction_rbm_update(&m->bristles, &m->state, x, v);
}

/* With memory: a turn at the foremost point replaces the one before; all else changes nothing. */
static void note_foremost(rbm *m, double foremost, double x, double v) {
    if (v >= 0 && m->state.direction != 0) return;
    if (v < 0 && x < foremost) return;
    stiction_rbm_update(&m->bristles, &m->state, x, 1);
    stiction_rbm_update(&m->bristles, &m->state, x, v);
}

typedef struct observed {
    double v_min, v_max, backwards, way_back, jump, mean_spring, between_slips;
} observed;

typedef struct plots {
    experiment_plot *cycle, *x, *l, *v, *force;
} plots;

static observed simulate(const experiment *self, const plots *p, const char *label,
                         void (*note)(rbm *, double, double, double)) {
    const double T = param(self, "T"), duration = param(self, "duration");
    rbm model = {bristles_of(self), stiction_rbm_start(0)};
    bristle_body body = bristle_body_of(self);
    body.v_p = param(self, "v_p");
    body.friction = body_on_rbm;
    body.model = &model;
    trace cycle = trace_begin(add_curve(p->cycle, label), 0.004, 0.008);
    experiment_curve *x = add_curve(p->x, label);
    experiment_curve *l = add_curve(p->l, label);
    experiment_curve *v = add_curve(p->v, label);
    experiment_curve *force = add_curve(p->force, label);

    observed s = {.v_min = DBL_MAX, .v_max = -DBL_MAX};
    const long count = lround(duration / T);
    double foremost = 0, first_slip = (double)NAN, last_slip = (double)NAN, reached = 0;
    long slips = 0;
    bool slipping = false;
    for (long k = 0; k < count; k++) {
        const double *y = body.y, before = y[BODY_V];
        bristle_body_step(&body, T);
        const bool reverses = (before < 0) != (y[BODY_V] < 0);
        const double old_force = bristle_body_friction(&body);
        foremost = fmax(foremost, y[BODY_X]);
        note(&model, foremost, y[BODY_X], y[BODY_V]);
        const double new_force = bristle_body_friction(&body);
        if (k % 50 == 0 && body.t < 20) {
            add_point(x, body.t, y[BODY_X]);
            add_point(l, body.t, y[BODY_L]);
            add_point(v, body.t, y[BODY_V]);
            add_point(force, body.t, new_force);
        }
        if (k < count / 2) continue;
        trace_add(&cycle, y[BODY_L], y[BODY_V]);
        s.v_min = fmin(s.v_min, y[BODY_V]);
        s.v_max = fmax(s.v_max, y[BODY_V]);
        reached = fmax(reached, y[BODY_X]);
        s.way_back = fmax(s.way_back, reached - y[BODY_X]);
        s.backwards += y[BODY_V] < 0 ? 2.0 / (double)count : 0;
        s.mean_spring += body.K * y[BODY_L] * 2 / (double)count;
        if (reverses) s.jump = fmax(s.jump, fabs(new_force - old_force));
        /* a slip begins above 0.5 m/s and ends below 0.1 m/s */
        if (!slipping && y[BODY_V] > 0.5) {
            if (slips++ == 0) first_slip = body.t;
            last_slip = body.t;
            slipping = true;
        }
        if (y[BODY_V] < 0.1) slipping = false;
    }
    s.between_slips = (last_slip - first_slip) / (double)(slips - 1);
    return s;
}

static void run_experiment(const experiment *self, experiment_run *out) {
    const plots p = {
        add_plot(out, "(a) Limit cycle", "l (m)", "v (m/s)"),
        add_plot(out, "(b) Position", "time (s)", "x (m)"),
        add_plot(out, "(b) Spring", "time (s)", "l (m)"),
        add_plot(out, "(b) Velocity", "time (s)", "v (m/s)"),
        add_plot(out, "(b) Friction", "time (s)", "F_f (N)"),
    };
    const observed printed = simulate(self, &p, "Table 1 as printed", note_all);
    const observed memory = simulate(self, &p, "with memory", note_foremost);
    MEASURE(out, printed.v_min, printed.v_max, printed.backwards, printed.between_slips,
            printed.way_back, printed.jump, memory.jump, printed.mean_spring, memory.mean_spring);
}

const experiment B_fig5 = {
    .id = "B.fig5",
    .title = "Quasi-stick-slip of rotating bristles, and what it rests on",
    .shows = "With Table 1 as printed the body slips, rolls back and slips again; with bristles "
             "that remember a short reversal the limit cycle is gone.",
    .seconds = 1.2,
    .parameters = parameters,
    .quantities = quantities,
    .misprints = misprints,
    .run = run_experiment,
};
