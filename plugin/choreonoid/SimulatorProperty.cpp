/* SPDX-License-Identifier: MIT */
#include "SimulatorProperty.h"
#include <cnoid/Config>
#include <cnoid/GettextUtil>
#include <cnoid/ItemManager>
#include <cnoid/PutPropertyFunction>
#include <cnoid/Selection>

using namespace std;
using namespace cnoid;

namespace {

//! Names are translated where they are put, by the catalogue of the plugin of the item's class or of
//! the class that it is made of.
class PropertyFinder : public PutPropertyFunction
{
public:
    SimulatorProperty found;

    PropertyFinder(Item* item, const vector<string>& names) : names(names)
    {
        string module, className;
        ItemManager::getClassIdentifier(item, module, className);
        for(auto plugin : { module, string("Body") }){
            domains.push_back("Cnoid" + plugin + "Plugin-" CNOID_VERSION_STRING);
        }
    }

    virtual void operator()
    (const string& name, bool value, const function<bool(bool)>& changeFunc) override
    {
        if(isWanted(name)){
            found.name = name;
            found.isOn = value;
            found.change = changeFunc;
        }
    }

    virtual void operator()
    (const string& name, const Selection& selection, const function<bool(int)>&) override
    {
        if(isWanted(name)){
            found.name = name;
            found.choice = selection.selectedSymbol();
        }
    }

    virtual void operator()
    (const string& name, double value, const function<bool(double)>&) override
    {
        if(isWanted(name)){
            found.name = name;
            found.number = value;
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
    virtual void operator()(const string&, const string&) override { }
    virtual void operator()
    (const string&, const string&, const function<bool(const string&)>&) override { }
    virtual void operator()(const string&, const Selection&) override { }
    virtual void operator()(const string&, const FilePathProperty&) override { }
    virtual void operator()
    (const string&, const FilePathProperty&, const function<bool(const string&)>&) override { }

private:
    const vector<string>& names;
    vector<string> domains;

    bool isWanted(const string& name) const
    {
        for(auto& known : names){
            for(auto& domain : domains){
                if(name == known || name == getText(domain.c_str(), known.c_str())){
                    return true;
                }
            }
        }
        return false;
    }
};

}


SimulatorProperty cnoid::findSimulatorProperty(Item* item, const vector<string>& names)
{
    PropertyFinder finder(item, names);
    item->putProperties(finder);
    return finder.found;
}
