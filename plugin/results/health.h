/* SPDX-License-Identifier: MIT
 * Whether a run can be believed: one place that decides `stable` and its warnings for every engine.
 * What is found: friction that chatters or gives energy, energy from nothing, speeds that no joint
 * has, and implicit friction that did not converge.
 */
#ifndef STICTION_RESULTS_HEALTH_H
#define STICTION_RESULTS_HEALTH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "results.h"

/* The energy balance of a run so far. */
typedef struct energy_account {
    bool known;             /* a sample had its energy */
    double first, last;     /* kinetic and potential, J */
    double pushed;          /* the work of pushes, J */
    double largest_kinetic; /* J */
    /* the largest surplus over the work that was done, J; when, s; what moved until then, J; and
     * how much of it constraints gave, J */
    double created, time, moved, constrained;
} energy_account;

/* Call it after the joints' records have the sample. */
void health_add(results *r, const results_sample *s);
bool health_is_stable(const results *r);
/* Adds the warnings; false if memory runs out. */
bool health_warn(results *r);

#endif
