/* SPDX-License-Identifier: MIT */
#include "VelocityOutput.h"
#include "SimulatorProperty.h"

using namespace std;
using namespace cnoid;


string VelocityOutput::switchOn(SimulatorItem* simulatorItem)
{
    restore(); // a start that failed has no end
    // of PhysXSimulatorItem and MuJoCoSimulatorItem
    const auto output =
        findSimulatorProperty(simulatorItem, { "Enable velocity output", "Velocity output" });
    if(!output.change || output.isOn || !output.change(true)){
        return string();
    }
    simulatorItem_ = simulatorItem;
    setOutput_ = output.change;
    simulatorItem->notifyUpdate(); // to the property view
    return output.name;
}


void VelocityOutput::restore()
{
    if(auto simulatorItem = simulatorItem_.lock()){
        setOutput_(false);
        simulatorItem->notifyUpdate();
    }
    simulatorItem_.reset();
    setOutput_ = nullptr;
}
