/* SPDX-License-Identifier: MIT */
/* Drincic and Bernstein, Fig 7: exact stick-slip of the discontinuous model. */
#include <float.h>
#include <math.h>

#include "../experiment.h"
#include "pulled_body.h"

static const experiment_parameter parameters[] = {
    PULLED_BODY_PARAMETERS,
    {"l outside", 0.25, "m", CHOSEN, "a start outside of the limit cycle, at rest"},
    {"l inside", 0.1, "m", CHOSEN, "a start inside of the limit cycle"},
    {"v inside", 0.025, "m/s", CHOSEN, "a start inside of the limit cycle"},
    {"duration", 600, "s", CHOSEN, "measured from 100 s on"},
    {.symbol = NULL},
};

static const char chaos[] =
    "which bristle stops a slip is chaotic and moves the extremes by 0.0005";
static const char slips[] = "a slip passes 21 or 22 bristles, 105 or 110 mm of the puller";
static const char converge[] = "trajectories starting inside and outside converge to the cycle";

static const experiment_quantity quantities[] = {
    OURS("least spring length", "m", 0.049, 0.001, chaos),
    OURS("largest spring length", "m", 0.150, 0.001, chaos),
    OURS("largest velocity", "m/s", 0.053, 0.0005, chaos),
    CLAIM("largest velocity, from outside", "m/s", 0.053, 0.0005, chaos, converge),
    CLAIM("largest velocity, from inside", "m/s", 0.053, 0.0005, chaos, converge),
    OURS("shortest time between slips", "s", 52.5, 0.6, slips),
    OURS("longest time between slips", "s", 54.8, 0.6, slips),
    CLAIM("least velocity over eta", "", 0, 1, "the stick band",
          "exact stick-slip: quasi-stick is replaced by sticking"),
    CLAIM("share of the time stuck", "", 0.63, 0.15, "steps of 0.5 to 2 ms give 0.51 to 0.75",
          "sticking, v = 0 and dl/dt = v_p"),
    {.name = NULL},
};

static const char *const misprints[] = {PULLED_BODY_MISPRINTS, NULL};

typedef struct observed {
    double l_min, l_max, v_min, v_max, shortest, longest, stuck;
} observed;

typedef struct curves {
    experiment_curve *x, *l, *v, *force; /* may be NULL all */
} curves;

static void draw(const curves *c, const bristle_body *body) {
    add_point(c->x, body->t, body->y[BODY_X]);
    add_point(c->l, body->t, body->y[BODY_L]);
    add_point(c->v, body->t, body->y[BODY_V]);
    add_point(c->force, body->t, bristle_body_friction(body));
}

static observed simulate(const experiment *self, double l, double v, experiment_curve *cycle,
                         double cycle_until, const curves *over_time) {
    const double T = param(self, "T"), duration = param(self, "duration");
    const stiction_bristles bristles = bristles_of(self);
    bristle_body body = pulled_body(self, &bristles);
    body.y[BODY_L] = l;
    body.y[BODY_V] = v;
    trace loop = trace_begin(cycle, 4e-4, 2e-4);
    observed s = {.l_min = DBL_MAX, .v_min = DBL_MAX, .shortest = DBL_MAX};
    double next = 0, slip = 0;
    while (body.t < duration) {
        const double *y = body.y;
        if (body.t < cycle_until) trace_add(&loop, y[BODY_L], y[BODY_V]);
        if (over_time && body.t >= next && body.t < 220) {
            draw(over_time, &body);
            next += 0.05;
        }
        const double dt = bristle_body_step(&body, T);
        if (body.t < 100) continue; /* from the start to the limit cycle */
        s.l_min = fmin(s.l_min, y[BODY_L]);
        s.l_max = fmax(s.l_max, y[BODY_L]);
        s.v_min = fmin(s.v_min, y[BODY_V]);
        s.v_max = fmax(s.v_max, y[BODY_V]);
        if (bristle_body_sticks(&body)) s.stuck += dt / (duration - 100);
        if (y[BODY_V] > 0.04 && body.t - slip > 20) { /* a slip lasts 4 s */
            if (slip > 0) {
                s.shortest = fmin(s.shortest, body.t - slip);
                s.longest = fmax(s.longest, body.t - slip);
            }
            slip = body.t;
        }
    }
    return s;
}

static void run_experiment(const experiment *self, experiment_run *out) {
    experiment_plot *cycle = add_plot(out, "(a) Limit cycle", "l (m)", "v (m/s)");
    experiment_curve *at_rest = add_curve(cycle, "from zero");
    experiment_curve *outside = add_curve(cycle, "from outside");
    experiment_curve *inside = add_curve(cycle, "from inside");
    const curves over_time = {
        add_curve(add_plot(out, "(b) Position", "time (s)", "x (m)"), "x"),
        add_curve(add_plot(out, "(b) Spring", "time (s)", "l (m)"), "l"),
        add_curve(add_plot(out, "(b) Velocity", "time (s)", "v (m/s)"), "v"),
        add_curve(add_plot(out, "(b) Friction", "time (s)", "F_f (N)"), "F_f"),
    };
    const observed s = simulate(self, 0, 0, at_rest, 250, &over_time);
    const observed o = simulate(self, param(self, "l outside"), 0, outside, 40, NULL);
    const observed i =
        simulate(self, param(self, "l inside"), param(self, "v inside"), inside, 40, NULL);
    MEASURE(out, s.l_min, s.l_max, s.v_max, o.v_max, i.v_max, s.shortest, s.longest,
            s.v_min / param(self, "eta"), s.stuck);
}

const experiment B_fig7 = {
    .id = "B.fig7",
    .title = "Exact stick-slip of the discontinuous bristle model",
    .shows = "The body sticks, creeps up a tooth of the force, slips over some twenty bristles and "
             "sticks again, never moving backwards.",
    .seconds = 2,
    .chief = true,
    .parameters = parameters,
    .quantities = quantities,
    .misprints = misprints,
    .run = run_experiment,
};
