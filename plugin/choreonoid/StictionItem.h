#ifndef CNOID_STICTION_PLUGIN_STICTION_ITEM_H
#define CNOID_STICTION_PLUGIN_STICTION_ITEM_H

#include <cnoid/SubSimulatorItem>
#include <memory>
#include <string>

extern "C" {
typedef struct results results;
}

namespace cnoid {

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

    //! What the batch mode writes: collected during the next simulation, the caller's afterwards.
    void setResultCollectionEnabled(bool on);
    results* takeResults();
    //! How far the simulation is, s; from any thread.
    double simulatedTime() const;
    //! Whether the last simulation had friction as configured.
    bool hasFailed() const;

    virtual bool isEnabled() override;
    virtual bool setEnabled(bool on) override;
    virtual bool initializeSimulation(SimulatorItem* simulatorItem) override;
    virtual void finalizeSimulation() override;

protected:
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
