/* SPDX-License-Identifier: MIT
 * Items in the project file that Choreonoid left out with only a message: of an unknown class, or
 * with data that the item refused. Covers the items that a simulation consists of: bodies and the
 * items below bodies and simulators.
 */
#ifndef CNOID_STICTION_PLUGIN_LOST_ITEMS_H
#define CNOID_STICTION_PLUGIN_LOST_ITEMS_H

#include <string>

namespace cnoid {

class SimulatorItem;

//! \param toRun The one whose items of other plugins count, too.
//! \return a message about the first one, or an empty string
std::string findLostItem(SimulatorItem* toRun);

}

#endif
