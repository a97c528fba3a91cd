/* SPDX-License-Identifier: MIT
 * Drincic and Bernstein, Figs 3, 6 and 10: the friction of bristles under a prescribed motion.
 */
#include <math.h>
#include <string.h>

#include "../experiment.h"
#include "bristle_body.h"
#include "joint_models/comparison/bristle_analysis.h"

/* A curve that goes up and down more often than a page can show: of every `bin` of time the lowest
 * and the highest point. */
typedef struct envelope {
    experiment_curve *curve;
    double bin, until;
    double low[3], high[3]; /* time, x, y */
} envelope;

static envelope envelope_begin(experiment_curve *curve, double bin) {
    return (envelope){.curve = curve, .bin = bin, .until = -HUGE_VAL};
}

static void envelope_end(envelope *e) {
    if (e->until == -HUGE_VAL) return;
    const bool low_first = e->low[0] < e->high[0];
    const double *first = low_first ? e->low : e->high, *second = low_first ? e->high : e->low;
    add_point(e->curve, first[1], first[2]);
    if (second[0] > first[0]) add_point(e->curve, second[1], second[2]);
}

static void envelope_add(envelope *e, double t, double x, double y) {
    const double point[3] = {t, x, y};
    const bool next = t >= e->until;
    if (next) {
        envelope_end(e);
        e->until = (floor(t / e->bin) + 1) * e->bin;
    }
    if (next || y < e->low[2]) memcpy(e->low, point, sizeof point);
    if (next || y > e->high[2]) memcpy(e->high, point, sizeof point);
}

/* The prescribed motion x = A sin(omega t) of the parameters A, omega and T, and the friction over
 * its position and velocity in two plots. */
typedef struct sine_motion {
    double A, omega, T; /* m, rad/s, s */
    double quarter;     /* of a period, s */
    envelope over_x, over_v;
} sine_motion;

/* For so many quarters of a period. */
static sine_motion sine_motion_begin(const experiment *self, experiment_run *out, int quarters) {
    sine_motion m = {.A = param(self, "A"), .omega = param(self, "omega"), .T = param(self, "T")};
    m.quarter = acos(0) / m.omega;
    experiment_plot *over_x = add_plot(out, "(a) Friction over position", "x (m)", "F_f (N)");
    experiment_plot *over_v = add_plot(out, "(b) Friction over velocity", "v (m/s)", "F_f (N)");
    const double bin = quarters * m.quarter / 1400;
    m.over_x = envelope_begin(add_curve(over_x, "F_f"), bin);
    m.over_v = envelope_begin(add_curve(over_v, "F_f"), bin);
    return m;
}

static double sine_motion_position(const sine_motion *m, double t) {
    return m->A * sin(m->omega * t);
}

static double sine_motion_velocity(const sine_motion *m, double t) {
    return m->A * m->omega * cos(m->omega * t);
}

static void sine_motion_add(sine_motion *m, double t, double force) {
    envelope_add(&m->over_x, t, sine_motion_position(m, t), force);
    envelope_add(&m->over_v, t, sine_motion_velocity(m, t), force);
}

static void sine_motion_end(sine_motion *m) {
    envelope_end(&m->over_x);
    envelope_end(&m->over_v);
}

/* ---- Fig 3: the rotating bristle model under a prescribed motion ---- */

static const experiment_parameter fig3_parameters[] = {
    {"A", 5, "m", PRINTED, "x = A sin(omega t)"},
    {"omega", 0.1, "rad/s", PRINTED, NULL},
    {"kappa", 0.1, "N m/rad", PRINTED, NULL},
    {"h", 0.098, "m", PRINTED, NULL},
    {"l_b", 0.1, "m", PRINTED, NULL},
    {"Delta", 0.002, "m", PRINTED, NULL},
    {"d", 1, "m", PRINTED, NULL},
    {"T", 2e-4, "s", CHOSEN, "0.1 mm at the highest speed, a twentieth of the spacing"},
};

static const char fig3_sampled[] = "a sample is 0.1 mm, a bristle's force over it 0.001 N";

static const experiment_quantity fig3_quantities[] = {
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
    OURS("largest jump after the reversal, Table 1 as printed", "N", 0.894, 0.003, fig3_sampled),
    OURS("largest jump after the reversal, untangled", "N", 0.196, 0.003,
         "theory: one bristle at theta_max"),
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

static void run_fig3(const experiment *self, experiment_run *out) {
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
    .misprints = LINES(
        "Table 2 has x - d/2 >= x_b for v < 0; it must be <=.",
        "From its third row on, Table 1 counts every bristle within d0 of the leading corner. "
        "Where d0 > 2 Delta, as here, some of them still lie under the body, bent the other way, "
        "and the force jumps. Untangled, a bristle touches one corner at a time."),
    PARTS(fig3),
};

/* ---- Fig 6: the discontinuous model under a prescribed motion ---- */

static const char as_fig3[] = "that of Fig 3, the previous prescribed motion; Fig 6 does not say";

static const experiment_parameter fig6_parameters[] = {
    {"A", 1, "m", PRINTED, "x = A sin(omega t)"},
    {"omega", 0.01, "rad/s", PRINTED, NULL},
    {"kappa", 0.1, "N m/rad", INFERRED, as_fig3},
    {"h", 0.098, "m", INFERRED, as_fig3},
    {"l_b", 0.1, "m", INFERRED, as_fig3},
    {"Delta", 0.002, "m", INFERRED, as_fig3},
    {"d", 1, "m", INFERRED, as_fig3},
    {"T", 0.005, "s", CHOSEN, "50 um at the highest speed, a fortieth of the spacing"},
};

static const char after[] = "theory: nine bristles just after a release; a sample is 50 um";
static const char before[] = "theory: ten bristles just before a release; a sample is 50 um";

static const experiment_quantity fig6_quantities[] = {
    CLAIM("lowest force forwards", "N", 0.90542, 1e-3, after, "F_f > 0 for all v >= 0 (21)"),
    OURS("highest force forwards", "N", 1.10175, 1e-3, before),
    CLAIM("highest force backwards", "N", -0.90542, 1e-3, after, "F_f < 0 for all v < 0 (21)"),
    CLAIM_DIFFERS("least force by (19)", "N", 0.1784, 1e-4, "a formula",
                  "the minimum, with one bristle left",
                  "(19) holds for d0/Delta <= 2 only; here nine bristles are left"),
    CLAIM("force after the reversal over that before", "", -1, 1e-3,
          "x = A is a multiple of the spacing from both corners",
          "switches instantaneously while the magnitude remains unchanged"),
};

static void run_fig6(const experiment *self, experiment_run *out) {
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
    .misprints = LINES("(19), F_min with one bristle, holds only for 1 < d0/Delta <= 2."),
    PARTS(fig6),
};

/* ---- Fig 10: the sawtooth approximation under a prescribed motion ---- */

static const experiment_parameter fig10_parameters[] = {
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
};

static const char fig10_sampled[] = "a sample is 0.1 mm, 0.0015 N";

static const experiment_quantity fig10_quantities[] = {
    OURS("lowest force forwards", "N", 0.5, 0.002, fig10_sampled),
    OURS("highest force forwards", "N", 1, 0.002, fig10_sampled),
    OURS("lowest force backwards", "N", -1, 0.002, fig10_sampled),
    OURS("highest force backwards", "N", -0.5, 0.002, fig10_sampled),
    OURS("teeth from -A to A", "", 61, 0, "-A and A lie 30.3 teeth from 0"),
    CLAIM("largest distance from the bristles of Fig 7, over F_max", "", 0.0013, 0.0003,
          fig10_sampled, "the friction force resembles a sawtooth wave"),
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

static void run_fig10(const experiment *self, experiment_run *out) {
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
    .misprints = LINES("mod in (48) to (50) is floored, x - Delta floor(x/Delta), also below 0; v "
                       "= 0 counts as forwards."),
    PARTS(fig10),
};
