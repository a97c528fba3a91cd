/* SPDX-License-Identifier: MIT */
/* Characteristic curves: a friction law over the velocity, and its implicit transformation. */
#ifndef STICTION_TOOLS_REPRODUCE_EXPERIMENTS_LAW_CURVE_H
#define STICTION_TOOLS_REPRODUCE_EXPERIMENTS_LAW_CURVE_H

#include "../experiment.h"
#include "stiction/joint.h"
#include "stiction/models/law.h"

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

#endif
