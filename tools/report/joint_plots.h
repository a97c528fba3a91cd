/*
 * The plots of one joint of a run: position, velocity, torques, error, the power of friction, its
 * levels and temperature over time, and friction torque over velocity with the law. The page, the
 * PNGs and the thumbnails draw these.
 */
#ifndef STICTION_TOOLS_REPORT_JOINT_PLOTS_H
#define STICTION_TOOLS_REPORT_JOINT_PLOTS_H

#include "plot/plot.h"
#include "run_data.h"

typedef enum joint_plot {
    JOINT_POSITION,
    JOINT_VELOCITY,
    JOINT_TORQUE,
    JOINT_ERROR, /* target less position; without series where there is no target */
    JOINT_POWER, /* friction torque times velocity: what friction takes */
    JOINT_LAW,
    JOINT_LEVEL, /* of friction, with its size; without series where it does not move, as the next
                  */
    JOINT_TEMPERATURE,
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
/* Points a curve so that a page with the plots of all joints of some runs stays below 4 MB. */
size_t joint_plots_points(const run_data *runs, size_t count);
void joint_plots_release(joint_plots *p);

/* "stribeck: F_S 2.5 N m, F_C 0.4 N m, ...": the caller frees it. */
char *joint_friction_text(const run_joint *joint);

#endif
