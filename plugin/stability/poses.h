/* SPDX-License-Identifier: MIT
 * The poses at which a robot is judged, and its inverse mass matrix at each of them. Every host
 * visits the same poses, whatever order it keeps its joints in: the names of the joints order them.
 *
 * The poses are: neutral; all joints at one end of their range; each joint alone at either end; 200
 * poses spread evenly over all ranges; and for joints with friction the pose at which a search,
 * from the best of the poses before, finds it lightest. Large robots have searches only for the
 * joints whose stability numbers are largest, so that the time stays bounded.
 */
#ifndef STICTION_STABILITY_POSES_H
#define STICTION_STABILITY_POSES_H

#include <stdbool.h>
#include <stddef.h>

#include "stiction/error.h"

STICTION_BEGIN_C

/*
 * Robots with more joints are not judged: the work for all poses grows with the fifth power of
 * their number. A humanoid with hands has some 60.
 */
enum { STABILITY_MOST_JOINTS = 100 };

typedef struct pose_joint {
    const char *name;
    bool prismatic;
    double lower, upper; /* rad or m. Without a limit a joint turns once around, or moves by 1 m
                            either way. Equal limits: the joint stays there */
} pose_joint;

/*
 * Columns first to first + count - 1 of the joints' block of the inverse mass matrix at a pose,
 * with all degrees of freedom and rotor inertia in the mass matrix, 1/(kg m^2). `columns` has count
 * rows of joint_count numbers: the matrix is symmetric.
 */
typedef stiction_status pose_columns(void *host, const double *positions, size_t first,
                                     size_t count, double *columns, stiction_error *error);

typedef struct pose_robot {
    const pose_joint *joints;
    size_t joint_count;
    size_t dof_count; /* of the mass matrix: the joints, others, 6 of a free root */
    pose_columns *columns;
    void *host;
} pose_robot;

/* The range that a joint is tried over. */
void pose_range(const pose_joint *joint, double *lower, double *upper);

/* Whether all poses take a bounded time: some seconds for the largest robots. */
bool pose_is_feasible(const pose_robot *robot);

typedef struct pose_walk pose_walk;

/*
 * `loads` are what friction is to each joint, 2 T B + T^2 K: a joint with 0 is not searched for.
 * NULL: all are 1. Returns NULL when out of memory.
 */
pose_walk *pose_walk_create(const pose_robot *robot, const double *loads);
void pose_walk_destroy(pose_walk *walk);

size_t pose_walk_count(const pose_walk *walk);

/*
 * Goes to the next pose. *matrix and *positions are the walk's, until the next call; *matrix is
 * NULL past the end.
 */
stiction_status pose_walk_next(pose_walk *walk, const double **matrix, const double **positions,
                               stiction_error *error);

STICTION_END_C

#endif
