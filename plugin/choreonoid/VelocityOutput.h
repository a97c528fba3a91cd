/* SPDX-License-Identifier: MIT
 * The property of some simulator items without which they leave all velocities at 0.
 */
#ifndef CNOID_STICTION_PLUGIN_VELOCITY_OUTPUT_H
#define CNOID_STICTION_PLUGIN_VELOCITY_OUTPUT_H

#include <cnoid/SimulatorItem>
#include <functional>
#include <string>

namespace cnoid {

class VelocityOutput
{
public:
    //! \return the name of the property, as it is shown, where it was off and is on now
    std::string switchOn(SimulatorItem* simulatorItem);
    //! What was switched on is off again.
    void restore();

private:
    weak_ref_ptr<SimulatorItem> simulatorItem_; // that has something to restore
    std::function<bool(bool on)> setOutput_;    // valid as long as the item is there
};

}

#endif
