/* SPDX-License-Identifier: MIT
 * The friction of one `stiction.friction` element of a MuJoCo 3 model, in one mjData. What steps
 * change is in mjData.plugin_state, so that copies, resets and keyframes of mjData include
 * friction; an instance holds only what is derived from the model, and the result of the last
 * computation. Nothing here changes plugin_state except instance_advance.
 */
#ifndef STICTION_MUJOCO_PLUGIN_INSTANCE_H
#define STICTION_MUJOCO_PLUGIN_INSTANCE_H

#include "document/arena.h"
#include "mujoco_compile/mujoco_versions.h"
#include "mujoco_element/plugin_element.h"
#include "results/joint_arrays.h"
#include "stiction/stiction.h"

typedef struct instance {
    arena memory;
    int id; /* of the plugin instance in the model */
    size_t count;
    int *joint, *dof, *position; /* of each joint: its number, its places in qvel and qpos */
    const char **names;          /* without the prefix */
    stiction_joint_def *defs;    /* law "none": the joint has no friction */
    stiction_model *model;
    stiction_state *state;       /* to compute with: what it remembers is in plugin_state */
    stiction_implicit *implicit; /* NULL: explicit coupling */
    stiction_element_choice element;
    unsigned needs;         /* what its joints read of a step, STICTION_NEEDS_... */
    double judged_timestep; /* s: for which auto found explicit coupling safe; 0: it did not */
    /* of plugin_state, after one torque of the constraints per joint: */
    size_t state_numbers;    /* what the joints remember, */
    size_t implicit_numbers; /* what the solver remembers */

    struct mujoco_solver
        *together;   /* of stiction_mujoco_step, in the first instance; may be NULL */
    bool is_changed; /* a joint's friction is no longer that of the model */
    bool is_solved;  /* that function computes friction, mj_step1 does not */
    bool has_warned; /* of a limit of implicit coupling; once is enough */

    double *next; /* what plugin_state becomes when the step ends */
    bool has_next;
    joint_arrays last; /* of the last computation, one entry per joint */
    /* one entry per joint: */
    double *velocity, *joint_position, *effort, *external;
    /* one entry per degree of freedom: */
    joint_arrays dofs;
    double *force, *bias, *dof_position, *dof_effort, *dof_external, *damping;
    double *mass;       /* packed along the parents, */
    int *mass_diagonal; /* in which each degree of freedom has its own place */
} instance;

/* The numbers that an instance needs in plugin_state; 0 if its attributes have errors, which
 * instance_create then reports. The model need not be complete. */
int instance_state_size(const mjModel *model, int id);

/* NULL: see *error. */
instance *instance_create(const mjModel *model, int id, stiction_error *error);
void instance_destroy(instance *made);

/* Friction in the state of `data`, which does not change: the torques are in `last`. On failure
 * they are zeros. */
stiction_status instance_compute(instance *of, const mjModel *model, mjData *data,
                                 stiction_error *error);

/* All forces before friction, except those of actuators and constraints, in of->force. */
void instance_find_force(instance *of, const mjModel *model, mjData *data);

/* What the integrator takes at the end of a step, N m s/rad: dampers of joints, with Euler's rule
 * where `euler` says so, and those of servos on joints where the integrator is implicit. */
void instance_find_damping(const mjModel *model, bool euler, double *damping);

/* Its part of plugin_state. */
const mjtNum *instance_state(const instance *of, const mjModel *model, const mjData *data);

/* The values of the sensors, from the last computation. */
void instance_compute_sensors(const mjModel *model, mjData *data);

/* The end of a time step: friction remembers what was computed last. */
void instance_advance(instance *of, const mjModel *model, mjData *data);

/* Copies the result of the last computation, for a copy of mjData between two parts of a step. */
void instance_copy(instance *to, const instance *from);

/* The index of a joint of the model among those of the instance; -1: it is not one of them. */
long instance_find(const instance *of, int joint);
bool instance_has_friction(const instance *of, size_t index);

/* The instance of another element of the same data; NULL: the element is of another plugin. */
instance *instance_of(const mjModel *model, const mjData *data, int id);

#endif
