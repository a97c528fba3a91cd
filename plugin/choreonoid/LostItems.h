/*
 * Items that the project's file has below a simulator and Choreonoid left out, with no more than a
 * message: of a class that it does not know, or with data that the item refused.
 */
#ifndef CNOID_STICTION_PLUGIN_LOST_ITEMS_H
#define CNOID_STICTION_PLUGIN_LOST_ITEMS_H

#include <string>

namespace cnoid {

class SimulatorItem;

//! Below any simulator of the project. \param toRun The one whose items of other plugins count, too.
//! \return a sentence about the first one, or nothing
std::string findLostItem(SimulatorItem* toRun);

}

#endif
