/* SPDX-License-Identifier: MIT
 * The wrist of Cisneros et al., section V: an inertia with friction under their compliant
 * controller, (50) and (51), integrated as their simulator does: semi-implicit Euler, friction from
 * the velocity at the start of the step. With it: the friction of one joint through the C ABI, the
 * curves of a law, and the fit of friction to a stop.
 */
#ifndef STICTION_TOOLS_REPRODUCE_EXPERIMENTS_WRIST_H
#define STICTION_TOOLS_REPRODUCE_EXPERIMENTS_WRIST_H

#include "../experiment.h"
#include "stiction/models/law.h"
#include "stiction/stiction.h"

/* ---- the friction of one joint through the C ABI, as a simulator uses it ---- */

typedef struct one_joint one_joint;

/* At rest. NULL where the friction is not legal at this time step. */
one_joint *one_joint_create(const stiction_joint_def *friction, double timestep);
void one_joint_destroy(one_joint *j);

/* The torque to subtract; the effort is the sum of all other torques. NaN where the step failed;
 * slipping may be NULL. */
double one_joint_step(one_joint *j, double velocity, double effort, bool *slipping);

/* ---- characteristic curves: a friction law over the velocity, and its implicit transformation
 * ---- */

/* The law of a joint, and the law ready for element C at a time step. */
typedef struct law_curve {
    const stiction_law *law;
    stiction_law_parameters parameters;
    stiction_phi_z phi_z;
} law_curve;

/* Phi_Z is all zeros where it is not legal. */
law_curve law_curve_of(const stiction_joint_def *friction, double timestep);

double law_curve_phi(const law_curve *c, double v);
double law_curve_phi_z(const law_curve *c, double v_star);

/* From -range to range, `points` on each side, with both ends of what happens at zero. */
void law_curve_draw(const law_curve *c, double (*y)(const law_curve *c, double x), double range,
                    int points, experiment_curve *on);

/* Where y has its minimum over x in [low, high], by golden section. */
double law_curve_minimum(const law_curve *c, double (*y)(const law_curve *c, double x), double low,
                         double high);

/* The largest |y of a - y of b| over x in (0, range]. */
double law_curve_distance(const law_curve *a, const law_curve *b,
                          double (*y)(const law_curve *c, double x), double range);

/* ---- the parameters of the paper, as rows of an experiment's list ---- */

/* clang-format off */
#define WRIST_STRIBECK                                                                            \
    {"F_S", 2.5, "N m", PRINTED, "Figs 3 and 7"},                                                 \
    {"F_C", 0.4, "N m", PRINTED, "Stribeck, Fig 3"},                                              \
    {"v_S", 0.06, "rad/s", PRINTED, "Stribeck, Fig 3"},                                           \
    {"D", 4.5, "N m s/rad", PRINTED, "all three laws"}
#define WRIST_RATIONAL                                                                            \
    {"F_C'", 0.2, "N m", CORRECTED, "rational; the caption of Fig 7 is mixed with that of Fig 8"}, \
    {"v_S'", 0.04, "rad/s", CORRECTED, "rational, from the same caption"}
#define WRIST_COULOMB {"F", 1, "N m", PRINTED, "Coulomb, section V"}
#define WRIST_ELEMENT                                                                             \
    {"K", 5000, "N m/rad", PRINTED, "Figs 4 and 8"},                                              \
    {"B", 50, "N m s/rad", PRINTED, "Figs 4 and 8"},                                              \
    {"T", 0.001, "s", PRINTED, NULL}
#define WRIST_INERTIA \
    {"M", 0.1675, "kg m^2", INFERRED, "what the simulated stop angles fit; the paper gives none"}
/* clang-format on */

/* The laws of those rows: all but the last read WRIST_STRIBECK and WRIST_ELEMENT as well. */
stiction_joint_def wrist_stribeck(const experiment *of);
stiction_joint_def wrist_rational(const experiment *of);
stiction_joint_def wrist_coulomb(const experiment *of);

/* All three, in the order in which the paper compares them. */
enum { WRIST_LAWS = 3 };
typedef struct wrist_law {
    const char *name;
    stiction_joint_def friction;
} wrist_law;
void wrist_laws(const experiment *of, wrist_law laws[WRIST_LAWS]);

/* ---- the motion ---- */

/* Where the joint should be. */
typedef struct wrist_desired {
    double q, dq, ddq; /* rad, rad/s, rad/s^2 */
} wrist_desired;

/* What friction is predicted from. */
typedef enum wrist_prediction {
    WRIST_DESIRED_LAW,     /* the desired velocity, without memory: Phi_Z(dq_d) */
    WRIST_DESIRED_BRISTLE, /* the desired velocity, with a bristle as that of the joint */
    WRIST_MEASURED_BRISTLE /* the same from the measured velocity */
} wrist_prediction;

typedef struct wrist {
    stiction_joint_def friction;
    double inertia;                                       /* M, kg m^2 */
    double kp, kv, lambda;                                /* s^-2, s^-1, s^-1 */
    double timestep;                                      /* s */
    double target;                                        /* of a step at t = 0, rad */
    wrist_desired (*desired)(double time, double target); /* NULL: the step */
    const stiction_joint_def *compensation; /* friction that is predicted and added; NULL: none */
    wrist_prediction prediction;
} wrist;

/* The wrist of an experiment's M, kp, kv, T and target (deg), stepping to it without lambda. */
wrist wrist_of(const experiment *of, stiction_joint_def friction);

/* What there is to see of a step: from its start. */
typedef struct wrist_sample {
    long step; /* from 0 */
    double time, position, velocity, command, friction;
    double desired; /* rad */
    bool slipping;
} wrist_sample;

/* Calls `observe` at every step for `duration` seconds. False where
 * the friction is not legal; a step that fails ends it with a NaN. */
bool wrist_simulate(const wrist *w, double duration, void (*observe)(void *, const wrist_sample *),
                    void *context);

/* ---- friction by where and when the wrist stops, and what its integral term makes of it ---- */

/* NaN where the friction is not legal at the time step, or the joint does not stop in time. */
typedef struct wrist_stop {
    double angle, time; /* deg, s: when it was last faster than 1e-3 rad/s, between two steps */
    double torque;      /* that the controller gives at rest, N m */
} wrist_stop;

wrist_stop wrist_stop_of(const wrist *w);

/*
 * Sets F_C and D so that the wrist stops at the angle and time of `goal`, by Newton's method from
 * what they are; raises B where the law needs more. False where there are none: F_C or D would have
 * to be negative, or the joint does not come near.
 */
bool wrist_fit(wrist *w, wrist_stop goal);

/* Of a minute with an integral term. */
typedef struct wrist_hunt {
    double highest;                  /* angle, deg */
    int slips;                       /* the first motion too */
    double least_peak, highest_peak; /* of the command around each slip after the first, N m */
} wrist_hunt;

/* With these gains instead of the wrist's own. Where `angle` is not NULL the angle is drawn,
 * from 80 deg up. */
wrist_hunt wrist_hunt_of(const wrist *w, double kp, double kv, double lambda,
                         experiment_curve *angle);

#endif
