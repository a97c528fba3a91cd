/* SPDX-License-Identifier: MIT */
/* What making friction and stepping it share. */
#ifndef STICTION_MUJOCO_FRICTION_INTERNAL_H
#define STICTION_MUJOCO_FRICTION_INTERNAL_H

#include "friction.h"

typedef struct friction_solver friction_solver;

/* The friction of one body. */
typedef struct friction_part {
    stiction_coupling coupling;
    bool is_auto;                    /* the configuration left the coupling to us */
    stiction_element_choice element; /* where it is implicit */
    bool preslides;                  /* a joint gives way before it slides */
    bool is_modified;                /* one of its levels or temperatures may change */
    unsigned needs;                  /* the inputs of a step that its joints need,
                                      * STICTION_NEEDS_... */
    const char *obstacle;            /* why auto could not take implicit coupling; NULL: nothing */
    size_t body, first, count;       /* its joints in the world */
    stiction_model *model;
    stiction_state *state; /* only to compute with: the memory of friction is in mjData */
    struct friction_part *next;
} friction_part;

struct friction {
    const world *world;
    friction_source source;
    friction_part *parts;
    bool rigid;                 /* implicit joints have no bristle */
    friction_solver *solver;    /* NULL: all is explicit */
    uint64_t frozen_steps;      /* of the solver */
    char frozen_where[400];     /* the first of them */
    stiction_joint_def *joints; /* of the world */
    valid_ranges *valid;        /* of each of them */
    const char *absence;        /* why no joint has friction; NULL: one has */
    /* of the last step, one entry per joint of the world */
    joint_arrays last;
    double *velocity;
    double *position;                               /* of joints whose friction reads it */
    double *pushed;                                 /* one entry per degree of freedom */
    double *rate, *stage_deflection, *stage_torque; /* of a stage of RK4 */
    arena memory, solver_memory;
};

/* NULL: the body has no friction. */
static inline friction_part *friction_part_of(const friction *f, size_t body) {
    friction_part *part = f->parts;
    while (part && part->body != body) part = part->next;
    return part;
}

/* The memory of a body's friction in `data`. */
static inline double *friction_memory(const friction_part *part, const mjData *data) {
    return data->userdata + FRICTION_REMEMBERED * part->first;
}

/* The torques of constraints in the last step, one entry per joint, stored after friction's memory.
 */
static inline double *friction_carried(const friction *f, const mjData *data) {
    return data->userdata + FRICTION_REMEMBERED * f->world->joint_count;
}

/* Positions and external torques of the start of a step, of the bodies that need them. */
void friction_read_loads(const friction *f, mjData *data);
/* Keeps the torques of the constraints of the step that `data` has just made. */
void friction_carry_constraints(const friction *f, const mjData *data);

/* For the parts that are implicit. */
friction_solver *friction_solver_create(const friction *f, reader *r);
/* The inputs of the joints of a part in the next step, as friction_read_loads found them. */
void friction_solver_set_inputs(const friction *f, const friction_part *part,
                                const double *command);

#endif
