/* SPDX-License-Identifier: MIT
 * A body of one inertia under a load, with any friction model: an element A to D of a law, or a
 * reference model through the C ABI. Models that give a force are coupled as a simulator does:
 * explicitly, the body moved by semi-implicit Euler.
 */
#ifndef STICTION_TOOLS_REPRODUCE_EXPERIMENTS_DRIVEN_BODY_H
#define STICTION_TOOLS_REPRODUCE_EXPERIMENTS_DRIVEN_BODY_H

#include "joint_models/element.h"
#include "one_joint.h"

typedef struct friction_model {
    char name[40];               /* "C stribeck", "lugre" */
    bool reference;              /* else an element */
    stiction_element_kind kind;  /* of the element */
    stiction_joint_def friction; /* the law and all its parameters */
} friction_model;

typedef struct driven_body {
    const friction_model *model;
    double inertia, timestep;
    stiction_element element; /* A, B, D */
    one_joint *joint;         /* C and reference models */
    double e, inner;          /* deflection; velocity of the mass in element B */
    double position, velocity, friction;
} driven_body;

/* The element of a model at a time step; half of the inertia is in element B, the other half in
 * the body that moves it. */
stiction_law_verdict friction_model_element(const friction_model *m, double inertia,
                                            double timestep, stiction_element *element);

/* At rest. False where the model is not legal at this time step. */
bool driven_body_create(driven_body *b, const friction_model *m, double inertia, double timestep);
void driven_body_destroy(driven_body *b);

void driven_body_set_velocity(driven_body *b, double velocity);
/* One time step under a load. False where the motion has exploded. */
bool driven_body_step(driven_body *b, double load);

#endif
