/* SPDX-License-Identifier: MIT
 * The energy that joints dissipate in a step, for many joints in one loop: computed joint by joint
 * it would take a third of the time of the law. The same bits on every processor.
 */
#ifndef STICTION_CAPI_ENERGY_H
#define STICTION_CAPI_ENERGY_H

#include <stddef.h>

/* Adds to `energy` what a step dissipates, see joint_dissipation; `fours` is a multiple of 4. */
typedef void (*energy_function)(size_t fours, double timestep, const double *restrict stiffness,
                                const double *restrict velocity, const double *restrict torque,
                                const double *restrict before, const double *restrict after,
                                double *restrict energy);

/* The one for this processor. */
energy_function stiction_energy_choose(void);

#endif
