/* SPDX-License-Identifier: MIT
 * Which coupling friction takes on a robot where the configuration says `auto`. One decision for
 * every host: `stiction check`, the engine, Choreonoid's item and the customizer call it.
 *
 * Friction is explicit where that is safe by a factor of two at every pose of poses.h, else
 * implicit. The gains of controllers do not count: a run watches for chatter and then changes to
 * implicit coupling. A customizer knows no masses but those in the configuration, so it gives
 * joints without a range, one pose, and a diagonal matrix.
 */
#ifndef STICTION_STABILITY_COUPLING_H
#define STICTION_STABILITY_COUPLING_H

#include "poses.h"
#include "springs.h"
#include "stiction/config.h"

STICTION_BEGIN_C

typedef struct coupling_robot {
    pose_robot poses; /* columns NULL: masses are not known, and explicit counts as unsafe */
    const stiction_joint_def *friction; /* one a joint; law NULL or "none": it has none */
    double timestep;                    /* s */
    bool rk4;                           /* the integrator, else semi-implicit Euler */
} coupling_robot;

typedef enum coupling_reason {
    COUPLING_CONFIGURED,   /* the configuration says which */
    COUPLING_SAFE,         /* explicit: safe by a factor of two */
    COUPLING_UNSAFE,       /* implicit: explicit is not safe by a factor of two */
    COUPLING_UNJUDGED,     /* implicit: too many joints, see pose_is_feasible */
    COUPLING_NO_POTENTIAL, /* explicit, not judged: a law cannot be implicit */
    COUPLING_RK4           /* explicit, not judged: implicit coupling needs Euler's rule */
} coupling_reason;

typedef struct coupling_decision {
    stiction_coupling coupling; /* explicit or implicit */
    coupling_reason reason;
    size_t joint; /* with COUPLING_NO_POTENTIAL: the first whose law has none */
    /* The largest that was found, with STABILITY_LIMIT as 1; NaN: it was not judged. A host is done
     * with the first pose that is not safe, `check` with all of them. */
    double ratio;
} coupling_decision;

/* Inverse mass matrices of a robot, at one pose or at all. */
typedef struct robot_mobility {
    size_t joint_count, pose_count;
    double *matrices; /* one after the other */
    bool partial;     /* only the neutral pose: the robot has too many joints for all of them */
} robot_mobility;

void robot_mobility_release(robot_mobility *mobility);
/* The smallest inertia that a joint feels at any pose, kg m^2. */
double robot_effective_inertia(const robot_mobility *mobility, size_t joint);

/* At all poses, of a robot that has no friction yet: a worse pose is searched for every joint. */
stiction_status robot_mobility_over_poses(const pose_robot *robot, robot_mobility *mobility,
                                          stiction_error *error);

/*
 * Decides. `all` gets the matrices at all poses for stability_judge, also where nothing is left to
 * decide; NULL: they are not wanted. `worst` gets the pose of the ratio, one position a joint; may
 * be NULL. An error of a callback is returned as it is.
 */
stiction_status coupling_decide(stiction_coupling configured, const coupling_robot *robot,
                                robot_mobility *all, double *worst, coupling_decision *decision,
                                stiction_error *error);

STICTION_END_C

#endif
