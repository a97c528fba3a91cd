/* SPDX-License-Identifier: MIT */
/* What a state holds. */
#ifndef STICTION_CAPI_STATE_INTERNAL_H
#define STICTION_CAPI_STATE_INTERNAL_H

#include "groups.h"
#include "model_internal.h"
#include "stiction/state.h"

struct stiction_state {
    const stiction_model *model;
    double timestep; /* of the joints */
    unsigned needs;  /* of all joints, bits of stiction_need */
    joint *joints;   /* the model's, until the time step or a parameter changes */
    joint_memory *memories;
    uint64_t *faults;

    const joint_groups *groups; /* the model's, as long as the joints are; else the own ones */
    joint_groups own_groups;

    /*
     * For columns that step in one loop: the numbers that a step changes, in column order, so that
     * a step touches few cache lines. While `in_columns` is set they are valid here and not in the
     * memories. Call stiction_state_to_memories before changing a state; to read it, call
     * stiction_state_memory, since others may read it at the same time.
     */
    bool in_columns;
    double *deflections, *energies; /* by the homes of the groups */
};

/* Groups the joints into columns anew, after one of them has changed; all they remember is in the
 * memories. */
void stiction_state_group(stiction_state *state);

/* What the joints of columns that step in one loop remember: to the one place and to the other. */
void stiction_state_to_memories(stiction_state *state);
void stiction_state_to_columns(stiction_state *state);
/* The memory of joint k, wherever it is stored. */
joint_memory stiction_state_memory(const stiction_state *state, size_t k);

/* Takes all joints to a time step, or none. */
stiction_status stiction_state_prepare(stiction_state *state, double timestep,
                                       stiction_error *error);

stiction_status stiction_state_check(const stiction_state *state, stiction_error *error);

#endif
