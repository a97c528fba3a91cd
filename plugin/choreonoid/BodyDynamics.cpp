/* SPDX-License-Identifier: MIT */
#include "BodyDynamics.h"
#include <cnoid/Link>
#include <algorithm>
#include <cmath>

using namespace std;
using namespace cnoid;


//! The momentum of a motion.
Vector6 BodyDynamics::product(const Inertia& inertia, const Vector6& motion)
{
    const double m = inertia[0], xx = inertia[4], yy = inertia[5], zz = inertia[6],
        xy = inertia[7], xz = inertia[8], yz = inertia[9];
    const Vector3 moment = inertia.segment<3>(1), v = motion.head<3>(), w = motion.tail<3>();
    const Vector3 spin(xx * w.x() + xy * w.y() + xz * w.z(),
                       xy * w.x() + yy * w.y() + yz * w.z(),
                       xz * w.x() + yz * w.y() + zz * w.z());
    Vector6 momentum;
    momentum << m * v + w.cross(moment), moment.cross(v) + spin;
    return momentum;
}


BodyDynamics::BodyDynamics(Body* body, const Vector3& gravity, bool hasRotors)
    : body_(body),
      gravity_(gravity),
      isRootFree_(!body->rootLink()->isFixedJoint())
{
    last_.assign(body->numLinks(), -1); // the degree of freedom next to each link
    auto add = [&](int linkIndex, int parent){
        const int dof = numDofs();
        linkIndices_.push_back(linkIndex);
        parents_.push_back(parent);
        lengths_.push_back(1 + (parent < 0 ? 0 : lengths_[parent]));
        for(int j = dof; j >= 0; j = parents_[j]){
            columns_.push_back(j);
        }
        return dof;
    };
    for(int i = 0; i < body->numLinks(); ++i){
        const Link* link = body->link(i);
        const Matrix3 turn = link->Rb();
        Part part;
        part.isRevolute = link->isRevoluteJoint();
        part.isTurned = !turn.isIdentity(0.0);
        part.turn = turn;
        part.offset = link->b();
        part.axis = link->a();
        part.center = link->c();
        part.inertia = link->I();
        part.mass = link->m();
        part.rotor = hasRotors ? link->Jm2() : 0.0;
        for(int k = 0; k < 3; ++k){
            if(fabs(part.axis[k]) == 1.0){
                part.axisIndex = k;
            }
        }
        if(link->isRoot()){
            for(int k = 0; isRootFree_ && k < 6; ++k){
                last_[i] = add(i, k - 1);
            }
        } else {
            part.parent = link->parent()->index();
            last_[i] = last_[part.parent];
            if(link->isRevoluteJoint() || link->isPrismaticJoint()){
                last_[i] = part.dof = add(i, last_[i]);
            }
        }
        parts_.push_back(part);
    }
    mass_.assign(columns_.size(), 0.0);
    motions_.resize(numDofs());
    for(int k = 0; isRootFree_ && k < 6; ++k){
        motions_[k] = Vector6::Unit(k);
    }
    rotations_.resize(parts_.size());
    positions_.resize(parts_.size());
    inertias_.resize(parts_.size());
    for(auto values : { &twists_, &accelerations_, &forces_ }){
        values->resize(parts_.size());
    }
    for(auto values : { &angles_, &rates_, &velocities_, &bias_, &efforts_ }){
        values->assign(numDofs(), 0.0);
    }
}


void BodyDynamics::update(double lead)
{
    copyState(lead);
    findPoses();
    findInertias();
    findBias();
    findMass();
}


void BodyDynamics::copyState(double lead)
{
    // the change of a velocity on the way to the state that is `lead` ahead
    auto change = [&](int dof, double velocity){
        const double difference = lead > 0.0 ? (velocity - velocities_[dof]) / 2.0 : 0.0;
        velocities_[dof] = velocity;
        return difference;
    };
    const Link* root = body_->rootLink();
    origin_ = root->p();
    rotations_[0] = root->R();
    twists_[0] << root->v(), root->w();
    if(isRootFree_){
        for(int k = 0; k < 6; ++k){
            twists_[0][k] += change(k, twists_[0][k]);
        }
        const double angle = lead * root->w().norm();
        origin_ += lead * root->v();
        if(angle > 0.0){
            rotations_[0] = AngleAxis(angle, root->w().normalized()) * rotations_[0];
        }
    }
    for(size_t i = 1; i < parts_.size(); ++i){
        const int dof = parts_[i].dof;
        if(dof >= 0){
            const Link* link = body_->link(i);
            const double difference = change(dof, link->dq());
            angles_[dof] = link->q() + lead * (link->dq() + difference / 2.0);
            rates_[dof] = link->dq() + difference;
            efforts_[dof] = link->u();
        }
    }
}


//! Turns R about the axis of the joint. The usual case, an axis of the joint's own frame, changes two
//! columns.
void BodyDynamics::turnAbout(Matrix3& R, const Part& part, double angle)
{
    if(part.axisIndex < 0){
        R = (R * AngleAxis(angle, part.axis).toRotationMatrix()).eval();
        return;
    }
    const double c = cos(angle), s = sin(angle) * part.axis[part.axisIndex];
    auto next = R.col((part.axisIndex + 1) % 3), other = R.col((part.axisIndex + 2) % 3);
    const Vector3 before = next;
    next = c * before + s * other;
    other = c * other - s * before;
}


//! Finds the poses of the links, and the motion of each joint at unit speed.
void BodyDynamics::findPoses()
{
    positions_[0].setZero();
    for(size_t i = 1; i < parts_.size(); ++i){
        const auto& part = parts_[i];
        const auto& of = rotations_[part.parent];
        auto& R = rotations_[i];
        auto& p = positions_[i];
        if(part.isTurned){
            R.noalias() = of * part.turn;
        } else {
            R = of;
        }
        p = positions_[part.parent] + of * part.offset;
        if(part.dof < 0){
            continue;
        }
        const double angle = angles_[part.dof];
        const Vector3 axis = R * part.axis;
        auto& motion = motions_[part.dof];
        if(part.isRevolute){
            turnAbout(R, part, angle);
            motion << p.cross(axis), axis;
        } else {
            p += angle * axis;
            motion << axis, Vector3::Zero();
        }
    }
}


void BodyDynamics::findInertias()
{
    for(size_t i = 0; i < parts_.size(); ++i){
        const auto& part = parts_[i];
        const auto& R = rotations_[i];
        const Vector3 c = R * part.center + positions_[i], mc = part.mass * c;
        const Matrix3 RI = R * part.inertia;
        auto about = [&](int j, int k){ return RI.row(j).dot(R.row(k)); };
        const double x = mc.x() * c.x(), y = mc.y() * c.y(), z = mc.z() * c.z();
        inertias_[i] << part.mass, mc, about(0, 0) + y + z, about(1, 1) + x + z, about(2, 2) + x + y,
            about(0, 1) - mc.x() * c.y(), about(0, 2) - mc.x() * c.z(), about(1, 2) - mc.y() * c.z();
    }
}


Isometry3 BodyDynamics::positionOf(const Link* link) const
{
    Isometry3 position;
    position.linear() = rotations_[link->index()];
    position.translation() = origin_ + positions_[link->index()];
    return position;
}


Vector6 BodyDynamics::motionAt(const Link* link, int dof) const
{
    Vector6 motion = motions_[dof];
    motion.head<3>() += motion.tail<3>().cross(positions_[link->index()]);
    return motion;
}


//! From the root's origin to the link's, which moves; gravity is in findBias() as an acceleration.
Vector6 BodyDynamics::accelerationAt(const Link* link) const
{
    const Vector3& p = positions_[link->index()];
    const Vector6& twist = twists_[link->index()];
    const Vector3 w = twist.tail<3>();
    Vector6 acceleration = accelerations_[link->index()];
    acceleration.head<3>() += gravity_ + acceleration.tail<3>().cross(p) +
        w.cross(twist.head<3>() + w.cross(p));
    return acceleration;
}


void BodyDynamics::addExternalForces(vector<double>& forces) const
{
    for(int i = 0; i < body_->numLinks(); ++i){
        const Link* link = body_->link(i);
        if(link->F_ext().isZero()){
            continue;
        }
        Vector6 force; // Choreonoid's torque is about the world's origin
        force << link->f_ext(), link->tau_ext() - origin_.cross(link->f_ext());
        for(int dof = last_[i]; dof >= 0; dof = parents_[dof]){
            forces[dof] += motions_[dof].dot(force);
        }
    }
}


void BodyDynamics::remember(const vector<double>& forces)
{
    rememberedMass_ = mass_;
    rememberedVelocities_ = velocities_;
    rememberedForces_ = forces;
}


//! The balance of momentum: M (v+ - v)/T less the forces that are known.
void BodyDynamics::findConstraints(double timeStep, vector<double>& forces) const
{
    fill(forces.begin(), forces.end(), 0.0);
    if(rememberedForces_.empty()){
        return;
    }
    auto acceleration = [&](int dof){
        return (velocities_[dof] - rememberedVelocities_[dof]) / timeStep;
    };
    auto entry = rememberedMass_.begin();
    for(int i = 0; i < numDofs(); ++i){
        forces[i] += *entry++ * acceleration(i) - rememberedForces_[i];
        for(int j = parents_[i]; j >= 0; j = parents_[j], ++entry){
            forces[i] += *entry * acceleration(j);
            forces[j] += *entry * acceleration(i);
        }
    }
}


//! By composite bodies: what a joint moves, seen by each of its ancestors.
void BodyDynamics::findMass()
{
    for(size_t i = parts_.size() - 1; i > 0; --i){
        inertias_[parts_[i].parent] += inertias_[i];
    }
    size_t entry = 0;
    for(int i = 0; i < numDofs(); ++i){
        const Vector6 force = product(inertias_[linkIndices_[i]], motions_[i]);
        const size_t end = entry + lengths_[i];
        mass_[entry++] = motions_[i].dot(force) + parts_[linkIndices_[i]].rotor;
        for(; entry < end; ++entry){
            mass_[entry] = motions_[columns_[entry]].dot(force);
        }
    }
}


//! The forces that move the links as they move, without acceleration of a joint, and hold them up:
//! from the root to the leaves and back.
void BodyDynamics::findBias()
{
    for(size_t i = 0; i < parts_.size(); ++i){
        const auto& part = parts_[i];
        auto& twist = twists_[i];
        auto& acceleration = accelerations_[i];
        if(i == 0){
            const Vector3 v = twist.head<3>(), w = twist.tail<3>();
            acceleration << -gravity_ - w.cross(v), Vector3::Zero();
        } else {
            twist = twists_[part.parent];
            acceleration = accelerations_[part.parent];
        }
        if(part.dof >= 0 && rates_[part.dof] != 0.0){
            const Vector6 motion = rates_[part.dof] * motions_[part.dof];
            const Vector3 v = twist.head<3>(), w = twist.tail<3>();
            const Vector3 linear = motion.head<3>(), angular = motion.tail<3>();
            acceleration.head<3>() += w.cross(linear) + v.cross(angular);
            acceleration.tail<3>() += w.cross(angular);
            twist += motion;
        }
        const Vector3 v = twist.head<3>(), w = twist.tail<3>();
        const Vector6 momentum = product(inertias_[i], twist);
        const Vector3 linear = momentum.head<3>(), angular = momentum.tail<3>();
        forces_[i] = product(inertias_[i], acceleration);
        forces_[i].head<3>() += w.cross(linear);
        forces_[i].tail<3>() += v.cross(linear) + w.cross(angular);
    }
    for(size_t i = parts_.size() - 1; i > 0; --i){
        forces_[parts_[i].parent] += forces_[i];
    }
    for(int i = 0; i < numDofs(); ++i){
        bias_[i] = motions_[i].dot(forces_[linkIndices_[i]]);
    }
}
