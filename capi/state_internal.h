/* What a state holds. */
#ifndef STICTION_CAPI_STATE_INTERNAL_H
#define STICTION_CAPI_STATE_INTERNAL_H

#include "columns.h"
#include "model_internal.h"
#include "stiction/state.h"

struct stiction_state {
    const stiction_model *model;
    double timestep; /* at which the joints stand */
    unsigned needs;  /* of all joints, bits of stiction_need */
    joint *joints;   /* the model's, until the time step or a parameter changes */
    joint_memory *memories;
    uint64_t *faults;

    column *columns; /* the joints by fast step; room for all */
    size_t column_count;
    bool has_many;   /* a column that steps in one loop */
    size_t *slots;   /* of all columns */
    double *numbers; /* of all columns */
};

/* Whether its joints step in one loop: fewer are faster one by one. */
enum { least_long = 5 };
static inline bool column_is_long(const column *c) {
    return c->fast && c->count >= least_long;
}

/* Groups the joints into columns anew, after one of them has changed. */
void stiction_state_group(stiction_state *state);

/* Takes all joints to a time step, or none. */
stiction_status stiction_state_prepare(stiction_state *state, double timestep,
                                       stiction_error *error);

stiction_status stiction_state_check(const stiction_state *state, stiction_error *error);

#endif
