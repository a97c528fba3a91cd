/* SPDX-License-Identifier: MIT
 * Environment variables that override the project in a batch run. docs/choreonoid.md lists them. A
 * value that cannot be applied is an error.
 */
#ifndef CNOID_STICTION_PLUGIN_BATCH_OVERRIDES_H
#define CNOID_STICTION_PLUGIN_BATCH_OVERRIDES_H

#include "StictionItem.h"
#include <cnoid/EigenTypes>
#include <cnoid/ItemList>
#include <optional>
#include <stdexcept>

namespace cnoid {

class SimulatorItem;

class BatchOverrides
{
public:
    //! An error message that names the variable.
    struct Mistake : std::runtime_error
    {
        using std::runtime_error::runtime_error;
    };

    std::string simulator;   // the only one to run; empty: all
    double seconds = 0.0;    // 0: not given
    int repetitions = 1;
    bool isProgressShown = false;
    bool isControllerGiven = false; // options, which the controllers read
    std::vector<std::string> controllers; // instead of the project's; see BatchControllers.h
    std::string targets; // targets of the joints; empty: none
    std::vector<std::string> pushes; // on top of the project's; see LinkPushes.h
    bool isFrictionless = false;
    double interval = 0.0;             // s between rows of joints.csv; 0: every step
    std::vector<std::string> replaced; // for the results, by the keys of `stiction run --set`

    //! Reads the environment. \throw Mistake
    void read();
    //! Whether a friction file is given, which a simulator without a StictionItem gets one for.
    bool hasConfiguration() const { return !configuration.empty(); }
    //! Changes the simulator and its items. \throw Mistake
    void apply(SimulatorItem* simulator, const ItemList<StictionItem>& items) const;

private:
    double timestep = 0.0; // 0: not given
    std::string configuration, law;
    std::vector<StictionItem::Override> values; // of the configuration
    std::optional<Vector3> gravity;

    std::string variable(const char* name, const char* key);
    double readPositive(const char* name, const char* key, const char* unit);
    void readValues();
    void applyFriction(const ItemList<StictionItem>& items) const;
};

}

#endif
