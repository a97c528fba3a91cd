/* SPDX-License-Identifier: MIT
 * A QP controller of mc_rtc with torques: the centre of mass goes down and up on both feet.
 * Settings are below `squat` in mc_rtc.yaml. "Squat" uses the backend Tasks, "Squat_TVM" TVM.
 */
#include <mc_control/mc_controller.h>
#include <mc_rtc/version.h>
#include <mc_tasks/CoMTask.h>
#include <mc_tasks/OrientationTask.h>

#include <RBDyn/CoM.h>
#include <RBDyn/Jacobian.h>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

struct Squat : mc_control::MCController {
    Squat(mc_rbdyn::RobotModulePtr module, double dt, const mc_rtc::Configuration &all,
          Backend backend)
        : mc_control::MCController(module, dt, all, backend) {
        const auto config = all("squat", mc_rtc::Configuration{});
        const double stiffness = config("stiffness", 20.0), weight = config("weight", 1000.0);
        config("depth", depth);
        config("period", period);
        config("begin", begin);
        config("feedforward", feedforward);
        config("ground_first", groundFirst);
        solver().addConstraintSet(contactConstraint);
        solver().addConstraintSet(dynamicsConstraint);
        postureTask->stiffness(config("posture_stiffness", 10.0));
        postureTask->weight(config("posture_weight", 1.0));
        solver().addTask(postureTask);
        com = std::make_shared<mc_tasks::CoMTask>(robots(), 0, stiffness, weight);
        trunk = std::make_shared<mc_tasks::OrientationTask>(
            robot().frame(config("trunk", std::string("WAIST_R_S"))), stiffness, weight / 2);
        datastore().make<std::string>("ControlMode", "Torque");
        datastore().make<Eigen::Vector3d>("CoMReference", Eigen::Vector3d::Zero());
        datastore().make<std::vector<double>>("DesiredVelocities",
                                              std::vector<double>(robot().refJointOrder().size()));
        jacobianOfCom = rbd::CoMJacobian(robot().mb());
        for (const char *foot : {"R_ANKLE_P_S", "L_ANKLE_P_S"})
            feet.emplace_back(robot().mb(), foot);
    }

    void reset(const mc_control::ControllerResetData &data) override {
        mc_control::MCController::reset(data);
        com->reset();
        trunk->reset();
        solver().addTask(com);
        solver().addTask(trunk);
        /* TVM takes the points of a contact from its first surface, Tasks from both */
        for (const char *sole : {"LeftFoot", "RightFoot"})
            addContact(groundFirst
                           ? mc_control::Contact(env().name(), robot().name(), "AllGround", sole)
                           : mc_control::Contact(robot().name(), env().name(), sole, "AllGround"));
        start = com->com();
        time = 0;
    }

    bool run() override {
        const double rate = 2 * M_PI / period, phase = rate * std::max(time - begin, 0.0);
        const Eigen::Vector3d up = Eigen::Vector3d::UnitZ();
        const Eigen::Vector3d velocity = -up * depth / 2 * rate * std::sin(phase);
        const Eigen::Vector3d place = start - up * depth / 2 * (1 - std::cos(phase));
        const bool isMoving = time > begin;
        com->com(place);
        if (feedforward) {
            com->refVel(velocity);
            com->refAccel(isMoving
                              ? Eigen::Vector3d(-up * depth / 2 * rate * rate * std::cos(phase))
                              : Eigen::Vector3d::Zero());
        }
        datastore().assign("CoMReference", place);
        wish(velocity);
        time += timeStep;
        return mc_control::MCController::run(mc_solver::FeedbackType::ClosedLoopIntegrateReal);
    }

    /* The smallest joint velocities with which the centre of mass moves as it should on feet that
     * stay, for whoever feeds friction forward. */
    void wish(const Eigen::Vector3d &velocity) {
        const auto &mb = robot().mb();
        const auto &state = realRobot().mbc();
        Eigen::MatrixXd rows = Eigen::MatrixXd::Zero(15, mb.nrDof());
        Eigen::VectorXd wanted = Eigen::VectorXd::Zero(15);
        for (size_t k = 0; k < feet.size(); k++) {
            Eigen::MatrixXd full(6, mb.nrDof());
            feet[k].fullJacobian(mb, feet[k].jacobian(mb, state), full);
            rows.middleRows(Eigen::Index(6 * k), 6) = full;
        }
        rows.bottomRows(3) = jacobianOfCom.jacobian(mb, state);
        wanted.tail(3) = velocity;
        Eigen::MatrixXd square = rows * rows.transpose();
        square.diagonal().array() += 1e-8;
        const Eigen::VectorXd v = rows.transpose() * square.ldlt().solve(wanted);
        std::vector<double> desired(robot().refJointOrder().size());
        for (size_t k = 0; k < desired.size(); k++) {
            const auto &name = robot().refJointOrder()[k];
            if (robot().hasJoint(name))
                desired[k] = v[mb.jointPosInDof(int(robot().jointIndexByName(name)))];
        }
        datastore().assign("DesiredVelocities", desired);
    }

    double depth = 0.05, period = 4, begin = 1; /* m, s, s */
    bool feedforward = false;                   /* of the velocity and acceleration of the CoM */
    bool groundFirst = false;
    double time = 0;
    Eigen::Vector3d start;
    std::shared_ptr<mc_tasks::CoMTask> com;
    std::shared_ptr<mc_tasks::OrientationTask> trunk;
    rbd::CoMJacobian jacobianOfCom;
    std::vector<rbd::Jacobian> feet;
};

MULTI_CONTROLLERS_CONSTRUCTOR("Squat",
                              Squat(rm, dt, config, mc_control::MCController::Backend::Tasks),
                              "Squat_TVM",
                              Squat(rm, dt, config, mc_control::MCController::Backend::TVM))
