/* SPDX-License-Identifier: MIT
 * Friction, contacts, limits and loops solved together in a step of MuJoCo: for the embedded engine
 * and for stiction_mujoco_step, which compile it for their versions of MuJoCo. Replaces MuJoCo's
 * constraint solver and its integrator, whose rounding would let a joint at rest move.
 */
#ifndef STICTION_MUJOCO_SOLVER_H
#define STICTION_MUJOCO_SOLVER_H

#include "mujoco_compile/mujoco_versions.h"
#include "results/joint_arrays.h"
#include "stiction/stiction.h"

/* Arrays have one entry per degree of freedom. */
typedef struct mujoco_solver {
    stiction_implicit *implicit; /* the states of the joints are added to it */
    double *position, *effort;   /* read by a step; so is last.external_torque */
    double *damping;             /* of MuJoCo, N m s/rad, taken at the end of a step */
    double *velocity;            /* written by a step */
    joint_arrays last;           /* the same */

    stiction_constraints constraints;
    const mjModel *model; /* of the step, */
    mjData *data;         /* the same */
    double *acceleration, *row;
    int *columns;
    double *mass; /* packed along the parents */
    double *jar;  /* J acceleration - aref, one entry per constraint */
    double *rows; /* of J, what is not zero: up to nv numbers each, with their columns */
    int *row_columns, *row_counts;
    int room; /* rows; MuJoCo 3 gives no upper bound before the step */
    void *quantities;
} mujoco_solver;

/* Without joints; NULL: see *error. */
mujoco_solver *mujoco_solver_create(const mjModel *model, bool rigid, stiction_error *error);
void mujoco_solver_destroy(mujoco_solver *solver);

/* From data after mj_step1 to the velocity after the step and the friction in it. */
stiction_status mujoco_solver_solve(mujoco_solver *solver, const mjModel *model, mjData *data,
                                    stiction_implicit_outcome *outcome, stiction_error *error);
/* After it: qacc and the forces of the constraints in the data. */
void mujoco_solver_find_acceleration(mujoco_solver *solver);

#endif
