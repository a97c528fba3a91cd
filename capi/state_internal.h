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

    /*
     * Of the columns that step in one loop, what a step moves, in their order: with this a step
     * goes through a few lines of the cache. While `in_columns` it stands here and not in the
     * memories. Whoever changes a state calls stiction_state_to_memories first; whoever only reads
     * one calls stiction_state_memory, as others may read it at the same time.
     */
    bool in_columns;
    size_t *homes; /* of each joint: its place in the two arrays, or no_home */
    double *deflections, *energies;
};

static const size_t no_home = SIZE_MAX;

/* Whether its joints step in one loop: fewer are faster one by one. */
enum { least_long = 2 };
static inline bool column_is_long(const column *c) {
    return c->fast && c->count >= least_long;
}

/* Groups the joints into columns anew, after one of them has changed; all they remember is in the
 * memories. */
void stiction_state_group(stiction_state *state);

/* What the joints of columns that step in one loop remember: to the one place and to the other. */
void stiction_state_to_memories(stiction_state *state);
void stiction_state_to_columns(stiction_state *state);
/* What joint k remembers, wherever it stands. */
joint_memory stiction_state_memory(const stiction_state *state, size_t k);

/* Takes all joints to a time step, or none. */
stiction_status stiction_state_prepare(stiction_state *state, double timestep,
                                       stiction_error *error);

stiction_status stiction_state_check(const stiction_state *state, stiction_error *error);

#endif
