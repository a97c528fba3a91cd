/*
 * A robot from a Choreonoid .body, a URDF or an MJCF file: its joints, what the file says about
 * their friction, and a MuJoCo model for everything that has to do with inertia.
 */
#ifndef STICTION_ROBOTS_ROBOT_H
#define STICTION_ROBOTS_ROBOT_H

#include <stdbool.h>
#include <stddef.h>

#include "document/arena.h"
#include "mujoco_compile/mujoco_versions.h"
#include "stiction/error.h"

STICTION_BEGIN_C

/* A number and where it stands; NaN: the file does not state it. */
typedef struct robot_number {
    double value;
    const char *path;
    int line;
} robot_number;

typedef enum robot_joint_type { ROBOT_REVOLUTE, ROBOT_PRISMATIC } robot_joint_type;

/* A joint with one axis. Units are those of a revolute joint; N and m for a prismatic one. */
typedef struct robot_joint {
    const char *name;
    robot_joint_type type;
    int id;                     /* jointId of a .body, else -1 */
    int position, velocity;     /* its indices in qpos and qvel of the model */
    double lower, upper;        /* rad; -inf, inf: without a limit */
    robot_number effort;        /* largest torque, N m */
    robot_number friction;      /* friction torque, N m */
    robot_number damping;       /* viscous friction, N m s/rad */
    robot_number rotor_inertia; /* of the motor, kg m^2 */
    robot_number gear_ratio;    /* 1 */
    double armature;            /* what the rotor adds to the joint's inertia, kg m^2 */
} robot_joint;

/* Read only; all pointers are the robot's. */
typedef struct robot {
    const char *name; /* of the model, as the file gives it */
    const char *path;
    const robot_joint *joints; /* in the model's order: from the root, each limb to its end */
    size_t joint_count;
    bool free_root;
    mjModel *model;
    arena memory; /* the robot's own */
} robot;

/* How to read a robot. Start from zeros. */
typedef struct robot_options {
    stiction_log log; /* warnings; NULL: none */
    void *log_user;
    bool untrusted;  /* refuse files outside the folder of the robot */
    bool fixed_root; /* a URDF does not say whether its root is free: true, fixed */
} robot_options;

/*
 * Reads a file; its kind is told by its ending: .body, .urdf, .xml. options may be NULL. NULL: see
 * *error (which may be NULL), with file, line and column. One thread at a time: MuJoCo's handlers
 * are global.
 */
robot *robot_load(const char *path, const robot_options *options, stiction_error *error);
void robot_destroy(robot *r);

STICTION_END_C

#endif
