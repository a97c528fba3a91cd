/* SPDX-License-Identifier: MIT
 * Least squares: the parameters of friction are searched, inertia, gravity and offsets, which are
 * linear, are projected out.
 */
#ifndef STICTION_TOOLS_FIT_ESTIMATE_H
#define STICTION_TOOLS_FIT_ESTIMATE_H

#include "simulate.h"

/* The nuisance columns of the samples with weight; after each change of motion or weights. */
void fit_prepare(fit_problem *p);

/* Takes from y what the nuisance columns explain, over the samples with weight. */
void fit_project(const fit_problem *p, double *y);

/* The nuisances that explain torque - friction best, by least squares. */
void fit_nuisances(const fit_problem *p, const double *friction, double *coefficient);
/* Their torque at a sample of a log. */
double fit_nuisance_of(const fit_problem *p, const double *coefficient, size_t file, size_t i);
size_t fit_nuisance_count(const fit_problem *p);

/* Searches the free parameters, starting from the model's current values. */
bool fit_estimate(fit_simulator *s, fit_problem *p, fit_model *model, size_t most_iterations);

/* The residual, torque minus nuisances and friction, at all samples; held-out files get their own
 * offset. */
bool fit_residual(fit_simulator *s, fit_problem *p, const fit_model *model, double *residual,
                  double *friction);

/* Of the free parameters, from the residuals of blocks of time: errors within a block may be
 * correlated. noise > 0: of white noise, N m, instead of the residuals. */
bool fit_covariance(fit_simulator *s, fit_problem *p, const fit_model *model, double noise,
                    double covariance[FIT_PARAMETER_COUNT][FIT_PARAMETER_COUNT]);

/* How the sum of squares rises where a quantity is moved away from its best value and all other
 * parameters follow; the middle point is the best value. */
typedef struct fit_profile {
    fit_model models[FIT_PROFILE]; /* where the parameters end up */
    double rise[FIT_PROFILE];      /* (N m)^2; infinite: could not be simulated */
    double variance;               /* of the quantity at noise of 1 N m: rise = move^2/variance */
} fit_profile;

/* Of quantities whose derivatives by the parameters are `slopes`, each moved by up to `reach`. */
bool fit_profiles(fit_simulator *s, fit_problem *p, const fit_model *model,
                  const double (*slopes)[FIT_PARAMETER_COUNT], const double *reach, size_t count,
                  fit_profile *profiles);

/* Plain least squares of Coulomb and viscous friction. */
typedef struct fit_plain {
    double coulomb, viscous, deadband;
    double nuisance[FIT_NUISANCES];
    double rms;
} fit_plain;
void fit_plain_estimate(const fit_problem *p, fit_plain *plain);
void fit_plain_residual(const fit_problem *p, const fit_plain *plain, double *residual,
                        double *friction);

double fit_rms(const fit_problem *p, const double *residual, double weight);

#endif
