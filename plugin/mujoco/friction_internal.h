/* What making friction and stepping it share. */
#ifndef STICTION_MUJOCO_FRICTION_INTERNAL_H
#define STICTION_MUJOCO_FRICTION_INTERNAL_H

#include "friction.h"

typedef struct friction_solver friction_solver;

/* The friction of one body. */
typedef struct friction_part {
    stiction_coupling coupling;
    bool rigid;                /* where it is implicit */
    const char *obstacle;      /* why auto could not take implicit coupling; NULL: nothing */
    size_t body, first, count; /* its joints in the world */
    stiction_model *model;
    stiction_state *state; /* to compute with: what it remembers is in mjData */
    struct friction_part *next;
} friction_part;

struct friction {
    const world *world;
    friction_source source;
    friction_part *parts;
    bool rigid;                 /* implicit joints have no bristle */
    friction_solver *solver;    /* NULL: all is explicit */
    uint64_t frozen_steps;      /* of the solver */
    stiction_joint_def *joints; /* of the world */
    const char *absence;        /* the sentence about it; NULL: a joint has friction */
    /* of the last step, an entry a joint of the world */
    double *velocity, *deflection, *torque, *energy;
    double *rate, *stage_deflection, *stage_torque; /* of a stage of RK4 */
    unsigned char *slipping;
    arena memory, solver_memory;
};

/* Where a body's friction remembers in `data`. */
static inline double *friction_memory(const friction_part *part, const mjData *data) {
    return data->userdata + FRICTION_MEMORY * part->first;
}

/* For the parts that are implicit. */
friction_solver *friction_solver_create(const friction *f, reader *r);

#endif
