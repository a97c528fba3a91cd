/*
 * The posture controllers of a simulated body, among all its controllers.
 */
#ifndef CNOID_STICTION_PLUGIN_POSTURE_CONTROLLERS_H
#define CNOID_STICTION_PLUGIN_POSTURE_CONTROLLERS_H

#include "PostureController.h"
#include <cnoid/SimpleController>
#include <cnoid/SimpleControllerItem>
#include <cnoid/SimulatorItem>
#include <vector>

namespace cnoid {

inline std::vector<PostureController*> postureControllers(SimulationBody* simBody)
{
    std::vector<PostureController*> found;
    for(int i = 0; i < simBody->numControllers(); ++i){
        auto item = dynamic_cast<SimpleControllerItem*>(simBody->controller(i));
        if(auto controller = item ? dynamic_cast<PostureController*>(item->controller()) : nullptr){
            found.push_back(controller);
        }
    }
    return found;
}

}

#endif
