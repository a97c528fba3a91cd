#include "LostItems.h"
#include <document/names.h>
#include <cnoid/Format>
#include <cnoid/ItemManager>
#include <cnoid/ProjectManager>
#include <cnoid/SimulatorItem>
#include <cnoid/YAMLReader>

using namespace std;
using namespace cnoid;

namespace {

// What stands below simulators, for the nearest name.
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

string describe(const Mapping* lost, const string& name, const string& className)
{
    const string plugin = lost->get("plugin", string());
    const ItemPtr known = ItemManager::createItem(plugin, className);
    if(known){
        return formatR("{0} '{1}' below a simulator was not restored, see above", className, name);
    }
    const char* nearest = stiction_nearest_name(
        className.c_str(), knownClasses, sizeof knownClasses / sizeof knownClasses[0]);
    if(!nearest){
        return formatR("'{0}' below a simulator is of an unknown class, {1}", name, className);
    }
    return formatR("'{0}' below a simulator is of an unknown class, {1}; the nearest is {2}",
                   name, className, nearest);
}

//! The first of the archive's children that the item lacks.
string findLostChild(const Mapping* archive, Item* item)
{
    auto children = archive->findListing("children");
    for(int i = 0; children->isValid() && i < children->size(); ++i){
        auto child = children->at(i)->toMapping();
        const string name = child->get("name", string());
        const string className = child->get("class", string());
        if(className.empty()){
            continue; // what belongs to its parent
        }
        Item* found = nullptr;
        for(auto candidate = item->childItem(); candidate && !found;
            candidate = candidate->nextItem()){
            found = isOf(candidate, name, className) ? candidate : nullptr;
        }
        const string sentence =
            found ? findLostChild(child, found) : describe(child, name, className);
        if(!sentence.empty()){
            return sentence;
        }
    }
    return string();
}

string findLostItemBelow(const Mapping* archive, SimulatorItem* simulator)
{
    if(isOf(simulator, archive->get("name", string()), archive->get("class", string()))){
        return findLostChild(archive, simulator);
    }
    auto children = archive->findListing("children");
    for(int i = 0; children->isValid() && i < children->size(); ++i){
        const string sentence = findLostItemBelow(children->at(i)->toMapping(), simulator);
        if(!sentence.empty()){
            return sentence;
        }
    }
    return string();
}

}


string cnoid::findLostItem(SimulatorItem* simulator)
{
    YAMLReader reader;
    try {
        if(!reader.load(ProjectManager::instance()->currentProjectFile())){
            return string(); // a project that was never saved
        }
        auto items = reader.document()->toMapping()->findMapping("items");
        return items->isValid() ? findLostItemBelow(items, simulator) : string();
    } catch(const ValueNode::Exception& exception){
        return exception.message();
    }
}
