/* SPDX-License-Identifier: MIT */
/* ODE: hinges with a motor of velocity 0 whose force is limited, as its manual suggests for joint
 * friction. */
#define dDOUBLE
#include <math.h>
#include <ode/ode.h>
#include <stdlib.h>

#include "peer.h"

typedef struct made {
    chain of;
    dWorldID world;
    dBodyID bodies[PEER_MOST_LINKS];
    dJointID joints[PEER_MOST_LINKS];
    double position[PEER_MOST_LINKS]; /* at the start; hinges wrap their angle */
    double turned[PEER_MOST_LINKS], last[PEER_MOST_LINKS];
} made;

static void destroy(void *of) {
    made *m = of;
    dWorldDestroy(m->world);
    free(m);
}

static void *create(const chain *c) {
    static int started;
    if (!started++) dInitODE();
    made *m = calloc(1, sizeof *m);
    m->of = *c;
    m->world = dWorldCreate();
    dWorldSetGravity(m->world, 0, -c->gravity, 0);
    dWorldSetERP(m->world, 0.2);
    dWorldSetCFM(m->world, 1e-10);
    for (int k = 0; k < c->count; k++) {
        dMass mass;
        dMassSetParameters(&mass, c->mass, 0, 0, 0, c->inertia, c->inertia, c->inertia, 0, 0, 0);
        m->bodies[k] = dBodyCreate(m->world);
        dBodySetMass(m->bodies[k], &mass);
        dBodySetPosition(m->bodies[k], k * c->length + c->centre, 0, 0);
        dBodySetGyroscopicMode(m->bodies[k], 0);
        m->joints[k] = dJointCreateHinge(m->world, 0);
        dJointAttach(m->joints[k], m->bodies[k], k ? m->bodies[k - 1] : 0);
        dJointSetHingeAnchor(m->joints[k], k * c->length, 0, 0);
        dJointSetHingeAxis(m->joints[k], 0, 0, 1);
        if (c->static_torque > 0) {
            dJointSetHingeParam(m->joints[k], dParamVel, 0);
            dJointSetHingeParam(m->joints[k], dParamFMax, c->static_torque);
        }
    }
    return m;
}

static void step(void *of, const double *torque) {
    made *m = of;
    for (int k = 0; k < m->of.count; k++) {
        const double rate = dJointGetHingeAngleRate(m->joints[k]);
        dJointAddHingeTorque(m->joints[k], torque[k] - m->of.viscous * rate);
    }
    dWorldStep(m->world, m->of.timestep);
    for (int k = 0; k < m->of.count; k++) {
        const double angle = dJointGetHingeAngle(m->joints[k]);
        m->turned[k] += remainder(angle - m->last[k], 2 * M_PI);
        m->last[k] = angle;
    }
}

static void read_state(const void *of, double *position, double *velocity) {
    const made *m = of;
    for (int k = 0; k < m->of.count; k++) {
        position[k] = m->position[k] + m->turned[k];
        velocity[k] = dJointGetHingeAngleRate(m->joints[k]);
    }
}

/* Bodies of a chain at these angles: positions, rotations and velocities of each. */
static void place(void *of, const double *position, const double *velocity) {
    made *m = of;
    double x = 0, y = 0, vx = 0, vy = 0, angle = 0, rate = 0;
    for (int k = 0; k < m->of.count; k++) {
        angle += position[k];
        rate += velocity[k];
        const double c = cos(angle), s = sin(angle), to = m->of.centre, on = m->of.length;
        dMatrix3 rotation;
        dRFromAxisAndAngle(rotation, 0, 0, 1, angle);
        dBodySetRotation(m->bodies[k], rotation);
        dBodySetPosition(m->bodies[k], x + to * c, y + to * s, 0);
        dBodySetLinearVel(m->bodies[k], vx - to * s * rate, vy + to * c * rate, 0);
        dBodySetAngularVel(m->bodies[k], 0, 0, rate);
        x += on * c, y += on * s, vx -= on * s * rate, vy += on * c * rate;
    }
    for (int k = 0; k < m->of.count; k++) {
        m->last[k] = dJointGetHingeAngle(m->joints[k]);
        m->turned[k] = 0;
        m->position[k] = position[k];
    }
}

static const char *version(void) {
    return PEER_ODE_VERSION;
}

const peer ode_motor = {"ODE",  "hinge motor, dParamVel 0, dParamFMax, dWorldStep",
                        false,  version,
                        create, destroy,
                        step,   read_state,
                        place};
