/*
 * What the plugin asks of a StictionPostureController, which lies in a shared object of its own: what
 * it does, for the results, and it tells it the gravity. No data in here.
 */
#ifndef CNOID_STICTION_PLUGIN_POSTURE_CONTROLLER_H
#define CNOID_STICTION_PLUGIN_POSTURE_CONTROLLER_H

#include <cnoid/EigenTypes>
#include <cstdint>
#include <string>

namespace cnoid {

// visible, so that a dynamic_cast finds it across shared objects
class __attribute__((visibility("default"))) PostureController
{
public:
    //! In how many steps it met what.
    struct Events
    {
        uint64_t clamped, relaxed, held, faults;
    };

    virtual ~PostureController() { }

    //! Why it did not start; empty: it did.
    virtual std::string refusal() const = 0;
    //! "qp", "pd" or "torque".
    virtual std::string modeName() const = 0;
    //! The project's options and those that beat them.
    virtual std::string usedOptions() const = 0;
    //! Since the simulation started. From the simulation's thread, between two control steps.
    virtual Events events() const = 0;

    //! Where each joint of the body should be at the last control step, rad; NaN: not known, as in
    //! mode torque. From any thread.
    virtual void copyTargets(double* targets) const = 0;
    /**
       What it is to the joints of the body, joint by joint, see posture_gains.
       \param mass Of the joints, row by row.
       \param period s: how long a torque is held
    */
    virtual void copyGains(
        const double* mass, double* stiffness, double* damping, double* period) const = 0;
    //! Of the simulation, m/s^2, before its first step.
    virtual void setGravity(const Vector3& gravity) = 0;
};

}

#endif
