/* SPDX-License-Identifier: MIT
 * Pushes and pulls (pushes/push.h) on the links of a simulation, as external forces of Choreonoid.
 */
#ifndef CNOID_STICTION_PLUGIN_LINK_PUSHES_H
#define CNOID_STICTION_PLUGIN_LINK_PUSHES_H

#include "BodyFriction.h"
#include <cnoid/SimulatorItem>
#include <cnoid/ValueTree>
#include <pushes/push.h>
#include <string>
#include <vector>

namespace cnoid {

class LinkPushes
{
public:
    LinkPushes() = default;
    LinkPushes(const LinkPushes&) = delete;
    LinkPushes& operator=(const LinkPushes&) = delete;
    ~LinkPushes() { push_list_free(&list_); }

    //! The pushes of a project's item as lines of start().
    static std::vector<std::string> linesOf(const ValueNode* pushes);

    /**
       In the main thread when a simulation starts.
       \param lines KEY=VALUE of push_list_set: "push=link=WAIST force=1,0,0", "push.force=40"
       \return false with a report, and without pushes, where one of them is not right or the
       simulator takes no forces on links
    */
    bool start(SimulatorItem* simulatorItem, const std::vector<std::string>& lines,
               const BodyFriction::Report& report);
    //! In the simulation's thread, before each step.
    void apply(double time);

    const push_list& list() const { return list_; }
    //! What acts in the step, three numbers a push, N.
    const std::vector<double>& forces() const { return forces_; }

private:
    std::string take(const std::vector<std::string>& lines);
    std::string place(SimulatorItem* simulatorItem);

    push_list list_ = {};
    double timeStep_ = 0.0;
    std::vector<Link*> links_;
    std::vector<double> forces_;
};

}

#endif
