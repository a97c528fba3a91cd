/* SPDX-License-Identifier: MIT
 * What a controller is told of a body in Choreonoid is what it is told on the embedded engine: the
 * same robot in the same state, number by number.
 */
#include "../check.h"

#include "../../plugin/choreonoid/BodyReadings.h"
#include "embedded_body.h"
#include <cnoid/BodyLoader>
#include <cnoid/Link>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

using namespace cnoid;

namespace {

/* A controller's arrays, for all that can be asked for. */
struct Told {
    size_t n;
    std::vector<double> mass, bias, jacobianValues;
    std::vector<double *> jacobians;
    std::vector<size_t> links;
    std::vector<stiction_controller_contact> contacts;
    std::vector<stiction_controller_link_state> linkStates;
    std::vector<stiction_controller_link_motion> motions;
    controller_readings readings = {};
    stiction_controller_needs needs = {};

    Told(size_t dof, size_t numLinks)
        : n(dof), mass(n * n), bias(n), jacobianValues(6 * n * numLinks), contacts(numLinks),
          linkStates(numLinks), motions(numLinks) {
        for (size_t k = 0; k < numLinks; k++) {
            links.push_back(k);
            jacobians.push_back(jacobianValues.data() + 6 * n * k);
        }
        needs.jacobians = links.data();
        needs.jacobian_count = numLinks;
        readings.mass_matrix = mass.data();
        readings.bias = bias.data();
        readings.jacobians = jacobians.data();
        readings.link_states = linkStates.data();
        needs.motions = links.data();
        needs.motion_count = numLinks;
        readings.motions = motions.data();
    }
};

/* The same robot in both. */
struct Pair {
    BodyPtr body;
    embedded_body *embedded = nullptr;

    Pair(const char *bodyFile, const char *projectFile) {
        BodyLoader loader;
        body = loader.load(bodyFile);
        embedded = embedded_body_load(projectFile);
        if (!body || !embedded) {
            FAIL("cannot load %s", body ? projectFile : bodyFile);
            exit(EXIT_FAILURE);
        }
    }
    ~Pair() {
        embedded_body_free(embedded);
    }

    /* Anywhere, turned and moving; a fixed root stays where the project has it. */
    void throwAbout() {
        Link *root = body->rootLink();
        embedded_pose base;
        if (embedded_body_floats(embedded)) {
            root->setTranslation(Vector3(0.3, -0.2, 1.1));
            root->setRotation(AngleAxis(0.7, Vector3(0.2, 0.9, -0.4).normalized()));
            root->v() = Vector3(0.4, -0.6, 0.2);
            root->w() = Vector3(-0.3, 0.5, 0.8);
        } else {
            root->setJointType(Link::FixedJoint);
        }
        const Quaternion turned(root->R());
        const double rotation[] = {turned.w(), turned.x(), turned.y(), turned.z()};
        std::copy_n(root->p().data(), 3, base.position);
        std::copy_n(rotation, 4, base.rotation);
        std::copy_n(root->v().data(), 3, base.linear);
        std::copy_n(root->w().data(), 3, base.angular);
        std::vector<double> q, dq;
        for (auto &joint : body->joints()) {
            const double k = static_cast<double>(q.size());
            q.push_back(joint->q() = 0.3 * std::sin(1.0 + k));
            dq.push_back(joint->dq() = 0.5 * std::cos(2.0 * k));
        }
        CHECK(q.size() == embedded_body_joint_count(embedded));
        body->calcForwardKinematics(true);
        embedded_body_put(embedded, &base, q.data(), dq.data());
    }
};

double largest(const std::vector<double> &values) {
    double most = 0;
    for (double value : values) most = std::max(most, std::fabs(value));
    return most;
}

void checkAlike(const char *what, const std::vector<double> &ours,
                const std::vector<double> &theirs) {
    double worst = 0;
    for (size_t k = 0; k < ours.size(); k++)
        worst = std::max(worst, std::fabs(ours[k] - theirs[k]));
    std::printf("%s: %.1e of %.1e\n", what, worst, largest(theirs));
    CHECK(largest(theirs) > 0);
    CHECK(worst <= 1e-11 * largest(theirs));
}

void compareStates(const stiction_controller_link_state &ours,
                   const stiction_controller_link_state &theirs) {
    double along = 0;
    for (int k = 0; k < 4; k++) along += ours.rotation[k] * theirs.rotation[k];
    CHECK_NEAR(std::fabs(along), 1, 1e-12);
    for (int k = 0; k < 3; k++) CHECK_NEAR(ours.position[k], theirs.position[k], 1e-12);
    for (int k = 0; k < 6; k++) CHECK_NEAR(ours.bias[k], theirs.bias[k], 1e-11);
}

/* Its pose as for the state, its velocity from the Jacobian. */
void compareMotion(const stiction_controller_link_motion &motion,
                   const stiction_controller_link_state &state, const double *jacobian,
                   const std::vector<double> &velocity) {
    const size_t n = velocity.size();
    double along = 0;
    for (int k = 0; k < 4; k++) along += motion.rotation[k] * state.rotation[k];
    CHECK_NEAR(std::fabs(along), 1, 1e-12);
    for (size_t i = 0; i < 6; i++) {
        double expected = 0;
        for (size_t k = 0; k < n; k++) expected += jacobian[i * n + k] * velocity[k];
        CHECK_NEAR(i < 3 ? motion.linear[i] : motion.angular[i - 3], expected, 1e-11);
        if (i < 3) CHECK_NEAR(motion.position[i], state.position[i], 1e-12);
    }
}

void compare(const char *bodyFile, const char *projectFile, bool floats) {
    Pair pair(bodyFile, projectFile);
    pair.throwAbout();
    const embedded_body *embedded = pair.embedded;
    const Vector3 gravity(embedded_body_gravity(embedded));
    BodyReadings readings(pair.body, gravity);
    const size_t n = embedded_body_dof(embedded), numLinks = embedded_body_link_count(embedded);
    const stiction_controller_setup setup = readings.describe();
    CHECK(readings.isFloating() == floats && embedded_body_floats(embedded) == floats);
    CHECK(static_cast<size_t>(readings.numDofs()) == n && setup.link_count == numLinks);
    for (size_t k = 0; k < setup.joint_count; k++) {
        const stiction_controller_joint joint = embedded_body_joint(embedded, k);
        CHECK(std::strcmp(setup.joints[k].name, joint.name) == 0);
        CHECK(setup.joints[k].prismatic == joint.prismatic);
        CHECK_SAME(setup.joints[k].velocity_limit, joint.velocity_limit);
        CHECK_SAME(setup.joints[k].torque_limit, joint.torque_limit);
        CHECK_NEAR(setup.joints[k].lower, joint.lower, 1e-12);
        CHECK_NEAR(setup.joints[k].upper, joint.upper, 1e-12);
    }
    Told told(n, numLinks);
    readings.read(&told.needs, &told.readings);

    std::vector<double> mass(n * n), bias(n), jacobian(6 * n);
    embedded_body_mass_matrix(embedded, mass.data());
    embedded_body_bias(embedded, bias.data());
    checkAlike("mass matrix", told.mass, mass);
    checkAlike("bias", told.bias, bias);
    std::vector<double> velocity;
    for (int k = 0; k < 3 && floats; k++) velocity.push_back(pair.body->rootLink()->v()[k]);
    for (int k = 0; k < 3 && floats; k++) velocity.push_back(pair.body->rootLink()->w()[k]);
    for (auto &joint : pair.body->joints()) velocity.push_back(joint->dq());
    for (size_t k = 0; k < setup.joint_count; k++)
        CHECK_SAME(setup.rotor_inertias[k], pair.body->joint(static_cast<int>(k))->Jm2());
    /* nothing touches it: the base bears the weight of all links */
    const Vector3 weight = pair.body->mass() * gravity;
    const Vector3 moment =
        (pair.body->calcCenterOfMass() - pair.body->rootLink()->p()).cross(weight);
    for (int k = 0; k < 3; k++) {
        CHECK_NEAR(told.motions[0].force[k], weight[k], 1e-9);
        CHECK_NEAR(told.motions[0].torque[k], moment[k], 1e-9);
    }
    for (size_t k = 0; k < numLinks; k++) {
        CHECK(std::strcmp(setup.links[k], embedded_body_link(embedded, k)) == 0);
        embedded_body_jacobian(embedded, k, jacobian.data());
        const double *own = told.jacobians[k];
        for (size_t i = 0; i < 6 * n; i++) CHECK_NEAR(own[i], jacobian[i], 1e-11);
        compareStates(told.linkStates[k], embedded_body_link_state(embedded, k));
        compareMotion(told.motions[k], told.linkStates[k], own, velocity);
    }
    const embedded_pose base = embedded_body_base(embedded);
    const double sign = base.rotation[0] * told.readings.rotation[0] < 0 ? -1 : 1;
    for (int k = 0; k < 3; k++) {
        CHECK_NEAR(told.readings.position[k], base.position[k], 1e-12);
        CHECK_NEAR(told.readings.linear[k], base.linear[k], 1e-12);
        CHECK_NEAR(told.readings.angular[k], base.angular[k], 1e-12);
    }
    for (int k = 0; k < 4; k++)
        CHECK_NEAR(told.readings.rotation[k], sign * base.rotation[k], 1e-12);
}

} // namespace

TEST(floating_humanoid_reads_as_on_the_embedded_engine) {
    compare(HUMANOID_BODY, HUMANOID_PROJECT, true);
}

TEST(fixed_arm_reads_as_on_the_embedded_engine) {
    compare(ARM7_BODY, ARM7_PROJECT, false);
}

/* Forces on a link together, their moment about its origin. */
TEST(contacts_of_a_link_are_reported_together) {
    Pair pair(HUMANOID_BODY, HUMANOID_PROJECT);
    pair.throwAbout();
    BodyReadings readings(pair.body, Vector3(0, 0, -9.80665));
    Told told(readings.numDofs(), pair.body->numLinks());
    told.readings.contacts = told.contacts.data();
    Link *foot = pair.body->link(pair.body->numLinks() - 1);
    const Vector3 zero = Vector3::Zero(), up(0, 0, 30), side(4, 0, 50);
    foot->contactPoints().emplace_back(foot->p() + Vector3(0.1, 0, 0), zero, up, zero, 0.0);
    foot->contactPoints().emplace_back(foot->p() + Vector3(0, 0.2, 0), zero, side, zero, 0.0);
    readings.read(&told.needs, &told.readings);
    CHECK(told.readings.contact_count == 1);
    const stiction_controller_link_motion &motion = told.motions[foot->index()];
    CHECK_NEAR(motion.force[0], 4, 1e-12);
    CHECK_NEAR(motion.force[2], 80 - 9.80665 * foot->mass(), 1e-9);
    const stiction_controller_contact &contact = told.contacts[0];
    CHECK(contact.link == static_cast<size_t>(foot->index()));
    const double force[] = {4, 0, 80}, torque[] = {10, -3, -0.8};
    for (int k = 0; k < 3; k++) {
        CHECK_NEAR(contact.force[k], force[k], 1e-12);
        CHECK_NEAR(contact.torque[k], torque[k], 1e-12);
    }
}
