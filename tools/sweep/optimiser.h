/* SPDX-License-Identifier: MIT
 * A minimum of a function over the unit cube, by NLopt (Johnson): the only file of the project that
 * knows it is optimiser.c. The same calls with the same values follow in the same order, so
 * that a search whose values are stored goes its way again.
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
    /* The value at a point, which is finite. False: it must end. */
    bool (*value)(void *user, const double *point, double *value);
} optimiser;

/* Whether the program was built with one. */
bool optimiser_is_there(void);

/* All of the cube, from a first point on, with about so many values. */
void optimiser_global(const optimiser *o, const double *start, size_t evaluations);
/* Downhill from a point, which is the best so far, in steps that begin with `step`. */
void optimiser_local(const optimiser *o, const double *start, double step, size_t evaluations);

#endif
