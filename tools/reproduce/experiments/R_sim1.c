/* SPDX-License-Identifier: MIT */
/* Kikuuwe and Yamamoto, simulation I (Figs 3 and 4): a sphere slides on a plane until it rolls. */
#include <math.h>

#include "../experiment.h"
#include "joint_models/comparison/rk4_friction.h"
#include "networks.h"

static const experiment_parameter parameters[] = {
    {"M", 0.3, "kg", PRINTED, NULL},
    {"R", 0.2, "m", PRINTED, NULL},
    {"J/(M R^2)", 0.4, "", CHOSEN, "not given: a solid sphere, which reaches the printed 0.58 s"},
    {"g", 9.8, "m/s^2", CORRECTED, "printed as +z; down"},
    {"K", 1e5, "N/m", PRINTED, NULL},
    {"B", 10, "N s/m", PRINTED, NULL},
    {"mu", 0.1, "", PRINTED, NULL},
    {"v0", 2, "m/s", PRINTED, NULL},
    {"p_z(0)/R", 1.01, "", PRINTED, NULL},
    {"T", 1e-4, "s", INFERRED, "the exponent is lost in print"},
    {"slip threshold", 1e-3, "v0", INFERRED, "below which 0.5825 s comes out; the paper has none"},
    {.symbol = NULL},
};

static const char step[] = "one step either way";
static const char bounces[] = "theory 2 v0/(7 mu g); bounces that are left shift it by v_z/g";
static const char rounding[] = "a linear invariant, which RK4 keeps: 20000 roundings";

static const experiment_quantity quantities[] = {
    NUMBER("slip falls below v0/1000 at", "s", 0.5825, 1.5e-4, step, 0.58, 0.005),
    NUMBER("slip reaches zero at", "s", 0.58309, 5e-4, bounces, 0.58, 0.005),
    CLAIM("slip at 2 s", "m/s", 0, 1e-12, rounding, "pure rolling without slipping"),
    OURS("velocity at 2 s", "m/s", 10.0 / 7, 1e-12, rounding),
    OURS("height at 2 s less R", "m", -2.94e-5, 1e-12, "rests on its spring: M g/K"),
    {.name = NULL},
};

static const char *const misprints[] = {
    "J and the exponent of T are missing: a solid sphere, 2/5 M R^2, and T = 1e-4 s.",
    "The object would receive +f: friction opposes, so it receives -f; the limit is mu |f_z|, "
    "there "
    "is no adhesion, and gravity points down.",
    "(21): stage r evaluates at the offset T_(r-1) and passes T_r = T/2, T/2, T, T.",
    NULL,
};

typedef struct sphere {
    double M, R, g;
} sphere;

static void route_motion(const void *context, double t, const double *state, double *motion) {
    const double R = ((const sphere *)context)->R;
    const double *p = state + STICTION_RIGID_P, *v = state + STICTION_RIGID_V;
    const double *w = state + STICTION_RIGID_W;
    (void)t;
    motion[0] = p[2] - R; /* (27d) */
    motion[1] = v[0] - R * w[1];
    motion[2] = v[1] + R * w[0];
    motion[3] = v[2];
}

static void route_force(const void *context, double t, const double *state, const double *f,
                        double *input) {
    const sphere *s = context;
    (void)t, (void)state;
    input[0] = -f[0], input[1] = -f[1]; /* (27e) */
    input[2] = -f[2] - s->M * s->g;
    input[3] = -s->R * f[1], input[4] = s->R * f[0], input[5] = 0;
}

typedef struct observed {
    experiment_curve *velocity, *slip_curve, *height_curve;
    double R, threshold; /* m, m/s */
    double below, zero;  /* s; NaN until then */
    double v, slip, height;
    long count;
} observed;

static void observe(void *context, double t, const double *state) {
    enum { every = 5 };
    const double drawn_until = 1; /* s */
    observed *of = context;
    of->v = state[STICTION_RIGID_V];
    of->slip = of->v - of->R * state[STICTION_RIGID_W + 1];
    of->height = state[STICTION_RIGID_P + 2];
    if (isnan(of->below) && of->slip < of->threshold) of->below = t;
    if (isnan(of->zero) && of->slip <= 0) of->zero = t;
    if (of->count++ % every || t > drawn_until) return;
    add_point(of->velocity, t, of->v);
    add_point(of->slip_curve, t, of->slip);
    add_point(of->height_curve, t, of->height);
}

static void run_experiment(const experiment *self, experiment_run *out) {
    const sphere s = {param(self, "M"), param(self, "R"), param(self, "g")};
    const double J = param(self, "J/(M R^2)") * s.M * s.R * s.R;
    const double v0 = param(self, "v0");
    const stiction_rigid_body body = {s.M, {{J, 0, 0}, {0, J, 0}, {0, 0, J}}};
    const stiction_fric_kn contact = {param(self, "K"), param(self, "B"), param(self, "mu")};
    const stiction_admittance admittance = stiction_rigid_body_admittance(&body);
    const stiction_impedance impedance = stiction_fric_kn_impedance(&contact);
    const stiction_network network = {.admittances = &admittance,
                                      .admittance_count = 1,
                                      .impedances = &impedance,
                                      .impedance_count = 1,
                                      .route_motion = route_motion,
                                      .route_force = route_force,
                                      .context = &s,
                                      .timestep = param(self, "T")};
    experiment_plot *velocity = add_plot(out, "Horizontal velocity", "time (s)", "velocity (m/s)");
    experiment_plot *height = add_plot(out, "Height of the centre", "time (s)", "height (m)");
    observed of = {.velocity = add_curve(velocity, "centre of gravity"),
                   .slip_curve = add_curve(velocity, "contact point"),
                   .height_curve = add_curve(height, "height"),
                   .R = s.R,
                   .threshold = param(self, "slip threshold") * v0,
                   .below = (double)NAN,
                   .zero = (double)NAN};
    double state[STICTION_RIGID_STATES + 2] = {
        [2] = param(self, "p_z(0)/R") * s.R, [STICTION_RIGID_V] = v0, [STICTION_RIGID_Q] = 1};
    if (!network_simulate(&network, 2, state, observe, &of)) return;
    MEASURE(out, of.below, of.zero, of.slip, of.v, of.height - s.R);
}

const experiment R_sim1 = {
    .id = "R.sim1",
    .title = "Simulation I: a sphere slides until it rolls",
    .shows = "Dropped with 2 m/s, the sphere bounces, slides and is in pure rolling from 0.583 s "
             "on, with 5/7 of its velocity: friction of a contact in the RK4 network.",
    .seconds = 0.02,
    .parameters = parameters,
    .quantities = quantities,
    .misprints = misprints,
    .run = run_experiment,
};
