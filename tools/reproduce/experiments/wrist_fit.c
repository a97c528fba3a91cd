/* SPDX-License-Identifier: MIT */
/* Friction of the wrist by where and when it stops: Newton's method on two numbers. */
#include "wrist_fit.h"

#include <math.h>

static const double degree = 3.141592653589793 / 180;
static const double at_rest = 1e-3, in_motion = 1e-2; /* rad/s, as S.fig13 has them */

/* ---- one stop ---- */

typedef struct stopping {
    wrist_stop stop;
    double last_time, last_speed;
} stopping;

static void observe_stop(void *context, const wrist_sample *s) {
    stopping *of = context;
    const double speed = fabs(s->velocity);
    if (speed > at_rest)
        of->stop.time = (double)NAN; /* not yet */
    else if (of->last_speed > at_rest)
        of->stop.time = of->last_time + (s->time - of->last_time) * (of->last_speed - at_rest) /
                                            (of->last_speed - speed);
    of->last_time = s->time;
    of->last_speed = speed;
    of->stop.angle = s->position / degree;
    of->stop.torque = s->command;
}

static bool is_legal(const wrist *w) {
    stiction_error error;
    return stiction_joint_def_check(NULL, &w->friction, w->timestep, &error) == STICTION_OK;
}

wrist_stop wrist_stop_of(const wrist *w) {
    const wrist_stop none = {(double)NAN, (double)NAN, (double)NAN};
    const double duration = 10; /* s: three times what a stop takes here */
    stopping of = {.stop = none};
    if (is_legal(w)) (void)wrist_simulate(w, duration, observe_stop, &of);
    return isfinite(of.stop.time) ? of.stop : none;
}

/* ---- two parameters by two numbers ---- */

/* B as it is, or half as much again as the law needs at least. */
static void make_legal(wrist *w) {
    for (int k = 0; k < 20 && !is_legal(w); k++) w->friction.damping *= 1.5;
}

static wrist_stop stop_with(wrist w, double F_C, double D) {
    w.friction.coulomb_torque = F_C;
    w.friction.viscous = D;
    make_legal(&w);
    return wrist_stop_of(&w);
}

static bool is_near(wrist_stop a, wrist_stop b) {
    return fabs(a.angle - b.angle) < 1e-3 && fabs(a.time - b.time) < 1e-3;
}

bool wrist_fit(wrist *w, wrist_stop goal) {
    double F_C = w->friction.coulomb_torque, D = w->friction.viscous;
    wrist_stop s = stop_with(*w, F_C, D);
    for (int k = 0; k < 40 && !is_near(s, goal); k++) {
        const double dF = 1e-3, dD = 1e-2;
        const wrist_stop f = stop_with(*w, F_C + dF, D), d = stop_with(*w, F_C, D + dD);
        const double a_f = (f.angle - s.angle) / dF, a_d = (d.angle - s.angle) / dD;
        const double t_f = (f.time - s.time) / dF, t_d = (d.time - s.time) / dD;
        const double da = goal.angle - s.angle, dt = goal.time - s.time,
                     det = a_f * t_d - a_d * t_f;
        const double to_F = (da * t_d - a_d * dt) / det, to_D = (a_f * dt - t_f * da) / det;
        /* a long way is gone in parts: far from the goal the stop is not linear */
        const double part = fmin(1, fmin(0.1 / fabs(to_F), 0.5 / fabs(to_D)));
        F_C += part * to_F;
        D += part * to_D;
        if (!(F_C > 0 && D > 0)) return false;
        s = stop_with(*w, F_C, D);
    }
    w->friction.coulomb_torque = F_C;
    w->friction.viscous = D;
    make_legal(w);
    return is_near(s, goal);
}

/* ---- a minute with an integral term ---- */

typedef struct hunting {
    wrist_hunt hunt;
    bool moves;
    double peak; /* since the last slip began */
    experiment_curve *angle;
} hunting;

static void observe_hunt(void *context, const wrist_sample *s) {
    hunting *of = context;
    wrist_hunt *hunt = &of->hunt;
    const double speed = fabs(s->velocity), angle = s->position / degree;
    if (of->angle && s->step % 50 == 0 && angle > 80) add_point(of->angle, s->time, angle);
    hunt->highest = fmax(hunt->highest, angle);
    /* a stuck joint's command rises until it moves, and falls as soon as it does */
    if (!of->moves) of->peak = fmax(of->peak, fabs(s->command));
    if (!of->moves && speed > in_motion) {
        of->moves = true;
        if (hunt->slips++ > 0) {
            hunt->least_peak = fmin(hunt->least_peak, of->peak);
            hunt->highest_peak = fmax(hunt->highest_peak, of->peak);
        }
    } else if (of->moves && speed < at_rest) {
        of->moves = false;
        of->peak = 0;
    }
}

wrist_hunt wrist_hunt_of(const wrist *w, double kp, double kv, double lambda,
                         experiment_curve *angle) {
    wrist hunts = *w;
    hunts.kp = kp;
    hunts.kv = kv;
    hunts.lambda = lambda;
    hunting of = {.hunt = {.least_peak = (double)INFINITY}, .angle = angle};
    (void)wrist_simulate(&hunts, 60, observe_hunt, &of);
    return of.hunt;
}
