/*
 * The plots of one joint of a run: position, velocity and torques over time, and friction torque
 * over velocity with the law. The page, the PNGs and the thumbnails draw these.
 */
#ifndef STICTION_TOOLS_REPORT_JOINT_PLOTS_H
#define STICTION_TOOLS_REPORT_JOINT_PLOTS_H

#include "plot/plot.h"
#include "run_data.h"

typedef enum joint_plot {
    JOINT_POSITION,
    JOINT_VELOCITY,
    JOINT_TORQUE,
    JOINT_LAW,
    JOINT_PLOTS
} joint_plot;

typedef struct joint_plots {
    plot plots[JOINT_PLOTS];
    bool reduced;    /* there are samples that the curves over time leave out */
    void **memory;   /* that goes with them */
    size_t memories; /* how many */
} joint_plots;

/* At most about so many points a curve. */
void joint_plots_make(joint_plots *p, const run_data *run, const run_joint *joint, size_t most);
void joint_plots_release(joint_plots *p);

/* "stribeck: F_S 2.5 N m, F_C 0.4 N m, ...": the caller frees it. */
char *joint_friction_text(const run_joint *joint);

#endif
