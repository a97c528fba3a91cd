/*
 * Items that the project's file has and Choreonoid left out, with no more than a message: of a class
 * that it does not know, or with data that the item refused. Those that a simulation is made of:
 * bodies, what stands below them and below simulators.
 */
#ifndef CNOID_STICTION_PLUGIN_LOST_ITEMS_H
#define CNOID_STICTION_PLUGIN_LOST_ITEMS_H

#include <string>

namespace cnoid {

class SimulatorItem;

//! \param toRun The one whose items of other plugins count, too.
//! \return a sentence about the first one, or nothing
std::string findLostItem(SimulatorItem* toRun);

}

#endif
