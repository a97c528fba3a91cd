/* SPDX-License-Identifier: MIT
 * Choreonoid 2.2 to 2.5: what differs between them is here, and only here. Compiled with 2.2.0,
 * 2.3, 2.4 and 2.5-dev.
 */
#ifndef CNOID_STICTION_PLUGIN_CHOREONOID_VERSIONS_H
#define CNOID_STICTION_PLUGIN_CHOREONOID_VERSIONS_H

#include <cnoid/Config>
#include <cnoid/LazyCaller>
#include <cnoid/SimulatorItem>
#include <vector>

namespace cnoid {

/**
   Ends a simulation from its own thread. Up to 2.3 only the main thread can: the simulation may go
   on for a few steps, which the caller ignores.
*/
inline void requestToStop(SimulatorItem* simulatorItem, bool isForced)
{
#if CNOID_VERSION >= 0x020400
    simulatorItem->requestToStopSimulation(isForced);
#else
    SimulatorItemPtr item = simulatorItem;
    callLater([item, isForced](){
        if(item->isRunning()){
            item->stopSimulation(isForced);
        }
    });
#endif
}

/**
   Class names of Choreonoid's simulator items that apply the external forces of links. The others
   clear or ignore them.
*/
inline const std::vector<const char*>& simulatorsWithExternalForces()
{
    static const std::vector<const char*> names = {
        "AISTSimulatorItem",
#if CNOID_VERSION >= 0x020400
        "PhysXSimulatorItem",
#endif
#if CNOID_VERSION >= 0x020500
        "ODESimulatorItem", "MuJoCoSimulatorItem",
#endif
    };
    return names;
}

}

#endif
