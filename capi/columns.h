/* SPDX-License-Identifier: MIT
 * Joints in columns, so that each column steps in one loop: by law, and by joint where a joint has
 * enough environments, since these mostly share their parameters.
 * A slot is the number of a joint among all, a place where the caller's arrays have it.
 */
#ifndef STICTION_CAPI_COLUMNS_H
#define STICTION_CAPI_COLUMNS_H

#include "joint_internal.h"

typedef struct column {
    const stiction_fast_step *fast; /* NULL: they step one by one */
    size_t count;
    size_t first;    /* slot; the others follow, unless `slots` */
    size_t *slots;   /* of each, or NULL */
    size_t *places;  /* of each, where `slots` */
    size_t start;    /* how many joints with a fast step the columns before it have */
    bool shared;     /* the same numbers for all */
    double *numbers; /* for the fast step, see stiction_fast_step */
} column;

typedef struct columns {
    column *list;
    size_t count;
} columns;

/* What columns are made of: so many runs of so many slots each, which have columns of their own. */
typedef struct column_source {
    const void *owner;
    const joint *(*joint)(const void *owner, size_t slot);
    size_t (*place)(const void *owner, size_t slot);
    size_t runs, length;
} column_source;

/* Unless OK, *made is empty. */
stiction_status stiction_columns_create(const column_source *source, columns *made,
                                        stiction_error *error);
void stiction_columns_destroy(columns *all);

/* Reads the numbers of all joints anew. */
void stiction_columns_refresh(const columns *all, const column_source *source);
/* The same for one slot: false where its column cannot hold the joint it has now. */
bool stiction_columns_refresh_slot(const columns *all, const column_source *source, size_t slot);

/* The column of a slot, and where it is in it. */
const column *stiction_columns_find(const columns *all, size_t slot, size_t *index);

/* Zeros, at the start of a cache line; free it. */
double *stiction_columns_lines(size_t count);

/* Puts the numbers of the joint k of a column in their place. */
void stiction_column_read_numbers(const column *c, size_t k, const joint *j);

static inline size_t column_slot(const column *c, size_t k) {
    return c->slots ? c->slots[k] : c->first + k;
}

/* The fast step of joints k to k + count of a column, k a multiple of the block; gives the
 * number of velocities that are not usable, whose torques are NaN. */
static inline size_t column_step(const column *c, size_t k, size_t count, double timestep,
                                 const double *velocity, double *deflection, double *torque) {
    const double *numbers = c->numbers + (c->shared ? 0 : k * STICTION_FAST_NUMBERS);
    return c->fast->step_many(numbers, c->shared, timestep, count, velocity, deflection, torque);
}

/* The stiffness of the joints of a block of a column whose numbers are not shared. */
static inline const double *column_stiffness(const column *c, size_t k) {
    _Static_assert(offsetof(stiction_element_c, K) == 0, "the first number");
    return c->numbers + k * STICTION_FAST_NUMBERS;
}

#endif
