/* SPDX-License-Identifier: MIT
 * Kikuuwe et al. 2006, Figs 6, 7, 11, 13 and 14: blocks with the elements A to D.
 */
#include <math.h>

#include "../experiment.h"
#include "coulomb_element.h"

/* A block that slides in under a steady force (Kikuuwe et al. 2006, Figs 6 and 7): model A,
 * and beside it what explicit Euler makes of the same friction. */

typedef struct sliding_block {
    double mass;     /* M, kg */
    double friction; /* F, N */
    double force;    /* h, N */
    double velocity; /* v0, m/s */
    double timestep; /* T, s */
    bool explicit_euler;
} sliding_block;

typedef struct sliding_end {
    double arrival;     /* s, when the velocity is first zero or reversed */
    double reversals;   /* how often the velocity has changed its sign from a step to the next */
    double at_zero;     /* steps that end at exactly zero velocity */
    double speed_after; /* m/s, the largest from `arrival` on */
    double velocity;    /* m/s, at the end */
    double friction;    /* N, at the end */
} sliding_end;

/* M, F and h of the experiment's parameters. */
static sliding_block block_of(const experiment *self, double v0, double T) {
    return (sliding_block){.mass = param(self, "M"),
                           .friction = param(self, "F"),
                           .force = param(self, "h"),
                           .velocity = v0,
                           .timestep = T};
}

/* One step; returns the friction. */
static double step(const sliding_block *b, const stiction_element *a, double *v) {
    double f;
    if (b->explicit_euler) {
        f = *v == 0 ? 0 : stiction_phi(a->phi_z.law, &a->phi_z.parameters, *v);
        *v += b->timestep / b->mass * (b->force - f);
    } else {
        stiction_element_a_step(a, 1, &b->force, v, &f);
    }
    return f;
}

/* Into two curves over `duration` seconds. */
static sliding_end slide_block(const sliding_block *b, double duration, experiment_curve *velocity,
                               experiment_curve *friction) {
    const stiction_element_def def = {
        .kind = STICTION_ELEMENT_A, .mass = b->mass, .timestep = b->timestep};
    stiction_element a = coulomb_element(b->friction, &def);
    sliding_end end = {.arrival = (double)NAN, .velocity = (double)NAN, .friction = (double)NAN};
    double v = b->velocity;
    add_point(velocity, 0, v);
    for (long k = 1; k <= lround(duration / b->timestep); k++) {
        const double t = (double)k * b->timestep, before = v;
        end.friction = step(b, &a, &v);
        end.velocity = v;
        if (isnan(end.arrival) && v <= 0) end.arrival = t;
        if (v * before < 0) end.reversals++;
        if (v == 0) end.at_zero++;
        if (t >= end.arrival) end.speed_after = fmax(end.speed_after, fabs(v));
        add_point(velocity, t, v);
        add_point(friction, t, end.friction);
    }
    return end;
}

/* ---- Fig 6: model A reaches zero velocity ---- */

static const experiment_parameter fig6_parameters[] = {
    {"M", 1, "kg", PRINTED, NULL},
    {"F", 8, "N", PRINTED, NULL},
    {"h", -1, "N", PRINTED, NULL},
    {"v0", 0.7, "m/s", PRINTED, "the caption's"},
    {"v0 of the text", 1.3, "m/s", PRINTED, "the text's; probably Fig 7's by mistake"},
    {"T left", 0.001, "s", PRINTED, NULL},
    {"T right", 0.004, "s", PRINTED, NULL},
    {"duration", 0.2, "s", CHOSEN, NULL},
};

static const char fig6_grid[] = "v0/(F - h) = 0.0778 s, up to the next step; rounding";
static const char text_grid[] = "v0/(F - h) = 0.1444 s, up to the next step; rounding";
static const char no_chatter[] = "reaches the zero velocity without chattering";
static const char at_any_step[] = "irrespective of the timestep size";

static const experiment_quantity fig6_quantities[] = {
    CLAIM("at rest from, v0 0.7, T 1 ms", "s", 0.078, 1e-9, fig6_grid, no_chatter),
    CLAIM("at rest from, v0 0.7, T 4 ms", "s", 0.080, 1e-9, fig6_grid, at_any_step),
    OURS("at rest from, v0 1.3, T 1 ms", "s", 0.145, 1e-9, text_grid),
    OURS("at rest from, v0 1.3, T 4 ms", "s", 0.148, 1e-9, text_grid),
    CLAIM("velocity at the end", "m/s", 0, 0, "exactly zero, in all four runs", no_chatter),
    CLAIM("sign changes of the velocity", "", 0, 0, "a count, of all four runs", no_chatter),
    OURS("friction at the end", "N", -1, 1e-15, "holds h"),
    CLAIM("speed that explicit Euler keeps, T 1 ms", "m/s", 0.0085, 0.0006,
          "a step (F - h) T/M at most, 0.009; where it starts from zero is rounding",
          "conventional friction models suffer from chattering"),
};

static void run_fig6(const experiment *self, experiment_run *out) {
    static const char *const titles[2][2] = {{"Velocity, T = 1 ms", "Friction, T = 1 ms"},
                                             {"Velocity, T = 4 ms", "Friction, T = 4 ms"}};
    static const char *const names[] = {"v0 = 0.7 m/s (caption)", "v0 = 1.3 m/s (text)",
                                        "explicit Euler, v0 = 0.7 m/s"};
    const double T[] = {param(self, "T left"), param(self, "T right")};
    const double v0[] = {param(self, "v0"), param(self, "v0 of the text"), param(self, "v0")};
    const double duration = param(self, "duration");
    sliding_end end[2][3];
    double reversals = 0, velocity = 0;
    for (int n = 0; n < 2; n++) {
        experiment_plot *v = add_plot(out, titles[n][0], "time (s)", "velocity (m/s)");
        experiment_plot *f = add_plot(out, titles[n][1], "time (s)", "force f (N)");
        for (int k = 0; k < 3; k++) {
            sliding_block b = block_of(self, v0[k], T[n]);
            b.explicit_euler = k == 2;
            end[n][k] = slide_block(&b, duration, add_curve(v, names[k]), add_curve(f, names[k]));
            if (b.explicit_euler) continue;
            reversals += end[n][k].reversals;
            velocity += fabs(end[n][k].velocity);
        }
    }
    MEASURE(out, end[0][0].arrival, end[1][0].arrival, end[0][1].arrival, end[1][1].arrival,
            velocity, reversals, end[1][1].friction, end[0][2].speed_after);
}

const experiment K_fig6 = {
    .id = "K.fig6",
    .title = "Model A reaches zero velocity",
    .shows = "The block stops and stays at exactly zero, its friction then holds the force, at "
             "either time step; explicit Euler chatters on.",
    .seconds = 0.1,
    .misprints = LINES(
        "The initial velocity is 0.7 m/s in the caption and 1.3 m/s in the text: both are shown."),
    PARTS(fig6),
};

/* ---- Fig 7: model A reverses ---- */

static const experiment_parameter fig7_parameters[] = {
    {"M", 1, "kg", PRINTED, NULL},         {"F", 8, "N", PRINTED, NULL},
    {"h", -10, "N", PRINTED, NULL},        {"v0", 1.3, "m/s", PRINTED, NULL},
    {"T left", 0.001, "s", PRINTED, NULL}, {"T right", 0.004, "s", PRINTED, NULL},
    {"duration", 0.2, "s", CHOSEN, NULL},
};

static const char fig7_grid[] = "v0/(F - h) = 0.0722 s, up to the next step; rounding";
static const char straight[] = "exactly -0.2556; the step in which it reverses is worth 2 F T/M";
static const char reversed[] = "the velocity is reversed after crossing the zero velocity";

static const experiment_quantity fig7_quantities[] = {
    CLAIM("reversal, T 1 ms", "s", 0.073, 1e-9, fig7_grid, reversed),
    CLAIM("reversal, T 4 ms", "s", 0.076, 1e-9, fig7_grid, reversed),
    CLAIM("steps at exactly zero, T 1 ms", "", 1, 0, "a count",
          "may or may not reach the exact zero"),
    CLAIM("steps at exactly zero, T 4 ms", "", 0, 0, "a count",
          "may or may not reach the exact zero"),
    OURS("velocity at 0.2 s, T 1 ms", "m/s", -0.2556, 0.016, straight),
    OURS("velocity at 0.2 s, T 4 ms", "m/s", -0.2556, 0.064, straight),
};

static void run_fig7(const experiment *self, experiment_run *out) {
    static const char *const titles[] = {"T = 1 ms", "T = 4 ms"};
    const double T[] = {param(self, "T left"), param(self, "T right")};
    experiment_plot *v = add_plot(out, "Velocity", "time (s)", "velocity (m/s)");
    experiment_plot *f = add_plot(out, "Friction", "time (s)", "force f (N)");
    sliding_end end[2] = {{0}};
    for (int n = 0; n < 2; n++) {
        const sliding_block b = block_of(self, param(self, "v0"), T[n]);
        end[n] = slide_block(&b, param(self, "duration"), add_curve(v, titles[n]),
                             add_curve(f, titles[n]));
    }
    MEASURE(out, end[0].arrival, end[1].arrival, end[0].at_zero, end[1].at_zero, end[0].velocity,
            end[1].velocity);
}

const experiment K_fig7 = {
    .id = "K.fig7",
    .title = "Model A reverses",
    .shows = "A force above the friction turns the block around; friction changes its sign within "
             "a step or two, at either time step.",
    .seconds = 0.1,
    PARTS(fig7),
};

/* ---- Fig 11: two stacked blocks, a model C in either contact ---- */

static const experiment_parameter fig11_parameters[] = {
    {"u amplitude", 0.5, "m/s", PRINTED, "u = 0.5 sin(5 t)"},
    {"u frequency", 5, "rad/s", PRINTED, NULL},
    {"M1", 1, "kg", PRINTED, NULL},
    {"M2", 1, "kg", PRINTED, NULL},
    {"K1", 100, "N/m", PRINTED, "block 1 to the wall; the layout (Fig 9) is inferred"},
    {"K2", 200, "N/m", PRINTED, "block 2 to the wall; the layout (Fig 9) is inferred"},
    {"K", 3e4, "N/m", PRINTED, "of both model-C elements"},
    {"B", 300, "N s/m", PRINTED, "of both model-C elements"},
    {"F1", 5, "N", PRINTED, "belt to block 1"},
    {"F2", 2.5, "N", PRINTED, "block 1 to block 2"},
    {"T", 0.001, "s", PRINTED, NULL},
    {"duration", 100, "s", CHOSEN, "of the fractions"},
    {"drawn", 5, "s", CHOSEN, NULL},
};

static const char measured[] = "measured; the share of a few slips more or less in 80 periods";
static const char twice[] = "once each way; the start, and 79.6 periods that are cut";
static const char claim[] = "realistic stick-slip oscillations in both frictional contacts";

static const experiment_quantity fig11_quantities[] = {
    CLAIM("stick fraction, belt and block 1", "", 0.32, 0.01, measured, claim),
    CLAIM("stick fraction, blocks 1 and 2", "", 0.43, 0.01, measured, claim),
    CLAIM("sticks a period, belt and block 1", "", 2, 0.05, twice, claim),
    CLAIM("sticks a period, blocks 1 and 2", "", 2, 0.05, twice, claim),
    OURS("largest friction, belt and block 1", "N", 5, 1e-12, "F; rounding"),
    OURS("largest friction, blocks 1 and 2", "N", 2.5, 1e-12, "F; rounding"),
};

/* One contact: what lies below moves at u relative to what lies on it. */
typedef struct contact {
    stiction_element c;
    double deflection, friction;
    bool sticks;
    double stuck, begun, largest; /* steps that stuck, sticks that began, N */
} contact;

static contact contact_make(const experiment *self, const char *F) {
    const stiction_element_def def = {.kind = STICTION_ELEMENT_C,
                                      .stiffness = param(self, "K"),
                                      .damping = param(self, "B"),
                                      .timestep = param(self, "T")};
    return (contact){.c = coulomb_element(param(self, F), &def)};
}

static void contact_step(contact *of, double u) {
    const bool sticks = element_c_sticks(&of->c, u, of->deflection);
    of->begun += sticks && !of->sticks;
    of->stuck += sticks;
    of->sticks = sticks;
    (void)stiction_element_c_step(&of->c, 1, &u, &of->deflection, &of->friction);
    of->largest = fmax(of->largest, fabs(of->friction));
}

static void run_fig11(const experiment *self, experiment_run *out) {
    contact belt = contact_make(self, "F1"), blocks = contact_make(self, "F2");
    experiment_plot *velocities = add_plot(out, "Velocities", "time (s)", "velocity (m/s)");
    experiment_plot *forces = add_plot(out, "Friction", "time (s)", "force (N)");
    experiment_curve *of_u = add_curve(velocities, "u, the belt");
    experiment_curve *of_v1 = add_curve(velocities, "v1");
    experiment_curve *of_v2 = add_curve(velocities, "v2");
    experiment_curve *of_f1 = add_curve(forces, "f1, belt on block 1");
    experiment_curve *of_f2 = add_curve(forces, "f2, block 1 on block 2");

    const double T = param(self, "T"), omega = param(self, "u frequency");
    const double M1 = param(self, "M1"), M2 = param(self, "M2");
    const double K1 = param(self, "K1"), K2 = param(self, "K2");
    const double amplitude = param(self, "u amplitude");
    const long steps = lround(param(self, "duration") / T);
    const double drawn = param(self, "drawn");
    double p1 = 0, p2 = 0, v1 = 0, v2 = 0;
    for (long k = 0; k < steps; k++) {
        const double t = (double)k * T, u = amplitude * sin(omega * t);
        contact_step(&belt, u - v1);
        contact_step(&blocks, v1 - v2);
        if (t <= drawn) {
            add_point(of_u, t, u);
            add_point(of_v1, t, v1);
            add_point(of_v2, t, v2);
            add_point(of_f1, t, belt.friction);
            add_point(of_f2, t, blocks.friction);
        }
        v1 += T / M1 * (belt.friction - blocks.friction - K1 * p1);
        v2 += T / M2 * (blocks.friction - K2 * p2);
        p1 += T * v1;
        p2 += T * v2;
    }
    const double periods = (double)steps * T * omega / 6.283185307179586;
    MEASURE(out, belt.stuck / (double)steps, blocks.stuck / (double)steps, belt.begun / periods,
            blocks.begun / periods, belt.largest, blocks.largest);
}

const experiment K_fig11 = {
    .id = "K.fig11",
    .title = "Two stacked blocks on a moving belt",
    .shows = "Model C serves each contact by itself: block 1 now and then goes along with the "
             "belt, block 2 with block 1, and both slip in between.",
    .seconds = 0.1,
    .chief = true,
    PARTS(fig11),
};

/* ---- Fig 13: model B, and what it becomes when made of a model A and a spring ---- */

static const experiment_parameter fig13_parameters[] = {
    {"K gray", 8.3e4, "N/m", PRINTED, NULL},
    {"K dashed", 2.5e5, "N/m", PRINTED, NULL},
    {"K black", 7.5e5, "N/m", PRINTED, NULL},
    {"du/dt", 0.1, "m/s^2", PRINTED, "u = 0.1 t"},
    {"M", 1, "kg", PRINTED, NULL},
    {"B/sqrt(K M)", 2, "", CORRECTED, "printed as B = 2 sqrt(K/M); the same number at M = 1 kg"},
    {"F", 10, "N", PRINTED, NULL},
    {"T", 0.001, "s", PRINTED, NULL},
    {"duration", 0.3, "s", INFERRED,
     "by when the alternative passes the 70 N that we state; 30 N at 0.1 s, 2232 N at 1 s"},
};

static const char steady[] = "F + M du/dt; what is left of the transient";
static const char fig13_unlimited[] = "the stiffness in model B is not limited";

static const experiment_quantity fig13_quantities[] = {
    CLAIM("h, model B, K 8.3e4", "N", 10.1, 0.01, steady, fig13_unlimited),
    CLAIM("h, model B, K 2.5e5", "N", 10.1, 0.01, steady, fig13_unlimited),
    CLAIM("h, model B, K 7.5e5", "N", 10.1, 0.01, steady, fig13_unlimited),
    OURS("h, alternative, K 8.3e4", "N", 10.1, 0.01, steady),
    OURS("h, alternative, K 2.5e5", "N", 10.1, 0.01, steady),
    CLAIM("largest h in 0.3 s, alternative, K 7.5e5", "N", 70.03, 0.2,
          "measured, depends on the duration: it grows by 0.2 N a step",
          "unstable or vibratory when the stiffness is high"),
};

typedef struct ramp_end {
    double force, largest; /* N: h at the end and at its largest */
} ramp_end;

/* The alternative of Fig 12 (a): a spring-damper whose force drives a model A a step later. */
static double step_alternative(const stiction_element *a, const stiction_element_def *spring,
                               double u, double *e, double *v) {
    const double rate = u - *v;
    double f;
    *e += spring->timestep * rate;
    const double h = spring->stiffness * *e + spring->damping * rate;
    stiction_element_a_step(a, 1, &h, v, &f);
    return h;
}

static ramp_end ramp(const experiment *self, double K, bool alternative, experiment_curve *curve) {
    const double T = param(self, "T"), M = param(self, "M");
    const double F = param(self, "F"), slope = param(self, "du/dt");
    const stiction_element_def def = {.kind = alternative ? STICTION_ELEMENT_A : STICTION_ELEMENT_B,
                                      .mass = M,
                                      .stiffness = K,
                                      .damping = param(self, "B/sqrt(K M)") * sqrt(K * M),
                                      .timestep = T};
    stiction_element element = coulomb_element(F, &def);
    ramp_end end = {(double)NAN, 0};
    double e = 0, v = 0, f, h;
    for (long k = 1; k <= lround(param(self, "duration") / T); k++) {
        const double t = (double)k * T, u = slope * t;
        if (alternative)
            h = step_alternative(&element, &def, u, &e, &v);
        else
            stiction_element_b_step(&element, 1, &u, &e, &v, &f, &h);
        add_point(curve, t, h);
        end.force = h;
        end.largest = fmax(end.largest, fabs(h));
    }
    return end;
}

static void run_fig13(const experiment *self, experiment_run *out) {
    static const char *const names[] = {"K = 8.3e4 N/m", "K = 2.5e5 N/m", "K = 7.5e5 N/m"};
    const double K[] = {param(self, "K gray"), param(self, "K dashed"), param(self, "K black")};
    experiment_plot *b = add_plot(out, "Model B", "time (s)", "force h (N)");
    experiment_plot *a =
        add_plot(out, "Alternative: a model A behind a spring-damper", "time (s)", "force h (N)");
    for (int k = 0; k < 3; k++) measure(out, ramp(self, K[k], false, add_curve(b, names[k])).force);
    for (int k = 0; k < 3; k++) {
        const ramp_end end = ramp(self, K[k], true, add_curve(a, names[k]));
        measure(out, k < 2 ? end.force : end.largest);
    }
}

const experiment K_fig13 = {
    .id = "K.fig13",
    .title = "Model B pulled by a ramp, beside its alternative",
    .shows = "Model B settles at F + M du/dt = 10.1 N at any stiffness; put together from a model "
             "A and a spring, the time step between the two makes the stiffest one swing.",
    .seconds = 0.1,
    .misprints = LINES("B = 2 sqrt(K/M) is no damping: critical damping is 2 sqrt(K M). With M = 1 "
                       "kg nothing changes."),
    PARTS(fig13),
};

/* ---- Fig 14: model D, and what it becomes when made of a model C and a mass ---- */

static const experiment_parameter fig14_parameters[] = {
    {"K gray", 8.3e4, "N/m", PRINTED, NULL},
    {"K dashed", 2.5e5, "N/m", PRINTED, NULL},
    {"K black", 7.5e5, "N/m", PRINTED, NULL},
    {"u0", 1, "m/s", PRINTED, NULL},
    {"h", 0, "N", PRINTED, NULL},
    {"M", 1, "kg", PRINTED, NULL},
    {"B/sqrt(K M)", 2, "", CORRECTED, "printed as B = 2 sqrt(K/M); the same number at M = 1 kg"},
    {"F", 7, "N", PRINTED, NULL},
    {"T", 0.001, "s", PRINTED, NULL},
    {"duration", 1, "s", CHOSEN, "its last tenth shows what is left"},
    {"drawn", 0.2, "s", CHOSEN, NULL},
    {"enlarged from", 0.138, "s", CHOSEN, "the mass comes to rest at M u0/F = 0.143 s"},
    {"small u0", 1e-5, "m/s", CHOSEN, "sticks, for the eigenvalues of (63)"},
};

static const char settled[] = "dies out; 0 but for rounding";
static const char eigenvalue[] = "eigenvalue of (63); what the other one leaves";
static const char fig14_unlimited[] = "the stiffness in model D is not limited";

static const experiment_quantity fig14_quantities[] = {
    CLAIM("speed left, model D, K 8.3e4", "m/s", 0, 1e-12, settled, fig14_unlimited),
    CLAIM("speed left, model D, K 2.5e5", "m/s", 0, 1e-12, settled, fig14_unlimited),
    CLAIM("speed left, model D, K 7.5e5", "m/s", 0, 1e-12, settled, fig14_unlimited),
    OURS("speed left, alternative, K 8.3e4", "m/s", 0, 1e-12, settled),
    CLAIM("speed left, alternative, K 2.5e5", "m/s", 0, 1e-12, settled, "the marginal case"),
    CLAIM("speed left, alternative, K 7.5e5", "m/s", 3.7e-3, 1e-4, "measured",
          "unstable or vibratory when the stiffness is high"),
    CLAIM("growth a step, alternative sticking, K 8.3e4", "", 0.8305, 0.001, eigenvalue,
          "T^2 < M/(4 K): real and between 0 and 1"),
    CLAIM("growth a step, alternative sticking, K 2.5e5", "", 0.75, 0.001, eigenvalue,
          "T^2 = M/(4 K): the marginal case"),
    CLAIM("growth a step, alternative sticking, K 7.5e5", "", -1.1299, 0.001, eigenvalue,
          "not between 0 and 1: oscillates"),
};

/* A mass with friction: model D, or the alternative of Fig 12 (b), a model C and a mass. */
typedef struct slider {
    stiction_element element;
    bool alternative;
    double h, e, u, f;
} slider;

static slider slider_make(const experiment *self, double K, bool alternative, double u0) {
    const double M = param(self, "M");
    const stiction_element_def def = {.kind = alternative ? STICTION_ELEMENT_C : STICTION_ELEMENT_D,
                                      .mass = M,
                                      .stiffness = K,
                                      .damping = param(self, "B/sqrt(K M)") * sqrt(K * M),
                                      .timestep = param(self, "T")};
    return (slider){.element = coulomb_element(param(self, "F"), &def),
                    .alternative = alternative,
                    .h = param(self, "h"),
                    .u = u0};
}

static void slider_step(slider *of) {
    const stiction_element_def *d = &of->element.def;
    if (!of->alternative) {
        (void)stiction_element_d_step(&of->element, 1, &of->h, &of->e, &of->u, &of->f);
        return;
    }
    of->u += d->timestep / d->mass * (of->h - of->f); /* (60): the friction of the last step */
    (void)stiction_element_c_step(&of->element, 1, &of->u, &of->e, &of->f);
}

/* The largest speed in the last tenth. */
static double speed_left(const experiment *self, double K, bool alternative,
                         experiment_curve *curve, experiment_curve *enlarged) {
    const double T = param(self, "T"), drawn = param(self, "drawn");
    const double u0 = param(self, "u0"), duration = param(self, "duration");
    const double from = param(self, "enlarged from");
    slider s = slider_make(self, K, alternative, u0);
    double largest = 0;
    add_point(curve, 0, s.u);
    for (long k = 1; k <= lround(duration / T); k++) {
        const double t = (double)k * T;
        slider_step(&s);
        if (t <= drawn) add_point(curve, t, s.u);
        if (t <= drawn && t >= from) add_point(enlarged, t, s.u);
        if (t > 0.9 * duration) largest = fmax(largest, fabs(s.u));
    }
    return largest;
}

/* How u changes from a step to the next while the alternative sticks. */
static double growth(const experiment *self, double K) {
    slider s = slider_make(self, K, true, param(self, "small u0"));
    double last = 0;
    for (int k = 0; k < 30; k++) {
        last = s.u;
        if (!element_c_sticks(&s.element, s.u, s.e)) return (double)NAN;
        slider_step(&s);
    }
    return s.u / last;
}

static void run_fig14(const experiment *self, experiment_run *out) {
    static const char *const labels[] = {"K = 8.3e4 N/m", "K = 2.5e5 N/m", "K = 7.5e5 N/m"};
    static const char *const titles[] = {"Model D", "Alternative: a mass on a model C",
                                         "Model D, enlarged", "Alternative, enlarged"};
    const double K[] = {param(self, "K gray"), param(self, "K dashed"), param(self, "K black")};
    experiment_plot *plots[4];
    for (int n = 0; n < 4; n++) plots[n] = add_plot(out, titles[n], "time (s)", "velocity u (m/s)");
    for (int alternative = 0; alternative < 2; alternative++)
        for (int k = 0; k < 3; k++)
            measure(out,
                    speed_left(self, K[k], alternative, add_curve(plots[alternative], labels[k]),
                               add_curve(plots[2 + alternative], labels[k])));
    for (int k = 0; k < 3; k++) measure(out, growth(self, K[k]));
}

const experiment K_fig14 = {
    .id = "K.fig14",
    .title = "Model D slides to rest, beside its alternative",
    .shows = "Model D comes to rest at any stiffness; put together from a model C and a mass, the "
             "stiffest one goes on vibrating, as the eigenvalues of (63) say.",
    .seconds = 0.1,
    .misprints = LINES(
        "B = 2 sqrt(K/M) is no damping: critical damping is 2 sqrt(K M). With M = 1 kg nothing "
        "changes.",
        "A of (44) is computed as T/M + 1/(B + T K), which is the same and better conditioned."),
    PARTS(fig14),
};
