/* SPDX-License-Identifier: MIT */
#include "BatchOverrides.h"
#include <stiction/stiction.h>
#include <cnoid/AISTSimulatorItem>
#include <cnoid/Format>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <locale>
#include <sstream>
#include <vector>

using namespace std;
using namespace cnoid;

namespace {

//! All numbers of a text, independent of the locale; empty if the text contains anything else.
vector<double> readNumbers(const string& text)
{
    istringstream stream(text);
    stream.imbue(locale::classic());
    vector<double> numbers;
    for(double number; stream >> number;){
        numbers.push_back(number);
    }
    return stream.eof() ? numbers : vector<double>();
}

string lawNames()
{
    string names;
    stiction_law_info law;
    for(size_t i = 0; stiction_law_info_at(i, &law); ++i){
        names += (names.empty() ? "" : ", ") + string(law.name);
    }
    return names;
}

}


/**
   The text of a variable, empty where it is not set.
   \param key What it is called in the results; nullptr: it replaces nothing of the project.
*/
string BatchOverrides::variable(const char* name, const char* key)
{
    const char* value = getenv(name);
    if(key && value && *value){
        replaced.push_back(formatR("{0}={1}", key, value));
    }
    return value ? value : "";
}


//! 0 where it is not set.
double BatchOverrides::readPositive(const char* name, const char* key, const char* unit)
{
    const string text = variable(name, key);
    if(text.empty()){
        return 0.0;
    }
    const auto numbers = readNumbers(text);
    if(numbers.size() != 1 || !isfinite(numbers[0]) || numbers[0] <= 0.0){
        throw Mistake(formatR("{0} must be a number above 0{1}, not '{2}'", name, unit, text));
    }
    return numbers[0];
}


//! A line each: joints.RWRR.viscous=4
void BatchOverrides::readValues()
{
    istringstream lines(variable("STICTION_OVERRIDE", nullptr));
    for(string line; getline(lines, line);){
        const size_t equals = line.find('=');
        if(equals == string::npos || equals == 0){
            throw Mistake(formatR("STICTION_OVERRIDE: '{0}' must be KEY=VALUE", line));
        }
        values.push_back({ line.substr(0, equals), line.substr(equals + 1) });
        replaced.push_back(line);
    }
}


void BatchOverrides::read()
{
    simulator = variable("STICTION_SIMULATOR", nullptr);
    seconds = readPositive("STICTION_TIME", "duration", " (s)");
    timestep = readPositive("STICTION_TIMESTEP", "timestep", " (s)");
    interval = readPositive("STICTION_INTERVAL", nullptr, " (s)");
    configuration = variable("STICTION_CONFIGURATION", "configuration");
    isProgressShown = !variable("STICTION_PROGRESS", nullptr).empty();
    isControllerGiven = !variable("STICTION_CONTROLLER", "controller").empty();
    istringstream specifications(variable("STICTION_CONTROLLERS", nullptr));
    for(string line; getline(specifications, line);){
        controllers.push_back(line);
        replaced.push_back("controller=" + line);
    }
    targets = variable("STICTION_TARGETS", "targets");
    istringstream pushLines(variable("STICTION_PUSHES", nullptr));
    for(string line; getline(pushLines, line);){
        pushes.push_back(line);
        replaced.push_back(line);
    }
    readValues();

    const double times = readPositive("STICTION_REPEAT", nullptr, "");
    repetitions = times > 0.0 ? static_cast<int>(min(ceil(times), 1e6)) : 1;

    law = variable("STICTION_LAW", "law");
    stiction_law_info info;
    if(!law.empty() && !stiction_law_info_find(law.c_str(), &info)){
        throw Mistake(formatR("STICTION_LAW: there is no law '{0}'; there are {1}", law, lawNames()));
    }
    const string friction = variable("STICTION_FRICTION", "friction");
    if(!friction.empty() && friction != "none"){
        throw Mistake(formatR("STICTION_FRICTION can only be none, not '{0}'", friction));
    }
    isFrictionless = !friction.empty();

    const string text = variable("STICTION_GRAVITY", "gravity");
    const auto g = readNumbers(text);
    if(!text.empty() && (g.size() != 3 || !isfinite(g[0] + g[1] + g[2]))){
        throw Mistake(
            formatR("STICTION_GRAVITY must be three numbers such as \"0 0 -9.8\" (m/s^2), not '{0}'",
                    text));
    }
    if(!text.empty()){
        gravity = Vector3(g[0], g[1], g[2]);
    }

    // `stiction run` reports by itself what it replaces
    istringstream lines(variable("STICTION_REPLACED", nullptr));
    vector<string> given;
    for(string line; getline(lines, line);){
        given.push_back(line);
    }
    if(!given.empty()){
        replaced = given;
    }
}


void BatchOverrides::applyFriction(const ItemList<StictionItem>& items) const
{
    const bool isWanted = !configuration.empty() || !law.empty() || !values.empty();
    if(isWanted && !isFrictionless && items.empty()){
        throw Mistake("there is no friction to replace values in: no StictionItem is enabled");
    }
    if(!configuration.empty() && !items.empty()){
        if(items.size() > 1){
            throw Mistake("STICTION_CONFIGURATION: the simulator has several StictionItems");
        }
        if(!items.front()->setConfigurationFile(filesystem::absolute(configuration).string())){
            throw Mistake(
                formatR("STICTION_CONFIGURATION: {0} cannot be used, see above", configuration));
        }
    }
    for(auto& item : items){
        item->setOverrides(values);
        if(!law.empty()){
            item->setLawOverride(law);
        }
        if(isFrictionless){
            item->setConfigurationFile(string());
        }
    }
}


void BatchOverrides::apply(SimulatorItem* simulator, const ItemList<StictionItem>& items) const
{
    applyFriction(items);
    if(timestep > 0.0){
        simulator->setTimeStep(timestep);
        if(fabs(simulator->worldTimeStep() - timestep) > 1e-9 * timestep){
            throw Mistake(formatR("STICTION_TIMESTEP: {0} has a time step of its own, {1} s",
                                  simulator->name(), simulator->worldTimeStep()));
        }
    }
    if(gravity){
        auto aist = dynamic_cast<AISTSimulatorItem*>(simulator);
        if(!aist){
            throw Mistake(formatR("STICTION_GRAVITY: only an AISTSimulatorItem can change it, not {0}",
                                  simulator->name()));
        }
        aist->setGravity(*gravity);
    }
}
