/* SPDX-License-Identifier: MIT
 * The generalised RK4 and the network of components that it integrates.
 * Kikuuwe and Yamamoto, (13), (21), (22).
 * May not know any component: it sees function pointers and counts.
 */
#include "joint_models/comparison/network.h"

void stiction_rk4_step(stiction_flow flow, void *context, size_t n, double t, double T, double *x,
                       double *workspace) {
    const double ahead[] = {0, T / 2, T / 2, T, T}; /* T_0 to T_4 */
    const double weight[] = {0, 1, 2, 2, 1};
    double *const stage = workspace, *const slope = stage + n, *const sum = slope + n;

    for (size_t i = 0; i < n; i++) slope[i] = sum[i] = 0;
    for (int r = 1; r <= 4; r++) { /* (21a) */
        for (size_t i = 0; i < n; i++) stage[i] = x[i] + ahead[r - 1] * slope[i];
        flow(context, t + ahead[r - 1], ahead[r], stage, slope); /* (21b) */
        for (size_t i = 0; i < n; i++) sum[i] += weight[r] * slope[i];
    }
    for (size_t i = 0; i < n; i++) x[i] += T / 6 * sum[i]; /* (21d) */
}

static size_t admittance_states(const stiction_network *network) {
    size_t states = 0;
    for (size_t j = 0; j < network->admittance_count; j++) states += network->admittances[j].states;
    return states;
}

stiction_network_size stiction_network_measure(const stiction_network *network) {
    stiction_network_size size = {.state = admittance_states(network)};
    for (size_t j = 0; j < network->admittance_count; j++)
        size.input += network->admittances[j].inputs;
    for (size_t i = 0; i < network->impedance_count; i++) {
        size.state += network->impedances[i].states;
        size.motion += network->impedances[i].inputs;
        size.force += network->impedances[i].outputs;
    }
    size.workspace = STICTION_RK4_WORKSPACE * size.state + size.motion + size.force + size.input;
    return size;
}

/* A network with the vectors of one evaluation, as the context of its flow. */
typedef struct evaluation {
    const stiction_network *network;
    double *motion, *force, *input;
} evaluation;

/* (13d) to (13g): motion to the impedances, their forces to the admittances. */
static void network_flow(void *context, double t, double tau, const double *state, double *rate) {
    const evaluation *e = context;
    const stiction_network *network = e->network;

    if (network->route_motion) network->route_motion(network->context, t, state, e->motion);

    const double *y = state + admittance_states(network), *motion = e->motion;
    double *ydot = rate + (y - state), *force = e->force;
    for (size_t i = 0; i < network->impedance_count; i++) {
        const stiction_impedance *impedance = &network->impedances[i];
        impedance->evaluate(impedance->self, t, tau, motion, y, force, ydot); /* (22) */
        motion += impedance->inputs, force += impedance->outputs;
        y += impedance->states, ydot += impedance->states;
    }

    network->route_force(network->context, t, state, e->force, e->input); /* (13f) */

    const double *x = state, *input = e->input;
    double *xdot = rate;
    for (size_t j = 0; j < network->admittance_count; j++) {
        const stiction_admittance *admittance = &network->admittances[j];
        admittance->rate(admittance->self, x, input, xdot); /* (13g) */
        x += admittance->states, xdot += admittance->states, input += admittance->inputs;
    }
}

void stiction_network_step(const stiction_network *network, double t, double *state,
                           double *workspace) {
    const stiction_network_size size = stiction_network_measure(network);
    evaluation e = {.network = network, .motion = workspace};
    e.force = e.motion + size.motion;
    e.input = e.force + size.force;
    stiction_rk4_step(network_flow, &e, size.state, t, network->timestep, state,
                      e.input + size.input);

    for (size_t j = 0; j < network->admittance_count; j++) {
        const stiction_admittance *admittance = &network->admittances[j];
        if (admittance->normalise) admittance->normalise(admittance->self, state);
        state += admittance->states;
    }
}
