/* SPDX-License-Identifier: MIT
 * Minimises a function over the unit cube by NLopt (Johnson); only optimiser.c knows NLopt. It is
 * deterministic: a search whose values are stored takes the same steps again.
 */
#ifndef STICTION_TOOLS_SWEEP_OPTIMISER_H
#define STICTION_TOOLS_SWEEP_OPTIMISER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct optimiser {
    size_t dimensions;
    uint64_t seed;
    void *user;
    /* The value at a point, which is finite. False: stop. */
    bool (*value)(void *user, const double *point, double *value);
} optimiser;

/* Whether the program was built with NLopt. */
bool optimiser_is_there(void);

/* Searches the whole cube from a first point, with about so many evaluations. */
void optimiser_global(const optimiser *o, const double *start, size_t evaluations);
/* Downhill from a point, which is the best so far, in steps that begin with `step`. */
void optimiser_local(const optimiser *o, const double *start, double step, size_t evaluations);

#endif
