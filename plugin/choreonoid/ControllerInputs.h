/* SPDX-License-Identifier: MIT
 * Inputs of our controllers that they do not read from their bodies: the efforts that acted in the
 * last step, and the targets of the user.
 */
#ifndef CNOID_STICTION_PLUGIN_CONTROLLER_INPUTS_H
#define CNOID_STICTION_PLUGIN_CONTROLLER_INPUTS_H

#include "BodyFriction.h"

extern "C" {
typedef struct targets targets;
}

namespace cnoid {

class HostedController;
class SimulatorItem;

class ControllerInputs
{
public:
    ~ControllerInputs();

    /**
       Of all bodies of the simulation.
       \param positions See controllers/host/targets.h, with joints of several bodies as BODY.JOINT;
       empty: no targets
       \return an error message if they cannot be used
    */
    std::string start(SimulatorItem* simulatorItem, const std::string& positions);

    //! Before the controllers of a step.
    void updateControllers();
    //! Between the controllers and the friction of a step.
    void readControllers();
    //! After the friction of a step: the efforts that act on bodies with friction.
    void keepEfforts(const std::vector<std::unique_ptr<BodyFriction>>& frictions);

    //! Whether there are controllers and all are done.
    bool areFinished() const;
    //! Whether one cannot go on.
    bool haveFailed() const;

private:
    struct Driven
    {
        HostedController* controller;
        Body* body;
        size_t first; // of its joints, among those of all bodies
        std::vector<double> efforts;
        bool hasEfforts = false;
        bool hasFailed = false, isFinished = false; // as last seen
    };

    static void readController(Driven& driven);
    std::string createTargets(const std::string& positions);

    SimulatorItem* simulatorItem_ = nullptr;
    std::vector<Driven> driven_;
    targets* targets_ = nullptr; // nullptr: none
    std::vector<double> wanted_; // one entry per joint of all bodies
};

}

#endif
