/* SPDX-License-Identifier: MIT
 * mc_rtc in the terms of a controller of stiction. Functions throw what mc_rtc throws, and Failure.
 */
#ifndef STICTION_CONTROLLERS_MC_RTC_BRIDGE_H
#define STICTION_CONTROLLERS_MC_RTC_BRIDGE_H

#include <RBDyn/MultiBodyConfig.h>
#include <SpaceVecAlg/SpaceVecAlg>
#include <mc_control/mc_global_controller.h>
#include <stiction/controller.h>

#include <array>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace bridge {

struct Failure : std::runtime_error {
    using std::runtime_error::runtime_error;
};

enum class Mode { Auto, Position, Torque };

struct Options {
    std::string config, gains, friction; /* paths */
    std::string controller;              /* "": that of the configuration */
    Mode mode = Mode::Auto;
    bool compensates = false; /* friction at the desired velocities */
    double share = 1;
    std::string logFolder;      /* of mc_rtc's log file */
    std::string ownControllers; /* the folder of mc_rtc controllers that come with the bridge */
};

/* s: of this thread, so that other programs on the machine do not count. */
double processorTime();

/* mc_rtc's run failed; its last error message says why. */
struct ControllerFailed {};

class Bridge {
  public:
    Bridge(const Options &options, const stiction_controller_setup &setup);
    ~Bridge();
    void step(const stiction_controller_input &in, stiction_controller_output &out);
    void reset();

    double period() const; /* s */
    std::string describe() const;
    std::string logFile() const; /* flushed; "": there is none */

    std::vector<size_t> motions; /* the links whose motions a step reads */
    std::vector<double> startJoints;
    std::array<double, 7> startBase;

    /* of the last step */
    bool isTorque = false;
    std::vector<double> desired; /* rad/s: the datastore's DesiredVelocities, else the QP's */
    Eigen::Vector3d com, reference;
    double error = 0; /* m: of the centre of mass */
    /* since the reset */
    double squares = 0, largest = 0;
    size_t steps = 0;
    double runTime = 0; /* s: of mc_rtc's own run */

  private:
    struct Joint {
        int inOrder = -1, inBody = -1; /* of mc_rtc's reference order, and of its multibody */
    };
    struct Sensor {
        std::string name;
        size_t motion;
        sva::PTransformd inBody;
        bool isBase;
    };

    void start();
    void findBase(const std::string &link);
    void keepStart();
    void mapJoints(const stiction_controller_setup &setup);
    void mapSensors(const stiction_controller_setup &setup);
    size_t motionOf(const std::string &link, const std::vector<std::string> &links,
                    const char *what);
    void makeCalls();
    void readSensors(const stiction_controller_input &in);
    bool wantsTorque() const;
    void write(stiction_controller_output &out);
    void measure(const stiction_controller_input &in);

    Options options;
    size_t jointCount;
    bool isFloating;
    std::unique_ptr<mc_control::MCGlobalController> global;
    std::string baseLink; /* that of the simulation, and where it is in mc_rtc's base */
    sva::PTransformd baseToLink;
    std::vector<std::string> order;
    std::vector<Joint> joints;
    std::vector<Sensor> imus, wrenchSensors;
    std::vector<double> kp, kd, encoders, velocities, torques;
    Eigen::Vector3d gravity;
    rbd::MultiBodyConfig measured;
    std::map<std::string, Eigen::Vector3d> positions, linear, angular, accelerations;
    mc_control::MCGlobalController::QuaternionMap orientations;
    std::map<std::string, sva::ForceVecd> wrenches;
};

} // namespace bridge

#endif
