/*
 * What a simulation with friction leaves behind: sequence items for the graph views, and the
 * results that the batch mode writes.
 */
#ifndef CNOID_STICTION_PLUGIN_RECORDING_H
#define CNOID_STICTION_PLUGIN_RECORDING_H

#include "BodyFriction.h"
#include <cnoid/SimulatorItem>
#include <results.h>
#include <memory>
#include <vector>

namespace cnoid {

class Item;
class PostureController;

class Recording
{
public:
    ~Recording();

    //! Called in the main thread when a simulation starts.
    void start(Item* owner, SimulatorItem* simulatorItem,
               const std::vector<std::unique_ptr<BodyFriction>>& frictions,
               bool forItems, bool forResults);
    //! Called in the simulation thread after every step of friction.
    void add(double time, const std::vector<std::unique_ptr<BodyFriction>>& frictions);
    //! Called in the main thread when the simulation has ended: fills the sequence items.
    void finish();

    results* takeResults();

private:
    //! A joint of a simulated body, and its friction if it has some.
    struct Joint
    {
        Link* link;
        const BodyFriction* friction;
        int index;
    };

    void findJoints(const std::vector<std::unique_ptr<BodyFriction>>& frictions);
    void createResults();
    void addToSeries(const std::vector<std::unique_ptr<BodyFriction>>& frictions);
    void addToResults(double time);

    Item* owner_ = nullptr;
    SimulatorItem* simulatorItem_ = nullptr;
    bool forItems_ = false;
    std::vector<std::string> bodyNames_;
    std::vector<int> numJoints_;
    std::vector<std::vector<double>> series_; // a row of all joints a step, for each quantity
    results* results_ = nullptr;
    //! Who knows where the joints from one on should be.
    struct Targets
    {
        const PostureController* controller;
        size_t first;
    };
    std::vector<Targets> targetSources_;
    std::vector<Joint> joints_;
    std::vector<std::string> jointNames_;
    std::vector<double> position_, velocity_, command_, target_, friction_, deflection_, energy_;
    std::vector<unsigned char> slipping_;
};

}

#endif
