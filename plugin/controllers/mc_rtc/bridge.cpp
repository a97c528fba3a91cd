/* SPDX-License-Identifier: MIT
 * mc_rtc as a controller of stiction/controller.h: a step is one run of its MCGlobalController,
 * with the sensors that its robot module declares, and its posture references or torques as
 * commands. What the interface means was taken from mc_rtc's headers and from mc_mujoco's
 * behaviour.
 */
#include "bridge.h"

#include <mc_control/mc_global_controller.h>
#include <mc_rbdyn/Robot.h>
#include <mc_rtc/version.h>

#include <RBDyn/CoM.h>
#include <RBDyn/FK.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <fstream>

namespace bridge {

double processorTime() {
    timespec t;
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

namespace {

Eigen::Vector3d vectorOf(const double *v) {
    return {v[0], v[1], v[2]};
}

/* From a quaternion, w first, of a frame in the world; mc_rtc has the inverse rotation. */
sva::PTransformd transformOf(const double *rotation, const double *position) {
    const Eigen::Quaterniond q(rotation[0], rotation[1], rotation[2], rotation[3]);
    return {q.inverse().normalized(), vectorOf(position)};
}

template <typename Names>
size_t indexOf(const Names &names, const std::string &name, const char *what) {
    const auto at = std::find(names.begin(), names.end(), name);
    if (at == names.end())
        throw Failure("mc_rtc's robot has the " + std::string(what) + " '" + name +
                      "', which the simulated robot does not have");
    return static_cast<size_t>(at - names.begin());
}

/* mc_rtc's gains: one line "kp kd" per joint of its order. */
void readGains(const std::string &path, size_t count, std::vector<double> &kp,
               std::vector<double> &kd) {
    std::ifstream in(path);
    if (!in) throw Failure("option gains: '" + path + "' cannot be read");
    double p, d;
    while (in >> p >> d) {
        kp.push_back(p);
        kd.push_back(d);
    }
    if (!in.eof() || kp.size() != count)
        throw Failure("option gains: '" + path + "' has " + std::to_string(kp.size()) +
                      " lines 'kp kd'; mc_rtc's robot has " + std::to_string(count) + " joints");
}

/* What acts on a fixed base is not known to mc_rtc's models without rotors: theirs come from the
 * simulation. */
void addRotors(mc_rbdyn::RobotModule &module, const stiction_controller_setup &setup) {
    for (size_t k = 0; k < setup.joint_count; k++) {
        if (module.mb.jointIndexByName().count(setup.joints[k].name) == 0) continue;
        /* the only way to one: a module has the joints by value and no setter */
        auto &joint = const_cast<rbd::Joint &>(
            module.mb.joint(module.mb.jointIndexByName(setup.joints[k].name)));
        joint.setRotorInertia(setup.rotor_inertias[k]);
        joint.setGearRatio(1);
    }
}

} // namespace

Bridge::Bridge(const Options &given, const stiction_controller_setup &setup)
    : options(given), jointCount(setup.joint_count), isFloating(setup.floating) {
    mc_control::MCGlobalController::GlobalConfiguration config(options.config);
    config.enable_gui_server = false;
    config.log_directory = options.logFolder;
    config.controller_module_paths.push_back(options.ownControllers);
    if (!options.controller.empty()) {
        config.enabled_controllers = {options.controller};
        config.initial_controller = options.controller;
    }
    if (!config.main_robot_module) throw Failure("MainRobot is not a robot that mc_rtc knows");
    addRotors(*config.main_robot_module, setup);
    global = std::make_unique<mc_control::MCGlobalController>(config);
    start();
    findBase(setup.links[0]);
    const auto &robot = global->robot();
    mapJoints(setup);
    mapSensors(setup);
    if (!options.gains.empty()) readGains(options.gains, order.size(), kp, kd);
    keepStart();
    measured = rbd::MultiBodyConfig(robot.mb());
    measured.zero(robot.mb());
}

Bridge::~Bridge() = default;

double Bridge::period() const {
    return global->timestep();
}

std::string Bridge::describe() const {
    return "mc_rtc " + std::string(mc_rtc::version()) + ", controller " +
           global->current_controller() + " on " + global->robot().name();
}

/* From the stance of its robot module, as mc_mujoco and mc_rtc's ticker do. */
void Bridge::start() {
    const auto &module = global->controller().robot().module();
    std::vector<double> stance;
    for (const auto &name : module.ref_joint_order()) {
        const auto at = module.stance().find(name);
        stance.push_back(at == module.stance().end() || at->second.empty() ? 0 : at->second[0]);
    }
    order = module.ref_joint_order();
    encoders = stance;
    velocities.assign(order.size(), 0);
    torques.assign(order.size(), 0);
    global->setEncoderValues(encoders);
    global->setEncoderVelocities(velocities);
    global->setJointTorques(torques);
    global->init(stance, module.default_attitude());
    global->running = true;
    makeCalls();
}

/* The link that floats in the simulation may be fixed to another one in mc_rtc's model. */
void Bridge::findBase(const std::string &link) {
    const auto &robot = global->robot();
    const bool isThere = robot.hasBody(link);
    int at = isThere ? int(robot.bodyIndexByName(link)) : -1;
    while (at > 0 && robot.mb().joint(at).dof() == 0) at = robot.mb().parent(at);
    if (at != 0)
        throw Failure("the base '" + link +
                      "' of the simulated robot is not that of mc_rtc's robot '" + robot.name() +
                      "'");
    baseLink = link;
    baseToLink = robot.bodyPosW(link) * robot.posW().inv();
}

void Bridge::keepStart() {
    const auto &robot = global->robot();
    startJoints.assign(jointCount, std::nan(""));
    for (size_t k = 0; k < jointCount; k++)
        if (joints[k].inOrder >= 0) startJoints[k] = encoders[size_t(joints[k].inOrder)];
    const sva::PTransformd pose = robot.bodyPosW(baseLink);
    const Eigen::Quaterniond q(Eigen::Matrix3d(pose.rotation().transpose()));
    const Eigen::Vector3d &p = pose.translation();
    startBase = {p.x(), p.y(), p.z(), q.w(), q.x(), q.y(), q.z()};
}

void Bridge::mapJoints(const stiction_controller_setup &setup) {
    const auto &mb = global->robot().mb();
    std::vector<std::string> names;
    for (size_t k = 0; k < setup.joint_count; k++) {
        Joint joint;
        names.emplace_back(setup.joints[k].name);
        const auto at = std::find(order.begin(), order.end(), names.back());
        if (at != order.end()) joint.inOrder = int(at - order.begin());
        if (mb.jointIndexByName().count(names.back())) {
            joint.inBody = mb.jointIndexByName(names.back());
            if (mb.joint(joint.inBody).dof() != 1) joint.inBody = -1;
        }
        if (joint.inOrder < 0 || joint.inBody < 0)
            throw Failure("joint '" + names.back() +
                          "' of the simulated robot is not one of mc_rtc's robot '" +
                          global->robot().name() + "'");
        joints.push_back(joint);
    }
    /* a joint that mc_rtc moves must be there; one that its module filters need not */
    for (const auto &name : order)
        if (global->robot().hasJoint(name)) (void)indexOf(names, name, "joint");
}

/* The number of a link among those whose motions are asked for. */
size_t Bridge::motionOf(const std::string &link, const std::vector<std::string> &links,
                        const char *what) {
    const size_t index = indexOf(links, link, what);
    const auto at = std::find(motions.begin(), motions.end(), index);
    if (at != motions.end()) return size_t(at - motions.begin());
    motions.push_back(index);
    return motions.size() - 1;
}

void Bridge::mapSensors(const stiction_controller_setup &setup) {
    const std::vector<std::string> links(setup.links, setup.links + setup.link_count);
    for (const auto &sensor : global->robot().bodySensors())
        if (!sensor.parentBody().empty())
            imus.push_back({sensor.name(), motionOf(sensor.parentBody(), links, "body"),
                            sensor.X_b_s(), sensor.name() == "FloatingBase"});
    for (const auto &sensor : global->robot().forceSensors())
        wrenchSensors.push_back(
            {sensor.name(), motionOf(sensor.parentBody(), links, "body"), sensor.X_p_f(), false});
    gravity = vectorOf(setup.gravity);
}

/* ---- a step ---- */

void Bridge::makeCalls() {
    auto &store = global->controller().datastore();
    const std::string robot = global->robot().name();
    if (store.has(robot + "::SetPDGains")) return;
    store.make_call(robot + "::SetPDGains",
                    [this](const std::vector<double> &p, const std::vector<double> &d) {
                        if (p.size() != order.size() || d.size() != order.size()) return false;
                        kp = p;
                        kd = d;
                        return true;
                    });
    store.make_call(robot + "::GetPDGains", [this](std::vector<double> &p, std::vector<double> &d) {
        p = kp;
        d = kd;
        return !kp.empty();
    });
}

void Bridge::readSensors(const stiction_controller_input &in) {
    for (size_t k = 0; k < jointCount; k++) {
        const auto at = size_t(joints[k].inOrder);
        encoders[at] = in.q[k];
        velocities[at] = in.dq[k];
        torques[at] = in.effort[k];
    }
    global->setEncoderValues(encoders);
    global->setEncoderVelocities(velocities);
    global->setJointTorques(torques);
    for (const auto &imu : imus) {
        const auto &link = in.motions[imu.motion];
        const sva::PTransformd pose = imu.inBody * transformOf(link.rotation, link.position);
        const Eigen::Vector3d arm = pose.translation() - vectorOf(link.position);
        const Eigen::Vector3d turning = vectorOf(link.angular);
        const Eigen::Matrix3d toSensor = imu.isBase ? Eigen::Matrix3d::Identity() : pose.rotation();
        const Eigen::Vector3d felt = vectorOf(link.acceleration) +
                                     turning.cross(turning.cross(arm)) -
                                     (imu.isBase ? Eigen::Vector3d::Zero().eval() : gravity);
        positions[imu.name] = pose.translation();
        orientations[imu.name] = Eigen::Quaterniond(pose.rotation());
        linear[imu.name] = vectorOf(link.linear) + turning.cross(arm);
        angular[imu.name] = toSensor * turning;
        accelerations[imu.name] = toSensor * felt;
    }
    global->setSensorPositions(positions);
    global->setSensorOrientations(orientations);
    global->setSensorLinearVelocities(linear);
    global->setSensorAngularVelocities(angular);
    global->setSensorLinearAccelerations(accelerations);
    for (const auto &sensor : wrenchSensors) {
        const auto &link = in.motions[sensor.motion];
        const Eigen::Matrix3d toLink = transformOf(link.rotation, link.position).rotation();
        wrenches[sensor.name] = sensor.inBody.dualMul(
            sva::ForceVecd(toLink * vectorOf(link.torque), toLink * vectorOf(link.force)));
    }
    global->setWrenches(wrenches);
}

bool Bridge::wantsTorque() const {
    if (options.mode != Mode::Auto) return options.mode == Mode::Torque;
    const auto &store = global->controller().datastore();
    if (!store.has("ControlMode")) return false;
    const auto &mode = store.get<std::string>("ControlMode");
    if (mode == "Torque") return true;
    if (mode == "Position") return false;
    throw Failure("its ControlMode is '" + mode + "'; there are Position and Torque");
}

void Bridge::write(stiction_controller_output &out) {
    const auto &commanded = global->robot().mbc();
    const auto &referred = global->controller().outputRobot();
    const bool torque = wantsTorque();
    bool isIdle = true;
    const auto &store = global->controller().datastore();
    const auto *wanted = store.has("DesiredVelocities")
                             ? &store.get<std::vector<double>>("DesiredVelocities")
                             : nullptr;
    if (!torque && kp.empty())
        throw Failure("position references need gains: give gains=FILE, one line 'kp kd' per joint "
                      "(mc_mujoco has them as PDgains_sim.dat)");
    for (size_t k = 0; k < jointCount; k++) {
        const auto body = size_t(joints[k].inBody), at = size_t(joints[k].inOrder);
        /* grippers move joints of the robot that mc_rtc writes for interfaces */
        const bool has = referred.hasJoint(order[at]);
        const auto &mbc = has ? referred.mbc() : commanded;
        const auto place = has ? referred.jointIndexByName(order[at]) : unsigned(body);
        const double q = mbc.q[place][0];
        out.target[k] = q;
        desired[k] = wanted ? (*wanted)[at] : commanded.alpha[body][0];
        if (torque) {
            out.torque[k] = commanded.jointTorque[body][0];
            isIdle &= out.torque[k] == 0;
            continue;
        }
        out.mode[k] = STICTION_CONTROL_PD_INTERPOLATED;
        out.position[k] = q;
        out.velocity[k] = mbc.alpha[place][0];
        out.torque[k] = 0;
        out.kp[k] = kp[at];
        out.kd[k] = kd[at];
    }
    if (torque && isIdle)
        throw Failure("it computes no torques: a controller needs a DynamicsConstraint in its QP");
    isTorque = torque;
}

void Bridge::measure(const stiction_controller_input &in) {
    const auto &mb = global->robot().mb();
    if (isFloating && measured.q[0].size() == 7) {
        const sva::PTransformd pose = baseToLink.inv() * transformOf(in.rotation, in.position);
        const Eigen::Quaterniond q(Eigen::Matrix3d(pose.rotation().transpose()));
        const Eigen::Vector3d &p = pose.translation();
        measured.q[0] = {q.w(), q.x(), q.y(), q.z(), p.x(), p.y(), p.z()};
    }
    for (size_t k = 0; k < jointCount; k++) measured.q[size_t(joints[k].inBody)][0] = in.q[k];
    rbd::forwardKinematics(mb, measured);
    com = rbd::computeCoM(mb, measured);
    const auto &store = global->controller().datastore();
    reference = store.has("CoMReference") ? store.get<Eigen::Vector3d>("CoMReference")
                                          : Eigen::Vector3d(global->robot().com());
    error = (com - reference).norm();
    squares += error * error;
    largest = std::max(largest, error);
    steps++;
}

void Bridge::step(const stiction_controller_input &in, stiction_controller_output &out) {
    desired.resize(jointCount);
    readSensors(in);
    const double begun = processorTime();
    const bool isFine = global->run();
    runTime += processorTime() - begun;
    if (!isFine) throw ControllerFailed();
    write(out);
    measure(in);
}

void Bridge::reset() {
    global->reset();
    global->running = true;
    makeCalls();
    squares = largest = runTime = 0;
    steps = 0;
}

std::string Bridge::logFile() const {
    if (!global->configuration().enable_log) return "";
    auto &logger = global->controller().logger();
    logger.flush();
    return logger.path();
}

} // namespace bridge
