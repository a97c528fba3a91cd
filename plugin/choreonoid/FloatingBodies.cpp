/* SPDX-License-Identifier: MIT */
#include "FloatingBodies.h"
#include "BodyFriction.h"
#include "HostedControllers.h"
#include <cnoid/AISTSimulatorItem>
#include <cnoid/BodyItem>
#include <cnoid/Link>
#include <limits>

using namespace std;
using namespace cnoid;

namespace {

constexpr double none = numeric_limits<double>::quiet_NaN();
const char* const channels[] = { "com.x", "com.y", "com.z", "cop.x", "cop.y" };

bool isFloatingRobot(const Body* body)
{
    return !body->isStaticModel() && !body->rootLink()->isFixedJoint() && body->numJoints() > 0;
}

}


FloatingBodies::~FloatingBodies()
{
    restore();
}


//! AIST checks only when it creates a body whether contacts of a link are requested.
void FloatingBodies::prepare(const ItemList<BodyItem>& bodyItems)
{
    restore();
    for(auto& item : bodyItems){
        if(!isFloatingRobot(item->body())){
            continue;
        }
        for(auto& link : item->body()->links()){
            sensing_.push_back({ link, link->sensingMode() });
            link->mergeSensingMode(Link::LinkContactState);
        }
    }
}


void FloatingBodies::restore()
{
    for(auto& link : sensing_){
        link.first->setSensingMode(link.second);
    }
    sensing_.clear();
}


void FloatingBodies::start(SimulatorItem* simulatorItem)
{
    floating_.clear();
    bodies_.clear();
    knowsContacts_ = dynamic_cast<AISTSimulatorItem*>(simulatorItem);
    const auto all = bodiesOf(simulatorItem);
    const auto names = distinctNames(all);
    for(size_t k = 0; k < all.size(); ++k){
        if(isFloatingRobot(all[k])){
            floating_.push_back({ all[k], all[k]->clone(), names[k],
                                  vector<body_touch>(all[k]->numLinks()) });
        }
    }
    for(auto& each : floating_){
        bodies_.push_back({ each.name.c_str(), each.body->mass(),
                            static_cast<size_t>(each.body->numLinks()) });
    }
    samples_.assign(floating_.size(), body_sample());
}


vector<string> FloatingBodies::channelNames(bool hasSeveral) const
{
    vector<string> names;
    for(auto& each : floating_){
        for(auto channel : channels){
            names.push_back((hasSeveral ? each.name + "." : "") + channel);
        }
    }
    return names;
}


void FloatingBodies::copyChannels(double* to) const
{
    for(auto& sample : samples_){
        to = copy_n(sample.com, 3, to);
        to = copy_n(sample.cop, 2, to);
    }
}


void FloatingBodies::read()
{
    for(size_t k = 0; k < floating_.size(); ++k){
        auto& sample = samples_[k];
        readMotion(floating_[k], sample);
        sample.cop[0] = sample.cop[1] = sample.floor = none;
        sample.knows_contacts = knowsContacts_;
        sample.support = 0.0;
        sample.touch_count = 0;
        sample.touches = floating_[k].touches.data();
        if(knowsContacts_){
            readContacts(floating_[k], sample);
        }
    }
}


//! On a clone, since the simulator may keep the links' poses for itself until the step is over.
void FloatingBodies::readMotion(const Floating& floating, body_sample& sample)
{
    const Link* root = floating.body->rootLink();
    Link* cloned = floating.clone->rootLink();
    cloned->setPosition(root->position());
    cloned->v() = root->v();
    cloned->w() = root->w();
    for(int i = 0; i < floating.body->numLinks(); ++i){
        floating.clone->link(i)->q() = floating.body->link(i)->q();
        floating.clone->link(i)->dq() = floating.body->link(i)->dq();
    }
    floating.clone->calcForwardKinematics(true);
    Vector3 moment = Vector3::Zero(), momentum = Vector3::Zero();
    for(auto& link : floating.clone->links()){
        const Vector3 c = link->R() * link->c();
        moment += link->m() * (link->p() + c);
        momentum += link->m() * (link->v() + link->w().cross(c));
    }
    copy_n((moment / floating.body->mass()).eval().data(), 3, sample.com);
    copy_n((momentum / floating.body->mass()).eval().data(), 3, sample.com_velocity);
    copy_n(root->p().data(), 3, sample.base);
}


//! Those of the step before. Forces between links of the body itself add up to nothing.
void FloatingBodies::readContacts(Floating& floating, body_sample& sample)
{
    Vector3 pressed = Vector3::Zero();
    for(auto& link : floating.body->links()){
        double most = 0.0;
        for(auto& point : link->contactPoints()){
            const double up = point.force().z();
            sample.support += up;
            pressed += up * point.position();
            most = max(most, point.force().norm());
            if(!(point.position().z() >= sample.floor)){
                sample.floor = point.position().z();
            }
        }
        if(most > 0.0){
            auto& touch = floating.touches[sample.touch_count++];
            touch.link = link->index();
            copy_n(floating.clone->link(link->index())->p().data(), 3, touch.position);
        }
    }
    if(sample.support > 0.0){
        sample.cop[0] = pressed.x() / sample.support;
        sample.cop[1] = pressed.y() / sample.support;
    }
}
