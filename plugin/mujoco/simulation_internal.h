/* What the parts of a simulation share. */
#ifndef STICTION_MUJOCO_SIMULATION_INTERNAL_H
#define STICTION_MUJOCO_SIMULATION_INTERNAL_H

#include "simulation.h"

typedef struct simulation_log {
    stiction_log log; /* NULL: none */
    void *user;
} simulation_log;

/* Warns once a body whose friction is not stable at the start. Leaves `data` where it was. */
void simulation_warn_unstable(const simulation_log *log, const world *w, const friction *f,
                              mjData *data);

#endif
