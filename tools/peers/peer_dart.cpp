/* SPDX-License-Identifier: MIT */
/* DART: its Coulomb friction of joints, a constraint of its LCP solver. */
#include <dart/config.hpp>
#include <dart/dart.hpp>

#include <string>
#include <vector>

#include "peer.h"

namespace {

struct Made {
    chain of;
    dart::simulation::WorldPtr world = dart::simulation::World::create();
    dart::dynamics::SkeletonPtr arm = dart::dynamics::Skeleton::create("chain");
};

dart::dynamics::RevoluteJoint::Properties joint_of(const chain *c, int k) {
    dart::dynamics::RevoluteJoint::Properties joint;
    joint.mAxis = Eigen::Vector3d::UnitZ();
    joint.mT_ParentBodyToJoint.translation() = Eigen::Vector3d(k ? c->length : 0, 0, 0);
    joint.mDampingCoefficients[0] = c->viscous;
    joint.mFrictions[0] = c->static_torque;
    joint.mName = "J" + std::to_string(k);
    return joint;
}

void add_box(dart::dynamics::BodyNode *body, const Eigen::Vector3d &size,
             const Eigen::Vector3d &centre) {
    auto *shape =
        body->createShapeNodeWith<dart::dynamics::CollisionAspect, dart::dynamics::DynamicsAspect>(
            std::make_shared<dart::dynamics::BoxShape>(size));
    shape->setRelativeTranslation(centre);
    shape->getDynamicsAspect()->setFrictionCoeff(PEER_FLOOR);
}

void lay_floor(Made *m) {
    auto floor = dart::dynamics::Skeleton::create("floor");
    auto *body = floor->createJointAndBodyNodePair<dart::dynamics::WeldJoint>().second;
    add_box(body, Eigen::Vector3d(10, 1, 10), Eigen::Vector3d(0, -0.5 - PEER_FOOT_HEIGHT / 2, 0));
    m->world->addSkeleton(floor);
    m->world->getConstraintSolver()->setCollisionDetector(
        dart::collision::DARTCollisionDetector::create());
}

/* A rope that is tight is a rod. */
void hang_weight(Made *m) {
    const Eigen::Vector3d tip(m->of.count * m->of.length, 0, 0);
    auto weight = dart::dynamics::Skeleton::create("weight");
    auto made = weight->createJointAndBodyNodePair<dart::dynamics::FreeJoint>();
    made.second->setInertia(dart::dynamics::Inertia(m->of.weight, Eigen::Vector3d::Zero(),
                                                    0.1 * Eigen::Matrix3d::Identity()));
    made.first->setTransform(
        Eigen::Isometry3d(Eigen::Translation3d(tip - PEER_ROPE * Eigen::Vector3d::UnitY())));
    m->world->addSkeleton(weight);
    m->world->getConstraintSolver()->addConstraint(
        std::make_shared<dart::constraint::BallJointConstraint>(
            m->arm->getBodyNode(m->arm->getNumBodyNodes() - 1), made.second, tip));
}

void *create(const chain *c) {
    auto *m = new Made;
    dart::dynamics::BodyNode *last = nullptr;
    std::vector<dart::dynamics::BodyNode *> links;
    m->of = *c;
    for (int k = 0; k < c->count; k++) {
        const int parent = peer_parent(c, k);
        const dart::dynamics::BodyNode::AspectProperties body("L" + std::to_string(k));
        if (c->stands && k == 0)
            last = m->arm
                       ->createJointAndBodyNodePair<dart::dynamics::PlanarJoint>(
                           nullptr, dart::dynamics::PlanarJoint::Properties(), body)
                       .second;
        else
            last = m->arm
                       ->createJointAndBodyNodePair<dart::dynamics::RevoluteJoint>(
                           parent < 0 ? nullptr : links[static_cast<size_t>(parent)],
                           joint_of(c, k), body)
                       .second;
        links.push_back(last);
        if (c->stands && k % (c->count - 1) == 0)
            add_box(last, Eigen::Vector3d(c->length, PEER_FOOT_HEIGHT, PEER_FOOT_WIDTH),
                    Eigen::Vector3d(c->length / 2, 0, 0));
        last->setInertia(dart::dynamics::Inertia(c->mass, Eigen::Vector3d(c->centre, 0, 0),
                                                 c->inertia * Eigen::Matrix3d::Identity()));
    }
    m->world->setGravity(Eigen::Vector3d(0, -c->gravity, 0));
    m->world->setTimeStep(c->timestep);
    m->world->addSkeleton(m->arm);
    if (c->stands) lay_floor(m);
    if (c->weight > 0) hang_weight(m);
    return m;
}

void destroy(void *of) {
    delete static_cast<Made *>(of);
}

/* The number of coordinates before those of the arm: the position of a free first link, whose angle
 * counts as one of the arm. */
int before(const Made *m) {
    return m->of.stands ? 2 : 0;
}

void step(void *of, const double *torque) {
    auto *m = static_cast<Made *>(of);
    for (int k = m->of.stands; k < m->of.count; k++)
        m->arm->setForce(static_cast<size_t>(before(m) + k), torque[k]);
    m->world->step();
}

void read_state(void *of, double *position, double *velocity) {
    auto *m = static_cast<Made *>(of);
    for (int k = 0; k < m->of.count; k++) {
        position[k] = m->arm->getPosition(static_cast<size_t>(before(m) + k));
        velocity[k] = m->arm->getVelocity(static_cast<size_t>(before(m) + k));
    }
}

void place(void *of, const double *position, const double *velocity) {
    auto *m = static_cast<Made *>(of);
    for (int k = 0; k < m->of.count; k++) {
        m->arm->setPosition(static_cast<size_t>(before(m) + k), position[k]);
        m->arm->setVelocity(static_cast<size_t>(before(m) + k), velocity[k]);
    }
}

void set_level(void *of, double level) {
    auto *m = static_cast<Made *>(of);
    for (int k = m->of.stands; k < m->of.count; k++)
        m->arm->getJoint(static_cast<size_t>(k))->setCoulombFriction(0, level);
}

const char *version() {
    return DART_VERSION;
}

} // namespace

extern "C" const peer dart_coulomb;
const peer dart_coulomb = {"DART",     "setCoulombFriction, default LCP solver",
                           false,      false,
                           version,    create,
                           destroy,    step,
                           read_state, place,
                           set_level};
