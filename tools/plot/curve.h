/*
 * The torque of one law with the parameters of one joint, as a function of one number: Phi over
 * velocity, Phi_Z over v*, or what a model of the literature gives after sliding on for long.
 */
#ifndef STICTION_TOOLS_PLOT_CURVE_H
#define STICTION_TOOLS_PLOT_CURVE_H

#include "common/command.h"
#include "joint_models/element.h"
#include "stiction/stiction.h"

/* What friction may depend on beside the velocity; NaN: not given, which is 0, or the temperature
 * of the definition. */
typedef struct curve_inputs {
    double position;        /* rad */
    double motor_torque;    /* N m */
    double external_torque; /* N m */
    double temperature;     /* deg C */
} curve_inputs;

typedef struct curve {
    stiction_joint_def def; /* complete; its law is the curve's */
    stiction_law_info info;
    const stiction_law *law; /* NULL: a model of the literature, or none */
    stiction_law_parameters parameters;
    curve_inputs inputs;
    bool is_drive;                    /* the inputs, the temperature or the direction change it */
    stiction_law_parameters sides[2]; /* forwards and backwards; of other joints the same */
    bool implicit;
    stiction_element element[2]; /* of the implicit curve: the very ones that a step uses */
    stiction_config *config;     /* of this joint alone */
    stiction_model *model;       /* of a model of the literature */
    stiction_state *state;
} curve;

/*
 * Makes a curve for the joint `name` of the file `path`. law NULL: the definition's own. timestep
 * 0: not an implicit one. inputs NULL: none. False after a sentence on stderr. Release it with
 * curve_release, whatever came.
 */
bool curve_make(curve *c, const char *path, const char *name, const stiction_joint_def *def,
                const char *law, double timestep, const curve_inputs *inputs);
void curve_release(curve *c);

/* The torque at x. Phi has no value at velocity 0 but all those from -Phi(+0) to Phi(+0): 0. */
double curve_at(curve *c, double x);

/* The curve over a rising grid as a line to draw: with its vertical piece where the grid has a 0.
 * x and y have room for one point more than the grid; returns how many there are. */
size_t curve_line(curve *c, const double *grid, size_t count, double *x, double *y);

/* Whether a law has a curve over velocity: "none", an unknown law and one that gives a torque by
 * the position have not. */
bool curve_exists(const char *law);

/* The velocity up to which the curve bends; 0: it has no scale of its own. */
double curve_reach(const curve *c);

/* What the curve depends on: bits of stiction_need, and CURVE_READS_TEMPERATURE, which has a value
 * of its own. */
enum { CURVE_READS_TEMPERATURE = 1 << 16 };
unsigned curve_needs(const curve *c);

/* "stribeck  F_S 2.5  F_C 0.4 ...": the caller frees it. */
char *curve_describe(const curve *c);

#endif
