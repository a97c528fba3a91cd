/* SPDX-License-Identifier: MIT */
#ifndef CNOID_STICTION_PLUGIN_STICTION_ITEM_H
#define CNOID_STICTION_PLUGIN_STICTION_ITEM_H

#include "FrictionConfiguration.h"
#include "FrictionGraph.h"
#include <cnoid/SubSimulatorItem>
#include <memory>
#include <string>
#include <vector>

extern "C" {
typedef struct results results;
}

namespace cnoid {

class ControllerItem;

/**
   Joint friction that sticks, for the bodies of the simulator item that this item is a child of.
*/
class StictionItem : public SubSimulatorItem
{
public:
    static void initializeClass(ExtensionManager* ext);

    StictionItem();
    StictionItem(const StictionItem& org);
    ~StictionItem();

    bool setConfigurationFile(const std::string& filename);
    const std::string& configurationFile() const;
    bool setLawOverride(const std::string& law);
    void setRecordingEnabled(bool on);

    //! Reads the configuration file again; a running simulation takes it over at its next step.
    bool reloadConfiguration();

    typedef FrictionConfiguration::Override Override;
    typedef FrictionConfiguration::Overrides Overrides;
    //! For a run; see FrictionConfiguration.
    void setOverrides(const Overrides& overrides);

    //! A joint with friction: as configured, and as the last simulation shows or left it.
    struct JointStatus
    {
        std::string bodyName, jointName;
        bool isPrismatic;
        stiction_joint_def def;
        bool isSimulated; //!< else what follows is 0
        bool isSlipping;
        double torque, deflection, dissipatedEnergy; //!< NaN: it is not known
    };
    //! For views, which poll it. In the main thread. After a simulation that was recorded they are
    //! those of the time bar's time.
    std::vector<JointStatus> jointStatuses();

    //! What is recorded of each joint, as shown.
    static std::vector<std::string> recordedQuantities();
    //! The record of a joint; its sequence is nullptr if the last simulation has none.
    FrictionGraph::Curve record(
        const std::string& body, const std::string& joint, size_t quantity) const;

    /**
       Replaces several values at once, at the next step of a running simulation.
       \param number Of the edit, above those before it
       \return false, with the errors reported and nothing changed, if they are not valid
    */
    bool editValues(const Overrides& values, int number);
    //! Undoes the last edit. \return false if there is none or the file can no longer be used
    bool undoEdit();
    //! Writes the edits into the configuration file.
    //! \return false, with the errors reported and nothing changed
    bool writeEdits();
    const FrictionConfiguration& configuration() const;

    //! What the batch mode wants of the next simulation. The results have the friction of all
    //! StictionItems of the simulator that start before this one.
    struct Collection
    {
        std::vector<std::string> overrides; //!< what was replaced in the project: "timestep=0.002"
        double interval = 0.0;              //!< s between rows of joints.csv; 0: every step
        std::string frictionSource;         //!< "stiction" where it is empty
        std::string absence;                //!< why no item gives friction; empty: one does
        std::string targets;                //!< targets of the joints; empty: none
        std::vector<std::string> pushes;    //!< all of them, see LinkPushes.h
    };
    void collectResults(const Collection& collection);
    //! The pushes of the project, see LinkPushes.h; in a batch run one item applies those of all.
    std::vector<std::string> pushes() const;
    void setPushing(bool on);
    //! The friction of the simulation that runs, in the order of the bodies.
    const std::vector<std::unique_ptr<BodyFriction>>& frictions() const;
    //! The caller's; nullptr where nothing was collected. \param isComplete It ran to its end.
    results* takeResults(bool isComplete, const std::vector<std::string>& warnings);
    //! Those of the last simulation that started, once it has ended.
    const std::vector<ControllerItem*>& controllers() const;
    //! Whether it had a StictionController or StictionPostureController.
    bool hasHostedController() const;
    //! Why a controller ended it early; empty: none did.
    std::string controllerFailure() const;
    //! Of the last simulation.
    std::vector<std::string> warnings() const;
    //! How far the simulation is, s; from any thread.
    double simulatedTime() const;
    //! Why the last simulation had no friction as configured; empty: it had. From any thread.
    std::vector<std::string> errors() const;

    virtual bool isEnabled() override;
    virtual bool setEnabled(bool on) override;
    virtual bool initializeSimulation(SimulatorItem* simulatorItem) override;
    virtual void finalizeSimulation() override;

protected:
    virtual void onTreePathChanged() override;
    virtual Item* doCloneItem(CloneMap* cloneMap) const override;
    virtual void doPutProperties(PutPropertyFunction& putProperty) override;
    virtual bool store(Archive& archive) override;
    virtual bool restore(const Archive& archive) override;

private:
    class Impl;
    std::unique_ptr<Impl> impl;
};

typedef ref_ptr<StictionItem> StictionItemPtr;

}

#endif
