/* SPDX-License-Identifier: MIT */
#include "LinkPushes.h"
#include "ChoreonoidVersions.h"
#include "HostedControllers.h"
#include <cnoid/Format>
#include <cnoid/Link>
#include <cmath>
#include <cstring>
#include <typeinfo>
#include "gettext.h"

using namespace std;
using namespace cnoid;

namespace {

struct Bodies
{
    vector<Body*> bodies;
    vector<string> names;
};

const char* nameOf(const void* context, size_t body)
{
    return static_cast<const Bodies*>(context)->names[body].c_str();
}

const char* linkOf(const void* context, size_t body, size_t link)
{
    auto owner = static_cast<const Bodies*>(context)->bodies[body];
    const int index = static_cast<int>(link);
    return index < owner->numLinks() ? owner->link(index)->name().c_str() : nullptr;
}

bool moves(const void* context, size_t body, size_t link)
{
    auto owner = static_cast<const Bodies*>(context)->bodies[body];
    for(const Link* each = owner->link(static_cast<int>(link)); each; each = each->parent()){
        if(each->isRoot() ? !each->isFixedJoint() && !owner->isStaticModel()
                          : each->isRevoluteJoint() || each->isPrismaticJoint()){
            return true;
        }
    }
    return false;
}

//! A scalar, or the entries of a list with commas between them.
string textOf(const ValueNode* node)
{
    if(!node->isListing()){
        return node->isScalar() ? node->toString() : "?";
    }
    string text;
    for(auto& entry : *node->toListing()){
        text += (text.empty() ? "" : ",") + (entry->isScalar() ? entry->toString() : "?");
    }
    return text;
}

}


vector<string> LinkPushes::linesOf(const ValueNode* pushes)
{
    vector<string> lines;
    if(!pushes || !pushes->isListing()){
        return lines;
    }
    for(auto& node : *pushes->toListing()){
        string line = "push=";
        if(node->isMapping()){
            for(auto& entry : *node->toMapping()){
                line += formatR("{0}=\"{1}\" ", entry.first, textOf(entry.second));
            }
        } else {
            line += textOf(node);
        }
        lines.push_back(line);
    }
    return lines;
}


//! \return a message about the first error, or an empty string
string LinkPushes::take(const vector<string>& lines)
{
    char message[PUSH_SENTENCE];
    for(auto& line : lines){
        const size_t equals = line.find('=');
        const string key = line.substr(0, equals);
        const string value = equals == string::npos ? "" : line.substr(equals + 1);
        if(!push_list_set(&list_, key.c_str(), value.c_str(), message)){
            return formatR("{0}: {1}", line, message);
        }
    }
    return string();
}


//! \return a message about the first error, or an empty string
string LinkPushes::place(SimulatorItem* simulatorItem)
{
    Bodies all = { bodiesOf(simulatorItem), {} };
    all.names = distinctNames(all.bodies);
    const push_bodies bodies = { &all, all.bodies.size(), nameOf, linkOf, moves };
    char message[PUSH_SENTENCE];
    size_t which = 0, body, link;
    bool isRight = push_list_check(&list_, &which, message);
    for(size_t k = 0; isRight && k < list_.count; ++k){
        auto& push = list_.items[which = k];
        isRight = push_find(&push, &bodies, &body, &link, message);
        if(isRight){
            links_.push_back(all.bodies[body]->link(static_cast<int>(link)));
            if(isnan(push.point[0])){
                copy_n(links_.back()->c().data(), 3, push.point);
            }
            strncpy(push.body, all.names[body].c_str(), PUSH_NAME_SIZE - 1);
            strncpy(push.link, links_.back()->name().c_str(), PUSH_NAME_SIZE - 1);
        }
    }
    return isRight ? string() : formatR("push '{0}': {1}", list_.items[which].name, message);
}


bool LinkPushes::start
(SimulatorItem* simulatorItem, const vector<string>& lines, const BodyFriction::Report& report)
{
    push_list_free(&list_);
    links_.clear();
    timeStep_ = simulatorItem->worldTimeStep();
    string mistake = take(lines);
    bool isKnown = false;
    for(auto name : simulatorsWithExternalForces()){
        isKnown = isKnown || strstr(typeid(*simulatorItem).name(), name);
    }
    if(mistake.empty() && list_.count > 0 && !isKnown){
        mistake = formatR(
            _("{0} does not apply forces to links in Choreonoid {1}: use AISTSimulator for pushes."),
            simulatorItem->name(), CNOID_VERSION_STRING);
    }
    if(mistake.empty()){
        mistake = place(simulatorItem);
    }
    if(!mistake.empty()){
        push_list_free(&list_);
        links_.clear();
        report(BodyFriction::Severity::Error, mistake);
    }
    forces_.assign(3 * list_.count, 0.0);
    return mistake.empty();
}


void LinkPushes::apply(double time)
{
    for(size_t k = 0; k < list_.count; ++k){
        const auto& push = list_.items[k];
        const Vector3 force = push_share(&push, time, timeStep_) * Vector3(push.force);
        copy_n(force.data(), 3, forces_.begin() + 3 * k);
        if(!force.isZero()){
            links_[k]->addExternalForceAtLocalPosition(force, Vector3(push.point));
        }
    }
}
