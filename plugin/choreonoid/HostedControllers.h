/* SPDX-License-Identifier: MIT
 * The bodies of a simulation and their controllers, those of ours among them.
 */
#ifndef CNOID_STICTION_PLUGIN_HOSTED_CONTROLLERS_H
#define CNOID_STICTION_PLUGIN_HOSTED_CONTROLLERS_H

#include "HostedController.h"
#include <cnoid/SimpleController>
#include <cnoid/SimpleControllerItem>
#include <cnoid/SimulatorItem>
#include <vector>

namespace cnoid {

inline std::vector<Body*> bodiesOf(SimulatorItem* simulator)
{
    std::vector<Body*> bodies;
    for(auto& simBody : simulator->simulationBodies()){
        bodies.push_back(simBody->body());
    }
    return bodies;
}

//! nullptr: the item is of another kind.
inline HostedController* hostedController(ControllerItem* item)
{
    auto simple = dynamic_cast<SimpleControllerItem*>(item);
    return simple ? dynamic_cast<HostedController*>(simple->controller()) : nullptr;
}

//! The controllers of all bodies that started.
inline std::vector<ControllerItem*> activeControllers(SimulatorItem* simulator)
{
    std::vector<ControllerItem*> active;
    for(auto& simBody : simulator->simulationBodies()){
        for(int i = 0; i < simBody->numControllers(); ++i){
            active.push_back(simBody->controller(i));
        }
    }
    return active;
}

inline std::vector<HostedController*> hostedControllers(SimulationBody* simBody)
{
    std::vector<HostedController*> found;
    for(int i = 0; i < simBody->numControllers(); ++i){
        if(auto controller = hostedController(simBody->controller(i))){
            found.push_back(controller);
        }
    }
    return found;
}

}

#endif
