/* SPDX-License-Identifier: MIT */
#include "BodyDynamics.h"
#include <cnoid/EigenUtil>
#include <cnoid/Link>
#include <algorithm>

using namespace std;
using namespace cnoid;


BodyDynamics::BodyDynamics(Body* body, const Vector3& gravity, bool hasRotors)
    : body_(body),
      clone_(body->clone()),
      gravity_(gravity),
      hasRotors_(hasRotors),
      isRootFree_(!body->rootLink()->isFixedJoint())
{
    dofs_.assign(body->numLinks(), -1);
    last_.assign(body->numLinks(), -1); // the degree of freedom next to each link
    size_t massSize = 0;
    vector<size_t> lengths;
    auto add = [&](int linkIndex, int parent){
        linkIndices_.push_back(linkIndex);
        parents_.push_back(parent);
        lengths.push_back(1 + (parent < 0 ? 0 : lengths[parent]));
        massSize += lengths.back();
    };
    for(int i = 0; i < body->numLinks(); ++i){
        Link* link = body->link(i);
        if(link->isRoot()){
            for(int k = 0; isRootFree_ && k < 6; ++k){
                add(i, k - 1);
            }
        } else {
            last_[i] = last_[link->parent()->index()];
            if(link->isRevoluteJoint() || link->isPrismaticJoint()){
                dofs_[i] = numDofs();
                add(i, last_[i]);
            }
        }
        if(numDofs() > 0 && linkIndices_.back() == i){
            last_[i] = numDofs() - 1;
        }
    }
    mass_.assign(massSize, 0.0);
    motions_.resize(numDofs());
    inertias_.resize(body->numLinks());
    accelerations_.resize(body->numLinks());
    forces_.resize(body->numLinks());
    for(auto values : { &velocities_, &bias_, &efforts_ }){
        values->assign(numDofs(), 0.0);
    }
}


void BodyDynamics::update(double lead)
{
    copyState(lead);
    findMotions();
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
    Link* cloned = clone_->rootLink();
    cloned->setPosition(root->position());
    cloned->v() = root->v();
    cloned->w() = root->w();
    if(isRootFree_){
        for(int k = 0; k < 3; ++k){
            cloned->v()[k] += change(k, root->v()[k]);
            cloned->w()[k] += change(k + 3, root->w()[k]);
        }
        const double angle = lead * root->w().norm();
        cloned->p() += lead * root->v();
        if(angle > 0.0){
            cloned->R() = AngleAxis(angle, root->w().normalized()) * Matrix3(root->R());
        }
    }
    for(int i = 0; i < body_->numLinks(); ++i){
        const Link* from = body_->link(i);
        Link* to = clone_->link(i);
        const int dof = dofs_[i];
        const double difference = dof < 0 ? 0.0 : change(dof, from->dq());
        to->q() = from->q() + lead * (from->dq() + difference / 2.0);
        to->dq() = from->dq() + difference;
        to->ddq() = 0.0;
        if(dof >= 0){
            efforts_[dof] = from->u();
        }
    }
    clone_->calcForwardKinematics(true);
}


void BodyDynamics::findMotions()
{
    const Vector3 p = clone_->rootLink()->p();
    for(int k = 0; isRootFree_ && k < 3; ++k){
        motions_[k] = { Vector3::Unit(k), Vector3::Zero() };
        motions_[k + 3] = { p.cross(Vector3::Unit(k)), Vector3::Unit(k) };
    }
    for(int i = 0; i < clone_->numLinks(); ++i){
        const Link* link = clone_->link(i);
        if(dofs_[i] < 0){
            continue;
        }
        auto& motion = motions_[dofs_[i]];
        if(link->isRevoluteJoint()){
            motion.angular = link->R() * link->a();
            motion.linear = link->p().cross(motion.angular);
        } else {
            motion.angular.setZero();
            motion.linear = link->R() * link->d();
        }
    }
}


void BodyDynamics::findInertias()
{
    for(int i = 0; i < clone_->numLinks(); ++i){
        const Link* link = clone_->link(i);
        const Vector3 c = link->R() * link->c() + link->p();
        const Matrix3 c_hat = hat(c);
        inertias_[i] = { link->m(), link->m() * c,
                         link->R() * link->I() * link->R().transpose() +
                         link->m() * c_hat * c_hat.transpose() };
    }
}


Vector6 BodyDynamics::motionAt(const Link* link, int dof) const
{
    const auto& motion = motions_[dof];
    Vector6 velocity;
    velocity << motion.linear + motion.angular.cross(clone_->link(link->index())->p()), motion.angular;
    return velocity;
}


//! From the world's origin to the link's, which moves; gravity is in findBias() as an acceleration.
Vector6 BodyDynamics::accelerationAt(const Link* link) const
{
    const Link* cloned = clone_->link(link->index());
    const auto& acceleration = accelerations_[link->index()];
    Vector6 result;
    result << acceleration.linear + gravity_ + acceleration.angular.cross(cloned->p()) +
        cloned->w().cross(cloned->v()), acceleration.angular;
    return result;
}


BodyDynamics::Spatial BodyDynamics::Inertia::operator*(const Spatial& motion) const
{
    return { mass * motion.linear + motion.angular.cross(moment),
             moment.cross(motion.linear) + inertia * motion.angular };
}


void BodyDynamics::addExternalForces(vector<double>& forces) const
{
    for(int i = 0; i < body_->numLinks(); ++i){
        const Link* link = body_->link(i);
        if(link->F_ext().isZero()){
            continue;
        }
        const Spatial force = { link->f_ext(), link->tau_ext() };
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
    for(int i = clone_->numLinks() - 1; i > 0; --i){
        auto& of = inertias_[clone_->link(i)->parent()->index()];
        of.mass += inertias_[i].mass;
        of.moment += inertias_[i].moment;
        of.inertia += inertias_[i].inertia;
    }
    auto entry = mass_.begin();
    for(int i = 0; i < numDofs(); ++i){
        const Spatial force = inertias_[linkIndices_[i]] * motions_[i];
        const double rotor = hasRotors_ ? clone_->link(linkIndices_[i])->Jm2() : 0.0;
        for(int j = i; j >= 0; j = parents_[j]){
            *entry++ = motions_[j].dot(force) + (i == j ? rotor : 0.0);
        }
    }
}


//! The forces that move the links as they move, without acceleration of a joint, and hold them up:
//! from the root to the leaves and back.
void BodyDynamics::findBias()
{
    for(int i = 0; i < clone_->numLinks(); ++i){
        const Link* link = clone_->link(i);
        const Link* parent = link->parent();
        const Spatial velocity = { link->v() - link->w().cross(link->p()), link->w() };
        auto& acceleration = accelerations_[i];
        if(!parent){
            acceleration = { -gravity_ - link->w().cross(link->v()), Vector3::Zero() };
        } else {
            acceleration = accelerations_[parent->index()];
            if(dofs_[i] >= 0){
                const auto& s = motions_[dofs_[i]];
                const Vector3 vo = parent->v() - parent->w().cross(parent->p());
                acceleration.linear +=
                    (parent->w().cross(s.linear) + vo.cross(s.angular)) * link->dq();
                acceleration.angular += parent->w().cross(s.angular) * link->dq();
            }
        }
        const Spatial momentum = inertias_[i] * velocity;
        forces_[i] = inertias_[i] * acceleration;
        forces_[i].linear += velocity.angular.cross(momentum.linear);
        forces_[i].angular += velocity.linear.cross(momentum.linear) +
            velocity.angular.cross(momentum.angular);
    }
    for(int i = clone_->numLinks() - 1; i > 0; --i){
        auto& of = forces_[clone_->link(i)->parent()->index()];
        of.linear += forces_[i].linear;
        of.angular += forces_[i].angular;
    }
    for(int i = 0; i < numDofs(); ++i){
        bias_[i] = motions_[i].dot(forces_[linkIndices_[i]]);
    }
}
