/* SPDX-License-Identifier: MIT */
#include "FrictionJoints.h"
#include <cnoid/Format>
#include <cnoid/Link>
#include "gettext.h"

using namespace std;
using namespace cnoid;

namespace {

// The largest number of joint names in one message.
constexpr size_t mostNames = 8;

string listOf(const vector<string>& names)
{
    string text;
    for(size_t i = 0; i < names.size() && i < mostNames; ++i){
        text += (i == 0 ? "" : ", ") + names[i];
    }
    return names.size() <= mostNames ? text :
        formatR(_("{0} and {1} more"), text, names.size() - mostNames);
}

//! What drives a joint that friction cannot act on.
string driveOf(const Link* joint, int mode)
{
    if(joint->jointType() == Link::PseudoContinuousTrackJoint){
        return _("a continuous track");
    }
    if(mode & Link::JointDisplacement){
        return _("driven by position");
    }
    if(mode & (Link::JointVelocity | Link::DeprecatedJointSurfaceVelocity)){
        return _("driven by velocity");
    }
    return formatR(_("actuation mode {0}"), Link::getStateModeString(mode));
}

}


bool FrictionJoints::take(Link* joint)
{
    // an external force may be commanded beside the effort
    const int mode = joint->actuationMode() & ~Link::LinkExtWrench;
    const bool canMove = joint->isRevoluteJoint() || joint->isPrismaticJoint();
    if(canMove && mode == Link::StateNone){
        joint->setActuationMode(joint->actuationMode() | Link::JointEffort);
        passive_.push_back(joint->jointName());
        return true;
    }
    if(canMove && mode == Link::JointEffort){
        return true;
    }
    others_[driveOf(joint, mode)].push_back(joint->jointName());
    return false;
}


void FrictionJoints::report(const Body* body, const BodyFriction::Report& report) const
{
    if(!passive_.empty()){
        report(BodyFriction::Severity::Information,
               formatR(_("{0}: passive joints are set to effort mode for their friction: {1}."),
                       body->name(), listOf(passive_)));
    }
    string lists;
    for(auto& other : others_){
        lists += (lists.empty() ? "" : "; ") +
            formatR("{0} ({1})", listOf(other.second), other.first);
    }
    if(!lists.empty()){
        report(BodyFriction::Severity::Warning,
               formatR(_("{0}: joints that are not driven by effort get no friction: {1}. Drive them by effort: joint->setActuationMode(Link::JointEffort) in the controller's initialize(), and the torque in joint->u()."),
                       body->name(), lists));
    }
}
