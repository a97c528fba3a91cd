/* SPDX-License-Identifier: MIT */
/* ODE: hinges with a motor of velocity 0 whose force is limited, as its manual suggests for joint
 * friction. */
#define dDOUBLE
#include <math.h>
#include <ode/ode.h>
#include <stdlib.h>
#include <string.h>

#include "peer.h"

typedef struct made {
    chain of;
    dWorldID world;
    dBodyID bodies[PEER_MOST_LINKS];
    dJointID joints[PEER_MOST_LINKS];
    double start[PEER_MOST_LINKS];    /* of links along x, where all angles are 0 */
    double position[PEER_MOST_LINKS]; /* at the start; hinges wrap their angle */
    double turned[PEER_MOST_LINKS], last[PEER_MOST_LINKS];
    dSpaceID space; /* of the feet and the floor */
    dJointGroupID contacts;
} made;

static void destroy(void *of) {
    made *m = of;
    dJointGroupDestroy(m->contacts);
    dSpaceDestroy(m->space);
    dWorldDestroy(m->world);
    free(m);
}

static void touch(void *of, dGeomID a, dGeomID b) {
    made *m = of;
    dContact contacts[8];
    const int count = dCollide(a, b, 8, &contacts[0].geom, sizeof contacts[0]);
    for (int k = 0; k < count; k++) {
        contacts[k].surface = (dSurfaceParameters){.mode = dContactApprox1, .mu = PEER_FLOOR};
        dJointAttach(dJointCreateContact(m->world, m->contacts, &contacts[k]), dGeomGetBody(a),
                     dGeomGetBody(b));
    }
}

static void add_foot(made *m, dBodyID body) {
    dGeomID foot = dCreateBox(m->space, m->of.length, PEER_FOOT_HEIGHT, PEER_FOOT_WIDTH);
    dGeomSetBody(foot, body);
    dGeomSetOffsetPosition(foot, m->of.length / 2 - m->of.centre, 0, 0);
}

/* A rope that is tight is a rod. */
static void hang_weight(made *m) {
    dMass mass;
    const double tip = m->of.count * m->of.length;
    dBodyID weight = dBodyCreate(m->world);
    dMassSetParameters(&mass, m->of.weight, 0, 0, 0, 0.1, 0.1, 0.1, 0, 0, 0);
    dBodySetMass(weight, &mass);
    dBodySetPosition(weight, tip, -PEER_ROPE, 0);
    dJointID rope = dJointCreateHinge(m->world, 0);
    dJointAttach(rope, m->bodies[m->of.count - 1], weight);
    dJointSetHingeAnchor(rope, tip, 0, 0);
    dJointSetHingeAxis(rope, 0, 0, 1);
}

static void *create(const chain *c) {
    static int started;
    if (!started++) dInitODE();
    made *m = calloc(1, sizeof *m);
    m->of = *c;
    m->world = dWorldCreate();
    m->space = dSimpleSpaceCreate(0);
    m->contacts = dJointGroupCreate(0);
    if (c->stands) dCreatePlane(m->space, 0, 1, 0, -PEER_FOOT_HEIGHT / 2);
    dWorldSetGravity(m->world, 0, -c->gravity, 0);
    dWorldSetERP(m->world, 0.2);
    dWorldSetCFM(m->world, 1e-10);
    for (int k = 0; k < c->count; k++) {
        dMass mass;
        dMassSetParameters(&mass, c->mass, 0, 0, 0, c->inertia, c->inertia, c->inertia, 0, 0, 0);
        m->bodies[k] = dBodyCreate(m->world);
        dBodySetMass(m->bodies[k], &mass);
        const int parent = peer_parent(c, k);
        m->start[k] = parent < 0 ? 0 : m->start[parent] + c->length;
        dBodySetPosition(m->bodies[k], m->start[k] + c->centre, 0, 0);
        dBodySetGyroscopicMode(m->bodies[k], 0);
        if (c->stands && k % (c->count - 1) == 0) add_foot(m, m->bodies[k]);
        if (c->stands && k == 0) {
            dJointAttach(dJointCreatePlane2D(m->world, 0), m->bodies[k], 0);
            continue;
        }
        m->joints[k] = dJointCreateHinge(m->world, 0);
        dJointAttach(m->joints[k], m->bodies[k], parent < 0 ? 0 : m->bodies[parent]);
        dJointSetHingeAnchor(m->joints[k], m->start[k], 0, 0);
        dJointSetHingeAxis(m->joints[k], 0, 0, 1);
        if (c->static_torque > 0) {
            dJointSetHingeParam(m->joints[k], dParamVel, 0);
            dJointSetHingeParam(m->joints[k], dParamFMax, c->static_torque);
        }
    }
    if (c->weight > 0) hang_weight(m);
    return m;
}

static double angle_of(const made *m, int k) {
    if (m->joints[k]) return dJointGetHingeAngle(m->joints[k]);
    const dReal *rotation = dBodyGetRotation(m->bodies[k]);
    return atan2(rotation[4], rotation[0]);
}

static double rate_of(const made *m, int k) {
    return m->joints[k] ? dJointGetHingeAngleRate(m->joints[k])
                        : dBodyGetAngularVel(m->bodies[k])[2];
}

static void step(void *of, const double *torque) {
    made *m = of;
    for (int k = m->of.stands; k < m->of.count; k++) {
        const double rate = rate_of(m, k);
        dJointAddHingeTorque(m->joints[k], torque[k] - m->of.viscous * rate);
    }
    dSpaceCollide(m->space, m, touch);
    dWorldStep(m->world, m->of.timestep);
    dJointGroupEmpty(m->contacts);
    for (int k = 0; k < m->of.count; k++) {
        const double angle = angle_of(m, k);
        m->turned[k] += remainder(angle - m->last[k], 2 * M_PI);
        m->last[k] = angle;
    }
}

static void read_state(void *of, double *position, double *velocity) {
    const made *m = of;
    for (int k = 0; k < m->of.count; k++) {
        position[k] = m->position[k] + m->turned[k];
        velocity[k] = rate_of(m, k);
    }
}

/* Bodies of a chain at these angles: positions, rotations and velocities of each. */
static void place(void *of, const double *position, const double *velocity) {
    made *m = of;
    struct {
        double x, y, vx, vy, angle, rate;
    } ends[PEER_MOST_LINKS] = {{0}}, at = {0}; /* of links */
    for (int k = 0; k < m->of.count; k++) {
        const int parent = peer_parent(&m->of, k);
        memset(&at, 0, sizeof at);
        if (parent >= 0) memcpy(&at, &ends[parent], sizeof at);
        at.angle += position[k];
        at.rate += velocity[k];
        const double c = cos(at.angle), s = sin(at.angle), to = m->of.centre, on = m->of.length;
        dMatrix3 rotation;
        dRFromAxisAndAngle(rotation, 0, 0, 1, at.angle);
        dBodySetRotation(m->bodies[k], rotation);
        dBodySetPosition(m->bodies[k], at.x + to * c, at.y + to * s, 0);
        dBodySetLinearVel(m->bodies[k], at.vx - to * s * at.rate, at.vy + to * c * at.rate, 0);
        dBodySetAngularVel(m->bodies[k], 0, 0, at.rate);
        at.x += on * c, at.y += on * s, at.vx -= on * s * at.rate, at.vy += on * c * at.rate;
        memcpy(&ends[k], &at, sizeof at);
    }
    for (int k = 0; k < m->of.count; k++) {
        m->last[k] = angle_of(m, k);
        m->turned[k] = 0;
        m->position[k] = position[k];
    }
}

static void set_level(void *of, double level) {
    made *m = of;
    for (int k = m->of.stands; k < m->of.count; k++)
        dJointSetHingeParam(m->joints[k], dParamFMax, level);
}

static const char *version(void) {
    return PEER_ODE_VERSION;
}

const peer ode_motor = {
    "ODE",      "hinge motor, dParamVel 0, dParamFMax, as its manual suggests; dWorldStep",
    false,      false,
    version,    create,
    destroy,    step,
    read_state, place,
    set_level};
