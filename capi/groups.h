/* SPDX-License-Identifier: MIT
 * The joints of a model or of one state, grouped by fast step, so that joints with the same law
 * step in one loop. A state shares the groups of its model until its time step or a parameter
 * changes, so the coefficients are in the cache once for all states.
 */
#ifndef STICTION_CAPI_GROUPS_H
#define STICTION_CAPI_GROUPS_H

#include "columns.h"

/*
 * Adds to `energy` what joints dissipate in a step, see joint_dissipation; `fours` is a multiple of
 * 4. Computed joint by joint it would take a third of the time of the law. The same bits on every
 * processor.
 */
typedef void (*energy_function)(size_t fours, double timestep, const double *restrict stiffness,
                                const double *restrict velocity, const double *restrict torque,
                                const double *restrict before, const double *restrict after,
                                double *restrict energy);

typedef struct joint_groups {
    column *columns; /* enough for all joints */
    size_t column_count;
    bool has_many;   /* a column that steps in one loop */
    size_t *slots;   /* of all columns */
    double *numbers; /* of all columns */
    /* of each joint: its place among those that step in one loop, column after column and each at
     * the start of a cache line; or no_home */
    size_t *homes;
    energy_function add_energy; /* for this processor */
} joint_groups;

static const size_t no_home = SIZE_MAX;

/* Room for so many joints; false: out of memory. */
bool stiction_groups_create(joint_groups *g, size_t joints);
void stiction_groups_destroy(joint_groups *g);
/* Groups joints, up to the capacity, and allocates nothing. */
void stiction_groups_fill(joint_groups *g, const joint *joints, size_t count);

/* How many places homes of so many joints may need. */
size_t stiction_groups_most_homes(size_t joints);

/* Whether its joints step in one loop; a single joint is faster without it. */
enum { least_long = 2 };
static inline bool column_is_long(const column *c) {
    return c->fast && c->count >= least_long;
}

#endif
