/* SPDX-License-Identifier: MIT */
/* Kikuuwe and Yamamoto, simulation III: the two-link arm made of rigid bodies and stiff springs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../experiment.h"
#include "arm.h"
#include "common/command.h"

static const experiment_parameter parameters[] = {
    ARM_PARAMETERS,
    {"joint stiffness", 1e6, "N/m", CHOSEN, "against separation; \"high enough\""},
    {"joint damping", 500, "N s/m", CHOSEN, NULL},
    {"bend stiffness", 1000, "N m/rad", CHOSEN, "against bending of the axis"},
    {"bend damping", 0.5, "N m s/rad", CHOSEN, NULL},
    {"soft stiffness", 1e3, "N/m", CHOSEN, "for comparison: not high enough"},
    {"soft damping", 15, "N s/m", CHOSEN, NULL},
    {.symbol = NULL},
};

static const char bound[] = "the stated bound: within 2e-4 rad of simulation II";

static const experiment_quantity quantities[] = {
    CLAIM("largest distance to simulation II", "rad", 0, 2e-4, bound,
          "almost the same result as in Fig 7"),
    CLAIM("final angle, joint 0", "rad", 1.0522, 2.8e-4, bound,
          "in the panel of Fig 7, 1.05 to 1.09"),
    CLAIM("final angle, joint 1", "rad", 2.4000, 2.8e-4, bound,
          "in the panel of Fig 7, 2.37 to 2.41"),
    CLAIM("largest distance, soft joints", "rad", 5.2e-3, 1e-5,
          "measured; half of T moves it by 1e-7 rad",
          "the stiffness of the joint should be set high enough"),
    {.name = NULL},
};

static const char *const misprints[] = {
    "(29n), (29o) add the joints' wrenches: the child receives -1 times what the joint's spring "
    "and "
    "friction give, the parent +1 times.",
    NULL,
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

static void route_motion(const void *context, double t, const double *state, double *motion) {
    const frames f = frames_of(context, state);
    (void)t;
    memcpy(motion, &f, sizeof f); /* parent and child of joint 0, then of joint 1 */
}

static void route_force(const void *context, double t, const double *state, const double *force,
                        double *input) {
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

static bool simulate(const arm *a, const stiction_penalty_joint *joint, network_observer observe,
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
                                      .route_motion = route_motion,
                                      .route_force = route_force,
                                      .context = a,
                                      .timestep = a->T};
    double state[2 * STICTION_RIGID_STATES + 2] = {0};
    double *const link0 = state, *const link1 = state + STICTION_RIGID_STATES;
    link0[STICTION_RIGID_P] = a->length / 2, link1[STICTION_RIGID_P] = a->length * 3 / 2;
    link0[STICTION_RIGID_Q] = link1[STICTION_RIGID_Q] = 1;
    return network_simulate(&network, arm_duration, state, observe, context);
}

/* ---- what is seen ---- */

/* As in Fig 7, and a little more for the soft joints, rad. */
static const double drawn_above[2] = {1.04, 2.37};

typedef struct observed {
    experiment_curve *close[2], *distance[2]; /* may be NULL */
    double (*serial)[2];                      /* angles of simulation II, one row a step */
    double angle[2], largest;
    long count;
} observed;

static void observe_angles(observed *of, double t, const double angle[2]) {
    const bool draw = of->count % arm_draw_every == 0;
    for (int i = 0; i < 2; i++) {
        of->angle[i] = angle[i];
        if (draw && of->close[i] && t >= arm_drawn_from && angle[i] >= drawn_above[i])
            add_point(of->close[i], t, angle[i]);
    }
}

static void observe_serial(void *context, double t, const double *state) {
    observed *of = context;
    observe_angles(of, t, state);
    memcpy(of->serial[of->count++], state, sizeof *of->serial);
}

/* The angle about z, without a jump at pi. */
static double yaw(const double *body) {
    return 2 * atan2(body[STICTION_RIGID_Q + 3], body[STICTION_RIGID_Q]);
}

static void observe_bodies(void *context, double t, const double *state) {
    observed *of = context;
    const double link0 = yaw(state), link1 = yaw(state + STICTION_RIGID_STATES);
    const double angle[2] = {link0, link1 - link0};
    observe_angles(of, t, angle);
    for (int i = 0; i < 2; i++) {
        const double distance = angle[i] - of->serial[of->count][i];
        if (!(fabs(distance) <= of->largest)) of->largest = fabs(distance); /* a NaN shows */
        if (of->distance[i] && of->count % arm_draw_every == 0)
            add_point(of->distance[i], t, distance);
    }
    of->count++;
}

static void run_experiment(const experiment *self, experiment_run *out) {
    const arm a = arm_read(self);
    stiction_staged_friction friction;
    if (!network_coulomb(&friction, a.F, a.K, a.B, a.T)) return;
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
    observed serial = {.serial = allocate(rows, sizeof *serial.serial)};
    observed penalty = {.serial = serial.serial}, softer = {.serial = serial.serial};
    for (int i = 0; i < 2; i++) {
        experiment_plot *p = add_plot(out, titles[i], "time (s)", "angle (rad)");
        serial.close[i] = add_curve(p, "simulation II");
        penalty.close[i] = add_curve(p, "stiff joints");
        softer.close[i] = add_curve(p, "soft joints");
    }
    experiment_plot *p =
        add_plot(out, "Stiff joints less simulation II", "time (s)", "difference (rad)");
    for (int i = 0; i < 2; i++) penalty.distance[i] = add_curve(p, names[i]);

    if (arm_simulate(&a, &serial_friction, observe_serial, &serial) &&
        simulate(&a, &stiff, observe_bodies, &penalty) &&
        simulate(&a, &soft, observe_bodies, &softer)) {
        MEASURE(out, penalty.largest, penalty.angle[0], penalty.angle[1], softer.largest);
    }
    free(serial.serial);
}

const experiment R_sim3 = {
    .id = "R.sim3",
    .title = "Simulation III: the same arm, held together by springs",
    .shows = "Two rigid bodies and two stiff joints give the motion of simulation II without an "
             "equation of motion of the arm; joints that are too soft do not.",
    .seconds = 0.6,
    .parameters = parameters,
    .quantities = quantities,
    .misprints = misprints,
    .run = run_experiment,
};
