/* SPDX-License-Identifier: MIT
 * The body of Drincic and Bernstein, Figs 7, 13 and 14: pulled slowly by a spring over the bristles
 * of the discontinuous model.
 */
#ifndef STICTION_TOOLS_REPRODUCE_EXPERIMENTS_PULLED_BODY_H
#define STICTION_TOOLS_REPRODUCE_EXPERIMENTS_PULLED_BODY_H

#include "bristle_body.h"

/* Its part of the list of parameters. */
#define PULLED_BODY_PARAMETERS                                                                     \
    {"v_p", 0.002, "m/s", PRINTED, NULL}, {"m", 1, "kg", PRINTED, NULL},                           \
        {"K", 1, "N/m", PRINTED, NULL}, {"kappa", 0.1, "N m/rad", PRINTED, NULL},                  \
        {"h", 0.0995, "m", PRINTED, NULL},                                                         \
        {"l_b", 0.1, "m", PRINTED, "d0 = sqrt(l_b^2 - h^2) = 0.0099875 m, printed 0.01"},          \
        {"Delta", 0.005, "m", PRINTED, NULL}, {"d", 0.5, "m", PRINTED, NULL},                      \
        {"eta", 1e-8, "m/s", PRINTED, "half the stick band"},                                      \
        {"tau", 0.01, "s", CHOSEN, "time constant in the stick band"}, {                           \
        "T", 0.001, "s", CHOSEN, "longest step of RK4; shorter at the stick band"                  \
    }

/* Its part of the list of misprints. */
#define PULLED_BODY_MISPRINTS                                                                      \
    "d0 = 0.01 m is sqrt(l_b^2 - h^2) = 0.0099875 m.",                                             \
        "(29) has gdot = -tau g; (32) uses gdot = -g/tau. G_- is g < -eta."

bristle_body pulled_body(const experiment *self, const stiction_bristles *bristles);

/* theta_s, rad, of a body that never moves backwards. */
double pulled_body_angle_sum(const bristle_body *body, const stiction_bristles *bristles);

/* The moving average (79) of theta_s, sampled at a fixed interval. */
typedef struct mean_angle {
    double beta, interval; /* -, s */
    double next, value;    /* s, rad */
} mean_angle;

mean_angle mean_angle_begin(double beta, double interval);
/* True where a sample has been taken. */
bool mean_angle_see(mean_angle *mean, double t, double theta_s);

#endif
