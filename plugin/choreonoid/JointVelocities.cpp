/* SPDX-License-Identifier: MIT */
#include "JointVelocities.h"
#include <cnoid/AISTSimulatorItem>
#include <cnoid/Format>
#include <cnoid/Link>
#include <cnoid/SimulatorItem>
#include <cmath>
#include "gettext.h"

using namespace std;
using namespace cnoid;


void JointVelocities::start(SimulatorItem* simulatorItem, const BodyFriction::Report& report)
{
    simulatorItem_ = simulatorItem;
    report_ = report;
    switchOutputOn();
    bodies_.clear();
    if(dynamic_cast<AISTSimulatorItem*>(simulatorItem)){
        return; // it integrates the velocities in the links themselves
    }
    for(auto& simBody : simulatorItem->simulationBodies()){
        if(BodyFriction::isCustomized(simBody->body())){
            continue; // the customizer checks them itself: twice would correct them twice
        }
        CheckedBody checked = { simBody->body(), {}, {} };
        for(auto& joint : checked.body->allJoints()){
            if(!isGap(joint)){
                checked.joints.push_back({ joint, {} });
            }
        }
        bodies_.push_back(move(checked));
    }
}


//! Without it the PhysX and MuJoCo items leave all velocities at 0.
void JointVelocities::switchOutputOn()
{
    restoreOutput(); // a start that failed has no end
    output_ = findSimulatorProperty(simulatorItem_, { "Enable velocity output", "Velocity output" });
    if(output_.change && !output_.isOn && output_.change(true)){
        outputOwner_ = simulatorItem_;
        simulatorItem_->notifyUpdate(); // to the property view
        report_(BodyFriction::Severity::Information,
                formatR(_("'{0}' of {1} is on for this simulation: friction needs velocities."),
                        output_.name, simulatorItem_->displayName()));
    }
}


void JointVelocities::restoreOutput()
{
    if(auto owner = outputOwner_.lock()){
        output_.change(false);
        owner->notifyUpdate();
    }
    outputOwner_.reset();
}


void JointVelocities::update()
{
    const double timeStep = simulatorItem_->worldTimeStep();
    for(auto& body : bodies_){
        for(auto& joint : body.joints){
            // a joint in another mode follows its command, and its velocity is not an input
            if(joint.link->actuationMode() != Link::JointEffort){
                continue;
            }
            const auto before = joint.check.source;
            joint.link->dq() = velocity_check_step(
                &joint.check, timeStep, joint.link->q(), joint.link->dq());
            if(joint.check.source != before){
                report(body, joint);
            }
        }
    }
}


//! Once a body and fault: if one joint is without a velocity, so are most of them.
void JointVelocities::report(CheckedBody& body, const Joint& joint)
{
    const auto& check = joint.check;
    if(check.source == VELOCITY_GIVEN || body.reported.count(check.source) > 0){
        return;
    }
    body.reported.insert(check.source);
    const string name = joint.link->jointName();
    if(check.source == VELOCITY_CONTRADICTED){
        const double explained = fabs(check.moved - check.least) < fabs(check.moved - check.most) ?
            check.least : check.most;
        report_(BodyFriction::Severity::Error,
                formatR(_("The velocity that {0} gives for joint {1} of {2} is not that of its motion: it moved by {3:.3g}, its velocity makes {4:.3g}. Either {0} outputs velocities only where a property of it is on, or the joints fly apart."),
                        simulatorItem_->displayName(), name, body.body->name(), check.moved, explained));
    } else {
        const char* message = check.source == VELOCITY_MISSING ?
            _("{0} gives no velocity for joint {1} of {2}, which moves: velocities are taken from positions.") :
            _("{0} gives a velocity for joint {1} of {2}, which stands: velocities are taken from positions.");
        report_(BodyFriction::Severity::Warning,
                formatR(message, simulatorItem_->displayName(), name, body.body->name()));
    }
}


void JointVelocities::finish()
{
    restoreOutput();
    bodies_.clear();
}
