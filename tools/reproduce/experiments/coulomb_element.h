/* SPDX-License-Identifier: MIT
 * Elements A to D of Kikuuwe et al. 2006 with Coulomb friction, as the figures of the paper have
 * them. Made from the library's elements; nothing of its own.
 */
#ifndef STICTION_TOOLS_REPRODUCE_EXPERIMENTS_COULOMB_ELEMENT_H
#define STICTION_TOOLS_REPRODUCE_EXPERIMENTS_COULOMB_ELEMENT_H

#include "joint_models/element.h"

/* Phi(v) = F sgn(v). */
stiction_law_parameters coulomb_parameters(double F);

stiction_element coulomb_element(double F, const stiction_element_def *def);

/* Whether the next step of a one-dimensional element C with input u and deflection e sticks. */
bool element_c_sticks(const stiction_element *element, double u, double e);

#endif
