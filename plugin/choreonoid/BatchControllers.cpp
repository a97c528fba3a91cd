/* SPDX-License-Identifier: MIT */
#include "BatchControllers.h"
#include "BodyFriction.h"
#include <cnoid/BodyItem>
#include <cnoid/ItemList>
#include <cnoid/SimpleControllerItem>
#include <cnoid/RootItem>
#include <cnoid/WorldItem>
#include <controllers/host/controller_host.h>
#include <filesystem>

using namespace std;
using namespace cnoid;

namespace {

//! "pd" of "controllers/pd.so:kp=20", "robot" of "unix:/tmp/robot.socket", as on the embedded engine.
string nameOf(string specification)
{
    const string socket = "unix:";
    if(specification.compare(0, socket.size(), socket) == 0){
        specification.erase(0, socket.size());
    }
    const string name =
        filesystem::path(specification.substr(0, specification.find(':'))).stem().string();
    return name.empty() ? "controller" : name;
}


void drive(BodyItem* bodyItem, const string& specification)
{
    for(auto& old : bodyItem->descendantItems<ControllerItem>()){
        if(old->targetBodyItem() == bodyItem){
            old->removeFromParentItem();
        }
    }
    if(controller_is_none(specification.c_str())){
        return;
    }
    SimpleControllerItemPtr item = new SimpleControllerItem;
    item->setName(nameOf(specification));
    item->setController("StictionController");
    item->setOptions(specification);
    item->setNoDelayMode(true);
    item->setTemporary(); // which marks its files as named by the user
    bodyItem->addChildItem(item);
}

}


string cnoid::replaceControllers(const vector<string>& specifications)
{
    vector<const char*> given;
    for(auto& specification : specifications){
        given.push_back(specification.c_str());
    }
    for(auto& world : RootItem::instance()->descendantItems<WorldItem>()){
        vector<BodyItem*> items;
        vector<Body*> bodies;
        for(auto& bodyItem : world->descendantItems<BodyItem>()){
            if(bodyItem->body()->numAllJoints() > 0){
                items.push_back(bodyItem);
                bodies.push_back(bodyItem->body());
            }
        }
        const auto names = distinctNames(bodies);
        vector<const char*> pointers, chosen(bodies.size() + 1, nullptr);
        for(auto& name : names){
            pointers.push_back(name.c_str());
        }
        stiction_error error = {};
        if(controller_choose(given.data(), given.size(), pointers.data(), pointers.size(),
                             chosen.data(), &error) != STICTION_OK){
            return error.message;
        }
        for(size_t i = 0; i < items.size(); ++i){
            if(chosen[i]){
                drive(items[i], chosen[i]);
            }
        }
    }
    return string();
}
