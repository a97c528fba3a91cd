/* SPDX-License-Identifier: MIT
 * The simulations of Kikuuwe and Yamamoto: networks of components, stepped by RK4.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../experiment.h"
#include "common/command.h"
#include "joint_models/comparison/component.h"

/* What there is to see: the state at t, from the first one on and after every step. */
typedef void (*network_observer)(void *context, double t, const double *state);

static void network_simulate(const stiction_network *network, double duration, double *state,
                             network_observer observe, void *context) {
    const double T = network->timestep;
    double *workspace = allocate(stiction_network_measure(network).workspace, sizeof *workspace);
    const long steps = lround(duration / T);
    observe(context, 0, state);
    for (long k = 0; k < steps; k++) {
        stiction_network_step(network, (double)k * T, state, workspace);
        observe(context, (double)(k + 1) * T, state);
    }
    free(workspace);
}

/* The two-link arm of Kikuuwe and Yamamoto, simulations II and III: motors, rods, and the
 * network of a serial link with friction in each joint. */

/* Rows of a parameter list, which arm_read reads. */
/* clang-format off */
#define ARM_PARAMETERS                                                                             \
    {"F", 0.5, "N m", PRINTED, NULL},                                                              \
    {"K", 5000, "N m/rad", PRINTED, NULL},                                                         \
    {"B", 1, "N m s/rad", PRINTED, NULL},                                                          \
    {"motor slope", 0.3, "N m/s", PRINTED, "(28c), (28d)"},                                        \
    {"motor limit", 0.52, "N m", PRINTED, NULL},                                                   \
    {"motor switches at", 4, "s", PRINTED, NULL},                                                  \
    {"motor level", 0.336, "N m", PRINTED, NULL},                                                  \
    {"motor amplitude", 0.144, "N m", PRINTED, "a sine in joint 0, a cosine in joint 1"},          \
    {"motor frequency", 100, "rad/s", PRINTED, NULL},                                              \
    {"m l^2", 0.0475, "kg m^2", INFERRED,                                                          \
     "equal uniform rods, straight start, no gravity: fits the axes of Fig 7"},                    \
    {"l", 0.5, "m", CHOSEN, "only m l^2 matters"},                                                 \
    {"T", 1e-4, "s", INFERRED, "the exponent is lost in print; half of it moves an angle by 4e-5 rad"}

/* clang-format on */

/* Both run for as long as Fig 7 shows; its panels start at 3 s. */
static const double arm_duration = 8, arm_drawn_from = 3;

enum { arm_draw_every = 10 }; /* steps */

typedef struct arm {
    double F, K, B, T;
    double slope, limit, switches, level, amplitude, frequency; /* of the motors */
    double length, mass, inertia[3][3];                         /* of a rod, about its centre */
} arm;

static arm arm_read(const experiment *self) {
    const double l = param(self, "l"), m = param(self, "m l^2") / (l * l);
    const double across = m * l * l / 12, along = across / 40; /* the arm never turns about a rod */
    return (arm){.F = param(self, "F"),
                 .K = param(self, "K"),
                 .B = param(self, "B"),
                 .T = param(self, "T"),
                 .slope = param(self, "motor slope"),
                 .limit = param(self, "motor limit"),
                 .switches = param(self, "motor switches at"),
                 .level = param(self, "motor level"),
                 .amplitude = param(self, "motor amplitude"),
                 .frequency = param(self, "motor frequency"),
                 .length = l,
                 .mass = m,
                 .inertia = {{along, 0, 0}, {0, across, 0}, {0, 0, across}}};
}

/* (28c), (28d) */
static void arm_torques(const arm *a, double t, double torque[2]) {
    const double phase = a->frequency * t, ramp = fmin(a->limit, a->slope * t);
    torque[0] = t < a->switches ? ramp : a->level + a->amplitude * sin(phase);
    torque[1] = t < a->switches ? ramp : a->level + a->amplitude * cos(phase);
}

static void route_motion(const void *context, double t, const double *state, double *motion) {
    (void)context, (void)t;
    motion[0] = state[2], motion[1] = state[3];
}

static void route_force(const void *context, double t, const double *state, const double *force,
                        double *input) {
    (void)state;
    arm_torques(context, t, input);
    for (int i = 0; i < 2; i++) input[i] -= force[i]; /* (28j), friction opposing */
}

/* A_robo (8) of the two rods; state: theta[2], omega[2]. */
static void arm_rate(const void *self, const double *x, const double *torque, double *xdot) {
    const arm *a = self;
    const double at_end = a->mass * a->length * a->length; /* of a rod's mass, kg m^2 */
    const double cosine = at_end / 2 * cos(x[1]), sine = at_end / 2 * sin(x[1]);
    const double H22 = a->inertia[2][2] + at_end / 4, H12 = H22 + cosine;
    const double H11 = at_end + 2 * (H22 + cosine);
    const double net0 = torque[0] + sine * (2 * x[2] + x[3]) * x[3];
    const double net1 = torque[1] - sine * x[2] * x[2];
    const double determinant = H11 * H22 - H12 * H12;
    xdot[0] = x[2];
    xdot[1] = x[3];
    xdot[2] = (H22 * net0 - H12 * net1) / determinant;
    xdot[3] = (H11 * net1 - H12 * net0) / determinant;
}

/* Coulomb friction of a joint as I_fricK (19). */
static stiction_staged_friction arm_friction(const arm *a) {
    stiction_staged_friction friction;
    stiction_law_parameters p = stiction_law_parameters_default();
    p.static_torque = p.coulomb_torque = a->F;
    (void)stiction_staged_friction_init(&friction, 1, stiction_law_find("coulomb"), &p, a->K, a->B,
                                        a->T);
    return friction;
}

/* Simulation II with any friction of one component and one state; state: theta[2], omega[2], e[2].
 */
static void arm_simulate(const arm *a, const stiction_impedance *friction, network_observer observe,
                         void *context) {
    const stiction_admittance robot = {.self = a, .states = 4, .inputs = 2, .rate = arm_rate};
    const stiction_impedance frictions[2] = {*friction, *friction};
    const stiction_network network = {.admittances = &robot,
                                      .admittance_count = 1,
                                      .impedances = frictions,
                                      .impedance_count = 2,
                                      .route_motion = route_motion,
                                      .route_force = route_force,
                                      .context = a,
                                      .timestep = a->T};
    double state[6] = {0};
    network_simulate(&network, arm_duration, state, observe, context);
}

/* ---- Simulation I (Figs 3 and 4): a sphere slides on a plane until it rolls ---- */

static const experiment_parameter sim1_parameters[] = {
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
};

static const char step[] = "one step either way";
static const char bounces[] = "theory 2 v0/(7 mu g); bounces that are left shift it by v_z/g";
static const char rounding[] = "a linear invariant, which RK4 keeps: 20000 roundings";

static const experiment_quantity sim1_quantities[] = {
    NUMBER("slip falls below v0/1000 at", "s", 0.5825, 1.5e-4, step, 0.58, 0.005),
    NUMBER("slip reaches zero at", "s", 0.58309, 5e-4, bounces, 0.58, 0.005),
    CLAIM("slip at 2 s", "m/s", 0, 1e-12, rounding, "pure rolling without slipping"),
    OURS("velocity at 2 s", "m/s", 10.0 / 7, 1e-12, rounding),
    OURS("height at 2 s less R", "m", -2.94e-5, 1e-12, "rests on its spring: M g/K"),
};

typedef struct sphere {
    double M, R, g;
} sphere;

static void sim1_route_motion(const void *context, double t, const double *state, double *motion) {
    const double R = ((const sphere *)context)->R;
    const double *p = state + STICTION_RIGID_P, *v = state + STICTION_RIGID_V;
    const double *w = state + STICTION_RIGID_W;
    (void)t;
    motion[0] = p[2] - R; /* (27d) */
    motion[1] = v[0] - R * w[1];
    motion[2] = v[1] + R * w[0];
    motion[3] = v[2];
}

static void sim1_route_force(const void *context, double t, const double *state, const double *f,
                             double *input) {
    const sphere *s = context;
    (void)t, (void)state;
    input[0] = -f[0], input[1] = -f[1]; /* (27e) */
    input[2] = -f[2] - s->M * s->g;
    input[3] = -s->R * f[1], input[4] = s->R * f[0], input[5] = 0;
}

typedef struct sim1_observed {
    experiment_curve *velocity, *slip_curve, *height_curve;
    double R, threshold; /* m, m/s */
    double below, zero;  /* s; NaN until then */
    double v, slip, height;
    long count;
} sim1_observed;

static void sim1_observe(void *context, double t, const double *state) {
    enum { every = 5 };
    const double drawn_until = 1; /* s */
    sim1_observed *of = context;
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

static void run_sim1(const experiment *self, experiment_run *out) {
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
                                      .route_motion = sim1_route_motion,
                                      .route_force = sim1_route_force,
                                      .context = &s,
                                      .timestep = param(self, "T")};
    experiment_plot *velocity = add_plot(out, "Horizontal velocity", "time (s)", "velocity (m/s)");
    experiment_plot *height = add_plot(out, "Height of the centre", "time (s)", "height (m)");
    sim1_observed of = {.velocity = add_curve(velocity, "centre of gravity"),
                        .slip_curve = add_curve(velocity, "contact point"),
                        .height_curve = add_curve(height, "height"),
                        .R = s.R,
                        .threshold = param(self, "slip threshold") * v0,
                        .below = (double)NAN,
                        .zero = (double)NAN};
    double state[STICTION_RIGID_STATES + 2] = {
        [2] = param(self, "p_z(0)/R") * s.R, [STICTION_RIGID_V] = v0, [STICTION_RIGID_Q] = 1};
    network_simulate(&network, 2, state, sim1_observe, &of);
    MEASURE(out, of.below, of.zero, of.slip, of.v, of.height - s.R);
}

const experiment R_sim1 = {
    .id = "R.sim1",
    .title = "Simulation I: a sphere slides until it rolls",
    .shows = "Dropped with 2 m/s, the sphere bounces, slides and is in pure rolling from 0.583 s "
             "on, with 5/7 of its velocity: friction of a contact in the RK4 network.",
    .seconds = 0.02,
    .misprints =
        LINES("J and the exponent of T are missing: a solid sphere, 2/5 M R^2, and T = 1e-4 s.",
              "The object would receive +f: friction opposes, so it receives -f; the limit is mu "
              "|f_z|, there is no adhesion, and gravity points down.",
              "(21): stage r evaluates at the offset T_(r-1) and passes T_r = T/2, T/2, T, T."),
    PARTS(sim1),
};

/* ---- Simulation II (Figs 6 and 7): a two-link arm with friction in its joints ---- */

static const experiment_parameter sim2_parameters[] = {
    ARM_PARAMETERS,
    {"D of LuGre", 0, "N m s/rad", CHOSEN, "its K, B and F are those above; the paper gives none"},
};

static const char phase[] = "half of the last digit and the bristle's amplitude 0.144/5000";
static const char no_drift[] = "averages of ten periods of the motor";
static const char drift[] = "one digit is stated";
static const char halved_angle[] = "measured; half of T moves it by less than 5e-5 rad";

static const char not_printed[] =
    "above the panel's last tick: the links' inertia and g(v) of LuGre are not printed";

static const char halved[] = "half of T moves it by 0.001 s";

static const experiment_quantity sim2_quantities[] = {
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
};

/* Where the panels of Fig 7 begin, rad. */
static const double sim2_drawn_above[2] = {1.05, 2.37};

/* The angle is averaged over the ten periods of the motor that end at these times. */
static const double early = 5.5, late = 8;

typedef struct sim2_observed {
    experiment_curve *whole[2], *close[2];
    double ten_periods, half_step; /* s */
    double sum[2][2];              /* [early, late][joint] */
    long seen_of[2];
    double slid[2], last_slip; /* rad: angle less deflection; s */
    long count;
} sim2_observed;

static void sim2_observe(void *context, double t, const double *state) {
    sim2_observed *of = context;
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
        if (t >= arm_drawn_from && state[i] >= sim2_drawn_above[i])
            add_point(of->close[i], t, state[i]);
    }
}

static double mean(const sim2_observed *of, int w, int joint) {
    return of->sum[w][joint] / (double)of->seen_of[w];
}

static double drift_of(const sim2_observed *of, int joint) {
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

static void run_sim2(const experiment *self, experiment_run *out) {
    const arm a = arm_read(self);
    const stiction_staged_friction friction = arm_friction(&a);
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
    sim2_observed of[2];
    for (int m = 0; m < 2; m++) {
        of[m] = (sim2_observed){.ten_periods = 20 * 3.141592653589793 / a.frequency,
                                .half_step = a.T / 2};
        for (int i = 0; i < 2; i++) {
            of[m].whole[i] = add_curve(whole, whole_names[m][i]);
            of[m].close[i] = add_curve(joints[i], names[m]);
        }
        arm_simulate(&a, &models[m], sim2_observe, &of[m]);
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
    .misprints = LINES("(28j) adds the friction torque: friction opposes, so the joint receives "
                       "the motor's torque less the friction.",
                       "The exponent of T is lost: 1e-4 s."),
    PARTS(sim2),
};

/* ---- Simulation III: the two-link arm made of rigid bodies and stiff springs ---- */

static const experiment_parameter sim3_parameters[] = {
    ARM_PARAMETERS,
    {"joint stiffness", 1e6, "N/m", CHOSEN, "against separation; \"high enough\""},
    {"joint damping", 500, "N s/m", CHOSEN, NULL},
    {"bend stiffness", 1000, "N m/rad", CHOSEN, "against bending of the axis"},
    {"bend damping", 0.5, "N m s/rad", CHOSEN, NULL},
    {"soft stiffness", 1e3, "N/m", CHOSEN, "for comparison: not high enough"},
    {"soft damping", 15, "N s/m", CHOSEN, NULL},
};

static const char bound[] = "the stated bound: within 2e-4 rad of simulation II";

static const experiment_quantity sim3_quantities[] = {
    CLAIM("largest distance to simulation II", "rad", 0, 2e-4, bound,
          "almost the same result as in Fig 7"),
    CLAIM("final angle, joint 0", "rad", 1.0522, 2.8e-4, bound,
          "in the panel of Fig 7, 1.05 to 1.09"),
    CLAIM("final angle, joint 1", "rad", 2.4000, 2.8e-4, bound,
          "in the panel of Fig 7, 2.37 to 2.41"),
    CLAIM("largest distance, soft joints", "rad", 5.2e-3, 1e-5,
          "measured; half of T moves it by 1e-7 rad",
          "the stiffness of the joint should be set high enough"),
};

/* ---- the network of two rigid bodies ---- */

/* The frames of (29i) to (29k): base, x_0B, x_0E, x_1B. */
typedef struct frames {
    double base[STICTION_RIGID_STATES], link0_base[STICTION_RIGID_STATES];
    double link0_tip[STICTION_RIGID_STATES], link1_base[STICTION_RIGID_STATES];
} frames;

static frames frames_of(const arm *a, const double *state) {
    const double tip[3] = {a->length / 2, 0, 0}, base[3] = {-a->length / 2, 0, 0};
    frames f = {.base = {[STICTION_RIGID_Q] = 1}};
    stiction_rigid_body_frame(state, base, f.link0_base);
    stiction_rigid_body_frame(state, tip, f.link0_tip);
    stiction_rigid_body_frame(state + STICTION_RIGID_STATES, base, f.link1_base);
    return f;
}

static void sim3_route_motion(const void *context, double t, const double *state, double *motion) {
    const frames f = frames_of(context, state);
    (void)t;
    memcpy(motion, &f, sizeof f); /* parent and child of joint 0, then of joint 1 */
}

static void sim3_route_force(const void *context, double t, const double *state,
                             const double *force, double *input) {
    const double *link0 = state, *link1 = state + STICTION_RIGID_STATES;
    const double *joint0 = force, *joint1 = force + 6;
    const frames f = frames_of(context, state);
    double torque[2];
    for (int i = 0; i < 12; i++) input[i] = 0;
    stiction_rigid_body_apply(link0, f.link0_base, -1, joint0, input); /* (29n) */
    stiction_rigid_body_apply(link0, f.link0_tip, 1, joint1, input);
    stiction_rigid_body_apply(link1, f.link1_base, -1, joint1, input + 6); /* (29o) */
    arm_torques(context, t, torque);
    input[5] += torque[0] - torque[1];
    input[11] += torque[1];
}

static void simulate(const arm *a, const stiction_penalty_joint *joint, network_observer observe,
                     void *context) {
    stiction_rigid_body rod = {.mass = a->mass};
    memcpy(rod.inertia, a->inertia, sizeof rod.inertia);
    const stiction_admittance one = stiction_rigid_body_admittance(&rod), rods[2] = {one, one};
    const stiction_impedance hinge = stiction_penalty_joint_impedance(joint);
    const stiction_impedance hinges[2] = {hinge, hinge};
    const stiction_network network = {.admittances = rods,
                                      .admittance_count = 2,
                                      .impedances = hinges,
                                      .impedance_count = 2,
                                      .route_motion = sim3_route_motion,
                                      .route_force = sim3_route_force,
                                      .context = a,
                                      .timestep = a->T};
    double state[2 * STICTION_RIGID_STATES + 2] = {0};
    double *const link0 = state, *const link1 = state + STICTION_RIGID_STATES;
    link0[STICTION_RIGID_P] = a->length / 2, link1[STICTION_RIGID_P] = a->length * 3 / 2;
    link0[STICTION_RIGID_Q] = link1[STICTION_RIGID_Q] = 1;
    network_simulate(&network, arm_duration, state, observe, context);
}

/* ---- what is seen ---- */

/* As in Fig 7, and a little more for the soft joints, rad. */
static const double sim3_drawn_above[2] = {1.04, 2.37};

typedef struct sim3_observed {
    experiment_curve *close[2], *distance[2]; /* may be NULL */
    double (*serial)[2];                      /* angles of simulation II, one row a step */
    double angle[2], largest;
    long count;
} sim3_observed;

static void observe_angles(sim3_observed *of, double t, const double angle[2]) {
    const bool draw = of->count % arm_draw_every == 0;
    for (int i = 0; i < 2; i++) {
        of->angle[i] = angle[i];
        if (draw && t >= arm_drawn_from && angle[i] >= sim3_drawn_above[i])
            add_point(of->close[i], t, angle[i]);
    }
}

static void observe_serial(void *context, double t, const double *state) {
    sim3_observed *of = context;
    observe_angles(of, t, state);
    memcpy(of->serial[of->count++], state, sizeof *of->serial);
}

/* The angle about z, without a jump at pi. */
static double yaw(const double *body) {
    return 2 * atan2(body[STICTION_RIGID_Q + 3], body[STICTION_RIGID_Q]);
}

static void observe_bodies(void *context, double t, const double *state) {
    sim3_observed *of = context;
    const double link0 = yaw(state), link1 = yaw(state + STICTION_RIGID_STATES);
    const double angle[2] = {link0, link1 - link0};
    observe_angles(of, t, angle);
    for (int i = 0; i < 2; i++) {
        const double distance = angle[i] - of->serial[of->count][i];
        if (!(fabs(distance) <= of->largest)) of->largest = fabs(distance); /* a NaN shows */
        if (of->count % arm_draw_every == 0) add_point(of->distance[i], t, distance);
    }
    of->count++;
}

static void run_sim3(const experiment *self, experiment_run *out) {
    const arm a = arm_read(self);
    const stiction_staged_friction friction = arm_friction(&a);
    const stiction_impedance serial_friction = stiction_staged_friction_impedance(&friction);
    const stiction_penalty_joint stiff = {.axis = {0, 0, 1},
                                          .stiffness = param(self, "joint stiffness"),
                                          .damping = param(self, "joint damping"),
                                          .bend_stiffness = param(self, "bend stiffness"),
                                          .bend_damping = param(self, "bend damping"),
                                          .friction = &friction};
    stiction_penalty_joint soft = stiff;
    soft.stiffness = param(self, "soft stiffness");
    soft.damping = param(self, "soft damping");

    static const char *const titles[2] = {"Joint 0 (Fig 7)", "Joint 1 (Fig 7)"};
    static const char *const names[2] = {"joint 0", "joint 1"};
    const size_t rows = (size_t)lround(arm_duration / a.T) + 1;
    sim3_observed serial = {.serial = allocate(rows, sizeof *serial.serial)};
    sim3_observed penalty = {.serial = serial.serial}, softer = {.serial = serial.serial};
    for (int i = 0; i < 2; i++) {
        experiment_plot *p = add_plot(out, titles[i], "time (s)", "angle (rad)");
        serial.close[i] = add_curve(p, "simulation II");
        penalty.close[i] = add_curve(p, "stiff joints");
        softer.close[i] = add_curve(p, "soft joints");
    }
    experiment_plot *p =
        add_plot(out, "Stiff joints less simulation II", "time (s)", "difference (rad)");
    for (int i = 0; i < 2; i++) penalty.distance[i] = add_curve(p, names[i]);

    arm_simulate(&a, &serial_friction, observe_serial, &serial);
    simulate(&a, &stiff, observe_bodies, &penalty);
    simulate(&a, &soft, observe_bodies, &softer);
    MEASURE(out, penalty.largest, penalty.angle[0], penalty.angle[1], softer.largest);
    free(serial.serial);
}

const experiment R_sim3 = {
    .id = "R.sim3",
    .title = "Simulation III: the same arm, held together by springs",
    .shows = "Two rigid bodies and two stiff joints give the motion of simulation II without an "
             "equation of motion of the arm; joints that are too soft do not.",
    .seconds = 0.6,
    .misprints = LINES("(29n), (29o) add the joints' wrenches: the child receives -1 times what "
                       "the joint's spring and friction give, the parent +1 times."),
    PARTS(sim3),
};
