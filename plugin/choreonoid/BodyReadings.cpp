/* SPDX-License-Identifier: MIT */
#include "BodyReadings.h"
#include <cnoid/EigenTypes>
#include <cnoid/Link>
#include <algorithm>
#include <limits>

using namespace std;
using namespace cnoid;

namespace {

constexpr int numBaseDofs = 6;

//! The limits and properties of a joint.
stiction_controller_joint describeJoint(const Link* joint)
{
    const double unlimited = numeric_limits<double>::max(), none = numeric_limits<double>::infinity();
    const bool isLimited = joint->q_lower() > -unlimited && joint->q_upper() < unlimited;
    auto limitOr = [&](double limit){ return limit > 0.0 && limit < unlimited ? limit : none; };
    return { joint->jointName().c_str(), joint->isPrismaticJoint(),
             isLimited ? joint->q_lower() : -none, isLimited ? joint->q_upper() : none,
             limitOr(joint->dq_upper()), limitOr(joint->u_upper()) };
}

}


BodyReadings::BodyReadings(Body* body, const Vector3& gravity)
    : body_(body),
      gravity_(gravity),
      dynamics_(body, gravity),
      isFloating_(!body->rootLink()->isFixedJoint())
{
    for(int k = 0; isFloating_ && k < numBaseDofs; ++k){
        places_.push_back(k);
    }
    for(auto& joint : body->joints()){
        places_.push_back(dynamics_.dofOf(joint));
        joints_.push_back(describeJoint(joint));
        rotors_.push_back(joint->Jm2());
    }
    for(auto& link : body->links()){
        links_.push_back(link->name().c_str());
    }
}


stiction_controller_setup BodyReadings::describe() const
{
    stiction_controller_setup setup = {};
    setup.body = body_->name().c_str();
    copy_n(gravity_.data(), 3, setup.gravity);
    setup.floating = isFloating_;
    setup.joint_count = joints_.size();
    setup.joints = joints_.data();
    setup.link_count = links_.size();
    setup.links = links_.data();
    setup.rotor_inertias = rotors_.data();
    return setup;
}


void BodyReadings::read(const stiction_controller_needs* needs, controller_readings* readings)
{
    readBase(readings);
    if(readings->mass_matrix || readings->bias || needs->jacobian_count > 0){
        dynamics_.update();
    }
    if(readings->mass_matrix){
        readMass(readings->mass_matrix);
    }
    if(readings->bias){
        readBias(readings->bias);
    }
    for(size_t k = 0; k < needs->jacobian_count; ++k){
        const Link* link = body_->link(static_cast<int>(needs->jacobians[k]));
        readJacobian(link, readings->jacobians[k]);
        if(readings->link_states){
            readLinkState(link, readings->link_states + k);
        }
    }
    if(needs->motion_count > 0){
        body_->calcForwardKinematics(true);
    }
    for(size_t k = 0; k < needs->motion_count; ++k){
        readMotion(body_->link(static_cast<int>(needs->motions[k])), readings->motions + k);
    }
    if(readings->contacts){
        body_->calcForwardKinematics();
        readings->contact_count = readContacts(readings->contacts);
    }
}


void BodyReadings::readBase(controller_readings* readings) const
{
    const Link* root = body_->rootLink();
    Quaternion q(root->R());
    q.normalize();
    const double rotation[] = { q.w(), q.x(), q.y(), q.z() };
    const Vector3 zero = Vector3::Zero();
    copy_n(root->p().data(), 3, readings->position);
    copy_n(rotation, 4, readings->rotation);
    copy_n((isFloating_ ? root->v() : zero).data(), 3, readings->linear);
    copy_n((isFloating_ ? root->w() : zero).data(), 3, readings->angular);
}


//! A joint that does not move has a mass, so that the matrix can be inverted.
void BodyReadings::readMass(double* mass)
{
    const int n = numDofs();
    const int numMoved = dynamics_.numDofs();
    auto& M = dense_;
    M.assign(static_cast<size_t>(numMoved) * numMoved, 0.0);
    auto entry = dynamics_.mass().begin();
    for(int i = 0; i < numMoved; ++i){
        for(int j = i; j >= 0; j = dynamics_.parents()[j]){
            M[i * numMoved + j] = M[j * numMoved + i] = *entry++;
        }
    }
    for(int i = 0; i < n; ++i){
        for(int j = 0; j < n; ++j){
            const bool isMoved = places_[i] >= 0 && places_[j] >= 0;
            mass[i * n + j] = isMoved ? M[places_[i] * numMoved + places_[j]] : i == j;
        }
    }
}


void BodyReadings::readBias(double* bias) const
{
    for(int i = 0; i < numDofs(); ++i){
        bias[i] = places_[i] < 0 ? 0.0 : dynamics_.bias()[places_[i]];
    }
}


void BodyReadings::readJacobian(const Link* link, double* jacobian) const
{
    const int n = numDofs();
    fill_n(jacobian, 6 * n, 0.0);
    for(int dof = dynamics_.dofBefore(link); dof >= 0; dof = dynamics_.parents()[dof]){
        const auto place = find(places_.begin(), places_.end(), dof);
        if(place == places_.end()){
            continue; // a joint without an id, which controllers do not see
        }
        const auto motion = dynamics_.motionAt(link, dof);
        const auto column = place - places_.begin();
        for(int k = 0; k < 6; ++k){
            jacobian[k * n + column] = motion[k];
        }
    }
}


void BodyReadings::readLinkState(const Link* link, stiction_controller_link_state* state) const
{
    const Isometry3 position = dynamics_.positionOf(link);
    Quaternion q(position.linear());
    q.normalize();
    const double rotation[] = { q.w(), q.x(), q.y(), q.z() };
    copy_n(position.translation().data(), 3, state->position);
    copy_n(rotation, 4, state->rotation);
    copy_n(dynamics_.accelerationAt(link).data(), 6, state->bias);
}


//! Of the last step, all contacts of a link together.
size_t BodyReadings::readContacts(stiction_controller_contact* contacts) const
{
    size_t count = 0;
    for(auto& link : body_->links()){
        Vector3 force = Vector3::Zero(), torque = Vector3::Zero();
        for(auto& point : link->contactPoints()){
            force += point.force();
            torque += (point.position() - link->p()).cross(point.force());
        }
        if(!link->contactPoints().empty()){
            auto& contact = contacts[count++];
            contact.link = link->index();
            copy_n(force.data(), 3, contact.force);
            copy_n(torque.data(), 3, contact.torque);
        }
    }
    return count;
}


void BodyReadings::readMotion(const Link* link, stiction_controller_link_motion* motion) const
{
    Quaternion q(link->R());
    q.normalize();
    const double rotation[] = { q.w(), q.x(), q.y(), q.z() };
    Vector3 force = Vector3::Zero(), torque = Vector3::Zero();
    addCarried(link, link->p(), force, torque);
    copy_n(link->p().data(), 3, motion->position);
    copy_n(rotation, 4, motion->rotation);
    copy_n(link->v().data(), 3, motion->linear);
    copy_n(link->w().data(), 3, motion->angular);
    copy_n(force.data(), 3, motion->force);
    copy_n(torque.data(), 3, motion->torque);
}


//! Contacts and weight of a link and of all links after it; what accelerates them is left out.
void BodyReadings::addCarried
(const Link* link, const Vector3& about, Vector3& force, Vector3& torque) const
{
    const Vector3 weight = link->mass() * gravity_;
    force += weight;
    torque += (link->T() * link->centerOfMass() - about).cross(weight);
    for(auto& point : link->contactPoints()){
        force += point.force();
        torque += (point.position() - about).cross(point.force());
    }
    for(auto child = link->child(); child; child = child->sibling()){
        addCarried(child, about, force, torque);
    }
}
