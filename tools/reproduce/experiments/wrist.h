/* SPDX-License-Identifier: MIT
 * The wrist of Cisneros et al., section V: an inertia with friction under their compliant
 * controller, (50) and (51), integrated as their simulator does: semi-implicit Euler, friction from
 * the velocity at the start of the step, through the C ABI. With it: the
 * curves of a law.
 */
#ifndef STICTION_TOOLS_REPRODUCE_EXPERIMENTS_WRIST_H
#define STICTION_TOOLS_REPRODUCE_EXPERIMENTS_WRIST_H

#include "../experiment.h"
#include "stiction/models/law.h"
#include "stiction/stiction.h"

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

/* All three, in the order in which the paper compares them. */
enum { WRIST_LAWS = 3 };
typedef struct wrist_law {
    const char *name;
    stiction_joint_def friction;
} wrist_law;
void wrist_laws(const experiment *of, wrist_law laws[WRIST_LAWS]);

/* ---- the motion ---- */

typedef struct wrist {
    stiction_joint_def friction;
    double inertia;        /* M, kg m^2 */
    double kp, kv, lambda; /* s^-2, s^-1, s^-1 */
    double timestep;       /* s */
    double target;         /* of a step at t = 0, rad */
} wrist;

/* The wrist of an experiment's M, kp, kv, T and target (deg), stepping to it without lambda. */
wrist wrist_of(const experiment *of, stiction_joint_def friction);

/* What there is to see of a step: from its start. */
typedef struct wrist_sample {
    long step; /* from 0 */
    double time, position, velocity, command, friction;
    bool slipping;
} wrist_sample;

/* Calls `observe` at every step for `duration` seconds. False where
 * the friction is not legal; a step that fails ends it with a NaN. */
bool wrist_simulate(const wrist *w, double duration, void (*observe)(void *, const wrist_sample *),
                    void *context);

#endif
