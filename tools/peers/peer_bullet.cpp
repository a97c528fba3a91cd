/* SPDX-License-Identifier: MIT */
/* Bullet: a multibody with a joint motor of velocity 0 whose impulse is limited, as pybullet's
 * users make joint friction. */
#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>
#include <BulletDynamics/Featherstone/btMultiBodyJointMotor.h>
#include <BulletDynamics/Featherstone/btMultiBodyLinkCollider.h>
#include <BulletDynamics/Featherstone/btMultiBodyMLCPConstraintSolver.h>
#include <BulletDynamics/Featherstone/btMultiBodyPoint2Point.h>
#include <BulletDynamics/MLCPSolvers/btDantzigSolver.h>
#include <btBulletDynamicsCommon.h>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "peer.h"

namespace {

struct Made {
    chain of;
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    btDantzigSolver dantzig;
    btMultiBodyMLCPConstraintSolver solver{&dantzig};
    btMultiBodyDynamicsWorld world{&dispatcher, &broadphase, &solver, &configuration};
    std::unique_ptr<btMultiBody> body;
    std::vector<std::unique_ptr<btMultiBodyJointMotor>> motors;
    btSphereShape shape{0.01};
    std::unique_ptr<btBoxShape> sole;
    btStaticPlaneShape floor_shape{btVector3(0, 1, 0), -PEER_FOOT_HEIGHT / 2};
    std::unique_ptr<btRigidBody> floor, weight;
    std::unique_ptr<btMultiBodyPoint2Point> rope;
    /* without one a link is in no island, and its constraints are skipped */
    std::vector<std::unique_ptr<btMultiBodyLinkCollider>> colliders;

    ~Made() {
        if (rope) world.removeMultiBodyConstraint(rope.get());
        if (weight) world.removeRigidBody(weight.get());
        if (floor) world.removeRigidBody(floor.get());
        for (auto &motor : motors) world.removeMultiBodyConstraint(motor.get());
        for (auto &collider : colliders) world.removeCollisionObject(collider.get());
        world.removeMultiBody(body.get());
    }
};

/* A rope that is tight is a rod. */
void hang_weight(Made *m) {
    const btVector3 tip(m->of.count * m->of.length, 0, 0), rope(0, PEER_ROPE, 0);
    m->weight =
        std::make_unique<btRigidBody>(m->of.weight, nullptr, &m->shape, btVector3(0.1, 0.1, 0.1));
    m->weight->setWorldTransform(btTransform(btQuaternion::getIdentity(), tip - rope));
    m->weight->setActivationState(DISABLE_DEACTIVATION);
    m->world.addRigidBody(m->weight.get(), 0, 0);
    m->rope = std::make_unique<btMultiBodyPoint2Point>(
        m->body.get(), m->of.count - 1, m->weight.get(),
        btVector3(m->of.length - m->of.centre, 0, 0), rope);
    m->rope->setMaxAppliedImpulse(1e6);
    m->world.addMultiBodyConstraint(m->rope.get());
}

void lay_floor(Made *m) {
    m->floor = std::make_unique<btRigidBody>(0, nullptr, &m->floor_shape);
    m->floor->setFriction(PEER_FLOOR);
    m->world.addRigidBody(m->floor.get(), 1, 2);
}

void *create(const chain *c) {
    auto *m = new Made;
    const btVector3 inertia(c->inertia, c->inertia, c->inertia);
    m->sole = std::make_unique<btBoxShape>(
        btVector3(c->length / 2, PEER_FOOT_HEIGHT / 2, PEER_FOOT_WIDTH / 2));
    m->of = *c;
    m->world.setGravity(btVector3(0, -c->gravity, 0));
    m->body = std::make_unique<btMultiBody>(c->count, 0, btVector3(0, 0, 0), true, false);
    if (c->stands) /* the place of its joint is its centre of mass */
        m->body->setupPlanar(0, c->mass, inertia, -1, btQuaternion::getIdentity(),
                             btVector3(0, 0, 1), btVector3(c->centre, 0, 0), true);
    for (int k = c->stands; k < c->count; k++)
        m->body->setupRevolute(k, c->mass, inertia, peer_parent(c, k), btQuaternion::getIdentity(),
                               btVector3(0, 0, 1), btVector3(k ? c->length - c->centre : 0, 0, 0),
                               btVector3(c->centre, 0, 0), true);
    m->body->finalizeMultiDof();
    m->body->setLinearDamping(0);
    m->body->setAngularDamping(0);
    m->body->setCanSleep(false);
    m->body->setHasSelfCollision(false);
    m->world.addMultiBody(m->body.get());
    for (int k = 0; k < c->count; k++) {
        m->colliders.push_back(std::make_unique<btMultiBodyLinkCollider>(m->body.get(), k));
        const bool is_foot = c->stands && k % (c->count - 1) == 0;
        m->colliders.back()->setCollisionShape(
            is_foot ? static_cast<btCollisionShape *>(m->sole.get()) : &m->shape);
        m->colliders.back()->setFriction(PEER_FLOOR);
        m->world.addCollisionObject(m->colliders.back().get(), is_foot ? 2 : 0, is_foot ? 1 : 0);
        m->body->getLink(k).m_collider = m->colliders.back().get();
    }
    m->world.getSolverInfo().m_numIterations = 200; /* where Dantzig's method finds no solution */
    m->world.getSolverInfo().m_leastSquaresResidualThreshold = 0;
    for (int k = c->stands; k < c->count && c->static_torque > 0; k++) {
        m->motors.push_back(std::make_unique<btMultiBodyJointMotor>(
            m->body.get(), k, 0, 0.0, c->static_torque * c->timestep));
        m->world.addMultiBodyConstraint(m->motors.back().get());
        m->motors.back()->finalizeMultiDof();
    }
    if (c->weight > 0) hang_weight(m);
    if (c->stands) lay_floor(m);
    return m;
}

void destroy(void *of) {
    delete static_cast<Made *>(of);
}

void step(void *of, const double *torque) {
    auto *m = static_cast<Made *>(of);
    for (int k = m->of.stands; k < m->of.count; k++)
        m->body->addJointTorque(k, torque[k] - m->of.viscous * m->body->getJointVel(k));
    m->world.stepSimulation(m->of.timestep, 0, m->of.timestep);
}

void read_state(void *of, double *position, double *velocity) {
    auto *m = static_cast<Made *>(of);
    for (int k = 0; k < m->of.count; k++) {
        position[k] = m->body->getJointPos(k);
        velocity[k] = m->body->getJointVel(k);
    }
}

void place(void *of, const double *position, const double *velocity) {
    auto *m = static_cast<Made *>(of);
    for (int k = 0; k < m->of.count; k++) {
        m->body->setJointPos(k, position[k]);
        m->body->setJointVel(k, velocity[k]);
    }
    if (m->of.stands) { /* it turns about its centre of mass */
        m->body->getJointPosMultiDof(0)[1] = m->of.centre * (std::cos(position[0]) - 1);
        m->body->getJointPosMultiDof(0)[2] = m->of.centre * std::sin(position[0]);
    }
    btAlignedObjectArray<btQuaternion> turns;
    btAlignedObjectArray<btVector3> places;
    m->body->forwardKinematics(turns, places);
    m->body->updateCollisionObjectWorldTransforms(turns, places);
}

void set_level(void *of, double level) {
    auto *m = static_cast<Made *>(of);
    for (auto &motor : m->motors) motor->setMaxAppliedImpulse(level * m->of.timestep);
}

const char *version() {
    static const std::string text = std::to_string(btGetVersion() / 100) + "." +
                                    std::to_string(btGetVersion() % 100) +
                                    (sizeof(btScalar) == 4 ? " in single precision" : "");
    return text.c_str();
}

} // namespace

extern "C" const peer bullet_motor;
const peer bullet_motor = {"Bullet",   "multibody joint motor, velocity 0; MLCP solver of Dantzig",
                           false,      false,
                           version,    create,
                           destroy,    step,
                           read_state, place,
                           set_level};
