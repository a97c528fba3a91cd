/* SPDX-License-Identifier: MIT */
/* A body of one inertia under a load, with any friction model. */
#include "driven_body.h"

#include <math.h>
#include <string.h>

#include "wrist.h"

stiction_law_verdict friction_model_element(const friction_model *m, double inertia,
                                            double timestep, stiction_element *element) {
    const stiction_element_def def = {
        .kind = m->kind,
        .mass = m->kind == STICTION_ELEMENT_B ? inertia / 2 : inertia,
        .stiffness = m->friction.stiffness,
        .damping = m->friction.damping,
        .timestep = timestep,
    };
    const stiction_law_parameters p = stiction_joint_law_parameters(&m->friction);
    return stiction_element_init(element, &def, stiction_law_find(m->friction.law), &p);
}

bool driven_body_create(driven_body *b, const friction_model *m, double inertia, double timestep) {
    stiction_error error;
    *b = (driven_body){.model = m, .inertia = inertia, .timestep = timestep};
    if (!m->reference && m->kind != STICTION_ELEMENT_C)
        return friction_model_element(m, inertia, timestep, &b->element) == STICTION_LAW_OK;
    if (stiction_joint_def_check(NULL, &m->friction, timestep, &error) != STICTION_OK) return false;
    b->joint = one_joint_create(&m->friction, timestep);
    return b->joint != NULL;
}

void driven_body_destroy(driven_body *b) {
    one_joint_destroy(b->joint);
    b->joint = NULL;
}

void driven_body_set_velocity(driven_body *b, double velocity) {
    b->velocity = b->inner = velocity;
}

/* Karnopp's model is one for callers that stop the body where it says so, K (3). */
static void step_joint(driven_body *b, double load) {
    bool slipping;
    b->friction = one_joint_step(b->joint, b->velocity, load, &slipping);
    b->velocity += b->timestep * (load - b->friction) / b->inertia;
    if (!slipping && strcmp(b->model->friction.law, "karnopp") == 0) b->velocity = 0;
}

static void step_element(driven_body *b, double load) {
    const double u = b->velocity;
    double felt;
    switch (b->model->kind) {
    case STICTION_ELEMENT_A:
        stiction_element_a_step(&b->element, 1, &load, &b->velocity, &b->friction);
        break;
    case STICTION_ELEMENT_B:
        stiction_element_b_step(&b->element, 1, &u, &b->e, &b->inner, &b->friction, &felt);
        b->velocity += b->timestep * (load - felt) / (b->inertia / 2);
        break;
    case STICTION_ELEMENT_D:
        (void)stiction_element_d_step(&b->element, 1, &load, &b->e, &b->velocity, &b->friction);
        break;
    case STICTION_ELEMENT_C: /* through the C ABI */
        break;
    }
}

bool driven_body_step(driven_body *b, double load) {
    if (b->joint)
        step_joint(b, load);
    else
        step_element(b, load);
    b->position += b->timestep * b->velocity;
    return fabs(b->velocity) < 1e3; /* false for NaN as well */
}
