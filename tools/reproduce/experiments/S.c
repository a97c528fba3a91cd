/* SPDX-License-Identifier: MIT
 * The figures of Cisneros et al.: the laws of the wrist, and its motion.
 */
#include <math.h>

#include "../experiment.h"
#include "wrist.h"

/* ---- Fig 3: the Stribeck law over the joint velocity ---- */

static const experiment_parameter fig3_parameters[] = {
    WRIST_STRIBECK,
    WRIST_ELEMENT,
    {"range", 0.5, "rad/s", CHOSEN, "of the plot: the figure is lost"},
};

static const char theory[] = "a closed form, up to the search for the minimum";

static const experiment_quantity fig3_quantities[] = {
    OURS("torque at +0", "N m", 2.5, 0, "exact: F_S"),
    OURS("velocity of least friction", "rad/s", 0.12307624, 1e-7, theory),
    CLAIM("least friction", "N m", 1.2238430795, 1e-9, theory,
          "decreases with increased speed, then increases"),
    OURS("steepest descent", "N m s/rad", 30.5, 1e-12, "exact: F_SC/v_S - D"),
};

static void run_fig3(const experiment *self, experiment_run *out) {
    const stiction_joint_def def = wrist_stribeck(self);
    const law_curve c = law_curve_of(&def, param(self, "T"));
    const double range = param(self, "range");
    experiment_plot *plot =
        add_plot(out, "Stribeck friction model", "joint velocity (rad/s)", "friction torque (N m)");
    law_curve_draw(&c, law_curve_phi, range, 500, add_curve(plot, "Stribeck"));
    const double least = law_curve_minimum(&c, law_curve_phi, 0, range);
    MEASURE(out, law_curve_phi(&c, 0), least, law_curve_phi(&c, least),
            c.law->steepest_descent(&c.parameters));
}

const experiment S_fig3 = {
    .id = "S.fig3",
    .title = "The Stribeck law of the wrist",
    .shows = "Friction falls from 2.5 N m at rest to half of that at 0.12 rad/s, and rises again "
             "with the viscous term.",
    .seconds = 0.01,
    .misprints = LINES("Section III (b) demands Phi(x) > 0; a friction law has Phi(x) x > 0."),
    PARTS(fig3),
};

/* ---- Fig 4: the implicit transformation of the Stribeck law ---- */

static const experiment_parameter fig4_parameters[] = {
    WRIST_STRIBECK,
    WRIST_ELEMENT,
    {"range", 0.5, "rad/s", CHOSEN, "of the plot: the figure is lost"},
};

static const experiment_quantity fig4_quantities[] = {
    CLAIM("stick up to v* =", "rad/s", 2.5 / 55, 1e-15, "exact: Z F_S", "x/Z if |x| <= Z F_S"),
    OURS("slope while it sticks", "N m s/rad", 55, 1e-12, "exact: K T + B"),
    OURS("v* of least friction", "rad/s", 0.14532793, 1e-7, "a closed form, up to the search"),
    OURS("torque at v* = -50", "N m", -208.35294117647058, 1e-13,
         "an ulp of a value from 60 digits; (27) overflows there"),
    CLAIM("largest |y - Phi(v* - Z y)| while it slips", "N m", 0, 1e-13,
          "rounding of v* - Z y times the steepest slope", "y = Phi(x - Z y)"),
    CLAIM("1 + Z min Phi'", "", 1 - 30.5 / 55, 1e-15, "exact; legal above 0, (14)",
          "the condition (14) must be respected"),
};

static double residual(const law_curve *c, double range) {
    double largest = 0;
    for (int k = 1; k <= 100000; k++) {
        const double x = range * k / 100000, y = law_curve_phi_z(c, x);
        if (stiction_phi_z_sticks(&c->phi_z, x)) continue;
        largest = fmax(largest, fabs(y - law_curve_phi(c, fma(-c->phi_z.Z, y, x))));
    }
    return largest;
}

static void run_fig4(const experiment *self, experiment_run *out) {
    const stiction_joint_def def = wrist_stribeck(self);
    const law_curve c = law_curve_of(&def, param(self, "T"));
    const double range = param(self, "range");
    experiment_plot *plot = add_plot(out, "Implicit transformation of the Stribeck friction model",
                                     "hypothetical velocity v* (rad/s)", "friction torque (N m)");
    law_curve_draw(&c, law_curve_phi_z, range, 500, add_curve(plot, "Stribeck"));

    /* the largest v* that sticks, to the last bit */
    double stick = 0, slip = range;
    for (int k = 0; k < 200; k++) {
        const double middle = stick + (slip - stick) / 2;
        *(stiction_phi_z_sticks(&c.phi_z, middle) ? &stick : &slip) = middle;
    }
    MEASURE(out, stick, law_curve_phi_z(&c, stick / 2) / (stick / 2),
            law_curve_minimum(&c, law_curve_phi_z, stick, range), law_curve_phi_z(&c, -50),
            residual(&c, range), c.phi_z.margin);
}

const experiment S_fig4 = {
    .id = "S.fig4",
    .title = "The implicit transformation of the Stribeck law",
    .shows = "The jump at rest has become a steep line: below Z F_S the bristle takes the whole "
             "motion, above it the law of Fig 3 goes on without a gap.",
    .seconds = 0.02,
    PARTS(fig4),
};

/* ---- Fig 7: the rational law beside the Stribeck law ---- */

static const experiment_parameter fig7_parameters[] = {
    WRIST_STRIBECK,
    WRIST_RATIONAL,
    WRIST_ELEMENT,
    {"range", 0.5, "rad/s", CHOSEN, "of the plot: the figure is lost"},
};

static const experiment_quantity fig7_quantities[] = {
    OURS("torque at +0, rational", "N m", 2.5, 0, "exact: F_S"),
    OURS("velocity of least friction, rational", "rad/s", 0.10298407, 1e-7, theory),
    OURS("least friction, rational", "N m", 1.3068566354, 1e-9, theory),
    CLAIM("largest distance of the two curves", "N m", 0.1716529, 1e-6,
          "a difference of closed forms on a fine grid", "an equivalent curve"),
    OURS("r = -Phi'(+0), rational", "N m s/rad", 53, 1e-12, "exact: (38)"),
};

static void run_fig7(const experiment *self, experiment_run *out) {
    const stiction_joint_def rational = wrist_rational(self), stribeck = wrist_stribeck(self);
    const double T = param(self, "T"), range = param(self, "range");
    const law_curve r = law_curve_of(&rational, T), s = law_curve_of(&stribeck, T);
    experiment_plot *plot = add_plot(out, "Rational and Stribeck friction models",
                                     "joint velocity (rad/s)", "friction torque (N m)");
    law_curve_draw(&r, law_curve_phi, range, 500, add_curve(plot, "rational"));
    law_curve_draw(&s, law_curve_phi, range, 500, add_curve(plot, "Stribeck"));
    const double least = law_curve_minimum(&r, law_curve_phi, 0, range);
    MEASURE(out, law_curve_phi(&r, 0), least, law_curve_phi(&r, least),
            law_curve_distance(&r, &s, law_curve_phi, range),
            -stiction_phi_slope(r.law, &r.parameters, 0));
}

const experiment S_fig7 = {
    .id = "S.fig7",
    .title = "The rational law beside the Stribeck law",
    .shows = "With its own F_C and v_S the rational law stays within 0.18 N m of the Stribeck law, "
             "without an exponential.",
    .seconds = 0.02,
    .misprints = LINES(
        "The captions of Figs 7 and 8 are mixed up: F_S 2.5, F_C 0.2, v_S 0.04, D 4.5 belong to "
        "Fig 7, K 5000, B 50, T 0.001 to Fig 8.",
        "(33) to (42) come down to delta = v_S: Phi = F_C + F_SC v_S/(|x| + v_S) + D |x|, odd."),
    PARTS(fig7),
};

/* ---- Fig 8: the implicit transformations of both laws; and what (47) prints ---- */

static const experiment_parameter fig8_parameters[] = {
    WRIST_STRIBECK,
    WRIST_RATIONAL,
    WRIST_ELEMENT,
    {"range", 0.5, "rad/s", CHOSEN, "of the plot: the figure is lost"},
};

static const experiment_quantity fig8_quantities[] = {
    CLAIM("largest distance of the two curves", "N m", 0.28930, 1e-5,
          "bisection of (15), in other hands", "an equivalent curve"),
    CLAIM("1 + Z min Phi', rational", "", 1 - 53.0 / 55, 1e-14, "exact; legal above 0",
          "r < K T + B, (49)"),
    CLAIM_DIFFERS("v_S/F_S - Z, rational", "s", 0.04 / 2.5 - 1 / 55., 1e-15, "exact",
                  "(32) asks for Z <= v_S/F_S",
                  "(32) is sufficient, not necessary: it refuses the paper's own rational set, "
                  "which is legal"),
    CLAIM("torque at v* = -0.2, rational", "N m", -1.4136479948947387, 1e-12,
          "the quadratic equation of (44), in other hands", "odd"),
    CLAIM_DIFFERS("the same, (47) as printed", "N m", 12.80315872779434, 1e-12,
                  "the printed formula", "odd",
                  "b_- has the wrong sign: friction would drive the joint"),
};

/* (45) with (46) to (48) as they stand in the paper, for x < 0. */
static double as_printed(const law_curve *c, double x) {
    const stiction_law_parameters *p = &c->parameters;
    const double Z = c->phi_z.Z, D = p->viscous, delta = p->stribeck_velocity;
    const double alpha = D * delta + p->coulomb_torque, beta = p->static_torque * delta;
    const double a = D * Z * Z + Z, b = -(-x + delta - 2 * D * Z * x + alpha * Z);
    return (-b + sqrt(b * b - 4 * a * (D * x * x - alpha * x + beta))) / (2 * a);
}

static void run_fig8(const experiment *self, experiment_run *out) {
    const stiction_joint_def rational = wrist_rational(self), stribeck = wrist_stribeck(self);
    const double T = param(self, "T"), range = param(self, "range");
    const law_curve r = law_curve_of(&rational, T), s = law_curve_of(&stribeck, T);
    static const char x_label[] = "hypothetical velocity v* (rad/s)";
    experiment_plot *plot =
        add_plot(out, "Implicit transformations of the rational and the Stribeck model", x_label,
                 "friction torque (N m)");
    law_curve_draw(&r, law_curve_phi_z, range, 500, add_curve(plot, "rational"));
    law_curve_draw(&s, law_curve_phi_z, range, 500, add_curve(plot, "Stribeck"));
    plot = add_plot(out, "The left side of the rational model as (47) prints it", x_label,
                    "friction torque (N m)");
    law_curve_draw(&r, law_curve_phi_z, range, 500, add_curve(plot, "corrected"));
    experiment_curve *printed = add_curve(plot, "as printed");
    for (double x = -range; x < -r.phi_z.Z * r.phi_z.breakaway; x += range / 200)
        add_point(printed, x, as_printed(&r, x));

    MEASURE(out, law_curve_distance(&r, &s, law_curve_phi_z, range), r.phi_z.margin,
            r.parameters.stribeck_velocity / r.parameters.static_torque - r.phi_z.Z,
            law_curve_phi_z(&r, -0.2), as_printed(&r, -0.2));
}

const experiment S_fig8 = {
    .id = "S.fig8",
    .title = "The implicit transformations of both laws",
    .shows = "Both laws stick up to the same v* and stay close; the rational one is legal by a "
             "margin of 4 %, so it drops off much more steeply.",
    .seconds = 0.02,
    .misprints = LINES("(47): b_- = +(-x + delta - 2DZx + alpha Z), not -(...); the library works "
                       "on |x| and gives y the sign of x.",
                       "The captions of Figs 7 and 8 are mixed up: F_S 2.5, F_C 0.2, v_S 0.04, D "
                       "4.5 belong to Fig 7, K 5000, B 50, T 0.001 to Fig 8."),
    PARTS(fig8),
};

/* ---- Fig 12: the wrist under the compliant controller without integral term ---- */

static const double degree = 3.141592653589793 / 180;

static const experiment_parameter fig12_parameters[] = {
    {"kp", 20, "s^-2", PRINTED, NULL},
    {"kv", 2, "s^-1", PRINTED, NULL},
    {"target", 90, "deg", PRINTED, NULL},
    WRIST_INERTIA,
    WRIST_STRIBECK,
    WRIST_RATIONAL,
    WRIST_COULOMB,
    WRIST_ELEMENT,
};

static const char euler[] = "integrator details move the angle by less than 0.03 deg";

static const experiment_quantity fig12_quantities[] = {
    NUMBER("stop angle, Stribeck", "deg", 69.877, 0.03, euler, 69.9, 0.05),
    NUMBER("stop time, Stribeck", "s", 2.768, 0.01, euler, 2.75, 0.05),
    NUMBER("stop angle, rational", "deg", 68.441, 0.03, euler, 68.4, 0.05),
    NUMBER("stop time, rational", "s", 2.712, 0.01, euler, 2.75, 0.05),
    CLAIM("angle at 4 s, Coulomb", "deg", 68.53, 0.03, euler, "around 70 deg, still moving"),
};

typedef struct fig12_observed {
    experiment_curve *angle, *torque;
    double stop_angle, stop_time, angle_at_4; /* deg, s, deg */
} fig12_observed;

static void fig12_observe(void *context, const wrist_sample *s) {
    fig12_observed *of = context;
    add_point(of->angle, s->time, s->position / degree);
    add_point(of->torque, s->time, s->friction);
    of->stop_angle = s->position / degree;
    if (fabs(s->velocity) > 1e-3) of->stop_time = s->time;
    if (s->time <= 4) of->angle_at_4 = s->position / degree;
}

static void run_fig12(const experiment *self, experiment_run *out) {
    wrist_law laws[WRIST_LAWS];
    wrist_laws(self, laws);
    experiment_plot *angle = add_plot(out, "Joint angle", "time (s)", "angle (deg)");
    experiment_plot *torque = add_plot(out, "Friction torque", "time (s)", "torque (N m)");
    fig12_observed of[WRIST_LAWS];
    for (int k = 0; k < WRIST_LAWS; k++) {
        const wrist w = wrist_of(self, laws[k].friction);
        of[k] = (fig12_observed){add_curve(angle, laws[k].name), add_curve(torque, laws[k].name), 0,
                                 0, 0};
        (void)wrist_simulate(&w, 6, fig12_observe, &of[k]);
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
    PARTS(fig12),
};

/* ---- Fig 13: the wrist under the compliant controller with its integral term ---- */

static const experiment_parameter fig13_parameters[] = {
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
};

static const char drift[] = "the moment of a stop moves with integrator details";

static const experiment_quantity fig13_quantities[] = {
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
};

enum { breakaways = 5 };

typedef struct fig13_observed {
    const experiment *self;
    experiment_curve *angle, *command;
    bool moves, stopped;
    double breakaway[breakaways]; /* s, after the first stop */
    int count;
    double peak;                  /* of the command, after the first stop, N m */
    double highest, angle_at_end; /* deg */
} fig13_observed;

static void fig13_observe(void *context, const wrist_sample *s) {
    fig13_observed *of = context;
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

static void run_fig13(const experiment *self, experiment_run *out) {
    wrist_law laws[WRIST_LAWS];
    wrist_laws(self, laws);
    experiment_plot *angle = add_plot(out, "Joint angle", "time (s)", "angle (deg)");
    experiment_plot *command = add_plot(out, "Reference torque", "time (s)", "torque (N m)");
    fig13_observed of[WRIST_LAWS];
    for (int k = 0; k < WRIST_LAWS; k++) {
        wrist w = wrist_of(self, laws[k].friction);
        w.lambda = param(self, "lambda");
        of[k] = (fig13_observed){.self = self,
                                 .angle = add_curve(angle, laws[k].name),
                                 .command = add_curve(command, laws[k].name)};
        for (int b = 0; b < breakaways; b++) of[k].breakaway[b] = (double)NAN;
        (void)wrist_simulate(&w, param(self, "duration"), fig13_observe, &of[k]);
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
    PARTS(fig13),
};
