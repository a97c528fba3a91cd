/* SPDX-License-Identifier: MIT
 * A property of a simulator item whose class has no function for it, or is not of the SDK. It is
 * found as the property view finds it: by its name.
 */
#ifndef CNOID_STICTION_PLUGIN_SIMULATOR_PROPERTY_H
#define CNOID_STICTION_PLUGIN_SIMULATOR_PROPERTY_H

#include <functional>
#include <string>
#include <vector>

namespace cnoid {

class Item;

struct SimulatorProperty
{
    std::string name; //!< as it is shown; empty: the item has no such property
    bool isOn = false; //!< of a switch
    std::function<bool(bool on)> change; //!< valid as long as the item is there
    std::string choice; //!< of a selection, in English
    double number = 0.0; //!< of a number
};

//! \param names In English; the last one that the item has counts.
SimulatorProperty findSimulatorProperty(Item* item, const std::vector<std::string>& names);

}

#endif
