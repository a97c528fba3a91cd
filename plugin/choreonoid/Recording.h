/* SPDX-License-Identifier: MIT
 * Records a simulation with friction: sequence items for the graph views, and the results that the
 * batch mode writes.
 */
#ifndef CNOID_STICTION_PLUGIN_RECORDING_H
#define CNOID_STICTION_PLUGIN_RECORDING_H

#include "BodyFriction.h"
#include "FloatingBodies.h"
#include "FrictionGraph.h"
#include "HostedController.h"
#include "LinkPushes.h"
#include "StictionItem.h"
#include <cnoid/SimulatorItem>
#include <results/results.h>
#include <memory>
#include <vector>

namespace cnoid {

class MultiValueSeqItem;

class Recording
{
public:
    ~Recording();

    //! What the sequence items below the owner have of an earlier simulation. In the main thread.
    void clearItems(Item* owner);
    //! Called in the main thread when a simulation starts. \param collection nullptr: no results
    void start(Item* owner, SimulatorItem* simulatorItem,
               const std::vector<std::unique_ptr<BodyFriction>>& frictions,
               bool forItems, const std::vector<const BodyFriction*>& allFrictions,
               const StictionItem::Collection* collection, const LinkPushes& pushes,
               FloatingBodies& floatingBodies);
    //! Called in the simulation thread before the controllers of a step.
    void prepare();
    //! Called in the simulation thread after every step of friction.
    void add(double time, const std::vector<std::unique_ptr<BodyFriction>>& frictions);
    //! Called in the main thread when the simulation has ended: fills the sequence items.
    void finish();

    /**
       What the sequence items have of a time of the last simulation, for all joints in the order of
       its frictions. \return false, with nothing changed, at its end or if it was not recorded
    */
    bool recall(double time, std::vector<StictionItem::JointStatus>& joints) const;

    //! Of the sequence items, as shown.
    static std::vector<std::string> quantityNames();
    //! Its sequence is nullptr if the last simulation did not record it.
    FrictionGraph::Curve find(
        const std::string& body, const std::string& joint, size_t quantity) const;

    //! Why a controller failed and ended the simulation early; empty: none did.
    std::string controllerFailure() const;
    //! Why the results are not those of the run that was asked for; empty: they are.
    std::string doubt() const;
    //! Of controllers, each once. After the end of the simulation.
    std::vector<std::string> controllerWarnings() const;
    //! The caller owns them; nullptr if there are none.
    results* takeResults(bool isComplete, const std::vector<std::string>& warnings);

private:
    //! A joint of a simulated body, and its friction if it has some.
    struct Joint
    {
        Link* link;
        const BodyFriction* friction;
        int index;
    };

    //! A controller and the notes from its end; it may be unloaded afterwards.
    struct Controller : public HostedController::Observer
    {
        struct Note
        {
            std::string key, text;
            bool isText;
            double value;
        };
        std::string name, body, library, options, failure;
        const HostedController* hosted = nullptr; // nullptr: of another kind
        std::vector<Note> notes;
        std::vector<int> places; // of its joints, by their ids; -1: a gap
        std::vector<double> targets; // of its joints
        size_t firstRecord = 0; // among the channels

        virtual void onNote(const char* key, const char* text, double value) override;
        virtual void onFailure(const std::string& message) override;
    };

    MultiValueSeqItem* findItem(size_t body, size_t quantity) const;
    void findJoints(const std::vector<const BodyFriction*>& frictions);
    void findControllers(SimulationBody* simBody);
    void findChannels();
    void createResults(const StictionItem::Collection& collection);
    void copyControllers(bool areDelayed);
    void addToSeries(const std::vector<std::unique_ptr<BodyFriction>>& frictions);
    void addToResults(double time);

    Item* owner_ = nullptr;
    SimulatorItem* simulatorItem_ = nullptr;
    bool forItems_ = false;
    struct RecordedBody
    {
        std::string name;
        std::vector<std::string> joints; // with friction, at the start
    };
    std::vector<RecordedBody> recorded_;
    std::vector<std::vector<double>> series_; // a row of all joints a step, for each quantity
    size_t firstRow_ = 0; // of the simulation, in series_
    size_t mostRows_ = 0; // that are kept at least; where only the tail is recorded
    results* results_ = nullptr;
    std::vector<std::unique_ptr<Controller>> controllers_; // which observers stay in
    std::vector<Link*> floatingRoots_;
    const LinkPushes* pushes_ = nullptr;
    FloatingBodies* floatingBodies_ = nullptr;
    std::vector<std::string> channelNames_; // of the roots, the robots, the pushes, the controllers
    std::vector<double> channels_;
    std::vector<Joint> joints_;
    std::vector<std::string> jointNames_;
    std::vector<double> position_, velocity_, command_, target_;
    bool hasCommand_ = false; // that was not 0, in the whole run
    JointArrays friction_;
};

}

#endif
