/* SPDX-License-Identifier: MIT
 * The Switch Model, which integrates systems that jump. Drincic and Bernstein, (27) to (37).
 */
#ifndef STICTION_JOINT_MODELS_COMPARISON_SWITCH_MODEL_H
#define STICTION_JOINT_MODELS_COMPARISON_SWITCH_MODEL_H

#include <stddef.h>

#include "stiction/models/export.h"

STICTION_BEGIN_C

/*
 * The Switch Model (27) to (37): xdot[n] of a system that jumps at g(x) = 0 from f_minus (g < 0)
 * to f_plus (g > 0). normal_plus = n' f_plus and normal_minus = n' f_minus, n the gradient of g;
 * eta > 0 is half the stick band, in the units of g; tau > 0 its time constant, s. Explicit
 * integrators want steps below 2 tau, and must not step over the band, not even in one stage: the
 * field of the other side would throw the body off again. xdot may be f_plus or f_minus.
 */
void stiction_switch_model(size_t n, const double *f_plus, const double *f_minus,
                           double normal_plus, double normal_minus, double g, double eta,
                           double tau, double *xdot);

STICTION_END_C

#endif
