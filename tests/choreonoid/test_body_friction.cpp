/* SPDX-License-Identifier: MIT
 * What the item does to a body of Choreonoid, step by step: the bridge over the C ABI without a
 * simulator around it.
 */
#include "../check.h"

#include "../../plugin/choreonoid/BodyFriction.h"
#include <cnoid/BodyLoader>
#include <cnoid/ConstraintForceSolver>
#include <cnoid/DyBody>
#include <cnoid/DyWorld>
#include <cnoid/Link>
#include <cnoid/MassMatrix>
#include <cnoid/MaterialTable>

#include <string>
#include <vector>

using namespace cnoid;

namespace {

const double T = 0.001;

const char wristLaw[] = "static_torque: 2.5, coulomb_torque: 0.4, stribeck_velocity: 0.06,"
                        " viscous: 4.5, stiffness: 5000, damping: 50 }\n";

struct Fixture {
    BodyPtr body;
    stiction_config *config = nullptr;
    std::vector<std::string> messages;
    std::unique_ptr<BodyFriction> friction;

    Fixture() {
        BodyLoader loader;
        body = loader.load(WRIST_BODY);
        if (!body) FAIL("cannot load the wrist");
        body->setName("Wrist");
        body->joint(0)->setActuationMode(Link::JointEffort);
        config = configure("stribeck", "");
    }
    ~Fixture() {
        stiction_config_destroy(config);
    }

    static stiction_config *configure(const std::string &law, const std::string &more) {
        const std::string text = "stiction: 1\nmodels: [Wrist]\n" + more +
                                 "joints:\n  RWRR: { law: " + law + ", " + wristLaw;
        stiction_config *config = nullptr;
        if (stiction_config_parse(text.data(), text.size(), "wrist.yaml", &config, nullptr) !=
            STICTION_OK)
            FAIL("the configuration does not load");
        return config;
    }
    bool start(const std::string &law = "") {
        const stiction_override override = {"law", law.c_str()};
        CHECK(stiction_config_override(config, &override, law.empty() ? 0 : 1, nullptr, 0,
                                       nullptr) == STICTION_OK);
        friction = BodyFriction::create(
            body, config, T,
            [this](BodyFriction::Severity, const std::string &m) { messages.push_back(m); });
        return friction != nullptr;
    }
    std::string said() const {
        std::string all;
        for (auto &m : messages) all += m + "\n";
        return all;
    }
};

} // namespace

TEST(friction_is_subtracted_and_does_not_add_up) {
    Fixture f;
    CHECK(f.start());
    Link *joint = f.body->joint(0);
    joint->dq() = 0.3;
    joint->u() = 5;
    for (int k = 0; k < 2000; k++) f.friction->step();
    const double phi = 0.4 + 2.1 * std::exp(-0.3 / 0.06) + 4.5 * 0.3;
    CHECK_NEAR(joint->u(), 5 - phi, 1e-12);
    CHECK_NEAR(f.friction->commands()[0], 5, 0);
    CHECK(f.friction->quantities().slipping[0] == 1);
    CHECK(f.friction->quantities().dissipated_energy[0] > 0);
}

TEST(where_auto_chatters_it_becomes_implicit) {
    for (const char *coupling : {"auto", "explicit"}) {
        Fixture f;
        stiction_config_destroy(f.config);
        f.config = Fixture::configure("stribeck", std::string("coupling: ") + coupling + "\n");
        CHECK(f.start());
        CHECK(f.friction->couple(f.config, Vector3(0, 0, 9.8), true));
        CHECK(!f.friction->isImplicit());
        for (int k = 0; k < 64; k++) {
            f.body->joint(0)->dq() = k % 2 ? 0.3 : -0.3;
            f.friction->step();
        }
        const bool isAuto = std::string(coupling) == "auto";
        CHECK(f.friction->isImplicit() == isAuto);
        CHECK((f.said().find("friction of this body is implicit from now on") !=
               std::string::npos) == isAuto);
    }
}

TEST(reloaded_configuration_acts_at_the_next_step) {
    Fixture f;
    CHECK(f.start());
    Link *joint = f.body->joint(0);
    joint->dq() = 0.3;
    for (int k = 0; k < 2000; k++) f.friction->step();
    stiction_config *other = Fixture::configure("coulomb", "");
    CHECK(f.friction->reconfigure(other));
    joint->u() = 0;
    for (int k = 0; k < 2000; k++) f.friction->step();
    CHECK_NEAR(f.friction->quantities().torque[0], 0.4 + 4.5 * 0.3, 1e-12);
    CHECK(std::string(f.friction->jointDef(0).law) == "coulomb");
    stiction_config_destroy(other);
}

TEST(reload_keeps_what_the_bristle_holds) {
    Fixture f;
    CHECK(f.start());
    Link *joint = f.body->joint(0);
    joint->dq() = 0.0004; /* 2 N m of deflection in a second, then rest */
    for (int k = 0; k < 1000; k++) f.friction->step();
    joint->dq() = 0;
    for (int k = 0; k < 10; k++) f.friction->step();
    CHECK_NEAR(f.friction->quantities().torque[0], 2, 1e-9);
    stiction_config *same = Fixture::configure("stribeck", "");
    CHECK(f.friction->reconfigure(same));
    f.friction->step();
    CHECK_NEAR(f.friction->quantities().torque[0], 2, 1e-9);
    stiction_config_destroy(same);
}

static stiction_config *parse(const std::string &text) {
    stiction_config *config = nullptr;
    if (stiction_config_parse(text.data(), text.size(), "test.yaml", &config, nullptr) !=
        STICTION_OK)
        FAIL("the configuration does not load");
    return config;
}

/* A joint with friction before and after the reload, and one that the file adds. */
static void checkAddedJoint(const std::string &coupling) {
    Fixture f;
    f.body = BodyLoader().load(HUMANOID_BODY);
    CHECK(f.body && f.body->numJoints() > 2);
    for (auto &joint : f.body->joints()) joint->setActuationMode(Link::JointEffort);
    Link *first = f.body->joint(0), *second = f.body->joint(1);
    const std::string head = "stiction: 1\ncoupling: " + coupling + "\njoints:\n  ";
    stiction_config_destroy(f.config);
    f.config = parse(head + first->jointName() + ": { law: stribeck, " + wristLaw);
    CHECK(f.start());
    CHECK(f.friction->couple(f.config, Vector3::Zero(), true));
    first->dq() = 0.0004;
    for (int k = 0; k < 100; k++) f.friction->step();
    const double held = f.friction->quantities().deflection[0];
    CHECK(held > 1e-5);
    stiction_config *more = parse(head + first->jointName() + ": &law { law: stribeck, " +
                                  wristLaw + "  " + second->jointName() + ": *law\n");
    first->dq() = 0;
    CHECK(f.friction->reconfigure(more));
    CHECK(f.friction->numJoints() == 2 && f.friction->link(0) == first);
    second->dq() = 0.3;
    second->u() = 0;
    f.friction->step();
    f.friction->step();
    CHECK(f.friction->quantities().deflection[0] > 0.5 * held);
    CHECK(f.friction->quantities().torque[1] > 1);
    CHECK(second->u() < -1);
    stiction_config_destroy(more);
}

TEST(joints_that_a_reload_adds_get_friction_at_once) {
    checkAddedJoint("explicit");
    checkAddedJoint("implicit");
}

TEST(reload_that_adds_a_joint_leaves_the_commanded_effort) {
    Fixture f;
    const std::string text = "stiction: 1\njoints:\n  ";
    f.body = BodyLoader().load(HUMANOID_BODY);
    for (auto &joint : f.body->joints()) joint->setActuationMode(Link::JointEffort);
    Link *first = f.body->joint(0);
    stiction_config_destroy(f.config);
    f.config = parse(text + first->jointName() + ": &law { law: stribeck, " + wristLaw);
    CHECK(f.start());
    first->dq() = 0.3;
    first->u() = 5; /* which no controller writes again */
    for (int k = 0; k < 100; k++) f.friction->step();
    stiction_config *more = parse(text + first->jointName() + ": &law { law: stribeck, " +
                                  wristLaw + "  " + f.body->joint(1)->jointName() + ": *law\n");
    CHECK(f.friction->reconfigure(more));
    for (int k = 0; k < 100; k++) f.friction->step();
    CHECK_NEAR(f.friction->commands()[0], 5, 1e-12);
    stiction_config_destroy(more);
}

TEST(gap_in_the_joint_ids_is_no_joint) {
    Fixture f;
    f.body->joint(0)->setJointId(2);
    f.body->updateLinkTree();
    CHECK(f.body->numJoints() == 3 && isGap(f.body->joint(0)) && !isGap(f.body->joint(2)));
    CHECK(f.start());
    CHECK(f.friction->numJoints() == 1);
    CHECK(f.friction->couple(f.config, Vector3(0, 0, -9.8), true));
    f.body->joint(2)->dq() = 0.3;
    f.friction->step();
    CHECK(f.friction->quantities().torque[0] > 1);
    CHECK(f.messages.empty());
    const auto labels = jointLabels({f.body});
    CHECK(labels.size() == 3 && labels[0] == "#0" && labels[2] == "RWRR");
}

/* The sample finger in AIST's solver: carried by friction, tapped, and held again. Printed: its
 * creep over the last second. */
static void tapFinger(bool isRungeKutta, double timeStep) {
    Fixture f;
    f.body = BodyLoader().load(FINGER_BODY);
    if (!f.body) FAIL("cannot load the finger");
    DyBodyPtr body = new DyBody;
    body->copyFrom(f.body);
    body->setRootLinkFixed(true);
    for (auto &joint : body->allJoints()) joint->setActuationMode(Link::JointEffort);
    body->initializeState(); // as a simulator item does
    DyWorld<ConstraintForceSolver> world;
    MaterialTablePtr materials = new MaterialTable;
    if (isRungeKutta)
        world.setRungeKuttaMethod();
    else
        world.setEulerMethod();
    const Vector3 gravity(0, 0, -9.80665);
    world.setTimeStep(timeStep);
    world.setGravityAcceleration(gravity);
    world.addBody(body);
    world.constraintForceSolver.setMaterialTable(materials);
    world.constraintForceSolver.setBodyCollisionDetectionMode(0, false, false);
    world.initialize();
    stiction_config_destroy(f.config);
    CHECK(stiction_config_load(FINGER_YAML, &f.config, nullptr) == STICTION_OK);
    f.friction = BodyFriction::create(body, f.config, timeStep,
                                      [&](BodyFriction::Severity severity, const std::string &m) {
                                          if (severity != BodyFriction::Severity::Information)
                                              f.messages.push_back(m);
                                      });
    CHECK(f.friction && f.friction->couple(f.config, gravity, true));
    f.friction->setMidpoint(isRungeKutta);
    const int steps = static_cast<int>(std::lround(7 / timeStep));
    const int second = static_cast<int>(std::lround(1 / timeStep));
    std::vector<double> before;
    for (int k = 0; k < steps; k++) {
        const double time = k * timeStep;
        for (auto &joint : body->allJoints()) joint->u() = 0;
        body->joint(0)->u() = time > 1.9999 && time < 2.0501 ? 0.04 : 0;
        f.friction->step();
        world.calcNextState();
        if (k == steps - 1 - second)
            for (auto &joint : body->allJoints()) before.push_back(joint->q());
    }
    double creep = 0;
    for (int i = 0; i < body->numJoints(); i++)
        creep = std::max(creep, std::fabs(body->joint(i)->q() - before[i]));
    std::printf("%s %g s: %.4f deg, creep %.1e rad/s\n", isRungeKutta ? "runge-kutta" : "euler",
                timeStep, body->joint(0)->q() * 180 / M_PI, creep);
    CHECK(creep < 1e-12);
    CHECK_NEAR(body->joint(0)->q() * 180 / M_PI, 38.09, 0.1);
    if (!f.messages.empty()) FAIL("%s", f.said().c_str());
}

TEST(finger_is_held_in_both_integration_modes) {
    for (double timeStep : {0.001, 0.005, 0.01}) {
        tapFinger(false, timeStep);
        tapFinger(true, timeStep);
    }
}

TEST(law_of_the_item_overrides_the_configured_one) {
    Fixture f;
    CHECK(f.start("rational"));
    CHECK(std::string(f.friction->jointDef(0).law) == "rational");
}

TEST(joint_that_is_not_driven_by_effort_gets_no_friction_and_a_message) {
    const struct {
        int mode;
        const char *word;
    } modes[] = {{Link::JointDisplacement, "RWRR (driven by position)"},
                 {Link::JointDisplacement | Link::JointVelocity, "RWRR (driven by position)"},
                 {Link::JointVelocity, "RWRR (driven by velocity)"},
                 {Link::LinkPosition, "RWRR (actuation mode Link Position)"}};
    for (auto &m : modes) {
        Fixture f;
        f.body->joint(0)->setActuationMode(static_cast<short>(m.mode));
        CHECK(f.start());
        CHECK(f.friction->numJoints() == 0);
        CHECK(f.said().find("Wrist: joints that are not driven by effort get no friction: ") !=
              std::string::npos);
        CHECK(f.said().find(m.word) != std::string::npos);
    }
}

TEST(joints_that_get_no_friction_are_reported_once_a_body) {
    Fixture f;
    f.body = BodyLoader().load(HUMANOID_BODY);
    CHECK(f.body && f.body->numJoints() > 20);
    stiction_config_destroy(f.config);
    const std::string text =
        std::string("stiction: 1\njoints:\n  \"*\": { law: stribeck, ") + wristLaw;
    CHECK(stiction_config_parse(text.data(), text.size(), "all.yaml", &f.config, nullptr) ==
          STICTION_OK);
    for (auto &joint : f.body->joints()) joint->setActuationMode(Link::JointDisplacement);
    f.body->joint(0)->setActuationMode(Link::JointVelocity);
    f.body->joint(1)->setActuationMode(Link::JointEffort);
    CHECK(f.start());
    CHECK(f.friction->numJoints() == 1);
    CHECK(f.messages.size() == 1);
    const std::string others =
        std::to_string(f.body->numJoints() - 2 - 8) + " more (driven by position)";
    CHECK(f.said().find(others) != std::string::npos);
    CHECK(f.said().find(f.body->joint(0)->jointName() + " (driven by velocity)") !=
          std::string::npos);
}

TEST(force_from_outside_beside_the_effort_leaves_the_friction) {
    Fixture f;
    f.body->joint(0)->setActuationMode(Link::JointEffort | Link::LinkExtWrench);
    CHECK(f.start());
    CHECK(f.friction->numJoints() == 1);
    CHECK(f.messages.empty());
}

/* The momentum that the forces of a step do not explain is what contacts and limits gave. */
TEST(external_torque_is_what_the_momentum_gives_and_friction_is_not_in_it) {
    Fixture f;
    const char text[] = "stiction: 1\nmodels: [Wrist]\njoints:\n  RWRR: { law: coulomb, "
                        "coulomb_torque: 2, load_external: 0.25, stiffness: 5000, damping: 50 }\n";
    stiction_config_destroy(f.config);
    CHECK(stiction_config_parse(text, sizeof text - 1, "wrist.yaml", &f.config, nullptr) ==
          STICTION_OK);
    CHECK(f.start());
    CHECK(f.friction->couple(f.config, Vector3(0, 0, -9.8), true));
    Link *joint = f.body->joint(0);
    const double M = 0.1675;
    joint->u() = 0.5;
    f.friction->step();
    CHECK_NEAR(f.friction->quantities().external_torque[0], 0,
               1e-15); /* nothing is known of the step before */
    CHECK_NEAR(f.friction->quantities().static_level[0], 2, 1e-15);
    /* it got 0.5 N m and gains 0.75 N m s/s: 0.25 N m were a contact's */
    joint->dq() = 0.75 * T / M;
    joint->u() = 0.5;
    f.friction->step();
    CHECK_NEAR(f.friction->quantities().external_torque[0], 0.25, 1e-13);
    CHECK_NEAR(f.friction->quantities().static_level[0], 2 + 0.25 * 0.25, 1e-13);
    const double friction = f.friction->quantities().torque[0];
    CHECK(friction > 0.1); /* the damper of the bristle */
    joint->dq() += (0.5 - friction) * T / M;
    joint->u() = 0.5;
    f.friction->step();
    CHECK_NEAR(f.friction->quantities().external_torque[0], 0, 1e-13);
}

TEST(continuous_track_gets_no_friction) {
    Fixture f;
    f.body->joint(0)->setJointType(Link::PseudoContinuousTrackJoint);
    f.body->joint(0)->setActuationMode(Link::StateNone);
    CHECK(f.start());
    CHECK(f.friction->numJoints() == 0);
    CHECK(f.body->joint(0)->actuationMode() == Link::StateNone);
    CHECK(f.said().find("RWRR (a continuous track)") != std::string::npos);
}

TEST(passive_joint_is_set_to_effort_mode_with_a_message) {
    Fixture f;
    f.body->joint(0)->setActuationMode(Link::StateNone);
    CHECK(f.start());
    CHECK(f.body->joint(0)->actuationMode() == Link::JointEffort);
    CHECK(f.said().find("Wrist: passive joints are set to effort mode for their friction: RWRR.") !=
          std::string::npos);
}

TEST(velocity_that_is_not_finite_leaves_the_command) {
    Fixture f;
    CHECK(f.start());
    Link *joint = f.body->joint(0);
    joint->u() = 4;
    joint->dq() = std::nan("");
    f.friction->step();
    CHECK_NEAR(joint->u(), 4, 0);
    CHECK(f.said().find("joint 'RWRR': velocity nan") != std::string::npos);
}

/* A pose, a velocity and a root that moves, all odd. */
static void throwAbout(Body *body) {
    body->rootLink()->setTranslation(Vector3(0.3, -0.2, 1.1));
    body->rootLink()->setRotation(AngleAxis(0.7, Vector3(0.2, 0.9, -0.4).normalized()));
    body->rootLink()->v() = Vector3(0.4, -0.6, 0.2);
    body->rootLink()->w() = Vector3(-0.3, 0.5, 0.8);
    for (int i = 0; i < body->numJoints(); ++i) {
        body->joint(i)->q() = 0.3 * std::sin(1.0 + i);
        body->joint(i)->dq() = 0.5 * std::cos(2.0 * i);
    }
    body->calcForwardKinematics(true);
}

static void checkDynamics(Body *body) {
    const Vector3 gravity(0.1, -0.2, -9.8);
    BodyDynamics dynamics(body, gravity);
    dynamics.update();
    MatrixXd M;
    VectorXd b;
    calcMassMatrix(body, -gravity, M, b);
    CHECK(dynamics.numDofs() == M.rows());
    /* ours by links, Choreonoid's by joint numbers */
    std::vector<int> theirs(dynamics.numDofs());
    for (int k = 0; k < 6; k++) theirs[k] = k;
    for (int i = 0; i < body->numJoints(); ++i) theirs[dynamics.dofOf(body->joint(i))] = 6 + i;
    const double *entry = dynamics.mass().data();
    double worst = 0, worstBias = 0;
    MatrixXd rest = M;
    for (int i = 0; i < dynamics.numDofs(); ++i) {
        worstBias = std::max(worstBias, std::fabs(dynamics.bias()[i] - b[theirs[i]]));
        for (int j = i; j >= 0; j = dynamics.parents()[j]) {
            worst = std::max(worst, std::fabs(*entry++ - M(theirs[i], theirs[j])));
            rest(theirs[i], theirs[j]) = rest(theirs[j], theirs[i]) = 0;
        }
    }
    std::printf("mass %.1e, bias %.1e, outside of the tree %.1e\n", worst, worstBias,
                rest.cwiseAbs().maxCoeff());
    CHECK(worst < 1e-11 * M.maxCoeff());
    CHECK(worstBias < 1e-11 * b.cwiseAbs().maxCoeff());
    CHECK(rest.cwiseAbs().maxCoeff() < 1e-11 * M.maxCoeff());
}

TEST(mass_matrix_and_bias_are_those_of_choreonoid) {
    BodyLoader loader;
    BodyPtr body = loader.load(HUMANOID_BODY);
    if (!body) FAIL("cannot load the humanoid");
    body->joint(2)->setJointAxis(Vector3(1, -2, 3).normalized());
    body->joint(4)->setJointAxis(-Vector3::UnitX());
    throwAbout(body);
    checkDynamics(body);
}

/* Choreonoid's own velocities are wrong beyond a sliding joint whose parent turns. */
TEST(mass_matrix_and_bias_with_a_sliding_joint_are_those_of_choreonoid) {
    BodyLoader loader;
    BodyPtr body = loader.load(HUMANOID_BODY);
    if (!body) FAIL("cannot load the humanoid");
    Link *knee = body->joint(3);
    knee->setJointType(Link::PrismaticJoint);
    throwAbout(body);
    body->rootLink()->w().setZero();
    for (Link *link = knee->parent(); link; link = link->parent()) link->dq() = 0;
    body->calcForwardKinematics(true);
    checkDynamics(body);
}

/* Choreonoid keeps such a force with its torque about the world's origin. */
TEST(force_from_outside_acts_on_what_moves_its_link) {
    BodyLoader loader;
    BodyPtr body = loader.load(HUMANOID_BODY);
    if (!body) FAIL("cannot load the humanoid");
    throwAbout(body);
    BodyDynamics dynamics(body, Vector3(0, 0, -9.8));
    dynamics.update();
    Link *hand = body->joint(body->numJoints() - 1);
    const Vector3 force(3, -5, 7), arm(0.1, 0.2, -0.3);
    hand->addExternalForceAtGlobalPosition(force, hand->p() + arm);
    std::vector<double> forces(dynamics.numDofs(), 0.0);
    dynamics.addExternalForces(forces);
    int count = 0;
    for (int dof = dynamics.dofBefore(hand); dof >= 0; dof = dynamics.parents()[dof], ++count) {
        const auto motion = dynamics.motionAt(hand, dof);
        const Vector3 velocity = motion.head<3>() + motion.tail<3>().cross(arm);
        CHECK_NEAR(forces[dof], velocity.dot(force), 1e-12);
        forces[dof] = 0;
    }
    CHECK(count > 8); /* the root and an arm */
    for (double elsewhere : forces) CHECK_NEAR(elsewhere, 0, 0);
}
