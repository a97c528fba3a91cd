/* What the parts of a simulation share. */
#ifndef STICTION_MUJOCO_SIMULATION_INTERNAL_H
#define STICTION_MUJOCO_SIMULATION_INTERNAL_H

#include "simulation.h"

typedef struct simulation_log {
    stiction_log log; /* NULL: none */
    void *user;
} simulation_log;

/* What a simulation is made of. */
typedef struct simulation_parts {
    const world *world;
    const friction *friction;
    controllers *controllers; /* NULL: none */
    mjData *data;
} simulation_parts;

/*
 * How near a body's friction, coupled explicitly, is to its limit where `data` is
 * (stability_ratios), under the integrator of the world, with the gains of its controller. `joints`
 * has an entry a joint of the body. `data` has been through mj_forward.
 */
stiction_status simulation_stability(const simulation_parts *parts, size_t body, double *joints,
                                     double *whole, stiction_error *error);

/* Whether that is far from it. */
bool simulation_is_safe(const simulation_parts *parts, size_t body);

/* Warns once a body whose explicit friction is not stable at the start. */
void simulation_warn_unstable(const simulation_log *log, const simulation_parts *parts);

#endif
