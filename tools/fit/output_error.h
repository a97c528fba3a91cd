/* SPDX-License-Identifier: MIT
 * Output error: the joint is simulated under the logged torque, or under its controller, and the
 * motion is compared with the logged one.
 */
#ifndef STICTION_TOOLS_FIT_OUTPUT_ERROR_H
#define STICTION_TOOLS_FIT_OUTPUT_ERROR_H

#include "estimate.h"

/* A model with what else moves the joint. */
typedef struct fit_joint {
    fit_model model;
    double inertia;                  /* kg m^2; its logarithm is searched */
    double gravity_sin, gravity_cos; /* N m */
    double offset[FIT_NUISANCES];    /* N m, of each file; a held-out file has their mean */
} fit_joint;

/* What a torque fit found, as a start. */
fit_joint fit_joint_of(const fit_problem *p, const fit_model *model);
fit_joint fit_joint_of_plain(const fit_problem *p, const fit_plain *plain);

/* Position less logged position at every sample, rad. */
bool fit_motion_error(fit_simulator *s, const fit_problem *p, const fit_joint *joint,
                      double *error);

/* Searches all numbers of a joint but those of the bristle; model.rms is then that of the position,
 * rad. The covariance of the numbers that it searches is replaced. */
bool fit_motion_estimate(fit_simulator *s, fit_problem *p, fit_joint *joint,
                         double covariance[FIT_PARAMETER_COUNT][FIT_PARAMETER_COUNT]);

#endif
