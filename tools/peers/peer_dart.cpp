/* SPDX-License-Identifier: MIT */
/* DART: its Coulomb friction of joints, a constraint of its LCP solver. */
#include <dart/config.hpp>
#include <dart/dart.hpp>

#include "peer.h"

namespace {

struct Made {
    chain of;
    dart::simulation::WorldPtr world = dart::simulation::World::create();
    dart::dynamics::SkeletonPtr arm = dart::dynamics::Skeleton::create("chain");
};

void *create(const chain *c) {
    auto *m = new Made;
    dart::dynamics::BodyNode *last = nullptr;
    m->of = *c;
    for (int k = 0; k < c->count; k++) {
        dart::dynamics::RevoluteJoint::Properties joint;
        joint.mAxis = Eigen::Vector3d::UnitZ();
        joint.mT_ParentBodyToJoint.translation() = Eigen::Vector3d(k ? c->length : 0, 0, 0);
        joint.mDampingCoefficients[0] = c->viscous;
        joint.mFrictions[0] = c->static_torque;
        joint.mName = "J" + std::to_string(k);
        auto made = m->arm->createJointAndBodyNodePair<dart::dynamics::RevoluteJoint>(
            last, joint, dart::dynamics::BodyNode::AspectProperties("L" + std::to_string(k)));
        last = made.second;
        last->setInertia(dart::dynamics::Inertia(c->mass, Eigen::Vector3d(c->centre, 0, 0),
                                                 c->inertia * Eigen::Matrix3d::Identity()));
    }
    m->world->setGravity(Eigen::Vector3d(0, -c->gravity, 0));
    m->world->setTimeStep(c->timestep);
    m->world->addSkeleton(m->arm);
    return m;
}

void destroy(void *of) {
    delete static_cast<Made *>(of);
}

void step(void *of, const double *torque) {
    auto *m = static_cast<Made *>(of);
    m->arm->setForces(Eigen::Map<const Eigen::VectorXd>(torque, m->of.count));
    m->world->step();
}

void read_state(const void *of, double *position, double *velocity) {
    const auto *m = static_cast<const Made *>(of);
    Eigen::Map<Eigen::VectorXd>(position, m->of.count) = m->arm->getPositions();
    Eigen::Map<Eigen::VectorXd>(velocity, m->of.count) = m->arm->getVelocities();
}

void place(void *of, const double *position, const double *velocity) {
    auto *m = static_cast<Made *>(of);
    m->arm->setPositions(Eigen::Map<const Eigen::VectorXd>(position, m->of.count));
    m->arm->setVelocities(Eigen::Map<const Eigen::VectorXd>(velocity, m->of.count));
}

const char *version() {
    return DART_VERSION;
}

} // namespace

extern "C" const peer dart_coulomb;
const peer dart_coulomb = {"DART", "setCoulombFriction, default LCP solver",
                           false,  version,
                           create, destroy,
                           step,   read_state,
                           place};
