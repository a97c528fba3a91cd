/* SPDX-License-Identifier: MIT */
/* What a solver holds, for the step and for constraints that come later. */
#ifndef STICTION_CAPI_IMPLICIT_INTERNAL_H
#define STICTION_CAPI_IMPLICIT_INTERNAL_H

#include "implicit/descent.h"
#include "state_internal.h"

/* A joint with a place in the mass matrix. */
typedef struct implicit_joint {
    stiction_state *state;
    size_t index; /* in its state */
    size_t dof;
    /* the law of the step, of a joint that is no drive the same in all of them: */
    stiction_law_parameters forwards, backwards;
    double temperature, scale; /* as stiction_drive_outlook */
    /* where constraints come later, of the last step: */
    double stiffness; /* the K that was used, N m/rad */
    double friction;
    bool slipped;
    int contact; /* steps for which a constraint still counts as acting */
} implicit_joint;

/* The state of a joint before a step, for one that fails. */
typedef struct implicit_backup {
    joint_memory memory;
    double timestep; /* of its state */
} implicit_backup;

struct stiction_implicit {
    stiction_implicit_def def;
    tree sparse, full;
    descent descent;
    implicit_joint *joints;
    size_t joint_count;
    implicit_joint *joints_before; /* the joints before the step */
    implicit_backup *backup;       /* their states before the step */
    size_t *joint_of_row;
    size_t *part_of_row; /* 0: the law's element, else the element of presliding, from 1 */
    stiction_law_parameters (*presliding)[2]; /* of rows that are one */
    double *mass;                             /* of this step, packed */
    factored mass_factor;
    bool has_mass_factor; /* of this step */
    factored least;       /* the least curvature of J without constraints */
    bool has_tried_least; /* stiction_implicit_find_least() ran in this step, with full stiffness */
    bool has_least;       /* its result: `least` is positive definite */
    uint64_t steps, frozen;
    size_t frozen_at; /* the degree of freedom that kept the last of these from converging */

    /* if constraints come later: the last step, and a problem of one joint */
    bool knows_last;
    double last_timestep, *last_mass, *last_velocity, *last_force, *last_friction;
    double *constraint_force, *scratch;
    tree single_tree;
    descent single;
};

static inline const joint *joint_of(const implicit_joint *j) {
    return &j->state->joints[j->index];
}

/* F_S of the step, in a direction and the larger one. */
static inline double implicit_static(const implicit_joint *j, bool backwards) {
    if (!joint_of(j)->is_drive) return joint_of(j)->model.element.phi_z.breakaway;
    const stiction_law_parameters *p = backwards ? &j->backwards : &j->forwards;
    return joint_of(j)->law->phi(p, 0);
}
static inline double implicit_largest(const implicit_joint *j) {
    const double forwards = implicit_static(j, false), backwards = implicit_static(j, true);
    return forwards > backwards ? forwards : backwards;
}

/* B of a joint in this step. A bristle that is softened has less, or it would come to rest K/B
 * times slower; but enough to stop the joint in a step, and for the law to have one slip. */
static inline double implicit_damping(const implicit_joint *j, double timestep) {
    const joint *of = joint_of(j);
    const stiction_phi_z *p = &of->model.element.phi_z;
    if (of->is_drive || !(j->stiffness < of->stiffness)) return of->def.damping;
    const double same_time = j->stiffness / of->stiffness * of->def.damping;
    const double stopping = 10 * j->stiffness * timestep;
    const double legal = 2 * (1 - p->margin) * p->inverse_Z;
    return fmin(of->def.damping, fmax(same_time, fmax(stopping, legal)));
}

/* Factors a lower bound of the curvature of J over all slips: M/T plus the most negative slope of
 * each law in series with its bristle. `softened`: with the stiffness of this step, otherwise with
 * the full stiffness. False: not positive definite. If it is true for the stiffness of this step, J
 * is convex. */
bool stiction_implicit_find_least(stiction_implicit *s, double timestep, bool softened);

/* The sum of magnitudes: finite only if each number is. Four partial sums, because an addition must
 * wait for the one before it. */
static inline double implicit_sum(size_t count, const double *numbers) {
    double sum[4] = {0};
    size_t k = 0;
    for (; k + 4 <= count; k += 4)
        for (size_t i = 0; i < 4; i++) sum[i] += fabs(numbers[k + i]);
    for (; k < count; k++) sum[0] += fabs(numbers[k]);
    return sum[0] + sum[1] + (sum[2] + sum[3]);
}

/* In a step all that joints remember is in the memories. */
static inline joint_memory *memory_of(const implicit_joint *j) {
    return &j->state->memories[j->index];
}

/*
 * Constraints that come later. Before the rows are made: their forces in the last step are put into
 * constraint_force, and the bristles and their slip follow the velocity that really came.
 */
void stiction_later_look_back(stiction_implicit *implicit, const stiction_implicit_input *input,
                              stiction_implicit_output *output);
/* The K of a joint in this step. */
double stiction_later_stiffness(stiction_implicit *implicit, implicit_joint *j, double timestep,
                                stiction_implicit_output *output);
/* Called after the step. */
void stiction_later_remember(stiction_implicit *implicit, const stiction_implicit_input *input,
                             const double *friction);

#endif
