/* What making friction and stepping it share. */
#ifndef STICTION_MUJOCO_FRICTION_INTERNAL_H
#define STICTION_MUJOCO_FRICTION_INTERNAL_H

#include "friction.h"

/* The friction of one body. */
typedef struct friction_part {
    size_t body, first, count; /* its joints in the world */
    stiction_model *model;
    stiction_state *state; /* to compute with: what it remembers is in mjData */
    struct friction_part *next;
} friction_part;

struct friction {
    const world *world;
    friction_source source;
    friction_part *parts;
    stiction_joint_def *joints; /* of the world */
    const char *absence;        /* the sentence about it; NULL: a joint has friction */
    /* of the last step, an entry a joint of the world */
    double *velocity, *deflection, *torque, *energy;
    double *rate, *stage_deflection, *stage_torque; /* of a stage of RK4 */
    unsigned char *slipping;
    arena memory;
};

#endif
