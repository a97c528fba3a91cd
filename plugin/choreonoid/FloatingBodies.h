/* SPDX-License-Identifier: MIT
 * Floating robots, for their figures (results/body_figures.h): centre of mass and support, which
 * only the AIST item reports.
 */
#ifndef CNOID_STICTION_PLUGIN_FLOATING_BODIES_H
#define CNOID_STICTION_PLUGIN_FLOATING_BODIES_H

#include <cnoid/Body>
#include <cnoid/ItemList>
#include <cnoid/SimulatorItem>
#include <results/results.h>
#include <string>
#include <utility>
#include <vector>

namespace cnoid {

class BodyItem;

class FloatingBodies
{
public:
    ~FloatingBodies();

    //! Asks for contacts of the bodies of the item tree, before a simulation copies them.
    void prepare(const ItemList<BodyItem>& bodyItems);
    //! The bodies of the item tree are as they were.
    void restore();

    //! In the main thread when a simulation starts.
    void start(SimulatorItem* simulatorItem);
    //! In the simulation's thread, in each step.
    void read();

    const std::vector<results_body>& bodies() const { return bodies_; }
    const std::vector<body_sample>& samples() const { return samples_; }
    //! com and cop of each body, by their names in joints.csv.
    std::vector<std::string> channelNames(bool hasSeveral) const;
    void copyChannels(double* channels) const;

private:
    struct Floating
    {
        BodyPtr body, clone;
        std::string name;
        std::vector<body_touch> touches;
    };
    static void readMotion(const Floating& floating, body_sample& sample);
    static void readContacts(Floating& floating, body_sample& sample);

    std::vector<Floating> floating_;
    std::vector<results_body> bodies_;
    std::vector<body_sample> samples_;
    bool knowsContacts_ = false;
    std::vector<std::pair<LinkPtr, int>> sensing_; // links of the item tree with their own modes
};

}

#endif
