/* SPDX-License-Identifier: MIT */
/* A network of components on its way. */
#include "networks.h"

#include <math.h>
#include <stdlib.h>

#include "common/command.h"

bool network_simulate(const stiction_network *network, double duration, double *state,
                      network_observer observe, void *context) {
    size_t component = 0;
    if (stiction_network_check(network, &component) != STICTION_NETWORK_OK) return false;
    const double T = network->timestep;
    double *workspace = allocate(stiction_network_measure(network).workspace, sizeof *workspace);
    const long steps = lround(duration / T);
    observe(context, 0, state);
    for (long k = 0; k < steps; k++) {
        stiction_network_step(network, (double)k * T, state, workspace);
        observe(context, (double)(k + 1) * T, state);
    }
    free(workspace);
    return true;
}

bool network_coulomb(stiction_staged_friction *friction, double F, double K, double B, double T) {
    stiction_law_parameters p = stiction_law_parameters_default();
    p.static_torque = p.coulomb_torque = F;
    return stiction_staged_friction_init(friction, 1, stiction_law_find("coulomb"), &p, K, B, T,
                                         false) == STICTION_LAW_OK;
}
