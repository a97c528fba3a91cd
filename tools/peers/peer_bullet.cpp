/* SPDX-License-Identifier: MIT */
/* Bullet: a multibody with a joint motor of velocity 0 whose impulse is limited, as pybullet's
 * users make joint friction. */
#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <BulletDynamics/Featherstone/btMultiBodyConstraintSolver.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>
#include <BulletDynamics/Featherstone/btMultiBodyJointMotor.h>
#include <BulletDynamics/Featherstone/btMultiBodyLinkCollider.h>
#include <btBulletDynamicsCommon.h>

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
    btMultiBodyConstraintSolver solver;
    btMultiBodyDynamicsWorld world{&dispatcher, &broadphase, &solver, &configuration};
    std::unique_ptr<btMultiBody> body;
    std::vector<std::unique_ptr<btMultiBodyJointMotor>> motors;
    btSphereShape shape{0.01};
    /* without one a link is in no island, and its constraints are skipped */
    std::vector<std::unique_ptr<btMultiBodyLinkCollider>> colliders;

    ~Made() {
        for (auto &motor : motors) world.removeMultiBodyConstraint(motor.get());
        for (auto &collider : colliders) world.removeCollisionObject(collider.get());
        world.removeMultiBody(body.get());
    }
};

void *create(const chain *c) {
    auto *m = new Made;
    const btVector3 inertia(c->inertia, c->inertia, c->inertia);
    m->of = *c;
    m->world.setGravity(btVector3(0, -c->gravity, 0));
    m->body = std::make_unique<btMultiBody>(c->count, 0, btVector3(0, 0, 0), true, false);
    for (int k = 0; k < c->count; k++)
        m->body->setupRevolute(k, c->mass, inertia, k - 1, btQuaternion::getIdentity(),
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
        m->colliders.back()->setCollisionShape(&m->shape);
        m->world.addCollisionObject(m->colliders.back().get(), 0, 0);
        m->body->getLink(k).m_collider = m->colliders.back().get();
    }
    m->world.getSolverInfo().m_numIterations = 200;
    m->world.getSolverInfo().m_leastSquaresResidualThreshold = 0;
    for (int k = 0; k < c->count && c->static_torque > 0; k++) {
        m->motors.push_back(std::make_unique<btMultiBodyJointMotor>(
            m->body.get(), k, 0, 0.0, c->static_torque * c->timestep));
        m->world.addMultiBodyConstraint(m->motors.back().get());
        m->motors.back()->finalizeMultiDof();
    }
    return m;
}

void destroy(void *of) {
    delete static_cast<Made *>(of);
}

void step(void *of, const double *torque) {
    auto *m = static_cast<Made *>(of);
    for (int k = 0; k < m->of.count; k++)
        m->body->addJointTorque(k, torque[k] - m->of.viscous * m->body->getJointVel(k));
    m->world.stepSimulation(m->of.timestep, 0, m->of.timestep);
}

void read_state(const void *of, double *position, double *velocity) {
    const auto *m = static_cast<const Made *>(of);
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
}

const char *version() {
    static const std::string text = std::to_string(btGetVersion() / 100) + "." +
                                    std::to_string(btGetVersion() % 100) +
                                    (sizeof(btScalar) == 4 ? " in single precision" : "");
    return text.c_str();
}

} // namespace

extern "C" const peer bullet_motor;
const peer bullet_motor = {"Bullet", "multibody joint motor, velocity 0, 200 iterations",
                           false,    version,
                           create,   destroy,
                           step,     read_state,
                           place};
