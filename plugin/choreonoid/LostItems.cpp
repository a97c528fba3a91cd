/* SPDX-License-Identifier: MIT */
#include "LostItems.h"
#include <document/names.h>
#include <cnoid/BodyItem>
#include <cnoid/Format>
#include <cnoid/ItemManager>
#include <cnoid/ProjectManager>
#include <cnoid/RootItem>
#include <cnoid/SimulatorItem>
#include <cnoid/YAMLReader>
#include <functional>

using namespace std;
using namespace cnoid;

namespace {

// The item classes below simulators, for the nearest name.
const char* const knownClasses[] = {
    "StictionItem", "GLVisionSimulatorItem", "DynamicTCSimulatorItem", "MulticopterSimulatorItem",
    "SubmersibleSimulatorItem", "CollisionSeqItem", "WorldLogFileItem", "FolderItem"
};

bool isOf(Item* item, const string& name, const string& className)
{
    string module, itemClass;
    return item->name() == name && ItemManager::getClassIdentifier(item, module, itemClass) &&
        itemClass == className;
}

//! Whether an item does not belong to another plugin.
bool mayBeOurs(const string& plugin)
{
    const char* const ours[] = { "Stiction" };
    return plugin.empty() || stiction_nearest_name(plugin.c_str(), ours, 1);
}

//! Of others' items only one that would act on the simulation to run is missed.
bool isMissed(const Mapping* lost, bool isToRun)
{
    auto data = lost->findMapping("data");
    const bool isEnabled = !data->isValid() || data->get("enabled", true);
    return mayBeOurs(lost->get("plugin", string())) || (isToRun && isEnabled);
}

string describe(const Mapping* lost, const string& name, const string& className)
{
    const string plugin = lost->get("plugin", string());
    const ItemPtr known = ItemManager::createItem(plugin, className);
    if(known){
        return formatR("{0} '{1}' below a simulator was not restored, see above", className, name);
    }
    if(className == "StictionItem"){
        return formatR("StictionItem '{0}': no such item in the plugin '{1}'; its plugin is Stiction",
                       name, plugin);
    }
    const char* nearest = stiction_nearest_name(
        className.c_str(), knownClasses, sizeof knownClasses / sizeof knownClasses[0]);
    return formatR("'{0}' below a simulator is of an unknown class, {1}{2}", name, className,
                   nearest ? formatR("; the nearest is {0}", nearest) : string());
}

Item* findChild(Item* item, const string& name, const string& className)
{
    for(auto child = item->childItem(); child; child = child->nextItem()){
        if(isOf(child, name, className)){
            return child;
        }
    }
    return nullptr;
}

/**
   Compares an archive with the item that was created from it.
   \param judge Returns an error message about a child that the item lacks, or an empty string.
   \return the first message
*/
string findLostChild(const Mapping* archive, Item* item,
                     const function<string(const Mapping* child, Item* item)>& judge)
{
    auto children = archive->findListing("children");
    for(int i = 0; children->isValid() && i < children->size(); ++i){
        auto child = children->at(i)->toMapping();
        const string className = child->get("class", string());
        if(className.empty()){
            continue; // what belongs to its parent
        }
        auto found = findChild(item, child->get("name", string()), className);
        const string message = found ? findLostChild(child, found, judge) : judge(child, item);
        if(!message.empty()){
            return message;
        }
    }
    return string();
}

//! Below every simulator of the project.
string findLostItemBelow(const Mapping* archive, SimulatorItem* toRun)
{
    const string name = archive->get("name", string());
    const string className = archive->get("class", string());
    for(auto& simulator : RootItem::instance()->descendantItems<SimulatorItem>()){
        if(isOf(simulator, name, className)){
            const bool isToRun = simulator == toRun;
            return findLostChild(archive, simulator, [&](const Mapping* child, Item*){
                return isMissed(child, isToRun) ?
                    describe(child, child->get("name", string()), child->get("class", string())) :
                    string();
            });
        }
    }
    auto children = archive->findListing("children");
    for(int i = 0; children->isValid() && i < children->size(); ++i){
        const string message = findLostItemBelow(children->at(i)->toMapping(), toRun);
        if(!message.empty()){
            return message;
        }
    }
    return string();
}

//! A robot, or an item below one, such as its controller.
string describeLostBody(const Mapping* child, Item* item)
{
    const string className = child->get("class", string());
    const bool isOfBody = className == "BodyItem" || dynamic_cast<BodyItem*>(item);
    return isOfBody ?
        formatR("{0} '{1}' was not restored, see above", className, child->get("name", string())) :
        string();
}

}


string cnoid::findLostItem(SimulatorItem* toRun)
{
    YAMLReader reader;
    try {
        if(!reader.load(ProjectManager::instance()->currentProjectFile())){
            return string(); // a project that was never saved
        }
        auto items = reader.document()->toMapping()->findMapping("items");
        if(!items->isValid()){
            return string();
        }
        const string message = findLostChild(items, RootItem::instance(), describeLostBody);
        return message.empty() ? findLostItemBelow(items, toRun) : message;
    } catch(const ValueNode::Exception& exception){
        return exception.message();
    }
}
