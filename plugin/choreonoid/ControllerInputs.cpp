/* SPDX-License-Identifier: MIT */
#include "ControllerInputs.h"
#include "HostedControllers.h"
#include <cnoid/Link>
#include <controllers/host/targets.h>
#include <algorithm>

using namespace std;
using namespace cnoid;


ControllerInputs::~ControllerInputs()
{
    targets_destroy(targets_);
}


string ControllerInputs::start(SimulatorItem* simulatorItem, const string& positions)
{
    simulatorItem_ = simulatorItem;
    targets_destroy(targets_);
    targets_ = nullptr;
    driven_.clear();
    size_t first = 0;
    for(auto& simBody : simulatorItem->simulationBodies()){
        Body* body = simBody->body();
        for(auto controller : hostedControllers(simBody)){
            driven_.push_back({ controller, body, first, vector<double>(body->numJoints(), 0.0) });
        }
        first += body->numAllJoints();
    }
    wanted_.assign(first, 0.0);
    return positions.empty() ? string() : createTargets(positions);
}


string ControllerInputs::createTargets(const string& positions)
{
    if(driven_.empty()){
        return "targets are given, but there is no controller";
    }
    vector<Body*> bodies;
    for(auto& simBody : simulatorItem_->simulationBodies()){
        if(simBody->body()->numAllJoints() > 0){
            bodies.push_back(simBody->body());
        }
    }
    const auto labels = jointLabels(bodies);
    vector<const char*> names;
    unique_ptr<bool[]> prismatic(new bool[labels.size() + 1]);
    for(auto body : bodies){
        for(auto& joint : body->allJoints()){
            prismatic[names.size()] = joint->isPrismaticJoint();
            names.push_back(labels[names.size()].c_str());
        }
    }
    stiction_error error = {};
    targets_ = targets_create(positions.c_str(), names.data(), prismatic.get(), names.size(), &error);
    if(targets_){
        return string();
    }
    char text[1700];
    stiction_error_format(&error, text, sizeof text);
    return string("targets: ") + text;
}


void ControllerInputs::updateControllers()
{
    if(targets_){
        targets_at(targets_, simulatorItem_->currentTime(), wanted_.data());
    }
    for(auto& driven : driven_){
        readController(driven);
        if(targets_){
            // joints with an id, which controllers have, come first
            driven.controller->setWanted(wanted_.data() + driven.first);
        }
        if(driven.hasEfforts){
            driven.controller->setEfforts(driven.efforts.data());
        }
    }
}


void ControllerInputs::keepEfforts(const vector<unique_ptr<BodyFriction>>& frictions)
{
    for(auto& driven : driven_){
        for(auto& friction : frictions){
            if(friction->body() == driven.body){
                driven.hasEfforts = true;
                for(size_t i = 0; i < driven.efforts.size(); ++i){
                    driven.efforts[i] = driven.body->joint(i)->u();
                }
            }
        }
    }
}


void ControllerInputs::readController(Driven& driven)
{
    driven.hasFailed = !driven.controller->failure().empty();
    driven.isFinished = driven.controller->isFinished();
}


void ControllerInputs::readControllers()
{
    for(auto& driven : driven_){
        if(!driven.controller->isDelayed()){
            readController(driven);
        }
    }
}


bool ControllerInputs::areFinished() const
{
    return !driven_.empty() && all_of(driven_.begin(), driven_.end(),
                                      [](const Driven& driven){ return driven.isFinished; });
}


bool ControllerInputs::haveFailed() const
{
    return any_of(driven_.begin(), driven_.end(),
                  [](const Driven& driven){ return driven.hasFailed; });
}
