/* SPDX-License-Identifier: MIT
 * The world of a project as one MuJoCo model: all its bodies at their start, the joints in
 * Choreonoid's order, and room in mjData for the memory of friction, so that a copy or a reset of
 * mjData is one of friction too.
 */
#ifndef STICTION_MUJOCO_WORLD_H
#define STICTION_MUJOCO_WORLD_H

#include "projects/project.h"

STICTION_BEGIN_C

typedef struct world_joint {
    const char *name;  /* of the joint in its body */
    int id;            /* joint_id */
    const char *label; /* "BODY.JOINT" where more than one body has joints, else the name */
    bool prismatic;
    int position, velocity; /* its indices in qpos and qvel */
    int actuator;           /* that integrates its deflection, in ctrl and act; -1: none */
    double lower, upper;    /* rad; -inf, inf: without a limit */
    double torque_limit;    /* N m; inf: none */
    double velocity_limit;  /* rad/s; inf: none */
} world_joint;

/* A body of the project; its joints lie together, by joint_id. As in Choreonoid, a joint without an
 * id moves but is not among them. */
typedef struct world_body {
    const char *name; /* of the item; a second body of this name is called NAME-2 */
    const project_body *source;
    const char *model_name; /* as the .body file gives it */
    int root;               /* its root link among the bodies of the model */
    size_t first_joint, joint_count;
    size_t link_count; /* bodies of the model from the root on */
    bool floats;       /* its root moves freely */
    const int *places; /* of the model's velocities among those of the body: 6 of a root that
                          floats, then its joints; -1: none of them */
} world_body;

typedef enum world_integrator {
    WORLD_EULER, /* semi-implicit, as Choreonoid's AIST simulator by default */
    WORLD_RK4
} world_integrator;

/* Read only but for `model`, whose friction may be changed; all pointers are the world's. */
typedef struct world {
    const project *project;
    const project_simulator *simulator;
    double duration; /* s */
    mjModel *model;  /* its keyframe 0 is the start: mj_resetDataKeyframe(model, data, 0) */
    const world_joint *joints;
    size_t joint_count;
    const world_body *bodies;
    size_t body_count;
    const char
        *untrusted; /* the project, whose folder all files must be in; NULL: any may be read */
    arena memory;
} world;

/* How to make a world. Start from world_options_default(). */
typedef struct world_options {
    stiction_log log; /* warnings; NULL: none */
    void *log_user;
    bool untrusted;        /* refuse controllers of the project and files outside its folder */
    const char *simulator; /* the name of a simulator item; NULL: the first */
    double timestep;       /* s; NaN: the simulator's */
    double duration;       /* s; NaN: the simulator's */
    double gravity[3];     /* m/s^2; NaN: the simulator's */
    world_integrator integrator;
    int memory_per_joint; /* doubles of mjData.userdata for each joint */
    bool floor;           /* of a robot: the plane z = 0; a project has its own */
    robot_base base;      /* of a robot; a project has it in its items */
    const char *posture;  /* of a robot at the start, see project_robot_options; NULL: its file's */
    file_notes *notes;    /* receives the files that the world is made from; NULL: not wanted */
    bool (*is_stopped)(void); /* called while files are read: true stops the reading; may be NULL */
} world_options;

world_options world_options_default(void);

/* Of a project (.cnoid) or a robot (.body, .urdf, .xml). NULL: see *error (which may be NULL), with
 * file, line and column. One thread at a time. */
world *world_load(const char *path, const world_options *options, stiction_error *error);
void world_destroy(world *w);

STICTION_END_C

#endif
