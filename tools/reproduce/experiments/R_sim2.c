/* SPDX-License-Identifier: MIT */
/* Kikuuwe and Yamamoto, simulation II (Figs 6 and 7): a two-link arm with friction in its joints.
 */
#include <math.h>

#include "../experiment.h"
#include "arm.h"

static const experiment_parameter parameters[] = {
    ARM_PARAMETERS,
    {"D of LuGre", 0, "N m s/rad", CHOSEN, "its K, B and F are those above; the paper gives none"},
    {.symbol = NULL},
};

static const char phase[] = "half of the last digit and the bristle's amplitude 0.144/5000";
static const char no_drift[] = "averages of ten periods of the motor";
static const char drift[] = "one digit is stated";
static const char halved_angle[] = "measured; half of T moves it by less than 5e-5 rad";
static const char not_printed[] =
    "above the panel's last tick: the links' inertia and g(v) of LuGre are not printed";
static const char halved[] = "half of T moves it by 0.001 s";

static const experiment_quantity quantities[] = {
    CLAIM("final angle, joint 0", "rad", 1.0522, 8e-5, phase,
          "in the panel of Fig 7, 1.05 to 1.09"),
    CLAIM("final angle, joint 1", "rad", 2.4000, 8e-5, phase,
          "in the panel of Fig 7, 2.37 to 2.41"),
    NUMBER("last slip at", "s", 4.478, 0.003, halved, 4.5, 0.1),
    CLAIM("drift, joint 0", "rad/s", 0, 1e-7, no_drift, "stops"),
    CLAIM("drift, joint 1", "rad/s", 0, 1e-7, no_drift, "stops"),
    CLAIM("drift, joint 0, LuGre", "rad/s", 6e-3, 5e-4, drift, "the link angles drift"),
    CLAIM("drift, joint 1, LuGre", "rad/s", 6e-3, 5e-4, drift, "the link angles drift"),
    CLAIM_DIFFERS("final angle, joint 0, LuGre", "rad", 1.0908, 1e-4, halved_angle,
                  "in the panel of Fig 7, 1.05 to 1.09", not_printed),
    CLAIM_DIFFERS("final angle, joint 1, LuGre", "rad", 2.4223, 1e-4, halved_angle,
                  "in the panel of Fig 7, 2.37 to 2.41", not_printed),
    {.name = NULL},
};

static const char *const misprints[] = {
    "(28j) adds the friction torque: friction opposes, so the joint receives the motor's torque "
    "less "
    "the friction.",
    "The exponent of T is lost: 1e-4 s.",
    NULL,
};

/* Where the panels of Fig 7 begin, rad. */
static const double drawn_above[2] = {1.05, 2.37};

/* The angle is averaged over the ten periods of the motor that end at these times. */
static const double early = 5.5, late = 8;

typedef struct observed {
    experiment_curve *whole[2], *close[2];
    double ten_periods, half_step; /* s */
    double sum[2][2];              /* [early, late][joint] */
    long seen_of[2];
    double slid[2], last_slip; /* rad: angle less deflection; s */
    long count;
} observed;

static void observe(void *context, double t, const double *state) {
    observed *of = context;
    const double ends[2] = {early, late};
    for (int w = 0; w < 2; w++)
        if (t > ends[w] - of->ten_periods + of->half_step && t < ends[w] + of->half_step) {
            for (int i = 0; i < 2; i++) of->sum[w][i] += state[i];
            of->seen_of[w]++;
        }
    for (int i = 0; i < 2; i++) {
        const double slid = state[i] - state[4 + i];
        if (fabs(slid - of->slid[i]) > 1e-12) of->last_slip = t; /* more than rounding */
        of->slid[i] = slid;
    }
    if (of->count++ % arm_draw_every) return;
    for (int i = 0; i < 2; i++) {
        add_point(of->whole[i], t, state[i]);
        if (t >= arm_drawn_from && state[i] >= drawn_above[i]) add_point(of->close[i], t, state[i]);
    }
}

static double mean(const observed *of, int w, int joint) {
    return of->sum[w][joint] / (double)of->seen_of[w];
}

static double drift_of(const observed *of, int joint) {
    return (mean(of, 1, joint) - mean(of, 0, joint)) / (late - early);
}

static void draw_torque(const arm *a, experiment_run *out) {
    static const char *const names[] = {"joint 0", "joint 1"};
    experiment_plot *p = add_plot(out, "Applied torque (Fig 6)", "time (s)", "torque (N m)");
    experiment_curve *curves[2], *friction;
    for (int i = 0; i < 2; i++) curves[i] = add_curve(p, names[i]);
    friction = add_curve(p, "static friction");
    for (long k = 0; (double)k * a->T <= arm_duration; k += arm_draw_every) {
        double torque[2];
        arm_torques(a, (double)k * a->T, torque);
        for (int i = 0; i < 2; i++) add_point(curves[i], (double)k * a->T, torque[i]);
        add_point(friction, (double)k * a->T, a->F);
    }
}

static void run_experiment(const experiment *self, experiment_run *out) {
    const arm a = arm_read(self);
    stiction_staged_friction friction;
    if (!network_coulomb(&friction, a.F, a.K, a.B, a.T)) return;
    stiction_single_state lugre = stiction_single_state_default();
    lugre.stiffness = a.K, lugre.damping = a.B;
    lugre.viscous = param(self, "D of LuGre");
    lugre.static_torque = lugre.coulomb_torque = a.F;
    const stiction_impedance models[2] = {stiction_staged_friction_impedance(&friction),
                                          stiction_single_state_impedance(&lugre)};

    draw_torque(&a, out);
    experiment_plot *joints[2] = {add_plot(out, "Joint 0 (Fig 7)", "time (s)", "angle (rad)"),
                                  add_plot(out, "Joint 1 (Fig 7)", "time (s)", "angle (rad)")};
    experiment_plot *whole = add_plot(out, "Both from the start", "time (s)", "angle (rad)");
    static const char *const names[2] = {"Kikuuwe et al.", "LuGre"};
    static const char *const whole_names[2][2] = {{"joint 0", "joint 1"},
                                                  {"joint 0, LuGre", "joint 1, LuGre"}};
    observed of[2];
    for (int m = 0; m < 2; m++) {
        of[m] =
            (observed){.ten_periods = 20 * 3.141592653589793 / a.frequency, .half_step = a.T / 2};
        for (int i = 0; i < 2; i++) {
            of[m].whole[i] = add_curve(whole, whole_names[m][i]);
            of[m].close[i] = add_curve(joints[i], names[m]);
        }
        if (!arm_simulate(&a, &models[m], observe, &of[m])) return;
    }
    MEASURE(out, mean(&of[0], 1, 0), mean(&of[0], 1, 1), of[0].last_slip, drift_of(&of[0], 0),
            drift_of(&of[0], 1), drift_of(&of[1], 0), drift_of(&of[1], 1), mean(&of[1], 1, 0),
            mean(&of[1], 1, 1));
}

const experiment R_sim2 = {
    .id = "R.sim2",
    .title = "Simulation II: a two-link arm that must stop",
    .shows = "Once the motors stay below the static friction the arm stands still, though their "
             "torque oscillates; with the LuGre model it drifts on.",
    .seconds = 0.5,
    .chief = true,
    .parameters = parameters,
    .quantities = quantities,
    .misprints = misprints,
    .run = run_experiment,
};
