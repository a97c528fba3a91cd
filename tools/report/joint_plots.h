/* SPDX-License-Identifier: MIT
 * The plots of one joint of a run: position, velocity, torques, error, friction power, friction
 * levels and temperature over time, and friction torque over velocity with the law.
 */
#ifndef STICTION_TOOLS_REPORT_JOINT_PLOTS_H
#define STICTION_TOOLS_REPORT_JOINT_PLOTS_H

#include "plot/plot.h"
#include "run_data.h"

typedef enum joint_plot {
    JOINT_POSITION,
    JOINT_VELOCITY,
    JOINT_TORQUE,
    JOINT_ERROR, /* target minus position; no series without a target */
    JOINT_POWER, /* friction torque times velocity */
    JOINT_LAW,
    JOINT_LEVEL, /* of friction, with its magnitude; no series if constant, as the next */
    JOINT_TEMPERATURE,
    JOINT_PLOTS
} joint_plot;

typedef struct joint_plots {
    plot plots[JOINT_PLOTS];
    bool reduced;  /* the curves over time leave out samples */
    void **memory; /* owned by the plots */
    size_t memories;
} joint_plots;

/* With about `most` points per curve at most. */
void joint_plots_make(joint_plots *p, const run_data *run, const run_joint *joint, size_t most);
/* Points per curve that keep a page with all joints of some runs below 4 MB. */
size_t joint_plots_points(const run_data *runs, size_t count);
void joint_plots_release(joint_plots *p);

/* Of a floating robot, in the order of the first plots: centre of mass, centre of pressure, and
 * tilt of the base, without a curve if the run lacks the columns. */
enum { BODY_COM, BODY_COP, BODY_TILT, BODY_PLOTS };
void body_plots_make(joint_plots *p, const run_data *run, size_t body, size_t most);

/* "stribeck: F_S 2.5 N m, F_C 0.4 N m, ..."; the caller frees it. */
char *joint_friction_text(const run_joint *joint);

#endif
