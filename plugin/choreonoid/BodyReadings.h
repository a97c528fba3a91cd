/* SPDX-License-Identifier: MIT
 * What a controller reads of a body, in the frames and the order of stiction/controller.h: the
 * velocities of a free root first, linear and angular in the world's frame, then the joints by their
 * ids.
 */
#ifndef CNOID_STICTION_PLUGIN_BODY_READINGS_H
#define CNOID_STICTION_PLUGIN_BODY_READINGS_H

#include "BodyDynamics.h"
#include <controllers/host/controller_host.h>

namespace cnoid {

class BodyReadings
{
public:
    //! \param body Outlives this. \param gravity m/s^2
    BodyReadings(Body* body, const Vector3& gravity);

    bool isFloating() const { return isFloating_; }
    int numDofs() const { return static_cast<int>(places_.size()); }

    //! Body, gravity, joints and links; what points there is this object's.
    stiction_controller_setup describe() const;

    /**
       From the poses of the links: the base and, if requested, mass matrix, bias, Jacobians and
       contacts. The caller fills in the joint values.
    */
    void read(const stiction_controller_needs* needs, controller_readings* readings);

private:
    void readBase(controller_readings* readings) const;
    void readMass(double* mass);
    void readBias(double* bias) const;
    void readJacobian(const Link* link, double* jacobian) const;
    void readLinkState(const Link* link, stiction_controller_link_state* state) const;
    size_t readContacts(stiction_controller_contact* contacts) const;
    void readMotion(const Link* link, stiction_controller_link_motion* motion) const;
    void addCarried(const Link* link, const Vector3& about, Vector3& force, Vector3& torque) const;

    BodyPtr body_;
    Vector3 gravity_;
    BodyDynamics dynamics_;
    bool isFloating_;
    std::vector<int> places_; // of our velocities, in the dynamics; -1: a joint that does not move
    std::vector<double> dense_; // the mass matrix of the dynamics
    std::vector<stiction_controller_joint> joints_;
    std::vector<const char*> links_;
    std::vector<double> rotors_;
};

}

#endif
