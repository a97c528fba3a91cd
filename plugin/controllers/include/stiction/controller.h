/* SPDX-License-Identifier: MIT
 * A controller of your own, as a shared library that every host of stiction loads unchanged: the
 * embedded engine (`stiction run ROBOT --controller my.so:options`), Choreonoid
 * (StictionController) and, over a socket, anything else. The library exports one symbol, a table
 * of functions:
 *
 *     STICTION_CONTROLLER = {STICTION_CONTROLLER_HEAD, .create = create, .step = step,
 *                            .destroy = destroy};
 *
 * Needs no library to link with. Structs begin with their size, and a field that one side does not
 * know stays at its default, so a controller and a host of different versions understand each other
 * as long as STICTION_CONTROLLER_ABI is the same.
 *
 * Units are SI: rad, N m (m, N of a prismatic joint). Quaternions have w first. Frames are the
 * world's unless a field says otherwise. Joints are in the order of stiction_controller_setup.
 */
#ifndef STICTION_CONTROLLER_H
#define STICTION_CONTROLLER_H

#include <stddef.h>

#include "stiction/error.h"

STICTION_BEGIN_C

#define STICTION_CONTROLLER_ABI 1

typedef struct stiction_controller_joint {
    const char *name;
    int prismatic;         /* 1: it slides */
    double lower, upper;   /* rad; -inf, inf: without a limit */
    double velocity_limit; /* rad/s, > 0; inf: none */
    double torque_limit;   /* N m, >= 0; inf: none. The host does not clamp: a controller may */
} stiction_controller_joint;

/* What a controller is made for. It belongs to the host and may be freed after create. */
typedef struct stiction_controller_setup {
    size_t size;
    const char *body;      /* the name of the body in the project */
    const char *options;   /* "kp=20 kv=2": as they were given, for the controller to read; "". What
                              the user sets on top of a project (--set controller.kp=50) follows on
                              lines of its own, and each line beats those before it */
    const char *directory; /* file names in the first line are relative to it; "": the working
                            * directory, which holds for the other lines in any case */
    double timestep;       /* s, of the simulation */
    double gravity[3];     /* m/s^2 */
    int floating;          /* 1: the base moves freely; 0: it is fixed */
    size_t joint_count;
    const stiction_controller_joint *joints;
    size_t link_count;
    const char *const *links; /* names; 0 is the base */
    stiction_log log;         /* for messages to the user, one line each; may be NULL */
    void *log_user;
    const double *rotor_inertias; /* of each joint, at the joint, kg m^2 (kg) */
    const char *robot_file;       /* the path of the robot's file; "": unknown */
    size_t other_count;           /* of the other bodies of the scene */
    const char *const *others;    /* their names */
} stiction_controller_setup;

/* What the input of a step must contain besides joints and base. All zeros before create, which
 * fills it in. Arrays must live as long as the controller. */
typedef struct stiction_controller_needs {
    size_t size;
    int mass_matrix;            /* 1: wanted */
    int bias;                   /* 1: wanted */
    int contacts;               /* 1: wanted */
    size_t jacobian_count;      /* the number of links below */
    const size_t *jacobians;    /* their numbers in `links` of the setup */
    double control_period;      /* s between two steps, rounded to steps of the simulation; the
                                 * output is held in between. 0: every step */
    size_t record_count;        /* values to record in joints.csv */
    const char *const *records; /* their names */
    int link_states;       /* 1: `link_states` of the input wanted, of the links in `jacobians` */
    size_t motion_count;   /* the number of links below */
    const size_t *motions; /* the links whose `motions` are wanted */
    int others;            /* 1: `others` of the input wanted */
    /* The state in which the simulation starts instead of the project's, at rest. Both are read
     * after create. */
    const double *start_joints; /* joint_count positions, rad; NaN: the project's. NULL: all */
    const double *start_base;   /* x, y, z of the base's frame and its rotation, w first, of a base
                                   that floats; NULL: the project's */
} stiction_controller_needs;

/* What touches a link, all of its contacts together. */
typedef struct stiction_controller_contact {
    size_t link;
    double force[3];  /* on the link, N */
    double torque[3]; /* on the link about the origin of its frame, N m */
} stiction_controller_contact;

/* Where a link is, and what its acceleration is where all dof accelerations are 0. */
typedef struct stiction_controller_link_state {
    double position[3], rotation[4]; /* of the link's frame in the world, quaternion w first */
    double bias[6]; /* acceleration of the frame's origin (linear), then angular, in the world,
                       where all dof accelerations are 0: (dJ/dt) v */
} stiction_controller_link_state;

/* How a link moves, and what it exerts on the link before it. A sensor of force and torque across a
 * joint and an IMU on a link follow from it. */
typedef struct stiction_controller_link_motion {
    double position[3], rotation[4]; /* of the link's frame */
    double linear[3], angular[3];    /* velocity of its origin, m/s, and rad/s */
    double acceleration[3];     /* of its origin, m/s^2, from the velocities in this step of the
                                   controller and in the last; 0 in the first */
    double force[3], torque[3]; /* N, N m about its origin: what the link exerts on its parent
                                   through the joint; 0 in the first step. In Choreonoid without
                                   the inertial forces of the links that the joint carries */
} stiction_controller_link_motion;

/* Another body of the scene. */
typedef struct stiction_controller_other {
    double position[3], rotation[4]; /* of its base's frame */
    double linear[3], angular[3];    /* velocity of its origin, m/s, and rad/s */
} stiction_controller_other;

/*
 * What a step reads. `dof` counts the velocities of the whole body: joint_count, and 6 before them
 * where the base floats, which are its linear and its angular velocity as below. Matrices are row
 * by row. What was not asked for in needs is NULL.
 */
typedef struct stiction_controller_input {
    size_t size;
    double time; /* s */
    size_t joint_count, dof;
    const double *q;      /* rad */
    const double *dq;     /* rad/s */
    const double *effort; /* N m: what acted on each joint in the last step of the simulation, which
                             is the command less friction; 0 in the first */
    const double
        *target; /* rad: the target that the user of the host gives each joint; NaN: none */
    double position[3], rotation[4]; /* of the base's frame */
    double linear[3], angular[3];    /* velocity of its origin, m/s, and rad/s */
    double gyro[3];                  /* angular velocity in the base's own axes, rad/s */
    double accelerometer[3]; /* acceleration of its origin less gravity in its own axes, m/s^2, from
                                the velocities in this step of the controller and in the last; less
                                gravity alone in the first */
    const double *mass_matrix; /* dof x dof, rotors included */
    const double *bias;        /* dof: the force that zero acceleration needs: gravity, Coriolis */
    const double *const *jacobians; /* of each link asked for, 6 x dof: linear velocity of its
                                       frame's origin, then angular */
    size_t contact_count;
    const stiction_controller_contact *contacts;       /* links that touch something */
    const stiction_controller_link_state *link_states; /* one entry per link of needs.jacobians;
                                                          NULL: not asked */
    const stiction_controller_link_motion *motions;    /* one entry per link of needs.motions */
    const stiction_controller_other *others;           /* one entry per body of setup.others */
} stiction_controller_input;

typedef enum stiction_control_mode {
    STICTION_CONTROL_TORQUE = 0, /* torque[] as it is, until the next step of the controller */
    STICTION_CONTROL_PD = 1,     /* torque + kp (position - q) + kd (velocity - dq), computed by the
                                    host in every step of the simulation */
    STICTION_CONTROL_PD_INTERPOLATED = 2 /* the same, with torque, position and velocity that go
                                            linearly from those of the last step of the controller
                                            to these, and reach them at the end of its period. After
                                            another mode, and in the first step, they are these */
} stiction_control_mode;

/*
 * What a step writes; the arrays are the host's, one entry per joint. Before each step mode is
 * STICTION_CONTROL_TORQUE and all numbers but those of the last line are NaN: a torque that is not
 * given ends the run with an error. In mode PD torque and velocity may be left out: they are 0.
 */
typedef struct stiction_controller_output {
    size_t size;
    size_t joint_count;
    int *mode;                   /* stiction_control_mode */
    double *torque;              /* N m */
    double *position, *velocity; /* rad, rad/s: what PD steers to */
    double *kp, *kd;             /* N m/rad, N m s/rad */
    double *target;              /* rad: where the joint should be, for the record */
    double *records;             /* one entry per name of needs */
    int finished; /* 0 before the first step; 1: it is done. The run ends well when all controllers
                     are; until then it is still asked */
} stiction_controller_output;

/* A figure of a controller for summary.json. */
typedef struct stiction_controller_note {
    const char *key;  /* "clamped", "mode"; with the key "warning" the text is a warning of the
                       * run */
    const char *text; /* NULL: it is a number */
    double value;
} stiction_controller_note;

/*
 * What a library exports. A function that returns a stiction_status fills *error (its message is
 * enough) unless it returns STICTION_OK: creation then fails, or the run ends, with that message
 * and all results so far. After a crash (SIGSEGV, abort and the like) in one of these functions the
 * host writes the results so far and calls no controller again; `stiction run` then ends. C++
 * exceptions must not leave these functions.
 * The host calls from one thread at a time. Several bodies may share a library: keep nothing of a
 * controller outside of *self.
 */
typedef struct stiction_controller_api {
    unsigned abi; /* STICTION_CONTROLLER_ABI */
    size_t size;  /* of this struct */

    /* *self may be any value, also NULL. It is only used after STICTION_OK. */
    stiction_status (*create)(const stiction_controller_setup *setup,
                              stiction_controller_needs *needs, void **self, stiction_error *error);
    stiction_status (*step)(void *self, const stiction_controller_input *in,
                            stiction_controller_output *out, stiction_error *error);
    void (*destroy)(void *self);

    /* The rest may be NULL. */

    /* The simulation starts anew, or jumped to another state. */
    void (*reset)(void *self);
    /* Note `index` since the reset, at the end of a run; 0: past the last one. */
    int (*note)(void *self, size_t index, stiction_controller_note *note);
    /* Not called any more; kept for controllers that name it. */
    void (*gains)(void *self, const double *mass_matrix, double *stiffness, double *damping);
} stiction_controller_api;

#define STICTION_CONTROLLER_SYMBOL "stiction_controller"
#define STICTION_CONTROLLER_HEAD                                                                   \
    .abi = STICTION_CONTROLLER_ABI, .size = sizeof(stiction_controller_api)
#ifdef __cplusplus
#define STICTION_CONTROLLER                                                                        \
    extern "C" __attribute__((visibility("default")))                                              \
    const stiction_controller_api stiction_controller;                                             \
    const stiction_controller_api stiction_controller
#else
#define STICTION_CONTROLLER                                                                        \
    extern __attribute__((visibility("default")))                                                  \
    const stiction_controller_api stiction_controller;                                             \
    const stiction_controller_api stiction_controller
#endif

STICTION_END_C

#endif
