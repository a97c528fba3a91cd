/* What a state holds. */
#ifndef STICTION_CAPI_STATE_INTERNAL_H
#define STICTION_CAPI_STATE_INTERNAL_H

#include "model_internal.h"
#include "stiction/state.h"

struct stiction_state {
    const stiction_model *model;
    double timestep;   /* at which the joints stand */
    bool needs_effort; /* of any joint */
    joint *joints;     /* the model's, until the time step or a parameter changes */
    joint_memory *memories;
    uint64_t *faults;
};

stiction_status check_state(const stiction_state *state, stiction_error *error);

#endif
