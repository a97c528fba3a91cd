/* SPDX-License-Identifier: MIT
 * True velocities for friction and for controllers, whatever the simulator item: its property for
 * them is switched on; where it still gives none, they are put into the links from positions; where
 * they contradict the positions, that is an error of the run.
 */
#ifndef CNOID_STICTION_PLUGIN_JOINT_VELOCITIES_H
#define CNOID_STICTION_PLUGIN_JOINT_VELOCITIES_H

#include "BodyFriction.h"
#include "SimulatorProperty.h"
#include <velocities/velocity_check.h>
#include <cnoid/SimulatorItem>
#include <set>

namespace cnoid {

class JointVelocities
{
public:
    //! Of all bodies of the simulation.
    void start(SimulatorItem* simulatorItem, const BodyFriction::Report& report);
    //! Before the controllers of a step read the links. In the simulation thread.
    void update();
    void finish();

private:
    struct Joint
    {
        Link* link;
        velocity_check check;
    };
    struct CheckedBody
    {
        BodyPtr body;
        std::vector<Joint> joints;
        std::set<velocity_source> reported; // what was wrong with some joint
    };

    void switchOutputOn();
    void restoreOutput();
    void report(CheckedBody& body, const Joint& joint);

    SimulatorItem* simulatorItem_ = nullptr;
    BodyFriction::Report report_;
    SimulatorProperty output_; // that was switched on
    weak_ref_ptr<SimulatorItem> outputOwner_; // nullptr: none was
    std::vector<CheckedBody> bodies_;
};

}

#endif
