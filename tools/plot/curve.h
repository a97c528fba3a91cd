/* SPDX-License-Identifier: MIT
 * The torque of one law with the parameters of one joint, as a function of one number: Phi over
 * velocity, Phi_Z over v*, or the torque of a reference model in steady sliding.
 */
#ifndef STICTION_TOOLS_PLOT_CURVE_H
#define STICTION_TOOLS_PLOT_CURVE_H

#include "common/command.h"
#include "joint_models/element.h"
#include "stiction/stiction.h"

/* Inputs besides the velocity; NaN: not given, which means 0 or the temperature of the
 * definition. */
typedef struct curve_inputs {
    double position;        /* rad */
    double motor_torque;    /* N m */
    double external_torque; /* N m */
    double temperature;     /* deg C */
} curve_inputs;

typedef struct curve {
    stiction_joint_def def; /* complete; its law is the curve's */
    stiction_law_info info;
    const stiction_law *law; /* NULL: a reference model, or "none" */
    stiction_law_parameters parameters;
    curve_inputs inputs;
    bool is_drive;                    /* depends on the inputs, the temperature or the direction */
    stiction_law_parameters sides[2]; /* forwards and backwards; equal without a drive */
    bool implicit;
    stiction_element element[2]; /* of the implicit curve, as in a step */
    stiction_config *config;     /* of this joint */
    stiction_model *model;       /* of a reference model */
    stiction_state *state;
} curve;

/*
 * Makes a curve for the joint `name` of the file `path`. law NULL: that of the definition. timestep
 * > 0: Phi_Z. inputs NULL: none. Release it with curve_release, also after an error.
 */
bool curve_make(curve *c, const char *path, const char *name, const stiction_joint_def *def,
                const char *law, double timestep, const curve_inputs *inputs,
                stiction_error *error);
void curve_release(curve *c);

/* The torque at x; 0 at velocity 0, where Phi has all values from -Phi(+0) to Phi(+0). */
double curve_at(curve *c, double x);

/* The curve over an increasing grid, with the vertical segment if the grid contains 0. x and y have
 * room for one point more than the grid; returns the number of points. */
size_t curve_line(curve *c, const double *grid, size_t count, double *x, double *y);

/* Whether a law has a curve over velocity: not "none", unknown laws and laws that depend on the
 * position. */
bool curve_exists(const char *law);

/* The velocity up to which the curve bends; 0: it has no characteristic velocity. */
double curve_reach(const curve *c);

/* The inputs that the curve depends on: bits of stiction_need, and CURVE_READS_TEMPERATURE. */
enum { CURVE_READS_TEMPERATURE = 1 << 16 };
unsigned curve_needs(const curve *c);

/* "stribeck  F_S 2.5  F_C 0.4 ..."; the caller frees it. */
char *curve_describe(const curve *c);

#endif
