/* SPDX-License-Identifier: MIT
 * Without NLopt: searches are refused before one of these is called.
 */
#include "sweep/optimiser.h"

bool optimiser_is_there(void) {
    return false;
}

void optimiser_global(const optimiser *o, const double *start, size_t evaluations) {
    (void)o, (void)start, (void)evaluations;
}

void optimiser_local(const optimiser *o, const double *start, double step, size_t evaluations) {
    (void)o, (void)start, (void)step, (void)evaluations;
}
