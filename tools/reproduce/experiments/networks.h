/* SPDX-License-Identifier: MIT
 * A network of components on its way (Kikuuwe and Yamamoto): what their three simulations share.
 * Knows no component: the experiment lists them.
 */
#ifndef STICTION_TOOLS_REPRODUCE_EXPERIMENTS_NETWORKS_H
#define STICTION_TOOLS_REPRODUCE_EXPERIMENTS_NETWORKS_H

#include "joint_models/comparison/component.h"

/* What there is to see: the state at t, from the first one on and after every step. */
typedef void (*network_observer)(void *context, double t, const double *state);

/* False where the network cannot be stepped: nothing was seen then. */
bool network_simulate(const stiction_network *network, double duration, double *state,
                      network_observer observe, void *context);

/* Coulomb friction as I_fricK (19). False where it is not legal. */
bool network_coulomb(stiction_staged_friction *friction, double F, double K, double B, double T);

#endif
