/* SPDX-License-Identifier: MIT
 * The interface between the plugin and a StictionController, which is a separate shared object: its
 * targets, records and failures for the results, and the efforts that acted on its joints. It has
 * no data members.
 */
#ifndef CNOID_STICTION_PLUGIN_HOSTED_CONTROLLER_H
#define CNOID_STICTION_PLUGIN_HOSTED_CONTROLLER_H

#include <string>
#include <vector>

namespace cnoid {

// visible, so that a dynamic_cast finds it across shared objects
class __attribute__((visibility("default"))) HostedController
{
public:
    //! Who wants to know at the end, when the controller may be unloaded at any time.
    class Observer
    {
    public:
        //! A figure of the simulation; \param text nullptr: it is a number.
        virtual void onNote(const char* key, const char* text, double value) = 0;
        //! Why the simulation could not go on.
        virtual void onFailure(const std::string& message) = 0;
    protected:
        ~Observer() { }
    };

    virtual ~HostedController() { }

    //! Why it did not start; empty: it did.
    virtual std::string refusal() const = 0;
    //! Why the simulation cannot go on; empty: it can. From any thread.
    virtual std::string failure() const = 0;
    //! Whether it has finished. From any thread.
    virtual bool isFinished() const = 0;
    //! Whether what it commands acts a step later: it may then run beside the simulator's step, and
    //! what it has done is only settled before the next.
    virtual bool isDelayed() const = 0;
    //! What was loaded; empty: it is built in.
    virtual std::string library() const = 0;
    //! The project's options and those that beat them.
    virtual std::string usedOptions() const = 0;
    //! Of the values to record.
    virtual const std::vector<std::string>& recordNames() const = 0;

    //! Where each joint of the body should be at the last control step, rad; NaN: not known. From
    //! any thread.
    virtual void copyTargets(double* targets) const = 0;
    //! An entry a name. From any thread.
    virtual void copyRecords(double* records) const = 0;
    //! What acted on each joint in the last step: the command less friction. Before a control step,
    //! in the simulation's thread; without it, what was commanded.
    virtual void setEfforts(const double* efforts) = 0;
    //! The user's target of each joint, rad; NaN: none. As setEfforts.
    virtual void setWanted(const double* positions) = 0;
    //! Until the end of the simulation that starts.
    virtual void setObserver(Observer* observer) = 0;
};

}

#endif
