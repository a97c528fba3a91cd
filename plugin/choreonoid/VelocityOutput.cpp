/* SPDX-License-Identifier: MIT */
#include "VelocityOutput.h"
#include <cnoid/Config>
#include <cnoid/ItemManager>
#include <cnoid/PutPropertyFunction>
#include "gettext.h"

using namespace std;
using namespace cnoid;

namespace {

// Of PhysXSimulatorItem and MuJoCoSimulatorItem.
const char* const propertyNames[] = { "Enable velocity output", "Velocity output" };

/**
   Looks through the properties of an item for a switch. Names are translated where they are put, by
   the catalogue of the item's plugin.
*/
class SwitchFinder : public PutPropertyFunction
{
public:
    string name;
    bool isOn = false;
    function<bool(bool)> change;

    SwitchFinder(Item* item)
    {
        string module, className;
        ItemManager::getClassIdentifier(item, module, className);
        domain = "Cnoid" + module + "Plugin-" CNOID_VERSION_STRING;
    }

    virtual void operator()
    (const string& name, bool value, const function<bool(bool)>& changeFunc) override
    {
        for(auto known : propertyNames){
            if(name == known || name == getText(domain.c_str(), known)){
                this->name = name;
                isOn = value;
                change = changeFunc;
            }
        }
    }

    virtual PutPropertyFunction& min(double) override { return *this; }
    virtual PutPropertyFunction& max(double) override { return *this; }
    virtual PutPropertyFunction& range(double, double) override { return *this; }
    virtual PutPropertyFunction& decimals(int) override { return *this; }
    virtual PutPropertyFunction& reset() override { return *this; }
    virtual void operator()(const string&, bool) override { }
    virtual void operator()(const string&, int) override { }
    virtual void operator()(const string&, int, const function<bool(int)>&) override { }
    virtual void operator()(const string&, double) override { }
    virtual void operator()(const string&, double, const function<bool(double)>&) override { }
    virtual void operator()(const string&, const string&) override { }
    virtual void operator()
    (const string&, const string&, const function<bool(const string&)>&) override { }
    virtual void operator()(const string&, const Selection&) override { }
    virtual void operator()(const string&, const Selection&, const function<bool(int)>&) override { }
    virtual void operator()(const string&, const FilePathProperty&) override { }
    virtual void operator()
    (const string&, const FilePathProperty&, const function<bool(const string&)>&) override { }

private:
    string domain;
};

}


string VelocityOutput::switchOn(SimulatorItem* simulatorItem)
{
    restore(); // a start that failed has no end
    SwitchFinder finder(simulatorItem);
    simulatorItem->putProperties(finder);
    if(!finder.change || finder.isOn || !finder.change(true)){
        return string();
    }
    simulatorItem_ = simulatorItem;
    setOutput_ = finder.change;
    simulatorItem->notifyUpdate(); // to the property view
    return finder.name;
}


void VelocityOutput::restore()
{
    if(auto simulatorItem = simulatorItem_.lock()){
        setOutput_(false);
        simulatorItem->notifyUpdate();
    }
    simulatorItem_.reset();
    setOutput_ = nullptr;
}
