/*
 * How heavy the joints of a robot are, over its poses. What a joint sees of the robot is its row of
 * the inverse mass matrix, with all joints and a free root in it, and rotor inertia included.
 */
#ifndef STICTION_STABILITY_INERTIA_H
#define STICTION_STABILITY_INERTIA_H

#include "robots/robot.h"

STICTION_BEGIN_C

/*
 * Robots with more joints are not judged: the work for all poses grows with the fifth power of
 * their number. A humanoid with hands has some 60.
 */
enum { STABILITY_MOST_JOINTS = 100 };

/*
 * The joints' block of the inverse mass matrix at one pose, joint_count x joint_count, row by row,
 * 1/(kg m^2): 1 over a diagonal entry is the inertia that the joint alone feels.
 */
stiction_status robot_mobility_at(const robot *r, const double *positions, double *mobility,
                                  stiction_error *error);

/*
 * The same over all poses: neutral, all joints at one end of their range, each joint alone at
 * either end, 200 spread evenly over all ranges, and for each joint the one at which a search from
 * the worst of these finds it lightest. A joint without limits turns once around, or moves by a
 * metre. The poses are the same for every call. Of a robot with too many joints, or with so much
 * beside it in its model that all poses would take minutes, it is the neutral pose alone.
 */
typedef struct robot_mobility {
    size_t joint_count, pose_count;
    double *matrices; /* one behind the other */
    bool partial;     /* other poses were too many to be looked at: nothing is stable for sure */
} robot_mobility;

stiction_status robot_mobility_compute(const robot *r, robot_mobility *mobility,
                                       stiction_error *error);
void robot_mobility_release(robot_mobility *mobility);

/* The smallest inertia that a joint feels at any pose, kg m^2. */
double robot_effective_inertia(const robot_mobility *mobility, size_t joint);

STICTION_END_C

#endif
