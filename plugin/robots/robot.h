/* SPDX-License-Identifier: MIT
 * A robot from a Choreonoid .body, a URDF or an MJCF file: its joints as body.h has them, and a
 * MuJoCo model for everything that has to do with inertia.
 */
#ifndef STICTION_ROBOTS_ROBOT_H
#define STICTION_ROBOTS_ROBOT_H

#include "body.h"
#include "document/arena.h"

STICTION_BEGIN_C

/* A joint with one axis, and where it is in the model. */
typedef struct robot_joint {
    const body_link *link;
    int position, velocity; /* its indices in qpos and qvel */
} robot_joint;

/* Read only; all pointers are the robot's. */
typedef struct robot {
    const char *name; /* of the model, as the file gives it */
    const char *path;
    const robot_joint *joints; /* in the model's order: from the root, each limb to its end */
    size_t joint_count;
    bool free_root;
    double timestep; /* s, at which `stiction run` simulates it where nobody says otherwise */
    bool has_timestep; /* its file says it */
    mjModel *model;
    arena memory; /* the robot's own */
} robot;

/* Of a robot whose file does not say, s. */
#define ROBOT_USUAL_TIMESTEP 0.001

/* How to read a robot. Start from zeros. */
typedef struct robot_options {
    stiction_log log; /* warnings; NULL: none */
    void *log_user;
    bool untrusted;  /* refuse files outside the folder of the robot */
    robot_base base; /* that of an MJCF file stays as it is, with a warning */
} robot_options;

/*
 * Reads a file, whose format follows from its ending, see formats.h. options may be NULL. NULL: see
 * *error (which may be NULL), with file, line and column. One thread at a time: MuJoCo's handlers
 * are global.
 */
robot *robot_load(const char *path, const robot_options *options, stiction_error *error);
void robot_destroy(robot *r);

STICTION_END_C

#endif
